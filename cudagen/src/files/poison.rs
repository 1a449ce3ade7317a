//! Poison: values that no program expects, for objects that cannot be compared with the original region.

use scop::CType;

/// The poison of integers.
const POISON: &str = "-1515870811";

/// Returns a statement that poisons an object.
pub fn poisoned(object: &str, element: CType, is_scalar: bool) -> String {
    let is_integer = element.is_integer();
    if is_scalar {
        let value = if is_integer { POISON } else { "__builtin_nan(\"\")" };
        return format!("{object} = {value};");
    }
    poisoned_memory(object, object, element)
}

/// Returns a statement that poisons the memory of an object, given its address.
pub fn poisoned_memory(address: &str, object: &str, element: CType) -> String {
    let byte = if element.is_integer() { "0xa5" } else { "0xff" };
    format!("__builtin_memset({address}, {byte}, sizeof({object}));")
}
