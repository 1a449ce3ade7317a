//! Integers that wrap around, in subscripts, conditions and bounds. The code is translated, given up, or left to the
//! original loops; in each case the result is that of the source.

use chain_tests::{Call, Scratch, driver, gcc, gxx};

/// Expressions of the parameters and the counter, with values from -8 to 8 for `n` = 16, `m` = 8 and `u` = 3.
/// Compilers define all of them: signed shifts and conversions wrap around, as in C++ since C++20.
const EXPRESSIONS: &[&str] = &[
    "(i << 30) >> 30",
    "(i << 28) >> 29",
    "(m << 28) >> 28",
    "((i - m) << 28) >> 28",
    "(long)i << 61 >> 61",
    "(int)((long)i << 31) >> 29",
    "(i << 1 << 28) >> 29",
    "(1 << 31) >> 28",
    "(3 << 31) >> 29",
    "(i - m) >> 1",
    "(m - 3 * i) >> 3",
    "~i >> 1",
    "~(i - m) / 2",
    "~i & 7",
    "(i - m) & 7",
    "-(i - m) & 3",
    "(signed char)(i * 60) / 16",
    "(signed char)(m << 4) / 16",
    "(short)(i * 3000) / 4096",
    "(unsigned char)(i - m) >> 5",
    "(int)(short)(m + 65528)",
    "(i - m) / -2",
    "(i - m) % -3",
    "(i - m) / 3 + (i - m) % 3",
    "(int)(4294967288u + i)",
    "(int)((unsigned)i - u)/ 2",
    "(int)(u * 1431655765u + 1u - (unsigned)i) / 2",
    "(int)(2147483648u >> 29)",
    "(int)(-2147483648L >> 29) + i / 4",
    "(char)(i + 120) / 16",
    "-(i << 28 >> 28)",
    "(int)(-u >> 29)",
    "(int)(~u / 1431655765u)",
];

/// Returns a program with a function for each use of each expression, and calls of these functions.
fn program(expressions: &[&str]) -> String {
    let mut functions = String::new();
    let mut calls = String::new();
    for (k, text) in expressions.iter().enumerate() {
        let bodies = [
            format!("b[i] = a[8 + ({text})];"),
            format!("if (({text}) >= 1)\n            b[i] += 2;\n        else\n            b[i] -= 1;"),
            format!("for (int j = 0; j < 8 + ({text}); j++)\n            b[j] += j + a[i];"),
            format!("const int chosen = {text};\n        b[8 + chosen] += 3 + i;"),
        ];
        for (form, body) in ["subscript", "condition", "bound", "constant"].iter().zip(bodies) {
            functions.push_str(&format!(
                "static void {form}{k}(int n, int m, unsigned u, const double a[17], double b[17])
{{
#pragma scop
    for (int i = 0; i < n; i++) {{
        {body}
    }}
#pragma endscop
}}
"
            ));
            calls.push_str(&format!("    show(\"{form} {k}\", {form}{k});\n"));
        }
    }
    format!(
        "#include <stdio.h>
{functions}
static void show(const char *what, void (*function)(int, int, unsigned, const double *, double *))
{{
    double a[17], b[17] = {{0}};
    for (int i = 0; i < 17; i++)
        a[i] = 10 + i * i;
    function(16, 8, 3, a, b);
    printf(\"%s:\", what);
    for (int i = 0; i < 17; i++)
        printf(\" %g\", b[i]);
    printf(\"\\n\");
}}
int main(void)
{{
{calls}    return 0;
}}
"
    )
}

fn chooses_the_same(file: &str, standard: &str, expressions: &[&str]) {
    let scratch = Scratch::new(&format!("wrapping {standard}"));
    scratch.write(file, &program(expressions));
    let compiler = if file.ends_with(".c") { gcc() } else { gxx() };
    compiler.args([standard, "-w", file, "-o", "original"]).within(scratch.path()).run().succeeded();
    let expected = Call::new(scratch.at("original")).run().succeeded().stdout;
    let call = driver().args(["-q", standard, "--keep-going", "--run", "--on", "cpu", "-o", "out", file]);
    let printed = call.within(scratch.path()).run().succeeded().stdout;
    let differences: Vec<_> =
        expected.lines().zip(printed.lines()).filter(|(expected, printed)| expected != printed).collect();
    assert!(differences.is_empty() && printed.lines().count() == 4 * expressions.len(), "{differences:#?}");
    let calls = scratch.read(&format!("out/{}", file.replace('.', "_host."))).matches("_scop0(").count();
    assert!(calls > 2 * expressions.len(), "only {calls} regions are translated");
}

#[test]
fn integers_of_c_wrap_around() {
    chooses_the_same("wrapping.c", "-std=gnu11", EXPRESSIONS);
}

#[test]
fn integers_of_cxx_wrap_around() {
    // In C++, every third expression is enough: once clang has parsed them, the same stages handle them.
    let some: Vec<&str> = EXPRESSIONS.iter().copied().step_by(3).collect();
    chooses_the_same("wrapping.cpp", "-std=c++17", &some);
}

/// Assumptions about a parameter are checked in the type of the generated code, which therefore has to hold the
/// parameter.
#[test]
fn large_numbers_are_not_taken_for_small_ones() {
    let scratch = Scratch::new("narrowed");
    scratch.write(
        "narrowed.c",
        "#include <stdio.h>
static void add(unsigned n, double *a)
{
#pragma scop
    for (int i = 0; i < (short)n; i++)
        a[i] += 1;
#pragma endscop
}
int main(void)
{
    double a[9] = {0};
    for (unsigned high = 0; high < 4; high++)
        add((high << 30) + 2 * high + 1, a);
    for (int i = 0; i < 9; i++)
        printf(\"%g \", a[i]);
    return 0;
}
",
    );
    let call = driver().args(["-q", "--run", "--on", "cpu", "narrowed.c"]);
    let printed = call.within(scratch.path()).run().succeeded().stdout;
    assert_eq!(printed, "4 3 3 2 2 1 1 0 0 ");
}
