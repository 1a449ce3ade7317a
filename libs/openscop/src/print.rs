//! Prints [`Block`]s as text.

use std::fmt::Write as _;

use crate::file::{Block, BlockStatement, Matrix, Relation, RelationKind, Tagged};

/// Returns the text of some scops.
pub fn print(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        print_block(block, &mut text);
    }
    text
}

// Writing to a string cannot fail.
macro_rules! line {
    ($text:expr, $($argument:tt)*) => {{ let _ = writeln!($text, $($argument)*); }};
}

fn print_block(block: &Block, text: &mut String) {
    line!(text, "<OpenScop>\n");
    heading("Global", text);
    line!(text, "# Language\n{}\n\n# Context", block.language);
    relation(&block.context, text);
    match &block.parameters {
        Some(names) => {
            line!(text, "\n# Parameters are provided\n1\n<strings>\n{}\n</strings>", names.join(" "));
        }
        None => line!(text, "\n# Parameters are not provided\n0"),
    }
    line!(text, "\n# Number of statements\n{}\n", block.statements.len());
    for (number, statement) in block.statements.iter().enumerate() {
        print_statement(number + 1, statement, text);
    }
    if !block.extensions.is_empty() {
        heading("Extensions", text);
    }
    for tagged in &block.extensions {
        print_tagged(tagged, text);
        text.push('\n');
    }
    line!(text, "</OpenScop>\n");
}

fn heading(title: &str, text: &mut String) {
    line!(text, "# =============================================== {title}");
}

fn print_statement(number: usize, statement: &BlockStatement, text: &mut String) {
    heading(&format!("Statement {number}"), text);
    line!(text, "# Number of relations describing the statement\n{}\n", statement.relations.len());
    for (position, part) in statement.relations.iter().enumerate() {
        line!(text, "# ---------------------------------------------- {number}.{}", position + 1);
        relation(part, text);
        text.push('\n');
    }
    line!(text, "# Number of extensions of the statement\n{}", statement.extensions.len());
    for tagged in &statement.extensions {
        print_tagged(tagged, text);
    }
    text.push('\n');
}

fn print_tagged(tagged: &Tagged, text: &mut String) {
    line!(text, "<{}>\n{}</{}>", tagged.tag, tagged.text, tagged.tag);
}

/// Prints a relation.
pub fn relation(relation: &Relation, text: &mut String) {
    line!(text, "{}", relation.kind.name());
    if relation.parts.len() > 1 {
        line!(text, "# Union with {} parts\n{}", relation.parts.len(), relation.parts.len());
    }
    for part in &relation.parts {
        print_matrix(relation.kind, part, text);
    }
}

fn print_matrix(kind: RelationKind, matrix: &Matrix, text: &mut String) {
    let Matrix { output, input, local, parameters, rows } = matrix;
    line!(text, "{} {} {output} {input} {local} {parameters}", rows.len(), matrix.columns() + 1);
    if rows.is_empty() {
        return;
    }
    let names = column_names(kind, matrix);
    let bars = bars(matrix);
    line!(text, "# e/i{}", aligned(&names, &bars));
    for row in rows {
        let numbers: Vec<String> = row.coefficients.iter().map(i64::to_string).collect();
        line!(text, "    {}{}", u8::from(!row.equality), aligned(&numbers, &[]));
    }
}

/// Returns the columns before which the header has a bar.
fn bars(matrix: &Matrix) -> Vec<usize> {
    let mut bars = vec![0];
    for size in [matrix.output, matrix.input, matrix.local, matrix.parameters] {
        bars.push(bars.last().copied().unwrap_or_default() + size);
    }
    bars
}

fn aligned(cells: &[String], bars: &[usize]) -> String {
    let cell = |(position, cell): (usize, &String)| {
        let bar = if bars.contains(&position) { "|" } else { " " };
        format!("{bar}{cell:>5}")
    };
    cells.iter().enumerate().map(cell).collect()
}

fn column_names(kind: RelationKind, matrix: &Matrix) -> Vec<String> {
    let is_access = matches!(kind, RelationKind::Read | RelationKind::Write | RelationKind::MayWrite);
    let output = |position: usize| match kind {
        _ if is_access && position == 0 => "Arr".to_owned(),
        _ if is_access => format!("[{position}]"),
        RelationKind::Scattering => format!("c{}", position + 1),
        _ => format!("i{}", position + 1),
    };
    let numbered = |letter: char, size: usize| (1..=size).map(move |number| format!("{letter}{number}"));
    let mut names: Vec<String> = (0..matrix.output).map(output).collect();
    names.extend(numbered('i', matrix.input));
    names.extend(numbered('l', matrix.local));
    names.extend(numbered('P', matrix.parameters));
    names.push("1".to_owned());
    names
}
