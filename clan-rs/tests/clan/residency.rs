//! Where arrays may stay on the device between regions.

use crate::extract;

/// Returns the residencies of a function's text, one in each line: the first two words of the statements, and the
/// arrays, each after the number of its region. `!` marks statements that are repeated, `?` an array that the host
/// reads between regions. If the array is copied back after inner statements only, `*` replaces `?`; in the line of
/// those statements, `*` is before the array.
fn residencies(body: &str) -> String {
    let text = body
        .replace("LOOP", "#pragma scop\nfor (int i = 0; i < n; i++)")
        .replace("END", "\n#pragma endscop\n");
    let program = extract("stay.c", &text).unwrap().value;
    let faults = scop::verify::verify(&program);
    assert!(faults.is_empty(), "{faults:#?}");
    let mut lines = Vec::new();
    for residency in &program.source.residencies {
        let mut words = Vec::new();
        for (number, scop) in program.scops.iter().enumerate() {
            for array in scop.model.arrays.iter().filter(|array| array.residency == Some(residency.id)) {
                let read = match (array.read_between, array.copied_back_after) {
                    (false, _) => "",
                    (true, None) => "?",
                    (true, Some(_)) => "*",
                };
                words.push(format!("{number}{}{read}", array.expression));
            }
            let later =
                scop.model.arrays.iter().filter(|array| array.copied_back_after == Some(residency.id));
            words.extend(later.map(|array| format!("*{number}{}", array.expression)));
        }
        let part = &text[residency.range.start as usize..residency.range.end as usize];
        let begin = part.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        let repeats = if residency.repeats { "!" } else { "" };
        lines.push(format!("{begin}{repeats}: {}", words.join(" ")));
    }
    lines.join("\n")
}

