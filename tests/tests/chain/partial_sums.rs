//! Sums whose updates go to partial sums.

use chain_tests::{driver, root, tool};
use serde_json::Value;

use crate::program::{Program, Simulator};

const OPTIONS: &[&str] = &["--reassociate", "--partial-sums=always"];

/// Sizes above and below the number of partial sums and their runs.
#[test]
fn they_give_the_results_of_the_source() {
    let runs = "1 1 / 31 2 / 33 40 / 1000 7 / 70000 3";
    let program = Program::new("tests/programs/sums", "partial", OPTIONS);
    program.run_in(Simulator::Checking).test(&[("", runs)], ("", "70 5"), &[]);
}

/// Only sums that are not rounded, where the time model wants them.
#[test]
fn integers_need_no_permission() {
    let program = Program::new("tests/programs/sums", "partial", &["--partial-sums=always"]);
    program.run_in(Simulator::Checking).test(&[("", "1 1 / 1000 7")], ("", "70 5"), &[]);
}

/// Threads that copy ahead wait for the last of some tiles side by side: the next one may go to the same memory.
#[test]
fn tiles_that_lie_apart_are_copied_ahead() {
    let sizes = "--tile-sizes 5,6,1 --load-threads 32 --load-ahead always --partial-sums always";
    let options = ["-q", "--scheduler-options", sizes, "--to", "cloog-rs"];
    let translated = driver().args(options).arg(root().join("tests/programs/sums/far_parts.c"));
    let document = translated.run().succeeded().stdout;
    tool("candl-rs").arg("--check").reading(&document).run().succeeded();
}

#[test]
fn a_sum_that_is_read_in_its_loop_has_none() {
    let call = driver().args(["--reassociate", "--partial-sums", "x=always", "--to", "scheduler"]);
    let outcome = call.arg("tests/programs/sums/partial.c").run();
    assert_eq!(outcome.status, 1, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("error[E0305]"), "{}", outcome.stderr);
}

/// A change of the expansions and dependences of a variant.
type Change = fn(&mut Value);

/// The order has three parts: what begins the partial sums, the updates, and what combines them.
fn parts(variant: &mut Value) -> [Vec<Value>; 4] {
    let lines = variant["expansions"]["order"].as_array().unwrap().clone();
    let is_part = |line: &Value| line.as_str().unwrap().contains("filter");
    let starts: Vec<usize> = (0..lines.len()).filter(|number| is_part(&lines[*number])).collect();
    let [first, second, third] = starts[..] else { panic!("{lines:?}") };
    let part = |lines: &[Value]| lines.to_vec();
    [part(&lines[..first]), part(&lines[first..second]), part(&lines[second..third]), part(&lines[third..])]
}

#[test]
fn faults_are_found() {
    let changes: [(&str, Change); 6] = [
        ("E0231", |variant| {
            variant["expansions"]["partial_sums"]["sums"][0]["start"]["body"][0]["value"]["value"] =
                "1.0".into();
        }),
        ("E0231", |variant| {
            let [head, start, updates, finish] = parts(variant);
            variant["expansions"]["order"] = [head, start, finish, updates].concat().into();
        }),
        ("E0231", |variant| {
            let [head, start, updates, finish] = parts(variant);
            variant["expansions"]["order"] = [head, updates, start, finish].concat().into();
        }),
        ("E0231", |variant| {
            variant["dependences"]["reductions"][0].as_object_mut().unwrap().remove("free");
        }),
        ("E0228", |variant| {
            let sums = &variant["expansions"]["partial_sums"]["sums"][0];
            let begins = sums["start"]["accesses"][0]["id"].clone();
            variant["dependences"]["flow"].as_array_mut().unwrap().retain(|flow| flow["source"] != begins);
        }),
        ("E0224", |variant| {
            let relation = &mut variant["expansions"]["accesses"][0]["relation"];
            *relation = relation.as_str().unwrap().replace("32p", "32p + 32").into();
        }),
    ];
    let call = driver().args(OPTIONS).args(["--to", "cloog-rs"]).arg(root().join("benches/dot/dot.c"));
    let document: Value = serde_json::from_str(&call.run().succeeded().stdout).unwrap();
    for (code, change) in changes {
        let mut changed = document.clone();
        change(&mut changed["scops"][0]["variants"][0]);
        let outcome = tool("candl-rs").arg("--check").reading(&changed.to_string()).run();
        assert_eq!(outcome.status, 1, "{code}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(&format!("error[{code}]")), "{code}: {}", outcome.stderr);
    }
}
