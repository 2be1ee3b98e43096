#!/usr/bin/env python3
"""Are the loop markers true? Runs each marked loop in parallel, alone, under ThreadSanitizer.

For each loop marked `parallel` or `parallel_if` the program is compiled with an OpenMP directive on just this loop and run
with 3 and 7 threads: there must be no race, and the output must be the sequential one. For `parallel_if` only the first
call of the kernels is made, the one for which conditions hold. A loop marked `sequential` or `unknown` that shows neither a race nor
another output is listed as a question: the marker may be too careful, or the data too tame.

Cannot: check loops that OpenMP does not take (`while`, steps that change), reductions over structure members.

Usage: check_markers.py [FOLDER…] [--only NAME]
"""

import os
import re
import subprocess
import sys
import tempfile

import programs

TSAN = "ignore_noninstrumented_modules=1 exitcode=66 halt_on_error=1"


def directive(facts):
    """The directive that a marker claims to be right, or None if its facts cannot be written in OpenMP."""
    clauses = []
    for fact in programs.split_facts(facts):
        if fact.startswith("because"):
            continue
        match = re.fullmatch(r"(reduction|private|lastprivate)\((.*)\)", fact)
        if not match:
            raise ValueError("fact not understood: " + fact)
        kind, what = match.groups()
        if kind == "reduction":
            operator, _, variable = what.partition(":")
            if re.search(r"\]\.|->|^\*", variable):
                return None
            if variable.endswith("]"):
                if variable.count("[") > 1:
                    variable = re.sub(r"\[([^\[\]]*)\]", r"[\1:1]", variable)
                else:
                    variable = variable[:-1] + ":1]"
            what = operator + ":" + variable
        clauses.append("%s(%s)" % (kind, what))
    return "#pragma omp parallel for " + " ".join(clauses)


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
    pragma = directive(facts) if claim else "#pragma omp parallel for"
    remark = lines[place].split("// loop:")[1].partition("//")[2].strip()
    if remark.startswith(("induction:", "stronger: sequential")):
        return "skipped: " + remark
    if pragma is None:
        return "skipped: not a reduction that OpenMP can write"
    others = [other for other in program.files if other != file]
    plain = lines
    changed = lines[:place] + [pragma] + lines[place:]
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
