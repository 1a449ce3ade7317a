//! Copies of a statement's body with other accesses.

use crate::{AccessId, ExprKind, Step};

/// What a copy has in the place of accesses and of temporaries.
pub struct Renaming<'r> {
    /// The access in the place of one of the source.
    pub renamed: &'r dyn Fn(AccessId) -> AccessId,
    /// The name in the place of that of a temporary; asked once for each definition, in the order of the body.
    pub names: &'r mut dyn FnMut(&str) -> String,
}

impl Renaming<'_> {
    /// Renames what some steps access and define.
    pub fn steps(&mut self, steps: &mut [Step]) {
        steps.iter_mut().for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &mut Step) {
        match step {
            Step::Define { name, .. } | Step::DefineArray { name, .. } | Step::For { name, .. } => {
                *name = (self.names)(name);
            }
            Step::Assign { access, .. } => *access = (self.renamed)(*access),
            _ => {}
        }
        for expr in step.expressions_mut() {
            expr.change(&mut |node| {
                if let ExprKind::Read { access, .. } = &mut node.kind {
                    *access = (self.renamed)(*access);
                }
            });
        }
        step.blocks_mut().into_iter().for_each(|block| self.steps(block));
    }
}

/// Returns the names of the temporaries of a body, in its order.
pub fn temporaries(steps: &[Step]) -> Vec<String> {
    let mut names = Vec::new();
    for step in steps {
        step.walk(&mut |step| names.extend(step.defined_name().map(str::to_owned)));
    }
    names
}
