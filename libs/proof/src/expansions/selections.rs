//! Checks whether selections that have many results first ([`scop::selections`]) select what the source selects.
//!
//! The statements have the form for which the algebra of results holds, which leaves open how instances are divided
//! among results. What remains is order: a result begins before it is updated, is updated before it is read, and does
//! not begin again in between; within a result, instances are in the order of the source; and the variable changes at
//! the same place of the order as in the source, as far as other accesses can tell.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Schedule, Set, Text, UnionMap};
use scop::renamed::temporaries;
use scop::selections::{Choice, Number, Results, Stage, bounds_of_types, choice, in_order, update};
use scop::{
    Access, AccessId, AccessKind, ArrayId, CType, Diagnostic, Expansions, Selection, Statement, StatementId,
};

use super::compared::{About, before, domain, in_one_alone, is_same};
use super::origins;
use crate::stage::Sections;

const CODE: &str = "E0232";
const HELP: &str = "leave the variant out, or correct what begins, updates and combines the results";

/// Returns a message for each selection that does not select what the source selects.
pub fn check(path: &str, sections: &Sections<'_>, expansions: &Expansions) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    if expansions.selections().is_empty() {
        return Ok(messages);
    }
    let source = Schedule::parse(&sections.extracted.order.0)?.get_map()?;
    let variant = Schedule::parse(&sections.model.order.0)?.get_map()?;
    let mut new = BTreeSet::new();
    for selection in expansions.selections() {
        let found = match Checked::of(sections, expansions, selection)? {
            Ok(checked) => {
                new.extend(checked.parts.iter().flatten());
                checked.message(path, (&source, &variant))?
            }
            Err(why) => {
                let message = format!("the results of {} {why}", selection.statement);
                Some(Diagnostic::error(CODE, message))
            }
        };
        messages.extend(found.map(|message| message.with_help(HELP)));
    }
    messages.extend(origins::passed(path, sections, new)?);
    Ok(messages)
}

/// A selection whose statements have the form that they must have.
struct Checked<'a> {
    sections: &'a Sections<'a>,
    selection: &'a Selection,
    /// The statement of the source.
    statement: &'a Statement,
    choice: Choice<'a>,
    results: Results,
    /// The arrays of the results of each stage.
    parts: Vec<Vec<ArrayId>>,
    context: Set,
}

/// What is wrong with the form of a selection.
type Form<T> = std::result::Result<T, &'static str>;

impl<'a> Checked<'a> {
    fn of(
        sections: &'a Sections<'a>,
        expansions: &Expansions,
        selection: &'a Selection,
    ) -> Result<Form<Self>> {
        let Sections { extracted, model, dependences, .. } = *sections;
        let statement = extracted.statement(selection.statement)?;
        let depth = selection.depth as usize;
        let Some(choice) = choice(statement).filter(|choice| choice.write == selection.write) else {
            return Ok(Err("are of a statement that selects nothing"));
        };
        let is_expanded = |id| expansions.accesses.iter().any(|expanded| expanded.access == id);
        if !dependences.dead.contains(&statement.id)
            || statement.accesses.iter().any(|one| is_expanded(one.id))
        {
            return Ok(Err("are of a statement that is not left out"));
        }
        let is_whole = selection.stages.last().is_some_and(|stage| stage.numbers.is_empty());
        if depth >= statement.depth() || !is_whole {
            return Ok(Err("do not become a single one"));
        }
        let parts = selection.stages.iter().map(|stage| arrays(&stage.start.accesses)).collect::<Vec<_>>();
        let positions = statement.depth() - depth;
        let types =
            parts[0].iter().map(|id| Ok(model.array(*id)?.element)).collect::<Result<Vec<CType>>>()?;
        if types.len() <= positions {
            return Ok(Err("lack the iterators of their instance"));
        }
        let is_downward = |position: usize| selection.downward.contains(&((depth + position) as u32));
        let own = types[1..=positions].iter().enumerate();
        let results = Results {
            operator: choice.operator,
            strict: choice.strict,
            value: choice.ctype,
            positions: own.map(|(position, ctype)| (*ctype, is_downward(position))).collect(),
            carried: choice.carried().map(|other| other.value.ctype).collect(),
        };
        let all: Vec<ArrayId> = parts.iter().flatten().copied().collect();
        let distinct: BTreeSet<ArrayId> = all.iter().copied().collect();
        let is_new = |id: &ArrayId| id.index() >= extracted.arrays.len();
        for stage in &parts {
            let own = stage.iter().map(|id| Ok(model.array(*id)?.element));
            if own.collect::<Result<Vec<CType>>>()? != results.types() {
                return Ok(Err("have other types than what they select"));
            }
        }
        let added: BTreeSet<StatementId> = selection.statements().map(|added| added.id).collect();
        let mut others = model.statements.iter().filter(|one| !added.contains(&one.id));
        let is_used = others.any(|one| one.accesses.iter().any(|access| distinct.contains(&access.array)));
        if distinct.len() != all.len() || !all.iter().all(is_new) || is_used {
            return Ok(Err("have other uses"));
        }
        let context = Set::parse(&model.context.0)?;
        let checked = Self { sections, selection, statement, choice, results, parts, context };
        if !checked.has_form()? {
            return Ok(Err("do not begin with nothing, or are not updated or combined as they have to be"));
        }
        Ok(Ok(checked))
    }

