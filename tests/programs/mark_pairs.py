#!/usr/bin/env python3
"""Writes the markers of pairs that a test says are missing.

Usage: cargo test -p ferry-analysis --test all pairs_marked:: | mark_pairs.py

The test (`crates/analysis/tests/pairs_marked.rs`) runs every program, and says of each loop that is not parallel which of the pairs that Ferry names of it really met. What
this cannot do: judge a pair; and markers that are there and wrong are for a person to look at.
"""

import os
import re
import sys

import programs

MISSING = re.compile(r"missing: ([^:]+):(\d+): (pair\(.*\))$")


def marked(line, pair):
    """The line of a loop with the pair behind its verdict."""
    head, _, said = line.partition("// loop:")
    match = programs.MARKER.search(line)
    verdict = match.group(1)
    place = said.index(verdict) + len(verdict)
    return head + "// loop:" + said[:place] + ", " + pair + said[place:]


def main():
    root = os.path.dirname(os.path.abspath(__file__))
    folder, written = root, 0
    for line in sys.stdin:
        if line.startswith("== "):
            folder = os.path.join(root, os.path.dirname(line.split()[1]))
        found = MISSING.match(line.rstrip("\n"))
        if not found:
            continue
        name, number, pair = found.groups()
        path = os.path.join(folder, name)
        with open(path) as file:
            lines = file.read().split("\n")
        at = int(number) - 1
        if "pair(" not in lines[at]:
            lines[at] = marked(lines[at], pair)
            written += 1
        with open(path, "w") as file:
            file.write("\n".join(lines))
    print("%d markers written" % written)


main()
