//! Scheduler's price of a program and that of the finished program, `gpu-predict`'s, are the same but for what only the
//! finished program shows. The table of both is `tests/golden/times.txt`, for the programs and sizes of
//! `benchmarks/predicted.json`. So is the floor that scheduler finds, and that which `scripts/benchmark` has formulas for.

use std::fmt::Write;
use std::fs;

use chain_tests::{Golden, Scratch, root, tool};
use serde_json::Value;

/// A price may be so many times the other one.
const BOUND: f64 = 1.25;

/// A floor may be so many times that of the formula: a compiler computes once what a statement has several times.
const HIGHER: f64 = 1.16;

/// The programs of which scheduler does not find all that every order needs, and why.
const LOWER: [(&str, &str); 4] = [
    ("polybench/adi", "a chain through several statements"),
    ("polybench/floyd_warshall", "operations on integers"),
    ("polybench/gramschmidt", "a chain through several statements"),
    ("polybench/nussinov", "operations on integers"),
];

#[test]
fn prices_are_those_of_the_finished_programs() {
    let predicted = fs::read_to_string(root().join("benchmarks/predicted.json")).unwrap();
    let predicted: Value = serde_json::from_str(&predicted).unwrap();
    let programs: Vec<(&String, &Value)> = predicted["programs"].as_object().unwrap().iter().collect();
    let (mut table, mut far) = (String::new(), String::new());
    for (name, price, time, floor) in in_parallel(&programs) {
        let formula = predicted["rows"][name]["floor µs"].as_f64().unwrap();
        let share = floor / formula;
        let lower = LOWER.iter().any(|(lower, _)| *lower == name);
        if share > HIGHER || (share < 0.95) != lower {
            let both = format!("{} for {} ms", milliseconds(floor), milliseconds(formula));
            writeln!(far, "{name}: the floor is {share:.2} of the formula's, {both}").unwrap();
        }
        if time == 0.0 {
            writeln!(table, "{name}: on the host").unwrap();
            continue;
        }
        let ratio = price / time;
        let row = format!("{name}: {} for {} ms, {ratio:.2}", milliseconds(price), milliseconds(time));
        if ratio.max(1.0 / ratio) > BOUND {
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
        "scheduler's prices are not those of gpu-predict, or floors not those of formulas:\n{far}"
    );
}

/// Returns both times of each program, and its floor.
fn in_parallel<'a>(programs: &[(&'a String, &'a Value)]) -> Vec<(&'a str, f64, f64, f64)> {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let part = |part: &[(&'a String, &'a Value)]| -> Vec<(&'a str, f64, f64, f64)> {
        let row = |(name, program): &(&'a String, &'a Value)| {
            let (price, time, floor) = price_and_time(name, &program["sizes"]);
            (name.as_str(), price, time, floor)
        };
        part.iter().map(row).collect()
    };
    std::thread::scope(|scope| {
        let parts = programs.chunks(programs.len().div_ceil(threads).max(1));
        let running: Vec<_> = parts.map(|own| scope.spawn(move || part(own))).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
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
        .filter_map(|line| line.trim_start().strip_prefix("floor: "))
        .map(microseconds)
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