    fn depth(&self) -> usize {
        self.selection.depth as usize
    }

    /// True if all statements are those that the algebra demands.
    fn has_form(&self) -> Result<bool> {
        let mut given: Option<(&Stage, &[ArrayId])> = None;
        for (stage, parts) in self.selection.stages.iter().zip(&self.parts) {
            let is_sound = self.begins(stage, parts)?
                && match given {
                    None => self.updates(stage, parts)?,
                    Some(given) => self.combines(given, (stage, parts))?,
                };
            if !is_sound {
                return Ok(false);
            }
            given = Some((stage, parts));
        }
        self.finishes()
    }

    fn begins(&self, stage: &Stage, parts: &[ArrayId]) -> Result<bool> {
        let Stage { start, numbers, .. } = stage;
        let writes: Vec<AccessId> = start.accesses.iter().map(|access| access.id).collect();
        let own = polyhedra::numbered("i", start.depth());
        let expected = Wanted::all(parts, AccessKind::Write, true, own.get(self.depth()..).unwrap_or(&[]));
        Ok(self.has_results(start, numbers)?
            && self.has_accesses(start, &expected)?
            && self.results.start(&writes).is_some_and(|body| body == start.body))
    }

    /// Checks that the statement that takes the place of that of the source does the same with a result.
    fn updates(&self, stage: &Stage, parts: &[ArrayId]) -> Result<bool> {
        let (new, old) = (&stage.update, self.statement);
        let same = Set::parse(&old.domain.0)?.set_tuple_name(&new.id.to_string())?;
        let own = polyhedra::numbered("i", new.depth());
        if new.loops != old.loops || !Set::parse(&new.domain.0)?.is_equal(&same)? {
            return Ok(false);
        }
        let subscripts: Vec<String> = stage.numbers.iter().map(|number| number.text(&own)).collect();
        let carried: Vec<AccessId> = self.choice.carried().map(|other| other.write).collect();
        let (mut renamed, mut next) = (Vec::new(), new.accesses.iter());
        for access in &old.accesses {
            let carried_part = carried.iter().position(|write| *write == access.id);
            let part = match access.id {
                one if one == self.choice.read || one == self.choice.write => Some(0),
                _ => carried_part.map(|part| self.results.compared() + part),
            };
            if part.is_none() && access.kind == AccessKind::Write || self.choice.kept == Some(access.id) {
                continue;
            }
            let Some(found) = next.next() else { return Ok(false) };
            let (array, relation) = match part {
                Some(part) => (parts[part], relation(new.id, &own, parts[part], &subscripts)?),
                None => {
                    let same = Map::parse(&access.relation.0)?;
                    (access.array, same.set_tuple_name(DimType::In, &new.id.to_string())?)
                }
            };
            let is_alike = (found.kind, found.certainty, found.indirect, found.array)
                == (access.kind, self.choice.certainty(access), access.indirect, array);
            if !is_alike || !is_same(found, relation, new, &self.context)? {
                return Ok(false);
            }
            renamed.push((access.id, found.id));
        }
        let rest: Vec<&Access> = next.collect();
        let mut positions = Vec::new();
        for (position, (access, (ctype, _))) in rest.iter().zip(&self.results.positions).enumerate() {
            let array = parts[1 + position];
            let is_write = access.kind == AccessKind::Write && access.array == array && !access.indirect;
            if !is_write || !is_same(access, relation(new.id, &own, array, &subscripts)?, new, &self.context)?
            {
                return Ok(false);
            }
            let around = self.sections.model.source_loop(old.loops[self.depth() + position])?;
            positions.push((access.id, (self.depth() + position) as u32, [around.ctype, *ctype]));
        }
        let renamed = |id: AccessId| renamed.iter().find(|(one, _)| *one == id).map_or(id, |(_, new)| *new);
        let mut names = temporaries(&new.body).into_iter();
        let mut name = |_: &str| names.next().unwrap_or_default();
        let body = update(old, &self.choice, &renamed, &mut name, &positions);
        Ok(rest.len() == self.results.positions.len() && body == new.body)
    }

