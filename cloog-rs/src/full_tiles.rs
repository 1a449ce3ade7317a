//! Gives full register tiles a nest of their own.
//!
//! *Rewrite*, if all loops are to be unrolled and `n` does not change in them:
//!
//! ```text
//! for (c = 0; c <= 3; c++)
//!     if (c <= n)
//!         S
//! ```
//!
//! →
//!
//! ```text
//! specialised, where 3 <= n:
//!     for (c = 0; c <= 3; c++)
//!         S
//! in general:
//!     for (c = 0; c <= 3; c++)
//!         if (c <= n)
//!             S
//! ```
//!
//! The condition is moved out of other loops in which it does not vary. nvcc does not move loads out of conditions.
//! In the tiles of a matrix product, where each operand is used four times, it would load each operand from shared
//! memory four times, and branch before each use.

use std::ops::RangeInclusive;

use scop::ast::expression::binary;
use scop::ast::tree::walk;
use scop::ast::{AstExpr, AstOp, Node, Unroll};

/// The most conditions that distinguish full tiles.
const MOST_CONDITIONS: usize = 8;

/// Adds nests without conditions to a program, for full tiles in which statements are executed.
pub fn full_tiles(node: Node) -> Node {
    Tile::of(node).joined()
}

/// A part of the loop program, and its form for a full tile.
struct Tile {
    partial: Node,
    /// The condition under which the tile is full, and the equivalent loops in that case. They contain only
    /// instances: threads must not diverge around a barrier.
    full: Option<(AstExpr, Node)>,
}

impl Tile {
    fn of(node: Node) -> Self {
        match node {
            Node::Block { children } => {
                Self::whole(Node::Block { children: children.into_iter().map(full_tiles).collect() })
            }
            Node::If { condition, then, otherwise } => Self::whole(Node::If {
                condition,
                then: Box::new(full_tiles(*then)),
                otherwise: otherwise.map(|node| Box::new(full_tiles(*node))),
            }),
            Node::Kernel { kernel, lower, extent, ranked, body } => {
                let body = Box::new(full_tiles(*body));
                Self::whole(Node::Kernel { kernel, lower, extent, ranked, body })
            }
            Node::For { unroll: Unroll::Wholly, .. } => Self::of_unrolled(node),
            Node::For { iterator, init, condition, increment, degenerate, unroll, body } => {
                let wrap = |body| Node::For {
                    iterator: iterator.clone(),
                    init: init.clone(),
                    condition: condition.clone(),
                    increment: increment.clone(),
                    degenerate,
                    unroll,
                    body: Box::new(body),
                };
                match Self::of(*body) {
                    Self { partial, full: Some((full_if, full)) } if !names(&full_if).contains(&iterator) => {
                        Self { partial: wrap(partial), full: Some((full_if, wrap(full))) }
                    }
                    tile => Self::whole(wrap(tile.joined())),
                }
            }
            leaf => Self::whole(leaf),
        }
    }

    fn whole(partial: Node) -> Self {
        Self { partial, full: None }
    }

    fn of_unrolled(partial: Node) -> Self {
        let mut nest = Nest::default();
        let full = nest.without_conditions(partial.clone());
        let is_worthwhile = has_only_instances(&partial) && nest.conditions.len() <= MOST_CONDITIONS;
        let condition = nest.conditions.into_iter().reduce(both).filter(|_| is_worthwhile);
        Self { partial, full: condition.map(|condition| (condition, full)) }
    }

    fn joined(self) -> Node {
        match self.full {
            Some((condition, full)) => Node::Specialised {
                guard: condition,
                specialised: Box::new(full),
                general: Box::new(self.partial),
            },
            None => self.partial,
        }
    }
}

/// True if a nest contains neither copies nor barriers.
fn has_only_instances(node: &Node) -> bool {
    let mut others = false;
    walk(node, &mut |inner| {
        others |=
            !matches!(inner, Node::Block { .. } | Node::For { .. } | Node::If { .. } | Node::Instance { .. });
    });
    !others
}

fn names(expr: &AstExpr) -> Vec<String> {
    let mut names = Vec::new();
    expr.visit_names(&mut |name| names.push(name.to_owned()));
    names
}

/// A nest of unrolled loops that is being rewritten.
#[derive(Default)]
struct Nest {
    /// The unrolled loops around the current node, with the values of their iterators.
    unrolled: Vec<(String, RangeInclusive<i64>)>,
    /// The iterators of the other loops of the nest around the current node.
    varying: Vec<String>,
    /// The conditions of a full tile.
    conditions: Vec<AstExpr>,
}

