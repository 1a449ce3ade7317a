//! At which points of a kernel's loops its statements are.

use polyhedra::{DimType, Result, Set, Simplify, add, maps_of};

use super::blocks::without_divisions;
use super::count::count;
use super::site::Site;

/// At which points of its loops the statements of a kernel are, in the order of their names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    /// How many times as many points there are as those of the statement that has the most.
    pub apart: f64,
    /// The share of the points of each statement at which none of those before it is.
    pub alone: Vec<f64>,
}

impl Points {
    /// Counts the points of a kernel's statements; nothing for a kernel with one statement.
    pub fn of(site: &Site, context: &Set) -> Result<Self> {
        let mut points = Self::default();
        let Some(band) = &site.band else { return Ok(points) };
        let loops = site.prefix.copy()?.flat_range_product(band.copy()?)?;
        let maps = maps_of(&loops.intersect_domain(site.instances.copy()?)?)?;
        if maps.len() < 2 {
            return Ok(points);
        }
        let numbers = maps_of(&site.prefix)?.first().map_or(Ok(0), |prefix| prefix.dim(DimType::Out))? as u32;
        let (mut most, mut all): (f64, Option<Set>) = (0.0, None);
        for map in maps {
            let own = map.range()?.intersect_params(context.copy()?)?.project_out_all_params()?;
            let own = without_divisions(own, numbers)?;
            if own.is_empty()? {
                continue;
            }
            let number = count(&own)?.points;
            let new = match &all {
                Some(all) => count(&own.copy()?.subtract(all.copy()?)?.simplified()?)?.points,
                None => number,
            };
            most = most.max(number);
            points.alone.push((new / number.max(1.0)).min(1.0));
            all = add(all, own)?;
        }
        if let Some(all) = all.filter(|_| most > 0.0) {
            points.apart = (count(&all)?.points / most).max(1.0);
        }
        Ok(points)
    }
}
