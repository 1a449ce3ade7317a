//! Data placement.
//!
//! `Scheduled → Placed`: for each kernel, decides which elements go to registers and to shared memory, and puts the
//! copies into the tree; for the region, decides which slice of each array is on the device, and puts the transfers
//! around the region, outside the loops on the host (PoCC-GPU, section 5.1; C-to-CUDA, section 4.2). For the program,
//! decides which arrays stay on the device between regions, and which calls host code makes for them.
//!
//! The phases, each a folder or a file; a file uses only files of its own phase and of earlier ones:
//!
//! 1. `options`: the command line and the target;
//! 2. `residency`: which arrays may stay on the device between regions, and the calls in host code;
//! 3. `counting`: numberings of elements;
//! 4. `device`: what is in the device's memory, and what is transferred;
//! 5. `apply`: copies, barriers and transfers in the tree;
//! 6. `report`: answers to wishes, messages and the report.
//!
//! Which memory serves which array in each kernel is decided in the library `place`, so that others can ask as well.
//!
//! The passes, in order:
//!
//! | pass | before | after |
//! |---|---|---|
//! | `residency::plan`, with `classes`, `runs`, `calls`, `intervals` | host code | the arrays that may be resident |
//! | `place::memory::constant` | arrays that kernels only read | the arrays in constant memory |
//! | `place::memory::choose` | the subtree of each kernel (`place::kernel::view`) | its buffers |
//! | `place::memory::private`, `temporary`, `operands` | an array in a kernel | buffers in registers |
//! | `place::memory::coherent`, `shared` | an array in a kernel | buffers in shared memory |
//! | `place::index::arrange`, with `dense` and `ring` | a buffer in shared memory | its index function |
//! | `apply::copies` | the buffers of each kernel | copies and barriers in the tree |
//! | `device::arrays` | what kernels and the host use (`device::usage`) | the slices on the device |
//! | `device::transfer_layout`, with `boxes` | a slice | a slice (perhaps resident), boxes or numbered elements |
//! | `device::transfers`, with `parts` | the slices on the device | transfers, as data |
//! | `device::host_races` | transfers from the device | arrays that must not be copied back |
//! | `apply::transfers` | transfers, as data | transfers in the tree |
//! | `residency::plan` | placed regions, host code | the classes of resident arrays, and the calls in host code |
//! | `report::answers` | wishes | an answer to each |
//! | `report::unmet` | answers | nothing, or messages |
//! | `report::placement`, `host`, `text` | a placed program | the report on it, if the user asks for one |

mod apply;
mod counting;
mod device;
mod options;
mod report;
mod residency;

pub use options::{CommandLine, Memories, Options, ReportFormat, ResidencyOption};
use polyhedra::{Result, Schedule, Text};
use scop::wish::{LayoutKind, TransferKind};
use scop::{
    Diagnostic, Diagnostics, IslSchedule, Kernel, Outcome, Placed, Placement, Program, Region, Scheduled,
    Scop, Source, Wanted, Wish,
};

use crate::counting::numbering::Numberer;
use crate::device::host_races::Overwritten;
use crate::device::transfer_layout::Transfers;
use crate::options::NAME;
use crate::report::answers;
use crate::residency::{Candidates, OfScop};
use place::counting::{Counting, WORK};
use place::kernel::view::kernel_node;
use place::memory::buffers::{Buffers, contracted, read_without_need};
use place::memory::choose::Chooser;
use place::memory::constant::constants;
use place::memory::price::{contradicted, unlike_price};
use place::wishes::Wishes;

