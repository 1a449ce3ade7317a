//! What a mapping costs: an estimate of its time on a GPU.
//!
//! The counts of a kernel (launches, blocks, requests, sectors, instructions) are estimated from its plan for assumed
//! sizes: how many instances there are ([`mod@count`]), how they lie in blocks and threads ([`geometry`]), and which
//! elements a block touches ([`footprint`]). The time model of `libs/gpu` turns the counts into microseconds. Nothing
//! is scanned or printed, so an estimate takes a few milliseconds; `gpu-predict` counts the finished program exactly.

mod assumed;
mod blocks;
mod changes;
mod count;
mod device_memory;
mod divided;
mod estimate;
mod estimated;
mod floor;
mod footprint;
mod geometry;
mod linear;
mod lines;
mod operations;
mod part;
mod part_work;
mod places;
mod points;
mod pricing;
mod registers;
mod site;
mod traffic;
mod work;

pub use count::count;
pub use device_memory::works;
pub use estimate::Estimate;
pub use estimated::estimated;
pub use floor::{Floor, FloorTime};
pub use places::Places;
pub use pricing::Pricing;
pub use site::Site;
pub use work::Subject;
