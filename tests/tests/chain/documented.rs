//! What the README and docs/placement.md show of programs is what the tools write.

use std::path::Path;

use chain_tests::{Scratch, driver, root};

/// The mark for lines that are left out.
const LEFT_OUT: &str = "…";

/// Returns the indented block after a line of a page, without its indentation, as the parts between marks.
fn block(page: &str, after: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let mut lines = text.lines().skip_while(|line| !line.ends_with(after)).skip(1);
    let is_inside = |line: &&str| line.is_empty() || line.starts_with("    ");
    let block: Vec<&str> = lines.by_ref().take_while(is_inside).collect();
    let block: Vec<&str> = block.iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    let parts = block.split(|line| line.trim() == LEFT_OUT);
    let parts: Vec<String> =
        parts.map(|part| part.join("\n").trim_end().trim_start_matches('\n').to_owned()).collect();
    assert!(parts.iter().any(|part| part.lines().count() > 3), "{page}: no block after {after:?}");
    parts
}

fn check(page: &str, after: &str, text: &str) {
    for part in block(page, after) {
        assert!(text.contains(&part), "{page} shows\n{part}\nwhich is not in\n{text}");
    }
}

fn report(source: &Path) -> String {
    driver().arg("--report").arg(source).run().succeeded().stdout
}

#[test]
fn the_readme_shows_the_program_and_its_report() {
    let scratch = Scratch::new("readme");
    let program = root().join("tests/programs/loop.c");
    let source = std::fs::read_to_string(&program).unwrap();
    let shown = block("README.md", "time loop:").join("\n");
    let (function, rest) = shown.split_once("\n}\n").unwrap();
    assert!(source.contains(&format!("{function}\n}}\n")), "{function}");
    let head = rest.trim().split_once(" { … }").unwrap().0;
    assert!(source.contains(&format!("\n{head}\n{{\n")), "{head}");
    driver().args(["-q", "-o"]).arg(scratch.at("out")).arg(&program).run().succeeded();
    let host = scratch.read("out/loop_host.c");
    let host: Vec<&str> = host.lines().filter(|line| !line.starts_with("#line")).collect();
    check(
        "README.md",
        "memory that may be on the device, it calls a function of `loop_gpu.cu`:",
        &host.join("\n"),
    );
    check("README.md", "`c2cuda --report` says where the copies stand, and why:", &report(&program));
}

#[test]
fn the_page_on_placement_shows_a_report() {
    let after = "in which a convergence test reads one element:";
    check("docs/placement.md", after, &report(&root().join("tests/programs/residency/residual.c")));
}
