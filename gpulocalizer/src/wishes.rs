//! What is asked of a placement, and what came of it.
//!
//! Of several wishes for one thing the one that names more of it counts (array and kernel before either, either before
//! none), and of those the last. A wish for all asks for what can be had; one that names something is met, or refused.

use polyhedra::Result;
use scop::wish::{LayoutKind, MemoryKind, TransferKind, Verdict};
use scop::{
    Access, Answer, Array, ArrayId, DeviceArray, Kernel, KernelId, KernelPlacement, Layout, Mapping, Model,
    Wanted, Wish,
};

use crate::kernel::view::arrays_of;

/// The wishes that are for the placement of a region.
#[derive(Debug)]
pub struct Wishes<'a> {
    model: &'a Model,
    /// Those of the document, then those of the command line.
    wishes: Vec<&'a Wish>,
}

/// What a kernel got.
pub struct Outcome<'a> {
    /// The kernel and its buffers.
    pub placed: &'a KernelPlacement,
    /// The buffers of which elements stay from one step of a loop of tiles to the next.
    pub keeping: Vec<scop::BufferId>,
    /// The shared memory that its blocks would have without wishes for less.
    pub without_limit: Option<u64>,
}

impl<'a> Wishes<'a> {
    /// The wishes of a document and of the command line.
    pub fn new(model: &'a Model, more: &'a [Wish]) -> Self {
        let all = model.wishes.iter().chain(more);
        let wishes = all.filter(|wish| wish.is_for_placement() && wish.is_for_region(&model.name)).collect();
        Self { model, wishes }
    }

    /// The layout of the buffers of an array in a kernel.
    pub fn layout(&self, kernel: KernelId, array: &Array) -> Option<LayoutKind> {
        self.chosen(kernel, array, |wish| match wish.wanted {
            Wanted::Layout(layout) => Some(layout),
            _ => None,
        })
    }

    /// The memory that is asked for an array in a kernel.
    fn memory(&self, kernel: KernelId, array: &Array) -> Option<MemoryKind> {
        self.chosen(kernel, array, |wish| match wish.wanted {
            Wanted::Memory(memory) => Some(memory),
            _ => None,
        })
    }

    /// True if a memory may serve an array in a kernel. A wish for all leaves room for others.
    pub fn allows(&self, kernel: KernelId, array: &Array, memory: MemoryKind) -> bool {
        match self.named_memory(kernel, array) {
            Some(wanted) => wanted == memory,
            None => {
                let avoided =
                    |wish: &Wish| matches!(wish.wanted, Wanted::Avoid(avoided) if avoided == memory);
                !self.wishes.iter().any(|wish| avoided(wish) && is_for(wish, kernel, array))
            }
        }
    }

    /// What of an array that a kernel only reads is copied to shared memory.
    pub fn staging(&self, kernel: KernelId, array: &Array) -> Staging {
        match (self.memory(kernel, array), self.named_memory(kernel, array)) {
            (_, Some(MemoryKind::Shared)) => Staging::All,
            (Some(MemoryKind::Shared), _) => Staging::Reused,
            _ => Staging::Paying,
        }
    }

    /// The memory that has to serve an array in a kernel, if a wish names the array.
    fn named_memory(&self, kernel: KernelId, array: &Array) -> Option<MemoryKind> {
        self.chosen(kernel, array, |wish| match wish.wanted {
            Wanted::Memory(memory) if wish.target.array.is_some() => Some(memory),
            _ => None,
        })
    }

    /// What constant memory may do for an array: it serves all kernels, or none.
    pub fn constant(&self, mapping: &Mapping, array: &Array) -> Constant {
        let kernels = || mapping.kernels.iter().map(|kernel| kernel.id);
        let wanted = |kernel| self.named_memory(kernel, array) == Some(MemoryKind::Constant);
        if kernels().any(wanted) {
            Constant::Wanted
        } else if kernels().all(|kernel| self.allows(kernel, array, MemoryKind::Constant)) {
            Constant::Allowed
        } else {
            Constant::Forbidden
        }
    }

    /// The bytes of shared memory that a block of a kernel may have at most, if something is asked for.
    pub fn shared_memory(&self, kernel: KernelId) -> Option<u64> {
        let bytes =
            |wish: &&Wish| if let Wanted::SharedMemory(bytes) = wish.wanted { Some(bytes) } else { None };
        let last = |named: Option<KernelId>| {
            self.wishes.iter().rev().filter(|wish| wish.target.kernel == named).find_map(bytes)
        };
        last(Some(kernel)).or_else(|| last(None))
    }

    /// How an array is transferred.
    pub fn transfer(&self, array: &Array) -> Option<TransferKind> {
        let form = |named: bool| {
            let wishes = self.wishes.iter().rev().filter(move |wish| wish.target.array.is_some() == named);
            wishes.filter(|wish| wish.names(array)).find_map(|wish| match wish.wanted {
                Wanted::Transfer(form) => Some(form),
                _ => None,
            })
        };
        form(true).or_else(|| form(false))
    }

