//! How often each basic block runs: the flow through the graph that contradicts the evidence least.
//!
//! See the head of [`crate::sass`] for the method.

use std::collections::{BTreeMap, BTreeSet};

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use petgraph::graph::NodeIndex;
use serde::Serialize;
use thiserror::Error;

use super::class::Class;
use super::evidence::{Evidence, Fact, contributions};
use super::graph::{Block, Graph, Loop};
use super::listing::{Instruction, Place};
use super::versions::{Iterations, Straight, iterations, straight_code, versions};

/// How often things run; all numbers are per warp that was launched.
#[derive(Clone, Debug, Default)]
pub struct Attribution {
    /// Executions of each block.
    pub executions: Vec<f64>,
    /// Executions of each edge, in the order of the block's successors.
    pub flows: Vec<Vec<f64>>,
    /// What the executions do not explain, the largest deviations first.
    pub misfits: Vec<Misfit>,
}

/// A fact that the executions contradict by more than a twentieth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Misfit {
    /// The file of the line; empty for the whole kernel.
    pub file: String,
    /// The line; 0 for the whole kernel.
    pub line: u64,
    /// What is counted.
    pub fact: Fact,
    /// How much of it the profile has, per warp.
    pub profile: f64,
    /// How much of it the attributed executions have, per warp.
    pub attributed: f64,
}

/// The solver failed: a bug, because every graph whose first block reaches an end has a solution.
#[derive(Clone, Debug, Error)]
#[error("the executions of the blocks could not be computed: {0}")]
pub struct AttributionError(String);

/// What one relative deviation costs: that a line runs more often than in the profile, or less often (which
/// unrolling does); that a loop is entered less often than once for each iteration of the loop around it; that
/// branches diverge more often; that totals of the kernel differ (as a factor of the fact's cost); and all instructions
/// together. That no lane executes an instruction with a predicate is a factor of the fact's cost, too.
const MORE: f64 = 2.0;
const LESS: f64 = 0.02;
const ENTRIES: f64 = 0.05;
const DIVERGENCE: f64 = 1e-4;
const ALL_DIVERGENCE: f64 = 5.0;
const TOTALS: f64 = 0.3;
const IDLE: f64 = 0.3;
const INSTRUCTIONS: f64 = 1e-3;

/// What it costs if a loop runs more or less often than the trip counts of the source tell, by all of its iterations.
/// Those of a loop whose trip counts differ are an average, and what remains for its versions is a guess.
const UNIFORM_LOOP: f64 = 4.0;
const OTHER_LOOP: f64 = 1.0;

/// A linear sum.
type Terms = Vec<(Variable, f64)>;

/// Computes the executions of all blocks.
///
/// `lines` has the line of each instruction of the graph.
///
/// # Errors
/// If the solver fails.
pub fn attribute(
    graph: &Graph,
    lines: &[Option<Place>],
    evidence: &Evidence,
) -> Result<Attribution, AttributionError> {
    let versions = versions(graph, lines, evidence);
    let known = iterations(&versions);
    let solve = |trips: Vec<f64>| {
        let mut model = Model::new(graph, lines, evidence);
        model.conserve_flow();
        model.enter_loops(&with_known_trips(trips, &known));
        model.limit_divergence();
        model.explain_facts();
        model.explain_executions();
        model.explain_loops(&known);
        model.limit_straight_code(&straight_code(graph, lines, &versions));
        model.solve()
    };
    // The trips of loops of which the source's loop is unknown are those of the first solution.
    let first = solve(trips_of_lines(graph, lines, evidence))?;
    solve(trips_of(graph, &first.executions))
}

/// Replaces the trips of loops whose loop in the source is known.
fn with_known_trips(mut trips: Vec<f64>, known: &[Iterations]) -> Vec<f64> {
    for version in known {
        for &number in &version.loops {
            trips[number] = version.trips;
        }
    }
    trips
}

/// Returns the iterations of each loop for each iteration of the loop around it, given the executions of the blocks.
fn trips_of(graph: &Graph, executions: &[f64]) -> Vec<f64> {
    let around = |number: usize| {
        let header = graph.loops[number].header;
        let outer = graph.loops[..number].iter().rfind(|outer| outer.blocks.contains(&header));
        outer.map_or(1.0, |outer| executions[outer.header])
    };
    let trips =
        |(number, body): (usize, &Loop)| (executions[body.header] / around(number).max(1e-9)).max(1.0);
    graph.loops.iter().enumerate().map(trips).collect()
}

