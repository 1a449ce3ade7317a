//! How generated code holds the arrays and scalars of a scop.
//!
//! | in the C source | on the host | in a kernel |
//! |---|---|---|
//! | array | pointer to its first element | pointer into the device's slice |
//! | scalar that is only read | value | value |
//! | scalar that the region writes | pointer | pointer if kernels write it, else value |
//! | complex scalar | pointer | as above |
//! | scalar local to the region | local variable | as above |
//! | array local to the region | memory of its own, if the host uses it | pointer into device memory |

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{PwAff, Text};
use scop::ast::expression::value;
use scop::ast::tree::walk;
use scop::ast::{ArraySlice, AstExpr, Node, Packing};
use scop::{
    AccessKind, Array, ArrayId, Boxes, ClassId, DeviceArray, DeviceMemory, Model, Placement, Scanned, Scop,
    Storage, c_syntax,
};

use crate::model::footprint;

/// How the host function holds an array or scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostForm {
    /// An argument by value.
    Value,
    /// A pointer to the first element, from the caller.
    Pointer,
    /// A local variable.
    Local,
    /// Memory that the function allocates.
    Heap,
    /// Not held on the host.
    Absent,
}

/// An array or scalar.
#[derive(Debug, Clone)]
pub struct Datum<'a> {
    /// The array.
    pub array: &'a Array,
    /// True if a statement writes it.
    pub written: bool,
    /// How the host function holds it.
    pub host: HostForm,
    /// The part that the device holds or, if only the host uses the array, the part that the host uses. None for
    /// scalars that kernels do not write.
    pub slice: Option<ArraySlice>,
    /// True if the device holds the slice in global memory.
    pub on_device: bool,
    /// The class of memory of the slice, if it stays on the device between regions.
    pub resident: Option<ClassId>,
    /// The memory from which kernels read the slice.
    pub memory: DeviceMemory,
    /// The numbers that are subtracted from the subscripts of the source; empty if nothing is subtracted.
    pub origin: Vec<AstExpr>,
    /// True if the indices of the loop program already count from the origin. It is then subtracted only from
    /// subscripts that the program computes.
    pub counted_from_origin: bool,
    /// For an array whose rows are known only from its subscripts, so that its memory may end within a row: the index
    /// of the last element that any instance may touch. The outermost index counts from the start of the slice.
    pub last: Option<Vec<AstExpr>>,
    /// For a caller's array that the host function uses and that may overlap others: the part that may be touched.
    pub touched: Option<ArraySlice>,
    /// True if the offsets of all elements fit in `int`.
    pub small: bool,
    /// True if it is reached through a pointer that may be null because the region does not certainly follow it.
    pub may_be_null: bool,
    /// The pointers that lead to it and that may be null if the region does not touch it, outermost first.
    pub pointers: Vec<String>,
    /// The conditions under which C may follow these pointers, in expressions of the caller.
    pub followed_if: Vec<String>,
    /// The same conditions in the parameters of the host function.
    pub needed_if: Vec<String>,
    /// If it is reached through a pointer and written: the condition on the parameters under which the region does not
    /// certainly write to it, so that its memory may be constant.
    pub may_be_constant: Option<AstExpr>,
}

impl Datum<'_> {
    /// Returns the extents of all dimensions except the outermost.
    pub fn inner_extents(&self) -> &[AstExpr] {
        self.slice.as_ref().map_or(&[], |slice| &slice.inner_extents)
    }

    /// Returns how its elements are numbered on the device, if they are.
    pub fn packing(&self) -> Option<&Packing> {
        self.slice.as_ref()?.packing.as_ref().filter(|_| self.on_device)
    }

    /// Returns the boxes that are transferred instead of the whole slice, if there are any.
    pub fn boxes(&self) -> Option<&Boxes<AstExpr>> {
        self.slice.as_ref()?.boxes.as_ref().filter(|_| self.on_device)
    }

    /// Returns the index expressions that say where the array begins, how far it reaches and when it may be constant,
    /// except inner extents that are plain names.
    pub fn bounds(&self) -> Vec<&AstExpr> {
        let slices = self.slice.iter().chain(&self.touched);
        let outer = slices.flat_map(|slice| [&slice.lower, &slice.extent]).chain(&self.origin);
        let boxes = numbers_of_boxes(self.slice.as_ref());
        let outer = outer.chain(self.last.iter().flatten()).chain(boxes);
        outer
            .chain(&self.may_be_constant)
            .chain(self.inner_extents().iter().filter(|extent| !matches!(extent, AstExpr::Name(_))))
            .collect()
    }
}

