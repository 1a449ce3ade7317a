//! The instructions of small programs (`tests/sass/make` makes their listings and profiles), counted by hand.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Output};

use gpu::counts::{Profile, profile};
use gpu::sass::{Class, KernelWork, Latencies, Listing, ListingError, tables, work};
use gpu::target::{Rates, read_gpu};

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sass").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the profile of a program.
fn profile(name: &str) -> Profile {
    profile::read(&text(&format!("{name}.json"))).unwrap()
}

/// Returns the rates of an H100.
fn rates() -> Rates {
    read_gpu(include_str!("../../../targets/h100.json")).unwrap().rates
}

/// Returns what the only kernel of a program executes.
fn kernel(name: &str) -> KernelWork {
    let listing = Listing::parse(&text(&format!("{name}.listing"))).unwrap();
    let mut found = work(&listing, &profile(name), &rates()).unwrap();
    assert!(found.missing.is_empty());
    assert_eq!(found.kernels.len(), 1);
    found.kernels.remove(0)
}

/// Returns the executions of the block that begins at an address, by one warp on average.
fn executions(kernel: &KernelWork, address: u64) -> f64 {
    let block = kernel.blocks.iter().find(|block| block.address == address).unwrap();
    block.executions as f64 / kernel.warps as f64
}

/// Twelve iterations are three of the loop that nvcc has unrolled by four, and none of the loop for the rest. The
/// product of the line's executions and its instructions would be 12 * (4 + 1) loads.
#[test]
fn unrolled_loops_run_less_often() {
    let kernel = kernel("unrolled");
    assert_eq!(kernel.warps, 3);
    assert_eq!(executions(&kernel, 0x150), 3.0);
    assert_eq!(executions(&kernel, 0x2a0), 0.0);
    // 10 + 7 + 4 before the loop, 3 * 16 in it, 1 + 3 + 1 after it.
    assert_eq!(kernel.instructions.all, 3 * (10 + 7 + 4 + 3 * 16 + 1 + 3 + 1));
    assert_eq!(kernel.instructions.of(Class::GlobalLoad), 3 * 12);
    assert_eq!(kernel.instructions.of(Class::Fp32), 3 * 12);
    assert_eq!(kernel.instructions.of(Class::GlobalStore), 3);
    assert_eq!(kernel.registers, 16);
    assert!(kernel.misfits.is_empty());
    let hot = kernel.hot_loop.unwrap();
    assert_eq!((hot.iterations, hot.instructions.all), (3 * 3, 3 * 3 * 16));
}

/// The four loads of an iteration are on their way together.
#[test]
fn independent_loads_are_in_flight_together() {
    let unrolled = kernel("unrolled");
    assert!((3.5..=4.0).contains(&unrolled.loads_in_flight), "{}", unrolled.loads_in_flight);
    // Three times the latency of a load, and four dependent sums each.
    let latencies = Latencies::of_kernel(&profile("unrolled").kernels[0].counts, &rates());
    assert!(unrolled.warp_cycles > 3.0 * (latencies.global + 4.0 * latencies.arithmetic));
    let predicated = kernel("predicated");
    assert_eq!(predicated.loads_in_flight, 1.0);
}

/// The store is issued by all four warps, though only two have lanes that store.
#[test]
fn predicated_instructions_are_issued() {
    let kernel = kernel("predicated");
    assert_eq!(kernel.instructions.all, 4 * 14);
    assert_eq!(kernel.instructions.of(Class::GlobalStore), 4 * 2);
    assert!(kernel.misfits.is_empty());
}

/// Two of three warps take both ways, and their parts go on together.
#[test]
fn divergent_warps_take_both_ways() {
    let kernel = kernel("divergent");
    let counts: Vec<u64> = kernel.blocks.iter().map(|block| block.executions).collect();
    assert_eq!(counts, [3, 2, 3, 3, 3, 3]);
    assert_eq!(kernel.instructions.all, 3 * (12 + 12 + 1 + 1 + 1) + 2 * 8);
    assert!(kernel.misfits.is_empty());
}

