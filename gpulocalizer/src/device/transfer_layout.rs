//! Slices, boxes or numbered elements: the layout in which an array is transferred.
//!
//! A slice of the outermost dimension is contiguous on both sides and is copied unchanged, but as a whole: elements
//! that nobody uses are also moved, and elements that are copied back without being written must first be copied to
//! the device. Instead, a few boxes of a slice may be copied that contain exactly the needed elements. If these are
//! not boxes, as in a triangle, elements are numbered (PoCC-GPU, section 5.1): the device holds only the elements
//! that kernels use, the host packs and unpacks them, and each access of a kernel computes a position.

use polyhedra::{PwQPolynomial, Result, Set, Simplify, Text, within};
use scop::wish::{Demand, TransferKind};
use scop::{
    Access, Array, Boxes, ClassId, DeviceArray, ElementBox, IslPwAff, IslPwQPolynomial, IslSet, Numbering,
    Storage,
};

use crate::counting::numbering::{Effort, Numberer, Refusal, expressible, typical, typical_extent};
use crate::counting::numbering_proof::is_right;
use crate::device::boxes::{box_around, boxes, union};
use crate::device::host_races;
use crate::device::usage::{Moved, Usage};
use crate::residency::{OfScop, Reuse};
use place::kernel::elements::is_thin;
use place::memory::constant;
use place::wishes::Wishes;

/// The percentage of the bytes of slices that numbered elements must save to be worthwhile. The same holds for boxes
/// if they need more calls.
const WORTHWHILE_PERCENT: i64 = 10;

/// The most dimensions of a box that one call copies.
pub const MOST_DIMENSIONS: usize = 3;

/// How arrays may be transferred.
#[derive(Debug, Clone, Copy)]
pub struct Transfers<'a> {
    /// The user's wishes.
    pub wishes: &'a Wishes<'a>,
    /// The arrays that may stay on the device.
    pub candidates: Option<OfScop<'a>>,
}

/// How an array is transferred, and why.
pub struct Choice {
    layout: TransferLayout,
    /// True if the array is resident on the device between regions, in slices.
    resident: Option<ClassId>,
    reason: String,
}

enum TransferLayout {
    /// The whole slice.
    Slices,
    /// Boxes of the slice, and the elements in them.
    Boxes { boxes: Boxes<IslPwAff>, moved: Moved },
    /// Numbered elements.
    Numbered(Numbered),
}

impl Choice {
    fn new(layout: TransferLayout, reason: impl Into<String>) -> Self {
        Self { layout, resident: None, reason: reason.into() }
    }

    /// *Rewrite:* a device array that holds a slice → the same with boxes, with numbered elements, or resident
    /// between regions.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails.
    pub fn apply(self, placed: DeviceArray) -> Result<DeviceArray> {
        let Self { layout, resident, reason } = self;
        let placed = DeviceArray { resident, reason, ..placed };
        let moving = |moved: Moved, placed: DeviceArray| -> Result<DeviceArray> {
            let (copy_in, copy_out) = (IslSet(moved.copy_in.text()?), IslSet(moved.copy_out.text()?));
            Ok(DeviceArray { copy_in, copy_out, ..placed })
        };
        match layout {
            TransferLayout::Slices => Ok(placed),
            TransferLayout::Boxes { boxes, moved } => {
                moving(moved, DeviceArray { boxes: Some(boxes), ..placed })
            }
            TransferLayout::Numbered(Numbered { numbering, elements, moved }) => {
                let (numbering, numbered) = (Some(numbering), Some(IslSet(elements.text()?)));
                moving(moved, DeviceArray { numbering, numbered, ..placed })
            }
        }
    }
}

/// Decides how a device array that holds a slice is transferred: in boxes or as numbered elements if `transfers` asks
/// for that or if that moves less; or whether it is resident.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn choose(
    usage: &Usage<'_>,
    placed: &DeviceArray,
    array: &Array,
    transfers: Transfers<'_>,
    numberer: &Numberer<'_>,
) -> Result<Choice> {
    if !array.visible || array.is_scalar() {
        return Ok(Choice::new(TransferLayout::Slices, ""));
    }
    if !placed.memory.is_global() {
        return Ok(Choice::new(TransferLayout::Slices, constant::reason(placed.memory)));
    }
    let wishes = transfers.wishes;
    if [wishes.copy_in(array), wishes.copy_out(array)].contains(&Some(Demand::Always)) {
        return slices("copies are wished");
    }
    let choice = bounded_choice(usage, placed, array, transfers.wishes.transfer(array), numberer)?;
    Ok(match residency(usage, placed, array, transfers, &choice.layout)? {
        Some(reuse) => {
            let reason = reason(reuse).to_owned();
            Choice { layout: TransferLayout::Slices, resident: Some(NOT_KNOWN_YET), reason }
        }
        None => {
            let why_not = transfers.candidates.and_then(|candidates| candidates.why_not(array.id));
            let is_demanded = wishes.resident(array) == Some(Demand::Always);
            let why_not =
                why_not.or_else(|| is_demanded.then(|| why_not_resident(array, transfers).to_owned()));
            let parts = [choice.reason, why_not.unwrap_or_default()];
            let reason = parts
                .iter()
                .filter(|part| !part.is_empty())
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join("; ");
            Choice { reason, ..choice }
        }
    })
}

