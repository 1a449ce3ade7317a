//! The rules for what can be asked for, and for which targets.

use std::fmt;

use super::target::Target;
use super::wanted::{MemoryKind, Offload, Wanted};
use crate::axis::WARP;
use crate::{Axis, MAX_THREADS};

/// The largest unroll factor; the code of a larger loop would not fit in any instruction cache.
pub const MAX_UNROLL: u32 = 1024;

/// The reason why a wish makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Senseless {
    /// A size is not positive.
    Sizes,
    /// A block would have too many threads.
    Threads,
    /// A number of threads that cannot share a sum.
    SumThreads(u32),
    /// A number of threads that cannot load for one.
    LoadThreads,
    /// The unroll factor is zero or too large.
    Factor,
    /// The wish is not possible for its target.
    Target(String),
}

impl Senseless {
    /// Returns the code of the message.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Sizes | Self::Factor | Self::SumThreads(_) | Self::LoadThreads => "E0301",
            Self::Threads => "E0302",
            Self::Target(_) => "E0305",
        }
    }

    /// Returns what to do instead.
    pub fn way_out(&self) -> String {
        let text = match self {
            Self::Sizes => "sizes are positive numbers, as in `--tile-sizes 32,16`",
            Self::Threads => {
                return format!(
                    "the product of the sizes after `--block-sizes` may be {MAX_THREADS} at most"
                );
            }
            Self::Factor => "a factor is a positive number, as in `--unroll 8`; 1 forbids unrolling",
            Self::SumThreads(threads) => {
                let nearest = if *threads <= WARP / 2 { 1 } else { WARP };
                return format!("the nearest that can is `--sum-threads {nearest}`");
            }
            Self::LoadThreads => {
                "`--load-threads 8` has seven threads load for each one that computes; 1 has none"
            }
            Self::Target(_) => "docs/wishes.md says what can be asked for",
        };
        text.to_owned()
    }
}

impl fmt::Display for Senseless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes => f.write_str("a tile or block size is not positive"),
            Self::Factor => write!(f, "loops are unrolled by 1 to {MAX_UNROLL}"),
            Self::SumThreads(threads) => {
                write!(f, "{threads} threads cannot share a sum: one thread has it, or the {WARP} of a warp")
            }
            Self::LoadThreads => write!(f, "1 to {MAX_THREADS} threads can load for one that computes"),
            Self::Threads => write!(f, "the block sizes ask for more than {MAX_THREADS} threads in a block"),
            Self::Target(why) => f.write_str(why),
        }
    }
}

/// Checks that a wish makes sense for its target.
pub fn check(target: &Target, wanted: &Wanted) -> Result<(), Senseless> {
    let Target { kernel, source_loop, array, .. } = target;
    let (of_kernel, of_loop, of_array) = (kernel.is_some(), source_loop.is_some(), array.is_some());
    let (allowed, whose) = match wanted {
        Wanted::TileSizes(_) | Wanted::Unroll(_) => (!(of_array || of_kernel && of_loop), "kernels or loops"),
        Wanted::Algorithm(_) | Wanted::Fusion(_) | Wanted::Offload(_) => {
            (!of_array && !of_loop && !of_kernel, "regions")
        }
        Wanted::Axes(_)
        | Wanted::Grid(_)
        | Wanted::SumThreads(_)
        | Wanted::LoadThreads(_)
        | Wanted::LoadAhead(_)
        | Wanted::BlockSizes(_)
        | Wanted::SharedMemory(_) => (!of_array && !of_loop, "kernels"),
        Wanted::Layout(_) | Wanted::Avoid(_) => (!of_loop, "kernels and arrays"),
        Wanted::Memory(MemoryKind::Shared) => {
            (!of_loop && (of_array || !of_kernel), "an array, which has to be named, or for all")
        }
        Wanted::Memory(_) => (of_array && !of_loop, "an array, which has to be named"),
        Wanted::Transfer(_) | Wanted::Resident(_) | Wanted::Reassociate => (!of_loop && !of_kernel, "arrays"),
        Wanted::OldValues(_) | Wanted::Turns(_) | Wanted::InPlace(_) | Wanted::PartialSums(_) => {
            (!of_loop && !of_kernel, "arrays")
        }
        Wanted::CopyIn(_) | Wanted::CopyOut(_) => {
            (of_array && !of_loop && !of_kernel, "an array, which has to be named")
        }
    };
    if !allowed {
        return Err(Senseless::Target(format!("{} is for {whose}", wanted)));
    }
    match wanted {
        Wanted::TileSizes(sizes) | Wanted::BlockSizes(sizes) => check_sizes(target, wanted, sizes),
        Wanted::Axes(axes) => check_axes(axes),
        Wanted::Offload(Offload::Above(sizes)) if sizes.is_empty() => {
            Err(Senseless::Target("no parameter is named".to_owned()))
        }
        Wanted::Unroll(factor) if !(1..=MAX_UNROLL).contains(factor) => Err(Senseless::Factor),
        Wanted::SumThreads(threads) if ![1, WARP].contains(threads) => Err(Senseless::SumThreads(*threads)),
        Wanted::LoadThreads(threads) if !(1..=MAX_THREADS).contains(threads) => Err(Senseless::LoadThreads),
        Wanted::Avoid(MemoryKind::Global) => {
            Err(Senseless::Target("every array is in global memory at first".to_owned()))
        }
        _ => Ok(()),
    }
}

/// Checks that one to three loops lie along x, y and z.
fn check_axes(axes: &[Axis]) -> Result<(), Senseless> {
    let said = |why: &str| Err(Senseless::Target(why.to_owned()));
    let mut sorted = axes.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < axes.len() {
        return said("each of the loops has an axis of its own");
    }
    match axes.len() {
        0 => said("no axis is named"),
        1 if sorted != [Axis::X] => said("one loop lies along x"),
        2 if sorted != [Axis::X, Axis::Y] => said("two loops lie along x and y"),
        _ => Ok(()),
    }
}

fn check_sizes(target: &Target, wanted: &Wanted, sizes: &[u32]) -> Result<(), Senseless> {
    if sizes.is_empty() {
        return Err(Senseless::Target("no size is named".to_owned()));
    }
    if sizes.contains(&0) {
        return Err(Senseless::Sizes);
    }
    if target.source_loop.is_some() && sizes.len() > 1 {
        return Err(Senseless::Target("a loop has one tile size".to_owned()));
    }
    let threads = sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size.into()));
    let too_many = threads.is_none_or(|threads| threads > u64::from(MAX_THREADS));
    if matches!(wanted, Wanted::BlockSizes(_)) && too_many {
        return Err(Senseless::Threads);
    }
    Ok(())
}
