//! The messages and the files that are left when a tool fails.

use super::*;

#[test]
fn failures_of_a_tool_leave_nothing_after() {
    let stage = Stage::new("failure");
    let table = [
        ("FAKE_CLAN_RS", "exit 1", 1, ""),
        ("FAKE_SCHEDULER", "exit 2", 2, ""),
        (
            "FAKE_CLOOG_RS",
            "exit 3",
            3,
            "c2cuda: stage cloog-rs failed; --keep DIR keeps the documents for a report\n",
        ),
        (
            "FAKE_GPULOCALIZER",
            "exit 101",
            3,
            "c2cuda: stage gpulocalizer ended with status 101: this is a bug in gpulocalizer\n",
        ),
        (
            "FAKE_CANDL_RS",
            "kill -SEGV $$",
            3,
            "c2cuda: stage candl-rs ended with signal SEGV: this is a bug in candl-rs\n",
        ),
        ("FAKE_CUDAGEN", "echo half >$output/file_host.c; exit 1", 1, ""),
        ("FAKE_CUDAGEN", "exit 0", 3, "c2cuda: stage cudagen wrote no file: this is a bug in cudagen\n"),
    ];
    for (variable, action, status, said) in table {
        let outcome = stage.driver(&["file.c", "-o", "out"]).with(variable, action).run().ended_with(status);
        assert_eq!(own_words(&outcome.stderr), said, "{variable}={action}");
        assert_eq!(
            (outcome.stdout.as_str(), stage.names("")),
            ("", vec!["file.c".to_owned()]),
            "{variable}={action}"
        );
        stage.assert_swept();
    }
}

#[test]
fn older_output_survives_a_failure() {
    let stage = Stage::new("survive");
    stage.write("file_gpu.cu", "old");
    stage.driver(&["file.c"]).with("FAKE_CUDAGEN", "exit 1").run().ended_with(1);
    assert_eq!(stage.read("file_gpu.cu"), "old");
}

/// If a tool is ended from outside, this is not reported as a bug.
#[test]
fn a_stage_that_is_killed_is_no_bug() {
    let stage = Stage::new("killed");
    for (action, status) in [
        ("kill -KILL $$", 1),
        ("kill -XCPU $$", 1),
        ("kill -TERM $$", 1),
        ("kill -ABRT $$", 3),
        ("ulimit -t 1; while :; do :; done", 1),
        ("ulimit -f 1; head -c 100000 /dev/zero >\"$output\"; exit $?", 1),
    ] {
        let call = stage.driver(&["-o", "out", "file.c"]).with("FAKE_SCHEDULER", action);
        let stderr = call.run().ended_with(status).stderr;
        assert!(!stderr.contains("c2cuda: line"), "the shell has nothing to add: {stderr}");
        let said = own_words(&stderr);
        let expected = match status {
            1 => "c2cuda: stage scheduler was killed (out of memory, or a limit?)\n",
            _ => "c2cuda: stage scheduler ended with signal ABRT: this is a bug in scheduler\n",
        };
        assert_eq!((said.as_str(), stage.names("")), (expected, vec!["file.c".to_owned()]), "{action}");
        stage.assert_swept();
    }
}

/// Limits of the system that the tools run into are not reported as bugs.
#[test]
fn limits_of_the_system_are_no_bugs() {
    let scratch = Scratch::new("limits");
    for limit in ["ulimit -v 30000", "ulimit -v 340000", "ulimit -v 380000", "ulimit -f 4", "ulimit -f 16"] {
        let command =
            format!("{limit}; exec {} -o \"$0\" examples/lu.c", root().join("scripts/c2cuda").display());
        let outcome = Call::new("bash").args(["-c", &command]).arg(scratch.at("out")).run().ended_with(1);
        assert!(!outcome.stderr.contains("bug"), "{limit}: {}", outcome.stderr);
        assert!(!outcome.stderr.is_empty(), "{limit}");
        assert!(!scratch.at("out/lu_gpu.cu").exists(), "{limit}");
    }
}
