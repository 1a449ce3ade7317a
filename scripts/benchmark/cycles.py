"""`scripts/bench cycles`: the time model against the cycles that a GPU simulator measured."""

import itertools
import json
import math
import pathlib
import sys
import tempfile

from . import ROOT, pricing, table

HELP = "whether the time model agrees with cycles that a GPU simulator measured"
DESCRIPTION = (
    "Counts the programs of benchmarks/cycles in cudasim's profile mode, prices both versions of each with the time"
    " model (gpu-time), and compares the ratio, generated over hand-written, with that of the measured cycles. The"
    " model is accepted if every ratio is within a factor of 1.5 of the measured one, and if the programs come in the"
    " same order by their ratios, where neighbours may change places; else the exit status is 1. Instructions are counted"
    " where nvcc is installed (scripts/setup --with-nvcc)."
)

FOLDER = ROOT / "benchmarks/cycles"
# The largest factor between the model's ratio and the measured one.
FACTOR = 1.5
VERSIONS = ["generated", "by hand"]
# The oldest that nvcc 13 knows. Its multiprocessors have the instructions of a Volta's.
ARCHITECTURE = "sm_75"


def add_options(parser):
    parser.add_argument("programs", metavar="NAME", nargs="*", help="programs of benchmarks/cycles (all)")
    parser.add_argument("--keep", metavar="DIR", help="keep the profiles and what gpu-time says of each there")
    table.add_options(parser)


def run(arguments):
    rows = json.loads((FOLDER / "cycles.json").read_text())["rows"]
    unknown = set(arguments.programs) - {row["program"] for row in rows}
    if unknown:
        print(f"bench: benchmarks/cycles has no program {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    rows = [row for row in rows if not arguments.programs or row["program"] in arguments.programs]
    with tempfile.TemporaryDirectory(prefix="bench.") as temporary:
        folder = pathlib.Path(arguments.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        times = {row["row"]: measure(row, folder) for row in rows} if pricing.build_model() else {}
    failed = [row["row"] for row in rows if not times.get(row["row"])]
    priced = [{**row, "model": ratio(times[row["row"]])} for row in rows if row["row"] not in failed]
    show(priced, times)
    faults = [*(f"{name}: failed" for name in failed), *misses(priced), *inversions(priced)]
    document = {"bench": "cycles", "rows": {row["row"]: numbers(row, times[row["row"]]) for row in priced}}
    quotients = {row["row"]: row["model"] / row["ratio"] for row in priced}
    table.finish(arguments, document, [("model / simulator", quotients)])
    print("\n".join(["", *faults, "not accepted"] if faults else ["", "accepted"]))
    return int(bool(faults))


def ratio(times):
    return times["generated"]["kernel_microseconds"] / times["by hand"]["kernel_microseconds"]


def numbers(row, times):
    measured = {"simulator": row["ratio"], "model": row["model"]}
    return {**measured, **{f"µs, {version}": times[version]["kernel_microseconds"] for version in VERSIONS}}


# ---- what is shown ----------------------------------------------------------------------------


def show(rows, times):
    heads = ["simulator", "model", "model / simulator", *(f"µs, {version}" for version in VERSIONS), "dominant"]
    cells = [[row["row"], *shown(row, times[row["row"]])] for row in rows]
    table.print_table("generated / by hand", heads, cells)
    for judge, key in [("simulator", "ratio"), ("model", "model")]:
        means = by_program(rows, key)
        order = sorted(means, key=means.get, reverse=True)
        print(f"\nby the {judge}: " + ", ".join(f"{name} {means[name]:.2f}" for name in order))


def shown(row, times):
    microseconds = [f"{times[version]['kernel_microseconds']:.1f}" for version in VERSIONS]
    dominant = ", ".join(pricing.dominant(times[version]) for version in VERSIONS)
    return [f"{row['ratio']:.2f}", f"{row['model']:.2f}", f"{row['model'] / row['ratio']:.2f}", *microseconds, dominant]


# ---- acceptance -------------------------------------------------------------------------------


def misses(rows):
    """Rows whose ratios differ by more than FACTOR."""
    far = [row for row in rows if abs(math.log(row["model"] / row["ratio"])) > math.log(FACTOR)]
    return [f"{row['row']}: {row['model']:.2f} is not within a factor of {FACTOR} of {row['ratio']:.2f}" for row in far]


def by_program(rows, key):
    """The geometric mean of the rows of each program."""
    names = sorted({row["program"] for row in rows})
    values = {name: [row[key] for row in rows if row["program"] == name] for name in names}
    return {name: math.exp(sum(map(math.log, found)) / len(found)) for name, found in values.items()}


def inversions(rows):
    """Pairs of programs that the model has in the other order, unless they are neighbours. Programs with the same
    measured ratio share a place."""
    measured, modelled = by_program(rows, "ratio"), by_program(rows, "model")
    places = {value: place for place, value in enumerate(sorted(set(measured.values())))}
    faults = []
    for low, high in itertools.permutations(measured, 2):
        if places[measured[high]] - places[measured[low]] >= 2 and modelled[high] <= modelled[low]:
            faults.append(f"order: {high} should be above {low}, with others between them")
    return faults


# ---- measuring --------------------------------------------------------------------------------


def measure(row, folder):
    """What gpu-time says of both versions; nothing if one of them failed."""
    times = {version: priced(row, version, folder) for version in VERSIONS}
    if not all(times.values()):
        return None
    print(f"{row['row']}: measured", file=sys.stderr, flush=True)
    return times


def priced(row, version, folder):
    name, path = row["program"], folder / f"{row['row']} {version}".replace(" ", "-")
    source, program = FOLDER / name, path.with_suffix(".program")
    host = source / f"{name}_host.c" if version == "generated" else None
    kernels = source / f"{name}_{'gpu' if host else 'hand'}.cu"
    if not pricing.build(kernels, program, host, source):
        return None
    command = [program, *map(str, row["arguments"])]
    target, registers = ROOT / f"targets/{row['target']}.json", row.get("registers", {}).get(version)
    time = pricing.price(command, path.with_suffix(".json"), target, kernels, ARCHITECTURE, registers)
    if time:
        path.with_suffix(".time.json").write_text(json.dumps(time, indent=2) + "\n")
    return time
