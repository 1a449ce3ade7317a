//! What the user asks for, and what came of it.
//!
//! Whatever asks for a certain outcome, the command line, a file or a directive, becomes a [`Wish`]. The stage whose
//! decision it is answers each of them ([`Answer`]): it is met to the letter, or it is said why not.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Array, ArrayId, Diagnostic, KernelId, LoopId, names};

/// Something that the user asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "Written")]
#[schemars(with = "Written")]
pub struct Wish {
    /// What it is for.
    pub target: Target,
    /// What is asked for.
    pub wanted: Wanted,
    /// Where it comes from, for people: `--tile-sizes K0=64,64`.
    pub origin: String,
}

/// What a wish is for: all that there is, or what all of these name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// The region of this name.
    pub region: Option<String>,
    /// A kernel.
    pub kernel: Option<KernelId>,
    /// A loop of the source.
    pub source_loop: Option<LoopId>,
    /// An array, by its expression in C.
    pub array: Option<String>,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Sizes of tiles along the tiled loops, outermost parallel loop first, of which the last is repeated; of one
    /// loop of the source one size.
    TileSizes(Vec<u32>),
    /// Threads of a block along the parallel loops, of which the last is repeated.
    BlockSizes(Vec<u32>),
    /// How many iterations of a thread's innermost loops, or of one loop of the source, become one; 1 forbids it.
    Unroll(u32),
    /// Which statements share loops.
    Fusion(FusionKind),
    /// The layout of buffers in shared memory.
    Layout(LayoutKind),
    /// The memory that serves an array in kernels.
    Memory(MemoryKind),
    /// A memory that must not.
    Avoid(MemoryKind),
    /// The shared memory that a block may have at most, in bytes.
    SharedMemory(u64),
    /// How arrays get to the device and back.
    Transfer(TransferKind),
}

/// Which statements share loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FusionKind {
    /// Those that may without losing parallelism.
    Most,
    /// Those alone that depend on each other in a cycle.
    Cycles,
}

/// How a buffer in shared memory is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayoutKind {
    /// As the bounding box of what a tile uses.
    Box,
    /// Without gaps.
    Dense,
    /// As a box that goes round, so that what the next step of a tile loop uses again stays.
    Ring,
}

/// A memory of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Registers, or memory of a thread.
    Private,
    /// Memory of a block.
    Shared,
    /// Constant memory, arguments included.
    Constant,
    /// The common memory, and nothing in front of it.
    Global,
}

/// How an array is transferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransferKind {
    /// The elements that kernels use, one behind the other.
    Linearized,
    /// Slices or boxes, as they are in memory.
    PerArray,
}

/// What came of a wish in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The wish.
    pub wish: Wish,
    /// The kernel that this is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<KernelId>,
    /// The array that this is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<ArrayId>,
    /// What came of it.
    pub verdict: Verdict,
    /// How, or why not, for people.
    pub reason: String,
}

/// What came of a wish, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is as it was asked for, to the letter.
    Met,
    /// It cannot be had.
    NotMet,
    /// Another wish counts here.
    Overruled,
    /// There is nothing that it is for.
    Pointless,
}

/// A wish as it is written: exactly one thing is asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Wish")]
struct Written {
    /// The region that it is for, by its name; every one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    /// The kernel that it is for; every one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kernel: Option<KernelId>,
    /// The loop of the source that it is for.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    source_loop: Option<LoopId>,
    /// The array that it is for, by its expression in C; every one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    array: Option<String>,
    /// Sizes of tiles along the tiled loops, outermost parallel loop first, of which the last is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tile_sizes: Option<Vec<u32>>,
    /// Threads of a block along the parallel loops, of which the last is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    block_sizes: Option<Vec<u32>>,
    /// How many iterations of the innermost loops of threads, or of one loop of the source, become one; 1 forbids it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unroll: Option<u32>,
    /// Which statements share loops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fusion: Option<FusionKind>,
    /// The layout of buffers in shared memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    layout: Option<LayoutKind>,
    /// The memory that serves an array in kernels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    memory: Option<MemoryKind>,
    /// A memory that must not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    avoid: Option<MemoryKind>,
    /// The shared memory that a block may have at most, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shared_memory: Option<u64>,
    /// How arrays get to the device and back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transfer: Option<TransferKind>,
    /// Where it comes from, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    origin: String,
}

