//! What the report says about a region that stays on the host.

use std::collections::BTreeSet;
use std::fmt;

use scop::touched::{Classes, arrays_of_original, classes_of};
use scop::{AccessKind, Array, ArrayId, Model, Placed, Program, ResidencyPlan, Scop};
use serde::Serialize;

use crate::report::places::in_lines;
use crate::residency::names::{all_of_class, names};

/// What a region uses on the host.
#[derive(Debug, Default, Serialize)]
pub struct OnHost {
    /// Why the region has no kernels, if that is known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The arrays that may be on the device when the region begins.
    pub uses: Vec<Used>,
}

/// An array that may be on the device.
#[derive(Debug, Serialize)]
pub struct Used {
    /// The name in the source.
    pub array: String,
    /// The lines of the statements that read it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines_that_read: Vec<u32>,
    /// The lines of the statements that write it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines_that_write: Vec<u32>,
    /// What is copied for its sake.
    pub copied: String,
}

/// Describes a region without kernels. Without a plan, nothing is on the device when it begins.
pub fn on_host(program: &Program<Placed>, scop: &Scop<Placed>) -> OnHost {
    let reason = scop.stage.scheduled.mapping.host.first().map(|host| host.reason.clone());
    let names = names(&program.memory);
    let arrays = arrays_of_original(&scop.model).into_iter().map(|(array, _)| array);
    let of_plan = |plan| arrays.filter_map(|array| used(&scop.model, array, plan, &names)).collect();
    let uses = program.residency.as_ref().map_or_else(Vec::new, of_plan);
    OnHost { reason: reason.unwrap_or_default(), uses }
}

fn used(model: &Model, array: &Array, plan: &ResidencyPlan, names: &[String]) -> Option<Used> {
    let copied = match classes_of(array, plan) {
        Classes::All => "all memory on the device".to_owned(),
        Classes::Some(classes) => {
            let classes = classes.into_iter().map(|class| all_of_class(class, plan, names));
            classes.reduce(|all, one| format!("{all} and {one}"))?
        }
    };
    Some(Used {
        array: array.expansion_of.as_ref().unwrap_or(&array.name).clone(),
        lines_that_read: lines(model, array.id, AccessKind::Read),
        lines_that_write: lines(model, array.id, AccessKind::Write),
        copied,
    })
}

/// Returns the lines of the statements with accesses of this kind to an array.
fn lines(model: &Model, array: ArrayId, kind: AccessKind) -> Vec<u32> {
    let is_one = |access: &scop::Access| access.array == array && access.kind == kind;
    let statements = model.statements.iter().filter(|statement| statement.accesses.iter().any(is_one));
    let lines: BTreeSet<u32> = statements.map(|statement| statement.range.line).collect();
    lines.into_iter().collect()
}

impl fmt::Display for OnHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = if self.reason.is_empty() { String::new() } else { format!(", because {}", self.reason) };
        writeln!(f, "  runs on the host{why}")?;
        for used in &self.uses {
            writeln!(f, "  {}", used.array)?;
            let (both, lines) = match &used.lines_that_write[..] {
                [] => ("", format!("read in {}", in_lines(&used.lines_that_read))),
                lines => (", and to it when it needs it", format!("written in {}", in_lines(lines))),
            };
            writeln!(
                f,
                "    {lines}: {} is copied back first if it is newer on the device{both}",
                used.copied
            )?;
        }
        Ok(())
    }
}
