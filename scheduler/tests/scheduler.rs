//! Tests the mappings of small programs. clan-rs and candl-rs made the documents in `documents` from the C files next
//! to them; `scheduler/tests/remake` regenerates them.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use scheduler::{Instead, Options};
use scop::wish::{AlgorithmKind, FusionKind, Target, Verdict};
use scop::{
    Analysed, Axis, CType, Diagnostics, KernelId, Outcome, Program, Scheduled, Wanted, Wish, from_json,
    to_json, verify,
};

fn document(name: &str) -> Program<Analysed> {
    let path = format!("{}/tests/documents/{name}.json", env!("CARGO_MANIFEST_DIR"));
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn run(name: &str, options: &Options) -> Outcome<Program<Scheduled>> {
    let outcome = scheduler::run(document(name), options).unwrap();
    assert_eq!(verify::verify(&outcome.value), []);
    let text = to_json(&outcome.value).unwrap();
    assert!(from_json::<Scheduled>(&text).unwrap() == outcome.value, "{name} does not survive a round trip");
    outcome
}

/// Returns options that ask for tile and block sizes of all kernels.
fn sizes(tiles: &[u32], blocks: &[u32]) -> Options {
    let wanted = [Wanted::TileSizes(tiles.to_vec()), Wanted::BlockSizes(blocks.to_vec())];
    let asked = [tiles, blocks].into_iter().zip(wanted).filter(|(sizes, _)| !sizes.is_empty());
    let wish = |wanted| Wish { target: Target::default(), wanted, origin: "a test".to_owned() };
    let wishes = asked.map(|(_, wanted)| wish(wanted)).collect();
    Options { wishes, ..Options::default() }
}

/// Returns options that ask for an algorithm in all regions.
fn ordered_by(algorithm: AlgorithmKind) -> Options {
    let wish = Wish::new(Target::default(), Wanted::Algorithm(algorithm), "a test").unwrap();
    Options { wishes: vec![wish], ..Options::default() }
}

/// Returns one line for each kernel: `K0 S0,S1 in 1 loops, block x32 y16, tiles 16,32,32`.
fn summary(program: &Program<Scheduled>) -> Vec<String> {
    let mapping = &program.scops[0].stage.mapping;
    let join = |items: Vec<String>, between: &str| items.join(between);
    mapping
        .kernels
        .iter()
        .map(|kernel| {
            let statements = join(kernel.statements.iter().map(ToString::to_string).collect(), ",");
            let block = join(kernel.block.iter().map(|d| format!("{}{}", d.axis, d.size)).collect(), " ");
            let tiles = join(kernel.tile_sizes.iter().map(ToString::to_string).collect(), ",");
            format!("{} {statements} in {} loops, block {block}, tiles {tiles}", kernel.id, kernel.host_depth)
        })
        .collect()
}

#[test]
fn maps_small_programs() {
    let cases: &[(&str, &[&str])] = &[
        ("matmul", &["K0 S0,S1 in 0 loops, block x16 y16, tiles 64,64,16"]),
        ("jacobi", &["K0 S0 in 1 loops, block x128, tiles 128", "K1 S1 in 1 loops, block x128, tiles 128"]),
        ("wavefront", &["K0 S0 in 1 loops, block x32, tiles 32,32"]),
        ("skewed", &["K0 S0,S1 in 1 loops, block x32, tiles 32,32"]),
        ("single", &["K0 S0 in 0 loops, block x128, tiles 128"]),
        (
            "scalars",
            &[
                "K0 S2 in 0 loops, block , tiles ",
                "K1 S3 in 0 loops, block , tiles ",
                "K2 S4 in 0 loops, block x128, tiles 128",
            ],
        ),
        ("mixed", &["K0 S0 in 1 loops, block x128, tiles 128"]),
        ("recurrence", &[]),
        ("sum", &["K0 S0,S1,S2 in 0 loops, block x32 y9, tiles 32,32"]),
        ("sums", &["K0 S0,S1,S2,S3,S4,S5 in 0 loops, block x32 y9, tiles 32,32"]),
        ("sweep", &["K0 S0 in 1 loops, block x16 y16, tiles 16,16,16"]),
    ];
    for (name, expected) in cases {
        assert_eq!(summary(&run(name, &Options::default()).value), *expected, "{name}");
    }
}

/// If a thread has several points of a tile, their loops are innermost and are to be unrolled.
#[test]
fn points_of_one_thread_are_unrolled() {
    let tree = |name: &str, tile_sizes: &[u32], block_sizes: &[u32]| {
        run(name, &sizes(tile_sizes, block_sizes)).value.scops[0].stage.mapping.tree.0.clone()
    };
    let unrolled = |tree: String| {
        let below = tree.split_once("mark: \"unroll\"").map(|(_, below)| below.to_owned());
        below.and_then(|below| below.lines().find(|line| line.contains("schedule:")).map(str::to_owned))
    };
    let product = unrolled(tree("matmul", &[], &[])).unwrap();
    assert!(product.contains("[(floor((i)/16) - 4*floor((i)/64))]"), "{product}");
    assert!(!product.contains("k)"), "{product}");
    assert!(unrolled(tree("jacobi", &[64], &[16])).is_some());
    assert_eq!(unrolled(tree("jacobi", &[64], &[64])), None);
    assert_eq!(unrolled(tree("jacobi", &[2048], &[16])), None, "128 points are too many");
    assert_eq!(unrolled(tree("matmul", &[2_147_483_649, 4], &[1])), None, "4 modulo 2^32");
}

/// Returns the filter of the blocks of the first kernel, such as `S0[i, j] : 16by <= i <= 15 + 16by and …`.
fn blocks(name: &str) -> String {
    let outcome = run(name, &Options::default());
    let schedule = &outcome.value.scops[0].stage.mapping.tree.0;
    let filter = schedule.lines().find(|line| line.contains("filter") && line.contains("bx"));
    filter.unwrap().to_owned()
}

#[test]
fn warps_run_along_rows_of_memory() {
    let filter = blocks("column");
    assert!(filter.contains("64bx <= i <="), "A[j][i] is contiguous along i: {filter}");
    let filter = blocks("weighed");
    assert!(filter.contains("64bx <= j <="), "deeper statements weigh more than many accesses: {filter}");
    let filter = blocks("four");
    assert!(filter.contains("32bx <= l <="), "the last of four parallel loops is contiguous: {filter}");
}

/// Blocks that are neighbours along y are closer in memory than those along z.
#[test]
fn the_outer_of_two_further_loops_runs_along_z() {
    let filter = blocks("four");
    assert!(filter.contains("4bz <= i <= 3 + 4bz and 4by <= j <= 3 + 4by"), "{filter}");
}

/// The grid of a wavefront through three loops has the tiles of the first two: `t`, which has few, and `i + t`.
#[test]
fn blocks_of_deep_wavefronts_leave_out_the_last_loop() {
    let filter = blocks("sweep");
    assert!(filter.contains("16by <= t <= 15 + 16by and 16bx - t <= i <= 15 + 16bx - t"), "{filter}");
}

#[test]
fn a_region_without_parallel_loops_stays_on_the_host_with_a_warning() {
    let outcome = run("recurrence", &Options::default());
    assert_eq!(outcome.diagnostics.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), ["W0303"]);
    assert!(outcome.value.scops[0].stage.mapping.tree.0.contains("mark: \"host\""));
}

