//! What no order of a region can do without: a property of the region, whatever the plan.
//!
//! - **Bytes.** Each element that the region uses from before it is read once, and each whose value is needed after it
//!   is written once.
//! - **Operations** of all instances. What depends on fewer iterators than the statement, and on nothing that the
//!   region writes, is computed once for these. Of integers, one operation less than a statement reads elements.
//! - **A chain.** A statement that updates its own result waits for each update. If the last one of some updates leads
//!   to the first one of others, perhaps through other statements, all are one chain: in a triangular solver, `x[i]` is
//!   a sum that the next sum needs.
//! - **A launch.**
//!
//! The longest of these times is the floor. Only chains of a statement that waits for itself are found, and none of
//! updates whose order is free.

use std::collections::{BTreeMap, BTreeSet};

use gpu::target::Gpu;
use polyhedra::{DimType, Map, Result, Set, Simplify, Text, add};
use scop::{
    AccessId, AccessKind, Arithmetic, ArrayId, Dependences, LiveAccess, Model, Operation, Statement,
    StatementId, ways_to_result,
};

use super::count::count;
use super::estimated::estimated;
use super::places::Places;

/// What every order of a region needs. Operations are those of single and double precision, and of the library.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Floor {
    /// Bytes that device memory moves.
    pub bytes: f64,
    /// All operations.
    pub operations: [f64; 3],
    /// Operations on integers.
    pub integer: f64,
    /// Those that wait for each other.
    pub chain: [f64; 3],
}

impl Floor {
    /// Computes the floor of a region for the sizes of some places; nothing if it is too complicated. Without a chain
    /// if that alone is too complicated.
    pub fn of(model: &Model, dependences: &Dependences, places: &Places) -> Result<Option<Self>> {
        let region = Region { model, dependences, places };
        let Some(floor) = estimated(|| region.without_chain())? else { return Ok(None) };
        Ok(Some(Self { chain: estimated(|| region.chain())?.unwrap_or_default(), ..floor }))
    }

    /// Returns the time that a GPU needs at least.
    pub fn time(&self, gpu: &Gpu) -> FloorTime {
        let rates = &gpu.rates;
        let [fp32, fp64, library] = self.operations;
        let chip = rates.multiprocessors as f64;
        let clocks = [
            ("compulsory bytes", self.bytes * rates.clock_mhz / (1e3 * rates.dram_gigabytes_per_second)),
            ("single precision", fp32 / (rates.rate_fp32 * chip)),
            ("double precision", fp64 / (rates.rate_fp64 * chip)),
            ("integers", self.integer / (rates.rate_integer * chip)),
            ("special functions", library / (rates.rate_special * chip)),
            ("a chain of operations", self.chain_clocks(gpu)),
        ];
        let launch = FloorTime { microseconds: rates.launch_microseconds, dominant: "a launch" };
        let times =
            clocks.map(|(dominant, clocks)| FloorTime { microseconds: rates.microseconds(clocks), dominant });
        let longer = |one: FloorTime, other: FloorTime| {
            if other.microseconds > one.microseconds { other } else { one }
        };
        times.into_iter().fold(launch, longer)
    }

    fn chain_clocks(&self, gpu: &Gpu) -> f64 {
        let [fp32, fp64, library] = self.chain;
        let rates = &gpu.rates;
        fp32 * rates.latency_fp32 + fp64 * rates.latency_fp64 + library * rates.latency_special
    }
}

/// The least time of a region, and what takes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloorTime {
    /// The time.
    pub microseconds: f64,
    /// What takes it, in words.
    pub dominant: &'static str,
}

struct Region<'a> {
    model: &'a Model,
    dependences: &'a Dependences,
    places: &'a Places,
}

/// The longest way through other statements that is looked for.
const MOST_STEPS: usize = 5;

/// The part of the first updates that others must lead to if all are to be one chain. The rest are those of the first
/// or the last iteration.
const NEARLY_ALL: f64 = 0.9;

