//! Which variables become arrays with an element for each iteration.

use crate::support::{Nest, Region, extracted, leading, nest, statement};
use scop::Model;

/// The arrays with leading subscripts for loops, written as `t[i]`, in the order of the document.
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

/// Analyses nests with the temporaries `t` and `w`, which nobody reads behind them, and compares the arrays.
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
