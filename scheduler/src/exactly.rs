//! Works around a fault of isl's scheduler (0.27), which does not notice that some dependences are empty.
//!
//! Once a band carries dependences, isl's scheduler intersects the relation of each edge of its graph with the
//! instances that the band does not order (`update_edge`), and drops the edges whose relation is empty. It only
//! checks `isl_map_plain_is_empty`, so an edge may remain that is in fact empty and is found to be so later, in
//! place. From then on, one part of the scheduler ignores the edge (`graph_has_edge`, which finds the strongly
//! connected components) and another does not (`add_scc_edge`, which orders them); the latter reads memory that it
//! never wrote.
//!
//! The linker's option `--wrap=isl_map_intersect`, which `build.rs` passes, redirects the calls to this file. The
//! file is not in polyhedra because `__real_isl_map_intersect` exists only if that option is given: the other tools
//! would not link.

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

/// Runs `work`. Meanwhile, an empty intersection of maps is a map without parts.
pub fn exactly<T>(work: impl FnOnce() -> T) -> T {
    // The linker searches for the function only after isl, which is too late unless this file is already linked.
    black_box(__wrap_isl_map_intersect as extern "C" fn(usize, usize) -> usize);
    let around = EXACT.replace(true);
    let result = work();
    EXACT.set(around);
    result
}

/// Replaces `isl_map_intersect` in isl's calls.
#[unsafe(no_mangle)]
extern "C" fn __wrap_isl_map_intersect(map: usize, other: usize) -> usize {
    // SAFETY: as in isl, the caller gives up both maps and owns the result. A null pointer means an error in all of
    // these functions.
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
