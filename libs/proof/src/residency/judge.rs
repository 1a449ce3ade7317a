//! Uses of memory for which a plan has no call.

use scop::{ActionOp, Effect, HostCode, MemoryLifetime, Touch};

use crate::residency::calls::announce;
use crate::residency::facts::Facts;
use crate::residency::flow::{ContextId, Flow, States};
use crate::residency::graph::{Code, Ends, Graph, Loop, PointId, Step};
use crate::residency::objects::{Part, State};

/// A use of memory for which the device may have something that counts.
#[derive(Debug, Clone, Copy)]
pub struct Breach<'a> {
    pub context: ContextId,
    pub point: PointId,
    /// The object, by its number.
    pub object: usize,
    /// What the device may have.
    pub part: Part,
    pub using: Use<'a>,
}

/// A use of memory.
#[derive(Debug, Clone, Copy)]
pub enum Use<'a> {
    /// Host code touches it.
    Touch(&'a Touch),
    /// Code runs that the document does not contain.
    Unknown(&'a HostCode),
    /// Such code may throw an exception, on whose way to a handler the object may cease to exist.
    Thrown,
    /// Procedures have returned to such code.
    Returned,
    /// It ends with its block.
    Ends,
}

/// Finds the breaches in a context.
pub fn judge<'a>(flow: &Flow<'_, 'a>, context: ContextId) -> Vec<Breach<'a>> {
    let graph = &flow.graphs[flow.contexts[context].procedure];
    let states = flow.states(context);
    let raised = raised_in_loops(flow, context, &states);
    let judge = Judge { flow, facts: flow.facts, graph, context, states: &states, raised };
    let mut found = Vec::new();
    for (point, one) in graph.points.iter().enumerate() {
        match &one.step {
            Step::Code(code) => judge.code(point, code, &mut found),
            Step::Region { touches, announced, .. } => {
                let Some(state) = &states[point] else { continue };
                let before = |touch: &Touch, _, _| announce(announced, touch);
                judge.touches(point, touches, &|_| state, &before, &mut found);
            }
            Step::Ends(ends) => judge.ends(point, ends, &mut found),
            Step::Throws(from) => judge.throws(point, *from, &mut found),
            Step::Pass | Step::Act(_) | Step::Begins(_) => {}
        }
    }
    found
}

/// Returns what regions in each loop bring to the device.
fn raised_in_loops(flow: &Flow<'_, '_>, context: ContextId, states: &States) -> Vec<State> {
    let graph = &flow.graphs[flow.contexts[context].procedure];
    let mut raised = vec![State::none(flow.facts.objects.len()); graph.loops.len()];
    for (point, one) in graph.points.iter().enumerate().filter(|(point, _)| states[*point].is_some()) {
        if let (Some(around), Step::Code(_) | Step::Throws(_) | Step::Region { .. }) =
            (one.in_loop, &one.step)
        {
            raised[around].add(&flow.raised(context, point));
        }
    }
    for (number, one) in graph.loops.iter().enumerate().rev() {
        if let Some(outer) = one.outer {
            let inner = raised[number].clone();
            raised[outer].add(&inner);
        }
    }
    raised
}

struct Judge<'j, 'a> {
    flow: &'j Flow<'j, 'a>,
    facts: &'j Facts<'a>,
    graph: &'j Graph<'a>,
    context: ContextId,
    states: &'j States,
    /// What regions in each loop bring to the device.
    raised: Vec<State>,
}

impl<'a> Judge<'_, 'a> {
    /// Calls of code may run before and after what it touches itself, unless it says otherwise.
    fn code(&self, point: PointId, code: &Code<'a>, found: &mut Vec<Breach<'a>>) {
        let Some(before) = &self.states[point] else { return };
        let Some(state) = self.flow.after(self.context, point, self.states) else { return };
        let raised = self.flow.raised(self.context, point);
        let breach = |object, using| Breach { context: self.context, point, object, part: Part::Held, using };
        let mut exposed = self.facts.exposed.clone();
        exposed.keep(&state.held);
        let Some(host) = code.code else {
            let is_start = self.context == 0;
            found.extend(exposed.iter().filter(|_| is_start).map(|object| breach(object, Use::Returned)));
            return;
        };
        let guarded = |touch: &Touch, object: usize, part: Part| {
            let is_raised = !touch.before_calls && raised.of(part).contains(object);
            announce(&code.announced, touch) && !is_raised
                || self.is_hoisted(code.repeated_by, touch, object, part)
        };
        let state_at = |touch: &Touch| if touch.before_calls { before } else { &state };
        // What unknown code ends is judged where it has not run.
        if !code.runs_unknown || !host.ends {
            self.touches(point, &host.touches, &state_at, &guarded, found);
        }
        if code.runs_unknown {
            found.extend(exposed.iter().map(|object| breach(object, Use::Unknown(host))));
        }
    }

    /// Nothing of bounded classes is on the device when unknown code may throw an exception, because nothing brings it
    /// back then; nor is anything that ends with a block.
    fn throws(&self, point: PointId, from: PointId, found: &mut Vec<Breach<'a>>) {
        let Step::Code(Code { runs_unknown: true, .. }) = self.graph.points[from].step else { return };
        let Some(state) = &self.states[point] else { return };
        let mut on_device = self.facts.bounded.clone();
        on_device.keep(&state.held);
        let is_of_block = |number: &usize| self.facts.objects[*number].lifetime == MemoryLifetime::Block;
        state.own.iter().filter(is_of_block).for_each(|object| on_device.insert(object));
        on_device.remove(&self.facts.held);
        let (context, part, using) = (self.context, Part::Held, Use::Thrown);
        found.extend(on_device.iter().map(|object| Breach { context, point, object, part, using }));
    }

    fn touches<'s>(
        &self,
        point: PointId,
        touches: &'a [Touch],
        state_at: &dyn Fn(&Touch) -> &'s State,
        is_guarded: &dyn Fn(&Touch, usize, Part) -> bool,
        found: &mut Vec<Breach<'a>>,
    ) {
        for touch in touches {
            let (part, state) = (needed(touch.effect), state_at(touch));
            let objects = touch.memory.iter().filter_map(|id| self.facts.number(*id));
            let on_device = objects.filter(|object| state.of(part).contains(*object));
            let unguarded = on_device.filter(|object| !is_guarded(touch, *object, part));
            found.extend(unguarded.map(|object| {
                let using = Use::Touch(touch);
                Breach { context: self.context, point, object, part, using }
            }));
        }
    }

    /// True if calls before a loop around a touch make the host's values right for all touches of its kind in the loop,
    /// and no region in the loop brings the object to the device.
    fn is_hoisted(&self, innermost: Option<usize>, touch: &Touch, object: usize, part: Part) -> bool {
        let mut around = innermost;
        while let Some(number) = around {
            let Loop { outer, touches, announced, is_entered } = &self.graph.loops[number];
            let is_alike = |other: &&Touch| {
                let same_kind = needed(other.effect) == needed(touch.effect);
                same_kind && other.memory.iter().any(|id| self.facts.number(*id) == Some(object))
            };
            let mut alike = touches.iter().filter(is_alike).peekable();
            let covers = alike.peek().is_some() && alike.all(|other| announce(announced, other));
            if !is_entered
                && touch.effect != Effect::Frees
                && covers
                && !self.raised[number].of(part).contains(object)
            {
                return true;
            }
            around = *outer;
        }
        false
    }

    fn ends(&self, point: PointId, ends: &Ends<'a>, found: &mut Vec<Breach<'a>>) {
        let Some(state) = &self.states[point] else { return };
        let later = ends.value.map(|value| self.flow.raised(self.context, value));
        let mut named = Vec::new();
        for object in &ends.objects {
            // The text means the object of the innermost block that has one of this name.
            let is_named = named.contains(&&object.place);
            named.push(&object.place);
            let leaves = ends.announced.iter().any(|action| match &action.op {
                ActionOp::Forget { place } | ActionOp::Release { place } => *place == object.place,
                _ => false,
            });
            let Some(number) = self.facts.number(object.memory) else { continue };
            let returns = later.as_ref().is_some_and(|later| later.held.contains(number));
            if state.own.contains(number) && (!leaves || is_named || returns) {
                let (context, part, using) = (self.context, Part::Own, Use::Ends);
                found.push(Breach { context, point, object: number, part, using });
            }
        }
    }
}

/// Returns what the device must not have when host code touches memory.
fn needed(effect: Effect) -> Part {
    match effect {
        Effect::Reads => Part::Newer,
        Effect::Writes | Effect::Overwrites | Effect::Frees => Part::Held,
    }
}
