//! The leaves of the loop program: what is executed at one point of the schedule, with all subscripts as expressions.
//!
//! At each leaf, isl provides the schedule generated so far, a relation from the instances at the leaf to schedule
//! dimensions. Its inverse gives the coordinates of the instance as functions of the loop iterators. Composed with an
//! access relation (and the index function of a buffer), it gives the subscripts. isl simplifies them with the
//! constraints that hold at the leaf.

use std::collections::BTreeMap;

use polyhedra::ast::{Build, Visitor};
use polyhedra::{ASTExpr, DimType, Error, Map, PwAff, PwMultiAff, Result, Set, Text, maps_of};
use scop::ast::{AccessPlace, AstExpr, Node};
use scop::mark::Added;
use scop::{
    Access, AccessId, ArrayId, Buffer, BufferId, DeviceArray, ElementBox, IslMap, IslPwAff, KernelId,
    KernelPlacement, Memory, Model, Statement, StatementId, mark,
};

use crate::launches::Launches;
use scop::from_isl::{operands, target, translate};

/// The visitor that collects the leaves and launches of a scop.
pub struct Leaves<'a> {
    model: &'a Model,
    launches: Launches<'a>,
    buffers: BTreeMap<BufferId, &'a Buffer>,
    /// The buffer of each access that uses one, and its place there, for each kernel.
    place_of: BTreeMap<(KernelId, AccessId), (BufferId, &'a IslMap)>,
    /// The current kernel.
    kernel: Option<KernelId>,
    /// The origin of each array whose elements are not counted from zero.
    origins: BTreeMap<ArrayId, Vec<PwAff>>,
    /// The parts of arrays that are transferred around host code.
    parts: BTreeMap<ArrayId, &'a [ElementBox<IslPwAff>]>,
    /// The leaves and launches found so far. Their positions are the annotations of isl's nodes.
    found: Vec<Node>,
}

impl<'a> Leaves<'a> {
    /// Creates a visitor for a scop, with the buffers of all its kernels.
    pub fn new(
        model: &'a Model,
        launches: Launches<'a>,
        placed: &'a [KernelPlacement],
        origins: BTreeMap<ArrayId, Vec<PwAff>>,
    ) -> Self {
        let (mut buffers, mut place_of) = (BTreeMap::new(), BTreeMap::new());
        for KernelPlacement { kernel, buffers: own, .. } in placed {
            for buffer in own {
                buffers.insert(buffer.id, buffer);
                let places = buffer.accesses.iter().zip(&buffer.places);
                place_of.extend(places.map(|(access, place)| ((*kernel, *access), (buffer.id, place))));
            }
        }
        let (parts, found) = (BTreeMap::new(), Vec::new());
        Self { model, launches, buffers, place_of, kernel: None, origins, parts, found }
    }

    /// Adds the parts in which some arrays are transferred.
    pub fn with_parts(self, arrays: &'a [DeviceArray]) -> Self {
        let parts = arrays.iter().map(|array| (array.array, array.parts.as_slice())).collect();
        Self { parts, ..self }
    }

    /// Creates a visitor for loops without kernels and buffers.
    pub fn without_kernels(model: &'a Model, origins: BTreeMap<ArrayId, Vec<PwAff>>) -> Self {
        Self::new(model, Launches::none(), &[], origins)
    }

    /// Stores an empty node and returns its annotation.
    pub fn nothing(&mut self) -> usize {
        self.remember(Node::Block { children: Vec::new() })
    }

    /// Returns the node with this annotation; a kernel's body is still empty.
    pub fn at(&self, annotation: usize) -> Option<&Node> {
        self.found.get(annotation)
    }

    /// Stores a node and returns its annotation.
    pub fn remember(&mut self, node: Node) -> usize {
        self.found.push(node);
        self.found.len() - 1
    }

    fn statement_instance(&self, statement: &Statement, call: &ASTExpr, build: &Build) -> Result<Node> {
        let schedule = schedule_of(&statement.id.to_string(), build)?;
        let reached = schedule.copy()?.range()?;
        let coordinates = PwMultiAff::from_map(schedule.reverse()?)?;
        let mut accesses = Vec::new();
        for access in &statement.accesses {
            let buffer = self.place_in_buffer(access.id).map(|(buffer, _)| buffer);
            if access.indirect {
                accesses.push(AccessPlace { access: access.id, buffer, index: Vec::new() });
                continue;
            }
            let mut place = self.place(statement, access)?.pullback_pw_multi_aff(coordinates.copy()?)?;
            if self.is_filled_ahead(buffer) {
                // The half of the buffer depends on the tile, which isl does not recognise in a quotient of the point.
                let half = in_outer_loops(place.get_at(0)?, &reached)?;
                place = place.set_pw_aff(0, half)?;
            }
            let index = index(place, build)?;
            accesses.push(AccessPlace { access: access.id, buffer, index });
        }
        Ok(Node::Instance { statement: statement.id, iterators: operands(call, 1)?, accesses })
    }

