//! C expressions as quasi-affine expressions and sets.

pub mod attempt;
pub mod cases;
pub mod expressions;
pub mod final_value;
pub mod iterator_values;
pub mod not_affine;
pub mod point;
pub mod wrap;
