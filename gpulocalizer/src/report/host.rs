//! What the report says about host code: which memory stays on the device between regions, where it is copied, and
//! for which accesses.

use std::fmt;

use scop::{
    ActionOp, ClassId, HostAction, HostNode, HostPlace, MemoryClass, Placed, Prevention, Procedure, Program,
    ResidencyPlan,
};
use serde::Serialize;

use crate::residency::names::{all_of_class, names, of_class};

/// The part of the report on the code around the regions.
#[derive(Debug, Default, Serialize)]
pub struct Host {
    /// The classes of memory that stays on the device.
    pub memory: Vec<Kept>,
    /// The calls in host code, in the order of the text.
    pub calls: Vec<HostCall>,
    /// Why nothing stays on the device, if something keeps all memory of the file from staying.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prevented: Vec<Prevented>,
}

/// Something that keeps memory from staying on the device.
#[derive(Debug, Serialize)]
pub struct Prevented {
    /// The reason.
    pub reason: String,
    /// The line of the code, if it is in the file itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What the user can do about it.
    pub way_out: String,
}

impl From<&Prevention> for Prevented {
    fn from(one: &Prevention) -> Self {
        let line = one.range.map(|range| range.line);
        Self { reason: one.reason.clone(), line, way_out: one.way_out.clone() }
    }
}

impl fmt::Display for Prevented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        write!(f, "because {}{line}: {}", self.reason, self.way_out)
    }
}

/// Memory that stays on the device.
#[derive(Debug, Serialize)]
pub struct Kept {
    /// The id of the class.
    pub class: String,
    /// The names of the memory objects.
    pub memory: Vec<String>,
    /// True if it stays only inside intervals without unknown code.
    pub bounded: bool,
    /// True if regions of other files may use it there, or code may hold it there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
}

/// A call in host code.
#[derive(Debug, Serialize)]
pub struct HostCall {
    /// The function that contains it.
    pub function: String,
    /// The line of the code at which it stands.
    pub line: u32,
    /// What happens there.
    pub what: String,
    /// The line of the access for whose sake it stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because_of_line: Option<u32>,
    /// Why the call is for all memory of a class, if the text could be written so that it is for less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_known_because: Option<String>,
}

/// Describes the plan of a program.
pub fn host(program: &Program<Placed>) -> Host {
    let prevented = program.prevented.iter().filter(|one| one.array.is_none()).map(Prevented::from).collect();
    let Some(plan) = &program.residency else { return Host { prevented, ..Host::default() } };
    let names = names(&program.memory);
    let kept = |class: &MemoryClass| Kept {
        class: class.id.to_string(),
        memory: class.memory.iter().filter_map(|id| names.get(id.index()).cloned()).collect(),
        bounded: class.bounded,
        foreign: class.foreign,
    };
    Host {
        memory: plan.classes.iter().map(kept).collect(),
        calls: plan.actions.iter().map(|action| call(action, plan, &names, program)).collect(),
        prevented,
    }
}

