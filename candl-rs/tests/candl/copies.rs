//! Copies of temporaries that pass values to the right reads, and copies that do not.

use scop::{
    Access, AccessId, AccessKind, Analysed, ArrayId, CType, Expr, ExprKind, IslMap, Program, Step, from_json,
    to_json,
};
use serde_json::Value;

use crate::support::{Nest, Region, extracted, nest, statement};

fn loop_i(body: Vec<Nest>) -> Nest {
    nest("i", "0", "n", body)
}

/// `t = 0; for (j …) t += A[i][j]; B[i] = t`, after a use of `t` that keeps the variable.
fn row_sums() -> Vec<Nest> {
    let sum = nest("j", "0", "n", vec![statement("t[] = t[] | A[i, j]")]);
    vec![statement("B[0] = t[]"), loop_i(vec![statement("t[] = "), sum, statement("B[i] = t[]")])]
}

/// Returns the document of candl-rs for some nests; code after them does not read `t`.
fn analysed(nests: Vec<Nest>) -> Program<Analysed> {
    let region = Region { nests, hidden: Vec::new(), dead_after: vec!["t"] };
    candl_rs::run(extracted(&region)).unwrap().value
}

/// Returns the messages about a document after one of its scops was changed.
fn said_after(program: &Program<Analysed>, change: impl Fn(&mut Value)) -> Vec<String> {
    let mut document: Value = serde_json::from_str(&to_json(program).unwrap()).unwrap();
    change(&mut document["scops"][0]);
    let changed: Program<Analysed> = from_json(&document.to_string()).unwrap();
    assert_eq!(scop::verify::verify(&changed), [], "{}", document["scops"][0]["expansions"]["accesses"]);
    match proof::check_order(candl_rs::NAME, changed) {
        Ok(_) => Vec::new(),
        Err(messages) => messages.0.into_iter().map(|m| format!("{} {}", m.code, m.message)).collect(),
    }
}

/// Redirects an access of a statement to another subscript of the copy, in isl's notation.
fn moved(scop: &mut Value, statement: &str, to: &str) {
    let accesses = scop["expansions"]["accesses"].as_array_mut().unwrap();
    let relation = accesses.iter_mut().map(|access| &mut access["relation"]);
    let mut found = 0;
    for text in relation.filter(|text| text.as_str().unwrap().contains(&format!("{statement}["))) {
        let (before, after) = text.as_str().unwrap().split_once("-> A").unwrap();
        let (array, rest) = after.split_once('[').unwrap();
        let (_, condition) = rest.split_once(']').unwrap();
        *text = format!("{before}-> A{array}[{to}]{condition}").into();
        found += 1;
    }
    assert!(found > 0, "{statement} has no copy");
}

#[test]
fn a_read_finds_the_copy_that_the_last_write_before_it_wrote() {
    let program = analysed(row_sums());
    assert_eq!(said_after(&program, |_| {}), [""; 0]);
    // Any other copy per iteration is equally good.
    let elsewhere = |scop: &mut Value| ["S1", "S2", "S3"].iter().for_each(|s| moved(scop, s, "i0 + 7"));
    assert_eq!(said_after(&program, elsewhere), [""; 0]);
    for (statement, to) in
        [("S1", "i0 + 1"), ("S2", "i0 + i1"), ("S2", "i1"), ("S3", "0"), ("S3", "i0 - 1"), ("S3", "x")]
    {
        let said = said_after(&program, |scop| moved(scop, statement, to));
        let is_told = |message: &String| message.starts_with("E0224") && message.contains("another copy");
        assert!(said.iter().any(is_told), "{statement} in {to}: {said:?}");
    }
}

/// Either all accesses use the copies, or none does.
#[test]
fn a_read_of_the_variable_itself_misses_what_went_to_a_copy() {
    let program = analysed(row_sums());
    for statement in ["S1[", "S3["] {
        let said = said_after(&program, |scop| {
            let accesses = scop["expansions"]["accesses"].as_array_mut().unwrap();
            accesses.retain(|access| !access["relation"].as_str().unwrap().contains(statement));
        });
        assert!(said.iter().any(|message| message.contains("another copy")), "{statement} {said:?}");
    }
}

