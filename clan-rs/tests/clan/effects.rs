//! What functions do with memory of their callers, as `--effects-to` writes it.

use std::path::PathBuf;

use clan_rs::Options;

/// Returns the effects of the functions of a file, one line each.
fn effects(name: &str, text: &str) -> Vec<String> {
    effects_in("file.c", name, text)
}

fn effects_in(file: &str, name: &str, text: &str) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("c2cuda-effects-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file: PathBuf = folder.join(file);
    std::fs::write(&file, text).unwrap();
    let options = Options { effects_to: Some(folder.join("effects.txt")), ..Options::for_file(file) };
    let (_, files) = clan_rs::translate(&options).unwrap().value;
    std::fs::remove_dir_all(&folder).unwrap();
    let text = String::from_utf8(files[0].contents.clone()).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn functions_say_what_they_do_with_memory_of_their_callers() {
    let region = "#pragma scop\n  for (int i = 0; i < n; i++) x[i] = 1;\n#pragma endscop\n";
    let cases: [(&str, String, &[&str]); 26] = [
        ("reads", "double f(int n, const double *x) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }".into(), &["f(n, x[8]) reads(x[0:n])"]),
        ("writes", "void f(int n, float *x) { for (int i = 1; i <= n; i++) x[i] = 0; }".into(), &["f(n, x[4]) writes(x[1:n])"]),
        ("element", "void f(int k, double *x) { x[k + 1] = x[3]; }".into(), &["f(k, x[8]) reads(x[3:1]) writes(x[(k + 1):1])"]),
        ("copies", "#include <string.h>\nvoid f(int n, const double *x, double *y) { memcpy(y, x, n * sizeof(double)); }".into(), &["f(n, x[8], y[8]) reads(x[0:n]) writes(y[0:n])"]),
        ("nothing", "int f(int n) { return n + 1; }".into(), &["f(n) none"]),
        ("indirect", "double f(int n, const int *at, const double *x) { return x[at[n]]; }".into(), &["f(n, at[4], x[8]) reads(at[n:1]) reads(x)"]),
        ("region", format!("void f(int n, double *x) {{\n{region}}}\ndouble g(const double *x) {{ return x[0]; }}"), &["f(n, x[8]) device(x)", "g(x[8]) announces(x)"]),
        ("callee", format!("static void h(int n, double *x) {{\n{region}}}\nvoid f(int n, double *x, double *y) {{ h(n, x); y[0] = 1; }}"), &["f(n, x[8], y[8]) announces(y) device(x)"]),
        ("own memory", "static double sum[8];\nvoid f(int n, const double *x) { sum[n] = x[0]; }".into(), &["f(n, x[8]) reads(x[0:1])"]),
        ("external", "double grid[8];\nvoid f(int n) { grid[n] = 1; }".into(), &["f(n) writes(grid)"]),
        // Parameters that change are not what callers passed.
        ("moved", "double f(double *x, double *y) { x = y; return x[0]; }".into(), &["f(x[8], y[8]) reads(x) reads(y)"]),
        // Unknown code.
        ("unknown", "void g(double *);\nvoid f(double *x) { g(x); }".into(), &[]),
        ("ends", "#include <stdlib.h>\nvoid f(double *x) { if (x[0] > 1) exit(1); }".into(), &[]),
        ("frees", "#include <stdlib.h>\nvoid f(double *x) { free(x); }".into(), &[]),
        ("keeps", "static double *kept;\nvoid f(double *x) { kept = x; }".into(), &[]),
        ("keeps a number", "static unsigned long kept;\nvoid f(double *x) { kept = (unsigned long)x; }".into(), &[]),
        ("kept", "double *kept;\nvoid f(int n) { kept[n] = 1; }".into(), &[]),
        ("returns", "double *f(double *x) { return x + 1; }".into(), &[]),
        ("structure", "struct s { double *u; };\nvoid f(struct s *s) { s->u[0] = 1; }".into(), &["f(s; s->u[8]) writes(s->u[0:1])"]),
        ("members", "typedef struct { int n; float *u; double w[4]; } grid;\nvoid f(grid *g, int k) { for (int i = 0; i < g->n; i++) g->u[i + k] = g->w[2]; }".into(), &["f(g, k; g->n{4}, g->u[4], g->w{8}) reads(g->n) reads(g->w[2:1]) writes(g->u[k:g->n])"]),
        ("nested", "struct in { long n; double *u; };\nstruct out { struct in a; struct in *b; };\nlong f(struct out *s) { s->b->u[0] = s->a.u[1]; return s->a.n; }".into(), &["f(s; s->b->u[8], s->a.u[8], s->a.n{8}) reads(s->a.n) reads(s->a.u[1:1]) writes(s->b->u[0:1])"]),
        ("exchanges", "struct s { double *u, *v; };\nvoid f(struct s *s) { double *u = s->u; s->u = s->v; s->v = u; }".into(), &["f(s) writes(s)"]),
        // The pointer changes before the access.
        ("moved member", "struct s { double *u, *v; };\nvoid f(struct s *s) { s->u = s->v; s->u[0] = 1; }".into(), &[]),
        ("table", "struct s { double *u; };\nvoid f(struct s **s, int k) { s[k]->u[0] = 1; }".into(), &[]),
        ("void", "void f(void *s) { *(double *)s = 1; }".into(), &[]),
        // The value of a region and of memory in one expression.
        ("mixed", format!("static int h(int n, double *x) {{\n{region}  return n;\n}}\nvoid f(int n, double *x) {{ x[0] = h(n, x); }}"), &[]),
    ];
    for (name, text, expected) in cases {
        assert_eq!(effects(&name.replace(' ', "-"), &text), expected, "{name}");
    }
}

#[test]
fn functions_of_cxx_say_the_same_under_the_names_of_the_linker() {
    let cases: [(&str, &str, &[&str]); 6] = [
        (
            "overloads",
            "void f(double *x) { x[0] = 1; }\nvoid f(int n, float *x) { x[n] = 1; }",
            &["_Z1fPd(x[8]) writes(x[0:1])", "_Z1fiPf(n, x[4]) writes(x[n:1])"],
        ),
        // The tree has values in the place of such references.
        ("values", "namespace a { double f(const double &x) { return x; } }", &[]),
        (
            "namespace",
            "namespace a { void f(double &x) { x += 1; } }",
            &["_ZN1a1fERd(&x) reads(x) writes(x)"],
        ),
        (
            "linkage",
            "extern \"C\" void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = i; }",
            &["f(n, x[8]) writes(x[0:n])"],
        ),
        // Other files may not be able to name the members.
        (
            "members",
            "struct S { int n; double *u; void f() { u[n] = 1; } void g(double *x) { x[0] = u[n]; } };",
            &[
                "_ZN1S1fEv(&this; this->u[8], this->n{4}) reads(this->n) writes(this->u)",
                "_ZN1S1gEPd(&this, x[8]; this->u[8], this->n{4}) reads(this->n) reads(this->u) writes(x[0:1])",
            ],
        ),
        (
            "classes",
            "#include <vector>\nvoid f(std::vector<double> &v) { v[0] = 1; }",
            &["_Z1fRSt6vectorIdSaIdEE(&v<8>) writes(v[0:1])"],
        ),
    ];
    for (name, text, expected) in cases {
        assert_eq!(effects_in("file.cpp", name, text), expected, "{name}");
    }
}
