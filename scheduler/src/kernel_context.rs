//! What the passes that make one kernel go by.

use scop::{KernelId, Model};

use crate::wishes::Wishes;

/// The region, what is asked for, and which kernel it is.
#[derive(Clone, Copy)]
pub struct KernelContext<'a> {
    /// The scop.
    pub model: &'a Model,
    /// What is asked for.
    pub wishes: &'a Wishes<'a>,
    /// The id of the kernel.
    pub id: KernelId,
}
