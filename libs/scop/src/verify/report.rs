//! Where faults are collected.

use polyhedra::Result;

/// One violated invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its number.
    pub invariant: u32,
    /// Where in the document, and what is wrong.
    pub message: String,
    /// True if isl gave up before it knew: it is not said that anything is wrong.
    pub gave_up: bool,
}

/// The faults found so far, and the part of the document that is being checked.
#[derive(Default)]
pub struct Report {
    faults: Vec<Fault>,
    place: String,
}

impl Report {
    /// From now on faults are in this part of the document.
    pub fn enter(&mut self, place: String) {
        self.place = place;
    }

    /// Notes a violation of an invariant, once if it is found in several places of the same part.
    pub fn fault(&mut self, invariant: u32, message: impl AsRef<str>) {
        self.add(invariant, message.as_ref(), false);
    }

    fn add(&mut self, invariant: u32, message: &str, gave_up: bool) {
        let place = &self.place;
        let message = if place.is_empty() { message.to_owned() } else { format!("{place}: {message}") };
        let fault = Fault { invariant, message, gave_up };
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Notes a violation unless `holds`.
    pub fn require(&mut self, invariant: u32, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.fault(invariant, message());
        }
    }

    /// Notes a violation if isl cannot do what an invariant asks, and else gives its answer.
    pub fn answer<T>(&mut self, invariant: u32, what: &str, answer: Result<T>) -> Option<T> {
        answer.map_err(|error| self.add(invariant, &format!("{what}: {error}"), error.is_limit())).ok()
    }

    /// Everything that was noted.
    pub fn into_faults(self) -> Vec<Fault> {
        self.faults
    }
}
