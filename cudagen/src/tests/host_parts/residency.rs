//! Memory that stays on the device between regions.

use super::*;

fn class(id: u32, memory: &[u32], bounded: bool) -> MemoryClass {
    MemoryClass {
        id: ClassId(id),
        memory: memory.iter().copied().map(MemoryId).collect(),
        bounded,
        foreign: false,
        announced: false,
    }
}

/// A program with a region that writes `a`, which is resident and is memory `M1`, and reads `b`.
fn resident(memory_of_b: &[u32], bounded: bool, on_host: &[Touch]) -> Program<Scanned> {
    let mut arrays = vec![pointer(0, "a", true, false), pointer(1, "b", true, false)];
    arrays[0].memory = vec![MemoryId(1)];
    arrays[1].memory = memory_of_b.iter().copied().map(MemoryId).collect();
    let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])];
    let mut program = document(arrays, &touches, on_host).program();
    program.scops[0].stage.placed.placement.device = vec![held(0, true)];
    let classes = vec![class(0, &[1], bounded), class(1, &[2], bounded)];
    program.residency = Some(ResidencyPlan { classes, actions: Vec::new() });
    program
}

/// The same with an action at the call of the region.
fn with_action(op: ActionOp) -> Program<Scanned> {
    let mut program = resident(&[3], false, &[]);
    let range = program.source.regions[0].range;
    let action = HostAction { range, position: Position::Statement, after: false, op, because: None };
    program.residency.iter_mut().for_each(|plan| plan.actions.push(action.clone()));
    program
}

fn place() -> HostPlace {
    HostPlace { address: "&a[1]".to_owned(), bytes: Some("sizeof(double) * n".to_owned()) }
}

#[test]
fn resident_arrays_are_reserved_and_copied_when_they_differ() {
    let mut program = resident(&[3], false, &[]);
    program.scops[0].stage.ast.body = block(vec![transfer(0, true), program.scops[0].stage.ast.body.clone()]);
    let text = generated(program);
    for words in [
        "namespace cuda_residency = c2cuda_residency_v2;",
        "static char cuda_classes[2];",
        "const cuda_residency::Slice resident[] = {{a, dev_a_bytes, cuda_classes + 0, false}}; \
         cuda_residency::reserve(resident); \
         double *dev_a = (double *)cuda_residency::memory(a);",
        "cuda_check(cuda_residency::allocate(&dev_b, dev_b_bytes));",
        "cuda_residency::needs(a, dev_a_bytes);",
        "cuda_residency::wrote(a, dev_a_bytes);",
        "cuda_check(cudaFree(dev_b)); cuda_residency::done(resident);",
    ] {
        says(&text, words);
    }
    for words in ["cudaMemcpy(a", "cudaMemcpy(dev_a", "cuda_residency::reads(b", "inline void reads("] {
        never_says(&text, words);
    }
    says(&generated(resident(&[3], true, &[])), "{{a, dev_a_bytes, cuda_classes + 0, true}}");
}

/// What the device may hold of an array that is not resident becomes valid on the host. Nothing is known of an array
/// without memory objects.
#[test]
fn other_arrays_that_the_device_may_hold_become_valid_on_the_host() {
    for memory in [&[2, 3][..], &[]] {
        says(&generated(resident(memory, false, &[])), "cuda_residency::reads(b, dev_b_bytes); const");
    }
    let mut program = resident(&[2], false, &[]);
    let accesses = &mut program.scops[0].model.statements[0].accesses;
    accesses[1].kind = WRITE;
    says(&generated(program), "cuda_residency::writes(b, dev_b_bytes); const");
    let mut program = resident(&[], false, &[]);
    program.scops[0].model.arrays[1].apart = true;
    never_says(&generated(program), "cuda_residency::reads(b");
}

/// The host uses the array where C keeps it.
#[test]
fn arrays_that_the_host_uses_do_not_stay() {
    let text = generated(resident(&[3], false, &[(0, READ, MUST, "[n, m] -> { S1[] -> A0[m] }")]));
    says(&text, "cuda_residency::writes(a");
    never_says(&text, "cuda_residency::reserve(resident)");
}

/// The original code of the region then runs on the host.
#[test]
fn functions_that_decline_make_their_arrays_valid_on_the_host() {
    let end = "return 0;";
    let writes = "cuda_residency::writes_class(cuda_classes + 0);";
    says(&generated(resident(&[3], false, &[])), &format!("{{ {writes} {end}"));
    let reads = "cuda_residency::reads_class(cuda_classes + 1);";
    says(&generated(resident(&[2], false, &[])), &format!("{{ {writes} {reads} {end}"));
    says(
        &generated(resident(&[], false, &[])),
        &format!("{{ {writes} cuda_residency::reads_class(NULL); {end}"),
    );
    let mut program = resident(&[3], false, &[]);
    program.scops[0].model.arrays[0].memory.clear();
    says(&generated(program), &format!("{{ cuda_residency::writes_class(NULL); {end}"));
}

