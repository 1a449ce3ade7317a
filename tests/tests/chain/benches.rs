//! Every program of `benches/`: the generated program and the hand-written one next to it print what the C program
//! prints.

use std::path::{Path, PathBuf};

use chain_tests::{Call, Scratch, driver, find_nvcc, gcc, names_in, root};

use crate::program::{Program, Simulator};

/// Defines two tests for each program: `translated` and `by_hand`. `runs` lists the arguments of each run, separated
/// by `/`; `checked` is one more run of the translated program, in the checking simulator. The hand-written program
/// is checked there at all sizes.
macro_rules! benches {
    ($($name:ident in $folder:literal: runs $runs:literal, checked $checked:literal,
        translated $translated:ident, by hand $agreement:ident;)*) => {
        $(mod $name {
            #[test]
            fn translated() {
                super::$translated(concat!("benches/", $folder), $folder, $runs, $checked);
            }

            #[test]
            fn by_hand() {
                super::check_with_nvcc($folder, $folder);
                let runs = concat!($runs, " / ", $checked);
                super::by_hand($folder, $folder, runs, super::BOTH, super::Agreement::$agreement);
            }
        })*

        const FOLDERS: &[&str] = &[$($folder),*];
    };
}

benches! {
    cp in "cp": runs "45 37 29 2 / 128 8 17 / 1 1 1 / 9 5 4100", checked "35 5 19 2",
        translated to_kernels, by hand Equal;
    nbody in "nbody": runs "77 3 / 256 1 / 1 2", checked "37 2",
        translated to_kernels, by hand Equal;
    mri_q in "mri-q": runs "77 45 / 128 64 / 1 1 / 9 4100", checked "37 35",
        translated to_kernels, by hand Equal;
    mri_fhd in "mri-fhd": runs "77 45 / 128 64 / 1 1 / 9 2050", checked "37 35",
        translated to_kernels, by hand Equal;
    jacobi_2d in "jacobi-2d": runs "75 5 / 66 4 / 56 8 / 3 1 / 2 1 / 1 1", checked "35 3",
        translated to_kernels, by hand Equal;
    fdtd_2d in "fdtd-2d": runs "45 37 5 / 64 64 4 / 1 1 1 / 1 9 3 / 9 1 3", checked "19 35 2",
        translated to_kernels, by hand Equal;
    gauss_seidel in "gauss-seidel": runs "45 7 / 66 4 / 130 1 / 3 9 / 2 1 / 1 1", checked "19 3",
        translated to_kernels, by hand Equal;
    gemm in "gemm": runs "45 37 29 / 128 132 16 / 1 1 1", checked "19 35 7",
        translated to_kernels, by hand Equal;
    heat_3d in "heat-3d": runs "19 3 / 34 2 / 3 1 / 2 1 / 1 1", checked "11 2",
        translated to_kernels, by hand Equal;
    atax in "atax": runs "45 37 / 64 96 / 1 1 / 3 100", checked "19 35",
        translated to_kernels, by hand Close;
    dot in "dot": runs "1 / 45 / 10000", checked "257",
        translated anyhow, by hand Equal;
    extremes in "extremes": runs "1 / 45 / 10000 / 70000", checked "257",
        translated to_kernels, by hand Equal;
    argmax in "argmax": runs "1 / 45 / 10000 / 70000", checked "257",
        translated in_parts, by hand Equal;
    histogram in "histogram": runs "1 / 45 / 10000 / 70000", checked "257",
        translated to_kernels, by hand Equal;
    prefix_sum in "prefix_sum": runs "1 / 64 / 65 / 2048 / 10000", checked "257",
        translated in_parts, by hand Equal;
}

/// Hand-written programs that keep the order of every sum, where the others do not.
const ORDERED: [(&str, &str); 2] = [("atax", "atax_ordered"), ("dot", "dot_ordered")];

#[test]
fn atax_in_order() {
    let (name, ordered) = ORDERED[0];
    check_with_nvcc(name, ordered);
    by_hand(name, ordered, "45 37 / 64 96 / 1 1 / 3 100 / 9 300 / 300 9", BOTH, Agreement::Equal);
}

/// Sums of fewer than about eight million of the data are exact, so only the last run depends on the order. It is too
/// long for the checker.
#[test]
fn dot_in_order() {
    let (name, ordered) = ORDERED[1];
    check_with_nvcc(name, ordered);
    by_hand(name, ordered, "1 / 45 / 1024 / 1025 / 3001", BOTH, Agreement::Equal);
    by_hand(name, ordered, "9000000", &[FAST], Agreement::Equal);
}

#[test]
fn no_file_by_hand_is_left_out() {
    let tested = |folder: &str, file: &str| file == folder || ORDERED.contains(&(folder, file));
    for folder in FOLDERS {
        let files = names_in(&root().join("benches").join(folder));
        let programs = files.iter().filter_map(|file| file.strip_suffix("_hand.cu"));
        let missing: Vec<_> = programs.filter(|file| !tested(folder, file)).collect();
        assert!(missing.is_empty(), "hand-written programs of {folder} without a test: {missing:?}");
    }
}

#[test]
fn none_is_left_out() {
    let tested = |name: &String| FOLDERS.contains(&name.as_str());
    let folders = names_in(&root().join("benches")).into_iter().filter(|name| !name.contains('.'));
    let missing: Vec<String> = folders.filter(|name| !tested(name)).collect();
    assert!(missing.is_empty(), "folders without a row in the table: {missing:?}");
}

/// How the output of a hand-written program agrees with that of the C program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Agreement {
    /// The same bits: no sum is computed in another order, or nothing is rounded.
    Equal,
    /// Sums are grouped differently: the numbers are the same except for rounding.
    Close,
}

