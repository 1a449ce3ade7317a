//! Declarations with the names of functions that generated files call.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::{Diagnostic, names};

use crate::c::clang::{Cursor, Unit};
use crate::errors::{Fault, NAME_OF_CUDA};

/// Refuses a file if the linker would take one of its variables, or of its functions with a body, for a function of
/// CUDA's or HIP's. A declaration of a function may be that of the library itself.
pub fn check(unit: &Unit) -> Vec<Fault> {
    let top = unit.top_level();
    let of_user = top.filter(|child| child.is_declaration() && !child.is_of_language());
    let all = of_user.flat_map(|cursor| std::iter::once(cursor).chain(cursor.declarations_below()));
    all.filter(|declaration| collides(*declaration)).map(refused).collect()
}

fn collides(declaration: Cursor) -> bool {
    let has_memory_or_code = match declaration.kind() {
        CXCursor_VarDecl => true,
        CXCursor_FunctionDecl => declaration.is_definition(),
        _ => false,
    };
    has_memory_or_code && declaration.linker_name().is_some_and(|name| names::is_runtime_function(&name))
}

fn refused(declaration: Cursor) -> Fault {
    let name = declaration.spelling();
    let library = if name.contains("hip") { "HIP" } else { "CUDA" };
    let message = format!("`{name}` has the same name as a function of {library} that generated files call");
    let help = "give it another name, or make it `static`";
    if declaration.is_in_main_file() {
        let label = "the linker would use this instead";
        return Fault::new(NAME_OF_CUDA, message, declaration.name_range(), label).with_help(help);
    }
    let message = format!("{message}; it is declared in a header");
    Fault(Box::new(Diagnostic::error(NAME_OF_CUDA, message).with_help(help)))
}