impl TryFrom<Written> for Wish {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { region, kernel, source_loop, array, origin, .. } = written;
        let asked = [
            written.tile_sizes.map(Wanted::TileSizes),
            written.block_sizes.map(Wanted::BlockSizes),
            written.unroll.map(Wanted::Unroll),
            written.fusion.map(Wanted::Fusion),
            written.layout.map(Wanted::Layout),
            written.memory.map(Wanted::Memory),
            written.avoid.map(Wanted::Avoid),
            written.shared_memory.map(Wanted::SharedMemory),
            written.transfer.map(Wanted::Transfer),
        ];
        let mut asked = asked.into_iter().flatten();
        let (Some(wanted), None) = (asked.next(), asked.next()) else {
            return Err(
                "a wish asks for one thing: `tile_sizes`, `block_sizes`, `unroll`, `fusion`, `layout`, `memory`, \
                        `avoid`, `shared_memory` or `transfer`"
                    .to_owned(),
            );
        };
        let wish = Self { target: Target { region, kernel, source_loop, array }, wanted, origin };
        wish.check().map_err(|why| why.to_string())?;
        Ok(wish)
    }
}

impl From<Wish> for Written {
    fn from(wish: Wish) -> Self {
        let Target { region, kernel, source_loop, array } = wish.target;
        let mut written = Self { region, kernel, source_loop, array, origin: wish.origin, ..Self::default() };
        match wish.wanted {
            Wanted::TileSizes(sizes) => written.tile_sizes = Some(sizes),
            Wanted::BlockSizes(sizes) => written.block_sizes = Some(sizes),
            Wanted::Unroll(factor) => written.unroll = Some(factor),
            Wanted::Fusion(fusion) => written.fusion = Some(fusion),
            Wanted::Layout(layout) => written.layout = Some(layout),
            Wanted::Memory(memory) => written.memory = Some(memory),
            Wanted::Avoid(memory) => written.avoid = Some(memory),
            Wanted::SharedMemory(bytes) => written.shared_memory = Some(bytes),
            Wanted::Transfer(transfer) => written.transfer = Some(transfer),
        }
        written
    }
}

/// Why nobody can ask for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Senseless {
    /// A size is no positive number.
    Sizes,
    /// No block has so many threads.
    Threads,
    /// No loop is unrolled so often.
    Factor,
    /// It is not for what it is said to be for.
    Target(String),
}

impl Senseless {
    /// The code of the message.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Sizes | Self::Factor => "E0301",
            Self::Threads => "E0302",
            Self::Target(_) => "E0305",
        }
    }

    /// What to do instead.
    pub fn way_out(&self) -> &'static str {
        match self {
            Self::Sizes => "sizes are positive numbers, as in `--tile-sizes 32,16`",
            Self::Threads => "the product of the sizes after `--block-sizes` may be 1024 at most",
            Self::Factor => "a factor is a positive number, as in `--unroll 8`; 1 forbids unrolling",
            Self::Target(_) => "docs/wishes.md says what can be asked for",
        }
    }
}

impl fmt::Display for Senseless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes => f.write_str("a tile or block size is not positive"),
            Self::Factor => write!(f, "loops are unrolled by 1 to {MAX_UNROLL}"),
            Self::Threads => write!(f, "the block sizes ask for more than {MAX_THREADS} threads in a block"),
            Self::Target(why) => f.write_str(why),
        }
    }
}

/// The number of threads that a block may have on every GPU of the last ten years.
pub const MAX_THREADS: u64 = 1024;

/// No loop is unrolled by more: its code would not fit any instruction cache.
pub const MAX_UNROLL: u32 = 1024;

impl Wish {
    /// A wish that can be one.
    ///
    /// # Errors
    /// What it asks for makes no sense, or not for what it is for.
    pub fn new(target: Target, wanted: Wanted, origin: impl Into<String>) -> Result<Self, Senseless> {
        let wish = Self { target, wanted, origin: origin.into() };
        wish.check()?;
        Ok(wish)
    }

