//! Statements that are added to a region.

use polyhedra::{DimType, Map, Result, Set, Text};
use scop::{
    Access, AccessId, AccessKind, ArrayId, Certainty, IslMap, IslSet, Loop, LoopId, Model, SourceRange,
    Statement, StatementId, Step,
};

use crate::kept::First;

/// Where an added statement is.
pub struct Added<'a> {
    /// The region.
    pub model: &'a Model,
    /// Its number.
    pub id: StatementId,
    /// The loops of the source around it.
    pub around: &'a [LoopId],
    /// The loops inside these that are not in the source.
    pub loops: &'a [Loop],
    /// The place in the source that messages show.
    pub range: SourceRange,
}

impl Added<'_> {
    /// Returns the statement, given its instances: `{ [t, p] }`, where `t` are the iterators of the source's loops.
    pub fn statement(
        &self,
        domain: Set,
        (accesses, body, text): (Vec<Access>, Vec<Step>, String),
    ) -> Result<Statement> {
        let mut domain = domain.set_tuple_name(&self.id.to_string())?;
        let around = self.around.iter().map(|around| self.model.source_loop(*around));
        let around = around.collect::<Result<Vec<&Loop>>>()?;
        for (position, around) in around.into_iter().chain(self.loops).enumerate() {
            domain = domain.set_dim_name(DimType::Set, position as u32, &around.iterator)?;
        }
        Ok(Statement {
            id: self.id,
            loops: self.around.iter().copied().chain(self.loops.iter().map(|around| around.id)).collect(),
            domain: IslSet(domain.text()?),
            accesses,
            body,
            range: self.range,
            text,
        })
    }
}

/// Returns the place in the source that messages show for what is added to a nest: that of its outermost loop.
pub fn range_of_nest(model: &Model, statement: &Statement, depth: usize) -> Result<SourceRange> {
    let nest = model.source_loop(statement.loops[depth])?;
    Ok(nest.range.unwrap_or(statement.range))
}

/// The accesses of an added statement.
pub struct Accesses {
    id: StatementId,
    next: u32,
    /// The coordinates of the statement.
    names: Vec<String>,
    /// The certainty of those that are added next.
    pub certainty: Certainty,
    /// The accesses.
    pub all: Vec<Access>,
}

impl Accesses {
    /// Returns no accesses yet.
    pub fn of(id: StatementId, first: First, names: Vec<String>) -> Self {
        Self { id, next: first.access, names, certainty: Certainty::Must, all: Vec::new() }
    }

    /// Adds an access to an element of each of some arrays.
    pub fn all(
        &mut self,
        arrays: &[ArrayId],
        kind: AccessKind,
        subscripts: &[String],
    ) -> Result<Vec<AccessId>> {
        arrays.iter().map(|array| self.one(*array, kind, subscripts)).collect()
    }

    /// Adds an access to an element of an array.
    pub fn one(&mut self, array: ArrayId, kind: AccessKind, subscripts: &[String]) -> Result<AccessId> {
        let text =
            format!("{{ {}[{}] -> {array}[{}] }}", self.id, self.names.join(", "), subscripts.join(", "));
        self.with(array, kind, &Map::parse(&text)?)
    }

    /// Adds an access with a relation.
    pub fn with(&mut self, array: ArrayId, kind: AccessKind, relation: &Map) -> Result<AccessId> {
        self.push(Access {
            id: AccessId(self.next),
            array,
            kind,
            certainty: self.certainty,
            indirect: false,
            in_both_branches: false,
            relation: IslMap(relation.text()?),
        })
    }

    /// Adds an access like one of the statement that this one takes the place of.
    pub fn copy(&mut self, access: &Access) -> Result<AccessId> {
        let relation = Map::parse(&access.relation.0)?.set_tuple_name(DimType::In, &self.id.to_string())?;
        self.push(Access { id: AccessId(self.next), relation: IslMap(relation.text()?), ..access.clone() })
    }

    /// Adds an access to the element that one of the source uses in all instances of a nest.
    pub fn of_source(&mut self, access: &Access) -> Result<AccessId> {
        let relation = self.relation_of_source(access)?;
        let own = Access {
            id: AccessId(self.next),
            certainty: self.certainty,
            in_both_branches: false,
            relation: IslMap(relation.text()?),
            ..access.clone()
        };
        self.push(own)
    }

    /// Returns the element that an access of the source uses in all instances of a nest: `{ S3[t, c] -> A0[x] }`. The
    /// first coordinates of both statements are those of the loops around the nest.
    pub fn relation_of_source(&self, access: &Access) -> Result<Map> {
        let relation = Map::parse(&access.relation.0)?;
        let own = self.names.len() as u32;
        let inner = (relation.dim(DimType::In)? as u32).saturating_sub(own);
        let relation = relation.project_out(DimType::In, own, inner)?;
        Ok(relation.set_tuple_name(DimType::In, &self.id.to_string())?)
    }

    fn push(&mut self, access: Access) -> Result<AccessId> {
        self.next += 1;
        self.all.push(access);
        Ok(AccessId(self.next - 1))
    }
}
