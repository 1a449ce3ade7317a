//! The order of the pieces of a region, as a tree.

use scop::{SourceRange, StatementId};

use crate::c::ctree::VariableId;

/// The order of the pieces of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// The parts in sequence.
    Sequence(Vec<Order>),
    /// The iterations of a loop.
    Loop {
        /// The number of loops around this one.
        depth: u32,
        /// Its iterator.
        iterator: VariableId,
        /// Its place in the source.
        range: SourceRange,
        /// True if the iterator decreases.
        descending: bool,
        /// The body of the loop.
        body: Box<Order>,
    },
    /// A single piece, as the statement that it becomes.
    Statement(StatementId),
}

impl Order {
    /// Returns the statements in it, in order.
    pub fn statements(&self) -> Vec<StatementId> {
        match self {
            Self::Sequence(parts) => parts.iter().flat_map(Self::statements).collect(),
            Self::Loop { body, .. } => body.statements(),
            Self::Statement(id) => vec![*id],
        }
    }
}

/// Returns the sequence of several orders; `None` if there are none.
pub fn sequence(mut parts: Vec<Order>) -> Option<Order> {
    if parts.len() > 1 {
        Some(Order::Sequence(parts.into_iter().flat_map(flat).collect()))
    } else {
        parts.pop()
    }
}

fn flat(order: Order) -> Vec<Order> {
    match order {
        Order::Sequence(parts) => parts,
        other => vec![other],
    }
}
