//! What is known about the source when temporaries get copies.

use scop::Dependences;

use crate::dataflow::{Dataflow, Flow};
use crate::live::Ends;

/// What is known about the source.
pub struct Found<'a> {
    /// The analysis of the source.
    pub dataflow: &'a Dataflow<'a>,
    /// The values that accesses pass to each other.
    pub flows: &'a [Flow],
    /// The flow dependences, live values and dead statements.
    pub dependences: &'a Dependences,
    /// The values after the region.
    pub ends: &'a Ends,
}
