//! Constants of C++: which of them the translation computes, and which it takes from the program.

use clan_rs::{CompilerFlags, Options};

/// The code before a region that uses `K`, and whether compilers may disagree on the value of `K`.
const CONSTANTS: &[(&str, bool)] = &[
    ("constexpr int K = 3;", false),
    ("constexpr int K = 3 + sizeof(int);", false),
    ("struct Plain { int x; char c; }; constexpr int K = sizeof(Plain);", false),
    ("struct Base { int x; virtual ~Base(); }; constexpr int K = sizeof(Base);", true),
    (
        "struct Base { int x; virtual ~Base(); }; constexpr int size() { return sizeof(Base); } constexpr int K = size();",
        true,
    ),
    (
        "constexpr int asked() { if consteval { return 3; } else { return 4; } } constexpr int K = asked();",
        true,
    ),
    (
        "constexpr int asked() { if (true) { return 3; } else { return 4; } } constexpr int K = asked();",
        false,
    ),
    ("constexpr int K = __builtin_is_constant_evaluated() ? 3 : 4;", true),
    (
        "struct Own { static constexpr int size() { return __builtin_is_constant_evaluated() ? 3 : 4; } }; \
         constexpr int K = Own::size();",
        true,
    ),
    ("struct Own { static constexpr int size() { return 3; } }; constexpr int K = Own::size();", false),
    (
        "struct Own { int v; constexpr Own() : v(__builtin_is_constant_evaluated() ? 3 : 4) {} }; \
         constexpr int K = Own().v;",
        true,
    ),
    ("struct Own { int v; constexpr Own() : v(3) {} }; constexpr int K = Own().v;", false),
    (
        "struct Own { constexpr operator int() const { return __builtin_is_constant_evaluated() ? 3 : 4; } }; \
         constexpr int K = Own();",
        true,
    ),
    ("struct Own { constexpr operator int() const { return 3; } }; constexpr int K = Own();", false),
    (
        "template <int n> constexpr int size() { return __builtin_is_constant_evaluated() ? n : 4; } \
         constexpr int K = size<3>();",
        true,
    ),
    ("template <int n> constexpr int size() { return n; } constexpr int K = size<3>();", false),
];

#[test]
fn constants_on_which_compilers_may_not_agree_are_parameters() {
    let (flags, _) = CompilerFlags::split(vec!["clan-rs".into(), "-std=c++2b".into()]).unwrap();
    let options = Options { flags, ..Options::for_file("constants.cpp") };
    for (before, asked) in CONSTANTS {
        let text = format!(
            "{before}\nvoid f(double *a) {{\n#pragma scop\nfor (int i = 0; i < 9; i++) a[i + K] = 0;\n#pragma endscop\n}}\n"
        );
        let model = &clan_rs::run_on(&options, text.into_bytes()).unwrap().value.scops[0].model;
        assert_eq!(model.parameters.iter().any(|parameter| parameter.name == "K"), *asked, "{before}");
    }
}