impl Region<'_> {
    fn without_chain(&self) -> Result<Floor> {
        let mut floor = Floor::default();
        for live in [&self.dependences.live_in, &self.dependences.live_out] {
            floor.bytes += self.bytes(live)?;
        }
        let written: Vec<ArrayId> = self.statements().flat_map(writes).collect();
        for statement in self.statements() {
            let domain = self.domain(statement)?;
            floor.integer += self.combined(statement) * count(&domain)?.points;
            for operation in Arithmetic::operations(statement) {
                let times = self.times(&operation, statement, &domain, &written)?;
                let Arithmetic { fp32, fp64, library } = operation.arithmetic;
                for (sum, number) in floor.operations.iter_mut().zip([fp32, fp64, library]) {
                    *sum += number as f64 * times;
                }
            }
        }
        Ok(floor)
    }

    fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.model.statements.iter().filter(|statement| !self.dependences.dead.contains(&statement.id))
    }

    fn domain(&self, statement: &Statement) -> Result<Set> {
        self.sized(Set::parse(&statement.domain.0)?)
    }

    /// Gives the parameters of a set their values.
    fn sized(&self, set: Set) -> Result<Set> {
        Ok(set.intersect_params(self.places.context.copy()?)?.project_out_all_params()?)
    }

    fn sized_map(&self, map: &scop::IslMap) -> Result<Map> {
        Ok(Map::parse(&map.0)?.intersect_params(self.places.context.copy()?)?.project_out_all_params()?)
    }

    /// Returns the bytes of the different elements of some accesses.
    fn bytes(&self, live: &[LiveAccess]) -> Result<f64> {
        let mut elements: BTreeMap<ArrayId, Set> = BTreeMap::new();
        for LiveAccess { access, elements: own, .. } in live {
            let Some(array) = self.array_of(*access) else { continue };
            let own = self.sized(Set::parse(&own.0)?)?;
            let all = match elements.remove(&array) {
                Some(others) => others.union(own)?.simplified()?,
                None => own,
            };
            elements.insert(array, all);
        }
        let mut bytes = 0.0;
        for (array, elements) in elements {
            bytes +=
                (count(&elements)?.points * self.places.bytes(array)).min(self.places.array_bytes(array));
        }
        Ok(bytes)
    }

    fn array_of(&self, access: AccessId) -> Option<ArrayId> {
        self.model.statements.iter().find_map(|statement| statement.access(access)).map(|access| access.array)
    }

    /// Returns the operations on integers that a statement takes at least: its result depends on all elements that it
    /// reads, and an operation makes one number of two.
    fn combined(&self, statement: &Statement) -> f64 {
        let is_of_integers =
            |array: ArrayId| self.model.array(array).is_ok_and(|array| array.element.is_integer());
        if !writes(statement).all(is_of_integers) {
            return 0.0;
        }
        let certain = statement.accesses.iter().filter(|access| access.is_certainly_used());
        let reads = certain.filter(|access| access.kind == AccessKind::Read);
        let different: BTreeSet<(ArrayId, &str)> =
            reads.map(|access| (access.array, access.relation.0.as_str())).collect();
        different.len().saturating_sub(1) as f64
    }

    /// Returns how often an operation has other operands.
    fn times(
        &self,
        Operation { reads, .. }: &Operation,
        statement: &Statement,
        domain: &Set,
        written: &[ArrayId],
    ) -> Result<f64> {
        let iterators = domain.dim(DimType::Set)? as u32;
        let mut needed = vec![true; iterators as usize];
        let operands = reads.iter().flatten().filter_map(|read| statement.access(*read));
        if reads.is_some() && operands.clone().all(|access| !written.contains(&access.array)) {
            needed.fill(false);
            for access in operands {
                let relation = Map::parse(&access.relation.0)?.drop_unused_params()?;
                for iterator in 0..iterators {
                    needed[iterator as usize] |= relation.involves_dims(DimType::In, iterator, 1)?;
                }
            }
        }
        let needed: Vec<u32> = (0..iterators).filter(|iterator| needed[*iterator as usize]).collect();
        Ok(count(&on(domain, &needed)?)?.points)
    }

    /// Returns the operations of the longest chain.
    fn chain(&self) -> Result<[f64; 3]> {
        let mut longest = Arithmetic::default();
        let mut times = 0.0;
        let weight = |way: &Arithmetic| (way.fp32 + 2 * way.fp64 + 4 * way.library) as f64;
        for statement in self.statements() {
            let ways = ways_to_result(statement);
            let is_free = |access| {
                let mut free =
                    self.dependences.reductions.iter().filter(|reduction| reduction.free.is_some());
                free.any(|reduction| reduction.updates_by(access))
            };
            for flow in self.dependences.flow.iter().filter(|flow| !is_free(flow.sink)) {
                let (source, sink) = (statement.access(flow.source), statement.access(flow.sink));
                let Some(way) = source.zip(sink).and_then(|(_, sink)| ways.get(&sink.id)) else { continue };
                if weight(way) > 0.0 {
                    let updates = self.updates(statement, &self.sized_map(&flow.relation)?)?;
                    if updates * weight(way) > times * weight(&longest) {
                        (longest, times) = (*way, updates);
                    }
                }
            }
        }
        Ok([longest.fp32, longest.fp64, longest.library].map(|operations| operations as f64 * times))
    }

    /// Returns the mean number of instances in chains of a statement's instances, given which waits for which; none if
    /// several wait for one.
    fn updates(&self, statement: &Statement, waits: &Map) -> Result<f64> {
        if !waits.is_injective()? {
            return Ok(0.0);
        }
        let domain = self.domain(statement)?;
        let first = domain.copy()?.subtract(waits.copy()?.range()?)?;
        let chains = self.unconnected(statement.id, waits, &domain, &first)?;
        Ok(count(&domain)?.points / chains.max(1.0))
    }

    /// Returns the number of chains if those of which one leads to the next are one. Each chain has other values of
    /// some iterators, and one leads to the next if their values of one of these differ by a step.
    fn unconnected(&self, own: StatementId, waits: &Map, domain: &Set, first: &Set) -> Result<f64> {
        let iterators = domain.dim(DimType::Set)? as u32;
        let mut fixed = Vec::new();
        for iterator in 0..iterators {
            let position = iterator as i32;
            let same = waits.copy()?.equate(DimType::In, position, DimType::Out, position)?;
            if waits.is_subset(&same)? {
                fixed.push(iterator);
            }
        }
        let all = count(first)?.points;
        let last = domain.copy()?.subtract(waits.copy()?.domain()?)?;
        if all * NEARLY_ALL > count(&on(first, &fixed)?)?.points {
            return Ok(all);
        }
        let Some(leads) = self.leads(own, &last, first)? else { return Ok(all) };
        let is_passed = |iterator: u32| -> Result<bool> {
            let mut reached = 0.0;
            for step in [1, -1] {
                let of = |other: u32| match other {
                    _ if other == iterator => Some(step),
                    _ => fixed.contains(&other).then_some(0),
                };
                let next = leads.copy()?.intersect(steps(own, iterators, of)?)?;
                reached += count(&next.range()?)?.points;
            }
            Ok(reached >= NEARLY_ALL * all)
        };
        let mut left = Vec::new();
        for &iterator in &fixed {
            if !is_passed(iterator)? {
                left.push(iterator);
            }
        }
        Ok(count(&on(first, &left)?)?.points)
    }

    /// Returns which of some instances of a statement others wait for, by way of other statements.
    fn leads(&self, own: StatementId, last: &Set, first: &Set) -> Result<Option<Map>> {
        let mut found = None;
        let iterators = last.dim(DimType::Set)? as u32;
        let same = steps(own, iterators, |_| Some(0))?;
        let mut reached = vec![(own, same.intersect_domain(last.copy()?)?)];
        for _ in 0..MOST_STEPS {
            let mut next: BTreeMap<StatementId, Map> = BTreeMap::new();
            for (from, way) in &reached {
                for flow in &self.dependences.flow {
                    let ends = (self.statement_of(flow.source), self.statement_of(flow.sink));
                    let (Some(source), Some(sink)) = ends else { continue };
                    if source != *from || (source == own && sink == own) {
                        continue;
                    }
                    let way = way.copy()?.apply_range(self.sized_map(&flow.relation)?)?;
                    if way.is_empty()? {
                        continue;
                    }
                    if sink == own {
                        found = add(found, way.intersect_range(first.copy()?)?)?;
                        continue;
                    }
                    let way = match next.remove(&sink) {
                        Some(others) => others.union(way)?.simplified()?,
                        None => way,
                    };
                    next.insert(sink, way);
                }
            }
            reached = next.into_iter().collect();
        }
        Ok(found)
    }

    fn statement_of(&self, access: AccessId) -> Option<StatementId> {
        let mut statements = self.model.statements.iter();
        statements.find(|statement| statement.access(access).is_some()).map(|statement| statement.id)
    }
}

