//! The variables that become arrays with an element for each iteration.

use crate::support::{Nest, Region, extracted, leading, nest, statement};
use scop::Model;

/// Returns the arrays with leading loop subscripts, written as `t[i]`, in document order.
fn copies(model: &Model) -> Vec<String> {
    let mut found = Vec::new();
    for array in model.arrays.iter().filter(|array| array.scope_depth > 0) {
        let users = model.statements.iter().flat_map(|s| s.accesses.iter().map(move |access| (s, access)));
        let mut users = users.filter(|(_, access)| access.array == array.id);
        let (statement, access) = users.next().unwrap();
        let loops = leading(&access.relation.0, model, array.id);
        let names: Vec<&str> =
            loops.iter().map(|&k| model.loops_around(statement).unwrap()[k].iterator.as_str()).collect();
        assert!(!array.visible && array.expression.is_empty(), "{array:?}");
        found.push(format!("{}[{}]", array.name.trim_start_matches("array_"), names.join(", ")));
    }
    found
}

/// Analyses nests with the temporaries `t` and `w`, which are not read after them, and compares the resulting
/// arrays.
fn expect(nests: Vec<Nest>, expected: &[&str]) {
    let region = Region { nests, hidden: Vec::new(), dead_after: vec!["t", "w"] };
    let analysed = candl_rs::run(extracted(&region)).unwrap().value;
    assert_eq!(scop::verify::verify(&analysed), [], "{region:#?}");
    assert_eq!(copies(&analysed.scops[0].model), expected, "{region:#?}");
}

fn loop_i(body: Vec<Nest>) -> Nest {
    nest("i", "0", "n", body)
}

fn loop_j(body: Vec<Nest>) -> Nest {
    nest("j", "0", "n", body)
}

/// `t = 0; for (j …) t += A[i][j]; B[i] = t`
fn row_sum() -> Vec<Nest> {
    vec![statement("t[] = "), loop_j(vec![statement("t[] = t[] | A[i, j]")]), statement("B[i] = t[]")]
}

#[test]
fn a_scalar_gets_a_copy_for_each_iteration_that_could_be_parallel() {
    expect(vec![loop_i(row_sum())], &["t[i]"]);
    let inner = vec![statement("t[] = A[i, j]"), statement("A[i, j] = t[]")];
    expect(vec![loop_i(vec![loop_j(inner)])], &["t[i, j]"]);
}

#[test]
fn a_loop_that_is_sequential_anyway_gets_no_copies_if_others_do() {
    let time = |body| vec![nest("k", "0", "n", vec![loop_i(body)])];
    expect(time(vec![statement("t[] = B[i]"), statement("B[i] = t[]")]), &["t[i]"]);
    let smooth = vec![statement("t[] = A[i - 1, j] | A[i, j - 1]"), statement("A[i, j] = t[]")];
    expect(vec![loop_i(vec![loop_j(smooth)])], &["t[i, j]"]);
}

/// Where every loop is sequential, a scalar gets as many dimensions as the arrays have, for the innermost loops.
#[test]
fn a_scalar_is_expanded_over_inner_loops_if_none_could_be_parallel() {
    let smooth = |above: &str, left: &str, element: &str| {
        let sum = statement(&format!("t[] = {above} | {left} | {element}"));
        vec![sum, statement(&format!("{element} = t[]"))]
    };
    let time = |body| vec![nest("k", "0", "n", vec![loop_i(body)])];
    expect(time(smooth("B[i - 1]", "B[i + 1]", "B[i]")), &["t[i]"]);
    let plane = vec![loop_j(smooth("A[i - 1, j]", "A[i, j - 1]", "A[i, j]"))];
    expect(time(plane), &["t[i, j]"]);
}

#[test]
fn uses_that_have_nothing_to_do_with_each_other_become_several_arrays() {
    let columns = loop_j(vec![statement("t[] = A[0, j]"), statement("A[0, j] = t[]")]);
    expect(vec![loop_i(row_sum()), columns], &["t[i]", "t_[j]"]);
}

#[test]
fn values_that_cross_iterations_or_the_border_of_the_region_keep_a_variable_as_it_is() {
    for body in [
        vec![statement("B[i] = t[]"), statement("t[] = A[i, 0]")],
        vec![statement("t[] = t[] | A[i, 0]"), statement("B[i] = t[]")],
    ] {
        expect(vec![loop_i(body)], &[]);
    }
    expect(vec![loop_i(row_sum()), statement("B[0] = t[]")], &[]);
}

