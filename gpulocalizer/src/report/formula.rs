//! Numbers of elements as people write them: `(n^2 - n) / 2` for isl's `(-1/2 * n + 1/2 * n^2)`. Of several cases, it
//! is the one for sizes that are neither small nor special; the report for scripts has all. Parameters have the names
//! that the user gave them: `p->n` for `p_n`.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::polynomial::{Monomial, Piece, Variable, evaluate, pieces_of};
use polyhedra::{PwAff, PwQPolynomial, Result, Text};
use scop::{IslPwAff, Model};

use crate::counting::numbering::{TYPICAL, parameters_of, typical_extent};

/// The user's text for each parameter.
pub type Names = BTreeMap<String, String>;

/// Returns the user's text for the parameters of a region.
pub fn names_of(model: &Model) -> Names {
    model.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.shown())).collect()
}

/// Returns a count as people write it.
///
/// # Errors
/// Returns an error if isl cannot split it into its cases.
pub fn readable(count: &PwQPolynomial, names: &Names) -> Result<String> {
    Ok(sum(&typical_terms(count)?, names))
}

/// A number of elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// The number as people write it.
    pub text: String,
    /// The number if all parameters are [`TYPICAL`], if that is known.
    pub typical: Option<i64>,
}

/// Returns the number of elements of a box as people write it: as a product.
///
/// # Errors
/// Returns an error if an extent is no expression of isl's.
pub fn product(extents: &[&IslPwAff], names: &Names) -> Result<Product> {
    let (mut number, mut typical) = (1i64, Some(1i64));
    let mut factors = Vec::new();
    for extent in extents {
        typical = typical.zip(typical_extent(&extent.0)?).and_then(|(one, two)| one.checked_mul(two));
        let extent = PwQPolynomial::from_pw_aff(PwAff::parse(&extent.0)?)?;
        let terms = typical_terms(&extent)?;
        match &terms[..] {
            [] => number = 0,
            [Monomial { numerator, denominator: 1, powers }] if powers.is_empty() => {
                number = number.saturating_mul(*numerator);
            }
            terms => factors.push((terms.len() > 1, sum(terms, names))),
        }
    }
    let is_product = factors.len() > 1 || number != 1;
    let in_product =
        |(is_sum, text): (bool, String)| if is_sum && is_product { format!("({text})") } else { text };
    let mut words: Vec<String> = factors.into_iter().map(in_product).collect();
    if number != 1 || words.is_empty() {
        words.insert(0, number.to_string());
    }
    let text = if number == 0 { "0".to_owned() } else { words.join(" * ") };
    Ok(Product { text, typical })
}

/// Returns the terms of the case for typical parameters, or of the last one.
fn typical_terms(count: &PwQPolynomial) -> Result<Vec<Monomial>> {
    let pieces = pieces_of(count)?;
    let names: BTreeSet<String> = parameters_of(&pieces);
    let values: Vec<(&str, i64)> = names.iter().map(|name| (name.as_str(), TYPICAL)).collect();
    let is_typical =
        |piece: &&Piece| evaluate(std::slice::from_ref(*piece), &values, &[]).is_ok_and(|value| value > 0);
    let piece = pieces.iter().find(is_typical).or(pieces.last());
    Ok(piece.map_or_else(Vec::new, |piece| piece.terms.clone()))
}

