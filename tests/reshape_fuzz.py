#!/usr/bin/env python3
"""Does `ferry reshape` keep the meaning of programs that nobody wrote?

    reshape_fuzz.py COUNT [--seed N] [--ferry PATH] [--keep DIR]

Makes programs of loop nests with several statements in their bodies: offsets in all directions, scalars that go from one statement to another or not,
loops in loops, conditions, bounds that depend on loops around. All arithmetic is unsigned, so that any two orders that mean the same give the same. Each
program is reshaped with --all; where something was done, both texts are compiled and run. Prints how much was split and exchanged; exit status 1 if a
result differs, or if a text was refused because it is not the program that was meant.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class Maker:
    """Makes the text of one program."""

    def __init__(self, rng):
        self.rng = rng

    def subscript(self, variables):
        return f"{self.rng.choice(variables)} + {3 + self.rng.choice([0, 0, 0, 0, 1, -1, 2, -2])}"

    def element(self, variables):
        if self.rng.random() < 0.35:
            return f"{self.rng.choice('st')}[{self.subscript(variables)}]"
        return f"{self.rng.choice('abc')}[{self.subscript(variables)}][{self.subscript(variables)}]"

    def value(self, variables, scalars):
        terms = [self.element(variables) for _ in range(self.rng.choice([1, 1, 2]))] + [self.rng.choice(variables)]
        if scalars and self.rng.random() < 0.4:
            terms.append(self.rng.choice(scalars))
        return " + ".join(f"{self.rng.choice([1, 2, 3])} * {term}" for term in terms)

    def loop(self, variables, scalars, indent):
        variable = "ijk"[len(variables)]
        declared = "int " if self.rng.random() < 0.7 else ""
        first = self.rng.choice(["0", "0", "0", "1", variables[-1] if variables else "0"])
        head = f"for ({declared}{variable} = {first}; {variable} < {self.rng.choice(['N', 'N', 'N - 1', 'n'])}; {variable}++)"
        count = self.rng.choice([1, 1, 2, 3])
        inside = "".join(self.statement(variables + [variable], scalars, indent + 1) for _ in range(count))
        pad = "    " * indent
        if count == 1 and self.rng.random() < 0.6:
            return f"{pad}{head}\n{inside}"
        return f"{pad}{head} {{\n{inside}{pad}}}\n"

    def statement(self, variables, scalars, indent):
        kind = self.rng.random()
        if not variables or (len(variables) < 3 and kind < 0.45):
            return self.loop(variables, scalars, indent)
        pad = "    " * indent
        if kind < 0.52:
            return f"{pad}{self.rng.choice('xy')} = {self.value(variables, ['x', 'y'])};\n"
        if kind < 0.57:
            return f"{pad}if ({self.element(variables)} % 3 == 1)\n{pad}    {self.element(variables)} = {self.value(variables, scalars)};\n"
        return f"{pad}{self.element(variables)} {self.rng.choice(['=', '=', '+=', '-='])} {self.value(variables, scalars)};\n"

    def function(self, number):
        scalars = ["x", "y"] if self.rng.random() < 0.3 else []
        body = "".join(self.statement([], scalars, 1) for _ in range(self.rng.choice([1, 2])))
        return f"static void f{number}(int n)\n{{\n    int i, j, k;\n    unsigned x = 1, y = 2;\n{body}    s[0] += x + y;\n}}\n\n"

    def program(self):
        functions = "".join(self.function(number) for number in range(4))
        calls = "".join(f"    f{number}({self.rng.choice(['N', 'N - 5'])});\n" for number in range(4))
        return f"""#include <stdio.h>
#define N 90
#define M (N + 8)

static unsigned a[M][M], b[M][M], c[M][M], s[M], t[M];

{functions}int main(void)
{{
    for (int i = 0; i < M; i++) {{
        s[i] = i;
        t[i] = 3 * i;
        for (int j = 0; j < M; j++) {{
            a[i][j] = i * 7 + j;
            b[i][j] = i ^ j;
            c[i][j] = i + j * 5;
        }}
    }}
{calls}    unsigned long long all = 0;
    for (int i = 0; i < M; i++) {{
        all = all * 31 + s[i];
        all = all * 31 + t[i];
        for (int j = 0; j < M; j++)
            all = all * 31 + a[i][j] + 3 * b[i][j] + 5 * c[i][j];
    }}
    printf("%llx\\n", all);
    return 0;
}}
"""


def result(source, folder):
    program = os.path.join(folder, "program")
    built = subprocess.run(["gcc", "-w", "-O1", source, "-o", program], capture_output=True, text=True)
    if built.returncode:
        return f"not compiled: {built.stderr[:300]}"
    return subprocess.run([program], capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ferry", default=os.path.join(HERE, "..", "target", "release", "ferry"))
    parser.add_argument("--keep", help="where programs go that are not the same")
    arguments = parser.parse_args()
    changed = splits = orders = wrong = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        with tempfile.TemporaryDirectory() as folder:
            old, to = os.path.join(folder, "p.c"), os.path.join(folder, "new")
            with open(old, "w") as file:
                file.write(Maker(random.Random(seed)).program())
            done = subprocess.run([arguments.ferry, "reshape", "--all", "-o", to, old], capture_output=True, text=True)
            said = done.stderr
            splits += said.count(": split before")
            orders += said.count("in the order")
            problem = None
            if done.returncode or "warning" in said:
                problem = said
            elif said:
                changed += 1
                before, after = result(old, folder), result(os.path.join(to, "p.c"), folder)
                if before != after:
                    problem = f"{before!r} became {after!r}"
            if problem:
                wrong += 1
                print(f"seed {seed}: {problem}")
                if arguments.keep:
                    shutil.copytree(folder, os.path.join(arguments.keep, str(seed)))
    print(f"{arguments.count} programs, {changed} of them changed: {splits} splits, {orders} other orders; {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
