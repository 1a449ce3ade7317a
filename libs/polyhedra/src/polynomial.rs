//! Quasi-polynomials, the results of counting, piece by piece.
//!
//! isl-rs binds piecewise quasi-polynomials, but not the functions that take them apart, which take callbacks.

use std::os::raw::{c_int, c_void};

use isl_rs::{Aff, DimType, PwQPolynomial, Set, Term, Val};
use libc::uintptr_t;

use crate::error::last_error;
use crate::{Error, Result, context, integer, points_of};

type OnPiece = unsafe extern "C" fn(uintptr_t, uintptr_t, *mut c_void) -> c_int;
type OnTerm = unsafe extern "C" fn(uintptr_t, *mut c_void) -> c_int;

unsafe extern "C" {
    fn isl_pw_qpolynomial_foreach_piece(function: uintptr_t, call: OnPiece, user: *mut c_void) -> c_int;
    fn isl_qpolynomial_foreach_term(polynomial: uintptr_t, call: OnTerm, user: *mut c_void) -> c_int;
    fn isl_qpolynomial_free(polynomial: uintptr_t) -> uintptr_t;
}

/// One piece of a piecewise quasi-polynomial: the sum of its terms, at the points of its domain. Outside all domains
/// the value is 0.
pub struct Piece {
    /// The points at which the piece applies.
    pub domain: Set,
    /// The terms; none is 0.
    pub terms: Vec<Monomial>,
}

/// `numerator / denominator` times a product of powers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Monomial {
    /// The coefficient's numerator.
    pub numerator: i64,
    /// The coefficient's denominator, which is positive.
    pub denominator: i64,
    /// The variables, each with its exponent, which is positive.
    pub powers: Vec<(Variable, u32)>,
}

/// What a quasi-polynomial depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Variable {
    /// A parameter.
    Parameter(String),
    /// A dimension of the domain, counted from 0.
    Dimension(u32),
    /// `floor((constant + sum of coefficient * variable) / divisor)` of parameters, dimensions and other floors.
    Floor {
        /// The variables, each with its coefficient.
        terms: Vec<(Variable, i64)>,
        /// The constant.
        constant: i64,
        /// The divisor, which is positive.
        divisor: i64,
    },
}

/// Takes a piecewise quasi-polynomial apart.
///
/// # Errors
/// Fails if a number does not fit 64 bits.
pub fn pieces_of(function: &PwQPolynomial) -> Result<Vec<Piece>> {
    let mut found: Result<Vec<Piece>> = Ok(Vec::new());
    // SAFETY: isl calls back before it returns, with the pointer given.
    let status = unsafe { isl_pw_qpolynomial_foreach_piece(function.ptr, on_piece, (&raw mut found).cast()) };
    finished(status, found)
}

/// Returns the value at a point: `parameters` by name, `dimensions` of the domain in order.
///
/// # Errors
/// Returns isl's error if an isl operation fails, or an error if the value is not an integer of 64 bits or depends
/// on a parameter that is not given.
pub fn evaluate(pieces: &[Piece], parameters: &[(&str, i64)], dimensions: &[i64]) -> Result<i64> {
    for piece in pieces {
        if !contains(&piece.domain, parameters, dimensions)? {
            continue;
        }
        let value = sum_of(&piece.terms, parameters, dimensions);
        return value.ok_or_else(|| Error::new("a count does not fit into 64 bits"));
    }
    Ok(0)
}

/// Points, each with the value of a function there.
pub type Values = Vec<(Vec<i64>, i64)>;

/// Returns the values at all points of a set without parameters, with the points; nothing if there are more than
/// `limit` points or a value is not an integer of 64 bits. The last piece applies wherever no piece before it does,
/// as in generated code.
///
/// # Errors
/// Fails as [`crate::points_of`] does.
pub fn values_on(pieces: &[Piece], set: &Set, limit: usize) -> Result<Option<Values>> {
    let mut rest = set.copy()?;
    let mut values = Vec::new();
    for (position, piece) in pieces.iter().enumerate() {
        let domain = piece.domain.copy()?.reset_space(rest.get_space()?)?;
        let last = position + 1 == pieces.len();
        let here = if last { rest.copy()? } else { rest.copy()?.intersect(domain.copy()?)? };
        let Some(points) = points_of(&here, limit - values.len())? else { return Ok(None) };
        for point in points {
            let Some(value) = sum_of(&piece.terms, &[], &point) else { return Ok(None) };
            values.push((point, value));
        }
        rest = rest.subtract(domain)?;
    }
    Ok(Some(values))
}

/// Returns the value of a sum of terms, if it is an integer of 64 bits and all variables have a value.
fn sum_of(terms: &[Monomial], parameters: &[(&str, i64)], dimensions: &[i64]) -> Option<i64> {
    let common: i128 = terms.iter().map(|term| i128::from(term.denominator)).fold(1, least_multiple);
    let sum = terms.iter().try_fold(0i128, |sum, term| {
        let value = value_of(term, parameters, dimensions)?;
        let scaled = value.checked_mul(common / i128::from(term.denominator))?;
        sum.checked_add(scaled)
    });
    sum.filter(|sum| sum % common == 0).and_then(|sum| i64::try_from(sum / common).ok())
}

