//! Decides for every part of a schedule tree whether it is a loop on the host, a kernel, or host code.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{Result, ScheduleNode, ScheduleNodeType};
use scop::mark::{self, statements_at};
use scop::wish::Offload;
use scop::{Dependences, HostStatement, Kernel, KernelId, Model, StatementId};

use crate::cost::{Places, Pricing, Site, Subject};
use crate::host_values::{Piece, computed_by_host};
use crate::kernel::{self, Made};
use crate::kernel_context::KernelContext;
use crate::order::{has_wavefront, is_wavefront};
use crate::other::Other;
use crate::shape::{Shape, ThreadLoop};
use crate::sharing::can_be_shared;
use crate::sink::one_band;
use crate::steps::one_block_in_steps;
use crate::tree::{coincident_members, has_band_below, has_parallel_band, insert_mark};
use crate::unroll::unroll;
use crate::wishes::Wishes;

/// Kernels in which threads share sums take the place of one of a single thread if they take at most this share of its
/// time: more launches are certain, and prices are estimates.
const MUCH_BETTER: f64 = 0.5;

/// A walk over a tree that collects the kernels it makes.
pub struct Placer<'a> {
    model: &'a Model,
    dependences: &'a Dependences,
    wishes: &'a Wishes<'a>,
    pricing: &'a Pricing,
    /// Statements that a GPU cannot run, with the reason.
    host_only: Vec<HostStatement>,
    made: Vec<Made>,
    host: Vec<HostStatement>,
}

/// The result of the walk.
#[derive(Default)]
pub struct Placed {
    /// The kernels, numbered in the order of the tree.
    pub kernels: Vec<Kernel>,
    /// The shape of each kernel's band.
    pub shapes: Vec<Shape>,
    /// The loops and accesses of each kernel, with which it is priced; nothing if it is too complicated.
    pub subjects: Vec<Option<Subject>>,
    /// The place of each kernel.
    pub sites: Vec<Site>,
    /// The shapes of each kernel that were not taken, the best ones first.
    pub others: Vec<Vec<Other>>,
    /// The loops of the kernels' threads, if some are to be unrolled.
    pub thread_loops: Vec<ThreadLoop>,
    /// The statements that stay on the host.
    pub host: Vec<HostStatement>,
    /// Those of them that a GPU could run, but that the host computes from values that it has.
    pub computed_by_host: BTreeSet<StatementId>,
}

impl Placed {
    /// Notes in the kernels where their prices take the elements of arrays to be.
    pub fn note_prices(&mut self, places: &Places) {
        for ((kernel, shape), subject) in self.kernels.iter_mut().zip(&self.shapes).zip(&self.subjects) {
            kernel.priced = subject.as_ref().map(|subject| subject.priced_arrays(shape, places));
        }
    }
}

/// Why the host computes a statement that a GPU could run.
const NEEDS_NO_KERNEL: &str = "it needs nothing that a kernel computes";

/// Why a whole region stays on the host if the user asks for that.
const NOT_WANTED: &str = "the option or wish `offload` says never";

/// One kernel in the place of several must take less than this share of their time.
const CLEARLY_BETTER: f64 = 0.9;

/// What becomes of a part of a tree.
enum Role {
    /// Host code.
    Host,
    /// A kernel whose blocks and threads run along the parallel loops of a band.
    Parallel,
    /// A kernel for each wavefront.
    Wavefront,
    /// A kernel of one thread.
    Sequential,
    /// Its children have roles of their own.
    Parts,
}

/// Marks the kernels and the host code of a tree. Takes and returns its root.
///
/// * A band with a parallel loop becomes a kernel.
/// * A deep band without one becomes a wavefront, if nothing below it is parallel ([`is_wavefront`]).
/// * A band of one loop, such as a sum, may become a kernel of one block whose threads help each other
///   ([`kernel::one_block`]).
/// * Any other band becomes loops on the host if it contains kernels, or else part of a kernel of one thread.
/// * A statement that a GPU cannot run stays on the host, and so do the loops around it.
/// * What would be a kernel of one thread stays on the host if it needs nothing that a kernel computes
///   ([`computed_by_host`]).
/// * A scop without any parallel loop stays on the host as a whole.
pub fn place(
    root: ScheduleNode,
    (model, dependences): (&Model, &Dependences),
    wishes: &Wishes<'_>,
    pricing: &Pricing,
    host_only: Vec<HostStatement>,
) -> Result<(ScheduleNode, Placed)> {
    let mut placer =
        Placer { model, dependences, wishes, pricing, host_only, made: Vec::new(), host: Vec::new() };
    let top = root.child(0)?;
    let mut computed = BTreeSet::new();
    let top = if wishes.offload() == Some(&Offload::Never) {
        placer.on_host(top, NOT_WANTED)?
    } else if placer.has_parallelism(&top)? {
        computed = placer.computed_by_host(&top)?;
        placer.visit(top)?
    } else {
        placer.on_host(top, "no loop of the region can run in parallel")?
    };
    let root = top.root()?;
    let planned = placer.made.iter().filter_map(|made| Some((made.kernel.id, made.shape.unroll?)));
    let planned = planned.collect::<BTreeMap<_, _>>();
    let (root, thread_loops) = match wishes.has_unrolling() || !planned.is_empty() {
        true => unroll(root, model, wishes, &planned)?,
        false => (root, Vec::new()),
    };
    placer.host.sort_by_key(|host| host.statement);
    // An order may split a statement.
    placer.host.dedup_by_key(|host| host.statement);
    let Placer { made, host, .. } = placer;
    let mut placed = Placed { thread_loops, host, computed_by_host: computed, ..Placed::default() };
    for Made { kernel, shape, subject, site, others } in made {
        placed.kernels.push(kernel);
        placed.shapes.push(shape);
        placed.subjects.push(subject);
        placed.sites.push(site);
        placed.others.push(others);
    }
    Ok((root, placed))
}

