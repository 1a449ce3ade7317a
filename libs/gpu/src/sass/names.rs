//! Which kernel of a listing is which of a profile, and which line of the program an instruction belongs to.

use std::collections::BTreeMap;

use cpp_demangle::{DemangleOptions, Symbol};

use super::graph::Graph;
use super::listing::{Instruction, Listing, Place, Section};
use crate::counts::profile::Kernel;

/// Returns a kernel's name as profiles have it: without namespaces and parameters, with template arguments.
pub fn readable(symbol: &str) -> String {
    let options = DemangleOptions::new().no_params().no_return_type();
    let demangled = Symbol::new(symbol).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok());
    demangled.map_or_else(|| symbol.to_owned(), |name| last_part(&name).to_owned())
}

/// Returns what follows the last `::` outside of template arguments.
fn last_part(name: &str) -> &str {
    let (mut depth, mut begin) = (0_u32, 0);
    for (at, letter) in name.char_indices() {
        match letter {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => begin = at + 1,
            _ => {}
        }
    }
    &name[begin..]
}

/// Returns the section of a listing with the code of a kernel. Of several that have the kernel's name (overloads, or
/// namespaces), it is the one with most of the lines that the kernel executed.
pub fn section_of<'a>(listing: &'a Listing, kernel: &Kernel) -> Option<&'a Section> {
    let named = listing
        .sections
        .iter()
        .filter(|section| section.is_kernel && readable(&section.symbol) == kernel.name);
    let files = Files::of(kernel);
    named.max_by_key(|section| {
        let lines = section.instructions.iter().filter_map(|code| files.line_of(code));
        lines
            .filter(|place| {
                kernel.lines.iter().any(|line| line.line == place.line && line.file == place.file)
            })
            .count()
    })
}

/// The files of a profile, by the last part of their paths.
pub struct Files<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Files<'a> {
    /// Returns the files of a kernel's lines.
    pub fn of(kernel: &'a Kernel) -> Files<'a> {
        let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for line in &kernel.lines {
            let same = files.entry(base(&line.file)).or_default();
            if !same.contains(&line.file.as_str()) {
                same.push(&line.file);
            }
        }
        Files(files)
    }

    /// Returns the line of the program that an instruction belongs to, in the profile's words: the innermost one that
    /// is not in a header of CUDA. Nothing if none of its lines is in a file of the profile.
    pub fn line_of(&self, instruction: &Instruction) -> Option<Place> {
        instruction.places.iter().find_map(|place| {
            let same = self.0.get(base(&place.file))?;
            let file = same.iter().max_by_key(|file| common_parts(file, &place.file))?;
            Some(Place { file: (*file).to_owned(), line: place.line })
        })
    }

    /// Returns the lines of all instructions of a graph.
    pub fn lines_of(&self, graph: &Graph) -> Vec<Option<Place>> {
        graph.code.iter().map(|code| self.line_of(code)).collect()
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns how many parts two paths have in common, counted from the end.
fn common_parts(one: &str, other: &str) -> usize {
    one.rsplit('/').zip(other.rsplit('/')).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are those that cudasim gives.
    #[test]
    fn names_are_those_of_profiles() {
        for (symbol, name) in [
            ("_Z4sumsPfPKfi", "sums"),
            ("_Z1tILb1EEvPfPKfi", "t<true>"),
            ("_ZN36_GLOBAL__N__d904a994_4_b_cu__Z1fPKfi2anEPf", "an"),
            ("plain", "plain"),
        ] {
            assert_eq!(readable(symbol), name, "{symbol}");
        }
    }
}
