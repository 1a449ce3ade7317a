//! The layout of a JSON document: as in `serde_json`'s pretty printer, except that short lists of numbers,
//! names and expressions are written on one line, for example `["<=", "tx", ["-", "n", 1]]`.

use std::collections::HashMap;

/// The greatest length of a list on one line.
const WIDTH: usize = 100;

/// Breaks compact JSON into lines, indented by two columns for each level.
pub fn laid_out(compact: &str) -> String {
    let mut layout =
        Layout { lists: short_lists(compact), text: String::with_capacity(2 * compact.len()), depth: 0 };
    let mut rest = 0;
    while rest < compact.len() {
        rest += layout.next(&compact[rest..], rest);
    }
    layout.text
}

struct Layout {
    /// The offset and the length of each list that is written on one line.
    lists: HashMap<usize, usize>,
    text: String,
    depth: usize,
}

impl Layout {
    /// Writes the first token of `rest`, which begins at `offset`, and returns its length.
    fn next(&mut self, rest: &str, offset: usize) -> usize {
        if let Some(&length) = self.lists.get(&offset) {
            self.on_one_line(&rest[..length]);
            return length;
        }
        match rest.as_bytes()[0] {
            open @ (b'{' | b'[') => {
                self.text.push(open.into());
                if matches!(rest.as_bytes().get(1), Some(b'}' | b']')) {
                    self.text.push_str(&rest[1..2]);
                    return 2;
                }
                self.depth += 1;
                self.new_line();
                1
            }
            close @ (b'}' | b']') => {
                self.depth -= 1;
                self.new_line();
                self.text.push(close.into());
                1
            }
            b',' => {
                self.text.push(',');
                self.new_line();
                1
            }
            b':' => {
                self.text.push_str(": ");
                1
            }
            _ => {
                let length = scalar(rest);
                self.text.push_str(&rest[..length]);
                length
            }
        }
    }

    fn on_one_line(&mut self, list: &str) {
        let mut rest = list;
        while !rest.is_empty() {
            let length = scalar(rest).max(1);
            self.text.push_str(&rest[..length]);
            if rest.starts_with(',') {
                self.text.push(' ');
            }
            rest = &rest[length..];
        }
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }
}

/// Returns the length of the string, number or word at the beginning of a text; 0 if the text begins with
/// something else.
fn scalar(text: &str) -> usize {
    let bytes = text.as_bytes();
    if bytes[0] != b'"' {
        return bytes.iter().position(|byte| b",:[]{}".contains(byte)).unwrap_or(bytes.len());
    }
    let mut escaped = false;
    let end = bytes[1..].iter().position(|&byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(bytes.len(), |end| end + 2)
}

/// Returns the offset and the length, in the compact text, of each list that is written on one line and is not
/// within another such list.
fn short_lists(compact: &str) -> HashMap<usize, usize> {
    let mut found = HashMap::new();
    let (mut open, mut offset): (Vec<(usize, bool)>, usize) = (Vec::new(), 0);
    while offset < compact.len() {
        let length = scalar(&compact[offset..]).max(1);
        match compact.as_bytes()[offset] {
            b'[' => open.push((offset, true)),
            // If an inner list has objects, the lists around it have been marked before.
            b'{' => {
                open.iter_mut().rev().take_while(|(_, plain)| *plain).for_each(|(_, plain)| *plain = false)
            }
            b']' => {
                if let Some((begin, plain)) = open.pop()
                    && plain
                    && offset - begin < WIDTH
                {
                    found.insert(begin, offset + 1 - begin);
                }
            }
            _ => {}
        }
        offset += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_without_objects_take_one_line_where_they_fit() {
        let compact = r#"{"a":[],"b":{},"c":[1,["\"[,\\",true]],"d":[{"e":["x"]},[]],"f":null}"#;
        let expected = "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [1, [\"\\\"[,\\\\\", true]],\n  \"d\": [\n    {\n      \
                        \"e\": [\"x\"]\n    },\n    []\n  ],\n  \"f\": null\n}";
        assert_eq!(laid_out(compact), expected);
    }

    #[test]
    fn long_lists_are_broken() {
        let long = "l".repeat(WIDTH);
        let compact = format!(r#"[["{long}",1],2]"#);
        assert_eq!(laid_out(&compact), format!("[\n  [\n    \"{long}\",\n    1\n  ],\n  2\n]"));
    }
}