/// A resident array is moved only once. A layout must save this percentage of each region's transfers to be better
/// than residency.
const WORTH_MOVING_PERCENT: i64 = 50;

/// The class of a resident array before the plan is complete ([`crate::residency::complete`]).
const NOT_KNOWN_YET: ClassId = ClassId(0);

/// Decides whether an array is resident between regions. `layout` is the layout in which it would be transferred
/// otherwise.
fn residency(
    usage: &Usage<'_>,
    placed: &DeviceArray,
    array: &Array,
    transfers: Transfers<'_>,
    layout: &TransferLayout,
) -> Result<Option<Reuse>> {
    let Some(reuse) = transfers.candidates.and_then(|candidates| candidates.reuse(array.id)) else {
        return Ok(None);
    };
    let wanted = transfers.wishes.transfer(array) != Some(TransferKind::Linearized);
    if !wanted || array.storage != Storage::Contiguous || !usage.host_accesses(array.id)?.is_empty() {
        return Ok(None);
    }
    let is_kept = matches!(reuse, Reuse::Held | Reuse::BetweenRuns)
        || transfers.wishes.resident(array) == Some(Demand::Always)
        || saved_by(layout, placed, array)? <= WORTH_MOVING_PERCENT;
    Ok(is_kept.then_some(reuse))
}

/// Explains why an array is not resident although a wish demands it.
fn why_not_resident(array: &Array, transfers: Transfers<'_>) -> &'static str {
    let is_candidate = transfers.candidates.is_some_and(|candidates| candidates.reuse(array.id).is_some());
    if transfers.wishes.transfer(array) == Some(TransferKind::Linearized) {
        "does not stay on the device between regions, because another wish asks for numbered elements"
    } else if array.storage != Storage::Contiguous || array.expression.contains(['.', '>']) {
        "does not stay on the device between regions, because it is a member of a structure"
    } else if is_candidate {
        "does not stay on the device between regions, because host code between kernels of this region uses it"
    } else if array.memory.is_empty() {
        "does not stay on the device between regions, because it is not known which memory it is: see \"What keeps \
         memory from staying\" in docs/placement.md"
    } else {
        "does not stay on the device between regions, because only one run of a region uses it while it could stay"
    }
}

/// Explains why an array is resident.
fn reason(reuse: Reuse) -> &'static str {
    match reuse {
        Reuse::Held => "stays on the device as long as it is held there",
        Reuse::BetweenRuns => "stays on the device from one run of the region to the next",
        Reuse::BetweenRegions => "stays on the device from one region to the next",
    }
}

/// Returns the percentage of the bytes of slices that a layout saves, at typical sizes.
fn saved_by(layout: &TransferLayout, placed: &DeviceArray, array: &Array) -> Result<i64> {
    let saved = match layout {
        TransferLayout::Slices => Some(0),
        TransferLayout::Boxes { boxes, .. } => {
            let there = typical_volumes(&boxes.to_device)?;
            let back = typical_volumes(&boxes.from_device)?;
            let moved = there.zip(back).and_then(|(there, back)| there.checked_add(back));
            let slices = typical_elements_in_slices(placed, array)?;
            slices.zip(moved).and_then(|(slices, moved)| percent(slices - moved, slices))
        }
        TransferLayout::Numbered(Numbered { numbering, moved, .. }) => {
            saved_percent(placed, array, &numbering.count, moved)?
        }
    };
    Ok(saved.unwrap_or(0))
}

/// The limit on isl operations for choosing the layout of one array. The arrays of PolyBench take a hundredth of it.
const OPERATIONS: u64 = 500_000;

/// Chooses a layout; slices if the choice takes too many operations.
fn bounded_choice(
    usage: &Usage<'_>,
    placed: &DeviceArray,
    array: &Array,
    transfer: Option<TransferKind>,
    numberer: &Numberer<'_>,
) -> Result<Choice> {
    match within(OPERATIONS, || choice(usage, placed, array, transfer, numberer))? {
        Some(choice) => Ok(choice),
        None => slices("finding out what else could be done takes too long"),
    }
}

