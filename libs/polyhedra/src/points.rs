//! The points of a finite set, one by one.
//!
//! isl-rs does not bind isl's function for this, because that function takes a callback.

use std::os::raw::{c_int, c_void};

use isl_rs::{DimType, Point, Set};
use libc::uintptr_t;

use crate::error::last_error;
use crate::{Error, Result};

type OnPoint = unsafe extern "C" fn(uintptr_t, *mut c_void) -> c_int;

unsafe extern "C" {
    fn isl_set_foreach_point(set: uintptr_t, call: OnPoint, user: *mut c_void) -> c_int;
}

/// Returns the coordinates of the points of a set without parameters; nothing if there are more than `limit` points.
///
/// # Errors
/// Fails if the set is not finite, or a coordinate does not fit 64 bits.
pub fn points_of(set: &Set, limit: usize) -> Result<Option<Vec<Vec<i64>>>> {
    let mut walk = Walk { dimensions: set.dim(DimType::Set)?, limit, points: Vec::new(), end: End::Open };
    // SAFETY: isl calls back before it returns, with the pointer given.
    let status = unsafe { isl_set_foreach_point(set.ptr, on_point, (&raw mut walk).cast()) };
    match walk.end {
        End::Open if status == 0 => Ok(Some(walk.points)),
        End::Open => Err(last_error()),
        End::Limit => Ok(None),
        End::Failed(error) => Err(error),
    }
}

struct Walk {
    dimensions: i32,
    limit: usize,
    points: Vec<Vec<i64>>,
    end: End,
}

/// Why the walk ended.
enum End {
    Open,
    Limit,
    Failed(Error),
}

unsafe extern "C" fn on_point(point: uintptr_t, user: *mut c_void) -> c_int {
    // SAFETY: `user` is what `points_of` passed; the point is a reference of ours.
    let (walk, point) =
        unsafe { (&mut *user.cast::<Walk>(), Point { ptr: point, should_free_on_drop: true }) };
    if walk.points.len() == walk.limit {
        walk.end = End::Limit;
        return -1;
    }
    match coordinates(&point, walk.dimensions) {
        Ok(coordinates) => {
            walk.points.push(coordinates);
            0
        }
        Err(error) => {
            walk.end = End::Failed(error);
            -1
        }
    }
}

/// Returns the first `dimensions` coordinates of a point.
pub fn coordinates(point: &Point, dimensions: i32) -> Result<Vec<i64>> {
    (0..dimensions)
        .map(|position| {
            let value = point.get_coordinate_val(DimType::Set, position)?;
            Ok(value.get_num_si()?)
        })
        .collect()
}

/// Returns names for coordinates: `e0, e1, …`.
pub fn numbered(stem: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{stem}{number}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    #[test]
    fn every_point_is_found_once() {
        let set = Set::parse("{ A[i, j] : 0 <= j <= i <= 2 and (i + j) mod 2 = 0 }").unwrap();
        let mut found = points_of(&set, 4).unwrap().unwrap();
        found.sort();
        assert_eq!(found, [[0, 0], [1, 1], [2, 0], [2, 2]]);
        assert_eq!(points_of(&set, 3).unwrap(), None);
    }

    #[test]
    fn an_infinite_set_is_too_large_or_an_error() {
        let set = Set::parse("{ [i] : i >= 0 }").unwrap();
        assert!(!matches!(points_of(&set, 10), Ok(Some(_))));
    }
}