#[test]
fn a_statement_that_a_gpu_cannot_run_stays_on_the_host() {
    let outcome = run("mixed", &Options::default());
    let host = &outcome.value.scops[0].stage.mapping.host;
    assert_eq!(host.len(), 1);
    assert!(host[0].reason.contains(CType::LongDouble.c_name()), "{}", host[0].reason);
}

/// The statements compute `a` and `b` from `n`, and `*e` from `b`; those of `c` and `d` need an element that a kernel
/// writes. In the other program, a recurrence runs through an array that no kernel uses.
#[test]
fn what_needs_nothing_that_a_kernel_computes_stays_on_the_host() {
    for (name, expected) in [("scalars", &[0, 1, 5][..]), ("single", &[1])] {
        let host = &run(name, &Options::default()).value.scops[0].stage.mapping.host.clone();
        assert_eq!(host.iter().map(|host| host.statement.0).collect::<Vec<_>>(), expected, "{name}");
        assert!(host.iter().all(|host| host.reason == "it needs nothing that a kernel computes"), "{host:?}");
    }
}

#[test]
fn forced_sizes_are_taken() {
    let options = sizes(&[8, 64, 16], &[4, 32]);
    let expected = ["K0 S0,S1 in 0 loops, block x32 y4, tiles 8,64,16"];
    assert_eq!(summary(&run("matmul", &options).value), expected);
}

