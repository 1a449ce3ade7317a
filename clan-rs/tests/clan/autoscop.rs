//! `--autoscop`: which regions it finds in a file, and what it reports about the loops that it leaves alone.

use clan_rs::Options;
use scop::Diagnostics;

/// Returns the text of each region, with white space reduced to single blanks, and each message with its line.
fn found(text: &str) -> Result<(Vec<String>, Vec<String>), Diagnostics> {
    let options = Options { autoscop: true, ..Options::for_file("auto.c") };
    let outcome = clan_rs::run_on(&options, text.as_bytes().to_vec())?;
    let faults = scop::verify::verify(&outcome.value);
    assert!(faults.is_empty(), "{faults:#?}");
    let regions = outcome.value.source.regions.iter();
    let regions = regions.map(|region| &text[region.range.start as usize..region.range.end as usize]);
    let regions = regions.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let line = |d: &scop::Diagnostic| d.place.as_ref().map_or(0, |place| place.range.line);
    let said = outcome.diagnostics.iter().map(|d| format!("{} {}: {}", line(d), d.code, d.message)).collect();
    Ok((regions, said))
}

fn check(text: &str, regions: &[&str], said: &[&str]) {
    let (actual_regions, actual_said) = found(text).unwrap();
    assert_eq!(actual_regions, regions, "{text}");
    assert_eq!(actual_said, said, "{text}");
}

#[test]
fn regions_are_as_long_as_they_can_be() {
    check(
        "int puts(const char *);\n\
         void f(int n, double *restrict a, double *restrict s) {\n\
         s[0] = 0;\n\
         for (int i = 0; i < n; i++) a[i] = i;\n\
         s[1] = 1;\n\
         for (int i = 0; i < n; i++) s[1] += a[i];\n\
         puts(\"x\");\n\
         for (int i = 0; i < n; i++) a[i] += s[1];\n\
         s[0] = 2;\n\
         }\n\
         void g(int n, double *restrict a) { if (n > 5) for (int i = 0; i < n; i++) a[i] = 2; }\n",
        &[
            "for (int i = 0; i < n; i++) a[i] = i; s[1] = 1; for (int i = 0; i < n; i++) s[1] += a[i];",
            "for (int i = 0; i < n; i++) a[i] += s[1];",
            "if (n > 5) for (int i = 0; i < n; i++) a[i] = 2;",
        ],
        &[],
    );
}

#[test]
fn refused_loops_are_entered() {
    check(
        "int puts(const char *);\n\
         void f(int n, double (*restrict a)[n]) {\n\
         for (int t = 0; t < n; t++) {\n\
         for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] += t;\n\
         puts(\"x\");\n\
         for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) a[j][i] += t; puts(\"y\"); }\n\
         }\n\
         if (a[0][0] > 0) for (int i = 0; i < n; i++) puts(\"z\"); else for (int i = 0; i < n; i++) a[i][i] = 0;\n\
         }\n",
        &[
            "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] += t;",
            "for (int j = 0; j < n; j++) a[j][i] += t;",
            "for (int i = 0; i < n; i++) a[i][i] = 0;",
        ],
        &[
            "5 W0164: the loop on line 3 is left as it is: `puts` is called for its side effects (and 1 more)",
            "6 W0164: the loop on line 6 is left as it is: `puts` is called for its side effects",
            "8 W0164: the loop on line 8 is left as it is: `puts` is called for its side effects",
        ],
    );
}

#[test]
fn marked_regions_stay_as_they_are() {
    check(
        "void f(int n, double *restrict a, double *restrict b) {\n\
         for (int i = 0; i < n; i++) a[i] = 1;\n\
         #pragma scop\n\
         for (int i = 0; i < n; i++) a[i] += 1;\n\
         #pragma endscop\n\
         for (int t = 0; t < n; t++) {\n\
         #pragma scop\n\
         for (int i = 0; i < n; i++) a[i] *= 2;\n\
         #pragma endscop\n\
         for (int i = 0; i < n; i++) b[i] = a[i];\n\
         }\n\
         }\n",
        &[
            "for (int i = 0; i < n; i++) a[i] = 1;",
            "#pragma scop for (int i = 0; i < n; i++) a[i] += 1; #pragma endscop",
            "#pragma scop for (int i = 0; i < n; i++) a[i] *= 2; #pragma endscop",
            "for (int i = 0; i < n; i++) b[i] = a[i];",
        ],
        &[],
    );
}

#[test]
fn pragmas_go_with_their_loops() {
    check(
        "double f(double);\n\
         void g(int n, double *restrict a) {\n\
         #pragma omp parallel for\n\
         for (int i = 0; i < n; i++) a[i] = 1;\n\
         #pragma omp parallel\n\
         {\n\
         #pragma omp for\n\
         for (int i = 0; i < n; i++) a[i] = 2;\n\
         }\n\
         #pragma omp parallel for\n\
         for (int i = 0; i < n; i++) { a[i] = f(a[i]); for (int j = 0; j < n; j++) a[j] = 3; }\n\
         }\n",
        &["#pragma omp parallel for for (int i = 0; i < n; i++) a[i] = 1;"],
        &[
            "8 W0164: the loop on line 8 is left as it is: OpenMP or OpenACC executes the code around it in several threads",
            "11 W0164: the loop on line 11 is left as it is: `f` is not a function that may be called in a region",
        ],
    );
}

