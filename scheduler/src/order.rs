//! Finds the order of the statement instances.
//!
//! isl is asked at most twice. It is first asked for a schedule in which the outermost loop of each band is parallel.
//! Where no such loop exists, isl lets one sequential loop, in a band of its own, carry as many dependences as
//! possible and tries again below it. If those sequential loops are loops of the source (such as the time loop of a
//! stencil on two arrays), they become host loops around kernels, which is the desired result. If one of them is a
//! sum of several source loops, isl has skewed a nest without parallel loops. A schedule with bands that are as deep
//! as possible is then better, because it can be tiled and run as wavefronts of tiles (C-to-CUDA, section 4.1 and
//! Algorithm 1). It is also taken if the first schedule has no parallel loop at all and the second one has a wavefront.
//!
//! Either schedule has alternatives ([`Alternative`]), which [`mod@crate::search`] prices.

use std::cell::OnceCell;

use polyhedra::schedule::{Strategy, compute};
use polyhedra::{DimType, Result, Schedule, ScheduleNode, ScheduleNodeType, Text, maps_of, within};
use scop::wish::{AlgorithmKind, FusionKind};
use scop::{HostStatement, IslSchedule, Model, PartialSum, PrefixSum, Selection};

use crate::bands::regroup;
use crate::blocked::blocked;
use crate::chunks;
use crate::constraints::Constraints;
use crate::divide::divided;
use crate::exactly::exactly;
use crate::levels::split_into_levels;
use crate::local::Local;
use crate::select;
use crate::sink::sink;
use crate::tree::{has_band_below, has_parallel_band};

/// A schedule.
pub struct Order {
    /// The tree: domain, bands, sequences and sets. Deep bands without parallel loops are to be run as wavefronts.
    pub schedule: Schedule,
    /// Other orders that may replace it where they cost less.
    pub alternatives: Vec<Alternative>,
    /// How it was found, for people.
    pub description: String,
    /// The algorithm that finds it; `Isl` if none does alone.
    pub algorithm: AlgorithmKind,
    /// The wish for fusion with which it was found.
    pub fusion: Option<FusionKind>,
}

/// Another order than the first one that is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alternative {
    /// isl's, with only those statements in common loops that depend on each other in a cycle.
    Apart,
    /// The order of the source, with its nests made perfect.
    Perfect,
    /// The order of the source, with nests split into levels.
    Levels,
    /// isl's order or that of the source, with sequential loops blocked.
    Blocked,
}

/// The limit on isl operations for finding a schedule.
pub const OPERATIONS: u64 = 20_000_000;

/// The limit on isl operations for splitting nests into levels. Chains of dependences that are short are found with
/// few.
const LEVEL_OPERATIONS: u64 = 1_000_000;

/// A region whose orders are searched for. Several searches begin with the same orders, which are found once.
pub struct Search<'a> {
    model: &'a Model,
    constraints: &'a Constraints,
    /// isl's order with parallel loops outermost, once it is known.
    outer: OnceCell<Schedule>,
    /// The order of the source, once its properties are known.
    source: OnceCell<Schedule>,
}

impl<'a> Search<'a> {
    /// Begins with no order.
    pub fn new(model: &'a Model, constraints: &'a Constraints) -> Self {
        Self { model, constraints, outer: OnceCell::new(), source: OnceCell::new() }
    }
}

/// Returns what is in a cell, or finds it.
fn once(cell: &OnceCell<Schedule>, find: impl FnOnce() -> Result<Schedule>) -> Result<Schedule> {
    let known = match cell.get() {
        Some(known) => known,
        None => {
            let found = find()?;
            cell.get_or_init(|| found)
        }
    };
    Ok(known.copy()?)
}

/// Finds an order that respects the constraints.
///
/// If some statements must stay on the host and others need not, the whole scop keeps the order of the source: isl,
/// which has no notion of a host, would fuse the former and their loops with others. A scop also keeps the order of
/// the source if isl finds no schedule, or none within a limited number of operations.
///
/// Returns nothing if the algorithm cannot order this scop.
///
/// # Errors
/// Returns isl's error if an isl operation fails for another reason.
pub fn find(
    search: &Search<'_>,
    algorithm: AlgorithmKind,
    fusion: Option<FusionKind>,
    host_only: &[HostStatement],
) -> Result<Option<Order>> {
    let mixed = !host_only.is_empty() && host_only.len() < search.constraints.statements;
    let isl = |find: &dyn Fn() -> Result<Order>| {
        if mixed {
            return by_source(search);
        }
        match within(OPERATIONS, find) {
            Ok(Some(found)) => Ok(found),
            Ok(None) => by_source(search),
            Err(error) if error.is_unschedulable() => by_source(search),
            Err(error) => Err(error),
        }
    };
    let found = match algorithm {
        AlgorithmKind::Isl => isl(&|| by_isl(search, fusion))?,
        AlgorithmKind::IslOuter => isl(&|| outer(search, fusion))?,
        AlgorithmKind::IslApart => return alternative(Alternative::Apart, search),
        AlgorithmKind::IslDeep => isl(&|| deep(search.constraints, fusion))?,
        AlgorithmKind::Perfect => return alternative(Alternative::Perfect, search),
        AlgorithmKind::Levels => return alternative(Alternative::Levels, search),
        AlgorithmKind::Blocked => return alternative(Alternative::Blocked, search),
        AlgorithmKind::Source => as_given(search)?,
    };
    Ok(Some(found))
}

