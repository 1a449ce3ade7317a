//! Loops over all elements of an array or a vector of numbers.
//!
//! *before → after*, as the parts of an [`Unsupported::Range`]:
//!
//! ```text
//! for (double &x : v)      unsigned long k = 0;  k < v.size();  k++
//!     body             →   double &x = v[k];
//!                          body
//! ```
//!
//! The variable that counts has no name, since no text can name it.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::{BinaryOp, CType, SourceRange};

use super::Importer;
use super::by_hand::address_of;
use crate::c::clang::{Cursor, Type as ClangType};
use crate::c::ctree::{
    Container, Expr, ExprKind, Lifetime, Stmt, StmtKind, Type, TypeKind, Understood, Unnamed, Unsupported,
    Variable, VariableId,
};
use crate::import::cxx;
use crate::import::types::{arithmetic_type, import_type};
use crate::import::understood;

/// What a loop runs over.
enum Elements {
    /// An array of C, with so many elements.
    Plain(u64),
    /// A container.
    Of(Container),
}

impl Importer {
    /// Returns a loop over the elements of a variable; nothing for other loops over ranges.
    pub(super) fn over_elements(&mut self, cursor: Cursor) -> Option<StmtKind> {
        let [declaration, range, body] = cursor.children()[..] else { return None };
        let shown = stripped(range);
        if declaration.kind() != CXCursor_VarDecl
            || shown.kind() != CXCursor_DeclRefExpr
            || shown.referenced().kind() == CXCursor_UnexposedDecl
            || cxx::is_hidden(shown)
        {
            return None;
        }
        let elements = elements_of(shown.ctype())?;
        let place = declaration.initialiser()?.range();
        let object = self.expr(shown);
        object.as_variable()?;
        let counter = self.counter();
        let count = Expr { kind: ExprKind::Variable(counter), ctype: length_type(), range: place };
        let element = Expr {
            ctype: import_type(element_type(shown.ctype())?),
            range: place,
            kind: element(&elements, object.clone(), count.clone()),
        };
        let first = match declaration.ctype().is_reference() {
            true => address_of(element),
            false => with_type(element, &import_type(declaration.ctype())),
        };
        let id = self.declared(declaration, Some(first));
        let length = length(&elements, object, place);
        let condition = ExprKind::Binary(BinaryOp::Lt, Box::new(count.clone()), Box::new(length));
        let int = Type { kind: TypeKind::Arithmetic(CType::Int), ..length_type() };
        let condition = Expr { kind: condition, ctype: int, range: place };
        let step = ExprKind::Increment { down: false, postfix: true, target: Box::new(count) };
        let step = Expr { kind: step, ctype: length_type(), range: place };
        let stmt = |kind| Stmt { kind, range: place };
        let parts = vec![
            stmt(StmtKind::Declaration(vec![counter])),
            stmt(StmtKind::Expression(condition)),
            stmt(StmtKind::Expression(step)),
            Stmt { kind: StmtKind::Declaration(vec![id]), range: declaration.range() },
            self.stmt(body),
        ];
        Some(StmtKind::Other { what: Unsupported::Range, parts })
    }

    /// A variable that counts from zero on.
    fn counter(&mut self) -> VariableId {
        let id = VariableId(self.tree.variables.len());
        let range = SourceRange { start: 0, end: 0, line: 0, column: 0 };
        self.tree.variables.push(Variable {
            name: String::new(),
            ctype: length_type(),
            lifetime: Lifetime::Automatic,
            lengths: Vec::new(),
            initial: Some(Expr { kind: ExprKind::Integer(0), ctype: length_type(), range }),
            constant: None,
            declared_at: None,
            member: None,
            reference: false,
            register: true,
            external: false,
            leaves_pointer: false,
            class: None,
            enumeration: false,
            attribute: None,
        });
        id
    }
}

fn length_type() -> Type {
    Type { kind: TypeKind::Arithmetic(CType::ULong), constant: false, volatile: false }
}

/// A number that is converted to the type of a variable.
fn with_type(number: Expr, ctype: &Type) -> Expr {
    if number.ctype.arithmetic() == ctype.arithmetic() {
        return number;
    }
    let range = number.range;
    Expr { kind: ExprKind::Cast { implicit: true, operand: Box::new(number) }, ctype: ctype.clone(), range }
}

fn element(elements: &Elements, object: Expr, count: Expr) -> ExprKind {
    match elements {
        Elements::Plain(_) => ExprKind::Subscript { base: Box::new(object), index: Box::new(count) },
        Elements::Of(container) => {
            let plain = Unnamed::Operator("operator[]".to_owned());
            let name = ExprKind::Other { what: Unnamed::other("the name of a function"), parts: Vec::new() };
            let name = Expr { kind: name, ctype: length_type(), range: object.range };
            let what = Unnamed::Understood(Understood::Element(*container), Box::new(plain));
            ExprKind::Other { what, parts: vec![object, name, count] }
        }
    }
}

fn length(elements: &Elements, object: Expr, range: SourceRange) -> Expr {
    let kind = match elements {
        Elements::Plain(length) | Elements::Of(Container::Array(length)) => {
            ExprKind::Integer(i128::from(*length))
        }
        Elements::Of(container @ Container::Vector) => {
            let plain = Unnamed::MemberCall("size".to_owned());
            let what = Unnamed::Understood(Understood::Property(*container), Box::new(plain));
            ExprKind::Other { what, parts: vec![object] }
        }
    };
    Expr { kind, ctype: length_type(), range }
}

fn elements_of(range: ClangType) -> Option<Elements> {
    let range = range.canonical();
    if range.kind() == CXType_ConstantArray {
        arithmetic_type(range.element().canonical().kind())?;
        return Some(Elements::Plain(range.length().unsigned_abs()));
    }
    understood::container(range).map(Elements::Of)
}

fn element_type(range: ClangType<'_>) -> Option<ClangType<'_>> {
    let range = range.canonical();
    match range.kind() {
        CXType_ConstantArray => Some(range.element()),
        _ => range.template_arguments().into_iter().next(),
    }
}

fn stripped(cursor: Cursor<'_>) -> Cursor<'_> {
    match cursor.children()[..] {
        [inner] if [CXCursor_ParenExpr, CXCursor_UnexposedExpr].contains(&cursor.kind()) => stripped(inner),
        _ => cursor,
    }
}
