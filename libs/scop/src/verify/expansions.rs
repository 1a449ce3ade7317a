//! V15: accesses to which candl-rs gave arrays of their own, and statements that store last and old values.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, Map, Result, Set, Text};

use super::report::Report;
use super::texts::Parsed;
use crate::{
    Access, AccessId, AccessKind, Array, ArrayId, Expansions, ExprKind, Model, PartialSum, PrefixSum,
    Selection, Statement, Step,
};

/// Compares expansions with what clan-rs extracted.
pub fn check_expansions(extracted: &Model, expansions: &Expansions, parsed: &Parsed, report: &mut Report) {
    let accesses = extracted.statements.iter().flat_map(|statement| &statement.accesses);
    let accesses: BTreeMap<AccessId, &Access> = accesses.map(|access| (access.id, access)).collect();
    let mut next = extracted.arrays.len();
    let (mut arrays, mut expanded) = (BTreeMap::new(), BTreeSet::new());
    for array in &expansions.arrays {
        let is_new = array.id.index() == next;
        next += usize::from(is_new);
        let fits = is_new || array.id.index() < extracted.arrays.len();
        let once = arrays.insert(array.id, array).is_none();
        report
            .require(15, fits && once, || format!("the expansions have the array {} out of order", array.id));
        let is_own = !array.visible && array.expression.is_empty() && array.memory.is_empty();
        report
            .require(15, is_own, || format!("{} of the expansions is seen outside of the region", array.id));
    }
    for one in &expansions.accesses {
        let id = one.access;
        let once = expanded.insert(id);
        // A scalar may also be in the place of an element of the source: the proof follows its values.
        if let Some(place) =
            extracted.arrays.get(one.array.index()).filter(|array| !arrays.contains_key(&array.id))
        {
            let temporary = accesses.get(&id).and_then(|old| extracted.arrays.get(old.array.index()));
            let fits = temporary.is_some_and(|temporary| {
                temporary.extents.len() == temporary.scope_depth as usize
                    && temporary.element == place.element
                    && temporary.id != place.id
            });
            report.require(15, once && fits && place.scope_depth == 0, || {
                format!("{id} is expanded twice, or is no scalar that could be in the place of {}", place.id)
            });
            let _ = parsed.texts.read::<Map>(&format!("the place of {id}"), &one.relation.0, report);
            continue;
        }
        let (old, new) = (accesses.get(&id), arrays.get(&one.array));
        report.require(15, once && old.is_some() && new.is_some(), || {
            format!("{id} is expanded twice, or it or {} does not exist", one.array)
        });
        let Some((old, new)) = old.zip(new) else { continue };
        let Some(source) = extracted.arrays.get(old.array.index()) else { continue };
        report.require(15, is_like(new, source), || {
            format!("{} is not {} with more dimensions", new.id, source.id)
        });
        let what = format!("the expansion of {id}");
        let Some(relation) = parsed.texts.read::<Map>(&what, &one.relation.0, report) else { continue };
        let alike = Map::parse(&old.relation.0).and_then(|source| ends_alike(relation, source));
        let same = report.answer(15, &what, alike);
        report.require(15, same != Some(false), || format!("{what} has other subscripts than the source"));
    }
    for access in accesses.values() {
        let taken = arrays.contains_key(&access.array) && !expanded.contains(&access.id);
        report.require(15, !taken, || {
            format!("{} refers to {}, whose place is taken", access.id, access.array)
        });
    }
    for statement in expansions.added() {
        check_added(statement, extracted, &arrays, parsed, report);
    }
    for statement in expansions.kept() {
        check_kept(statement, extracted, &arrays, parsed, report);
    }
    for sum in expansions.partial_sums() {
        check_partial_sum(sum, extracted, &expanded, report);
    }
    for selection in expansions.selections() {
        check_selection(selection, extracted, report);
    }
    for sum in expansions.prefix_sums() {
        check_prefix_sum(sum, extracted, &expanded, report);
    }
}

