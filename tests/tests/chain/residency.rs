//! What stays on the device between regions of a whole program: results, bytes and copies.

use std::path::PathBuf;

use chain_tests::{Scratch, driver, names_in, root};
use serde_json::Value;

/// A file of `tests/programs/residency`, the arguments of the program, the bytes that its data flow demands to the
/// device and back, and the copies that this takes.
struct Case {
    program: &'static str,
    arguments: &'static [u64],
    to_device: Copies,
    to_host: Copies,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Copies {
    calls: u64,
    bytes: u64,
}

const fn copies(calls: u64, bytes: u64) -> Copies {
    Copies { calls, bytes }
}

/// Elements have 8 bytes.
const CASES: [Case; 18] = [
    // `u` goes to the device once and comes back once; `v` does neither.
    Case {
        program: "time_loop.c",
        arguments: &[100, 10],
        to_device: copies(1, 8 * 100),
        to_host: copies(1, 8 * 100),
    },
    // As above, with vectors.
    Case {
        program: "time_loop.cpp",
        arguments: &[100, 10],
        to_device: copies(1, 8 * 100),
        to_host: copies(1, 8 * 100),
    },
    // The vectors of a class, and two of a structure, of which one is only written. Unknown code gets what was written
    // when the last region has run; until then one element comes back in each fifth step.
    Case {
        program: "wave.cpp",
        arguments: &[100, 10],
        to_device: copies(6, 8 * (3 * 100 + 98)),
        to_host: copies(6, 8 * (4 * 100 + 2)),
    },
    // `u` in the loops of a constructor and of a destructor, after both of which unknown code may use it. In the last
    // loop `u` and the two ends of `v`, whose interiors come back.
    Case {
        program: "made.cpp",
        arguments: &[100, 10],
        to_device: copies(5, 8 * (3 * 100 + 2)),
        to_host: copies(4, 8 * (2 * 100 + 2 * 98)),
    },
    // An exception ends three of four time loops: `u` comes back on the way to each handler, and one element at the end.
    Case {
        program: "caught.cpp",
        arguments: &[],
        to_device: copies(4, 4 * 8 * 100),
        to_host: copies(4, 8 * (3 * 100 + 1)),
    },
    // One element in each step, one more in each tenth, and all but the two that the host has by then at the end. The
    // host writes an element in each step, which goes to the device before the next.
    Case {
        program: "conditional.c",
        arguments: &[100, 30],
        to_device: copies(30, 8 * (100 + 29)),
        to_host: copies(34, 8 * (30 + 3 + 98)),
    },
    // One element in every tenth step, and one at the end.
    Case {
        program: "residual.c",
        arguments: &[100, 40],
        to_device: copies(1, 8 * 100),
        to_host: copies(5, 8 * 5),
    },
    // Both grids go to the device: the first without two of its corners, the second's interior before its first and
    // last row. The interior of one comes back.
    Case { program: "swap.c", arguments: &[12, 8], to_device: SWAPPED.0, to_host: SWAPPED.1 },
    // The same: `delete` ends memory whose length is that of `new`.
    Case { program: "swap.cpp", arguments: &[12, 8], to_device: SWAPPED.0, to_host: SWAPPED.1 },
    Case { program: "index.c", arguments: &[12, 8], to_device: SWAPPED.0, to_host: SWAPPED.1 },
    Case { program: "members.c", arguments: &[12, 8], to_device: SWAPPED.0, to_host: SWAPPED.1 },
    // `a[0]` and `a[1]` where the loop asks for them, and all of `b`; `a` is complete by then but for these.
    Case {
        program: "exit.c",
        arguments: &[50, 30],
        to_device: copies(2, 2 * 8 * 50),
        to_host: copies(EXIT_CALLS, EXIT_BYTES),
    },
    // `x`, `r` and `p` go to the device; the scalar products need `p` (but in the first step), `q` and `r` in each
    // step, and one element of `x` comes back at the end.
    Case {
        program: "gradients.c",
        arguments: &[100, 5],
        to_device: copies(4, 4 * 8 * 100),
        to_host: copies(15, 14 * 8 * 100 + 8),
    },
    // `u` and the two ends of `v` go to the device. The sums in each step are of other memory. For the last one, the
    // interior of `u` comes back.
    Case {
        program: "sums.c",
        arguments: &[100, 10],
        to_device: copies(3, 8 * (100 + 2)),
        to_host: copies(1, 8 * 98),
    },
    // `u` and `v` go to the device once; one element of `u` in each tenth step, and all of it at the end.
    Case {
        program: "operators.cpp",
        arguments: &[100, 20],
        to_device: copies(2, 2 * 8 * 100),
        to_host: copies(3, 8 * (2 + 100)),
    },
    // The finest level comes back for the sum: `u[0]` up to the bound `size[0]`, with the two ends that no region writes.
    Case {
        program: "multigrid.c",
        arguments: &[8, 3],
        to_device: copies(4, 720),
        to_host: copies(1, 8 * 33),
    },
    // Regions that stay on the host read two elements in each tenth step and three in each fifth, and write one in each
    // seventh, which goes to the device again; two elements are read at the end.
    Case {
        program: "on_host.c",
        arguments: &[100, 20],
        to_device: copies(5, 8 * (2 * 100 + 3)),
        to_host: copies(10, 8 * (2 * 2 + 4 * 3 + 2)),
    },
    // `u`, and the two ends of `v`, which no region writes. Other files may have the memory, so both come back.
    Case {
        program: "arguments.c",
        arguments: &[100, 10],
        to_device: copies(3, 8 * (100 + 2)),
        to_host: copies(2, 2 * 8 * 98),
    },
];

const SWAPPED: (Copies, Copies) = (copies(4, 8 * (2 * 12 * 9 - 2)), copies(1, 8 * (10 * 9 - 1)));
const EXIT_CALLS: u64 = 8;
const EXIT_BYTES: u64 = 840;

#[test]
fn programs_move_what_their_data_flow_demands() {
    for case in &CASES {
        let source = root().join("tests/programs/residency").join(case.program);
        let moved = moved(&[source], case.arguments);
        assert_eq!(moved, (case.to_device, case.to_host), "{}", case.program);
    }
}

/// The report names the lines for whose sake copies stand where they are.
#[test]
fn every_copy_is_explained() {
    let source = root().join("tests/programs/residency/residual.c");
    let said = driver().arg("--report").arg(&source).run().succeeded().stdout;
    for line in [
        "    back, when host code needs them: n elements of 8 bytes, with the n - 2 that are written in line 11",
        "    back, when host code needs them: n - 2 elements of 8 bytes, written in line 9",
        "    stays on the device from one run of the region to the next",
        "  is_small, line 17: `u[i]` is read here: it is copied back first if it is newer on the device",
        "  main, line 25: `u[0]` to `u[n - 1]` are written in line 26: they are copied to the device when it needs them",
        "  main, line 36: what `u` points to is freed here: it leaves the device without a copy",
    ] {
        assert!(said.lines().any(|other| other == line), "no line {line:?} in\n{said}");
    }
}

/// A program with a time loop, and with code before its functions, in the loop and after it.
fn time_loop(head: &str, inside: &str, after: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n{head}
static double step(int n, double *u) {{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
    return n;
}}
int main(void) {{
    double sum = 0, *u = calloc(9, 8), *v = calloc(9, 8);
    for (int t = 0; t < 9; t++) {{
        {inside}
    }}
    {after}
    printf(\"%g\\n\", sum + u[3] + v[1]);
    return 0;
}}
"
    )
}

/// The report says what keeps memory from staying, or why more is copied than the program reads, and what to do about
/// it.
#[test]
fn what_costs_copies_is_explained_with_a_way_out() {
    let scratch = Scratch::new("explained");
    let steps = "step(9, u), step(9, v);";
    for (name, text, line) in [
        (
            "threads",
            time_loop("#include <pthread.h>", steps, ""),
            "  nothing stays on the device, because the program may have threads that use the arrays of a region: `pthread.h` is \
             included (line 3): translate with `--no-host-threads` if no other thread uses these arrays while a region runs or \
             while they stay on the device",
        ),
        (
            "twice",
            time_loop("#include <setjmp.h>\nstatic jmp_buf back;", steps, "if (setjmp(back)) return 1;"),
            "  nothing stays on the device, because the file calls `setjmp`, which may return more than once (line 17): call it \
             in another file",
        ),
        (
            "mixed",
            time_loop("", "sum += step(9, u) + u[1];", ""),
            "    in slices: nothing else would transfer less; does not stay on the device between regions, because line 14 uses \
             `u[1]` (the memory of `calloc` in line 12) and runs a region with the same memory in one expression: \
             make two statements of it",
        ),
        (
            "bound",
            time_loop(
                "static double n[2] = {9, 9};",
                steps,
                "for (int i = 0; i < (int)n[1]; i++) sum += u[i];",
            ),
            "    for which elements is not known, because the bound `(int)n[1]` of the loop is not made of variables and constants \
             alone; copy it to a variable before the loop",
        ),
        (
            "step",
            time_loop("", steps, "for (int i = 0; i < 9; i += 2) sum += u[i];"),
            "    for which elements is not known, because the step `i += 2` of the loop does not just add one to what the loop counts; \
             let the loop count up by one, and compute the rest from that, as in `u[10 * k]`",
        ),
        (
            "types",
            time_loop("", steps, "for (int i = 0; i < 9u; i++) sum += u[i];"),
            "    for which elements is not known, because the loop with `i < 9u` compares numbers of types that may wrap \
             around; give its variable and its bounds one type, `int`, `long` or `size_t`",
        ),
        (
            "twice_read",
            time_loop("", steps, "u[1] += 1;"),
            "  main, line 16: `u[1]` is written here: it is copied back first if it is newer on the device, and to it when it \
             needs it",
        ),
        (
            "at_exit",
            time_loop("", "fill();", "")
                .replace("static double step", "static double w[9];\nstatic double step")
                .replace("int main(void)", "void fill(void) { step(9, w); }\nint main(void)"),
            "    is copied back when the program ends, because other files may call `fill` (line 12): declare it `static` if no \
             other file does that",
        ),
        (
            "called_back",
            time_loop("", "step(9, w);", "atexit(last);")
                .replace("static double step", "static double w[9];\nstatic double step")
                .replace(
                    "int main(void)",
                    "static void last(void) { printf(\"%g\\n\", w[3]); }\nint main(void)",
                ),
            "    is copied back when the program ends, because other code, such as `atexit`, has the address of `last` (line 12): \
             call it yourself, and do not pass its address on, if nothing else calls it",
        ),
        (
            "external",
            time_loop("double w[9];", "step(9, w);", ""),
            "    leaves the device before unknown code runs, because other files may use `w` (line 3): declare it `static` if no \
             other file does that",
        ),
        (
            "host",
            time_loop(
                "",
                steps,
                "\n#pragma scop\n for (int i = 0; i < 9; i++) sum += u[i];\n#pragma endscop\n",
            ),
            "    `u[0]` to `u[8]` are read in line 18: they are copied back first if they are newer on the device",
        ),
        (
            "indirect",
            time_loop("static double at[9];", steps, "sum += u[(int)at[2]];"),
            "    for which elements is not known, because `at[2]` is not made of variables and constants alone; copy it to a \
             variable first",
        ),
        (
            "columns",
            time_loop("", steps, ""),
            "  D0: the memory of `calloc` in line 12, column 26; the memory of `calloc` in line 12, column 45 stay on the device",
        ),
        (
            "end",
            time_loop("void seen(double *);", steps, "seen(u);"),
            "  main, line 15: after the last region, what other code may touch is copied back and leaves the device",
        ),
        (
            "guarded",
            time_loop("", steps, "sum = sum > 3 && u[1] > 2;"),
            "    whatever the condition before it in the same expression says: to copy only where this is used, test that \
             condition in an `if` of its own around it",
        ),
        (
            "elsewhere",
            time_loop("void seen(double *);", "step(9, u); seen(u);", ""),
            "  main, line 14: what other code may touch is copied back and leaves the device, because this calls `seen`, whose \
             body is not in this file: say what it does with `#pragma c2cuda effects` before its declaration, or \
             translate its file together with this one",
        ),
        (
            "in each run",
            time_loop("void seen(double *);", "step(9, u); seen(u);", ""),
            "    could stay on the device, but all of D0 leaves it between any two regions that use it, because of line 14: see \
             there below",
        ),
        (
            "pointer",
            time_loop("void seen(double *); void (*call)(double *);", "step(9, u); if (t > 3) call(u);", ""),
            "  main, line 14: what other code may touch is copied back and leaves the device, because this calls a function \
             through the pointer `call`: call the function by its name",
        ),
        (
            "structures",
            time_loop("struct point { double x, y; };", "move((struct point *)u);", "").replace(
                "int main(void)",
                "static void move(struct point *p) {\n#pragma scop\n for (int i = 0; i < 4; i++) p[i].x += 1;\n\
                 #pragma endscop\n}\nint main(void)",
            ),
            "    in slices: numbered elements would not transfer less; does not stay on the device between regions, because it is a \
             member of each structure of an array: make an array of each member instead of an array of structures",
        ),
    ] {
        let source = scratch.write(&format!("{name}.c"), &text);
        let said = driver().arg("--report").arg(&source).run().succeeded().stdout;
        assert!(said.lines().any(|other| other == line), "{name}: no line\n{line}\nin\n{said}");
    }
}

/// The report calls parameters and arrays as the user does, not as generated code does.
#[test]
fn the_report_names_what_the_user_wrote() {
    let scratch = Scratch::new("names");
    let members = "#include <cstdio>\n#include <cstdlib>
namespace {
struct Grid {
    int n;
    double *u;
    void relax(double *v) {
#pragma scop
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * v[i] + i;
#pragma endscop
    }
};
}
int main() {
    Grid g{90, static_cast<double *>(std::calloc(90, 8))};
    for (int t = 0; t < 9; t++)
        g.relax(g.u);
    std::printf(\"%g\\n\", g.u[3]);
}
";
    let structures = "#include <stdio.h>\n#include <stdlib.h>
struct size { int n; };
struct point { double x, y; };
static void move(const struct size *s, struct point *p, double *v) {
#pragma scop
    for (int i = 0; i < s->n; i++)
        v[i] = v[i] + p[i].x;
#pragma endscop
}
int main(void) {
    struct size s = {90};
    struct point *p = calloc(90, sizeof *p);
    double *v = calloc(90, 8);
    for (int t = 0; t < 9; t++)
        move(&s, p, v);
    printf(\"%g\\n\", v[3]);
    return 0;
}
";
    for (name, text, lines, other) in [
        (
            "members.cpp",
            members,
            &["back, when host code needs them: this->n - 2 elements of 8 bytes, written in line 10"][..],
            "this_n",
        ),
        (
            "structures.c",
            structures,
            &["p[].x", "to the device: s->n elements of 8 bytes, read in line 8"],
            "s_n",
        ),
    ] {
        let source = scratch.write(name, text);
        let said = driver().arg("--report").arg(&source).run().succeeded().stdout;
        for line in lines {
            assert!(said.lines().any(|one| one.trim_start() == *line), "{name}: no line {line:?} in\n{said}");
        }
        assert!(!said.contains(other), "{said}");
    }
}

/// A function that an expression calls may change all of an array, but is perhaps not called: then the array stays.
#[test]
fn the_report_says_where_an_array_may_leave() {
    let scratch = Scratch::new("perhaps");
    let report = |name: &str, call: &str| {
        let head = "static int at[9];\nstatic int scatter(double *u) {\n for (int i = 0; i < 9; i++) u[at[i]] += 1;\n \
                    return 1;\n}";
        let text = time_loop(head, &format!("step(9, u);\n{call};"), "");
        let source = scratch.write(name, &text);
        driver().arg("--report").arg(&source).run().succeeded().stdout
    };
    let said = report("under.c", "sum += t > 5 ? scatter(u) : 0");
    assert!(
        said.contains(
            "stays on the device from one run of the region to the next, unless all of D0 leaves it"
        ),
        "{said}"
    );
    assert!(
        said.contains(
            "    but is copied in each run of a region before which line 5 is executed: see there below"
        ),
        "{said}"
    );
    let said = report("branch.c", "if (t > 5 && scatter(u)) sum += 1");
    assert!(said.contains("    stays on the device from one run of the region to the next\n"), "{said}");
    assert!(!said.contains("but is copied in each run"), "{said}");
}

/// What the report advises helps: each program, with a part of it replaced as its report says, keeps its array on the
/// device from one run of the region to the next.
#[test]
fn ways_out_of_cxx_help() {
    let scratch = Scratch::new("ways-out");
    let step = "static void step(int n, double *u) {\n#pragma scop\n  for (int i = 0; i < n; i++) u[i] = u[i] * 1.5 + i;\n\
                #pragma endscop\n}\n";
    let main = |inside: &str| {
        format!(
            "int main() {{\n  double *u = (double *)std::malloc(720);\n  for (int i = 0; i < 90; i++) u[i] = i % 5;\n  {inside}\n  \
             std::printf(\"%g\\n\", u[3]);\n  std::free(u);\n}}\n"
        )
    };
    let loop_of = |head: &str, before: &str, inside: &str| {
        let inside = format!("{before} for (int t = 0; t < 9; t++) {{ {inside} }}");
        let head = format!(
            "#include <cstdio>\n#include <cstdlib>\n#include <memory>\n#include <vector>\n{step}{head}"
        );
        format!("{head}\n{}", main(&inside))
    };
    let class =
        |name: &str| format!("struct Step {{ double c; void {name}(double *u) const {{ step(90, u); }} }};");
    for (name, text, way_out, corrected) in [
        (
            "vector",
            loop_of(
                "double *kept; void keep(double *p) { kept = p; }",
                "keep(u);",
                "std::vector<int> k(3); step(90, u);",
            ),
            "do that before the loop that runs regions",
            loop_of(
                "double *kept; void keep(double *p) { kept = p; }",
                "keep(u); std::vector<int> k(3);",
                "step(90, u);",
            ),
        ),
        (
            "member",
            loop_of("", "std::unique_ptr<double[]> v(new double[90]());", "step(90, v.get());"),
            "call it before the loop that runs regions, and use its value there",
            loop_of(
                "",
                "std::unique_ptr<double[]> v(new double[90]()); double *w = v.get();",
                "step(90, w);",
            ),
        ),
        (
            "lambda",
            loop_of(
                "double *kept; void keep(double *p) { kept = p; }",
                "keep(u);",
                "step(90, u); [](int t) { std::printf(\"%d\\n\", t); }(t);",
            ),
            "call a function that has a name instead",
            loop_of(
                "double *kept; void keep(double *p) { kept = p; } static void show(int t) { std::printf(\"%d\\n\", t); }",
                "keep(u);",
                "step(90, u); show(t);",
            ),
        ),
        (
            "class",
            loop_of(&class("run"), "Step s{2};", "s.run(u);"),
            "declare it in an unnamed namespace (of members, the whole class) if no other file does that",
            loop_of(&format!("namespace {{ {} }}", class("run")), "Step s{2};", "s.run(u);"),
        ),
    ] {
        let report = |file: &str, text: &str| {
            let source = scratch.write(&format!("{name}-{file}.cpp"), text);
            driver().arg("--report").arg(&source).run().succeeded().stdout
        };
        let (said, after) = (report("before", &text), report("after", &corrected));
        assert!(said.lines().any(|line| line.ends_with(way_out)), "{name}: {way_out}\n{said}");
        assert!(!after.lines().any(|line| line.ends_with(way_out)), "{name}\n{after}");
        assert!(
            after.contains("stays on the device from one run of the region to the next"),
            "{name}\n{after}"
        );
    }
}

/// If a later stage refuses the file, the loops are reported all the same.
#[test]
fn the_report_survives_a_refusal() {
    let call = driver().args(["--report", "--tile-sizes", "K9=4"]).arg(root().join("examples/lu.c"));
    let outcome = call.run().ended_with(1);
    assert!(outcome.stdout.contains("for k"), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("there is no kernel K9"), "{}", outcome.stderr);
}

/// Returns what a program copies to the device and back.
fn moved(sources: &[PathBuf], arguments: &[u64]) -> (Copies, Copies) {
    let scratch = Scratch::new("residency");
    let call = driver().args(["--run", "--profile", "--quiet"]).args(sources);
    let call = call.arg("--").args(arguments.iter().map(u64::to_string));
    call.with("CUDASIM_PROFILE", scratch.at("counts.json")).run().ended_with(0);
    copies_in(&scratch)
}

fn copies_in(scratch: &Scratch) -> (Copies, Copies) {
    let counts: Value = serde_json::from_str(&scratch.read("counts.json")).unwrap();
    let moved = |way: &str, key: &str| counts["copies"][way][key].as_u64().unwrap();
    let [to_device, to_host] =
        ["host_to_device", "device_to_host"].map(|way| copies(moved(way, "calls"), moved(way, "bytes")));
    (to_device, to_host)
}

/// Programs of which only the results are tested.
const OTHERS: [(&str, &[u64]); 17] = [
    ("functor.cpp", &[]),
    ("throwing.cpp", &[]),
    ("deletes.cpp", &[]),
    ("lambdas.cpp", &[]),
    ("destroyed.cpp", &[]),
    ("ends.cpp", &[]),
    ("scopes.c", &[50, 6]),
    ("bounds.c", &[]),
    ("perhaps.c", &[]),
    ("headers.c", &[90]),
    ("vectors.cpp", &[60, 9]),
    ("classes.cpp", &[40, 7]),
    ("exceptions.cpp", &[30, 9]),
    ("labels.c", &[40]),
    ("returned.cpp", &[]),
    ("catching.cpp", &[]),
    ("hidden_handler.cpp", &[]),
];

/// The checking simulator finds stale values on either side; results are those of the original program.
#[test]
fn programs_compute_what_the_source_computes() {
    let cases = CASES.iter().map(|case| (case.program, case.arguments));
    for (program, own) in cases.chain(OTHERS) {
        compare(program, &[root().join("tests/programs/residency").join(program)], own);
    }
}

/// Threads of C++ run regions; the program promises that two never use one array at once.
#[test]
fn threads_of_cxx_share_the_table() {
    let source = root().join("tests/programs/residency/threads.cpp");
    compare_with("threads", &[source], &[], &["-pthread", "--no-host-threads"]);
}

/// Checks that a program prints on the checking simulator what it prints without c2cuda.
fn compare(name: &str, sources: &[PathBuf], own: &[u64]) {
    compare_with(name, sources, own, &[]);
}

fn compare_with(name: &str, sources: &[PathBuf], own: &[u64], options: &[&str]) {
    let scratch = Scratch::new(name);
    let original = scratch.at("original");
    let compiler = if sources.iter().any(|source| source.extension().is_some_and(|end| end == "cpp")) {
        "g++"
    } else {
        "gcc"
    };
    let mut gcc = chain_tests::Call::new(compiler).args(["-O1", "-ffp-contract=off", "-w", "-pthread"]);
    gcc = gcc.args(sources).arg("-o").arg(&original);
    gcc.run().succeeded();
    let arguments = || own.iter().map(u64::to_string);
    let expected = chain_tests::Call::new(&original).args(arguments()).run().succeeded().stdout;
    let call =
        driver().args(["--run", "--on", "check", "--quiet"]).args(options.iter().copied()).args(sources);
    let call = call.arg("--").args(arguments());
    assert_eq!(call.run().succeeded().stdout, expected, "{name}");
}

/// Returns files of `tests/programs/files`.
fn files(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| root().join(format!("tests/programs/files/{name}.c"))).collect()
}

/// Arrays go to the device once and come back once, however many steps there are: the time loop is in a file without
/// regions, and a third file reads an array at the end. In each step the host reads two elements, in each tenth step
/// two more; all but the two ends of each array comes back at the end.
#[test]
fn files_that_are_translated_together_share_what_is_on_the_device() {
    let steps = files(&["steps", "kernels", "report"]);
    for count in [10, 40] {
        let per_step = 2 * count + 2 * (count / 10);
        let (to_device, to_host) = moved(&steps, &[100, count]);
        assert_eq!(to_device, copies(3, 816), "{count} steps");
        assert_eq!(to_host, copies(per_step + 2, 8 * (per_step + 2 * 98)), "{count} steps");
    }
    compare("steps", &steps, &[37, 9]);
}

/// The same for two files of C++ that both have regions, with the members of an object and the elements of vectors:
/// four arrays go to the device once. Of these, one comes back as a whole at the end, and one element of two others. In
/// each tenth step the host reads two elements, of which it changes one.
#[test]
fn files_of_cxx_share_what_is_on_the_device() {
    let sources =
        ["passed.cpp", "passed_other.cpp"].map(|name| root().join("tests/programs/files").join(name));
    for count in [10, 20, 40] {
        let tenths = count / 10;
        let (to_device, to_host) = moved(&sources, &[100, count]);
        assert_eq!(to_device, copies(5 + tenths, 8 * (203 + tenths)), "{count} steps");
        assert_eq!(to_host, copies(4 + 2 * tenths, 8 * (101 + 2 * tenths)), "{count} steps");
    }
    compare("passed", &sources, &[37, 23]);
}

/// A pointer that another file keeps, functions of two files that call each other, and pointers that another file
/// exchanges: what is not known of them is unknown code.
#[test]
fn what_is_not_known_of_other_files_is_unknown_code() {
    compare("levels", &files(&["levels", "between", "kernels", "report"]), &[40, 9]);
}

/// What is said of functions of other files, through members of structures, in C and C++: they take part with the
/// elements that they use.
#[test]
fn effects_name_elements_of_structures() {
    for (name, options, expected) in [
        ("effects.c", &["--with"][..], Some((copies(3, 816), copies(7, 848)))),
        ("effects.cpp", &["--with"], None),
        ("effects.c", &[], None),
        ("effects.cpp", &[], None),
    ] {
        let (stem, end) = name.split_once('.').unwrap_or((name, ""));
        let [source, other] = [stem.to_owned(), format!("{stem}_other")]
            .map(|stem| root().join(format!("tests/programs/files/{stem}.{end}")));
        let scratch = Scratch::new("effects");
        let original = scratch.at("original");
        let gcc = chain_tests::Call::new(if end == "c" { "gcc" } else { "g++" }).args([
            "-O1",
            "-ffp-contract=off",
            "-w",
        ]);
        gcc.arg(&source).arg(&other).arg("-o").arg(&original).run().succeeded();
        let expected_text = chain_tests::Call::new(&original).run().succeeded().stdout;
        let call = |how: &[&str]| {
            let call = driver().args(["--run", "--quiet"]).args(how.iter().copied()).arg(&source);
            call.args(options.iter().copied()).arg(&other)
        };
        assert_eq!(call(&["--on", "check"]).run().succeeded().stdout, expected_text, "{name} {options:?}");
        if let Some(expected) = expected {
            call(&["--profile"]).with("CUDASIM_PROFILE", scratch.at("counts.json")).run().ended_with(0);
            assert_eq!(copies_in(&scratch), expected, "{name}");
        }
    }
}

/// A file that needs no change is compiled as it is; without any region, translating is an error as for one file.
#[test]
fn files_without_regions_are_delivered_only_if_they_change() {
    let scratch = Scratch::new("plain");
    let output = driver().args(files(&["steps", "kernels", "report"])).arg("-o").arg(scratch.at("out"));
    let said = output.run().succeeded().stdout;
    let written = names_in(&scratch.at("out"));
    let parts = ["gpu.cu", "gpu.h", "host.c"];
    let expected: Vec<String> =
        ["kernels", "steps"].iter().flat_map(|file| parts.map(|part| format!("{file}_{part}"))).collect();
    assert_eq!(written, expected);
    assert!(said.contains("tests/programs/files/report.c -o report.o"), "{said}");
    driver().args(files(&["report", "levels"])).run().ended_with(1);
}