/// A number of 16 bytes is one load, and each barrier one instruction. The kernel has the sum over a tile seven times:
/// unrolled by four, by two, and once; what runs of it adds up to three tiles.
#[test]
fn products_of_tiles_are_counted() {
    let kernel = kernel("product");
    let warps = 9 * 8;
    assert_eq!(kernel.warps, warps);
    let tiles: f64 = [(0x270, 4.0), (0x11b0, 2.0), (0x1970, 1.0)]
        .map(|(address, tiles)| tiles * executions(&kernel, address))
        .iter()
        .sum();
    assert_eq!(tiles, 3.0);
    assert_eq!(kernel.instructions.of(Class::Fp32), warps * 2 * 48);
    assert_eq!(kernel.instructions.of(Class::Barrier), warps * 2 * 3);
    let loads = &kernel.instructions.widths[&Class::SharedLoad];
    assert_eq!((loads[&4], loads[&16]), (warps * 48, warps * 48 / 4));
    // 15 + 22 before the tiles, 122 and 58 for two and for one, 3 + 2 + 1 + 1 between and after them.
    let by_hand = (warps * (15 + 22 + 3 + 122 + 2 + 58 + 1 + 1)) as f64;
    let all = kernel.instructions.all as f64;
    assert!((all / by_hand - 1.0).abs() < 0.03, "{all} of {by_hand}");
    assert_eq!(kernel.shared_bytes, 3072);
    assert!(kernel.misfits.is_empty());
}

/// The loops of the copy make 3/2, 3/2 and 2 iterations: 9/4 entries of the innermost one, of which none reaches the
/// iterations of the versions that are unrolled by four, eight and sixteen. Of 23 steps, five times four run in the
/// unrolled version, and the rest in the other.
#[test]
fn versions_of_a_loop_take_the_iterations_that_fit() {
    let kernel = kernel("staged");
    let copy = [(0x60, 1.0), (0x100, 1.5), (0x190, 2.25), (0x230, 2.25)];
    let unrolled = [(0x360, 0.0), (0x420, 0.0), (0x6d0, 0.0), (0x850, 0.0)];
    let steps = [(0xa40, 1.0), (0xaa0, 5.0), (0xc80, 5.0), (0x1000, 1.0), (0x1010, 3.0)];
    for (address, expected) in copy.into_iter().chain(unrolled).chain(steps) {
        assert_eq!(executions(&kernel, address), expected, "{address:x}");
    }
    // Before the copy, in its loops (of the innermost one, the first iteration and the second), and after it; the
    // steps: before, in, and between their loops, and the end.
    let copy =
        16.0 + 1.5 * (3.0 + 6.0 + 1.0 + 3.0) + 2.25 * (3.0 + 7.0 + 10.0 + 7.0 + 1.0 + 1.0 + 1.0 + 3.0) + 1.0;
    let four = 12.0 + 4.0 * (14.0 + 1.0) + 3.0 * 3.0 + 1.0 + 2.0;
    let steps = 5.0 + 9.0 + 6.0 + 5.0 * four + 2.0 + 1.0 + 3.0 * (5.0 + 17.0 + 1.0 + 3.0);
    let by_hand = 16.0 * (copy + steps + 7.0 + 1.0);
    let all = kernel.instructions.all as f64;
    assert!((all / by_hand - 1.0).abs() < 0.02, "{all} of {by_hand}");
}

/// The slow path of a division by a constant has the only special function, and does not run: 20 instructions, and the
/// three that end the kernel.
#[test]
fn slow_paths_are_no_evidence_of_divisions() {
    let kernel = kernel("divided");
    assert_eq!((executions(&kernel, 0x140), executions(&kernel, 0x1a0)), (0.0, 0.0));
    assert_eq!(kernel.instructions.all, 2 * (20 + 3));
    assert_eq!(kernel.instructions.of(Class::Special), 0);
    assert!(kernel.misfits.is_empty());
}