    fn combines(
        &self,
        (given, from): (&Stage, &[ArrayId]),
        (stage, to): (&Stage, &[ArrayId]),
    ) -> Result<bool> {
        let Stage { update, numbers, .. } = stage;
        let own = polyhedra::numbered("i", update.depth());
        let (other, count) = (own.get(self.depth()..).unwrap_or(&[]), self.results.compared());
        let subscripts: Vec<String> = numbers.iter().map(|number| number.text(&own)).collect();
        let groups = [
            Wanted::all(&from[..count], AccessKind::Read, true, other),
            Wanted::all(&to[..count], AccessKind::Read, true, &subscripts),
            Wanted::all(from, AccessKind::Read, false, other),
            Wanted::all(to, AccessKind::Write, false, &subscripts),
        ];
        let lengths = groups.each_ref().map(Vec::len);
        if !self.has_results(update, &given.numbers)? || !self.has_accesses(update, &groups.concat())? {
            return Ok(false);
        }
        let ids: Vec<AccessId> = update.accesses.iter().map(|access| access.id).collect();
        let (reads, rest) = ids.split_at(lengths[0]);
        let (compared, rest) = rest.split_at(lengths[1]);
        let (taken, writes) = rest.split_at(lengths[2]);
        Ok(self.results.combination([reads, compared, taken, writes]) == update.body)
    }

    fn finishes(&self) -> Result<bool> {
        let (finish, Some(from)) = (&self.selection.finish, self.parts.last()) else { return Ok(false) };
        let count = self.results.compared_last();
        let writes: Vec<AccessId> = [self.choice.write]
            .into_iter()
            .chain(self.choice.others.iter().map(|other| other.write))
            .collect();
        let before = count + 1;
        let ids: Vec<AccessId> = finish.accesses.iter().map(|access| access.id).collect();
        if ids.len() != before + from.len() + writes.len() || !self.has_results(finish, &[])? {
            return Ok(false);
        }
        let compared = Wanted::all(&from[..count], AccessKind::Read, true, &[]);
        let taken = Wanted::all(from, AccessKind::Read, false, &[]);
        let is_sound = self.are(finish, &finish.accesses[..count], &compared)?
            && self.is_of_source(finish, &finish.accesses[count], self.choice.read)?
            && self.are(finish, &finish.accesses[before..before + from.len()], &taken)?;
        if !is_sound {
            return Ok(false);
        }
        for (access, write) in finish.accesses[before + from.len()..].iter().zip(&writes) {
            if !self.is_of_source(finish, access, *write)? {
                return Ok(false);
            }
        }
        let (reads, rest) = ids.split_at(count);
        let (own, rest) = rest.split_at(1);
        let (taken, written) = rest.split_at(from.len());
        let body = self.results.finish(&self.choice, self.depth(), (reads, own[0], taken, written));
        Ok(body.is_some_and(|body| body == finish.body))
    }

