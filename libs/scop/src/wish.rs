//! The user's wishes, and the answers to them.
//!
//! Everything by which a user asks for a certain result, on the command line or in a file, becomes a [`Wish`].
//! (A directive's statement about a loop is a [`crate::Claim`].) The stage that makes the decision gives an
//! [`Answer`] to each wish: either the wish is met exactly, or the answer contains the reason why not.

mod answer;
mod rules;
mod target;
mod wanted;
mod written;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Array, Diagnostic, names};

pub use answer::{Answer, Verdict};
pub use rules::{MAX_UNROLL, Senseless};
pub use target::Target;
pub use wanted::{
    AlgorithmKind, Demand, FusionKind, GridKind, LayoutKind, MemoryKind, Offload, TransferKind, Wanted,
    listed,
};

use rules::check;
use written::Written;

/// A wish of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "Written")]
#[schemars(with = "Written")]
pub struct Wish {
    /// The target: what the wish is for.
    pub target: Target,
    /// The result that is asked for.
    pub wanted: Wanted,
    /// The origin of the wish, for people: `--tile-sizes K0=64,64`.
    pub origin: String,
}

impl TryFrom<Written> for Wish {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { region, kernel, source_loop, array, origin, .. } = written;
        let asked = [
            written.tile_sizes.map(Wanted::TileSizes),
            written.block_sizes.map(Wanted::BlockSizes),
            written.unroll.map(Wanted::Unroll),
            written.axes.map(Wanted::Axes),
            written.sum_threads.map(Wanted::SumThreads),
            written.load_threads.map(Wanted::LoadThreads),
            written.load_ahead.map(Wanted::LoadAhead),
            written.algorithm.map(Wanted::Algorithm),
            written.fusion.map(Wanted::Fusion),
            written.reassociate.filter(|permits| *permits).map(|_| Wanted::Reassociate),
            written.old_values.map(Wanted::OldValues),
            written.turns.map(Wanted::Turns),
            written.in_place.map(Wanted::InPlace),
            written.partial_sums.map(Wanted::PartialSums),
            written.grid.map(Wanted::Grid),
            written.offload.map(Wanted::Offload),
            written.layout.map(Wanted::Layout),
            written.memory.map(Wanted::Memory),
            written.avoid.map(Wanted::Avoid),
            written.shared_memory.map(Wanted::SharedMemory),
            written.transfer.map(Wanted::Transfer),
            written.resident.map(Wanted::Resident),
            written.copy_in.map(Wanted::CopyIn),
            written.copy_out.map(Wanted::CopyOut),
        ];
        let mut asked = asked.into_iter().flatten();
        let (Some(wanted), None) = (asked.next(), asked.next()) else {
            return Err(
                "a wish asks for one thing: `tile_sizes`, `block_sizes`, `unroll`, `axes`, `sum_threads`, \
                        `load_threads`, `load_ahead`, `algorithm`, `fusion`, `reassociate`, `old_values`, `turns`, \
                        `in_place`, `partial_sums`, `grid`, `offload`, `layout`, `memory`, `avoid`, \
                        `shared_memory`, `transfer`, `resident`, `copy_in` or `copy_out`"
                    .to_owned(),
            );
        };
        let wish = Self { target: Target { region, kernel, source_loop, array }, wanted, origin };
        check(&wish.target, &wish.wanted).map_err(|why| why.to_string())?;
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
            Wanted::Axes(axes) => written.axes = Some(axes),
            Wanted::SumThreads(threads) => written.sum_threads = Some(threads),
            Wanted::LoadThreads(threads) => written.load_threads = Some(threads),
            Wanted::LoadAhead(demand) => written.load_ahead = Some(demand),
            Wanted::Algorithm(algorithm) => written.algorithm = Some(algorithm),
            Wanted::Fusion(fusion) => written.fusion = Some(fusion),
            Wanted::Reassociate => written.reassociate = Some(true),
            Wanted::OldValues(demand) => written.old_values = Some(demand),
            Wanted::Turns(demand) => written.turns = Some(demand),
            Wanted::InPlace(demand) => written.in_place = Some(demand),
            Wanted::PartialSums(demand) => written.partial_sums = Some(demand),
            Wanted::Grid(grid) => written.grid = Some(grid),
            Wanted::Offload(offload) => written.offload = Some(offload),
            Wanted::Layout(layout) => written.layout = Some(layout),
            Wanted::Memory(memory) => written.memory = Some(memory),
            Wanted::Avoid(memory) => written.avoid = Some(memory),
            Wanted::SharedMemory(bytes) => written.shared_memory = Some(bytes),
            Wanted::Transfer(transfer) => written.transfer = Some(transfer),
            Wanted::Resident(demand) => written.resident = Some(demand),
            Wanted::CopyIn(demand) => written.copy_in = Some(demand),
            Wanted::CopyOut(demand) => written.copy_out = Some(demand),
        }
        written
    }
}

impl Wish {
    /// Creates a wish.
    ///
    /// # Errors
    /// Fails if what it asks for makes no sense, or not for this target.
    pub fn new(target: Target, wanted: Wanted, origin: impl Into<String>) -> Result<Self, Senseless> {
        let wish = Self { target, wanted, origin: origin.into() };
        check(&wish.target, &wish.wanted)?;
        Ok(wish)
    }

