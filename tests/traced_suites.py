"""Are the verdicts and sections of `ferry report` true in runs of programs that nobody wrote for it? Judges 3 and 4 on public suites.

Usage: traced_suites.py FERRY JUDGE NAME=FOLDER... [--only WORD]... [--accesses N] [--executions N] [--keep FOLDER] [--plant]

The names and checkouts are those of `public_suites.py`. Nothing is written into the checkouts. Each program is copied, reported on (with the directives of its authors ignored,
its files together), compiled with every load and store traced, and run as a sequential program; `ferry-judge --report` compares. Of each loop so many executions are
followed, and a run is ended after so many accesses. With --plant the judge itself is judged: loops that are called sequential are called parallel instead. Prints a table in Markdown, and below it every complaint with its place.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

from public_suites import SUITES, copied, database


def plant(report):
    """Calls the loops parallel that are called sequential; says which."""
    wrong = [loop for loop in report["loops"] if loop["verdict"] == "sequential"]
    for loop in wrong:
        loop["verdict"] = "parallel"
    return {(loop["file"], loop["line"]) for loop in wrong}


def reported(ferry, program, folder):
    """The report's file, or in words why there is none."""
    database(program, folder)
    command = [ferry, "report", *program.sources, "--format", "json", "--ignore-directives", "-p", folder]
    done = subprocess.run(command, capture_output=True, cwd=folder, check=False)
    if done.returncode != 0:
        return None, f"`ferry report`: status {done.returncode}: {done.stderr.decode(errors='replace')[:200]}"
    path = os.path.join(folder, "report.json")
    with open(path, "wb") as file:
        file.write(done.stdout)
    return path, None


def judged(job):
    """The judge's answer about one program, or in words why there is none."""
    options, root, program, keep = job
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.join(keep, program.name) if keep else temporary
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        run = copied(program, root, folder)
        report, why = reported(options.ferry, program, folder)
        if why:
            return why
        planted = set()
        if options.plant:
            with open(report, encoding="utf-8") as file:
                text = json.load(file)
            planted = plant(text)
            with open(report, "w", encoding="utf-8") as file:
                json.dump(text, file)
        command = [options.judge, "--report", report, "--json", "--in", run, "--seconds", "900"]
        command += ["--accesses", str(options.accesses), "--executions", str(options.executions)]
        for word in program.arguments:
            command += ["--argument", word]
        said, without = "nothing", ""
        # The ends of sections are evaluated before loops that may not run: where that ends a program, the verdicts are judged without them.
        for sections in ([], ["--no-sections"]):
            done = subprocess.run([*command, *sections, *program.sources, "--", "-w", *program.flags], capture_output=True, cwd=folder, check=False)
            if done.returncode in (0, 1):
                answer = json.loads(done.stdout)
                wrong = [loop for loop in answer["loops"] if (loop["file"], loop["line"]) in planted and loop["executions"]]
                return answer | {"without": without, "planted": len(wrong), "condemned": sum(bool(loop["against"]) for loop in wrong)}
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            said = "; ".join(line for line in lines if "error:" in line or "` failed" not in line)
            without = said[:200]
        return said[:600]


def row(answer):
    loops = answer["loops"]
    ran = [loop for loop in loops if loop["executions"]]
    # A loop is listed once for each function that it is expanded into; complaints count by their text.
    carried = {(loop["file"], loop["line"], why) for loop in loops for why in loop["against"]}
    return collections.Counter(
        {
            "called parallel": len(loops),
            "seen": len(ran),
            "under a condition": sum(loop["conditional"] for loop in ran),
            "condition not asked": sum(loop["conditional"] and not loop["asked"] for loop in ran),
            "executions": sum(loop["executions"] for loop in ran),
            "iterations": sum(loop["iterations"] for loop in ran),
            "not followed": sum(loop["passed"] for loop in ran),
            "condition false": sum(loop["refused"] for loop in loops),
            "complaints": len(carried),
            "sets": answer["sets"],
            "exact": answer["exact"],
            "complaints about sections": len(answer["against"]) - len(carried),
            "planted": answer["planted"],
            "condemned": answer["condemned"],
        }
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ferry", type=os.path.abspath)
    parser.add_argument("judge", type=os.path.abspath)
    parser.add_argument("suites", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--only", action="append", default=[], help="programs whose names contain the word")
    parser.add_argument("--accesses", type=int, default=40_000_000, help="after which a run is ended")
    parser.add_argument("--executions", type=int, default=200, help="of each loop that are followed; later ones by powers of two")
    parser.add_argument("--plant", action="store_true", help="call the loops parallel that are called sequential: most must be condemned")
    parser.add_argument("--keep", type=os.path.abspath, help="where the copies and reports stay")
    options = parser.parse_args()
    jobs = []
    for argument in options.suites:
        suite, _, root = argument.partition("=")
        for program in SUITES[suite](root):
            if not options.only or any(word in program.name for word in options.only):
                keep = options.keep and os.path.join(options.keep, suite)
                jobs.append((suite, (options, os.path.abspath(root), program, keep)))
    total, columns, complaints, failed = collections.Counter(), None, [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (suite, job), answer in zip(jobs, pool.map(judged, [job for _, job in jobs])):
            name = job[2].name
            if isinstance(answer, str):
                failed.append(f"- {suite}, {name}: {answer}")
                continue
            counts = row(answer)
            if columns is None:
                columns = [column for column in counts if options.plant or column not in ("planted", "condemned")]
                print("| program | " + " | ".join(columns) + " | accesses | ended by |\n|" + "---|" * (len(columns) + 3))
            total.update(counts)
            without = " (no sections)" if answer["without"] else ""
            if without:
                failed.append(f"- {suite}, {name}, sections: {answer['without']}")
            cells = [str(counts[column]) for column in columns]
            print(f"| {suite}, {name} | {' | '.join(cells)} | {answer['accesses']} | {answer['exit']}{without} |", flush=True)
            complaints += [f"- {suite}, {name}: {why}" for why in answer["against"]]
    if columns:
        print("| **sum** | " + " | ".join(str(total[column]) for column in columns) + " | | |")
    if complaints:
        print("\nComplaints:\n\n" + "\n".join(complaints))
    if failed:
        print("\nNot judged:\n\n" + "\n".join(failed))
    sys.exit(1 if complaints or failed else 0)


main()
