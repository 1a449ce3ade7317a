//! Names that are keywords, types, functions or macros elsewhere: in one of the languages, or where CUDA is compiled.

use chain_tests::{Call, Scratch, driver, gcc, gxx};

/// Names that are allowed in C.
const OF_C: &[&str] = &[
    "class",
    "new",
    "delete",
    "this",
    "operator",
    "template",
    "typename",
    "namespace",
    "export",
    "final",
    "and",
    "or",
    "xor",
    "not",
    "compl",
    "constexpr",
    "consteval",
    "char8_t",
    "char16_t",
    "wchar_t",
    "bool",
    "true",
    "nullptr",
    "thread_local",
    "static_assert",
    "concept",
    "requires",
    "co_await",
    "asm",
    "typeof",
    "alignas",
    "threadIdx",
    "blockDim",
    "warpSize",
    "dim3",
    "size_t",
    "uint",
    "float3",
    "half",
    "atomicAdd",
    "cudaMemcpy",
    "cudaError_t",
    "__global__",
    "__shared__",
    "__device__",
    "__restrict__x",
    "__CUDACC__",
    "M_PI",
    "INT_MAX",
    "RAND_MAX",
    "INFINITY",
    "NAN",
    "NULL",
    "EOF",
    "EINVAL",
    "errno",
    "stdout",
    "linux",
    "unix",
    "isnan",
    "sqrt",
    "min",
    "max",
    "exists",
    "infinity",
    "mod",
    "std",
    "exit",
    "malloc",
];

/// Names that are allowed in C++.
const OF_CXX: &[&str] = &[
    "restrict",
    "module",
    "import",
    "final",
    "override",
    "threadIdx",
    "dim3",
    "float3",
    "half",
    "atomicAdd",
    "__global__",
    "__shared__",
    "M_PI",
    "INT_MAX",
    "INFINITY",
    "NULL",
    "errno",
    "stdout",
    "isnan",
    "min",
    "exists",
    "exit",
];

/// A region with one name each for a parameter, an array, a member, a structure, a loop and a temporary.
const VARIABLES: &str = "
static void variables_NUMBER(int NAME0, int *NAME1)
{
    struct NAME2 { int NAME3, other; } q[8] = {{0}}, *p = q;
#pragma scop
    for (int NAME4 = 0; NAME4 < NAME0; NAME4++) {
        int NAME5 = NAME1[NAME4] * 5;
        p[NAME4].NAME3 = NAME5 * NAME5 - NAME0;
        NAME1[NAME4] = 3 * NAME4;
    }
#pragma endscop
    for (int i = 0; i < NAME0; i++)
        NAME1[i] += p[i].NAME3;
    show(NAME1, NAME0);
}
";

/// A region that calls a function with one of the names.
const FUNCTIONS: &str = "
static int NAME0(int x)
{
    return x * x + NUMBER;
}
static void functions_NUMBER(int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = NAME0(i);
#pragma endscop
    show(a, n);
}
";

