//! The users of the buffers of kernels.

use std::collections::BTreeMap;

use polyhedra::{DimType, Error, Map, MultiAff, PwAff, PwMultiAff, Result, Set, Text};
use scop::ast::{AstExpr, Node};
use scop::{
    Access, AccessId, AccessKind, ArrayId, Buffer, BufferId, Certainty, IslMap, Memory, Placement, Statement,
};

use crate::program::instances::{Executed, function};
use crate::program::leaf::{Leaf, dimensions};

/// What a leaf does with an element of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It copies the element into the buffer.
    CopyIn,
    /// It copies the element out of the buffer.
    CopyOut,
    /// A statement reads it.
    Read(AccessId),
    /// A statement writes it.
    Write(AccessId, Certainty),
}

/// A leaf that uses a buffer.
pub struct User<'a> {
    /// What it does.
    pub role: Role,
    /// The leaf.
    pub leaf: &'a Leaf<'a>,
    /// The instances that it executes; nothing for a copy.
    pub executed: Option<&'a Executed<'a>>,
    /// The place in the buffer.
    pub place: &'a [AstExpr],
    /// The element of the array at each point.
    pub element: PwMultiAff,
}

impl User<'_> {
    /// Returns the points at which it uses the buffer.
    pub fn points(&self) -> Result<Set> {
        match self.executed {
            Some(executed) => executed.points_of(&self.element),
            None => Ok(self.leaf.domain.copy()?),
        }
    }

    /// Returns the function from its points to *keys*: the values of the first `steps` steps of its path and the
    /// place in the buffer. A buffer in shared memory is the same for all threads, so the coordinates of the thread
    /// are left out.
    pub fn key(&self, steps: usize, memory: Memory) -> Result<PwMultiAff> {
        let threads = match (self.leaf.launch, memory) {
            (Some(launch), Memory::Shared) => launch.thread_dimensions(),
            _ => 0..0,
        };
        let shared = self.leaf.names.iter().take(dimensions(&self.leaf.path[..steps])).enumerate();
        let prefix = shared.filter(|(position, _)| !threads.contains(position));
        let mut values: Vec<AstExpr> = prefix.map(|(_, name)| AstExpr::Name(name.clone())).collect();
        values.extend_from_slice(self.place);
        function(self.leaf, &values)
    }

    /// Returns the place in the buffer at each of its points.
    pub fn places(&self) -> Result<PwMultiAff> {
        function(self.leaf, self.place)
    }

    /// Returns the relation from its points to their first `dimensions` coordinates and `value` there. Composing
    /// such maps is cheaper than equating the coordinates of pairs: isl searches for an integer solution after each
    /// equation.
    pub fn with_coordinates(&self, dimensions: usize, value: PwMultiAff) -> Result<Map> {
        let names = self.leaf.names.iter().take(dimensions).map(|name| AstExpr::Name(name.clone()));
        let first = function(self.leaf, &names.collect::<Vec<_>>())?;
        Ok(Map::from_pw_multi_aff(first.flat_range_product(value)?)?.intersect_domain(self.points()?)?)
    }

    /// Returns the keys that it uses.
    pub fn keys(&self, steps: usize, memory: Memory) -> Result<Set> {
        let keys = Map::from_pw_multi_aff(self.key(steps, memory)?)?;
        Ok(keys.intersect_domain(self.points()?)?.range()?)
    }
}

/// The users of each buffer in each launch; a launch is identified by its position in
/// [`crate::program::leaf::Walked::grids`].
pub type UsersOfLaunches<'a> = BTreeMap<(BufferId, Option<usize>), Vec<User<'a>>>;

/// Where the placement puts accesses.
pub struct Buffers<'a> {
    /// The buffers.
    pub by_id: BTreeMap<BufferId, &'a Buffer>,
    places: BTreeMap<(BufferId, AccessId), &'a IslMap>,
    origins: BTreeMap<ArrayId, Vec<&'a str>>,
}

impl<'a> Buffers<'a> {
    /// Collects the buffers, places and origins of a placement.
    pub fn of(placement: &'a Placement) -> Self {
        let buffers = || placement.kernels.iter().flat_map(|kernel| &kernel.buffers);
        let places = buffers().flat_map(|buffer| {
            let accesses = buffer.accesses.iter().map(|&access| (buffer.id, access));
            accesses.zip(&buffer.places)
        });
        let origins = placement.device.iter().map(|array| {
            (array.array, array.origin.iter().map(|origin| origin.0.as_str()).collect::<Vec<_>>())
        });
        Self {
            by_id: buffers().map(|buffer| (buffer.id, buffer)).collect(),
            places: places.collect(),
            origins: origins.collect(),
        }
    }

    /// True if a buffer has the sums of a block.
    fn has_block_sums(&self, id: BufferId) -> bool {
        self.by_id.get(&id).is_some_and(|buffer| buffer.has_block_sums())
    }

