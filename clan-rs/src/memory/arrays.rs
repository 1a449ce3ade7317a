//! The arrays and scalars of a region.
//!
//! *before → after*: every variable that statements keep in memory becomes an [`Array`]. Its dimensions have their
//! lengths, as expressions in the parameters; before them is one dimension for every loop around a declaration inside
//! the region, because each iteration has an object of its own.

use std::collections::BTreeMap;

use polyhedra::{DimType, LocalSpace, PwAff, Set, Text};
use scop::{Array, ArrayId, CType, Extent, IslPwAff, Parameter, SourceRange, Storage};

use crate::affine::point::Point;
use crate::affine::translator::Affine;
use crate::c::ctree::{Expr, Length, Lifetime, Type, TypeKind, Variable, VariableId};
use crate::c::source::SourceText;
use crate::c::strict_aliasing::may_hold;
use crate::errors::{ARRAY, DECLARATION, Fault, Faults, Result, TYPE};
use crate::memory::known_length::{self, Inner};
use crate::memory::linearised::{View, Views};
use crate::variables::environment::Environment;
use crate::variables::names::Names;

/// The arrays found so far.
pub struct Arrays<'a> {
    source: &'a SourceText,
    /// The arrays, by number.
    pub arrays: Vec<Array>,
    /// The parameters for lengths of arrays.
    pub lengths: Vec<Parameter>,
    /// How many loops are around the declaration of each variable of the region.
    depths: BTreeMap<VariableId, u32>,
    /// The dimensions of arrays that only subscripts show.
    views: Views,
    /// The array of each variable.
    pub known: BTreeMap<VariableId, ArrayId>,
    /// The outermost lengths with which parameters are declared (C does not bind the caller to them, but whoever
    /// writes them means them), and those of memory that is allocated within sight of the region.
    promised: BTreeMap<ArrayId, IslPwAff>,
    /// The arrays that are reached through pointers, each with the pointer to the structure that the array is a
    /// member of, if there is one.
    through_pointers: BTreeMap<ArrayId, Option<VariableId>>,
    /// The outermost indices at which the region certainly accesses an element, although data choose which one.
    pub certain_rows: BTreeMap<ArrayId, Vec<String>>,
}

/// What the type of a variable says about its memory.
struct Shape {
    element: CType,
    constant: bool,
    /// The lengths, outermost first; the outermost length of a pointer is unknown.
    lengths: Vec<Option<Length>>,
    /// True if the memory is reached through a pointer.
    pointer: bool,
    restrict: bool,
}

impl<'a> Arrays<'a> {
    /// Starts without arrays. `depths` contains how many loops are around the declaration of each variable of the
    /// region, `views` the dimensions that only subscripts show.
    pub fn new(source: &'a SourceText, depths: BTreeMap<VariableId, u32>, views: Views) -> Self {
        Self {
            source,
            arrays: Vec::new(),
            lengths: Vec::new(),
            depths,
            known: BTreeMap::new(),
            promised: BTreeMap::new(),
            through_pointers: BTreeMap::new(),
            certain_rows: BTreeMap::new(),
            views,
        }
    }

    /// Returns how the subscripts of a variable are to be read, if not by C's dimensions.
    pub fn view(&self, id: VariableId) -> Option<&View> {
        self.views.get(&id)?.as_ref().ok()
    }

