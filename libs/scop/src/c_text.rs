//! C and C++ text of expressions and statement bodies.
//!
//! The typed tree contains every conversion; C text omits those that the compiler makes by itself. A printer
//! that dropped all implicit casts would be wrong where a leaf is printed with another type, for example a
//! `long` iterator for which the generated loop uses an `int`. Therefore every piece of text carries the type
//! that the compiler gives it ([`Fragment`]). An implicit cast is omitted only if C's rules, applied to the
//! types of the printed operands, lead to the type in the tree. Arguments of calls are always converted
//! explicitly, because C++ selects an overload by their types.
//!
//! The caller decides how an element, iterator or parameter is spelled ([`Spelling`]).

pub mod complex;
mod dialect;
mod fragment;
mod index;
mod literal;
mod locals;
mod spelling;
#[cfg(test)]
mod tests;
mod typed;

use std::collections::BTreeSet;

use crate::{
    AccessId, BinaryOp, CType, Expr, ExprKind, Function, LocalId, Reduction, ReductionOp, Statement, Step,
    contributed, contribution, contribution::only_assignment, walk_expressions, without_sign,
};

pub use dialect::Dialect;
pub use fragment::Fragment;
pub use index::{Helper, helpers, index_text};
pub use literal::of_bits;
use locals::Locals;
pub use spelling::{Spelling, Undefined};
use typed::Printer;

/// A C statement of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// A line.
    Line {
        /// The text, with its semicolon.
        text: String,
        /// The variable that the line declares, if any.
        declares: Option<String>,
    },
    /// `if (condition) then else otherwise`
    If {
        /// The text between the parentheses.
        condition: String,
        /// The branch taken if the condition holds.
        then: Vec<Code>,
        /// The branch taken if it does not; empty if there is none.
        otherwise: Vec<Code>,
    },
    /// A loop.
    Loop {
        /// The text before the body: `for (…)`, `while (…)`.
        head: String,
        /// The body.
        body: Vec<Code>,
    },
}

/// Returns the text of one instance of a statement. Temporaries that no assignment, condition or loop needs are
/// omitted.
pub fn body<S: Spelling>(statement: &Statement, spelling: &S) -> Result<Vec<Code>, S::Error> {
    let locals = Locals::of_steps(&statement.body);
    let printer = Printer { locals: &locals, spelling };
    Writer { printer, live: live_locals(&statement.body), update: None }.block(&statement.body)
}

/// Returns the text of one instance of a statement whose assignment is one atomic operation. The operation is a
/// call of `function`, or of CUDA's atomic function if `function` is absent.
pub fn atomic_update<S: Spelling>(
    statement: &Statement,
    reduction: &Reduction,
    spelling: &S,
    function: Option<&str>,
) -> Result<Vec<Code>, S::Error> {
    let undefined = || Undefined(format!("an atomic operation for {}", statement.id));
    let value = contribution(statement, reduction).ok_or_else(undefined)?;
    let (_, subscripts, _) = only_assignment(statement).ok_or_else(undefined)?;
    let function = function.or(atomic_function(reduction.operator)).ok_or_else(undefined)?;
    let locals = Locals::of_steps(&statement.body);
    let printer = Printer { locals: &locals, spelling };
    let element = printer.element(reduction.write, subscripts)?;
    let address = atomic_address(&element, value.ctype);
    let value = printer.converted(&value, value.ctype)?;
    let update = Some(format!("{function}({address}, {value});"));
    Writer { printer, live: live_locals(&statement.body), update }.block(&statement.body)
}

/// Returns the address of an element as CUDA's atomic functions take it, for a value of an unsigned type.
fn atomic_address(element: &Fragment, ctype: CType) -> String {
    match (element.ctype, ctype) {
        (CType::UInt, CType::UInt) => element.address(),
        (_, CType::UInt) => format!("(unsigned *){}", element.address()),
        _ => format!("(unsigned long long *){}", element.address()),
    }
}

/// Returns the text of an atomic operation that combines an integer with an element of its type; nothing if there is
/// none.
pub fn atomic_combination(operator: ReductionOp, element: &Fragment, value: &Fragment) -> Option<String> {
    let (function, unsigned) = (atomic_function(operator)?, without_sign(element.ctype)?);
    let address = atomic_address(element, unsigned);
    let value = match unsigned == value.ctype {
        true => value.clone(),
        false => Fragment::prefix(&format!("({})", Dialect::Cxx.type_name(unsigned)), value, unsigned),
    };
    Some(format!("{function}({address}, {value});"))
}

