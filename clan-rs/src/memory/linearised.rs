//! Arrays whose dimensions only subscripts show: `a[i * n + j]`.
//!
//! *before → after*: all subscripts of `a` in the region are polynomials whose products of parameters form a chain,
//! `1, nx, nx·ny`. Then `a` is an array `[?][ny][nx]`, and `(k * ny + j) * nx + i` is its element `[k][j][i]`,
//! provided that `0 <= i < nx` and `0 <= j < ny` at every instance. Otherwise, elements of different rows might be
//! the same. This condition is proved, or it is assumed of the parameters and the generated program checks it.

use std::collections::BTreeMap;

use polyhedra::{DimType, PwAff, Set, Text, Val};
use scop::{CType, Parameter, SourceRange};

use crate::affine::point::Point;
use crate::affine::translator::{Affine, Mode};
use crate::c::ctree::{Expr, ExprKind, VariableId};
use crate::errors::{Fault, NOT_AFFINE, Result};
use crate::memory::polynomial::{Monomial, Polynomial};
use crate::memory::reference::{Subscript, reference};
use crate::variables::names::Names;
use crate::variables::products;

/// The dimensions of an array except the outermost.
#[derive(Debug, Clone)]
pub struct View {
    /// The factors between the products of neighbouring dimensions, innermost first.
    steps: Vec<Monomial>,
    /// The lengths as expressions in the parameters, innermost first.
    lengths: Vec<String>,
}

impl View {
    /// Returns the lengths of the inner dimensions, outermost first.
    pub fn inner_lengths(&self) -> impl Iterator<Item = &String> {
        self.lengths.iter().rev()
    }
}

/// The views of the arrays that need one, or why an array cannot have one.
pub type Views = BTreeMap<VariableId, Result<View>>;

/// Finds the views from all subscripts of the region.
pub fn views(affine: &mut Affine, taken: &mut Names) -> Result<Views> {
    let environment = affine.environment;
    let mut found: BTreeMap<VariableId, Survey> = BTreeMap::new();
    let mut references: Vec<&Expr> = Vec::new();
    for stmt in &environment.region.statements {
        stmt.walk_expressions(environment.tree, &mut |expr| {
            let has_subscripts = matches!(expr.kind, ExprKind::Subscript { .. } | ExprKind::Member { .. });
            if has_subscripts && expr.ctype.arithmetic().is_some() {
                references.push(expr);
            }
        });
    }
    let everywhere = everywhere(affine)?;
    for expr in references {
        let Ok((id, subscripts)) = reference(expr) else { continue };
        let [subscript] = &subscripts[..] else { continue };
        if environment.declared.contains(&id) {
            continue;
        }
        if let Ok(polynomial) = affine.polynomial(subscript, &everywhere, Mode::Survey) {
            found.entry(id).or_default().note(&polynomial, expr.range)?;
        }
    }
    let needed = found.into_iter().filter(|(_, survey)| !survey.products.is_empty());
    let mut views = Views::new();
    for (id, survey) in needed {
        let view = survey.view(affine, taken, environment.name(id));
        views.insert(id, view);
    }
    Ok(views)
}

/// Returns a point inside all loops of the region at once.
fn everywhere(affine: &Affine) -> Result<Point> {
    let loops: Vec<VariableId> = affine.environment.iterators.iter().copied().collect();
    let domain = Set::parse("{ [] }")?.add_dims(DimType::Set, loops.len() as u32)?;
    Ok(Point::new(loops, domain))
}

/// The products of parameters in the subscripts of an array.
#[derive(Debug, Default)]
struct Survey {
    /// The products by which loop variables are multiplied, each with the place of a reference.
    products: BTreeMap<Monomial, SourceRange>,
}

impl Survey {
    fn note(&mut self, polynomial: &Polynomial, range: SourceRange) -> Result<()> {
        for (monomial, value) in polynomial.terms.iter().filter(|(monomial, _)| !monomial.is_empty()) {
            let depth = value.dim(DimType::In)?.unsigned_abs();
            if value.involves_dims(DimType::In, 0, depth)? {
                self.products.entry(monomial.clone()).or_insert(range);
            }
        }
        Ok(())
    }

    fn view(self, affine: &mut Affine, taken: &mut Names, name: &str) -> Result<View> {
        let mut products: Vec<(Monomial, SourceRange)> = self.products.into_iter().collect();
        products.sort_by_key(|(monomial, _)| monomial.len());
        let mut view = View { steps: Vec::new(), lengths: Vec::new() };
        let mut inner = Monomial::new();
        for (monomial, range) in products {
            let step = quotient(&monomial, &inner).ok_or_else(|| several_shapes(name, range))?;
            view.lengths.push(length(&step, affine, taken).ok_or_else(|| several_shapes(name, range))??);
            view.steps.push(step);
            inner = monomial;
        }
        Ok(view)
    }
}

