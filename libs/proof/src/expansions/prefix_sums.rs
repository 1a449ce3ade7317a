//! Checks whether prefix sums that are divided into chunks ([`scop::prefix_sums`]) have the values of the source.
//!
//! The statements have the form for which the algebra holds: what a chunk adds begins with the neutral value and gets
//! the contribution of each of its iterations; going down, the value before a chunk is stored, and what the chunk adds
//! is added to it. What remains is order: each statement reads what is complete, chunks follow each other as in the
//! source, and so do the instances within a chunk; a contribution is computed from the values from which the source
//! computes it; and the variable changes at the same place of the order as in the source, as far as other accesses can
//! tell.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Schedule, Set, Text, UnionMap};
use scop::prefix_sums::{chunk, first_update, further_update, offset, start};
use scop::renamed::temporaries;
use scop::{
    Access, AccessId, AccessKind, ArrayId, CType, Diagnostic, Expansions, Model, PrefixSum, ReductionOp,
    Statement, StatementId,
};

use super::origins;
use super::partial_sums::{before, domain};
use crate::report::pair_in_words;
use crate::stage::Sections;

const CODE: &str = "E0233";
const HELP: &str = "leave the variant out, or correct what the chunks add and the values before them";

/// Returns a message for each prefix sum that does not have the values of the source.
pub fn check(path: &str, sections: &Sections<'_>, expansions: &Expansions) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    if expansions.prefix_sums().is_empty() {
        return Ok(messages);
    }
    let source = Schedule::parse(&sections.extracted.order.0)?.get_map()?;
    let variant = Schedule::parse(&sections.model.order.0)?.get_map()?;
    let mut new = BTreeSet::new();
    for sum in expansions.prefix_sums() {
        let found = match Checked::of(sections, expansions, sum)? {
            Ok(checked) => {
                new.extend(checked.arrays.iter().flatten());
                checked.message(path, &Orders { source: &source, variant: &variant })?
            }
            Err(why) => {
                let message = format!("the chunks of {} {why}", sum.statement);
                Some(Diagnostic::error(CODE, message))
            }
        };
        messages.extend(found.map(|message| message.with_help(HELP)));
    }
    messages.extend(origins::passed(path, sections, new)?);
    Ok(messages)
}

/// The orders of the instances.
struct Orders<'o> {
    source: &'o UnionMap,
    variant: &'o UnionMap,
}

/// A prefix sum whose statements have the form that they must have.
struct Checked<'a> {
    sections: &'a Sections<'a>,
    sum: &'a PrefixSum,
    /// The statement of the source, with the expansions.
    statement: &'a Statement,
    /// Those that read the intermediate values, with the expansions.
    readers: Vec<&'a Statement>,
    /// The array of the variable.
    variable: ArrayId,
    operator: ReductionOp,
    ctype: CType,
    /// For each level the arrays of what chunks add, and of the values before them.
    arrays: Vec<[ArrayId; 2]>,
    /// The prefix sums in the same variable.
    others: Vec<&'a PrefixSum>,
    context: Set,
}

const OTHER_SIDE: &str = "is on one side of an access to its variable in the source, and its chunk is added to the \
                          variable on the other";

/// What is wrong with the form of a prefix sum.
type Form<T> = std::result::Result<T, &'static str>;