    /// Returns the array of a variable; the first call creates it.
    pub fn of(&mut self, affine: &mut Affine, taken: &mut Names, id: VariableId) -> Result<ArrayId> {
        if let Some(&array) = self.known.get(&id) {
            return Ok(array);
        }
        let environment = affine.environment;
        let variable = environment.tree.variable(id);
        let shape = shape(environment, id)?;
        let inside = environment.declared.contains(&id);
        if inside && variable.lifetime == Lifetime::Static {
            return Err(static_inside(variable, environment));
        }
        let member = variable.member.as_ref();
        let owner = environment.tree.root(id);
        let depth = if inside { self.depths.get(&owner).copied().unwrap_or(0) } else { 0 };
        let mut extents: Vec<Extent> = (0..depth).map(|_| Extent { c: None, value: None }).collect();
        extents.extend(match self.views.get(&id) {
            Some(Ok(view)) => viewed_extents(view),
            Some(Err(fault)) => return Err(fault.clone()),
            None => self.extents(affine, taken, id, &shape)?,
        });
        let array = ArrayId(self.arrays.len() as u32);
        if shape.pointer && !inside && !certainly_exists(environment, variable) {
            self.through_pointers.insert(array, structure_of_pointer(variable));
        }
        if !inside && extents.first().is_some_and(|extent| extent.value.is_none()) {
            let (dimensions, size) = match member {
                Some(member) if member.structures > 0 => (member.structures as usize, member.stride),
                _ => (extents.len(), shape.element.size()),
            };
            let lengths = extents[1..dimensions].iter().filter_map(|extent| extent.value.clone()).collect();
            let inner = Inner { lengths, hidden: self.views.contains_key(&id), size };
            if let Some(rows) = known_length::rows(affine, id, &inner)? {
                self.promised.insert(array, rows);
            }
        }
        self.known.insert(id, array);
        self.arrays.push(Array {
            id: array,
            name: taken.unused(&variable.plain_name()),
            expression: if inside { String::new() } else { environment.expression(id) },
            element: shape.element,
            storage: storage(environment, id, &shape, self.views.get(&id)),
            extents,
            scope_depth: depth,
            constant: shape.constant,
            enumeration: variable.enumeration && !inside,
            may_alias: shape.pointer && !shape.restrict,
            restrict: shape.pointer && shape.restrict,
            visible: !inside,
            dead_after: false,
            concurrent: false,
            expansion_of: None,
            memory: Vec::new(),
            apart: false,
            declared_at: variable.declared_at,
        });
        Ok(array)
    }

    /// True if an array is reached through a pointer.
    pub fn is_reached_through_pointer(&self, id: ArrayId) -> bool {
        self.through_pointers.contains_key(&id)
    }

    /// Returns the pointer to the one structure that an array is a member of, if there is one.
    pub fn structure_of_pointer(&self, id: ArrayId) -> Option<VariableId> {
        *self.through_pointers.get(&id)?
    }

    /// Marks the scalars that generated code must access in memory. Scalars that are only read are passed to it by
    /// value, except those that `written` arrays may overlap. Nothing that is written overlaps an object that is
    /// declared `const`; such an object may have no address (`static constexpr` members of C++14 have none).
    pub fn expose_scalars(&mut self, environment: &Environment, written: &[ArrayId]) -> Result<()> {
        let mut suspects: Vec<CType> = Vec::new();
        for id in written {
            let array = scop::part(&self.arrays, id.index(), id)?;
            suspects.extend(array.may_alias.then_some(array.element));
        }
        for (&variable, id) in &self.known {
            let array = &mut self.arrays[id.index()];
            let overlaps = suspects.iter().any(|&element| may_hold(element, Some(array.element)));
            let changes = !environment.tree.variable(variable).is_constant_object();
            array.may_alias |= changes
                && array.visible
                && array.is_scalar()
                && overlaps
                && environment.is_reachable(variable);
        }
        Ok(())
    }

    /// Refuses regions that give variables without an address a value that code after the region may read: generated
    /// code sets variables through their addresses.
    pub fn refuse_registers(
        &self,
        environment: &Environment,
        written: &[ArrayId],
        faults: &mut Faults,
    ) -> Result<()> {
        let tree = environment.tree;
        for (&id, array) in self.known.iter().filter(|(_, array)| written.contains(array)) {
            let array = scop::part(&self.arrays, array.index(), array)?;
            let variable = tree.variable(tree.root(id));
            if variable.register && array.visible && !array.dead_after {
                let message = format!("the region assigns to the `register` variable `{}`", variable.name);
                let label = "it has no address by which generated code could set it";
                let fault = Fault::new(DECLARATION, message, declared_at(variable, environment), label);
                faults.push(fault.with_help("declare it without `register`"));
            }
        }
        Ok(())
    }

