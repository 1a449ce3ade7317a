//! The forms of messages, help texts and completions.

use chain_tests::tool;
use serde_json::Value;

use super::*;

fn objects(stderr: &str) -> Vec<Value> {
    stderr.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

#[test]
fn the_driver_talks_as_it_is_told() {
    let stage = Stage::new("messages");
    for words in [&["--message-format=json"][..], &["--message-format", "json"]] {
        let arguments = [words, &["--kep", "file.c"]].concat();
        let said = objects(&stage.run(&arguments).ended_with(2).stderr);
        assert_eq!(
            (&said[0]["tool"], &said[0]["severity"]),
            (&"c2cuda".into(), &"error".into()),
            "{words:?}"
        );
    }
    let said = stage.run(&["--message-format=jsn", "file.c"]).ended_with(2).stderr;
    assert!(said.starts_with("c2cuda: --message-format takes human, short or json, not 'jsn'"), "{said}");
    let call = stage.driver(&["--message-format=json", "file.c"]).with("FAKE_CUDAGEN", "exit 0");
    let said = call.run().ended_with(3).stderr;
    let last = objects(said.lines().last().unwrap()).remove(0);
    assert_eq!(last["severity"], "bug");
}

#[test]
fn tools_are_told_how_to_talk() {
    let stage = Stage::new("messages-tools");
    let said = stage.run(&["--message-format=short", "--stage", "scheduler=echo \"$@\" >&2; cat", "file.c"]);
    let said = said.succeeded().stderr;
    for words in ["clan-rs: --compiler=gcc file.c ", "check: --check /", "cudagen: "] {
        let line = said.lines().find(|line| line.starts_with(words.split(' ').next().unwrap()));
        assert!(line.is_some_and(|line| line.contains("--message-format=short")), "{words}: {said}");
    }
    assert!(said.contains("\n\n"), "a command of the user's is not: {said}");
    let said = stage.run(&["file.c"]).succeeded().stderr;
    assert!(!said.contains("--message-format"), "{said}");
}

/// This test uses the real tools.
#[test]
fn messages_have_a_line_each() {
    let scratch = Scratch::new("messages-real");
    let text = "void f(int n, double *a)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        a[i] = g(i);\n#pragma endscop\n}\n";
    scratch.write("file.c", text);
    let call = |format: &str| {
        driver().within(scratch.path()).arg(format!("--message-format={format}")).arg("file.c")
    };
    let human = call("human").run().ended_with(1).stderr;
    let code = human.split(['[', ']']).nth(1).unwrap().to_owned();
    let short = call("short").run().ended_with(1).stderr;
    assert!(short.lines().all(|line| line.starts_with("file.c:5:")), "{short}");
    assert!(short.contains(&format!(": error[{code}]: ")), "{short}");
    let said = objects(&call("json").run().ended_with(1).stderr);
    let members = (&said[0]["tool"], &said[0]["code"], &said[0]["path"], &said[0]["line"]);
    assert_eq!(members, (&"clan-rs".into(), &code.as_str().into(), &"file.c".into(), &5.into()));
    for name in STAGES {
        let outcome = tool(name).args(["--message-format=json", "/nowhere.json"]).run().ended_with(1);
        let said = objects(&outcome.stderr);
        assert_eq!((&said[0]["tool"], said.len()), (&name.into(), 1), "{}", outcome.stderr);
    }
}

#[test]
fn the_short_help_fits_on_a_screen() {
    let stage = Stage::new("short-help");
    let (short, long) = (stage.run(&["-h"]).succeeded().stdout, stage.run(&["--help"]).succeeded().stdout);
    assert!(short.lines().count() <= 40 && long.lines().count() > 100, "{short}");
    for option in ["--output", "--run", "--verify", "--report", "--keep", "--help"] {
        assert!(short.contains(option), "-h lacks {option}");
    }
    assert_eq!(stage.run(&["-V"]).succeeded().stdout, "c2cuda 0.1.0\n");
}

#[test]
fn shells_complete_command_lines() {
    let stage = Stage::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = stage.run(&["--completions", shell]).succeeded().stdout;
        for option in ["tile-sizes", "message-format", "gpulocalizer-options", "candl-rs"] {
            assert!(script.contains(option), "{shell} lacks {option}");
        }
        assert!(!script.contains("no-verify"), "{shell} offers the older name");
    }
    let complete = "source <($0 --completions bash); COMP_WORDS=(c2cuda --mess); COMP_CWORD=1; _c2cuda c2cuda --mess c2cuda; echo ${COMPREPLY[@]}";
    let call = Call::new("bash").args(["-c", complete]).arg(root().join("scripts/c2cuda"));
    let completed = call.with("C2CUDA_BIN", stage.scratch.at("bin")).run().succeeded().stdout;
    assert_eq!(completed, "--message-format\n");
    let outcome = stage.run(&["--completions", "csh"]).ended_with(2);
    assert!(
        outcome.stderr.contains("--completions takes bash, zsh or fish, not 'csh'"),
        "{}",
        outcome.stderr
    );
}
