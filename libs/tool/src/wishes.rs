//! Wishes on the command line and in files.

use std::collections::BTreeMap;
use std::path::Path;

use scop::wish::{
    AlgorithmKind, Demand, FusionKind, GridKind, LayoutKind, MemoryKind, Offload, Senseless, Target,
    TransferKind,
};
use scop::{Axis, Diagnostic, Diagnostics, Wanted, Wish};
use serde::de::DeserializeOwned;

use crate::document::{place, text};
use crate::input;

/// The wishes for the mapping to blocks and threads.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct MappingWishes {
    /// The tile sizes of a kernel (K0), of a loop of the source (L2), or of all kernels: first those of the parallel
    /// loops, outermost first, then those of the sequential loops. The last size is repeated for further loops.
    /// `gemm_scop0/K0` is the kernel of one region
    #[arg(long, value_name = "[WHERE=]N,N,...", value_parser = asked::<Sizes>)]
    tile_sizes: Vec<Asked<Sizes>>,

    /// The numbers of threads along the parallel loops of a kernel, or of all kernels, outermost first. Each must
    /// divide the tile size, which is the default. Impossible sizes are refused
    #[arg(long, value_name = "[WHERE=]N,N,...", value_parser = asked::<Sizes>)]
    block_sizes: Vec<Asked<Sizes>>,

    /// The unroll factor of the innermost loops that a thread runs, in a kernel (K0) or in all kernels, or of a loop of
    /// the source (L2) in the kernels that run it as it is. 1 forbids unrolling; without this option nvcc decides
    #[arg(long, value_name = "[WHERE=]N", value_parser = asked::<u32>)]
    unroll: Vec<Asked<u32>>,

    /// The axes of the parallel loops of a kernel (K0) or of all, outermost first: warps run along x
    #[arg(long, value_name = "[WHERE=]AXIS,AXIS,...", value_parser = asked::<Axes>)]
    axes: Vec<Asked<Axes>>,

    /// How the statement instances of a region, or of all, are ordered: `isl` (the default), by isl's scheduler or
    /// another algorithm whose order costs less; `isl-outer`, by isl with parallel loops outermost; `isl-apart`,
    /// likewise with only those statements in common loops that depend on each other in a cycle; `isl-deep`, by isl
    /// with the deepest permutable bands; `perfect`, as in the source, with nests made perfect; `levels`, as in the
    /// source, with nests split into levels of independent iterations; `blocked`, with sequential loops blocked;
    /// `source`, as in the source, tiled and parallelised
    #[arg(long, value_name = "[REGION=]ALGORITHM", value_parser = asked::<AlgorithmKind>)]
    algorithm: Vec<Asked<AlgorithmKind>>,

    /// The number of threads that share a sum whose order is free, in a kernel (K0) or in all kernels: 1, or the 32 of
    /// a warp, which combine their values at the end. Without this option the time model decides
    #[arg(long, value_name = "[K0=]N", value_parser = asked::<u32>)]
    sum_threads: Vec<Asked<u32>>,

    /// The number of threads of a block, in a kernel (K0) or in all kernels, for each one that computes: the others
    /// only copy what it reads into shared memory. 1 has none; without this option the time model decides
    #[arg(long, value_name = "[K0=]N", value_parser = asked::<u32>)]
    load_threads: Vec<Asked<u32>>,

    /// Whether the threads that only copy, in a kernel (K0) or in all kernels, copy each tile while the others compute
    /// with the tile before: `always` or `never`; without this option the time model decides
    #[arg(long, value_name = "[K0=]WHEN", value_parser = asked::<Demand>)]
    load_ahead: Vec<Asked<Demand>>,

    /// Which statements share loops in the order that isl finds, in a region or in all: `most` (the default), all that
    /// can without losing parallelism; `cycles`, only those that depend on each other in a cycle
    #[arg(long, value_name = "[REGION=]STATEMENTS", value_parser = asked::<FusionKind>)]
    fusion: Vec<Asked<FusionKind>>,

    /// Whether old values of an array, or of any, are read from a copy, so that overwriting them need not wait:
    /// `always` or `never`; without this option the price decides
    #[arg(long, value_name = "[ARRAY=]WHEN", value_parser = asked::<Demand>)]
    old_values: Vec<Asked<Demand>>,

    /// Whether an array, or any, takes turns with another one instead of being copied from it in each iteration of a
    /// loop: `always` or `never`; without this option the price decides
    #[arg(long, value_name = "[ARRAY=]WHEN", value_parser = asked::<Demand>)]
    turns: Vec<Asked<Demand>>,

    /// Whether values of a temporary, or of any, go to the element of an array that they become, so that its updates
    /// can run in blocks: `always` or `never`; without this option the price decides
    #[arg(long, value_name = "[ARRAY=]WHEN", value_parser = asked::<Demand>)]
    in_place: Vec<Asked<Demand>>,

    /// Whether the updates of the sum in a variable or an array, or of any, go to partial sums, so that all blocks of a
    /// grid take part: `always` or `never`; without this option the price decides
    #[arg(long, value_name = "[ARRAY=]WHEN", value_parser = asked::<Demand>)]
    partial_sums: Vec<Asked<Demand>>,

    /// Which blocks the launches of a kernel (K0) or of all kernels start: `box`, all of a box in the coordinates of
    /// tiles; `sheared`, all of a smaller box that counts sums or differences of these coordinates; `ranked`, only
    /// those with work, which are numbered (needs libbarvinok)
    #[arg(long, value_name = "[K0=]FORM", value_parser = asked::<GridKind>)]
    grid: Vec<Asked<GridKind>>,

    /// Where a region, or any, runs: `always` on the device, whatever its sizes are; `never`; or `above:n:300,m:20`,
    /// on the device unless `n` is 300 at most and `m` 20 at most. Without this option, a run whose sizes are so small
    /// that the host is faster, by the time model, stays on the host
    #[arg(long, value_name = "[REGION=]WHEN", value_parser = asked::<Offload>)]
    offload: Vec<Asked<Offload>>,
}

