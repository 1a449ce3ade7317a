//! Generates CUDA or HIP from loop programs, and the C source that calls it.
//!
//! `Program<Scanned>` and the text of its C source become three files: the C source with each region replaced by a
//! call, a header with the prototypes of the called functions, and a CUDA or HIP file that defines these functions
//! and their kernels (PoCC-GPU, section 5.2). The C source stays C. (PPCG and the tools before it print the whole
//! file as CUDA C++, which has neither C's variably modified parameters nor `restrict`.)
//!
//! Each phase is a folder. A file uses only files of its own folder and of the folders before it:
//!
//! 1. `program`: gives loops, and values that are computed more than once, the names of the source. The loop program
//!    stays as it was proved: bounds, conditions, subscripts and their order are printed as they are in the document.
//! 2. `model`: how host and kernels hold each array and scalar (`data`), the type of index expressions and how large
//!    parameters may be (`integers`, `overflow`), what is known about parameters and iterators (`facts`).
//! 3. `code`: statements and expressions inside one function, on the host or on the device.
//! 4. `kernel`: each kernel as data: arguments, buffers, coordinates, statements.
//! 5. `host`: each host function as data: checks, allocations, copies, launches, frees.
//! 6. `print`: prints these programs as text, in `cuda` and `hip`; `cxx` is what both share.
//! 7. `files`: the header and the rewritten source.

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

use std::path::Path;

use scop::ast::tree::has_kernels;
use scop::{Diagnostic, Diagnostics, Outcome, Program, Region, Scanned, Scop, file_name, hash_text};

use crate::code::functions;
use crate::files::additions;
use crate::files::rewrite::Replacement;
use crate::files::{called, header, rewrite, tokens};
use crate::host::calls::HostCalls;
use crate::host::file::{FileResidency, GpuFile};
use crate::host::function;
use crate::host::program::HostProgram;
use crate::host::residency::before_original;
use crate::model::complex::Complex;
use crate::model::view::View;
use crate::model::{comments, residency, view};
use crate::program::names::{FunctionNames, Names};
use crate::program::naming;

pub use crate::options::CommandLine;
pub use crate::print::target::Target;

/// The three generated files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The stem of the source's file name, from which the names of the files are made, such as `NAME_host.c`.
    pub name: String,
    /// The extension of the source's file name, such as `c` or `cpp`.
    pub extension: String,
    /// `NAME_host.c`: the C or C++ source with calls in place of the regions.
    pub host: Vec<u8>,
    /// `NAME_gpu.cu` or `NAME_gpu.hip`: the called functions and their kernels.
    pub kernels: String,
    /// `NAME_gpu.h`: the prototypes.
    pub header: String,
}

/// Generates the files of a program, with kernels in the language of a target; `source` is the text of its C source.
/// With `verify`, the generated program also runs each original region and compares the results.
///
/// # Errors
///
/// Returns `E0601` if the source has changed since clan-rs read it or lacks a place that the document names, `E0602`
/// if a kernel would compute with `long double`, `E0603` if the loops count beyond 64 bits, and `E0606` if a kernel
/// needs more shared memory than a block has. Any other error is a fault of the document.
pub fn run(
    mut program: Program<Scanned>,
    source: &[u8],
    target: Target,
    verify: bool,
) -> Result<Outcome<Generated>, Diagnostics> {
    program.source.require_complete("cudagen")?;
    file_name(&program.source.path)?;
    check_hash(&program, source)?;
    check_places(&program, source)?;
    if verify || !residency::is_planned(&program) {
        residency::transfer_in_each_region(&mut program);
    }
    let path = Path::new(&program.source.path);
    let text_of =
        |part: Option<&std::ffi::OsStr>| part.map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
    let (file, name) = (text_of(path.file_name()), text_of(path.file_stem()));
    let names = FunctionNames::of(&program, &name);
    let views = views(&program, &names, target)?;
    let regions = views.iter().map(|view| {
        let write = || function::program(view, verify);
        program.source.within_limits("cudagen", Some(view.region), write)
    });
    let regions: Vec<HostProgram> = regions.collect::<Result<_, _>>()?;
    let plan = program.residency.as_ref();
    let mut calls =
        HostCalls::named_after(&views, &name, names.of_functions().chain(tokens::names(source)).collect());
    let additions = additions::planned(&program, &mut calls)?;
    let replacements = replacements(&views, &regions, &program, source, &mut calls);
    let header = format!("{name}_gpu.h");
    let host = rewrite::rewrite(&program.source, source, &header, &replacements, &additions)?;
    let gpu = GpuFile {
        source: file,
        header,
        functions: functions::called_by(&program.functions, &names, &views)?,
        functions_call_library: functions::call_library(&program.functions),
        complex: Complex::of(views.iter(), &program.functions),
        residency: plan.map(|plan| FileResidency {
            classes: plan.classes.len(),
            runs_at_exit: called::runs_at_exit(source) || residency::is_used_by_callbacks(&program),
            is_held: plan.classes.iter().any(|class| class.foreign),
            calls: calls.used(),
        }),
        regions,
    };
    let extension = Some(text_of(path.extension())).filter(|text| !text.is_empty()).unwrap_or("c".to_owned());
    let header = header_text(&views, &gpu, &name, source, target);
    Ok(Outcome::new(Generated { name, extension, host, kernels: target.text(&gpu), header }))
}

