#!/usr/bin/env python3
"""Does `ferry check` know which tasks are in order?

    task_graphs.py COUNT [--seed N] [--ferry PATH] [--keep DIR]

Makes small programs in which one thread of a region makes tasks: in one another, in loops of three iterations and in a function of its own, with `depend`, `if(0)`, `final(1)`,
`taskwait`, `taskgroup`, copies, critical regions and atomic updates, around reads and writes of a few variables. Each is also run here, event by event: what comes before
what is a graph (OpenMP 5.0, 2.10, 2.17.5, 2.17.6 and 2.17.11), and two accesses that no path joins race; an access to what a task has for itself that no path joins to its end
outlives it. What `check` says with an error must be such a variable; of the variables of which one of both is true so many are found. Prints both; exit status 1 if something is said that is not so.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

SHARED = ("a", "b", "c", "d")
TIMES = 3  # iterations of a loop


class Maker:
    """Makes a tree of statements: tuples of a kind and its parts."""

    def __init__(self, rng):
        self.rng = rng
        self.constants = itertools.count(1)

    def block(self, depth, looped, private):
        return [self.statement(depth, looped, private) for _ in range(self.rng.randint(1, 5 - depth))]

    def access(self):
        name = self.rng.choice(SHARED + ("local",))
        kind = self.rng.choice(("set", "set", "add", "read", "read"))
        return (kind, name, next(self.constants))

    def statement(self, depth, looped, private):
        roll = self.rng.random()
        if depth < 3 and roll < 0.45:
            return self.task(depth, looped, private)
        if roll < 0.57:
            names = self.rng.sample(SHARED, self.rng.choice((0, 0, 0, 1)))
            return ("taskwait", self.depend(names))
        if depth < 3 and roll < 0.62:
            return ("taskgroup", self.block(depth + 1, looped, private))
        if depth < 2 and not looped and roll < 0.68:
            return ("loop", self.block(depth + 1, True, private))
        if roll < 0.72:
            return ("critical", self.rng.choice(("", "one", "two")), self.access())
        if roll < 0.76:
            return ("atomic", self.rng.choice(SHARED), next(self.constants))
        return self.access()

    def depend(self, names):
        kinds = ("in", "in", "out", "inout", "inout", "mutexinoutset", "inoutset")
        return [(self.rng.choice(kinds), name) for name in names]

    def task(self, depth, looped, private):
        names = self.rng.sample(SHARED, self.rng.choice((0, 0, 1, 1, 2)))
        clauses = {
            "depend": self.depend(names),
            "firstprivate": self.rng.sample(SHARED, self.rng.choice((0, 0, 0, 1))),
            "shared": self.rng.choice((["local"], ["local"], [])),
            "at once": self.rng.random() < 0.1,
            "final": self.rng.random() < 0.05,
        }
        return ("task", clauses, self.block(depth + 1, looped, private))


def written(tree, indent, lines):
    pad = "    " * indent
    for one in tree:
        kind = one[0]
        if kind == "set":
            lines.append(f"{pad}{one[1]} = {one[2]};")
        elif kind == "add":
            lines.append(f"{pad}{one[1]} += {one[2]};")
        elif kind == "read":
            lines.append(f"{pad}{{ int seen{one[2]} = {one[1]}; (void)seen{one[2]}; }}")
        elif kind == "taskwait":
            lines.append(f"{pad}#pragma omp taskwait{depends(one[1])}")
        elif kind == "taskgroup":
            lines.append(f"{pad}#pragma omp taskgroup")
            braces(one[1], indent, lines)
        elif kind == "loop":
            lines.append(f"{pad}for (int i = 0; i < {TIMES}; i++)")
            braces(one[1], indent, lines)
        elif kind == "critical":
            lines.append(f"{pad}#pragma omp critical{f' ({one[1]})' if one[1] else ''}")
            braces([one[2]], indent, lines)
        elif kind == "atomic":
            lines.append(f"{pad}#pragma omp atomic")
            lines.append(f"{pad}{one[1]} += {one[2]};")
        elif kind == "task":
            clauses = one[1]
            text = depends(clauses["depend"])
            for name in ("firstprivate", "shared"):
                text += f" {name}({', '.join(clauses[name])})" if clauses[name] else ""
            text += " if(0)" if clauses["at once"] else ""
            text += " final(1)" if clauses["final"] else ""
            lines.append(f"{pad}#pragma omp task{text}")
            braces(one[2], indent, lines)
    return lines


def braces(tree, indent, lines):
    lines.append("    " * indent + "{")
    written(tree, indent + 1, lines)
    lines.append("    " * indent + "}")


def depends(all_of_them):
    return "".join(f" depend({kind}: {name})" for kind, name in all_of_them)


class Task:
    def __init__(self, parent, final):
        self.parent = parent
        self.final = final
        self.children = []  # (task, dependences), in the order in which they are made
        self.first = None
        self.last = None
        self.exclusive = set()


class Run:
    """What comes before what: `before[e]` are the events with a path to `e`, as bits."""

    def __init__(self):
        self.before = []
        self.accesses = []
        self.ends = []  # a place, and the event at which it ends
        self.copies = itertools.count(1)

    def event(self, *earlier):
        bits = 0
        for one in earlier:
            bits |= self.before[one] | 1 << one
        self.before.append(bits)
        return len(self.before) - 1

    def region(self, tree):
        thread = Task(None, False)
        names = {name: (name, 0) for name in SHARED}
        names["local"] = ("local", 0)
        last = self.block(tree, thread, self.event(), names, frozenset(["local"]), [])
        # All is waited for before `local` ends that this thread has made.
        self.ends.append((names["local"], self.event(last, *(child.last for child, _ in thread.children))))

    def block(self, tree, task, now, names, own, groups):
        for one in tree:
            now = self.statement(one, task, now, names, own, groups, frozenset())
        return now

    def note(self, one, task, now, names, held):
        kind, name = one[0], one[1]
        if kind in ("add", "read"):
            now = self.event(now)
            self.accesses.append((names[name], False, now, held, task, None))
        if kind in ("set", "add"):
            now = self.event(now)
            self.accesses.append((names[name], True, now, held, task, one[2] if kind == "set" else None))
        return now

    def statement(self, one, task, now, names, own, groups, held):
        kind = one[0]
        if kind in ("set", "add", "read"):
            return self.note(one, task, now, names, held)
        if kind == "critical":
            return self.note(one[2], task, now, names, held | {("critical", one[1])})
        if kind == "atomic":
            return self.note(("add", one[1], None), task, now, names, held | {("atomic",)})
        if kind == "taskwait":
            if one[1]:
                return self.event(now, *self.earlier(task, one[1]))
            return self.event(now, *(child.last for child, _ in task.children))
        if kind == "taskgroup":
            members = []
            now = self.block(one[1], task, now, names, own, groups + [members])
            return self.event(now, *(member.last for member in members))
        if kind == "loop":
            for _ in range(TIMES):
                now = self.block(one[1], task, now, names, own, groups)
            return now
        clauses = one[1]
        child = Task(task, task.final or clauses["final"])
        at_once = clauses["at once"] or task.final
        inside = dict(names)
        copied = set(clauses["firstprivate"]) | (own - set(clauses["shared"]))
        for name in copied:
            inside[name] = (name, next(self.copies))
        child.exclusive = {names[name] for kind, name in clauses["depend"] if kind == "mutexinoutset"}
        now = made = self.event(now)
        child.first = self.event(now, *self.earlier(task, clauses["depend"]))
        for group in groups:
            group.append(child)
        # What is a copy here is a copy in the tasks inside; `local` that is shared here is no variable of all threads.
        child.last = self.event(self.block(one[2], child, child.first, inside, own | copied, groups))
        self.ends += [(inside[name], child.last) for name in copied]
        task.children.append((child, clauses["depend"]))
        # Making the task reads what it then reads of its copies before it sets them.
        for name in sorted(copied):
            first = next((one for one in self.accesses if one[0] == inside[name]), None)
            if first and not first[1]:
                self.accesses.append((names[name], False, made, frozenset(), task, None))
        return self.event(now, child.last) if at_once else now

    def earlier(self, task, depend):
        """The ends of the earlier children that have to be done first."""
        apart = {("in", "in"), ("mutexinoutset", "mutexinoutset"), ("inoutset", "inoutset")}
        ends = []
        for child, other in task.children:
            pairs = ((a, b) for a, first in other for b, second in depend if first == second)
            if any(pair not in apart for pair in pairs):
                ends.append(child.last)
        return ends

    def races(self):
        found = set()
        for (place, write, at, held, task, value), (other, writes, then, holds, by, again) in itertools.combinations(
            self.accesses, 2
        ):
            # That two store one value is no race that anybody sees.
            if place != other or not (write or writes) or held & holds or value is not None and value == again:
                continue
            ordered = self.before[then] >> at & 1 or self.before[at] >> then & 1
            siblings = task is not by and task.parent is by.parent
            if not ordered and not (siblings and task.exclusive & by.exclusive):
                found.add(place[0])
        return found

    def outlived(self):
        """The variables that end before a task is done with them."""
        ends = dict(self.ends)
        accesses = [(place, at) for place, _, at, *_ in self.accesses if place in ends and at != ends[place]]
        return {place[0] for place, at in accesses if not self.before[ends[place]] >> at & 1}


def program(tree, in_function):
    body = written(tree, 3 if not in_function else 1, [])
    declared = "int local = 0;"
    lines = ["#include <stdio.h>", "", "static int a, b, c, d;", ""]
    if in_function:
        lines += ["static void work(void)", "{", f"    {declared}", *body, "    #pragma omp taskwait", "    (void)local;", "}", ""]
        inner = ["        work();"]
    else:
        # Where the block of `single` itself ended, a barrier would come before anything else could get the storage.
        inner = ["        {", "        {", f"            {declared}", *body, "            #pragma omp taskwait", "            (void)local;", "        }", "        }"]
    lines += ["int main(void)", "{", "    #pragma omp parallel", "    {", "        #pragma omp single", *inner, "    }"]
    return "\n".join(lines + ['    printf("%d %d %d %d\\n", a, b, c, d);', "    return 0;", "}", ""])


def said(ferry, path):
    done = subprocess.run(
        [ferry, "check", "--format", "json", path, "--", "-fopenmp"], capture_output=True, text=True, check=False, timeout=120
    )
    report = json.loads(done.stdout)
    if not all(one["read"] for one in report["files"]):
        sys.exit(f"{path} cannot be read: {done.stderr}")
    errors = [one for one in report["findings"] if one["severity"] == "error"]
    outlived = {one["object"] for one in errors if one["rule"] == "task-outlives-storage"}
    return {one["object"] for one in errors if one["rule"] != "task-outlives-storage"}, outlived


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ferry", default="target/release/ferry")
    parser.add_argument("--keep")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    racy = clean = found = missed = wrong = silent = early = 0
    for seed in range(options.seed, options.seed + options.count):
        rng = random.Random(seed)
        tree = Maker(rng).block(0, False, set())
        run = Run()
        run.region(tree)
        races, outlived = run.races(), run.outlived()
        path = os.path.join(folder, f"tasks{seed}.c")
        with open(path, "w") as text:
            text.write(program(tree, rng.random() < 0.4))
        racing, ending = said(options.ferry, path)
        true, objects = races | outlived, racing | ending
        racy += bool(true)
        early += bool(outlived)
        clean += not true
        silent += not true and not objects
        found += len(objects & true)
        missed += len(true - objects)
        for what, names in (("race", racing - races), ("end too early", ending - outlived)):
            for name in sorted(names):
                wrong += 1
                print(f"{path}: {name} is said to {what}, and does not", file=sys.stderr)
        if options.keep and true - objects:
            print(f"{path}: missed {', '.join(sorted(true - objects))}")
        elif not options.keep:
            os.unlink(path)
    print(f"{options.count} programs: {racy} wrong, in {early} a variable ends too early; {clean} right, of which {silent} without an error")
    print(f"variables that race or end too early: {found + missed}, found {found}; said and not so: {wrong}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
