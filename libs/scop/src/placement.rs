//! What gpulocalizer decided: which elements are where.

use polyhedra::polynomial::{Piece, pieces_of};
use polyhedra::{LocalSpace, PwAff, PwQPolynomial, Result, Set, Text, Val, context};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ast::{AstExpr, AstOp};
use crate::wish::MemoryKind;
use crate::{
    AccessId, Answer, ArrayId, Boxes, BufferId, ElementBox, IslMap, IslPwAff, IslPwQPolynomial, IslSchedule,
    IslSet, KernelId, from_isl,
};

/// Where the data of a scop is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Placement {
    /// The schedule with the copies, barriers and transfers that the placement needs, as statements of extension nodes
    /// ([`crate::mark::Added`]).
    pub tree: IslSchedule,
    /// The arrays that kernels use, in the order of their ids.
    pub device: Vec<DeviceArray>,
    /// The buffers of each kernel, in the order of the mapping.
    pub kernels: Vec<KernelPlacement>,
    /// What came of the wishes for memories, layouts and transfers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
}

/// An array in the device's memory.
///
/// The device holds the slice `lower <= x < lower + extent` of the outermost dimension, whole in all other dimensions;
/// a scalar that kernels only read is not here (it is a kernel argument).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceArray {
    /// The array.
    pub array: ArrayId,
    /// The first index of the outermost dimension; 0 for a scalar.
    pub lower: IslPwAff,
    /// The number of indices of the outermost dimension; 1 for a scalar. May be negative or zero where nothing is used.
    pub extent: IslPwAff,
    /// The extents of the other dimensions, outermost first.
    pub inner_extents: Vec<IslPwAff>,
    /// For an array that is declared inside the region: the smallest index of each dimension, which is subtracted from
    /// every subscript (so `lower` is 0). Empty for all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origin: Vec<IslPwAff>,
    /// If the device holds the elements that are used and nothing else, one after the other: where each of them is.
    /// The other fields then say from which slice they come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbering: Option<Numbering>,
    /// With a numbering: the elements that have a number, those that kernels use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbered: Option<IslSet>,
    /// If less than the slice is transferred: what is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boxes: Option<Boxes<IslPwAff>>,
    /// What is transferred around code on the host between kernels, where that is not all; the numbers are functions
    /// of the loops around as well: `[n] -> { [h0] -> [(h0)] }`. They count from the origin, if there is one.
    /// [`crate::mark::part`] names them by their position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ElementBox<IslPwAff>>,
    /// The memory of the device.
    #[serde(default, skip_serializing_if = "DeviceMemory::is_global")]
    pub memory: DeviceMemory,
    /// True if the slice stays on the device from one region of [`crate::Array::residency`] to the next: then nothing
    /// moves that is there already, and what kernels write comes back after the last of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resident: bool,
    /// The elements that the device needs from the host before the region.
    pub copy_in: IslSet,
    /// The elements that the host needs from the device after the region.
    pub copy_out: IslSet,
    /// Why the device holds a slice or numbered elements, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl DeviceArray {
    /// The slice of an array with so many dimensions as a box.
    pub fn slice(&self, dimensions: usize) -> ElementBox<IslPwAff> {
        let zero = IslPwAff("{ [(0)] }".to_owned());
        let lower = std::iter::once(self.lower.clone()).chain(std::iter::repeat(zero));
        let extent = std::iter::once(&self.extent).chain(&self.inner_extents);
        let (lower, extent) = (lower.take(dimensions).collect(), extent.take(dimensions).cloned().collect());
        ElementBox { lower, extent }
    }
}

/// A dense numbering of some elements: a bijection to 0, 1, …, made by counting the elements that are
/// lexicographically smaller (PoCC-GPU, section 5.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Numbering {
    /// The number of an element: sigma of the paper for arrays on the device, rho for buffers. isl's text leaves out
    /// where it is 0.
    pub position: IslPwQPolynomial,
    /// How many elements there are, a function of the parameters.
    pub count: IslPwQPolynomial,
}

impl Numbering {
    /// The position plus one on all of the numbered elements, in pieces none of which is 0, as far as they are not in
    /// one.
    ///
    /// isl drops pieces that are 0, so that a position does not tell the element number 0 from what has no number.
    ///
    /// # Errors
    /// What [`pieces_of`] cannot take apart.
    pub fn pieces(&self, numbered: &Set) -> Result<Vec<Piece>> {
        pieces_of(&self.counted_from_one(numbered)?)
    }

    fn counted_from_one(&self, numbered: &Set) -> Result<PwQPolynomial> {
        let zero = PwAff::zero_on_domain(LocalSpace::from_space(numbered.get_space()?)?)?;
        let one = zero.add_constant_val(Val::one(context())?)?.intersect_domain(numbered.copy()?)?;
        let position = PwQPolynomial::parse(&self.position.0)?.intersect_domain(numbered.copy()?)?;
        let from_one = position.add(PwQPolynomial::from_pw_aff(one)?)?.coalesce()?;
        Ok(from_one.gist(numbered.copy()?)?)
    }

