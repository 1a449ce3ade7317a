//! V3: the shape of the text of a schedule tree.
//!
//! isl's reader of trees trusts its input and crashes, for example, on a number in place of a string. The shape
//! is therefore checked first. The contents of strings are read by isl's other parsers, which check their
//! input.

use std::collections::BTreeSet;

/// A line of a tree: `  - filter: "{ S0[i] }"`.
struct Line<'a> {
    number: usize,
    /// The column of the key.
    indent: usize,
    /// True if the line begins an element of a list.
    begins_element: bool,
    key: &'a str,
    value: &'a str,
}

/// Checks that a text has the shape of a schedule tree in isl's block notation, and describes the first fault.
pub fn check(text: &str) -> Result<(), String> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(position, line)| parse_line(position + 1, line))
        .collect::<Result<Vec<_>, _>>()?;
    let Some(first) = lines.first() else { return Err("it is empty".to_owned()) };
    let indent = first.indent;
    if first.begins_element {
        return Err(wrong(first, "a tree does not begin with a list"));
    }
    let rest = check_node(&lines, indent)?;
    rest.first().map_or(Ok(()), |line| Err(wrong(line, "it belongs to no node")))
}

fn wrong(line: &Line<'_>, why: &str) -> String {
    format!("line {}, `{}`: {why}", line.number, line.key)
}

fn parse_line(number: usize, line: &str) -> Result<Line<'_>, String> {
    let content = line.trim_start_matches(' ');
    let (begins_element, entry) = match content.strip_prefix("- ") {
        Some(entry) => (true, entry),
        None => (false, content),
    };
    let Some((key, value)) = entry.split_once(':') else { return Err(format!("line {number} has no key")) };
    let line = Line { number, indent: line.len() - entry.len(), begins_element, key, value: value.trim() };
    check_value(&line).map(|()| line)
}

fn check_value(line: &Line<'_>) -> Result<(), String> {
    let fits = match line.key {
        "context" | "contraction" | "domain" | "expansion" | "extension" | "filter" | "guard" | "mark"
        | "options" | "schedule" => is_string(line.value),
        "permutable" => is_flag(line.value),
        "coincident" => is_flag_list(line.value),
        "child" | "sequence" | "set" => line.value.is_empty(),
        _ => return Err(wrong(line, "trees have no such key")),
    };
    if fits { Ok(()) } else { Err(wrong(line, "its value is of another kind")) }
}

fn is_string(value: &str) -> bool {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| !inner.contains(['"', '\\']))
}

fn is_flag(value: &str) -> bool {
    value == "0" || value == "1"
}

fn is_flag_list(value: &str) -> bool {
    let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|inner| inner.split(',').all(|flag| is_flag(flag.trim())))
}

/// Checks the node whose keys are at column `indent`, and returns the lines after it.
fn check_node<'a, 'b>(lines: &'b [Line<'a>], indent: usize) -> Result<&'b [Line<'a>], String> {
    let mut keys: BTreeSet<&str> = BTreeSet::new();
    let mut rest = lines;
    while let [line, below @ ..] = rest {
        if line.indent != indent || (line.begins_element && !keys.is_empty()) {
            break;
        }
        if !keys.insert(line.key) {
            return Err(wrong(line, "the node has it twice"));
        }
        rest = match line.key {
            "child" => check_child(line, below)?,
            "sequence" | "set" => check_list(line, below)?,
            _ => below,
        };
    }
    match lines.first() {
        Some(first) if !is_node(&keys) => Err(wrong(first, "the keys of this node do not belong together")),
        _ => Ok(rest),
    }
}

