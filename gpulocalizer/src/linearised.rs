//! Slices or numbered elements: how an array is transferred.
//!
//! A slice of the outermost dimension is one piece of memory on both sides, so it is copied as it is, but whole: what nobody uses
//! moves as well, and what comes back without being written has to go there first. Numbered elements (001, section 5.1) are those
//! that kernels use and no others; the host packs and unpacks them, and each access of a kernel computes a position.
//!
//! Boxes need no third way. That of a sub-matrix is numbered by a product of its extents, and packing a row is what `cudaMemcpy2D`
//! does in the driver.

use polyhedra::{Limit, PwQPolynomial, Result, Set, Simplify, Text, limit_work};
use scop::{Access, Array, DeviceArray, IslSet, Numbering};

use crate::device::Usage;
use crate::numbering::{Effort, Numberer, Refusal, expressible, typical, typical_extent};
use crate::options::Transfer;

/// Of a hundred bytes that slices move, numbered elements must save so many to be worth it.
const WORTHWHILE_PERCENT: i64 = 10;

/// What numbering an array comes to.
enum Choice {
    /// Its elements are numbered; of them these go to the device and back.
    Numbered { numbering: Numbering, elements: Set, copy_in: Set, copy_out: Set, reason: String },
    /// It is transferred in slices.
    Slices { reason: String },
}

/// *Rewrite:* a device array that holds a slice → the same with numbered elements, if `transfer` asks for it or it moves much less.
///
/// # Errors
/// A failure of isl.
pub fn choose(
    usage: &Usage<'_>,
    mut placed: DeviceArray,
    array: &Array,
    transfer: Transfer,
    numberer: &mut Numberer,
) -> Result<DeviceArray> {
    if !array.visible || array.is_scalar() {
        return Ok(placed);
    }
    match bounded_choice(usage, &placed, array, transfer, numberer)? {
        Choice::Numbered { numbering, elements, copy_in, copy_out, reason } => {
            placed.numbering = Some(numbering);
            placed.numbered = Some(IslSet(elements.text()?));
            placed.copy_in = IslSet(copy_in.text()?);
            placed.copy_out = IslSet(copy_out.text()?);
            placed.reason = reason;
        }
        Choice::Slices { reason } => placed.reason = reason,
    }
    Ok(placed)
}

/// What the search for a numbering may do for one array; those of PolyBench take a hundredth of it.
const LIMIT: Limit = Limit { operations: 2_000_000, seconds: 1 };

/// Slices, where the search for a numbering takes too long.
fn bounded_choice(
    usage: &Usage<'_>,
    placed: &DeviceArray,
    array: &Array,
    transfer: Transfer,
    numberer: &mut Numberer,
) -> Result<Choice> {
    match limit_work(LIMIT, || choice(usage, placed, array, transfer, numberer)) {
        Err(error) if error.is_limit() => {
            Ok(Choice::Slices { reason: "in slices: numbering its elements takes too long".to_owned() })
        }
        other => other,
    }
}

fn choice(
    usage: &Usage<'_>,
    placed: &DeviceArray,
    array: &Array,
    transfer: Transfer,
    numberer: &mut Numberer,
) -> Result<Choice> {
    let slices = |reason: &str| Ok(Choice::Slices { reason: format!("in slices: {reason}") });
    if transfer == Transfer::PerArray {
        return slices("as the command line wants it");
    }
    let accesses = usage.kernel_accesses(array.id);
    if let Some(reason) = obstacle(usage, array, &accesses) {
        return slices(reason);
    }
    let context = Set::parse(&usage.model.context.0)?;
    let elements = usage.elements(array, &accesses)?.intersect_params(context.copy()?)?;
    let numbering = match numberer.number(&elements)? {
        Ok(numbering) => numbering,
        Err(Refusal::Missing(why) | Refusal::Hard(why)) => return slices(&why),
    };
    let effort = match Effort::of(&numbering, &elements) {
        Err(error) if error.is_limit() => return Err(error),
        Ok(effort) if effort.is_possible() && expressible(&numbering, &context)? => effort,
        _ => return slices("the positions of its elements are too complicated to compute"),
    };
    let copy_out = usage.live_out(array, &accesses)?.intersect_params(context.copy()?)?;
    let copy_in = usage.live_in(array, &accesses)?;
    let copy_in = match copy_out.is_empty()? {
        true => copy_in,
        false => copy_in
            .union(elements.copy()?.subtract(usage.certainly_written(array, &accesses)?)?)?
            .simplified()?,
    };
    let copy_in = copy_in.intersect_params(context)?;
    let saved = saved_percent(placed, &numbering, (!copy_in.is_empty()?, !copy_out.is_empty()?))?;
    let reason = match saved {
        Some(saved) if transfer == Transfer::Linearized || saved >= WORTHWHILE_PERCENT => {
            if transfer == Transfer::Auto && !effort.is_small() {
                return slices(&format!(
                    "numbered elements would be {saved} % less, but their positions cost too much"
                ));
            }
            format!("numbered elements: {saved} % less to transfer than slices")
        }
        _ if transfer == Transfer::Linearized => "numbered elements, as the command line wants it".to_owned(),
        Some(saved) => return slices(&format!("numbered elements would be only {saved} % less")),
        None => return slices("how much less numbered elements would be is not known"),
    };
    Ok(Choice::Numbered { numbering, elements, copy_in, copy_out, reason })
}

/// What makes it impossible to let the device hold the elements alone that the accesses name.
fn obstacle(usage: &Usage<'_>, array: &Array, accesses: &[&Access]) -> Option<&'static str> {
    if accesses.iter().any(|access| access.indirect) {
        return Some("data decide which elements are used");
    }
    if usage.read_in_boxes.contains(&array.id) {
        return Some("whole boxes of it are copied into shared memory");
    }
    if !usage.host_accesses(array.id).is_empty() {
        return Some("code on the host between the kernels uses it as well");
    }
    None
}

/// What of a hundred bytes need not be transferred at typical sizes; `(in, out)` says which ways there is anything to transfer. Nothing
/// if it is not known.
fn saved_percent(
    placed: &DeviceArray,
    numbering: &Numbering,
    (goes_in, goes_out): (bool, bool),
) -> Result<Option<i64>> {
    let mut slice = Some(1i64);
    for extent in std::iter::once(&placed.extent).chain(&placed.inner_extents) {
        slice = slice.zip(typical_extent(&extent.0)?).and_then(|(all, extent)| all.checked_mul(extent));
    }
    let ways = |first: bool, second: bool| i64::from(first) + i64::from(second);
    let in_slices = ways(!is_empty(&placed.copy_in)?, !is_empty(&placed.copy_out)?);
    let before = slice.and_then(|slice| slice.checked_mul(in_slices));
    let count = typical(&PwQPolynomial::parse(&numbering.count.0)?)?;
    let after = count.and_then(|count| count.checked_mul(ways(goes_in, goes_out)));
    let (Some(before), Some(after)) = (before.filter(|before| *before > 0), after) else { return Ok(None) };
    Ok((before - after).checked_mul(100).map(|saved| saved / before))
}

fn is_empty(elements: &IslSet) -> Result<bool> {
    Ok(Set::parse(&elements.0)?.is_empty()?)
}
