//! What the report says about host code: which memory stays on the device between regions, where it is copied, and
//! for which accesses.

use std::collections::BTreeSet;
use std::fmt;

use scop::{
    ActionOp, ClassId, HostAction, HostNode, MemoryClass, MemoryId, MemoryLifetime, Placed, Prevention,
    Procedure, Program, ResidencyPlan,
};
use serde::Serialize;

use crate::report::kept::never_kept;
use crate::report::places::{Subject, in_lines};
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
    /// The lines that make it leave the device between any two regions that use it, if there is nothing but them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed_in: Vec<u32>,
    /// The lines that do so if the calls are evaluated that lead to them and that may be under a condition in an
    /// expression.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub perhaps_removed_in: Vec<u32>,
    /// True if regions of other files may use it there, or code may hold it there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
    /// True if regions use different parts of it, so that what the device has of it may have to move there to make
    /// room.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub grows: bool,
    /// True if it is copied back when the program ends, because other code may still use it then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub back_at_exit: bool,
    /// The variables of it that other files may name, with the lines of their declarations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub external: Vec<Named>,
    /// The functions that other files may call and that use it, with their lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub callable: Vec<Named>,
    /// The functions that use it and whose addresses other code has, such as `atexit`, with their lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_back: Vec<Named>,
    /// True if it ends with its block.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ends_with_block: bool,
    /// What makes a variable or function known to this file alone.
    #[serde(skip)]
    pub hiding: &'static str,
    /// True for a file of C++.
    #[serde(skip)]
    pub is_cxx: bool,
}

/// A variable or a function.
#[derive(Debug, Serialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// The line of its declaration, if that is in the file itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        write!(f, "`{}`{line}", self.name)
    }
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
    /// True if the access happens only under a condition in the same expression, and the call stands before all of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_be_needless: bool,
}

/// Describes the plan of a program.
pub fn host(program: &Program<Placed>) -> Host {
    let prevented = program.prevented.iter().filter(|one| one.array.is_none()).map(Prevented::from).collect();
    let Some(plan) = &program.residency else { return Host { prevented, ..Host::default() } };
    let names = names(&program.memory);
    let callbacks = program.used_by_callbacks();
    let back_at_exit = |class: &MemoryClass| {
        let is_used = |memory: &BTreeSet<MemoryId>| class.memory.iter().any(|one| memory.contains(one));
        !class.bounded && callbacks.iter().any(|(_, memory)| is_used(memory))
    };
    let is_cxx = program.source.language != "c";
    let hiding = match is_cxx {
        true => "declare % in an unnamed namespace (of members, the whole class)",
        false => "declare % `static`",
    };
    // The program keeps one note for all memory.
    let any_back_at_exit = plan.classes.iter().any(back_at_exit);
    let kept = |class: &MemoryClass| {
        let removed = never_kept(program, plan, class);
        let lines = |always: bool| {
            let removed = removed.iter().filter(|removed| removed.always == always);
            removed.flat_map(|removed| removed.lines.iter().copied()).collect()
        };
        Kept {
            class: class.id.to_string(),
            memory: class.memory.iter().filter_map(|id| names.get(id.index()).cloned()).collect(),
            bounded: class.bounded,
            removed_in: lines(true),
            perhaps_removed_in: lines(false),
            foreign: class.foreign,
            grows: grows(class, program),
            back_at_exit: !class.bounded && any_back_at_exit,
            external: external(class, program),
            callable: callable(class, &callbacks, false),
            called_back: callable(class, &callbacks, true),
            ends_with_block: ends_with_block(class, program),
            hiding,
            is_cxx,
        }
    };
    Host { memory: plan.classes.iter().map(kept).collect(), calls: calls(plan, &names, program), prevented }
}

/// True if resident arrays of a class have different slices. The parameters of different regions are the same for their
/// names.
fn grows(class: &MemoryClass, program: &Program<Placed>) -> bool {
    let devices = program.scops.iter().flat_map(|scop| &scop.stage.placement.device);
    let resident = devices.filter(|device| device.resident == Some(class.id));
    let slices: Vec<_> =
        resident.map(|device| (&device.lower.0, &device.extent.0, &device.inner_extents)).collect();
    slices.windows(2).any(|pair| pair[0] != pair[1])
}

