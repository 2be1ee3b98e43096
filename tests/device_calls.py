#!/usr/bin/env python3
"""Which functions of the C library can a kernel call: what does Ferry say, and what do the compilers do?

    tests/device_calls.py FERRY > docs/device-calls.md

For each function a loop that calls it is given to `ferry report`, with OpenMP and with OpenACC, and a kernel that calls it to the compilers, for an NVIDIA device:
gcc links it or does not, in both languages; clang (OpenMP only: it compiles no OpenACC) (whose device library comes with CUDA, which need not be there) leaves a call of `__nv_…`, which that library has, an
instruction, or a name that nobody defines. Exit status 1 if Ferry sends a call to the device that one of them does not link.

Needs gcc 12 with its offload compiler (`gcc-12-offload-nvptx`), clang 19. No device.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.path.join(HERE, "..", "crates", "analysis", "src", "effects", "library")

TWO = {"atan2", "copysign", "fdim", "fmax", "fmin", "fmod", "hypot", "pow", "remainder", "nextafter", "nexttoward", "drem"}
CALLS = {
    "ldexp": "ldexp(x, 2)", "fma": "fma(x, x, 2)", "printf": 'printf("%d", i)', "malloc": "*(char *)malloc(i)", "free": "(free(p), 0)",
    "memset": "*(char *)memset(p, i, i)", "memcpy": "*(char *)memcpy(p, p + 8, i)", "memmove": "*(char *)memmove(p, p + 8, i)",
    "memcmp": "memcmp(p, p + 8, i)", "strlen": "strlen(p)", "strcmp": "strcmp(p, p + 8)", "strncmp": "strncmp(p, p + 8, i)",
    "strcpy": "*strcpy(p, p + 8)", "strncpy": "*strncpy(p, p + 8, i)", "strcat": "*strcat(p, p + 8)", "atoi": "atoi(p)", "atol": "atol(p)",
    "atof": "atof(p)", "atoll": "atoll(p)", "nan": "nan(p)", "nanf": "nanf(p)", "memchr": "*(char *)memchr(p, i, i)",
    "mempcpy": "*(char *)mempcpy(p, p + 8, i)", "bzero": "(bzero(p, i), 0)", "bcopy": "(bcopy(p, p + 8, i), 0)", "bcmp": "bcmp(p, p + 8, i)",
    "strcasecmp": "strcasecmp(p, p + 8)", "strncasecmp": "strncasecmp(p, p + 8, i)", "strcoll": "strcoll(p, p + 8)", "strnlen": "strnlen(p, i)",
    "stpcpy": "*stpcpy(p, p + 8)", "strncat": "*strncat(p, p + 8, i)", "strchr": "*strchr(p, i)", "strrchr": "*strrchr(p, i)",
    "strstr": "*strstr(p, p + 8)", "strpbrk": "*strpbrk(p, p + 8)", "strspn": "strspn(p, p + 8)", "strcspn": "strcspn(p, p + 8)",
    "strtol": "strtol(p, 0, 10)", "strtoll": "strtoll(p, 0, 10)", "strtoul": "strtoul(p, 0, 10)", "strtoull": "strtoull(p, 0, 10)",
    "strtod": "strtod(p, 0)", "strtof": "strtof(p, 0)", "strtold": "strtold(p, 0)", "rand_r": "rand_r((unsigned *)p)",
    "frexp": "frexp(x, (int *)p)", "modf": "modf(x, (double *)p)", "remquo": "remquo(x, 2, (int *)p)",
    "sincos": "(sincos(x, (double *)p, (double *)p + 1), 0)", "scalbn": "scalbn(x, 2)", "scalbln": "scalbln(x, 2)", "jn": "jn(2, x)", "yn": "yn(2, x)",
    "div": "div(i, 3).quot", "ldiv": "ldiv(i, 3).quot", "lldiv": "lldiv(i, 3).quot", "rand": "rand()", "qsort": "(qsort(p, i, 1, compare), 0)", "exit": "(exit(i), 0)", "abort": "(abort(), 0)",
    "__builtin_expect": "__builtin_expect(i, 1)", "__builtin_inff": "__builtin_inff()", "__builtin_inf": "__builtin_inf()",
    "__builtin_huge_val": "__builtin_huge_val()", "__builtin_nan": '__builtin_nan("")', "__builtin_nanf": '__builtin_nanf("")',
}
OF_INTEGERS = {"abs", "labs", "llabs", "__builtin_abs", "__builtin_popcount", "__builtin_clz", "__builtin_ctz", "isalpha", "isdigit", "isspace",
               "isupper", "islower", "toupper", "tolower", "isalnum", "isblank", "iscntrl", "isgraph", "isprint", "ispunct", "isxdigit",
               "isascii", "imaxabs"}
# What is in none of these lists, and people call.
OTHERS = ["malloc", "free", "printf", "rand", "qsort", "exit", "abort"]

HEAD = """#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
"""


def listed(name):
    """The names of an array of the library's tables."""
    text = ""
    for file in sorted(os.listdir(LIBRARY)):
        with open(os.path.join(LIBRARY, file)) as one:
            text += one.read()
    found = re.search(r"const %s: &\[.*?\] = &\[(.*?)\n\];" % name, text, re.S)
    return re.findall(r'"([a-z_0-9A-Z]+)"', found.group(1))


