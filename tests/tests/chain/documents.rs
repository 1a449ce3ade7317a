//! Documents with random changes: each stage accepts them or refuses them with a message, in bounded time.
//! `C2CUDA_MUTANTS=2000` tries that many changes for each stage instead of a few, and more programs.
//! `C2CUDA_FIRST_MUTANT=400` starts with number 400.
//!
//! A changed document may be nonsense that no check can find. Therefore the code generated from it is never run.

mod changes;

use std::fs;
use std::path::{Path, PathBuf};

use chain_tests::{Call, Outcome, Scratch, driver, root, tool, tools_folder};
use serde_json::Value;

use crate::expressions::expression;
use crate::mutants::Random;
use changes::change;

/// The number of changed documents that the test suite tries for each stage.
const COUNT: u64 = 40;

/// The limits for one tool, in seconds of processor time and kilobytes. A tool gives up by itself within ten seconds.
const LIMITS: &str = "ulimit -t 20 -v 8000000";

/// A command that reads documents.
struct Stage {
    /// The tool's name, and an option if there is one.
    command: &'static str,
    /// The documents that it reads, by the names that `c2cuda --keep` uses.
    documents: &'static [&'static str],
    /// The exit codes with which it refuses a document.
    refusals: &'static [i32],
}

const STAGES: &[Stage] = &[
    Stage { command: "candl-rs", documents: &["1-clan-rs.json"], refusals: &[1, 2] },
    Stage { command: "scheduler", documents: &["2-candl-rs.json"], refusals: &[1, 2] },
    Stage { command: "gpulocalizer", documents: &["3-scheduler.json"], refusals: &[1, 2] },
    Stage { command: "cloog-rs", documents: &["4-gpulocalizer.json"], refusals: &[1, 2] },
    Stage { command: "cudagen", documents: &["5-cloog-rs.json"], refusals: &[1, 2] },
    Stage {
        command: "candl-rs --check",
        documents: &["3-scheduler.json", "4-gpulocalizer.json", "5-cloog-rs.json"],
        refusals: &[1, 2, 4],
    },
];

/// Programs whose documents are changed as well if many changes are tried: with structures, packed arrays, functions,
/// control that depends on data, residency and several regions.
const MORE: &[&str] = &[
    "tests/kernels/structures.c",
    "tests/kernels/functions.c",
    "tests/kernels/indirect.c",
    "tests/kernels/reductions.c",
    "tests/kernels/linearised.c",
    "tests/kernels/residency.c",
    "tests/kernels/complex.c",
    "tests/kernels/temporaries.c",
];

macro_rules! stages {
    ($($name:ident: $stage:literal;)*) => {
        $(#[test]
        fn $name() {
            stage_takes_or_refuses($stage);
        })*
    };
}

stages! {
    candl: "candl-rs";
    scheduler: "scheduler";
    gpulocalizer: "gpulocalizer";
    cloog: "cloog-rs";
    cudagen: "cudagen";
    check: "candl-rs --check";
}

