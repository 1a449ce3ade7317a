//! Whether the making of an object may leave a pointer to it.
//!
//! The text that declares an object does not mention it, but its constructors may keep `this`, or the addresses of
//! members. Those are searched of which there is a body, and what is not understood there counts as keeping a pointer.
//! A class of the system's keeps none to what users can name, unless it holds objects of theirs.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::HashMap;

use clang_sys::*;

use crate::c::clang::{Cursor, Type};
use crate::import::cxx::is_scalar_value;

/// What is known of classes.
#[derive(Debug, Default)]
pub struct Classes {
    /// True for those whose objects may be known to others once they are made.
    known: HashMap<String, bool>,
    /// Those that are being searched, each for the one before it.
    searched: Vec<String>,
}

impl Classes {
    /// True if the making of a variable's object may leave a pointer to it or to a part of it.
    pub fn leave_pointers_to(&mut self, variable: Cursor) -> bool {
        self.leave_pointers(variable.ctype()) || may_be_made_elsewhere(variable)
    }

    /// True if the making of an object of this type, or of an array of such, may leave a pointer to it or to a part of
    /// it.
    pub fn leave_pointers(&mut self, ctype: Type) -> bool {
        class_of(ctype).is_some_and(|class| self.class(class))
    }

    fn class(&mut self, class: Type) -> bool {
        // Qualifiers make no other class.
        let declaration = class.declaration();
        let name = declaration.ctype().canonical().spelling();
        if let Some(&known) = self.known.get(&name) {
            return known;
        }
        if self.searched.contains(&name) {
            // Delegating constructors lead back to their class, all of whose constructors are searched. Of a class
            // further out nothing is known yet.
            return self.searched.last() != Some(&name);
        }
        self.searched.push(name.clone());
        let leaves = if declaration.is_of_language() {
            class.template_arguments().into_iter().any(|argument| self.leave_pointers(argument))
        } else {
            class.fields().into_iter().any(|field| self.leave_pointers(field.ctype()))
                || self.parts_leave_pointers(declaration)
                || declaration.template().is_some_and(|template| {
                    self.parts_leave_pointers(template) || self.specialisations_leave_pointers(declaration)
                })
        };
        self.searched.pop();
        self.known.insert(name, leaves);
        leaves
    }

    /// The same of what is written in a class.
    fn parts_leave_pointers(&mut self, class: Cursor) -> bool {
        let definition = class.definition().unwrap_or(class);
        definition.children().into_iter().any(|part| match part.kind() {
            CXCursor_CXXBaseSpecifier => {
                let base = part.ctype().canonical();
                base.kind() != CXType_Record || self.class(base)
            }
            CXCursor_FieldDecl => !self.are_values(&part.children()),
            CXCursor_Constructor => !self.is_harmless(part),
            CXCursor_FunctionTemplate => {
                part.kind_of_template() == CXCursor_Constructor && !self.is_harmless(part)
            }
            _ => false,
        })
    }

    /// The same of constructors that are written for a class alone, and not for all that its template makes.
    fn specialisations_leave_pointers(&mut self, class: Cursor) -> bool {
        let name = class.ctype().canonical().spelling();
        let written = class.root().specialised_constructors().into_iter();
        let mut own =
            written.filter(|constructor| constructor.parent().ctype().canonical().spelling() == name);
        own.any(|constructor| !self.is_harmless(constructor))
    }

    /// True for a constructor that certainly keeps no pointer to the object.
    fn is_harmless(&mut self, constructor: Cursor) -> bool {
        if constructor.is_defaulted_or_deleted() {
            return true;
        }
        let Some(definition) = constructor.definition() else { return false };
        definition.children().into_iter().all(|child| match child.kind() {
            CXCursor_CompoundStmt | CXCursor_CXXTryStmt => self.is_harmless_statement(child),
            _ => !child.is_expression() || self.is_value(child),
        })
    }

