//! Processes that must end in time.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A command that may use so many seconds of a processor: that does not depend on what else the machine does.
pub fn limited(program: impl AsRef<OsStr>, seconds: u64) -> Command {
    let mut command = Command::new("prlimit");
    command.arg(format!("--cpu={seconds}")).arg("--").arg(program);
    command
}

use wait_timeout::ChildExt;

/// SIGXCPU, and a shell's exit status for it is 128 more.
const OVER_LIMIT: i32 = 24;

/// How a process ended, and what it wrote.
#[derive(Debug)]
pub struct Ended {
    pub how: How,
    pub stdout: String,
    pub stderr: String,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Status(i32),
    Signal(i32),
    TooLate,
}

impl Ended {
    /// True for exit status 0.
    pub fn is_success(&self) -> bool {
        self.how == How::Status(0)
    }
}

/// Runs a command to its end, or kills it after `limit`, for one that waits instead of computing. What it writes goes
/// through files in `folder`, where only one command runs at a time.
pub fn run(command: &mut Command, folder: &Path, limit: Duration) -> io::Result<Ended> {
    let (stdout, stderr) = (folder.join("stdout"), folder.join("stderr"));
    command.stdin(Stdio::null()).stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
    let mut child = command.spawn()?;
    let how = match child.wait_timeout(limit)? {
        Some(status) => match (status.code(), status.signal()) {
            (_, Some(OVER_LIMIT)) => How::TooLate,
            (Some(code), _) if code == 128 + OVER_LIMIT => How::TooLate,
            (Some(code), _) => How::Status(code),
            (None, signal) => How::Signal(signal.unwrap_or(0)),
        },
        None => {
            child.kill()?;
            child.wait()?;
            How::TooLate
        }
    };
    let text = |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Ended { how, stdout: text(stdout)?, stderr: text(stderr)? })
}
