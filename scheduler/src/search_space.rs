//! The search space as JSON, for programs that search it themselves.

use std::collections::BTreeMap;

use scop::wish::{AlgorithmKind, MAX_UNROLL, Offload};
use scop::{Axis, Kernel, LoopId, MAX_THREADS, StatementId, Wish};
use serde::Serialize;

use crate::plan_as_wishes::plan;
use crate::price::KernelPrice;
use crate::search::Found;
use crate::shape::Shape;
use crate::variants::Forms;

/// The search space of a program.
#[derive(Serialize)]
struct SearchSpace {
    constraints: Constraints,
    regions: Vec<RegionSpace>,
}

/// What every kernel must keep to.
#[derive(Serialize)]
struct Constraints {
    /// The most threads of a block.
    most_threads: u32,
    /// The most threads of a block along each axis.
    most_threads_along: BTreeMap<Axis, u32>,
    /// The largest factor of unrolling.
    most_unrolled: u32,
    /// Rules for people and programs.
    rules: [&'static str; 4],
}

const RULES: [&str; 4] = [
    "block_sizes[l] divides tile_sizes[l] for each parallel loop l of a kernel",
    "the product of block_sizes is at most most_threads",
    "axes has an axis for each parallel loop: x, then y, then z, in any order",
    "tile_sizes has a positive size for each loop, the parallel ones first",
];

/// The orders of a region.
#[derive(Serialize)]
pub struct RegionSpace {
    region: String,
    orders: Vec<OrderSpace>,
}

/// An order, and the mapping that is chosen for it.
#[derive(Serialize)]
pub struct OrderSpace {
    algorithm: AlgorithmKind,
    description: String,
    /// What distinguishes the variant of the region; absent for the region as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    taken: bool,
    /// The predicted time; absent if the region is too complicated for a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    microseconds: Option<f64>,
    /// The time that no order can beat.
    #[serde(skip_serializing_if = "Option::is_none")]
    floor_microseconds: Option<f64>,
    kernels: Vec<KernelSpace>,
    /// Statements that stay on the host.
    host: Vec<StatementId>,
    /// The wishes with which this order and mapping are taken.
    plan: Vec<Wish>,
}

/// A kernel of an order.
#[derive(Serialize)]
struct KernelSpace {
    kernel: String,
    statements: Vec<StatementId>,
    loops: Vec<LoopSpace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    microseconds: Option<f64>,
    /// What takes most of the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    dominant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    launches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks_with_work: Option<u64>,
}

/// A loop of a kernel that is tiled, in the order of its sizes.
#[derive(Serialize)]
struct LoopSpace {
    /// The loop of the source, unless several were combined.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    source_loop: Option<LoopId>,
    parallel: bool,
    tile_size: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_size: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<Axis>,
}

/// A variant of a region, by its position or nothing for the region as it is, and the algorithm that orders it.
type Choice = (Option<usize>, AlgorithmKind);

/// Describes a region, given the orders that algorithms find for its forms.
pub fn of_region(forms: Forms<'_>, orders: Vec<OrderSpace>) -> RegionSpace {
    RegionSpace { region: forms.extracted.name.clone(), orders }
}

/// Describes the order that an algorithm finds for a form of a region, and where the region runs with it.
pub fn order(
    forms: Forms<'_>,
    taken: Option<Choice>,
    (variant, found): (Option<usize>, &Found),
    (offload, floor): (Option<Offload>, Option<f64>),
) -> OrderSpace {
    let algorithm = found.order.algorithm;
    let price = found.considered.first().map(|considered| &considered.price);
    let placed = found.trial.as_ref().map(|trial| &trial.placed);
    let (kernels, shapes, thread_loops) = match placed {
        Some(placed) => (&placed.kernels[..], &placed.shapes[..], &placed.thread_loops[..]),
        None => (&[][..], &[][..], &[][..]),
    };
    let priced = |position: usize| price.and_then(|price| price.kernels.get(position));
    let spaces = kernels.iter().zip(shapes).enumerate();
    OrderSpace {
        algorithm,
        description: found.order.description.clone(),
        variant: variant
            .and_then(|position| forms.variants.get(position))
            .map(|variant| variant.described(forms.extracted)),
        taken: taken == Some((variant, algorithm)),
        microseconds: price.map(|price| price.microseconds),
        floor_microseconds: floor,
        kernels: spaces
            .map(|(position, (kernel, shape))| of_kernel(kernel, shape, priced(position)))
            .collect(),
        host: placed.iter().flat_map(|placed| &placed.host).map(|host| host.statement).collect(),
        plan: plan(
            (forms.extracted, forms.variants, variant),
            (Some(algorithm), offload),
            (kernels, shapes, thread_loops),
        ),
    }
}

fn of_kernel(kernel: &Kernel, shape: &Shape, price: Option<&KernelPrice>) -> KernelSpace {
    let launch = price.map(|price| &price.work.shape);
    KernelSpace {
        kernel: kernel.id.to_string(),
        statements: kernel.statements.clone(),
        loops: loops(shape),
        microseconds: price.map(|price| price.time.microseconds),
        dominant: price.map(|price| price.time.dominant.to_string()),
        launches: launch.map(|shape| shape.launches),
        blocks: launch.map(|shape| shape.blocks),
        blocks_with_work: launch.map(|shape| shape.blocks_with_work),
    }
}

fn loops(shape: &Shape) -> Vec<LoopSpace> {
    let members = shape.loops.iter().zip(&shape.tiles).enumerate();
    members
        .map(|(member, (source_loop, tile_size))| {
            let parallel = member.checked_sub(shape.first);
            let block_size = parallel.and_then(|parallel| shape.threads.get(parallel)).copied();
            LoopSpace {
                source_loop: *source_loop,
                parallel: block_size.is_some(),
                tile_size: *tile_size,
                block_size,
                axis: parallel.and_then(|parallel| shape.axes.get(parallel)).copied(),
            }
        })
        .collect()
}

/// Returns the text of a search space.
///
/// # Errors
/// Fails if it cannot be written.
pub fn text(regions: Vec<RegionSpace>) -> serde_json::Result<String> {
    let along = |axis: Axis| (axis, axis.most_threads());
    let constraints = Constraints {
        most_threads: MAX_THREADS,
        most_threads_along: Axis::ALL.map(along).into_iter().collect(),
        most_unrolled: MAX_UNROLL,
        rules: RULES,
    };
    let mut text = serde_json::to_string_pretty(&SearchSpace { constraints, regions })?;
    text.push('\n');
    Ok(text)
}
