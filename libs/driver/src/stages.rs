//! The stages of the chain: the one table of them.

use std::fmt;

/// A stage, which is also the name of its tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// C to the document.
    Clan,
    /// Dependences.
    Candl,
    /// The new order, and its mapping to the GPU.
    Scheduler,
    /// Where data is.
    Gpulocalizer,
    /// The loop program.
    Cloog,
    /// The program.
    Cudagen,
}

/// What the driver knows of a stage.
struct About {
    stage: Stage,
    name: &'static str,
    /// The option of the driver, without its dashes, that hands more arguments to its tool.
    more: &'static str,
    /// The options of its tool that are also options of the driver: name, value, and what it asks for.
    wishes: &'static [Wish],
    /// Its other options, which `--STAGE-options` hands to it.
    options: &'static [&'static str],
}

/// An option of a tool that is one of the driver as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The name, without its dashes.
    pub name: &'static str,
    /// What stands for the value in helps.
    pub value: &'static str,
    /// What it asks for, in a line.
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
        options: &["--openscop", "--compiler"],
    },
    About {
        stage: Stage::Candl,
        name: "candl-rs",
        more: "candl-rs-options",
        wishes: &[],
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
            wish("fusion", "[REGION=]most|cycles", "Which statements share loops"),
        ],
        options: &["--algorithm", "--only", "--openscop"],
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
        ],
        options: &["--memories", "--residency"],
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
    /// All stages, in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        TABLE.iter().map(|about| about.stage)
    }

    /// The last stage.
    pub const LAST: Self = Self::Cudagen;

    /// The stage of a name.
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|about| about.name == name).map(|about| about.stage)
    }

    fn about(self) -> &'static About {
        &TABLE[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Its number, from 1 on.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// The option of the driver, without its dashes, that hands more arguments to its tool.
    pub fn more(self) -> &'static str {
        self.about().more
    }

    /// What may be asked of it on the command line of the driver.
    pub fn wishes(self) -> &'static [Wish] {
        self.about().wishes
    }

    /// The stage whose tool has an option that the driver does not have.
    pub fn with_option(name: &str) -> Option<Self> {
        TABLE.iter().find(|about| about.options.contains(&name)).map(|about| about.stage)
    }

    /// The stage before.
    pub fn before(self) -> Option<Self> {
        Self::all().rfind(|&stage| stage < self)
    }

    /// The name of its document in a folder that keeps all.
    pub fn document(self) -> String {
        format!("{}-{}.json", self.number(), self.name())
    }

    /// True if it turns one document into another.
    pub fn changes_a_document(self) -> bool {
        !matches!(self, Self::Clan | Self::Cudagen)
    }

    /// The names of all stages, separated by spaces.
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
