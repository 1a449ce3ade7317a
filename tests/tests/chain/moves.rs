//! How much is transferred over the bus, and how well shared memory is used: the kernels of PolyBench on the
//! simulator, which counts both.

use std::path::Path;

use chain_tests::{Scratch, driver, root};
use serde_json::Value;

use crate::program::Build;

/// The copies of a run in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Copies {
    calls: u64,
    bytes: u64,
}

/// Returns the simulator's counts for a run of a PolyBench kernel.
fn counts_with(kernel: &str, sizes: &[u64], options: &[&str]) -> Value {
    let source = root().join(format!("tests/kernels/polybench/{kernel}.c"));
    counts_of(&Scratch::new(kernel), &source, sizes, options)
}

/// Returns the simulator's counts for a run of a program that is given as text.
fn counts_of_text(source: &str, size: u64, options: &[&str]) -> Value {
    let scratch = Scratch::new("text");
    scratch.write("text.c", source);
    counts_of(&scratch, &scratch.at("text.c"), &[size], options)
}

fn counts_of(scratch: &Scratch, source: &Path, sizes: &[u64], options: &[&str]) -> Value {
    let call = driver().args(["--run", "--profile", "--quiet"]).args(options.iter().copied());
    let call = call.arg(source).arg("--").args(sizes.iter().map(u64::to_string));
    call.with("CUDASIM_PROFILE", scratch.at("counts.json")).run().ended_with(0);
    serde_json::from_str(&scratch.read("counts.json")).unwrap()
}

/// Returns the copies of a program to the device and back.
fn copies(program: &Build, sizes: &[u64]) -> [Copies; 2] {
    let counts = program.counts(sizes);
    ["host_to_device", "device_to_host"].map(|way| {
        let count = |key: &str| counts["copies"][way][key].as_u64().unwrap();
        Copies { calls: count("calls"), bytes: count("bytes") }
    })
}

/// For the sizes of a kernel, the numbers of elements that it has to copy to the device (those that it reads before
/// it writes them) and back (those that it writes).
type Compulsory = fn(&[u64]) -> (u64, u64);

/// Returns the number of elements of a triangle with its diagonal.
fn triangle(n: u64) -> u64 {
    n * (n + 1) / 2
}

/// Returns the number of elements of a square, and of its interior without a border of one element.
fn square(n: u64) -> (u64, u64) {
    (n * n, (n - 2) * (n - 2))
}

/// Returns the number of elements of a cube, and of its interior without a border of one element.
fn cube(n: u64) -> (u64, u64) {
    (n * n * n, (n - 2) * (n - 2) * (n - 2))
}