/// Checks that a prefix sum is an expanded update in a loop, and that what is added for it is in the loops around that.
/// The proof checks the rest.
fn check_prefix_sum(sum: &PrefixSum, extracted: &Model, expanded: &BTreeSet<AccessId>, report: &mut Report) {
    let statement = extracted.statements.iter().find(|statement| statement.id == sum.statement);
    let is_update = |statement: &&Statement| {
        let write = statement.access(sum.write);
        write.is_some_and(|write| write.kind == AccessKind::Write && expanded.contains(&write.id))
    };
    let Some(statement) = statement.filter(is_update) else {
        report.fault(15, format!("{} has no update that is a prefix sum", sum.statement));
        return;
    };
    let depth = sum.depth as usize;
    let around = statement.loops.get(..depth).filter(|_| depth < statement.loops.len());
    let are_chunks = !sum.levels.is_empty() && sum.levels.iter().all(|level| level.size > 0);
    report.require(15, around.is_some() && are_chunks, || {
        format!("the chunks of {} divide no loop around it", sum.statement)
    });
    for added in sum.statements() {
        let is_there = added.loops.get(..depth) == around && added.loops.len() > depth;
        report.require(15, is_there, || format!("{} is not in the loops around {}", added.id, sum.statement));
    }
}

/// Checks that a selection is an update of the source, and that what is added for it is in the loops around it. The
/// proof checks the rest.
fn check_selection(selection: &Selection, extracted: &Model, report: &mut Report) {
    let mut statements = extracted.statements.iter().filter(|one| one.id == selection.statement);
    let depth = selection.depth as usize;
    let around = statements.next().and_then(|statement| statement.loops.get(..depth));
    report.require(15, around.is_some() && !selection.stages.is_empty(), || {
        format!("the selection of {} has no results, or is in other loops", selection.statement)
    });
    let numbers = selection.stages.iter().flat_map(|stage| stage.numbers.iter().map(move |one| (stage, one)));
    for (stage, number) in numbers {
        let is_sound = (number.coordinate as usize) < stage.update.loops.len() && number.count > 0;
        report.require(15, is_sound, || format!("{} has a subscript of no loop", stage.update.id));
    }
    for added in selection.statements() {
        report.require(15, added.loops.get(..depth) == around, || {
            format!("{} is not in the loops around {}", added.id, selection.statement)
        });
    }
}

/// Checks that a sum with partial sums is an expanded update, and that what is added for it is in the loops around it.
/// The proof checks the rest.
fn check_partial_sum(
    sum: &PartialSum,
    extracted: &Model,
    expanded: &BTreeSet<AccessId>,
    report: &mut Report,
) {
    let statement = extracted.statements.iter().find(|statement| statement.id == sum.statement);
    let is_update = |statement: &&Statement| {
        let write = statement.access(sum.write);
        write.is_some_and(|write| write.kind == AccessKind::Write && expanded.contains(&write.id))
    };
    let Some(statement) = statement.filter(is_update) else {
        report.fault(15, format!("{} has no update that goes to partial sums", sum.statement));
        return;
    };
    let depth = sum.depth as usize;
    let around = statement.loops.get(..depth);
    let divided = (depth..statement.loops.len()).contains(&(sum.divided as usize));
    report.require(15, around.is_some() && divided && sum.count != Some(0) && sum.run > 0, || {
        format!("the partial sums of {} divide no loop around it", sum.statement)
    });
    for added in [&sum.start, &sum.finish] {
        let is_there = added.loops.get(..depth) == around && added.loops.len() > depth;
        report.require(15, is_there, || format!("{} is not in the loops around {}", added.id, sum.statement));
    }
}

/// Checks that a statement stores elements of copies in the array that has these copies.
fn check_added(
    statement: &Statement,
    extracted: &Model,
    copies: &BTreeMap<ArrayId, &Array>,
    parsed: &Parsed,
    report: &mut Report,
) {
    let id = statement.id;
    let mut old = statement.loops.iter().filter(|around| around.index() < extracted.loops.len());
    report.require(15, old.next().is_none(), || format!("{id} is added to a loop of the source"));
    let Some((write, read)) = stored(statement) else {
        report.fault(15, format!("{id} does more than store the value of a copy"));
        return;
    };
    check_stored(statement, (write, read), extracted, copies, parsed, report);
}

