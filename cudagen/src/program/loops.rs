//! The iterators of loops, and the names in expressions.

use std::collections::BTreeSet;

use scop::ast::tree::walk;
use scop::ast::{AstExpr, Node};

/// Returns the iterators of the loops in a node.
pub fn iterators(body: &Node) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    walk(body, &mut |node| {
        if let Node::For { iterator, .. } = node {
            found.insert(iterator.as_str());
        }
    });
    found
}

/// True if an expression contains one of some names.
pub fn mentions(expr: &AstExpr, is_one: impl Fn(&str) -> bool) -> bool {
    let mut found = false;
    expr.visit_names(&mut |name| found |= is_one(name));
    found
}
