//! Members of structures. On the host, they are one structure size apart; on the device, they are contiguous.

use scop::{Array, Storage};

/// For a member, returns the number of dimensions of its array of structures and a structure's size in bytes.
pub fn of_structures(array: &Array) -> Option<(usize, u32)> {
    match array.storage {
        Storage::Member { structures, stride, .. } => Some((structures as usize, stride)),
        Storage::Scalar | Storage::Contiguous => None,
    }
}

/// True if both arrays are members of the same structures: they are interleaved in memory and never overlap.
pub fn are_siblings(one: &Array, other: &Array) -> bool {
    match (&one.storage, &other.storage) {
        (Storage::Member { base, .. }, Storage::Member { base: other, .. }) => base == other,
        _ => false,
    }
}
