//! The C type of each integer of a scop in generated code, and the bounds that parameters must respect.

use std::collections::{BTreeMap, BTreeSet};

use scop::ast::tree::all_expressions;
use scop::ast::{AstExpr, Node};
use scop::{CType, ExprKind, Kernel, Model, Parameter, walk_expressions};

use crate::model::data::{Data, Datum};
use crate::model::overflow::{Analysis, Position};

/// The types of the integers of a scop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Integers {
    /// The type of loop iterators and of block and thread coordinates: `int` or `long`.
    pub index: CType,
    /// The type of each parameter.
    pub parameters: BTreeMap<String, CType>,
    /// The parameters whose values must lie between minus and plus [`Self::bound`].
    pub bounded: BTreeSet<String>,
    /// See [`Self::bounded`].
    pub bound: i128,
}

impl Integers {
    /// Returns the type of a variable of generated code.
    pub fn type_of(&self, name: &str) -> CType {
        self.parameters.get(name).copied().unwrap_or(self.index)
    }
}

/// Chooses the types; returns `None` if even `long` is too small for the constants of the program.
///
/// # Errors
/// Returns an error if the program names a kernel that the mapping does not contain.
pub fn choose(
    model: &Model,
    kernels: &[Kernel],
    body: &Node,
    data: &Data<'_>,
    assumed: Option<&AstExpr>,
) -> polyhedra::Result<Option<Integers>> {
    let roles = Roles::new(model, body, data, assumed);
    let used = || model.parameters.iter().filter(|parameter| roles.index.contains(&parameter.name));
    let wide = used().any(|parameter| parameter.ctype.size() > CType::Int.size())
        || model.loops.iter().any(|around| around.ctype.size() > CType::Int.size());
    let parameters = used().map(|parameter| (parameter.name.as_str(), parameter.ctype.range())).collect();
    let bounds = data.values().flat_map(Datum::bounds).chain(assumed).collect();
    let positions = data.values().filter_map(Position::of).collect();
    let analysis = Analysis { parameters, kernels, body, bounds, positions };
    let Some((index, bound)) = index_type(&analysis, wide)? else { return Ok(None) };
    let exceeds = |parameter: &&Parameter| {
        let (low, high) = parameter.ctype.range();
        low < -bound || high > bound
    };
    let bounded = used().filter(exceeds).map(|parameter| parameter.name.clone()).collect();
    let types = model.parameters.iter().map(|p| (p.name.clone(), roles.type_of(p, index)));
    Ok(Some(Integers { index, parameters: types.collect(), bounded, bound }))
}

/// Returns the type of index expressions, and the bound on parameters that keeps them from overflowing.
fn index_type(analysis: &Analysis<'_>, wide: bool) -> polyhedra::Result<Option<(CType, i128)>> {
    let bound = |index| match analysis.always_fits(index)? {
        true => Ok(Some(i128::MAX)),
        false => polyhedra::Result::Ok(analysis.largest_bound(index)?.map(rounded)),
    };
    Ok(match bound(CType::Int)?.filter(|bound| !wide && *bound >= WORTHWHILE) {
        Some(bound) => Some((CType::Int, bound)),
        None => bound(CType::Long)?.map(|bound| (CType::Long, bound)),
    })
}

/// The smallest bound on parameters that is acceptable for `int`; otherwise, index expressions are `long`.
const WORTHWHILE: i128 = 1 << 16;

/// Rounds down to three significant digits, for readers.
fn rounded(bound: i128) -> i128 {
    let mut unit = 1;
    while bound / unit >= 1000 {
        unit *= 10;
    }
    bound / unit * unit
}

/// The parameters, grouped by how they are used.
struct Roles {
    /// In loops, conditions, subscripts and launches.
    index: BTreeSet<String>,
    /// As the extent of an inner dimension.
    extent: BTreeSet<String>,
    /// As a value in a statement.
    value: BTreeSet<String>,
}

impl Roles {
    fn new(model: &Model, body: &Node, data: &Data<'_>, assumed: Option<&AstExpr>) -> Self {
        let mut index = BTreeSet::new();
        let mut extent = BTreeSet::new();
        let expressions =
            all_expressions(body).into_iter().chain(data.values().flat_map(Datum::bounds)).chain(assumed);
        expressions.for_each(|expr| insert_names(expr, &mut index));
        for packing in data.values().filter_map(Datum::packing) {
            insert_names(&packing.position, &mut index);
            insert_names(&packing.count, &mut index);
        }
        for position in data.values().filter_map(Position::of) {
            position.inner().for_each(|(_, extent)| insert_names(extent, &mut index));
        }
        for inner in data.values().flat_map(Datum::inner_extents) {
            let plain = matches!(inner, AstExpr::Name(_));
            insert_names(inner, if plain { &mut extent } else { &mut index });
        }
        Self { index, extent, value: values(model) }
    }

    fn type_of(&self, parameter: &Parameter, index: CType) -> CType {
        if self.index.contains(&parameter.name) {
            index
        } else if self.extent.contains(&parameter.name) || !self.value.contains(&parameter.name) {
            if holds(CType::Int, parameter.ctype) { CType::Int } else { CType::Long }
        } else {
            parameter.ctype
        }
    }
}

fn insert_names(expr: &AstExpr, names: &mut BTreeSet<String>) {
    expr.visit_names(&mut |name| {
        names.insert(name.to_owned());
    });
}

fn values(model: &Model) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for statement in &model.statements {
        walk_expressions(&statement.body, &mut |node| {
            if let ExprKind::Parameter { name } = &node.kind {
                names.insert(name.clone());
            }
        });
    }
    names
}

/// True if every value of `from` is one of `to`.
pub fn holds(to: CType, from: CType) -> bool {
    let ((low, high), (from_low, from_high)) = (to.range(), from.range());
    low <= from_low && from_high <= high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_down() {
        for (bound, shown) in [(999, 999), (1000, 1000), (1_009, 1000), (2_147_483_647, 2_140_000_000)] {
            assert_eq!(rounded(bound), shown);
        }
    }
}