/// Returns the same, if blocks run as often as warps come to their lines.
fn trips_of_lines(graph: &Graph, lines: &[Option<Place>], evidence: &Evidence) -> Vec<f64> {
    let known = |block: &Block| {
        let places = block.code.clone().filter_map(|at| lines[at].as_ref());
        places.filter_map(|place| evidence.executions.get(place)).copied().fold(1.0, f64::max)
    };
    trips_of(graph, &graph.blocks.iter().map(known).collect::<Vec<f64>>())
}

/// The linear program.
struct Model<'a> {
    graph: &'a Graph,
    lines: &'a [Option<Place>],
    evidence: &'a Evidence,
    problem: Problem,
    /// Executions of each block.
    blocks: Vec<Variable>,
    /// Executions of each edge.
    edges: Vec<Vec<Variable>>,
    /// How often lanes part at the end of a block.
    partings: Vec<Option<Variable>>,
    /// The facts, as the sums that should amount to them.
    sums: BTreeMap<Subject, Terms>,
}

/// A line, or the whole kernel, and what is counted there.
type Subject = (Option<Place>, Fact);

impl<'a> Model<'a> {
    fn new(graph: &'a Graph, lines: &'a [Option<Place>], evidence: &'a Evidence) -> Model<'a> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let price = INSTRUCTIONS / expected_instructions(graph, lines, evidence);
        let mut count = |cost: f64| problem.add_var(cost, (0.0, f64::INFINITY));
        let blocks = graph.blocks.iter().map(|block| count(price * block.code.len() as f64)).collect();
        let edges =
            graph.blocks.iter().map(|block| block.successors.iter().map(|_| count(0.0)).collect()).collect();
        let partings =
            graph.blocks.iter().map(|block| ways_out(block.successors.len(), block.ends).then(|| count(0.0)));
        let partings = partings.collect();
        Model { graph, lines, evidence, problem, blocks, edges, partings, sums: BTreeMap::new() }
    }

    fn count(&mut self, cost: f64) -> Variable {
        self.problem.add_var(cost, (0.0, f64::INFINITY))
    }

    /// What comes into a block executes it, less the parts of warps that meet there; and with the parts that begin
    /// there it goes out. What has parted meets in the first block that both ways have to pass.
    fn conserve_flow(&mut self) {
        let mut incoming = self.incoming();
        for (number, meeting) in self.graph.meetings().into_iter().enumerate() {
            if let (Some(meeting), Some(parting)) = (meeting, self.partings[number]) {
                incoming[meeting].push((parting, -1.0));
            }
        }
        for (number, mut terms) in incoming.into_iter().enumerate() {
            let entries = f64::from(u8::from(number == 0));
            terms.push((self.blocks[number], -1.0));
            self.problem.add_constraint(terms, ComparisonOp::Eq, -entries);
            self.leave(number);
        }
    }

    /// Returns the edges and calls that lead to each block.
    fn incoming(&self) -> Vec<Terms> {
        let mut incoming = vec![Terms::new(); self.blocks.len()];
        for (number, block) in self.graph.blocks.iter().enumerate() {
            for (&next, &edge) in block.successors.iter().zip(&self.edges[number]) {
                incoming[next].push((edge, 1.0));
            }
            if let Some(called) = block.calls {
                incoming[called].push((self.blocks[number], 1.0));
            }
        }
        incoming
    }

    fn leave(&mut self, number: usize) {
        let block = &self.graph.blocks[number];
        let mut terms: Terms = self.edges[number].iter().map(|&edge| (edge, 1.0)).collect();
        if block.ends {
            let exit = self.count(0.0);
            terms.push((exit, 1.0));
        }
        if terms.is_empty() {
            return;
        }
        for &(edge, _) in &terms {
            self.problem.add_constraint([(edge, 1.0), (self.blocks[number], -1.0)], ComparisonOp::Le, 0.0);
        }
        terms.push((self.blocks[number], -1.0));
        if let Some(parting) = self.partings[number] {
            terms.push((parting, -1.0));
        }
        self.problem.add_constraint(terms, ComparisonOp::Eq, 0.0);
    }

    /// A loop runs only if it is entered. (Conservation alone would let warps run in a circle that none has entered.)
    fn enter_loops(&mut self, trips: &[f64]) {
        for (body, &trips) in self.graph.loops.iter().zip(trips) {
            let mut terms = vec![(self.blocks[body.header], 1.0)];
            for (number, block) in
                self.graph.blocks.iter().enumerate().filter(|(number, _)| !body.blocks.contains(number))
            {
                let edges = block.successors.iter().zip(&self.edges[number]);
                terms
                    .extend(edges.filter(|&(&next, _)| next == body.header).map(|(_, &edge)| (edge, -trips)));
            }
            self.at_most(terms, 0.0, ENTRIES, trips.max(self.visits(body.header)));
        }
    }