/// Returns a sum: higher powers first, and no sign at the beginning if that can be avoided.
fn sum(terms: &[Monomial], names: &Names) -> String {
    let common = terms.iter().fold(1i64, |common, term| {
        let factor = term.denominator / greatest(common, term.denominator);
        common.saturating_mul(factor)
    });
    let mut terms: Vec<(i64, &[(Variable, u32)])> = terms
        .iter()
        .map(|term| (term.numerator.saturating_mul(common / term.denominator), &term.powers[..]))
        .collect();
    let degree = |powers: &[(Variable, u32)]| powers.iter().map(|(_, exponent)| *exponent).sum::<u32>();
    terms.sort_by_key(|(_, powers)| std::cmp::Reverse(degree(powers)));
    if let Some(first) = terms.iter().position(|(coefficient, _)| *coefficient > 0) {
        terms[..=first].rotate_right(1);
    }
    let mut text = String::new();
    for (position, (coefficient, powers)) in terms.iter().enumerate() {
        text += match (position, *coefficient < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        text += &term(coefficient.unsigned_abs(), powers, names);
    }
    match (terms.len(), common) {
        (0, _) => "0".to_owned(),
        (_, 1) => text,
        (1, common) => format!("{text} / {common}"),
        (_, common) => format!("({text}) / {common}"),
    }
}

fn term(coefficient: u64, powers: &[(Variable, u32)], names: &Names) -> String {
    let number = (coefficient != 1 || powers.is_empty()).then(|| coefficient.to_string());
    let power = |(variable, exponent): &(Variable, u32)| match exponent {
        1 => name(variable, names),
        exponent => format!("{}^{exponent}", name(variable, names)),
    };
    number.into_iter().chain(powers.iter().map(power)).collect::<Vec<_>>().join(" * ")
}

fn name(variable: &Variable, names: &Names) -> String {
    match variable {
        Variable::Parameter(name) => names.get(name).unwrap_or(name).clone(),
        Variable::Dimension(position) => format!("i{position}"),
        Variable::Floor { terms, constant, divisor } => {
            let monomial = |(variable, coefficient): &(Variable, i64)| Monomial {
                numerator: *coefficient,
                denominator: 1,
                powers: vec![(variable.clone(), 1)],
            };
            let mut all: Vec<Monomial> = terms.iter().map(monomial).collect();
            if *constant != 0 {
                all.push(Monomial { numerator: *constant, denominator: 1, powers: Vec::new() });
            }
            let inner = sum(&all, names);
            if all.len() > 1 {
                format!("floor(({inner}) / {divisor})")
            } else {
                format!("floor({inner} / {divisor})")
            }
        }
    }
}

fn greatest(one: i64, two: i64) -> i64 {
    if two == 0 { one.abs().max(1) } else { greatest(two, one % two) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let names = [("p_n", "p->n"), ("k_1", "(k + 1)")];
        names.into_iter().map(|(one, shown)| (one.to_owned(), shown.to_owned())).collect()
    }

    #[test]
    fn counts_are_written_as_people_do() {
        for (count, expected) in [
            ("{ 10 }", "10"),
            ("[n] -> { -2 + n : n > 2 }", "n - 2"),
            ("[n] -> { 2000 - n : n > 2 }", "2000 - n"),
            ("[n] -> { (4 - 4 * n + n^2) : n > 2 }", "n^2 - 4 * n + 4"),
            ("[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }", "(n^2 + n) / 2"),
            ("[n] -> { 1/2 * n : n > 0 and n mod 2 = 0 }", "n / 2"),
            ("[n] -> { floor((1 + n)/2) : n > 0 }", "n - floor(n / 2)"),
            ("[n] -> { n : n >= 5; (-4 + 2 * n) : 3 <= n <= 4 }", "n"),
            ("[n] -> { (132 + 68 * n - n^2) : 3 <= n <= 64; (-2 + n) : n >= 65 }", "n - 2"),
            ("[n] -> { n : 0 < n < 9 }", "n"),
            ("[n, p_n] -> { p_n^2 + n : n > 0 and p_n > 0 }", "p->n^2 + n"),
            ("[k_1] -> { 2 * k_1 : k_1 > 0 }", "2 * (k + 1)"),
        ] {
            let parsed = PwQPolynomial::parse(count).unwrap();
            assert_eq!(readable(&parsed, &names()).unwrap(), expected, "{count}");
        }
    }

    #[test]
    fn boxes_are_products() {
        for (extents, expected, typical) in [
            (&["[n] -> { [(-1 + n)] }", "[m] -> { [(m)] }"][..], "(n - 1) * m", 999_000),
            (&["[n] -> { [(-2 + n)] }", "{ [(64)] }"], "64 * (n - 2)", 64 * 998),
            (&["[n] -> { [(-1 + n)] }"], "n - 1", 999),
            (&["{ [(200)] }", "{ [(200)] }"], "40000", 40000),
            (&["[n] -> { [(n)] }", "{ [(0)] }"], "0", 0),
            (&[], "1", 1),
        ] {
            let extents: Vec<IslPwAff> = extents.iter().map(|text| IslPwAff((*text).to_owned())).collect();
            let expected = Product { text: expected.to_owned(), typical: Some(typical) };
            assert_eq!(product(&extents.iter().collect::<Vec<_>>(), &names()).unwrap(), expected);
        }
    }
}
