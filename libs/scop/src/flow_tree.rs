//! Translates schedule trees from the flow style of YAML, which islpy's `str` prints, to block style:
//!
//! ```text
//! { domain: "{ S0[] }", child: { mark: "m" } }   →   domain: "{ S0[] }"
//!                                                    child:
//!                                                      mark: "m"
//! ```

/// The greatest depth that is read: we write no deeper trees, and reading them might exhaust the stack.
const MAX_DEPTH: usize = 200;

/// Returns the same tree in block style; nothing if the text is not a tree in flow style.
pub fn block_of(text: &str) -> Option<String> {
    let mut reader = Reader { rest: text, lines: String::new() };
    reader.node("", 0)?;
    reader.rest.trim_start().is_empty().then_some(reader.lines)
}

struct Reader<'a> {
    rest: &'a str,
    lines: String,
}

impl<'a> Reader<'a> {
    /// Reads `{ key: value, … }`; `first` is printed before the first key.
    fn node(&mut self, first: &str, depth: usize) -> Option<()> {
        self.expect('{')?;
        let mut lead = first;
        loop {
            let key = self.word()?;
            self.expect(':')?;
            self.entry(lead, key, depth)?;
            lead = "";
            match self.next_sign()? {
                ',' => {}
                '}' => return Some(()),
                _ => return None,
            }
        }
    }

    fn entry(&mut self, lead: &str, key: &str, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let indent = if lead.is_empty() { 2 * depth } else { 2 * depth - lead.len() };
        self.lines.extend(std::iter::repeat_n(' ', indent));
        self.lines.push_str(&format!("{lead}{key}:"));
        match self.peek()? {
            '{' => {
                self.lines.push('\n');
                self.node("", depth + 1)
            }
            '[' => self.list(depth),
            '"' => {
                let end = self.rest[1..].find('"')? + 2;
                let (string, rest) = self.rest.split_at(end);
                self.rest = rest;
                self.lines.push_str(&format!(" {string}\n"));
                Some(())
            }
            _ => {
                let word = self.word()?;
                self.lines.push_str(&format!(" {word}\n"));
                Some(())
            }
        }
    }

    /// Reads `[ { … }, … ]` or `[ 1, 0 ]`.
    fn list(&mut self, depth: usize) -> Option<()> {
        self.expect('[')?;
        if self.peek()? != '{' {
            let (flags, rest) = self.rest.split_once(']')?;
            self.rest = rest;
            self.lines.push_str(&format!(" [ {} ]\n", flags.trim()));
            return Some(());
        }
        self.lines.push('\n');
        loop {
            self.node("- ", depth + 1)?;
            match self.next_sign()? {
                ',' => {}
                ']' => return Some(()),
                _ => return None,
            }
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn next_sign(&mut self) -> Option<char> {
        let sign = self.peek()?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn expect(&mut self, sign: char) -> Option<()> {
        (self.next_sign()? == sign).then_some(())
    }

    fn word(&mut self) -> Option<&'a str> {
        self.peek()?;
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flow_becomes_block() {
        let flow = r#"{ domain: "{ S0[i]; S1[] }", child: { sequence: [ { filter: "{ S0[i] }", child: { schedule: "[{ S0[i] -> [(i)] }]", permutable: 1, coincident: [ 1 ] } }, { filter: "{ S1[] }" } ] } }"#;
        let block = "domain: \"{ S0[i]; S1[] }\"\nchild:\n  sequence:\n  - filter: \"{ S0[i] }\"\n    child:\n      \
                     schedule: \"[{ S0[i] -> [(i)] }]\"\n      permutable: 1\n      coincident: [ 1 ]\n  - filter: \
                     \"{ S1[] }\"\n";
        assert_eq!(block_of(flow).as_deref(), Some(block));
        use polyhedra::{Schedule, Text};
        let read = |text: &str| Schedule::parse(text).unwrap().text().unwrap();
        assert_eq!(read(flow), read(block));
    }

    #[test]
    fn other_texts_are_no_flow() {
        let deep = format!("{}\"x\"{}", "{ child: ".repeat(100_000), "}".repeat(100_000));
        for text in [
            "",
            "domain: \"{ }\"",
            "{",
            "{ domain: \"{ }\" } x",
            "{ domain \"\" }",
            "{ sequence: [ { } ] }",
            &deep,
        ] {
            assert_eq!(block_of(text), None, "{text:.30}");
        }
    }
}
