//! Claims about functions whose bodies are in the same file, compared with what the analysis finds.

use std::collections::BTreeMap;

use scop::{BinaryOp, Diagnostic};

use crate::c::ctree::Tree;
use crate::directives::effects::{Amount, Does, EffectsClaim, Item, Path, Section};
use crate::errors::{UNCHECKED_EFFECTS, WRONG_EFFECTS};
use crate::host::Host;

/// Returns an error if a function does more than is claimed, and a warning if that is not known.
pub fn check(claim: &EffectsClaim, tree: &Tree, host: &Host) -> Option<Diagnostic> {
    let (symbol, name) = (&claim.effects.function, &claim.shown);
    tree.functions.iter().find(|function| tree.symbol(&function.name) == symbol)?;
    let Some(found) = host.uses.iter().find(|effects| effects.function == *symbol) else {
        let message = format!("it could not be checked that `{name}` does nothing but what this says");
        let warning = Diagnostic::warning(UNCHECKED_EFFECTS, message);
        let warning = warning.at(&claim.path, claim.range, "callers in other files rely on it");
        return Some(
            warning.with_help("make sure that it holds; functions that run unknown code cannot be checked"),
        );
    };
    let is_counted = |item: &Item| {
        item.does == Does::Reads && claim.effects.items.iter().any(|one| is_in_section(one, &item.path))
    };
    let is_said = |item: &Item| claim.effects.items.iter().any(|one| covers(one, item)) || is_counted(item);
    let missing = found.items.iter().find(|item| !is_said(item))?;
    let message = format!("`{name}` does more than this says: `{missing}` is missing");
    let error = Diagnostic::error(WRONG_EFFECTS, message);
    let error = error.at(&claim.path, claim.range, "callers in other files rely on it");
    Some(error.with_help(format!("add `{missing}` to the directive, or remove the directive")))
}

/// True if a claim is about at least the same use of the same memory.
fn covers(claim: &Item, found: &Item) -> bool {
    let is_enough = match found.does {
        Does::Reads => true,
        Does::Writes | Does::Announces => claim.does != Does::Reads,
        Does::Device => claim.does == Does::Device,
    };
    let is_within = match (&claim.section, &found.section) {
        (None, _) => true,
        (Some(claim), Some(found)) => contains(claim, found),
        (Some(_), None) => false,
    };
    is_enough && claim.path == found.path && is_within
}

/// True if the section of an item names a number, which is read then.
fn is_in_section(item: &Item, number: &Path) -> bool {
    let amounts = item.section.iter().flat_map(|section| [&section.start, &section.length]);
    amounts.into_iter().any(|amount| polynomial(amount).keys().flatten().any(|path| path == number))
}

/// True if all elements of a section are in another one, whatever the parameters are.
fn contains(outer: &Section, inner: &Section) -> bool {
    let is_not_negative = |sum: Sum| sum.iter().all(|(paths, number)| paths.is_empty() && *number >= 0);
    let end = |section: &Section| sum(&section.start, &section.length, 1);
    let before = sum(&inner.start, &outer.start, -1);
    let after = plus(end(outer), end(inner), -1);
    is_not_negative(before) && is_not_negative(after)
}

/// The coefficient of each product of parameters and members.
type Sum = BTreeMap<Vec<Path>, i128>;

fn sum(one: &Amount, other: &Amount, factor: i128) -> Sum {
    plus(polynomial(one), polynomial(other), factor)
}

fn plus(mut one: Sum, other: Sum, factor: i128) -> Sum {
    for (paths, number) in other {
        let all = one.entry(paths).or_default();
        *all = all.saturating_add(number.saturating_mul(factor));
    }
    one.retain(|_, number| *number != 0);
    one
}

fn polynomial(amount: &Amount) -> Sum {
    match amount {
        Amount::Number(value) => plus(Sum::new(), Sum::from([(Vec::new(), *value)]), 1),
        Amount::Value(path) => Sum::from([(vec![path.clone()], 1)]),
        Amount::Binary(BinaryOp::Mul, left, right) => {
            let (left, right) = (polynomial(left), polynomial(right));
            let mut all = Sum::new();
            for (one, a) in &left {
                for (other, b) in &right {
                    let mut paths = [&one[..], other].concat();
                    paths.sort_unstable();
                    all = plus(all, Sum::from([(paths, a.saturating_mul(*b))]), 1);
                }
            }
            all
        }
        Amount::Binary(operator, left, right) => {
            sum(left, right, if *operator == BinaryOp::Sub { -1 } else { 1 })
        }
    }
}
