//! The allocator of every executable.
//!
//! isl allocates a small block for each constraint, row and space, and most are freed soon: with the C library's
//! allocator, this takes a fifth of the time of the tools. The feature `override` of the crate makes isl, which is C,
//! use this allocator as well.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
