//! Numbers of elements, and how often they are used, as formulas of the parameters, for the report.

use std::collections::BTreeSet;

use polyhedra::{Error, Map, PwQPolynomial, Result, Set, Simplify, Text};
use scop::{Access, AccessKind, Model, Statement};

use crate::counting::numbering::{TYPICAL, typical};
use crate::report::formula::{names_of, readable};
use place::counting::{Counting, WORK};

/// Counts elements. There are no amounts without libbarvinok, or if a count is too hard.
pub struct Amounts<'a> {
    model: &'a Model,
    counting: &'a Counting,
    /// The error of the first count that took too long.
    late: Option<Error>,
}

/// A number that depends on the parameters.
pub struct Amount {
    /// The number as a formula, such as `1/2 * n + 1/2 * n^2`; with its cases if it has several.
    pub formula: String,
    /// The same for people.
    pub readable: String,
    /// The number if all parameters are [`TYPICAL`].
    pub typical: Option<i64>,
}

impl<'a> Amounts<'a> {
    /// Starts counting for a region.
    pub fn new(model: &'a Model, counting: &'a Counting) -> Self {
        counting.allow(WORK);
        Self { model, counting, late: None }
    }

    /// Ends counting for a region.
    ///
    /// # Errors
    /// Returns an error if a count took too long. On another machine it might not, and the report would contain other
    /// amounts.
    pub fn finish(self) -> Result<()> {
        self.late.map_or(Ok(()), Err)
    }

    /// Returns the number of elements of a set, such as `[n] -> { A0[i] : … }`.
    pub fn of(&mut self, set: &Set) -> Option<Amount> {
        let context = Set::parse(&self.model.context.0).ok()?;
        let set = set.copy().ok()?.intersect_params(context).ok()?.simplified().ok()?;
        let count = self.count(&set.text().ok()?)?;
        let parsed = PwQPolynomial::parse(&count).ok()?;
        let readable = readable(&parsed, &names_of(self.model)).unwrap_or_else(|_| formula(&count));
        Some(Amount { formula: formula(&count), readable, typical: typical(&parsed).ok().flatten() })
    }

    /// True if a set has no elements for any parameters that the region may have.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails.
    pub fn is_empty(&self, set: &Set) -> Result<bool> {
        let context = Set::parse(&self.model.context.0)?;
        Ok(set.copy()?.intersect_params(context)?.is_empty()?)
    }

    fn count(&mut self, set: &str) -> Option<String> {
        match self.counting.count(|counter| counter.card(set)) {
            Ok(count) => count.ok(),
            Err(error) => {
                self.late.get_or_insert(error);
                None
            }
        }
    }

    /// Returns the number of elements that the given references touch, and how often each is used, in words.
    ///
    /// # Errors
    /// Returns an error if a reference belongs to no statement.
    pub fn used(&mut self, accesses: &[&Access]) -> Result<Option<(Amount, Option<String>)>> {
        let owned = accesses.iter().map(|access| Ok((*access, self.model.owner(access.id)?)));
        let owned = owned.collect::<Result<Vec<_>>>()?;
        Ok(self.used_by(&owned))
    }

    fn used_by(&mut self, accesses: &[(&Access, &Statement)]) -> Option<(Amount, Option<String>)> {
        let mut touched: Option<Set> = None;
        let mut uses = Some(0i64);
        // A reference that is read and written is two accesses and one use.
        let mut seen = BTreeSet::new();
        for (access, owner) in accesses {
            let relation = executed(access, owner).ok()?;
            let instances = relation.copy().ok()?.domain().ok()?;
            let elements = relation.range().ok()?;
            touched = polyhedra::add(touched, elements).ok()?;
            let both = (access.kind == AccessKind::Write, &access.relation.0);
            if seen.insert(both) && !seen.contains(&(!both.0, both.1)) {
                let times = self.of(&instances).and_then(|amount| amount.typical);
                uses = uses.zip(times).and_then(|(uses, times)| uses.checked_add(times));
            }
        }
        let elements = self.of(&touched?)?;
        let each = uses.zip(elements.typical).and_then(|(uses, elements)| uses.checked_div(elements));
        let reuse = each.map(|each| match each {
            0 | 1 => "once for each element".to_owned(),
            each => format!("{each} times for each element, at sizes of {TYPICAL}"),
        });
        Some((elements, reuse))
    }
}

/// Returns the relation of an access, restricted to the instances that are executed.
fn executed(access: &Access, owner: &Statement) -> Result<Map> {
    let domain = Set::parse(&owner.domain.0)?;
    Ok(Map::parse(&access.relation.0)?.intersect_domain(domain)?)
}

/// Extracts the formula from isl's text of a count: without parameters, and without the condition if there is only
/// one case.
fn formula(count: &str) -> String {
    let body = count.split_once('{').map_or(count, |(_, body)| body);
    let body = body.trim().trim_end_matches('}').trim();
    if body.contains(';') {
        return format!("{{ {body} }}");
    }
    let value = body.split_once(" : ").map_or(body, |(value, _)| value);
    let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')'));
    let whole = inner.filter(|inner| is_balanced(inner));
    whole.unwrap_or(value).to_owned()
}

/// True if every closing parenthesis has an opening one before it.
fn is_balanced(text: &str) -> bool {
    let mut open = 0i32;
    text.chars().all(|letter| {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        open >= 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_no_parameters_and_no_single_condition() {
        for (count, expected) in [
            ("{ 10 }", "10"),
            ("[n, m] -> { n * m : n > 0 and m > 0 }", "n * m"),
            ("[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }", "1/2 * n + 1/2 * n^2"),
            ("[n] -> { ((1 + n) * floor((n)/2)) : n > 0 }", "(1 + n) * floor((n)/2)"),
            ("[n] -> { (1 + n) * (2 + n) : n > 0 }", "(1 + n) * (2 + n)"),
            ("[n] -> { n : n > 3; 2 : n = 3 }", "{ n : n > 3; 2 : n = 3 }"),
        ] {
            assert_eq!(formula(count), expected);
        }
    }
}
