//! The C front end: from marked regions of a C file to static control parts.
//!
//! | pass | before | after |
//! |---|---|---|
//! | `clang` | C text | clang's syntax tree, typed and with macros expanded |
//! | `import` | clang's syntax tree | our own (`ctree`), without clang |
//! | `regions` | pragmas | the statements of each region |
//! | `environment` | variables | iterators, parameters, aliases, memory |
//! | `outside` | the code around a region | nothing, or why the region cannot be replaced |
//! | `control` | `for` and `if` | iteration domains and the order of the pieces |
//! | `runs` | simple statements | pieces of straight-line code |
//! | `affine` | C expressions | quasi-affine expressions and sets |
//! | `arrays` | variables in memory | arrays with their extents |
//! | `body` | straight-line code | steps |
//! | `values` | C expressions | typed expression trees |
//! | `accesses` | references to memory | access relations |
//! | `possible` | accesses | warnings about elements that may not exist |
//! | `order` | the order of the pieces | a schedule tree |
//!
//! The region is taken as a whole or refused as a whole, with every reason that was found. What is not understood is
//! refused.

mod accesses;
mod affine;
mod arrays;
mod body;
mod clang;
mod constant;
mod control;
mod conversions;
mod ctree;
mod environment;
mod errors;
mod extract;
mod facts;
mod header;
mod import;
mod literal;
mod not_affine;
mod options;
mod order;
mod outside;
mod parse;
mod point;
mod possible;
mod reference;
mod regions;
mod runs;
mod source;
mod types;
mod values;
mod wrap;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scop::{
    Diagnostics, Extracted, FORMAT, Outcome, Program, Region, Scop, Source, VERSION, hash_text, names,
};

pub use options::Options;

use errors::Faults;
use parse::Parsed;

/// isl's elementary operations for one region; the largest region of PolyBench takes less than a hundredth of them.
const OPERATIONS: u64 = 100_000_000;

/// Extracts every marked region of a C file.
///
/// # Errors
/// All reasons for which the file or one of its regions is refused.
pub fn run(options: &Options) -> Result<Outcome<Program<Extracted>>, Diagnostics> {
    run_on(options, parse::read(&options.file)?)
}

/// The same for a file whose contents are `bytes`.
///
/// # Errors
/// All reasons for which the file or one of its regions is refused.
pub fn run_on(options: &Options, bytes: Vec<u8>) -> Result<Outcome<Program<Extracted>>, Diagnostics> {
    let path = options.file.to_string_lossy().into_owned();
    let parsed = parse::parse(options, bytes)?;
    let mut faults = Faults::default();
    let (regions, mut warnings) =
        regions::find(&parsed.tree, &parsed.source, &parsed.tokens, &parsed.skipped, &mut faults);
    let names = region_names(&parsed, &path, &regions);
    let mut scops = Vec::new();
    let mut translated = Vec::new();
    for (region, name) in regions.iter().zip(names) {
        let extracted = polyhedra::limit_operations(OPERATIONS, || {
            extract::extract(&parsed.tree, &parsed.source, region, name, &mut faults)
        });
        match extracted {
            Ok(extract::Extraction::Model(model, said)) => {
                warnings.extend(said);
                scops.push(Scop { model: *model, stage: Extracted {} });
                translated.push(region);
            }
            Ok(extract::Extraction::Idle(warning)) => warnings.push(warning),
            Ok(extract::Extraction::Refused) => {}
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(Diagnostics(faults.into_diagnostics(&path)));
    }
    let regions = translated.into_iter().map(|region| Region {
        function: parsed.tree.functions[region.function].name.clone(),
        range: region.range,
    });
    let source = Source {
        path: path.clone(),
        language: "c".to_owned(),
        hash: hash_text(&parsed.source.bytes),
        regions: regions.collect(),
    };
    let program =
        Program { format: FORMAT.to_owned(), version: VERSION, source, functions: Vec::new(), scops };
    Ok(Outcome { value: program, diagnostics: errors::in_order(warnings, &path) })
}

/// A name for each region: those of the file and the function, and its number there. The file's name is part of it because
/// functions of different files may have the same name, if they are `static`.
fn region_names(parsed: &Parsed, path: &str, regions: &[regions::MarkedRegion]) -> Vec<String> {
    let stem =
        Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut taken = BTreeSet::new();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let name = |region: &regions::MarkedRegion| {
        let count = counts.entry(region.function).or_default();
        let function = &parsed.tree.functions[region.function].name;
        let file = if *function == stem { String::new() } else { format!("{stem}_") };
        let wish = format!("{file}{function}_scop{count}");
        *count += 1;
        names::unused(&wish, &mut taken)
    };
    regions.iter().map(name).collect()
}
