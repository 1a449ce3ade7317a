//! Selections: updates that keep the first or the last extreme of many values, and what belongs to it.
//!
//! ```c
//!                                          for (int p = 0; p < P; p++) {
//!                                              best[p] = -INFINITY; place[p] = none;
//!                                          }
//! for (int i = 0; i < n; i++)              for (int i = 0; i < n; i++)
//!     if (x[i] > m) {                          if (x[i] > best[i % P]) {
//!         m = x[i];               →                best[i % P] = x[i];
//!         at = i;                                  place[i % P] = i;
//!     }                                        }
//!                                          …   // P results become fewer, and at last one
//!                                          if (best[0] > m) {
//!                                              m = best[0]; at = place[0];
//!                                          }
//! ```
//!
//! **Algebra.** A result is either *nothing*, or a pair of a value and the instance that it comes from. Of two results,
//! the one with the better value is kept; of equal values, that of the earlier instance if the comparison of the source
//! is strict (`>` and `<`), and that of the later one otherwise (`>=` and `<=`). This operation is associative and
//! commutative, because it takes the better one in a total order of (value, instance), and *nothing* is its identity.
//! NaNs are in no result: a comparison with a NaN is false, so no instance with one is ever chosen, in the source and
//! here. Zeros of both signs are equal for the comparison; the instance decides between them, and the result has the
//! sign of the one that is chosen. The variable itself takes part only in the end, by the comparison of the source: a
//! value that it has from before the nest stays unless a better one (or an equal one) exists, and stays in any case if
//! it is a NaN, with which all comparisons are false. So every bit of the result is that of the source.
//!
//! *Nothing* has the worst value of the type (an infinity, or the extreme integer). A strict comparison never chooses an
//! instance with this value. One that is not strict may; there, the place of *nothing* is one that no instance has.
//!
//! `m = e > m ? e : m` assigns the variable to itself where it stays, which changes nothing: it is `if (e > m) m = e`.
//!
//! candl-rs describes the region in this form as well (a [`crate::Variant`]). The statement of the source is left out;
//! that which takes its place has the same body, and also notes the iterators of the instance that it chooses.
//! Variables that follow from these iterators are computed at the end; others are carried with the result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contribution::uses;
use crate::partial_sums::{extreme, neutral_value};
use crate::renamed::Renaming;
use crate::{
    Access, AccessId, AccessKind, BinaryOp, CType, Certainty, Expr, ExprKind, Loop, Parameter, ReductionOp,
    Statement, StatementId, Step, is_same, is_same_element,
};

/// Statements that candl-rs adds to a region for selections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Selections {
    /// The loops around these statements that are not in the source, numbered after all others. Loops of the source may
    /// be around them.
    pub loops: Vec<Loop>,
    /// The selections.
    pub all: Vec<Selection>,
}

/// An update of the source that selects, and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Selection {
    /// The statement of the source, which is left out.
    pub statement: StatementId,
    /// The access by which it writes the extreme.
    pub write: AccessId,
    /// The number of loops of the source around the selection, which are the outermost ones of its statement. Each of
    /// their iterations begins and ends all results.
    pub depth: u32,
    /// Those of the other loops that run downwards, by their positions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub downward: Vec<u32>,
    /// From the instances of the source to many results, from these to fewer, and at last to one.
    pub stages: Vec<Stage>,
    /// The statement that compares the last result with the variable, numbered after all others. Its coordinates are
    /// the iterators of the loops around the selection.
    pub finish: Statement,
}

/// A set of results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stage {
    /// The result that an instance of the update changes: its subscripts. There is a single one if there are none.
    pub numbers: Vec<Number>,
    /// The statement that begins the results with nothing. Its coordinates are the iterators of the loops around the
    /// selection, and the subscripts of the result.
    pub start: Statement,
    /// The statement that updates them: in the first stage one with the domain of that of the source, in others one that
    /// reads the results of the stage before, with their coordinates.
    pub update: Statement,
}

