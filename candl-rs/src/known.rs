//! What is known of a region when its variants are made.

use scop::{Expansions, Model};

use crate::dataflow::Flow;
use crate::live::Ends;

/// What is known of the region as it is.
pub struct Known<'a> {
    /// What clan-rs extracted.
    pub extracted: &'a Model,
    /// The region with its expansions.
    pub model: &'a Model,
    /// These expansions.
    pub expansions: &'a Expansions,
    /// The values that accesses pass to each other.
    pub flows: &'a [Flow],
    /// The dependences.
    pub dependences: &'a scop::Dependences,
    /// The values after the region.
    pub ends: &'a Ends,
}
