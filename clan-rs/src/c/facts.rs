//! What a piece of C does to variables, apart from the values that it computes.

use std::collections::{BTreeMap, BTreeSet};

use scop::SourceRange;

use crate::c::ctree::{Expr, ExprKind, Stmt, StmtKind, Tree, Unsupported, VariableId};

/// The effects of some statements on variables.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The places where variables are assigned or incremented; initialisers are not included.
    pub writes: BTreeMap<VariableId, Vec<SourceRange>>,
    /// Variables whose address is taken, so that they may change in any place.
    pub address_taken: BTreeSet<VariableId>,
    /// Variables that are declared in the statements.
    pub declared: BTreeSet<VariableId>,
    /// All mentions of variables, except declarations.
    pub uses: BTreeMap<VariableId, Vec<SourceRange>>,
}

impl Facts {
    /// Collects the facts of some statements.
    pub fn of<'t>(tree: &'t Tree, statements: impl IntoIterator<Item = &'t Stmt>) -> Self {
        let mut facts = Self::default();
        for stmt in statements {
            stmt.walk(&mut |inner| facts.note_statement(tree, inner));
        }
        facts
    }

    /// Collects the facts of some expressions.
    pub fn of_exprs<'t>(exprs: impl IntoIterator<Item = &'t Expr>) -> Self {
        let mut facts = Self::default();
        for expr in exprs {
            expr.walk(&mut |inner| facts.note_expression(inner));
        }
        facts
    }

    fn note_statement(&mut self, tree: &Tree, stmt: &Stmt) {
        if let StmtKind::Declaration(ids) = &stmt.kind {
            self.declared.extend(ids);
        }
        if matches!(stmt.kind, StmtKind::Other { what: Unsupported::Assembly, .. }) {
            stmt.walk_expressions(tree, &mut |expr| {
                self.address_taken.extend(expr.as_variable());
            });
        }
        for expr in stmt.expressions(tree) {
            expr.walk(&mut |inner| self.note_expression(inner));
        }
    }

    fn note_expression(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Variable(id) | ExprKind::Member { variable: Some(id), .. } => {
                self.uses.entry(*id).or_default().push(expr.range);
            }
            ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } => {
                for id in written(target) {
                    self.writes.entry(id).or_default().push(expr.range);
                }
            }
            ExprKind::AddressOf(operand) => self.address_taken.extend(operand.places()),
            _ => {}
        }
    }

    /// Applies the facts of structures to their members. In C++, objects whose construction may leave a pointer to
    /// them count as having their address taken.
    pub fn spread_to_members(&mut self, tree: &Tree) {
        let numbered = tree.variables.iter().enumerate();
        let leaving = numbered.filter(|(_, variable)| variable.leaves_pointer);
        self.address_taken.extend(leaving.map(|(number, _)| VariableId(number)));
        for (number, variable) in tree.variables.iter().enumerate() {
            let Some(member) = &variable.member else { continue };
            let id = VariableId(number);
            if self.address_taken.contains(&member.of) && !member.pointer {
                self.address_taken.insert(id);
            }
            if let Some(writes) = self.writes.get(&member.of).cloned() {
                self.writes.entry(id).or_default().extend(writes);
            }
            if self.declared.contains(&member.of) && !member.pointer {
                self.declared.insert(id);
            }
        }
    }

    /// Returns the place of the first assignment or increment of a variable.
    pub fn first_write(&self, id: VariableId) -> Option<SourceRange> {
        self.writes.get(&id).and_then(|ranges| ranges.first()).copied()
    }

    /// True if a variable is assigned or incremented, or may be changed through its address.
    pub fn may_change(&self, id: VariableId) -> bool {
        self.writes.contains_key(&id) || self.address_taken.contains(&id)
    }
}

/// Returns the variables that an assignment to `target` may change, except where it changes a single element. In
/// C++, targets may be `(c ? x : y)` and `(x += 1)`.
fn written(target: &Expr) -> Vec<VariableId> {
    match target.kind {
        ExprKind::Variable(_) | ExprKind::Member { .. } | ExprKind::Subscript { .. } => {
            target.as_place().into_iter().collect()
        }
        _ => target.places(),
    }
}