/// A subscript of a result: `i mod count`, where `i` is a coordinate of the update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Number {
    /// The position of the coordinate.
    pub coordinate: u32,
    /// The number of values of the subscript.
    pub count: u32,
}

impl Number {
    /// Returns the subscript as a function of the update's coordinates, in isl's notation.
    pub fn text(&self, coordinates: &[String]) -> String {
        let own = coordinates.get(self.coordinate as usize).map_or("", String::as_str);
        format!("(({own}) mod {})", self.count)
    }

    /// Returns what counts the instances that update one result, as far as this subscript distinguishes them.
    pub fn quotient(&self, coordinates: &[String]) -> String {
        let own = coordinates.get(self.coordinate as usize).map_or("", String::as_str);
        format!("(floor(({own})/{}))", self.count)
    }
}

impl Selections {
    /// Returns the added statements, in the order of their numbers.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.all.iter().flat_map(Selection::statements)
    }
}

impl Selection {
    /// Returns the added statements, in the order of their numbers.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        let stages = self.stages.iter().flat_map(|stage| [&stage.start, &stage.update]);
        stages.chain([&self.finish])
    }
}

/// What a statement of the source selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice<'a> {
    /// Smallest or largest.
    pub operator: ReductionOp,
    /// Whether of equal values the first one counts; otherwise the last one.
    pub strict: bool,
    /// The access that reads the extreme in the comparison.
    pub read: AccessId,
    /// The access that writes it.
    pub write: AccessId,
    /// The access that reads it where it stays as it is, if the source says so: `m = e > m ? e : m`.
    pub kept: Option<AccessId>,
    /// Its type.
    pub ctype: CType,
    /// The other variables that are assigned, in the order of the source.
    pub others: Vec<Other<'a>>,
}

/// A variable that a selection assigns beside the extreme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other<'a> {
    /// The access that writes it.
    pub write: AccessId,
    /// Its new value.
    pub value: &'a Expr,
}

impl Other<'_> {
    /// True if its value follows from iterators and parameters.
    pub fn is_computed(&self) -> bool {
        let mut is_computed = true;
        self.value.walk(&mut |node| {
            is_computed &= !matches!(
                node.kind,
                ExprKind::Read { .. }
                    | ExprKind::Local { .. }
                    | ExprKind::Element { .. }
                    | ExprKind::Array { .. }
            );
        });
        is_computed
    }
}

impl<'a> Choice<'a> {
    /// Returns the certainty of an access of the statement where the extreme is written only if it changes.
    pub fn certainty(&self, access: &Access) -> Certainty {
        let is_conditional = self.kept.is_some() && access.id == self.write;
        if is_conditional { Certainty::May } else { access.certainty }
    }

    /// Returns the variables whose values are carried with a result.
    pub fn carried(&self) -> impl Iterator<Item = &Other<'a>> {
        self.others.iter().filter(|other| !other.is_computed())
    }
}

/// Returns what a statement selects, if it does nothing else: `if (e > m) { m = e; at = f(i); }`, possibly under further
/// conditions, or `m = e > m ? e : m`. Nothing else in the statement reads a variable that is assigned.
pub fn choice(statement: &Statement) -> Option<Choice<'_>> {
    let mut found = None;
    for step in &statement.body {
        step.walk(&mut |step| found = found.take().or_else(|| chosen(statement, step)));
    }
    let choice: Choice<'_> = found?;
    let written: Vec<AccessId> =
        [choice.write].into_iter().chain(choice.others.iter().map(|other| other.write)).collect();
    let arrays: Vec<_> = written.iter().filter_map(|write| Some(statement.access(*write)?.array)).collect();
    let is_own = |access: &Access| {
        access.id == choice.read || Some(access.id) == choice.kept || written.contains(&access.id)
    };
    let mut touching = statement
        .accesses
        .iter()
        .filter(|access| access.kind == AccessKind::Write || arrays.contains(&access.array));
    let is_alone = touching.all(is_own) && uses(&statement.body, choice.read) == 1;
    let mut distinct = arrays.clone();
    distinct.sort();
    distinct.dedup();
    let is_assigned_once = written.iter().all(|write| assignments(&statement.body, *write) == 1);
    (is_alone && distinct.len() == written.len() && is_assigned_once).then_some(choice)
}

