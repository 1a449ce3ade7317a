//! Statements of a function between two regions of it.

use super::between;

/// Functions that rows may call. A file has those that it names.
const FUNCTIONS: &[(&str, &str)] = &[
    ("exchange", "static void exchange(double **p, double **q) { double *r = *p; *p = *q; *q = r; }"),
    (
        "total",
        "static double total(int n, const double *p) { double sum = 0; for (int i = 0; i < n; i++) sum += p[i]; return sum; }",
    ),
    ("clear", "static void clear(int n, double *p) { for (int i = 0; i < n; i++) p[i] = 0; }"),
    ("clear_later", "static void clear_later(int n, double *p) { while (n-- > 0) *p++ = 0; }"),
    (
        "point_elsewhere",
        "static double *elsewhere; static void point_elsewhere(double *p) { p = elsewhere; p[3] = 0; }",
    ),
    ("write_elsewhere", "static void write_elsewhere(double *p, double *q) { p = q; p[3] = 7; }"),
    ("first", "static double *first(double *p) { return p; }"),
    ("endless", "static int endless(int n) { return n > 0 ? endless(n + 1) : 0; }"),
    ("in_parallel", "static void in_parallel(int n) {\n#pragma omp barrier\nn++; }"),
    ("(note)", "static void note(float *p) { }"),
    (
        "ending",
        "static void note(float *p) { } static void ending(void) { float k __attribute__((cleanup(note))) = 1; (void)k; }",
    ),
    ("loosely", "typedef double loose __attribute__((may_alias)); static void loosely(loose x) { }"),
    ("counting", "static void counting(void) { static double all; all += 1; }"),
    ("through", "static double *pointing; static void through(void) { pointing[0] = 1; }"),
    ("assembly", "static void assembly(void) { __asm__(\"\"); }"),
    ("by_a_pointer", "static void by_a_pointer(double *p) { double *restrict q = p; q[0] = 1; }"),
    ("omp_get_wtime", "double omp_get_wtime(void);"),
    ("harmless", "static void harmless(int n) { switch (n) { case 1: break; default: return; } }"),
    ("maybe", "__attribute__((weak)) void maybe(void) { }"),
    ("in_rows", "static double in_rows(int n, double m[][n]) { return m[1][0]; }"),
    ("by_first", "static int by_first(double *p, double (*m)[(int)p[0]]) { return m != 0; }"),
    ("odd", "extern float odd __attribute__((weak));"),
];

/// Two regions that use `a` with code between them, in a function that other files may call.
fn callable(parameters: &str, code: &str) -> String {
    let functions = FUNCTIONS.iter().filter(|(name, _)| code.contains(name)).map(|(_, text)| *text);
    let functions: Vec<&str> = functions.collect();
    format!(
        "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\
         void g(double *); extern double shared; struct pair {{ double x; }};\n{}\n\
         void f(int n, double *a{parameters}) {{ REGION(a) {code} REGION(a) }}\n",
        functions.join("\n")
    )
}

/// The same in a function to which this file passes memory of its own, by all parameters.
fn local(parameters: &str, code: &str) -> String {
    let arguments = parameters.split(',').skip(1).map(|parameter| match parameter {
        _ if parameter.contains("format") => ", \"%d\"",
        _ if parameter.contains("**") => ", (void *)&m",
        _ if parameter.contains("long") => ", (long)m",
        _ => ", (void *)m",
    });
    let arguments: String = arguments.collect();
    let text = callable(parameters, code).replace("\nvoid f(", "\nstatic void f(");
    format!("{text}int main(void) {{ double *m = malloc(72); f(8, m{arguments}); return 0; }}\n")
}

/// Checks rows: parameters, code, and what it does with `a` in a function that other files may call, and in one that
/// only this file calls.
fn check(table: &[(&str, &str, &str, &str)]) {
    for (parameters, code, in_callable, in_local) in table {
        assert_eq!(between(&callable(parameters, code)), *in_callable, "{parameters} {code}");
        assert_eq!(between(&local(parameters, code)), *in_local, "{parameters} {code}");
    }
}

const HARMLESS: &[(&str, &str)] = &[
    ("", ""),
    ("", "int k = n * 2; k += 1;"),
    ("", "double own = sqrt(2.0 * n); printf(\"%f\\n\", own);"),
    ("", "double own[3]; own[n % 3] = 1; for (int k = 0; k < 3; k++) own[k] += k;"),
    ("", "double *fresh = malloc(8); if (fresh) fresh[0] = 1;"),
    ("", "double *fresh = malloc(8); free(fresh);"),
    ("", "struct pair p; p.x = 1; printf(\"%f\", p.x);"),
    ("", "double *b = 0, *c = 0; exchange(&b, &c);"),
    ("", "static int k; k = n;"),
    ("", "harmless(n);"),
    ("", "n += clock();"),
    ("", "struct timespec now; clock_gettime(0, &now);"),
    ("", "n += (double (*)[n + 1])0 != 0;"),
    ("", "endless(n);"),
    ("", "{ double own[4]; a = own; }"),
    ("", "counting();"),
    ("", "through();"),
];

