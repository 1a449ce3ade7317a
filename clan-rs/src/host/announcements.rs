//! The calls of `c2cuda.h` in the source.

use crate::c::ctree::{Callee, Tree};

/// The functions of `c2cuda.h`. They tell the table of the memory on the device what the caller does, and touch nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Announcement {
    /// `c2cuda_data_begin`.
    Begin,
    /// Any other.
    Other,
}

/// Returns which function of `c2cuda.h` is called, if it is one.
pub fn announcement(tree: &Tree, callee: &Callee) -> Option<Announcement> {
    let is_own = tree.function(&callee.name).is_some_and(|function| function.range.is_some());
    match callee.shown.as_str() {
        _ if is_own => None,
        "c2cuda_data_begin" => Some(Announcement::Begin),
        "c2cuda_data_end" | "c2cuda_data_reads" | "c2cuda_data_writes" => Some(Announcement::Other),
        _ => None,
    }
}