/// Returns the index expressions in the boxes of an array that are transferred.
fn numbers_of_boxes(slice: Option<&ArraySlice>) -> impl Iterator<Item = &AstExpr> {
    let boxes = slice.and_then(|slice| slice.boxes.as_ref());
    let boxes = boxes.into_iter().flat_map(|boxes| boxes.to_device.iter().chain(&boxes.from_device));
    boxes.flat_map(|one| one.lower.iter().chain(&one.extent))
}

/// All data that a scop uses, by id.
pub type Data<'a> = BTreeMap<ArrayId, Datum<'a>>;

/// Collects the data of a scop with this loop program.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails, and an error if the document does not give the layout of an array.
pub fn collect<'a>(scop: &'a Scop<Scanned>, body: &Node) -> polyhedra::Result<Data<'a>> {
    let on_host = host_uses(&scop.model, body)?;
    let on_device = device_uses(&scop.model, &scop.stage.placed.placement, body)?;
    let accesses = scop.model.statements.iter().flat_map(|statement| &statement.accesses);
    let used: BTreeSet<ArrayId> = accesses.map(|access| access.array).collect();
    let arrays = scop.model.arrays.iter().filter(|array| used.contains(&array.id));
    arrays
        .map(|array| {
            let on_device = on_device.contains(&array.id);
            Ok((array.id, datum(array, scop, &on_host, on_device)?))
        })
        .collect()
}

fn datum<'a>(
    array: &'a Array,
    scop: &'a Scop<Scanned>,
    on_host: &HostUses,
    on_device: bool,
) -> polyhedra::Result<Datum<'a>> {
    let model = &scop.model;
    let written = is_written(model, array.id);
    let held = scop.stage.ast.arrays.iter().find(|slice| slice.array == array.id);
    let host = host_form(array, written, held.is_none(), on_host);
    let placed = scop.stage.placed.placement.device.iter().find(|device| device.array == array.id);
    let memory = placed.filter(|_| on_device).map(|device| device.memory).unwrap_or_default();
    let host_uses_it = on_host.instances.contains(&array.id);
    let resident = placed.and_then(|device| device.resident).filter(|_| !host_uses_it);
    let on_device = on_device && held.is_some() && memory.is_global();
    let Layout { slice, origin, touched, small } = layout(array, model, (held, placed), host_uses_it)?;
    let WayThere { pointers, followed_if, needed_if } = way_there(array, model)?;
    let is_pointer = host == HostForm::Pointer && (array.may_alias || array.restrict);
    Ok(Datum {
        array,
        written,
        host,
        slice,
        on_device,
        resident: resident.filter(|_| on_device && host == HostForm::Pointer),
        memory,
        origin,
        counted_from_origin: placed.is_some(),
        last: last_element(array, model, placed.filter(|_| on_device))?,
        touched,
        small,
        may_be_null: is_pointer && footprint::parameters_without(model, array.id, |_| true)?.is_some(),
        pointers,
        followed_if,
        needed_if,
        may_be_constant: if is_pointer && written { unwritten_where(array, model)? } else { None },
    })
}

/// The pointers that lead to an array and may be null, and when they are followed: see [`Datum`].
#[derive(Default)]
struct WayThere {
    pointers: Vec<String>,
    followed_if: Vec<String>,
    needed_if: Vec<String>,
}

