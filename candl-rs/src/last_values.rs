//! The values that code after the region reads in variables that have copies.
//!
//! ```c
//! for (int i = 0; i < n; i++) {        for (int i = 0; i < n; i++) {
//!     for (int j = 0; j < m; j++)          for (int j = 0; j < m; j++)
//!         row[j] = f(a[i][j]);                 row_[i][j] = f(a[i][j]);
//!     …                           →        …
//! }                                    }
//!                                      for (int j = 0; j < m; j++)
//!                                          row[j] = row_[n - 1][j];
//! ```
//!
//! [`crate::last_copies`] says which copy has the last value of an element. For each statement that writes last values,
//! another one stores them.

use std::collections::BTreeSet;

use polyhedra::{
    DimType, Map, MultiUnionPwAff, PwMultiAff, Result, Schedule, Set, Simplify, Text, UnionSet, context,
    maps_of, settled_text,
};
use scop::ast::AstExpr;
use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, CType, Certainty, Dependence, Dependences, Expr, ExprKind,
    IslMap, IslSchedule, IslSet, LastValues, LiveAccess, Loop, LoopId, Model, Statement, StatementId, Step,
    c_text, from_isl, names,
};

use crate::accesses::tag;
use crate::dataflow::{Dataflow, Flow};
use crate::last_copies::LastCopies;
use crate::live::Ends;
use crate::live_ranges::LiveRange;

/// The last values that a statement writes in a live range.
pub struct Stored<'a> {
    /// The live range.
    pub range: &'a LiveRange,
    /// The array of the copies.
    pub copies: &'a Array,
    /// The copies that have the last values.
    pub last: LastCopies,
}

