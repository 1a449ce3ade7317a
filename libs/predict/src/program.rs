//! From the loop program of a scop to a form that is quick to interpret.
//!
//! *Rewrite:* nodes of the loop program → [`Host`] and [`Thread`]; subscripts → positions in memory.

mod places;

use std::collections::{BTreeMap, BTreeSet};

use scop::ast::search::Search;
use scop::ast::{AccessPlace, AstExpr, AstOp, Node, Ranked, RankedCoordinate, Unroll};
use scop::{
    AccessId, AccessKind, ArrayId, Axis, BufferId, CType, Diagnostic, Diagnostics, Kernel, KernelId,
    Operation, Passing, Scanned, Scop, Statement, carried, ways_to_result,
};

use crate::expression::{Compiled, Scope, Slot};
use places::Places;
pub use places::{Kind, Memory, Place};
pub use scop::Arithmetic;

/// What the host does.
#[derive(Debug)]
pub enum Host {
    /// Several things in order.
    Block(Vec<Host>),
    /// A loop.
    For(Box<Loop<Host>>),
    /// A condition.
    If(Compiled, Box<Host>, Option<Box<Host>>),
    /// A launch.
    Launch(Box<Launch>),
}

/// What a thread does.
#[derive(Debug)]
pub enum Thread {
    /// Several things in order.
    Block(Vec<Thread>),
    /// A loop.
    For(Box<Loop<Thread>>),
    /// A condition.
    If(Compiled, Box<Thread>, Option<Box<Thread>>),
    /// Accesses to memory and arithmetic, all of one leaf of the loop program.
    Work(Work),
    /// A barrier of the block.
    Barrier,
}

/// A loop.
#[derive(Debug)]
pub struct Loop<T> {
    /// The iterator.
    pub iterator: Slot,
    /// Its first value.
    pub init: Compiled,
    /// The largest values of the iterator; the smallest of these numbers counts.
    pub last: Vec<Compiled>,
    /// The step.
    pub step: i64,
    /// Its kind.
    pub kind: LoopKind,
    /// True if the body changes memory, so that values must be loaded again afterwards.
    pub changes_memory: bool,
    /// Its number in the kernel, if it has no loops, conditions or barriers in it.
    pub simple: Option<usize>,
    /// The factor by which it is to be unrolled, if the program says so.
    pub factor: Option<u64>,
    /// The body.
    pub body: T,
}

/// The kinds of loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopKind {
    /// The body runs exactly once.
    Once,
    /// The compiler sees all iterations one after the other.
    Unrolled,
    /// A loop of the generated code. Of the loops on the way from the root of its kernel to its innermost loop, there
    /// are this many that are like it.
    Kept(u32),
}

/// The accesses and the arithmetic of a statement's instance, or a copy.
#[derive(Debug)]
pub struct Work {
    /// The leaf of the kernel.
    pub leaf: usize,
    /// The accesses, in order.
    pub places: Vec<Place>,
    /// The arithmetic that is done each time.
    pub arithmetic: Arithmetic,
    /// The arithmetic that is done once as long as a compiler knows that its operands are the same.
    pub repeatable: Vec<Repeatable>,
    /// The exchanges between the threads of a warp. Each takes the time of a load from shared memory.
    pub exchanges: u64,
}

/// An operation whose operands are elements of arrays that the region does not write.
#[derive(Debug)]
pub struct Repeatable {
    /// What it counts as.
    pub arithmetic: Arithmetic,
    /// The subscripts of all operands.
    pub operands: Vec<Compiled>,
}

/// A leaf of a kernel: what the profile calls a line.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// The line of the source, or another number that stands for one.
    pub line: u64,
    /// The number of the loop around it, if that has no loops, conditions or barriers in it.
    pub simple_loop: Option<usize>,
    /// Those of its operations that wait, in that loop, for the iteration before.
    pub carried: Arithmetic,
}

