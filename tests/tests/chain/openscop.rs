//! Documents in OpenScop: every program passes through the front half of the chain in this form, and texts of other
//! tools go as far as they can.

use std::path::Path;

use chain_tests::{Call, Scratch, names_in, root, tool, tools_folder};

use crate::libosl;

/// The document of every example and of every program of `tests/kernels/` is the same after a round trip through
/// OpenScop.
#[test]
fn openscop_carries_every_program() {
    let scratch = Scratch::new("openscop");
    for folder in ["examples", "tests/kernels"] {
        let programs = names_in(&root().join(folder));
        for name in programs.iter().filter(|name| name.ends_with(".c")) {
            carries(&scratch, &format!("{folder}/{name}"));
        }
    }
}

/// `candl-rs` writes the document with dependences, and `scheduler` reads it in either format. Both results must be
/// the same, and so must a document that a stage writes directly after reading it.
fn carries(scratch: &Scratch, program: &str) {
    let [json, scop] = ["a.json", "a.scop"].map(|name| scratch.at(name));
    tool("clan-rs").arg(program).within(&root()).arg("-o").arg(&json).run().succeeded();
    tool("clan-rs").arg(program).within(&root()).arg("--openscop").arg("-o").arg(&scop).run().succeeded();
    assert_eq!(libosl::read(&scratch.read("a.scop")).dropped, ["c_to_cuda"], "{program}");
    let source = |input: &Path| {
        let outcome = tool("cloog-rs").args(["--emit", "c"]).arg(input).run().succeeded();
        outcome.stdout
    };
    assert_eq!(source(&json), source(&scop), "{program}");
    let analysed = scratch.at("b.json");
    tool("candl-rs").arg(&json).arg("-o").arg(&analysed).run().succeeded();
    let text = tool("candl-rs").arg(&json).arg("--openscop").run().succeeded().stdout;
    assert_eq!(libosl::read(&text).dropped, ["c_to_cuda"], "{program}");
    let graph = |input: &str| tool("candl-rs").arg("--dot").reading(input).run().succeeded().stdout;
    assert_eq!(graph(&scratch.read("b.json")), graph(&text), "{program}");
    let scheduled = tool("scheduler").arg("--openscop").reading(&text).run().succeeded().stdout;
    let expected = tool("scheduler").arg("--openscop").arg(&analysed).run().succeeded().stdout;
    assert!(scheduled == expected, "{program}: scheduler finds another schedule behind OpenScop");
    tool("candl-rs").arg("--check").reading(&scheduled).run().succeeded();
}

/// The text of another tool has no typed bodies; it goes as far as loops, and no further.
#[test]
fn a_text_of_another_tool_goes_as_far_as_it_can() {
    let matmul = root().join("libs/openscop/tests/matmul.scop");
    let text = tool("candl-rs").arg(&matmul).arg("--openscop").run().succeeded().stdout;
    let loops = tool("cloog-rs").args(["--emit", "c"]).reading(&text).run().succeeded().stdout;
    for line in ["#define S0(i, j) C[i][j] = 0.0", "S1(c0, c1, c2);"] {
        assert!(loops.contains(line), "{line} is missing in\n{loops}");
    }
    let scheduled = tool("scheduler").reading(&text).run().succeeded().stdout;
    tool("candl-rs").arg("--check").reading(&scheduled).run().succeeded();
    let refused = tool("gpulocalizer").reading(&scheduled).run().ended_with(1);
    assert!(refused.stderr.contains("E0014"), "{}", refused.stderr);
}

