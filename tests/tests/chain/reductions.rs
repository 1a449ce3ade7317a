//! Updates whose order is irrelevant, other than sums in one element.

use chain_tests::{driver, root, tool};
use serde_json::Value;

use crate::program::{Program, Simulator};

/// Data choose the element of each update; other accesses to the elements keep their place.
#[test]
fn histograms() {
    let program = Program::new("tests/programs/sums", "histogram", &[]);
    program.run_in(Simulator::Checking).test(&[("", "1 / 20 / 300")], ("", "70"), &[]);
}

/// Blocks have sums of their own, whatever that takes; or none has.
#[test]
fn histograms_in_shared_memory() {
    for options in [&["--memory=shared", "--tile-sizes=64", "--block-sizes=32"][..], &["--avoid=shared"]] {
        let program = Program::new("tests/programs/sums", "histogram", options);
        program.run_in(Simulator::Checking).test(&[("", "1 / 20 / 300")], ("", "70"), &[]);
    }
}

/// In five of the seven regions nothing else looks at the elements.
#[test]
fn updates_of_elements_that_data_choose_have_no_order() {
    let call = driver().args(["-q", "--to", "candl-rs"]).arg(root().join("tests/programs/sums/histogram.c"));
    let document: Value = serde_json::from_str(&call.run().succeeded().stdout).unwrap();
    let relaxed = |scop: &Value| {
        let all = scop["dependences"]["reductions"].as_array().cloned().unwrap_or_default();
        all.iter().filter(|reduction| reduction["relaxed"] == true).count()
    };
    let found: Vec<usize> = document["scops"].as_array().unwrap().iter().map(relaxed).collect();
    assert_eq!(found, [1, 1, 1, 2, 1, 0, 0]);
}

const RESULTS: &[&str] = &["--partial-sums=always"];

/// Values with NaNs, infinities, zeros of both signs and many equal ones; variables that begin with a NaN.
#[test]
fn extremes_and_what_belongs_to_them() {
    let program = Program::new("tests/programs/sums", "choices", RESULTS);
    program.run_in(Simulator::Checking).test(&[("", "1 1 / 5 3 / 300 7 1 / 0 2")], ("", "70 5"), &[]);
}

/// A change of the variant of a region.
type Change = fn(&mut Value);

#[test]
fn faults_of_selections_are_found() {
    let changes: [(&str, Change); 8] = [
        ("another value for nothing", |variant| {
            stage(variant, 0)["start"]["body"][0]["value"]["value"] = "0.0".into();
        }),
        ("another comparison of the update", |variant| {
            stage(variant, 0)["update"]["body"][0]["condition"]["operator"] = ">=".into();
        }),
        ("the later one of equal values", |variant| {
            let condition = &mut stage(variant, 1)["update"]["body"][0]["condition"];
            condition["right"]["right"]["operator"] = ">".into();
        }),
        ("another comparison with the variable", |variant| {
            selection(variant)["finish"]["body"][0]["condition"]["operator"] = ">=".into();
        }),
        ("another order of the loop", |variant| selection(variant)["downward"] = serde_json::json!([0])),
        ("instances that are missing", |variant| {
            let domain = &mut stage(variant, 0)["update"]["domain"];
            *domain = domain.as_str().unwrap().replace("0 <= i", "5 <= i").into();
        }),
        ("results that are missing", |variant| {
            let domain = &mut stage(variant, 1)["update"]["domain"];
            *domain = domain.as_str().unwrap().replace("131071", "131070").into();
        }),
        ("a statement that is not left out", |variant| {
            variant["dependences"]["dead"] = serde_json::json!([]);
        }),
    ];
    let source = root().join("tests/programs/sums/argmax.c");
    let call = driver().args(RESULTS).args(["-q", "--to", "cloog-rs"]).arg(source);
    let document: Value = serde_json::from_str(&call.run().succeeded().stdout).unwrap();
    let check = |document: &Value| tool("candl-rs").arg("--check").reading(&document.to_string()).run();
    check(&document).succeeded();
    for (what, change) in changes {
        let mut changed = document.clone();
        change(&mut changed["scops"][0]["variants"][0]);
        assert_ne!(changed, document, "{what}");
        let outcome = tool("candl-rs").arg("--check").arg("--no-verify").reading(&changed.to_string()).run();
        assert_eq!(outcome.status, 1, "{what}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("error[E0232]"), "{what}: {}", outcome.stderr);
    }
}

fn selection(variant: &mut Value) -> &mut Value {
    &mut variant["expansions"]["selections"]["all"][0]
}

fn stage(variant: &mut Value, number: usize) -> &mut Value {
    &mut selection(variant)["stages"][number]
}
