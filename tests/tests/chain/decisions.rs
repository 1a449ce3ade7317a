//! The decisions of the tools about the regions of `tests/decisions/`: the kernels and their tiles, the memory for
//! each array, and the form of transfers. The expected decisions are in a text file next to each source.

use std::fmt::Write;

use chain_tests::{Golden, Scratch, driver, names_in, root};
use scop::names::without_digest;
use serde_json::Value;

#[test]
fn decisions_are_the_expected_ones() {
    let folder = root().join("tests/decisions");
    let mut golden = Golden::default();
    for name in names_in(&folder).iter().filter(|name| name.ends_with(".c")) {
        let source = std::fs::read_to_string(folder.join(name)).unwrap();
        let scratch = Scratch::new("decisions");
        let output = scratch.at("out.json");
        let call = driver().args(options(&source)).args(["-q", "--to", "gpulocalizer", "-o"]).arg(&output);
        call.arg(folder.join(name)).run().succeeded();
        let document: Value = serde_json::from_str(&scratch.read("out.json")).unwrap();
        let text: String = list(&document["scops"]).iter().map(summary).collect();
        let text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        golden.compare(&folder.join(name.replace(".c", ".txt")), &text);
    }
    golden.finish();
}

/// Returns the options for the driver in the first line of a file:
/// `/* options: --gpulocalizer-options=--layout ring */`.
fn options(source: &str) -> Vec<&str> {
    let first = source.lines().next().and_then(|line| line.strip_prefix("/* options: "));
    first
        .and_then(|line| line.strip_suffix(" */"))
        .map_or_else(Vec::new, |options| options.split("; ").collect())
}

/// Summarises a region: its kernels with their buffers, its host statements, and its arrays on the device.
pub fn summary(scop: &Value) -> String {
    let mut text = format!("{}\n", without_digest(word(&scop["name"])));
    for kernel in list(&scop["mapping"]["kernels"]) {
        let block = list(&kernel["block"]).iter().map(|d| format!("{}{}", word(&d["axis"]), d["size"]));
        let _ = writeln!(
            text,
            "  {} {}: {} loops on the host, grid {}, block {}, tiles {}",
            word(&kernel["id"]),
            joined(list(&kernel["statements"]).iter().map(word), " "),
            kernel["host_depth"],
            joined(list(&kernel["grid"]).iter().map(|along| word(&along["extent"])), " x "),
            joined(block, " "),
            joined(list(&kernel["tile_sizes"]).iter().map(ToString::to_string), " "),
        );
        let of_kernel = |placed: &&Value| placed["kernel"] == kernel["id"];
        for placed in list(&scop["placement"]["kernels"]).iter().filter(of_kernel) {
            list(&placed["buffers"]).iter().for_each(|buffer| text += &buffer_line(buffer));
        }
    }
    for host in list(&scop["mapping"]["host"]) {
        let _ = writeln!(text, "  {} on the host", word(&host["statement"]));
    }
    for device in list(&scop["placement"]["device"]) {
        let taken = scop["variant"].as_u64().map(|position| &scop["variants"][position as usize]);
        let expansions = &taken.unwrap_or(scop)["expansions"];
        let mut arrays = list(&expansions["arrays"]).iter().chain(list(&scop["arrays"]));
        let array = arrays.find(|array| array["id"] == device["array"]).unwrap();
        let _ = writeln!(text, "  array {} {}", word(&array["name"]), word(&device["reason"]));
    }
    text + &along_blocks(scop)
}

fn buffer_line(buffer: &Value) -> String {
    let sizes = joined(list(&buffer["sizes"]).iter().map(ToString::to_string), "x");
    let accesses = joined(list(&buffer["accesses"]).iter().map(word), " ");
    let reason = word(&buffer["reason"]);
    format!("    {} [{sizes}] for {accesses}: {reason}\n", word(&buffer["name"]))
}

/// Returns the filter that binds loops to the blocks of the first kernel.
fn along_blocks(scop: &Value) -> String {
    let lines = list(&scop["placement"]["tree"]).iter().map(word);
    let filter = lines.map(str::trim).find(|line| line.starts_with("filter") && line.contains("bx"));
    filter.map_or_else(String::new, |line| format!("  {line}\n"))
}

fn joined<T: AsRef<str>>(words: impl Iterator<Item = T>, between: &str) -> String {
    words.map(|word| word.as_ref().to_owned()).collect::<Vec<_>>().join(between)
}

/// Returns a string, or an empty one for another kind of value.
pub fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns the elements of a list, or none for another kind of value.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
