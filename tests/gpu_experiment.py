#!/usr/bin/env python3
"""The experiment of the IPDA paper (section 8, figure 11): kernels before and after `ferry reshape`, timed side by side, with the requests that
`ferry report` predicts. On a GPU (gcc's offloading), on the second memory (does it run and give the same?), or on the processor (the paper's MIC column:
what a collapse for the GPU costs there).

usage: tests/gpu_experiment.py FERRY gpu|memory|cpu [SIZE] > table

SIZE is given to all programs as N; without it each has its own. Ratios above 1 say that the reshaped kernel is faster.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ["gemm", "conv2d", "conv3d", "elimination"]
PAPER = {"gemm": 25.5, "conv2d": 14.75, "conv3d": 19.5, "elimination": 86.5}
ROUNDS = {"gpu": 5, "memory": 1, "cpu": 5}


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return done


def build(where, source, target, size):
    flags = [f"-DN={size}"] if size else []
    if where == "gpu":
        command = ["gcc-12", "-O3", "-fopenmp", "-foffload=nvptx-none", "-foffload-options=nvptx-none=-lm", "-no-pie"]
    elif where == "memory":
        library = run(["llvm-config-19", "--libdir"]).stdout.strip()
        command = ["clang-19", "-O1", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", f"-Wl,-rpath,{library}"]
    else:
        command = ["gcc-12", "-O3", "-fopenmp", "-foffload=disable"]
    run(command + flags + [source, "-o", target, "-lm"])


def lines(ferry, source, size):
    """Lines of all warps of the kernel, as the report counts them."""
    flags = ["--", "-fopenmp"] + ([f"-DN={size}"] if size else [])
    report = json.loads(run([ferry, "report", "--format", "json", source] + flags).stdout)
    kernels = [one["kernel"] for one in report["loops"] if one["kernel"] and one["kernel"]["by_directive"]]
    return kernels[0]["mappings"][0]["lines"]


def seconds(program):
    done = run([program])
    return float(re.search(r"seconds ([\d.]+)", done.stderr).group(1)), done.stdout


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[2] not in ROUNDS:
        sys.exit(__doc__)
    ferry, where = os.path.abspath(sys.argv[1]), sys.argv[2]
    size = sys.argv[3] if len(sys.argv) == 4 else None
    print("| kernel | requests before / after | seconds before | after | ratio | the paper, P100 |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            old = os.path.join(HERE, "gpu", f"{name}.c")
            new = os.path.join(folder, f"{name}.c")
            flags = ["--", "-fopenmp"] + ([f"-DN={size}"] if size else [])
            run([ferry, "reshape", "-o", folder, old] + flags)
            if open(old).read() == open(new).read():
                sys.exit(f"{name}: nothing was reshaped")
            before, after = os.path.join(folder, "before"), os.path.join(folder, "after")
            build(where, old, before, size)
            build(where, new, after, size)
            times = ([], [])
            for _ in range(ROUNDS[where]):
                (one, said), (two, said_then) = seconds(before), seconds(after)
                if said != said_then:
                    sys.exit(f"{name}: prints {said_then!r}, before {said!r}")
                times[0].append(one)
                times[1].append(two)
            one, two = (statistics.median(each) for each in times)
            predicted = lines(ferry, old, size) / lines(ferry, new, size)
            print(f"| {name} | {predicted:.1f} | {one:.6f} | {two:.6f} | {one / two:.2f} | {PAPER[name]} |")


main()
