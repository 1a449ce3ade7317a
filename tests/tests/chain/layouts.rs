//! The table of `docs/placement.md` about layouts is what the documents say.

use std::collections::BTreeMap;
use std::fs;

use chain_tests::{Scratch, driver, root};
use serde_json::Value;

/// The bytes that each shared buffer takes, by function and array.
fn bytes(layout: &str) -> BTreeMap<(String, String), u64> {
    let scratch = Scratch::new(&format!("layouts_{layout}"));
    let output = scratch.at("out.json");
    let options = format!("--gpulocalizer-options=--layout {layout}");
    let tiles = "--scheduler-options=--tile-sizes 16,32,32";
    let call = driver().args(["-q", "--to", "gpulocalizer", &options, tiles, "-o"]).arg(&output);
    call.arg(root().join("tests/kernels/layouts.c")).run().succeeded();
    let document: Value = serde_json::from_str(&fs::read_to_string(&output).unwrap()).unwrap();
    let mut found = BTreeMap::new();
    for scop in document["scops"].as_array().unwrap() {
        let function = scop["name"].as_str().unwrap().replace("layouts_", "").replace("_scop0", "");
        for kernel in scop["placement"]["kernels"].as_array().unwrap() {
            let shared = |buffer: &&Value| buffer["memory"] == "shared";
            for buffer in kernel["buffers"].as_array().unwrap().iter().filter(shared) {
                let array = buffer["name"].as_str().unwrap().trim_start_matches("shared_").to_owned();
                let reason = buffer["reason"].as_str().unwrap();
                let bytes = reason.split("; ").find_map(|part| part.strip_suffix(" bytes")).unwrap();
                found.insert((function.clone(), array), bytes.parse().unwrap());
            }
        }
    }
    found
}

#[test]
fn the_table_of_layouts_is_what_the_documents_say() {
    let table = fs::read_to_string(root().join("docs/placement.md")).unwrap();
    let (boxes, dense) = (bytes("box"), bytes("auto"));
    let mut rows = 0;
    for line in table.lines() {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [_, function, array, _, box_bytes, dense_bytes, less, _, _] = cells[..] else { continue };
        let key = (function.to_owned(), array.to_owned());
        let (Some(of_box), Some(of_dense)) = (boxes.get(&key), dense.get(&key)) else { continue };
        let percent = 100 - (100 * of_dense).div_ceil(*of_box);
        assert_eq!(
            [box_bytes, dense_bytes, less],
            [format!("{of_box} B"), format!("{of_dense} B"), format!("{percent} %")]
        );
        rows += 1;
    }
    assert_eq!(rows, 6);
}
