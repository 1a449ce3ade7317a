//! What code of C++ between two regions does with the memory of an array that both of them use.

use super::between_in;

/// Two regions that use `a`, with declarations before their function and code between them. The function is called
/// with memory of the file's own.
fn file(before: &str, code: &str) -> String {
    let headers = [
        ("algorithm", "std::fill"),
        ("algorithm", "std::sort"),
        ("algorithm", "std::copy"),
        ("algorithm", "_element"),
        ("fstream", "std::ofstream"),
        ("numeric", "std::accumulate"),
        ("algorithm", "std::max"),
        ("cmath", "std::abs"),
        ("iostream", "std::c"),
        ("utility", "std::swap"),
        ("utility", "std::move"),
        ("vector", "std::vector"),
        ("initializer_list", " : {"),
    ];
    let includes = headers.iter().filter(|(_, name)| before.contains(name) || code.contains(name));
    let includes: String = includes.map(|(header, _)| format!("#include <{header}>\n")).collect();
    format!(
        "#include <cstdio>\n#include <cstdlib>\n{includes}\
         void g(double *); void h(double &); static double *kept; static double own[9]; struct Two {{ int x, y; }};\n\
         {before}\n\
         static void f(int n, double *a, double *b) {{ Two two = {{1, 2}}; REGION(a) {code} REGION(a) }}\n\
         int main() {{ double *m = (double *)malloc(72), *k = (double *)malloc(72); f(8, m, k); return 0; }}\n"
    )
}