/// Returns the text of one instance of a statement whose sum or product is computed without a sign, so that no partial
/// value overflows ([`contributed`]).
pub fn unsigned_update<S: Spelling>(
    statement: &Statement,
    reduction: &Reduction,
    spelling: &S,
) -> Result<Vec<Code>, S::Error> {
    let undefined = || Undefined(format!("a partial value of {}", statement.id));
    let value = contributed(statement, reduction).ok_or_else(undefined)?;
    let locals = Locals::of_steps(&statement.body);
    let printer = Printer { locals: &locals, spelling };
    let element = printer.element(reduction.write, &[])?;
    let operand = printer.converted(&value, value.ctype)?;
    let operator = match reduction.operator {
        ReductionOp::Sum => BinaryOp::Add,
        ReductionOp::Product => BinaryOp::Mul,
        _ => return Err(undefined().into()),
    };
    let update = Some(format!("{element} = {};", unsigned_operation(operator, &element, &operand)));
    Writer { printer, live: live_locals(&statement.body), update }.block(&statement.body)
}

/// Returns the text of an operation on two integers that is computed in the unsigned type of the first one.
pub fn unsigned_operation(operator: BinaryOp, left: &Fragment, right: &Fragment) -> Fragment {
    let Some(ctype) = without_sign(left.ctype).filter(|ctype| *ctype != left.ctype) else {
        return Fragment::infix(operator, left, right, left.ctype);
    };
    let cast = |operand: &Fragment, ctype: CType| {
        let name = Dialect::Cxx.type_name(ctype);
        if operand.ctype == ctype {
            operand.clone()
        } else {
            Fragment::prefix(&format!("({name})"), operand, ctype)
        }
    };
    let both = Fragment::infix(operator, &cast(left, ctype), &cast(right, ctype), ctype);
    cast(&both, left.ctype)
}

/// Returns the CUDA function that performs an operator atomically.
fn atomic_function(operator: ReductionOp) -> Option<&'static str> {
    match operator {
        ReductionOp::Sum => Some("atomicAdd"),
        ReductionOp::BitAnd => Some("atomicAnd"),
        ReductionOp::BitOr => Some("atomicOr"),
        ReductionOp::BitXor => Some("atomicXor"),
        _ => None,
    }
}

/// Returns the text of a function's body, which has no leaves.
pub fn function_body<S: Spelling>(function: &Function, spelling: &S) -> Result<Vec<Code>, S::Error> {
    let locals = Locals::of_function(function);
    let live = locals.all();
    Writer { printer: Printer { locals: &locals, spelling }, live, update: None }.block(&function.body)
}

/// Returns the temporaries whose value reaches an assignment, a condition or a loop.
fn live_locals(steps: &[Step]) -> BTreeSet<LocalId> {
    let mut live = BTreeSet::new();
    loop {
        let before = live.len();
        steps.iter().for_each(|step| step.walk(&mut |step| note_live(step, &mut live)));
        if live.len() == before {
            return live;
        }
    }
}

fn note_live(step: &Step, live: &mut BTreeSet<LocalId>) {
    if let Step::For { local, .. } = step {
        live.insert(*local);
    }
    let needed = match step {
        Step::Define { local, .. } | Step::Set { local, .. } => live.contains(local),
        Step::DefineArray { local, .. } | Step::SetElement { local, .. } => live.contains(local),
        _ => true,
    };
    if needed {
        step.expressions().into_iter().for_each(|expr| live.extend(locals_of(expr)));
    }
}

fn locals_of(value: &Expr) -> Vec<LocalId> {
    let mut locals = Vec::new();
    value.walk(&mut |node| {
        if let ExprKind::Local { local } | ExprKind::Element { local, .. } | ExprKind::Array { local, .. } =
            node.kind
        {
            locals.push(local);
        }
    });
    locals
}

/// True if some steps call a function whose name satisfies `is_meant`.
pub fn calls(steps: &[Step], mut is_meant: impl FnMut(&str) -> bool) -> bool {
    let mut found = false;
    walk_expressions(steps, &mut |expr| {
        if let ExprKind::Call { function, .. } = &expr.kind {
            found |= is_meant(function);
        }
    });
    found
}

struct Writer<'a, S> {
    printer: Printer<'a, S>,
    /// The temporaries that are needed.
    live: BTreeSet<LocalId>,
    /// The text that replaces the assignment, if the body has only one.
    update: Option<String>,
}

