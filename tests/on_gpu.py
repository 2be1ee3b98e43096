#!/usr/bin/env python3
"""Do the programs do on a GPU what they do without one?

usage: tests/on_gpu.py build FERRY FOLDER [--sets A,B] [--compilers A,B] [--only WORD…] [--sizes A,B] [--suite NAME=CHECKOUT]… [--option=--WORD]…
       tests/on_gpu.py run FOLDER [--sets A,B] [--compilers A,B] [--only WORD…] [--seconds N] [--at-once N] [--log FILE]

`build` needs Ferry and the compilers, and no GPU; `run` needs a GPU with its driver, Python, and nothing of the rest: FOLDER may be carried from one machine to another, with
the compilers' run-time libraries (in FOLDER/lib, if there is one).

Sets: `openmp`, `openacc`, `all`, `reshaped` and `hoisted` are the programs of tests/programs, annotated (`all`, `reshaped` and `hoisted`: those that `annotate` writes differently with that option): each must print what the
original prints, and if its text has kernels, one must have been launched. `checks` are those of tests/checks, as they are: one without a marker must print what
it prints without directives, one with a marker must not. `kernels` are timed before and after `ferry reshape`, as in tests/gpu_experiment.py, and their sectors are
counted by Nsight Compute (`ncu`), if it is there. `suites` are programs of public suites (`public_suites.py`), annotated as if their authors had written no directives: their numbers must be those of the original but for the order in which
they are added and for multiplications that are fused with additions. `times` are PolyBench's kernels in a large size, as the host runs the original and as the GPU runs what is annotated, copies included.

FERRY_GCC and FERRY_CLANG are the compilers' commands, with what makes them compile for the GPU that is meant. What a compiler does not link for a GPU is listed with its first
error. Exit status 1 if an annotated program, or a program without a marker, does something else.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "programs")]

from outputs import difference, printed_by, steady_lines, what_it_hangs_on
from public_suites import SUITES, copied, database

GCC = shlex.split(os.environ.get("FERRY_GCC", "gcc-12 -foffload=nvptx-none -foffload-options=nvptx-none=-lm -no-pie"))
CLANG = shlex.split(os.environ.get("FERRY_CLANG", "clang-19 -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch=native"))
COMPILERS = {"gcc": GCC, "clang": CLANG}
# Sets of annotated programs, with the words of `ferry annotate`; those of OPTIONAL hold what is not the text without a word.
ANNOTATED = {"openmp": [], "openacc": ["--openacc"], "all": ["--all"], "reshaped": ["--reshape"], "hoisted": ["--hoist"]}
OPTIONAL = ("all", "reshaped", "hoisted")
SETS = (*ANNOTATED, "checks", "kernels")
# Those that need checkouts.
SUITE_SETS = ("suites", "times")
# How a run time says that it starts a kernel: libgomp with GOMP_DEBUG=1, libomptarget with LIBOMPTARGET_INFO=16.
LAUNCH = re.compile(rb": launch|Launching kernel")
DIRECTIVE = re.compile(r"#pragma\s+(omp\s+target\s+(teams|parallel|simd)|omp\s+target\b(?!\s+(enter|exit|update|data))|acc\s+(parallel|kernels|serial))")
LIMIT = 60  # seconds for one run


def done(command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **more)


# ---- build: what is compiled ----


class Build:
    """Compiles jobs in the background, and keeps what was asked of each."""

    def __init__(self, folder, compilers):
        self.folder, self.compilers = folder, compilers
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        self.jobs = []
        os.makedirs(os.path.join(folder, "bin"), exist_ok=True)

    def add(self, kind, name, compiler, flags, expects, printed, at=None, **more):
        """One program to compile, in the folder `at`. `expects`: `same` as what is printed without directives, or `other`."""
        binary = os.path.join("bin", hashlib.sha1(f"{kind} {name} {compiler} {more}".encode()).hexdigest()[:16])
        job = {"set": kind, "name": name, "compiler": compiler, "expects": expects, "printed": printed, "binary": binary, **more}
        self.jobs.append(job)
        self.pool.submit(self.compile, job, flags, at)

    def compile(self, job, flags, at):
        command = COMPILERS[job["compiler"]] + ["-w", "-O2"] + flags + ["-o", os.path.join(os.path.abspath(self.folder), job["binary"]), "-lm"]
        try:
            result = done(command, timeout=300, cwd=at)
        except subprocess.TimeoutExpired:
            job["not_linked"] = "the compiler did not end"
            return
        if result.returncode:
            errors = [line for line in result.stderr.splitlines() if re.search(r"error|undefined|unresolved|fatal", line)]
            job["not_linked"] = re.sub(r"/\S*/", "", (errors or result.stderr.splitlines() or ["no message"])[0])

    def finish(self):
        self.pool.shutdown()
        with open(os.path.join(self.folder, "jobs.json"), "w") as file:
            json.dump(self.jobs, file, indent=1)


def without_directives(files, flags, libraries, folder):
    """What a program prints as the language says, or None if it does not compile that way."""
    program = os.path.join(folder, "sequential")
    if done(["gcc-12", "-w", "-O1", *flags, *files, "-o", program, *libraries, "-lm"]).returncode:
        return None
    result = done([program], timeout=LIMIT)
    return result.stdout if result.returncode == 0 else None


def texts_of(program, ferry, words, folder):
    """The files of a program as Ferry writes them."""
    os.makedirs(folder, exist_ok=True)
    own = program.flags + ["-I" + os.path.dirname(program.first)]
    result = done([ferry, "annotate", *words, "-o", folder, *program.files, "--", *own])
    if result.returncode:
        sys.exit(f"{program.name}: {result.stderr}")
    return [os.path.join(folder, os.path.basename(name)) for name in program.files]


def build_programs(build, ferry, kinds, wanted):
    import programs

    for program in programs.all_programs():
        name = f"{program.folder}/{program.name}"
        if not wanted(name):
            continue
        flags = ["-std=gnu11"] + program.flags + ["-I" + os.path.dirname(program.first)]
        with tempfile.TemporaryDirectory() as scratch:
            printed = without_directives(program.files, flags, program.libraries, scratch)
        plain = None
        for kind in kinds if "openmp" in kinds else ("openmp", *kinds):
            folder = os.path.join(build.folder, "text", kind, program.folder, program.name)
            files = texts_of(program, ferry, ANNOTATED[kind], folder)
            text = "".join(open(file).read() for file in files)
            if kind == "openmp":
                plain = text
            if kind not in kinds or kind in OPTIONAL and text == plain:
                continue
            language = "-fopenacc" if kind == "openacc" else "-fopenmp"
            for compiler in build.compilers:
                if kind == "openacc" and compiler == "clang":
                    continue
                build.add(kind, name, compiler, [language, *flags, *files, *program.libraries], "same", printed, kernels=bool(DIRECTIVE.search(text)))


def build_checks(build, wanted):
    root = os.path.join(HERE, "checks")
    for folder, _, names in sorted(os.walk(root)):
        for file in sorted(names):
            path = os.path.join(folder, file)
            name = os.path.relpath(path, root)[:-2]
            if not file.endswith(".c") or not wanted(name):
                continue
            text = open(path).read()
            header = re.match(r"(//.*\n)*", text).group(0)
            judge = re.search(r"^// judge: *(.*)$", header, re.M)
            if judge and judge.group(1) == "race":
                continue  # A race may show or not.
            marked = "// finds:" in text and not judge
            openacc = "#pragma acc" in text
            with tempfile.TemporaryDirectory() as scratch:
                # The functions of the run times are there without directives, too.
                printed = without_directives([path], [], ["-lgomp"], scratch)
            for compiler in build.compilers:
                if compiler == "clang" and openacc or compiler == "gcc" and "// compiler: clang" in header:
                    continue
                build.add("checks", name, compiler, ["-fopenacc" if openacc else "-fopenmp", path], "other" if marked else "same", printed, kernels=False)


def build_kernels(build, ferry, sizes):
    import gpu_experiment

    for size in sizes:
        for name in gpu_experiment.PROGRAMS:
            folder = os.path.join(build.folder, "text", "kernels", str(size))
            os.makedirs(folder, exist_ok=True)
            for when, text in zip(("before", "after"), gpu_experiment.reshaped(ferry, name, folder, size)):
                figures = {what: gpu_experiment.predicted(ferry, text, size, what) for what in ("lines", "sectors")}
                for compiler in build.compilers:
                    flags = ["-O3", "-fopenmp"] + ([f"-DN={size}"] if size else []) + [text]
                    build.add("kernels", name, compiler, flags, "same", None, when=when, size=size, predicted=figures, kernels=True)


def annotated_copy(program, root, folder, ferry, options):
    """A copy of a program of a suite, annotated; where it runs."""
    run = copied(program, root, folder)
    database(program, folder)
    written = os.path.join(folder, "annotated")
    result = done([ferry, "annotate", *(options or ["--ignore-directives"]), *program.sources, "-p", folder, "-o", written], cwd=folder)
    if result.returncode:
        sys.exit(f"{program.name}: {result.stderr}")
    for source in program.sources:
        shutil.copy(os.path.join(written, os.path.basename(source)), os.path.join(folder, source))
    return run


def text_of(program, folder):
    return "".join(open(os.path.join(folder, source), errors="replace").read() for source in program.sources)


def add_of_suite(build, ferry, kind, name, program, root, options):
    """A program of a suite: for its set, what it prints or how the original is called that is timed. Says why it is left out."""
    place = os.path.join(build.folder, "text", kind, re.sub(r"[^\w/]+", "_", name))
    shutil.rmtree(place, ignore_errors=True)
    original, folder = (os.path.join(place, which) for which in ("original", "written"))
    own = copied(program, root, original)
    flags = ["-w", *program.flags, *program.sources, "-lm"]
    sequential, level = os.path.join(place, "sequential"), "-O3" if kind == "times" else "-O1"
    if done(["gcc-12", level, *flags, "-o", sequential], cwd=original).returncode:
        return "the original does not compile"
    run = annotated_copy(program, root, folder, ferry, options)
    if text_of(program, original) == text_of(program, folder):
        return "no kernel is written"
    more = {"arguments": program.arguments, "in": os.path.relpath(run, build.folder), "kernels": True, "rounded": []}
    printed, why = "", None
    if kind == "suites":
        printed, more["status"], _ = printed_by(sequential, program.arguments, own, None, LIMIT)
        why, more["rounded"] = what_it_hangs_on(flags, original, own, program.arguments, printed, LIMIT)
        if why:
            return why
        if more["rounded"]:
            why = f"{len(more['rounded'])} of {len(steady_lines(printed))} lines hang on how numbers are rounded"
    else:
        more["sequential"] = os.path.relpath(sequential, build.folder)
    for compiler in build.compilers:
        build.add(kind, name, compiler, ["-O3" if kind == "times" else "-O2", "-fopenmp", *program.flags, *program.sources], "same", printed, at=folder, **more)
    return why


def build_suites(build, ferry, kinds, checkouts, wanted, options):
    for suite, root in checkouts.items():
        for kind in kinds:
            if suite == "polybench":
                of_suite = SUITES[suite](root, {"suites": "MEDIUM", "times": "EXTRALARGE, timed"}[kind])
            elif kind == "suites":
                of_suite = SUITES[suite](root)
            else:
                continue
            for program in of_suite:
                name = f"{suite}/{program.name}"
                why = wanted(name) and add_of_suite(build, ferry, kind, name, program, root, options)
                if why:
                    print(f"{kind} {name}: {why}")


# ---- run: what is seen ----


def environment(folder):
    """The compilers' run-time libraries where they were carried along, no falling back to the host, and a word on each launch."""
    found = dict(os.environ, OMP_TARGET_OFFLOAD="MANDATORY", GOMP_DEBUG="1", LIBOMPTARGET_INFO="16")
    library = os.path.join(folder, "lib")
    if os.path.isdir(library):
        found["LD_LIBRARY_PATH"] = os.path.abspath(library)
    return found


