//! Gives loops over a register tile a constant number of iterations.
//!
//! Registers have no addresses, so they can be indexed only in loops that the compiler unrolls completely.

use std::num::NonZeroU32;

use scop::ast::{AstExpr, AstOp, Node, Unroll};

/// Loops with more iterations than this are left unchanged.
const MOST: i64 = 64;

/// Makes loops with a constant bound on either side run from one to the other, to be unrolled. Their other bounds
/// become conditions around the body.
///
/// `for (c = 0; c <= min(3, n); c++) S` → `for (c = 0; c <= 3; c++) if (c <= n) S`
pub fn unrolled(node: Node) -> Node {
    match node {
        Node::Block { children } => Node::Block { children: children.into_iter().map(unrolled).collect() },
        Node::If { condition, then, otherwise } => Node::If {
            condition,
            then: Box::new(unrolled(*then)),
            otherwise: otherwise.map(|node| Box::new(unrolled(*node))),
        },
        Node::For { iterator, init, condition, increment, degenerate, unroll, body } => {
            let body = Box::new(unrolled(*body));
            let range = Range::of(&iterator, &init, &condition).filter(|range| {
                !degenerate && increment == AstExpr::Int(1) && (0..MOST).contains(&(range.last - range.first))
            });
            match range {
                Some(range) => range.into_loop(iterator, body),
                None => Node::For { iterator, init, condition, increment, degenerate, unroll, body },
            }
        }
        other => other,
    }
}

/// Sets the factor by which the outermost loops of a program are to be unrolled.
pub fn unrolled_by(factor: NonZeroU32, node: Node) -> Node {
    match node {
        Node::Block { children } => {
            Node::Block { children: children.into_iter().map(|child| unrolled_by(factor, child)).collect() }
        }
        Node::If { condition, then, otherwise } => Node::If {
            condition,
            then: Box::new(unrolled_by(factor, *then)),
            otherwise: otherwise.map(|node| Box::new(unrolled_by(factor, *node))),
        },
        Node::For { iterator, init, condition, increment, degenerate: false, body, .. } => {
            let unroll = Unroll::By(factor);
            Node::For { iterator, init, condition, increment, degenerate: false, unroll, body }
        }
        other => other,
    }
}

/// The values of a loop's iterator.
struct Range {
    /// The smallest possible value.
    first: i64,
    /// The largest possible value.
    last: i64,
    /// The other conditions on the iterator.
    conditions: Vec<AstExpr>,
}

impl Range {
    /// Returns nothing if there is no constant bound on one side, or if the loop does not run up to a bound.
    fn of(iterator: &str, init: &AstExpr, condition: &AstExpr) -> Option<Self> {
        let name = AstExpr::Name(iterator.to_owned());
        let AstExpr::Op(comparison @ (AstOp::Le | AstOp::Lt), operands) = condition else { return None };
        let [counted, bound] = &operands[..] else { return None };
        if *counted != name {
            return None;
        }
        let below = if *comparison == AstOp::Lt { 1 } else { 0 };
        let (lower, upper) = (Parts::of(init, AstOp::Max), Parts::of(bound, AstOp::Min));
        let first = lower.constants.into_iter().max()?;
        let last = upper.constants.into_iter().min()? - below;
        let from = lower.others.into_iter().map(|bound| (AstOp::Ge, bound));
        let to = upper.others.into_iter().map(|bound| (*comparison, bound));
        let conditions =
            from.chain(to).map(|(comparison, bound)| AstExpr::Op(comparison, vec![name.clone(), bound]));
        Some(Self { first, last, conditions: conditions.collect() })
    }

