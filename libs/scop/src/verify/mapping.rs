//! V9: kernels.

use std::collections::BTreeSet;

use polyhedra::polynomial::pieces_of;
use polyhedra::{
    DimType, PwAff, PwQPolynomial, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, maps_of, sets_of,
};

use super::loops;
use super::relations::check_expression;
use super::report::Report;
use super::space::{Tuple, counted_tuple};
use super::texts::{Parsed, Texts};
use crate::{Axis, IslPwQPolynomial, Kernel, KernelId, Mapping, Model, StatementId, mark};

/// Checks that every statement that is not dead is in kernels or on the host, and the grids and blocks.
pub fn check_mapping(
    model: &Model,
    mapping: &Mapping,
    dead: &[StatementId],
    parsed: &Parsed,
    report: &mut Report,
) {
    check_statements(model, mapping, dead, report);
    check_threshold(mapping, &parsed.texts, report);
    for kernel in &mapping.kernels {
        check_axes(kernel, report);
        check_grid(kernel, &parsed.texts, report);
        check_ranked(kernel, &parsed.texts, report);
        check_priced(model, kernel, report);
    }
}

/// Checks that the kernels are those that a tree marks.
pub fn check_marks(what: &str, mapping: &Mapping, tree: &Schedule, report: &mut Report) {
    if let Some(marked) = report.answer(9, what, marked_kernels(tree)) {
        check_marked(mapping, &marked, report);
    }
}

/// Checks where statements run. The trees determine the kernel of each instance; V7 ensures that it occurs
/// once.
fn check_statements(model: &Model, mapping: &Mapping, dead: &[StatementId], report: &mut Report) {
    let in_kernels = sorted(mapping.kernels.iter().flat_map(|kernel| &kernel.statements));
    let on_host = sorted(mapping.host.iter().map(|host| &host.statement));
    for id in model.statements.iter().map(|statement| statement.id) {
        let is_somewhere = in_kernels.contains(&id) || on_host.contains(&id) || dead.contains(&id);
        report.require(9, is_somewhere, || format!("{id} is neither in a kernel nor on the host"));
    }
    for id in in_kernels.intersection(&on_host) {
        report.fault(9, format!("{id} is both in a kernel and on the host"));
    }
    report.require(9, on_host.len() == mapping.host.len(), || "the host has a statement twice".to_owned());
    for kernel in &mapping.kernels {
        report.require(9, sorted(&kernel.statements).len() == kernel.statements.len(), || {
            format!("{} has a statement twice", kernel.id)
        });
    }
    let mut named = in_kernels.union(&on_host);
    if let Some(unknown) = named.find(|id| model.statements.iter().all(|statement| statement.id != **id)) {
        report.fault(9, format!("the mapping names {unknown}, which does not exist"));
    }
}

/// Checks that the choice between host and device depends on parameters alone.
fn check_threshold(mapping: &Mapping, texts: &Texts, report: &mut Report) {
    let what = "the threshold between host and device";
    let text = mapping.threshold.as_ref().map(|threshold| &threshold.host.0);
    let Some(host) = text.and_then(|text| texts.read::<Set>(what, text, report)) else { return };
    let is_params = report.answer(9, what, host.is_params().map_err(polyhedra::Error::from));
    report.require(9, is_params != Some(false), || format!("{what} is not about parameters only"));
}

fn check_axes(kernel: &Kernel, report: &mut Report) {
    let grid = kernel.grid.iter().map(|dimension| dimension.axis);
    let block = kernel.block.iter().map(|dimension| dimension.axis);
    report.require(9, is_prefix(grid), || format!("the grid of {} is not x, y, z", kernel.id));
    report.require(9, is_prefix(block), || format!("the block of {} is not x, y, z", kernel.id));
    let loads =
        |axis: Axis| kernel.block.iter().any(|dimension| dimension.axis == axis && dimension.size > 1);
    report.require(9, kernel.loading.is_none_or(loads), || {
        format!("the block of {} has no threads that only copy", kernel.id)
    });
    let copies = |axis: Axis| {
        let mut sizes = kernel.block.iter().filter(|dimension| dimension.axis == axis);
        sizes.any(|dimension| dimension.size > kernel.never_copying(axis))
    };
    report.require(9, !kernel.ahead || kernel.loading.is_some_and(copies), || {
        format!("the block of {} has no threads that copy ahead", kernel.id)
    });
    report.require(9, kernel.block.iter().all(|dimension| dimension.size > 0), || {
        format!("{} has blocks without threads", kernel.id)
    });
}

