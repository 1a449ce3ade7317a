//! What a mapping costs.

use gpu::counts::Work;
use gpu::target::Gpu;
use gpu::time::{Time, time};
use polyhedra::Result;
use scop::{ArrayId, KernelId, Model};

use crate::cost::{Estimate, Places, Pricing, Subject, estimated, works};
use crate::host_time::host_time;
use crate::other::Other;
use crate::place::Placed;

/// The price of a mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// All kernels and the code on the host, in microseconds.
    pub microseconds: f64,
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
    /// The arrays that it copies to shared memory.
    pub staged: Vec<ArrayId>,
    /// Other shapes, with their prices.
    pub others: Vec<Other>,
}

/// Prices a mapping: its kernels, and the statements on the host. Returns nothing if a part is too complicated.
pub fn price(placed: &Placed, model: &Model, pricing: &Pricing) -> Result<Option<Price>> {
    match placed.subjects.iter().map(Option::as_ref).collect::<Option<Vec<_>>>() {
        Some(subjects) => estimated(|| price_at(placed, &subjects, model, (&pricing.places, &pricing.gpu))),
        None => Ok(None),
    }
}

/// Returns the time of a mapping for other sizes; nothing if a part is too complicated.
pub fn time_at(placed: &Placed, model: &Model, places: &Places, gpu: &Gpu) -> Result<Option<f64>> {
    let subjects = placed.sites.iter().map(|site| Subject::new(site, model, places));
    let subjects = subjects.collect::<Result<Option<Vec<_>>>>()?;
    let Some(subjects) = subjects else { return Ok(None) };
    let price = estimated(|| price_at(placed, &subjects.iter().collect::<Vec<_>>(), model, (places, gpu)))?;
    Ok(price.map(|price| price.microseconds))
}

fn price_at(
    placed: &Placed,
    subjects: &[&Subject],
    model: &Model,
    (places, gpu): (&Places, &Gpu),
) -> Result<Price> {
    let mut estimates = Vec::new();
    for ((kernel, shape), subject) in placed.kernels.iter().zip(&placed.shapes).zip(subjects) {
        let blocks = subject.blocks(kernel, places)?;
        estimates.push((kernel.id, subject.estimate(shape, blocks, places)));
    }
    let all: Vec<&Estimate> = estimates.iter().map(|(_, estimate)| estimate).collect();
    let works = works(&all, places, gpu);
    let kernels: Vec<KernelPrice> = estimates
        .into_iter()
        .zip(works)
        .zip(&placed.others)
        .map(|(((kernel, Estimate { uses, .. }), work), others)| KernelPrice {
            kernel,
            time: time(&work, gpu),
            work,
            staged: uses
                .iter()
                .filter(|of_array| of_array.is_staged())
                .map(|of_array| of_array.array)
                .collect(),
            others: others.clone(),
        })
        .collect();
    let on_gpu: f64 = kernels.iter().map(|kernel| kernel.time.microseconds).sum();
    let on_host = host_time(placed.host.iter().map(|host| host.statement), model, places, gpu)?;
    Ok(Price { microseconds: on_gpu + on_host, kernels })
}
