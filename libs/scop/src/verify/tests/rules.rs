//! Rules whose violation needs several changes to a document.

use serde_json::{Value, json};

use crate::ast::AstExpr;

use super::{DEVICE, KERNEL, LAUNCH, faults, sound};

/// Returns an expression of the loop program in its JSON form.
fn tree(text: &str) -> Value {
    json!(text.parse::<AstExpr>().unwrap())
}

/// Asserts that a document with some changes is sound, or violates an invariant with a message that contains
/// these words.
#[track_caller]
fn expect(changes: &[(&str, Value)], said: Option<(u32, &str)>) {
    let mut document = sound();
    for (path, value) in changes {
        let path =
            if path.starts_with("/functions") { (*path).to_owned() } else { format!("/scops/0{path}") };
        let (parent, key) = path.rsplit_once('/').unwrap();
        let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("{path}"));
        match parent {
            Value::Array(values) => values[key.parse::<usize>().unwrap()] = value.clone(),
            other => other[key] = value.clone(),
        }
    }
    let found = faults(&document);
    match said {
        None => assert_eq!(found, [], "{changes:?}"),
        Some((invariant, words)) => {
            let is_said = found.iter().any(|f| f.invariant == invariant && f.message.contains(words));
            assert!(is_said, "V{invariant} {words}: {changes:?}: {found:?}");
        }
    }
}

const BODY: &str = "/statements/1/body";
const ACCESS: &str = "/statements/1/accesses/0";

fn number(ctype: &str) -> Value {
    let (kind, value) = if ctype == "int" { ("integer", "1") } else { ("floating", "1.5") };
    json!({ "type": ctype, "kind": kind, "value": value })
}

fn assign() -> Value {
    json!({ "step": "assign", "access": "a3", "value": number("double") })
}

fn when(then: &[Value], otherwise: &[Value]) -> Value {
    json!({ "step": "if", "condition": number("int"), "then": then, "otherwise": otherwise })
}

fn define(local: &str, name: &str) -> Value {
    json!({ "step": "define", "local": local, "name": name, "type": "double", "value": number("double") })
}

fn set(local: &str, ctype: &str) -> Value {
    json!({ "step": "set", "local": local, "value": number(ctype) })
}

/// What is executed under a condition is not certain. What is in both branches is neither certain nor indirect.
#[test]
fn v6_control_makes_accesses_uncertain() {
    let repeat = json!({ "step": "while", "condition": number("int"), "body": [assign()] });
    let counted = |next: Value| {
        let local = json!({ "type": "int", "kind": "local", "local": "v0" });
        json!([{
            "step": "for", "local": "v0", "name": "k", "type": "int", "first": number("int"),
            "condition": local, "next": next, "body": [assign()]
        }])
    };
    let certain = Some((6, "under a condition, but a3 is certain"));
    for (body, said) in [
        (json!([assign()]), None),
        (json!([when(&[assign()], &[])]), certain),
        (json!([when(&[], &[assign()])]), certain),
        (json!([repeat]), certain),
        (counted(number("int")), certain),
    ] {
        expect(&[(BODY, body.clone())], said);
        expect(&[(BODY, body), (&format!("{ACCESS}/certainty"), json!("may"))], None);
    }
    let may = (format!("{ACCESS}/certainty"), json!("may"));
    expect(&[(BODY, counted(number("double"))), (&may.0, may.1.clone())], Some((6, "v0 of type int")));
    let both = json!([when(&[assign()], &[assign()])]);
    let in_both = (format!("{ACCESS}/in_both_branches"), json!(true));
    expect(&[(BODY, both.clone()), (&may.0, may.1.clone()), (&in_both.0, in_both.1.clone())], None);
    let wrong = Some((6, "said to be in both branches"));
    expect(&[(BODY, json!([assign()])), (&in_both.0, in_both.1.clone())], wrong);
    let indirect = (format!("{ACCESS}/indirect"), json!(true));
    expect(&[(BODY, both), (&may.0, may.1), (&in_both.0, in_both.1), (&indirect.0, indirect.1)], wrong);
}

