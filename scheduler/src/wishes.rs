//! The user's wishes for a mapping, and the answers to them.
//!
//! Of several wishes for one kernel, the last one that names the kernel counts, or if none does, the last one for all
//! kernels. A size for a loop of the source counts in every kernel that tiles the loop.

use scop::wish::{AlgorithmKind, Demand, FusionKind, GridKind, Offload, Verdict, listed};
use scop::{
    Answer, Array, Axis, Dependences, Freedom, Kernel, KernelId, LoopId, MAX_THREADS, MOST_ALONG_Z, Model,
    Ordered, Reduction, Variant, VariantKind, Wanted, Wish,
};

use crate::shape::{Shape, ThreadLoop};

/// The wishes for the mapping of a region.
pub struct Wishes<'a> {
    /// The number of loops in the source of the region.
    loops: usize,
    /// The wishes of the document, followed by those of the command line.
    wishes: Vec<&'a Wish>,
}

/// The variants of a region among which to choose, by their position.
pub struct Candidates {
    /// Those of which one must be taken, if there are any.
    pub demanded: Vec<usize>,
    /// Those that may be taken.
    pub possible: Vec<usize>,
}

/// A mapped kernel, with which a wish is compared.
type Mapped<'a> = (&'a Kernel, &'a Shape);

/// A wish that is not met although no other wish overrules it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// Block sizes that do not match the tiles.
    Blocks {
        /// The kernel.
        kernel: KernelId,
        /// The tile sizes along the parallel loops.
        tiles: Vec<u32>,
        /// The requested sizes.
        wanted: Vec<u32>,
        /// The nearest sizes that divide the tiles and fit a block.
        nearest: Vec<u32>,
    },
    /// An algorithm that cannot order the region.
    Algorithm(AlgorithmKind),
    /// A wish for something that does not exist, or that lacks what was requested.
    Other {
        /// The wish.
        wish: Wish,
        /// The reason why it is not met.
        reason: String,
    },
}

impl<'a> Wishes<'a> {
    /// Selects the wishes for this region from those of the document and of the command line.
    pub fn new(model: &'a Model, more: &'a [Wish]) -> Self {
        let all = model.wishes.iter().chain(more);
        let wishes = all.filter(|wish| wish.is_for_mapping() && wish.is_for_region(&model.name)).collect();
        Self { loops: model.loops.len(), wishes }
    }

