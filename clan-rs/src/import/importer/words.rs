//! What expressions are that the tree has no kind for.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;

use crate::c::clang::Cursor;
use crate::c::ctree::Unnamed;

/// What is longer is not quoted in messages.
const LONGEST_QUOTE: usize = 40;

pub(super) fn describe(cursor: Cursor) -> Unnamed {
    match cursor.kind() {
        CXCursor_LambdaExpr => Unnamed::Lambda,
        CXCursor_CXXThrowExpr => Unnamed::Throw,
        CXCursor_CXXNewExpr | CXCursor_CXXDeleteExpr => Unnamed::value("`new` and `delete`"),
        CXCursor_CXXReinterpretCastExpr | CXCursor_CXXConstCastExpr | CXCursor_CXXDynamicCastExpr => {
            Unnamed::other("a conversion of a pointer or reference")
        }
        CXCursor_CXXNullPtrLiteralExpr => Unnamed::value("`nullptr`"),
        CXCursor_StringLiteral => Unnamed::Text,
        CXCursor_InitListExpr => Unnamed::InitialiserList,
        CXCursor_CompoundLiteralExpr => Unnamed::CompoundLiteral,
        CXCursor_StmtExpr => Unnamed::other("a statement expression"),
        CXCursor_ImaginaryLiteral => Unnamed::other("an imaginary constant without a point or an exponent"),
        CXCursor_GenericSelectionExpr => Unnamed::value("`_Generic`"),
        CXCursor_AddrLabelExpr => Unnamed::other("the address of a label"),
        CXCursor_UnexposedExpr => unnamed(cursor),
        _ => Unnamed::Other(format!("an expression of the kind {}", cursor.kind_name()).into()),
    }
}

/// An expression of a kind for which libclang has no name, by what stands there if that is short.
fn unnamed(cursor: Cursor) -> Unnamed {
    let range = cursor.range();
    let length = range.end.saturating_sub(range.start) as usize;
    let text = cursor.text_of_file().and_then(|text| text.get(..length));
    let text = text.and_then(|text| std::str::from_utf8(text).ok());
    match text.filter(|text| (1..=LONGEST_QUOTE).contains(&text.len()) && !text.contains(['\n', '`'])) {
        Some(text) => Unnamed::Quoted(text.to_owned()),
        None => Unnamed::other("an expression of this kind"),
    }
}
