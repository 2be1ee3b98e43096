"""What does `ferry check` say of programs with target directives that nobody wrote for it? Counts findings over checkouts of public suites.

Usage: check_suites.py [--findings] FERRY NAME=FOLDER...

The names are those of SUITES; the folders are checkouts of RWTH-HPC/DRACC (its OpenMP/src, or all of it), OpenMP/Examples, ROCm/aomp (its test/smoke),
cavazos-lab/PolyBench-ACC, passlab/NeoRodinia, OpenACCUserGroup/OpenACCV-V, OpenMP-Validation-and-Verification/OpenMP_VV, llvm-mirror/openmp
(its libomptarget/test), LLNL/dataracebench (its micro-benchmarks), UoB-HPC/openmp-tutorial, ParRes/Kernels (its C1z), OpenACC/openacc-training-materials,
csc-training/openacc and rmfarber/ParallelProgrammingWithOpenACC. Nothing is written into them. Each C file that has a
target directive or one of OpenACC is read by itself, of DataRaceBench each C file. Prints Markdown; with --findings also every finding outside DRACC with its place.

The names of APPLICATIONS are programs of several files, which are read as one: their folders are checkouts of ANL-CESAR/XSBench (its openmp-offload), of
uhhpctools/openacc-npb (the folder of one benchmark, with the npbparams.h that its setparams writes for class A in its common), and of UoB-HPC/arch with
UoB-HPC/flow in it.
"""

import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

# What a suite needs to be compiled, and files that are no programs of their own.
SUITES = {
    "dracc": ([], r"^$"),
    "ompex": ([], r"^$"),
    "aomp": ([], r"^$"),
    "pacc": (["-Icommon", "-IOpenACC/utilities"], r"^(CUDA|OpenCL|HMPP)/|template-for-new"),
    "neo": (["-Icommon", "-DREAL=float"], r"^$"),
    "accvv": (["-ITests"], r"^Template/"),
    "ompvv": (["-Iompvv"], r"^template/"),
    # The same, but its header does not ask where each program runs, which makes what is said of it only possible.
    "ompvv-unasked": (["-Iompvv", "-Domp_is_initial_device=omp_get_initial_device"], r"^template/"),
    "llvmomp": ([], r"^$"),
    "drb": (["-I.", "-Iutilities", "-Ipolybench"], r"^(polybench|utilities)/|template"),
    "tutorial": (["-I.", "-ISolutions"], r"^$"),
    "prk": (["-I../include", '-DPRKVERSION="1"'], r"^$"),
    "acctrain": ([], r"^$"),
    "csc": ([], r"^$"),
    "ppacc": ([], r"^$"),
}
# Programs of several files: which, but those that match, and what they need. Helpers of NPB are defined twice, once with other types.
NPB = (["-fopenacc", "-Icommon"], r"/(print_results|c_timers|wtime)\.c$")
APPLICATIONS = {
    "xsbench": (["*.c"], r"^$", ["-fopenmp"]),
    **{
        f"npb-{name}": ([f"{folder}/*.c"], NPB[1], [*NPB[0], f"-I{folder}"])
        for name, folder in [(one, one.upper()) for one in ("bt", "cg", "ep", "ft", "mg", "sp")] + [("lu", "LU-HP")]
    },
    **{
        f"{name}-{way}": (
            [f"{way}/data.c", f"{way}/halos.c", f"{way}/shared.c", "*.c", f"{name}/*.c", f"{name}/{way}/*.c"],
            r"/umesh\.c$",
            [flag, "-std=gnu99", "-I.", f"-I{name}"],
        )
        for name in ("flow",)
        for way, flag in (("omp4", "-fopenmp"), ("oacc", "-fopenacc"))
    },
}
TARGET = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+(omp\b(?:[^\n]*\\\r?\n)*[^\n]*\btarget\b|acc\b)", re.MULTILINE)
ACC = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+acc\b", re.MULTILINE)
SECONDS = 120
COLUMNS = {"error": "errors", "warning": "warnings", "note": "only possible"}


def flags_of(path, text, flags):
    own = os.path.dirname(path) or "."
    around = [own]
    while around[-1] not in ("", "."):
        around.append(os.path.dirname(around[-1]) or ".")
    language = "-fopenacc" if ACC.search(text) else "-fopenmp"
    return ["-w", language, *("-I" + folder for folder in around[:3]), *flags]


