//! Updates that select the first or last extreme of many values ([`scop::selections`]).
//!
//! There is a loop around the update in which nothing else uses the variables that it assigns: its nest. Directly before
//! the nest, all results are set to nothing. In the nest, a statement with the body of the update changes one of many
//! results; neighbouring iterations of the innermost loop change neighbouring results. Directly after the nest, these
//! results go to fewer and at last to one, which is compared with the variable.

use std::collections::BTreeSet;

use polyhedra::{
    DimType, Map, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Simplify, Text, UnionPwMultiAff,
    UnionSet, context,
};
use scop::selections::{Choice, Number, Results, Stage, bounds_of_types, choice, position_type, update};
use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, CType, Certainty, Expansions, IslSchedule, IslSet, Loop,
    LoopId, Model, Selection, Selections, Statement, StatementId, Step, Storage, names,
};

use crate::accesses::leading;
use crate::added::{Accesses, Added, range_of_nest};
use crate::expand::{expanded, taken_names};
use crate::insert::{Place, beside_nest};
use crate::kept::First;
use crate::known::Known;

/// The numbers of results that one loop is divided among, and the two outermost and innermost of several: one for each
/// of some thousand threads of a multiprocessor.
const OF_ONE: [u32; 3] = [131_072, 4096, 128];
const OF_TWO: [[u32; 2]; 2] = [[512, 256], [16, 256]];
const LAST_OF_TWO: u32 = 128;

/// An update that selects.
pub struct Found<'a> {
    statement: &'a Statement,
    choice: Choice<'a>,
    /// The number of loops around its nest.
    depth: usize,
    /// The loops of the nest that run downwards.
    downward: Vec<u32>,
    /// What its results consist of.
    results: Results,
}

/// Returns the updates that select, of which each has variables of its own: the others keep their order.
pub fn selecting<'a>(known: &Known<'a>) -> Result<Vec<Found<'a>>> {
    let mut all = Vec::new();
    let mut variables: BTreeSet<ArrayId> = BTreeSet::new();
    let dead = &known.dependences.dead;
    for statement in known.model.statements.iter().filter(|statement| !dead.contains(&statement.id)) {
        let Some(choice) = choice(statement) else { continue };
        let arrays = writes(&choice).into_iter().map(|write| Ok(known.model.access(write)?.array));
        let arrays: Vec<ArrayId> = arrays.collect::<Result<_>>()?;
        if arrays.iter().any(|array| variables.contains(array)) {
            continue;
        }
        if let Some(found) = found(known, statement, choice)? {
            all.push(found);
            variables.extend(arrays);
        }
    }
    Ok(all)
}

fn found<'a>(known: &Known<'a>, statement: &'a Statement, choice: Choice<'a>) -> Result<Option<Found<'a>>> {
    let model = known.model;
    let is_taken = |access| known.expansions.accesses.iter().any(|expanded| expanded.access == access);
    let (mut arrays, mut first) = (BTreeSet::new(), 0);
    for write in writes(&choice) {
        let access = model.access(write)?;
        let array = model.array(access.array)?;
        let is_plain = !is_taken(write)
            && !access.indirect
            && array.scope_depth == 0
            && !matches!(array.storage, Storage::Member { .. });
        if !is_plain {
            return Ok(None);
        }
        arrays.insert(array.id);
        let relation = Map::parse(&access.relation.0)?;
        for position in 0..statement.depth() {
            if relation.involves_dims(DimType::In, position as u32, 1)? {
                first = first.max(position + 1);
            }
        }
    }
    let dead = &known.dependences.dead;
    let is_alone = |nest: &LoopId| {
        let mut others = model
            .statements
            .iter()
            .filter(|one| one.id != statement.id && !dead.contains(&one.id) && one.loops.contains(nest));
        !others.any(|one| one.accesses.iter().any(|access| arrays.contains(&access.array)))
    };
    let mut nests = (first..statement.depth()).filter(|depth| is_alone(&statement.loops[*depth]));
    let Some(depth) = nests.next() else { return Ok(None) };
    let Some(downward) = downward(model, statement, depth)? else { return Ok(None) };
    let Some(results) = results(model, statement, &choice, (depth, &downward))? else { return Ok(None) };
    Ok(Some(Found { statement, choice, depth, downward, results }))
}

