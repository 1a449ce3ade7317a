"""`scripts/bench model`: what generated and hand-written CUDA move and do on a GPU, and what time that takes."""

import json
import pathlib
import re
import sys
import tempfile

from . import ROOT, floor, ppcg, predicted, pricing, sass, table

HELP = "what the generated CUDA moves, over what CUDA written by hand moves, and the time of both by the model"
DESCRIPTION = (
    "Runs the programs of benches/, translated and as written by hand, in cudasim's profile mode at the sizes that the"
    " programs have by default, and prints every counter as generated over hand-written: below 1 the generated"
    " program is better. A dash means that there is nothing to compare; nothing depends on the machine or on time. A"
    " row `NAME in order` compares with the hand-written program that keeps the order of C's operations, where the"
    " other does not. A second table has the time of the kernels by the model (gpu-time), and the floor: the time that"
    " the bytes take which every program must move, or the operations that it must execute, or the longest chain of"
    " them in C's order, whichever is longest. With `--sizes gpu` nothing runs: gpu-predict counts what the translated"
    " programs of benches/ and of PolyBench do at sizes for a GPU, and the table is sorted by time / floor."
    " With `--sizes polybench`, PolyBench's SMALL and MEDIUM, the sectors that its kernels touch stand beside those that"
    " the code of PPCG touches (benchmarks/ppcg.json)."
)

# What is compared: the head of the column, and the number in a profile.
COUNTERS = {
    "launches": lambda p: p["totals"]["launches"],
    "requests": lambda p: accesses(p, "global", "requests"),
    "sectors": lambda p: accesses(p, "global", "sectors"),
    "touched": lambda p: accesses(p, "global", "touched_sectors"),
    "wavefronts": lambda p: accesses(p, "shared", "wavefronts"),
    "conflicts": lambda p: accesses(p, "shared", "wavefronts") - accesses(p, "shared", "ideal_wavefronts"),
    "barriers": lambda p: p["totals"]["barriers"],
    "divergent": lambda p: p["totals"]["divergent_branches"],
    "DRAM": lambda p: p["totals"]["dram_read_bytes"] + p["totals"]["dram_written_bytes"],
    "to device": lambda p: p["copies"]["host_to_device"]["bytes"],
    "to host": lambda p: p["copies"]["device_to_host"]["bytes"],
}

# Hand-written programs: what a version is called, and how its file ends.
BY_HAND = {"by hand": "_hand.cu", "in order": "_ordered_hand.cu"}


def add_options(parser):
    parser.add_argument("programs", metavar="NAME", nargs="*", help="programs of benches/, or polybench/NAME (all)")
    sizes = "the default sizes; or sizes for a GPU, or those of PolyBench, for which counts are predicted"
    parser.add_argument("--sizes", choices=["default", "gpu", "polybench"], default="default", help=sizes)
    target = "the GPU (targets/h200.json, and targets/h100.json where counts are predicted)"
    parser.add_argument("--target", metavar="FILE", help=target)
    table.add_options(parser)
    table.add_markdown(parser)


def run(arguments):
    if arguments.sizes == "gpu":
        return predicted.run(arguments)
    if arguments.sizes == "polybench":
        return ppcg.run(arguments)
    names = arguments.programs or sorted({path.parent.name for path in (ROOT / "benches").glob("*/*_hand.cu")})
    target = pathlib.Path(arguments.target or ROOT / "targets/h200.json").resolve()
    measured = {}
    for name in names if pricing.build_model() else []:
        measured[name] = measure(name, target)
        print(f"{name}: {'measured' if measured[name] else 'failed'}", file=sys.stderr, flush=True)
    measured = {name: versions for name, versions in measured.items() if versions}
    if not predicted.build():
        return 1
    least = {name: floor_time(name, target) for name in measured}
    measured = {name: versions for name, versions in measured.items() if least[name]}
    tables = {"counts": of_counts(measured), "times": of_times(measured, least)}
    for name, shown_table in tables.items():
        table.print_table(*shown_table)
        print()
    rows = {name: numbers(versions) for name, versions in measured.items()}
    plots = [(f"{counter}: generated / by hand", plotted(measured, counter)) for counter in ["sectors", "DRAM"]]
    table.finish(arguments, {"bench": "model", "rows": rows}, plots)
    parts = {"made": made(target), **{name: table.markdown(*shown_table) for name, shown_table in tables.items()}}
    if arguments.markdown and not table.renew(arguments.markdown, parts):
        return 1
    return int(len(measured) < len(names))


# ---- what is shown ----------------------------------------------------------------------------


def of_counts(measured):
    """The table of what was counted: what stands in its corner, its heads and its rows."""
    rows = []
    for name, versions in measured.items():
        for version in [version for version in BY_HAND if version in versions]:
            pairs = ((versions["generated"][counter], versions[version][counter]) for counter in COUNTERS)
            rows.append([name if version == "by hand" else f"{name} {version}", *(ratio(*pair) for pair in pairs)])
    return "generated / by hand", list(COUNTERS), rows


