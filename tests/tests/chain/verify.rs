//! `c2cuda --verify`: runs each region of the user's program in C and on the device.

use chain_tests::{Call, Outcome, Scratch, driver};

const PROGRAM: &str = r#"#include <stdio.h>
struct pair { float x; int count; };
static double a[6][5], last;
static struct pair pairs[7];
static void work(int n, int m, double *v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = v[i] * 0.5 + m;
#pragma endscop
}
int main(void)
{
    double v[9] = {1};
    for (int step = 0; step < 3; step++)
        work(9, step, v);
    work(0, 0, v);
#pragma scop
    for (int i = 1; i < 6; i++)
        for (int j = 0; j < 5; j++) {
            a[i][j] = i - 10 * j;
            last = a[i][j];
        }
    for (int i = 0; i < 7; i++) {
        pairs[i].x = 0.25f * i;
        pairs[i].count = -i;
    }
#pragma endscop
    printf("%g %g %g %d\n", v[8], last, pairs[6].x, pairs[6].count);
}
"#;

/// Verifies the program after `change`, a sed command, was applied to the CUDA source.
fn verified(change: Option<&str>, arguments: &[&str]) -> Outcome {
    let scratch = Scratch::new("verify");
    let source = scratch.write("pairs.c", PROGRAM);
    let spoil = change.map(|change| {
        format!("cudagen=\"$C2CUDA_BIN/cudagen\" \"$@\" && for last; do :; done && sed -i '{change}' \"$last\"/*_gpu.cu")
    });
    let mut call: Call = driver().args(["--verify", "--on", "cpu"]).args(arguments);
    if let Some(spoil) = &spoil {
        call = call.args(["--stage", spoil]);
    }
    call.arg(source).run()
}

#[test]
fn equal_results_are_counted_by_region() {
    let outcome = verified(None, &[]).succeeded();
    assert_eq!(outcome.stdout, "2.5 -35 1.5 -6\n");
    let expected = "c2cuda: pairs.c:7: ran 4 times on the device, always as in C\n\
                    c2cuda: pairs.c:18: ran 1 time on the device, always as in C\n";
    assert_eq!(outcome.stderr, expected);
}

#[test]
fn the_first_element_that_differs_is_named() {
    for (change, expected) in [
        (
            r"s/10 \* /11 * /",
            "c2cuda: pairs.c:18: a[1][1] is -9 (-0x1.2p+3) in C and -10 (-0x1.4p+3) on the device, in run 1 (20 of 25 elements of a differ)",
        ),
        (
            r"s/\* 0\.5 /* 0.25 /",
            "c2cuda: pairs.c:7: v[0] is 0.5 (0x1p-1) in C and 0.25 (0x1p-2) on the device, in run 1 (1 of 9 elements of v differ)",
        ),
        (r"s/= -tx;/= -tx - (tx == 5);/", "pairs[5].count is -5 in C and -6 on the device"),
    ] {
        let outcome = verified(Some(change), &[]);
        assert_eq!(outcome.status, 1, "{change}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{change}: {}", outcome.stderr);
    }
}

/// Host code and kernels use the same array: it is saved once for each, and restored when both copies have been
/// saved.
#[test]
fn arrays_may_have_many_dimensions() {
    let (extents, first) = ("[2]".repeat(18), "[0]".repeat(17));
    let text = format!(
        "#include <stdio.h>\nstatic double a{extents};\nint main(void)\n{{\n#pragma scop\n\
         for (int i = 0; i < 2; i++)\na[i]{first} = i + 1.5;\n#pragma endscop\n\
         printf(\"%g\\n\", a[1]{first});\n}}\n"
    );
    let scratch = Scratch::new("dimensions");
    let call = driver().args(["--verify", "--on", "cpu"]).arg(scratch.write("many.c", &text));
    assert_eq!(call.run().succeeded().stdout, "2.5\n");
}

