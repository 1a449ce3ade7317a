//! Whether the statements of a prefix sum have the form for which the algebra holds.

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Set, Text};
use scop::prefix_sums::{chunk, first_update, further_update, offset, start};
use scop::renamed::temporaries;
use scop::{
    AccessId, AccessKind, ArrayId, CType, Expansions, PrefixSum, ReductionOp, Statement, StatementId,
};

use crate::expansions::compared::{domain, is_same};
use crate::stage::Sections;

/// A prefix sum whose statements have the form that they must have.
pub struct Checked<'a> {
    pub sections: &'a Sections<'a>,
    pub sum: &'a PrefixSum,
    /// The statement of the source, with the expansions.
    pub statement: &'a Statement,
    /// Those that read the intermediate values, with the expansions.
    pub readers: Vec<&'a Statement>,
    /// The array of the variable.
    pub variable: ArrayId,
    pub operator: ReductionOp,
    pub ctype: CType,
    /// For each level the arrays of what chunks add, and of the values before them.
    pub arrays: Vec<[ArrayId; 2]>,
    /// The prefix sums in the same variable.
    pub others: Vec<&'a PrefixSum>,
    pub context: Set,
}

/// What is wrong with the form of a prefix sum.
pub type Form<T> = std::result::Result<T, &'static str>;
impl<'a> Checked<'a> {
    /// Finds out whether the statements of a prefix sum have their form.
    pub fn of(
        sections: &'a Sections<'a>,
        expansions: &'a Expansions,
        sum: &'a PrefixSum,
    ) -> Result<Form<Self>> {
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

    /// Returns the number of loops around the nest.
    pub fn depth(&self) -> usize {
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
                && is_same(access, wanted, new, &self.context)?;
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
                if !is_same(access, wanted, statement, &self.context)? {
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
    pub fn run_of(&self, statement: &Statement) -> Result<Map> {
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
            if !has_accesses(begins, wanted, &self.context)? || body.as_ref() != Some(&begins.body) {
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
            if !has_accesses(passes, wanted, &self.context)? {
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
        Ok(has_accesses(update, wanted, &self.context)? && body.is_some_and(|body| body == update.body))
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
}

/// True if the accesses of a statement are these, and certain.
fn has_accesses<const N: usize>(
    statement: &Statement,
    wanted: [(AccessKind, ArrayId, Map); N],
    context: &Set,
) -> Result<bool> {
    if statement.accesses.len() != N {
        return Ok(false);
    }
    for (access, (kind, array, relation)) in statement.accesses.iter().zip(wanted) {
        let is_alike = (access.kind, access.array) == (kind, array);
        let is_certain = access.certainty.is_must() && !access.indirect;
        if !is_alike || !is_certain || !is_same(access, relation, statement, context)? {
            return Ok(false);
        }
    }
    Ok(true)
}
