#!/usr/bin/env python3
"""How does the cost of `ferry report`, and of `ferry show regions`, grow with the size of a program?

    cost.py [--ferry PATH] [--largest LINES] [--seed N] [--svg FILE] [--table FILE]

Makes programs of 1,000 to 200,000 lines (functions with loop nests, guards, structs, and calls among them in layers, none
recursive; all in one file, which is the worst case), measures the processor time and the peak memory of one process each, and the
same of `clang-19 -fsyntax-only`, which is what reading alone costs. Prints a table with the exponent that fits best (least squares of the
logarithms), draws a plot. What it cannot do: say what real programs cost; their functions are larger and fewer.
"""
import argparse
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)
LAYERS = 12
TIME_LIMIT = 3600


class Program:
    """A file of functions in layers: each calls functions of the layer below."""

    def __init__(self, lines, seed):
        self.rng = random.Random(seed)
        self.statements = self.calls = 0
        self.lines = ["#include <string.h>", "struct grid { int rows, columns; double *cell; };",
                      "struct point { double x, y, z; int kind; };", "double table[64][64];", "int counts[256];", ""]
        self.layers = [[]]
        per_layer = max(1, lines // LAYERS)
        number = 0
        while len(self.lines) < lines:
            if self.layers[-1] and len(self.lines) > per_layer * len(self.layers):
                self.layers.append([])
            self.function(f"f{number}")
            number += 1

    def statement(self, indent, text):
        self.statements += 1
        self.lines.append("    " * indent + text)

    def function(self, name):
        rng = self.rng
        self.lines += [f"double {name}(int n, int m, double *a, const double *b, struct grid *g, struct point *p)", "{"]
        self.statement(1, "double s = 0.0;")
        for _ in range(rng.randint(1, 3)):
            rng.choice((self.vector, self.matrix, self.points, self.stencil, self.histogram))()
        below = self.layers[-2] if len(self.layers) > 1 else []
        for callee in rng.sample(below, min(len(below), rng.randint(0, 2))):
            self.calls += 1
            text = f"{callee}({rng.choice(('n', 'm', 'n - 1'))}, m, a + {rng.choice(('0', 'n'))}, b, g, p)"
            if rng.random() < 0.3:
                self.statement(1, "for (int t = 0; t < m; t++)")
                self.statement(2, f"s += {text};")
            else:
                self.statement(1, f"s += {text};")
        self.statement(1, "return s;")
        self.lines += ["}", ""]
        self.layers[-1].append(name)

    def vector(self):
        rng = self.rng
        self.statement(1, "for (int i = 0; i < n; i++) {")
        if rng.random() < 0.4:
            self.statement(2, f"if (b[i] > {rng.randint(0, 9)}.0)")
            self.statement(3, "s += b[i];")
        self.statement(2, f"a[i + {rng.randint(0, 3)}] = b[i] * {rng.randint(2, 9)}.0;")
        self.lines.append("    }")

    def matrix(self):
        self.statement(1, "for (int i = 0; i < n; i++)")
        self.statement(2, "for (int j = 0; j < m; j++) {")
        self.statement(3, "double t = 0.0;")
        self.statement(3, "for (int k = 0; k < n; k++)")
        self.statement(4, "t += b[i * n + k] * b[k * m + j];")
        self.statement(3, "a[i * m + j] = t;")
        self.lines.append("        }")

    def points(self):
        self.statement(1, "for (int i = 0; i < n; i++) {")
        self.statement(2, "p[i].x += b[i];")
        self.statement(2, f"p[i].kind = i % {self.rng.randint(2, 5)};")
        self.lines.append("    }")
        self.statement(1, "for (int i = 0; i < g->rows * g->columns; i++)")
        self.statement(2, "s += g->cell[i];")

    def stencil(self):
        self.statement(1, "for (int i = 1; i < 63; i++)")
        self.statement(2, "for (int j = 1; j < 63; j++)")
        self.statement(3, "table[i][j] = 0.25 * (table[i - 1][j] + table[i + 1][j] + table[i][j - 1] + table[i][j + 1]);")

    def histogram(self):
        self.statement(1, "int i = 0;" if self.rng.random() < 0 else "int at = 0;")
        self.statement(1, "while (at < n) {")
        self.statement(2, "counts[p[at].kind & 255]++;")
        self.statement(2, "at++;")
        self.lines.append("    }")
        self.statement(1, "s += at;")

    def text(self):
        # Names of one function are its own: a second `at` in it gets another name.
        text, seen = [], 0
        for line in self.lines:
            if line.startswith("double f"):
                seen = 0
            if "int at = 0;" in line:
                seen += 1
            if seen > 1:
                line = line.replace("int at ", f"int at{seen} ").replace("(at ", f"(at{seen} ").replace("[at]", f"[at{seen}]")
                line = line.replace(" at++;", f" at{seen}++;").replace("+= at;", f"+= at{seen};")
            text.append(line)
        return "\n".join(text) + "\n"


def measure(command):
    """Processor seconds and peak megabytes of one process (and its threads)."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {process.returncode}: {error.decode()[-500:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, time.monotonic() - begin


def exponent(rows, key):
    """The slope of the line that fits the logarithms best."""
    points = [(math.log(row["statements"]), math.log(max(row[key], 1e-3))) for row in rows if row["lines"] >= 5_000]
    if len(points) < 2:
        return float("nan")
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def plot(rows):
    """A log-log plot as SVG: the measured times and memory, and what n log n would be from the first point on."""
    width, height, left, bottom, top, right = 760, 460, 70, 50, 30, 150
    xs = [row["statements"] for row in rows]
    series = [("ferry report, seconds", "seconds", "#0b6e4f"), ("reading alone (clang), seconds", "clang", "#8a8a8a"),
              ("ferry show regions, seconds", "regions", "#c77700"), ("ferry report, GB", "gigabytes", "#9b2d20")]
    # The line goes through the largest program: what lies below it on the left grew faster than n log n.
    last = rows[-1]
    for row in rows:
        row["n log n"] = last["seconds"] * row["statements"] * math.log(row["statements"]) / (last["statements"] * math.log(last["statements"]))
    series.append(("n log n", "n log n", "#2456a6"))
    ys = [row[key] for row in rows for _, key, _ in series]
    x0, x1 = math.floor(math.log10(min(xs))), math.ceil(math.log10(max(xs)))
    y0, y1 = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    place_x = lambda x: left + (math.log10(x) - x0) / max(1, x1 - x0) * (width - left - right)
    place_y = lambda y: height - bottom - (math.log10(y) - y0) / max(1, y1 - y0) * (height - bottom - top)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for power in range(x0, x1 + 1):
        x = place_x(10 ** power)
        out.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{height - bottom}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{height - bottom + 18}" text-anchor="middle">{10 ** power:,}</text>')
    for power in range(y0, y1 + 1):
        y = place_y(10 ** power)
        out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0 ** power:g}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">statements</text>')
    for number, (name, key, colour) in enumerate(series):
        points = [(place_x(row["statements"]), place_y(row[key])) for row in rows]
        dashes = ' stroke-dasharray="5 4"' if key == "n log n" else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        if not dashes:
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        out.append(f'<text x="{width - right + 8}" y="{top + 16 + 34 * number}" fill="{colour}">{name.split(",")[0]}</text>')
        out.append(f'<text x="{width - right + 8}" y="{top + 30 + 34 * number}" fill="{colour}">{name.split(",")[1].strip() if "," in name else ""}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ferry", default="target/release/ferry")
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg")
    parser.add_argument("--table")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CPU, (TIME_LIMIT, TIME_LIMIT))
    rows = []
    lines = ["| lines | functions | statements | calls | seconds | of them reading (clang) | µs per statement | MB | regions, seconds | µs per statement |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            if size > options.largest:
                break
            program = Program(size, options.seed)
            path = os.path.join(folder, f"made{size}.c")
            with open(path, "w") as file:
                file.write(program.text())
            clang, _, _ = measure(["clang-19", "-fsyntax-only", "-w", path])
            seconds, megabytes, _ = measure([options.ferry, "report", path, "--format", "json"])
            regions, _, _ = measure([options.ferry, "show", "regions", path])
            functions = sum(len(layer) for layer in program.layers)
            rows.append({"lines": len(program.lines), "statements": program.statements, "calls": program.calls,
                         "seconds": seconds, "regions": regions, "clang": max(clang, 0.001), "gigabytes": megabytes / 1024})
            lines.append(f"| {len(program.lines):,} | {functions:,} | {program.statements:,} | {program.calls:,} | {seconds:.2f} | {clang:.2f} "
                         f"| {1e6 * seconds / program.statements:.0f} | {megabytes:.0f} | {regions:.2f} | {1e6 * regions / program.statements:.0f} |")
            print(lines[-1], flush=True)
    lines.append(f"\nFrom 5,000 lines on, time grows as statements to the power {exponent(rows, 'seconds'):.2f}, "
                 f"memory {exponent(rows, 'gigabytes'):.2f}, that of all regions {exponent(rows, 'regions'):.2f}.")
    print("\n".join(lines))
    if options.svg:
        with open(options.svg, "w") as file:
            file.write(plot(rows))
    if options.table:
        with open(options.table, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
