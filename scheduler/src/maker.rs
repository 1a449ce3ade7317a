//! What the making of a kernel needs to know.

use scop::{KernelId, Model};

use crate::wishes::Wishes;

/// What the making of one kernel needs to know.
pub struct Maker<'a> {
    /// The scop.
    pub model: &'a Model,
    /// What is asked for.
    pub wishes: &'a Wishes<'a>,
    /// The id of the next kernel.
    pub id: KernelId,
}