/// The kernels of PolyBench, with the size of an element. Some elements are copied without need: the corners and
/// edges of the grid that a stencil reads first (`jacobi_2d`, `heat_3d`, one element of `fdtd_2d`), because the rest
/// is not a box; and in `nussinov`, whose table has numbered elements, those on and below the diagonal come back with
/// the others.
const COMPULSORY: [(&str, &[u64], u64, Compulsory); 30] = [
    ("gemm", &[20, 18, 16], 8, |n| (n[0] * n[1] + n[0] * n[2] + n[2] * n[1], n[0] * n[1])),
    ("gemver", &[20], 8, |n| (n[0] * n[0] + 8 * n[0], n[0] * n[0] + 2 * n[0])),
    ("gesummv", &[20], 8, |n| (2 * n[0] * n[0] + n[0], 2 * n[0])),
    ("symm", &[20, 18], 8, |n| (triangle(n[0]) + 2 * n[0] * n[1], n[0] * n[1])),
    ("syrk", &[20, 18], 8, |n| (triangle(n[0]) + n[0] * n[1], triangle(n[0]))),
    ("syr2k", &[20, 18], 8, |n| (triangle(n[0]) + 2 * n[0] * n[1], triangle(n[0]))),
    ("trmm", &[20, 18], 8, |n| (triangle(n[0] - 1) + n[0] * n[1], n[0] * n[1])),
    ("two_mm", &[20, 18, 16, 14], 8, |n| {
        (n[0] * n[2] + n[2] * n[1] + n[1] * n[3] + n[0] * n[3], n[0] * n[1] + n[0] * n[3])
    }),
    ("three_mm", &[20, 18, 16, 14, 12], 8, |n| {
        (n[0] * n[2] + n[2] * n[1] + n[1] * n[4] + n[4] * n[3], n[0] * n[1] + n[1] * n[3] + n[0] * n[3])
    }),
    ("atax", &[20, 18], 8, |n| (n[0] * n[1] + n[1], n[0] + n[1])),
    ("bicg", &[20, 18], 8, |n| (n[0] * n[1] + n[0] + n[1], n[0] + n[1])),
    ("doitgen", &[10, 9, 8], 8, |n| (n[0] * n[1] * n[2] + n[2] * n[2], n[0] * n[1] * n[2] + n[2])),
    ("mvt", &[20], 8, |n| (n[0] * n[0] + 4 * n[0], 2 * n[0])),
    // Its blocks copy whole tiles to shared memory, so the whole matrix has to be on the device.
    ("cholesky", &[20], 8, |n| (n[0] * n[0], n[0] * n[0])),
    ("durbin", &[20], 8, |n| (n[0], n[0])),
    ("gramschmidt", &[20, 18], 8, |n| (n[0] * n[1], n[0] * (n[1] - 1) + triangle(n[1]) + n[0] * n[1])),
    ("lu", &[20], 8, |n| (n[0] * n[0], (n[0] - 1) * n[0])),
    // The first row of its matrix stays as it is.
    ("ludcmp", &[20], 8, |n| (n[0] * n[0] + n[0], n[0] * n[0] + n[0])),
    ("trisolv", &[20], 8, |n| (triangle(n[0]) + n[0], n[0])),
    ("correlation", &[18, 20], 8, |n| (n[0] * n[1], n[0] * n[1] + n[1] * n[1] + 2 * n[1])),
    ("covariance", &[18, 20], 8, |n| (n[0] * n[1], n[0] * n[1] + n[1] * n[1] + n[1])),
    ("deriche", &[20, 18], 4, |n| (n[0] * n[1], 3 * n[0] * n[1])),
    ("floyd_warshall", &[20], 4, |n| (n[0] * n[0], n[0] * n[0])),
    // The elements of the table have four bytes, those of the sequence one.
    ("nussinov", &[20], 1, |n| {
        let table = 4 * (triangle(n[0]) + n[0] - 1);
        (table + n[0], table)
    }),
    ("adi", &[20, 3], 8, |n| {
        let inner = n[0] - 2;
        (inner * n[0], 2 * inner * n[0] + 2 * inner * (n[0] - 1))
    }),
    ("fdtd_2d", &[20, 18, 3], 8, |n| {
        let (nx, ny) = (n[0], n[1]);
        (n[2] + (nx - 1) * ny + 2 * nx * ny, nx * ny + (nx - 1) * (ny - 1) + nx * (ny - 1))
    }),
    ("heat_3d", &[12, 3], 8, |n| {
        let (all, inner) = cube(n[0]);
        (all + 6 * (n[0] - 2) * (n[0] - 2), 2 * inner)
    }),
    ("jacobi_1d", &[40, 3], 8, |n| (n[0] + 2, 2 * (n[0] - 2))),
    ("jacobi_2d", &[20, 3], 8, |n| {
        let (all, inner) = square(n[0]);
        (all + 4 * (n[0] - 2), 2 * inner)
    }),
    ("seidel_2d", &[20, 3], 8, |n| square(n[0])),
];

/// Loops on the host, for two numbers of steps. More steps copy nothing more, whatever the loop contains; only the
/// source term of fdtd-2d has an element for each step.
const STEPS: [(&str, &[u64], &[u64], u64); 5] = [
    ("jacobi_2d", &[20, 2], &[20, 5], 0),
    ("heat_3d", &[12, 2], &[12, 5], 0),
    ("seidel_2d", &[20, 2], &[20, 5], 0),
    ("adi", &[20, 2], &[20, 5], 0),
    ("fdtd_2d", &[20, 18, 2], &[20, 18, 5], 3 * 8),
];

/// Kernels with tiles in shared memory, at sizes with partial tiles.
const STAGED: [(&str, &[u64]); 5] = [
    ("gemm", &[70, 66, 50]),
    ("two_mm", &[70, 66, 50, 40]),
    ("covariance", &[40, 70]),
    ("syrk", &[70, 40]),
    ("syr2k", &[40, 40]),
];

/// Checks a translated kernel of PolyBench: nothing is copied without need, loops on the host copy nothing, and no
/// two lanes of a warp access different words of one bank of shared memory at once.
pub fn what_must_be_moved_is_moved(program: &Build) {
    let name = program.name;
    let (_, sizes, size, compulsory) =
        COMPULSORY.iter().find(|(kernel, ..)| *kernel == name).unwrap_or_else(|| panic!("no row for {name}"));
    let (there, back) = compulsory(sizes);
    let moved = copies(program, sizes).map(|copies| copies.bytes);
    assert_eq!(moved, [size * there, size * back], "{name} {sizes:?}");
    for (_, few, many, more) in STEPS.iter().filter(|(kernel, ..)| *kernel == name) {
        let ([in_few, out_few], [in_many, out_many]) = (copies(program, few), copies(program, many));
        assert_eq!(in_many, Copies { bytes: in_few.bytes + more, ..in_few }, "{name} to the device");
        assert_eq!(out_many, out_few, "{name} to the host");
    }
    if name == "gramschmidt" {
        // The number of columns determines how much the loop over columns copies, but not how often.
        let calls = |columns: u64| copies(program, &[20, columns]).map(|copies| copies.calls);
        assert_eq!(calls(6), calls(18), "{name}");
    }
    for (_, sizes) in STAGED.iter().filter(|(kernel, _)| *kernel == name) {
        let counts = program.counts(sizes);
        for access in ["loads", "stores"] {
            let of = &counts["totals"]["shared"][access];
            assert_ne!(of["requests"], 0, "{name} {access}");
            assert_eq!(of["wavefronts"], of["ideal_wavefronts"], "{name} {access}");
        }
    }
}

