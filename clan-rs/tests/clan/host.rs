//! The host code: memory objects, where pointers may point, what is exposed, and what code touches.

use scop::{Effect, Extracted, HostCode, HostNode, HostPlace, MemoryId, Position, Program, Touch};

use crate::extract;

/// The program of a C file, which is verified. `REGION(a)` stands for a region that changes the array `a`.
pub fn program(text: &str) -> (String, Program<Extracted>) {
    program_of("host.c", text)
}

/// The same for a file of any name.
pub fn program_of(file: &str, text: &str) -> (String, Program<Extracted>) {
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("REGION(") {
        let (array, after) = after.split_once(')').unwrap();
        whole += before;
        whole += "\n#pragma scop\n";
        whole += &format!("for (int i = 0; i < 8; i++) {array}[i] += 1;");
        whole += "\n#pragma endscop\n";
        rest = after;
    }
    whole += rest;
    let extracted = extract(file, &whole);
    assert!(extracted.is_ok(), "{whole}\n{:#?}", extracted.err());
    let program = extracted.unwrap().value;
    let faults = scop::verify::verify(&program);
    assert!(faults.is_empty(), "{whole}\n{faults:#?}");
    (whole, program)
}

/// The name of an object, with `!` if it is exposed; memory that is allocated is called by the line of its allocation.
fn name(program: &Program<Extracted>, id: MemoryId) -> String {
    let object = &program.memory[id.index()];
    let name = match (object.name.strip_prefix("the memory of "), object.made_at) {
        (Some(function), Some(range)) => format!("{}@{}", function.trim_matches('`'), range.line),
        _ if object.name == "other memory" => "other".to_owned(),
        _ => object.name.clone(),
    };
    format!("{name}{}", if object.exposed { "!" } else { "" })
}

fn names(program: &Program<Extracted>, ids: &[MemoryId]) -> String {
    let mut names: Vec<String> = ids.iter().map(|id| name(program, *id)).collect();
    names.sort();
    names.join(" ")
}

/// What the arrays of all regions may be, one region after the other.
fn memory(text: &str) -> String {
    let (_, program) = program(text);
    let arrays = program.scops.iter().flat_map(|scop| scop.model.arrays.iter().filter(|array| array.visible));
    let arrays = arrays.filter(|array| !array.is_scalar());
    let arrays: Vec<String> = arrays.map(|array| names(&program, &array.memory)).collect();
    arrays.join("; ")
}

const HEAD: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// Checks what the arrays of regions may be, for files without their beginning.
fn check_memory(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(memory(&format!("{HEAD}{text}")), *expected, "{text}");
    }
}

/// A function that unknown code cannot call, with its call.
fn local(body: &str) -> String {
    format!("static void f(void) {{ {body} }} int main(void) {{ f(); return 0; }}")
}

