//! Which arrays stay on the device from one region to the next, and the calls in host code that this needs
//! (OpenMPC, section III.B; SAC, sections 5.1 and 5.2).
//!
//! 1. `classes`: memory that arrays of regions share;
//! 2. `runs`: which regions a piece of host code runs, and how often;
//! 3. `code`: nodes of host code: their text, and the jumps out of them and into them;
//! 4. `calls`: the calls that host code needs before it touches memory on the device;
//! 5. `intervals`: statements during which memory that unknown code may touch can stay on the device;
//! 6. `exceptions`: handlers of exceptions that leave intervals;
//! 7. `data`: memory that the user holds on the device;
//! 8. `decided`: all of this for some arrays;
//! 9. `plan`: [`Candidates`] before the regions are placed, and the plan after it;
//! 10. `messages`: what cannot be held;
//! 11. `names`: names of memory, for messages and the report.
//!
//! `once` remembers facts about nodes, and `work` counts what tests want to know: the analysis takes time that grows
//! little faster than the text.

mod calls;
mod classes;
mod code;
mod data;
mod decided;
mod exceptions;
mod intervals;
#[cfg(test)]
mod large;
mod messages;
pub mod names;
mod once;
mod plan;
mod runs;
#[cfg(test)]
mod tests;
mod work;

pub use plan::{Candidates, OfScop, Reuse, complete};