fn is_prefix(axes: impl Iterator<Item = Axis>) -> bool {
    let axes: Vec<Axis> = axes.collect();
    Axis::ALL.starts_with(&axes)
}

fn check_grid(kernel: &Kernel, texts: &Texts, report: &mut Report) {
    let outer = Tuple::anonymous(kernel.host_depth as usize);
    for dimension in &kernel.grid {
        let (id, axis) = (kernel.id, dimension.axis);
        for (name, text) in [("lower bound", &dimension.lower), ("extent", &dimension.extent)] {
            let what = format!("the {name} of the grid of {id} along {axis}");
            if let Some(value) = texts.read::<PwAff>(&what, &text.0, report) {
                check_expression(9, &what, &value, &outer, report);
            }
        }
    }
}

/// Checks that numbered blocks have the coordinates of the grid, that bounds and counts are functions of what may be
/// known, and that all coordinates but the last are counted.
fn check_ranked(kernel: &Kernel, texts: &Texts, report: &mut Report) {
    let Some(ranked) = &kernel.ranked else { return };
    let (id, last) = (kernel.id, ranked.coordinates.len().saturating_sub(1));
    let of_grid: BTreeSet<Axis> = kernel.grid.iter().map(|dimension| dimension.axis).collect();
    let numbered: BTreeSet<Axis> = ranked.coordinates.iter().map(|one| one.axis).collect();
    let same = of_grid == numbered && numbered.len() == ranked.coordinates.len() && !numbered.is_empty();
    report.require(9, same, || format!("the numbered blocks of {id} have other coordinates than its grid"));
    let mut known = kernel.host_depth as usize;
    for (position, one) in ranked.coordinates.iter().enumerate() {
        for (name, text) in [("smallest", &one.lower), ("largest", &one.upper)] {
            let what = format!("the {name} coordinate of the numbered blocks of {id} along {}", one.axis);
            if let Some(value) = texts.read::<PwAff>(&what, &text.0, report) {
                check_expression(9, &what, &value, &Tuple::anonymous(known), report);
            }
        }
        known += 1;
        report.require(9, one.before.is_some() == (position < last), || {
            format!("the numbered blocks of {id} are not counted along {}, or needlessly", one.axis)
        });
        if let Some(before) = &one.before {
            let what = format!("the number of blocks of {id} before one along {}", one.axis);
            check_count(&what, before, known, texts, report);
        }
    }
    check_count(
        &format!("the number of blocks of {id}"),
        &ranked.blocks,
        kernel.host_depth as usize,
        texts,
        report,
    );
}

/// Checks that a price names each array once, and only arrays that the kernel uses.
fn check_priced(model: &Model, kernel: &Kernel, report: &mut Report) {
    let Some(priced) = &kernel.priced else { return };
    let statements = model.statements.iter().filter(|statement| kernel.statements.contains(&statement.id));
    let used = sorted(statements.flat_map(|statement| &statement.accesses).map(|access| &access.array));
    let named = sorted(priced.iter().map(|priced| &priced.array));
    report
        .require(9, named.len() == priced.len(), || format!("the price of {} has an array twice", kernel.id));
    for array in named.difference(&used) {
        report.fault(9, format!("the price of {} is for {array}, which it does not use", kernel.id));
    }
}

/// Checks that a count is a function of so many values.
fn check_count(what: &str, count: &IslPwQPolynomial, values: usize, texts: &Texts, report: &mut Report) {
    let Some(function) = texts.read::<PwQPolynomial>(what, &count.0, report) else { return };
    let expected = Tuple::anonymous(values);
    let tuple = report.answer(9, what, counted_tuple(&function));
    report.require(9, tuple.is_none_or(|tuple| tuple == expected), || {
        format!("{what} is a function of something other than {expected}")
    });
    report.answer(9, what, pieces_of(&function));
}

/// The properties of a kernel in a tree.
struct Marked {
    id: KernelId,
    /// The number of schedule dimensions above the kernel's mark.
    depth: u32,
    statements: BTreeSet<StatementId>,
    /// True if it is inside another kernel.
    nested: bool,
    /// True if the mark of its tile is below.
    has_tile: bool,
    has_threads: bool,
    /// The coordinates of blocks and threads that the nodes below use.
    coordinates: BTreeSet<&'static str>,
}

fn marked_kernels(schedule: &Schedule) -> Result<Vec<Marked>> {
    let mut found = Vec::new();
    collect(&schedule.get_root()?, false, &mut found)?;
    Ok(found)
}

