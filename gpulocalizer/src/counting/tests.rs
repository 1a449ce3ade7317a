//! Numberings of sets, from counting to the proof.

use std::time::Duration;

use barvinok::Work;
use polyhedra::polynomial::{evaluate, pieces_of};
use polyhedra::{PwQPolynomial, Set, Text};
use proptest::prelude::*;
use scop::Numbering;

use crate::counting::if_there;
use crate::counting::numbering::{Effort, Numberer, Refusal};
use crate::counting::numbering_proof::number;
use crate::random_cases;
use place::counting::{Counting, WORK};

/// A bound for the coordinates that are tried, larger than any coordinate in a set.
const REACH: i64 = 9;

/// Checks that the elements of a set are numbered 0, 1, … in lexicographic order, for small parameters.
fn assert_dense(counting: &Counting, text: &str) {
    let elements = Set::parse(text).unwrap();
    let numbering = number(&Numberer::new(counting), &elements).unwrap().unwrap();
    check(text, &elements, &numbering);
}

fn check(text: &str, elements: &Set, numbering: &Numbering) {
    let from_one = numbering.pieces(elements).unwrap();
    let count = pieces_of(&PwQPolynomial::parse(&numbering.count.0).unwrap()).unwrap();
    for n in 0..6 {
        let mut expected = 0;
        for i in -1..REACH {
            for j in -1..REACH {
                let here = format!("[n] -> {{ A0[i, j] : n = {n} and i = {i} and j = {j} }}");
                let here = elements.copy().unwrap().intersect(Set::parse(&here).unwrap()).unwrap();
                if !here.is_empty().unwrap() {
                    expected += 1;
                    let number = evaluate(&from_one, &[("n", n)], &[i, j]).unwrap();
                    assert_eq!(number, expected, "{text} at n = {n}, [{i}, {j}]");
                }
            }
        }
        assert_eq!(evaluate(&count, &[("n", n)], &[]).unwrap(), expected, "{text} at n = {n}");
    }
}

#[test]
fn what_is_not_counted_in_time_is_an_error_and_no_reason_for_another_form() {
    let Some(counting) = if_there() else { return };
    let numberer = Numberer::new(&counting);
    let elements = Set::parse("[n] -> { A0[i, j] : 0 <= j <= i < n }").unwrap();
    counting.allow(Work { time: Duration::ZERO, ..WORK });
    let late = number(&numberer, &elements).unwrap_err();
    assert!(late.is_limit() && !late.is_out_of_operations(), "{late}");
    counting.allow(Work { numbers: 10, ..WORK });
    let hard = Refusal::Hard(barvinok::Error::Limit.to_string());
    assert_eq!(number(&numberer, &elements).unwrap(), Err(hard));
}

#[test]
fn footprints_of_programs_are_numbered_densely() {
    let Some(counting) = if_there() else { return };
    for text in [
        "[n] -> { A0[i, j] : 0 <= j <= i < n }",
        "[n] -> { A0[i, j] : 0 <= i <= j < n }",
        "[n] -> { A0[i, j] : 0 < i < n - 1 and 0 < j < n - 1 }",
        "[n] -> { A0[i, i] : 0 <= i < n }",
        "[n] -> { A0[i, j] : 0 <= i < n and 0 <= j < n and (i + j) mod 2 = 1 }",
        "[n] -> { A0[i, 3] : 0 <= i < n; A0[2, j] : 0 <= j < n }",
        "[n] -> { A0[i, j] : 0 <= i < n and i <= j <= i + 2 }",
    ] {
        assert_dense(&counting, text);
    }
}

/// One polynomial is enough, although counting gives some rows a piece of their own, such as those that have no
/// element below the diagonal.
#[test]
fn one_polynomial_does_for_a_triangle() {
    let Some(counting) = if_there() else { return };
    for text in [
        "[n] -> { A0[i, j] : 0 <= j <= i < n }",
        "[n] -> { A0[i, j] : 0 <= i < n and i - 1 <= j < n and j >= 0 }",
    ] {
        let elements = Set::parse(text).unwrap();
        let numbering = number(&Numberer::new(&counting), &elements).unwrap().unwrap();
        let effort = Effort::of(&numbering, &elements).unwrap();
        assert_eq!((effort.pieces, effort.degree), (1, 2), "{numbering:?}");
        assert!(effort.is_small());
        check(text, &elements, &numbering);
    }
}

proptest! {
    #![proptest_config(random_cases(40))]

    #[test]
    fn random_sets_are_numbered_densely(
        parts in prop::collection::vec((-2i64..3, -2i64..3, -1i64..3, -3i64..5, 1i64..4), 1..3)
    ) {
        if let Some(counting) = if_there() {
            let pieces: Vec<String> = parts.iter().map(|(a, b, c, d, m)| format!(
                "A0[i, j] : 0 <= i < n and 0 <= j < n and {a} i + {b} j + {c} n + {d} >= 0 and (i + j) mod {m} = 0"
            )).collect();
            let text = format!("[n] -> {{ {} }}", pieces.join("; "));
            let elements = Set::parse(&text).unwrap();
            match number(&Numberer::new(&counting), &elements).unwrap() {
                Ok(numbering) => check(&text, &elements, &numbering),
                Err(refusal) => {
                    // A few sets are too hard to count.
                    prop_assert_eq!(refusal, Refusal::Hard(barvinok::Error::Limit.to_string()));
                    return Err(TestCaseError::reject("too hard"));
                }
            }
        }
    }
}