fn way_there(array: &Array, model: &Model) -> polyhedra::Result<WayThere> {
    let followed = model.parameters.iter().flat_map(|parameter| c_syntax::pointers(&parameter.expression));
    let followed: BTreeSet<String> = followed.collect();
    let mut pointers = pointers(array);
    pointers.retain(|pointer| !followed.contains(pointer));
    if pointers.is_empty() {
        return Ok(WayThere::default());
    }
    let used = footprint::parameters_with(model, array.id)?;
    let Some(used) = used else { return Ok(WayThere::default()) };
    if footprint::always_touched(model, array.id)? {
        return Ok(WayThere::default());
    }
    // If the address is only computed from such a pointer, nothing is read through it.
    if !c_syntax::pointers(&array.expression).iter().any(|way| pointers.contains(way)) {
        return Ok(WayThere { pointers, ..WayThere::default() });
    }
    let mut asked = scop::guard::askable(&model.parameters, &pointers);
    let followed_if = scop::guard::conditions(used.copy()?, &asked)?;
    asked.iter_mut().for_each(|known| known.expression.clone_from(&known.name));
    let needed_if = scop::guard::conditions(used, &asked)?;
    Ok(WayThere { pointers, followed_if, needed_if })
}

/// Returns the condition on the parameters under which the region does not certainly write to an array; `None` if it
/// always writes.
fn unwritten_where(array: &Array, model: &Model) -> polyhedra::Result<Option<AstExpr>> {
    footprint::parameters_without(model, array.id, |access| access.kind == AccessKind::Write)
}

/// Returns the pointers that C would follow to find the address or the value of a caller's array.
fn pointers(array: &Array) -> Vec<String> {
    let mut pointers = c_syntax::pointers(&array.expression);
    let is_pointer = array.may_alias || array.restrict;
    let has_no_length = array.extents.first().is_some_and(|extent| extent.value.is_none());
    match &array.storage {
        // A member of the first structure need not be at the address of the structure.
        Storage::Member { base, .. } if is_pointer && has_no_length => pointers.push(base.clone()),
        _ => {}
    }
    pointers
}

/// Where an array begins and how far it reaches: see [`Datum`].
struct Layout {
    slice: Option<ArraySlice>,
    origin: Vec<AstExpr>,
    touched: Option<ArraySlice>,
    small: bool,
}

/// Returns the layout of an array; `held` is its slice in the loop program, `placed` its placement on the device.
fn layout(
    array: &Array,
    model: &Model,
    (held, placed): (Option<&ArraySlice>, Option<&DeviceArray>),
    host_uses_it: bool,
) -> polyhedra::Result<Layout> {
    let origin = placed.map_or(Ok(Vec::new()), |device| footprint::origin(model, device))?;
    if array.is_scalar() {
        return Ok(Layout { slice: held.cloned(), origin, touched: None, small: false });
    }
    let (slice, origin) = match held {
        Some(held) => (Some(held.clone()), origin),
        None if array.visible => {
            let inner_extents = declared_inner_extents(model, array)?;
            (footprint::touched(model, array, &inner_extents)?, origin)
        }
        None => {
            let reach = footprint::reach(model, array)?;
            (Some(whole_reach(array, reach.extent)), reach.lower)
        }
    };
    let inner_extents = slice.as_ref().map_or(&[][..], |slice| &slice.inner_extents);
    let may_overlap = host_uses_it && array.visible && model.arrays.iter().any(|array| array.may_alias);
    let touched = if may_overlap { footprint::touched(model, array, inner_extents)? } else { None };
    let declared = footprint::declared_extents(model, array, 0)?.into_iter().next().flatten();
    let small = is_small(slice.as_ref(), declared.filter(|_| array.visible).as_ref());
    Ok(Layout { slice, origin, touched, small })
}

/// Returns the slice that is all of an array local to the region, which has these extents.
fn whole_reach(array: &Array, extents: Vec<AstExpr>) -> ArraySlice {
    let mut extents = extents.into_iter();
    ArraySlice {
        array: array.id,
        lower: AstExpr::Int(0),
        extent: extents.next().unwrap_or(AstExpr::Int(1)),
        inner_extents: extents.collect(),
        boxes: None,
        packing: None,
    }
}

/// Returns [`Datum::last`]; `placed` is the array on the device, if the device holds it.
fn last_element(
    array: &Array,
    model: &Model,
    placed: Option<&DeviceArray>,
) -> polyhedra::Result<Option<Vec<AstExpr>>> {
    if array.is_scalar() || !array.visible || array.declares_rows() {
        return Ok(None);
    }
    placed.map(|device| footprint::last(model, array, &PwAff::parse(&device.lower.0)?)).transpose()
}

