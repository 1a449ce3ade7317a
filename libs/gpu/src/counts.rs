//! What a program did: the input of the time model.
//!
//! [`Work`] says what one kernel did in all its launches. It can be made of a profile of cudasim ([`mod@profile`],
//! [`work()`]), with the instructions that a compiler chose for it ([`Code`]) or with an estimate of them. A tool that
//! predicts counts makes it itself.

mod chain;
mod compiled;
mod device_memory;
mod figures;
pub mod profile;
mod staging;
mod unrolling;
mod work;

pub use compiled::code;
pub use device_memory::{Asked, device_memory_shares};
pub use figures::{Instructions, Memory, Phase, Shape, Transfers, Waits, Work};
pub use profile::{Profile, ProfileError};
pub use work::{Code, CodeLine, CodeWaits, work};