#[test]
fn block_sizes_divide_tiles_and_fit_the_gpu() {
    for (name, tiles, blocks, nearest) in [
        ("matmul", &[48, 48, 48][..], &[32, 32][..], "blocks of 24,24:"),
        ("matmul", &[64], &[64, 32], "blocks of 32,32:"),
        ("matmul", &[7, 8], &[4, 8], "blocks of 1,8:"),
        ("wavefront", &[8, 6], &[8, 4], "blocks of 3:"),
    ] {
        let refused = scheduler::run(document(name), &sizes(tiles, blocks)).unwrap_err().0;
        let [refused] = &refused[..] else { panic!("{name}: {refused:?}") };
        let help = refused.help.clone().unwrap_or_default();
        assert!(refused.code == "E0304" && refused.message.ends_with("of K0"), "{name}: {refused:?}");
        assert!(help.contains(nearest), "{name}: {help}");
    }
    assert_eq!(
        summary(&run("wavefront", &sizes(&[8, 6], &[5, 3])).value),
        ["K0 S0 in 1 loops, block x3, tiles 8,6"]
    );
    let options = sizes(&[48, 48, 48], &[24, 24]);
    let expected = ["K0 S0,S1 in 0 loops, block x24 y24, tiles 48,48,48"];
    assert_eq!(summary(&run("matmul", &options).value), expected);
    let options = sizes(&[64], &[]);
    let expected = ["K0 S0,S1 in 0 loops, block x32 y32, tiles 64,64,64"];
    assert_eq!(summary(&run("matmul", &options).value), expected);
}

#[test]
fn the_order_of_the_source_can_be_kept() {
    let options = ordered_by(AlgorithmKind::Source);
    assert_eq!(
        summary(&run("jacobi", &options).value),
        ["K0 S0 in 1 loops, block x128, tiles 128", "K1 S1 in 1 loops, block x128, tiles 128"]
    );
}

/// 32 iterations of an elimination run together: the tile on the diagonal in one block, those beside it and below it, and
/// all others.
#[test]
fn sequential_loops_run_in_blocks_of_iterations() {
    let expected = [
        "K0 S0,S1,S2 in 1 loops, block x32 y16, tiles 62,31,32",
        "K1 S0,S1 in 1 loops, block x128, tiles 128,32",
        "K2 S2 in 1 loops, block x128, tiles 128,32",
        "K3 S0,S2 in 1 loops, block x32 y16, tiles 16,32,32",
    ];
    assert_eq!(summary(&run("elimination", &Options::default()).value), expected);
    let expected = [
        "K0 S0 in 0 loops, block x128, tiles 128",
        "K1 S1,S2 in 1 loops, block x32, tiles 64,32",
        "K2 S1 in 1 loops, block x128, tiles 128,32",
    ];
    assert_eq!(summary(&run("triangle", &ordered_by(AlgorithmKind::Blocked)).value), expected);
    // A point of a stencil needs its neighbours in other tiles, and a product has no loop that is blocked.
    for name in ["jacobi", "matmul"] {
        let messages = refusals(name, &ordered_by(AlgorithmKind::Blocked));
        assert!(
            messages[0].starts_with("E0305: `--algorithm blocked` cannot order this region"),
            "{messages:?}"
        );
    }
}

#[test]
fn statements_that_need_no_common_loops_can_be_kept_apart() {
    let wish = Wish::new(Target::default(), Wanted::Fusion(FusionKind::Cycles), "").unwrap();
    let options = Options { wishes: vec![wish], ..Options::default() };
    assert_eq!(
        summary(&run("matmul", &options).value),
        ["K0 S0 in 0 loops, block x64 y4, tiles 16,64", "K1 S1 in 0 loops, block x16 y16, tiles 64,64,16"]
    );
}

/// Only isl fuses. For an order that was found in another way, a wish for fusion is refused if it names the region.
#[test]
fn no_order_but_one_of_isl_is_taken_for_fused() {
    let wished = |region: Option<&str>| {
        let target = Target { region: region.map(str::to_owned), ..Target::default() };
        let wish = Wish::new(target, Wanted::Fusion(FusionKind::Cycles), "a test").unwrap();
        Options { wishes: vec![wish], ..Options::default() }
    };
    let name = &document("matmul").scops[0].model.name;
    let ordered = scheduler::order(document("matmul"), &wished(None)).unwrap().value;
    assert_eq!(ordered.scops[0].stage.fusion, Some(FusionKind::Cycles));
    assert!(scheduler::map(ordered, &wished(Some(name))).is_ok());

    let plain = scheduler::order(document("matmul"), &Options::default()).unwrap().value;
    let mapped = scheduler::map(plain.clone(), &wished(None)).unwrap().value;
    assert_eq!(mapped.scops[0].stage.mapping.answers[0].verdict, Verdict::NotMet);
    let Err(Diagnostics(messages)) = scheduler::map(plain, &wished(Some(name))) else {
        panic!("not refused")
    };
    let message = &messages[0].message;
    assert!(message.contains("was found in another way: isl, outermost loops parallel"), "{message}");
}