impl Leaf {
    /// Creates a leaf in no simple loop.
    fn new(line: u64) -> Self {
        Self { line, simple_loop: None, carried: Arithmetic::default() }
    }
}

/// An access of a leaf's statement.
#[derive(Debug)]
struct Passed {
    array: ArrayId,
    /// The subscripts of the element, or its place in a buffer.
    index: Vec<Compiled>,
    /// For a read, the operations from there to what the statement stores; nothing for a write.
    way: Option<Arithmetic>,
}

/// The launch of a kernel.
#[derive(Debug)]
pub struct Launch {
    /// The kernel.
    pub kernel: KernelId,
    /// For each dimension of the grid: the variable, the coordinate of the first block, and the number of blocks.
    pub grid: Vec<(Slot, Compiled, Compiled)>,
    /// The blocks that are started, if not all of the grid are.
    pub ranked: Option<Numbered>,
    /// For each dimension of the block, x first: the variable and the number of threads.
    pub block: Vec<(Slot, u32)>,
    /// The work of each thread.
    pub body: Thread,
    /// The leaves. The first one stands for all barriers, the second one for what finds the coordinates of blocks.
    pub leaves: Vec<Leaf>,
    /// The simple loops: the factor by which each is to be unrolled, if the program says so.
    pub simple_loops: Vec<Option<u64>>,
}

/// Blocks that are numbered.
#[derive(Debug)]
pub struct Numbered {
    /// The coordinates, the slowest one first.
    pub coordinates: Vec<NumberedCoordinate>,
    /// The number of blocks.
    pub blocks: Compiled,
}

/// One coordinate of numbered blocks.
#[derive(Debug)]
pub struct NumberedCoordinate {
    /// The variable.
    pub slot: Slot,
    /// Its smallest value.
    pub lower: Compiled,
    /// Its largest value.
    pub upper: Compiled,
    /// The number of blocks with the same slower coordinates and a smaller one here; nothing for the last coordinate.
    pub before: Option<Compiled>,
    /// What it takes a warp to find it.
    pub search: Search,
}

/// Compiles the numbering of blocks, where their coordinates are defined.
fn numbered(ranked: &Ranked, scope: &Scope) -> Result<Numbered, String> {
    let coordinate = |one: &RankedCoordinate| -> Result<NumberedCoordinate, String> {
        let name = AstExpr::Name(one.axis.block_parameter().to_owned());
        let Compiled::Slot(slot, _) = scope.compile(&name)? else { return Err(name.to_string()) };
        Ok(NumberedCoordinate {
            slot,
            lower: scope.compile(&one.lower)?,
            upper: scope.compile(&one.upper)?,
            before: one.before.as_ref().map(|before| scope.compile(before)).transpose()?,
            search: Search::of(one),
        })
    };
    Ok(Numbered {
        coordinates: ranked.coordinates.iter().map(coordinate).collect::<Result<_, _>>()?,
        blocks: scope.compile(&ranked.blocks)?,
    })
}

/// A scop in the form that is interpreted.
#[derive(Debug)]
pub struct Compilation {
    /// What the host does.
    pub host: Host,
    /// The variables of the parameters, in the order of the scop.
    pub parameters: Vec<Slot>,
    /// The number of variables.
    pub slots: usize,
    /// The bytes of each array on the device, in the order of [`scop::ast::LoopProgram::arrays`].
    pub arrays: Vec<ArraySize>,
}

/// The size of an array on the device.
#[derive(Debug)]
pub struct ArraySize {
    /// The numbers of elements of its dimensions, whose product is the number of elements.
    pub extents: Vec<Compiled>,
    /// The bytes of an element.
    pub element_bytes: u64,
}

