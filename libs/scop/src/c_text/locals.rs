//! The temporaries of a body: their names and types.

use std::collections::{BTreeMap, BTreeSet};

use super::spelling::Undefined;
use crate::{CType, Function, LocalId, Step};

/// The temporaries of a body, its arrays among them.
#[derive(Debug, Default)]
pub struct Locals<'a> {
    /// The name of each, and its type or that of its elements.
    known: BTreeMap<LocalId, (&'a str, CType)>,
    /// Those that get another value after their definition.
    set: BTreeSet<LocalId>,
}

impl<'a> Locals<'a> {
    /// Those that some steps define.
    pub fn of_steps(steps: &'a [Step]) -> Self {
        let mut locals = Self::default();
        steps.iter().for_each(|step| step.walk(&mut |step| locals.note(step)));
        locals
    }

    /// Those of a function: its parameters, then those that its body defines.
    pub fn of_function(function: &'a Function) -> Self {
        let mut locals = Self::of_steps(&function.body);
        for (position, parameter) in function.parameters.iter().enumerate() {
            locals.known.insert(LocalId(position as u32), (&parameter.name, parameter.ctype));
        }
        locals
    }

    fn note(&mut self, step: &'a Step) {
        match step {
            Step::Define { local, name, ctype, .. }
            | Step::DefineArray { local, name, ctype, .. }
            | Step::For { local, name, ctype, .. } => {
                self.known.insert(*local, (name, *ctype));
            }
            Step::Set { local, .. } | Step::SetElement { local, .. } => {
                self.set.insert(*local);
            }
            _ => {}
        }
    }

    /// The name of a temporary, and its type or that of its elements.
    pub fn get(&self, local: LocalId) -> Result<(&'a str, CType), Undefined> {
        self.known.get(&local).copied().ok_or_else(|| Undefined(local.to_string()))
    }

    /// True if a step gives the temporary, or an element of it, another value.
    pub fn is_set(&self, local: LocalId) -> bool {
        self.set.contains(&local)
    }

    /// All of them.
    pub fn all(&self) -> BTreeSet<LocalId> {
        self.known.keys().copied().collect()
    }
}
