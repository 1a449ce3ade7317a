//! The header that the rewritten C source and the CUDA source share. It includes nothing and uses plain C types.

use scop::CType;
use scop::c_text::Dialect;

use crate::host_function::HostFunction;
use crate::layout;
use crate::verification;

/// The macro that guards the header of a file with this stem.
pub fn guard(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    let name: String = letters.collect();
    let start = if name.starts_with(|c: char| c.is_ascii_alphabetic()) { "" } else { "C2CUDA_" };
    format!("{start}{name}_GPU_H")
}

/// The text of the header; `guard` is the macro that guards it. Each function stands beside where its region is: `lines 3 to 9
/// of a.c`.
pub fn text(guard: &str, functions: &[(String, HostFunction)]) -> String {
    let boolean = format!("{}_BOOL", guard.trim_end_matches("_H"));
    let mut text = format!("#ifndef {guard}\n#define {guard}\n\n");
    if functions.iter().any(|(_, function)| function.arguments.iter().any(|a| a.ctype == CType::Bool)) {
        text.push_str(&format!(
            "#ifdef __cplusplus\n#define {boolean} bool\n#else\n#define {boolean} _Bool\n#endif\n\n"
        ));
    }
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    for (origin, function) in functions {
        text.push_str(&comment(origin, function));
        layout::wrap(&declaration(function, &boolean), 0, &mut text);
        if function.verification.is_some() {
            layout::wrap(&verification(function, &boolean), 0, &mut text);
        }
        text.push('\n');
    }
    text.push_str("#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    text
}

fn comment(origin: &str, function: &HostFunction) -> String {
    let declines = if function.may_decline {
        "\n   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU."
    } else {
        ""
    };
    format!("/* The region at {origin}.{declines} */\n")
}

fn arguments(function: &HostFunction, boolean: &str) -> Vec<String> {
    let type_name = |ctype| match ctype {
        CType::Bool => boolean.to_owned(),
        _ => Dialect::C.type_name(ctype).to_owned(),
    };
    function.arguments.iter().map(|argument| argument.declaration(type_name)).collect()
}

/// The function that compares.
fn verification(function: &HostFunction, boolean: &str) -> String {
    let arguments = [vec!["int phase".to_owned()], arguments(function, boolean)].concat();
    format!("int {}({});", verification::name(&function.name), arguments.join(", "))
}

fn declaration(function: &HostFunction, boolean: &str) -> String {
    let arguments = arguments(function, boolean);
    let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
    let result = if function.may_decline { "int" } else { "void" };
    format!("{result} {}({arguments});", function.name)
}
