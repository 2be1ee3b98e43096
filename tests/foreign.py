"""What does `ferry report` say of programs that nobody wrote for it? Counts verdicts and causes over checkouts of public suites.

Usage: foreign.py [--alone] FERRY rodinia=FOLDER npb=FOLDER xsbench=FOLDER

The folders are checkouts of yuhc/gpu-rodinia, benchmark-subsetting/NPB3.0-omp-C (with the npbparams.h that its
sys/setparams writes) and ANL-CESAR/XSBench. Nothing is written into them. Prints Markdown. The files of one program know
each other through a compilation database, unless --alone says that each is read by itself.
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

# Where the C files of a suite are, what they need to be compiled, and other files that its programs share.
SUITES = {
    "rodinia": ("openmp/**/*.c", ["-std=gnu89", "-Icommon"], None),
    "npb": ("[A-Z][A-Z]/*.c", ["-Icommon"], "common/*[!4].c"),
    "xsbench": ("openmp-threading/*.c", [], None),
}

# What a message is about; the first pattern that matches counts.
UNKNOWN = [
    (r"compiler reports an error", "text that does not compile by itself"),
    (r"nothing is known of a function that is called through", "a call through a pointer"),
    (r"nothing is known of|variable arguments", "a function of another file or library"),
    (r"(reads|writes) memory|memory", "a function that reads or writes memory"),
    (r"number of iterations", "the number of iterations is not known"),
    (r"pointer that changes", "nested data: pointers that are loaded in the loop"),
    (r"may (read|write) what|writes what others", "a dependence that could not be excluded"),
    (r"not every iteration sets it", "a scalar that some iterations set and that is used later"),
]
# The same of loops that their authors took for parallel.
MISSED = [
    (r"ends the program|may not return", "a function that may end the program"),
    *UNKNOWN,
    (r"what others write|what another one|same elements again", "a dependence that is there as far as is known"),
    (r"random number|prints|writes to", "a function of a library whose calls stay in order"),
]
STAYS = [
    (r"too few", "too few iterations"),
    (r"different names|a pointer variable and", "storage that the loop reaches by several names"),
    (r"no variable holds|nested|its pointer|its structure", "nested data"),
    (r"may be another one", "a bound or pointer in memory that may not be read before the loop"),
    (r"below a sequential loop", "below a sequential loop that its data cannot outlast"),
    (r"lower bound|upper bound|does not know|not known", "a subscript without bounds"),
    (r"moves by a fixed step", "a second induction variable"),
    (r"has another value here", "a bound in terms of a parameter that has changed"),
    (r"first part|last part|condition does not|only a for|its head (sets|does|declares)|head says", "not in the form that directives demand"),
    (r"reduces", "a reduction that is not written"),
    (r"last value", "a last value that is not written"),
    (r"macro", "a loop that comes out of a macro"),
    (r"calls", "a call that cannot run on a device"),
    (r"no loop around", "inside a loop that stays on the host"),
    (r"too long", "a bound that nobody could read"),
]


def about(message, classes):
    return next((name for pattern, name in classes if re.search(pattern, message)), "other")


# A directive with which an author says that the iterations of the next loop may run at the same time.
MARKED = re.compile(r"\s*#\s*pragma\s+omp\s+(parallel\s+)?for\b")


def marked(text):
    """The lines (from 1) of the loops that their author marked parallel; comments do not count."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group())
    lines = re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.DOTALL).split("\n")
    found, number = set(), 0
    while number < len(lines):
        if not MARKED.match(lines[number]):
            number += 1
            continue
        while lines[number].rstrip().endswith("\\"):
            number += 1
        number += 1
        while number < len(lines) and not re.search(r"\bfor\s*\(", lines[number]):
            number += 1
        found.add(number + 1)
    return found


def flags_of(path, flags):
    own = os.path.dirname(path)
    return ["-w", "-I" + own, "-I" + (os.path.dirname(own) or "."), *flags]


def database(root, paths, flags):
    """A compilation database of the files of one program."""
    entries = [
        {"directory": os.path.abspath(root), "file": path, "arguments": ["cc", *flags_of(path, flags), path]}
        for path in paths
    ]
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "compile_commands.json"), "w") as file:
        json.dump(entries, file)
    return folder


