//! Every small change of some loop programs: a bound or an index is increased or decreased by one, a part of a
//! condition is removed, and a copy, a barrier or a transfer is removed or exchanged with its neighbour. `candl-rs
//! --check` refuses each change, except for those that do no harm, which are listed in `tests/golden/proof`.
//!
//! A change does no harm if something happens twice, or if more is done than necessary. Each new line in these lists
//! is a change that the proof no longer notices.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chain_tests::{Golden, root};
use serde_json::{Value, json};

use super::{check, scanned_with};
use crate::expressions::{with_texts, with_trees};

/// The loop programs: files of `tests/proof`, and the options with which they are translated.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("borders", &[]),
    ("chosen", &[]),
    ("full", &[]),
    ("histogram", &["--memory=shared", "--scheduler-options=--tile-sizes 128 --block-sizes 32"]),
    ("host", &[]),
    ("left", &[]),
    ("product", &["--memory=shared", "--scheduler-options=--tile-sizes 4,8,8"]),
    ("right", &[]),
    ("steps", &[]),
    ("wavefront", &[]),
];

#[test]
fn changes_that_do_no_harm_are_golden() {
    let mut golden = Golden::default();
    for (name, options) in PROGRAMS {
        let document = scanned_with(&format!("tests/proof/{name}.c"), options);
        check(&document).run().succeeded();
        let document: Value = serde_json::from_str(&with_texts(&document)).expect("a document is JSON");
        let taken = taken(&document);
        golden.compare(&root().join(format!("tests/golden/proof/{name}.txt")), &taken.join(""));
    }
    golden.finish();
}

