//! The text of the source file.

use scop::SourceRange;

/// A source file, with the data to find places in it.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// Its bytes, which need not be UTF-8.
    pub bytes: Vec<u8>,
    /// The uses of macros, as pairs of offsets.
    pub macro_uses: Vec<(u32, u32)>,
}

impl SourceText {
    /// Returns the text at `range`, with replacement characters for bytes that are not UTF-8.
    pub fn slice(&self, range: SourceRange) -> String {
        let bytes = self.bytes.get(range.start as usize..range.end as usize).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Returns the first byte from an offset on that is no blank.
    pub fn next_byte(&self, offset: u32) -> Option<u8> {
        let rest = self.bytes.get(offset as usize..).unwrap_or_default();
        rest.iter().copied().find(|byte| !byte.is_ascii_whitespace())
    }

    /// Returns the range from one offset to another.
    pub fn range(&self, start: u32, end: u32) -> SourceRange {
        let before = self.bytes.get(..start as usize).unwrap_or(&self.bytes);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        SourceRange { start, end, line: line as u32, column: column as u32 }
    }

    /// Returns the offsets at which lines begin after the first byte of a range, up to its end.
    pub fn lines_in(&self, range: SourceRange) -> Vec<u32> {
        let bytes = self.bytes.get(range.start as usize..range.end as usize).unwrap_or_default();
        let newlines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        newlines.map(|(offset, _)| range.start + offset as u32 + 1).collect()
    }

    /// Returns the offset of the end of the line at `offset`, before its newline.
    pub fn end_of_line(&self, offset: u32) -> u32 {
        let rest = self.bytes.get(offset as usize..).unwrap_or_default();
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let carriage_return = usize::from(rest[..length].ends_with(b"\r"));
        offset + (length - carriage_return) as u32
    }

    /// Returns the end of the logical line at `offset`, after the preprocessor has joined lines.
    pub fn end_of_joined_line(&self, offset: u32) -> u32 {
        end_of_joined_line(&self.bytes, offset as usize) as u32
    }

    /// Returns the end of the line at `offset`, which is the end of a directive. If a comment after the directive
    /// continues on the next line, returns `offset` itself.
    pub fn end_of_directive(&self, offset: u32) -> u32 {
        let end = self.end_of_line(offset);
        let rest = self.bytes.get(offset as usize..end as usize).unwrap_or_default().trim_ascii_end();
        let goes_on =
            rest.windows(2).any(|pair| pair == b"/*") || rest.ends_with(b"\\") || rest.ends_with(b"??/");
        if goes_on { offset } else { end }
    }

    /// Returns the range of the statements from `first` to `last`, including the macro uses that they come from and
    /// the semicolon after them.
    pub fn whole_statements(&self, first: SourceRange, last: SourceRange) -> SourceRange {
        let (start, _) = self.around_macros(first);
        let (_, end) = self.around_macros(last);
        self.range(start, self.past_semicolon(end))
    }

    fn around_macros(&self, range: SourceRange) -> (u32, u32) {
        let inside = |offset: u32| {
            self.macro_uses.iter().copied().filter(move |&(start, end)| start < offset && offset < end)
        };
        let start = inside(range.start).map(|(start, _)| start).min().unwrap_or(range.start);
        let end = inside(range.end).map(|(_, end)| end).max().unwrap_or(range.end);
        (start, end)
    }

    /// Returns the end of the semicolon that follows `end`, possibly after comments; `end` itself if there is none.
    fn past_semicolon(&self, end: u32) -> u32 {
        let mut position = end as usize;
        while let Some(rest) = self.bytes.get(position..) {
            position += match rest {
                [b';', ..] => return position as u32 + 1,
                [b'/', b'*', inside @ ..] => 2 + after_comment(inside),
                [b'/', b'/', inside @ ..] => 2 + after_line_comment(inside),
                [byte, ..] if byte.is_ascii_whitespace() => 1,
                _ => break,
            };
        }
        end
    }
}

/// Returns the end of a logical line, before its newline. The preprocessor joins lines at a backslash and inside a
/// comment.
pub fn end_of_joined_line(text: &[u8], offset: usize) -> usize {
    let mut position = offset;
    while let Some(rest) = text.get(position..).filter(|rest| !rest.is_empty()) {
        position += match rest {
            [b'\n', ..] | [b'\r', b'\n', ..] => return position,
            [b'\\', inside @ ..] => 1 + line_break(inside).unwrap_or(usize::from(!inside.is_empty())),
            [b'/', b'*', inside @ ..] => 2 + after_comment(inside),
            [b'/', b'/', inside @ ..] => 2 + after_line_comment(inside),
            [quote @ (b'"' | b'\''), inside @ ..] => 1 + after_quote(inside, *quote),
            _ => 1,
        };
    }
    text.len()
}

/// Returns the length of a line break with the spaces before it, which compilers allow after a backslash.
fn line_break(text: &[u8]) -> Option<usize> {
    let spaces = text.iter().take_while(|byte| b" \t\r".contains(byte)).count();
    (text.get(spaces) == Some(&b'\n')).then_some(spaces + 1)
}

/// Returns the length of the rest of a comment, after its `/*`.
fn after_comment(text: &[u8]) -> usize {
    text.windows(2).position(|two| two == b"*/").map_or(text.len(), |position| position + 2)
}

/// Returns the length of the rest of a line comment, which ends before the newline.
fn after_line_comment(text: &[u8]) -> usize {
    let mut position = 0;
    while let Some(&byte) = text.get(position).filter(|&&byte| byte != b'\n') {
        position += 1;
        if byte == b'\\' {
            position += line_break(&text[position..]).unwrap_or(0);
        }
    }
    position - usize::from(text[..position].ends_with(b"\r"))
}

/// Returns the length of the rest of a literal, which ends on the same line.
fn after_quote(text: &[u8], quote: u8) -> usize {
    let mut position = 0;
    while let Some(&byte) = text.get(position).filter(|&&byte| byte != b'\n') {
        position += 1;
        match byte {
            b'\\' => position += line_break(&text[position..]).unwrap_or(1),
            _ if byte == quote => break,
            _ => {}
        }
    }
    position.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str, macro_uses: &[(u32, u32)]) -> SourceText {
        SourceText { bytes: text.as_bytes().to_vec(), macro_uses: macro_uses.to_vec() }
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        let source = text("ab\r\ncd\n", &[]);
        assert_eq!((source.range(0, 1).line, source.range(0, 1).column), (1, 1));
        assert_eq!((source.range(5, 6).line, source.range(5, 6).column), (2, 2));
        assert_eq!(source.end_of_line(0), 2);
        assert_eq!(source.end_of_line(4), 6);
        assert_eq!(source.end_of_line(7), 7);
    }

