//! Checks that the copies into buffers copy exactly the elements that the references of random kernels touch.
//!
//! The kernel is a matrix product whose two operands have random affine subscripts and are read under random
//! conditions. Its instances are enumerated for sizes around those of tiles, and compared with the copies that
//! gpulocalizer puts into the tree.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use std::collections::{BTreeMap, BTreeSet};

use gpulocalizer::Options;
use polyhedra::{
    DimType, Map, Schedule, ScheduleNode, ScheduleNodeType, Set, Text, UnionMap, maps_of, points_of,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use scop::wish::{LayoutKind, Target};
use scop::{Buffer, IslMap, Memory, Placed, Program, Scheduled, Wanted, Wish, from_json};

/// The tile sizes of the kernel in `documents/matmul.json`, along i, j and k.
const TILE: [i64; 3] = [16, 32, 32];

type Element = Vec<i64>;

/// A reference: its subscripts, each `c0 i + c1 j + c2 k + d`, and the condition under which it is executed.
#[derive(Debug, Clone)]
struct Reference {
    subscripts: [[i64; 4]; 2],
    condition: Condition,
}

#[derive(Debug, Clone, Copy)]
enum Condition {
    Always,
    LowerTriangle,
    UpperTriangle,
    Corner,
    EverySecond,
}

impl Condition {
    fn text(self) -> &'static str {
        match self {
            Self::Always => "true",
            Self::LowerTriangle => "k <= i",
            Self::UpperTriangle => "j <= k",
            Self::Corner => "i + k <= 20",
            Self::EverySecond => "k mod 2 = 0",
        }
    }

    fn holds(self, [i, j, k]: [i64; 3]) -> bool {
        match self {
            Self::Always => true,
            Self::LowerTriangle => k <= i,
            Self::UpperTriangle => j <= k,
            Self::Corner => i + k <= 20,
            Self::EverySecond => k % 2 == 0,
        }
    }
}

impl Reference {
    fn relation(&self, array: &str) -> String {
        let subscript = |[c0, c1, c2, d]: [i64; 4]| format!("{c0} i + {c1} j + {c2} k + {d}");
        let [first, second] = self.subscripts.map(subscript);
        format!("[n, m, p] -> {{ S1[i, j, k] -> {array}[{first}, {second}] : {} }}", self.condition.text())
    }

    fn element(&self, [i, j, k]: [i64; 3]) -> Element {
        self.subscripts.iter().map(|[c0, c1, c2, d]| c0 * i + c1 * j + c2 * k + d).collect()
    }
}

fn references() -> impl Strategy<Value = Reference> {
    let subscript = || [-1i64..=2, -1i64..=1, -1i64..=2, -2i64..=2];
    let conditions = prop::sample::select(vec![
        Condition::Always,
        Condition::Always,
        Condition::LowerTriangle,
        Condition::UpperTriangle,
        Condition::Corner,
        Condition::EverySecond,
    ]);
    ([subscript(), subscript()], conditions)
        .prop_map(|(subscripts, condition)| Reference { subscripts, condition })
}

/// Returns the kernel with these operands.
fn document(operands: &[Reference; 2]) -> Program<Scheduled> {
    let path = format!("{}/tests/documents/matmul.json", env!("CARGO_MANIFEST_DIR"));
    let mut program: Program<Scheduled> = from_json(&std::fs::read_to_string(path).unwrap()).unwrap();
    let scop = &mut program.scops[0];
    let domain = Set::parse(&scop.model.statements[1].domain.0).unwrap();
    for (position, operand) in operands.iter().enumerate() {
        let access = &mut scop.model.statements[1].accesses[1 + position];
        access.relation = IslMap(operand.relation(&access.array.to_string()));
        let read = Map::parse(&access.relation.0).unwrap().intersect_domain(domain.copy().unwrap()).unwrap();
        let live = scop.stage.ordered.analysed.dependences.live_in.iter_mut();
        let live = live.filter(|live| live.access == access.id).last().unwrap();
        live.relation = IslMap(read.text().unwrap());
        live.elements = scop::IslSet(read.range().unwrap().text().unwrap());
    }
    program
}

/// Returns the elements that a reference touches in each tile of a block, or, if `thread` is given, those that this
/// thread touches.
fn touched(
    operand: &Reference,
    sizes: [i64; 3],
    block: [i64; 2],
    thread: Option<[i64; 2]>,
) -> BTreeMap<i64, BTreeSet<Element>> {
    let mut tiles: BTreeMap<i64, BTreeSet<Element>> = BTreeMap::new();
    let range = |axis: usize| {
        let start = block[axis] * TILE[axis];
        (start..sizes[axis].min(start + TILE[axis]))
            .filter(move |value| thread.is_none_or(|thread| value % TILE[axis] == thread[axis]))
    };
    for i in range(0) {
        for j in range(1) {
            for k in 0..sizes[2] {
                if operand.condition.holds([i, j, k]) {
                    tiles.entry(k / TILE[2]).or_default().insert(operand.element([i, j, k]));
                }
            }
        }
    }
    tiles
}

