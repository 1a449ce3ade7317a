//! The report on what is placed where, and why, for people and for scripts.

use std::collections::BTreeSet;

use gpu::occupancy::{Block, Occupancy, occupancy};
use polyhedra::{Map, Result, Set, Text};
use scop::{
    Access, AccessKind, Array, ArrayId, Buffer, DeviceArray, DeviceMemory, Diagnostics, IslSet, Kernel,
    KernelPlacement, Layout, Memory, Model, Placed, Program, Scop,
};
use serde::Serialize;

use crate::options::{NAME, Options};
use crate::report::amounts::{Amount, Amounts};
use crate::report::formula::{self, Product};
use crate::report::host::{Host, Prevented, host};
use crate::report::on_host::{self, OnHost};
use crate::report::places::in_lines;
use place::counting::Counting;
use place::memory::constant;

/// The report on a program.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The reports on the regions.
    pub regions: Vec<Region>,
    /// The code around the regions.
    pub host: Host,
}

/// The report on one region.
#[derive(Debug, Serialize)]
pub struct Region {
    /// The scop's name.
    pub name: String,
    /// The function that contains the region.
    pub function: String,
    /// The first line of the region.
    pub line: u32,
    /// The sizes for which the host is faster and the original region runs, and why, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<String>,
    /// The arrays on the device.
    pub device: Vec<OnDevice>,
    /// The kernels.
    pub kernels: Vec<InKernel>,
    /// For a region without kernels: what it uses on the host that may stay on the device, and why it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_host: Option<OnHost>,
}

/// An array on the device.
#[derive(Debug, Serialize)]
pub struct OnDevice {
    /// What the user calls the array.
    pub array: String,
    /// The size of an element, in bytes.
    pub element_bytes: u64,
    /// The memory that holds the array: `global`, or `argument` or `constant` in constant memory.
    pub memory: DeviceMemory,
    /// The layout: `slice` of the outermost dimension, `slice, transferred in boxes`, `linearised`, `argument` by
    /// value, or `variable`.
    pub layout: &'static str,
    /// True if the array stays on the device between runs of regions.
    pub resident: bool,
    /// The form in which the array is transferred, and the reason.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The elements that are copied to the device, in isl's notation, if there are any.
    pub to_device: Option<String>,
    /// The number of these elements, as a formula of the parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements_to_device: Option<String>,
    /// What is moved for their sake, for people.
    #[serde(skip)]
    pub moved_to_device: Moved,
    /// The lines of the statements that read these elements. If there are none, the elements are only copied so that
    /// what comes back has the right values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines_that_read: Vec<u32>,
    /// The elements that are copied back, if there are any.
    pub to_host: Option<String>,
    /// The number of these elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements_to_host: Option<String>,
    /// What is moved for their sake, for people.
    #[serde(skip)]
    pub moved_to_host: Moved,
    /// The lines of the statements that write to these elements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines_that_write: Vec<u32>,
}

/// Numbers of elements of a transfer as people write them, as far as they are known.
#[derive(Debug, Default)]
pub struct Moved {
    /// The elements that are moved.
    pub all: Option<String>,
    /// Those that are needed, if these are fewer: slices are moved as a whole.
    pub needed: Option<String>,
}

/// A kernel.
#[derive(Debug, Serialize)]
pub struct InKernel {
    /// The kernel's id.
    pub kernel: String,
    /// The lines of its statements.
    pub lines: Vec<u32>,
    /// The threads of a block along the axes x, y and z that are used.
    pub block: Vec<u32>,
    /// The numbers of blocks along the axes x, y and z that are used, in isl's notation.
    pub grid: Vec<String>,
    /// The shared memory of a block, in bytes.
    pub shared_bytes: u64,
    /// The number of blocks that run on a multiprocessor at the same time.
    pub occupancy: Occupancy,
    /// The arrays that the kernel uses, with the memory that serves each.
    pub uses: Vec<Use>,
    /// The arrays that are in another memory than scheduler took for granted when it priced the kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unlike_price: Vec<UnlikePrice>,
}

