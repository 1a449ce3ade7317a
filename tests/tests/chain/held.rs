//! Arrays that code holds on the device while code runs that is not translated: results, bytes and stale values.

use chain_tests::{Call, Outcome, Scratch, driver, gcc, root};
use serde_json::Value;

/// Files of `tests/programs/held`: the translated one, its options, and the others.
struct Case {
    translated: &'static str,
    options: &'static [&'static str],
    others: &'static str,
    arguments: &'static [&'static str],
    /// The bytes to the device and back, as functions of the number of times that results are printed.
    moved: Option<(u64, u64)>,
}

/// In 40 steps on 100 elements of 8 bytes, results are printed four times.
const CASES: [Case; 3] = [
    // Both arrays go to the device once, the second one without its interior; what is printed comes back, and at the
    // end both arrays. The caller writes one element each time.
    Case {
        translated: "kernels.c",
        options: &["--residency", "callers"],
        others: "caller.c",
        arguments: &["100", "40"],
        moved: Some((8 * (100 + 2 + 3), 8 * (4 * 2 + 2 * 100 - 1))),
    },
    Case { translated: "directive.c", options: &[], others: "log.c", arguments: &["100", "40"], moved: None },
    Case {
        translated: "kernels.c",
        options: &["--residency", "callers"],
        others: "threads.c",
        arguments: &[],
        moved: None,
    },
];

fn folder() -> std::path::PathBuf {
    root().join("tests/programs/held")
}

fn includes() -> String {
    format!("-I{}", root().join("include").display())
}

fn original(scratch: &Scratch, case: &Case) -> Outcome {
    let program = scratch.at("original");
    let compiler = gcc().args(["-O1", "-ffp-contract=off", "-w", "-pthread"]).arg(includes());
    let compiler = compiler.arg(folder().join(case.translated)).arg(folder().join(case.others));
    compiler.arg("-o").arg(&program).run().succeeded();
    Call::new(&program).args(case.arguments).run().succeeded()
}

/// Runs a translated program.
fn translated(case: &Case, how: &[&str]) -> Call {
    let call = driver().args(["--run", "--quiet"]).args(how).args(case.options).arg(includes());
    let call = call.arg(folder().join(case.translated)).arg("--with").arg(folder().join(case.others));
    call.arg("-pthread").arg("--no-host-threads").arg("--").args(case.arguments)
}

#[test]
fn programs_compute_what_the_source_computes() {
    for case in &CASES {
        let scratch = Scratch::new("held");
        let expected = original(&scratch, case).stdout;
        let found = translated(case, &["--on", "check"]).run().succeeded().stdout;
        assert_eq!(found, expected, "{} with {}", case.translated, case.others);
    }
}

#[test]
fn held_arrays_move_only_where_that_is_announced() {
    for case in &CASES {
        let Some(expected) = case.moved else { continue };
        let scratch = Scratch::new("held-bytes");
        let call = translated(case, &["--profile"]).with("CUDASIM_PROFILE", scratch.at("counts.json"));
        call.run().succeeded();
        let counts: Value = serde_json::from_str(&scratch.read("counts.json")).unwrap();
        let bytes = |way: &str| counts["copies"][way]["bytes"].as_u64().unwrap();
        assert_eq!((bytes("host_to_device"), bytes("device_to_host")), expected, "{}", case.others);
    }
}

/// The checking simulator finds code that reads a held element without announcing it.
#[test]
fn what_is_not_announced_is_found() {
    let scratch = Scratch::new("held-stale");
    let text = std::fs::read_to_string(folder().join("caller.c")).unwrap();
    let announcement = "c2cuda_data_reads(&u[n / 2], sizeof u[n / 2]);";
    assert!(text.contains(announcement));
    let caller = scratch.write("caller.c", &text.replace(announcement, ""));
    let call = driver().args(["--run", "--quiet", "--on", "check", "--residency", "callers"]).arg(includes());
    let call = call.arg(folder().join("kernels.c")).arg("--with").arg(caller).args(["--", "100", "40"]);
    let said = call.run().ended_with(98).stderr;
    assert!(said.contains("stale value: the host reads 8 bytes"), "{said}");
}

