//! Values that other host threads change while a region runs are kept.

use chain_tests::{Scratch, driver};

/// While one thread computes, another one counts in the elements between those that the first one writes: at the
/// borders of a matrix, in every second element of a vector, and in the middle of another vector. The first two
/// arrays would stay on the device; of the last one, the whole slice would be copied back.
const BETWEEN: &str = r#"#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
enum { N = 20, STEPS = 1000 };
static double a[N][N], v[2 * N], w[2 * N + 1];
static atomic_int counts, steps;
static void *between(void *unused)
{
    while (!counts)
        sched_yield();
    for (int t = 0; t < STEPS; t++) {
#pragma scop
        for (int i = 0; i < N; i++)
            for (int j = 1; j < N - 1; j++)
                a[i][j] = a[i][j] * 0.5 + i;
        for (int i = 0; i < N; i++)
            v[2 * i + 1] += i;
#pragma endscop
    }
    for (; steps < STEPS; steps++) {
#pragma scop
        for (int i = 0; i < N; i++) {
            w[i] += 1;
            w[N + 1 + i] -= 1;
        }
#pragma endscop
    }
    return unused;
}
static void *counting(void *unused)
{
    double counted = 0;
    for (; steps < STEPS; counted++) {
        for (int i = 0; i < N; i++) {
            a[i][0] += 1;
            a[i][N - 1] += 1;
            v[2 * i] += 1;
        }
        w[N] += 1;
        counts = 1;
        sched_yield();
    }
    double lost = counted - w[N];
    for (int i = 0; i < N; i++)
        lost += 3 * counted - a[i][0] - a[i][N - 1] - v[2 * i];
    printf("lost %g\n", lost);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[1], NULL, counting, NULL);
    pthread_create(&threads[0], NULL, between, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    for (int i = 0; i < N; i++)
        printf("%g %g %g %g\n", a[i][1], v[2 * i + 1], w[i], w[N + 1 + i]);
}
"#;

#[test]
fn what_lies_between_written_elements_does_not_come_home() {
    let scratch = Scratch::new("threads-between");
    let source = scratch.write("between.c", BETWEEN);
    let outcome = driver().args(["-q", "--run", "--on", "cpu"]).arg(&source).run().succeeded();
    let lines = (0..20).map(|i| format!("{} {} 1000 -1000\n", 2 * i, 1000 * i));
    assert_eq!(outcome.stdout, format!("lost 0\n{}", lines.collect::<String>()));
    driver().args(["-q", "-o", "out"]).arg(&source).within(scratch.path()).run().succeeded();
    assert_eq!(scratch.read("out/between_gpu.cu").matches("__global__").count(), 3);
}

/// Regions of a program with threads, each with the array that makes it stay C, if any.
const REGIONS: &[(&str, Option<&str>)] = &[
    ("for (int i = 0; i < n; i++) if (c[i]) a[i] = 1;", Some("a")),
    ("for (int i = 0; i < n; i++) a[i] = c[i] ? 1 : 2;", None),
    ("for (int i = 0; i < n; i++) a[i] = c[i];", None),
    ("for (int i = 0; i < n; i++) if (c[i]) a[i] = 1; else a[i] = 2;", None),
    ("for (int i = 0; i < n; i++) if (c[i]) { own = i; a[i] = 1; } else { a[i] = 3; own = 2; }", None),
    (
        "for (int i = 0; i < n; i++) if (c[i]) { if (c[i] > 9) a[i] = 1; else a[i] = 2; } else if (a[i] < 0) a[i] = 3;",
        None,
    ),
    ("for (int i = 0; i < n; i++) if (c[i]) a[i] = 1; else a[i + n] = 2;", Some("a")),
    (
        "for (int i = 0; i < n; i++) if (c[i]) a[i] = 1; else for (int k = 0; k < c[i]; k++) a[i] = 2;",
        Some("a"),
    ),
    ("for (int i = 0; i < n; i++) if (c[i]) { if (c[i] > 9) a[i] = 1; } else a[i] = 3;", Some("a")),
    ("for (int i = 0; i < n; i++) a[i] = a[i + n] + c[i];", None),
    (
        "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) m[i][j] = (i + j) % 2 ? m[i][j] : 1;",
        None,
    ),
    ("for (int i = 0; i < n; i++) if (a[i] < 0) a[i] = 0;", None),
    ("for (int i = 1; i < n; i++) p[i].x = p[i - 1].y + p[0].x;", None),
    ("for (int i = 0; i < n; i++) { a[i] = c[i]; if (c[i]) last = i; }", Some("last")),
    ("for (int i = 0; i < n; i++) { a[i] = 0; if (c[i]) own = i; }", None),
    ("for (int i = 0; i < n; i++) p[i].x = i;", None),
    ("for (int i = 0; i < n; i++) if (c[i]) p[i].x = i;", Some("p[0].x")),
    // In each round, the host, which has `long double`, needs a box of every second element between the kernels.
    (
        "for (int t = 0; t < n; t++) { for (int i = 0; i < n; i++) a[2 * i] = a[2 * i] * 0.5 + c[i]; \
         for (int i = 0; i < n; i++) a[2 * i] = (double)(a[2 * i] + 1.0L / 3); }",
        Some("a"),
    ),
];