fn declared_inner_extents(model: &Model, array: &Array) -> polyhedra::Result<Vec<AstExpr>> {
    let extents: Option<Vec<AstExpr>> = footprint::declared_extents(model, array, 1)?.into_iter().collect();
    extents.ok_or_else(|| polyhedra::Error::new(format!("{} has an inner extent without a value", array.id)))
}

/// True if a statement of the scop writes the array.
fn is_written(model: &Model, array: ArrayId) -> bool {
    let mut accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    accesses.any(|access| access.array == array && access.kind == AccessKind::Write)
}

fn host_form(array: &Array, written: bool, by_value: bool, on_host: &HostUses) -> HostForm {
    let needed = on_host.instances.contains(&array.id) || on_host.transfers.contains(&array.id);
    match (array.visible, array.is_scalar()) {
        // C and C++ may pass complex numbers in different ways.
        (true, true) if array.element.is_complex() => HostForm::Pointer,
        (true, true) if !written && !array.may_alias => HostForm::Value,
        (true, _) => HostForm::Pointer,
        (false, true) if needed || by_value => HostForm::Local,
        (false, false) if needed => HostForm::Heap,
        (false, _) => HostForm::Absent,
    }
}

/// The arrays that the host function uses itself: in statement instances, and in transfers.
struct HostUses {
    instances: BTreeSet<ArrayId>,
    transfers: BTreeSet<ArrayId>,
}

/// Returns the arrays that instances on the host use.
///
/// # Errors
/// Returns an error if the loop program has an instance of a statement that the model does not contain.
pub fn used_on_host(model: &Model, body: &Node) -> polyhedra::Result<BTreeSet<ArrayId>> {
    Ok(host_uses(model, body)?.instances)
}

fn host_uses(model: &Model, body: &Node) -> polyhedra::Result<HostUses> {
    let mut uses = HostUses { instances: BTreeSet::new(), transfers: BTreeSet::new() };
    collect_host_uses(body, model, &mut uses)?;
    Ok(uses)
}

/// Returns the arrays that kernels use outside of buffers, and those that are transferred.
fn device_uses(model: &Model, placement: &Placement, body: &Node) -> polyhedra::Result<BTreeSet<ArrayId>> {
    let mut uses = BTreeSet::new();
    let mut in_kernels = Vec::new();
    walk(body, &mut |node| match node {
        Node::Transfer { array, .. } => {
            uses.insert(*array);
        }
        Node::Kernel { body, .. } => walk(body, &mut |inner| in_kernels.push(inner)),
        _ => {}
    });
    for node in in_kernels {
        uses.extend(arrays_of(node, model, placement)?);
    }
    Ok(uses)
}

/// Returns the arrays that a statement instance or a copy uses.
fn arrays_of(node: &Node, model: &Model, placement: &Placement) -> polyhedra::Result<Vec<ArrayId>> {
    match node {
        Node::Instance { accesses, .. } => {
            let places = accesses.iter().filter(|place| place.buffer.is_none());
            places.map(|place| Ok(model.access(place.access)?.array)).collect()
        }
        Node::Copy { buffer, .. } => Ok(vec![placement.buffer(*buffer)?.array]),
        _ => Ok(Vec::new()),
    }
}

fn collect_host_uses(node: &Node, model: &Model, uses: &mut HostUses) -> polyhedra::Result<()> {
    match node {
        Node::Kernel { .. } => {}
        Node::Instance { statement, .. } => {
            uses.instances.extend(model.statement(*statement)?.accesses.iter().map(|access| access.array));
        }
        Node::Transfer { array, .. } => {
            uses.transfers.insert(*array);
        }
        other => {
            return other.children().into_iter().try_for_each(|child| collect_host_uses(child, model, uses));
        }
    }
    Ok(())
}

/// True if the number of elements is constant and below 2^31.
fn is_small(slice: Option<&ArraySlice>, declared: Option<&AstExpr>) -> bool {
    let held = slice.and_then(|slice| value(&slice.lower)?.checked_add(value(&slice.extent)?));
    let mut product = declared.and_then(value).or(held).map(i128::from);
    for extent in slice.map_or(&[][..], |slice| &slice.inner_extents) {
        product = product.zip(value(extent)).and_then(|(a, b)| a.checked_mul(i128::from(b)));
    }
    product.is_some_and(|elements| elements <= i128::from(i32::MAX))
}