#[test]
fn host_code_calls_functions_with_names_of_their_own() {
    let class = ClassId(1);
    let actions = [
        (ActionOp::Begin, "begin()", "begin_interval()"),
        (ActionOp::End, "end()", "end_interval()"),
        (ActionOp::Leave, "leave()", "leave_interval()"),
        (ActionOp::Back, "back()", "return_to_interval()"),
        (ActionOp::Reads { place: place() }, "reads(&a[1], sizeof(double) * n)", "reads(start, bytes)"),
        (ActionOp::Writes { place: place() }, "writes(&a[1], sizeof(double) * n)", "writes(start, bytes)"),
        (
            ActionOp::Overwrites { place: place() },
            "overwrites(&a[1], sizeof(double) * n)",
            "overwrites(start, bytes)",
        ),
        (
            ActionOp::ReadsClass { class },
            "reads_class(1)",
            "reads_class(memory_class < 0 ? NULL : cuda_classes + memory_class)",
        ),
        (
            ActionOp::WritesClass { class },
            "writes_class(1)",
            "writes_class(memory_class < 0 ? NULL : cuda_classes + memory_class)",
        ),
        (ActionOp::Frees { pointer: "a".to_owned() }, "frees((void *)a)", "frees(pointer)"),
        (
            ActionOp::Forget { place: place() },
            "forget((void *)&a[1], sizeof(double) * n)",
            "forget(start, bytes)",
        ),
        (
            ActionOp::Release { place: place() },
            "release((void *)&a[1], sizeof(double) * n)",
            "release(start, bytes)",
        ),
    ];
    for (op, call, body) in actions {
        let generated = run(with_action(op), SOURCE.as_bytes(), Target::Cuda, false).unwrap().value;
        let name = call.split('(').next().unwrap();
        let host = String::from_utf8(generated.host).unwrap();
        says(&host, &format!("{{\n    f_host_{call};\n    "));
        let kernels = in_one_line(&generated.kernels);
        says(&kernels, &format!("{{ cuda_residency::{body}; }}"));
        says(&kernels, &format!("inline void {}(", body.split('(').next().unwrap()));
        says(&generated.header, &format!("void f_host_{name}("));
        assert_eq!(generated.header.matches("f_host_").count(), 1, "{}", generated.header);
    }
}

#[test]
fn memory_of_unknown_length_is_refused() {
    let place = HostPlace { bytes: None, ..place() };
    let error =
        run(with_action(ActionOp::Forget { place }), SOURCE.as_bytes(), Target::Cuda, false).unwrap_err();
    assert!(error.0[0].message.contains("does not say how long"), "{error:?}");
}

#[test]
fn comparisons_and_documents_without_a_plan_transfer_in_each_region() {
    let verified = run(with_action(ActionOp::Begin), SOURCE.as_bytes(), Target::Cuda, true).unwrap().value;
    let mut unplanned = resident(&[2], false, &[]);
    unplanned.residency = None;
    let unplanned = run(unplanned, SOURCE.as_bytes(), Target::Cuda, false).unwrap().value;
    for generated in [verified, unplanned] {
        never_says(&generated.kernels, "residency");
        never_says(&generated.header, "f_host_");
        never_says(std::str::from_utf8(&generated.host).unwrap(), "f_host_");
        says(&in_one_line(&generated.kernels), "cudaMemcpy(a, dev_a, dev_a_bytes, cudaMemcpyDeviceToHost)");
    }
}

/// Functions that run while the program ends get the newest values.
#[test]
fn memory_is_copied_back_at_the_end_only_if_code_runs_then() {
    let copies = "table().copies_back_at_exit = true;";
    never_says(&generated(resident(&[3], false, &[])), copies);
    let mut program = resident(&[3], false, &[]);
    let source = format!("{SOURCE}__attribute__((__destructor__)) static void last(void) {{}}\n");
    program.source.hash = hash_text(source.as_bytes());
    let text = run(program, source.as_bytes(), Target::Cuda, false).unwrap().value.kernels;
    says(&in_one_line(&text), copies);
}

/// A plan without resident arrays in regions with kernels has no effect.
#[test]
fn regions_on_the_host_need_no_table() {
    let mut program = with_action(ActionOp::Begin);
    program.scops[0].stage.ast.body = block(Vec::new());
    let text = generated(program);
    never_says(&text, "residency");
    never_says(&text, "f_host_");
}
