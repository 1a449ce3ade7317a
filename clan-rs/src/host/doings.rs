//! What some code accesses and calls.

use std::collections::BTreeSet;

use scop::{Effect, ProcedureId, SourceRange};

use crate::c::ctree::VariableId;
use crate::host::expressions::Typed;
use crate::host::place::Place;
use crate::host::solver::Node;
use crate::host::unplaced::Unplaced;

/// An access.
#[derive(Debug, Clone)]
pub struct Access {
    /// What is done.
    pub effect: Effect,
    /// The objects that it may touch.
    pub memory: Node,
    /// The bytes, if C text can say which.
    pub place: Option<Place>,
    /// Why the text cannot say which, if that depends on how it is written.
    pub unplaced: Option<Unplaced>,
    /// True if it happens whenever the code around it is executed.
    pub certain: bool,
    /// True if it happens only under a condition in the same expression.
    pub guarded: bool,
    /// Where it is.
    pub range: SourceRange,
    /// True if it is an access to a floating-point number.
    pub floating: bool,
    /// What it accesses as what it is.
    pub typed: Typed,
    /// True for code of another file that announces it itself.
    pub announced: bool,
    /// True if it comes before all other functions that the code around it may run.
    pub before_calls: bool,
}

impl Access {
    /// True if it may change memory.
    pub fn writes(&self) -> bool {
        self.effect != Effect::Reads
    }
}

/// Code that may do anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCode {
    /// What it does, in words: `calls `f`, whose body is not in this file`.
    pub does: String,
    /// What the user can do about it, as the end of a sentence; empty if nothing is known that helps here in particular.
    pub way_out: &'static str,
}

impl From<String> for UnknownCode {
    fn from(does: String) -> Self {
        Self { does, way_out: "" }
    }
}

impl From<(String, &'static str)> for UnknownCode {
    fn from((does, way_out): (String, &'static str)) -> Self {
        Self { does, way_out }
    }
}

/// What some code does.
#[derive(Debug, Clone, Default)]
pub struct Doings {
    /// What it accesses itself.
    pub accesses: Vec<Access>,
    /// The procedures that it calls.
    pub calls: BTreeSet<ProcedureId>,
    /// Why it may also do anything else.
    pub unknown: Option<UnknownCode>,
    /// True if what it may do then does not end the program.
    pub returns: bool,
    /// The memory of each array of the regions of other files that it runs.
    pub elsewhere: Vec<Node>,
    /// The variables that it declares.
    pub declared: BTreeSet<VariableId>,
    /// True if it may end the program, so that nothing uses memory of interest any more.
    pub ends: bool,
    /// True if other files may have code that runs then.
    pub exits: bool,
}

impl Doings {
    /// Adds what other code does, before or after it.
    pub fn add(&mut self, mut other: Self) {
        if other.runs_others() {
            self.accesses.iter_mut().for_each(|access| access.before_calls = false);
        }
        if self.runs_others() {
            other.accesses.iter_mut().for_each(|access| access.before_calls = false);
        }
        self.accesses.extend(other.accesses);
        self.calls.extend(other.calls);
        self.unknown = match self.returns || !other.returns {
            true => self.unknown.take().or(other.unknown),
            false => other.unknown,
        };
        self.returns |= other.returns;
        self.elsewhere.extend(other.elsewhere);
        self.declared.extend(other.declared);
        self.ends |= other.ends;
        self.exits |= other.exits;
    }

    /// Notes that it may do anything else.
    pub fn add_unknown<R: Into<UnknownCode>>(&mut self, reason: impl FnOnce() -> R) {
        if !std::mem::replace(&mut self.returns, true) {
            self.unknown = Some(reason().into());
        }
    }

    /// True if other functions may run and return, which may change whatever they can reach.
    pub fn leaves(&self) -> bool {
        self.returns || !self.calls.is_empty()
    }

    /// True if what follows may not be executed.
    pub fn need_not_return(&self) -> bool {
        self.leaves() || self.ends
    }

    /// True if other functions or regions may run.
    pub fn runs_others(&self) -> bool {
        self.unknown.is_some() || !self.calls.is_empty() || !self.elsewhere.is_empty()
    }
}
