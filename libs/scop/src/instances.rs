//! The readers, verifiers and writers of all stages.
//!
//! The compiler makes code of what is generic where it is first used, and later crates take it from there. Without
//! these tables each tool, and each of its tests, would be given code of its own for all types of the document: a
//! third of the time that a build takes.

use crate::verify::{Fault, Seal, seal};
use crate::{
    Analysed, Extracted, Ordered, Placed, Program, ReadError, Reading, Scanned, Scheduled, from_json, read,
    to_json, to_sealed_json,
};

/// What is done with the documents of a stage.
pub struct Instances<S> {
    /// [`read()`].
    pub read: fn(&str) -> Result<Reading<S>, ReadError>,
    /// [`from_json`].
    pub from_json: fn(&str) -> Result<Program<S>, ReadError>,
    /// [`seal`].
    pub seal: fn(&Program<S>, &Seal) -> Result<Seal, Vec<Fault>>,
    /// [`to_json`].
    pub to_json: fn(&Program<S>) -> Result<String, serde_json::Error>,
    /// [`to_sealed_json`].
    pub to_sealed_json: fn(&Program<S>, &Seal) -> Result<String, serde_json::Error>,
}

macro_rules! instances {
    ($($name:ident: $stage:ty, $writer:literal;)*) => {
        $(
            #[doc = concat!("What is done with what ", $writer, " writes.")]
            pub static $name: Instances<$stage> =
                Instances { read, from_json, seal, to_json, to_sealed_json };
        )*
    };
}

instances! {
    EXTRACTED: Extracted, "clan-rs";
    ANALYSED: Analysed, "candl-rs";
    ORDERED: Ordered, "the first pass of scheduler";
    SCHEDULED: Scheduled, "scheduler";
    PLACED: Placed, "gpulocalizer";
    SCANNED: Scanned, "cloog-rs";
}