    /// True if the order or the mapping to blocks and threads decides the wish.
    pub fn is_for_mapping(&self) -> bool {
        use Wanted::{
            Algorithm, Axes, BlockSizes, Fusion, Grid, InPlace, LoadAhead, LoadThreads, Offload, OldValues,
            PartialSums, Reassociate, SumThreads, TileSizes, Turns, Unroll,
        };
        let is_of_kernels = matches!(
            self.wanted,
            TileSizes(_)
                | BlockSizes(_)
                | Unroll(_)
                | Axes(_)
                | Grid(_)
                | SumThreads(_)
                | LoadThreads(_)
                | LoadAhead(_)
        );
        let is_of_arrays =
            matches!(self.wanted, OldValues(_) | Turns(_) | InPlace(_) | PartialSums(_) | Reassociate);
        is_of_kernels || is_of_arrays || matches!(self.wanted, Algorithm(_) | Fusion(_) | Offload(_))
    }

    /// True if the placement decides the wish.
    pub fn is_for_placement(&self) -> bool {
        !self.is_for_mapping()
    }

    /// True if the wish is for this array or for all arrays. It names an array as in C or as in generated code.
    pub fn names(&self, array: &Array) -> bool {
        let names = || [array.expression.clone(), array.name.clone(), array.shown()];
        self.target.array.as_ref().is_none_or(|wanted| names().contains(wanted))
    }

    /// True if the wish may be for something in this region. It may name the region without the digest of the
    /// file.
    pub fn is_for_region(&self, name: &str) -> bool {
        let wanted = self.target.region.as_deref();
        wanted.is_none_or(|region| region == name || region == names::without_digest(name))
    }
}

/// Returns `E0306` for the first wish that names a region that does not exist.
pub fn for_no_region(wishes: &[Wish], names: &[&str]) -> Option<Diagnostic> {
    let (wish, region) = wishes.iter().find_map(|wish| {
        let is_for_one = names.iter().any(|name| wish.is_for_region(name));
        wish.target.region.as_deref().filter(|_| !is_for_one).map(|region| (wish, region))
    })?;
    let message = format!("`{}` is for the region `{region}`, which does not exist", wish.origin);
    let names: Vec<String> = names.iter().map(|name| names::without_digest(name)).collect();
    Some(
        Diagnostic::error("E0306", message).with_help(format!("the regions are called {}", names.join(", "))),
    )
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
            (r#"{ "kernel": "K0", "axes": ["y", "x"] }"#, "the axes y,x for K0"),
            (r#"{ "kernel": "K0", "axes": ["x", "x"] }"#, "each of the loops has an axis of its own"),
            (r#"{ "kernel": "K0", "axes": ["z", "x"] }"#, "two loops lie along x and y"),
            (r#"{ "loop": "L0", "axes": ["x"] }"#, "is for kernels"),
            (r#"{ "region": "f_scop0", "algorithm": "isl_deep" }"#, "the algorithm isl-deep for f_scop0"),
            (r#"{ "kernel": "K0", "algorithm": "isl" }"#, "is for regions"),
            (r#"{ "kernel": "K1", "grid": "ranked" }"#, "a grid that is ranked for K1"),
            (r#"{ "array": "a", "grid": "box" }"#, "is for kernels"),
            (r#"{ "region": "f_scop0", "offload": "never" }"#, "a run on the host for f_scop0"),
            (r#"{ "array": "a", "offload": "always" }"#, "is for regions"),
            (
                r#"{ "offload": { "above": { "n": 300, "m": 20 } } }"#,
                "on the device above m = 20, n = 300 for all",
            ),
            (r#"{ "offload": { "above": {} } }"#, "no parameter is named"),
            (r#"{ "array": "s.x", "kernel": "K1", "memory": "shared" }"#, "shared memory for `s.x` in K1"),
            (r#"{ "avoid": "shared" }"#, "no shared memory for all"),
            (r#"{ "array": "a", "transfer": "per_array" }"#, "the transfer per_array for `a`"),
            (r#"{ "resident": "never" }"#, "no residency for all"),
            (r#"{ "array": "a", "resident": "always" }"#, "residency for `a`"),
            (r#"{ "kernel": "K0", "resident": "always" }"#, "is for arrays"),
            (r#"{ "region": "f_scop0", "array": "a", "copy_in": "never" }"#, "no copy to the device for `a`"),
            (r#"{ "array": "a", "copy_out": "always" }"#, "a copy back for `a`"),
            (r#"{ "copy_out": "never" }"#, "has to be named"),
            (r#"{ "array": "a", "copy_out": "sometimes" }"#, "unknown variant `sometimes`"),
            (r#"{ "tile_sizes": [8], "layout": "box" }"#, "one thing"),
            ("{}", "one thing"),
            (r#"{ "kernal": "K0", "tile_sizes": [8] }"#, "unknown field `kernal`"),
            (r#"{ "tile_sizes": [8, 0] }"#, "not positive"),
            (r#"{ "tile_sizes": [] }"#, "no size is named"),
            ("null", "expected a wish, as in {"),
            (r#"{ "algorithm": "isl-deep" }"#, "the algorithm isl-deep for all"),
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
        assert_eq!(shown("f:a"), "`f` is not a kernel: kernels are called K0, K1, …");
        assert!(shown("").contains("names nothing"));
        assert!(shown("/K0").contains("names nothing"));
    }
}
