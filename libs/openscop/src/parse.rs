//! Parses text into [`Block`]s.
//!
//! No memory is allocated for a count in the text: every row and every name must be present.

use crate::error::{OpenScopError, Result};
use crate::extension;
use crate::file::{Block, BlockStatement, Relation, RelationKind, Tagged};
use crate::lines::{Line, Lines, shortened};
use crate::matrix::parts;

/// The tags around a scop.
pub const START: &str = "<OpenScop>";
const END: &str = "</OpenScop>";

/// True if a text contains a scop. In JSON no line can be the tag, because strings contain no newlines.
pub fn is_openscop(text: &str) -> bool {
    let mut lines = Lines::new(text, 1);
    text.contains(START) && std::iter::from_fn(|| lines.next_line()).any(|line| line.text == START)
}

/// Parses all scops of a text. Text outside of them is skipped, as in OpenScop's library, because Pluto also
/// prints messages to standard output.
pub fn parse(text: &str) -> Result<Vec<Block>> {
    let mut lines = Lines::new(text, 1);
    let mut blocks = Vec::new();
    while let Some(line) = lines.next_line() {
        if line.text == START {
            blocks.push(block(line, &mut lines)?);
        }
    }
    if blocks.is_empty() { Err(lines.ended(&format!("`{START}`"))) } else { Ok(blocks) }
}

fn unexpected(line: Line<'_>, what: &str) -> OpenScopError {
    OpenScopError::syntax(line.at, format!("expected {what}, found `{}`", shortened(line.text)))
}

fn block(start: Line<'_>, lines: &mut Lines<'_>) -> Result<Block> {
    let language = lines.expect("the language of the program")?.text.to_owned();
    let context = relation(lines)?;
    if context.kind != RelationKind::Context {
        return Err(OpenScopError::syntax(context.at, "expected the CONTEXT"));
    }
    let parameters = parameters(lines)?;
    let count = lines.count("the number of statements")?;
    let mut statements = Vec::new();
    for _ in 0..count {
        statements.push(statement(lines)?);
    }
    let mut extensions = Vec::new();
    loop {
        let line = lines.expect(&format!("`{END}`"))?;
        if line.text == END {
            return Ok(Block { language, context, parameters, statements, extensions, at: start.at });
        }
        extensions.push(tagged(line, lines)?);
    }
}

/// Reads the names of the parameters, which are between `<strings>` tags or, in older versions, on a line of
/// their own.
fn parameters(lines: &mut Lines<'_>) -> Result<Option<Vec<String>>> {
    if lines.count("whether the parameters have names")? == 0 {
        return Ok(None);
    }
    let line = lines.expect("the names of the parameters")?;
    if line.text.starts_with('<') {
        let tagged = tagged(line, lines)?;
        return extension::strings(&tagged).map(Some);
    }
    Ok(Some(line.words().map(|(_, word)| word.to_owned()).collect()))
}

fn statement(lines: &mut Lines<'_>) -> Result<BlockStatement> {
    let at = lines.peek().ok_or_else(|| lines.ended("a statement"))?.at;
    let count = lines.count("the number of relations of a statement")?;
    let mut relations = Vec::new();
    for _ in 0..count {
        relations.push(relation(lines)?);
    }
    let count = lines.count("the number of extensions of a statement")?;
    let mut extensions = Vec::new();
    for _ in 0..count {
        let line = lines.expect("an extension of a statement, such as `<body>`")?;
        extensions.push(if line.text.starts_with('<') {
            tagged(line, lines)?
        } else {
            untagged_body(line, &relations, lines)?
        });
    }
    Ok(BlockStatement { relations, extensions, at })
}

/// Reads the body as older versions write it: the iterators, if there are any, and the expression, each on a
/// line.
fn untagged_body(line: Line<'_>, relations: &[Relation], lines: &mut Lines<'_>) -> Result<Tagged> {
    let domain = relations.iter().find(|relation| relation.kind == RelationKind::Domain);
    let depth = domain.and_then(|domain| domain.parts.first()).map_or(0, |part| part.output);
    let (iterators, expression) = match depth {
        0 => (Vec::new(), line.text),
        _ => {
            let names = line.words().map(|(_, word)| word.to_owned()).collect();
            (names, lines.expect("the body of a statement")?.text)
        }
    };
    let body = extension::Body { iterators, expression: expression.to_owned() };
    Ok(Tagged { at: line.at, ..body.tagged() })
}

fn relation(lines: &mut Lines<'_>) -> Result<Relation> {
    let line = lines.expect("a relation")?;
    let kind = RelationKind::ALL.into_iter().find(|kind| kind.name() == line.text);
    let kind = kind.ok_or_else(|| {
        let names = RelationKind::ALL.map(RelationKind::name);
        unexpected(line, &format!("a relation, one of {}", names.join(", ")))
    })?;
    Ok(Relation { kind, parts: parts(lines)?, at: line.at })
}

/// Reads an extension. Its opening and closing tags are each alone on a line.
fn tagged(line: Line<'_>, lines: &mut Lines<'_>) -> Result<Tagged> {
    let name = line.text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let name = name.filter(|name| is_tag(name)).ok_or_else(|| unexpected(line, "an extension `<name>`"))?;
    let end = format!("</{name}>");
    let mut text = String::new();
    while let Some((_, content)) = lines.raw() {
        if content.trim_ascii() == end {
            return Ok(Tagged { tag: name.to_owned(), text, at: line.at });
        }
        text.push_str(content);
        text.push('\n');
    }
    Err(OpenScopError::syntax(line.at, format!("there is no `{end}` for this")))
}

/// True if a name has the form of an OpenScop tag.
pub fn is_tag(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(&byte))
}