/// Divides a product by another; nothing if `part` does not divide it, or is the whole product.
fn quotient(product: &Monomial, part: &Monomial) -> Option<Monomial> {
    let mut rest = product.clone();
    for factor in part {
        rest.remove(rest.iter().position(|other| other == factor)?);
    }
    Some(rest).filter(|rest| !rest.is_empty())
}

/// Returns the length of a dimension: one factor, or a parameter for the product of several.
fn length(step: &Monomial, affine: &mut Affine, taken: &mut Names) -> Option<Result<String>> {
    if let [factor] = &step[..] {
        return Some(Ok(factor.clone()));
    }
    let factors: Vec<VariableId> =
        step.iter().map(|factor| parameter(affine, factor)).collect::<Option<_>>()?;
    let tree = affine.environment.tree;
    let names: Vec<String> = factors.iter().map(|&id| affine.environment.expression(id)).collect();
    let types = factors.iter().filter_map(|&id| tree.variable(id).arithmetic());
    let ctype = types.reduce(CType::common_with)?;
    let key = products::key(&(names.clone(), ctype));
    let known = affine.known_products.get(&key).cloned();
    let parameter = known.unwrap_or_else(|| products::parameter(&names, ctype, taken));
    Some(use_length(affine, key, parameter, step))
}

/// Makes a product of parameters a length. In `long` or an unsigned type, the product might wrap around where the
/// region never computes it, so its factors are assumed to be small.
fn use_length(
    affine: &mut Affine,
    key: products::Key,
    parameter: Parameter,
    factors: &Monomial,
) -> Result<String> {
    let name = parameter.name.clone();
    let bits = 8 * parameter.ctype.size() - u32::from(!parameter.ctype.is_unsigned());
    affine.use_product(key, parameter)?;
    let largest = 1i128 << (bits / factors.len() as u32);
    for factor in factors {
        let factor = PwAff::parse(factor)?;
        let small =
            factor.copy()?.le_set(constant(largest)?)?.intersect(factor.ge_set(constant(-largest)?)?)?;
        if !affine.ranges.is_subset(&small)? {
            affine.assumed = affine.assumed.copy()?.intersect(small)?;
        }
    }
    Ok(format!("[{name}] -> {{ [({name})] }}"))
}

fn constant(value: i128) -> Result<PwAff> {
    Ok(PwAff::parse(&format!("{{ [({value})] }}"))?)
}

/// Returns the parameter that an expression consists of.
fn parameter(affine: &Affine, factor: &str) -> Option<VariableId> {
    let parameters = affine.environment.parameters.iter();
    parameters.filter(|(_, name)| factor == format!("[{name}] -> {{ [({name})] }}")).map(|(&id, _)| id).next()
}

fn several_shapes(name: &str, range: SourceRange) -> Fault {
    let message = format!("the subscripts of `{name}` in this region step through it in different ways");
    Fault::new(NOT_AFFINE, message, range, "rows have another length here than elsewhere").with_help(format!(
        "write all subscripts of `{name}` in the form `(k * ny + j) * nx + i` with the same nx and ny, or give it its dimensions: `double (*{name})[nx]`"
    ))
}

impl Affine<'_, '_> {
    /// Returns the indices of an element, outermost first.
    pub fn indices(
        &mut self,
        view: &View,
        subscript: &Subscript,
        point: &Point,
        range: SourceRange,
    ) -> Result<Vec<PwAff>> {
        let mut polynomial = self.polynomial(subscript, point, Mode::Expand)?;
        polynomial.fold_into(view, point)?;
        let mut monomial = Monomial::new();
        let mut indices = Vec::new();
        let mut carried = point.constant(0)?;
        for (step, length) in view.steps.iter().zip(&view.lengths) {
            let value = polynomial.take(&monomial, point)?.add(carried)?;
            let length = PwAff::parse(length)?.add_dims(DimType::In, point.depth())?;
            let (index, rows) = self.split(value, &length, point, range)?;
            indices.push(index);
            carried = point.constant(rows)?;
            monomial.extend(step.iter().cloned());
            monomial.sort();
        }
        indices.push(polynomial.take(&monomial, point)?.add(carried)?);
        if !polynomial.terms.is_empty() {
            return Err(not_proved(range));
        }
        if let Some(bits) = polynomial.bits {
            self.require_small(&indices, view, bits, point, range)?;
        }
        indices.reverse();
        Ok(indices)
    }

