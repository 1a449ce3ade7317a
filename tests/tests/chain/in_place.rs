//! Temporaries in the place of the element that they become.

use chain_tests::{driver, root, tool};
use serde_json::Value;

use crate::program::{Program, Simulator};

const OPTIONS: &[&str] = &["--offload=always", "--in-place=always"];

/// Sizes of less than a block of iterations, of one, and of more.
#[test]
fn they_give_the_results_of_the_source() {
    let program = Program::new("tests/programs/sums", "in_place", OPTIONS);
    program.run_in(Simulator::Checking).test(&[("", "0 / 1 / 2 / 33 / 70")], ("", "70"), &[]);
}

/// Those of the first three functions, and one of the seventh, can be in place. In the others something else uses the
/// element before it is stored, or the value after the loop.
#[test]
fn those_that_can_be_in_place_are_known() {
    let call = driver().args(["-q", "--to", "candl-rs"]).arg(root().join("tests/programs/sums/in_place.c"));
    let document: Value = serde_json::from_str(&call.run().succeeded().stdout).unwrap();
    let names = |scop: &Value| -> String {
        let variants = scop["variants"].as_array().into_iter().flatten();
        let in_place = variants.filter(|variant| variant["kind"] == "in_place");
        let of = in_place.flat_map(|variant| variant["of"].as_array().unwrap());
        let number = |id: &Value| id.as_str().unwrap()[1..].parse::<usize>().unwrap();
        let name = |id: &Value| scop["arrays"][number(id)]["name"].as_str().unwrap().to_owned();
        of.map(name).collect::<Vec<_>>().join(" ")
    };
    let all: Vec<String> = document["scops"].as_array().unwrap().iter().map(names).collect();
    assert_eq!(all, ["w", "w", "w", "", "", "", "v", "", ""]);
}

/// Decompositions that are written with a temporary run in blocks.
#[test]
fn a_decomposition_runs_in_blocks() {
    let options = ["-q", "--to", "scheduler", "--scheduler-options", "--assume n=4096"];
    let call = driver().args(options);
    let call = call.arg(root().join("tests/programs/sums/in_place.c"));
    let document: Value = serde_json::from_str(&call.run().succeeded().stdout).unwrap();
    let scop = &document["scops"][0];
    assert_eq!((&scop["variant"], &scop["algorithm"]), (&Value::from(0), &Value::from("blocked")));
}

/// A change of a variant.
type Change = fn(&mut Value);

#[test]
fn faults_are_found() {
    let changes: [(&str, Change); 4] = [
        ("another element", |variant| {
            let relation = &mut variant["expansions"]["accesses"][1]["relation"];
            *relation = relation.as_str().unwrap().replace("A0[i0, i1]", "A0[i1, i0]").into();
        }),
        ("an access that is not redirected", |variant| {
            variant["expansions"]["accesses"].as_array_mut().unwrap().remove(2);
        }),
        ("a statement that is left out", |variant| {
            variant["dependences"]["dead"].as_array_mut().unwrap().push("S2".into());
        }),
        ("a value that no dependence passes", |variant| {
            let flows = variant["dependences"]["flow"].as_array_mut().unwrap();
            flows.retain(|flow| flow["sink"] != "a2");
        }),
    ];
    let source = root().join("tests/programs/sums/in_place.c");
    let call = driver().args(OPTIONS).args(["-q", "--to", "scheduler"]).arg(source);
    let document: Value = serde_json::from_str(&call.run().succeeded().stdout).unwrap();
    let check = |document: &Value| {
        tool("candl-rs").arg("--check").arg("--no-verify").reading(&document.to_string()).run()
    };
    check(&document).succeeded();
    for (what, change) in changes {
        let mut changed = document.clone();
        change(&mut changed["scops"][0]["variants"][0]);
        assert_ne!(changed, document, "{what}");
        let outcome = check(&changed);
        assert_eq!(outcome.status, 1, "{what}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("error[E0228]"), "{what}: {}", outcome.stderr);
    }
}
