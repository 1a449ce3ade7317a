//! Statements whose bodies are known as text alone, because another tool described them in OpenScop.
//!
//! Each becomes a macro with its iterators as parameters, as CLooG's users write them:
//!
//! ```c
//! #define S0(i, j) c[i][j] = 0
//! S0(c0, (c1 + 1));
//! ```

use scop::{Model, Statement};

/// The macros of all statements.
pub fn macros(model: &Model) -> String {
    model.statements.iter().map(definition).collect()
}

fn definition(statement: &Statement) -> String {
    let names: Vec<&str> = statement.iterators.iter().map(|iterator| iterator.name.as_str()).collect();
    let body = statement.text.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    format!("#define {}({}) {body}\n", statement.id, names.join(", "))
}

/// One instance.
pub fn call(statement: &Statement, values: impl Iterator<Item = String>, indent: &str) -> String {
    let values: Vec<String> = values.map(parenthesised).collect();
    format!("{indent}{}({});\n", statement.id, values.join(", "))
}

fn parenthesised(value: String) -> String {
    if value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        value
    } else {
        format!("({value})")
    }
}
