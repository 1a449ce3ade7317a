//! Other forms of a region, among which scheduler chooses by price ([`Variant`]).

use std::collections::BTreeSet;

use polyhedra::{DimType, Map, Result, Schedule, Set, Simplify, Text, within};
use scop::{
    ArrayId, ExpandedAccess, Expansions, Freedom, IslMap, IslSchedule, Model, OldValues, Reduction,
    Statement, StatementId, Variant, VariantKind, can_be_partial, names,
};

use crate::accesses::leading;
use crate::dependences::Freedoms;
use crate::dependences::dependences;
use crate::expand::{expand, expanded, taken_names};
use crate::found::Found;
use crate::in_place::in_place;
use crate::insert::{Place, beside_nest};
use crate::kept::{First, Kept, around};
use crate::known::Known;
use crate::last_copies::{LastCopies, last_copies_in};
use crate::last_values::{Stored, last_values};
use crate::live_ranges::LiveRange;
use crate::old_values::{OldReads, old_values};
use crate::partial_sums::{divided_sums, partial_sums};
use crate::prefix_sums::{permitted, prefix_sums, prefixes};
use crate::selections::{selecting, selections};
use crate::turns::turns;

/// The maximum number of isl operations for one variant. A region has none that takes more.
const OPERATIONS: u64 = 8_000_000;

/// The most arrays with old values of which each also gets a variant of its own.
const MOST_ALONE: usize = 3;

/// A variant before its dependences are known.
pub struct Draft {
    kind: VariantKind,
    of: BTreeSet<ArrayId>,
    expansions: Expansions,
    /// The statements that are left out.
    dead: Vec<StatementId>,
    /// The added statements whose updates may be done in another order, because the user permits it for the source's.
    permitted: Vec<StatementId>,
}

/// Returns the variants of a region.
pub fn variants(known: &Known<'_>, in_place: Option<Draft>, freedoms: Freedoms<'_>) -> Result<Vec<Variant>> {
    let drafts = match within(OPERATIONS, || drafts(known, freedoms)) {
        Ok(drafts) => drafts.unwrap_or_default(),
        Err(error) => given_up(error).map(|()| Vec::new())?,
    };
    let mut variants = Vec::new();
    for draft in in_place.into_iter().chain(drafts) {
        let Draft { kind, of, expansions, dead, permitted } = draft;
        let model = expansions.applied_to(known.extracted);
        match within(OPERATIONS, || dependences(&model, &dead, freedoms)) {
            Ok(Some(mut dependences)) => {
                permit(known, &expansions, &model, &mut dependences.reductions)?;
                permit_added(&permitted, &model, &mut dependences.reductions)?;
                variants.push(Variant { kind, of: of.into_iter().collect(), expansions, dependences });
            }
            Ok(None) => {}
            Err(error) => given_up(error)?,
        }
    }
    Ok(variants)
}

/// Goes on without a variant if isl fails on it. The region is translated as it is.
fn given_up(error: polyhedra::Error) -> Result<()> {
    if error.is_bug() || error.is_limit() { Err(error) } else { Ok(()) }
}

/// Returns the variant in which temporaries are in the place of the element that they become, given the live ranges
/// that have copies in the region as it is; nothing if there is none.
pub fn with_temporaries_in_place(
    found: &Found<'_>,
    ranges: &[(LiveRange, Vec<usize>)],
) -> Result<Option<Draft>> {
    let draft = || {
        let placed = in_place(found, ranges)?;
        if placed.is_empty() {
            return Ok(None);
        }
        let is_placed = |range: &LiveRange| placed.iter().any(|one| one.range == *range);
        let others: Vec<(LiveRange, Vec<usize>)> =
            ranges.iter().filter(|(range, _)| !is_placed(range)).cloned().collect();
        let mut expansions = expand(found, &others)?;
        let mut dead = found.dependences.dead.clone();
        let mut of = BTreeSet::new();
        for one in placed {
            of.insert(one.range.array);
            expansions.accesses.extend(one.accesses);
            dead.extend(one.omitted);
        }
        dead.sort();
        Ok(Some(Draft { kind: VariantKind::InPlace, of, expansions, dead, permitted: Vec::new() }))
    };
    match within(OPERATIONS, draft) {
        Ok(draft) => Ok(draft.flatten()),
        Err(error) => given_up(error).map(|()| None),
    }
}

