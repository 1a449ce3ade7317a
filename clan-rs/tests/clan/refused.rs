//! What is refused, with which code and on which line.

use crate::extract;

/// Returns the codes and lines of the messages for a file.
fn refusals(text: &str) -> Vec<(String, u32)> {
    match extract("refused.c", text) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => {
            let line = |d: &scop::Diagnostic| d.place.as_ref().map_or(0, |place| place.range.line);
            diagnostics.0.iter().map(|d| (d.code.clone(), line(d))).collect()
        }
    }
}

/// Returns a function with a region whose body is on line 5.
fn region(body: &str) -> String {
    format!(
        "#include <complex.h>\n#include <math.h>\nstruct pair {{ double x, y; }}; union both {{ double d; int i; }}; struct bits {{ int b : 3; struct pair in[2]; double *p; int n; union {{ int u; }}; }}; double f(double); int globl; double g(double x) {{ return x; }} \
         int recursive(int q) {{ return q > 0 ? recursive(q - 1) : 0; }} double counting(double x) {{ return x + globl++; }} double first(double *x) {{ return x[0]; }} \
         double many(int q, ...) {{ __builtin_va_list l; __builtin_va_start(l, q); return q; }} \
         int first_half(int q) {{ if (q > 3) return 1; else q = 2; }} int second_half(int q) {{ if (q > 3) q = 2; else return 1; }} \
         static double variable = 3; double changing(int q) {{ return q + variable; }} \
         static const volatile double watched = 3; double watching(int q) {{ return q + watched; }} \
         int endless(int q) {{ while (1) if (q > 3) return q; }} double held(double x) {{ volatile double q = x; return q; }} \
         void fun(int n, int m, unsigned u, double *restrict a, double (*restrict b)[n], int *restrict idx, double **rows, double s, struct pair *pairs, long double complex z, double complex w1, volatile double *v, int *p, double (*fp)(double), union both *un, struct bits *bits, struct bits more[], int *ints) {{ int i, j, k; double t; int w = 0;\n\
         #pragma scop\n{body}\n#pragma endscop\n}}\n"
    )
}