impl<'a> Checked<'a> {
    fn of(sections: &'a Sections<'a>, expansions: &'a Expansions, sum: &'a PrefixSum) -> Result<Form<Self>> {
        let Sections { extracted, model, dependences, .. } = *sections;
        let depth = sum.depth as usize;
        let statement = model.statement(sum.statement)?;
        let source = extracted.statement(sum.statement)?;
        let Some(first) = sum.levels.first().filter(|_| depth < statement.depth()) else {
            return Ok(Err("divide no loop"));
        };
        let mut reductions = dependences.reductions.iter();
        let own = reductions.find(|one| one.statement == first.update.id && one.free.is_some());
        let Some(reduction) = own else { return Ok(Err("get updates whose order is not free")) };
        let variable = extracted.access(sum.write)?.array;
        let mut arrays = Vec::new();
        for level in &sum.levels {
            let first = |statement: &Statement| statement.accesses.first().map(|access| access.array);
            let Some((total, value)) = first(&level.start).zip(first(&level.offset)) else {
                return Ok(Err("have no arrays"));
            };
            arrays.push([total, value]);
        }
        let all: Vec<ArrayId> = arrays.iter().flatten().copied().collect();
        let distinct: BTreeSet<ArrayId> = all.iter().copied().collect();
        let ctype = extracted.array(variable)?.element;
        for id in &distinct {
            if id.index() < extracted.arrays.len() || model.array(*id)?.element != ctype {
                return Ok(Err("have arrays that are not new, or of another type"));
            }
        }
        let added: BTreeSet<StatementId> = sum.statements().map(|added| added.id).collect();
        let values = arrays[0][1];
        let mut readers = Vec::new();
        for other in model.statements.iter().filter(|one| !added.contains(&one.id)) {
            let uses = other.accesses.iter().filter(|access| distinct.contains(&access.array));
            for access in uses {
                let is_redirected = expansions.accesses.iter().any(|one| one.access == access.id);
                if access.array != values || !is_redirected || access.indirect {
                    return Ok(Err("have other uses"));
                }
                if extracted.access(access.id)?.array != variable {
                    return Ok(Err("have values of several variables"));
                }
                if other.id != statement.id {
                    if access.kind != AccessKind::Read {
                        return Ok(Err("have values that another statement changes"));
                    }
                    readers.push(other);
                }
            }
        }
        readers.dedup_by_key(|reader| reader.id);
        if distinct.len() != all.len() {
            return Ok(Err("share an array"));
        }
        let is_in_nest = |one: &&Statement| one.loops.get(..=depth) == statement.loops.get(..=depth);
        if !readers.iter().all(is_in_nest) {
            return Ok(Err("have values that are read outside of the nest"));
        }
        let context = Set::parse(&model.context.0)?;
        let operator = reduction.operator;
        let mut others = Vec::new();
        for other in expansions.prefix_sums().iter().filter(|other| !std::ptr::eq(*other, sum)) {
            if extracted.access(other.write)?.array == variable {
                others.push(other);
            }
        }
        let checked =
            Self { sections, sum, statement, readers, variable, operator, ctype, arrays, others, context };
        let updates: BTreeSet<AccessId> = reduction.accesses().collect();
        if !checked.updates_first(source, &updates)? {
            return Ok(Err("are not updated as the source updates the variable"));
        }
        if !checked.has_elements(source)? {
            return Ok(Err("are of several elements, or read by accesses to others"));
        }
        if !checked.has_form()? {
            return Ok(Err("do not begin, or are not combined or passed on as they have to be"));
        }
        if !checked.has_all_chunks()? {
            return Ok(Err("are not all that the nest uses"));
        }
        Ok(Ok(checked))
    }

    fn depth(&self) -> usize {
        self.sum.depth as usize
    }

    /// Checks that the first update has the instances and the body of the source's, and changes what its chunk adds by
    /// accesses of the reduction only.
    fn updates_first(&self, source: &Statement, updates: &BTreeSet<AccessId>) -> Result<bool> {
        let (new, old) = (&self.sum.levels[0].update, self.statement);
        let same = Set::parse(&old.domain.0)?.set_tuple_name(&new.id.to_string())?;
        let is_alike =
            new.accesses.len() == old.accesses.len() && old.accesses.len() == source.accesses.len();
        if !is_alike || !Set::parse(&new.domain.0)?.is_equal(&same)? {
            return Ok(false);
        }
        let names = polyhedra::numbered("i", new.depth());
        let own = chunk(&names[self.depth()], u64::from(self.sum.levels[0].size));
        let total = self.relation(new, self.arrays[0][0], &[own])?;
        for ((access, given), extracted) in new.accesses.iter().zip(&old.accesses).zip(&source.accesses) {
            let is_total = extracted.array == self.variable;
            let (array, wanted) = match is_total {
                true => (self.arrays[0][0], total.copy()?),
                false => {
                    let same = Map::parse(&given.relation.0)?;
                    (given.array, same.set_tuple_name(DimType::In, &new.id.to_string())?)
                }
            };
            let is_write = given.kind == AccessKind::Write;
            let is_alike = (access.kind, access.certainty, access.indirect, access.array)
                == (given.kind, given.certainty, given.indirect, array);
            let is_sound = is_alike
                && is_total == updates.contains(&access.id)
                && (!is_write || given.id == self.sum.write)
                && self.is_same(access, wanted, new)?;
            if !is_sound {
                return Ok(false);
            }
        }
        let pairs = || old.accesses.iter().zip(&new.accesses);
        let renamed = |id: AccessId| pairs().find(|(one, _)| one.id == id).map_or(id, |(_, other)| other.id);
        let mut names = temporaries(&new.body).into_iter();
        let body = first_update(old, &renamed, &mut |_| names.next().unwrap_or_default());
        Ok(body == new.body)
    }

