//! Affine transformation, tiling and mapping.
//!
//! `Analysed → Scheduled`: finds an order of the statement instances that respects the dependences and exposes
//! parallel loops, decides what is a kernel and what stays on the host, tiles, and ties blocks and threads to loops. The
//! result is a schedule tree with marks (see `scop::mark`) and the sizes of each launch.

mod bands;
mod barrier;
mod choice;
mod constraints;
mod exactly;
mod grid;
mod host_only;
mod kernel;
mod options;
mod order;
mod place;
mod reuse;
mod sink;
mod sizes;
mod stride;
mod tree;

use std::collections::BTreeSet;

pub use options::{Algorithm, CommandLine, Fusion, MAX_THREADS, Options};
use place::Placed;
use polyhedra::{Set, Text};
use scop::{
    Analysed, Diagnostic, Diagnostics, Function, HostStatement, IslSchedule, Mapping, Model, Outcome,
    Program, Scheduled, Scop, StatementId,
};

/// Schedules every scop of a program.
///
/// # Errors
///
/// A failure of isl, which is a bug or a scop that is too large.
pub fn run(
    program: Program<Analysed>,
    options: &Options,
) -> Result<Outcome<Program<Scheduled>>, Diagnostics> {
    let source = program.source.clone();
    let functions = program.functions.clone();
    let mut diagnostics = Vec::new();
    let value = program.advance("scheduler", |scop| schedule(scop, &functions, options))?;
    for (scop, region) in value.scops.iter().zip(&source.regions) {
        diagnostics.extend(host_warning(scop, &source.path, region.range));
    }
    Ok(Outcome { value, diagnostics })
}

/// The passes, in order.
fn schedule(
    scop: Scop<Analysed>,
    functions: &[Function],
    options: &Options,
) -> polyhedra::Result<Scop<Scheduled>> {
    let (scop, analysed) = scop.apart();
    let model = &scop.model;
    let constraints = constraints::Constraints::new(model, &analysed.dependences)?;
    let host_only = host_only::host_only(model, functions, &analysed.dependences.dead);
    let order = order::find(model, &constraints, options, &host_only)?;
    let (mut description, may_yield) = (order.description, order.may_yield);
    let (mut root, mut placed) =
        place::place(order.schedule.get_root()?, model, options, order.wavefronts, host_only.clone())?;
    if may_yield && placed.kernels.len() > 1 {
        let other = order::alternative(model, &constraints)?;
        let top = other.schedule.get_root()?;
        let (other_root, other_placed) = place::place(top, model, options, other.wavefronts, host_only)?;
        if choice::is_better(&other_placed, &placed, model) {
            (description, root, placed) = (other.description, other_root, other_placed);
        }
    }
    let schedule = IslSchedule(root.get_schedule()?.text()?);
    let never = never_executed(model, &analysed.dependences.dead, &placed)?;
    placed.host.extend(never);
    let mapping = Mapping { algorithm: description, kernels: placed.kernels, host: placed.host };
    Ok(scop.with(Scheduled { analysed, schedule, mapping }))
}

/// The statements without an instance for any parameters that there may be, of which the order says nothing.
fn never_executed(
    model: &Model,
    dead: &[StatementId],
    placed: &Placed,
) -> polyhedra::Result<Vec<HostStatement>> {
    let in_kernels = placed.kernels.iter().flat_map(|kernel| &kernel.statements);
    let mapped: BTreeSet<_> = in_kernels.chain(placed.host.iter().map(|host| &host.statement)).collect();
    let context = Set::parse(&model.context.0)?;
    let mut found = Vec::new();
    for statement in model.statements.iter().filter(|statement| !dead.contains(&statement.id)) {
        let is_mapped = mapped.contains(&statement.id);
        if !is_mapped && Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?.is_empty()? {
            let reason = "no statement of it is ever executed".to_owned();
            found.push(HostStatement { statement: statement.id, reason });
        }
    }
    Ok(found)
}

/// A region that does not use the GPU is worth a word.
fn host_warning(scop: &Scop<Scheduled>, path: &str, range: scop::SourceRange) -> Option<Diagnostic> {
    if !scop.stage.mapping.kernels.is_empty() {
        return None;
    }
    let reason = scop.stage.mapping.host.first().map(|host| host.reason.clone()).unwrap_or_default();
    Some(
        Diagnostic::warning("W0303", format!("this region stays on the host: {reason}"))
            .at(path, range, "runs on the host")
            .with_help("`c2cuda --report FILE.c` says of each loop what keeps it in order"),
    )
}