fn external(class: &MemoryClass, program: &Program<Placed>) -> Vec<Named> {
    let objects = class.memory.iter().filter_map(|id| program.memory.get(id.index()));
    // What the library declares, such as `std::cout`, nobody can declare otherwise.
    let external = objects.filter(|object| object.external && object.made_at.is_some());
    external
        .map(|object| Named { name: object.name.clone(), line: object.made_at.map(|place| place.line) })
        .collect()
}

fn ends_with_block(class: &MemoryClass, program: &Program<Placed>) -> bool {
    let mut objects = class.memory.iter().filter_map(|id| program.memory.get(id.index()));
    objects.any(|object| object.lifetime == MemoryLifetime::Block && !object.exposed)
}

fn callable(
    class: &MemoryClass,
    callbacks: &[(&Procedure, BTreeSet<MemoryId>)],
    internal: bool,
) -> Vec<Named> {
    let uses =
        |(_, memory): &&(&Procedure, BTreeSet<MemoryId>)| class.memory.iter().any(|one| memory.contains(one));
    let callable = callbacks.iter().filter(uses).map(|(procedure, _)| procedure);
    let callable = callable.filter(|procedure| procedure.internal == internal);
    callable.map(|one| Named { name: one.name.clone(), line: one.range.map(|range| range.line) }).collect()
}

/// Describes the calls of a plan. Two in one line that say the same are one for people: the text of a `return` has some
/// twice.
fn calls(plan: &ResidencyPlan, names: &[String], program: &Program<Placed>) -> Vec<HostCall> {
    let mut calls: Vec<HostCall> = Vec::new();
    for one in plan.actions.iter().map(|action| call(action, plan, names, program)) {
        let is_same = |other: &HostCall| (other.line, &other.what) == (one.line, &one.what);
        if !calls.iter().any(is_same) {
            calls.push(one);
        }
    }
    calls
}

/// Describes a call.
pub fn call(
    action: &HostAction,
    plan: &ResidencyPlan,
    names: &[String],
    program: &Program<Placed>,
) -> HostCall {
    let around = |one: &&Procedure| one.range.is_some_and(|range| action.range.is_within(range));
    let procedure = program.host.iter().find(around);
    let line = match procedure {
        Some(procedure) if action.after => procedure.last_line(action.range),
        _ => action.range.line,
    };
    let because_of_line = action.because.map(|range| range.line);
    let place = because_of_line
        .filter(|because| *because != line)
        .map_or_else(|| "here".to_owned(), |line| format!("in line {line}"));
    HostCall {
        function: procedure.map(|one| one.name.clone()).unwrap_or_default(),
        line,
        what: what(action, &place, (plan, names, program)),
        because_of_line,
        not_known_because: procedure.and_then(|procedure| why_not_known(action, procedure)),
        may_be_needless: procedure.is_some_and(|procedure| is_guarded(action, procedure)),
    }
}