#[test]
fn arrays_are_what_their_pointers_may_point_to() {
    for (body, expected) in [
        ("double a[9]; REGION(a)", "a"),
        ("static double a[9]; REGION(a)", "a"),
        ("double *a = malloc(72); REGION(a)", "malloc@4"),
        ("double b[9], *a = b; REGION(a)", "b"),
        ("double b[9], *a; a = &b[1]; REGION(a)", "b"),
        ("double b[9], *a; a = 1 + b; REGION(a)", "b"),
        ("double b[9], c[9], *a = rand() ? b : c; REGION(a)", "b c"),
        ("double b[9], c[9], *a = (c[0] = 1, b); REGION(a)", "b"),
        ("double b[9], *a, *q; a = q = b; REGION(a)", "b"),
        ("double b[9], *a, **q = &a; *q = b; REGION(a)", "b"),
        ("double b[9], *a, *t[2]; t[1] = b; a = t[0]; REGION(a)", "b"),
        ("double b[9], c[9], *t[] = {b, c}, *a = t[0]; REGION(a)", "b c"),
        ("double b[9]; struct s { double *p; int n; } s = {b, 9}; double *a = s.p; REGION(a)", "b"),
        ("double b[9]; struct s { double *p; int n; } s = {.p = b, .n = 9}; double *a = s.p; REGION(a)", "b"),
        ("double b[9]; struct s { double *p; } s, t; s.p = b; t = s; double *a = t.p; REGION(a)", "b"),
        ("double b[9]; struct s { double *p; } s, *q = &s; q->p = b; double *a = s.p; REGION(a)", "b"),
        ("struct s { double x[9]; } s; double *a = s.x; REGION(a)", "s"),
        ("struct s { double x[9]; } s[3]; double *a = s[1].x; REGION(a)", "s"),
        (
            "double b[9]; union u { double *p; long n; } u, v; u.p = b; v.n = u.n; double *a = v.p; REGION(a)",
            "b",
        ),
        ("double b[9], *q = b, *a; memcpy(&a, &q, sizeof a); REGION(a)", "b"),
        (
            "double b[9], *q = b, *a; for (int k = 0; k < 8; k++) ((char *)&a)[k] = ((char *)&q)[k]; REGION(a)",
            "b",
        ),
        ("double b[9]; unsigned long n = (unsigned long)b; double *a = (double *)(n ^ 1); REGION(a)", "b"),
        ("double *a = malloc(72); a = realloc(a, 80); REGION(a)", "malloc@4 realloc@4"),
        (
            "double **t = malloc(8), *b = malloc(72); t[0] = b; t = realloc(t, 80); double *a = t[0]; REGION(a)",
            "malloc@4",
        ),
        ("double b[9]; double *a = ((double *[]){b})[0]; REGION(a)", "b"),
        ("double *a; if (!posix_memalign((void **)&a, 64, 72)) { REGION(a) }", "posix_memalign@4"),
        ("double *a = memset(malloc(72), 0, 72); REGION(a)", "malloc@4"),
        (
            "double b[9]; char t[40]; sprintf(t, \"%p\", b); double *a; sscanf(t, \"%p\", &a); REGION(a)",
            "b string literals t",
        ),
        (
            "double b[9], *q = b, *a; FILE *s = tmpfile(); if (s) { fwrite(&q, 8, 1, s); rewind(s); fread(&a, 8, 1, s); } REGION(a)",
            "b!",
        ),
    ] {
        assert_eq!(memory(&format!("{HEAD}{}", local(body))), expected, "{body}");
    }
}

/// A sum in a variable that no array of a region may be does not matter to what is on the device.
#[test]
fn variables_that_no_array_may_be_are_apart() {
    for (before, accumulator, is_apart) in [
        ("double s = 0;", "s", true),
        ("static double s;", "s", true),
        ("double s = 0, *p = &s; *p = 1;", "s", true),
        ("double s = 0, *p = rand() ? &s : a; REGION(p)", "s", false),
        ("struct { double s; } t = {0};", "t.s", true),
        ("struct { double x[9], s; } t = {0}; double *p = t.x; REGION(p)", "t.s", false),
        ("struct { double s; } t = {0}, *p = (void *)&t;", "p->s", true),
        ("struct { double x[9], s; } t = {0}, *q = &t; double *p = t.x; REGION(p)", "q->s", false),
        (
            "struct { double s; } t = {0}; struct { void *t; } u = {&t}, *q = &u; struct { double s; } *p = q->t;",
            "p->s",
            true,
        ),
        ("struct s { double s; } t = {0}; struct { struct s *t; } u = {&t}, *q = &u;", "q->t->s", false),
    ] {
        let sum =
            format!("\n#pragma scop\nfor (int i = 0; i < 8; i++) {accumulator} += a[i];\n#pragma endscop\n");
        let (text, program) =
            program(&format!("{HEAD}{}", local(&format!("double a[9]; {before} REGION(a) {sum}"))));
        let arrays = program.scops.iter().flat_map(|scop| &scop.model.arrays);
        let found: Vec<&str> =
            arrays.filter(|array| array.apart).map(|array| array.expression.as_str()).collect();
        assert_eq!(found, if is_apart { vec![accumulator] } else { Vec::new() }, "{text}");
    }
}