/// Returns the statements that store last values, and the order of the source followed by them; nothing if there are
/// none.
pub fn last_values(
    model: &Model,
    stored: &[Stored<'_>],
    taken: &mut BTreeSet<String>,
) -> Result<Option<(LastValues, IslSchedule)>> {
    if stored.is_empty() {
        return Ok(None);
    }
    taken.extend(model.loops.iter().map(|around| around.iterator.clone()));
    let accesses = model.statements.iter().map(|statement| statement.accesses.len()).sum::<usize>();
    let (mut loops, mut statements) = (Vec::new(), Vec::new());
    let mut order = Schedule::parse(&model.order.0)?;
    for (number, stored) in stored.iter().enumerate() {
        let (id, access) =
            (StatementId((model.statements.len() + number) as u32), (accesses + 2 * number) as u32);
        let around = stored.loops(model, (model.loops.len() + loops.len()) as u32, taken)?;
        let statement = stored.statement(model, (id, access), &around)?;
        order = order.sequence(in_loops(&statement)?)?;
        loops.extend(around);
        statements.push(statement);
    }
    Ok(Some((LastValues { loops, statements }, IslSchedule(order.text()?))))
}

impl Stored<'_> {
    /// Returns a loop for each dimension of the variable, with the iterator that the last write has there.
    fn loops(&self, model: &Model, first: u32, taken: &mut BTreeSet<String>) -> Result<Vec<Loop>> {
        let dimensions = self.last.copies.dim(DimType::In)? as u32;
        new_loops(model, (first, dimensions), &[], taken, |dimension| self.subscript(model, dimension))
    }

    /// Returns the loop of the source whose iterator is the subscript of the last write in a dimension.
    fn subscript<'m>(&self, model: &'m Model, dimension: u32) -> Result<Option<&'m Loop>> {
        let statement = model.statement(self.last.writer)?;
        let is_own =
            |access: &&Access| access.kind == AccessKind::Write && self.range.accesses.contains(&access.id);
        let Some(write) = statement.accesses.iter().rfind(is_own) else { return Ok(None) };
        iterator_of(model, statement, write, dimension)
    }

    /// Returns `x[j] = x_[n - 1][j]` with its accesses, which are numbered from `first`.
    fn statement(&self, model: &Model, (id, first): (StatementId, u32), loops: &[Loop]) -> Result<Statement> {
        let array = model.array(self.range.array)?;
        let mut domain = self.last.copies.copy()?.domain()?.set_tuple_name(&id.to_string())?;
        for (dimension, around) in loops.iter().enumerate() {
            domain = domain.set_dim_name(DimType::Set, dimension as u32, &around.iterator)?;
        }
        let [write, read] = [AccessId(first), AccessId(first + 1)];
        let access = |id, array, kind, relation| Access {
            id,
            array,
            kind,
            certainty: Certainty::Must,
            indirect: false,
            in_both_branches: false,
            relation,
        };
        let element =
            Expr { ctype: array.element, kind: ExprKind::Read { access: read, subscripts: Vec::new() } };
        let writer = model.statement(self.last.writer)?;
        Ok(Statement {
            id,
            loops: loops.iter().map(|around| around.id).collect(),
            accesses: vec![
                access(write, array.id, AccessKind::Write, self.written(id, array.id)?),
                access(read, self.copies.id, AccessKind::Read, self.read(id)?),
            ],
            body: vec![Step::Assign {
                access: write,
                subscripts: Vec::new(),
                value: element,
                compound: None,
            }],
            range: writer.range,
            text: self.text(array, loops)?,
            domain: IslSet(domain.text()?),
        })
    }

    /// Returns `{ S3[j] -> A0[j] }`.
    fn written(&self, id: StatementId, array: ArrayId) -> Result<IslMap> {
        let names = polyhedra::numbered("i", self.last.copies.dim(DimType::In)? as usize).join(", ");
        Ok(IslMap(Map::parse(&format!("{{ {id}[{names}] -> {array}[{names}] }}"))?.text()?))
    }

    /// Returns `{ S3[j] -> A4[n - 1, j] }`.
    fn read(&self, id: StatementId) -> Result<IslMap> {
        let elements = self.last.copies.copy()?.domain()?;
        let last =
            self.last.copies.copy()?.gist_domain(elements)?.set_tuple_name(DimType::In, &id.to_string())?;
        let names = polyhedra::numbered("i", last.dim(DimType::In)? as usize).join(", ");
        let own = Map::parse(&format!("{{ {id}[{names}] -> [{names}] }}"))?;
        let relation = last.flat_range_product(own)?;
        Ok(IslMap(relation.set_tuple_name(DimType::Out, &self.copies.id.to_string())?.text()?))
    }

    /// Returns the statement as C text, for people: `sum[p] = sum_[nr - 1][p];`.
    fn text(&self, array: &Array, loops: &[Loop]) -> Result<String> {
        let own: Vec<String> = loops.iter().map(|around| around.iterator.clone()).collect();
        let copy = self.copy_in_c(&own)?.into_iter().chain(own.iter().cloned());
        let copy: String = copy.map(|subscript| format!("[{subscript}]")).collect();
        let variable = if array.expression.is_empty() {
            own.iter().fold(array.name.clone(), |text, subscript| format!("{text}[{subscript}]"))
        } else {
            array.c_element(&own)
        };
        Ok(format!("{variable} = {}{copy};", self.copies.name))
    }

    /// Returns the subscripts of the copy, given the names of the element's subscripts.
    fn copy_in_c(&self, names: &[String]) -> Result<Vec<String>> {
        let elements = self.last.copies.copy()?.domain()?;
        let mut last = self.last.copies.copy()?.gist_domain(elements)?;
        for (dimension, name) in names.iter().enumerate() {
            last = last.set_dim_name(DimType::In, dimension as u32, name)?;
        }
        let parameters = last.dim(DimType::Param)? as u32;
        let last = last.move_dims(DimType::Param, parameters, DimType::In, 0, names.len() as u32)?;
        let function = PwMultiAff::from_map(last)?;
        let everywhere = Set::parse("{ : }")?;
        let subscripts = 0..function.dim(DimType::Out)?;
        subscripts
            .map(|position| {
                let value = function.get_at(position)?.project_domain_on_params()?;
                let value: AstExpr = from_isl::of_parameters(&everywhere, value)?;
                Ok(c_text::index_text(&value, CType::Int).text)
            })
            .collect()
    }
}