/// Returns what happens at a call. `place` says where the access is for whose sake it stands there.
fn what(
    action: &HostAction,
    place: &str,
    (plan, names, program): (&ResidencyPlan, &[String], &Program<Placed>),
) -> String {
    let class = |id: &ClassId| of_class(*id, plan, names);
    let all_of = |id: &ClassId| Subject::one(all_of_class(*id, plan, names));
    let read = |subject: &Subject, verb: &str| {
        format!(
            "{subject} {verb} read {place}: {} copied back first if {} newer on the device",
            subject.they_are(),
            subject.they_are()
        )
    };
    let written = |subject: &Subject, verb: &str| {
        format!(
            "{subject} {verb} written {place}: {} copied back first if {} newer on the device, and to it when it needs {}",
            subject.they_are(),
            subject.they_are(),
            subject.them()
        )
    };
    match &action.op {
        ActionOp::Begin => "from here on, memory that other code may touch can stay on the device".to_owned(),
        ActionOp::End if action.after => {
            "after the last region, what other code may touch is copied back and leaves the device".to_owned()
        }
        ActionOp::End => {
            "before this jump, what other code may touch is copied back and leaves the device".to_owned()
        }
        ActionOp::Leave => {
            let (does, way_out) =
                unknown(action, program).unwrap_or_else(|| ("runs unknown code".to_owned(), String::new()));
            let way_out = if way_out.is_empty() { way_out } else { format!(": {way_out}") };
            format!(
                "what other code may touch is copied back and leaves the device, because this {does}{way_out}"
            )
        }
        ActionOp::Back => {
            "after this, memory that other code may touch can stay on the device again".to_owned()
        }
        ActionOp::Mark { .. } => {
            "exceptions that are caught here end what began in this statement".to_owned()
        }
        ActionOp::Caught { .. } => {
            "after an exception, memory can stay on the device as before the statement".to_owned()
        }
        ActionOp::BeginData => {
            "from here on, memory is held on the device, although unknown code runs".to_owned()
        }
        ActionOp::Hold { place, forgotten } => {
            let end = if *forgotten { ", and not copied back at the end" } else { "" };
            let subject = Subject::of(place);
            format!("{subject} {} held on the device{end}", subject.be())
        }
        ActionOp::HoldClass { class: id } => {
            format!("{} is held on the device if regions use it", class(id))
        }
        ActionOp::EndData => "what was held is copied back and leaves the device".to_owned(),
        ActionOp::Reads { place } => {
            let subject = Subject::of(place);
            read(&subject, subject.be())
        }
        ActionOp::Writes { place } => {
            let subject = Subject::of(place);
            written(&subject, subject.be())
        }
        ActionOp::Overwrites { place: bytes } => {
            let subject = Subject::of(bytes);
            format!(
                "{subject} {} written {place}: {} copied to the device when it needs {}",
                subject.be(),
                subject.they_are(),
                subject.them()
            )
        }
        ActionOp::ReadsClass { class: id } => read(&all_of(id), "may be"),
        ActionOp::WritesClass { class: id } => written(&all_of(id), "may be"),
        ActionOp::Frees { pointer } => {
            format!("what `{pointer}` points to is freed {place}: it leaves the device without a copy")
        }
        ActionOp::Forget { place: bytes } if action.because.is_some() => {
            let subject = Subject::of(bytes);
            format!(
                "{subject} {} freed {place}, and {} the device without a copy",
                subject.be(),
                subject.leave()
            )
        }
        ActionOp::Forget { place } => {
            let subject = Subject::of(place);
            format!(
                "{subject} {} with the block, and {} the device without a copy",
                subject.end(),
                subject.leave()
            )
        }
        ActionOp::Release { place } => {
            let subject = Subject::of(place);
            format!(
                "before this jump, {subject} {} copied back and {} the device",
                subject.be(),
                subject.leave()
            )
        }
    }
}

/// Returns what unknown code does around which a call stands, `calls `f`, whose body is not in this file`, and what the
/// user can do about it.
fn unknown(action: &HostAction, program: &Program<Placed>) -> Option<(String, String)> {
    let mut found = None;
    for procedure in
        program.host.iter().filter(|one| one.range.is_some_and(|range| action.range.is_within(range)))
    {
        HostNode::walk(&procedure.body, &mut |node| {
            let here = node.codes().into_iter().find(|code| code.range == action.range);
            let said = here.and_then(|code| Some((code.unknown.clone()?, code.way_out.clone())));
            found = found.take().or(said);
        });
    }
    found
}

/// True for a copy that is needed only under a condition in the expression before which it is made.
fn is_guarded(action: &HostAction, procedure: &Procedure) -> bool {
    let Some(because) = action.because else { return false };
    let mut found = false;
    HostNode::walk(&procedure.body, &mut |node| {
        let codes = node.codes().into_iter().filter(|code| code.range == action.range);
        found |= codes.flat_map(|code| &code.touches).any(|touch| touch.guarded && touch.range == because);
    });
    found && !matches!(action.op, ActionOp::Overwrites { .. } | ActionOp::Frees { .. })
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
            HostNode::Region(region) if region.range == action.range => {
                // Only those have reasons whose code is that of the host.
                &region.original
            }
            _ => &[],
        };
        let codes = node.codes().into_iter().filter(|code| code.range == action.range);
        let mut touches = codes.flat_map(|code| &code.touches).chain(of_node);
        let reason = touches.find_map(|touch| touch.unplaced.as_ref().filter(|_| touch.range == because));
        found = found.take().or_else(|| reason.cloned());
    });
    found
}