/// Compiles a scop.
///
/// # Errors
/// Reports a bug if the document names what it does not define.
pub fn compile(scop: &Scop<Scanned>) -> Result<Compilation, Diagnostics> {
    let mut scope = Scope::default();
    let parameters =
        scop.model.parameters.iter().map(|parameter| scope.define(&parameter.name, false)).collect();
    let accesses = scop.model.statements.iter().flat_map(|statement| &statement.accesses);
    let written =
        accesses.filter(|access| access.kind == AccessKind::Write).map(|access| access.array).collect();
    let mut compiler = Compiler {
        scop,
        places: Places::new(scop),
        written,
        leaves: Vec::new(),
        passed: BTreeMap::new(),
        simple_loops: Vec::new(),
        slots: 0,
    };
    let arrays = compiler.places.sizes(&scope).map_err(undefined)?;
    let host = compiler.host(&scop.stage.ast.body, &scope)?;
    Ok(Compilation { host, parameters, slots: compiler.slots.max(scope.slots()), arrays })
}

fn undefined(name: String) -> Diagnostics {
    Diagnostic::bug(crate::NAME, format!("the loop program uses `{name}`, which nothing defines")).into()
}

struct Compiler<'a> {
    scop: &'a Scop<Scanned>,
    places: Places<'a>,
    /// The arrays that the region writes.
    written: BTreeSet<ArrayId>,
    leaves: Vec<Leaf>,
    /// The accesses of the leaves that are instances of statements.
    passed: BTreeMap<usize, Vec<Passed>>,
    simple_loops: Vec<Option<u64>>,
    slots: usize,
}

