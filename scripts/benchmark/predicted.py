"""`scripts/bench model --sizes gpu`: what translated programs do at sizes for a GPU, by prediction."""

import concurrent.futures
import dataclasses
import json
import math
import os
import pathlib
import re
import statistics
import sys
import tempfile

from . import ROOT, floor, polybench, pricing, table

TOOLS = ["clan-rs", "candl-rs", "scheduler", "gpulocalizer", "cloog-rs"]
RELEASE = ROOT / "target/release"

# The seconds after which a prediction is given up.
LIMIT = 600

COUNTS = ["launches", "blocks", "blocks with work", "requests", "touched sectors", "sectors", "DRAM bytes"]

HEADS = [
    *["launches", "blocks", "with work", "threads", "requests", "touched", "sectors", "DRAM bytes"],
    *["ms", "launching", "floor ms", "lost", "dominant", "floor: dominant"],
]


@dataclasses.dataclass
class Job:
    """A program with the values of its parameters. PolyBench's names get a prefix: some are also in benches/."""

    name: str
    source: pathlib.Path
    sizes: dict


def sizes_for_gpu():
    """The last column of the table in benches/README.md."""
    rows = re.findall(r"^\| \[(\S+)\].*\| ([\d ]+) \|$", (ROOT / "benches/README.md").read_text(), re.M)
    return {name: size.split() for name, size in rows}


def seconds():
    """What was predicted for the kernels of each program; nothing for those that stay on the host."""
    rows = json.loads((ROOT / "benchmarks/predicted.json").read_text())["rows"]
    return {name: row["µs"] / 1e6 for name, row in rows.items() if row["launches"]}


def jobs(names):
    """All programs, or some: those of benches/, then PolyBench's."""
    found = {}
    for name, size in sizes_for_gpu().items():
        source = ROOT / f"benches/{name}/{name}.c"
        found[name] = Job(name, source, floor.named(source, map(int, size)))
    for kernel, sizes in polybench.PROGRAMS.items():
        name = f"polybench/{kernel}"
        found[name] = Job(name, ROOT / f"tests/kernels/polybench/{kernel}.c", sizes)
    unknown = [name for name in names if name not in found]
    if unknown:
        raise ValueError(f"there is no program {', '.join(unknown)}; there are {', '.join(found)}")
    return [found[name] for name in names or found]


def run(arguments):
    try:
        chosen = jobs(arguments.programs)
    except ValueError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    target = pathlib.Path(arguments.target or ROOT / "targets/h100.json").resolve()
    if not build():
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = dict(zip((job.name for job in chosen), pool.map(lambda job: predict(job, target), chosen)))
    failed = [name for name, row in rows.items() if row is None]
    rows = {name: row for name, row in rows.items() if row}
    ordered = sorted(rows, key=lambda name: rows[name]["lost"], reverse=True)
    lines = [[title(name, rows[name]), *cells(rows[name])] for name in ordered]
    table.print_table("program, sizes", HEADS, lines)
    document = {
        "bench": "predicted",
        "target": target.stem,
        "rows": {name: of_numbers(rows[name]) for name in ordered},
        "programs": {name: details(rows[name]) for name in ordered},
    }
    table.finish(arguments, document, [("time / floor", {name: rows[name]["lost"] for name in ordered})])
    if failed:
        print(f"bench: failed: {', '.join(failed)}", file=sys.stderr)
    if arguments.markdown and not table.renew(arguments.markdown, markdown(lines, rows, target)):
        return 1
    return int(bool(failed))


def build():
    """Builds the tools; false if that fails."""
    packages = [word for tool in [*TOOLS, "predict", "gpu"] for word in ["--package", tool]]
    return pricing.succeeds(["cargo", "build", "--release", "--locked", "--quiet", "--bins", *packages], folder=ROOT)


# ---- what is shown ----------------------------------------------------------------------------


def title(name, row):
    return f"{name}, {' '.join(map(str, row['sizes'].values()))}"


