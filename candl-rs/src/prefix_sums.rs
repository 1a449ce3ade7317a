//! Sums of which each intermediate value is read, divided into chunks ([`scop::prefix_sums`]).
//!
//! The order of the sum's updates must be free but for those reads. There is a loop around the update, its nest, in
//! which other statements only read the variable. Directly before the nest, chunk by chunk, the contributions are added
//! up, and the values before the chunks are computed; in the nest, each chunk goes on from there. A chunk has as many
//! iterations as one thread does in order; a warp adds up one of the next levels.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Schedule, Set, Simplify, Text};
use scop::prefix_sums::{Level, chunk, first_update, further_update, offset, start};
use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, CType, ExpandedAccess, Expansions, IslMap, IslSchedule,
    Loop, LoopId, Model, PrefixSum, PrefixSums, Reduction, Statement, StatementId, Storage, can_be_partial,
    is_exact, names, updates,
};

use crate::accesses::leading;
use crate::added::{Accesses, Added, range_of_nest};
use crate::dependences::Freedoms;
use crate::expand::{expanded, taken_names};
use crate::insert::{Place, beside_nest};
use crate::kept::First;
use crate::known::Known;
use crate::last_values::index_type;
use crate::order::earlier;
use crate::permission::is_permitted;

/// The iterations in a chunk of a single loop: as many as keep the arrays of chunks small beside those of the source.
/// Iterations with loops inside them are chunks of their own.
const ITERATIONS: u32 = 64;

/// The chunks in one of the next level: four for each thread of a warp.
const CHUNKS: u32 = 128;

/// The levels. The loop of the last one runs in order, over a few hundred chunks at most for all that fits into memory.
const LEVELS: usize = 3;

/// A prefix sum.
pub struct Found<'a> {
    /// Its update.
    reduction: Reduction,
    statement: &'a Statement,
    /// The number of loops around its nest.
    depth: usize,
    /// The accesses by which other statements of the nest read the variable.
    reads: Vec<&'a Access>,
    /// These statements.
    readers: Vec<&'a Statement>,
    /// Whether the user permits another order of the updates.
    is_permitted: bool,
}

/// Returns the prefix sums.
pub fn prefixes<'a>(known: &Known<'a>, freedoms: Freedoms<'_>) -> Result<Vec<Found<'a>>> {
    let mut all = Vec::new();
    let dead = &known.dependences.dead;
    for statement in known.model.statements.iter().filter(|statement| !dead.contains(&statement.id)) {
        let writes = statement.accesses.iter().filter(|access| access.kind == AccessKind::Write);
        if writes.count() != 1 {
            continue;
        }
        let Some(update) = updates(statement).into_iter().next() else { continue };
        let Some((&read, others)) = update.reads.split_first() else { continue };
        let mut compared = others.to_vec();
        compared.retain(|other| *other != read);
        let reduction = Reduction {
            statement: statement.id,
            read,
            write: update.write,
            compared,
            operator: update.operator,
            relation: IslMap(String::new()),
            relaxed: false,
            free: None,
        };
        all.extend(found(known, statement, reduction, freedoms)?);
    }
    Ok(all)
}

