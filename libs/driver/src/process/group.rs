//! A child and all that it starts.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use libc::c_int;

use super::status::Status;
use super::system;

/// How often a group is told to end before it is killed.
const ATTEMPTS: u32 = 50;

/// Asks whether there is a process.
const NO_SIGNAL: c_int = 0;

/// The time between two attempts.
const PATIENCE: Duration = Duration::from_millis(20);

/// A child, the leader of a process group of its own. When it is dropped before it has ended, all processes of the
/// group are ended.
#[derive(Debug)]
pub struct Group {
    child: Child,
    ended: Option<Status>,
    /// The signal that the processes get first.
    first: c_int,
}

impl Group {
    /// Starts a command.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        Ok(Self { child, ended: None, first: libc::SIGTERM })
    }

    /// The number of the group.
    pub fn number(&self) -> u32 {
        self.child.id()
    }

    /// How the child ended, if it has.
    pub fn status(&mut self) -> io::Result<Option<Status>> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait()?.map(Status::from);
        }
        Ok(self.ended)
    }

    /// If the group has to be ended, this signal is the first that it gets.
    pub fn end_by(&mut self, signal: c_int) {
        self.first = signal;
    }

    /// A process that starts another one while it blocks or ignores the signal does not hand it on, and one that is
    /// stopped does not get it. So the group is told until none is left, and what does not listen is killed. What gets
    /// another signal first has as much time for that.
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