/// `t = A[i][0]; B[i] = t;` as one statement: the dependences do not show values that are passed within an instance.
#[test]
fn values_within_an_instance_count() {
    let nests = vec![statement("B[0] = t[]"), loop_i(vec![statement("t[] = A[i, 0]")])];
    let mut program = extracted(&Region { nests, hidden: Vec::new(), dead_after: vec!["t"] });
    let statement = &mut program.scops[0].model.statements[1];
    let [read, write] = [&statement.accesses[0], &statement.accesses[1]].map(Clone::clone);
    let (taken, left) = (AccessId(write.id.0 + 1), AccessId(write.id.0 + 2));
    statement.accesses.push(Access { id: taken, kind: AccessKind::Read, ..write });
    let relation = IslMap("[n] -> { S1[i] -> A1[i] }".to_owned());
    statement.accesses.push(Access {
        id: left,
        array: ArrayId(1),
        kind: AccessKind::Write,
        relation,
        ..read
    });
    let kind = ExprKind::Read { access: taken, subscripts: Vec::new() };
    let value = Expr { ctype: CType::Double, kind };
    statement.body.push(Step::Assign { access: left, subscripts: Vec::new(), value, compound: None });
    let analysed = candl_rs::run(program).unwrap().value;
    assert_eq!(said_after(&analysed, |_| {}), [""; 0]);
    for id in [write.id, taken] {
        let said = said_after(&analysed, |scop| {
            let accesses = scop["expansions"]["accesses"].as_array_mut().unwrap();
            let access = accesses.iter_mut().find(|access| access["access"] == id.to_string()).unwrap();
            access["relation"] = access["relation"].as_str().unwrap().replace("A3[i0]", "A3[i0 + 1]").into();
        });
        assert!(said.iter().any(|message| message.contains("another copy")), "{id}: {said:?}");
    }
}

/// `for (i …) { for (j …) w[j] = A[i][j]; for (j …) A[i][j] = w[j]; }`, of which code after the region reads `w`.
fn rows() -> Program<Analysed> {
    let loop_j = |text: &str| nest("j", "0", "n", vec![statement(text)]);
    let nests = vec![loop_i(vec![loop_j("w[j] = A[i, j]"), loop_j("A[i, j] = w[j]")])];
    candl_rs::run(extracted(&Region::new(nests))).unwrap().value
}

/// Replaces a part of the relations and domains of the statement that stores the last values.
fn stored(scop: &mut Value, from: &str, to: &str) {
    let added = &mut scop["expansions"]["last_values"]["statements"][0];
    let text = added.to_string();
    assert!(text.contains(from), "{text}");
    *added = serde_json::from_str(&text.replace(from, to)).unwrap();
}

#[test]
fn last_values_are_those_of_the_last_writes() {
    let program = rows();
    assert_eq!(said_after(&program, |_| {}), [""; 0]);
    for (from, to) in [("-1 + n, i0]", "-2 + n, i0]"), ("-1 + n, i0]", "0, i0]"), ("-1 + n, i0]", "i0, i0]")]
    {
        let said = said_after(&program, |scop| stored(scop, from, to));
        let is_told = |message: &String| {
            message.starts_with("E0227 array_w[") && message.contains("does not have its last value")
        };
        assert!(said.iter().any(is_told), "{from} becomes {to}: {said:?}");
    }
}

/// A region without the statement leaves what was in the variable before.
#[test]
fn every_last_value_is_stored() {
    let program = rows();
    let without = |scop: &mut Value| {
        let accesses = scop["expansions"]["last_values"]["statements"][0]["accesses"].take();
        let own = |access: &Value| accesses.as_array().unwrap().iter().any(|one| one["id"] == *access);
        let expansions = scop["expansions"].as_object_mut().unwrap();
        expansions.remove("last_values");
        expansions.remove("order");
        let dependences = scop["dependences"].as_object_mut().unwrap();
        for kind in ["flow", "anti", "output"] {
            let list = dependences[kind].as_array_mut().unwrap();
            list.retain(|one| !own(&one["source"]) && !own(&one["sink"]));
        }
        dependences["live_out"].as_array_mut().unwrap().retain(|one| !own(&one["access"]));
    };
    let said = said_after(&program, without);
    let is_told = |message: &String| message.starts_with("E0227 array_w[");
    assert!(said.iter().any(is_told), "{said:?}");
}

/// The second half of the elements is not stored.
#[test]
fn last_values_are_stored_for_all_elements() {
    let program = rows();
    let half = |scop: &mut Value| {
        stored(scop, "0 <= j < n", "0 <= j and 2j < n");
        let order = scop["expansions"]["order"].to_string();
        let (before, after) = order.split_once("S2[j] : 0 <= j < n").unwrap();
        let order = format!("{before}S2[j] : 0 <= j and 2j < n{after}");
        scop["expansions"]["order"] = serde_json::from_str(&order).unwrap();
    };
    let said = said_after(&program, half);
    assert!(said.iter().any(|message| message.starts_with("E0227 array_w[")), "{said:?}");
}
