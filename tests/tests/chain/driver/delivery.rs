//! Which files are left where, whatever happens to the driver.

use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use super::signals::{wait_for, wait_for_end_of_descendants};
use super::*;

/// The next driver removes the files that a killed driver left in the folder.
#[test]
fn what_a_killed_driver_left_is_swept() {
    let stage = Stage::new("killed-driver");
    let mut child = stage.driver_renaming("slow", &["-o", "out", "file.c"]).start();
    wait_for(&mut child, &["moving"]);
    // While the driver lives, nobody removes its files.
    stage.driver(&["-q", "-o", "out/x/..", "--to", "clan-rs"]).run().ended_with(2);
    chain_tests::kill("KILL", &child.id().to_string());
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    let left = stage.names("out");
    assert!(left.iter().any(|name| name.starts_with(".c2cuda.")), "{left:?}");
    stage.driver(&["-o", "out", "file.c"]).run().succeeded();
    assert_eq!(stage.names("out"), OUTPUTS);
}

/// Two drivers that write into one folder do not mix their files, and neither removes files that the other one needs.
#[test]
fn drivers_wait_for_each_other() {
    let stage = Stage::new("two-drivers");
    let begin = Instant::now();
    let mut slow = stage.driver_renaming("slow", &["-o", "out", "file.c"]).start();
    wait_for(&mut slow, &["moving"]);
    stage.driver(&["-o", "out", "file.c"]).run().succeeded();
    assert!(begin.elapsed() > Duration::from_secs(1), "it did not wait");
    assert_eq!(slow.wait().unwrap().code(), Some(0));
    assert_eq!(stage.names("out"), OUTPUTS);
}

#[test]
fn children_end_with_a_killed_driver() {
    let stage = Stage::new("orphans");
    let mut child = stage.driver(&["-o", "out", "file.c"]).with("FAKE_SCHEDULER", "exec sleep 60").start();
    wait_for(&mut child, &["scheduler:"]);
    let begin = Instant::now();
    chain_tests::kill("KILL", &child.id().to_string());
    child.wait().unwrap();
    wait_for_end_of_descendants(&mut child);
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(stage.names(""), ["file.c"]);
}

/// If two source files have the same name, the output of the later one does not replace that of the earlier one.
#[test]
fn files_of_one_name_are_told_apart() {
    let stage = Stage::new("one-name");
    for folder in ["a", "b"] {
        fs::create_dir(stage.scratch.at("here").join(folder)).unwrap();
        stage.write(&format!("{folder}/file.c"), &format!("source\n#line 1 \"{folder}/file.c\"\n"));
    }
    stage.run(&["-q", "-o", "out", "a/file.c"]).succeeded();
    let outcome = stage.run(&["-q", "-o", "out", "b/file.c"]).ended_with(1);
    let said = "'out/file_gpu.cu' exists, and was generated from 'a/file.c', not from 'b/file.c', which has the same name";
    assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    stage.run(&["-q", "-o", "out", "./a/file.c"]).succeeded();
    fs::remove_file(stage.scratch.at("here/a/file.c")).unwrap();
    stage.run(&["-q", "-o", "out", "b/file.c"]).succeeded();
}

#[test]
fn programs_are_printed() {
    let stage = Stage::new("printed-program");
    let printed = stage.run(&["-o", "-", "file.c"]).succeeded().stdout;
    let expected: String = OUTPUTS.iter().map(|name| format!("/* ==> {name} */\n{}", document(6))).collect();
    assert_eq!((printed, stage.names("")), (expected, vec!["file.c".to_owned()]));
    for (arguments, said) in [
        (
            &["-o", "-", "--run", "file.c"][..],
            "-o - prints the translated program, and --run prints its output",
        ),
        (&["-o", "-", "-MD", "file.c"], "-MD writes a rule for the generated files: it needs -o here"),
    ] {
        let outcome = stage.run(arguments).ended_with(2);
        assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    }
    let command = format!("{} -o - file.c >/dev/full", root().join("scripts/c2cuda").display());
    let outcome = stage.shell(&command).run().ended_with(1);
    assert!(
        outcome.stderr.ends_with("c2cuda: the standard output could not be written\n"),
        "{}",
        outcome.stderr
    );
}

