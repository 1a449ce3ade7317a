//! Puts statements of a kernel that conditions on parameters separate under one set of loops.
//!
//! isl's AST generator gives statements separate loops if they never run in the same iteration, such as the branches
//! of `if (m == 0) … else …`. Below each of these loops, it repeats what an extension node adds there: copies that
//! are meant for all of the statements together.
//!
//! *before → after:*
//!
//! ```text
//! domain: S0[i] : 0 <= i < n and m = 0           domain: S0[i] : 0 <= i < n
//!   … copies around …                      →       … copies around …
//!       (leaf)                                         filter: S0[i] : 0 <= i < n and m = 0
//! ```

use std::collections::BTreeSet;

use polyhedra::{
    DimType, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Text, UnionSet, sets_of, tuple_name,
};
use scop::mark;

/// Returns a tree in which conditions on parameters do not separate statements that share copies, or nothing if the
/// tree is one already.
pub fn together(schedule: &Schedule, context: &Set) -> Result<Option<Schedule>> {
    let root = schedule.get_root()?;
    let mut apart = BTreeSet::new();
    collect(&root, context, &mut apart)?;
    if apart.is_empty() {
        return Ok(None);
    }
    let mut exact = UnionSet::parse("{ }")?;
    let mut wide = UnionSet::parse("{ }")?;
    for set in sets_of(&schedule.get_domain()?)? {
        let named = UnionSet::from_set(set.copy()?)?;
        if tuple_name(&set)?.is_some_and(|name| apart.contains(&name)) {
            let dimensions = set.dim(DimType::Set)? as u32;
            let bounds = set.drop_constraints_not_involving_dims(DimType::Set, 0, dimensions)?;
            wide = wide.union(UnionSet::from_set(bounds)?)?;
            exact = exact.union(named)?;
        } else {
            wide = wide.union(named)?;
        }
    }
    let filtered = filter_leaves(root, &exact)?.root()?.get_schedule()?;
    polyhedra::schedule::on_domain(&filtered, wide).map(Some)
}

/// Collects the statements of kernels that contain copies and two statements that never run for the same parameters.
fn collect(node: &ScheduleNode, context: &Set, apart: &mut BTreeSet<String>) -> Result<()> {
    if node.get_type()? == ScheduleNodeType::Mark
        && mark::kernel_of(node.mark_get_id()?.get_name()?).is_some()
    {
        let statements = sets_of(&node.get_domain()?)?;
        if has_extension(node)? && exclude_each_other(&statements, context)? {
            for statement in &statements {
                apart.extend(tuple_name(statement)?);
            }
        }
        return Ok(());
    }
    for position in 0..node.n_children()? {
        collect(&node.get_child(position)?, context, apart)?;
    }
    Ok(())
}

fn has_extension(node: &ScheduleNode) -> Result<bool> {
    if node.get_type()? == ScheduleNodeType::Extension {
        return Ok(true);
    }
    for position in 0..node.n_children()? {
        if has_extension(&node.get_child(position)?)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn exclude_each_other(statements: &[Set], context: &Set) -> Result<bool> {
    for (position, first) in statements.iter().enumerate() {
        let first = first.copy()?.params()?.intersect(context.copy()?)?;
        for second in &statements[position + 1..] {
            if first.is_disjoint(&second.copy()?.params()?)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Inserts a filter above each leaf that statements of `exact` reach.
fn filter_leaves(node: ScheduleNode, exact: &UnionSet) -> Result<ScheduleNode> {
    let children = node.n_children()?;
    if node.get_type()? == ScheduleNodeType::Leaf {
        let reaching = node.get_universe_domain()?.intersect(exact.copy()?)?;
        return if reaching.is_empty()? { Ok(node) } else { Ok(node.insert_filter(reaching)?) };
    }
    let mut node = node;
    for position in 0..children {
        node = filter_leaves(node.child(position)?, exact)?.parent()?;
    }
    Ok(node)
}
