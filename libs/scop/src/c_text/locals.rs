//! Names and types of the temporaries of a body.

use std::collections::{BTreeMap, BTreeSet};

use super::spelling::Undefined;
use crate::{CType, Function, LocalId, Step};

/// The temporaries of a body, including its arrays.
#[derive(Debug, Default)]
pub struct Locals<'a> {
    /// The name of each temporary, and its type or that of its elements.
    known: BTreeMap<LocalId, (&'a str, CType)>,
    /// The temporaries that are assigned after their definition.
    set: BTreeSet<LocalId>,
}

impl<'a> Locals<'a> {
    /// Returns the temporaries that some steps define.
    pub fn of_steps(steps: &'a [Step]) -> Self {
        let mut locals = Self::default();
        steps.iter().for_each(|step| step.walk(&mut |step| locals.note(step)));
        locals
    }

    /// Returns the temporaries of a function: its parameters, then those that its body defines.
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

    /// Returns the name of a temporary, and its type or that of its elements.
    pub fn get(&self, local: LocalId) -> Result<(&'a str, CType), Undefined> {
        self.known.get(&local).copied().ok_or_else(|| Undefined(local.to_string()))
    }

    /// True if a step assigns the temporary or an element of it after its definition.
    pub fn is_set(&self, local: LocalId) -> bool {
        self.set.contains(&local)
    }

    /// Returns all temporaries.
    pub fn all(&self) -> BTreeSet<LocalId> {
        self.known.keys().copied().collect()
    }
}
