//! Which memory pointers lead to, and the ways between two regions.

use super::between;

/// The code before two regions that use `own`, an array of the program or the function; the code between them; and
/// what it does with `own`.
const OBJECTS: &[(&str, &str, &str)] = &[
    ("static double own[9];", "p[0] = 1;", ""),
    ("double own[9];", "p[0] = 1;", ""),
    ("double own[9]; keep(own);", "p[0] = 1;", "overwrites &p[0], !"),
    ("double own[9]; double *kept = &own[2];", "p[0] = 1;", ""),
    ("double own[9]; double *kept = &own[2];", "kept[0] = 1;", "overwrites &kept[0]"),
    ("static double own[9];", "q[0] = 1;", ""),
    ("static double own[9];", "c[0] = 1;", ""),
    ("static double own[9];", "b[0][0] = 1;", ""),
    ("double own[9];", "b[0][0] = 1;", ""),
    ("static double own[9]; b[0] = own;", "b[0][0] = 1;", "overwrites &b[0][0], !"),
    ("static double own[9];", "d[0][0] = 1;", ""),
    ("static double own[9];", "b[0] = 0;", ""),
    ("double own[9]; static double other[9];", "other[0] = 1;", ""),
    ("double own[9];", "own[0] = 1;", "overwrites &own[0]"),
    ("double *own = p; if (n > 100) own++;", "double mine = 1; mine += n;", "!"),
    ("double mine = 1, *own = p; if (n > 100) own = &mine;", "mine = 2;", "overwrites &mine, !"),
    ("double *own = p; double mine = 1; keep(&mine);", "mine = 2;", "overwrites &mine, !"),
];

#[test]
fn objects_are_told_from_what_pointers_lead_to() {
    for (before, code, expected) in OBJECTS {
        let text = format!(
            "void keep(double *);\nvoid f(int n, double *p, int *q, char *c, double **b, int **d) {{ {before}\n\
             REGION(own) {code} REGION(own) keep(0); }}\n"
        );
        assert_eq!(between(&text), *expected, "{before} {code}");
    }
}

/// Whole files with two regions, and what is between them.
const FILES: &[(&str, &str)] = &[
    // A loop around a region, and one that reads the array after each round.
    (
        "void f(int m, double *a) { double sum = 0; for (int t = 0; t < m; t++) { REGION(a) sum += t; } REGION(a) }",
        "!",
    ),
    (
        "void f(double *a) { do { for (int t = 0; t < 9; t++) { REGION(a) } } while (a[0] < 1); REGION(a) }",
        "reads &a[0], !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) if (a[0] > 7) n--; REGION(a) } }",
        "reads &a[0], !",
    ),
    (
        "void g(void); void f(int m, double *a) { REGION(a) for (int t = 0; t < m; t++) { g(); REGION(a) } }",
        "unknown, !",
    ),
    // Jumps.
    (
        "int f(double *a) { for (int t = 0; t < 9; t++) { REGION(a) if (t == 5) return 1; REGION(a) } return 0; }",
        "jump, !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) if (t == n) break; REGION(a) } }",
        "jump, !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) if (t == n) continue; REGION(a) } }",
        "jump, !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) switch (t) { case 1: continue; } REGION(a) } }",
        "jump, !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) switch (t) case 1: continue; REGION(a) } }",
        "jump, !",
    ),
    // Pointers that change places, also parameters that are declared as arrays.
    (
        "void f(int n, double *a, double *b) { for (int t = 0; t < 9; t++) { REGION(a) double *c = a; a = b; b = c; REGION(b) } }",
        "!",
    ),
    (
        "void f(int n, double a[n], double b[n]) { for (int t = 0; t < 9; t++) { REGION(a) double *c = a; a = b; b = c; REGION(b) } }",
        "!",
    ),
    (
        "void f(int n, double a[], double *b) { for (int t = 0; t < 9; t++) { REGION(a) double *c = a; a = b; b = c; REGION(b) } }",
        "!",
    ),
    // A function with the name of one of the library's.
    (
        "double *kept; void *malloc(unsigned long n) { return kept; } void f(double *a) { REGION(a) double *fresh = malloc(8); fresh[0] = 1; REGION(a) }",
        "overwrites &fresh[0], !",
    ),
    (
        "static double *kept; void *malloc(unsigned long n) { return kept; } void f(double *a) { kept = a; REGION(a) double *fresh = malloc(8); fresh[0] = 1; REGION(a) }",
        "overwrites &fresh[0], !",
    ),
    // Characters may be pointers.
    ("void f(char *a, double **b) { REGION(a) double *x = b[0]; REGION(a) }", "reads &b[0], !"),
];

#[test]
fn whole_files() {
    for (text, expected) in FILES {
        assert_eq!(between(text), *expected, "{text}");
    }
}