    /// True if the update and what reads the values use one element of the variable in each run of the nest, and the
    /// value of their own chunk.
    fn has_elements(&self, source: &Statement) -> Result<bool> {
        let element = self.element(source)?;
        if !element.is_single_valued()? {
            return Ok(false);
        }
        let [_, values] = self.arrays[0];
        for statement in [self.statement].into_iter().chain(self.readers.iter().copied()) {
            let instances = domain(statement, &self.context)?;
            let names = polyhedra::numbered("i", statement.depth());
            let own = chunk(&names[self.depth()], u64::from(self.sum.levels[0].size));
            let number = Map::parse(&format!("{{ {}[{}] -> [{own}] }}", statement.id, names.join(", ")))?;
            for access in statement.accesses.iter().filter(|access| access.array == values) {
                let extracted = Map::parse(&self.sections.extracted.access(access.id)?.relation.0)?;
                let extracted = extracted.intersect_domain(instances.copy()?)?;
                let run = self.run_of(statement)?;
                if !extracted.is_subset(&run.apply_range(element.copy()?)?)? {
                    return Ok(false);
                }
                let wanted = number.copy()?.flat_range_product(extracted)?;
                let wanted = wanted.set_tuple_name(DimType::Out, &values.to_string())?;
                if !self.is_same(access, wanted, statement)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Returns the element of the variable in each run of the nest: `{ [t] -> A0[x] }`.
    fn element(&self, source: &Statement) -> Result<Map> {
        let instances = domain(source, &self.context)?;
        let write = Map::parse(&self.sections.extracted.access(self.sum.write)?.relation.0)?;
        let run = self.run_of(source)?.intersect_domain(instances)?;
        Ok(run.reverse()?.apply_range(write)?)
    }

    /// Returns the run of the nest to which an instance belongs: `{ S0[t, i] -> [t] }`.
    fn run_of(&self, statement: &Statement) -> Result<Map> {
        let names = polyhedra::numbered("i", statement.depth());
        let run = names[..self.depth()].join(", ");
        Map::parse(&format!("{{ {}[{}] -> [{run}] }}", statement.id, names.join(", ")))
    }

    /// Returns the element of the variable that an added statement accesses: `{ S3[t, c] -> A0[x] }`.
    fn variable_of(&self, added: &Statement) -> Result<Map> {
        let source = self.sections.extracted.statement(self.sum.statement)?;
        Ok(self.run_of(added)?.apply_range(self.element(source)?)?)
    }

    /// True if all other statements are those that the algebra demands.
    fn has_form(&self) -> Result<bool> {
        for (position, level) in self.sum.levels.iter().enumerate() {
            let [total, values] = self.arrays[position];
            let chunks = self.depth() + 1;
            let names = polyhedra::numbered("i", chunks);
            let own = || vec![names[self.depth()].clone()];
            let [begins, passes] = [&level.start, &level.offset];
            if begins.depth() != chunks || passes.depth() != chunks {
                return Ok(false);
            }
            let wanted = [(AccessKind::Write, total, self.relation(begins, total, &own())?)];
            let body = begins.accesses.first().and_then(|write| start(self.operator, self.ctype, write.id));
            if !self.has_accesses(begins, wanted)? || body.as_ref() != Some(&begins.body) {
                return Ok(false);
            }
            if position > 0 && !self.updates_further(position)? {
                return Ok(false);
            }
            let mut before = self.relation(passes, values, &own())?;
            if position == 0 {
                before = before.flat_range_product(self.variable_of(passes)?)?;
                before = before.set_tuple_name(DimType::Out, &values.to_string())?;
            }
            let (value, array) = match self.sum.levels.get(position + 1) {
                Some(next) => {
                    let (array, whole) = (self.arrays[position + 1][1], own());
                    let whole = chunk(&whole[0], u64::from(next.size));
                    (self.relation(passes, array, &[whole])?, array)
                }
                None => (self.variable_of(passes)?, self.variable),
            };
            let wanted = [
                (AccessKind::Write, values, before),
                (AccessKind::Read, array, value.copy()?),
                (AccessKind::Write, array, value.copy()?),
                (AccessKind::Read, array, value),
                (AccessKind::Read, total, self.relation(passes, total, &own())?),
            ];
            if !self.has_accesses(passes, wanted)? {
                return Ok(false);
            }
            let [one, two, three, four, five] = &passes.accesses[..] else { return Ok(false) };
            let ids = [one, two, three, four, five].map(|access| access.id);
            if offset(self.operator, self.ctype, ids).is_none_or(|body| body != passes.body) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn updates_further(&self, position: usize) -> Result<bool> {
        let level = &self.sum.levels[position];
        let (update, total, of) = (&level.update, self.arrays[position][0], self.arrays[position - 1][0]);
        if update.depth() != self.depth() + 1 {
            return Ok(false);
        }
        let names = polyhedra::numbered("i", update.depth());
        let part = names[self.depth()].clone();
        let whole = self.relation(update, total, &[chunk(&part, u64::from(level.size))])?;
        let wanted = [
            (AccessKind::Write, total, whole.copy()?),
            (AccessKind::Read, total, whole),
            (AccessKind::Read, of, self.relation(update, of, &[part])?),
        ];
        let [one, two, three] = &update.accesses[..] else { return Ok(false) };
        let body = further_update(self.operator, self.ctype, [one.id, two.id, three.id]);
        Ok(self.has_accesses(update, wanted)? && body.is_some_and(|body| body == update.body))
    }

    fn relation(&self, statement: &Statement, array: ArrayId, subscripts: &[String]) -> Result<Map> {
        let names = polyhedra::numbered("i", statement.depth());
        Map::parse(&format!(
            "{{ {}[{}] -> {array}[{}] }}",
            statement.id,
            names.join(", "),
            subscripts.join(", ")
        ))
    }

    /// True if each level has the chunks of all that the nest uses, and only in runs of the nest with an update.
    fn has_all_chunks(&self) -> Result<bool> {
        let plain = |statement: &Statement| -> Result<Set> {
            Ok(domain(statement, &self.context)?.reset_tuple_id()?)
        };
        let runs = self.run_of(self.statement)?.intersect_domain(domain(self.statement, &self.context)?)?;
        let runs = runs.range()?;
        for (position, level) in self.sum.levels.iter().enumerate() {
            let chunks = plain(&level.offset)?;
            let users: Vec<&Statement> = match position {
                0 => [self.statement].into_iter().chain(self.readers.iter().copied()).collect(),
                _ => vec![&self.sum.levels[position - 1].offset],
            };
            for user in users {
                let names = polyhedra::numbered("i", user.depth());
                let own = chunk(&names[self.depth()], u64::from(level.size));
                let all = names[..self.depth()].iter().cloned().chain([own]).collect::<Vec<String>>();
                let of = Map::parse(&format!("{{ [{}] -> [{}] }}", names.join(", "), all.join(", ")))?;
                if !plain(user)?.apply(of)?.is_subset(&chunks)? {
                    return Ok(false);
                }
            }
            let are_parts = match position {
                0 => true,
                _ => plain(&level.update)?.is_equal(&plain(&self.sum.levels[position - 1].offset)?)?,
            };
            let own = chunks.copy()?.project_out(DimType::Set, self.sum.depth, 1)?;
            if !plain(&level.start)?.is_equal(&chunks)? || !are_parts || !own.is_subset(&runs)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the message about an order in which a value is not that of the source.
    fn message(&self, path: &str, orders: &Orders<'_>) -> Result<Option<Diagnostic>> {
        for wanted in self.wanted() {
            let pairs = self.in_one_run((wanted.first, wanted.second), &wanted.condition)?;
            let early = pairs.copy()?.subtract(before(orders.variant, &pairs)?)?;
            if let Some(message) = self.shown(path, early, wanted.words)? {
                return Ok(Some(message));
            }
        }
        if let Some(message) = self.within_chunks(path, orders)? {
            return Ok(Some(message));
        }
        if let Some(message) = self.between_runs(path, orders)? {
            return Ok(Some(message));
        }
        if let Some(message) = self.contributions(path, orders)? {
            return Ok(Some(message));
        }
        self.misplaced(path, orders)
    }

    /// Returns what has to come before what in the variant, in one run of the nest.
    fn wanted(&self) -> Vec<Wanted<'_>> {
        let d = self.depth();
        let (one, other) = (format!("i{d}"), format!("o{d}"));
        let levels = &self.sum.levels;
        let mut all = Vec::new();
        for (position, level) in levels.iter().enumerate() {
            let size = u64::from(level.size);
            let (begun, added) =
                ("does not begin before it is used", "comes after what reads what its chunk adds");
            let same = format!("{one} = {other}");
            let is_part = format!("{one} = {}", chunk(&other, size));
            let is_whole = format!("{} = {other}", chunk(&one, size));
            all.push(Wanted::new(&level.start, &level.update, &is_part, begun));
            all.push(Wanted::new(&level.start, &level.offset, &same, begun));
            all.push(Wanted::new(&level.update, &level.offset, &is_whole, added));
            if let Some(next) = levels.get(position + 1) {
                all.push(Wanted::new(&level.start, &next.update, &same, begun));
                all.push(Wanted::new(&level.update, &next.update, &is_whole, added));
            }
            let passed = "comes after what needs the value that it stores";
            if let Some(below) = position.checked_sub(1).and_then(|below| levels.get(below)) {
                all.push(Wanted::new(&level.offset, &below.offset, &is_part, passed));
            } else {
                for user in [self.statement].into_iter().chain(self.readers.iter().copied()) {
                    all.push(Wanted::new(&level.offset, user, &is_part, passed));
                }
            }
            let in_order = match levels.get(position + 1) {
                Some(next) => {
                    let size = u64::from(next.size);
                    format!("{one} < {other} and {} = {}", chunk(&one, size), chunk(&other, size))
                }
                None => format!("{one} < {other}"),
            };
            all.push(Wanted::new(
                &level.offset,
                &level.offset,
                &in_order,
                "is not before that of a later chunk",
            ));
        }
        all
    }

    /// True if the accesses of a statement are these, and certain.
    fn has_accesses<const N: usize>(
        &self,
        statement: &Statement,
        wanted: [(AccessKind, ArrayId, Map); N],
    ) -> Result<bool> {
        if statement.accesses.len() != N {
            return Ok(false);
        }
        for (access, (kind, array, relation)) in statement.accesses.iter().zip(wanted) {
            let is_alike = (access.kind, access.array) == (kind, array);
            let is_certain = access.certainty.is_must() && !access.indirect;
            if !is_alike || !is_certain || !self.is_same(access, relation, statement)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True if an access has a relation, in the instances of its statement for the parameters of the context.
    fn is_same(&self, access: &Access, wanted: Map, statement: &Statement) -> Result<bool> {
        let instances = domain(statement, &self.context)?;
        let found = Map::parse(&access.relation.0)?.intersect_domain(instances.copy()?)?;
        Ok(found.is_equal(&wanted.intersect_domain(instances)?)?)
    }

    /// Returns the message about instances of the nest that are in another order than in the source: in that, chunks
    /// follow each other, and within a chunk both orders are the same.
    fn within_chunks(&self, path: &str, orders: &Orders<'_>) -> Result<Option<Diagnostic>> {
        let size = u64::from(self.sum.levels[0].size);
        let d = self.depth();
        let (one, other) = (chunk(&format!("i{d}"), size), chunk(&format!("o{d}"), size));
        let users: Vec<&Statement> =
            [self.statement].into_iter().chain(self.readers.iter().copied()).collect();
        for user in users {
            for (first, second) in [(self.statement, user), (user, self.statement)] {
                let pairs = self.in_one_run((first, second), &format!("{one} < {other}"))?;
                let early = pairs.copy()?.subtract(before(orders.source, &pairs)?)?;
                let words = "does not come before that of a later chunk in the source";
                if let Some(message) = self.shown(path, early, words)? {
                    return Ok(Some(message));
                }
                let pairs = self.in_one_run((first, second), &format!("{one} = {other}"))?;
                let [source, variant] = [before(orders.source, &pairs)?, before(orders.variant, &pairs)?];
                let words = "is in another order than in the source within its chunk";
                if let Some(message) = self.differ(path, (source, variant), words)? {
                    return Ok(Some(message));
                }
            }
        }
        Ok(None)
    }

    /// Returns the message about runs of the nest that are not one after the other, as in the source.
    fn between_runs(&self, path: &str, orders: &Orders<'_>) -> Result<Option<Diagnostic>> {
        if self.depth() == 0 {
            return Ok(None);
        }
        let words = "is in another run of the nest and not one after the other, as in the source";
        let nest: Vec<&Statement> =
            [self.statement].into_iter().chain(self.readers.iter().copied()).collect();
        let pairs = self.in_other_runs((self.statement, self.statement))?;
        let first = before(orders.source, &pairs)?;
        let run = self.run_of(self.statement)?;
        let runs = run.copy()?.reverse()?.apply_range(first.copy()?)?.apply_range(run.copy()?)?;
        let back = runs.copy()?.reverse()?;
        let both = run.copy()?.apply_range(runs.copy()?.intersect(back)?)?.apply_range(run.reverse()?)?;
        if let Some(message) = self.shown(path, pairs.intersect(both)?, words)? {
            return Ok(Some(message));
        }
        let all: Vec<&Statement> = nest.iter().copied().chain(self.sum.statements()).collect();
        for one in &all {
            for other in &all {
                let pairs = self.in_other_runs((one, other))?;
                let wanted = self.run_of(one)?.apply_range(runs.copy()?)?;
                let wanted = pairs.intersect(wanted.apply_range(self.run_of(other)?.reverse()?)?)?;
                let mut both = vec![orders.variant];
                if [one, other].iter().all(|one| nest.iter().any(|own| own.id == one.id)) {
                    both.push(orders.source);
                }
                for order in both {
                    let early = wanted.copy()?.subtract(before(order, &wanted)?)?;
                    if let Some(message) = self.shown(path, early, words)? {
                        return Ok(Some(message));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns the message about a contribution that is computed from other values than in the source: a write of what
    /// the update reads must be on the same side of both.
    fn contributions(&self, path: &str, orders: &Orders<'_>) -> Result<Option<Diagnostic>> {
        let Sections { model, dependences, .. } = *self.sections;
        let update = &self.sum.levels[0].update;
        let names = polyhedra::numbered("i", update.depth()).join(", ");
        let stands = Map::parse(&format!("{{ {}[{names}] -> {}[{names}] }}", self.statement.id, update.id))?;
        let alive = || model.statements.iter().filter(|one| !dependences.dead.contains(&one.id));
        let reads = |access: &&Access| access.kind == AccessKind::Read && !self.is_new(access.array);
        for read in self.statement.accesses.iter().filter(reads) {
            let used = Map::parse(&read.relation.0)?;
            let used = used.intersect_domain(domain(self.statement, &self.context)?)?;
            for writer in alive() {
                let writes =
                    |access: &&Access| access.kind == AccessKind::Write && access.array == read.array;
                for write in writer.accesses.iter().filter(writes) {
                    let written = Map::parse(&write.relation.0)?;
                    let written = written.intersect_domain(domain(writer, &self.context)?)?;
                    let pairs = used.copy()?.apply_range(written.reverse()?)?;
                    let moved = stands.copy()?.reverse()?.apply_range(pairs.copy()?)?;
                    for is_back in [false, true] {
                        let turned =
                            |map: Map| -> Result<Map> { Ok(if is_back { map.reverse()? } else { map }) };
                        let own = turned(before(orders.variant, &turned(pairs.copy()?)?)?)?;
                        let other = turned(before(orders.variant, &turned(moved.copy()?)?)?)?;
                        let other = stands.copy()?.apply_range(other)?;
                        let words =
                            "adds to its chunk what it computes from another value than in the source";
                        if let Some(message) = self.differ(path, (own, other), words)? {
                            return Ok(Some(message));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn is_new(&self, array: ArrayId) -> bool {
        self.arrays.iter().flatten().any(|own| *own == array)
    }

    /// Returns the message about an access to the variable that finds another value in it than in the source.
    fn misplaced(&self, path: &str, orders: &Orders<'_>) -> Result<Option<Diagnostic>> {
        let Sections { extracted, model, dependences, .. } = *self.sections;
        let Some(last) = self.sum.levels.last() else { return Ok(None) };
        let source = extracted.statement(self.sum.statement)?;
        let stands = self.stands(source, self.sum)?;
        let updated = Map::parse(&extracted.access(self.sum.write)?.relation.0)?;
        let updated = updated.intersect_domain(domain(source, &self.context)?)?;
        let alive = model.statements.iter().filter(|one| !dependences.dead.contains(&one.id));
        for statement in alive.filter(|one| one.id != last.offset.id) {
            for access in statement.accesses.iter().filter(|access| access.array == self.variable) {
                let of_other =
                    |sum: &&PrefixSum| sum.levels.last().is_some_and(|level| level.offset.id == statement.id);
                if self.others.iter().any(of_other) {
                    continue;
                }
                if !extracted.statements.iter().any(|one| one.id == statement.id) {
                    let message = format!("{} and {} use one element", statement.id, last.offset.id);
                    return Ok(Some(Diagnostic::error(CODE, message)));
                }
                let touched = Map::parse(&access.relation.0)?;
                let touched = touched.intersect_domain(domain(statement, &self.context)?)?;
                let pairs = updated.copy()?.apply_range(touched.reverse()?)?;
                let in_source = before(orders.source, &pairs)?;
                let moved = stands.copy()?.reverse()?.apply_range(pairs.copy()?)?;
                let in_variant =
                    stands.copy()?.apply_range(before(orders.variant, &moved)?)?.intersect(pairs)?;
                let words = OTHER_SIDE;
                if let Some(message) = self.differ(path, (in_source, in_variant), words)? {
                    return Ok(Some(message));
                }
            }
        }
        self.beside_others(path, orders, (&stands, &updated))
    }

    /// Returns the message about an update that is on another side of a prefix sum in the same variable than in the
    /// source, given what stands for each update, and the elements that they change.
    fn beside_others(
        &self,
        path: &str,
        orders: &Orders<'_>,
        (stands, updated): (&Map, &Map),
    ) -> Result<Option<Diagnostic>> {
        let extracted = self.sections.extracted;
        for other in &self.others {
            let Some(values) = other.levels.first().and_then(|level| level.offset.accesses.first()) else {
                continue;
            };
            for user in &self.sections.model.statements {
                let Ok(source) = extracted.statement(user.id) else { continue };
                for access in user.accesses.iter().filter(|access| access.array == values.array) {
                    let own = extracted.access(access.id)?;
                    if own.array != self.variable {
                        continue;
                    }
                    let touched = Map::parse(&own.relation.0)?;
                    let touched = touched.intersect_domain(domain(source, &self.context)?)?;
                    let pairs = updated.copy()?.apply_range(touched.reverse()?)?;
                    let in_source = before(orders.source, &pairs)?;
                    let other = self.stands(source, other)?;
                    let moved = stands.copy()?.reverse()?.apply_range(pairs.copy()?)?;
                    let moved = moved.apply_range(other.copy()?)?;
                    let in_variant = stands.copy()?.apply_range(before(orders.variant, &moved)?)?;
                    let in_variant = in_variant.apply_range(other.reverse()?)?.intersect(pairs)?;
                    if let Some(message) = self.differ(path, (in_source, in_variant), OTHER_SIDE)? {
                        return Ok(Some(message));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns which instance changes the variable by the chunk of an instance of the nest of a prefix sum.
    fn stands(&self, statement: &Statement, sum: &PrefixSum) -> Result<Map> {
        let (names, depth) = (polyhedra::numbered("i", statement.depth()), sum.depth as usize);
        let Some((last, number)) = sum.levels.last().zip(names.get(depth)) else {
            return Err(polyhedra::Error::new("a prefix sum has no chunks"));
        };
        let whole = chunk(number, sum.iterations(sum.levels.len() - 1));
        let all = names[..depth].iter().cloned().chain([whole]).collect::<Vec<String>>().join(", ");
        let text = format!("{{ {}[{}] -> {}[{all}] }}", statement.id, names.join(", "), last.offset.id);
        Ok(Map::parse(&text)?.intersect_domain(domain(statement, &self.context)?)?)
    }

    /// Returns pairs of instances in one run of the nest, with a condition on their coordinates `i` and `o`.
    fn in_one_run(&self, (first, second): (&Statement, &Statement), condition: &str) -> Result<Map> {
        let same = (0..self.depth()).map(|position| format!("i{position} = o{position}"));
        let conditions = same.chain([condition.to_owned()]).collect::<Vec<String>>().join(" and ");
        self.pairs((first, second), &conditions)
    }

    fn in_other_runs(&self, (first, second): (&Statement, &Statement)) -> Result<Map> {
        let other = (0..self.depth()).map(|position| format!("i{position} != o{position}"));
        self.pairs((first, second), &other.collect::<Vec<String>>().join(" or "))
    }

    fn pairs(&self, (first, second): (&Statement, &Statement), condition: &str) -> Result<Map> {
        let (ones, others) =
            (polyhedra::numbered("i", first.depth()), polyhedra::numbered("o", second.depth()));
        let text = format!(
            "{{ {}[{}] -> {}[{}] : {condition} }}",
            first.id,
            ones.join(", "),
            second.id,
            others.join(", ")
        );
        let pairs = Map::parse(&text)?.intersect_domain(domain(first, &self.context)?)?;
        Ok(pairs.intersect_range(domain(second, &self.context)?)?)
    }

    fn differ(&self, path: &str, (one, other): (Map, Map), words: &str) -> Result<Option<Diagnostic>> {
        let pairs = one.copy()?.subtract(other.copy()?)?.union(other.subtract(one)?)?;
        self.shown(path, pairs, words)
    }

    /// Returns a message that shows the first instance of a pair, if there is one.
    fn shown(&self, path: &str, pairs: Map, words: &str) -> Result<Option<Diagnostic>> {
        let pairs = pairs.intersect_params(self.context.copy()?)?;
        if pairs.is_empty()? {
            return Ok(None);
        }
        let model: &Model = self.sections.model;
        let (instance, _, parameters) = pair_in_words(model, pairs)?;
        let message = format!("{instance} {words}{parameters}");
        Ok(Some(Diagnostic::error(CODE, message).at(path, self.statement.range, "the prefix sum")))
    }
}

/// Instances that have to come before others.
struct Wanted<'w> {
    first: &'w Statement,
    second: &'w Statement,
    /// A condition on their coordinates `i` and `o`.
    condition: String,
    /// What is wrong if they do not.
    words: &'static str,
}

impl<'w> Wanted<'w> {
    fn new(first: &'w Statement, second: &'w Statement, condition: &str, words: &'static str) -> Self {
        Self { first, second, condition: condition.to_owned(), words }
    }
}
