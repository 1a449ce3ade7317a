//! Loops and conditions: iteration domains, and the order of pieces of straight-line code.

pub mod after_loop;
pub mod iterations;
pub mod order;
pub mod pieces;
pub mod refusals;
pub mod runs;
pub mod statements;
pub mod unequal;
