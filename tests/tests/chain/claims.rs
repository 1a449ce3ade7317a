//! Claims of the program about its loops: `#pragma c2cuda independent`.

use chain_tests::{Call, Scratch, driver, gcc, tool};

/// Each element of `b` goes to a different place, which only the author knows.
const SCATTER: &str = r#"#include <stdio.h>
#include <stdlib.h>

static void scatter(int n, int m, double a[n][m], double b[n][m], int place[n])
{
#pragma scop
#pragma c2cuda independent
    // A comment, and a line of the preprocessor's, may stand between.
#if 1
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[place[i]][j] = a[place[i]][j] + b[i][j];
#endif
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), *place = malloc(n * sizeof *place);
    double(*a)[m] = malloc(n * sizeof *a), (*b)[m] = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) {
        place[i] = (i * 7 + 3) % n;
        for (int j = 0; j < m; j++) {
            a[i][j] = i * 0.25 + j;
            b[i][j] = j * 0.5 - i;
        }
    }
    scatter(n, m, a, b, place);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            printf("%g\n", a[i][j]);
    return 0;
}
"#;

#[test]
fn claimed_loops_run_in_parallel() {
    let scratch = Scratch::new("claims");
    let source = scratch.write("scatter.c", SCATTER);
    let plain = scratch.write("plain.c", &SCATTER.replace("#pragma c2cuda independent\n", ""));
    let grids = |source| {
        let document = driver().args(["--to", "scheduler"]).arg(source).run().succeeded().stdout;
        document.matches("\"axis\"").count()
    };
    assert!(grids(&source) > grids(&plain), "the claim makes nothing parallel");
    gcc().arg(&source).arg("-o").arg(scratch.at("scatter")).run().succeeded();
    for sizes in [["40", "5"], ["1", "1"], ["33", "70"]] {
        let expected = Call::new(scratch.at("scatter")).args(sizes).run().succeeded().stdout;
        let call = driver().args(["-q", "--run", "--on", "check"]).arg(&source).arg("--").args(sizes);
        assert_eq!(call.run().succeeded().stdout, expected, "{sizes:?}");
    }
}

/// Waived dependences are listed and reported for the loop that carries them; dependences that the loop does not
/// carry are not waived.
#[test]
fn what_a_claim_takes_is_told() {
    let scratch = Scratch::new("claims");
    let source = scratch.write("scatter.c", SCATTER);
    let extracted = driver().args(["--to", "clan-rs"]).arg(&source).run().succeeded().stdout;
    let said = tool("candl-rs").arg("--check-parallel").reading(&extracted).run().succeeded().stdout;
    let line = "L0, for i: independent if iterations use different elements of `a`";
    assert!(said.contains("scatter, line 6:\n") && said.contains(line), "{said}");
    let report = driver().arg("--report").arg(&source).run().succeeded().stdout;
    assert!(report.contains("L0, for i (line 12): parallel, as the program claims\n"), "{report}");
    let of_inner = SCATTER.replace("#pragma c2cuda independent\n", "").replacen(
        "        for (int j",
        "#pragma c2cuda independent\n        for (int j",
        1,
    );
    let inner = scratch.write("inner.c", &of_inner);
    let extracted = driver().args(["--to", "clan-rs"]).arg(&inner).run().succeeded().stdout;
    let said = tool("candl-rs").arg("--check-parallel").reading(&extracted).run().succeeded().stdout;
    assert!(said.ends_with("L1, for j: independent\n"), "nothing to waive: {said}");
    let report = driver().arg("--report").arg(&inner).run().succeeded().stdout;
    assert!(report.contains("L0, for i (line 12): reduction, + into `a`\n"), "{report}");
}

#[test]
fn claims_may_stand_before_the_region() {
    let scratch = Scratch::new("claims");
    let mark = "#pragma scop\n#pragma c2cuda independent\n";
    let before = SCATTER.replace(mark, "#pragma c2cuda independent\n#pragma scop\n");
    assert_ne!(before, SCATTER);
    let report = driver().arg("--report").arg(scratch.write("before.c", &before)).run().succeeded().stdout;
    assert!(report.contains("L0, for i (line 12): parallel, as the program claims\n"), "{report}");
}

#[test]
fn claims_outside_of_regions_are_not_ignored_in_silence() {
    let scratch = Scratch::new("claims");
    let text = format!(
        "{SCATTER}\nvoid clear(int *a)\n{{\n#pragma c2cuda independent\n    for (int i = 0; i < 9; i++)\n        a[i] = 0;\n}}\n"
    );
    let source = scratch.write("more.c", &text);
    let said = driver().args(["-q", "-o"]).arg(scratch.at("out")).arg(&source).run().ended_with(1).stderr;
    assert!(said.contains("E0107") && said.contains("no effect outside of regions"), "{said}");
    let kept = driver().args(["-q", "--keep-going", "-o"]).arg(scratch.at("kept")).arg(&source);
    let said = kept.run().succeeded().stderr;
    assert!(said.contains("W0161") && said.contains("no effect outside of regions"), "{said}");
    let found = driver().args(["-q", "--autoscop", "-o"]).arg(scratch.at("found")).arg(&source);
    let said = found.run().succeeded().stderr;
    assert!(!said.contains("W0161"), "{said}");
}

/// The message names two instances, and nothing is printed on the standard output.
#[test]
fn claims_that_cannot_be_true_are_refused() {
    let extracted =
        driver().args(["--to", "clan-rs", "tests/errors/claim_refuted.c"]).run().succeeded().stdout;
    let refused = tool("candl-rs").arg("--check-parallel").reading(&extracted).run().ended_with(1);
    assert_eq!(refused.stdout, "");
    let instances = ["E0221", "S0(i = 2) reads `a` as S0(i = 1) wrote it"];
    assert!(instances.iter().all(|words| refused.stderr.contains(words)), "{}", refused.stderr);
}
