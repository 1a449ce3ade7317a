//! Checks whether prefix sums that are divided into chunks ([`scop::prefix_sums`]) have the values of the source.
//!
//! The statements have the form for which the algebra holds: what a chunk adds begins with the neutral value and gets
//! the contribution of each of its iterations; going down, the value before a chunk is stored, and what the chunk adds
//! is added to it. What remains is order: each statement reads what is complete, chunks follow each other as in the
//! source, and so do the instances within a chunk; a contribution is computed from the values from which the source
//! computes it; and the variable changes at the same place of the order as in the source, as far as other accesses can
//! tell.

mod form;
mod order;

use std::collections::BTreeSet;

use polyhedra::{Result, Schedule, Text};
use scop::{Diagnostic, Expansions};

use super::origins;
use crate::stage::Sections;
use form::Checked;
use order::{CODE, Orders};

const HELP: &str = "leave the variant out, or correct what the chunks add and the values before them";

/// Returns a message for each prefix sum that does not have the values of the source.
pub fn check(path: &str, sections: &Sections<'_>, expansions: &Expansions) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    if expansions.prefix_sums().is_empty() {
        return Ok(messages);
    }
    let source = Schedule::parse(&sections.extracted.order.0)?.get_map()?;
    let variant = Schedule::parse(&sections.model.order.0)?.get_map()?;
    let mut new = BTreeSet::new();
    for sum in expansions.prefix_sums() {
        let found = match Checked::of(sections, expansions, sum)? {
            Ok(checked) => {
                new.extend(checked.arrays.iter().flatten());
                checked.message(path, &Orders { source: &source, variant: &variant })?
            }
            Err(why) => {
                let message = format!("the chunks of {} {why}", sum.statement);
                Some(Diagnostic::error(CODE, message))
            }
        };
        messages.extend(found.map(|message| message.with_help(HELP)));
    }
    messages.extend(origins::passed(path, sections, new)?);
    Ok(messages)
}
