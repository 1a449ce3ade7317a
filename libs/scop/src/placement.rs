//! The section that gpulocalizer writes: where the elements of arrays are.

use polyhedra::polynomial::{Piece, pieces_of};
use polyhedra::{LocalSpace, PwAff, PwQPolynomial, Result, Set, Text, Val, context};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ast::{AstExpr, AstOp};
use crate::wish::MemoryKind;
use crate::{
    AccessId, Answer, ArrayId, Boxes, BufferId, ClassId, ElementBox, IslMap, IslPwAff, IslPwQPolynomial,
    IslSchedule, IslSet, KernelId, ReductionOp, from_isl,
};

/// Where the data of a scop is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Placement {
    /// The tree of the mapping with the copies, barriers and transfers that the placement needs, as statements
    /// of extension nodes ([`crate::mark::Added`]).
    pub tree: IslSchedule,
    /// The arrays that kernels use, in the order of their ids.
    pub device: Vec<DeviceArray>,
    /// The buffers of each kernel, in the order of the mapping.
    pub kernels: Vec<KernelPlacement>,
    /// The answers to the wishes for memories, layouts and transfers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
}

/// An array in the device's memory.
///
/// The device has memory for the slice `lower <= x < lower + extent` of the outermost dimension and for all of
/// the other dimensions. A scalar that kernels only read is not listed here (it is a kernel argument).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceArray {
    /// The array.
    pub array: ArrayId,
    /// The first index of the outermost dimension; 0 for a scalar.
    pub lower: IslPwAff,
    /// The number of indices of the outermost dimension; 1 for a scalar. It may be zero or negative if nothing
    /// is used.
    pub extent: IslPwAff,
    /// The extents of the other dimensions, outermost first.
    pub inner_extents: Vec<IslPwAff>,
    /// For an array that is declared inside the region: the smallest index of each dimension, which is
    /// subtracted from every subscript (so `lower` is 0). Empty for all other arrays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origin: Vec<IslPwAff>,
    /// The position of each element, if the device has only the used elements, one after the other. The other
    /// fields then describe the slice that they come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbering: Option<Numbering>,
    /// With a numbering: the numbered elements, which are those that kernels use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbered: Option<IslSet>,
    /// The boxes that are transferred, if less than the slice is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boxes: Option<Boxes<IslPwAff>>,
    /// The boxes that are transferred around host code between kernels, where this is less than the slice. The
    /// numbers in them are functions of the parameters and of the loops around: `[n] -> { [h0] -> [(h0)] }`.
    /// They are relative to the origin, if there is one. [`crate::mark::part`] refers to a box by its position
    /// in this list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ElementBox<IslPwAff>>,
    /// The device memory that the array is in.
    #[serde(default, skip_serializing_if = "DeviceMemory::is_global")]
    pub memory: DeviceMemory,
    /// The class of memory of which the slice is a part, if it stays on the device from one region to the next.
    /// Elements that are already on the device are then not transferred again, and what kernels write is copied
    /// back when the host needs it: see [`crate::ResidencyPlan`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident: Option<ClassId>,
    /// The elements that the device needs from the host before the region.
    pub copy_in: IslSet,
    /// The elements that the host needs from the device after the region.
    pub copy_out: IslSet,
    /// The reason why the device has a slice or numbered elements, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl DeviceArray {
    /// Returns the slice of an array with this number of dimensions, as a box.
    pub fn slice(&self, dimensions: usize) -> ElementBox<IslPwAff> {
        let zero = IslPwAff("{ [(0)] }".to_owned());
        let lower = std::iter::once(self.lower.clone()).chain(std::iter::repeat(zero));
        let extent = std::iter::once(&self.extent).chain(&self.inner_extents);
        let (lower, extent) = (lower.take(dimensions).collect(), extent.take(dimensions).cloned().collect());
        ElementBox { lower, extent }
    }
}

/// A dense numbering of some elements: a bijection to 0, 1, …, which counts the lexicographically smaller
/// elements (PoCC-GPU, section 5.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Numbering {
    /// The number of an element: sigma in the paper for arrays on the device, rho for buffers. isl's text omits
    /// the pieces that are 0.
    pub position: IslPwQPolynomial,
    /// The number of elements, a function of the parameters.
    pub count: IslPwQPolynomial,
}

