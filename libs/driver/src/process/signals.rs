//! The signals that end the driver, as events.

use std::fs::File;
use std::os::fd::{AsRawFd, RawFd};
use std::process::Command;
use std::time::Duration;

use libc::c_int;

use super::system::{self, Blocked, For, Ways};
use crate::stop::{Or, Stop};

/// The signals with which users, shells and systems end programs.
const ENDING: [c_int; 4] = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];

/// The signals that the driver receives as events.
pub struct Signals {
    blocked: Blocked,
    file: File,
}

/// An event that the driver waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A signal that ends the driver.
    End(c_int),
    /// A child ended or changed its state.
    Child,
    /// A child was stopped because it tried to use the terminal.
    WantsTerminal(u32),
    /// A file is ready.
    Ready,
    /// Nothing happened before the timeout.
    Nothing,
}

impl Signals {
    /// Blocks the signals from now on; they wait until they are asked for. Signals that are ignored remain ignored.
    pub fn block() -> Or<Self> {
        let ending = ENDING.into_iter().filter(|&signal| !system::is_ignored(signal));
        let signals: Vec<c_int> = ending.chain([libc::SIGCHLD]).collect();
        let failed = |error| Stop::failed(format!("signals cannot be received: {error}"));
        let blocked = system::block(&signals).map_err(failed)?;
        Ok(Self { blocked, file: system::signal_file(&blocked).map_err(failed)? })
    }

    /// Ends the run if a signal to end it has arrived.
    pub fn obey(&self) -> Or<()> {
        loop {
            match self.next() {
                Some(Event::End(signal)) => return Err(ended_by(signal)),
                Some(_) => {}
                None => return Ok(()),
            }
        }
    }

    fn next(&self) -> Option<Event> {
        let info = system::next_signal(&self.file).ok().flatten()?;
        let signal = info.ssi_signo.cast_signed();
        Some(match (signal, info.ssi_code, info.ssi_status) {
            (libc::SIGCHLD, libc::CLD_STOPPED, libc::SIGTTIN | libc::SIGTTOU) => {
                Event::WantsTerminal(info.ssi_pid)
            }
            (libc::SIGCHLD, ..) => Event::Child,
            _ => Event::End(signal),
        })
    }

    /// Waits until something happens, at most for the timeout.
    pub fn wait(&self, file: Option<(RawFd, For)>, timeout: Option<Duration>) -> Event {
        if let Some(event) = self.next() {
            return event;
        }
        let files: Vec<_> = [(self.file.as_raw_fd(), For::Reading)].into_iter().chain(file).collect();
        match system::poll(&files, timeout) {
            Ok(ready) if ready[0] => self.next().unwrap_or(Event::Nothing),
            Ok(ready) if ready.get(1) == Some(&true) => Event::Ready,
            Ok(_) => Event::Nothing,
            // The caller then uses the file, and gets the error from that.
            Err(_) => Event::Ready,
        }
    }

    /// Waits until a file is ready.
    pub fn await_file(&self, file: RawFd, wanted: For) -> Or<()> {
        loop {
            match self.wait(Some((file, wanted)), None) {
                Event::End(signal) => return Err(ended_by(signal)),
                Event::Ready => return Ok(()),
                _ => {}
            }
        }
    }

    /// Waits for a while.
    pub fn pause(&self, time: Duration) -> Or<()> {
        match self.wait(None, Some(time)) {
            Event::End(signal) => Err(ended_by(signal)),
            _ => Ok(()),
        }
    }

    /// Makes a command start with the signal mask that the driver was started with.
    pub fn prepare(&self, command: &mut Command, ways: Ways) {
        system::prepare(command, &self.blocked, ways);
    }
}

/// Returns a stop with the status that a shell reports for a command that the signal killed.
pub fn ended_by(signal: c_int) -> Stop {
    Stop::silent(u8::try_from(128 + signal).unwrap_or(u8::MAX))
}
