//! Names that generated code adds to the user's.
//!
//! The document's rule for names ([`scop::names`]) ensures that the user's names do not collide with ours. This file
//! ensures that ours do not collide with one another (`dev_A` and `dev_A_bytes`, if the user has arrays `A` and
//! `A_bytes`).

use std::collections::{BTreeMap, BTreeSet};

use scop::c_text::{Dialect, Fragment, Spelling, Undefined};
use scop::{AccessId, Model, Program, Scanned, Step};

/// The names in use.
#[derive(Debug, Clone)]
pub struct Names {
    taken: BTreeSet<String>,
    functions: FunctionNames,
    prefix: &'static str,
}

/// The names of the user's functions in the generated file, by their names in the document.
///
/// Each name begins with the stem of the file's name, like the names of kernels. CUDA declares many functions for all
/// files. If a file defined one of them itself, for example `rsqrtf`, nvcc would silently call CUDA's.
#[derive(Debug, Clone)]
pub struct FunctionNames(BTreeMap<String, String>);

impl FunctionNames {
    /// Chooses names that are in use nowhere in the program; the names of its files have this stem.
    pub fn of(program: &Program<Scanned>, stem: &str) -> Self {
        let mut taken: BTreeSet<String> = program.scops.iter().map(|scop| scop.model.name.clone()).collect();
        taken.extend(program.scops.iter().flat_map(|scop| names_of(&scop.model)));
        for function in &program.functions {
            taken.extend(function.parameters.iter().map(|parameter| parameter.name.clone()));
            taken.extend(temporaries(&function.body));
        }
        let names = program.functions.iter().map(|function| {
            (function.name.clone(), scop::names::unused(&format!("{stem}_{}", function.name), &mut taken))
        });
        Self(names.collect())
    }

    /// Returns the names in the generated file.
    pub fn of_functions(&self) -> impl Iterator<Item = String> {
        self.0.values().cloned()
    }
}

impl Spelling for FunctionNames {
    type Error = Undefined;

    fn dialect(&self) -> Dialect {
        Dialect::Cxx
    }

    fn element(&self, access: AccessId, _: &[Fragment]) -> Result<Fragment, Undefined> {
        Err(Undefined(access.to_string()))
    }

    fn iterator(&self, _: u32) -> Option<Fragment> {
        None
    }

    fn parameter(&self, _: &str) -> Option<Fragment> {
        None
    }

    fn function<'n>(&'n self, name: &'n str) -> &'n str {
        self.0.get(name).map_or(name, String::as_str)
    }
}

impl Names {
    /// Collects the names of a scop and those of all functions. No name of the user begins with `prefix`.
    pub fn of(
        program: &Program<Scanned>,
        model: &Model,
        functions: &FunctionNames,
        prefix: &'static str,
    ) -> Self {
        let mut taken: BTreeSet<String> = program.scops.iter().map(|scop| scop.model.name.clone()).collect();
        taken.extend(functions.0.values().cloned());
        taken.extend(names_of(model));
        Self { taken, functions: functions.clone(), prefix }
    }

    /// Returns the name of a user's function in generated code.
    pub fn function<'n>(&'n self, name: &'n str) -> &'n str {
        self.functions.function(name)
    }

    /// Returns the name of something that the generated file defines once for all regions, such as `cuda_constants`.
    pub fn own(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix)
    }

    /// Returns a name like `wish` that is in use nowhere else.
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

    /// Returns an unused name for a value that the user calls `wish`.
    pub fn fresh_user_name(&mut self, wish: &str) -> String {
        scop::names::unused(wish, &mut self.taken)
    }
}

fn names_of(model: &Model) -> Vec<String> {
    let mut names: Vec<String> = model.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    names.extend(model.arrays.iter().map(|array| array.name.clone()));
    names.extend(model.statements.iter().flat_map(|statement| temporaries(&statement.body)));
    names
}

fn temporaries(steps: &[Step]) -> Vec<String> {
    let mut names = Vec::new();
    for step in steps {
        step.walk(&mut |step| {
            if let Step::Define { name, .. } | Step::For { name, .. } = step {
                names.push(name.clone());
            }
        });
    }
    names
}
