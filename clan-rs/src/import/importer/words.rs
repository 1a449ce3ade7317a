//! What expressions are called in messages.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;

use crate::c::clang::Cursor;
use crate::c::ctree::{INITIALISER_LIST, STRING};

/// What is longer is not quoted in messages.
const LONGEST_QUOTE: usize = 40;

pub(super) fn describe(cursor: Cursor) -> String {
    let what = match cursor.kind() {
        CXCursor_LambdaExpr => "a lambda expression",
        CXCursor_CXXThrowExpr => "`throw`",
        CXCursor_CXXNewExpr | CXCursor_CXXDeleteExpr => "`new` and `delete`",
        CXCursor_CXXReinterpretCastExpr | CXCursor_CXXConstCastExpr | CXCursor_CXXDynamicCastExpr => {
            "a conversion of a pointer or reference"
        }
        CXCursor_StringLiteral => STRING,
        CXCursor_InitListExpr => INITIALISER_LIST,
        CXCursor_CompoundLiteralExpr => "a compound literal",
        CXCursor_StmtExpr => "a statement expression",
        CXCursor_ImaginaryLiteral => "an imaginary constant without a point or an exponent",
        CXCursor_GenericSelectionExpr => "`_Generic`",
        CXCursor_AddrLabelExpr => "the address of a label",
        CXCursor_UnexposedExpr => return unnamed(cursor),
        _ => return format!("an expression of the kind {}", cursor.kind_name()),
    };
    what.to_owned()
}

/// An expression of a kind for which libclang has no name, by what stands there if that is short.
pub(super) fn unnamed(cursor: Cursor) -> String {
    let range = cursor.range();
    let length = range.end.saturating_sub(range.start) as usize;
    let text = cursor.text_of_file().and_then(|text| text.get(..length));
    let text = text.and_then(|text| std::str::from_utf8(text).ok());
    match text.filter(|text| (1..=LONGEST_QUOTE).contains(&text.len()) && !text.contains(['\n', '`'])) {
        Some(text) => format!("`{text}`"),
        None => "an expression of this kind".to_owned(),
    }
}
