//! Replaces the driver's process by the program.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use crate::job::Job;
use crate::part::Part;
use crate::plan::Run;
use crate::process::{Kind, Processes, Whose, inheritable};
use crate::stop::{Or, Stop};

/// A shell script that removes temporary files when its input ends. It works in the background of a shell that ends
/// at once, so that the program has no child that it did not start.
const REMOVER: &str =
    r#"trap '' HUP INT QUIT TERM; exec 3<&0; { cat; rm -rf -- "$1"; } <&3 >/dev/null 2>&1 &"#;

/// Replaces this process by a program, which thus has its input, signals and status. The program inherits, without
/// using it, the writing end of a pipe; another process reads the pipe and removes the temporary files when it
/// closes. Returns only if that fails.
pub fn run(job: Job<'_>, run: &Run, program: &Path, parts: &[Part<'_>]) -> Stop {
    let name = parts.first().map_or(OsStr::new("program"), |part| part.name());
    let program = named(program, name, job.work).map_err(failed);
    match program.and_then(|program| Ok((program, end_of_pipe(job.processes, job.work)?))) {
        Ok((program, _open)) => {
            let words = [program.into_os_string()].into_iter().chain(run.arguments.iter().cloned());
            job.processes.become_command(job.processes.command(words))
        }
        Err(stop) => stop,
    }
}

fn failed(error: io::Error) -> Stop {
    Stop::failed(format!("the program cannot be started: {error}"))
}

/// Returns the writing end of a pipe, which the program inherits. The reading end is the remover's.
fn end_of_pipe(processes: &Processes, work: &Path) -> Or<OwnedFd> {
    let (reader, writer) = io::pipe().map_err(failed)?;
    let mut remover =
        processes.command(["sh".as_ref(), "-c".as_ref(), REMOVER.as_ref(), "sh".as_ref(), work.as_os_str()]);
    remover.stdin(reader);
    let status = processes.run(remover, Kind { whose: Whose::Helper, what: None })?;
    if !status.is_success() {
        return Err(Stop::failed("the program cannot be started: there is no shell"));
    }
    inheritable(writer.as_fd()).map_err(failed)
}

/// Moves a program to a folder of its own, under its name.
fn named(program: &Path, name: &OsStr, work: &Path) -> io::Result<PathBuf> {
    let folder = work.join("run");
    fs::create_dir(&folder)?;
    let named = folder.join(name);
    fs::rename(program, &named)?;
    Ok(named)
}
