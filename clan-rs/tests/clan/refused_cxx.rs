//! What is refused in C++, and with which code; which last values of variables count, and how calls name variables.

use std::fs;

use clan_rs::Options;

use crate::extract;

/// Statements of a region, and the codes with which they are refused.
const STATEMENTS: &[(&str, &str)] = &[
    ("v[0] = 1;", "E0131"),
    ("a[0] = v[0];", "E0140"),
    ("a[0] = lambda(a[0]);", "E0140"),
    ("a[0] = s->get(0);", "E0140"),
    ("double &q = a[0]; q = 1;", "E0132"),
    ("a[0] = s->y;", "E0140"),
    ("for (auto x : a3) a[0] += x;", "E0111"),
    ("try { a[0] = 1; } catch (...) {}", "E0110"),
    ("a[0] = by_reference(a[0]);", "E0142"),
    ("a[0] = by_root(a[0]);", "E0142"),
    ("throw 1;", "E0140"),
    ("for (; bool more = n > 2; n--) a[0] += more;", "E0111"),
    ("bool b = true; if (n > 2; b = n > 3) a[0] = 1;", "E0110"),
    ("*new double = 1;", "E0131"),
    ("*reinterpret_cast<float *>(a) = 1;", "E0131"),
    ("next().st[0] = 1;", "E0131"),
    ("a[0] = next().stat(1);", "E0140"),
    ("Made m; a[0] = m.x;", "E0131"),
    ("a[0] = s->e;", "E0140"),
    ("a[0] = tv<int>;", "E0140"),
    ("a[0] = t->count[0];", "E0134"),
    ("double w = 1; a[0] = (w = 2) + w;", "E0141"),
    ("a[0] = a[1] + (a[1] = 2);", "E0141"),
    ("for (int &q = n; q-- > 0;) a[q] = 0;", "E0111"),
    ("for (static int q = 9; q-- > 0;) a[q] = 0;", "E0111"),
    ("a[0] = numeric_limits::max();", "E0142"),
    ("a[0] = tw<int>;", "E0140"),
    ("a[0] = s->*member;", "E0140"),
    ("for (int q = 0; bool more = q < n; q++) a[q] = more;", "E0111"),
    ("while (bool more = n > 3) { a[0] += more; n--; }", "E0111"),
    ("if (bool more = n > 2) a[0] = more;", "E0110"),
    ("if (bool more = n > 2) a[0] = more; else a[0] = 2;", "E0110"),
];

const HEAD: &str = "struct vec { double &operator[](int); double operator[](int) const; };\n\
    enum E { FIRST }; struct S { double x[3]; double &y; E e; double get(int) const; void run(int n); static double st[3]; static double stat(double v) { return v; } };\n\
    S &next(); struct Made { float x; Made() : x(3) {} }; template <class T> T tv = 3; template <class T> const volatile T tw = 3; template <class T> struct Table { static double count[3]; }; template <class T> struct Sized { static const int size = 3; };\n\
    const double root = __builtin_sqrt(2.0); inline double by_root(double x) { return x * root; }\n\
    inline double by_reference(double &x) { return x + x; } int number; struct numeric_limits { static int max() { return number++; } };\n\
    void f(int n, vec &v, double &r, double *a, S *s, Table<int> *t, Sized<int> *z, double S::*member) { double a3[3]; auto lambda = [](double x) { return x; };\n";

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

/// A `static` variable is initialised only once.
#[test]
fn values_of_static_variables_are_not_those_of_their_initialisers() {
    let region =
        "#pragma scop\nfor (int i = 0; i < n; i++) { static int w = i; a[w] = 0; }\n#pragma endscop\n";
    assert_eq!(codes(&format!("{HEAD}{region}}}\n")), ["E0132", "E0121"]);
}

/// C++17 orders the operands of some operators, and of some pairs of operands only one is evaluated.
#[test]
fn operands_whose_order_is_known_may_change_what_others_use() {
    for statement in ["a[1] = (a[2] = 3);", "n > 3 ? a[1] : a[1];", "a[1] += (a[2] = 3, a[2]);"] {
        let statement = statement.replace("n > 3 ? a[1] : a[1]", "a[0] = n > 3 ? a[1] : a[1]");
        let text = format!("{HEAD}#pragma scop\n{statement}\n#pragma endscop\n}}\n");
        assert_eq!(codes(&text), [""; 0], "{statement}");
    }
}