    #[test]
    fn lines_are_joined_as_by_the_preprocessor() {
        let table = [
            ("ab\ncd\n", 2),
            ("a\\\nb\nc", 4),
            ("a\\ \r\nb\nc", 6),
            ("a /* \n */ b\nc", 11),
            ("a // \\\nb\nc", 8),
            ("a // /* \nb */\nc", 8),
            ("a // it's \" \r\nb\nc", 12),
            ("\"/*\" \nc", 5),
            ("'\\'/*' \nc", 7),
            ("a\\b\nc", 3),
            ("a", 1),
            ("a\\", 2),
            ("it's\nc", 4),
        ];
        for (text_before, end) in table {
            assert_eq!(text(text_before, &[]).end_of_joined_line(0), end, "{text_before:?}");
        }
    }

    #[test]
    fn comments_after_directives_stay_whole() {
        for (rest, end) in [("", 1), (" // c", 6), (" // c \\", 1), (" /* c", 1), (" // c \\ ", 1)] {
            let bytes = format!("x{rest}\r\nd */ e").into_bytes();
            let source = SourceText { bytes, macro_uses: Vec::new() };
            assert_eq!(source.end_of_directive(1), end, "{rest}");
        }
    }

    #[test]
    fn a_statement_takes_in_its_macro_and_its_semicolon() {
        let source = text("A2(i, j) = 0 ;", &[(0, 8)]);
        let whole = source.whole_statements(source.range(3, 12), source.range(3, 12));
        assert_eq!(source.slice(whole), "A2(i, j) = 0 ;");
        assert_eq!(whole.column, 1);
        for (after, taken) in [
            (" /* c */ ; d", " /* c */ ;"),
            (" // c ; \n;", " // c ; \n;"),
            (" // \\\n ;\n;", " // \\\n ;\n;"),
            (" /* ; */ d;", ""),
            ("", ""),
        ] {
            let source = text(&format!("a{after}"), &[]);
            let whole = source.whole_statements(source.range(0, 1), source.range(0, 1));
            assert_eq!(source.slice(whole), format!("a{taken}"));
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_survive() {
        let source = SourceText { bytes: b"/* \xe9 */ x".to_vec(), macro_uses: Vec::new() };
        assert_eq!(source.slice(source.range(8, 9)), "x");
        assert_eq!(source.slice(source.range(3, 4)), "\u{fffd}");
    }
}
