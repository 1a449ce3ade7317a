//! The executable: its input, output, messages and exit status.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::support::{Nest, Region, extracted, nest, statement};

/// A temporary directory for a test, removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("candl-rs-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), contents).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_candl-rs"));
        let pipes = command.args(arguments).current_dir(&self.0).stdin(Stdio::piped());
        let mut child = pipes.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn document() -> String {
    let region = Region::new(vec![nest("i", "1", "n", vec![statement("B[i] = B[i - 1] | A[i]")])]);
    scop::to_json(&extracted(&region)).unwrap()
}

fn messages(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn documents_go_from_anywhere_to_anywhere() {
    let directory = Directory::new("anywhere");
    directory.write("in.json", document());
    let piped = directory.run(&[], document().as_bytes());
    assert_eq!((piped.status.code(), messages(&piped)), (Some(0), String::new()));
    let result = String::from_utf8(piped.stdout).unwrap();
    assert!(result.contains("\"dependences\""));
    for (arguments, output) in [
        (&["in.json", "-o", "out.json"][..], "out.json"),
        (&["-", "--output", "other.json"], "other.json"),
        (&["in.json", "-o", "in.json"], "in.json"),
    ] {
        let run = directory.run(arguments, document().as_bytes());
        assert_eq!((run.status.code(), messages(&run)), (Some(0), String::new()), "{arguments:?}");
        assert!(run.stdout.is_empty());
        assert_eq!(directory.read(output), result);
    }
    assert_eq!(directory.run(&["in.json", "-o", "/dev/null"], b"").status.code(), Some(0));
    assert_eq!(directory.run(&["in.json", "-o", "/dev/stdout"], b"").stdout, result.as_bytes());
    assert_eq!(directory.names(), ["in.json", "other.json", "out.json"]);
}

#[test]
fn what_is_no_document_is_refused_with_a_way_out() {
    let directory = Directory::new("refused");
    let sound = document();
    let half = &sound.as_bytes()[..sound.len() / 2];
    let version = sound.replace("\"version\": 2", "\"version\": 1");
    let shape = sound.replace("\"double\"", "\"complex\"");
    let fault = document().replace("array_B", "array_A");
    let deep = "[".repeat(100_000);
    for (input, code, words) in [
        (&b""[..], "E0003", "empty"),
        (b"  \n\n", "E0003", "empty"),
        (half, "E0003", "ends too early"),
        (b"{ \"format\": c2cuda }", "E0003", "<stdin>:1:13"),
        (b"#include <stdio.h>\nint main(void);\n", "E0003", "clan-rs FILE.c"),
        (deep.as_bytes(), "E0003", "brackets are open"),
        (b"\x7fELF\x00\xff\xfe", "E0002", "byte 5 is not UTF-8"),
        (b"[1, 2]", "E0004", "clan-rs FILE.c"),
        (b"{ \"format\": \"openscop\" }", "E0004", "`openscop`"),
        (version.as_bytes(), "E0005", "version 1"),
        (shape.as_bytes(), "E0007", "complex"),
        (fault.as_bytes(), "E0008", "[V"),
    ] {
        let run = directory.run(&["-o", "out.json"], input);
        let said = messages(&run);
        assert!(said.contains(&format!("error[{code}]")) && said.contains(words), "{code} {words}: {said}");
        assert!(!said.contains("panic"), "{said}");
        assert_eq!(run.status.code(), Some(1), "{said}");
        assert_eq!(directory.names(), Vec::<String>::new());
    }
}

#[test]
fn trusted_documents_are_not_verified() {
    let directory = Directory::new("trusted");
    let fault = document().replace("array_B", "array_A");
    assert_eq!(directory.run(&[], fault.as_bytes()).status.code(), Some(1));
    let run = directory.run(&["--no-verify"], fault.as_bytes());
    assert_eq!(run.status.code(), Some(0), "{}", messages(&run));
}

#[test]
fn a_stage_that_is_missing_is_named() {
    let directory = Directory::new("missing");
    let run = directory.run(&["--dot"], document().as_bytes());
    assert!(messages(&run).contains("error[E0006]: scop 0 of <stdin> has no section `dependences`"));
    let analysed = directory.run(&[], document().as_bytes()).stdout;
    let run = directory.run(&["--check"], &analysed);
    assert!(messages(&run).contains("run `scheduler` first"), "{}", messages(&run));
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let directory = Directory::new("files");
    directory.write("in.json", document());
    for (arguments, code, words) in [
        (&["nowhere.json"][..], "E0001", "cannot read nowhere.json: no such file"),
        (&["."], "E0001", "is a directory"),
        (&["in.json", "-o", "."], "E0009", "is a directory"),
        (&["in.json", "-o", "nowhere/out.json"], "E0009", "cannot write nowhere/out.json: no such file"),
        (&["in.json", "-o", "/dev/full"], "E0009", "no space left"),
    ] {
        let run = directory.run(arguments, b"");
        let said = messages(&run);
        assert!(said.contains(&format!("error[{code}]")) && said.contains(words), "{arguments:?}: {said}");
        assert_eq!(run.status.code(), Some(1));
    }
    assert_eq!(directory.names(), ["in.json"]);
}

#[test]
fn a_wrong_command_line_is_another_failure() {
    let directory = Directory::new("line");
    for arguments in [&["--nonsense"][..], &["a", "b"], &["--check", "--dot"], &["--report", "--dot"]] {
        assert_eq!(directory.run(arguments, b"").status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(directory.run(&["--help"], b"").status.code(), Some(0));
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let directory = Directory::new("early");
    directory.write("in.json", document());
    let mut command = Command::new(env!("CARGO_BIN_EXE_candl-rs"));
    let pipes =
        command.arg("in.json").current_dir(&directory.0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    drop(child.stdout.take());
    let run = child.wait_with_output().unwrap();
    assert_eq!((run.status.code(), messages(&run)), (Some(0), String::new()));
}

#[test]
fn the_graph_names_statements_and_what_is_between_them() {
    let directory = Directory::new("graph");
    let analysed = directory.run(&[], document().as_bytes()).stdout;
    let run = directory.run(&["--dot"], &analysed);
    let graph = String::from_utf8(run.stdout).unwrap();
    assert!(graph.starts_with("digraph {"), "{graph}");
    assert!(graph.contains("0 [ label = \"test_0 S0\\lS0;\\l\"]"), "{graph}");
    assert!(graph.contains("0 -> 0 [ label = \"flow array_B\\l\"]"), "{graph}");
}

/// Returns the output of `--report` for a region whose temporary `t` is not read after it.
fn report(nests: Vec<Nest>) -> String {
    let directory = Directory::new("report");
    let region = Region { dead_after: vec!["t"], ..Region::new(nests) };
    let document = scop::to_json(&extracted(&region)).unwrap();
    let analysed = directory.run(&[], document.as_bytes()).stdout;
    let run = directory.run(&["--report"], &analysed);
    assert_eq!((run.status.code(), messages(&run)), (Some(0), String::new()));
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn the_report_says_of_each_loop_what_keeps_it_in_order() {
    let sum = vec![
        statement("t[] = "),
        nest("j", "0", "n", vec![statement("t[] = t[] | A[i, j]")]),
        statement("B[i] = B[i - 1] | t[]"),
    ];
    let shift = nest("k", "0", "n", vec![statement("C[k] = C[k + 1]")]);
    let last = nest("k", "0", "n", vec![statement("D[0] = C[k]")]);
    let free = nest("k", "0", "n", vec![statement("E[k] = C[k]")]);
    let text = report(vec![nest("i", "1", "n", sum), shift, last, free]);
    assert_eq!(
        text,
        "test, line 1:
  L0, for i (line 1): in order; each iteration has its own `t`
      reads `B` as an earlier iteration wrote it (flow): from line 1 to 1
    L1, for j (line 1): reduction, + into `t`
  L2, for k (line 1): in order
      overwrites `C`, which an earlier iteration read (anti): from line 1 to 1
  L3, for k (line 1): parallel; each iteration has its own `D`
  L4, for k (line 1): parallel
  possible, if it is faster: old values of `C` in a copy, which makes L2 parallel
"
    );
}

/// The order of the source, in which there are no copies, is kept beside the new one.
#[test]
fn a_region_with_copies_takes_another_order() {
    let directory = Directory::new("order");
    let loop_j = |text: &str| nest("j", "0", "n", vec![statement(text)]);
    let rows = nest("i", "0", "n", vec![loop_j("w[j] = A[i, j]"), loop_j("A[i, j] = w[j]")]);
    for (dead_after, statements) in [(vec![], 3), (vec!["w"], 2)] {
        let region = Region { dead_after, ..Region::new(vec![rows.clone()]) };
        let document = scop::to_json(&extracted(&region)).unwrap();
        directory.write("source.json", &document);
        let analysed = directory.run(&["source.json"], b"").stdout;
        directory.write("analysed.json", &analysed);
        let text = directory.run(&["--openscop", "source.json"], b"").stdout;
        directory.write("order.scop", &text);
        let run = directory.run(&["--order", "order.scop", "analysed.json"], b"");
        assert_eq!((run.status.code(), messages(&run)), (Some(0), String::new()));
        let parsed = |text: &[u8]| -> serde_json::Value { serde_json::from_slice(text).unwrap() };
        let (found, source) = (parsed(&run.stdout), parsed(document.as_bytes()));
        assert_eq!(found["scops"][0]["order"], source["scops"][0]["order"]);
        let order = found["scops"][0]["expansions"]["order"].to_string();
        for statement in 0..statements {
            assert!(order.contains(&format!("S{statement}[")), "{order}");
        }
    }
}
