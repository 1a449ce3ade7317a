"""`scripts/bench translate`: how long translations take, and how that grows."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from . import ROOT, table

BIN = pathlib.Path(os.environ.get("C2CUDA_BIN", ROOT / "target/release"))
TOOLS = ["clan-rs", "candl-rs", "scheduler", "gpulocalizer", "cloog-rs", "cudagen"]

HELP = "how long translations take"
DESCRIPTION = (
    "How long each tool and the whole driver take to translate a program (median of the runs, wall"
    " time in milliseconds), and the most memory that a tool used (MB). Without programs, those of examples/ and"
    " the kernels of PolyBench; then also how the time of all tools and the proof grows with the number of statements"
    " and loops of a region and with the nesting of its loops, conditions, expressions and blocks."
)


def add_options(parser):
    parser.add_argument("programs", metavar="FILE.c", nargs="*", help="what is translated")
    parser.add_argument("--runs", metavar="N", type=int, default=5, help="how often each is run (5)")
    table.add_options(parser)


def run(arguments):
    missing = [tool for tool in TOOLS if not os.access(BIN / tool, os.X_OK)]
    if missing:
        print(f"bench: {BIN} has no {' '.join(missing)}: run `cargo build --release`", file=sys.stderr)
        return 1
    folders = ["examples", "tests/kernels/polybench"]
    known = [str(path) for folder in folders for path in sorted((ROOT / folder).glob("*.c"))]
    programs = measure_programs(arguments.programs or known, arguments.runs)
    growth = {} if arguments.programs else {
        what: measure_growth(what, sizes, program, arguments.runs) for what, (sizes, program) in GROWTH.items()
    }
    rows = {row["program"]: numbers(row) for row in programs}
    for what, grown in growth.items():
        rows.update({f"{row[what]} {what}": numbers(row) for row in grown})
    plots = [("ms: all tools", {row["program"]: row["all_tools_ms"] for row in programs if "all_tools_ms" in row})]
    for what, grown in growth.items():
        sums = {str(row[what]): sum(row["tools_ms"].values()) for row in grown if "tools_ms" in row}
        plots.append((f"ms: all tools and the proof, by {what}", sums))
    table.finish(arguments, {"bench": "translate", "rows": rows}, plots)
    return int(any("peak_mb" not in row for row in programs))


def numbers(row):
    """The numbers of a row, each under a name."""
    single = {what: row[what] for what in ["all_tools_ms", "driver_ms", "peak_mb"] if what in row}
    return {**{f"{tool}_ms": value for tool, value in row.get("tools_ms", {}).items()}, **single}


def measure_programs(programs, runs):
    width = max(len(name_of(program)) for program in programs)
    heads = [*TOOLS, "clan+candl", "all tools", "c2cuda", "peak MB"]
    print(f"{'ms':{width}}" + "".join(f"{head:>13}" for head in heads))
    results = []
    for program in programs:
        result = measure_program(program, runs)
        results.append(result or {"program": name_of(program)})
        if result is None:
            print(f"{name_of(program):{width}}  failed")
            continue
        times = result["tools_ms"]
        sums = [times["clan-rs"] + times["candl-rs"], result["all_tools_ms"], result["driver_ms"]]
        show_row(f"{result['program']:{width}}", [*times.values(), *sums, result["peak_mb"]])
    return results


def measure_growth(what, sizes, program, runs):
    """All tools and the proof on regions of several sizes. What one of them gives up is not measured with those behind it."""
    print(f"\n{what:>12}" + "".join(f"{head:>13}" for head in [*TOOLS, "proof", "sum", "times", "peak MB"]))
    rows, before = [], None
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        for size in sizes:
            source = pathlib.Path(folder, f"{what}{size}.c")
            source.write_text(program(size))
            measured = measure_commands([*commands(str(source), folder), proof(folder)], runs)
            if measured is None:
                rows.append({what: size})
                print(f"{size:12}  given up", flush=True)
                before = None
                continue
            times, peak = measured
            total = sum(times.values())
            rows.append({what: size, "tools_ms": times, "peak_mb": round(peak, 1)})
            show_row(f"{size:12}", [*times.values(), total, total / before if before else 1, peak])
            before = total
    return rows


def of_statements(count):
    """A region of loop nests, each of which reads what two others wrote."""
    nest = "    for (int i = 1; i < n; i++)\n        for (int j = 1; j < n; j++)\n            {};\n"
    text = "a{0}[i][j] = a{1}[i - 1][j] + a{2}[i][j - 1] * {3}"
    nests = [nest.format(text.format(k % 5, (k + 1) % 5, (k + 3) % 5, k)) for k in range(count)]
    arrays = ", ".join(f"double a{k}[n][n]" for k in range(5))
    return region(f"int n, {arrays}", "".join(nests))


def of_depth(depth):
    """One statement in a nest of loops; each is carried by its neighbour."""
    loops = "".join("    " * (k + 1) + f"for (int i{k} = 1; i{k} < 4; i{k}++)\n" for k in range(depth))
    here = "".join(f"[i{k}]" for k in range(depth))
    sum_of = " + ".join("a" + here.replace(f"[i{k}]", f"[i{k} - 1]") for k in range(depth))
    return region("float a" + "[4]" * depth, f"{loops}{'    ' * (depth + 1)}a{here} = {sum_of};\n")


def of_loops(count):
    """One short loop after the other on the same array."""
    return region("int n, double *a", "".join(f"    for (int i = 0; i < n; i++)\n        a[i] = a[i] * {k}.5;\n" for k in range(count)))


def of_conditions(depth):
    """A statement below conditions on its iterator."""
    return in_loop("".join(f"if (i != {3 * k})\n" for k in range(depth)) + "a[i] = b[i];\n")


def of_data_conditions(depth):
    """A statement below conditions on data."""
    return in_loop("".join(f"if (b[i] > {k})\n" for k in range(depth)) + "a[i] = b[i];\n")


def of_sums(terms):
    """A sum of neighbours."""
    return in_loop("a[i] = " + "\n    + ".join(f"b[i + {k}]" for k in range(terms)) + ";\n")


def of_choices(depth):
    """A value that one of many conditions chooses."""
    return in_loop("a[i] = " + "".join(f"i == {k} ? {k}.5\n : " for k in range(depth)) + "b[i];\n")


def of_blocks(depth):
    """A statement in nested blocks."""
    return in_loop("{" * depth + " a[i] = b[i]; " + "}" * depth + "\n")


def in_loop(text):
    return region("int n, double a[n], double b[n + 400]", f"    for (int i = 0; i < n; i++)\n{text}")


def region(parameters, text):
    return f"void f({parameters})\n{{\n#pragma scop\n{text}#pragma endscop\n}}\n"


# What grows: the sizes, and the program of a size.
SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 400]
GROWTH = {
    "statements": (SIZES, of_statements),
    "loops": (SIZES, of_loops),
    "depth": (range(1, 13), of_depth),
    "conditions": (SIZES, of_conditions),
    "on data": (SIZES, of_data_conditions),
    "terms": (SIZES, of_sums),
    "choices": (SIZES, of_choices),
    "blocks": ([1, 2, 5, 10, 20, 50, 100, 200], of_blocks),
}


def show_row(head, numbers):
    print(head + "".join(f"{number:13.1f}" for number in numbers), flush=True)


def name_of(program):
    return pathlib.Path(program).stem


def measure_program(program, runs):
    """The medians of some runs, or nothing if a tool refuses the program."""
    with tempfile.TemporaryDirectory(prefix="bench.") as folder:
        driver = ("c2cuda", [ROOT / "scripts/c2cuda", "--quiet", "-o", folder, program])
        measured = measure_commands([*commands(program, folder), driver], runs)
    if measured is None:
        return None
    times, peak = measured
    tools = {tool: times[tool] for tool in TOOLS}
    return {
        "program": name_of(program),
        "tools_ms": tools,
        "all_tools_ms": round(sum(tools.values()), 2),
        "driver_ms": times["c2cuda"],
        "peak_mb": round(peak, 1),
    }


def measure_commands(commands, runs):
    """The median time of each of some commands that are run one after the other, and the most memory of all."""
    times, peak = {name: [] for name, _ in commands}, 0
    for _ in range(runs):
        for name, command in commands:
            measured = measure(command)
            if measured is None:
                return None
            times[name].append(measured[0])
            peak = max(peak, measured[1])
    return {name: round(statistics.median(values), 2) for name, values in times.items()}, peak


def commands(program, folder):
    document = program
    for tool in TOOLS[:-1]:
        result = os.path.join(folder, f"{tool}.json")
        yield tool, [BIN / tool, document, "-o", result]
        document = result
    yield "cudagen", [BIN / "cudagen", document, "-o", folder]


def proof(folder):
    return "proof", [BIN / "candl-rs", "--check", os.path.join(folder, "cloog-rs.json")]


def measure(command):
    """Milliseconds and megabytes of a process; nothing if it fails, and then what it said is shown."""
    with tempfile.TemporaryFile("w+") as said:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = (time.perf_counter() - start) * 1000
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode == 0:
            return elapsed, usage.ru_maxrss / 1024
        said.seek(0)
        sys.stderr.write(said.read())
        return None