def report(job):
    ferry, root, path, flags, together = job
    command = [ferry, "report", path, "--format", "json", "--ignore-directives"]
    command += ["-p", together] if together else ["--", *flags_of(path, flags)]
    done = subprocess.run(command, capture_output=True, cwd=root, timeout=600)
    if done.returncode not in (0, 2):
        sys.exit(f"{path}: status {done.returncode}")
    return json.loads(done.stdout)


def jobs(arguments, alone):
    ferry = os.path.abspath(arguments[0])
    for argument in arguments[1:]:
        name, _, root = argument.partition("=")
        pattern, flags, shared = SUITES[name]
        shared = sorted(glob.glob(shared, root_dir=root)) if shared else []
        programs = collections.defaultdict(list)
        for path in sorted(glob.glob(pattern, root_dir=root, recursive=True)):
            # openmp/NAME/..., NAME/..., openmp-threading/...
            programs["/".join(path.split("/")[: pattern.count("/")])].append(path)
        for paths in programs.values():
            together = None if alone else database(root, paths + shared, flags)
            for path in paths:
                yield name, (ferry, root, path, flags, together)


def table(title, rows, whole, what="loops"):
    print(f"\n| {title} | {what} | share |\n|---|---|---|")
    for name, count in rows.most_common():
        print(f"| {name} | {count} | {100 * count / max(whole, 1):.0f} % |")


def main():
    alone = "--alone" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--alone"]
    if len(arguments) < 2:
        sys.exit(__doc__)
    verdicts = collections.defaultdict(collections.Counter)
    unknown, stays, unbounded, missed = (collections.Counter() for _ in range(4))
    every = list(jobs(arguments, alone))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (suite, job), result in zip(every, pool.map(report, [job for _, job in every])):
            counts = verdicts[suite]
            with open(os.path.join(job[1], job[2]), errors="replace") as file:
                authors = marked(file.read())
            counts["files"] += 1
            for loop in result["loops"]:
                counts["loops"] += 1
                counts[loop["verdict"]] += 1
                parallel = loop["verdict"] in ("parallel", "parallel_if")
                if parallel and loop["offloaded"]:
                    counts["offloaded"] += 1
                if loop["line"] in authors and loop["file"] == job[2]:
                    counts["marked"] += 1
                    counts["found"] += parallel
                    if not parallel:
                        missed.update({about(cause["message"], MISSED) for cause in loop["causes"]} or {"other"})
                if parallel and not loop["offloaded"]:
                    stays[about(loop["reason"], STAYS)] += 1
                if loop["verdict"] == "unknown":
                    unknown.update({about(cause["message"], UNKNOWN) for cause in loop["causes"]} or {"other"})
            for access in result["accesses"]:
                if not access["bounded"]:
                    unbounded[access["cause"] or "other"] += 1
            counts["accesses"] += len(result["accesses"])
            counts["bounded"] += sum(access["bounded"] for access in result["accesses"])
    columns = ["files", "loops", "parallel", "parallel_if", "sequential", "unknown", "offloaded", "accesses", "bounded"]
    print("| suite | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    total = collections.Counter()
    for suite, counts in verdicts.items():
        total.update(counts)
        print(f"| {suite} | " + " | ".join(str(counts[column]) for column in columns) + " |")
    print("| **sum** | " + " | ".join(str(total[column]) for column in columns) + " |")
    print("\n| of the loops that their authors marked parallel | marked | found | share |\n|---|---|---|---|")
    for suite, counts in [*verdicts.items(), ("**sum**", total)]:
        share = 100 * counts["found"] / max(counts["marked"], 1)
        print(f"| {suite} | {counts['marked']} | {counts['found']} | {share:.0f} % |")
    table("what one that was not found has in it", missed, total["marked"] - total["found"])
    table("what an unknown loop has in it", unknown, total["unknown"])
    table("why a parallel loop stays on the host", stays, sum(stays.values()))
    table("why an access has no bounds", unbounded, sum(unbounded.values()), "accesses")


main()
