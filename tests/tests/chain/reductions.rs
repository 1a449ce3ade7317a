//! Updates whose order is irrelevant, other than sums in one element.

use chain_tests::{driver, root};
use serde_json::Value;

use crate::program::{Program, Simulator};

/// Data choose the element of each update; other accesses to the elements keep their place.
#[test]
fn histograms() {
    let program = Program::new("tests/programs/sums", "histogram", &[]);
    program.run_in(Simulator::Checking).test(&[("", "1 / 20 / 300")], ("", "70"), &[]);
}

/// In four of the six regions nothing else looks at the elements.
#[test]
fn updates_of_elements_that_data_choose_have_no_order() {
    let call = driver().args(["-q", "--to", "candl-rs"]).arg(root().join("tests/programs/sums/histogram.c"));
    let document: Value = serde_json::from_str(&call.run().succeeded().stdout).unwrap();
    let relaxed = |scop: &Value| {
        let all = scop["dependences"]["reductions"].as_array().cloned().unwrap_or_default();
        all.iter().filter(|reduction| reduction["relaxed"] == true).count()
    };
    let found: Vec<usize> = document["scops"].as_array().unwrap().iter().map(relaxed).collect();
    assert_eq!(found, [1, 1, 2, 1, 0, 0]);
}
