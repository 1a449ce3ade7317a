//! What is refused in C++, with which code; everything else in C++ is as in C.

use crate::extract;

/// Statements of a region, and the codes with which they are refused.
const STATEMENTS: &[(&str, &str)] = &[
    ("v[0] = 1;", "E0131"),
    ("a[0] = v[0];", "E0140"),
    ("a[0] = lambda(a[0]);", "E0140"),
    ("a[0] = s->get(0);", "E0140"),
    ("r = a[0];", "E0130"),
    ("for (auto x : a3) a[0] += x;", "E0111"),
    ("try { a[0] = 1; } catch (...) {}", "E0110"),
    ("a[0] = twice(a[0]);", "E0142"),
    ("throw 1;", "E0140"),
    ("*new double = 1;", "E0131"),
    ("*reinterpret_cast<float *>(a) = 1;", "E0131"),
];

const HEAD: &str = "struct vec { double &operator[](int); double operator[](int) const; };\n\
    struct S { double x[3]; double get(int) const; void run(int n); };\n\
    template <typename T> T twice(T x) { return x + x; }\n\
    void f(int n, vec &v, double &r, double *a, S *s) { double a3[3]; auto lambda = [](double x) { return x; };\n";

fn codes(text: &str) -> Vec<String> {
    match extract("refused.cpp", text) {
        Ok(_) => Vec::new(),
        Err(refused) => refused.0.iter().map(|d| d.code.clone()).collect(),
    }
}

#[test]
fn what_c_does_not_have_is_refused() {
    for (statement, code) in STATEMENTS {
        let text = format!("{HEAD}#pragma scop\n{statement}\n#pragma endscop\n}}\n");
        assert_eq!(codes(&text), [*code], "{statement}");
    }
}

#[test]
fn all_of_it_is_told_at_once() {
    let all: Vec<&str> = STATEMENTS.iter().map(|(statement, _)| *statement).collect();
    let text = format!("{HEAD}#pragma scop\n{}\n#pragma endscop\n}}\n", all.join("\n"));
    assert_eq!(codes(&text).len(), STATEMENTS.len());
}

#[test]
fn members_of_this_object_and_templates_are_refused() {
    let text = "struct S { double x[3]; void run(int n) {\n#pragma scop\nx[0] = n;\n#pragma endscop\n} };\n\
        template <typename T> void f(T *a) {\n#pragma scop\na[0] = 1;\n#pragma endscop\n}\n";
    assert_eq!(codes(text), ["E0140", "E0130"]);
}