fn drafts(known: &Known<'_>, freedoms: Freedoms<'_>) -> Result<Vec<Draft>> {
    let groups = old_values(known.model, known.expansions, known.flows, known.dependences)?;
    let arrays: BTreeSet<ArrayId> = groups.iter().map(|group| group.array).collect();
    let mut drafts = Vec::new();
    drafts.extend(with_old_values(known, &groups)?);
    if (2..=MOST_ALONE).contains(&arrays.len()) {
        for array in arrays {
            let own: Vec<OldReads> = groups.iter().filter(|group| group.array == array).cloned().collect();
            drafts.extend(with_old_values(known, &own)?);
        }
    }
    drafts.extend(with_turns(known)?);
    drafts.extend(with_partial_sums(known)?);
    drafts.extend(with_selections(known)?);
    drafts.extend(with_prefix_sums(known, freedoms)?);
    Ok(drafts)
}

/// Returns the variant in which some reads use copies; nothing if the order of the source does not show where these are
/// to be filled.
fn with_old_values(known: &Known<'_>, groups: &[OldReads]) -> Result<Option<Draft>> {
    if groups.is_empty() {
        return Ok(None);
    }
    let mut taken = taken_names(known.model);
    taken.extend(known.model.loops.iter().map(|around| around.iterator.clone()));
    let mut expansions = known.expansions.clone();
    let mut order = Schedule::parse(&known.model.order.0)?;
    let mut first = First::after(known.model);
    let mut old = OldValues { loops: Vec::new(), statements: Vec::new() };
    for group in groups {
        let array = known.model.array(group.array)?;
        let mut copy = expanded(array, 0);
        copy.id = next_array(known, &expansions);
        copy.expansion_of = None;
        copy.name = names::unused(&format!("old_{}", array.name), &mut taken);
        let owner = known.model.owner(*group.reads.first().ok_or_else(nothing)?)?;
        let kept = Kept {
            array,
            copy: &copy,
            place: Vec::new(),
            elements: around(array, elements(known.model, group)?, group.depth)?,
            around: owner.loops[..group.depth].to_vec(),
            range: owner.range,
        };
        let (loops, statement) = kept.statement(known.model, first, &mut taken)?;
        let place = Place {
            model: known.model,
            nest: group.nest,
            depth: group.depth,
            statement: &statement,
            kept: &old.statements,
            after: false,
        };
        let Some(with_statement) = beside_nest(&order, &place)? else { return Ok(None) };
        order = with_statement;
        for read in &group.reads {
            let relation = Map::parse(&known.model.access(*read)?.relation.0)?;
            let relation = relation.set_tuple_name(DimType::Out, &copy.id.to_string())?;
            let relation = IslMap(relation.text()?);
            expansions.accesses.push(ExpandedAccess { access: *read, array: copy.id, relation });
        }
        expansions.arrays.push(copy);
        first = first.next(&loops, &statement);
        old.loops.extend(loops);
        old.statements.push(statement);
    }
    expansions.old_values = Some(old);
    expansions.order = Some(IslSchedule(order.text()?));
    Ok(Some(Draft {
        kind: VariantKind::OldValues,
        of: groups.iter().map(|group| group.array).collect(),
        expansions,
        dead: known.dependences.dead.clone(),
        permitted: Vec::new(),
    }))
}

fn next_array(known: &Known<'_>, expansions: &Expansions) -> ArrayId {
    let arrays = known.extracted.arrays.iter().chain(&expansions.arrays);
    ArrayId(arrays.map(|array| array.id.index() as u32 + 1).max().unwrap_or_default())
}

