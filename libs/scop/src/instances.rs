//! The functions that read, verify and write the documents of all stages.
//!
//! The compiler generates code for a generic function where it is first used, and later crates reuse that code.
//! Without these tables, every tool and every test would get its own code for all types of the document, which
//! takes a third of the build time.

use crate::verify::{Fault, Seal, seal};
use crate::{
    Analysed, Extracted, Ordered, Placed, Program, ReadError, Reading, Scanned, Scheduled, from_json, read,
    to_json, to_sealed_json,
};

/// The functions for documents of one stage.
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
