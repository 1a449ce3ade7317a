//! What a layout is chosen for.

use polyhedra::Map;
use scop::{Access, BufferId};

use crate::index::bounding_box::BoundingBox;
use crate::kernel::view::KernelView;

/// A group of references that is to be staged.
pub struct Staged<'a> {
    /// The kernel.
    pub view: &'a KernelView<'a>,
    /// The references.
    pub accesses: &'a [&'a Access],
    /// The box around what they touch in a tile.
    pub bounding_box: &'a BoundingBox,
    /// The elements of the box.
    pub boxed: &'a Map,
    /// The elements that they touch: `[bx] -> { [h] -> A0[x] }`.
    pub touched: Map,
    /// The size of an element.
    pub bytes: u32,
    /// The buffer.
    pub id: BufferId,
    /// The bytes that are left.
    pub budget: u64,
}
