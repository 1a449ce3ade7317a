//! Processes: the driver, the tools, compilers and programs.

use std::fmt;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::root;

/// A command line, and what its process finds around it.
pub struct Call {
    command: Command,
    input: String,
}

/// What a process left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The command line, for messages.
    pub shown: String,
    /// The exit status, or 128 and the number of the signal that ended it.
    pub status: i32,
    /// What it wrote.
    pub stdout: String,
    /// What it said.
    pub stderr: String,
}

impl Call {
    /// A call of a program, in the checkout and with an empty input.
    pub fn new(program: impl AsRef<Path>) -> Self {
        let mut command = Command::new(program.as_ref());
        command.current_dir(root());
        Self { command, input: String::new() }
    }

    /// One more argument.
    pub fn arg(mut self, argument: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// More arguments.
    pub fn args<S: AsRef<std::ffi::OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Runs it in another folder.
    pub fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Sets a variable of the environment.
    pub fn with(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Makes it the leader of a process group of its own, as a shell does on a terminal.
    pub fn in_own_group(mut self) -> Self {
        self.command.process_group(0);
        self
    }

    /// Gives it an input.
    pub fn reading(mut self, input: &str) -> Self {
        input.clone_into(&mut self.input);
        self
    }

    /// Runs it to its end.
    pub fn run(self) -> Outcome {
        let shown = self.to_string();
        let input = self.input.clone();
        let mut child = self.start();
        let mut stdin = child.stdin.take().expect("the input is piped");
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(input.as_bytes());
        });
        let output = child.wait_with_output().expect("a started process ends");
        writer.join().expect("writing does not panic");
        let status = output.status.code().or(output.status.signal().map(|signal| 128 + signal));
        Outcome {
            shown,
            status: status.expect("a process exits or is killed"),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Starts it, all three streams piped.
    pub fn start(mut self) -> Child {
        let shown = self.to_string();
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.spawn().unwrap_or_else(|error| panic!("cannot start {shown}: {error}"))
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.command.get_program().to_string_lossy())?;
        self.command.get_args().try_for_each(|argument| write!(f, " {}", argument.to_string_lossy()))
    }
}

impl Outcome {
    /// The same if it succeeded.
    pub fn succeeded(self) -> Self {
        self.ended_with(0)
    }

    /// The same if its status is this one.
    pub fn ended_with(self, status: i32) -> Self {
        assert_eq!(
            self.status, status,
            "{} has the wrong status\n{}{}",
            self.shown, self.stdout, self.stderr
        );
        self
    }
}

/// `scripts/c2cuda`
pub fn driver() -> Call {
    Call::new(root().join("scripts/c2cuda"))
}

/// One of the six tools.
pub fn tool(name: &str) -> Call {
    Call::new(tools_folder().join(name))
}

/// Where the tools are.
pub fn tools_folder() -> PathBuf {
    std::env::var_os("C2CUDA_BIN").map_or_else(|| root().join("target/release"), PathBuf::from)
}

/// A C compiler that keeps every rounding of the source. GCC 12's induction variable optimisation can remove the call
/// of a kernel (see `cudasim/cudasim-cc`); a reference must be right.
pub fn gcc() -> Call {
    Call::new("gcc").args(["-std=gnu11", "-O2", "-ffp-contract=off", "-fno-ivopts"])
}

/// The same for C++.
pub fn gxx() -> Call {
    Call::new("g++").args(["-std=gnu++17", "-O2", "-ffp-contract=off", "-fno-ivopts"])
}

/// Sends a signal to a process, or to a group if `receiver` begins with a minus. It is the shell's own `kill`: a
/// small system has no other.
pub fn kill(signal: &str, receiver: &str) {
    Call::new("bash").args(["-c", "kill -$0 -- $1", signal, receiver]).run().succeeded();
}

/// NVIDIA's compiler, if it is installed.
pub fn find_nvcc() -> Option<PathBuf> {
    let installed = root().join("target/tools/nvcc/bin/nvcc");
    let home = std::env::var_os("CUDA_HOME").map(|home| PathBuf::from(home).join("bin/nvcc"));
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    home.into_iter()
        .chain(std::env::split_paths(&on_path).map(|folder| folder.join("nvcc")))
        .chain([installed])
        .find(|candidate| candidate.is_file())
}
