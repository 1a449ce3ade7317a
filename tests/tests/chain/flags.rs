//! Compiler flags, and where libraries are loaded from. These tests use the real tools.

use std::fs;
use std::time::{Duration, SystemTime};

use chain_tests::{Call, Scratch, driver, names_in, root, tool};

/// The kernel depends on a header; after the header is edited, `make` translates the source again.
#[test]
fn an_edited_header_makes_kernels_stale() {
    let scratch = Scratch::new("make");
    fs::create_dir(scratch.at("my inc")).unwrap();
    scratch.write("my inc/twice.h", "static int twice(int x) { return 2 * x; }\n");
    scratch.write("factor.h", "#define FACTOR 10\n");
    scratch.write(
        "sum.c",
        "#include <stdio.h>
#include \"twice.h\"
int main(void)
{
    int a[5] = {0};
#pragma scop
    for (int i = 0; i < 5; i++)
        a[i] = twice(i) * FACTOR;
#pragma endscop
    printf(\"%d\\n\", a[4]);
}
",
    );
    let flags = "-include factor.h -I'my inc' -DX=1";
    let makefile = format!(
        "sum: sum_host.c sum_gpu.cu\n\tgcc -c {flags} sum_host.c -o sum.o\n\t{} sum_gpu.cu sum.o -o sum\n\
         sum_gpu.cu: sum.c\n\t{} -q -MD -MP {flags} sum.c\nsum_host.c sum_gpu.h: sum_gpu.cu\n-include sum.d\n",
        root().join("cudasim/cudasim-cc").display(),
        root().join("scripts/c2cuda").display(),
    );
    scratch.write("Makefile", &makefile);
    let printed = || {
        Call::new("make").arg("-s").within(scratch.path()).run().succeeded();
        Call::new(scratch.at("sum")).run().succeeded().stdout
    };
    assert_eq!(printed(), "80\n");
    let again = Call::new("make").args(["-q"]).within(scratch.path()).run();
    assert_eq!(again.status, 0, "nothing is to be done: {}", again.stdout);
    let rule = scratch.read("sum.d");
    assert!(rule.starts_with("sum_host.c sum_gpu.cu sum_gpu.h: \\\n  sum.c \\\n"), "{rule}");
    assert!(rule.contains("my\\ inc/twice.h") && rule.contains("stdio.h"), "{rule}");
    later(&scratch, "factor.h", "#define FACTOR 100\n");
    assert_eq!(printed(), "800\n");
    later(&scratch, "my inc/twice.h", "static int twice(int x) { return x + x + 1; }\n");
    assert_eq!(printed(), "900\n");

    let own = tool("clan-rs").args(["-MMD", "-include", "factor.h", "-Imy inc", "sum.c", "-o", "sum.json"]);
    own.within(scratch.path()).run().succeeded();
    assert_eq!(scratch.read("sum.d"), "sum.json: \\\n  sum.c \\\n  ./factor.h \\\n  my\\ inc/twice.h\n");
}

/// Writes a file that is newer than all others, which get the same age.
fn later(scratch: &Scratch, name: &str, text: &str) {
    let time = SystemTime::now() - Duration::from_secs(10);
    for folder in ["", "my inc/"] {
        for file in names_in(&scratch.at(folder)) {
            let path = scratch.at(&format!("{folder}{file}"));
            fs::File::open(path).unwrap().set_modified(time).unwrap();
        }
    }
    scratch.write(name, text);
}

/// The order of definitions matters, and folders are searched in the order that compilers use.
#[test]
fn flags_mean_what_they_mean_to_compilers() {
    let scratch = Scratch::new("meaning");
    for folder in ["first", "last", "quoted", "root", "root/usr", "root/usr/include"] {
        fs::create_dir(scratch.at(folder)).unwrap();
        scratch.write(&format!("{folder}/which.h"), &format!("#define WHICH {}\n", folder.len()));
    }
    let source = "#include <which.h>\nint main(void)\n{\n    int a[1];\n#pragma scop\n    for (int i = 0; i < 1; i++)\n        \
                  a[i] = WHICH;\n#pragma endscop\n    return a[0];\n}\n";
    scratch.write("which.c", source);
    scratch.write("quoted.c", &source.replace("<which.h>", "\"which.h\""));
    let table: [(&[&str], &str, i32); 7] = [
        (&["-idirafter", "last", "-isystem", "first"], "which.c", 5),
        (&["-idirafterlast"], "which.c", 4),
        (&["-iquote", "quoted", "-Ifirst"], "which.c", 5),
        (&["-iquotequoted", "-Ifirst"], "quoted.c", 6),
        (&["--sysroot=root"], "which.c", 16),
        (&["-Ifirst", "-include", "first/which.h", "-UWHICH", "-DWHICH=3", "-UX"], "which.c", 5),
        (&["-UWHICH", "-DWHICH=3", "--std=gnu99"], "quoted.c", 3),
    ];
    scratch.write(
        "quoted.c",
        &source.replace("#include <which.h>\n", "#ifndef WHICH\n#include \"which.h\"\n#endif\n"),
    );
    for (flags, file, expected) in table {
        let call = driver().args(["-q", "--run", "--on", "cpu"]).args(flags).arg(file).within(scratch.path());
        call.run().ended_with(expected);
    }
}

/// `omp.h` is GCC's own, and code with OpenMP is left to the compiler.
#[test]
fn programs_with_openmp_are_translated() {
    let scratch = Scratch::new("openmp");
    scratch.write(
        "threads.c",
        "#include <omp.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef _OPENMP
#error no OpenMP
#endif
int main(void)
{
    static atomic_int count;
    int a[9];
    omp_set_num_threads(3);
#pragma scop
    for (int i = 0; i < 9; i++)
        a[i] = i * i;
#pragma endscop
#pragma omp parallel
    atomic_fetch_add(&count, omp_get_num_threads());
    return atomic_load(&count) + a[8];
}
",
    );
    let run = || driver().args(["-q", "--run", "--on", "cpu"]).within(scratch.path());
    run().args(["-fopenmp", "threads.c"]).run().ended_with(64 + 9);
    let call = driver().args(["-q", "-MD", "-o", "out", "-fopenmp", "threads.c"]).within(scratch.path());
    call.run().succeeded();
    let rule = scratch.read("out/threads.d");
    let header = rule.split_whitespace().find(|name| name.ends_with("/omp.h")).unwrap();
    assert!(std::path::Path::new(header).is_file(), "{rule}");
    let plain = run().arg("threads.c").run().ended_with(1).stderr;
    assert!(plain.contains("no OpenMP"), "the file is read: {plain}");
    scratch.write("missing.c", "#include <no_such_header.h>\n");
    let missing = tool("clan-rs").arg("missing.c").within(scratch.path()).run().ended_with(1).stderr;
    assert!(missing.contains("help: name the directory of the header with -I"), "{missing}");
}

/// If a file or its own header names macros that compilers predefine, they have the values of the compiler with its
/// flags.
#[test]
fn macros_are_those_that_the_compiler_predefines() {
    let scratch = Scratch::new("predefined");
    scratch.write("width.h", "#ifdef __AVX__\n#define WIDTH 8\n#else\n#define WIDTH 4\n#endif\n");
    let source = "#include \"width.h\"
#include <math.h>
#include <stdio.h>
#if defined(__clang__)
#error not asked for
#endif
#if __GNUC__ >= 8 && !defined __llvm__
#define NEW 1
#else
#define NEW 0
#endif
#ifdef __has_feature
#define FEATURES 1
#else
#define FEATURES 0
#endif
#if defined __FAST_MATH__ && defined __OPTIMIZE__
#define FAST 1
#else
#define FAST 0
#endif
#ifndef _REENTRANT
#define _REENTRANT 5
#endif
#undef __SSE3__
#ifdef __EXCEPTIONS
#define EXCEPTIONS 1
#else
#define EXCEPTIONS 0
#endif
#define K(i) ((i == 0) * WIDTH + (i == 1) * NEW + (i == 2) * FEATURES + (i == 3) * FAST + (i == 4) * _REENTRANT + \\
              (i == 5) * EXCEPTIONS)
int main(void)
{
    int a[6];
    int b[6] = {WIDTH, NEW, FEATURES, FAST, _REENTRANT, EXCEPTIONS};
#pragma scop
    for (int i = 0; i < 6; i++)
        a[i] = K(i);
#pragma endscop
    for (int i = 0; i < 6; i++)
        printf(\"%d %d \", a[i], b[i]);
}
";
    scratch.write("c.c", source);
    scratch.write("cxx.cpp", source);
    let table: [(&[&str], &str, [u32; 6]); 4] = [
        (&[], "c.c", [4, 1, 0, 0, 5, 0]),
        (&["-mavx2", "-ffast-math", "-pthread"], "c.c", [8, 1, 0, 1, 1, 0]),
        (&["-O0", "-ffast-math"], "c.c", [4, 1, 0, 0, 5, 0]),
        (&["-mavx"], "cxx.cpp", [8, 1, 0, 0, 5, 1]),
    ];
    for (flags, file, expected) in table {
        let call = driver().args(["-q", "--run", "--on", "cpu"]).args(flags).arg(file).within(scratch.path());
        let expected: String = expected.iter().map(|value| format!("{value} {value} ")).collect();
        assert_eq!(call.run().succeeded().stdout, expected, "{flags:?} {file}");
    }
}

/// If the optimisation level is not given, or the compiler is missing, nothing is assumed.
#[test]
fn macros_of_an_unknown_compilation_are_refused() {
    let scratch = Scratch::new("unknown");
    let region = "int a[9];\nvoid f(void)\n{\n#pragma scop\n    for (int i = 0; i < 9; i++)\n        a[i] = N;\n#pragma endscop\n}\n";
    scratch
        .write("level.c", &format!("#ifdef __OPTIMIZE__\n#define N 1\n#else\n#define N 2\n#endif\n{region}"));
    scratch.write("version.c", &format!("#define N __GNUC__\n{region}"));
    scratch.write("n.h", "#ifndef _N_H\n#define _N_H\n#define N 1\n#endif\n");
    scratch.write("plain.c", &format!("/* __OPTIMIZE__ */\n#include \"n.h\"\n{region}"));
    scratch.write("own.c", &format!("#ifndef N\n#define N 1\n#endif\n{region}"));
    let call = |flags: &[&str]| driver().args(["-q", "-o", "out"]).args(flags).within(scratch.path());
    let said = call(&["level.c"]).run().ended_with(1).stderr;
    assert!(
        said.starts_with("error[E0109]") && said.contains("level.c:1:8") && said.contains("-O2"),
        "{said}"
    );
    for flags in [&["-O0", "level.c"][..], &["version.c"], &["plain.c"], &["own.c"]] {
        call(flags).run().succeeded();
    }
    let said = call(&["version.c"]).with("CC", "no-such-compiler -O2").run().ended_with(1).stderr;
    assert!(said.contains("`no-such-compiler -O2` cannot be asked how it defines `__GNUC__`"), "{said}");
    assert!(said.contains("version.c:1:11"), "{said}");
    call(&["plain.c"]).with("CC", "no-such-compiler").run().succeeded();
    let said = call(&["own.c"]).with("CC", "no-such-compiler").run().ended_with(1).stderr;
    assert!(said.contains("`no-such-compiler` cannot be asked which lines it compiles"), "{said}");
    let own =
        |command: &str| tool("clan-rs").args(["--compiler", command, "level.c"]).within(scratch.path()).run();
    own("gcc -O1").succeeded();
    own("gcc").ended_with(1);
    own("gcc 'x").ended_with(2);
}

/// The compiler is started only for what it may know better than clang, and a second time only for what optimisation
/// may change.
#[test]
fn a_compiler_is_asked_only_for_what_it_may_know() {
    let scratch = Scratch::new("asked");
    let region = "int a[9];\nvoid f(void)\n{\n#pragma scop\n    for (int i = 0; i < 9; i++)\n        a[i] = i;\n#pragma endscop\n}\n";
    let compiler = scratch.write("compiler.sh", "echo \"$*\" >> calls\nexec gcc \"$@\"\n");
    let command = format!("sh {}", compiler.display());
    let asked = |text: &str| {
        scratch.write("calls", "");
        scratch.write("file.c", &format!("{text}{region}"));
        tool("clan-rs").args(["--compiler", &command, "file.c"]).within(scratch.path()).run().succeeded();
        let calls = scratch.read("calls");
        (calls.lines().count(), calls.lines().filter(|call| call.contains("-O2")).count())
    };
    assert_eq!(asked(""), (0, 0));
    assert_eq!(asked("#ifndef N\n#define N 9\n#endif\n"), (1, 0));
    assert_eq!(asked("#define _N 9\nint b[_N];\n"), (0, 0));
    assert_eq!(asked("#ifdef _N\nint b;\n#endif\n#define _N 9\n"), (2, 1));
    assert_eq!(asked("#include <stdlib.h>\n#if RAND_MAX > 9\nint b;\n#endif\n"), (2, 1));
    assert_eq!(asked("#define MANY (_POSIX_C_SOURCE > 1)\n#if MANY\nint b;\n#endif\n"), (2, 1));
}

/// The source of a library that crashes the process which loads it.
const TRAP: &str = "__attribute__((constructor)) static void loaded(void) { __builtin_trap(); }\n";

fn build_trap(scratch: &Scratch, path: &str) {
    scratch.write("trap.c", TRAP);
    Call::new("gcc")
        .args(["-shared", "-fPIC", "trap.c", "-o", path])
        .within(scratch.path())
        .run()
        .succeeded();
}

/// libbarvinok is loaded from where it was installed or from where the user says, never from folders near the tools.
#[test]
fn libbarvinok_is_not_searched_for() {
    let scratch = Scratch::new("barvinok");
    for folder in ["bin", "tools", "tools/barvinok"] {
        fs::create_dir(scratch.at(folder)).unwrap();
    }
    build_trap(&scratch, "tools/barvinok/libbarvinok.so");
    let moved = scratch.at("bin/gpulocalizer");
    fs::copy(chain_tests::tools_folder().join("gpulocalizer"), &moved).unwrap();
    let document = driver().args(["--to", "scheduler", "examples/jacobi2d.c"]).run().succeeded().stdout;
    let call = || Call::new(&moved).args(["--layout", "dense"]).reading(&document).within(scratch.path());
    call().with("C2CUDA_BARVINOK", "").run().succeeded();
    let trap = scratch.at("tools/barvinok/libbarvinok.so");
    assert_ne!(call().with("C2CUDA_BARVINOK", trap).run().status, 0, "the trap works");
}

/// An empty entry in a list of folders does not mean the current folder, and a file that is not libclang is reported.
#[test]
fn libclang_is_not_loaded_from_the_current_folder() {
    let scratch = Scratch::new("libclang");
    build_trap(&scratch, "libclang.so.99");
    let source = root().join("examples/lu.c");
    let call = || tool("clan-rs").arg(&source).within(scratch.path());
    for list in ["", ":", "/nowhere:", "::/nowhere"] {
        call().with("LD_LIBRARY_PATH", list).run().succeeded();
        call().with("LIBRARY_PATH", list).run().succeeded();
    }
    call().with("LIBCLANG_PATH", "").run().succeeded();
    scratch.write("empty.c", "int nothing;\n");
    Call::new("gcc")
        .args(["-shared", "-fPIC", "empty.c", "-o", "libclang.so.1"])
        .within(scratch.path())
        .run()
        .succeeded();
    let wrong = call().with("LIBCLANG_PATH", scratch.at("libclang.so.1")).run().ended_with(1).stderr;
    assert!(wrong.contains("error[E0102]") && wrong.contains("is not libclang"), "{wrong}");
    scratch.write("libclang.so.1", "text");
    let text = call().with("LIBCLANG_PATH", scratch.at("libclang.so.1")).run().ended_with(1).stderr;
    assert!(text.contains("error[E0102]"), "{text}");
}

/// A condition may depend on the compiler although the file names no macro of the compiler: through system headers,
/// or through `__has_…`.
#[test]
fn lines_are_those_that_the_compiler_takes() {
    let scratch = Scratch::new("conditions");
    let region = "int a[9];\nvoid f(void)\n{\n#pragma scop\n    for (int i = 0; i < 9; i++)\n        a[i] = N;\n#pragma endscop\n}\n";
    let translated = |condition: &str| {
        let choice = format!("{condition}\n#define N 1\n#else\n#define N 2\n#endif\n");
        scratch.write("c.c", &format!("#include <features.h>\n{choice}{region}"));
        scratch.write("choice.h", &choice);
        scratch.write("header.c", &format!("#include <features.h>\n#include \"choice.h\"\n{region}"));
        let call = |file: &str| {
            tool("clan-rs").args(["-fopenmp", "-o", "out.json", file]).within(scratch.path()).run()
        };
        (call("c.c"), call("header.c"))
    };
    for condition in [
        "#if __has_include(<quadmath.h>)",
        "#if __has_attribute(optimize)",
        "#if __has_builtin(__builtin_nontemporal_load)",
        "#if __GNUC_PREREQ(7, 0)",
        "#define JOIN(a, b) a##b\n#if JOIN(__GNU, C__) > 5",
        "#line 70 \"choice.y\"\n#if __has_include(<quadmath.h>)",
        "#ifdef __USE_EXTERN_INLINES",
    ] {
        let (file, header) = translated(condition);
        for (outcome, path) in [(file, "c.c"), (header, "choice.h")] {
            let said = outcome.ended_with(1).stderr;
            assert!(said.contains("E0109") && said.contains(&format!("{path}:")), "{condition}: {said}");
        }
    }
    for condition in [
        "#if __has_include(<stdio.h>) && __has_attribute(aligned)",
        "#ifdef N\n#undef N\n#endif\n#line 10 \"choice.y\"\n#if 0",
        "#define X(a) /* a */ \\\n  a\n#if \\\n  1",
        "#ifdef _OPENMP\n#pragma omp declare simd\n#endif\nint g(int);\n#ifndef _OPENMP\n#error\n#elif 1",
    ] {
        let (file, header) = translated(condition);
        file.succeeded();
        header.succeeded();
    }
    let twice = "#ifdef SECOND\n#define N 1\nstatic int b;\n#else\nstatic int c;\n#endif\n#define SECOND\n";
    scratch.write("twice.h", twice);
    scratch.write("twice.c", &format!("#include \"twice.h\"\n#include \"twice.h\"\n{region}"));
    tool("clan-rs").args(["-o", "out.json", "twice.c"]).within(scratch.path()).run().succeeded();
}
