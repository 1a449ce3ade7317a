//! The layout of statements: four spaces of indentation, at most 100 columns, braces only where they are needed.

use crate::code::stmt::Plain;

/// The largest number of columns of a line.
const WIDTH: usize = 100;

const INDENT: &str = "    ";

/// Returns the text of a block's statements at a depth of indentation, without braces around it.
pub fn render(block: &[Plain], depth: usize) -> String {
    let mut out = String::new();
    for (position, stmt) in block.iter().enumerate() {
        if *stmt == Plain::Blank {
            let inside = position > 0 && position + 1 < block.len() && !out.ends_with("\n\n");
            out.push_str(if inside { "\n" } else { "" });
        } else {
            render_stmt(stmt, depth, &mut out);
        }
    }
    out
}

fn render_stmt(stmt: &Plain, depth: usize, out: &mut String) {
    match stmt {
        Plain::Line { text, comment } => render_line(text, comment.as_deref(), depth, out),
        Plain::Declare { text, .. } => render_line(text, None, depth, out),
        Plain::Loop { head, body } => {
            render_head(head, body, needs_braces(body), depth, out);
            close(needs_braces(body), depth, out);
        }
        Plain::If { condition, then, otherwise } => render_if(condition, then, otherwise, depth, out),
        Plain::Scope(body) => {
            wrap("{", depth, out);
            out.push_str(&render(body, depth + 1));
            wrap("}", depth, out);
        }
        Plain::Comment(lines) => lines.iter().for_each(|line| push(&format!("// {line}"), depth, out)),
        Plain::Blank => {}
        Plain::Op(never) => match *never {},
    }
}

fn render_line(text: &str, comment: Option<&str>, depth: usize, out: &mut String) {
    match comment {
        Some(comment) if columns(text, depth) + comment.chars().count() + 5 <= WIDTH => {
            push(&format!("{text}  // {comment}"), depth, out);
        }
        _ => wrap(text, depth, out),
    }
}

fn render_if(condition: &str, then: &[Plain], otherwise: &[Plain], depth: usize, out: &mut String) {
    let head = format!("if ({condition})");
    let braces = needs_braces(then)
        || (!otherwise.is_empty() && (needs_braces(otherwise) && !is_chain(otherwise) || ends_in_if(then)));
    render_head(&head, then, braces, depth, out);
    if otherwise.is_empty() {
        return close(braces, depth, out);
    }
    let lead = if braces { "} else" } else { "else" };
    if let [Plain::If { .. }] = otherwise {
        let mut chain = String::new();
        render_stmt(&otherwise[0], depth, &mut chain);
        wrap_raw(&format!("{lead} {}", chain.trim_start()), depth, out);
        return;
    }
    let inner = braces || needs_braces(otherwise);
    render_head(lead, otherwise, inner, depth, out);
    close(inner, depth, out);
}

fn is_chain(otherwise: &[Plain]) -> bool {
    matches!(otherwise, [Plain::If { .. }])
}

fn render_head(head: &str, body: &[Plain], braces: bool, depth: usize, out: &mut String) {
    let brace = if braces { " {" } else { "" };
    wrap(&format!("{head}{brace}"), depth, out);
    out.push_str(&render(body, depth + 1));
}

fn close(braces: bool, depth: usize, out: &mut String) {
    if braces {
        wrap("}", depth, out);
    }
}

/// True if a body needs braces: it is not a single, short statement.
fn needs_braces(body: &[Plain]) -> bool {
    match body {
        [Plain::Line { text, .. }] => is_long(text),
        [Plain::Loop { head, body }] => is_long(head) || needs_braces(body),
        [Plain::If { condition, then, otherwise }] => {
            !otherwise.is_empty() || is_long(condition) || needs_braces(then)
        }
        _ => true,
    }
}

/// True if a text hardly fits on one line.
fn is_long(text: &str) -> bool {
    text.len() > WIDTH - 16
}

/// True if an `else` after the body would belong to an `if` in it.
fn ends_in_if(body: &[Plain]) -> bool {
    match body.last() {
        Some(Plain::If { .. }) => true,
        Some(Plain::Loop { body, .. }) => ends_in_if(body),
        _ => false,
    }
}

fn columns(text: &str, depth: usize) -> usize {
    depth * INDENT.len() + text.chars().count()
}

fn push(text: &str, depth: usize, out: &mut String) {
    out.push_str(INDENT.repeat(depth).as_str());
    out.push_str(text.trim_end());
    out.push('\n');
}

