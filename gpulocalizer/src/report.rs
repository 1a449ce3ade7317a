//! The results: the `answers` to wishes, messages about unmet wishes (`unmet`), and the report for people and scripts
//! (`placement`, `host`, `text`) with its figures (`amounts`).

pub mod amounts;
pub mod answers;
pub mod host;
pub mod on_host;
pub mod placement;
pub mod text;
pub mod unmet;