impl Kept {
    /// Says what lets other code use the memory, and what it costs.
    fn opening(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cost = match (self.bounded, self.back_at_exit) {
            (true, _) => "leaves the device before unknown code runs",
            (false, true) => "is copied back when the program ends",
            (false, false) => return Ok(()),
        };
        if !self.called_back.is_empty() {
            let called: Vec<String> = self.called_back.iter().map(Named::to_string).collect();
            let (them, it) =
                if called.len() == 1 { ("it", "its address") } else { ("them", "their addresses") };
            let called = called.join(", ");
            match self.is_cxx {
                true => writeln!(
                    f,
                    "    {cost}, because code that is not in the file may call {called}, whose address it has, as with `atexit`, \
                     or which it finds by the classes of arguments: call {them} yourself, do not pass {it} on, and \
                     pass numbers and pointers to numbers"
                )?,
                false => writeln!(
                    f,
                    "    {cost}, because other code, such as `atexit`, has the address of {called}: call {them} yourself, and do \
                     not pass {it} on, if nothing else calls {them}"
                )?,
            }
        }
        let all = |named: &[Named]| named.iter().map(Named::to_string).collect::<Vec<_>>().join(", ");
        let opened = match (&self.external[..], &self.callable[..]) {
            ([], []) if self.bounded && self.called_back.is_empty() && self.ends_with_block => {
                let or_new = if self.is_cxx { " or `new`" } else { "" };
                return writeln!(
                    f,
                    "    may be copied back after the last region, because it ends with its block: to keep it on the device, \
                     allocate it with `malloc`{or_new}"
                );
            }
            ([], []) => return Ok(()),
            (external, []) => format!("use {}", all(external)),
            ([], callable) => format!("call {}", all(callable)),
            (external, callable) => format!("use {} and call {}", all(external), all(callable)),
        };
        let them = if self.external.len() + self.callable.len() == 1 { "it" } else { "them" };
        writeln!(
            f,
            "    {cost}, because other files may {opened}: {} if no other file does that",
            self.hiding.replace('%', them)
        )
    }
}

impl HostCall {
    /// Says how the text could be written so that less is copied, with `indent` before each line.
    pub fn more(&self, indent: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.not_known_because {
            writeln!(f, "{indent}for which elements is not known, because {reason}")?;
        }
        if self.may_be_needless {
            writeln!(
                f,
                "{indent}whatever the condition before it in the same expression says: to copy only where this is used, test \
                 that condition in an `if` of its own around it"
            )?;
        }
        Ok(())
    }
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
            let is_one = kept.memory.len() == 1 && !kept.memory[0].starts_with("the elements");
            let stays = match (&kept.removed_in[..], is_one) {
                ([], true) => "stays on the device",
                ([], _) => "stay on the device",
                _ => "could stay on the device",
            };
            writeln!(f, "  {}: {} {stays}{when}{who}", kept.class, kept.memory.join("; "))?;
            if !kept.removed_in.is_empty() {
                let lines = in_lines(&kept.removed_in);
                writeln!(
                    f,
                    "    but is copied in each run of a region, because of {lines}: see there below"
                )?;
            }
            if !kept.perhaps_removed_in.is_empty() {
                let lines = in_lines(&kept.perhaps_removed_in);
                let are = if kept.perhaps_removed_in.len() == 1 { "is" } else { "are" };
                writeln!(
                    f,
                    "    but is copied in each run of a region before which {lines} {are} executed: see there below"
                )?;
            }
            if kept.grows {
                writeln!(
                    f,
                    "    regions use different parts of it: if one needs more than the device has, what is there moves within \
                     the device"
                )?;
            }
            kept.opening(f)?;
        }
        for call in &self.calls {
            writeln!(f, "  {}, line {}: {}", call.function, call.line, call.what)?;
            call.more("    ", f)?;
        }
        Ok(())
    }
}
