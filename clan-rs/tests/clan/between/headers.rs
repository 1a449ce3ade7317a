//! Functions and variables of headers.

use super::between;

/// Headers, files that include them at `HEADER`, and what is between the regions of these.
const HEADERS: &[(&str, &str, &str)] = &[
    (
        "static void set(void) { own[0] = 1; }",
        "static double own[9];\nHEADER\nvoid f(void) { REGION(own) unknown(); REGION(own) }",
        "unknown, !",
    ),
    (
        "static void set(void) { own[0] = 1; }",
        "static double own[9];\nHEADER\nvoid f(void) { REGION(own) set(); REGION(own) }",
        "overwrites &own[0]",
    ),
    (
        "static int k(int n) { n += (double (*)[(int)own[1]])0 != 0; return n; }",
        "static double own[9];\nHEADER\nvoid f(void) { REGION(own) k(3); REGION(own) }",
        "unknown, !",
    ),
    (
        "static int k(int n) { for (; n < 3; n++) { } n += (double (*)[(int)own[1]])0 != 0; return n; }",
        "static double own[9];\nHEADER\nvoid f(void) { REGION(own) k(3); REGION(own) }",
        "unknown, !",
    ),
    (
        "static int k(int n) { n += (double (*)[g()])0 != 0; return n; }",
        "static double own[9]; static int g(void) { own[0] = 1; return 2; }\nHEADER\nvoid f(void) { REGION(own) k(3); REGION(own) }",
        "called, unknown, !",
    ),
    (
        "static int k(int n) { for (; n < 3; n++) { } return n; }",
        "static double own[9];\nHEADER\nvoid f(void) { REGION(own) k(3); REGION(own) }",
        "",
    ),
    (
        "static double *const table[] = {own};",
        "static double own[9];\nHEADER\nvoid f(void) { REGION(own) unknown(); REGION(own) }",
        "unknown, !",
    ),
    ("static double own[9];", "HEADER\nvoid f(void) { REGION(own) unknown(); REGION(own) }", "unknown, !"),
    (
        "static void set(double *p) { p[0] = 1; } static void (*handler)(double *) = set;",
        "static double own[9];\nHEADER\nvoid f(void) { REGION(own) handler(own); REGION(own) }",
        "unknown, !",
    ),
    (
        "static void set(double *p) { p[0] = 1; }",
        "static double own[9];\nHEADER\nvoid f(void) { REGION(own) set(own); REGION(own) }",
        "overwrites &p[0]",
    ),
    (
        "static void call(void) { set(); }",
        "static double own[9]; static void set(void) { own[0] = 1; }\nHEADER\nvoid f(void) { REGION(own) unknown(); REGION(own) }",
        "called, unknown",
    ),
];

#[test]
fn headers_have_functions_too() {
    let folder = std::env::temp_dir().join(format!("clan-between-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("mine.h");
    for (header, text, expected) in HEADERS {
        std::fs::write(&path, format!("{header}\n")).unwrap();
        let text = text.replace("HEADER", &format!("#include \"{}\"", path.display()));
        let text = format!("void unknown();\n{text}");
        assert_eq!(between(&text), *expected, "{header} {text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}