fn assignments(steps: &[Step], write: AccessId) -> usize {
    let mut count = 0;
    for step in steps {
        step.walk(&mut |step| {
            count += usize::from(matches!(step, Step::Assign { access, .. } if *access == write));
        });
    }
    count
}

/// Returns what a step selects: an `if`, or an assignment that leaves the variable as it is under a condition.
fn chosen<'a>(statement: &Statement, step: &'a Step) -> Option<Choice<'a>> {
    match step {
        Step::If { condition, then, otherwise } if otherwise.is_empty() => {
            chosen_if(statement, condition, then)
        }
        Step::Assign { access, subscripts, value, .. } if subscripts.is_empty() => {
            let ExprKind::Conditional { condition, then, otherwise } = &value.kind else { return None };
            let ExprKind::Read { access: kept, subscripts } = &otherwise.kind else { return None };
            let is_kept = subscripts.is_empty()
                && then.ctype == value.ctype
                && otherwise.ctype == value.ctype
                && has_results(value.ctype)
                && is_same_element(statement, (*kept, &[]), (*access, &[]));
            let assigned = vec![Other { write: *access, value: then }];
            let choice = compared_with(statement, condition, assigned).filter(|_| is_kept)?;
            (choice.read != *kept).then_some(Choice { kept: Some(*kept), ..choice })
        }
        _ => None,
    }
}

/// Returns what the assignments under a condition select.
fn chosen_if<'a>(statement: &Statement, condition: &'a Expr, then: &'a [Step]) -> Option<Choice<'a>> {
    let mut assigned = Vec::new();
    for step in then {
        let Step::Assign { access, subscripts, value, .. } = step else { return None };
        if !subscripts.is_empty() || !has_results(value.ctype) {
            return None;
        }
        assigned.push(Other { write: *access, value });
    }
    compared_with(statement, condition, assigned)
}

/// Returns what some assignments select if a condition holds.
fn compared_with<'a>(
    statement: &Statement,
    condition: &'a Expr,
    assigned: Vec<Other<'a>>,
) -> Option<Choice<'a>> {
    for comparison in conjuncts(condition) {
        let ExprKind::Binary { operator, left, right } = &comparison.kind else { continue };
        let (strict, left_is_larger) = match operator {
            BinaryOp::Gt => (true, true),
            BinaryOp::Ge => (false, true),
            BinaryOp::Lt => (true, false),
            BinaryOp::Le => (false, false),
            _ => continue,
        };
        for (value, own, value_is_left) in [(left, right, true), (right, left, false)] {
            let ExprKind::Read { access: read, subscripts } = &own.kind else { continue };
            let is_written = |other: &&Other<'_>| {
                subscripts.is_empty() && is_same_element(statement, (*read, &[]), (other.write, &[]))
            };
            let Some(extreme) = assigned.iter().find(is_written) else { continue };
            let ctype = own.ctype;
            let is_plain = extreme.value.ctype == ctype && is_same(statement, extreme.value, value);
            let operator = if left_is_larger == value_is_left { ReductionOp::Max } else { ReductionOp::Min };
            if is_plain && neutral_value(operator, ctype).is_some() {
                let write = extreme.write;
                let others = assigned.into_iter().filter(|other| other.write != write).collect();
                return Some(Choice { operator, strict, read: *read, write, kept: None, ctype, others });
            }
        }
    }
    None
}

