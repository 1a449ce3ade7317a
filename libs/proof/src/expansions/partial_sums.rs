//! Checks whether partial sums ([`scop::partial_sums`]) come to the sums of the source.
//!
//! A partial sum begins with the neutral value, changes with the updates that go to it, and is combined with the
//! element. All instances are ordered by [`scop::Expansions::order`], so between the two are exactly the updates that
//! count once. An access to the element finds the same updates in it as in the source, because it is on the same side
//! of each update as of the combination that stands for it.

use polyhedra::{DimType, Map, Result, Schedule, Set, Text, UnionMap};
use scop::partial_sums::{combination, neutral_value};
use scop::{
    Access, AccessId, AccessKind, Array, Diagnostic, Expansions, PartialSum, Reduction, Statement,
    StatementId, Step,
};

use super::compared::{About, before, domain};
use super::origins;
use crate::stage::Sections;

/// Returns a message for each sum that does not come to that of the source.
pub fn check(path: &str, sections: &Sections<'_>, expansions: &Expansions) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    if expansions.partial_sums().is_empty() {
        return Ok(messages);
    }
    let orders = Orders {
        source: Schedule::parse(&sections.extracted.order.0)?.get_map()?,
        variant: Schedule::parse(&sections.model.order.0)?.get_map()?,
    };
    for sum in expansions.partial_sums() {
        let found = match Sum::of(sections, expansions, sum)? {
            Ok(found) => found.message(path, &orders)?,
            Err(why) => Some(Diagnostic::error(CODE, format!("the partial sums of {} {why}", sum.statement))),
        };
        messages.extend(found.map(|message| message.with_help(HELP)));
    }
    let new = expansions.partial_sums().iter().map(|sum| Ok(sections.model.access(sum.write)?.array));
    messages.extend(origins::passed(path, sections, new.collect::<Result<_>>()?)?);
    Ok(messages)
}

const CODE: &str = "E0231";
const HELP: &str = "leave the variant out, or correct what begins, updates and combines the partial sums";

/// The order of the instances.
struct Orders {
    /// In the source.
    source: UnionMap,
    /// With the partial sums.
    variant: UnionMap,
}

/// A sum whose statements have the form that they must have.
struct Sum<'a> {
    sections: &'a Sections<'a>,
    sum: &'a PartialSum,
    reduction: &'a Reduction,
    /// The array of the sum.
    array: &'a Array,
    /// From an update to the coordinates of the statements that begin and combine its partial sum: `{ S0[i] -> [t, p,
    /// x] }`.
    coordinates: Map,
}