#[test]
fn variables_that_other_files_may_name_are_external() {
    let text = "double a[9]; static double b[9]; int main(void) { double c[9]; REGION(a) REGION(b) REGION(c) return 0; }";
    let (_, program) = program(text);
    let external = program.memory.iter().filter(|object| object.external);
    assert_eq!(external.map(|object| object.name.as_str()).collect::<Vec<_>>(), ["a"]);
}

#[test]
fn pointers_flow_through_calls() {
    check_memory(&[
        (
            "static void f(double *a) { REGION(a) } int main(void) { double b[9], c[9]; f(b); f(c); return 0; }",
            "b c",
        ),
        (
            "static double *one(double *p, double *q) { return q; } int main(void) { double b[9], c[9], *a = one(b, c); REGION(a) return 0; }",
            "c",
        ),
        (
            "static void swap(double **p, double **q) { double *t = *p; *p = *q; *q = t; }
             int main(void) { double *a = malloc(72), *b = malloc(72); swap(&a, &b); REGION(a) return 0; }",
            "malloc@5 malloc@5",
        ),
        (
            "static double *make(void) { return malloc(72); } int main(void) { double *a = make(); REGION(a) return 0; }",
            "malloc@4",
        ),
        (
            "struct s { double *p; }; static void f(struct s s) { double *a = s.p; REGION(a) }
             int main(void) { double b[9]; struct s s = {b}; f(s); return 0; }",
            "b",
        ),
        // Unknown code may call it with whatever it can reach.
        ("void f(double *a) { REGION(a) }", "other!"),
        ("static void f(double *a) { REGION(a) } void (*g)(double *) = f;", "other!"),
        ("static void f(double *a) { REGION(a) } void g(void (*)(double *)); void h(void) { g(f); }", "other!"),
        ("static void f(double *a) { REGION(a) } __asm__(\".globl g\\ng: jmp f\");", "other!"),
        ("double *get(void); void f(void) { double *a = get(); REGION(a) }", "other!"),
        ("void f(double **t) { double *a = t[0]; REGION(a) }", "other!"),
        ("void f(double **t) { double *b = malloc(72); t[0] = b; double *a = t[1]; REGION(a) }", "malloc@4! other!"),
        // An initialiser at file scope, of a variable that no function here uses.
        ("static double b[9]; double *exported = b; void f(double *a) { REGION(a) }", "b! other!"),
        ("static double b[9]; static double *own = b; void f(double *a) { REGION(a) (void)b; }", "other!"),
        ("static double b[9]; static double *const t[] = {b}; void f(void) { double *a = t[0]; REGION(a) }", "b"),
        // Arguments beyond the parameters.
        (
            "#include <stdarg.h>
             static void f(int n, ...) { va_list l; va_start(l, n); double *a = va_arg(l, double *); va_end(l); REGION(a) }
             int main(void) { double *b = malloc(72); f(1, b); return 0; }",
            "l! malloc@10! other!",
        ),
    ]);
}

