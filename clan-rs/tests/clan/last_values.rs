//! Which variables of a region may be read by later code, with one reason for each case.

use crate::extract;

/// A region that sets a sum `s` and an array `own`, both of which belong to the function.
const REGION: &str =
    "\n#pragma scop\nfor (int i = 0; i < 9; i++) { s += x[i]; own[i] = x[i]; }\n#pragma endscop\n";

/// Functions, and which of `s` and `own` are not dead after the region.
const FUNCTIONS: &[(&str, &str)] = &[
    ("void f(double *x) { double s = 0, own[9]; REGION }", ""),
    ("void f(double *x) { double s = 0, own[9]; REGION x[0] = s; }", "s"),
    ("void f(double *x) { double s = 0, own[9]; REGION x[0] = own[3]; }", "own"),
    ("double f(double *x) { double s = 0, own[9]; REGION return s; }", "s"),
    ("void f(double *x, double s) { double own[9]; REGION }", ""),
    ("void f(double *x, double own[9]) { double s = 0; REGION }", "own"),
    ("void f(double *x) { static double s, own[9]; REGION }", "own s"),
    ("void f(double *x) { extern double s, own[9]; REGION }", "own s"),
    ("double s, own[9]; void f(double *x) { REGION }", "own s"),
    ("void f(double *x) { _Thread_local static double s; double own[9]; REGION }", "s"),
    // A new value, or one that depends on the old value.
    ("void f(double *x) { double s = 0, own[9]; REGION s = 3; x[0] = 1; }", ""),
    ("void f(double *x) { double s = 0, own[9]; REGION s = s * 2; }", "s"),
    ("void f(double *x) { double s = 0, own[9]; REGION s += 2; }", "s"),
    ("void f(double *x) { double s = 0, own[9]; REGION s++; }", "s"),
    // What is read before the region is read again only in a loop.
    ("void f(double *x) { double s = 0, own[9]; x[0] = s; REGION }", ""),
    ("void f(double *x) { double s = 0, own[9]; for (int t = 0; t < 3; t++) { x[0] = s; REGION } }", "own s"),
    ("void f(double *x) { double s = 0, own[9]; while (x[0] > 0) { REGION } }", "own s"),
    ("void f(double *x) { double s = 0, own[9]; do { REGION } while (s < 7); }", "own s"),
    (
        "void f(double *x) { double s = 0, own[9]; for (;;) { x[0] = s; REGION if (x[0] > 3) break; } }",
        "own s",
    ),
    (
        "void f(double *x) { double s = 0, own[9]; x[0] = s; again: ; REGION if (x[0] > 3) goto again; }",
        "own s",
    ),
    (
        "void f(double *x) { double s = 0, own[9]; x[0] = s; for (int t = 0; t < 3; t++) x[t] = 1; REGION }",
        "",
    ),
    ("void f(double *x) { double s = 0, own[9]; REGION for (int t = 0; t < 3; t++) x[t] = 1; }", ""),
    // Pointers.
    ("void f(double *x) { double s = 0, own[9]; keep(&s); REGION }", "s"),
    ("void f(double *x) { double s = 0, own[9]; keep(own); REGION }", "own"),
    ("void f(double *x) { double s = 0, own[9]; keep(&own[2]); REGION }", "own"),
    ("void f(double *x) { double s = 0, own[9]; keep(own + 2); REGION }", "own"),
    (
        "void f(double *x) { double s = 0, own[9]; x[1] = own[2] + *(own + 1) + *(2 + own) + *own; REGION }",
        "",
    ),
    ("void f(double *x) { double s = 0, own[9]; __asm__(\"\" : \"+m\"(s)); REGION }", "s"),
    // Mentions that are not in the syntax tree.
    ("#define DO(text) _Pragma(#text)\nvoid f(double *x) { double s = 0, own[9]; REGION }", "own s"),
    ("void f(double *x) { double s = 0, own[9]; REGION _Pragma(\"omp flush(s)\") ; }", "s"),
    ("void f(double *x) { double s = 0, own[9];\n#pragma omp flush(s)\nREGION }", ""),
    (
        "void f(double *x) { double s = 0, own[9]; for (int t = 0; t < 3; t++) {\n#pragma omp flush(s)\nREGION } }",
        "own s",
    ),
];