/// An indirect access has as many computed subscripts as its array has dimensions; any other access has none.
#[test]
fn v6_indirect_accesses_have_subscripts() {
    let with = |subscripts: &[Value]| {
        let mut assign = assign();
        assign["subscripts"] = json!(subscripts);
        (BODY, json!([assign]))
    };
    let index = "/ast/body/children/2/accesses/0/index";
    let changes = |subscripts: &[Value], certainty: &str, index_of: Value| {
        [
            with(subscripts),
            ("/statements/1/accesses/0/indirect", json!(true)),
            ("/statements/1/accesses/0/certainty", json!(certainty)),
            (index, index_of),
        ]
    };
    expect(&changes(&[number("int")], "may", json!([])), None);
    expect(&changes(&[number("int")], "may", json!([0])), Some((11, "which is indirect")));
    expect(&changes(&[number("int")], "must", json!([])), Some((6, "but a3 is certain")));
    expect(&changes(&[], "may", json!([])), Some((6, "with 0 subscripts instead of 1")));
    expect(&changes(&[number("double")], "may", json!([])), Some((6, "not an integer")));
    expect(&[with(&[number("int")])], Some((6, "with 1 subscripts instead of 0")));
}

/// Temporaries are visible until the end of the steps around their definition.
#[test]
fn v6_temporaries_have_scopes_and_types() {
    let body = |steps: &[Value]| json!([steps, &[assign()]].concat());
    for (steps, said) in [
        (vec![define("v0", "u"), set("v0", "double")], None),
        (vec![set("v0", "double")], Some((6, "sets v0 before"))),
        (vec![define("v0", "u"), set("v0", "int")], Some((6, "v0 of type double with a value of type int"))),
        (vec![define("v1", "u")], Some((6, "out of order"))),
        (vec![when(&[define("v0", "u"), set("v0", "double")], &[])], None),
        (vec![when(&[define("v0", "u")], &[set("v0", "double")])], Some((6, "sets v0 before"))),
        (vec![when(&[define("v0", "u")], &[]), set("v0", "double")], Some((6, "sets v0 before"))),
        (vec![json!({ "step": "return", "value": number("double") })], Some((6, "returns a value"))),
    ] {
        expect(&[(BODY, body(&steps))], said);
    }
}

#[test]
fn v6_functions_end_with_a_value() {
    let back = |ctype: &str| json!({ "step": "return", "value": number(ctype) });
    let with = |body: Value| {
        json!([{
            "name": "half", "type": "double", "parameters": [{ "name": "v", "type": "double" }],
            "body": body, "range": { "start": 0, "end": 1, "line": 1, "column": 1 }
        }])
    };
    let open = Some((6, "may end without a value"));
    for (body, said) in [
        (json!([back("double")]), None),
        (json!([]), open),
        (json!([back("int")]), Some((6, "its value of type double"))),
        (json!([when(&[back("double")], &[])]), open),
        (json!([when(&[], &[back("double")])]), open),
        (json!([when(&[back("double")], &[back("double")])]), None),
        (json!([when(&[back("double")], &[]), back("double")]), None),
        (json!([set("v0", "double"), back("double")]), None),
        (json!([assign(), back("double")]), Some((6, "not one of its accesses"))),
        (json!([set("v1", "double"), back("double")]), Some((6, "sets v1 before"))),
    ] {
        let mut document = sound();
        document["functions"] = with(body.clone());
        let found = faults(&document);
        match said {
            None => assert_eq!(found, [], "{body}"),
            Some((invariant, words)) => assert!(
                found.iter().any(|fault| fault.invariant == invariant && fault.message.contains(words)),
                "{body}: {found:?}"
            ),
        }
    }
}

