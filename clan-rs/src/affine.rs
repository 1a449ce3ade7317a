//! C expressions as quasi-affine expressions and sets.
//!
//! `translator` is shared by the files here. `expressions` translates at a place in the loops (`point`), where the
//! values of other iterators may be known (`iterator_values`).

pub mod attempt;
pub mod cases;
pub mod expressions;
pub mod final_value;
pub mod iterator_values;
pub mod not_affine;
pub mod point;
pub mod translator;
pub mod wrap;
