//! Intervals: statements during which memory that unknown code may touch can stay on the device.

use std::collections::BTreeSet;

use scop::{ActionOp, HostAction, HostBlock, HostNode, Jump, Position, Procedure, ProcedureId, SourceRange};

use crate::residency::calls::{Guard, Obstacle, is_end_of};
use crate::residency::classes::{Class, Classes};
use crate::residency::code::{Gotos, add_called, called, jumps_out, leaves_well, takes_statements};
use crate::residency::exceptions::{is_lost_in, left_for_good};
use crate::residency::runs::{RunTable, Runs, Times, then};

/// Consecutive statements of a procedure. Memory of bounded classes may stay on the device from the first to the last.
pub struct Interval {
    /// The text of all statements.
    pub range: SourceRange,
    /// The regions that run in it.
    pub runs: Runs,
    /// The calls at its beginning and at its ends.
    pub actions: Vec<HostAction>,
    /// The procedures that are called in it, directly or not.
    pub called: BTreeSet<ProcedureId>,
}

/// Finds the intervals of all procedures: outer ones only, for which it is worthwhile.
pub fn find(procedures: &[Procedure], guard: Guard<'_>, likely: &RunTable) -> Vec<Interval> {
    let search = Search::new(procedures, guard, likely);
    let mut intervals = Vec::new();
    let left_for_good = left_for_good(procedures, guard.runs);
    for procedure in procedures.iter().filter(|one| !left_for_good.contains(&one.id)) {
        let gotos = Gotos::of(&procedure.body);
        search.nodes(&procedure.body, (None, &gotos), &mut intervals);
    }
    intervals
}

/// Returns the classes of which more than one run of a region would use memory on the device.
pub fn reused(runs: &Runs, classes: &Classes) -> BTreeSet<Class> {
    let mut used = BTreeSet::new();
    let mut reused = BTreeSet::new();
    for (runner, times) in runs {
        for class in classes.of_runner(*runner) {
            if *times == Times::Often || !used.insert(class) {
                reused.insert(class);
            }
        }
    }
    reused
}

/// Returns what keeps memory of a class from staying on the device between several runs of regions.
pub fn obstacle(
    procedures: &[Procedure],
    guard: Guard<'_>,
    likely: &RunTable,
    class: Class,
) -> Option<Obstacle> {
    let search = Search::new(procedures, guard, likely);
    procedures.iter().find_map(|one| search.obstacle_among(&one.body, &Gotos::of(&one.body), class))
}

