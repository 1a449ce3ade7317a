//! The operations of host functions that each language spells in its own way.

use scop::c_text::Fragment;
use scop::{Axis, CType};

use crate::code::stmt::Operation;

/// What languages spell in host functions. Texts are expressions of C++.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostOp {
    /// Returns that nothing was done if a condition holds.
    Decline {
        /// Why.
        reason: String,
        /// The conditions.
        conditions: Vec<Condition>,
        /// True if what is resident is copied back first.
        ends_residency: bool,
    },
    /// Declares the size of something in bytes.
    Size {
        /// Its name.
        name: String,
        /// The size.
        bytes: String,
        /// True if perhaps nothing mentions it.
        may_be_unused: bool,
    },
    /// Declares a pointer to new memory on the device.
    Allocate {
        /// The pointer.
        pointer: Pointer,
        /// The size.
        bytes: String,
        /// True if what stays on the device makes room.
        makes_room: bool,
    },
    /// Declares a pointer to new memory on the host.
    AllocateOnHost {
        /// The pointer.
        pointer: Pointer,
        /// The size.
        bytes: String,
    },
    /// Declares a pointer into such memory.
    PointInto {
        /// The pointer.
        pointer: Pointer,
        /// The memory, which is one of bytes.
        memory: String,
        /// The byte where it begins; nothing for the first.
        start: Option<String>,
    },
    /// Gives memory on the device back.
    Free(String),
    /// Gives memory on the host back.
    FreeOnHost {
        /// The memory.
        pointer: String,
        /// True if the program has something else called `free`.
        is_qualified: bool,
    },
    /// Moves elements between host and device.
    Copy(Copy),
    /// Declares an argument that kernels get by value.
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
    /// Keeps other regions from the variable in constant memory.
    HoldConstants,
    /// Fills a part of the variable in constant memory.
    FillConstants {
        /// The structure that it is.
        structure: String,
        /// The member.
        member: String,
        /// The first element on the host.
        from: String,
    },
    /// Waits for all kernels.
    Synchronise,
    /// Lets a kernel have more shared memory than blocks have by default.
    AllowShared {
        /// The kernel.
        kernel: String,
        /// How much, in bytes.
        bytes: u64,
    },
    /// Starts a kernel.
    Launch(Launch),
    /// Concerns arrays that stay on the device.
    Residency(ResidencyOp),
    /// Begins a phase of a comparison.
    BeginComparison {
        /// The variable that compares.
        region: String,
    },
    /// Keeps, restores or compares memory that the region may write.
    Compare {
        /// The variable that compares.
        region: String,
        /// The memory.
        range: Box<ComparedRange>,
    },
}

/// A pointer that is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// The type that it points to.
    pub ctype: CType,
    /// Its name.
    pub name: String,
}

/// Memory on the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// Where it begins.
    pub start: String,
    /// How long it is.
    pub bytes: String,
}

/// A condition under which a host function gives up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// An expression of C++.
    Expression(String),
    /// Some memory is constant, which is asked only where an expression of C++ holds.
    Constant(Option<Fragment>, Range),
    /// Two pieces of memory overlap.
    Overlap(Range, Range),
}

/// A copy between host and device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// Where the memory begins on the host.
    pub host: String,
    /// Where it begins on the device.
    pub device: String,
    /// True from host to device.
    pub to_device: bool,
    /// What is copied.
    pub form: CopyForm,
}

/// What a copy moves. Sizes are bytes, but for numbers of rows and slices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyForm {
    /// So many bytes.
    Whole(String),
    /// Rows of the same width.
    Rows {
        /// From one row to the next on the host.
        host_pitch: String,
        /// The same on the device.
        device_pitch: String,
        /// The width of a row.
        width: String,
        /// How many rows.
        rows: String,
    },
    /// Slices of rows, laid out in the same way on both sides.
    Slices {
        /// From one row to the next.
        pitch: String,
        /// From one slice to the next, in rows.
        height: String,
        /// The width of a row.
        width: String,
        /// How many rows of each slice.
        rows: String,
        /// How many slices.
        slices: String,
    },
}

/// The launch of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The kernel.
    pub kernel: String,
    /// The number of blocks along each axis; nothing for one.
    pub grid: [Option<String>; 3],
    /// The number of threads along each axis; nothing for one.
    pub block: [Option<u32>; 3],
    /// The axes along which only so many blocks start at once, and the others later.
    pub parts: Vec<(Axis, i64)>,
    /// The bytes of shared memory that the kernel does not declare.
    pub dynamic_bytes: u64,
    /// What the kernel is given.
    pub arguments: Vec<LaunchArgument>,
}

/// What a kernel is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaunchArgument {
    /// A value.
    Value(String),
    /// The coordinate of the first block of a part.
    FirstBlock {
        /// Along this axis.
        axis: Axis,
        /// The coordinate of the first block of all; nothing for zero.
        lower: Option<Fragment>,
    },
}

/// What a region says of arrays that stay on the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResidencyOp {
    /// Memory of the host is used in another way: what the device has of it is copied back and freed.
    Release(Range),
    /// The device is to hold memory until a residency ends.
    Reserve {
        /// The residency.
        residency: u32,
        /// The memory.
        range: Range,
    },
    /// Declares a pointer to where the device holds memory.
    Find {
        /// The pointer.
        pointer: Pointer,
        /// Where the memory begins on the host.
        start: String,
    },
    /// Kernels need the values of the host.
    Needs {
        /// Where the memory begins on the host.
        start: String,
    },
    /// Kernels wrote.
    Wrote {
        /// Where the memory begins on the host.
        start: String,
        /// The residency at the end of which the host needs the values; negative for at once.
        back_after: i64,
    },
    /// The region is at its end.
    Done,
}

/// Memory that a region may write, with what a message about it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedRange {
    /// The object as the source calls it, up to the subscripts.
    pub array: String,
    /// What stands after the subscripts of structures.
    pub member: String,
    /// Where it begins.
    pub start: String,
    /// How many pieces there are.
    pub rows: String,
    /// The bytes of each piece.
    pub width: String,
    /// From one piece to the next, in bytes.
    pub stride: String,
    /// True if nothing reads it after the region.
    pub is_dead: bool,
    /// How its values are printed.
    pub kind: char,
    /// The type of its values.
    pub element: CType,
    /// The number of its subscripts.
    pub dimensions: usize,
    /// How many of them stand before the member.
    pub structures: usize,
    /// The first index of the outermost dimension.
    pub first: String,
    /// The extents of the others.
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
            _ => None,
        }
    }
}
