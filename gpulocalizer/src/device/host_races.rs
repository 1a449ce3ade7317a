//! What is copied back over elements that other threads of the host may have changed meanwhile.
//!
//! An element that the region certainly writes nobody else may use while the region runs, and one that it certainly
//! reads nobody else may change: that would be a data race in C. (The latter is copied back as it was.) Of all others
//! the host must keep what it has.

use std::collections::BTreeSet;

use polyhedra::{Result, Set, Text};
use scop::{ArrayId, DeviceArray};

use crate::device::usage::Usage;

/// The arrays of which more is copied back than the region certainly uses, although other threads may use them.
#[derive(Debug, Default)]
pub struct Overwritten(pub BTreeSet<ArrayId>);

impl Overwritten {
    /// Notes an array if these elements must not be copied back.
    pub fn note(&mut self, usage: &Usage<'_>, array: ArrayId, elements: &Set) -> Result<()> {
        if !may_be_copied_back(usage, array, elements)? {
            self.0.insert(array);
        }
        Ok(())
    }

    /// The same for a transfer in the array's layout.
    pub fn note_whole(&mut self, usage: &Usage<'_>, placed: &DeviceArray) -> Result<()> {
        self.note(usage, placed.array, &whole(usage, placed)?)
    }
}

/// True if nobody else can have changed these elements of an array.
pub fn may_be_copied_back(usage: &Usage<'_>, array: ArrayId, elements: &Set) -> Result<bool> {
    let array = usage.model.array(array)?;
    if !array.visible || !array.concurrent {
        return Ok(true);
    }
    let accesses = usage.model.statements.iter().flat_map(|statement| &statement.accesses);
    let certain = accesses.filter(|access| access.array == array.id && access.is_certainly_used());
    let used = usage.elements(array, &certain.collect::<Vec<_>>())?;
    Ok(elements.is_subset(&used)?)
}

/// What a transfer from the device brings in an array's layout.
pub fn whole(usage: &Usage<'_>, placed: &DeviceArray) -> Result<Set> {
    if let Some(numbered) = &placed.numbered {
        return Set::parse(&numbered.0);
    }
    if placed.boxes.is_some() {
        return Set::parse(&placed.copy_out.0);
    }
    usage.in_slice(placed)
}
