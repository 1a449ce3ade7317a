//! What code between two regions does with the memory of an array that both of them use.

use std::collections::BTreeSet;

use scop::{
    Effect, Extracted, HostCode, HostNode, HostRegion, MemoryId, ProcedureId, Program, SourceRange, Touch,
};

use crate::host::{program, program_of};

/// What is between the first two regions of the file.
struct Between<'a> {
    program: &'a Program<Extracted>,
    /// The memory of the arrays of the two regions.
    memory: BTreeSet<MemoryId>,
    /// From the end of the first region to the start of the second.
    text: (u32, u32),
    called: BTreeSet<ProcedureId>,
    found: BTreeSet<String>,
}

/// Returns what the code between two regions does with the memory of their arrays, sorted: effects with their places,
/// `unknown` for code that is not in the document, `called` if unknown code can call back what touches it, and jumps.
/// `no memory` stands for arrays of which nothing is known, and `!` for memory that unknown code can reach.
fn between(text: &str) -> String {
    between_in("host.c", text)
}

/// The same for a file of any name.
pub fn between_in(file: &str, text: &str) -> String {
    let (text, program) = program_of(file, text);
    let arrays = program.scops.iter().take(2).map(|scop| {
        let arrays = scop.model.arrays.iter().filter(|array| array.visible && !array.is_scalar());
        arrays.flat_map(|array| array.memory.iter().copied()).collect::<BTreeSet<MemoryId>>()
    });
    let arrays: Vec<BTreeSet<MemoryId>> = arrays.collect();
    if arrays.iter().any(BTreeSet::is_empty) {
        return "no memory".to_owned();
    }
    let memory: BTreeSet<MemoryId> = arrays.into_iter().flatten().collect();
    let exposed = memory.iter().any(|id| program.memory[id.index()].exposed);
    let mut regions: Vec<SourceRange> = Vec::new();
    for procedure in &program.host {
        for_all_regions(&procedure.body, &mut |region| regions.push(region.range));
    }
    regions.sort_by_key(|range| range.start);
    assert!(regions.len() > 1, "{text}");
    let text = (regions[0].end, regions[1].start);
    let mut between =
        Between { program: &program, memory, text, called: BTreeSet::new(), found: BTreeSet::new() };
    program.host.iter().for_each(|procedure| between.nodes(&procedure.body, false));
    let mut found: Vec<String> = between.found.into_iter().collect();
    found.extend(exposed.then(|| "!".to_owned()));
    found.join(", ")
}

impl Between<'_> {
    /// Visits nodes: all of them, or those in the text between the regions.
    fn nodes(&mut self, nodes: &[HostNode], all: bool) {
        nodes.iter().for_each(|node| self.node(node, all));
    }

    fn is_in(&self, range: SourceRange) -> bool {
        self.text.0 <= range.start && range.end <= self.text.1
    }

    fn node(&mut self, node: &HostNode, all: bool) {
        match node {
            HostNode::Code(code) => self.code(code, all),
            HostNode::Branch(branch) => {
                self.code(&branch.condition, all);
                branch.arms.iter().for_each(|arm| self.nodes(arm, all));
            }
            HostNode::Loop(one) => {
                let before = std::mem::take(&mut self.found);
                for code in [&one.condition, &one.step].into_iter().flatten() {
                    self.code(code, all);
                }
                self.nodes(&one.body, all);
                if all || self.is_in(one.range) {
                    self.check_loop(&one.touches, &one.body);
                }
                self.found.extend(before);
                if let Some(code) = &one.start {
                    self.code(code, all);
                }
            }
            HostNode::Block(block) => self.nodes(&block.body, all),
            HostNode::Data(data) => self.nodes(&data.body, all),
            HostNode::Jump(jump) => {
                if let Some(value) = &jump.value {
                    self.code(value, all);
                }
                if !all && self.is_in(jump.range) {
                    self.found.insert("jump".to_owned());
                }
            }
            HostNode::Region(_) | HostNode::Label { .. } => {}
        }
    }

    /// What a loop touches as a whole covers what its parts touch, except in functions that they call.
    fn check_loop(&self, touches: &[Touch], body: &[HostNode]) {
        let memory = |writes: bool| {
            let some = touches.iter().filter(|touch| !writes || touch.effect != Effect::Reads);
            some.flat_map(|touch| &touch.memory).copied().collect::<BTreeSet<_>>()
        };
        let (any, written) = (memory(false), memory(true));
        for_all_touches(body, &mut |touch| {
            let all = if touch.effect == Effect::Reads { &any } else { &written };
            assert!(touch.memory.iter().all(|id| all.contains(id)), "{touch:?} in {touches:?}");
        });
    }

    fn code(&mut self, code: &HostCode, all: bool) {
        if !all && !self.is_in(code.range) {
            return;
        }
        for touch in &code.touches {
            if touch.memory.iter().any(|id| self.memory.contains(id)) {
                let effect = match touch.effect {
                    Effect::Reads => "reads",
                    Effect::Writes => "writes",
                    Effect::Overwrites => "overwrites",
                    Effect::Frees => "frees",
                };
                let place = touch.place.as_ref().map(|place| format!(" {}", place.address));
                self.found.insert(format!("{effect}{}", place.unwrap_or_default()));
            }
        }
        if code.unknown.is_some() {
            self.found.insert("unknown".to_owned());
            let callable =
                self.program.host.iter().filter(|one| one.called_from_elsewhere && one.name != "main");
            let before = std::mem::take(&mut self.found);
            callable.for_each(|procedure| self.call(procedure.id));
            let touches = self.found.iter().any(|found| found != "unknown");
            self.found = before;
            self.found.extend(touches.then(|| "called".to_owned()));
        }
        code.calls.iter().for_each(|id| self.call(*id));
    }

    fn call(&mut self, id: ProcedureId) {
        if self.called.insert(id) {
            let program = self.program;
            self.nodes(&program.host[id.index()].body, true);
        }
    }
}

