//! From schedule tree to loop program.
//!
//! `Placed → Scanned`: isl's AST generator turns the tree into loops. At every leaf, the subscripts of all accesses
//! are computed, so that cudagen has no decisions to make. The loop program is printed as it is: all changes to isl's
//! loops are made here, before `candl-rs --check` proves them.
//!
//! The passes, each in a file of its own:
//!
//! 1. `together`: puts statements that conditions on parameters separate under one set of loops, in the tree;
//! 2. `nodes` with `instances`, `launches` and `unroll`: isl's loops and their contents, and loops over registers
//!    with constant bounds;
//! 3. `full_tiles`: separate nests for full register tiles;
//! 4. `tidy` with `canonical`: loops and expressions as a person would write them;
//! 5. `packing`: the loops over the numbered elements of arrays.

mod canonical;
mod emit_c;
mod full_tiles;
mod instances;
mod launches;
mod nodes;
mod opaque;
mod options;
mod packing;
mod plain;
mod quotients;
mod reduction;
mod tidy;
mod together;
mod unroll;

use std::collections::BTreeMap;

pub use options::{CommandLine, Emit};
pub use plain::AnyStage;
use polyhedra::ast::{generate, parameter_expression};
use polyhedra::{PwAff, Schedule, Set, Text};
use scop::ast::{ArraySlice, AstExpr, LoopProgram, Node};
use scop::{ArrayId, DeviceArray, Diagnostic, Diagnostics, Model, Outcome, Placed, Program, Scanned, Scop};

use crate::full_tiles::full_tiles;
use crate::instances::Leaves;
use crate::launches::Launches;
use crate::tidy::tidy;

/// Generates the loop program of every scop.
///
/// # Errors
///
/// Returns an error if isl fails or a tree names something that the document lacks; either is a bug of the tool that
/// wrote the tree.
pub fn run(program: Program<Placed>) -> Result<Outcome<Program<Scanned>>, Diagnostics> {
    avoid_faults_of_isl();
    let value = program.advance("cloog-rs", scan)?;
    Ok(Outcome::new(value))
}

/// Prints the loops of every scop as C. The document may be of any stage.
///
/// # Errors
///
/// As for [`run`].
pub fn emit_c(program: &Program<AnyStage>) -> Result<Outcome<String>, Diagnostics> {
    avoid_faults_of_isl();
    let text = emit_c::print(program).map_err(|error| Diagnostic::bug("cloog-rs", error.to_string()))?;
    Ok(Outcome::new(text))
}

/// Redirects isl's calls of faulty functions to wrappers.
fn avoid_faults_of_isl() {
    quotients::install();
    reduction::install();
}

/// Runs the passes, in order.
fn scan(scop: Scop<Placed>) -> polyhedra::Result<Scop<Scanned>> {
    let (scop, placed) = scop.apart();
    let model = &scop.model;
    let context = Set::parse(&model.context.0)?;
    let schedule = Schedule::parse(&placed.placement.tree.0)?;
    let body = loops(&schedule, model, &placed, &context)?;
    let arrays = placed
        .placement
        .device
        .iter()
        .map(|array| slice(array, model, &context))
        .collect::<Result<_, _>>()?;
    Ok(scop.with(Scanned { placed, ast: LoopProgram { arrays, body } }))
}

/// Returns the loop program of a schedule tree.
fn loops(schedule: &Schedule, model: &Model, placed: &Placed, context: &Set) -> polyhedra::Result<Node> {
    let launches = Launches::new(&placed.scheduled.mapping.kernels, schedule.get_root()?, context)?;
    let origins = origins(&placed.placement.device)?;
    let mut leaves =
        Leaves::new(model, launches, &placed.placement.kernels, origins).with_parts(&placed.placement.device);
    let scanned = together::together(schedule, context)?.map_or_else(|| schedule.copy(), Ok)?;
    let root = generate(scanned, context.copy()?, &mut leaves)?;
    let program = full_tiles(nodes::translate_node(&root, &leaves)?);
    Ok(tidy(program, &model.parameters))
}

fn origins(arrays: &[DeviceArray]) -> polyhedra::Result<BTreeMap<ArrayId, Vec<PwAff>>> {
    arrays
        .iter()
        .filter(|array| !array.origin.is_empty())
        .map(|array| {
            Ok((array.array, array.origin.iter().map(|o| PwAff::parse(&o.0)).collect::<Result<_, _>>()?))
        })
        .collect()
}

fn slice(array: &DeviceArray, model: &Model, context: &Set) -> polyhedra::Result<ArraySlice> {
    let value = |text: &str| -> polyhedra::Result<AstExpr> {
        scop::from_isl::translate(&parameter_expression(context.copy()?, PwAff::parse(text)?)?)
    };
    Ok(ArraySlice {
        array: array.array,
        lower: value(&array.lower.0)?,
        extent: value(&array.extent.0)?,
        inner_extents: array.inner_extents.iter().map(|extent| value(&extent.0)).collect::<Result<_, _>>()?,
        boxes: array.boxes.as_ref().map(|boxes| boxes.try_map(|number| value(&number.0))).transpose()?,
        packing: packing::packing(array, model, context)?,
    })
}