    /// True if the elements of an array are counted from zero.
    pub fn has_no_origin(&self, array: ArrayId) -> bool {
        self.origins.get(&array).is_none_or(Vec::is_empty)
    }

    /// Returns the function from the instances of an access to where it has to go: to the place that the placement
    /// gives it in a buffer, or to its element.
    pub fn expected(
        &self,
        statement: &Statement,
        access: &Access,
        buffer: Option<BufferId>,
    ) -> Result<PwMultiAff> {
        let Some(buffer) = buffer else { return self.element(statement, access) };
        let place = self.places.get(&(buffer, access.id));
        let place = place.ok_or_else(|| Error::new(format!("{} has no place in {buffer}", access.id)))?;
        statement.function(place)
    }

    /// Returns the function from the instances of an access to its element, counted from the array's origin if it
    /// has one.
    pub fn element(&self, statement: &Statement, access: &Access) -> Result<PwMultiAff> {
        let mut element = statement.function(&access.relation)?;
        for (position, start) in self.origins.get(&access.array).into_iter().flatten().enumerate() {
            let index = element.get_at(position as i32)?;
            let start = PwAff::parse(start)?.insert_domain(index.get_domain_space()?)?;
            element = element.set_pw_aff(position as u32, index.sub(start)?)?;
        }
        Ok(element)
    }

    /// Counts elements of an array, `{ S0[i] -> A0[x] }`, from its origin if it has one, in a space without a name.
    pub fn counted(&self, array: ArrayId, elements: Map) -> Result<Map> {
        let Some(origins) = self.origins.get(&array).filter(|origins| !origins.is_empty()) else {
            return Ok(elements.reset_tuple_id(DimType::Out)?);
        };
        let space = elements.get_space()?.range()?;
        let mut shift = PwMultiAff::from_multi_aff(MultiAff::identity_on_domain_space(space.copy()?)?)?;
        for (position, start) in origins.iter().enumerate() {
            let index = shift.get_at(position as i32)?;
            let start = PwAff::parse(start)?.insert_domain(space.copy()?)?;
            shift = shift.set_pw_aff(position as u32, index.sub(start)?)?;
        }
        Ok(elements.apply_range(Map::from_pw_multi_aff(shift)?)?.reset_tuple_id(DimType::Out)?)
    }

    /// Returns the users of each buffer in each launch: copies in text order, then statements. A kernel may occur at
    /// several places of the program, and a buffer keeps nothing from one launch to the next. The sums of blocks are
    /// not among them: their elements are chosen by data ([`crate::program::block_sums`]).
    pub fn users<'l>(
        &self,
        leaves: &'l [Leaf<'l>],
        executed: impl Iterator<Item = &'l Executed<'l>>,
    ) -> Result<UsersOfLaunches<'l>> {
        let mut found = UsersOfLaunches::new();
        let launch = |leaf: &Leaf<'_>| leaf.launch.map(|launch| launch.grid);
        for leaf in leaves {
            let Node::Copy { buffer, into_buffer, element, place } = leaf.node else { continue };
            if self.has_block_sums(*buffer) {
                continue;
            }
            let role = if *into_buffer { Role::CopyIn } else { Role::CopyOut };
            let element = function(leaf, element)?;
            let users = found.entry((*buffer, launch(leaf))).or_default();
            users.push(User { role, leaf, executed: None, place, element });
        }
        for executed in executed {
            for place in executed.accesses {
                let access = executed.statement.access(place.access);
                let Some((id, access)) = place.buffer.zip(access) else { continue };
                if self.has_block_sums(id) {
                    continue;
                }
                let role = match access.kind {
                    AccessKind::Read => Role::Read(access.id),
                    AccessKind::Write => Role::Write(access.id, access.certainty),
                };
                let element = executed.at_points(self.element(executed.statement, access)?)?;
                let (leaf, place) = (executed.leaf, &place.index[..]);
                found.entry((id, launch(leaf))).or_default().push(User {
                    role,
                    leaf,
                    executed: Some(executed),
                    place,
                    element,
                });
            }
        }
        Ok(found)
    }
}

impl Executed<'_> {
    /// Returns the points at which an access with this element happens: a conditional access has no element at the
    /// others.
    pub fn points_of(&self, element: &PwMultiAff) -> Result<Set> {
        let points = self.points.copy()?;
        if element.isa_multi_aff()? { Ok(points) } else { Ok(points.intersect(element.copy()?.domain()?)?) }
    }

    /// Converts a function of instances to one of points, with values without a tuple name.
    pub fn at_points(&self, function: PwMultiAff) -> Result<PwMultiAff> {
        let function = function.pullback_pw_multi_aff(self.instance.copy()?)?;
        if function.has_tuple_id(DimType::Out)? {
            return Ok(function.reset_tuple_id(DimType::Out)?);
        }
        Ok(function)
    }
}