/// Returns the variant in which arrays take turns; nothing if there are none, or if it is not known which half has what
/// code after the region may read.
fn with_turns(known: &Known<'_>) -> Result<Option<Draft>> {
    let model = known.model;
    let pairs = turns(model, known.expansions, known.flows, known.dependences)?;
    if pairs.is_empty() || known.expansions.order.is_some() {
        return Ok(None);
    }
    let mut taken = taken_names(model);
    let mut expansions = known.expansions.clone();
    let mut dead = known.dependences.dead.clone();
    let mut last: Vec<(LiveRange, usize, LastCopies)> = Vec::new();
    for turns in &pairs {
        let [target, source] = [model.array(turns.target)?, model.array(turns.source)?];
        let mut both = expanded(target, 1);
        both.id = next_array(known, &expansions);
        both.name = names::unused(&format!("{}_{}", target.name, source.name), &mut taken);
        both.expansion_of = None;
        for (access, half) in &turns.halves {
            let statement = model.owner(*access)?;
            let subscripts = Map::parse(&model.access(*access)?.relation.0)?;
            let relation = turns.half_of(statement, *half)?.flat_range_product(subscripts)?;
            let relation = relation.set_tuple_name(DimType::Out, &both.id.to_string())?;
            let relation = IslMap(relation.text()?);
            expansions.accesses.push(ExpandedAccess { access: *access, array: both.id, relation });
        }
        for array in [target, source].into_iter().filter(|array| array.visible && !array.dead_after) {
            let range = turns.writes(model, array.id);
            let half = |_: &Map, writer: &Statement| turns.half_of(writer, 1);
            let Some(copies) = last_copies_in(model, known.ends, &range, half)? else { return Ok(None) };
            last.extend(copies.into_iter().map(|copies| (range.clone(), expansions.arrays.len(), copies)));
        }
        expansions.arrays.push(both);
        dead.push(turns.copying);
    }
    dead.sort();
    taken.extend(model.loops.iter().map(|around| around.iterator.clone()));
    let arrays = expansions.arrays.clone();
    let mut stored = Vec::new();
    let (ranges, last): (Vec<_>, Vec<_>) =
        last.into_iter().map(|(range, copies, last)| ((range, copies), last)).unzip();
    for ((range, copies), last) in ranges.iter().zip(last) {
        stored.push(Stored { range, copies: scop::part(&arrays, *copies, "an array of both halves")?, last });
    }
    let mut order = Schedule::parse(&model.order.0)?;
    if let Some((last, followed)) = last_values(model, &stored, &mut taken)? {
        order = Schedule::parse(&followed.0)?;
        expansions.last_values = Some(last);
    }
    let mut first = First::after(&expansions.applied_to(known.extracted));
    let mut old = OldValues { loops: Vec::new(), statements: Vec::new() };
    for (turns, both) in pairs.iter().zip(arrays.iter().skip(known.expansions.arrays.len())) {
        for half in [0, 1] {
            let Some(elements) = turns.old_elements(model, known.dependences, half)? else { continue };
            let copying = model.statement(turns.copying)?;
            let kept = Kept {
                array: model.array(turns.target)?,
                copy: both,
                place: vec![half],
                elements,
                around: Vec::new(),
                range: copying.range,
            };
            let (loops, statement) = kept.statement(model, first, &mut taken)?;
            let place = Place {
                model,
                nest: copying.loops[turns.depth],
                depth: turns.depth,
                statement: &statement,
                kept: &[expansions.added(), &old.statements].concat(),
                after: false,
            };
            let Some(with_statement) = beside_nest(&order, &place)? else { return Ok(None) };
            order = with_statement;
            first = first.next(&loops, &statement);
            old.loops.extend(loops);
            old.statements.push(statement);
        }
    }
    if !old.statements.is_empty() {
        expansions.old_values = Some(old);
    }
    expansions.order = Some(IslSchedule(order.text()?));
    let of = pairs.iter().flat_map(|turns| [turns.target, turns.source]).collect();
    Ok(Some(Draft { kind: VariantKind::Turns, of, expansions, dead, permitted: Vec::new() }))
}

/// Returns the variant in which all sums that can have partial sums have them; nothing if there is none.
fn with_partial_sums(known: &Known<'_>) -> Result<Option<Draft>> {
    let found = divided_sums(known)?;
    let first = (next_array(known, known.expansions), First::after(known.model));
    let Some((expansions, of)) = partial_sums(known, &found, first)? else { return Ok(None) };
    let dead = known.dependences.dead.clone();
    Ok(Some(Draft { kind: VariantKind::PartialSums, of, expansions, dead, permitted: Vec::new() }))
}

