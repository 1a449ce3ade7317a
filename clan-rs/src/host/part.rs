//! A part of a function.

use scop::HostNode;

use crate::host::doings::Doings;
use crate::host::solver::Node;

/// A part of a function.
#[derive(Default)]
pub struct Part {
    /// Its host code.
    pub nodes: Vec<HostNode>,
    /// What its host code does; places are in terms of what holds before the part, as far as they are known.
    pub doings: Doings,
    /// What its regions write.
    pub regions: Vec<Node>,
    /// True if it contains jumps, labels, or regions.
    pub is_rough: bool,
    /// True if it contains labels to which `goto` may jump.
    pub has_labels: bool,
    /// True if it contains a `case` of a `switch` around it.
    pub has_cases: bool,
}

impl Part {
    /// Adds what follows it.
    pub fn add(&mut self, other: Self) {
        self.is_rough |= other.is_rough();
        self.nodes.extend(other.nodes);
        self.doings.add(other.doings);
        self.regions.extend(other.regions);
        self.has_labels |= other.has_labels;
        self.has_cases |= other.has_cases;
    }

    /// True if what follows it may not be executed, or may be executed without it.
    pub fn is_rough(&self) -> bool {
        self.is_rough || self.doings.ends
    }

    /// Returns the part that consists of one node.
    pub fn of(node: HostNode, doings: Doings) -> Self {
        Self { nodes: vec![node], doings, ..Self::default() }
    }

    /// Returns the same where what it does may not happen.
    pub fn perhaps(mut self) -> Self {
        self.doings.accesses.iter_mut().for_each(|access| access.certain = false);
        self
    }
}
