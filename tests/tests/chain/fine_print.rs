//! Details that are easily overlooked: conversions that lose bits, sizes in types, streams that lead to memory,
//! constants that depend on who computes them, and names that two files share.

use chain_tests::{Call, Scratch, driver, gcc, gxx, root};

/// Checks that a program prints the same with and without translation.
fn prints_the_same(compiler: Call, name: &str, options: &[&str]) {
    let scratch = Scratch::new(name);
    let source = root().join("tests/programs").join(name);
    let program = scratch.at("program");
    compiler
        .args(["-O2", "-ffp-contract=off", "-w"])
        .args(options)
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .run()
        .succeeded();
    let expected = Call::new(&program).run().succeeded().stdout;
    let outcome =
        driver().args(["-q", "--run", "--on", "check"]).args(options).arg(&source).run().succeeded();
    assert_eq!(outcome.stdout, expected, "{}", outcome.stderr);
}

#[test]
fn small_words_of_c_count() {
    prints_the_same(gcc(), "fine_print.c", &["-std=gnu11"]);
}

#[test]
fn constants_may_ask_who_computes_them() {
    prints_the_same(gxx(), "who_computes.cpp", &["-std=c++20"]);
}

#[test]
fn objects_may_be_known_to_those_who_made_them() {
    prints_the_same(gxx(), "made_elsewhere.cpp", &["-std=c++17"]);
}

#[test]
fn one_array_may_be_all_that_there_is() {
    prints_the_same(gcc(), "clip.c", &["-std=gnu11"]);
}

#[test]
fn classes_are_laid_out_as_the_compiler_does() {
    prints_the_same(gxx(), "layouts.cpp", &["-std=c++17"]);
}

#[test]
fn printing_may_write() {
    prints_the_same(gcc(), "printed_count.c", &["-std=gnu11"]);
    prints_the_same(gcc(), "printed_buffer.c", &["-std=gnu11"]);
    prints_the_same(gcc(), "printed_by_hook.c", &["-std=gnu11"]);
}

/// Code before a region runs again after it if a call such as `getcontext` returns a second time.
#[test]
fn calls_may_return_again() {
    prints_the_same(gcc(), "returns_again.c", &["-std=gnu11"]);
}

#[test]
fn types_may_be_evaluated() {
    prints_the_same(gcc(), "evaluated_types.c", &["-std=gnu11"]);
}

#[test]
fn values_may_come_from_several_places() {
    prints_the_same(gcc(), "several_sources.c", &["-std=gnu11"]);
}

/// In a region, such a function is not mistaken for the library function of this name, whose effect is known.
#[test]
fn names_of_library_functions_may_be_the_programs_own() {
    let programs = root().join("tests/programs");
    let (source, other) = (programs.join("own_functions.c"), programs.join("own_functions_other.c"));
    let scratch = Scratch::new("own functions");
    let program = scratch.at("program");
    let compiler = gcc().args(["-std=c89", "-O2", "-ffp-contract=off"]).args([&source, &other]);
    compiler.arg("-o").arg(&program).run().succeeded();
    let expected = Call::new(&program).run().succeeded().stdout;
    let call = driver().args(["-q", "--run", "--on", "cpu", "-std=c89", "--with"]).arg(&other).arg(&source);
    let outcome = call.run().succeeded();
    assert_eq!(outcome.stdout, expected, "{}", outcome.stderr);
    for (declared, flag, is_taken) in [
        ("double trunc(double);", "-std=c89", false),
        ("double trunc(double);", "-std=gnu89", false),
        ("double trunc(double);", "-ansi", false),
        ("double trunc(double);", "-std=c99", true),
        ("double sqrt(double);", "-std=c89", true),
        ("float sqrtf(float);", "-std=c89", true),
        ("int is_infinite(double);", "-std=c17", false),
        ("int signbitf(float);", "-std=gnu17", false),
        ("#include <math.h>", "-std=c89", true),
    ] {
        let called =
            ["trunc", "sqrtf", "is_infinite", "signbitf"].into_iter().find(|name| declared.contains(name));
        let called = called.unwrap_or("sqrt");
        let text = format!(
            "{declared}\nvoid f(int n, double a[100])\n{{\n    int i;\n#pragma scop\n    for (i = 0; i < n; i++)\n        \
             a[i] += {called}(a[i]);\n#pragma endscop\n}}\n"
        );
        let source = scratch.write("f.c", &text);
        let outcome = driver().args(["-q", flag, "-o"]).arg(scratch.at("out")).arg(source).run();
        if is_taken {
            outcome.succeeded();
        } else {
            assert!(outcome.ended_with(1).stderr.contains("error[E0142]"), "{declared} {flag}");
        }
    }
}

