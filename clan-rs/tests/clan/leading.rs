//! Where marked regions begin if directives precede them.

use crate::extract;

/// The text before `#pragma scop`, and how much of it belongs to the region.
const BEFORE: &[(&str, &str)] = &[
    ("n++;\n", ""),
    ("#pragma GCC ivdep\n", "#pragma GCC ivdep\n"),
    (
        "n++;\n#pragma omp parallel for private(i) // all\n\n# pragma unroll\n/* n */\n",
        "#pragma omp parallel for private(i) // all\n\n# pragma unroll\n/* n */\n",
    ),
    ("#pragma GCC diagnostic push\n#pragma omp simd\n", "#pragma omp simd\n"),
    ("#pragma omp simd\nfor (int i = 0; i < n; i++) a[i] = 1;\n", ""),
    ("#pragma omp critical\n", ""),
    ("#pragma omp ordered simd\n", ""),
    (
        "#if 1\n#pragma GCC unroll 4\n#else\n#pragma unroll\nn++;\n#endif\n",
        "#if 1\n#pragma GCC unroll 4\n#else\n#pragma unroll\nn++;\n#endif\n",
    ),
    ("#if 1\n#endif\n#pragma GCC unroll 4\n", "#pragma GCC unroll 4\n"),
    ("#if 1\nn++;\n#endif\n#pragma GCC unroll 4\n", "#pragma GCC unroll 4\n"),
];

fn program(before: &str) -> String {
    let region = "#pragma scop\nfor (int i = 0; i < n; i++) a[i] = i;\n#pragma endscop";
    format!("void f(int n, double *restrict a) {{\n{before}{region}\n}}\n")
}

#[test]
fn pragmas_for_the_loop_after_go_with_the_region() {
    for (before, taken) in BEFORE {
        let text = program(before);
        let range = extract("leading.c", &text).unwrap().value.source.regions[0].range;
        let expected = text.find("#pragma scop").unwrap() - taken.len();
        assert_eq!(range.start as usize, expected, "{before}");
    }
}

#[test]
fn loops_that_threads_share_are_refused() {
    for before in ["#pragma omp for\n", "#pragma omp for simd schedule(static)\n#pragma GCC ivdep\n"] {
        let refused = extract("leading.c", &program(before)).unwrap_err();
        assert_eq!((&*refused.0[0].code, refused.0.len()), ("E0107", 1), "{before}");
    }
}

/// The body of a region, and the loops for which it contains claims.
const CLAIMS: &[(&str, &[u32])] = &[
    ("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = 1;", &[]),
    (
        "#pragma c2cuda independent\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = 1;",
        &[0],
    ),
    (
        "#pragma c2cuda independent\n#pragma GCC ivdep\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = 1;",
        &[0],
    ),
    (
        "for (int i = 0; i < n; i++)\n#pragma c2cuda independent\nfor (int j = 0; j < n; j++) b[i][j] = 1;",
        &[1],
    ),
    (
        "for (int i = 0; i < n; i++) a[i] = 1;\n#pragma c2cuda independent\nfor (int i = 0; i < n; i++) a[i] += 1;",
        &[1],
    ),
];

#[test]
fn claims_are_for_the_loop_after_them() {
    for (body, claimed) in CLAIMS {
        let text = format!(
            "void f(int n, double *restrict a, double (*restrict b)[n]) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
        );
        let model = &extract("claims.c", &text).unwrap().value.scops[0].model;
        let loops: Vec<u32> = model.independent.iter().map(|claim| claim.around.0).collect();
        assert_eq!(loops, *claimed, "{body}");
    }
    let text = "void f(int n, double *a) {\n#pragma scop\n#pragma c2cuda independent\na[0] = 1;\n\
                for (int i = 0; i < n; i++) a[i] = 1;\n#pragma endscop\n}\n";
    assert_eq!(extract("claims.c", text).unwrap_err().0[0].code, "E0107");
}