/// The objects that are exposed; those of interest are the arrays `a` to `e` and allocations.
fn exposed(body: &str) -> String {
    let text = format!(
        "{HEAD}void unknown(); double shared[9]; static double own[9];
static void look(const double *p) {{ (void)p; }}
static void keep(double *p) {{ static double *kept; kept = p; unknown(&kept); }}
int main(void) {{ static double b[9], c[9]; double *a = malloc(72), *p = 0; struct s {{ double *p; }} s; FILE *fp = fopen(\"x\", \"w\");
(void)p; (void)s; (void)fp; (void)b; (void)c;
{body}
REGION(a) REGION(b) REGION(c) REGION(own) REGION(shared) return 0; }}"
    );
    let (_, program) = program(&text);
    let objects = program.memory.iter().filter(|object| object.exposed);
    let mut found: Vec<String> =
        objects.map(|object| object.name.replace("the memory of `malloc`", "*a")).collect();
    found.retain(|name| name != "other memory" && name != "shared");
    found.sort();
    found.join(" ")
}

#[test]
fn what_unknown_code_gets_is_exposed() {
    for (code, expected) in [
        ("", ""),
        ("unknown();", ""),
        ("unknown(a);", "*a"),
        ("unknown(&a[3]);", "*a"),
        ("unknown(a[3]);", ""),
        ("unknown(b, c);", "b c"),
        ("unknown(&p); p = b;", "b"),
        ("s.p = b; unknown(s);", "b"),
        ("s.p = b; unknown(&s);", "b"),
        ("shared[0] = own[0];", ""),
        ("look(b);", ""),
        ("keep(b);", "b"),
        ("void (*g)(double *) = unknown; g(b);", "b"),
        ("printf(\"%f\", a[1]);", ""),
        ("printf(\"%p\", (void *)b);", "b"),
        ("fprintf(stderr, \"%g\\n\", own[2]);", ""),
        ("fwrite(a, 8, 9, fp);", ""),
        ("p = b; fwrite(&p, 8, 1, fp);", "b"),
        ("memcpy(a, b, 72); memset(c, 0, 72);", ""),
        ("free(a);", ""),
        ("qsort(b, 9, 8, (int (*)(const void *, const void *))unknown);", "b"),
        ("setvbuf(fp, (char *)b, 0, 72);", "b"),
        ("long n = (long)b; unknown(n);", "b"),
        ("double x; memcpy(&x, &a, 8); unknown(x);", "*a"),
        ("__asm__ volatile(\"\" : : \"r\"(b) : \"memory\");", "b"),
        ("p = ({ double *q = b; q; });", "*a b c own string literals the memory of `fopen`"),
        ("volatile double *v = b; v[0] = 1;", "b"),
        ("double *volatile v = c; (void)v;", "c"),
        ("int (*m)[(int)sizeof(int[(unknown(b), 1)])] = 0; (void)m;", "b"),
    ] {
        assert_eq!(exposed(code), expected, "{code}");
    }
}

/// What keeps memory from staying on the device, with the line and the name of the array if it is about one.
fn prevented(file: &str, text: &str) -> Vec<String> {
    let (_, program) = program_of(file, text);
    let words = |one: &scop::Prevention| {
        let array = one.array.map(|(scop, id)| &program.scops[scop as usize].model.arrays[id.index()].name);
        let line = one.range.map_or(String::new(), |range| format!(" (line {})", range.line));
        format!(
            "{}{}{line}: {}",
            array.map_or(String::new(), |name| format!("{name}: ")),
            one.reason,
            one.way_out
        )
    };
    program.prevented.iter().map(words).collect()
}

#[test]
fn nothing_is_known_where_calls_return_twice() {
    for (code, why) in [
        ("", ""),
        ("int fork(void); fork();", "`fork`, which duplicates the process (line 4): call it in another file"),
        (
            "int vfork(void); vfork();",
            "`vfork`, which may return more than once (line 4): call it in another file",
        ),
        (
            "int _setjmp(long *); long e[9]; _setjmp(e);",
            "`setjmp`, which may return more than once (line 4): call it in another file",
        ),
        (
            "a = __builtin_alloca(72);",
            "`alloca`, which allocates on the stack (line 4): allocate the memory with `malloc`, or declare an array",
        ),
    ] {
        let text = format!("{HEAD}void f(int n, double *a) {{ {code} REGION(a) }}");
        assert_eq!(!program(&text).1.memory.is_empty(), why.is_empty(), "{code}");
        let expected: Vec<String> =
            (!why.is_empty()).then(|| format!("the file calls {why}")).into_iter().collect();
        assert_eq!(prevented("host.c", &text), expected, "{code}");
    }
}

#[test]
fn what_keeps_memory_from_staying_is_said_with_its_line() {
    let threads = "the program may have threads that use the arrays of a region: ";
    let promise = "translate with `--no-host-threads` if no other thread uses these arrays while a region runs or while \
                   they stay on the device";
    let function = "static void f(double *a) { REGION(a) }\n";
    let cases = [
        (
            "#include <stdlib.h>\n#include <pthread.h>\nvoid f(double *a) { REGION(a) }".to_owned(),
            vec![format!("{threads}`pthread.h` is included (line 2): {promise}")],
        ),
        (
            "int pthread_create(void);\nvoid f(double *a) { REGION(a) }".to_owned(),
            vec![format!("{threads}the program names `pthread_create`: {promise}")],
        ),
        (
            "struct s { double *u; };\nvoid f(struct s *g) { REGION(g->u) }".to_owned(),
            vec![
                "g_u: it is a member of a structure: let a pointer point to its elements before the region, and use that \
                 in the region"
                    .to_owned(),
            ],
        ),
        (
            format!("{function}int main(void) {{ double b[9];\n#pragma omp parallel\nb[0] = 1; f(b); return 0; }}"),
            vec![
                "a: it may be `b`, which is declared in a function that has directives of OpenMP or OpenACC outside of \
                 regions (line 6): move the code with these directives into another function"
                    .to_owned(),
            ],
        ),
        (
            format!("#define b other\n#undef b\n{function}int main(void) {{ double b[9]; f(b); return 0; }}"),
            vec![
                "a: it may be `b`, and it is not known where that ends (line 8): give it a name that no other variable \
                 of the function and no macro has"
                    .to_owned(),
            ],
        ),
        (
            "struct s { double x, y; };\nvoid f(struct s *p, int n) {\n#pragma scop\nfor (int i = 0; i < n; i++) p[i].x = 1;\n\
             #pragma endscop\n}"
                .to_owned(),
            vec![
                "p_x: it is a member of each structure of an array: make an array of each member instead of an array of \
                 structures"
                    .to_owned(),
            ],
        ),
        (format!("{function}int main(void) {{ double b[9]; f(b); return 0; }}"), vec![]),
    ];
    for (text, expected) in cases {
        assert_eq!(prevented("host.c", &text), expected, "{text}");
    }
    for (inside, expected) in [
        (
            "for (double x : b) f(&x);",
            "a: it may be `x`, which is declared in a range-based `for` loop (line 6): use a copy that is declared in the \
             body of the loop",
        ),
        (
            "double d[] = {1, 2}; for (double x : d) f(&x);",
            "a: it may be `x`, which is declared in a range-based `for` loop (line 6): use a copy that is declared in the \
             body of the loop",
        ),
        (
            "double *p = c; if (double m = 1) { for (int k = 0; k < 9; k++) f(p); }",
            "a: it may be `m`, which is declared in a statement that the analysis does not follow: this form of `if` \
             (line 6): move the contents of that statement into a function of their own",
        ),
    ] {
        let text = format!("{function}int main() {{ double b[9], c[9]; {inside} return 0; }}");
        assert_eq!(prevented("host.cpp", &text), [expected], "{inside}");
    }
}

/// Prints host code: one line for each node.
struct Printer<'a> {
    text: &'a str,
    program: &'a Program<Extracted>,
    lines: Vec<String>,
}

