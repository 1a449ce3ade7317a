//! The host function that replaces a region: it checks, allocates, copies, launches, and frees.

use scop::c_text::Dialect;
use scop::{Array, CType, Diagnostics, Parameter, Storage, c_syntax};

use crate::code::body::Body;
use crate::code::frame::{Frame, Side};
use crate::code::stmt::{Stmt, append};
use crate::host::checks::{self, Checks};
use crate::host::launch::Launcher;
use crate::host::operation::HostOp;
use crate::host::program::{HostArgument, HostProgram, Interface, Shape};
use crate::host::{constant, memory, packing, verification};
use crate::kernel::program::KernelProgram;
use crate::model::data::{Datum, HostForm};
use crate::model::integers::holds;
use crate::model::members;
use crate::model::view::View;
use crate::program::names::Names;

/// Returns the program of a scop: its host function and its kernels.
///
/// # Errors
///
/// Fails as [`crate::kernel::outline::outline`] does.
pub fn program(view: &View<'_>, verify: bool) -> Result<HostProgram, Diagnostics> {
    let mut names = view.names.clone();
    let frame = Frame::new(view, Side::Host);
    let converted = converted_parameters(view, &mut names);
    let spelled = |parameter: &Parameter| {
        let other = converted.iter().find(|(converted, _)| converted.name == parameter.name);
        other.map_or_else(|| parameter.name.clone(), |(_, name)| name.clone())
    };
    let arguments = arguments(view, spelled);
    let mut checks = checks::collect(&frame, spelled)?;
    if verify {
        // What is compared runs on the device.
        checks.threshold.clear();
    }
    let mut launcher = Launcher::new(&frame, &mut names);
    let mut writer = Body { frame: &frame, own: &mut launcher, lines: true };
    let work = writer.write(&view.body, &view.facts)?;
    let kernels = launcher.kernels();
    let mut block = checks.parameters.clone();
    block.extend(conversions(view, &converted));
    block.extend([&checks.assumptions[..], &checks.threshold].concat());
    let sizes = sizes_of_structures(view);
    let interface = Interface {
        name: view.model.name.clone(),
        arguments,
        may_decline: checks.any() || !sizes.is_empty(),
        sizes,
        is_verified: verify,
    };
    let verification = verify.then(|| verification::of(&frame, &interface, &block, &checks)).transpose()?;
    block.extend(prepare(&frame, &checks)?);
    block.extend(kernels.iter().filter_map(more_shared_memory));
    append(&mut block, work);
    block.extend(finish(&frame, interface.may_decline)?);
    Ok(HostProgram {
        interface,
        body: block,
        verification,
        kernels,
        index: view.integers.index,
        helpers: frame.uses().helpers,
        calls_functions: view.calls_functions(),
        constants: constant::variables(view)?,
        structures: constant::structures(view)?,
        numberings: packing::numberings(view)?,
    })
}

/// Returns the C++ structures whose sizes the call checks. Compilers disagree on the layout of some classes
/// (`[[no_unique_address]]`, `packed` with members that are not plain data, pragmas), so the compiler that builds the
/// program decides.
fn sizes_of_structures(view: &View<'_>) -> Vec<(String, u32)> {
    if view.source.language != "c++" {
        return Vec::new();
    }
    let mut sizes: Vec<(String, u32)> = Vec::new();
    for array in view.model.arrays.iter().filter(|array| array.visible) {
        let Storage::Member { structures, stride, base, .. } = &array.storage else { continue };
        let size = (format!("{base}{}", "[0]".repeat(*structures as usize)), *stride);
        if !sizes.contains(&size) {
            sizes.push(size);
        }
    }
    sizes
}

/// Returns the parameters whose values may not fit their type in generated code, and the names of their arguments.
fn converted_parameters<'a>(view: &View<'a>, names: &mut Names) -> Vec<(&'a Parameter, String)> {
    let differs = |parameter: &&Parameter| {
        !holds(view.integers.type_of(&parameter.name), parameter.ctype)
            && view.integers.bounded.contains(&parameter.name)
    };
    let parameters = view.model.parameters.iter().filter(differs);
    parameters.map(|parameter| (parameter, names.fresh(&format!("{}_argument", parameter.name)))).collect()
}

