//! Functions of the library of C.

use super::{between, check_ways};

/// What is called.
const WAYS: &[(&str, &str)] = &[
    // Functions of the library.
    (
        "static void f(double *a) { REGION(a) a = realloc(a, 99); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) char *s = strchr((char *)a, 3); *s = 0; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &s[0], reads",
    ),
    (
        "static void f(int n, double *a) { REGION(a) memmove(a, a + 1, 8 * n); REGION(a) } int main(void) { f(8, malloc(99)); return 0; }",
        "reads &a[1], writes a",
    ),
    (
        "static void f(int n, double *a) { REGION(a) memcpy(a, a + n, n++); REGION(a) } int main(void) { f(8, malloc(99)); return 0; }",
        "reads, writes",
    ),
    (
        "static void f(double *a) { REGION(a) char *end; strtod((char *)a, &end); *end = 0; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads, writes",
    ),
    (
        "static void f(double *a) { REGION(a) frexp(2, (int *)a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "unknown, !",
    ),
    (
        "static void f(double *a) { REGION(a) sprintf((char *)a, \"%d\", 1); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) snprintf(0, 0, \"%n\", (int *)a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) sscanf(\"1\", \"%lf\", a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) fread(a, 8, 1, stdin); fwrite(a, 8, 1, stdout); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads, writes",
    ),
];

#[test]
fn functions_of_the_library_are_known() {
    check_ways(WAYS);
}

/// The code before a region, and what printing to `stream` does then: only a file that itself makes streams to memory
/// has any that lead there.
const STREAMS: &[(&str, &str)] = &[
    ("FILE *stream = fopen(name, name);", "!"),
    ("FILE *stream = stdout;", "!"),
    ("FILE *stream = other;", "!"),
    ("FILE *stream = n > 3 ? other : kept;", "!"),
    ("FILE *stream = fopen(name, name); change(&stream);", "!"),
    ("FILE *stream = mine(name);", "!"),
    ("FILE *stream = fopen(name, name), *b = fmemopen(a, 8, name);", "called, unknown, writes, !"),
    ("FILE *stream = other; setvbuf(stream, 0, 0, 9);", "called, unknown, writes, !"),
];

#[test]
fn streams_lead_to_files() {
    for (before, expected) in STREAMS {
        let text = format!(
            "#define _GNU_SOURCE\n#include <stdio.h>\nextern FILE *other; void change(FILE **); FILE *mine(const char *);\n\
             static FILE *kept;\n\
             void f(int n, double *a, const char *name) {{ {before}\n\
             REGION(a) fprintf(stream, \"%d\", n); REGION(a) }}\n"
        );
        assert_eq!(between(&text), *expected, "{before}");
    }
}
