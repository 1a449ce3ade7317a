//! For each invariant, documents that violate only this one.

mod rules;

use serde_json::{Value, json};

use super::seal::Digests;
use super::{Fault, Seal, seal, verify};
use crate::{Program, Scanned, from_json};

fn sound() -> Value {
    serde_json::from_str(include_str!("../../tests/sound.json")).unwrap()
}

fn faults(document: &Value) -> Vec<Fault> {
    let program: Program<Scanned> = from_json(&document.to_string()).unwrap();
    verify(&program)
}

#[test]
fn a_sound_document_has_no_faults() {
    assert_eq!(faults(&sound()), []);
}

/// Returns the sound document with another value in one place, which is a path in the first scop or
/// `/source/…`.
fn changed(path: &str, value: Value) -> Value {
    let mut document = sound();
    let path = if path.starts_with("/source") { path.to_owned() } else { format!("/scops/0{path}") };
    *document.pointer_mut(&path).unwrap_or_else(|| panic!("{path}")) = value;
    document
}

/// Asserts that a change violates only this invariant, and that one of the messages contains `words`.
fn violates(invariant: u32, path: &str, value: Value, words: &str) {
    let faults = faults(&changed(path, value.clone()));
    let of_this = faults.iter().all(|fault| fault.invariant == invariant);
    let said = faults.iter().any(|fault| fault.message.contains(words));
    assert!(of_this && said, "V{invariant} {path} = {value}: {faults:?}");
}

/// Like [`violates`], for a change that necessarily violates other invariants as well.
fn violates_also(invariant: u32, path: &str, value: Value, words: &str) {
    let faults = faults(&changed(path, value.clone()));
    let said = faults.iter().any(|fault| fault.invariant == invariant && fault.message.contains(words));
    assert!(said, "V{invariant} {path} = {value}: {faults:?}");
}

const ONE: &str = "/statements/0";
const KERNEL: &str = "/mapping/kernels/0";
const BUFFER: &str = "/placement/kernels/0/buffers/0";
const DEVICE: &str = "/placement/device/0";
const LAUNCH: &str = "/ast/body/children/1";
const INSTANCE: &str = "/ast/body/children/2";

#[test]
fn v1_ids_are_positions() {
    violates_also(1, BUFFER, buffer("B1", "[bx] -> { [[] -> A0[i]] -> B1[i - 32bx] }"), "buffer number 0");
    let document = include_str!("../../tests/sound.json").replace("A1", "A2");
    let faults = faults(&serde_json::from_str(&document).unwrap());
    assert!(faults.iter().any(|fault| fault.invariant == 1 && fault.message.contains("array number 1")));
}

fn buffer(id: &str, index: &str) -> Value {
    let mut buffer = sound().pointer(&format!("/scops/0{BUFFER}")).unwrap().clone();
    buffer["id"] = json!(id);
    buffer["index"] = json!(index);
    buffer["accesses"] = json!([]);
    buffer["places"] = json!([]);
    buffer
}

#[test]
fn v2_names_are_free_and_distinct() {
    violates(2, "/name", json!("threadIdx"), "not free");
    violates(2, "/arrays/0/name", json!("y"), "something else has");
    violates(2, "/arrays/0/name", json!("n"), "something else has");
    violates(2, "/arrays/0/name", json!("float"), "not free");
    violates(2, "/statements/0/body/0/name", json!("x"), "something else has");
}

#[test]
fn v3_texts_parse_and_use_known_parameters() {
    for text in ["", "n", "[n] -> { :", "[n] -> { S0[i]; S1[] }", "{ S0[i] -> A0[i] }", "\0", "é"] {
        violates(3, &format!("{ONE}/domain"), json!(text), "the domain of S0 is not a set");
    }
    violates(
        3,
        "/statements/0/accesses/0/relation",
        json!("{ S0[i] -> A0[i]; S0[i] -> A1[i] }"),
        "a relation",
    );
    violates(3, "/statements/0/accesses/0/relation", json!("[m] -> { S0[i] -> A0[m] }"), "`m`");
    violates(3, "/statements/0/accesses/0/relation", json!("[tx] -> { S0[i] -> A0[tx] }"), "`tx`");
    violates(3, "/arrays/1/extents/0/value", json!("[n, k] -> { [(k)] }"), "`k`");
    violates(3, "/order", json!("domain: \"{ S0[i] }\"\nchild: ["), "not a schedule tree");
    violates(3, "/dependences/anti/0/relation", json!("{"), "the anti dependence from a1 to a3");
    violates(3, &format!("{DEVICE}/lower"), json!("[bx] -> { [(bx)] }"), "`bx`");
}

#[test]
fn v4_domains_have_a_dimension_for_each_iterator() {
    violates(4, "/context", json!("[n] -> { [i] : n > 0 }"), "not about parameters only");
    violates(4, "/arrays/1/extents/0/value", json!("[n] -> { [i] -> [(n)] }"), "depends on");
    let assuming = |text: &str| {
        let mut document = sound();
        document["scops"][0]["assumptions"] = json!(text);
        faults(&document).into_iter().map(|fault| fault.invariant).collect::<Vec<_>>()
    };
    assert!(assuming("[n] -> { : n < 2147483648 }").is_empty());
    for (text, invariant) in
        [("{ : n < }", 3), ("[k] -> { : k > 0 }", 3), ("[n] -> { : n > 0 }", 4), ("{ [i] }", 4)]
    {
        assert!(assuming(text).contains(&invariant), "{text}");
    }
    violates_also(4, "/statements/1/domain", json!("[n] -> { S1[i] : n > 0 }"), "in S1[] with 1 dimension,");
    violates_also(4, "/statements/1/domain", json!("[n] -> { S2[] : n > 0 }"), "in S2[] with 0 dimensions");
}