/// An array that is in another memory than scheduler took for granted.
#[derive(Debug, Serialize)]
pub struct UnlikePrice {
    /// What the user calls the array.
    pub array: String,
    /// Where it is and why, and what the price takes for granted.
    pub reason: String,
}

/// References to an array that one memory serves.
#[derive(Debug, Serialize)]
pub struct Use {
    /// What the user calls the array.
    pub array: String,
    /// The number of these references.
    pub references: usize,
    /// The memory: `registers`, `shared`, `global`, `read_only`, `constant` or `argument`.
    pub memory: &'static str,
    /// The elements in registers (of each thread) or in shared memory (of each block); absent for the device's
    /// memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// Their size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The elements of the array that these references touch in the whole kernel, as a formula of the parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touched: Option<String>,
    /// Their layout in the buffer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// How often an element is used: for each time it is copied, or in all if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse: Option<String>,
    /// The reason for this memory.
    pub reason: String,
}

/// Reports on a placed program.
///
/// # Errors
/// Returns an error if the document names something that it does not contain, or if a count takes too long.
pub fn report(program: &Program<Placed>, options: &Options) -> std::result::Result<Report, Diagnostics> {
    let (source, counting) = (&program.source, Counting::open());
    let scops = program.scops.iter().zip(&source.regions);
    let region = |(number, (scop, region)): (u32, (&Scop<Placed>, &scop::Region))| {
        let mut described = describe_region(scop, region, options, &counting);
        if let Ok(described_region) = &mut described {
            add_prevented(program, (number, scop), described_region);
            described_region.on_host =
                described_region.kernels.is_empty().then(|| on_host::on_host(program, scop, region));
        }
        described
            .map_err(|error| Diagnostics::from(source.failure(NAME, &scop.model.name, Some(region), &error)))
    };
    let mut regions = (0..).zip(scops).map(region).collect::<std::result::Result<Vec<_>, Diagnostics>>()?;
    let host = host(program);
    regions.iter_mut().zip(&program.scops).for_each(|(region, scop)| note_removed(region, scop, &host));
    Ok(Report { regions, host })
}

/// Adds to the reasons of arrays what keeps them from staying on the device.
fn add_prevented(program: &Program<Placed>, (number, scop): (u32, &Scop<Placed>), region: &mut Region) {
    for prevention in &program.prevented {
        let Some((_, id)) = prevention.array.filter(|(scop, _)| *scop == number) else { continue };
        let of_array = region.device.iter_mut().zip(&scop.stage.placement.device);
        for (array, _) in of_array.filter(|(_, device)| device.array == id) {
            let why = Prevented::from(prevention);
            let between = if array.reason.is_empty() { "" } else { "; " };
            array.reason += &format!("{between}does not stay on the device between regions, {why}");
        }
    }
}

/// Corrects what is said of arrays that could stay on the device and yet are copied in each run.
fn note_removed(region: &mut Region, scop: &Scop<Placed>, host: &Host) {
    for (array, device) in region.device.iter_mut().zip(&scop.stage.placement.device) {
        let class = device.resident.map(|class| class.to_string());
        let kept = host.memory.iter().find(|kept| class.as_ref() == Some(&kept.class));
        let Some(kept) = kept else { continue };
        if !kept.removed_in.is_empty() {
            array.resident = false;
            array.reason = format!(
                "could stay on the device, but all of {} leaves it between any two regions that use it, because of {}: see \
                 there below",
                kept.class,
                in_lines(&kept.removed_in)
            );
        } else if !kept.perhaps_removed_in.is_empty() {
            let lines = in_lines(&kept.perhaps_removed_in);
            let are = if kept.perhaps_removed_in.len() == 1 { "is" } else { "are" };
            array.reason += &format!(
                ", unless all of {} leaves it between them, because {lines} {are} executed: see there below",
                kept.class
            );
        }
    }
}

