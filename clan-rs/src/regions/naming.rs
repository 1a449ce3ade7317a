//! Names for regions, and for what else generated code calls by the function that it is in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scop::{hash_text, names};

use crate::c::clang::Token;
use crate::c::ctree::Tree;
use crate::regions::marked::MarkedRegion;

/// A name for each region: that of its function, and its number there.
pub fn region_names(tree: &Tree, tokens: &[Token], path: &str, regions: &[MarkedRegion]) -> Vec<String> {
    let stem = file_stem(path);
    // Whatever the file calls something is taken: the call must not find anything else.
    let mut taken: BTreeSet<String> = tokens.iter().map(|token| token.text.clone()).collect();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let name = |region: &MarkedRegion| {
        let count = counts.entry(region.function).or_default();
        let wish = format!("{}_scop{count}", generated_name(tree, &stem, region.function));
        *count += 1;
        names::unused(&wish, &mut taken)
    };
    regions.iter().map(name).collect()
}

/// The name of a file without folders and what comes after the last dot.
pub fn file_stem(path: &str) -> String {
    Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The beginning of the names in generated code for what is in a function: the names of the file and the function,
/// because functions of different files may have the same name, if they are `static`.
///
/// Programs link what is generated from several files, so no two files may give the same name. The function `b_c` of
/// `a.c` and the function `c` of `a_b.c` would: a name of a file that is more than letters and digits is followed by a
/// part of its hash. So would `static` functions of two files `solver.c` in different folders: theirs are followed by a
/// part of the hash of what the file means.
pub fn generated_name(tree: &Tree, stem: &str, function: usize) -> String {
    let function = &tree.functions[function];
    name_of(stem, &function.name, function.is_internal.then_some(&tree.digest))
}

fn name_of(stem: &str, function: &str, digest: Option<&str>) -> String {
    let is_plain = stem.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let as_it_is = names::unused(&format!("{stem}_"), &mut BTreeSet::new()).starts_with(stem);
    let file = match is_plain && as_it_is {
        true => stem.to_owned(),
        false => format!("{stem}_{:.4}", hash_text(stem.as_bytes())),
    };
    let name = if function == stem { file } else { format!("{file}_{function}") };
    digest.map_or(name.clone(), |digest| format!("{name}_{digest:.6}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_different_files_are_different() {
        let pairs = [
            ("a", "b_c"),
            ("a_b", "c"),
            ("a-b", "c"),
            ("a_b", "a_b"),
            ("a", "b"),
            ("a b", "c"),
            ("1a", "c"),
            ("v1a", "c"),
            ("cuda", "c"),
            ("v", "cuda_c"),
            ("größe", "c"),
            ("grösse", "c"),
        ];
        let names: BTreeSet<String> = pairs
            .iter()
            .map(|(stem, function)| {
                let name = name_of(stem, function, None);
                names::unused(&format!("{name}_scop0"), &mut BTreeSet::new())
            })
            .collect();
        assert_eq!(names.len(), pairs.len(), "{names:?}");
        assert_eq!(name_of("scale", "scale", None), "scale");
        assert_eq!(name_of("jacobi2d", "main", None), "jacobi2d_main");
        assert_eq!(name_of("solver", "step", Some("0123456789abcdef")), "solver_step_012345");
    }
}
