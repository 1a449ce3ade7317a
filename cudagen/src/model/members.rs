//! Members of structures: apart by the size of a structure on the host, one after the other on the device.

use scop::{Array, Storage};

/// For a member of an array of structures, the number of that array's dimensions and the size of a structure in bytes.
pub fn of_structures(array: &Array) -> Option<(usize, u32)> {
    match array.storage {
        Storage::Member { structures, stride, .. } => Some((structures as usize, stride)),
        Storage::Scalar | Storage::Contiguous => None,
    }
}

/// True if two arrays are members of the same structures, which lie between one another and never overlap.
pub fn are_siblings(one: &Array, other: &Array) -> bool {
    match (&one.storage, &other.storage) {
        (Storage::Member { base, .. }, Storage::Member { base: other, .. }) => base == other,
        _ => false,
    }
}