fn for_all_touches(nodes: &[HostNode], visit: &mut dyn FnMut(&Touch)) {
    for node in nodes {
        match node {
            HostNode::Code(code) => code.touches.iter().for_each(&mut *visit),
            HostNode::Branch(branch) => {
                branch.condition.touches.iter().for_each(&mut *visit);
                branch.arms.iter().for_each(|arm| for_all_touches(arm, visit));
            }
            HostNode::Loop(one) => {
                let parts = [&one.start, &one.condition, &one.step].into_iter().flatten();
                parts.for_each(|code| code.touches.iter().for_each(&mut *visit));
                for_all_touches(&one.body, visit);
            }
            HostNode::Block(block) => for_all_touches(&block.body, visit),
            HostNode::Data(data) => for_all_touches(&data.body, visit),
            HostNode::Jump(jump) => {
                jump.value.iter().for_each(|value| value.touches.iter().for_each(&mut *visit));
            }
            HostNode::Region(_) | HostNode::Label { .. } => {}
        }
    }
}

/// Functions that rows may call. A file has those that it names.
const FUNCTIONS: &[(&str, &str)] = &[
    ("exchange", "static void exchange(double **p, double **q) { double *r = *p; *p = *q; *q = r; }"),
    (
        "total",
        "static double total(int n, const double *p) { double sum = 0; for (int i = 0; i < n; i++) sum += p[i]; return sum; }",
    ),
    ("clear", "static void clear(int n, double *p) { for (int i = 0; i < n; i++) p[i] = 0; }"),
    ("clear_later", "static void clear_later(int n, double *p) { while (n-- > 0) *p++ = 0; }"),
    (
        "point_elsewhere",
        "static double *elsewhere; static void point_elsewhere(double *p) { p = elsewhere; p[3] = 0; }",
    ),
    ("write_elsewhere", "static void write_elsewhere(double *p, double *q) { p = q; p[3] = 7; }"),
    ("first", "static double *first(double *p) { return p; }"),
    ("endless", "static int endless(int n) { return n > 0 ? endless(n + 1) : 0; }"),
    ("in_parallel", "static void in_parallel(int n) {\n#pragma omp barrier\nn++; }"),
    ("(note)", "static void note(float *p) { }"),
    (
        "ending",
        "static void note(float *p) { } static void ending(void) { float k __attribute__((cleanup(note))) = 1; (void)k; }",
    ),
    ("loosely", "typedef double loose __attribute__((may_alias)); static void loosely(loose x) { }"),
    ("counting", "static void counting(void) { static double all; all += 1; }"),
    ("through", "static double *pointing; static void through(void) { pointing[0] = 1; }"),
    ("assembly", "static void assembly(void) { __asm__(\"\"); }"),
    ("by_a_pointer", "static void by_a_pointer(double *p) { double *restrict q = p; q[0] = 1; }"),
    ("omp_get_wtime", "double omp_get_wtime(void);"),
    ("harmless", "static void harmless(int n) { switch (n) { case 1: break; default: return; } }"),
    ("maybe", "__attribute__((weak)) void maybe(void) { }"),
    ("in_rows", "static double in_rows(int n, double m[][n]) { return m[1][0]; }"),
    ("by_first", "static int by_first(double *p, double (*m)[(int)p[0]]) { return m != 0; }"),
    ("odd", "extern float odd __attribute__((weak));"),
];

/// Two regions that use `a` with code between them, in a function that other files may call.
fn callable(parameters: &str, code: &str) -> String {
    let functions = FUNCTIONS.iter().filter(|(name, _)| code.contains(name)).map(|(_, text)| *text);
    let functions: Vec<&str> = functions.collect();
    format!(
        "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\
         void g(double *); extern double shared; struct pair {{ double x; }};\n{}\n\
         void f(int n, double *a{parameters}) {{ REGION(a) {code} REGION(a) }}\n",
        functions.join("\n")
    )
}

/// The same in a function to which this file passes memory of its own, by all parameters.
fn local(parameters: &str, code: &str) -> String {
    let arguments = parameters.split(',').skip(1).map(|parameter| match parameter {
        _ if parameter.contains("format") => ", \"%d\"",
        _ if parameter.contains("**") => ", (void *)&m",
        _ if parameter.contains("long") => ", (long)m",
        _ => ", (void *)m",
    });
    let arguments: String = arguments.collect();
    let text = callable(parameters, code).replace("\nvoid f(", "\nstatic void f(");
    format!("{text}int main(void) {{ double *m = malloc(72); f(8, m{arguments}); return 0; }}\n")
}

