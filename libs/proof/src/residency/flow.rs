//! Which objects may be on the device at each point of each procedure, for each way in which it may be called.

use std::collections::{BTreeMap, BTreeSet};

use scop::{ActionOp, HostAction};

use crate::residency::calls::Fault;
use crate::residency::facts::Facts;
use crate::residency::graph::{Code, Graph, PointId, Step};
use crate::residency::objects::{Objects, State};

/// How many intervals, and calls of unknown code in them, are open at a point, not counting those of callers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    pub open: usize,
    pub left: usize,
}

/// Returns the depth of each point that can be reached.
pub fn depths<'a>(graph: &Graph<'a>, faults: &mut Vec<Fault<'a>>) -> Vec<Option<Depth>> {
    let mut depths: Vec<Option<Depth>> = vec![None; graph.points.len()];
    depths[graph.entry] = Some(Depth::default());
    depths[graph.thrown] = Some(Depth::default());
    let mut open = vec![graph.entry];
    while let Some(point) = open.pop() {
        let Some(depth) = depths[point] else { continue };
        let next = match graph.points[point].step {
            Step::Act(action) => stepped(depth, &action.op).unwrap_or_else(|| {
                faults.push(Fault::Unopened(action));
                depth
            }),
            _ => depth,
        };
        // What is open at a handler does not depend on where the exception comes from.
        for catch in graph.catches.iter().filter(|catch| catch.entry == point) {
            depths[catch.handlers] = Some(depth);
            open.push(catch.handlers);
        }
        if matches!(graph.points[point].step, Step::Throws(_)) {
            continue;
        }
        for &successor in &graph.points[point].next {
            match depths[successor] {
                None => {
                    depths[successor] = Some(next);
                    open.push(successor);
                }
                Some(other) if other != next => {
                    faults.push(Fault::Unbalanced(graph.points[point].range));
                }
                Some(_) => {}
            }
        }
    }
    if depths[graph.exit].is_some_and(|depth| depth != Depth::default()) {
        faults.push(Fault::Unbalanced(graph.points.iter().rev().find_map(|point| point.range)));
    }
    depths
}

/// Finds the exceptions that leave intervals for handlers which do not restore what was open at their `try`.
///
/// Where more calls of unknown code are open than at the `try`, nothing has to be restored: as long as one of them is
/// open, regions keep nothing on the device that they would not keep outside of intervals.
pub fn lost<'a>(graphs: &[Graph<'a>], depths: &[Vec<Option<Depth>>]) -> Vec<Fault<'a>> {
    let is_loose = |procedure: usize, point: PointId, base: Depth| {
        depths[procedure][point].is_some_and(|depth| depth != base && depth.left <= base.left)
    };
    let calls = |graph: &Graph<'a>, from: PointId| match &graph.points[from].step {
        Step::Code(code) => code.calls.clone(),
        _ => Vec::new(),
    };
    // The procedures that exceptions may leave with an interval open that was not before.
    let mut leave_open = vec![false; graphs.len()];
    let mut faults = Vec::new();
    loop {
        faults.clear();
        let before = leave_open.clone();
        for (procedure, graph) in graphs.iter().enumerate() {
            for (point, one) in graph.points.iter().enumerate() {
                let Step::Throws(from) = one.step else { continue };
                let through = calls(graph, from).into_iter().any(|call| before.get(call) == Some(&true));
                let is_open = |base: Depth| through || is_loose(procedure, point, base);
                leave_open[procedure] |= is_open(Depth::default());
                let catches = graph.catches.iter().filter(|catch| one.next.contains(&catch.handlers));
                let bases = catches
                    .filter(|catch| !catch.restores)
                    .filter_map(|catch| depths[procedure][catch.entry]);
                if bases.into_iter().any(is_open) {
                    faults.push(Fault::Lost(one.range));
                }
            }
        }
        if leave_open == before {
            return faults;
        }
    }
}

/// Returns the depth after a call of the plan; nothing if there is nothing that it could end.
fn stepped(depth: Depth, op: &ActionOp) -> Option<Depth> {
    let Depth { open, left } = depth;
    Some(match op {
        ActionOp::Begin => Depth { open: open + 1, left },
        ActionOp::End => Depth { open: open.checked_sub(1)?, left },
        ActionOp::Leave => Depth { open, left: left + 1 },
        ActionOp::Back => Depth { open, left: left.checked_sub(1)? },
        _ => depth,
    })
}

/// A procedure, and whether it is called in an interval and in a call of unknown code in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Context {
    pub procedure: usize,
    pub open: bool,
    pub left: bool,
}

/// The number of a context.
pub type ContextId = usize;

