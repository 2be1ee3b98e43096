#!/usr/bin/env python3
"""What does `ferry check` cost, and what does it cost to compile the same files?

    cost_of_checks.py [--ferry PATH] [--runs N] [--dracc FOLDER] [--xsbench FOLDER] [--npb FOLDER]

Of each set of programs, one process of `ferry check` on all of them and one of `clang-19 -O3 -c`, in turns, so that a busy machine slows both: processor time, the
least of the runs. A stand-in for libclang (bench_libclang.c) says how long Ferry is inside of it. The sets: the OpenMP programs of tests/checks; with their folders the OpenMP
part of DRACC, XSBench (`openmp-offload`), and single files of the NAS benchmarks in OpenACC whose `npbparams.h` are there, which
clang reads without directives. Files that clang refuses are left out.
Wanted: at most 0.6 of clang's time, at most 0.2 beyond libclang.
"""
import argparse
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def own_programs():
    """The programs of tests/checks with directives of OpenMP only."""
    for path in sorted(glob.glob(os.path.join(HERE, "checks", "**", "*.c"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "#pragma omp" in text and "#pragma acc" not in text:
            yield path


def sets(options):
    """Each set: its name, its files, the flags of both, those of clang alone; those of Ferry alone."""
    yield "tests/checks, OpenMP", list(own_programs()), ["-fopenmp"], []
    if options.dracc:
        yield "DRACC, OpenMP", sorted(glob.glob(os.path.join(options.dracc, "OpenMP", "src", "*.c"))), ["-fopenmp"], []
    if options.xsbench:
        folder = os.path.join(options.xsbench, "openmp-offload")
        yield "XSBench, openmp-offload", sorted(glob.glob(os.path.join(folder, "*.c"))), ["-fopenmp"], []
    for name in ("BT", "CG", "EP", "FT", "LU", "MG", "SP") if options.npb else ():
        common = os.path.join(options.npb, name, "common")
        for path in sorted(glob.glob(os.path.join(options.npb, name, name + "*", "*.c"))):
            with open(path, encoding="utf-8", errors="replace") as file:
                if "#pragma acc" in file.read():
                    yield f"NAS {name}, {os.path.basename(path)}", [path], ["-I" + common], ["-fopenacc"]


def seconds(command, folder, environment=None, may_find=False):
    """Processor time of one process, and what it says on standard error; a check may find something."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode not in ((0, 1) if may_find else (0,)):
        sys.exit(f"{' '.join(command[:4])}: status {run.returncode}: {run.stderr[-500:]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, run.stderr


def compiles(path, flags):
    """True if clang takes a file: what it refuses it does not compile at all."""
    command = ["clang-19", "-w", "-fsyntax-only", path, *flags]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ferry", default="target/release/ferry")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="sets with this in their names")
    parser.add_argument("--dracc")
    parser.add_argument("--xsbench")
    parser.add_argument("--npb")
    options = parser.parse_args()
    ferry = os.path.abspath(options.ferry)
    libraries = subprocess.run(["llvm-config-19", "--libdir"], capture_output=True, text=True, check=True).stdout.strip()
    names = [os.path.join(libraries, name) for name in ("libclang.so.1", "libclang-19.so.19")]
    real = next(name for name in names if os.path.exists(name))
    print("| programs | files | clang-19 -O3 -c | ferry check | of clang | beyond libclang, of clang |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        shim = os.path.join(folder, "libclang.so")
        source = os.path.join(HERE, "bench_libclang.c")
        subprocess.run(["clang-19", "-shared", "-fPIC", "-O1", source, "-o", shim, "-Wl,--no-as-needed", real, f"-Wl,-rpath,{libraries}"], check=True)
        environment = {**os.environ, "LIBCLANG_PATH": shim, "FERRY_REAL_LIBCLANG": real}
        # clang has no header of OpenACC.
        headers = os.path.join(folder, "headers")
        os.makedirs(headers)
        openacc = subprocess.run(["gcc-12", "-print-file-name=include/openacc.h"], capture_output=True, text=True, check=True).stdout.strip()
        if os.path.exists(openacc):
            shutil.copy(openacc, headers)
        for name, files, flags, only_ferry in sets(options):
            if options.only not in name:
                continue
            flags = [*flags, "-isystem", headers]
            files = [path for path in files if compiles(path, flags)]
            if not files:
                continue
            compiled, checked, beyond = [], [], []
            for _ in range(options.runs):
                compiled.append(seconds(["clang-19", "-w", "-O3", "-c", *files, *flags], folder)[0])
                time, said = seconds([ferry, "check", "--threads", "1", *files, "--", *flags, *only_ferry], folder, environment, may_find=True)
                inside = re.search(r"^ferry: libclang ([0-9.]+) s", said, re.MULTILINE)
                checked.append(time)
                beyond.append(time - float(inside.group(1)) if inside else time)
            least = min(compiled)
            print(f"| {name} | {len(files)} | {least:.2f} s | {min(checked):.2f} s | {min(checked) / least:.2f} | {min(beyond) / least:.2f} |", flush=True)


if __name__ == "__main__":
    main()
