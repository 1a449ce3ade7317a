//! How many numbers of any size a process makes: the measure of its work.
//!
//! GMP asks functions of ours for memory. They ask the allocator in turn, and end the process where there are too many.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::bindings::Functions;

/// The exit code of a process that would make more numbers than it may.
pub const TOO_MANY: i32 = 77;

static LEFT: AtomicU64 = AtomicU64::new(0);
static ALLOWED: AtomicU64 = AtomicU64::new(0);

/// From now on this process ends when it has made so many numbers.
///
/// # Safety
///
/// No other thread computes with GMP, and memory that GMP has was not given by functions of ours with other ways.
pub unsafe fn bound(functions: &Functions, numbers: u64) {
    ALLOWED.store(numbers, Ordering::Relaxed);
    LEFT.store(numbers, Ordering::Relaxed);
    // SAFETY: by default GMP uses the same allocator, so that each side can free what it has from the other.
    unsafe { functions.__gmp_set_memory_functions(Some(allocate), Some(reallocate), Some(release)) }
}

/// How many it has made.
pub fn used() -> u64 {
    ALLOWED.load(Ordering::Relaxed) - LEFT.load(Ordering::Relaxed)
}

fn note() {
    let left = LEFT.load(Ordering::Relaxed);
    if left == 0 {
        // SAFETY: leaves without the handlers and buffers that belong to the original process.
        unsafe { libc::_exit(TOO_MANY) }
    }
    LEFT.store(left - 1, Ordering::Relaxed);
}

/// GMP does not look whether there is memory.
fn there(memory: *mut c_void) -> *mut c_void {
    if memory.is_null() {
        // SAFETY: ends this process alone.
        unsafe { libc::abort() }
    }
    memory
}

unsafe extern "C" fn allocate(size: usize) -> *mut c_void {
    note();
    // SAFETY: any size may be asked for.
    there(unsafe { libc::malloc(size) })
}

unsafe extern "C" fn reallocate(memory: *mut c_void, _: usize, size: usize) -> *mut c_void {
    note();
    // SAFETY: GMP has the memory from the allocator.
    there(unsafe { libc::realloc(memory, size) })
}

unsafe extern "C" fn release(memory: *mut c_void, _: usize) {
    // SAFETY: GMP has the memory from the allocator, and gives it back once.
    unsafe { libc::free(memory) }
}