/// Checks rows: parameters, code, and what it does with `a` in a function that other files may call, and in one that
/// only this file calls.
fn check(table: &[(&str, &str, &str, &str)]) {
    for (parameters, code, in_callable, in_local) in table {
        assert_eq!(between(&callable(parameters, code)), *in_callable, "{parameters} {code}");
        assert_eq!(between(&local(parameters, code)), *in_local, "{parameters} {code}");
    }
}

const HARMLESS: &[(&str, &str)] = &[
    ("", ""),
    ("", "int k = n * 2; k += 1;"),
    ("", "double own = sqrt(2.0 * n); printf(\"%f\\n\", own);"),
    ("", "double own[3]; own[n % 3] = 1; for (int k = 0; k < 3; k++) own[k] += k;"),
    ("", "double *fresh = malloc(8); if (fresh) fresh[0] = 1;"),
    ("", "double *fresh = malloc(8); free(fresh);"),
    ("", "struct pair p; p.x = 1; printf(\"%f\", p.x);"),
    ("", "double *b = 0, *c = 0; exchange(&b, &c);"),
    ("", "static int k; k = n;"),
    ("", "harmless(n);"),
    ("", "n += clock();"),
    ("", "struct timespec now; clock_gettime(0, &now);"),
    ("", "n += (double (*)[n + 1])0 != 0;"),
    ("", "endless(n);"),
    ("", "{ double own[4]; a = own; }"),
    ("", "counting();"),
    ("", "through();"),
];

#[test]
fn code_that_cannot_touch_an_array_is_harmless() {
    for (parameters, code) in HARMLESS {
        check(&[(*parameters, *code, "!", "")]);
    }
}

const READING: &[(&str, &str, &str, &str)] = &[
    (", FILE *b", "fprintf(b, \"%d\", n); fflush(b);", "!", ""),
    (", FILE **b", "fprintf(b[0], \"%f\", a[2]);", "reads &a[2], reads &b[0], !", "reads &a[2]"),
    (", int *count", "printf(\"%d\", count[0]);", "reads &count[0], !", "reads &count[0]"),
    (", double *restrict other", "printf(\"%f\", other[0]);", "reads &other[0], !", "reads &other[0]"),
    ("", "fprintf(stderr, \"%d\\n\", n); fflush(stdout);", "!", ""),
    (", double *restrict other", "printf(\"%f\", *(1 + other));", "reads &other[1], !", "reads &other[1]"),
    (", double *restrict other", "printf(\"%f\", total(n, other));", "reads &p[i], !", "reads &p[i]"),
    (", double *restrict other", "printf(\"%f\", *((double *)(void *)other));", "reads, !", "reads"),
    (
        ", double *restrict other",
        "printf(\"%f\", in_rows(n, (void *)other));",
        "reads &m[1][0], !",
        "reads &m[1][0]",
    ),
    ("", "if (a[0] > 1) n--;", "reads &a[0], !", "reads &a[0]"),
    (", double *b", "double x = b[0]; printf(\"%f\", x);", "reads &b[0], !", "reads &b[0]"),
    ("", "double x = shared; printf(\"%f\", x + *a);", "reads &a[0], reads &shared, !", "reads &a[0]"),
    ("", "printf(\"%f\", total(n, a));", "reads &p[i], !", "reads &p[i]"),
    (", double *b", "printf(\"%f\", total(n, b));", "reads &p[i], !", "reads &p[i]"),
    (", char *b", "int k = b[0]; printf(\"%d\", k);", "reads &b[0], !", "reads &b[0]"),
    (", char *b", "printf(\"%s\", b); fputs(b, stdout);", "reads, !", "reads"),
    (
        ", double *restrict other",
        "other++; printf(\"%f\", other[0]);",
        "reads &other[0], !",
        "reads &other[0]",
    ),
    ("", "double own[2] = {a[0], 1}; own[1] = 2;", "reads &a[0], !", "reads &a[0]"),
    (", struct pair *b", "struct pair q = b[0]; q.x = 1;", "reads &b[0], !", "reads &b[0]"),
    (", double b[n]", "double x = b[0]; printf(\"%f\", x);", "reads &b[0], !", "reads &b[0]"),
];

#[test]
fn code_that_reads_an_array() {
    check(READING);
}

