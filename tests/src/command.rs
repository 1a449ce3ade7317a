//! Processes: the driver, the tools, compilers and programs.

use std::fmt;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::root;

/// A command to be run, with its environment and its input.
pub struct Call {
    command: Command,
    input: String,
}

/// The result of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The command line, for messages.
    pub shown: String,
    /// The exit status, or 128 plus the number of the signal that ended the process.
    pub status: i32,
    /// The standard output.
    pub stdout: String,
    /// The standard error.
    pub stderr: String,
}

impl Call {
    /// Returns a call of a program, in the checkout and with an empty input.
    pub fn new(program: impl AsRef<Path>) -> Self {
        let mut command = Command::new(program.as_ref());
        command.current_dir(root());
        Self { command, input: String::new() }
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    pub fn args<S: AsRef<std::ffi::OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets the folder in which the process runs.
    pub fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Sets an environment variable.
    pub fn with(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Makes the process the leader of a process group of its own, as a shell does on a terminal.
    pub fn in_own_group(mut self) -> Self {
        self.command.process_group(0);
        self
    }

    /// Sets the input.
    pub fn reading(mut self, input: &str) -> Self {
        input.clone_into(&mut self.input);
        self
    }

    /// Runs the process to its end.
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

    /// Starts the process, with all three streams piped.
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
    /// Returns the outcome, and panics unless the process succeeded.
    pub fn succeeded(self) -> Self {
        self.ended_with(0)
    }

    /// Returns the outcome, and panics unless the process ended with this status.
    pub fn ended_with(self, status: i32) -> Self {
        assert_eq!(
            self.status, status,
            "{} has the wrong status\n{}{}",
            self.shown, self.stdout, self.stderr
        );
        self
    }
}

/// Returns a call of `scripts/c2cuda` that has all regions run on the device, so that small sizes test it.
pub fn driver() -> Call {
    driver_by_price().with("C2CUDA_OFFLOAD", "always")
}

/// Returns a call of `scripts/c2cuda` that leaves to the host what is faster there.
pub fn driver_by_price() -> Call {
    Call::new(root().join("scripts/c2cuda")).with("C2CUDA_OFFLOAD", "auto")
}

/// Returns a call of one of the tools.
pub fn tool(name: &str) -> Call {
    Call::new(tools_folder().join(name))
}

/// Returns the folder of the tools.
pub fn tools_folder() -> PathBuf {
    std::env::var_os("C2CUDA_BIN").map_or_else(|| root().join("target/release"), PathBuf::from)
}

/// Returns a call of a C compiler that keeps every rounding of the source. Without `-fno-ivopts`, GCC 12 can remove
/// the call of a kernel (see `cudasim/cudasim-cc`), and a reference must be correct.
pub fn gcc() -> Call {
    Call::new("gcc").args(["-std=gnu11", "-O2", "-ffp-contract=off", "-fno-ivopts"])
}

/// Returns a call of a C++ compiler with the same options.
pub fn gxx() -> Call {
    Call::new("g++").args(["-std=gnu++17", "-O2", "-ffp-contract=off", "-fno-ivopts"])
}

/// Sends a signal to a process, or to a process group if `receiver` begins with a minus. Uses the `kill` of the
/// shell, because a small system has no other.
pub fn kill(signal: &str, receiver: &str) {
    Call::new("bash").args(["-c", "kill -$0 -- $1", signal, receiver]).run().succeeded();
}

/// Finds NVIDIA's compiler, if it is installed.
pub fn find_nvcc() -> Option<PathBuf> {
    let installed = root().join("target/tools/nvcc/bin/nvcc");
    let home = std::env::var_os("CUDA_HOME").map(|home| PathBuf::from(home).join("bin/nvcc"));
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    home.into_iter()
        .chain(std::env::split_paths(&on_path).map(|folder| folder.join("nvcc")))
        .chain([installed])
        .find(|candidate| candidate.is_file())
}
