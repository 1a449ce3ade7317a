//! Translations whose proof fails, is given up, or never ends.

use super::*;

const GAVE_UP: &str = "echo maybe >&2; exit 4";

/// The proof fails closed: unless it succeeds, nothing is delivered.
#[test]
fn without_a_proof_nothing_is_delivered() {
    let stage = Stage::new("unproved");
    let table = [
        (GAVE_UP, 1, "the generated loops were not proved to be right, and nothing was written."),
        ("exit 1", 3, "the generated loops are wrong: this is a bug in c2cuda"),
        ("exit 3", 3, "the proof (candl-rs --check) failed"),
        ("exit 77", 3, "the proof (candl-rs --check) ended with status 77"),
        ("kill -KILL $$", 1, "the proof (candl-rs --check) was killed (out of memory, or a limit?)"),
        ("kill -SEGV $$", 3, "the proof (candl-rs --check) ended with signal SEGV"),
        ("ulimit -t 1; while :; do :; done", 1, "the proof (candl-rs --check) was killed"),
        // The text of messages does not matter.
        ("echo 'error[E0206]: too complicated' >&2; exit 1", 3, "the generated loops are wrong"),
    ];
    for (action, status, said) in table {
        for arguments in [&["-o", "out", "file.c"][..], &["--to", "cloog-rs", "-o", "out", "file.c"]] {
            let outcome = stage.driver(arguments).with("FAKE_CHECK", action).run().ended_with(status);
            assert!(
                own_words(&outcome.stderr).starts_with(&format!("c2cuda: {said}")),
                "{action}: {}",
                outcome.stderr
            );
            assert_eq!(stage.names(""), ["file.c"], "{action}");
            stage.assert_swept();
        }
    }
}

#[test]
fn a_missing_proof_is_tolerated_if_the_user_says_so() {
    let stage = Stage::new("allowed");
    let call = stage.driver(&["--allow-unproved", "-o", "out", "file.c"]).with("FAKE_CHECK", GAVE_UP);
    let said = call.run().succeeded().stderr;
    assert!(
        said.contains("maybe\nc2cuda: the generated loops were not proved to be right (--allow-unproved)\n"),
        "{said}"
    );
    assert_eq!(stage.names("out"), OUTPUTS);
    let wrong = stage.driver(&["--allow-unproved", "-o", "new", "file.c"]).with("FAKE_CHECK", "exit 1");
    wrong.run().ended_with(3);
    assert_eq!(stage.names(""), ["file.c", "out"]);
}

/// With `--keep-going`, the check writes a document of what it proved, from which the program is then generated.
#[test]
fn what_is_not_proved_is_left_out() {
    let stage = Stage::new("left");
    let action = "grep -v gpulocalizer \"$input\" >\"$output\"; exit 0";
    let expected = document(6).replace("gpulocalizer\n", "");
    for option in ["--keep-going", "--autoscop"] {
        let call = stage.driver(&[option, "-o", "out", "file.c"]).with("FAKE_CHECK", action);
        call.run().succeeded();
        assert_eq!(stage.read("out/file_gpu.cu"), expected);
    }
    let call = stage.driver(&["--keep-going", "--to", "cloog-rs", "file.c"]).with("FAKE_CHECK", action);
    assert_eq!(call.run().succeeded().stdout, expected.replace("cudagen\n", ""));
    let whole = stage.driver(&["--keep-going", "-o", "whole", "file.c"]).run().succeeded();
    assert_eq!(stage.read("whole/file_gpu.cu"), document(6));
    assert_eq!(whole.stderr.matches("cudagen:").count(), 1, "{}", whole.stderr);
    let call = stage.driver(&["--keep-going", "-o", "none", "file.c"]).with("FAKE_CHECK", GAVE_UP);
    call.run().ended_with(1);
    assert_eq!(stage.names(""), ["file.c", "out", "whole"]);
}

/// The order that a user's own stage writes is checked immediately.
#[test]
fn an_order_that_cannot_be_checked_is_refused() {
    let stage = Stage::new("unchecked");
    let call = |more: &[&str]| {
        let arguments =
            [&["--stage", "scheduler=cat", "--to", "scheduler", "-o", "x.json"][..], more, &["file.c"]];
        stage.driver(&arguments.concat()).with("FAKE_CHECK", GAVE_UP).run()
    };
    let said = call(&[]).ended_with(1).stderr;
    assert!(
        said.ends_with(
            "c2cuda: what the command for stage scheduler wrote was not proved to be right: cat\n"
        ),
        "{said}"
    );
    assert_eq!(stage.names(""), ["file.c"]);
    call(&["--allow-unproved"]).succeeded();
}

/// The loops count as proved only if both the status and the verdict say so.
#[test]
fn a_verdict_has_to_agree_with_the_status() {
    let stage = Stage::new("verdict");
    for (variable, value) in
        [("FAKE_VERDICT", "refuted"), ("FAKE_VERDICT", "undecided"), ("FAKE_CHECK", "verdict=/dev/null")]
    {
        let call = stage.driver(&["-o", "out", "file.c"]).with(variable, value);
        let said = own_words(&call.run().ended_with(3).stderr);
        let expected =
            "c2cuda: the proof (candl-rs --check) succeeded but did not say so: this is a bug in candl-rs\n";
        assert_eq!(
            (said.as_str(), stage.names("")),
            (expected, vec!["file.c".to_owned()]),
            "{variable}={value}"
        );
    }
    let call =
        stage.driver(&["--stage", "scheduler=cat", "-o", "out", "file.c"]).with("FAKE_VERDICT", "refuted");
    let said = call.run().ended_with(3).stderr;
    assert!(said.contains("c2cuda: the check (candl-rs --check) succeeded but did not say so"), "{said}");
}
