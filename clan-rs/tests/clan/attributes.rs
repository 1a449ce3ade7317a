//! Which attributes make what a region uses special: each way in which an attribute is attached to a declaration.

use std::fs;

use clan_rs::Options;

use crate::extract;

const HEAD: &str = "typedef double loose __attribute__((may_alias)); struct odd { double x; } __attribute__((may_alias));\n\
    void ended(double *); double free_function(double);\n";

/// Files, in which `REGION(a);` is a region with that statement in a loop, and whether it uses something special.
const FILES: &[(&str, bool)] = &[
    // Variables.
    ("double g[9]; void f(int n) { REGION(g[i] = 1;) }", false),
    ("double g[9] __attribute__((weak)); void f(int n) { REGION(g[i] = 1;) }", true),
    ("double g[9]; void f(int n) { REGION(g[i] = 1;) } extern double g[9] __attribute__((weak));", true),
    ("double g[9] __attribute__((aligned(16), __unused__)); void f(int n) { REGION(g[i] = 1;) }", false),
    ("double g[9] __attribute__((section(\"s\"))); void f(int n) { REGION(g[i] = 1;) }", true),
    ("extern double g[9] __asm__(\"h\"); void f(int n) { REGION(g[i] = 1;) }", true),
    ("double g[9]; double h[9] __attribute__((weak)); void f(int n) { REGION(g[i] = 1;) }", false),
    ("void f(int n, double *a) { double t __attribute__((cleanup(ended))) = 1; REGION(a[i] = t;) }", true),
    ("void f(int n, double *a) { REGION(double t __attribute__((cleanup(ended))) = 1; a[i] = 1;) }", true),
    ("void f(int n, double *a) { double t __attribute__((unused)) = 1; REGION(a[i] = t;) }", false),
    // Attributes that clang does not know apply to what is declared there, and to nothing else.
    ("double g[9] __attribute__((unheard_of)); void f(int n) { REGION(g[i] = 1;) }", true),
    ("__attribute__((unheard_of)) double g[9]; void f(int n) { REGION(g[i] = 1;) }", true),
    ("double h[9] __attribute__((unheard_of)); double g[9]; void f(int n) { REGION(g[i] = 1;) }", false),
    ("double g[9]; double h[9] __attribute__((unheard_of)); void f(int n) { REGION(g[i] = 1;) }", false),
    ("void f(int n, double *a __attribute__((unheard_of))) { REGION(a[i] = 1;) }", true),
    (
        "struct s { double x; } __attribute__((unheard_of)); void f(int n, struct s *p) { REGION(p[i].x = 1;) }",
        true,
    ),
    (
        "struct __attribute__((unheard_of)) s { double x; }; void f(int n, struct s *p) { REGION(p[i].x = 1;) }",
        true,
    ),
    (
        "struct s { double x __attribute__((unheard_of)); }; void f(int n, struct s *p) { REGION(p[i].x = 1;) }",
        true,
    ),
    // Types, and what they are made of.
    ("void f(int n, loose g) { double a[9]; REGION(a[i] = g;) }", true),
    ("void f(int n, loose *g) { REGION(g[i] = 1;) }", true),
    ("loose g[9][9]; void f(int n) { REGION(g[i][i] = 1;) }", true),
    ("__typeof__(struct odd) g[9]; void f(int n) { REGION(g[i].x = 1;) }", true),
    ("struct odd g[9]; void f(int n) { REGION(g[i].x = 1;) }", true),
    ("struct s { double y; struct odd in; } g[9]; void f(int n) { REGION(g[i].y = 1;) }", true),
    ("struct s { double y; struct odd *in; } g[9]; void f(int n) { REGION(g[i].y = 1;) }", true),
    (
        "struct s { double y, x __attribute__((btf_decl_tag(\"tag\"))); } g[9]; void f(int n) { REGION(g[i].y = 1;) }",
        true,
    ),
    (
        "struct s { double y, x __attribute__((aligned(16))); } g[9]; void f(int n) { REGION(g[i].y = 1;) }",
        false,
    ),
    ("struct s { struct s *next; double y; } g[9]; void f(int n) { REGION(g[i].y = 1;) }", false),
    (
        "void f(int n, __attribute__((address_space(1))) double *g) { double a[9]; REGION(a[i] = g[i];) }",
        true,
    ),
    // Pragmas, for declarations at file scope.
    ("#pragma weak g\ndouble g[9]; void f(int n) { REGION(g[i] = 1;) }", true),
    ("double g[9]; void f(int n) { REGION(g[i] = 1;) }\n#pragma weak g\n", true),
    ("_Pragma(\"weak g\") double g[9]; void f(int n) { REGION(g[i] = 1;) }", true),
    ("#pragma weak h\ndouble g[9]; void f(int n) { REGION(g[i] = 1;) }", false),
    ("#pragma weak g\nvoid f(int n) { double g[9]; REGION(g[i] = 1;) }", false),
    ("#pragma weak g\nvoid f(int n, double *g) { REGION(g[i] = 1;) }", false),
    ("#pragma redefine_extname g h\nextern double g[9]; void f(int n) { REGION(g[i] = 1;) }", true),
    (
        "#pragma scalar_storage_order big-endian\nstruct s { int x; } g[9]; void f(int n) { REGION(g[i].x = 1;) }",
        true,
    ),
    ("#pragma scalar_storage_order big-endian\nint g[9]; void f(int n) { REGION(g[i] = 1;) }", false),
    (
        "struct s { int x; } g[9];\n#pragma scalar_storage_order big-endian\nvoid f(int n) { REGION(g[i].x = 1;) }",
        false,
    ),
    (
        "#pragma scalar_storage_order big-endian\n#pragma scalar_storage_order default\nstruct s { int x; } g[9]; \
         void f(int n) { REGION(g[i].x = 1;) }",
        false,
    ),
    // Functions that are called.
    ("static double h(double x) { return x; } void f(int n, double *a) { REGION(a[i] = h(1);) }", false),
    (
        "__attribute__((noinline, const)) double h(double x) { return x; } void f(int n, double *a) { REGION(a[i] = h(1);) }",
        false,
    ),
    (
        "__attribute__((weak)) double h(double x) { return x; } void f(int n, double *a) { REGION(a[i] = h(1);) }",
        true,
    ),
    (
        "#pragma weak h\ndouble h(double x) { return x; } void f(int n, double *a) { REGION(a[i] = h(1);) }",
        true,
    ),
    (
        "_Pragma(\"weak h_1\") double h_1(double x) { return x; } void f(int n, double *a) { REGION(a[i] = h_1(1);) }",
        true,
    ),
    ("__attribute__((optimize(3, \"wrapv\"))) void f(int n, double *a) { REGION(a[i] = 1;) }", true),
    (
        "__attribute__((optimize(3), deprecated(\"wrapv\"))) void f(int n, double *a) { REGION(a[i] = 1;) }",
        false,
    ),
    ("#pragma GCC optimize (3, \"wrapv\")\nvoid f(int n, double *a) { REGION(a[i] = 1;) }", true),
    ("#pragma GCC optimize 3, \"wrapv\"\nvoid f(int n, double *a) { REGION(a[i] = 1;) }", true),
    (
        "#pragma GCC optimize 3\nconst char *text = \"wrapv\"; void f(int n, double *a) { REGION(a[i] = 1;) }",
        false,
    ),
    (
        "static double h(double x) { double t __attribute__((unheard_of)) = x; return 1; } void f(int n, double *a) { REGION(a[i] = h(1);) }",
        true,
    ),
    ("static double h(loose x) { return 1; } void f(int n, double *a) { REGION(a[i] = h(1);) }", true),
    (
        "static double k(loose x) { return 1; } static double h(double x) { return k(1); } \
         void f(int n, double *a) { REGION(a[i] = h(1);) }",
        true,
    ),
    (
        "__attribute__((constructor)) static int h(void) { return 1; } void f(int n, double *a) { REGION(a[i] = h();) }",
        false,
    ),
    // Functions around regions.
    ("__attribute__((weak)) void f(int n, double *a) { REGION(a[i] = 1;) }", false),
    ("#pragma weak f\nvoid f(int n, double *a) { REGION(a[i] = 1;) }", false),
    ("__attribute__((noinline)) void f(int n, double *a) { REGION(a[i] = 1;) }", false),
    ("__attribute__((unheard_of)) void f(int n, double *a) { REGION(a[i] = 1;) }", true),
    ("static double g[9]; __attribute__((constructor)) void f(void) { int n = 9; REGION(g[i] = 1;) }", true),
    ("static double g[9]; __attribute__((destructor)) void f(void) { int n = 9; REGION(g[i] = 1;) }", true),
];