/// Returns what is printed for a document instead of the document.
fn printed(name: &str, options: &Options, what: Instead) -> String {
    scheduler::instead(&document(name), options, what).unwrap().value
}

#[test]
fn a_plan_is_decided_again() {
    for name in ["matmul", "jacobi", "wavefront", "skewed", "single", "sum", "elimination"] {
        let plan: Vec<Wish> =
            serde_json::from_str(&printed(name, &Options::default(), Instead::Plan)).unwrap();
        assert!(plan.len() > 1, "{name}");
        let mapping = |options: &Options| {
            let mut program = run(name, options).value;
            let scop = program.scops.remove(0);
            let schedule = scop.stage.ordered.schedule;
            (schedule, scop.stage.mapping)
        };
        let (expected, found) =
            (mapping(&Options::default()), mapping(&Options { wishes: plan, ..Options::default() }));
        assert_eq!(found.0, expected.0, "{name}");
        assert_eq!(found.1.tree, expected.1.tree, "{name}");
        let verdicts: Vec<Verdict> = found.1.answers.iter().map(|answer| answer.verdict).collect();
        assert!(verdicts.iter().all(|verdict| *verdict == Verdict::Met), "{name}: {:?}", found.1.answers);
    }
}

#[test]
fn the_axes_can_be_chosen() {
    let axes = |axes: &[Axis]| {
        let target = Target { kernel: Some(KernelId(0)), ..Target::default() };
        let wish = Wish::new(target, Wanted::Axes(axes.to_vec()), "a test").unwrap();
        Options { wishes: vec![wish], ..Options::default() }
    };
    let mapped = run("matmul", &axes(&[Axis::X, Axis::Y])).value;
    assert!(mapped.scops[0].stage.mapping.kernels[0].reasons[0].contains("loop 0 of the band runs along x"));
    let messages = refusals("matmul", &axes(&[Axis::X]));
    assert!(messages[0].ends_with("the axes x for K0 cannot be had: the axes y,x: 2 loops run in parallel"));
}

#[test]
fn the_search_space_has_all_orders_and_a_plan_for_each() {
    let space: serde_json::Value =
        serde_json::from_str(&printed("matmul", &Options::default(), Instead::Space)).unwrap();
    assert_eq!(space["constraints"]["most_threads_along"]["z"], 64);
    let orders = space["regions"][0]["orders"].as_array().unwrap();
    let names: Vec<&str> = orders.iter().map(|order| order["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ["isl_outer", "isl_apart", "isl_deep", "perfect", "source"]);
    assert_eq!(orders.iter().filter(|order| order["taken"] == true).count(), 1);
    for order in orders {
        assert!(order["microseconds"].as_f64().unwrap() > 0.0);
        let wishes: Vec<Wish> = serde_json::from_value(order["plan"].clone()).unwrap();
        run("matmul", &Options { wishes, ..Options::default() });
    }
}

#[test]
fn sizes_of_unknown_parameters_are_refused() {
    let sizes = [("m".to_owned(), 10.into()), ("q".to_owned(), 10.into())].into_iter().collect();
    let options = Options { sizes, ..Options::default() };
    let messages = refusals("matmul", &options);
    assert_eq!(messages, ["E0305: `--assume q=…` is for a parameter that no region has"]);
}

#[test]
fn orders_that_cannot_be_had_are_refused() {
    let options = ordered_by(AlgorithmKind::Levels);
    let messages = refusals("matmul", &options);
    assert_eq!(messages.len(), 1);
    assert!(messages[0].starts_with("E0305: `--algorithm levels` cannot order this region"), "{messages:?}");
}

#[test]
fn an_order_that_takes_too_long_to_find_is_not_considered() {
    run("many_pieces", &Options::default());
    let messages = refusals("many_pieces", &ordered_by(AlgorithmKind::Levels));
    assert!(messages[0].starts_with("E0305: `--algorithm levels` cannot order this region"), "{messages:?}");
}

/// Returns the messages with which a program is refused.
fn refusals(name: &str, options: &Options) -> Vec<String> {
    let Diagnostics(messages) = scheduler::run(document(name), options).err().unwrap();
    messages.iter().map(|message| format!("{}: {}", message.code, message.message)).collect()
}