    fn is_harmless_statement(&mut self, cursor: Cursor) -> bool {
        let parts = cursor.children();
        match cursor.kind() {
            CXCursor_CompoundStmt
            | CXCursor_IfStmt
            | CXCursor_ForStmt
            | CXCursor_WhileStmt
            | CXCursor_DoStmt
            | CXCursor_SwitchStmt
            | CXCursor_CaseStmt
            | CXCursor_DefaultStmt
            | CXCursor_CXXTryStmt
            | CXCursor_NullStmt
            | CXCursor_BreakStmt
            | CXCursor_ContinueStmt => parts.into_iter().all(|part| self.is_harmless_statement(part)),
            CXCursor_DeclStmt => parts.into_iter().all(|part| match part.kind() {
                CXCursor_VarDecl => part.initialiser().is_none_or(|value| self.is_value(value)),
                kind => [CXCursor_TypedefDecl, CXCursor_TypeAliasDecl, CXCursor_StaticAssert].contains(&kind),
            }),
            CXCursor_ReturnStmt => self.are_values(&parts),
            _ => self.is_place(cursor),
        }
    }

    fn are_values(&mut self, parts: &[Cursor]) -> bool {
        parts.iter().all(|part| !part.is_expression() || self.is_value(*part))
    }

    /// True if whatever becomes of an expression, it leads nobody to the object: no reference to a part of it is in it.
    fn is_value(&mut self, cursor: Cursor) -> bool {
        let parts = cursor.children();
        match (cursor.kind(), &parts[..]) {
            (CXCursor_CXXThisExpr | CXCursor_LambdaExpr, _) => false,
            (CXCursor_MemberRefExpr, &[base, ..]) if base.is_expression() => self.is_value(base),
            (CXCursor_MemberRefExpr, _) => false,
            // The load of a number or pointer from its place. The address of an array is none.
            (CXCursor_UnexposedExpr, &[inner]) if is_scalar_value(cursor.ctype()) && !is_array(inner) => {
                self.is_place(inner)
            }
            (CXCursor_CallExpr, _) => self.is_harmless_call(cursor),
            (
                CXCursor_IntegerLiteral
                | CXCursor_FloatingLiteral
                | CXCursor_CharacterLiteral
                | CXCursor_StringLiteral
                | CXCursor_CXXBoolLiteralExpr
                | CXCursor_CXXNullPtrLiteralExpr
                | CXCursor_UnaryExpr
                | CXCursor_DeclRefExpr,
                _,
            ) => true,
            (
                CXCursor_UnexposedExpr
                | CXCursor_ParenExpr
                | CXCursor_UnaryOperator
                | CXCursor_BinaryOperator
                | CXCursor_CompoundAssignOperator
                | CXCursor_ConditionalOperator
                | CXCursor_ArraySubscriptExpr
                | CXCursor_CStyleCastExpr
                | CXCursor_CXXStaticCastExpr
                | CXCursor_CXXFunctionalCastExpr
                | CXCursor_InitListExpr
                | CXCursor_CXXNewExpr
                | CXCursor_CXXDeleteExpr
                | CXCursor_CXXThrowExpr,
                _,
            ) => self.are_values(&parts),
            _ => false,
        }
    }

    /// The same of one that is only read or written, so that it may be a part of the object.
    fn is_place(&mut self, cursor: Cursor) -> bool {
        let parts = cursor.children();
        match (cursor.kind(), &parts[..]) {
            (CXCursor_MemberRefExpr, &[base, ..]) if base.is_expression() => {
                base.kind() == CXCursor_CXXThisExpr || self.is_place(base)
            }
            (CXCursor_MemberRefExpr, _) => true,
            (CXCursor_ParenExpr, &[inner]) => self.is_place(inner),
            (CXCursor_ArraySubscriptExpr, &[base, index]) => {
                let array = match base.children()[..] {
                    [inner] if base.kind() == CXCursor_UnexposedExpr && is_array(inner) => inner,
                    _ => base,
                };
                self.is_place(array) && self.is_value(index)
            }
            (CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator, &[target, value])
                if is_assignment(cursor) =>
            {
                self.is_place(target) && self.is_value(value)
            }
            (CXCursor_UnaryOperator, &[target]) if is_increment(cursor) => self.is_place(target),
            _ => self.is_value(cursor),
        }
    }