    fn check(&self) -> Result<(), Senseless> {
        let Target { kernel, source_loop, array, .. } = &self.target;
        let (of_kernel, of_loop, of_array) = (kernel.is_some(), source_loop.is_some(), array.is_some());
        let (allowed, whose) = match &self.wanted {
            Wanted::TileSizes(_) | Wanted::Unroll(_) => {
                (!(of_array || of_kernel && of_loop), "kernels or loops")
            }
            Wanted::Fusion(_) => (!of_array && !of_loop && !of_kernel, "regions"),
            Wanted::BlockSizes(_) | Wanted::SharedMemory(_) => (!of_array && !of_loop, "kernels"),
            Wanted::Layout(_) | Wanted::Avoid(_) => (!of_loop, "kernels and arrays"),
            Wanted::Memory(MemoryKind::Shared) => {
                (!of_loop && (of_array || !of_kernel), "an array, which has to be named, or for all")
            }
            Wanted::Memory(_) => (of_array && !of_loop, "an array, which has to be named"),
            Wanted::Transfer(_) => (!of_loop && !of_kernel, "arrays"),
        };
        if !allowed {
            return Err(Senseless::Target(format!("{} is for {whose}", self.wanted)));
        }
        match &self.wanted {
            Wanted::TileSizes(sizes) | Wanted::BlockSizes(sizes) => self.check_sizes(sizes),
            Wanted::Unroll(factor) if !(1..=MAX_UNROLL).contains(factor) => Err(Senseless::Factor),
            Wanted::Avoid(MemoryKind::Global) => {
                Err(Senseless::Target("every array is in global memory at first".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn check_sizes(&self, sizes: &[u32]) -> Result<(), Senseless> {
        if sizes.is_empty() || sizes.contains(&0) {
            return Err(Senseless::Sizes);
        }
        if self.target.source_loop.is_some() && sizes.len() > 1 {
            return Err(Senseless::Target("a loop has one tile size".to_owned()));
        }
        let threads = sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size.into()));
        let too_many = threads.is_none_or(|threads| threads > MAX_THREADS);
        if matches!(self.wanted, Wanted::BlockSizes(_)) && too_many {
            return Err(Senseless::Threads);
        }
        Ok(())
    }

    /// True for what is decided with the order, or with blocks and threads.
    pub fn is_for_mapping(&self) -> bool {
        use Wanted::{BlockSizes, Fusion, TileSizes, Unroll};
        matches!(self.wanted, TileSizes(_) | BlockSizes(_) | Unroll(_) | Fusion(_))
    }

    /// True for what is decided with memories and transfers.
    pub fn is_for_placement(&self) -> bool {
        !self.is_for_mapping()
    }

    /// True if it is for an array, or for all: arrays are named as in C, or as in generated code.
    pub fn names(&self, array: &Array) -> bool {
        self.target.array.as_ref().is_none_or(|wanted| *wanted == array.expression || *wanted == array.name)
    }

    /// True if it may be for something of a region, whose name it may have without the part that changes with the file.
    pub fn is_for_region(&self, name: &str) -> bool {
        let wanted = self.target.region.as_deref();
        wanted.is_none_or(|region| region == name || region == names::without_digest(name))
    }
}

/// `E0306`: the first of some wishes that is for a region which there is not.
pub fn for_no_region(wishes: &[Wish], names: &[&str]) -> Option<Diagnostic> {
    let (wish, region) = wishes.iter().find_map(|wish| {
        let is_for_one = names.iter().any(|name| wish.is_for_region(name));
        wish.target.region.as_deref().filter(|_| !is_for_one).map(|region| (wish, region))
    })?;
    let message = format!("`{}` is for the region `{region}`, which there is not", wish.origin);
    let names: Vec<String> = names.iter().map(|name| names::without_digest(name)).collect();
    Some(
        Diagnostic::error("E0306", message).with_help(format!("the regions are called {}", names.join(", "))),
    )
}

impl FromStr for Target {
    type Err = String;

    /// `[REGION/][KERNEL:]ARRAY`, `[REGION/]KERNEL`, `[REGION/]LOOP`
    fn from_str(text: &str) -> Result<Self, String> {
        let (region, rest) = match text.split_once('/') {
            Some((region, rest)) => (Some(region.to_owned()), rest),
            None => (None, text),
        };
        let mut target = Self { region, ..Self::default() };
        let (kernel, array) = match rest.split_once(':') {
            Some((kernel, array)) if !array.starts_with(':') => (kernel, Some(array)),
            _ => (rest, None),
        };
        target.kernel = kernel.parse().ok();
        target.array = match (target.kernel, array) {
            (Some(_), array) => array.map(str::to_owned),
            (None, Some(_)) => return Err(format!("`{kernel}` is no kernel: they are called K0, K1, …")),
            (None, None) => {
                target.source_loop = rest.parse().ok();
                target.source_loop.is_none().then(|| rest.to_owned())
            }
        };
        let empty = |part: &Option<String>| part.as_deref() == Some("");
        if empty(&target.array) || empty(&target.region) {
            return Err(format!("`{text}` names nothing: kernels are called K0, loops L0, arrays as in C"));
        }
        Ok(target)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = match (&self.array, self.kernel, self.source_loop) {
            (Some(array), Some(kernel), _) => format!("`{array}` in {kernel}"),
            (Some(array), None, _) => format!("`{array}`"),
            (None, Some(kernel), _) => kernel.to_string(),
            (None, None, Some(source_loop)) => source_loop.to_string(),
            (None, None, None) => self.region.clone().unwrap_or("all".to_owned()),
        };
        f.write_str(&named)
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TileSizes(sizes) => write!(f, "tiles of {}", listed(sizes)),
            Self::BlockSizes(sizes) => write!(f, "blocks of {}", listed(sizes)),
            Self::Unroll(factor) => write!(f, "unrolling by {factor}"),
            Self::Fusion(fusion) => write!(f, "fusion of {fusion}"),
            Self::Layout(layout) => write!(f, "the layout {}", spelled(layout)),
            Self::Memory(memory) => write!(f, "{memory} memory"),
            Self::Avoid(memory) => write!(f, "no {memory} memory"),
            Self::SharedMemory(bytes) => write!(f, "{bytes} bytes of shared memory at most"),
            Self::Transfer(transfer) => write!(f, "the transfer {}", spelled(transfer)),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self).replace('_', " "))
    }
}

impl fmt::Display for FusionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self))
    }
}

