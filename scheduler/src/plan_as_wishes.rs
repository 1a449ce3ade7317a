//! Writes what was decided as wishes. With these wishes the same is decided again, so a plan can be printed, changed,
//! and given back.

use scop::names::without_digest;
use scop::wish::{AlgorithmKind, Demand, Offload, Target};
use scop::{Kernel, Model, Variant, VariantKind, Wanted, Wish};

use crate::shape::{Shape, ThreadLoop};

/// Returns the decisions for a region: its variant, the algorithm, where it runs, and the shapes of its kernels. A
/// region is given without expansions, with its variants and the position of the one that was taken.
pub fn plan(
    (region, variants, variant): (&Model, &[Variant], Option<usize>),
    (algorithm, offload): (Option<AlgorithmKind>, Option<Offload>),
    (kernels, shapes, thread_loops): (&[Kernel], &[Shape], &[ThreadLoop]),
) -> Vec<Wish> {
    let target = Target { region: Some(without_digest(&region.name)), ..Target::default() };
    let wish = |target: &Target, wanted| Wish { target: target.clone(), wanted, origin: String::new() };
    let algorithm = algorithm.map(|algorithm| wish(&target, Wanted::Algorithm(algorithm)));
    let offload = offload.map(|offload| wish(&target, Wanted::Offload(offload)));
    let of_kernels = kernels.iter().zip(shapes).flat_map(|(kernel, shape)| {
        let target = Target { kernel: Some(kernel.id), ..target.clone() };
        // A factor may have been planned for a kernel whose threads turn out to run no loop.
        let innermost = thread_loops.iter().filter(|found| found.kernel == kernel.id && found.innermost);
        let factor = innermost.filter_map(|found| found.factor).next();
        decided(shape, factor).into_iter().map(move |wanted| wish(&target, wanted))
    });
    let variants = demands(region, variants, variant).into_iter().map(|(array, wanted)| {
        let target = Target { array: Some(array), ..target.clone() };
        wish(&target, wanted)
    });
    variants.chain(algorithm).chain(offload).chain(of_kernels).collect()
}

/// Returns what was decided about the arrays that have variants: what the taken variant does with its arrays, and that
/// nothing is done with the others.
fn demands(region: &Model, variants: &[Variant], taken: Option<usize>) -> Vec<(String, Wanted)> {
    let mut demands = Vec::new();
    for variant in variants {
        for id in &variant.of {
            let taken = taken.and_then(|position| variants.get(position));
            let is_done = taken.is_some_and(|taken| taken.kind == variant.kind && taken.of.contains(id));
            let demand = if is_done { Demand::Always } else { Demand::Never };
            let wanted = match variant.kind {
                VariantKind::OldValues => Wanted::OldValues(demand),
                VariantKind::Turns => Wanted::Turns(demand),
                VariantKind::InPlace => Wanted::InPlace(demand),
                VariantKind::PartialSums => Wanted::PartialSums(demand),
            };
            let array = region.arrays.get(id.index()).map(|array| (array.expression.clone(), wanted));
            demands.extend(array.filter(|demand| !demands.contains(demand)));
        }
    }
    demands
}

/// Returns what a shape decides, and the factor by which the innermost loops of a thread are unrolled.
fn decided(shape: &Shape, factor: Option<u32>) -> Vec<Wanted> {
    let Shape { axes, threads, tiles, first, grid, .. } = shape;
    let mut decided = Vec::new();
    if shape.shared_sum.is_some() {
        // The sizes follow.
        decided.push(Wanted::SumThreads(shape.sum_threads()));
        decided.extend(factor.map(Wanted::Unroll));
        return decided;
    }
    if !tiles.is_empty() {
        decided.push(Wanted::TileSizes(tiles.clone()));
    }
    if !threads.is_empty() {
        // Block sizes are listed for all loops from the first one on, of which those before `first` have no threads.
        let ignored = std::iter::repeat_n(1, *first);
        decided.push(Wanted::BlockSizes(ignored.chain(threads.iter().copied()).collect()));
        decided.push(Wanted::Axes(axes.clone()));
    }
    if shape.loading > 1 {
        decided.push(Wanted::LoadThreads(shape.loading));
        decided.push(Wanted::LoadAhead(if shape.ahead { Demand::Always } else { Demand::Never }));
    }
    decided.extend(grid.as_ref().map(|(form, _)| Wanted::Grid(*form)));
    decided.extend(factor.map(Wanted::Unroll));
    decided
}

/// Returns the text of a file of wishes, with a line for each.
///
/// # Errors
/// Fails if a wish cannot be written.
pub fn text(wishes: &[Wish]) -> serde_json::Result<String> {
    let lines = wishes.iter().map(serde_json::to_string).collect::<serde_json::Result<Vec<_>>>()?;
    let lines: Vec<String> = lines.into_iter().map(|line| format!("  {line}")).collect();
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}