/// Permissions for the analysis of dependences.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct Permissions {
    /// Permit that the updates of floating-point sums, products, minima and maxima are done in another order, although
    /// the results may differ in their last bits: those of all, or of the sum in a variable or an array
    /// (`--reassociate=s`, `--reassociate=f_scop0/s`)
    #[arg(long, value_name = "SUM", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    reassociate: Vec<String>,
}

impl Permissions {
    /// Returns the permissions as wishes, in the order of the options.
    ///
    /// # Errors
    /// `E0305` if one of them makes no sense.
    pub fn wishes(&self) -> Result<Vec<Wish>, Diagnostics> {
        let mut wishes = Vec::new();
        for text in &self.reassociate {
            let option = if text.is_empty() { String::new() } else { format!("={text}") };
            let origin = format!("--reassociate{option}");
            let senseless = |why: String| {
                Diagnostic::error("E0305", format!("`{origin}` makes no sense: {why}")).with_help(
                    "a permission is for all sums, or for that in a variable or an array: `--reassociate=s`",
                )
            };
            let target = if text.is_empty() { Ok(Target::default()) } else { text.parse() };
            let target = target.map_err(&senseless)?;
            let wish = Wish::new(target, Wanted::Reassociate, &origin);
            wishes.push(wish.map_err(|why| senseless(why.to_string()))?);
        }
        Ok(wishes)
    }
}

