//! Works around a fault of isl's coalescing (0.27) in conditions that cannot be simplified.
//!
//! Before isl merges sets (`isl_map_coalesce`), it divides the coefficients of their conditions by common factors
//! (`isl_basic_map_reduce_coefficients`). That may turn two inequalities into an equality, which may make a quotient
//! superfluous. If the quotient is dropped in the middle of the work, isl fails ("total dimensionality changed
//! unexpectedly"), and the generation of loops with it. The reduction only helps to merge more sets, so a set for
//! which it fails is left unchanged.
//!
//! The linker's option `--wrap=isl_basic_map_reduce_coefficients`, which `build.rs` passes, redirects the calls to
//! this file. The file is not in polyhedra because the function named `__real_…` exists only if that option is given:
//! the other tools would not link.

use std::hint::black_box;

unsafe extern "C" {
    fn __real_isl_basic_map_reduce_coefficients(map: usize) -> usize;
    fn isl_basic_map_copy(map: usize) -> usize;
    fn isl_basic_map_free(map: usize) -> usize;
}

/// Makes the linker use the wrapper in this file.
pub fn install() {
    // The linker searches for the function only after isl, which is too late unless this file is already linked.
    black_box(__wrap_isl_basic_map_reduce_coefficients as extern "C" fn(usize) -> usize);
}

/// Replaces `isl_basic_map_reduce_coefficients` in isl's calls.
#[unsafe(no_mangle)]
extern "C" fn __wrap_isl_basic_map_reduce_coefficients(map: usize) -> usize {
    // SAFETY: as in isl, the caller gives up the map and owns the result. A null pointer means an error in all of
    // these functions.
    unsafe {
        let before = isl_basic_map_copy(map);
        let reduced = __real_isl_basic_map_reduce_coefficients(map);
        if reduced == 0 && before != 0 && polyhedra::forget_error("total dimensionality changed unexpectedly")
        {
            return before;
        }
        isl_basic_map_free(before);
        reduced
    }
}