impl Compiler<'_> {
    fn host(&mut self, node: &Node, scope: &Scope) -> Result<Host, Diagnostics> {
        self.slots = self.slots.max(scope.slots());
        Ok(match node {
            Node::Block { children } => {
                Host::Block(children.iter().map(|child| self.host(child, scope)).collect::<Result<_, _>>()?)
            }
            Node::For { iterator, body, .. } => {
                let mut inner = scope.clone();
                let slot = inner.define(iterator, false);
                let body = self.host(body, &inner)?;
                let depth = host_depth(&body);
                Host::For(Box::new(loop_of(node, slot, (scope, &inner), body, depth)?))
            }
            Node::If { condition, then, otherwise } => {
                let condition = scope.compile(condition).map_err(undefined)?;
                let otherwise = otherwise.as_ref().map(|node| self.host(node, scope).map(Box::new));
                Host::If(condition, Box::new(self.host(then, scope)?), otherwise.transpose()?)
            }
            Node::Specialised { guard, specialised, general } => {
                let guard = scope.compile(guard).map_err(undefined)?;
                let general = Box::new(self.host(general, scope)?);
                Host::If(guard, Box::new(self.host(specialised, scope)?), Some(general))
            }
            Node::Kernel { kernel, lower, extent, ranked, body } => {
                let grid = (&lower[..], &extent[..], ranked.as_deref());
                Host::Launch(Box::new(self.launch(*kernel, grid, body, scope)?))
            }
            Node::Instance { .. }
            | Node::Copy { .. }
            | Node::Barrier
            | Node::Element { .. }
            | Node::Transfer { .. } => Host::Block(Vec::new()),
        })
    }

    fn launch(
        &mut self,
        id: KernelId,
        (lower, extent, ranked): (&[AstExpr], &[AstExpr], Option<&Ranked>),
        body: &Node,
        scope: &Scope,
    ) -> Result<Launch, Diagnostics> {
        let kernels = &self.scop.stage.placed.scheduled.mapping.kernels;
        let kernel: &Kernel = kernels
            .iter()
            .find(|kernel| kernel.id == id)
            .ok_or_else(|| Diagnostic::bug(crate::NAME, format!("there is no kernel {id}")))?;
        let mut inner = scope.clone();
        let mut grid = Vec::new();
        for (dimension, (lower, extent)) in kernel.grid.iter().zip(lower.iter().zip(extent)) {
            let slot = inner.define(dimension.axis.block_parameter(), false);
            let bounds =
                (scope.compile(lower).map_err(undefined)?, scope.compile(extent).map_err(undefined)?);
            grid.push((slot, bounds.0, bounds.1));
        }
        let ranked = ranked.map(|ranked| numbered(ranked, &inner)).transpose().map_err(undefined)?;
        let size = |axis| {
            let own = kernel.block.iter().find(|dimension| dimension.axis == axis);
            own.map_or(1, |dimension| dimension.size)
        };
        let block = Axis::ALL.map(|axis| (inner.define(axis.thread_parameter(), true), size(axis)));
        self.leaves = [BARRIERS, COORDINATES].map(Leaf::new).to_vec();
        self.passed.clear();
        let body = self.thread(body, &inner, id)?;
        let leaves = std::mem::take(&mut self.leaves);
        let simple_loops = std::mem::take(&mut self.simple_loops);
        Ok(Launch { kernel: id, grid, ranked, block: block.to_vec(), body, leaves, simple_loops })
    }

    fn thread(&mut self, node: &Node, scope: &Scope, kernel: KernelId) -> Result<Thread, Diagnostics> {
        self.slots = self.slots.max(scope.slots());
        Ok(match node {
            Node::Block { children } => {
                let children = children.iter().map(|child| self.thread(child, scope, kernel));
                Thread::Block(children.collect::<Result<_, _>>()?)
            }
            Node::For { iterator, init, body, .. } => {
                let varies = scope.compile(init).map_err(undefined)?.varies();
                let mut inner = scope.clone();
                let slot = inner.define(iterator, varies);
                let first_leaf = self.leaves.len();
                let body = self.thread(body, &inner, kernel)?;
                let depth = depth_of(&body);
                let mut found = loop_of(node, slot, (scope, &inner), body, depth)?;
                self.number_simple(&mut found, first_leaf);
                Thread::For(Box::new(found))
            }
            Node::If { condition, then, otherwise } => {
                let condition = scope.compile(condition).map_err(undefined)?;
                let otherwise = otherwise.as_ref().map(|node| self.thread(node, scope, kernel).map(Box::new));
                Thread::If(condition, Box::new(self.thread(then, scope, kernel)?), otherwise.transpose()?)
            }
            Node::Specialised { guard, specialised, general } => {
                let guard = scope.compile(guard).map_err(undefined)?;
                let general = Box::new(self.thread(general, scope, kernel)?);
                Thread::If(guard, Box::new(self.thread(specialised, scope, kernel)?), Some(general))
            }
            Node::Instance { statement, accesses, .. } => {
                let statement = self.scop.model.statement(*statement).map_err(|error| failed(&error))?;
                let places = self.places.of_instance(statement, accesses, scope)?;
                let (arithmetic, repeatable) =
                    self.arithmetic(statement, accesses, scope).map_err(undefined)?;
                let passed = passed(statement, accesses, scope).map_err(undefined)?;
                let work = self.work(u64::from(statement.range.line), places, arithmetic);
                self.passed.insert(self.leaves.len() - 1, passed);
                match work {
                    Thread::Work(work) => Thread::Work(Work { repeatable, ..work }),
                    other => other,
                }
            }
            Node::Copy { buffer, into_buffer, element, .. } if self.places.partial(*buffer).is_some() => {
                let line = line_of_copies(*buffer);
                if *into_buffer {
                    return Ok(self.work(line, Vec::new(), Arithmetic::default()));
                }
                let exchange = self.combination(line, *buffer)?;
                let places = self.places.of_combination(*buffer, element, scope)?;
                let update = Box::new(self.work(line, places, Arithmetic::default()));
                let first = AstExpr::Name(Axis::X.thread_parameter().to_owned());
                let first = AstExpr::Op(AstOp::Eq, vec![first, AstExpr::Int(0)]);
                let first = scope.compile(&first).map_err(undefined)?;
                Thread::Block(vec![exchange, Thread::If(first, update, None)])
            }
            Node::Copy { buffer, into_buffer, element, place } => {
                let places = self.places.of_copy(kernel, *buffer, *into_buffer, (element, place), scope)?;
                // Copies stand in lines of their own.
                self.work(line_of_copies(*buffer), places, Arithmetic::default())
            }
            Node::Barrier => Thread::Barrier,
            Node::Kernel { .. } | Node::Element { .. } | Node::Transfer { .. } => Thread::Block(Vec::new()),
        })
    }

    /// Returns the work by which the threads of a warp combine their values.
    fn combination(&mut self, line: u64, id: BufferId) -> Result<Thread, Diagnostics> {
        let undefined = || Diagnostic::bug(crate::NAME, format!("there is no buffer {id}"));
        let buffer = self.places.partial(id).ok_or_else(undefined)?;
        let array = self.scop.model.array(buffer.array).map_err(|error| failed(&error))?;
        let steps = if buffer.in_order { IN_ORDER } else { EXCHANGES };
        let arithmetic = match array.element {
            CType::Double => Arithmetic { fp64: steps, ..Arithmetic::default() },
            _ => Arithmetic { fp32: steps, ..Arithmetic::default() },
        };
        self.leaves.push(Leaf::new(line));
        let exchanges = steps * u64::from(array.element.size()).div_ceil(4);
        Ok(Thread::Work(Work {
            leaf: self.leaves.len() - 1,
            places: Vec::new(),
            arithmetic,
            repeatable: Vec::new(),
            exchanges,
        }))
    }

    /// Returns the operations of a statement: those that are always done, and those that depend on nothing but elements
    /// of arrays that the region does not write.
    fn arithmetic(
        &self,
        statement: &Statement,
        accesses: &[AccessPlace],
        scope: &Scope,
    ) -> Result<(Arithmetic, Vec<Repeatable>), String> {
        let (mut always, mut repeatable) = (Arithmetic::default(), Vec::new());
        for Operation { arithmetic, reads } in Arithmetic::operations(statement) {
            let operands = match reads {
                Some(reads) => self.operands(&reads, (statement, accesses), scope)?,
                None => None,
            };
            match operands {
                Some(operands) => repeatable.push(Repeatable { arithmetic, operands }),
                None => always += arithmetic,
            }
        }
        Ok((always, repeatable))
    }

    /// Returns the subscripts of some reads; nothing if the region writes one of the arrays.
    fn operands(
        &self,
        reads: &[AccessId],
        (statement, accesses): (&Statement, &[AccessPlace]),
        scope: &Scope,
    ) -> Result<Option<Vec<Compiled>>, String> {
        let mut operands = Vec::new();
        for read in reads {
            let Some(access) = statement.access(*read) else { return Ok(None) };
            if self.written.contains(&access.array) {
                return Ok(None);
            }
            // A scalar that is an argument of the kernel has no place.
            let place = accesses.iter().find(|place| place.access == *read);
            if let Some(place) = place {
                operands.extend(scope.compile_all(&place.index)?);
            }
        }
        Ok(Some(operands))
    }

    /// Numbers a loop if it is simple, and says so to its leaves, which begin with `first_leaf`.
    fn number_simple(&mut self, found: &mut Loop<Thread>, first_leaf: usize) {
        if found.kind == LoopKind::Once || !is_straight(&found.body) {
            return;
        }
        found.simple = Some(self.simple_loops.len());
        let body: Vec<Passing> =
            (first_leaf..self.leaves.len()).map(|leaf| self.passing(leaf, found.iterator)).collect();
        for (leaf, carried) in self.leaves.iter_mut().skip(first_leaf).zip(carried(&body)) {
            leaf.simple_loop = found.simple;
            leaf.carried = carried;
        }
        self.simple_loops.push(found.factor);
    }

    /// Returns what a leaf passes from one iteration of a loop to the next: elements that are the same ones in each.
    fn passing(&self, leaf: usize, iterator: Slot) -> Passing {
        let mut passing = Passing::default();
        for Passed { array, index, way } in self.passed.get(&leaf).into_iter().flatten() {
            match way {
                _ if index.iter().any(|index| index.depends_on(iterator)) => {}
                Some(way) => passing.reads.push((*array, *way)),
                None => passing.writes.push(*array),
            }
        }
        passing
    }

    fn work(&mut self, line: u64, places: Vec<Place>, arithmetic: Arithmetic) -> Thread {
        self.leaves.push(Leaf::new(line));
        Thread::Work(Work {
            leaf: self.leaves.len() - 1,
            places,
            arithmetic,
            repeatable: Vec::new(),
            exchanges: 0,
        })
    }
}

