//! Checks that every access finds its element: in the array or in a buffer that holds it, on the host or on the
//! device.

mod accesses;
mod boxes;
mod buffers;
mod contents;
mod facts;
mod flows;
mod live;
mod memory;
mod newer;
mod reuse;
mod routes;
mod subscripts;
mod transfers;
mod users;
mod within;

use polyhedra::Result;
use scop::Diagnostic;

use super::leaf::Leaf;
pub use facts::Facts;
pub use users::Buffers;

/// Returns the messages about accesses, buffers and transfers.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn check(facts: &Facts<'_>, barriers: &[&Leaf<'_>]) -> Result<Vec<Diagnostic>> {
    let buffers = Buffers::of(facts.placement);
    let mut messages = accesses::check(facts, &buffers)?;
    messages.extend(contents::check(facts, &buffers, barriers)?);
    messages.extend(live::check(facts, &buffers)?);
    messages.extend(boxes::check(facts)?);
    messages.extend(boxes::check_parts(facts)?);
    messages.extend(flows::check(facts, &buffers)?);
    messages.extend(routes::check(facts, &buffers)?);
    messages.extend(newer::check(facts, &buffers)?);
    Ok(messages)
}