impl Printer<'_> {
    fn place(place: &HostPlace) -> String {
        let bytes = place.bytes.as_ref().map_or(String::new(), |bytes| format!(" {bytes}"));
        format!(" [{}{bytes}]", place.address)
    }

    fn touch(&self, touch: &Touch) -> String {
        let effect = match touch.effect {
            Effect::Reads => "reads",
            Effect::Writes => "writes",
            Effect::Overwrites => "overwrites",
            Effect::Frees => "frees",
        };
        let place = touch.place.as_ref().map_or(String::new(), Self::place);
        let when = if touch.before_calls { " first" } else { "" };
        let why = touch.unplaced.as_ref().map_or(String::new(), |why| format!(" ({why})"));
        format!("{when} {effect} {}{place}{why}", names(self.program, &touch.memory))
    }

    fn touches(&self, touches: &[Touch]) -> String {
        let touches: Vec<String> = touches.iter().map(|touch| self.touch(touch)).collect();
        touches.join(",")
    }

    fn position(position: Position) -> &'static str {
        match position {
            Position::Statement => "",
            Position::Alone => " alone",
            Position::Expression => " expression",
            Position::Fixed => " fixed",
        }
    }

    fn code(&self, code: &HostCode) -> String {
        let text = &self.text[code.range.start as usize..code.range.end as usize];
        let calls: Vec<String> =
            code.calls.iter().map(|id| format!(" calls {}", self.program.host[id.index()].name)).collect();
        let unknown = code.unknown.as_ref().map_or(String::new(), |reason| format!(" UNKNOWN: {reason}"));
        let touches = self.touches(&code.touches);
        format!("`{text}`{}:{touches}{}{unknown}", Self::position(code.position), calls.concat())
    }

    fn line(&mut self, depth: usize, line: String) {
        self.lines.push(format!("{}{}", "  ".repeat(depth), line.trim_end().trim_end_matches(':')));
    }

    fn nodes(&mut self, nodes: &[HostNode], depth: usize) {
        nodes.iter().for_each(|node| self.node(node, depth));
    }

    fn node(&mut self, node: &HostNode, depth: usize) {
        match node {
            HostNode::Code(code) => self.line(depth, self.code(code)),
            HostNode::Branch(branch) => {
                let kind = if branch.switch { "switch" } else { "if" };
                let condition = self.code(&branch.condition);
                self.line(depth, format!("{kind}{} {condition}", Self::position(branch.position)));
                for (number, arm) in branch.arms.iter().enumerate() {
                    if number > 0 {
                        self.line(depth, "else".to_owned());
                    }
                    self.nodes(arm, depth + 1);
                }
            }
            HostNode::Loop(one) => {
                let touches = self.touches(&one.touches);
                self.line(depth, format!("loop{}:{touches}", Self::position(one.position)));
                for (word, code) in [("start", &one.start), ("while", &one.condition), ("step", &one.step)] {
                    if let Some(code) = code {
                        self.line(depth + 1, format!("{word} {}", self.code(code)));
                    }
                }
                self.nodes(&one.body, depth + 1);
            }
            HostNode::Block(block) => {
                for object in &block.objects {
                    let line =
                        format!("object {}{}", name(self.program, object.memory), Self::place(&object.place));
                    self.line(depth, line);
                }
                let position = Self::position(block.position);
                if position.is_empty() {
                    self.line(depth, "block".to_owned());
                }
                self.nodes(&block.body, depth + usize::from(position.is_empty()));
            }
            HostNode::Data(data) => {
                let held = |one: &scop::HeldMemory| {
                    let memory: Vec<_> = one.memory.iter().map(|id| name(self.program, *id)).collect();
                    let forgotten = if one.forgotten { " forgotten" } else { "" };
                    format!(" [{}{}{forgotten}]", memory.join(" "), Self::place(&one.place))
                };
                let held: String = data.held.iter().map(held).collect();
                self.line(depth, format!("data{}{held}", Self::position(data.position)));
                self.nodes(&data.body, depth + 1);
            }
            HostNode::Try(one) => {
                self.line(depth, format!("try{}", Self::position(one.position)));
                self.nodes(&one.body, depth + 1);
                for handler in &one.handlers {
                    self.line(depth, format!("catch{}", Self::position(handler.position)));
                    self.nodes(&handler.body, depth + 1);
                }
            }
            HostNode::Region(region) => {
                let touches = self.touches(&region.touches);
                self.line(
                    depth,
                    format!("region {}{}:{touches}", region.scop, Self::position(region.position)),
                );
            }
            HostNode::Jump(jump) => {
                let value =
                    jump.value.as_ref().map_or(String::new(), |value| format!(" {}", self.code(value)));
                self.line(
                    depth,
                    format!("{:?}{}{value}", jump.jump, Self::position(jump.position)).to_lowercase(),
                );
            }
            HostNode::Label { .. } => self.line(depth, "label".to_owned()),
        }
    }
}

