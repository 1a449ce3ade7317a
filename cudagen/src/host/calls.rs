//! The functions that code outside of regions calls before it touches memory that may be on the device.
//!
//! Their names begin like the names of the regions' functions. These are different in all files of a program, so the
//! names of these functions are, too.

use std::collections::{BTreeMap, BTreeSet};

use scop::touched::named;
use scop::{ActionOp, ClassId, Diagnostic, Diagnostics, HostPlace, ResidencyPlan, names};

use crate::host::operation::ResidencyOp;
use crate::model::view::View;

/// A function that host code calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostCall {
    /// See [`ActionOp::Begin`].
    Begin,
    /// See [`ActionOp::End`].
    End,
    /// See [`ActionOp::Leave`].
    Leave,
    /// See [`ActionOp::Back`].
    Back,
    /// See [`ActionOp::Mark`].
    Mark,
    /// See [`ActionOp::Caught`].
    Caught,
    /// See [`ActionOp::BeginData`].
    BeginData,
    /// See [`ActionOp::Hold`].
    Hold,
    /// See [`ActionOp::HoldClass`].
    HoldClass,
    /// See [`ActionOp::EndData`].
    EndData,
    /// See [`ActionOp::Reads`].
    Reads,
    /// See [`ActionOp::Writes`].
    Writes,
    /// See [`ActionOp::Overwrites`].
    Overwrites,
    /// See [`ActionOp::ReadsClass`].
    ReadsClass,
    /// See [`ActionOp::WritesClass`].
    WritesClass,
    /// See [`ActionOp::Frees`].
    Frees,
    /// See [`ActionOp::Forget`].
    Forget,
    /// See [`ActionOp::Release`].
    Release,
}

impl HostCall {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Begin,
        Self::End,
        Self::Leave,
        Self::Back,
        Self::Mark,
        Self::Caught,
        Self::BeginData,
        Self::Hold,
        Self::HoldClass,
        Self::EndData,
        Self::Reads,
        Self::Writes,
        Self::Overwrites,
        Self::ReadsClass,
        Self::WritesClass,
        Self::Frees,
        Self::Forget,
        Self::Release,
    ];

    /// Returns the end of the function's name.
    fn suffix(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::End => "end",
            Self::Leave => "leave",
            Self::Back => "back",
            Self::Mark => "depth",
            Self::Caught => "caught",
            Self::BeginData => "begin_data",
            Self::Hold => "hold",
            Self::HoldClass => "hold_class",
            Self::EndData => "end_data",
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Overwrites => "overwrites",
            Self::ReadsClass => "reads_class",
            Self::WritesClass => "writes_class",
            Self::Frees => "frees",
            Self::Forget => "forget",
            Self::Release => "release",
        }
    }

    /// Returns the function's parameters, in C. GCC warns if memory without values is passed as a pointer to constants.
    pub fn parameters(self) -> &'static str {
        match self {
            Self::Begin
            | Self::End
            | Self::Leave
            | Self::Back
            | Self::Mark
            | Self::BeginData
            | Self::EndData => "void",
            Self::Caught => "long depth",
            Self::Hold => "const void *start, long bytes, int is_forgotten",
            Self::HoldClass => "int memory_class",
            Self::Reads => "const void *start, long bytes",
            Self::Writes | Self::Overwrites | Self::Forget | Self::Release => "void *start, long bytes",
            Self::ReadsClass | Self::WritesClass => "int memory_class",
            Self::Frees => "void *pointer",
        }
    }

    /// Returns the type of the function's result, in C.
    pub fn result(self) -> &'static str {
        if self == Self::Mark { "long" } else { "void" }
    }

    /// Returns what the header says about the function.
    pub fn comment(self) -> &'static str {
        match self {
            Self::Begin => "From here on, no other code uses memory of the regions until the matching end.",
            Self::End => "Other code may use memory of the regions again: the host gets all newer values.",
            Self::Leave => "Other code will run before the matching end: the host gets all newer values.",
            Self::Back => "That code has returned.",
            Self::Mark => "How many intervals are open, and calls of other code in them.",
            Self::Caught => "An exception was caught: as many are open as at the beginning of its `try`.",
            Self::BeginData => {
                "Memory is held on the device until the matching end, although other code runs."
            }
            Self::Hold => "These bytes are held; at the end, their values on the device may be forgotten.",
            Self::HoldClass => "Memory of this class is held if regions use it.",
            Self::EndData => "The host gets all newer values of what was held.",
            Self::Reads => "The host will read these bytes: it gets newer values from the device.",
            Self::Writes => {
                "The host will change some of these bytes: it gets newer values from the device first."
            }
            Self::Overwrites => "The host will change all of these bytes, without reading them.",
            Self::ReadsClass => "The host will read memory of this class, or of any class if it is negative.",
            Self::WritesClass => {
                "The host will change memory of this class, or of any class if it is negative."
            }
            Self::Frees => "The host will free what the pointer points to.",
            Self::Forget => "These bytes will no longer exist.",
            Self::Release => "These bytes are copied back and leave the device.",
        }
    }
}

/// The functions of a file, by name.
#[derive(Debug, Clone)]
pub struct HostCalls {
    names: BTreeMap<HostCall, String>,
    used: BTreeSet<HostCall>,
}

