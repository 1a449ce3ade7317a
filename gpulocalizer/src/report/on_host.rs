//! What the report says about a region that stays on the host.

use std::fmt;

use scop::{Placed, Program, Region, Scop};
use serde::Serialize;

use crate::report::host::{HostCall, call};
use crate::residency::names::names;

/// What a region needs on the host.
#[derive(Debug, Default, Serialize)]
pub struct OnHost {
    /// Why the region has no kernels, if that is known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The calls before it.
    pub calls: Vec<HostCall>,
}

/// Describes a region without kernels. Without a plan, nothing is on the device when it begins.
pub fn on_host(program: &Program<Placed>, scop: &Scop<Placed>, region: &Region) -> OnHost {
    let reason = scop.stage.scheduled.mapping.host.first().map(|host| host.reason.clone());
    let names = names(&program.memory);
    let mut calls = Vec::new();
    if let Some(plan) = &program.residency {
        let here =
            plan.actions.iter().filter(|action| action.range == region.range && action.because.is_some());
        calls.extend(here.map(|action| call(action, plan, &names, program)));
    }
    OnHost { reason: reason.unwrap_or_default(), calls }
}

impl fmt::Display for OnHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = if self.reason.is_empty() { String::new() } else { format!(", because {}", self.reason) };
        writeln!(f, "  runs on the host{why}")?;
        for call in &self.calls {
            writeln!(f, "    {}", call.what)?;
            call.more("      ", f)?;
        }
        Ok(())
    }
}
