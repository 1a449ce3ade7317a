//! Expressions.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::c_syntax::is_floating_literal;
use scop::{CType, UnaryOp};

use super::Importer;
use super::by_hand::{address_of, as_double, placed, promoted, zero};
use super::operators::{assignment_operator, binary_operator, is_comparison};
use super::words::describe;
use crate::c::clang::{self, Constant, Cursor};
use crate::c::constant::is_literal;
use crate::c::ctree::{Callee, Class, Expr, ExprKind, Type, TypeKind, Understood, Unnamed};
use crate::import::cxx;
use crate::import::evaluation;
use crate::import::literal::{floating_text, is_of_128_bits};
use crate::import::simple;
use crate::import::streams;
use crate::import::types::import_type;
use crate::import::understood;

impl Importer {
    pub(super) fn expr(&mut self, cursor: Cursor) -> Expr {
        match self.transparent(cursor) {
            Some(inner) => self.expr(inner),
            None => {
                let kind = self.expr_kind(cursor);
                self.note_class(cursor.ctype());
                Expr { kind, ctype: self.ctype(cursor), range: cursor.range() }
            }
        }
    }

    /// Notes whether the objects of a class are values, for all classes of its name.
    fn note_class(&mut self, ctype: clang::Type) {
        if self.tree.is_cxx && ctype.canonical().kind() == CXType_Record {
            let class = understood::class(ctype);
            let [is_plain, is_vector] = [class.is_none(), class == Some(Class::Vector)];
            *self.tree.plain_classes.entry(ctype.spelling()).or_insert(is_plain) &= is_plain;
            *self.tree.vectors.entry(ctype.spelling()).or_insert(is_vector) &= is_vector;
            if understood::is_iterator(ctype) {
                self.tree.iterators.insert(ctype.spelling());
            }
            if understood::is_file(ctype) {
                self.tree.file_streams.insert(ctype.spelling());
            }
        }
    }

    /// The type of a variable or expression. One with an attribute that changes it is none of those that are
    /// translated.
    pub(super) fn ctype(&self, cursor: Cursor) -> Type {
        let ctype = import_type(cursor.ctype());
        match self.attributes.of_type(cursor.ctype()) {
            Some(_) => not_arithmetic(ctype, &cursor.ctype().spelling()),
            None => ctype,
        }
    }

