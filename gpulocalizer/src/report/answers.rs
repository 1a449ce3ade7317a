//! The answers to wishes.

use polyhedra::{Result, Set, Text};
use scop::wish::{Demand, LayoutKind, MemoryKind, TransferKind, Verdict};
use scop::{
    Access, Answer, Array, ArrayId, Buffer, BufferId, DeviceArray, Kernel, KernelPlacement, Layout, Mapping,
    Memory, Wanted, Wish,
};

use crate::report::answers::Fate::{CopiedIn, CopiedOut, Resident};
use place::kernel::view::arrays_of;
use place::wishes::{Wishes, is_for};

/// The placement of one kernel.
pub struct Outcome<'a> {
    /// The kernel and its buffers.
    pub placed: &'a KernelPlacement,
    /// The buffers that keep elements from one step of a loop over tiles to the next.
    pub retaining: Vec<BufferId>,
    /// The shared memory that a block would have without wishes for less, in bytes.
    pub without_limit: Option<u64>,
}

/// Answers every wish.
///
/// # Errors
/// Returns an error if a buffer is for an array that does not exist.
pub fn answers(
    wishes: &Wishes<'_>,
    mapping: &Mapping,
    device: &[DeviceArray],
    outcomes: &[Outcome<'_>],
) -> Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for &wish in &wishes.wishes {
        let before = answers.len();
        match wish.wanted {
            Wanted::Layout(layout) => layouts(wishes, wish, layout, outcomes, &mut answers)?,
            Wanted::Memory(memory) => {
                memories(wishes, wish, mapping, device, outcomes, &mut answers, |used| *used == memory)?;
            }
            Wanted::Avoid(memory) => {
                memories(wishes, wish, mapping, device, outcomes, &mut answers, |used| *used != memory)?;
            }
            Wanted::SharedMemory(bytes) => limits(wishes, wish, bytes, outcomes, &mut answers),
            Wanted::Transfer(transfer) => transfers(wishes, wish, transfer, device, &mut answers)?,
            Wanted::Resident(demand) => {
                let counts = |array: &Array| wishes.resident(array) == Some(demand);
                let has = |placed: &DeviceArray| Ok(placed.resident.is_some());
                demands(wishes, wish, (demand, &counts), device, &mut answers, (&has, Resident))?;
            }
            Wanted::CopyIn(demand) => {
                let counts = |array: &Array| wishes.copy_in(array) == Some(demand);
                let has = |placed: &DeviceArray| Ok(!Set::parse(&placed.copy_in.0)?.is_empty()?);
                demands(wishes, wish, (demand, &counts), device, &mut answers, (&has, CopiedIn))?;
            }
            Wanted::CopyOut(demand) => {
                let counts = |array: &Array| wishes.copy_out(array) == Some(demand);
                let has = |placed: &DeviceArray| Ok(!Set::parse(&placed.copy_out.0)?.is_empty()?);
                demands(wishes, wish, (demand, &counts), device, &mut answers, (&has, CopiedOut))?;
            }
            Wanted::TileSizes(_) | Wanted::BlockSizes(_) | Wanted::Unroll(_) | Wanted::Axes(_) => {}
            Wanted::Algorithm(_) | Wanted::Fusion(_) | Wanted::Reassociate | Wanted::Offload(_) => {}
            Wanted::OldValues(_) | Wanted::Turns(_) | Wanted::InPlace(_) | Wanted::PartialSums(_) => {}
            Wanted::Grid(_) | Wanted::SumThreads(_) | Wanted::LoadThreads(_) | Wanted::LoadAhead(_) => {}
        }
        if answers.len() == before {
            let reason = nothing_for(wishes, wish, mapping);
            let verdict = Verdict::Pointless;
            answers.push(Answer { wish: wish.clone(), kernel: None, array: None, verdict, reason });
        }
    }
    Ok(answers)
}