/// Returns the function `half` with these steps before its end, and `pick`, which takes two rows of three
/// numbers.
fn with_arrays(steps: &[Value]) -> Value {
    let range = json!({ "start": 0, "end": 1, "line": 1, "column": 1 });
    let function = |name: &str, parameters: Value, body: Value| {
        json!({
            "name": name, "type": "double", "parameters": parameters, "body": body, "range": range
        })
    };
    let rows = json!([{ "name": "m", "type": "double", "extents": [2, 3] }]);
    let back = json!({ "step": "return", "value": number("double") });
    let half = json!([{ "name": "v", "type": "double" }]);
    json!([
        function("pick", rows, json!([back])),
        function("half", half, json!([steps, std::slice::from_ref(&back)].concat())),
    ])
}

fn define_array(extents: &[u64], values: usize) -> Value {
    let values = vec![number("double"); values];
    json!({
        "step": "define_array", "local": "v1", "name": "t", "type": "double", "extents": extents, "values": values
    })
}

fn part(kind: &str, local: &str, subscripts: usize) -> Value {
    let subscripts = vec![number("int"); subscripts];
    json!({ "type": "double", "kind": kind, "local": local, "subscripts": subscripts })
}

fn set_element(local: &str, subscripts: usize, ctype: &str) -> Value {
    let subscripts = vec![number("int"); subscripts];
    json!({ "step": "set_element", "local": local, "subscripts": subscripts, "value": number(ctype) })
}

/// Arrays of a body are passed as a whole and otherwise used by element, and only their owner changes them.
#[test]
fn v6_arrays_of_bodies_are_used_as_such() {
    let set = |value: Value| json!({ "step": "set", "local": "v0", "value": value });
    let pick = |argument: Value| {
        set(json!({ "type": "double", "kind": "call", "function": "pick", "arguments": [argument] }))
    };
    let sqrt = |argument: Value| {
        set(json!({ "type": "double", "kind": "call", "function": "sqrt", "arguments": [argument] }))
    };
    let two = || define_array(&[2, 3], 6);
    let mut real = set_element("v1", 2, "double");
    real["subscripts"][1] = number("double");
    let wrong = Some("calls `pick` with arguments that do not match its parameters");
    for (steps, said) in [
        (vec![two(), set(part("element", "v1", 2)), set_element("v1", 2, "double")], None),
        (vec![two(), pick(part("array", "v1", 0))], None),
        (vec![define_array(&[4, 3], 0), pick(part("array", "v1", 0))], None),
        (vec![define_array(&[5, 2, 3], 1), pick(part("array", "v1", 1))], None),
        (vec![define_array(&[1, 3], 0), pick(part("array", "v1", 0))], wrong),
        (vec![define_array(&[2, 4], 0), pick(part("array", "v1", 0))], wrong),
        (vec![two(), pick(part("array", "v1", 1))], wrong),
        (vec![two(), pick(part("array", "v1", 2))], wrong),
        (vec![two(), pick(part("element", "v1", 2))], wrong),
        (vec![two(), sqrt(part("array", "v1", 0))], Some("passes an array to `sqrt`")),
        (vec![two(), set(part("array", "v1", 0))], Some("uses an array as a number")),
        (
            vec![two(), set(json!({ "type": "double", "kind": "local", "local": "v1" }))],
            Some("v1, which is not defined"),
        ),
        (vec![two(), set(part("element", "v1", 1))], Some("uses v1 with 1 subscripts instead of 2")),
        (vec![two(), set_element("v1", 3, "double")], Some("uses v1 with 3 subscripts instead of 2")),
        (vec![two(), real], Some("a subscript that is not an integer")),
        (vec![two(), set_element("v1", 2, "int")], Some("an element of v1 of type double")),
        (vec![set_element("v1", 2, "double")], Some("uses v1 as an array, but it is not one there")),
        (vec![set(part("element", "v0", 1))], Some("uses v0 as an array, but it is not one there")),
        (vec![two(), json!({ "step": "set", "local": "v1", "value": number("double") })], Some("as a whole")),
        (vec![define_array(&[2, 3], 7)], Some("gives v1 7 values, but it holds 6")),
        (vec![define_array(&[], 0)], Some("without dimensions")),
        (vec![define_array(&[2, 0], 0)], Some("without elements")),
        (vec![define_array(&[1 << 40, 1 << 40], 0)], Some("or with more than")),
    ] {
        let mut document = sound();
        document["functions"] = with_arrays(&steps);
        let found = faults(&document);
        match said {
            None => assert_eq!(found, [], "{steps:?}"),
            Some(words) => assert!(
                found.iter().any(|fault| fault.invariant == 6 && fault.message.contains(words)),
                "{words}: {found:?}"
            ),
        }
    }
    let mut document = sound();
    document["functions"] = with_arrays(&[]);
    document["functions"][0]["body"].as_array_mut().unwrap().insert(0, set_element("v0", 2, "double"));
    assert!(
        faults(&document).iter().any(|fault| fault.message.contains("changes v0, an array of its caller"))
    );
}

