//! Messages about texts that are not documents.

use openscop::{Notice, OpenScopError, OpenScopFault};
use scop::{Diagnostic, Diagnostics, FORMAT, ReadError, SourceRange, VERSION};

use crate::input::{Input, too_long};

const CHAIN: &str = "the chain is clan-rs, candl-rs, scheduler, gpulocalizer, cloog-rs, cudagen; `clan-rs FILE.c -o \
                     FILE.json` writes the first document";

/// Returns the text of an input that should be a document.
pub fn text(input: &Input) -> Result<&str, Diagnostics> {
    if input.bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(empty(&input.name).into());
    }
    std::str::from_utf8(&input.bytes).map_err(|error| {
        let message = format!("{} is not text: byte {} is not UTF-8", input.name, error.valid_up_to());
        Diagnostic::error("E0002", message).with_help(CHAIN).into()
    })
}

fn empty(name: &str) -> Diagnostic {
    Diagnostic::error("E0003", format!("{name} is empty"))
        .with_help("a tool that fails writes nothing: see the messages of the previous tool")
}

/// Returns the message for a text that is not a document of the stage that `tool` reads.
pub fn explain(tool: &str, input: &Input, text: &str, error: &openscop::ReadError) -> Diagnostic {
    match error {
        openscop::ReadError::OpenScop(error) => not_openscop(&input.name, text, error),
        openscop::ReadError::Document(error) => not_document(tool, &input.name, text, error),
    }
}

fn not_document(tool: &str, name: &str, text: &str, error: &ReadError) -> Diagnostic {
    match error {
        ReadError::TooLong => too_long(name),
        ReadError::Syntax { message, line, column } => not_json(name, text, message, *line, *column),
        ReadError::Foreign(why) => {
            Diagnostic::error("E0004", format!("{name} is JSON, but not a document of {FORMAT}: {why}"))
                .with_help(CHAIN)
        }
        ReadError::Version { found } => {
            let message =
                format!("{name} has version {found} of the format, but this {tool} reads version {VERSION}");
            Diagnostic::error("E0005", message)
                .with_help("create it again with the tools of one installation")
        }
        ReadError::MissingSection { scop, key, writer } => Diagnostic::error(
            "E0006",
            format!("scop {scop} of {name} has no section `{key}`, which {writer} writes"),
        )
        .with_help(first_run(tool, writer, name)),
        ReadError::Shape { path, message } => {
            Diagnostic::error("E0007", format!("`{path}` of {name} is wrong: {message}"))
                .with_help("the schema of documents is docs/schema/c2cuda-2.json")
        }
    }
}

/// Describes how to write a missing section. With some options, a tool reads a section that it writes itself without
/// them.
fn first_run(tool: &str, writer: &str, name: &str) -> String {
    match (writer, tool) {
        ("scheduler", "scheduler") => {
            let order = "scheduler --only order";
            format!("run `{order}` first: `{order} {name} | scheduler --only map`")
        }
        (writer, tool) if writer == tool => {
            format!("run `{writer} {name}` first, without other options, and pass on what it writes")
        }
        _ => format!("run `{writer}` first: `{writer} {name} | {tool}`"),
    }
}

fn not_openscop(name: &str, text: &str, error: &OpenScopError) -> Diagnostic {
    let (code, what, help) = match error.kind {
        OpenScopFault::Syntax => ("E0010", "is not OpenScop", None),
        OpenScopFault::Meaning => ("E0011", "is OpenScop, but not a program", None),
        OpenScopFault::Limit => ("E0012", "exceeds the limits of this tool", None),
        OpenScopFault::Stale => ("E0013", "contradicts itself", Some(STALE)),
        OpenScopFault::Unrelated => ("E0019", "does not fit the document", Some(UNRELATED)),
    };
    let diagnostic = Diagnostic::error(code, format!("{name} {what}: {error}"));
    let diagnostic = match range_at(text, offset_of(text, error.line, error.column)) {
        Some(range) if error.line > 0 => diagnostic.at(name, range, ""),
        _ => diagnostic,
    };
    match help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

const UNRELATED: &str =
    "`--order` takes a text that was made from the document: `candl-rs --openscop FILE.json` writes one";

const STALE: &str = "without its extensions `c_to_cuda` the text is read as that of another tool: dependences and loops are found, \
                     but no CUDA is generated";

/// Returns the message for a result that is too large for any tool to read.
pub fn too_large(tool: &str, error: &ReadError) -> Diagnostic {
    Diagnostic::error("E0012", format!("the result of {tool} exceeds the limits of the tools: {error}"))
        .with_help("split the program into smaller regions, and long expressions into several statements")
}

/// Returns warnings for what the parser noticed in a text.
pub fn notices(input: &Input, text: &str, notices: &[Notice]) -> Vec<Diagnostic> {
    let message = |notice: &Notice| {
        let diagnostic = Diagnostic::warning("W0010", notice.message.clone());
        match place(text, notice.line, notice.column) {
            Some(range) => diagnostic.at(&input.name, range, ""),
            None => diagnostic,
        }
    };
    notices.iter().map(message).collect()
}

fn not_json(name: &str, text: &str, message: &str, line: usize, column: usize) -> Diagnostic {
    let diagnostic = Diagnostic::error("E0003", format!("{name} is not JSON: {message}"));
    let Some(range) = place(text, line, column) else { return diagnostic };
    let diagnostic = diagnostic.at(name, range, "");
    if message.starts_with("EOF") {
        diagnostic.with_help("the text ends too early: was the tool that wrote it interrupted?")
    } else if looks_like_c(text) {
        diagnostic.with_help(CHAIN)
    } else {
        diagnostic
    }
}

/// Checks whether a text looks like C: giving a C file to a tool that reads a document is the likeliest mistake.
fn looks_like_c(text: &str) -> bool {
    let text = text.trim_start();
    ["#", "/*", "//"].iter().any(|start| text.starts_with(start)) || text.contains("#pragma scop")
}

/// Returns the byte at which the parser failed. Its columns count bytes from 1; 0 is the end of the previous line.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column).saturating_sub(1).min(text.len())
}

/// Returns the range of the character at which the parser failed, given its line and column.
pub fn place(text: &str, line: usize, column: usize) -> Option<SourceRange> {
    range_at(text, offset_of(text, line, column))
}

/// Returns the range of the character that contains a byte of a text.
fn range_at(text: &str, offset: usize) -> Option<SourceRange> {
    let start = floor(text, offset);
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let width = text[start..].chars().next().map_or(0, char::len_utf8);
    Some(SourceRange {
        start: u32::try_from(start).ok()?,
        end: u32::try_from(start + width).ok()?,
        line: u32::try_from(before.matches('\n').count() + 1).ok()?,
        column: u32::try_from(start - line_start + 1).ok()?,
    })
}

/// Returns the start of the character that contains the byte at `offset`.
fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::first_run;

    #[test]
    fn what_to_run_first_is_another_command() {
        for (tool, writer, help) in [
            ("gpulocalizer", "scheduler", "run `scheduler` first: `scheduler f.json | gpulocalizer`"),
            (
                "scheduler",
                "scheduler",
                "run `scheduler --only order` first: `scheduler --only order f.json | scheduler --only map`",
            ),
            (
                "candl-rs",
                "candl-rs",
                "run `candl-rs f.json` first, without other options, and pass on what it writes",
            ),
        ] {
            assert_eq!(first_run(tool, writer, "f.json"), help);
        }
    }
}
