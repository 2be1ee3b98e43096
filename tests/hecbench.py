"""What does `ferry check` say of the OpenMP programs of HeCBench? They are C++, of which many use so little that C can be made of them.

Usage: hecbench.py FERRY CHECKOUT OUT

CHECKOUT is one of zjin-lcf/HeCBench; nothing is written into it. Copies of its sources, made C by the replacements below, go to OUT. A program counts if
at least one of its files with a target directive is C then (gcc takes it); it is read as one, with all of its files that are C.
Prints Markdown: counts, and each finding at error and warning level with its place in OUT, to be judged by hand.

The replacements keep lines, directives and accesses; clocks become `omp_get_wtime`, random numbers `drand48`, `new` and `vector` calls of the library, each
template the one for `float` or, where a file speaks of more `double`, for that. What a template with several types does is not kept: a finding about sizes is to be read in the original.
"""

import collections
import json
import os
import re
import shlex
import subprocess
import sys
import time

SOURCE = re.compile(r"\.(cpp|cc|c)$")
HEADER = re.compile(r"\.(h|hpp|cu|cuh)$")
TARGET = "pragma omp target"
SECONDS = 180
STANDARD = "stdio stdlib string math stdbool stdint assert float limits omp time sys/types"
PRELUDE = "".join(f"#include <{name}.h>\n" for name in STANDARD.split()) + (
    "#ifndef max\n#define max(a, b) ((a) > (b) ? (a) : (b))\n#define min(a, b) ((a) < (b) ? (a) : (b))\n#endif\n"
)
CPP_HEADERS = (
    "chrono iostream vector random algorithm string iomanip fstream sstream numeric limits utility functional memory type_traits array map cfloat "
    "climits iterator stdexcept list ostream cstddef new exception deque set queue unordered_map tuple string_view thread"
)
REPLACEMENTS = [
    (rf"#include\s*<({'|'.join(CPP_HEADERS.split())})>", ""),
    (r"#include\s*<c(math|stdio|stdlib|string|assert|time|stdint|float|limits|stdarg)>", r"#include <\1.h>"),
    (r'(#include\s*".*)\.(cpp|cc)"', r'\1.c"'),
    (r"using namespace std;", ""),
    (r"\bstd::", ""),
    (r"\b(max|min)<\w+>", r"\1"),
    (r"auto (\w+) = chrono::\w+::now\(\);", r"double \1 = omp_get_wtime();"),
    (r"\bchrono::\w+::now\(\)", "omp_get_wtime()"),
    (r"chrono::duration_cast<[^;]*?>\s*\((\w+) - (\w+)\)\.count\(\)", r"((\1 - \2) * 1e9)"),
    (r"chrono::duration<\w+>\s*(\w+) = (\w+) - (\w+);", r"double \1 = \2 - \3;"),
    (r"(\w+)\.count\(\)", r"\1"),
    (r"new (\w+)\s*\[([^\]]*)\]\s*\(\)", r"(\1*)calloc((\2), sizeof(\1))"),
    (r"new (\w+)\s*\[([^\]]*)\]", r"(\1*)malloc((\2) * sizeof(\1))"),
    (r"delete\s*\[\]\s*(\w+(?:->\w+|\.\w+|\[\w+\])*)", r"free(\1)"),
    (r"\b(?:reinterpret|static|const)_cast<([^>]*)>", r"(\1)"),
    (r"\bauto (\w+ = )", r"__auto_type \1"),
    (r"\bnullptr\b", "NULL"),
    (r"\bconstexpr\b", "const"),
    (r"template\s*<[^>]*>", ""),
    (r"(\w+)<(?:float|double|int|T|scalar_t|FP|real|unsigned int)(?:, *(?:float|double|int))*>\s*\(", r"\1("),
    (r"const (\w+)\s*&\s*(\w+)", r"const \1 \2"),
    (r"vector<(\w+)>\s+(\w+)\s*\(([^;,]*?)(?:,[^;]*)?\);", r"\1 *\2 = (\1*)calloc((\3), sizeof(\1));"),
    (r"\.data\(\)", ""),
    (r"(?:default_random_engine|mt19937|mt19937_64) (\w+)\s*[({][^;]*[)}];", r"int \1 = 1;"),
    (r"(?:uniform_real|uniform_int|normal)_distribution<[^>]*>\s*(\w+)\s*[({][^;]*[)}];", ""),
    (r"\b(float|double)\((?!\*)", r"(\1)("),
    (r"\bint\((?=[\w(])", r"(int)("),
    (r"cout\s*<<[^;]*;", r'printf("\\n");'),
    (r"using (\w+) = ([^;]*);", r"typedef \2 \1;"),
]