def look(folder, job, end):
    """What became of one program: `same`, `other`, how it ended, or why it was not run; with the number of launches."""
    if "not_linked" in job:
        return "not linked", 0, job["not_linked"]
    if job["printed"] is None:
        return "no expectation", 0, ""
    left = end - time.monotonic()
    if left < 5:
        return "not run", 0, ""
    try:
        if job["set"] == "suites":
            return look_at_suite(folder, job, min(LIMIT, left))
        result = subprocess.run([os.path.join(os.path.abspath(folder), job["binary"])], capture_output=True, timeout=min(LIMIT, left), env=environment(folder))
    except subprocess.TimeoutExpired:
        return "did not end", 0, ""
    launches = len(LAUNCH.findall(result.stderr))
    printed = result.stdout.decode(errors="replace")
    told = [line for line in result.stderr.decode(errors="replace").splitlines() if re.search(r"libgomp:|error|Error|fail|fatal", line)]
    if result.returncode:
        return f"status {result.returncode}", launches, "; ".join(told[-2:])[:300]
    if printed != job["printed"]:
        lines = zip(printed.splitlines() + [""], job["printed"].splitlines() + [""])
        return "other", launches, next((f"`{new}` for `{old}`" for new, old in lines if new != old), "")[:200]
    if job["kernels"] and not launches:
        return "same, nothing launched", launches, ""
    return "same", launches, ""


