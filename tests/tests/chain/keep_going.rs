//! A region that some stage gives up stays C, and the others are translated.

use std::fs;

use chain_tests::{Scratch, driver, gcc, tool};

/// A loop on the host contains regions of which clan-rs, scheduler, cloog-rs and cudagen refuse one each. The arrays
/// of the other regions would stay on the device meanwhile.
const PROGRAM: &str = "#include <stdio.h>
static void f(long n, int steps, double *restrict a, double *restrict b)
{
    for (int t = 0; t < steps; t++) {
#pragma scop
        for (long i = 0; i < n; i++)
            a[i] = a[i] + b[i] * t;
#pragma endscop
#pragma scop
        for (long i = 0; i < n; i++) {
            b[i] += a[i];
            if (b[i] > 1000000)
                break;
        }
#pragma endscop
#pragma scop
        for (long i = 0; i < n; i++)
            b[i] = b[i] - 0.5 * i;
#pragma endscop
#pragma scop
        for (long i = 0; i < n; i++)
            for (long j = 0; j < 2; j++)
                if (i * 3 + 4611686018427387904L * j < n)
                    b[i + j] += 1;
#pragma endscop
#pragma scop
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                if (i + 1 < n && j < 2 && i * 3 + 4611686018427387904L * j < 9223372036854775807L)
                    b[i + j] += 1;
#pragma endscop
        if (n > 100) {
#pragma scop
            for (long i = 0; i < 9223372036854775807L; i++)
                for (long j = 0; j < 9223372036854775807L; j++)
                    if (i + j < 9223372036854775807L)
                        b[i + j] += 1;
#pragma endscop
        }
    }
}
int main(void)
{
    double a[20], b[20];
    for (int i = 0; i < 20; i++) {
        a[i] = i;
        b[i] = 3 * i;
    }
    f(20, 3, a, b);
    for (int i = 0; i < 20; i++)
        printf(\"%a %a\\n\", a[i], b[i]);
}
";

/// Returns what the program prints when gcc compiles it.
fn expected(scratch: &Scratch) -> String {
    gcc().args(["mixed.c", "-o", "mixed"]).within(scratch.path()).run().succeeded();
    chain_tests::Call::new(scratch.at("mixed")).run().succeeded().stdout
}

#[test]
fn regions_that_are_given_up_stay_c() {
    let scratch = Scratch::new("keep going");
    scratch.write("mixed.c", PROGRAM);
    let expected = expected(&scratch);
    let run = |option: &str| {
        let call = driver().args(["-q", "--run", "--on", "check", "-o", "out", option, "mixed.c"]);
        call.within(scratch.path()).run()
    };
    // `--autoscop` finds another loop in `main`.
    for (option, functions) in [("--keep-going", 2), ("--autoscop", 3)] {
        let outcome = run(option).succeeded();
        assert_eq!(outcome.stdout, expected, "{option}");
        for (line, code) in [(9, "E0110"), (20, "E0017"), (26, "E0017"), (33, "E0603")] {
            let said = format!("warning[W0164]: the region on line {line} stays C: ");
            let end = format!(" [{code}]\n");
            assert!(
                outcome
                    .stderr
                    .lines()
                    .any(|text| format!("{text}\n").starts_with(&said) && text.ends_with(end.trim_end())),
                "{option}: {}",
                outcome.stderr
            );
        }
        let kernels = scratch.read("out/mixed_gpu.cu");
        assert_eq!(kernels.matches("extern \"C\"").count(), functions, "{option}: {kernels}");
        let host = scratch.read("out/mixed_host.c");
        assert!(host.contains("break;") && host.contains("4611686018427387904L * j < n"), "{option}: {host}");
        fs::remove_dir_all(scratch.at("out")).unwrap();
    }
    let outcome = run("-v").ended_with(1);
    assert!(
        outcome.stderr.contains("error[E0110]") && !outcome.stderr.contains("W0164"),
        "{}",
        outcome.stderr
    );
    assert!(!scratch.at("out").exists());
}

/// If no region is left, nothing is written, and the reasons are errors.
#[test]
fn a_file_of_which_nothing_is_left_is_refused() {
    let scratch = Scratch::new("nothing left");
    let unmarked = |text: String, number: usize| {
        let (start, _) = text.match_indices("#pragma scop").nth(number).unwrap();
        let (end, _) = text.match_indices("#pragma endscop").nth(number).unwrap();
        format!("{}{}{}", &text[..start], &text[start + 12..end], &text[end + 15..])
    };
    scratch.write("mixed.c", &unmarked(unmarked(PROGRAM.to_owned(), 2), 0));
    let call = driver().args(["--keep-going", "-o", "out", "mixed.c"]).within(scratch.path());
    let said = call.run().ended_with(1).stderr;
    assert!(said.contains("stays C: `break` in a region [E0110]") && said.contains("error[E0603]"), "{said}");
    assert!(!scratch.at("out").exists());
    let unpaired = PROGRAM.replacen("#pragma endscop\n", "", 1);
    scratch.write("mixed.c", &unpaired);
    let call = tool("clan-rs").args(["--keep-going", "mixed.c"]).within(scratch.path());
    assert!(call.run().ended_with(1).stderr.contains("error[E0104]"), "it is not known where regions are");
}

/// A region in a header is reported, even if there are other regions.
#[test]
fn regions_of_headers_are_told() {
    let scratch = Scratch::new("header regions");
    let region = "#pragma scop\n    for (int i = 0; i < n; i++)\n        a[i] = i;\n#pragma endscop\n}\n";
    scratch.write("other.h", &format!("static void g(int n, double *a)\n{{\n{region}"));
    scratch.write(
        "mine.c",
        &format!("#include \"other.h\"\nvoid f(int n, double *a)\n{{\n    g(n, a);\n{region}"),
    );
    let said = tool("clan-rs").arg("mine.c").within(scratch.path()).run().succeeded().stderr;
    assert!(said.contains("warning[W0103]") && said.contains("other.h:3:1"), "{said}");
}
