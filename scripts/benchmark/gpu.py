"""`scripts/bench gpu`: how long generated and hand-written CUDA take on a GPU."""

import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys

from . import ROOT, predicted, table

HELP = "how long the generated CUDA takes on a GPU, over CUDA written by hand"
DESCRIPTION = (
    "Builds the programs of benches/, translated and as written by hand, and runs both at the sizes that benches/README.md"
    " gives for a GPU. A clock (benches/clock.cu) starts when the data are made and CUDA is ready, and stops before they are"
    " printed. Two ratios of the translated program to the other are printed: of all that time, and of what is"
    " left of it without allocations and transfers; then that of the sequential program to the translated one. Times are medians of the runs."
    " Beside them stands what `scripts/bench model --sizes gpu` predicted for the kernels of the translated program"
    " (benchmarks/predicted.json), and its ratio to the measured time without transfers."
    " Translating and measuring may be done on two machines: --prepare DIR writes all sources there, and --from DIR"
    " needs only this checkout, Python, gcc and nvcc, but no tool of c2cuda and no network."
    " Without a GPU, only the predicted times are printed."
)

# The calls that benches/clock.cu counts apart.
APART = ["cudaMalloc", "cudaFree", "cudaMemcpy", "cudaMemcpy2D", "cudaMemcpy3D"]
HAS_GPU = r"""
#include <cstdio>
int main() {
  void *memory;
  const cudaError_t error = cudaMalloc(&memory, 1);
  if (error != cudaSuccess) std::puts(cudaGetErrorString(error));
  return error != cudaSuccess;
}
"""
SAID = re.compile(r"^seconds ([\d.]+)(?:, without transfers ([\d.]+))?$", re.M)
C_FLAGS = ["-O2", "-ffp-contract=off", "-std=gnu11", "-DBENCH_CLOCK"]


def add_options(parser):
    parser.add_argument("programs", metavar="NAME", nargs="*", help="programs of benches/ (all)")
    parser.add_argument("--prepare", metavar="DIR", help="write the sources of all programs there, and measure nothing")
    parser.add_argument("--from", metavar="DIR", dest="prepared", help="measure what --prepare wrote")
    parser.add_argument("--nvcc", metavar="COMMAND", help="the command that compiles CUDA (nvcc -O2 -arch=native -fmad=false)")
    parser.add_argument("--sizes", choices=["gpu", "default"], default="gpu", help="sizes for a GPU, or those that the programs have by default")
    parser.add_argument("--without-c", action="store_true", help="do not run the sequential programs, which take long at sizes for a GPU")
    parser.add_argument("--runs", metavar="N", type=int, default=5, help="how often each is run (5); the sequential program runs once")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=120, help="what takes longer is ended (120)")
    table.add_options(parser)


def run(arguments):
    if arguments.runs < 1:
        print("bench: --runs takes a positive number", file=sys.stderr)
        return 2
    if arguments.prepare:
        return int(not prepare(pathlib.Path(arguments.prepare), arguments.programs or names_in(ROOT / "benches")))
    nvcc = shlex.split(arguments.nvcc) if arguments.nvcc else found_nvcc()
    if not nvcc:
        print("bench: there is no nvcc on PATH, in CUDA_HOME or in /usr/local/cuda; --nvcc says where one is", file=sys.stderr)
        return 1
    folder = pathlib.Path(arguments.prepared or ROOT / "target/bench-gpu")
    names = arguments.programs or names_in(folder if arguments.prepared else ROOT / "benches")
    if not names:
        print(f"bench: {folder} holds no program; --prepare {folder} writes them", file=sys.stderr)
        return 1
    predictions = predicted.seconds() if arguments.sizes == "gpu" else {}
    missing = why_no_gpu(folder, nvcc)
    if missing:
        table.print_table("seconds", ["predicted", "measured"], [[name, seconds(predictions.get(name)), "-"] for name in names])
        print(f"bench: nothing is measured, because CUDA finds no GPU here: {missing}", file=sys.stderr)
        return 1
    if not arguments.prepared and not prepare(folder, names):
        return 1
    rows = measure_all(folder, names, nvcc, arguments)
    heads = ["generated / by hand", "without transfers", "C / generated", "predicted / measured", "output"]
    table.print_table("seconds", heads, [[name, *cells(row, predictions.get(name))] for name, row in rows.items()])
    numbers = {name: {what: value for what, value in row.items() if what != "output"} for name, row in rows.items()}
    plots = [(f"generated / by hand, {part}", ratios(rows, part)) for part in ["all", "without transfers"]]
    table.finish(arguments, {"bench": "gpu", "rows": numbers}, plots)
    return int(any(row["output"] != "equal" for row in rows.values()))


