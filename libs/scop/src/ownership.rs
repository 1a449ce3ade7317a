//! Checks that a stage adds its own sections and changes nothing else.
//!
//! `docs/format.md` ("Who writes what") lists which tool writes which part of a document. This file compares a
//! document with the one that it was made from.

use serde_json::Value;

use crate::{Scanned, Stage};

/// The tool that writes all parts that are not sections of later tools.
const FIRST: &str = "clan-rs";

/// The parts that tools write in addition to the sections that every document of their stage has.
const OPTIONAL: [(&str, &str); 6] = [
    ("expansions", "candl-rs"),
    ("variants", "candl-rs"),
    ("scheduled_by", "scheduler"),
    ("algorithm", "scheduler"),
    ("fusion", "scheduler"),
    ("variant", "scheduler"),
];

/// The section for the whole program, and the tool that writes it.
const RESIDENCY: &str = "residency";
const LOCALIZER: &str = "gpulocalizer";

/// The key that every tool may write.
const VERIFIED: &str = "verified";

/// A part of a document that a stage changed although another tool writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path of the part: `scops[0].dependences.flow[2].relation`.
    pub path: String,
    /// The tool that writes it.
    pub writer: &'static str,
    /// The kind of change.
    pub kind: ChangeKind,
}

/// The kinds of change to a part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The part is new.
    Added,
    /// The part has another value.
    Changed,
    /// The part is gone.
    Removed,
}

/// Returns the parts that a stage changed although another tool writes them: the first change in each section.
/// Sections of later stages may be removed, since they are stale.
///
/// If no stage is given, it is the last one that wrote a section of the second document.
pub fn changes(before: &Value, after: &Value, stage: Option<&str>) -> Vec<Change> {
    let stage = stage.map_or_else(|| last_stage(after), str::to_owned);
    let mut found = Vec::new();
    compare_keys(
        before,
        after,
        |key| match key {
            "scops" | VERIFIED => None,
            RESIDENCY if stage == LOCALIZER => None,
            // The plan is stale once an earlier stage ran again.
            RESIDENCY
                if rank(LOCALIZER) > rank(&stage) && after.get(RESIDENCY).is_none_or(Value::is_null) =>
            {
                None
            }
            RESIDENCY => Some(LOCALIZER),
            _ => Some(FIRST),
        },
        "",
        &mut found,
    );
    let (old, new) = (scops(before), scops(after));
    if old.len() != new.len() {
        found.push(Change { path: "scops".to_owned(), writer: FIRST, kind: ChangeKind::Changed });
        return found;
    }
    for (position, (old, new)) in old.iter().zip(new).enumerate() {
        let owned = |key: &str| {
            let writer = writer_of(key);
            let later = rank(writer) > rank(&stage);
            let goes = later && new.get(key).is_none_or(Value::is_null);
            (writer != stage && !goes).then_some(writer)
        };
        compare_keys(old, new, owned, &format!("scops[{position}]."), &mut found);
    }
    found
}

fn scops(document: &Value) -> &[Value] {
    document.get("scops").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the tool that writes a key of a scop.
fn writer_of(key: &str) -> &'static str {
    if let Some((_, writer)) = OPTIONAL.iter().find(|(optional, _)| *optional == key) {
        return writer;
    }
    Scanned::SECTIONS.iter().find(|section| section.key == key).map_or(FIRST, |section| section.writer)
}

/// Returns the position of a tool in the chain.
fn rank(tool: &str) -> usize {
    Scanned::SECTIONS.iter().position(|section| section.writer == tool).map_or(0, |position| position + 1)
}

fn last_stage(document: &Value) -> String {
    let has = |key: &str| scops(document).iter().any(|scop| scop.get(key).is_some());
    let last = Scanned::SECTIONS.iter().rev().find(|section| has(section.key));
    last.map_or(FIRST, |section| section.writer).to_owned()
}