/// Another tool reverses the order, and `candl-rs --check` reports the broken dependence.
#[test]
fn a_transformation_that_breaks_a_dependence_is_found() {
    let scratch = Scratch::new("openscop-check");
    let source = "void f(int n, double a[n]) {\n#pragma scop\n  for (int i = 1; i < n; i++)\n    a[i] = a[i - 1];\n#pragma endscop\n}\n";
    let source = scratch.write("f.c", source);
    let document = tool("clan-rs").arg(&source).run().succeeded().stdout;
    let text = tool("candl-rs").arg("--openscop").reading(&document).run().succeeded().stdout;
    let forward = "    0     0    -1     0     1     0     0\n";
    assert_eq!(text.matches(forward).count(), 1, "{text}");
    let backward = text.replace(forward, "    0     0    -1     0    -1     0     0\n");
    let refused = tool("candl-rs").arg("--check").reading(&backward).run().ended_with(1);
    assert!(refused.stderr.contains("flow"), "{}", refused.stderr);
}

const SEIDEL: &str = r#"#include <stdio.h>
static double a[23][23];
static void seidel(int steps, int n)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j]
                           + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) / 9.0;
#pragma endscop
}
int main(void)
{
    for (int i = 0; i < 23; i++)
        for (int j = 0; j < 23; j++)
            a[i][j] = (i * 7 + j * 3) % 11;
    seidel(5, 23);
    for (int i = 0; i < 23; i++)
        for (int j = 0; j < 23; j++)
            printf("%a\n", a[i][j]);
    return 0;
}
"#;

/// Pluto's transformation of `SEIDEL`, `[t, t + i, 2t + i + j]`: each dimension has a row.
const SKEWED: &str = "3 10 3 3 0 2\n0 -1 0 0 1 0 0 0 0 0\n0 0 -1 0 1 1 0 0 0 0\n0 0 0 -1 2 1 1 0 0 0\n";

/// Puts a command `pluto` into a folder. It saves its input in `question.scop`, prints a message, and writes the scop
/// with the given scatterings; of the rest of the text it keeps what the library keeps.
fn pretend_pluto(scratch: &Scratch, document: &str, scatterings: &[&str]) {
    let text = tool("candl-rs").arg("--openscop").reading(document).run().succeeded().stdout;
    let mut scop = libosl::read(&text);
    assert!(scop.dependences > 0 && scop.statements.len() == scatterings.len());
    scop.scatter(scatterings);
    scratch.write("answer.scop", &format!("[pluto] compute_deps (isl)\n{}", scop.print()));
    let (question, answer) = (scratch.at("question.scop"), scratch.at("answer.scop"));
    let script = format!("#!/bin/sh\ncat > {} && cat {}\n", question.display(), answer.display());
    let pluto = scratch.write("pluto", &script);
    Call::new("chmod").arg("+x").arg(pluto).run().succeeded();
}

/// Returns `PATH` with the tools and the test's folder.
fn path_of(scratch: &Scratch) -> String {
    let path = std::env::var("PATH").unwrap();
    format!("{}:{}:{path}", scratch.at("").display(), tools_folder().display())
}

fn analysed(source: &Path) -> String {
    let extracted = tool("clan-rs").arg(source).run().succeeded().stdout;
    tool("candl-rs").reading(&extracted).run().succeeded().stdout
}

/// Returns the commands of `docs/openscop.md`, word for word.
fn recipe() -> String {
    let page = std::fs::read_to_string(root().join("docs/openscop.md")).unwrap();
    let lines = page.lines().skip_while(|line| !line.starts_with("    clan-rs f.c"));
    lines.take_while(|line| line.starts_with("    ")).map(|line| format!("{}\n", line.trim())).collect()
}

