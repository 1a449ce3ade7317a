//! Lookup of parts of a document by id.
//!
//! In a verified document, every id names an existing part. A missing part is therefore a bug of the tool that
//! looks it up. It is reported as such and never silently skipped.

use std::collections::BTreeMap;
use std::fmt::Display;

use polyhedra::{Error, Result};

use crate::{
    Access, AccessId, Array, ArrayId, Buffer, BufferId, Loop, LoopId, Model, Placement, Statement,
    StatementId,
};

/// Returns the part at a position of the list that defines the ids of its kind.
///
/// # Errors
/// Fails if the document has no part with this id.
pub fn part<T>(list: &[T], position: usize, id: impl Display) -> Result<&T> {
    list.get(position).ok_or_else(|| missing(id))
}

fn missing(id: impl Display) -> Error {
    Error::bug(format!("the document names {id}, which it does not have"))
}

impl Model {
    /// Returns the statement with an id.
    ///
    /// # Errors
    /// Fails if the document has no part with this id.
    pub fn statement(&self, id: StatementId) -> Result<&Statement> {
        part(&self.statements, id.index(), id)
    }

    /// Returns the statements with some ids.
    ///
    /// # Errors
    /// Fails if the document has no part with one of these ids.
    pub fn statements_of<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i StatementId>,
    ) -> Result<Vec<&Statement>> {
        ids.into_iter().map(|id| self.statement(*id)).collect()
    }

    /// Returns the access with an id.
    ///
    /// # Errors
    /// Fails if the document has no part with this id.
    pub fn access(&self, id: AccessId) -> Result<&Access> {
        self.owner(id)?.access(id).ok_or_else(|| missing(id))
    }

    /// Returns the statement that an access belongs to.
    ///
    /// # Errors
    /// Fails if the document has no part with this id.
    pub fn owner(&self, id: AccessId) -> Result<&Statement> {
        self.statements.iter().find(|statement| statement.access(id).is_some()).ok_or_else(|| missing(id))
    }

    /// Returns the statement of each access.
    pub fn owners(&self) -> BTreeMap<AccessId, StatementId> {
        let statements = self.statements.iter();
        statements
            .flat_map(|statement| statement.accesses.iter().map(|access| (access.id, statement.id)))
            .collect()
    }

    /// Returns the array with an id.
    ///
    /// # Errors
    /// Fails if the document has no part with this id.
    pub fn array(&self, id: ArrayId) -> Result<&Array> {
        part(&self.arrays, id.index(), id)
    }

    /// Returns the loop with an id.
    ///
    /// # Errors
    /// Fails if the document has no part with this id.
    pub fn source_loop(&self, id: LoopId) -> Result<&Loop> {
        part(&self.loops, id.index(), id)
    }

    /// Returns the loops around a statement, outermost first.
    ///
    /// # Errors
    /// Fails if the statement names a loop that does not exist.
    pub fn loops_around(&self, statement: &Statement) -> Result<Vec<&Loop>> {
        statement.loops.iter().map(|&id| self.source_loop(id)).collect()
    }

    /// Returns the statements in a loop, in the order of the text.
    pub fn statements_in(&self, id: LoopId) -> impl Iterator<Item = &Statement> {
        self.statements.iter().filter(move |statement| statement.loops.contains(&id))
    }
}

impl Placement {
    /// Returns the buffer with an id.
    ///
    /// # Errors
    /// Fails if the document has no part with this id.
    pub fn buffer(&self, id: BufferId) -> Result<&Buffer> {
        let mut buffers = self.kernels.iter().flat_map(|kernel| &kernel.buffers);
        buffers.find(|buffer| buffer.id == id).ok_or_else(|| missing(id))
    }
}