    fn into_loop(self, iterator: String, body: Box<Node>) -> Node {
        let both = |first, second| AstExpr::Op(AstOp::And, vec![first, second]);
        let body = match self.conditions.into_iter().reduce(both) {
            Some(condition) => Box::new(Node::If { condition, then: body, otherwise: None }),
            None => body,
        };
        let condition = vec![AstExpr::Name(iterator.clone()), AstExpr::Int(self.last)];
        Node::For {
            iterator,
            init: AstExpr::Int(self.first),
            condition: AstExpr::Op(AstOp::Le, condition),
            increment: AstExpr::Int(1),
            degenerate: false,
            unroll: Unroll::Wholly,
            body,
        }
    }
}

/// The operands of a minimum or maximum.
#[derive(Default)]
struct Parts {
    constants: Vec<i64>,
    others: Vec<AstExpr>,
}

impl Parts {
    fn of(bound: &AstExpr, operator: AstOp) -> Self {
        let mut parts = Self::default();
        parts.collect(bound, operator);
        parts
    }

    fn collect(&mut self, bound: &AstExpr, operator: AstOp) {
        match bound {
            AstExpr::Int(value) => self.constants.push(*value),
            AstExpr::Op(own, operands) if *own == operator => {
                operands.iter().for_each(|operand| self.collect(operand, operator));
            }
            other => self.others.push(other.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> AstExpr {
        AstExpr::Name(name.to_owned())
    }

    fn op(operator: AstOp, operands: &[AstExpr]) -> AstExpr {
        AstExpr::Op(operator, operands.to_vec())
    }

    fn counted(init: AstExpr, condition: AstExpr) -> Node {
        let (iterator, increment, body) = ("c".to_owned(), AstExpr::Int(1), Box::new(Node::Barrier));
        Node::For { iterator, init, condition, increment, degenerate: false, unroll: Unroll::Compiler, body }
    }

    #[test]
    fn bounds_that_vary_become_conditions() {
        let init = op(AstOp::Max, &[AstExpr::Int(0), name("m")]);
        let end = op(AstOp::Min, &[name("n"), AstExpr::Int(4)]);
        let Node::For { init, condition, unroll, body, .. } =
            unrolled(counted(init, op(AstOp::Lt, &[name("c"), end])))
        else {
            panic!("no loop");
        };
        assert_eq!((init, unroll), (AstExpr::Int(0), Unroll::Wholly));
        assert_eq!(condition, op(AstOp::Le, &[name("c"), AstExpr::Int(3)]));
        let Node::If { condition, .. } = *body else { panic!("no condition") };
        let (from, to) = (op(AstOp::Ge, &[name("c"), name("m")]), op(AstOp::Lt, &[name("c"), name("n")]));
        assert_eq!(condition, op(AstOp::And, &[from, to]));
    }

    #[test]
    fn outermost_loops_get_factors() {
        let loops = |body: Node| {
            let Node::For { iterator, init, condition, increment, degenerate, unroll, .. } =
                counted(name("m"), op(AstOp::Le, &[name("c"), name("n")]))
            else {
                panic!("no loop")
            };
            Node::For { iterator, init, condition, increment, degenerate, unroll, body: Box::new(body) }
        };
        let factor = NonZeroU32::new(4).unwrap();
        let branch = |then: Node| Node::If { condition: name("m"), then: Box::new(then), otherwise: None };
        let Node::If { then, .. } = unrolled_by(factor, branch(loops(loops(Node::Barrier)))) else {
            panic!("no branch")
        };
        let Node::For { unroll, body, .. } = *then else { panic!("no loop") };
        assert_eq!(unroll, Unroll::By(factor));
        assert_eq!(*body, loops(Node::Barrier));
    }

    #[test]
    fn loops_without_constant_bounds_stay() {
        let le = |end| op(AstOp::Le, &[name("c"), end]);
        for node in [
            counted(name("m"), le(AstExpr::Int(3))),
            counted(AstExpr::Int(0), le(name("n"))),
            counted(AstExpr::Int(0), le(AstExpr::Int(1000))),
            counted(AstExpr::Int(0), op(AstOp::Le, &[name("n"), name("c")])),
        ] {
            assert_eq!(unrolled(node.clone()), node);
        }
    }
}