def look_at_suite(folder, job, limit):
    """The same for a program of a suite, whose numbers may be rounded otherwise."""
    with tempfile.TemporaryDirectory() as scratch:
        # Programs name files by paths that go up.
        top = os.path.join(scratch, "run")
        shutil.copytree(os.path.join(folder, job["in"].split("/run/")[0], "run"), top)
        place = os.path.join(top, job["in"].split("/run/")[1])
        printed, status, said = printed_by(os.path.join(folder, job["binary"]), job["arguments"], place, environment(folder), limit)
    launches = len(LAUNCH.findall(said.encode()))
    if status != job["status"]:
        return f"status {status}", launches, "; ".join(re.findall(r".*(?:libgomp:|rror|fail|fatal).*", said)[-2:])[:300]
    why, worst = difference(printed, job["printed"], set(job["rounded"]))
    if why:
        return "other", launches, why
    if job["kernels"] and not launches:
        return "same, nothing launched", launches, ""
    return "same", launches, f"numbers differ by {worst:.1e} at most" if worst else ""


def run_times(folder, jobs, end):
    """What PolyBench says that its kernels took, the least of three runs: of the original on one core of the host, and with the GPU."""
    def seconds(binary, runs, variables):
        taken = []
        for _ in range(runs):
            if time.monotonic() > end:
                break
            try:
                result = subprocess.run([os.path.join(os.path.abspath(folder), binary)], capture_output=True, text=True, timeout=max(1, min(LIMIT, end - time.monotonic())), env=variables)
                taken.append(float(result.stdout.split()[-1]))
            except (subprocess.TimeoutExpired, ValueError, IndexError):
                break
        return min(taken, default=None)

    variables = dict(environment(folder), GOMP_DEBUG="0", LIBOMPTARGET_INFO="0")
    programs = {}
    for job in jobs:
        programs.setdefault(job["name"], {})[job["compiler"]] = job
    # The host's cores are many, the GPU is one.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        hosts = dict(zip(programs, pool.map(lambda by: seconds(next(iter(by.values()))["sequential"], 1, None), programs.values())))
    compilers = sorted({job["compiler"] for job in jobs})
    print("| program | host, seconds | " + " | ".join(f"{one}, seconds | ratio" for one in compilers) + " |\n" + "|---" * (2 + 2 * len(compilers)) + "|")
    for name, by in programs.items():
        cells = [f"{hosts[name]:.3f}" if hosts[name] else "–"]
        for compiler in compilers:
            job = by.get(compiler, {"not_linked": ""})
            taken = None if "not_linked" in job else seconds(job["binary"], 3, variables)
            cells += [f"{taken:.3f}" if taken else "–", f"{hosts[name] / taken:.1f}" if taken and hosts[name] else "–"]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def run_programs(folder, jobs, end, at_once, log):
    """Runs them, and says how many were as expected. Returns the number of wrong ones."""
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        seen = list(pool.map(lambda job: look(folder, job, end), jobs))
    groups = {}
    for job, (what, launches, why) in zip(jobs, seen):
        job.update(seen=what, launches=launches, why=why)
        groups.setdefault((job["set"], job["compiler"], job["expects"]), []).append(job)
    print("| set | compiler | expected | programs | as expected | otherwise | not linked | not run | launches |\n|---|---|---|---|---|---|---|---|---|")
    wrong = 0
    for (kind, compiler, expects), group in groups.items():
        absent = [job for job in group if job["seen"] in ("not linked", "not run", "no expectation")]
        there = [job for job in group if job not in absent]
        right = [job for job in there if (job["seen"] == "same") == (expects == "same")]
        linked = sum(job["seen"] == "not linked" for job in group)
        print(f"| {kind} | {compiler} | {expects} | {len(group)} | {len(right)} | {len(there) - len(right)} | {linked} | {len(absent) - linked} | {sum(job['launches'] for job in group)} |")
        wrong += len(there) - len(right) if expects == "same" else 0
    for job in jobs:
        if job["seen"] != "same" and job["expects"] == "same" or job["seen"] == "same" and (job["expects"] == "other" or job["why"]):
            print(f"{job['set']} {job['compiler']} {job['name']}: {job['seen']}, expected {job['expects']} {job['why']}")
    if log:
        with open(log, "w") as file:
            json.dump([{key: value for key, value in job.items() if key != "printed"} for job in jobs], file, indent=1)
    return wrong


