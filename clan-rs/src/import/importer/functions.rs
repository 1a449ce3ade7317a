//! Functions, and calls of them.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;

use super::{Importer, block_of};
use crate::c::clang::Cursor;
use crate::c::ctree::{Callee, Function, Lifetime, Stmt, StmtKind, TRY, Unsupported, VariableId};
use crate::import::by_value;
use crate::import::cxx;
use crate::import::own_functions;
use crate::import::types::import_type;
use crate::preprocessor::macros;

impl Importer {
    /// A function, if it has a body.
    pub(super) fn function(&mut self, cursor: Cursor) -> Option<Function> {
        let block = block_of(cursor)?;
        let children = cursor.children();
        let by_value = self.takes_values(cursor);
        let parameters = children.iter().filter(|child| child.kind() == CXCursor_ParmDecl);
        let around = self.this.take();
        let parameters: Vec<VariableId> = parameters.map(|&parameter| self.variable(parameter)).collect();
        for &VariableId(number) in parameters.iter().filter(|_| by_value) {
            let parameter = &mut self.tree.variables[number];
            (parameter.reference, parameter.lifetime) = (false, Lifetime::Parameter);
        }
        let is_initialisation =
            |child: &Cursor| cursor.kind() == CXCursor_Constructor && child.is_expression();
        let before: Vec<Cursor> = children.iter().copied().filter(is_initialisation).collect();
        let body = self.body(block, &before);
        let this = std::mem::replace(&mut self.this, around);
        let result = if by_value { by_value::number(cursor.result()) } else { cursor.result() };
        Some(Function {
            name: self.name(cursor),
            shown: cursor.spelling(),
            result: import_type(result),
            range: cursor.is_in_main_file().then(|| cursor.range()),
            parameters,
            this,
            takes_values: by_value && cursor.parameters().iter().any(|one| one.ctype().is_reference()),
            is_member: cursor.kind() == CXCursor_CXXMethod && !cursor.is_static_member(),
            is_special: self.tree.is_cxx && cxx::is_special(cursor),
            returns_reference: result.is_reference(),
            deduces_exactly: self.tree.is_cxx && cursor.head().contains("decltype"),
            body,
            initialisations: before.len(),
            is_template: cxx::is_template(cursor),
            shares_text: self.tree.is_cxx && cxx::shares_text(cursor),
            is_constexpr: self.tree.is_cxx && cxx::is_constexpr(cursor),
            peculiar: macros::peculiar_word(cursor).or(self.depends_on_line(cursor).then_some(macros::LINE)),
            hidden_part: if self.tree.is_cxx { cxx::hidden_part(cursor) } else { None },
            is_internal: cursor.linker_name().is_none(),
            attributes: self.attributes.of_function(cursor),
        })
    }

    /// True if something in the main file depends on a line's number that compilers do not agree on.
    pub(super) fn depends_on_line(&self, cursor: Cursor) -> bool {
        let range = cursor.range();
        cursor.is_in_main_file() && self.lines.iter().any(|mention| mention.range.is_within(range))
    }

    /// True if a function takes numbers, some of them by references that it only reads.
    pub(super) fn takes_values(&mut self, function: Cursor) -> bool {
        if !self.tree.is_cxx {
            return false;
        }
        let Some(definition) = function.definition() else { return false };
        let identity = definition.declaration().identity();
        *self.by_value.entry(identity).or_insert_with(|| by_value::takes_values(definition))
    }

    /// The body of a function; what a constructor does `before` it comes first.
    pub(super) fn body(&mut self, cursor: Cursor, before: &[Cursor]) -> Stmt {
        let mut body = self.stmt(cursor);
        // What catches around a constructor throws again.
        if let StmtKind::Other { what: what @ Unsupported::Try, .. } = &mut body.kind {
            *what = Unsupported::Other(TRY.to_owned());
        }
        if !matches!(body.kind, StmtKind::Compound(_)) {
            body = Stmt { range: body.range, kind: StmtKind::Compound(vec![body]) };
        }
        let expression =
            |child: Cursor| Stmt { kind: StmtKind::Expression(self.operand(child)), range: child.range() };
        let before: Vec<Stmt> = before.iter().copied().map(expression).collect();
        if let StmtKind::Compound(parts) = &mut body.kind {
            parts.splice(0..0, before);
        }
        body
    }

    /// The function that a call calls, if it stands in a header of the user's, or is made of a template.
    pub(super) fn called(&mut self, function: Cursor) {
        let Some(definition) = function.definition() else { return };
        let is_known = !definition.is_of_language() || self.takes_values(definition);
        let elsewhere = !self.written.contains(&definition.declaration().identity());
        if is_known && elsewhere && self.imported.insert(definition.identity()) {
            let imported = self.function(definition);
            self.tree.header_functions.extend(imported);
        }
    }

    pub(super) fn callee(&mut self, function: Cursor) -> Callee {
        let by_value = self.takes_values(function);
        let of_user = match self.tree.is_cxx {
            true => by_value || cxx::is_of_user(function),
            false => function.is_defined_by_user(),
        } || own_functions::may_be_own(function, self.before_c99);
        let attribute = self.attributes.of_callee(function);
        let gives_reference = function.result().is_reference();
        let passes = by_value && gives_reference;
        let name = if of_user { self.name(function) } else { cxx::c_name(function) };
        Callee {
            name,
            shown: function.spelling(),
            of_user,
            attribute,
            passes,
            gives_reference,
            counts: false,
        }
    }

    /// The name of a function. Of several with the same name, as C++ allows, the later ones get a number.
    pub(super) fn name(&mut self, function: Cursor) -> String {
        let identity = function.declaration().identity();
        if let Some(name) = self.names.get(&identity) {
            return name.clone();
        }
        let wish = function.spelling();
        let numbered = (2..).map(|number| format!("{wish}_{number}"));
        let mut candidates = std::iter::once(wish.clone()).chain(numbered);
        let name = candidates.find(|name| self.names.values().all(|taken| taken != name)).unwrap_or_default();
        self.names.insert(identity, name.clone());
        if let Some(symbol) = function.linker_name().filter(|_| self.tree.is_cxx) {
            self.tree.symbols.insert(name.clone(), symbol);
        }
        name
    }
}
