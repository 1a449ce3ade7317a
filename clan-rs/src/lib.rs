//! The C front end: from marked regions of a C file to static control parts.
//!
//! The phases, each a folder; a file uses only files of its own folder and of those before it:
//!
//! 1. `options`: the command line, the flags of compilers on it, the rule for make;
//! 2. `c`: libclang, our syntax tree (`ctree`), and what can be said of C without a region;
//! 3. `preprocessor`: what the preprocessor and the user's compiler say, where clang would say something else;
//! 4. `directives`: the directives of the source, one file for each dialect;
//! 5. `import`: from the file to our syntax tree;
//! 6. `regions`: where regions are, and what their text says; `facts` is the ground of all that follows;
//! 7. `around`: what the code around a region does;
//! 8. `variables`: what each variable is to a region;
//! 9. `affine`: C expressions as quasi-affine expressions and sets;
//! 10. `control`: iteration domains, and the order of the pieces;
//! 11. `memory`: arrays, their dimensions and lengths;
//! 12. `body`: straight-line code as statements, with accesses and steps.
//!
//! The passes in their order; `extract` runs those on one region:
//!
//! | pass | before | after |
//! |---|---|---|
//! | `import::parse`, `c::clang` | C text | clang's syntax tree, typed and with macros expanded |
//! | `preprocessor::predefined`, `compiler`, `reached` | the compiler's own macros | the same in C text for clang |
//! | `preprocessor::conditionals` | the lines that the compiler takes | nothing, or where clang takes others |
//! | `preprocessor::optimised` | attributes and directives `optimize` | nothing, or what changes the meaning of the file |
//! | `preprocessor::macros` | tokens | where `__COUNTER__` counts |
//! | `import::runtime_names` | declarations | nothing, or those with the names of CUDA's functions |
//! | `import::attributes`, `harmless` | clang's syntax tree | the attributes that change what declarations mean |
//! | `import::importer`, `cxx` | clang's syntax tree | our own (`c::ctree`), without clang |
//! | `import::own_functions` | calls | functions of the program with names of the library |
//! | `import::constructors` | classes | whether making an object leaves a pointer to it |
//! | `import::members` | members of structures | variables of their own |
//! | `directives::marks`, `leading`, `c2cuda` | directives | the marks of regions, and what is said of loops |
//! | `regions::marked` | marks | the statements of each region |
//! | `regions::autoscop` | functions | the statements of regions that nobody marked |
//! | `regions::special` | attributes | nothing, or why what the region uses is special |
//! | `regions::nesting` | statements | nothing, or why they are too deep |
//! | `regions::facts` | the statements of a region | what is known of it before its variables are |
//! | `variables::tracked`, `environment` | variables | iterators, parameters, aliases, memory |
//! | `variables::products` | products of parameters | parameters of their own |
//! | `variables::cxx_regions` | a region of C++ | nothing, or what C does not have in it |
//! | `around::outside` | the code around a region | nothing, or why the region cannot be replaced |
//! | `control::statements`, `iterations` | `for` and `if` | iteration domains and the order of the pieces |
//! | `control::after_loop`, `affine::final_value` | iterators after their loops | their values, by outer iterators and parameters |
//! | `regions::opaque` | loops and conditions on data | what is steps of a statement |
//! | `control::runs` | simple statements | pieces of straight-line code |
//! | `affine::expressions`, `wrap` | C expressions | quasi-affine expressions and sets, and what they assume |
//! | `memory::linearised` | subscripts like `i * n + j` | dimensions of arrays, and subscripts within them |
//! | `memory::arrays`, `known_length` | variables in memory | arrays with their extents |
//! | `body::steps` | straight-line code | steps |
//! | `body::nested` | loops and conditions on data | steps |
//! | `body::flags` | conditions on data around loops | variables of the translation's own |
//! | `body::values`, `effects` | C expressions | typed expression trees, and what they do on the way |
//! | `body::functions`, `c::library`, `bits` | functions that regions call | functions of the program |
//! | `body::accesses`, `indirect` | references to memory | access relations |
//! | `variables::constants` | arrays that are written | nothing, or which constant they may change |
//! | `variables::certain`, `memory::possible` | accesses | refusals of elements that may not exist |
//! | `memory::dead` | the code around a region | what nobody reads after it |
//! | `memory::concurrent` | headers and flags (`import::threads`) | arrays that other host threads may use |
//! | `variables::guards` | parameters | the conditions under which each may be read |
//! | `control::order` | the order of the pieces | a schedule tree |
//! | `wishes` | a file of wishes | those for each region |
//! | `around::residency`, `touches`, `aliases` | the code between regions | where arrays may stay on the device |
//!
//! The region is taken as a whole or refused as a whole, with every reason that was found. What is not understood is
//! refused.