/// Returns the conditions that all hold if a condition holds.
fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    let condition = condition.without_casts();
    match &condition.kind {
        ExprKind::Binary { operator: BinaryOp::And, left, right } => {
            [conjuncts(left), conjuncts(right)].concat()
        }
        _ => vec![condition],
    }
}

/// True if a result can carry a value of a type.
fn has_results(ctype: CType) -> bool {
    ctype.is_integer() || matches!(ctype, CType::Float | CType::Double)
}

/// Returns the type in which results keep an iterator.
pub fn position_type(iterator: CType) -> CType {
    let is_wide = iterator.size() > CType::Int.size() || iterator == CType::UInt;
    if is_wide { CType::Long } else { CType::Int }
}

/// How results are compared, and what they consist of.
#[derive(Debug, Clone)]
pub struct Results {
    /// Smallest or largest.
    pub operator: ReductionOp,
    /// Whether of equal values the first one counts.
    pub strict: bool,
    /// The type of the value.
    pub value: CType,
    /// The iterators of the instance: the type in which they are kept, and whether they run downwards.
    pub positions: Vec<(CType, bool)>,
    /// The types of what is carried.
    pub carried: Vec<CType>,
}

impl Results {
    /// Returns the types of all parts: the value, the positions, what is carried.
    pub fn types(&self) -> Vec<CType> {
        let positions = self.positions.iter().map(|(ctype, _)| *ctype);
        [self.value].into_iter().chain(positions).chain(self.carried.iter().copied()).collect()
    }

    /// True if a larger iterator counts, of equal values.
    fn prefers_larger(&self, downward: bool) -> bool {
        self.strict == downward
    }

    /// Returns the position of nothing, which is worse than all others: of equal values, any other counts.
    fn no_position(&self, (ctype, downward): (CType, bool)) -> Option<Expr> {
        let value = extreme(!self.prefers_larger(downward), ctype)?;
        Some(Expr { ctype, kind: ExprKind::Integer { value } })
    }

    /// Returns the outermost iterator's value that no instance may have: in isl's notation, a bound of the others.
    pub fn forbidden(&self) -> Option<String> {
        let first = self.positions.first().filter(|_| !self.strict)?;
        match self.no_position(*first)?.kind {
            ExprKind::Integer { value } => Some(value),
            _ => None,
        }
    }

    /// Returns the steps that set all parts of a result to nothing.
    pub fn start(&self, writes: &[AccessId]) -> Option<Vec<Step>> {
        let mut values = vec![neutral_value(self.operator, self.value)?];
        for position in &self.positions {
            values.push(self.no_position(*position)?);
        }
        for &ctype in &self.carried {
            let kind = match ctype.is_integer() {
                true => ExprKind::Integer { value: "0".to_owned() },
                false => ExprKind::Floating { value: "0.0".to_owned() },
            };
            values.push(Expr { ctype, kind });
        }
        Some(writes.iter().zip(values).map(|(write, value)| assign(*write, value)).collect())
    }

    /// Returns the number of parts that are compared: the value and the positions.
    pub fn compared(&self) -> usize {
        1 + self.positions.len()
    }

    /// Returns the number of parts of the last result that are compared with the variable: the value, and a position if
    /// only that tells whether there is a result.
    pub fn compared_last(&self) -> usize {
        if self.strict { 1 } else { 2 }
    }