def check(job):
    """The JSON, or in one word why there is none."""
    ferry, root, path, flags = job
    command = [ferry, "check", path, "--pedantic", "--format", "json", "--", *flags]
    try:
        done = subprocess.run(command, capture_output=True, cwd=root, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "too long"
    if done.returncode not in (0, 1, 2) or b"panicked" in done.stderr:
        return f"status {done.returncode}"
    return json.loads(done.stdout)


def application(name, root, folder):
    """A file that includes all of a program, with how many lines there are, and flags."""
    patterns, without, flags = APPLICATIONS[name]
    found = [path for pattern in patterns for path in sorted(glob.glob(os.path.join(root, pattern)))]
    found = [os.path.abspath(path) for path in dict.fromkeys(found) if not re.search(without, path)]
    lines = 0
    for path in found:
        with open(path, "rb") as file:
            lines += file.read().count(b"\n")
    whole = os.path.join(folder, name + ".c")
    with open(whole, "w", encoding="utf-8") as file:
        file.writelines(f'#include "{path}"\n' for path in found)
    return whole, lines, ["-w", *flags]


def jobs(arguments, folder):
    ferry = os.path.abspath(arguments[0])
    for argument in arguments[1:]:
        name, _, root = argument.partition("=")
        if name in APPLICATIONS:
            whole, lines, flags = application(name, root, folder)
            yield name, lines, (ferry, root, whole, flags)
            continue
        flags, without = SUITES[name]
        for path in sorted(glob.glob("**/*.c", root_dir=root, recursive=True)):
            with open(os.path.join(root, path), "rb") as file:
                text = file.read()
            if (name == "drb" or TARGET.search(text)) and not re.search(without, path):
                yield name, text.count(b"\n"), (ferry, root, path, flags_of(path, text, flags))


def said(finding):
    return f"`{finding['rule']}` {finding['object'] or '–'}, line {finding['line']}"


def suites(counts):
    columns = ["files", "lines", "read", "followed to the end", "with errors", "errors", "warnings", "only possible"]
    print("| suite | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    total = collections.Counter()
    for suite, row in counts.items():
        total.update(row)
        print(f"| {suite} | " + " | ".join(str(row[column]) for column in columns) + " |")
    print("| **sum** | " + " | ".join(str(total[column]) for column in columns) + " |")


def by_rule(rules):
    confidences = ["proven", "likely", "possible"]
    for suite, counts in rules.items():
        if not counts:
            continue
        print(f"\n| {suite}: rule | " + " | ".join(confidences) + " |\n|---|---|---|---|")
        for rule in sorted({rule for rule, _ in counts}):
            print(f"| `{rule}` | " + " | ".join(str(counts[rule, one]) for one in confidences) + " |")


def dracc(programs):
    print("\n| DRACC | said | expected |\n|---|---|---|")
    for path, result in programs:
        name = re.match(r"DRACC_(OMP|OACC)_(\d+)_.*_(yes|no|other)\.c$", os.path.basename(path))
        number, expected = ("" if name[1] == "OMP" else "ACC ") + name[2], name[3]
        if isinstance(result, str):
            words = [result]
        else:
            words = [said(one) for one in result["findings"] if one["confidence"] != "possible"]
        print(f"| {number} | {'; '.join(words) or '–'} | {expected} |")


def data_race_bench(programs):
    """What the names of the files say, and what is said of them."""
    counts = collections.Counter()
    missed, false = [], []
    for path, result in programs:
        name = os.path.basename(path)
        racy = name.endswith("-yes.c")
        said = not isinstance(result, str) and any(one["severity"] == "error" for one in result["findings"])
        counts[racy, said] += 1
        if racy != said:
            (missed if racy else false).append(name.split("-")[0])
    print("\n| DataRaceBench | with an error | without |\n|---|---|---|")
    for racy, words in ((True, "a race (`-yes.c`)"), (False, "none (`-no.c`)")):
        print(f"| {words} | {counts[racy, True]} | {counts[racy, False]} |")
    print(f"\nMissed: {', '.join(missed) or '–'}. Wrong: {', '.join(false) or '–'}.")


def main():
    with tempfile.TemporaryDirectory() as folder:
        work(folder)


def work(folder):
    all_findings = "--findings" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--findings"]
    if len(arguments) < 2:
        sys.exit(__doc__)
    counts = collections.defaultdict(collections.Counter)
    rules = collections.defaultdict(collections.Counter)
    programs, races, findings, broken, unfollowed = [], [], [], [], collections.Counter()
    every = list(jobs(arguments, folder))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(check, [job for _, _, job in every])
        for (suite, lines, job), result in zip(every, results):
            row, path = counts[suite], job[2]
            row["files"] += 1
            row["lines"] += lines
            if suite == "dracc":
                programs.append((path, result))
            if suite == "drb":
                races.append((path, result))
            if isinstance(result, str):
                broken.append(f"| {suite} {path} | {result} |")
                continue
            errors = [one for file in result["files"] for one in file["findings"] if one["severity"] == "error"]
            row["read"] += not errors and not result["errors"]
            if errors:
                broken.append(f"| {suite} {path} | {errors[0]['message'].split(': ')[-1]} |")
            row["followed to the end"] += not result["unknown"]
            unfollowed.update({one["why"] for one in result["unknown"]})
            row["with errors"] += any(one["severity"] == "error" for one in result["findings"])
            for one in result["findings"]:
                row[COLUMNS[one["severity"]]] += 1
                rules[suite][one["rule"], one["confidence"]] += 1
                if suite != "dracc":
                    findings.append((suite, path, one))
    suites(counts)
    by_rule(rules)
    if programs:
        dracc(programs)
    if races:
        data_race_bench(races)
    print("\n| why a file was not followed to the end | files |\n|---|---|")
    for why, count in unfollowed.most_common():
        print(f"| {why} | {count} |")
    print("\n| a file that was not wholly read | why |\n|---|---|")
    for line in broken:
        print(line)
    if all_findings:
        print("\n| file | finding | how sure |\n|---|---|---|")
        for suite, path, one in findings:
            print(f"| {suite} {path} | {one['severity']} {said(one)} | {one['confidence']} |")


main()
