#!/usr/bin/env python3
"""What does `ferry check` say of the C files with OpenMP directives in a folder, each read by itself?

    check_folder.py FERRY FOLDER [--without WORD]... [-- COMPILER ARGUMENTS]

Prints one row for docs/check-suites.md, then each error and warning with its place, and each file that cannot be read. Every folder with a header in it is searched for headers.
Files whose path has one of the words in it are left out (CUDA, tests).
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

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


def main():
    own, _, behind = " ".join(sys.argv[1:]).partition(" -- ")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ferry")
    parser.add_argument("folder")
    parser.add_argument("--without", action="append", default=[])
    options = parser.parse_args(own.split())
    files, headers = files_and_headers(options.folder, options.without)
    arguments = ["-fopenmp", *headers, *behind.split()]
    ferry = os.path.abspath(options.ferry)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
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