impl<'a> Sum<'a> {
    /// Returns a sum, or what is wrong with its form.
    fn of(
        sections: &'a Sections<'a>,
        expansions: &Expansions,
        sum: &'a PartialSum,
    ) -> Result<std::result::Result<Self, &'static str>> {
        let Sections { extracted, model, dependences, .. } = *sections;
        let mut reductions = dependences.reductions.iter().filter(|reduction| {
            reduction.statement == sum.statement && reduction.write == sum.write && !reduction.relaxed
        });
        let Some(reduction) = reductions.next().filter(|reduction| reduction.free.is_some()) else {
            return Ok(Err("are of updates whose order is not free"));
        };
        let statement = model.statement(sum.statement)?;
        let array = extracted.array(extracted.access(sum.write)?.array)?;
        let partial = model.array(model.access(sum.write)?.array)?;
        let depth = sum.depth as usize;
        if depth >= statement.depth() || partial.extents.len() != array.extents.len() + 1 {
            return Ok(Err("have other loops or subscripts than the sum"));
        }
        let relation = Map::parse(&model.access(sum.write)?.relation.0)?;
        for access in reduction.accesses() {
            let own = model.access(access)?;
            let is_same = own.array == partial.id
                && !own.indirect
                && Map::parse(&own.relation.0)?.is_equal(&relation)?;
            if !is_same {
                return Ok(Err("are not those that its update reads and writes"));
            }
        }
        let is_own = |access: &Access| {
            reduction.updates_by(access.id)
                || sum.start.access(access.id).is_some()
                || sum.finish.access(access.id).is_some()
        };
        let mut others = model.statements.iter().flat_map(|statement| &statement.accesses);
        if others.any(|access| access.array == partial.id && !is_own(access)) {
            return Ok(Err("have other uses"));
        }
        let is_elsewhere = |access: AccessId| {
            !reduction.updates_by(access) && {
                let mut own = extracted.statements.iter().filter_map(|statement| statement.access(access));
                own.any(|access| access.array == array.id)
            }
        };
        if expansions.accesses.iter().any(|expanded| is_elsewhere(expanded.access)) {
            return Ok(Err("are of a variable that has copies"));
        }
        if !has_form(sum, reduction, (array, partial))? {
            return Ok(Err("do not begin with the neutral value, or are not combined with their element"));
        }
        let domain = Set::parse(&statement.domain.0)?.intersect_params(Set::parse(&model.context.0)?)?;
        let names = polyhedra::numbered("i", statement.depth());
        let outer =
            format!("{{ {}[{}] -> [{}] }}", statement.id, names.join(", "), names[..depth].join(", "));
        let coordinates =
            Map::parse(&outer)?.flat_range_product(relation)?.intersect_domain(domain.copy()?)?;
        let is_function =
            coordinates.is_single_valued()? && domain.is_subset(&coordinates.copy()?.domain()?)?;
        if !is_function {
            return Ok(Err("do not get each update once"));
        }
        let coordinates = coordinates.reset_tuple_id(DimType::Out)?;
        Ok(Ok(Self { sections, sum, reduction, array, coordinates }))
    }

    /// Returns the message about an instance whose contribution is lost or counted at another place.
    fn message(&self, path: &str, orders: &Orders) -> Result<Option<Diagnostic>> {
        let lost = "is not between the statements that begin and combine its partial sum";
        let Sum { sum, .. } = self;
        let context = Set::parse(&self.sections.model.context.0)?;
        let updates = self.coordinates.copy()?.domain()?;
        let (start, finish) = (self.stands_for(&sum.start)?, self.stands_for(&sum.finish)?);
        let begun = before(&orders.variant, &start.copy()?.reverse()?)?.range()?;
        let combined = before(&orders.variant, &finish)?.domain()?;
        let others = updates.subtract(begun.intersect(combined)?)?;
        let instances = Map::identity(others.get_space()?.map_from_set()?)?.intersect_domain(others)?;
        if let Some(message) = self.shown(path, instances, lost)? {
            return Ok(Some(message));
        }
        let [starts, finishes] = [&sum.start, &sum.finish].map(|added| domain(added, &context));
        let (starts, finishes) = (starts?, finishes?);
        if let Some(message) = self.overlaps(path, orders, (&starts, &finishes))? {
            return Ok(Some(message));
        }
        let number =
            |set: Set| -> Result<Set> { Ok(set.reset_tuple_id()?.project_out(DimType::Set, sum.depth, 1)?) };
        let updated = number(self.coordinates.copy()?.range()?)?;
        let more = number(finishes.copy()?)?.subtract(updated)?;
        if !more.is_empty()? {
            let message = format!("{} combines an element that the source does not update", sum.finish.id);
            return Ok(Some(Diagnostic::error(CODE, message)));
        }
        self.misplaced(path, orders, &finish)
    }

    /// Returns the map from updates to the instances of an added statement with their coordinates.
    fn stands_for(&self, added: &Statement) -> Result<Map> {
        let name = added.id.to_string();
        let context = Set::parse(&self.sections.model.context.0)?;
        let all = self.coordinates.copy()?.set_tuple_name(DimType::Out, &name)?;
        Ok(all.intersect_range(domain(added, &context)?)?)
    }

    /// Returns the message about a partial sum that begins once more before it is combined, or that begins and is not
    /// combined.
    fn overlaps(
        &self,
        path: &str,
        orders: &Orders,
        (starts, finishes): (&Set, &Set),
    ) -> Result<Option<Diagnostic>> {
        let Sum { sum, .. } = self;
        let plain = |set: &Set| -> Result<Set> { Ok(set.copy()?.reset_tuple_id()?) };
        let is_paired = plain(starts)?.is_equal(&plain(finishes)?)?;
        let names = polyhedra::numbered("i", sum.start.depth());
        let others = polyhedra::numbered("o", sum.start.depth());
        let depth = sum.depth as usize;
        let same = names.iter().zip(&others).skip(depth).map(|(one, other)| format!("{one} = {other}"));
        let same: Vec<String> = same.collect();
        let pairs = |first: StatementId, second: StatementId, condition: &str| {
            let (one, other) = (names.join(", "), others.join(", "));
            Map::parse(&format!("{{ {first}[{one}] -> {second}[{other}] : {condition} }}"))
        };
        let all = pairs(sum.start.id, sum.finish.id, &same.join(" and "))?;
        let all = all.intersect_domain(starts.copy()?)?.intersect_range(finishes.copy()?)?;
        let same: Vec<String> =
            names.iter().zip(&others).map(|(one, other)| format!("{one} = {other}")).collect();
        let own = pairs(sum.start.id, sum.finish.id, &same.join(" and "))?;
        let to_start = pairs(sum.finish.id, sum.start.id, &same.join(" and "))?;
        let others = all.subtract(own.copy()?)?;
        let begun = before(&orders.variant, &others)?;
        // Those that begin before this one does are combined before, by the same rule for them.
        let to_starts = begun.copy()?.apply_range(to_start.copy()?)?;
        let earlier = before(&orders.variant, &to_starts)?.apply_range(to_start.reverse()?)?;
        let within = begun.subtract(earlier)?;
        if is_paired && within.is_empty()? {
            return Ok(None);
        }
        let message = format!(
            "{} begins a partial sum that is not combined, or not before it begins again",
            sum.start.id
        );
        Ok(Some(Diagnostic::error(CODE, message).at(path, sum.start.range, "the sum")))
    }

    /// Returns the message about an access to an element that finds other updates in it than in the source.
    fn misplaced(&self, path: &str, orders: &Orders, finish: &Map) -> Result<Option<Diagnostic>> {
        let Sections { extracted, model, dependences, .. } = *self.sections;
        let updated = Map::parse(&extracted.access(self.sum.write)?.relation.0)?;
        let updated = updated.intersect_domain(self.coordinates.copy()?.domain()?)?;
        for statement in model.statements.iter().filter(|one| !dependences.dead.contains(&one.id)) {
            if statement.id == self.sum.finish.id {
                continue;
            }
            let is_other = |access: &&Access| {
                let own = statement.id == self.sum.statement && self.reduction.updates_by(access.id);
                access.array == self.array.id && !own
            };
            for access in statement.accesses.iter().filter(is_other) {
                if !extracted.statements.iter().any(|source| source.id == statement.id) {
                    let message = format!("{} and {} change one element", statement.id, self.sum.finish.id);
                    return Ok(Some(Diagnostic::error(CODE, message)));
                }
                let touched =
                    Map::parse(&access.relation.0)?.intersect_domain(Set::parse(&statement.domain.0)?)?;
                let pairs = updated.copy()?.apply_range(touched.reverse()?)?;
                let in_source = before(&orders.source, &pairs)?;
                let stand = finish.copy()?.reverse()?.apply_range(pairs.copy()?)?;
                let stand = finish.copy()?.apply_range(before(&orders.variant, &stand)?)?;
                let in_variant = stand.intersect(pairs)?;
                let other = in_source.copy()?.subtract(in_variant.copy()?)?;
                let other = other.union(in_variant.subtract(in_source)?)?;
                let words = "is on one side of an access to its element in the source, and its partial sum is combined \
                             on the other";
                if let Some(message) = self.shown(path, other, words)? {
                    return Ok(Some(message));
                }
            }
        }
        Ok(None)
    }

    fn shown(&self, path: &str, pairs: Map, words: &str) -> Result<Option<Diagnostic>> {
        let (model, statement) = (self.sections.model, self.sum.statement);
        About { code: CODE, path, model, statement, what: "the sum" }.shown(pairs, words)
    }
}

