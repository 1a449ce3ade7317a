//! Counting integer points: libbarvinok (`library`), numberings of elements made of such counts (`numbering`), and
//! whether these are right (`numbering_proof`).

pub mod library;
pub mod numbering;
pub mod numbering_proof;
#[cfg(test)]
mod tests;