    fn chosen<T>(&self, kernel: KernelId, array: &Array, value: impl Fn(&Wish) -> Option<T>) -> Option<T> {
        let mut best = None;
        for wish in self.wishes.iter().filter(|wish| is_for(wish, kernel, array)) {
            let Some(value) = value(wish) else { continue };
            let named = named_parts(wish);
            if best.as_ref().is_none_or(|(most, _)| named >= *most) {
                best = Some((named, value));
            }
        }
        best.map(|(_, value)| value)
    }

    /// What came of every wish.
    ///
    /// # Errors
    /// A buffer of an array that there is not.
    pub fn answers(
        &self,
        mapping: &Mapping,
        device: &[DeviceArray],
        outcomes: &[Outcome<'_>],
    ) -> Result<Vec<Answer>> {
        let mut answers = Vec::new();
        for &wish in &self.wishes {
            let before = answers.len();
            match wish.wanted {
                Wanted::Layout(layout) => self.layouts(wish, layout, outcomes, &mut answers)?,
                Wanted::Memory(memory) => {
                    self.memories(wish, mapping, device, outcomes, &mut answers, |used| *used == memory)?;
                }
                Wanted::Avoid(memory) => {
                    self.memories(wish, mapping, device, outcomes, &mut answers, |used| *used != memory)?;
                }
                Wanted::SharedMemory(bytes) => self.limits(wish, bytes, outcomes, &mut answers),
                Wanted::Transfer(transfer) => self.transfers(wish, transfer, device, &mut answers)?,
                Wanted::TileSizes(_) | Wanted::BlockSizes(_) | Wanted::Unroll(_) | Wanted::Fusion(_) => {}
            }
            if answers.len() == before {
                let reason = self.nothing_for(wish, mapping);
                let verdict = Verdict::Pointless;
                answers.push(Answer { wish: wish.clone(), kernel: None, array: None, verdict, reason });
            }
        }
        Ok(answers)
    }

    fn layouts(
        &self,
        wish: &Wish,
        wanted: LayoutKind,
        outcomes: &[Outcome<'_>],
        answers: &mut Vec<Answer>,
    ) -> Result<()> {
        for outcome in outcomes {
            for buffer in &outcome.placed.buffers {
                let (kernel, array) = (outcome.placed.kernel, self.model.array(buffer.array)?);
                if buffer.memory != scop::Memory::Shared || !is_for(wish, kernel, array) {
                    continue;
                }
                let keeps = outcome.keeping.contains(&buffer.id);
                let has = match buffer.layout {
                    Layout::Dense { .. } => LayoutKind::Dense,
                    Layout::Ring { .. } => LayoutKind::Ring,
                    Layout::Box { .. } if keeps => LayoutKind::Ring,
                    Layout::Box { .. } => LayoutKind::Box,
                };
                let counts = self.layout(kernel, array) == Some(wanted);
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

    /// Where a wish for a memory is met: all accesses of an array in a kernel are served as `fits` says.
    fn memories(
        &self,
        wish: &Wish,
        mapping: &Mapping,
        device: &[DeviceArray],
        outcomes: &[Outcome<'_>],
        answers: &mut Vec<Answer>,
        fits: impl Fn(&MemoryKind) -> bool,
    ) -> Result<()> {
        for (kernel, outcome) in mapping.kernels.iter().zip(outcomes) {
            for id in arrays_of(self.model, kernel)? {
                let array = self.model.array(id)?;
                if !is_for(wish, kernel.id, array) {
                    continue;
                }
                let used = self.used(kernel, id, device, outcome)?;
                let (counts, why) = match wish.wanted {
                    Wanted::Memory(wanted) => {
                        (self.memory(kernel.id, array) == Some(wanted), why_not_in(wanted))
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
                    reason: format!("`{}` is in {}{why}", shown(array), listed(&used)),
                });
            }
        }
        Ok(())
    }

    /// The memories that serve an array in a kernel.
    fn used(
        &self,
        kernel: &Kernel,
        array: ArrayId,
        device: &[DeviceArray],
        outcome: &Outcome<'_>,
    ) -> Result<Vec<MemoryKind>> {
        let mut used = Vec::new();
        let behind = device.iter().find(|placed| placed.array == array);
        for statement in self.model.statements_of(&kernel.statements)? {
            for access in statement.accesses.iter().filter(|access| access.array == array) {
                let memory = match (serving(outcome, access), behind) {
                    (Some(memory), _) => memory,
                    (None, Some(placed)) => placed.memory.into(),
                    // What kernels only read and is no array is an argument.
                    (None, None) => MemoryKind::Constant,
                };
                if !used.contains(&memory) {
                    used.push(memory);
                }
            }
        }
        Ok(used)
    }

    fn limits(&self, wish: &Wish, bytes: u64, outcomes: &[Outcome<'_>], answers: &mut Vec<Answer>) {
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
            let verdict = verdict(used <= bytes, self.shared_memory(kernel) == Some(bytes));
            answers.push(Answer { wish: wish.clone(), kernel: Some(kernel), array: None, verdict, reason });
        }
    }

    fn transfers(
        &self,
        wish: &Wish,
        wanted: TransferKind,
        device: &[DeviceArray],
        answers: &mut Vec<Answer>,
    ) -> Result<()> {
        for placed in device.iter().filter(|placed| placed.memory.is_global()) {
            let array = self.model.array(placed.array)?;
            if !array.visible || array.is_scalar() || !wish.names(array) {
                continue;
            }
            let has =
                if placed.numbering.is_some() { TransferKind::Linearized } else { TransferKind::PerArray };
            answers.push(Answer {
                wish: wish.clone(),
                kernel: None,
                array: Some(array.id),
                verdict: verdict(has == wanted, self.transfer(array) == Some(wanted)),
                reason: format!("`{}`: {}", shown(array), placed.reason),
            });
        }
        Ok(())
    }

    /// Why there is nothing that a wish is for.
    fn nothing_for(&self, wish: &Wish, mapping: &Mapping) -> String {
        let kernels = mapping.kernels.len();
        if let Some(array) = &wish.target.array
            && !self.model.arrays.iter().any(|known| wish.names(known))
        {
            let all: Vec<_> = self.model.arrays.iter().map(|known| format!("`{}`", shown(known))).collect();
            return format!("there is no array `{array}`: there are {}", all.join(", "));
        }
        match wish.target.kernel {
            Some(kernel) if kernel.index() >= kernels => match kernels {
                0 => format!("there is no kernel {kernel}: the region has none"),
                1 => format!("there is no kernel {kernel}: the region has K0 alone"),
                _ => format!("there is no kernel {kernel}: they are K0 to K{}", kernels - 1),
            },
            _ => match wish.wanted {
                Wanted::Layout(_) => "nothing of it is in shared memory".to_owned(),
                Wanted::Transfer(_) => {
                    "nothing of it is transferred by itself: it is an argument or in constant memory, or no kernel uses it"
                        .to_owned()
                }
                _ => "no kernel uses it".to_owned(),
            },
        }
    }
}

/// What is copied to shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Staging {
    /// What pays.
    Paying,
    /// What several threads use, however rarely.
    Reused,
    /// Whatever fits.
    All,
}

/// What constant memory may do for an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant {
    /// It serves the array if that can be done at all.
    Wanted,
    /// It serves the array if that is good.
    Allowed,
    /// It does not.
    Forbidden,
}

fn verdict(met: bool, counts: bool) -> Verdict {
    match (met, counts) {
        (true, _) => Verdict::Met,
        (false, true) => Verdict::NotMet,
        (false, false) => Verdict::Overruled,
    }
}

/// True if a wish is for an array in a kernel.
fn is_for(wish: &Wish, kernel: KernelId, array: &Array) -> bool {
    wish.target.kernel.is_none_or(|wanted| wanted == kernel) && wish.names(array)
}

fn named_parts(wish: &Wish) -> usize {
    usize::from(wish.target.kernel.is_some()) + usize::from(wish.target.array.is_some())
}

/// The fast memory that serves an access.
fn serving(outcome: &Outcome<'_>, access: &Access) -> Option<MemoryKind> {
    let serves = |buffer: &&scop::Buffer| buffer.accesses.contains(&access.id);
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
        LayoutKind::Ring => "a box in which elements stay",
    }
}

/// Why a buffer has another layout than the one that is asked for.
fn why_not(layout: LayoutKind) -> &'static str {
    match layout {
        LayoutKind::Box => "",
        LayoutKind::Dense => {
            ": a dense numbering is for what kernels only read, where it leaves gaps out, has few cases and can be counted"
        }
        LayoutKind::Ring => {
            ": elements stay where kernels only read, and the next step of a loop over tiles uses some of them again"
        }
    }
}

/// Why an array is in other memories than the one that is asked for.
fn why_not_in(memory: MemoryKind) -> &'static str {
    match memory {
        MemoryKind::Private => {
            ": registers serve elements that belong to one thread each, if it uses them more than once"
        }
        MemoryKind::Shared => {
            ": shared memory serves affine subscripts of which a tile uses a box of constant size that fits, and what \
             kernels write only if it is used often enough"
        }
        MemoryKind::Constant => {
            ": constant memory serves small arrays of constant size that no kernel writes, in all kernels, and no \
             subscripts that depend on data"
        }
        MemoryKind::Global => "",
    }
}

/// What the user calls an array; one that the tools made has a name of theirs alone.
fn shown(array: &Array) -> &str {
    if array.expression.is_empty() { &array.name } else { &array.expression }
}