    /// What a parenthesis, `__extension__` or a conversion that changes no arithmetic type stands around.
    pub(super) fn transparent<'u>(&self, cursor: Cursor<'u>) -> Option<Cursor<'u>> {
        if let Some(value) = cxx::of_expectation(cursor) {
            return Some(value);
        }
        let [inner] = cursor.children()[..] else { return None };
        let through = match cursor.kind() {
            CXCursor_ParenExpr => true,
            CXCursor_UnaryOperator => cursor.unary_operator() == CXUnaryOperator_Extension,
            // The value of a parameter of a template, in a function that is made of it.
            CXCursor_DeclRefExpr => cursor.spelling().is_empty() && inner.is_expression(),
            CXCursor_UnexposedExpr => {
                let (from, to) = (import_type(inner.ctype()), import_type(cursor.ctype()));
                cursor.range() == inner.range() && from.arithmetic() == to.arithmetic()
            }
            _ => false,
        };
        through.then_some(inner)
    }

    pub(super) fn expr_kind(&mut self, cursor: Cursor) -> ExprKind {
        let children = cursor.children();
        match (cursor.kind(), &children[..]) {
            (CXCursor_IntegerLiteral | CXCursor_CharacterLiteral, _) => self.integer(cursor),
            (CXCursor_UnaryExpr, _) if self.tree.is_cxx && cxx::measures_class(cursor) => {
                ExprKind::Other { what: Unnamed::other("the size of a class"), parts: Vec::new() }
            }
            (CXCursor_UnaryExpr, _) if evaluation::depends(cursor) => ExprKind::Other {
                what: Unnamed::other("a size on which compilers may not agree"),
                parts: Vec::new(),
            },
            (CXCursor_UnaryExpr, _) => self.integer(cursor),
            (CXCursor_CXXBoolLiteralExpr, _) => self.integer(cursor),
            (CXCursor_FloatingLiteral, _) => ExprKind::Floating(floating_text(cursor)),
            (CXCursor_ImaginaryLiteral, &[part]) if part.kind() == CXCursor_FloatingLiteral => {
                ExprKind::Imaginary(floating_text(part).filter(|text| is_floating_literal(text)))
            }
            (CXCursor_DeclRefExpr, _) => self.reference(cursor),
            (CXCursor_ArraySubscriptExpr, &[left, right]) => self.subscript(left, right),
            (CXCursor_MemberRefExpr, &[base]) if base.is_expression() => self.member(cursor, Some(base)),
            (CXCursor_MemberRefExpr, &[]) => self.member(cursor, None),
            (CXCursor_CXXThisExpr, _) => ExprKind::Variable(self.this(cursor)),
            (CXCursor_UnaryOperator, &[operand]) => self.unary(cursor, operand),
            (CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator, &[left, right]) => {
                self.binary(cursor, left, right)
            }
            (CXCursor_ConditionalOperator, &[condition, then, otherwise]) => ExprKind::Conditional {
                condition: self.boxed(condition),
                then: self.boxed(then),
                otherwise: self.boxed(otherwise),
            },
            (
                CXCursor_CStyleCastExpr | CXCursor_CXXStaticCastExpr | CXCursor_CXXFunctionalCastExpr,
                &[.., operand],
            ) => self.cast(cursor, cxx::in_braces(operand)),
            (CXCursor_UnexposedExpr, &[operand]) if cursor.range() == operand.range() => {
                ExprKind::Cast { implicit: true, operand: self.boxed(operand) }
            }
            (CXCursor_UnexposedExpr, &[_, condition, then, otherwise]) => {
                self.without_middle([condition, then, otherwise])
            }
            (CXCursor_CallExpr, _) if cxx::is_constant_call(cursor) => self.constant(cursor),
            (CXCursor_CallExpr, _) if cxx::asks_for_compiler(cursor) => ExprKind::Integer(0),
            (CXCursor_CallExpr, _) if self.tree.is_cxx && simple::is_construction(cursor) => {
                self.other(Unnamed::InitialiserList, cursor)
            }
            (CXCursor_CallExpr, _)
                if self.tree.is_cxx
                    && let Some(what) = cxx::call(cursor) =>
            {
                let what = self.understood(cursor, what);
                let parts = self.parts_of_call(cursor, &what);
                ExprKind::Other { what, parts }
            }
            (CXCursor_CallExpr, &[callee, ref arguments @ ..]) => self.call(cursor, callee, arguments),
            (CXCursor_MemberRefExpr, parts) => {
                if !parts.iter().any(|part| part.is_expression()) {
                    self.this(cursor);
                }
                self.other(Unnamed::Member("a member with a qualified name"), cursor)
            }
            (CXCursor_StmtExpr, &[block]) if let Some(known) = self.without_value(block) => known.kind,
            (CXCursor_LambdaExpr, _) => self.lambda(cursor),
            // The length comes before what the elements begin with; what names the type is no expression.
            (CXCursor_CXXNewExpr, _) if cxx::is_new_array(cursor) => {
                let mut parts = self.parts(cursor);
                let length = children.into_iter().find(|child| child.is_expression());
                parts.splice(0..0, length.map(|length| self.expr(length)));
                ExprKind::Other { what: Unnamed::NewArray, parts }
            }
            (CXCursor_CXXDeleteExpr, &[pointer]) if understood::points_to_numbers(pointer) => {
                let what = Unnamed::Understood(Understood::Delete, Box::new(describe(cursor)));
                self.other(what, cursor)
            }
            _ => self.other(describe(cursor), cursor),
        }
    }

    /// C++ shows the conversion a second time, as an implicit one inside.
    pub(super) fn cast(&mut self, cursor: Cursor, operand: Cursor) -> ExprKind {
        let operand = self.boxed(operand);
        let to = import_type(cursor.ctype()).arithmetic();
        let operand = match operand.kind {
            ExprKind::Cast { implicit: true, operand: inner } if operand.ctype.arithmetic() == to => inner,
            kind => Box::new(Expr { kind, ..*operand }),
        };
        ExprKind::Cast { implicit: false, operand }
    }

    pub(super) fn boxed(&mut self, cursor: Cursor) -> Box<Expr> {
        Box::new(self.expr(cursor))
    }

    /// A call whose value compilers know.
    pub(super) fn constant(&mut self, cursor: Cursor) -> ExprKind {
        match cursor.evaluate() {
            Some(Constant::Integer(value)) => ExprKind::Integer(value),
            Some(Constant::Floating(_)) => ExprKind::Floating(floating_text(cursor)),
            None => self.other(Unnamed::other("a call without a constant value"), cursor),
        }
    }

    pub(super) fn integer(&mut self, cursor: Cursor) -> ExprKind {
        let is_wide = match cursor.kind() {
            CXCursor_IntegerLiteral => cursor.spelled_text().is_some_and(is_of_128_bits),
            CXCursor_UnaryExpr => cursor.words().iter().any(|word| is_of_128_bits(word.as_bytes())),
            _ => false,
        };
        if is_wide {
            let what = "an integer constant that has 128 bits in GCC but not in clang, which reads the file (add the \
                        suffix `u`),";
            return ExprKind::Other { what: Unnamed::value(what), parts: Vec::new() };
        }
        match cursor.evaluate() {
            Some(Constant::Integer(value)) => ExprKind::Integer(value),
            _ => {
                let mut parts = self.parts(cursor);
                // Casts have types with sizes in them, too.
                parts.extend(cursor.mentions_below().into_iter().map(|mention| self.expr(mention)));
                ExprKind::Other { what: Unnamed::value("a `sizeof` that is not constant"), parts }
            }
        }
    }

    pub(super) fn other(&mut self, what: Unnamed, cursor: Cursor) -> ExprKind {
        ExprKind::Other { what, parts: self.parts(cursor) }
    }

    pub(super) fn parts(&mut self, cursor: Cursor) -> Vec<Expr> {
        let mut parts = Vec::new();
        for child in cursor.children() {
            if cxx::is_list_of_numbers(cursor) {
                parts.push(self.expr(child));
            } else {
                self.collect(child, &mut parts);
            }
        }
        parts
    }

    /// An operand of something that may keep a reference to it: if one may be bound, its address is taken.
    pub(super) fn operand(&mut self, cursor: Cursor) -> Expr {
        let expr = self.expr(cursor);
        let is_memory = matches!(expr.kind, ExprKind::Subscript { .. } | ExprKind::Member { .. });
        let is_place = is_memory || !expr.places().is_empty();
        let may_be_bound = self.tree.is_cxx && is_place && !cxx::is_loaded(cursor);
        if may_be_bound { address_of(expr) } else { expr }
    }

    /// The expressions in something unknown, which may be a statement or a declaration.
    pub(super) fn collect(&mut self, cursor: Cursor, parts: &mut Vec<Expr>) {
        if cursor.is_expression() {
            parts.push(self.operand(cursor));
        } else {
            for child in cursor.children() {
                self.collect(child, parts);
            }
        }
    }

    pub(super) fn reference(&mut self, cursor: Cursor) -> ExprKind {
        let declaration = cursor.referenced();
        match declaration.kind() {
            CXCursor_VarDecl | CXCursor_ParmDecl => {
                let id = self.variable(declaration);
                match self.tree.variables[id.0].constant {
                    Some(value) if self.tree.is_cxx && cxx::is_hidden(cursor) => ExprKind::Integer(value),
                    _ => {
                        self.note_qualifier(id, cursor);
                        ExprKind::Variable(id)
                    }
                }
            }
            CXCursor_EnumConstantDecl if self.depends_on_line(declaration) => {
                let what =
                    "an enumerator that depends on `__LINE__` in a macro that is used over several lines";
                ExprKind::Other { what: Unnamed::value(what), parts: Vec::new() }
            }
            // C++ does not say clearly to which of `int` and `bool` it is converted, and compilers differ.
            CXCursor_EnumConstantDecl
                if self.tree.is_cxx
                    && !declaration.parent().is_scoped_enumeration()
                    && declaration.parent().ctype().of_enumeration().kind() == CXType_Bool =>
            {
                ExprKind::Other {
                    what: Unnamed::value("a value of an enumeration whose underlying type is `bool`"),
                    parts: Vec::new(),
                }
            }
            CXCursor_EnumConstantDecl if evaluation::depends(cursor) => ExprKind::Other {
                what: Unnamed::other("an enumerator on whose value compilers may not agree"),
                parts: Vec::new(),
            },
            CXCursor_EnumConstantDecl => ExprKind::Integer(declaration.enumerator_value()),
            CXCursor_UnexposedDecl if declaration.is_made_of_template() => self.of_template(cursor),
            CXCursor_UnexposedDecl => {
                ExprKind::Other { what: Unnamed::other("a structured binding"), parts: Vec::new() }
            }
            CXCursor_NonTypeTemplateParameter => {
                ExprKind::Other { what: Unnamed::other("a parameter of a template"), parts: Vec::new() }
            }
            _ => ExprKind::Other { what: Unnamed::other("the name of a function"), parts: Vec::new() },
        }
    }

    /// A variable that is made of a template: its value, if that is a constant.
    pub(super) fn of_template(&mut self, cursor: Cursor) -> ExprKind {
        let ctype = cursor.ctype().canonical();
        let is_fixed = ctype.is_const() && !ctype.is_volatile();
        let is_number = is_fixed && import_type(ctype).arithmetic().is_some() && !evaluation::depends(cursor);
        match cursor.evaluate().filter(|_| is_number) {
            Some(Constant::Integer(value)) => ExprKind::Integer(value),
            Some(Constant::Floating(_)) => ExprKind::Floating(floating_text(cursor)),
            None => ExprKind::Other { what: Unnamed::other("a variable of a template"), parts: Vec::new() },
        }
    }

    /// C allows `index[base]` as well.
    pub(super) fn subscript(&mut self, left: Cursor, right: Cursor) -> ExprKind {
        let (left, right) = (self.boxed(left), self.boxed(right));
        if left.ctype.is_pointer_like() {
            ExprKind::Subscript { base: left, index: right }
        } else {
            ExprKind::Subscript { base: right, index: left }
        }
    }

    pub(super) fn unary(&mut self, cursor: Cursor, operand: Cursor) -> ExprKind {
        let inner = self.boxed(operand);
        match cursor.unary_operator() {
            CXUnaryOperator_PostInc => ExprKind::Increment { down: false, postfix: true, target: inner },
            CXUnaryOperator_PreInc => ExprKind::Increment { down: false, postfix: false, target: inner },
            CXUnaryOperator_PostDec => ExprKind::Increment { down: true, postfix: true, target: inner },
            CXUnaryOperator_PreDec => ExprKind::Increment { down: true, postfix: false, target: inner },
            CXUnaryOperator_AddrOf => ExprKind::AddressOf(inner),
            CXUnaryOperator_Deref => {
                let index = Box::new(zero(&inner));
                ExprKind::Subscript { base: inner, index }
            }
            CXUnaryOperator_Plus => ExprKind::Unary(UnaryOp::Plus, inner),
            CXUnaryOperator_Minus => ExprKind::Unary(UnaryOp::Minus, inner),
            CXUnaryOperator_Not => ExprKind::Unary(UnaryOp::Complement, inner),
            CXUnaryOperator_LNot => ExprKind::Unary(UnaryOp::Not, inner),
            CXUnaryOperator_Real if is_complex(&inner) => ExprKind::Unary(UnaryOp::Real, inner),
            CXUnaryOperator_Imag if is_complex(&inner) => ExprKind::Unary(UnaryOp::Imaginary, inner),
            _ => ExprKind::Other { what: Unnamed::other("a part of a real number"), parts: vec![*inner] },
        }
    }

    pub(super) fn binary(&mut self, cursor: Cursor, left: Cursor, right: Cursor) -> ExprKind {
        let kind = cursor.binary_operator();
        if binary_operator(kind).is_none()
            && kind != CXBinaryOperator_Comma
            && assignment_operator(kind).is_none()
        {
            return self.other(describe(cursor), cursor);
        }
        let (target, value) = (self.boxed(left), self.boxed(right));
        if let Some(operator) = binary_operator(kind) {
            let (target, value) = match is_comparison(operator) {
                true => (Box::new(promoted(*target)), Box::new(promoted(*value))),
                false => (target, value),
            };
            return ExprKind::Binary(operator, target, value);
        }
        if kind == CXBinaryOperator_Comma {
            return ExprKind::Comma(target, value);
        }
        match assignment_operator(kind) {
            Some(operator) => ExprKind::Assign { operator, target, value },
            None => ExprKind::Other { what: describe(cursor), parts: vec![*target, *value] },
        }
    }

    pub(super) fn call(&mut self, call: Cursor, callee: Cursor, arguments: &[Cursor]) -> ExprKind {
        let Some(function) = called_function(callee) else {
            let mut all: Vec<Expr> = arguments.iter().map(|&argument| self.operand(argument)).collect();
            all.push(self.expr(callee));
            return ExprKind::Call { callee: None, arguments: all };
        };
        self.called(function);
        let by_value = self.takes_values(function);
        let counts = streams::may_count(&function.spelling(), arguments);
        let known = Callee { counts, ..self.callee(function) };
        let parameters = function.parameters();
        let mut all = Vec::new();
        for (position, &argument) in arguments.iter().enumerate() {
            all.push(match parameters.get(position) {
                Some(parameter) if argument.is_unwritten() => self.left_out(*parameter, call),
                _ if by_value => self.expr(argument),
                _ => self.operand(argument),
            });
        }
        if self.tree.is_cxx && !known.of_user && cxx::takes_doubles(&known.name, function) {
            all = all.into_iter().map(as_double).collect();
        }
        ExprKind::Call { callee: Some(known), arguments: all }
    }

    /// The argument that a call leaves out. It is evaluated where the call is, with the names of where the function is
    /// declared; so only a constant is understood.
    pub(super) fn left_out(&mut self, parameter: Cursor, call: Cursor) -> Expr {
        let range = call.range();
        let value = parameter.default_value().map(|value| self.expr(value));
        match value.filter(is_literal) {
            Some(value) => placed(value, range),
            None => {
                let what =
                    format!("the default value of `{}`, which is not a constant,", parameter.spelling());
                let kind = ExprKind::Other { what: Unnamed::Value(what.into()), parts: Vec::new() };
                Expr { kind, ctype: import_type(parameter.ctype()), range }
            }
        }
    }

    /// `a ?: b` of GNU C, which evaluates `a` once: it is `a ? a : b` if that does no more.
    pub(super) fn without_middle(&mut self, [condition, then, otherwise]: [Cursor; 3]) -> ExprKind {
        let (condition, then, otherwise) = (self.boxed(condition), self.boxed(then), self.boxed(otherwise));
        let mut repeatable = !then.ctype.volatile;
        then.walk(&mut |inner| {
            repeatable &= !inner.ctype.volatile
                && !matches!(
                    inner.kind,
                    ExprKind::Assign { .. }
                        | ExprKind::Increment { .. }
                        | ExprKind::Call { .. }
                        | ExprKind::Other { .. }
                );
        });
        match repeatable {
            true => ExprKind::Conditional { condition, then, otherwise },
            false => ExprKind::Other {
                what: Unnamed::value("`?:` without a middle operand, after anything but a plain value,"),
                parts: vec![*condition, *otherwise],
            },
        }
    }
}