impl Nest {
    /// Removes the conditions that hold for full tiles from a nest, and collects them.
    fn without_conditions(&mut self, node: Node) -> Node {
        match node {
            Node::Block { children } => Node::Block {
                children: children.into_iter().map(|child| self.without_conditions(child)).collect(),
            },
            Node::If { condition, then, otherwise: None } => {
                let mut all = Vec::new();
                conjuncts(condition, &mut all);
                all.retain(|condition| !self.asks_for(condition));
                let then = self.without_conditions(*then);
                match all.into_iter().reduce(both) {
                    Some(condition) => Node::If { condition, then: Box::new(then), otherwise: None },
                    None => then,
                }
            }
            Node::For { iterator, init, condition, increment, degenerate, unroll, body } => {
                let values = if unroll == Unroll::Wholly {
                    range(&iterator, &init, &condition, &increment)
                } else {
                    None
                };
                let is_varying = values.is_none();
                match values {
                    Some(values) => self.unrolled.push((iterator.clone(), values)),
                    None => self.varying.push(iterator.clone()),
                }
                let body = Box::new(self.without_conditions(*body));
                if is_varying {
                    self.varying.pop();
                } else {
                    self.unrolled.pop();
                }
                Node::For { iterator, init, condition, increment, degenerate, unroll, body }
            }
            other => other,
        }
    }

    /// True if a condition compares an unrolled iterator with a bound that does not change in the nest, except with
    /// other unrolled iterators. The tile then gets the condition that the comparison holds for all values of these
    /// iterators.
    fn asks_for(&mut self, condition: &AstExpr) -> bool {
        let AstExpr::Op(comparison @ (AstOp::Le | AstOp::Lt | AstOp::Ge | AstOp::Gt), sides) = condition
        else {
            return false;
        };
        let [AstExpr::Name(iterator), bound] = &sides[..] else { return false };
        let Some((_, values)) = self.unrolled.iter().find(|(name, _)| name == iterator) else { return false };
        let names = names(bound);
        if names.is_empty() || names.iter().any(|name| name == iterator || self.varying.contains(name)) {
            return false;
        }
        let farthest = match comparison {
            AstOp::Le | AstOp::Lt => *values.end(),
            _ => *values.start(),
        };
        let mut bounds = vec![bound.clone()];
        for (name, values) in self.unrolled.iter().filter(|(name, _)| names.contains(name)) {
            let at = |bound: &AstExpr, value| {
                bound.with_values(&|known| (known == name).then_some(AstExpr::Int(value)))
            };
            bounds =
                bounds.iter().flat_map(|bound| values.clone().map(move |value| at(bound, value))).collect();
        }
        let asked = bounds.into_iter().map(|bound| binary(*comparison, AstExpr::Int(farthest), bound));
        for condition in asked {
            if !self.conditions.contains(&condition) {
                self.conditions.push(condition);
            }
        }
        true
    }
}

/// Returns the values of the iterator of `for (iterator = first; iterator <= last; iterator++)`, if there is at least
/// one.
fn range(
    iterator: &str,
    init: &AstExpr,
    condition: &AstExpr,
    increment: &AstExpr,
) -> Option<RangeInclusive<i64>> {
    let AstExpr::Op(AstOp::Le, sides) = condition else { return None };
    match (init, &sides[..], increment) {
        (AstExpr::Int(first), [AstExpr::Name(name), AstExpr::Int(last)], AstExpr::Int(1))
            if name == iterator && first <= last =>
        {
            Some(*first..=*last)
        }
        _ => None,
    }
}

fn conjuncts(condition: AstExpr, all: &mut Vec<AstExpr>) {
    match condition {
        AstExpr::Op(AstOp::And, operands) => operands.into_iter().for_each(|operand| conjuncts(operand, all)),
        other => all.push(other),
    }
}

fn both(first: AstExpr, second: AstExpr) -> AstExpr {
    binary(AstOp::And, first, second)
}

#[cfg(test)]
mod tests {
    use scop::StatementId;

    use super::*;

    fn name(name: &str) -> AstExpr {
        AstExpr::Name(name.to_owned())
    }

    fn le(iterator: &str, bound: AstExpr) -> AstExpr {
        binary(AstOp::Le, name(iterator), bound)
    }

    /// Returns the loop `for (iterator = init; condition; iterator++) body`.
    fn counted(iterator: &str, init: AstExpr, condition: AstExpr, unroll: Unroll, body: Node) -> Node {
        Node::For {
            iterator: iterator.to_owned(),
            init,
            condition,
            increment: AstExpr::Int(1),
            degenerate: false,
            unroll,
            body: Box::new(body),
        }
    }

    /// Returns the unrolled loop `for (iterator = 0; iterator <= last; iterator++) body`.
    fn tile(iterator: &str, last: i64, body: Node) -> Node {
        counted(iterator, AstExpr::Int(0), le(iterator, AstExpr::Int(last)), Unroll::Wholly, body)
    }