#[test]
fn what_would_come_home_over_others_stays_c() {
    let scratch = Scratch::new("threads-refused");
    let head = "struct pair { int x, y; };\nstatic int last;\n";
    let mut text = format!("#include <pthread.h>\n{head}");
    let mut expected = Vec::new();
    for (number, (region, array)) in REGIONS.iter().enumerate() {
        let line = text.lines().count() + 3;
        text += &format!(
            "int f{number}(int n, double a[2 * n], const int c[n], double m[n][n], struct pair p[n])\n\
             {{ int own = 0;\n#pragma scop\n{region}\n#pragma endscop\nreturn own; }}\n"
        );
        if let Some(array) = array {
            expected.push(format!(
                "the region on line {line} stays C: elements of `{array}` that this region does not certainly use"
            ));
        }
    }
    scratch.write("f.c", &text);
    let call =
        |flags: &[&str]| driver().args(["-q", "-o", "out", "f.c"]).args(flags).within(scratch.path()).run();
    let said = call(&[]).ended_with(1).stderr;
    assert_eq!(said.matches("error[E0403]").count(), expected.len(), "{said}");
    let said = call(&["--keep-going"]).succeeded().stderr;
    assert_eq!(said.matches("E0403").count(), expected.len(), "{said}");
    for words in expected {
        assert!(said.contains(&words), "{words}: {said}");
    }
    let per_array = ["--gpulocalizer-options", "--transfer per-array"];
    let region = "#pragma scop\nfor (int i = 0; i < 9; i++) a[2 * i] = i;\n#pragma endscop\n";
    scratch.write("g.c", &format!("#include <threads.h>\nvoid g(double *a) {{\n{region}}}\n"));
    let strided = driver().args(["-q", "-o", "out", "g.c"]).args(per_array).within(scratch.path()).run();
    assert!(strided.ended_with(1).stderr.contains("error[E0403]: elements of `a`"));
    let functions = |text: String| text.matches("extern \"C\"").count();
    let some = functions(scratch.read("out/f_gpu.cu"));
    call(&["--no-host-threads"]).succeeded();
    let all = functions(scratch.read("out/f_gpu.cu"));
    let refused = REGIONS.iter().filter(|(_, array)| array.is_some()).count();
    assert_eq!(all, some + refused);
}

/// The compiler flags show that there are threads, but the source does not.
#[test]
fn threads_of_the_command_line_count() {
    let text = "void f(int n, double *restrict a)\n{\n    for (int t = 0; t < 9; t++) {\n#pragma scop\n\
        for (int i = 0; i < n; i++)\n            a[3 * i] = a[3 * i] + t;\n#pragma endscop\n    }\n}\n";
    let scratch = Scratch::new("thread-flags");
    let source = scratch.write("f.c", text);
    let concurrent = |flags: &[&str], compiler: &str| {
        let call = driver().with("CC", compiler).args(["--to", "clan-rs"]).args(flags).arg(&source);
        call.run().succeeded().stdout.contains("\"concurrent\": true")
    };
    assert!(!concurrent(&[], "gcc"));
    for flag in ["-pthread", "-lpthread", "-lgomp", "-fopenmp"] {
        assert!(concurrent(&[flag], "gcc"), "{flag}");
    }
    assert!(concurrent(&[], "gcc -pthread"), "in CC");
}

/// Headers are recognised by their location, and the one that includes all of C++ has threads.
#[test]
fn threads_are_seen_by_any_name_of_a_header() {
    let scratch = Scratch::new("thread-names");
    scratch.write("all.h", "#include <bits/stdc++.h>\n");
    let concurrent = |begin: &str| {
        let text = format!(
            "{begin}\nvoid f(int n, double *a)\n{{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        a[3 * i] = i;\n\
             #pragma endscop\n}}\n"
        );
        let source = scratch.write("f.cpp", &text);
        let call = driver().args(["--to", "clan-rs"]).arg(&source).within(scratch.path());
        call.run().succeeded().stdout.contains("\"concurrent\": true")
    };
    for begin in [
        "#include <bits/stdc++.h>",
        "#include \"all.h\"",
        "#include \"/usr/include/pthread.h\"",
        "#include <linux/../pthread.h>",
        "#include <bits/std_thread.h>",
        "extern \"C\" int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);",
    ] {
        assert!(concurrent(begin), "{begin}");
    }
    for begin in ["", "#include <vector>\n#include <algorithm>\n#include <numeric>\n#include <cmath>"] {
        assert!(!concurrent(begin), "{begin}");
    }
}

/// A header of another library, found as a system header, includes `<thread>`. Headers that only guard against
/// threads do not count.
#[test]
fn threads_of_libraries_count() {
    let scratch = Scratch::new("thread-libraries");
    std::fs::create_dir(scratch.at("lib")).unwrap();
    scratch.write("lib/pool.hpp", "#include <thread>\nstruct pool { std::thread worker; };\n");
    scratch.write("lib/guarded.hpp", "#include <mutex>\nstruct guarded { std::mutex lock; };\n");
    let concurrent = |header: &str| {
        let text = format!(
            "#include <{header}>\nvoid f(int n, double *a)\n{{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        \
             a[3 * i] = i;\n#pragma endscop\n}}\n"
        );
        let source = scratch.write("f.cpp", &text);
        let call = driver().args(["-isystem", "lib", "--to", "clan-rs"]).arg(&source).within(scratch.path());
        call.run().succeeded().stdout.contains("\"concurrent\": true")
    };
    assert!(concurrent("pool.hpp"));
    for header in ["guarded.hpp", "memory", "string", "functional"] {
        assert!(!concurrent(header), "{header}");
    }
}