/// The sums over the lines are those of the kernel, and so are those over the blocks.
#[test]
fn lines_and_blocks_add_up() {
    for name in ["unrolled", "predicated", "divergent", "product", "staged", "divided"] {
        let kernel = kernel(name);
        assert_eq!(
            kernel.lines.iter().map(|line| line.instructions.all).sum::<u64>(),
            kernel.instructions.all
        );
        let blocks = kernel.blocks.iter().map(|block| block.executions * block.length).sum::<u64>();
        assert_eq!(blocks, kernel.instructions.all, "{name}");
        assert!(kernel.unknown.is_empty(), "{name}: {:?}", kernel.unknown);
    }
}

/// The table names the kernel, its classes and its hot loop.
#[test]
fn tables_are_for_people() {
    let table = tables(&[kernel("unrolled")]);
    assert!(
        table.starts_with("sums: 3 warps, 16 registers, 0 bytes of shared memory, 0 spills; "),
        "{table}"
    );
    assert!(table.contains("\n  global_load        36   12.00          4.00        4: 36\n"), "{table}");
    assert!(table.contains("\n  hot loop at unrolled.cu:"), "{table}");
}

/// Listings that cannot be used are refused with a reason.
#[test]
fn unusable_input_is_refused() {
    assert_eq!(Listing::parse("").unwrap_err(), ListingError::Empty);
    let plain: String = text("predicated.listing")
        .lines()
        .filter(|line| !line.contains("//##"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(Listing::parse(&plain).unwrap_err(), ListingError::NoLines);
    let malformed = text("predicated.listing").replace("EXIT ;", "@P0 ;");
    assert!(matches!(Listing::parse(&malformed).unwrap_err(), ListingError::Malformed { .. }));
}

const H100: &str = "../../../../targets/h100.json";
const COMMON: &str = "../../../../targets/common.json";

/// Runs `gpu-sass` in the folder of the programs.
fn gpu_sass(arguments: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sass");
    Command::new(env!("CARGO_BIN_EXE_gpu-sass")).current_dir(folder).args(arguments).output().unwrap()
}

/// The executable prints a table or JSON, and says what it cannot use.
#[test]
fn the_executable_prints_or_refuses() {
    let run = |listing: &str, profile: &str, more: &[&str]| {
        let output =
            gpu_sass(&[&["--cubin-listing", listing, "--profile", profile, "--target", H100], more].concat());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (status, table, _) = run("product.listing", "product.json", &[]);
    assert_eq!(status, Some(0));
    assert!(table.starts_with("product: 72 warps"), "{table}");
    let (_, json, _) = run("product.listing", "product.json", &["--json"]);
    assert!(json.contains("\"symbol\": \"_Z7productiPKfS0_Pf\""), "{json}");
    for (listing, profile, status, message) in [
        ("missing", "product.json", 1, "gpu-sass: missing: No such file"),
        ("product.json", "product.json", 1, "gpu-sass: product.json: there are no instructions"),
        (
            "product.listing",
            H100,
            1,
            "gpu-sass: ../../../../targets/h100.json: this is no profile of cudasim",
        ),
        ("product.listing", "unrolled.json", 1, "gpu-sass: warning: the listing has no kernel 'sums'"),
    ] {
        let (code, _, said) = run(listing, profile, &[]);
        assert_eq!(code, Some(status), "{said}");
        assert!(said.starts_with(message), "{said}");
    }
    assert_eq!(gpu_sass(&["--profile"]).status.code(), Some(2));
    let without_rates =
        ["--cubin-listing", "product.listing", "--profile", "product.json", "--target", COMMON];
    let refused = String::from_utf8(gpu_sass(&without_rates).stderr).unwrap();
    assert!(refused.contains("common.json: missing field"), "{refused}");
}
