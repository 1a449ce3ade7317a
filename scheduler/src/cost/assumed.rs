//! The sizes for which plans are priced.

use std::collections::BTreeMap;

use polyhedra::{PwAff, Result, Set, Text, integer};
use scop::Model;

/// The value of a parameter of which nothing is known, unless arrays would be too large.
pub const DEFAULT_SIZE: i64 = 4096;

/// With the default value of parameters, no array is larger than this number of bytes.
const LARGEST_ARRAY: f64 = 2.0 * 1024.0 * 1024.0 * 1024.0;

/// The values that are assumed for the parameters of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    values: BTreeMap<String, i64>,
}

impl Assumed {
    /// Assumes values for the parameters of a region. Those that are not in `known` have the same default, a power of
    /// two: 4096, or less if an array would take more than two gibibytes.
    pub fn new(model: &Model, known: &BTreeMap<String, i64>) -> Result<Self> {
        let mut default = DEFAULT_SIZE;
        loop {
            let of = |name: &String| known.get(name).copied().unwrap_or(default);
            let names = model.parameters.iter().map(|parameter| &parameter.name);
            let assumed = Self { values: names.map(|name| (name.clone(), of(name))).collect() };
            if default <= 2 || assumed.largest_array(model, default)? <= LARGEST_ARRAY {
                return Ok(assumed);
            }
            default /= 2;
        }
    }

    /// Returns values that are larger by a factor, except those that the user gives.
    pub fn times(&self, factor: i64, given: &BTreeMap<String, i64>) -> Self {
        let of = |(name, value): (&String, &i64)| {
            let factor = if given.contains_key(name) { 1 } else { factor };
            (name.clone(), value.saturating_mul(factor))
        };
        Self { values: self.values.iter().map(of).collect() }
    }

    /// Returns the values with another one for some of the parameters.
    pub fn with(&self, names: &[String], other: i64) -> Self {
        let of = |(name, value): (&String, &i64)| {
            (name.clone(), if names.contains(name) { other } else { *value })
        };
        Self { values: self.values.iter().map(of).collect() }
    }

    /// Returns the values as a set of parameters.
    pub fn context(&self) -> Result<Set> {
        let names: Vec<&str> = self.values.keys().map(String::as_str).collect();
        let equations: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if names.is_empty() {
            return Set::parse("{ : }");
        }
        Set::parse(&format!("[{}] -> {{ : {} }}", names.join(", "), equations.join(" and ")))
    }

    /// Returns the elements of an array in each dimension; nothing where they are unknown.
    pub fn extents(&self, array: &scop::Array) -> Result<Vec<Option<f64>>> {
        let context = self.context()?;
        let extent = |extent: &scop::Extent| -> Result<Option<f64>> {
            let Some(value) = &extent.value else { return Ok(None) };
            let value = PwAff::parse(&value.0)?.intersect_params(context.copy()?)?;
            Ok(integer(&value.max_val()?).ok().map(|elements| elements as f64))
        };
        array.extents.iter().map(extent).collect()
    }

    /// Returns the bytes of the largest array. Unknown extents are as large as the default.
    fn largest_array(&self, model: &Model, default: i64) -> Result<f64> {
        let mut largest = 0.0_f64;
        for array in &model.arrays {
            let extents = self.extents(array)?;
            let elements: f64 = extents.into_iter().map(|extent| extent.unwrap_or(default as f64)).product();
            largest = largest.max(elements * array.element.size() as f64);
        }
        Ok(largest)
    }
}

#[cfg(test)]
mod tests {
    use scop::{Analysed, Program, from_json};

    use super::*;

    #[test]
    fn unknown_sizes_are_large_but_arrays_fit() {
        let program: Program<Analysed> =
            from_json(include_str!("../../tests/documents/matmul.json")).unwrap();
        let model = &program.scops[0].model;
        let assumed = |known: &[(&str, i64)]| {
            let known = known.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
            Assumed::new(model, &known).unwrap().context().unwrap().text().unwrap()
        };
        assert_eq!(assumed(&[]), "[m, n, p] -> {  : m = 4096 and n = 4096 and p = 4096 }");
        assert_eq!(assumed(&[("n", 100)]), "[m, n, p] -> {  : m = 4096 and n = 100 and p = 4096 }");
        let given = BTreeMap::from([("n".to_owned(), 100)]);
        let larger =
            Assumed::new(model, &given).unwrap().times(16, &given).context().unwrap().text().unwrap();
        assert_eq!(larger, "[m, n, p] -> {  : m = 65536 and n = 100 and p = 65536 }");
    }
}
