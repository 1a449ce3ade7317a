//! What all iterations of a loop together access, in terms of what holds before the loop.
//!
//! *before → after*: in `for (i = low; i < high; i++)`, the place `a[i * n + j]` becomes the range from the first
//! element, at `i = low`, to the last, at `i = high - 1`. That needs a subscript that grows or falls with `i`: the
//! coefficient of `i` is a constant, or a product of a constant and of variables that are positive whenever anything is
//! touched. A place that depends on something else that the loop changes is not known before the loop.

use std::collections::BTreeSet;

use scop::{BinaryOp, CType};

use crate::c::ctree::{Expr, ExprKind, Stmt, StmtKind, VariableId};
use crate::host::doings::Access;
use crate::host::place::{Extent, Guard, Place, Polynomial, Step, Term};
use crate::host::pointers::Pointers;
use crate::host::solver::Node;
use crate::host::unplaced::{Uncounted, Unplaced};

/// A loop that counts up by one.
#[derive(Debug, Clone)]
pub struct Counter {
    /// The variable that counts.
    pub variable: VariableId,
    /// Its first value.
    low: Term,
    /// Its last value, if the loop runs at all.
    last: Term,
    /// The loop runs if this holds.
    guard: Guard,
}

impl Counter {
    /// Returns the variable that a `for` loop counts with, if nothing but its header changes that.
    ///
    /// # Errors
    /// Returns what keeps it from counting.
    pub fn of(pointers: &Pointers, init: &Stmt, condition: &Expr, step: &Expr) -> Result<Self, Uncounted> {
        let tree = pointers.tree();
        let no_start = Uncounted::Start(init.range);
        let (variable, value) = match &init.kind {
            StmtKind::Declaration(ids) if ids.len() == 1 => {
                (ids[0], tree.variable(ids[0]).initial.as_ref().ok_or(no_start)?)
            }
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign { operator: None, target, value }, ..
            }) => (target.as_variable().ok_or(no_start)?, &**value),
            _ if !counts_something_up(step) => return Err(Uncounted::Step(step.range)),
            _ => return Err(no_start),
        };
        if !counts_up(step, variable) {
            return Err(Uncounted::Step(step.range));
        }
        let ctype = tree.variable(variable).arithmetic().ok_or(no_start)?;
        let low = Term::of(pointers, value).ok_or(Uncounted::Bound(value.range))?;
        let no_condition = Uncounted::Condition(condition.range);
        let ExprKind::Binary(operator, left, right) = &condition.kind else { return Err(no_condition) };
        let counts =
            |side: &Expr| Term::of(pointers, side).is_some_and(|term| has_value_of_variable(&term, variable));
        let (bound, inclusive) = match operator {
            BinaryOp::Lt | BinaryOp::Le if counts(left) => (right, *operator == BinaryOp::Le),
            BinaryOp::Gt | BinaryOp::Ge if counts(right) => (left, *operator == BinaryOp::Ge),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
                if [left, right].iter().any(|side| side.without_casts().as_variable() == Some(variable)) =>
            {
                return Err(Uncounted::Types(condition.range));
            }
            _ => return Err(no_condition),
        };
        let high = Term::of(pointers, bound).ok_or(Uncounted::Bound(bound.range))?;
        if mentions(&high, variable) {
            return Err(no_condition);
        }
        if !is_exact(ctype, [&low, &high]) {
            return Err(Uncounted::Types(condition.range));
        }
        let last = if inclusive { high.clone() } else { high.clone().minus_one() };
        Ok(Self { variable, guard: Guard { low: low.clone(), high, inclusive }, low, last })
    }

    /// Returns the variables of its bounds.
    pub fn bounds(&self) -> BTreeSet<VariableId> {
        let mut variables = BTreeSet::new();
        self.low.add_variables(&mut variables);
        self.last.add_variables(&mut variables);
        variables
    }

    /// Returns the memory that is read to compute its bounds, apart from variables.
    pub fn loads(&self) -> Vec<Node> {
        let mut loads = Vec::new();
        self.low.add_loads(&mut loads);
        self.last.add_loads(&mut loads);
        loads
    }

    /// Returns what an access in the loop touches in all iterations; nothing if that is not known. Requires that
    /// the loop changes nothing of the place but its own variable.
    ///
    /// If some iterations may do without the access, the bound of the loop may be larger than any array, and the text
    /// must not overflow with it: then the last subscript is capped, and the first is one that is computed anyway if
    /// the access is `certain` in each iteration that is executed.
    pub fn over_all(&self, place: &Place, may_be_left_out: bool, certain: bool) -> Option<Place> {
        let capped = may_be_left_out && !self.is_small_in(place);
        if capped && matches!(place.extent, Extent::From(..)) {
            return None;
        }
        let mut all = place.clone();
        all.guards = place.guards.iter().map(|guard| self.weakest(guard)).collect::<Option<_>>()?;
        // A guard that holds in some iterations and not in others leaves gaps.
        all.whole &= !place.guards.iter().any(|guard| self.is_in_guard(guard));
        let positive = positive(place.guards.iter().chain([&self.guard]));
        all.whole &= match &mut all.extent {
            Extent::Between(low, high) => {
                let fixed = low.steps[..low.loaded].iter().chain(&high.steps[..high.loaded]);
                if fixed.into_iter().any(|step| self.is_in(step)) {
                    return None;
                }
                let fills =
                    !low.steps.iter().any(|step| self.is_in(step)) || low == high && self.fills(&low.steps);
                for (first, last) in low.indices_mut().zip(high.indices_mut()) {
                    let is_capped = capped && mentions(last, self.variable);
                    if is_capped && grows(&last.polynomial()?, self.variable, &positive) != Some(true) {
                        return None;
                    }
                    *first = self.at_an_end(first, &positive, End::Lowest)?;
                    *last = self.at_an_end(last, &positive, End::Highest)?;
                    if is_capped {
                        *last = capped_at_limit(last).filter(|_| certain || is_simple(first))?;
                    }
                }
                fills
            }
            Extent::From(lvalue, offset, bytes) => {
                let depends = offset.iter().chain(bytes.iter()).any(|term| mentions(term, self.variable))
                    || lvalue.steps.iter().any(|step| self.is_in(step));
                if depends {
                    return None;
                }
                true
            }
        };
        all.guards.push(self.guard.clone());
        all.reads.remove(&self.variable);
        all.reads.extend(self.bounds());
        all.loads.extend(self.loads());
        all.follows |= !self.loads().is_empty();
        Some(all)
    }

    /// True if all subscripts that depend on the variable are the variable itself, with at most 32 bits.
    fn is_small_in(&self, place: &Place) -> bool {
        let is_small = |term: &Term| {
            let is_itself =
                matches!(term, Term::Variable(id, ctype) if *id == self.variable && ctype.size() <= 4);
            is_itself || !mentions(term, self.variable)
        };
        let fits = self.low.ctype().size() <= 4 && self.last.ctype().size() <= 4;
        fits && match &place.extent {
            Extent::Between(low, high) => low.indices().chain(high.indices()).all(is_small),
            Extent::From(..) => !place.reads.contains(&self.variable),
        }
    }

    fn is_in_guard(&self, guard: &Guard) -> bool {
        mentions(&guard.low, self.variable) || mentions(&guard.high, self.variable)
    }

    fn is_in(&self, step: &Step) -> bool {
        matches!(step, Step::Index(index) if mentions(index, self.variable))
    }

    /// True if the iterations touch adjacent elements, all in a row of an array.
    fn fills(&self, steps: &[Step]) -> bool {
        let one = Polynomial::from([(Vec::new(), 1)]);
        match steps.split_last() {
            Some((Step::Index(index), outer)) => {
                let factor = index.polynomial().and_then(|sum| coefficient(&sum, self.variable));
                let adjacent = factor == Some(one);
                adjacent && !outer.iter().any(|step| self.is_in(step))
            }
            _ => false,
        }
    }

    /// Returns the lowest or highest value of a term.
    fn at_an_end(&self, term: &Term, positive: &BTreeSet<VariableId>, end: End) -> Option<Term> {
        if !mentions(term, self.variable) {
            return Some(term.clone());
        }
        let grows = grows(&term.polynomial()?, self.variable, positive)?;
        let value = if grows == (end == End::Lowest) { &self.low } else { &self.last };
        Some(term.with(self.variable, value))
    }

    /// Returns a condition that holds if a guard holds in any iteration.
    fn weakest(&self, guard: &Guard) -> Option<Guard> {
        let difference =
            Term::Binary(BinaryOp::Sub, Box::new(guard.high.clone()), Box::new(guard.low.clone()));
        if !mentions(&difference, self.variable) {
            return Some(guard.clone());
        }
        // Differences of unsigned numbers wrap around.
        if difference.ctype().is_unsigned() && [&guard.low, &guard.high].into_iter().any(subtracts) {
            return None;
        }
        let grows = grows(&difference.polynomial()?, self.variable, &BTreeSet::new())?;
        let value = if grows { &self.last } else { &self.low };
        let [low, high] = [&guard.low, &guard.high].map(|term| term.with(self.variable, value));
        Some(Guard { low, high, ..*guard })
    }
}