impl HostCalls {
    /// Chooses names that begin like that of the first region's function and are not `taken`; without regions, like
    /// the name of the file.
    pub fn named_after(regions: &[View<'_>], file: &str, mut taken: BTreeSet<String>) -> Self {
        let part = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let file: String = file.chars().map(part).collect();
        let file = if file.starts_with(|c: char| c.is_ascii_digit()) { format!("f{file}") } else { file };
        let region = regions.first().map_or(file.as_str(), |view| &view.model.name);
        let stem = region.rsplit_once("_scop").map_or(region, |(stem, _)| stem);
        let named = HostCall::ALL.map(|call| {
            let wish = format!("{stem}_host_{}", call.suffix());
            (call, names::unused(&wish, &mut taken))
        });
        Self { names: named.into(), used: BTreeSet::new() }
    }

    /// Returns the functions that some call needs, with their names.
    pub fn used(&self) -> Vec<(HostCall, String)> {
        let used = self.names.iter().filter(|(call, _)| self.used.contains(call));
        used.map(|(call, name)| (*call, name.clone())).collect()
    }

    fn call(&mut self, call: HostCall, arguments: &str) -> String {
        self.used.insert(call);
        let name = self.names.get(&call).map_or("", String::as_str);
        format!("{name}({arguments})")
    }

    /// Returns the name of the variable with what was open at the beginning of the `try` at an offset.
    fn depth(&self, at: u32) -> String {
        format!("{}_{at}", self.names.get(&HostCall::Mark).map_or("", String::as_str))
    }

    fn on_range(
        &mut self,
        call: HostCall,
        place: &HostPlace,
        passed: fn(&str) -> String,
    ) -> Result<String, Diagnostics> {
        let HostPlace { address, bytes } = place;
        let bytes = bytes.as_ref().ok_or_else(|| {
            let what = format!("an action for the memory at `{address}` does not say how long it is");
            Diagnostic::bug("cudagen", what)
        })?;
        Ok(self.call(call, &format!("{}, {bytes}", passed(address))))
    }

    /// Returns the call of an action.
    ///
    /// # Errors
    /// Reports a bug if it names memory of unknown length.
    pub fn action(&mut self, op: &ActionOp, plan: &ResidencyPlan) -> Result<String, Diagnostics> {
        let class = |class: ClassId| number(named(class, plan));
        Ok(match op {
            ActionOp::Begin => self.call(HostCall::Begin, ""),
            ActionOp::End => self.call(HostCall::End, ""),
            ActionOp::Leave => self.call(HostCall::Leave, ""),
            ActionOp::Back => self.call(HostCall::Back, ""),
            // A jump may pass a declaration without a value.
            ActionOp::Mark { at } => {
                let depth = self.depth(*at);
                format!("long {depth}; {depth} = {}", self.call(HostCall::Mark, ""))
            }
            ActionOp::Caught { at } => {
                let depth = self.depth(*at);
                self.call(HostCall::Caught, &depth)
            }
            ActionOp::BeginData => self.call(HostCall::BeginData, ""),
            ActionOp::Hold { place, forgotten } => {
                let passed = self.on_range(HostCall::Hold, place, str::to_owned)?;
                let end = format!(", {})", u8::from(*forgotten));
                passed.strip_suffix(')').map(|start| start.to_owned() + &end).unwrap_or(passed)
            }
            ActionOp::HoldClass { class: of } => self.call(HostCall::HoldClass, &of.0.to_string()),
            ActionOp::EndData => self.call(HostCall::EndData, ""),
            ActionOp::Reads { place } => self.on_range(HostCall::Reads, place, str::to_owned)?,
            ActionOp::Writes { place } => self.on_range(HostCall::Writes, place, str::to_owned)?,
            ActionOp::Overwrites { place } => self.on_range(HostCall::Overwrites, place, str::to_owned)?,
            ActionOp::ReadsClass { class: of } => self.call(HostCall::ReadsClass, &class(*of)),
            ActionOp::WritesClass { class: of } => self.call(HostCall::WritesClass, &class(*of)),
            ActionOp::Frees { pointer } => self.call(HostCall::Frees, &of_any_type(pointer)),
            ActionOp::Forget { place } => self.on_range(HostCall::Forget, place, of_any_type)?,
            ActionOp::Release { place } => self.on_range(HostCall::Release, place, of_any_type)?,
        })
    }

    /// Returns the calls before the original code of a region runs; other operations need none.
    pub fn before_original(&mut self, ops: &[ResidencyOp]) -> Vec<String> {
        let calls = ops.iter().filter_map(|op| match op {
            ResidencyOp::ReadsClass(class) => Some(self.call(HostCall::ReadsClass, &number(*class))),
            ResidencyOp::WritesClass(class) => Some(self.call(HostCall::WritesClass, &number(*class))),
            _ => None,
        });
        calls.collect()
    }
}

/// Returns the argument that stands for a class, or for all of them.
fn number(class: Option<ClassId>) -> String {
    class.map_or("-1".to_owned(), |class| class.0.to_string())
}

/// Casts an address, which may be that of constants.
fn of_any_type(address: &str) -> String {
    if address.contains(' ') { format!("(void *)({address})") } else { format!("(void *){address}") }
}