fn slices(reason: &str) -> Result<Choice> {
    Ok(Choice::new(TransferLayout::Slices, format!("in slices: {reason}")))
}

fn choice(
    usage: &Usage<'_>,
    placed: &DeviceArray,
    array: &Array,
    transfer: Option<TransferKind>,
    numberer: &Numberer<'_>,
) -> Result<Choice> {
    let accesses = usage.kernel_accesses(array.id)?;
    if !is_empty(&placed.copy_out)?
        && !host_races::may_be_copied_back(usage, array.id, &host_races::whole(usage, placed)?)?
    {
        return instead_of_slices(usage, array, &accesses, transfer, numberer);
    }
    if transfer != Some(TransferKind::Linearized)
        && let Some(choice) = in_boxes(usage, placed, array, &accesses)?
    {
        return Ok(choice);
    }
    match transfer {
        Some(TransferKind::PerArray) => slices("boxes do not suffice, and numbered elements are not wanted"),
        None | Some(TransferKind::Linearized) => {
            numbered(usage, placed, array, &accesses, transfer, numberer)
        }
    }
}

/// Chooses boxes or numbered elements, whatever they cost, because slices would copy back elements that other threads
/// may have changed. Chooses slices if boxes and numbered elements would do so as well; the region is then refused.
fn instead_of_slices(
    usage: &Usage<'_>,
    array: &Array,
    accesses: &[&Access],
    transfer: Option<TransferKind>,
    numberer: &Numberer<'_>,
) -> Result<Choice> {
    let reason = |layout: &str| format!("{layout}: slices have elements that other threads may change");
    if transfer != Some(TransferKind::Linearized)
        && let Some((boxes, moved)) = exact_boxes(usage, array, accesses)?
        && host_races::may_be_copied_back(usage, array.id, &moved.copy_out)?
    {
        return Ok(Choice::new(TransferLayout::Boxes { boxes, moved }, reason("in boxes")));
    }
    if transfer != Some(TransferKind::PerArray)
        && host_races::may_be_copied_back(usage, array.id, &usage.elements(array, accesses)?)?
        && let Ok(counted) = counted_elements(usage, array, accesses, numberer)?
        && let Ok(numbered) = counted.numbered(numberer, None)?
    {
        return Ok(Choice::new(TransferLayout::Numbered(numbered), reason("numbered elements")));
    }
    slices("nothing else suffices")
}

/// Chooses boxes, or slices if they are as good; returns nothing if the needed elements are not a few boxes.
fn in_boxes(
    usage: &Usage<'_>,
    placed: &DeviceArray,
    array: &Array,
    accesses: &[&Access],
) -> Result<Option<Choice>> {
    let Some((boxes, moved)) = exact_boxes(usage, array, accesses)? else { return Ok(None) };
    let Boxes { to_device, from_device } = &boxes;
    let (calls, calls_of_slices) = (to_device.len() + from_device.len(), ways_in_slices(placed)?);
    let there_and_back = (typical_volumes(to_device)?, typical_volumes(from_device)?);
    let elements = there_and_back.0.zip(there_and_back.1).and_then(|(there, back)| there.checked_add(back));
    let in_slices = typical_elements_in_slices(placed, array)?;
    let saved = in_slices.zip(elements).and_then(|(slices, boxes)| percent(slices - boxes, slices));
    let least = if calls as i64 > calls_of_slices { WORTHWHILE_PERCENT } else { 0 };
    let is_less = in_slices.zip(elements).is_some_and(|(slices, boxes)| boxes < slices);
    match saved {
        Some(_) if !is_less => slices("nothing else would transfer less").map(Some),
        Some(saved) if saved >= least => {
            let less = if saved == 0 { "a little".to_owned() } else { format!("{saved} %") };
            let reason = format!("in boxes: {less} less to transfer than slices");
            Ok(Some(Choice::new(TransferLayout::Boxes { boxes, moved }, reason)))
        }
        Some(saved) => slices(&format!("boxes would save only {saved} %")).map(Some),
        None => Ok(None),
    }
}

/// Returns the box around some elements if it adds only corners and edges, as for the elements that a stencil reads,
/// or nothing if it adds more.
fn nearly_a_box(elements: &Set, known: &Set) -> Result<Option<ElementBox<IslPwAff>>> {
    let Some(around) = box_around(elements, known)? else { return Ok(None) };
    let whole = union(std::slice::from_ref(&around), elements, known)?;
    let lacking = whole.subtract(elements.copy()?)?.simplified()?;
    Ok(if is_thin(&lacking)? { Some(around) } else { None })
}

