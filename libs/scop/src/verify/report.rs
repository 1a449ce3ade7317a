//! Collection of faults.

use polyhedra::Result;

/// A violated invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The number of the invariant.
    pub invariant: u32,
    /// The place in the document, and what is wrong.
    pub message: String,
    /// True if isl gave up before it had an answer, so that the invariant may hold.
    pub gave_up: bool,
}

/// The faults found so far, and the part of the document that is being checked.
#[derive(Default)]
pub struct Report {
    faults: Vec<Fault>,
    place: String,
}

impl Report {
    /// Sets the part of the document that the following faults belong to.
    pub fn enter(&mut self, place: String) {
        self.place = place;
    }

    /// Adds a fault, unless the same fault was found before in this part.
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

    /// Adds a fault unless `holds`.
    pub fn require(&mut self, invariant: u32, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.fault(invariant, message());
        }
    }

    /// Returns isl's answer, or adds a fault if isl could not compute it.
    pub fn answer<T>(&mut self, invariant: u32, what: &str, answer: Result<T>) -> Option<T> {
        answer.map_err(|error| self.add(invariant, &format!("{what}: {error}"), error.is_limit())).ok()
    }

    /// Returns all faults.
    pub fn into_faults(self) -> Vec<Fault> {
        self.faults
    }
}
