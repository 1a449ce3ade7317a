//! How something comes to be on the device where it must not be: the path in words.

use std::collections::{BTreeMap, VecDeque};

use crate::residency::flow::{ContextId, Flow, States};
use crate::residency::graph::{PointId, Step};
use crate::residency::judge::{Breach, Use};
use crate::residency::objects::Part;

/// A state on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    context: ContextId,
    point: PointId,
    /// True after the point or, if the point is code, during or after its calls.
    after: bool,
    /// True in a procedure that returns before the breach.
    returns: bool,
}

/// Returns the shortest path from a region to a breach, in words: `the region in line 12 writes it; line 30 calls
/// `norm``.
pub fn story(flow: &Flow<'_, '_>, breach: &Breach<'_>) -> Option<String> {
    let mut search = Search { flow, breach, states: BTreeMap::new(), from: BTreeMap::new() };
    let after = matches!(breach.using, Use::Unknown(_) | Use::Returned)
        || matches!(
            (breach.using, search.step(breach.context, breach.point)),
            (Use::Touch(touch), Step::Code(_)) if !touch.before_calls
        );
    let start = At { context: breach.context, point: breach.point, after, returns: false };
    let end = search.find(start)?;
    Some(search.in_words(end))
}

struct Search<'s, 'f, 'a> {
    flow: &'s Flow<'f, 'a>,
    breach: &'s Breach<'a>,
    states: BTreeMap<(ContextId, bool), States>,
    /// For each state that was found, the one after it on the path.
    from: BTreeMap<At, Option<At>>,
}

impl<'f, 'a> Search<'_, 'f, 'a> {
    fn step(&self, context: ContextId, point: PointId) -> &'f Step<'a> {
        &self.flow.graphs[self.flow.contexts[context].procedure].points[point].step
    }

    /// Goes backward from a breach, and returns the region from which it comes.
    fn find(&mut self, start: At) -> Option<At> {
        self.from.insert(start, None);
        let mut open = VecDeque::from([start]);
        while let Some(at) = open.pop_front() {
            if at.after && matches!(self.step(at.context, at.point), Step::Region { .. }) && self.raises(at) {
                return Some(at);
            }
            for before in self.before(at) {
                if !self.from.contains_key(&before) && self.holds(before) {
                    self.from.insert(before, Some(at));
                    open.push_back(before);
                }
            }
        }
        None
    }

    fn raises(&self, at: At) -> bool {
        self.flow.raised(at.context, at.point).of(self.breach.part).contains(self.breach.object)
    }

    /// True if the device may have what it must not.
    fn holds(&mut self, at: At) -> bool {
        let flow = self.flow;
        let states = self.states.entry((at.context, at.returns)).or_insert_with(|| {
            if at.returns { flow.states_if_empty(at.context) } else { flow.states(at.context) }
        });
        let state = match at.after {
            true => flow.after(at.context, at.point, states),
            false => states[at.point].clone(),
        };
        state.is_some_and(|state| state.of(self.breach.part).contains(self.breach.object))
    }

    /// Returns the states directly before one.
    fn before(&self, at: At) -> Vec<At> {
        let graph = &self.flow.graphs[self.flow.contexts[at.context].procedure];
        if at.after {
            let exit = |callee: ContextId| {
                let point = self.flow.graphs[self.flow.contexts[callee].procedure].exit;
                At { context: callee, point, after: true, returns: true }
            };
            let mut all = vec![At { after: false, ..at }];
            all.extend(self.flow.callees(at.context, at.point).iter().map(|callee| exit(*callee)));
            return all;
        }
        let leads_here = |point: &PointId| graph.points[*point].next.contains(&at.point);
        let points = (0..graph.points.len()).filter(leads_here);
        let mut all: Vec<At> = points.map(|point| At { point, after: true, ..at }).collect();
        if at.point == graph.entry && !at.returns {
            let callers = self.flow.callers(at.context);
            all.extend(callers.map(|(context, point)| {
                let after = !self.flow.calls_once(context, point);
                At { context, point, after, returns: false }
            }));
        }
        all
    }

    /// Describes the path from a region.
    fn in_words(&self, region: At) -> String {
        let mut words = Vec::new();
        let verb = if self.breach.part == Part::Newer { "writes" } else { "uses" };
        if let Some(line) = self.line(region) {
            words.push(format!("the region in line {line} {verb} it on the device"));
        }
        let mut at = region;
        while let Some(Some(next)) = self.from.get(&at) {
            if next.context != at.context || next.returns != at.returns {
                words.extend(self.call(at, *next));
            }
            at = *next;
        }
        words.dedup();
        words.join("; ")
    }

    /// Describes the step from one procedure to another.
    fn call(&self, from: At, to: At) -> Option<String> {
        let name = |at: At| {
            let procedure = self.flow.facts.procedures.get(self.flow.contexts[at.context].procedure);
            procedure.map(|procedure| procedure.name.as_str())
        };
        match from.returns {
            true => Some(match self.line(to) {
                Some(line) => format!("`{}` returns to line {line}", name(from)?),
                None => format!("`{}` returns", name(from)?),
            }),
            false => Some(match self.line(from) {
                Some(line) => format!("line {line} calls `{}`", name(to)?),
                None => format!("other code calls `{}`", name(to)?),
            }),
        }
    }

    fn line(&self, at: At) -> Option<u32> {
        let graph = &self.flow.graphs[self.flow.contexts[at.context].procedure];
        graph.points[at.point].range.map(|range| range.line)
    }
}
