//! When each statement instance runs, and which launch, block and thread runs it.

use std::collections::BTreeMap;

use polyhedra::{
    DimType, End, Map, Result, Schedule, Set, Text, maps_of, numbered, tuple_name, unchecked_optimum,
};
use scop::{Axis, Kernel, KernelId, StatementId, mark, part};

use super::leaves::{Extension, Leaf, Path, Step, leaves};

/// What a tree determines about statements and barriers.
pub struct Places {
    /// The statements of the scop.
    pub statements: BTreeMap<StatementId, Statement>,
    /// The barriers.
    pub barriers: Vec<Barrier>,
}

/// When and where the instances of a statement run.
pub struct Statement {
    /// From instances to times.
    pub time: Map,
    /// The same with the children of sets in reverse order: an instance that is first in both is first in any order.
    pub other_time: Map,
    /// From instances to kernel launches (the kernel's number and the values of the loops around it); empty on the
    /// host.
    pub launch: Map,
    /// The same with the coordinates of the block.
    pub block: Map,
    /// The same with the coordinates of the thread.
    pub thread: Map,
    /// For each extension node, the values of the schedule dimensions above it, for the instances below it.
    pub prefixes: BTreeMap<usize, Map>,
}

/// A barrier.
pub struct Barrier {
    /// The extension node that adds it.
    pub extension: Extension,
    /// From barriers to times.
    pub time: Map,
    /// From barriers to the schedule dimensions above the extension node.
    pub prefix: Map,
}

impl Places {
    /// Flattens a tree, for parameters in `context`.
    pub fn new(schedule: &Schedule, context: &Set, kernels: &[Kernel]) -> Result<Self> {
        let leaves = leaves(schedule, context)?;
        let flat = Flattening {
            kernels,
            times: leaves.iter().map(|leaf| leaf.path.steps.len()).max().unwrap_or_default(),
            host_dimensions: host_dimensions(kernels),
        };
        let mut places = Self { statements: BTreeMap::new(), barriers: Vec::new() };
        for leaf in &leaves {
            places.add(leaf, &flat)?;
        }
        Ok(places)
    }

    fn add(&mut self, leaf: &Leaf, flat: &Flattening<'_>) -> Result<()> {
        for map in maps_of(&leaf.relation)? {
            let Some(name) = tuple_name(&map.copy()?.domain()?)? else { continue };
            if let Ok(id) = name.parse::<StatementId>() {
                let admitted = leaf.admitted.extract_set(map.get_space()?.domain()?)?;
                let found = flat.statement(map.intersect_domain(admitted)?, &leaf.path)?;
                let known = self.statements.remove(&id);
                self.statements.insert(id, known.map_or(Ok(found.copy()?), |known| known.union(found))?);
            } else if name.starts_with(mark::BARRIER) {
                self.barriers.extend(flat.barrier(map, &leaf.path)?);
            }
        }
        Ok(())
    }
}

impl Statement {
    fn copy(&self) -> Result<Self> {
        Ok(Self {
            time: self.time.copy()?,
            other_time: self.other_time.copy()?,
            launch: self.launch.copy()?,
            block: self.block.copy()?,
            thread: self.thread.copy()?,
            prefixes: self.prefixes.iter().map(|(&k, map)| Ok((k, map.copy()?))).collect::<Result<_>>()?,
        })
    }

    /// Returns the statement as if the threads with `tx = 0` ran all instances.
    pub fn in_first_threads(&self) -> Result<Self> {
        let position = self.thread.dim(DimType::Out)? as u32 - Axis::ALL.len() as u32;
        let mut first = self.copy()?;
        first.thread = first.thread.project_out(DimType::Out, position, 1)?;
        first.thread = first.thread.insert_dims(DimType::Out, position, 1)?;
        first.thread = first.thread.fix_si(DimType::Out, position, 0)?;
        Ok(first)
    }

    fn union(self, other: Self) -> Result<Self> {
        let mut prefixes = self.prefixes;
        for (number, map) in other.prefixes {
            let known = prefixes.remove(&number);
            prefixes.insert(number, known.map_or(Ok(map.copy()?), |known| known.union(map))?);
        }
        Ok(Self {
            time: self.time.union(other.time)?,
            other_time: self.other_time.union(other.other_time)?,
            launch: self.launch.union(other.launch)?,
            block: self.block.union(other.block)?,
            thread: self.thread.union(other.thread)?,
            prefixes,
        })
    }

    /// Returns the instances that run more than once, or in more than one thread; nothing if there are none.
    pub fn repeated(&self) -> Result<Option<Set>> {
        for map in [&self.time, &self.thread] {
            if !map.is_single_valued()? {
                return Ok(Some(map.copy()?.subtract(unchecked_optimum(map, End::First)?)?.domain()?));
            }
        }
        Ok(None)
    }
}

/// Returns the largest number of loops around a kernel.
pub fn host_dimensions(kernels: &[Kernel]) -> usize {
    kernels.iter().map(|kernel| kernel.host_depth as usize).max().unwrap_or_default()
}

/// How leaves are converted to vectors of the same length.
struct Flattening<'a> {
    kernels: &'a [Kernel],
    /// The length of times.
    times: usize,
    /// The largest number of loops around a kernel.
    host_dimensions: usize,
}