/// Returns the accesses of a statement by which one iteration may wait for another.
fn passed(statement: &Statement, accesses: &[AccessPlace], scope: &Scope) -> Result<Vec<Passed>, String> {
    let ways = ways_to_result(statement);
    let mut all = Vec::new();
    for place in accesses {
        let Some(access) = statement.access(place.access).filter(|access| !access.indirect) else { continue };
        let way = ways.get(&access.id).copied();
        if way.is_some() || access.kind == AccessKind::Write {
            all.push(Passed { array: access.array, index: scope.compile_all(&place.index)?, way });
        }
    }
    Ok(all)
}

/// The first of the numbers that stand for the lines of copies; no source has so many lines.
const COPIES: u64 = 1_000_000;

/// How far the numbers of two buffers lie apart: a load and a store on neighbouring lines may be one statement.
const BETWEEN_COPIES: u64 = 8;

/// Returns the number that stands for the lines of a buffer's copies.
fn line_of_copies(buffer: BufferId) -> u64 {
    COPIES + BETWEEN_COPIES * buffer.0 as u64
}

/// The exchanges by which a warp combines its values, if their order is free.
const EXCHANGES: u64 = 5;

/// The sums by which the threads of a warp add their numbers in order. Each waits for the one before.
const IN_ORDER: u64 = 32;

