"""How programs of public suites are built and called: facts about checkouts of

MatthiasJReisinger/PolyBenchC-4.2.1 (polybench), benchmark-subsetting/NPB3.0-omp-C (npb), yuhc/gpu-rodinia (rodinia), ANL-CESAR/XSBench (xsbench) and ANL-CESAR/RSBench (rsbench),
small inputs that are made for them, and words of their text that have to change. Nothing of the suites is kept here. `traced_suites.py` runs them as sequential programs that are
traced, `on_gpu.py` annotated on a GPU.
"""

import json
import os
import random
import re
import shutil

# The functions of OpenMP in a program that is compiled without it.
OMP_H = """#ifndef OMP_H
#define OMP_H
#include <time.h>
static inline void omp_set_num_threads(int n) { (void)n; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_procs(void) { return 1; }
static inline double omp_get_wtime(void) { return (double)clock() / CLOCKS_PER_SEC; }
#endif
"""


class Program:
    """How one program is built and called."""

    def __init__(self, name, sources, flags=(), arguments=(), inputs=None, changes=(), headers=None, sequential=False):
        self.name = name
        self.sources = sources
        self.flags = list(flags)
        self.arguments = list(arguments)
        # Files in the folder where it runs, and headers beside its text.
        self.inputs = inputs or {}
        self.headers = headers or {}
        # Words of its text that others stand for, because it is no C.
        self.changes = changes
        # What it has for a compiler with OpenMP is left out: the judge finds loops in a text in which braces are not opened twice.
        self.sequential = sequential


def polybench(root, size="MINI"):
    """All thirty, in one of their sizes; they print their arrays, or, if `size` ends with `, timed`, how long their kernels took."""
    size, _, timed = size.partition(", ")
    what = "-DPOLYBENCH_TIME" if timed else "-DPOLYBENCH_DUMP_ARRAYS"
    with open(os.path.join(root, "utilities/benchmark_list"), encoding="utf-8") as file:
        paths = [line.strip().removeprefix("./") for line in file if line.strip()]
    for path in paths:
        flags = ["-Iutilities", "-I" + os.path.dirname(path), f"-D{size}_DATASET", what]
        yield Program(os.path.basename(path)[:-2], [path, "utilities/polybench.c"], flags)


# What NAS's setparams writes into npbparams.h: its class S, with fewer steps where tracing takes long.
NPB = {
    "BT": "#define PROBLEM_SIZE 12\n#define NITER_DEFAULT 2\n#define DT_DEFAULT 0.010\n",
    "CG": "#define NA 1400\n#define NONZER 7\n#define NITER 1\n#define SHIFT 10.0\n#define RCOND 1.0e-1\n",
    "EP": "#define CLASS 'S'\n#define M 18\n",
    "FT": "#define NX 16\n#define NY 16\n#define NZ 16\n#define MAXDIM 16\n#define NITER_DEFAULT 2\n#define NTOTAL 4096\n",
    "IS": "#define CLASS 'S'\n",
    "LU": "#define ISIZ1 12\n#define ISIZ2 12\n#define ISIZ3 12\n#define ITMAX_DEFAULT 2\n#define INORM_DEFAULT 2\n#define DT_DEFAULT 0.5\n",
    "MG": "#define NX_DEFAULT 16\n#define NY_DEFAULT 16\n#define NZ_DEFAULT 16\n#define NIT_DEFAULT 2\n#define LM 4\n#define LT_DEFAULT 4\n"
    "#define DEBUG_DEFAULT 0\n#define NDIM1 4\n#define NDIM2 4\n#define NDIM3 4\n",
    "SP": "#define PROBLEM_SIZE 12\n#define NITER_DEFAULT 2\n#define DT_DEFAULT 0.015\n",
}
NPB_LAST = (
    '#define CONVERTDOUBLE FALSE\n#define COMPILETIME "x"\n#define NPBVERSION "x"\n'
    + "".join(f'#define CS{number} "x"\n' for number in range(1, 8))
    + "".join(f'#define {name} "x"\n' for name in ("CC", "CLINK", "C_LIB", "C_INC", "CFLAGS", "CLINKFLAGS"))
)


def npb(root):
    common = ["common/c_print_results.c", "common/c_randdp.c", "common/c_timers.c", "common/wtime.c"]
    for name, text in NPB.items():
        if name != "IS" and "CLASS" not in text:
            text = "#define CLASS 'S'\n" + text
        # BT and LU read their sizes from a file if there is one; there is none.
        flags = ["-Wno-implicit-int", "-Wno-implicit-function-declaration", "-Icommon", "-I" + name]
        headers = {f"{name}/npbparams.h": text + NPB_LAST}
        # IS has its own random numbers.
        shared = [path for path in common if name != "IS" or "rand" not in path]
        yield Program(name, [f"{name}/{name.lower()}.c", *shared], flags, headers=headers, sequential=True)


