//! What the report says about host code: which memory stays on the device between regions, where it is copied, and
//! for which accesses.

use std::fmt;

use scop::{
    ActionOp, HostAction, HostPlace, MemoryClass, MemoryLifetime, MemoryObject, Placed, Procedure, Program,
    ResidencyPlan,
};
use serde::Serialize;

/// The part of the report on the code around the regions.
#[derive(Debug, Default, Serialize)]
pub struct Host {
    /// The classes of memory that stays on the device.
    pub memory: Vec<Kept>,
    /// The calls in host code, in the order of the text.
    pub calls: Vec<HostCall>,
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
}

/// Describes the plan of a program.
pub fn host(program: &Program<Placed>) -> Host {
    let Some(plan) = &program.residency else { return Host::default() };
    let names = |class: &MemoryClass| {
        let objects = class.memory.iter().filter_map(|id| program.memory.get(id.index()));
        objects.map(shown).collect()
    };
    let kept = |class: &MemoryClass| Kept {
        class: class.id.to_string(),
        memory: names(class),
        bounded: class.bounded,
        foreign: class.foreign,
    };
    Host {
        memory: plan.classes.iter().map(kept).collect(),
        calls: plan.actions.iter().map(|action| call(action, plan, program)).collect(),
    }
}

/// Returns the name of an object: a variable, or the memory that a line allocates.
fn shown(object: &MemoryObject) -> String {
    match (object.lifetime, object.made_at) {
        (MemoryLifetime::Allocated, Some(place)) => format!("{} in line {}", object.name, place.line),
        (MemoryLifetime::Program | MemoryLifetime::Block, _) => format!("`{}`", object.name),
        _ => object.name.clone(),
    }
}

fn call(action: &HostAction, plan: &ResidencyPlan, program: &Program<Placed>) -> HostCall {
    let around = |one: &&Procedure| one.range.is_some_and(|range| action.range.is_within(range));
    let class = |id: &scop::ClassId| {
        let memory = plan.classes.get(id.index()).map_or(&[][..], |class| &class.memory);
        let names = memory.iter().filter_map(|id| program.memory.get(id.index()));
        names.map(shown).collect::<Vec<_>>().join(", ")
    };
    // Other files number their classes differently, so calls for a class that they share stand for all.
    let all_of = |id: &scop::ClassId| match plan.classes.get(id.index()) {
        Some(one) if one.foreign => "all memory on the device".to_owned(),
        _ => format!("all of {}", class(id)),
    };
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
    HostCall {
        function: program.host.iter().find(around).map(|one| one.name.clone()).unwrap_or_default(),
        line: action.range.line,
        what,
        because_of_line: action.because.map(|range| range.line),
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.memory.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nbetween the regions")?;
        for kept in &self.memory {
            let when = if kept.bounded { " while no unknown code runs" } else { "" };
            let who =
                if kept.foreign { ", also for regions of other files, or while code holds it" } else { "" };
            writeln!(f, "  {}: {} stays on the device{when}{who}", kept.class, kept.memory.join(", "))?;
        }
        for call in &self.calls {
            let why = match call.because_of_line {
                Some(line) if line != call.line => format!(", because of line {line}"),
                _ => String::new(),
            };
            writeln!(f, "  {}, line {}: {}{why}", call.function, call.line, call.what)?;
        }
        Ok(())
    }
}