/// Places the data of every scop.
///
/// # Errors
///
/// Returns an error if isl fails or a tree lacks a mark, which is a bug of the tool that wrote the tree; also if a
/// wish cannot be met or an array must not be copied back.
pub fn run(
    program: Program<Scheduled>,
    options: &Options,
) -> std::result::Result<Outcome<Program<Placed>>, Diagnostics> {
    program.source.require_complete(NAME)?;
    require_one_rule(&program)?;
    let counting = Counting::open();
    let wished = || program.scops.iter().flat_map(|scop| &scop.model.wishes).chain(&options.wishes);
    if wished().any(is_for_dense)
        && let Some(why) = counting.missing()
    {
        return Err(uncounted(&why).into());
    }
    let numbered = wished().any(is_for_numbers);
    let has_callers = options.residency.has_callers();
    let mut candidates = match options.residency {
        ResidencyOption::Never => Candidates::default(),
        _ => Candidates::of(&program, has_callers),
    };
    candidates.forbid(&program, &options.wishes);
    let source = program.source.clone();
    let (mut regions, mut refused) = (source.regions.iter().enumerate(), Vec::new());
    let mut value = program.advance(NAME, |scop| {
        let (number, region) = regions.next().unzip();
        let candidates = number.map(|number| OfScop { candidates: &candidates, number });
        let (placed, Overwritten(arrays)) = place(scop, options, candidates, &counting)?;
        for array in arrays {
            refused.push(overwritten(&placed.model.array(array)?.expression, &source, region));
        }
        Ok(placed)
    })?;
    let mut said = match options.residency {
        ResidencyOption::Never => Vec::new(),
        _ => residency::complete(&mut value, has_callers),
    };
    if options.residency == ResidencyOption::Together {
        said.retain(|one| one.severity == scop::Severity::Error);
    }
    refused.extend(said.extract_if(.., |one| one.severity == scop::Severity::Error));
    refused.extend(report::unmet::refused(&value, options));
    if !refused.is_empty() {
        return Err(Diagnostics(refused));
    }
    let missing = numbered.then(|| counting.missing()).flatten().map(without_counts);
    let diagnostics = said.into_iter().chain(missing).chain(report::unmet::left(&value)).collect();
    Ok(Outcome { value, diagnostics })
}

/// Requires that the memory which the price of each kernel takes for granted follows from the numbers that stand beside
/// it by the rule that decides here. If not, the plan was chosen for a price that its code does not have.
fn require_one_rule(program: &Program<Scheduled>) -> std::result::Result<(), Diagnostics> {
    let regions =
        program.source.regions.iter().map(|region| Some(region.range)).chain(std::iter::repeat(None));
    let mut faults = Vec::new();
    for (scop, range) in program.scops.iter().zip(regions) {
        for kernel in &scop.stage.mapping.kernels {
            let Some(priced) = contradicted(kernel) else { continue };
            let array = scop.model.array(priced.array).map_or("an array", |array| &array.expression);
            let (priced, ruled) = match priced.in_shared {
                true => ("in shared memory", "not there"),
                false => ("not in shared memory", "there"),
            };
            let message = format!(
                "{} of {} is priced with `{array}` {priced}, but the rule that decides on it puts it {ruled}, given the \
                 same counts",
                kernel.id, scop.model.name
            );
            faults.push(Diagnostic::bug("scheduler", message).perhaps_at(
                &program.source.path,
                range,
                "the region",
            ));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Diagnostics(faults)) }
}

fn is_for_dense(wish: &Wish) -> bool {
    wish.wanted == Wanted::Layout(LayoutKind::Dense)
}

fn is_for_numbers(wish: &Wish) -> bool {
    wish.wanted == Wanted::Transfer(TransferKind::Linearized)
}

/// Returns the error for dense layouts if libbarvinok, which counts their elements, is missing.
fn uncounted(why: &str) -> Diagnostic {
    Diagnostic::error("E0402", format!("dense layouts cannot be counted: {why}"))
        .with_help("run `scripts/setup`, or leave out `--layout dense`")
}

/// Returns the warning that no elements were numbered.
fn without_counts(why: String) -> Diagnostic {
    Diagnostic::warning("W0401", format!("arrays are transferred in slices: {why}"))
        .with_help("`--transfer linearized` counts elements, which libbarvinok does")
}

/// Returns the error for a region that must not be translated because of an array.
fn overwritten(array: &str, source: &Source, region: Option<&Region>) -> Diagnostic {
    let message = format!(
        "elements of `{array}` that this region does not certainly use would be copied back from the device, and other \
         host threads may have changed them"
    );
    let diagnostic = Diagnostic::error("E0403", message).with_help(
        "if no other thread uses the arrays of regions while they run, promise that with `--no-host-threads`",
    );
    match region {
        Some(region) => diagnostic.at(&source.path, region.range, "the region"),
        None => diagnostic,
    }
}