#[test]
fn v5_accesses_go_from_their_statement_to_their_array() {
    let relation = "/statements/0/accesses/0/relation";
    violates(5, relation, json!("{ S1[i] -> A0[i] }"), "starts at S1[]");
    violates(5, relation, json!("{ S0[i, j] -> A0[i] }"), "starts at S0[] with 2");
    violates(5, relation, json!("{ S0[i] -> A1[i] }"), "leads to A1[]");
    violates(5, relation, json!("{ S0[i] -> A0[i, i] }"), "leads to A0[] with 2");
    violates_also(5, "/statements/0/accesses/0/array", json!("A7"), "does not exist");
}

#[test]
fn v6_bodies_use_what_is_defined() {
    let value = |step: usize| format!("/statements/0/body/{step}/value");
    let read = |access: &str| json!({ "type": "double", "kind": "read", "access": access });
    violates(6, &value(1), read("a2"), "wrong direction");
    violates(6, &value(1), read("a3"), "not one of its accesses");
    violates(
        6,
        &value(0),
        json!({ "type": "double", "kind": "local", "local": "v0" }),
        "v0, which is not defined",
    );
    violates(6, &value(1), json!({ "type": "int", "kind": "iterator", "dimension": 1 }), "iterator 1");
    violates(6, &value(1), json!({ "type": "int", "kind": "parameter", "name": "m" }), "parameter `m`");
    violates(
        6,
        &value(1),
        json!({ "type": "int", "kind": "integer", "value": "1" }),
        "type double with a value of",
    );
    violates(6, &format!("{}/function", value(1)), json!("fmax"), "calls `fmax` with 1 arguments");
    violates(6, "/statements/0/body/1/local", json!("v1"), "sets v1 before");
    violates_also(6, "/statements/0/body/0/local", json!("v1"), "out of order");
    violates(6, "/statements/0/body/2/access", json!("a1"), "wrong direction");
    violates(6, "/statements/0/body/2/compound", json!("*"), "another operator");
    violates(6, &format!("{}/left/access", value(2)), json!("a0"), "the same element");
}

#[test]
fn v6_complex_numbers_are_computed_with_as_c_does() {
    let constant = |ctype: &str, kind: &str| json!({ "type": ctype, "kind": kind, "value": "1.5" });
    let (real, complex) = (constant("double", "floating"), constant("double _Complex", "imaginary"));
    let single = constant("float _Complex", "imaginary");
    let binary = |ctype: &str, operator: &str, left: &Value, right: &Value| json!({ "type": ctype, "kind": "binary", "operator": operator, "left": left, "right": right });
    let part = |ctype: &str, operand: &Value| json!({ "type": ctype, "kind": "unary", "operator": "__imag__", "operand": operand });
    let call = |function: &str, operand: &Value| json!({ "type": "double", "kind": "call", "function": function, "arguments": [operand] });
    let cast = |value: Value| json!({ "type": "double", "kind": "cast", "implicit": true, "operand": value });
    let sound = [
        binary("double _Complex", "*", &real, &complex),
        binary("double _Complex", "-", &complex, &complex),
        binary("int", "==", &complex, &real),
        part("double", &complex),
        call("cabs", &complex),
    ];
    for value in sound {
        assert_eq!(faults(&changed("/statements/0/body/1/value", cast(value.clone()))), [], "{value}");
    }
    let wrong = [
        (constant("double", "imaginary"), "computes with complex"),
        (binary("double", "*", &real, &complex), "computes with complex"),
        (binary("double _Complex", "*", &complex, &single), "computes with complex"),
        (binary("int", "<", &complex, &complex), "computes with complex"),
        (part("double", &real), "computes with complex"),
        (part("float", &complex), "computes with complex"),
        (call("cabs", &real), "arguments that do not match"),
        (call("sqrt", &complex), "arguments that do not match"),
    ];
    for (value, words) in wrong {
        violates(6, "/statements/0/body/1/value", cast(value), words);
    }
}

#[test]
fn v7_orders_have_every_instance() {
    let tree = |domain: &str, rest: &str| json!(format!("domain: \"[n] -> {{ {domain} }}\"\n{rest}"));
    let all = "S0[i] : 0 <= i < n; S1[] : n > 0";
    let filters = |first: &str| {
        format!(
            "child:\n  sequence:\n  - filter: \"{{ {first} }}\"\n    child:\n      schedule: \"[{{ S0[i] -> [(i)] }}]\"\n  \
             - filter: \"{{ S1[] }}\""
        )
    };
    violates(7, "/order", tree("S0[i] : 0 <= i < n; S1[]", &filters("S0[i]")), "");
    violates(
        7,
        "/order",
        tree("S0[i] : 0 < i < n; S1[] : n > 0", &filters("S0[i]")),
        "not have the instances",
    );
    violates(7, "/order", tree(all, &filters("S0[i] : i > 3")), "loses instances");
    violates(
        7,
        "/order",
        tree(all, "child:\n  schedule: \"[{ S0[i] -> [(i)]; S1[] -> [(3)] }]\""),
        "leaves open",
    );
    let same = "S0[i] -> S0[i]; S1[] -> S1[]";
    let below = filters("S0[i]").replace('\n', "\n  ");
    let expanded =
        format!("child:\n  contraction: \"{{ {same} }}\"\n  expansion: \"{{ {same} }}\"\n  {below}");
    violates(7, "/order", tree(all, &expanded), "the order has an expansion");
    violates(7, "/schedule", tree(all, &expanded), "the schedule has an expansion");
    violates_also(7, "/mapping/tree", tree(all, &expanded), "the tree of the mapping has an expansion");
    violates(7, "/schedule", tree(all, &filters("S0[i] : i > 3")), "the schedule loses instances");
    let marked = format!("child:\n  mark: \"host\"\n  {}", filters("S0[i]").replace('\n', "\n  "));
    violates(7, "/schedule", tree(all, &marked), "the schedule has a mark");
    let extended = "child:\n  extension: \"{ [] -> barrier_0[] }\"\n  child:\n    sequence:\n    - filter: \"{ barrier_0[] }\"\n    - filter: \"{ S0[i]; S1[] }\"";
    violates(7, "/schedule", tree(all, extended), "the schedule has an extension");
    let mapped = sound()["scops"][0]["mapping"]["tree"].clone();
    violates_also(3, "/schedule", mapped.clone(), "`bx`");
    let lines = mapped.to_string();
    for (from, to) in
        [("32 + 32bx", "31 + 32bx"), ("tx < 32", "tx < 31"), ("tx < 32 }", "tx < 32 and bx > 0 }")]
    {
        let narrower = serde_json::from_str(&lines.replace(from, to)).unwrap();
        violates(7, "/mapping/tree", narrower, "the tree of the mapping loses instances");
    }
}

