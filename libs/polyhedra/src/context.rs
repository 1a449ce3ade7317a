//! The isl context of a thread.

use std::cell::{Cell, OnceCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use isl_rs::Context;
use libc::{c_int, c_ulong, uintptr_t};

use crate::{Result, affine_hull, node_texts, rows, vertex};

unsafe extern "C" {
    fn isl_options_set_on_error(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_ctx_set_max_operations(ctx: uintptr_t, bound: c_ulong);
}

/// `ISL_ON_ERROR_CONTINUE`: a failing call returns null and records why; nothing is printed.
const ON_ERROR_CONTINUE: c_int = 1;

thread_local! {
    static CONTEXT: OnceCell<&'static Context> = const { OnceCell::new() };
    /// Held while the thread's bound on operations must not change.
    static BOUND: Arc<Mutex<()>> = Arc::default();
    /// The bound on operations of the innermost limit.
    static AROUND: Cell<u64> = const { Cell::new(NO_BOUND) };
    /// Whether the time of an enclosing limit is over.
    static TIME_OVER: Arc<AtomicBool> = Arc::default();
}

/// Returns the context in which all isl objects of this thread live.
///
/// It is never freed: isl requires that a context outlives its objects, and a tool runs once.
pub fn context() -> &'static Context {
    CONTEXT.with(|cell| *cell.get_or_init(|| Box::leak(Box::new(new_context()))))
}

fn new_context() -> Context {
    node_texts::are_there();
    affine_hull::is_there();
    rows::are_there();
    vertex::is_there();
    let context = Context::alloc();
    // SAFETY: the pointer is the live context that isl just gave us.
    unsafe { isl_options_set_on_error(context.ptr, ON_ERROR_CONTINUE) };
    context
}

/// The maximum amount of work of a computation.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Elementary operations of isl. This limit ends most computations at the same step on every machine.
    pub operations: u64,
    /// Processor time in seconds: an operation on a large matrix of large numbers can take a thousand times as long
    /// as others.
    pub seconds: u64,
}

/// Runs `work`, in which isl fails beyond a limit, with an error for which [`crate::Error::is_limit`] holds. Limits
/// nest.
///
/// Work beyond the limit can only be refused; for work that has an alternative, use [`within`].
pub fn limit_work<T>(limit: Limit, work: impl FnOnce() -> T) -> T {
    bound_operations(limit.operations, || give_up_after(Duration::from_secs(limit.seconds), work))
}

/// Returns the result of `work`, or nothing if it takes more than this number of isl operations. A caller that has
/// an alternative then chooses it on every machine.
///
/// # Errors
/// Returns any other error of `work`, including the end of the time of an enclosing limit.
pub fn within<T>(operations: u64, work: impl FnOnce() -> Result<T>) -> Result<Option<T>> {
    match bound_operations(operations, work) {
        Err(error) if error.is_out_of_operations() => Ok(None),
        result => result.map(Some),
    }
}

fn bound_operations<T>(operations: u64, work: impl FnOnce() -> T) -> T {
    let context = context();
    let around = AROUND.replace(operations);
    context.reset_operations();
    context.set_max_operations(operations);
    let result = work();
    AROUND.set(around);
    // isl-rs does not reset the error of a failed query, and the next success would be taken for a failure.
    context.reset_error();
    context.reset_operations();
    context.set_max_operations(around);
    result
}

/// True if the time of an enclosing limit is over.
pub(crate) fn is_time_over() -> bool {
    TIME_OVER.with(|over| over.load(Ordering::SeqCst))
}

/// Runs `work` without a limit on isl's operations.
pub(crate) fn without_limit<T>(work: impl FnOnce() -> T) -> T {
    let bound = BOUND.with(Arc::clone);
    let _held = bound.lock().unwrap_or_else(PoisonError::into_inner);
    let limit = context().get_max_operations();
    context().set_max_operations(NO_BOUND);
    let result = work();
    context().set_max_operations(limit);
    result
}

/// isl's value for no bound.
const NO_BOUND: u64 = 0;

/// How often the bound is set again once the time is over: a limit inside the computation may have reset it.
const REMINDER: Duration = Duration::from_millis(20);

