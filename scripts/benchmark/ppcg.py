"""`scripts/bench model --sizes polybench`: what translated kernels of PolyBench touch, beside what PPCG's code touches."""

import concurrent.futures
import json
import os
import pathlib
import statistics
import sys
import tempfile

from . import ROOT, predicted, table

# The sizes of PolyBench 4.2.1, by parameter: SMALL, then MEDIUM.
SIZES = {
    "adi": {"tsteps": (40, 100), "n": (60, 200)},
    "atax": {"m": (116, 390), "n": (124, 410)},
    "bicg": {"m": (116, 390), "n": (124, 410)},
    "cholesky": {"n": (120, 400)},
    "correlation": {"m": (80, 240), "n": (100, 260)},
    "covariance": {"m": (80, 240), "n": (100, 260)},
    "deriche": {"w": (192, 720), "h": (128, 480)},
    "doitgen": {"nq": (20, 40), "nr": (25, 50), "np": (30, 60)},
    "durbin": {"n": (120, 400)},
    "fdtd_2d": {"tmax": (40, 100), "nx": (60, 200), "ny": (80, 240)},
    "floyd_warshall": {"n": (180, 500)},
    "gemm": {"ni": (60, 200), "nj": (70, 220), "nk": (80, 240)},
    "gemver": {"n": (120, 400)},
    "gesummv": {"n": (90, 250)},
    "gramschmidt": {"m": (60, 200), "n": (80, 240)},
    "heat_3d": {"tsteps": (40, 100), "n": (20, 40)},
    "jacobi_1d": {"tsteps": (40, 100), "n": (120, 400)},
    "jacobi_2d": {"tsteps": (40, 100), "n": (90, 250)},
    "lu": {"n": (120, 400)},
    "ludcmp": {"n": (120, 400)},
    "mvt": {"n": (120, 400)},
    "nussinov": {"n": (180, 500)},
    "seidel_2d": {"tsteps": (40, 100), "n": (120, 400)},
    "symm": {"m": (60, 200), "n": (80, 240)},
    "syr2k": {"m": (60, 200), "n": (80, 240)},
    "syrk": {"m": (60, 200), "n": (80, 240)},
    "three_mm": {"ni": (40, 180), "nj": (50, 190), "nk": (60, 200), "nl": (70, 210), "nm": (80, 220)},
    "trisolv": {"n": (120, 400)},
    "trmm": {"m": (60, 200), "n": (80, 240)},
    "two_mm": {"ni": (40, 180), "nj": (50, 190), "nk": (70, 210), "nl": (80, 220)},
}
DATASETS = ["SMALL", "MEDIUM"]

# Columns of a dataset.
COLUMNS = ["launches", "blocks", "touched", "of PPCG's", "of PPCG's, constant"]


def run(arguments):
    unknown = [name for name in arguments.programs if name not in SIZES]
    if unknown:
        print(f"bench: there is no program {unknown[0]}; there are {', '.join(SIZES)}", file=sys.stderr)
        return 2
    names = arguments.programs or list(SIZES)
    target = pathlib.Path(arguments.target or ROOT / "targets/h100.json").resolve()
    if not predicted.build():
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = dict(zip(names, pool.map(lambda name: touched(name, target), names)))
    failed = [name for name in names if rows[name] is None]
    rows = {name: row for name, row in rows.items() if row}
    theirs = json.loads((ROOT / "benchmarks/ppcg.json").read_text())["rows"]
    parts = {"made": f"Predicted for `targets/{target.name}`, {table.made(ROOT)}.\n"}
    for dataset in DATASETS:
        lines = [line(name, row[dataset], theirs[name].get(dataset, {})) for name, row in rows.items()]
        lines.append(["geometric mean", "", "", "", *(mean(rows, theirs, dataset, kind) for kind in ["parametric", "constant"])])
        table.print_table(dataset, COLUMNS, lines)
        print()
        parts[dataset] = table.markdown(dataset, COLUMNS, lines)
    numbers = {name: {f"{what}, {dataset}": value for dataset in DATASETS for what, value in row[dataset].items()} for name, row in rows.items()}
    plots = [(f"{dataset}: touched sectors / PPCG's", quotients(rows, theirs, dataset, "parametric")) for dataset in DATASETS]
    table.finish(arguments, {"bench": "ppcg", "rows": numbers}, plots)
    if failed:
        print(f"bench: failed: {', '.join(failed)}", file=sys.stderr)
    if arguments.markdown and not table.renew(arguments.markdown, parts):
        return 1
    return int(bool(failed))


def line(name, ours, theirs):
    counts = [f"{ours[what]:,}" for what in ["launches", "blocks", "touched sectors"]]
    return [name, *counts, *(shown(quotient(ours, theirs.get(kind))) for kind in ["parametric", "constant"])]


def quotient(ours, theirs):
    """Our touched sectors over PPCG's; nothing if PPCG's are unknown or one side runs nothing on the GPU."""
    pair = (ours["touched sectors"], theirs["touched sectors"]) if theirs else (0, 0)
    return pair[0] / pair[1] if all(pair) else None


def shown(number):
    return f"{number:.2f}" if number else "-"


def quotients(rows, theirs, dataset, kind):
    found = {name: quotient(row[dataset], theirs[name].get(dataset, {}).get(kind)) for name, row in rows.items()}
    return {name: number for name, number in found.items() if number}


def mean(rows, theirs, dataset, kind):
    found = quotients(rows, theirs, dataset, kind)
    return shown(statistics.geometric_mean(found.values()) if found else None)


def touched(name, target):
    """What a program counts for each dataset; nothing if a tool failed."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        document = predicted.scanned(ROOT / f"tests/kernels/polybench/{name}.c", target, pathlib.Path(folder))
        for position, dataset in enumerate(DATASETS):
            values = {parameter: of_dataset[position] for parameter, of_dataset in SIZES[name].items()}
            profile = document and predicted.counted(document, values, target, ["--loads", "source"])
            if not profile:
                return None
            kernels = [predicted.counts(kernel) for kernel in json.loads(profile.read_text())["kernels"]]
            found[dataset] = {what: sum(kernel[what] for kernel in kernels) for what in ["launches", "blocks", "touched sectors"]}
    print(f"{name}: predicted", file=sys.stderr, flush=True)
    return found
