//! The document as text: its schema, and texts that are not documents.

// A test that cannot continue has failed, so it may panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::PathBuf;

use scop::{
    Analysed, Extracted, Placed, Program, ReadError, Scanned, Scheduled, Stage, from_json, to_json, verify,
};

const SOUND: &str = include_str!("sound.json");

#[test]
fn the_schema_is_current() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/c2cuda-2.json");
    let current = serde_json::to_string_pretty(&scop::document_schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &current).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == current,
        "docs/schema/c2cuda-2.json is not what the types say; \
         run `UPDATE_GOLDEN=1 cargo test -p scop` and look at the difference"
    );
}

fn survives_a_round_trip<S: Stage + std::fmt::Debug>() {
    let program: Program<S> = from_json(SOUND).unwrap();
    let again: Program<S> = from_json(&to_json(&program).unwrap()).unwrap();
    assert_eq!(again, program);
}

#[test]
fn documents_of_every_stage_survive_a_round_trip() {
    survives_a_round_trip::<Extracted>();
    survives_a_round_trip::<Analysed>();
    survives_a_round_trip::<Scheduled>();
    survives_a_round_trip::<Placed>();
    survives_a_round_trip::<Scanned>();
}

/// Returns the sound document with a sum of many terms in the body of its first statement.
fn document_with_sum(terms: usize) -> serde_json::Value {
    let mut document: serde_json::Value = serde_json::from_str(SOUND).unwrap();
    let value = document.pointer_mut("/scops/0/statements/0/body/2/value").unwrap();
    for _ in 0..terms {
        let left = value.take();
        *value = serde_json::json!({
            "type": "double", "kind": "binary", "operator": "+",
            "right": { "type": "double", "kind": "floating", "value": "1.0" }
        });
        value["left"] = left;
    }
    document
}

/// Runs `work` on a stack as large as that of the tools.
fn on_a_large_stack(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(512 << 20).spawn_scoped(scope, work).unwrap();
        thread.join().unwrap();
    });
}

#[test]
fn long_sums_survive_a_round_trip_and_endless_ones_are_refused() {
    on_a_large_stack(|| {
        let program: Program<Scanned> = from_json(&document_with_sum(1000).to_string()).unwrap();
        assert!(from_json::<Scanned>(&to_json(&program).unwrap()).unwrap() == program);
        let error = from_json::<Scanned>(&document_with_sum(1600).to_string()).unwrap_err();
        assert!(error.to_string().contains("brackets are open"), "{error}");
        assert!(from_json::<Scanned>(&"[".repeat(10_000_000)).is_err());
    });
}

/// Reads and verifies a text, which may be refused but must not cause anything else.
fn digest(text: &str) {
    if let Ok(program) = from_json::<Scanned>(text) {
        verify::verify(&program);
    }
}

#[test]
fn texts_that_end_too_early_are_refused() {
    let compact = serde_json::from_str::<serde_json::Value>(SOUND).unwrap().to_string();
    for end in 0..compact.len() {
        assert!(from_json::<Scanned>(&compact[..end]).is_err(), "{end}");
    }
}

#[test]
fn a_wrong_shape_is_shown_where_it_is() {
    for (path, value, expected) in [
        ("/source/hash", "7", "source.hash"),
        ("/scops/0/arrays/1/type", "\"complex\"", "scops[0].arrays[1].type"),
        ("/scops/0/statements/0/accesses/2/id", "\"A2\"", "scops[0].statements[0].accesses[2].id"),
        ("/scops/0/statements/0/body/0", "{}", "scops[0].statements[0].body[0]"),
        ("/scops/0/dependences/anti/0/sink", "1", "scops[0].dependences.anti[0].sink"),
        ("/scops/0/arrays/1", "{}", "scops[0].arrays[1]"),
        (
            "/scops/0",
            "{ \"dependences\": 1, \"schedule\": 1, \"mapping\": 1, \"placement\": 1, \"ast\": 1 }",
            "scops[0]",
        ),
        ("/scops/0/schedule", "1", "scops[0].schedule"),
        ("/scops/0/mapping/kernels/0/block/0/size", "-1", "scops[0].mapping.kernels[0].block[0].size"),
        ("/scops/0/placement", "[]", "scops[0].placement"),
        ("/scops/0/ast/body", "{}", "scops[0].ast.body"),
    ] {
        let mut document: serde_json::Value = serde_json::from_str(SOUND).unwrap();
        *document.pointer_mut(path).unwrap() = serde_json::from_str(value).unwrap();
        match from_json::<Scanned>(&document.to_string()) {
            Err(ReadError::Shape { path, .. }) => assert_eq!(path, expected),
            other => panic!("{path}: {other:?}"),
        }
    }
}

/// Pseudo-random numbers that are the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

#[test]
fn damaged_texts_do_no_harm() {
    const ALPHABET: &[u8] = b"\"\\{}[]():;,<>=-+*/% 0129eEnSAxij\n";
    let rounds = std::env::var("FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1500);
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for _ in 0..rounds {
        let mut bytes = SOUND.as_bytes().to_vec();
        for _ in 0..=numbers.below(3) {
            let position = numbers.below(bytes.len());
            let byte = ALPHABET[numbers.below(ALPHABET.len())];
            match numbers.below(3) {
                0 => bytes[position] = byte,
                1 => bytes.insert(position, byte),
                _ => drop(bytes.remove(position)),
            }
        }
        digest(std::str::from_utf8(&bytes).unwrap());
    }
}