fn describe_region(
    scop: &Scop<Placed>,
    region: &scop::Region,
    options: &Options,
    counting: &Counting,
) -> Result<Region> {
    let mut amounts = Amounts::new(&scop.model, counting);
    let described = Region {
        name: scop.model.name.clone(),
        function: region.function.clone(),
        line: region.range.line,
        threshold: scop.stage.scheduled.mapping.threshold.as_ref().map(|threshold| threshold.reason.clone()),
        device: on_device(scop, &mut amounts)?,
        kernels: in_kernels(scop, options, &mut amounts)?,
        on_host: None,
    };
    amounts.finish()?;
    Ok(described)
}

fn on_device(scop: &Scop<Placed>, amounts: &mut Amounts<'_>) -> Result<Vec<OnDevice>> {
    let arrays = scop.stage.placement.device.iter();
    arrays.map(|device| describe_array(&scop.model, device, amounts)).collect()
}

fn describe_array(model: &Model, device: &DeviceArray, amounts: &mut Amounts<'_>) -> Result<OnDevice> {
    let array = model.array(device.array)?;
    let to_device = crossing(&device.copy_in, amounts)?;
    let to_host = crossing(&device.copy_out, amounts)?;
    let slice = slice(model, array, device)?;
    Ok(OnDevice {
        moved_to_device: moved(to_device.as_ref(), slice.as_ref()),
        moved_to_host: moved(to_host.as_ref(), slice.as_ref()),
        lines_that_read: lines_of(model, device, AccessKind::Read)?,
        lines_that_write: lines_of(model, device, AccessKind::Write)?,
        array: array.shown(),
        element_bytes: array.element.size().into(),
        memory: device.memory,
        resident: device.resident.is_some(),
        reason: device.reason.clone(),
        layout: match (device.memory, &device.numbering, &device.boxes) {
            (DeviceMemory::Argument, ..) => "argument",
            (DeviceMemory::Constant, ..) => "variable",
            (DeviceMemory::Global, Some(_), _) => "linearised",
            (DeviceMemory::Global, None, Some(_)) => "slice, transferred in boxes",
            (DeviceMemory::Global, None, None) => "slice",
        },
        elements_to_device: to_device.as_ref().and_then(Crossing::formula),
        elements_to_host: to_host.as_ref().and_then(Crossing::formula),
        to_device: to_device.map(|one| one.elements),
        to_host: to_host.map(|one| one.elements),
    })
}

/// The elements of a transfer, and their number.
struct Crossing {
    elements: String,
    count: Option<Amount>,
}

/// Returns the elements of a transfer and their number, or nothing if the set is empty.
fn crossing(set: &IslSet, amounts: &mut Amounts<'_>) -> Result<Option<Crossing>> {
    let elements = Set::parse(&set.0)?;
    if amounts.is_empty(&elements)? {
        return Ok(None);
    }
    Ok(Some(Crossing { elements: set.0.clone(), count: amounts.of(&elements) }))
}

impl Crossing {
    fn formula(&self) -> Option<String> {
        self.count.as_ref().map(|count| count.formula.clone())
    }
}

/// Returns the number of elements of a slice that transfers move as a whole.
fn slice(model: &Model, array: &Array, device: &DeviceArray) -> Result<Option<Product>> {
    let is_whole =
        device.memory == DeviceMemory::Global && device.numbering.is_none() && device.boxes.is_none();
    if !is_whole || array.is_scalar() {
        return Ok(None);
    }
    let extents: Vec<_> = std::iter::once(&device.extent).chain(&device.inner_extents).collect();
    formula::product(&extents, &formula::names_of(model)).map(Some)
}

