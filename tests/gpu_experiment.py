#!/usr/bin/env python3
"""The experiment of the IPDA paper (section 8, figure 11): kernels before and after `ferry reshape`, timed side by side, with the requests that
`ferry report` predicts. On a GPU (gcc's offloading), on the second memory (does it run and give the same?), or on the processor (the paper's MIC column:
what a collapse for the GPU costs there).

usage: tests/gpu_experiment.py FERRY gpu|counters|memory|cpu [SIZE] > table

SIZE is given to all programs as N; without it each has its own. Ratios above 1 say that the reshaped kernel is faster.

`counters` lets Nsight Compute (`ncu`, or the command in the variable FERRY_COUNTERS) count the sectors that warps ask the first cache for, per launch of
the kernel, and puts them beside the prediction. The compiler may keep in a register what the source writes as an access: the shares are what is comparable.
"""
import csv
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ["gemm", "conv2d", "conv3d", "elimination"]
PAPER = {"gemm": 25.5, "conv2d": 14.75, "conv3d": 19.5, "elimination": 86.5}
# On a processor, what `--target cpu` takes back of the reshaped kernels is timed too.
ROUNDS = {"gpu": 5, "memory": 1, "cpu": 5, "counters": 1}
# Sectors of the accesses of warps to global memory: loads and stores.
COUNTERS = ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return done


def build(where, source, target, size):
    flags = [f"-DN={size}"] if size else []
    if where in ("gpu", "counters"):
        command = ["gcc-12", "-O3", "-fopenmp", "-foffload=nvptx-none", "-foffload-options=nvptx-none=-lm", "-no-pie"]
    elif where == "memory":
        library = run(["llvm-config-19", "--libdir"]).stdout.strip()
        command = ["clang-19", "-O1", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", f"-Wl,-rpath,{library}"]
    else:
        command = ["gcc-12", "-O3", "-fopenmp", "-foffload=disable"]
    run(command + flags + [source, "-o", target, "-lm"])


def predicted(ferry, source, size, what):
    """Lines or sectors of all warps of the kernel, as the report counts them."""
    flags = ["--", "-fopenmp"] + ([f"-DN={size}"] if size else [])
    report = json.loads(run([ferry, "report", "--format", "json", source] + flags).stdout)
    kernels = [one["kernel"] for one in report["loops"] if one["kernel"] and one["kernel"]["by_directive"]]
    return kernels[0]["mappings"][0][what]


def counted(program, folder):
    """Sectors of all warps for each launch of a kernel, as the hardware counts them, and what the program prints."""
    log = os.path.join(folder, "counters.csv")
    profiler = shlex.split(os.environ.get("FERRY_COUNTERS", "ncu --clock-control none"))
    command = profiler + ["--csv", "--print-units", "base", "--log-file", log, "--metrics", ",".join(COUNTERS), program]
    done = run(command)
    # Before the table there are lines about the run.
    with open(log) as file:
        table = [line for line in file if line.startswith('"')]
    rows = [row for row in csv.DictReader(table) if row["Metric Name"] in COUNTERS]
    launches = {row["ID"] for row in rows}
    if not launches or len(rows) != len(launches) * len(COUNTERS):
        sys.exit(f"{program}: {len(rows)} figures of {len(launches)} kernels")
    return sum(float(row["Metric Value"].replace(",", "")) for row in rows) / len(launches), done.stdout


def seconds(program):
    done = run([program])
    return float(re.search(r"seconds ([\d.]+)", done.stderr).group(1)), done.stdout


def reshaped(ferry, name, folder, size):
    """A kernel's text before and after, and the flags with which it is read."""
    old = os.path.join(HERE, "gpu", f"{name}.c")
    new = os.path.join(folder, f"{name}.c")
    flags = ["--", "-fopenmp"] + ([f"-DN={size}"] if size else [])
    run([ferry, "reshape", "-o", folder, old] + flags)
    if open(old).read() == open(new).read():
        sys.exit(f"{name}: nothing was reshaped")
    return old, new, flags


def counters(ferry, size):
    """The table of sectors, predicted and counted."""
    print("| kernel | sectors predicted | counted | predicted after | counted after | before / after predicted | counted |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            figures, outputs = [], set()
            for text in reshaped(ferry, name, folder, size)[:2]:
                program = os.path.join(folder, "program")
                build("counters", text, program, size)
                count, said = counted(program, folder)
                figures += [predicted(ferry, text, size, "sectors"), count]
                outputs.add(said)
            if len(outputs) > 1:
                sys.exit(f"{name}: prints {outputs}")
            said, counts = figures[0] / figures[2], figures[1] / figures[3]
            print(f"| {name} | {' | '.join(f'{one:.0f}' for one in figures)} | {said:.2f} | {counts:.2f} |")


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[2] not in ROUNDS:
        sys.exit(__doc__)
    ferry, where = os.path.abspath(sys.argv[1]), sys.argv[2]
    size = sys.argv[3] if len(sys.argv) == 4 else None
    if where == "counters":
        return counters(ferry, size)
    taken_back = where == "cpu"
    columns = ["kernel", "requests before / after", "seconds before", "after", "ratio", "the paper, P100"]
    if taken_back:
        columns += ["without the collapse", "ratio of with to without"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            old, new, flags = reshaped(ferry, name, folder, size)
            texts = [old, new]
            if taken_back:
                texts.append(os.path.join(folder, "shallower", f"{name}.c"))
                os.makedirs(os.path.dirname(texts[-1]), exist_ok=True)
                run([ferry, "reshape", "--target", "cpu", "-o", os.path.dirname(texts[-1]), new] + flags)
                if open(new).read() == open(texts[-1]).read():
                    sys.exit(f"{name}: its collapse stays")
            programs = [os.path.join(folder, f"program{number}") for number in range(len(texts))]
            for text, program in zip(texts, programs):
                build(where, text, program, size)
            times = [[] for _ in programs]
            for _ in range(ROUNDS[where]):
                outputs = []
                for program, measured in zip(programs, times):
                    time, said = seconds(program)
                    measured.append(time)
                    outputs.append(said)
                if len(set(outputs)) > 1:
                    sys.exit(f"{name}: prints {outputs}")
            one, two, *three = (statistics.median(each) for each in times)
            requests = predicted(ferry, old, size, "lines") / predicted(ferry, new, size, "lines")
            cells = [name, f"{requests:.1f}", f"{one:.6f}", f"{two:.6f}", f"{one / two:.2f}", f"{PAPER[name]}"]
            for shallower in three:
                cells += [f"{shallower:.6f}", f"{two / shallower:.2f}"]
            print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