/// Checks that a statement stores elements of an array in a copy of it.
fn check_kept(
    statement: &Statement,
    extracted: &Model,
    copies: &BTreeMap<ArrayId, &Array>,
    parsed: &Parsed,
    report: &mut Report,
) {
    match stored(statement) {
        Some((write, read)) => {
            check_stored(statement, (read, write), extracted, copies, parsed, report);
        }
        None => report.fault(15, format!("{} does more than store a value in a copy", statement.id)),
    }
}

/// Checks that a statement accesses the same element of an array and of its copy, which is that of the instance's last
/// coordinates.
fn check_stored(
    statement: &Statement,
    (own, other): (&Access, &Access),
    extracted: &Model,
    copies: &BTreeMap<ArrayId, &Array>,
    parsed: &Parsed,
    report: &mut Report,
) {
    let id = statement.id;
    let original = extracted.arrays.get(own.array.index()).filter(|_| !copies.contains_key(&own.array));
    let copy = copies.get(&other.array);
    let fits = original.zip(copy).is_some_and(|(original, copy)| is_like(copy, original));
    report.require(15, fits, || format!("{id} moves elements between {} and {}", own.array, other.array));
    let what = format!("what {id} stores");
    let relations =
        [other, own].map(|access| parsed.texts.read::<Map>(&what, &access.relation.0, report).is_some());
    if relations != [true; 2] {
        return;
    }
    let same = report.answer(15, &what, has_same_element(statement, other, own));
    report
        .require(15, same != Some(false), || format!("{id} stores an element of a copy in another element"));
    let each = report.answer(15, &what, has_each_in_its_place(statement, own));
    report.require(15, each != Some(false), || {
        format!("the instances of {id} are not the elements that it stores")
    });
}

/// Returns the write and the read of a statement that does nothing but `x = y`.
fn stored(statement: &Statement) -> Option<(&Access, &Access)> {
    let ([write, read], [Step::Assign { access, subscripts, value, compound: None }]) =
        (&statement.accesses[..], &statement.body[..])
    else {
        return None;
    };
    let kinds = (write.kind, read.kind) == (AccessKind::Write, AccessKind::Read);
    let certain = [write, read].iter().all(|access| access.certainty.is_must() && !access.indirect);
    let reads = matches!(&value.kind, ExprKind::Read { access, subscripts }
        if *access == read.id && subscripts.is_empty());
    (kinds && certain && reads && *access == write.id && subscripts.is_empty()).then_some((write, read))
}

/// True if each instance accesses a copy of the element that it accesses in the array.
fn has_same_element(statement: &Statement, copy: &Access, own: &Access) -> Result<bool> {
    let domain = Set::parse(&statement.domain.0)?;
    let [copy, own] = [Map::parse(&copy.relation.0)?, Map::parse(&own.relation.0)?];
    ends_alike(copy.intersect_domain(domain.copy()?)?, own.intersect_domain(domain)?)
}

/// True if instance `[t, x]` accesses element `[x]` of the array.
fn has_each_in_its_place(statement: &Statement, own: &Access) -> Result<bool> {
    let domain = Set::parse(&statement.domain.0)?;
    let relation = Map::parse(&own.relation.0)?.intersect_domain(domain)?;
    let (coordinates, subscripts) = (relation.dim(DimType::In)?, relation.dim(DimType::Out)?);
    let Some(outer) = coordinates.checked_sub(subscripts).filter(|outer| *outer >= 0) else {
        return Ok(false);
    };
    let mut same = relation.copy()?;
    for position in 0..subscripts {
        same = same.equate(DimType::In, outer + position, DimType::Out, position)?;
    }
    Ok(relation.is_equal(&same)?)
}

/// True if an array is another one with additional leading dimensions.
fn is_like(array: &Array, source: &Array) -> bool {
    array.element == source.element && array.extents.ends_with(&source.extents)
}

/// True if the last subscripts of a relation are those of another one.
fn ends_alike(relation: Map, source: Map) -> Result<bool> {
    let more = relation.dim(DimType::Out)? - source.dim(DimType::Out)?;
    let Ok(more) = u32::try_from(more) else { return Ok(false) };
    let source = source.reset_tuple_id(DimType::Out)?;
    Ok(relation.project_out(DimType::Out, 0, more)?.reset_tuple_id(DimType::Out)?.is_equal(&source)?)
}