impl<S: Spelling> Writer<'_, S> {
    fn block(&self, steps: &[Step]) -> Result<Vec<Code>, S::Error> {
        let needed = |step: &&Step| match step {
            Step::Define { local, .. } | Step::Set { local, .. } => self.live.contains(local),
            Step::DefineArray { local, .. } | Step::SetElement { local, .. } => self.live.contains(local),
            _ => true,
        };
        steps.iter().filter(needed).map(|step| self.step(step)).collect()
    }

    fn step(&self, step: &Step) -> Result<Code, S::Error> {
        match step {
            Step::Define { local, name, ctype, value } => {
                let text = self.definition(*local, name, *ctype, value.as_ref())?;
                Ok(Code::Line { text, declares: Some(name.clone()) })
            }
            Step::Set { local, value } => Ok(line(self.set(*local, value)? + ";")),
            Step::DefineArray { local, name, ctype, extents, values } => {
                let text = self.array_definition(*local, name, *ctype, (extents, values))?;
                Ok(Code::Line { text, declares: Some(name.clone()) })
            }
            Step::SetElement { local, subscripts, value } => {
                let element = self.printer.local_element(*local, subscripts)?;
                let value = self.printer.converted(value, element.ctype)?;
                Ok(line(format!("{element} = {value};")))
            }
            Step::Assign { access, subscripts, value, compound } => {
                if let Some(update) = &self.update {
                    return Ok(line(update.clone()));
                }
                Ok(line(self.assignment(*access, subscripts, value, *compound)?))
            }
            Step::If { condition, then, otherwise } => Ok(Code::If {
                condition: self.printer.condition(condition)?.text,
                then: self.block(then)?,
                otherwise: self.block(otherwise)?,
            }),
            Step::For { local, name, ctype, first, condition, next, body } => {
                let first = self.printer.converted(first, *ctype)?;
                let condition = self.printer.condition(condition)?;
                let next = self.advance(*local, next)?;
                let type_name = self.printer.spelling.dialect().type_name(*ctype);
                let head = format!("for ({type_name} {name} = {first}; {condition}; {next})");
                Ok(Code::Loop { head, body: self.block(body)? })
            }
            Step::While { condition, body } => {
                let head = format!("while ({})", self.printer.condition(condition)?);
                Ok(Code::Loop { head, body: self.block(body)? })
            }
            Step::Return { value } => Ok(line(format!("return {};", self.printer.full(value)?))),
        }
    }

    fn definition(
        &self,
        local: LocalId,
        name: &str,
        ctype: CType,
        value: Option<&Expr>,
    ) -> Result<String, S::Error> {
        let type_name = self.printer.spelling.dialect().type_name(ctype);
        let Some(value) = value else { return Ok(format!("{type_name} {name};")) };
        let value = self.printer.converted(value, ctype)?;
        let qualifier = if self.printer.locals.is_set(local) { "" } else { "const " };
        Ok(format!("{qualifier}{type_name} {name} = {value};"))
    }

    fn array_definition(
        &self,
        local: LocalId,
        name: &str,
        ctype: CType,
        (extents, values): (&[u64], &[Expr]),
    ) -> Result<String, S::Error> {
        let type_name = self.printer.spelling.dialect().type_name(ctype);
        let name: String =
            std::iter::once(name.to_owned()).chain(extents.iter().map(|n| format!("[{n}]"))).collect();
        if values.is_empty() {
            return Ok(format!("{type_name} {name};"));
        }
        let values = values.iter().map(|value| Ok(self.printer.full(value)?.text));
        let values = in_braces(&values.collect::<Result<Vec<_>, S::Error>>()?, &extents[1..]);
        let qualifier = if self.printer.locals.is_set(local) { "" } else { "const " };
        Ok(format!("{qualifier}{type_name} {name} = {values};"))
    }

    fn set(&self, local: LocalId, value: &Expr) -> Result<String, S::Error> {
        let (name, ctype) = self.printer.locals.get(local)?;
        let value = self.printer.converted(value, ctype)?;
        Ok(format!("{name} = {value}"))
    }

    /// Returns the step of a loop, in short form (`i++`) if the loop counts by one.
    fn advance(&self, local: LocalId, next: &Expr) -> Result<String, S::Error> {
        let (name, _) = self.printer.locals.get(local)?;
        if let ExprKind::Binary { operator: operator @ (BinaryOp::Add | BinaryOp::Sub), left, right } =
            &typed::without_cast(next).kind
            && matches!(typed::without_cast(left).kind, ExprKind::Local { local: other } if other == local)
            && matches!(&typed::without_cast(right).kind, ExprKind::Integer { value } if value == "1")
        {
            return Ok(format!("{name}{0}{0}", operator.c_name()));
        }
        self.set(local, next)
    }

    fn assignment(
        &self,
        access: AccessId,
        subscripts: &[Expr],
        value: &Expr,
        compound: Option<BinaryOp>,
    ) -> Result<String, S::Error> {
        let element = self.printer.element(access, subscripts)?;
        if let Some(operator) = compound
            && let Some(operand) = self.printer.compound_operand(&element, operator, value)?
        {
            return Ok(format!("{element} {}= {operand};", operator.c_name()));
        }
        let value = self.printer.converted(value, element.ctype)?;
        Ok(format!("{element} = {value};"))
    }
}

/// Returns the initialiser of an array with these inner dimensions.
fn in_braces(values: &[String], inner: &[u64]) -> String {
    let size = inner.iter().fold(1usize, |size, &extent| size.saturating_mul(extent as usize)).max(1);
    let parts: Vec<String> = match inner {
        [] => values.to_vec(),
        [_, rest @ ..] => values.chunks(size).map(|part| in_braces(part, rest)).collect(),
    };
    format!("{{{}}}", parts.join(", "))
}

fn line(text: String) -> Code {
    Code::Line { text, declares: None }
}
