//! Intervals: statements during which memory that unknown code may touch can stay on the device.

use std::collections::{BTreeMap, BTreeSet};

use scop::{ActionOp, HostAction, HostBlock, HostNode, Jump, Position, Procedure, ProcedureId, SourceRange};

use crate::residency::calls::{Guard, Obstacle, is_end_of};
use crate::residency::classes::Class;
use crate::residency::code::{Gotos, add_called, called, jumps_out, leaves_well, takes_statements};
use crate::residency::exceptions::{is_lost_in, left_for_good};
use crate::residency::once::Once;
use crate::residency::runs::{RunTable, Runs, then};
use crate::residency::work;

/// Consecutive statements of a procedure. Memory of bounded classes may stay on the device from the first to the last.
pub struct Interval {
    /// The text of all statements.
    pub range: SourceRange,
    /// The regions that run in it.
    pub runs: Runs,
    /// The calls at its beginning and at its ends.
    pub actions: Vec<HostAction>,
    /// The procedures that are called in it directly.
    pub called: BTreeSet<ProcedureId>,
}

/// Finds the intervals of all procedures: outer ones only, for which it is worthwhile.
pub fn find(procedures: &[Procedure], guard: Guard<'_>, likely: &RunTable<'_>) -> Vec<Interval> {
    let search = Search::new(procedures, guard, likely);
    let mut intervals = Vec::new();
    for (procedure, gotos) in procedures.iter().zip(&search.gotos) {
        if !search.left_for_good.contains(&procedure.id) {
            search.nodes(&procedure.body, (None, gotos), &mut intervals);
        }
    }
    intervals
}

/// Returns what keeps memory of some classes from staying on the device between several runs of regions.
pub fn obstacles(
    procedures: &[Procedure],
    guard: Guard<'_>,
    likely: &RunTable<'_>,
    classes: &BTreeSet<Class>,
) -> BTreeMap<Class, Obstacle> {
    let search = Search::new(procedures, guard, likely);
    let obstacle = |class: Class| {
        let mut bodies = procedures.iter().zip(&search.gotos);
        bodies.find_map(|(one, gotos)| search.obstacle_among(&one.body, gotos, class))
    };
    classes.iter().filter_map(|class| Some((*class, obstacle(*class)?))).collect()
}

struct Search<'a> {
    procedures: &'a [Procedure],
    guard: Guard<'a>,
    /// Which regions host code runs, as far as that is to be expected.
    likely: &'a RunTable<'a>,
    /// The jumps of each procedure.
    gotos: Vec<Gotos<'a>>,
    /// The procedures that exceptions may leave for a handler that cannot restore what was open.
    left_for_good: BTreeSet<ProcedureId>,
    /// True for the procedures that can be called in intervals.
    fits: Vec<bool>,
    nodes_that_fit: Once<'a, bool>,
    nodes_whose_calls_fit: Once<'a, bool>,
    obstacles: Once<'a, Option<Obstacle>>,
}

impl<'a> Search<'a> {
    fn new(procedures: &'a [Procedure], guard: Guard<'a>, likely: &'a RunTable<'a>) -> Self {
        let mut search = Self {
            procedures,
            guard,
            likely,
            gotos: procedures.iter().map(|one| Gotos::of(&one.body)).collect(),
            left_for_good: left_for_good(procedures, guard.runs),
            fits: Vec::new(),
            nodes_that_fit: Once::default(),
            nodes_whose_calls_fit: Once::default(),
            obstacles: Once::default(),
        };
        search.fits = search.fitting();
        search
    }

    /// Finds the procedures in which calls guard everything and intervals can be left for unknown code, and that call
    /// no others.
    fn fitting(&self) -> Vec<bool> {
        let alone = |one: &'a Procedure| !self.left_for_good.contains(&one.id) && self.is_guarded(&one.body);
        let mut fits: Vec<bool> = self.procedures.iter().map(alone).collect();
        let mut callers = vec![Vec::new(); fits.len()];
        for (caller, procedure) in self.procedures.iter().enumerate() {
            for id in called(&procedure.body) {
                match callers.get_mut(id.index()) {
                    Some(callers) => callers.push(caller),
                    None => fits[caller] = false,
                }
            }
        }
        let mut open: Vec<usize> = (0..fits.len()).filter(|one| !fits[*one]).collect();
        while let Some(one) = open.pop() {
            work::add(callers[one].len());
            let callers = callers[one].iter().copied();
            open.extend(callers.filter(|caller| std::mem::replace(&mut fits[*caller], false)));
        }
        fits
    }

    fn is_guarded(&self, nodes: &'a [HostNode]) -> bool {
        let calls = self.guard.calls(nodes, true);
        let is_bounded = |class: &Class| self.guard.classes.bounded[*class];
        !calls.has_unknown && !calls.unguarded.keys().any(is_bounded)
    }

