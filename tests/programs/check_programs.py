#!/usr/bin/env python3
"""Do the test programs keep the rules of the README? Compiles and runs each one in several ways.

With both sets of sizes: gcc at -O0 and -O3 and clang-19 with the address and undefined-behaviour sanitizers must give no
warning, no finding, and the same output; every loop must have a marker that can be read.

Usage: check_programs.py [FOLDER…] [--only NAME]
"""

import os
import re
import sys
import tempfile

import programs
from variants import CODE

WAYS = (
    ("gcc -O0", ["gcc"], ["-O0"]),
    ("gcc -O3", ["gcc"], ["-O3"]),
    ("sanitizers", ["clang-19"], ["-g", "-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]),
)
VERDICTS = ("parallel", "parallel_if", "sequential", "unknown")


def check_markers(file):
    """Loops without a marker, and markers that say nothing known."""
    problems = []
    with open(file) as text:
        whole = text.read()
    # Comments and strings become as many line ends as they had, so that line numbers stay.
    bare = CODE.sub(lambda match: "\n" * match.group(0).count("\n"), whole).split("\n")
    for number, (line, code) in enumerate(zip(whole.split("\n"), bare), 1):
        loops = len(re.findall(r"\b(?:for|do)\b", code)) + len(re.findall(r"(?<!} )\bwhile\b", code))
        if loops == 0 or code.lstrip().startswith("#"):
            continue
        found = programs.marker(line)
        if not found:
            problems.append("%s:%d: a loop without a marker" % (file, number))
        elif found[0] not in VERDICTS or loops > 1:
            problems.append("%s:%d: more than one loop, or an unknown verdict" % (file, number))
    return problems


def check(program, folder):
    """All problems of one program."""
    problems = [problem for file in program.files for problem in check_markers(file)]
    for size in program.sizes:
        outputs = {}
        for name, compiler, flags in WAYS:
            binary = os.path.join(folder, "run")
            try:
                warnings = programs.compile_program(compiler, program.files, binary, program, [*flags, *size])
            except RuntimeError as error:
                problems.append("%s, %s: %s" % (program.name, name, str(error)[:500]))
                continue
            if warnings:
                problems.append("%s, %s: %s" % (program.name, name, warnings[:500]))
            status, output, errors = programs.run(binary)
            if status != 0 or not output:
                problems.append("%s, %s: exit status %d %s" % (program.name, name, status, errors[:500]))
            if re.search(r"\b-?(nan|inf)\b", output):
                problems.append("%s, %s: not a number" % (program.name, name))
            outputs.setdefault(output, []).append(name)
        if len(outputs) > 1:
            problems.append("%s %s: outputs differ: %s" % (program.name, size, list(outputs.values())))
    return problems


def main():
    arguments = sys.argv[1:]
    only = arguments[arguments.index("--only") + 1] if "--only" in arguments else None
    folders = [name for name in arguments if name in programs.FOLDERS] or programs.FOLDERS
    count, problems = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for program in programs.all_programs(folders):
            if only and program.name != only:
                continue
            count += 1
            found = check(program, folder)
            problems += found
            for problem in found:
                print(problem, flush=True)
    print("programs: %d; problems: %d" % (count, len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