fn found<'a>(
    known: &Known<'a>,
    statement: &'a Statement,
    reduction: Reduction,
    (_, permissions): Freedoms<'_>,
) -> Result<Option<Found<'a>>> {
    let model = known.model;
    let is_taken = |access| known.expansions.accesses.iter().any(|expanded| expanded.access == access);
    let write = model.access(reduction.write)?;
    let array = model.array(write.array)?;
    let is_exact = is_exact(statement, &reduction);
    let is_permitted = is_permitted(model, array, permissions) && can_be_partial(statement, &reduction);
    let is_plain = (is_exact || is_permitted)
        && start(reduction.operator, array.element, write.id).is_some()
        && !reduction.accesses().any(is_taken)
        && !write.indirect
        && array.scope_depth == 0
        && !matches!(array.storage, Storage::Member { .. });
    let of_array = |access: &&Access| access.array == array.id;
    let is_own = |access: &Access| reduction.accesses().any(|own| own == access.id);
    if !is_plain || !statement.accesses.iter().filter(of_array).all(is_own) {
        return Ok(None);
    }
    let relation = Map::parse(&write.relation.0)?;
    let mut first = 0;
    for position in 0..statement.depth() {
        if relation.involves_dims(DimType::In, position as u32, 1)? {
            first = position + 1;
        }
    }
    let dead = &known.dependences.dead;
    for depth in first..statement.depth() {
        let nest = statement.loops[depth];
        let others = model
            .statements
            .iter()
            .filter(|one| one.id != statement.id && !dead.contains(&one.id) && one.loops.contains(&nest));
        let others: Vec<&Statement> = others.collect();
        let readers: Vec<&Statement> = others
            .iter()
            .copied()
            .filter(|one| one.accesses.iter().any(|access| access.array == array.id))
            .collect();
        let reads: Vec<&Access> =
            readers.iter().flat_map(|reader| reader.accesses.iter().filter(of_array)).collect();
        let only_read =
            |access: &&&Access| access.kind == AccessKind::Read && !access.indirect && !is_taken(access.id);
        if reads.is_empty() || reads.iter().filter(only_read).count() != reads.len() {
            continue;
        }
        let own = outer(write, depth)?;
        let mut is_same = true;
        for read in &reads {
            is_same &= outer(read, depth)?.is_equal(&own)?;
        }
        let found = Found { reduction, statement, depth, reads, readers, is_permitted: !is_exact };
        let is_sound = is_same
            && found.is_updated_where_read(model)?
            && found.is_in_order(model)?
            && !found.needs_nest(known)?;
        return Ok(is_sound.then_some(found));
    }
    Ok(None)
}

/// Returns the element that an access uses in each run of a nest: `{ [t] -> A0[x] }`.
fn outer(access: &Access, depth: usize) -> Result<Map> {
    let relation = Map::parse(&access.relation.0)?;
    let inner = relation.dim(DimType::In)? as u32 - depth as u32;
    Ok(relation.reset_tuple_id(DimType::In)?.project_out(DimType::In, depth as u32, inner)?)
}

