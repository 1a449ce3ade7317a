//! Which memory serves which array in each kernel: registers (`private`, `temporary`, `operands`), shared memory
//! (`shared`, `coherent`, `block_sums`) or constant memory (`constant`). `choose` tries these in order, and returns
//! `buffers`. `price` compares them with what scheduler took for granted when it priced a kernel.

pub mod block_sums;
pub mod buffers;
pub mod choose;
pub mod coherent;
pub mod constant;
pub mod counted;
pub mod operands;
pub mod partial;
pub mod price;
pub mod private;
pub mod shared;
pub mod temporary;
