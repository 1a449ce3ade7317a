//! A child process and all processes that it starts.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use libc::c_int;

use super::status::Status;
use super::system;

/// The number of attempts to end a group before it is killed.
const ATTEMPTS: u32 = 50;

/// Signal 0 only checks whether a process exists.
const NO_SIGNAL: c_int = 0;

/// The time between two attempts.
const PATIENCE: Duration = Duration::from_millis(20);

/// A child, the leader of a process group of its own. If it is dropped before the child has ended, all processes of
/// the group are ended.
#[derive(Debug)]
pub struct Group {
    child: Child,
    ended: Option<Status>,
    /// The signal that the processes get first when they are ended.
    first: c_int,
}

impl Group {
    /// Starts a command.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        Ok(Self { child, ended: None, first: libc::SIGTERM })
    }

    /// Returns the number of the group.
    pub fn number(&self) -> u32 {
        self.child.id()
    }

    /// Returns how the child ended, if it has.
    pub fn status(&mut self) -> io::Result<Option<Status>> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait()?.map(Status::from);
        }
        Ok(self.ended)
    }

    /// Sets the signal that the group gets first if it has to be ended.
    pub fn end_by(&mut self, signal: c_int) {
        self.first = signal;
    }

    /// Ends all processes of the group. One signal may not be enough: a process that blocks or ignores it may start
    /// another process, which then never gets it, and a stopped process does not react to it. Therefore SIGTERM is
    /// repeated until no process is left, and those that remain after all attempts are killed. If the first signal is
    /// another one, the processes get the same time again to end before the first SIGTERM.
    fn end(&mut self) {
        let grace = if self.first == libc::SIGTERM { 0 } else { ATTEMPTS };
        for attempt in 0..grace + ATTEMPTS {
            let signal = match attempt {
                0 => self.first,
                attempt if attempt < grace => NO_SIGNAL,
                _ => libc::SIGTERM,
            };
            let left = system::signal_group(self.number(), signal);
            system::signal_group(self.number(), libc::SIGCONT);
            let gone = !matches!(self.status(), Ok(None));
            if gone && !left {
                return;
            }
            sleep(if attempt == 0 { PATIENCE / 10 } else { PATIENCE });
        }
        system::signal_group(self.number(), libc::SIGKILL);
        let _ = self.child.wait();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.end();
        }
    }
}
