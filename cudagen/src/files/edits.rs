//! Changes of the source, and the `#line` directives that they need.

use scop::{Diagnostic, Diagnostics, Source};

use crate::files::line_directives::{directive, line_of, resumed};
use crate::files::text::newline;

/// The replacement of a part of the source, which may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Where the part begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What takes its place.
    pub text: Vec<u8>,
    /// How this changes the lines.
    pub form: Form,
    /// The order of edits at one place.
    pub rank: Rank,
}

/// How an edit changes the lines of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// It does not: there is no line break in the edit.
    Inline,
    /// The edit adds lines before the line that follows; its text does not end with a line break.
    LinesBefore,
    /// The edit adds or removes lines after the line in which it begins.
    LinesAfter,
}

/// The order of edits at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// After code that ends here; code further inside has a smaller number.
    After(usize),
    /// Before code that begins here; code further outside has a smaller number.
    Before(usize),
    /// Instead of code that begins here.
    Instead,
}

/// Returns the source from an offset on with the edits made.
///
/// # Errors
/// Reports a bug if edits overlap or are not in the source.
pub fn apply(of: &Source, source: &[u8], from: usize, mut edits: Vec<Edit>) -> Result<Vec<u8>, Diagnostics> {
    edits.sort_by_key(|edit| (edit.start, edit.rank));
    let mut writer = Writer { of, source, at: from, before: Form::Inline, out: Vec::new() };
    for edit in edits {
        writer.keep(edit.start, Some(edit.form))?;
        writer.out.extend_from_slice(&edit.text);
        writer.at = edit.end;
        if edit.form != Form::Inline {
            writer.before = edit.form;
        }
    }
    writer.keep(source.len(), None)?;
    Ok(writer.out)
}

/// The text written so far.
struct Writer<'a> {
    of: &'a Source,
    source: &'a [u8],
    /// Up to where the source has been read.
    at: usize,
    /// How the lines changed since the source was last copied.
    before: Form,
    out: Vec<u8>,
}

impl Writer<'_> {
    /// Copies the source up to an offset, where an edit of a form follows.
    fn keep(&mut self, end: usize, next: Option<Form>) -> Result<(), Diagnostics> {
        let text = self.source.get(self.at..end).ok_or_else(not_in_source)?;
        let line = line_of(self.source, self.at);
        let newline = newline(self.source);
        match self.before {
            Form::LinesBefore if !text.is_empty() || next == Some(Form::Inline) => {
                let directive = directive(self.of, line);
                let parts = [newline.as_bytes(), directive.as_bytes(), newline.as_bytes(), text];
                self.out.extend(parts.concat());
            }
            Form::LinesBefore => self.out.extend_from_slice(newline.as_bytes()),
            Form::LinesAfter if text.is_empty() => return Ok(()),
            Form::LinesAfter => self.out.extend(resumed(self.of, text, line, newline)),
            Form::Inline => self.out.extend_from_slice(text),
        }
        self.before = Form::Inline;
        Ok(())
    }
}

fn not_in_source() -> Diagnostics {
    Diagnostic::bug("cudagen", "the regions and calls are not in the source one after the other").into()
}