/// Returns the accesses that write the extreme and what belongs to it.
fn writes(choice: &Choice<'_>) -> Vec<AccessId> {
    [choice.write].into_iter().chain(choice.others.iter().map(|other| other.write)).collect()
}

/// Returns the loops of a nest that run downwards, if all instances in one run of the nest are in the order of their
/// iterators.
fn downward(model: &Model, statement: &Statement, depth: usize) -> Result<Option<Vec<u32>>> {
    let inner = statement.depth() - depth;
    let domain = Set::parse(&statement.domain.0)?.intersect_params(Set::parse(&model.context.0)?)?;
    let order = Schedule::parse(&model.order.0)?.get_map()?;
    let all = UnionSet::from_set(Set::universe(domain.get_space()?)?)?;
    let times = polyhedra::maps_of(&order.intersect_domain(all)?)?;
    let Some(times) = times.into_iter().next().filter(|_| inner <= MOST_LOOPS) else { return Ok(None) };
    let before = times.copy()?.lex_lt_map(times)?;
    for signs in 0..1_u32 << inner {
        let downward: Vec<u32> = (0..inner as u32)
            .filter(|loop_| signs >> loop_ & 1 == 1)
            .map(|loop_| loop_ + depth as u32)
            .collect();
        let pairs = Map::parse(&in_order(statement.id, statement.depth(), depth, &downward))?;
        let pairs = pairs.intersect_domain(domain.copy()?)?.intersect_range(domain.copy()?)?;
        if pairs.is_subset(&before)? {
            return Ok(Some(downward));
        }
    }
    Ok(None)
}

/// The most loops of a nest.
const MOST_LOOPS: usize = 4;

/// Returns the pairs of instances in one run of a nest of which the first has the earlier iterators.
fn in_order(id: StatementId, dimensions: usize, depth: usize, downward: &[u32]) -> String {
    scop::selections::in_order(&id.to_string(), dimensions, depth, downward)
}

/// Returns what the results of a selection consist of. Where *nothing* needs a place of its own, no instance has it.
fn results(
    model: &Model,
    statement: &Statement,
    choice: &Choice<'_>,
    (depth, downward): (usize, &[u32]),
) -> Result<Option<Results>> {
    let mut positions = Vec::new();
    for (position, around) in statement.loops.iter().enumerate().skip(depth) {
        let ctype = position_type(model.source_loop(*around)?.ctype);
        positions.push((ctype, downward.contains(&(position as u32))));
    }
    let carried = choice.carried().map(|other| other.value.ctype).collect();
    let (operator, strict, value) = (choice.operator, choice.strict, choice.ctype);
    let mut results = Results { operator, strict, value, positions, carried };
    let domain = Set::parse(&statement.domain.0)?.intersect_params(Set::parse(&model.context.0)?)?;
    let domain = domain.intersect_params(Set::parse(&bounds_of_types(&model.parameters))?)?;
    for ctype in [results.positions[0].0, CType::Long] {
        results.positions[0].0 = ctype;
        let is_possible = match results.forbidden() {
            Some(value) => has_value(&domain, depth, &value)?,
            None => false,
        };
        if !is_possible {
            return Ok(Some(results));
        }
    }
    Ok(None)
}

/// True if some instance may have a value of an iterator.
fn has_value(domain: &Set, position: usize, value: &str) -> Result<bool> {
    let names = polyhedra::numbered("i", domain.dim(DimType::Set)? as usize);
    let name = domain.get_tuple_name()?.to_owned();
    let fixed = format!("{{ {name}[{}] : {} = {value} }}", names.join(", "), names[position]);
    Ok(!domain.copy()?.intersect(Set::parse(&fixed)?)?.is_empty()?)
}