/// All procedures in all contexts that may occur. The last two graphs are those of unknown code and of the program.
pub struct Flow<'f, 'a> {
    pub facts: &'f Facts<'a>,
    pub graphs: &'f [Graph<'a>],
    depths: &'f [Vec<Option<Depth>>],
    orders: Vec<Vec<PointId>>,
    /// The first one is the program.
    pub contexts: Vec<Context>,
    /// For each context and each piece of code, the contexts that it may call.
    callees: Vec<BTreeMap<PointId, Vec<ContextId>>>,
    /// What may be on the device after a call, if nothing was before.
    leaves: Vec<State>,
    /// The same after an exception.
    throws: Vec<State>,
    /// What may be on the device before a call.
    enters: Vec<State>,
}

/// What may be on the device before each point; nothing where control never arrives.
pub type States = Vec<Option<State>>;

impl<'f, 'a> Flow<'f, 'a> {
    pub fn new(facts: &'f Facts<'a>, graphs: &'f [Graph<'a>], depths: &'f [Vec<Option<Depth>>]) -> Self {
        let orders = graphs.iter().map(Graph::order).collect();
        let mut flow = Self {
            facts,
            graphs,
            depths,
            orders,
            contexts: Vec::new(),
            callees: Vec::new(),
            leaves: Vec::new(),
            throws: Vec::new(),
            enters: Vec::new(),
        };
        flow.find_contexts();
        let none = State::none(facts.objects.len());
        flow.leaves = vec![none.clone(); flow.contexts.len()];
        flow.throws = flow.leaves.clone();
        flow.enters = vec![none.clone(); flow.contexts.len()];
        let order = flow.callees_first();
        while order.iter().fold(false, |changed, context| flow.find_what_it_leaves(*context, &none) | changed)
        {
        }
        while order.iter().rev().fold(false, |changed, context| flow.find_what_enters(*context) | changed) {}
        flow
    }

    fn find_contexts(&mut self) {
        self.contexts.push(Context { procedure: self.graphs.len() - 1, open: false, left: false });
        let mut known = BTreeMap::from([(self.contexts[0], 0)]);
        while let Some(&context) = self.contexts.get(self.callees.len()) {
            let mut callees = BTreeMap::new();
            for (point, code) in codes(&self.graphs[context.procedure]) {
                let Some(depth) = self.depths[context.procedure][point] else { continue };
                let (open, left) = (context.open || depth.open > 0, context.left || depth.left > 0);
                let called = code.calls.iter().filter(|procedure| **procedure < self.graphs.len());
                let called: BTreeSet<Context> =
                    called.map(|&procedure| Context { procedure, open, left }).collect();
                let mut numbers = Vec::new();
                for one in called {
                    let new = self.contexts.len();
                    let number = *known.entry(one).or_insert(new);
                    if number == new {
                        self.contexts.push(one);
                    }
                    numbers.push(number);
                }
                callees.insert(point, numbers);
            }
            self.callees.push(callees);
        }
    }

    /// Returns all contexts, each after those that it calls as far as possible.
    fn callees_first(&self) -> Vec<ContextId> {
        let called =
            |context: ContextId| self.callees[context].values().flatten().copied().collect::<Vec<_>>();
        let mut order = Vec::new();
        let mut seen = vec![false; self.contexts.len()];
        seen[0] = true;
        let mut open = vec![(0, called(0))];
        while let Some((context, rest)) = open.last_mut() {
            match rest.pop() {
                Some(callee) if std::mem::replace(&mut seen[callee], true) => {}
                Some(callee) => open.push((callee, called(callee))),
                None => {
                    order.push(*context);
                    open.pop();
                }
            }
        }
        order
    }

    fn find_what_it_leaves(&mut self, context: ContextId, none: &State) -> bool {
        let Graph { exit, thrown, .. } = self.graphs[self.contexts[context].procedure];
        let states = self.solve(context, none);
        let left = self.after(context, exit, &states).unwrap_or_else(|| none.clone());
        let threw = self.after(context, thrown, &states).unwrap_or_else(|| none.clone());
        let changed = self.leaves[context] != left || self.throws[context] != threw;
        (self.leaves[context], self.throws[context]) = (left, threw);
        changed
    }

    fn find_what_enters(&mut self, context: ContextId) -> bool {
        let states = self.solve(context, &self.enters[context]);
        let mut changed = false;
        for (point, callees) in &self.callees[context] {
            let state = match self.calls_once(context, *point) {
                true => states[*point].clone(),
                false => self.after(context, *point, &states),
            };
            let Some(state) = state else { continue };
            for &callee in callees {
                let before = self.enters[callee].clone();
                self.enters[callee].add(&state);
                changed |= before != self.enters[callee];
            }
        }
        changed
    }

    /// Returns the states in a context if nothing was on the device before.
    pub fn states_if_empty(&self, context: ContextId) -> States {
        self.solve(context, &State::none(self.facts.objects.len()))
    }

    /// Returns the states in a context.
    pub fn states(&self, context: ContextId) -> States {
        self.solve(context, &self.enters[context])
    }

    fn solve(&self, context: ContextId, enters: &State) -> States {
        let procedure = self.contexts[context].procedure;
        let graph = &self.graphs[procedure];
        let mut states: States = vec![None; graph.points.len()];
        states[graph.entry] = Some(enters.clone());
        loop {
            let mut changed = false;
            for &point in &self.orders[procedure] {
                let Some(state) = self.after(context, point, &states) else { continue };
                for &successor in &graph.points[point].next {
                    match &mut states[successor] {
                        Some(known) => {
                            let before = known.clone();
                            known.add(&state);
                            changed |= before != *known;
                        }
                        unknown => {
                            *unknown = Some(state.clone());
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return states;
            }
        }
    }

    /// Returns what may be on the device after a point; after or between its calls, if it is code.
    pub fn after(&self, context: ContextId, point: PointId, states: &States) -> Option<State> {
        let mut state = states[point].clone()?;
        state.lose(&self.lost(context, point));
        match self.graphs[self.contexts[context].procedure].points[point].step {
            Step::Act(HostAction { op: ActionOp::ReadsClass { class }, .. }) => {
                let class = self.facts.classes.get(class.index());
                class.into_iter().for_each(|class| state.newer.remove(class));
            }
            Step::Begins(objects) => {
                let numbers = objects.iter().filter_map(|object| self.facts.number(object.memory));
                numbers.for_each(|number| state.own.take(number));
            }
            _ => {}
        }
        state.add(&self.raised(context, point));
        Some(state)
    }

    /// Returns the objects of which the device has nothing more that counts after a point.
    fn lost(&self, context: ContextId, point: PointId) -> Objects {
        let Context { procedure, open, .. } = self.contexts[context];
        let none = || Objects::none(self.facts.objects.len());
        let action = match self.graphs[procedure].points[point].step {
            Step::Act(action) => action,
            // It was on the host when the exception began: see `judge`.
            Step::Throws(_) => return self.facts.bounded.clone(),
            _ => return none(),
        };
        let ends = || !open && self.depths[procedure][point].is_some_and(|depth| depth.open == 1);
        match action.op {
            ActionOp::Leave => self.facts.bounded.clone(),
            ActionOp::End if ends() => self.facts.bounded.clone(),
            ActionOp::WritesClass { class } => {
                self.facts.classes.get(class.index()).cloned().unwrap_or_else(none)
            }
            _ => none(),
        }
    }

    /// Returns what a point may bring to the device, and what it may change there.
    pub fn raised(&self, context: ContextId, point: PointId) -> State {
        let procedure = self.contexts[context].procedure;
        let mut raised = State::none(self.facts.objects.len());
        match &self.graphs[procedure].points[point].step {
            Step::Region { region, .. } => {
                let left = self.facts.regions.get(region.scop as usize);
                left.into_iter().for_each(|left| raised.add(left));
                if !self.keeps(context, point) {
                    raised.lose(&self.facts.bounded);
                }
            }
            Step::Code(code) => {
                if code.code.is_none() {
                    raised.held.add(&self.facts.foreign);
                    raised.newer.add(&self.facts.foreign);
                }
                for memory in code.code.iter().flat_map(|code| &code.elsewhere) {
                    let mut used = self.facts.numbered(memory);
                    if !self.keeps(context, point) {
                        used.remove(&self.facts.bounded);
                    }
                    raised.held.add(&used);
                    raised.newer.add(&used);
                }
                self.callees(context, point).iter().for_each(|&callee| raised.add(&self.leaves[callee]))
            }
            Step::Throws(from) => {
                self.callees(context, *from).iter().for_each(|&callee| raised.add(&self.throws[callee]));
            }
            _ => {}
        }
        raised
    }

    /// True if memory of bounded classes stays on the device after a region that runs at a point.
    fn keeps(&self, context: ContextId, point: PointId) -> bool {
        let Context { procedure, open, left } = self.contexts[context];
        let depth = self.depths[procedure][point].unwrap_or_default();
        (open || depth.open > 0) && !(left || depth.left > 0)
    }

    /// True for code that makes only one call.
    pub fn calls_once(&self, context: ContextId, point: PointId) -> bool {
        let step = &self.graphs[self.contexts[context].procedure].points[point].step;
        matches!(step, Step::Code(code) if code.is_one_call)
    }

    /// Returns the contexts that code may call.
    pub fn callees(&self, context: ContextId, point: PointId) -> &[ContextId] {
        self.callees[context].get(&point).map_or(&[], Vec::as_slice)
    }

    /// Returns the code that calls a context.
    pub fn callers(&self, context: ContextId) -> impl Iterator<Item = (ContextId, PointId)> + '_ {
        self.callees.iter().enumerate().flat_map(move |(caller, callees)| {
            let calls = callees.iter().filter(move |(_, all)| all.contains(&context));
            calls.map(move |(point, _)| (caller, *point))
        })
    }
}

/// Returns the code of a graph.
fn codes<'g, 'a>(graph: &'g Graph<'a>) -> impl Iterator<Item = (PointId, &'g Code<'a>)> {
    graph.points.iter().enumerate().filter_map(|(point, one)| match &one.step {
        Step::Code(code) => Some((point, code)),
        _ => None,
    })
}