/// Describes where [`run`] places data, and why, as text or JSON.
///
/// # Errors
///
/// As for [`run`]; also returns an error if a count for the report takes too long.
pub fn report(
    program: Program<Scheduled>,
    options: &Options,
    format: ReportFormat,
) -> std::result::Result<Outcome<String>, Diagnostics> {
    let Outcome { value, diagnostics } = run(program, options)?;
    let report = report::placement::report(&value, options)?;
    let text = match format {
        ReportFormat::Text => report.to_string(),
        ReportFormat::Transfers => report::text::Transfers(&report).to_string(),
        ReportFormat::Json => {
            let json = serde_json::to_string_pretty(&report);
            json.map_err(|error| Diagnostic::bug(NAME, format!("its report is not JSON: {error}")))?
        }
    };
    Ok(Outcome { value: text, diagnostics })
}

/// Runs the passes, in order.
fn place(
    scop: Scop<Scheduled>,
    options: &Options,
    candidates: Option<OfScop<'_>>,
    counting: &Counting,
) -> Result<(Scop<Placed>, Overwritten)> {
    counting.allow(WORK);
    let (scop, scheduled) = scop.apart();
    let model = &scop.model;
    let mut root = Schedule::parse(&scheduled.mapping.tree.0)?.get_root()?;
    let wishes = Wishes::new(model, &options.wishes);
    let (mapping, dependences) = (&scheduled.mapping, scheduled.ordered.respected());
    let resident = candidates.map(OfScop::arrays).unwrap_or_default();
    let constants = constants(model, mapping, &root, options.argument_bytes, (&resident, &wishes))?;
    let chooser = Chooser { model, dependences, wishes: &wishes, counting, constants: &constants };
    let chosen = chooser.choose_all(mapping, &root, options.shared_memory)?;
    for (kernel, chosen) in mapping.kernels.iter().zip(&chosen) {
        let node = kernel_node(root, kernel)?;
        root = apply::copies::insert(node, kernel, &chosen.private, &chosen.shared)?.root()?;
    }
    let contracted = contracted(model, mapping, &chosen)?;
    let read_without_need = read_without_need(&chosen)?;
    let usage = device::usage::Usage {
        model,
        mapping,
        dependences,
        contracted,
        read_without_need,
        constants: &constants,
    };
    let transfers = Transfers { wishes: &wishes, candidates };
    let mut device = device::arrays::device_arrays(&usage, transfers, &Numberer::new(counting))?;
    let plan = device::transfers::plan(&root, &usage, &device)?;
    plan.give_parts(&mut device);
    let root = apply::transfers::insert(root, &plan)?;
    let retained: Vec<_> =
        chosen.iter().map(|buffers| (buffers.retaining(), buffers.without_limit)).collect();
    let placed = |(buffers, kernel): (Buffers, &Kernel)| {
        let unlike_price = unlike_price(kernel, &buffers, &constants);
        buffers.finish(kernel, unlike_price)
    };
    let kernels: Vec<_> = chosen.into_iter().zip(&mapping.kernels).map(placed).collect();
    let outcomes: Vec<_> = kernels
        .iter()
        .zip(retained)
        .map(|(placed, (retaining, without_limit))| answers::Outcome { placed, retaining, without_limit })
        .collect();
    let answers = answers::answers(&wishes, mapping, &device, &outcomes)?;
    let tree = IslSchedule(root.get_schedule()?.text()?);
    let placement = Placement { tree, device, kernels, answers };
    Ok((scop.with(Placed { scheduled, placement }), plan.overwritten))
}

/// Returns a number of random cases, the same in every run; `PROPTEST_RNG_SEED` selects others.
#[cfg(test)]
fn random_cases(cases: u32) -> proptest::test_runner::Config {
    use proptest::test_runner::{Config, RngSeed};
    let asked = Config::default();
    let rng_seed = match asked.rng_seed {
        RngSeed::Random => RngSeed::Fixed(2026),
        seed => seed,
    };
    Config { cases, rng_seed, failure_persistence: None, max_global_rejects: cases / 4, ..asked }
}
