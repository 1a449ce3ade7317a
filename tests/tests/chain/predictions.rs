//! What `gpu-predict` counts, compared with what cudasim counted when the same programs ran: the tables of
//! `tests/golden/counts`, and a few larger runs, of which predictions only look at a sample.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use chain_tests::{Scratch, driver, driver_by_price, root, tool};
use serde_json::Value;

use crate::counts::{Row, figures_of_kernel, rows_of, short_name};

/// How far a prediction may be from the count, in percent and in absolute terms: a few requests at the borders of small
/// programs depend on the compiler.
const PERCENT: f64 = 5.0;
const FEW: f64 = 8.0;

/// Kernels of small triangles beside a tile, whose wavefronts are predicted for blocks that are full on average.
const NEARLY: [&str; 6] = ["cholesky 45", "cholesky 64", "lu 45", "lu 64", "ludcmp 45", "ludcmp 64"];
const PERCENT_NEARLY: f64 = 10.0;

/// Figures that are predicted.
const FIGURES: [&str; 8] = [
    "launches",
    "blocks",
    "requests",
    "touched sectors",
    "sectors",
    "wavefronts",
    "constant wavefronts",
    "barriers",
];

#[test]
fn predictions_for_benches_agree_with_the_simulator() {
    agree("benches.txt", |program| format!("benches/{program}/{program}.c"));
}

#[test]
fn predictions_for_polybench_agree_with_the_simulator() {
    agree("polybench.txt", |program| format!("tests/kernels/polybench/{program}.c"));
}

/// Programs with sizes for which only some of the blocks, launches and iterations are looked at: triangles that are
/// launched once or in a loop, and a wavefront.
const SAMPLED: [(&str, &str); 4] = [
    ("tests/kernels/polybench/syrk.c", "2500 4"),
    ("tests/kernels/polybench/covariance.c", "500 12"),
    ("tests/kernels/polybench/cholesky.c", "300"),
    ("benches/gauss-seidel/gauss-seidel.c", "1200 3"),
];

#[test]
fn predictions_by_samples_agree_with_the_simulator() {
    let mut different = String::new();
    for (file, arguments) in SAMPLED {
        let document = scanned(file);
        let predicted = predict(&document, &values(file, arguments));
        let call = driver().args(["-q", "--run", "--profile"]).arg(root().join(file)).arg("--");
        let call = call.args(arguments.split(' ')).with("CUDASIM_PROFILE", document.at("counted.json"));
        call.run().succeeded();
        let counted: Value = serde_json::from_str(&document.read("counted.json")).unwrap();
        for kernel in counted["kernels"].as_array().unwrap() {
            let figures = &predicted[short_name(kernel)];
            for ((name, value), (_, expected)) in figures.iter().zip(figures_of_kernel(kernel)) {
                if is_far(*value as f64, expected as f64) {
                    let kernel = short_name(kernel);
                    writeln!(different, "{file} {arguments}: {kernel}: {name} {value} for {expected}")
                        .unwrap();
                }
            }
        }
    }
    assert!(different.is_empty(), "predicted figures differ from those of the simulator:\n{different}");
}

/// A region that stays on the host for some sizes has no kernels there, unless they are asked for.
#[test]
fn what_stays_on_the_host_has_no_kernels() {
    let document = Scratch::new("predictions");
    let call = driver_by_price().args(["-q", "--to", "cloog-rs", "-o"]).arg(document.at("out.json"));
    call.arg(root().join("tests/kernels/polybench/mvt.c")).run().succeeded();
    let kernels = |options: &[&str]| {
        let target = root().join("targets/h100.json");
        let call = tool("gpu-predict").args(options).arg("--target").arg(target);
        let profile = call.arg(document.at("out.json")).run().succeeded();
        let profile: Value = serde_json::from_str(&profile.stdout).unwrap();
        profile["kernels"].as_array().unwrap().len()
    };
    assert_eq!(kernels(&["--assume", "n=4000"]), 2);
    assert_eq!(kernels(&["--assume", "n=40"]), 0);
    assert_eq!(kernels(&["--assume", "n=40", "--offload", "always"]), 2);
}