    /// Branches of a line part no more warps than the profile says.
    fn limit_divergence(&mut self) {
        let mut by_line: BTreeMap<Place, Terms> = BTreeMap::new();
        let mut all = Terms::new();
        for (number, parting) in self.partings.iter().enumerate() {
            let Some(parting) = *parting else { continue };
            all.push((parting, 1.0));
            if let Some(line) = self.last_line(number) {
                by_line.entry(line.clone()).or_default().push((parting, 1.0));
            }
        }
        for (line, terms) in by_line {
            let known = self.evidence.divergent.get(&line).copied().unwrap_or(0.0);
            let scale = self.evidence.executions.get(&line).copied().unwrap_or(1.0);
            self.at_most(terms, known, DIVERGENCE, scale);
        }
        let known = self.evidence.all_divergent;
        self.at_most(all, known, ALL_DIVERGENCE, known);
    }

    fn last_line(&self, number: usize) -> Option<&'a Place> {
        let last = self.graph.blocks[number].code.end.checked_sub(1)?;
        self.lines.get(last)?.as_ref()
    }

    /// Lets a sum exceed a bound at a cost for each `scale` of excess.
    fn at_most(&mut self, mut terms: Terms, bound: f64, cost: f64, scale: f64) {
        if terms.is_empty() {
            return;
        }
        let excess = self.count(cost / scale.max(1e-3));
        terms.push((excess, -1.0));
        self.problem.add_constraint(terms, ComparisonOp::Le, bound);
    }

    /// What the accesses and operations of a line amount to is what the profile says. Instructions that lanes execute
    /// under a predicate may have had no lane.
    fn explain_facts(&mut self) {
        self.collect_sums();
        self.drop_expanded_lines();
        for ((line, fact), terms) in self.sums.clone() {
            let weight = if line.is_some() { 1.0 } else { TOTALS };
            let (more, less) = fact.costs();
            if let Some(amount) = self.known(line.as_ref(), fact) {
                self.amount_to(terms, amount, weight * more, weight * less);
            }
        }
    }

    /// Where nvcc puts the code of a library function in, its sums and products are no longer those of the source. To
    /// which line of a statement it belongs, compilers do not agree on: the lines beside it are no evidence either.
    fn drop_expanded_lines(&mut self) {
        let is_mark = |code: &Instruction| {
            let class = Class::of(code.base());
            matches!(class, Some(Class::Special | Class::Conversion))
                || matches!(code.base(), "FCHK" | "CALL")
        };
        let marks = self.graph.code.iter().zip(self.lines).filter(|(code, _)| is_mark(code));
        let expanded: BTreeSet<&Place> = marks.filter_map(|(_, line)| line.as_ref()).collect();
        let is_beside = |place: &Place| {
            let mut lines = place.line.saturating_sub(1)..=place.line + 1;
            lines.any(|line| expanded.contains(&Place { file: place.file.clone(), line }))
        };
        if self.evidence.has_library {
            let is_unclear = |line: &Option<Place>| line.as_ref().is_some_and(is_beside);
            self.sums.retain(|(line, fact), _| !(fact.is_arithmetic() && is_unclear(line)));
        }
    }

    fn known(&self, line: Option<&Place>, fact: Fact) -> Option<f64> {
        match line {
            Some(line) => self.evidence.facts.get(&(line.clone(), fact)).copied(),
            None => self.evidence.totals.get(&fact).copied(),
        }
    }

    /// Adds up what instructions amount to. What library functions behind the kernel compute is no evidence: where nvcc
    /// knows the divisor, the division has a special function in its slow path alone.
    fn collect_sums(&mut self) {
        for (number, is_called) in self.graph.called().into_iter().enumerate() {
            for at in self.graph.blocks[number].code.clone() {
                let facts = contributions(&self.graph.code[at]);
                if facts.is_empty() {
                    continue;
                }
                let price = self.price_of_idling(number, &facts);
                let active = self.active(number, at, price);
                for (fact, amount) in facts {
                    let line = self.lines[at].clone();
                    let is_known = self.known(line.as_ref(), fact).is_some();
                    let counts_in_all = fact != Fact::Library || !is_called || is_known;
                    for line in [line, None].into_iter().take(1 + usize::from(counts_in_all)) {
                        let terms = active.iter().map(|&(variable, factor)| (variable, factor * amount));
                        self.sums.entry((line, fact)).or_default().extend(terms);
                    }
                }
            }
        }
    }

    /// Returns what it costs if no lane executes an instruction once: something, because the block may run less often
    /// instead.
    fn price_of_idling(&self, number: usize, facts: &[(Fact, f64)]) -> f64 {
        let cost = facts.iter().map(|(fact, _)| fact.costs().1).fold(0.0, f64::max);
        IDLE * cost / self.visits(number).max(1e-3)
    }

    /// Returns how often warps come to that line of the loop around a block to which they come most often. A block of
    /// the loop may have only code that nvcc has moved there from a line that runs once.
    fn visits_around(&self, number: usize) -> f64 {
        let around = self.graph.blocks[number].innermost.map(|number| &self.graph.loops[number].blocks);
        let blocks = around.into_iter().flatten().copied().chain([number]);
        blocks.map(|block| self.visits(block)).fold(0.0, f64::max)
    }

    /// Returns how often warps come to that line of a block to which they come most often.
    fn visits(&self, number: usize) -> f64 {
        let lines = self.graph.blocks[number].code.clone().filter_map(|at| self.lines[at].as_ref());
        lines.filter_map(|line| self.evidence.executions.get(line)).copied().fold(0.0, f64::max)
    }

    /// Returns how often a lane executes an instruction: whenever the block runs, less when the predicate forbids it.
    fn active(&mut self, number: usize, at: usize, price: f64) -> Terms {
        let block = self.blocks[number];
        if self.graph.code[at].predicate.is_none() {
            return vec![(block, 1.0)];
        }
        let idle = self.count(price);
        self.problem.add_constraint([(idle, 1.0), (block, -1.0)], ComparisonOp::Le, 0.0);
        vec![(block, 1.0), (idle, -1.0)]
    }

    /// Lets a sum differ from an amount at a cost for each relative deviation.
    fn amount_to(&mut self, terms: Terms, amount: f64, cost_of_more: f64, cost_of_less: f64) {
        let mut terms: Terms =
            merged(terms).into_iter().map(|(variable, factor)| (variable, factor / amount)).collect();
        let (more, less) = (self.count(cost_of_more), self.count(cost_of_less));
        terms.extend([(more, -1.0), (less, 1.0)]);
        self.problem.add_constraint(terms, ComparisonOp::Eq, 1.0);
    }

    /// A block runs no more often than that of its lines to which warps come most often: code of other lines may have
    /// been moved there. Something of each line runs, but less often if it is unrolled.
    fn explain_executions(&mut self) {
        for number in 0..self.blocks.len() {
            let most = self.visits(number);
            if most > 0.0 {
                self.at_most(vec![(self.blocks[number], 1.0)], most, MORE, self.visits_around(number));
            }
        }
        let copies = copies(self.graph, self.lines);
        for (line, blocks) in first_blocks(self.graph, self.lines) {
            let Some(&known) = self.evidence.executions.get(&line).filter(|&&known| known > 0.0) else {
                continue;
            };
            let mut terms: Terms = blocks.iter().map(|&block| (self.blocks[block], copies[block])).collect();
            terms.push((self.count(LESS / known), 1.0));
            self.problem.add_constraint(terms, ComparisonOp::Ge, known);
        }
    }

    /// Each version of a loop runs as often as the trip counts of the source's loop tell.
    fn explain_loops(&mut self, known: &[Iterations]) {
        for known in known {
            let headers = known.loops.iter().map(|&number| self.graph.loops[number].header);
            let mut terms: Terms = headers.map(|header| (self.blocks[header], 1.0)).collect();
            let cost = if known.uniform { UNIFORM_LOOP } else { OTHER_LOOP } / known.of;
            terms.extend([(self.count(cost), -1.0), (self.count(cost), 1.0)]);
            self.problem.add_constraint(terms, ComparisonOp::Eq, known.amount);
        }
    }

    /// Straight code for several iterations runs only where as many are left.
    fn limit_straight_code(&mut self, straight: &[Straight]) {
        for code in straight {
            self.at_most(vec![(self.blocks[code.block], 1.0)], code.most, UNIFORM_LOOP, code.of);
        }
    }

    fn solve(self) -> Result<Attribution, AttributionError> {
        let failed = |error: &dyn std::fmt::Display| AttributionError(error.to_string());
        let outcome = self.problem.solve().map_err(|error| failed(&error))?;
        let solution = outcome.into_solution().map_err(|_| failed(&"it was interrupted"))?;
        let value = |variable: Variable| solution.var_value(variable).max(0.0);
        let misfits = self.misfits(&value);
        Ok(Attribution {
            executions: self.blocks.iter().map(|&block| value(block)).collect(),
            flows: self.edges.iter().map(|edges| edges.iter().map(|&edge| value(edge)).collect()).collect(),
            misfits,
        })
    }

    fn misfits(&self, value: &impl Fn(Variable) -> f64) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        for ((line, fact), terms) in &self.sums {
            let Some(profile) = self.known(line.as_ref(), *fact) else { continue };
            let attributed: f64 = terms.iter().map(|&(variable, factor)| factor * value(variable)).sum();
            if (attributed / profile - 1.0).abs() > 0.05 {
                let (file, line) =
                    line.as_ref().map_or((String::new(), 0), |line| (line.file.clone(), line.line));
                misfits.push(Misfit { file, line, fact: *fact, profile, attributed });
            }
        }
        let deviation = |misfit: &Misfit| (misfit.attributed / misfit.profile - 1.0).abs();
        misfits.sort_by(|a, b| deviation(b).total_cmp(&deviation(a)));
        misfits
    }
}

