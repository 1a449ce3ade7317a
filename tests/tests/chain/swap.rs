//! Stages replaced by programs in Python, as a researcher would write them.

use chain_tests::{Call, Scratch, driver, gcc, names_in, root, tool};

/// Returns a call of the driver with stages replaced by programs of `tests/swap/`.
fn swapped(stages: &[(&str, &str)]) -> Call {
    let mut call = driver().with("PYTHONPATH", root().join("target/tools/python"));
    for (stage, program) in stages {
        call = call.args(["--stage", &format!("{stage}=python3 tests/swap/{program}")]);
    }
    call
}

/// Translates an example with the stages replaced, runs it on the checking simulator, and compares the output with
/// C's.
fn runs_as_in_c(stages: &[(&str, &str)], example: &str, arguments: &[&str]) {
    runs_as_in_c_with(swapped(stages), example, arguments);
}

fn runs_as_in_c_with(driver: Call, example: &str, arguments: &[&str]) {
    let scratch = Scratch::new("swap");
    let source = format!("examples/{example}.c");
    gcc().arg(&source).arg("-o").arg(scratch.at("plain")).arg("-lm").run().succeeded();
    let expected = Call::new(scratch.at("plain")).args(arguments).run().succeeded();
    let call = driver.args(["--run", "--on", "check"]).arg(source).arg("--").args(arguments);
    let actual = call.run().succeeded();
    assert_eq!((actual.stdout, actual.stderr.as_str()), (expected.stdout, ""));
}

#[test]
fn scheduler_in_python_finds_an_order() {
    for (example, arguments) in [("lu", ["21"]), ("stencil", ["37"])] {
        runs_as_in_c(&[("scheduler", "scheduler.py")], example, &arguments);
    }
}

#[test]
fn scheduler_in_python_leaves_its_name() {
    let call = swapped(&[("scheduler", "scheduler.py")]).args(["--to", "scheduler", "examples/matmul.c"]);
    let document = call.run().succeeded().stdout;
    assert!(document.contains("\"scheduled_by\": \"islpy\""), "{document}");
}

#[test]
fn order_of_a_scheduler_in_python_is_mapped_with_the_options() {
    let call = swapped(&[("scheduler", "scheduler.py")]).args(["--scheduler-options", "--tile-sizes 8,8"]);
    let document = call.args(["--to", "scheduler", "examples/matmul.c"]).run().succeeded().stdout;
    assert!(document.contains("\"tile_sizes\": [8, 8, "), "{document}");
}

/// The order contains nothing about a GPU. If it does not say which loops are parallel, the second pass finds out
/// again.
#[test]
fn scheduler_is_two_passes() {
    for example in ["lu", "stencil", "jacobi2d", "seidel2d", "cp"] {
        let analysed =
            driver().args(["--to", "candl-rs", &format!("examples/{example}.c")]).run().succeeded();
        let whole = tool("scheduler").reading(&analysed.stdout).run().succeeded().stdout;
        let pass = |name: &str, text: &str| tool("scheduler").args(["--only", name]).reading(text).run();
        let ordered = pass("order", &analysed.stdout).succeeded().stdout;
        assert!(!ordered.contains("\"mapping\"") && !ordered.contains("mark:"), "{example}: {ordered}");
        tool("candl-rs").arg("--check").reading(&ordered).run().succeeded();
        assert!(pass("map", &ordered).succeeded().stdout == whole, "{example}");
        assert!(pass("map", &whole).succeeded().stdout == whole, "{example}: mapped again");
        assert!(pass("map", &analysed.stdout).ended_with(1).stderr.contains("`schedule`"), "{example}");
    }
    let silent = "\"$C2CUDA_BIN/scheduler\" --only order | sed 's/permutable: 1/permutable: 0/'";
    runs_as_in_c_with(
        swapped(&[]).args(["--stage", &format!("scheduler={silent}")]),
        "matmul",
        &["9", "7", "5"],
    );
}