/// Whatever the driver is waiting for, a signal ends it at once, with all processes that the user's commands started.
#[test]
fn signals_do_not_wait() {
    let large = "scheduler=cat; head -c 1000000 /dev/zero";
    let table: [(&[&str], &str, &str); 4] = [
        (&["--from", "candl-rs", "--to", "candl-rs", "-"], "", ""),
        (&["--trust-stage", "--stage", large, "--to", "scheduler", "file.c"], "", "check:"),
        (&["--stage", "scheduler=(sleep 60; :) & echo waiting >&2; wait", "file.c"], "", "waiting"),
        (&["--to", "clan-rs", "-o", "fifo", "file.c"], "mkfifo fifo", "clan-rs:"),
    ];
    for (arguments, before, words) in table {
        let stage = Stage::new("blocked");
        stage.shell(before).run().succeeded();
        let mut child = stage.driver(arguments).start();
        if words.is_empty() {
            let begun = || !names_in(&stage.scratch.at("tmp")).is_empty();
            while !begun() && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(10));
            }
        } else {
            wait_for(&mut child, &[words]);
        }
        std::thread::sleep(Duration::from_millis(200));
        let begin = Instant::now();
        chain_tests::kill("TERM", &child.id().to_string());
        // `Child::wait` would close its input.
        while child.try_wait().unwrap().is_none() && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(child.try_wait().unwrap().and_then(|status| status.code()), Some(143), "{arguments:?}");
        wait_for_end_of_descendants(&mut child);
        assert!(begin.elapsed() < Duration::from_secs(20), "{arguments:?}");
        stage.assert_swept();
    }
}

/// A command of the user gets the signal that the driver gets. A signal that is ignored remains ignored.
#[test]
fn signals_are_handed_on() {
    let stage = Stage::new("handed-on");
    let command = "scheduler=trap 'echo interrupted >&2; exit 1' INT; echo waiting >&2; sleep 60 & wait";
    let mut child = stage.driver(&["--stage", command, "file.c"]).start();
    wait_for(&mut child, &["waiting"]);
    chain_tests::kill("INT", &child.id().to_string());
    wait_for(&mut child, &["interrupted"]);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let command = format!("trap '' HUP; exec {} -q file.c", root().join("scripts/c2cuda").display());
    let mut child = stage.shell(&command).with("FAKE_SCHEDULER", "sleep 1").start();
    wait_for(&mut child, &["scheduler:"]);
    chain_tests::kill("HUP", &child.id().to_string());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// On a terminal, the driver shows what is taking long; the line disappears when there is another message.
#[test]
fn progress_is_told_on_a_terminal() {
    let stage = Stage::new("progress");
    let call = |options: &str| {
        let command = format!("{} {options} -o out file.c", root().join("scripts/c2cuda").display());
        let call =
            Call::new("script").args(["-qec", &command, "/dev/null"]).within(&stage.scratch.at("here"));
        let call = call.with("C2CUDA_BIN", stage.scratch.at("bin")).with("TMPDIR", stage.scratch.at("tmp"));
        call.with("FAKE_GPULOCALIZER", "sleep 2.5").run().succeeded().stdout
    };
    let said = call("");
    let told = said.find("\r\x1b[Kgpulocalizer, ").unwrap_or_else(|| panic!("{said:?}"));
    assert!(said[told..].contains(" s\r") && said[told..].contains("\r\x1b[K\r"), "{said:?}");
    assert!(!call("-q").contains("\x1b["));
    let slow = stage.driver(&["-o", "out", "file.c"]).with("FAKE_GPULOCALIZER", "sleep 1.5");
    let said = slow.run().succeeded().stderr;
    assert!(!said.contains('\r'), "{said:?}");
}

/// A command of the user may use the terminal, although it has a process group of its own.
#[test]
fn commands_may_ask_at_the_terminal() {
    let stage = Stage::new("terminal");
    let command = format!(
        "{} --to scheduler --trust-stage --stage 'scheduler=cat; read word </dev/tty; echo word is $word' file.c",
        root().join("scripts/c2cuda").display()
    );
    let call = Call::new("script").args(["-qec", &command, "/dev/null"]).within(&stage.scratch.at("here"));
    let call = call.with("C2CUDA_BIN", stage.scratch.at("bin")).with("TMPDIR", stage.scratch.at("tmp"));
    let said = call.reading("spoken\n").run().succeeded().stdout;
    assert!(said.contains("word is spoken"), "{said:?}");
    stage.assert_swept();
}
