#!/usr/bin/env python3
"""What do loop nests with many accesses cost `ferry report`?

    cost_of_nests.py [--ferry PATH] [--runs N] [--write FOLDER]

Makes nests of different kinds (200 accesses in 6 loops that are stencils on arrays with several dimensions, linearised, or mixed; bodies of 60 statements;
subscripts that nobody understands), and measures the processor time of one process each, the least of some runs, less that of a file with the same declarations and
no loops, which is what reading costs. --write leaves the programs there. What it cannot do: say how often such nests come up.
"""
import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

LETTERS = "ijklmp"


def loops(depth, body, bounds):
    """Loops around statements, each from 1 to its bound less 1."""
    lines = []
    for level in range(depth):
        name = LETTERS[level]
        lines.append("    " * (level + 1) + f"for (int {name} = 1; {name} < {bounds[level]} - 1; {name}++) {{")
    lines += ["    " * (depth + 1) + line for line in body]
    lines += ["    " * (level + 1) + "}" for level in reversed(range(depth))]
    return lines


def neighbour(rng, name):
    """i, i - 1 or i + 1."""
    return name + rng.choice(("", "", " - 1", " + 1"))


def shaped(rng, array, depth):
    """a[i - 1][j]…"""
    return array + "".join(f"[{neighbour(rng, LETTERS[level])}]" for level in range(depth))


def linear(rng, array, depth, bounds, moved=True):
    """a[((i - 1) * n1 + j) * n2 + k]"""
    subscript = ""
    for level in range(depth):
        own = neighbour(rng, LETTERS[level]) if moved else LETTERS[level]
        subscript = f"({own})" if not subscript else f"({subscript} * {bounds[level]} + {own})"
    return f"{array}[{subscript[1:-1]}]"


def stencil(rng, accesses, depth, kind):
    """`accesses` accesses: some arrays are read around the point, others are written at it."""
    bounds = [f"n{level}" for level in range(depth)]
    shape = "".join(f"[{bound}]" for bound in bounds)
    arrays = [f"r{number}" for number in range(4)]
    written = [f"w{number}" for number in range(4)]
    parameters = [f"int {bound}" for bound in bounds]
    for number, array in enumerate(arrays + written):
        is_linear = kind == "linearised" or kind == "mixed" and number % 2
        parameters.append(f"double *restrict {array}" if is_linear else f"double {array}{shape}".replace("[n0]", "[restrict n0]", 1))
    body, count = [], 0
    while count < accesses:
        target = rng.choice(written)
        terms = []
        for _ in range(4):
            array = rng.choice(arrays)
            number = int(array[1:])
            is_linear = kind == "linearised" or kind == "mixed" and number % 2
            terms.append(linear(rng, array, depth, bounds) if is_linear else shaped(rng, array, depth))
        is_linear = kind == "linearised" or kind == "mixed" and int(target[1:]) % 2
        at = linear(rng, target, depth, bounds, moved=False) if is_linear else target + "".join(f"[{LETTERS[level]}]" for level in range(depth))
        body.append(f"{at} = {' + '.join(terms)};")
        count += 5
    return ", ".join(parameters), loops(depth, body, bounds)


def in_place(rng, accesses, depth, kind):
    """One array that is read around the point and written at it: nothing is independent."""
    bounds = [f"n{level}" for level in range(depth)]
    shape = "".join(f"[{bound}]" for bound in bounds)
    parameters = [f"int {bound}" for bound in bounds] + ["double *restrict a" if kind == "linearised" else f"double a{shape}"]
    access = (lambda moved: linear(rng, "a", depth, bounds, moved)) if kind == "linearised" else (
        lambda moved: shaped(rng, "a", depth) if moved else "a" + "".join(f"[{LETTERS[level]}]" for level in range(depth)))
    body = [f"{access(False)} = {' + '.join(access(True) for _ in range(4))};" for _ in range(accesses // 5)]
    return ", ".join(parameters), loops(depth, body, bounds)


def body_of_statements(rng, statements):
    """A loop whose body has that many statements on a few arrays, guarded here and there."""
    body = []
    for number in range(statements):
        array, other, third = rng.sample("abcd", 3)
        offset = rng.choice(("", " + 1", " - 1", " + n", " + 2 * n"))
        text = f"{array}[i] = {other}[i{offset}] * {rng.randint(2, 9)} + {third}[i];"
        if number % 6 == 5:
            text = f"if ({other}[i] > {number}) {text}"
        body.append(text)
    return "int n, double *a, double *b, double *c, double *d", loops(1, body, ["n"])


def not_understood(rng, accesses, depth):
    """Products of counters and of values in memory: no test decides."""
    bounds = [f"n{level}" for level in range(depth)]
    parameters = ", ".join([f"int {bound}" for bound in bounds] + ["int *restrict q", "double *restrict a"])
    def subscript():
        names = [rng.choice(LETTERS[:depth]) for _ in range(4)]
        return f"{names[0]} * {names[1]} * q[{names[2]}] + {names[3]} * {rng.choice(bounds)} + {names[0]} * q[{rng.randint(0, 9)}]"
    body = [f"a[{subscript()}] = {' + '.join(f'a[{subscript()}]' for _ in range(3))};" for _ in range(accesses // 10)]
    return parameters, loops(depth, body, bounds)


NESTS = [
    ("stencil, 200 accesses, 6 loops, shaped", lambda rng: stencil(rng, 200, 6, "shaped")),
    ("stencil, 200 accesses, 6 loops, linearised", lambda rng: stencil(rng, 200, 6, "linearised")),
    ("stencil, 200 accesses, 6 loops, mixed", lambda rng: stencil(rng, 200, 6, "mixed")),
    ("stencil, 200 accesses, 3 loops, mixed", lambda rng: stencil(rng, 200, 3, "mixed")),
    ("in place, 200 accesses, 6 loops, shaped", lambda rng: in_place(rng, 200, 6, "shaped")),
    ("in place, 200 accesses, 6 loops, linearised", lambda rng: in_place(rng, 200, 6, "linearised")),
    ("60 statements, 1 loop", lambda rng: body_of_statements(rng, 60)),
    ("not understood, 200 accesses, 6 loops", lambda rng: not_understood(rng, 200, 6)),
]


def seconds(command):
    """Processor time of one process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {process.returncode}: {error.decode()[-500:]}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ferry", default="target/release/ferry")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--write")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
    print("| nest | questions | not decided | milliseconds beyond reading |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = options.write or folder
        os.makedirs(folder, exist_ok=True)
        for number, (name, make) in enumerate(NESTS):
            if options.only not in name:
                continue
            parameters, lines = make(random.Random(number))
            path = os.path.join(folder, f"nest{number}.c")
            empty = os.path.join(folder, f"empty{number}.c")
            for where, body in ((path, lines), (empty, [])):
                with open(where, "w") as file:
                    file.write("\n".join([f"void f({parameters})", "{", *body, "}", ""]))
            cost = lambda where: min(seconds([options.ferry, "report", "--threads", "1", "--format", "json", where]) for _ in range(options.runs))

            report = json.loads(subprocess.run([options.ferry, "report", "--format", "json", path], capture_output=True, text=True).stdout)
            tests = report.get("tests") or {"asked": 0, "undecided": 0}
            print(f"| {name} | {tests['asked']:,} | {tests['undecided']:,} | {1000 * (cost(path) - cost(empty)):.0f} |", flush=True)


if __name__ == "__main__":
    main()
