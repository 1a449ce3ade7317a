//! V7, and V3 inside schedule trees.

use polyhedra::{DimType, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Text, UnionMap, UnionSet};

use super::report::Report;
use super::texts::{Parsed, Texts, read_tree};
use crate::{Axis, IslSchedule, StatementId};

/// The greatest number of characters of a set that a message shows.
const MOST: usize = 80;

/// Checks that the order of the source has every instance exactly once, and no two at the same time.
pub fn check_order(text: &IslSchedule, parsed: &Parsed, report: &mut Report) {
    let Some(order) = read_tree("the order", text, report) else { return };
    check_parameters("the order", &order, Additions::Refused, &parsed.texts, report);
    check_coverage("the order", &order, parsed, &[], report);
    let total = report.answer(7, "the order", is_total(&order));
    report.require(7, total != Some(false), || {
        "the order leaves open which of two instances is first".to_owned()
    });
}

/// True if no two instances of the tree's domain have the same time. Instances outside it may.
fn is_total(tree: &Schedule) -> Result<bool> {
    Ok(tree.get_map()?.intersect_domain(tree.get_domain()?)?.is_injective()?)
}

/// Checks that the schedule has every instance, except perhaps those of dead statements.
pub fn check_schedule(text: &IslSchedule, parsed: &Parsed, dead: &[StatementId], report: &mut Report) {
    let Some(schedule) = read_tree("the schedule", text, report) else { return };
    check_parameters("the schedule", &schedule, Additions::Refused, &parsed.texts, report);
    check_coverage("the schedule", &schedule, parsed, dead, report);
}

/// Checks the same for the tree of the mapping, which has coordinates of blocks and threads as parameters.
/// Returns the tree if it can be parsed.
pub fn check_mapped(
    text: &IslSchedule,
    parsed: &Parsed,
    dead: &[StatementId],
    report: &mut Report,
) -> Option<Schedule> {
    check_with_additions("the tree of the mapping", text, parsed, dead, report)
}

/// Checks the same for the tree of the placement.
pub fn check_placed(
    text: &IslSchedule,
    parsed: &Parsed,
    dead: &[StatementId],
    report: &mut Report,
) -> Option<Schedule> {
    check_with_additions("the tree of the placement", text, parsed, dead, report)
}

fn check_with_additions(
    what: &str,
    text: &IslSchedule,
    parsed: &Parsed,
    dead: &[StatementId],
    report: &mut Report,
) -> Option<Schedule> {
    let tree = read_tree(what, text, report)?;
    check_parameters(what, &tree, Additions::Allowed, &parsed.mapped_texts, report);
    check_coverage(what, &tree, parsed, dead, report);
    Some(tree)
}

/// Whether a tree may have extension nodes and marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Additions {
    Allowed,
    Refused,
}

fn check_parameters(what: &str, tree: &Schedule, additions: Additions, texts: &Texts, report: &mut Report) {
    let visited = tree.get_root().map_err(polyhedra::Error::from);
    let visited = visited.and_then(|root| check_node_parameters(what, &root, additions, texts, report));
    report.answer(3, what, visited);
}

fn check_node_parameters(
    what: &str,
    node: &ScheduleNode,
    additions: Additions,
    texts: &Texts,
    report: &mut Report,
) -> Result<()> {
    match node.get_type()? {
        ScheduleNodeType::Band => texts.check(what, &node.band_get_partial_schedule()?, report),
        ScheduleNodeType::Context => texts.check(what, &node.context_get_context()?, report),
        ScheduleNodeType::Domain => texts.check(what, &node.domain_get_domain()?, report),
        ScheduleNodeType::Expansion => report.fault(7, format!("{what} has an expansion")),
        ScheduleNodeType::Extension if additions == Additions::Refused => {
            report.fault(7, format!("{what} has an extension"));
        }
        ScheduleNodeType::Mark if additions == Additions::Refused => {
            report.fault(7, format!("{what} has a mark"));
        }
        ScheduleNodeType::Extension => texts.check(what, &node.extension_get_extension()?, report),
        ScheduleNodeType::Filter => texts.check(what, &node.filter_get_filter()?, report),
        ScheduleNodeType::Guard => texts.check(what, &node.guard_get_guard()?, report),
        _ => {}
    }
    for child in 0..node.n_children()? {
        check_node_parameters(what, &node.get_child(child)?, additions, texts, report)?;
    }
    Ok(())
}

fn check_coverage(
    what: &str,
    tree: &Schedule,
    parsed: &Parsed,
    optional: &[StatementId],
    report: &mut Report,
) {
    let (Some(all), Some(needed)) = (parsed.instances(&[]), parsed.instances(optional)) else { return };
    let answer = all.and_then(|all| coverage(tree, &all, &needed?, parsed.context.as_ref()));
    let Some(Coverage { root, leaves }) = report.answer(7, what, answer) else { return };
    report.require(7, root.is_none(), || {
        format!("{what} does not have the instances of the statements: it {}", root.unwrap_or_default())
    });
    report.require(7, leaves, || format!("{what} loses instances on the way to its leaves"));
}