    /// True if a statement has an instance for each result of some numbers, in each iteration of the loops around the
    /// nest in which the source has instances.
    fn has_results(&self, added: &Statement, numbers: &[Number]) -> Result<bool> {
        let depth = self.depth();
        if added.depth() != depth + numbers.len()
            || added.loops.get(..depth) != self.statement.loops.get(..depth)
        {
            return Ok(false);
        }
        let inner = (self.statement.depth() - depth) as u32;
        let runs = domain(self.statement, &self.context)?.project_out(DimType::Set, depth as u32, inner)?;
        let names = polyhedra::numbered("i", added.depth());
        let mut wanted =
            runs.reset_tuple_id()?.insert_dims(DimType::Set, depth as u32, numbers.len() as u32)?;
        for (number, name) in numbers.iter().zip(&names[depth..]) {
            let bounds = format!("{{ [{}] : 0 <= {name} < {} }}", names.join(", "), number.count);
            wanted = wanted.intersect(Set::parse(&bounds)?)?;
        }
        Ok(domain(added, &self.context)?.reset_tuple_id()?.is_equal(&wanted)?)
    }

    fn has_accesses(&self, statement: &Statement, wanted: &[Wanted]) -> Result<bool> {
        self.are(statement, &statement.accesses, wanted)
    }

