//! Starts other programs, and waits for them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::group::Group;
use super::progress::Progress;
use super::signals::{Event, Signals, ended_by};
use super::status::Status;
use super::system::{self, Ways};
use crate::stop::{Or, Stop, reason};
use crate::talk::Talk;
use crate::words;

/// Starts programs in a common environment, and reports on them.
pub struct Processes {
    /// The signals of the driver.
    pub signals: Signals,
    /// The form and the amount of messages.
    pub talk: Talk,
    environment: BTreeMap<OsString, OsString>,
}

/// The kind of a child process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind<'a> {
    /// Whose program it runs.
    pub whose: Whose,
    /// The name that is shown if the process takes long.
    pub what: Option<&'a str>,
}

/// The origin of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// A tool or a compiler; it is ended with SIGTERM.
    Tool,
    /// A helper of the driver, which is not shown to the user.
    Helper,
    /// A command of the user; it gets the signals that the driver gets, and the size of its files is limited.
    UserCommand,
}

/// The largest file that a user's command may write, in bytes. No document is larger; a command that writes endlessly
/// is ended.
const LARGEST_FILE: u64 = 1 << 30;

/// The variable that names the checkout. Only the driver gets it; child processes do not inherit it.
pub const ROOT: &str = "C2CUDA_ROOT";

impl Processes {
    /// Starts with an unchanged environment.
    pub fn new(signals: Signals, talk: Talk) -> Self {
        Self { signals, talk, environment: BTreeMap::new() }
    }

    /// Sets a variable for all programs that are started from now on.
    pub fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.environment.insert(name.into(), value.into());
    }

    /// Returns a command in this environment.
    pub fn command<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Command {
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().as_ref().map_or(OsStr::new(""), |word| word.as_ref()));
        command.args(words).envs(&self.environment).env_remove(ROOT);
        command
    }

    /// Runs a command to its end. A signal to the driver ends it early.
    pub fn run(&self, command: Command, kind: Kind<'_>) -> Or<Status> {
        self.signals.obey()?;
        match self.start(command, kind.whose)? {
            Ok(group) => self.wait(group, kind),
            Err(status) => Ok(status),
        }
    }

    /// Starts a command. If that fails, reports it and returns the status that a shell would return.
    pub fn start(&self, mut command: Command, whose: Whose) -> Or<Result<Group, Status>> {
        if whose != Whose::Helper {
            self.show(&command);
        }
        let ways = match whose {
            Whose::Tool | Whose::Helper => Ways { orphaned: Some(libc::SIGKILL), file_size: None },
            Whose::UserCommand => Ways { orphaned: Some(libc::SIGTERM), file_size: Some(LARGEST_FILE) },
        };
        self.signals.prepare(&mut command, ways);
        match Group::start(&mut command) {
            Ok(group) => Ok(Ok(group)),
            Err(error) => {
                let program = Path::new(command.get_program()).display();
                self.talk.say(format!("'{program}' cannot be started: {}", reason(&error)));
                let missing = error.kind() == ErrorKind::NotFound;
                Ok(Err(if missing { Status::NOT_FOUND } else { Status::NOT_RUN }))
            }
        }
    }

    /// Waits for the end of a command.
    pub fn wait(&self, mut group: Group, kind: Kind<'_>) -> Or<Status> {
        let mut progress = Progress::of(kind.what.filter(|_| self.talk.tells_progress()));
        let mut has_terminal = false;
        let status = loop {
            if let Some(status) = group.status().map_err(lost)? {
                break status;
            }
            match self.signals.wait(None, progress.next()) {
                Event::End(signal) => {
                    if kind.whose == Whose::UserCommand {
                        group.end_by(signal);
                    }
                    return Err(ended_by(signal));
                }
                Event::WantsTerminal(child) if child == group.number() => {
                    if system::hand_terminal(child, child).is_ok() {
                        has_terminal = true;
                        system::signal_group(child, libc::SIGCONT);
                    }
                }
                _ => progress.tell(),
            }
        };
        if has_terminal {
            let _ = system::hand_terminal(0, group.number());
        }
        match status.signal() {
            // An interrupt from the terminal reached only the command, but was meant for the driver as well.
            Some(libc::SIGINT) if has_terminal => Err(ended_by(libc::SIGINT)),
            _ => Ok(status),
        }
    }

    /// Returns the output of a command, or `None` if it fails. Its messages are dropped.
    pub fn output(&self, mut command: Command, scratch: &Path) -> Or<Option<String>> {
        let Ok(file) = fs::File::create(scratch) else { return Ok(None) };
        command.stdout(file).stderr(Stdio::null());
        let status = self.run(command, Kind { whose: Whose::Helper, what: None })?;
        let text = fs::read(scratch).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(text.ok().filter(|_| status.is_success()))
    }

    /// Replaces the driver by a command. Returns only if that fails.
    pub fn become_command(&self, mut command: Command) -> Stop {
        self.signals.prepare(&mut command, Ways::default());
        let error = command.exec();
        let program = Path::new(command.get_program()).display();
        Stop::failed(format!("'{program}' cannot be started: {}", reason(&error)))
    }

    fn show(&self, command: &Command) {
        if self.talk.verbose {
            self.talk.show(&words::shown([command.get_program()].into_iter().chain(command.get_args())));
        }
    }
}

fn lost(error: io::Error) -> Stop {
    Stop::failed(format!("a process cannot be waited for: {}", reason(&error)))
}
