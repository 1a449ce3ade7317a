//! Messages and documents that must not change unnoticed.

use std::path::Path;

use chain_tests::{Call, Golden, Scratch, driver_by_price, names_in, root, tool};

/// Each file of `tests/errors/` is refused with status 1 and the message next to it, and nothing is written. The name
/// of a document gives its fault and the stage that has to find it: `truncated.candl-rs.json`.
#[test]
fn errors() {
    let folder = root().join("tests/errors");
    let mut golden = Golden::default();
    for name in
        names_in(&folder).iter().filter(|name| [".c", ".cpp", ".json"].iter().any(|end| name.ends_with(end)))
    {
        check_error(&mut golden, &folder, name, &stage_of(name));
    }
    check_error(&mut golden, &folder, "no_such_file.c", &[]);
    check_error(&mut golden, &folder, "no_such_file.json", &["--from", "scheduler"]);
    golden.finish();
}

fn stage_of(name: &str) -> Vec<&str> {
    match name.split('.').collect::<Vec<_>>()[..] {
        [_, stage, "json"] => vec!["--from", stage],
        _ => Vec::new(),
    }
}

fn check_error(golden: &mut Golden, folder: &Path, name: &str, options: &[&str]) {
    let scratch = Scratch::new("errors");
    let call = driver_by_price().within(folder).args(options).arg("-o").arg(scratch.at("out")).arg(name);
    let outcome = call.run();
    golden.compare(&folder.join(format!("{name}.stderr")), &outcome.stderr);
    if (outcome.status, outcome.stdout.as_str()) != (1, "") {
        golden.fault(format!("{name} ended with {} and wrote {:?}", outcome.status, outcome.stdout));
    }
    if scratch.at("out").exists() {
        golden.fault(format!("{name} left {:?}", names_in(&scratch.at("out"))));
    }
}

/// All documents and the generated program of two small examples.
#[test]
fn documents() {
    let mut golden = Golden::default();
    for example in ["tmv", "stencil"] {
        let scratch = Scratch::new("documents");
        let source = format!("examples/{example}.c");
        driver_by_price()
            .arg("--keep")
            .arg(scratch.path())
            .arg("-o")
            .arg(scratch.at("out"))
            .arg(source)
            .run()
            .succeeded();
        let folder = root().join("tests/golden").join(example);
        for name in scratch.names().iter().filter(|name| *name != "out") {
            golden.compare(&folder.join(name), &without_seal(&scratch.read(name)));
        }
    }
    golden.finish();
}

/// Returns a document without the part that depends on the source code of the verifier.
fn without_seal(document: &str) -> String {
    match document.split_once(",\n  \"verified\": [") {
        Some((content, _)) => format!("{content}\n}}\n"),
        None => document.to_owned(),
    }
}

/// For no tool is it an error if the reader closes the pipe early.
#[test]
fn closed_pipes() {
    let scratch = Scratch::new("closed");
    let call = driver_by_price().arg("-q").arg("--keep").arg(scratch.path()).arg("-o").arg(scratch.path());
    call.arg("examples/stencil.c").run().succeeded();
    let table = [
        ("clan-rs", root().join("examples/stencil.c")),
        ("candl-rs", scratch.at("1-clan-rs.json")),
        ("scheduler", scratch.at("2-candl-rs.json")),
        ("gpulocalizer", scratch.at("3-scheduler.json")),
        ("cloog-rs", scratch.at("4-gpulocalizer.json")),
    ];
    for (name, input) in table {
        let (status, said) = run_with_closed_output(tool(name).arg(&input));
        assert_eq!((status, said.as_str()), (Some(0), ""), "{name} {}", input.display());
    }
}

fn run_with_closed_output(call: Call) -> (Option<i32>, String) {
    let mut child = call.start();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}