def cells(row):
    floor = [milliseconds(row["floor µs"]), "-" if not row["kernels"] else digits(row["lost"])]
    if not row["kernels"]:
        return [*["-"] * 10, *floor, "host", row["floor dominant"]]
    counts = [*COUNTS[:3], "threads", *COUNTS[3:]]
    times = [milliseconds(row["µs"]), f"{row['launching']:.0f} %", *floor]
    return [*(large(row[what]) for what in counts), *times, row["dominant"], row["floor dominant"]]


def large(number):
    """A count: all digits of a small one, three of a large one."""
    scale, letter = next((unit for unit in [(1e12, "T"), (1e9, "G"), (1e6, "M")] if number >= unit[0]), (1, ""))
    return f"{digits(number / scale)} {letter}" if letter else f"{number:,}"


def digits(number):
    """A number with three digits, or all before the point."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def milliseconds(microseconds):
    return digits(microseconds / 1e3)


def of_numbers(row):
    return {what: value for what, value in row.items() if isinstance(value, (int, float))}


def details(row):
    return {what: row[what] for what in ["sizes", "dominant", "floor dominant", "kernels"]}


def markdown(lines, rows, target):
    """The parts of benchmarks/predicted.md that a run renews."""
    return {
        "made": f"Predicted for `targets/{target.name}`, {table.made(ROOT)}.\n",
        "programs": table.markdown("program, sizes", HEADS, lines),
        "causes": of_causes(rows, json.loads(target.read_text())["multiprocessors"]),
        "measured": against_measured(rows),
    }


# The programs that are named for a cause.
NAMED = 8

# What takes most of the time in a kernel, and what to call it.
DOMINANT = {
    "DRAM bandwidth": "Device memory moves more than is compulsory",
    "starting blocks": "Starting blocks",
    "shared memory wavefronts": "Loads from shared memory",
}


def of_causes(rows, multiprocessors):
    """The table of causes: the time above the floor, by what takes it, with the programs that lose most."""
    causes = {}
    for name, row in rows.items():
        share = max(0, 1 - row["floor µs"] / row["µs"]) if row["µs"] else 0
        for kernel in row["kernels"]:
            launching = min(kernel["launching µs"], kernel["µs"])
            parts = [("Launches", launching), (cause(kernel, multiprocessors), kernel["µs"] - launching)]
            for what, microseconds in parts:
                lost = causes.setdefault(what, {})
                lost[name] = lost.get(name, 0) + share * microseconds
    ordered = sorted(causes.items(), key=lambda item: sum(item[1].values()), reverse=True)
    return table.markdown("cause", ["ms lost", "programs, and their part of it"], [line(*item) for item in ordered])


def line(what, lost):
    all_of_it = sum(lost.values())
    largest = sorted(lost, key=lost.get, reverse=True)[:NAMED]
    named = [f"{name} {milliseconds(lost[name])}" for name in largest if lost[name] >= all_of_it / 1000]
    return [what, milliseconds(all_of_it), ", ".join(named)]


def cause(kernel, multiprocessors):
    """What takes the time of a kernel, but for its launches."""
    warps = kernel["blocks"] / kernel["launches"] * math.ceil(kernel["threads"] / 32)
    if kernel["threads"] * kernel["blocks"] == kernel["launches"]:
        return "Launches of a single thread"
    if kernel["dominant"].endswith("latency") or kernel["dominant"] == "launches":
        return "Fewer than 8 warps for each multiprocessor" if warps < 8 * multiprocessors else "Latency, with many warps"
    return DOMINANT.get(kernel["dominant"], "Instructions")


def against_measured(rows):
    """The table of predicted and measured times, and a sentence on how far they differ."""
    measured = json.loads((ROOT / "benchmarks/gpu.json").read_text())["rows"]
    names = sorted(name for name, row in rows.items() if row["kernels"] and name in measured)
    pairs = {name: (rows[name]["µs"] / 1e3, measured[name]["generated, without transfers"] * 1e3) for name in names}
    lines = [[name, digits(one), digits(other), f"{one / other:.2f}"] for name, (one, other) in pairs.items()]
    if not pairs:
        return "None of the programs was measured.\n"
    factors = [abs(math.log(one / other)) for one, other in pairs.values()]
    near, mean = sum(factor <= math.log(1.5) for factor in factors), math.exp(statistics.mean(factors))
    said = f"{near} of {len(factors)} are within a factor of 1.5; the factor is {mean:.2f} on average (geometric mean).\n"
    return table.markdown("program", ["predicted ms", "measured ms", "predicted / measured"], lines) + "\n" + said


# ---- predicting -------------------------------------------------------------------------------


def predict(job, target):
    """The row of a program; nothing if a tool failed."""
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        document = scanned(job.source, target, pathlib.Path(folder))
        profile = document and counted(document, job.sizes, target)
        least = profile and floor.of_document(document.with_name("candl-rs.json"), job.sizes, target)
        said = profile and pricing.output_of([RELEASE / "gpu-time", profile, "--target", target, "--json"])
        if not said or not least:
            return None
        row = summary((job, least), json.loads(profile.read_text()), json.loads(said))
    print(f"{job.name}: predicted", file=sys.stderr, flush=True)
    return row


def scanned(source, target, folder):
    """The file of a program's document with its loop program; nothing if a tool failed."""
    document = source
    for tool in TOOLS:
        options = ["--target", target] if tool == "gpulocalizer" else []
        result = folder / f"{tool}.json"
        if not pricing.succeeds([RELEASE / tool, document, *options, "-o", result]):
            return None
        document = result
    return document


