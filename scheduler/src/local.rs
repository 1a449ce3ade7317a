//! The dependences within one iteration of some loops.

use polyhedra::{Result, ScheduleNode, ScheduleNodeType, UnionMap};

use crate::constraints::Constraints;

/// The dependences between the instances at a node of a tree that agree in the loops around it.
pub struct Local(UnionMap);

impl Local {
    /// Returns those at a node.
    pub fn at(node: &ScheduleNode, constraints: &Constraints) -> Result<Self> {
        if !node.has_parent()? {
            return Ok(Self(constraints.validity.copy()?));
        }
        let parent = node.copy()?.parent()?;
        Self::at(&parent, constraints)?.below(&parent)
    }

    /// Returns those at the children of a node, from those at the node: each loop and each filter leaves fewer. So
    /// whoever descends a tree need not begin with all dependences at each node.
    pub fn below(&self, node: &ScheduleNode) -> Result<Self> {
        let here = self.relation()?;
        let among = |instances: polyhedra::UnionSet| {
            here.copy()?.intersect_domain(instances.copy()?)?.intersect_range(instances)
        };
        Ok(Self(match node.get_type()? {
            ScheduleNodeType::Domain => among(node.domain_get_domain()?)?,
            ScheduleNodeType::Filter => among(node.filter_get_filter()?)?,
            ScheduleNodeType::Band => here.eq_at_multi_union_pw_aff(node.band_get_partial_schedule()?)?,
            _ => here,
        }))
    }

    /// Returns them as pairs of instances.
    pub fn relation(&self) -> Result<UnionMap> {
        Ok(self.0.copy()?)
    }
}