def run_kernels(folder, jobs, end):
    """Times of the kernels before and after, and the sectors that the hardware counts beside those that are predicted."""
    import gpu_experiment

    os.environ.update(environment(folder))
    os.environ["GOMP_DEBUG"] = os.environ["LIBOMPTARGET_INFO"] = "0"
    print("| kernel | N | compiler | seconds before | after | ratio | requests before / after, predicted | sectors predicted before | counted | predicted after | counted | ratio predicted | counted |\n" + "|---" * 13 + "|")
    pairs = {}
    for job in jobs:
        pairs.setdefault((job["name"], job["size"], job["compiler"]), {})[job["when"]] = job
    for (name, size, compiler), pair in pairs.items():
        if any("not_linked" in job for job in pair.values()):
            print(f"| {name} | {size} | {compiler} | {[job.get('not_linked') for job in pair.values()]} |")
            continue
        old, new = pair["before"], pair["after"]
        programs = [os.path.join(os.path.abspath(folder), job["binary"]) for job in (old, new)]
        times, outputs, counts = [[], []], set(), []
        for _ in range(5):
            for program, measured in zip(programs, times):
                seconds, said = gpu_experiment.seconds(program)
                measured.append(seconds)
                outputs.add(said)
        if len(outputs) > 1:
            print(f"{name} {compiler}: prints {outputs}")
            return 1
        with tempfile.TemporaryDirectory() as scratch:
            for program in programs:
                if time.monotonic() > end:
                    counts.append(None)
                    continue
                try:
                    counts.append(gpu_experiment.counted(program, scratch)[0])
                except (OSError, SystemExit) as error:
                    counts.append(None)
                    print(f"not counted: {str(error)[-300:]}", file=sys.stderr)
        before, after = (statistics.median(each) for each in times)
        sectors = [old["predicted"]["sectors"], counts[0], new["predicted"]["sectors"], counts[1]]
        lines = old["predicted"]["lines"] / new["predicted"]["lines"]
        told = f"{counts[0] / counts[1]:.2f}" if all(counts) else "–"
        cells = [f"{one:.0f}" if one else "–" for one in sectors]
        print(f"| {name} | {size or 'its own'} | {compiler} | {before:.6f} | {after:.6f} | {before / after:.2f} | {lines:.1f} | {' | '.join(cells)} | {sectors[0] / sectors[2]:.2f} | {told} |", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    listed = lambda text: text.split(",")
    for name in ("build", "run"):
        command = commands.add_parser(name)
        if name == "build":
            command.add_argument("ferry")
            command.add_argument("--suite", action="append", default=[], metavar="NAME=CHECKOUT", help="for the sets suites and times")
            command.add_argument("--option", action="append", default=[], metavar="WORD", help="of `ferry annotate` for the programs of suites, instead of --ignore-directives")
            command.add_argument("--sizes", type=lambda text: [None if one == "0" else one for one in text.split(",")], default=[None], help="of the kernels; 0 is their own")
        command.add_argument("folder")
        command.add_argument("--sets", type=listed, default=[*SETS, *SUITE_SETS])
        command.add_argument("--compilers", type=listed, default=list(COMPILERS))
        command.add_argument("--only", nargs="*", default=[], help="programs whose names have one of these words")
        if name == "run":
            command.add_argument("--seconds", type=float, default=3600)
            command.add_argument("--at-once", type=int, default=8)
            command.add_argument("--log")
    options = parser.parse_args()
    wanted = lambda name: not options.only or any(word in name for word in options.only)
    if options.command == "build":
        build = Build(options.folder, options.compilers)
        ferry = os.path.abspath(options.ferry)
        kinds = [kind for kind in ANNOTATED if kind in options.sets]
        if kinds:
            build_programs(build, ferry, kinds, wanted)
        if "checks" in options.sets:
            build_checks(build, wanted)
        if "kernels" in options.sets:
            build_kernels(build, ferry, options.sizes)
        if options.suite:
            checkouts = dict(one.split("=", 1) for one in options.suite)
            build_suites(build, ferry, [kind for kind in SUITE_SETS if kind in options.sets], {name: os.path.abspath(root) for name, root in checkouts.items()}, wanted, options.option)
        build.finish()
        linked = sum("not_linked" not in job for job in build.jobs)
        print(f"{linked} of {len(build.jobs)} programs linked")
        return 0
    with open(os.path.join(options.folder, "jobs.json")) as file:
        jobs = [job for job in json.load(file) if job["set"] in options.sets and job["compiler"] in options.compilers and wanted(job["name"])]
    end = time.monotonic() + options.seconds
    kernels = [job for job in jobs if job["set"] == "kernels"]
    timed = [job for job in jobs if job["set"] == "times"]
    others = [job for job in jobs if job["set"] not in ("kernels", "times")]
    wrong = run_programs(options.folder, others, end, options.at_once, options.log) if others else 0
    wrong += run_kernels(options.folder, kernels, end) if kernels else 0
    if timed:
        run_times(options.folder, timed, end)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
