//! Memory of blocks, and what types evaluate.

use super::check_ways;

/// What is declared, and how.
const WAYS: &[(&str, &str)] = &[
    // Memory of blocks.
    ("void f(int n) { double x[n]; REGION(x) x[0] = 1; REGION(x) }", "overwrites &x[0]"),
    (
        "void f(int n) { double x[9]; REGION(x) { double x[3]; if (n) return; x[0] = n; } REGION(x) }",
        "no memory",
    ),
    ("void f(int n) { { double x[9]; REGION(x) REGION(x) } { double x[3]; x[0] = n; } }", ""),
    ("void f(int n) { double *x = __builtin_alloca(99); REGION(x) REGION(x) }", "no memory"),
    ("void f(int n) { double *x = (double[9]){0}; REGION(x) REGION(x) }", "no memory"),
    // What types evaluate.
    (
        "static int of(int n, double b[n]) { return (double (*)[(int)b[1]])0 != 0; } static void f(double *a) { REGION(a) of(9, a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "unknown, !",
    ),
    (
        "static double own[9]; void f(int n) { REGION(own) n += (double (*)[(int)own[1]])0 != 0; REGION(own) }",
        "writes",
    ),
    (
        "static double own[9]; static int g(void) { own[0] = 1; return 2; } void f(int n) { REGION(own) n += (double (*)[g()])0 != 0; REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; void f(int n) { REGION(own) n += sizeof(int[(int)own[1]]); REGION(own) }",
        "reads &own[1]",
    ),
    (
        "static double own[9]; void f(int n) { REGION(own) typedef int row[(int)(own[1] = 2)]; REGION(own) }",
        "overwrites &own[1]",
    ),
    (
        "static double own[9];\n#define MOVE(p) p += (double (*)[(int)own[1]])0 != 0\nvoid f(int n) { REGION(own) MOVE(n); REGION(own) }",
        "writes",
    ),
];

#[test]
fn declarations_are_followed() {
    check_ways(WAYS);
}