const CHANGING: &[(&str, &str, &str, &str)] = &[
    ("", "for (int k = 0; k < n; k++) { if (k > 3) break; if (k == 2) continue; }", "jump, !", "jump"),
    ("", "switch (n) { case 1: n = 2; break; default: n = 3; }", "jump, !", "jump"),
    ("", "a[0] = 1;", "overwrites &a[0], !", "overwrites &a[0]"),
    ("", "*(a + 1) += 1;", "reads &a[1], writes &a[1], !", "reads &a[1], writes &a[1]"),
    ("", "double *b = a + 1; b[0]--;", "reads &b[0], writes &b[0], !", "reads &b[0], writes &b[0]"),
    (", double *b", "b[0] = 1;", "overwrites &b[0], !", "overwrites &b[0]"),
    (", char *b", "b[0] = 1;", "overwrites &b[0], !", "overwrites &b[0]"),
    (
        ", int *count",
        "count[0]++;",
        "reads &count[0], writes &count[0], !",
        "reads &count[0], writes &count[0]",
    ),
    (", float *restrict other", "other[0] = 1;", "overwrites &other[0], !", "overwrites &other[0]"),
    (
        ", double *restrict other",
        "other[n] = other[0] + 1;",
        "reads &other[0], writes &other[n], !",
        "reads &other[0], writes &other[n]",
    ),
    (
        ", double **b, double **c",
        "exchange(b, c);",
        "overwrites &q[0], reads &p[0], reads &q[0], writes &p[0], !",
        "",
    ),
    (", double **b", "b[0][0] = 1;", "reads &b[0], writes &b[0][0], !", "overwrites &b[0][0]"),
    (", struct pair *b", "b->x = 1;", "overwrites &b->x, !", "overwrites &b->x"),
    (", struct pair *b", "b[n].x = 1;", "overwrites &b[n].x, !", "overwrites &b[n].x"),
    ("", "shared = 1;", "overwrites &shared, !", ""),
    ("", "clear(n, a);", "overwrites &p[i], !", "overwrites &p[i]"),
    (", double *b", "clear(n, b + 1);", "overwrites &p[i], !", "overwrites &p[i]"),
    (", double *b", "clear_later(n, b);", "writes, !", "writes"),
    (", double *b", "point_elsewhere(b);", "overwrites &p[3], !", "overwrites &p[3]"),
    ("", "double *fresh = malloc(32); write_elsewhere(fresh, a);", "overwrites &p[3], !", "overwrites &p[3]"),
    ("", "first(a)[0] = 1;", "writes, !", "writes"),
    (", double *b", "free(b);", "frees b, !", "frees b"),
    ("", "scanf(\"%lf\", a);", "writes, !", "writes"),
    ("", "if (n == 7) return;", "jump, !", "jump"),
    ("", "if (n == 7) goto end; end:;", "jump, !", "jump"),
    ("", "{ double own = 1; a = &own; }", "writes, !", "writes"),
    (", double b[n]", "b[0] = 1;", "overwrites &b[0], !", "overwrites &b[0]"),
    (
        ", double *b",
        "double *fresh = malloc(8); fresh = b; fresh[0] = 1;",
        "overwrites &fresh[0], !",
        "overwrites &fresh[0]",
    ),
    (
        "",
        "double *fresh = malloc(8); if (n > 100) a = fresh; fresh[0] = 1;",
        "overwrites &fresh[0], !",
        "overwrites &fresh[0]",
    ),
    (
        ", double *b",
        "double *restrict other = b; other[0] = 1;",
        "overwrites &other[0], !",
        "overwrites &other[0]",
    ),
    (", int *b", "printf(\"%d%n\", n, b);", "writes, !", "writes, !"),
    (", char *b", "free(b);", "frees b, !", "frees b"),
    ("", "by_a_pointer(a);", "overwrites &q[0], !", "overwrites &q[0]"),
    (", const char *format, char *b", "printf(format, b);", "writes, !", "writes"),
    (", long b", "((double *)b)[0] = 1;", "writes, !", "writes"),
];

#[test]
fn code_that_may_change_an_array_or_jumps() {
    check(CHANGING);
}

const UNKNOWN: &[(&str, &str, &str, &str)] = &[
    ("", "g(a);", "unknown, !", "unknown, !"),
    ("", "g(a + n);", "unknown, !", "unknown, !"),
    ("", "void (*h)(double *) = g; h(&a[1]);", "unknown, !", "unknown, !"),
    (", double **b", "g(*b);", "called, reads &b[0], unknown, !", "unknown, !"),
    ("", "g(0);", "unknown, !", "unknown"),
    ("", "void (*h)(void) = 0; h();", "unknown, !", "unknown"),
    ("", "in_parallel(n);", "no memory", "unknown"),
    ("", "__asm__(\"\");", "unknown, !", "unknown"),
    ("", "#pragma omp parallel for\nfor (int k = 0; k < n; k++) n += 0;", "no memory", "no memory"),
    ("", "#pragma omp barrier\n// and go on", "no memory", "no memory"),
    ("", "{ n++; _Pragma(\"omp barrier\") }", "no memory", "no memory"),
    (
        ", volatile int *flag",
        "while (*flag) ;",
        "called, reads &flag[0], unknown, !",
        "reads &flag[0], unknown, !",
    ),
    (
        ", _Atomic int *flag",
        "while (*flag) ;",
        "called, reads &flag[0], unknown, !",
        "reads &flag[0], unknown",
    ),
    ("", "double own[3]; own[(g(0), 1)] = 2;", "unknown, !", "unknown"),
    ("", "double own[3] = {0}; double x = own[(g(0), 1)];", "unknown, !", "unknown"),
    ("", "double own[3]; double *q = &own[(g(0), 1)];", "unknown, !", "unknown"),
    ("", "int k; k = (g(0), 2);", "unknown, !", "unknown"),
    ("", "printf(\"%f\", (g(0), 1.0));", "unknown, !", "unknown"),
    ("", "int k = ({ int q = 1; q; });", "no memory", "no memory"),
    ("", "ending();", "no memory", "no memory"),
    ("", "loosely(1);", "no memory", "unknown"),
    ("", "assembly();", "unknown, !", "unknown"),
    ("", "omp_get_wtime();", "unknown, !", "unknown"),
    ("", "maybe();", "no memory", "no memory"),
    ("", "float x = odd;", "called, reads, unknown, !", "unknown"),
    ("", "float k __attribute__((cleanup(note))) = 1;", "no memory", "no memory"),
    ("", "#pragma acc parallel loop\nfor (int k = 0; k < n; k++) n += 0;", "no memory", "no memory"),
    ("", "n += (double (*)[(int)a[1]])0 != 0;", "called, unknown, writes, !", "unknown, writes, !"),
    (
        "",
        "n += (double (*)[endless(n)])0 != 0;",
        "called, reads &n, unknown, writes, writes &n, !",
        "called, reads &n, unknown, writes, writes &n, !",
    ),
    (
        "",
        "typeof((double (*)[(int)a[1]])0) rows = 0; n += rows != 0;",
        "called, unknown, writes, !",
        "unknown, writes, !",
    ),
    ("", "by_first(a, 0);", "called, reads, reads &p, unknown, writes, !", "reads, unknown, !"),
];