/// The wishes for the placement of data.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct PlacementWishes {
    /// The layout of buffers in shared memory: `box`, the bounding box of what a tile uses; `dense`, without gaps
    /// (needs libbarvinok); `ring`, a ring buffer, which keeps what the next step of a tile loop uses again. It is used
    /// for all buffers for which it is possible, or must be used for those of an array (`A`), of a kernel (`K0`), or of
    /// both (`K0:A`)
    #[arg(long, value_name = "[WHERE=]LAYOUT", value_parser = asked::<LayoutKind>)]
    layout: Vec<Asked<LayoutKind>>,

    /// The memory in which kernels access an array: `private`, `shared`, `constant`, or `global`, which means no
    /// buffer. Without an array, only `shared` is possible: it applies to all that several threads of a block use and
    /// none writes, also where the copies do not pay off
    #[arg(long, value_name = "[[K0:]ARRAY=]MEMORY", value_parser = asked::<MemoryKind>)]
    memory: Vec<Asked<MemoryKind>>,

    /// A memory that must not be used for an array, in a kernel, or at all: `private`, `shared` or `constant`
    #[arg(long, value_name = "[WHERE=]MEMORY", value_parser = asked::<MemoryKind>)]
    avoid: Vec<Asked<MemoryKind>>,

    /// The shared memory that a block may use, in bytes [default: the target's]
    #[arg(long, value_name = "[K0=]BYTES", value_parser = asked::<u64>)]
    shared_memory: Vec<Asked<u64>>,

    /// How arrays are transferred to the device and back: `linearized`, only the elements that kernels use, packed one
    /// after the other (needs libbarvinok), for all arrays for which it is possible, or for one array, for which it
    /// must be; `per-array`, slices or boxes as they are in memory
    #[arg(long, value_name = "[ARRAY=]FORM", value_parser = asked::<TransferKind>)]
    transfer: Vec<Asked<TransferKind>>,

    /// Whether an array, or any, stays on the device from one region to the next: `always` or `never`
    #[arg(long, value_name = "[ARRAY=]WHEN", value_parser = asked::<Demand>)]
    resident: Vec<Asked<Demand>>,

    /// Whether each run of a region copies an array to the device: `always` or `never`
    #[arg(long, value_name = "ARRAY=WHEN", value_parser = asked::<Demand>)]
    copy_in: Vec<Asked<Demand>>,

    /// Whether each run of a region copies an array back: `always` or `never`
    #[arg(long, value_name = "ARRAY=WHEN", value_parser = asked::<Demand>)]
    copy_out: Vec<Asked<Demand>>,
}

impl MappingWishes {
    /// Returns the wishes, in the order of the options.
    ///
    /// # Errors
    /// `E0301`, `E0302`, `E0305` if one of them makes no sense.
    pub fn wishes(&self) -> Result<Vec<Wish>, Diagnostics> {
        let mut wishes = Vec::new();
        add(&mut wishes, "--tile-sizes", &self.tile_sizes, |sizes| Wanted::TileSizes(sizes.0.clone()))?;
        add(&mut wishes, "--block-sizes", &self.block_sizes, |sizes| Wanted::BlockSizes(sizes.0.clone()))?;
        add(&mut wishes, "--unroll", &self.unroll, |factor| Wanted::Unroll(*factor))?;
        add(&mut wishes, "--axes", &self.axes, |axes| Wanted::Axes(axes.0.clone()))?;
        add(&mut wishes, "--algorithm", &self.algorithm, |algorithm| Wanted::Algorithm(*algorithm))?;
        add(&mut wishes, "--sum-threads", &self.sum_threads, |threads| Wanted::SumThreads(*threads))?;
        add(&mut wishes, "--load-threads", &self.load_threads, |threads| Wanted::LoadThreads(*threads))?;
        add(&mut wishes, "--load-ahead", &self.load_ahead, |ahead| Wanted::LoadAhead(*ahead))?;
        add(&mut wishes, "--fusion", &self.fusion, |fusion| Wanted::Fusion(*fusion))?;
        add(&mut wishes, "--old-values", &self.old_values, |old| Wanted::OldValues(*old))?;
        add(&mut wishes, "--turns", &self.turns, |turns| Wanted::Turns(*turns))?;
        add(&mut wishes, "--in-place", &self.in_place, |in_place| Wanted::InPlace(*in_place))?;
        add(&mut wishes, "--partial-sums", &self.partial_sums, |sums| Wanted::PartialSums(*sums))?;
        add(&mut wishes, "--grid", &self.grid, |grid| Wanted::Grid(*grid))?;
        add(&mut wishes, "--offload", &self.offload, |offload| Wanted::Offload(offload.clone()))?;
        Ok(wishes)
    }
}