/// The number that stands for the lines of barriers.
const BARRIERS: u64 = 2_000_000;

/// The number that stands for the lines of functions that find the coordinates of numbered blocks.
const COORDINATES: u64 = 2_000_001;

fn failed(error: &polyhedra::Error) -> Diagnostics {
    Diagnostic::bug(crate::NAME, error.to_string()).into()
}

/// Makes a loop of a node, given the scopes outside and inside it and its body.
fn loop_of<T>(
    node: &Node,
    iterator: Slot,
    (outer, inner): (&Scope, &Scope),
    body: T,
    depth: u32,
) -> Result<Loop<T>, Diagnostics>
where
    T: ChangesMemory,
{
    let Node::For { iterator: name, init, condition, increment, degenerate, unroll, .. } = node else {
        return Err(Diagnostic::bug(crate::NAME, "this node is no loop").into());
    };
    let step = match increment {
        AstExpr::Int(step) if *step > 0 => *step,
        _ => return Err(Diagnostic::bug(crate::NAME, "the step of a loop is not a positive constant").into()),
    };
    let mut last = Vec::new();
    upper_bounds(condition, name, &mut last);
    let kind = match (degenerate, unroll) {
        (true, _) => LoopKind::Once,
        (_, Unroll::Wholly) => LoopKind::Unrolled,
        _ => LoopKind::Kept(depth + 1),
    };
    let factor = match unroll {
        Unroll::By(factor) => Some(u64::from(factor.get())),
        Unroll::Compiler | Unroll::Wholly => None,
    };
    let changes_memory = body.changes_memory();
    let last = inner.compile_all(&last).map_err(undefined)?;
    Ok(Loop {
        iterator,
        init: outer.compile(init).map_err(undefined)?,
        last,
        step,
        kind,
        changes_memory,
        simple: None,
        factor,
        body,
    })
}

