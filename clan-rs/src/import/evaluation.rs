//! Constants that are something else when a compiler computes them than when the program does.
//!
//! `std::is_constant_evaluated` and `if consteval` ask who computes, and libclang's answer is that the program does.
//! `__PRETTY_FUNCTION__` is another text for clang than for the compiler that builds the program. Compilers do not
//! agree on the size of every class. A constant that such a question decides is a variable to the translation, which
//! takes its value from the program, or it is refused.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::HashSet;

use clang_sys::*;

use crate::c::clang::Cursor;
use crate::c::ctree::{Type, TypeKind};
use crate::import::cxx;
use crate::preprocessor::macros;

/// Those that ask.
const QUESTIONS: [&str; 3] =
    ["is_constant_evaluated", "__is_constant_evaluated", "__builtin_is_constant_evaluated"];

/// What stands as an attribute for the length of an array, if it depends on who computes it.
pub const LENGTH: &str = "length";

/// True if a variable is an array, or leads to one, and a length in its declaration may depend on who computes it.
pub fn has_length_that_depends(variable: Cursor, ctype: &Type) -> bool {
    let is_array = |ctype: &Type| matches!(ctype.kind, TypeKind::Array { .. });
    let leads_to_array = matches!(&ctype.kind, TypeKind::Pointer { target, .. } if is_array(target));
    let values = variable.initialiser().filter(|_| is_array(ctype) && !variable.ctype().is_reference());
    let mut lengths =
        variable.children().into_iter().filter(|child| !values.is_some_and(|values| values.is(*child)));
    (is_array(ctype) || leads_to_array) && lengths.any(depends)
}

/// True if the value of an expression, or something else that a declaration says, may depend on who computes it.
pub fn depends(code: Cursor) -> bool {
    let mut seen = HashSet::new();
    let mut unread = vec![code];
    while let Some(code) = unread.pop() {
        if macros::has_own_answers(code) || code.measures().into_iter().any(cxx::measures_class) {
            return true;
        }
        for mentioned in code.mentioned() {
            if QUESTIONS.contains(&mentioned.spelling().as_str()) {
                return true;
            }
            let declaration = match mentioned.kind() {
                CXCursor_EnumConstantDecl => mentioned.parent(),
                _ => mentioned.declaration(),
            };
            // Those of C++'s library ask as well, and compute the same.
            if !declaration.is_of_language() && seen.insert(declaration.identity()) {
                unread.extend(computed(mentioned, declaration));
            }
        }
    }
    false
}

/// What is computed where something is mentioned.
fn computed<'u>(mentioned: Cursor<'u>, declaration: Cursor<'u>) -> Option<Cursor<'u>> {
    match mentioned.kind() {
        CXCursor_VarDecl | CXCursor_ParmDecl | CXCursor_FieldDecl => {
            Some(mentioned.definition().unwrap_or(mentioned))
        }
        // libclang has no kind for variables that are made of a template.
        CXCursor_UnexposedDecl
        | CXCursor_EnumConstantDecl
        | CXCursor_TypedefDecl
        | CXCursor_TypeAliasDecl => Some(declaration),
        CXCursor_FunctionDecl
        | CXCursor_CXXMethod
        | CXCursor_Constructor
        | CXCursor_ConversionFunction
        | CXCursor_FunctionTemplate => mentioned.definition(),
        _ => None,
    }
}