mod affine;
mod around;
mod body;
mod c;
mod control;
mod directives;
mod errors;
mod extract;
mod import;
mod memory;
mod options;
mod preprocessor;
mod regions;
mod variables;
mod wishes;

use scop::{
    Diagnostic, Diagnostics, Extracted, FORMAT, GIVEN_UP, Outcome, Program, Region, Residency, Scop, Source,
    VERSION, allowance, hash_text,
};
use tool::OutputFile;

pub use crate::options::Options;
pub use crate::options::compiler_flags::{CompilerFlags, Rule};

use crate::around::residency;
use crate::body::function_table::Functions;
use crate::c::language::is_cxx;
use crate::directives::directive;
use crate::errors::{Fault, Faults};
use crate::import::parse::{self, Parsed};
use crate::options::rule;
use crate::preprocessor::macros;
use crate::regions::naming::{file_stem, region_names};
use crate::regions::translated::Translated;
use crate::regions::{autoscop, marked};

/// The operations of isl that one region may take; the largest of PolyBench takes less than a hundredth of it.
const OPERATIONS: u64 = 100_000_000;

/// A document, and a rule for make if the command line wants one.
pub type Translation = (Program<Extracted>, Option<OutputFile>);

/// Extracts every marked region of a C file.
///
/// # Errors
/// All reasons for which the file or one of its regions is refused.
pub fn translate(options: &Options) -> Result<Outcome<Translation>, Diagnostics> {
    let bytes = parse::read(&options.file)?;
    let parsed = parse::parse(options, bytes)?;
    let rule = rule::rule(options, &parsed.included);
    let Outcome { value, diagnostics } = extract_all(options, &parsed)?;
    Ok(Outcome { value: (value, rule), diagnostics })
}

/// The same without a rule.
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
    extract_all(options, &parse::parse(options, bytes)?)
}

fn extract_all(options: &Options, parsed: &Parsed) -> Result<Outcome<Program<Extracted>>, Diagnostics> {
    let path = parsed.path.clone();
    let mut faults = Faults::default();
    let (mut regions, mut warnings) =
        marked::find(&parsed.tree, &parsed.source, &parsed.tokens, &parsed.skipped, &mut faults);
    parsed.optimised.iter().for_each(|fault| faults.push(fault.clone()));
    let mut left = Vec::new();
    if options.keep_going {
        left = marked::leave_faulty(&mut regions, &mut faults);
    }
    parsed.runtime_names.iter().for_each(|fault| faults.push(fault.clone()));
    if options.autoscop {
        warnings.extend(find_more(parsed, &mut regions));
    }
    if regions.is_empty() && faults.is_empty() && left.is_empty() {
        faults.push(if options.autoscop {
            autoscop::nothing_found()
        } else {
            marked::no_region(&parsed.tree)
        });
    }
    if faults.is_empty() {
        warnings.extend(parsed.tree.marked_in_headers.iter().map(marked::in_header));
        let Parsed { source, tokens, skipped, .. } = parsed;
        warnings.extend(marked::claims_without_region(source, tokens, skipped, &regions));
    }
    let names = region_names(&parsed.tree, &parsed.tokens, &path, &regions);
    let statements = regions.iter().flat_map(|region| region.statements.iter().copied());
    let mut functions = Functions::called_in(&parsed.tree, statements);
    let mut translated: Vec<Translated<'_>> = Vec::new();
    allowance::expect_regions(regions.len());
    for (region, name) in regions.iter().zip(&names) {
        let mut own = Faults::default();
        match extract_bounded(parsed, region, name, &mut functions, &mut own) {
            Ok(extract::Extraction::Model { model, variables, warnings: said }) => {
                warnings.extend(said);
                translated.push(Translated { region, model: *model, variables });
            }
            Ok(extract::Extraction::Idle(warning)) => warnings.push(warning),
            Ok(extract::Extraction::Refused) => {}
            Err(fault) => own.push(fault.within(region.range)),
        }
        if options.keep_going && !own.has_bug() {
            left.extend(own.into_faults().into_iter().map(|fault| (region.range.line, fault)));
        } else {
            faults.extend(own);
        }
    }
    if translated.is_empty() {
        left.drain(..).for_each(|(_, fault)| faults.push(fault));
    }
    if !faults.is_empty() {
        let left = warnings.into_iter().filter(|warning| warning.code == errors::LEFT_ALONE);
        let all = faults.into_diagnostics(&path).into_iter().chain(left).collect();
        return Err(Diagnostics(errors::in_order(all, &path)));
    }
    warnings.extend(left.into_iter().map(|(line, Fault(why))| tool::stays_c(*why, line)));
    if let Some(path) = &options.wishes {
        wishes::give(path, &names, &mut translated)?;
    }
    let is_cxx = is_cxx(&options.file);
    // What stays on the device is copied back as a whole.
    let may_be_resident = !is_cxx && !parsed.tree.has_threads;
    let residencies =
        if may_be_resident { find_residency(parsed, &path, &mut translated)? } else { Vec::new() };
    let regions = translated.iter().map(|Translated { region, model, .. }| Region {
        function: parsed.tree.functions[region.function].shown.clone(),
        range: region.range,
        last_line: Some(parsed.source.range(region.range.end, region.range.end).line),
        macros: macros::in_call(model, &parsed.tree.macros),
    });
    let source = Source {
        path: path.clone(),
        language: if is_cxx { "c++" } else { "c" }.to_owned(),
        hash: hash_text(&parsed.source.bytes),
        regions: regions.collect(),
        residencies,
        lines: parsed.lines.clone(),
    };
    let scops: Vec<_> = translated.into_iter().map(|one| Scop::new(one.model, Extracted {})).collect();
    let bodies = scops.iter().flat_map(|scop| &scop.model.statements).map(|statement| &statement.body[..]);
    let functions = functions.used_in(bodies);
    let program = Program { format: FORMAT.to_owned(), version: VERSION, source, functions, scops };
    Ok(Outcome { value: program, diagnostics: errors::in_order(warnings, &path) })
}