#[test]
fn v8_reductions_and_waived_dependences_are_those_of_the_model() {
    let reduction = |read: &str| {
        json!([{ "statement": "S0", "read": read, "write": "a2", "operator": "+",
                 "relation": "{ S0[i] -> S0[i + 1] }" }])
    };
    expect(&[("/dependences/reductions", reduction("a1"))], None);
    expect(&[("/dependences/reductions", reduction("a0"))], Some((8, "another array than it writes")));
    let claim = ("/independent", json!([{ "loop": "L0", "origin": "a test" }]));
    let waived = |kind: &str, source: &str| {
        json!([{ "loop": "L0", "kind": kind, "source": source, "sink": "a2",
                 "relation": "{ S0[i] -> S0[i + 1] }" }])
    };
    let dependence = |kind, source| ("/dependences/waived", waived(kind, source));
    expect(&[claim.clone(), dependence("output", "a2")], None);
    expect(&[dependence("output", "a2")], Some((8, "about which the program claims nothing")));
    expect(&[claim.clone(), dependence("anti", "a1")], None);
    expect(&[claim.clone(), dependence("anti", "a2")], Some((8, "does not read")));
    expect(&[claim, dependence("flow", "a2")], Some((8, "does not read")));
}

/// Updates of integers may be done in any order if the old value has no other use; no dependence may then order
/// them.
#[test]
fn v19_updates_in_any_order_are_atomic_operations() {
    let int = |kind: &str, rest: Value| {
        let mut expr = json!({ "type": "int", "kind": kind });
        expr.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        expr
    };
    let read = |access: &str| int("read", json!({ "access": access }));
    let sum = |operator: &str| {
        let value = int("binary", json!({ "operator": operator, "left": read("a1"), "right": read("a0") }));
        json!([{ "step": "assign", "access": "a2", "value": value }])
    };
    let one = json!([{ "step": "assign", "access": "a3", "value": number("int") }]);
    let reduction = |operator: &str| {
        json!([{ "statement": "S0", "read": "a1", "write": "a2", "operator": operator, "relaxed": true,
                 "relation": "{ S0[i] -> S0[i + 1] }" }])
    };
    let of_integers = |operator: &str| {
        [
            ("/arrays/0/type", json!("int")),
            ("/arrays/1/type", json!("int")),
            ("/statements/0/body", sum(operator)),
            (BODY, one.clone()),
            ("/dependences/reductions", reduction(operator)),
        ]
    };
    expect(&of_integers("+"), None);
    let no_operation = Some((19, "are not atomic operations"));
    expect(&of_integers("*"), no_operation);
    expect(&[("/dependences/reductions", reduction("+"))], no_operation);
    let kept = json!([{ "source": "a2", "sink": "a2", "relation": "{ S0[i] -> S0[i + 1] }" }]);
    let kept = [&of_integers("+")[..], &[("/dependences/output", kept)]].concat();
    expect(&kept, Some((19, "dependences order them")));
}

