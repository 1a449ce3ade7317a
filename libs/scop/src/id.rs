//! Typed ids. Each is printed, and stored in the document, as a letter and a number.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(into = "String", try_from = "String")]
        #[schemars(with = "String")]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the position of this id in the list that defines it.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                text.strip_prefix($prefix)
                    .and_then(|number| number.parse().ok())
                    .map(Self)
                    .ok_or_else(|| format!(concat!("`{}` is not an id of the form ", $prefix, "0"), text))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }
    };
}

id!(
    /// A statement of a scop.
    StatementId, "S"
);
id!(
    /// A loop of the source.
    LoopId, "L"
);
id!(
    /// An array (or scalar) of a scop.
    ArrayId, "A"
);
id!(
    /// One textual reference to an array, numbered throughout the scop.
    AccessId, "a"
);
id!(
    /// A temporary inside one statement.
    LocalId, "v"
);
id!(
    /// A kernel of a scop.
    KernelId, "K"
);
id!(
    /// A buffer of a kernel in shared or private memory, numbered throughout the scop.
    BufferId, "B"
);
id!(
    /// A memory object of the program.
    MemoryId, "M"
);
id!(
    /// A function of the program with its host code.
    ProcedureId, "P"
);
id!(
    /// Memory that arrays of regions share and that may stay on the device between regions.
    ClassId, "D"
);
