//! The context of the passes that make one kernel.

use scop::{KernelId, Model};

use crate::wishes::Wishes;

/// The region, and what is asked for.
pub struct Maker<'a> {
    /// The scop.
    pub model: &'a Model,
    /// What is asked for.
    pub wishes: &'a Wishes<'a>,
    /// The id of the next kernel.
    pub id: KernelId,
}