/// The order alone, without blocks and threads, is compared with the dependences.
#[test]
fn order_alone_is_checked() {
    let scratch = Scratch::new("order");
    let text = "void f(int n, double a[n])\n{\n#pragma scop\n    for (int i = 1; i < n; i++)\n        \
                a[i] = a[i - 1];\n#pragma endscop\n}\n";
    let analysed = driver().args(["--to", "candl-rs"]).arg(scratch.write("chain.c", text)).run().succeeded();
    let ordered =
        tool("scheduler").args(["--only", "order"]).reading(&analysed.stdout).run().succeeded().stdout;
    tool("candl-rs").arg("--check").reading(&ordered).run().succeeded();
    let backward = ordered.replace("S0[i] -> [(i)]", "S0[i] -> [(-i)]");
    let (order, schedule) = backward.split_once("\"schedule\"").unwrap();
    let backward = format!("{}\"schedule\"{schedule}", order.replace("[(-i)]", "[(i)]"));
    assert_ne!(backward, ordered);
    let said = tool("candl-rs").arg("--check").reading(&backward).run().ended_with(1).stderr;
    assert!(said.contains("E0201"), "{said}");
}

#[test]
fn analysis_in_python_finds_the_dependences() {
    let stages = [("candl-rs", "candl.py")];
    for (example, arguments) in
        [("jacobi2d", &["19", "3"][..]), ("lu", &["19"]), ("matmul", &["9", "7", "5"])]
    {
        runs_as_in_c(&stages, example, arguments);
    }
}

/// The two analyses share no code but isl, and only one of them omits dependences that follow from others.
#[test]
fn analysis_in_rust_agrees() {
    let scratch = Scratch::new("analysis");
    let python = |program: &str| {
        let modules = root().join("target/tools/python");
        Call::new("python3").with("PYTHONPATH", modules).arg(root().join("tests/swap").join(program))
    };
    let small = ["-DN=5", "-DSTEPS=3", "-DVOLX=4", "-DVOLY=4", "-DNATOMS=4"];
    for name in names_in(&root().join("examples")).iter().filter(|name| name.ends_with(".c")) {
        let source = format!("examples/{name}");
        let extracted = tool("clan-rs").args(small).arg(source).run().succeeded().stdout;
        let ours = tool("candl-rs").reading(&extracted).run().succeeded().stdout;
        let theirs = python("candl.py").reading(&extracted).run().succeeded().stdout;
        let call =
            python("compare.py").arg(scratch.write("ours", &ours)).arg(scratch.write("theirs", &theirs));
        assert_eq!(call.run().succeeded().stdout, "", "{name}");
    }
}

#[test]
fn localizer_in_python_places_the_data() {
    for (example, arguments) in
        [("matmul", &["9", "7", "5"][..]), ("jacobi2d", &["19", "3"]), ("stencil", &["37"])]
    {
        runs_as_in_c(&[("gpulocalizer", "localizer.py")], example, arguments);
    }
    let stages = [("candl-rs", "candl.py"), ("scheduler", "scheduler.py"), ("gpulocalizer", "localizer.py")];
    runs_as_in_c(&stages, "matmul", &["33", "40", "35"]);
}

#[test]
fn both_in_python() {
    runs_as_in_c(&[("candl-rs", "candl.py"), ("scheduler", "scheduler.py")], "fdtd2d", &["19", "21", "3"]);
}

#[test]
fn loops_are_interchanged_through_openscop() {
    runs_as_in_c(&[("scheduler", "interchange.py 1 2")], "matmul", &["9", "7", "5"]);
    let scratch = Scratch::new("interchange");
    let text = "void f(int n, double a[n][n])\n{\n#pragma scop\n    for (int t = 1; t < n; t++)\n        \
                for (int i = 0; i < n - 1; i++)\n            a[t][i] = a[t - 1][i + 1];\n#pragma endscop\n}\n";
    let source = scratch.write("skewed.c", text);
    let call = swapped(&[("scheduler", "interchange.py 1 2")]).arg("-o").arg(scratch.at("out")).arg(&source);
    let stderr = call.run().ended_with(1).stderr;
    assert!(stderr.contains("E0201") && stderr.contains("does not run after"), "{stderr}");
}

