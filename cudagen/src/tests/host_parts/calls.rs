//! The arguments that the caller passes, and what is compared with the original.

use super::*;

/// With `--verify`, everything that the region may write is compared: scalars, and what the host writes of an array.
#[test]
fn all_that_is_written_is_compared() {
    let arrays = vec![pointer(0, "a", true, false), array(1, "s", CType::Double, &[])];
    let on_host =
        [(1, WRITE, MUST, "[n, m] -> { S1[] -> A1[] }"), (0, WRITE, MUST, "[n, m] -> { S1[] -> A0[m] }")];
    let work = document(arrays, &[(0, WRITE, MUST, WHOLE[0])], &on_host);
    let text = run(work.program(), SOURCE.as_bytes(), Target::Cuda, true).unwrap().value.kernels;
    assert_eq!(text.matches("_region.range(phase, {\"a\"").count(), 2, "{text}");
    assert_eq!(text.matches("_region.range(phase, {\"s\"").count(), 1, "{text}");
}

/// A scalar whose pointer C does not certainly follow is read only if the pointer is not null.
#[test]
fn pointers_to_scalars_are_guarded() {
    for (certainty, guarded) in [(MAY, true), (MUST, false)] {
        let mut s = array(1, "s", CType::Double, &[]);
        (s.expression, s.may_alias) = ("p->s".to_owned(), true);
        let double = CType::Double;
        let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, certainty, "[n, m] -> { S0[i] -> A1[] }")];
        let mut work = document(vec![pointer(0, "a", false, false), s], &touches, &[]);
        work.context = "[n, m] -> { : n >= 1 and m >= 0 }";
        work.statements[0].body = assign(0, *reading(1, double), None);
        let text = text(work);
        assert_eq!(text.contains("s ? *s : 0"), guarded, "{text}");
        assert_eq!(text.contains("p ? "), guarded, "{text}");
    }
}

/// C and C++ pass complex numbers in different ways.
#[test]
fn complex_numbers_are_passed_by_address() {
    for (element, by_address) in [(CType::DoubleComplex, true), (CType::Double, false)] {
        let s = array(1, "s", element, &[]);
        let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, "[n, m] -> { S0[i] -> A1[] }")];
        let mut a = pointer(0, "a", false, false);
        a.element = element;
        let mut work = document(vec![a, s], &touches, &[]);
        work.statements[0].body = assign(0, *reading(1, element), None);
        let text = text(work);
        assert_eq!(text.contains(" *s)"), by_address, "{text}");
        assert_eq!(text.contains("&s)"), by_address, "{text}");
    }
}

/// A pointer is not null if C follows it for a parameter or certainly follows it. The address of a member is computed
/// from the pointer to its structure.
#[test]
fn pointers_that_are_followed_are_not_guarded() {
    let scalar = |context: &'static str, certainty, n: &str| {
        let mut s = array(1, "s", CType::Double, &[]);
        (s.expression, s.may_alias) = ("p->s".to_owned(), true);
        let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, certainty, "[n, m] -> { S0[i] -> A1[] }")];
        let mut work = document(vec![pointer(0, "a", false, false), s], &touches, &[]);
        work.context = context;
        work.parameters[0].expression = n.to_owned();
        work.statements[0].body = assign(0, *reading(1, CType::Double), None);
        text(work).contains("p ? ")
    };
    let (some, any) = ("[n, m] -> { : n >= 1 and m >= 0 }", "[n, m] -> { : n >= 0 and m >= 0 }");
    assert!(scalar(some, MAY, "n"));
    assert!(!scalar(some, MAY, "p->n"));
    assert!(scalar(some, MAY, "q->n"));
    assert!(!scalar(some, MUST, "n"));
    assert!(scalar(any, MUST, "n"));
    for (may_alias, guarded) in [(true, true), (false, false)] {
        let mut x = pointer(0, "x", may_alias, false);
        x.storage =
            Storage::Member { structures: 1, stride: 24, base: "p".to_owned(), member: ".x".to_owned() };
        x.expression = "p[0].x".to_owned();
        let text = text(document(vec![x], &[(0, WRITE, MAY, WHOLE[0])], &[]));
        assert_eq!(text.contains("p ? &p[0].x : "), guarded, "{text}");
    }
}

/// With `--verify`, a pointer that may be null has no elements, however it is declared.
#[test]
fn pointers_that_may_be_null_are_compared_with_nothing() {
    for (may_alias, restrict, asked) in [(true, false, true), (false, true, true), (false, false, false)] {
        let work = document(vec![pointer(0, "a", may_alias, restrict)], &[(0, WRITE, MUST, WHOLE[0])], &[]);
        let text = run(work.program(), SOURCE.as_bytes(), Target::Cuda, true).unwrap().value.kernels;
        assert_eq!(in_one_line(&text).contains("a == NULL ? 0 : 1"), asked, "{text}");
    }
}
