//! What a region may change through pointers: which of its constants, and which of its scalars.

use crate::extract;

/// Declarations, parameters, the code before the region (if any) and `|`, the loop of the region, and whether it may
/// change what the translation considers constant.
const CONSTANTS: &[(&str, &str, &str, bool)] = &[
    ("static int count;", "int *p", "for (int i = 0; i < count; i++) p[i] = 0;", true),
    ("static int count;", "unsigned *p", "for (int i = 0; i < count; i++) p[i] = 0;", true),
    ("static int count;", "char *p", "for (int i = 0; i < count; i++) p[i] = 0;", true),
    ("static int count;", "unsigned char *p", "for (int i = 0; i < count; i++) p[i] = 0;", true),
    ("static int count;", "double *p", "for (int i = 0; i < count; i++) p[i] = 0;", false),
    ("static int count;", "float *p", "for (int i = 0; i < count; i++) p[i] = 0;", false),
    ("static int count;", "long *p", "for (int i = 0; i < count; i++) p[i] = 0;", false),
    ("static int count;", "int *restrict p", "for (int i = 0; i < count; i++) p[i] = 0;", false),
    ("static int count, p[9];", "int x", "for (int i = 0; i < count; i++) p[i] = x;", false),
    ("static int count;", "int *p, int *restrict q", "for (int i = 0; i < count; i++) q[i] = p[i];", false),
    ("static const int count = 9;", "int *p", "for (int i = 0; i < count; i++) p[i] = 0;", false),
    ("", "int count, int *p", "for (int i = 0; i < count; i++) p[i] = 0;", false),
    (
        "static int *seen; static void look(int *p) { seen = p; }",
        "int *p",
        "int count = 9; look(&count); | for (int i = 0; i < count; i++) p[i] = 0;",
        true,
    ),
    ("static int k;", "int *p", "for (k = 0; k < 9; k++) p[k] = 0;", true),
    ("static int k;", "double *p", "for (k = 0; k < 9; k++) p[k] = 0;", false),
    // Pointers, which may be overwritten only as characters.
    ("static double *g;", "char *p", "for (int i = 0; i < 9; i++) p[i] = g[i];", true),
    ("static double *g;", "long *p", "for (int i = 0; i < 9; i++) p[i] = g[i];", false),
    ("", "double *g, char *p", "for (int i = 0; i < 9; i++) p[i] = g[i];", false),
    // Members of one structure do not overlap; those of different structures may be the same.
    (
        "struct s { int n, m, *q; struct s *next; };",
        "struct s *p, double *x",
        "for (int i = 0; i < p->n; i++) { x[i] = 0; p->m = i; }",
        false,
    ),
    (
        "struct s { int n, m, *q; struct s *next; };",
        "struct s *p",
        "for (int i = 0; i < p->n; i++) p->q[i] = 0;",
        true,
    ),
    (
        "struct s { int n, m, *q; struct s *next; };",
        "struct s *p, double *x",
        "for (int i = 0; i < p->next->n; i++) { x[i] = 0; p->m = i; }",
        true,
    ),
    (
        "struct s { int n, m, *q; struct s *next; };",
        "struct s *p, struct s *o, double *x",
        "for (int i = 0; i < p->n; i++) { x[i] = 0; o->m = i; }",
        true,
    ),
    (
        "struct s { int n, m; };",
        "struct s *p, struct s *o",
        "for (int i = 0; i < p->n; i++) o[i].m = i;",
        true,
    ),
    (
        "struct s { int n; }; static struct s o, p[9];",
        "int x",
        "for (int i = 0; i < o.n; i++) p[i].n = x;",
        false,
    ),
    (
        "struct s { int n; }; static struct s p[9];",
        "struct s *o",
        "for (int i = 0; i < o->n; i++) p[i].n = 0;",
        true,
    ),
    (
        "struct s { int n; }; static struct s p[9];",
        "struct s *restrict o",
        "for (int i = 0; i < o->n; i++) p[i].n = 0;",
        false,
    ),
    (
        "struct s { int n; };",
        "struct s *o, struct s *restrict p",
        "for (int i = 0; i < o->n; i++) p[i].n = 0;",
        false,
    ),
    (
        "struct s { int n; }; static struct s *restrict p;",
        "struct s *o",
        "for (int i = 0; i < o->n; i++) p[i].n = 0;",
        false,
    ),
    (
        "struct s { int n; };",
        "struct s *o",
        "struct s p[9]; | for (int i = 0; i < o->n; i++) p[i].n = 0;",
        false,
    ),
    (
        "struct s { int n; }; static int p[9];",
        "struct s *o",
        "for (int i = 0; i < o->n; i++) p[i] = 0;",
        false,
    ),
    (
        "struct s { int n; }; static char p[9];",
        "struct s *o",
        "for (int i = 0; i < o->n; i++) p[i] = 0;",
        true,
    ),
    ("struct s { int n; }; static s p[9];", "s &o", "for (int i = 0; i < o.n; i++) p[i].n = 0;", true),
    ("static int p[9];", "int &o", "for (int i = 0; i < o; i++) p[i] = 0;", true),
];

#[test]
fn what_a_pointer_may_change_is_no_constant() {
    let mut wrong = Vec::new();
    for (declarations, parameters, body, refused) in CONSTANTS {
        let (local, body) = body.split_once(" | ").unwrap_or(("", body));
        let text = format!(
            "{declarations}\nvoid f({parameters}) {{ {local}\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
        );
        let name = if parameters.contains('&') { "aliases.cpp" } else { "aliases.c" };
        let found = extract(name, &text).err().map(|refused| refused.0[0].code.clone());
        if found.as_deref() != refused.then_some("E0133") {
            wrong.push(format!("{text} gives {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Declarations outside and inside a function, the statement of the loop, and the scalars and arrays that what it
/// writes may overlap.
const SCALARS: &[(&str, &str, &str, &str)] = &[
    ("double s;", "", "p[i] = s;", "p s"),
    ("", "double s = 1;", "p[i] = s;", "p"),
    ("", "double s = 1; look(&s);", "p[i] = s;", "p s"),
    ("", "static double s;", "p[i] = s;", "p s"),
    ("double s;", "", "o[i] = s;", ""),
    ("double s;", "", "o[i] = s + p[i];", "p"),
    ("float s;", "", "p[i] = s;", "p"),
    ("double s[9];", "", "p[i] = s[i];", "p"),
    ("const double s = 2;", "", "p[i] = s;", "p"),
    ("extern const double s;", "", "p[i] = s;", "p s"),
    ("const struct { double x; } s = {1};", "", "p[i] = s.x;", "p s_x"),
    ("double _Complex s;", "", "p[i] = __real__ s;", "p s"),
    ("double s;", "", "c[i] = s;", "c s"),
    ("", "", "double s = i; p[i] = s; p[0] += s;", "p"),
];

#[test]
fn scalars_that_pointers_may_lead_to_are_memory() {
    let mut wrong = Vec::new();
    for (outside, inside, body, expected) in SCALARS {
        let text = format!(
            "void look(double *); {outside}\nvoid f(int n, double *p, double *restrict o, char *c) {{ {inside}\n\
             #pragma scop\nfor (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}\n"
        );
        let program = extract("scalars.c", &text).unwrap().value;
        let arrays = program.scops[0].model.arrays.iter().filter(|array| array.may_alias);
        let mut found: Vec<&str> = arrays.map(|array| array.name.as_str()).collect();
        found.sort_unstable();
        if found.join(" ") != *expected {
            wrong.push(format!("{text} gives {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
