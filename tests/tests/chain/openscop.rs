//! Documents as OpenScop: every program takes that way through the front half of the chain, and other tools' texts go as far as
//! they can.

use chain_tests::{Scratch, names_in, root, tool};

/// Every example and every program of `tests/kernels/` is the same document behind OpenScop as without it.
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

/// `candl-rs` writes the document with dependences, `scheduler` reads it in either format. Both results must be the same, and so must
/// what a stage writes from what it has just read.
fn carries(scratch: &Scratch, program: &str) {
    let [json, scop] = ["a.json", "a.scop"].map(|name| scratch.at(name));
    tool("clan-rs").arg(program).within(&root()).arg("-o").arg(&json).run().succeeded();
    tool("clan-rs").arg(program).within(&root()).arg("--openscop").arg("-o").arg(&scop).run().succeeded();
    let source = |input: &std::path::Path| {
        let outcome = tool("cloog-rs").args(["--emit", "c"]).arg(input).run().succeeded();
        outcome.stdout
    };
    assert_eq!(source(&json), source(&scop), "{program}");
    let analysed = scratch.at("b.json");
    tool("candl-rs").arg(&json).arg("-o").arg(&analysed).run().succeeded();
    let text = tool("candl-rs").arg(&json).arg("--openscop").run().succeeded().stdout;
    let graph = |input: &str| tool("candl-rs").arg("--dot").reading(input).run().succeeded().stdout;
    assert_eq!(graph(&scratch.read("b.json")), graph(&text), "{program}");
    let scheduled = tool("scheduler").reading(&text).run().succeeded().stdout;
    let expected = tool("scheduler").arg(&analysed).run().succeeded().stdout;
    assert!(scheduled == expected, "{program}: scheduler finds another schedule behind OpenScop");
    let text = tool("scheduler").arg(&analysed).arg("--openscop").run().succeeded().stdout;
    tool("candl-rs").arg("--check").reading(&text).run().succeeded();
}

/// What another tool wrote has no typed bodies: it goes as far as loops, and no further.
#[test]
fn a_text_of_another_tool_goes_as_far_as_it_can() {
    let matmul = root().join("libs/scop/tests/openscop/matmul.scop");
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

/// The order is turned round by another tool, and `candl-rs --check` says what that breaks.
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
