//! The input for choosing a layout.

use polyhedra::Map;
use scop::{Access, BufferId};

use crate::index::bounding_box::BoundingBox;
use crate::kernel::view::KernelView;

/// A group of references that is staged in shared memory.
pub struct Staged<'a> {
    /// The kernel.
    pub view: &'a KernelView<'a>,
    /// The references.
    pub accesses: &'a [&'a Access],
    /// The box around the elements that they touch in a tile.
    pub bounding_box: &'a BoundingBox,
    /// The elements of the box.
    pub boxed: &'a Map,
    /// The elements that the references touch: `[bx] -> { [h] -> A0[x] }`.
    pub touched: Map,
    /// The size of an element, in bytes.
    pub bytes: u32,
    /// The buffer's id.
    pub id: BufferId,
    /// The shared memory that is left, in bytes.
    pub budget: u64,
}