/// Returns a subscript with a limit; nothing if a `double` may be too coarse to tell whether it is below it.
fn capped_at_limit(term: &Term) -> Option<Term> {
    let term = if let Term::Capped(inner) = term { inner } else { term };
    let sum = term.polynomial().filter(|_| keeps_all_values(term))?;
    let falls = |(factors, number): (&Vec<VariableId>, &i128)| *number < 0 && !factors.is_empty();
    let is_fine = are_small(term) || !sum.iter().any(falls);
    is_fine.then(|| Term::Capped(Box::new(term.clone())))
}

/// True for a constant, and for a variable plus or minus a small constant.
fn is_simple(term: &Term) -> bool {
    let Some(sum) = term.polynomial().filter(|_| keeps_all_values(term)) else { return false };
    let is_small = |(factors, number): (&Vec<VariableId>, &i128)| match factors.len() {
        0 => number.abs() <= 1 << 20,
        1 => *number == 1 && term.ctype().size() > 4,
        _ => false,
    };
    sum.len() <= 2 && sum.iter().all(is_small)
}

/// True if all variables of a term have at most 32 bits.
fn are_small(term: &Term) -> bool {
    match term {
        Term::Integer(..) => true,
        Term::Variable(_, ctype) => ctype.size() <= 4,
        Term::Member(loaded) => loaded.ctype.size() <= 4,
        Term::Negated(operand) | Term::Cast(_, operand) | Term::Capped(operand) => are_small(operand),
        Term::Binary(_, left, right) => are_small(left) && are_small(right),
    }
}