    /// True if successive tiles may use the two halves of a buffer in turn.
    fn is_filled_ahead(&self, buffer: Option<BufferId>) -> bool {
        let is_shared = |id| self.buffers.get(&id).is_some_and(|buffer| buffer.memory == Memory::Shared);
        buffer.is_some_and(is_shared) && self.kernel.is_some_and(|kernel| self.launches.is_ahead(kernel))
    }

    /// Returns the buffer that an access uses in the current kernel, and the place in it.
    fn place_in_buffer(&self, access: AccessId) -> Option<(BufferId, &'a IslMap)> {
        self.place_of.get(&(self.kernel?, access)).copied()
    }

    /// Returns the map from instances to the index in the access's array or buffer.
    fn place(&self, statement: &Statement, access: &Access) -> Result<PwMultiAff> {
        match self.place_in_buffer(access.id) {
            Some((_, place)) => statement.function(place),
            None => self.counted_from_origin(access.array, statement.function(&access.relation)?),
        }
    }

    /// Returns the index of an element, counted from the array's origin if it has one.
    fn counted_from_origin(&self, array: ArrayId, mut element: PwMultiAff) -> Result<PwMultiAff> {
        let Some(origin) = self.origins.get(&array) else { return Ok(element) };
        for (position, start) in origin.iter().enumerate() {
            let index = element.get_at(position as i32)?;
            let start = start.copy()?.insert_domain(index.get_domain_space()?)?;
            element = element.set_pw_aff(position as u32, index.sub(start)?)?;
        }
        Ok(element)
    }

    /// Returns the box of a part of an array, at the current leaf.
    fn part(
        &self,
        (array, number): (ArrayId, usize),
        call: &ASTExpr,
        build: &Build,
    ) -> Result<ElementBox<AstExpr>> {
        let part = self.parts.get(&array).and_then(|parts| parts.get(number));
        let part = part.ok_or_else(|| {
            Error::new(format!("the tree transfers part {number} of {array}, which has no such part"))
        })?;
        let coordinates = coordinates(&target(call)?, build)?.reset_tuple_id(DimType::Out)?;
        part.try_map(|number| {
            let here = PwAff::parse(&number.0)?.pullback_pw_multi_aff(coordinates.copy()?)?;
            translate(&build.expression(here)?)
        })
    }

    fn copy(&self, id: BufferId, into_buffer: bool, call: &ASTExpr, build: &Build) -> Result<Node> {
        let buffer = self
            .buffers
            .get(&id)
            .ok_or_else(|| Error::new(format!("the tree copies buffer {id}, which the placement lacks")))?;
        let name = target(call)?;
        let coordinates = coordinates(&name, build)?;
        let depth = buffer.depth as usize;
        let index = function(&buffer.index.0)?;
        let array = buffer.array.to_string();
        let split = split_coordinates(&name, depth, &array, coordinates.dim(DimType::Out)?)?;
        let split = split.pullback_pw_multi_aff(coordinates)?;
        let place = index.pullback_pw_multi_aff(split.copy()?)?;
        let element = split.range_factor_range()?;
        let index = self.counted_from_origin(buffer.array, element.copy()?)?;
        let copy = Node::Copy {
            buffer: id,
            into_buffer,
            element: operands(&build.access(index)?, 1)?,
            place: operands(&build.access(place)?, 1)?,
        };
        match &buffer.existing {
            Some(existing) => if_exists(copy, &Set::parse(&existing.0)?, element, build),
            None => Ok(copy),
        }
    }
}