#[test]
fn v9_grids_have_axes_in_order() {
    let axis = |axis: &str| json!({ "axis": axis, "lower": "{ [(0)] }", "extent": "{ [(1)] }" });
    let grid = format!("{KERNEL}/grid");
    let launch = |count: usize| {
        let (zeros, ones) = (vec![0; count], vec![1; count]);
        [(format!("{LAUNCH}/lower"), json!(zeros)), (format!("{LAUNCH}/extent"), json!(ones))]
    };
    let with = |axes: &[&str]| {
        let axes: Vec<Value> = axes.iter().map(|name| axis(name)).collect();
        let [lower, extent] = launch(axes.len());
        [(grid.clone(), json!(axes)), lower, extent]
    };
    let said = |axes: &[&str], said| {
        let changes = with(axes);
        let changes: Vec<(&str, Value)> =
            changes.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
        expect(&changes, said);
    };
    said(&["x"], None);
    said(&["x", "y"], None);
    said(&["y", "x"], Some((9, "the grid of K0 is not x, y, z")));
    said(&["x", "z"], Some((9, "the grid of K0 is not x, y, z")));
}

/// Loops that cudagen prints terminate, and leaves are only where they may be.
#[test]
fn v11_loops_end_and_leaves_are_where_they_may_be() {
    let in_kernel = format!("{LAUNCH}/body");
    let no_end = Some((11, "with no fixed end"));
    for (key, value, said) in [
        ("increment", "0", no_end),
        ("increment", "-32", no_end),
        ("increment", "n", no_end),
        ("condition", "c0 > n", no_end),
        ("condition", "n > c0", None),
        ("condition", "n < c0", no_end),
        ("condition", "c0 <= n and c0 < 100", None),
        ("condition", "c0 <= n and n > 5", no_end),
        ("condition", "c0 <= n or c0 < 100", no_end),
        ("condition", "c0 <= n + c0", no_end),
    ] {
        expect(&[(&format!("{in_kernel}/{key}"), tree(value))], said);
    }
    // A loop that only names a value needs no end.
    let once = format!("{in_kernel}/degenerate");
    expect(&[(&once, json!(true)), (&format!("{in_kernel}/condition"), json!(1))], None);
    let outside = "/ast/body/children/2";
    let copy = json!({ "node": "copy", "buffer": "B0", "into_buffer": true, "element": [0], "place": [0] });
    expect(&[(outside, copy)], Some((11, "a copy outside of kernels")));
    expect(
        &[(outside, json!({ "node": "element", "index": [0] }))],
        Some((11, "an array that is not packed")),
    );
    let inside = format!("{in_kernel}/body/children/1");
    let transfer =
        |part: Value| json!({ "node": "transfer", "array": "A0", "to_device": true, "part": part });
    let part = |lower: Value| json!({ "lower": lower, "extent": [1] });
    expect(&[(&inside, transfer(part(json!([0]))))], Some((11, "transfers A0 inside a kernel")));
    let launch = json!({ "node": "kernel", "kernel": "K0", "lower": [0], "extent": [1], "body": { "node": "barrier" } });
    expect(&[(&inside, launch)], Some((11, "launches K0 inside a kernel")));
    let first = "/ast/body/children/0";
    expect(&[(first, transfer(part(json!([0]))))], None);
    expect(&[(first, transfer(part(json!([]))))], Some((11, "has other dimensions")));
    expect(&[(first, transfer(part(json!(["m"]))))], Some((11, "uses `m`")));
}

