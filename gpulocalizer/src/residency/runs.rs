//! Which regions host code runs.

use std::collections::BTreeMap;
use std::rc::Rc;

use scop::{HostCode, HostLoop, HostNode, Procedure, ProcedureId};

use crate::residency::code::called;
use crate::residency::once::Once;
use crate::residency::work;

/// What runs on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runner {
    /// The region of a scop, by its position.
    Scop(usize),
    /// Regions of other files that run during a piece of host code: where its text starts and ends.
    Elsewhere(u32, u32),
}

impl Runner {
    /// Returns the runner that stands for the regions of other files in a piece of host code.
    pub fn elsewhere(code: &HostCode) -> Self {
        Self::Elsewhere(code.range.start, code.range.end)
    }
}

/// How often a region runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Times {
    /// At most once.
    Once,
    /// Possibly more than once.
    Often,
}

/// What runs, and how often.
pub type Runs = BTreeMap<Runner, Times>;

/// What the procedures of a program run.
pub struct RunTable<'p> {
    of_procedure: Vec<Runs>,
    /// The procedures that run unknown code, directly or not.
    unknown: Vec<bool>,
    /// What procedures run that unknown code may call.
    pub elsewhere: Runs,
    /// True if that counts as what unknown code runs.
    follows_unknown: bool,
    of_nodes: Once<'p, Rc<Runs>>,
    unknown_nodes: Once<'p, bool>,
}

impl<'p> RunTable<'p> {
    /// Computes the table: all that may run.
    pub fn new(procedures: &'p [Procedure]) -> Self {
        Self::with(procedures, |one| one.called_from_elsewhere, true)
    }

    /// Computes the table for what is worthwhile: no unknown code calls `main`, and what regions leave on the device
    /// while unknown code runs is worth nothing.
    pub fn likely(procedures: &'p [Procedure]) -> Self {
        Self::with(procedures, |one| one.called_from_elsewhere && one.name != "main", false)
    }

    /// The smallest solution. Callees come before their callers, so that only recursion and unknown code that calls
    /// procedures of the file take more than two rounds.
    fn with(
        procedures: &'p [Procedure],
        is_called_from_elsewhere: fn(&Procedure) -> bool,
        follows_unknown: bool,
    ) -> Self {
        let mut table = Self {
            of_procedure: vec![Runs::new(); procedures.len()],
            unknown: vec![false; procedures.len()],
            elsewhere: Runs::new(),
            follows_unknown,
            of_nodes: Once::default(),
            unknown_nodes: Once::default(),
        };
        let order = callees_first(procedures);
        let mut changed = true;
        while changed {
            changed = false;
            // What nodes run depends on what is known of procedures so far.
            (table.of_nodes, table.unknown_nodes) = (Once::default(), Once::default());
            for &position in &order {
                let body = &procedures[position].body;
                let (runs, is_unknown) = (table.of(body), table.any_is_unknown(body));
                changed |= runs != table.of_procedure[position] || is_unknown != table.unknown[position];
                table.of_procedure[position] = runs;
                table.unknown[position] = is_unknown;
            }
            let mut elsewhere = Runs::new();
            for (position, _) in
                procedures.iter().enumerate().filter(|(_, one)| is_called_from_elsewhere(one))
            {
                let often = table.of_procedure[position].keys().map(|&runner| (runner, Times::Often));
                elsewhere.extend(often);
            }
            changed |= elsewhere != table.elsewhere;
            table.elsewhere = elsewhere;
        }
        table
    }

    /// Returns what some nodes run one after the other, with all that they call.
    pub fn of(&self, nodes: &'p [HostNode]) -> Runs {
        let mut runs = Runs::new();
        nodes.iter().for_each(|node| then(&mut runs, &self.of_node(node)));
        runs
    }

    /// Returns what a node runs, with all that it calls.
    pub fn of_node(&self, node: &'p HostNode) -> Rc<Runs> {
        self.of_nodes.of(node, || Rc::new(self.found_in(node)))
    }