impl Visitor for Leaves<'_> {
    fn instance(&mut self, call: ASTExpr, build: &Build) -> Result<usize> {
        let name = target(&call)?;
        let node = match Added::parse(&name) {
            Some(Added::Copy { buffer, into_buffer }) => self.copy(buffer, into_buffer, &call, build)?,
            Some(Added::Barrier) => Node::Barrier,
            Some(Added::Transfer { array, part, to_device }) => {
                let part = part.map(|number| self.part((array, number), &call, build)).transpose()?;
                Node::Transfer { array, to_device, part }
            }
            None => {
                let unknown = |_| Error::bug(format!("the tree has the unknown statement `{name}`"));
                let id: StatementId = name.parse().map_err(unknown)?;
                self.statement_instance(self.model.statement(id)?, &call, build)?
            }
        };
        Ok(self.remember(node))
    }

    fn enter(&mut self, name: &str) {
        self.kernel = mark::kernel_of(name).or(self.kernel);
    }

    fn mark(&mut self, name: &str, build: &Build) -> Result<usize> {
        let node = match mark::kernel_of(name) {
            Some(id) => {
                self.kernel = None;
                self.launches.launch(id, build)?
            }
            None => Node::Block { children: Vec::new() },
        };
        Ok(self.remember(node))
    }
}

/// Returns the coordinates of the instance of `name` at the current leaf, as functions of the schedule dimensions.
fn coordinates(name: &str, build: &Build) -> Result<PwMultiAff> {
    Ok(PwMultiAff::from_map(schedule_of(name, build)?.reverse()?)?)
}

/// Returns the map from the instances of `name` at the current leaf to the schedule dimensions.
fn schedule_of(name: &str, build: &Build) -> Result<Map> {
    for map in maps_of(&build.schedule()?)? {
        if map.get_tuple_name(DimType::In)? == name {
            return Ok(map);
        }
    }
    Err(Error::new(format!("isl gave no schedule for {name}")))
}

/// Expresses a function of the schedule dimensions by the outermost of them, as few as determine it where it is needed.
fn in_outer_loops(value: PwAff, reached: &Set) -> Result<PwAff> {
    let graph = Map::from_pw_aff(value.copy()?)?.intersect_domain(reached.copy()?)?;
    let dimensions = graph.dim(DimType::In)? as u32;
    let mut best = None;
    for kept in (0..dimensions).rev() {
        let outer = graph.copy()?.project_out(DimType::In, kept, dimensions - kept)?;
        if !outer.is_single_valued()? {
            break;
        }
        best = Some((kept, outer));
    }
    let Some((kept, outer)) = best else { return Ok(value) };
    let space = Set::universe(reached.get_space()?)?;
    let project = Map::identity(space.get_space()?.map_from_set()?)?.project_out(
        DimType::Out,
        kept,
        dimensions - kept,
    )?;
    let function = PwMultiAff::from_map(outer)?.get_at(0)?;
    Ok(function.pullback_pw_multi_aff(PwMultiAff::from_map(project)?)?)
}

/// Puts a copy under the condition that its element is in a set, unless that is certain.
fn if_exists(copy: Node, existing: &Set, element: PwMultiAff, build: &Build) -> Result<Node> {
    let here = existing.copy()?.preimage_pw_multi_aff(element)?;
    match translate(&build.condition(here)?)? {
        AstExpr::Int(truth) if truth != 0 => Ok(copy),
        condition => Ok(Node::If { condition, then: Box::new(copy), otherwise: None }),
    }
}

/// Returns the subscripts of an access. If the access never happens at this leaf, because its condition does not hold
/// there, it is still part of the statement's expression. isl then has no value for the subscripts, and any value
/// will do.
fn index(place: PwMultiAff, build: &Build) -> Result<Vec<AstExpr>> {
    if place.copy()?.domain()?.is_empty()? {
        let dimensions = place.dim(DimType::Out)?;
        return Ok((0..dimensions).map(|_| AstExpr::Int(0)).collect());
    }
    operands(&build.access(place)?, 1)
}

/// Converts a single-valued relation to a function.
fn function(relation: &str) -> Result<PwMultiAff> {
    Ok(PwMultiAff::from_map(Map::parse(relation)?)?)
}

/// Returns the function `{ name[h0, …, x0, …] -> [[h0, …] -> A0[x0, …]] }`.
fn split_coordinates(name: &str, depth: usize, array: &str, dimensions: i32) -> Result<PwMultiAff> {
    let dims = polyhedra::numbered("d", dimensions as usize);
    let (outer, element) = dims.split_at(depth.min(dims.len()));
    PwMultiAff::parse(&format!(
        "{{ {name}[{}] -> [[{}] -> {array}[{}]] }}",
        dims.join(", "),
        outer.join(", "),
        element.join(", ")
    ))
}
