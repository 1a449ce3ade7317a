//! Sums whose updates can go to several partial sums ([`scop::partial_sums`]).
//!
//! The order of a sum's updates must be free. There is a loop around the updates in which nothing else uses the array
//! of the sum: its nest. Directly before the nest, the partial sums are set to the neutral value; directly after it,
//! they are combined with the element. Between the two, each update changes one partial sum instead of the element.
//! Which one depends on the iteration of one loop: the outermost loop of the nest that does not choose the element.
//!
//! If there is another loop of the sum inside that one, each of its iterations has a partial sum.
//! Otherwise their number is fixed. If the loop is the innermost one, a warp finds in each run of 32 iterations one for
//! each of its threads, and the runs go to the partial sums in turn; if it is not, its iterations do.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Schedule, Set, Simplify, Text};
use scop::partial_sums::{combination, neutral_value};
use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, CType, Certainty, ExpandedAccess, Expansions, IslMap,
    IslSchedule, Loop, LoopId, Model, PartialSum, PartialSums, Reduction, Statement, StatementId, Step,
    Storage, can_be_partial, names,
};

use crate::accesses::leading;
use crate::added::{Added, range_of_nest};
use crate::expand::{expanded, taken_names};
use crate::insert::{Place, beside_nest};
use crate::kept::First;
use crate::known::Known;
use crate::last_values::index_type;

/// The number of partial sums for each element: one for each of some 16 warps of a multiprocessor. That is enough to
/// keep the memory of a large GPU busy, and few enough for a single warp to combine them.
const PARTIAL_SUMS: u32 = 2048;

/// The consecutive iterations that belong to one partial sum: one for each thread of a warp.
const RUN: u32 = 32;

/// The most loops around a nest's updates that choose the element. More of them have enough parallel iterations.
const MOST_ELEMENT_LOOPS: usize = 1;

/// A sum whose updates can go to partial sums.
pub struct DividedSum<'a> {
    reduction: &'a Reduction,
    statement: &'a Statement,
    /// The number of loops around its nest.
    depth: usize,
    /// The position of the loop that the partial sums divide among themselves.
    divided: usize,
    /// Whether there is another loop of the sum inside that one, so that each iteration has a partial sum.
    is_of_rows: bool,
}

impl DividedSum<'_> {
    /// The number of consecutive iterations that belong to one partial sum.
    fn run(&self) -> u32 {
        if self.divided + 1 == self.statement.depth() { RUN } else { 1 }
    }

    /// The number of partial sums for each element; nothing if each iteration has one.
    fn count(&self) -> Option<u32> {
        (!self.is_of_rows).then_some(PARTIAL_SUMS)
    }

    /// Returns the partial sum that each instance updates: `{ S0[i] -> [p] }`.
    fn number(&self) -> Result<Map> {
        let names = polyhedra::numbered("i", self.statement.depth());
        let (id, iterator) = (self.statement.id, &names[self.divided]);
        let number = match self.count() {
            Some(count) => format!("(floor({iterator}/{})) mod {count}", self.run()),
            None => iterator.clone(),
        };
        Map::parse(&format!("{{ {id}[{}] -> [p] : p = {number} }}", names.join(", ")))
    }
}

/// Returns the sums whose updates can go to partial sums.
pub fn divided_sums<'a>(known: &Known<'a>) -> Result<Vec<DividedSum<'a>>> {
    let (mut found, mut arrays) = (Vec::new(), BTreeSet::new());
    for reduction in &known.dependences.reductions {
        let array = known.model.access(reduction.write)?.array;
        // The partial sums of one nest are combined with the element itself, which has no copies in another nest.
        let is_first = !arrays.contains(&array);
        if let Some(sum) = divided_sum(known, reduction)?.filter(|_| is_first) {
            arrays.insert(array);
            found.push(sum);
        }
    }
    Ok(found)
}

fn divided_sum<'a>(known: &Known<'a>, reduction: &'a Reduction) -> Result<Option<DividedSum<'a>>> {
    let model = known.model;
    let statement = model.statement(reduction.statement)?;
    let is_taken = |access| known.expansions.accesses.iter().any(|expanded| expanded.access == access);
    let write = model.access(reduction.write)?;
    let array = model.array(write.array)?;
    let is_plain = reduction.free.is_some()
        && can_be_partial(statement, reduction)
        && neutral_value(reduction.operator, array.element).is_some()
        && !reduction.accesses().any(is_taken)
        && !write.indirect
        && array.scope_depth == 0
        && !matches!(array.storage, Storage::Member { .. });
    if !is_plain {
        return Ok(None);
    }
    let dead = &known.dependences.dead;
    let is_other = |access: &Access| access.array == array.id && !reduction.updates_by(access.id);
    let is_alone = |nest: LoopId| {
        let alive =
            model.statements.iter().filter(|one| !dead.contains(&one.id) && one.loops.contains(&nest));
        !alive.flat_map(|one| &one.accesses).any(is_other)
    };
    let Some(depth) = statement.loops.iter().position(|nest| is_alone(*nest)) else { return Ok(None) };
    let choosing = choosing_loops(statement, write)?;
    let inner = depth..statement.depth();
    let Some(divided) = inner.clone().find(|position| !choosing.contains(position)) else { return Ok(None) };
    let few = inner.filter(|position| choosing.contains(position)).count() <= MOST_ELEMENT_LOOPS;
    let is_of_rows = (divided + 1..statement.depth()).any(|position| !choosing.contains(&position));
    Ok(few.then_some(DividedSum { reduction, statement, depth, divided, is_of_rows }))
}

