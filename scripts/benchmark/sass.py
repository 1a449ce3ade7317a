"""`scripts/bench sass`: the instructions of generated and hand-written CUDA."""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from . import ROOT, gpu, table

HELP = "the instructions that the generated CUDA executes, beside those of CUDA written by hand"
DESCRIPTION = (
    "Compiles the programs of benches/, translated and as written by hand, with nvcc (`scripts/setup --with-nvcc` installs"
    " one), runs them in cudasim's profile mode at their default sizes, and counts the instructions that warps execute"
    " (gpu-sass). For each program: the registers of the kernel that executes most, spills of all kernels, instructions"
    " of a lane for each point, interaction or multiply-add, those of the innermost loop that executes most, and the bytes"
    " that a lane loads at once there, from global and shared memory. No GPU is needed, and nothing depends on time."
)

# The GPU that has the architecture of the listings.
TARGET = ROOT / "targets/h100.json"
FLAGS = ["-O2", "-fmad=false", "-lineinfo", "-cubin"]

# What a program computes at its default sizes, and how often.
UNITS = {
    "argmax": ("number", lambda n: n),
    "atax": ("multiply-add", lambda m, n: 2 * m * n),
    "cp": ("interaction", lambda volx, voly, natoms, slices: volx * voly * natoms * slices),
    "dot": ("multiply-add", lambda n: n),
    "extremes": ("number", lambda n: n),
    "fdtd-2d": ("point", lambda nx, ny, steps: nx * ny * steps),
    "gauss-seidel": ("point", lambda n, steps: (n - 2) ** 2 * steps),
    "gemm": ("multiply-add", lambda ni, nj, nk: ni * nj * nk),
    "heat-3d": ("point", lambda n, steps: 2 * (n - 2) ** 3 * steps),
    "histogram": ("number", lambda n: n),
    "jacobi-2d": ("point", lambda n, steps: (n - 2) ** 2 * steps),
    "mri-fhd": ("interaction", lambda voxels, samples: voxels * samples),
    "mri-q": ("interaction", lambda voxels, samples: voxels * samples),
    "nbody": ("interaction", lambda n, steps: n * n * steps),
    "prefix_sum": ("number", lambda n: n),
}

HEADS = ["registers", "spills", "instructions", "in the hot loop", "global loads", "shared loads"]


def add_options(parser):
    parser.add_argument("programs", metavar="NAME", nargs="*", help="programs of benches/ (all)")
    parser.add_argument("--nvcc", metavar="FILE", help="the nvcc to use; nvdisasm and cuobjdump are expected beside it")
    table.add_options(parser)


def run(arguments):
    tools = found_tools(arguments.nvcc)
    names = arguments.programs or sorted(UNITS)
    unknown = [name for name in names if name not in UNITS]
    if unknown:
        print(f"bench: benches has no program {unknown[0]}; there are {', '.join(sorted(UNITS))}", file=sys.stderr)
        return 2
    if not tools:
        print("bench: instructions are counted in what nvcc makes, and there is no nvcc with nvdisasm and cuobjdump beside it"
              " on PATH, in CUDA_HOME or in target/tools/nvcc; `scripts/setup --with-nvcc` installs them", file=sys.stderr)
        return 1
    folder = ROOT / "target/bench-sass"
    if not gpu.prepare(folder, names) or not built_gpu_sass():
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {(name, kind): pool.submit(counted, folder / name, name, kind, tools) for name in names for kind in ["generated", "by hand"]}
        found = {key: job.result() for key, job in jobs.items()}
    rows = {key: numbers(key[0], kernels) for key, kernels in found.items() if kernels}
    table.print_table("a lane, for each", HEADS, [[title(*key), *cells(row)] for key, row in rows.items()])
    document = {name: {f"{what}, {kind}": value for (other, kind), row in rows.items() if other == name for what, value in row.items() if not isinstance(value, str)} for name in names}
    table.finish(arguments, {"bench": "sass", "rows": document}, [("instructions: generated / by hand", ratios(rows))])
    return int(None in found.values())


