//! Polynomials with rational coefficients in numbered variables.

use std::collections::BTreeMap;

/// The powers of a product: variables in ascending order, each with its positive exponent.
type Powers = Vec<(usize, u32)>;

/// A numerator and a positive denominator without a common divisor.
pub type Ratio = (i128, i128);

/// A sum of products, none of which has the coefficient 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Polynomial {
    terms: BTreeMap<Powers, Ratio>,
}

/// An affine polynomial with whole coefficients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Affine {
    /// The variables with their coefficients, which are not 0.
    pub terms: Vec<(usize, i64)>,
    /// The constant.
    pub constant: i64,
}

impl Polynomial {
    /// Returns a constant.
    pub fn constant(value: i64) -> Self {
        Self::term(Vec::new(), (value.into(), 1))
    }

    /// Returns a variable.
    pub fn variable(variable: usize) -> Self {
        Self::term(vec![(variable, 1)], (1, 1))
    }

    fn term(powers: Powers, coefficient: Ratio) -> Self {
        let is_there = coefficient.0 != 0;
        Self { terms: is_there.then_some((powers, coefficient)).into_iter().collect() }
    }

    /// True if it is 0 for all values of the variables.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the variables.
    pub fn variables(&self) -> impl Iterator<Item = usize> + '_ {
        self.terms.keys().flatten().map(|(variable, _)| *variable)
    }

    /// Returns the sum; nothing if a number is too large. The same holds for the functions below.
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (powers, coefficient) in &other.terms {
            let old = sum.terms.remove(powers).unwrap_or((0, 1));
            let new = added(old, *coefficient)?;
            if new.0 != 0 {
                sum.terms.insert(powers.clone(), new);
            }
        }
        Some(sum)
    }

    /// Returns the difference.
    pub fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.scaled((-1, 1))?)
    }

    /// Returns the polynomial times a number.
    pub fn scaled(&self, factor: Ratio) -> Option<Self> {
        self.times(&Self::term(Vec::new(), factor))
    }

    /// Returns the product.
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (powers, coefficient) in &self.terms {
            for (more, factor) in &other.terms {
                let coefficient = multiplied(*coefficient, *factor)?;
                product = product.plus(&Self::term(united(powers, more)?, coefficient))?;
            }
        }
        Some(product)
    }

    /// Returns the polynomial with another one instead of a variable.
    pub fn with(&self, variable: usize, value: &Self) -> Option<Self> {
        let mut result = Self::default();
        for (powers, coefficient) in &self.terms {
            let rest = powers.iter().copied().filter(|(other, _)| *other != variable).collect();
            let exponent = powers.iter().find(|(other, _)| *other == variable).map_or(0, |power| power.1);
            let mut term = Self::term(rest, *coefficient);
            for _ in 0..exponent {
                term = term.times(value)?;
            }
            result = result.plus(&term)?;
        }
        Some(result)
    }

    /// Returns the polynomial as an affine one with whole coefficients, if it is one.
    pub fn affine(&self) -> Option<Affine> {
        let mut found = Affine { terms: Vec::new(), constant: 0 };
        for (powers, coefficient) in &self.terms {
            let (numerator, 1) = *coefficient else { return None };
            let value = i64::try_from(numerator).ok()?;
            match powers[..] {
                [] => found.constant = value,
                [(variable, 1)] => found.terms.push((variable, value)),
                _ => return None,
            }
        }
        Some(found)
    }
}

impl Affine {
    /// Returns the polynomial.
    pub fn polynomial(&self) -> Option<Polynomial> {
        let constant = Polynomial::constant(self.constant);
        self.terms.iter().try_fold(constant, |sum, (variable, factor)| {
            sum.plus(&Polynomial::variable(*variable).scaled(((*factor).into(), 1))?)
        })
    }
}

/// Returns the powers of the product of two products.
fn united(one: &Powers, other: &Powers) -> Option<Powers> {
    let mut exponents: BTreeMap<usize, u32> = one.iter().copied().collect();
    for (variable, exponent) in other {
        let sum = exponents.entry(*variable).or_default();
        *sum = sum.checked_add(*exponent)?;
    }
    Some(exponents.into_iter().collect())
}

fn added(one: Ratio, other: Ratio) -> Option<Ratio> {
    let left = one.0.checked_mul(other.1)?;
    reduced(left.checked_add(other.0.checked_mul(one.1)?)?, one.1.checked_mul(other.1)?)
}

fn multiplied(one: Ratio, other: Ratio) -> Option<Ratio> {
    reduced(one.0.checked_mul(other.0)?, one.1.checked_mul(other.1)?)
}

/// Returns a fraction in lowest terms.
pub fn reduced(numerator: i128, denominator: i128) -> Option<Ratio> {
    let (mut a, mut b) = (numerator.checked_abs()?, denominator.checked_abs()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = if denominator < 0 { a.checked_neg()? } else { a };
    (divisor != 0).then(|| (numerator / divisor, denominator / divisor))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use super::*;

    #[test]
    fn squares_of_sums_are_multiplied_out() {
        let (x, y) = (Polynomial::variable(0), Polynomial::variable(1));
        let square = |one: &Polynomial| one.times(one).unwrap();
        let sum = square(&x.plus(&y).unwrap());
        let mixed = x.times(&y).unwrap().scaled((2, 1)).unwrap();
        let expected = square(&x).plus(&square(&y)).unwrap().plus(&mixed).unwrap();
        assert!(sum.minus(&expected).unwrap().is_zero());
        assert!(!sum.minus(&square(&x)).unwrap().is_zero());
    }

    #[test]
    fn values_take_the_place_of_variables() {
        let x = Polynomial::variable(0);
        let half = x.times(&x).unwrap().plus(&x).unwrap().scaled((1, 2)).unwrap();
        let next = half.with(0, &x.plus(&Polynomial::constant(1)).unwrap()).unwrap();
        assert_eq!(next.minus(&half).unwrap(), x.plus(&Polynomial::constant(1)).unwrap());
        assert!(half.affine().is_none());
        assert_eq!(x.scaled((3, 1)).unwrap().affine().unwrap().terms, [(0, 3)]);
        assert!(x.scaled((1, 3)).unwrap().affine().is_none(), "no whole coefficient");
    }
}