/// The elements of an array are packed by loops over them, if they have numbers.
#[test]
fn v10_and_v11_numbered_elements_are_packed() {
    let all = |leaf: Value| json!({ "node": "for", "iterator": "c7", "init": 0, "condition": ["<", "c7", "n"], "increment": 1, "degenerate": false, "body": leaf });
    let element = |index: Value| all(json!({ "node": "element", "index": index }));
    let packing = |subscripts: Value, position: &str, leaf: Value| json!({ "subscripts": subscripts, "position": tree(position), "count": "n", "to_device": leaf, "from_device": { "node": "block", "children": [] } });
    let numbering = |position: &str, count: &str| json!({ "position": position, "count": count });
    let numbers = || numbering("[n] -> { A0[x] -> x : 0 <= x < n }", "[n] -> { n }");
    let (placed, elements) = (format!("{DEVICE}/numbering"), format!("{DEVICE}/numbered"));
    let numbered = || json!("[n] -> { A0[x] : 0 <= x < n }");
    let with = |numbering: Value, numbered: Value, packing: Value, said| {
        let nothing = (format!("{DEVICE}/copy_out"), json!("[n] -> { A0[x] : false }"));
        let changes = [
            (placed.as_str(), numbering),
            (&elements, numbered),
            ("/ast/arrays/0/packing", packing),
            (&nothing.0, nothing.1),
        ];
        expect(&changes, said);
    };
    let good = || packing(json!(["e0"]), "e0", element(json!(["c7"])));
    with(numbers(), numbered(), good(), None);
    with(numbers(), json!("[n] -> { A0[x] : 1 <= x < n }"), good(), Some((10, "without a number")));
    with(numbers(), Value::Null, good(), Some((10, "a numbering without elements, or the reverse")));
    with(Value::Null, Value::Null, good(), Some((11, "which has no numbering")));
    let other = numbering("[n] -> { A1[x] -> x : 0 <= x < n }", "[n] -> { n }");
    with(other, numbered(), good(), Some((10, "a function of something other")));
    let other = numbering("[n] -> { A0[x] -> x : 0 <= x < n }", "{ A0[x] -> x }");
    with(other, numbered(), good(), Some((10, "a function of something other")));
    for (packing, words) in [
        (packing(json!([]), "0", element(json!(["c7"]))), "with 0 subscripts"),
        (packing(json!(["n"]), "0", element(json!(["c7"]))), "which is taken"),
        (packing(json!(["e0"]), "e1", element(json!(["c7"]))), "uses `e1`"),
        (packing(json!(["e0"]), "e0", element(json!(["e0"]))), "uses `e0`"),
        (packing(json!(["e0"]), "e0", element(json!([]))), "an array that is not packed"),
        (packing(json!(["e0"]), "e0", all(json!({ "node": "barrier" }))), "something else than elements"),
    ] {
        with(numbers(), numbered(), packing, Some((11, words)));
    }
    let mut unpacked = good();
    unpacked["from_device"] = element(json!(["e0"]));
    with(numbers(), numbered(), unpacked, Some((11, "uses `e0`")));
}

/// Arrays in constant memory, transferred in parts, or resident, are plain slices.
#[test]
fn v10_some_arrays_are_plain_slices() {
    let of_size = |size: i64| {
        vec![
            ("/arrays/0/extents/0", json!({ "c": "9", "value": "{ [(9)] }" })),
            ("/placement/device/0/extent", json!(format!("{{ [({size})] }}"))),
            ("/placement/device/0/memory", json!("argument")),
        ]
    };
    let and = |changes: &[(&'static str, Value)], more: &[(&'static str, Value)]| [changes, more].concat();
    expect(&of_size(9), None);
    expect(&of_size(4095), None);
    expect(&of_size(4096), Some((10, "which are too many")));
    let variable = ("/placement/device/0/memory", json!("constant"));
    expect(&and(&of_size(8192), std::slice::from_ref(&variable)), None);
    expect(&and(&of_size(8193), &[variable]), Some((10, "which are too many")));
    expect(&of_size(-1), Some((10, "has no constant size and place")));
    let moved = ("/placement/device/0/lower", json!("[n] -> { [(n)] }"));
    expect(&and(&of_size(9), &[moved]), Some((10, "has no constant size and place")));
    let origin = ("/placement/device/0/origin", json!(["{ [(0)] }"]));
    expect(&and(&of_size(9), &[origin]), Some((10, "is not an array of the caller")));
    let part = json!([{ "lower": ["{ [(0)] }"], "extent": ["{ [(1)] }"] }]);
    let in_parts = ("/placement/device/0/parts", part);
    expect(std::slice::from_ref(&in_parts), None);
    expect(&and(&of_size(9), std::slice::from_ref(&in_parts)), Some((10, "is not in slices on the device")));
    let boxes = |lower: Value, extent: &str| json!({ "to_device": [{ "lower": [lower], "extent": [extent] }], "from_device": [] });
    let boxed = [
        ("/placement/device/0/boxes", boxes(json!("{ [(0)] }"), "[n] -> { [(n)] }")),
        ("/ast/arrays/0/boxes", boxes(json!(0), "n")),
    ];
    expect(&boxed, None);
    expect(&and(&boxed, &[in_parts]), Some((10, "is not in slices on the device")));
    let flat = ("/placement/device/0/parts", json!([{ "lower": [], "extent": ["{ [(1)] }"] }]));
    expect(&[flat], Some((10, "a part of A0 has other dimensions")));
    let third = json!([{ "lower": ["[n] -> { [((n)/3)] }"], "extent": ["{ [(1)] }"] }]);
    expect(&[("/placement/device/0/parts", third)], Some((10, "C would round it")));
    let private = ("/placement/kernels/0/buffers/0/memory", json!("private"));
    let ring = ("/placement/kernels/0/buffers/0/layout", json!({ "layout": "ring" }));
    expect(std::slice::from_ref(&private), None);
    expect(&[private, ring], Some((10, "is arranged as only shared memory can be")));
}