fn to_kernels(folder: &'static str, name: &'static str, runs: &'static str, checked: &'static str) {
    Program::new(folder, name, &[]).run_in(Simulator::Fast).test(&[("", runs)], ("", checked), &[]);
}

/// Tests a program whose kernels need a permission, and pay off for large sizes only. No sum of the data is rounded.
fn in_parts(folder: &'static str, name: &'static str, runs: &'static str, checked: &'static str) {
    let options = &["--reassociate", "--partial-sums=always"];
    Program::new(folder, name, options).run_in(Simulator::Fast).test(&[("", runs)], ("", checked), &[]);
}

/// Tests a program that has no kernel if the order of its source is kept.
fn anyhow(_: &str, name: &str, runs: &str, checked: &str) {
    let scratch = Scratch::new(name);
    let plain = plain_program(&scratch, name);
    for (machine, sizes) in [("cpu", runs), ("check", checked)] {
        for arguments in arguments_of(sizes) {
            let expected = Call::new(&plain).args(&arguments).run().succeeded().stdout;
            let run = driver().args(["-q", "--run", "--on", machine]).arg(source(name, &format!("{name}.c")));
            assert_eq!(run.arg("--").args(&arguments).run().succeeded().stdout, expected, "{arguments:?}");
        }
    }
}

/// A mode of the simulator: a name for the executable, and the flags.
type Mode = (&'static str, &'static [&'static str]);

const FAST: Mode = ("fast", &[]);

const BOTH: &[Mode] = &[FAST, ("checked", &["--check"])];

/// Compares `benches/NAME/FILE_hand.cu` with the C program.
fn by_hand(name: &str, file: &str, runs: &str, modes: &[Mode], agreement: Agreement) {
    let scratch = Scratch::new(file);
    let plain = plain_program(&scratch, name);
    let by_hand = source(name, &format!("{file}_hand.cu"));
    let programs: Vec<_> =
        modes.iter().map(|(executable, flags)| simulated(&scratch, &by_hand, executable, flags)).collect();
    for arguments in arguments_of(runs) {
        let expected = Call::new(&plain).args(&arguments).run().succeeded().stdout;
        for program in &programs {
            let actual = Call::new(program).args(&arguments).run().succeeded();
            assert_eq!(actual.stderr, "", "{}", actual.shown);
            match agreement {
                Agreement::Equal => assert_eq!(actual.stdout, expected, "{} differs from C", actual.shown),
                Agreement::Close => assert!(
                    are_close(&actual.stdout, &expected),
                    "{} differs from C:\n{}\n{expected}",
                    actual.shown,
                    actual.stdout
                ),
            }
        }
    }
}

fn arguments_of(runs: &str) -> impl Iterator<Item = Vec<&str>> {
    runs.split('/').map(|arguments| arguments.split_whitespace().collect())
}

fn source(name: &str, file: &str) -> PathBuf {
    root().join("benches").join(name).join(file)
}

fn plain_program(scratch: &Scratch, name: &str) -> PathBuf {
    let plain = scratch.at("plain");
    gcc().arg(source(name, &format!("{name}.c"))).arg("-o").arg(&plain).arg("-lm").run().succeeded();
    plain
}

fn simulated(scratch: &Scratch, source: &Path, executable: &str, flags: &[&str]) -> PathBuf {
    let executable = scratch.at(executable);
    Call::new(root().join("cudasim/cudasim-cc"))
        .with("CUDASIM_CACHE", root().join("target/cudasim"))
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(&executable)
        .run()
        .succeeded();
    executable
}

fn check_with_nvcc(name: &str, file: &str) {
    let Some(nvcc) = find_nvcc() else {
        eprintln!("nvcc is not installed: {file}_hand.cu was not compiled with it");
        return;
    };
    let flags = ["-O2", "-arch=sm_90", "-Werror", "all-warnings", "-c", "-o", "/dev/null"];
    Call::new(nvcc).args(flags).arg(source(name, &format!("{file}_hand.cu"))).run().succeeded();
}

/// True if two outputs are the same except for checksums and the last digits of numbers. The programs print 13
/// digits.
fn are_close(actual: &str, expected: &str) -> bool {
    let (actual, expected) = (words(actual), words(expected));
    actual.len() == expected.len() && actual.iter().zip(&expected).all(|(a, b)| is_close_word(a, b))
}

fn is_close_word(actual: &str, expected: &str) -> bool {
    match (actual.parse::<f64>(), expected.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-11 * b.abs(),
        _ => actual == expected,
    }
}

fn words(output: &str) -> Vec<&str> {
    let mut words: Vec<&str> = output.split([' ', ',', '\n']).filter(|word| !word.is_empty()).collect();
    let checksums: Vec<usize> = (1..words.len()).filter(|&word| words[word - 1] == "checksum").collect();
    for word in checksums {
        words[word] = "any";
    }
    words
}

#[test]
fn close_outputs_differ_in_roundings_only() {
    let expected =
        "y: 2 values, checksum 0123456789abcdef, weight 1.000000000000e+03, first -2.500000000000e-01\n";
    let table = [
        (expected.replace("0123", "3210"), true),
        (expected.replace("1.000000000000e", "1.000000000001e"), true),
        (expected.replace("1.000000000000e", "1.000000001000e"), false),
        (expected.replace("-2.5", "2.5"), false),
        (expected.replace("-2.500000000000e-01", "-nan"), false),
        (expected.replace("y:", "x:"), false),
        (expected.replace("2 values", "3 values"), false),
        (expected.repeat(2), false),
    ];
    for (actual, is_close) in table {
        assert_eq!(are_close(&actual, expected), is_close, "{actual}");
    }
}
