//! Works around a fault of isl's AST generation (0.27) in conditions on quotients of a loop's iterator.
//!
//! The bounds of a loop may not depend on quotients of its own iterator `i`, so isl removes these
//! (`isl_set_remove_divs_involving_dims`), which may only make a set larger. If two conditions are
//! `0 <= m·i - f + m·n·q < m` and two more are `0 <= i - g <= d`, isl first replaces `i` by the only value that it
//! can then have, `g + (⌈f/m⌉ - g) mod n`. This requires `d < n`, but isl checks `d < m` (`detect_mod` in isl_map.c
//! compares with the wrong number), so for `n < m` it loses iterations. Therefore the result is compared with the
//! original set. If anything is missing, isl is called in a way that avoids the replacement.
//!
//! The linker's option `--wrap=isl_set_remove_divs_involving_dims` redirects the calls to this file; see
//! `reduction.rs`.

use std::hint::black_box;
use std::os::raw::{c_int, c_uint};

unsafe extern "C" {
    fn __real_isl_set_remove_divs_involving_dims(set: usize, kind: c_int, first: c_uint, n: c_uint) -> usize;
    fn isl_set_copy(set: usize) -> usize;
    fn isl_set_free(set: usize) -> usize;
    fn isl_set_get_space(set: usize) -> usize;
    fn isl_space_free(space: usize) -> usize;
    fn isl_set_reset_space(set: usize, space: usize) -> usize;
    fn isl_set_insert_dims(set: usize, kind: c_int, first: c_uint, n: c_uint) -> usize;
    fn isl_set_project_out(set: usize, kind: c_int, first: c_uint, n: c_uint) -> usize;
    fn isl_set_is_subset(one: usize, other: usize) -> c_int;
}

/// Makes the linker use the wrapper in this file.
pub fn install() {
    black_box(
        __wrap_isl_set_remove_divs_involving_dims as extern "C" fn(usize, c_int, c_uint, c_uint) -> usize,
    );
}

/// Replaces `isl_set_remove_divs_involving_dims` in isl's calls.
#[unsafe(no_mangle)]
extern "C" fn __wrap_isl_set_remove_divs_involving_dims(
    set: usize,
    kind: c_int,
    first: c_uint,
    n: c_uint,
) -> usize {
    // SAFETY: as in isl, the caller gives up the set and owns the result. A null pointer means an error in all of
    // these functions, and so does a negative result.
    unsafe {
        let before = isl_set_copy(set);
        let after = __real_isl_set_remove_divs_involving_dims(set, kind, first, n);
        if n != 1 || before == after {
            isl_set_free(before);
            return after;
        }
        // isl makes the replacement only for a single dimension, so a second, unconstrained one prevents it. The sets
        // that are compared also have it, because isl may rewrite sets when it compares them, and the loops with
        // them.
        let space = isl_set_get_space(before);
        let two = isl_set_insert_dims(before, kind, first + 1, 1);
        let beside = isl_set_insert_dims(isl_set_copy(after), kind, first + 1, 1);
        let is_right = isl_set_is_subset(two, beside) != 0;
        isl_set_free(beside);
        if is_right {
            isl_set_free(two);
            isl_space_free(space);
            return after;
        }
        isl_set_free(after);
        let two = __real_isl_set_remove_divs_involving_dims(two, kind, first, 2);
        isl_set_reset_space(isl_set_project_out(two, kind, first + 1, 1), space)
    }
}

#[cfg(test)]
mod tests {
    use polyhedra::{Set, Text};

    use super::*;

    unsafe extern "C" {
        fn isl_set_remove_divs_involving_dims(set: usize, kind: c_int, first: c_uint, n: c_uint) -> usize;
    }

    /// isl's `isl_dim_set`.
    const SET: c_int = 3;

    #[test]
    fn removing_quotients_loses_no_iteration() {
        install();
        let before = Set::parse(
            "[n] -> { [i] : n mod 2 = 0 and 0 <= i < n and i >= n - 2 and \
             -1 - 3n + 4i <= 4*floor((1 - n + 2i)/4) <= 2 - 3n + 4i }",
        )
        .unwrap();
        // SAFETY: isl takes the copy and returns a new set.
        let ptr = unsafe { isl_set_remove_divs_involving_dims(isl_set_copy(before.ptr), SET, 0, 1) };
        let after = Set { ptr, should_free_on_drop: true };
        assert!(before.is_subset(&after).unwrap(), "{}", after.text().unwrap());
    }
}