#[test]
fn code_that_cannot_touch_an_array_is_harmless() {
    for (parameters, code) in HARMLESS {
        check(&[(*parameters, *code, "!", "")]);
    }
}

const READING: &[(&str, &str, &str, &str)] = &[
    (", FILE *b", "fprintf(b, \"%d\", n); fflush(b);", "!", ""),
    (", FILE **b", "fprintf(b[0], \"%f\", a[2]);", "reads &a[2], !", "reads &a[2]"),
    (", int *count", "printf(\"%d\", count[0]);", "reads &count[0], !", "reads &count[0]"),
    (", double *restrict other", "printf(\"%f\", other[0]);", "reads &other[0], !", "reads &other[0]"),
    ("", "fprintf(stderr, \"%d\\n\", n); fflush(stdout);", "!", ""),
    (", double *restrict other", "printf(\"%f\", *(1 + other));", "reads &other[1], !", "reads &other[1]"),
    (", double *restrict other", "printf(\"%f\", total(n, other));", "reads &p[i], !", "reads &p[i]"),
    (", double *restrict other", "printf(\"%f\", *((double *)(void *)other));", "reads, !", "reads"),
    (
        ", double *restrict other",
        "printf(\"%f\", in_rows(n, (void *)other));",
        "reads &m[1][0], !",
        "reads &m[1][0]",
    ),
    ("", "if (a[0] > 1) n--;", "reads &a[0], !", "reads &a[0]"),
    (", double *b", "double x = b[0]; printf(\"%f\", x);", "reads &b[0], !", "reads &b[0]"),
    ("", "double x = shared; printf(\"%f\", x + *a);", "reads &a[0], reads &shared, !", "reads &a[0]"),
    ("", "printf(\"%f\", total(n, a));", "reads &p[i], !", "reads &p[i]"),
    (", double *b", "printf(\"%f\", total(n, b));", "reads &p[i], !", "reads &p[i]"),
    (", char *b", "int k = b[0]; printf(\"%d\", k);", "reads &b[0], !", "reads &b[0]"),
    (", char *b", "printf(\"%s\", b); fputs(b, stdout);", "reads, !", "reads"),
    (
        ", double *restrict other",
        "other++; printf(\"%f\", other[0]);",
        "reads &other[0], !",
        "reads &other[0]",
    ),
    ("", "double own[2] = {a[0], 1}; own[1] = 2;", "reads &a[0], !", "reads &a[0]"),
    (", struct pair *b", "struct pair q = b[0]; q.x = 1;", "reads &b[0], !", "reads &b[0]"),
    (", double b[n]", "double x = b[0]; printf(\"%f\", x);", "reads &b[0], !", "reads &b[0]"),
];

#[test]
fn code_that_reads_an_array() {
    check(READING);
}

const CHANGING: &[(&str, &str, &str, &str)] = &[
    ("", "for (int k = 0; k < n; k++) { if (k > 3) break; if (k == 2) continue; }", "jump, !", "jump"),
    ("", "switch (n) { case 1: n = 2; break; default: n = 3; }", "jump, !", "jump"),
    ("", "a[0] = 1;", "overwrites &a[0], !", "overwrites &a[0]"),
    ("", "*(a + 1) += 1;", "reads &a[1], writes &a[1], !", "reads &a[1], writes &a[1]"),
    ("", "double *b = a + 1; b[0]--;", "reads &b[0], writes &b[0], !", "reads &b[0], writes &b[0]"),
    (", double *b", "b[0] = 1;", "overwrites &b[0], !", "overwrites &b[0]"),
    (", char *b", "b[0] = 1;", "overwrites &b[0], !", "overwrites &b[0]"),
    (
        ", int *count",
        "count[0]++;",
        "reads &count[0], writes &count[0], !",
        "reads &count[0], writes &count[0]",
    ),
    (", float *restrict other", "other[0] = 1;", "overwrites &other[0], !", "overwrites &other[0]"),
    (
        ", double *restrict other",
        "other[n] = other[0] + 1;",
        "overwrites &other[n], reads &other[0], !",
        "overwrites &other[n], reads &other[0]",
    ),
    (", double **b, double **c", "exchange(b, c);", "overwrites &p[0], overwrites &q[0], !", ""),
    (", double **b", "b[0][0] = 1;", "overwrites &b[0][0], !", "overwrites &b[0][0]"),
    (", struct pair *b", "b->x = 1;", "overwrites &b->x, !", "overwrites &b->x"),
    (", struct pair *b", "b[n].x = 1;", "overwrites &b[n].x, !", "overwrites &b[n].x"),
    ("", "shared = 1;", "overwrites &shared, !", ""),
    ("", "clear(n, a);", "overwrites &p[i], !", "overwrites &p[i]"),
    (", double *b", "clear(n, b + 1);", "overwrites &p[i], !", "overwrites &p[i]"),
    (", double *b", "clear_later(n, b);", "writes, !", "writes"),
    (", double *b", "point_elsewhere(b);", "overwrites &p[3], !", "overwrites &p[3]"),
    ("", "double *fresh = malloc(32); write_elsewhere(fresh, a);", "overwrites &p[3], !", "overwrites &p[3]"),
    ("", "first(a)[0] = 1;", "writes, !", "writes"),
    (", double *b", "free(b);", "frees b, !", "frees b"),
    ("", "scanf(\"%lf\", a);", "writes, !", "writes"),
    ("", "if (n == 7) return;", "jump, !", "jump"),
    ("", "if (n == 7) goto end; end:;", "jump, !", "jump"),
    ("", "{ double own = 1; a = &own; }", "writes, !", "writes"),
    (", double b[n]", "b[0] = 1;", "overwrites &b[0], !", "overwrites &b[0]"),
    (
        ", double *b",
        "double *fresh = malloc(8); fresh = b; fresh[0] = 1;",
        "overwrites &fresh[0], !",
        "overwrites &fresh[0]",
    ),
    (
        "",
        "double *fresh = malloc(8); if (n > 100) a = fresh; fresh[0] = 1;",
        "overwrites &fresh[0], !",
        "overwrites &fresh[0]",
    ),
    (
        ", double *b",
        "double *restrict other = b; other[0] = 1;",
        "overwrites &other[0], !",
        "overwrites &other[0]",
    ),
    (", int *b", "printf(\"%d%n\", n, b);", "writes, !", "writes, !"),
    (", char *b", "free(b);", "frees b, !", "frees b"),
    ("", "by_a_pointer(a);", "overwrites &q[0], !", "overwrites &q[0]"),
    (", const char *format, char *b", "printf(format, b);", "writes, !", "writes"),
    (", long b", "((double *)b)[0] = 1;", "writes, !", "writes"),
];

