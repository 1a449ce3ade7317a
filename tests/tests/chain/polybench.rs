//! The 30 kernels of the PolyBench suite: in `tests/kernels/polybench/` with sizes from the command line, and some of
//! them in the suite's own form in `tests/kernels/polybench_original/`.

use chain_tests::{Call, Scratch, driver, gcc};

use crate::program::{Program, Simulator, programs};

programs! {
    fast in "tests/kernels/polybench", options [], and crate::moves::what_must_be_moved_is_moved;
    gemm: runs [("", "45 37 29 / 64 96 32 / 1 1 1 / 0 0 0 / 33 0 5 / 5 7 0 / 70 81 33")], checked ("", "19 35 7 / 65 17 33");
    gemver: runs [("", "45 / 64 / 1 / 0")], checked ("", "37");
    gesummv: runs [("", "45 / 64 / 1 / 0")], checked ("", "37");
    symm: runs [("", "45 37 / 32 64 / 1 1 / 0 0")], checked ("", "19 35");
    syr2k: runs [("", "45 37 / 64 32 / 1 1 / 0 0 / 9 0")], checked ("", "19 35");
    syrk: runs [("", "45 37 / 64 32 / 1 1 / 0 0 / 9 0")], checked ("", "19 35");
    trmm: runs [("", "45 37 / 64 32 / 1 1 / 0 0")], checked ("", "19 35");
    two_mm: runs [("", "45 37 29 41 / 64 32 96 32 / 1 1 1 1 / 0 0 0 0 / 5 7 0 9")], checked ("", "19 35 7 11");
    three_mm: runs [("", "45 37 29 41 33 / 64 32 96 32 64 / 1 1 1 1 1 / 0 0 0 0 0 / 5 7 0 9 3")],
        checked ("", "19 35 7 11 9");
    atax: runs [("", "45 37 / 64 96 / 1 1 / 0 0 / 0 5 / 5 0")], checked ("", "19 35");
    bicg: runs [("", "45 37 / 64 96 / 1 1 / 0 0 / 0 5 / 5 0")], checked ("", "19 35");
    doitgen: runs [("", "11 13 37 / 4 8 32 / 1 1 1 / 0 0 0")], checked ("", "5 3 19");
    mvt: runs [("", "45 / 64 / 1 / 0")], checked ("", "37");
    cholesky: runs [("", "45 / 64 / 2 / 1 / 0")], checked ("", "19");
    durbin: runs [("", "45 / 64 / 2 / 1")], checked ("", "19");
    gramschmidt: runs [("", "45 37 / 64 32 / 33 33 / 1 1 / 0 0 / 5 0")], checked ("", "19 11");
    lu: runs [("", "45 / 64 / 2 / 1 / 0")], checked ("", "19");
    ludcmp: runs [("", "45 / 64 / 2 / 1 / 0")], checked ("", "19");
    trisolv: runs [("", "45 / 64 / 2 / 1 / 0")], checked ("", "19");
    correlation: runs [("", "45 37 / 64 96 / 2 1 / 1 1")], checked ("", "11 19");
    covariance: runs [("", "45 37 / 64 96 / 2 1 / 5 0")], checked ("", "11 19");
    deriche: runs [("", "45 37 / 64 96 / 1 1 / 0 0 / 1 9 / 9 1")], checked ("", "19 35");
    floyd_warshall: runs [("", "45 / 64 / 2 / 1 / 0")], checked ("", "19");
    nussinov: runs [("", "45 / 64 / 2 / 1 / 0")], checked ("", "19");
    adi: runs [("", "45 5 / 34 4 / 3 2 / 2 1 / 1 1 / 0 1")], checked ("", "19 2");
    fdtd_2d: runs [("", "45 37 5 / 64 64 4 / 2 2 1 / 1 1 1 / 0 0 0 / 20 9 0")], checked ("", "19 35 2");
    heat_3d: runs [("", "19 3 / 34 2 / 3 1 / 2 1 / 1 1 / 0 0 / 9 0")], checked ("", "11 2");
    jacobi_1d: runs [("", "75 5 / 130 4 / 3 1 / 1 1 / 0 0 / 20 0")], checked ("", "77 3");
    jacobi_2d: runs [("", "75 5 / 66 4 / 3 1 / 1 1 / 0 0 / 20 0")], checked ("", "35 2");
    seidel_2d: runs [("", "45 7 / 66 4 / 3 1 / 1 1 / 0 0 / 20 0")], checked ("", "19 3");
}