/// Bodies of regions, and the codes with which they are refused on line 5.
const BODIES: &[(&str, &[&str])] = &[
    // statements
    ("for (i = 0; i < n; i++) { while (w) { a[i] = 0; break; } }", &["E0110"]),
    ("do { a[0] = 1; if (s) continue; } while (n);", &["E0110"]),
    ("for (;;) a[0] = 1;", &["E0111"]),
    ("for (i = 0; i < n; i++) { if (i > 3) break; a[i] = 0; }", &["E0110"]),
    ("for (i = 0; i < n; i++) { if (i > 3) continue; a[i] = 0; }", &["E0110"]),
    ("for (i = 0; i < n; i++) return;", &["E0110"]),
    ("again: a[0] = 1; goto again;", &["E0110", "E0110"]),
    ("switch (n) { case 1: a[0] = 1; }", &["E0110"]),
    ("asm(\"nop\"); a[0] = 1;", &["E0110"]),
    ("struct pair q = {1, 2}; a[0] = q.x;", &["E0131"]),
    ("typedef int number; a[0] = 1;", &["E0132"]),
    ("a[0] = 1, n + 1;", &["E0140"]),
    ("n + 1;", &["E0140"]),
    ("f(s);", &["E0142"]),
    ("a[0] = __COUNTER__;", &["E0107"]),
    ("for (i = 0; i < n; i++) { double q = f(s); a[i] = 1; }", &["E0142"]),
    ("for (i = 0; i < n; i++) { double q; q = f(s); a[i] = 1; }", &["E0142"]),
    ("for (i = 0; i < n; i++) { double q; q = 1, f(s); a[i] = 1; }", &["E0142"]),
    ("for (i = 0; i < n; i++) { double q = v[i]; a[i] = 1; }", &["E0130"]),
    ("w = (f(s), 2);", &["E0142"]),
    ("(int)n; a[0] = 1;", &["E0140"]),
    ("(void)f(s); a[0] = 1;", &["E0142"]),
    ("(w = 3) + 2;", &["E0141"]),
    // loops
    ("for (i = 0, j = 0; i < n; i++) a[i] = 0;", &["E0111"]),
    ("for (double x = 0; x < 3; x++) a[(int)x] = 0;", &["E0111", "E0122"]),
    ("for (i = 1; i < n; i *= 2) a[i] = 0;", &["E0111"]),
    ("for (i = 0; i < n; i += m) a[i] = 0;", &["E0111"]),
    ("for (volatile int q = 0; q < n; q++) a[q] = 0;", &["E0130", "E0130"]),
    ("for (i = 0; i < n; i += 0) a[i] = 0;", &["E0112"]),
    ("for (i = 0; i < n; j++) a[i] = 0;", &["E0111"]),
    ("for (i = 0; i < n; j += 1) a[i] = 0;", &["E0111"]),
    ("for (i = 0; i < n; i = 5 - i) a[i] = 0;", &["E0111"]),
    ("for (int q = 0, r = 0; q < n; q++) a[q] = r;", &["E0111"]),
    ("for (_Bool q = 0; q < 1; q++) a[q] = 0;", &["E0111"]),
    ("for (i = 0; i < n; i--) a[i] = 0;", &["E0112"]),
    ("for (int q = n;; q--) a[q] = 0;", &["E0111"]),
    ("for (int q = n; m-- > 0;) a[q] = 0;", &["E0111"]),
    ("for (double q = n; q-- > 0;) a[n] = 0;", &["E0111"]),
    ("for (unsigned char q = 9; q-- > 0;) a[q] = 0;", &["E0111"]),
    ("for (++i; i-- > 0;) a[i] = 0;", &["E0111"]),
    ("for (int q = n; --q > 0;) a[q] = 0;", &["E0111"]),
    ("for (int q = n; q-- + m;) a[q] = 0;", &["E0111"]),
    ("for (volatile int q = n; q-- > 0;) a[q] = 0;", &["E0111"]),
    ("for (short q = 0; q != n; q++) a[q] = 0;", &["E0112"]),
    ("for (i = n; i > 0; i++) a[i] = 0;", &["E0112"]),
    ("for (i = 0; 1; i++) a[i] = 0;", &["E0112"]),
    ("for (unsigned q = u; q >= 0; q--) a[q] = 0;", &["E0112"]),
    ("for (unsigned char q = 0; q < 300; q++) a[q] = 0;", &["E0123"]),
    ("for (signed char q = 9; q > -200; q--) a[q + 200] = 0;", &["E0123"]),
    ("for (unsigned q = 0; q != u - q; q++) a[q] = 0;", &["E0112"]),
    ("for (unsigned q = 0; u - q != q; q++) a[q] = 0;", &["E0112"]),
    ("for (i = 0; i < n; i++) { a[i] = 0; i++; }", &["E0113"]),
    ("for (i = 0; i < n; i++) for (i = 0; i < n; i++) a[i] = 0;", &["E0113"]),
    ("i = 3; for (i = 0; i < n; i++) a[i] = 0;", &["E0113"]),
    ("if (a[0] > 0) for (i = 0; i < n; i++) a[i] = 0; a[1] = i;", &["E0114"]),
    ("if (a[0] > 0) for (i = 0; i < n; i++) a[i] = 0; for (int k = i; k < n; k++) a[k] = 0;", &["E0114"]),
    (
        "for (i = 0; i < n; i++) a[i] = 0; if (a[0] > 0) { a[1] = 2; for (int k = 0; k < n; k++) a[k] = 1; } \
         else { for (i = 3; i < n; i++) a[i] = 2; } a[2] = i;",
        &["E0114"],
    ),
    // affine expressions
    ("for (i = 0; i < idx[0]; i++) a[i] = 0;", &["E0122"]),
    ("for (i = 0; i < s; i++) a[i] = 0;", &["E0122"]),
    ("for (i = 0; i < n; i++) for (j = 0; j < i * n; j++) a[j] = 0;", &["E0120"]),
    ("for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i * n + j] = a[i * m + j];", &["E0120"]),
    ("for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i * n + j + 1] = 0;", &["E0120"]),
    ("for (unsigned q = 0; q < u; q++) for (j = 0; j < n; j++) a[(long)(q * u) + j] = 0;", &["E0123"]),
    ("for (i = 0; i < n; i++) a[idx[i]] = 0;", &["E0122"]),
    ("for (i = 0; i < n; i++) a[i % n] = 0;", &["E0120"]),
    ("for (i = 0; i < n; i++) a[i ^ 1] = 0;", &["E0120"]),
    ("for (i = 0; i < n; i++) a[n / i] = 0;", &["E0120"]),
    ("for (i = 0; i < n; i++) a[i & 5] = 0;", &["E0120"]),
    ("for (i = 0; i < n; i++) a[i >> 32] = 0;", &["E0120"]),
    ("for (i = 0; i < n; i++) a[i + (9 >> 128)] = 0;", &["E0120"]),
    ("for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i * n + j + m * w * n] = 0;", &["E0120"]),
    ("for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[(int)(float)(i * n) + j] = 0;", &["E0122"]),
    ("for (i = -3; i < n; i++) for (j = 0; j < n; j++) a[(long)(unsigned)(i * n) + j] = 0;", &["E0123"]),
    ("for (i = 0; i < n; i++) if (a[i] > 0) goto out; out: ;", &["E0110", "E0110"]),
    (
        "for (i = 0; i < n; i++) if (a[i] > 0) { for (j = 0; j < n; j++) if (j == 3) break; a[i] = 0; }",
        &["E0110"],
    ),
    ("for (i = 0; i < n; i++) if (a[i] > 0 && w++) a[i] = 0;", &["E0141"]),
    ("for (i = 0; i < n; i++) for (j = idx[i]; j < w++; j++) a[i] = 0;", &["E0141"]),
    ("for (i = 0; i < n; i++) for (j = idx[i]; j < idx[i + 1]; j++) a[j] = 0;", &["E0122"]),
    ("for (i = 0; i < n; i++) { w = i; a[w] = 0; }", &["E0121"]),
    ("for (i = 0; i < n; i++) { int q = idx[i]; a[q] = 0; }", &["E0121"]),
    ("for (i = 0; i < n; i++) { int q = i; q++; a[q] = 0; }", &["E0121"]),
    ("for (i = 0; i < n; i++) { int q = q + 1; a[q] = 0; }", &["E0121"]),
    ("for (i = 0; i < n; i++) a[i] = 0; int q = i; for (i = 0; i < 3; i++) b[q][i] = 1;", &["E0121"]),
    (
        "for (i = 0; i < n; i++) a[i] = 0; int q = i, r = q + 1; for (i = 0; i < 3; i++) b[r][i] = 1;",
        &["E0121"],
    ),
    ("for (i = 0; i < n; i++) a[i - 1u] = 0;", &["E0123"]),
    ("for (i = 0; i < n; i++) a[i++] = 0;", &["E0113", "E0120"]),
    ("for (i = 0; i < n; i++) a[(int)s] = 0;", &["E0122"]),
    ("for (i = 0; i < 5; i++) b[i][n] = 0;", &["E0124"]),
    ("for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[(short)(i * n + j)] = 0;", &["E0120"]),
    ("for (unsigned q = 0; q < u; q++) for (j = 0; j < n; j++) *(a + q * u + j) = 0;", &["E0123"]),
    // memory
    ("for (i = 0; i < n; i++) rows[i][0] = 0;", &["E0131"]),
    ("for (i = 0; i < n; i++) pairs[i] = pairs[n];", &["E0130"]),
    ("for (unsigned long q = 0; q < 18446744073709551615u; q++) a[q] = 0;", &["E0125"]),
    ("for (unsigned long q = n; q != (unsigned long)-1; q--) a[q] = 0;", &["E0125"]),
    ("for (i = 0; i < n; i++) un[i].d = 0;", &["E0140"]),
    ("for (i = 0; i < n; i++) a[i] = un[i].i;", &["E0140"]),
    ("for (i = 0; i < n; i++) a[i] = bits->b + bits->u;", &["E0140", "E0140"]),
    ("for (i = 0; i < n; i++) more[i].in[1].x = 0;", &["E0131"]),
    ("for (i = 0; i < n; i++) a[i] = more[i].in[1].x;", &["E0131"]),
    ("for (i = 0; i < n; i++) a[i] = more[i].p[0];", &["E0131"]),
    ("for (i = 0; i < bits->n; i++) { a[i] = 0; bits->n = 4; }", &["E0121"]),
    ("for (i = 0; i < bits->n; i++) ints[i] = 0;", &["E0133"]),
    ("for (i = 0; i < more[0].n; i++) a[i] = 0;", &["E0122"]),
    ("for (i = 0; i < n; i++) v[i] = 0;", &["E0130"]),
    ("for (i = 0; i < n; i++) a[i] = z;", &["E0130"]),
    ("for (i = 0; i < n; i++) a[i] = w1 * 2i;", &["E0130"]),
    ("for (i = 0; i < n; i++) a[i] = __imag__ s;", &["E0140"]),
    ("__real__ w1 = s;", &["E0131"]),
    ("for (i = 0; i < n; i++) a[i] = __real__ s;", &["E0140"]),
    ("for (i = 0; i < n; i++) ((float *)a)[i] = 0;", &["E0131"]),
    ("for (i = 0; i < n; i++) *a++ = 0;", &["E0131"]),
    ("a = 0;", &["E0130"]),
    ("for (i = 0; i < n; i++) { double *q = a; q[i] = 0; }", &["E0131"]),
    ("for (i = 0; i < n; i++) { double q[65] = {1, 2}; a[i] = q[0]; }", &["E0131"]),
    ("for (i = 0; i < n; i++) { double q[2] = {{1}, 2}; a[i] = q[0]; }", &["E0131"]),
    ("for (i = 0; i < n; i++) { static double q; q = a[i]; a[i] = q; }", &["E0132"]),
    ("for (i = 0; i < n; i++) { volatile double q = a[i]; a[i] = q; }", &["E0130"]),
    ("for (i = 0; i < n; i++) { double q[n * i]; q[0] = 1; a[i] = q[0]; }", &["E0131"]),
    ("for (i = 0; i < globl; i++) p[i] = 0;", &["E0133"]),
    // expressions
    ("for (i = 0; i < n; i++) a[i] = f(a[i]);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = recursive(i);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = counting(a[i]);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = counting(counting(a[i]));", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = first(a);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = endless(i);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = fp(a[i]);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = many(i, 2);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = first_half(i);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = second_half(i);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = changing(i);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = watching(i);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = held(a[i]);", &["E0142", "E0142"]),
    ("for (i = 0; i < n; i++) a[i] = sqrtl(a[i]);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = __builtin_expect(n > 3, w++);", &["E0142"]),
    ("for (i = 0; i < n; i++) a[i] = a[i] ?: w++;", &["E0141"]),
    ("for (i = 0; i < n; i++) a[i] = f(s) ?: 1;", &["E0140"]),
    ("for (i = 0; i < n; i++) a[i] = w++ ?: 1;", &["E0140"]),
    ("for (i = 0; i < n; i++) a[i] = watched + 1 ?: 1;", &["E0140"]),
    ("for (i = 0; i < n; i++) a[i] = s > 0 ? a[i + 1] += 1 : 2;", &["E0141"]),
    ("for (i = 0; i < n; i++) a[i] = s > 0 ? (w = 1, 2) : 3;", &["E0141"]),
    ("for (i = 0; i < n; i++) b[0][w++] += 1;", &["E0141"]),
    ("for (i = 0; i < n; i++) a[i] = *&s;", &["E0131"]),
    ("for (i = 0; i < n; i++) a[i] = sizeof(b[0]);", &["E0140"]),
    ("for (i = 0; i < n; i++) a[i] = (struct pair){1, 2}.x;", &["E0131"]),
    ("for (i = 0; i < n; i++) a[i] = ({ double q = 1; q; });", &["E0140"]),
    // all faults of a region
    ("for (i = 0; i < n; i++) { a[i * i] = f(s); a[idx[i]] = g(s); }", &["E0120", "E0142", "E0122"]),
    // nothing to do
    ("", &["E0106"]),
    (";;", &["E0106"]),
    ("int q; for (i = 0; i < n; i++) ;", &["E0106"]),
];

#[test]
fn unsupported_bodies_are_refused() {
    let mut failures = Vec::new();
    for (body, codes) in BODIES {
        let line = if *codes == ["E0106"] { 4 } else { 5 };
        let mut expected: Vec<(String, u32)> = codes.iter().map(|code| (code.to_string(), line)).collect();
        let mut actual = refusals(&region(body));
        actual.sort();
        expected.sort();
        // A fault of a parameter's type is reported where the parameter is declared, a fault of a function in its
        // body.
        let here = |found: &[(String, u32)]| found.iter().map(|(code, _)| code.clone()).collect::<Vec<_>>();
        let before_the_region = ["E0130", "E0131", "E0142"].contains(&codes[0]);
        if actual != expected && !(before_the_region && here(&actual) == here(&expected)) {
            failures.push(format!("{body}\n  gives {actual:?}, not {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whole files, and the messages for them.
const FILES: &[(&str, &[(&str, u32)])] = &[
    ("int main(void) { return 0; }\n", &[("E0103", 0)]),
    ("#if 0\n#pragma scop\n#pragma endscop\n#endif\n", &[("E0103", 0)]),
    ("void f(double *a) {\n#pragma scop\n  a[0] = 1;\n}\n", &[("E0104", 2)]),
    ("void f(double *a) {\n  a[0] = 1;\n#pragma endscop\n}\n", &[("E0104", 3)]),
    (
        "void f(double *a) {\n#pragma scop\n  a[0] = 1;\n#pragma scop\n  a[0] = 1;\n#pragma endscop\n}\n",
        &[("E0104", 4)],
    ),
    ("void f(double *a) {\n#pragma scop x\n  a[0] = 1;\n#pragma endscop\n}\n", &[("E0104", 2)]),
    ("#pragma scop\nvoid f(double *a) { a[0] = 1; }\n#pragma endscop\n", &[("E0105", 1)]),
    (
        "void f(double *a) {\n#pragma scop\n  a[0] = 1;\n}\nvoid g(void) {\n#pragma endscop\n}\n",
        &[("E0105", 6)],
    ),
    ("void f(double *a) {\n#pragma scop\n  {\n  a[0] = 1;\n#pragma endscop\n  }\n}\n", &[("E0105", 5)]),
    (
        "void f(double *a) {\n  for (int i = 0; i < 9; i++)\n#pragma scop\n  a[0] = 1;\n#pragma endscop\n}\n",
        &[("E0105", 3)],
    ),
    ("void f(double *a) {\n#pragma scop\n  a[0] =\n#pragma endscop\n  1;\n}\n", &[("E0105", 4)]),
    ("void f(double *a) {\n#pragma scop\n#define X 1\n  a[0] = X;\n#pragma endscop\n}\n", &[("E0107", 3)]),
    (
        "void f(double *a) {\n#ifdef X\n#pragma scop\n#endif\n#pragma scop\n#if 1\n  a[0] = 1;\n#pragma endscop\n#endif\n}\n",
        &[("E0107", 8)],
    ),
    (
        "void f(double *a) {\n#if 1\n#pragma scop\n  a[0] = 1;\n#else\n#endif\n#pragma endscop\n}\n",
        &[("E0107", 5), ("E0107", 6)],
    ),
    (
        "void f(double *a) {\n#pragma scop\n  a[0] = 1;\n#if 0\n#else\n#endif\n#undef X\n#pragma endscop\n}\n",
        &[("E0107", 7)],
    ),
    (
        "void f(double *a) {\n_Pragma(\"scop\")\n  a[0] = 1;\n#pragma endscop\n}\n",
        &[("E0104", 2), ("E0104", 4)],
    ),
    (
        "#define PRAGMA(x) _Pragma(#x)\nvoid f(double *a) {\nPRAGMA(scop)\n  a[0] = 1;\nPRAGMA(endscop)\n}\n",
        &[("E0104", 3), ("E0104", 5)],
    ),
    (
        "void f(volatile int q, double *a) {\n#pragma scop\n  (void)q; a[0] = 1;\n#pragma endscop\n}\n",
        &[("E0140", 3)],
    ),
    ("void f(double *a) {\n  a[0] = ;\n}\n", &[("E0101", 2)]),
    ("#include \"nowhere.h\"\n", &[("E0101", 1)]),
    // faults of several regions
    (
        "void f(double *a) {\n#pragma scop\n  goto x;\n#pragma endscop\n x:;\n#pragma scop\n  a[0]++, a[1];\n#pragma endscop\n}\n",
        &[("E0110", 3), ("E0140", 7)],
    ),
    // faults of functions that regions call
    (
        "int f(int n) {\n  for (int k = 0; k < n; k++)\n    break;\n  return n;\n}\nvoid g(int n, int *a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = f(i);\n#pragma endscop\n}\n",
        &[("E0110", 3)],
    ),
    (
        "double f();\nvoid g(int n, double *a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = f(3);\n#pragma endscop\n}\ndouble f(double x) { return x; }\n",
        &[("E0142", 5)],
    ),
    // variables whose values after the region would be lost
    (
        "int f(double *a) {\n  int i;\n#pragma scop\n  if (a[0] > 0) for (i = 0; i < 9; i++) a[i] = 1;\n#pragma endscop\n  return i;\n}\n",
        &[("E0114", 4)],
    ),
    (
        "int i;\nvoid f(int *a) {\n#pragma scop\n  for (i = 0; i < 9; i++) a[i] = 1;\n#pragma endscop\n}\n",
        &[("E0133", 4)],
    ),
    (
        "double f(double *a) {\n#pragma scop\n  double s = a[0];\n  a[0] = s;\n#pragma endscop\n  return s;\n}\n",
        &[("E0132", 6)],
    ),
];

#[test]
fn wrong_files_are_refused() {
    for (text, expected) in FILES {
        let expected: Vec<(String, u32)> =
            expected.iter().map(|(code, line)| (code.to_string(), *line)).collect();
        assert_eq!(refusals(text), expected, "{text}");
    }
}

#[test]
fn what_only_looks_wrong_is_accepted() {
    let texts = [
        // set before it is read again
        "void f(double *a) {\n  int i;\n#pragma scop\n  for (i = 0; i < 9; i++) a[i] = 1;\n#pragma endscop\n  for (i = 0; i < 3; i++) a[i] = 2;\n i = 3;\n}\n",
        // not the same `i`
        "int f(double *a, int i) {\n#pragma scop\n  for (int i = 0; i < 9; i++) a[i] = 1;\n#pragma endscop\n  return i;\n}\n",
        // a statement that is never executed
        "void f(double *a) {\n#pragma scop\n  for (int i = 0; i < 3; i++) if (i > 3) a[i] = 0;\n#pragma endscop\n}\n",
        // the same as `a[i]`
        "void f(double *a) {\n#pragma scop\n  for (int i = 0; i < 3; i++) i[a] = 0;\n#pragma endscop\n}\n",
        // a macro over several lines that does not use its line number
        "#define MAX(x, y) ((x) > (y) ? (x) : (y))\nvoid f(int n, int m, double *a) {\n#pragma scop\n  for (int i = 0; i < MAX(n,\n m); i++) a[i] = 0;\n#pragma endscop\n}\n",
        // a name of CUDA's that is visible in no other file
        "static int cudaFree(int x) { return x; }\nvoid f(double *a) {\n  int n = cudaFree(3);\n#pragma scop\n  for (int i = 0; i < n; i++) a[i] = 0;\n#pragma endscop\n}\n",
        // Windows line ends, and bytes that are not UTF-8
        "void f(double *a) {\r\n#pragma scop\r\n  a[0] = 1; /* \u{e9} */\r\n#pragma endscop\r\n}\r\n",
    ];
    for text in texts {
        assert_eq!(refusals(text), [], "{text}");
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    for path in ["/nonexistent/file.c", "/"] {
        let refused = clan_rs::run(&clan_rs::Options::for_file(path)).unwrap_err();
        assert_eq!(refused.0[0].code, "E0100");
        assert!(refused.0[0].message.contains(path));
    }
}

#[test]
fn macros_that_count_are_refused() {
    let head = "#define NAME_(x, y) x##y\n#define NAME(x) NAME_(x, __COUNTER__)\n#define PLAIN(x) x\nenum { NAME(e) };\n";
    for (statement, refused) in [("int NAME(t) = 1;", true), ("int PLAIN(t) = 1;", false)] {
        let text = format!(
            "{head}void f(int n, double *a) {{\n#pragma scop\nfor (int i = 0; i < n; i++) {{ {statement} a[i] = i; }}\n#pragma endscop\n}}\n"
        );
        let expected = if refused { vec![("E0107".to_owned(), 7)] } else { Vec::new() };
        assert_eq!(refusals(&text), expected, "{statement}");
    }
}

/// Code before and after a region that uses allocated memory, which certainly still exists there.
const KEEPING: &[(&str, &str)] = &[
    ("", ""),
    ("h();", ""),
    ("kept = own;", ""),
    ("", "kept = own; h();"),
    ("kept = own;", "h();"),
    ("n += own != 0; h();", ""),
    ("n = !own; h();", ""),
    ("memset(own, 0, 8); h();", ""),
    ("n += own == kept; h();", ""),
    ("kept = own; memset(kept, 0, 8); harmless(3);", ""),
    ("kept = own; n = (int)fabs(n) + (int)strlen(\"text\");", ""),
];

/// Code before and after a region that uses allocated memory, which may have been freed by then.
const FREEING: &[(&str, &str)] = &[
    ("double *other = own; h();", ""),
    ("kept = own; h();", ""),
    ("kept = own; fp();", ""),
    ("kept = own; calls();", ""),
    ("kept = own; n = abs(n);", ""),
    ("g(own); h();", ""),
    ("kept = 1 + own; h();", ""),
    ("kept = own + 1; h();", ""),
    ("puts((const char *)own); h();", ""),
    ("kept = &own[2] + 1; h();", ""),
    ("kept = &own[2]; h();", ""),
    ("double *others[1] = {own}; h();", ""),
    ("kept = n > 3 ? own : 0; h();", ""),
    ("kept = own; maybe();", ""),
    ("kept = own; by_pointer();", ""),
    ("kept = own; free(kept);", ""),
    ("for (int t = 0; t < n; t++) {", "g(own); }"),
];

#[test]
fn memory_that_may_be_freed_has_no_known_length() {
    let text = |before: &str, after: &str| {
        format!(
            "#include <math.h>\n#include <stdlib.h>\n#include <string.h>\nvoid g(double *); void h(void); double *kept; void (*fp)(void); int puts(const char *) __asm__(\"put\"); \
             static void calls(void) {{ h(); }} int abs(int q) {{ h(); return q; }} \
             static void by_pointer(void) {{ fp(); }} __attribute__((weak)) void maybe(void) {{}} \
             static int harmless(int q) {{ return q > 0 ? harmless(q - 1) : 0; }} \
             void f(int n, const double x[100], const int idx[100]) {{ int m = n; double *own = malloc(m * sizeof *own); {before}\n\
             #pragma scop\nfor (int i = 0; i < 100; i++) if (x[i] > 0) own[idx[i]] = 1;\n#pragma endscop\n{after} }}\n"
        )
    };
    for (before, after) in KEEPING {
        assert_eq!(refusals(&text(before, after)), [], "{before} {after}");
    }
    for (before, after) in FREEING {
        let expected = [("E0122".to_owned(), 6)];
        assert_eq!(refusals(&text(before, after)), expected, "{before} {after}");
    }
}