/// True if the added statements set a partial sum to the neutral value, and combine it with its element.
fn has_form(sum: &PartialSum, reduction: &Reduction, (array, partial): (&Array, &Array)) -> Result<bool> {
    let PartialSum { start, finish, .. } = sum;
    let ([first], [write, read, other]) = (&start.accesses[..], &finish.accesses[..]) else {
        return Ok(false);
    };
    let [Step::Assign { access, subscripts, value, compound: None }] = &start.body[..] else {
        return Ok(false);
    };
    let neutral = neutral_value(reduction.operator, partial.element);
    let numbers = [write.id, read.id, other.id];
    let combined = combination(reduction.operator, array.element, numbers);
    let dimensions = sum.depth as usize + partial.extents.len();
    let is_plain = *access == first.id
        && subscripts.is_empty()
        && neutral.is_some_and(|neutral| neutral == *value)
        && combined.is_some_and(|combined| finish.body == [combined])
        && array.element == partial.element
        && [start, finish].iter().all(|added| added.depth() == dimensions);
    let wanted = [
        (start, first, AccessKind::Write, partial),
        (finish, write, AccessKind::Write, array),
        (finish, read, AccessKind::Read, array),
        (finish, other, AccessKind::Read, partial),
    ];
    for (statement, access, kind, array) in wanted {
        let fits = access.kind == kind
            && access.array == array.id
            && access.certainty.is_must()
            && !access.indirect
            && has_last_coordinates(statement, access, array)?;
        if !fits {
            return Ok(false);
        }
    }
    Ok(is_plain)
}

/// True if each instance accesses the element of its last coordinates.
fn has_last_coordinates(statement: &Statement, access: &Access, array: &Array) -> Result<bool> {
    let names = polyhedra::numbered("i", statement.depth());
    let Some(outer) = names.len().checked_sub(array.extents.len()) else { return Ok(false) };
    let wanted = format!(
        "{{ {}[{}] -> {}[{}] }}",
        statement.id,
        names.join(", "),
        array.id,
        names[outer..].join(", ")
    );
    let domain = Set::parse(&statement.domain.0)?;
    let relation = Map::parse(&access.relation.0)?.intersect_domain(domain.copy()?)?;
    Ok(relation.is_equal(&Map::parse(&wanted)?.intersect_domain(domain)?)?)
}