/// Returns the positions of the loops on whose iterators the element of an access depends.
fn choosing_loops(statement: &Statement, access: &Access) -> Result<BTreeSet<usize>> {
    let relation = Map::parse(&access.relation.0)?;
    let mut choosing = BTreeSet::new();
    for position in 0..statement.depth() {
        if relation.involves_dims(DimType::In, position as u32, 1)? {
            choosing.insert(position);
        }
    }
    Ok(choosing)
}

/// Returns the expansions in which some sums have partial sums, and the arrays of these sums; nothing if the order of
/// the source does not show where these begin and end.
pub fn partial_sums(
    known: &Known<'_>,
    divided: &[DividedSum<'_>],
    (mut array, mut first): (ArrayId, First),
) -> Result<Option<(Expansions, BTreeSet<ArrayId>)>> {
    if divided.is_empty() {
        return Ok(None);
    }
    let model = known.model;
    let mut taken = taken_names(model);
    taken.extend(model.loops.iter().map(|around| around.iterator.clone()));
    let mut expansions = known.expansions.clone();
    let mut order = Schedule::parse(&model.order.0)?;
    let mut all = PartialSums { loops: Vec::new(), sums: Vec::new() };
    let mut added: Vec<Statement> = Vec::new();
    let mut of = BTreeSet::new();
    for sum in divided {
        let source = model.array(model.access(sum.reduction.write)?.array)?;
        let mut partial = expanded(source, 1);
        partial.id = array;
        partial.name = names::unused(&format!("partial_{}", source.name), &mut taken);
        array = ArrayId(array.0 + 1);
        let new = New { model, sum, source, partial: &partial };
        let start = new.start(first, &mut taken)?;
        first = first.next(&start.0, &start.1);
        let finish = new.finish(first, &mut taken)?;
        first = first.next(&finish.0, &finish.1);
        for (after, statement) in [(false, &start.1), (true, &finish.1)] {
            let nest = sum.statement.loops[sum.depth];
            let place = Place { model, nest, depth: sum.depth, statement, kept: &added, after };
            let Some(with_statement) = beside_nest(&order, &place)? else { return Ok(None) };
            order = with_statement;
            added.push(statement.clone());
        }
        for access in sum.reduction.accesses().collect::<BTreeSet<_>>() {
            expansions.accesses.push(new.redirected(access)?);
        }
        of.insert(source.id);
        all.sums.push(PartialSum {
            statement: sum.statement.id,
            write: sum.reduction.write,
            depth: sum.depth as u32,
            divided: sum.divided as u32,
            count: sum.count(),
            run: sum.run(),
            start: start.1,
            finish: finish.1,
        });
        all.loops.extend(start.0.into_iter().chain(finish.0));
        expansions.arrays.push(partial);
    }
    expansions.partial_sums = Some(all);
    expansions.order = Some(IslSchedule(order.text()?));
    Ok(Some((expansions, of)))
}

/// What is added for a sum.
struct New<'a> {
    model: &'a Model,
    sum: &'a DividedSum<'a>,
    /// The array of the sum.
    source: &'a Array,
    /// The array of the partial sums.
    partial: &'a Array,
}