/// An access is expanded once, to an array that is like that of the source and is visible only in the region.
#[test]
fn v15_expansions_are_like_what_they_expand() {
    // The first statement keeps its value in an array of the region, which gets a copy for each iteration.
    let mut array = sound()["scops"][0]["arrays"][1].clone();
    (array["id"], array["name"], array["expression"]) = (json!("A2"), json!("t"), json!(""));
    array["visible"] = json!(false);
    let mut own = array.clone();
    own["id"] = json!("A3");
    own["name"] = json!("t_");
    own["scope_depth"] = json!(1);
    own["extents"] = json!([{}, array["extents"][0]]);
    let dimension = |array: &Value| array["extents"].as_array().unwrap().len();
    assert_eq!((dimension(&array), dimension(&own)), (1, 2));
    let expanded = |access: &str, array: &str, relation: &str| json!({ "access": access, "array": array, "relation": relation });
    let arrays = |own: &Value| json!([own]);
    let with = |expansions: Value| {
        let mut document = sound();
        document["scops"][0]["expansions"] = expansions;
        let found = faults(&document);
        found.into_iter().filter(|fault| fault.invariant == 15).map(|fault| fault.message).collect::<Vec<_>>()
    };
    let one = |own: &Value, accesses: Value| with(json!({ "arrays": arrays(own), "accesses": accesses }));
    let mut next = own.clone();
    next["id"] = json!("A2");
    let relation = "{ S0[i] -> A2[i, i] }";
    assert_eq!(one(&next, json!([expanded("a1", "A2", relation)])), [""; 0]);
    for (own, accesses, words) in [
        (own.clone(), json!([expanded("a1", "A3", "{ S0[i] -> A3[i, i] }")]), "out of order"),
        (
            next.clone(),
            json!([expanded("a1", "A2", relation), expanded("a1", "A2", relation)]),
            "expanded twice",
        ),
        (next.clone(), json!([expanded("a7", "A2", relation)]), "does not exist"),
        (next.clone(), json!([expanded("a1", "A5", relation)]), "does not exist"),
        (next.clone(), json!([expanded("a1", "A2", "{ S0[i] -> A2[i, i + 1] }")]), "other subscripts"),
        (next.clone(), json!([expanded("a1", "A2", "{ S0[i] -> A2[i + 1, i] }")]), ""),
        (next.clone(), json!([expanded("a0", "A2", relation)]), "with more dimensions"),
    ] {
        let said = one(&own, accesses);
        let is_said = said.iter().any(|message| message.contains(words));
        assert!(if words.is_empty() { said.is_empty() } else { is_said }, "{words}: {said:?}");
    }
    for (key, value, words) in [
        ("visible", json!(true), "seen outside"),
        ("expression", json!("y"), "seen outside"),
        ("type", json!("float"), "with more dimensions"),
    ] {
        let mut changed = next.clone();
        changed[key] = value;
        let said = one(&changed, json!([expanded("a1", "A2", relation)]));
        assert!(said.iter().any(|message| message.contains(words)), "{key}: {said:?}");
    }
    // An array that replaces another one takes all accesses to it.
    let mut whole = next;
    whole["id"] = json!("A0");
    whole["extents"] = json!([{}, {}]);
    let all = json!([expanded("a0", "A0", "{ S0[i] -> A0[i, i] }")]);
    assert_eq!(one(&whole, all), [""; 0]);
    let said = one(&whole, json!([]));
    assert!(said.iter().any(|message| message.contains("whose place is taken")), "{said:?}");
}

