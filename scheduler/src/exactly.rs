//! Dependences that are empty and not seen to be: a way around a fault of isl's scheduler (0.27).
//!
//! Once a band carries dependences, isl's scheduler intersects what each edge of its graph stands for with the
//! instances that the band does not order (`update_edge`), and drops the edges without any. It looks no further than
//! `isl_map_plain_is_empty` does, so an edge may remain that is empty in fact, and is found to be so later, in place.
//! From then on one part of the scheduler does not see the edge (`graph_has_edge`, which finds the strongly connected
//! components) and another does (`add_scc_edge`, which orders them); the latter reads memory that it never wrote.
//!
//! The linker's option `--wrap=isl_map_intersect`, which `build.rs` gives, leads the calls here. It stands here and
//! not in polyhedra because `__real_isl_map_intersect` exists only where that option is given: the other tools would
//! not link.

use std::cell::Cell;
use std::ffi::c_int;
use std::hint::black_box;

unsafe extern "C" {
    fn __real_isl_map_intersect(map: usize, other: usize) -> usize;
    fn isl_map_is_empty(map: usize) -> c_int;
    fn isl_map_get_space(map: usize) -> usize;
    fn isl_map_empty(space: usize) -> usize;
    fn isl_map_free(map: usize) -> usize;
}

thread_local! {
    static EXACT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`, in which intersections of maps have no parts if they are empty.
pub fn exactly<T>(work: impl FnOnce() -> T) -> T {
    // The linker looks for the function only after isl, which is too late unless this file is there already.
    black_box(__wrap_isl_map_intersect as extern "C" fn(usize, usize) -> usize);
    let around = EXACT.replace(true);
    let result = work();
    EXACT.set(around);
    result
}

/// What isl calls in the place of `isl_map_intersect`.
#[unsafe(no_mangle)]
extern "C" fn __wrap_isl_map_intersect(map: usize, other: usize) -> usize {
    // SAFETY: both maps are given away by the caller, as isl has it, and what this returns is the caller's. A null
    // stands for an error in all of these.
    unsafe {
        let both = __real_isl_map_intersect(map, other);
        if !EXACT.get() || both == 0 || isl_map_is_empty(both) != 1 {
            return both;
        }
        let none = isl_map_empty(isl_map_get_space(both));
        isl_map_free(both);
        none
    }
}
