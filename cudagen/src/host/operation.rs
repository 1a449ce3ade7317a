//! The operations of host functions that each language spells in its own way.

use scop::c_text::Fragment;
use scop::{Axis, CType, ClassId};

use crate::code::stmt::Operation;

/// The operations of host functions that each language spells in its own way. Texts are C++ expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostOp {
    /// Declines if one of the conditions holds.
    Decline {
        /// The reason.
        reason: String,
        /// The conditions.
        conditions: Vec<Condition>,
        /// What the original code needs before it runs on the host.
        before: Vec<ResidencyOp>,
    },
    /// Declares a size in bytes.
    Size {
        /// Its name.
        name: String,
        /// The size.
        bytes: String,
        /// True if the size may remain unused.
        may_be_unused: bool,
    },
    /// Declares a pointer and allocates device memory for it.
    Allocate {
        /// The pointer.
        pointer: Pointer,
        /// The size.
        bytes: String,
        /// True if memory that stays between regions may leave to make room.
        makes_room: bool,
    },
    /// Declares a pointer and allocates host memory for it.
    AllocateOnHost {
        /// The pointer.
        pointer: Pointer,
        /// The size.
        bytes: String,
    },
    /// Declares a pointer into memory allocated before.
    PointInto {
        /// The pointer.
        pointer: Pointer,
        /// The memory, a pointer to bytes.
        memory: String,
        /// The offset in bytes; `None` for zero.
        start: Option<String>,
    },
    /// Frees device memory.
    Free(String),
    /// Frees host memory.
    FreeOnHost {
        /// The pointer to the memory.
        pointer: String,
        /// True if the program uses the name `free` for something else.
        is_qualified: bool,
    },
    /// Copies elements between host and device.
    Copy(Copy),
    /// Declares a kernel argument that is passed by value.
    DeclareStructure {
        /// Its type.
        structure: String,
        /// The variable.
        name: String,
    },
    /// Fills such an argument.
    FillStructure {
        /// The variable.
        name: String,
        /// The first element on the host.
        from: String,
    },
    /// Locks the variable in constant memory against other regions.
    HoldConstants,
    /// Fills a part of the variable in constant memory.
    FillConstants {
        /// The type of the region's part.
        structure: String,
        /// The member.
        member: String,
        /// The first element on the host.
        from: String,
    },
    /// Waits for all kernels.
    Synchronise,
    /// Allows a kernel more shared memory than the default.
    AllowShared {
        /// The kernel.
        kernel: String,
        /// The number of bytes.
        bytes: u64,
    },
    /// Launches a kernel.
    Launch(Launch),
    /// An operation on the memory that stays on the device between regions.
    Residency(ResidencyOp),
    /// Begins a phase of a comparison.
    BeginComparison {
        /// The variable of the region's comparison.
        region: String,
    },
    /// Saves, restores or compares memory that the region may write.
    Compare {
        /// The variable of the region's comparison.
        region: String,
        /// The memory.
        range: Box<ComparedRange>,
    },
}

/// The declaration of a pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// The type that it points to.
    pub ctype: CType,
    /// Its name.
    pub name: String,
}

/// A range of host memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The address of its first byte.
    pub start: String,
    /// Its size in bytes.
    pub bytes: String,
}

/// A condition under which a host function declines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// An expression of C++ holds.
    Expression(String),
    /// A range of memory is constant; this is checked only if the expression, where there is one, holds.
    Constant(Option<Fragment>, Range),
    /// Two ranges of memory overlap.
    Overlap(Range, Range),
}

/// A copy between host and device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// The address on the host.
    pub host: String,
    /// The address on the device.
    pub device: String,
    /// True from host to device.
    pub to_device: bool,
    /// What is copied.
    pub form: CopyForm,
}

