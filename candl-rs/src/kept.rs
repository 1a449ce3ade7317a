//! Statements that store old values in a copy.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Schedule, Set, Simplify, Text, UnionSet};
use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, Certainty, Expr, ExprKind, IslMap, IslSet, Loop, LoopId,
    Model, SourceRange, Statement, StatementId, Step, Storage,
};

use crate::last_values::{in_loops, iterator_of, new_loops};

/// A statement that is to be added.
pub struct Kept<'a> {
    /// The array whose elements it stores.
    pub array: &'a Array,
    /// The array in which it stores them.
    pub copy: &'a Array,
    /// The position in the leading dimensions of the copy, which is the same for all elements.
    pub place: Vec<i64>,
    /// The elements, after the iterators of the loops of the source around the statement.
    pub elements: Set,
    /// These loops.
    pub around: Vec<LoopId>,
    /// The place in the source that messages show.
    pub range: SourceRange,
}

/// The numbers that what is added starts with.
#[derive(Debug, Clone, Copy)]
pub struct First {
    /// The statement.
    pub statement: u32,
    /// Its first access.
    pub access: u32,
    /// Its first loop.
    pub around: u32,
}

impl First {
    /// Returns the numbers after those of a model.
    pub fn after(model: &Model) -> Self {
        let accesses = model.statements.iter().map(|statement| statement.accesses.len()).sum::<usize>();
        Self {
            statement: model.statements.len() as u32,
            access: accesses as u32,
            around: model.loops.len() as u32,
        }
    }

    /// Returns the numbers after those of a statement and its loops.
    pub fn next(self, loops: &[Loop], statement: &Statement) -> Self {
        Self {
            statement: self.statement + 1,
            access: self.access + statement.accesses.len() as u32,
            around: self.around + loops.len() as u32,
        }
    }
}