def why_no_gpu(folder, nvcc):
    """Why no program can run on a GPU here, in CUDA's words; nothing if one can."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "has-gpu"
    source = program.with_suffix(".cu")
    source.write_text(HAS_GPU)
    try:
        built = subprocess.run([*nvcc, source, "-o", program], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as error:
        return f"{nvcc[0]}: {error.strerror}"
    if built.returncode:
        return (built.stdout + built.stderr).strip()
    found = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return found.stdout.strip() if found.returncode else None


def names_in(folder):
    return sorted({path.parent.name for path in folder.glob("*/*_hand.cu")})


def found_nvcc():
    """nvcc and its flags, looked for where scripts/c2cuda does."""
    installed = [os.environ.get("CUDA_HOME", "/usr/local/cuda"), ROOT / "target/tools/nvcc"]
    known = [shutil.which("nvcc"), *(shutil.which(pathlib.Path(home, "bin/nvcc")) for home in installed)]
    return next(([nvcc, "-O2", "-arch=native", "-fmad=false"] for nvcc in known if nvcc), None)


def prepare(folder, names):
    """Translates the programs: DIR/NAME/{NAME.c, NAME_host.c, NAME_gpu.cu, NAME_gpu.h, NAME_hand.cu} beside what they share."""
    folder.mkdir(parents=True, exist_ok=True)
    for shared in (ROOT / "benches").glob("*.[ch]*"):
        shutil.copy(shared, folder)
    for name in names:
        source, target = ROOT / "benches" / name, folder / name
        if not source.is_dir():
            print(f"bench: benches has no program {name}", file=sys.stderr)
            return False
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target)
        command = [ROOT / "scripts/c2cuda", "--quiet", "-o", target, target / f"{name}.c"]
        if subprocess.run(command, stdin=subprocess.DEVNULL).returncode:
            return False
        print(f"{name}: translated", file=sys.stderr, flush=True)
    return True


def measure_all(folder, names, nvcc, arguments):
    """A row for each program. All are built first, on all processors, then each runs alone."""
    sizes = predicted.sizes_for_gpu() if arguments.sizes == "gpu" else {}
    kinds = ["generated", "by hand", *([] if arguments.without_c else ["C"])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {(name, kind): pool.submit(build, folder / name, name, kind, nvcc) for name in names for kind in kinds}
        programs = {pair: job.result() for pair, job in jobs.items()}
    rows = {}
    for name in names:
        rows[name] = measure({kind: programs[name, kind] for kind in kinds}, sizes.get(name, []), arguments)
        print(f"{name}:", ", ".join(cells(rows[name])), file=sys.stderr, flush=True)
    return rows


def build(folder, name, kind, nvcc):
    """The path of the program; none if it could not be built, and then what compilers said is shown."""
    program = folder / kind.replace(" ", "-")
    cuda = [*nvcc, "-DBENCH_CLOCK", *(flag for call in APART for flag in ["-Xlinker", f"--wrap={call}"]), "-o", program]
    commands = {
        "C": [["gcc", *C_FLAGS, folder / f"{name}.c", folder.parent / "clock.c", "-o", program, "-lm"]],
        "generated": [["gcc", *C_FLAGS, "-c", folder / f"{name}_host.c", "-o", folder / "host.o"],
                      [*cuda, folder / f"{name}_gpu.cu", folder.parent / "clock.cu", folder / "host.o", "-lm"]],
        "by hand": [[*cuda, folder / f"{name}_hand.cu", folder.parent / "clock.cu"]],
    }
    for command in commands[kind]:
        try:
            result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        except OSError as error:
            print(f"bench: {command[0]}: {error.strerror}", file=sys.stderr)
            return None
        if result.returncode:
            sys.stderr.write(result.stdout + result.stderr)
            return None
    return program


def measure(programs, size, arguments):
    """Seconds of the program generated, by hand and in C, and whether their outputs agree."""
    row, outputs, failures = {}, {}, []
    for kind, program in programs.items():
        if program is None:
            failures.append(f"{kind} is not built")
            continue
        seconds, without_transfers, output = timed([program, *size], 1 if kind == "C" else arguments.runs, arguments.limit)
        if seconds is None:
            failures.append(f"{kind}: {output}")
            continue
        row[f"{kind}, all"] = seconds
        if without_transfers is not None:
            row[f"{kind}, without transfers"] = without_transfers
        outputs[kind] = output
    agreed = all(agree(one, other) for one in outputs.values() for other in outputs.values())
    return {**row, "output": "; ".join([*(["equal" if agreed else "different"] if len(outputs) > 1 else []), *failures])}


def timed(command, runs, limit):
    """The medians of some runs in seconds, all and without transfers, and the output; no times if one failed, and why."""
    times, output = [], ""
    environment = {**os.environ, "CUDA_MODULE_LOADING": "EAGER"}
    for _ in range(runs):
        try:
            result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, timeout=limit)
        except subprocess.TimeoutExpired:
            return None, None, f"more than {limit:g} s"
        said, output = SAID.search(result.stderr), result.stdout
        if result.returncode or not said:
            sys.stderr.write(result.stderr)
            return None, None, f"ended with status {result.returncode}"
        times.append([float(seconds) for seconds in said.groups() if seconds])
    medians = [statistics.median(column) for column in zip(*times)]
    return medians[0], medians[1] if len(medians) > 1 else None, output


def cells(row, prediction=None):
    pairs = [("generated, all", "by hand, all"), ("generated, without transfers", "by hand, without transfers"), ("C, all", "generated, all")]
    compared = cell(prediction, row.get("generated, without transfers"))
    return [*(cell(row.get(above), row.get(below)) for above, below in pairs), compared, row["output"]]


def seconds(time):
    return f"{time:.4f}" if time else "-"


def cell(above, below):
    return f"{above / below:.2f} ({above:.4f} : {below:.4f})" if above and below else "-"


def ratios(rows, part):
    pairs = {name: (row.get(f"generated, {part}"), row.get(f"by hand, {part}")) for name, row in rows.items()}
    return {name: generated / by_hand for name, (generated, by_hand) in pairs.items() if generated and by_hand}


def agree(one, other):
    """True if the numbers behind the checksums agree to a few digits of a float: sums may be grouped otherwise, and a GPU has other sines."""
    one, other = (re.sub(r"checksum \w+", "", text).split() for text in (one, other))
    return len(one) == len(other) and all(close(a, b) for a, b in zip(one, other))


def close(a, b):
    a, b = a.rstrip(","), b.rstrip(",")
    if a == b:
        return True
    try:
        a, b = float(a), float(b)
    except ValueError:
        return False
    return abs(a - b) <= 1e-3 * max(abs(a), abs(b))
