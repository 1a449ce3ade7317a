//! Conditions that cannot be simplified and need not be: a way around a fault of isl's coalescing (0.27).
//!
//! Before isl looks for sets that are one (`isl_map_coalesce`), it divides the coefficients of their conditions by
//! common factors (`isl_basic_map_reduce_coefficients`). That may make an equality of two inequalities, and the
//! equality a quotient superfluous; where it is dropped in the middle of the work, isl fails ("total dimensionality
//! changed unexpectedly"), and with it the generation of loops. The reduction only helps to find more sets that are
//! one, so a set for which it fails stays as it was.
//!
//! The linker's option `--wrap=isl_basic_map_reduce_coefficients`, which `build.rs` gives, leads the calls here. It
//! stands here and not in polyhedra because the function that `__real_…` names exists only where that option is given:
//! the other tools would not link.

use std::hint::black_box;

unsafe extern "C" {
    fn __real_isl_basic_map_reduce_coefficients(map: usize) -> usize;
    fn isl_basic_map_copy(map: usize) -> usize;
    fn isl_basic_map_free(map: usize) -> usize;
}

/// Makes the linker take what stands here.
pub fn install() {
    // The linker looks for the function only after isl, which is too late unless this file is there already.
    black_box(__wrap_isl_basic_map_reduce_coefficients as extern "C" fn(usize) -> usize);
}

/// What isl calls in the place of `isl_basic_map_reduce_coefficients`.
#[unsafe(no_mangle)]
extern "C" fn __wrap_isl_basic_map_reduce_coefficients(map: usize) -> usize {
    // SAFETY: the map is given away by the caller, as isl has it, and what this returns is the caller's. A null stands
    // for an error in all of these.
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
