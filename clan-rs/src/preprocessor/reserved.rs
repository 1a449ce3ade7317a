//! Names that compilers reserve, and where a text has them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use scop::SourceRange;

/// Where a file names a macro.
#[derive(Debug, Clone)]
pub struct Mention {
    /// The file.
    pub path: PathBuf,
    /// Where in it.
    pub range: SourceRange,
    /// Whether the file defines or undefines it there.
    pub defines: bool,
}

/// Names that are reserved and predefined by no compiler, or that stand for the place where they are.
const OTHERS: [&str; 23] = [
    "__attribute__",
    "__restrict",
    "__restrict__",
    "__inline",
    "__inline__",
    "__func__",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
    "__extension__",
    "__asm__",
    "__volatile__",
    "__VA_ARGS__",
    "__VA_OPT__",
    "__LINE__",
    "__FILE__",
    "__FILE_NAME__",
    "__BASE_FILE__",
    "__COUNTER__",
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
    "__INCLUDE_LEVEL__",
    "_Pragma",
];

/// True for a name that a compiler may have predefined.
pub fn is_candidate(name: &str) -> bool {
    is_reserved(name.as_bytes()) && !name.starts_with("__builtin_") && !OTHERS.contains(&name)
}

/// True for identifiers that begin with two underscores, or with one and a capital letter.
pub fn is_reserved(name: &[u8]) -> bool {
    matches!(name, [b'_', b'_' | b'A'..=b'Z', ..])
}

/// The length of the identifier, or the number, with which a text begins.
pub fn identifier_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte >= 0x80).count()
}

/// All that looks like an identifier, in comments as well.
pub fn words_in(text: &[u8]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < text.len() {
        let length = identifier_length(&text[at..]);
        if length > 0 && !text[at].is_ascii_digit() {
            found.extend(std::str::from_utf8(&text[at..at + length]).map(str::to_owned));
        }
        at += length.max(1);
    }
    found
}
