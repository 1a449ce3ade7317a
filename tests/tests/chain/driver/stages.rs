//! Parts of the chain, and stages replaced by commands.

use super::*;

#[test]
fn all_stages_run_in_order() {
    let stage = Stage::new("order");
    let outcome = stage.run(&["file.c"]).succeeded();
    assert_eq!(stage.names(""), ["file.c", "file_gpu.cu", "file_gpu.h", "file_host.c"]);
    assert_eq!(stage.read("file_gpu.cu"), document(6));
    let report = "wrote:\n  file_gpu.cu\n  file_gpu.h\n  file_host.c\nbuild:\n  \
                  gcc -O2 -c file_host.c -o file.o\n  nvcc -O2 -arch=native -fmad=false file_gpu.cu file.o -o file\n";
    assert_eq!(outcome.stdout, report);
}

#[test]
fn parts_of_the_chain_run() {
    let stage = Stage::new("parts");
    assert_eq!(stage.run(&["--to", "scheduler", "file.c"]).succeeded().stdout, document(3));
    assert_eq!(stage.run(&["--to=clan-rs", "file.c"]).succeeded().stdout, document(1));
    assert_eq!(stage.run(&["--to", "candl-rs", "-o", "two.json", "file.c"]).succeeded().stdout, "");
    assert_eq!(stage.read("two.json"), document(2));
    let part = ["--from", "scheduler", "--to", "cloog-rs", "two.json"];
    assert_eq!(stage.run(&part).succeeded().stdout, document(5));
    stage.run(&["--from", "scheduler", "two.json"]).succeeded();
    assert_eq!(stage.read("file_gpu.h"), document(6));
}

#[test]
fn moved_source_is_passed_on() {
    let stage = Stage::new("moved");
    let outcome = stage.run(&["--from", "cudagen", "--source", "new/file.c", "file.c"]).succeeded();
    assert!(outcome.stderr.starts_with("cudagen: --source new/file.c -o /"), "{}", outcome.stderr);
}

#[test]
fn command_replaces_a_stage() {
    let stage = Stage::new("swap");
    let mine = r#"scheduler=cat >&2; echo "{\"scops\": [{\"mapping\": {}}], \"mine\": $#}""#;
    let options = ["--scheduler-options", "a 'b c'", "file.c"];
    let outcome = stage.run(&[&["--stage", mine, "-o", "mine"][..], &options].concat()).succeeded();
    assert!(outcome.stderr.contains("\ncheck: --check /"), "the schedule is checked: {}", outcome.stderr);
    let rest = "gpulocalizer\ncloog-rs\ncudagen\n";
    let mapped = format!("{{\"scops\": [{{\"mapping\": {{}}}}], \"mine\": 2}}\n{rest}");
    assert_eq!(stage.read("mine/file_gpu.h"), mapped);

    let order = r#"scheduler=cat >&2; echo '{"scops": [{"schedule": "mapping"}]}'"#;
    let outcome = stage.run(&[&["--stage", order, "-o", "order"][..], &options].concat()).succeeded();
    assert!(outcome.stderr.contains("\nscheduler: --only map a b c /"), "it is mapped: {}", outcome.stderr);
    let mapped = format!("{{\"scops\": [{{\"schedule\": \"mapping\"}}]}}\nscheduler\n{rest}");
    assert_eq!(stage.read("order/file_gpu.h"), mapped);

    let front = r#"clan-rs=cat; echo "$@""#;
    let outcome = stage.run(&["--to", "clan-rs", "-DN", "--stage", front, "file.c"]).succeeded();
    assert_eq!(outcome.stdout, "source\n--compiler=gcc -DN file.c\n");

    let back =
        r#"cudagen=while [ "$1" != -o ]; do shift; done; cat >"$2/mine_host.c"; echo >"$2/mine_gpu.cu""#;
    stage.run(&["--stage", back, "-o", "back", "file.c"]).succeeded();
    assert_eq!(
        (stage.names("back"), stage.read("back/mine_host.c")),
        (vec!["mine_gpu.cu".to_owned(), "mine_host.c".to_owned()], document(5))
    );
}

#[test]
fn failures_of_a_command_are_told() {
    let stage = Stage::new("swap-failure");
    let table = [
        (
            "scheduler=echo no >&2; exit 7",
            1,
            "no\nc2cuda: the command for stage scheduler ended with status 7: echo no >&2; exit 7\n",
        ),
        (
            "scheduler=kill -9 $$",
            1,
            "c2cuda: the command for stage scheduler ended with signal KILL: kill -9 $$\n",
        ),
        (
            "scheduler=cat >/dev/null",
            1,
            "c2cuda: the command for stage scheduler wrote nothing: cat >/dev/null\n",
        ),
        (
            "scheduler=echo broken",
            1,
            "broken\nc2cuda: what the command for stage scheduler wrote was refused: echo broken\n",
        ),
        (
            "gpulocalizer=echo broken",
            1,
            "broken\nc2cuda: what the command for stage gpulocalizer wrote was refused: echo broken\n",
        ),
        (
            "candl-rs=no-such-command",
            1,
            "c2cuda: the command for stage candl-rs ended with status 127: no-such-command\n",
        ),
    ];
    for (swap, status, said) in table {
        let outcome = stage.run(&["--stage", swap, "-o", "out", "file.c"]).ended_with(status);
        assert!(outcome.stderr.ends_with(said), "{swap} says {}", outcome.stderr);
        assert_eq!(stage.names(""), ["file.c"]);
    }
    let call = stage
        .driver(&["--stage", "candl-rs=cat", "file.c"])
        .with("FAKE_SCHEDULER", "echo garbage >&2; exit 1");
    let outcome = call.run().ended_with(1);
    let said = "garbage\nc2cuda: its input was written by the command for candl-rs: cat\n";
    assert!(outcome.stderr.ends_with(said), "{}", outcome.stderr);
}
