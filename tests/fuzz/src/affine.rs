//! Affine forms of iterators and parameters, and what their values lie between.

use std::collections::BTreeMap;

/// What a form is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// An iterator, by what names its loop.
    Iterator(usize),
    /// The parameter `n`, never negative.
    N,
    /// The parameter `m`, never negative.
    M,
}

/// Symbols times integers, and a constant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Affine {
    /// Coefficients other than 0.
    pub terms: BTreeMap<Symbol, i64>,
    /// The constant.
    pub constant: i64,
}

impl Affine {
    /// A constant.
    pub fn constant(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    /// A symbol.
    pub fn of(symbol: Symbol) -> Self {
        Self::constant(0).plus(symbol, 1)
    }

    /// The form with a multiple of a symbol added.
    pub fn plus(mut self, symbol: Symbol, coefficient: i64) -> Self {
        *self.terms.entry(symbol).or_insert(0) += coefficient;
        self.terms.retain(|_, coefficient| *coefficient != 0);
        self
    }

    /// The form with a constant added.
    pub fn shifted(mut self, offset: i64) -> Self {
        self.constant += offset;
        self
    }

    /// The iterators that it uses.
    pub fn iterators(&self) -> impl Iterator<Item = usize> {
        self.terms.keys().filter_map(|symbol| match symbol {
            Symbol::Iterator(iterator) => Some(*iterator),
            Symbol::N | Symbol::M => None,
        })
    }

    /// Its value.
    pub fn value(&self, n: i64, m: i64, iterators: &BTreeMap<usize, i64>) -> i64 {
        let symbol_value = |symbol: &Symbol| match symbol {
            Symbol::Iterator(iterator) => iterators.get(iterator).copied().unwrap_or(0),
            Symbol::N => n,
            Symbol::M => m,
        };
        self.constant + self.terms.iter().map(|(symbol, by)| by * symbol_value(symbol)).sum::<i64>()
    }
}

/// `constant + n * by_n + m * by_m`: a bound of values for all parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    pub constant: i64,
    pub by_n: i64,
    pub by_m: i64,
}

impl Limit {
    /// A bound that no parameter moves.
    pub const fn constant(constant: i64) -> Self {
        Self { constant, by_n: 0, by_m: 0 }
    }

    /// Its value.
    pub fn value(self, n: i64, m: i64) -> i64 {
        self.constant + self.by_n * n + self.by_m * m
    }

    /// The least bound of this form that is above both: parameters are never negative.
    pub fn above(self, other: Self) -> Self {
        self.each(other, i64::max)
    }

    /// The greatest bound of this form that is below both.
    pub fn below(self, other: Self) -> Self {
        self.each(other, i64::min)
    }

    /// The bound moved by a constant.
    pub fn shifted(self, offset: i64) -> Self {
        Self { constant: self.constant + offset, ..self }
    }

    fn each(self, other: Self, choose: fn(i64, i64) -> i64) -> Self {
        Self {
            constant: choose(self.constant, other.constant),
            by_n: choose(self.by_n, other.by_n),
            by_m: choose(self.by_m, other.by_m),
        }
    }

    fn plus(self, other: Self, times: i64) -> Self {
        Self {
            constant: self.constant + times * other.constant,
            by_n: self.by_n + times * other.by_n,
            by_m: self.by_m + times * other.by_m,
        }
    }
}

/// What a value lies between, both included, wherever it is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub low: Limit,
    pub high: Limit,
}

impl Range {
    /// Between two constants.
    pub const fn constant(low: i64, high: i64) -> Self {
        Self { low: Limit::constant(low), high: Limit::constant(high) }
    }

    /// The values of a form. `None` if it uses an iterator that is not in scope.
    pub fn of(form: &Affine, iterators: &BTreeMap<usize, Range>) -> Option<Self> {
        let mut range = Self::constant(form.constant, form.constant);
        for (symbol, &by) in &form.terms {
            let of_symbol = match symbol {
                Symbol::Iterator(iterator) => *iterators.get(iterator)?,
                Symbol::N => Self::parameter(1, 0),
                Symbol::M => Self::parameter(0, 1),
            };
            let (low, high) =
                if by < 0 { (of_symbol.high, of_symbol.low) } else { (of_symbol.low, of_symbol.high) };
            range = Self { low: range.low.plus(low, by), high: range.high.plus(high, by) };
        }
        Some(range)
    }

    /// The range of quotients; the dividends are not negative.
    pub fn divided(self, by: i64) -> Self {
        let up = |value: i64| if value > 0 { (value + by - 1) / by } else { 0 };
        let high = self.high;
        Self {
            low: Limit::constant(0),
            high: Limit { constant: up(high.constant), by_n: up(high.by_n), by_m: up(high.by_m) },
        }
    }

    /// True if no value is negative, whatever the parameters are.
    pub fn is_natural(self) -> bool {
        self.low.constant >= 0 && self.low.by_n >= 0 && self.low.by_m >= 0
    }

    fn parameter(by_n: i64, by_m: i64) -> Self {
        let limit = Limit { constant: 0, by_n, by_m };
        Self { low: limit, high: limit }
    }
}
