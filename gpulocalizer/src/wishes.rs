//! What is asked of a placement.
//!
//! Of several wishes for one thing the one that names more of it counts (array and kernel before either, either before
//! none), and of those the last. A wish for all asks for what can be had; one that names something is met, or refused.

use scop::wish::{LayoutKind, MemoryKind, TransferKind};
use scop::{Array, KernelId, Mapping, Model, Wanted, Wish};

/// The wishes that are for the placement of a region.
#[derive(Debug)]
pub struct Wishes<'a> {
    /// The region.
    pub model: &'a Model,
    /// Those of the document, then those of the command line.
    pub wishes: Vec<&'a Wish>,
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
    pub fn memory(&self, kernel: KernelId, array: &Array) -> Option<MemoryKind> {
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

/// True if a wish is for an array in a kernel.
pub fn is_for(wish: &Wish, kernel: KernelId, array: &Array) -> bool {
    wish.target.kernel.is_none_or(|wanted| wanted == kernel) && wish.names(array)
}

fn named_parts(wish: &Wish) -> usize {
    usize::from(wish.target.kernel.is_some()) + usize::from(wish.target.array.is_some())
}
