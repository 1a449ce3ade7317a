//! Facts that hold at a place of the loop program. isl decides what follows from them.

use polyhedra::{Set, Text};
use scop::IslSet;
use scop::ast::expression::binary;
use scop::ast::{AstExpr, AstOp, Node};

/// The facts at one place.
#[derive(Debug, Clone)]
pub struct Facts {
    context: String,
    known: Vec<AstExpr>,
}

impl Facts {
    /// Returns the facts about the parameters alone.
    pub fn new(context: &IslSet) -> Self {
        Self { context: context.0.clone(), known: Vec::new() }
    }

    /// Returns these facts and one more.
    pub fn and(&self, condition: &AstExpr) -> Self {
        let mut more = self.clone();
        more.known.push(condition.clone());
        more
    }

    /// Returns these facts and those that hold in the body of a loop.
    pub fn inside(&self, node: &Node) -> Self {
        let Node::For { iterator, init, condition, degenerate, .. } = node else { return self.clone() };
        let name = AstExpr::Name(iterator.clone());
        if *degenerate {
            return self.and(&AstExpr::Op(AstOp::Eq, vec![name, init.clone()]));
        }
        self.and(&AstExpr::Op(AstOp::Ge, vec![name, init.clone()])).and(condition)
    }

    /// True if the condition certainly holds; false if isl cannot decide it.
    pub fn imply(&self, condition: &AstExpr) -> bool {
        self.decide(condition).unwrap_or(false)
    }

    /// Returns the condition that these extents are positive, unless it is known to hold: an empty grid cannot be
    /// launched, and a box may be empty in one dimension and larger than memory in another.
    pub fn unless_positive(&self, extents: &[AstExpr]) -> Option<AstExpr> {
        let positive = |extent: &AstExpr| binary(AstOp::Gt, extent.clone(), AstExpr::Int(0));
        let mut unknown: Vec<AstExpr> =
            extents.iter().map(positive).filter(|condition| !self.imply(condition)).collect();
        unknown.dedup();
        unknown.into_iter().reduce(|left, right| binary(AstOp::And, left, right))
    }

    fn decide(&self, condition: &AstExpr) -> Option<bool> {
        let mut names = Vec::new();
        for expr in self.known.iter().chain([condition]) {
            expr.visit_names(&mut |name| names.push(name.to_owned()));
        }
        names.sort();
        names.dedup();
        let known = self.known.iter().filter_map(isl_text);
        let parts: Vec<String> = known.chain([format!("not ({})", isl_text(condition)?)]).collect();
        let text = format!("[{}] -> {{ : {} }}", names.join(", "), parts.join(" and "));
        let counterexamples = Set::parse(&text).ok()?.intersect(Set::parse(&self.context).ok()?).ok()?;
        counterexamples.is_empty().ok()
    }
}

/// Returns an expression in isl's notation; `None` if isl has no notation for it.
fn isl_text(expr: &AstExpr) -> Option<String> {
    match expr {
        AstExpr::Int(value) => Some(format!("({value})")),
        AstExpr::Name(name) => Some(name.clone()),
        AstExpr::Op(operator, operands) => {
            let texts: Vec<String> = operands.iter().map(isl_text).collect::<Option<_>>()?;
            operation(*operator, operands, &texts)
        }
    }
}

/// Returns an operation in isl's notation, given the texts of its operands.
fn operation(operator: AstOp, operands: &[AstExpr], texts: &[String]) -> Option<String> {
    let infix = |symbol: &str| Some(format!("({})", texts.join(symbol)));
    let call = |name: &str| Some(format!("{name}({})", texts.join(", ")));
    match operator {
        AstOp::And => infix(" and "),
        AstOp::Or => infix(" or "),
        AstOp::Max => call("max"),
        AstOp::Min => call("min"),
        AstOp::Minus => Some(format!("(-{})", texts.first()?)),
        AstOp::Add => infix(" + "),
        AstOp::Sub => infix(" - "),
        AstOp::Mul => infix(" * "),
        AstOp::Div | AstOp::FloorDiv | AstOp::PosDiv => {
            Some(format!("floor({}/{})", texts.first()?, divisor(operands)?))
        }
        AstOp::PosMod | AstOp::ZeroMod => Some(format!("({} mod {})", texts.first()?, divisor(operands)?)),
        AstOp::Eq => infix(" = "),
        AstOp::Le => infix(" <= "),
        AstOp::Lt => infix(" < "),
        AstOp::Ge => infix(" >= "),
        AstOp::Gt => infix(" > "),
        AstOp::Select => None,
    }
}