#[test]
fn an_array_gets_copies_as_far_as_memory_allows() {
    let fill = loop_j(vec![statement("w[j] = A[i, j]")]);
    let take = loop_j(vec![statement("A[i, j] = w[j]")]);
    expect(vec![loop_i(vec![fill.clone(), take.clone()])], &["w[i]"]);
    expect(vec![nest("k", "0", "n", vec![loop_i(vec![fill, take])])], &["w[i]"]);
    let fill = loop_j(vec![statement("w[j] = B[j]")]);
    expect(vec![loop_i(vec![fill, loop_j(vec![statement("B[i] = w[j]")])])], &[]);
}

/// Returns the copies of arrays in a region that hides `t` and `w`, after a change of the document.
fn copies_after(nests: Vec<Nest>, change: impl Fn(&mut Model)) -> Vec<String> {
    let region = Region { nests, hidden: vec!["t", "w"], dead_after: Vec::new() };
    let mut program = extracted(&region);
    change(&mut program.scops[0].model);
    copies(&candl_rs::run(program).unwrap().value.scops[0].model)
}

fn array_named<'m>(model: &'m mut Model, name: &str) -> &'m mut scop::Array {
    model.arrays.iter_mut().find(|array| array.expression == name).unwrap()
}

/// An array with computed subscripts remains as it is.
#[test]
fn what_cannot_be_rewritten_gets_no_copies() {
    let nests = || {
        let fill = loop_j(vec![statement("w[j] = A[i, j]")]);
        vec![loop_i(vec![fill, loop_j(vec![statement("A[i, j] = w[j]")])])]
    };
    assert_eq!(copies_after(nests(), |_| {}), ["w[i]"]);
    let indirect = |model: &mut Model| {
        let write = &mut model.statements[0].accesses[1];
        (write.indirect, write.certainty) = (true, scop::Certainty::May);
    };
    assert_eq!(copies_after(nests(), indirect), [""; 0]);
    // The region uses no more than it writes.
    let unknown = |model: &mut Model| array_named(model, "w").extents[0].value = None;
    assert_eq!(copies_after(nests(), unknown), ["w[i]"]);
}

/// An array of up to 32 elements is treated like a scalar.
#[test]
fn small_arrays_get_copies_as_scalars_do() {
    for (size, expected) in [(32, &["w[i]"][..]), (33, &[])] {
        let fill = loop_j(vec![statement("w[j] = B[j]")]);
        let nests = vec![loop_i(vec![fill, loop_j(vec![statement("B[i] = w[j]")])])];
        let sized = |model: &mut Model| {
            array_named(model, "w").extents[0].value = Some(scop::IslPwAff(format!("{{ [({size})] }}")));
        };
        assert_eq!(copies_after(nests, sized), expected, "{size}");
    }
}

/// If other accesses need the variable itself, the copies are a separate array.
#[test]
fn a_variable_that_is_used_otherwise_stays_as_well() {
    expect(vec![statement("B[0] = t[]"), loop_i(row_sum())], &["t_[i]"]);
}

/// The copies of an object have the object's name; memory that pointers point to has no name.
#[test]
fn copies_are_of_objects_but_not_of_what_pointers_lead_to() {
    for (may_alias, restrict, object) in [(false, false, Some("t")), (true, false, None), (false, true, None)]
    {
        let region = Region { nests: vec![loop_i(row_sum())], hidden: Vec::new(), dead_after: vec!["t"] };
        let mut program = extracted(&region);
        let array = array_named(&mut program.scops[0].model, "t");
        (array.may_alias, array.restrict) = (may_alias, restrict);
        let analysed = candl_rs::run(program).unwrap().value;
        let copy = analysed.scops[0].model.arrays.iter().find(|array| array.scope_depth > 0).unwrap();
        assert_eq!(copy.expansion_of.as_deref(), object);
    }
}

/// Returns the statements that store last values, each as `s = copy { domain }`.
fn last_values(nests: Vec<Nest>) -> Vec<String> {
    let analysed = candl_rs::run(extracted(&Region::new(nests.clone()))).unwrap().value;
    assert_eq!(scop::verify::verify(&analysed), [], "{nests:#?}");
    let added = analysed.scops[0].stage.expansions.added().iter();
    let text = |text: &str| text.replace("array_", "").replace(';', "");
    added.map(|statement| format!("{} {}", text(&statement.text), within(&statement.domain.0))).collect()
}

/// Returns the condition of a set.
fn within(set: &str) -> &str {
    set.rsplit_once(" : ").map_or("", |(_, condition)| condition.trim_end_matches(" }"))
}

