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
        vec![statement("s[] = A[i, 0]"), statement("B[i] = s[]")],
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

/// An array with computed subscripts or of unknown size remains as it is.
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
    let unknown = |model: &mut Model| array_named(model, "w").extents[0].value = None;
    assert_eq!(copies_after(nests(), unknown), [""; 0]);
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