#[test]
fn schedule_that_breaks_a_dependence_is_stopped() {
    let scratch = Scratch::new("careless");
    let call =
        swapped(&[("scheduler", "careless.py")]).arg("-o").arg(scratch.at("out")).arg("examples/stencil.c");
    let outcome = call.run().ended_with(1);
    let said =
        "c2cuda: what the command for stage scheduler wrote was refused: python3 tests/swap/careless.py\n";
    assert!(outcome.stderr.ends_with(said), "{}", outcome.stderr);
    assert!(!scratch.at("out").exists());
    // There is one message for each pair of statements, whatever the number of their accesses.
    let said = swapped(&[("scheduler", "careless.py")]).arg("examples/jacobi2d.c").run().ended_with(1).stderr;
    assert_eq!(said.matches("error[E0201]").count(), 2, "{said}");
    assert_eq!(said.matches("9 more dependences between the two are broken").count(), 2, "{said}");
}

#[test]
fn plan_without_calls_is_stopped() {
    let scratch = Scratch::new("forgetful");
    let source = "tests/programs/residency/residual.c";
    let call = swapped(&[("gpulocalizer", "forgetful.py")]).arg("-o").arg(scratch.at("out")).arg(source);
    let said = call.run().ended_with(1).stderr;
    assert_eq!(said.matches("error[E0225]").count(), 3, "{said}");
    assert!(said.contains("`is_small` reads the memory of `malloc` of line 24 (D0)"), "{said}");
    assert!(said.contains("`relax` returns to line 28; line 31 calls `is_small`"), "{said}");
    let refused = "c2cuda: what the command for stage gpulocalizer wrote was refused: python3 tests/swap/forgetful.py\n";
    assert!(said.ends_with(refused), "{said}");
    assert!(!scratch.at("out").exists());
}

/// An order may split a statement. Its instances are then in several kernels, each with its own buffers.
#[test]
fn split_statements_run_in_several_kernels() {
    let peel = [("scheduler", "peel.py")];
    for (example, arguments) in
        [("matmul", &["9", "7", "5"][..]), ("matmul", &["1", "1", "1"]), ("stencil", &["37"])]
    {
        runs_as_in_c(&peel, example, arguments);
    }
    let document =
        swapped(&peel).args(["--to", "gpulocalizer", "examples/matmul.c"]).run().succeeded().stdout;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let scop = &document["scops"][0];
    for kernel in scop["mapping"]["kernels"].as_array().unwrap() {
        assert_eq!(kernel["statements"], serde_json::json!(["S0", "S1"]), "{kernel}");
    }
    let placed = scop["placement"]["kernels"].as_array().unwrap();
    assert_eq!(placed.len(), 2);
    assert!(placed.iter().all(|kernel| kernel["buffers"].as_array().is_some_and(|all| !all.is_empty())));
}

/// Returns the option that changes the output of a stage with a Python program, in which `scop` is the document's
/// first scop.
fn changed(stage: &str, change: &str) -> String {
    format!(
        "{stage}=\"$C2CUDA_BIN/{stage}\" | python3 -c \"import json, sys; document = json.load(sys.stdin); \
         scop = document['scops'][0]; {change}; json.dump(document, sys.stdout)\""
    )
}