/// Returns the least common multiple of two positive numbers.
pub fn least_multiple(a: i128, b: i128) -> i128 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

fn contains(domain: &Set, parameters: &[(&str, i64)], dimensions: &[i64]) -> Result<bool> {
    let mut fixed = domain.copy()?;
    for (name, value) in parameters {
        let position = fixed.find_dim_by_name(DimType::Param, name)?;
        if let Ok(position) = u32::try_from(position) {
            fixed = fixed.fix_val(DimType::Param, position, Val::int_from_si(context(), *value)?)?;
        }
    }
    for (position, value) in dimensions.iter().enumerate() {
        fixed = fixed.fix_val(DimType::Set, position as u32, Val::int_from_si(context(), *value)?)?;
    }
    Ok(!fixed.is_empty()?)
}

fn value_of(term: &Monomial, parameters: &[(&str, i64)], dimensions: &[i64]) -> Option<i128> {
    term.powers.iter().try_fold(i128::from(term.numerator), |product, (variable, exponent)| {
        let value = variable_value(variable, parameters, dimensions)?;
        product.checked_mul(value.checked_pow(*exponent)?)
    })
}

fn variable_value(variable: &Variable, parameters: &[(&str, i64)], dimensions: &[i64]) -> Option<i128> {
    match variable {
        Variable::Parameter(name) => {
            parameters.iter().find(|(other, _)| other == name).map(|(_, value)| i128::from(*value))
        }
        Variable::Dimension(position) => dimensions.get(*position as usize).map(|value| i128::from(*value)),
        Variable::Floor { terms, constant, divisor } => {
            let sum = terms.iter().try_fold(i128::from(*constant), |sum, (variable, factor)| {
                let value = variable_value(variable, parameters, dimensions)?;
                sum.checked_add(value.checked_mul(i128::from(*factor))?)
            })?;
            Some(sum.div_euclid(i128::from(*divisor)))
        }
    }
}

fn finished<T>(status: c_int, found: Result<T>) -> Result<T> {
    let found = found?;
    if status == 0 {
        return Ok(found);
    }
    Err(last_error())
}

unsafe extern "C" fn on_piece(domain: uintptr_t, polynomial: uintptr_t, user: *mut c_void) -> c_int {
    // SAFETY: `user` is what `pieces_of` passed; the set is a reference of ours.
    let (found, domain) =
        unsafe { (&mut *user.cast::<Result<Vec<Piece>>>(), Set { ptr: domain, should_free_on_drop: true }) };
    let mut terms: Result<Vec<Monomial>> = Ok(Vec::new());
    // SAFETY: the polynomial is a reference of ours, freed here; isl calls back before it returns.
    let status = unsafe {
        let status = isl_qpolynomial_foreach_term(polynomial, on_term, (&raw mut terms).cast());
        isl_qpolynomial_free(polynomial);
        status
    };
    collect(found, terms.map(|terms| Piece { domain, terms }), status)
}

unsafe extern "C" fn on_term(term: uintptr_t, user: *mut c_void) -> c_int {
    // SAFETY: `user` is what `on_piece` passed; the term is a reference of ours.
    let (found, term) = unsafe {
        (&mut *user.cast::<Result<Vec<Monomial>>>(), Term { ptr: term, should_free_on_drop: true })
    };
    collect(found, monomial(&term), 0)
}

/// Adds an item, or records the first failure and ends the iteration.
fn collect<T>(found: &mut Result<Vec<T>>, item: Result<T>, status: c_int) -> c_int {
    if status != 0 && item.is_ok() {
        return status;
    }
    match (found.as_mut(), item) {
        (Ok(items), Ok(item)) => {
            items.push(item);
            0
        }
        (Ok(_), Err(error)) => {
            *found = Err(error);
            -1
        }
        (Err(_), _) => -1,
    }
}

fn monomial(term: &Term) -> Result<Monomial> {
    let coefficient = term.get_coefficient_val()?;
    let mut powers = Vec::new();
    for (kind, count) in [DimType::Param, DimType::Set, DimType::Div].map(|kind| (kind, term.dim(kind))) {
        for position in 0..count? as u32 {
            let exponent = term.get_exp(kind, position)?;
            if exponent > 0 {
                powers.push((variable(term, kind, position)?, exponent as u32));
            }
        }
    }
    Ok(Monomial {
        numerator: integer(&coefficient.copy()?.mul(coefficient.get_den_val()?)?)?,
        denominator: integer(&coefficient.get_den_val()?)?,
        powers,
    })
}

fn variable(term: &Term, kind: DimType, position: u32) -> Result<Variable> {
    match kind {
        DimType::Param => parameter(term, position),
        DimType::Set => Ok(Variable::Dimension(position)),
        _ => floor(&term.get_div(position)?),
    }
}

