//! How much goes over the bus: the kernels of PolyBench on the simulator, which counts.

use chain_tests::{Scratch, driver, root};
use serde_json::Value;

/// What a run copied in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Copies {
    calls: u64,
    bytes: u64,
}

/// What a kernel of PolyBench copies to the device and back.
fn copies(kernel: &str, sizes: &[u64]) -> [Copies; 2] {
    let scratch = Scratch::new(kernel);
    let source = root().join(format!("tests/kernels/polybench/{kernel}.c"));
    let call = driver().args(["--run", "--profile", "--quiet"]).arg(source).arg("--");
    let call = call.args(sizes.iter().map(u64::to_string));
    call.with("CUDASIM_PROFILE", scratch.at("counts.json")).run().ended_with(0);
    let counts: Value = serde_json::from_str(&scratch.read("counts.json")).unwrap();
    ["host_to_device", "device_to_host"].map(|way| {
        let count = |key: &str| counts["copies"][way][key].as_u64().unwrap();
        Copies { calls: count("calls"), bytes: count("bytes") }
    })
}

/// The elements that a kernel has to copy to the device (those that it reads before it writes them) and back (those that it writes),
/// for its sizes.
type Compulsory = fn(&[u64]) -> (u64, u64);

/// The elements of a triangle with its diagonal.
fn triangle(n: u64) -> u64 {
    n * (n + 1) / 2
}

/// Kernels that move what they have to and nothing else.
const COMPULSORY: [(&str, &[u64], Compulsory); 14] = [
    ("gemm", &[20, 18, 16], |n| (n[0] * n[1] + n[0] * n[2] + n[2] * n[1], n[0] * n[1])),
    ("gemver", &[20], |n| (n[0] * n[0] + 8 * n[0], n[0] * n[0] + 2 * n[0])),
    ("gesummv", &[20], |n| (2 * n[0] * n[0] + n[0], 2 * n[0])),
    ("syrk", &[20, 18], |n| (triangle(n[0]) + n[0] * n[1], triangle(n[0]))),
    ("syr2k", &[20, 18], |n| (triangle(n[0]) + 2 * n[0] * n[1], triangle(n[0]))),
    ("two_mm", &[20, 18, 16, 14], |n| {
        (n[0] * n[2] + n[2] * n[1] + n[1] * n[3] + n[0] * n[3], n[0] * n[1] + n[0] * n[3])
    }),
    ("atax", &[20, 18], |n| (n[0] * n[1] + n[1], n[0] + n[1])),
    ("bicg", &[20, 18], |n| (n[0] * n[1] + n[0] + n[1], n[0] + n[1])),
    ("doitgen", &[10, 9, 8], |n| (n[0] * n[1] * n[2] + n[2] * n[2], n[0] * n[1] * n[2] + n[2])),
    ("mvt", &[20], |n| (n[0] * n[0] + 4 * n[0], 2 * n[0])),
    ("cholesky", &[20], |n| (triangle(n[0]), triangle(n[0]))),
    ("ludcmp", &[20], |n| (n[0] * n[0] + n[0], n[0] * n[0] + 2 * n[0])),
    ("trisolv", &[20], |n| (triangle(n[0]) + n[0], n[0])),
    ("covariance", &[18, 20], |n| (n[0] * n[1], n[0] * n[1] + n[1] * n[1] + n[1])),
];

#[test]
fn nothing_is_copied_that_need_not_be() {
    for (kernel, sizes, compulsory) in COMPULSORY {
        let (there, back) = compulsory(sizes);
        let moved = copies(kernel, sizes).map(|copies| copies.bytes);
        assert_eq!(moved, [8 * there, 8 * back], "{kernel} {sizes:?}");
    }
}

/// More steps of a loop on the host copy nothing more, whatever is in it; only the source term of fdtd-2d has an element for each step.
#[test]
fn loops_on_the_host_copy_nothing() {
    let cases: [(&str, &[u64], &[u64], u64); 5] = [
        ("jacobi_2d", &[20, 2], &[20, 5], 0),
        ("heat_3d", &[12, 2], &[12, 5], 0),
        ("seidel_2d", &[20, 2], &[20, 5], 0),
        ("adi", &[20, 2], &[20, 5], 0),
        ("fdtd_2d", &[20, 18, 2], &[20, 18, 5], 3 * 8),
    ];
    for (kernel, few, many, more) in cases {
        let ([in_few, out_few], [in_many, out_many]) = (copies(kernel, few), copies(kernel, many));
        assert_eq!(in_many, Copies { bytes: in_few.bytes + more, ..in_few }, "{kernel} to the device");
        assert_eq!(out_many, out_few, "{kernel} to the host");
    }
    // The loop over columns: their number says how much is copied, and not how often.
    let calls = |columns: u64| copies("gramschmidt", &[20, columns]).map(|copies| copies.calls);
    assert_eq!(calls(6), calls(18), "gramschmidt");
}
