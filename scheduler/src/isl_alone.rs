//! isl's scheduler by itself, as a measure of how long ours takes (`scripts/bench schedule`).

use polyhedra::schedule::{Strategy, compute};
use polyhedra::{Result, ScheduleConstraints, within};
use scop::{Analysed, Program};

use crate::constraints::Constraints;
use crate::exactly::exactly;
use crate::order::OPERATIONS;

/// What isl's scheduler is asked about a region: the constraints that our orders respect, with all bounds, and for the
/// other options its own values.
pub struct Question(ScheduleConstraints);

/// Returns the questions about the regions of a program.
///
/// # Errors
/// Returns isl's error if the constraints cannot be read.
pub fn questions(program: &Program<Analysed>) -> Result<Vec<Question>> {
    let question = |scop: &scop::Scop<Analysed>| {
        Ok(Question(Constraints::new(&scop.model, &scop.stage.dependences)?.exact()?))
    };
    program.scops.iter().map(question).collect()
}

impl Question {
    /// Computes a schedule. Returns false if isl finds none with as many operations as our search allows it.
    ///
    /// # Errors
    /// Returns isl's error if it fails otherwise.
    pub fn answer(self) -> Result<bool> {
        let strategy = Strategy { outer_coincidence: false, serialize: false, treat_coalescing: true };
        match within(OPERATIONS, || exactly(|| compute(self.0, strategy))) {
            Ok(found) => Ok(found.is_some()),
            Err(error) if error.is_unschedulable() => Ok(false),
            Err(error) => Err(error),
        }
    }
}