fn moved(crossing: Option<&Crossing>, slice: Option<&Product>) -> Moved {
    let count = crossing.and_then(|crossing| crossing.count.as_ref());
    let needed = count.map(|count| count.readable.clone());
    let Some(slice) = slice.filter(|_| crossing.is_some()) else {
        return Moved { all: needed, needed: None };
    };
    let is_same = count.is_none_or(|count| count.typical.is_none() || count.typical == slice.typical);
    Moved { all: Some(slice.text.clone()), needed: needed.filter(|_| !is_same) }
}

/// Returns the lines of the statements with accesses of this kind to what is copied: in before reads, out after writes.
fn lines_of(model: &Model, device: &DeviceArray, kind: AccessKind) -> Result<Vec<u32>> {
    let copied = match kind {
        AccessKind::Read => &device.copy_in,
        AccessKind::Write => &device.copy_out,
    };
    let copied = Set::parse(&copied.0)?;
    let mut lines = BTreeSet::new();
    for statement in &model.statements {
        let domain = Set::parse(&statement.domain.0)?;
        let mut accesses = statement.accesses.iter();
        let touches = |access: &Access| -> Result<bool> {
            let relation = Map::parse(&access.relation.0)?.intersect_domain(domain.copy()?)?;
            Ok(!relation.intersect_range(copied.copy()?)?.is_empty()?)
        };
        let is_one = |access: &Access| access.array == device.array && access.kind == kind;
        if accesses
            .try_fold(false, |found, one| Ok::<_, polyhedra::Error>(found || is_one(one) && touches(one)?))?
        {
            lines.insert(statement.range.line);
        }
    }
    Ok(lines.into_iter().collect())
}

fn in_kernels(scop: &Scop<Placed>, options: &Options, amounts: &mut Amounts<'_>) -> Result<Vec<InKernel>> {
    let Placed { scheduled, placement } = &scop.stage;
    let kernels = scheduled.mapping.kernels.iter().zip(&placement.kernels);
    kernels
        .map(|(kernel, placed)| {
            Ok(InKernel {
                kernel: kernel.id.to_string(),
                lines: lines(&scop.model, kernel)?,
                block: kernel.block.iter().map(|dimension| dimension.size).collect(),
                grid: kernel.grid.iter().map(|dimension| dimension.extent.0.clone()).collect(),
                shared_bytes: placed.shared_bytes,
                occupancy: occupancy(&block(kernel, placed), &options.multiprocessor),
                uses: uses(&scop.model, kernel, placed, &placement.device, amounts)?,
                unlike_price: unlike_price(&scop.model, placed)?,
            })
        })
        .collect()
}

fn unlike_price(model: &Model, placed: &KernelPlacement) -> Result<Vec<UnlikePrice>> {
    let of_array = |one: &scop::UnlikePrice| {
        Ok(UnlikePrice { array: model.array(one.array)?.shown(), reason: one.reason.clone() })
    };
    placed.unlike_price.iter().map(of_array).collect()
}

/// Returns what a block needs. Registers are unknown, because only the compiler determines their number.
fn block(kernel: &Kernel, placed: &KernelPlacement) -> Block {
    let threads = kernel.block.iter().map(|dimension| u64::from(dimension.size)).product();
    Block { threads, shared_bytes: placed.shared_bytes, registers: None }
}

fn lines(model: &Model, kernel: &Kernel) -> Result<Vec<u32>> {
    let statements = model.statements_of(&kernel.statements)?.into_iter();
    Ok(statements.map(|statement| statement.range.line).collect::<BTreeSet<_>>().into_iter().collect())
}

