//! Members of a band that divide a loop among partial sums.
//!
//! Which partial sum an iteration updates, `floor(i/32) mod 2048`, is no affine function of it. For an estimate it does
//! not matter which iterations have the same number, only how many: an iterator `i` becomes a pair of an iterator
//! within a partial sum and the number of the partial sum, as if each had consecutive iterations. Only where neighbouring
//! iterations go to neighbouring results, as with `i mod 131072`, the pair is that of quotient and remainder.

use polyhedra::{DimType, Map, Result, Set, Text, integer};

use super::count::Count;
use super::linear::{Row, rows};

/// A member of a band that divides a loop.
pub struct Divided {
    /// The member, as a function of the iterators.
    function: Map,
    /// Its position in the band.
    member: usize,
    /// The iterator that it divides.
    iterator: usize,
    /// The number of its values.
    values: f64,
    /// Whether neighbouring iterations have neighbouring values, as with `i mod 2048`; otherwise runs of iterations have
    /// one value.
    interleaved: bool,
}

/// All such members of a band, for a statement with so many iterators. Behind these iterators there is one for each
/// member: its value.
#[derive(Default)]
pub struct Division {
    all: Vec<Divided>,
    iterators: usize,
    /// The mean number of values of each divided iterator for a value of the member.
    lengths: Vec<f64>,
}

impl Division {
    /// Finds the members of a band that divide a loop.
    pub fn of(domain: &Set, band: Option<&Map>) -> Result<Self> {
        let iterators = domain.dim(DimType::Set)? as usize;
        let mut division = Self { iterators, ..Self::default() };
        let Some(band) = band else { return Ok(division) };
        for (member, row) in rows(band)?.into_iter().enumerate() {
            if row.is_some() {
                continue;
            }
            let function = alone(band, member)?.intersect_domain(domain.copy()?)?;
            let mut involved = Vec::new();
            for iterator in 0..iterators {
                if alone(band, member)?.involves_dims(DimType::In, iterator as u32, 1)? {
                    involved.push(iterator);
                }
            }
            let [iterator] = involved[..] else { continue };
            if division.all.iter().any(|other| other.iterator == iterator) || !function.is_single_valued()? {
                continue;
            }
            let range = function.copy()?.range()?;
            let (least, most) = (range.copy()?.dim_min_val(0)?, range.dim_max_val(0)?);
            let Some((least, most)) = integer(&least).ok().zip(integer(&most).ok()) else { continue };
            let values = (most.saturating_sub(least) as f64 + 1.0).max(1.0);
            let interleaved = is_interleaved(&function, iterator)?;
            division.all.push(Divided { function, member, iterator, values, interleaved });
        }
        Ok(division)
    }

    /// True if no member divides a loop.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Divides the extents of the iterators.
    pub fn divide(&mut self, counted: &mut Count) {
        for divided in &self.all {
            let Some(extent) = counted.extents.get_mut(divided.iterator) else { continue };
            let values = divided.values.min(extent.max(1.0));
            let length = (*extent / values).max(1.0);
            *extent = length;
            self.lengths.push(length);
            counted.extents.push(values);
            counted.extents_at_points[divided.iterator] = length;
            counted.extents_at_points.push(values);
        }
    }

    /// Returns a function of the iterators as one of the divided iterators.
    pub fn row(&self, mut row: Row) -> Row {
        for (divided, length) in self.all.iter().zip(&self.lengths) {
            let own = row.coefficients[divided.iterator];
            if divided.interleaved {
                row.coefficients[divided.iterator] = own * divided.values;
                row.coefficients.push(own);
            } else {
                row.coefficients.push(own * length);
            }
        }
        row
    }

    /// Returns a member of the band as a function of the divided iterators: the member that divides a loop, or one that
    /// counts within a partial sum.
    pub fn member(&self, member: usize, row: Option<Row>) -> Vec<f64> {
        let mut coefficients = row.map_or_else(|| vec![0.0; self.iterators], |row| row.coefficients);
        coefficients.extend(self.all.iter().map(|divided| f64::from(u8::from(divided.member == member))));
        coefficients
    }

    /// Returns a subscript that is the number of the partial sum.
    pub fn subscript(&self, relation: &Map, subscript: usize) -> Result<Option<Row>> {
        for (position, divided) in self.all.iter().enumerate() {
            let own = alone(relation, subscript)?.intersect_domain(divided.function.copy()?.domain()?)?;
            if own.is_equal(&divided.function)? {
                let mut coefficients = vec![0.0; self.iterators + self.all.len()];
                coefficients[self.iterators + position] = 1.0;
                return Ok(Some(Row { coefficients, constant: 0.0, alternating: None }));
            }
        }
        Ok(None)
    }
}

/// True if no two neighbouring iterations have the same value.
fn is_interleaved(function: &Map, iterator: usize) -> Result<bool> {
    let same = function.copy()?.apply_range(function.copy()?.reverse()?)?;
    let inputs = function.dim(DimType::In)? as usize;
    let (ones, others) = (polyhedra::numbered("i", inputs), polyhedra::numbered("o", inputs));
    let conditions = (0..inputs).map(|position| {
        let next = if position == iterator { " + 1" } else { "" };
        format!("{} = {}{next}", others[position], ones[position])
    });
    let conditions: Vec<String> = conditions.collect();
    let name = function.get_tuple_name(DimType::In)?.to_owned();
    let text = format!(
        "{{ {name}[{}] -> {name}[{}] : {} }}",
        ones.join(", "),
        others.join(", "),
        conditions.join(" and ")
    );
    Ok(same.intersect(Map::parse(&text)?)?.is_empty()?)
}

/// Returns one output dimension of a map.
fn alone(map: &Map, output: usize) -> Result<Map> {
    let after = map.dim(DimType::Out)? as u32 - output as u32 - 1;
    let alone = map.copy()?.project_out(DimType::Out, output as u32 + 1, after)?;
    Ok(alone.project_out(DimType::Out, 0, output as u32)?.reset_tuple_id(DimType::Out)?)
}