/// Returns the changes of a document that the proof accepts, one a line, in the order of the document.
fn taken(document: &Value) -> Vec<String> {
    let changes = changes(document);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(change) = changes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut changed = document.clone();
            *changed.pointer_mut(&change.pointer).expect("what changes is there") = change.value.clone();
            if check(&with_trees(&changed)).run().status == 0 {
                found.lock().expect("nobody panics").push(format!("{}\n", change.name));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    let found = found.into_inner().expect("nobody panics");
    changes.iter().map(|change| format!("{}\n", change.name)).filter(|name| found.contains(name)).collect()
}

/// A new value for a part of a document.
struct Change {
    pointer: String,
    value: Value,
    name: String,
}

/// Returns all changes of the loop programs of a document.
fn changes(document: &Value) -> Vec<Change> {
    let mut search = Search { found: Vec::new() };
    for number in 0..document["scops"].as_array().map_or(0, Vec::len) {
        let ast = &document["scops"][number]["ast"];
        let place = Place { pointer: format!("/scops/{number}/ast"), words: String::new() };
        let arrays = ast["arrays"].as_array().map_or(&[][..], Vec::as_slice);
        for (position, array) in arrays.iter().enumerate() {
            let place = place.at(&format!("arrays/{position}"));
            search.expressions(array, &place.below(array["array"].as_str().unwrap_or_default()));
        }
        search.node(&ast["body"], &place.at("body"));
    }
    search.found
}

/// A place in a document, as a JSON pointer and in words.
#[derive(Clone)]
struct Place {
    pointer: String,
    words: String,
}

impl Place {
    fn at(&self, step: &str) -> Self {
        Self { pointer: format!("{}/{step}", self.pointer), words: self.words.clone() }
    }

    fn below(&self, word: &str) -> Self {
        let words = if self.words.is_empty() { word.to_owned() } else { format!("{} / {word}", self.words) };
        Self { pointer: self.pointer.clone(), words }
    }
}

struct Search {
    found: Vec<Change>,
}

impl Search {
    fn note(&mut self, place: &Place, value: Value, what: &str) {
        self.found.push(Change {
            pointer: place.pointer.clone(),
            value,
            name: format!("{}: {what}", place.words),
        });
    }

    /// Collects the changes in a node of a loop program.
    fn node(&mut self, node: &Value, place: &Place) {
        let kind = node["node"].as_str().unwrap_or_default();
        if kind == "block" {
            let children = node["children"].as_array().map_or(&[][..], Vec::as_slice);
            for (position, child) in children.iter().enumerate() {
                let below = place.at(&format!("children/{position}")).below(&position.to_string());
                self.node(child, &below);
                if let Some(next) = children.get(position + 1) {
                    let mut swapped = children.to_vec();
                    swapped.swap(position, position + 1);
                    let what = format!("{} behind {}", title(child), title(next));
                    self.note(&place.at("children"), Value::Array(swapped), &format!("{position} {what}"));
                }
            }
            return;
        }
        let place = place.below(&title(node));
        self.note(&place, json!({"node": "block", "children": []}), "gone");
        for (key, value) in node.as_object().into_iter().flatten() {
            let place = place.at(key);
            match (kind, key.as_str()) {
                (_, "then" | "otherwise" | "body" | "specialised" | "general") => {
                    let place = match key.as_str() {
                        "otherwise" => place.below("else"),
                        "general" => place.below("in general"),
                        _ => place,
                    };
                    if !value.is_null() {
                        self.node(value, &place);
                    }
                }
                (_, "condition" | "guard") => self.condition(value.as_str().unwrap_or_default(), &place),
                ("for", "increment") => self.note(&place, json!("64"), "increment becomes 64"),
                (_, "into_buffer" | "to_device") => {
                    self.note(&place, json!(value != &json!(true)), &format!("the other {key}"));
                }
                ("for", "init") | ("kernel", "lower" | "extent") | ("transfer", "part") => {
                    self.expressions(value, &place.below(key));
                }
                ("instance", "accesses") => {
                    for (position, access) in value.as_array().into_iter().flatten().enumerate() {
                        let place = place.at(&format!("{position}/index"));
                        let name = access["access"].as_str().unwrap_or_default();
                        self.expressions(&access["index"], &place.below(name));
                    }
                }
                (_, "element" | "place" | "iterators" | "index") => {
                    self.expressions(value, &place.below(key));
                }
                _ => {}
            }
        }
    }

    /// Increases and decreases each expression in a value by one.
    fn expressions(&mut self, value: &Value, place: &Place) {
        match value {
            Value::String(text) => {
                for changed in [format!("{text} + 1"), format!("{text} - 1")] {
                    self.note(place, json!(changed), &changed);
                }
            }
            Value::Array(values) => {
                for (position, value) in values.iter().enumerate() {
                    self.expressions(value, &place.at(&position.to_string()).below(&position.to_string()));
                }
            }
            Value::Object(values) => {
                for (key, value) in values.iter().filter(|(key, _)| !KEPT.contains(&key.as_str())) {
                    self.expressions(value, &place.at(key).below(key));
                }
            }
            _ => {}
        }
    }

    /// Removes each part of a condition, and increases and decreases by one each number that is added or compared
    /// with.
    fn condition(&mut self, text: &str, place: &Place) {
        let parts: Vec<&str> = text.split(" and ").collect();
        for gone in 0..parts.len() {
            let rest = parts.iter().enumerate().filter(|(position, _)| *position != gone);
            let rest: Vec<&str> = rest.map(|(_, part)| *part).collect();
            if rest.is_empty() {
                self.note(place, json!("1 == 1"), &format!("without {text}"));
            } else if !text.contains('(') {
                self.note(place, json!(rest.join(" and ")), &format!("without {}", parts[gone]));
            }
        }
        let words: Vec<&str> = text.split(' ').collect();
        for (position, word) in words.iter().enumerate() {
            let digits = word.trim_end_matches([')', ',']);
            let is_factor = words.get(position + 1) == Some(&"*");
            let Some(number) = digits.parse::<i64>().ok().filter(|_| !is_factor) else { continue };
            for changed in [number + 1, number - 1] {
                let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
                words[position] = word.replace(digits, &changed.to_string());
                self.note(place, json!(words.join(" ")), &words.join(" "));
            }
        }
        if !text.contains(" and ") && text.contains(" < ") {
            self.note(place, json!(text.replace(" < ", " <= ")), &text.replace(" < ", " <= "));
        }
    }
}

/// Keys whose values are never changed: names, and what the proof assumes (`docs/proof.md`).
const KEPT: [&str; 3] = ["array", "inner_extents", "packing"];

/// Returns the name of a node.
fn title(node: &Value) -> String {
    let text = |key: &str| node[key].as_str().unwrap_or_default();
    match text("node") {
        "for" => format!("for {}", text("iterator")),
        "kernel" => text("kernel").to_owned(),
        "instance" => text("statement").to_owned(),
        "copy" if node["into_buffer"] == json!(true) => format!("copy into {}", text("buffer")),
        "copy" => format!("copy from {}", text("buffer")),
        "transfer" if node["to_device"] == json!(true) => format!("{} to the device", text("array")),
        "transfer" => format!("{} from the device", text("array")),
        other => other.to_owned(),
    }
}
