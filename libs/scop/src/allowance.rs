//! The processor time that a tool may use: some seconds for each region, and never more for one.
//!
//! There are two lines. isl fails beyond a limit of operations and of time ([`spend`]), which ends nearly everything,
//! and the tool says what was too much. But isl looks at its limits between operations only, and not all work is isl's:
//! texts are parsed, documents verified and printed. So the shell of every tool asks the [`clock`] now and then, shows
//! what that says, and ends the process.
//!
//! What is counted is the processor time of the process and of those that it waited for, which a loaded machine does
//! not make longer. It only ever refuses: choices depend on operations ([`polyhedra::within`]).

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use polyhedra::{Limit, limit_work, processor_time};

use crate::Diagnostic;

/// What isl may take for one region.
const SECONDS: u64 = 9;

/// What may pass beyond the end of [`SECONDS`] until the process is ended.
const GRACE: Duration = Duration::from_millis(700);

/// What a tool does for one region may take so many operations of isl; the largest kernel of PolyBench takes less than
/// a tenth.
pub const OPERATIONS: u64 = 200_000_000;

static STATE: Mutex<State> = Mutex::new(State { since: None, regions: 1, work: None });

struct State {
    /// When the tool began. Nothing ends a process that is no tool, or has its result.
    since: Option<Duration>,
    /// How many regions there are.
    regions: u32,
    /// What is being done.
    work: Option<Work>,
}

impl State {
    /// What is left of the time for all regions.
    fn left(&self, now: Duration) -> Option<Duration> {
        let used = now.saturating_sub(self.since?);
        Some((Duration::from_secs(SECONDS) * self.regions).saturating_sub(used))
    }
}

/// What is done for one region.
struct Work {
    /// The time by which it must have ended.
    end: Duration,
    /// What is said if it has not.
    refusal: Diagnostic,
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// There are so many regions to work on: each adds to the time that there is.
pub fn expect_regions(count: usize) {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let mut state = state();
    state.regions = state.regions.max(count);
}

/// From now on a tool runs, and its time passes.
pub fn begin() {
    state().since = Some(processor_time());
}

/// From now on there is no end: results that are being written appear complete.
pub fn end() {
    state().since = None;
}

/// Runs what a tool does for one region. isl fails beyond a number of operations and beyond the time that is left; what
/// does not end even so, is ended with the process and `refusal`.
pub fn spend<T>(operations: u64, refusal: Diagnostic, work: impl FnOnce() -> T) -> T {
    let now = processor_time();
    let seconds = state().left(now).map_or(SECONDS, |left| SECONDS.min(left.as_secs()));
    let end = now + Duration::from_secs(seconds) + GRACE;
    let around = state().work.replace(Work { end, refusal });
    let result = limit_work(Limit { operations, seconds }, work);
    state().work = around;
    result
}

/// Whether there is time still.
#[derive(Debug)]
pub enum Clock {
    /// There is, so much at least.
    Left(Duration),
    /// The time is over. There may be a message for what was being done.
    Over(Option<Box<Diagnostic>>),
}

/// Whether there is time still.
pub fn clock() -> Clock {
    let (state, now) = (state(), processor_time());
    let Some(all) = state.left(now.saturating_sub(GRACE)) else { return Clock::Left(Duration::MAX) };
    let rest = state.work.as_ref().map_or(all, |work| all.min(work.end.saturating_sub(now)));
    if rest.is_zero() {
        Clock::Over(state.work.as_ref().map(|work| Box::new(work.refusal.clone())))
    } else {
        Clock::Left(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_region_adds_to_the_time() {
        let second = Duration::from_secs(1);
        let left = |regions, now| State { since: Some(second), regions, work: None }.left(now);
        assert_eq!(left(1, 3 * second), Some(7 * second));
        assert_eq!(left(3, 3 * second), Some(25 * second));
        assert_eq!(left(3, 29 * second), Some(Duration::ZERO));
    }

    #[test]
    fn what_is_done_is_known_while_it_is_done() {
        let refusal = |code: &str| Diagnostic::error(code, "too much");
        let code = || state().work.as_ref().map(|work| work.refusal.code.clone());
        spend(1, refusal("E0001"), || {
            assert_eq!(code().as_deref(), Some("E0001"));
            spend(1, refusal("E0002"), || assert_eq!(code().as_deref(), Some("E0002")));
            assert_eq!(code().as_deref(), Some("E0001"));
        });
    }
}