/// Whether a tree has all required instances and no others at its root, and still all of its instances at its
/// leaves.
struct Coverage {
    /// What is wrong at the root.
    root: Option<String>,
    leaves: bool,
}

fn coverage(tree: &Schedule, all: &UnionSet, needed: &UnionSet, context: Option<&Set>) -> Result<Coverage> {
    let domain = within(tree.get_domain()?, context)?;
    let lacking = within(needed.copy()?, context)?.subtract(domain.copy()?)?;
    let foreign = domain.copy()?.subtract(all.copy()?)?;
    let root = match (lacking.is_empty()?, foreign.is_empty()?) {
        (true, true) => None,
        (false, _) => Some(format!("lacks {}", excerpt(lacking)?)),
        (true, false) => Some(format!("has {}, which do not exist", excerpt(foreign)?)),
    };
    let nothing = UnionSet::from_set(Set::parse("{ [] }")?)?;
    let prefix = UnionMap::from_domain_and_range(domain.copy()?, nothing)?;
    let tree = tree.get_root()?;
    let bands = if admits_by_schedule(&tree)? { Bands::Followed } else { Bands::Skipped };
    let reached = without_coordinates(at_leaves(&tree, prefix, bands)?)?;
    Ok(Coverage { root, leaves: domain.is_subset(&reached)? })
}

/// Returns the beginning of a set of instances in isl's notation.
fn excerpt(instances: UnionSet) -> Result<String> {
    let text = instances.coalesce()?.text()?;
    Ok(match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    })
}

fn within(set: UnionSet, context: Option<&Set>) -> Result<UnionSet> {
    match context {
        Some(context) if context.is_params()? => Ok(set.intersect_params(context.copy()?)?),
        _ => Ok(set),
    }
}

/// Whether the schedule dimensions of bands are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bands {
    Followed,
    /// No guard or context depends on the dimensions.
    Skipped,
}

/// True if a guard or a context in a tree depends on the schedule dimensions above it.
fn admits_by_schedule(node: &ScheduleNode) -> Result<bool> {
    let here = match node.get_type()? {
        ScheduleNodeType::Context => involves_dimensions(&node.context_get_context()?)?,
        ScheduleNodeType::Guard => involves_dimensions(&node.guard_get_guard()?)?,
        _ => false,
    };
    if here {
        return Ok(true);
    }
    for child in 0..node.n_children()? {
        if admits_by_schedule(&node.get_child(child)?)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn involves_dimensions(condition: &Set) -> Result<bool> {
    Ok(!condition.is_params()?
        && condition.involves_dims(DimType::Set, 0, condition.dim(DimType::Set)? as u32)?)
}

/// Returns the instances that reach the leaves below a node through its filters, guards and contexts. `prefix`
/// maps the instances at the node to the schedule dimensions above it, if bands are followed.
fn at_leaves(node: &ScheduleNode, prefix: UnionMap, bands: Bands) -> Result<UnionSet> {
    let prefix = match node.get_type()? {
        ScheduleNodeType::Leaf => return Ok(prefix.domain()?),
        ScheduleNodeType::Band if bands == Bands::Followed => {
            prefix.flat_range_product(node.band_get_partial_schedule_union_map()?)?
        }
        ScheduleNodeType::Context => admitted(prefix, node.context_get_context()?)?,
        ScheduleNodeType::Guard => admitted(prefix, node.guard_get_guard()?)?,
        ScheduleNodeType::Filter => prefix.intersect_domain(node.filter_get_filter()?)?,
        _ => prefix,
    };
    let mut reached = at_leaves(&node.get_child(0)?, prefix.copy()?, bands)?;
    for child in 1..node.n_children()? {
        reached = reached.union(at_leaves(&node.get_child(child)?, prefix.copy()?, bands)?)?;
    }
    Ok(reached)
}

/// Returns the part of a prefix schedule whose dimensions satisfy a condition.
fn admitted(prefix: UnionMap, condition: Set) -> Result<UnionMap> {
    Ok(if !involves_dimensions(&condition)? {
        prefix.intersect_params(condition.params()?)?
    } else {
        prefix.intersect_range(UnionSet::from_set(condition)?)?
    })
}

/// Returns the instances of all blocks and threads together.
fn without_coordinates(mut set: UnionSet) -> Result<UnionSet> {
    for name in Axis::ALL.iter().flat_map(|axis| [axis.block_parameter(), axis.thread_parameter()]) {
        let position = set.get_space()?.find_dim_by_name(DimType::Param, name)?;
        if let Ok(position) = u32::try_from(position) {
            set = set.project_out(DimType::Param, position, 1)?;
        }
    }
    Ok(set)
}
