//! Renders messages: for people, with the line of the source, a caret under the construct and a way out; or in one
//! line each, for people who have many of them and for programs.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Snippet};
use scop::{Diagnostic, Place, Severity, SourceRange, hash_text};

use crate::messages::{self, MessageFormat};

/// Shows messages on the standard error.
pub struct Renderer {
    tool: String,
    format: MessageFormat,
    renderer: annotate_snippets::Renderer,
    texts: BTreeMap<String, Vec<u8>>,
    hashes: BTreeMap<String, String>,
}

impl Renderer {
    /// Returns a renderer with colours if the standard error is a terminal and the user has not set `NO_COLOR`.
    pub fn for_stderr(tool: &str, format: MessageFormat) -> Self {
        let renderer = if colours_wanted() {
            annotate_snippets::Renderer::styled()
        } else {
            annotate_snippets::Renderer::plain()
        };
        Self { tool: tool.to_owned(), format, ..Self::new(renderer) }
    }

    fn new(renderer: annotate_snippets::Renderer) -> Self {
        let (tool, format) = (String::new(), MessageFormat::Human);
        Self { tool, format, renderer, texts: BTreeMap::new(), hashes: BTreeMap::new() }
    }

    /// Uses `text` as the contents of the file `path`, which need not exist.
    pub fn remember(&mut self, path: &str, text: &str) {
        self.texts.insert(path.to_owned(), text.as_bytes().to_vec());
    }

    /// From now on, shows lines of the file `path` only if it has this hash. Otherwise the file has changed, and
    /// positions in it are meaningless.
    pub fn expect_hash(&mut self, path: &str, hash: &str) {
        self.hashes.insert(path.to_owned(), hash.to_owned());
    }

    /// Shows messages. A failure to do so cannot be reported.
    pub fn show(&mut self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            let text = match self.format {
                MessageFormat::Human => self.render(diagnostic),
                MessageFormat::Short => messages::short(diagnostic),
                MessageFormat::Json => messages::json(&self.tool, diagnostic),
            };
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }

    fn render(&mut self, diagnostic: &Diagnostic) -> String {
        let mut group = title(diagnostic);
        if let Some(place) = &diagnostic.place {
            group = group.elements(self.place(place, &diagnostic.label));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        self.renderer.render(&[group])
    }

    fn place<'a>(&mut self, place: &'a Place, label: &'a str) -> Vec<Element<'a>> {
        let excerpt = self.text(&place.path).and_then(|text| Excerpt::new(text, place.range));
        match excerpt {
            Some(excerpt) => vec![quoted(place, excerpt, label)],
            None => unquoted(place, label),
        }
    }

    /// Returns the contents of a file, empty if it cannot be read or has changed.
    fn text(&mut self, path: &str) -> Option<&[u8]> {
        if !self.texts.contains_key(path) {
            let text = fs::read(path).unwrap_or_default();
            let changed = self.hashes.get(path).is_some_and(|hash| *hash != hash_text(&text));
            self.texts.insert(path.to_owned(), if changed { Vec::new() } else { text });
        }
        self.texts.get(path).map(Vec::as_slice)
    }
}

fn colours_wanted() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stderr().is_terminal() && !set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Returns the title. A bug's message names the tool, so the title of a bug has no code.
fn title(diagnostic: &Diagnostic) -> Group<'_> {
    let message = diagnostic.message.as_str();
    Group::with_title(match diagnostic.severity {
        Severity::Bug => Level::ERROR.with_name("internal error").primary_title(message),
        Severity::Error => Level::ERROR.primary_title(message).id(diagnostic.code.as_str()),
        Severity::Warning => Level::WARNING.primary_title(message).id(diagnostic.code.as_str()),
        Severity::Note => Level::NOTE.primary_title(message),
    })
}

fn quoted<'a>(place: &'a Place, excerpt: Excerpt, label: &'a str) -> Element<'a> {
    Snippet::source(excerpt.text)
        .path(place.path.as_str())
        .line_start(place.range.line as usize)
        .annotation(AnnotationKind::Primary.span(excerpt.span).label(label))
        .into()
}

