"""`scripts/bench schedule`: how long finding an order takes, against isl's scheduler alone."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from . import ROOT, table
from .functions import environment
from .translate import BIN, name_of

HELP = "how long finding an order takes, against isl's scheduler alone"
DESCRIPTION = (
    "Measures on the kernels of PolyBench, or on other programs, how long scheduler takes to find an order (all orders that"
    " it considers, with their mappings and prices), and how long isl's own scheduler takes on the same constraints"
    " (median of the runs, milliseconds). Programs, reading and writing are not part of either."
)


def add_options(parser):
    parser.add_argument("programs", metavar="FILE.c", nargs="*", help="what is scheduled")
    table.add_options(parser)


def run(arguments):
    programs = arguments.programs or [str(path) for path in sorted((ROOT / "tests/kernels/polybench").glob("*.c"))]
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        documents = [document(program, folder) for program in programs]
        found = [path for path in documents if path]
        command = ["cargo", "bench", "--locked", "--quiet", "--package", "scheduler", "--bench", "schedule", "--", *found]
        measured = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment())
    rows = dict(row_of(line) for line in measured.stdout.splitlines())
    table.print_table("ms", ["isl", "scheduler", "ratio"], [[name, *map(shown, row.values())] for name, row in rows.items()])
    ratios = {name: row["ratio"] for name, row in rows.items() if "ratio" in row}
    if ratios:
        worst = max(ratios, key=ratios.get)
        print(f"median {statistics.median(ratios.values()):.1f} times isl's; worst {ratios[worst]:.1f}, {worst}")
    table.finish(arguments, {"bench": "schedule", "rows": rows}, [("times isl's", ratios)])
    return int(measured.returncode != 0 or len(rows) < len(programs))


def document(program, folder):
    """What candl-rs makes of a program; nothing if a tool refuses it, and then it says why."""
    extracted, analysed = (os.path.join(folder, f"{name_of(program)}.{number}") for number in "01")
    for command in ([BIN / "clan-rs", program, "-o", extracted], [BIN / "candl-rs", extracted, "-o", analysed]):
        if subprocess.run(command, stdin=subprocess.DEVNULL).returncode != 0:
            print(f"bench: {program} is not measured", file=sys.stderr)
            return None
    return analysed


def row_of(line):
    path, isl, order = line.split()
    order = int(order) / 1e3
    row = {"isl_ms": None, "scheduler_ms": order, "ratio": None}
    if isl != "-":
        row.update({"isl_ms": int(isl) / 1e3, "ratio": order / (int(isl) / 1e3)})
    return pathlib.Path(path).stem, {what: round(value, 3) for what, value in row.items() if value is not None}


def shown(number):
    return f"{number:.2f}"