#[test]
fn v8_dependences_go_between_their_accesses() {
    violates(8, "/dependences/anti/0/sink", json!("a9"), "does not exist");
    violates(8, "/dependences/anti/0/source", json!("a2"), "does not read");
    violates(8, "/dependences/output/0/source", json!("a1"), "does not write");
    violates(8, "/dependences/output/0/relation", json!("{ S1[] -> S1[] }"), "starts at S1[]");
    violates(8, "/dependences/output/0/relation", json!("{ S0[i] -> S0[i] }"), "leads to S0[]");
    violates(8, "/dependences/live_in/0/elements", json!("{ A1[i] }"), "in A1[]");
    violates(8, "/dependences/live_in/0/relation", json!("{ S0[i] -> A1[i] }"), "leads to A1[]");
    violates(8, "/arrays/0/visible", json!(false), "does not exist outside");
    let reduction = |read: &str, write: &str, relation: &str| {
        let (statement, operator) = ("S1", "+");
        json!([{ "statement": statement, "read": read, "write": write, "operator": operator, "relation": relation }])
    };
    for (key, value, words) in [
        ("reductions", reduction("a9", "a3", "{ S1[] -> S1[] }"), "does not exist"),
        ("reductions", reduction("a3", "a3", "{ S1[] -> S1[] }"), "does not read"),
        ("reductions", reduction("a1", "a2", "{ S0[i] -> S0[i] }"), "of another statement"),
        ("dead", json!(["S7"]), "S7 is dead twice, or does not exist"),
        ("dead", json!(["S1", "S1"]), "S1 is dead twice"),
    ] {
        let mut document = sound();
        document["scops"][0]["dependences"][key] = value;
        let faults = faults(&document);
        let said = faults.iter().any(|fault| fault.invariant == 8 && fault.message.contains(words));
        assert!(said, "{key}: {faults:?}");
    }
}

#[test]
fn the_schedule_may_leave_out_dead_statements_and_no_others() {
    let without = |dead: &str| {
        let mut document = sound();
        let scop = &mut document["scops"][0];
        scop["dependences"]["dead"] = json!([dead]);
        scop["mapping"]["host"] = json!([]);
        for path in ["/schedule", "/mapping/tree"] {
            let tree = scop.pointer_mut(path).unwrap();
            let lines = tree.to_string().replace("; S1[] : n > 0", "").replace("S1[]", "S1[] : false");
            *tree = serde_json::from_str(&lines).unwrap();
        }
        faults(&document)
    };
    assert_eq!(without("S1"), []);
    let invariants: Vec<u32> = without("S0").iter().map(|fault| fault.invariant).collect();
    assert_eq!(invariants, [7, 9, 7]);
}

#[test]
fn v9_the_threshold_is_about_parameters() {
    let with_threshold = |host: &str| {
        let mut document = sound();
        document["scops"][0]["mapping"]["threshold"] = json!({ "host": host, "reason": "" });
        faults(&document)
    };
    assert_eq!(with_threshold("{ : }"), []);
    for (host, invariant, words) in [
        ("{ [i] : i < 10 }", 9, "is not about parameters only"),
        ("[q] -> { : q < 10 }", 3, "uses `q`, which is not a parameter"),
        ("n < 10", 3, "is not a set"),
    ] {
        let found = with_threshold(host);
        let [fault] = &found[..] else { panic!("{host}: {found:?}") };
        assert!(fault.invariant == invariant && fault.message.contains(words), "{host}: {fault:?}");
    }
}

#[test]
fn v9_kernels_are_those_of_the_tree() {
    violates(9, "/mapping/host", json!([]), "S1 is neither in a kernel nor on the host");
    violates_also(9, "/mapping/host/0/statement", json!("S4"), "names S4");
    violates_also(
        9,
        "/mapping/kernels/0/statements",
        json!(["S0", "S1"]),
        "S1 is both in a kernel and on the host",
    );
    violates_also(9, "/mapping/kernels/0/block/0/axis", json!("y"), "not x, y, z");
    violates(9, "/mapping/kernels/0/block/0/size", json!(0), "without threads");
    violates(9, &format!("{KERNEL}/grid/0/lower"), json!("{ [i] -> [(i)] }"), "depends on");
    violates_also(9, &format!("{KERNEL}/host_depth"), json!(1), "has 0 loops around it");
    let marks = |from: &str, to: &str| {
        let lines = sound()["scops"][0]["mapping"]["tree"].to_string().replace(from, to);
        serde_json::from_str::<Value>(&lines).unwrap()
    };
    violates(9, "/mapping/tree", marks("kernel_K0", "kernel_K1"), "marks the kernels (K1)");
    violates_also(9, "/mapping/tree", marks("\\\"thread\\\"", "\\\"kernel_K0\\\""), "(K0, K0)");
    violates(9, "/mapping/tree", marks("\\\"thread\\\"", "\\\"threads\\\""), "K0 has no mark \"thread\"");
    violates(9, "/mapping/tree", marks("\\\"tile\\\"", "\\\"tiles\\\""), "K0 has no mark \"tile\"");
    violates_also(9, "/mapping/tree", marks("tx", "ty"), "the tree asks for `ty` in K0");
}

