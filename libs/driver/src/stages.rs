//! The stages of the chain, in one table.

use std::fmt;

/// A stage; each has a tool of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Translates C into the document.
    Clan,
    /// Finds dependences.
    Candl,
    /// Finds a new order and maps it to the GPU.
    Scheduler,
    /// Places data in memories.
    Gpulocalizer,
    /// Makes the loop program.
    Cloog,
    /// Prints the program.
    Cudagen,
}

/// The driver's data about a stage.
struct About {
    stage: Stage,
    name: &'static str,
    /// The option of the driver, without its dashes, whose value is more arguments for the tool.
    more: &'static str,
    /// The options of the tool that the driver has as well.
    wishes: &'static [Wish],
    /// The other options of the tool, which the user gives with `--STAGE-options`.
    options: &'static [&'static str],
}

/// An option of a tool that the driver has as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The name, without its dashes.
    pub name: &'static str,
    /// The placeholder of the value in the help.
    pub value: &'static str,
    /// The description in the help, one line.
    pub help: &'static str,
}

const fn wish(name: &'static str, value: &'static str, help: &'static str) -> Wish {
    Wish { name, value, help }
}

const TABLE: [About; 6] = [
    About {
        stage: Stage::Clan,
        name: "clan-rs",
        more: "clan-rs-options",
        wishes: &[],
        options: &["--openscop", "--compiler", "--effects", "--effects-to"],
    },
    About {
        stage: Stage::Candl,
        name: "candl-rs",
        more: "candl-rs-options",
        wishes: &[wish("reassociate", "[=SUM]", "Permit another order of floating-point sums")],
        options: &[
            "--check",
            "--check-parallel",
            "--dot",
            "--order",
            "--reductions",
            "--verdict",
            "--openscop",
        ],
    },
    About {
        stage: Stage::Scheduler,
        name: "scheduler",
        more: "scheduler-options",
        wishes: &[
            wish("tile-sizes", "[WHERE=]N,N,...", "The sizes of tiles"),
            wish("block-sizes", "[WHERE=]N,N,...", "The sizes of blocks"),
            wish("unroll", "[WHERE=]N", "Unroll the innermost loops that a thread runs N times"),
            wish("axes", "[WHERE=]AXIS,AXIS,...", "The axes of the parallel loops"),
            wish("algorithm", "[REGION=]ALGORITHM", "How statement instances are ordered"),
            wish(
                "load-threads",
                "[K0=]N",
                "How many threads there are for each one that computes: the others load",
            ),
            wish(
                "load-ahead",
                "[K0=]WHEN",
                "Whether these threads copy each tile while the others compute with the tile before",
            ),
            wish("sum-threads", "[K0=]N", "How many threads share a sum: 1, or the 32 of a warp"),
            wish("fusion", "[REGION=]most|cycles", "Which statements share loops"),
            wish("old-values", "[ARRAY=]always|never", "Whether old values of an array are read from a copy"),
            wish("turns", "[ARRAY=]always|never", "Whether arrays take turns instead of being copied"),
            wish(
                "in-place",
                "[ARRAY=]always|never",
                "Whether temporaries are in the element that they become",
            ),
            wish("partial-sums", "[ARRAY=]always|never", "Whether updates of a sum go to partial sums"),
            wish("grid", "[K0=]box|sheared|ranked", "Which blocks a launch starts"),
            wish(
                "offload",
                "[REGION=]WHEN",
                "Where regions run: always or never on the device, or above:NAME:N,...",
            ),
        ],
        options: &["--assume", "--only", "--openscop", "--plan", "--space"],
    },
    About {
        stage: Stage::Gpulocalizer,
        name: "gpulocalizer",
        more: "gpulocalizer-options",
        wishes: &[
            wish("layout", "[WHERE=]box|dense|ring", "The layout of buffers in shared memory"),
            wish("memory", "[[K0:]ARRAY=]MEMORY", "The memory in which kernels access arrays"),
            wish("avoid", "[WHERE=]MEMORY", "A memory that must not be used"),
            wish("shared-memory", "[K0=]BYTES", "How much shared memory a block may use"),
            wish(
                "transfer",
                "[ARRAY=]linearized|per-array",
                "How arrays are transferred to the device and back",
            ),
            wish("residency", "auto|callers|never", "Whether arrays stay on the device between regions"),
            wish("resident", "[ARRAY=]always|never", "Whether an array stays on the device between regions"),
            wish(
                "copy-in",
                "ARRAY=always|never",
                "Whether each run of a region copies an array to the device",
            ),
            wish("copy-out", "ARRAY=always|never", "Whether each run of a region copies an array back"),
        ],
        options: &["--memories"],
    },
    About {
        stage: Stage::Cloog,
        name: "cloog-rs",
        more: "cloog-rs-options",
        wishes: &[],
        options: &["--emit"],
    },
    About { stage: Stage::Cudagen, name: "cudagen", more: "cudagen-options", wishes: &[], options: &[] },
];

impl Stage {
    /// Returns all stages, in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        TABLE.iter().map(|about| about.stage)
    }

    /// The last stage.
    pub const LAST: Self = Self::Cudagen;

    /// Returns the stage with this name.
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|about| about.name == name).map(|about| about.stage)
    }

    fn about(self) -> &'static About {
        &TABLE[self as usize]
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Returns the number, counted from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// Returns the option of the driver, without its dashes, whose value is more arguments for the tool.
    pub fn more(self) -> &'static str {
        self.about().more
    }

    /// Returns the options of the tool that the driver has as well.
    pub fn wishes(self) -> &'static [Wish] {
        self.about().wishes
    }

    /// Returns the stage whose tool has this option, if the driver does not have it.
    pub fn with_option(name: &str) -> Option<Self> {
        TABLE.iter().find(|about| about.options.contains(&name)).map(|about| about.stage)
    }

    /// Returns the previous stage.
    pub fn before(self) -> Option<Self> {
        Self::all().rfind(|&stage| stage < self)
    }

    /// Returns the file name of the stage's document in a folder of kept documents.
    pub fn document(self) -> String {
        format!("{}-{}.json", self.number(), self.name())
    }

    /// True if the stage turns one document into another.
    pub fn changes_a_document(self) -> bool {
        !matches!(self, Self::Clan | Self::Cudagen)
    }

    /// Returns the names of all stages, separated by spaces.
    pub fn names() -> String {
        Self::all().map(Self::name).collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_stages() {
        for (position, stage) in Stage::all().enumerate() {
            assert_eq!((stage as usize, stage.number()), (position, position + 1));
            assert_eq!(Stage::named(stage.name()), Some(stage));
            assert_eq!(stage.more(), format!("{stage}-options"));
        }
        assert_eq!(Stage::Cudagen.before(), Some(Stage::Cloog));
        assert_eq!(Stage::Clan.before(), None);
        assert_eq!(Stage::with_option("--memories"), Some(Stage::Gpulocalizer));
    }
}