/// Returns the divisor, which must be a constant in isl.
fn divisor(operands: &[AstExpr]) -> Option<i64> {
    match operands.get(1)? {
        AstExpr::Int(divisor) => Some(*divisor),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use scop::ast::Unroll;

    use super::*;

    #[test]
    fn consequences_are_seen() {
        let facts = Facts::new(&IslSet("[n] -> { : n >= 5 }".to_owned()));
        let [n, c0] = ["n", "c0"].map(|name| AstExpr::Name(name.to_owned()));
        let blocks =
            binary(AstOp::FloorDiv, binary(AstOp::Add, n.clone(), AstExpr::Int(31)), AstExpr::Int(32));
        assert!(facts.imply(&binary(AstOp::Ge, blocks, AstExpr::Int(1))));
        let positive = binary(AstOp::Gt, c0.clone(), AstExpr::Int(0));
        assert!(!facts.imply(&positive));
        assert!(facts.and(&binary(AstOp::Ge, c0, n)).imply(&positive));
    }

    /// In a loop, the iterator has any value from the first one on for which the condition holds. A degenerate loop
    /// has exactly one value.
    #[test]
    fn the_bounds_of_loops_are_known() {
        let facts = Facts::new(&IslSet("{ : }".to_owned()));
        let [n, c0] = ["n", "c0"].map(|name| AstExpr::Name(name.to_owned()));
        let counted = |degenerate| Node::For {
            iterator: "c0".to_owned(),
            init: AstExpr::Int(3),
            condition: if degenerate { AstExpr::Int(1) } else { binary(AstOp::Le, c0.clone(), n.clone()) },
            increment: AstExpr::Int(1),
            degenerate,
            unroll: Unroll::Compiler,
            body: Box::new(Node::Barrier),
        };
        let inside = facts.inside(&counted(false));
        assert!(inside.imply(&binary(AstOp::Ge, c0.clone(), AstExpr::Int(3))));
        assert!(inside.imply(&binary(AstOp::Ge, n.clone(), AstExpr::Int(3))));
        assert!(!inside.imply(&binary(AstOp::Gt, c0.clone(), AstExpr::Int(3))));
        assert!(!inside.imply(&binary(AstOp::Lt, c0.clone(), n.clone())));
        let three = binary(AstOp::Eq, c0.clone(), AstExpr::Int(3));
        assert!(facts.inside(&counted(true)).imply(&three));
        assert!(!inside.imply(&three));
    }

    #[test]
    fn what_isl_cannot_say_is_not_implied() {
        let facts = Facts::new(&IslSet("{ : }".to_owned()));
        let select = AstExpr::Op(AstOp::Select, vec![AstExpr::Int(1); 3]);
        assert!(!facts.imply(&binary(AstOp::Eq, select, AstExpr::Int(1))));
    }

    /// A grid may be empty along any of its axes.
    #[test]
    fn each_extent_that_may_be_empty_is_asked() {
        let facts = Facts::new(&IslSet("[n, m, k] -> { : k >= 1 }".to_owned()));
        let [n, m, k] = ["n", "m", "k"].map(|name| AstExpr::Name(name.to_owned()));
        let positive = |extent: &AstExpr| binary(AstOp::Gt, extent.clone(), AstExpr::Int(0));
        let asked = |extents: &[&AstExpr]| {
            facts.unless_positive(&extents.iter().map(|extent| (*extent).clone()).collect::<Vec<_>>())
        };
        let both = binary(AstOp::And, positive(&n), positive(&m));
        assert_eq!(asked(&[&n, &m]), Some(both.clone()));
        assert_eq!(asked(&[&n, &k, &m]), Some(both));
        assert_eq!(asked(&[&k, &m]), Some(positive(&m)));
        assert_eq!(asked(&[&k]), None);
    }
}
