//! To which objects of C++ a pointer may exist once they are constructed.

use crate::extract;

/// Declarations of classes, the beginning of a function with an object `s`, and whether a pointer to `s.n` may exist.
const OBJECTS: &[(&str, &str, bool)] = &[
    // Plain structures, and constructors that only set values.
    ("struct S { int n; };", "void f(int *p) { S s{8};", false),
    ("struct S { int n; S(int k); };", "void f(int *p) { S s(8);", true),
    ("struct S { int n = 8; int m = two(n); };", "void f(int *p) { S s;", false),
    ("struct S { int n; S() = default; S(const S &) = delete; };", "void f(int *p) { S s;", false),
    (
        "struct S { int n, m[2]; double *x; S(int k) : n{k}, x(new double[k]) { m[0] = m[1] = two(n); if (n < 0) throw 1; } \
         S(const S &o) : n(o.n) { this->x = o.x; n++; } ~S() { delete[] x; } };",
        "void f(int *p, S s) {",
        true,
    ),
    ("struct S { int n; S() : S(8) {} S(int k) : n(k) {} };", "void f(int *p) { S s;", false),
    ("template <class T> struct V { T n, m; }; struct S : V<int> {};", "void f(int *p) { S s{};", false),
    // Classes of the standard library.
    (
        "struct S { int n; std::vector<int> v; std::string t; S(int k) : n(k), v(n) { v.resize(two(n)); t = \"x\"; } };",
        "void f(int *p) { S s(8);",
        false,
    ),
    (
        "struct S { int n; std::vector<int *> v; S(int k) : n(k), v{&n} {} };",
        "void f(int *p) { S s(8);",
        true,
    ),
    ("struct S { int n; std::vector<S *> v; S() { v.push_back(this); } };", "void f(int *p) { S s;", true),
    (
        "struct S { int n; std::reference_wrapper<int> r; S() : n(8), r(n) {} };",
        "void f(int *p) { S s;",
        true,
    ),
    ("struct S { std::pair<int, int> q; int n; S() { keep_pair(q); } };", "void f(int *p) { S s;", true),
    (
        "struct S { int n; S(std::vector<int> &q) : n(8) { q.resize(3); } };",
        "void f(int *p) { std::vector<int> q; S s(q);",
        false,
    ),
    (
        "struct S { int n; std::vector<int> v; S(std::vector<int> &q) : n(8) { std::swap(this->v, q); } };",
        "void f(int *p) { std::vector<int> q; S s(q);",
        false,
    ),
    (
        "struct V : std::vector<int> { int m; }; struct S { int n; V v; S() : n(8) { v.resize(3); } };",
        "void f(int *p) { S s;",
        true,
    ),
    (
        "class K { int m; }; extern K *kept_too; struct S { int n; K k; S() { kept_too = std::addressof(k); } };",
        "void f(int *p) { S s;",
        true,
    ),
    (
        "struct S { int n; std::pair<int, int> q; S() { auto *r = std::addressof(q); } };",
        "void f(int *p) { S s;",
        true,
    ),
    ("#define n first\nstd::pair<int, int> make(int);", "void f(int *p) { auto s = make(8);", true),
    // Each argument of a library template counts.
    (
        "#define n first\nstruct K { int v; K(int x); };\nusing P = std::pair<int, K>;",
        "void f(int *p) { P s(1, 2);",
        true,
    ),
    (
        "#define n first\nstruct K { int v; K(int x) : v(x) {} };\nusing P = std::pair<int, K>;",
        "void f(int *p) { P s(1, 2);",
        false,
    ),
    // Constructors of the class itself, its bases and its members.
    (
        "struct S { int n; S(int k) : n(k) {} template <class T> void g(T k) { kept = &n; } };",
        "void f(int *p) { S s(8);",
        false,
    ),
    ("struct S { int n; template <class T> S(T k) : n(k) {} };", "void f(int *p) { S s(8);", false),
    ("struct B { int n; }; struct S : B { S(int k) { B::n = k; } };", "void f(int *p) { S s(8);", false),
    (
        "struct S { int n, m[2]; S(int k) : n(k) { m[(kept = &n, 0)] = k; } };",
        "void f(int *p) { S s(8);",
        true,
    ),
    ("struct S { int n; S(int k) : n(k) { (kept = &n)[0] = k; } };", "void f(int *p) { S s(8);", true),
    ("struct S { int n; S(int k) : n(k) { *(kept = &n) = k; } };", "void f(int *p) { S s(8);", true),
    (
        "struct B { int m; B() { kept = &m; } }; template <class T> struct V : T { int n; };",
        "void f(int *p) { V<B> s;",
        true,
    ),
    ("struct S { int n; S(int k) : n(k) { kept = &n; } };", "void f(int *p) { S s(8);", true),
    ("struct S { int n, m[2]; S(int k) : n(k) { kept = m; } };", "void f(int *p) { S s(8);", true),
    ("struct S { int n; S(int k) : n(k) { keep(n); } };", "void f(int *p) { S s(8);", true),
    ("struct S { int n; S(int k) : n(k) { keep(this->n); } };", "void f(int *p) { S s(8);", true),
    ("struct S { int n; S(int k) { kept = &(n = k); } };", "void f(int *p) { S s(8);", true),
    ("struct S { int n; S(int k) { auto g = [=] { kept = &n; }; g(); } };", "void f(int *p) { S s(8);", true),
    ("struct S { int n; S(int k) { int &r = n; kept = &r; } };", "void f(int *p) { S s(8);", true),
    ("struct S { int n; void g() { kept = &n; } S(int k) { g(); } };", "void f(int *p) { S s(8);", true),
    (
        "struct S { int n; template <class T> S(T k) : n(k) { kept = &n; } };",
        "void f(int *p) { S s(8);",
        true,
    ),
    (
        "struct S { int n; S() = default; S(const S &o) : n(o.n) { kept = &n; } };",
        "void f(int *p, S s) {",
        true,
    ),
    (
        "struct S { int n; S(const S &o) : n(o.n) { kept = &n; } };",
        "void f(int *p) { try {} catch (S s) {",
        true,
    ),
    (
        "struct S { int n; S(const S &o) : n(o.n) { kept = &n; } };",
        "void f(int *p, S (&a)[2]) { for (S s : a) {",
        true,
    ),
    ("struct B { int n; B() { kept = &n; } }; struct S : B {};", "void f(int *p) { S s;", true),
    (
        "struct B { int n; B(int k) { kept = &n; } }; struct S : B { using B::B; };",
        "void f(int *p) { S s(8);",
        true,
    ),
    ("struct K { K(int &n) { kept = &n; } }; struct S { int n; K k{n}; };", "void f(int *p) { S s{8};", true),
    ("struct K { S *s; K(); }; struct S { int n; K k; };", "void f(int *p) { S s{8};", true),
    ("template <class T> struct V { T n; V() { kept = &n; } };", "void f(int *p) { V<int> s;", true),
    // An object of a class that is made while its base is constructed.
    (
        "struct A { int m; A(); }; struct S : A { int n; }; A::A() { if (two(1)) { two(S().n); } kept = &m; }",
        "void f(int *p) { A a; S s;",
        true,
    ),
    // Constructors of one specialisation of a template.
    (
        "template <class T> struct V { T n; V() {} }; template <> V<int>::V() { kept = &n; }",
        "void f(int *p) { V<int> s;",
        true,
    ),
    (
        "template <class T> struct V { T n; V() {} }; template <> struct V<int> { int n; V() { kept = &n; } };",
        "void f(int *p) { V<int> s;",
        true,
    ),
    (
        "template <class T> struct V { T n; V() {} }; template <> V<char>::V() { keep(*kept); }",
        "void f(int *p) { V<int> s;",
        false,
    ),
    // Objects that a function makes for its caller.
    ("struct S { int n, m[9]; }; S make(int);", "void f(int *p) { S s = make(8);", true),
    (
        "struct S { int n, m[9]; }; struct T { S s; T(); }; S make(int); T::T() : s(make(1)) {}",
        "void f(int *p) { T t; S &s = t.s;",
        true,
    ),
    ("struct S { int n, m[9]; };", "void f(int *p, S s) {", false),
    (
        "struct S { int n, m[9]; S(int k) : n(k) {} int get() const { return n; } };",
        "void f(int *p, S s) {",
        false,
    ),
    ("struct S { int n, m[9]; virtual ~S() {} };", "void f(int *p, S s) {", true),
    ("struct B { ~B() {} }; struct S : B { int n, m[9]; };", "void f(int *p, S s) {", true),
    ("struct B { B(B &&) {} }; struct S { int n; B b; };", "void f(int *p, S s) {", true),
    ("struct B { int m; }; struct S : virtual B { int n; };", "void f(int *p, S s) {", true),
    (
        "struct B { int m; B(int k) : m(k) {} }; struct S : B { int n; S(int k) : B(k) {} };",
        "void f(int *p, S s) {",
        false,
    ),
    ("struct S { int n; S(int k) : n(k) {} ~S() = default; };", "void f(int *p, S s) {", false),
    ("struct S { int n; S(int k) : n(k) {} virtual ~S() = default; };", "void f(int *p, S s) {", true),
    ("struct S { int n; S(int k) : n(k) {} S(const S &) = default; };", "void f(int *p, S s) {", false),
    // Initialisers of members.
    ("struct S { int n; int *q = &n; };", "void f(int *p) { S s{8};", true),
    ("struct S { int n; int &q = n; };", "void f(int *p) { S s{8};", true),
    ("struct S { int n; S *self = this; };", "void f(int *p) { S s{8};", true),
];

const HEAD: &str = "int *kept; void keep(int &); int two(int); struct S;\n";

const SYSTEM: &str = "#include <functional>\n#include <string>\n#include <utility>\n#include <vector>\n\
    void keep_pair(std::pair<int, int> &);\n";

#[test]
fn constructors_may_keep_pointers() {
    let region = "#pragma scop\nfor (int i = 0; i < s.n; i++) p[i] = i;\n#pragma endscop\n";
    let mut wrong = Vec::new();
    for &(classes, begin, reachable) in OBJECTS {
        let closing = "}".repeat(begin.matches('{').count() - begin.matches('}').count());
        let system = if classes.contains("std::") { SYSTEM } else { "" };
        let text = format!("{system}{HEAD}{classes}\n{begin}\n{region}{closing}\n");
        let refused = extract("objects.cpp", &text).err().map(|refused| refused.0[0].code.clone());
        if refused.as_deref() != reachable.then_some("E0133") {
            wrong.push((classes, begin, refused));
        }
    }
    assert_eq!(wrong, []);
}