/// The same with loops that only C++ has.
const LOOPS: &[(&str, &str)] = &[
    (
        "void f(double *x) { double s = 0, own[9]; int all[3] = {}; for (int one : all) { x[one] = s; REGION } }",
        "own s",
    ),
    (
        "void f(double *x) { double s = 0, own[9]; int all[3] = {}; for (int one : all) x[one] = s; REGION }",
        "",
    ),
    ("void f(double *x) { double s = 0, own[9]; while (double y = x[0]) { x[0] = y + s; REGION } }", "own s"),
    ("void f(double *x) { double s = 0, own[9]; while (double y = x[0]) x[0] = y + s; REGION }", ""),
];

#[test]
fn what_nobody_reads_later_is_dead() {
    let mut wrong = Vec::new();
    let c = FUNCTIONS.iter().map(|case| ("last.c", case));
    for (name, (function, expected)) in c.chain(LOOPS.iter().map(|case| ("last.cpp", case))) {
        let text = format!("void keep(double *);\n{}\n", function.replace("REGION", REGION));
        let program = extract(name, &text).unwrap().value;
        let arrays = program.scops[0].model.arrays.iter();
        let live = arrays.filter(|array| ["s", "own"].contains(&&*array.name) && !array.dead_after);
        let mut found: Vec<&str> = live.map(|array| array.name.as_str()).collect();
        found.sort_unstable();
        if found.join(" ") != *expected {
            wrong.push(format!("{function} gives {found:?}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Functions around a region that counts with `i`, and whether the region has to leave the last value in `i`.
const ITERATORS: &[(&str, bool)] = &[
    ("void f(double *x) { int i; REGION }", false),
    ("int f(double *x) { int i; REGION return i; }", true),
    ("void f(double *x) { static int i; REGION }", true),
    ("void f(double *x) { int i; keep(&i); REGION }", true),
    ("void f(double *x) { int i; REGION for (i = 0; i < 3; i++) x[i] = 2; }", false),
    ("void f(double *x) { int i, j; REGION for (j = 0, i = 0; i < 3; i++) x[i] = 2; }", false),
    ("void f(double *x) { int i, j; REGION for (j = i, i = 0; i < 3; i++) x[j] = 2; }", true),
    ("void f(double *x) { int i; REGION for (i = i + 1; i < 20; i++) x[i] = 2; }", true),
    ("void f(double *x) { int i; REGION for (i += 1; i < 20; i++) x[i] = 2; }", true),
    ("void f(double *x) { int i; REGION for (; i < 20; i++) x[i] = 2; }", true),
    ("void f(double *x) { int i; REGION i = 3; x[i] = 2; }", true),
    ("void f(double *x) { int i; REGION i = 3; x[0] = 2; }", false),
    ("void f(double *x) { int i; REGION i = x[i]; }", true),
    // A jump may lead into a loop that begins by setting `i`.
    ("void f(double *x) { int i; REGION goto into; for (i = 0; i < 3; i++) { into: x[i] = 2; } }", true),
    (
        "void f(double *x, int n) { int i; REGION switch (n) { case 1: for (i = 0; i < 3; i++) { case 2: x[i] = 2; } } }",
        true,
    ),
    (
        "void f(double *x, int n) { int i; REGION for (i = 0; i < 3; i++) switch (n) { case 2: x[i] = 2; } }",
        false,
    ),
    // A loop around the region.
    ("void f(double *x) { int i; x[0] = i; REGION }", false),
    ("void f(double *x) { int i = 0; for (int t = 0; t < 3; t++) { x[0] = i; REGION } }", true),
    ("void f(double *x) { int i = 0; for (int t = 0; t < 3; t++) { REGION } }", false),
    ("void f(double *x) { int i; for (i = 0; i < 3; i++) { REGION } }", true),
    ("void f(double *x) { int i = 0; for (;;) { x[0] = i; REGION if (x[0] > 3) break; } }", true),
    ("void f(double *x) { int i = 0; for (;;) { REGION if (x[0] > 3) break; } }", false),
    ("void f(double *x) { int i = 0; for (int t = 0; t < 3; t++) {\n#pragma omp flush(i)\nREGION } }", true),
    ("void f(double *x) { int i = 0;\n#pragma omp flush(i)\nREGION }", false),
    // Another variable of the same name.
    ("void f(double *x, int i) { x[i] = 3; { int i; REGION } x[i] = 3; }", false),
];

/// Names may contain underscores anywhere.
#[test]
fn pragmas_mention_whole_names() {
    for (name, is_live) in [("_s_1", true), ("_s", false), ("s_1", false)] {
        let text = format!(
            "void f(double *x) {{ double _s_1 = 0;\n#pragma scop\nfor (int i = 0; i < 9; i++) _s_1 += x[i];\n#pragma endscop\n\
             _Pragma(\"omp flush({name})\") ; }}\n"
        );
        let program = extract("pragmas.c", &text).unwrap().value;
        let arrays = &program.scops[0].model.arrays;
        assert!(
            arrays.iter().any(|array| array.expression == "_s_1" && array.dead_after != is_live),
            "{name}"
        );
    }
}

#[test]
fn iterators_that_somebody_reads_later_keep_their_values() {
    let region = "\n#pragma scop\nfor (i = 0; i < 9; i++) x[i] = i;\n#pragma endscop\n";
    let mut wrong = Vec::new();
    for (function, left) in ITERATORS {
        let text = format!("void keep(int *);\n{}\n", function.replace("REGION", region));
        let program = extract("iterators.c", &text).unwrap().value;
        if program.scops[0].model.arrays.iter().any(|array| array.expression == "i") != *left {
            wrong.push(*function);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let text = "void f(double *x) { int i; for (int t = 0; t < 3; t++) {\n#pragma scop\n#pragma omp simd lastprivate(i)\n\
                for (i = 0; i < 9; i++) x[i] = i;\n#pragma endscop\n} }\n";
    let arrays = extract("inside.c", text).unwrap().value.scops[0].model.arrays.len();
    assert_eq!(arrays, 1, "what is in the region reads nothing behind it");
    let text = "void f(double *x) {\n#pragma scop\nfor (int i = 0; i < 9; i++) x[i] = i;\n#pragma endscop\n\
                #pragma omp parallel private(i)\n; }\n";
    let arrays = extract("own.c", text).unwrap().value.scops[0].model.arrays.len();
    assert_eq!(arrays, 1, "an iterator of the region's own has no value behind it");
}

/// A structure may be used as a whole.
#[test]
fn members_of_structures_are_not_dead() {
    let text = "struct pair { double x, y; }; void use(struct pair);\nvoid f(double *x) { struct pair q;\n\
                #pragma scop\nq.x = 0;\nfor (int i = 0; i < 9; i++) q.x += x[i];\n#pragma endscop\nuse(q); }\n";
    let program = extract("members.c", text).unwrap().value;
    let member = program.scops[0].model.arrays.iter().find(|array| array.expression == "q.x").unwrap();
    assert!(!member.dead_after);
}

/// Functions with a loop on data that counts with `k`, and whether `k` is memory, which other code may read.
const COUNTERS: &[(&str, bool)] = &[
    ("void f(int c[restrict 10], double x[restrict 9]) { int k; REGION }", false),
    ("int f(int c[restrict 10], double x[restrict 9]) { int k; REGION return k; }", true),
    ("void f(int c[restrict 10], double x[restrict 9]) { int k = 3; c[0] = k; REGION }", true),
    (
        "void f(int c[restrict 10], double x[restrict 9]) { int k; REGION for (k = 0; k < 3; k++) c[k] = 2; }",
        false,
    ),
    (
        "void f(int c[restrict 10], double x[restrict 9]) { int k; for (k = 0; k < 3; k++) keep(&k); REGION }",
        true,
    ),
    ("void f(int c[restrict 10], double x[restrict 9]) { static int k; REGION }", true),
    ("void f(int c[restrict 10], double x[restrict 9]) { int k; keep(&k); REGION }", true),
    ("void f(int c[restrict 10], double x[restrict 9], int k) { REGION }", false),
];

#[test]
fn counters_of_loops_on_data_that_somebody_reads_are_memory() {
    let region = "\n#pragma scop\nfor (int i = 0; i < 9; i++) for (k = c[i]; k < c[i + 1]; k++) x[i] += 1;\n#pragma endscop\n";
    let mut wrong = Vec::new();
    for (function, memory) in COUNTERS {
        let text = format!("void keep(int *);\n{}\n", function.replace("REGION", region));
        let program = extract("counters.c", &text).unwrap().value;
        if program.scops[0].model.arrays.iter().any(|array| array.expression == "k") != *memory {
            wrong.push(*function);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let text = "void f(const int c[10], int x[9]) { int k;\n#pragma scop\n\
                for (int i = 0; i < 9; i++) { for (k = c[i]; k < c[i + 1]; k++) x[i] += 1; x[i] += k; }\n#pragma endscop\n}\n";
    let arrays = &extract("inside.c", text).unwrap().value.scops[0].model.arrays;
    assert!(arrays.iter().any(|array| array.expression == "k"), "the region itself reads it");
}
