//! Where regions are, and what their text says before anything is computed.

pub mod autoscop;
pub mod facts;
pub mod header;
pub mod marked;
pub mod naming;
pub mod nesting;
pub mod opaque;
pub mod special;
pub mod translated;
