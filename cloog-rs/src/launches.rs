//! The launch of a kernel: the sizes of its grid as functions of the loops around it.
//!
//! The mapping gives the sizes as functions of the outer schedule dimensions of the tree. isl drops dimensions whose
//! value it knows, so the loops of the AST are not those dimensions. They are connected by the instances, which isl
//! schedules along the loops and the tree along its dimensions.
//!
//! isl would simplify the sizes with everything that it knows about the instances below. If there are instances only
//! in every third iteration of a loop, it would conclude that the number of blocks is one. Because the instances
//! imply the condition, isl would omit it, and nothing would check it in the other iterations. Only the context and
//! the guard around the kernel are therefore used here, because both are checked.

use std::collections::BTreeMap;

use polyhedra::ast::Build;
use polyhedra::{
    DimType, Error, LocalSpace, Map, PwAff, PwMultiAff, Result, ScheduleNode, ScheduleNodeType, Set, Text,
    UnionMap,
};
use scop::ast::{self, AstExpr, Node};
use scop::{Kernel, KernelId, Ranked, mark};

use scop::from_isl::{of_parameters, of_ranked, translate};

/// The kernels of a scop.
pub struct Launches<'a> {
    kernels: &'a [Kernel],
    /// The constraints on the parameters.
    context: Option<Set>,
    around: BTreeMap<KernelId, Around>,
}

/// The position of a kernel in the tree.
struct Around {
    /// The map from the instances to the schedule dimensions.
    outer: UnionMap,
    /// The values of these dimensions that satisfy the kernel's guard.
    guard: Option<Set>,
}

impl Around {
    /// Returns what is known of the parameters and of the schedule dimensions, which get these names as parameters.
    fn known(&self, context: Option<&Set>, names: &[String]) -> Result<Set> {
        let mut known = context.map_or_else(|| Set::parse("{ : }"), |known| Ok(known.copy()?))?;
        if let Some(guard) = &self.guard {
            let dimensions: Vec<String> = names.iter().map(|name| format!("({name})")).collect();
            let text = format!("[{}] -> {{ [{}] }}", names.join(", "), dimensions.join(", "));
            let guard = guard.copy()?.preimage_pw_multi_aff(PwMultiAff::parse(&text)?)?;
            known = known.intersect(guard.params()?)?;
        }
        Ok(known)
    }
}

impl<'a> Launches<'a> {
    /// True if threads of a kernel copy each tile while the others compute with the one before.
    pub fn is_ahead(&self, id: KernelId) -> bool {
        self.kernels.iter().any(|kernel| kernel.id == id && kernel.ahead)
    }

    /// Finds the positions of the kernels in a tree.
    pub fn new(kernels: &'a [Kernel], root: ScheduleNode, context: &Set) -> Result<Self> {
        let mut around = BTreeMap::new();
        collect(&root, &mut around)?;
        Ok(Self { kernels, context: Some(context.copy()?), around })
    }

    /// Creates launches without kernels.
    pub fn none() -> Self {
        Self { kernels: &[], context: None, around: BTreeMap::new() }
    }