impl New<'_> {
    /// Returns `partial[p] = 0`, and the loops around it that are not in the source.
    fn start(&self, first: First, taken: &mut BTreeSet<String>) -> Result<(Vec<Loop>, Statement)> {
        let loops = self.loops(first.around, taken)?;
        let id = StatementId(first.statement);
        let write = AccessId(first.access);
        let element = self.partial.element;
        let value = neutral_value(self.sum.reduction.operator, element).ok_or_else(no_operator)?;
        let accesses = vec![self.access(write, AccessKind::Write, (id, self.partial))?];
        let body = vec![Step::Assign { access: write, subscripts: Vec::new(), value, compound: None }];
        let text = format!("{} = {};", self.element_text(self.partial, &loops), neutral_text(&body));
        let statement = self.statement(id, &loops, (accesses, body, text))?;
        Ok((loops, statement))
    }

    /// Returns `s = s + partial[p]`, and the loops around it that are not in the source.
    fn finish(&self, first: First, taken: &mut BTreeSet<String>) -> Result<(Vec<Loop>, Statement)> {
        let loops = self.loops(first.around, taken)?;
        let id = StatementId(first.statement);
        let numbers = [0, 1, 2].map(|number| AccessId(first.access + number));
        let operator = self.sum.reduction.operator;
        let step = combination(operator, self.source.element, numbers).ok_or_else(no_operator)?;
        let accesses = vec![
            self.access(numbers[0], AccessKind::Write, (id, self.source))?,
            self.access(numbers[1], AccessKind::Read, (id, self.source))?,
            self.access(numbers[2], AccessKind::Read, (id, self.partial))?,
        ];
        let [own, other] = [self.source, self.partial].map(|array| self.element_text(array, &loops));
        let text = match operator.c_name() {
            name @ ("min" | "max") => format!("{own} = {name}({own}, {other});"),
            name => format!("{own} {name}= {other};"),
        };
        let statement = self.statement(id, &loops, (accesses, vec![step], text))?;
        Ok((loops, statement))
    }

    /// Returns a loop over the partial sums, and one for each dimension of the array inside it.
    fn loops(&self, first: u32, taken: &mut BTreeSet<String>) -> Result<Vec<Loop>> {
        let mut parent = self.around().last().copied();
        let mut loops = Vec::new();
        for position in 0..=self.source.extents.len() as u32 {
            let id = LoopId(first + position);
            let (iterator, ctype) = match position {
                0 => (names::unused("p", taken), CType::Int),
                _ => (names::unused("x", taken), index_type(self.model)),
            };
            loops.push(Loop { id, iterator, ctype, parent, range: None });
            parent = Some(id);
        }
        Ok(loops)
    }

    fn around(&self) -> &[LoopId] {
        &self.sum.statement.loops[..self.sum.depth]
    }

    fn statement(
        &self,
        id: StatementId,
        loops: &[Loop],
        (accesses, body, text): (Vec<Access>, Vec<Step>, String),
    ) -> Result<Statement> {
        let range = range_of_nest(self.model, self.sum.statement, self.sum.depth)?;
        let added = Added { model: self.model, id, around: self.around(), loops, range };
        added.statement(self.domain()?, (accesses, body, text))
    }

    /// Returns the partial sums of the elements that are updated in each iteration of the loops around the nest:
    /// `{ [t, p, x] }`.
    fn domain(&self) -> Result<Set> {
        let statement = self.sum.statement;
        let context = Set::parse(&self.model.context.0)?;
        let domain = Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?;
        let relation = Map::parse(&self.model.access(self.sum.reduction.write)?.relation.0)?;
        let relation = relation.intersect_domain(domain)?;
        let outer: Vec<usize> = (0..self.sum.depth).collect();
        let run = leading(&relation, statement.depth(), &outer)?;
        if self.sum.count().is_none() {
            let all = run.flat_range_product(self.sum.number()?)?.flat_range_product(relation)?;
            return Ok(all.range()?.reset_tuple_id()?.simplified()?.gist_params(context)?);
        }
        let updated = run.flat_range_product(relation)?.range()?.reset_tuple_id()?.simplified()?;
        let updated = updated.gist_params(context)?.insert_dims(DimType::Set, outer.len() as u32, 1)?;
        let names = polyhedra::numbered("i", updated.dim(DimType::Set)? as usize);
        let bounds =
            format!("{{ [{}] : 0 <= {} < {PARTIAL_SUMS} }}", names.join(", "), names[self.sum.depth]);
        updated.intersect(Set::parse(&bounds)?)?.simplified()
    }

    fn access(
        &self,
        id: AccessId,
        kind: AccessKind,
        (statement, array): (StatementId, &Array),
    ) -> Result<Access> {
        let names = polyhedra::numbered("i", self.sum.depth + 1 + self.source.extents.len());
        let element = &names[names.len() - array.extents.len()..];
        let text = format!("{{ {statement}[{}] -> {}[{}] }}", names.join(", "), array.id, element.join(", "));
        Ok(Access {
            id,
            array: array.id,
            kind,
            certainty: Certainty::Must,
            indirect: false,
            in_both_branches: false,
            relation: IslMap(Map::parse(&text)?.text()?),
        })
    }

    /// Returns an access of the update that uses a partial sum.
    fn redirected(&self, access: AccessId) -> Result<ExpandedAccess> {
        let subscripts = Map::parse(&self.model.access(access)?.relation.0)?;
        let relation = self.sum.number()?.flat_range_product(subscripts)?;
        let relation = relation.set_tuple_name(DimType::Out, &self.partial.id.to_string())?;
        Ok(ExpandedAccess { access, array: self.partial.id, relation: IslMap(relation.text()?) })
    }

    /// Returns the C text of an element, for people.
    fn element_text(&self, array: &Array, loops: &[Loop]) -> String {
        let own = loops[loops.len() - array.extents.len()..].iter().map(|around| around.iterator.clone());
        let own: Vec<String> = own.collect();
        match array.expression.is_empty() {
            true => format!(
                "{}{}",
                array.name,
                own.iter().map(|subscript| format!("[{subscript}]")).collect::<String>()
            ),
            false => array.c_element(&own),
        }
    }
}

/// Returns the constant that a step assigns, for people.
fn neutral_text(body: &[Step]) -> String {
    match body {
        [Step::Assign { value, .. }] => match &value.kind {
            scop::ExprKind::Integer { value } | scop::ExprKind::Floating { value } => value.clone(),
            _ => "~0".to_owned(),
        },
        _ => String::new(),
    }
}

fn no_operator() -> polyhedra::Error {
    polyhedra::Error::bug("the operator of a sum has no neutral value")
}
