//! The arrays and scalars of a region.
//!
//! *before → after*: every variable that statements keep in memory becomes an [`Array`]: with the lengths of its dimensions as
//! expressions in the parameters, and one leading dimension for every loop around a declaration inside the region,
//! as each iteration has an object of its own.

use std::collections::BTreeMap;

use polyhedra::{DimType, LocalSpace, PwAff, Set, Text};
use scop::{Array, ArrayId, CType, Extent, IslPwAff, Parameter, SourceRange, Storage};

use crate::affine::Affine;
use crate::ctree::{Expr, Length, Lifetime, Type, TypeKind, Variable, VariableId};
use crate::environment::{Environment, Names};
use crate::errors::{ARRAY, DECLARATION, Fault, Result, TYPE};
use crate::point::Point;
use crate::source::SourceText;

/// The arrays found so far.
pub struct Arrays<'a> {
    source: &'a SourceText,
    /// The arrays, by number.
    pub arrays: Vec<Array>,
    /// Parameters that stand for the lengths of arrays.
    pub lengths: Vec<Parameter>,
    /// How deep in loops each variable of the region is declared.
    depths: BTreeMap<VariableId, u32>,
    known: BTreeMap<VariableId, ArrayId>,
}

/// What the type of a variable says about the memory behind it.
struct Shape {
    element: CType,
    constant: bool,
    /// The lengths, outermost first; the outermost of a pointer is unknown.
    lengths: Vec<Option<Length>>,
    /// True if the memory is reached through a pointer.
    pointer: bool,
    restrict: bool,
}

impl<'a> Arrays<'a> {
    /// No arrays yet. `depths` says how deep in loops each variable of the region is declared.
    pub fn new(source: &'a SourceText, depths: BTreeMap<VariableId, u32>) -> Self {
        Self { source, arrays: Vec::new(), lengths: Vec::new(), depths, known: BTreeMap::new() }
    }

    /// The array of a variable.
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
        let depth = if inside { self.depths.get(&id).copied().unwrap_or(0) } else { 0 };
        let mut extents: Vec<Extent> = (0..depth).map(|_| Extent { c: None, value: None }).collect();
        extents.extend(self.extents(affine, taken, id, &shape)?);
        let array = ArrayId(self.arrays.len() as u32);
        self.known.insert(id, array);
        self.arrays.push(Array {
            id: array,
            name: taken.unused(&variable.name),
            expression: if inside { String::new() } else { variable.name.clone() },
            element: shape.element,
            storage: if shape.lengths.is_empty() { Storage::Scalar } else { Storage::Contiguous },
            extents,
            scope_depth: depth,
            constant: shape.constant,
            may_alias: shape.pointer && !shape.restrict,
            visible: !inside,
            dead_after: false,
            declared_at: variable.declared_at,
        });
        Ok(array)
    }

    /// How many leading dimensions of an array stand for loops.
    pub fn scope_depth(&self, id: ArrayId) -> u32 {
        self.arrays[id.index()].scope_depth
    }

    /// The number of subscripts that an element of an array takes.
    pub fn subscripts(&self, id: ArrayId) -> usize {
        let array = &self.arrays[id.index()];
        array.extents.len() - array.scope_depth as usize
    }

    /// The indices that are within all known lengths of an array.
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
                Ok(Extent { c: written, value: Some(IslPwAff(value)) })
            }
        }
    }

    /// How the declaration writes a length.
    fn written(&self, variable: &Variable, level: usize) -> Option<String> {
        let length = written_length(variable, level)?;
        variable.declared_at?;
        Some(self.source.slice(length.range)).filter(|text| !text.is_empty())
    }

    /// A length whose variables have not changed since the declaration, if it is affine.
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

    /// A parameter that stands for a length, which `sizeof` finds out.
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
                .with_help("declare it before the region, or give it a length in unchanging integers"));
        }
        let name = taken.unused(&format!("{}_length_{level}", variable.name));
        let row = format!("{}{}", variable.name, "[0]".repeat(level));
        affine.add_parameter(&name, CType::ULong)?;
        self.lengths.push(Parameter {
            name: name.clone(),
            expression: format!("sizeof {row} / sizeof {row}[0]"),
            ctype: CType::ULong,
        });
        Ok(format!("[{name}] -> {{ [({name})] }}"))
    }
}

fn written_length(variable: &Variable, level: usize) -> Option<&Expr> {
    // The outermost dimension of a pointer is no level of arrays.
    let skipped = usize::from(matches!(variable.ctype.kind, TypeKind::Pointer { .. }));
    variable.lengths.get(level.checked_sub(skipped)?)?.as_ref()
}

fn declared_at(variable: &Variable, environment: &Environment) -> SourceRange {
    variable.declared_at.unwrap_or(environment.region.opening)
}

fn static_inside(variable: &Variable, environment: &Environment) -> Fault {
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
        .with_help("use C's integer and floating types"),
        TypeKind::Arithmetic(_) | TypeKind::Array { .. } => {
            Fault::bug(format!("the type of `{name}` is not understood"))
        }
    }
}