fn unquoted<'a>(place: &'a Place, label: &'a str) -> Vec<Element<'a>> {
    let origin = Origin::path(place.path.as_str())
        .line(place.range.line as usize)
        .char_column(place.range.column as usize);
    let note = (!label.is_empty()).then(|| Level::NOTE.message(label).into());
    std::iter::once(origin.into()).chain(note).collect()
}

/// The lines that a range overlaps.
struct Excerpt {
    /// The lines, the last one without its newline. Bytes that are not UTF-8 are replaced.
    text: String,
    /// The range, in bytes of `text`.
    span: Range<usize>,
}

impl Excerpt {
    /// Returns `None` if the text does not have this range at this line and column.
    fn new(text: &[u8], range: SourceRange) -> Option<Self> {
        let (start, end) = (range.start as usize, range.end as usize);
        let before = text.get(..start)?;
        let marked = text.get(start..end)?;
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let newlines = before.iter().filter(|&&byte| byte == b'\n').count();
        if (newlines + 1, start - line_start + 1) != (range.line as usize, range.column as usize) {
            return None;
        }
        let line_end =
            text[end..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |length| end + length);
        let head = String::from_utf8_lossy(&before[line_start..]);
        let marked = String::from_utf8_lossy(marked).replace("\r\n", "\n");
        let tail = String::from_utf8_lossy(&text[end..line_end]);
        let tail = tail.trim_end_matches('\r');
        let span = head.len()..head.len() + marked.len();
        Some(Self { text: format!("{head}{marked}{tail}"), span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "int x;\n\tA[i] = B[j];\nfor (;;)\n    y;\n";

    fn rendered(source: &[u8], range: SourceRange) -> String {
        let mut renderer = Renderer::new(annotate_snippets::Renderer::plain());
        renderer.texts.insert("a.c".to_owned(), source.to_vec());
        let diagnostic =
            Diagnostic::error("E0101", "not affine").at("a.c", range, "this").with_help("rewrite it");
        renderer.render(&diagnostic)
    }

    fn range(start: u32, end: u32, line: u32, column: u32) -> SourceRange {
        SourceRange { start, end, line, column }
    }

    #[test]
    fn the_caret_stands_under_the_construct() {
        let expected = "\
error[E0101]: not affine
 --> a.c:2:9
  |
2 |     A[i] = B[j];
  |            ^^^^ this
  |
  = help: rewrite it";
        assert_eq!(rendered(SOURCE.as_bytes(), range(15, 19, 2, 9)), expected);
    }

    #[test]
    fn a_construct_of_several_lines_is_framed() {
        let text = rendered(SOURCE.as_bytes(), range(21, 36, 3, 1));
        assert!(text.contains("3 | / for (;;)\n4 | |     y;\n"), "{text}");
    }

    #[test]
    fn without_a_trustworthy_text_the_place_alone_is_shown() {
        for (source, range) in [
            ("", range(15, 19, 2, 9)),
            (SOURCE, range(15, 1900, 2, 9)),
            (SOURCE, range(19, 15, 2, 13)),
            (SOURCE, range(15, 19, 3, 9)),
        ] {
            let text = rendered(source.as_bytes(), range);
            let place = format!("--> a.c:{}:{}", range.line, range.column);
            assert!(text.contains(&place) && text.contains("note: this") && !text.contains("B[j]"), "{text}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_do_no_harm() {
        let text = rendered(b"/* \xe9\xe8 */ bad();", range(9, 12, 1, 10));
        assert!(text.contains("bad();") && text.contains("^^^ this"), "{text}");
    }

    #[test]
    fn lines_may_end_as_on_windows() {
        let text = rendered(b"a;\r\nfor (;;)\r\n    y;\r\nz;\r\n", range(4, 20, 2, 1));
        assert!(text.contains("2 | / for (;;)\n3 | |     y;\n"), "{text}");
    }

    #[test]
    fn a_file_that_changed_is_not_quoted() {
        let mut renderer = Renderer::new(annotate_snippets::Renderer::plain());
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        renderer.expect_hash(path, "0");
        let diagnostic = Diagnostic::error("E0101", "not affine").at(path, range(0, 9, 1, 1), "this");
        assert!(!renderer.render(&diagnostic).contains("[package]"));
    }
}