fn by_isl(search: &Search<'_>, fusion: Option<FusionKind>) -> Result<Order> {
    let order = outer(search, fusion)?;
    let root = order.schedule.get_root()?;
    let is_skewed = has_skewed_host_loop(root.copy()?)?;
    if is_skewed || !has_parallel_band(&root)? {
        let deep = deep(search.constraints, fusion)?;
        if is_skewed || has_wavefront(&deep.schedule.get_root()?)? {
            let alternatives =
                if fusion.is_none() { vec![Alternative::Levels, Alternative::Blocked] } else { Vec::new() };
            return Ok(Order { alternatives, ..deep });
        }
    }
    let alternatives = match fusion {
        None => vec![Alternative::Perfect, Alternative::Apart, Alternative::Blocked],
        Some(_) => Vec::new(),
    };
    Ok(Order { alternatives, ..order })
}

fn strategy(fusion: Option<FusionKind>, outer_coincidence: bool) -> Strategy {
    let serialize = fusion == Some(FusionKind::Cycles);
    Strategy { outer_coincidence, serialize, treat_coalescing: true }
}

fn outer(search: &Search<'_>, fusion: Option<FusionKind>) -> Result<Order> {
    let solve = || solve(search.constraints, strategy(fusion, true));
    let schedule = if fusion.is_none() { once(&search.outer, solve)? } else { solve()? };
    let description = "isl, outermost loops parallel".to_owned();
    let algorithm = AlgorithmKind::IslOuter;
    Ok(Order { schedule, alternatives: Vec::new(), description, algorithm, fusion })
}

fn deep(constraints: &Constraints, fusion: Option<FusionKind>) -> Result<Order> {
    let schedule = solve(constraints, strategy(fusion, false))?;
    let description = "isl, deepest permutable bands".to_owned();
    let algorithm = AlgorithmKind::IslDeep;
    Ok(Order { schedule, alternatives: Vec::new(), description, algorithm, fusion })
}

/// Returns an alternative to an order of isl; nothing if it is the order of the source as it stands.
pub fn alternative(kind: Alternative, search: &Search<'_>) -> Result<Option<Order>> {
    if kind == Alternative::Apart {
        let found = within(OPERATIONS, || outer(search, Some(FusionKind::Cycles)));
        return match found {
            Ok(order) => Ok(order.map(|order| Order {
                fusion: None,
                algorithm: AlgorithmKind::IslApart,
                description: format!("{}, statements apart", order.description),
                ..order
            })),
            Err(error) if error.is_unschedulable() => Ok(None),
            Err(error) => Err(error),
        };
    }
    if kind == Alternative::Blocked {
        return in_blocks(search);
    }
    let (order, constraints) = (by_source(search)?, search.constraints);
    let root = order.schedule.get_root()?;
    let (root, algorithm, description) = match kind {
        Alternative::Blocked | Alternative::Apart | Alternative::Perfect => {
            let root = sink(root, constraints)?;
            (Some(root), AlgorithmKind::Perfect, "the order of the source, with its nests made perfect")
        }
        Alternative::Levels => {
            let found = within(LEVEL_OPERATIONS, || split_into_levels(root, constraints))?.flatten();
            (found, AlgorithmKind::Levels, "the order of the source, with nests split into levels")
        }
    };
    let Some(root) = root else { return Ok(None) };
    let description = description.to_owned();
    Ok(Some(Order { schedule: root.get_schedule()?, description, algorithm, ..order }))
}

