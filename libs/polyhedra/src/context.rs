//! The isl context of a thread.

use std::cell::OnceCell;

use isl_rs::Context;
use libc::{c_int, uintptr_t};

unsafe extern "C" {
    fn isl_options_set_on_error(ctx: uintptr_t, value: c_int) -> c_int;
}

/// `ISL_ON_ERROR_CONTINUE`: a failing call returns null and records why; nothing is printed.
const ON_ERROR_CONTINUE: c_int = 1;

thread_local! {
    static CONTEXT: OnceCell<&'static Context> = const { OnceCell::new() };
}

/// The context in which all isl objects of this thread live.
///
/// It is never freed: isl requires that a context outlives its objects, and a tool runs once.
pub fn context() -> &'static Context {
    CONTEXT.with(|cell| *cell.get_or_init(|| Box::leak(Box::new(new_context()))))
}

fn new_context() -> Context {
    let context = Context::alloc();
    // SAFETY: the pointer is the live context that isl just gave us.
    unsafe { isl_options_set_on_error(context.ptr, ON_ERROR_CONTINUE) };
    context
}

/// Runs `work` with a bound on the number of isl's elementary operations; 0 means no bound.
/// A computation that passes the bound fails with an error for which [`crate::Error::is_limit`] holds.
pub fn limit_operations<T>(bound: u64, work: impl FnOnce() -> T) -> T {
    let context = context();
    context.reset_operations();
    context.set_max_operations(bound);
    let result = work();
    context.set_max_operations(0);
    result
}
