//! What a mapping costs: an estimate of its time on a GPU.
//!
//! The counts of a kernel (launches, blocks, requests, sectors, instructions) are estimated from its plan for assumed
//! sizes: how many instances there are ([`mod@count`]), how they lie in blocks and threads ([`geometry`]), and which
//! elements a block touches ([`footprint`]). The time model of `libs/gpu` turns the counts into microseconds. Nothing is
//! scanned or printed, so an estimate takes a few milliseconds; `gpu-predict` counts the finished program exactly.

mod assumed;
mod count;
mod footprint;
mod geometry;
mod linear;
mod site;
mod work;

use std::collections::BTreeMap;

use gpu::counts::{Instructions, Work};
use gpu::target::Gpu;
use gpu::time::{Time, time};
use polyhedra::{Result, Set, Text};
use scop::{ArrayId, KernelId, Model};

use assumed::Assumed;
pub use site::Site;
pub use work::Subject;
use work::{Estimate, Use};

use crate::place::Placed;
use crate::plan::Other;
use crate::shape::Shape;

/// The microseconds that the host takes for an operation or access.
const HOST_MICROSECONDS: f64 = 1e-3;

/// The price of a mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// All kernels and the code on the host, in microseconds.
    pub microseconds: f64,
    /// A time that no order can beat, in microseconds: that of moving each array once or that of the arithmetic.
    pub floor: f64,
    /// The kernels.
    pub kernels: Vec<KernelPrice>,
}

/// The price of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelPrice {
    /// The kernel.
    pub kernel: KernelId,
    /// What it does.
    pub work: Work,
    /// How long it takes.
    pub time: Time,
    /// Other shapes, with their prices.
    pub others: Vec<Other>,
}

/// What is known about the sizes of a region.
pub struct Places {
    context: Set,
    arrays: BTreeMap<ArrayId, (f64, f64)>,
}

/// By how much the parameters are larger if a plan must be good for large sizes, too.
const LARGER: i64 = 16;

/// For what plans are priced.
pub struct Pricing {
    /// The sizes.
    pub places: Places,
    /// Larger sizes.
    pub large: Places,
    gpu: Gpu,
}

impl Pricing {
    /// Prices plans for a region on a GPU, with values for its parameters by name.
    pub fn new(model: &Model, sizes: &BTreeMap<String, i64>, gpu: Gpu) -> Result<Self> {
        let assumed = Assumed::new(model, sizes)?;
        let places = Places::new(model, &assumed)?;
        Ok(Self { places, large: Places::new(model, &assumed.times(LARGER))?, gpu })
    }

    /// Returns the time of a kernel with a shape, in microseconds.
    pub fn time(&self, subject: &Subject, shape: &Shape) -> f64 {
        self.time_in(subject, shape, &self.places)
    }

    /// Returns the time for larger sizes, for which `subject` was made.
    pub fn time_when_large(&self, subject: &Subject, shape: &Shape) -> f64 {
        self.time_in(subject, shape, &self.large)
    }

    /// True if each multiprocessor has one of so many blocks.
    pub fn fills_gpu(&self, blocks: f64) -> bool {
        blocks >= self.gpu.rates.multiprocessors as f64
    }

    fn time_in(&self, subject: &Subject, shape: &Shape, places: &Places) -> f64 {
        let mut estimate = [(KernelId(0), subject.estimate(shape, subject.mean_blocks(shape), places))];
        add_device_memory(&mut estimate, &self.gpu);
        time(&estimate[0].1.work, &self.gpu).microseconds
    }
}

impl Places {
    /// Gathers the sizes of the arrays of a region, for assumed values of its parameters.
    pub fn new(model: &Model, assumed: &Assumed) -> Result<Self> {
        let mut arrays = BTreeMap::new();
        for array in &model.arrays {
            let element = f64::from(array.element.size());
            let extents = assumed.extents(array)?;
            let elements = extents.iter().copied().map(|extent| extent.unwrap_or(f64::INFINITY));
            arrays.insert(array.id, (element, element * elements.product::<f64>()));
        }
        Ok(Self { context: assumed.context()?, arrays })
    }

    fn bytes(&self, array: ArrayId) -> f64 {
        self.arrays.get(&array).map_or(8.0, |(element, _)| *element)
    }

    fn array_bytes(&self, array: ArrayId) -> f64 {
        self.arrays.get(&array).map_or(f64::INFINITY, |(_, all)| *all)
    }
}

