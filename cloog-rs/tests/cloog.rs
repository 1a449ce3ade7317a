//! Tests the loops that cloog-rs makes of small programs. `scheduler/tests/remake` regenerates the documents.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use cloog_rs::AnyStage;
use scop::ast::{AstExpr, Node};
use scop::{Placed, Program, Scanned, from_json, to_json, verify};

fn text(name: &str) -> String {
    let path = format!("{}/tests/documents/{name}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn run(name: &str) -> Program<Scanned> {
    let document: Program<Placed> = from_json(&text(name)).unwrap();
    let scanned = cloog_rs::run(document).unwrap().value;
    assert_eq!(verify::verify(&scanned), []);
    let json = to_json(&scanned).unwrap();
    assert!(from_json::<Scanned>(&json).unwrap() == scanned, "{name} does not survive a round trip");
    scanned
}

/// Summarises a program, with one line for each node that is not a block.
fn outline(node: &Node, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let list =
        |expressions: &[AstExpr]| expressions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match node {
        Node::Block { children } => children.iter().for_each(|child| outline(child, depth, lines)),
        Node::For { iterator, init, condition, body, .. } => {
            lines.push(format!("{indent}for {iterator} = {init} while {condition}"));
            outline(body, depth + 1, lines);
        }
        Node::If { condition, then, otherwise } => {
            lines.push(format!("{indent}if {condition}"));
            outline(then, depth + 1, lines);
            otherwise.iter().for_each(|node| outline(node, depth + 1, lines));
        }
        Node::Specialised { guard, specialised, general } => {
            lines.push(format!("{indent}specialised where {guard}"));
            outline(specialised, depth + 1, lines);
            outline(general, depth + 1, lines);
        }
        Node::Instance { statement, iterators, .. } => {
            lines.push(format!("{indent}{statement}({})", list(iterators)));
        }
        Node::Kernel { kernel, extent, body, .. } => {
            lines.push(format!("{indent}{kernel} on {}", list(extent)));
            outline(body, depth + 1, lines);
        }
        Node::Copy { buffer, into_buffer, element, place } => {
            let way = if *into_buffer { "into" } else { "from" };
            lines.push(format!("{indent}{way} {buffer}[{}] element [{}]", list(place), list(element)));
        }
        Node::Barrier => lines.push(format!("{indent}barrier")),
        Node::Element { .. } => lines.push(format!("{indent}element")),
        Node::Transfer { array, to_device, .. } => {
            lines.push(format!("{indent}{array} {}", if *to_device { "to device" } else { "from device" }));
        }
    }
}

fn outline_of(name: &str) -> Vec<String> {
    let mut lines = Vec::new();
    outline(&run(name).scops[0].stage.ast.body, 0, &mut lines);
    lines
}

#[test]
fn a_time_loop_runs_on_the_host() {
    let lines = outline_of("jacobi");
    let position = |wanted: &str| lines.iter().position(|line| line.trim_start().starts_with(wanted));
    let (time_loop, kernel) = (position("for c0").unwrap(), position("K0").unwrap());
    assert!(time_loop < kernel && position("K1").is_some_and(|other| kernel < other), "{lines:#?}");
}

#[test]
fn copies_and_barriers_stand_around_a_tile() {
    let lines = outline_of("reduction");
    let kinds: Vec<&str> = lines
        .iter()
        .filter_map(|line| {
            let word = line.trim_start().split([' ', '(', '[']).next().unwrap();
            ["into", "from", "barrier", "S0", "S1", "S2"].contains(&word).then_some(word)
        })
        .collect();
    assert_eq!(kinds, ["into", "barrier", "S0", "S1", "S2", "barrier"], "{lines:#?}");
}

#[test]
fn a_wavefront_has_a_barrier_after_each_step() {
    let lines = outline_of("wavefront");
    let barrier = lines.iter().find(|line| line.trim_start() == "barrier").unwrap();
    let step = lines.iter().find(|line| line.trim_start().starts_with("for c2")).unwrap();
    let indent = |line: &str| line.len() - line.trim_start().len();
    assert_eq!(indent(barrier), indent(step) + 2, "{lines:#?}");
}

#[test]
fn c_is_printed_of_a_document_of_any_stage() {
    let document: Program<AnyStage> = from_json(&text("matmul")).unwrap();
    let c = cloog_rs::emit_c(&document).unwrap().value;
    assert!(c.contains("C[c3][c4] *= 0.5;") || c.contains("] *= 0.5;"), "{c}");
    for word in ["bx", "tx", "barrier", "copy"] {
        assert!(!c.contains(word), "{word} in {c}");
    }
}