/// Returns new loops around an added statement, one for each dimension of an array, which are numbered from `first`
/// and inside some loops of the source. Each has the iterator of the loop of the source that counts its dimension,
/// unless a loop outside it has this name, or else an unused one.
pub fn new_loops<'m>(
    model: &'m Model,
    (first, dimensions): (u32, u32),
    around: &[LoopId],
    taken: &mut BTreeSet<String>,
    subscript: impl Fn(u32) -> Result<Option<&'m Loop>>,
) -> Result<Vec<Loop>> {
    let mut loops: Vec<Loop> = Vec::new();
    for dimension in 0..dimensions {
        let id = LoopId(first + dimension);
        let parent = loops.last().map(|outer| outer.id).or(around.last().copied());
        let is_used = |name: &str| {
            let outer = around.iter().filter_map(|id| model.source_loop(*id).ok());
            outer.chain(&loops).any(|outer| outer.iterator == name)
        };
        let known = subscript(dimension)?.filter(|found| !is_used(&found.iterator));
        let (iterator, ctype) = match known {
            Some(found) => (found.iterator.clone(), found.ctype),
            None => (names::unused("x", taken), index_type(model)),
        };
        loops.push(Loop { id, iterator, ctype, parent, range: None });
    }
    Ok(loops)
}

/// Returns the loop of the source whose iterator is the subscript of an access in a dimension.
pub fn iterator_of<'m>(
    model: &'m Model,
    statement: &Statement,
    access: &Access,
    dimension: u32,
) -> Result<Option<&'m Loop>> {
    let relation = Map::parse(&access.relation.0)?;
    for (position, &around) in statement.loops.iter().enumerate() {
        let equal = relation.copy()?.equate(DimType::In, position as i32, DimType::Out, dimension as i32)?;
        if relation.is_subset(&equal)? {
            return model.source_loop(around).map(Some);
        }
    }
    Ok(None)
}

/// Returns the type of subscripts that no iterator of the source has.
pub fn index_type(model: &Model) -> CType {
    let iterators = model.loops.iter().map(|around| around.ctype);
    let types = iterators.chain(model.parameters.iter().map(|parameter| parameter.ctype));
    if types.map(CType::size).max() > Some(CType::Int.size()) { CType::Long } else { CType::Int }
}

/// Returns the order of a statement's instances: a band for each loop around it.
pub fn in_loops(statement: &Statement) -> Result<Schedule> {
    let domain = Set::parse(&statement.domain.0)?;
    let names = polyhedra::numbered("i", statement.depth());
    let mut node = Schedule::from_domain(UnionSet::from_set(domain)?)?.get_root()?.child(0)?;
    for name in names.iter().rev() {
        let band = format!("[{{ {}[{}] -> [({name})] }}]", statement.id, names.join(", "));
        node = node.insert_partial_schedule(MultiUnionPwAff::read_from_str(context(), &band)?)?;
    }
    Ok(node.get_schedule()?)
}

/// Adds what the statements that store last values need, and makes the values that they store the ones that code
/// after the region reads.
pub fn pass_on(
    dataflow: &Dataflow<'_>,
    ends: &Ends,
    last: &LastValues,
    expanded: &Model,
    found: &mut Dependences,
    flows: &mut Vec<Flow>,
) -> Result<()> {
    for map in maps_of(&ends.writes)? {
        let source = tag(map.copy()?.domain()?)?;
        let written = map.domain_factor_domain()?;
        for statement in &last.statements {
            let [write, read] = &statement.accesses[..] else { continue };
            if expanded.access(source)?.array != read.array {
                continue;
            }
            let elements =
                Map::parse(&write.relation.0)?.intersect_domain(Set::parse(&statement.domain.0)?)?;
            let relation = dataflow.simplify(written.copy()?.apply_range(elements.reverse()?)?)?;
            if relation.is_empty()? {
                continue;
            }
            found.live_out.retain(|live| live.access != source);
            let text = IslMap(settled_text(&relation)?);
            found.flow.push(Dependence { source, sink: read.id, relation: text });
            flows.push(Flow { source, sink: read.id, relation });
        }
    }
    for statement in &last.statements {
        let [write, _] = &statement.accesses[..] else { continue };
        let stored = Map::parse(&write.relation.0)?.intersect_domain(Set::parse(&statement.domain.0)?)?;
        let relation = dataflow.simplify(stored)?;
        let elements = relation.copy()?.range()?.simplified()?;
        found.live_out.push(LiveAccess {
            access: write.id,
            relation: IslMap(settled_text(&relation)?),
            elements: IslSet(elements.text()?),
        });
    }
    found.flow.sort_by_key(|flow| (flow.source, flow.sink));
    found.live_out.sort_by_key(|live| live.access);
    Ok(())
}
