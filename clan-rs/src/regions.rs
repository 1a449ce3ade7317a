//! Where regions are, and what their text says before anything is computed.
//!
//! `facts` is the ground of all later phases: a region, the function around it, and what is known of them.

pub mod autoscop;
pub mod facts;
pub mod header;
pub mod marked;
pub mod naming;
pub mod nesting;
pub mod opaque;
pub mod special;
pub mod translated;