/// Returns the boxes that copy back exactly the needed elements, and the elements that are transferred in boxes, or
/// nothing if that takes more than a few boxes.
fn exact_boxes(
    usage: &Usage<'_>,
    array: &Array,
    accesses: &[&Access],
) -> Result<Option<(Boxes<IslPwAff>, Moved)>> {
    let is_plain = !matches!(array.storage, Storage::Member { .. }) && array.declares_rows();
    if !is_plain || array.extents.len() > MOST_DIMENSIONS || !usage.host_accesses(array.id)?.is_empty() {
        return Ok(None);
    }
    let moved = usage.needed(array, accesses)?;
    let known = Set::parse(&usage.model.context.0)?.intersect(usage.used_where(array.id)?)?;
    let to_device = match boxes(&moved.copy_in, &known)? {
        Some(to_device) => fewer(to_device, &moved.copy_in, &known)?,
        None => match nearly_a_box(&moved.copy_in, &known)? {
            Some(around) => vec![around],
            None => return Ok(None),
        },
    };
    let Some(from_device) = boxes(&moved.copy_out, &known)? else { return Ok(None) };
    let moved = Moved { copy_in: union(&to_device, &moved.copy_in, &known)?, ..moved };
    Ok(Some((Boxes { to_device, from_device }, moved)))
}

/// Replaces several boxes by one box around them if that hardly moves more. The device may receive values that it
/// does not need.
fn fewer(boxes: Vec<ElementBox<IslPwAff>>, elements: &Set, known: &Set) -> Result<Vec<ElementBox<IslPwAff>>> {
    let around = if boxes.len() > 1 { box_around(elements, known)? } else { None };
    let Some(around) = around else { return Ok(boxes) };
    let (all, apart) = (typical_volume(&around)?, typical_volumes(&boxes)?);
    let saved = all.zip(apart).and_then(|(all, apart)| percent(all - apart, all));
    Ok(if saved.is_some_and(|saved| saved < WORTHWHILE_PERCENT) { vec![around] } else { boxes })
}

/// Returns the number of elements of some boxes if all parameters are typical.
fn typical_volumes(boxes: &[ElementBox<IslPwAff>]) -> Result<Option<i64>> {
    let mut all = Some(0i64);
    for one in boxes {
        all = all.zip(typical_volume(one)?).and_then(|(all, one)| all.checked_add(one));
    }
    Ok(all)
}

/// Returns the number of elements of a box if all parameters are typical.
fn typical_volume(elements: &ElementBox<IslPwAff>) -> Result<Option<i64>> {
    let mut volume = Some(1i64);
    for extent in &elements.extent {
        volume = volume.zip(typical_extent(&extent.0)?).and_then(|(all, extent)| all.checked_mul(extent));
    }
    Ok(volume)
}

/// Returns the number of elements that slices move in both directions if all parameters are typical.
fn typical_elements_in_slices(placed: &DeviceArray, array: &Array) -> Result<Option<i64>> {
    let slice = typical_volume(&placed.slice(array.extents.len()))?;
    let ways = ways_in_slices(placed)?;
    Ok(slice.and_then(|slice| slice.checked_mul(ways)))
}

/// Returns the number of directions in which slices move anything.
fn ways_in_slices(placed: &DeviceArray) -> Result<i64> {
    Ok(ways(!is_empty(&placed.copy_in)?, !is_empty(&placed.copy_out)?))
}

fn ways(there: bool, back: bool) -> i64 {
    i64::from(there) + i64::from(back)
}

fn percent(part: i64, all: i64) -> Option<i64> {
    part.checked_mul(100)?.checked_div(all)
}

fn numbered(
    usage: &Usage<'_>,
    placed: &DeviceArray,
    array: &Array,
    accesses: &[&Access],
    transfer: Option<TransferKind>,
    numberer: &Numberer<'_>,
) -> Result<Choice> {
    let counted = match counted_elements(usage, array, accesses, numberer)? {
        Ok(counted) => counted,
        Err(reason) => return slices(&reason),
    };
    let wanted = transfer == Some(TransferKind::Linearized);
    let (reason, too_costly) = match saved_percent(placed, array, &counted.count, &counted.moved)? {
        Some(saved) if wanted || saved >= WORTHWHILE_PERCENT => (
            format!("numbered elements: {saved} % less to transfer than slices"),
            format!("numbered elements would save {saved} %, but computing their positions costs too much"),
        ),
        _ if wanted => ("numbered elements, as requested".to_owned(), String::new()),
        Some(..=0) => return slices("numbered elements would not transfer less"),
        Some(saved) => return slices(&format!("numbered elements would save only {saved} %")),
        None => return slices("how much numbered elements would save is not known"),
    };
    match counted.numbered(numberer, (!wanted).then_some(too_costly))? {
        Ok(numbered) => Ok(Choice::new(TransferLayout::Numbered(numbered), reason)),
        Err(reason) => slices(&reason),
    }
}