    /// Returns how many leading dimensions of an array belong to loops.
    pub fn scope_depth(&self, id: ArrayId) -> u32 {
        self.arrays[id.index()].scope_depth
    }

    /// Returns the number of subscripts of an element of an array.
    pub fn subscripts(&self, id: ArrayId) -> usize {
        let array = &self.arrays[id.index()];
        array.extents.len() - array.scope_depth as usize
    }

    /// Returns the indices that are within all known lengths of an array.
    pub fn within(&self, id: ArrayId) -> Result<Set> {
        let array = &self.arrays[id.index()];
        let mut bounds = Set::parse("{ [] }")?.add_dims(DimType::Set, array.extents.len() as u32)?;
        for (position, extent) in array.extents.iter().enumerate() {
            let Some(value) = &extent.value else { continue };
            let space = bounds.get_space()?;
            let index =
                PwAff::var_on_domain(LocalSpace::from_space(space.copy()?)?, DimType::Set, position as u32)?;
            let length = PwAff::parse(&value.0)?.insert_domain(space)?;
            bounds = bounds.intersect(index.copy()?.nonneg_set()?)?.intersect(index.lt_set(length)?)?;
        }
        Ok(bounds)
    }

    fn extents(
        &mut self,
        affine: &mut Affine,
        taken: &mut Names,
        id: VariableId,
        shape: &Shape,
    ) -> Result<Vec<Extent>> {
        let lengths = shape.lengths.iter().enumerate();
        lengths.map(|(level, length)| self.extent(affine, taken, id, level, *length)).collect()
    }

    fn extent(
        &mut self,
        affine: &mut Affine,
        taken: &mut Names,
        id: VariableId,
        level: usize,
        length: Option<Length>,
    ) -> Result<Extent> {
        let variable = affine.environment.tree.variable(id);
        let written = self.written(variable, level);
        match length {
            None | Some(Length::Incomplete) => Ok(Extent { c: None, value: None }),
            Some(Length::Constant(number)) => Ok(Extent {
                c: Some(written.unwrap_or_else(|| number.to_string())),
                value: Some(IslPwAff(format!("{{ [({number})] }}"))),
            }),
            Some(Length::Variable) => {
                let value = match self.affine_length(affine, id, level)? {
                    Some(value) => value,
                    None => self.length_parameter(affine, taken, id, level)?,
                };
                // A length that belongs to a named type is not in the declaration, but `sizeof` computes it.
                let c = written.unwrap_or_else(|| length_in_c(affine.environment, id, level));
                Ok(Extent { c: Some(c), value: Some(IslPwAff(value)) })
            }
        }
    }

    /// Returns the indices that are within all known lengths of an array, including a promised outermost length;
    /// nothing if the outermost length is not known.
    pub fn all_within(&self, id: ArrayId) -> Result<Option<Set>> {
        let within = self.within(id)?;
        let loops = self.scope_depth(id);
        let outermost = self.arrays[id.index()].extents.get(loops as usize);
        if outermost.is_none_or(|extent| extent.value.is_some()) {
            return Ok(Some(within));
        }
        let Some(length) = self.promised.get(&id) else { return Ok(None) };
        let space = within.get_space()?;
        let index = PwAff::var_on_domain(LocalSpace::from_space(space.copy()?)?, DimType::Set, loops)?;
        let length = PwAff::parse(&length.0)?.insert_domain(space)?;
        Ok(Some(within.intersect(index.copy()?.nonneg_set()?)?.intersect(index.lt_set(length)?)?))
    }

    /// Returns a length as the declaration writes it.
    fn written(&self, variable: &Variable, level: usize) -> Option<String> {
        let length = written_length(variable, level)?;
        variable.declared_at?;
        Some(self.source.slice(length.range)).filter(|text| !text.is_empty())
    }