#[test]
fn what_is_wrong_in_several_places_is_said_once() {
    let faults = faults(&changed("/mapping/kernels/0/block/0/axis", json!("y")));
    let undefined = faults.iter().filter(|fault| fault.message.contains("uses `tx`"));
    assert_eq!(undefined.count(), 1, "{faults:?}");
}

#[test]
fn v10_buffers_serve_accesses_of_their_kernel() {
    violates_also(10, &format!("{DEVICE}/array"), json!("A5"), "A5 is on the device");
    violates(10, &format!("{DEVICE}/inner_extents"), json!(["{ [(1)] }"]), "1 inner extents");
    violates(10, &format!("{DEVICE}/origin"), json!(["{ [(1)] }", "{ [(1)] }"]), "origin");
    violates(10, &format!("{DEVICE}/copy_in"), json!("{ A1[i] }"), "the copy-in of A0");
    violates(10, &format!("{DEVICE}/extent"), json!("{ [i] -> [(i)] }"), "depends on");
    violates_also(10, "/placement/kernels/0/kernel", json!("K2"), "other kernels");
    violates(10, &format!("{BUFFER}/sizes/0"), json!(0), "no room");
    violates(10, &format!("{BUFFER}/index"), json!("{ [[k] -> A0[i]] -> B0[i] }"), "does not lead");
    violates(10, &format!("{BUFFER}/index"), json!("{ A0[i] -> B0[i] }"), "does not lead");
    violates_also(10, &format!("{BUFFER}/accesses"), json!(["a3"]), "not an access of K0");
    violates(10, &format!("{BUFFER}/existing"), json!("{ A1[i] }"), "elements of B0 is in A1[]");
    violates(10, &format!("{BUFFER}/places"), json!([]), "0 places for 1 accesses");
    violates(
        10,
        &format!("{BUFFER}/places/0"),
        json!("{ S1[] -> B0[0] }"),
        "the place of a0 in B0 starts at",
    );
    violates_also(10, &format!("{BUFFER}/accesses"), json!(["a0", "a0"]), "another buffer");
}

#[test]
fn v10_and_v11_boxes_have_what_is_copied() {
    let one = |lower: Value, extent: &str| json!({ "to_device": [{ "lower": [lower], "extent": [extent] }], "from_device": [] });
    let with = |placed: Value, scanned: Value| {
        let mut document = sound();
        document["scops"][0]["placement"]["device"][0]["boxes"] = placed;
        document["scops"][0]["ast"]["arrays"][0]["boxes"] = scanned;
        faults(&document)
    };
    let (placed, scanned) = (one(json!("{ [(0)] }"), "[n] -> { [(n)] }"), one(json!(0), "n"));
    assert_eq!(with(placed.clone(), scanned.clone()), []);
    let flat = json!({ "to_device": [{ "lower": [], "extent": [] }], "from_device": [] });
    let cases = [
        (10, one(json!("{ [(1)] }"), "[n] -> { [(n - 1)] }"), scanned.clone(), "lack an element"),
        (10, one(json!("{ [(0)] }"), "{ [i] -> [(i)] }"), scanned.clone(), "depends on"),
        (10, one(json!("[n] -> { [((n)/3)] }"), "[n] -> { [(n)] }"), scanned.clone(), "is not an integer"),
        (10, flat.clone(), scanned.clone(), "other dimensions"),
        (11, placed.clone(), one(json!(0), "m"), "uses `m`"),
        (11, placed.clone(), flat, "0 dimensions"),
        (11, placed, Value::Null, "or the reverse"),
        (11, Value::Null, scanned, "or the reverse"),
    ];
    for (invariant, placed, scanned, words) in cases {
        let found = with(placed, scanned);
        let said = |fault: &Fault| fault.invariant == invariant && fault.message.contains(words);
        assert!(found.iter().any(said), "{words}: {found:?}");
    }
    // The same is true of transfers from the device.
    let back = |boxes: Value| json!({ "to_device": [], "from_device": boxes });
    let with_back = |placed: Value, scanned: Value| {
        let mut document = sound();
        let device = &mut document["scops"][0]["placement"]["device"][0];
        (device["copy_in"], device["copy_out"]) =
            (json!("[n] -> { A0[i] : false }"), json!("[n] -> { A0[i] : 0 <= i < n }"));
        device["boxes"] = back(placed);
        document["scops"][0]["ast"]["arrays"][0]["boxes"] = back(scanned);
        faults(&document)
    };
    let whole = |lower: Value, extent: &str| json!([{ "lower": [lower], "extent": [extent] }]);
    let placed = whole(json!("{ [(0)] }"), "[n] -> { [(n)] }");
    assert_eq!(with_back(placed, whole(json!(0), "n")), []);
    let nothing = with_back(json!([]), json!([]));
    assert!(nothing.iter().any(|fault| fault.message.contains("lack an element")), "{nothing:?}");
}

#[test]
fn v10_constant_memory_is_small() {
    for memory in ["argument", "constant"] {
        let with = |change: &dyn Fn(&mut Value)| {
            let mut document = sound();
            let device = &mut document["scops"][0]["placement"]["device"][0];
            device["memory"] = json!(memory);
            change(device);
            faults(&document).into_iter().map(|fault| fault.message).collect::<Vec<_>>().join("\n")
        };
        assert!(with(&|_| {}).contains("no constant size"));
        let large = with(&|device| device["extent"] = json!("{ [(1000000)] }"));
        assert!(large.contains("which are too many"), "{large}");
    }
}