/// The flags for a program in the suite's own form. Its live-out values are printed, and some of its options leave a
/// parameter unused.
macro_rules! suite {
    ($flags:literal) => {
        concat!(
            "-Itests/kernels/polybench_original/utilities -Wno-unused-parameter -DPOLYBENCH_DUMP_ARRAYS \
             -DPOLYBENCH_DUMP_TARGET=stdout ",
            $flags
        )
    };
}

const MINI: &str = suite!("-DMINI_DATASET");

/// Constant lengths with variable bounds; both variable; both constant; arrays instead of pointers; and pointers that
/// do not overlap. The matrix and the stencil are tested in all of these forms, the other programs in the first.
const FORMS: [(&str, &str); 5] = [
    (MINI, ""),
    (suite!("-DMINI_DATASET -DPOLYBENCH_USE_C99_PROTO"), ""),
    (suite!("-DMINI_DATASET -DPOLYBENCH_USE_SCALAR_LB"), ""),
    (suite!("-DMINI_DATASET -DPOLYBENCH_STACK_ARRAYS"), ""),
    (suite!("-DMINI_DATASET -DPOLYBENCH_USE_C99_PROTO -DPOLYBENCH_USE_RESTRICT"), ""),
];

fn original(name: &'static str) -> Program {
    Program::new("tests/kernels/polybench_original", name, &[])
        .run_in(Simulator::Fast)
        .with("tests/kernels/polybench_original/utilities/polybench.c")
}

#[test]
fn original_gemm() {
    let sizes = [(suite!("-DNI=64 -DNJ=32 -DNK=96"), ""), (suite!("-DNI=1 -DNJ=1 -DNK=1"), "")];
    original("gemm").test(&[&FORMS[..], &sizes].concat(), (MINI, ""), &[]);
}

#[test]
fn original_jacobi_2d() {
    let sizes = [(suite!("-DTSTEPS=3 -DN=66"), ""), (suite!("-DTSTEPS=1 -DN=3"), "")];
    original("jacobi-2d").test(&[&FORMS[..], &sizes].concat(), (MINI, ""), &[]);
}

#[test]
fn original_durbin() {
    let sizes = [(suite!("-DN=64"), ""), (suite!("-DN=1"), "")];
    original("durbin").test(&[&FORMS[..1], &sizes].concat(), (MINI, ""), &[]);
}

#[test]
fn original_nussinov() {
    let sizes = [(suite!("-DN=64"), ""), (suite!("-DN=3"), "")];
    original("nussinov").test(&[&FORMS[..1], &sizes].concat(), (MINI, ""), &[]);
}

/// Translates as a user who has the suite would; the arrays are printed on the standard error.
#[test]
fn original_with_the_driver_alone() {
    let flags = ["-Itests/kernels/polybench_original/utilities", "-DMINI_DATASET", "-DPOLYBENCH_DUMP_ARRAYS"];
    let source = "tests/kernels/polybench_original/gemm.c";
    let utilities = "tests/kernels/polybench_original/utilities/polybench.c";
    let scratch = Scratch::new("suite");
    let executable = scratch.at("gemm");
    gcc().args(flags).args([source, utilities, "-o"]).arg(&executable).run().succeeded();
    let expected = Call::new(&executable).run().succeeded();
    let actual =
        driver().args(flags).args(["--run", "--on", "cpu", "--with", utilities, source]).run().succeeded();
    assert_eq!(actual.stderr, expected.stderr);
    assert!(expected.stderr.contains("0x1."), "nothing was printed:\n{}", expected.stderr);
}
