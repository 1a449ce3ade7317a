//! What the report calls lines of the source, and memory at an address of the host.

use std::fmt;

use scop::HostPlace;

/// Returns `line 7` or `lines 7, 9`.
pub fn in_lines(lines: &[u32]) -> String {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    format!("{} {}", if lines.len() == 1 { "line" } else { "lines" }, numbers.join(", "))
}

/// Memory in words, as the subject of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The words.
    words: String,
    /// True if they are plural.
    is_plural: bool,
}

impl Subject {
    /// Returns what a place is called: its element, its first and its last element, or its bytes and its address.
    pub fn of(place: &HostPlace) -> Self {
        let Some(bytes) = &place.bytes else {
            return Self::one(format!("the memory at `{}`", place.address));
        };
        let [address, bytes] = [&place.address, bytes].map(|text| as_written(without_guards(text)));
        let elements = address.strip_prefix('&').and_then(|first| {
            if bytes == format!("sizeof({first})") {
                return Some(Self::one(format!("`{first}`")));
            }
            let last =
                bytes.strip_prefix("(char *)(&")?.strip_suffix(&format!(" + 1) - (char *)&{first}"))?;
            Some(Self { words: format!("`{first}` to `{last}`"), is_plural: true })
        });
        // The address of a variable is all of it.
        elements.unwrap_or_else(|| Self { words: format!("`{bytes}` bytes at `{address}`"), is_plural: true })
    }

    /// Returns a subject in the singular.
    pub fn one(words: String) -> Self {
        Self { words, is_plural: false }
    }

    /// Returns `are` or `is`.
    pub fn be(&self) -> &'static str {
        if self.is_plural { "are" } else { "is" }
    }

    /// Returns `leave` or `leaves`.
    pub fn leave(&self) -> &'static str {
        if self.is_plural { "leave" } else { "leaves" }
    }

    /// Returns `end` or `ends`.
    pub fn end(&self) -> &'static str {
        if self.is_plural { "end" } else { "ends" }
    }

    /// Returns `they are` or `it is`.
    pub fn they_are(&self) -> &'static str {
        if self.is_plural { "they are" } else { "it is" }
    }

    /// Returns `needs them` or `needs it`.
    pub fn them(&self) -> &'static str {
        if self.is_plural { "them" } else { "it" }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// Returns the text between the conditions under which anything is touched and the zero that stands for nothing:
/// `(0 < n ? &u[0] : 0)` is `&u[0]`.
fn without_guards(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(" : 0)"));
    inner.and_then(|inner| inner.split_once(" ? ")).map_or(text, |(_, value)| value)
}

/// Returns C text as people write it: `u[0]` for `u.data()[0ul]`.
fn as_written(text: &str) -> String {
    let text = text.replace(".data()[", "[");
    let (mut out, mut is_number) = (String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let begins = !out.ends_with(|before: char| before.is_alphanumeric() || "_.".contains(before));
        is_number = letter.is_ascii_digit() && (is_number || begins);
        out.push(letter);
        let is_suffix = |next: &char| is_number && "uUlL".contains(*next);
        while letters.next_if(is_suffix).is_some() {}
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_by_their_elements() {
        for (address, bytes, words, is_plural) in [
            ("&u[i]", Some("sizeof(u[i])"), "`u[i]`", false),
            ("&a", Some("sizeof(a)"), "`a`", false),
            (
                "&u[0]",
                Some("(0 < n ? (char *)(&u[n - 1] + 1) - (char *)&u[0] : 0)"),
                "`u[0]` to `u[n - 1]`",
                true,
            ),
            (
                "(0 < n ? &g->u[0] : 0)",
                Some("(0 < n ? (char *)(&g->u[n - 1] + 1) - (char *)&g->u[0] : 0)"),
                "`g->u[0]` to `g->u[n - 1]`",
                true,
            ),
            ("p", Some("n * 8"), "`n * 8` bytes at `p`", true),
            ("p", None, "the memory at `p`", false),
            ("&u1l.data()[0ul]", Some("sizeof(u1l.data()[0ul])"), "`u1l[0]`", false),
            (
                "&f.data()[0ul]",
                Some(
                    "(0ul < f.size() ? (char *)(&f.data()[f.size() - 1ul] + 1) - (char *)&f.data()[0ul] : 0)",
                ),
                "`f[0]` to `f[f.size() - 1]`",
                true,
            ),
        ] {
            let place = HostPlace { address: address.to_owned(), bytes: bytes.map(str::to_owned) };
            assert_eq!(Subject::of(&place), Subject { words: words.to_owned(), is_plural });
        }
    }
}
