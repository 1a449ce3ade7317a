"""`scripts/bench model`: what generated and hand-written CUDA move and do on a GPU, as cudasim counts it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from . import ROOT, table

HELP = "what the generated CUDA moves, over what CUDA written by hand moves"
DESCRIPTION = (
    "Runs the programs of benches/, translated and as written by hand, in cudasim's profile mode at the sizes that the"
    " programs have by default, and prints every counter as generated over hand-written: below 1 the generated"
    " program is better. A dash means that there is nothing to compare; nothing depends on the machine or on time."
)

# What is compared: the head of the column, and the number in a profile.
COUNTERS = {
    "launches": lambda p: p["totals"]["launches"],
    "requests": lambda p: accesses(p, "global", "requests"),
    "touched": lambda p: accesses(p, "global", "touched_sectors"),
    "sectors": lambda p: accesses(p, "global", "sectors"),
    "wavefronts": lambda p: accesses(p, "shared", "wavefronts"),
    "conflicts": lambda p: accesses(p, "shared", "wavefronts") - accesses(p, "shared", "ideal_wavefronts"),
    "barriers": lambda p: p["totals"]["barriers"],
    "divergent": lambda p: p["totals"]["divergent_branches"],
    "DRAM": lambda p: p["totals"]["dram_read_bytes"] + p["totals"]["dram_written_bytes"],
    "to device": lambda p: p["copies"]["host_to_device"]["bytes"],
    "to host": lambda p: p["copies"]["device_to_host"]["bytes"],
}


def add_options(parser):
    parser.add_argument("programs", metavar="NAME", nargs="*", help="programs of benches/ (all)")
    table.add_options(parser)


def run(arguments):
    names = arguments.programs or sorted({path.parent.name for path in (ROOT / "benches").glob("*/*_hand.cu")})
    rows, shown = {}, []
    for name in names:
        measured = measure(name)
        if measured is None:
            shown.append([name, *["failed"] * len(COUNTERS)])
            continue
        generated, by_hand = measured
        rows[name] = {}
        for counter in COUNTERS:
            rows[name][f"{counter}, generated"] = generated[counter]
            rows[name][f"{counter}, by hand"] = by_hand[counter]
        shown.append([name, *(ratio(generated[counter], by_hand[counter]) for counter in COUNTERS)])
        print(f"{name}: measured", file=sys.stderr, flush=True)
    table.print_table("generated / by hand", list(COUNTERS), shown)
    document = {"bench": "model", "rows": rows}
    table.finish(arguments, document, [(f"{counter}: generated / by hand", plotted(rows, counter)) for counter in ["sectors", "DRAM"]])
    return int(len(rows) < len(names))


def accesses(profile, memory, what):
    return sum(profile["totals"][memory][kind][what] for kind in ["loads", "stores", "atomics"])


def ratio(generated, by_hand):
    if generated == by_hand:
        return "1" if by_hand else "-"
    return f"{generated / by_hand:.2f}" if by_hand else f"{generated} : 0"


def plotted(rows, counter):
    pairs = {name: (row[f"{counter}, generated"], row[f"{counter}, by hand"]) for name, row in rows.items()}
    return {name: generated / by_hand for name, (generated, by_hand) in pairs.items() if by_hand}


def measure(name):
    """The counters of a program, generated and by hand; nothing if one of them failed."""
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        environment = {"CUDASIM_CACHE": str(ROOT / "target/cudasim"), "CUDASIM_TARGET": str(ROOT / "targets/h200.json")}
        program, by_hand = ROOT / f"benches/{name}/{name}.c", os.path.join(folder, "by_hand")
        generated = counted([ROOT / "scripts/c2cuda", "--quiet", "--run", "--profile", program], environment, folder)
        source = ROOT / f"benches/{name}/{name}_hand.cu"
        build = [ROOT / "cudasim/cudasim-cc", "--profile", "-ffp-contract=off", source, "-o", by_hand]
        written = counted([by_hand], environment, folder) if succeeds(build, environment) else None
        return (generated, written) if generated and written else None


def counted(command, environment, folder):
    profile = pathlib.Path(folder, "profile.json")
    profile.unlink(missing_ok=True)
    if not succeeds(command, {**environment, "CUDASIM_PROFILE": str(profile)}):
        return None
    if not profile.exists():
        return {counter: 0 for counter in COUNTERS}
    counts = json.loads(profile.read_text())
    return {counter: number(counts) for counter, number in COUNTERS.items()}


def succeeds(command, environment):
    """True if a command ends well; else what it said is shown."""
    result = subprocess.run(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode:
        sys.stderr.write(result.stderr)
    return result.returncode == 0
