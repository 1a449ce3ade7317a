//! The function that stands for a region: it checks, allocates, copies, launches, and frees.

use std::collections::BTreeSet;

use scop::c_text::{Dialect, Helper};
use scop::{Array, CType, Diagnostics, Parameter, Storage, c_syntax};

use crate::code::body::Body;
use crate::code::frame::{Frame, Side};
use crate::host::checks::{self, Checks};
use crate::host::launch::Launcher;
use crate::host::slices;
use crate::host::verification;
use crate::kernel::outline::KernelText;
use crate::model::data::{Datum, HostForm};
use crate::model::integers::holds;
use crate::model::members;
use crate::model::view::View;
use crate::print::layout::{self, Stmt, append};
use crate::program::names::Names;

/// What became of a scop.
#[derive(Debug, Clone)]
pub struct HostFunction {
    /// The function's name.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<HostArgument>,
    /// True if it returns whether it did the work.
    pub may_decline: bool,
    /// The structures of C++ whose sizes it relies on: how C++ refers to one, and how many bytes it should have.
    pub sizes: Vec<(String, u32)>,
    /// True if it compares address ranges.
    pub compares: bool,
    /// True if it asks whether memory may be written.
    pub asks_for_constants: bool,
    /// The index helpers that it calls.
    pub helpers: BTreeSet<Helper>,
    /// Its definition.
    pub text: String,
    /// The function that compares it with the original, if that is wanted.
    pub verification: Option<String>,
    /// The kernels that it launches.
    pub kernels: Vec<KernelText>,
}

/// One argument of the host function.
#[derive(Debug, Clone)]
pub struct HostArgument {
    /// The type that it points to or has.
    pub ctype: CType,
    /// What stands between the type and the name, and before the type.
    pub shape: Shape,
    /// Its name.
    pub name: String,
    /// What the caller passes, in the user's terms.
    pub value: String,
}

/// The shape of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `int n`
    Value,
    /// `double *A`
    Pointer,
    /// `const double *A`
    ConstPointer,
}

impl HostArgument {
    /// The declaration, with types spelled by `type_name`.
    pub fn declaration(&self, type_name: impl Fn(CType) -> String) -> String {
        let (before, between) = match self.shape {
            Shape::Value => ("", " "),
            Shape::Pointer => ("", " *"),
            Shape::ConstPointer => ("const ", " *"),
        };
        format!("{before}{}{between}{}", type_name(self.ctype), self.name)
    }
}

/// Writes the function of a scop and its kernels.
///
/// # Errors
///
/// As [`crate::kernel::outline::outline`].
pub fn write(view: &View<'_>, verify: bool) -> Result<HostFunction, Diagnostics> {
    let mut names = view.names.clone();
    let frame = Frame::new(view, Side::Host);
    let converted = converted_parameters(view, &mut names);
    let spelled = |parameter: &Parameter| {
        let other = converted.iter().find(|(converted, _)| converted.name == parameter.name);
        other.map_or_else(|| parameter.name.clone(), |(_, name)| name.clone())
    };
    let arguments = arguments(view, spelled);
    let checks = checks::collect(&frame, spelled);
    let mut launcher = Launcher::new(&frame, &mut names);
    let mut writer = Body { frame: &frame, special: &mut launcher, lines: true };
    let work = writer.write(&view.body, &view.facts)?;
    let kernels = launcher.kernels();
    let mut block = checks.parameters.clone();
    block.extend(conversions(view, &converted));
    block.extend(checks.assumptions.iter().cloned());
    let verification =
        verify.then(|| verification::function(&frame, &arguments, &block, &checks)).transpose()?;
    block.extend(prepare(&frame, &checks));
    block.extend(kernels.iter().filter_map(more_shared_memory));
    append(&mut block, work);
    let sizes = sizes_of_structures(view);
    let may_decline = checks.any() || !sizes.is_empty();
    block.extend(finish(&frame, may_decline));
    let result = if may_decline { "int" } else { "void" };
    let text = definition(view, result, &arguments, &block);
    Ok(HostFunction {
        name: view.model.name.clone(),
        arguments,
        may_decline,
        sizes,
        compares: checks.overlap,
        asks_for_constants: checks.writable,
        helpers: frame.uses().helpers,
        text,
        verification,
        kernels,
    })
}

/// Compilers do not agree on the layout of all classes of C++ (`[[no_unique_address]]`, `packed` with members that are
/// not plain data, pragmas): the one that builds the program is asked.
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

