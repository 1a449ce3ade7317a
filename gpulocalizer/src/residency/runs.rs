//! Which regions host code runs.

use std::collections::BTreeMap;

use scop::{HostCode, HostLoop, HostNode, Procedure};

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
pub struct RunTable {
    of_procedure: Vec<Runs>,
    /// The procedures that run unknown code, directly or not.
    unknown: Vec<bool>,
    /// What procedures run that unknown code may call.
    pub elsewhere: Runs,
    /// True if that counts as what unknown code runs.
    follows_unknown: bool,
}

impl RunTable {
    /// Computes the table: all that may run.
    pub fn new(procedures: &[Procedure]) -> Self {
        Self::with(procedures, |one| one.called_from_elsewhere, true)
    }

    /// Computes the table for what is worthwhile: no unknown code calls `main`, and what regions leave on the device
    /// while unknown code runs is worth nothing.
    pub fn likely(procedures: &[Procedure]) -> Self {
        Self::with(procedures, |one| one.called_from_elsewhere && one.name != "main", false)
    }

    fn with(
        procedures: &[Procedure],
        is_called_from_elsewhere: fn(&Procedure) -> bool,
        follows_unknown: bool,
    ) -> Self {
        let mut table = Self {
            of_procedure: vec![Runs::new(); procedures.len()],
            unknown: vec![false; procedures.len()],
            elsewhere: Runs::new(),
            follows_unknown,
        };
        let mut changed = true;
        while changed {
            changed = false;
            for (position, procedure) in procedures.iter().enumerate() {
                let runs = table.of(&procedure.body);
                let is_unknown = table.any_is_unknown(&procedure.body);
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
    pub fn of(&self, nodes: &[HostNode]) -> Runs {
        let mut runs = Runs::new();
        nodes.iter().for_each(|node| then(&mut runs, self.of_node(node)));
        runs
    }

    /// Returns what a node runs, with all that it calls.
    pub fn of_node(&self, node: &HostNode) -> Runs {
        let mut runs = Runs::new();
        node.codes().into_iter().for_each(|code| then(&mut runs, self.of_code(code)));
        match node {
            HostNode::Region(region) => {
                then(&mut runs, Runs::from([(Runner::Scop(region.scop as usize), Times::Once)]));
            }
            HostNode::Branch(branch) => {
                let mut either = Runs::new();
                for (scop, times) in branch.arms.iter().flat_map(|arm| self.of(arm)) {
                    let known = either.entry(scop).or_insert(times);
                    *known = times.max(*known);
                }
                then(&mut runs, either);
            }
            _ => node.parts().into_iter().for_each(|part| then(&mut runs, self.of(part))),
        }
        if matches!(node, HostNode::Loop(_)) {
            runs.values_mut().for_each(|times| *times = Times::Often);
        }
        runs
    }

    /// Returns what is run while a piece of code is evaluated, except by code that never returns.
    pub fn of_code(&self, code: &HostCode) -> Runs {
        let mut runs = Runs::new();
        for called in &code.calls {
            then(&mut runs, self.of_procedure.get(called.index()).cloned().unwrap_or_default());
        }
        if !code.elsewhere.is_empty() {
            then(&mut runs, Runs::from([(Runner::elsewhere(code), Times::Once)]));
        }
        if code.returns_from_unknown() && self.follows_unknown {
            then(&mut runs, self.elsewhere.clone());
        }
        runs
    }

    /// True if unknown code may run while a piece of code is evaluated, and return.
    pub fn is_unknown(&self, code: &HostCode) -> bool {
        let is_unknown =
            |called: &scop::ProcedureId| self.unknown.get(called.index()).copied().unwrap_or(true);
        code.returns_from_unknown() || code.calls.iter().any(is_unknown)
    }

    /// True if unknown code may run in some nodes.
    pub fn any_is_unknown(&self, nodes: &[HostNode]) -> bool {
        let mut found = false;
        HostNode::walk(nodes, &mut |node| {
            found |= node.codes().into_iter().any(|code| self.is_unknown(code));
        });
        found
    }

    /// True if unknown code may run in the iterations of a loop.
    pub fn iterations_are_unknown(&self, one: &HostLoop) -> bool {
        let mut codes = one.condition.iter().chain(&one.step);
        codes.any(|code| self.is_unknown(code)) || self.any_is_unknown(&one.body)
    }

    /// Returns what the iterations of a loop run.
    pub fn of_iterations(&self, one: &HostLoop) -> Runs {
        let mut runs = self.of(&one.body);
        one.condition.iter().chain(&one.step).for_each(|code| then(&mut runs, self.of_code(code)));
        runs
    }
}

/// Adds what runs afterwards.
pub fn then(runs: &mut Runs, more: Runs) {
    for (scop, times) in more {
        runs.entry(scop).and_modify(|known| *known = Times::Often).or_insert(times);
    }
}