fn writes(statement: &Statement) -> impl Iterator<Item = ArrayId> {
    statement.accesses.iter().filter(|access| access.kind == AccessKind::Write).map(|access| access.array)
}

/// Returns the values of some iterators.
fn on(instances: &Set, iterators: &[u32]) -> Result<Set> {
    let mut values = instances.copy()?;
    for iterator in
        (0..values.dim(DimType::Set)? as u32).rev().filter(|iterator| !iterators.contains(iterator))
    {
        values = values.project_out(DimType::Set, iterator, 1)?;
    }
    Ok(values)
}

/// Returns the relation from instances of a statement to others whose iterators differ by these steps; those without a
/// step differ by any.
fn steps(statement: StatementId, iterators: u32, step: impl Fn(u32) -> Option<i64>) -> Result<Map> {
    let from: Vec<String> = (0..iterators).map(|iterator| format!("i{iterator}")).collect();
    let to = |iterator: u32| match step(iterator) {
        Some(step) => format!("i{iterator} + {step}"),
        None => format!("o{iterator}"),
    };
    let to: Vec<String> = (0..iterators).map(to).collect();
    Map::parse(&format!("{{ {statement}[{}] -> {statement}[{}] }}", from.join(", "), to.join(", ")))
}

#[cfg(test)]
mod tests {
    use gpu::target::read_gpu;
    use scop::{Analysed, Program, from_json};

