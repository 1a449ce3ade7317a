//! Which memory certainly exists according to the source: its length, and its first element.

use crate::extract;

fn codes(text: &str) -> Vec<String> {
    extract("memory.c", text)
        .map_or_else(|refused| refused.0, |_| Vec::new())
        .into_iter()
        .map(|d| d.code)
        .collect()
}

/// The code before a region that uses an element of `own` which data choose, the code after it, and the indices that
/// the access may have; nothing if the length is not known.
const LENGTHS: &[(&str, &str, Option<&str>)] = &[
    ("double *own = malloc(n * sizeof *own);", "", Some("0 <= x < n")),
    ("double *own; own = malloc(8 * n);", "", Some("0 <= x < n")),
    ("double *own = malloc(2 * n * sizeof *own);", "", Some("0 <= x < 2n")),
    ("double *own = (double *)malloc(sizeof(double) * (n + 1));", "", Some("0 <= x <= n")),
    ("double *own = malloc(80);", "", Some("0 <= x <= 9")),
    ("double *own = malloc(87);", "", Some("0 <= x <= 9")),
    ("double *own = calloc(n, 8);", "", Some("0 <= x < n")),
    ("double *own = aligned_alloc(64, n * 8);", "", Some("0 <= x < n")),
    ("double *own = realloc(kept, n * 8);", "", None),
    ("double *own = malloc(u * sizeof *own);", "", Some("0 <= x < u")),
    ("double *own = malloc((u - 1) * 8);", "", None),
    ("double *own = malloc(u * 2 * sizeof *own);", "", None),
    ("double *own = malloc((size_t)u * 2 * sizeof *own);", "", Some("0 <= x < 2u")),
    ("double *own = malloc(n * m * 8);", "", None),
    ("double *own = malloc(sizes[0] * 8);", "", None),
    ("double *own = malloc((unsigned char)u * 8);", "", None),
    ("double *own = malloc((n * n + 1) * 8);", "", None),
    ("double store[100]; double *own = store;", "", Some("0 <= x <= 99")),
    ("float store[100]; double *own = (double *)store;", "", None),
    ("double store[n]; double *own = store;", "", None),
    ("double *own = fixed;", "", None),
    // It must be the only memory that `own` points to until the region ends.
    ("static double *own; own = malloc(n * 8);", "", None),
    ("double *own = malloc(n * 8); double **other = &own;", "", None),
    ("double *own = malloc(n * 8); if (m > 3) own = kept;", "", None),
    ("double *own = kept; if (m > 3) own = malloc(n * 8);", "", None),
    ("double *own; own = malloc(n * 8); if (m > 3) own = kept;", "", None),
    ("double *own = kept; own = malloc(n * 8);", "", Some("0 <= x < n")),
    ("double *own = malloc(n * 8);", "own = kept;", Some("0 <= x < n")),
    ("double *own = malloc(n * 8); for (int t = 0; t < 3; t++) {", "own = kept; }", None),
    ("double *own = malloc(n * 8); for (;;) {", "own = kept; }", None),
    ("double *own = malloc(n * 8); for (;;) {", "break; } own = kept;", Some("0 <= x < n")),
    ("double *own; { own = malloc(n * 8); {", "} }", Some("0 <= x < n")),
    ("double *own; { own = malloc(n * 8); }", "", None),
    ("double *own; if (m > 3) { own = malloc(n * 8);", "}", Some("0 <= x < n")),
    ("double *own; if (m > 3) { own = malloc(n * 8); } else {", "}", None),
    ("double *own; if ((own = malloc(n * 8)) == NULL) return;", "", Some("0 <= x < n")),
    ("double *own; if ((own = malloc(n * 8)) && m > 3) {", "}", Some("0 <= x < n")),
    ("double *own; if (m > 3 && (own = malloc(n * 8))) {", "}", None),
    ("double *own; if (m > 3 ? (own = malloc(n * 8)) != NULL : 0) {", "}", None),
    ("double *own; if ((own = malloc(n * 8)) ? m > 3 : 0) {", "}", Some("0 <= x < n")),
    ("double *own; if (m > 3) if ((own = malloc(n * 8)) != NULL) {", "}", Some("0 <= x < n")),
    ("double *own; if ((m = 3) > 0) { own = malloc(n * 8);", "}", Some("0 <= x < n")),
    (
        "double *own, *other; if ((other = malloc(m * 8)) != NULL) { own = malloc(n * 8);",
        "}",
        Some("0 <= x < n"),
    ),
    ("double *own; switch (m) { case 1: ; own = malloc(n * 8);", "}", Some("0 <= x < n")),
    ("double *own = kept; switch (m) { case 1: ; own = malloc(n * 8); case 2: ;", "}", None),
    (
        "double *own = kept; switch (m) { case 1: ; own = malloc(n * 8); case 2: ;",
        "switch (n) { case 3: ; } }",
        None,
    ),
    (
        "double *own = kept; switch (m) { case 1: ; own = malloc(n * 8); switch (n) { case 3: ; } case 2: ;",
        "}",
        None,
    ),
    (
        "double *own = kept; switch (m) { case 1: ; own = malloc(n * 8); switch (n) { case 3: ; }",
        "}",
        Some("0 <= x < n"),
    ),
    // The length must not have changed.
    ("double *own = malloc(n * 8); n = n / 2;", "", None),
    ("double *own = malloc(n * 8);", "n = n / 2;", None),
    ("double *own = malloc(size * 8);", "", None),
    ("double *own = malloc(n * 8); {int n = 3; m = n; }", "", None),
];

