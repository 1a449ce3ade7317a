//! Tests of what `scripts/c2cuda` does around the tools.
//!
//! The tools are stand-ins, `tests/fake/tool` under their names: each appends a line with its name to its input.

mod building;
mod database;
mod delivery;
mod dependencies;
mod failures;
mod messages;
mod names;
mod options;
mod output;
mod proof;
mod several;
mod signals;
mod stages;
mod tools;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use chain_tests::{Call, Outcome, Scratch, driver, driver_by_price, names_in, root};

const STAGES: [&str; 6] = ["clan-rs", "candl-rs", "scheduler", "gpulocalizer", "cloog-rs", "cudagen"];
const OUTPUTS: [&str; 3] = ["file_gpu.cu", "file_gpu.h", "file_host.c"];

/// A folder with a C file, the stand-in tools next to it, and a folder for temporary files.
struct Stage {
    scratch: Scratch,
}

impl Stage {
    fn new(name: &str) -> Self {
        let stage = Self { scratch: Scratch::new(name) };
        for folder in ["bin", "tmp", "here"] {
            fs::create_dir(stage.scratch.at(folder)).unwrap();
        }
        for tool in STAGES.into_iter().chain(["scop-check"]) {
            symlink(root().join("tests/fake/tool"), stage.scratch.at("bin").join(tool)).unwrap();
        }
        stage.write("file.c", "source\n");
        stage
    }

    fn write(&self, name: &str, text: &str) {
        self.scratch.write(&format!("here/{name}"), text);
    }

    fn read(&self, name: &str) -> String {
        self.scratch.read(&format!("here/{name}"))
    }

    fn names(&self, folder: &str) -> Vec<String> {
        names_in(&self.scratch.at("here").join(folder))
    }

    fn driver(&self, arguments: &[&str]) -> Call {
        driver_by_price()
            .args(arguments)
            .within(&self.scratch.at("here"))
            .with("C2CUDA_BIN", self.scratch.at("bin"))
            .with("TMPDIR", self.scratch.at("tmp"))
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        let outcome = self.driver(arguments).run();
        self.assert_swept();
        outcome
    }

    /// Returns a call of a shell command, in the folder of the C file.
    fn shell(&self, command: &str) -> Call {
        let call = Call::new("bash").args(["-c", command]).within(&self.scratch.at("here"));
        call.with("C2CUDA_BIN", self.scratch.at("bin")).with("TMPDIR", self.scratch.at("tmp"))
    }

    /// Creates a program that comes first on [`Self::path`].
    fn command(&self, name: &str, text: &str) {
        fs::create_dir_all(self.scratch.at("path")).unwrap();
        let path = self.scratch.write(&format!("path/{name}"), text);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Returns `PATH` with the folder of these programs in front.
    fn path(&self) -> String {
        format!("{}:{}", self.scratch.at("path").display(), std::env::var("PATH").unwrap())
    }

    /// Returns a call of the driver with the `rename` of `fake/rename.c`.
    fn driver_renaming(&self, action: &str, arguments: &[&str]) -> Call {
        let library = self.scratch.at("rename.so");
        if !library.exists() {
            let call = Call::new("gcc").args(["-shared", "-fPIC", "-o"]).arg(&library);
            call.arg(root().join("tests/fake/rename.c")).arg("-ldl").run().succeeded();
        }
        self.driver(arguments).with("LD_PRELOAD", library).with("FAKE_RENAME", action)
    }

    fn assert_swept(&self) {
        assert_eq!(names_in(&self.scratch.at("tmp")), [""; 0], "temporary files are left");
    }
}

/// Returns the messages of the driver itself.
fn own_words(stderr: &str) -> String {
    stderr.split_inclusive('\n').filter(|line| line.starts_with("c2cuda:")).collect()
}

/// Returns the document after the first `count` stages.
fn document(count: usize) -> String {
    format!("source\n{}", STAGES[..count].iter().map(|stage| format!("{stage}\n")).collect::<String>())
}
