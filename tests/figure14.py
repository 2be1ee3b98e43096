#!/usr/bin/env python3
"""The table of figure 14 of the DawnCC paper for Ferry: data environments and copies in the kernel functions of
tests/programs/linearised, with the transfers that the second memory counts when the whole program runs (its loops that
fill and sum arrays included).

A copy is one array in one direction, as the paper counts; an update of one element is counted beside them.

usage: tests/figure14.py FOLDER_WITH_ferry_AND_ferry-judge > docs/figure-14.md
"""
import os
import re
import subprocess
import sys
import tempfile

# Data environments and copies after fusion, from the paper's table.
PAPER = {
    "gesummv": (1, 7), "bicg": (1, 7), "2dconv": (1, 3), "atax": (1, 6), "mvt": (1, 7), "3dconv": (1, 3),
    "syrk": (1, 3), "syr2k": (1, 4), "gramschm": (1, 6), "corr": (4, 14), "fdtd2d": (1, 7), "covar": (1, 6),
    "gemm": (1, 4), "2mm": (1, 7), "3mm": (1, 10),
}
HERE = os.path.dirname(os.path.abspath(__file__))
MAPS = re.compile(r"map\((to|from|tofrom): ((?:[^()]|\([^()]*\))*)\)")


def kernel_text(text):
    """The kernel functions, with continued pragmas on one line; only the first branch of each condition counts."""
    bodies = re.findall(r"\n(?:static )?void kernel_.*?\n}\n", text, re.S)
    return "\n".join(bodies).replace("\\\n", " ")


def counts(text):
    environments = copies = updates = 0
    for pragma in re.findall(r"#pragma omp target[^\n]*", kernel_text(text)):
        if " update " in pragma:
            updates += 1
            continue
        moved = 0
        for direction, items in MAPS.findall(pragma):
            arrays = len(re.findall(r"\w+\[", items))
            moved += arrays * (2 if direction == "tofrom" else 1)
        environments += 1 if moved else 0
        copies += moved
    return environments, copies, updates


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tools = sys.argv[1]
    print("# Figure 14 of the DawnCC paper\n")
    print("Made by `tests/figure14.py`. Environments and copies in the kernel functions; transfers and bytes of the whole")
    print("program on the second memory.\n")
    print("| program | environments (paper) | copies (paper) | updates in the text | transfers at run time | bytes |")
    print("|---|---|---|---|---|---|")
    totals = [0, 0, 0, 0, 0]
    for name, (paper_environments, paper_copies) in PAPER.items():
        path = os.path.join(HERE, "programs", "linearised", name + ".c")
        text = subprocess.run([os.path.join(tools, "ferry"), "annotate", path], capture_output=True, text=True,
                              check=True).stdout
        environments, copies, updates = counts(text)
        with tempfile.TemporaryDirectory() as folder:
            annotated = os.path.join(folder, name + ".c")
            with open(annotated, "w") as file:
                file.write(text)
            said = subprocess.run([os.path.join(tools, "ferry-judge"), path, annotated], capture_output=True,
                                  text=True).stdout
        found = re.search(r"(\d+) transfers to the device \((\d+) bytes\), (\d+) back \((\d+) bytes\)", said)
        if not found or "the same output" not in said:
            sys.exit(f"{name}: the judge does not agree:\n{said}")
        there, there_bytes, back, back_bytes = map(int, found.groups())
        print(f"| {name} | {environments} ({paper_environments}) | {copies} ({paper_copies}) | {updates} "
              f"| {there + back} | {there_bytes + back_bytes} |")
        for at, value in enumerate((environments, paper_environments, copies, paper_copies, updates)):
            totals[at] += value
    print(f"| **sum** | {totals[0]} ({totals[1]}) | {totals[2]} ({totals[3]}) | {totals[4]} | | |")


if __name__ == "__main__":
    main()