def numbers(count, low, high, seed, form="{:.4f}"):
    dice = random.Random(seed)
    return "".join(form.format(dice.uniform(low, high)) + "\n" for _ in range(count))


def graph(nodes, degree):
    """What bfs reads: for each node where its edges begin and how many there are, the start, the edges with their costs."""
    dice = random.Random(5)
    lines = [str(nodes)] + [f"{degree * node} {degree}" for node in range(nodes)] + ["", "0", "", str(nodes * degree)]
    lines += [f"{dice.randrange(nodes)} {dice.randrange(1, 10)}" for _ in range(nodes * degree)]
    return "\n".join(lines) + "\n"


def features(count, width):
    dice = random.Random(7)
    rows = (" ".join([str(row)] + [f"{dice.random():.3f}" for _ in range(width)]) for row in range(1, count + 1))
    return "\n".join(rows) + "\n"


def neighbours(count):
    """Records of 49 letters as hurricane_gen writes them, whose columns 28 to 37 are latitude and longitude."""
    dice = random.Random(3)
    rows = []
    for row in range(count):
        head = f"{1950 + row % 50} {1 + row % 12:2d} {1 + row % 28:2d} {row % 24:2d} {row % 30:2d} NAME{row % 100:02d}"
        rows.append((head.ljust(27) + f" {dice.uniform(7, 63):5.1f} {dice.uniform(0, 358):5.1f} 100 1000").ljust(48)[:48])
    return "\n".join(rows) + "\n"


OMP = {"include/omp.h": OMP_H}
OMP_FLAGS = ["-Iinclude", "-include", "omp.h"]
# Five of the programs are C under another name, but for a few words.
PATHFINDER = [
    ("data = new int[rows*cols]", "data = malloc(rows * cols * sizeof(int))"),
    ("wall = new int*[rows]", "wall = malloc(rows * sizeof(int *))"),
    ("result = new int[cols]", "result = malloc(cols * sizeof(int))"),
    ("src = new int[cols]", "src = malloc(cols * sizeof(int))"),
    ("delete [] ", "(void)"),
]


def rodinia(_root):
    def own(name, sources, arguments=(), **more):
        more.setdefault("headers", OMP)
        # Functions without declarations and types, as they were written before C99; and loops that declare variables.
        more["flags"] = [*OMP_FLAGS, "-Wno-implicit-int", "-Wno-implicit-function-declaration", "-std=gnu99", *more.get("flags", ())]
        return Program(name, ["openmp/" + source for source in sources], arguments=arguments, **more)

    grid = {"temp": numbers(32 * 32, 320, 340, 1), "power": numbers(32 * 32, 0, 0.01, 2)}
    yield own("backprop", [f"backprop/{file}.c" for file in ("backprop", "backprop_kernel", "facetrain", "imagenet")], ["256"])
    yield own("bfs", ["bfs/bfs.c"], ["1", "graph"], inputs={"graph": graph(300, 4)}, flags=["-include", "stdbool.h", "-DNode=struct Node"], changes=[("struct Node", "Node")])
    yield own("hotspot", ["hotspot/hotspot_openmp.c"], ["32", "32", "4", "1", "temp", "power", "out"], inputs=grid, changes=[("using namespace std;", "")])
    cube = {"temp": numbers(16 * 16 * 4, 320, 340, 1), "power": numbers(16 * 16 * 4, 0, 0.01, 2)}
    yield own("hotspot3D", ["hotspot3D/3D.c"], ["16", "4", "4", "power", "temp", "out"], inputs=cube)
    kmeans = [f"kmeans/kmeans_openmp/{file}.c" for file in ("cluster", "getopt", "kmeans", "kmeans_clustering")]
    yield own("kmeans", kmeans, ["-n", "1", "-i", "points"], inputs={"points": features(100, 8)})
    lavamd = ["lavaMD/main.c", "lavaMD/kernel/kernel_cpu.c", "lavaMD/util/timer/timer.c", "lavaMD/util/num/num.c"]
    yield own("lavaMD", lavamd, ["-cores", "1", "-boxes1d", "2"])
    yield own("lud", ["lud/omp/lud.c", "lud/omp/lud_omp.c", "lud/common/common.c"], ["-n", "1", "-s", "48"], flags=["-Iopenmp/lud/common"])
    yield own("nn", ["nn/nn_openmp.c"], ["list", "5", "30", "90"], inputs={"list": "records\n", "records": neighbours(200)})
    yield own("nw", ["nw/needle.c"], ["64", "10", "1"])
    yield own("particlefilter", ["particlefilter/ex_particle_OPENMP_seq.c"], ["-x", "32", "-y", "32", "-z", "3", "-np", "60"])
    yield own("pathfinder", ["pathfinder/pathfinder.c"], ["200", "20"], changes=PATHFINDER, flags=["-fgnu89-inline"])
    image = "P2\n48 40\n255\n" + numbers(48 * 40, 1, 250, 9, "{:.0f}")
    yield own("srad_v1", ["srad/srad_v1/main.c"], ["3", "0.5", "40", "48", "1"], inputs={"../../../data/srad/image.pgm": image})
    yield own("srad_v2", ["srad/srad_v2/srad.c"], ["32", "32", "0", "15", "0", "15", "1", "0.5", "3"])


