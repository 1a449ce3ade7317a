//! `__LINE__` and `__FILE__`, which `assert` and similar macros print, have their values from the user's file.

use chain_tests::{Call, Scratch, driver, gcc};

const PROGRAM: &str = r#"#include <stdio.h>
#define HERE printf("%d %s\n", __LINE__, __FILE__)
static void step(double *a, int n, int k)
{
    HERE;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i * k] = a[i * k] * 0.5 + __LINE__;
#pragma endscop
    if (n > 7) {
        #pragma scop
        for (int i = 0; i < n; i++)
            a[i] += i;
        #pragma endscop // the first
    } else HERE;
    HERE;
}
#line 1000 "grammar \"2\".y"
int main(void)
{
    static double a[64];
    int k = 0;
    HERE;
    for (int t = 0; t < 3; t++) {
#pragma GCC ivdep
#pragma scop
        for (int i = 0; i < 64; i++)
            a[i] = a[i] * 0.5 + __LINE__;
#pragma endscop /* a comment
        in two lines */
#pragma scop
        for (int i = 0; i < 64; i++)
            a[i] = a[i] * 0.5 + i;
#pragma endscop
    } HERE;
    step(a, 32, 2);
    step(a, 32, k);
    step(a, 0, 1);
# 7 "last.c"
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += a[i];
    HERE, printf("%.17g\n", sum);
}
"#;

/// Checks that the translated program prints what gcc's program prints, which includes all line numbers.
fn keeps_its_lines(source: &str) {
    let scratch = Scratch::new("lines");
    scratch.write("lines.c", source);
    gcc().within(scratch.path()).args(["-o", "plain", "lines.c"]).run().succeeded();
    let expected = Call::new(scratch.at("plain")).run().succeeded().stdout;
    for line in ["5 lines.c", "16 lines.c", "1004 grammar \"2\".y", "1016 grammar", "10 last.c"] {
        assert!(expected.contains(line), "{line}: {expected}");
    }
    for options in [&[][..], &["--verify"], &["--autoscop"]] {
        let run = driver().within(scratch.path()).args(["-q", "--run", "--on", "cpu"]).args(options);
        assert_eq!(run.arg("lines.c").run().succeeded().stdout, expected, "{options:?}");
    }
}

#[test]
fn lines_keep_their_numbers() {
    keeps_its_lines(PROGRAM);
}

#[test]
fn lines_that_end_as_in_dos_keep_their_numbers() {
    keeps_its_lines(&format!("\u{feff}{}", PROGRAM.replace('\n', "\r\n")));
}
