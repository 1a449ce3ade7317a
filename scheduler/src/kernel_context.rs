//! The context of the passes that make one kernel.

use scop::{Dependences, KernelId, Model};

use crate::cost::Pricing;
use crate::wishes::Wishes;

/// The region, the user's wishes, and the kernel's id.
#[derive(Clone, Copy)]
pub struct KernelContext<'a> {
    /// The scop's model.
    pub model: &'a Model,
    /// The scop's dependences.
    pub dependences: &'a Dependences,
    /// The user's wishes.
    pub wishes: &'a Wishes<'a>,
    /// For what plans are priced.
    pub pricing: &'a Pricing,
    /// The kernel's id.
    pub id: KernelId,
}