    /// Splits a value into an index below `length` and a number of rows: `n + j` into the index j and 1 row.
    fn split(
        &mut self,
        value: PwAff,
        length: &PwAff,
        point: &Point,
        range: SourceRange,
    ) -> Result<(PwAff, i128)> {
        let known = self.known(point)?;
        let mut choices = Vec::new();
        for rows in rows_in(&value, length)? {
            let index = value.copy()?.sub(length.copy()?.mul(point.constant(rows)?)?)?;
            let misfits = known.copy()?.subtract(self.within(&index, length, point)?)?;
            if misfits.is_empty()? {
                return Ok((index, rows));
            }
            choices.push((index, rows, misfits));
        }
        let Some((index, rows, misfits)) = choices.into_iter().next() else { return Err(not_proved(range)) };
        let Some(assumption) = self.assumption(misfits.copy()?.params()?, &known)? else {
            return Err(not_proved(range));
        };
        let label = "otherwise this is in another row";
        let help = "nothing needs to be done if that always holds: it is checked, and the original code runs otherwise";
        self.assume(assumption, misfits.params()?, range, label, help)?;
        Ok((index, rows))
    }

    /// Proves or assumes that no index and no length is large, so that unsigned arithmetic does not wrap around.
    fn require_small(
        &mut self,
        indices: &[PwAff],
        view: &View,
        bits: u32,
        point: &Point,
        range: SourceRange,
    ) -> Result<()> {
        let limit = point.constant(1i128 << (bits / indices.len() as u32))?;
        let Some(outermost) = indices.last() else { return Ok(()) };
        let mut small = self.within(outermost, &limit, point)?;
        for length in &view.lengths {
            let length = PwAff::parse(length)?.add_dims(DimType::In, point.depth())?;
            small = small.intersect(length.le_set(limit.copy()?)?)?;
        }
        let known = self.known(point)?;
        let misfits = known.copy()?.subtract(small)?;
        if misfits.is_empty()? {
            return Ok(());
        }
        let Some(assumption) = self.assumption(misfits.copy()?.params()?, &known)? else {
            return Err(not_proved(range));
        };
        let help = "use signed integers to avoid the assumption";
        self.assume(assumption, misfits.params()?, range, "otherwise this may wrap around", help)
    }
}

impl Polynomial {
    /// Writes products that belong to no dimension as multiples of those that do: n·n as n rows of length n.
    fn fold_into(&mut self, view: &View, point: &Point) -> Result<()> {
        let mut dimensions = vec![Monomial::new()];
        for step in &view.steps {
            let mut next = [&dimensions[dimensions.len() - 1][..], &step[..]].concat();
            next.sort();
            dimensions.push(next);
        }
        let others: Vec<Monomial> = self.terms.keys().filter(|m| !dimensions.contains(m)).cloned().collect();
        for monomial in others {
            let place = dimensions.iter().rev().find_map(|dimension| {
                match quotient(&monomial, dimension)?.as_slice() {
                    [factor] => Some((dimension.clone(), factor.clone())),
                    _ => None,
                }
            });
            let Some((dimension, factor)) = place else { continue };
            if !self.terms[&monomial].is_cst()? {
                continue;
            }
            let value = self.take(&monomial, point)?;
            let factor = PwAff::parse(&factor)?.add_dims(DimType::In, point.depth())?;
            let sum = self.take(&dimension, point)?.add(value.mul(factor)?)?;
            self.terms.insert(dimension, sum);
        }
        Ok(())
    }

    /// Removes and returns the coefficient of a product; 0 if the product does not occur.
    fn take(&mut self, monomial: &Monomial, point: &Point) -> Result<PwAff> {
        self.terms.remove(monomial).map_or_else(|| point.constant(0), Ok)
    }
}

/// Returns how many rows a value may be beyond its own row, the most likely number first.
fn rows_in(value: &PwAff, length: &PwAff) -> Result<Vec<i128>> {
    let written = multiple(value, length)?;
    let mut choices = vec![written];
    for other in [written - 1, written + 1, 0] {
        if !choices.contains(&other) {
            choices.push(other);
        }
    }
    Ok(choices)
}

/// Returns the multiple of `length` that a value contains, judged by the first parameter of `length`.
fn multiple(value: &PwAff, length: &PwAff) -> Result<i128> {
    if !value.isa_aff()? || !length.isa_aff()? {
        return Ok(0);
    }
    for position in 0..length.dim(DimType::Param)? {
        let own = length.copy()?.as_aff()?.get_coefficient_val(DimType::Param, position)?;
        if own.is_zero()? {
            continue;
        }
        let place =
            value.find_dim_by_name(DimType::Param, length.get_dim_name(DimType::Param, position as u32)?)?;
        if place < 0 {
            return Ok(0);
        }
        let there: Val = value.copy()?.as_aff()?.get_coefficient_val(DimType::Param, place)?.div(own)?;
        return Ok(if there.is_int()? { i128::from(there.get_num_si()?) } else { 0 });
    }
    Ok(0)
}

fn not_proved(range: SourceRange) -> Fault {
    let message = "this subscript may be in another row than it seems to be";
    Fault::new(NOT_AFFINE, message, range, "not proved to stay within its row").with_help(
        "keep each part of the subscript within its row: in `a[i * n + j]`, `0 <= j < n` must follow from the bounds of the loops",
    )
}
