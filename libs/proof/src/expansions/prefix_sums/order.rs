//! Whether the values of a prefix sum are those of the source, in the order of the variant.

use polyhedra::{Map, Result, Text, UnionMap};
use scop::prefix_sums::chunk;
use scop::{Access, AccessKind, ArrayId, Diagnostic, PrefixSum, Statement};

use super::form::Checked;
use crate::expansions::compared::{About, before, domain, in_one_alone};
use crate::stage::Sections;

/// The code of the messages.
pub const CODE: &str = "E0233";

/// The orders of the instances.
pub struct Orders<'o> {
    /// Those of the source.
    pub source: &'o UnionMap,
    /// Those of the variant.
    pub variant: &'o UnionMap,
}
const OTHER_SIDE: &str = "is on one side of an access to its variable in the source, and its chunk is added to the \
                          variable on the other";

impl Checked<'_> {
    /// Returns the message about an order in which a value is not that of the source.
    pub fn message(&self, path: &str, orders: &Orders<'_>) -> Result<Option<Diagnostic>> {
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
        self.shown(path, in_one_alone(one, other)?, words)
    }

    fn shown(&self, path: &str, pairs: Map, words: &str) -> Result<Option<Diagnostic>> {
        let (model, statement) = (self.sections.model, self.statement.id);
        About { code: CODE, path, model, statement, what: "the prefix sum" }.shown(pairs, words)
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
