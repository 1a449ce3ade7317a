//! C's rules on the types through which memory may be accessed.

use scop::CType;

/// True if C allows access to a variable of type `stored` as an element of type `element`. `stored` is `None` for a
/// pointer.
pub fn may_hold(element: CType, stored: Option<CType>) -> bool {
    // The representation of a complex number is an array of its two parts (C11, 6.2.5p13).
    let same =
        |a: CType, b: CType| a.part() == b.part() || a.size() == b.size() && a.is_integer() && b.is_integer();
    is_character(element) || stored.is_some_and(|stored| same(element, stored))
}

/// True for the types through which C allows access to any object.
pub fn is_character(ctype: CType) -> bool {
    matches!(ctype, CType::Char | CType::SChar | CType::UChar)
}
