#!/usr/bin/env python3
"""Are the loop markers true? Runs each marked loop in parallel, alone, under ThreadSanitizer.

For each loop marked `parallel` or `parallel_if` the program is compiled with an OpenMP directive on just this loop and run
with 3 and 7 threads: there must be no race, and the output must be the sequential one. For `parallel_if` only the first
call of the kernels is made, the one for which conditions hold. A loop marked `sequential` or `unknown` that shows neither a race nor
another output is listed as a question: the marker may be too careful, or the data too tame.

Cannot: check loops that OpenMP does not take (`while`, steps that change), reductions over structure members, least and greatest elements of sections.

Usage: check_markers.py [FOLDER…] [--only NAME]
"""

import os
import re
import subprocess
import sys
import tempfile

import programs

ATOMIC = ("+", "*", "&", "|", "^")
TSAN = "ignore_noninstrumented_modules=1 exitcode=66 halt_on_error=1"


def directive(facts):
    """The directive that a marker claims to be right, the array elements that it reduces and the objects that it updates atomically, or None if OpenMP has no way.

    Each update of a section is atomic, too: compilers take no sections of which the length is not a number.
    An element is reduced in a scalar: what a loop reads of an array is undefined where a section of the array is reduced,
    and clang-19 at times adds to a file-scope array itself instead of to the private copy of its section.
    """
    clauses, elements, objects = [], [], []
    for fact in programs.split_facts(facts):
        if fact.startswith("because"):
            continue
        match = re.fullmatch(r"(reduction|private|lastprivate|atomic|section)\((.*)\)", fact)
        if not match:
            raise ValueError("fact not understood: " + fact)
        kind, what = match.groups()
        if kind in ("atomic", "section"):
            operator, _, name = what.partition(":")
            if operator.strip() not in ATOMIC:
                return None
            objects.append(name.strip())
            continue
        if kind == "reduction":
            operator, _, variable = what.partition(":")
            if re.search(r"\]\.|->|^\*", variable):
                return None
            if variable.endswith("]"):
                elements.append(variable)
                variable = "element_%d" % len(elements)
            what = operator + ":" + variable
        clauses.append("%s(%s)" % (kind, what))
    return "#pragma omp parallel for " + " ".join(clauses), elements, objects


def indentation(line):
    """Columns before the first letter; a blank line counts as inside."""
    return len(line) - len(line.lstrip()) if line.strip() else 1000


class NotALine(Exception):
    """What a loop does in the middle of a line gets no directive."""


def is_update(line, name):
    """True for a line that is a statement which updates an element of the object, or begins with one: `h[k]++;`, `++h[k];`, `h[k] op= e;`, `h[k] = h[k] op e;`."""
    return re.match(r"\s*(\+\+|--)?%s\s*(\[|\+\+|--|[-+*&|^]?=(?!=))" % re.escape(name), line) is not None


def with_directive(lines, place, pragma, elements, objects=()):
    """The program with the directive on one loop. Relies on the layout: what is indented deeper belongs to the loop."""
    end = place + 1
    while end < len(lines) and indentation(lines[end]) > indentation(lines[place]):
        end += 1
    body, before = "\n".join(lines[place + 1:end]), []
    for number, element in enumerate(elements, 1):
        if element not in body:
            raise ValueError("the loop does not spell " + element)
        name = "element_%d" % number
        body = body.replace(element, name)
        # One pass of a loop loads the scalar and stores it, without a need to know where the statement ends.
        before.append("for (__typeof__(%s) %s = %s, *once_%d = &%s; once_%d; %s = %s, once_%d = 0)" % (
            element, name, element, number, name, number, element, name, number))
    body = body.split("\n")
    for name in objects:
        mentioned = re.compile(r"(?<![\w.>])%s\b" % re.escape(name))
        if not all(is_update(line, name) for line in body if mentioned.search(line.split("//")[0])):
            raise NotALine("its updates of %s are not lines by themselves" % name)
        body = [part for line in body for part in (["#pragma omp atomic update", line] if is_update(line, name) else [line])]
    return lines[:place] + before + [pragma, lines[place], *body] + lines[end:]


