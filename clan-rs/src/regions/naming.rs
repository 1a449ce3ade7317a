//! Names for regions, and the beginnings of other generated names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scop::{hash_text, names};

use crate::c::clang::Token;
use crate::c::ctree::Tree;
use crate::regions::marked::MarkedRegion;

/// Returns a name for each region: the name of its function, and its number there.
pub fn region_names(tree: &Tree, tokens: &[Token], path: &str, regions: &[MarkedRegion]) -> Vec<String> {
    let stem = file_stem(path);
    // All names in the file are taken: the call must refer to nothing but the generated function.
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

/// Returns the name of a file without folders and without the extension.
pub fn file_stem(path: &str) -> String {
    Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the beginning of the generated names for a function: the names of the file and the function, because
/// `static` functions of different files may have the same name.
///
/// The code that is generated from several files is linked into one program, so no two files may produce the same
/// name. The function `b_c` of `a.c` and the function `c` of `a_b.c` would: if a file name does not consist of
/// letters and digits only, a part of its hash follows it. So would `static` functions of two files `solver.c` in
/// different folders: a part of the hash of the meaning of the file follows their names.
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
