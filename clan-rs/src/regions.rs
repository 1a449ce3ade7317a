//! Where the regions are, and what is known from their text before anything is computed.
//!
//! All later phases build on `facts`: a region, the function around it, and what is known about them.

pub mod autoscop;
pub mod facts;
pub mod header;
pub mod marked;
pub mod naming;
pub mod nesting;
pub mod opaque;
pub mod special;
pub mod translated;
