//! The user's wishes for a placement.
//!
//! If several wishes ask for the same thing, the one that names more counts (array and kernel before only one of
//! them, one of them before neither), and of equals the last. A wish for everything is met where possible; a wish
//! that names something is met or refused.

use scop::wish::{Demand, LayoutKind, MemoryKind, TransferKind};
use scop::{Array, KernelId, Mapping, Model, Wanted, Wish};

/// The wishes for the placement of a region.
#[derive(Debug)]
pub struct Wishes<'a> {
    /// The region.
    pub model: &'a Model,
    /// The wishes of the document, followed by those of the command line.
    pub wishes: Vec<&'a Wish>,
}

impl<'a> Wishes<'a> {
    /// Selects the wishes for this region from those of the document and of the command line.
    pub fn new(model: &'a Model, more: &'a [Wish]) -> Self {
        let all = model.wishes.iter().chain(more);
        let wishes = all.filter(|wish| wish.is_for_placement() && wish.is_for_region(&model.name)).collect();
        Self { model, wishes }
    }

    /// Returns the requested layout of an array's buffers in a kernel.
    pub fn layout(&self, kernel: KernelId, array: &Array) -> Option<LayoutKind> {
        self.chosen(kernel, array, |wish| match wish.wanted {
            Wanted::Layout(layout) => Some(layout),
            _ => None,
        })
    }

    /// Returns the requested memory of an array in a kernel.
    pub fn memory(&self, kernel: KernelId, array: &Array) -> Option<MemoryKind> {
        self.chosen(kernel, array, |wish| match wish.wanted {
            Wanted::Memory(memory) => Some(memory),
            _ => None,
        })
    }

    /// True if a memory may serve an array in a kernel. A wish for a memory that names no array excludes no other
    /// memory.
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

    /// Decides what of an array that a kernel only reads is copied to shared memory.
    pub fn staging(&self, kernel: KernelId, array: &Array) -> Staging {
        match (self.memory(kernel, array), self.named_memory(kernel, array)) {
            (_, Some(MemoryKind::Shared)) => Staging::All,
            (Some(MemoryKind::Shared), _) => Staging::Reused,
            _ => Staging::Paying,
        }
    }

    /// Returns the memory that has to serve an array in a kernel, if a wish that names the array asks for one.
    fn named_memory(&self, kernel: KernelId, array: &Array) -> Option<MemoryKind> {
        self.chosen(kernel, array, |wish| match wish.wanted {
            Wanted::Memory(memory) if wish.target.array.is_some() => Some(memory),
            _ => None,
        })
    }

    /// Decides whether constant memory may serve an array. It serves the array in all kernels or in none.
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

    /// Returns the requested limit for the shared memory of a block, in bytes.
    pub fn shared_memory(&self, kernel: KernelId) -> Option<u64> {
        let bytes =
            |wish: &&Wish| if let Wanted::SharedMemory(bytes) = wish.wanted { Some(bytes) } else { None };
        let last = |named: Option<KernelId>| {
            self.wishes.iter().rev().filter(|wish| wish.target.kernel == named).find_map(bytes)
        };
        last(Some(kernel)).or_else(|| last(None))
    }

    /// Returns the requested form of an array's transfers.
    pub fn transfer(&self, array: &Array) -> Option<TransferKind> {
        self.of_array(array, |wanted| if let Wanted::Transfer(form) = wanted { Some(*form) } else { None })
    }

    /// Returns whether an array is to stay on the device between regions, if there is a wish.
    pub fn resident(&self, array: &Array) -> Option<Demand> {
        self.of_array(
            array,
            |wanted| if let Wanted::Resident(demand) = wanted { Some(*demand) } else { None },
        )
    }

    /// Returns whether each run of the region is to copy an array to the device, if there is a wish.
    pub fn copy_in(&self, array: &Array) -> Option<Demand> {
        self.of_array(array, |wanted| if let Wanted::CopyIn(demand) = wanted { Some(*demand) } else { None })
    }

    /// Returns whether each run of the region is to copy an array back, if there is a wish.
    pub fn copy_out(&self, array: &Array) -> Option<Demand> {
        self.of_array(array, |wanted| if let Wanted::CopyOut(demand) = wanted { Some(*demand) } else { None })
    }

    /// True if the wishes forbid that an array stays on the device between regions.
    pub fn forbids_residency(&self, array: &Array) -> bool {
        let copies = [self.copy_in(array), self.copy_out(array)];
        self.resident(array) == Some(Demand::Never) || copies.contains(&Some(Demand::Always))
    }

    /// Returns what the last wish for an array asks for, or else the last wish for all arrays.
    fn of_array<T>(&self, array: &Array, asked: impl Fn(&Wanted) -> Option<T>) -> Option<T> {
        let last = |named: bool| {
            let wishes = self.wishes.iter().rev().filter(|wish| wish.target.array.is_some() == named);
            wishes.filter(|wish| wish.names(array)).find_map(|wish| asked(&wish.wanted))
        };
        last(true).or_else(|| last(false))
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
}

/// Which elements of arrays that a kernel only reads are copied to shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Staging {
    /// Those for which the copy pays.
    Paying,
    /// Those that several threads use, however rarely.
    Reused,
    /// All that fit.
    All,
}

/// Whether constant memory may serve an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant {
    /// It must, if that is possible at all.
    Wanted,
    /// It may, if that is good.
    Allowed,
    /// It must not.
    Forbidden,
}

/// True if a wish is for an array in a kernel.
pub fn is_for(wish: &Wish, kernel: KernelId, array: &Array) -> bool {
    wish.target.kernel.is_none_or(|wanted| wanted == kernel) && wish.names(array)
}

fn named_parts(wish: &Wish) -> usize {
    usize::from(wish.target.kernel.is_some()) + usize::from(wish.target.array.is_some())
}