/// True if no conversion in a term changes a value.
fn keeps_all_values(term: &Term) -> bool {
    match term {
        Term::Integer(..) | Term::Variable(..) | Term::Member(_) => true,
        Term::Negated(operand) | Term::Capped(operand) => keeps_all_values(operand),
        Term::Cast(ctype, operand) => keeps_values(*ctype, operand) && keeps_all_values(operand),
        Term::Binary(_, left, right) => keeps_all_values(left) && keeps_all_values(right),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Lowest,
    Highest,
}

/// True if a sum grows with a variable or does not depend on it, false if it falls; nothing if that is not known.
fn grows(sum: &Polynomial, variable: VariableId, positive: &BTreeSet<VariableId>) -> Option<bool> {
    let coefficient = coefficient(sum, variable)?;
    let is_positive = |factors: &[VariableId]| factors.iter().all(|factor| positive.contains(factor));
    let are_known = coefficient.keys().all(|factors| is_positive(factors));
    let (any_grows, any_falls) =
        (coefficient.values().any(|number| *number > 0), coefficient.values().any(|number| *number < 0));
    (are_known && !(any_grows && any_falls)).then_some(!any_falls)
}

/// Returns what a variable is multiplied with in a sum; nothing if it is multiplied with itself.
fn coefficient(sum: &Polynomial, variable: VariableId) -> Option<Polynomial> {
    let mut found = Polynomial::new();
    for (factors, number) in sum {
        let rest: Vec<VariableId> = factors.iter().copied().filter(|factor| *factor != variable).collect();
        match factors.len() - rest.len() {
            0 => {}
            1 => {
                found.insert(rest, *number);
            }
            _ => return None,
        }
    }
    Some(found)
}

/// True if a term names a variable, although the value may not depend on it.
fn mentions(term: &Term, variable: VariableId) -> bool {
    let mut variables = BTreeSet::new();
    term.add_variables(&mut variables);
    variables.contains(&variable)
}

/// Returns the variables that are positive if all guards hold.
fn positive<'a>(guards: impl Iterator<Item = &'a Guard>) -> BTreeSet<VariableId> {
    let from_zero = |guard: &&Guard| {
        let least = if guard.inclusive { 1 } else { 0 };
        matches!(guard.low, Term::Integer(low, _) if low >= least)
    };
    let high = guards.filter(from_zero).map(|guard| without_casts(&guard.high));
    high.filter_map(|term| if let Term::Variable(id, _) = term { Some(*id) } else { None }).collect()
}

fn without_casts(term: &Term) -> &Term {
    match term {
        Term::Cast(_, operand) => without_casts(operand),
        _ => term,
    }
}

/// True for a variable, and for a conversion of it to a type that has all of its values.
fn has_value_of_variable(term: &Term, variable: VariableId) -> bool {
    match term {
        Term::Variable(id, _) => *id == variable,
        Term::Cast(ctype, operand) => {
            keeps_values(*ctype, operand) && has_value_of_variable(operand, variable)
        }
        _ => false,
    }
}