#[test]
fn last_values_are_stored_for_the_code_after_the_region() {
    let scalar = vec![statement("s[] = A[i, 0]"), statement("B[i] = s[]")];
    assert_eq!(last_values(vec![loop_i(scalar)]), ["s = s_[n - 1] n > 0"]);
    let fill = |upper: &str| nest("j", "0", upper, vec![statement("w[j] = A[i, j]")]);
    let take = |upper: &str| nest("j", "0", upper, vec![statement("A[i, j] = w[j]")]);
    let rows = |upper: &str| vec![loop_i(vec![fill(upper), take(upper)])];
    assert_eq!(last_values(rows("n")), ["w[j] = w_[n - 1][j] 0 <= j < n"]);
    // Each row is longer than the one before it.
    assert_eq!(last_values(rows("i + 1")), ["w[j] = w_[n - 1][j] 0 <= j < n"]);
}

/// Row `i` writes the elements from `i` on, so that element `j` has its last value from row `j`.
#[test]
fn elements_may_have_their_last_values_from_different_iterations() {
    let fill = nest("j", "i", "n", vec![statement("w[j] = A[i, j]")]);
    let take = nest("j", "i", "n", vec![statement("A[i, j] = w[j]")]);
    assert_eq!(last_values(vec![loop_i(vec![fill, take])]), ["w[j] = w_[j][j] 0 <= j < n"]);
}

/// If the inner loop is empty, the value is the one from before it.
#[test]
fn each_statement_that_may_write_a_last_value_has_its_own_copy() {
    let sum = vec![
        statement("s[] = "),
        nest("j", "0", "i - 3", vec![statement("s[] = s[] | A[i, j]")]),
        statement("B[i] = s[]"),
    ];
    let stored = last_values(vec![loop_i(sum)]);
    assert_eq!(stored, ["s = s_[n - 1] 0 < n <= 4", "s = s_[n - 1] n >= 5"]);
}

#[test]
fn what_may_keep_an_older_value_gets_no_copies() {
    let none: [&str; 0] = [];
    let take = loop_j(vec![statement("A[i, j] = w[j]")]);
    // Elements that an iteration does not write are read.
    let part = nest("j", "0", "n - 1", vec![statement("w[j] = A[i, j]")]);
    assert_eq!(last_values(vec![loop_i(vec![part, take.clone()])]), none);
    let even = loop_j(vec![statement("w[2*j] = A[i, j]")]);
    assert_eq!(last_values(vec![loop_i(vec![even, take.clone()])]), none);
    // It is unknown which element is written.
    let scattered = loop_j(vec![statement("B[?] = A[i, j]")]);
    assert_eq!(last_values(vec![loop_i(vec![scattered])]), none);
    // Row `i` reads what row `i - 1` wrote.
    let shifted = vec![statement("C[i] = w[0]"), loop_j(vec![statement("w[j] = A[i, j]")])];
    assert_eq!(last_values(vec![loop_i(shifted)]), none);
}

/// The loop over `i` must run in order anyway, because of `B`.
#[test]
fn last_values_are_stored_only_if_a_loop_becomes_parallel() {
    let none: [&str; 0] = [];
    let flow = vec![statement("s[] = B[i - 1]"), statement("B[i] = s[]")];
    assert_eq!(last_values(vec![nest("i", "1", "n", flow)]), none);
    let reuse = vec![statement("s[] = A[i, 0]"), statement("B[?] = s[]"), statement("C[i] = s[] | B[?]")];
    assert_eq!(last_values(vec![loop_i(reuse)]), none);
}

/// No array of the region is as large as the copies would be.
#[test]
fn copies_must_not_be_larger_than_what_the_region_works_on() {
    let none: [&str; 0] = [];
    let fill = loop_j(vec![statement("w[j] = B[j]")]);
    let sum = loop_j(vec![statement("C[i] = w[j]")]);
    assert_eq!(last_values(vec![loop_i(vec![fill.clone(), sum])]), none);
    let keep = loop_j(vec![statement("D[2*i, j] = w[j]")]);
    assert_eq!(last_values(vec![loop_i(vec![fill, keep])]), ["w[j] = w_[n - 1][j] 0 <= j < n"]);
}

/// A second use of the variable leaves its value in some elements only.
#[test]
fn uses_after_each_other_store_what_each_wrote_last() {
    let row = |row: &str, upper: &str| {
        let fill = nest("j", "0", upper, vec![statement(&format!("w[j] = {row}[i, j]"))]);
        loop_i(vec![fill, nest("j", "0", upper, vec![statement(&format!("{row}[i, j] = w[j]"))])])
    };
    let stored = last_values(vec![row("A", "n"), row("D", "n - 5")]);
    assert_eq!(
        stored,
        ["w[j] = w_[n - 1][j] j >= -5 + n and 0 <= j < n", "w[j] = w_1[n - 1][j] 0 <= j <= -6 + n"]
    );
}