/// Predicts all runs of a table, and reports the figures that differ.
fn agree(table: &str, path: impl Fn(&str) -> String) {
    let mut runs: BTreeMap<(String, String), Vec<Row>> = BTreeMap::new();
    for row in rows_of(table) {
        let (run, _) = row.subject.split_once(": ").unwrap();
        let (program, arguments) = run.split_once(' ').unwrap_or((run, ""));
        if row.is_of_kernel() {
            runs.entry((program.to_owned(), arguments.to_owned())).or_default().push(row.clone());
        }
    }
    assert!(runs.len() > 10, "{table} has no runs");
    let mut different = String::new();
    let mut documents: BTreeMap<&str, Scratch> = BTreeMap::new();
    for ((program, arguments), counted) in &runs {
        let file = path(program);
        let document = documents.entry(program).or_insert_with(|| scanned(&file));
        let predicted = predict(document, &values(&file, arguments));
        compare(&predicted, counted, &mut different);
    }
    assert!(different.is_empty(), "predicted figures differ from those of {table}:\n{different}");
}

/// Writes the document of a program with its loop program.
fn scanned(file: &str) -> Scratch {
    let scratch = Scratch::new("predictions");
    let call = driver().args(["-q", "--to", "cloog-rs", "-o"]).arg(scratch.at("out.json"));
    call.arg(root().join(file)).run().succeeded();
    scratch
}

/// Returns the values of a program's parameters for some arguments. The head of each program names its arguments, as in
/// `Usage: gemm [ni [nj [nk]]]`, and its parameters have the same names.
fn values(file: &str, arguments: &str) -> String {
    let source = fs::read_to_string(root().join(file)).unwrap();
    let usage = source.lines().find_map(|line| line.split_once("Usage: ")).unwrap().1;
    let usage = usage.split([',', '(']).next().unwrap_or_default();
    let names = usage.split_whitespace().skip(1).map(|name| name.trim_matches(['[', ']']));
    let values = names.zip(arguments.split_whitespace()).map(|(name, value)| format!("{name}={value}"));
    values.collect::<Vec<_>>().join(",")
}

/// Returns the figures of each kernel.
fn predict(document: &Scratch, values: &str) -> BTreeMap<String, Vec<(&'static str, u64)>> {
    let target = root().join("targets/h100.json");
    let call = tool("gpu-predict")
        .args(["--offload", "always", "--loads", "source", "--assume", values, "--target"])
        .arg(target);
    let profile = call.arg(document.at("out.json")).run().succeeded();
    let profile: Value = serde_json::from_str(&profile.stdout).unwrap();
    let kernels = profile["kernels"].as_array().unwrap().iter();
    kernels.map(|kernel| (short_name(kernel).to_owned(), figures_of_kernel(kernel).to_vec())).collect()
}

/// Adds a line for each figure of a run that differs. A region that runs several times is predicted once.
fn compare(predicted: &BTreeMap<String, Vec<(&'static str, u64)>>, counted: &[Row], different: &mut String) {
    let launches = |figures: &[(&str, u64)]| figures.iter().map(|(_, value)| *value).next().unwrap_or(0);
    let all_predicted: u64 = predicted.values().map(|figures| launches(figures)).sum();
    let all_counted: u64 = counted.iter().map(|row| row.figure("launches")).sum();
    let times = (all_counted as f64 / all_predicted.max(1) as f64).round().max(1.0);
    for row in counted {
        let kernel = row.subject.rsplit_once(": ").map_or("", |(_, kernel)| kernel);
        let Some(figures) = predicted.get(kernel) else {
            writeln!(different, "{}: not predicted", row.subject).unwrap();
            continue;
        };
        for (name, value) in figures.iter().filter(|(name, _)| FIGURES.contains(name)) {
            let (value, expected) = (*value as f64 * times, row.figure(name) as f64);
            let is_near = *name == "wavefronts"
                && NEARLY.iter().any(|run| row.subject.starts_with(run))
                && (value - expected).abs() <= expected * PERCENT_NEARLY / 100.0;
            if is_far(value, expected) && !is_near {
                writeln!(different, "{}: {name} {value} for {expected}", row.subject).unwrap();
            }
        }
    }
}

/// True if a predicted figure is not near enough to what was counted.
fn is_far(value: f64, expected: f64) -> bool {
    (value - expected).abs() > (expected * PERCENT / 100.0).max(FEW)
}
