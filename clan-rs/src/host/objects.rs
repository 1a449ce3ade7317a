//! The memory objects of a file.

use std::collections::HashMap;

use scop::{MemoryLifetime, SourceRange};

use crate::c::ctree::{Lifetime, Tree, VariableId};
use crate::host::solver::ObjectId;

/// What an object is.
#[derive(Debug, Clone)]
pub struct Object {
    /// The variable, if it is one.
    pub variable: Option<VariableId>,
    /// Its name, or a description.
    pub name: String,
    /// How long it exists.
    pub lifetime: MemoryLifetime,
    /// Where it is declared or allocated, if that is in the main file.
    pub made_at: Option<SourceRange>,
}

impl Object {
    /// Returns the object that a variable is.
    pub fn of(tree: &Tree, id: VariableId) -> Self {
        let variable = tree.variable(id);
        let lifetime = match variable.lifetime {
            Lifetime::Static => MemoryLifetime::Program,
            Lifetime::Automatic | Lifetime::Parameter => MemoryLifetime::Block,
        };
        Self { variable: Some(id), name: variable.name.clone(), lifetime, made_at: variable.declared_at }
    }

    /// Returns the elements of a vector that is a variable, or those that it had before another one got them.
    pub fn elements_of(tree: &Tree, id: VariableId) -> Self {
        let vector = Self::of(tree, id);
        Self { name: format!("the elements of `{}`", vector.name), ..vector }
    }

    /// Returns an object that is no variable.
    pub fn unnamed(name: &str, lifetime: MemoryLifetime, made_at: Option<SourceRange>) -> Self {
        Self { variable: None, name: name.to_owned(), lifetime, made_at }
    }
}

/// All objects.
#[derive(Debug, Default)]
pub struct Objects {
    /// The objects by their ids.
    pub all: Vec<Object>,
    /// The objects of variables.
    pub of_variables: HashMap<VariableId, ObjectId>,
    /// The elements of vectors that are variables.
    pub of_vectors: HashMap<VariableId, ObjectId>,
}
