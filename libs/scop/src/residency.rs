//! The section that gpulocalizer writes for the whole program: what stays on the device between regions, and the calls
//! in host code that keep both copies of it in agreement.
//!
//! The generated program has a table of the memory that the device holds, by address on the host. The table knows for
//! each byte which side has the newest value. A region adds what it uses, copies in only what is newer on the host,
//! and notes what it writes. Host code that may touch such memory first calls a function of the table
//! ([`HostAction`]).
//!
//! Memory that unknown code may touch stays on the device only inside intervals ([`ActionOp::Begin`],
//! [`ActionOp::End`]), in which no unknown code runs; outside of them each region copies back what it wrote.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ClassId, HostPlace, MemoryId, Position, SourceRange};

/// What stays on the device between regions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResidencyPlan {
    /// The classes of memory that may stay on the device.
    pub classes: Vec<MemoryClass>,
    /// The calls in host code, in the order of the text; at one place, in the order of execution.
    pub actions: Vec<HostAction>,
}

/// Memory that arrays of regions share: each resident array is in one class, and no object in two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryClass {
    /// `D0, D1, …`.
    pub id: ClassId,
    /// The objects that the arrays of this class may be.
    pub memory: Vec<MemoryId>,
    /// True if the memory may stay on the device only inside intervals.
    pub bounded: bool,
    /// True if other files of the program may put this memory on the device, or code may hold it there: calls for the
    /// whole class stand for all memory there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
    /// True if all code of the document that touches this memory calls the table before, also outside of intervals: the
    /// memory can be held on the device although unknown code runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub announced: bool,
}

/// A call in host code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostAction {
    /// The code at which it stands.
    pub range: SourceRange,
    /// How it can be added there.
    pub position: Position,
    /// True if it stands after the code; otherwise before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after: bool,
    /// What it does.
    pub op: ActionOp,
    /// The access for whose sake it stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<SourceRange>,
}

/// What a call in host code does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum ActionOp {
    /// An interval begins, in which memory of bounded classes may stay on the device. Intervals may be nested.
    Begin,
    /// An interval ends; at the end of the outermost, memory of bounded classes is copied back and leaves the device.
    End,
    /// Unknown code will run inside an interval: memory of bounded classes is copied back and leaves the device. Until
    /// `back`, regions copy back at their end all that they write.
    Leave,
    /// The unknown code has returned.
    Back,
    /// A `try` begins, which starts at the offset `at` of the text: how many intervals are open now, and how many calls
    /// of unknown code in them, is noted.
    Mark {
        /// The offset.
        at: u32,
    },
    /// An exception was caught by the `try` at an offset: as many are open as were noted.
    Caught {
        /// The offset.
        at: u32,
    },
    /// A statement begins during which memory is held on the device ([`crate::HostData`]). Such statements may be
    /// nested.
    BeginData,
    /// This memory is held until the statement ends, although unknown code runs.
    Hold {
        /// The memory.
        place: HostPlace,
        /// True if it is not copied back at the end.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        forgotten: bool,
    },
    /// Memory of a class is held that regions use until the statement ends.
    HoldClass {
        /// The class.
        class: ClassId,
    },
    /// The statement ends: what it held is copied back and leaves the device, unless it is held otherwise or in an
    /// interval.
    EndData,
    /// Host code will read this memory: what is newer on the device is copied back.
    Reads {
        /// The memory.
        place: HostPlace,
    },
    /// Host code will write to this memory: what is newer on the device is copied back, and from then on the host has
    /// the newest values.
    Writes {
        /// The memory.
        place: HostPlace,
    },
    /// Host code will overwrite all of this memory: from then on the host has the newest values.
    Overwrites {
        /// The memory.
        place: HostPlace,
    },
    /// As `reads`, for all memory of a class.
    ReadsClass {
        /// The class.
        class: ClassId,
    },
    /// As `writes`, for all memory of a class.
    WritesClass {
        /// The class.
        class: ClassId,
    },
    /// Host code will free what a pointer points to: the device forgets all of it.
    Frees {
        /// The pointer.
        pointer: String,
    },
    /// This memory will no longer exist, because its block ends or because it is freed: the device forgets it.
    Forget {
        /// The memory.
        place: HostPlace,
    },
    /// This memory is copied back and leaves the device.
    Release {
        /// The memory.
        place: HostPlace,
    },
}

/// The call in words, for messages: `reads &u[0]`.
impl fmt::Display for ActionOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begin => write!(f, "begin"),
            Self::End => write!(f, "end"),
            Self::Leave => write!(f, "leave"),
            Self::Back => write!(f, "back"),
            Self::Mark { .. } => write!(f, "mark"),
            Self::Caught { .. } => write!(f, "caught"),
            Self::BeginData => write!(f, "begin data"),
            Self::Hold { place, .. } => write!(f, "hold {}", place.address),
            Self::HoldClass { class } => write!(f, "hold {class}"),
            Self::EndData => write!(f, "end data"),
            Self::Reads { place } => write!(f, "reads {}", place.address),
            Self::Writes { place } => write!(f, "writes {}", place.address),
            Self::Overwrites { place } => write!(f, "overwrites {}", place.address),
            Self::ReadsClass { class } => write!(f, "reads {class}"),
            Self::WritesClass { class } => write!(f, "writes {class}"),
            Self::Frees { pointer } => write!(f, "frees {pointer}"),
            Self::Forget { place } => write!(f, "forget {}", place.address),
            Self::Release { place } => write!(f, "release {}", place.address),
        }
    }
}