    /// The position of a numbered element as an expression of its subscripts and the parameters.
    ///
    /// # Errors
    /// As of [`from_isl::of_polynomial`].
    pub fn expression(&self, known: &Set, numbered: &Set, subscripts: &[String]) -> Result<AstExpr> {
        let from_one = self.counted_from_one(numbered)?;
        if pieces_of(&from_one)?.len() > 1 {
            let from_one = from_isl::of_polynomial(known, &from_one, subscripts)?;
            return Ok(AstExpr::Op(AstOp::Sub, vec![from_one, AstExpr::Int(1)]));
        }
        let zero = PwAff::zero_on_domain(LocalSpace::from_space(numbered.get_space()?)?)?;
        let one = PwQPolynomial::from_pw_aff(zero.add_constant_val(Val::one(context())?)?)?;
        from_isl::of_polynomial(known, &from_one.sub(one)?, subscripts)
    }
}

/// Which memory of the device holds an array.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeviceMemory {
    /// The common one.
    #[default]
    Global,
    /// An argument of the kernels by value, which is in constant memory: small, of constant size, and written by
    /// nobody.
    Argument,
    /// A variable in constant memory: of constant size, and written by nobody.
    Constant,
}

impl DeviceMemory {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Global, Self::Argument, Self::Constant];

    /// True for the common memory.
    pub fn is_global(&self) -> bool {
        *self == Self::Global
    }

    /// The most bytes that all arrays of a region may have in it, if it is bounded: what CUDA takes as arguments of a
    /// kernel since version 12.1 on GPUs since Volta (4096 before), and the constant memory of a module.
    pub fn most_bytes(&self) -> Option<u64> {
        match self {
            Self::Global => None,
            Self::Argument => Some(32764),
            Self::Constant => Some(65536),
        }
    }
}

/// The buffers of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KernelPlacement {
    /// The kernel.
    pub kernel: KernelId,
    /// Its buffers.
    pub buffers: Vec<Buffer>,
    /// The shared memory of a block, in bytes.
    pub shared_bytes: u64,
}

/// Fast memory that stands for a part of an array inside a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Buffer {
    /// The id.
    pub id: BufferId,
    /// A name for generated code.
    pub name: String,
    /// The array.
    pub array: ArrayId,
    /// The memory.
    pub memory: Memory,
    /// The accesses that use the buffer instead of the array.
    pub accesses: Vec<AccessId>,
    /// For each of them, from statement instances to places in the buffer: `[bx] -> { S0[i, j] -> B0[i - 32bx, j] }`.
    pub places: Vec<IslMap>,
    /// The schedule depth at which its contents are fixed: the first `depth` dimensions of the schedule.
    pub depth: u32,
    /// From those schedule dimensions and an element to its place, for copies:
    /// `[n, bx] -> { [[k] -> A0[x, y]] -> B0[x - 32 bx, y - k] }`.
    pub index: IslMap,
    /// The sizes of the buffer's dimensions; none for a single element.
    pub sizes: Vec<u32>,
    /// How its places lie in memory.
    #[serde(default, skip_serializing_if = "Layout::is_plain")]
    pub layout: Layout,
    /// If the tree copies the whole box: the elements that there are, outside of which a copy does nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub existing: Option<IslSet>,
    /// How often an element is used for each time it is brought in, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reuse: Option<String>,
    /// Why it is here, for people.
    pub reason: String,
}

/// How the places of a buffer lie in memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "layout")]
pub enum Layout {
    /// Row by row, the last dimension contiguous.
    Box {
        /// Unused elements after each row, so that threads which walk down a column meet different banks.
        #[serde(default)]
        padding: u32,
    },
    /// The places that are used and nothing else, one after the other.
    Dense {
        /// The number of each place: `{ B0[x, y] -> … }`.
        numbering: Numbering,
        /// How many places there are.
        elements: u32,
    },
    /// As a box of which each index is taken modulo the size, so that what stays from one step to the next need not
    /// move. The places have the remainder in them already.
    Ring {
        /// As of a box.
        #[serde(default)]
        padding: u32,
    },
}

impl Default for Layout {
    fn default() -> Self {
        Self::Box { padding: 0 }
    }
}

impl Layout {
    /// True for a box without padding.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

impl Buffer {
    /// The elements that it takes in memory, padding included.
    pub fn elements(&self) -> u64 {
        let product = |sizes: &[u32]| sizes.iter().fold(1u64, |all, &size| all.saturating_mul(size.into()));
        match (&self.layout, self.sizes.split_last()) {
            (Layout::Dense { elements, .. }, _) => u64::from(*elements),
            (Layout::Box { padding } | Layout::Ring { padding }, Some((last, outer))) => {
                product(outer).saturating_mul(u64::from(*last) + u64::from(*padding))
            }
            (_, None) => 1,
        }
    }
}

/// The memory of a buffer of one kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// One for each block.
    Shared,
    /// One for each thread: registers, or local memory where the index is not constant.
    Private,
}

impl From<Memory> for MemoryKind {
    fn from(memory: Memory) -> Self {
        match memory {
            Memory::Shared => Self::Shared,
            Memory::Private => Self::Private,
        }
    }
}

impl From<DeviceMemory> for MemoryKind {
    fn from(memory: DeviceMemory) -> Self {
        match memory {
            DeviceMemory::Global => Self::Global,
            DeviceMemory::Argument | DeviceMemory::Constant => Self::Constant,
        }
    }
}