impl PlacementWishes {
    /// Returns the wishes, in the order of the options.
    ///
    /// # Errors
    /// `E0305` if one of them makes no sense.
    pub fn wishes(&self) -> Result<Vec<Wish>, Diagnostics> {
        let mut wishes = Vec::new();
        add(&mut wishes, "--layout", &self.layout, |layout| Wanted::Layout(*layout))?;
        add(&mut wishes, "--memory", &self.memory, |memory| Wanted::Memory(*memory))?;
        add(&mut wishes, "--avoid", &self.avoid, |memory| Wanted::Avoid(*memory))?;
        add(&mut wishes, "--shared-memory", &self.shared_memory, |bytes| Wanted::SharedMemory(*bytes))?;
        add(&mut wishes, "--transfer", &self.transfer, |transfer| Wanted::Transfer(*transfer))?;
        add(&mut wishes, "--resident", &self.resident, |demand| Wanted::Resident(*demand))?;
        add(&mut wishes, "--copy-in", &self.copy_in, |demand| Wanted::CopyIn(*demand))?;
        add(&mut wishes, "--copy-out", &self.copy_out, |demand| Wanted::CopyOut(*demand))?;
        Ok(wishes)
    }
}

/// Reads the wishes of a file: a JSON list in the form that documents use.
///
/// # Errors
/// `E0001` if the file cannot be read, `E0306` if it is not a list of wishes. A file that is too large, empty or not
/// UTF-8 is refused as a document would be.
pub fn wishes_in(path: &Path) -> Result<Vec<Wish>, Diagnostics> {
    let input = input::read(Some(path))?;
    let (name, text) = (&input.name, text(&input)?);
    let wishes: Vec<Wish> = serde_json::from_str(text).map_err(|error| {
        let message = format!("`{name}` is not a list of wishes: {}", without_place(&error));
        let diagnostic = Diagnostic::error("E0306", message).with_help(
            "a file has wishes as in `[{ \"kernel\": \"K0\", \"tile_sizes\": [64, 64, 16] }]`; docs/wishes.md has all",
        );
        match place(text, error.line(), error.column()) {
            Some(range) => diagnostic.at(name, range, ""),
            None => diagnostic,
        }
    })?;
    let named = wishes.into_iter().enumerate().map(|(position, wish)| {
        let origin =
            if wish.origin.is_empty() { format!("{name}, wish {}", position + 1) } else { wish.origin };
        Wish { origin, ..wish }
    });
    Ok(named.collect())
}

/// A wish from the command line: the target, the value, and the text as given.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Asked<T> {
    target: Target,
    value: T,
    text: String,
}

/// Sizes, separated by commas.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sizes(Vec<u32>);

/// Axes, separated by commas.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Axes(Vec<Axis>);

/// A value that can be asked for on a command line.
trait Value: Sized {
    fn read(text: &str) -> Result<Self, String>;

    /// Reads the target of a wish.
    fn target(text: &str) -> Result<Target, String> {
        text.parse()
    }
}

impl Value for Sizes {
    fn read(text: &str) -> Result<Self, String> {
        let size = |size: &str| size.trim().parse().map_err(|_| format!("`{size}` is not a size"));
        text.split(',').map(size).collect::<Result<_, _>>().map(Self)
    }
}

impl Value for u32 {
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| format!("`{text}` is not a factor"))
    }
}

impl Value for u64 {
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| format!("`{text}` is not a number of bytes"))
    }
}

impl Value for Axes {
    fn read(text: &str) -> Result<Self, String> {
        text.split(',').map(|axis| named(axis.trim(), "x, y, z")).collect::<Result<_, _>>().map(Self)
    }
}

impl Value for AlgorithmKind {
    fn read(text: &str) -> Result<Self, String> {
        named(text, "isl, isl-outer, isl-apart, isl-deep, perfect, levels, blocked, source")
    }

    fn target(text: &str) -> Result<Target, String> {
        region(text)
    }
}

impl Value for FusionKind {
    fn read(text: &str) -> Result<Self, String> {
        named(text, "most, cycles")
    }

    fn target(text: &str) -> Result<Target, String> {
        region(text)
    }
}

impl Value for GridKind {
    fn read(text: &str) -> Result<Self, String> {
        named(text, "box, sheared, ranked")
    }
}