#[test]
fn code_that_may_change_an_array_or_jumps() {
    check(CHANGING);
}

const UNKNOWN: &[(&str, &str, &str, &str)] = &[
    ("", "g(a);", "unknown, !", "unknown, !"),
    ("", "g(a + n);", "unknown, !", "unknown, !"),
    ("", "void (*h)(double *) = g; h(&a[1]);", "unknown, !", "unknown, !"),
    (", double **b", "g(*b);", "unknown, !", "unknown, !"),
    ("", "g(0);", "unknown, !", "unknown"),
    ("", "void (*h)(void) = 0; h();", "unknown, !", "unknown"),
    ("", "in_parallel(n);", "unknown, !", "unknown"),
    ("", "__asm__(\"\");", "unknown, !", "unknown"),
    ("", "#pragma omp parallel for\nfor (int k = 0; k < n; k++) n += 0;", "!", "!"),
    ("", "#pragma omp barrier\n// and go on", "!", "!"),
    ("", "{ n++; _Pragma(\"omp barrier\") }", "!", "!"),
    (
        ", volatile int *flag",
        "while (*flag) ;",
        "called, reads &flag[0], unknown, !",
        "reads &flag[0], unknown, !",
    ),
    (
        ", _Atomic int *flag",
        "while (*flag) ;",
        "called, reads &flag[0], unknown, !",
        "reads &flag[0], unknown",
    ),
    ("", "double own[3]; own[(g(0), 1)] = 2;", "unknown, !", "unknown"),
    ("", "double own[3] = {0}; double x = own[(g(0), 1)];", "unknown, !", "unknown"),
    ("", "double own[3]; double *q = &own[(g(0), 1)];", "unknown, !", "unknown"),
    ("", "int k; k = (g(0), 2);", "unknown, !", "unknown"),
    ("", "printf(\"%f\", (g(0), 1.0));", "unknown, !", "unknown"),
    ("", "int k = ({ int q = 1; q; });", "!", "!"),
    ("", "ending();", "unknown, !", "unknown, !"),
    ("", "loosely(1);", "no memory", "unknown"),
    ("", "assembly();", "unknown, !", "unknown"),
    ("", "omp_get_wtime();", "unknown, !", "unknown"),
    ("", "maybe();", "no memory", "no memory"),
    ("", "float x = odd;", "unknown, !", "unknown"),
    ("", "float k __attribute__((cleanup(note))) = 1;", "!", "!"),
    ("", "#pragma acc parallel loop\nfor (int k = 0; k < n; k++) n += 0;", "!", "!"),
    ("", "n += (double (*)[(int)a[1]])0 != 0;", "unknown, !", "unknown, !"),
    ("", "n += (double (*)[endless(n)])0 != 0;", "unknown, !", "unknown, !"),
    ("", "typeof((double (*)[(int)a[1]])0) rows = 0; n += rows != 0;", "unknown, !", "unknown, !"),
    ("", "by_first(a, 0);", "reads, unknown, !", "reads, unknown, !"),
];

#[test]
fn code_that_the_document_does_not_contain() {
    check(UNKNOWN);
}