    fn found_in(&self, node: &'p HostNode) -> Runs {
        let mut runs = Runs::new();
        node.codes().into_iter().for_each(|code| self.add_code(code, &mut runs));
        match node {
            HostNode::Region(region) => {
                then(&mut runs, &Runs::from([(Runner::Scop(region.scop as usize), Times::Once)]));
            }
            HostNode::Branch(branch) => {
                let mut either = Runs::new();
                for (scop, times) in branch.arms.iter().flat_map(|arm| self.of(arm)) {
                    let known = either.entry(scop).or_insert(times);
                    *known = times.max(*known);
                }
                then(&mut runs, &either);
            }
            _ => {
                let inner = node.parts().into_iter().flatten();
                inner.for_each(|node| then(&mut runs, &self.of_node(node)));
            }
        }
        if matches!(node, HostNode::Loop(_)) {
            runs.values_mut().for_each(|times| *times = Times::Often);
        }
        runs
    }

    /// Returns what is run while a piece of code is evaluated, except by code that never returns.
    pub fn of_code(&self, code: &HostCode) -> Runs {
        let mut runs = Runs::new();
        self.add_code(code, &mut runs);
        runs
    }

    fn add_code(&self, code: &HostCode, runs: &mut Runs) {
        for called in &code.calls {
            self.of_procedure.get(called.index()).into_iter().for_each(|more| then(runs, more));
        }
        if !code.elsewhere.is_empty() {
            then(runs, &Runs::from([(Runner::elsewhere(code), Times::Once)]));
        }
        if code.returns_from_unknown() && self.follows_unknown {
            then(runs, &self.elsewhere);
        }
    }

    /// True if unknown code may run while a piece of code is evaluated, and return.
    pub fn is_unknown(&self, code: &HostCode) -> bool {
        let is_unknown =
            |called: &scop::ProcedureId| self.unknown.get(called.index()).copied().unwrap_or(true);
        code.returns_from_unknown() || code.calls.iter().any(is_unknown)
    }

    /// True if unknown code may run in some nodes.
    pub fn any_is_unknown(&self, nodes: &'p [HostNode]) -> bool {
        nodes.iter().any(|node| {
            self.unknown_nodes.of(node, || {
                node.codes().into_iter().any(|code| self.is_unknown(code))
                    || node.parts().into_iter().any(|part| self.any_is_unknown(part))
            })
        })
    }

    /// True if unknown code may run in the iterations of a loop.
    pub fn iterations_are_unknown(&self, one: &'p HostLoop) -> bool {
        let mut codes = one.condition.iter().chain(&one.step);
        codes.any(|code| self.is_unknown(code)) || self.any_is_unknown(&one.body)
    }

    /// Returns what the iterations of a loop run.
    pub fn of_iterations(&self, one: &'p HostLoop) -> Runs {
        let mut runs = self.of(&one.body);
        one.condition.iter().chain(&one.step).for_each(|code| self.add_code(code, &mut runs));
        runs
    }
}

/// Returns the positions of procedures, those that are called before those that call them, as far as none calls itself.
fn callees_first(procedures: &[Procedure]) -> Vec<usize> {
    let (mut order, mut seen) = (Vec::new(), vec![false; procedures.len()]);
    for start in 0..procedures.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        // Procedures whose callees are being added, and the callees that are left.
        let mut open = vec![(start, called(&procedures[start].body).into_iter())];
        while let Some((position, left)) = open.last_mut() {
            match left.next().map(ProcedureId::index) {
                Some(next) if seen.get(next) == Some(&false) => {
                    seen[next] = true;
                    open.push((next, called(&procedures[next].body).into_iter()));
                }
                Some(_) => {}
                None => {
                    order.push(*position);
                    open.pop();
                }
            }
        }
    }
    order
}

/// Adds what runs afterwards.
pub fn then(runs: &mut Runs, more: &Runs) {
    work::add(more.len());
    for (scop, times) in more {
        runs.entry(*scop).and_modify(|known| *known = Times::Often).or_insert(*times);
    }
}