    /// Returns the requested tile sizes of a kernel.
    pub fn tile_sizes(&self, kernel: KernelId) -> Option<&'a [u32]> {
        self.chosen(kernel, tile_sizes).and_then(tile_sizes)
    }

    /// Returns the requested block sizes of a kernel.
    pub fn block_sizes(&self, kernel: KernelId) -> Option<&'a [u32]> {
        self.chosen(kernel, block_sizes).and_then(block_sizes)
    }

    /// True if the user asks for sizes of a kernel, or of one of its loops.
    pub fn has_sizes(&self, kernel: KernelId, loops: &[Option<LoopId>]) -> bool {
        let of_loop = |source_loop: &Option<LoopId>| source_loop.and_then(|id| self.tile_size(id)).is_some();
        self.tile_sizes(kernel).is_some() || self.block_sizes(kernel).is_some() || loops.iter().any(of_loop)
    }

    /// Returns the requested axes of a kernel.
    pub fn axes(&self, kernel: KernelId) -> Option<&'a [Axis]> {
        self.chosen(kernel, axes).and_then(axes)
    }

    /// Returns the requested algorithm.
    pub fn algorithm(&self) -> AlgorithmKind {
        self.for_region(algorithm).and_then(algorithm).unwrap_or(AlgorithmKind::Isl)
    }

    /// Returns where the region is to run, if the user says so.
    pub fn offload(&self) -> Option<&'a Offload> {
        self.for_region(offload).and_then(offload)
    }

    /// Returns the requested tile size along a loop of the source.
    pub fn tile_size(&self, source_loop: LoopId) -> Option<u32> {
        self.of_loop(source_loop, tile_sizes).and_then(tile_sizes)?.first().copied()
    }

    /// True if the user asks for unrolled loops.
    pub fn has_unrolling(&self) -> bool {
        self.wishes.iter().any(|wish| unroll(wish).is_some())
    }

    /// Returns the requested unroll factor of a loop of a thread. A wish for a loop of the source applies everywhere,
    /// a wish for kernels only to their innermost loops.
    pub fn unroll(&self, kernel: KernelId, source_loop: Option<LoopId>, innermost: bool) -> Option<u32> {
        self.for_unrolling(kernel, source_loop, innermost).and_then(unroll)
    }

    /// Returns the requested form of a kernel's grid.
    pub fn grid(&self, kernel: KernelId) -> Option<GridKind> {
        self.chosen(kernel, grid).and_then(grid)
    }

    /// Returns the requested number of threads that share a sum in a kernel.
    pub fn sum_threads(&self, kernel: KernelId) -> Option<u32> {
        self.chosen(kernel, sum_threads).and_then(sum_threads)
    }

    /// Returns the requested number of threads in a kernel for each one that computes.
    pub fn load_threads(&self, kernel: KernelId) -> Option<u32> {
        self.chosen(kernel, load_threads).and_then(load_threads)
    }

    /// Returns whether threads of a kernel that only copy have to do so one tile ahead.
    pub fn load_ahead(&self, kernel: KernelId) -> Option<bool> {
        self.chosen(kernel, load_ahead).and_then(load_ahead)
    }

    /// Returns the requested fusion of statements.
    pub fn fusion(&self) -> Option<FusionKind> {
        self.for_region(fusion).and_then(fusion)
    }

    /// Returns the wish of a kind that applies to the region. One that names it takes precedence over one for all
    /// regions.
    fn for_region<T>(&self, kind: impl Fn(&'a Wish) -> Option<T>) -> Option<&'a Wish> {
        let candidates = || self.wishes.iter().rev().copied().filter(|wish| kind(wish).is_some());
        candidates().find(|wish| wish.target.region.is_some()).or_else(|| candidates().next())
    }

    fn for_unrolling(
        &self,
        kernel: KernelId,
        source_loop: Option<LoopId>,
        innermost: bool,
    ) -> Option<&'a Wish> {
        let of_kernel = || self.chosen(kernel, unroll).filter(|_| innermost);
        source_loop.and_then(|source_loop| self.of_loop(source_loop, unroll)).or_else(of_kernel)
    }

    /// Returns the wish of a kind that applies to a loop of the source.
    fn of_loop<T>(&self, source_loop: LoopId, kind: impl Fn(&'a Wish) -> Option<T>) -> Option<&'a Wish> {
        let named = |wish: &&'a Wish| wish.target.source_loop == Some(source_loop) && kind(wish).is_some();
        self.wishes.iter().rev().copied().find(named)
    }

    /// Returns the wish of a kind that applies to a kernel.
    fn chosen<T>(&self, kernel: KernelId, kind: impl Fn(&'a Wish) -> Option<T>) -> Option<&'a Wish> {
        let of_kernels = |wish: &&'a Wish| wish.target.source_loop.is_none() && kind(wish).is_some();
        let candidates = || self.wishes.iter().rev().copied().filter(of_kernels);
        let named = candidates().find(|wish| wish.target.kernel == Some(kernel));
        named.or_else(|| candidates().find(|wish| wish.target.kernel.is_none()))
    }

    /// Answers the wishes for an order. Also returns the refused wishes.
    pub fn of_order(&self, ordered: &Ordered) -> (Vec<Answer>, Vec<Refused>) {
        let (mut answers, mut refused) = (Vec::new(), Vec::new());
        for wish in self.wishes.iter().copied().filter(|wish| is_for_order(wish)) {
            let (met, counts) = match wish.wanted {
                Wanted::Fusion(wanted) => {
                    let met = format!("isl was asked for fusion of {wanted}");
                    ((ordered.fusion == Some(wanted)).then_some(met), self.for_region(fusion))
                }
                Wanted::Algorithm(wanted) => {
                    let found_by = ordered
                        .algorithm
                        .filter(|&found_by| wanted == AlgorithmKind::Isl || found_by == wanted);
                    (found_by.map(|_| described(ordered)), self.for_region(algorithm))
                }
                _ => continue,
            };
            let (verdict, reason) = match met {
                Some(reason) => (Verdict::Met, reason),
                None if counts != Some(wish) => {
                    (Verdict::Overruled, "another wish takes precedence in this region".to_owned())
                }
                None => {
                    let description = described(ordered);
                    let reason = format!("the order of this region was found in another way: {description}");
                    if wish.target.region.is_some() {
                        refused.push(Refused::Other { wish: wish.clone(), reason: reason.clone() });
                    }
                    (Verdict::NotMet, reason)
                }
            };
            answers.push(Answer { wish: wish.clone(), kernel: None, array: None, verdict, reason });
        }
        (answers, refused)
    }

    /// Returns the variants of a region among which to choose, given the region without expansions.
    pub fn candidates(&self, extracted: &Model, variants: &[Variant]) -> Candidates {
        let demands = |variant: &Variant, wanted: Demand| {
            let of = variant.of.iter().filter_map(|id| extracted.arrays.get(id.index()));
            of.filter(|array| self.for_variant(variant.kind, array).and_then(demand) == Some(wanted)).count()
        };
        let possible: Vec<usize> = (0..variants.len())
            .filter(|&position| demands(&variants[position], Demand::Never) == 0)
            .collect();
        let met = |position: &usize| demands(&variants[*position], Demand::Always);
        let most = possible.iter().map(met).max().unwrap_or_default();
        let demanded = possible.iter().copied().filter(|position| most > 0 && met(position) == most);
        Candidates { demanded: demanded.collect(), possible }
    }

    /// Returns the wish that decides whether an array has a kind of variant. A wish that names the array takes
    /// precedence over one for all arrays.
    fn for_variant(&self, kind: VariantKind, array: &Array) -> Option<&'a Wish> {
        let all = || self.wishes.iter().rev().copied().filter(|wish| variant_kind(wish) == Some(kind));
        let named = all().find(|wish| wish.target.array.is_some() && wish.names(array));
        named.or_else(|| all().find(|wish| wish.target.array.is_none()))
    }

    /// Answers the wishes for variants, given the arrays of the region and the variant that was taken. Also returns the
    /// refused wishes.
    pub fn of_variants(
        &self,
        model: &Model,
        variants: &[Variant],
        taken: Option<&Variant>,
    ) -> (Vec<Answer>, Vec<Refused>) {
        let (mut answers, mut refused) = (Vec::new(), Vec::new());
        for &wish in &self.wishes {
            let Some((kind, demand)) = variant_kind(wish).zip(demand(wish)) else { continue };
            let arrays: Vec<&Array> = model.arrays.iter().filter(|array| wish.names(array)).collect();
            let concerns = |variant: &&Variant| {
                variant.kind == kind && arrays.iter().any(|array| variant.of.contains(&array.id))
            };
            let is_taken = taken.is_some_and(|taken| concerns(&taken));
            let is_possible = variants.iter().any(|variant| concerns(&variant));
            let is_other = |array: &Array| {
                let counts = self.for_variant(kind, array);
                counts.is_some_and(|counts| counts != wish && self::demand(counts) != Some(demand))
            };
            let is_overruled = |variant: &Variant| {
                let of = variant.of.iter().filter_map(|id| model.arrays.get(id.index()));
                of.filter(|array| is_other(array)).count() > 0
            };
            let overruled = variants.iter().filter(concerns).all(is_overruled);
            let (verdict, reason) = match (demand, is_taken, is_possible) {
                _ if arrays.is_empty() => (Verdict::Pointless, "the region has no such array".to_owned()),
                (Demand::Always, true, _) | (Demand::Never, false, true) => (
                    Verdict::Met,
                    taken.map_or("the region as it is", |_| "a variant of the region").to_owned(),
                ),
                (_, _, true) if overruled => {
                    (Verdict::Overruled, "another wish takes precedence for these arrays".to_owned())
                }
                (Demand::Never, false, false) => (Verdict::Met, impossible(kind).to_owned()),
                (Demand::Always, false, true) => {
                    (Verdict::NotMet, "the order that was found has no place for it".to_owned())
                }
                (Demand::Always, false, false) => match wish.target.array {
                    Some(_) => (Verdict::NotMet, impossible(kind).to_owned()),
                    None => (Verdict::Pointless, impossible(kind).to_owned()),
                },
                (Demand::Never, true, _) => {
                    (Verdict::NotMet, "the document has the order of a variant that does it".to_owned())
                }
            };
            let is_named = wish.target.array.is_some() || wish.target.region.is_some();
            if verdict == Verdict::NotMet && is_named {
                refused.push(Refused::Other { wish: wish.clone(), reason: reason.clone() });
            }
            answers.push(Answer { wish: wish.clone(), kernel: None, array: None, verdict, reason });
        }
        (answers, refused)
    }

    /// Answers the wishes for the device or the host. Without kernels, `on_host` says why. Also returns the refused
    /// wishes.
    pub fn of_region(&self, model: &Model, kernels: &[Kernel], on_host: &str) -> (Vec<Answer>, Vec<Refused>) {
        let (mut answers, mut refused) = (Vec::new(), Vec::new());
        for wish in self.wishes.iter().copied() {
            let Some(wanted) = offload(wish) else { continue };
            let (verdict, reason) = match (wanted, unknown_parameter(wanted, model)) {
                _ if self.for_region(offload) != Some(wish) => {
                    (Verdict::Overruled, "another wish takes precedence in this region".to_owned())
                }
                (_, Some(name)) => (Verdict::Pointless, format!("the region has no parameter `{name}`")),
                (Offload::Never, _) => (Verdict::Met, "it has no kernels".to_owned()),
                _ if kernels.is_empty() => {
                    let reason = format!("it stays on the host: {on_host}");
                    if wish.target.region.is_some() {
                        refused.push(Refused::Other { wish: wish.clone(), reason: reason.clone() });
                    }
                    (Verdict::NotMet, reason)
                }
                (Offload::Always, _) => (Verdict::Met, "no size keeps it on the host".to_owned()),
                (Offload::Above(_), _) => {
                    (Verdict::Met, "the program compares its parameters with these values".to_owned())
                }
            };
            answers.push(Answer { wish: wish.clone(), kernel: None, array: None, verdict, reason });
        }
        (answers, refused)
    }

    /// Answers the permissions for another order of sums.
    pub fn of_sums(&self, model: &Model, dependences: &Dependences) -> Vec<Answer> {
        let sum_of = |reduction: &Reduction| {
            let array = model.access(reduction.write).and_then(|write| model.array(write.array)).ok()?;
            reduction.free.map(|freedom| (array, freedom))
        };
        let sums: Vec<(&Array, Freedom)> = dependences.reductions.iter().filter_map(sum_of).collect();
        let is_permission = |wish: &&&Wish| wish.wanted == Wanted::Reassociate;
        let answered = |wish: &&Wish| {
            let is_for = |array: &Array| {
                wish.names(array) || array.expansion_of.is_some() && array.expansion_of == wish.target.array
            };
            let own = || sums.iter().filter(|(array, _)| is_for(array)).map(|(_, freedom)| freedom);
            let (verdict, reason) = if own().any(|freedom| *freedom == Freedom::Permitted) {
                (Verdict::Met, "updates may be done in another order")
            } else if own().next().is_some() {
                (Verdict::Met, "every order gives the same bits, so no permission is needed")
            } else {
                (Verdict::Pointless, "the region has no such sum")
            };
            Answer { wish: (*wish).clone(), kernel: None, array: None, verdict, reason: reason.to_owned() }
        };
        self.wishes.iter().filter(is_permission).map(answered).collect()
    }

    /// Answers all wishes for kernels and loops. Also returns the refused wishes.
    pub fn of_kernels(
        &self,
        kernels: &[Kernel],
        shapes: &[Shape],
        thread_loops: &[ThreadLoop],
    ) -> (Vec<Answer>, Vec<Refused>) {
        let mapped: Vec<Mapped<'_>> = kernels.iter().zip(shapes).collect();
        let (mut answers, mut refused) = (Vec::new(), Vec::new());
        let is_of_kernels = |wish: &&&Wish| {
            let is_of_region = offload(wish).is_some() || wish.wanted == Wanted::Reassociate;
            !is_for_order(wish) && demand(wish).is_none() && !is_of_region
        };
        for wish in self.wishes.iter().filter(is_of_kernels) {
            match &wish.wanted {
                Wanted::BlockSizes(sizes) => self.blocks(wish, sizes, &mapped, &mut answers, &mut refused),
                Wanted::Axes(axes) => self.axes_of(wish, axes, &mapped, &mut answers, &mut refused),
                Wanted::TileSizes(sizes) => match wish.target.source_loop {
                    Some(source_loop) => self.loops(wish, source_loop, sizes, &mapped, &mut answers),
                    None => self.tiles(wish, sizes, &mapped, &mut answers, &mut refused),
                },
                Wanted::Grid(wanted) => self.grids(wish, *wanted, &mapped, &mut answers, &mut refused),
                Wanted::SumThreads(wanted) => {
                    let kind = (sum_threads as fn(&Wish) -> Option<u32>, *wanted);
                    let found = (sharing as Found<u32>, NOT_SHARED);
                    self.of_shapes(wish, kind, found, &mapped, &mut answers, &mut refused);
                }
                Wanted::LoadThreads(wanted) => {
                    let kind = (load_threads as fn(&Wish) -> Option<u32>, *wanted);
                    let found = (loading as Found<u32>, NOT_LOADING);
                    self.of_shapes(wish, kind, found, &mapped, &mut answers, &mut refused);
                }
                Wanted::LoadAhead(demand) => {
                    let kind = (load_ahead as fn(&Wish) -> Option<bool>, *demand == Demand::Always);
                    let found = (ahead as Found<bool>, NOT_AHEAD);
                    self.of_shapes(wish, kind, found, &mapped, &mut answers, &mut refused);
                }
                Wanted::Unroll(_) => answers.extend(self.unrolled(wish, thread_loops)),
                _ => {}
            }
            if !answers.iter().any(|answer: &Answer| &answer.wish == *wish) {
                answers.push(self.unanswered(wish, &mapped));
            }
        }
        (answers, refused)
    }

    fn blocks(
        &self,
        wish: &Wish,
        sizes: &[u32],
        mapped: &[Mapped<'_>],
        answers: &mut Vec<Answer>,
        refused: &mut Vec<Refused>,
    ) {
        for (kernel, shape) in of_kernel(wish, mapped).filter(|(_, shape)| !shape.threads.is_empty()) {
            let wanted: Vec<u32> =
                (shape.first..).map(|at| at_position(sizes, at)).take(shape.threads.len()).collect();
            let mut reason = format!("blocks of {}", listed(&shape.threads));
            let verdict = if shape.threads == wanted {
                Verdict::Met
            } else if self.chosen(kernel.id, block_sizes) != Some(wish) {
                Verdict::Overruled
            } else {
                reason += ", the nearest that go with the tiles";
                refused.push(Refused::Blocks {
                    kernel: kernel.id,
                    tiles: shape.parallel_tiles().to_vec(),
                    wanted,
                    nearest: shape.threads.clone(),
                });
                Verdict::NotMet
            };
            answers.push(answer(wish, kernel.id, verdict, reason));
        }
    }

    fn axes_of(
        &self,
        wish: &Wish,
        wanted: &[Axis],
        mapped: &[Mapped<'_>],
        answers: &mut Vec<Answer>,
        refused: &mut Vec<Refused>,
    ) {
        for (kernel, shape) in of_kernel(wish, mapped).filter(|(_, shape)| !shape.axes.is_empty()) {
            let mut reason = format!("the axes {}", listed(&shape.axes));
            let verdict = if shape.axes == wanted {
                Verdict::Met
            } else if self.chosen(kernel.id, axes) != Some(wish) {
                Verdict::Overruled
            } else {
                reason += &format!(": {} loops run in parallel", shape.axes.len());
                if wish.target.kernel.is_some() {
                    refused.push(Refused::Other { wish: wish.clone(), reason: reason.clone() });
                }
                Verdict::NotMet
            };
            answers.push(answer(wish, kernel.id, verdict, reason));
        }
    }

    fn tiles(
        &self,
        wish: &Wish,
        sizes: &[u32],
        mapped: &[Mapped<'_>],
        answers: &mut Vec<Answer>,
        refused: &mut Vec<Refused>,
    ) {
        for (kernel, shape) in of_kernel(wish, mapped).filter(|(_, shape)| !shape.tiles.is_empty()) {
            let wanted: Vec<u32> = (0..shape.tiles.len()).map(|at| at_position(sizes, at)).collect();
            let too_many = wish.target.kernel.is_some() && sizes.len() > shape.tiles.len();
            let mut reason = format!("tiles of {}", listed(&shape.tiles));
            let verdict = if too_many {
                reason += &format!(": it has only {} tiled loops", shape.tiles.len());
                refused.push(Refused::Other { wish: wish.clone(), reason: reason.clone() });
                Verdict::NotMet
            } else if shape.tiles == wanted {
                Verdict::Met
            } else {
                Verdict::Overruled
            };
            answers.push(answer(wish, kernel.id, verdict, reason));
        }
    }

    /// Answers wishes for a number of threads in kernels: `found` tells the number and says it in words, and `why_not` is
    /// the reason why another one cannot be had.
    /// Answers a wish for something that each shape has, with a reason in words, and `why_not` if it is not what is
    /// wanted.
    fn of_shapes<T: PartialEq>(
        &self,
        wish: &Wish,
        (kind, wanted): (fn(&Wish) -> Option<T>, T),
        (found, why_not): (Found<T>, &str),
        mapped: &[Mapped<'_>],
        answers: &mut Vec<Answer>,
        refused: &mut Vec<Refused>,
    ) {
        for (kernel, shape) in of_kernel(wish, mapped) {
            let (value, mut reason) = found(shape);
            let verdict = if value == wanted {
                Verdict::Met
            } else if self.chosen(kernel.id, kind) != Some(wish) {
                Verdict::Overruled
            } else {
                reason += why_not;
                if wish.target.kernel.is_some() {
                    refused.push(Refused::Other { wish: wish.clone(), reason: reason.clone() });
                }
                Verdict::NotMet
            };
            answers.push(answer(wish, kernel.id, verdict, reason));
        }
    }

    fn loops(
        &self,
        wish: &Wish,
        source_loop: LoopId,
        sizes: &[u32],
        mapped: &[Mapped<'_>],
        answers: &mut Vec<Answer>,
    ) {
        for (kernel, shape) in mapped {
            let members = shape.loops.iter().zip(&shape.tiles);
            for (_, &tile) in members.filter(|(counted, _)| **counted == Some(source_loop)) {
                let verdict = if sizes == [tile] { Verdict::Met } else { Verdict::Overruled };
                let reason = format!("tiles of {tile} along {source_loop}");
                answers.push(answer(wish, kernel.id, verdict, reason));
            }
        }
    }

    fn grids(
        &self,
        wish: &Wish,
        wanted: GridKind,
        mapped: &[Mapped<'_>],
        answers: &mut Vec<Answer>,
        refused: &mut Vec<Refused>,
    ) {
        for (kernel, shape) in of_kernel(wish, mapped) {
            let Some((kind, why)) = &shape.grid else { continue };
            let mut reason = format!("the grid is {kind}");
            let verdict = if *kind == wanted {
                Verdict::Met
            } else if self.chosen(kernel.id, grid) != Some(wish) {
                Verdict::Overruled
            } else {
                reason = why.clone().unwrap_or(reason);
                if wish.target.kernel.is_some() {
                    refused.push(Refused::Other { wish: wish.clone(), reason: reason.clone() });
                }
                Verdict::NotMet
            };
            answers.push(answer(wish, kernel.id, verdict, reason));
        }
    }

    /// Answers a wish for an unroll factor, with one answer for all loops that are alike.
    fn unrolled(&self, wish: &Wish, thread_loops: &[ThreadLoop]) -> Vec<Answer> {
        let is_for = |thread_loop: &&ThreadLoop| match (wish.target.kernel, wish.target.source_loop) {
            (_, Some(wanted)) => thread_loop.source_loop == Some(wanted),
            (wanted, None) => {
                thread_loop.innermost && wanted.is_none_or(|wanted| wanted == thread_loop.kernel)
            }
        };
        let mut answers: Vec<Answer> = Vec::new();
        for thread_loop in thread_loops.iter().filter(is_for) {
            let ThreadLoop { kernel, source_loop, innermost, factor } = *thread_loop;
            let counts = self.for_unrolling(kernel, source_loop, innermost) == Some(wish);
            let verdict = if counts { Verdict::Met } else { Verdict::Overruled };
            let name = source_loop.map_or("a loop of a thread".to_owned(), |counted| counted.to_string());
            let by = factor.map_or("as nvcc decides".to_owned(), |factor| format!("by {factor}"));
            let answer = answer(wish, kernel, verdict, format!("{name} is unrolled {by}"));
            if !answers.contains(&answer) {
                answers.push(answer);
            }
        }
        answers.sort_by_key(|answer| answer.kernel);
        answers
    }

    /// Returns the answer to a wish that applies to nothing in the region.
    fn unanswered(&self, wish: &Wish, mapped: &[Mapped<'_>]) -> Answer {
        let named = wish.target.kernel.and_then(|_| of_kernel(wish, mapped).next());
        let reason = match (named, wish.target.kernel, wish.target.source_loop) {
            (Some((kernel, _)), ..) if unroll(wish).is_some() => {
                format!("no thread of {} runs a loop, except those over registers", kernel.id)
            }
            (Some((kernel, _)), ..) => {
                format!("no loop of {} is tiled: {}", kernel.id, kernel.reasons.join("; "))
            }
            (None, Some(wanted), _) => match mapped.len() {
                0 => format!("there is no kernel {wanted}: the region has none"),
                1 => format!("there is no kernel {wanted}: the region has K0 alone"),
                kernels => format!("there is no kernel {wanted}: they are K0 to K{}", kernels - 1),
            },
            (None, None, Some(wanted)) if wanted.index() >= self.loops => {
                format!("there is no loop {wanted}: the region has {}", self.loops)
            }
            (None, None, Some(wanted)) if unroll(wish).is_some() => {
                format!("no thread runs the loop {wanted} as it is in the source")
            }
            (None, None, Some(wanted)) => format!("no kernel tiles the loop {wanted} as it is in the source"),
            (None, None, None) if unroll(wish).is_some() => "no thread runs a loop".to_owned(),
            (None, None, None) => "no loop of a kernel is tiled".to_owned(),
        };
        Answer { wish: wish.clone(), kernel: None, array: None, verdict: Verdict::Pointless, reason }
    }
}

fn answer(wish: &Wish, kernel: KernelId, verdict: Verdict, reason: String) -> Answer {
    Answer { wish: wish.clone(), kernel: Some(kernel), array: None, verdict, reason }
}

fn tile_sizes(wish: &Wish) -> Option<&[u32]> {
    if let Wanted::TileSizes(sizes) = &wish.wanted { Some(sizes) } else { None }
}

fn block_sizes(wish: &Wish) -> Option<&[u32]> {
    if let Wanted::BlockSizes(sizes) = &wish.wanted { Some(sizes) } else { None }
}

fn axes(wish: &Wish) -> Option<&[Axis]> {
    if let Wanted::Axes(axes) = &wish.wanted { Some(axes) } else { None }
}

fn algorithm(wish: &Wish) -> Option<AlgorithmKind> {
    if let Wanted::Algorithm(algorithm) = wish.wanted { Some(algorithm) } else { None }
}

fn offload(wish: &Wish) -> Option<&Offload> {
    if let Wanted::Offload(offload) = &wish.wanted { Some(offload) } else { None }
}

/// Returns a parameter for which there is a size although the region does not have it.
fn unknown_parameter<'a>(wanted: &'a Offload, model: &Model) -> Option<&'a str> {
    let Offload::Above(sizes) = wanted else { return None };
    let is_known = |name: &&String| model.parameters.iter().any(|parameter| parameter.name == **name);
    sizes.keys().find(|name| !is_known(name)).map(String::as_str)
}

fn is_for_order(wish: &Wish) -> bool {
    matches!(wish.wanted, Wanted::Fusion(_) | Wanted::Algorithm(_))
}

fn described(ordered: &Ordered) -> String {
    ordered.scheduled_by.clone().unwrap_or("found by another program".to_owned())
}

/// Returns what a shape has of what a wish is about, and the same in words.
type Found<T> = fn(&Shape) -> (T, String);

fn unroll(wish: &Wish) -> Option<u32> {
    if let Wanted::Unroll(factor) = &wish.wanted { Some(*factor) } else { None }
}

fn grid(wish: &Wish) -> Option<GridKind> {
    if let Wanted::Grid(grid) = &wish.wanted { Some(*grid) } else { None }
}

/// Why threads do not share a sum.
const NOT_SHARED: &str = ": no sum of the kernel has an order that is free, or its nest has more loops";

/// Why no threads only load.
const NOT_LOADING: &str = ": such a kernel has one sequential loop inside at most one parallel loop, reads arrays that it \
                           does not write, and a tile of them fits into shared memory";

fn sharing(shape: &Shape) -> (u32, String) {
    match shape.sum_threads() {
        1 => (1, "no threads share a sum".to_owned()),
        several => (several, format!("{several} threads share a sum")),
    }
}

fn loading(shape: &Shape) -> (u32, String) {
    match shape.loading {
        1 => (1, "all threads compute".to_owned()),
        several => (several, format!("one of {several} threads computes")),
    }
}

/// Why no threads load ahead.
const NOT_AHEAD: &str = ": two tiles have to fit into shared memory, and some threads have to do nothing but copy, which \
                         `--load-threads` asks for";

fn ahead(shape: &Shape) -> (bool, String) {
    let reason = match shape {
        Shape { ahead: true, .. } => "each tile is copied while the one before is computed",
        Shape { loading: 1, .. } => "all threads compute",
        _ => "each tile is copied before it is computed",
    };
    (shape.ahead, reason.to_owned())
}

fn load_ahead(wish: &Wish) -> Option<bool> {
    if let Wanted::LoadAhead(demand) = &wish.wanted { Some(*demand == Demand::Always) } else { None }
}

fn load_threads(wish: &Wish) -> Option<u32> {
    if let Wanted::LoadThreads(threads) = &wish.wanted { Some(*threads) } else { None }
}

fn sum_threads(wish: &Wish) -> Option<u32> {
    if let Wanted::SumThreads(threads) = &wish.wanted { Some(*threads) } else { None }
}

fn fusion(wish: &Wish) -> Option<FusionKind> {
    if let Wanted::Fusion(fusion) = wish.wanted { Some(fusion) } else { None }
}

fn demand(wish: &Wish) -> Option<Demand> {
    match wish.wanted {
        Wanted::OldValues(demand)
        | Wanted::Turns(demand)
        | Wanted::InPlace(demand)
        | Wanted::PartialSums(demand) => Some(demand),
        _ => None,
    }
}

fn variant_kind(wish: &Wish) -> Option<VariantKind> {
    match wish.wanted {
        Wanted::OldValues(_) => Some(VariantKind::OldValues),
        Wanted::Turns(_) => Some(VariantKind::Turns),
        Wanted::InPlace(_) => Some(VariantKind::InPlace),
        Wanted::PartialSums(_) => Some(VariantKind::PartialSums),
        _ => None,
    }
}

/// Explains why a region has no variant of a kind.
fn impossible(kind: VariantKind) -> &'static str {
    match kind {
        VariantKind::OldValues => "no loop waits only for reads of old values of it",
        VariantKind::Turns => "no loop copies it only for its next iteration",
        VariantKind::InPlace => {
            "it is no scalar that each iteration stores in an element of an array, whose other elements its updates \
             read; or something else uses the element before it is stored; or each update waits for the one before \
             in every order"
        }
        VariantKind::PartialSums => {
            "it is no sum whose order is free, no extreme with its place and no sum that is read in between, or \
             something else uses it in the same loops"
        }
    }
}

fn at_position(sizes: &[u32], position: usize) -> u32 {
    sizes.get(position).or(sizes.last()).copied().unwrap_or(1)
}

/// Returns the kernels that a wish names, or all of them.
fn of_kernel<'a>(wish: &Wish, mapped: &'a [Mapped<'a>]) -> impl Iterator<Item = &'a Mapped<'a>> {
    let wanted = wish.target.kernel;
    mapped.iter().filter(move |(kernel, _)| wanted.is_none_or(|wanted| wanted == kernel.id))
}

/// Explains which block sizes are possible.
pub fn rule_of_blocks() -> String {
    format!(
        "along each loop the threads divide the tile; a block has at most {MAX_THREADS} threads, and at most \
         {MOST_ALONG_Z} along z"
    )
}