fn layouts(
    wishes: &Wishes<'_>,
    wish: &Wish,
    wanted: LayoutKind,
    outcomes: &[Outcome<'_>],
    answers: &mut Vec<Answer>,
) -> Result<()> {
    for outcome in outcomes {
        for buffer in &outcome.placed.buffers {
            let (kernel, array) = (outcome.placed.kernel, wishes.model.array(buffer.array)?);
            if buffer.memory != Memory::Shared || !is_for(wish, kernel, array) {
                continue;
            }
            let retains = outcome.retaining.contains(&buffer.id);
            let has = match buffer.layout {
                Layout::Dense { .. } => LayoutKind::Dense,
                Layout::Ring { .. } => LayoutKind::Ring,
                Layout::Box { .. } if retains => LayoutKind::Ring,
                Layout::Box { .. } => LayoutKind::Box,
            };
            let counts = wishes.layout(kernel, array) == Some(wanted);
            let verdict = verdict(has == wanted, counts);
            let why = if verdict == Verdict::NotMet { why_not(wanted) } else { "" };
            answers.push(Answer {
                wish: wish.clone(),
                kernel: Some(kernel),
                array: Some(array.id),
                verdict,
                reason: format!("`{}` has {}{why}", buffer.name, described(has)),
            });
        }
    }
    Ok(())
}

/// Answers a wish about memories. It is met for an array in a kernel if all memories that serve the array there
/// satisfy `fits`.
fn memories(
    wishes: &Wishes<'_>,
    wish: &Wish,
    mapping: &Mapping,
    device: &[DeviceArray],
    outcomes: &[Outcome<'_>],
    answers: &mut Vec<Answer>,
    fits: impl Fn(&MemoryKind) -> bool,
) -> Result<()> {
    for (kernel, outcome) in mapping.kernels.iter().zip(outcomes) {
        for id in arrays_of(wishes.model, kernel)? {
            let array = wishes.model.array(id)?;
            if !is_for(wish, kernel.id, array) {
                continue;
            }
            let used = used(wishes, kernel, id, device, outcome)?;
            let (counts, why) = match wish.wanted {
                Wanted::Memory(wanted) => {
                    (wishes.memory(kernel.id, array) == Some(wanted), why_not_in(wanted))
                }
                _ => (false, ""),
            };
            let verdict = verdict(used.iter().all(&fits), counts);
            let why = if verdict == Verdict::NotMet { why } else { "" };
            answers.push(Answer {
                wish: wish.clone(),
                kernel: Some(kernel.id),
                array: Some(id),
                verdict,
                reason: format!("`{}` is in {}{why}", array.shown(), listed(&used)),
            });
        }
    }
    Ok(())
}

/// Returns the memories that serve an array in a kernel.
fn used(
    wishes: &Wishes<'_>,
    kernel: &Kernel,
    array: ArrayId,
    device: &[DeviceArray],
    outcome: &Outcome<'_>,
) -> Result<Vec<MemoryKind>> {
    let mut used = Vec::new();
    let on_device = device.iter().find(|placed| placed.array == array);
    for statement in wishes.model.statements_of(&kernel.statements)? {
        for access in statement.accesses.iter().filter(|access| access.array == array) {
            let memory = match (serving(outcome, access), on_device) {
                (Some(memory), _) => memory,
                (None, Some(placed)) => placed.memory.into(),
                // A scalar that kernels only read is passed as an argument. Arguments are in constant memory.
                (None, None) => MemoryKind::Constant,
            };
            if !used.contains(&memory) {
                used.push(memory);
            }
        }
    }
    Ok(used)
}

fn limits(wishes: &Wishes<'_>, wish: &Wish, bytes: u64, outcomes: &[Outcome<'_>], answers: &mut Vec<Answer>) {
    for outcome in outcomes {
        let kernel = outcome.placed.kernel;
        if wish.target.kernel.is_some_and(|wanted| wanted != kernel) {
            continue;
        }
        let used = outcome.placed.shared_bytes;
        let mut reason = format!("a block has {used} bytes");
        if let Some(more) = outcome.without_limit.filter(|more| *more > used) {
            reason += &format!(", and would have {more} without this limit");
        }
        let verdict = verdict(used <= bytes, wishes.shared_memory(kernel) == Some(bytes));
        answers.push(Answer { wish: wish.clone(), kernel: Some(kernel), array: None, verdict, reason });
    }
}

fn transfers(
    wishes: &Wishes<'_>,
    wish: &Wish,
    wanted: TransferKind,
    device: &[DeviceArray],
    answers: &mut Vec<Answer>,
) -> Result<()> {
    for placed in device.iter().filter(|placed| placed.memory.is_global()) {
        let array = wishes.model.array(placed.array)?;
        if !array.visible || array.is_scalar() || !wish.names(array) {
            continue;
        }
        let has = if placed.numbering.is_some() { TransferKind::Linearized } else { TransferKind::PerArray };
        answers.push(Answer {
            wish: wish.clone(),
            kernel: None,
            array: Some(array.id),
            verdict: verdict(has == wanted, wishes.transfer(array) == Some(wanted)),
            reason: format!("`{}`: {}", array.shown(), placed.reason),
        });
    }
    Ok(())
}

/// What may happen to an array on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It stays there between regions.
    Resident,
    /// Each run of the region copies it to the device.
    CopiedIn,
    /// Each run of the region copies it back.
    CopiedOut,
}

/// Says whether something happens to an array.
type Happens<'a> = &'a dyn Fn(&DeviceArray) -> Result<bool>;