fn collect(node: &ScheduleNode, nested: bool, found: &mut Vec<Marked>) -> Result<()> {
    let kernel = match node.get_type()? {
        ScheduleNodeType::Mark => mark::kernel_of(node.mark_get_id()?.get_name()?),
        _ => None,
    };
    if let Some(id) = kernel {
        let depth = u32::try_from(node.get_schedule_depth()?).unwrap_or_default();
        let tile = below(node, mark::TILE)?;
        let has_threads = match &tile {
            Some(tile) => below(tile, mark::THREAD)?.is_some(),
            None => below(node, mark::THREAD)?.is_some(),
        };
        let (statements, has_tile) = (mark::statements_at(node)?, tile.is_some());
        let mut coordinates = BTreeSet::new();
        collect_coordinates(node, &mut coordinates)?;
        found.push(Marked { id, depth, statements, nested, has_tile, has_threads, coordinates });
    }
    for child in 0..node.n_children()? {
        collect(&node.get_child(child)?, nested || kernel.is_some(), found)?;
    }
    Ok(())
}

fn collect_coordinates(node: &ScheduleNode, found: &mut BTreeSet<&'static str>) -> Result<()> {
    match node.get_type()? {
        ScheduleNodeType::Filter => note_coordinates(&sets_of(&node.filter_get_filter()?)?, found)?,
        ScheduleNodeType::Guard => note_coordinates(&[node.guard_get_guard()?], found)?,
        ScheduleNodeType::Extension => {
            for map in maps_of(&node.extension_get_extension()?)? {
                note_coordinates(&[map.wrap()?], found)?;
            }
        }
        _ => {}
    }
    (0..node.n_children()?).try_for_each(|child| collect_coordinates(&node.get_child(child)?, found))
}

fn note_coordinates(sets: &[Set], found: &mut BTreeSet<&'static str>) -> Result<()> {
    let names = Axis::ALL.into_iter().flat_map(|axis| [axis.block_parameter(), axis.thread_parameter()]);
    for name in names {
        for set in sets {
            let position = u32::try_from(set.find_dim_by_name(DimType::Param, name)?);
            if position.is_ok_and(|position| set.involves_dims(DimType::Param, position, 1).unwrap_or(true)) {
                found.insert(name);
            }
        }
    }
    Ok(())
}

/// Returns the first node with a mark in a subtree.
fn below(node: &ScheduleNode, name: &str) -> Result<Option<ScheduleNode>> {
    if node.get_type()? == ScheduleNodeType::Mark && node.mark_get_id()?.get_name()? == name {
        return Ok(Some(node.copy()?));
    }
    for child in 0..node.n_children()? {
        if let Some(found) = below(&node.get_child(child)?, name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn check_marked(mapping: &Mapping, marked: &[Marked], report: &mut Report) {
    let (in_tree, in_mapping) = (ids(marked.iter().map(|m| m.id)), ids(mapping.kernels.iter().map(|k| k.id)));
    report.require(9, in_tree == in_mapping, || {
        format!("the tree marks the kernels {in_tree}, and the mapping has {in_mapping}")
    });
    for kernel in &mapping.kernels {
        let Some(marked) = marked.iter().find(|marked| marked.id == kernel.id) else { continue };
        let id = kernel.id;
        report.require(9, marked.has_tile, || no_mark(id, mark::TILE));
        report.require(9, marked.has_threads, || no_mark(id, mark::THREAD));
        let known = loops::coordinates(kernel);
        for name in marked.coordinates.iter().filter(|name| !known.iter().any(|known| known == *name)) {
            report.fault(9, format!("the tree asks for `{name}` in {id}, which has no such dimension"));
        }
        report.require(9, !marked.nested, || format!("{id} is inside another kernel"));
        report.require(9, marked.depth == kernel.host_depth, || {
            format!("{id} has {} loops around it in the tree, not {}", marked.depth, kernel.host_depth)
        });
        report.require(9, marked.statements.iter().eq(sorted(&kernel.statements).iter()), || {
            format!("{id} has other statements in the tree than in the mapping")
        });
    }
}

fn no_mark(kernel: KernelId, name: &str) -> String {
    format!("{kernel} has no mark \"{name}\" in the tree")
}

fn ids(ids: impl Iterator<Item = KernelId>) -> String {
    format!("({})", ids.map(|id| id.to_string()).collect::<Vec<_>>().join(", "))
}

fn sorted<'a, T: Copy + Ord + 'a>(ids: impl IntoIterator<Item = &'a T>) -> BTreeSet<T> {
    ids.into_iter().copied().collect()
}
