//! `scripts/fuzz` finds a planted fault, reduces the program, and gives the command that finds it again.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use chain_tests::{Call, Scratch, root, tools_folder};

/// Returns the tools, with a faulty cudagen: each block does the work of the next block.
fn broken_tools() -> Scratch {
    let scratch = Scratch::new("broken");
    let tools = tools_folder();
    for stage in ["clan-rs", "candl-rs", "scheduler", "gpulocalizer", "cloog-rs"] {
        std::os::unix::fs::symlink(tools.join(stage), scratch.at(stage)).expect("a link can be made");
    }
    let generate = tools.join("cudagen");
    let text = format!(
        "#!/bin/bash\n{} \"$@\" && sed -i 's/blockIdx\\.x;/blockIdx.x + 1;/' \"${{!#}}\"/*_gpu.cu\n",
        generate.display()
    );
    let cudagen = scratch.write("cudagen", &text);
    fs::set_permissions(&cudagen, fs::Permissions::from_mode(0o755)).expect("it is ours");
    scratch
}

#[test]
fn a_planted_fault_is_found_and_its_program_made_small() {
    let (broken, kept) = (broken_tools(), Scratch::new("kept"));
    let outcome = Call::new(root().join("target/release/fuzz"))
        .args(["--seed", "5", "--only", "1", "--attempts", "20", "--keep"])
        .arg(kept.path())
        .with("C2CUDA_BIN", broken.path())
        .run()
        .ended_with(1);
    assert!(outcome.stdout.contains("program 1: the results differ"), "{}", outcome.stdout);
    assert_eq!(kept.names(), ["5-1"]);
    let (original, minimal) = (kept.read("5-1/original.c"), kept.read("5-1/minimal.c"));
    assert!(minimal.lines().count() < original.lines().count(), "{minimal}");
    assert!(kept.read("5-1/README").contains("scripts/fuzz --seed 5 --only 1"));
}