/// Returns isl's order with parallel loops outermost, or else that of the source, with sequential loops blocked.
fn in_blocks(search: &Search<'_>) -> Result<Option<Order>> {
    let by_isl = || within(OPERATIONS, || outer(search, None));
    let by_source = || within(OPERATIONS, || by_source(search));
    for find in [&by_isl as &dyn Fn() -> Result<Option<Order>>, &by_source] {
        let order = match find() {
            Ok(Some(order)) => order,
            Ok(None) => continue,
            Err(error) if error.is_unschedulable() => continue,
            Err(error) => return Err(error),
        };
        let root = order.schedule.get_root()?;
        if let Some(root) = blocked(&root, search.model, search.constraints)? {
            let description = format!("{}, with sequential loops blocked", order.description);
            let schedule = with_domain(&root.get_schedule()?, &order.schedule)?;
            return Ok(Some(Order { schedule, description, algorithm: AlgorithmKind::Blocked, ..order }));
        }
    }
    Ok(None)
}

/// Returns a schedule with the domain of another one, which has the same instances, as that one says it: where instances
/// are collected from parts, all later questions about them would begin with the conditions of the parts.
fn with_domain(schedule: &Schedule, other: &Schedule) -> Result<Schedule> {
    let domain = other.get_domain()?;
    let text = schedule.text()?;
    let simple = text.strip_prefix("domain: ").and_then(|rest| rest.split_once('\n'));
    match simple {
        Some((_, rest)) if domain.is_equal(&schedule.get_domain()?)? => {
            Schedule::parse(&format!("domain: \"{}\"\n{rest}", domain.text()?))
        }
        _ => Schedule::parse(&text),
    }
}

/// Finds a schedule that respects the constraints. If isl finds none, it is asked again and may then combine several
/// loops into one.
///
/// isl tries to replace a loop with too large a coefficient (`n * i + j` for a `j` with fewer than `n` values) by one
/// without it, and finds no schedule if that loop carries no dependence. In
/// `for (i = 0; i < n; i += 2) for (j = i - 1; j <= i; j++)` it may mistake `2 * i + j` for such a loop.
fn solve(constraints: &Constraints, strategy: Strategy) -> Result<Schedule> {
    match solve_as_told(constraints, strategy) {
        Err(error) if error.is_unschedulable() => {
            solve_as_told(constraints, Strategy { treat_coalescing: false, ..strategy })
        }
        result => result,
    }
}

/// Finds a schedule that respects the constraints without bounds, which are quick to solve, or else one that respects
/// those with all bounds, because the former may have no solution.
fn solve_as_told(constraints: &Constraints, strategy: Strategy) -> Result<Schedule> {
    let compute = |constraints| exactly(|| compute(constraints, strategy));
    match compute(constraints.relaxed()?) {
        Err(error) if !error.is_limit() => compute(constraints.exact()?),
        result => result,
    }
}

