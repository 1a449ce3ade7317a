//! Names of things that the user's program does not know.
//!
//! The user's own names are free of collisions with ours by the document's rule ([`scop::names`]); what is checked here is that
//! ours do not collide with one another (`dev_A` and `dev_A_bytes` where the user has arrays `A` and `A_bytes`).

use std::collections::BTreeSet;

use scop::{Model, Program, Scanned, Step};

/// The names in use.
#[derive(Debug, Clone, Default)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// The names of a scop, and those of the functions that stand for all scops.
    pub fn of(program: &Program<Scanned>, model: &Model) -> Self {
        let mut taken: BTreeSet<String> = program.scops.iter().map(|scop| scop.model.name.clone()).collect();
        taken.extend(program.functions.iter().map(|function| function.name.clone()));
        taken.extend(names_of(model));
        Self { taken }
    }

    /// A name like `wish` that is in use nowhere else.
    pub fn fresh(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wish}_{number}");
        }
        name
    }

    /// True if a name is in use.
    pub fn contains(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// A name for a value that the user calls `wish`.
    pub fn fresh_user_name(&mut self, wish: &str) -> String {
        scop::names::unused(wish, &mut self.taken)
    }
}

fn names_of(model: &Model) -> Vec<String> {
    let mut names: Vec<String> = model.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    names.extend(model.arrays.iter().map(|array| array.name.clone()));
    for step in model.statements.iter().flat_map(|statement| &statement.body) {
        step.walk(&mut |step| {
            if let Step::Define { name, .. } | Step::For { name, .. } = step {
                names.push(name.clone());
            }
        });
    }
    names
}