    /// Returns the steps that replace a result by another one if that is better. The conditions read the value and the
    /// positions of both, by `from` and `to`; `taken` and `writes` are the accesses to all parts of the other and of the
    /// result.
    pub fn combination(&self, [from, to, taken, writes]: [&[AccessId]; 4]) -> Vec<Step> {
        let types = self.types();
        let pair = |part: usize| (read(from[part], types[part]), read(to[part], types[part]));
        let mut is_preferred: Option<Expr> = None;
        for (number, (_, downward)) in self.positions.iter().enumerate().rev() {
            let (other, own) = pair(number + 1);
            let operator = if self.prefers_larger(*downward) { BinaryOp::Gt } else { BinaryOp::Lt };
            let is_beside = compared(operator, other.clone(), own.clone());
            is_preferred = Some(match is_preferred {
                None => is_beside,
                Some(inner) => either(is_beside, both(compared(BinaryOp::Eq, other, own), inner)),
            });
        }
        let (other, own) = pair(0);
        let mut condition = compared(self.better(true), other.clone(), own.clone());
        if let Some(is_preferred) = is_preferred {
            condition = either(condition, both(compared(BinaryOp::Eq, other, own), is_preferred));
        }
        let parts = writes.iter().zip(taken).zip(&types);
        let then = parts.map(|((write, taken), ctype)| assign(*write, read(*taken, *ctype))).collect();
        vec![Step::If { condition, then, otherwise: Vec::new() }]
    }

    fn better(&self, strict: bool) -> BinaryOp {
        match (self.operator, strict) {
            (ReductionOp::Min, true) => BinaryOp::Lt,
            (ReductionOp::Min, false) => BinaryOp::Le,
            (_, true) => BinaryOp::Gt,
            (_, false) => BinaryOp::Ge,
        }
    }

    /// Returns the steps that compare the last result with the variable. The condition reads what it compares of the
    /// result by `from`, and the variable by `own`. `taken` reads all parts of the result; `writes` are the accesses to
    /// the variable and to the others, in the order of the source. `depth` is the number of loops around the selection.
    pub fn finish(
        &self,
        choice: &Choice<'_>,
        depth: usize,
        (from, own, taken, writes): (&[AccessId], AccessId, &[AccessId], &[AccessId]),
    ) -> Option<Vec<Step>> {
        let types = self.types();
        let value = read(*from.first()?, self.value);
        let mut condition = compared(self.better(self.strict), value, read(own, self.value));
        if let Some(first) = self.positions.first().filter(|_| !self.strict) {
            let place = read(*from.get(1)?, first.0);
            condition = both(compared(BinaryOp::Ne, place, self.no_position(*first)?), condition);
        }
        let part = |number: usize| read(taken[number], types[number]);
        let mut then = vec![assign(*writes.first()?, part(0))];
        let mut next = 1 + self.positions.len();
        for (other, write) in choice.others.iter().zip(&writes[1..]) {
            let value = if other.is_computed() {
                let mut value = other.value.clone();
                value.change(&mut |node| {
                    if let ExprKind::Iterator { dimension } = node.kind
                        && let Some(number) = (dimension as usize).checked_sub(depth)
                    {
                        *node = converted(part(1 + number), node.ctype);
                    }
                });
                value
            } else {
                next += 1;
                part(next - 1)
            };
            then.push(assign(*write, value));
        }
        Some(vec![Step::If { condition, then, otherwise: Vec::new() }])
    }
}

/// Returns the body of the statement that takes the place of one of the source.
///
/// `renamed` gives the accesses of the new statement, `names` those of its temporaries, in the order of the body.
/// `positions` are the accesses that note the iterators: the dimension, the type of the iterator, and that of the
/// array.
pub fn update(
    statement: &Statement,
    choice: &Choice<'_>,
    renamed: &dyn Fn(AccessId) -> AccessId,
    names: &mut dyn FnMut(&str) -> String,
    positions: &[(AccessId, u32, [CType; 2])],
) -> Vec<Step> {
    let mut body = statement.body.clone();
    if choice.kept.is_some() {
        under_conditions(&mut body, choice.write);
    }
    Update { choice, positions }.steps(&mut body);
    Renaming { renamed, names }.steps(&mut body);
    body
}

/// *Rewrite:* `m = e > m ? e : m` → `if (e > m) m = e`.
fn under_conditions(steps: &mut [Step], write: AccessId) {
    for step in steps {
        if let Step::Assign { access, value, .. } = step
            && *access == write
            && let ExprKind::Conditional { condition, then, .. } = &value.kind
        {
            let (condition, value) = ((**condition).clone(), (**then).clone());
            *step = Step::If { condition, then: vec![assign(write, value)], otherwise: Vec::new() };
            continue;
        }
        step.blocks_mut().into_iter().for_each(|block| under_conditions(block, write));
    }
}