    use super::super::assumed::Assumed;
    use super::*;

    const SIZE: f64 = 200.0;

    /// Returns the floor of a region all of whose parameters are `SIZE`.
    fn floor(document: &str) -> Floor {
        let program: Program<Analysed> = from_json(document).unwrap();
        let scop = &program.scops[0];
        let (model, dependences) = (&scop.model, &scop.stage.dependences);
        let names = model.parameters.iter().map(|parameter| (parameter.name.clone(), SIZE as i64));
        let assumed = Assumed::new(model, &names.collect()).unwrap();
        let places = Places::new(model, &assumed).unwrap();
        Floor::of(model, dependences, &places).unwrap().unwrap()
    }

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 0.03 * expected, "{found} for {expected}");
    }

    #[test]
    fn a_product_reads_its_factors_and_adds_in_order() {
        let found = floor(include_str!("../../tests/documents/matmul.json"));
        // Two factors and the result are read, and the result is written.
        assert_eq!(found.bytes, 4.0 * 8.0 * SIZE * SIZE);
        assert_near(found.operations[1], 2.0 * SIZE.powi(3) + SIZE.powi(2));
        assert_near(found.chain[1], SIZE);
    }

    #[test]
    fn sums_of_rows_do_not_wait_for_each_other() {
        let found = floor(include_str!("../../tests/documents/sum.json"));
        assert_near(found.chain[1], SIZE);
    }

    #[test]
    fn a_sum_that_the_next_one_needs_waits_for_it() {
        let found = floor(include_str!("../../tests/documents/durbin.json"));
        assert_near(found.chain[1], SIZE * SIZE / 2.0);
    }

    /// Each point waits for the one before it in its row, and rows for each other, but not one after the other.
    #[test]
    fn a_sweep_has_a_chain_for_each_row() {
        let found = floor(include_str!("../../tests/documents/sweep.json"));
        assert!((SIZE..20.0 * SIZE).contains(&found.chain[1]), "{found:?}");
    }

    #[test]
    fn the_longest_part_is_the_floor() {
        let gpu = read_gpu(include_str!("../../../targets/h100.json")).unwrap();
        let rates = gpu.rates;
        let time = |floor: Floor| floor.time(&gpu).microseconds;
        let launch = Floor { bytes: 8.0, ..Floor::default() };
        assert_eq!(time(launch), rates.launch_microseconds);
        let bytes_only = Floor { bytes: 3.352e12, ..Floor::default() };
        assert_near(time(bytes_only), 1e6);
        let chain = Floor { chain: [0.0, 1e6, 0.0], ..launch };
        assert_near(time(chain), 8e6 / rates.clock_mhz);
        let all = Floor { operations: [0.0, 1e6 * 64.0 * 132.0, 0.0], ..chain };
        assert_eq!(
            [launch, bytes_only, chain].map(|floor| floor.time(&gpu).dominant),
            ["a launch", "compulsory bytes", "a chain of operations"]
        );
        assert_eq!(time(all), time(chain), "a million clocks on all units are less than eight");
    }
}