/// The same type with elements of a type that no pass knows.
fn not_arithmetic(ctype: Type, spelling: &str) -> Type {
    let inner = |inner: Box<Type>| Box::new(not_arithmetic(*inner, spelling));
    let kind = match ctype.kind {
        TypeKind::Arithmetic(_) => TypeKind::Other(spelling.to_owned()),
        TypeKind::Pointer { target, restrict } => TypeKind::Pointer { target: inner(target), restrict },
        TypeKind::Array { element, length, restrict } => {
            TypeKind::Array { element: inner(element), length, restrict }
        }
        kind @ TypeKind::Other(_) => kind,
    };
    Type { kind, ..ctype }
}

fn is_complex(expr: &Expr) -> bool {
    expr.ctype.arithmetic().is_some_and(CType::is_complex)
}

pub(super) fn called_function<'u>(callee: Cursor<'u>) -> Option<Cursor<'u>> {
    match callee.children()[..] {
        _ if callee.kind() == CXCursor_DeclRefExpr => {
            let function = callee.referenced();
            let is_free = function.kind() == CXCursor_FunctionDecl;
            (is_free || function.is_static_member()).then_some(function)
        }
        [inner] if [CXCursor_UnexposedExpr, CXCursor_ParenExpr].contains(&callee.kind()) => {
            called_function(inner)
        }
        _ => None,
    }
}
