//! What the checks of data share: the loop program, where data is, and how to report what is found.

use std::collections::BTreeMap;

use polyhedra::{Map, Result, Set, Text};
use scop::ast::{ArraySlice, AstExpr};
use scop::{Access, AccessId, AccessKind, ArrayId, Diagnostic, IslSet, Placement, StatementId};

use super::transfers::{outside, unnumbered};
use super::within::within_arrays;
use crate::program::instances::Executed;
use crate::program::leaf::{Leaf, Walked};
use crate::report::{self, Fault};
use crate::stage::Sections;

/// What is known about a loop program and its data.
pub struct Facts<'a> {
    /// The source file.
    pub path: &'a str,
    /// The rest of the document.
    pub sections: &'a Sections<'a>,
    /// Where the data is.
    pub placement: &'a Placement,
    /// The slices of arrays that the device holds.
    pub slices: &'a [ArraySlice],
    /// The loop program.
    pub walked: &'a Walked<'a>,
    /// The leaves that execute instances.
    pub executed: &'a BTreeMap<StatementId, Vec<Executed<'a>>>,
}

impl Facts<'_> {
    pub fn executed(&self) -> impl Iterator<Item = &Executed<'_>> {
        self.executed.values().flatten()
    }

    /// Returns the leaves that execute an access, each with the access.
    pub fn executing(&self, id: AccessId) -> impl Iterator<Item = (&Executed<'_>, &Access)> {
        self.executed().filter_map(move |executed| Some((executed, executed.statement.access(id)?)))
    }

    pub fn message(&self, executed: &Executed<'_>, fault: Fault, points: Set) -> Result<Diagnostic> {
        let instances = points.apply(Map::from_pw_multi_aff(executed.instance.copy()?)?)?;
        report::describe_statement(self.path, self.sections.model, executed.statement.id, fault, instances)
    }

    /// Returns the points at which the given subscripts in a kernel leave the part of an array that the device
    /// holds. Only if there seem to be some are the points restricted to started blocks.
    pub fn outside(
        &self,
        leaf: &Leaf<'_>,
        points: &Set,
        touched: (ArrayId, AccessKind),
        index: &[AstExpr],
    ) -> Result<Option<Set>> {
        if let Some(numbered) = self.numbered(touched.0) {
            let outside = unnumbered(leaf, points, index, Set::parse(&numbered.0)?)?;
            if outside.is_empty()? {
                return Ok(None);
            }
            let outside = self.started(leaf, outside)?;
            return Ok(if outside.is_empty()? { None } else { Some(outside) });
        }
        if outside(leaf, points, touched, index, self.slices)?.is_none() {
            return Ok(None);
        }
        let points =
            self.started(leaf, points.copy()?)?.intersect_params(within_arrays(self.sections.model)?)?;
        outside(leaf, &points, touched, index, self.slices)
    }

    /// Returns the numbered elements of an array, if the device holds only those.
    pub fn numbered(&self, array: ArrayId) -> Option<&IslSet> {
        self.placement.device.iter().find(|device| device.array == array)?.numbered.as_ref()
    }

    /// Returns the points of a leaf whose block is started.
    pub fn started(&self, leaf: &Leaf<'_>, points: Set) -> Result<Set> {
        Ok(match self.walked.started(leaf)? {
            Some(grid) => points.intersect(grid)?,
            None => points,
        })
    }

    /// Returns a message about elements of an array, if there are any for parameters for which the source stays
    /// within its arrays.
    pub fn about(
        &self,
        code: &str,
        array: ArrayId,
        elements: Set,
        words: &str,
    ) -> Result<Option<Diagnostic>> {
        if elements.is_empty()? {
            return Ok(None);
        }
        let elements = elements.intersect_params(within_arrays(self.sections.model)?)?;
        if elements.is_empty()? {
            return Ok(None);
        }
        report::describe_element(self.sections.model, code, array, elements, words).map(Some)
    }
}