/// Returns the copies of a tree into a buffer: `{ copy_in_B0[h…, x…] }`.
fn copies_into(buffer: &Buffer, node: &ScheduleNode) -> Option<Set> {
    if node.get_type().unwrap() == ScheduleNodeType::Extension {
        let extension: UnionMap = node.extension_get_extension().unwrap();
        for map in maps_of(&extension).unwrap() {
            if map.get_tuple_name(DimType::Out).unwrap() == format!("copy_in_{}", buffer.id) {
                return Some(map.range().unwrap());
            }
        }
    }
    (0..node.n_children().unwrap()).find_map(|child| copies_into(buffer, &node.get_child(child).unwrap()))
}

/// Returns the points of a set for values of its parameters.
fn points(set: &Set, values: &[(&str, i64)]) -> Vec<Vec<i64>> {
    let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
    let equal: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let values = Set::parse(&format!("[{}] -> {{ : {} }}", names.join(", "), equal.join(" and "))).unwrap();
    let set = set.copy().unwrap().intersect_params(values).unwrap();
    points_of(&set.project_out_all_params().unwrap(), 1 << 20).unwrap().unwrap()
}

fn check(operands: &[Reference; 2], options: &Options) -> Result<(), TestCaseError> {
    let placed: Program<Placed> = gpulocalizer::run(document(operands), options).unwrap().value;
    let stage = &placed.scops[0].stage;
    let root = Schedule::parse(&stage.placement.tree.0).unwrap().get_root().unwrap();
    for buffer in &stage.placement.kernels[0].buffers {
        let Some(operand) = [1, 2].into_iter().position(|array| buffer.array.index() == array) else {
            continue;
        };
        let copies = copies_into(buffer, &root).unwrap();
        let existing = buffer.existing.as_ref().map(|existing| Set::parse(&existing.0).unwrap());
        for sizes in [[1, 1, 1], [15, 31, 32], [17, 33, 65], [20, 40, 70]] {
            let [n, m, p] = sizes;
            for block in [[0, 0], [(n - 1) / TILE[0], (m - 1) / TILE[1]]] {
                let thread =
                    (buffer.memory == Memory::Private).then_some([(n - 1) % TILE[0], (m - 1) % TILE[1]]);
                let mut values = vec![("n", n), ("m", m), ("p", p), ("by", block[0]), ("bx", block[1])];
                let [ty, tx] = thread.unwrap_or([0, 0]);
                values.extend([("ty", ty), ("tx", tx)]);
                let there: Option<BTreeSet<Element>> =
                    existing.as_ref().map(|existing| points(existing, &values).into_iter().collect());
                let mut copied: BTreeMap<i64, BTreeSet<Element>> = BTreeMap::new();
                let depth = buffer.depth as usize;
                for point in points(&copies, &values) {
                    let (outer, element) = point.split_at(depth);
                    if there.as_ref().is_none_or(|there| there.contains(element)) {
                        let tile = outer.get(2).copied().unwrap_or(0);
                        copied.entry(tile).or_default().insert(element.to_vec());
                    }
                }
                let wanted = touched(&operands[operand], sizes, block, thread);
                compare(buffer, &copied, &wanted, existing.is_none())?;
            }
        }
    }
    Ok(())
}

/// Checks that all needed elements were copied, in an earlier tile if elements are kept. If copies are exact, nothing
/// else may be copied.
fn compare(
    buffer: &Buffer,
    copied: &BTreeMap<i64, BTreeSet<Element>>,
    wanted: &BTreeMap<i64, BTreeSet<Element>>,
    exact: bool,
) -> Result<(), TestCaseError> {
    let nothing = BTreeSet::new();
    let stays = buffer.reason.contains("stay");
    let in_one_piece = buffer.depth < 3;
    let mut there: BTreeSet<Element> = BTreeSet::new();
    let mut all: BTreeSet<Element> = BTreeSet::new();
    for (tile, wanted) in wanted {
        let tile = if in_one_piece { 0 } else { *tile };
        let new = copied.get(&tile).unwrap_or(&nothing);
        if stays || in_one_piece {
            there.extend(new.iter().cloned());
        } else {
            there.clone_from(new);
        }
        prop_assert!(
            wanted.is_subset(&there),
            "tile {tile} of {buffer:?} lacks {:?}",
            wanted.difference(&there)
        );
        if exact && !stays && !in_one_piece {
            prop_assert_eq!(new, wanted, "tile {} of {:?}", tile, buffer);
        }
        all.extend(wanted.iter().cloned());
    }
    if exact && !stays {
        let everything: BTreeSet<Element> = copied.values().flatten().cloned().collect();
        prop_assert!(everything.is_subset(&all), "{buffer:?} has {:?}", everything.difference(&all));
    }
    Ok(())
}

#[test]
fn copies_are_what_references_touch() {
    let layouts = [None, Some(LayoutKind::Box), Some(LayoutKind::Ring)];
    let options = prop::sample::select(layouts.to_vec()).prop_map(|layout| {
        let wish = |layout| Wish::new(Target::default(), Wanted::Layout(layout), "a test").unwrap();
        Options { wishes: layout.into_iter().map(wish).collect(), ..Options::default() }
    });
    let config =
        Config { cases: 40, rng_seed: RngSeed::Fixed(2026), failure_persistence: None, ..Config::default() };
    let operands = [references(), references()];
    TestRunner::new(config)
        .run(&(operands, options), |(operands, options)| check(&operands, &options))
        .unwrap();
}