fn check_child<'a, 'b>(parent: &Line<'a>, below: &'b [Line<'a>]) -> Result<&'b [Line<'a>], String> {
    match below.first() {
        Some(first) if first.indent > parent.indent && !first.begins_element => {
            check_node(below, first.indent)
        }
        _ => Err(wrong(parent, "there is nothing in it")),
    }
}

fn check_list<'a, 'b>(parent: &Line<'a>, below: &'b [Line<'a>]) -> Result<&'b [Line<'a>], String> {
    let mut rest = below;
    let Some(indent) = below.first().map(|first| first.indent).filter(|&indent| indent > parent.indent)
    else {
        return Err(wrong(parent, "there is nothing in it"));
    };
    while let [first, ..] = rest {
        if !first.begins_element || first.indent != indent {
            break;
        }
        if first.key != "filter" {
            return Err(wrong(first, "the elements of a list are filters"));
        }
        rest = check_node(rest, indent)?;
    }
    if rest.len() < below.len() { Ok(rest) } else { Err(wrong(parent, "there is no list in it")) }
}

/// True if these keys can belong to one node: they are those of one kind of node, with its optional keys.
fn is_node(keys: &BTreeSet<&str>) -> bool {
    const KINDS: &[(&[&str], &[&str])] = &[
        (&["context"], &["child"]),
        (&["contraction", "expansion"], &["child"]),
        (&["domain"], &["child"]),
        (&["extension"], &["child"]),
        (&["filter"], &["child"]),
        (&["guard"], &["child"]),
        (&["mark"], &["child"]),
        (&["schedule"], &["child", "coincident", "options", "permutable"]),
        (&["sequence"], &[]),
        (&["set"], &[]),
    ];
    KINDS.iter().any(|(required, optional)| {
        required.iter().all(|key| keys.contains(key))
            && keys.iter().all(|key| required.contains(key) || optional.contains(key))
    })
}

#[cfg(test)]
mod tests {
    use polyhedra::{Schedule, Text};

    use super::check;

    const TREE: &str = r#"
domain: "{ S0[i]; S1[] }"
child:
  mark: "kernel_K0"
  child:
    sequence:
    - filter: "{ S0[i] }"
      child:
        schedule: "[{ S0[i] -> [(i)] }]"
        permutable: 1
        coincident: [ 1 ]
        options: "{ separate[0] }"
        child:
          set:
          - filter: "{ S0[i] : i > 0 }"
          - filter: "{ S0[i] : i <= 0 }"
    - filter: "{ S1[] }""#;

    #[test]
    fn what_isl_prints_has_the_shape_of_a_tree() {
        let printed = Schedule::parse(TREE).unwrap().text().unwrap();
        for text in [TREE, &printed] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn other_texts_do_not() {
        for (from, to, words) in [
            ("mark:", "merk:", "no such key"),
            ("\"kernel_K0\"", "7", "another kind"),
            ("\"kernel_K0\"", "kernel_K0", "another kind"),
            ("\"kernel_K0\"", "\"kernel\" K0\"", "another kind"),
            ("permutable: 1", "permutable: yes", "another kind"),
            ("[ 1 ]", "[ 1 2 ]", "another kind"),
            ("mark: \"kernel_K0\"\n", "\n", "do not belong together"),
            ("permutable: 1", "domain: \"{ }\"", "do not belong together"),
            ("permutable: 1", "coincident: [ 1 ]", "twice"),
            ("    - filter: \"{ S1[] }\"", "     - filter: \"{ S1[] }\"", "belongs to no node"),
            ("- filter: \"{ S1[] }\"", "- mark: \"x\"", "are filters"),
            (
                "          - filter: \"{ S0[i] : i > 0 }\"\n          - filter: \"{ S0[i] : i <= 0 }\"\n",
                "",
                "nothing in it",
            ),
            (TREE, "", "empty"),
            (TREE, "- filter: \"{ }\"", "begin with a list"),
            (TREE, "a tree", "no key"),
            (TREE, "domain: \"{ }\"\nchild:", "nothing in it"),
        ] {
            let text = TREE.replacen(from, to, 1);
            let message = check(&text).expect_err(&text);
            assert!(message.contains(words), "{message}: {text}");
        }
    }
}
