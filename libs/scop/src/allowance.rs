//! The processor time that a tool may use: some seconds for each region, and never more than that for a single
//! one.
//!
//! There are two limits. The first is in isl, which fails after a number of operations or a time ([`spend`]).
//! It ends nearly everything, and the tool can report what was too expensive. But isl checks its limits only
//! between operations, and not all work is done by isl: texts are parsed, and documents are verified and
//! printed. Therefore the main program of every tool asks the [`clock`] from time to time. When the time is
//! over, it prints the message of [`Clock::Over`] and ends the process.
//!
//! The time counted is the processor time of the process and of the child processes that it waited for. It does
//! not grow on a loaded machine. Time limits only refuse; choices depend on operations ([`polyhedra::within`]).

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use polyhedra::{Limit, limit_work, processor_time};

use crate::Diagnostic;

/// The seconds that isl may use for one region.
const SECONDS: u64 = 9;

/// The time beyond [`SECONDS`] after which the process is ended.
const GRACE: Duration = Duration::from_millis(700);

/// The number of isl operations that a tool may use for one region. The largest kernel of PolyBench takes less
/// than a tenth of it.
pub const OPERATIONS: u64 = 200_000_000;

static STATE: Mutex<State> = Mutex::new(State { since: None, regions: 1, work: None });

struct State {
    /// The processor time at which the tool began; absent while the clock is stopped: before, and once there is
    /// a result.
    since: Option<Duration>,
    /// The number of regions.
    regions: u32,
    /// The work in progress.
    work: Option<Work>,
}

impl State {
    /// Returns the time left for all regions; nothing if the clock is stopped.
    fn left(&self, now: Duration) -> Option<Duration> {
        let used = now.saturating_sub(self.since?);
        Some((Duration::from_secs(SECONDS) * self.regions).saturating_sub(used))
    }
}

/// The work on one region.
struct Work {
    /// The time at which the process is ended.
    end: Duration,
    /// The message that is printed in this case.
    refusal: Diagnostic,
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Announces the number of regions to work on. Each adds to the time that is available.
pub fn expect_regions(count: usize) {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let mut state = state();
    state.regions = state.regions.max(count);
}

/// Starts the clock.
pub fn begin() {
    state().since = Some(processor_time());
}

/// Stops the clock, so that results are always written completely.
pub fn end() {
    state().since = None;
}

/// Runs the work of a tool on one region. isl fails after a number of operations, or when the time that is left
/// is over. Work that goes on after that is ended together with the process, with the message `refusal`.
pub fn spend<T>(operations: u64, refusal: Diagnostic, work: impl FnOnce() -> T) -> T {
    let now = processor_time();
    let seconds = state().left(now).map_or(SECONDS, |left| SECONDS.min(left.as_secs()));
    let end = now + Duration::from_secs(seconds) + GRACE;
    let around = state().work.replace(Work { end, refusal });
    let result = limit_work(Limit { operations, seconds }, work);
    state().work = around;
    result
}

/// The state of the clock.
#[derive(Debug)]
pub enum Clock {
    /// At least this much time is left.
    Left(Duration),
    /// The time is over. If some work was in progress, this is its message.
    Over(Option<Box<Diagnostic>>),
}

/// Returns the state of the clock.
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