fn ways_out(successors: usize, ends: bool) -> bool {
    successors + usize::from(ends) > 1
}

/// Adds the factors of the same variable.
fn merged(terms: Terms) -> Terms {
    let mut sums: BTreeMap<usize, (Variable, f64)> = BTreeMap::new();
    for (variable, factor) in terms {
        sums.entry(variable.idx()).or_insert((variable, 0.0)).1 += factor;
    }
    sums.into_values().collect()
}

/// Returns about how many instructions a warp executes, to price them.
fn expected_instructions(graph: &Graph, lines: &[Option<Place>], evidence: &Evidence) -> f64 {
    let executions = |at: usize| {
        let line = lines.get(at).and_then(Option::as_ref);
        line.and_then(|line| evidence.executions.get(line)).copied().unwrap_or(1.0).max(1.0)
    };
    graph.blocks.iter().flat_map(|block| block.code.clone()).map(executions).sum::<f64>().max(1.0)
}

/// Returns how many iterations of the source's loop each block has: how often what a line loads, stores and computes is
/// there, compared with the block where it is least.
fn copies(graph: &Graph, lines: &[Option<Place>]) -> Vec<f64> {
    let mut amounts: BTreeMap<(&Place, Fact), BTreeMap<usize, f64>> = BTreeMap::new();
    for (number, block) in graph.blocks.iter().enumerate() {
        for at in block.code.clone() {
            let Some(line) = &lines[at] else { continue };
            for (fact, amount) in contributions(&graph.code[at]) {
                *amounts.entry((line, fact)).or_default().entry(number).or_default() += amount;
            }
        }
    }
    let mut copies = vec![1.0_f64; graph.blocks.len()];
    for blocks in amounts.into_values() {
        let least = blocks.values().copied().fold(f64::INFINITY, f64::min);
        for (block, amount) in blocks {
            copies[block] = copies[block].max(amount / least);
        }
    }
    copies
}

/// Returns for each line the blocks that begin it: those with code of the line that no other such block of the same
/// loop dominates. What follows inside one line (the slow path of a division) says nothing about the line.
fn first_blocks(graph: &Graph, lines: &[Option<Place>]) -> BTreeMap<Place, Vec<usize>> {
    let mut blocks: BTreeMap<Place, BTreeSet<usize>> = BTreeMap::new();
    for (number, block) in graph.blocks.iter().enumerate() {
        for line in block.code.clone().filter_map(|at| lines[at].as_ref()) {
            blocks.entry(line.clone()).or_default().insert(number);
        }
    }
    let dominators = graph.dominators();
    let is_first = |number: usize, others: &BTreeSet<usize>| {
        let above = dominators.strict_dominators(NodeIndex::new(number)).into_iter().flatten();
        !above.map(NodeIndex::index).any(|other| {
            others.contains(&other) && graph.blocks[other].innermost == graph.blocks[number].innermost
        })
    };
    let first = |others: BTreeSet<usize>| {
        others.iter().copied().filter(|&number| is_first(number, &others)).collect()
    };
    blocks.into_iter().map(|(line, others)| (line, first(others))).collect()
}