impl Value for LayoutKind {
    fn read(text: &str) -> Result<Self, String> {
        named(text, "box, dense, ring")
    }
}

impl Value for MemoryKind {
    fn read(text: &str) -> Result<Self, String> {
        named(text, "private, shared, constant, global")
    }
}

impl Value for TransferKind {
    fn read(text: &str) -> Result<Self, String> {
        named(text, "linearized, per-array")
    }
}

impl Value for Demand {
    fn read(text: &str) -> Result<Self, String> {
        named(text, "always, never")
    }
}

impl Value for Offload {
    fn read(text: &str) -> Result<Self, String> {
        let choices = "always, never, above:NAME:NUMBER,...";
        let Some(sizes) = text.strip_prefix("above:") else { return named(text, choices) };
        let mut above = BTreeMap::new();
        for size in sizes.split(',') {
            let wrong = || format!("`{size}` is not a parameter with a number, as in above:n:300");
            let (name, value) = size.split_once(':').ok_or_else(wrong)?;
            let value = value.trim().parse().map_err(|_| wrong())?;
            if above.insert(name.trim().to_owned(), value).is_some() {
                return Err(format!("`{}` has two values", name.trim()));
            }
        }
        Ok(Self::Above(above))
    }

    fn target(text: &str) -> Result<Target, String> {
        region(text)
    }
}

fn region(text: &str) -> Result<Target, String> {
    match text {
        "" => Err("a region is named before the `=`".to_owned()),
        region => Ok(Target { region: Some(region.to_owned()), ..Target::default() }),
    }
}

/// Reads a value by its name in the document, with hyphens for underscores.
fn named<T: DeserializeOwned>(text: &str, choices: &str) -> Result<T, String> {
    let name = serde_json::Value::String(text.replace('-', "_"));
    serde_json::from_value(name).map_err(|_| format!("`{text}` is not one of {choices}"))
}

/// `[WHERE=]VALUE`
fn asked<T: Value>(text: &str) -> Result<Asked<T>, String> {
    let (target, value) = match text.rsplit_once('=') {
        Some((target, value)) => (T::target(target)?, value),
        None => (Target::default(), text),
    };
    Ok(Asked { target, value: T::read(value)?, text: text.to_owned() })
}

fn add<T>(
    wishes: &mut Vec<Wish>,
    option: &str,
    asked: &[Asked<T>],
    wanted: impl Fn(&T) -> Wanted,
) -> Result<(), Diagnostics> {
    for Asked { target, value, text } in asked {
        let origin = format!("{option} {text}");
        let senseless = |why: Senseless| {
            let message = format!("`{origin}` makes no sense: {why}");
            Diagnostic::error(why.code(), message).with_help(why.way_out())
        };
        wishes.push(Wish::new(target.clone(), wanted(value), &origin).map_err(senseless)?);
    }
    Ok(())
}