#[test]
fn recipe_for_pluto_works_word_for_word() {
    let scratch = Scratch::new("pluto");
    let source = scratch.write("f.c", SEIDEL);
    pretend_pluto(&scratch, &analysed(&source), &[SKEWED]);
    let commands = recipe();
    assert!(
        commands.contains("\npluto --silent --notile --noparallel stdin < f.scop > g.scop\n"),
        "{commands}"
    );
    let call = Call::new("bash").args(["-e", "-o", "pipefail", "-c", &commands]).within(&scratch.at(""));
    call.with("PATH", path_of(&scratch)).run().succeeded();
    let kernels = scratch.read("f_gpu.cu");
    assert!(kernels.contains("__global__") && kernels.contains("<<<dim3("), "{kernels}");
    assert!(libosl::read(&scratch.read("question.scop")).dependences > 0);
    // The resulting document keeps the dependences of the source, and has the new order.
    let [before, after] = ["f.json", "g.json"].map(|name| scratch.read(name));
    let dependences = |text: &str| {
        let start = text.find("\"dependences\"").unwrap();
        text[start..text.find("\"verified\"").unwrap()].to_owned()
    };
    assert!(dependences(&before) == dependences(&after), "{after}");
    assert!(!before.contains("(2i0 + i1 + i2)") && after.contains("(2i0 + i1 + i2)"), "{after}");
}

/// Pluto as a stage: the program with its order gives the same bits as C, and an order that breaks a dependence is
/// reported.
#[test]
fn pluto_in_the_middle_of_the_driver() {
    let scratch = Scratch::new("pluto-stage");
    let source = scratch.write("f.c", SEIDEL);
    pretend_pluto(&scratch, &analysed(&source), &[SKEWED]);
    let call = || {
        let call = chain_tests::driver().args(["--stage", "scheduler=sh tests/swap/pluto.sh \"$@\""]);
        call.with("PATH", path_of(&scratch))
    };
    let plain = scratch.at("plain");
    chain_tests::gcc().arg(&source).arg("-o").arg(&plain).arg("-lm").run().succeeded();
    let expected = Call::new(&plain).run().succeeded().stdout;
    let actual = call().args(["--run", "--on", "check"]).arg(&source).run();
    assert_eq!(actual.succeeded().stdout, expected);
    let unskewed = "3 10 3 3 0 2\n0 -1 0 0 1 0 0 0 0 0\n0 0 -1 0 0 0 1 0 0 0\n0 0 0 -1 0 1 0 0 0 0\n";
    pretend_pluto(&scratch, &analysed(&source), &[unskewed]);
    let refused = call().arg("-o").arg(scratch.at("out")).arg(&source).run().ended_with(1).stderr;
    assert!(refused.contains("E0201") && refused.contains("does not run after"), "{refused}");
}

/// Diamond tiling gives instances of two statements the same time; in CLooG, the statement that comes first in the
/// text then runs first.
#[test]
fn equal_times_are_ordered_by_statement() {
    let scratch = Scratch::new("equal-times");
    let source = "void f(int n, double a[n], double b[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = i;\n  \
                  for (int i = 0; i < n; i++)\n    b[i] = 2 * a[i];\n#pragma endscop\n}\n";
    let document = analysed(&scratch.write("f.c", source));
    let document_path = scratch.write("f.json", &document);
    let mut scop =
        libosl::read(&tool("candl-rs").arg("--openscop").reading(&document).run().succeeded().stdout);
    let mut order = |scatterings: [&str; 2]| {
        scop.scatter(&scatterings);
        let text = scratch.write("g.scop", &scop.print());
        tool("candl-rs").arg("--order").arg(text).arg(&document_path).run()
    };
    let at_once = "1 5 1 1 0 1\n0 -1 1 0 0\n";
    let fused = order([at_once, at_once]).succeeded().stdout;
    let loops = tool("cloog-rs").args(["--emit", "c"]).reading(&fused).run().succeeded().stdout;
    let position = |text: &str| loops.rfind(text).unwrap_or_else(|| panic!("no {text} in\n{loops}"));
    assert!(position("a[c0] = c0;") < position("b[c0] = 2 * a[c0];"), "{loops}");
    let refused = order([at_once, "1 5 1 1 0 1\n0 -1 1 0 -1\n"]).ended_with(1).stderr;
    assert!(refused.contains("E0201"), "{refused}");
    let refused = order([at_once, "1 5 1 1 0 1\n0 -1 0 0 7\n"]).ended_with(1).stderr;
    assert!(refused.contains("E0011") && refused.contains("which comes first"), "{refused}");
}