/// Compares the keys of two objects for which `owner` returns a tool.
fn compare_keys(
    old: &Value,
    new: &Value,
    owner: impl Fn(&str) -> Option<&'static str>,
    prefix: &str,
    found: &mut Vec<Change>,
) {
    let keys = |value: &Value| -> Vec<String> {
        value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
    };
    let mut all = keys(old);
    all.extend(keys(new).into_iter().filter(|key| old.get(key).is_none()));
    for key in all {
        let Some(writer) = owner(&key) else { continue };
        let path = format!("{prefix}{key}");
        if let Some((path, kind)) = difference(old.get(&key), new.get(&key), path) {
            found.push(Change { path, writer, kind });
        }
    }
}

/// Returns the first place at which two values differ. Null counts as absent.
fn difference(old: Option<&Value>, new: Option<&Value>, path: String) -> Option<(String, ChangeKind)> {
    let there = |value: Option<&Value>| value.filter(|value| !value.is_null()).cloned();
    match (there(old), there(new)) {
        (None, None) => None,
        (None, Some(_)) => Some((path, ChangeKind::Added)),
        (Some(_), None) => Some((path, ChangeKind::Removed)),
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let mut keys: Vec<&String> = old.keys().collect();
            keys.extend(new.keys().filter(|key| !old.contains_key(*key)));
            keys.into_iter().find_map(|key| difference(old.get(key), new.get(key), format!("{path}.{key}")))
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            (0..old.len().max(new.len())).find_map(|position| {
                difference(old.get(position), new.get(position), format!("{path}[{position}]"))
            })
        }
        (old, new) => (old != new).then_some((path, ChangeKind::Changed)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sound() -> Value {
        serde_json::from_str(include_str!("../tests/sound.json")).unwrap()
    }

    /// A change that a stage makes to a document.
    type Deed = fn(&mut Value);

    /// Returns the findings for a document that a stage made from the sound one by `change`.
    fn said(stage: &str, change: impl Fn(&mut Value)) -> Vec<String> {
        let mut document = sound();
        change(&mut document);
        let found = changes(&sound(), &document, Some(stage));
        found.iter().map(|change| format!("{} {} {:?}", change.path, change.writer, change.kind)).collect()
    }

    #[test]
    fn a_stage_writes_its_own_sections() {
        assert_eq!(said("scheduler", |_| ()), [""; 0]);
        let own = said("scheduler", |document| {
            document["scops"][0]["schedule"] = json!("another");
            document["verified"] = json!(["0123"]);
        });
        assert_eq!(own, [""; 0]);
        let stale = said("candl-rs", |document| {
            let scop = document["scops"][0].as_object_mut().unwrap();
            scop.insert("expansions".to_owned(), json!({ "arrays": [] }));
            for key in ["schedule", "mapping", "placement", "ast"] {
                scop.remove(key);
            }
        });
        assert_eq!(stale, [""; 0]);
    }

    #[test]
    fn what_is_not_its_own_is_named() {
        let cases: [(&str, &str, Deed); 6] = [
            ("scheduler", "scops[0].dependences.flow candl-rs Removed", |document| {
                document["scops"][0]["dependences"].as_object_mut().unwrap().remove("flow");
            }),
            ("scheduler", "scops[0].statements[1].domain clan-rs Changed", |document| {
                document["scops"][0]["statements"][1]["domain"] = json!("{ S1[] : 0 = 1 }");
            }),
            ("gpulocalizer", "scops[0].expansions candl-rs Added", |document| {
                document["scops"][0]["expansions"] = json!({});
            }),
            ("candl-rs", "source.hash clan-rs Changed", |document| document["source"]["hash"] = json!("0")),
            ("scheduler", "scops[0].placement.device[0].array gpulocalizer Changed", |document| {
                document["scops"][0]["placement"]["device"][0]["array"] = json!("A7");
            }),
            ("candl-rs", "scops clan-rs Changed", |document| document["scops"] = json!([])),
        ];
        for (stage, expected, change) in cases {
            assert_eq!(said(stage, change), [expected], "{stage}");
        }
    }

    #[test]
    fn the_stage_is_known_by_what_is_there() {
        let mut document = sound();
        document["scops"][0]["ast"]["body"] = json!({ "node": "barrier" });
        assert_eq!(changes(&sound(), &document, None), Vec::new());
        document["scops"][0]["mapping"]["kernels"] = json!("mine");
        let found = changes(&sound(), &document, None);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].path.as_str(), found[0].writer), ("scops[0].mapping.kernels", "scheduler"));
    }
}
