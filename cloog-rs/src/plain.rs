//! The loops of a scop without the GPU: one thread, in sequential order.
//!
//! Everything about blocks and threads is removed from the schedule; the rest orders the same instances.

use std::collections::BTreeMap;

use polyhedra::ast::{Build, Visitor, generate};
use polyhedra::{ASTExpr, PwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Text};
use schemars::JsonSchema;
use scop::ast::Node;
use scop::{
    ArrayId, Dependences, Expansions, IslSchedule, Mapping, Scop, Section, Stage, StatementId, Variant,
};
use serde::{Deserialize, Serialize};

use crate::instances::Leaves;
use crate::nodes::translate_node;
use scop::from_isl::target;

/// A document of any stage. Only two things in its sections matter: the latest order that it contains, and the
/// statements that this order may omit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnyStage {
    #[serde(default)]
    expansions: Expansions,
    #[serde(default)]
    schedule: Option<IslSchedule>,
    #[serde(default)]
    mapping: Option<Mapping>,
    #[serde(default)]
    dependences: Option<Dependences>,
    #[serde(default)]
    variants: Vec<Variant>,
    #[serde(default)]
    variant: Option<usize>,
}

impl AnyStage {
    /// Returns the variant that is ordered, if it is one.
    fn taken(&self) -> Option<&Variant> {
        self.variant.and_then(|position| self.variants.get(position))
    }
}

impl Stage for AnyStage {
    const SECTIONS: &'static [Section] = &[];

    fn expansions(&self) -> Option<&Expansions> {
        Some(self.taken().map_or(&self.expansions, |variant| &variant.expansions))
    }

    fn dependences(&self) -> Option<&Dependences> {
        self.taken().map(|variant| &variant.dependences).or(self.dependences.as_ref())
    }

    fn variant_exists(&self) -> bool {
        self.variant.is_none() || self.taken().is_some()
    }

    fn schedule(&self) -> Option<&IslSchedule> {
        self.schedule.as_ref()
    }

    fn mapping(&self) -> Option<&Mapping> {
        self.mapping.as_ref()
    }
}

/// Returns the sequential loops of a scop: those of the source, or those of the schedule if there is one.
///
/// The coordinates of blocks and threads become parameters of the tree, because copies that are not printed still
/// refer to them. `origins` are subtracted from the subscripts of arrays that are declared in the region.
pub fn loops(scop: &Scop<AnyStage>, origins: BTreeMap<ArrayId, Vec<PwAff>>) -> Result<Node> {
    let order = scop.stage.tree().unwrap_or(&scop.model.order);
    let coordinates = Set::parse("[bx, by, bz, tx, ty, tz] -> { : }")?.get_space()?;
    let schedule = strip(Schedule::parse(&order.0)?.get_root()?)?.get_schedule()?;
    let schedule = schedule.align_params(coordinates.copy()?)?;
    let context = Set::parse(&scop.model.context.0)?.align_params(coordinates)?;
    let mut visitor = Plain { leaves: Leaves::without_kernels(&scop.model, origins) };
    let root = generate(schedule, context, &mut visitor)?;
    Ok(prune(translate_node(&root, &visitor.leaves)?))
}

/// *Rewrite:* contexts, guards, marks, and filters that are not children of a sequence or set are removed.
fn strip(mut node: ScheduleNode) -> Result<ScheduleNode> {
    while is_about_the_gpu(&node)? {
        node = node.delete()?;
    }
    for position in 0..node.n_children()? {
        node = strip(node.child(position)?)?.parent()?;
    }
    Ok(node)
}

fn is_about_the_gpu(node: &ScheduleNode) -> Result<bool> {
    Ok(match node.get_type()? {
        ScheduleNodeType::Context | ScheduleNodeType::Guard | ScheduleNodeType::Mark => true,
        ScheduleNodeType::Filter => {
            !matches!(node.get_parent_type()?, ScheduleNodeType::Sequence | ScheduleNodeType::Set)
        }
        _ => false,
    })
}

/// A visitor that collects only statement instances.
struct Plain<'a> {
    leaves: Leaves<'a>,
}

impl Visitor for Plain<'_> {
    fn instance(&mut self, call: ASTExpr, build: &Build) -> Result<usize> {
        match target(&call)?.parse::<StatementId>() {
            Ok(_) => self.leaves.instance(call, build),
            Err(_) => Ok(self.leaves.nothing()),
        }
    }

    fn mark(&mut self, _name: &str, _build: &Build) -> Result<usize> {
        Ok(self.leaves.nothing())
    }
}

/// Removes empty loops and conditions.
fn prune(node: Node) -> Node {
    match node {
        Node::Block { children } => block(children.into_iter().map(prune).collect()),
        Node::For { iterator, init, condition, increment, degenerate, unroll, body } => match prune(*body) {
            body if is_nothing(&body) => body,
            body => {
                Node::For { iterator, init, condition, increment, degenerate, unroll, body: Box::new(body) }
            }
        },
        Node::If { condition, then, otherwise } => {
            let then = prune(*then);
            let otherwise = otherwise.map(|node| prune(*node)).filter(|node| !is_nothing(node));
            match otherwise {
                None if is_nothing(&then) => then,
                otherwise => Node::If { condition, then: Box::new(then), otherwise: otherwise.map(Box::new) },
            }
        }
        other => other,
    }
}

fn block(children: Vec<Node>) -> Node {
    let mut children: Vec<Node> = children.into_iter().filter(|child| !is_nothing(child)).collect();
    match children.pop() {
        Some(only) if children.is_empty() => only,
        Some(last) => {
            children.push(last);
            Node::Block { children }
        }
        None => Node::Block { children },
    }
}

fn is_nothing(node: &Node) -> bool {
    matches!(node, Node::Block { children } if children.is_empty())
}