#[test]
fn host_code_is_compared_as_well() {
    let outcome = driver().args(["--verify", "--on", "cpu", "tests/kernels/host_code.c", "--", "9"]).run();
    let said = outcome.succeeded().stderr;
    assert_eq!(said.matches("ran 1 time on the device, always as in C").count(), 11, "{said}");
}

/// Memory ends with the last element that a region uses, within a row that its subscripts show.
#[test]
fn what_is_after_the_last_element_is_left_alone() {
    let outcome = driver().args(["--verify", "--on", "cpu", "tests/kernels/shapes.c", "--", "9"]).run();
    let said = outcome.succeeded().stderr;
    assert_eq!(said.matches("on the device, always as in C").count(), 10, "{said}");
}

/// Threads run one region at the same time, each with its own arrays.
const THREADS: &str = r#"#include <pthread.h>
#include <stdio.h>
static _Thread_local double own[400];
static void work(int n, double *restrict v, double x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = v[i] * 0.5 + own[i] + x;
    for (int i = 0; i < 400; i++)
        own[i] = i * x;
#pragma endscop
}
static void *run(void *v)
{
    for (int step = 0; step < 60; step++)
        work(400, v, step);
    return NULL;
}
int main(void)
{
    static double v[4][400];
    pthread_t threads[4];
    for (int t = 0; t < 4; t++)
        v[t][7] = t;
    for (int t = 0; t < 4; t++)
        pthread_create(&threads[t], NULL, run, v[t]);
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], NULL);
    printf("%g %g\n", v[0][6], v[3][7]);
}
"#;

#[test]
fn threads_are_compared_each_by_itself() {
    let scratch = Scratch::new("verified-threads");
    let source = scratch.write("threads.c", THREADS);
    for machine in ["cpu", "check"] {
        let call = driver().args(["--verify", "--on", machine, "-lpthread"]).arg(&source);
        let outcome = call.run().succeeded();
        assert_eq!(outcome.stdout, "800 914\n");
        assert_eq!(outcome.stderr, "c2cuda: threads.c:6: ran 240 times on the device, always as in C\n");
    }
}

/// If the parameters show that no element is used, pointers may be null.
#[test]
fn null_pointers_are_not_followed() {
    let call = ["--verify", "--on", "cpu", "tests/kernels/possible.c", "--", "9"];
    let said = driver().args(call).run().succeeded().stderr;
    assert_eq!(said.matches("ran 3 times on the device, always as in C").count(), 2, "{said}");
}