const ROWS: &[(&str, &str, &str)] = &[
    ("", "", ""),
    ("", "std::swap(a, b);", ""),
    ("", "std::swap(a[0], a[1]);", "reads &a[0], reads &a[1], writes &a[0], writes &a[1]"),
    ("", "double &r = a[1]; r = 5;", "overwrites &r"),
    ("", "double &r = b[1]; r = 5;", ""),
    ("", "const double &r = a[1]; std::printf(\"%f\", r);", "reads &r"),
    ("static void set(double &x) { x = 1; }", "set(a[1]);", "overwrites &x"),
    ("static void set(double &x) { x = 1; }", "set(n > 3 ? a[1] : b[1]);", "overwrites &x, reads &a[1]"),
    ("static void turn(double *&p, double *q) { p = q; }", "turn(a, b); b[0] = 1;", ""),
    ("static double &at(double *p, int i) { return p[i]; }", "at(a, 2) = 1;", "reads, writes"),
    ("static double &at(double *p, int i) { return p[i]; }", "double x = at(a, 2); n += x;", "reads"),
    ("", "(n > 2 ? a[0] : b[0]) = 1;", "reads &a[0], writes"),
    ("", "(n++, a[0]) = 1;", "reads &a[0], writes"),
    ("", "++(a[0] = 3);", "overwrites &a[0]"),
    ("", "h(a[0]);", "unknown, !"),
    ("", "double k = 0; h(k);", "unknown"),
    ("", "g(nullptr);", "unknown"),
    ("", "double *p = new double[9]; p[0] = 1; delete[] p;", ""),
    ("", "delete[] a; a = nullptr;", "frees"),
    ("", "double *p = new double(1); *p = 2; delete p;", "unknown"),
    ("", "std::vector<double> v(9); v[0] = 1; v.push_back(2); std::printf(\"%f\", v[0]);", ""),
    ("", "std::vector<double *> v; v.push_back(a);", "unknown, !"),
    ("", "std::vector<double> v(a, a + 8); n += v[0];", "reads &a[0]"),
    (
        "",
        "std::vector<double> v(9); std::fill(v.begin(), v.end(), 1.0); std::copy(v.begin(), v.end(), b);",
        "",
    ),
    ("", "std::copy(b, b + n, a + 1);", "overwrites &a[1]"),
    ("", "std::sort(a, a + n);", "writes &a[0]"),
    ("", "std::sort(a, a + n, [](double x, double y) { return x > y; });", "unknown, !"),
    ("", "n += std::accumulate(a, a + 3, 0.0);", "reads &a[0]"),
    ("", "b[0] = *std::max_element(a + 1, a + n);", "reads &a[1]"),
    ("", "*std::min_element(a, a + n) = 0;", "reads &a[0], writes &a[0]"),
    (
        "",
        "std::vector<double> v(9); double s = 0; for (auto it = v.begin(); it != v.end(); ++it) s += *it; b[0] = s;",
        "",
    ),
    ("", "std::ofstream out(\"file\"); out << n << '\\n'; out.close();", ""),
    ("", "std::ofstream out(\"file\"); out << a[2] << '\\n';", "reads &a[2]"),
    ("", "std::vector<long> v(3); v[0] = (long)a; double *p = (double *)v[0]; p[1] = 1;", "overwrites &p[1]"),
    (
        "",
        "std::vector<long> v{(long)a}, w; w.swap(v); double *p = (double *)w.front(); p[1] = 1;",
        "overwrites &p[1], reads &w.data()[0], unknown, !",
    ),
    ("", "std::cout << a[0] << ' ' << n << std::endl;", "reads &a[0]"),
    ("", "std::cerr << \"text\" << (char *)a;", "reads, !"),
    ("struct S { double x; S(double *p) { *p = 1; } };", "S s(a);", "called, unknown, writes, !"),
    ("struct S { double *p; ~S() { p[0] = 1; } };", "S s{a};", "called, unknown, !"),
    ("struct S { double *p; ~S() { p[0] = 1; } };", "{ S s{a}; } S{a};", "called, unknown, !"),
    ("struct S { double *p; void set() { p[0] = 1; } };", "S s{a}; s.set();", "overwrites &this->p[0]"),
    (
        "struct S { double *p; void set() { p[0] = 1; } void all() { set(); } };",
        "S s{a}; s.all();",
        "overwrites &this->p[0]",
    ),
    (
        "struct S { double *p; double &at(int i) { return p[i]; } };",
        "S s{a}; s.at(1) = 1; S t = s; t.at(2) = 2; S u; u = t; n += u.at(1);",
        "reads, unknown, writes, !",
    ),
    (
        "struct S { double *p; double operator[](int i) const { return p[i]; } };",
        "S s{a}; n += s[0];",
        "reads &this->p[i], !",
    ),
    (
        "struct S { double *p; operator double() const { return *p; } };",
        "S s{a}; n += s;",
        "called, unknown, !",
    ),
    ("struct S { virtual void set(double *p) { *p = 1; } };", "S s; s.set(a);", "called, unknown, !"),
    ("struct S { double *p = kept; };", "kept = a; S s; s.p[0] = 1;", "overwrites &s.p[0], unknown, !"),
    ("struct S { double &r; };", "S s{a[0]}; s.r = 1;", "unknown, writes, !"),
    ("struct S { double *p; static void set(double *q) { q[0] = 1; } };", "S::set(a);", "overwrites &q[0]"),
    ("template <class T> void set(T *p) { p[0] = 1; }", "set(a);", "overwrites &p[0]"),
    (
        "template <class T> struct S { T *p; void set() { p[0] = 1; } };",
        "S<double> s{a}; s.set();",
        "overwrites &this[0].p[0]",
    ),
    ("", "auto set = [&] { a[0] = 1; }; set();", "called, unknown, writes, !"),
    ("", "auto set = [a] { a[0] = 1; }; set();", "called, unknown, writes, !"),
    ("", "for (double &x : own) x = 1;", ""),
    ("", "for (double x : own) n += x;", ""),
    ("", "try { g(b); } catch (...) { n = 1; }", "unknown"),
    ("", "try { a[0] = 1; } catch (...) { n = 1; }", "overwrites &a[0], unknown"),
    ("", "try { g(b); } catch (int k) { n = a[k]; }", "reads &a[k], unknown"),
    ("", "try { if (n > 3) throw a; } catch (double *p) { p[1] = 2; }", "overwrites &p[1], unknown, !"),
    ("", "if (n > 3) throw 1;", "unknown"),
    ("static void set(double *p, double x = kept[0]) { p[1] = x; }", "set(b);", "unknown"),
    ("static double *kept_too = kept;", "kept = a; kept_too[0] = 1;", "overwrites &kept_too[0], !"),
    ("static double first(double *p) { return p[0]; } static double value = first(kept);", "n += value;", ""),
    ("", "static double x = a[0]; n += x;", "reads &a[0]"),
    ("", "double *p = reinterpret_cast<double *>(a); p[0] = 1;", "overwrites &p[0], unknown, !"),
    (
        "",
        "double *p = const_cast<double *>(static_cast<const double *>(a)); p[0] = 1;",
        "overwrites &p[0], unknown, !",
    ),
    ("", "double *p = static_cast<double *>(static_cast<void *>(a)); p[0] = 1;", "overwrites &p[0]"),
    (
        "struct B { double *p; }; struct D : B { int k; };",
        "D d; d.p = a; B &b1 = d; b1.p[0] = 1;",
        "overwrites &b1.p[0], unknown, !",
    ),
    ("struct S { union { double *p; long k; }; };", "S s; s.p = a; s.p[1] = 1;", "reads, writes"),
    ("struct S { double *p; double *get() { return p; } };", "S s; s.p = a; s.get()[1] = 1;", "writes, !"),
    (
        "struct S { static double *shown; }; double *S::shown;",
        "S::shown = a; S s; s.shown[0] = 1;",
        "unknown, writes, !",
    ),
    ("namespace N { static double *p; }", "N::p = a; N::p[0] = 1;", "writes"),
    (
        "static double *again(double *p) { return p; }",
        "double *(*q)(double *) = again; q(a)[0] = 1;",
        "unknown, writes, !",
    ),
    (
        "struct S { double *p; double *get() { return p; } };",
        "S s{a}; double *(S::*q)() = &S::get; (s.*q)()[0] = 1;",
        "no memory",
    ),
    (
        "",
        "std::vector<double> v(9); double *p = v.data(); p[0] = 1; std::vector<double> w = v; n += w[0];",
        "unknown",
    ),
    (
        "static double sum(const std::vector<double> &v) { double s = 0; for (int i = 0; i < 3; i++) s += v[i]; return s; }",
        "std::vector<double> v(9); n += sum(v);",
        "",
    ),
    ("", "double k = std::max(a[0], b[0]); n += k;", "reads &a[0]"),
    ("", "n += std::abs(a[0]) + std::sqrt(a[1]);", "reads &a[0], reads &a[1]"),
    ("", "auto [x, y] = two; x = 1; n += y;", "unknown"),
    ("", "std::fill(a, a + 3, 1.0);", "overwrites &a[0]"),
    ("", "if (double x = a[0]; x > 1) n = 1;", "no memory"),
    ("", "constexpr int k = 3; using T = double; T x = k; n += x;", ""),
    ("enum class E { one }; ", "E e = E::one; n += static_cast<int>(e);", ""),
    ("", "for (double &x : own) x = 1; REGION(own)", "writes"),
    ("", "for (double x : own) n += x; REGION(own)", "reads"),
    ("", "for (double *p : {a, b}) p[0] = 1;", "no memory"),
    (
        "static double &at(std::vector<double> &v, int i) { return v[i]; }",
        "std::vector<double *> w{a}; std::vector<double> v(3); at(v, 1) = 2; w[0][1] = 1;",
        "unknown, writes, !",
    ),
    (
        "static std::vector<long> held;",
        "held.push_back((long)a); ((double *)held[0])[1] = 1;",
        "reads, unknown, writes, !",
    ),
    (
        "struct S { std::vector<long> v; };",
        "S s; s.v.push_back((long)a); ((double *)s.v[0])[1] = 1;",
        "reads &s.v.data()[0ul], unknown, writes, !",
    ),
    (
        "static void keep(std::vector<long> v) { ((double *)v[0])[1] = 1; }",
        "std::vector<long> v{(long)a}; keep(v);",
        "reads &v.data()[0ul], unknown, writes, !",
    ),
    (
        "",
        "std::vector<long> v{(long)a}; std::vector<long> &w = v; ((double *)w[0])[1] = 1;",
        "reads &w.data()[0ul], unknown, writes, !",
    ),
    (
        "",
        "std::vector<long> v{(long)a}, w; w = std::move(v); ((double *)w[0])[1] = 1;",
        "reads, unknown, writes, !",
    ),
    (
        "",
        "std::vector<long> v[2]; v[0].push_back((long)a); ((double *)v[0][0])[1] = 1;",
        "reads, unknown, writes, !",
    ),
    ("", "long x = (long)a, y = 0; std::swap(x, y); ((double *)y)[1] = 1;", "writes"),
    ("struct S { double *p; }; static S make(double *p) { return {p}; }", "make(a).p[0] = 1;", "writes"),
    (
        "struct S { double *p; }; static S make(double *p) { S s; s.p = p; return s; }",
        "S s = make(a); s.p[0] = 1;",
        "overwrites &s.p[0]",
    ),
    (
        "struct S { double *p; S &set(double *q) { p = q; return *this; } };",
        "S s; s.set(a).p[0] = 1;",
        "overwrites &this->p, reads, writes, !",
    ),
    (
        "struct S { double *p; void take(S other) { p = other.p; } };",
        "S s, t{a}; s.take(t); s.p[0] = 1;",
        "overwrites &s.p[0], overwrites &this->p, !",
    ),
    ("struct S { double *p, *q[2]; };", "S s = {b, {a, b}}; s.q[0][1] = 1;", "overwrites &s.q[0][1]"),
    (
        "struct S { S *next; double *p; };",
        "S s = {nullptr, a}, t = {&s, b}; t.next->p[0] = 1;",
        "overwrites &t.next->p[0]",
    ),
    (
        "struct S { double *p; }; static void fill(const S &s) { s.p[0] = 1; }",
        "fill({a});",
        "overwrites &s.p[0]",
    ),
    (
        "struct S { double *p; }; static void fill(const S &s) { s.p[0] = 1; }",
        "fill(S{a});",
        "overwrites &s.p[0]",
    ),
    ("static void fill(double *const &p) { p[0] = 1; }", "fill(a); fill(&a[1]); fill(a + 2);", "writes"),
    ("static void fill(double &&x) { x = 1; }", "fill(std::move(a[1]));", "overwrites &x, reads, unknown, !"),
    (
        "void *operator new[](std::size_t, double *p) { return p; }",
        "double *p = new (a) double[2]; p[0] = 1;",
        "overwrites &p[0], unknown, !",
    ),
    (
        "void *operator new[](std::size_t n) { return kept; } void operator delete[](void *p) noexcept { }",
        "kept = a; double *p = new double[2]; p[0] = 1;",
        "overwrites &p[0], unknown, !",
    ),
    (
        "static double *choose(double *p) { static double *first = p; return first; }",
        "choose(a)[0] = 1;",
        "writes",
    ),
    (
        "static int count(double *p) { p[0] += 1; return 0; }",
        "static int first = count(a); n += first;",
        "reads &p[0], writes &p[0]",
    ),
    (
        "struct S { double *p; }; static double *operator+(S s, int i) { return s.p + i; }",
        "S s = {a}; *(s + 1) = 1;",
        "writes, !",
    ),
    (
        "namespace N { struct S { double *p; }; void swap(S &s, S &t) { s.p[0] = 1; } }",
        "N::S s = {a}, t = {b}; swap(s, t);",
        "overwrites &s.p[0]",
    ),
    (
        "namespace N { struct S { double *p; }; double *begin(S &s) { s.p[1] = 1; return s.p; } double *end(S &s) { return s.p; } }",
        "N::S s = {a}; for (double x : s) n += x;",
        "no memory",
    ),
    (
        "static double sum(double *p) { return p[0]; } template <class T> double twice(T *p) { return 2 * sum(p); }",
        "n += twice(a);",
        "reads &p[0]",
    ),
    (
        "static void set(double *p) { p[0] = 1; } template <void (*F)(double *)> void apply(double *p) { F(p); }",
        "apply<set>(a);",
        "called, unknown, !",
    ),
    (
        "static void set(double *p) { p[0] = 1; } template <class F> void apply(F f, double *p) { f(p); }",
        "apply(set, a);",
        "called, unknown, !",
    ),
    ("static void set(double x[3]) { x[0] = 1; }", "set(a);", "overwrites &x[0]"),
    (
        "static double (&as_array(double *p))[3] { return reinterpret_cast<double (&)[3]>(*p); }",
        "as_array(a)[1] = 1;",
        "reads, unknown, writes, !",
    ),
    ("", "double *&r = a; r[1] = 1; r = b;", "overwrites &r[1]"),
    ("", "double *p = a; auto &r = *p; r += 1;", "reads &r, writes &r"),
    ("", "auto p = &a[1]; *p++ = 1;", "writes"),
    ("", "int k = sizeof(a[0]); n += k;", ""),
    ("", "decltype(a[0] + 0) k = alignof(double); std::printf(\"%g\", k);", ""),
    ("struct S { int k = 3; double *p = nullptr; };", "S s; S t{}; n += s.k + t.k;", ""),
    (
        "struct S { double *p; S() : p(nullptr) {} S(double *q) : p(q) {} };",
        "S s, t(a); t.p[1] = 1;",
        "overwrites &t.p[1]",
    ),
    (
        "struct S { double *p; S() : p(kept) {} };",
        "kept = a; S s; s.p[0] = 1;",
        "overwrites &s.p[0], unknown, !",
    ),
    (
        "struct S { double *p; S() : p(nullptr) {} S(const S &s) : p(kept) {} };",
        "S s; S t = s; n += t.p[0];",
        "unknown",
    ),
    ("struct S { int k = 3; ~S() { kept[0] = 1; } };", "kept = a; S s; n += s.k;", "called, unknown"),
    ("void (*table[2])(double *);", "table[n](b);", "unknown"),
    ("", "static_cast<void>(n);", ""),
    ("", "bool is = n > 3; n += is;", ""),
];

