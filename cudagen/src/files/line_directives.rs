//! `#line` directives, which keep the line numbers and file path of the user's source in the rewritten source.

use scop::Source;

use crate::files::text::is_idle;

/// Returns the line number of an offset, counted from 1.
pub fn line_of(source: &[u8], offset: usize) -> u32 {
    let newlines = source[..offset].iter().filter(|&&byte| byte == b'\n').count();
    u32::try_from(newlines + 1).unwrap_or(u32::MAX)
}

/// Returns the directive that precedes a line of a source.
pub fn directive(of: &Source, line: u32) -> String {
    let (number, path) = of.presumed(line);
    format!("#line {number} \"{}\"", escaped(path))
}

/// Returns the text that follows a replaced part of the source, with the directive that it needs; `line` is the line
/// where the text begins. Blanks and a comment that end this line stay before the directive.
pub fn resumed(of: &Source, text: &[u8], line: u32, newline: &str) -> Vec<u8> {
    let end = text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| at + 1);
    let (first, others) = text.split_at(end);
    let (line_of_rest, kept, rest) =
        if is_idle(first) { (line + 1, first, others) } else { (line, newline.as_bytes(), text) };
    if rest.is_empty() {
        return text.to_vec();
    }
    [kept, directive(of, line_of_rest).as_bytes(), newline.as_bytes(), rest].concat()
}

/// Escapes a path for a string literal.
pub fn escaped(path: &str) -> String {
    let mut text = String::new();
    for character in path.chars() {
        match character {
            '\\' | '"' | '?' => text.extend(['\\', character]),
            _ if character.is_ascii_control() => text += &format!("\\{:03o}", u32::from(character)),
            _ => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use scop::LineDirective;

    fn source() -> Source {
        Source {
            path: "a \"b\"\\c??/\n1.c".to_owned(),
            language: "c".to_owned(),
            hash: String::new(),
            regions: Vec::new(),
            lines: vec![LineDirective { line: 10, presumed: 100, path: "x.y".to_owned() }],
        }
    }

    #[test]
    fn lines_have_the_numbers_that_directives_of_the_source_gave_them() {
        assert_eq!(directive(&source(), 9), r#"#line 9 "a \"b\"\\c\?\?/\0121.c""#);
        assert_eq!(directive(&source(), 12), r#"#line 102 "x.y""#);
    }

    #[test]
    fn a_source_goes_on_in_the_next_line() {
        let resumed =
            |text: &str| String::from_utf8(resumed(&source(), text.as_bytes(), 20, "\n").to_vec()).unwrap();
        assert_eq!(resumed("\n}\n"), "\n#line 111 \"x.y\"\n}\n");
        assert_eq!(resumed(" // x\r\n}\n"), " // x\r\n#line 111 \"x.y\"\n}\n");
        assert_eq!(resumed("\n"), "\n");
        assert_eq!(resumed("  "), "  ");
        for same_line in [" }\n", " /* x\n */\n", " // x \\\ny\nz\n"] {
            assert_eq!(resumed(same_line), format!("\n#line 110 \"x.y\"\n{same_line}"));
        }
    }
}
