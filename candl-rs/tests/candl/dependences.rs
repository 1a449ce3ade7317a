//! Compares the dependences with those that an execution shows.

use std::collections::BTreeMap;

use crate::support::{Event, Numbers, Region, execute, extracted, nest, statement};
use polyhedra::{Set, Text, UnionMap};
use scop::{AccessKind, Certainty, Dependences, LiveAccess};

/// For each pair of accesses (or one access, for live ones) the pairs of instances (or of instance and element) as isl text.
type Relations = BTreeMap<String, Vec<String>>;

/// What an execution shows.
#[derive(Default)]
struct Observed {
    flow: Relations,
    anti: Relations,
    output: Relations,
    live_in: Relations,
    live_out: Relations,
}

fn observe(region: &Region, n: i64) -> Observed {
    let arrays = array_numbers(region);
    let events = execute(region, n);
    let mut observed = Observed::default();
    for (position, event) in events.iter().enumerate() {
        let before = &events[..position];
        match event.kind {
            AccessKind::Read => {
                let certain = note(&mut observed.flow, before, event, |kind| kind == AccessKind::Write);
                if !certain && !region.hidden.contains(&event.array.as_str()) {
                    note_live(&mut observed.live_in, event, &arrays);
                }
            }
            AccessKind::Write => {
                note(&mut observed.anti, before, event, |kind| kind == AccessKind::Read);
                note(&mut observed.output, before, event, |kind| kind == AccessKind::Write);
            }
        }
    }
    for (position, event) in events.iter().enumerate() {
        let stays = !events[position + 1..].iter().any(|later| same_element(later, event) && hides(later));
        if event.kind == AccessKind::Write && stays && !region.hidden.contains(&event.array.as_str()) {
            note_live(&mut observed.live_out, event, &arrays);
        }
    }
    observed
}

fn same_element(one: &Event, other: &Event) -> bool {
    one.array == other.array && one.element == other.element
}

/// True for a write that certainly happens.
fn hides(event: &Event) -> bool {
    event.kind == AccessKind::Write && event.certainty == Certainty::Must
}

/// Notes the accesses before `sink` to its element, back to the last write that certainly happens; true if there is one.
fn note(
    relations: &mut Relations,
    before: &[Event],
    sink: &Event,
    wanted: impl Fn(AccessKind) -> bool,
) -> bool {
    for source in before.iter().rev().filter(|source| same_element(source, sink)) {
        let itself = (source.statement, &source.instance) == (sink.statement, &sink.instance);
        if wanted(source.kind) && !itself {
            let pair = format!("{} -> {}", instance(source), instance(sink));
            relations.entry(format!("a{} a{}", source.access, sink.access)).or_default().push(pair);
        }
        if hides(source) {
            return true;
        }
    }
    false
}

fn note_live(relations: &mut Relations, event: &Event, arrays: &BTreeMap<String, usize>) {
    let pair = format!("{} -> A{}{:?}", instance(event), arrays[&event.array], event.element);
    relations.entry(format!("a{}", event.access)).or_default().push(pair);
}

fn instance(event: &Event) -> String {
    format!("S{}{:?}", event.statement, event.instance)
}

fn array_numbers(region: &Region) -> BTreeMap<String, usize> {
    let mut numbers = BTreeMap::new();
    for reference in region.references() {
        let next = numbers.len();
        numbers.entry(reference.array.clone()).or_insert(next);
    }
    numbers
}

/// Asserts that relations, at one value of `n`, are those that were observed.
fn assert_same(what: &str, region: &Region, n: i64, found: &[(String, &str)], observed: &Relations) {
    let at_n = Set::parse(&format!("[n] -> {{ : n = {n} }}")).unwrap();
    let mut found: BTreeMap<&str, UnionMap> = found
        .iter()
        .map(|(key, text)| {
            (key.as_str(), UnionMap::parse(text).unwrap().intersect_params(at_n.copy().unwrap()).unwrap())
        })
        .collect();
    for (key, pairs) in observed {
        let expected = UnionMap::parse(&format!("{{ {} }}", pairs.join("; "))).unwrap();
        let expected = expected.intersect_params(at_n.copy().unwrap()).unwrap();
        let relation =
            found.remove(key.as_str()).unwrap_or_else(|| panic!("{what} {key} is missing: {region:#?}"));
        let (relation_text, expected_text) = (relation.text().unwrap(), expected.text().unwrap());
        let same = relation.is_equal(&expected).unwrap();
        assert!(same, "{what} {key} at n = {n}: {relation_text} should be {expected_text}: {region:#?}");
    }
    for (key, relation) in found {
        assert!(relation.is_empty().unwrap(), "{what} {key} at n = {n} is not there: {region:#?}");
    }
}