    /// Returns the launch of a kernel at the current position; its body is still empty.
    pub fn launch(&self, id: KernelId, build: &Build) -> Result<Node> {
        let kernel = scop::part(self.kernels, id.index(), id)?;
        let around = self.around.get(&id);
        let around = around.ok_or_else(|| Error::new(format!("the tree has no mark for {id}")))?;
        let outer = outer_dimensions(around, build)?;
        let loops = Loops::around(&outer, build)?;
        let outer = PwMultiAff::from_map(Map::from_pw_multi_aff(outer)?.flatten_domain()?)?;
        let outer = outer.copy()?.gist(outer.domain()?)?;
        let mut known =
            self.context.as_ref().map_or_else(|| Set::parse("{ : }"), |known| Ok(known.copy()?))?;
        if let Some(guard) = &around.guard {
            let guard = guard.copy()?.preimage_pw_multi_aff(outer.copy()?)?;
            known = known.intersect(guard.preimage_pw_multi_aff(loops.as_parameters.copy()?)?.params()?)?;
        }
        let value = |text: &str| -> Result<AstExpr> {
            let function = PwAff::parse(text)?.pullback_pw_multi_aff(outer.copy()?)?;
            let function = function.pullback_pw_multi_aff(loops.as_parameters.copy()?)?;
            Ok(loops.in_their_names(&of_parameters(&known, function)?))
        };
        let numbered = |ranked: &Ranked| -> Result<Box<ast::Ranked>> {
            let depth = kernel.host_depth as usize;
            let names = polyhedra::numbered("h", depth);
            let values = (0..depth)
                .map(|position| value(&format!("{{ [{}] -> [({})] }}", names.join(", "), names[position])))
                .collect::<Result<Vec<_>>>()?;
            let known = around.known(self.context.as_ref(), &names)?;
            let named = |name: &str| values.get(names.iter().position(|other| other == name)?).cloned();
            Ok(Box::new(of_ranked(&known, ranked, &names)?.map(&|expr| expr.with_values(&named))))
        };
        Ok(Node::Kernel {
            ranked: kernel.ranked.as_ref().map(numbered).transpose()?,
            kernel: kernel.id,
            lower: kernel.grid.iter().map(|grid| value(&grid.lower.0)).collect::<Result<_>>()?,
            extent: kernel.grid.iter().map(|grid| value(&grid.extent.0)).collect::<Result<_>>()?,
            body: Box::new(Node::Block { children: Vec::new() }),
        })
    }
}

/// The loops of the AST around a position.
struct Loops {
    /// Their values as parameters `c0`, `c1`, … by position: `[c0, c1] -> { [(c0), (c1)] }`.
    as_parameters: PwMultiAff,
    /// Their names in the AST, or their only value.
    values: Vec<AstExpr>,
}

impl Loops {
    /// Finds the loops around a position from a function of them.
    fn around(outer: &PwMultiAff, build: &Build) -> Result<Self> {
        let count = outer.dim(DimType::In)? as usize;
        let domain = outer.copy()?.domain()?.get_space()?;
        let mut values = Vec::new();
        for position in 0..count {
            let local = LocalSpace::from_space(domain.copy()?)?;
            let value = PwAff::var_on_domain(local, DimType::Set, position as u32)?;
            values.push(translate(&build.expression(value)?)?);
        }
        let names: Vec<String> = (0..count).map(parameter).collect();
        let dimensions: Vec<String> = names.iter().map(|name| format!("({name})")).collect();
        let text = format!("[{}] -> {{ [{}] }}", names.join(", "), dimensions.join(", "));
        Ok(Self { as_parameters: PwMultiAff::parse(&text)?, values })
    }

    /// Replaces the parameters in an expression by the values of the loops.
    fn in_their_names(&self, expr: &AstExpr) -> AstExpr {
        expr.with_values(&|name| {
            let position = (0..self.values.len()).find(|position| parameter(*position) == name)?;
            self.values.get(position).cloned()
        })
    }
}

/// Returns the parameter that represents a loop. The user's parameters do not have such names.
fn parameter(position: usize) -> String {
    format!("c{position}")
}

/// Returns the map from the loops of the AST to the schedule dimensions around a kernel.
fn outer_dimensions(around: &Around, build: &Build) -> Result<PwMultiAff> {
    let loops = build.schedule()?;
    let relation: Map = loops.reverse()?.apply_range(around.outer.copy()?)?.as_map()?;
    Ok(PwMultiAff::from_map(Map::from_basic_map(relation.simple_hull()?)?)?)
}

fn collect(node: &ScheduleNode, around: &mut BTreeMap<KernelId, Around>) -> Result<()> {
    if node.get_type()? == ScheduleNodeType::Mark
        && let Some(id) = mark::kernel_of(node.mark_get_id()?.get_name()?)
    {
        around.insert(id, Around { outer: node.get_prefix_schedule_union_map()?, guard: guard(node)? });
        return Ok(());
    }
    for position in 0..node.n_children()? {
        collect(&node.get_child(position)?, around)?;
    }
    Ok(())
}

/// Returns the guard directly above a mark, if there is one.
fn guard(mark: &ScheduleNode) -> Result<Option<Set>> {
    if !mark.has_parent()? {
        return Ok(None);
    }
    let parent = mark.copy()?.parent()?;
    Ok(match parent.get_type()? {
        ScheduleNodeType::Guard => Some(parent.guard_get_guard()?),
        _ => None,
    })
}
