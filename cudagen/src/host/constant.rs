//! Arrays in constant memory: kernel arguments by value, and `__constant__` variables.
//!
//! ```text
//! struct f_weight { double at[9]; };                             the type of an argument
//!
//! f_weight arg_weight = {};                                      the host fills it instead of a transfer
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

use scop::ast::expression::value;
use scop::{DeviceMemory, Diagnostic, Diagnostics};

use crate::code::element::not_constant;
use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::host::extents::{host_start, slice_of};
use crate::host::operation::HostOp;
use crate::host::program::{Constants, Member, Structure};
use crate::model::data::Datum;
use crate::model::view::{DeviceNames, View};

/// Returns the arrays of a scop in one kind of constant memory, with their names.
fn held<'a>(
    view: &'a View<'_>,
    memory: DeviceMemory,
) -> Result<Vec<(&'a Datum<'a>, &'a DeviceNames)>, Diagnostics> {
    let data = view.data.values().filter(|datum| datum.memory == memory);
    data.map(|datum| Ok((datum, view.device_names(datum.array.id)?))).collect()
}

/// Returns the types of a scop's arguments by value.
///
/// # Errors
/// Reports a bug if the size of a slice is not constant.
pub fn structures(view: &View<'_>) -> Result<Vec<Structure>, Diagnostics> {
    let structure = |(datum, names): (&Datum<'_>, &DeviceNames)| {
        Ok(Structure {
            name: names.constant_type.clone(),
            array: datum.array.name.clone(),
            member: member(datum, "at")?,
        })
    };
    held(view, DeviceMemory::Argument)?.into_iter().map(structure).collect()
}

/// Returns the variables of a scop. Only one scop at a time may use them, so its host function holds the lock.
///
/// # Errors
/// Reports a bug if the size of a slice is not constant.
pub fn variables(view: &View<'_>) -> Result<Option<Constants>, Diagnostics> {
    let arrays = held(view, DeviceMemory::Constant)?;
    let Some((_, names)) = arrays.first() else { return Ok(None) };
    let members = arrays.iter().map(|(datum, _)| member(datum, &datum.array.name));
    Ok(Some(Constants {
        structure: names.constant_type.clone(),
        members: members.collect::<Result<_, _>>()?,
    }))
}

/// Returns the member of a structure that holds a slice.
fn member(datum: &Datum<'_>, name: &str) -> Result<Member, Diagnostics> {
    let slice = slice_of(datum)?;
    let extents = std::iter::once(&slice.extent).chain(&slice.inner_extents);
    let elements = extents.map(value).try_fold(1i64, |all, extent| all.checked_mul(extent?));
    let elements = elements.ok_or_else(|| {
        Diagnostic::bug("cudagen", format!("the size of {} is not constant", datum.array.id))
    })?;
    Ok(Member { ctype: datum.array.element, name: name.to_owned(), elements: elements.max(1) })
}

/// Declares the arguments by value, and locks the variables against other threads.
///
/// # Errors
/// Reports a bug if an array has no names.
pub fn declare(frame: &Frame<'_>) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let declaration = |(_, names): (&Datum<'_>, &DeviceNames)| {
        Stmt::Op(HostOp::DeclareStructure {
            structure: names.constant_type.clone(),
            name: names.pointer.clone(),
        })
    };
    let arguments = held(frame.view, DeviceMemory::Argument)?;
    let mut block: Vec<Stmt<HostOp>> = arguments.into_iter().map(declaration).collect();
    if !held(frame.view, DeviceMemory::Constant)?.is_empty() {
        block.push(Stmt::Op(HostOp::HoldConstants));
    }
    Ok(block)
}

/// Waits for kernels that may still read the variables, if no transfer waits for them.
///
/// # Errors
/// Reports a bug if an array has no names.
pub fn release(frame: &Frame<'_>) -> Result<Option<Stmt<HostOp>>, Diagnostics> {
    let resident = frame.view.data.values().any(|datum| datum.resident.is_some());
    let waits = resident && !held(frame.view, DeviceMemory::Constant)?.is_empty();
    Ok(waits.then_some(Stmt::Op(HostOp::Synchronise)))
}

/// Copies an array into constant memory.
///
/// # Errors
/// Reports a bug if the array has no names or no slice.
pub fn fill(frame: &Frame<'_>, datum: &Datum<'_>) -> Result<Stmt<HostOp>, Diagnostics> {
    frame.note(datum.array.id, false);
    let names = frame.view.device_names(datum.array.id)?;
    let from = host_start(frame, datum, slice_of(datum)?);
    Ok(Stmt::Op(match datum.memory {
        DeviceMemory::Argument => HostOp::FillStructure { name: names.pointer.clone(), from },
        DeviceMemory::Constant => HostOp::FillConstants {
            structure: names.constant_type.clone(),
            member: datum.array.name.clone(),
            from,
        },
        DeviceMemory::Global => return Err(not_constant(datum)),
    }))
}