/// Returns the expansions in which updates that select have many results first, and the variables that they assign;
/// nothing if the order of the source does not show where the results begin and end.
pub fn selections(
    known: &Known<'_>,
    found: &[Found<'_>],
    mut array: ArrayId,
) -> Result<Option<(Expansions, BTreeSet<ArrayId>)>> {
    if found.is_empty() {
        return Ok(None);
    }
    let model = known.model;
    let mut taken = taken_names(model);
    taken.extend(model.loops.iter().map(|around| around.iterator.clone()));
    let mut expansions = known.expansions.clone();
    let mut order = Schedule::parse(&model.order.0)?;
    let mut first = First::after(model);
    let mut all = Selections { loops: Vec::new(), all: Vec::new() };
    let (mut added, mut of): (Vec<Statement>, BTreeSet<ArrayId>) = (Vec::new(), BTreeSet::new());
    for one in found {
        let mut new =
            New { model, found: one, first, taken: &mut taken, loops: Vec::new(), arrays: Vec::new() };
        let Some(selection) = new.selection(&mut array)? else { return Ok(None) };
        first = new.first;
        all.loops.extend(new.loops);
        expansions.arrays.extend(new.arrays);
        order = instead(&order, one.statement, &selection.stages[0].update)?;
        added.push(selection.stages[0].update.clone());
        let nest = one.statement.loops[one.depth];
        let afterwards = selection.stages[1..].iter().map(|stage| &stage.update).chain([&selection.finish]);
        let afterwards: Vec<&Statement> = afterwards.collect();
        let starts = selection.stages.iter().map(|stage| (false, &stage.start));
        for (after, statement) in starts.chain(afterwards.into_iter().rev().map(|one| (true, one))) {
            let place = Place { model, nest, depth: one.depth, statement, kept: &added, after };
            let Some(with_statement) = beside_nest(&order, &place)? else { return Ok(None) };
            order = with_statement;
            added.push(statement.clone());
        }
        for write in writes(&one.choice) {
            of.insert(model.access(write)?.array);
        }
        all.all.push(selection);
    }
    expansions.selections = Some(all);
    expansions.order = Some(IslSchedule(order.text()?));
    Ok(Some((expansions, of)))
}

/// Returns an order with a statement directly before another one that has the same instances.
fn instead(order: &Schedule, old: &Statement, new: &Statement) -> Result<Schedule> {
    let mut functions = Vec::new();
    for set in polyhedra::sets_of(&order.get_domain()?)? {
        let name = set.get_tuple_name()?.to_owned();
        let names = polyhedra::numbered("i", set.dim(DimType::Set)? as usize).join(", ");
        functions.push(format!("{name}[{names}] -> {name}[{names}]"));
    }
    let names = polyhedra::numbered("i", old.depth()).join(", ");
    functions.push(format!("{}[{names}] -> {}[{names}]", new.id, old.id));
    let both = UnionPwMultiAff::read_from_str(context(), &format!("{{ {} }}", functions.join("; ")))?;
    let order = order.copy()?.pullback_union_pw_multi_aff(both)?;
    let instances = UnionSet::from_set(Set::parse(&new.domain.0)?)?.universe()?;
    match leaf(order.get_root()?, &instances)? {
        Some(leaf) => Ok(leaf.order_before(instances)?.get_schedule()?),
        None => Err(polyhedra::Error::bug("a statement has no place in the order")),
    }
}

/// Returns the leaf at which some instances are.
fn leaf(node: ScheduleNode, instances: &UnionSet) -> Result<Option<ScheduleNode>> {
    if node.get_type()? == ScheduleNodeType::Leaf {
        return Ok((!node.get_domain()?.is_disjoint(instances)?).then_some(node));
    }
    for position in 0..node.n_children()? {
        let found = leaf(node.get_child(position)?, instances)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// What is added for a selection.
struct New<'a> {
    model: &'a Model,
    found: &'a Found<'a>,
    first: First,
    taken: &'a mut BTreeSet<String>,
    loops: Vec<Loop>,
    arrays: Vec<Array>,
}

/// The arrays of the results of a stage: the value, the positions, what is carried.
struct Parts {
    arrays: Vec<ArrayId>,
}

impl New<'_> {
    fn selection(&mut self, next: &mut ArrayId) -> Result<Option<Selection>> {
        let Found { statement, choice, depth, downward, .. } = self.found;
        let mut stages: Vec<Stage> = Vec::new();
        let mut before: Option<(Parts, Vec<Number>)> = None;
        for numbers in self.numbers() {
            let parts = self.parts(&numbers, next)?;
            let (loops, start) = self.start(&parts, &numbers)?;
            self.add(loops, &start);
            let (loops, changed) = match &before {
                None => (Vec::new(), self.update(&parts, &numbers)?),
                Some(before) => self.fewer(before, (&parts, &numbers))?,
            };
            self.add(loops, &changed);
            stages.push(Stage { numbers: numbers.clone(), start, update: changed });
            before = Some((parts, numbers));
        }
        let Some((parts, _)) = before else { return Ok(None) };
        let Some(finish) = self.finish(&parts)? else { return Ok(None) };
        self.add(Vec::new(), &finish);
        Ok(Some(Selection {
            statement: statement.id,
            write: choice.write,
            depth: *depth as u32,
            downward: downward.clone(),
            stages,
            finish,
        }))
    }

    fn add(&mut self, loops: Vec<Loop>, statement: &Statement) {
        self.first = self.first.next(&loops, statement);
        self.loops.extend(loops);
    }

    /// Returns which result each instance updates, stage by stage.
    fn numbers(&self) -> Vec<Vec<Number>> {
        let (depth, innermost) = (self.found.depth as u32, self.found.statement.depth() as u32 - 1);
        let number = |coordinate, count| Number { coordinate, count };
        if depth == innermost {
            let stages = OF_ONE.iter().map(|count| vec![number(depth, *count)]);
            return stages.chain([Vec::new()]).collect();
        }
        let [most, fewer] = OF_TWO;
        vec![
            vec![number(depth, most[0]), number(innermost, most[1])],
            vec![number(depth, fewer[0]), number(depth + 1, fewer[1])],
            vec![number(depth + 1, LAST_OF_TWO)],
            Vec::new(),
        ]
    }

    /// Adds the arrays of a stage.
    fn parts(&mut self, numbers: &[Number], next: &mut ArrayId) -> Result<Parts> {
        let Found { statement, choice, depth, results, .. } = self.found;
        let mut sources = vec![choice.write];
        sources.extend(std::iter::repeat_n(choice.write, results.positions.len()));
        sources.extend(choice.carried().map(|other| other.write));
        let mut arrays = Vec::new();
        for (part, (source, ctype)) in sources.iter().zip(results.types()).enumerate() {
            let source = self.model.array(self.model.access(*source)?.array)?;
            let position = part.checked_sub(1).filter(|position| *position < results.positions.len());
            let mut own = expanded(source, 0);
            own.extents.clear();
            own = expanded(&own, numbers.len());
            let stem = match position {
                Some(position) => {
                    own.expansion_of = None;
                    let around = self.model.source_loop(statement.loops[depth + position])?;
                    format!("{}_of_{}", around.iterator, source.name)
                }
                None => {
                    own.expansion_of = expanded(source, 0).expansion_of;
                    format!("partial_{}", source.name)
                }
            };
            (own.id, own.element) = (*next, ctype);
            own.name = names::unused(&stem, self.taken);
            *next = ArrayId(next.0 + 1);
            arrays.push(own.id);
            self.arrays.push(own);
        }
        Ok(Parts { arrays })
    }

    /// Returns the statement that sets the results of a stage to nothing.
    fn start(&mut self, parts: &Parts, numbers: &[Number]) -> Result<(Vec<Loop>, Statement)> {
        let loops = self.result_loops(numbers)?;
        let id = StatementId(self.first.statement);
        let own = self.coordinates(numbers.len());
        let mut accesses = Accesses::of(id, self.first, own.clone());
        let writes = accesses.all(&parts.arrays, AccessKind::Write, &own[self.found.depth..])?;
        let body = self.found.results.start(&writes).ok_or_else(no_results)?;
        let text = format!("{} = nothing;", self.result_text(parts, &loops));
        let statement = self.statement(id, &loops, numbers, (accesses.all, body, text))?;
        Ok((loops, statement))
    }

    /// Returns the statement that takes the place of that of the source.
    fn update(&mut self, parts: &Parts, numbers: &[Number]) -> Result<Statement> {
        let Found { statement, choice, depth, results, .. } = self.found;
        let id = StatementId(self.first.statement);
        let own = polyhedra::numbered("i", statement.depth());
        let subscripts: Vec<String> = numbers.iter().map(|number| number.text(&own)).collect();
        let mut accesses = Accesses::of(id, self.first, own);
        let carried: Vec<AccessId> = choice.carried().map(|other| other.write).collect();
        let mut renamed = Vec::new();
        for access in &statement.accesses {
            let carried_part = carried.iter().position(|write| *write == access.id);
            let part = match access.id {
                one if one == choice.read || one == choice.write => Some(0),
                _ => carried_part.map(|part| 1 + results.positions.len() + part),
            };
            if part.is_none() && access.kind == AccessKind::Write || choice.kept == Some(access.id) {
                continue;
            }
            accesses.certainty = choice.certainty(access);
            let new = match part {
                Some(part) => accesses.one(parts.arrays[part], access.kind, &subscripts)?,
                None => accesses.copy(access)?,
            };
            renamed.push((access.id, new));
        }
        let mut positions = Vec::new();
        accesses.certainty = Certainty::May;
        for (position, (ctype, _)) in results.positions.iter().enumerate() {
            let write = accesses.one(parts.arrays[1 + position], AccessKind::Write, &subscripts)?;
            let around = self.model.source_loop(statement.loops[depth + position])?;
            positions.push((write, (depth + position) as u32, [around.ctype, *ctype]));
        }
        let new = |old: AccessId| renamed.iter().find(|(one, _)| *one == old).map_or(old, |(_, new)| *new);
        let taken = &mut *self.taken;
        let body = update(statement, choice, &new, &mut |name| names::unused(name, taken), &positions);
        let mut domain = Set::parse(&statement.domain.0)?.set_tuple_name(&id.to_string())?;
        for (position, around) in statement.loops.iter().enumerate() {
            let name = &self.model.source_loop(*around)?.iterator;
            domain = domain.set_dim_name(DimType::Set, position as u32, name)?;
        }
        Ok(Statement {
            id,
            loops: statement.loops.clone(),
            domain: IslSet(domain.text()?),
            accesses: accesses.all,
            body,
            range: statement.range,
            text: statement.text.clone(),
        })
    }

    /// Returns the statement by which results go to fewer ones.
    fn fewer(
        &mut self,
        (from, given): &(Parts, Vec<Number>),
        (to, numbers): (&Parts, &[Number]),
    ) -> Result<(Vec<Loop>, Statement)> {
        let loops = self.result_loops(given)?;
        let id = StatementId(self.first.statement);
        let own = self.coordinates(given.len());
        let subscripts: Vec<String> = numbers.iter().map(|number| number.text(&own)).collect();
        let results = &self.found.results;
        let mut accesses = Accesses::of(id, self.first, own.clone());
        let (other, count) = (&own[self.found.depth..], results.compared());
        let reads = accesses.all(&from.arrays[..count], AccessKind::Read, other)?;
        let compared = accesses.all(&to.arrays[..count], AccessKind::Read, &subscripts)?;
        accesses.certainty = Certainty::May;
        let taken = accesses.all(&from.arrays, AccessKind::Read, other)?;
        let writes = accesses.all(&to.arrays, AccessKind::Write, &subscripts)?;
        let body = results.combination([&reads, &compared, &taken, &writes]);
        let text =
            format!("{} = the better one of it and {};", self.name(to)?, self.result_text(from, &loops));
        let statement = self.statement(id, &loops, given, (accesses.all, body, text))?;
        Ok((loops, statement))
    }

    /// Returns the statement that compares the last result with the variable.
    fn finish(&mut self, parts: &Parts) -> Result<Option<Statement>> {
        let Found { choice, depth, results, .. } = self.found;
        let id = StatementId(self.first.statement);
        let own = self.coordinates(0);
        let mut accesses = Accesses::of(id, self.first, own);
        let from = accesses.all(&parts.arrays[..results.compared_last()], AccessKind::Read, &[])?;
        let read = accesses.of_source(self.model.access(choice.read)?)?;
        accesses.certainty = Certainty::May;
        let taken = accesses.all(&parts.arrays, AccessKind::Read, &[])?;
        let mut all = Vec::new();
        for write in writes(choice) {
            all.push(accesses.of_source(self.model.access(write)?)?);
        }
        let Some(body) = results.finish(choice, *depth, (&from, read, &taken, &all)) else { return Ok(None) };
        let source = self.model.array(self.model.access(choice.write)?.array)?;
        let text = format!("{} = the better one of it and {};", source.name, self.name(parts)?);
        Ok(Some(self.statement(id, &[], &[], (accesses.all, body, text))?))
    }

    /// Returns a loop for each subscript of a result.
    fn result_loops(&mut self, numbers: &[Number]) -> Result<Vec<Loop>> {
        let mut parent = self.around().last().copied();
        let mut loops = Vec::new();
        for position in 0..numbers.len() as u32 {
            let id = LoopId(self.first.around + position);
            let iterator = names::unused("p", self.taken);
            loops.push(Loop { id, iterator, ctype: CType::Int, parent, range: None });
            parent = Some(id);
        }
        Ok(loops)
    }

    fn around(&self) -> &[LoopId] {
        &self.found.statement.loops[..self.found.depth]
    }

    /// Returns the names of the coordinates of a statement for each result.
    fn coordinates(&self, subscripts: usize) -> Vec<String> {
        polyhedra::numbered("i", self.found.depth + subscripts)
    }

    fn name(&self, parts: &Parts) -> Result<&str> {
        let first = parts.arrays.first().and_then(|id| self.arrays.iter().find(|array| array.id == *id));
        first.map(|array| array.name.as_str()).ok_or_else(no_results)
    }

    fn result_text(&self, parts: &Parts, loops: &[Loop]) -> String {
        let subscripts = loops.iter().map(|around| format!("[{}]", around.iterator)).collect::<String>();
        format!("{}{subscripts}", self.name(parts).unwrap_or_default())
    }

    /// Returns a statement with an instance for each result, in each iteration of the loops around the nest in which the
    /// update has instances.
    fn statement(
        &self,
        id: StatementId,
        loops: &[Loop],
        numbers: &[Number],
        (accesses, body, text): (Vec<Access>, Vec<Step>, String),
    ) -> Result<Statement> {
        let Found { statement, depth, .. } = self.found;
        let context = Set::parse(&self.model.context.0)?;
        let updates = Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?;
        let outer: Vec<usize> = (0..*depth).collect();
        let identity = Map::identity(updates.get_space()?.map_from_set()?)?;
        let run = leading(&identity, statement.depth(), &outer)?.intersect_domain(updates)?.range()?;
        let run = run.reset_tuple_id()?.simplified()?.gist_params(context)?;
        let mut domain = run.insert_dims(DimType::Set, *depth as u32, numbers.len() as u32)?;
        let names = polyhedra::numbered("i", depth + numbers.len());
        for (number, name) in numbers.iter().zip(&names[*depth..]) {
            let bounds = format!("{{ [{}] : 0 <= {name} < {} }}", names.join(", "), number.count);
            domain = domain.intersect(Set::parse(&bounds)?)?;
        }
        let range = range_of_nest(self.model, statement, *depth)?;
        let added = Added { model: self.model, id, around: self.around(), loops, range };
        added.statement(domain.simplified()?, (accesses, body, text))
    }
}

fn no_results() -> polyhedra::Error {
    polyhedra::Error::bug("the values of a selection have no results")
}
