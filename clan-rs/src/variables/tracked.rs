//! The iterators whose values after their loops matter.

use std::collections::BTreeSet;

use crate::around::outside;
use crate::c::ctree::{Expr, ExprKind, Stmt, StmtKind, Tree, VariableId};
use crate::regions::facts::RegionFacts;

/// Returns the iterators whose values outside their loops matter, because the region uses them there or code after
/// the region may read them.
pub fn tracked(facts: &RegionFacts) -> BTreeSet<VariableId> {
    let iterators = &facts.iterators;
    let mut search = Search { tree: facts.tree, iterators, counting: Vec::new(), found: BTreeSet::new() };
    for stmt in &facts.region.statements {
        search.statement(stmt);
    }
    let live = iterators.iter().copied().filter(|&id| outside::outlives_region(facts, id));
    search.found.extend(live);
    search.found
}

/// The search for uses of iterators outside their loops.
struct Search<'e> {
    tree: &'e Tree,
    iterators: &'e BTreeSet<VariableId>,
    /// The iterators of the enclosing loops.
    counting: Vec<VariableId>,
    found: BTreeSet<VariableId>,
}

impl Search<'_> {
    fn statement(&mut self, stmt: &Stmt) {
        let StmtKind::For { init, body, .. } = &stmt.kind else {
            stmt.expressions(self.tree).into_iter().for_each(|expr| self.expression(expr));
            return stmt.parts().into_iter().for_each(|part| self.statement(part));
        };
        let depth = self.counting.len();
        match &init.kind {
            StmtKind::Declaration(ids) => {
                init.expressions(self.tree).into_iter().for_each(|expr| self.expression(expr));
                self.counting.extend(ids);
            }
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign { operator: None, target, value }, ..
            }) if target.as_variable().is_some() => {
                self.expression(value);
                self.counting.extend(target.as_variable());
            }
            _ => self.statement(init),
        }
        stmt.expressions(self.tree).into_iter().for_each(|expr| self.expression(expr));
        self.statement(body);
        self.counting.truncate(depth);
    }

    fn expression(&mut self, expr: &Expr) {
        expr.walk(&mut |inner| {
            let used = inner.as_variable().filter(|id| self.iterators.contains(id));
            self.found.extend(used.filter(|id| !self.counting.contains(id)));
        });
    }
}
