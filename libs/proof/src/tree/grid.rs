//! The threads that a launch starts.

use polyhedra::{Map, PwAff, Result, Set, Text, numbered};
use scop::{Axis, IslPwAff, Kernel};

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
    for axis in Axis::ALL {
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
