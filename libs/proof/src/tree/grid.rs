//! The threads that a launch starts.

use polyhedra::{DimType, Map, PwAff, Result, Set, Text, numbered};
use scop::{Axis, IslPwAff, Kernel, Ranked};

use super::places::{Statement, coordinate_names, host_dimensions, launch, vectors};

/// Returns the instances of a statement that the tree assigns to a block or thread that the mapping does not start;
/// nothing if there are none.
pub fn outside(statement: &Statement, started: &Set) -> Result<Option<Set>> {
    let outside = statement.thread.copy()?.subtract_range(started.copy()?)?;
    if outside.is_empty()? { Ok(None) } else { Ok(Some(outside.domain()?)) }
}

/// Returns all threads that kernels start: launch, block and thread, as in [`Statement::thread`].
pub fn started(kernels: &[Kernel]) -> Result<Set> {
    let host_dimensions = host_dimensions(kernels);
    let vector = vec!["0".to_owned(); 1 + host_dimensions + coordinate_names().count()];
    let all = vectors(0, &vector)?.range()?;
    let mut started = Set::empty(all.get_space()?)?;
    for kernel in kernels {
        started = started.union(of_kernel(kernel, host_dimensions)?)?;
    }
    Ok(started)
}

fn of_kernel(kernel: &Kernel, host_dimensions: usize) -> Result<Set> {
    let depth = kernel.host_depth as usize;
    let mut threads = vectors(depth, &launch(kernel.id, depth, host_dimensions))?;
    if let Some(ranked) = &kernel.ranked {
        threads = threads.flat_range_product(numbered_blocks(depth, ranked)?)?;
    }
    let axes = Axis::ALL.into_iter().filter(|_| kernel.ranked.is_none());
    for axis in axes {
        let blocks = match kernel.grid.iter().find(|dimension| dimension.axis == axis) {
            Some(dimension) => blocks(&dimension.lower, &dimension.extent)?,
            None => counted(depth, 1)?,
        };
        threads = threads.flat_range_product(blocks)?;
    }
    for axis in Axis::ALL {
        let size = kernel.block.iter().find(|dimension| dimension.axis == axis).map_or(1, |block| block.size);
        threads = threads.flat_range_product(counted(depth, size)?)?;
    }
    Ok(threads.range()?)
}

/// Returns the coordinates of numbered blocks, x first: `{ [h] -> [bx, by, bz] : … }`.
fn numbered_blocks(depth: usize, ranked: &Ranked) -> Result<Map> {
    let outer = numbered("d", depth);
    let mut blocks = Map::parse(&format!("{{ [{}] -> [] }}", outer.join(", ")))?;
    for one in &ranked.coordinates {
        // `{ [h, slower] -> [b] }`
        let bounds = Map::from_pw_aff(PwAff::parse(&one.lower.0)?)?;
        let bounds = bounds.flat_range_product(Map::from_pw_aff(PwAff::parse(&one.upper.0)?)?)?;
        let own = bounds.apply_range(Map::parse("{ [lower, upper] -> [b] : lower <= b <= upper }")?)?;
        let known = blocks.wrap()?.flatten()?;
        let inside = own.intersect_domain(known)?.wrap()?.flatten()?;
        let all = Map::from_range(inside)?;
        blocks = all.move_dims(DimType::In, 0, DimType::Out, 0, depth as u32)?;
    }
    let slowest_first: Vec<String> =
        ranked.coordinates.iter().map(|one| one.axis.block_parameter().to_owned()).collect();
    let in_order = Axis::ALL.map(|axis| {
        let is_numbered = ranked.coordinates.iter().any(|one| one.axis == axis);
        if is_numbered { axis.block_parameter() } else { "0" }
    });
    let order = format!("{{ [{}] -> [{}] }}", slowest_first.join(", "), in_order.join(", "));
    Ok(blocks.apply_range(Map::parse(&order)?)?)
}

/// `{ [h] -> [b] : lower(h) <= b < lower(h) + extent(h) }`
fn blocks(lower: &IslPwAff, extent: &IslPwAff) -> Result<Map> {
    let bounds = Map::from_pw_aff(PwAff::parse(&lower.0)?)?;
    let bounds = bounds.flat_range_product(Map::from_pw_aff(PwAff::parse(&extent.0)?)?)?;
    let between = Map::parse("{ [lower, extent] -> [b] : lower <= b < lower + extent }")?;
    Ok(bounds.apply_range(between)?)
}

/// `{ [h] -> [t] : 0 <= t < size }`
fn counted(depth: usize, size: u32) -> Result<Map> {
    Map::parse(&format!("{{ [{}] -> [t] : 0 <= t < {size} }}", numbered("d", depth).join(", ")))
}
