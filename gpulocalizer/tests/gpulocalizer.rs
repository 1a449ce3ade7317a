//! Tests where gpulocalizer places the data of small programs. `scheduler/tests/remake` regenerates the documents.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use gpulocalizer::{Options, ReportFormat};
use scop::wish::{MemoryKind, Target, TransferKind};
use scop::{
    DeviceArray, DeviceMemory, Layout, Placed, Program, Scheduled, Wanted, Wish, from_json, to_json, verify,
};

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

/// Returns the layout of a buffer.
fn layout(program: &Program<Placed>, name: &str) -> Layout {
    let mut buffers = program.scops[0].stage.placement.kernels.iter().flat_map(|kernel| &kernel.buffers);
    buffers.find(|buffer| buffer.name == name).unwrap().layout.clone()
}

/// 159 elements are in use at a time. With 256 places, the remainder of an index is a bitwise *and*.
#[test]
fn the_size_of_a_ring_is_a_power_of_two() {
    let placed = run("window", &Options::default());
    assert_eq!(layout(&placed, "shared_x"), Layout::Ring { padding: 0 });
    assert!(buffers(&placed).contains(&"K0 shared_x 256 of 1 accesses".to_owned()), "{:?}", buffers(&placed));
}

/// The computation alone would have no conflicts without padding, but the copy, whose warps fill parts of two rows,
/// would.
#[test]
fn rows_are_padded_for_copies_as_well() {
    let placed = run("product", &Options::default());
    let padding = |name: &str| layout(&placed, name);
    assert_eq!(padding("shared_A"), Layout::Box { padding: 0 });
    assert_eq!(padding("shared_B"), Layout::Box { padding: 16 });
}

#[test]
fn columns_are_shared_although_their_elements_are_read_twice_only() {
    assert_eq!(buffers(&run("transposed", &Options::default())), ["K0 shared_a 64x17 of 2 accesses"]);
}

/// Returns an array in the device's memory.
fn device<'a>(program: &'a Program<Placed>, name: &str) -> &'a DeviceArray {
    let scop = &program.scops[0];
    let is_it = |device: &&DeviceArray| scop.model.arrays[device.array.index()].name == name;
    scop.stage.placement.device.iter().find(is_it).unwrap()
}

/// The warps of every kernel count, not only those of the first.
#[test]
fn what_each_thread_of_some_kernel_reads_differently_is_not_in_constant_memory() {
    let placed = run("constant", &Options::default());
    assert_eq!(device(&placed, "v").memory, DeviceMemory::Argument);
    assert_eq!(device(&placed, "w").memory, DeviceMemory::Global);
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

/// The host reads `a`, which a kernel writes, and `w`, and it writes `b`.
#[test]
fn host_code_does_not_get_back_what_kernels_only_read() {
    let placed = run("sample", &Options::default());
    let parts = ["a", "b", "w"].map(|name| device(&placed, name).parts.len());
    assert_eq!(parts, [1, 1, 0]);
    let tree = &placed.scops[0].stage.placement.tree.0;
    let moves = |way: &str, name: &str| tree.contains(&format!("{way}_{}_", device(&placed, name).array));
    assert_eq!(["a", "b", "w"].map(|name| moves("from_device", name)), [true, false, false], "{tree}");
    assert_eq!(["a", "b", "w"].map(|name| moves("to_device", name)), [false, true, false], "{tree}");
}

#[test]
fn what_nobody_uses_between_two_boxes_is_not_transferred() {
    let placed = run("halves", &Options::default());
    let boxes = device(&placed, "x").boxes.as_ref().map(|boxes| boxes.to_device.len());
    assert_eq!(boxes, Some(2), "{}", device(&placed, "x").reason);
}

#[test]
fn slices_begin_with_the_first_row_in_use() {
    let placed = run("part", &Options::default());
    let DeviceArray { lower, extent, .. } = device(&placed, "A");
    assert!(lower.0.ends_with("[(first)] }"), "{lower:?}");
    assert!(extent.0.ends_with("[(-first + end)] }"), "{extent:?}");
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
        transfers.contains("  B\n    to the device: p * m elements of 8 bytes, read in line 8\n"),
        "{transfers}"
    );
    assert!(!transfers.contains("kernel"), "{transfers}");
    let json: serde_json::Value = serde_json::from_str(&report(ReportFormat::Json)).unwrap();
    let uses = json["regions"][0]["kernels"][0]["uses"].as_array().unwrap();
    let shared: Vec<_> = uses.iter().filter(|used| used["memory"] == "shared").collect();
    assert_eq!(shared.iter().map(|used| used["elements"].as_u64().unwrap()).sum::<u64>(), 16 * 32 + 32 * 32);
}