    fn are(&self, statement: &Statement, found: &[Access], wanted: &[Wanted]) -> Result<bool> {
        if found.len() != wanted.len() {
            return Ok(false);
        }
        let own = polyhedra::numbered("i", statement.depth());
        for (access, wanted) in found.iter().zip(wanted) {
            let is_alike = access.array == wanted.array
                && access.kind == wanted.kind
                && access.certainty.is_must() == wanted.is_certain
                && !access.indirect;
            let expected = relation(statement.id, &own, wanted.array, &wanted.subscripts)?;
            if !is_alike || !is_same(access, expected, statement, &self.context)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True if an access of the last statement is to the element that one of the source uses in all of its instances.
    fn is_of_source(&self, finish: &Statement, access: &Access, source: AccessId) -> Result<bool> {
        let wanted = self.sections.extracted.access(source)?;
        if (access.kind, access.array, access.indirect) != (wanted.kind, wanted.array, false) {
            return Ok(false);
        }
        let updates = domain(self.statement, &self.context)?;
        let names = polyhedra::numbered("i", self.statement.depth());
        let run = format!(
            "{{ {}[{}] -> {}[{}] }}",
            self.statement.id,
            names.join(", "),
            finish.id,
            names[..self.depth()].join(", ")
        );
        let found = Map::parse(&run)?
            .intersect_domain(updates.copy()?)?
            .apply_range(Map::parse(&access.relation.0)?)?;
        let wanted = Map::parse(&wanted.relation.0)?.intersect_domain(updates)?;
        Ok(wanted.is_single_valued()? && found.is_equal(&wanted)?)
    }

    /// Returns the message about an order in which a result is not that of the source.
    fn message(&self, path: &str, (source, variant): (&UnionMap, &UnionMap)) -> Result<Option<Diagnostic>> {
        let updates = domain(self.statement, &self.context)?;
        let id = self.statement.id.to_string();
        let pairs = self.ordered(&id, &updates)?;
        let early = pairs.copy()?.subtract(before(source, &pairs)?)?;
        if let Some(message) = self.shown(path, early, "does not come before a later one in the source")? {
            return Ok(Some(message));
        }
        if self.has_forbidden(&updates)? {
            let message = format!("an instance of {id} has the place of no instance");
            return Ok(Some(Diagnostic::error(CODE, message)));
        }
        let first = &self.selection.stages[0];
        let new = domain(&first.update, &self.context)?;
        let own = self.result_of(first)?;
        let pairs = self.ordered(&first.update.id.to_string(), &new)?;
        let pairs = pairs.intersect(own.copy()?.apply_range(own.reverse()?)?)?;
        let early = pairs.copy()?.subtract(before(variant, &pairs)?)?;
        if let Some(message) = self.shown(path, early, "does not come before a later one of its result")? {
            return Ok(Some(message));
        }
        for position in 0..self.selection.stages.len() {
            if let Some(message) = self.unordered(path, position, variant)? {
                return Ok(Some(message));
            }
        }
        self.misplaced(path, (source, variant))
    }

    /// Returns the pairs of instances in one run of the nest of which the first has the earlier iterators.
    fn ordered(&self, name: &str, instances: &Set) -> Result<Map> {
        let text = in_order(name, self.statement.depth(), self.depth(), &self.selection.downward);
        Ok(Map::parse(&text)?.intersect_domain(instances.copy()?)?.intersect_range(instances.copy()?)?)
    }

    fn has_forbidden(&self, updates: &Set) -> Result<bool> {
        let Some(value) = self.results.forbidden() else { return Ok(false) };
        let names = polyhedra::numbered("i", self.statement.depth());
        let id = self.statement.id;
        let fixed = format!("{{ {id}[{}] : {} = {value} }}", names.join(", "), names[self.depth()]);
        let types = Set::parse(&bounds_of_types(&self.sections.model.parameters))?;
        Ok(!updates.copy()?.intersect_params(types)?.intersect(Set::parse(&fixed)?)?.is_empty()?)
    }

    /// Returns the function from updates to the coordinates of the statement that begins their result.
    fn result_of(&self, stage: &Stage) -> Result<Map> {
        let Stage { update, start, numbers } = stage;
        let own = polyhedra::numbered("i", update.depth());
        let subscripts = numbers.iter().map(|number| number.text(&own));
        let all: Vec<String> = own[..self.depth()].iter().cloned().chain(subscripts).collect();
        let text = format!("{{ {}[{}] -> {}[{}] }}", update.id, own.join(", "), start.id, all.join(", "));
        Ok(Map::parse(&text)?.intersect_domain(domain(update, &self.context)?)?)
    }

    /// Returns the message about an update that is not between the beginning and the reader of its result, or about a
    /// result that begins again before it is read.
    fn unordered(&self, path: &str, position: usize, variant: &UnionMap) -> Result<Option<Diagnostic>> {
        let stage = &self.selection.stages[position];
        let stages = &self.selection.stages;
        let reader = stages.get(position + 1).map_or(&self.selection.finish, |next| &next.update);
        let start_of = self.result_of(stage)?;
        let names = polyhedra::numbered("i", stage.start.depth());
        let all = names.join(", ");
        let read = Map::parse(&format!("{{ {}[{all}] -> {}[{all}] }}", stage.start.id, reader.id))?;
        let starts = domain(&stage.start, &self.context)?;
        let readers = domain(reader, &self.context)?;
        let read = read.intersect_domain(starts)?.intersect_range(readers)?;
        let updates = domain(&stage.update, &self.context)?;
        let begun = before(variant, &start_of.copy()?.reverse()?)?.range()?;
        let finished = before(variant, &start_of.apply_range(read.copy()?)?)?.domain()?;
        let lost = updates.subtract(begun.intersect(finished)?)?;
        let lost = Map::identity(lost.get_space()?.map_from_set()?)?.intersect_domain(lost)?;
        let words = "is not between the statements that begin and read its result";
        if let Some(message) = self.shown(path, lost, words)? {
            return Ok(Some(message));
        }
        // Another run of the nest: its result begins before this one does, or after this one is read.
        let others = polyhedra::numbered("o", names.len());
        let depth = self.depth();
        let same = names[depth..].iter().zip(&others[depth..]).map(|(one, other)| format!("{one} = {other}"));
        let run = names[..depth].iter().zip(&others[..depth]).map(|(one, other)| format!("{one} != {other}"));
        let run: Vec<String> = run.collect();
        if run.is_empty() {
            return Ok(None);
        }
        let conditions: Vec<String> = same.chain([format!("({})", run.join(" or "))]).collect();
        let pairs = format!(
            "{{ {0}[{all}] -> {0}[{1}] : {2} }}",
            stage.start.id,
            others.join(", "),
            conditions.join(" and ")
        );
        let starts = domain(&stage.start, &self.context)?;
        let pairs = Map::parse(&pairs)?.intersect_domain(starts.copy()?)?.intersect_range(starts)?;
        let within = before(variant, &pairs.copy()?.apply_range(read.copy()?)?)?;
        let within = within.apply_range(read.reverse()?)?;
        let again = within.subtract(before(variant, &pairs)?)?;
        self.shown(path, again, "begins a result again before it is read")
    }

    /// Returns the message about an access to a variable that finds another value in it than in the source.
    fn misplaced(&self, path: &str, (source, variant): (&UnionMap, &UnionMap)) -> Result<Option<Diagnostic>> {
        let Sections { extracted, model, dependences, .. } = *self.sections;
        let finish = &self.selection.finish;
        let names = polyhedra::numbered("i", self.statement.depth());
        let text = format!(
            "{{ {}[{}] -> {}[{}] }}",
            self.statement.id,
            names.join(", "),
            finish.id,
            names[..self.depth()].join(", ")
        );
        let stands = Map::parse(&text)?.intersect_domain(domain(self.statement, &self.context)?)?;
        let writes =
            [self.choice.write].into_iter().chain(self.choice.others.iter().map(|other| other.write));
        for write in writes {
            let own = extracted.access(write)?;
            let updated = Map::parse(&own.relation.0)?.intersect_domain(stands.copy()?.domain()?)?;
            let alive = model.statements.iter().filter(|one| !dependences.dead.contains(&one.id));
            for statement in alive.filter(|one| one.id != finish.id) {
                for access in statement.accesses.iter().filter(|access| access.array == own.array) {
                    if !extracted.statements.iter().any(|one| one.id == statement.id) {
                        let message = format!("{} and {} use one element", statement.id, finish.id);
                        return Ok(Some(Diagnostic::error(CODE, message)));
                    }
                    let touched = Map::parse(&access.relation.0)?
                        .intersect_domain(domain(statement, &self.context)?)?;
                    let pairs = updated.copy()?.apply_range(touched.reverse()?)?;
                    let in_source = before(source, &pairs)?;
                    let moved = stands.copy()?.reverse()?.apply_range(pairs.copy()?)?;
                    let in_variant =
                        stands.copy()?.apply_range(before(variant, &moved)?)?.intersect(pairs)?;
                    if let Some(message) = self.on_other_side(path, (in_source, in_variant))? {
                        return Ok(Some(message));
                    }
                }
            }
            // Runs of the nest change the element in the order of the source.
            let same_run = stands.copy()?.apply_range(stands.copy()?.reverse()?)?;
            let pairs = updated.copy()?.apply_range(updated.reverse()?)?.subtract(same_run)?;
            let in_source = before(source, &pairs)?;
            let moved = stands.copy()?.reverse()?.apply_range(pairs.copy()?)?.apply_range(stands.copy()?)?;
            let in_variant = stands.copy()?.apply_range(before(variant, &moved)?)?;
            let in_variant = in_variant.apply_range(stands.copy()?.reverse()?)?.intersect(pairs)?;
            if let Some(message) = self.on_other_side(path, (in_source, in_variant))? {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    fn on_other_side(&self, path: &str, (in_source, in_variant): (Map, Map)) -> Result<Option<Diagnostic>> {
        let other = in_one_alone(in_source, in_variant)?;
        let words = "is on one side of an access to its variable in the source, and the result is stored on the other";
        self.shown(path, other, words)
    }

    fn shown(&self, path: &str, pairs: Map, words: &str) -> Result<Option<Diagnostic>> {
        let (model, statement) = (self.sections.model, self.statement.id);
        About { code: CODE, path, model, statement, what: "the selection" }.shown(pairs, words)
    }
}

/// An access that a statement must have.
#[derive(Clone)]
struct Wanted {
    array: ArrayId,
    kind: AccessKind,
    is_certain: bool,
    subscripts: Vec<String>,
}

impl Wanted {
    fn all(arrays: &[ArrayId], kind: AccessKind, is_certain: bool, subscripts: &[String]) -> Vec<Self> {
        let one = |array: &ArrayId| Self { array: *array, kind, is_certain, subscripts: subscripts.to_vec() };
        arrays.iter().map(one).collect()
    }
}

fn arrays(accesses: &[Access]) -> Vec<ArrayId> {
    accesses.iter().map(|access| access.array).collect()
}

fn relation(id: StatementId, coordinates: &[String], array: ArrayId, subscripts: &[String]) -> Result<Map> {
    Map::parse(&format!("{{ {id}[{}] -> {array}[{}] }}", coordinates.join(", "), subscripts.join(", ")))
}