struct Update<'u> {
    choice: &'u Choice<'u>,
    positions: &'u [(AccessId, u32, [CType; 2])],
}

impl Update<'_> {
    /// Leaves out what is computed at the end, and notes the iterators of the instance that is chosen.
    fn steps(&self, steps: &mut Vec<Step>) {
        let is_dropped = |step: &Step| {
            let mut computed = self.choice.others.iter().filter(|other| other.is_computed());
            matches!(step, Step::Assign { access, .. } if computed.any(|other| other.write == *access))
        };
        let chooses = steps
            .iter()
            .any(|step| matches!(step, Step::Assign { access, .. } if *access == self.choice.write));
        steps.retain(|step| !is_dropped(step));
        steps.iter_mut().flat_map(Step::blocks_mut).for_each(|block| self.steps(block));
        if chooses {
            for &(write, dimension, [iterator, ctype]) in self.positions {
                let kind = ExprKind::Iterator { dimension };
                steps.push(assign(write, converted(Expr { ctype: iterator, kind }, ctype)));
            }
        }
    }
}

/// Returns what the types of parameters say about their values, in isl's notation.
pub fn bounds_of_types(parameters: &[Parameter]) -> String {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let bounds = parameters.iter().filter_map(|parameter| {
        let [least, most] = [false, true].map(|largest| extreme(largest, parameter.ctype));
        Some(format!("{} <= {} <= {}", least?, parameter.name, most?))
    });
    let bounds: Vec<String> = bounds.collect();
    format!(
        "[{}] -> {{ : {} }}",
        names.join(", "),
        if bounds.is_empty() { "true".to_owned() } else { bounds.join(" and ") }
    )
}

fn read(access: AccessId, ctype: CType) -> Expr {
    Expr { ctype, kind: ExprKind::Read { access, subscripts: Vec::new() } }
}

fn assign(access: AccessId, value: Expr) -> Step {
    Step::Assign { access, subscripts: Vec::new(), value, compound: None }
}

fn converted(expr: Expr, ctype: CType) -> Expr {
    if expr.ctype == ctype {
        return expr;
    }
    Expr { ctype, kind: ExprKind::Cast { implicit: false, operand: expr.into() } }
}

fn compared(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr { ctype: CType::Int, kind: ExprKind::Binary { operator, left: left.into(), right: right.into() } }
}

/// Both operands are evaluated, so that all reads are certain.
fn both(left: Expr, right: Expr) -> Expr {
    compared(BinaryOp::BitAnd, left, right)
}

fn either(left: Expr, right: Expr) -> Expr {
    compared(BinaryOp::BitOr, left, right)
}

/// Returns the pairs of instances in one run of a nest of which the first has the earlier iterators, in isl's notation.
/// `depth` is the number of loops around the nest; those of its loops that run downwards are given by their positions.
pub fn in_order(name: &str, dimensions: usize, depth: usize, downward: &[u32]) -> String {
    let (ones, others) = (polyhedra::numbered("i", dimensions), polyhedra::numbered("o", dimensions));
    let same = |count: usize| (0..count).map(|position| format!("{} = {}", ones[position], others[position]));
    let cases = (depth..dimensions).map(|position| {
        let operator = if downward.contains(&(position as u32)) { ">" } else { "<" };
        let next = format!("{} {operator} {}", ones[position], others[position]);
        same(position).chain([next]).collect::<Vec<String>>().join(" and ")
    });
    let cases: Vec<String> = cases.collect();
    format!("{{ {name}[{}] -> {name}[{}] : {} }}", ones.join(", "), others.join(", "), cases.join(" or "))
}