const FUNCTIONS: &str = "static void exchange(double **p, double **q) { double *r = *p; *p = *q; *q = r; }
static double total(int n, const double *p) { double sum = 0; for (int i = 0; i < n; i++) sum += p[i]; return sum; }
static void clear(int n, double *p) { for (int i = 0; i < n; i++) p[i] = 0; }
static void clear_later(int n, double *p) { while (n-- > 0) *p++ = 0; }
static double *elsewhere; static void point_elsewhere(double *p) { p = elsewhere; p[3] = 0; }
static void write_elsewhere(double *p, double *q) { p = q; p[3] = 7; }
static double *first(double *p) { return p; }
static int endless(int n) { return n > 0 ? endless(n + 1) : 0; }
static void in_parallel(int n) {
#pragma omp barrier
n++; }
typedef double loose __attribute__((may_alias));
static void note(float *p) { }
static void ending(void) { float k __attribute__((cleanup(note))) = 1; (void)k; }
static void loosely(loose x) { }
static void counting(void) { static double all; all += 1; }
static double *pointing; static void through(void) { pointing[0] = 1; }
static void assembly(void) { __asm__(\"\"); }
static void by_a_pointer(double *p) { double *restrict q = p; q[0] = 1; }
double omp_get_wtime(void);
static void harmless(int n) { switch (n) { case 1: break; default: return; } }
__attribute__((weak)) void maybe(void) { }
static double in_rows(int n, double m[][n]) { return m[1][0]; }
static int by_first(double *p, double (*m)[(int)p[0]]) { return m != 0; }
extern float odd __attribute__((weak));
";

/// Returns the residencies of two regions that use `a`, with some code between them.
fn between(parameters: &str, code: &str) -> String {
    residencies(&format!(
        "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n\
         void g(double *); extern double shared; struct pair {{ double x; }};\n{FUNCTIONS}\
         void f(int n, double *a{parameters}) {{\nLOOP a[i] += 1;END{code}\nLOOP a[i] *= 2;END}}\n"
    ))
}

const WHOLE: &str = "#pragma scop: 0a 1a";
const READ: &str = "#pragma scop: 0a? 1a?";

#[test]
fn code_that_cannot_touch_an_array_is_harmless() {
    for (parameters, code) in [
        ("", ""),
        ("", "int k = n * 2; k += 1;"),
        ("", "double own = sqrt(2.0 * n); printf(\"%f\\n\", own);"),
        ("", "double own[3]; own[n % 3] = 1; for (int k = 0; k < 3; k++) own[k] += k;"),
        (", int *count", "printf(\"%d\", count[0]);"),
        (", double *restrict other", "printf(\"%f\", other[0]);"),
        ("", "double *fresh = malloc(8); if (fresh) fresh[0] = 1;"),
        ("", "double *fresh = malloc(8); free(fresh);"),
        ("", "struct pair p; p.x = 1; printf(\"%f\", p.x);"),
        ("", "for (int k = 0; k < n; k++) { if (k > 3) break; if (k == 2) continue; }"),
        ("", "switch (n) { case 1: n = 2; break; default: n = 3; }"),
        ("", "fprintf(stderr, \"%d\\n\", n); fflush(stdout);"),
        ("", "double *b = 0, *c = 0; exchange(&b, &c);"),
        ("", "static int k; k = n;"),
        (", double *restrict other", "printf(\"%f\", *(1 + other));"),
        (", double *restrict other", "printf(\"%f\", total(n, other));"),
        ("", "harmless(n);"),
        ("", "n += clock();"),
        ("", "struct timespec now; clock_gettime(0, &now);"),
        (", double *restrict other", "printf(\"%f\", *((double *)(void *)other));"),
        ("", "n += (double (*)[n + 1])0 != 0;"),
        (", double *restrict other", "printf(\"%f\", in_rows(n, (void *)other));"),
    ] {
        assert_eq!(between(parameters, code), WHOLE, "{parameters} {code}");
    }
}

#[test]
fn code_that_reads_an_array_leaves_it_there() {
    for (parameters, code) in [
        ("", "if (a[0] > 1) n--;"),
        (", double *b", "double x = b[0]; printf(\"%f\", x);"),
        ("", "double x = shared; printf(\"%f\", x + *a);"),
        ("", "printf(\"%f\", total(n, a));"),
        (", double *b", "printf(\"%f\", total(n, b));"),
        (", char *b", "int k = b[0]; printf(\"%d\", k);"),
        (", char *b", "printf(\"%s\", b); fputs(b, stdout);"),
        (", double *restrict other", "other++; printf(\"%f\", other[0]);"),
        ("", "double own[2] = {a[0], 1}; own[1] = 2;"),
        (", struct pair *b", "struct pair q = b[0]; q.x = 1;"),
        (", double b[n]", "double x = b[0]; printf(\"%f\", x);"),
    ] {
        assert_eq!(between(parameters, code), READ, "{parameters} {code}");
    }
}

#[test]
fn code_that_may_change_an_array_ends_its_stay() {
    for (parameters, code) in [
        ("", "a[0] = 1;"),
        ("", "*(a + 1) += 1;"),
        ("", "double *b = a + 1; b[0]--;"),
        (", double *b", "b[0] = 1;"),
        (", char *b", "b[0] = 1;"),
        // Allocated memory may come to hold an integer, and memory between elements of `a` may belong to another
        // array.
        (", int *count", "count[0]++;"),
        (", float *restrict other", "other[0] = 1;"),
        (", double *restrict other", "other[n] = other[0] + 1;"),
        (", double **b, double **c", "exchange(b, c);"),
        (", double **b", "b[0][0] = 1;"),
        (", struct pair *b", "b->x = 1;"),
        (", struct pair *b", "b[n].x = 1;"),
        ("", "shared = 1;"),
        ("", "g(0);"),
        ("", "void (*h)(void) = 0; h();"),
        ("", "clear(n, a);"),
        (", double *b", "clear(n, b + 1);"),
        (", double *b", "clear_later(n, b);"),
        (", double *b", "point_elsewhere(b);"),
        ("", "double *fresh = malloc(32); write_elsewhere(fresh, a);"),
        ("", "first(a)[0] = 1;"),
        ("", "endless(n);"),
        ("", "in_parallel(n);"),
        (", double *b", "free(b);"),
        ("", "scanf(\"%lf\", a);"),
        ("", "{ double own[4]; a = own; }"),
        ("", "if (n == 7) return;"),
        ("", "if (n == 7) goto end; end:;"),
        ("", "__asm__(\"\");"),
        ("", "#pragma omp parallel for\nfor (int k = 0; k < n; k++) n += 0;"),
        ("", "#pragma omp barrier\n// and go on"),
        ("", "{ n++; _Pragma(\"omp barrier\") }"),
        (", volatile int *flag", "while (*flag) ;"),
        (", _Atomic int *flag", "while (*flag) ;"),
        ("", "{ double own = 1; a = &own; }"),
        (", double b[n]", "b[0] = 1;"),
        (", double *b", "double *fresh = malloc(8); fresh = b; fresh[0] = 1;"),
        ("", "double *fresh = malloc(8); if (n > 100) a = fresh; fresh[0] = 1;"),
        (", double *b", "double *restrict other = b; other[0] = 1;"),
        // Effects of the parts of expressions.
        ("", "double own[3]; own[(g(0), 1)] = 2;"),
        ("", "double own[3] = {0}; double x = own[(g(0), 1)];"),
        ("", "double own[3]; double *q = &own[(g(0), 1)];"),
        ("", "int k; k = (g(0), 2);"),
        ("", "printf(\"%f\", (g(0), 1.0));"),
        ("", "int k = ({ int q = 1; q; });"),
        (", int *b", "printf(\"%d%n\", n, b);"),
        (", char *b", "free(b);"),
        // Functions.
        ("", "ending();"),
        ("", "loosely(1);"),
        ("", "counting();"),
        ("", "through();"),
        ("", "assembly();"),
        ("", "by_a_pointer(a);"),
        ("", "omp_get_wtime();"),
        (", const char *format, char *b", "printf(format, b);"),
        (", FILE *b", "fprintf(b, \"%d\", n);"),
        (", FILE **b", "fprintf(b[0], \"%d\", n);"),
        (", long b", "((double *)b)[0] = 1;"),
        ("", "maybe();"),
        ("", "float x = odd;"),
        ("", "float k __attribute__((cleanup(note))) = 1;"),
        ("", "#pragma acc parallel loop\nfor (int k = 0; k < n; k++) n += 0;"),
        // What types evaluate.
        ("", "n += (double (*)[(int)a[1]])0 != 0;"),
        ("", "n += (double (*)[endless(n)])0 != 0;"),
        ("", "typeof((double (*)[(int)a[1]])0) rows = 0; n += rows != 0;"),
        ("", "by_first(a, 0);"),
    ] {
        assert_eq!(between(parameters, code), "", "{parameters} {code}");
    }
}

#[test]
fn a_loop_around_a_region_is_a_stay() {
    let text = "void f(int n, int m, double *a) {\n\
                double sum = 0, b[100];\n\
                for (int t = 0; t < m; t++) {\nLOOP a[i] += t;END sum += t; }\n\
                b[0] = sum;\n\
                while (n > 2) {\nLOOP b[i] += a[i];END n--; }\n\
                }\n";
    assert_eq!(residencies(text), "for (int!: 0a 1a\nwhile (n!: 1b");
}

#[test]
fn what_is_read_comes_home_before_that() {
    let text = "\
                void f(int n, double *restrict a, double *restrict b) {\n\
                do {\n\
                for (int t = 0; t < 9; t++) {\nLOOP a[i] += b[i];END }\n\
                } while (a[0] < 1);\n\
                }\n";
    assert_eq!(residencies(text), "do {!: 0a* 0b\nfor (int!: *0a");
    let text = "void f(int n, double *restrict a) {\n\
                for (int t = 0; t < 9; t++) {\n\
                LOOP a[i] += 1;END\n\
                if (a[0] > 7) n--;\n\
                LOOP a[i] += 2;END\n\
                LOOP a[i] += 3;END\n\
                } }\n";
    assert_eq!(residencies(text), "for (int!: 0a? 1a* 2a*\n#pragma scop: *1a *2a");
}

#[test]
fn inner_blocks_are_tried_where_outer_ones_will_not_do() {
    let text = "void g(void);\nvoid f(int n, int m, double *restrict a, double *restrict b) {\n\
                for (int t = 0; t < m; t++) {\n\
                g();\n\
                for (int s = 0; s < m; s++) {\nLOOP a[i] += s;END }\n\
                }\n}\n";
    assert_eq!(residencies(text), "for (int!: 0a");
}

#[test]
fn a_jump_out_of_a_loop_ends_the_stay_outside_of_it() {
    let text = "int f(int n, double *restrict a, double *restrict w) {\n\
                for (int t = 0; t < 9; t++) {\n\
                LOOP a[i] += t;END\n\
                LOOP w[i] += a[i];END\n\
                if (t == 5) return 1;\n\
                }\nreturn 0; }\n";
    assert_eq!(residencies(text), WHOLE);
}

#[test]
fn a_jump_out_of_the_loop_around_ends_a_stay_in_it() {
    for jump in ["break", "continue", "switch (t) { case 1: continue; }", "switch (t) case 1: continue"] {
        let text = format!(
            "int f(int n, double *restrict a) {{\n\
             for (int t = 0; t < 9; t++) {{\n\
             LOOP a[i] += t;END\n\
             if (t == n) {jump};\n\
             LOOP a[i] *= t;END\n\
             if (t == 5) return 1;\n\
             }}\nreturn 0; }}\n"
        );
        assert_eq!(residencies(&text), "", "{jump}");
    }
}

#[test]
fn arrays_end_with_their_block() {
    let text = "void f(int n, double *restrict out) {\n\
                double own[n];\n\
                for (int t = 0; t < 9; t++) {\n\
                double inner[n];\n\
                LOOP { inner[i] = t; own[i] = inner[i]; }END\n\
                LOOP out[i] += own[i] + inner[i];END\n\
                }\n}\n";
    assert_eq!(residencies(text), "for (int!: 0own 1out 1own\n#pragma scop: 0inner 1inner");
}

/// A parameter that is declared as an array is a pointer as well.
#[test]
fn pointers_may_change_places() {
    for (a, b) in [("*a", "*b"), ("a[n]", "b[n]"), ("a[]", "*b")] {
        let text = format!(
            "void f(int n, double {a}, double {b}) {{\n\
             for (int t = 0; t < 9; t++) {{\n\
             LOOP b[i] = a[i];END\n\
             double *c = a; a = b; b = c;\n\
             }}\n}}\n"
        );
        assert_eq!(residencies(&text), "for (int!: 0a 0b", "{a} {b}");
    }
}

#[test]
fn what_a_region_has_by_value_is_no_memory_of_the_array() {
    let reachable = "double s;\nvoid f(int n, double *a) {\nLOOP a[i] += 1;END\nLOOP a[i] += s;END}\n";
    let own = "void f(int n, double *a, double s) {\nLOOP a[i] += 1;END\nLOOP a[i] += s;END}\n";
    assert_eq!(residencies(reachable), "");
    assert_eq!(residencies(own), WHOLE);
}

/// The code before two regions that use `own`, an array of the program or the function; the code between them; and
/// `own` if it stays resident.
const OBJECTS: &[(&str, &str, &str)] = &[
    ("static double own[9];", "p[0] = 1;", ""),
    ("double own[9];", "p[0] = 1;", "own"),
    ("double own[9]; keep(own);", "p[0] = 1;", ""),
    ("double own[9]; double *kept = &own[2];", "p[0] = 1;", ""),
    ("static double own[9];", "q[0] = 1;", "own"),
    ("static double own[9];", "c[0] = 1;", ""),
    ("static double own[9];", "b[0][0] = 1;", ""),
    ("double own[9];", "b[0][0] = 1;", "own"),
    ("static double own[9];", "d[0][0] = 1;", "own"),
    ("static double own[9];", "b[0] = 0;", "own"),
    ("double own[9]; static double other[9];", "other[0] = 1;", "own"),
    ("double own[9];", "own[0] = 1;", ""),
    // Another object, and a pointer that the function changes.
    ("double *own = p; if (n > 100) own++;", "double mine = 1; mine += n;", "own"),
    ("double mine = 1, *own = p; if (n > 100) own = &mine;", "mine = 2;", ""),
    ("double *own = p; double mine = 1; keep(&mine);", "mine = 2;", ""),
];

#[test]
fn objects_are_told_from_what_pointers_lead_to() {
    for (before, between, expected) in OBJECTS {
        let text = format!(
            "void keep(double *);\nvoid f(int n, double *p, int *q, char *c, double **b, int **d) {{ {before}\n\
             LOOP own[i % 9] += 1;END{between}\nLOOP own[i % 9] *= 2;END keep(0); }}\n"
        );
        let expected = if expected.is_empty() { String::new() } else { "#pragma scop: 0own 1own".to_owned() };
        assert_eq!(residencies(&text), expected, "{before} {between}");
    }
}

#[test]
fn functions_with_the_names_of_the_library_s_are_the_program_s() {
    let text = "double *kept; void *malloc(unsigned long n) { return kept; }\n\
                void f(int n, double *a) {\nLOOP a[i] += 1;END double *fresh = malloc(8); fresh[0] = 1;\nLOOP a[i] *= 2;END }\n";
    assert_eq!(residencies(text), "");
}

#[test]
fn characters_may_be_pointers() {
    let text =
        "void f(int n, char *a, double **b) {\nLOOP a[i] += 1;END double *x = b[0];\nLOOP a[i] *= 2;END }\n";
    assert_eq!(residencies(text), READ);
}

#[test]
fn scalars_and_members_do_not_stay() {
    let text = "int f(int n, int *a) { int s = 0; struct { int x[9]; } m;\nLOOP { s += a[i]; m.x[i % 9] = a[i]; }END\n\
                LOOP { s += a[i]; a[i] += m.x[i % 9]; }END return s + m.x[0]; }\n";
    assert_eq!(residencies(text), "#pragma scop: 0a 1a");
}

#[test]
fn loops_further_out_repeat_a_region() {
    let text =
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { if (t > 3) {\nLOOP a[i] += 1;END} } }\n";
    assert_eq!(residencies(text), "for (int!: 0a");
}

#[test]
fn one_region_that_runs_once_has_no_stay() {
    assert_eq!(residencies("void f(int n, double *a) { if (n) {\nLOOP a[i] += 1;END} }\n"), "");
    assert_eq!(residencies("void f(int n, double *a) { if (n) {\nLOOP a[i] += 1; a[0] = 2;END} }\n"), "");
}

/// The code before a region, and whether `stream` then certainly leads to a file.
const STREAMS: &[(&str, bool)] = &[
    ("FILE *stream = fopen(name, name);", true),
    ("FILE *stream = NULL; stream = fopen(name, name);", true),
    ("FILE *stream; if (n > 3) stream = tmpfile(); else stream = fopen(name, name);", true),
    ("FILE *stream = fopen(name, name), *b = NULL; change(&b);", true),
    ("FILE *stream = other;", false),
    ("FILE *stream = fopen(name, name); if (n > 3) stream = other;", false),
    ("FILE *stream = fopen(name, name); change(&stream);", false),
    ("FILE *stream = mine(name);", false),
    ("FILE *stream = popen(name, name);", false),
    ("FILE *stream = fopen(name, name), *b = fmemopen(a, 8, name);", false),
];

#[test]
fn streams_lead_to_files() {
    for (before, leads) in STREAMS {
        let text = format!(
            "#define _GNU_SOURCE\n#include <stdio.h>\nextern FILE *other; void change(FILE **); FILE *mine(const char *);\n\
             FILE *popen(const char *name, const char *mode) {{ return other; }}\n\
             void f(int n, double *a, const char *name) {{ {before}\n\
             LOOP a[i] += 1;END fprintf(stream, \"%d\", n);\nLOOP a[i] *= 2;END }}\n"
        );
        assert_eq!(residencies(&text), if *leads { WHOLE } else { "" }, "{before}");
    }
}