/// Collects the largest values that a loop's condition permits for its iterator.
fn upper_bounds(condition: &AstExpr, iterator: &str, bounds: &mut Vec<AstExpr>) {
    let AstExpr::Op(operator, sides) = condition else { return };
    let [left, right] = &sides[..] else { return };
    let is_iterator = |side: &AstExpr| matches!(side, AstExpr::Name(name) if name == iterator);
    let before = |bound: &AstExpr| AstExpr::Op(AstOp::Sub, vec![bound.clone(), AstExpr::Int(1)]);
    match operator {
        AstOp::And => {
            upper_bounds(left, iterator, bounds);
            upper_bounds(right, iterator, bounds);
        }
        AstOp::Le if is_iterator(left) => bounds.push(right.clone()),
        AstOp::Lt if is_iterator(left) => bounds.push(before(right)),
        AstOp::Ge if is_iterator(right) => bounds.push(left.clone()),
        AstOp::Gt if is_iterator(right) => bounds.push(before(left)),
        _ => {}
    }
}

/// Returns how many kept loops lie inside each other in a body.
fn depth_of(thread: &Thread) -> u32 {
    match thread {
        Thread::Block(children) => children.iter().map(depth_of).max().unwrap_or(0),
        Thread::For(inner) => match inner.kind {
            LoopKind::Kept(depth) => depth,
            LoopKind::Once | LoopKind::Unrolled => depth_of(&inner.body),
        },
        Thread::If(_, then, otherwise) => depth_of(then).max(otherwise.as_deref().map_or(0, depth_of)),
        Thread::Work(_) | Thread::Barrier => 0,
    }
}

/// Returns true if all iterations of a loop with this body do the same, one thing after the other. The condition of a
/// copy is a predicate of its load and its store, which hinders no other iteration.
fn is_straight(thread: &Thread) -> bool {
    match thread {
        Thread::Block(children) => children.iter().all(is_straight),
        Thread::For(inner) => inner.kind == LoopKind::Once && is_straight(&inner.body),
        Thread::If(_, then, None) => is_copy(then),
        Thread::Work(_) => true,
        Thread::If(..) | Thread::Barrier => false,
    }
}

/// Returns true if a thread copies one element.
fn is_copy(thread: &Thread) -> bool {
    match thread {
        Thread::Block(children) => matches!(&children[..], [only] if is_copy(only)),
        Thread::Work(work) => {
            work.arithmetic == Arithmetic::default()
                && work.repeatable.is_empty()
                && work.exchanges == 0
                && work.places.len() <= 2
        }
        Thread::For(_) | Thread::If(..) | Thread::Barrier => false,
    }
}

/// Returns how many loops on the host lie inside each other.
fn host_depth(host: &Host) -> u32 {
    match host {
        Host::Block(children) => children.iter().map(host_depth).max().unwrap_or(0),
        Host::For(inner) => match inner.kind {
            LoopKind::Kept(depth) => depth,
            LoopKind::Once | LoopKind::Unrolled => host_depth(&inner.body),
        },
        Host::If(_, then, otherwise) => host_depth(then).max(otherwise.as_deref().map_or(0, host_depth)),
        Host::Launch(_) => 0,
    }
}

/// What may change memory that a thread has loaded from.
pub trait ChangesMemory {
    /// True if it may store, or waits at a barrier.
    fn changes_memory(&self) -> bool;
}

impl ChangesMemory for Host {
    fn changes_memory(&self) -> bool {
        true
    }
}

impl ChangesMemory for Thread {
    fn changes_memory(&self) -> bool {
        match self {
            Self::Block(children) => children.iter().any(Self::changes_memory),
            Self::For(inner) => inner.changes_memory,
            Self::If(_, then, otherwise) => {
                then.changes_memory() || otherwise.as_deref().is_some_and(Self::changes_memory)
            }
            Self::Work(work) => work.places.iter().any(|place| place.kind != Kind::Load),
            Self::Barrier => true,
        }
    }
}
