//! The tools run alone (`c2cuda cudagen ...`), and their options.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use chain_tests::tool;

use super::*;

#[test]
fn a_tool_runs_by_its_name() {
    let stage = Stage::new("tool");
    let outcome = stage.run(&["scheduler", "--only", "map", "file.c"]).succeeded();
    assert_eq!(
        (outcome.stdout.as_str(), outcome.stderr.as_str()),
        ("source\nscheduler\n", "scheduler: --only map file.c\n")
    );
    let call =
        stage.driver(&["cudagen"]).with("FAKE_CUDAGEN", "echo $C2CUDA_BIN ${C2CUDA_ROOT:-none}; exit 9");
    let said = call.run().ended_with(9).stdout;
    assert_eq!(said, format!("{} none\n", stage.scratch.at("bin").display()));
    // A file may have the name of a tool.
    stage.write("scheduler", "{}\n");
    let outcome = stage.run(&["scheduler", "--from", "scheduler", "--to", "scheduler"]).succeeded();
    assert_eq!(outcome.stdout, "{}\nscheduler\n");
    fs::remove_file(stage.scratch.at("bin/cloog-rs")).unwrap();
    let outcome = stage.run(&["cloog-rs"]).ended_with(1);
    assert!(outcome.stderr.ends_with("(C2CUDA_BIN) has no cloog-rs\n"), "{}", outcome.stderr);
}

/// Returns all long options at the beginnings of lines in a command's help.
fn options(help: &str) -> Vec<String> {
    let words = help.lines().filter(|line| line.trim_start().starts_with('-')).flat_map(|line| {
        let names = line.trim_start().split("  ").next().unwrap_or_default();
        names
            .split([' ', ',', '=', '['])
            .filter(|word| word.starts_with("--"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    words.filter(|word| word.len() > 2).collect()
}

/// Every option of a tool is also an option of the driver, or the driver's message names the tool that has it.
#[test]
fn options_of_tools_are_known() {
    let stage = Stage::new("tool-options");
    let mut others = 0;
    for name in STAGES {
        for option in options(&tool(name).arg("--help").run().succeeded().stdout) {
            let said = stage.driver(&[&option]).run().stderr;
            let hint = format!("unknown option '{option}'; it is an option of ");
            assert!(said.contains(&hint) || !said.contains("unknown option"), "{name} {option}: {said}");
            others +=
                usize::from(said.contains(&format!("{hint}{name}: pass it with --{name}-options {option}")));
        }
    }
    assert!(others > 10, "{others}");
}

#[test]
fn the_older_name_of_no_proof_is_taken() {
    let stage = Stage::new("no-proof");
    for option in ["--no-proof", "--no-verify"] {
        let said = stage.run(&["-q", option, "file.c"]).succeeded().stderr;
        assert!(!said.contains("check:") && said.contains("scheduler: --no-verify /"), "{said}");
    }
}

#[test]
fn arguments_need_not_be_text() {
    let stage = Stage::new("bytes");
    let odd = OsStr::from_bytes(b"\xff\xfe");
    let named = |option: &str| [option.as_bytes(), b"\xff"].concat();
    let call =
        stage.driver(&["-q", "-o"]).arg(odd).arg("--keep").arg(odd).arg(OsStr::from_bytes(&named("-DX=")));
    let call = call.arg(OsStr::from_bytes(&named("--scheduler-options=a")));
    let call = call.arg("--stage").arg(OsStr::from_bytes(&named("candl-rs=cat; echo candl-rs; : ")));
    call.arg("file.c").run().succeeded();
    let folder = stage.scratch.at("here").join(odd);
    assert_eq!(names_in(&folder).len(), 8);
    assert_eq!(fs::read_to_string(folder.join("file_gpu.cu")).unwrap(), document(6));
    for (option, said) in
        [("--", "unknown option"), ("--stage=cat=", "there is no stage"), ("--on=", "--on takes gpu")]
    {
        let outcome =
            stage.driver(&[]).arg(OsStr::from_bytes(&named(option))).arg("file.c").run().ended_with(2);
        assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    }
}