/// Answers a wish that something happens to arrays, or does not.
fn demands(
    wishes: &Wishes<'_>,
    wish: &Wish,
    (demand, counts): (Demand, &dyn Fn(&Array) -> bool),
    device: &[DeviceArray],
    answers: &mut Vec<Answer>,
    (has, fate): (Happens<'_>, Fate),
) -> Result<()> {
    for placed in device.iter().filter(|placed| placed.memory.is_global()) {
        let array = wishes.model.array(placed.array)?;
        if !array.visible || array.is_scalar() || !wish.names(array) {
            continue;
        }
        let happens = has(placed)?;
        let reason = match fate {
            Resident => placed.reason.clone(),
            CopiedIn if !happens => "no kernel needs a value from before the region".to_owned(),
            CopiedIn => format!(
                "the device needs {} from the host: kernels read them before they write them, or they are copied back \
                 although kernels may leave them unchanged",
                placed.copy_in.0
            ),
            CopiedOut if !happens => "nothing that kernels write is read after the region".to_owned(),
            CopiedOut => {
                format!("kernels may write {}, which may be read after the region", placed.copy_out.0)
            }
        };
        answers.push(Answer {
            wish: wish.clone(),
            kernel: None,
            array: Some(array.id),
            verdict: verdict(happens == (demand == Demand::Always), counts(array)),
            reason: format!("`{}`: {reason}", array.shown()),
        });
    }
    Ok(())
}

/// Explains why a wish applies to nothing.
fn nothing_for(wishes: &Wishes<'_>, wish: &Wish, mapping: &Mapping) -> String {
    let kernels = mapping.kernels.len();
    if let Some(array) = &wish.target.array
        && !wishes.model.arrays.iter().any(|known| wish.names(known))
    {
        let all: Vec<_> = wishes.model.arrays.iter().map(|known| format!("`{}`", known.shown())).collect();
        return format!("there is no array `{array}`: the region has {}", all.join(", "));
    }
    match wish.target.kernel {
        Some(kernel) if kernel.index() >= kernels => match kernels {
            0 => format!("there is no kernel {kernel}: the region has none"),
            1 => format!("there is no kernel {kernel}: the region has K0 alone"),
            _ => format!("there is no kernel {kernel}: they are K0 to K{}", kernels - 1),
        },
        _ => match wish.wanted {
            Wanted::Layout(_) => "none of it is in shared memory".to_owned(),
            Wanted::Transfer(_) | Wanted::Resident(_) | Wanted::CopyIn(_) | Wanted::CopyOut(_) => {
                "it is not transferred by itself: it is an argument or in constant memory, or no kernel uses it"
                    .to_owned()
            }
            _ => "no kernel uses it".to_owned(),
        },
    }
}

fn verdict(met: bool, counts: bool) -> Verdict {
    match (met, counts) {
        (true, _) => Verdict::Met,
        (false, true) => Verdict::NotMet,
        (false, false) => Verdict::Overruled,
    }
}

/// Returns the fast memory that serves an access, if one does.
fn serving(outcome: &Outcome<'_>, access: &Access) -> Option<MemoryKind> {
    let serves = |buffer: &&Buffer| buffer.accesses.contains(&access.id);
    outcome.placed.buffers.iter().find(serves).map(|buffer| buffer.memory.into())
}

fn listed(memories: &[MemoryKind]) -> String {
    let names: Vec<String> = memories.iter().map(|memory| format!("{memory} memory")).collect();
    names.join(" and ")
}

fn described(layout: LayoutKind) -> &'static str {
    match layout {
        LayoutKind::Box => "a box",
        LayoutKind::Dense => "a dense numbering",
        LayoutKind::Ring => "a box that keeps elements",
    }
}

/// Explains why a buffer does not have the layout that the user asked for.
fn why_not(layout: LayoutKind) -> &'static str {
    match layout {
        LayoutKind::Box => "",
        LayoutKind::Dense => {
            ": a dense numbering serves elements that kernels only read, if it leaves out gaps, has few cases and can \
             be counted"
        }
        LayoutKind::Ring => {
            ": elements are kept if kernels only read them, and the next step of a loop over tiles uses some of them \
             again"
        }
    }
}

/// Explains why an array is not in the memory that the user asked for.
fn why_not_in(memory: MemoryKind) -> &'static str {
    match memory {
        MemoryKind::Private => {
            ": registers serve elements that belong to one thread each, if it uses them more than once"
        }
        MemoryKind::Shared => {
            ": shared memory serves affine subscripts if a tile uses a box of constant size that fits, elements that \
             kernels write only if they are used often enough, and elements that data choose only if a kernel just \
             updates them in any order, and all of them fit"
        }
        MemoryKind::Constant => {
            ": constant memory serves, in all kernels, small arrays of constant size that no kernel writes and whose \
             subscripts do not depend on data"
        }
        MemoryKind::Global => "",
    }
}