/// The translation need not compute values that are not read after the region, but it needs the values before it.
#[test]
fn only_what_is_read_after_the_region_is_compared() {
    let scratch = Scratch::new("dead");
    let source = scratch.write(
        "dead.c",
        r#"#include <stdio.h>
int main(void)
{
    unsigned seed = 12345;
    float last = 0, drawn[300], sum[300];
    for (int i = 0; i < 300; i++)
        drawn[i] = i;
#pragma scop
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245u + 12345;
        drawn[i] += seed >> 16;
    }
    for (int i = 0; i < 300; i++) {
        sum[i] = drawn[i] + drawn[299 - i];
        last = sum[i];
    }
#pragma endscop
    printf("%g %g\n", sum[2], sum[299]);
}
"#,
    );
    let outcome = driver().args(["--verify", "--on", "cpu"]).arg(&source).run().succeeded();
    assert_eq!(outcome.stdout, "103738 68642\n");
    assert!(
        outcome.stderr.contains("dead.c:8: ran 1 time on the device, always as in C"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_tolerance_is_relative() {
    let change = Some(r"s/\* 0\.5 /* 0.5000001 /");
    assert_eq!(verified(change, &["--tolerance", "1e-6"]).status, 0);
    assert_eq!(verified(change, &["--tolerance", "1e-9"]).status, 1);
}

/// A program that prints what it computes, and the last value of an iterator.
const LEFT_BEHIND: &str = r#"#include <stdio.h>
int main(void)
{
    int i, j, sum = 0, scratch[40];
#pragma scop
    for (i = 0; i < 40; i++) {
        scratch[i] = 3 * i;
        sum += scratch[i];
    }
    for (j = 0; j < 9; j++)
        sum -= j;
#pragma endscop
    printf("%d %d %d\n", sum, scratch[7], i);
}
"#;

/// Returns the outcome of `--verify` after a sed command has spoiled the output of clan-rs.
fn with_document_spoiled(change: &str) -> Outcome {
    let scratch = Scratch::new("spoiled");
    let source = scratch.write("left.c", LEFT_BEHIND);
    let spoil = format!("clan-rs=\"$C2CUDA_BIN/clan-rs\" \"$@\" | sed '{change}'");
    driver().args(["--verify", "--on", "cpu", "--stage", &spoil]).arg(source).run()
}

#[test]
fn what_is_called_dead_is_poisoned() {
    let right = with_document_spoiled("").succeeded();
    assert_eq!(right.stdout, "2304 21 40\n");
    let wrong = with_document_spoiled(r#"s/"visible": true/"visible": true, "dead_after": true/"#);
    assert!(wrong.status != 0 || !wrong.stdout.contains("2304"), "{} {}", wrong.stdout, wrong.stderr);
    let poison = "-1515870811";
    assert_eq!(wrong.stdout.matches(poison).count(), 3, "{} {}", wrong.stdout, wrong.stderr);
}

/// A program in which every iteration has its own `t`, `w` and `z` on the device, and none of them is copied back.
const COPIED: &str = r#"#include <complex.h>
#include <stdio.h>
int main(void)
{
    int t, out[40];
    double w[3], f;
    double complex z;
#pragma scop
    for (int i = 0; i < 40; i++) {
        t = 3 * i;
        f = 0.5 * t;
        z = f + 1.0;
        for (int k = 0; k < 3; k++)
            w[k] = t + k;
        out[i] = t + (int)(w[0] + w[1] + w[2] + f + creal(z));
    }
#pragma endscop
    printf("%d\n", out[39]);
    printf("%d %g %g %g\n", t, w[2], f, creal(z));
}
"#;

#[test]
fn what_has_copies_on_the_device_is_poisoned() {
    let scratch = Scratch::new("copied");
    let source = scratch.write("copied.c", COPIED);
    let run = |change: &str| {
        let spoil = format!("clan-rs=\"$C2CUDA_BIN/clan-rs\" \"$@\" | sed '{change}'");
        driver().args(["--verify", "--on", "cpu", "--stage", &spoil]).arg(&source).run().succeeded().stdout
    };
    assert_eq!(run(""), "589\n117 119 58.5 59.5\n");
    let dead = run(r#"s/"visible": true/"visible": true, "dead_after": true/"#);
    let last = dead.lines().last().map(str::to_owned);
    assert_eq!(last.as_deref(), Some("-1515870811 -nan nan nan"), "{dead}");
}

/// candl-rs does not decide what is compared: if it declares values dead that are live, the comparison notices that
/// they do not come back.
#[test]
fn what_is_compared_does_not_depend_on_liveness() {
    let scratch = Scratch::new("liveness");
    let source = scratch.write("left.c", LEFT_BEHIND);
    let spoil = "candl-rs=\"$C2CUDA_BIN/candl-rs\" \"$@\" | python3 -c '\
                 import json, sys\n\
                 document = json.load(sys.stdin)\n\
                 for scop in document[\"scops\"]: scop[\"dependences\"][\"live_out\"] = []\n\
                 json.dump(document, sys.stdout)'";
    let outcome =
        driver().args(["--verify", "--no-verify", "--on", "cpu", "--stage", spoil]).arg(source).run();
    assert_eq!(outcome.status, 1, "{} {}", outcome.stdout, outcome.stderr);
    assert!(outcome.stderr.contains("left.c:5: "), "{}", outcome.stderr);
}