fn check_region(region: &Region) {
    let program = extracted(region);
    assert_eq!(scop::verify::verify(&program), [], "{region:#?}");
    let Dependences { flow, anti, output, live_in, live_out, .. } =
        candl_rs::dependences(&program.scops[0].model).unwrap();
    for n in [0, 1, 4] {
        let observed = observe(region, n);
        for (what, found, observed) in [
            ("flow", &flow, &observed.flow),
            ("anti", &anti, &observed.anti),
            ("output", &output, &observed.output),
        ] {
            let found: Vec<_> =
                found.iter().map(|d| (format!("{} {}", d.source, d.sink), d.relation.0.as_str())).collect();
            assert_same(what, region, n, &found, observed);
        }
        for (what, found, observed) in
            [("live-in", &live_in, &observed.live_in), ("live-out", &live_out, &observed.live_out)]
        {
            let pair = |live: &'_ LiveAccess| live.access.to_string();
            let found: Vec<_> = found.iter().map(|live| (pair(live), live.relation.0.as_str())).collect();
            assert_same(what, region, n, &found, observed);
        }
    }
    let analysed = candl_rs::run(program).unwrap();
    assert_eq!(scop::verify::verify(&analysed.value), [], "{region:#?}");
}

#[test]
fn regions_that_people_write() {
    let jacobi = vec![nest(
        "t",
        "0",
        "n",
        vec![
            nest("i", "1", "n - 1", vec![statement("B[i] = A[i - 1] | A[i] | A[i + 1]")]),
            nest("i", "1", "n - 1", vec![statement("A[i] = B[i]")]),
        ],
    )];
    let product = vec![nest(
        "i",
        "0",
        "n",
        vec![nest(
            "j",
            "0",
            "n",
            vec![
                statement("C[i, j] = "),
                nest("k", "0", "n", vec![statement("C[i, j] = C[i, j] | A[i, k] | B[k, j]")]),
            ],
        )],
    )];
    let lu = vec![nest(
        "k",
        "0",
        "n",
        vec![nest(
            "i",
            "k + 1",
            "n",
            vec![
                statement("A[i, k] = A[i, k] | A[k, k]"),
                nest("j", "k + 1", "n", vec![statement("A[i, j] = A[i, j] | A[i, k] | A[k, j]")]),
            ],
        )],
    )];
    let seidel = vec![nest(
        "t",
        "0",
        "3",
        vec![nest(
            "i",
            "1",
            "n - 1",
            vec![nest(
                "j",
                "1",
                "n - 1",
                vec![statement("A[i, j] = A[i - 1, j] | A[i, j - 1] | A[i, j] | A[i, j + 1] | A[i + 1, j]")],
            )],
        )],
    )];
    let steps = vec![nest("i", "0", "n", vec![statement("s[] = A[i]; A[i] = s[] | A[i]; s[] = A[i] | s[]")])];
    let scatter = vec![nest(
        "i",
        "0",
        "n",
        vec![statement("B[i] = "), statement("B[?] = B[?] | B[i]"), statement("A[i] = B[i]; B[i] = B[?]")],
    )];
    for nests in [jacobi, product, lu, seidel, steps, scatter] {
        check_region(&Region::new(nests.clone()));
        check_region(&Region { nests, hidden: vec!["B", "s"] });
    }
}

#[test]
fn random_regions() {
    let rounds = std::env::var("FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20);
    for seed in 0..rounds {
        check_region(&Numbers::new(seed).region());
    }
}
