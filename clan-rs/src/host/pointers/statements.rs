//! What the variables, functions and statements of a file make of pointers.

use crate::c::ctree::{
    Class, Expr, ExprKind, Function, Lifetime, Stmt, StmtKind, Understood, Unnamed, Unsupported, Variable,
    VariableId,
};
use crate::host::expressions::{is_lvalue, is_made_by_code, leads_to_numbers, understood};
use crate::host::opaque::is_opaque_statement;
use crate::host::pointers::Pointers;
use crate::host::solver::{EXPOSED, NOTHING, Node};

impl<'t> Pointers<'t> {
    pub(super) fn file_scope(&mut self) {
        let tree = self.tree;
        for (number, variable) in tree.variables.iter().enumerate() {
            let id = VariableId(number);
            if variable.member.is_some() {
                continue;
            }
            let is_static = variable.lifetime == Lifetime::Static;
            let is_named_elsewhere =
                variable.external || variable.declared_at.is_none() || tree.linkage.by_text;
            let is_exposed = is_static && is_named_elsewhere
                || is_made_by_code(variable)
                || variable.attribute.is_some()
                || variable.ctype.volatile
                || tree.linkage.mentioned.contains(&id)
                || self.opaque.hides(id);
            if is_standard_stream(variable) {
                let contents = self.contents_of(id);
                self.solver.copy(EXPOSED, contents);
            } else if is_exposed {
                let (node, _) = self.of_variable(id);
                self.expose(node);
            }
            for length in variable.lengths.iter().flatten() {
                self.value(length);
            }
            if let Some(initial) = &variable.initial {
                self.initialise(id, initial);
            }
        }
        for (id, initial) in &tree.linkage.initials {
            self.initialise(*id, initial);
        }
    }

    fn initialise(&mut self, id: VariableId, initial: &'t Expr) {
        let contents = self.contents_of(id);
        if let Some((Understood::Making, numbers)) = understood(initial)
            && self.tree.variable(id).class == Some(Class::Vector)
        {
            for number in numbers {
                let value = self.value(number);
                if !leads_to_numbers(self.tree, number) {
                    self.solver.store(value, contents);
                }
            }
            return;
        }
        let value = match self.tree.variable(id).class {
            None => self.value_of_list(initial),
            _ => self.value(initial),
        };
        self.solver.copy(value, contents);
    }

    /// Returns what the initial value of something that is no object of a class with a constructor may point to: in
    /// braces, the tree takes the addresses of what a member that is a reference could be bound to.
    fn value_of_list(&mut self, initial: &'t Expr) -> Node {
        let ExprKind::Other { what: Unnamed::InitialiserList, parts } = &initial.kind else {
            return self.value(initial);
        };
        let mut all = NOTHING;
        for part in parts {
            let value = self.value_of_list(part);
            all = self.union(all, value);
            if let ExprKind::AddressOf(operand) = &part.kind {
                let value = self.value(operand);
                all = self.union(all, value);
            }
        }
        self.values.insert(std::ptr::from_ref(initial), all);
        all
    }

    pub(super) fn function(&mut self, function: &'t Function) {
        self.result = self.result_of(function);
        self.gives_reference = function.returns_reference;
        self.this = function.this;
        if self.opaque.is_called_from_elsewhere(function) {
            for parameter in function.parameters.iter().chain(&function.this) {
                let contents = self.contents_of(*parameter);
                self.solver.copy(EXPOSED, contents);
            }
            self.expose(self.result);
        }
        let whole = self.opaque.is_opaque(function);
        match &function.body.kind {
            StmtKind::Compound(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    self.stmt(part, whole || number < function.initialisations);
                }
            }
            _ => self.stmt(&function.body, whole),
        }
        if whole {
            for parameter in function.parameters.iter().chain(&function.this) {
                let (node, _) = self.of_variable(*parameter);
                self.expose(node);
            }
        }
    }

    pub(super) fn result_of(&mut self, function: &'t Function) -> Node {
        if let Some(&node) = self.results.get(function.name.as_str()) {
            return node;
        }
        let node = self.solver.node();
        self.results.insert(&function.name, node);
        node
    }

    /// Visits a statement; what an opaque one mentions is exposed.
    fn stmt(&mut self, stmt: &'t Stmt, is_opaque: bool) {
        let is_opaque = is_opaque || is_opaque_statement(stmt);
        for expr in stmt.expressions(self.tree) {
            let value = self.value(expr);
            if is_opaque {
                self.expose_all(expr);
            }
            if matches!(stmt.kind, StmtKind::Return(_)) {
                let given = if self.gives_reference { self.place(expr) } else { value };
                self.solver.copy(given, self.result);
            }
        }
        if let StmtKind::Declaration(ids) = &stmt.kind
            && is_opaque
        {
            for &id in ids {
                let (node, _) = self.of_variable(id);
                self.expose(node);
            }
        }
        if let StmtKind::Other { what: Unsupported::Catch, parts } = &stmt.kind {
            self.caught(parts);
        }
        for part in stmt.parts() {
            self.stmt(part, is_opaque);
        }
    }

    /// What is thrown is exposed, and nothing else is caught.
    fn caught(&mut self, parts: &'t [Stmt]) {
        for part in parts {
            if let StmtKind::Declaration(ids) = &part.kind {
                for &id in ids {
                    let contents = self.contents_of(id);
                    self.solver.copy(EXPOSED, contents);
                }
            }
        }
    }

    /// Exposes all objects that an expression mentions, and all to which its parts may point.
    pub(super) fn expose_all(&mut self, expr: &'t Expr) {
        expr.walk(&mut |inner| {
            let value = self.value(inner);
            self.expose(value);
            if is_lvalue(inner) {
                let address = self.place(inner);
                self.expose(address);
            }
        });
    }
}

/// True for `stdin`, `stdout` and `stderr` of the library, which are no memory of arrays.
fn is_standard_stream(variable: &Variable) -> bool {
    let is_named = ["stdin", "stdout", "stderr"].contains(&variable.name.as_str());
    is_named && variable.external && variable.declared_at.is_none() && variable.ctype.is_pointer_like()
}