/// Numbered elements, and which of them are transferred.
struct Numbered {
    numbering: Numbering,
    elements: Set,
    moved: Moved,
}

/// Elements that may be numbered. Their number is quick to compute; their positions take longer.
struct Counted {
    elements: Set,
    count: IslPwQPolynomial,
    moved: Moved,
    context: Set,
}

/// Counts the elements that kernels use, or explains why they cannot be numbered.
fn counted_elements(
    usage: &Usage<'_>,
    array: &Array,
    accesses: &[&Access],
    numberer: &Numberer<'_>,
) -> Result<std::result::Result<Counted, String>> {
    if let Some(reason) = obstacle(usage, array, accesses)? {
        return Ok(Err(reason.to_owned()));
    }
    let context = Set::parse(&usage.model.context.0)?;
    let elements = usage.elements(array, accesses)?.intersect_params(context.copy()?)?;
    let count = match numberer.count(&elements)? {
        Ok(count) => count,
        Err(refusal) => return Ok(Err(refusal.why())),
    };
    let mut moved = usage.needed(array, accesses)?;
    if !moved.copy_out.is_empty()? {
        // All numbered elements are copied back, so all must have values.
        let untouched = elements.copy()?.subtract(usage.certainly_written(array, accesses)?)?;
        moved.copy_in = moved.copy_in.union(untouched)?.simplified()?;
    }
    moved.copy_in = moved.copy_in.intersect_params(context.copy()?)?;
    moved.copy_out = moved.copy_out.intersect_params(context.copy()?)?;
    Ok(Ok(Counted { elements, count, moved, context }))
}

impl Counted {
    /// Computes the positions of the elements, or explains why there are none. If `too_costly` is given, the
    /// positions must be cheap; otherwise it is the explanation.
    fn numbered(
        self,
        numberer: &Numberer<'_>,
        too_costly: Option<String>,
    ) -> Result<std::result::Result<Numbered, String>> {
        let Self { elements, count, moved, context } = self;
        let numbering = match numberer.positions(&elements)? {
            Ok(position) => Numbering { position, count },
            Err(refusal) => return Ok(Err(refusal.why())),
        };
        let effort = match Effort::of(&numbering, &elements) {
            Err(error) if error.is_limit() => return Err(error),
            Ok(effort) if effort.is_possible() && expressible(&numbering, &context)? => effort,
            _ => return Ok(Err("the positions of its elements are too complicated to compute".to_owned())),
        };
        if let Some(reason) = too_costly
            && !effort.is_small()
        {
            return Ok(Err(reason));
        }
        Ok(if is_right(&numbering, &elements)? {
            Ok(Numbered { numbering, elements, moved })
        } else {
            Err(Refusal::wrong().why())
        })
    }
}

/// Returns the reason why the device cannot hold only the elements that the accesses touch, if there is one.
fn obstacle(usage: &Usage<'_>, array: &Array, accesses: &[&Access]) -> Result<Option<&'static str>> {
    if accesses.iter().any(|access| access.indirect) {
        return Ok(Some("which elements are used depends on data"));
    }
    if let Some(unneeded) = usage.read_without_need.get(&array.id)
        && !unneeded.is_empty()?
    {
        return Ok(Some("kernels copy more of it into buffers than they need"));
    }
    if !usage.host_accesses(array.id)?.is_empty() {
        return Ok(Some("code on the host between the kernels uses it as well"));
    }
    Ok(None)
}

/// Returns the percentage of bytes that numbered elements save at typical sizes, or nothing if it is not known.
fn saved_percent(
    placed: &DeviceArray,
    array: &Array,
    count: &IslPwQPolynomial,
    moved: &Moved,
) -> Result<Option<i64>> {
    let before = typical_elements_in_slices(placed, array)?;
    let count = typical(&PwQPolynomial::parse(&count.0)?)?;
    let ways = ways(!moved.copy_in.is_empty()?, !moved.copy_out.is_empty()?);
    let after = count.and_then(|count| count.checked_mul(ways));
    Ok(before.zip(after).and_then(|(before, after)| percent(before - after, before)))
}

fn is_empty(elements: &IslSet) -> Result<bool> {
    Ok(Set::parse(&elements.0)?.is_empty()?)
}
