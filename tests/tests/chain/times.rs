//! Scheduler's price of a program and that of the finished program, `gpu-predict`'s, are the same but for what only the
//! finished program shows. The table of both is `tests/golden/times.txt`, for the programs and sizes of
//! `benchmarks/predicted.json`. The floor that scheduler finds is that which one finds by hand.

use std::fmt::Write;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use chain_tests::{Golden, Scratch, root, tool};
use serde_json::Value;

/// A price may be so many times the other one.
const BOUND: f64 = 1.1;

/// The programs whose price may be farther from the other one, by how much, and why.
const FARTHER: [(&str, f64, &str); 2] = [
    ("gauss-seidel", 1.25, "lanes of a wavefront meet in the banks of a layout that the price does not know"),
    ("polybench/ludcmp", 1.35, "one thread reads a vector again and again, of which samples see a part"),
];

/// What no program can do without, found by hand for the sizes of `benchmarks/predicted.json`, in milliseconds.
const BY_HAND: [(&str, f64, &str); 8] = [
    ("gemm", 2.0 * 68.72e9 / FP32, "a product and a sum for each of 4096^3 triples"),
    ("atax", 8.0 * 268.5e6 / BYTES, "each of 16384^2 numbers is read"),
    ("jacobi-2d", 5.0 * 67.08e6 * 400.0 / FP32, "five operations for each of 8190^2 points in 400 steps"),
    ("mri-q", 2.0 * 536.9e6 / SPECIAL, "a sine and a cosine for each of 262144 * 2048 pairs"),
    ("polybench/cholesky", 549.8e9 / 3.0 / FP64, "8192^3 / 3 operations"),
    ("polybench/durbin", 50e6 * LATENCY_FP64, "10000^2 / 2 sums, of which each waits for the one before"),
    ("polybench/floyd_warshall", 2.0 * 68.72e9 / INTEGER, "a sum and a minimum for each of 4096^3 triples"),
    ("polybench/trisolv", 8.0 * 134.2e6 / BYTES, "each of 16384^2 / 2 numbers is read"),
];

/// What an H100 does in a millisecond: bytes, and operations on 132 multiprocessors at 1980 MHz.
const BYTES: f64 = 3.352e9;
const FP32: f64 = 132.0 * 128.0 * 1.98e6;
const FP64: f64 = FP32 / 2.0;
const INTEGER: f64 = FP32 / 2.0;
const SPECIAL: f64 = FP32 / 8.0;
/// The milliseconds until a sum of double precision is there: 8 clocks.
const LATENCY_FP64: f64 = 8.0 / 1.98e6;

/// A floor may be so many times that found by hand: a compiler computes once what a statement has several times.
const HIGHER: f64 = 1.16;
const LOWER: f64 = 0.95;

#[test]
fn prices_are_those_of_the_finished_programs() {
    let predicted = fs::read_to_string(root().join("benchmarks/predicted.json")).unwrap();
    let predicted: Value = serde_json::from_str(&predicted).unwrap();
    let programs: Vec<(&String, &Value)> = predicted["programs"].as_object().unwrap().iter().collect();
    let (mut table, mut far) = (String::new(), String::new());
    for (name, price, time, floor) in in_parallel(&programs) {
        if let Some((_, expected, why)) = BY_HAND.iter().find(|(known, ..)| *known == name) {
            let share = floor / 1e3 / expected;
            if !(LOWER..HIGHER).contains(&share) {
                writeln!(far, "{name}: the floor is {share:.2} of {expected:.3} ms: {why}").unwrap();
            }
        }
        if time == 0.0 {
            writeln!(table, "{name}: on the host").unwrap();
            continue;
        }
        let ratio = price / time;
        let row = format!("{name}: {} for {} ms, {ratio:.2}", milliseconds(price), milliseconds(time));
        let farther = FARTHER.iter().find(|(farther, ..)| *farther == name);
        let bound = farther.map_or(BOUND, |(_, bound, _)| *bound);
        if ratio.max(1.0 / ratio) > bound {
            writeln!(far, "{row}").unwrap();
        }
        writeln!(table, "{row}").unwrap();
    }
    println!("{table}");
    let mut golden = Golden::default();
    golden.compare(&root().join("tests/golden/times.txt"), &table);
    golden.finish();
    assert!(
        far.is_empty(),
        "scheduler's prices are not those of gpu-predict, or floors not those found by hand:\n{far}"
    );
}

