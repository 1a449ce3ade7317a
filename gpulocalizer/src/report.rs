//! What came of it: the `answers` to wishes, messages on those that are not met (`unmet`), and the report for people
//! and scripts (`placement`, `text`), with its figures (`amounts`, `occupancy`).

pub mod amounts;
pub mod answers;
pub mod occupancy;
pub mod placement;
pub mod text;
pub mod unmet;