/// True if a conversion keeps all values of its operand.
fn keeps_values(ctype: CType, operand: &Term) -> bool {
    let from = operand.ctype();
    match (ctype.is_unsigned(), from.is_unsigned()) {
        (true, true) | (false, false) => ctype.size() >= from.size(),
        (false, true) => ctype.size() > from.size(),
        (true, false) => matches!(operand, Term::Integer(value, _) if *value >= 0),
    }
}

/// True if a term has a difference or a negative number in it.
fn subtracts(term: &Term) -> bool {
    match term {
        Term::Integer(value, _) => *value < 0,
        Term::Variable(..) | Term::Member(_) => false,
        Term::Negated(_) => true,
        Term::Cast(_, operand) | Term::Capped(operand) => subtracts(operand),
        Term::Binary(operator, left, right) => {
            *operator == BinaryOp::Sub || subtracts(left) || subtracts(right)
        }
    }
}

/// True for a step that counts some variable up by one, and does nothing else.
fn counts_something_up(step: &Expr) -> bool {
    match &step.kind {
        ExprKind::Increment { target, .. } | ExprKind::Assign { target, .. } => {
            target.as_variable().is_some_and(|variable| counts_up(step, variable))
        }
        _ => false,
    }
}

/// `i++`, `++i`, `i += 1`
fn counts_up(step: &Expr, variable: VariableId) -> bool {
    match &step.kind {
        ExprKind::Increment { down: false, target, .. } => target.as_variable() == Some(variable),
        ExprKind::Assign { operator: Some(BinaryOp::Add), target, value } => {
            let is_one = matches!(value.without_casts().kind, ExprKind::Integer(1));
            is_one && target.as_variable() == Some(variable)
        }
        _ => false,
    }
}

/// Larger numbers stand for negative ones in unsigned arithmetic, or soon wrap around.
const LARGEST: i128 = i32::MAX as i128;

/// True if the bounds of a loop are compared and counted as mathematical integers: all are signed, or all are unsigned
/// with 64 bits.
fn is_exact(ctype: CType, bounds: [&Term; 2]) -> bool {
    let is_like = |other: CType| {
        let same_sign = other.is_unsigned() == ctype.is_unsigned();
        same_sign && other.size() >= if ctype.is_unsigned() { 8 } else { 4 }
    };
    fn fits(term: &Term, is_like: &impl Fn(CType) -> bool) -> bool {
        match term {
            Term::Integer(value, _) => *value >= 0 && *value <= LARGEST || is_like(CType::Int),
            Term::Variable(_, ctype) => is_like(*ctype),
            Term::Member(loaded) => is_like(loaded.ctype),
            Term::Negated(operand) => is_like(CType::Int) && fits(operand, is_like),
            Term::Capped(operand) => fits(operand, is_like),
            Term::Cast(ctype, operand) => {
                is_like(*ctype) && keeps_values(*ctype, operand) && fits(operand, is_like)
            }
            Term::Binary(_, left, right) => fits(left, is_like) && fits(right, is_like),
        }
    }
    // The first value of an unsigned counter would wrap around.
    let wraps = ctype.is_unsigned() && subtracts(bounds[0]);
    is_like(ctype) && !wraps && bounds.iter().all(|bound| fits(bound, &is_like))
}

/// True if all subscripts of a place are computed as mathematical integers.
pub fn is_exact_place(place: &Place) -> bool {
    fn is_exact(term: &Term) -> bool {
        let ctype = term.ctype();
        let is_wide = ctype.size() >= if ctype.is_unsigned() { 8 } else { 4 };
        match term {
            Term::Integer(value, _) => *value <= LARGEST,
            Term::Variable(..) | Term::Member(_) => is_wide,
            Term::Negated(operand) => is_wide && is_exact(operand),
            Term::Capped(operand) => is_exact(operand),
            Term::Cast(ctype, operand) => {
                is_wide && ctype.size() >= operand.ctype().size() && is_exact(operand)
            }
            Term::Binary(_, left, right) => is_wide && is_exact(left) && is_exact(right),
        }
    }
    match &place.extent {
        Extent::Between(low, high) => low.indices().chain(high.indices()).all(is_exact),
        Extent::From(_, offset, bytes) => offset.iter().chain(bytes.iter()).all(is_exact),
    }
}

/// Returns an access without its place, which it loses for this reason.
pub fn anywhere(access: &Access, reason: Option<Unplaced>) -> Access {
    let effect = match access.effect {
        scop::Effect::Reads => scop::Effect::Reads,
        _ => scop::Effect::Writes,
    };
    let unplaced = access.unplaced.or(reason);
    Access { effect, place: None, unplaced, ..access.clone() }
}