impl Kept<'_> {
    /// Returns `a_[x] = a[x]` and the loops over the elements.
    pub fn statement(
        &self,
        model: &Model,
        first: First,
        taken: &mut BTreeSet<String>,
    ) -> Result<(Vec<Loop>, Statement)> {
        let loops = self.loops(model, first.around, taken)?;
        let id = StatementId(first.statement);
        let outer = self.around.len();
        let mut domain = self.elements.copy()?.simplified()?.set_tuple_name(&id.to_string())?;
        for (position, around) in self.around.iter().enumerate() {
            let name = &model.source_loop(*around)?.iterator;
            domain = domain.set_dim_name(DimType::Set, position as u32, name)?;
        }
        for (position, around) in loops.iter().enumerate() {
            domain = domain.set_dim_name(DimType::Set, (outer + position) as u32, &around.iterator)?;
        }
        let [write, read] = [AccessId(first.access), AccessId(first.access + 1)];
        let access = |id, array, kind, relation| Access {
            id,
            array,
            kind,
            certainty: Certainty::Must,
            indirect: false,
            in_both_branches: false,
            relation,
        };
        let value =
            Expr { ctype: self.array.element, kind: ExprKind::Read { access: read, subscripts: Vec::new() } };
        let statement = Statement {
            id,
            loops: self.around.iter().copied().chain(loops.iter().map(|around| around.id)).collect(),
            accesses: vec![
                access(write, self.copy.id, AccessKind::Write, self.relation(id, self.copy.id, &self.place)?),
                access(read, self.array.id, AccessKind::Read, self.relation(id, self.array.id, &[])?),
            ],
            body: vec![Step::Assign { access: write, subscripts: Vec::new(), value, compound: None }],
            range: self.range,
            text: self.text(&loops),
            domain: IslSet(domain.text()?),
        };
        Ok((loops, statement))
    }

    /// Returns a loop for each dimension of the array. It has the iterator of a write with this subscript.
    fn loops(&self, model: &Model, first: u32, taken: &mut BTreeSet<String>) -> Result<Vec<Loop>> {
        let dimensions = self.array.extents.len() as u32;
        new_loops(model, (first, dimensions), &self.around, taken, |dimension| {
            self.subscript(model, dimension)
        })
    }

    fn subscript<'m>(&self, model: &'m Model, dimension: u32) -> Result<Option<&'m Loop>> {
        let own = |access: &&Access| access.kind == AccessKind::Write && access.array == self.array.id;
        for statement in &model.statements {
            for write in statement.accesses.iter().filter(own) {
                let found = iterator_of(model, statement, write, dimension)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// Returns `{ S3[t, x] -> A4[place, x] }`.
    fn relation(&self, id: StatementId, array: ArrayId, place: &[i64]) -> Result<IslMap> {
        let names = polyhedra::numbered("i", self.around.len() + self.array.extents.len());
        let place = place.iter().map(i64::to_string);
        let element: Vec<String> = place.chain(names[self.around.len()..].iter().cloned()).collect();
        let text = format!("{{ {id}[{}] -> {array}[{}] }}", names.join(", "), element.join(", "));
        Ok(IslMap(Map::parse(&text)?.text()?))
    }

    /// Returns the statement as C text, for people: `a_[x] = a[x];`.
    fn text(&self, loops: &[Loop]) -> String {
        let own: Vec<String> = loops.iter().map(|around| around.iterator.clone()).collect();
        let subscripts = |place: &[i64]| -> String {
            let place = place.iter().map(i64::to_string);
            place.chain(own.iter().cloned()).map(|subscript| format!("[{subscript}]")).collect()
        };
        let old = match self.array.expression.is_empty() {
            true => format!("{}{}", self.array.name, subscripts(&[])),
            false => self.array.c_element(&own),
        };
        format!("{}{} = {old};", self.copy.name, subscripts(&self.place))
    }
}

/// Returns the order of a statement's instances in the loops from a depth on.
pub fn inner_order(statement: &Statement, depth: usize) -> Result<Schedule> {
    if depth == 0 {
        return in_loops(statement);
    }
    let domain = Set::parse(&statement.domain.0)?;
    let names = polyhedra::numbered("i", statement.depth());
    let mut node = Schedule::from_domain(UnionSet::from_set(domain)?)?.get_root()?.child(0)?;
    for name in names[depth..].iter().rev() {
        let band = format!("[{{ {}[{}] -> [({name})] }}]", statement.id, names.join(", "));
        let band = polyhedra::MultiUnionPwAff::read_from_str(polyhedra::context(), &band)?;
        node = node.insert_partial_schedule(band)?;
    }
    Ok(node.get_schedule()?)
}

/// Returns the box around elements of an array that follow the iterators of `outer` loops in a set, if these are of an
/// intricate shape: copying a few more elements takes less time than conditions.
///
/// All elements of the box exist if the source declares the lengths of rows.
pub fn around(array: &Array, elements: Set, outer: usize) -> Result<Set> {
    let is_plain = !matches!(array.storage, Storage::Member { .. }) && array.declares_rows();
    if elements.n_basic_set()? <= 1 || !is_plain {
        return Ok(elements);
    }
    let (dimensions, outer) = (elements.dim(DimType::Set)? as u32, outer as u32);
    let mut all = elements.copy()?.project_out(DimType::Set, outer, dimensions - outer)?;
    for dimension in outer..dimensions {
        let after = dimensions - dimension - 1;
        let own = elements.copy()?.project_out(DimType::Set, dimension + 1, after)?;
        let own = own.project_out(DimType::Set, outer, dimension - outer)?;
        let own = Set::from_basic_set(own.simple_hull()?)?;
        let own = own.insert_dims(DimType::Set, outer, dimension - outer)?;
        all = all.insert_dims(DimType::Set, dimension, 1)?.intersect(own)?;
    }
    // A hull has only constraints of its parts, so it may have no bounds.
    if !all.is_bounded()? {
        return Ok(elements);
    }
    all.intersect_params(elements.params()?)?.simplified()
}
