//! Forms of lvalues, and memory that holds pointers.

use super::check_ways;

/// What is written, and how.
const WAYS: &[(&str, &str)] = &[
    // Forms of lvalues.
    (
        "static void f(int n, double *a, double *b) { REGION(a) *(n ? a : b) = 1; REGION(a) } int main(void) { double *m = malloc(99); f(8, m, m); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) (unknown(), a)[1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "unknown, writes",
    ),
    (
        "static void f(double *a) { REGION(a) 2[a] = 3; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &a[2]",
    ),
    (
        "static void f(double *a) { REGION(a) *(double *)((char *)a + 8) = 4; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) ((double (*)[3])a)[1][2] = 5; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(void *v) { double *a = v; REGION(a) memset(v + 8, 0, 8); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    // Integers as pointers.
    (
        "static void f(double *a, long b) { REGION(a) ((double *)(b + 8))[0] = 1; REGION(a) } int main(void) { double *m = malloc(99); f(m, (long)m); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a, long b) { REGION(a) b[(double *)0] = 1; REGION(a) } int main(void) { double *m = malloc(99); f(m, (long)m / 8); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a, long b) { REGION(a) *(double *)(b ^ 5) = 1; REGION(a) } int main(void) { double *m = malloc(99); f(m, (long)m ^ 5); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a, unsigned long b) { REGION(a) *(double *)~b = 1; REGION(a) } int main(void) { double *m = malloc(99); f(m, ~(unsigned long)m); return 0; }",
        "writes",
    ),
    // Vectors and complex numbers.
    (
        "typedef double v4 __attribute__((vector_size(32))); static void f(double *a) { v4 *p = (v4 *)a; REGION(a) p[0][1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads &p[0], writes",
    ),
    (
        "static void f(double *a) { _Complex double *p = (_Complex double *)a; REGION(a) __imag__ p[1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads &p[1], writes",
    ),
    (
        "static void f(double *a) { REGION(a) __real__ a[1] = 3; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads &a[1], writes",
    ),
    // Structures, unions, arrays of pointers, and what is set when it is declared.
    (
        "struct s { double *p; }; static void set(struct s s) { s.p[0] = 1; } static void f(double *a) { struct s s; s.p = a; REGION(a) set(s); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &s.p[0]",
    ),
    (
        "struct s { double *p; }; static struct s make(double *p) { struct s s = {p}; return s; } static void f(double *a) { REGION(a) make(a).p[0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "struct s { double x[9]; }; static double first(struct s s) { return s.x[0]; } void f(void) { struct s s = {{1}}; double *a = s.x; REGION(a) first(s); REGION(a) }",
        "reads &s",
    ),
    (
        "struct s { double x[9]; }; static void f(struct s s) { double *a = s.x; REGION(a) s = (struct s){{2}}; REGION(a) } int main(void) { struct s s = {{1}}; f(s); return 0; }",
        "overwrites &s",
    ),
    (
        "struct s { double x[9]; }; void f(void) { struct s s = {{1}}, t = s; double *a = s.x; REGION(a) t = s; REGION(a) (void)t; }",
        "reads &s",
    ),
    (
        "struct s { int n; double x[]; }; static void f(struct s *q) { double *a = q->x; REGION(a) q->x[1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &q->x[1]",
    ),
    (
        "struct s { double x[9]; int n : 3; }; static struct s s; void f(void) { double *a = s.x; REGION(a) s.n = 2; REGION(a) }",
        "writes",
    ),
    (
        "union u { double *p; long n; }; static void f(double *a) { union u u; REGION(a) u.p = a; ((double *)u.n)[1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "struct s { double *p; }; static void f(double *a) { struct s *q; REGION(a) q = &(struct s){a}; q->p[0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &q->p[0]",
    ),
    (
        "static void f(double *a) { REGION(a) ((double *[]){a})[0][1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static double own[9]; static double *const t[] = {[1] = own + 1}; void f(int n) { REGION(own) t[n][0] = 1; REGION(own) }",
        "overwrites &t[n][0]",
    ),
    (
        "static double own[9]; static struct { int n; double *p; } s = {.p = &own[2]}; void f(void) { REGION(own) s.p[0] = 2; REGION(own) }",
        "overwrites &s.p[0]",
    ),
    (
        "static double own[9]; static double *get(void) { static double *const p = &own[1]; return p; } void f(void) { REGION(own) get()[0] = 2; REGION(own) }",
        "writes",
    ),
    (
        "static void f(double *a) { double *t[2] = {0, a}; REGION(a) double **u = t; u[1][0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &u[1][0]",
    ),
    (
        "static void f(double *a) { REGION(a) double *p; memcpy(&p, &a, sizeof p); p[0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &p[0]",
    ),
    (
        "static void f(double *a) { double x, *p; REGION(a) memcpy(&x, &a, 8); double y = x; memcpy(&p, &y, 8); p[0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &p[0]",
    ),
];

#[test]
fn lvalues_are_understood() {
    check_ways(WAYS);
}