    /// Returns a length whose variables have not changed since the declaration, if it is affine.
    fn affine_length(&self, affine: &mut Affine, id: VariableId, level: usize) -> Result<Option<String>> {
        let environment = affine.environment;
        let Some(length) = written_length(environment.tree.variable(id), level) else { return Ok(None) };
        if !environment.declared.contains(&id) && !environment.is_of_constants(length) {
            return Ok(None);
        }
        match affine.value(length, &Point::outside()?, "array length") {
            Ok(value) => Ok(Some(value.project_domain_on_params()?.text()?)),
            Err(_) => Ok(None),
        }
    }

    /// Adds a parameter for a length, which `sizeof` computes, and returns it.
    fn length_parameter(
        &mut self,
        affine: &mut Affine,
        taken: &mut Names,
        id: VariableId,
        level: usize,
    ) -> Result<String> {
        let environment = affine.environment;
        let variable = environment.tree.variable(id);
        if environment.declared.contains(&id) {
            let range = declared_at(variable, environment);
            let message = format!("the length of `{}` is not affine", variable.name);
            return Err(Fault::new(ARRAY, message, range, "this array is declared in the region")
                .with_help("declare it before the region, or compute its length from unchanging integers"));
        }
        let name = taken.unused(&format!("{}_length_{level}", variable.plain_name()));
        affine.add_parameter(&name, CType::ULong)?;
        self.lengths.push(Parameter {
            name: name.clone(),
            expression: length_in_c(environment, id, level),
            ctype: CType::ULong,
        });
        Ok(format!("[{name}] -> {{ [({name})] }}"))
    }
}

/// Returns C text that computes the length of a dimension by `sizeof`.
fn length_in_c(environment: &Environment, id: VariableId, level: usize) -> String {
    let row = format!("{}{}", environment.expression(id), "[0]".repeat(level));
    format!("sizeof {row} / sizeof {row}[0]")
}

/// Returns the pointer to the one structure that contains a variable. What a pointer in a structure points to is
/// elsewhere.
fn structure_of_pointer(variable: &Variable) -> Option<VariableId> {
    let is_part = !matches!(variable.ctype.kind, TypeKind::Pointer { .. });
    variable.member.as_ref().filter(|_| is_part)?.through
}

/// True for what exists according to C++: objects that references are bound to, their members, and those of `*this`.
fn certainly_exists(environment: &Environment, variable: &Variable) -> bool {
    let is_object = !matches!(variable.ctype.kind, TypeKind::Pointer { .. });
    let is_bound = |id: VariableId| {
        let owner = environment.tree.variable(id);
        owner.reference || owner.name == "this"
    };
    environment.tree.is_cxx
        && is_object
        && match &variable.member {
            Some(member) => is_bound(member.through.unwrap_or(member.of)),
            None => variable.reference,
        }
}

/// Returns how an array is stored. A member of structures that the region declares needs no structures around it.
fn storage(environment: &Environment, id: VariableId, shape: &Shape, view: Option<&Result<View>>) -> Storage {
    let member = environment.tree.variable(id).member.as_ref();
    match member.filter(|_| !environment.declared.contains(&id)) {
        _ if shape.lengths.is_empty() => Storage::Scalar,
        Some(member) if member.structures > 0 => {
            let hidden =
                view.and_then(|view| view.as_ref().ok()).map_or(0, |view| view.inner_lengths().count());
            let first = format!("{}{}", member.base, "[0]".repeat(member.structures as usize));
            Storage::Member {
                structures: member.structures + hidden as u32,
                stride: member.stride,
                member: member.suffix.strip_prefix(&first).unwrap_or_default().to_owned(),
                base: format!("{}{}", environment.expression(member.of), member.base),
            }
        }
        _ => Storage::Contiguous,
    }
}

/// Returns the dimensions that the subscripts show; the declaration writes none of them.
fn viewed_extents(view: &View) -> Vec<Extent> {
    let inner = view.inner_lengths().map(|length| Extent { c: None, value: Some(IslPwAff(length.clone())) });
    std::iter::once(Extent { c: None, value: None }).chain(inner).collect()
}