#[test]
fn v10_layouts_are_of_shared_memory_and_number_places() {
    let dense = |position: &str, count: &str, elements: u32| json!({ "layout": "dense", "numbering": { "position": position, "count": count }, "elements": elements });
    let good = with_layout(dense("{ B0[x] -> x : 0 <= x < 32 }", "{ 32 }", 32));
    assert_eq!(faults(&changed(BUFFER, good)), []);
    violates(
        10,
        BUFFER,
        with_layout(dense("{ B1[x] -> x }", "{ 32 }", 32)),
        "position of the numbering of B0",
    );
    violates(
        10,
        BUFFER,
        with_layout(dense("{ B0[x, y] -> x }", "{ 32 }", 32)),
        "position of the numbering of B0",
    );
    violates(
        10,
        BUFFER,
        with_layout(dense("{ B0[x] -> x }", "{ B0[x] -> x }", 32)),
        "count of the numbering of B0",
    );
    violates(
        10,
        BUFFER,
        with_layout(dense("[n] -> { B0[x] -> n * x }", "{ 32 }", 32)),
        "depends on parameters",
    );
    violates(10, BUFFER, with_layout(dense("{ B0[x] -> x }", "{ 32 }", 0)), "no room");
    violates(3, BUFFER, with_layout(dense("{ B0[x] -> ", "{ 32 }", 32)), "piecewise quasi-polynomial");
    violates(10, BUFFER, with_layout(json!({ "layout": "box", "padding": 1 })), "padding but no rows");
    violates(10, BUFFER, with_layout(json!({ "layout": "ring", "padding": 1 })), "padding but no rows");
}

/// Returns the buffer with a layout.
fn with_layout(layout: Value) -> Value {
    let mut buffer = sound().pointer(&format!("/scops/0{BUFFER}")).unwrap().clone();
    buffer["layout"] = layout;
    buffer
}

#[test]
fn v11_loop_programs_name_what_exists() {
    let body = |path: &str| format!("{LAUNCH}/body{path}");
    violates(11, "/ast/arrays", json!([]), "other arrays");
    violates(11, "/ast/arrays/0/lower", json!("m"), "uses `m`");
    violates(11, "/ast/arrays/0/inner_extents", json!([1]), "inner extents");
    violates(11, &format!("{LAUNCH}/kernel"), json!("K3"), "does not exist");
    violates(11, &format!("{LAUNCH}/lower"), json!([]), "0 grid dimensions");
    violates(11, &format!("{LAUNCH}/lower/0"), json!("bx"), "uses `bx`");
    violates(11, &body("/init"), json!("c0"), "uses `c0`");
    violates(11, &body("/init"), json!(["select", 1, 2]), "2 operands");
    violates_also(11, &body("/iterator"), json!("n"), "taken");
    violates(11, &body("/body/children/0/buffer"), json!("B1"), "not a buffer there");
    violates(11, &body("/body/children/0/place"), json!([]), "wrong index");
    violates(11, &body("/body/children/2/then/iterators"), json!([]), "with 0 iterators");
    violates(11, &body("/body/children/2/then/accesses"), json!([]), "other accesses");
    violates(11, &body("/body/children/2/then/accesses/1/index"), json!([]), "wrong index");
    let misplaced = json!({ "access": "a1", "buffer": "B0", "index": [0] });
    violates(11, &body("/body/children/2/then/accesses/1"), misplaced, "not for it");
    violates(11, &body("/body/children/2/then/statement"), json!("S1"), "not its own");
    violates(11, INSTANCE, json!({ "node": "barrier" }), "outside of kernels");
    violates(
        11,
        INSTANCE,
        json!({ "node": "transfer", "array": "A1", "to_device": true }),
        "not on the device",
    );
}

#[test]
fn v12_regions_are_in_order() {
    let region = |start: u32, end: u32| json!({ "function": "f", "range": { "start": start, "end": end, "line": 1, "column": 1 } });
    violates(12, "/source/regions", json!([]), "0 regions for 1 scops");
    violates(12, "/source/regions/0", region(20, 10), "ends before");
    violates(12, "/source/regions", json!([region(20, 30), region(29, 40)]), "overlap");
}

/// Returns the faults of the sound document with host code and a plan in which A0 is resident, after a change.
fn with_residency(change: impl FnOnce(&mut Value)) -> Vec<Fault> {
    let mut document = sound();
    let range = |start: u32, end: u32| json!({ "start": start, "end": end, "line": 2, "column": 1 });
    let place = json!({ "address": "&x[i]", "bytes": "sizeof(x[i])" });
    let touch = json!({
        "effect": "reads", "memory": ["M1"], "place": place, "before_calls": true, "range": range(20, 24)
    });
    let code = |start: u32, end: u32| json!({ "range": range(start, end), "position": "expression", "touches": [touch], "calls": ["P0"] });
    let object = |id: &str| json!({ "id": id, "name": "x", "lifetime": "program" });
    document["memory"] = json!([object("M0"), object("M1")]);
    document["scops"][0]["arrays"][0]["memory"] = json!(["M1"]);
    document["scops"][0]["arrays"][0]["apart"] = json!(false);
    let region = json!({ "node": "region", "scop": 0, "range": range(30, 200), "position": "statement" });
    let mut read = code(16, 28);
    (read["node"], read["position"]) = (json!("code"), json!("statement"));
    let again = json!({
        "node": "loop", "range": range(210, 230), "position": "statement", "condition": code(215, 219), "body": []
    });
    let objects = json!([{ "memory": "M1", "place": place }]);
    let block = json!({
        "node": "block", "range": range(12, 290), "position": "fixed", "objects": objects,
        "body": [read, region, again],
    });
    document["host"] = json!([{ "id": "P0", "name": "scale", "range": range(10, 300), "body": [block] }]);
    document["host"][0]["lines"] = json!([16, 300]);
    document["prevented"] =
        json!([{ "array": null, "reason": "the file has coroutines", "way_out": "move them" }]);
    let action = |op: Value| json!({ "range": range(16, 28), "position": "statement", "op": op });
    document["residency"] = json!({
        "classes": [{ "id": "D0", "memory": ["M1"], "bounded": false }],
        "actions": [
            action(json!({ "do": "reads", "place": place })),
            action(json!({ "do": "reads_class", "class": "D0" })),
            action(json!({ "do": "frees", "pointer": "x" })),
        ],
    });
    for device in document["scops"][0]["placement"]["device"].as_array_mut().unwrap() {
        if device["array"] == "A0" {
            device["resident"] = json!("D0");
        }
    }
    change(&mut document);
    faults(&document)
}