const HEAD: &str = "
#ifdef __cplusplus
extern \"C\"
#endif
int printf(const char *, ...);
static void show(const int *a, int n)
{
    for (int i = 0; i < n; i++)
        printf(\" %d\", a[i]);
    printf(\"\\n\");
}
";

/// Returns a program with a copy of `piece` for each name, which also uses the names after it, and calls of the
/// functions in these copies.
fn program(names: &[&str], piece: &str, function: &str) -> String {
    let mut text = HEAD.to_owned();
    let mut main = "int main(void)\n{\n    int a[8] = {1, 2, 3};\n".to_owned();
    for number in 0..names.len() {
        let mut filled = piece.replace("NUMBER", &number.to_string());
        for offset in 0..6 {
            let name = names[(number + offset) % names.len()];
            filled = filled.replace(&format!("NAME{offset}"), name);
        }
        text.push_str(&filled);
        main.push_str(&format!("    {function}_{number}(7, a);\n"));
    }
    format!("{text}{main}}}\n")
}

/// Runs programs, translated and not, and compares what they print.
fn compare(extension: &str, names: &[&str], piece: &str, function: &str) {
    let scratch = Scratch::new(&format!("{function}.{extension}"));
    let (compiler, flags): (fn() -> Call, &[&str]) = match extension {
        "c" => (gcc, &["-std=c99", "-fno-builtin"]),
        _ => (gxx, &[]),
    };
    for (number, part) in names.chunks(24).enumerate() {
        let file = format!("{function}{number}.{extension}");
        scratch.write(&file, &program(part, piece, function));
        let plain = compiler().args(flags).args(["-w", &file, "-o", "plain"]).within(scratch.path());
        plain.run().succeeded();
        let expected = Call::new(scratch.at("plain")).run().succeeded().stdout;
        let call = driver().args(["-q", "--run", "--on", "cpu"]).args(flags).arg(&file);
        assert_eq!(call.within(scratch.path()).run().succeeded().stdout, expected);
    }
}

#[test]
fn variables_may_have_names_that_are_taken_elsewhere() {
    compare("c", OF_C, VARIABLES, "variables");
    compare("cpp", OF_CXX, VARIABLES, "variables");
}

#[test]
fn functions_may_have_names_that_are_taken_elsewhere() {
    compare("c", OF_C, FUNCTIONS, "functions");
    compare("cpp", OF_CXX, FUNCTIONS, "functions");
}

/// Macros have the names of the variables and members that they mention. C expands them once, and so must the call
/// that replaces a region.
#[test]
fn macros_of_the_same_names_are_expanded_once() {
    let text = "
typedef struct { int nx; double *u; } grid;
typedef struct point { int sum; struct point *next; } point;
static void first(int n, double *a)
{
#define n n + 1
#define a (a - 1)
#pragma scop
    for (int i = 1; i < n; i++)
        a[i] = 2 * a[i] + i;
#pragma endscop
#undef n
#undef a
}
static void second(grid *g)
{
#define nx (g->nx)
#define u (g->u)
    if (nx > 0) {
#pragma scop
    for (int i = 0; i < nx; i++)
        u[i] += nx;
#pragma endscop
    } else
        u[0] = nx;
#undef nx
#undef u
}
static void third(point *l)
{
#define sum next->sum
#define int long
#pragma scop
    for (int i = 0; i < 64; i++)
        l->sum += i;
#pragma endscop
#undef int
#undef sum
}
int main(void)
{
    double v[12] = {100, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 200};
    grid g = {5, v + 2};
    point last = {1, 0}, middle = {2, &last}, head = {3, &middle};
    first(10, v + 1);
    second(&g);
    third(&head);
    for (int i = 0; i < 12; i++)
        printf(\"%g \", v[i]);
    printf(\"%d %d %d\\n\", head.sum, middle.sum, last.sum);
    return 0;
}
";
    let scratch = Scratch::new("macros");
    for (file, compiler) in [("macros.c", gcc()), ("macros.cpp", gxx())] {
        scratch.write(file, &format!("#include <stdio.h>\n{text}"));
        compiler.args(["-w", file, "-o", "plain"]).within(scratch.path()).run().succeeded();
        let expected = Call::new(scratch.at("plain")).run().succeeded().stdout;
        for verifying in [&[][..], &["--verify"]] {
            let call = driver().args(["-q", "--run", "--on", "check"]).args(verifying).arg(file);
            let outcome = call.within(scratch.path()).run().succeeded();
            assert_eq!(outcome.stdout, expected, "{file} {verifying:?}: {}", outcome.stderr);
        }
    }
    // Directives begin at the start of a line.
    let line = text.lines().filter(|line| !line.contains("scop")).collect::<Vec<_>>().join("\n");
    let line = line.replace("    if (nx > 0) {\n", "    if (nx > 0) { nx + 0; ");
    scratch.write("line.c", &format!("#include <stdio.h>\n{line}\n"));
    gcc().args(["-w", "line.c", "-o", "plain"]).within(scratch.path()).run().succeeded();
    let expected = Call::new(scratch.at("plain")).run().succeeded().stdout;
    let call = driver().args(["-q", "--autoscop", "--run", "--on", "check", "line.c"]);
    assert_eq!(call.within(scratch.path()).run().succeeded().stdout, expected);
}

/// The operator `&` that an enumeration overloads is not used to take addresses.
#[test]
fn operators_of_enumerations_are_left_alone() {
    let scratch = Scratch::new("operators");
    let text = "#include <cstdio>
enum colour : int { red, green };
static colour spare[4];
static colour *operator&(colour &) { return spare; }
static colour last, all[3][40];
int main()
{
#pragma scop
    for (int i = 0; i < 40; i++) {
        all[1][i] = (colour)(i % 2);
        last = (colour)(i + 25);
    }
#pragma endscop
    std::printf(\"%d %d %d\\n\", (int)last, (int)all[1][5], (int)spare[0]);
}
";
    scratch.write("operators.cpp", text);
    let call = driver().args(["-q", "--run", "--on", "check", "operators.cpp"]).within(scratch.path());
    assert_eq!(call.run().succeeded().stdout, "64 1 0\n");
}