#[test]
fn code_that_the_document_does_not_contain() {
    check(UNKNOWN);
}

/// The code before two regions that use `own`, an array of the program or the function; the code between them; and
/// what it does with `own`.
const OBJECTS: &[(&str, &str, &str)] = &[
    ("static double own[9];", "p[0] = 1;", ""),
    ("double own[9];", "p[0] = 1;", ""),
    ("double own[9]; keep(own);", "p[0] = 1;", "overwrites &p[0], !"),
    ("double own[9]; double *kept = &own[2];", "p[0] = 1;", ""),
    ("double own[9]; double *kept = &own[2];", "kept[0] = 1;", "overwrites &kept[0]"),
    ("static double own[9];", "q[0] = 1;", ""),
    ("static double own[9];", "c[0] = 1;", ""),
    ("static double own[9];", "b[0][0] = 1;", ""),
    ("double own[9];", "b[0][0] = 1;", ""),
    ("static double own[9]; b[0] = own;", "b[0][0] = 1;", "reads &b[0], writes &b[0][0], !"),
    ("static double own[9];", "d[0][0] = 1;", ""),
    ("static double own[9];", "b[0] = 0;", ""),
    ("double own[9]; static double other[9];", "other[0] = 1;", ""),
    ("double own[9];", "own[0] = 1;", "overwrites &own[0]"),
    ("double *own = p; if (n > 100) own++;", "double mine = 1; mine += n;", "!"),
    ("double mine = 1, *own = p; if (n > 100) own = &mine;", "mine = 2;", "overwrites &mine, !"),
    ("double *own = p; double mine = 1; keep(&mine);", "mine = 2;", "overwrites &mine, !"),
];

#[test]
fn objects_are_told_from_what_pointers_lead_to() {
    for (before, code, expected) in OBJECTS {
        let text = format!(
            "void keep(double *);\nvoid f(int n, double *p, int *q, char *c, double **b, int **d) {{ {before}\n\
             REGION(own) {code} REGION(own) keep(0); }}\n"
        );
        assert_eq!(between(&text), *expected, "{before} {code}");
    }
}

/// Whole files with two regions, and what is between them.
const FILES: &[(&str, &str)] = &[
    // A loop around a region, and one that reads the array after each round.
    (
        "void f(int m, double *a) { double sum = 0; for (int t = 0; t < m; t++) { REGION(a) sum += t; } REGION(a) }",
        "!",
    ),
    (
        "void f(double *a) { do { for (int t = 0; t < 9; t++) { REGION(a) } } while (a[0] < 1); REGION(a) }",
        "reads &a[0], !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) if (a[0] > 7) n--; REGION(a) } }",
        "reads &a[0], !",
    ),
    (
        "void g(void); void f(int m, double *a) { REGION(a) for (int t = 0; t < m; t++) { g(); REGION(a) } }",
        "unknown, !",
    ),
    // Jumps.
    (
        "int f(double *a) { for (int t = 0; t < 9; t++) { REGION(a) if (t == 5) return 1; REGION(a) } return 0; }",
        "jump, !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) if (t == n) break; REGION(a) } }",
        "jump, !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) if (t == n) continue; REGION(a) } }",
        "jump, !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) switch (t) { case 1: continue; } REGION(a) } }",
        "jump, !",
    ),
    (
        "void f(int n, double *a) { for (int t = 0; t < 9; t++) { REGION(a) switch (t) case 1: continue; REGION(a) } }",
        "jump, !",
    ),
    // Pointers that change places, also parameters that are declared as arrays.
    (
        "void f(int n, double *a, double *b) { for (int t = 0; t < 9; t++) { REGION(a) double *c = a; a = b; b = c; REGION(b) } }",
        "!",
    ),
    (
        "void f(int n, double a[n], double b[n]) { for (int t = 0; t < 9; t++) { REGION(a) double *c = a; a = b; b = c; REGION(b) } }",
        "!",
    ),
    (
        "void f(int n, double a[], double *b) { for (int t = 0; t < 9; t++) { REGION(a) double *c = a; a = b; b = c; REGION(b) } }",
        "!",
    ),
    // A function with the name of one of the library's.
    (
        "double *kept; void *malloc(unsigned long n) { return kept; } void f(double *a) { REGION(a) double *fresh = malloc(8); fresh[0] = 1; REGION(a) }",
        "overwrites &fresh[0], reads &kept, !",
    ),
    (
        "static double *kept; void *malloc(unsigned long n) { return kept; } void f(double *a) { kept = a; REGION(a) double *fresh = malloc(8); fresh[0] = 1; REGION(a) }",
        "overwrites &fresh[0], !",
    ),
    // Characters may be pointers.
    ("void f(char *a, double **b) { REGION(a) double *x = b[0]; REGION(a) }", "reads &b[0], !"),
];

