//! The command line of `gpu-time`. `copy.json` is the profile of a kernel whose 16,384 warps each read and write 128
//! bytes once.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn gpu_time(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-time"));
    command.current_dir(here("")).args(arguments).output().unwrap()
}

const H100: &str = "../../targets/h100.json";

#[test]
fn a_table_is_for_people() {
    let output = gpu_time(&["tests/copy.json", "--target", H100]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for expected in [
        "NVIDIA H100",
        "dominated by",
        "launches",
        "8 blocks of 256 threads",
        "note: instructions are estimated",
    ] {
        assert!(text.contains(expected), "no '{expected}' in\n{text}");
    }
}

#[test]
fn json_is_for_programs() {
    let priced = |more: &[&str]| -> serde_json::Value {
        let arguments = [&["tests/copy.json", "--target", H100, "--json"], more].concat();
        serde_json::from_slice(&gpu_time(&arguments).stdout).unwrap()
    };
    let report = priced(&[]);
    assert_eq!((&report["format"], &report["version"]), (&"gpu-time".into(), &1.into()));
    let kernel = &report["kernels"][0];
    assert_eq!(
        (&kernel["name"], &kernel["launches"], &kernel["dominant"]),
        (&"k".into(), &1.into(), &"launches".into())
    );
    // The host's time for a launch is longer than the kernel.
    assert_eq!(kernel["microseconds"], 2.5);
    // Starting its 1024 blocks takes 1.03 of it, and the rest are launches.
    let launches = kernel["launch_microseconds"].as_f64().unwrap();
    assert!((launches - (2.5 - 1024.0 * 2.0 / 1980.0)).abs() < 1e-9, "{launches}");
    assert_eq!(report["launch_microseconds"], kernel["launch_microseconds"]);
    let sum = |report: &serde_json::Value| report["microseconds"].as_f64().unwrap();
    assert!((sum(&priced(&["--host", "1000"])) - sum(&report) - 1000.0).abs() < 1e-9);
    // With 255 registers a thread, one block of 256 threads fits on a multiprocessor.
    assert_eq!(priced(&["--registers", "k=255"])["kernels"][0]["occupancy"]["blocks"], 1);
}

#[test]
fn wrong_input_has_a_message_and_a_status() {
    let cases: [(&[&str], i32, &str); 6] = [
        (&["tests/none.json", "--target", H100], 1, "gpu-time: tests/none.json: No such file"),
        (&[H100, "--target", H100], 1, "h100.json: this is no profile of cudasim"),
        (&["tests/copy.json", "--target", "../../targets/common.json"], 1, "common.json: missing field"),
        (
            &["tests/copy.json", "--target", H100, "--cubin-listing", "tests/copy.json"],
            1,
            "tests/copy.json: ",
        ),
        (&["tests/copy.json"], 2, "--target"),
        (&["tests/copy.json", "--target", H100, "--registers", "k=none"], 2, "a kernel's name"),
    ];
    for (arguments, status, message) in cases {
        let output = gpu_time(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {text}");
        assert!(text.contains(message) && output.stdout.is_empty(), "{arguments:?}: {text}");
    }
}
