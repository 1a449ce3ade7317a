"""`scripts/bench functions`: how long the functions take that the tools consist of."""

import json
import os
import pathlib
import subprocess
import sys
import time

from . import ROOT, table

HELP = "how long the functions of the libraries and tools take"
DESCRIPTION = (
    "Runs the measurements of tests/functions (by criterion), and prints the median time of each"
    " function on each input: documents of tests/golden, and sets to count. Criterion's own results, with confidence"
    " intervals, are in target/criterion. A regular expression chooses by name: `scripts/bench functions 'scop::.*/tmv'`."
)

CRITERION = ROOT / "target/criterion"
UNITS = [("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1)]


def add_options(parser):
    parser.add_argument("filter", metavar="REGEX", nargs="?", help="measure only those whose FUNCTION/INPUT it matches")
    parser.add_argument("--seconds", metavar="S", type=float, default=2, help="how long each is measured (2)")
    table.add_options(parser)


def run(arguments):
    if arguments.seconds <= 0:
        print("bench: --seconds takes a positive number", file=sys.stderr)
        return 2
    start = time.time()
    measured = subprocess.run(command(arguments), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=environment())
    rows = results(start)
    table.print_table("time", ["input", "median"], [[function, given, shown(rows[function][given])] for function, given in pairs(rows)])
    plots = [(f"{function}: µs", {given: ns / 1e3 for given, ns in times.items()}) for function, times in rows.items()]
    numbers = {function: {f"{given}, ns": round(ns, 1) for given, ns in times.items()} for function, times in rows.items()}
    table.finish(arguments, {"bench": "functions", "rows": numbers}, plots)
    return int(measured.returncode != 0 or not rows)


def command(arguments):
    settings = ["--warm-up-time", "0.5", "--measurement-time", f"{arguments.seconds:g}", "--sample-size", "20", "--noplot", "--output-format", "bencher"]
    return ["cargo", "bench", "--locked", "--quiet", "--package", "functions", "--", *settings, *([arguments.filter] if arguments.filter else [])]


def environment():
    path = os.pathsep.join([os.environ["PATH"], str(pathlib.Path.home() / ".cargo/bin")])
    return {**os.environ, "PATH": path, "CRITERION_HOME": str(CRITERION)}


def results(start):
    """`{FUNCTION: {INPUT: nanoseconds}}` of what was measured since a time."""
    rows = {}
    for path in sorted(CRITERION.glob("*/*/new/benchmark.json")):
        estimates = path.with_name("estimates.json")
        if estimates.exists() and estimates.stat().st_mtime >= start:
            name = json.loads(path.read_text())
            rows.setdefault(name["group_id"], {})[name["value_str"]] = json.loads(estimates.read_text())["median"]["point_estimate"]
    return rows


def pairs(rows):
    return [(function, given) for function, times in rows.items() for given in times]


def shown(nanoseconds):
    unit, size = next((unit for unit in UNITS if nanoseconds >= unit[1]), UNITS[-1])
    return f"{nanoseconds / size:.3g} {unit}"
