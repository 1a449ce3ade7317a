//! The results: the `answers` to wishes, messages about unmet wishes (`unmet`), and the report for people and scripts
//! (`placement`, `host`, `kept`, `on_host`, `text`) with its figures (`amounts`, `formula`) and what it calls memory
//! (`places`).

pub mod amounts;
pub mod answers;
mod formula;
pub mod host;
mod kept;
pub mod on_host;
pub mod placement;
mod places;
pub mod text;
pub mod unmet;
