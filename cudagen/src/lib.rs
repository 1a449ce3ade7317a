//! CUDA source from loop programs, and the C source that calls it.
//!
//! `Program<Scanned>` and the text of its C source become three files: the C source with each region replaced by a
//! call, a header with the prototypes of the functions called, and a CUDA source that defines them and their kernels
//! (001, section 5.2). The C stays C: PPCG and the tools before it print the whole file as CUDA C++, which C's variably
//! modified parameters and `restrict` do not survive.
//!
//! The passes, each in a file of its own:
//!
//! 1. `naming`: the source's names for loops and for what is computed more than once. What the loop program does
//!    stays as it was proved: bounds, conditions, subscripts and their order are printed as they stand in the
//!    document;
//! 2. `data`: how host and kernels hold each array and scalar;
//! 3. `integers`, `overflow`: the type of index expressions, and how large parameters may be;
//! 4. `host_function` with `checks`, `slices`, `stays`, `launch`, and `kernel`: the functions, laid out by `layout`;
//! 5. `header`, `prelude`, `rewrite` with `line_directives`: the files.

mod code;
mod files;
mod host;
mod kernel;
mod model;
mod options;
mod print;
mod program;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scop::ast::tree::has_kernels;
use scop::{
    CType, Diagnostic, Diagnostics, Function, Outcome, Program, Region, Scanned, Stay, StayId, file_name,
    hash_text,
};

use crate::files::rewrite::{Ends, Replacement};
use crate::host::function::HostFunction;
use crate::model::complex::Complex;
use crate::model::view::View;
use crate::print::cxx::prelude::Needs;
use crate::program::names::{FunctionNames, Names};

use files::{functions, header, rewrite};
use host::{boxes, constant, function as host_function, packing, residency};
use model::{comments, view};
use print::cxx::prelude;
use program::naming;

pub use options::CommandLine;

/// The three files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The stem of the source's file name, from which the names of the files are made: `NAME_host.c`, …
    pub name: String,
    /// What comes behind the dot in the name of the source: `c`, or `cpp`.
    pub extension: String,
    /// `NAME_host.c`: the C or C++ source with calls in place of the regions.
    pub host: Vec<u8>,
    /// `NAME_gpu.cu`: the functions called, and their kernels.
    pub kernels: String,
    /// `NAME_gpu.h`: the prototypes.
    pub header: String,
}

/// A scop and the function that stands for its region.
struct Unit<'a> {
    view: &'a View<'a>,
    function: HostFunction,
}

impl Unit<'_> {
    fn replacement<'a>(&'a self, program: &'a Program<Scanned>, source: &[u8]) -> Replacement<'a> {
        let (region, model) = (self.view.region, self.view.model);
        let in_c = program.source.language == "c";
        let functions = if in_c { &program.functions[..] } else { &[] };
        let called = functions::called_in_source(functions, model, source);
        Replacement { region, model, function: &self.function, called }
    }
}

/// Generates the files of a program; `source` is the text of its C source. With `verify` each region also runs as it
/// was, and is compared.
///
/// # Errors
///
/// `E0601` the source changed since clan-rs read it, or lacks a place that the document names; `E0602` a kernel would
/// compute with `long double`; `E0603` the loops count beyond 64 bits; `E0606` a kernel needs more shared memory than a
/// block has. Anything else is a fault of the document.
pub fn run(
    mut program: Program<Scanned>,
    source: &[u8],
    verify: bool,
) -> Result<Outcome<Generated>, Diagnostics> {
    program.source.require_complete("cudagen")?;
    file_name(&program.source.path)?;
    check_hash(&program, source)?;
    check_places(&program, source)?;
    if verify {
        residency::never(&mut program);
    }
    let path = Path::new(&program.source.path);
    let text_of =
        |part: Option<&std::ffi::OsStr>| part.map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
    let (file, name) = (text_of(path.file_name()), text_of(path.file_stem()));
    let active =
        residency::active(&program).map_err(|error| Diagnostic::bug("cudagen", error.to_string()))?;
    let ends: Vec<&Stay> = program.source.stays.iter().filter(|stay| active.contains(&stay.id)).collect();
    let names = FunctionNames::of(&program, &name);
    let views = views(&program, &names, &active)?;
    let functions = views
        .iter()
        .map(|view| {
            let write = || host_function::write(view, verify);
            program.source.within_limits("cudagen", Some(view.region), write)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let units: Vec<Unit<'_>> =
        views.iter().zip(functions).map(|(view, function)| Unit { view, function }).collect();
    let extension = Some(text_of(path.extension())).filter(|text| !text.is_empty()).unwrap_or("c".to_owned());
    let header_name = format!("{name}_gpu.h");
    let host = host_text(&units, &program, &active, &header_name, source)?;
    let definitions = functions::definitions(&program.functions, &names, &views)?;
    let mut kernels =
        cuda_text(&units, &program.functions, &definitions, &header_name, &file, !ends.is_empty());
    for stay in &ends {
        kernels.push_str(&format!("\n{}", residency::end(stay)));
    }
    let header = header_text(&units, &ends, &name, &file, source);
    views.iter().try_for_each(View::check_found)?;
    Ok(Outcome::new(Generated { name, extension, host, kernels, header }))
}

fn check_hash(program: &Program<Scanned>, source: &[u8]) -> Result<(), Diagnostics> {
    if hash_text(source) == program.source.hash {
        return Ok(());
    }
    let message = format!("{} is not the file that the document was made from", program.source.path);
    let help = "run clan-rs and the tools after it again";
    Err(Diagnostic::error("E0601", message).with_help(help).into())
}

/// The regions and stays of a document lie in its source.
fn check_places(program: &Program<Scanned>, source: &[u8]) -> Result<(), Diagnostics> {
    let regions = program.source.regions.iter().map(|region| region.range);
    let mut ranges = regions.chain(program.source.stays.iter().map(|stay| stay.range));
    let Some(wrong) = ranges.find(|range| source.get(range.start as usize..range.end as usize).is_none())
    else {
        return Ok(());
    };
    let message = format!(
        "the document names the bytes {} to {} of {}, which has {}",
        wrong.start,
        wrong.end,
        program.source.path,
        source.len()
    );
    let help = "run clan-rs and the tools after it again";
    Err(Diagnostic::error("E0601", message).with_help(help).into())
}

/// The scops of which something runs on the GPU; the regions of the others are left as they are.
fn views<'a>(
    program: &'a Program<Scanned>,
    functions: &FunctionNames,
    active: &BTreeSet<StayId>,
) -> Result<Vec<View<'a>>, Diagnostics> {
    let scops = program.scops.iter().zip(&program.source.regions);
    let scops = scops.filter(|(scop, _)| has_kernels(&scop.stage.ast.body));
    let view = |(scop, region): (&'a scop::Scop<Scanned>, &'a Region)| {
        let in_stay = !residency::around(program, active, region).is_empty();
        let names = Names::of(program, &scop.model, functions);
        let body = naming::name_values(scop.stage.ast.body.clone(), &scop.model, &names)
            .map_err(|error| Diagnostic::bug("cudagen", error.to_string()))?;
        let view = || view::new(scop, body, (region, in_stay), &program.source, names);
        program.source.within_limits("cudagen", Some(region), view)
    };
    scops.map(view).collect()
}