/// Two regions, one of them in a loop: the data is copied once each way, for any number of rounds.
#[test]
fn what_stays_is_copied_once() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n\
        static void f(int n, int rounds, double *restrict a, double *restrict b) {\n\
        #pragma scop\n\
        for (int i = 0; i < n; i++) a[i] = b[i] * 0.5;\n\
        #pragma endscop\n\
        int k = rounds + 1;\n\
        for (int t = 0; t < k; t++) {\n\
        #pragma scop\n\
        for (int i = 0; i < n; i++) a[i] = a[i] * 0.5 + b[i];\n\
        #pragma endscop\n\
        }\n\
        #pragma scop\n\
        for (int i = 0; i < n; i++) b[i] = a[i] - b[i];\n\
        #pragma endscop\n\
        }\n\
        int main(int argc, char **argv) {\n\
        int n = 1000, rounds = argc > 1 ? atoi(argv[1]) : 1;\n\
        double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);\n\
        f(n, rounds, a, b);\n\
        printf(\"%g %g\\n\", a[5], b[5]);\n\
        return 0;\n}\n";
    let moved = |rounds: u64, options: &[&str]| moved_in_rounds(source, rounds, options);
    // `b` is copied to the device, and the two elements that are printed come back. Each region by itself shows that
    // `a` is completely written.
    for rounds in [1, 7] {
        assert_eq!(moved(rounds, &[]), [8000, 2 * 8], "{rounds} rounds");
    }
    let never = moved(7, &["--gpulocalizer-options", "--residency never"]);
    assert_eq!(never, [8000 + 8 * 16000 + 16000, 8000 + 8 * 8000 + 8000]);
}