struct Search<'a> {
    procedures: &'a [Procedure],
    guard: Guard<'a>,
    /// Which regions host code runs, as far as that is to be expected.
    likely: &'a RunTable,
    /// True for the procedures that can be called in intervals.
    fits: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(procedures: &'a [Procedure], guard: Guard<'a>, likely: &'a RunTable) -> Self {
        let mut search = Self { procedures, guard, likely, fits: vec![true; procedures.len()] };
        search.find_fitting();
        search
    }

    /// Finds the procedures in which calls guard everything and intervals can be left for unknown code.
    fn find_fitting(&mut self) {
        let left_for_good = left_for_good(self.procedures, self.guard.runs);
        let alone = |one: &Procedure| !left_for_good.contains(&one.id) && self.is_guarded(&one.body);
        self.fits = self.procedures.iter().map(alone).collect();
        loop {
            let next: Vec<bool> = self
                .procedures
                .iter()
                .zip(&self.fits)
                .map(|(one, fits)| *fits && self.calls_fit(&one.body))
                .collect();
            if next == self.fits {
                return;
            }
            self.fits = next;
        }
    }

    fn is_guarded(&self, nodes: &[HostNode]) -> bool {
        let calls = self.guard.calls(nodes, true);
        let is_bounded = |class: &Class| self.guard.classes.bounded[*class];
        !calls.has_unknown && !calls.unguarded.keys().any(is_bounded)
    }

    fn calls_fit(&self, nodes: &[HostNode]) -> bool {
        called(nodes).iter().all(|id| self.fits.get(id.index()).is_some_and(|fits| *fits))
    }

    fn node_fits(&self, node: &HostNode, gotos: &Gotos<'_>) -> bool {
        let nodes = std::slice::from_ref(node);
        !gotos.may_enter(node)
            && !self.is_lost_inside(node)
            && jumps_out(nodes).into_iter().all(leaves_well)
            && self.is_guarded(nodes)
            && self.calls_fit(nodes)
    }

    /// True if a handler in a node could not restore what was open before its `try`.
    fn is_lost_inside(&self, node: &HostNode) -> bool {
        let mut is_lost = false;
        HostNode::walk(std::slice::from_ref(node), &mut |inner| {
            is_lost |= is_lost_in(inner, self.guard.runs);
        });
        is_lost
    }

    /// Finds intervals among nodes, which may be all of a block.
    fn nodes(
        &self,
        nodes: &'a [HostNode],
        (block, gotos): (Option<&HostBlock>, &Gotos<'_>),
        found: &mut Vec<Interval>,
    ) {
        let mut open: Vec<&HostNode> = Vec::new();
        for node in nodes {
            if self.node_fits(node, gotos) {
                open.push(node);
            } else {
                self.interval(std::mem::take(&mut open), (None, gotos), found);
                self.parts(node, gotos, found);
            }
        }
        self.interval(open, (block, gotos), found);
    }

    fn parts(&self, node: &'a HostNode, gotos: &Gotos<'_>, found: &mut Vec<Interval>) {
        let block = if let HostNode::Block(block) = node { Some(block) } else { None };
        let skipped = usize::from(is_lost_in(node, self.guard.runs));
        node.parts().into_iter().skip(skipped).for_each(|part| self.nodes(part, (block, gotos), found));
    }

    /// Returns what keeps these nodes, or nodes in one of them, from being one interval that is worthwhile for a class.
    fn obstacle_among(&self, nodes: &[HostNode], gotos: &Gotos<'_>, class: Class) -> Option<Obstacle> {
        if !reused(&self.likely.of(nodes), self.guard.classes).contains(&class) {
            return None;
        }
        let inner = |node: &HostNode| {
            node.parts().into_iter().find_map(|part| self.obstacle_among(part, gotos, class))
        };
        nodes.iter().find_map(inner).or_else(|| {
            let node = nodes.iter().find(|node| !self.node_fits(node, gotos))?;
            self.obstacle_of(std::slice::from_ref(node), &mut BTreeSet::new())
        })
    }

    /// Returns what keeps nodes from being in an interval: code in them or in what they call, or a jump.
    fn obstacle_of(&self, nodes: &[HostNode], seen: &mut BTreeSet<ProcedureId>) -> Option<Obstacle> {
        let own = self.guard.calls(nodes, true).obstacles.into_iter().next();
        let own = own.or_else(|| {
            called(nodes).into_iter().find_map(|id| {
                let procedure = self.procedures.get(id.index()).filter(|_| seen.insert(id))?;
                self.obstacle_of(&procedure.body, seen)
            })
        });
        own.or_else(|| {
            let jump = jumps_out(nodes).into_iter().find(|jump| jump.jump == Jump::Goto)?;
            let way_out = "use a loop or `return` in its place".to_owned();
            Some(Obstacle { range: jump.range, reason: "jumps to a label".to_owned(), way_out })
        })
    }

    /// True if an interval of some nodes should go on until the end of a block: objects of the block that regions use
    /// then leave the device without a copy, as far as nothing reads them. No unknown code may be on the way.
    fn goes_on(&self, runs: &Runs, nodes: &[&HostNode], rest: &[&HostNode], block: &HostBlock) -> bool {
        let used: BTreeSet<Class> = runs.keys().flat_map(|one| self.guard.classes.of_runner(*one)).collect();
        let is_used = |object: &scop::BlockObject| {
            self.guard.classes.of(object.memory).is_some_and(|class| used.contains(&class))
        };
        let (Some(first), Some(last)) = (nodes.first(), rest.last()) else { return false };
        let (last, position) = last.place();
        let part = SourceRange { end: last.end, ..first.place().0 };
        let is_known = |node: &&HostNode| !self.guard.runs.any_is_unknown(std::slice::from_ref(*node));
        takes_statements(position)
            && block.objects.iter().any(is_used)
            && rest.iter().all(is_known)
            && is_end_of(part, block)
            && self.guard.ends_in(part, block).is_some()
    }

    /// Adds the interval from the first to the last node that runs regions, if it is worthwhile. The nodes may be the
    /// last ones of a block.
    fn interval(
        &self,
        nodes: Vec<&'a HostNode>,
        (block, gotos): (Option<&HostBlock>, &Gotos<'_>),
        found: &mut Vec<Interval>,
    ) {
        let runs_any = |node: &&HostNode| !self.likely.of_node(node).is_empty();
        let (Some(first), Some(last)) = (nodes.iter().position(runs_any), nodes.iter().rposition(runs_any))
        else {
            return;
        };
        let (nodes, rest) = (&nodes[first..=last], &nodes[last + 1..]);
        let mut runs = Runs::new();
        nodes.iter().for_each(|node| then(&mut runs, self.likely.of_node(node)));
        let is_bounded = |class: &Class| self.guard.classes.bounded[*class];
        if !reused(&runs, self.guard.classes).iter().any(is_bounded) {
            return;
        }
        let (start, end) = (nodes[0].place(), nodes[nodes.len() - 1].place());
        if !takes_statements(start.1) || !takes_statements(end.1) {
            nodes.iter().for_each(|node| self.parts(node, gotos, found));
            return;
        }
        let goes_on = block.is_some_and(|block| self.goes_on(&runs, nodes, rest, block));
        let nodes: Vec<&HostNode> = nodes.iter().chain(rest.iter().filter(|_| goes_on)).copied().collect();
        let (end, ends_with_jump) = match nodes.last() {
            Some(HostNode::Jump(jump)) => ((jump.range, jump.position), true),
            Some(last) => (last.place(), false),
            None => return,
        };
        let mut actions = vec![action(start, false, ActionOp::Begin)];
        for node in &nodes {
            for jump in jumps_out(std::slice::from_ref(*node)) {
                actions.push(action((jump.range, jump.position), false, ActionOp::End));
            }
        }
        if !ends_with_jump {
            actions.push(action(end, true, ActionOp::End));
        }
        let mut all_called = BTreeSet::new();
        for node in &nodes {
            add_called(self.procedures, called(std::slice::from_ref(*node)), &mut all_called);
        }
        let range = SourceRange { end: end.0.end, ..start.0 };
        found.push(Interval { range, runs, actions, called: all_called });
    }
}

/// Returns the procedures that other files may call, and all that these call. Nobody calls `main`.
pub fn called_by_others(procedures: &[Procedure]) -> BTreeSet<ProcedureId> {
    let exported = procedures.iter().filter(|one| one.called_from_elsewhere && one.name != "main");
    let mut all = BTreeSet::new();
    add_called(procedures, exported.map(|one| one.id).collect(), &mut all);
    all
}

fn action((range, position): (SourceRange, Position), after: bool, op: ActionOp) -> HostAction {
    HostAction { range, position, after, op, because: None }
}