#[test]
fn whole_files() {
    for (text, expected) in FILES {
        assert_eq!(between(text), *expected, "{text}");
    }
}

/// The code before a region, and what printing to `stream` does then: only a file that itself makes streams to memory
/// has any that lead there.
const STREAMS: &[(&str, &str)] = &[
    ("FILE *stream = fopen(name, name);", "!"),
    ("FILE *stream = stdout;", "!"),
    ("FILE *stream = other;", "!"),
    ("FILE *stream = n > 3 ? other : kept;", "!"),
    ("FILE *stream = fopen(name, name); change(&stream);", "reads &stream, !"),
    ("FILE *stream = mine(name);", "!"),
    ("FILE *stream = fopen(name, name), *b = fmemopen(a, 8, name);", "called, unknown, writes, !"),
    ("FILE *stream = other; setvbuf(stream, 0, 0, 9);", "called, unknown, writes, !"),
];

#[test]
fn streams_lead_to_files() {
    for (before, expected) in STREAMS {
        let text = format!(
            "#define _GNU_SOURCE\n#include <stdio.h>\nextern FILE *other; void change(FILE **); FILE *mine(const char *);\n\
             static FILE *kept;\n\
             void f(int n, double *a, const char *name) {{ {before}\n\
             REGION(a) fprintf(stream, \"%d\", n); REGION(a) }}\n"
        );
        assert_eq!(between(&text), *expected, "{before}");
    }
}