/// Each of these changes would alter the meaning of the program, or what later stages and the proof compare with.
#[test]
fn commands_that_change_what_is_not_theirs_are_stopped() {
    let other =
        "\"$C2CUDA_BIN/clan-rs\" examples/tmv.c | \"$C2CUDA_BIN/candl-rs\" | \"$C2CUDA_BIN/scheduler\"";
    let cheats = [
        (
            changed("candl-rs", "scop['statements'][0]['domain'] = '{ S0[i, j] : 0 = 1 }'"),
            "scops[0].statements[0].domain",
            "clan-rs",
        ),
        (changed("candl-rs", "scop['order'] = scop['order'][:1]"), "scops[0].order[1]", "clan-rs"),
        (changed("candl-rs", "document['source']['hash'] = ''"), "source.hash", "clan-rs"),
        (
            changed("scheduler", "scop['dependences']['flow'] = []"),
            "scops[0].dependences.flow[0]",
            "candl-rs",
        ),
        (
            changed("scheduler", "del scop['dependences']['live_out']"),
            "scops[0].dependences.live_out",
            "candl-rs",
        ),
        (format!("scheduler={other}"), "source.hash", "clan-rs"),
        (
            changed("gpulocalizer", "scop['schedule'] = scop['placement']['tree']"),
            "scops[0].schedule",
            "scheduler",
        ),
        (
            changed("gpulocalizer", "scop['mapping']['kernels'][0]['block'][0]['size'] = 8"),
            "scops[0].mapping.kernels[0].block[0].size",
            "scheduler",
        ),
        (
            changed("gpulocalizer", "scop['arrays'][0]['visible'] = False"),
            "scops[0].arrays[0].visible",
            "clan-rs",
        ),
        (
            changed("cloog-rs", "scop['placement']['device'] = []"),
            "scops[0].placement.device[0]",
            "gpulocalizer",
        ),
        (
            changed("cloog-rs", "scop['dependences']['dead'] = ['S1']"),
            "scops[0].dependences.dead",
            "candl-rs",
        ),
        (changed("cloog-rs", "scop['context'] = '{ : }'"), "scops[0].context", "clan-rs"),
    ];
    for (command, path, writer) in cheats {
        let scratch = Scratch::new("cheating");
        let call =
            swapped(&[]).args(["--stage", &command, "-o"]).arg(scratch.at("out")).arg("examples/matmul.c");
        let said = call.run().ended_with(1).stderr;
        let stage = command.split('=').next().unwrap_or_default();
        let words = format!("`{path}");
        let by = format!("by the command for {stage}");
        let found = said.lines().any(|line| {
            line.starts_with("error[E0020]")
                && line.contains(&words)
                && line.contains(writer)
                && line.contains(&by)
        });
        assert!(found, "{command}: {said}");
        assert!(!scratch.at("out").exists(), "{command}");
    }
}

/// If the user asks for it, the output of a command is accepted as it is.
#[test]
fn commands_may_be_trusted() {
    let reasons = changed("gpulocalizer", "scop['mapping']['kernels'][0]['reasons'] = ['trust me']");
    let call = || swapped(&[]).args(["--stage", &reasons, "--to", "gpulocalizer", "examples/matmul.c"]);
    assert!(call().run().ended_with(1).stderr.contains("--trust-stage"));
    assert!(call().arg("--trust-stage").run().succeeded().stdout.contains("trust me"));
}

#[test]
fn documents_are_compared_by_a_command() {
    let scratch = Scratch::new("scop-check");
    let before = scratch.write(
        "before.json",
        &driver().args(["--to", "candl-rs", "examples/tmv.c"]).run().succeeded().stdout,
    );
    let scheduled = tool("scheduler").arg(&before).run().succeeded().stdout;
    let after = scratch.write("after.json", &scheduled);
    tool("scop-check").arg(&before).arg(&after).run().succeeded();
    tool("scop-check").arg("-").arg(&after).reading(&scheduled).run().succeeded();
    let changed =
        scratch.write("changed.json", &scheduled.replace("\"visible\": true", "\"visible\": false"));
    let said = tool("scop-check").arg(&before).arg(changed).run().ended_with(1).stderr;
    assert!(
        said.contains("`scops[0].arrays[0].visible`, which clan-rs wrote, was changed by the stage"),
        "{said}"
    );
    let nothing = scratch.write("nothing.json", "[]");
    let said = tool("scop-check").arg(&before).arg(nothing).run().ended_with(1).stderr;
    assert!(said.contains("error[E0004]") && said.contains("nothing.json"), "{said}");
}