fn host_text(
    units: &[Unit<'_>],
    program: &Program<Scanned>,
    active: &BTreeSet<StayId>,
    header: &str,
    source: &[u8],
) -> Result<Vec<u8>, Diagnostics> {
    let replacements: Vec<_> = units.iter().map(|unit| unit.replacement(program, source)).collect();
    let stays = program.source.stays.iter().filter(|stay| active.contains(&stay.id));
    let on_host = program.scops.iter().zip(&program.source.regions);
    let on_host = on_host.filter(|(scop, _)| !has_kernels(&scop.stage.ast.body));
    let ends = Ends {
        behind: stays.map(|stay| (stay.range, residency::end_name(stay))).collect(),
        before: on_host
            .map(|(_, region)| (region.range, residency::around(program, active, region)))
            .map(|(range, stays)| (range, stays.into_iter().map(residency::end_name).collect()))
            .collect(),
    };
    rewrite::rewrite(&program.source, source, header, &replacements, &ends)
}

fn cuda_text(
    units: &[Unit<'_>],
    functions: &[Function],
    function_texts: &str,
    header: &str,
    file: &str,
    stays: bool,
) -> String {
    let math = !function_texts.is_empty() && functions::call_library(functions);
    let complex = Complex::of(units.iter().map(|unit| unit.view), functions);
    let mut needs = Needs { math: math || complex.calls_library(), complex, stays, ..Needs::default() };
    let mut definitions = function_texts.to_owned();
    let constants = constant::variables(units.iter().map(|unit| unit.view));
    needs.constants = !constants.is_empty();
    definitions.push_str(&constants);
    for Unit { view, function } in units {
        needs.cuda = true;
        needs.overlap |= function.compares;
        needs.writable |= function.asks_for_constants;
        needs.host_memory |= view.has_host_memory();
        needs.math |= view.calls_functions();
        needs.host_memory |= packing::any(view);
        let arguments = constant::arguments(view);
        needs.memory_copies |= !arguments.is_empty();
        definitions.push_str(&arguments);
        needs.box_copies |= view.data.values().any(|datum| boxes::have_three_dimensions(datum, &view.body));
        let (positions, helpers) = packing::definitions(view);
        needs.add(&helpers, CType::Long);
        definitions.push_str(&positions);
        needs.add(&function.helpers, view.integers.index);
        let positions =
            function.kernels.iter().flat_map(|kernel| &kernel.positions).collect::<BTreeMap<_, _>>();
        for text in positions.values() {
            definitions.push_str(&format!("\n{text}"));
        }
        for kernel in &function.kernels {
            needs.add(&kernel.helpers, view.integers.index);
            needs.hidden_bounds |= kernel.hidden_bounds;
            needs.warp_sums |= kernel.warp_sums;
            definitions.push_str(&format!("\n{}", kernel.text));
        }
        definitions.push_str(&format!("\n{}", function.text));
        if let Some(verification) = &function.verification {
            needs.verification = true;
            definitions.push_str(&format!("\n{verification}"));
        }
    }
    needs.bits = [CType::Float, CType::Double]
        .into_iter()
        .filter(|&ctype| definitions.contains(scop::c_text::of_bits(ctype)))
        .collect();
    prelude::text(header, file, &needs) + &definitions
}

fn header_text(units: &[Unit<'_>], ends: &[&Stay], name: &str, file: &str, source: &[u8]) -> String {
    let prototype = |unit: &Unit<'_>| (comments::region(unit.view, source), unit.function.clone());
    let prototypes: Vec<_> = units.iter().map(prototype).collect();
    header::text(&comments::one_line(file), &header::guard(name), &prototypes, ends)
}