fn conversions(view: &View<'_>, converted: &[(&Parameter, String)]) -> Vec<Stmt<HostOp>> {
    let declare = |(parameter, argument): &(&Parameter, String)| {
        let ctype = view.integers.type_of(&parameter.name);
        Stmt::declare(&parameter.name, format!("const {ctype} {} = {argument};", parameter.name))
    };
    converted.iter().map(declare).collect()
}

fn arguments(view: &View<'_>, spelled: impl Fn(&Parameter) -> String) -> Vec<HostArgument> {
    let parameters = view.model.parameters.iter().map(|parameter| {
        let name = spelled(parameter);
        let own = name != parameter.name;
        HostArgument {
            ctype: if own { parameter.ctype } else { view.integers.type_of(&parameter.name) },
            shape: Shape::Value,
            name,
            value: parameter.expression.clone(),
        }
    });
    parameters.chain(view.data.values().filter_map(data_argument)).collect()
}

fn data_argument(datum: &Datum<'_>) -> Option<HostArgument> {
    let array = datum.array;
    let shape = match datum.host {
        HostForm::Value => Shape::Value,
        HostForm::Pointer if datum.written => Shape::Pointer,
        HostForm::Pointer => Shape::ConstPointer,
        HostForm::Local | HostForm::Heap | HostForm::Absent => return None,
    };
    let value = match (shape, dimensions_in_c(array)) {
        (Shape::Value, _) => array.expression.clone(),
        _ if members::of_structures(array).is_some() => first_member(array),
        (_, 1) => array.expression.clone(),
        (_, dimensions) => {
            let element = format!("{}{}", array.expression, "[0]".repeat(dimensions));
            // An enumeration may have its own operator `&`.
            if array.enumeration { format!("__builtin_addressof({element})") } else { format!("&{element}") }
        }
    };
    let value = if array.enumeration { converted(&value, array.element, &shape) } else { value };
    let value = c_syntax::guarded(&value, &[&datum.followed_if[..], &datum.pointers[..]].concat());
    Some(HostArgument { ctype: array.element, shape, name: array.name.clone(), value })
}

/// Casts a value or address of an enumeration to the integer type.
fn converted(value: &str, element: CType, shape: &Shape) -> String {
    let ctype = Dialect::Cxx.type_name(element);
    match shape {
        Shape::Value => format!("({ctype}){value}"),
        Shape::Pointer => format!("({ctype} *){value}"),
        Shape::ConstPointer => format!("(const {ctype} *){value}"),
    }
}

/// Returns the address of a member in the first structure of an array.
fn first_member(array: &Array) -> String {
    let structures = members::of_structures(array).map_or(0, |(structures, _)| structures);
    let inner = array.extents.len().saturating_sub(structures);
    format!("&{}{}", array.expression, "[0]".repeat(inner))
}

/// Returns the number of subscripts of an element in the source. Inner dimensions without a C extent were found in
/// subscripts such as `a[i * n + j]`.
fn dimensions_in_c(array: &Array) -> usize {
    let inner = array.extents.iter().skip(1).filter(|extent| extent.c.is_some()).count();
    inner + usize::from(!array.is_scalar())
}

/// Allows a kernel more shared memory than the default, if it needs more.
fn more_shared_memory(kernel: &KernelProgram) -> Option<Stmt<HostOp>> {
    let (name, bytes) = (&kernel.name, kernel.dynamic_bytes);
    (bytes > 0).then(|| Stmt::Op(HostOp::AllowShared { kernel: name.clone(), bytes }))
}

/// Returns everything before the work: sizes, the checks that need them, allocations.
fn prepare(frame: &Frame<'_>, checks: &Checks) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let mut block = memory::sizes(frame, false)?;
    block.extend(checks.memory.iter().cloned());
    block.push(Stmt::Blank);
    block.extend(memory::allocate(frame)?);
    block.push(Stmt::Blank);
    Ok(block)
}

fn finish(frame: &Frame<'_>, may_decline: bool) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let mut block = vec![Stmt::Blank];
    block.extend(memory::free(frame)?);
    if may_decline {
        block.push(Stmt::line("return 1;"));
    }
    Ok(block)
}
