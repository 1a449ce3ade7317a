//! Writes what was decided as wishes. With these wishes the same is decided again, so a plan can be printed, changed,
//! and given back.

use scop::names::without_digest;
use scop::wish::{AlgorithmKind, Target};
use scop::{Kernel, Wanted, Wish};

use crate::shape::Shape;

/// Returns the decisions for a region: the algorithm, and the shapes of its kernels.
pub fn plan(
    region: &str,
    algorithm: Option<AlgorithmKind>,
    kernels: &[Kernel],
    shapes: &[Shape],
) -> Vec<Wish> {
    let target = Target { region: Some(without_digest(region)), ..Target::default() };
    let wish = |target: &Target, wanted| Wish { target: target.clone(), wanted, origin: String::new() };
    let algorithm = algorithm.map(|algorithm| wish(&target, Wanted::Algorithm(algorithm)));
    let of_kernels = kernels.iter().zip(shapes).flat_map(|(kernel, shape)| {
        let target = Target { kernel: Some(kernel.id), ..target.clone() };
        decided(shape).into_iter().map(move |wanted| wish(&target, wanted))
    });
    algorithm.into_iter().chain(of_kernels).collect()
}

/// Returns what a shape decides.
pub fn decided(shape: &Shape) -> Vec<Wanted> {
    let Shape { axes, threads, tiles, first, unroll, .. } = shape;
    let mut decided = Vec::new();
    if !tiles.is_empty() {
        decided.push(Wanted::TileSizes(tiles.clone()));
    }
    if !threads.is_empty() {
        // Block sizes are listed for all loops from the first one on, of which those before `first` have no threads.
        let ignored = std::iter::repeat_n(1, *first);
        decided.push(Wanted::BlockSizes(ignored.chain(threads.iter().copied()).collect()));
        decided.push(Wanted::Axes(axes.clone()));
    }
    decided.extend(unroll.map(Wanted::Unroll));
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
