//! Work in a separate process, where it can do no harm and is ended if it takes too long.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{FromRawFd, RawFd};
use std::time::Duration;

use crate::numbers::TOO_MANY;

/// The outcome of work in a separate process.
pub struct Outcome {
    /// How the work ended.
    pub end: End,
    /// The numbers that it created ([`crate::numbers`]), if it reported them.
    pub numbers: Option<u64>,
    /// The processor time that it used.
    pub time: Duration,
}

/// What the separate process sends back.
pub struct Answer {
    /// A text, or the reason why there is none.
    pub answer: Result<String, String>,
    /// The numbers that it created.
    pub numbers: u64,
}

/// How work in a separate process ended.
pub enum End {
    /// With a text, or with the reason why there is none.
    Answered(Result<String, String>),
    /// It would have created too many numbers.
    TooMuch,
    /// It used up its processor time.
    OutOfTime,
    /// Its process ended in another way.
    Crashed,
    /// There was no process for it, or the process was killed from outside.
    NotStarted(io::Error),
}

/// Runs `work` in a copy of this process, which may use this much processor time.
///
/// The copy has only this thread: `work` must not wait for others.
pub fn apart(patience: Duration, work: impl FnOnce() -> Answer) -> Outcome {
    let [reading, writing] = match pipe() {
        Ok(ends) => ends,
        Err(error) => return Outcome::not_started(error),
    };
    // SAFETY: the copy uses only what this thread owns, and the allocator, whose locks nobody holds: other threads only
    // wait.
    match unsafe { libc::fork() } {
        -1 => {
            let error = io::Error::last_os_error();
            // SAFETY: both ends are ours.
            unsafe {
                libc::close(reading);
                libc::close(writing);
            }
            Outcome::not_started(error)
        }
        0 => {
            end_after(patience);
            answer(writing, work());
            // SAFETY: exits without running the handlers and flushing the buffers that belong to the original.
            unsafe { libc::_exit(0) }
        }
        child => {
            // SAFETY: both ends are ours; the copy has its own.
            let mut answer = unsafe {
                libc::close(writing);
                File::from_raw_fd(reading)
            };
            let mut text = Vec::new();
            let read = answer.read_to_end(&mut text);
            match read.and_then(|_| wait_for(child)) {
                Ok((status, time)) => {
                    let (end, numbers) = end(status, &text);
                    Outcome { end, numbers, time }
                }
                Err(error) => Outcome::not_started(error),
            }
        }
    }
}

impl Outcome {
    fn not_started(error: io::Error) -> Self {
        Self { end: End::NotStarted(error), numbers: Some(0), time: Duration::ZERO }
    }
}

fn pipe() -> io::Result<[RawFd; 2]> {
    let mut ends = [0; 2];
    // SAFETY: the memory for both ends is ours.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } == 0 {
        Ok(ends)
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Ends this process when it has used this much processor time.
fn end_after(patience: Duration) {
    let never = libc::timeval { tv_sec: 0, tv_usec: 0 };
    // A time of zero would disable the timer.
    let patience = patience.max(Duration::from_micros(1));
    let value = libc::timeval {
        tv_sec: libc::time_t::try_from(patience.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_usec: patience.subsec_micros().into(),
    };
    let timer = libc::itimerval { it_interval: never, it_value: value };
    // SAFETY: the value is ours. No handler is installed for the signal, which therefore ends the process. A crash
    // is not worth a core file.
    unsafe {
        let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &no_core);
        libc::setitimer(libc::ITIMER_PROF, &timer, std::ptr::null_mut());
    }
}

const DONE: u8 = 0;
const REFUSED: u8 = 1;

fn answer(writing: RawFd, answer: Answer) {
    let (kind, text) = match &answer.answer {
        Ok(text) => (DONE, text),
        Err(message) => (REFUSED, message),
    };
    // SAFETY: the end is this process's own.
    let mut to = unsafe { File::from_raw_fd(writing) };
    // The reader treats an incomplete answer as a crash.
    let _ = to
        .write_all(&[kind])
        .and_then(|()| to.write_all(&answer.numbers.to_le_bytes()))
        .and_then(|()| to.write_all(text.as_bytes()));
}

/// Waits for a child; returns its status, as `wait4` reports it, and the processor time that it used.
fn wait_for(child: libc::pid_t) -> io::Result<(i32, Duration)> {
    let mut status = 0;
    // SAFETY: a record of numbers, which may all be zero.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: the child is ours, and so is the memory for the results.
        if unsafe { libc::wait4(child, &mut status, 0, &mut usage) } == child {
            return Ok((status, duration(usage.ru_utime) + duration(usage.ru_stime)));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_usec.unsigned_abs() as u32 * 1000)
}

/// Returns how the work of a process ended, given the status of the process, and the numbers that it created.
fn end(status: i32, answer: &[u8]) -> (End, Option<u64>) {
    if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGPROF {
        return (End::OutOfTime, None);
    }
    if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL {
        return (End::NotStarted(io::Error::other("its process was killed")), None);
    }
    if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == TOO_MANY {
        return (End::TooMuch, None);
    }
    let parts = answer.split_first().and_then(|(kind, rest)| Some((kind, rest.split_first_chunk()?)));
    match parts {
        Some((kind, (numbers, text))) if status == 0 => {
            let text = String::from_utf8_lossy(text).into_owned();
            let answer = if *kind == DONE { Ok(text) } else { Err(text) };
            (End::Answered(answer), Some(u64::from_le_bytes(*numbers)))
        }
        _ => (End::Crashed, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(10);

    #[test]
    fn answers_come_back() {
        let long = "x".repeat(1 << 20);
        let answers = |answer: Result<String, String>| {
            let outcome = apart(LONG, || Answer { answer, numbers: 300 });
            assert_eq!(outcome.numbers, Some(300));
            outcome.end
        };
        assert!(matches!(answers(Ok(long.clone())), End::Answered(Ok(text)) if text == long));
        assert!(matches!(answers(Err("no".to_owned())), End::Answered(Err(text)) if text == "no"));
    }

    #[test]
    fn time_is_bounded() {
        let busy = || loop {
            std::hint::spin_loop();
        };
        let outcome = apart(Duration::from_millis(20), busy);
        assert!(matches!(outcome.end, End::OutOfTime));
        assert!(outcome.time >= Duration::from_millis(10), "{:?}", outcome.time);
    }

    #[test]
    fn crashes_stay_there() {
        // SAFETY: ends only the copy.
        let crash = || unsafe { libc::abort() };
        assert!(matches!(apart(LONG, crash).end, End::Crashed));
    }
}
