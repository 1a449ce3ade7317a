//! The leaves of the loop program: what happens at one point of the schedule, with every subscript spelled out.
//!
//! At each leaf isl tells the schedule generated so far, a relation from the instances at that leaf to schedule
//! dimensions. Its inverse gives the instance's coordinates as functions of the loop iterators, and composed with an
//! access relation (and the index function of a buffer) the subscripts. isl simplifies them with what it knows at
//! that place.

use std::collections::BTreeMap;

use polyhedra::ast::{Build, Visitor};
use polyhedra::{ASTExpr, DimType, Error, Map, PwAff, PwMultiAff, Result, Set, Text, maps_of};
use scop::ast::{AccessPlace, AstExpr, Node};
use scop::mark::Added;
use scop::{
    Access, AccessId, ArrayId, Buffer, BufferId, DeviceArray, ElementBox, IslMap, IslPwAff, KernelId,
    KernelPlacement, Model, Statement, StatementId, mark,
};

use crate::launches::Launches;
use scop::from_isl::{operands, target, translate};

/// What the visitor knows of a scop.
pub struct Leaves<'a> {
    model: &'a Model,
    launches: Launches<'a>,
    buffers: BTreeMap<BufferId, &'a Buffer>,
    /// The buffer of each access of a kernel that uses one, and the place in it.
    place_of: BTreeMap<(KernelId, AccessId), (BufferId, &'a IslMap)>,
    /// The kernel that isl is at.
    kernel: Option<KernelId>,
    /// The origin of each array whose elements are not numbered from zero.
    origins: BTreeMap<ArrayId, Vec<PwAff>>,
    /// What is transferred around code on the host.
    parts: BTreeMap<ArrayId, &'a [ElementBox<IslPwAff>]>,
    /// The leaves and launches found so far; their positions are the annotations of isl's nodes.
    found: Vec<Node>,
}

impl<'a> Leaves<'a> {
    /// A visitor for a scop, with the buffers of all its kernels.
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

    /// The same with the parts that some arrays are transferred in.
    pub fn with_parts(self, arrays: &'a [DeviceArray]) -> Self {
        let parts = arrays.iter().map(|array| (array.array, array.parts.as_slice())).collect();
        Self { parts, ..self }
    }

    /// A visitor for loops without kernels and buffers.
    pub fn without_kernels(model: &'a Model, origins: BTreeMap<ArrayId, Vec<PwAff>>) -> Self {
        Self::new(model, Launches::none(), &[], origins)
    }

    /// Remembers that there is nothing at a place.
    pub fn nothing(&mut self) -> usize {
        self.remember(Node::Block { children: Vec::new() })
    }

    /// What was found at the node with this annotation; a kernel's body is still empty.
    pub fn at(&self, annotation: usize) -> Option<&Node> {
        self.found.get(annotation)
    }

    /// Remembers a node; the number leads back to it.
    pub fn remember(&mut self, node: Node) -> usize {
        self.found.push(node);
        self.found.len() - 1
    }

    fn statement_instance(&self, statement: &Statement, call: &ASTExpr, build: &Build) -> Result<Node> {
        let coordinates = coordinates(&statement.id.to_string(), build)?;
        let mut accesses = Vec::new();
        for access in &statement.accesses {
            if access.indirect {
                accesses.push(AccessPlace { access: access.id, buffer: None, index: Vec::new() });
                continue;
            }
            let place = self.place(statement, access)?.pullback_pw_multi_aff(coordinates.copy()?)?;
            let buffer = self.place_in_buffer(access.id).map(|(buffer, _)| buffer);
            let index = index(place, build)?;
            accesses.push(AccessPlace { access: access.id, buffer, index });
        }
        Ok(Node::Instance { statement: statement.id, iterators: operands(call, 1)?, accesses })
    }

    /// The buffer that an access uses in the kernel at this place, and where in it.
    fn place_in_buffer(&self, access: AccessId) -> Option<(BufferId, &'a IslMap)> {
        self.place_of.get(&(self.kernel?, access)).copied()
    }

    /// From instances to the index in the access's array or buffer.
    fn place(&self, statement: &Statement, access: &Access) -> Result<PwMultiAff> {
        match self.place_in_buffer(access.id) {
            Some((_, place)) => statement.function(place),
            None => self.counted_from_origin(access.array, statement.function(&access.relation)?),
        }
    }

    /// The element's index counted from the array's origin, where it has one.
    fn counted_from_origin(&self, array: ArrayId, mut element: PwMultiAff) -> Result<PwMultiAff> {
        let Some(origin) = self.origins.get(&array) else { return Ok(element) };
        for (position, start) in origin.iter().enumerate() {
            let index = element.get_at(position as i32)?;
            let start = start.copy()?.insert_domain(index.get_domain_space()?)?;
            element = element.set_pw_aff(position as u32, index.sub(start)?)?;
        }
        Ok(element)
    }

    /// The box of a part of an array, at this place.
    fn part(
        &self,
        (array, number): (ArrayId, usize),
        call: &ASTExpr,
        build: &Build,
    ) -> Result<ElementBox<AstExpr>> {
        let part = self.parts.get(&array).and_then(|parts| parts.get(number));
        let part = part.ok_or_else(|| {
            Error::new(format!("the tree transfers part {number} of {array}, which lacks it"))
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
                let unknown =
                    |_| Error::bug(format!("the tree has a statement `{name}`, which is none of ours"));
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

/// The coordinates of the instance of `name` at this place as functions of the schedule dimensions.
fn coordinates(name: &str, build: &Build) -> Result<PwMultiAff> {
    for map in maps_of(&build.schedule()?)? {
        if map.get_tuple_name(DimType::In)? == name {
            return Ok(PwMultiAff::from_map(map.reverse()?)?);
        }
    }
    Err(Error::new(format!("isl gave no schedule for {name}")))
}

/// The copy under the condition that its element is one of a set, if that is not certain.
fn if_exists(copy: Node, existing: &Set, element: PwMultiAff, build: &Build) -> Result<Node> {
    let here = existing.copy()?.preimage_pw_multi_aff(element)?;
    match translate(&build.condition(here)?)? {
        AstExpr::Int(truth) if truth != 0 => Ok(copy),
        condition => Ok(Node::If { condition, then: Box::new(copy), otherwise: None }),
    }
}

/// The subscripts of an access. One that never happens at this place, because its condition does not hold here, is
/// still a part of the statement's expression; isl has no value for it, and any does.
fn index(place: PwMultiAff, build: &Build) -> Result<Vec<AstExpr>> {
    if place.copy()?.domain()?.is_empty()? {
        let dimensions = place.dim(DimType::Out)?;
        return Ok((0..dimensions).map(|_| AstExpr::Int(0)).collect());
    }
    operands(&build.access(place)?, 1)
}

/// A single-valued relation as a function.
fn function(relation: &str) -> Result<PwMultiAff> {
    Ok(PwMultiAff::from_map(Map::parse(relation)?)?)
}

/// `{ name[h0, …, x0, …] -> [[h0, …] -> A0[x0, …]] }`
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
