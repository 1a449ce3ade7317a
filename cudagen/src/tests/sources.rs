//! Rules for the sources of this crate.

use std::path::Path;

use scop::names;

use crate::Target;

/// Each runtime library function that generated code calls is one that programs may not define.
#[test]
fn the_functions_called_are_those_that_programs_may_not_define() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/print");
    let mut count = 0;
    for text in walk(&folder).iter().map(|path| std::fs::read_to_string(path).unwrap()) {
        for word in runtime_functions(&text).iter().filter(|word| *word != LAUNCHING_MACRO) {
            assert!(names::is_runtime_function(word), "{word}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

/// A macro that calls `hipLaunchKernel`.
const LAUNCHING_MACRO: &str = "hipLaunchKernelGGL";

/// Returns the runtime library functions that a source calls, as `cudaMalloc(`, as `gpuMalloc(`, which becomes the
/// name in each language, or as `checked("Malloc", …`.
fn runtime_functions(text: &str) -> Vec<String> {
    let prefixes = Target::ALL.map(Target::prefix);
    let mut found = Vec::new();
    for prefix in prefixes.iter().chain(&["gpu"]) {
        for (at, _) in text.match_indices(prefix) {
            let rest = &text[at..];
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (word, after) = rest.split_at(length);
            let is_word = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            let name = &word[prefix.len()..];
            let is_call = is_word && name.starts_with(char::is_uppercase) && after.starts_with('(');
            match (is_call, *prefix) {
                (true, "gpu") => found.extend(prefixes.iter().map(|prefix| format!("{prefix}{name}"))),
                (true, _) => found.push(word.to_owned()),
                (false, _) => {}
            }
        }
    }
    for call in text.split("checked(\"").skip(1) {
        let name = call.split('"').next().unwrap();
        found.extend(prefixes.iter().map(|prefix| format!("{prefix}{name}")));
    }
    found
}

/// Only the printers contain names of the languages.
#[test]
fn no_other_file_has_names_of_cuda() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in walk(&folder) {
        let shown = path.strip_prefix(&folder).unwrap().display().to_string();
        if shown.starts_with("print") || shown.starts_with("tests") || shown.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let own = line.to_lowercase().replace("c2cuda", "").replace("cudagen", "");
            let literals = own.split('"').skip(1).step_by(2);
            let named = literals.filter(|literal| literal.contains("cuda") || literal.contains("<<<"));
            assert_eq!(named.count(), 0, "{shown}: {line}");
        }
    }
}

/// The phases of cudagen. Each uses only those before it.
const PHASES: [&str; 7] = ["program", "model", "code", "kernel", "host", "print", "files"];

#[test]
fn phases_use_those_before_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (number, phase) in PHASES.iter().enumerate() {
        for path in walk(&folder.join(phase)) {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for used in code.flat_map(|line| line.split("crate::").skip(1)) {
                let name = used.split("::").next().unwrap();
                let place = PHASES.iter().position(|other| *other == name);
                assert!(place.is_none_or(|place| place <= number), "{}: {used}", path.display());
            }
        }
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
