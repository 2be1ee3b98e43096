#!/usr/bin/env python3
"""Do the verdicts survive another way of writing the same program? Makes variants of the test programs.

Usage: variants.py OUT [FOLDER…] [--only NAME]

Each variant goes to OUT/FORM/FOLDER/NAME.c, markers and all, is compiled, and must print what its original prints. The forms:

  expanded   the program's own macros are expanded by the preprocessor (what its includes define stays)
  reversed   simple loops marked `parallel` run downwards
  long       `int` becomes `long` (where the header allows it)
  unsigned   induction variables of kernels become `unsigned` (where the header allows it)
  split      the kernels, and what they call, go to a second file (where the header allows it)

The change from a variable-length array to linear subscripts to walking pointers is not made by this script: `forms/` has it,
written by hand, and this script only checks that the forms of one algorithm print the same.

Cannot: combine forms, or change a program that has no canonical layout (a definition must begin in the first column).
"""

import os
import re
import subprocess
import sys
import tempfile

import programs

CODE = re.compile(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/)', re.S)


def map_code(text, on_code, on_string=lambda string: string):
    """Applies a function to the code of a text, another to its string literals; comments stay."""
    parts = CODE.split(text)
    for place, part in enumerate(parts):
        if place % 2 == 0:
            parts[place] = on_code(part)
        elif part.startswith('"'):
            parts[place] = on_string(part)
    return "".join(parts)


def without_header(text, *keys):
    """Drops header lines that are no longer true."""
    return "".join(line for line in text.splitlines(True) if not re.match(r"// (%s):" % "|".join(keys), line))


def expanded(files):
    """Expands macros, with every #include hidden from the preprocessor behind a name."""
    result = {}
    for name, text in files.items():
        includes = re.findall(r"(?m)^[ \t]*#[ \t]*include.*$", text)
        numbers = iter(range(len(includes)))
        hidden = re.sub(r"(?m)^[ \t]*#[ \t]*include.*$", lambda _: "__include_%d__" % next(numbers), text)
        command = ["gcc", "-E", "-P", "-C", "-std=c11", "-x", "c", "-nostdinc", "-include", "/dev/null", "-"]
        done = subprocess.run(command, input=hidden, capture_output=True, text=True, check=True)
        # The compiler's own notice about its library stands before the program's first comment.
        body = done.stdout[done.stdout.index("// "):]
        body = re.sub(r"__include_(\d+)__", lambda match: includes[int(match.group(1))], body)
        result[name] = without_header(body, "sizes")
    return result


FOR = re.compile(r"for \((int|long) (\w+) = ([^;]+); \2 (<=?) ([^;]+); (?:\2\+\+|\+\+\2)\)")


def reversed_loops(files):
    """Turns `for (int i = low; i < high; i++)` round where the marker says that the order does not matter."""
    def turn(line):
        found = programs.marker(line)
        if not found or found[0] != "parallel" or "lastprivate" in found[1] or "// induction" in line:
            return line
        def downwards(match):
            kind, variable, low, less, high = match.groups()
            simple = re.fullmatch(r"\w+", high)
            start = high if less == "<=" else (high if simple else "(%s)" % high) + " - 1"
            return "for (%s %s = %s; %s >= %s; %s--)" % (kind, variable, start, variable, low, variable)
        return FOR.sub(downwards, line)
    return {name: "".join(turn(line) for line in text.splitlines(True)) for name, text in files.items()}


def longs(files):
    """`int` to `long`, and the conversions of printf with it."""
    def code(part):
        return re.sub(r"\bint\b(?! main)", "long", part)
    return {name: map_code(text, code, lambda string: re.sub(r"%(\d*)d", r"%\1ld", string)) for name, text in files.items()}


def chunks(text):
    """The top level of a file: (kind, name, text), kind being `function`, `other` or `line`."""
    found, current, depth = [], [], 0
    for line in text.splitlines(True):
        bare = CODE.sub("", line)
        if depth == 0 and not current and (not bare.strip() or bare.startswith("#")):
            found.append(("line", "", line))
            continue
        if depth == 0 and not current and line.startswith("/*") and "*/" not in line:
            current, depth = [line], 1000
            continue
        current.append(line)
        if depth == 1000:
            if "*/" in line:
                found.append(("line", "", "".join(current)))
                current, depth = [], 0
            continue
        depth += bare.count("{") - bare.count("}")
        if depth == 0 and bare.rstrip().endswith((";", "}")):
            whole = "".join(current)
            match = re.match(r"[\w\s\*]*?(\w+)\([^;{]*\)\s*\{", whole)
            found.append(("function", match.group(1), whole) if match else ("other", "", whole))
            current = []
    if current:
        found.append(("other", "", "".join(current)))
    return found


def unsigned_induction(files):
    """Induction variables of kernels become unsigned."""
    result = {}
    for name, text in files.items():
        result[name] = "".join(
            re.sub(r"\bfor \(int\b", "for (unsigned", part) if kind == "function" and function.startswith("kernel_") else part
            for kind, function, part in chunks(text))
    return result