/// The parameters that arrive as something that the generated code's type may not hold, and the names of the arguments.
fn converted_parameters<'a>(view: &View<'a>, names: &mut Names) -> Vec<(&'a Parameter, String)> {
    let differs = |parameter: &&Parameter| {
        !holds(view.integers.type_of(&parameter.name), parameter.ctype)
            && view.integers.bounded.contains(&parameter.name)
    };
    let parameters = view.model.parameters.iter().filter(differs);
    parameters.map(|parameter| (parameter, names.fresh(&format!("{}_argument", parameter.name)))).collect()
}

fn conversions(view: &View<'_>, converted: &[(&Parameter, String)]) -> Vec<Stmt> {
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
            // An enumeration may have an operator `&` of its own.
            if array.enumeration { format!("__builtin_addressof({element})") } else { format!("&{element}") }
        }
    };
    let value = if array.enumeration { converted(&value, array.element, &shape) } else { value };
    let value = c_syntax::guarded(&value, &[&datum.followed_if[..], &datum.pointers[..]].concat());
    Some(HostArgument { ctype: array.element, shape, name: array.name.clone(), value })
}

/// A value or address of an enumeration as one of integers.
fn converted(value: &str, element: CType, shape: &Shape) -> String {
    let ctype = Dialect::Cxx.type_name(element);
    match shape {
        Shape::Value => format!("({ctype}){value}"),
        Shape::Pointer => format!("({ctype} *){value}"),
        Shape::ConstPointer => format!("(const {ctype} *){value}"),
    }
}

/// The address of a member in the first structure of an array.
fn first_member(array: &Array) -> String {
    let structures = members::of_structures(array).map_or(0, |(structures, _)| structures);
    let inner = array.extents.len().saturating_sub(structures);
    format!("&{}{}", array.expression, "[0]".repeat(inner))
}

/// The number of subscripts that lead to an element in the source: inner dimensions that it does not write were found
/// in subscripts like `a[i * n + j]`.
fn dimensions_in_c(array: &Array) -> usize {
    let inner = array.extents.iter().skip(1).filter(|extent| extent.c.is_some()).count();
    inner + usize::from(!array.is_scalar())
}

/// Lets a kernel have more shared memory than blocks have by default.
fn more_shared_memory(kernel: &KernelText) -> Option<Stmt> {
    let attribute = "cudaFuncAttributeMaxDynamicSharedMemorySize";
    let (name, bytes) = (&kernel.name, kernel.dynamic_bytes);
    (bytes > 0)
        .then(|| Stmt::line(format!("cuda_check(cudaFuncSetAttribute({name}, {attribute}, {bytes}));")))
}

/// Everything before the work: sizes, the checks that need them, memory.
fn prepare(frame: &Frame<'_>, checks: &Checks) -> Vec<Stmt> {
    let mut block = slices::sizes(frame);
    block.extend(checks.memory.iter().cloned());
    block.push(Stmt::Blank);
    block.extend(slices::allocate(frame));
    block.extend(frame.view.data.values().flat_map(|datum| own_memory(frame, datum)));
    block.push(Stmt::Blank);
    block
}

/// The memory of what is declared inside the region.
fn own_memory(frame: &Frame<'_>, datum: &Datum<'_>) -> Vec<Stmt> {
    let (name, ctype) = (&datum.array.name, Dialect::Cxx.type_name(datum.array.element));
    match (datum.host, &datum.slice) {
        (HostForm::Local, _) => vec![Stmt::declare(name, format!("{ctype} {name};"))],
        (HostForm::Heap, Some(slice)) => {
            let size = slices::bytes_from_zero(frame, datum, slice);
            vec![Stmt::declare(name, format!("{ctype} *{name} = ({ctype} *)cuda_host_memory({size});"))]
        }
        _ => Vec::new(),
    }
}

fn finish(frame: &Frame<'_>, may_decline: bool) -> Vec<Stmt> {
    let mut block = vec![Stmt::Blank];
    block.extend(slices::free(frame));
    let heap = frame.view.data.values().filter(|datum| datum.host == HostForm::Heap);
    let free = if frame.view.names.contains("free") { "::free" } else { "free" };
    block.extend(heap.map(|datum| Stmt::line(format!("{free}({});", datum.array.name))));
    if may_decline {
        block.push(Stmt::line("return 1;"));
    }
    block
}

fn definition(view: &View<'_>, result: &str, arguments: &[HostArgument], block: &[Stmt]) -> String {
    let type_name = |ctype| Dialect::Cxx.type_name(ctype).to_owned();
    let arguments: Vec<String> = arguments.iter().map(|argument| argument.declaration(type_name)).collect();
    let mut text = String::new();
    let head = format!("extern \"C\" {result} {}({})", view.model.name, arguments.join(", "));
    layout::wrap(&head, 0, &mut text);
    text.push_str("{\n");
    text.push_str(&layout::render(block, 1));
    text.push_str("}\n");
    text
}
