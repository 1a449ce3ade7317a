//! Signals end the driver at once and leave nothing behind.

use std::time::{Duration, Instant};

use super::*;

#[test]
fn signals_end_it_at_once_and_cleanly() {
    for (signal, status, call) in [
        ("TERM", 143, ["--scheduler-options", "x"]),
        ("INT", 130, ["--scheduler-options", "x"]),
        ("QUIT", 131, ["--scheduler-options", "x"]),
        ("TERM", 143, ["--stage", "scheduler=echo waiting >&2; exec sleep 60"]),
    ] {
        let stage = Stage::new("signal");
        let mut child = stage
            .driver(&[&call[..], &["-o", "out", "file.c"]].concat())
            .with("FAKE_SCHEDULER", "exec sleep 60")
            .start();
        wait_for(&mut child, &["scheduler:", "waiting"]);
        let begin = Instant::now();
        chain_tests::kill(signal, &child.id().to_string());
        assert_eq!(child.wait().unwrap().code(), Some(status));
        wait_for_end_of_descendants(&mut child);
        assert!(begin.elapsed() < Duration::from_secs(20), "{signal} had to wait");
        stage.assert_swept();
        assert_eq!(stage.names(""), ["file.c"]);
    }
}

/// Waits until the standard error closes: then no process has it open any more.
pub fn wait_for_end_of_descendants(child: &mut std::process::Child) {
    use std::io::Read;
    child.stderr.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
}

/// Reads the messages of a process until one contains any of the words.
pub fn wait_for(child: &mut std::process::Child, words: &[&str]) {
    use std::io::{BufRead, BufReader};
    let lines = BufReader::new(child.stderr.as_mut().unwrap()).lines();
    let found = lines.map_while(Result::ok).any(|line| words.iter().any(|word| line.contains(word)));
    assert!(found, "the process never said one of {words:?}");
}

/// A signal that arrives while files are moved to their destinations takes effect when all of them have been moved.
#[test]
fn a_signal_during_the_last_rename_is_not_lost() {
    let stage = Stage::new("rename");
    for (signal, status) in [("INT", 130), ("TERM", 143), ("QUIT", 131), ("HUP", 129)] {
        let mut child = stage.driver_renaming("slow", &["-o", "out", "file.c"]).in_own_group().start();
        wait_for(&mut child, &["moving"]);
        chain_tests::kill(signal, &format!("-{}", child.id()));
        assert_eq!(child.wait().unwrap().code(), Some(status), "{signal}");
        assert_eq!(stage.names("out"), OUTPUTS, "{signal}");
        stage.assert_swept();
        fs::remove_dir_all(stage.scratch.at("here/out")).unwrap();
    }
}
