//! Which memory serves which array in each kernel: registers, shared memory, constant memory.

pub mod buffers;
pub mod choose;
pub mod coherent;
pub mod constant;
pub mod operands;
pub mod private;
pub mod shared;
