//! The header that the C source and the generated file share. It includes nothing and uses plain C types.

use scop::CType;
use scop::c_text::{Dialect, complex};

use crate::host::calls::HostCall;
use crate::host::program::Interface;
use crate::print::layout;
use crate::print::target::Target;

/// Returns the include guard of a header for a source with this stem.
pub fn guard(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    let name: String = letters.collect();
    format!("C2CUDA_{name}_GPU_H")
}

/// Returns the text of the header of a `file`; `guard` is its include guard. Each function is paired with the place
/// of its region, such as `lines 3 to 9 of a.c`. The functions that the rest of the source
/// calls come last.
pub fn text(
    file: &str,
    guard: &str,
    functions: &[(String, &Interface)],
    calls: &[(HostCall, String)],
    target: Target,
) -> String {
    let stem = guard.trim_end_matches("_H");
    let mut text = format!("/* Generated from {file} by c2cuda. */\n#ifndef {guard}\n#define {guard}\n\n");
    for ctype in [CType::Bool, CType::FloatComplex, CType::DoubleComplex] {
        if functions.iter().any(|(_, function)| function.arguments.iter().any(|a| a.ctype == ctype)) {
            text.push_str(&type_macro(stem, ctype, target));
        }
    }
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    for (origin, function) in functions {
        text.push_str(&comment(origin, function));
        layout::wrap(&declaration(function, stem), 0, &mut text);
        if function.is_verified {
            layout::wrap(&verification(function, stem), 0, &mut text);
        }
        text.push('\n');
    }
    if !calls.is_empty() {
        text.push_str(ABOUT_CALLS);
    }
    for (call, name) in calls {
        text.push_str(&format!("/* {} */\n", call.comment()));
        layout::wrap(&format!("{} {name}({});", call.result(), call.parameters()), 0, &mut text);
        text.push('\n');
    }
    text.push_str("#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    text
}

/// What the header says about the functions that the rest of the source calls.
const ABOUT_CALLS: &str =
    "/* Arrays stay on the device between regions. Code outside of regions calls these functions
   before it uses them. They do nothing for memory that is not on the device, and for a number of
   bytes that is not positive. */\n\n";

fn comment(origin: &str, function: &Interface) -> String {
    let declines = if function.may_decline {
        "\n   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU."
    } else {
        ""
    };
    format!("/* The region at {origin}.{declines} */\n")
}

/// Returns the macro for a type that the languages spell differently.
fn macro_name(stem: &str, ctype: CType) -> Option<String> {
    let name = match ctype {
        CType::Bool => "BOOL",
        CType::FloatComplex => "FLOAT_COMPLEX",
        CType::DoubleComplex => "DOUBLE_COMPLEX",
        _ => return None,
    };
    Some(format!("{stem}_{name}"))
}

/// Returns the definition of this macro. Complex numbers are C's own types everywhere except in the generated file,
/// which gets them only through pointers.
fn type_macro(stem: &str, ctype: CType, target: Target) -> String {
    let Some(name) = macro_name(stem, ctype) else { return String::new() };
    let (language, there) = match ctype {
        CType::Bool => ("__cplusplus", "bool".to_owned()),
        _ => (target.compiler(), format!("struct {}", complex::structure(ctype))),
    };
    let here = ctype.c_name();
    let declared = if ctype.is_complex() { format!("{there};\n") } else { String::new() };
    format!("#ifdef {language}\n{declared}#define {name} {there}\n#else\n#define {name} {here}\n#endif\n\n")
}

fn arguments(function: &Interface, stem: &str) -> Vec<String> {
    let type_name = |ctype| macro_name(stem, ctype).unwrap_or_else(|| Dialect::C.type_name(ctype).to_owned());
    function.arguments.iter().map(|argument| argument.declaration(type_name)).collect()
}

/// Returns the prototype of the function that compares.
fn verification(function: &Interface, stem: &str) -> String {
    let arguments = [vec!["int phase".to_owned()], arguments(function, stem)].concat();
    format!("int {}({});", function.verification(), arguments.join(", "))
}

fn declaration(function: &Interface, stem: &str) -> String {
    let arguments = arguments(function, stem);
    let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
    let result = if function.may_decline { "int" } else { "void" };
    format!("{result} {}({arguments});", function.name)
}
