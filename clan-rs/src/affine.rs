//! C expressions as quasi-affine expressions and sets.

pub mod attempt;
pub mod expressions;
pub mod final_value;
pub mod not_affine;
pub mod point;
pub mod wrap;
