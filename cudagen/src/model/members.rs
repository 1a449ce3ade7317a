//! Members of structures: apart by the size of a structure on the host, one behind the other on the device.

use scop::c_text::{Dialect, Fragment};
use scop::{Array, BinaryOp, CType, Storage};

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

/// The address of the member in the structure number `position`.
pub fn address(array: &Array, position: &Fragment, stride: u32) -> String {
    let ctype = Dialect::Cxx.type_name(array.element);
    let position = match position.text.as_str() {
        "0" => return array.name.clone(),
        _ if position.ctype == CType::Long => position.clone(),
        _ => Fragment::prefix("(ptrdiff_t)", position, CType::Long),
    };
    let stride = Fragment::atom(stride.to_string(), CType::Int);
    let bytes = Fragment::infix(BinaryOp::Mul, &position, &stride, CType::Long);
    let constant = if array.constant { "const " } else { "" };
    format!("({constant}{ctype} *)(({constant}char *){} + {bytes})", array.name)
}
