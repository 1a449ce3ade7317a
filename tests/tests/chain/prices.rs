//! The memory that scheduler took for granted when it priced kernels is the one that gpulocalizer chooses.

use std::fmt::Write;

use chain_tests::{Scratch, driver, names_in, root, tool};
use serde_json::Value;

use crate::decisions::{list, word};

/// Folders of programs, and the kernels in them that are not where they were priced.
const FOLDERS: [(&str, &str); 3] = [("benches", ""), ("examples", TMV), ("tests/kernels/polybench", LUDCMP)];

/// The vector of tmv is small enough for constant memory, of which prices know nothing; it is read there no slower.
const TMV: &str = "examples/tmv.c: A2: in constant memory; the price assumes 4096 loads of 128 elements in a tile, by \
     threads that compute nothing as well\n";

/// What one block in steps reads and writes of a vector is together no box, for which alone copies are simple.
const LUDCMP: &str = "tests/kernels/polybench/ludcmp.c: A3: not in shared memory, because the elements do not fit or \
     copies of them are not simple; the price assumes 1488 loads and stores of 31 elements in a tile\n";

/// Estimates decide as counts of the finished tree do, for all programs whose time is looked at.
#[test]
fn arrays_are_where_they_were_priced() {
    for (folder, expected) in FOLDERS {
        let mut different = String::new();
        for file in sources(folder) {
            let document = placed(&file);
            for scop in list(&document["scops"]) {
                for kernel in list(&scop["mapping"]["kernels"]) {
                    assert!(kernel["priced"].is_array(), "{file}: {} has no price", kernel["id"]);
                }
                let kernels = list(&scop["placement"]["kernels"]).iter();
                for unlike in kernels.flat_map(|kernel| list(&kernel["unlike_price"])) {
                    writeln!(different, "{file}: {}: {}", word(&unlike["array"]), word(&unlike["reason"]))
                        .unwrap();
                }
            }
        }
        assert_eq!(different, expected, "{folder}");
    }
}

/// Where an exact count leads to another decision than the estimate, the report says so.
#[test]
fn the_report_says_where_counts_differ_from_a_price() {
    let file = "tests/kernels/constants.c";
    let scheduled = driver().args(["-q", "--to", "scheduler", file]).run().succeeded().stdout;
    let report = tool("gpulocalizer").arg("--report").reading(&scheduled).run().succeeded().stdout;
    let said = "in is not where it was priced: not in shared memory, because of";
    assert!(report.contains(said), "{report}");
    assert!(
        report.contains("w is not where it was priced: in constant memory; the price assumes"),
        "{report}"
    );
}

/// A price that rests on another rule than that of gpulocalizer is a bug, and one that is absent is none.
#[test]
fn a_price_by_another_rule_is_a_bug() {
    let scheduled = driver().args(["-q", "--to", "scheduler", "examples/matmul.c"]).run().succeeded().stdout;
    let mut document: Value = serde_json::from_str(&scheduled).unwrap();
    let priced = "/scops/0/mapping/kernels/0/priced";
    let first = document.pointer_mut(&format!("{priced}/0/in_shared")).unwrap();
    assert_eq!(*first, true);
    *first = false.into();
    let gpulocalizer = |document: &Value| tool("gpulocalizer").reading(&document.to_string()).run();
    let refused = gpulocalizer(&document).ended_with(3);
    for part in [
        "this is a bug in scheduler: K0 of matmul_",
        "not in shared memory, but the rule that decides on it puts it there, given the same counts",
        "examples/matmul.c:",
    ] {
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    document.pointer_mut("/scops/0/mapping/kernels/0").unwrap().as_object_mut().unwrap().remove("priced");
    gpulocalizer(&document).succeeded();
}

/// Returns the C files of a folder that have regions, and those in folders of the same name.
fn sources(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in names_in(&root().join(folder)) {
        found.extend([format!("{folder}/{name}"), format!("{folder}/{name}/{name}.c")]);
    }
    let has_region = |file: &String| {
        let source = std::fs::read_to_string(root().join(file)).unwrap_or_default();
        file.ends_with(".c") && source.contains("#pragma scop")
    };
    found.retain(has_region);
    assert!(found.len() > 5, "{folder} has no programs");
    found
}

fn placed(file: &str) -> Value {
    let scratch = Scratch::new("prices");
    let output = scratch.at("out.json");
    driver().args(["-q", "--to", "gpulocalizer", "-o"]).arg(&output).arg(root().join(file)).run().succeeded();
    serde_json::from_str(&scratch.read("out.json")).unwrap()
}
