//! Arrays in constant memory: arguments of kernels by value, and variables.
//!
//! ```text
//! struct f_weight { double at[9]; };                             the type of an argument
//!
//! f_weight arg_weight = {};                                      the host fills it in the place of a transfer
//! memcpy(arg_weight.at, weight, sizeof(arg_weight.at));
//! __global__ void k(…, const f_weight weight)  … weight.at[k]    a kernel
//!
//! struct f_constants { double table[900]; };                     the variables of a scop
//! union CudaConstants { f_constants f; g_constants g; };         one scop at a time is in constant memory
//! static __constant__ CudaConstants cuda_constants;
//!
//! cudaMemcpyToSymbol(cuda_constants, table, sizeof(f_constants::table), offsetof(f_constants, table));
//! __global__ void k(…)  … cuda_constants.f.table[k]
//! ```

use scop::ast::expression::{binary, folded, value};
use scop::ast::{AstExpr, AstOp};
use scop::c_text::{Dialect, Fragment};
use scop::{ArrayId, DeviceMemory};

use crate::code::frame::Frame;
use crate::host::slices;
use crate::model::data::Datum;
use crate::model::view::{DeviceNames, View};
use crate::print::layout::Stmt;

/// The arrays of a scop in one kind of constant memory, with their names.
fn held<'a>(
    view: &'a View<'_>,
    memory: DeviceMemory,
) -> impl Iterator<Item = (&'a Datum<'a>, &'a DeviceNames)> {
    let data = view.data.values().filter(move |datum| datum.memory == memory);
    data.filter_map(|datum| Some((datum, view.device_names(datum.array.id)?)))
}

/// True if kernels of a scop read variables in constant memory.
pub fn has_variables(view: &View<'_>) -> bool {
    held(view, DeviceMemory::Constant).next().is_some()
}

/// The types of the arguments of a scop.
pub fn arguments(view: &View<'_>) -> String {
    let mut text = String::new();
    for (datum, names) in held(view, DeviceMemory::Argument) {
        let Some(member) = member(datum, "at") else { continue };
        text.push_str(&format!(
            "\n// What kernels read of {}, as an argument: in constant memory.\nstruct {} {{\n    {member}\n}};\n",
            datum.array.name, names.constant_type
        ));
    }
    text
}

/// The variables of all scops. One scop at a time may use them, so its host function holds the lock.
pub fn variables<'a>(views: impl Iterator<Item = &'a View<'a>>) -> String {
    let (mut types, mut members) = (String::new(), String::new());
    for view in views {
        let arrays: Vec<_> = held(view, DeviceMemory::Constant).collect();
        let Some((_, names)) = arrays.first() else { continue };
        let (function, name) = (&view.model.name, &names.constant_type);
        types.push_str(&format!(
            "\n// What kernels of {function} read in constant memory.\nstruct {name} {{\n"
        ));
        for member in arrays.iter().filter_map(|(datum, _)| member(datum, &datum.array.name)) {
            types.push_str(&format!("    {member}\n"));
        }
        types.push_str("};\n");
        members.push_str(&format!("    {name} {function};\n"));
    }
    if members.is_empty() {
        return String::new();
    }
    format!(
        "{types}\n// Constant memory, for one region at a time.\nunion CudaConstants {{\n{members}}};\n\
         static __constant__ CudaConstants cuda_constants;\n\
         static std::mutex cuda_constants_lock;\n"
    )
}

/// The member of a structure that has a slice.
fn member(datum: &Datum<'_>, name: &str) -> Option<String> {
    Some(format!("{} {name}[{}];", Dialect::Cxx.type_name(datum.array.element), elements(datum)?))
}

/// The number of elements of a slice of constant size; at least one, because C++ has no empty arrays.
fn elements(datum: &Datum<'_>) -> Option<i64> {
    let slice = datum.slice.as_ref()?;
    let extents = std::iter::once(&slice.extent).chain(&slice.inner_extents);
    extents.map(value).try_fold(1i64, |all, extent| all.checked_mul(extent?)).map(|all| all.max(1))
}

/// What the host does before it fills constant memory: it declares the arguments, and keeps other threads from the
/// variables.
pub fn declare(frame: &Frame<'_>) -> Vec<Stmt> {
    let arguments = held(frame.view, DeviceMemory::Argument);
    let declaration = |names: &DeviceNames| {
        Stmt::declare(&names.pointer, format!("{} {} = {{}};", names.constant_type, names.pointer))
    };
    let mut block: Vec<Stmt> = arguments.map(|(_, names)| declaration(names)).collect();
    if has_variables(frame.view) {
        block.push(Stmt::line("const std::lock_guard<std::mutex> cuda_constants_held(cuda_constants_lock);"));
    }
    block
}

/// Waits for kernels that may still read variables, where no transfer does.
pub fn release(frame: &Frame<'_>) -> Option<Stmt> {
    let stays = frame.view.data.values().any(|datum| datum.stay.is_some());
    let waits = stays && has_variables(frame.view);
    waits.then(|| Stmt::line("cuda_check(cudaStreamSynchronize(0));"))
}

/// Fills the place of an array.
pub fn fill(frame: &Frame<'_>, datum: &Datum<'_>) -> Option<Stmt> {
    frame.note(datum.array.id, false);
    let DeviceNames { pointer, constant_type, .. } = frame.view.device_names(datum.array.id)?;
    let from = slices::host_start(frame, datum, datum.slice.as_ref()?);
    let name = &datum.array.name;
    Some(Stmt::line(match datum.memory {
        DeviceMemory::Argument => format!("memcpy({pointer}.at, {from}, sizeof({pointer}.at));"),
        _ => format!(
            "cuda_check(cudaMemcpyToSymbol(cuda_constants, {from}, sizeof({constant_type}::{name}), offsetof({constant_type}, {name})));"
        ),
    }))
}

/// An element in a kernel: `weight.at[k]`, or `cuda_constants.f.weight[k]`.
pub fn element(frame: &Frame<'_>, datum: &Datum<'_>, index: &[AstExpr]) -> Option<Fragment> {
    let slice = datum.slice.as_ref()?;
    let mut index = index.to_vec();
    let first = index.first_mut()?;
    *first = folded(&binary(AstOp::Sub, first.clone(), slice.lower.clone()));
    let offset = frame.offset(datum, &index)?;
    let name = &datum.array.name;
    let text = match datum.memory {
        DeviceMemory::Argument => format!("{name}.at[{offset}]"),
        _ => format!("cuda_constants.{}.{name}[{offset}]", frame.view.model.name),
    };
    Some(Fragment::atom(text, datum.array.element))
}

/// True for an array that a kernel need not be given.
pub fn is_variable(view: &View<'_>, array: ArrayId) -> bool {
    view.datum(array).is_some_and(|datum| datum.memory == DeviceMemory::Constant)
}