def xsbench(_root):
    files = ["Main", "io", "Simulation", "GridInit", "XSutils", "Materials"]
    sources = [f"openmp-threading/{file}.c" for file in files]
    for name, way in (("history", ["-m", "history", "-p", "20", "-l", "5"]), ("event", ["-m", "event", "-l", "100"])):
        yield Program(f"XSBench, {name}", sources, ["-std=gnu99"], ["-t", "1", "-s", "small", "-g", "20", *way])
    grid = ["-t", "1", "-s", "small", "-g", "20", "-m", "event", "-l", "100", "-G", "hash", "-h", "50"]
    yield Program("XSBench, hash", sources, ["-std=gnu99"], grid)


def rsbench(_root):
    sources = [f"openmp-threading/{file}.c" for file in ("main", "simulation", "io", "init", "material", "utils")]
    for name, way in (("history", ["-m", "history", "-p", "10", "-l", "5"]), ("event", ["-m", "event", "-l", "50"])):
        yield Program(f"RSBench, {name}", sources, [*OMP_FLAGS, "-std=gnu99"], ["-t", "1", "-s", "small", "-P", "20", "-W", "10", *way], headers=OMP)


SUITES = {"polybench": polybench, "npb": npb, "rodinia": rodinia, "xsbench": xsbench, "rsbench": rsbench}


def without_openmp(text):
    """The text as the preprocessor reads it where _OPENMP is not defined, line for line."""
    lines, inside = text.split("\n"), []
    for number, line in enumerate(lines):
        word = re.match(r"\s*#\s*(if\w*|else|elif|endif)\b(.*)", line)
        kind = word and word.group(1)
        if kind in ("if", "ifdef", "ifndef"):
            is_openmp = kind != "ifndef" and re.match(r"\s*(defined\s*\(\s*_OPENMP\s*\)|_OPENMP)\s*(/\*.*\*/)?\s*$", word.group(2))
            inside.append("left out" if is_openmp else "kept")
        elif kind == "endif":
            own = inside.pop()
            lines[number] = "" if own != "kept" else line
            continue
        elif kind == "else" and inside and inside[-1] != "kept":
            inside[-1] = "taken"
            lines[number] = ""
            continue
        if "left out" in inside or (kind and inside and inside[-1] != "kept"):
            lines[number] = ""
    return "\n".join(lines)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def copied(program, root, folder):
    """The folder with what the program is built from, as it is built here."""
    keep = {source.split("/")[0] for source in program.sources} | {flag[2:].split("/")[0] for flag in program.flags if flag[:2] == "-I"}
    for name in keep:
        if os.path.isdir(os.path.join(root, name)):
            shutil.copytree(os.path.join(root, name), os.path.join(folder, name), ignore=lambda _, names: [n for n in names if n == ".git"])
    for path, text in program.headers.items():
        write(os.path.join(folder, path), text)
    for source in program.sources:
        path = os.path.join(folder, source)
        if not os.path.exists(path):
            shutil.copy(path[:-2] + ".cpp", path)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        changed = without_openmp(text) if program.sequential else text
        for old, new in program.changes:
            changed = changed.replace(old, new)
        if changed != text:
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(changed)
    run = os.path.join(folder, "run", "in", "here", "now")
    os.makedirs(run)
    for path, text in program.inputs.items():
        write(os.path.normpath(os.path.join(run, path)), text)
    return run


def database(program, folder):
    """Writes the compilation database of a copied program."""
    entries = [{"directory": folder, "file": path, "arguments": ["cc", "-w", *program.flags, path]} for path in program.sources]
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)