impl Flattening<'_> {
    fn statement(&self, relation: Map, path: &Path) -> Result<Statement> {
        let thread = self.thread(relation.copy()?, path)?;
        let coordinates = Axis::ALL.len() as u32;
        let length = thread.dim(DimType::Out)? as u32;
        let block = thread.copy()?.project_out(DimType::Out, length - coordinates, coordinates)?;
        let launch = block.copy()?.project_out(DimType::Out, length - 2 * coordinates, coordinates)?;
        let relation = without_coordinates(relation)?;
        let time = relation.copy()?.apply_range(self.times(path, false)?)?;
        let other_time = relation.copy()?.apply_range(self.times(path, true)?)?;
        let mut prefixes = BTreeMap::new();
        for extension in &path.extensions {
            prefixes.insert(extension.number, prefix(relation.copy()?, extension.depth)?);
        }
        Ok(Statement { time, other_time, launch, block, thread, prefixes })
    }

    /// Returns a barrier. It belongs to the innermost extension node above it: gpulocalizer and scheduler put it
    /// right below.
    fn barrier(&self, relation: Map, path: &Path) -> Result<Option<Barrier>> {
        let Some(&extension) = path.extensions.last() else { return Ok(None) };
        let relation = without_coordinates(relation)?;
        let time = relation.copy()?.apply_range(self.times(path, false)?)?;
        Ok(Some(Barrier { extension, time, prefix: prefix(relation, extension.depth)? }))
    }

    /// Returns the map from schedule dimensions to times: `{ [d0, d1] -> [d0, 2, d1, 0] }`.
    fn times(&self, path: &Path, reverse_sets: bool) -> Result<Map> {
        let mut dimensions = numbered("d", path.dimensions()).into_iter();
        let mut times: Vec<String> = path
            .steps
            .iter()
            .map(|step| match step {
                Step::Dimension => dimensions.next().unwrap_or_default(),
                Step::Unordered(position) if reverse_sets => (-position).to_string(),
                Step::Child(position) | Step::Unordered(position) => position.to_string(),
            })
            .collect();
        times.resize(self.times, "0".to_owned());
        vectors(path.dimensions(), &times)
    }

    /// Returns the map from instances to launch, block and thread; it is empty on the host. The coordinates of axes
    /// that the kernel does not use are 0; those of axes that it uses and that the tree leaves open are
    /// unconstrained.
    fn thread(&self, relation: Map, path: &Path) -> Result<Map> {
        let launched = relation.apply_range(self.launches(path)?)?;
        let first = launched.dim(DimType::Out)?;
        let mut map = launched.add_dims(DimType::Out, 2 * Axis::ALL.len() as u32)?;
        let Some((kernel, _)) = path.kernel else {
            let space = map.get_space()?;
            return without_coordinates(Map::empty(space)?);
        };
        let used = self.axes(kernel)?;
        for (position, name) in coordinate_names().enumerate() {
            let out = first + position as i32;
            let parameter = map.find_dim_by_name(DimType::Param, name)?;
            map = if !used.contains(&name) {
                map.fix_si(DimType::Out, out as u32, 0)?
            } else if parameter >= 0 {
                map.equate(DimType::Param, parameter, DimType::Out, out)?
            } else {
                map
            };
        }
        without_coordinates(map)
    }

    /// Returns the map from schedule dimensions to launches: `{ [h0, d1, d2] -> [3, h0, 0] }`.
    fn launches(&self, path: &Path) -> Result<Map> {
        let (kernel, depth) = path.kernel.unwrap_or((KernelId(0), 0));
        vectors(path.dimensions(), &launch(kernel, depth, self.host_dimensions))
    }

    /// Returns the names of the coordinates that a kernel has.
    fn axes(&self, kernel: KernelId) -> Result<Vec<&'static str>> {
        let kernel = part(self.kernels, kernel.index(), kernel)?;
        let blocks = kernel.grid.iter().map(|dimension| dimension.axis.block_parameter());
        Ok(blocks.chain(kernel.block.iter().map(|dimension| dimension.axis.thread_parameter())).collect())
    }
}

/// Returns the vector of a launch: the kernel's number and the values of the `depth` loops around it, padded to
/// `host_dimensions` values.
pub fn launch(kernel: KernelId, depth: usize, host_dimensions: usize) -> Vec<String> {
    let mut launch = vec![kernel.0.to_string()];
    launch.extend(numbered("d", depth));
    launch.resize(1 + host_dimensions, "0".to_owned());
    launch
}

/// `bx`, `by`, `bz`, `tx`, `ty`, `tz`.
pub fn coordinate_names() -> impl Iterator<Item = &'static str> {
    let threads = Axis::ALL.into_iter().map(Axis::thread_parameter);
    Axis::ALL.into_iter().map(Axis::block_parameter).chain(threads)
}

fn without_coordinates(mut map: Map) -> Result<Map> {
    for name in coordinate_names() {
        if let Ok(position) = u32::try_from(map.find_dim_by_name(DimType::Param, name)?) {
            map = map.project_out(DimType::Param, position, 1)?;
        }
    }
    Ok(map)
}

/// Returns the first `depth` schedule dimensions of a relation.
fn prefix(relation: Map, depth: usize) -> Result<Map> {
    let dimensions = relation.dim(DimType::Out)? as u32;
    Ok(relation.project_out(DimType::Out, depth as u32, dimensions - depth as u32)?)
}

/// `{ [d0, d1] -> [values] }`
pub fn vectors(dimensions: usize, values: &[String]) -> Result<Map> {
    Map::parse(&format!("{{ [{}] -> [{}] }}", numbered("d", dimensions).join(", "), values.join(", ")))
}