def of_times(measured, least):
    """The table of times, in the same form."""
    kinds = ["generated", *BY_HAND]
    quotients = [f"generated / {kind}" for kind in [*BY_HAND, "floor"]]
    pairs = [f"{what}, generated : by hand" for what in PAIRS]
    dominant = [f"{kind}: dominant" for kind in ["generated", "by hand", "floor"]]
    heads = [*kinds, "floor", *quotients, *pairs, *dominant]
    rows = []
    for name, versions in measured.items():
        times = {kind: version["µs"] for kind, version in versions.items()} | {"floor": least[name][0]}
        dominant = [versions["generated"]["dominant"], versions["by hand"]["dominant"], least[name][1]]
        quotients = [quotient(times["generated"], times.get(kind)) for kind in [*BY_HAND, "floor"]]
        both = [versions["generated"], versions["by hand"]]
        pairs = [pair(*(show(version[what]) if version["µs"] else "-" for version in both)) for what, show in PAIRS.items()]
        rows.append([name, *(shown(times.get(kind)) for kind in [*kinds, "floor"]), *quotients, *pairs, *dominant])
    return "µs of kernels", heads, rows


# What is shown of both versions: the threads of a block of the kernel that takes longest, and the share of launches.
PAIRS = {"threads": str, "launching": lambda percent: f"{percent:.0f} %"}


def pair(generated, by_hand):
    return f"{generated} : {by_hand}"


def made(target):
    """For which GPU, when and with which tools the numbers were made."""
    tools = sass.found_tools(None)
    said = pricing.output_of([tools[0], "--version"]) if tools else ""
    version = re.search(r"release ([\d.]+)", said or "")
    compiler = f"and nvcc {version[1]}" if version else "and without nvcc, so that instructions are estimates"
    return f"Counted for `targets/{target.name}`, {table.made(ROOT)} {compiler}.\n"


def shown(microseconds):
    return f"{microseconds:.1f}" if microseconds else "-"


def quotient(above, below):
    return f"{above / below:.2f}" if above and below else "-"


def ratio(generated, by_hand):
    if generated == by_hand:
        return "1" if by_hand else "-"
    return f"{generated / by_hand:.2f}" if by_hand else f"{generated} : 0"


def numbers(versions):
    shown = [*COUNTERS, "µs", *PAIRS]
    return {f"{what}, {kind}": version[what] for what in shown for kind, version in versions.items()}


def plotted(measured, counter):
    def of(version):
        return {name: versions[version][counter] for name, versions in measured.items()}

    generated, by_hand = of("generated"), of("by hand")
    return {name: generated[name] / by_hand[name] for name in measured if by_hand[name]}


# ---- the floor --------------------------------------------------------------------------------


def floor_time(name, target):
    """The least time of a program at its default size, and what takes it; nothing if a tool failed."""
    source = ROOT / f"benches/{name}/{name}.c"
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        sizes = floor.named(source, sass.default_sizes(name))
        return floor.of_source(source, sizes, target, pathlib.Path(folder))


# ---- measuring --------------------------------------------------------------------------------


def measure(name, target):
    """The counters and the time of each version of a program; nothing if one of them failed."""
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        folder, source = pathlib.Path(folder), ROOT / f"benches/{name}"
        translate = [ROOT / "scripts/c2cuda", "--quiet", "-o", folder, source / f"{name}.c"]
        if not pricing.succeeds(translate):
            return None
        host, program = folder / f"{name}_host.c", folder / "generated"
        versions = {"generated": counted(folder / f"{name}_gpu.cu", program, target, host, source)}
        for version, ending in BY_HAND.items():
            kernels = source / f"{name}{ending}"
            if kernels.exists():
                versions[version] = counted(kernels, folder / version.replace(" ", "-"), target)
        return versions if all(versions.values()) else None


def counted(kernels, program, target, *host):
    """What a run of a program counts, and its time."""
    profile = program.with_suffix(".json")
    if not pricing.build(kernels, program, *host):
        return None
    time = pricing.price([program], profile, target, kernels)
    if not time:
        return None
    counts = json.loads(profile.read_text()) if profile.exists() else None
    numbers = {counter: number(counts) if counts else 0 for counter, number in COUNTERS.items()}
    kernels = counts["kernels"] if counts else []
    of_model = {"threads": pricing.threads(kernels, time), "launching": pricing.launching(time)}
    return numbers | {"µs": time["kernel_microseconds"], "dominant": pricing.dominant(time)} | of_model


def accesses(profile, memory, what):
    return sum(profile["totals"][memory][kind][what] for kind in ["loads", "stores", "atomics"])