impl fmt::Display for MemoryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self))
    }
}

/// Sizes as the command line has them.
pub fn listed(sizes: &[u32]) -> String {
    sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// The name of a case in the document.
fn spelled(case: &impl Serialize) -> String {
    match serde_json::to_value(case) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_ask_for_one_thing_that_makes_sense() {
        let cases = [
            (r#"{ "kernel": "K0", "tile_sizes": [64, 64, 16] }"#, "tiles of 64,64,16 for K0"),
            (r#"{ "loop": "L2", "tile_sizes": [8] }"#, "tiles of 8 for L2"),
            (r#"{ "region": "f_scop0", "fusion": "cycles" }"#, "fusion of cycles for f_scop0"),
            (r#"{ "kernel": "K0", "fusion": "most" }"#, "is for regions"),
            (r#"{ "array": "s.x", "kernel": "K1", "memory": "shared" }"#, "shared memory for `s.x` in K1"),
            (r#"{ "avoid": "shared" }"#, "no shared memory for all"),
            (r#"{ "array": "a", "transfer": "per_array" }"#, "the transfer per_array for `a`"),
            (r#"{ "tile_sizes": [8], "layout": "box" }"#, "one thing"),
            ("{}", "one thing"),
            (r#"{ "kernal": "K0", "tile_sizes": [8] }"#, "unknown field `kernal`"),
            (r#"{ "tile_sizes": [8, 0] }"#, "not positive"),
            (r#"{ "tile_sizes": [] }"#, "positive"),
            (r#"{ "loop": "L2", "tile_sizes": [8, 8] }"#, "one tile size"),
            (r#"{ "block_sizes": [64, 32] }"#, "more than 1024 threads"),
            (r#"{ "loop": "L0", "block_sizes": [64] }"#, "is for kernels"),
            (r#"{ "memory": "shared" }"#, "shared memory for all"),
            (r#"{ "memory": "private" }"#, "has to be named"),
            (r#"{ "kernel": "K0", "memory": "shared" }"#, "has to be named, or for all"),
            (r#"{ "kernel": "K0", "transfer": "linearized" }"#, "is for arrays"),
            (r#"{ "avoid": "global" }"#, "at first"),
        ];
        for (text, expected) in cases {
            let found = match serde_json::from_str::<Wish>(text) {
                Ok(wish) => format!("{} for {}", wish.wanted, wish.target),
                Err(error) => error.to_string(),
            };
            assert!(found.contains(expected), "{text}: {found}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let text = r#"{"region":"f_scop0","kernel":"K0","array":"a","layout":"ring","origin":"me"}"#;
        let wish: Wish = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&wish).unwrap(), text);
    }

    #[test]
    fn regions_are_named_with_or_without_their_digest() {
        let wish = |region: &str| {
            let text =
                format!(r#"{{"region":"{region}","kernel":"K0","array":"a","layout":"ring","origin":"me"}}"#);
            serde_json::from_str::<Wish>(&text).unwrap()
        };
        let name = "solver_step_3522a2_scop0";
        for (region, is_meant) in [
            (name, true),
            ("solver_step_scop0", true),
            ("solver_step_scop1", false),
            ("solver_scop0", false),
            ("solver_step_000000_scop0", false),
        ] {
            assert_eq!(wish(region).is_for_region(name), is_meant, "{region}");
            assert_eq!(for_no_region(&[wish(region)], &[name]).is_none(), is_meant, "{region}");
        }
        assert!(!wish("solver_scop0").is_for_region("solver_abcdeg_scop0"));
    }

    #[test]
    fn targets_are_kernels_loops_and_arrays() {
        let shown = |text: &str| match text.parse::<Target>() {
            Ok(target) => format!("{}{target}", target.region.clone().map(|r| r + ": ").unwrap_or_default()),
            Err(message) => message,
        };
        assert_eq!(shown("K0"), "K0");
        assert_eq!(shown("L12"), "L12");
        assert_eq!(shown("K"), "`K`", "an array");
        assert_eq!(shown("K1:p->x"), "`p->x` in K1");
        assert_eq!(shown("N::a"), "`N::a`");
        assert_eq!(shown("f_scop0/K0:N::a"), "f_scop0: `N::a` in K0");
        assert_eq!(shown("f:a"), "`f` is no kernel: they are called K0, K1, …");
        assert!(shown("").contains("names nothing"));
        assert!(shown("/K0").contains("names nothing"));
    }
}
