//! Which memory C lets be accessed as which type.

use scop::CType;

/// True if C allows to access a variable of type `stored`, or a pointer if there is none, as an element of type
/// `element`.
pub fn may_hold(element: CType, stored: Option<CType>) -> bool {
    // A complex number is two of its parts (C11, 6.2.5p13).
    let same =
        |a: CType, b: CType| a.part() == b.part() || a.size() == b.size() && a.is_integer() && b.is_integer();
    is_character(element) || stored.is_some_and(|stored| same(element, stored))
}

/// True for the types of which C lets every object be an array.
pub fn is_character(ctype: CType) -> bool {
    matches!(ctype, CType::Char | CType::SChar | CType::UChar)
}