def as_c(text, is_source):
    types = sorted(set(re.findall(r"template\s*<\s*(?:typename|class)\s+(\w+)\s*>", text)))
    drawn = set(re.findall(r"(?:uniform_real|uniform_int|normal)_distribution<[^>]*>\s*(\w+)", text))
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    for name in drawn:
        text = re.sub(rf"\b{name}\s*\((\w+)\)", "drand48()", text)
    structures = sorted(set(re.findall(r"\bstruct (\w+)\s*\{", text)))
    number = "double" if text.count("double") > text.count("float") else "float"
    start = PRELUDE if is_source else ""
    start += "".join(f"typedef struct {name} {name};\n" for name in structures)
    start += "".join(f"#ifndef TEMPLATE_{name}\n#define TEMPLATE_{name}\ntypedef {number} {name};\n#endif\n" for name in types)
    return start + text


def commands(folder):
    """The sources of a program with the flags that its Makefile gives them."""
    said = subprocess.run(["make", "-n", "-B", "CC=g++"], cwd=folder, capture_output=True, text=True).stdout
    found = {}
    for line in said.replace("\\\n", " ").splitlines():
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        flags = [word for word in words if word.startswith(("-I", "-D")) and "STRICT_ANSI" not in word and len(word) > 2]
        found.update({word: flags for word in words if SOURCE.search(word) and not word.startswith("-")})
    return found or {name: [] for name in os.listdir(folder) if SOURCE.search(name)}


def copy(source, out):
    names = set(os.listdir(source))
    wanted = [name for name in names if name.rsplit("-", 1)[0] + "-omp" in names]
    for folder, _, files in (entry for name in wanted for entry in os.walk(os.path.join(source, name))):
        for name in files:
            is_source = bool(SOURCE.search(name))
            if not is_source and not HEADER.search(name):
                continue
            path = os.path.join(folder, name)
            target = os.path.join(out, os.path.relpath(SOURCE.sub(".c", path), source))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(path, errors="replace") as old, open(target, "w") as new:
                new.write(as_c(old.read(), is_source))


def read(folder, there):
    """The commands that compile the files of a program that are C, and the lines of those with target directives."""
    entries, lines = [], 0
    for file, flags in sorted(commands(folder).items()):
        path = os.path.normpath(os.path.join(there, SOURCE.sub(".c", file)))
        arguments = ["gcc", "-w", "-std=gnu17", "-fopenmp", *flags]
        if not os.path.exists(path) or subprocess.run([*arguments, "-fsyntax-only", path], cwd=there, capture_output=True).returncode:
            continue
        with open(path) as text:
            content = text.read()
        entries.append({"directory": there, "file": path, "arguments": [*arguments, "-c", path]})
        lines += content.count("\n") if TARGET in content else 0
    return entries, lines


def check(ferry, there, entries):
    """The findings, and the seconds; `None` if there are none in time."""
    with open(os.path.join(there, "compile_commands.json"), "w") as database:
        json.dump(entries, database)
    command = [ferry, "check", "-p", ".", *[entry["file"] for entry in entries], "--format", "json", "--pedantic"]
    start = time.monotonic()
    try:
        done = subprocess.run(command, cwd=there, capture_output=True, text=True, timeout=SECONDS)
        return json.loads(done.stdout)["findings"], time.monotonic() - start
    except (subprocess.TimeoutExpired, ValueError):
        return None, time.monotonic() - start


def main():
    ferry, checkout, out = (os.path.abspath(word) for word in sys.argv[1:])
    source = os.path.join(checkout, "src")
    copy(source, out)
    names = sorted(name for name in os.listdir(out) if name.endswith("-omp"))
    programs, lines, counts, said, without, slowest = 0, 0, collections.Counter(), [], [], []
    for name in names:
        there = os.path.join(out, name)
        entries, own = read(os.path.join(source, name), there)
        if own == 0:
            continue
        programs += 1
        lines += own
        findings, seconds = check(ferry, there, entries)
        slowest.append((round(seconds), name))
        if findings is None:
            without.append(name)
        for one in findings or []:
            counts[one["severity"], one["confidence"], one["rule"]] += 1
            if one["severity"] != "note":
                place = os.path.relpath(os.path.join(there, one["file"]), out)
                said.append(f"| {one['severity']} | `{one['rule']}` | {place}:{one['line']} | {one['confidence']} | {one['message']} |")
    print(f"{programs} of {len(names)} programs were read, {lines} lines in files with target directives; not judged: {', '.join(without) or 'none'}.")
    print(f"Seconds of the slowest three: {', '.join(f'{name} {seconds}' for seconds, name in sorted(slowest)[:-4:-1])}.\n")
    print("| level | confidence | rule | findings |\n|---|---|---|---|")
    for (severity, confidence, rule), count in sorted(counts.items()):
        print(f"| {severity} | {confidence} | `{rule}` | {count} |")
    print("\n| level | rule | place | confidence | message |\n|---|---|---|---|---|")
    print("\n".join(said))


main()
