#!/usr/bin/env python3
"""Does `ferry annotate` keep the meaning of programs that nobody wrote?

    fuzz.py COUNT [--seed N] [--type TYPE] [--counters] [--steps] [--ferry PATH] [--judge PATH] [--keep DIR] [--openacc]

Makes small programs: loop nests with symbolic bounds (also empty and negative ones), guards that are fixed, vary or depend
on data, offsets, strides, reductions, pointers that overlap. Each is run here once to see which elements it touches; its C text allocates exactly
those, so that a section that is too long is seen as well as one that is too short. With --type (unsigned, size_t), sizes and counters are of that
type, what wraps around wraps around, and calls that touch other elements than with `int` or do not end are left out. With --counters,
loops also move a second counter and a pointer, some of them in their heads, and leave values in variables, one of them static, which are used
later, also as bounds. With --steps, loops go on in steps of 2, 3, `m` or `k`, also from the counter of a loop around, and blocks are longer by as much
as a section may be that ends where the loop's bound is. Each program is annotated with --all,
and judged on a second memory by `ferry-judge`. Prints the distribution; exit status 1 if a program is not the same, or one
is left out: a kernel was not written, as its text, read again, was not the intended program.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

PARAMETERS = ("n", "m", "k")
ARRAYS = ("a", "b", "c")  # b is only read
LIMIT = 4000  # iterations of one call
SPARE = 40  # elements: a step less one, times what it is multiplied by in a subscript


class TooLong(Exception):
    pass


def initial(array, index):
    return (index * {"a": 5, "b": 7, "c": 3}[array] + 3) % 11 - 4


class Maker:
    """Makes one function as a tree: tuples of a kind and its parts. Expressions are strings that are both C and Python."""

    def __init__(self, rng, counters, steps):
        self.rng = rng
        self.counters = counters
        self.steps = steps
        self.counts = {"loops": 0, "guards": 0, "reductions": 0, "moves": 0, "heads": 0, "left": 0, "steps": 0}

    def choose(self, *options):
        return self.rng.choice(options)

    def index(self, variables):
        if not variables:
            return self.choose("0", "k", "1")
        inner, outer = variables[-1], variables[0]
        options = [inner, inner, outer, f"{inner} + k", f"n - 1 - {inner}", f"2 * {inner} + 1", f"{inner} + 1", "k"]
        if len(variables) > 1:
            options += [f"{outer} * m + {inner}"] * 4 + [f"{outer} + {inner}", f"{inner} * n + {outer}"]
        if self.counters:
            options += ["q", "q", "q", f"q + {inner}", "q + 1", "0"]
        return self.rng.choice(options)

    def value(self, variables, reads_left=True):
        operands = [f"b[{self.index(variables)}]", f"b[{self.index(variables)}]", self.choose("1", "k", "m")]
        if variables:
            operands.append(self.rng.choice(variables))
        if self.counters and reads_left and self.rng.random() < 0.25:
            operands.append(self.choose("x", "y"))
        if self.rng.random() < 0.3:
            operands.append(f"{self.choose('a', 'c')}[{self.index(variables)}]")
        first, second = self.rng.choice(operands), self.rng.choice(operands)
        return f"{first} {self.choose('+', '-')} {second}"

    def guard(self, variables):
        self.counts["guards"] += 1
        options = ["m >= n", "k > 0", "n > 2", "k >= 0", "m > k"]
        if variables:
            inner = variables[-1]
            options += [f"{inner} < k", f"{inner} + 1 < n", f"{inner} >= k", f"b[{inner}] > 0", f"{inner} != k"]
        return self.rng.choice(options)

    def statement(self, variables):
        if self.rng.random() < 0.12 and variables:
            self.counts["reductions"] += 1
            return ("assign", "s", "+=", self.value(variables))
        target = f"{self.choose('a', 'a', 'c')}[{self.index(variables)}]"
        return ("assign", target, self.choose("=", "=", "+="), self.value(variables))

    def body(self, variables, depth):
        found = []
        for _ in range(self.choose(1, 1, 1, 2)):
            if depth < 3 and self.rng.random() < (0.95 if depth == 0 else 0.4 / depth):
                inner = self.loop(variables, depth)
            else:
                inner = self.statement(variables)
            if self.rng.random() < 0.25:
                inner = ("if", self.guard(variables), [inner])
            found.append(inner)
        return found

    def loop(self, variables, depth):
        self.counts["loops"] += 1
        # Some loops count with one variable, which is used at the end.
        is_shared = self.counters and depth == 0 and self.rng.random() < 0.4
        name = "w" if is_shared else f"i{depth}_{self.counts['loops']}"
        low = self.choose("0", "0", "0", "1", "k", *variables, *(f"{v} + 1" for v in variables))
        high = self.choose("n", "n", "m", "m", "n - 1", "m + k", *variables)
        if self.counters and self.rng.random() < 0.15:
            high = self.choose("x", "y")
        down = self.rng.random() < 0.1
        step = "1"
        if self.steps and self.rng.random() < 0.4:
            self.counts["steps"] += 1
            step = self.choose("2", "2", "3", "m", "k")
        sets, moves = [], []
        own = []
        if self.counters and self.rng.random() < 0.4:
            # What the head sets beside its own variable: one that it declares, or one that is there.
            self.counts["heads"] += 1
            if self.rng.random() < 0.5 and not is_shared:
                own = [f"h{depth}_{self.counts['loops']}"]
                sets.append((own[0], self.choose("0", "1", "k", "m", *variables)))
            elif self.rng.random() < 0.6:
                sets.append(("q", self.choose("0", "0", "k", "m")))
            target = own[0] if own else self.choose("q", "q", "c") if not sets else "q"
            moves.append(("move", target, self.choose("+=", "+=", "-="), self.choose("1", "1", "2", "3", "m")))
        body = self.body(variables + [name] + own, depth + 1)
        if own and own[0] not in str(body):
            body.append(("assign", "s", "+=", own[0]))
        if self.counters and self.rng.random() < 0.4:
            # What each iteration leaves.
            self.counts["left"] += 1
            body.insert(0, ("assign", self.choose("x", "y"), "=", self.value(variables + [name], reads_left=False)))
        if self.counters:
            for chance, move in ((0.5, "q"), (0.35, "c")):
                if self.rng.random() < chance:
                    self.counts["moves"] += 1
                    step = ("move", move, self.choose("+=", "+=", "-="), self.choose("1", "1", "2", "3", "m"))
                    body.insert(self.rng.randint(0, len(body)), step)
        # A bound is computed once here, and before each iteration there.
        if f"('assign', '{high}', " in str(body):
            high = "n"
        made = ("for", name, low, high, (down, step), body, sets, moves)
        # Without the question it would not end.
        return made if step.isdigit() else ("if", f"{step} > 0", [made])

    def function(self):
        return [part for _ in range(self.choose(1, 2, 2, 3)) for part in self.body([], 0)]


class Runner:
    """Runs a tree and notes which elements it touches."""

    def __init__(self, parameters, apart):
        self.names = dict(parameters, s=0, q=0, w=0, x=parameters["k"], y=parameters["m"])
        self.steps = 0
        self.touched = {array: set() for array in ARRAYS}
        for array in ARRAYS:
            self.names[array] = Memory(array, self.touched[array])
        if apart is not None:
            self.names["b"] = View(self.names["a"], apart)

    def run(self, body):
        for stmt in body:
            if stmt[0] == "for":
                _, name, low, high, (down, step), inner, sets, moves = stmt
                low, high, step = self.evaluate(low), self.evaluate(high), self.evaluate(step)
                for target, value in sets:
                    self.names[target] = self.evaluate(value)
                values = range(high - 1, low - 1, -step) if down else range(low, high, step)
                last = values.start + len(values) * values.step
                for value in values:
                    self.steps += 1
                    if self.steps > LIMIT:
                        raise TooLong
                    self.names[name] = value
                    self.run(inner)
                    self.run(moves)
                if name == "w":
                    self.names[name] = last
            elif stmt[0] == "if":
                if self.evaluate(stmt[1]):
                    self.run(stmt[2])
            elif stmt[0] == "move":
                _, target, operator, value = stmt
                way = self.evaluate(value) if operator == "+=" else -self.evaluate(value)
                self.names[target] = View(self.names[target], way) if target == "c" else self.names[target] + way
            else:
                _, target, operator, value = stmt
                value = self.evaluate(value)
                if target == "s":
                    self.names["s"] += value
                elif target in ("x", "y"):
                    self.names[target] = value
                    if abs(value) > 1 << 20:
                        raise TooLong
                else:
                    array, index = target[0], self.evaluate(target[2:-1])
                    memory = self.names[array]
                    memory[index] = (memory[index] + value if operator == "+=" else value)
                    if abs(memory[index]) > 1 << 28:
                        raise TooLong

    def evaluate(self, text):
        return eval(text, {}, self.names)  # our own text


class Memory:
    def __init__(self, array, touched):
        self.array, self.touched, self.values = array, touched, {}

    def __getitem__(self, index):
        self.touched.add(index)
        return self.values.get(index, initial(self.array, index))

    def __setitem__(self, index, value):
        self.touched.add(index)
        self.values[index] = value


class View:
    """A pointer into another's block, `apart` elements behind the other's pointer."""

    def __init__(self, memory, apart):
        if isinstance(memory, View):
            memory, apart = memory.memory, memory.apart + apart
        self.memory, self.apart = memory, apart

    def __getitem__(self, index):
        return self.memory[index + self.apart]

    def __setitem__(self, index, value):
        self.memory[index + self.apart] = value


def c_text(body, indent=1):
    lines, space = [], "    " * indent
    for stmt in body:
        if stmt[0] == "for":
            _, name, low, high, (down, step), inner, sets, moves = stmt
            by_one, by_more = ("--", "-=") if down else ("++", "+=")
            last = f"{name}{by_one}" if step == "1" else f"{name} {by_more} {step}"
            first, test = (f"{name} = {high} - 1", f"{name} >= {low}") if down else (f"{name} = {low}", f"{name} < {high}")
            # Half of the lists have the loop's own variable first.
            order = (lambda own, others: [own, *others]) if len(name) % 2 else (lambda own, others: [*others, own])
            is_declared = name != "w" and (not sets or sets[0][0] != "q")
            if not is_declared and name != "w":
                lines.append(f"{space}int {name};")
            first = ", ".join(order(first, [f"{target} = {value}" for target, value in sets]))
            last = ", ".join(order(last, [" ".join(move[1:]) for move in moves]))
            head = f"{'int ' if is_declared else ''}{first}; {test}; {last}"
            lines += [f"{space}for ({head}) {{", *c_text(inner, indent + 1), f"{space}}}"]
        elif stmt[0] == "if":
            lines += [f"{space}if ({stmt[1]}) {{", *c_text(stmt[2], indent + 1), f"{space}}}"]
        else:
            lines.append(f"{space}{stmt[1]} {stmt[2]} {stmt[3]};")
    return lines


def program(body, calls, restrict):
    """The C text; each call has blocks of exactly what it touches (elements before the pointer too)."""
    mark = "restrict " if restrict else ""
    lines = ["#include <stdio.h>", "#include <stdlib.h>", ""]
    lines += [f"int kernel(int n, int m, int k, int *{mark}a, const int *{mark}b, int *restrict c)", "{", "    static int y;", "    int s = 0, q = 0, w = 0, x = k;", "    y = m;"]
    lines += c_text(body) + ["    return s + 1000 * q + 77 * w + 13 * x + 5 * y;", "}", ""]
    lines += ["static int *block(int low, int size, int factor)", "{", "    int *p = malloc((size_t)size * sizeof(int));",
              "    if (!p)", "        exit(1);", "    for (volatile int i = 0; i < size; i++)",
              "        p[i] = ((((i + low) * factor + 3) % 11) + 11) % 11 - 4;", "    return p;", "}", ""]
    lines += ["static void show(const int *p, int size)", "{", "    unsigned long sum = 0;", "    for (volatile int i = 0; i < size; i++)",
              '        sum = sum * 31 + (unsigned long)p[i];', '    printf(" %lx", sum);', "}", "", "int main(void)", "{"]
    for parameters, ranges, apart in calls:
        lines.append("    {")
        pointers = []
        for array in ARRAYS:
            low, high = ranges[array]
            factor = {"a": 5, "b": 7, "c": 3}[array]
            lines.append(f"        int *{array} = block({low}, {max(1, high - low)}, {factor});")
            pointers.append(f"{array} + {-low}" if low else array)
        if apart is not None:
            pointers[1] = f"{pointers[0]} + ({apart})"
        values = ", ".join(str(parameters[name]) for name in PARAMETERS)
        lines.append(f'        printf("%d", kernel({values}, {", ".join(pointers)}));')
        for array in ARRAYS:
            low, high = ranges[array]
            lines += [f"        show({array}, {max(1, high - low)});", f"        free({array});"]
        lines += ['        puts("");', "    }"]
    return "\n".join(lines + ["    return 0;", "}", ""])


def make(seed, counters, steps):
    rng = random.Random(seed)
    maker = Maker(rng, counters, steps)
    body = maker.function()
    calls = []
    restrict = rng.random() < 0.6
    for attempt in range(12):
        parameters = {"n": rng.randint(-3, 9), "m": rng.randint(-3, 9), "k": rng.randint(-4, 7)}
        apart = None if restrict else rng.choice([None, None, None, 0, 1, -2, 5])
        runner = Runner(parameters, apart)
        try:
            runner.run(body)
        except TooLong:
            continue
        ranges = {}
        for array, touched in runner.touched.items():
            # The pointer itself lies in the block.
            low, high = min(touched | {0}), max(touched | {-1}) + 1
            if steps and touched:
                low, high = low - SPARE, high + SPARE
            ranges[array] = (low, high)
        if apart is not None:
            # The second pointer lies in the block, too.
            low, high = ranges["a"]
            ranges["a"] = (min(low, apart), max(high, apart))
        calls.append((parameters, ranges, apart))
        if len(calls) == 6:
            break
    return (program(body, calls, restrict), maker.counts) if calls else None


def in_type(text, of, folder):
    """The same program with sizes and counters of an unsigned type, and with the calls that are well defined then."""
    start, end = text.index("static int *block"), text.index("int main(void)")
    kernel = re.sub(r"\bint (\w+)(?=[,)])", rf"{of} \1", text[:start]).replace("for (int ", f"for ({of} ")
    before = "#include <stddef.h>\n" + kernel + text[start:end] + "int main(void)\n{\n"
    path, binary = os.path.join(folder, "call.c"), os.path.join(folder, "call")
    kept = []
    for call in re.findall(r"    \{\n.*?\n    \}\n", text[end:], re.S):
        if "-" in re.search(r"kernel\((.*?,.*?,.*?),", call)[1]:
            continue
        with open(path, "w") as file:
            file.write(before + call + "    return 0;\n}\n")
        subprocess.run(["gcc", "-O1", "-w", "-fsanitize=address", "-o", binary, path], check=True)
        try:
            ran = subprocess.run([binary], capture_output=True, timeout=3)
        except subprocess.TimeoutExpired:
            continue
        if ran.returncode == 0:
            kept.append(call)
    return before + "".join(kept) + "    return 0;\n}\n" if kept else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ferry", default="target/release/ferry")
    parser.add_argument("--judge", default="target/release/ferry-judge")
    parser.add_argument("--keep", help="where programs go that are not the same")
    parser.add_argument("--openacc", action="store_true")
    parser.add_argument("--type", choices=["int", "unsigned", "size_t"], default="int")
    parser.add_argument("--counters", action="store_true")
    parser.add_argument("--steps", action="store_true")
    options = parser.parse_args()
    total = {"programs": 0, "loops": 0, "guards": 0, "reductions": 0, "moves": 0, "heads": 0, "left": 0, "steps": 0, "kernels": 0, "environments": 0, "left out": 0, "not the same": 0}
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "made.c"), os.path.join(folder, "out")
        for seed in range(options.seed, options.seed + options.count):
            made = make(seed, options.counters, options.steps)
            if made is None:
                continue
            text, counts = made
            if options.type != "int":
                text = in_type(text, options.type, folder)
            if text is None:
                continue
            with open(path, "w") as file:
                file.write(text)
            command = [options.ferry, "annotate", "--all", path, "-o", out] + ["--openacc"] * options.openacc
            run = subprocess.run(command, capture_output=True, text=True)
            found = re.search(r"(\d+) kernels? in (\d+) data environments?", run.stderr)
            wrong = None
            # A kernel whose text, read again, was not the intended program is not written: an internal failure, no wrong program.
            left_out = "not the intended program" in run.stderr
            if run.returncode != 0:
                wrong = f"status {run.returncode}: {run.stderr}"
            elif found:
                total["kernels"] += int(found[1])
                total["environments"] += int(found[2])
                judge = [options.judge, "--no-races", path, os.path.join(out, "made.c")] + ["--openacc"] * options.openacc
                judged = subprocess.run(judge, capture_output=True, text=True)
                if judged.returncode != 0:
                    wrong = judged.stdout + judged.stderr
            if left_out and not wrong:
                total["left out"] += 1
                print(f"seed {seed}: left out:{run.stderr[run.stderr.index('note:') + 5:].splitlines()[0]}", flush=True)
            total["programs"] += 1
            for key, value in counts.items():
                total[key] += value
            if wrong:
                total["not the same"] += 1
                print(f"seed {seed}: {wrong.strip()[-600:]}\n", flush=True)
            if options.keep and (wrong or left_out):
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"seed{seed}.c"), "w") as file:
                    file.write(text)
    print(", ".join(f"{value} {key}" for key, value in total.items()))
    sys.exit(1 if total["not the same"] or total["left out"] else 0)


if __name__ == "__main__":
    main()