/// Returns a parameter with its name. A term does not give the name, but the space of a polynomial that consists of
/// the term does.
fn parameter(term: &Term, position: u32) -> Result<Variable> {
    let space = isl_rs::QPolynomial::from_term(term.copy()?)?.get_domain_space()?;
    Ok(Variable::Parameter(space.get_dim_name(DimType::Param, position)?.to_owned()))
}

fn floor(inner: &Aff) -> Result<Variable> {
    let denominator = inner.get_denominator_val()?;
    let whole = |value: Val| -> Result<i64> { integer(&value.mul(denominator.copy()?)?) };
    let space = inner.get_domain_space()?;
    let mut terms = Vec::new();
    for kind in [DimType::Param, DimType::In, DimType::Div] {
        for position in 0..inner.dim(kind)? {
            let factor = whole(inner.get_coefficient_val(kind, position)?)?;
            if factor == 0 {
                continue;
            }
            terms.push(match kind {
                DimType::Param => {
                    let name = space.get_dim_name(DimType::Param, position as u32)?.to_owned();
                    (Variable::Parameter(name), factor)
                }
                DimType::In => (Variable::Dimension(position as u32), factor),
                _ => (floor(&inner.get_div(position)?)?, factor),
            });
        }
    }
    let constant = whole(inner.get_constant_val()?)?;
    Ok(Variable::Floor { terms, constant, divisor: integer(&denominator)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    fn pieces(text: &str) -> Vec<Piece> {
        pieces_of(&PwQPolynomial::parse(text).unwrap()).unwrap()
    }

    #[test]
    fn terms_are_taken_apart() {
        let found = pieces("[n] -> { [i, j] -> ((1/2 * i + 1/2 * i^2) + j) : 0 <= j <= i < n }");
        assert_eq!(found.len(), 1);
        let (i, j) = (Variable::Dimension(0), Variable::Dimension(1));
        let term = |numerator, denominator, powers: &[(Variable, u32)]| Monomial {
            numerator,
            denominator,
            powers: powers.to_vec(),
        };
        let expected = [term(1, 2, &[(i.clone(), 1)]), term(1, 2, &[(i, 2)]), term(1, 1, &[(j, 1)])];
        assert_eq!(found[0].terms.len(), expected.len());
        assert!(expected.iter().all(|wanted| found[0].terms.contains(wanted)), "{:?}", found[0].terms);
    }

    #[test]
    fn values_are_those_of_isl() {
        let text = "[n] -> { [i] -> (n * i + 3 * floor((i + n)/2)) : i > 0; [i] -> 7 : i < 0 }";
        let found = pieces(text);
        for (n, i, value) in [(4, 3, 12 + 9), (-5, 2, -10 - 6), (1, -1, 7), (1, 0, 0)] {
            assert_eq!(evaluate(&found, &[("n", n)], &[i]).unwrap(), value, "n = {n}, i = {i}");
        }
    }

    #[test]
    fn floors_of_floors_are_taken_apart() {
        let found = pieces("[n] -> { floor((2 * floor((n - 1)/4) + 1)/3) }");
        for n in [-9, -1, 0, 1, 4, 5, 13, 30] {
            let value = (2 * (n - 1i64).div_euclid(4) + 1).div_euclid(3);
            assert_eq!(evaluate(&found, &[("n", n)], &[]).unwrap(), value, "n = {n}");
        }
    }

    /// Each point has the value of the first piece that contains it; the last piece applies to all remaining points.
    #[test]
    fn values_are_listed_as_generated_code_computes_them() {
        let found = pieces("{ [i] -> (10 + i) : 0 <= i <= 2; [i] -> 7 : 4 <= i <= 5 }");
        let values = |set: &str, limit| values_on(&found, &Set::parse(set).unwrap(), limit).unwrap();
        let mut all = values("{ [i] : 0 <= i <= 5 }", 6).unwrap();
        all.sort();
        let is_seven_first = found[0].terms.iter().all(|term| term.powers.is_empty());
        for (point, found) in &all {
            let expected = match point[0] {
                i @ 0..=2 => 10 + i,
                3 if is_seven_first => 13,
                _ => 7,
            };
            assert_eq!(*found, expected, "{point:?}");
        }
        assert_eq!(all.len(), 6);
        assert!(values("{ [i] : 0 <= i <= 5 }", 5).is_none());
        assert!(values("{ [i] : 0 <= i <= 5 }", 3).is_none());
    }

    #[test]
    fn values_that_are_no_integers_are_none() {
        let found = pieces("{ [i] -> (1/2 * i + 1/3 * i^2) }");
        assert_eq!(evaluate(&found, &[], &[6]).unwrap(), 3 + 12);
        assert!(evaluate(&found, &[], &[3]).is_err());
        assert!(values_on(&found, &Set::parse("{ [i] : 0 <= i <= 3 }").unwrap(), 9).unwrap().is_none());
    }

    #[test]
    fn a_missing_parameter_is_an_error() {
        let found = pieces("[n] -> { [i] -> n : i > 0 }");
        assert!(evaluate(&found, &[], &[1]).is_err());
    }
}