/// The model of a region, unless that takes too many operations.
fn extract_bounded<'t>(
    parsed: &'t Parsed,
    region: &'t marked::MarkedRegion<'t>,
    name: &str,
    functions: &mut Functions<'t>,
    faults: &mut Faults,
) -> errors::Result<extract::Extraction> {
    let refusal = errors::too_complex().at(&parsed.path, region.range, GIVEN_UP);
    allowance::spend(OPERATIONS, refusal, || {
        extract::extract(&parsed.tree, &parsed.source, region, name, functions, faults)
    })
}

fn find_residency(
    parsed: &Parsed,
    path: &str,
    regions: &mut [Translated<'_>],
) -> Result<Vec<Residency>, Diagnostics> {
    let directives = directive::directives(&parsed.tokens, &parsed.skipped, &parsed.source);
    residency::find(&parsed.tree, &parsed.source, &directives, &file_stem(path), regions)
        .map_err(|fault| Diagnostics::from(*fault.0))
}

/// Adds the regions that nobody marked, and says why loops are left.
fn find_more<'t>(parsed: &'t Parsed, regions: &mut Vec<marked::MarkedRegion<'t>>) -> Vec<Diagnostic> {
    let mut attempts = regions.len();
    let mut attempt = |region: &marked::MarkedRegion<'t>| {
        attempts += 1;
        allowance::expect_regions(attempts);
        why_refused(parsed, region)
    };
    let (more, said) =
        autoscop::find(&parsed.tree, &parsed.source, &parsed.tokens, &parsed.skipped, regions, &mut attempt);
    regions.extend(more);
    regions.sort_by_key(|region| region.range.start);
    said
}

/// Why a region cannot be translated; nothing if it can be.
fn why_refused(parsed: &Parsed, region: &marked::MarkedRegion<'_>) -> Vec<Diagnostic> {
    let mut faults = Faults::default();
    let mut functions = Functions::called_in(&parsed.tree, region.statements.iter().copied());
    match extract_bounded(parsed, region, "", &mut functions, &mut faults) {
        Ok(extract::Extraction::Model { warnings: said, .. }) => {
            let mut sequential = said.into_iter().filter(|warning| warning.code == errors::SEQUENTIAL);
            if let Some(warning) = sequential.next() {
                return vec![warning];
            }
        }
        Ok(extract::Extraction::Idle(warning)) => return vec![warning],
        Ok(_) => {}
        Err(fault) => faults.push(fault),
    }
    faults.into_diagnostics("")
}
