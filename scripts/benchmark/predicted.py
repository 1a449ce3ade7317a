"""`scripts/bench model --sizes gpu`: what translated programs do at sizes for a GPU, by prediction."""

import concurrent.futures
import dataclasses
import inspect
import json
import os
import pathlib
import re
import sys
import tempfile

from . import ROOT, floors, polybench, pricing, table

TOOLS = ["clan-rs", "candl-rs", "scheduler", "gpulocalizer", "cloog-rs"]
RELEASE = ROOT / "target/release"

# The seconds after which a prediction is given up.
LIMIT = 600

HEADS = ["launches", "blocks", "with work", "sectors", "DRAM bytes", "ms", "floor ms", "lost", "dominant", "floor"]


@dataclasses.dataclass
class Job:
    """A program with the values of its parameters. PolyBench's names get a prefix: some are also in benches/."""

    name: str
    source: pathlib.Path
    sizes: dict
    floor: floors.Floor


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
        floor = floors.PROGRAMS[name]
        sizes = dict(zip(inspect.signature(floor).parameters, map(int, size)))
        found[name] = Job(name, ROOT / f"benches/{name}/{name}.c", sizes, floor(**sizes))
    for floor, sizes in polybench.PROGRAMS.items():
        name = f"polybench/{floor.__name__}"
        source = ROOT / f"tests/kernels/polybench/{floor.__name__}.c"
        found[name] = Job(name, source, sizes, floor(**sizes))
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
    table.print_table("program, sizes", HEADS, [[title(name, rows[name]), *cells(rows[name])] for name in ordered])
    document = {
        "bench": "predicted",
        "target": target.stem,
        "rows": {name: of_numbers(rows[name]) for name in ordered},
        "programs": {name: details(rows[name]) for name in ordered},
    }
    table.finish(arguments, document, [("time / floor", {name: rows[name]["lost"] for name in ordered})])
    if failed:
        print(f"bench: failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


def build():
    """Builds the tools; false if that fails."""
    packages = [word for tool in [*TOOLS, "predict", "gpu"] for word in ["--package", tool]]
    return pricing.succeeds(["cargo", "build", "--release", "--locked", "--quiet", "--bins", *packages], folder=ROOT)


# ---- what is shown ----------------------------------------------------------------------------


def title(name, row):
    return f"{name}, {' '.join(map(str, row['sizes'].values()))}"


def cells(row):
    counts = [f"{row[what]:.4g}" for what in ["launches", "blocks", "blocks with work", "sectors", "DRAM bytes"]]
    if not row["kernels"]:
        return [*["-"] * 6, f"{row['floor µs'] / 1e3:.4g}", "-", "host", row["floor dominant"]]
    times = [f"{row['µs'] / 1e3:.4g}", f"{row['floor µs'] / 1e3:.4g}", f"{row['lost']:.3g}"]
    return [*counts, *times, row["dominant"], row["floor dominant"]]


def of_numbers(row):
    return {what: value for what, value in row.items() if isinstance(value, (int, float))}


def details(row):
    return {what: row[what] for what in ["sizes", "dominant", "floor dominant", "kernels"]}


# ---- predicting -------------------------------------------------------------------------------


def predict(job, target):
    """The row of a program; nothing if a tool failed."""
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        profile = predicted(job, target, pathlib.Path(folder))
        said = profile and pricing.output_of([RELEASE / "gpu-time", profile, "--target", target, "--json"])
        if not said:
            return None
        row = summary(job, json.loads(profile.read_text()), json.loads(said), json.loads(target.read_text()))
    print(f"{job.name}: predicted", file=sys.stderr, flush=True)
    return row


def predicted(job, target, folder):
    """The file of the profile; nothing if a tool failed."""
    document, profile = job.source, folder / "profile.json"
    for tool in TOOLS:
        options = ["--target", target] if tool == "gpulocalizer" else []
        result = folder / f"{tool}.json"
        if not pricing.succeeds([RELEASE / tool, document, *options, "-o", result]):
            return None
        document = result
    assumed = ",".join(f"{name}={value}" for name, value in job.sizes.items())
    # The document comes from the tools just now; verifying it again would take longer than predicting.
    options = ["--no-verify", "--target", target, "--assume", assumed, "-o", profile]
    return profile if pricing.succeeds([RELEASE / "gpu-predict", document, *options], limit=LIMIT) else None


def summary(job, profile, time, gpu):
    floor, floor_dominant = job.floor.microseconds(gpu)
    times = {kernel["name"]: kernel for kernel in time["kernels"]}
    kernels = [of_kernel(kernel, times[kernel["name"]]) for kernel in profile["kernels"]]
    totals = {what: sum(kernel[what] for kernel in kernels) for what in COUNTS}
    microseconds = time["kernel_microseconds"]
    return {
        **totals,
        "µs": microseconds,
        "floor µs": floor,
        "lost": microseconds / floor,
        "dominant": pricing.dominant(time),
        "floor dominant": floor_dominant,
        "sizes": job.sizes,
        "kernels": kernels,
    }


COUNTS = ["launches", "blocks", "blocks with work", "sectors", "DRAM bytes"]


def of_kernel(kernel, priced):
    sectors = sum(kernel["global"][kind]["sectors"] for kind in ["loads", "stores", "atomics"])
    return {
        "name": kernel["name"],
        "launches": kernel["launches"],
        "blocks": kernel["blocks"],
        "blocks with work": kernel["blocks_with_work"],
        "sectors": sectors + kernel["async_copies"]["sectors"],
        "DRAM bytes": kernel["dram_read_bytes"] + kernel["dram_written_bytes"],
        "µs": priced["microseconds"],
        "dominant": priced["dominant"],
    }