fn wrap_raw(text: &str, depth: usize, out: &mut String) {
    out.push_str(INDENT.repeat(depth).as_str());
    out.push_str(text);
}

/// Writes a line, which is broken if it is too long: where the operators bind least, and there as late as possible.
pub fn wrap(text: &str, depth: usize, out: &mut String) {
    let mut rest = text;
    let mut level = depth;
    while columns(rest, level) > WIDTH {
        let Some(at) = break_before(rest, WIDTH - level * INDENT.len()) else { break };
        push(&rest[..at], level, out);
        rest = rest[at..].trim_start();
        level = depth + if text.ends_with(';') { 1 } else { 2 };
    }
    push(rest, level, out);
}

/// Returns the lines of a statement that starts at a column.
pub fn wrapped(text: &str, column: usize) -> Vec<String> {
    let depth = column.div_ceil(INDENT.len());
    let mut out = String::new();
    wrap(text, depth, &mut out);
    let margin = INDENT.repeat(depth);
    out.lines().map(|line| line.strip_prefix(&margin).unwrap_or(line).to_owned()).collect()
}

/// Returns the byte before which a text is best broken, with at most `width` bytes before it.
fn break_before(text: &str, width: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut best: Option<(usize, usize)> = None;
    for (at, byte) in text.bytes().enumerate().take(width + 1) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'<' if text[at..].starts_with("<<<") => depth += 1,
            b'>' if text[at..].starts_with(">>>") => depth = depth.saturating_sub(1),
            b' ' if at > 0 => {
                let cost = break_cost(text, at).map(|cost| cost + 2 * depth);
                if let Some(cost) = cost.filter(|cost| best.is_none_or(|(least, _)| *cost <= least)) {
                    best = Some((cost, at + 1));
                }
            }
            _ => {}
        }
    }
    best.map(|(_, at)| at)
}

/// Returns the cost of a break at a space; `None` if a break is not allowed there.
fn break_cost(text: &str, space: usize) -> Option<usize> {
    let before = text[..space].rsplit(' ').next().unwrap_or_default();
    let after = text[space + 1..].split(' ').next().unwrap_or_default();
    match (before, after) {
        ("=", _) => Some(1),
        (word, _) if word.ends_with([',', ';']) => Some(0),
        (_, "&&" | "||" | "?" | ":") => Some(0),
        (_, "+" | "-") => Some(1),
        (_, "*" | "/" | "%") => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::stmt::append;

    fn for_loop(body: Vec<Plain>) -> Plain {
        Plain::Loop { head: "for (;;)".to_owned(), body }
    }

    fn branch(then: Vec<Plain>, otherwise: Vec<Plain>) -> Plain {
        Plain::If { condition: "c".to_owned(), then, otherwise }
    }

    #[test]
    fn braces_stand_only_where_needed() {
        let a = || Plain::line("a;");
        for (stmt, expected) in [
            (for_loop(vec![a()]), "for (;;)\n    a;\n"),
            (for_loop(vec![a(), a()]), "for (;;) {\n    a;\n    a;\n}\n"),
            (for_loop(vec![for_loop(vec![a()])]), "for (;;)\n    for (;;)\n        a;\n"),
            (branch(vec![a()], vec![a()]), "if (c)\n    a;\nelse\n    a;\n"),
            (
                branch(vec![branch(vec![a()], vec![])], vec![a()]),
                "if (c) {\n    if (c)\n        a;\n} else {\n    a;\n}\n",
            ),
            (
                branch(vec![a()], vec![branch(vec![a(), a()], vec![a()])]),
                "if (c)\n    a;\nelse if (c) {\n    a;\n    a;\n} else {\n    a;\n}\n",
            ),
        ] {
            assert_eq!(render(&[stmt], 0), expected);
        }
    }

    #[test]
    fn a_name_declared_twice_gets_braces() {
        let declaration = || vec![Plain::declare("t", "int t;")];
        let mut block = declaration();
        append(&mut block, declaration());
        assert_eq!(render(&block, 0), "int t;\n{\n    int t;\n}\n");
    }

    #[test]
    fn long_lines_are_broken_at_the_outermost_place() {
        let argument = "x".repeat(26);
        let text = format!("call({argument}, ({argument} + {argument}), {argument});");
        let expected = format!("call({argument}, ({argument} + {argument}),\n    {argument});\n");
        let mut out = String::new();
        wrap(&text, 0, &mut out);
        assert_eq!(out, expected);
    }
}
