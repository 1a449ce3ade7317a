//! Finds the affine hull of a set of one piece without isl's preparations for many.
//!
//! isl asks for the equalities that hold in a set wherever it adds a piece to a function, and for each number and name
//! that its parser reads. Nearly always the set has one piece without integer divisions. Then the equalities that isl
//! has found are the hull, and nothing has to be aligned, copied into a space without parameters, or moved back.
//!
//! The linker's option `--wrap=isl_set_affine_hull`, which the `build.rs` of the tools passes, redirects the calls to
//! this file. Other sets are left to `isl_map_affine_hull`, of which the wrapped function is another name.

use std::ffi::{c_int, c_uint};
use std::hint::black_box;
use std::ptr;

unsafe extern "C" {
    fn isl_basic_map_finalize(set: usize) -> usize;
    fn isl_basic_map_gauss(set: usize, progress: *mut c_int) -> usize;
    fn isl_basic_map_plain_affine_hull(set: usize) -> usize;
    fn isl_basic_map_simplify(set: usize) -> usize;
    fn isl_basic_set_dim(set: usize, kind: c_uint) -> c_int;
    fn isl_basic_set_free(set: usize) -> usize;
    fn isl_map_affine_hull(set: usize) -> usize;
    fn isl_set_copy(set: usize) -> usize;
    fn isl_set_detect_equalities(set: usize) -> usize;
    fn isl_set_free(set: usize) -> usize;
    fn isl_set_n_basic_set(set: usize) -> c_int;
    fn isl_set_simple_hull(set: usize) -> usize;
}

/// isl's `isl_dim_div`.
const DIVISIONS: c_uint = 4;

/// Makes sure that this file is linked; see `node_texts.rs`.
pub(crate) fn is_there() {
    black_box(__wrap_isl_set_affine_hull as extern "C" fn(usize) -> usize);
}

/// Called instead of `isl_set_affine_hull`: returns the smallest affine set that contains a set, as a basic set.
#[unsafe(no_mangle)]
extern "C" fn __wrap_isl_set_affine_hull(set: usize) -> usize {
    // SAFETY: as in isl, the caller gives up the set and owns the result. A null pointer means an error in all of these
    // functions, which take it and return it, or a negative number.
    unsafe {
        // isl stores what it finds in the set, which may have other owners, so this is done as isl does it.
        let set = isl_set_detect_equalities(set);
        if isl_set_n_basic_set(set) != 1 {
            return isl_map_affine_hull(set);
        }
        // The hull of one piece is that piece.
        let piece = isl_set_simple_hull(isl_set_copy(set));
        if isl_basic_set_dim(piece, DIVISIONS) != 0 {
            isl_basic_set_free(piece);
            return isl_map_affine_hull(set);
        }
        isl_set_free(set);
        let equalities = isl_basic_map_plain_affine_hull(piece);
        let solved = isl_basic_map_gauss(equalities, ptr::null_mut());
        isl_basic_map_finalize(isl_basic_map_simplify(solved))
    }
}

#[cfg(test)]
mod tests {
    use std::mem::ManuallyDrop;

    use isl_rs::{BasicSet, DimType, Set};

    use super::*;
    use crate::{Text, context};

    unsafe extern "C" {
        fn isl_set_affine_hull(set: usize) -> usize;
    }

    fn hull_by(find: impl Fn(usize) -> usize, text: &str) -> BasicSet {
        let set = ManuallyDrop::new(Set::read_from_str(context(), text).expect("is a set"));
        BasicSet { ptr: find(set.ptr), should_free_on_drop: true }
    }

    /// Returns the equalities, in their order.
    fn equalities(hull: &BasicSet) -> Vec<Vec<i64>> {
        let matrix = hull
            .equalities_matrix(DimType::Cst, DimType::Param, DimType::Set, DimType::Div)
            .expect("has equalities");
        let (rows, columns) = (matrix.rows().expect("has rows"), matrix.cols().expect("has columns"));
        let element = |row: i32, column: i32| {
            crate::integer(&matrix.get_element_val(row, column).expect("is there")).expect("fits")
        };
        (0..rows).map(|row| (0..columns).map(|column| element(row, column)).collect()).collect()
    }

    #[test]
    fn the_hull_is_isls() {
        let texts = [
            "[n] -> { S0[i, j] : 0 <= i < n and 0 <= j < n }",
            "[n] -> { S0[i, j] : i >= n and i <= n and 2j = n + 4 }",
            "[n, m] -> { [i, j, k] : i + j = n and j + k = m and 0 <= i - 2k <= 0 }",
            "[n] -> { [i] : 4i = n and 0 <= i < 10 }",
            "{ [i, j] : 3 <= 2i <= 5 and j >= 7 }",
            "{ [i, j] : i > j and j > i }",
            "{ [i, j] }",
            "{ [] : }",
            "[n] -> { [i] : i mod 2 = n and 0 <= i < 2 }",
            "[n] -> { [i] : exists (e : i = 3e) and i = n }",
            "[n] -> { [i, j] : i = n and j = 0; [i, j] : i = n and j = 5 }",
        ];
        for text in texts {
            let own = hull_by(|set| __wrap_isl_set_affine_hull(set), text);
            // SAFETY: the set is live, and given up.
            let isls = hull_by(|set| unsafe { isl_set_affine_hull(set) }, text);
            assert_eq!(own.text().expect("is printed"), isls.text().expect("is printed"), "{text}");
            assert_eq!(equalities(&own), equalities(&isls), "{text}");
        }
    }
}