/// True if a sequential member of a band that is not inside a band of parallel loops depends on several loops of a
/// statement.
fn has_skewed_host_loop(node: ScheduleNode) -> Result<bool> {
    if node.get_type()? == ScheduleNodeType::Band {
        if node.band_member_get_coincident(0)? {
            return Ok(false);
        }
        if is_skewed(&node)? {
            return Ok(true);
        }
    }
    for position in 0..node.n_children()? {
        if has_skewed_host_loop(node.get_child(position)?)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_skewed(band: &ScheduleNode) -> Result<bool> {
    for map in maps_of(&band.band_get_partial_schedule_union_map()?)? {
        for member in 0..map.dim(DimType::Out)? {
            if involved_inputs(&map, member)?.len() > 1 {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Returns the input dimensions on which one output dimension of a map depends.
pub fn involved_inputs(map: &polyhedra::Map, output: i32) -> Result<Vec<u32>> {
    let outputs = map.dim(DimType::Out)?;
    let after = (outputs - output - 1) as u32;
    let alone = map.copy()?.project_out(DimType::Out, output as u32 + 1, after)?.project_out(
        DimType::Out,
        0,
        output as u32,
    )?;
    let inputs = alone.dim(DimType::In)? as u32;
    let mut involved = Vec::new();
    for input in 0..inputs {
        if alone.involves_dims(DimType::In, input, 1)? {
            involved.push(input);
        }
    }
    Ok(involved)
}

/// Returns the order of the source. The properties of its bands are derived from the dependences.
fn by_source(search: &Search<'_>) -> Result<Order> {
    let with_flags = || {
        let order = Schedule::parse(&search.model.order.0)?;
        Ok(with_flags(order, search.constraints)?.get_schedule()?)
    };
    Ok(Order {
        schedule: once(&search.source, with_flags)?,
        alternatives: Vec::new(),
        description: "the order of the source".to_owned(),
        algorithm: AlgorithmKind::Isl,
        fusion: None,
    })
}

/// What is divided in an order.
#[derive(Debug, Clone, Copy)]
pub enum Divided<'d> {
    /// Sums, among their partial sums.
    Sums(&'d [PartialSum]),
    /// Selections, among their results.
    Selections(&'d [Selection]),
    /// Prefix sums, into chunks.
    Prefixes(&'d [PrefixSum]),
}

/// Returns the order of the source with sums or selections divided into parts, and with its nests made perfect.
pub fn with_parts(model: &Model, parts: Divided<'_>, constraints: &Constraints) -> Result<Option<Order>> {
    let schedule = match parts {
        Divided::Sums(sums) => divided(model, sums, constraints)?,
        Divided::Selections(selections) => select::divided(model, selections, constraints)?,
        Divided::Prefixes(sums) => chunks::divided(model, sums, constraints)?,
    };
    let Some(schedule) = schedule else { return Ok(None) };
    let root = sink(mark_all_parallel(schedule.get_root()?, constraints)?, constraints)?;
    Ok(Some(Order {
        schedule: root.get_schedule()?,
        alternatives: Vec::new(),
        description: "the order of the source, with its nests made perfect and sums divided".to_owned(),
        algorithm: AlgorithmKind::Perfect,
        fusion: None,
    }))
}

/// Returns the order of the source with its bands regrouped. Those without parallel loops may become wavefronts.
fn as_given(search: &Search<'_>) -> Result<Order> {
    let order = by_source(search)?;
    let schedule = regroup(order.schedule.get_root()?, search.constraints)?.get_schedule()?;
    Ok(Order { schedule, algorithm: AlgorithmKind::Source, ..order })
}

/// Returns the root of a given order. If all of its bands are marked as permutable, this and its marks of parallel
/// loops are trusted, because the proof comes later. For any other order, both are derived from the dependences.
pub fn given(
    schedule: &IslSchedule,
    constraints: impl FnOnce() -> Result<Constraints>,
) -> Result<ScheduleNode> {
    let schedule = Schedule::parse(&schedule.0)?;
    if all_permutable(&schedule.get_root()?)? {
        return Ok(schedule.get_root()?);
    }
    let constraints = constraints()?;
    regroup(with_flags(schedule, &constraints)?, &constraints)
}

fn all_permutable(node: &ScheduleNode) -> Result<bool> {
    if node.get_type()? == ScheduleNodeType::Band && !node.band_get_permutable()? {
        return Ok(false);
    }
    for position in 0..node.n_children()? {
        if !all_permutable(&node.get_child(position)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the root of an order with its parallel loops marked, restricted to the instances of the constraints.
fn with_flags(schedule: Schedule, constraints: &Constraints) -> Result<ScheduleNode> {
    mark_all_parallel(schedule.intersect_domain(constraints.domain.copy()?)?.get_root()?, constraints)
}

/// True for a deep permutable band without parallel loops, neither in itself nor below.
pub fn is_wavefront(node: &ScheduleNode) -> Result<bool> {
    Ok(node.get_type()? == ScheduleNodeType::Band
        && node.band_n_member()? >= 2
        && node.band_get_permutable()?
        && !has_parallel_band(node)?)
}

/// True if a band in the subtree is to be run as wavefronts.
pub fn has_wavefront(node: &ScheduleNode) -> Result<bool> {
    if is_wavefront(node)? {
        return Ok(true);
    }
    for position in 0..node.n_children()? {
        if has_wavefront(&node.get_child(position)?)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Sets the coincident flag of every band member that carries no dependence between instances that agree in the
/// surrounding loops. Takes and returns the root.
fn mark_all_parallel(root: ScheduleNode, constraints: &Constraints) -> Result<ScheduleNode> {
    let local = Local::at(&root, constraints)?;
    mark_parallel(root, &local)
}

fn mark_parallel(mut node: ScheduleNode, local: &Local) -> Result<ScheduleNode> {
    if node.get_type()? == ScheduleNodeType::Band {
        for member in 0..node.band_n_member()? {
            let parallel = i32::from(!carries(&node, member, local)?);
            node = node.band_member_set_coincident(member, parallel)?;
        }
        // A single loop can always be permuted.
        if node.band_n_member()? == 1 {
            node = node.band_set_permutable(1)?;
        }
    }
    if has_band_below(&node)? {
        let below = local.below(&node)?;
        for position in 0..node.n_children()? {
            node = mark_parallel(node.child(position)?, &below)?.parent()?;
        }
    }
    Ok(node)
}

fn carries(band: &ScheduleNode, member: i32, local: &Local) -> Result<bool> {
    let local = local.relation()?;
    let schedule = band.band_get_partial_schedule()?;
    let size = schedule.dim(DimType::Out)? as u32;
    let own = schedule.drop_dims(DimType::Out, member as u32 + 1, size - member as u32 - 1)?.drop_dims(
        DimType::Out,
        0,
        member as u32,
    )?;
    let inside = local.copy()?.eq_at_multi_union_pw_aff(own)?;
    Ok(!local.is_subset(&inside)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wavefronts are permutable bands of several members, none of them parallel, with nothing parallel below.
    #[test]
    fn wavefronts_are_deep_bands_without_parallel_loops() {
        let band = |members: &str, permutable: u32, coincident: &str, below: &str| {
            let members: Vec<String> =
                members.chars().map(|i| format!("{{ S0[i, j, k] -> [{i}] }}")).collect();
            let members = members.join(", ");
            let child = if below.is_empty() { String::new() } else { format!(", child: {below}") };
            format!(
                r#"{{ schedule: "[{members}]", permutable: {permutable}, coincident: [{coincident}]{child} }}"#
            )
        };
        let (parallel, sequential) = (band("k", 1, "1", ""), band("k", 1, "0", ""));
        let both = |second: &str| {
            format!(
                r#"{{ sequence: [{{ filter: "{{ S0[i, j, k] : k < 4 }}", child: {sequential} }},
                                 {{ filter: "{{ S0[i, j, k] : k >= 4 }}", child: {second} }}] }}"#
            )
        };
        for (tree, expected) in [
            (band("ij", 1, "0, 0", ""), true),
            (band("ijk", 1, "0, 0, 0", ""), true),
            (band("i", 1, "0", ""), false),
            (band("ij", 0, "0, 0", ""), false),
            (band("ij", 1, "1, 0", ""), false),
            (band("ij", 1, "0, 1", ""), false),
            (band("ij", 1, "0, 0", &sequential), true),
            (band("ij", 1, "0, 0", &parallel), false),
            (band("ij", 1, "0, 0", &both(&sequential)), true),
            (band("ij", 1, "0, 0", &both(&parallel)), false),
            (both(&sequential), false),
        ] {
            let text = format!(r#"{{ domain: "{{ S0[i, j, k] : 0 <= i, j, k < 8 }}", child: {tree} }}"#);
            let node = Schedule::parse(&text).unwrap().get_root().unwrap().child(0).unwrap();
            assert_eq!(is_wavefront(&node).unwrap(), expected, "{tree}");
        }
    }

    /// The second statement is under the condition `j >= i - 1` in loops
    /// `for (i = 0; i < n; i += 2) for (j = 0; j <= i; j++)`, so `j` has two values for each `i`.
    #[test]
    fn a_loop_that_isl_does_without_is_taken_if_nothing_else_carries_a_dependence() {
        let domain = "[n] -> { S0[i, j, k] : (i) mod 2 = 0 and i < n and 0 <= j <= i and 0 <= k < n; \
                      S1[i, j, k] : (i) mod 2 = 0 and i < n and j >= -1 + i and 0 <= j <= i and 0 <= k < n }";
        let validity = "[n] -> { S0[i, j, k] -> S0[i, j, 1 + k] : (i) mod 2 = 0 and i < n and 0 <= j <= i and 0 <= k <= -2 + n and 2k >= 2 - i + j; \
                        S0[i, j, -1 + n] -> S0[i, 1 + j, 0] : (i) mod 2 = 0 and i < n and 0 <= j < i; \
                        S0[i, i, -1 + n] -> S0[2 + i, 0, 0] : (i) mod 2 = 0 and 0 <= i <= -3 + n; \
                        S0[i, j, 0] -> S1[i, j, 0] : (i) mod 2 = 0 and i < n and j >= -1 + i and 0 <= j <= i; \
                        S1[i, j, 0] -> S0[i, j, 1] : (i) mod 2 = 0 and n >= 2 and i < n and j >= -1 + i and 0 <= j <= i; \
                        S1[i, i, k] -> S1[2 + i, 1 + i, k] : (i) mod 2 = 0 and 0 <= i <= -3 + n and 0 < k < n; \
                        S1[i, -1 + i, k] -> S1[i, i, k] : (i) mod 2 = 0 and 2 <= i < n and 0 < k < n }";
        let constraints = Constraints::written(domain, validity).unwrap();
        let strategy = Strategy { outer_coincidence: true, serialize: false, treat_coalescing: true };
        let found = solve_as_told(&constraints, strategy);
        assert!(found.is_err_and(|error| error.is_unschedulable()));
        assert!(solve(&constraints, strategy).is_ok());
    }
}