/// Returns the variant in which all updates that select have many results first; nothing if there is none.
fn with_selections(known: &Known<'_>) -> Result<Option<Draft>> {
    let found = selecting(known)?;
    let next = next_array(known, known.expansions);
    let Some((expansions, of)) = selections(known, &found, next)? else { return Ok(None) };
    let mut dead = known.dependences.dead.clone();
    dead.extend(expansions.selections().iter().map(|selection| selection.statement));
    dead.sort();
    Ok(Some(Draft { kind: VariantKind::PartialSums, of, expansions, dead, permitted: Vec::new() }))
}

/// Returns the variant in which all prefix sums are divided into chunks; nothing if there is none.
fn with_prefix_sums(known: &Known<'_>, freedoms: Freedoms<'_>) -> Result<Option<Draft>> {
    let mut found = prefixes(known, freedoms)?;
    // Chunks of an update that reads another of the variables would read its chunks.
    let variables = found.iter().map(|one| one.variable(known.model)).collect::<Result<Vec<_>>>()?;
    let mut own = variables.iter();
    found.retain(|one| {
        let own = own.next();
        !variables.iter().any(|other| Some(other) != own && one.reads(*other))
    });
    let next = next_array(known, known.expansions);
    let Some((expansions, of)) = prefix_sums(known, &found, next)? else { return Ok(None) };
    let permitted = permitted(&found, &expansions).into_iter().map(|update| update.id).collect();
    let dead = known.dependences.dead.clone();
    Ok(Some(Draft { kind: VariantKind::PartialSums, of, expansions, dead, permitted }))
}

/// Permits another order for the updates that some added statements make.
fn permit_added(permitted: &[StatementId], model: &Model, reductions: &mut [Reduction]) -> Result<()> {
    for own in reductions.iter_mut().filter(|own| own.free.is_none() && permitted.contains(&own.statement)) {
        if can_be_partial(model.statement(own.statement)?, own) {
            own.free = Some(Freedom::Permitted);
        }
    }
    Ok(())
}

/// Permits another order for the updates of partial sums where the user permits it for the sum.
fn permit(
    known: &Known<'_>,
    expansions: &Expansions,
    model: &Model,
    reductions: &mut [Reduction],
) -> Result<()> {
    for sum in expansions.partial_sums() {
        let of_sum = known.dependences.reductions.iter().find(|one| one.write == sum.write);
        let is_permitted = of_sum.is_some_and(|one| one.free == Some(Freedom::Permitted));
        for own in reductions.iter_mut().filter(|own| own.free.is_none() && is_permitted) {
            let is_part = [sum.statement, sum.finish.id].contains(&own.statement);
            if is_part && can_be_partial(model.statement(own.statement)?, own) {
                own.free = Some(Freedom::Permitted);
            }
        }
    }
    Ok(())
}

fn nothing() -> polyhedra::Error {
    polyhedra::Error::bug("there are no reads of old values")
}

/// Returns the elements that some reads use in each run of their nest: `{ [t, x] }`.
fn elements(model: &Model, group: &OldReads) -> Result<Set> {
    let context = Set::parse(&model.context.0)?;
    let outer: Vec<usize> = (0..group.depth).collect();
    let mut all: Option<Set> = None;
    for read in &group.reads {
        let owner = model.owner(*read)?;
        let domain = Set::parse(&owner.domain.0)?.intersect_params(context.copy()?)?;
        let relation = Map::parse(&model.access(*read)?.relation.0)?.intersect_domain(domain)?;
        let run = leading(&relation, owner.depth(), &outer)?;
        let own = run.flat_range_product(relation)?.range()?.reset_tuple_id()?;
        all = Some(match all {
            Some(all) => all.union(own)?,
            None => own,
        });
    }
    let elements = all.ok_or_else(nothing)?.simplified()?;
    Ok(elements.gist_params(context)?)
}
