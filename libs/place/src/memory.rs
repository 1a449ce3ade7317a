//! Which memory serves which array in each kernel: registers (`private`, `temporary`, `operands`), shared memory
//! (`shared`, `coherent`) or constant memory (`constant`). `choose` tries these in order, and returns `buffers`.

pub mod buffers;
pub mod choose;
pub mod coherent;
pub mod constant;
pub mod operands;
pub mod partial;
pub mod private;
pub mod shared;
pub mod temporary;
