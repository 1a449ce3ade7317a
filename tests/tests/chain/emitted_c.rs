//! `cloog-rs --emit c`: if its loops replace the regions, the program computes the same, in the source's order and in
//! the scheduler's order.

use std::path::Path;

use chain_tests::{Call, Scratch, gcc, names_in, root, tool};

#[test]
fn loops_compute_what_the_regions_do() {
    let scratch = Scratch::new("emitted");
    let folder = root().join("tests/kernels");
    let run = |source: &Path| {
        let program = scratch.at("program");
        let call = gcc().args(["-w", "-O0", "-iquote"]).arg(&folder).arg(source).arg("-o").arg(&program);
        call.arg("-lm").run().succeeded();
        Call::new(program).run().succeeded().stdout
    };
    let then = |name: &str, document: &str| tool(name).reading(document).run().succeeded().stdout;
    for name in names_in(&folder).iter().filter(|name| name.ends_with(".c")) {
        let source = folder.join(name);
        let text = std::fs::read_to_string(&source).unwrap();
        let expected = run(&source);
        let in_order = tool("clan-rs").arg(&source).run().succeeded().stdout;
        let scheduled = then("scheduler", &then("candl-rs", &in_order));
        for (order, document) in [("the source's order", in_order), ("the scheduler's order", scheduled)] {
            let blocks = tool("cloog-rs").args(["--emit", "c"]).reading(&document).run().succeeded().stdout;
            let rewritten = scratch.write(name, &replaced(&text, &blocks));
            assert_eq!(run(&rewritten), expected, "{name} in {order}");
        }
    }
}

/// Replaces the regions of a text by these blocks, each of which begins with a comment that names it.
fn replaced(text: &str, blocks: &str) -> String {
    let is_name = |line: &str| line.starts_with("/* ") && line.split(' ').count() == 3;
    let mut blocks = blocks.lines().peekable();
    let mut result = String::new();
    let mut inside = false;
    for (number, line) in (1..).zip(text.lines()) {
        let pragma = line.trim_start();
        if pragma.starts_with("#pragma scop") {
            inside = true;
            result += &format!("{}\n", blocks.next().expect("a block for each region"));
            while let Some(line) = blocks.next_if(|line| !is_name(line)) {
                result += &format!("{line}\n");
            }
            result += "#undef min\n#undef max\n#undef floord\n";
        }
        if !inside {
            result += &format!("{line}\n");
        }
        if pragma.starts_with("#pragma endscop") {
            inside = false;
            // The programs print their line numbers.
            result += &format!("#line {}\n", number + 1);
        }
    }
    assert_eq!(blocks.next(), None, "a region for each block");
    result
}