def first_call_only(lines):
    """Ends `main` before a kernel is called a second time."""
    start = next((n for n, line in enumerate(lines) if re.match(r"int main\(", line)), len(lines))
    called = set()
    for place in range(start, len(lines)):
        for name in re.findall(r"\b(kernel_\w+)\(", lines[place]):
            if name in called:
                return lines[:place] + ["return 0;"] + lines[place:]
            called.add(name)
    return lines


def judge(program, file, place, folder):
    """One loop: None if its marker is confirmed, else what is wrong or doubtful."""
    with open(file) as text:
        lines = text.read().split("\n")
    verdict, facts = programs.marker(lines[place])
    claim = verdict.startswith("parallel")
    found = directive(facts) if claim else ("#pragma omp parallel for", [], [])
    remark = lines[place].split("// loop:")[1].partition("//")[2].strip()
    if remark.startswith(("induction:", "stronger: sequential")):
        return "skipped: " + remark
    if found is None:
        return "skipped: not a reduction that OpenMP can write"
    others = [other for other in program.files if other != file]
    plain = lines
    try:
        changed = with_directive(lines, place, *found)
    except NotALine as reason:
        return "skipped: %s" % reason
    if verdict == "parallel_if":
        plain, changed = first_call_only(plain), first_call_only(changed)
    outputs = []
    for name, text, flags in (("plain", plain, []), ("changed", changed, ["-fopenmp", "-fsanitize=thread"])):
        source = os.path.join(folder, name + ".c")
        with open(source, "w") as out:
            out.write("\n".join(text))
        try:
            programs.compile_program(["clang-19"], [source, *others], os.path.join(folder, name), program, ["-g", "-O1", "-w", *flags, "-I" + os.path.dirname(file)])
        except RuntimeError as error:
            message = re.search(r"error: .*", str(error))
            return "skipped: " + (message.group(0) if message else str(error)[:200])
        if name == "plain":
            outputs.append(programs.run(os.path.join(folder, name))[:2])
    libraries = subprocess.run(["llvm-config-19", "--libdir"], capture_output=True, text=True).stdout.strip()
    for threads in ("3", "7"):
        environment = {"OMP_NUM_THREADS": threads, "TSAN_OPTIONS": TSAN, "LD_LIBRARY_PATH": libraries}
        try:
            status, output, errors = programs.run(os.path.join(folder, "changed"), environment)
        except subprocess.TimeoutExpired:
            status, output, errors = 124, "", "time limit"
        if status != outputs[0][0] or output != outputs[0][1]:
            where = re.search(r"#0 .*", errors)
            problem = "race " + where.group(0) if "data race" in errors else "other output"
            return "WRONG: %s with %s threads" % (problem, threads) if claim else None
    return None if claim else "question: no race and the same output"


def main():
    arguments = sys.argv[1:]
    only = arguments[arguments.index("--only") + 1] if "--only" in arguments else None
    folders = [name for name in arguments if name in programs.FOLDERS] or programs.FOLDERS
    seen, counts, wrong = set(), {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for program in programs.all_programs(folders):
            if only and program.name != only:
                continue
            for file in program.files:
                with open(file) as text:
                    lines = text.read().split("\n")
                for place, line in enumerate(lines):
                    if not programs.marker(line):
                        continue
                    around = "\n".join(lines[max(0, place - 3):place + 3])
                    if around in seen:
                        continue
                    seen.add(around)
                    verdict = programs.marker(line)[0]
                    counts[verdict] = counts.get(verdict, 0) + 1
                    problem = judge(program, file, place, folder)
                    if problem:
                        wrong += problem.startswith("WRONG")
                        print("%s:%d: %s: %s" % (os.path.relpath(file, programs.HERE), place + 1, verdict, problem), flush=True)
    print("loops tried: " + ", ".join("%s %d" % item for item in sorted(counts.items())) + "; wrong: %d" % wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