impl Placer<'_> {
    fn has_parallelism(&self, node: &ScheduleNode) -> Result<bool> {
        let statements = statements_at(node)?;
        let all_on_host = statements.iter().all(|&id| self.reason_for_host(id).is_some());
        Ok(!all_on_host && (has_parallel_band(node)? || has_wavefront(node)?))
    }

    fn reason_for_host(&self, statement: StatementId) -> Option<&HostStatement> {
        self.host_only.iter().find(|host| host.statement == statement)
    }

    /// Leaves to the host what it computes by itself. Returns these statements.
    fn computed_by_host(&mut self, top: &ScheduleNode) -> Result<BTreeSet<StatementId>> {
        let mut parts = Parts::default();
        self.collect(top, &mut parts)?;
        let computed = computed_by_host(self.model, &parts.sequential, &parts.others);
        let reason = NEEDS_NO_KERNEL.to_owned();
        self.host_only
            .extend(computed.iter().map(|&statement| HostStatement { statement, reason: reason.clone() }));
        Ok(computed)
    }

    fn collect(&self, node: &ScheduleNode, parts: &mut Parts) -> Result<()> {
        match self.role(node)? {
            Role::Sequential => parts.sequential.push(units(node)?),
            Role::Host | Role::Parallel | Role::Wavefront => parts.others.extend(statements_at(node)?),
            Role::Parts => {
                for position in 0..node.n_children()? {
                    self.collect(&node.get_child(position)?, parts)?;
                }
            }
        }
        Ok(())
    }

    fn role(&self, node: &ScheduleNode) -> Result<Role> {
        let statements = statements_at(node)?;
        let on_host = statements.iter().filter(|&&id| self.reason_for_host(id).is_some()).count();
        if on_host == statements.len() {
            return Ok(Role::Host);
        }
        let mixed = on_host > 0;
        Ok(match node.get_type()? {
            ScheduleNodeType::Leaf => Role::Sequential,
            ScheduleNodeType::Band if mixed => Role::Parts,
            ScheduleNodeType::Band if !coincident_members(node)?.is_empty() => Role::Parallel,
            ScheduleNodeType::Band if is_wavefront(node)? => Role::Wavefront,
            ScheduleNodeType::Band | ScheduleNodeType::Sequence | ScheduleNodeType::Set
                if !mixed && !self.has_parallelism(node)? =>
            {
                Role::Sequential
            }
            _ => Role::Parts,
        })
    }

    fn visit(&mut self, node: ScheduleNode) -> Result<ScheduleNode> {
        match self.role(&node)? {
            Role::Host => self.on_host(node, ""),
            Role::Parallel => {
                let (node, made) = kernel::parallel(self.context(), node)?;
                Ok(self.made(node, made))
            }
            Role::Wavefront => {
                let (node, made) = kernel::wavefront(self.context(), node)?;
                Ok(self.made(node, made))
            }
            Role::Sequential => self.visit_sequential(node),
            Role::Parts => self.descend_or_steps(node),
        }
    }

    /// Makes kernels of the parts of a node; or, for a loop on the host around short parallel loops, one kernel of one
    /// block that runs that loop, if it takes less time.
    fn descend_or_steps(&mut self, node: ScheduleNode) -> Result<ScheduleNode> {
        let (made, host) = (self.made.len(), self.host.len());
        let steps = match node.get_type()? {
            ScheduleNodeType::Band => one_block_in_steps(self.context(), &node)?,
            _ => None,
        };
        let Some((block, one)) = steps else { return self.descend(node) };
        let apart = self.descend(node)?;
        let time = one.subject.as_ref().map(|subject| self.pricing.time(subject, &one.shape));
        let times = self.time_from(made).zip(time);
        let is_better = times.is_some_and(|(apart, whole)| whole < CLEARLY_BETTER * apart);
        if self.host.len() > host || !is_better {
            return Ok(apart);
        }
        self.made.truncate(made);
        Ok(self.made(block, one))
    }

    fn visit_sequential(&mut self, node: ScheduleNode) -> Result<ScheduleNode> {
        match node.get_type()? {
            ScheduleNodeType::Leaf => self.sequential(node),
            ScheduleNodeType::Band => match kernel::one_block(self.context(), &node)? {
                Some((node, made)) => Ok(self.made(node, made)),
                None => self.sequential_or_sums(node),
            },
            _ => self.sequential_or_sums(node),
        }
    }

    fn descend(&mut self, mut node: ScheduleNode) -> Result<ScheduleNode> {
        for position in 0..node.n_children()? {
            let child = node.child(position)?;
            // A part of an order that splits statements may be empty.
            node = if child.get_domain()?.is_empty()? { child } else { self.visit(child)? }.parent()?;
        }
        Ok(node)
    }

    /// Makes one kernel, of one thread or of one block whose threads help one of them; or, if that takes much less
    /// time, several kernels below loops on the host, in which threads share sums.
    fn sequential_or_sums(&mut self, node: ScheduleNode) -> Result<ScheduleNode> {
        if !self.may_have_sums(&node)? {
            return self.sequential(node);
        }
        let (made, host) = (self.made.len(), self.host.len());
        let apart = self.descend(node.copy()?)?;
        let has_sums = self.made[made..].iter().any(|made| made.shape.shared_sum.is_some());
        let time_apart = self.time_from(made).filter(|_| has_sums);
        let made_apart = self.made.split_off(made);
        let (whole, one) = match self.one_block(&node)? {
            Some(block) => block,
            None => kernel::sequential(self.context(), node)?,
        };
        let time = one.subject.as_ref().map(|subject| self.pricing.time(subject, &one.shape));
        if time_apart.zip(time).is_some_and(|(apart, whole)| apart <= MUCH_BETTER * whole) {
            self.made.extend(made_apart);
            return Ok(apart);
        }
        self.host.truncate(host);
        Ok(self.made(whole, one))
    }

    fn one_block(&self, node: &ScheduleNode) -> Result<Option<(ScheduleNode, Made)>> {
        if node.get_type()? != ScheduleNodeType::Band {
            return Ok(None);
        }
        match one_band(node.copy()?)? {
            Some(band) => kernel::one_block(self.context(), &band),
            None => Ok(None),
        }
    }

    /// True if a loop below a node may be sequential only because of a sum that threads can share.
    fn may_have_sums(&self, node: &ScheduleNode) -> Result<bool> {
        let statements = statements_at(node)?;
        let mut sums = self.dependences.reductions.iter().filter(|one| statements.contains(&one.statement));
        Ok(has_band_below(node)? && sums.any(|one| can_be_shared(self.model, one)))
    }

    /// Returns the time of the kernels from a number on; nothing if one has no price.
    fn time_from(&self, first: usize) -> Option<f64> {
        let time = |made: &Made| Some(self.pricing.time(made.subject.as_ref()?, &made.shape));
        self.made[first..].iter().map(time).sum()
    }

    fn sequential(&mut self, node: ScheduleNode) -> Result<ScheduleNode> {
        let (node, made) = kernel::sequential(self.context(), node)?;
        Ok(self.made(node, made))
    }

    fn made(&mut self, node: ScheduleNode, made: Made) -> ScheduleNode {
        self.made.push(made);
        node
    }

    /// Marks a subtree as host code. The statements' own reasons take precedence over `reason`.
    fn on_host(&mut self, node: ScheduleNode, reason: &str) -> Result<ScheduleNode> {
        for statement in statements_at(&node)? {
            let own = self.reason_for_host(statement).map(|host| host.reason.clone());
            let reason = own.unwrap_or_else(|| reason.to_owned());
            self.host.push(HostStatement { statement, reason });
        }
        insert_mark(node, mark::HOST)
    }

    fn context(&self) -> KernelContext<'_> {
        let id = KernelId(self.made.len() as u32);
        KernelContext {
            model: self.model,
            dependences: self.dependences,
            wishes: self.wishes,
            pricing: self.pricing,
            id,
        }
    }
}

/// The parts of a tree.
#[derive(Default)]
struct Parts {
    /// Those that would be kernels of one thread.
    sequential: Vec<Piece>,
    /// The statements of the others.
    others: BTreeSet<StatementId>,
}

/// Returns the units of a part without parallel loops: the children of a sequence, or the whole part.
fn units(node: &ScheduleNode) -> Result<Piece> {
    if !matches!(node.get_type()?, ScheduleNodeType::Sequence | ScheduleNodeType::Set) {
        return Ok(vec![statements_at(node)?]);
    }
    (0..node.n_children()?).map(|position| statements_at(&node.get_child(position)?)).collect()
}