/// What expansions add stores elements of copies, and nothing else.
#[test]
fn v15_added_statements_store_copies() {
    let plain = sound();
    let scop = &plain["scops"][0];
    let mut copies = scop["arrays"][1].clone();
    let next = |list: &str| scop[list].as_array().unwrap().len();
    let accesses: usize = scop["statements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["accesses"].as_array().unwrap().len())
        .sum();
    let array = format!("A{}", next("arrays"));
    (copies["id"], copies["name"], copies["expression"]) = (json!(array), json!("y_"), json!(""));
    (copies["visible"], copies["scope_depth"]) = (json!(false), json!(1));
    copies["extents"] = json!([{}, copies["extents"][0]]);
    copies.as_object_mut().unwrap().remove("memory");
    let (statement, around) = (format!("S{}", next("statements")), format!("L{}", next("loops")));
    let (write, read) = (format!("a{accesses}"), format!("a{}", accesses + 1));
    let access = |id: &str, array: &str, kind: &str, relation: String| json!({ "id": id, "array": array, "kind": kind, "relation": relation });
    let added = json!({
        "id": statement, "loops": [around], "domain": format!("[n] -> {{ {statement}[i] : 0 <= i < n }}"),
        "accesses": [
            access(&write, "A1", "write", format!("{{ {statement}[i] -> A1[i] }}")),
            access(&read, &array, "read", format!("[n] -> {{ {statement}[i] -> {array}[n - 1, i] }}")),
        ],
        "body": [{ "step": "assign", "access": write, "value": { "type": copies["type"], "kind": "read", "access": read } }],
        "range": scop["statements"][0]["range"], "text": "y[i] = y_[n - 1][i];",
    });
    let own = json!({ "id": around, "iterator": "i", "type": "int" });
    let said = |change: &dyn Fn(&mut Value)| {
        let mut added = added.clone();
        change(&mut added);
        let mut document = sound();
        document["scops"][0]["expansions"] = json!({
            "arrays": [copies], "accesses": [], "last_values": { "loops": [own], "statements": [added] },
        });
        let found = faults(&document);
        found.into_iter().filter(|fault| fault.invariant == 15).map(|fault| fault.message).collect::<Vec<_>>()
    };
    assert_eq!(said(&|_| {}), [""; 0]);
    let relation = |access: usize, text: String| {
        move |added: &mut Value| added["accesses"][access]["relation"] = json!(text)
    };
    let elsewhere = format!("[n] -> {{ {statement}[i] -> {array}[n - 1, i + 1] }}");
    let shifted = format!("{{ {statement}[i] -> A1[i + 1] }}");
    type Change<'a> = &'a dyn Fn(&mut Value);
    let changes: [(Change<'_>, &str); 5] = [
        (&relation(1, elsewhere), "in another element"),
        (&relation(0, shifted), "are not the elements"),
        (&|added| added["loops"] = json!(["L0"]), "a loop of the source"),
        (&|added| added["accesses"][1]["certainty"] = json!("may"), "does more than store"),
        (&|added| added["accesses"][1]["array"] = json!("A0"), "moves elements between A1 and A0"),
    ];
    for (change, words) in changes {
        let said = said(change);
        assert!(said.iter().any(|message| message.contains(words)), "{words}: {said:?}");
    }
}
