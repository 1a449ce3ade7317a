//! The number of big integers that a process creates, as the measure of its work.
//!
//! GMP requests memory from the functions here. They call the allocator, and end the process if there are too many
//! requests.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::bindings::Functions;

/// The exit code of a process that would create more numbers than allowed.
pub const TOO_MANY: i32 = 77;

static LEFT: AtomicU64 = AtomicU64::new(0);
static ALLOWED: AtomicU64 = AtomicU64::new(0);

/// From now on, ends this process when it would create more than this many numbers.
///
/// # Safety
///
/// No other thread computes with GMP, and GMP holds no memory from other memory functions than its default ones and
/// these.
pub unsafe fn bound(functions: &Functions, numbers: u64) {
    ALLOWED.store(numbers, Ordering::Relaxed);
    LEFT.store(numbers, Ordering::Relaxed);
    // SAFETY: by default GMP uses the same allocator, so either side can free memory that the other has allocated.
    unsafe { functions.__gmp_set_memory_functions(Some(allocate), Some(reallocate), Some(release)) }
}

/// Returns how many numbers this process has created.
pub fn used() -> u64 {
    ALLOWED.load(Ordering::Relaxed) - LEFT.load(Ordering::Relaxed)
}

fn note() {
    let left = LEFT.load(Ordering::Relaxed);
    if left == 0 {
        // SAFETY: exits without running the handlers and flushing the buffers that belong to the original process.
        unsafe { libc::_exit(TOO_MANY) }
    }
    LEFT.store(left - 1, Ordering::Relaxed);
}

/// Aborts if there is no memory: GMP does not check this.
fn there(memory: *mut c_void) -> *mut c_void {
    if memory.is_null() {
        // SAFETY: ends this process alone.
        unsafe { libc::abort() }
    }
    memory
}

unsafe extern "C" fn allocate(size: usize) -> *mut c_void {
    note();
    // SAFETY: any size may be requested.
    there(unsafe { libc::malloc(size) })
}

unsafe extern "C" fn reallocate(memory: *mut c_void, _: usize, size: usize) -> *mut c_void {
    note();
    // SAFETY: GMP got the memory from the allocator.
    there(unsafe { libc::realloc(memory, size) })
}

unsafe extern "C" fn release(memory: *mut c_void, _: usize) {
    // SAFETY: GMP got the memory from the allocator, and returns it once.
    unsafe { libc::free(memory) }
}
