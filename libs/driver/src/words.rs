//! Command lines as text: split into words as a shell does, and quoted so that they can be pasted into a shell.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Splits a text at spaces into words, with the quoting of a shell. Returns `None` if a quote is not closed.
pub fn split(text: &OsStr) -> Option<Vec<OsString>> {
    let words = shlex::bytes::split(text.as_bytes())?;
    Some(words.into_iter().map(OsString::from_vec).collect())
}

/// Joins words to a shell command, quoted only where necessary.
pub fn shown<S: AsRef<OsStr>>(words: impl IntoIterator<Item = S>) -> OsString {
    let mut line = Vec::new();
    for word in words {
        if !line.is_empty() {
            line.push(b' ');
        }
        quote(word.as_ref().as_bytes(), &mut line);
    }
    OsString::from_vec(line)
}

fn quote(word: &[u8], line: &mut Vec<u8>) {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./=+,:@%-".contains(byte);
    if !word.is_empty() && word.iter().all(plain) {
        line.extend(word);
    } else if word.iter().any(u8::is_ascii_control) {
        quote_with_escapes(word, line);
    } else {
        line.push(b'\'');
        for &byte in word {
            match byte {
                b'\'' => line.extend(b"'\\''"),
                byte => line.push(byte),
            }
        }
        line.push(b'\'');
    }
}

/// Writes `$'…'`, which bash and most other shells accept.
fn quote_with_escapes(word: &[u8], line: &mut Vec<u8>) {
    line.extend(b"$'");
    for &byte in word {
        match byte {
            b'\n' => line.extend(b"\\n"),
            b'\t' => line.extend(b"\\t"),
            b'\r' => line.extend(b"\\r"),
            b'\'' | b'\\' => line.extend([b'\\', byte]),
            byte if byte.is_ascii_control() => line.extend(format!("\\{byte:03o}").bytes()),
            byte => line.push(byte),
        }
    }
    line.push(b'\'');
}

/// Joins two parts of a word.
pub fn joined(first: impl AsRef<OsStr>, second: impl AsRef<OsStr>) -> OsString {
    let mut word = first.as_ref().to_owned();
    word.push(second);
    word
}

/// Returns the rest of a word that starts with `beginning`.
pub fn rest<'a>(word: &'a OsStr, beginning: &str) -> Option<&'a OsStr> {
    word.as_bytes().strip_prefix(beginning.as_bytes()).map(OsStr::from_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_they_have_to_be() {
        let table: [(&[u8], &str); 7] = [
            (b"a/b-c.d=e", "a/b-c.d=e"),
            (b"", "''"),
            (b"a b", "'a b'"),
            (b"it's", "'it'\\''s'"),
            (b"a\nb'\x01", "$'a\\nb\\'\\001'"),
            (b"$HOME", "'$HOME'"),
            ("ä".as_bytes(), "'ä'"),
        ];
        for (word, text) in table {
            assert_eq!(shown([OsStr::from_bytes(word)]), text);
        }
        assert_eq!(shown(["a", "b c"]), "a 'b c'");
    }

    #[test]
    fn words_are_those_of_a_shell() {
        let words = |text: &str| split(OsStr::new(text));
        assert_eq!(words("gcc -DX='a b' \"c\"").unwrap(), ["gcc", "-DX=a b", "c"]);
        assert_eq!(words("").unwrap(), [""; 0]);
        assert_eq!(words("gcc 'x"), None);
    }
}