/// Returns the references of each buffer, then those of each array that are used without a buffer.
fn uses(
    model: &Model,
    kernel: &Kernel,
    placed: &KernelPlacement,
    device: &[DeviceArray],
    amounts: &mut Amounts<'_>,
) -> Result<Vec<Use>> {
    let statements = model.statements_of(&kernel.statements)?.into_iter();
    let all: Vec<&Access> = statements.flat_map(|statement| &statement.accesses).collect();
    let buffers = placed.buffers.iter().map(|buffer| in_buffer(model, buffer, &all, amounts));
    let mut uses: Vec<Use> = buffers.collect::<Result<_>>()?;
    let buffered = |access: &Access| placed.buffers.iter().any(|buffer| buffer.accesses.contains(&access.id));
    let direct: Vec<&Access> = all.into_iter().filter(|access| !buffered(access)).collect();
    let arrays: BTreeSet<ArrayId> = direct.iter().map(|access| access.array).collect();
    for id in arrays {
        let own: Vec<&Access> = direct.iter().filter(|access| access.array == id).copied().collect();
        let held = device.iter().find(|device| device.array == id);
        uses.push(in_place(model.array(id)?, &own, held, amounts)?);
    }
    Ok(uses)
}

fn in_buffer(model: &Model, buffer: &Buffer, accesses: &[&Access], amounts: &mut Amounts<'_>) -> Result<Use> {
    let array = model.array(buffer.array)?;
    let own: Vec<&Access> =
        accesses.iter().filter(|access| buffer.accesses.contains(&access.id)).copied().collect();
    let elements = buffer.elements();
    Ok(Use {
        array: array.shown(),
        references: buffer.accesses.len(),
        memory: match buffer.memory {
            Memory::Shared => "shared",
            Memory::Private => "registers",
        },
        elements: Some(elements),
        bytes: Some(elements.saturating_mul(array.element.size().into())),
        touched: amounts.used(&own)?.map(|(touched, _)| touched.readable),
        layout: Some(layout(buffer)),
        reuse: buffer.reuse.clone(),
        reason: buffer.reason.clone(),
    })
}

fn layout(buffer: &Buffer) -> String {
    let sizes = buffer.sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(" x ");
    let padded =
        |padding: u32| if padding > 0 { format!(", rows padded by {padding}") } else { String::new() };
    match &buffer.layout {
        Layout::Box { .. } if buffer.sizes.is_empty() => "one element".to_owned(),
        Layout::Box { padding } => format!("box {sizes}{}", padded(*padding)),
        Layout::Ring { padding } => format!("ring {sizes}{}", padded(*padding)),
        Layout::Dense { elements, .. } => format!("dense, {elements} of a box {sizes}"),
    }
}

fn in_place(
    array: &Array,
    accesses: &[&Access],
    held: Option<&DeviceArray>,
    amounts: &mut Amounts<'_>,
) -> Result<Use> {
    let used = if held.is_some() { amounts.used(accesses)? } else { None };
    let (touched, reuse) = used.map_or((None, None), |(touched, reuse)| (Some(touched.readable), reuse));
    let (memory, reason) = match held.map(|device| device.memory) {
        None => ("argument", "a value that kernels only read"),
        Some(DeviceMemory::Global) => in_device_memory(accesses),
        Some(memory @ (DeviceMemory::Argument | DeviceMemory::Constant)) => {
            ("constant", constant::reason(memory))
        }
    };
    Ok(Use {
        array: array.shown(),
        references: accesses.len(),
        memory,
        elements: None,
        bytes: None,
        touched,
        layout: None,
        reuse,
        reason: reason.to_owned(),
    })
}

/// Returns a memory and the reason for it. An array that a kernel does not write is read through the read-only cache
/// (`const … *__restrict__`).
fn in_device_memory(accesses: &[&Access]) -> (&'static str, &'static str) {
    let is_written = accesses.iter().any(|access| access.kind == AccessKind::Write);
    let reason = if accesses.iter().any(|access| access.indirect) {
        "subscripts depend on data"
    } else if is_written {
        "written, and its elements do not belong to one thread each"
    } else {
        "too few threads of a block use an element together, or there is no room for them"
    };
    (if is_written { "global" } else { "read_only" }, reason)
}