def split(files):
    """Kernels and the functions that they call go to NAME_kernels.c; shared data lose `static`."""
    (name, text), = files.items()
    second = name[:-2] + "_kernels.c"
    parts = chunks(text)
    bodies = {function: part for kind, function, part in parts if kind == "function"}
    moved = {function for function in bodies if function.startswith("kernel_")}
    while True:
        called = {other for function in moved for other in bodies if re.search(r"\b%s\b" % other, bodies[function])} - moved
        if not called:
            break
        moved |= called
    for function, part in bodies.items():
        for other in moved:
            if function not in moved and re.search(r"\b%s\b" % other, part) and bodies[other].startswith("static"):
                raise RuntimeError("the static function %s is used on both sides" % other)
    first_text, second_text = [], ["// part of: %s\n" % name]
    header = True
    for kind, function, part in parts:
        if header and kind == "line" and part.startswith("//"):
            first_text.append(part)
            continue
        if header:
            first_text.insert(1, "// files: %s %s\n" % (name, second))
            header = False
        if kind == "line":
            first_text.append(part)
            if part.startswith("#") or not part.strip():
                second_text.append(part)
        elif kind == "function":
            (second_text if function in moved else first_text).append(part)
            if function in moved and not part.startswith("static"):
                prototype = part[:part.index("{")].rstrip() + ";\n"
                first_text.append(prototype)
        elif re.match(r"(struct|enum|union)\s+\w+\s*\{|typedef", part):
            first_text.append(part)
            second_text.append(part)
        elif "(" in CODE.sub("", part).split("=")[0] and not part.startswith("static"):
            first_text.append(part)
            second_text.append(part)
        else:
            shared = re.sub(r"\bstatic ", "", part)
            first_text.append(shared)
            second_text.append("extern " + re.sub(r"\s*=[^,;]*", "", shared))
    return {name: "".join(first_text), second: re.sub(r"\n{3,}", "\n\n", "".join(second_text))}


FORMS = {"expanded": expanded, "reversed": reversed_loops, "long": longs, "unsigned": unsigned_induction, "split": split}
ALWAYS = ("expanded", "reversed")


def forms_of(program):
    """The forms that the program's header asks for."""
    with open(program.first) as text:
        refused = re.search(r"(?m)^// not: (.*)$", text.read())
    refused = refused.group(1).split() if refused else []
    asked = [form for form in (*ALWAYS, *program.variants) if form not in refused]
    return [form for form in asked if form in FORMS and not (form == "split" and len(program.files) > 1)]


def read(program):
    """The texts of a program by file name."""
    texts = {}
    for path in program.files:
        with open(path) as text:
            texts[os.path.basename(path)] = text.read()
    return texts


def output_of(program, size, folder):
    """What a program prints, with the diagnostics of its compilation before it."""
    binary = os.path.join(folder, "run")
    warnings = programs.compile_program(["gcc"], program.files, binary, program, ["-O1", "-Werror=format", *size])
    status, output, errors = programs.run(binary)
    if status != 0:
        raise RuntimeError("exit status %d: %s" % (status, errors[:300]))
    return output, warnings


def make(program, form, out):
    """Writes one variant; returns its first file, or None where the form changes nothing."""
    before = read(program)
    after = FORMS[form](before)
    if after == before:
        return None
    folder = os.path.join(out, form, program.folder)
    os.makedirs(folder, exist_ok=True)
    for name, text in after.items():
        # Includes of the project are found from the new place.
        text = re.sub(r'(?m)^#include "(.*)"', lambda match: '#include "%s"' % os.path.relpath(
            os.path.join(os.path.dirname(program.first), match.group(1)), folder), text)
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    return os.path.join(folder, os.path.basename(program.first))


def check_forms(folder):
    """The hand-written forms of one algorithm print the same; returns the number of problems."""
    outputs, problems = {}, 0
    for program in programs.all_programs(("forms",)):
        algorithm = program.name.rsplit("_", 1)[0]
        for number, size in enumerate(program.sizes):
            output = output_of(program, size, folder)[0]
            if outputs.setdefault((algorithm, number), output) != output:
                problems += 1
                print("forms/%s: prints something else than the other forms of %s" % (program.name, algorithm))
    return problems


def main():
    arguments = sys.argv[1:]
    only = None
    if "--only" in arguments:
        place = arguments.index("--only")
        only = arguments[place + 1]
        del arguments[place:place + 2]
    if not arguments:
        print(__doc__)
        return 2
    out = os.path.abspath(arguments[0])
    folders = arguments[1:] or programs.FOLDERS
    made, problems = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for program in programs.all_programs(folders):
            if only and program.name != only:
                continue
            originals = [output_of(program, size, folder)[0] for size in program.sizes]
            for form in forms_of(program):
                try:
                    first = make(program, form, out)
                    if first is None:
                        continue
                    variant = programs.Program(first)
                    if len(variant.sizes) > len(originals):
                        raise RuntimeError("a size more than the original")
                    for size, original in zip(variant.sizes, originals):
                        output, warnings = output_of(variant, size, folder)
                        if output != original:
                            raise RuntimeError("other output with sizes %s" % size)
                        if warnings and form != "unsigned":
                            raise RuntimeError(warnings)
                    made[form] = made.get(form, 0) + 1
                except (RuntimeError, subprocess.SubprocessError) as error:
                    problems += 1
                    print("%s/%s, %s: %s" % (program.folder, program.name, form, str(error)[:500]))
        if not only and "forms" in folders:
            problems += check_forms(folder)
    print("made: " + ", ".join("%s %d" % item for item in sorted(made.items())) + "; problems: %d" % problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