/// The same in functions that regions call: there, too, an effect inside an expression comes first.
#[test]
fn operands_of_functions_are_evaluated_in_their_order() {
    for (body, expected) in [
        ("int i = 0; double t[3] = {k, 1, 2}; t[i++] = i; return t[0];", &["E0141"][..]),
        ("int i = 0; double t[2] = {k, 1}; t[(i = 1)] = t[i]; return t[0];", &["E0141"]),
        ("double t[2] = {1, k}; int i = 0; t[++i] = i + 1; return t[1];", &["E0141"]),
        ("int i = 1; int r = i << i++; return r + k;", &["E0141"]),
        ("int i = 0; double t[2] = {k, 1}; t[i] = i = 1; return t[1];", &[]),
        ("int i = 0; double t[2] = {k, 1}; t[i++] = k; return t[i];", &[]),
    ] {
        let text = format!(
            "static double f(double k) {{ {body} }}\nvoid g(int n, double *a) {{\n#pragma scop\n\
             for (int i = 0; i < n; i++) a[i] = f(a[i]);\n#pragma endscop\n}}\n"
        );
        assert_eq!(codes(&text), expected, "{body}");
    }
}

/// Names and forms that resemble something else in C++.
#[test]
fn what_c_has_under_another_name_is_accepted() {
    for statement in [
        "a[0] = operator_norm(a[0]) + operators(a[1]);",
        "a[0] = narrow(a[0]);",
        "a[0] = __builtin_sqrt(a[0]);",
        "a[0] = sizeof(vec);",
        "a[0] = z->size;",
    ] {
        let functions = "static double operator_norm(double x) { return x; } static double operators(double x) { return x; } \
            static float narrow(float x) { return x + x; }\n";
        let text = format!("{functions}{HEAD}#pragma scop\n{statement}\n#pragma endscop\n}}\n");
        assert_eq!(codes(&text), [""; 0], "{statement}");
    }
}

#[test]
fn all_of_it_is_told_at_once() {
    let all: Vec<&str> = STATEMENTS.iter().map(|(statement, _)| *statement).collect();
    let text = format!("{HEAD}#pragma scop\n{}\n#pragma endscop\n}}\n", all.join("\n"));
    assert_eq!(codes(&text).len(), STATEMENTS.len());
}

