"""The floor: what no program can do without. It is scheduler that finds it, from the accesses and the dependences of
each region (scheduler/src/cost/floor.rs); this reads what it says."""

import json
import re

from . import ROOT, pricing

RELEASE = ROOT / "target/release"
UNITS = {"µs": 1, "ms": 1e3, "s": 1e6}


def of_source(source, sizes, target, folder):
    """The least time of a program in microseconds, and what takes it; nothing if a tool failed."""
    document = source
    for tool in ["clan-rs", "candl-rs"]:
        result = folder / f"{tool}.json"
        if not pricing.succeeds([RELEASE / tool, document, "-o", result]):
            return None
        document = result
    return of_document(document, sizes, target)


def of_document(document, sizes, target):
    """The same for a document with dependences: the sum over its regions, and what takes the longest one. Not a number
    if a region is too complicated."""
    regions = json.loads(document.read_text())["scops"]
    parameters = {parameter["name"] for region in regions for parameter in region["parameters"]}
    assumed = ",".join(f"{name}={value}" for name, value in sizes.items() if name in parameters)
    command = [RELEASE / "scheduler", document, "--explain", "--target", target, "--assume", assumed]
    said = pricing.output_of(command)
    if said is None:
        return None
    found = re.findall(r"^  floor: ([\d.]+) (\S+), for (.+)$", said, re.M)
    floors = [(float(number) * UNITS[unit], dominant) for number, unit, dominant in found]
    if not floors:
        return float("nan"), "-"
    return sum(microseconds for microseconds, _ in floors), max(floors)[1]


def named(source, values):
    """The parameters of a program by name, given its arguments. The head of each program names these, as in
    `Usage: gemm [ni [nj [nk]]]`."""
    usage = re.search(r"Usage: \S+ ([\w \[\]]+)", source.read_text())[1]
    return dict(zip(re.findall(r"\w+", usage), values))