fn written_length(variable: &Variable, level: usize) -> Option<&Expr> {
    // The outermost dimension of a pointer is not an array level of its type.
    let skipped = usize::from(matches!(variable.ctype.kind, TypeKind::Pointer { .. }));
    variable.lengths.get(level.checked_sub(skipped)?)?.as_ref()
}

fn declared_at(variable: &Variable, environment: &Environment) -> SourceRange {
    variable.declared_at.unwrap_or(environment.region.opening)
}

fn static_inside(variable: &Variable, environment: &Environment) -> Fault {
    if variable.reference {
        let message = format!("the reference `{}` is bound in a region", variable.name);
        return Fault::new(
            DECLARATION,
            message,
            declared_at(variable, environment),
            "it refers to something else each time",
        )
        .with_help("write what it refers to in its place, or bind it before the region");
    }
    let message = format!("`{}` is declared `static` or `extern` in a region", variable.name);
    Fault::new(DECLARATION, message, declared_at(variable, environment), "it outlives the region")
        .with_help("move the declaration before the region")
}

fn shape(environment: &Environment, id: VariableId) -> Result<Shape> {
    let variable = environment.tree.variable(id);
    let mut shape =
        Shape { element: CType::Int, constant: false, lengths: Vec::new(), pointer: false, restrict: false };
    let mut ctype = &variable.ctype;
    match &ctype.kind {
        TypeKind::Pointer { target, restrict } => {
            shape.pointer = true;
            shape.restrict = *restrict;
            shape.lengths.push(None);
            ctype = target;
        }
        TypeKind::Array { element, restrict, .. } if variable.lifetime == Lifetime::Parameter => {
            shape.pointer = true;
            shape.restrict = *restrict;
            shape.lengths.push(None);
            ctype = element;
        }
        _ => {}
    }
    shape.pointer |= variable.reference;
    if let Some(member) = variable.member.as_ref().filter(|member| member.pointer && !shape.pointer) {
        shape.pointer = true;
        shape.restrict = member.restrict;
    }
    if variable.ctype.volatile {
        return Err(unsupported(environment, id, ctype));
    }
    while let TypeKind::Array { element, length, .. } = &ctype.kind {
        shape.lengths.push(Some(*length));
        ctype = element;
    }
    match ctype.arithmetic() {
        Some(element) if !ctype.volatile => {
            shape.element = element;
            shape.constant = ctype.constant;
            Ok(shape)
        }
        _ => Err(unsupported(environment, id, ctype)),
    }
}

fn unsupported(environment: &Environment, id: VariableId, ctype: &Type) -> Fault {
    let variable = environment.tree.variable(id);
    let range = declared_at(variable, environment);
    let name = &variable.name;
    if ctype.volatile || variable.ctype.volatile {
        return Fault::new(TYPE, format!("`{name}` is volatile"), range, "it may change at any time")
            .with_help("copy it to an ordinary variable before the region");
    }
    match &ctype.kind {
        TypeKind::Pointer { .. } => Fault::new(
            ARRAY,
            format!("`{name}` is an array of pointers"),
            range,
            "its rows may be anywhere in memory",
        )
        .with_help(format!(
            "use one contiguous array: `double (*{name})[m]`, or a parameter `double {name}[n][m]`"
        )),
        TypeKind::Other(spelling) => Fault::new(
            TYPE,
            format!("`{name}` has elements of type `{spelling}`"),
            range,
            "this type is not supported",
        )
        .with_help(if spelling.contains("std::") || spelling.contains('<') {
            "take a pointer to its elements before the region, as in `double *p = v.data();`"
        } else {
            "use C's integer and floating types"
        }),
        TypeKind::Arithmetic(_) | TypeKind::Array { .. } => {
            Fault::bug(format!("the type of `{name}` is not understood"))
        }
    }
}
