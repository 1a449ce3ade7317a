//! Variables with their initial values and lengths.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::CType;

use super::Importer;
use super::by_hand::{address_of, zero_at};
use crate::c::clang::{Constant, Cursor};
use crate::c::ctree::{
    Attribute, Class, Expr, ExprKind, Length, Lifetime, Type, TypeKind, Variable, VariableId,
};
use crate::import::cxx;
use crate::import::evaluation;
use crate::import::literal::is_of_128_bits;
use crate::import::types::{import_type, numbers_in};
use crate::import::understood;
use crate::preprocessor::macros;

impl Importer {
    pub(super) fn variable(&mut self, cursor: Cursor) -> VariableId {
        self.declared(cursor, None)
    }

    /// A variable, which has this value at first in place of what clang shows.
    pub(super) fn declared(&mut self, cursor: Cursor, first: Option<Expr>) -> VariableId {
        let declaration = cursor.declaration();
        if let Some(&id) = self.known.get(&declaration.identity()) {
            return id;
        }
        let id = VariableId(self.tree.variables.len());
        self.known.insert(declaration.identity(), id);
        let reference = cursor.ctype().is_reference();
        let enumeration = cxx::enumeration(cursor.ctype()).filter(|_| self.tree.is_cxx);
        let ctype = match enumeration {
            Some(ctype) if import_type(ctype).arithmetic() == Some(CType::Bool) => Type {
                kind: TypeKind::Other(ctype.declaration().spelling()),
                constant: false,
                volatile: false,
            },
            _ if reference => import_type(cursor.ctype().canonical().target()),
            _ => self.ctype(cursor),
        };
        let depends_on_line = self.depends_on_line(cursor);
        let constant = if reference || depends_on_line { None } else { constant_value(cursor, &ctype) };
        let is_array = matches!(ctype.kind, TypeKind::Array { .. });
        let of_line = (is_array && depends_on_line).then_some(macros::LINE);
        let of_length = || evaluation::has_length_that_depends(cursor, &ctype).then_some(evaluation::LENGTH);
        let peculiar = of_line.or_else(of_length);
        let peculiar = peculiar.map(|name| Attribute { name: name.to_owned(), range: Some(cursor.range()) });
        self.tree.variables.push(Variable {
            name: cursor.spelling(),
            constant,
            ctype,
            lifetime: if reference { Lifetime::Static } else { lifetime(declaration) },
            reference,
            register: cursor.is_register(),
            external: declaration.linker_name().is_some(),
            leaves_pointer: self.tree.is_cxx && self.classes.leave_pointers_to(cursor),
            class: understood::class(cursor.ctype()).filter(|_| self.tree.is_cxx),
            enumeration: enumeration.is_some(),
            lengths: Vec::new(),
            initial: None,
            declared_at: cursor.is_in_main_file().then(|| cursor.name_range()),
            member: None,
            attribute: self.attributes.of_variable(cursor).or(peculiar),
        });
        if let Some(numbers) = numbers_in(cursor.ctype()) {
            self.tree.numbers_in.insert(id, numbers);
        }
        if self.tree.variables[id.0].class == Some(Class::Vector)
            && let Some(element) = understood::element(cursor.ctype())
        {
            self.tree.elements_of_vectors.insert(id, element);
        }
        let lengths = self.lengths(cursor, &self.tree.variables[id.0].ctype.clone());
        let initial = cursor.initialiser().filter(|initial| !gives_no_value(cursor, *initial));
        let is_wide = |initial: Cursor| initial.spelled_text().is_some_and(is_of_128_bits);
        let initial = initial.map(|initial| match reference {
            _ if let Some(first) = &first => first.clone(),
            // The constant has the lower half.
            false if constant.is_some() && is_wide(initial) => Expr {
                kind: ExprKind::Integer(constant.unwrap_or_default()),
                ctype: self.tree.variables[id.0].ctype.clone(),
                range: initial.range(),
            },
            true => address_of(self.expr(cxx::in_braces(initial))),
            false if self.tree.variables[id.0].arithmetic().is_some() => self.first_number(initial),
            false => self.expr(initial),
        });
        let variable = &mut self.tree.variables[id.0];
        variable.lengths = lengths;
        variable.initial = initial;
        id
    }

    /// The initialiser of a number, which may stand in braces: nothing in them is 0.
    pub(super) fn first_number(&mut self, initial: Cursor) -> Expr {
        let value = cxx::in_braces(initial);
        match value.kind() == CXCursor_InitListExpr && value.children().is_empty() {
            true => zero_at(initial.range()),
            false => self.expr(value),
        }
    }

    /// The array lengths of a declarator are child expressions of the declaration, innermost first, after its name.
    /// Those that a typedef hides, or that are left out, are not there.
    pub(super) fn lengths(&mut self, cursor: Cursor, ctype: &Type) -> Vec<Option<Expr>> {
        let levels = array_levels(ctype);
        let name = cursor.name_range().start;
        let initial = cursor.initialiser();
        let written = cursor.children().into_iter().filter(|child| {
            child.is_expression() && !initial.is_some_and(|i| i.is(*child)) && child.range().start >= name
        });
        let mut written: Vec<Expr> = written.map(|child| self.expr(child)).collect();
        written.reverse();
        let skipped = usize::from(levels.first() == Some(&Length::Incomplete));
        let integers = written.iter().all(|expr| expr.ctype.arithmetic().is_some_and(CType::is_integer));
        if !integers || written.len() + skipped > levels.len() {
            return vec![None; levels.len()];
        }
        let mut lengths: Vec<Option<Expr>> = vec![None; skipped];
        lengths.extend(written.into_iter().map(Some));
        lengths.resize_with(levels.len(), || None);
        lengths
    }
}

fn lifetime(declaration: Cursor) -> Lifetime {
    if declaration.kind() == CXCursor_ParmDecl {
        Lifetime::Parameter
    } else if declaration.is_automatic() {
        Lifetime::Automatic
    } else {
        Lifetime::Static
    }
}

fn constant_value(cursor: Cursor, ctype: &Type) -> Option<i128> {
    if !ctype.constant || ctype.volatile || !ctype.arithmetic().is_some_and(CType::is_integer) {
        return None;
    }
    let initial = cursor.initialiser()?;
    // A wide literal alone loses its upper half, which the type of the constant has no place for.
    let words = initial.words();
    let mut words = words.iter().filter(|word| ![";", ","].contains(&word.as_str()));
    let is_alone = words.clone().count() == 1;
    let is_wide = !is_alone && words.any(|word| is_of_128_bits(word.as_bytes()));
    // Clang computes it as if the program did.
    if is_wide || evaluation::depends(initial) {
        return None;
    }
    match initial.evaluate()? {
        Constant::Integer(value) => Some(value),
        Constant::Floating(_) => None,
    }
}

/// True for the call of a constructor that C++ adds to `float3 m;`, where the structure could be C's: it does nothing.
fn gives_no_value(variable: Cursor, initial: Cursor) -> bool {
    let is_added =
        initial.kind() == CXCursor_CallExpr && initial.range().start == variable.name_range().start;
    is_added && initial.children().is_empty() && variable.ctype().is_plain_old_data()
}

fn array_levels(ctype: &Type) -> Vec<Length> {
    match &ctype.kind {
        TypeKind::Array { element, length, .. } => {
            std::iter::once(*length).chain(array_levels(element)).collect()
        }
        TypeKind::Pointer { target, .. } => array_levels(target),
        TypeKind::Arithmetic(_) | TypeKind::Other(_) => Vec::new(),
    }
}