/// The host code of a function `f` that gets the memory of `a` and `b` from `main`.
fn host(body: &str) -> String {
    let text = format!(
        "{HEAD}#define N 8\n#define AT(i, j) a[(i) * n + (j)]\n#define CLEAR(p) p[0] = 0\n#define TWICE(p) p[0] = 0; p[1] = 0\nvoid unknown();\n\
         static void set(double *p) {{ p[0] = 1; }} static int next(void) {{ static int k; return k++; }}\n\
         static double rows[9][9]; struct s {{ double *p; int n; }};\n\
         static void f(int n, int m, double *a, double *b, struct s *q) {{ int i, j; double sum = 0; {body} }}\n\
         int main(void) {{ struct s s; s.p = malloc(99); f(8, 8, malloc(72), calloc(9, 8), &s); return 0; }}"
    );
    let text = text.replace("END", "REGION(a) REGION(b) double *r = rows[1]; REGION(r)");
    let (text, program) = program(&text);
    let procedure = program.host.iter().find(|procedure| procedure.name == "f").unwrap();
    let mut printer = Printer { text: &text, program: &program, lines: Vec::new() };
    printer.nodes(&procedure.body, 0);
    let lines = printer.lines.into_iter().filter(|line| !line.trim().starts_with("region"));
    let mut found = lines.collect::<Vec<_>>().join("\n");
    for (call, short) in [("malloc(72)", "A"), ("calloc(9, 8)", "B")] {
        let is_it = |range: &scop::SourceRange| &text[range.start as usize..range.end as usize] == call;
        let object = program.memory.iter().find(|object| object.made_at.as_ref().is_some_and(is_it)).unwrap();
        found = found.replace(name(&program, object.id).trim_end_matches('!'), short);
    }
    found
}

