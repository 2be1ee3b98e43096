#!/usr/bin/env python3
"""What does `ferry check` say of the C files with OpenMP directives in a folder, each read by itself?

    check_folder.py FERRY FOLDER [--without WORD]... [--forget] [-- COMPILER ARGUMENTS]

Prints one row for docs/check-suites.md, then each error and warning with its place, and each file that cannot be read. Every folder with a header in it is searched for headers.
Files whose path has one of the words in it are left out (CUDA, tests).

With --forget, each `private` and `reduction` clause is taken out instead, one at a time, and the clauses are counted whose absence is found: of those in text that is compiled (a clause with
an unknown variable in its place is an error of clang-19) which name something that the next 40 lines set, and that is not the variable of the loop itself. Nothing is written into FOLDER.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

SECONDS = 240


def files_and_headers(folder, without):
    files, headers = [], []
    for root, _, names in sorted(os.walk(folder)):
        wanted = [os.path.join(root, name) for name in sorted(names)]
        wanted = [path for path in wanted if not any(word in path for word in without)]
        if any(path.endswith(".h") for path in wanted):
            headers.append("-I" + root)
        for path in wanted:
            if path.endswith(".c"):
                with open(path, errors="replace") as text:
                    if re.search(r"\bpragma\s+omp\b", text.read()):
                        files.append(path)
    return files, headers


def check(ferry, path, arguments):
    command = [ferry, "check", "--pedantic", "--format", "json", path, "--", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)


def clauses_to_forget(path):
    """The number of the line, the clause's name, and the line without it."""
    with open(path, errors="replace") as text:
        lines = text.read().split("\n")
    for number, line in enumerate(lines):
        if "pragma omp" not in line:
            continue
        for name in ("private", "reduction"):
            clause = re.search(r"(?<![a-z])" + name + r"\s*\(([^()]*)\)", line)
            if not clause:
                continue
            if name == "private":
                loop = re.search(r"for\s*\(\s*(?:\w+\s+)?(\w+)\s*=", " ".join(lines[number + 1 : number + 6]))
                own = {loop.group(1)} if loop and " for" in line else set()
                behind = "\n".join(lines[number + 1 : number + 40])
                sets = r"\s*(=[^=]|\+\+|[-+*/|&]=)"
                named = set(re.split(r"[\s,]+", clause.group(1).strip())) - own
                if not any(re.search(r"(?<![\w.>])" + re.escape(one) + sets, behind) for one in named):
                    continue
            yield lines, number, name, line[: clause.start()] + line[clause.end() :]


def forgotten(ferry, path, arguments, forgotten_clause):
    """How sure it is that the clause is missing; None where the directive is not compiled."""
    lines, number, _, without = forgotten_clause
    arguments = ["-iquote", os.path.dirname(path), *arguments]
    with tempfile.TemporaryDirectory() as folder:

        def copy(line):
            name = os.path.join(folder, os.path.basename(path))
            with open(name, "w") as text:
                text.write("\n".join(lines[:number] + [line] + lines[number + 1 :]))
            return name

        goes_on = lines[number].rstrip().endswith("\\")
        broken = lines[number].rstrip("\\ ") + " private(not_declared)" + (" \\" if goes_on else "")
        command = ["clang-19", "-fsyntax-only", "-w", copy(broken), *arguments]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
        if "not_declared" not in said:
            return None
        report = check(ferry, copy(without), arguments)
    found = [one["confidence"] for one in report["findings"] if abs(one["line"] - 1 - number) < 60] if report else []
    return min(found, key=["proven", "likely", "possible"].index, default="missed")


def main():
    own, _, behind = " ".join(sys.argv[1:]).partition(" -- ")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ferry")
    parser.add_argument("folder")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--forget", action="store_true")
    options = parser.parse_args(own.split())
    files, headers = files_and_headers(options.folder, options.without)
    arguments = ["-fopenmp", *headers, *behind.split()]
    ferry = os.path.abspath(options.ferry)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        if options.forget:
            tries = [(path, clause) for path in files for clause in clauses_to_forget(path)]
            sure = list(pool.map(lambda one: forgotten(ferry, one[0], arguments, one[1]), tries))
            print(dict(collections.Counter(one for one in sure if one)))
            for (path, clause), one in zip(tries, sure):
                if one == "missed":
                    print(f"missed: {clause[2]} in {path}:{clause[1] + 1}")
            return
        reports = list(pool.map(lambda path: check(ferry, path, arguments), files))
    counts, said = collections.Counter(), []
    for path, report in zip(files, reports):
        if report is None:
            said.append(f"{path}: not done after {SECONDS} s")
            continue
        if not all(one["read"] for one in report["files"]):
            said.append(f"{path}: not read")
            continue
        with open(path, errors="replace") as text:
            lines = text.read().splitlines()
        counts["read"] += 1
        counts["lines"] += len(lines)
        counts["directives"] += sum("pragma omp" in line for line in lines)
        for one in report["findings"]:
            possible = one["confidence"] == "possible"
            counts["possible" if possible else one["severity"]] += 1
            if not possible:
                said.append(f"{one['severity']} {one['confidence']} {one['rule']} {one['file']}:{one['line']}: {one['message']}")
    row = [os.path.basename(os.path.abspath(options.folder)), len(files)]
    row += [counts[name] for name in ("read", "lines", "directives", "error", "warning", "possible")]
    print("|", " | ".join(str(cell) for cell in row), "|")
    for line in said:
        print(line)


if __name__ == "__main__":
    main()
