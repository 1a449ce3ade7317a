//! Parts of a document by their ids.
//!
//! A document that was verified has whatever an id in it names. So a part that is missing is a bug of the tool that
//! asks, and is reported as such: none of it is left out in silence.

use std::collections::BTreeMap;
use std::fmt::Display;

use polyhedra::{Error, Result};

use crate::{
    Access, AccessId, Array, ArrayId, Buffer, BufferId, Loop, LoopId, Model, Placement, Statement,
    StatementId,
};

/// The part at a position of the list that defines the ids of its kind.
///
/// # Errors
/// The document has no part with this id.
pub fn part<T>(list: &[T], position: usize, id: impl Display) -> Result<&T> {
    list.get(position).ok_or_else(|| missing(id))
}

fn missing(id: impl Display) -> Error {
    Error::bug(format!("the document names {id}, which it does not have"))
}

impl Model {
    /// The statement with an id.
    ///
    /// # Errors
    /// The document has no part with this id.
    pub fn statement(&self, id: StatementId) -> Result<&Statement> {
        part(&self.statements, id.index(), id)
    }

    /// The statements with some ids.
    ///
    /// # Errors
    /// The document has no part with one of these ids.
    pub fn statements_of<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i StatementId>,
    ) -> Result<Vec<&Statement>> {
        ids.into_iter().map(|id| self.statement(*id)).collect()
    }

    /// The access with an id.
    ///
    /// # Errors
    /// The document has no part with this id.
    pub fn access(&self, id: AccessId) -> Result<&Access> {
        self.owner(id)?.access(id).ok_or_else(|| missing(id))
    }

    /// The statement that has an access.
    ///
    /// # Errors
    /// The document has no part with this id.
    pub fn owner(&self, id: AccessId) -> Result<&Statement> {
        self.statements.iter().find(|statement| statement.access(id).is_some()).ok_or_else(|| missing(id))
    }

    /// The statement of each access.
    pub fn owners(&self) -> BTreeMap<AccessId, StatementId> {
        let statements = self.statements.iter();
        statements
            .flat_map(|statement| statement.accesses.iter().map(|access| (access.id, statement.id)))
            .collect()
    }

    /// The array with an id.
    ///
    /// # Errors
    /// The document has no part with this id.
    pub fn array(&self, id: ArrayId) -> Result<&Array> {
        part(&self.arrays, id.index(), id)
    }

    /// The loop with an id.
    ///
    /// # Errors
    /// The document has no part with this id.
    pub fn source_loop(&self, id: LoopId) -> Result<&Loop> {
        part(&self.loops, id.index(), id)
    }

    /// The loops around a statement, outermost first.
    ///
    /// # Errors
    /// The statement names one that there is not.
    pub fn loops_around(&self, statement: &Statement) -> Result<Vec<&Loop>> {
        statement.loops.iter().map(|&id| self.source_loop(id)).collect()
    }

    /// The statements in a loop, in the order of the text.
    pub fn statements_in(&self, id: LoopId) -> impl Iterator<Item = &Statement> {
        self.statements.iter().filter(move |statement| statement.loops.contains(&id))
    }
}

impl Placement {
    /// The buffer with an id.
    ///
    /// # Errors
    /// The document has no part with this id.
    pub fn buffer(&self, id: BufferId) -> Result<&Buffer> {
        let mut buffers = self.kernels.iter().flat_map(|kernel| &kernel.buffers);
        buffers.find(|buffer| buffer.id == id).ok_or_else(|| missing(id))
    }
}