fn call(action: &HostAction, plan: &ResidencyPlan, names: &[String], program: &Program<Placed>) -> HostCall {
    let around = |one: &&Procedure| one.range.is_some_and(|range| action.range.is_within(range));
    let class = |id: &ClassId| of_class(*id, plan, names);
    let all_of = |id: &ClassId| all_of_class(*id, plan, names);
    let bytes = |place: &HostPlace| match &place.bytes {
        Some(bytes) => format!("`{bytes}` bytes at `{}`", place.address),
        None => format!("the memory at `{}`", place.address),
    };
    let what = match &action.op {
        ActionOp::Begin => "from here on, memory that other code may touch can stay on the device".to_owned(),
        ActionOp::End => "what other code may touch is copied back and leaves the device".to_owned(),
        ActionOp::Leave => {
            "unknown code runs: what it may touch is copied back and leaves the device".to_owned()
        }
        ActionOp::Back => "unknown code has returned".to_owned(),
        ActionOp::BeginData => {
            "from here on, memory is held on the device, although unknown code runs".to_owned()
        }
        ActionOp::Hold { place, forgotten } => {
            let end = if *forgotten { ", and not copied back at the end" } else { "" };
            format!("{} are held on the device{end}", bytes(place))
        }
        ActionOp::HoldClass { class: id } => {
            format!("{} is held on the device if regions use it", class(id))
        }
        ActionOp::EndData => "what was held is copied back and leaves the device".to_owned(),
        ActionOp::Reads { place } => {
            format!("{} are copied back if they are newer on the device", bytes(place))
        }
        ActionOp::Writes { place } => {
            format!(
                "{} are copied back if they are newer on the device, and to it when it needs them",
                bytes(place)
            )
        }
        ActionOp::Overwrites { place } => {
            format!("{} are copied to the device when it needs them", bytes(place))
        }
        ActionOp::ReadsClass { class: id } => {
            format!("{} is copied back if it is newer on the device", all_of(id))
        }
        ActionOp::WritesClass { class: id } => {
            format!("{} is copied back if it is newer on the device, and to it when it needs it", all_of(id))
        }
        ActionOp::Frees { pointer } => {
            format!("what `{pointer}` points to leaves the device without a copy")
        }
        ActionOp::Forget { place } => format!("{} leave the device without a copy", bytes(place)),
        ActionOp::Release { place } => format!("{} are copied back and leave the device", bytes(place)),
    };
    let procedure = program.host.iter().find(around);
    let line = match procedure {
        Some(procedure) if action.after => procedure.last_line(action.range),
        _ => action.range.line,
    };
    HostCall {
        function: procedure.map(|one| one.name.clone()).unwrap_or_default(),
        line,
        what,
        because_of_line: action.because.map(|range| range.line),
        not_known_because: procedure.and_then(|procedure| why_not_known(action, procedure)),
    }
}

/// Returns why a call is for all memory of a class: because the text does not say which elements an access touches.
fn why_not_known(action: &HostAction, procedure: &Procedure) -> Option<String> {
    let (ActionOp::ReadsClass { .. } | ActionOp::WritesClass { .. }, Some(because)) =
        (&action.op, action.because)
    else {
        return None;
    };
    let mut found = None;
    HostNode::walk(&procedure.body, &mut |node| {
        let of_node = match node {
            HostNode::Loop(one) if one.range == action.range => &one.touches[..],
            HostNode::Region(region) if region.range == action.range => &region.touches,
            _ => &[],
        };
        let codes = node.codes().into_iter().filter(|code| code.range == action.range);
        let mut touches = codes.flat_map(|code| &code.touches).chain(of_node);
        let reason = touches.find_map(|touch| touch.unplaced.as_ref().filter(|_| touch.range == because));
        found = found.take().or_else(|| reason.cloned());
    });
    found
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.memory.is_empty() && self.prevented.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nbetween the regions")?;
        for prevented in &self.prevented {
            writeln!(f, "  nothing stays on the device, {prevented}")?;
        }
        for kept in &self.memory {
            let when = if kept.bounded { " while no unknown code runs" } else { "" };
            let who =
                if kept.foreign { ", also for regions of other files, or while code holds it" } else { "" };
            let stays = if kept.memory.len() == 1 { "stays" } else { "stay" };
            writeln!(f, "  {}: {} {stays} on the device{when}{who}", kept.class, kept.memory.join("; "))?;
        }
        for call in &self.calls {
            let why = match call.because_of_line {
                Some(line) if line != call.line => format!(", because of line {line}"),
                _ => String::new(),
            };
            writeln!(f, "  {}, line {}: {}{why}", call.function, call.line, call.what)?;
            if let Some(reason) = &call.not_known_because {
                writeln!(f, "    for which elements is not known, because {reason}")?;
            }
        }
        Ok(())
    }
}