    fn calls_fit(&self, node: &'a HostNode) -> bool {
        self.nodes_whose_calls_fit.of(node, || {
            let fits = |id: &ProcedureId| self.fits.get(id.index()).is_some_and(|fits| *fits);
            node.codes().into_iter().flat_map(|code| &code.calls).all(fits)
                && node.parts().into_iter().flatten().all(|inner| self.calls_fit(inner))
        })
    }

    fn node_fits(&self, node: &'a HostNode, gotos: &Gotos<'_>) -> bool {
        self.nodes_that_fit.of(node, || {
            let nodes = std::slice::from_ref(node);
            self.calls_fit(node)
                && !gotos.may_enter(node)
                && !self.is_lost_inside(node)
                && jumps_out(nodes).into_iter().all(leaves_well)
                && self.is_guarded(nodes)
        })
    }

    /// True if a handler in a node could not restore what was open before its `try`.
    fn is_lost_inside(&self, node: &'a HostNode) -> bool {
        let mut is_lost = false;
        HostNode::walk(std::slice::from_ref(node), &mut |inner| {
            work::add(1);
            is_lost |= is_lost_in(inner, self.guard.runs);
        });
        is_lost
    }

    /// Finds intervals among nodes, which may be all of a block.
    fn nodes(
        &self,
        nodes: &'a [HostNode],
        (block, gotos): (Option<&'a HostBlock>, &Gotos<'_>),
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
    fn obstacle_among(&self, nodes: &'a [HostNode], gotos: &Gotos<'_>, class: Class) -> Option<Obstacle> {
        let runs: Vec<_> = nodes.iter().map(|node| self.likely.of_node(node)).collect();
        work::add(runs.iter().map(|runs| runs.len()).sum());
        if !self.guard.classes.is_reused(runs.iter().map(|runs| &**runs), class) {
            return None;
        }
        let inner = |node: &'a HostNode| {
            node.parts().into_iter().find_map(|part| self.obstacle_among(part, gotos, class))
        };
        nodes.iter().find_map(inner).or_else(|| {
            let node = nodes.iter().find(|node| !self.node_fits(node, gotos))?;
            let nodes = std::slice::from_ref(node);
            self.obstacles.of(node, || self.obstacle_of(nodes, &mut BTreeSet::new()))
        })
    }

    /// Returns what keeps nodes from being in an interval: code in them or in what they call, or a jump.
    fn obstacle_of(&self, nodes: &'a [HostNode], seen: &mut BTreeSet<ProcedureId>) -> Option<Obstacle> {
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
    fn goes_on(
        &self,
        runs: &Runs,
        nodes: &[&'a HostNode],
        rest: &[&'a HostNode],
        block: &'a HostBlock,
    ) -> bool {
        let used: BTreeSet<Class> = runs.keys().flat_map(|one| self.guard.classes.of_runner(*one)).collect();
        let is_used = |object: &scop::BlockObject| {
            self.guard.classes.of(object.memory).is_some_and(|class| used.contains(&class))
        };
        let (Some(first), Some(last)) = (nodes.first(), rest.last()) else { return false };
        let (last, position) = last.place();
        let part = SourceRange { end: last.end, ..first.place().0 };
        let is_known = |node: &&'a HostNode| !self.guard.runs.any_is_unknown(std::slice::from_ref(*node));
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
        (block, gotos): (Option<&'a HostBlock>, &Gotos<'_>),
        found: &mut Vec<Interval>,
    ) {
        let runs_any = |node: &&'a HostNode| !self.likely.of_node(node).is_empty();
        let (Some(first), Some(last)) = (nodes.iter().position(runs_any), nodes.iter().rposition(runs_any))
        else {
            return;
        };
        let (nodes, rest) = (&nodes[first..=last], &nodes[last + 1..]);
        let mut runs = Runs::new();
        nodes.iter().for_each(|node| then(&mut runs, &self.likely.of_node(node)));
        let is_bounded = |class: &Class| self.guard.classes.bounded[*class];
        if !self.guard.classes.reused(&runs).iter().any(is_bounded) {
            return;
        }
        let (start, end) = (nodes[0].place(), nodes[nodes.len() - 1].place());
        if !takes_statements(start.1) || !takes_statements(end.1) {
            nodes.iter().for_each(|node| self.parts(node, gotos, found));
            return;
        }
        let goes_on = block.is_some_and(|block| self.goes_on(&runs, nodes, rest, block));
        let nodes: Vec<&'a HostNode> = nodes.iter().chain(rest.iter().filter(|_| goes_on)).copied().collect();
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
        let called = nodes.iter().flat_map(|node| called(std::slice::from_ref(*node))).collect();
        let range = SourceRange { end: end.0.end, ..start.0 };
        found.push(Interval { range, runs, actions, called });
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
