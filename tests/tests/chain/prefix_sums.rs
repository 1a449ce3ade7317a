//! Sums of which each intermediate value is read.

use chain_tests::{driver, root, tool};
use serde_json::Value;

use crate::program::{Program, Simulator};

const OPTIONS: &[&str] = &["--reassociate", "--partial-sums=always"];

/// Sizes of no chunk, of one, and of more than one on the first two levels. The data are such that no sum is rounded.
#[test]
fn they_give_the_results_of_the_source() {
    let program = Program::new("tests/programs/sums", "prefix", OPTIONS);
    let runs = "0 2 / 1 1 / 64 2 / 65 3 / 1000 2 / 20000 1";
    program.run_in(Simulator::Checking).test(&[("", runs)], ("", "200 2"), &[]);
}

/// An update that happens once has no order that could be free, and what is known of parameters belongs to the proof.
#[test]
fn values_in_one_element_are_right() {
    let program = Program::new("tests/programs/sums", "prefix_of_one", OPTIONS);
    program.run_in(Simulator::Checking).test(&[("", "0 0 / 1 1 / 200 3")], ("", "200 3"), &[]);
}

/// Each of the regions has the form, those of floating-point numbers only with a permission.
#[test]
fn regions_have_them() {
    let taken = |options: &[&str]| -> usize {
        let call = driver().args(options).args(["-q", "--to", "scheduler"]);
        let document = call.arg(root().join("tests/programs/sums/prefix.c")).run().succeeded().stdout;
        let document: Value = serde_json::from_str(&document).unwrap();
        let regions = document["scops"].as_array().unwrap().iter();
        let taken = regions.filter(|scop| {
            let variant = scop["variant"].as_u64().map(|position| &scop["variants"][position as usize]);
            variant.is_some_and(|variant| !variant["expansions"]["prefix_sums"].is_null())
        });
        taken.count()
    };
    assert_eq!(taken(OPTIONS), 9);
    assert_eq!(taken(&["--partial-sums=always"]), 8);
}

/// A change of the variant of a region.
type Change = fn(&mut Value);

#[test]
fn faults_are_found() {
    let changes: [(&str, Change); 12] = [
        ("another value to begin with", |variant| {
            level(variant, 0)["start"]["body"][0]["value"]["value"] = "1".into();
        }),
        ("another contribution", |variant| {
            let value = &mut level(variant, 0)["update"]["body"][0]["value"];
            let left = value["left"].clone();
            value["right"] = left;
        }),
        ("a value that is stored after it is changed", |variant| {
            level(variant, 0)["offset"]["body"].as_array_mut().unwrap().reverse();
        }),
        ("iterations that are missing", |variant| {
            let domain = &mut level(variant, 0)["update"]["domain"];
            *domain = domain.as_str().unwrap().replace("0 <= i", "5 <= i").into();
        }),
        ("chunks that are missing", |variant| {
            for statement in ["start", "offset"] {
                let domain = &mut level(variant, 0)[statement]["domain"];
                *domain =
                    domain.as_str().unwrap().replace("c >= 0", "c >= 1").replace("0 <= c", "1 <= c").into();
            }
        }),
        ("chunks of another size", |variant| level(variant, 0)["size"] = 32.into()),
        ("another level of another size", |variant| level(variant, 1)["size"] = 64.into()),
        ("another chunk whose value is read", |variant| {
            let relation = &mut level(variant, 0)["offset"]["accesses"][1]["relation"];
            *relation = relation.as_str().unwrap().replace("128o0", "128o0 + 128").into();
        }),
        ("what a chunk adds is read before it is complete", |variant| swapped(variant, 1, 3)),
        ("values that are passed on too late", |variant| swapped(variant, 6, 8)),
        ("an order that is not free", |variant| {
            for reduction in variant["dependences"]["reductions"].as_array_mut().unwrap() {
                reduction.as_object_mut().unwrap().remove("free");
            }
        }),
        ("a variable that does not change", |variant| {
            let last = level(variant, 2);
            last["offset"]["body"].as_array_mut().unwrap().pop();
        }),
    ];
    let source = root().join("tests/programs/sums/prefix.c");
    let call = driver().args(OPTIONS).args(["-q", "--to", "cloog-rs"]).arg(source);
    let document: Value = serde_json::from_str(&call.run().succeeded().stdout).unwrap();
    let check = |document: &Value| {
        tool("candl-rs").arg("--check").arg("--no-verify").reading(&document.to_string()).run()
    };
    check(&document).succeeded();
    for (what, change) in changes {
        let mut changed = document.clone();
        change(&mut changed["scops"][8]["variants"][0]);
        assert_ne!(changed, document, "{what}");
        let outcome = check(&changed);
        assert_eq!(outcome.status, 1, "{what}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("error[E0233]"), "{what}: {}", outcome.stderr);
    }
}

fn level(variant: &mut Value, number: usize) -> &mut Value {
    &mut variant["expansions"]["prefix_sums"]["all"][0]["levels"][number]
}

/// Exchanges two parts of the order, which has one for each added statement and one for the nest.
fn swapped(variant: &mut Value, one: usize, other: usize) {
    let lines = variant["expansions"]["order"].as_array().unwrap().clone();
    let is_part = |line: &Value| line.as_str().unwrap().contains("filter");
    let mut starts: Vec<usize> = (0..lines.len()).filter(|number| is_part(&lines[*number])).collect();
    let head = lines[..starts[0]].to_vec();
    starts.push(lines.len());
    let mut parts: Vec<Vec<Value>> = starts.windows(2).map(|ends| lines[ends[0]..ends[1]].to_vec()).collect();
    parts.swap(one, other);
    variant["expansions"]["order"] = [head, parts.concat()].concat().into();
}
