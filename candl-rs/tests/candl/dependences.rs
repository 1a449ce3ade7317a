//! Compares the computed dependences with those observed in an execution.

use std::collections::BTreeMap;

use crate::support::{Event, Numbers, Region, execute, extracted, leading, nest, statement};
use polyhedra::{Map, Set, Text, UnionMap, points_of};
use scop::{
    AccessId, AccessKind, Array, ArrayId, Certainty, Dependence, Dependences, ExprKind, LiveAccess, Model,
    Reduction, Scop, Statement, Step, walk_expressions,
};

/// For each pair of accesses, the pairs of instances, or for each live access, the pairs of instance and element,
/// as isl text.
type Relations = BTreeMap<String, Vec<String>>;

/// The results observed in an execution.
#[derive(Default)]
struct Observed {
    flow: Relations,
    anti: Relations,
    output: Relations,
    live_in: Relations,
    live_out: Relations,
}

fn observe(events: &[Event], model: &Model) -> Observed {
    let mut observed = Observed::default();
    let array = |event: &Event| &model.arrays[event.array.parse::<ArrayId>().unwrap().index()];
    for (position, event) in events.iter().enumerate() {
        let before = &events[..position];
        match event.kind {
            AccessKind::Read => {
                let certain = note(&mut observed.flow, before, event, |kind| kind == AccessKind::Write);
                if !certain && array(event).visible {
                    note_live(&mut observed.live_in, event);
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
        let Array { visible, dead_after, .. } = array(event);
        if event.kind == AccessKind::Write && stays && *visible && !dead_after {
            note_live(&mut observed.live_out, event);
        }
    }
    observed
}

/// Returns the events with their elements replaced by those in a model.
fn placed(events: &[Event], model: &Model) -> Vec<Event> {
    let accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    let last = events.iter().map(|event| event.access).max().map_or(0, |last| last + 1);
    let accesses = accesses.take(last);
    let places: Vec<(ArrayId, Vec<usize>)> =
        accesses.map(|access| (access.array, leading(&access.relation.0, model, access.array))).collect();
    let place = |event: &Event| {
        let (array, leading) = &places[event.access];
        let element = leading.iter().map(|&k| event.instance[k]).chain(event.element.iter().copied());
        Event { array: array.to_string(), element: element.collect(), ..event.clone() }
    };
    events.iter().map(place).collect()
}

/// Returns the accesses of the statements that store last values, which run after all others in their order.
fn storing(statements: &[Statement], n: i64) -> Vec<Event> {
    let mut events = Vec::new();
    for statement in statements {
        for instance in at_n(&statement.domain.0, n) {
            for access in [&statement.accesses[1], &statement.accesses[0]] {
                let depth = statement.depth();
                let pairs = Map::parse(&access.relation.0).unwrap();
                let pairs = pairs.intersect_domain(Set::parse(&statement.domain.0).unwrap()).unwrap();
                let pairs = at_n(&pairs.wrap().unwrap().text().unwrap(), n);
                let [pair] = &pairs.iter().filter(|pair| pair[..depth] == instance).collect::<Vec<_>>()[..]
                else {
                    panic!("{} has one element in each instance", access.id)
                };
                events.push(Event {
                    statement: statement.id.index(),
                    instance: instance.clone(),
                    access: access.id.index(),
                    kind: access.kind,
                    certainty: access.certainty,
                    array: access.array.to_string(),
                    element: pair[depth..].to_vec(),
                });
            }
        }
    }
    events
}

/// Returns the points of a set for one value of `n`, in order.
fn at_n(text: &str, n: i64) -> Vec<Vec<i64>> {
    let set = Set::parse(text).unwrap();
    let set = set.intersect_params(Set::parse(&format!("[n] -> {{ : n = {n} }}")).unwrap()).unwrap();
    let set = set.project_out_all_params().unwrap();
    let mut points = points_of(&set, 10_000).unwrap().unwrap();
    points.sort();
    points
}

/// Returns the write whose value each element of the arrays that code after the region reads has in the end. Writes
/// that may happen happen in every second case; those that store last values pass on what they read.
fn final_values(events: &[Event], model: &Model, source: usize) -> BTreeMap<(String, Vec<i64>), String> {
    let mut memory = BTreeMap::new();
    let mut read = None;
    for event in events {
        let place = (event.array.clone(), event.element.clone());
        let happens = |event: &Event| {
            let seed = event.instance.iter().chain(event.element.last()).sum::<i64>() + event.access as i64;
            event.certainty == Certainty::Must || seed % 2 == 0
        };
        match event.kind {
            AccessKind::Read => read = memory.get(&place).cloned(),
            AccessKind::Write if event.statement >= source => {
                memory.insert(place, read.clone().expect("the copy has a value"));
            }
            AccessKind::Write if happens(event) => {
                memory.insert(place, format!("{} a{}", instance(event), event.access));
            }
            AccessKind::Write => {}
        }
    }
    memory.retain(|(array, _), _| {
        let array = &model.arrays[array.parse::<ArrayId>().unwrap().index()];
        array.visible && !array.dead_after
    });
    memory
}

fn same_element(one: &Event, other: &Event) -> bool {
    one.array == other.array && one.element == other.element
}

/// True for a write that certainly happens.
fn hides(event: &Event) -> bool {
    event.kind == AccessKind::Write && event.certainty == Certainty::Must
}

/// Records the accesses to the element of `sink` before it, back to the last write that certainly happens. Returns
/// true if there is such a write.
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

fn note_live(relations: &mut Relations, event: &Event) {
    let pair = format!("{} -> {}{:?}", instance(event), event.array, event.element);
    relations.entry(format!("a{}", event.access)).or_default().push(pair);
}

fn instance(event: &Event) -> String {
    format!("S{}{:?}", event.statement, event.instance)
}

/// Asserts that relations, for one value of `n`, are equal to those that were observed.
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

/// Checks the results against two executions. The execution of the original model determines how values flow; the
/// execution of the model after expansion must pass the same values, and determines what shares memory.
fn check_region(region: &Region) {
    let program = extracted(region);
    assert_eq!(scop::verify::verify(&program), [], "{region:#?}");
    let before = program.scops[0].model.clone();
    let analysed = candl_rs::run(program).unwrap().value;
    assert_eq!(scop::verify::verify(&analysed), [], "{region:#?}");
    let Scop { model: after, stage, .. } = &analysed.scops[0];
    let found = &stage.dependences;
    let source = before.statements.len();
    let is_dead = |event: &Event| found.dead.iter().any(|id| id.index() == event.statement);
    for n in [0, 1, 4] {
        let events = execute(region, n);
        let observed = observe(&placed(&events, &before), &before);
        assert_no_value_goes_from_dead_to_living(region, &observed, found, &before);
        let events: Vec<Event> = events.into_iter().filter(|event| !is_dead(event)).collect();
        let observed = observe(&placed(&events, &before), &before);
        let ends = final_values(&placed(&events, &before), &before, source);
        if source == after.statements.len() {
            assert_values(region, n, found, &observed);
        }
        let mut events = placed(&events, after);
        events.extend(storing(&after.statements[source..], n));
        assert_eq!(final_values(&events, after, source), ends, "at n = {n}: {region:#?}");
        assert_reductions(region, n, &stage.dependences.reductions, &events, after);
        let observed = observe(&events, after);
        assert_values(region, n, found, &observed);
        for (what, found, observed) in
            [("anti", &found.anti, &observed.anti), ("output", &found.output, &observed.output)]
        {
            assert_same(what, region, n, &pairs(found), observed);
        }
    }
}

fn assert_values(region: &Region, n: i64, found: &Dependences, observed: &Observed) {
    assert_same("flow", region, n, &pairs(&found.flow), &observed.flow);
    for (what, found, observed) in
        [("live-in", &found.live_in, &observed.live_in), ("live-out", &found.live_out, &observed.live_out)]
    {
        let of_live = |live: &'_ LiveAccess| live.access.to_string();
        let found: Vec<_> = found.iter().map(|live| (of_live(live), live.relation.0.as_str())).collect();
        assert_same(what, region, n, &found, observed);
    }
}

/// Asserts that the order of a sum is free exactly where the next access to the element is another instance of the
/// same update.
fn assert_reductions(region: &Region, n: i64, found: &[Reduction], events: &[Event], model: &Model) {
    let mut observed = Relations::new();
    for (position, event) in events.iter().enumerate().filter(|(_, event)| hides(event)) {
        let statement = &model.statements[event.statement];
        let next = events[position + 1..].iter().find(|later| same_element(later, event));
        let next = next.filter(|next| next.statement == event.statement && next.kind == AccessKind::Read);
        let Some(next) = next.filter(|next| next.instance != event.instance) else { continue };
        if is_sum(statement, next.access, event.access) {
            let pair = format!("{} -> {}", instance(event), instance(next));
            observed.entry(format!("a{} a{}", next.access, event.access)).or_default().push(pair);
        }
    }
    let key = |reduction: &Reduction| format!("{} {}", reduction.read, reduction.write);
    let found: Vec<_> = found.iter().map(|found| (key(found), found.relation.0.as_str())).collect();
    assert_same("reduction", region, n, &found, &observed);
}

/// True if a step adds to the element that it reads, and nothing else in the step or in the statement's writes uses
/// that element.
fn is_sum(statement: &Statement, read: usize, write: usize) -> bool {
    let relation = |access: &scop::Access| UnionMap::parse(&access.relation.0).unwrap();
    let find = |number: usize| statement.accesses.iter().find(|a| a.id.index() == number).unwrap();
    let (read, write) = (find(read), find(write));
    let same = |access: &&scop::Access| {
        access.array == write.array && relation(access).is_equal(&relation(write)).unwrap()
    };
    let writes = statement.accesses.iter().filter(|access| access.kind == AccessKind::Write);
    let step = statement.body.iter().find(|step| names(step, write.id)).unwrap();
    let reads = statement.accesses.iter().filter(|access| names(step, access.id) && access.id != write.id);
    names(step, read.id)
        && same(&read)
        && read.certainty == Certainty::Must
        && reads.filter(same).count() == 1
        && writes.filter(|access| access.array == write.array).count() == 1
}

/// True if a step contains an access.
fn names(step: &Step, access: AccessId) -> bool {
    let writes = matches!(step, Step::Assign { access: written, .. } if *written == access);
    let mut reads = false;
    walk_expressions(std::slice::from_ref(step), &mut |expr| {
        reads |= matches!(expr.kind, ExprKind::Read { access: read, .. } if read == access);
    });
    writes || reads
}

fn pairs(dependences: &[Dependence]) -> Vec<(String, &str)> {
    let key = |dependence: &Dependence| format!("{} {}", dependence.source, dependence.sink);
    dependences.iter().map(|dependence| (key(dependence), dependence.relation.0.as_str())).collect()
}

fn assert_no_value_goes_from_dead_to_living(
    region: &Region,
    observed: &Observed,
    found: &Dependences,
    model: &Model,
) {
    let is_dead = |access: &str| {
        let access = access.parse().unwrap();
        let owner = model.statements.iter().find(|statement| statement.access(access).is_some()).unwrap();
        found.dead.contains(&owner.id)
    };
    for key in observed.flow.keys() {
        let (source, sink) = key.split_once(' ').unwrap();
        assert!(is_dead(sink) || !is_dead(source), "{key}: {region:#?}");
    }
    assert!(observed.live_out.keys().all(|access| !is_dead(access)), "{region:#?}");
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
    let overwritten =
        vec![nest("i", "0", "n", vec![statement("B[0] = B[0] | A[i]"), statement("B[?] = A[i]")])];
    for nests in [jacobi, product, lu, seidel, steps, scatter, overwritten] {
        check_region(&Region::new(nests.clone()));
        check_region(&Region { nests: nests.clone(), hidden: vec!["B", "s"], dead_after: Vec::new() });
        check_region(&Region { nests, hidden: Vec::new(), dead_after: vec!["B", "s"] });
    }
}

/// Dependences between two distant nests are hidden by the nests in between, however many there are.
#[test]
fn many_nests_one_after_the_other() {
    let nests = (0..60).map(|k| {
        let text = format!("A{}[i, j] = A{}[i - 1, j] | A{}[i, j - 1]", k % 5, (k + 1) % 5, (k + 3) % 5);
        nest("i", "1", "n", vec![nest("j", "1", "n", vec![statement(&text)])])
    });
    check_region(&Region::new(nests.collect()));
}

/// An access that occurs in no step of the body happens before all steps if it reads, and after all if it writes.
#[test]
fn accesses_outside_of_the_body_come_first_or_last() {
    let steps = "B[i] = X[0]; C[i] = X[1]; X[1] = D[i]; X[0] = D[i]";
    let mut program = extracted(&Region::new(vec![nest("i", "0", "n", vec![statement(steps)])]));
    let body = &mut program.scops[0].model.statements[0].body;
    body.remove(2);
    body.remove(0);
    // The remaining flows are those of `C[i] = X[1]; X[0] = D[i]`: `X[0]` is read before, and `X[1]` is written
    // after.
    let analysed = candl_rs::run(program).unwrap().value;
    let flow = &analysed.scops[0].stage.dependences.flow;
    let flows: Vec<String> = flow.iter().map(|flow| format!("{} {}", flow.source, flow.sink)).collect();
    assert_eq!(flows, ["a5 a2", "a7 a0"]);
}

#[test]
fn random_regions() {
    let rounds = std::env::var("FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20);
    for seed in 0..rounds {
        check_region(&Numbers::new(seed).region());
    }
}
