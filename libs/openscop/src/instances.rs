//! The readers and writers of all stages.
//!
//! They are instantiated here so that the compiler generates code for them once, and not in each tool
//! ([`scop::instances`]).

use scop::{Analysed, Extracted, Ordered, Placed, Program, Scanned, Scheduled};

use crate::{ReadError, Reading, read, to_openscop};

/// The functions for documents of one stage.
pub struct Instances<S> {
    /// [`read()`].
    pub read: fn(&str) -> Result<Reading<S>, ReadError>,
    /// [`to_openscop`].
    pub to_openscop: fn(&Program<S>) -> polyhedra::Result<String>,
}

macro_rules! instances {
    ($($name:ident: $stage:ty, $writer:literal;)*) => {
        $(
            #[doc = concat!("What is done with what ", $writer, " writes.")]
            pub static $name: Instances<$stage> = Instances { read, to_openscop };
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
