"""What is a test program? Finds them, reads their header comments and loop markers, and compiles and runs them."""

import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# Every folder but `wrong`, whose programs follow none of the rules.
FOLDERS = tuple(sorted(name for name in os.listdir(HERE) if name != "wrong" and os.path.isdir(os.path.join(HERE, name)) and name != "__pycache__"))

MARKER = re.compile(r"//\s*loop:\s*(\w+)\s*(?:,\s*(.*?))?\s*(?://.*)?$")


class Program:
    """One program: its files, and what its header says. `files` are absolute paths, the first one has the header."""

    def __init__(self, first):
        self.first = first
        self.name = os.path.splitext(os.path.basename(first))[0]
        self.folder = os.path.basename(os.path.dirname(first))
        header = {}
        with open(first) as text:
            for line in text:
                if not line.startswith("//"):
                    break
                key, _, value = line[2:].partition(":")
                header.setdefault(key.strip(), value.strip())
        names = header.get("files", os.path.basename(first)).split()
        self.files = [os.path.join(os.path.dirname(first), name) for name in names]
        self.flags = header.get("flags", "").split() + ["-I" + name for name in self._include(header)]
        self.libraries = ["-l" + name for name in header.get("libraries", "").split()]
        self.sizes = [[], header["sizes"].split()] if "sizes" in header else [[]]
        self.variants = header.get("variants", "").split()

    def _include(self, header):
        return [os.path.join(os.path.dirname(self.first), path) for path in header.get("include", "").split()]


def is_part(path):
    """True for a file that belongs to a program but does not begin one."""
    with open(path) as text:
        return text.readline().startswith("// part of:")


def all_programs(folders=FOLDERS):
    """Every program of the folders, in order."""
    found = []
    for folder in folders:
        path = os.path.join(HERE, folder)
        if not os.path.isdir(path):
            continue
        for name in sorted(os.listdir(path)):
            whole = os.path.join(path, name)
            if name.endswith(".c") and not is_part(whole):
                found.append(Program(whole))
    return found


def marker(line):
    """(verdict, facts) of the loop marker of a line, or None. Facts are kept as one string."""
    match = MARKER.search(line)
    return (match.group(1), match.group(2) or "") if match else None


def split_facts(facts):
    """The facts of a marker: commas inside parentheses do not separate, and `because` takes the rest."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(facts):
        depth += letter in "([" 
        depth -= letter in ")]"
        if letter == "," and depth == 0:
            parts.append(facts[start:place].strip())
            start = place + 1
            if facts[start:].strip().startswith("because"):
                break
    parts.append(facts[start:].strip())
    return [part for part in parts if part]


def compile_program(compiler, files, output, program, extra=()):
    """Compiles and links; returns the diagnostics, raises RuntimeError when it fails."""
    command = [*compiler, "-std=gnu11", "-Wall", "-Wextra", *extra, *program.flags, *files, "-o", output, *program.libraries, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stderr


def run(binary, environment=None, limit=60):
    """(exit status, standard output, standard error)"""
    done = subprocess.run([binary], capture_output=True, text=True, timeout=limit, env={**os.environ, **(environment or {})})
    return done.returncode, done.stdout, done.stderr