/// Whole files without their first lines, and what is between their regions: how memory is reached.
const WAYS: &[(&str, &str)] = &[
    // Forms of lvalues.
    (
        "static void f(int n, double *a, double *b) { REGION(a) *(n ? a : b) = 1; REGION(a) } int main(void) { double *m = malloc(99); f(8, m, m); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) (unknown(), a)[1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "unknown, writes",
    ),
    (
        "static void f(double *a) { REGION(a) 2[a] = 3; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &a[2]",
    ),
    (
        "static void f(double *a) { REGION(a) *(double *)((char *)a + 8) = 4; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) ((double (*)[3])a)[1][2] = 5; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(void *v) { double *a = v; REGION(a) memset(v + 8, 0, 8); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    // Integers as pointers.
    (
        "static void f(double *a, long b) { REGION(a) ((double *)(b + 8))[0] = 1; REGION(a) } int main(void) { double *m = malloc(99); f(m, (long)m); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a, long b) { REGION(a) b[(double *)0] = 1; REGION(a) } int main(void) { double *m = malloc(99); f(m, (long)m / 8); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a, long b) { REGION(a) *(double *)(b ^ 5) = 1; REGION(a) } int main(void) { double *m = malloc(99); f(m, (long)m ^ 5); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a, unsigned long b) { REGION(a) *(double *)~b = 1; REGION(a) } int main(void) { double *m = malloc(99); f(m, ~(unsigned long)m); return 0; }",
        "writes",
    ),
    // Vectors and complex numbers.
    (
        "typedef double v4 __attribute__((vector_size(32))); static void f(double *a) { v4 *p = (v4 *)a; REGION(a) p[0][1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads &p[0], writes",
    ),
    (
        "static void f(double *a) { _Complex double *p = (_Complex double *)a; REGION(a) __imag__ p[1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads &p[1], writes",
    ),
    (
        "static void f(double *a) { REGION(a) __real__ a[1] = 3; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads &a[1], writes",
    ),
    // Structures, unions, arrays of pointers, and what is set when it is declared.
    (
        "struct s { double *p; }; static void set(struct s s) { s.p[0] = 1; } static void f(double *a) { struct s s; s.p = a; REGION(a) set(s); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &s.p[0]",
    ),
    (
        "struct s { double *p; }; static struct s make(double *p) { struct s s = {p}; return s; } static void f(double *a) { REGION(a) make(a).p[0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "struct s { double x[9]; }; static double first(struct s s) { return s.x[0]; } void f(void) { struct s s = {{1}}; double *a = s.x; REGION(a) first(s); REGION(a) }",
        "reads &s",
    ),
    (
        "struct s { double x[9]; }; static void f(struct s s) { double *a = s.x; REGION(a) s = (struct s){{2}}; REGION(a) } int main(void) { struct s s = {{1}}; f(s); return 0; }",
        "overwrites &s",
    ),
    (
        "struct s { double x[9]; }; void f(void) { struct s s = {{1}}, t = s; double *a = s.x; REGION(a) t = s; REGION(a) (void)t; }",
        "reads &s",
    ),
    (
        "struct s { int n; double x[]; }; static void f(struct s *q) { double *a = q->x; REGION(a) q->x[1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &q->x[1]",
    ),
    (
        "struct s { double x[9]; int n : 3; }; static struct s s; void f(void) { double *a = s.x; REGION(a) s.n = 2; REGION(a) }",
        "writes",
    ),
    (
        "union u { double *p; long n; }; static void f(double *a) { union u u; REGION(a) u.p = a; ((double *)u.n)[1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "struct s { double *p; }; static void f(double *a) { struct s *q; REGION(a) q = &(struct s){a}; q->p[0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &q->p[0]",
    ),
    (
        "static void f(double *a) { REGION(a) ((double *[]){a})[0][1] = 2; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static double own[9]; static double *const t[] = {[1] = own + 1}; void f(int n) { REGION(own) t[n][0] = 1; REGION(own) }",
        "overwrites &t[n][0]",
    ),
    (
        "static double own[9]; static struct { int n; double *p; } s = {.p = &own[2]}; void f(void) { REGION(own) s.p[0] = 2; REGION(own) }",
        "overwrites &s.p[0]",
    ),
    (
        "static double own[9]; static double *get(void) { static double *const p = &own[1]; return p; } void f(void) { REGION(own) get()[0] = 2; REGION(own) }",
        "writes",
    ),
    (
        "static void f(double *a) { double *t[2] = {0, a}; REGION(a) double **u = t; u[1][0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &u[1][0]",
    ),
    (
        "static void f(double *a) { REGION(a) double *p; memcpy(&p, &a, sizeof p); p[0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &p[0]",
    ),
    (
        "static void f(double *a) { double x, *p; REGION(a) memcpy(&x, &a, 8); double y = x; memcpy(&p, &y, 8); p[0] = 1; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &p[0]",
    ),
    // Functions of the library.
    (
        "static void f(double *a) { REGION(a) a = realloc(a, 99); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) char *s = strchr((char *)a, 3); *s = 0; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &s[0], reads",
    ),
    (
        "static void f(int n, double *a) { REGION(a) memmove(a, a + 1, 8 * n); REGION(a) } int main(void) { f(8, malloc(99)); return 0; }",
        "reads &a[1], writes a",
    ),
    (
        "static void f(int n, double *a) { REGION(a) memcpy(a, a + n, n++); REGION(a) } int main(void) { f(8, malloc(99)); return 0; }",
        "reads, writes",
    ),
    (
        "static void f(double *a) { REGION(a) char *end; strtod((char *)a, &end); *end = 0; REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads, writes",
    ),
    (
        "static void f(double *a) { REGION(a) frexp(2, (int *)a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "unknown, !",
    ),
    (
        "static void f(double *a) { REGION(a) sprintf((char *)a, \"%d\", 1); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) snprintf(0, 0, \"%n\", (int *)a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) sscanf(\"1\", \"%lf\", a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static void f(double *a) { REGION(a) fread(a, 8, 1, stdin); fwrite(a, 8, 1, stdout); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "reads, writes",
    ),
    // Calls.
    (
        "static double own[9]; static int compare(const void *p, const void *q) { own[0] = 1; return 0; } void f(int *t) { REGION(own) qsort(t, 9, 4, compare); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; static int compare(const void *p, const void *q) { own[0] = 1; return 0; } void f(int *t) { REGION(own) qsort(t, 9, 4, 0); REGION(own) }",
        "unknown",
    ),
    (
        "static double own[9]; static int compare(const double *p, const double *q) { ((double *)p)[0] = 1; return 0; } void f(void) { REGION(own) qsort(own, 9, 8, (int (*)(const void *, const void *))compare); REGION(own) }",
        "called, unknown, !",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } static void (*const table[])(void) = {set}; void f(int n) { REGION(own) table[n](); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } void f(void) { REGION(own) (&set)(); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } void f(void) { REGION(own) (*set)(); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; void set(void) { own[0] = 1; } void f(void) { REGION(own) unknown(); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } __attribute__((constructor)) static void start(void) { set(); } void f(void) { REGION(own) unknown(); REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; double *get(void) { return own; } void f(void) { REGION(own) unknown(); REGION(own) }",
        "unknown, !",
    ),
    (
        "static double own[9]; static double *get(void) { return own; } void f(void) { double *(*g)(void) = get; REGION(own) g()[0] = 1; REGION(own) }",
        "called, unknown, writes, !",
    ),
    (
        "static void f(int n, double *a) { REGION(a) if (n) f(n - 1, a); REGION(a) } int main(void) { f(8, malloc(99)); return 0; }",
        "",
    ),
    (
        "static void set(int n, double *p) { if (n) set(n - 1, p + 1); else p[0] = 1; } static void f(double *a) { REGION(a) set(3, a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "overwrites &p[0]",
    ),
    (
        "static void f(int n, double *a) { if (n) { double x[9]; f(n - 1, x); } REGION(a) { double x[9]; x[0] = 1; } REGION(a) } int main(void) { f(8, malloc(99)); return 0; }",
        "",
    ),
    (
        "static double own[9]; static void leave(void) { own[0] = 1; } void f(int n) { REGION(own) atexit(leave); if (n) exit(1); REGION(own) }",
        "called, unknown",
    ),
    // Assembly, other threads, volatile memory.
    (
        "static double own[9]; void f(void) { REGION(own) __asm__(\"movq $0, own(%rip)\"); REGION(own) }",
        "unknown, !",
    ),
    (
        "static double own[9]; void f(void) { REGION(own) __asm__(\"movq $0, %0\" : \"=m\"(own[0])); REGION(own) }",
        "unknown, !",
    ),
    (
        "static double own[9]; __asm__(\".globl set\"); void f(void) { REGION(own) unknown(); REGION(own) }",
        "unknown, !",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } void f(void) { REGION(own) __asm__(\"call set\"); REGION(own) }",
        "called, unknown, !",
    ),
    (
        "static double own[9]; void f(void) { REGION(own) *(volatile double *)own = 1; REGION(own) }",
        "called, unknown, writes, !",
    ),
    (
        "static double own[9]; static volatile int flag; void f(void) { REGION(own) while (flag) { } REGION(own) }",
        "unknown",
    ),
    ("static double own[9]; void f(_Atomic int *p) { REGION(own) ++*p; REGION(own) }", "unknown"),
    // Memory of blocks.
    ("void f(int n) { double x[n]; REGION(x) x[0] = 1; REGION(x) }", "overwrites &x[0]"),
    (
        "void f(int n) { double x[9]; REGION(x) { double x[3]; if (n) return; x[0] = n; } REGION(x) }",
        "no memory",
    ),
    ("void f(int n) { { double x[9]; REGION(x) REGION(x) } { double x[3]; x[0] = n; } }", ""),
    ("void f(int n) { double *x = __builtin_alloca(99); REGION(x) REGION(x) }", "no memory"),
    ("void f(int n) { double *x = (double[9]){0}; REGION(x) REGION(x) }", "no memory"),
    // What types evaluate.
    (
        "static int of(int n, double b[n]) { return (double (*)[(int)b[1]])0 != 0; } static void f(double *a) { REGION(a) of(9, a); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "unknown, !",
    ),
    (
        "static double own[9]; void f(int n) { REGION(own) n += (double (*)[(int)own[1]])0 != 0; REGION(own) }",
        "writes",
    ),
    (
        "static double own[9]; static int g(void) { own[0] = 1; return 2; } void f(int n) { REGION(own) n += (double (*)[g()])0 != 0; REGION(own) }",
        "called, unknown",
    ),
    (
        "static double own[9]; void f(int n) { REGION(own) n += sizeof(int[(int)own[1]]); REGION(own) }",
        "reads &own[1]",
    ),
    (
        "static double own[9]; void f(int n) { REGION(own) typedef int row[(int)(own[1] = 2)]; REGION(own) }",
        "overwrites &own[1]",
    ),
    (
        "static double own[9];\n#define MOVE(p) p += (double (*)[(int)own[1]])0 != 0\nvoid f(int n) { REGION(own) MOVE(n); REGION(own) }",
        "writes",
    ),
    // Parameters are set by calls.
    (
        "struct s { double x[9]; }; static void f(int n, struct s s) { double *a = s.x; REGION(a) if (n) f(n - 1, s); REGION(a) } int main(void) { struct s s = {{1}}; f(8, s); return 0; }",
        "reads &s, writes",
    ),
    // The calls of an expression may change what its places depend on.
    (
        "static int k; static int bump(void) { return k++; } static void f(double *a) { REGION(a) a[k] = bump(); REGION(a) } int main(void) { f(malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static int bump(int *p) { return (*p)++; } static void f(int i, double *a) { REGION(a) a[i] = bump(&i); REGION(a) } int main(void) { f(3, malloc(99)); return 0; }",
        "writes",
    ),
    (
        "static int bump(int i) { return i + 1; } static void f(int i, double *a) { REGION(a) a[i] = bump(i); REGION(a) } int main(void) { f(3, malloc(99)); return 0; }",
        "writes &a[i]",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } void f(int n) { REGION(own) ({ if (n) set(); else ; }); REGION(own) }",
        "overwrites &own[0]",
    ),
    (
        "#include <assert.h>\nstatic double own[9]; void f(int n) { REGION(own) assert(n > 3 && own[n] > 1); REGION(own) }",
        "reads &own[n]",
    ),
    (
        "static double own[9]; static void set(void) { own[0] = 1; } static void g(void) { ({ set(); 1; }); } void f(void) { REGION(own) g(); REGION(own) }",
        "overwrites &own[0], unknown",
    ),
    // An expression of which nothing is known.
    (
        "static double own[9]; void f(void) { REGION(own) __atomic_store_n((long *)own, 1, 0); REGION(own) }",
        "unknown, !",
    ),
];

#[test]
fn memory_is_reached_in_many_ways() {
    for (text, expected) in WAYS {
        let text = format!(
            "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nvoid unknown();\n{text}"
        );
        assert_eq!(between(&text), *expected, "{text}");
    }
}

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

/// The host copies arrays that have no memory in the document for each region: they may be parts of arrays that have.
#[test]
fn regions_touch_arrays_without_memory() {
    let (text, program) = program(
        "struct s { double x[9]; };\nvoid f(struct s *q) { double *a = q->x; REGION(a)\n#pragma scop\n\
         for (int i = 0; i < 8; i++) q->x[i] += 1;\n#pragma endscop\n}\n",
    );
    let mut found = Vec::new();
    for procedure in &program.host {
        for_all_regions(&procedure.body, &mut |region| {
            found.push(region.touches.iter().any(|touch| touch.effect != Effect::Reads));
        });
    }
    assert_eq!(found, [false, true], "{text}");
}

fn for_all_regions(nodes: &[HostNode], visit: &mut dyn FnMut(&HostRegion)) {
    for node in nodes {
        match node {
            HostNode::Region(region) => visit(region),
            HostNode::Block(block) => for_all_regions(&block.body, visit),
            HostNode::Data(data) => for_all_regions(&data.body, visit),
            HostNode::Loop(one) => for_all_regions(&one.body, visit),
            HostNode::Branch(branch) => branch.arms.iter().for_each(|arm| for_all_regions(arm, visit)),
            HostNode::Code(_) | HostNode::Jump(_) | HostNode::Label { .. } => {}
        }
    }
}