/// Known functions of the C++ library are those that C has as well, and those of `std::numeric_limits`.
#[test]
fn functions_of_libraries_are_told_by_their_whole_names() {
    let folder = std::env::temp_dir().join(format!("clan-libraries-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let header = "#pragma GCC system_header\n#include <cmath>\n#include <limits>\n\
        namespace fast { double sqrt(double); struct numeric_limits { static double max(double); }; struct state { static double now(); }; }\n";
    fs::write(folder.join("fast.h"), header).unwrap();
    for (value, code) in [
        ("std::sqrt(a[1])", None),
        ("fast::sqrt(a[1])", Some("E0142")),
        ("std::hypot(a[0], a[1])", None),
        ("std::hypot(a[0], a[1], a[2])", Some("E0142")),
        ("std::numeric_limits<double>::max()", None),
        ("fast::numeric_limits::max(a[1])", Some("E0142")),
        ("fast::state::now()", Some("E0142")),
    ] {
        let text = format!(
            "#include \"fast.h\"\nvoid f(double *a) {{\n#pragma scop\na[0] = {value};\n#pragma endscop\n}}\n"
        );
        let outcome = clan_rs::run_on(&Options::for_file(folder.join("f.cpp")), text.into_bytes());
        let found = outcome.map_or_else(|refused| refused.0, |_| Vec::new());
        assert_eq!(found.first().map(|fault| fault.code.as_str()), code, "{value}");
    }
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn regions_in_templates_are_refused() {
    let region = "#pragma scop\na[0] = 1;\n#pragma endscop\n";
    for around in [
        ("template <typename T> void f(double *a) {", "}"),
        ("template <typename T> struct U { void f(double *a) {", "} };"),
        (
            "template <typename T> struct U { T x; };\ntemplate <typename T> struct U<T *> { void f(double *a) {",
            "} };",
        ),
        (
            "template <typename T> struct U { void f(double *); };\ntemplate <typename T> void U<T>::f(double *a) {",
            "}",
        ),
        ("constexpr void f(double *a) {", "}"),
    ] {
        assert_eq!(codes(&format!("{}\n{region}{}\n", around.0, around.1)), ["E0108"], "{}", around.0);
    }
}

/// The declaration of `s`, what closes the scopes around the region, and whether the last value of `s` counts;
/// `use(t)` follows the region.
const LAST_VALUES: &[(&str, &str, bool)] = &[
    ("void f(int n, double *x) { double s = 0, t = 0;", "", false),
    ("void f(int n, double *x) { double s = 0; double &t = s;", "", true),
    ("void f(int n, double *x) { double s = 0; double &t{s};", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; keeper k{{s}};", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; auto l = [&r = s] { return r; };", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; const double &r = n > 0 ? s : t;", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; auto l = [&] { return s; };", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; auto l = [=] { return s; };", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; take(s);", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; use(s);", "", false),
    ("void f(int n, double *x) { double s = 0, t = 0; use((s));", "", false),
    ("void f(int n, double *x) { double s = 0, t = 0; take((double &)s);", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; keeper k{s};", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; double b[] = {s, t};", "", false),
    ("void f(int n, double *x) { double s = 0, t = 0; double *p = &(s += 1);", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; try { throw s; } catch (double) {}", "", false),
    ("void f(int n, double *x) { static double s; double t = 0;", "", true),
    ("void f(int n, double *x) { thread_local double s; double t = 0;", "", true),
    ("void f(int n, double *x) { extern double s; double t = 0;", "", true),
    ("void f(int n, double *x, double s) { double t = 0;", "", false),
    ("void f(int n, double *x, double &s) { double t = 0;", "", true),
    ("void f(int n, double *x, double &&s) { double t = 0;", "", true),
    ("double s; void f(int n, double *x) { double t = 0;", "", true),
    ("static double s; void f(int n, double *x) { double t = 0;", "", true),
    ("namespace { double s; } void f(int n, double *x) { double t = 0;", "", true),
    ("namespace A { inline namespace B { double s; void f(int n, double *x) { double t = 0;", "} }", true),
    ("extern \"C\" { double s; void f(int n, double *x) { double t = 0;", "}", true),
    ("struct T { static double s; void f(int n, double *x) { double t = 0;", "};", true),
    // Functions that take a reference and only read it, and other functions.
    (
        "static double by(const double &x) { return x + 1; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        false,
    ),
    (
        "static double by(const double &x) { kept = &x; return x; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { keep(x); return 1; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { auto l = [&] { return x; }; return l(); } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { const double &y = x; return y; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const volatile double &x) { return x; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static const double &by(const double &x) { return x; } void f(int n, double *x) { double s = 0, t = 0; use(by(s));",
        "",
        false,
    ),
    (
        "static const double &by(const double &x) { return x; } void f(int n, double *x) { double s = 0, t = 0; keeper2 k{by(s)};",
        "",
        true,
    ),
    (
        "static const double &by(const double &x) { return x; } static double in(const double &x) { return by(x) + 1; } void f(int n, double *x) { double s = 0, t = 0; in(s);",
        "",
        false,
    ),
    (
        "static double by(const double &x) { double y = x + 1; y += x; y++; y = x; return y; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        false,
    ),
    (
        "static double by(const double &x) { double y = (keep(x), 1); return y; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { return x > 1 ? x : 2; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        false,
    ),
    (
        "static double by(const double &x) { return (keep(x), x > 1) ? 1 : 2; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { return x > 1 ? (keep(x), 1) : 2; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { return x > 1 ? 1 : (keep(x), 2); } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { return 1 + (keep(x), 2); } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { return -(keep(x), 2); } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { return &x == kept; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { keep_volatile(x); return 1; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { return x > 1 ? by(x) : x; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double all; static double by(const double &x) { all = 2; return x; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double all; static double by(const double &x) { all += 2; return x; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double all; static double by(const double &x) { all++; return x; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { static double y = x; return y; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static double by(const double &x) { static double y; y = x; return y; } void f(int n, double *x) { double s = 0, t = 0; by(s);",
        "",
        true,
    ),
    (
        "static const double &by(const double &x, const double &y) { return x > y ? x : y; } void f(int n, double *x) { double s = 0, t = 0; use(by(s, t));",
        "",
        false,
    ),
    (
        "static double by(const double &x) { return x * x; } static double in(const double &x) { return by(x) + 1; } void f(int n, double *x) { double s = 0, t = 0; in(s);",
        "",
        false,
    ),
    (
        "static const double &by(const double &x) { return x; } static double in(const double &x) { keep(by(x)); return 1; } void f(int n, double *x) { double s = 0, t = 0; in(s);",
        "",
        true,
    ),
    // Expressions that may be bound to a reference or have their address taken.
    ("void f(int n, double *x) { double s = 0, t = 0; take(n > 3 ? t : s);", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; take(n > 3 ? s : t);", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; take((t, s));", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; take(s = 2);", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; take(++s);", "", true),
    ("void f(int n, double *x) { double s = 0, t = 0; use(s++);", "", false),
    ("void f(int n, double *x) { double s = 0, t = 0; use((double)s);", "", false),
    ("void f(int n, double *x) { double s = 0, t = 0; use(static_cast<double &>(s));", "", false),
    ("void f(int n, double *x) { double s = 0, t = 0; keep_narrow(s);", "", false),
    ("void f(int n, double *x) { double s = 0, t = 0; keep_volatile(s);", "", true),
    ("struct T { double s; void f(int n, double *x) { double t = 0;", "};", true),
    ("struct T { double &r; T(int n, double *x, double s) : r(s) { double t = 0;", "};", true),
];

#[test]
fn last_values_that_code_may_see_count() {
    let head = "void take(double &); void keep(const double &); void keep_volatile(const volatile double &); void keep_narrow(const float &); void use(double); extern const double *kept; struct keeper { double &r; }; struct keeper2 { const double &r; };\n";
    let body = "#pragma scop\nfor (int i = 0; i < n; i++) s += x[i];\n#pragma endscop\nuse(t); }\n";
    for &(declarations, closing, live) in LAST_VALUES {
        let program = extract("last.cpp", &format!("{head}{declarations}\n{body}{closing}\n")).unwrap().value;
        let arrays = &program.scops[0].model.arrays;
        let sum = arrays.iter().find(|array| array.name.ends_with('s')).unwrap();
        assert_eq!(!sum.dead_after, live, "{declarations}");
    }
}

/// The declarations before a region, how the region mentions a variable, and how the call names it.
const NAMES: &[(&str, &str, &str)] = &[
    ("namespace A { double v[9]; } double v[9]; void f(int n) {", "A::v", "A::v"),
    ("namespace A { double v[9]; } double v[9]; void f(int n) {", "::v", "::v"),
    ("namespace A { double v[9]; } double v[9]; void f(int n) {", ":: A\n :: v", "::A::v"),
    ("namespace A { double v[9]; } namespace B = A; void f(int n) {", "B::v", "B::v"),
    ("namespace A { double v[9]; } void f(int n) { using A::v;", "v", "v"),
    ("#define V A::v\nnamespace A { double v[9]; } void f(int n) {", "V", "A::v"),
    ("#define N A\nnamespace A { double v[9]; } void f(int n) {", "N::v", "N::v"),
    (
        "template <class T, int N> struct A { static double v[N]; }; void f(int n) { using B = A<int, 9>;",
        "B::v",
        "B::v",
    ),
    ("struct S { double v[9]; }; namespace A { S s; } void f(int n) {", "A::s.v", "A::s.v"),
    ("struct S { double v[9]; }; S s; void f(int n, double *v) {", "::s.v", "::s.v"),
    ("struct S { double v[9]; }; void f(int n, S &s) {", "s.v", "s.v"),
    ("struct S { static double v[9]; }; void f(int n, S &s) {", "s.v", "::S::v"),
    ("namespace A { struct S { static double v[9]; }; } void f(int n, A::S &s) {", "s.v", "::A::S::v"),
    ("namespace { struct S { static double v[9]; }; } void f(int n, S &s) {", "s.v", "::S::v"),
    ("extern \"C\" { struct S { static double v[9]; }; } void f(int n, S *s) {", "(s)->v", "::S::v"),
    ("struct R { struct S { static double v[9]; }; }; void f(int n, R::S &s) {", "s.v", "::R::S::v"),
];

#[test]
fn the_call_names_variables_as_the_region_does() {
    for &(declarations, mention, name) in NAMES {
        let region =
            format!("#pragma scop\nfor (int i = 0; i < n; i++) {mention}[i] = i;\n#pragma endscop\n");
        let program = extract("names.cpp", &format!("{declarations}\n{region}}}\n")).unwrap().value;
        assert_eq!(program.scops[0].model.arrays[0].expression, name, "{declarations} {mention}");
    }
    let text = "struct S { double v[9]; int n; void f() {\n#pragma scop\nfor (int i = 0; i < n; i++) v[i] = i;\n#pragma endscop\n} };\n";
    let model = &extract("this.cpp", text).unwrap().value.scops[0].model;
    assert_eq!((&*model.parameters[0].expression, &*model.arrays[0].expression), ("this->n", "this->v"));
}
