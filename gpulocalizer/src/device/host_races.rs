//! Transfers that overwrite elements which other threads of the host may have changed meanwhile.
//!
//! While the region runs, no other thread may use an element that the region certainly writes, or change one that it
//! certainly reads; either would be a data race in C. (An element that is only read is copied back unchanged.) All
//! other elements must keep their values on the host.

use std::collections::BTreeSet;

use polyhedra::{Result, Set, Text};
use scop::{ArrayId, DeviceArray};

use crate::device::usage::Usage;

/// The arrays of which elements are copied back that the region does not certainly use, although other threads may
/// use them.
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

    /// Notes an array if it must not be copied back in its layout.
    pub fn note_whole(&mut self, usage: &Usage<'_>, placed: &DeviceArray) -> Result<()> {
        self.note(usage, placed.array, &whole(usage, placed)?)
    }
}

/// True if no other thread can have changed these elements of an array.
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

/// Returns the elements that a transfer from the device copies in an array's layout.
pub fn whole(usage: &Usage<'_>, placed: &DeviceArray) -> Result<Set> {
    if let Some(numbered) = &placed.numbered {
        return Set::parse(&numbered.0);
    }
    if placed.boxes.is_some() {
        return Set::parse(&placed.copy_out.0);
    }
    usage.in_slice(placed)
}