/// The same for C++, with the attributes of the standard.
const CXX: &[(&str, bool)] = &[
    ("[[gnu::weak]] double g[9]; void f(int n) { REGION(g[i] = 1;) }", true),
    ("[[gnu :: weak]] double g[9]; void f(int n) { REGION(g[i] = 1;) }", true),
    ("[[gnu::unused]] double g[9]; void f(int n) { REGION(g[i] = 1;) }", false),
    ("[[maybe_unused]] double g[9]; void f(int n) { REGION(g[i] = 1;) }", false),
    ("void f(int n, loose &t, double *a) { REGION(a[i] = t;) }", true),
    ("double *h(); void f(int n) { auto *g = new odd[9]; REGION(g[i].x = 1;) }", true),
    (
        "namespace space { double g[9] __attribute__((weak)); } void f(int n) { REGION(space::g[i] = 1;) }",
        true,
    ),
];

fn is_special(name: &str, text: &str) -> bool {
    let (before, rest) = text.split_once("REGION(").unwrap();
    let (statement, after) = rest.split_once(";)").unwrap();
    let text = format!(
        "{HEAD}{before}\n#pragma scop\nfor (int i = 0; i < n; i++) {{ {statement}; }}\n#pragma endscop\n{after}\n"
    );
    match extract(name, &text) {
        Ok(_) => false,
        Err(refused) => {
            assert!(refused.0.iter().all(|fault| fault.code == "E0135"), "{text}: {refused:#?}");
            true
        }
    }
}

