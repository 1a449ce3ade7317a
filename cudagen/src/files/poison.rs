//! Values that no program expects, for what a comparison of a region with its original cannot compare.

use scop::CType;

/// An integer that no program expects.
const POISON: &str = "-1515870811";

/// A statement that gives an object a value that no program expects.
pub fn poisoned(object: &str, element: CType, is_scalar: bool) -> String {
    let is_integer = element.is_integer();
    if is_scalar {
        let value = if is_integer { POISON } else { "__builtin_nan(\"\")" };
        return format!("{object} = {value};");
    }
    poisoned_memory(object, object, element)
}

/// The same for the memory of an object, whose address is given.
pub fn poisoned_memory(address: &str, object: &str, element: CType) -> String {
    let byte = if element.is_integer() { "0xa5" } else { "0xff" };
    format!("__builtin_memset({address}, {byte}, sizeof({object}));")
}
