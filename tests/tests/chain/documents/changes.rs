//! Random changes of a document: a part is removed, duplicated, swapped with another, or replaced.

use serde_json::{Map, Number, Value, json};

use crate::mutants::{Random, split};

/// Tokens of isl's notation, of the expressions in loop programs, and of C.
const TOKENS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "2147483648",
    "99999999999999999999",
    "n",
    "i0",
    "bx",
    "tx",
    "S0",
    "S9",
    "A0",
    "A1",
    "A9",
    "B0",
    "B9",
    "a0",
    "K0",
    "K7",
    "+",
    "-",
    "*",
    "/",
    "<",
    "<=",
    "=",
    ">=",
    "and",
    "or",
    "not",
    "mod",
    "floor",
    "exists",
    "->",
    ":",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "max",
    "min",
    "select",
    "floordiv",
    "domain",
    "child",
    "sequence",
    "filter",
    "mark",
    "schedule",
    "extension",
    "\"",
    "\n",
    " ",
    "é",
    "system(\"true\")",
    "*/",
    "\\",
    "#",
];

/// Numbers at the limits of types.
const NUMBERS: &[&str] = &[
    "-1",
    "0",
    "1",
    "2",
    "33",
    "1025",
    "2147483647",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "1e300",
    "0.5",
];

/// Names that refer to nothing, or to something else.
const NAMES: &[&str] = &[
    "S0",
    "S1",
    "S7",
    "S4294967295",
    "A0",
    "A1",
    "A99",
    "a0",
    "a3",
    "a77",
    "B0",
    "B3",
    "B4000000000",
    "K0",
    "K5",
    "D0",
    "D9",
    "v0",
    "v9",
    "n",
    "x",
    "y",
    "",
];

/// Makes one random change, and describes it. `other` is a document from which parts may be taken.
pub fn change(document: &mut Value, other: &Value, random: &mut Random) -> String {
    let path = somewhere(document, random);
    let kind = random.below(12);
    let donor = other.pointer(&path).or_else(|| other.pointer(&somewhere(other, random))).cloned();
    let second = somewhere(document, random);
    let what = match kind {
        0 => remove(document, &path),
        1 => duplicate(document, &path),
        2 => swap(document, &path, &second),
        3 => replace(document, &path, donor.unwrap_or(Value::Null)),
        4 => {
            let value = document.pointer(&second).cloned().unwrap_or(Value::Null);
            replace(document, &path, value)
        }
        5 => {
            let value = document.pointer(&path).map_or(Value::Null, |value| of_other_type(value, random));
            replace(document, &path, value)
        }
        6 => empty(document, &path),
        _ => change_leaf(document, &path, random),
    };
    format!("{what} at {path}")
}

/// Chooses a place by walking down from the root, so that places in short lists are as likely as places in long ones.
fn somewhere(document: &Value, random: &mut Random) -> String {
    let (mut path, mut here) = (String::new(), document);
    loop {
        let (key, next) = match here {
            Value::Array(items) if !items.is_empty() => {
                let position = random.below(items.len());
                (position.to_string(), &items[position])
            }
            Value::Object(fields) if !fields.is_empty() => {
                let (key, value) = fields.iter().nth(random.below(fields.len())).unwrap();
                (key.clone(), value)
            }
            _ => return path,
        };
        path = format!("{path}/{key}");
        here = next;
        if path.matches('/').count() > 2 && random.below(8) == 0 {
            return path;
        }
    }
}

/// Returns the value that contains a place, and the key of the place in it.
fn around<'a>(document: &'a mut Value, path: &str) -> Option<(&'a mut Value, String)> {
    let (parent, key) = path.rsplit_once('/')?;
    Some((document.pointer_mut(parent)?, key.to_owned()))
}

fn remove(document: &mut Value, path: &str) -> String {
    match around(document, path) {
        Some((Value::Array(items), key)) => {
            items.remove(key.parse().unwrap());
        }
        Some((Value::Object(fields), key)) => {
            fields.remove(&key);
        }
        _ => {}
    }
    "removed".to_owned()
}

fn duplicate(document: &mut Value, path: &str) -> String {
    if let Some((Value::Array(items), key)) = around(document, path) {
        let position: usize = key.parse().unwrap();
        items.insert(position, items[position].clone());
    }
    "doubled".to_owned()
}

fn swap(document: &mut Value, path: &str, second: &str) -> String {
    let (one, other) = (document.pointer(path).cloned(), document.pointer(second).cloned());
    let inside = path.starts_with(second) || second.starts_with(path);
    if let (Some(one), Some(other), false) = (one, other, inside) {
        replace(document, path, other);
        replace(document, second, one);
    }
    format!("swapped with {second}")
}

fn replace(document: &mut Value, path: &str, value: Value) -> String {
    let shown: String = value.to_string().chars().take(200).collect();
    if let Some(place) = document.pointer_mut(path) {
        *place = value;
    }
    format!("became {shown}")
}

fn empty(document: &mut Value, path: &str) -> String {
    // For a leaf, the list or object around it is replaced.
    let path = match document.pointer(path) {
        Some(Value::Array(_) | Value::Object(_)) => path,
        _ => path.rsplit_once('/').map_or("", |(parent, _)| parent),
    };
    let value = match document.pointer(path) {
        Some(Value::Object(_)) => Value::Object(Map::new()),
        _ => json!([]),
    };
    replace(document, path, value)
}

fn of_other_type(value: &Value, random: &mut Random) -> Value {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match random.below(5) {
        0 => Value::Null,
        1 => json!([value]),
        2 => Value::String(text),
        3 => json!(random.below(2) == 0),
        _ => json!(random.below(5)),
    }
}

fn change_leaf(document: &mut Value, path: &str, random: &mut Random) -> String {
    let value = match document.pointer(path) {
        Some(Value::Number(_)) => {
            let text = NUMBERS[random.below(NUMBERS.len())];
            text.parse::<Number>().map_or(Value::Null, Value::Number)
        }
        Some(Value::Bool(value)) => json!(!value),
        Some(Value::String(text)) if is_id(text) || random.below(8) == 0 => {
            json!(NAMES[random.below(NAMES.len())])
        }
        Some(Value::String(text)) => json!(change_tokens(text, random)),
        _ => return "nothing".to_owned(),
    };
    replace(document, path, value)
}

fn is_id(text: &str) -> bool {
    text.len() < 4 && text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Changes one or two tokens of a text: removes, doubles or exchanges them, or replaces them by other tokens.
fn change_tokens(text: &str, random: &mut Random) -> String {
    let mut tokens = split(text);
    for _ in 0..=random.below(2) {
        if tokens.is_empty() {
            break;
        }
        let (here, there) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(6) {
            0 => {
                tokens.remove(here);
            }
            1 => tokens.insert(here, tokens[there].clone()),
            2 => tokens.swap(here, there),
            3 => tokens[here] = tokens[there].clone(),
            _ => tokens[here] = TOKENS[random.below(TOKENS.len())].to_owned(),
        }
    }
    tokens.concat()
}
