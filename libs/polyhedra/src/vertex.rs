//! Finds a point of most sets without isl's search for one.
//!
//! isl decides whether a set is empty by looking for an integer point (`isl_basic_set_sample_vec`). For a set that is
//! not bounded, and parameters never are, it first changes the coordinates so that the unbounded directions are apart.
//! But a vertex of the set is usually integral, and a simplex tableau finds one in a tenth of the time. So this file
//! tries that first.
//!
//! The linker's option `--wrap=isl_basic_set_sample_vec`, which the `build.rs` of the tools passes, redirects the calls
//! to this file. It reaches isl's own function through `isl_basic_set_sample_point`, which is in the same file of isl
//! and therefore not redirected, so that programs without the option link as well.

use std::ffi::{c_int, c_uint};
use std::hint::black_box;

unsafe extern "C" {
    fn isl_basic_set_dim(set: usize, kind: c_uint) -> c_int;
    fn isl_basic_set_contains(set: usize, point: usize) -> c_int;
    fn isl_basic_set_free(set: usize) -> usize;
    fn isl_basic_set_plain_is_empty(set: usize) -> c_int;
    fn isl_basic_set_sample_point(set: usize) -> usize;
    fn isl_point_take_vec(point: usize) -> usize;
    fn isl_point_free(point: usize) -> usize;
    fn isl_tab_from_basic_set(set: usize, track: c_int) -> usize;
    fn isl_tab_sample_is_integer(tableau: usize) -> c_int;
    fn isl_tab_get_sample_value(tableau: usize) -> usize;
    fn isl_tab_free(tableau: usize);
    fn isl_vec_free(vector: usize) -> usize;
}

/// isl's `isl_dim_set`, `isl_dim_all`.
const SET: c_uint = 3;
const ALL: c_uint = 5;

/// Makes sure that this file is linked; see `node_texts.rs`.
pub(crate) fn is_there() {
    black_box(__wrap_isl_basic_set_sample_vec as extern "C" fn(usize) -> usize);
}

/// Called instead of `isl_basic_set_sample_vec`: returns a point of a set, or a vector without elements if the set is
/// empty.
#[unsafe(no_mangle)]
extern "C" fn __wrap_isl_basic_set_sample_vec(set: usize) -> usize {
    // SAFETY: as in isl, the caller gives up the set and owns the result. A null pointer means an error in all of these
    // functions.
    unsafe {
        let vertex = integral_vertex(set);
        if vertex != 0 {
            isl_basic_set_free(set);
            return vertex;
        }
        let point = isl_basic_set_sample_point(set);
        let vector = isl_point_take_vec(point);
        isl_point_free(point);
        vector
    }
}

/// Returns an integral vertex of a set, or null if the first one that is found is not integral.
///
/// # Safety
/// The set must be live.
unsafe fn integral_vertex(set: usize) -> usize {
    // SAFETY: the set is live, and what is created here is freed here or returned.
    unsafe {
        let dimensions = isl_basic_set_dim(set, SET);
        // isl has a direct way if there is only one dimension, and refuses sets with parameters or quotients.
        if dimensions < 2
            || isl_basic_set_dim(set, ALL) != dimensions
            || isl_basic_set_plain_is_empty(set) != 0
        {
            return 0;
        }
        let tableau = isl_tab_from_basic_set(set, 0);
        let vertex = match isl_tab_sample_is_integer(tableau) {
            1 => isl_tab_get_sample_value(tableau),
            _ => 0,
        };
        isl_tab_free(tableau);
        // The tableau of an empty set has a vertex that is not in the set.
        if vertex != 0 && isl_basic_set_contains(set, vertex) != 1 {
            isl_vec_free(vertex);
            return 0;
        }
        vertex
    }
}

#[cfg(test)]
mod tests {
    use std::mem::ManuallyDrop;

    use isl_rs::BasicSet;

    use super::*;
    use crate::context;

    unsafe extern "C" {
        fn isl_vec_size(vector: usize) -> c_int;
    }

    /// Returns the number of elements of the vector that is found for a set: the denominator and the coordinates.
    fn elements(text: &str) -> c_int {
        let set = BasicSet::read_from_str(context(), text).expect("is a set");
        let given = ManuallyDrop::new(set.copy().expect("is copied"));
        // SAFETY: the copy is given up, and the vector is live until it is freed.
        unsafe {
            let vector = __wrap_isl_basic_set_sample_vec(given.ptr);
            let size = isl_vec_size(vector);
            assert!(size == 0 || isl_basic_set_contains(set.ptr, vector) == 1, "{text}");
            isl_vec_free(vector);
            size
        }
    }

    #[test]
    fn a_point_is_found_if_and_only_if_there_is_one() {
        let cases = [
            ("{ [n, i] : 0 <= i < n }", 3),
            ("{ [n, i, b] : 0 <= i < n and 32b <= i < 32b + 32 and i >= 1 }", 4),
            ("{ [i, j] : 1 <= 2i + 3j <= 1 }", 3),
            // The vertices of these are not integral.
            ("{ [i, j] : 1 <= 3i <= 4 and 2j >= 3i + 1 }", 3),
            ("{ [i, j] : 5 <= 3i + 6j <= 5 }", 0),
            ("{ [i, j] : 1 <= 3i <= 2 and j >= i }", 0),
            // These have no vertex.
            ("{ [i, j] : i > j and j > i }", 0),
            ("{ [i, j] }", 3),
            ("{ [i, j] : i = 2j }", 3),
            ("{ [i] : 1 <= 3i <= 4 }", 2),
            ("{ [] : }", 1),
        ];
        for (text, expected) in cases {
            assert_eq!(elements(text), expected, "{text}");
        }
    }
}
