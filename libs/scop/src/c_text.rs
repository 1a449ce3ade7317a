//! C and C++ text of expressions and statement bodies.
//!
//! The typed tree says every conversion; C text leaves out those that the compiler makes by itself. A printer that
//! dropped all implicit casts would be wrong as soon as a leaf is printed as something of another type, as a `long` iterator
//! that the generated loop counts as an `int`. So every piece of text carries the type that the compiler gives it
//! ([`Fragment`]), and an implicit cast is left out only where C's rules, applied to the types of the printed
//! operands, lead to the type that the tree demands. Arguments of calls are always converted in writing, because C++ would
//! choose an overload by their types.
//!
//! How an element, iterator or parameter is spelled is the caller's business ([`Spelling`]).

mod fragment;
mod index;
mod literal;
#[cfg(test)]
mod tests;
mod typed;

use std::collections::BTreeSet;

use crate::{AccessId, BinaryOp, CType, Expr, ExprKind, LocalId, Statement, Step};

pub use fragment::Fragment;
pub use index::{Helper, helpers, index_text};
pub use typed::expression;

/// The language of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// C99 and later.
    C,
    /// C++ and CUDA.
    Cxx,
}

impl Dialect {
    /// How this language spells a type.
    pub fn type_name(self, ctype: CType) -> &'static str {
        match (self, ctype) {
            (Self::Cxx, CType::Bool) => "bool",
            _ => ctype.c_name(),
        }
    }
}

/// How the leaves of a statement's body are spelled. Nothing means that the document does not define the leaf.
pub trait Spelling {
    /// The language.
    fn dialect(&self) -> Dialect;

    /// The element that a read or write access touches; its type is that of the array.
    fn element(&self, access: AccessId) -> Option<Fragment>;

    /// The value of an iterator of the statement.
    fn iterator(&self, dimension: u32) -> Option<Fragment>;

    /// The value of a parameter.
    fn parameter(&self, name: &str) -> Option<Fragment>;
}

/// A leaf or temporary that the document does not define.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is used where it is not defined")]
pub struct Undefined(pub String);

/// One line of a statement's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The text, with its semicolon.
    pub text: String,
    /// The variable that it declares, if it does.
    pub declares: Option<String>,
}

/// The lines of one instance of a statement. Temporaries that no assignment needs are left out.
pub fn body(statement: &Statement, spelling: &impl Spelling) -> Result<Vec<Line>, Undefined> {
    let live = live_locals(statement);
    let needed = |step: &&Step| match step {
        Step::Define { local, .. } | Step::Set { local, .. } => live.contains(local),
        Step::Assign { .. } => true,
    };
    statement.body.iter().filter(needed).map(|step| line(step, statement, spelling)).collect()
}

/// The temporaries whose value reaches an assignment.
fn live_locals(statement: &Statement) -> BTreeSet<LocalId> {
    let mut live = BTreeSet::new();
    loop {
        let before = live.len();
        for step in &statement.body {
            let needed = match step {
                Step::Assign { .. } => true,
                Step::Define { local, .. } | Step::Set { local, .. } => live.contains(local),
            };
            if needed {
                step.value().into_iter().for_each(|value| live.extend(locals_of(value)));
            }
        }
        if live.len() == before {
            return live;
        }
    }
}

fn locals_of(value: &Expr) -> Vec<LocalId> {
    let mut locals = Vec::new();
    value.walk(&mut |node| {
        if let ExprKind::Local { local } = node.kind {
            locals.push(local);
        }
    });
    locals
}

fn line(step: &Step, statement: &Statement, spelling: &impl Spelling) -> Result<Line, Undefined> {
    match step {
        Step::Define { local, name, ctype, value } => {
            let text = definition(*local, name, *ctype, value.as_ref(), statement, spelling)?;
            Ok(Line { text, declares: Some(name.clone()) })
        }
        Step::Set { local, value } => {
            let (name, ctype) = typed::local(statement, *local)?;
            let value = typed::converted(value, ctype, statement, spelling)?;
            Ok(Line { text: format!("{name} = {value};"), declares: None })
        }
        Step::Assign { access, value, compound } => {
            let text = assignment(*access, value, *compound, statement, spelling)?;
            Ok(Line { text, declares: None })
        }
    }
}

fn definition(
    local: LocalId,
    name: &str,
    ctype: CType,
    value: Option<&Expr>,
    statement: &Statement,
    spelling: &impl Spelling,
) -> Result<String, Undefined> {
    let type_name = spelling.dialect().type_name(ctype);
    let Some(value) = value else { return Ok(format!("{type_name} {name};")) };
    let value = typed::converted(value, ctype, statement, spelling)?;
    let is_set = |step: &Step| matches!(step, Step::Set { local: other, .. } if *other == local);
    let qualifier = if statement.body.iter().any(is_set) { "" } else { "const " };
    Ok(format!("{qualifier}{type_name} {name} = {value};"))
}

fn assignment(
    access: AccessId,
    value: &Expr,
    compound: Option<BinaryOp>,
    statement: &Statement,
    spelling: &impl Spelling,
) -> Result<String, Undefined> {
    let element = spelling.element(access).ok_or_else(|| Undefined(access.to_string()))?;
    if let Some(operator) = compound
        && let Some(operand) = typed::compound_operand(&element, operator, value, statement, spelling)?
    {
        return Ok(format!("{element} {}= {operand};", operator.c_name()));
    }
    let value = typed::converted(value, element.ctype, statement, spelling)?;
    Ok(format!("{element} = {value};"))
}