#[test]
fn macros_are_replaced_as_a_whole_or_not_at_all() {
    check(
        "#define FOR(i, n) for (int i = 0; i < n; i++)\n\
         #define BOTH(a) for (int q = 0; q < 3; q++) a[q] = 1; puts(\"x\")\n\
         int puts(const char *);\n\
         void f(int n, double *restrict a) {\n\
         FOR(i, n) a[i] = 1;\n\
         BOTH(a);\n\
         }\n",
        &["FOR(i, n) a[i] = 1;"],
        &["6 W0164: the loop on line 6 is left as it is: a macro contains more than this loop"],
    );
}

/// What a macro contains besides a loop, and how the macro is used; the loop is left as it is.
const MACROS: &[(&str, &str)] = &[
    ("puts(\"\"); FOR", "M(a);"),
    ("FOR; puts(\"\")", "M(a);"),
    ("FOR; }", "while (more(a)) { M(a)"),
    ("FOR; }", "while (more(a)) { puts(\"\"); { M(a) }"),
    ("while (more(a)) FOR", "M(a);"),
    ("FOR; while (more(a))", "do M(a);"),
    ("else FOR", "if (more(a)) puts(\"\"); M(a);"),
    ("FOR; else", "if (more(a)) M(a) puts(\"\");"),
    ("FOR; else puts(\"\")", "if (more(a)) M(a);"),
    ("puts(\"\"); else FOR", "if (more(a)) M(a);"),
    ("break; case 5: FOR", "switch (n) { case 1: M(a); }"),
];

#[test]
fn macros_keep_what_is_around_their_loops() {
    for (content, used) in MACROS {
        let content = content.replace("FOR", "for (int q = 0; q < 3; q++) a[q] = 1");
        let text = format!(
            "#define M(a) {content}\nint puts(const char *); int more(double *);\nvoid f(int n, double *a) {{ {used} }}\n"
        );
        let refused = found(&text).unwrap_err().0;
        let inside =
            refused.iter().filter(|why| why.message.contains("a macro contains more than this loop"));
        assert_eq!(inside.count(), 1, "{text}{refused:#?}");
    }
}

#[test]
fn branches_are_regions_of_their_own() {
    check(
        "int puts(const char *); int more(double *);\n\
         #define FOR(a) for (int q = 0; q < 3; q++) a[q] = 1\n\
         void f(int n, double *restrict a) {\n\
         if (more(a)) FOR(a); else FOR(a);\n\
         if (more(a))\n\
         #pragma GCC unroll 4\n\
         for (int i = 0; i < n; i++) puts(\"x\");\n\
         else\n\
         for (int i = 0; i < 4; i++) a[i] = 1;\n\
         if (more(a)) for (int i = 0; i < 3; i++) a[i] = 1 /* ; */ // ;\n\
         ; else puts(\"z\");\n\
         if (more(a)) puts(\"y\"); else\n\
         #pragma GCC unroll 4\n\
         for (int i = 0; i < 5; i++) a[i] = 1;\n\
         }\n",
        &[
            "FOR(a);",
            "FOR(a);",
            "for (int i = 0; i < 4; i++) a[i] = 1;",
            "for (int i = 0; i < 3; i++) a[i] = 1 /* ; */ // ; ;",
            "#pragma GCC unroll 4 for (int i = 0; i < 5; i++) a[i] = 1;",
        ],
        &["7 W0164: the loop on line 7 is left as it is: `puts` is called for its side effects"],
    );
}

#[test]
fn directives_stay_that_others_need() {
    check(
        "void f(int n, double *restrict a) {\n\
         for (int i = 0; i < n; i++)\n\
         #define K 3\n\
         a[i] = K;\n\
         for (int i = 0; i < K; i++) a[i] = K;\n\
         }\n",
        &["for (int i = 0; i < K; i++) a[i] = K;"],
        &["3 W0164: the loop on line 2 is left as it is: `#define` inside a region"],
    );
}

/// A directive of OpenMP or OpenACC applies to the statement after it.
#[test]
fn parallel_is_what_a_directive_is_for() {
    let text = |directive: &str, between: &str| {
        format!(
            "int puts(const char *);\nvoid f(int n, double *restrict a) {{\n{directive}\n{between}\
             for (int i = 0; i < n; i++) {{ puts(\"\"); for (int j = 0; j < n; j++) a[j] = 3; }}\n}}\n"
        )
    };
    let inner = "for (int j = 0; j < n; j++) a[j] = 3;";
    for directive in ["#pragma omp parallel for", "#pragma acc parallel loop"] {
        assert!(found(&text(directive, "")).is_err(), "{directive}");
        let between = "for (int i = 0; i < n; i++) a[i] = 1;\n";
        let regions = found(&text(directive, between)).unwrap().0;
        assert_eq!(regions, [&format!("{directive} {}", between.trim()), inner], "{directive}");
    }
    assert_eq!(found(&text("#pragma GCC unroll 4", "")).unwrap().0, [inner]);
}

#[test]
fn a_file_without_such_loops_is_refused() {
    let refused = found("int puts(const char *);\nvoid f(int n) { while (n--) puts(\"x\"); }\n").unwrap_err();
    let codes: Vec<&str> = refused.0.iter().map(|d| d.code.as_str()).collect();
    assert_eq!(codes, ["E0103", "W0164"]);
    assert!(found("int x;\n").is_err());
}