/// The host file has no unused variable if the source has none.
#[test]
fn what_only_a_region_uses_is_mentioned() {
    let scratch = Scratch::new("mentioned");
    let text = "void f(double *restrict a)\n{\n    double t;\n    int i;\n#pragma scop\n    for (i = 0; i < 20; i++) {\n        \
                t = i * .5;\n        a[i] = t * t;\n    }\n#pragma endscop\n}\n";
    let source = scratch.write("f.c", text);
    driver().args(["-q", "-o", "out"]).arg(&source).within(scratch.path()).run().succeeded();
    let host = scratch.read("out/f_host.c");
    assert!(host.contains("(void)i, (void)t;"), "{host}");
    let warnings = ["-Wall", "-Wextra", "-Werror", "-c", "out/f_host.c", "-o", "f.o"];
    gcc().args(warnings).within(scratch.path()).run().succeeded();
}

#[test]
fn arrays_are_pointers_to_their_first_elements() {
    prints_the_same(gcc(), "first_element.c", &["-std=gnu11"]);
    prints_the_same(gxx(), "first_element.cpp", &["-std=c++17"]);
}

/// Headers that clang calls system headers are treated as the user's, except for the standard headers of C and C++.
#[test]
fn libraries_mean_what_the_compiler_makes_of_them() {
    let library = root().join("tests/programs/library");
    let library = library.to_str().unwrap();
    for how in ["-isystem", "-idirafter"] {
        let options = ["-std=gnu11", "-mavx2", "-DVERSION=__GNUC__", how, library];
        prints_the_same(gcc(), "libraries.c", &options);
    }
    let scratch = Scratch::new("libraries");
    let cases = [
        ("Counter k; k.n = n; int *p = &Counter::last->n;", "*p = 4, a[i] = i;", "k.n", "E0133"),
        ("", "a[i] = again[i];", "n", "E0135"),
        ("words *w = (words *)a;", "w[i] = i;", "n", "E0135"),
        ("", "a[i] = HERE(\n i);", "n", "E0109"),
    ];
    for (before, body, bound, code) in cases {
        let text = format!(
            "#include <registry.h>\nvoid f(int n, double *a)\n{{\n{before}\n#pragma scop\nfor (int i = 0; i < {bound}; i++) \
             {{ {body} }}\n#pragma endscop\n}}\n"
        );
        let source = scratch.write("f.cpp", &text);
        let call = driver().args(["-isystem", library, "-o"]).arg(scratch.at("out")).arg(source);
        let said = call.run().ended_with(1).stderr;
        assert!(said.contains(&format!("error[{code}]")), "{body}: {said}");
    }
}

/// Two files in different folders have the same name, and each has a static function of the same name.
#[test]
fn static_functions_of_files_of_one_name_are_told_apart() {
    let scratch = Scratch::new("files of one name");
    let mut objects = Vec::new();
    for (folder, factor) in [("flow", 2), ("heat", 3)] {
        std::fs::create_dir(scratch.at(folder)).unwrap();
        let text = format!(
            "static void step(int n, int *a)
{{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= {factor};
#pragma endscop
}}
void {folder}(int n, int *a) {{ step(n, a); }}
"
        );
        scratch.write(&format!("{folder}/solver.c"), &text);
        driver().args(["-q", "solver.c"]).within(&scratch.at(folder)).run().succeeded();
        let folder = scratch.at(folder);
        gcc().args(["-c", "solver_host.c"]).within(&folder).run().succeeded();
        let simulator = Call::new(root().join("cudasim/cudasim-cc"));
        simulator.args(["-c", "solver_gpu.cu", "-o", "kernels.o"]).within(&folder).run().succeeded();
        objects.extend([folder.join("solver_host.o"), folder.join("kernels.o")]);
    }
    let main = "#include <stdio.h>
void flow(int n, int *a);
void heat(int n, int *a);
int main(void)
{
    int a[3] = { 1, 1, 1 };
    flow(3, a);
    heat(2, a);
    printf(\"%d %d %d\\n\", a[0], a[1], a[2]);
}
";
    scratch.write("main.c", main);
    gcc().args(["-c", "main.c"]).within(scratch.path()).run().succeeded();
    let simulator = Call::new(root().join("cudasim/cudasim-cc"));
    let call = simulator.arg("main.o").args(&objects).args(["-o", "program"]);
    call.within(scratch.path()).run().succeeded();
    assert_eq!(Call::new(scratch.at("program")).run().succeeded().stdout, "6 6 2\n");
}