#[test]
fn attributes_of_all_that_a_region_uses_count() {
    let mut wrong: Vec<&(&str, bool)> = Vec::new();
    for (name, files) in [("special.c", FILES), ("special.cpp", CXX)] {
        wrong.extend(files.iter().filter(|(text, special)| is_special(name, text) != *special));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn attributes_in_headers_count() {
    let folder = std::env::temp_dir().join(format!("clan-attributes-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (header, special) in [
        ("extern double g[9];\n", false),
        ("extern double g[9] __attribute__((weak));\n", true),
        ("extern double g[9];\n#pragma weak g\n", true),
        ("extern double g[9] __attribute__((unheard_of));\n", true),
    ] {
        fs::write(folder.join("mine.h"), header).unwrap();
        let text = "#include \"mine.h\"\nvoid f(int n) {\n#pragma scop\nfor (int i = 0; i < n; i++) g[i] = 1;\n#pragma endscop\n}\n";
        let outcome = clan_rs::run_on(&Options::for_file(folder.join("f.c")), text.as_bytes().to_vec());
        let codes = outcome.map_or_else(|refused| refused.0, |_| Vec::new());
        assert_eq!(codes.iter().any(|fault| fault.code == "E0135"), special, "{header}");
    }
    let _ = fs::remove_dir_all(folder);
}