/// Prices a mapping: its kernels, and the statements on the host.
pub fn price(placed: &Placed, model: &Model, pricing: &Pricing) -> Result<Price> {
    let Pricing { places, gpu, .. } = pricing;
    let mut estimates = Vec::new();
    for ((kernel, shape), subject) in placed.kernels.iter().zip(&placed.shapes).zip(&placed.subjects) {
        let blocks = subject.blocks(kernel, places)?;
        estimates.push((kernel.id, subject.estimate(shape, blocks, places)));
    }
    let floor = floor(&estimates, gpu);
    add_device_memory(&mut estimates, gpu);
    let kernels: Vec<KernelPrice> = estimates
        .into_iter()
        .zip(&placed.others)
        .map(|((kernel, Estimate { work, .. }), others)| KernelPrice {
            kernel,
            time: time(&work, gpu),
            work,
            others: others.clone(),
        })
        .collect();
    let on_gpu: f64 = kernels.iter().map(|kernel| kernel.time.microseconds).sum();
    Ok(Price { microseconds: on_gpu + on_host(placed, model, places)?, floor, kernels })
}

/// Returns the time of the longest of what every order needs: a launch, the arithmetic, and each array once.
fn floor(estimates: &[(KernelId, Estimate)], gpu: &Gpu) -> f64 {
    let rates = &gpu.rates;
    let bytes: f64 = array_sizes(estimates).values().sum();
    let all = |of: fn(&Instructions) -> f64| -> f64 {
        let phases = estimates.iter().flat_map(|(_, estimate)| &estimate.work.phases);
        phases.map(|phase| of(&phase.instructions)).sum::<f64>() * footprint::WARP
            / rates.multiprocessors as f64
    };
    let clocks = [
        bytes / rates.dram_bytes_per_clock(),
        all(|instructions| instructions.fp32) / rates.rate_fp32,
        all(|instructions| instructions.fp64) / rates.rate_fp64,
        all(|instructions| instructions.special) / rates.rate_special,
    ];
    rates.microseconds(clocks.into_iter().fold(0.0, f64::max)).max(rates.launch_microseconds)
}

/// Returns the bytes that a launch touches of each array, at most.
fn array_sizes(estimates: &[(KernelId, Estimate)]) -> BTreeMap<ArrayId, f64> {
    let mut sizes: BTreeMap<ArrayId, f64> = BTreeMap::new();
    for of_array in estimates.iter().flat_map(|(_, estimate)| &estimate.uses) {
        let largest = sizes.entry(of_array.array).or_default();
        *largest = largest.max(of_array.touched);
    }
    sizes
}

/// Adds the bytes that device memory moves. Arrays that fit into the L2 cache together, the smallest first, are read
/// once, by the kernel that needs most of them; a launch needs the others again.
fn add_device_memory(estimates: &mut [(KernelId, Estimate)], gpu: &Gpu) {
    let mut ordered: Vec<(ArrayId, f64)> = array_sizes(estimates).into_iter().collect();
    ordered.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let (mut cached, mut used) = (Vec::new(), 0.0);
    for (array, bytes) in ordered {
        used += bytes;
        if used <= gpu.caches.l2_bytes as f64 {
            cached.push(array);
        }
    }
    let mut seen = Vec::new();
    for (_, estimate) in estimates {
        let launches = estimate.work.shape.launches as f64;
        let mut bytes = 0.0;
        for Use { array, touched, loaded, stored } in &estimate.uses {
            if !cached.contains(array) {
                bytes += loaded.min(touched * launches) + stored.min(touched * launches);
            } else if !seen.contains(array) {
                seen.push(*array);
                bytes += loaded.min(*touched) + stored.min(*touched);
            }
        }
        let Some(phase) = estimate.work.phases.first_mut() else { continue };
        phase.dram_bytes = bytes;
        let moved = phase.memory.sectors * footprint::SECTOR_BYTES;
        let share = if moved > 0.0 { (bytes / moved).min(1.0) } else { 0.0 };
        phase.waits.dram = phase.waits.l2 * share;
        phase.waits.l2 -= phase.waits.dram;
    }
}

fn on_host(placed: &Placed, model: &Model, places: &Places) -> Result<f64> {
    let mut microseconds = 0.0;
    for host in &placed.host {
        let statement = model.statement(host.statement)?;
        let domain = Set::parse(&statement.domain.0)?
            .intersect_params(places.context.copy()?)?
            .project_out_all_params()?;
        let operations = statement.accesses.len().max(1) as f64;
        microseconds += count::count(&domain)?.points * operations * HOST_MICROSECONDS;
    }
    Ok(microseconds)
}
