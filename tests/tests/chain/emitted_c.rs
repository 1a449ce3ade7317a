//! `cloog-rs --emit c`: the loops in the place of the regions compute what the regions do, in the source's order and in the scheduler's.

use std::path::Path;

use chain_tests::{Call, Scratch, gcc, names_in, root, tool};

#[test]
fn loops_in_the_order_of_the_source_compute_the_same() {
    compute_the_same("source", |document| document);
}

#[test]
fn scheduled_loops_compute_the_same() {
    let then = |name: &str, document: &str| tool(name).reading(document).run().succeeded().stdout;
    compute_the_same("scheduled", |document| then("scheduler", &then("candl-rs", &document)));
}

fn compute_the_same(name: &str, transformed: impl Fn(String) -> String) {
    let scratch = Scratch::new(name);
    let folder = root().join("tests/kernels");
    let run = |source: &Path| {
        let program = scratch.at("program");
        gcc()
            .arg("-w")
            .arg("-iquote")
            .arg(&folder)
            .arg(source)
            .arg("-o")
            .arg(&program)
            .arg("-lm")
            .run()
            .succeeded();
        Call::new(program).run().succeeded().stdout
    };
    for name in names_in(&folder).iter().filter(|name| name.ends_with(".c")) {
        let source = folder.join(name);
        let document = transformed(tool("clan-rs").arg(&source).run().succeeded().stdout);
        let blocks = tool("cloog-rs").args(["--emit", "c"]).reading(&document).run().succeeded().stdout;
        let text = std::fs::read_to_string(&source).unwrap();
        let rewritten = scratch.write(name, &replaced(&text, &blocks));
        assert_eq!(run(&rewritten), run(&source), "{name}");
    }
}

/// The text with these blocks, each under a comment with its name, in the place of the regions.
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