def functions():
    mathematics = listed("MATHEMATICS")
    pairs = listed("STORING")
    return (mathematics + [name + "f" for name in mathematics] + listed("MORE") + listed("PURE") + pairs + listed("OF_BYTES") + listed("MEMORY")
            + OTHERS)


def call(name):
    """An expression that calls it."""
    if name in CALLS:
        return CALLS[name]
    if name in OF_INTEGERS:
        return "%s(i)" % name
    double = name[:-1] if name.endswith("f") and name[:-1] in set(listed("MATHEMATICS")) else name
    if double != name and double in CALLS:
        return CALLS[double].replace(double, name, 1)
    return "%s(x, 2 * x)" % name if double in TWO else "%s(x)" % name


def run(command, folder):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


DIRECTIVES = {"openmp": "omp target map(tofrom: r, p[0:16])", "openacc": "acc parallel num_gangs(1) copy(r, p[0:16])"}


def gcc(name, language, folder):
    with open(os.path.join(folder, "g.c"), "w") as file:
        file.write(HEAD + """double f(double x, int i, char *p)
{
    double r = 0;
    #pragma %s
    r += %s;
    return r;
}
int main(int n, char **p) { return (int)f(n + 0.5, n, *p); }
""" % (DIRECTIVES[language], call(name)))
    options = ["-O0", "-fno-builtin-printf", "-f" + language, "-foffload=nvptx-none", "-foffload-options=nvptx-none=-lm", "-w", "-no-pie"]
    return run(["gcc-12", *options, "g.c", "-o", "g", "-lm"], folder).returncode == 0


def clang(folder):
    """`library`, `instruction` or the name that is left, of the kernel in OpenMP that was written last."""
    options = ["-O1", "-w", "-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda", "-nogpulib", "--offload-arch=sm_70", "--offload-device-only",
               "-S", "-emit-llvm"]
    done = run(["clang-19", *options, "g.c", "-o", "g.ll"], folder)
    if done.returncode != 0:
        return "no"
    with open(os.path.join(folder, "g.ll")) as file:
        left = re.findall(r"(?m)^declare .*?@([\w.]+)\(", file.read())
    own = [one for one in left if not one.startswith(("__kmpc_", "llvm."))]
    names = [one for one in own if not one.startswith("__nv_")]
    # The runtime has `printf` and `malloc` for itself.
    if set(names) <= {"__llvm_omp_vprintf", "malloc", "free"}:
        return "library" if own else "instruction"
    return ", ".join(names)


def ferry(binary, name, language, folder):
    """True if the loop goes to the device, else why not."""
    with open(os.path.join(folder, "f.c"), "w") as file:
        file.write(HEAD + """void f(int n, const double *restrict in, double *restrict out, char *restrict p)
{
    for (int i = 0; i < n; i++) {
        double x = in[i];
        out[i] = x + %s;
    }
}
""" % call(name))
    options = ["--openacc"] if language == "openacc" else []
    done = subprocess.run([binary, "report", "--all", *options, "--format", "json", "f.c"], cwd=folder, stdout=subprocess.PIPE, text=True)
    one = [one for one in json.loads(done.stdout)["loops"] if one["function"] == "f"][0]
    if one["offloaded"]:
        return True
    causes = [cause["message"] for cause in one["causes"]]
    return causes[0] if causes else one["reason"]


def main():
    binary = os.path.abspath(sys.argv[1])
    rows, wrong = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for name in functions():
            says, acc_says = [ferry(binary, name, language, folder) for language in ("openmp", "openacc")]
            acc_links, links = gcc(name, "openacc", folder), gcc(name, "openmp", folder)
            leaves = clang(folder)
            if says is True and not (links and leaves in ("library", "instruction")) or acc_says is True and not acc_links:
                wrong.append(name)
            kind = leaves if leaves in ("library", "instruction", "no") else "a name that nobody defines"
            why = lambda said: "the device" if said is True else "the host: " + re.sub(r"\b%s\b" % re.escape(name), "it", said)
            where = why(says) if why(says) == why(acc_says) else "%s; in OpenACC %s" % (why(says), why(acc_says))
            word = {True: "yes", False: "no"}
            rows.setdefault((where, word[links], word[acc_links], kind), []).append(name)
    print("# What kernels can call")
    print()
    print("Made by `tests/device_calls.py`: for each function of the C library that Ferry knows, and some more, what Ferry does with a loop that calls it, and")
    print("what compilers do with a kernel that does, for an NVIDIA device. gcc 12 links it or not, in OpenMP and in OpenACC. clang 19 leaves a call of its device library, which comes with CUDA")
    print("(`library`), an instruction, or a name that nobody defines there; it compiles no OpenACC.")
    print()
    print("| the loop runs on | gcc 12 links | gcc 12, OpenACC | clang 19 leaves | functions |")
    print("|---|---|---|---|---|")
    for (says, links, acc_links, leaves), names in sorted(rows.items(), key=lambda row: (row[0][0] != "the device", row[0])):
        print("| %s | %s | %s | %s | %s |" % (says, links, acc_links, leaves, ", ".join("`%s`" % name for name in names)))
    print()
    if wrong:
        print("Sent to the device, and not linked by both: " + ", ".join("`%s`" % name for name in wrong))
        sys.exit(1)
    print("Nothing is sent to the device that one of them does not link.")


if __name__ == "__main__":
    main()