/// Two regions that use the elements of `v`, a vector or a `std::array`, with code between them; `w` is another one.
fn of_container(class: &str, code: &str) -> String {
    let (made, header) =
        if class == "vector" { ("std::vector<double> v(9), w(9)", "vector") } else { (class, "array") };
    format!(
        "#include <{header}>\n#include <cstdio>\n#include <utility>\nvoid g(int);\n\
         int main(int n, char **) {{ {made}; double *a = v.data(); REGION(a) {code} REGION(a) return 0; }}\n"
    )
}

/// Code, and what it does with the elements of a vector and of a `std::array`.
const CONTAINERS: &[(&str, &str, &str)] = &[
    ("n += v.size() + v.empty() + w.size();", "", ""),
    ("for (std::size_t k = 0; k < w.size(); k++) w[k] = 1;", "", ""),
    ("if (v.empty()) return 1;", "jump", "jump"),
    ("double x = v[n]; w[0] = x;", "reads &v.data()[n]", "reads &v.data()[n]"),
    (
        "double x = v.front() + v.back();",
        "reads &v.data()[0], reads &v.data()[v.size() - 1ul]",
        "reads &v.data()[0], reads &v.data()[8ul]",
    ),
    ("v.at(3) = 1;", "overwrites &v.data()[3ul]", "overwrites &v.data()[3ul]"),
    (
        "const auto &r = v; double x = r[2] + r.back();",
        "reads &r.data()[2ul], reads &r.data()[r.size() - 1ul]",
        "reads &r.data()[2ul], reads &r.data()[8ul]",
    ),
    ("for (double x : v) w[0] += x;", "reads", "reads"),
    ("for (auto &x : v) { x += n; }", "reads, writes", "reads, writes"),
    ("for (float x : w) n += x;", "", ""),
    ("double *p = v.data() + 1; p[n] = 2;", "overwrites &p[n]", "overwrites &p[n]"),
    ("g(v.size());", "unknown", "unknown"),
];

