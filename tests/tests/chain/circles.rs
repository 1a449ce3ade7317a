//! The files of a crate do not use each other in circles; what two files share is in a file below both.
//!
//! The test reads imports (`use crate::…`, `use super::…`) and paths that code writes in full (`crate::a::b(…)`). A
//! file uses the file that defines the name; if a parent only re-exports the name (`pub use child::Name`), this is
//! the child. `mod` declarations and items under `#[cfg(test)]` do not count.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chain_tests::root;

use imports::Modules;

/// The files of a crate, each with the files that it uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// The folders of our crates.
const CRATES: &[&str] = &[
    "libs/scop",
    "libs/openscop",
    "libs/polyhedra",
    "libs/barvinok",
    "libs/gpu",
    "libs/proof",
    "libs/tool",
    "libs/driver",
    "clan-rs",
    "candl-rs",
    "scheduler",
    "gpulocalizer",
    "cloog-rs",
    "cudagen",
    "tests/fuzz",
];

/// Returns the uses that close a circle: those of a file from which a path of uses leads back.
fn closing(graph: &Graph) -> Vec<(&str, &str)> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|file| (file.as_str(), reachable(graph, file))).collect();
    let uses = graph.iter().flat_map(|(file, used)| used.iter().map(|used| (file.as_str(), used.as_str())));
    uses.filter(|(file, used)| reached[used].contains(file)).collect()
}

/// Returns the files that a file uses, directly or through others.
fn reachable<'a>(graph: &'a Graph, file: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = graph[file].iter().map(String::as_str).collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(graph[next].iter().map(String::as_str));
        }
    }
    found
}

#[test]
fn files_use_one_another_in_one_direction() {
    let mut found = String::new();
    for name in CRATES {
        let graph = Modules::of(&root().join(name).join("src")).graph();
        for (file, used) in closing(&graph) {
            found += &format!("{name}: {file} uses {used}\n");
        }
    }
    assert!(found.is_empty(), "these uses close circles:\n{found}");
}

/// Only the uses on a circle are named.
#[test]
fn circles_are_named_by_their_uses() {
    let uses = [("a", &["b", "d"][..]), ("b", &["c"]), ("c", &["a", "d"]), ("d", &[])];
    let graph: Graph = uses
        .map(|(file, used)| (file.to_owned(), used.iter().map(|used| (*used).to_owned()).collect()))
        .into();
    assert_eq!(closing(&graph), [("a", "b"), ("b", "c"), ("c", "a")]);
}

/// A small crate shows what counts as a use.
#[test]
fn imports_are_those_of_code() {
    let folder = chain_tests::Scratch::new("imports");
    let write = |name: &str, text: &str| {
        let path = folder.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::inner::Passed;\n#[cfg(test)]\nmod tests;\n");
    write(
        "a.rs",
        "//! [`crate::c`]\nuse crate::{b::{Own, Inner as I}, Passed};\nfn f() { let s = \"crate::c\"; }\n",
    );
    write(
        "b.rs",
        "pub mod inner;\npub use inner::Inner;\npub struct Own;\n#[cfg(test)]\nmod t { use crate::a; }\n",
    );
    write("b/inner.rs", "pub struct Inner;\npub struct Passed;\nfn g() -> u8 { crate::c::h('\"') }\n");
    write("c.rs", "pub fn h(_: char) -> u8 { 0 } // crate::a\n#[cfg(test)]\nuse crate::a::f;\n");
    write("tests.rs", "use crate::a;\n");
    let graph = Modules::of(Path::new(&folder.at("."))).graph();
    let uses = |file: &str| graph[file].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(uses("a.rs"), ["b.rs", "b/inner.rs"]);
    assert_eq!(uses("b/inner.rs"), ["c.rs"]);
    assert!(uses("lib.rs").is_empty());
    assert!(uses("b.rs").is_empty());
    assert!(uses("c.rs").is_empty());
    assert!(!graph.contains_key("tests.rs"));
}
