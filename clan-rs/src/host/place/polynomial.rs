//! Sums of products of variables.

use std::collections::BTreeMap;

use crate::c::ctree::VariableId;

/// A sum: the coefficient of each product of variables.
pub type Polynomial = BTreeMap<Vec<VariableId>, i128>;

pub fn sum(mut one: Polynomial, two: Polynomial) -> Polynomial {
    for (variables, coefficient) in two {
        let all = one.entry(variables).or_default();
        *all = all.saturating_add(coefficient);
    }
    one.retain(|_, coefficient| *coefficient != 0);
    one
}

pub fn scaled(mut one: Polynomial, factor: i128) -> Polynomial {
    one.values_mut().for_each(|coefficient| *coefficient = coefficient.saturating_mul(factor));
    one
}

pub fn product(one: &Polynomial, two: &Polynomial) -> Polynomial {
    let mut all = Polynomial::new();
    for (left, a) in one {
        for (right, b) in two {
            let mut variables = [&left[..], right].concat();
            variables.sort_unstable();
            all = sum(all, Polynomial::from([(variables, a.saturating_mul(*b))]));
        }
    }
    all
}
