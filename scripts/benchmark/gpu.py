"""`scripts/bench gpu`: how long generated and hand-written CUDA take on a GPU."""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

from . import ROOT, table

HELP = "how long the generated CUDA takes on a GPU, over CUDA written by hand"
DESCRIPTION = (
    "Builds the programs of benches/, translated and as written by hand, runs both at the sizes that benches/README.md"
    " gives for a GPU, and prints the time of the translated program over the other, and of the sequential"
    " program over the translated one. Times are medians of whole runs, less the median of runs at the smallest"
    " size, in which everything is start-up. Translating and measuring may be done on two machines: --prepare DIR writes"
    " all sources there, and --from DIR needs only Python, gcc and nvcc."
)

# The smallest size of every program, in which nearly nothing is computed.
SMALLEST = 4


def add_options(parser):
    parser.add_argument("programs", metavar="NAME", nargs="*", help="programs of benches/ (all)")
    parser.add_argument("--prepare", metavar="DIR", help="write the sources of all programs there, and measure nothing")
    parser.add_argument("--from", metavar="DIR", dest="prepared", help="measure what --prepare wrote")
    parser.add_argument("--nvcc", default="nvcc -O2 -arch=native -fmad=false", help="the command that compiles CUDA (%(default)s)")
    parser.add_argument("--sizes", choices=["gpu", "default"], default="gpu", help="sizes for a GPU, or those that the programs have by default")
    parser.add_argument("--without-c", action="store_true", help="do not run the sequential programs, which take long at sizes for a GPU")
    parser.add_argument("--runs", metavar="N", type=int, default=5, help="how often each is run (5)")
    table.add_options(parser)


def run(arguments):
    if arguments.runs < 1:
        print("bench: --runs takes a positive number", file=sys.stderr)
        return 2
    folder = pathlib.Path(arguments.prepare or arguments.prepared or ROOT / "target/bench-gpu")
    names = arguments.programs or sorted(path.parent.name for path in (ROOT / "benches").glob("*/*_hand.cu"))
    if not arguments.prepared and not prepare(folder, names):
        return 1
    if arguments.prepare:
        return 0
    sizes = sizes_for_gpu() if arguments.sizes == "gpu" else {}
    rows, shown = {}, []
    for name in names:
        rows[name] = measure(folder / name, name, sizes.get(name, []), arguments)
        shown.append([name, *(cell(rows[name], *pair) for pair in [("generated", "by hand"), ("C", "generated")]), rows[name]["output"]])
    table.print_table("seconds", ["generated / by hand", "C / generated", "output"], shown)
    faster = {name: row["generated"] / row["by hand"] for name, row in rows.items() if row.get("by hand") and row.get("generated")}
    numbers = {name: {what: value for what, value in row.items() if what != "output"} for name, row in rows.items()}
    table.finish(arguments, {"bench": "gpu", "rows": numbers}, [("time: generated / by hand", faster)])
    return int(any(row["output"] != "equal" for row in rows.values()))


def cell(row, above, below):
    if not row.get(above) or not row.get(below):
        return "-"
    return f"{row[above] / row[below]:.2f} ({row[above]:.3f} : {row[below]:.3f})"


def prepare(folder, names):
    """Translates the programs: DIR/NAME/{NAME.c, NAME_host.c, NAME_gpu.cu, NAME_gpu.h, NAME_hand.cu} beside the shared headers."""
    for name in names:
        source, target = ROOT / "benches" / name, folder / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target)
        command = [ROOT / "scripts/c2cuda", "--quiet", "-o", target, target / f"{name}.c"]
        if subprocess.run(command, stdin=subprocess.DEVNULL).returncode:
            return False
    for header in (ROOT / "benches").glob("*.h"):
        shutil.copy(header, folder)
    return True


def sizes_for_gpu():
    """The last column of the table in benches/README.md."""
    rows = re.findall(r"^\| \[(\S+)\].*\| ([\d ]+) \|$", (ROOT / "benches/README.md").read_text(), re.M)
    return {name: size.split() for name, size in rows}


def measure(folder, name, size, arguments):
    """Seconds of the program generated, by hand and in C, and whether their outputs agree."""
    c_flags = ["-O2", "-ffp-contract=off", "-std=gnu11"]
    nvcc = arguments.nvcc.split()
    kernels = folder / f"{name}_gpu.cu"
    commands = {
        "C": [["gcc", *c_flags, folder / f"{name}.c", "-o", folder / "c", "-lm"]],
        "generated": [["gcc", *c_flags, "-c", folder / f"{name}_host.c", "-o", folder / "host.o"],
                      [*nvcc, kernels, folder / "host.o", "-o", folder / "generated", "-lm"]],
        "by hand": [[*nvcc, folder / f"{name}_hand.cu", "-o", folder / "by_hand"]],
    }
    row, outputs = {}, {}
    for what, builds in commands.items():
        if what == "C" and arguments.without_c:
            continue
        if not all(subprocess.run(build).returncode == 0 for build in builds):
            return {**row, "output": f"{what} is not built"}
        program = builds[-1][builds[-1].index("-o") + 1]
        start_up, _ = timed([program, *[str(SMALLEST)] * len(size)], arguments.runs)
        seconds, outputs[what] = timed([program, *size], arguments.runs if what != "C" else 1)
        if seconds is None or start_up is None:
            return {**row, "output": f"{what} failed"}
        row[what] = round(max(seconds - start_up, 1e-6), 6)
    return {**row, "output": "equal" if all(agree(outputs["generated"], other) for other in outputs.values()) else "different"}


def timed(command, runs):
    """The median of some runs in seconds, and the output; no time if one failed."""
    times, output = [], ""
    for _ in range(runs):
        start = time.perf_counter()
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env={**os.environ})
        times.append(time.perf_counter() - start)
        output = result.stdout
        if result.returncode:
            return None, output
    return statistics.median(times), output


def agree(one, other):
    """True if the numbers behind the checksums agree to a few digits of a float: sums may be grouped otherwise, and a GPU has other sines."""
    one, other = (re.sub(r"checksum \w+", "", text).split() for text in (one, other))
    return len(one) == len(other) and all(close(a, b) for a, b in zip(one, other))


def close(a, b):
    a, b = a.rstrip(","), b.rstrip(",")
    if a == b:
        return True
    try:
        a, b = (float.fromhex(x) if "0x" in x else float(x) for x in (a, b))
    except ValueError:
        return False
    return abs(a - b) <= 1e-3 * max(abs(a), abs(b))