#[test]
fn v20_and_v21_host_code_and_plan_refer_to_what_exists() {
    assert_eq!(with_residency(|_| {}), []);
    let block = "/host/0/body/0";
    let cases: [(u32, &str, Value, &str); 26] = [
        (20, "/memory/1/id", json!("M2"), "memory object 1 has the id M2"),
        (20, "/scops/0/arrays/0/memory", json!(["M2"]), "memory objects that do not exist"),
        (20, "/scops/0/arrays/0/memory", json!(["M1", "M1"]), "not in order"),
        (
            20,
            "/scops/0/arrays/0/apart",
            json!(true),
            "is none of the memory objects, but may be some of them",
        ),
        (20, "/host/0/id", json!("P1"), "procedure 0 has the id P1"),
        (20, &format!("{block}/range/end"), json!(301), "is not within the one around it"),
        (20, &format!("{block}/body/0/range/end"), json!(31), "is not within the one around it"),
        (20, &format!("{block}/body/1/scop"), json!(1), "scop 1 does not exist"),
        (20, &format!("{block}/body/0/calls"), json!(["P1"]), "calls procedures that do not exist"),
        (20, &format!("{block}/body/0/calls"), json!([]), "comes before calls where nothing is called"),
        (20, &format!("{block}/body/0/touches/0/memory"), json!(["M7"]), "memory objects that do not exist"),
        (
            20,
            &format!("{block}/body/2/condition/touches/0/memory"),
            json!(["M7"]),
            "memory objects that do not exist",
        ),
        (20, &format!("{block}/body/0/touches/0/place/address"), json!("f()"), "is not an expression"),
        (20, &format!("{block}/objects/0/place/bytes"), json!("n++"), "is not an expression"),
        (20, &format!("{block}/objects/0/memory"), json!("M2"), "memory objects that do not exist"),
        (20, "/prevented/0/array", json!([0, "A9"]), "with memory, or one that does not exist"),
        (20, "/prevented/0/array", json!([0, "A0"]), "with memory, or one that does not exist"),
        (20, "/host/0/lines", json!([10]), "lines outside of its text"),
        (20, "/host/0/lines", json!([30, 20]), "lines outside of its text, or not in order"),
        (21, "/residency/classes/0/id", json!("D1"), "class 0 has the id D1"),
        (21, "/residency/classes/0/memory", json!(["M0"]), "is resident in D0, which does not contain it"),
        (21, "/residency/classes", json!([]), "is resident in D0, which does not contain it"),
        (21, "/residency/actions/0/position", json!("fixed"), "where none can be added"),
        (21, "/residency/actions/0/range/end", json!(400), "where none can be added"),
        (21, "/residency/actions/1/op/class", json!("D1"), "for a class that does not exist"),
        (21, "/residency/actions/2/op/pointer", json!("x++"), "for an address that clan-rs does not write"),
    ];
    for (invariant, path, value, words) in cases {
        let faults = with_residency(|document| *document.pointer_mut(path).unwrap() = value);
        let said = faults.iter().any(|fault| fault.invariant == invariant && fault.message.contains(words));
        assert!(said, "{path}: {faults:?}");
    }
    let twice = with_residency(|document| {
        let body = document["host"][0]["body"][0]["body"].as_array_mut().unwrap();
        body[2] = body[1].clone();
        body[2]["range"] = json!({ "start": 210, "end": 230, "line": 2, "column": 1 });
    });
    assert!(twice.iter().any(|fault| fault.message.contains("or stands here twice")), "{twice:?}");
    let shared = with_residency(|document| {
        let classes = document["residency"]["classes"].as_array_mut().unwrap();
        classes.push(json!({ "id": "D1", "memory": ["M1"], "bounded": true }));
    });
    assert!(shared.iter().any(|fault| fault.message.contains("also in another class")), "{shared:?}");
}

#[test]
fn v10_what_is_resident_is_a_slice() {
    let unknown = with_residency(|document| document["scops"][0]["arrays"][0]["memory"] = json!([]));
    let said = |fault: &Fault| fault.invariant == 10 && fault.message.contains("is resident on the device");
    assert!(unknown.iter().any(said), "{unknown:?}");
}