fn check_hash(program: &Program<Scanned>, source: &[u8]) -> Result<(), Diagnostics> {
    if hash_text(source) == program.source.hash {
        return Ok(());
    }
    let message = format!("{} is not the file that the document was made from", program.source.path);
    let help = "run clan-rs and the tools after it again";
    Err(Diagnostic::error("E0601", message).with_help(help).into())
}

/// Checks that the regions of a document and its calls in host code lie within its source.
fn check_places(program: &Program<Scanned>, source: &[u8]) -> Result<(), Diagnostics> {
    let regions = program.source.regions.iter().map(|region| region.range);
    let actions = program.residency.iter().flat_map(|plan| &plan.actions);
    let mut ranges = regions.chain(actions.map(|action| action.range));
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

/// Returns the views of the scops that launch kernels. The regions of the other scops are left unchanged.
fn views<'a>(
    program: &'a Program<Scanned>,
    functions: &FunctionNames,
    target: Target,
) -> Result<Vec<View<'a>>, Diagnostics> {
    let scops = program.scops.iter().zip(&program.source.regions);
    let scops = scops.filter(|(scop, _)| has_kernels(&scop.stage.ast.body));
    let view = |(scop, region): (&'a Scop<Scanned>, &'a Region)| {
        let names = Names::of(program, &scop.model, functions, target.prefix());
        let body = naming::name_values(scop.stage.ast.body.clone(), &scop.model, &names)
            .map_err(|error| Diagnostic::bug("cudagen", error.to_string()))?;
        let view = || view::new(scop, body, region, (&program.source, program.residency.as_ref()), names);
        program.source.within_limits("cudagen", Some(region), view)
    };
    scops.map(view).collect()
}

fn replacements<'a>(
    views: &[View<'a>],
    regions: &'a [HostProgram],
    program: &'a Program<Scanned>,
    source: &'a [u8],
    calls: &mut HostCalls,
) -> Vec<Replacement<'a>> {
    let functions = if program.source.language == "c" { &program.functions[..] } else { &[] };
    let replacement = |(view, region): (&View<'a>, &'a HostProgram)| Replacement {
        region: view.region,
        model: view.model,
        function: &region.interface,
        called: called::called_in_source(functions, view.model, source),
        before_original: match region.interface.sizes.is_empty() {
            true => Vec::new(),
            false => calls.before_original(&before_original(view)),
        },
    };
    views.iter().zip(regions).map(replacement).collect()
}

fn header_text(views: &[View<'_>], gpu: &GpuFile, name: &str, source: &[u8], target: Target) -> String {
    let prototypes = views.iter().zip(&gpu.regions);
    let prototypes: Vec<_> =
        prototypes.map(|(view, region)| (comments::region(view, source), &region.interface)).collect();
    let file = comments::one_line(&gpu.source);
    let calls = gpu.residency.as_ref().map_or(&[][..], |residency| &residency.calls);
    header::text(&file, &header::guard(name), &prototypes, calls, target)
}
