//! The values that iterators have after their loops.
//!
//! *before → after*: in `for (i = 0; i < n; i++) A; b[i] = 0;`, the `i` of `b[i]` is `max(n, 0)`: the last iterator
//! value plus the step, or the first value if there is no iteration.
//!
//! A loop sets its iterator whenever control reaches the loop. For each place in the region, [`Values`] describes
//! what the last such event before it left, as a function of the surrounding iterators and the parameters. This is
//! the problem of the last write before a read (Feautrier, Dataflow analysis of array and scalar references, 1991),
//! with the value in place of the instance. What a body leaves is a function of its iteration. After the loop, the
//! last iteration with an event counts; at the beginning of an iteration, the last earlier iteration with an event.

use polyhedra::{DimType, Map, PwAff, Set, Space};

use crate::affine::iterator_values::Values;
use crate::affine::point::Point;
use crate::c::ctree::VariableId;
use crate::errors::Result;
use crate::variables::environment::Environment;

/// Returns the known values of iterators at the beginning of the region.
pub fn values_at_entry(environment: &Environment, point: &Point) -> Result<Values> {
    let mut values = Values::unknown(&environment.tracked, &point.domain.get_space()?)?;
    for &id in &environment.tracked {
        if environment.has_no_value_before(id) {
            // Code that reads it before setting it may get any value.
            values.begin_with(id, point.constant(0)?);
        } else if let Some(name) = environment.parameters.get(&id) {
            values.begin_with(id, point.parameter(name)?);
        }
    }
    Ok(values)
}

/// The iterations of a loop, and how they change the values of iterators.
pub struct Iterations<'a> {
    /// The iterator.
    pub iterator: VariableId,
    /// Its first value, at the point before the loop.
    pub first: PwAff,
    /// The step that is added after each iteration.
    pub step: i128,
    /// The iterator values in the body; the last dimension is the iterator of this loop.
    pub domain: &'a Set,
}

impl Iterations<'_> {
    /// Returns the values known at the beginning of the first iteration.
    pub fn values_before_body(&self, before: &Values) -> Result<Values> {
        before.entering(self.domain)
    }

    /// Returns the values known at the beginning of each iteration, if the body leaves `left`.
    pub fn values_inside(&self, before: &Values, left: &Values) -> Result<Values> {
        let mut values = before.entering(self.domain)?;
        let earlier = later(self.domain.get_space()?, self.outer()?, self.step)?.reverse()?;
        let earlier = earlier.intersect_domain(self.domain.copy()?)?;
        values.followed_by(left.events()?.seen(&earlier, self.step > 0)?)?;
        values.begun()
    }

    /// Returns the values known after the loop at `point`; `body` is the point after the loop's body.
    pub fn values_after(&self, point: &Point, body: &Point) -> Result<Values> {
        let mut events = body.values.events()?;
        let next = body.iterator(self.outer()?)?.add(body.constant(self.step)?)?;
        events.assign(self.iterator, next, self.domain)?;
        let mut values = point.values.copy()?;
        values.assign(self.iterator, self.first.copy()?, &point.domain)?;
        values.followed_by(events.seen(&inner_instances(self.domain, self.outer()?)?, self.step > 0)?)?;
        Ok(values)
    }

    /// Returns the number of loops around this one.
    fn outer(&self) -> Result<u32> {
        Ok(self.domain.dim(DimType::Set)?.unsigned_abs().saturating_sub(1))
    }
}

/// Maps the instances of a loop to the instances of its body.
fn inner_instances(inside: &Set, outer: u32) -> Result<Map> {
    let mut map = Map::from_range(inside.copy()?)?.add_dims(DimType::In, outer)?;
    for position in 0..outer as i32 {
        map = map.equate(DimType::In, position, DimType::Out, position)?;
    }
    Ok(map)
}

/// Maps each instance to the later instances in the same iteration of the outer loops.
pub fn later(space: Space, position: u32, step: i128) -> Result<Map> {
    let mut map = if step > 0 { Map::lex_lt(space)? } else { Map::lex_gt(space)? };
    for outer in 0..position as i32 {
        map = map.equate(DimType::In, outer, DimType::Out, outer)?;
    }
    Ok(map)
}