#[test]
fn containers_between_regions() {
    let mut wrong = String::new();
    for (code, vector, array) in CONTAINERS {
        for (class, expected) in [("vector", vector), ("std::array<double, 9> v, w", array)] {
            let found = between_in("host.cpp", &of_container(class, code));
            if found != *expected {
                wrong += &format!("{class} | {code}\n  found {found:?}, expected {expected:?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Code in a member function of a class with vectors `v` and `w`, between two regions that use the elements of `v`, and
/// what it does. Other files may have objects of the class.
const MEMBERS: &[(&str, &str)] = &[
    ("", "!"),
    ("double x = v[2]; n += x;", "reads &this->v.data()[2ul], writes &this->n, !"),
    ("v[n] = 1;", "overwrites &this->v.data()[this->n], !"),
    (
        "double x = v.back(); w.at(1) = x;",
        "called, reads &this->v.data()[this->v.size() - 1ul], unknown, writes, !",
    ),
    ("std::swap(v, w);", "reads &this->v, reads &this->w, writes &this->v, writes &this->w, !"),
    ("v.swap(w);", "writes &this->v, writes &this->w, !"),
    ("v.resize(n);", "called, unknown, writes, writes &this->v, !"),
    ("other(v.size());", "unknown, !"),
    (
        "for (int i = 0; i < n; i++) w[i] = v[i];",
        "overwrites &this->w.data()[i], reads &this->v.data()[i], !",
    ),
];

#[test]
fn vectors_that_are_members_between_regions() {
    let mut wrong = String::new();
    for (code, expected) in MEMBERS {
        let text = format!(
            "#include <utility>\n#include <vector>\nvoid other(int);\n\
             struct S {{ int n; std::vector<double> v, w; void f(); }};\n\
             void S::f() {{ double *a = v.data(); REGION(a) {code} REGION(a) }}\n"
        );
        let found = between_in("host.cpp", &text);
        if found != *expected {
            wrong += &format!("{code}\n  found {found:?}, expected {expected:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What may end the program needs no memory if nothing else can use it then: the code before `main`, that between the
/// regions, and what it does.
const ENDING: &[(&str, &str, &str)] = &[
    ("", "assert(n > 0); if (n > 9) std::abort();", ""),
    ("", "if (n > 9) std::exit(1);", ""),
    ("", "if (v.at(n) > 2) std::exit(1);", "reads &v.data()[n]"),
    ("", "std::vector<double> z(n); z.push_back(1);", ""),
    (
        "void other() { try { g(1); } catch (...) { } }",
        "assert(n > 0); v.at(n);",
        "reads &v.data()[n], unknown",
    ),
    ("static void last() { } void start() { std::atexit(last); }", "std::exit(1);", ""),
    (
        "static double *kept; static void last() { kept[0] = 1; } void start() { std::atexit(last); }",
        "std::exit(1);",
        "",
    ),
    (
        "static double *kept; static void last() { kept[0] = 1; } void start() { std::atexit(last); }",
        "kept = v.data(); std::exit(1);",
        "called, unknown",
    ),
    ("static double *kept; struct S { ~S() { kept[0] = 1; } };", "std::exit(1);", "unknown"),
    ("#include <csignal>\nvoid start(void (*f)(int)) { std::signal(6, f); }", "std::abort();", "unknown"),
    ("#include <csignal>\nvoid start(void (*f)(int)) { std::signal(6, f); }", "std::_Exit(1);", ""),
];

#[test]
fn ends_of_the_program_between_regions() {
    let mut wrong = String::new();
    for (before, code, expected) in ENDING {
        let text = format!(
            "#include <cassert>\n#include <cstdlib>\n#include <vector>\nvoid g(int);\n{before}\n\
             int main(int n, char **) {{ std::vector<double> v(9); double *a = v.data(); REGION(a) {code} REGION(a) return 0; }}\n"
        );
        let found = between_in("host.cpp", &text);
        if found != *expected {
            wrong += &format!("{before} | {code}\n  found {found:?}, expected {expected:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn code_between_regions() {
    let mut wrong = String::new();
    for (before, code, expected) in ROWS {
        let found = between_in("host.cpp", &file(before, code));
        if found != *expected {
            wrong += &format!("{before} | {code}\n  found {found:?}, expected {expected:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