fn number_from(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

fn stage_takes_or_refuses(command: &str) {
    let scratch = Scratch::new(&format!("documents_{}", command.replace(' ', "_")));
    let wanted = number_from("C2CUDA_MUTANTS");
    let stage = STAGES.iter().find(|stage| stage.command == command).unwrap();
    let mut folders: Vec<PathBuf> =
        ["tmv", "stencil"].map(|program| root().join("tests/golden").join(program)).into();
    if wanted.is_some() {
        folders.extend(MORE.iter().enumerate().map(|(number, program)| {
            let kept = scratch.at(&format!("kept{number}"));
            driver().arg("-q").arg("--keep").arg(&kept).arg("-o").arg(&kept).arg(program).run().succeeded();
            kept
        }));
    }
    let documents: Vec<Value> = folders
        .iter()
        .flat_map(|folder| stage.documents.iter().map(move |name| read(&folder.join(name))))
        .collect();
    let first = number_from("C2CUDA_FIRST_MUTANT").unwrap_or(0);
    let faults: Vec<String> = (first..first + wanted.unwrap_or(COUNT))
        .filter_map(|seed| try_one(stage, &documents, seed, &scratch))
        .collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Runs a stage on one changed document, and describes what is wrong with the outcome.
fn try_one(stage: &Stage, documents: &[Value], seed: u64, scratch: &Scratch) -> Option<String> {
    let mut random = Random::new(seed);
    let original = random.below(documents.len());
    let mut document = documents[original].clone();
    let other = &documents[random.below(documents.len())];
    let changes: Vec<String> =
        (0..=random.below(3)).map(|_| change(&mut document, other, &mut random)).collect();
    let mutant = scratch.at("mutant.json");
    fs::write(&mutant, document.to_string()).unwrap();
    let outcome = limited(stage, &mutant, scratch);
    let says_why = outcome.stderr.contains("error[E") || outcome.stderr.contains("error:");
    let is_right = outcome.status == 0 || stage.refusals.contains(&outcome.status) && says_why;
    (!is_right).then(|| {
        let Outcome { status, stderr, .. } = outcome;
        format!(
            "{}, seed {seed} (document {original}), ends with {status} after {changes:#?}:\n{stderr}",
            stage.command
        )
    })
}

fn limited(stage: &Stage, mutant: &Path, scratch: &Scratch) -> Outcome {
    let (tool, options) = stage.command.split_once(' ').unzip();
    let program = tools_folder().join(tool.unwrap_or(stage.command));
    let output = scratch.at("mutant.out");
    if stage.command == "cudagen" {
        fs::create_dir_all(&output).unwrap();
    }
    let script = format!("{LIMITS}; exec \"$@\"");
    let call = Call::new("bash").args(["-c", script.as_str(), "limited"]).arg(program);
    let call = call.args(options).arg(mutant);
    call.arg("-o").arg(output).run()
}

/// A loop that counts down, does not advance or has no bound is refused: C would not run it as the document means it.
#[test]
fn loops_that_do_not_end_as_they_should_are_refused() {
    let scratch = Scratch::new("endless");
    let document = read(&root().join("tests/golden/tmv/5-cloog-rs.json"));
    let header = "/scops/0/ast/body/children/2/body/children/0";
    for (part, text) in [
        ("increment", "0"),
        ("increment", "-1"),
        ("increment", "m"),
        ("condition", "1"),
        ("condition", "c1 >= 0"),
        ("condition", "c1 <= c1"),
        ("condition", "c1 <= 18 or c1 <= 3"),
    ] {
        let mut mutant = document.clone();
        *mutant.pointer_mut(&format!("{header}/{part}")).unwrap() = expression(text);
        let mutant = scratch.write("5.json", &mutant.to_string());
        for call in [tool("cudagen").arg("-o").arg(scratch.path()), tool("candl-rs").arg("--check")] {
            let said = call.arg(&mutant).run().ended_with(1).stderr;
            assert!(said.contains("V11"), "{part} {text}: {said}");
        }
    }
}

/// Texts of a document that would become C are refused unless clan-rs could have written them, even if the digests in
/// the document say that the verifier found nothing.
#[test]
fn no_code_comes_from_documents() {
    let scratch = Scratch::new("code_from_documents");
    let document = read(&root().join("tests/golden/tmv/5-cloog-rs.json"));
    let changes = [
        ("/scops/0/arrays/0/expression", "x); system(\"touch planted\""),
        ("/scops/0/arrays/0/expression", "(system(\"touch planted\"), x)"),
        ("/scops/0/loops/0/iterator", "i, system(\"touch planted\")"),
        ("/scops/0/placement/kernels/0/buffers/0/name", "private_x; asm(\"trap\"); float y"),
        ("/source/path", "examples/tmv.c\n#include \"planted.h\""),
    ];
    for (path, text) in changes {
        let mut changed = document.clone();
        *changed.pointer_mut(path).unwrap() = Value::String(text.to_owned());
        let input = scratch.at("changed.json");
        fs::write(&input, changed.to_string()).unwrap();
        let output = scratch.at("generated");
        let call = tool("cudagen").arg(&input).arg("--source").arg("examples/tmv.c").arg("-o").arg(&output);
        let outcome = call.run().ended_with(1);
        assert!(outcome.stderr.contains("[V13]"), "{path} = {text}: {}", outcome.stderr);
        assert!(!output.exists(), "{path} = {text}");
    }
}

/// Computes another value for a part of a document.
type Another = fn(&Value) -> Value;

/// The expansions of candl-rs are checked against the arrays and statements of the source, which candl-rs keeps
/// unchanged.
#[test]
fn expansions_that_are_none_are_refused() {
    let analysed = driver().args(["--to", "candl-rs", "tests/kernels/polybench/durbin.c"]).run().succeeded();
    let document: Value = serde_json::from_str(&analysed.stdout).unwrap();
    let extracted = driver().args(["--to", "clan-rs", "tests/kernels/polybench/durbin.c"]).run().succeeded();
    let extracted: Value = serde_json::from_str(&extracted.stdout).unwrap();
    for key in ["arrays", "statements"] {
        assert_eq!(document["scops"][0][key], extracted["scops"][0][key]);
    }
    let scheduled = |document: &Value| tool("scheduler").reading(&document.to_string()).run();
    scheduled(&document).succeeded();
    let changes: [(&str, Another); 7] = [
        ("accesses/0/access", |_| Value::from("a999")),
        ("accesses/0/array", |_| Value::from("A99")),
        ("accesses/0/relation", |old| Value::from(old.as_str().unwrap().replace(" }", " : false }"))),
        ("accesses", |old| Value::from(old.as_array().unwrap()[1..].to_vec())),
        ("arrays/0/type", |_| Value::from("char")),
        ("arrays/0/visible", |_| Value::from(true)),
        ("arrays", |_| Value::from(Vec::<Value>::new())),
    ];
    for (path, change) in changes {
        let mut changed = document.clone();
        let part = changed.pointer_mut(&format!("/scops/0/expansions/{path}")).unwrap();
        *part = change(part);
        let said = scheduled(&changed).ended_with(1).stderr;
        assert!(said.contains("error[E0008]") && said.contains("[V15]"), "{path}: {said}");
    }
}