#[test]
fn lengths_are_those_of_allocations() {
    let mut wrong = Vec::new();
    for &(before, after, expected) in LENGTHS {
        let text = format!(
            "#include <stdlib.h>\nextern double *kept; extern int size, *sizes;\n\
             void f(int n, int m, unsigned u, double fixed[100], const double x[9], const int chosen[9]) {{ {before}\n\
             #pragma scop\nfor (int i = 0; i < 9 && i < n; i++) own[chosen[i]] = x[i];\n#pragma endscop\n{after} }}\n"
        );
        let found = match extract("lengths.c", &text) {
            Ok(outcome) => {
                let statement = &outcome.value.scops[0].model.statements[0];
                let access = statement.accesses.iter().find(|access| access.indirect).unwrap();
                Some(access.relation.0.clone())
            }
            Err(refused) => {
                assert_eq!(refused.0[0].code, "E0122", "{before}");
                None
            }
        };
        let is_right = match (&found, expected) {
            (Some(found), Some(expected)) => found.contains(expected),
            (found, expected) => found.is_none() && expected.is_none(),
        };
        if !is_right {
            wrong.push(format!("{before} {after} gives {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lengths_are_those_of_new_arrays() {
    let mut wrong = Vec::new();
    for (before, expected) in [
        ("double *own = new double[n];", Some("0 <= x < n")),
        ("using number = double; auto *own = new number[n + 1];", Some("0 <= x <= n")),
        ("double *own = new double(n);", None),
        ("double *own = new (std::nothrow) double[n];", None),
        ("typedef double row[9]; double *own = new row;", None),
        ("double *own = new double[n]; double *&other = own;", None),
    ] {
        let text = format!(
            "#include <new>\nvoid f(int n, const double x[9], const int chosen[9]) {{ {before}\n\
             #pragma scop\nfor (int i = 0; i < 9; i++) own[chosen[i]] = x[i];\n#pragma endscop\n }}\n"
        );
        let relation = extract("new.cpp", &text).ok().map(|outcome| {
            let accesses = &outcome.value.scops[0].model.statements[0].accesses;
            accesses.iter().find(|access| access.indirect).unwrap().relation.0.clone()
        });
        if relation.as_deref().map(|found| found.contains(expected.unwrap_or("?"))) != expected.map(|_| true)
        {
            wrong.push(format!("{before} gives {relation:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program may have a function of the same name that allocates memory in another way.
#[test]
fn lengths_are_not_those_of_functions_of_the_program_s() {
    let text = |function: &str| {
        format!(
            "extern double kept[3]; {function}\nvoid f(int n, const double x[9], const int chosen[9]) {{ \
             double *own = malloc(n * 8);\n\
             #pragma scop\nfor (int i = 0; i < 9; i++) own[chosen[i]] = x[i];\n#pragma endscop\n }}\n"
        )
    };
    assert_eq!(codes(&text("void *malloc(unsigned long);")), [""; 0]);
    assert_eq!(codes(&text("void *malloc(unsigned long n) { return kept; }")), ["E0122"]);
}

/// Arrays with rows, and the bounds of the outermost index.
const ROWS: &[(&str, &str, Option<&str>)] = &[
    ("double (*own)[m] = malloc(n * m * sizeof(double));", "own[chosen[i]][0]", Some("0 <= x < n")),
    ("double (*own)[m] = malloc(m * (n + 1) * 8);", "own[chosen[i]][0]", Some("0 <= x <= n")),
    ("double (*own)[4] = malloc(n * sizeof *own);", "own[chosen[i]][0]", Some("0 <= x < n")),
    ("double (*own)[4] = malloc(n * 8);", "own[chosen[i]][0]", Some("4x <= -4 + n")),
    ("double (*own)[m] = malloc(n * 8);", "own[chosen[i]][0]", None),
    ("double (*own)[m] = malloc(n * n * 8);", "own[chosen[i]][0]", None),
    ("double own[n][m];", "own[chosen[i]][0]", Some("0 <= x < n")),
];

#[test]
fn lengths_of_rows_are_divided_out() {
    let mut wrong = Vec::new();
    for &(before, element, expected) in ROWS {
        let text = format!(
            "#include <stdlib.h>\nvoid f(int n, int m, const double x[9], const int chosen[9]) {{ {before}\n\
             #pragma scop\nfor (int i = 0; i < 9; i++) {element} = x[i];\n#pragma endscop\n }}\n"
        );
        let relation = extract("rows.c", &text).ok().map(|outcome| {
            let accesses = &outcome.value.scops[0].model.statements[0].accesses;
            accesses.iter().find(|access| access.indirect).unwrap().relation.0.clone()
        });
        if relation.as_deref().map(|found| found.contains(expected.unwrap_or("?"))) != expected.map(|_| true)
        {
            wrong.push(format!("{before} gives {relation:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The code before and after a region that uses `*p` under a condition on data, and whether `*p` certainly exists.
const FIRST_ELEMENTS: &[(&str, &str, bool)] = &[
    ("", "", false),
    ("p[0] = 0;", "", true),
    ("*p = 0;", "", true),
    ("*p += 1; n++; n = abs(n);", "", true),
    ("double before = *p; h(); before += *p;", "", true),
    ("double before = *p;", "", true),
    ("p[1] = 0;", "", false),
    ("p[n] = 0;", "", false),
    ("", "p[0] = 0;", false),
    ("q[0] = 0;", "", false),
    ("double *r = &p[0]; r++;", "", false),
    ("double *r = p;", "", false),
    // It must be accessed in any case.
    ("if (n > 3) p[0] = 0;", "", false),
    ("for (int t = 0; t < n; t++) p[0] = 0;", "", false),
    ("int k = n > 3 && p[0] > 0;", "", false),
    ("int k = p[0] > 0 && n > 3;", "", true),
    ("int k = n > 3 || p[0] > 0;", "", false),
    ("int k = n > 3 ? p[0] > 0 : 1;", "", false),
    ("int k = p[0] > 0 ? 2 : 1;", "", true),
    ("p[0] = 0; if (n > 3) {", "}", true),
    ("if (n > 3) { p[0] = 0; } else {", "}", false),
    ("if (n > 3) { p[0] = 0;", "}", true),
    ("switch (n) { case 0: ; p[0] = 0; break; default: {", "} }", false),
    ("for (int t = 0; t < n; t++) { p[0] = 0;", "}", false),
    ("switch (n) { case 0: ; p[0] = 0; default: {", "} }", false),
    ("{ static double *p; p[0] = 0;", "}", false),
    ("p[0] = 0; again: ;", "h(); if (n > 3) goto again;", false),
    // It must still exist.
    ("p[0] = 0; h();", "", false),
    ("h(); p[0] = 0;", "", true),
    ("p[0] = 0; p = q;", "", false),
    ("p[0] = 0;", "p = q;", false),
    ("p[0] = 0; double **r = &p; *r = q;", "", false),
    ("p[0] = 0; __asm__(\"\");", "", false),
    ("p[0] = 0; free(q);", "", false),
];

#[test]
fn first_elements_are_those_that_are_used_before() {
    let mut wrong = Vec::new();
    for &(before, after, exists) in FIRST_ELEMENTS {
        let text = format!(
            "#include <stdlib.h>\nextern double *q; void h(void);\n\
             void f(int n, const double x[9], double *p) {{ {before}\n\
             #pragma scop\nfor (int i = 0; i < 9; i++) if (x[i] > 0) p[0] += 1;\n#pragma endscop\n{after} }}\n"
        );
        let found = codes(&text);
        if found.first().map(String::as_str) != (!exists).then_some("E0162") {
            wrong.push(format!("{before} {after} gives {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Regions that use `*p` under a condition on data, and whether their certain accesses show that it exists.
const IN_THE_REGION: &[(&str, bool)] = &[
    ("for (int i = 0; i < 9; i++) if (x[i] > 0) p[0] += 1;", false),
    ("p[0] = 1; for (int i = 0; i < 9; i++) if (x[i] > 0) p[0] += 1;", true),
    ("if (x[0] > 0) p[0] = 1;", false),
    ("if (p[0] > 0) p[0] = 1;", true),
    ("if (x[0] > 0 && p[0] > 0) x[1] = 1;", false),
    ("if (p[0] > 0 && x[0] > 0) x[1] = 1;", true),
    ("x[1] = x[0] > 0 ? p[0] : 1;", false),
    ("while (p[0] > 1) p[0] /= 2;", true),
    ("for (int i = 0; i < 9; i++) { x[i] = 1; for (int k = x[i]; k < x[i]; k++) p[0] += 1; }", false),
    ("for (int i = 0; i < p[0]; i++) x[i % 9] = 1;", true),
    ("for (int i = p[0]; i < 3; i++) x[i & 7] = 1;", true),
    // Elements between two others exist, and so do members of the same structure and the rows from which data choose.
    ("p[0] = 1; p[8] = 1; for (int i = 1; i < 8; i++) if (x[i] > 0) p[i] += 1;", true),
    ("p[0] = 1; p[7] = 1; for (int i = 1; i < 9; i++) if (x[i] > 0) p[i] += 1;", false),
    ("for (int i = 0; i < 9; i++) { q[i][c[i] & 7] = 1; if (x[i] > 0) q[i][0] = 2; }", true),
    ("for (int i = 0; i < 9; i++) if (x[i] > 0) q[i][c[i] & 7] = 1;", false),
    ("for (int i = 0; i < 9; i++) if (x[i] > 0) s->x = 2;", false),
    ("s->y = 1; for (int i = 0; i < 9; i++) if (x[i] > 0) s->x = 2;", true),
    ("o->y = 1; for (int i = 0; i < 9; i++) if (x[i] > 0) s->x = 2;", false),
    ("for (int i = 0; i < 9; i++) if (x[i] > 0) s->v[i & 3] = 2;", false),
    ("s->y = 1; for (int i = 0; i < 9; i++) if (x[i] > 0) s->v[i & 3] = 2;", true),
    ("o->y = 1; for (int i = 0; i < 9; i++) if (x[i] > 0) s->v[i & 3] = 2;", false),
    ("s->v[2] = 1; for (int i = 0; i < 9; i++) if (x[i] > 0) s->v[i & 3] = 2;", true),
    ("for (int i = 0; i < 9; i++) { t[i].y = 1; if (x[i] > 0) t[i].x = 2; }", true),
    ("for (int i = 0; i < 9; i++) { t[i].y = 1; if (x[i] > 0) t[i + 1].x = 2; }", false),
    ("for (int i = 0; i < 9; i++) { u[i].y = 1; if (x[i] > 0) t[i].x = 2; }", false),
    ("s->next[0] = 1; for (int i = 0; i < 9; i++) if (x[i] > 0) s->next[i] = 2;", false),
    // A declared length counts elements, even if subscripts show rows.
    ("for (int i = 0; i < 20; i++) if (x[i & 7] > 0) v[i] = 1;", true),
    ("for (int i = 0; i < 20; i++) for (int j = 0; j < n; j++) if (x[i & 7] > 0) v[i * n + j] = 1;", false),
    ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (x[i & 7] > 0) w[i * m + j] = 1;", true),
];

#[test]
fn first_elements_are_those_that_the_region_uses() {
    let mut wrong = Vec::new();
    for &(region, exists) in IN_THE_REGION {
        let text = format!(
            "struct s {{ double x, y, v[4]; int *next; }};\nvoid f(int n, int m, double v[restrict 36], double w[restrict n * m], double x[restrict 9], int *restrict p, const int c[restrict 9], int (*restrict q)[8], struct s *restrict s, struct s *restrict o, struct s *restrict t, struct s *restrict u) {{\n#pragma scop\n{region}\n#pragma endscop\n }}\n"
        );
        let found = codes(&text);
        if found.first().map(String::as_str) != (!exists).then_some("E0162") {
            wrong.push(format!("{region} gives {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
