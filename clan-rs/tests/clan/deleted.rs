//! How many bytes `delete[]` ends.

use scop::{Effect, HostNode};

use crate::host::program_of;

/// Returns the numbers of bytes of all arrays that are deleted, as the document has them; `?` for an unknown number.
fn deleted(text: &str) -> String {
    let text = format!("void g(int); static double *kept;\n{}", text.replace("REGION", "REGION(a)"));
    let (_, program) = program_of("deleted.cpp", &text);
    let mut found = Vec::new();
    for procedure in &program.host {
        HostNode::walk(&procedure.body, &mut |node| {
            let touches = node.codes().into_iter().flat_map(|code| &code.touches);
            for touch in touches.filter(|touch| touch.effect == Effect::Frees) {
                let bytes = touch.place.as_ref().and_then(|place| place.bytes.clone());
                found.push(bytes.unwrap_or_else(|| "?".to_owned()));
            }
        });
    }
    found.join(", ")
}

const ROWS: &[(&str, &str)] = &[
    ("int main() { double *a = new double[9]; REGION delete[] a; }", "72l"),
    ("int main(int n, char **) { double *a = new double[n]; REGION delete[] a; }", "(long)n * 8l"),
    ("void f(int n, long m) { double *a = new double[n * m](); REGION delete[] a; }", "(long)n * m * 8l"),
    ("void f(unsigned n) { float *a = new float[n + 1]; REGION delete[] a; }", "(long)(n + 1u) * 4l"),
    // Both have one length.
    (
        "void f(int n) { double *a = new double[n], *b = new double[n]; REGION kept = 0; double *t = a; a = b; b = t; \
         REGION delete[] a; delete[] b; }",
        "(long)n * 8l, (long)n * 8l",
    ),
    ("void f(int n) { double *a = n > 3 ? new double[n] : new double[9]; REGION delete[] a; }", "?"),
    (
        "void f(int n) { double *a = nullptr; if (n > 3) a = new double[n]; REGION delete[] a; }",
        "(long)n * 8l",
    ),
    // The variable changes, is known to others, is another one in each iteration, or has another name inside.
    ("void f(int n) { double *a = new double[n]; REGION n++; delete[] a; }", "?"),
    ("void f(int n) { int *p = &n; double *a = new double[n]; REGION *p = 1; delete[] a; }", "?"),
    (
        "void f(int m) { double *a = nullptr; for (int t = 1; t < m; t++) { int n = t; delete[] a; a = new double[n]; \
         REGION } delete[] a; }",
        "?, ?",
    ),
    ("void f(int n) { double *a = new double[n]; REGION { int n = 1; g(n); delete[] a; } }", "?"),
    ("int n; void f() { double *a = new double[n]; REGION delete[] a; }", "?"),
    // The array may be that of an earlier call, or of another function.
    ("void f(int n) { double *a = kept; if (a) { REGION delete[] a; } kept = new double[n]; }", "?"),
    (
        "static void f(int n, double *p) { double *a = new double[n]; REGION if (n > 1) f(n - 1, a); else delete[] p; \
         delete[] a; } int main() { f(3, nullptr); }",
        "?, ?",
    ),
    (
        "static double *make(int n) { return new double[n]; } void f(int n) { double *a = make(n + 1); REGION delete[] a; }",
        "?",
    ),
    // Its constant length is the same everywhere.
    (
        "static double *make() { return new double[5]; } static void end(double *p) { delete[] p; } \
         void f() { double *a = make(); REGION end(a); }",
        "40l",
    ),
    // Other code may have made it.
    (
        "double *make(int); void f(int n) { double *a = new double[n]; if (n) a = make(n); REGION delete[] a; }",
        "?",
    ),
    ("void f(int n) { double *a = new double[n]; again:; REGION if (n > 3) goto again; delete[] a; }", "?"),
];

#[test]
fn lengths_of_what_is_deleted() {
    let mut wrong = String::new();
    for (text, expected) in ROWS {
        let found = deleted(text);
        if found != *expected {
            wrong += &format!("{text}\n  found {found:?}, expected {expected:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
