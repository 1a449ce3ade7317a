//! Calls, and code of which nothing is known.

use super::check_ways;

/// What is called, and how.
const WAYS: &[(&str, &str)] = &[
    // Calls.
    (
        "static double own[9]; static int compare(const void *p, const void *q) { own[0] = 1; return 0; } void f(int *t) { REGION(own) qsort(t, 9, 4, compare); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; static int compare(const void *p, const void *q) { own[0] = 1; return 0; } void f(int *t) { REGION(own) qsort(t, 9, 4, 0); REGION(own) }",
        "unknown",
    ),
    (
        "static double own[9]; static int compare(const double *p, const double *q) { ((double *)p)[0] = 1; return 0; } void f(void) { REGION(own) qsort(own, 9, 8, (int (*)(const void *, const void *))compare); REGION(own) }",
        "called, unknown, !",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } static void (*const table[])(void) = {set}; void f(int n) { REGION(own) table[n](); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } void f(void) { REGION(own) (&set)(); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } void f(void) { REGION(own) (*set)(); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; void set(void) { own[0] = 1; } void f(void) { REGION(own) unknown(); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } __attribute__((constructor)) static void start(void) { set(); } void f(void) { REGION(own) unknown(); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; double *get(void) { return own; } void f(void) { REGION(own) unknown(); REGION(own) }",
        "unknown, !",
    ),
    (
        "static double own[9]; static double *get(void) { return own; } void f(void) { double *(*g)(void) = get; REGION(own) g()[0] = 1; REGION(own) }",
        "called, unknown, writes, !",
    ),
    (
        "static void f(int n, double *a) { REGION(a) if (n) f(n - 1, a); REGION(a) } int main(void) { f(8, malloc(99)); return 0; }",
        "",
    ),
    (
        "static void set(int n, double *p) { if (n) set(n - 1, p + 1); else p[0] = 1; } static void f(double *a) { REGION(a) set(3, a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &p[0]",
    ),
    (
        "static void f(int n, double *a) { if (n) { double x[9]; f(n - 1, x); } REGION(a) { double x[9]; x[0] = 1; } REGION(a) } int main(void) { f(8, malloc(99)); return 0; }",
        "",
    ),
    (
        "static double own[9]; static void leave(void) { own[0] = 1; } void f(int n) { REGION(own) atexit(leave); if (n) exit(1); REGION(own) }",
        "called, unknown",
    ),
    // Assembly, other threads, volatile memory.
    (
        "static double own[9]; void f(void) { REGION(own) __asm__(\"movq $0, own(%rip)\"); REGION(own) }",
        "unknown, !",
    ),
    (
        "static double own[9]; void f(void) { REGION(own) __asm__(\"movq $0, %0\" : \"=m\"(own[0])); REGION(own) }",
        "unknown, !",
    ),
    (
        "static double own[9]; __asm__(\".globl set\"); void f(void) { REGION(own) unknown(); REGION(own) }",
        "unknown, !",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } void f(void) { REGION(own) __asm__(\"call set\"); REGION(own) }",
        "called, unknown, !",
    ),
    (
        "static double own[9]; void f(void) { REGION(own) *(volatile double *)own = 1; REGION(own) }",
        "called, unknown, writes, !",
    ),
    (
        "static double own[9]; static volatile int flag; void f(void) { REGION(own) while (flag) { } REGION(own) }",
        "unknown",
    ),
    ("static double own[9]; void f(_Atomic int *p) { REGION(own) ++*p; REGION(own) }", "unknown"),
    // Parameters are set by calls.
    (
        "struct s { double x[9]; }; static void f(int n, struct s s) { double *a = s.x; REGION(a) if (n) f(n - 1, s); REGION(a) } int main(void) { struct s s = {{1}}; f(8, s); return 0; }",
        "reads &s, writes",
    ),
    // The calls of an expression may change what its places depend on.
    (
        "static int k; static int bump(void) { return k++; } static void f(double *a) { REGION(a) a[k] = bump(); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static int bump(int *p) { return (*p)++; } static void f(int i, double *a) { REGION(a) a[i] = bump(&i); REGION(a) } int main(void) { f(3, malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static int bump(int i) { return i + 1; } static void f(int i, double *a) { REGION(a) a[i] = bump(i); REGION(a) } int main(void) { f(3, malloc(99)); return 0; }",
        "writes &a[i]",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } void f(int n) { REGION(own) ({ if (n) set(); else ; }); REGION(own) }",
        "overwrites &own[0]",
    ),
    (
        "#include <assert.h>\nstatic double own[9]; void f(int n) { REGION(own) assert(n > 3 && own[n] > 1); REGION(own) }",
        "reads &own[n]",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } static void g(void) { ({ set(); 1; }); } void f(void) { REGION(own) g(); REGION(own) }",
        "overwrites &own[0], unknown",
    ),
    // An expression of which nothing is known.
    (
        "static double own[9]; void f(void) { REGION(own) __atomic_store_n((long *)own, 1, 0); REGION(own) }",
        "unknown, !",
    ),
];

#[test]
fn calls_are_followed() {
    check_ways(WAYS);
}
