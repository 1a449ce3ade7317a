//! Arrays that kernels get as arguments by value: constant memory.
//!
//! ```text
//! struct f_weight { double at[9]; };                             the type of the argument
//!
//! f_weight arg_weight = {};                                      the host fills it in the place of a transfer
//! memcpy(arg_weight.at, weight, sizeof(arg_weight.at));
//! __global__ void k(…, const f_weight weight)  … weight.at[k]    a kernel
//! ```

use scop::ast::{AstExpr, AstOp};
use scop::c_text::{Dialect, Fragment};

use crate::data::Datum;
use crate::expression::{binary, folded, value};
use crate::frame::Frame;
use crate::layout::Stmt;
use crate::slices;
use crate::view::View;

/// The types of the arguments of a scop.
pub fn definitions(view: &View<'_>) -> String {
    let mut text = String::new();
    for datum in view.data.values().filter(|datum| datum.is_argument) {
        let (Some(names), Some(elements)) = (view.device.get(&datum.array.id), elements(datum)) else {
            continue;
        };
        text.push_str(&format!(
            "\n// What kernels read of {}, as an argument: in constant memory.\nstruct {} {{\n    {} at[{elements}];\n}};\n",
            datum.array.name,
            names.argument_type,
            Dialect::Cxx.type_name(datum.array.element)
        ));
    }
    text
}

/// The number of elements of a slice of constant size; at least one, because C++ has no empty arrays.
fn elements(datum: &Datum<'_>) -> Option<i64> {
    let slice = datum.slice.as_ref()?;
    let extents = std::iter::once(&slice.extent).chain(&slice.inner_extents);
    extents.map(value).try_fold(1i64, |all, extent| all.checked_mul(extent?)).map(|all| all.max(1))
}

/// Declares the variables that the host passes.
pub fn declare(frame: &Frame<'_>) -> Vec<Stmt> {
    let arguments = frame.view.data.values().filter(|datum| datum.is_argument);
    let names = arguments.filter_map(|datum| frame.view.device.get(&datum.array.id));
    names
        .map(|names| {
            Stmt::declare(&names.pointer, format!("{} {} = {{}};", names.argument_type, names.pointer))
        })
        .collect()
}

/// Fills the variable of an array.
pub fn fill(frame: &Frame<'_>, datum: &Datum<'_>) -> Option<Stmt> {
    frame.note(datum.array.id, false);
    let variable = &frame.view.device.get(&datum.array.id)?.pointer;
    let from = slices::host_start(frame, datum, datum.slice.as_ref()?);
    Some(Stmt::line(format!("memcpy({variable}.at, {from}, sizeof({variable}.at));")))
}

/// An element in a kernel: `weight.at[k]`.
pub fn element(frame: &Frame<'_>, datum: &Datum<'_>, index: &[AstExpr]) -> Option<Fragment> {
    let slice = datum.slice.as_ref()?;
    let mut index = index.to_vec();
    let first = index.first_mut()?;
    *first = folded(&binary(AstOp::Sub, first.clone(), slice.lower.clone()));
    let offset = frame.offset(datum, &index)?;
    Some(Fragment::atom(format!("{}.at[{offset}]", datum.array.name), datum.array.element))
}