/// The host reads one element after every fifth region, and one at the end; only these are copied back.
#[test]
fn what_stays_comes_home_where_it_is_read() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n\
        int main(int argc, char **argv) {\n\
        int n = 1000, rounds = argc > 1 ? atoi(argv[1]) : 1;\n\
        double *a = calloc(n, sizeof *a);\n\
        do {\n\
        for (int t = 0; t < 5; t++) {\n\
        #pragma scop\n\
        for (int i = 0; i < n; i++) a[i] = a[i] * 0.5 + 1.0;\n\
        #pragma endscop\n\
        }\n\
        } while (a[7] < 2.0 && --rounds > 0);\n\
        printf(\"%g\\n\", a[5]);\n\
        return 0;\n}\n";
    assert_eq!(moved_in_rounds(source, 3, &[]), [8000, 4 * 8]);
}

/// Returns the bytes that a program copies to the device and back in this number of rounds.
fn moved_in_rounds(source: &str, rounds: u64, options: &[&str]) -> [u64; 2] {
    let counts = counts_of_text(source, rounds, options);
    ["host_to_device", "device_to_host"].map(|way| counts["copies"][way]["bytes"].as_u64().unwrap())
}

/// For host code between kernels, only the elements that it uses are copied: here one of each array in each round.
#[test]
fn host_code_moves_what_it_uses() {
    let source = "#include <stdlib.h>\n\
        static void f(int n, double (*restrict a)[n], double *restrict d) {\n\
        #pragma scop\n\
        for (int k = 0; k < n; k++) {\n\
        d[k] = (double)((long double)a[k][k] / 3);\n\
        for (int i = 0; i < n; i++)\n\
        for (int j = 0; j < n; j++) a[i][j] = a[i][j] * 0.5 + d[k];\n\
        for (int i = 0; i < n; i++) d[i] = d[i] + 1;\n\
        }\n\
        #pragma endscop\n\
        }\n\
        int main(int argc, char **argv) {\n\
        int n = atoi(argv[1]);\n\
        double *a = calloc(n * n, sizeof *a), *d = calloc(n, sizeof *d);\n\
        f(n, (double (*)[n])a, d);\n\
        return 0;\n}\n";
    let n = 30;
    let [there, back] = moved_in_rounds(source, 30, &[]);
    assert_eq!(there, 8 * (n * n + n + n));
    assert_eq!(back, 8 * (n * n + n + n + n));
}

/// Each round has a row of its own, of which one element is copied to the device and back.
#[test]
fn host_code_moves_what_it_uses_of_local_arrays() {
    let source = "#include <stdlib.h>\n\
        static void f(int n, double (*restrict a)[n]) {\n\
        #pragma scop\n\
        for (int k = 1; k < n; k++) {\n\
        double row[n];\n\
        for (int j = 0; j < n; j++) row[j] = a[k][j] * 0.5;\n\
        row[k] = (double)((long double)row[k] / 3);\n\
        for (int j = 0; j < n; j++) a[k][j] = a[k - 1][j] + row[j] * row[k];\n\
        }\n\
        #pragma endscop\n\
        }\n\
        int main(int argc, char **argv) {\n\
        int n = atoi(argv[1]);\n\
        double *a = calloc(n * n, sizeof *a);\n\
        f(n, (double (*)[n])a);\n\
        return 0;\n}\n";
    let n = 30;
    let [there, back] = moved_in_rounds(source, 30, &[]);
    assert_eq!(there, 8 * (n * n + n - 1));
    assert_eq!(back, 8 * (n * (n - 1) + n - 1));
}

/// An element that all threads read at the same time is in constant memory: in an argument, up to the size that the
/// target allows, or else in a variable.
#[test]
fn a_table_is_in_constant_memory() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n\
        static void f(int n, const double *restrict c, double *restrict y) {\n\
        #pragma scop\n\
        for (int i = 0; i < n; i++)\n\
        for (int k = 0; k < 900; k++) y[i] = y[i] * 0.5 + c[k];\n\
        #pragma endscop\n\
        }\n\
        int main(int argc, char **argv) {\n\
        int n = atoi(argv[1]);\n\
        double *y = calloc(n, sizeof *y), *c = calloc(900, sizeof *c);\n\
        for (int k = 0; k < 900; k++) c[k] = k % 11;\n\
        f(n, c, y);\n\
        return y[n - 1] < 10;\n}\n";
    let counts = |options: &[&str]| counts_of_text(source, 40, options);
    let target = format!("--target {}", root().join("targets/h200.json").display());
    let (variable, argument) = (counts(&[]), counts(&["--gpulocalizer-options", &target]));
    for (counts, copied) in [(&variable, 40 + 900), (&argument, 40)] {
        assert_eq!(counts["copies"]["host_to_device"]["bytes"], 8 * copied);
        // Each thread has an element of `y` in a register.
        assert_eq!(counts["totals"]["global"]["loads"]["touched_sectors"], 10);
    }
    assert_eq!(variable["totals"]["constant"]["requests"], 2 * 900);
}

/// Values that threads of a block use of each other's results do not go through the array.
#[test]
fn tiles_of_wavefronts_are_read_once() {
    let sectors = |memories: &str| {
        let counts = counts_with("seidel_2d", &[4, 60], &["--gpulocalizer-options", memories]);
        let of = |access: &str| counts["totals"]["global"][access]["touched_sectors"].as_u64().unwrap();
        of("loads") + of("stores")
    };
    let (without, with) = (sectors("--memories private"), sectors("--memories all"));
    assert!(10 * with < without, "{with} sectors instead of {without}");
}

/// CUDA starts at most 65,535 blocks along y and z. A kernel that needs more is launched in parts, with the results
/// of C.
#[test]
fn tall_grids_are_launched_in_parts() {
    let source = r#"#include <stdlib.h>
static void along_y(int n, int a[n][2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            a[i][j] = 3 * i + j;
#pragma endscop
}
static void along_z(int n, int b[n][2][2])
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                b[i][j][k] = 5 * i + 2 * j + k;
#pragma endscop
}
int main(int argc, char **argv)
{
    int n = atoi(argv[argc - 1]);
    int (*a)[2] = calloc(n, sizeof *a), (*b)[2][2] = calloc(n, sizeof *b);
    along_y(n, a);
    along_z(n, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) {
            if (a[i][j] != 3 * i + j)
                return 1;
            for (int k = 0; k < 2; k++)
                if (b[i][j][k] != (i > 0 ? 5 * i + 2 * j + k : 0))
                    return 2;
        }
    return 0;
}
"#;
    let tiles = ["--scheduler-options=--tile-sizes 1,2,2"];
    let totals = |n: u64| {
        let counts = counts_of_text(source, n, &tiles);
        let kernels = counts["kernels"].as_array().unwrap();
        ["launches", "blocks"]
            .map(|key| kernels.iter().map(|kernel| kernel[key].as_u64().unwrap()).sum::<u64>())
    };
    // One launch each, then two: 65,535 blocks and the rest.
    assert_eq!(totals(20), [2, 20 + 19]);
    assert_eq!(totals(65_537), [4, 65_537 + 65_536]);
}
