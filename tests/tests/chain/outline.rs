//! A summary of a translated program, a few lines for each region: the decisions ([`crate::decisions`]), the shape of
//! the loops, the transfers, and how often certain words occur in the CUDA code.
//!
//! ```text
//! stencil_scop0
//!   K0 S0: …
//!   if { to A0 for { K0 } from A0 }
//!   K0 { for { if { S0 } sync } }
//!   A0 to the device [n][1] [1][n], from it [n][n]
//! CUDA: 1 cudaMalloc, 3 cudaMemcpy, …
//! ```
//!
//! Most of it is about speed: no other test would notice that an array is copied as a whole, that tiles have no part
//! without conditions, or that a loop is not unrolled. The expected lines are in `tests/golden/outlines`.

use std::fmt::Write;

use serde_json::Value;

use crate::decisions::{list, summary, word};
use crate::expressions::text_of;

/// The words that are counted.
const WORDS: [&str; 8] =
    ["cudaMalloc", "cudaMemcpy", "<<<", "__shared__", "__constant__", "__syncthreads", "if (", "for ("];

/// Returns the lines for all regions of a document with loop programs, and for the generated CUDA code.
pub fn outline(document: &str, cuda: &str) -> String {
    let document: Value = serde_json::from_str(document).unwrap();
    let mut text = String::new();
    for scop in list(&document["scops"]) {
        text += &summary(scop);
        let mut kernels = Vec::new();
        let host = shape(&scop["ast"]["body"], &mut kernels);
        for loops in [host].into_iter().chain(kernels) {
            writeln!(text, "  {loops}").unwrap();
        }
        let arrays = list(&scop["ast"]["arrays"]).iter().map(transferred);
        arrays.for_each(|array| writeln!(text, "  {array}").unwrap());
    }
    let counts: Vec<String> =
        WORDS.iter().map(|word| format!("{} {word}", cuda.matches(word).count())).collect();
    writeln!(text, "CUDA: {}", counts.join(", ")).unwrap();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns the nodes of a loop program without their expressions. A kernel is only named; its contents go to
/// `kernels`.
fn shape(node: &Value, kernels: &mut Vec<String>) -> String {
    match word(&node["node"]) {
        "block" => {
            let children: Vec<String> =
                list(&node["children"]).iter().map(|child| shape(child, kernels)).collect();
            children.join(" ")
        }
        "for" if node["degenerate"] == true => shape(&node["body"], kernels),
        "for" => {
            let name = if node["unroll"] == true { "unroll" } else { "for" };
            format!("{name} {{ {} }}", shape(&node["body"], kernels))
        }
        "if" => {
            let then = shape(&node["then"], kernels);
            match node.get("otherwise") {
                Some(otherwise) => format!("if {{ {then} }} else {{ {} }}", shape(otherwise, kernels)),
                None => format!("if {{ {then} }}"),
            }
        }
        "specialised" => {
            let nest = shape(&node["specialised"], kernels);
            format!("if {{ {nest} }} else {{ {} }}", shape(&node["general"], kernels))
        }
        "kernel" => {
            let name = word(&node["kernel"]).to_owned();
            let body = shape(&node["body"], &mut Vec::new());
            kernels.push(format!("{name} {{ {body} }}"));
            name
        }
        "instance" => word(&node["statement"]).to_owned(),
        "copy" if node["into_buffer"] == true => format!("in {}", word(&node["buffer"])),
        "copy" => format!("out {}", word(&node["buffer"])),
        "barrier" => "sync".to_owned(),
        "transfer" => {
            let way = if node["to_device"] == true { "to" } else { "from" };
            let part = if node.get("part").is_some() { "a part " } else { "" };
            format!("{way} {part}{}", word(&node["array"]))
        }
        other => panic!("a node of another kind: {other}"),
    }
}

/// Returns the sizes of an array on the device, or of the boxes that are transferred.
fn transferred(array: &Value) -> String {
    let boxes = |way: &str| {
        let boxes = list(&array["boxes"][way]).iter().map(|part| dimensions(&part["extent"]));
        boxes.collect::<Vec<_>>().join(" ")
    };
    let what = match array.get("boxes") {
        Some(_) => format!("to the device {}, from it {}", boxes("to_device"), boxes("from_device")),
        None => format!("[{}]{}", text_of(&array["extent"]), dimensions(&array["inner_extents"])),
    };
    format!("{} {what}", word(&array["array"]))
}

/// `[n][33]`
fn dimensions(sizes: &Value) -> String {
    list(sizes).iter().map(|size| format!("[{}]", text_of(size))).collect()
}