/// Returns an error's message without the line and the column, which are shown separately.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        mapping: MappingWishes,
        #[command(flatten)]
        placement: PlacementWishes,
    }

    /// Returns the wishes of a command line, or what is wrong with it.
    fn said(arguments: &[&str]) -> String {
        let line = match Line::try_parse_from(["tool"].iter().chain(arguments)) {
            Ok(line) => line,
            Err(error) => return error.to_string(),
        };
        let all = line.mapping.wishes().and_then(|mut wishes| {
            wishes.extend(line.placement.wishes()?);
            Ok(wishes)
        });
        match all {
            Ok(wishes) => {
                let shown = wishes.iter().map(|wish| format!("{} for {}", wish.wanted, wish.target));
                shown.collect::<Vec<_>>().join("; ")
            }
            Err(Diagnostics(messages)) => format!("{}: {}", messages[0].code, messages[0].message),
        }
    }

    #[test]
    fn command_lines_ask_for_things() {
        let cases: [(&[&str], &str); 34] = [
            (&["--tile-sizes", "8,4"], "tiles of 8,4 for all"),
            (
                &["--tile-sizes=K0=64,64,16", "--tile-sizes=L2=8"],
                "tiles of 64,64,16 for K0; tiles of 8 for L2",
            ),
            (
                &["--fusion", "most", "--fusion=f_scop0=cycles"],
                "fusion of most for all; fusion of cycles for f_scop0",
            ),
            (
                &["--algorithm", "isl-deep", "--algorithm=f_scop0=levels"],
                "the algorithm isl-deep for all; the algorithm levels for f_scop0",
            ),
            (&["--algorithm", "best"], "`best` is not one of isl, isl-outer,"),
            (&["--axes=K0=y,x"], "the axes y,x for K0"),
            (&["--axes", "y,y"], "E0305: `--axes y,y` makes no sense: each of the loops has"),
            (&["--grid", "K1=ranked"], "a grid that is ranked for K1"),
            (&["--grid", "round"], "`round` is not one of box, sheared, ranked"),
            (
                &["--offload", "always", "--offload=f_scop0=never"],
                "a run on the device for all sizes for all; a run on the host for f_scop0",
            ),
            (&["--offload", "sometimes"], "`sometimes` is not one of always, never, above:NAME:NUMBER"),
            (&["--offload", "f_scop0=above:n:300, m:20"], "the device above m = 20, n = 300 for f_scop0"),
            (&["--offload", "above:n"], "`n` is not a parameter with a number"),
            (&["--offload", "above:n:3,n:4"], "`n` has two values"),
            (&["--fusion", "all"], "`all` is not one of most, cycles"),
            (&["--fusion", "=most"], "a region is named"),
            (&["--block-sizes", "K1=16,16"], "blocks of 16,16 for K1"),
            (&["--layout", "K0:p->a=ring"], "the layout ring for `p->a` in K0"),
            (
                &["--memory", "a=constant", "--avoid", "shared"],
                "constant memory for `a`; no shared memory for all",
            ),
            (&["--shared-memory", "K0=1000"], "1000 bytes of shared memory at most for K0"),
            (&["--transfer", "per-array"], "the transfer per_array for all"),
            (&["--tile-sizes", "8,0"], "E0301: `--tile-sizes 8,0` makes no sense"),
            (&["--block-sizes", "64,64"], "E0302: `--block-sizes 64,64` makes no sense"),
            (&["--layout", "L0=box"], "E0305: `--layout L0=box` makes no sense"),
            (&["--memory", "shared"], "shared memory for all"),
            (&["--memory", "private"], "E0305: `--memory private` makes no sense"),
            (&["--tile-sizes", "8;4"], "`8;4` is not a size"),
            (&["--layout", "a=round"], "`round` is not one of box, dense, ring"),
            (&["--transfer", "=linearized"], "names nothing"),
            (&["--resident", "never", "--resident=a=always"], "no residency for all; residency for `a`"),
            (
                &["--copy-in=a=never", "--copy-out=b=always"],
                "no copy to the device for `a`; a copy back for `b`",
            ),
            (
                &["--old-values=B=always", "--turns", "never"],
                "a copy of old values for `B`; no turns for all",
            ),
            (&["--copy-in", "never"], "E0305: `--copy-in never` makes no sense"),
            (&["--resident", "a=often"], "`often` is not one of always, never"),
        ];
        for (arguments, expected) in cases {
            let found = said(arguments);
            assert!(found.contains(expected), "{arguments:?}: {found}");
        }
    }

    #[test]
    fn files_have_lists_of_wishes() {
        let folder = std::env::temp_dir().join(format!("wishes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("w.json");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            wishes_in(&path)
        };
        let wishes =
            read("[{ \"kernel\": \"K0\", \"tile_sizes\": [8] }, { \"avoid\": \"shared\" }]").unwrap();
        assert_eq!(wishes.len(), 2);
        assert!(wishes[1].origin.ends_with("w.json, wish 2"), "{}", wishes[1].origin);
        let Diagnostics(messages) = read("[\n  { \"kernal\": \"K0\" }\n]").unwrap_err();
        let place = messages[0].place.clone().unwrap();
        assert_eq!((messages[0].code.as_str(), place.range.line), ("E0306", 2));
        assert!(messages[0].message.contains("unknown field `kernal`"), "{}", messages[0].message);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(wishes_in(&path).unwrap_err().0[0].code, "E0001");
    }
}