#[test]
fn v13_generated_code_has_nothing_but_what_clan_writes() {
    let value = |step: usize| format!("/statements/0/body/{step}/value");
    let floating = |value: &str| json!({ "type": "double", "kind": "floating", "value": value });
    let integer = |value: &str| json!({ "type": "double", "kind": "integer", "value": value });
    let member = |base: &str, member: &str| json!({ "member": { "structures": 1, "stride": 8, "base": base, "member": member } });
    let cases = [
        ("/parameters/0/expression", json!("(system(\"true\"), n)"), "which clan-rs does not write"),
        ("/parameters/0/expression", json!(""), "which clan-rs does not write"),
        ("/arrays/1/expression", json!("y); abort("), "which clan-rs does not write"),
        ("/arrays/1/expression", json!(""), "which clan-rs does not write"),
        ("/arrays/1/expression", json!("x + 1"), "which clan-rs does not write"),
        ("/loops/0/iterator", json!("i) abort("), "which is not a variable"),
        (&value(1), floating("abort()"), "the floating-point constant `abort()`"),
        (&value(1), integer("0 * f()"), "the integer constant"),
        (&format!("{}/function", value(1)), json!("system"), "a call of `system`"),
        (&format!("{BUFFER}/name"), json!("shared_x; abort()"), "which is not a name for a buffer"),
        (&format!("{BUFFER}/name"), json!("threadIdx"), "which is not a name for a buffer"),
        (
            &format!("{LAUNCH}/body/iterator"),
            json!("c0 = 0; abort(); int k"),
            "which is not a name for an iterator",
        ),
        (&format!("{LAUNCH}/body/iterator"), json!("cudaFree"), "which is not a name for an iterator"),
    ];
    for (path, value, words) in cases {
        violates_also(13, path, value, words);
    }
    let mut document = sound();
    document["scops"][0]["arrays"][1]["expansion_of"] = json!("y); abort(");
    assert!(
        faults(&document)
            .iter()
            .any(|fault| fault.invariant == 13 && fault.message.contains("has copies of"))
    );
    violates(13, "/source/path", json!("a\n#error.c"), "the source file has the name");
    for (base, part) in [("f()", ".x"), ("p", ".x)"), ("p", "x")] {
        violates_also(13, "/arrays/1/storage", member(base, part), "which clan-rs does not write");
    }
}

#[test]
fn v2_and_v13_functions_have_names_and_constants_as_well() {
    let with = |name: &str, constant: &str| {
        let value = json!({ "type": "double", "kind": "floating", "value": constant });
        let mut document = sound();
        document["functions"] = json!([{
            "name": "half",
            "type": "double",
            "parameters": [{ "name": name, "type": "double" }],
            "body": [{ "step": "return", "value": value }],
            "range": { "start": 0, "end": 1, "line": 1, "column": 1 }
        }]);
        faults(&document).into_iter().map(|fault| fault.invariant).collect::<Vec<_>>()
    };
    assert!(with("v", "0.5").is_empty());
    assert_eq!(with("v) { abort(); } double f(double v", "0.5"), [2]);
    assert_eq!(with("v", "0.5; abort()"), [13]);
}

#[test]
fn no_digest_hides_what_becomes_part_of_generated_code() {
    let document = changed("/parameters/0/expression", json!("f()"));
    let program: Program<Scanned> = from_json(&document.to_string()).unwrap();
    let digests = Digests::new(&program.scops[0], &program.functions, program.source.is_complete());
    let forged: Seal = digests.unwrap().of(&program.scops[0].stage).cloned().collect();
    let faults = seal(&program, &forged).unwrap_err();
    assert!(faults.iter().all(|fault| fault.invariant == 13), "{faults:?}");
}

/// A body that was sound is checked again if one of the functions that it calls has changed.
#[test]
fn functions_are_a_part_of_what_their_callers_are() {
    let half = |parameters: Value| {
        let value = json!({ "type": "double", "kind": "floating", "value": "0.5" });
        json!([{
            "name": "half",
            "type": "double",
            "parameters": parameters,
            "body": [{ "step": "return", "value": value }],
            "range": { "start": 0, "end": 1, "line": 1, "column": 1 }
        }])
    };
    let program = |parameters: &[&str]| {
        let one = |name: &&str| json!({ "name": name, "type": "double" });
        let mut document = sound();
        document["functions"] = half(parameters.iter().map(one).collect());
        let operand = json!({ "type": "double", "kind": "floating", "value": "1.5" });
        document["scops"][0]["statements"][0]["body"][0]["value"] =
            json!({ "type": "double", "kind": "call", "function": "half", "arguments": [operand] });
        from_json::<Scanned>(&document.to_string()).unwrap()
    };
    let known = seal(&program(&["v"]), &Seal::default()).unwrap();
    let faults = seal(&program(&["v", "w"]), &known).unwrap_err();
    assert!(faults.iter().all(|fault| fault.invariant == 6) && !faults.is_empty(), "{faults:?}");
}

#[test]
fn what_is_sealed_is_not_verified_again_until_it_changes() {
    let program = |document: &Value| from_json::<Scanned>(&document.to_string()).unwrap();
    let known = seal(&program(&sound()), &Seal::default()).unwrap();
    assert_eq!(seal(&program(&sound()), &known), Ok(known.clone()));
    // Each part has a fault. The seal of the sound document does not hide it; the part's own digest would.
    let faults = [
        (format!("{ONE}/domain"), json!("{")),
        ("/dependences/anti/0/relation".to_owned(), json!("{")),
        ("/schedule".to_owned(), json!(["domain: \"{\""])),
        (format!("{DEVICE}/copy_in"), json!("{")),
        ("/ast/arrays".to_owned(), json!([])),
    ];
    for (path, value) in faults {
        let program = program(&changed(&path, value));
        assert!(seal(&program, &known).is_err(), "{path}");
        let digests = Digests::new(&program.scops[0], &program.functions, program.source.is_complete());
        let own: Seal = digests.unwrap().of(&program.scops[0].stage).cloned().collect();
        assert_eq!(seal(&program, &own), Ok(own.clone()), "{path}");
    }
}

