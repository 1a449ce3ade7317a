//! Which variables are constants whose values the translation knows.

use crate::extract;

/// Declarations of `k`, the bound of a loop, and whether its value is known. `LINE(x)` is `x` plus a line number;
/// compilers disagree on which line that is if the macro is used over several lines.
const CONSTANTS: &[(&str, bool)] = &[
    ("const int k = 9;", true),
    ("int k = 9;", false),
    ("const int k = n;", false),
    ("static const int k = {9};", true),
    ("const int k = LINE(9);", true),
    ("const int k = LINE(\n9);", false),
    // Of literals that need 128 bits, clang provides the lower half, which suffices if nothing else is used.
    ("const unsigned k = 9223372036854775813;", true),
    ("const int k = 9223372036854775813 % 11;", false),
    ("const int k = 9223372036854775807 % 11;", true),
];

#[test]
fn constants_are_those_that_compilers_agree_on() {
    let mut wrong = Vec::new();
    for (declaration, known) in CONSTANTS {
        let text = format!(
            "#define LINE(x) (x + __LINE__)\nvoid f(int n, double *a) {{ {declaration}\n#pragma scop\n\
             for (unsigned i = 0; i < k; i++) a[i] = k;\n#pragma endscop\n}}\n"
        );
        match extract("constants.c", &text) {
            Ok(outcome) if outcome.value.scops[0].model.parameters.is_empty() == *known => {}
            other => wrong.push(format!(
                "{declaration} gives {:?}",
                other.map(|o| o.value.scops[0].model.parameters.len())
            )),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Statements with constants whose values are not known.
#[test]
fn other_constants_in_a_region_are_refused() {
    for (statement, code) in [
        ("double q = {1, 2}; a[0] = q;", Some("E0140")),
        ("double q = {1}; a[0] = q;", None),
        ("const unsigned q = 9223372036854775813; a[0] = q;", None),
        ("inner[0] = 1;", None),
        ("outer[0] = 1;", Some("E0135")),
    ] {
        let text = format!(
            "#define LINE(x) (x + __LINE__)\nint inner[LINE(1)], outer[LINE(\n1)];\nvoid f(int n, double *a) {{\n#pragma scop\n{statement}\n#pragma endscop\n}}\n"
        );
        let found = extract("constants.c", &text).err().map(|refused| refused.0[0].code.clone());
        assert_eq!(found.as_deref(), code, "{statement}");
    }
}

/// Compilers disagree on the length of `__PRETTY_FUNCTION__`, and on the sizes of some classes.
const PEDANTIC: &str = "template <class T> constexpr int length() { return sizeof(__PRETTY_FUNCTION__); } struct made { int x; made(); };\n\
    constexpr int first = length<int>(), second = first + 1, third = 3; const int third_too = third;\n\
    template <class T> const int of_template = length<T>(); template <class T> constexpr T half = T(1) / 2;\n\
    enum { one = 1, named = length<int>(), after }; enum { size = sizeof(made) }; enum { plain, next = plain + 1 };\n\
    template <class T> struct in { enum { count = length<T>(), three = third }; }; template <int N> struct by { enum { count = N }; static const int size = N; double x[N]; };\n\
    typedef double row[length<int>()]; typedef double column[third]; double by_call[9][length<int>()], by_name[9][second], by_value[9][third_too] = {{length<int>()}};\n\
    auto &alias = by_call; auto *pointer = by_call; row *rows; column *columns;\n";

/// What a region uses, whether its value or length is known, and the code if it is refused.
const AGREEMENT: &[(&str, Result<bool, &str>)] = &[
    ("for (int i = 0; i < first; i++) a[i] = 0;", Ok(false)),
    ("for (int i = 0; i < second; i++) a[i] = 0;", Ok(false)),
    ("for (int i = 0; i < third_too; i++) a[i] = 0;", Ok(true)),
    ("a[0] = of_template<int>;", Err("E0140")),
    ("a[0] = half<double>;", Ok(true)),
    ("a[0] = named;", Err("E0140")),
    ("a[0] = after;", Err("E0140")),
    ("a[0] = size;", Err("E0140")),
    ("a[0] = next;", Ok(true)),
    ("a[0] = in<int>::count;", Err("E0140")),
    ("a[0] = by<length<int>()>::count;", Err("E0140")),
    ("a[0] = by<3>::count;", Ok(true)),
    ("a[0] = p->size;", Err("E0134")),
    ("a[0] = q->size;", Ok(true)),
    ("a[0] = sizeof(p->x);", Err("E0140")),
    ("a[0] = sizeof(q->x);", Ok(true)),
    ("a[0] = sizeof(by_call);", Err("E0140")),
    ("a[0] = sizeof(row);", Err("E0140")),
    ("a[0] = sizeof(column);", Ok(true)),
    ("by_call[0][1] = 0;", Err("E0135")),
    ("by_name[0][1] = 0;", Err("E0135")),
    ("by_value[0][1] = 0;", Ok(true)),
    ("alias[0][1] = 0;", Err("E0135")),
    ("pointer[0][1] = 0;", Err("E0135")),
    ("rows[0][1] = 0;", Err("E0135")),
    ("columns[0][1] = 0;", Ok(true)),
];

#[test]
fn constants_of_cxx_are_those_that_compilers_agree_on() {
    let mut wrong = Vec::new();
    for (statement, expected) in AGREEMENT {
        let text = format!(
            "{PEDANTIC}void f(double *a, by<length<int>()> *p, by<3> *q) {{\n#pragma scop\n{statement}\n#pragma endscop\n}}\n"
        );
        let found = match extract("constants.cpp", &text) {
            Ok(outcome) => Ok(outcome.value.scops[0].model.parameters.is_empty()),
            Err(refused) => Err(refused.0[0].code.clone()),
        };
        if found.as_ref().map_err(String::as_str) != expected.as_ref().map_err(|code| *code) {
            wrong.push(format!("{statement} gives {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
