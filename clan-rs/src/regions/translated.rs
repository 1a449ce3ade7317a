//! Regions with their models.

use std::collections::BTreeMap;

use scop::{ArrayId, Model};

use crate::c::ctree::VariableId;
use crate::regions::marked::MarkedRegion;

/// A region that was translated.
pub struct Translated<'t> {
    /// The region.
    pub region: &'t MarkedRegion<'t>,
    /// What it computes.
    pub model: Model,
    /// The array of each variable.
    pub variables: BTreeMap<VariableId, ArrayId>,
}