#[test]
fn v14_trees_add_what_belongs_there() {
    let adding_to = |tree: &str, name: &str| {
        let mut document = sound();
        let lines = document.pointer_mut(&format!("/scops/0/{tree}")).unwrap().as_array_mut().unwrap();
        let last = lines.iter().position(|line| line.as_str().unwrap().contains("mod 32")).unwrap();
        let added = [
            "                child:".to_owned(),
            format!("                  extension: \"[n, bx, tx] -> {{ [] -> {name} : 0 <= i < 5 }}\""),
            "                  child:".to_owned(),
            "                    sequence:".to_owned(),
            format!("                    - filter: \"{{ {name} }}\""),
            "                    - filter: \"{ S0[i] }\"".to_owned(),
        ];
        lines.splice(last + 1..=last, added.map(Value::String));
        faults(&document)
    };
    let adding = |name: &str| adding_to("placement/tree", name);
    assert_eq!(adding_to("mapping/tree", "barrier_0[i]"), []);
    assert_ne!(adding_to("mapping/tree", "copy_in_B0[i]"), []);
    assert_eq!(adding("copy_in_B0[i]"), []);
    assert_eq!(adding("barrier_0[i]"), []);
    for name in [
        "copy_in_B7[i]",
        "copy_in_B0[i, 0]",
        "copy_in_B99999999999[i]",
        "fetch_B0[i]",
        "S7[i]",
        "to_device_A0[i]",
    ] {
        let faults = adding(name);
        let said = faults
            .iter()
            .any(|fault| fault.invariant == 14 && fault.message.contains("does not belong there"));
        assert!(said, "{name}: {faults:?}");
    }
}

#[test]
fn v17_wishes_are_for_the_region_and_answered() {
    let wish = |region: &str| json!({ "region": region, "tile_sizes": [8], "origin": "me" });
    let answer = |kernel: &str, wish: Value| json!([{ "wish": wish, "kernel": kernel, "verdict": "met", "reason": "tiles of 8" }]);
    let name = sound().pointer("/scops/0/name").unwrap().as_str().unwrap().to_owned();
    let with = |wishes: Value, answers: Value| {
        let mut document = sound();
        document["scops"][0]["wishes"] = wishes;
        document["scops"][0]["mapping"]["answers"] = answers;
        faults(&document).into_iter().map(|fault| (fault.invariant, fault.message)).collect::<Vec<_>>()
    };
    assert_eq!(with(json!([wish(&name)]), answer("K0", wish(&name))), []);
    let other = with(json!([wish("other")]), answer("K0", wish("other")));
    assert!(other.len() == 1 && other[0].0 == 17 && other[0].1.contains("another region"), "{other:?}");
    let unanswered = with(json!([wish(&name)]), json!([]));
    assert!(unanswered.len() == 1 && unanswered[0].1.contains("does not answer"), "{unanswered:?}");
    let nowhere = with(json!([wish(&name)]), answer("K9", wish(&name)));
    assert!(nowhere.iter().all(|(invariant, _)| *invariant == 17) && nowhere.len() == 1, "{nowhere:?}");
    let foreign = with(json!([]), answer("K0", json!({ "layout": "box", "origin": "me" })));
    assert!(foreign.len() == 1 && foreign[0].1.contains("not for it"), "{foreign:?}");
}

#[test]
fn v16_loops_of_statements_lead_inwards() {
    let counted = |id: &str, parent: Option<&str>| {
        let mut around = json!({ "id": id, "iterator": "i", "type": "int" });
        if let Some(parent) = parent {
            around["parent"] = json!(parent);
        }
        around
    };
    violates_also(1, "/loops", json!([counted("L1", None)]), "loop number 0");
    violates(16, "/loops", json!([counted("L0", Some("L0"))]), "L0 is in L0, which does not come before it");
    violates_also(16, &format!("{ONE}/loops"), json!(["L1"]), "S0 names L1 as a loop directly in the region");
    let two = |parent| json!([counted("L0", None), counted("L1", parent)]);
    let with = |loops: Value, around: Value| {
        let mut document = changed("/loops", loops);
        document["scops"][0]["statements"][0]["loops"] = around;
        faults(&document)
    };
    assert_eq!(with(two(Some("L0")), json!(["L0"])), []);
    assert_eq!(with(two(None), json!(["L1"])), []);
    let inner = with(two(Some("L0")), json!(["L1"]));
    assert!(inner.iter().all(|fault| fault.invariant == 16) && inner.len() == 1, "{inner:?}");
    let claim = |around: &str| {
        let mut document = sound();
        document["scops"][0]["independent"] = json!([{ "loop": around, "origin": "a test" }]);
        faults(&document)
    };
    assert_eq!(claim("L0"), []);
    assert!(claim("L1").iter().any(|fault| fault.invariant == 16), "{:?}", claim("L1"));
}

#[test]
fn v18_launches_and_transfers_are_not_in_specialised_nests() {
    let apart = |nest: Value, general: Value| json!({ "node": "specialised", "guard": [">=", "n", 9], "specialised": nest, "general": general });
    let part = |path: &str| sound().pointer(&format!("/scops/0{path}")).unwrap().clone();
    let twice = |path: &str| changed(path, apart(part(path), part(path)));
    // Nests with a loop, a copy, a barrier and an instance; then nests with an instance on the host.
    assert_eq!(faults(&twice(&format!("{LAUNCH}/body"))), []);
    assert_eq!(faults(&twice(INSTANCE)), []);
    let nothing = || json!({ "node": "block", "children": [] });
    violates(18, LAUNCH, apart(nothing(), part(LAUNCH)), "launches K0 in a specialised nest");
    violates(18, LAUNCH, apart(part(LAUNCH), nothing()), "launches K0 in a specialised nest");
    let transfer = "/ast/body/children/0";
    violates(18, transfer, apart(nothing(), part(transfer)), "transfers A0 in a specialised nest");
    let mut unknown = apart(part(INSTANCE), part(INSTANCE));
    unknown["guard"] = json!([">=", "c0", 9]);
    violates(11, INSTANCE, unknown, "uses `c0` where it is not defined");
    let mut elsewhere = part(INSTANCE);
    elsewhere["iterators"] = json!([0]);
    violates(11, INSTANCE, apart(elsewhere, part(INSTANCE)), "executes S1 with 1 iterators");
}
