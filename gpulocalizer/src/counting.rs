//! Counting integer points: libbarvinok (`library`), numberings of elements that consist of such counts
//! (`numbering`), and a check of these numberings (`numbering_proof`).

pub mod library;
pub mod numbering;
pub mod numbering_proof;
#[cfg(test)]
mod tests;
