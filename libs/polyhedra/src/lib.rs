//! What the project needs from isl that isl-rs lacks or makes awkward.
//!
//! isl-rs binds nearly all of isl, but not `isl_ast_build` or any function that takes a callback, and it leaves the
//! reaction to errors to the context. This crate is the only one that uses isl-rs; the tools import isl's objects
//! from here.
//!
//! **Ownership.** isl-rs follows isl: most methods consume their operands. Write `set.copy()?` if the operand is
//! needed again; a copy only increments a reference count.
//!
//! **Context.** All objects of a thread live in one context, which is never freed ([`context()`]). isl is not
//! thread-safe: never move an object to another thread.
//!
//! **Errors.** Every failing isl call returns [`Error`]; isl itself neither prints nor aborts.

mod affine_hull;
pub mod ast;
mod block_text;
mod constraints;
mod context;
mod error;
mod helpers;
pub mod last;
mod node_texts;
mod optimum;
mod plain;
mod plain_objects;
mod points;
pub mod polynomial;
mod range;
mod rows;
pub mod schedule;
mod union;
mod vertex;

pub use constraints::{Constraint, Polyhedron, polyhedra_of};
pub use context::{Limit, context, limit_work, processor_time, within};
pub use error::{Error, Result, forget_error};
pub use helpers::*;
pub use isl_rs::*;
pub use optimum::{End, optimum, optimum_of_set, unchecked_optimum};
pub use points::{coordinates, numbered, points_of};
pub use range::{
    Cuboid, Range, bounded, constant_value, parameter_range, range_of_last, range_of_last_near,
    rough_range_of_last, zero_without,
};
pub use union::{Union, add};