    /// A call that no part of the object goes to, but for objects of the system's classes that go to functions of the
    /// system's.
    fn is_harmless_call(&mut self, call: Cursor) -> bool {
        let function = call.referenced();
        let of_system = function.is_of_language();
        let leaves = match function.kind() {
            CXCursor_Constructor => self.leave_pointers(call.ctype()),
            _ => !of_system && makes_object(call),
        };
        if leaves {
            return false;
        }
        call.children().into_iter().filter(|part| part.is_expression()).all(
            |part| match part.children()[..] {
                // The callee, which has the object in it.
                [object] if of_system && is_method(part) => {
                    self.is_of_system(object) || self.is_value(object)
                }
                _ => of_system && self.is_of_system(part) || self.is_value(part),
            },
        )
    }

    /// True for a member of a class of the system's of whose objects users name no parts.
    fn is_of_system(&mut self, cursor: Cursor) -> bool {
        let class = cursor.ctype().canonical();
        cursor.kind() == CXCursor_MemberRefExpr
            && class.kind() == CXType_Record
            && class.declaration().is_of_language()
            && !class.fields().into_iter().any(Cursor::is_public)
            && !self.class(class)
    }
}

/// The class of a type, or of the elements of an array.
fn class_of(ctype: Type) -> Option<Type> {
    let mut class = ctype.canonical();
    while [CXType_ConstantArray, CXType_VariableArray, CXType_IncompleteArray].contains(&class.kind()) {
        class = class.element().canonical();
    }
    (class.kind() == CXType_Record).then_some(class)
}

/// True for an object that a function may have made for its caller, and known: a variable that the function returns may
/// be the caller's object (C++17, 11.10.5), and so may what is passed by value, unless its bytes are copied.
fn may_be_made_elsewhere(variable: Cursor) -> bool {
    // Users name no parts of those of the system's classes that hide theirs.
    let has_parts = |class: Type| {
        !class.declaration().is_of_language() || class.fields().into_iter().any(Cursor::is_public)
    };
    let is_made =
        || variable.initialiser().is_some_and(|initial| initial.calls().into_iter().any(makes_object));
    let is_passed = |class: Type| variable.kind() == CXCursor_ParmDecl && !is_copied_by_bytes(class);
    class_of(variable.ctype()).is_some_and(|class| has_parts(class) && (is_passed(class) || is_made()))
}

/// True for a class whose objects nobody sees being copied: compilers pass the bytes of such (Itanium C++ ABI,
/// 3.1.2.3).
fn is_copied_by_bytes(class: Type) -> bool {
    let part_is = |part: Type| match class_of(part) {
        Some(class) => is_copied_by_bytes(class),
        None => part.canonical().kind() != CXType_Unexposed,
    };
    let declaration = class.declaration();
    let written = [Some(declaration), declaration.template()].into_iter().flatten();
    let mut parts = written.flat_map(|class| class.definition().unwrap_or(class).children());
    class.is_plain_old_data()
        || class.fields().into_iter().all(|field| part_is(field.ctype()))
            && parts.all(|part| match part.kind() {
                CXCursor_CXXBaseSpecifier => !part.is_virtual() && part_is(part.ctype()),
                CXCursor_CXXMethod => !part.is_virtual(),
                CXCursor_Destructor => part.is_defaulted_or_deleted() && !part.is_virtual(),
                CXCursor_Constructor => !part.copies_or_moves() || part.is_defaulted_or_deleted(),
                _ => true,
            })
}

/// True for a call of a function whose value is an object.
fn makes_object(call: Cursor) -> bool {
    call.referenced().kind() != CXCursor_Constructor && class_of(call.ctype()).is_some()
}

fn is_method(cursor: Cursor) -> bool {
    cursor.kind() == CXCursor_MemberRefExpr && cursor.referenced().kind() == CXCursor_CXXMethod
}

fn is_array(cursor: Cursor) -> bool {
    [CXType_ConstantArray, CXType_IncompleteArray].contains(&cursor.ctype().canonical().kind())
}

fn is_assignment(cursor: Cursor) -> bool {
    let operator = cursor.binary_operator();
    (CXBinaryOperator_Assign..=CXBinaryOperator_OrAssign).contains(&operator)
}

fn is_increment(cursor: Cursor) -> bool {
    let increments =
        [CXUnaryOperator_PostInc, CXUnaryOperator_PostDec, CXUnaryOperator_PreInc, CXUnaryOperator_PreDec];
    increments.contains(&cursor.unary_operator())
}