/// Returns both times of each program, and its floor. Some programs take much longer than others, so each thread takes
/// the next one that is left.
fn in_parallel<'a>(programs: &[(&'a String, &'a Value)]) -> Vec<(&'a str, f64, f64, f64)> {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let next = AtomicUsize::new(0);
    let take = || {
        let mut rows = Vec::new();
        loop {
            let position = next.fetch_add(1, Ordering::Relaxed);
            let Some((name, program)) = programs.get(position) else { return rows };
            let (price, time, floor) = price_and_time(name, &program["sizes"]);
            rows.push((position, (name.as_str(), price, time, floor)));
        }
    };
    let mut rows: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    rows.sort_by_key(|(position, _)| *position);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Returns the microseconds of all kernels of a program for some sizes, by scheduler and by gpu-predict, and the
/// floor by scheduler.
fn price_and_time(name: &str, sizes: &Value) -> (f64, f64, f64) {
    let scratch = Scratch::new("times");
    let file = match name.strip_prefix("polybench/") {
        Some(kernel) => format!("tests/kernels/polybench/{kernel}.c"),
        None => format!("benches/{name}/{name}.c"),
    };
    let target = root().join("targets/h100.json");
    let pass = |name: &str, input: &str, output: &str| {
        tool(name).arg(scratch_input(&scratch, input)).arg("--no-verify").arg("-o").arg(scratch.at(output))
    };
    pass("clan-rs", &file, "extracted.json").run().succeeded();
    pass("candl-rs", "extracted.json", "analysed.json").run().succeeded();
    let analysed: Value = serde_json::from_str(&scratch.read("analysed.json")).unwrap();
    let sizes = assumed(&analysed, sizes);
    let explained =
        tool("scheduler").arg(scratch.at("analysed.json")).args(["--explain", "--assume", &sizes]);
    let explained = explained.run().succeeded().stdout;
    let price = price_of(&explained);
    let floor = explained
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("floor: ")?.split_once(", for "))
        .map(|(time, _)| microseconds(time))
        .sum();
    pass("scheduler", "analysed.json", "scheduled.json").args(["--assume", &sizes]).run().succeeded();
    pass("gpulocalizer", "scheduled.json", "placed.json").arg("--target").arg(&target).run().succeeded();
    pass("cloog-rs", "placed.json", "scanned.json").run().succeeded();
    let profile =
        pass("gpu-predict", "scanned.json", "profile.json").args(["--offload", "always", "--assume", &sizes]);
    profile.arg("--target").arg(&target).run().succeeded();
    let time = tool("gpu-time").arg(scratch.at("profile.json")).arg("--json").arg("--target").arg(&target);
    let time: Value = serde_json::from_str(&time.run().succeeded().stdout).unwrap();
    (price, time["kernel_microseconds"].as_f64().unwrap(), floor)
}

fn scratch_input(scratch: &Scratch, input: &str) -> std::path::PathBuf {
    if input.ends_with(".c") { root().join(input) } else { scratch.at(input) }
}

/// Returns the sizes of those names that are parameters.
fn assumed(analysed: &Value, sizes: &Value) -> String {
    let parameters = analysed["scops"].as_array().unwrap().iter();
    let names: Vec<&Value> = parameters
        .flat_map(|scop| scop["parameters"].as_array().unwrap())
        .map(|found| &found["name"])
        .collect();
    let known =
        sizes.as_object().unwrap().iter().filter(|(name, _)| names.contains(&&Value::from(name.as_str())));
    known.map(|(name, size)| format!("{name}={size}")).collect::<Vec<_>>().join(",")
}

/// Returns the microseconds of the kernels of the order that was taken, for example those of the second line:
///
/// ```text
///   taken: isl-outer (isl, outermost loops parallel), 8.744 ms
///     K0: 8.744 ms, 1 launch, 4096 blocks of 256 threads, 4096 with work; most of the time: instruction issue
/// ```
fn price_of(explanation: &str) -> f64 {
    let lines = explanation.lines().skip_while(|line| !line.starts_with("  taken: ")).skip(1);
    let own = lines.take_while(|line| line.starts_with("    "));
    let kernels = own.filter_map(|line| line.trim_start().strip_prefix('K')?.split_once(": "));
    kernels.map(|(_, told)| microseconds(told.split(',').next().unwrap_or_default())).sum()
}

fn microseconds(text: &str) -> f64 {
    let (number, unit) = text.split_once(' ').unwrap_or_else(|| panic!("no time: {text}"));
    let factor = match unit {
        "µs" => 1.0,
        "ms" => 1e3,
        "s" => 1e6,
        _ => panic!("no unit of time: {text}"),
    };
    factor * number.parse::<f64>().unwrap()
}

fn milliseconds(microseconds: f64) -> String {
    format!("{:.3}", microseconds / 1e3)
}