/// The header alone: with a C and a C++ compiler, and without translated files.
#[test]
fn the_header_does_nothing_without_translated_files() {
    let scratch = Scratch::new("held-header");
    let header = driver().arg("--header").run().succeeded().stdout;
    scratch.write("c2cuda.h", &header);
    let source = "#include \"c2cuda.h\"\nint main(void) { double a[4] = {0};\nc2cuda_data_begin(a, sizeof a); \
                  c2cuda_data_writes(a, 8); c2cuda_data_reads(a, 8); c2cuda_data_end(a, sizeof a); return (int)a[0]; }\n";
    for (compiler, name, options) in [
        (gcc(), "a.c", &["-std=c89", "-O0"][..]),
        (gcc(), "b.c", &["-O2", "-fPIC", "-Wconversion"]),
        (chain_tests::gxx(), "c.cpp", &["-std=c++11", "-O2"]),
        (gcc(), "d.c", &["-U__GNUC__", "-O1"]),
    ] {
        scratch.write(name, source);
        let compiler = compiler.args(["-Wall", "-Wextra", "-pedantic", "-Werror"]).args(options).arg(name);
        compiler.within(scratch.path()).args(["-o", "program"]).run().succeeded();
        Call::new(scratch.at("program")).run().succeeded();
    }
}

/// Files without the directive that holds memory, and what is wrong or useless in each.
#[test]
fn what_cannot_be_held_is_refused() {
    let source = |main: &str, before: &str| {
        format!(
            "#include <stdlib.h>\n#include \"c2cuda.h\"\nvoid other(int n);\nstatic void add(int n, double *u, double c)\n\
             {{\n#pragma scop\n for (int i = 0; i < n; i++)\n u[i] += c;\n#pragma endscop\n}}\n{before}\n\
             int main(int argc, char **argv)\n{{\n int n = argc;\n double *u = malloc(n * sizeof *u), *w = malloc(n);\n \
             w[0] = 1;\n{main}\n free(u);\n free(w);\n return 0;\n}}\n"
        )
    };
    let cases = [
        (
            "#pragma c2cuda data copy(u[0:n])\n for (int t = 0; t < n; t++) { add(n, u, 1); other(t); }",
            "",
            "",
        ),
        ("#pragma c2cuda data create(u[0:n])\n { add(n, u, 1); }", "", ""),
        (
            "#pragma c2cuda data copy(w[0:1])\n { add(n, u, 1); }",
            "",
            "no region that runs in this statement keeps the memory at `&w[0]`",
        ),
        (
            "#pragma c2cuda data\n { n++; }\n add(n, u, 1);",
            "",
            "no region that runs in this statement keeps an array",
        ),
        (
            "#pragma c2cuda data copy(u[0:n])\n for (int t = 0; t < n; t++) w[0] = touch(n, u) + u[0];",
            "static double touch(int n, double *u) { add(n, u, 1); return 0; }",
            "and runs a region with the same memory in one expression",
        ),
        (
            "void *end = &&out;\n#pragma c2cuda data copy(u[0:n])\n { add(n, u, 1); if (n > 3) goto *end; other(n); }\nout:\n n++;",
            "",
            "a jump may leave the statement",
        ),
        (
            "#pragma c2cuda data copy(u[0:n])\n { add(n, u, 1); if (n > 3) goto end; other(n); }\nend:\n n++;",
            "",
            "",
        ),
        (
            "if (n > 100) goto in;\n#pragma c2cuda data\n { add(n, u, 1);\nin: other(n); add(n, u, 1); }",
            "",
            "control may jump into",
        ),
    ];
    for (main, before, expected) in cases {
        let scratch = Scratch::new("held-refused");
        let file = scratch.write("held.c", &source(main, before));
        let outcome =
            driver().args(["-q", "-o", "out"]).arg(includes()).arg(&file).within(scratch.path()).run();
        match expected {
            "" => assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0), "{main}"),
            _ => assert!(
                outcome.stderr.contains("error[E0405]") && outcome.stderr.contains(expected),
                "{main}: {}",
                outcome.stderr
            ),
        }
    }
}
