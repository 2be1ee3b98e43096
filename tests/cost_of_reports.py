#!/usr/bin/env python3
"""What do the reports of the linearised programs cost, and what does it cost to compile them?

    cost_of_reports.py [--ferry PATH] [--runs N]

Runs `ferry report` on all programs of tests/programs/linearised in one call, and `clang-19 -O3 -c` on each, in turns; prints the medians of the
user and system times of all runs, in seconds, and of the ratios within a turn. Times of a shared machine differ from run to run: quote the ratio.
"""
import argparse
import glob
import os
import resource
import statistics
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


def seconds(commands):
    """User and system time of commands that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for command in commands:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ferry", default="target/release/ferry")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    files = sorted(glob.glob(os.path.join(HERE, "programs", "linearised", "*.c")))
    reports, compiled, ratios = [], [], []
    for _ in range(options.runs):
        reports.append(seconds([[options.ferry, "report", *files]]))
        compiled.append(seconds([["clang-19", "-O3", "-c", "-o", os.devnull, file] for file in files]))
        ratios.append(reports[-1] / compiled[-1])
    print(f"{len(files)} programs, {options.runs} runs")
    print(f"ferry report       {statistics.median(reports):.2f} s")
    print(f"clang-19 -O3 -c    {statistics.median(compiled):.2f} s")
    print(f"ratio              {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
