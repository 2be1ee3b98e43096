"""Does a program print what another one printed, but for how numbers are rounded?

A GPU adds in another order, and compilers fuse multiplications with additions for it. So numbers may differ by TOLERANCE, beside one unit in the last place that is printed; whole numbers,
words and the number of lines may not. Lines that tell of times are left out, and those that the original itself prints otherwise if it is compiled with -ffast-math: sums that cancel, and the like.
"""

import itertools
import os
import re
import subprocess
import tempfile

# Lines that tell of times and speeds, and the bytes of pointers, are another each time.
CHANGING = re.compile(r"time|second|mop/s|mflops|lookups/s|sec\b|\d s, |0x[0-9a-f]+", re.I)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)\b")
TOLERANCE = 1e-4  # of a number, besides one unit in the last place that is printed


def printed_by(binary, arguments, folder, variables, limit):
    """What a program prints and writes into a folder, the messages of run times left out; its exit status; and what else it said."""
    before = {path: open(path, "rb").read() for path in files_in(folder)}
    try:
        result = subprocess.run([os.path.abspath(binary), *arguments], capture_output=True, timeout=limit, env=variables, cwd=folder)
        printed, said = result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")
        # PolyBench dumps its arrays among the messages.
        dumped = re.search(r"==BEGIN DUMP_ARRAYS==.*?==END", said, re.S)
        printed += dumped.group(0) if dumped else ""
        for path in sorted(files_in(folder)):
            content = open(path, "rb").read()
            if before.get(path) != content:
                printed += f"\n{os.path.basename(path)}:\n{content.decode(errors='replace')}"
        return printed, result.returncode, said
    finally:
        for path in files_in(folder):
            if path not in before:
                os.remove(path)
            elif open(path, "rb").read() != before[path]:
                open(path, "wb").write(before[path])


def files_in(folder):
    return [os.path.join(top, name) for top, _, names in os.walk(folder) for name in names]


def steady_lines(text):
    return [line for line in text.splitlines() if not CHANGING.search(line)]


def line_difference(one, other):
    """Where two lines differ by more than rounding, in words, or nothing; and the greatest relative difference of two of their numbers."""
    if one == other:
        return "", 0.0
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return f"`{one[:80]}` for `{other[:80]}`", 0.0
    worst = 0.0
    for a, b in zip(NUMBER.findall(one), NUMBER.findall(other)):
        x, y = float(a), float(b)
        if a == b or x == y:
            continue
        mantissa, _, power = b.lower().partition("e")
        unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
        # Whole numbers are counts: not rounded.
        if "." not in b and "e" not in b.lower() or not abs(x - y) <= TOLERANCE * abs(y) + unit * 1.01:
            return f"{a} for {b} in `{other[:80]}`", worst
        if abs(x - y) > unit * 1.01:
            worst = max(worst, abs(x - y) / abs(y))
    return "", worst


def difference(new, old, passed=()):
    """The same of two outputs, but for lines with these numbers."""
    worst = 0.0
    for number, (one, other) in enumerate(itertools.zip_longest(steady_lines(new), steady_lines(old), fillvalue="")):
        why, here = line_difference(one, other) if number not in passed else ("", 0.0)
        if why:
            return why, worst
        worst = max(worst, here)
    return "", worst


def what_it_hangs_on(flags, folder, run, arguments, printed, limit):
    """Of what the original prints: why nothing follows from it, or nothing; and the numbers of the lines that another way of rounding changes."""
    with tempfile.TemporaryDirectory() as scratch:
        binary = os.path.join(scratch, "other")
        variables = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
        if subprocess.run(["gcc-12", "-g", "-O1", "-fsanitize=address", *flags, "-o", binary], cwd=folder, capture_output=True, check=False).returncode == 0:
            said = printed_by(binary, arguments, run, variables, limit)[2]
            if "AddressSanitizer" in said:
                return "the original touches memory that it does not have", []
        if subprocess.run(["gcc-12", "-O3", "-ffast-math", "-march=native", *flags, "-o", binary], cwd=folder, capture_output=True, check=False).returncode:
            return "it does not compile with -ffast-math", []
        other, old = (steady_lines(text) for text in (printed_by(binary, arguments, run, None, limit)[0], printed))
        if len(other) != len(old):
            return "it prints more or less with -ffast-math", []
        return None, [number for number, (x, y) in enumerate(zip(other, old)) if line_difference(x, y)[0]]
