//! Names of things that the user's program does not know.
//!
//! The user's own names are free of collisions with ours by the document's rule ([`scop::names`]); what is checked
//! here is that ours do not collide with one another (`dev_A` and `dev_A_bytes` where the user has arrays `A` and
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

/// The names of the user's functions in the generated file, by those in the document.
///
/// The stem of the file's name stands in front, as in the names of kernels. CUDA declares many functions for all
/// files, and where a file defines one of them, as its own `rsqrtf`, nvcc calls CUDA's without a word.
#[derive(Debug, Clone)]
pub struct FunctionNames(BTreeMap<String, String>);

impl FunctionNames {
    /// Names that are in use nowhere in the program, whose files have names with this stem.
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
    /// The names of a scop, and those of the functions that stand for all scops. No name of the user's begins with
    /// `prefix`.
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

    /// The name of a function in generated code.
    pub fn function<'n>(&'n self, name: &'n str) -> &'n str {
        self.functions.function(name)
    }

    /// The name of something that the generated file defines once for all regions: `cuda_constants`.
    pub fn own(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix)
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
