//! The order of the pieces of a region, as a tree.

use scop::{SourceRange, StatementId};

use crate::c::ctree::VariableId;

/// The order of the pieces of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// One after the other.
    Sequence(Vec<Order>),
    /// In the order of an iterator.
    Loop {
        /// How many loops are around this one.
        depth: u32,
        /// What it counts.
        iterator: VariableId,
        /// Where it stands.
        range: SourceRange,
        /// True if the iterator falls.
        descending: bool,
        /// What each iteration does.
        body: Box<Order>,
    },
    /// One piece: the statement that it becomes.
    Statement(StatementId),
}

impl Order {
    /// The statements in it, in order.
    pub fn statements(&self) -> Vec<StatementId> {
        match self {
            Self::Sequence(parts) => parts.iter().flat_map(Self::statements).collect(),
            Self::Loop { body, .. } => body.statements(),
            Self::Statement(id) => vec![*id],
        }
    }
}

/// One order after the other; nothing if there is none.
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