impl Numbering {
    /// Returns the position plus one for all numbered elements, in pieces that are not 0. The conditions of the
    /// pieces omit that an element is numbered.
    ///
    /// isl drops pieces that are 0, so the position alone does not distinguish the element with number 0 from
    /// an element without a number.
    ///
    /// # Errors
    /// Fails if [`pieces_of`] cannot take the function apart.
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

    /// Returns the position of a numbered element as an expression of its subscripts and the parameters.
    ///
    /// # Errors
    /// Fails for the same reasons as [`from_isl::of_polynomial`].
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

/// The kinds of device memory that arrays are in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeviceMemory {
    /// Global memory.
    #[default]
    Global,
    /// A kernel argument passed by value, which is in constant memory. The array is small, has a constant size,
    /// and is never written.
    Argument,
    /// A variable in constant memory. The array has a constant size and is never written.
    Constant,
}

impl DeviceMemory {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Global, Self::Argument, Self::Constant];

    /// True for global memory.
    pub fn is_global(&self) -> bool {
        *self == Self::Global
    }

    /// Returns the number of bytes that all arrays of a region may have in this memory, if it is bounded:
    /// CUDA's limit for kernel arguments (since version 12.1, on Volta and later; 4096 before), and the
    /// constant memory of a module.
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
    /// The arrays that are in shared memory although the kernel is priced without that, or the other way round
    /// ([`crate::PricedArray`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlike_price: Vec<UnlikePrice>,
}

/// An array that is in shared memory although its kernel is priced without that, or the other way round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnlikePrice {
    /// The array.
    pub array: ArrayId,
    /// Where it is and why, and what the price takes for granted, for people.
    pub reason: String,
}

/// Fast memory that replaces a part of an array inside a kernel.
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
    /// For each of these accesses, the relation from statement instances to places in the buffer: `[bx] -> {
    /// S0[i, j] -> B0[i - 32bx, j] }`.
    pub places: Vec<IslMap>,
    /// The schedule depth at which the contents are fixed: they depend on the first `depth` dimensions of the
    /// schedule.
    pub depth: u32,
    /// The relation from these schedule dimensions and an element to the element's place, for copies: `[n, bx]
    /// -> { [[k] -> A0[x, y]] -> B0[x - 32 bx, y - k] }`.
    pub index: IslMap,
    /// The sizes of the buffer's dimensions; empty for a single element.
    pub sizes: Vec<u32>,
    /// The layout of the places in memory.
    #[serde(default, skip_serializing_if = "Layout::is_plain")]
    pub layout: Layout,
    /// The existing elements, if the tree copies the whole box; a copy of any other element does nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub existing: Option<IslSet>,
    /// The operator of a shared sum ([`crate::Kernel::shared_sums`]), if the buffer has the value of one thread. A
    /// copy into the buffer then sets it to the neutral value of the operator. A copy out combines the values of all
    /// threads of the warp with the element, which the thread with `tx = 0` changes.
    ///
    /// In shared memory, it is the operator of updates in any order whose elements data choose. The buffer then has
    /// values of the block for all of these elements: a copy into it sets one to the neutral value, and a copy out
    /// combines it with the element by an atomic operation. The place of an element has its subscripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<ReductionOp>,
    /// With `partial`: whether the values are combined with the element one after the other, from `tx = 0` on. Each
    /// thread then has at most one update, and the order of the updates is kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_order: bool,
    /// The number of uses of an element for each time that it is copied in, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reuse: Option<String>,
    /// The reason for the buffer, for people.
    pub reason: String,
}

/// The layout of a buffer's places in memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "layout")]
pub enum Layout {
    /// Row-major order.
    Box {
        /// The number of unused elements after each row, so that threads that access a column use different
        /// banks.
        #[serde(default)]
        padding: u32,
    },
    /// Only the used places, one after the other.
    Dense {
        /// The number of each place: `{ B0[x, y] -> … }`.
        numbering: Numbering,
        /// The number of places.
        elements: u32,
    },
    /// As a box, with each index taken modulo the size, so that elements that are reused in the next step are
    /// not moved. The relations to places already include the remainder.
    Ring {
        /// As for a box.
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
    /// True if it has sums of each block into elements that data choose.
    pub fn has_block_sums(&self) -> bool {
        self.partial.is_some() && self.memory == Memory::Shared
    }

    /// Returns the number of elements that the buffer occupies in memory, including padding.
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
    /// One copy for each block.
    Shared,
    /// One copy for each thread: registers, or local memory if an index is not constant.
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