/// Runs `work`, in which isl fails after this much processor time: the bound on operations is then set to 1.
fn give_up_after<T>(patience: Duration, work: impl FnOnce() -> T) -> T {
    let (pointer, clock, bound) = (context().ptr, ThreadClock::new(), BOUND.with(Arc::clone));
    let over = TIME_OVER.with(Arc::clone);
    let was_over = over.load(Ordering::SeqCst);
    let told = Arc::clone(&over);
    let (end, ended) = mpsc::channel::<()>();
    let watch = move || {
        let deadline = clock.elapsed() + patience;
        loop {
            let mut left = deadline.saturating_sub(clock.elapsed());
            if left.is_zero() {
                told.store(true, Ordering::SeqCst);
                let _held = bound.lock().unwrap_or_else(PoisonError::into_inner);
                // SAFETY: the context lives as long as the program; this sets one aligned word, which the other
                // thread reads before each operation. (`isl_ctx_abort` does the same with a flag, but leaves no
                // message, and isl-rs fails without one.)
                unsafe { isl_ctx_set_max_operations(pointer, 1) };
                left = REMINDER;
            }
            if ended.recv_timeout(left) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
    };
    let result = thread::scope(|scope| {
        // The sender is dropped when `work` ends, however it ends.
        let _end = end;
        // If no thread can be started, the bound on operations remains.
        let _watcher = thread::Builder::new().spawn_scoped(scope, watch);
        work()
    });
    over.store(was_over, Ordering::SeqCst);
    result
}

/// Returns the processor time of this process and of the processes that it started and waited for.
pub fn processor_time() -> Duration {
    // SAFETY: a record of numbers, which may all be zero; the memory for the result is ours. If the call fails, they
    // stay zero.
    let others = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let duration = |time: libc::timeval| {
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_usec.unsigned_abs() as u32 * 1000)
    };
    let own = ThreadClock(libc::CLOCK_PROCESS_CPUTIME_ID).elapsed();
    own + duration(others.ru_utime) + duration(others.ru_stime)
}

/// The processor time of the thread that created it. Other threads may read it while that thread lives.
struct ThreadClock(libc::clockid_t);

impl ThreadClock {
    fn new() -> Self {
        let mut clock = libc::CLOCK_PROCESS_CPUTIME_ID;
        // SAFETY: the thread is this one, and the memory for the result is ours. If the call fails, the time of all
        // threads serves.
        unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        Self(clock)
    }

    fn elapsed(&self) -> Duration {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the memory for the result is ours.
        unsafe { libc::clock_gettime(self.0, &mut time) };
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Set, Text};

    fn work(set: &Set) -> crate::Result<Set> {
        Ok(set.copy()?.complement()?.coalesce()?)
    }

    #[test]
    fn isl_fails_when_the_time_is_over_and_works_again_afterwards() {
        let set = Set::parse("{ [i, j] : 0 <= i < 10 and i <= j <= 2i }").expect("is a set");
        let tried = give_up_after(Duration::ZERO, || {
            let started = std::time::Instant::now();
            while started.elapsed() < Duration::from_secs(10) {
                work(&set)?;
            }
            Ok(())
        });
        context().set_max_operations(0);
        assert!(tried.is_err_and(|error: crate::Error| error.is_limit()));
        assert!(work(&set).is_ok());
    }

    #[test]
    fn texts_are_read_when_the_time_is_over() {
        let parts: Vec<String> = (2..400)
            .map(|k| format!("[i] : exists (e : {k}i = 7e + {k} and 0 <= e < n + {k} and {k}e != i)"))
            .collect();
        // Reading it takes longer than the time between two reminders.
        let text = format!("[n] -> {{ {} }}", parts.join("; "));
        let read = give_up_after(Duration::ZERO, || {
            let soon = std::time::Instant::now() + 2 * REMINDER;
            while std::time::Instant::now() < soon {}
            Set::parse(&text).map(drop)
        });
        context().set_max_operations(0);
        assert!(read.is_ok(), "{read:?}");
    }

    #[test]
    fn time_is_no_reason_for_another_way() {
        let set = Set::parse("{ [i, j] : 0 <= i < 10 and i <= j <= 2i }").expect("is a set");
        assert!(within(10, || work(&set)).is_ok_and(|found| found.is_none()));
        assert!(within(1_000_000, || work(&set)).is_ok_and(|found| found.is_some()));
        let tried = limit_work(Limit { operations: 0, seconds: 0 }, || {
            let started = std::time::Instant::now();
            while started.elapsed() < Duration::from_secs(10) {
                if within(1_000_000, || work(&set))?.is_none() {
                    return Ok("another way");
                }
            }
            Ok("no end")
        });
        let error: crate::Error = tried.expect_err("the time is over");
        assert!(error.is_limit() && !error.is_out_of_operations(), "{error}");
        assert!(within(10, || work(&set)).is_ok_and(|found| found.is_none()));
    }

    #[test]
    fn isl_fails_when_it_has_done_too_much() {
        let set = Set::parse("{ [i, j] : 0 <= i < 10 and i <= j <= 2i }").expect("is a set");
        let tried = limit_work(Limit { operations: 10, seconds: 10 }, || work(&set));
        assert!(tried.is_err_and(|error| error.is_out_of_operations()));
        assert!(work(&set).is_ok());
    }
}