impl Found<'_> {
    /// Returns the variable.
    pub fn variable(&self, model: &Model) -> Result<ArrayId> {
        Ok(model.access(self.reduction.write)?.array)
    }

    /// True if the update uses a variable.
    pub fn reads(&self, variable: ArrayId) -> bool {
        self.statement.accesses.iter().any(|access| access.array == variable)
    }

    /// Returns the statements of the nest that use the variable.
    fn users(&self) -> impl Iterator<Item = &Statement> {
        [self.statement].into_iter().chain(self.readers.iter().copied())
    }

    /// True if there are runs of the nest for usual parameters that update the variable more than once, and each in
    /// which the variable is read updates it. In others, the source does not write it.
    fn is_updated_where_read(&self, model: &Model) -> Result<bool> {
        let context = Set::parse(&model.context.0)?;
        let runs = |statement: &Statement| -> Result<Set> {
            let instances = Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?;
            let inner = (statement.depth() - self.depth) as u32;
            Ok(instances.reset_tuple_id()?.project_out(DimType::Set, self.depth as u32, inner)?)
        };
        let updated = runs(self.statement)?;
        // Beyond this, no chunks are needed, and what is known of subscripts may leave nothing else.
        let mut usual = self.twice(&context)?;
        for parameter in 0..usual.dim(DimType::Param)? as u32 {
            usual = usual.upper_bound_si(DimType::Param, parameter, i32::MAX)?;
            usual = usual.lower_bound_si(DimType::Param, parameter, -i32::MAX)?;
        }
        if usual.is_empty()? {
            return Ok(false);
        }
        for reader in &self.readers {
            if !runs(reader)?.is_subset(&updated)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns pairs of different updates in one run of the nest, as `{ [t, i, i'] }`.
    fn twice(&self, context: &Set) -> Result<Set> {
        let instances = Set::parse(&self.statement.domain.0)?.intersect_params(context.copy()?)?;
        let names = |letter| polyhedra::numbered(letter, self.statement.depth());
        let same = (0..self.depth).map(|position| format!("i{position} = o{position}"));
        let other =
            (self.depth..self.statement.depth()).map(|position| format!("i{position} != o{position}"));
        let other = format!("({})", other.collect::<Vec<String>>().join(" or "));
        let pairs = Map::parse(&format!(
            "{{ [{}] -> [{}] : {} }}",
            names("i").join(", "),
            names("o").join(", "),
            same.chain([other]).collect::<Vec<String>>().join(" and ")
        ))?;
        let instances = instances.reset_tuple_id()?;
        let pairs = pairs.intersect_domain(instances.copy()?)?.intersect_range(instances)?;
        Ok(pairs.wrap()?.flatten()?)
    }

    /// True if the iterations of the loop come one after the other, and upwards.
    fn is_in_order(&self, model: &Model) -> Result<bool> {
        let order = Schedule::parse(&model.order.0)?.get_map()?;
        let context = Set::parse(&model.context.0)?;
        for user in self.users() {
            for (first, second) in [(self.statement, user), (user, self.statement)] {
                let same = (0..self.depth).map(|position| format!("i{position} = o{position}"));
                let next = format!("i{0} < o{0}", self.depth);
                let pairs = Map::parse(&format!(
                    "{{ {}[{}] -> {}[{}] : {} }}",
                    first.id,
                    polyhedra::numbered("i", first.depth()).join(", "),
                    second.id,
                    polyhedra::numbered("o", second.depth()).join(", "),
                    same.chain([next]).collect::<Vec<String>>().join(" and ")
                ))?;
                let domain = |statement: &Statement| -> Result<Set> {
                    Ok(Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?)
                };
                let pairs = pairs.intersect_domain(domain(first)?)?.intersect_range(domain(second)?)?;
                if !pairs.is_subset(&earlier(&order, &pairs)?)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// True if the update reads values that its run of the nest computes, other than the variable.
    fn needs_nest(&self, known: &Known<'_>) -> Result<bool> {
        let nest = self.statement.loops[self.depth];
        for flow in &known.dependences.flow {
            let is_read = self.statement.access(flow.sink).is_some() && !self.reduction.updates_by(flow.sink);
            let source = known.model.owner(flow.source)?;
            if !is_read || !source.loops.contains(&nest) {
                continue;
            }
            let mut pairs = Map::parse(&flow.relation.0)?;
            for position in 0..self.depth as i32 {
                pairs = pairs.equate(DimType::In, position, DimType::Out, position)?;
            }
            if !pairs.is_empty()? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns the expansions in which prefix sums are divided into chunks, and the variables; nothing if the order of the
/// source does not show where the nests begin.
pub fn prefix_sums(
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
    let mut all = PrefixSums { loops: Vec::new(), all: Vec::new() };
    let (mut added, mut of): (Vec<Statement>, BTreeSet<ArrayId>) = (Vec::new(), BTreeSet::new());
    for one in found {
        let variable = model.array(model.access(one.reduction.write)?.array)?;
        let mut new = New {
            model,
            found: one,
            variable,
            first,
            taken: &mut taken,
            loops: Vec::new(),
            arrays: Vec::new(),
        };
        let sum = new.sum(&mut array)?;
        first = new.first;
        all.loops.extend(std::mem::take(&mut new.loops));
        let arrays = std::mem::take(&mut new.arrays);
        let values = arrays.get(1).ok_or_else(no_operator)?;
        for access in one.reduction.accesses().collect::<BTreeSet<_>>() {
            expansions.accesses.push(new.redirected(access, values.id)?);
        }
        for read in &one.reads {
            expansions.accesses.push(new.redirected(read.id, values.id)?);
        }
        expansions.arrays.extend(arrays);
        let up = sum.levels.iter().flat_map(|level| [&level.start, &level.update]);
        for statement in up.chain(sum.levels.iter().rev().map(|level| &level.offset)) {
            let nest = one.statement.loops[one.depth];
            let place = Place { model, nest, depth: one.depth, statement, kept: &added, after: false };
            let Some(with_statement) = beside_nest(&order, &place)? else { return Ok(None) };
            order = with_statement;
            added.push(statement.clone());
        }
        of.insert(variable.id);
        all.all.push(sum);
    }
    expansions.prefix_sums = Some(all);
    expansions.order = Some(IslSchedule(order.text()?));
    Ok(Some((expansions, of)))
}

/// Returns the statements of prefix sums whose updates may be done in another order because the user permits it.
pub fn permitted<'e>(found: &[Found<'_>], expansions: &'e Expansions) -> Vec<&'e Statement> {
    let sums = found.iter().zip(expansions.prefix_sums()).filter(|(found, _)| found.is_permitted);
    sums.flat_map(|(_, sum)| sum.levels.iter().map(|level| &level.update)).collect()
}

/// What is added for a prefix sum.
struct New<'a> {
    model: &'a Model,
    found: &'a Found<'a>,
    variable: &'a Array,
    first: First,
    taken: &'a mut BTreeSet<String>,
    loops: Vec<Loop>,
    arrays: Vec<Array>,
}

/// The array of what chunks add, or of the values before them.
#[derive(Clone)]
struct Part {
    id: ArrayId,
    name: String,
}

impl New<'_> {
    fn sum(&mut self, next: &mut ArrayId) -> Result<PrefixSum> {
        let Found { statement, depth, reduction, .. } = self.found;
        let sizes = self.sizes();
        let mut parts: Vec<[Part; 2]> = Vec::new();
        for position in 0..sizes.len() {
            let total = self.part("total", false, next);
            parts.push([total, self.part("before", position == 0, next)]);
        }
        let mut chunks = self.chunks(sizes[0])?;
        let mut levels: Vec<Level> = Vec::new();
        for (position, &size) in sizes.iter().enumerate() {
            let [total, values] = &parts[position];
            let start = self.start(total, &chunks)?;
            let update = match levels.last() {
                None => self.first_update(total, size)?,
                Some(below) => {
                    let below = Set::parse(&below.offset.domain.0)?.reset_tuple_id()?;
                    self.further_update((&parts[position - 1][0], &below), (total, size))?
                }
            };
            let next = parts.get(position + 1).zip(sizes.get(position + 1));
            let next = next.map(|([_, values], size)| (values, *size));
            let offset = self.offset((total, values), next, (&chunks, position == 0))?;
            chunks = self.whole(&chunks, sizes.get(position + 1).copied().unwrap_or(1))?;
            levels.push(Level { size, start, update, offset });
        }
        Ok(PrefixSum { statement: statement.id, write: reduction.write, depth: *depth as u32, levels })
    }

    /// Returns the sizes of chunks, level by level.
    fn sizes(&self) -> [u32; LEVELS] {
        let is_single = self.found.statement.depth() == self.found.depth + 1;
        [if is_single { ITERATIONS } else { 1 }, CHUNKS, CHUNKS]
    }

    /// Adds an array with an element for each chunk; the values before chunks of iterations take the place of the
    /// variable, whose subscripts they keep.
    fn part(&mut self, stem: &str, is_copy: bool, next: &mut ArrayId) -> Part {
        let mut own = expanded(self.variable, 0);
        if !is_copy {
            own.extents.clear();
        }
        own = expanded(&own, 1);
        own.expansion_of = expanded(self.variable, 0).expansion_of;
        own.id = *next;
        own.name = names::unused(&format!("{stem}_{}", self.variable.name), self.taken);
        *next = ArrayId(next.0 + 1);
        let part = Part { id: own.id, name: own.name.clone() };
        self.arrays.push(own);
        part
    }

    fn id(&self) -> StatementId {
        StatementId(self.first.statement)
    }

    fn around(&self) -> &[LoopId] {
        &self.found.statement.loops[..self.found.depth]
    }

    /// Returns the coordinates of a statement for each chunk, of which the last one is the chunk.
    fn coordinates(&self) -> Vec<String> {
        polyhedra::numbered("i", self.found.depth + 1)
    }

    fn number(&self) -> [String; 1] {
        [format!("i{}", self.found.depth)]
    }

    /// Returns the chunks of what the nest uses: `{ [t, c] }`.
    fn chunks(&self, size: u32) -> Result<Set> {
        let context = Set::parse(&self.model.context.0)?;
        let mut all: Option<Set> = None;
        for user in self.found.users() {
            let instances = Set::parse(&user.domain.0)?.intersect_params(context.copy()?)?;
            let inner = (user.depth() - self.found.depth - 1) as u32;
            let own =
                instances.reset_tuple_id()?.project_out(DimType::Set, self.found.depth as u32 + 1, inner)?;
            all = Some(match all {
                Some(all) => all.union(own)?,
                None => own,
            });
        }
        self.whole(&all.ok_or_else(no_operator)?, size)
    }

    /// Returns the chunks of iterations or chunks.
    fn whole(&self, parts: &Set, size: u32) -> Result<Set> {
        let names = self.coordinates();
        let [own] = self.number();
        let outer = names[..self.found.depth].iter().cloned();
        let all: Vec<String> = outer.chain([chunk(&own, u64::from(size))]).collect();
        let map = Map::parse(&format!("{{ [{}] -> [{}] }}", names.join(", "), all.join(", ")))?;
        let context = Set::parse(&self.model.context.0)?;
        Ok(parts.copy()?.apply(map)?.coalesce()?.simplified()?.gist_params(context)?)
    }

    /// Returns `total[c] = 0`.
    fn start(&mut self, total: &Part, chunks: &Set) -> Result<Statement> {
        let mut accesses = Accesses::of(self.id(), self.first, self.coordinates());
        let write = accesses.one(total.id, AccessKind::Write, &self.number())?;
        let body = start(self.found.reduction.operator, self.ctype(), write).ok_or_else(no_operator)?;
        let loops = vec![self.loop_over(&[])?];
        let text = format!("{}[{}] = neutral;", total.name, loops[0].iterator);
        self.add(loops, chunks.copy()?, (accesses.all, body, text))
    }

    /// Returns the statement that changes what a chunk adds as that of the source changes the variable.
    fn first_update(&mut self, total: &Part, size: u32) -> Result<Statement> {
        let Found { statement, reduction, depth, .. } = self.found;
        let own = polyhedra::numbered("i", statement.depth());
        let whole = [chunk(&own[*depth], u64::from(size))];
        let mut accesses = Accesses::of(self.id(), self.first, own);
        let mut renamed: Vec<(AccessId, AccessId)> = Vec::new();
        for access in &statement.accesses {
            accesses.certainty = access.certainty;
            let new = match reduction.updates_by(access.id) {
                true => accesses.one(total.id, access.kind, &whole)?,
                false => accesses.copy(access)?,
            };
            renamed.push((access.id, new));
        }
        let new = |old: AccessId| renamed.iter().find(|(one, _)| *one == old).map_or(old, |(_, new)| *new);
        let taken = &mut *self.taken;
        let body = first_update(statement, &new, &mut |name| names::unused(name, taken));
        let mut loops: Vec<Loop> = Vec::new();
        for around in &statement.loops[*depth..] {
            let like = self.model.source_loop(*around)?.clone();
            let own = self.loop_over(&loops)?;
            let iterator = names::unused(&like.iterator, self.taken);
            loops.push(Loop { iterator, ctype: like.ctype, ..own });
        }
        let domain = Set::parse(&statement.domain.0)?.reset_tuple_id()?;
        let text = format!("{}: {}", total.name, statement.text);
        self.add(loops, domain, (accesses.all, body, text))
    }

    /// Returns the statement by which what a chunk of a level adds goes to its chunk of the next one.
    fn further_update(
        &mut self,
        (of, parts): (&Part, &Set),
        (total, size): (&Part, u32),
    ) -> Result<Statement> {
        let mut accesses = Accesses::of(self.id(), self.first, self.coordinates());
        let own = self.number();
        let whole = [chunk(&own[0], u64::from(size))];
        let ids = [
            accesses.one(total.id, AccessKind::Write, &whole)?,
            accesses.one(total.id, AccessKind::Read, &whole)?,
            accesses.one(of.id, AccessKind::Read, &own)?,
        ];
        let operator = self.found.reduction.operator;
        let body = further_update(operator, self.ctype(), ids).ok_or_else(no_operator)?;
        let loops = vec![self.loop_over(&[])?];
        let iterator = &loops[0].iterator;
        let operator = operator.c_name();
        let text = format!("{}[{iterator} / {size}] {operator}= {}[{iterator}];", total.name, of.name);
        self.add(loops, parts.copy()?, (accesses.all, body, text))
    }

    /// Returns the statement that stores the value before a chunk, and adds to it what the chunk adds.
    fn offset(
        &mut self,
        (total, values): (&Part, &Part),
        next: Option<(&Part, u32)>,
        (chunks, is_first): (&Set, bool),
    ) -> Result<Statement> {
        let write = self.model.access(self.found.reduction.write)?;
        let own = self.number();
        let mut accesses = Accesses::of(self.id(), self.first, self.coordinates());
        let before = match is_first {
            true => {
                let element = accesses.relation_of_source(write)?;
                let number = leading(&element, self.found.depth + 1, &[self.found.depth])?;
                let relation = number.flat_range_product(element)?;
                let relation = relation.set_tuple_name(DimType::Out, &values.id.to_string())?;
                accesses.with(values.id, AccessKind::Write, &relation)?
            }
            false => accesses.one(values.id, AccessKind::Write, &own)?,
        };
        let mut of_value = Vec::new();
        for kind in [AccessKind::Read, AccessKind::Write, AccessKind::Read] {
            of_value.push(match next {
                Some((array, size)) => accesses.one(array.id, kind, &[chunk(&own[0], u64::from(size))])?,
                None => {
                    let element = accesses.relation_of_source(write)?;
                    accesses.with(self.variable.id, kind, &element)?
                }
            });
        }
        let added = accesses.one(total.id, AccessKind::Read, &own)?;
        let [value, changed, again] = of_value[..] else { return Err(no_operator()) };
        let operator = self.found.reduction.operator;
        let ids = [before, value, changed, again, added];
        let body = offset(operator, self.ctype(), ids).ok_or_else(no_operator)?;
        let loops = vec![self.loop_over(&[])?];
        let iterator = &loops[0].iterator;
        let value = match next {
            Some((array, size)) => format!("{}[{iterator} / {size}]", array.name),
            None => self.variable.name.clone(),
        };
        let text = format!(
            "{}[{iterator}] = {value}; {value} {}= {}[{iterator}];",
            values.name,
            operator.c_name(),
            total.name
        );
        self.add(loops, chunks.copy()?, (accesses.all, body, text))
    }

    fn ctype(&self) -> CType {
        self.variable.element
    }

    /// Returns a loop over chunks inside of other added loops.
    fn loop_over(&mut self, outer: &[Loop]) -> Result<Loop> {
        let parent = outer.last().map(|around| around.id).or(self.around().last().copied());
        let id = LoopId(self.first.around + outer.len() as u32);
        let iterator = names::unused("c", self.taken);
        Ok(Loop { id, iterator, ctype: index_type(self.model), parent, range: None })
    }

    fn add(
        &mut self,
        loops: Vec<Loop>,
        domain: Set,
        parts: (Vec<Access>, Vec<scop::Step>, String),
    ) -> Result<Statement> {
        let Found { statement, depth, .. } = self.found;
        let range = range_of_nest(self.model, statement, *depth)?;
        let added = Added { model: self.model, id: self.id(), around: self.around(), loops: &loops, range };
        let statement = added.statement(domain, parts)?;
        self.first = self.first.next(&loops, &statement);
        self.loops.extend(loops);
        Ok(statement)
    }

    /// Returns an access of the nest that uses the value of its chunk.
    fn redirected(&self, access: AccessId, values: ArrayId) -> Result<ExpandedAccess> {
        let owner = self.model.owner(access)?;
        let names = polyhedra::numbered("i", owner.depth());
        let size = u64::from(self.sizes()[0]);
        let number = chunk(&names[self.found.depth], size);
        let number = Map::parse(&format!("{{ {}[{}] -> [{number}] }}", owner.id, names.join(", ")))?;
        let subscripts = Map::parse(&self.model.access(access)?.relation.0)?;
        let relation = number.flat_range_product(subscripts)?;
        let relation = relation.set_tuple_name(DimType::Out, &values.to_string())?;
        Ok(ExpandedAccess { access, array: values, relation: IslMap(relation.text()?) })
    }
}

fn no_operator() -> polyhedra::Error {
    polyhedra::Error::bug("a prefix sum has no chunks, or its operator has no neutral value")
}