/// What a copy moves. Sizes are in bytes, except numbers of rows and slices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyForm {
    /// This many contiguous bytes.
    Whole(String),
    /// Rows of the same width.
    Rows {
        /// The distance between rows on the host.
        host_pitch: String,
        /// The distance between rows on the device.
        device_pitch: String,
        /// The width of a row.
        width: String,
        /// The number of rows.
        rows: String,
    },
    /// Slices of rows, with the same layout on both sides.
    Slices {
        /// The distance between rows.
        pitch: String,
        /// The distance between slices, in rows.
        height: String,
        /// The width of a row.
        width: String,
        /// The number of rows in each slice.
        rows: String,
        /// The number of slices.
        slices: String,
    },
}

/// The launch of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The kernel.
    pub kernel: String,
    /// The number of blocks along each axis; `None` for one.
    pub grid: [Option<String>; 3],
    /// The number of threads along each axis; `None` for one.
    pub block: [Option<u32>; 3],
    /// The axes along which the grid is launched in parts, with the largest number of blocks of a part.
    pub parts: Vec<(Axis, i64)>,
    /// The bytes of dynamic shared memory.
    pub dynamic_bytes: u64,
    /// The arguments of the kernel.
    pub arguments: Vec<LaunchArgument>,
}

/// An argument of a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaunchArgument {
    /// A value.
    Value(String),
    /// The coordinate of the first block of a part.
    FirstBlock {
        /// The axis.
        axis: Axis,
        /// The coordinate of the first block of the whole grid; `None` for zero.
        lower: Option<Fragment>,
    },
}

/// The operations of a region on the memory that stays on the device between regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResidencyOp {
    /// Copies back the newest values of memory that the region reads in another way.
    Reads(Range),
    /// The same before the region writes the memory in another way.
    Writes(Range),
    /// Copies back the newest values of all memory of a class, or of all classes, which the host will read.
    ReadsClass(Option<ClassId>),
    /// The same before the host writes it.
    WritesClass(Option<ClassId>),
    /// Declares the list of the slices that may stay on the device, and makes the device hold them.
    Reserve {
        /// The list.
        variable: String,
        /// The slices.
        slices: Vec<ResidentSlice>,
    },
    /// Declares a pointer to the device's copy of memory.
    Find {
        /// The pointer.
        pointer: Pointer,
        /// Where the memory begins on the host.
        start: String,
    },
    /// Brings the newest values of memory to the device before kernels use them.
    Needs(Range),
    /// Notes that kernels wrote the memory.
    Wrote(Range),
    /// Marks the end of the region.
    Done {
        /// The list of the slices.
        variable: String,
    },
}

/// A slice that may stay on the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResidentSlice {
    /// The memory.
    pub range: Range,
    /// The class of the memory.
    pub class: ClassId,
    /// True if unknown code may touch the memory.
    pub bounded: bool,
    /// True if unknown code may hold the memory on the device.
    pub announced: bool,
}

/// Memory that a region may write, with what messages about it need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedRange {
    /// The object's name in the source, up to the subscripts.
    pub array: String,
    /// The text after the subscripts of structures.
    pub member: String,
    /// The address of its first byte.
    pub start: String,
    /// The number of pieces.
    pub rows: String,
    /// The size of each piece in bytes.
    pub width: String,
    /// The distance between pieces in bytes.
    pub stride: String,
    /// True if nothing reads it after the region.
    pub is_dead: bool,
    /// The way in which its values are printed.
    pub kind: char,
    /// The type of its values.
    pub element: CType,
    /// The number of its subscripts.
    pub dimensions: usize,
    /// The number of subscripts before the member.
    pub structures: usize,
    /// The first index of the outermost dimension.
    pub first: String,
    /// The extents of the other dimensions.
    pub extents: Vec<String>,
}

impl Operation for HostOp {
    fn declares(&self) -> Option<&str> {
        match self {
            Self::Size { name, .. } | Self::DeclareStructure { name, .. } => Some(name),
            Self::Allocate { pointer, .. }
            | Self::AllocateOnHost { pointer, .. }
            | Self::PointInto { pointer, .. }
            | Self::Residency(ResidencyOp::Find { pointer, .. }) => Some(&pointer.name),
            Self::Residency(ResidencyOp::Reserve { variable, .. }) => Some(variable),
            _ => None,
        }
    }
}