/// The paragraphs of `host.txt` are statements of `f`, each with what its host code is.
#[test]
fn code_touches_what_it_may_access() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clan/host.txt");
    let expected = std::fs::read_to_string(path).unwrap();
    let paragraphs = expected.split("\n\n").map(str::trim_end);
    let found = paragraphs.map(|paragraph| {
        let code = paragraph.lines().next().unwrap_or_default();
        format!("{code}\n{}", host(&format!("{code} END"))).trim_end().to_owned()
    });
    let found = found.collect::<Vec<_>>().join("\n\n") + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, found).unwrap();
    } else {
        assert_eq!(found, expected);
    }
}

/// What the user holds on the device; the functions of `c2cuda.h` touch nothing and expose nothing.
#[test]
fn held_memory_is_named_with_its_place() {
    let found = host(
        "void c2cuda_data_begin(const void *, unsigned long), c2cuda_data_reads(const void *, unsigned long);\n\
         #pragma c2cuda data copy(a[0:n], b[1:n - 1]) create(rows)\n{ a[0] = 0; c2cuda_data_begin(b, 8); \
         c2cuda_data_reads(a, n); }\nEND",
    );
    let expected = "data [A [&a[0] (long)sizeof(a[0]) * (n)]] [B [&b[1] (long)sizeof(b[0]) * (n - 1)]] \
                    [rows [&rows[0] sizeof(rows)] forgotten]\n  block\n    `a[0] = 0`: overwrites A [&a[0] sizeof(a[0])]";
    assert_eq!(found.split_once('\n').unwrap().1, expected, "after the declaration of the functions");
}
