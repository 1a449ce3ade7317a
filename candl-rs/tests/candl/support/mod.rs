//! Small programs for tests: described in a few lines, converted to documents, and executed.

mod execute;
mod model;
mod nest;
pub mod program;
mod random;
mod subscripts;

pub use execute::{Event, execute};
pub use model::{extracted, make_integer_sum};
pub use nest::{Nest, Region, nest, statement};
pub use random::Numbers;
pub use subscripts::leading;
