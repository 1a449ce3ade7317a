//! Tests where gpulocalizer places the data of small programs. `scheduler/tests/remake` regenerates the documents.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use gpulocalizer::{Options, ReportFormat};
use scop::wish::{MemoryKind, Target, TransferKind};
use scop::{Placed, Program, Scheduled, Wanted, Wish, from_json, to_json, verify};

fn document(name: &str) -> Program<Scheduled> {
    let path = format!("{}/tests/documents/{name}.json", env!("CARGO_MANIFEST_DIR"));
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn run(name: &str, options: &Options) -> Program<Placed> {
    let placed = gpulocalizer::run(document(name), options).unwrap().value;
    assert_eq!(verify::verify(&placed), []);
    let text = to_json(&placed).unwrap();
    assert!(from_json::<Placed>(&text).unwrap() == placed, "{name} does not survive a round trip");
    placed
}

/// Returns options that ask for `wanted` everywhere.
fn asking(wanted: Wanted) -> Options {
    let wishes = vec![Wish::new(Target::default(), wanted, "a test").unwrap()];
    Options { wishes, ..Options::default() }
}

/// Returns one line for each buffer: `K0 shared_A 16x32 of 1 accesses`.
fn buffers(program: &Program<Placed>) -> Vec<String> {
    let kernels = program.scops[0].stage.placement.kernels.iter();
    kernels
        .flat_map(|kernel| kernel.buffers.iter().map(move |buffer| (kernel.kernel, buffer)))
        .map(|(kernel, buffer)| {
            let sizes: Vec<String> = buffer.sizes.iter().map(ToString::to_string).collect();
            format!("{kernel} {} {} of {} accesses", buffer.name, sizes.join("x"), buffer.accesses.len())
        })
        .collect()
}

/// Returns one line for each array in the device's memory: `A in out`.
fn transfers(program: &Program<Placed>) -> Vec<String> {
    let scop = &program.scops[0];
    let crosses = |elements: &str| !elements.contains("false");
    scop.stage
        .placement
        .device
        .iter()
        .map(|device| {
            let mut line = scop.model.arrays[device.array.index()].name.clone();
            for (elements, word) in [(&device.copy_in, " in"), (&device.copy_out, " out")] {
                line += if crosses(&elements.0) { word } else { "" };
            }
            line
        })
        .collect()
}

#[test]
fn elements_that_are_read_often_are_shared_and_own_ones_private() {
    let cases: &[(&str, &[&str])] = &[
        (
            "matmul",
            &[
                "K0 private_C  of 4 accesses",
                "K0 shared_A 16x32 of 1 accesses",
                "K0 shared_B 32x32 of 1 accesses",
            ],
        ),
        ("jacobi", &[]),
        ("wavefront", &[]),
        ("column", &[]),
        ("reduction", &["K0 shared_x 32 of 1 accesses", "K0 private_sum  of 4 accesses"]),
    ];
    for (name, expected) in cases {
        let mut found = buffers(&run(name, &Options::default()));
        let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{name}");
    }
}

/// The cache serves the three points of a stencil, unless the user asks for shared memory.
#[test]
fn what_is_read_a_few_times_is_shared_if_that_is_asked_for() {
    let placed = run("jacobi", &asking(Wanted::Memory(MemoryKind::Shared)));
    assert_eq!(buffers(&placed), ["K0 shared_A 130 of 3 accesses", "K1 shared_B 130 of 3 accesses"]);
    let target = Target { array: Some("A".to_owned()), ..Target::default() };
    let of_a = Wish::new(target, Wanted::Memory(MemoryKind::Global), "a test").unwrap();
    let all = Wish::new(Target::default(), Wanted::Memory(MemoryKind::Shared), "a test").unwrap();
    let placed = run("jacobi", &Options { wishes: vec![of_a, all], ..Options::default() });
    assert_eq!(buffers(&placed), ["K1 shared_B 130 of 3 accesses"]);
    // A sum stays in registers.
    let placed = run("matmul", &asking(Wanted::Memory(MemoryKind::Shared)));
    assert!(buffers(&placed).contains(&"K0 private_C  of 4 accesses".to_owned()), "{:?}", buffers(&placed));
}

#[test]
fn arrays_cross_the_bus_as_far_as_they_are_needed() {
    let cases: &[(&str, &[&str])] = &[
        ("matmul", &["A in", "B in", "C in out"]),
        ("jacobi", &["A in out", "B in out"]),
        ("column", &["A in out"]),
        ("reduction", &["A in", "x in", "y out"]),
        ("single", &["a out", "b in out"]),
        ("recurrence", &[]),
    ];
    let in_slices = asking(Wanted::Transfer(TransferKind::PerArray));
    for (name, expected) in cases {
        let mut found = transfers(&run(name, &in_slices));
        found.sort();
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn numbered_elements_that_are_all_written_need_not_go_to_the_device() {
    let placed = run("column", &asking(Wanted::Transfer(TransferKind::Linearized)));
    let array = &placed.scops[0].stage.placement.device[0];
    if array.numbering.is_none() {
        return eprintln!("not tested: {}", array.reason);
    }
    assert_eq!(transfers(&placed), ["A out"]);
}

#[test]
fn transfers_stand_outside_loops_on_the_host() {
    let placed = run("jacobi", &asking(Wanted::Memory(MemoryKind::Shared)));
    let schedule = placed.scops[0].stage.placement.tree.0.clone();
    let indent = |what: &str| {
        let line = schedule.lines().find(|line| line.contains("filter") && line.contains(what));
        line.map(|line| line.len() - line.trim_start().len())
    };
    assert!(indent("to_device_A0").unwrap() < indent("copy_in_B0").unwrap());
    assert_eq!(indent("to_device_A0"), indent("from_device_A0"));
}

#[test]
fn host_code_between_kernels_gets_what_it_uses() {
    let schedule = run("mixed", &Options::default()).scops[0].stage.placement.tree.0.clone();
    let host = schedule.find("mark: \"host\"").unwrap();
    let before = schedule[..host].matches("from_device_A0[").count();
    assert!(before > 0, "{schedule}");
}

#[test]
fn shared_memory_is_limited() {
    let placed = run("matmul", &asking(Wanted::SharedMemory(5000)));
    assert_eq!(placed.scops[0].stage.placement.kernels[0].shared_bytes, 16 * 32 * 8);
    let placed = run("matmul", &asking(Wanted::SharedMemory(9000)));
    assert_eq!(placed.scops[0].stage.placement.kernels[0].shared_bytes, 16 * 32 * 8, "B has 8192 bytes");
    let placed = run("matmul", &asking(Wanted::Avoid(MemoryKind::Shared)));
    assert_eq!(placed.scops[0].stage.placement.kernels[0].shared_bytes, 0);
}

#[test]
fn the_report_says_what_is_where_and_why() {
    let report =
        |format| gpulocalizer::report(document("matmul"), &Options::default(), format).unwrap().value;
    let text = report(ReportFormat::Text);
    for line in [
        "  kernel K0, lines 6, 8",
        "    32 x 16 threads, 12288 bytes of shared memory: 2 blocks on a multiprocessor, 100 % of its threads (limit: threads)",
        "    C, 4 references: registers, one element, 8 bytes, n * m elements in all; each thread touches one element of its own",
        "      to it    n * p elements: [n, m, p] -> { A1[i0, i1] : m > 0 and 0 <= i0 < n and 0 <= i1 < p }",
    ] {
        assert!(text.lines().any(|other| other == line), "no line {line:?} in\n{text}");
    }
    let transfers = report(ReportFormat::Transfers);
    assert!(
        transfers.contains("  B\n    to the device: m * p elements of 8 bytes, read in line 8\n"),
        "{transfers}"
    );
    assert!(!transfers.contains("kernel"), "{transfers}");
    let json: serde_json::Value = serde_json::from_str(&report(ReportFormat::Json)).unwrap();
    let uses = json["regions"][0]["kernels"][0]["uses"].as_array().unwrap();
    let shared: Vec<_> = uses.iter().filter(|used| used["memory"] == "shared").collect();
    assert_eq!(shared.iter().map(|used| used["elements"].as_u64().unwrap()).sum::<u64>(), 16 * 32 + 32 * 32);
}
