//! Predefined macros as compilers list them before the first line of a file, where they are asked for its lines and not
//! to expand macros.

use std::collections::BTreeMap;
use std::path::Path;

use crate::preprocessor::marker::Marker;
use crate::preprocessor::reserved::{identifier_length, words_in};

/// How compilers call the place where macros are predefined.
const BUILT_IN: &str = "<built-in>";

/// What every compiler predefines: a list without it is none of predefined macros.
const ALWAYS: &str = "__STDC__";

/// The definitions of some names in front of the first line of a file, with macros in them expanded; nothing unless the
/// list certainly says so of each name.
///
/// Compilers compute some macros when they are used, and do not list those. All of these begin with two underscores.
pub fn answers(lines: &[u8], file: &Path, names: &[&str]) -> Option<BTreeMap<String, String>> {
    let list = list(lines, file)?;
    let mut answers = BTreeMap::new();
    for &name in names {
        match list.get(name) {
            Some(text) => drop(answers.insert(name.to_owned(), expanded(name, text, &list)?)),
            None if name.starts_with("__") => return None,
            None => {}
        }
    }
    Some(answers)
}

/// The predefined macros, each with what stands behind its name.
fn list<'a>(lines: &'a [u8], file: &Path) -> Option<BTreeMap<&'a str, &'a str>> {
    let mut list = BTreeMap::new();
    let mut has_begun = false;
    for line in lines.split(|&byte| byte == b'\n') {
        if let Some(marker) = Marker::read(line) {
            has_begun |= marker.path == BUILT_IN;
            if has_begun && Path::new(&marker.path) == file {
                return Some(list).filter(|list| list.contains_key(ALWAYS));
            }
            continue;
        }
        let line = std::str::from_utf8(line).ok()?;
        if let Some(definition) = line.strip_prefix("#define ") {
            let (name, text) = definition.split_at(identifier_length(definition.as_bytes()));
            list.insert(name, text);
        } else if let Some(name) = line.strip_prefix("#undef ") {
            list.remove(name);
        }
    }
    None
}

/// What a macro alone becomes, if no other macro may be in its text.
fn expanded(name: &str, text: &str, list: &BTreeMap<&str, &str>) -> Option<String> {
    if text.starts_with('(') {
        return Some(name.to_owned());
    }
    let may_be_macro = |word: &String| word.starts_with("__") || list.contains_key(&**word);
    let is_question = ["__has_", "__is_", "__building_"].iter().any(|prefix| name.starts_with(prefix));
    let is_plain = !is_question && !words_in(text.as_bytes()).iter().any(may_be_macro);
    is_plain.then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &[u8] = b"# 0 \"in.c\"\n# 0 \"<built-in>\"\n#define __STDC__ 1\n#define __GNUC__ 12\n\
        #define _LP64 1\n#define __INT64_C(c) c ## L\n#define __SIZE_TYPE__ long unsigned int\n#define _E\n\
        # 0 \"<command-line>\"\n#define __OF __GNUC__\n#undef _LP64\n#define __has_x 1\n\
        # 1 \"/usr/include/stdc-predef.h\" 1 3 4\n#define _STDC_PREDEF_H 1\n# 0 \"<command-line>\" 2\n\
        # 1 \"in.c\"\n#define _MINE 1\n";

    fn answer(name: &str) -> Option<Option<String>> {
        answers(LINES, Path::new("in.c"), &[name]).map(|mut answers| answers.remove(name))
    }

    #[test]
    fn what_stands_before_the_file_is_predefined() {
        let value = |name: &str| answer(name).unwrap().unwrap();
        assert_eq!(value("__GNUC__"), "12");
        assert_eq!(value("__SIZE_TYPE__"), "long unsigned int");
        assert_eq!(value("_STDC_PREDEF_H"), "1");
        assert_eq!(value("_E"), "");
        assert_eq!(value("__INT64_C"), "__INT64_C");
        assert_eq!([answer("_MINE"), answer("_LP64")], [Some(None), Some(None)]);
    }

    #[test]
    fn what_may_be_computed_is_unknown() {
        assert_eq!(["__COUNTER__", "__OF", "__has_x"].map(answer), [None, None, None]);
        assert_eq!(answers(LINES, Path::new("other.c"), &["__GNUC__"]), None);
        assert_eq!(answers(b"# 1 \"in.c\"\nint a;\n", Path::new("in.c"), &["_A"]), None);
    }
}