def found_tools(nvcc):
    """The paths of nvcc, cuobjdump and nvdisasm; none if one is missing."""
    command = [nvcc] if nvcc else gpu.found_nvcc()
    path = command and shutil.which(command[0])
    if not path:
        return None
    tools = [shutil.which(tool, path=os.path.dirname(path)) for tool in ["nvcc", "cuobjdump", "nvdisasm"]]
    return tools if all(tools) else None


def built_gpu_sass():
    path = os.pathsep.join([os.environ["PATH"], str(pathlib.Path.home() / ".cargo/bin")])
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--package", "gpu"]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL).returncode == 0


def counted(folder, name, kind, tools):
    """What the kernels of a program execute, as gpu-sass says it; nothing if a step failed. A program may have no kernels."""
    sources = {"generated": [f"{name}_gpu.cu", f"{name}_host.c"], "by hand": [f"{name}_hand.cu"]}[kind]
    work = folder / kind.replace(" ", "-")
    work.mkdir(exist_ok=True)
    environment = {"CUDASIM_CACHE": str(ROOT / "target/cudasim"), "CUDASIM_PROFILE": str(work / "profile.json")}
    if "__global__" not in (folder / sources[0]).read_text():
        print(f"{name}, {kind}: has no kernels", file=sys.stderr, flush=True)
        return []
    listing = listed(folder / sources[0], work, tools)
    simulated = output([ROOT / "cudasim/cudasim-cc", "--profile", *(folder / source for source in sources), "-o", work / "program"], environment)
    if listing is None or simulated is None or output([work / "program"], environment) is None:
        return None
    (work / "listing").write_text(listing)
    files = ["--cubin-listing", work / "listing", "--profile", work / "profile.json", "--target", TARGET]
    said = output([ROOT / "target/release/gpu-sass", "--json", *files])
    print(f"{name}, {kind}: counted", file=sys.stderr, flush=True)
    return said and json.loads(said)


def listed(source, work, tools, architecture="sm_90"):
    """The listing of the kernels of a .cu file as gpu-sass reads it; none if a tool failed. `work` is for the cubin."""
    nvcc, cuobjdump, nvdisasm = tools
    cubin = work / "kernels.cubin"
    if output([nvcc, *FLAGS, f"-arch={architecture}", source, "-o", cubin]) is None:
        return None
    parts = [output([cuobjdump, "-res-usage", cubin]), output([nvdisasm, "-gi", "-c", cubin])]
    return None if None in parts else "".join(parts)


def output(command, environment=None):
    """What a command prints; none if it fails, and then what it said is shown."""
    result = subprocess.run(command, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode:
        sys.stderr.write(result.stdout + result.stderr)
        return None
    return result.stdout


def default_sizes(name):
    """The arguments that benches/README.md gives as default."""
    text = (ROOT / "benches/README.md").read_text()
    row = re.search(rf"^\| \[{re.escape(name)}\].*\(([\d ]+)\) \|", text, re.M)
    return [int(size) for size in row[1].split()]


def numbers(name, kernels):
    """The row of a program: sums over its kernels, and the registers and widths of the one that executes most."""
    lanes = 32 / UNITS[name][1](*default_sizes(name))
    hot = max(kernels, key=lambda kernel: kernel["instructions"]["all"])
    loop = hot["hot_loop"] or hot
    return {
        "registers": hot["registers"],
        "spills": sum(kernel["spills"] for kernel in kernels),
        "instructions": sum(kernel["instructions"]["all"] for kernel in kernels) * lanes,
        "in the hot loop": loop["instructions"]["all"] * lanes,
        "global loads": widths(loop, "global_load"),
        "shared loads": widths(loop, "shared_load"),
    }


def widths(part, kind):
    found = part["instructions"]["widths"].get(kind, {})
    return " ".join(sorted(found, key=int)) or "-"


def title(name, kind):
    return f"{UNITS[name][0]} of {name}, {kind}"


def cells(row):
    return [f"{value:.2f}" if isinstance(value, float) else value for value in row.values()]


def ratios(rows):
    names = sorted({name for name, _ in rows})
    pairs = {name: (rows.get((name, "generated")), rows.get((name, "by hand"))) for name in names}
    return {name: one["instructions"] / other["instructions"] for name, (one, other) in pairs.items() if one and other}