def counted(document, sizes, target, options=()):
    """The file of the profile that is predicted for sizes; nothing if that fails."""
    profile = document.with_name("profile.json")
    assumed = ",".join(f"{name}={value}" for name, value in sizes.items())
    # The document comes from the tools just now; verifying it again would take longer than predicting.
    options = [*options, "--no-verify", "--target", target, "--assume", assumed, "-o", profile]
    return profile if pricing.succeeds([RELEASE / "gpu-predict", document, *options], limit=LIMIT) else None


def summary(whose, profile, time):
    job, (least, floor_dominant) = whose
    times = {kernel["name"]: kernel for kernel in time["kernels"]}
    kernels = [of_kernel(kernel, times[kernel["name"]]) for kernel in profile["kernels"]]
    totals = {what: sum(kernel[what] for kernel in kernels) for what in COUNTS}
    microseconds = time["kernel_microseconds"]
    return {
        **totals,
        "threads": pricing.threads(profile["kernels"], time),
        "µs": microseconds,
        "launching": pricing.launching(time),
        "floor µs": least,
        "lost": microseconds / least,
        "dominant": pricing.dominant(time),
        "floor dominant": floor_dominant,
        "sizes": job.sizes,
        "kernels": kernels,
    }


def of_kernel(kernel, priced):
    return {
        **counts(kernel),
        "µs": priced["microseconds"],
        "launching µs": priced["launch_microseconds"],
        "dominant": priced["dominant"],
    }


def counts(kernel):
    """The counts of a kernel in a profile, by the names of the columns."""
    traffic = [*(kernel["global"][kind] for kind in ["loads", "stores", "atomics"]), kernel["async_copies"]]
    return {
        "name": kernel["name"],
        "launches": kernel["launches"],
        "blocks": kernel["blocks"],
        "blocks with work": kernel["blocks_with_work"],
        "threads": math.prod(kernel["block"]),
        "requests": sum(part["requests"] for part in traffic),
        "touched sectors": sum(part["touched_sectors"] for part in traffic),
        "sectors": sum(part["sectors"] for part in traffic),
        "DRAM bytes": kernel["dram_read_bytes"] + kernel["dram_written_bytes"],
    }