    fn when(condition: AstExpr, then: Node) -> Node {
        Node::If { condition, then: Box::new(then), otherwise: None }
    }

    fn instance() -> Node {
        Node::Instance { statement: StatementId(0), iterators: vec![name("c")], accesses: Vec::new() }
    }

    /// ```text
    /// for (c = 0; c <= 3; c++)
    ///     if (c <= n && n >= 5)
    ///         for (d = 0; d <= 1; d++)
    ///             if (d >= m - c)
    ///                 for (e = d; e <= k; e++)
    ///                     if (c <= e)
    ///                         S
    /// ```
    #[test]
    fn full_tiles_have_no_conditions() {
        let rest = |c| binary(AstOp::Sub, name("m"), c);
        let large = || binary(AstOp::Ge, name("n"), AstExpr::Int(5));
        let inner = || {
            counted(
                "e",
                name("d"),
                le("e", name("k")),
                Unroll::Compiler,
                when(le("c", name("e")), instance()),
            )
        };
        let partial = binary(AstOp::Ge, name("d"), rest(name("c")));
        let partial = tile("d", 1, when(partial, inner()));
        let partial = tile("c", 3, when(both(le("c", name("n")), large()), partial));
        let guard = binary(AstOp::Le, AstExpr::Int(3), name("n"));
        let guard =
            (0..4).map(|c| binary(AstOp::Ge, AstExpr::Int(0), rest(AstExpr::Int(c)))).fold(guard, both);
        let full = tile("c", 3, when(large(), tile("d", 1, inner())));
        assert_eq!(
            full_tiles(partial.clone()),
            Node::Specialised { guard, specialised: Box::new(full), general: Box::new(partial) }
        );
    }

    /// After a loop, its values no longer belong to its iterator: another loop may use the same iterator.
    #[test]
    fn loops_side_by_side_have_their_own_values() {
        let both = |first, second| tile("d", 1, Node::Block { children: vec![first, second] });
        let one = |last| tile("c", last, instance());
        for (first, second) in [(3, 9), (9, 3)] {
            let partial = both(one(first), tile("c", second, when(le("c", name("n")), instance())));
            assert_eq!(
                full_tiles(partial.clone()),
                Node::Specialised {
                    guard: binary(AstOp::Le, AstExpr::Int(second), name("n")),
                    specialised: Box::new(both(one(first), one(second))),
                    general: Box::new(partial),
                }
            );
        }
    }

    /// A condition that several statements require is checked once.
    #[test]
    fn conditions_are_not_repeated() {
        let one = || when(le("c", name("n")), instance());
        let partial = tile("c", 3, Node::Block { children: vec![one(); 9] });
        let full = tile("c", 3, Node::Block { children: vec![instance(); 9] });
        let guard = binary(AstOp::Le, AstExpr::Int(3), name("n"));
        assert_eq!(
            full_tiles(partial.clone()),
            Node::Specialised { guard, specialised: Box::new(full), general: Box::new(partial) }
        );
    }

    #[test]
    fn conditions_move_out_of_loops_without_barriers() {
        let upto = |body| counted("k", AstExpr::Int(0), le("k", name("n")), Unroll::Compiler, body);
        let partial = |bound| tile("c", 3, when(le("c", name(bound)), instance()));
        let split = |bound, full, partial| Node::Specialised {
            guard: binary(AstOp::Le, AstExpr::Int(3), name(bound)),
            specialised: Box::new(full),
            general: Box::new(partial),
        };
        let full = || tile("c", 3, instance());
        assert_eq!(full_tiles(upto(partial("m"))), split("m", upto(full()), upto(partial("m"))));
        assert_eq!(full_tiles(upto(partial("k"))), upto(split("k", full(), partial("k"))));
        let waits = |node| upto(Node::Block { children: vec![node, Node::Barrier] });
        assert_eq!(full_tiles(waits(partial("m"))), waits(split("m", full(), partial("m"))));
    }

    #[test]
    fn other_loops_stay() {
        for node in [
            tile("c", 3, instance()),
            tile("c", 3, when(le("c", AstExpr::Int(2)), instance())),
            tile("c", 3, when(le("c", name("n")), Node::Barrier)),
            tile("c", 3, when(le("n", name("c")), instance())),
            tile("c", 9, tile("d", 1, when(le("d", binary(AstOp::Sub, name("n"), name("c"))), instance()))),
            counted(
                "c",
                AstExpr::Int(0),
                le("c", AstExpr::Int(3)),
                Unroll::Compiler,
                when(le("c", name("n")), instance()),
            ),
        ] {
            assert_eq!(full_tiles(node.clone()), node);
        }
    }
}
