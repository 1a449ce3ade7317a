//! Schedules that respect the dependences, and schedules that violate them.

use crate::support::{Region, extracted, nest, statement};
use polyhedra::{Set, Text, tuple_name};
use scop::{
    Axis, BlockDimension, Diagnostic, Extracted, GridDimension, HostStatement, IslPwAff, IslSchedule, IslSet,
    Kernel, KernelId, Mapping, Ordered, Program, Scheduled, Statement, StatementId,
};

/// Checks a tree, in isl's notation without its domain, for a region.
fn checked(region: &Region, tree: &str) -> Vec<Diagnostic> {
    checked_program(extracted(region), tree)
}

/// Checks a tree for a program with one region.
fn checked_program(program: Program<Extracted>, tree: &str) -> Vec<Diagnostic> {
    let analysed = candl_rs::run(program).unwrap().value;
    let program: Program<Scheduled> = analysed
        .try_map(|scop| {
            let dead = &scop.stage.dependences.dead;
            let is_scheduled = |s: &&Statement| !dead.contains(&s.id) || tree.contains(&format!("{}[", s.id));
            let statements: Vec<&Statement> = scop.model.statements.iter().filter(is_scheduled).collect();
            let domains: Vec<_> = statements.iter().map(|s| Set::parse(&s.domain.0).unwrap()).collect();
            let texts: Vec<String> = domains.iter().map(|set| set.text().unwrap()).collect();
            assert!(domains.iter().all(|set| tuple_name(set).unwrap().is_some()));
            let inner: Vec<&str> =
                texts.iter().map(|t| t.split_once("{ ").unwrap().1.trim_end_matches(" }")).collect();
            let mapped = IslSchedule(format!(
                "domain: \"[n] -> {{ {} }}\"\nchild:\n{}",
                inner.join("; "),
                with_tile(tree)
            ));
            let mapping = mapping(&statements, mapped, tree.contains("kernel_K0"));
            let schedule = scop.model.order.clone();
            let (scop, analysed) = scop.apart();
            let ordered = Ordered {
                analysed,
                schedule,
                scheduled_by: None,
                algorithm: None,
                fusion: None,
                variant: None,
            };
            Ok::<_, String>(scop.with(Scheduled { ordered, mapping }))
        })
        .unwrap();
    assert_eq!(scop::verify::verify(&program), [], "{tree}");
    let findings = proof::check(candl_rs::NAME, &program);
    findings.refuted.into_iter().chain(findings.undecided.into_values()).collect()
}

/// Adds a tile mark directly below the kernel mark of a tree, if there is one.
fn with_tile(tree: &str) -> String {
    match tree.split_once("\n  child:\n") {
        Some((mark, below)) if mark.contains("kernel_K0") => {
            let below: Vec<String> = below.lines().map(|line| format!("  {line}")).collect();
            format!("{mark}\n  child:\n    mark: \"tile\"\n    child:\n{}", below.join("\n"))
        }
        _ => tree.to_owned(),
    }
}

/// Returns a mapping with one kernel (one dimension of blocks and one of 32 threads), or with everything on the
/// host.
fn mapping(statements: &[&Statement], tree: IslSchedule, kernel: bool) -> Mapping {
    let statements = statements.iter().map(|statement| statement.id);
    let text = |text: &str| IslPwAff(text.to_owned());
    let (lower, extent) = (text("{ [] -> [(0)] }"), text("[n] -> { [] -> [(n)] }"));
    let on_host = |statement| HostStatement { statement, reason: String::new() };
    Mapping {
        threshold: None,
        tree,
        host: if kernel { Vec::new() } else { statements.clone().map(on_host).collect() },
        kernels: Vec::from_iter(kernel.then(|| Kernel {
            id: KernelId(0),
            statements: statements.collect(),
            host_depth: 0,
            grid: vec![GridDimension { axis: Axis::X, lower, extent }],
            ranked: None,
            block: vec![BlockDimension { axis: Axis::X, size: 32 }],
            shared_sums: Vec::new(),
            loading: None,
            ahead: false,
            priced: None,
            tile_sizes: Vec::new(),
            reasons: Vec::new(),
        })),
        answers: Vec::new(),
    }
}

/// Asserts which codes the messages about each of several trees have, without repetition.
fn expect(region: &Region, trees: &[(&str, &[&str])]) {
    for (tree, expected) in trees {
        let mut codes: Vec<String> = checked(region, tree).into_iter().map(|message| message.code).collect();
        codes.dedup();
        assert_eq!(&codes, expected, "{tree}");
    }
}

#[test]
fn on_the_host_every_instance_waits_for_those_before() {
    let stencil = Region::new(vec![nest(
        "i",
        "1",
        "n",
        vec![nest("j", "1", "n - 1", vec![statement("A[i, j] = A[i - 1, j + 1]")])],
    )]);
    expect(
        &stencil,
        &[
            (r#"  schedule: "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]""#, &[]),
            (r#"  schedule: "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(-j)] }]""#, &[]),
            (r#"  schedule: "[{ S0[i, j] -> [(i + j)] }, { S0[i, j] -> [(i)] }]""#, &[]),
            (r#"  schedule: "[{ S0[i, j] -> [(-i)] }, { S0[i, j] -> [(j)] }]""#, &["E0201"]),
            (r#"  schedule: "[{ S0[i, j] -> [(j)] }, { S0[i, j] -> [(i)] }]""#, &["E0201"]),
            (r#"  schedule: "[{ S0[i, j] -> [(i + j)] }]""#, &["E0201"]),
        ],
    );
}

/// The only parameters for which a dependence is violated exceed 64 bits, so nothing can be decided.
#[test]
fn numbers_may_be_too_large_to_tell() {
    let chain = Region::new(vec![nest("i", "1", "n", vec![statement("A[i] = A[i - 1]")])]);
    for (n, code) in [("30", "E0201"), ("100000000000000000000", "E0017")] {
        let mut program = extracted(&chain);
        program.scops[0].model.context = IslSet("[n] -> { : }".to_owned());
        let tree =
            format!("  schedule: \"[n] -> [{{ S0[i] -> [(i)] : n < {n}; S0[i] -> [(-i)] : n >= {n} }}]\"");
        let codes: Vec<String> = checked_program(program, &tree).into_iter().map(|d| d.code).collect();
        assert_eq!(codes, [code]);
    }
}

#[test]
fn statements_wait_for_those_before_them() {
    let chain = Region::new(vec![
        nest("i", "0", "n", vec![statement("A[i] = ")]),
        nest("i", "0", "n", vec![statement("B[i] = A[i]")]),
    ]);
    let halves = |kind: &str, first: &str, second: &str| {
        format!("  {kind}:\n  - filter: \"{{ {first} }}\"\n  - filter: \"{{ {second} }}\"")
    };
    let halves_in_loop = |first: &str, second: &str| {
        format!(
            "  schedule: \"[{{ S0[i] -> [(i)]; S1[i] -> [(i)] }}]\"\n  child:\n    sequence:\n    \
             - filter: \"{{ {first} }}\"\n    - filter: \"{{ {second} }}\""
        )
    };
    expect(
        &chain,
        &[
            (&halves("sequence", "S0[i]", "S1[i]"), &[]),
            (&halves_in_loop("S0[i]", "S1[i]"), &[]),
            (&halves("sequence", "S1[i]", "S0[i]"), &["E0201"]),
            (&halves_in_loop("S1[i]", "S0[i]"), &["E0201"]),
            (&halves("set", "S0[i]", "S1[i]"), &["E0201"]),
            (&halves("sequence", "S0[i]; S1[i] : i < 2", "S1[i] : i >= 2"), &["E0201"]),
            (&halves("sequence", "S0[i]", "S0[i]; S1[i]"), &["E0204", "E0201"]),
        ],
    );
}

/// Returns a kernel whose blocks filter the instances by `block` and whose threads filter them by `thread`. The
/// `band` is between the two, and an optional part is at the leaf.
fn kernel(block: &str, thread: &str, band: &str) -> String {
    format!(
        r#"  mark: "kernel_K0"
  child:
    context: "[n, bx, tx] -> {{ [] : 0 <= bx < n and 0 <= tx < 32 }}"
    child:
      filter: "[n, bx] -> {{ {block} }}"
      child:
        schedule: "[{{ {band} }}]"
        child:
          mark: "thread"
          child:
            filter: "[n, tx] -> {{ {thread} }}""#
    )
}

#[test]
fn blocks_of_a_launch_wait_for_nobody() {
    let scan = Region::new(vec![nest(
        "i",
        "1",
        "n",
        vec![nest("j", "0", "n", vec![statement("A[i, j] = A[i - 1, j]")])],
    )]);
    let all = "S0[i, j] -> [(i)]";
    expect(
        &scan,
        &[
            (&kernel("S0[i, j] : bx = j", "S0[i, j] : tx = 0", all), &[]),
            (&kernel("S0[i, j] : bx = i", "S0[i, j] : tx = 0", all), &["E0202"]),
            (&kernel("S0[i, j] : bx = 0", "S0[i, j] : (tx - j) mod 32 = 0", all), &[]),
            (&kernel("S0[i, j] : bx = j", "S0[i, j] : (tx - i) mod 32 = 0", all), &["E0203"]),
            (&kernel("S0[i, j] : bx = j", "S0[i, j]", all), &["E0204"]),
            (&kernel("S0[i, j] : j <= bx <= j + 1 and bx < n", "S0[i, j] : tx = 0", all), &["E0204"]),
        ],
    );
}

/// Returns a kernel of one block whose threads share the steps of a loop, with a barrier before or after each step,
/// or with none.
fn steps(parts: &[&str]) -> String {
    let mut text = r#"  mark: "kernel_K0"
  child:
    context: "[n, bx, tx] -> { [] : bx = 0 and 0 <= tx < 32 and n > 0 }"
    child:
      filter: "[bx] -> { S0[i, j] : bx = 0 }"
      child:
        schedule: "[{ S0[i, j] -> [(i)] }]"
        child:
          extension: "{ [i] -> barrier_0[i]; [i] -> barrier_1[i] : i < 3 }"
          child:
            sequence:"#
        .to_owned();
    for part in parts {
        text += &format!("\n            - filter: \"{{ {part} }}\"");
        if part.starts_with("S0") {
            text += r#"
              child:
                mark: "thread"
                child:
                  filter: "[tx] -> { S0[i, j] : (tx - j) mod 32 = 0 }"
                  child:
                    schedule: "[{ S0[i, j] -> [(j)] }]""#;
        }
    }
    text
}

#[test]
fn threads_of_a_block_wait_at_barriers() {
    let smooth = Region::new(vec![nest(
        "i",
        "1",
        "n",
        vec![nest("j", "0", "n", vec![statement("A[i, j] = A[i - 1, j + 1]")])],
    )]);
    expect(
        &smooth,
        &[
            (&steps(&["S0[i, j]", "barrier_0[i]", "barrier_1[i]"]), &[]),
            (&steps(&["barrier_1[i]", "barrier_0[i]", "S0[i, j]"]), &[]),
            (&steps(&["S0[i, j]", "barrier_1[i]"]), &["E0203"]),
            (&steps(&["barrier_1[i]", "S0[i, j]"]), &["E0203"]),
            (&steps(&["S0[i, j]"]), &["E0203"]),
        ],
    );
}

#[test]
fn every_instance_needs_a_thread_that_is_started() {
    let fill =
        Region::new(vec![nest("i", "0", "n", vec![nest("j", "0", "32", vec![statement("A[i, j] = ")])])]);
    let place = |block: &str, thread: &str| {
        kernel(&format!("S0[i, j] : {block}"), &format!("S0[i, j] : {thread}"), "S0[i, j] -> [(i)]")
            .replace("0 <= bx < n and 0 <= tx < 32", "true")
    };
    expect(
        &fill,
        &[
            (&place("bx = i", "tx = j"), &[]),
            (&place("bx = i + 1", "tx = j"), &["E0205"]),
            (&place("bx = i", "tx = j - 1"), &["E0205"]),
            (&place("bx = i", "tx = 2j"), &["E0205"]),
        ],
    );
}

#[test]
fn statements_without_effect_may_be_left_out() {
    let region = Region {
        dead_after: vec!["t"],
        ..Region::new(vec![nest("i", "1", "n", vec![statement("t[i] = A[i]"), statement("A[i] = A[i - 1]")])])
    };
    let analysed = candl_rs::run(extracted(&region)).unwrap();
    let [warning] = &analysed.diagnostics[..] else { panic!("{:?}", analysed.diagnostics) };
    assert_eq!((warning.code.as_str(), warning.label.as_str()), ("W0201", "left out of the translation"));
    assert_eq!(analysed.value.scops[0].stage.dependences.dead, [StatementId(0)]);
    expect(
        &region,
        &[
            (r#"  schedule: "[{ S0[i] -> [(-i)]; S1[i] -> [(i)] }]""#, &[]),
            (r#"  schedule: "[{ S1[i] -> [(i)] }]""#, &[]),
            (r#"  schedule: "[{ S1[i] -> [(-i)] }]""#, &["E0201"]),
        ],
    );
}

#[test]
fn copies_for_each_iteration_do_not_wait_for_each_other() {
    let region = |first| Region {
        hidden: vec!["t"],
        ..Region::new(vec![nest("i", "0", "n", vec![statement(first), statement("B[i] = t[]")])])
    };
    let reversed = r#"  schedule: "[{ S0[i] -> [(-i)]; S1[i] -> [(-i)] }]"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S1[i] }""#;
    expect(&region("t[] = A[i]"), &[(reversed, &[])]);
    expect(&region("t[] = t[] | A[i]"), &[(reversed, &["E0201"])]);
}

#[test]
fn messages_show_two_instances() {
    let chain = Region::new(vec![nest("i", "1", "n", vec![statement("A[i] = A[i - 1]")])]);
    let messages = checked(&chain, r#"  schedule: "[{ S0[i] -> [(-i)] }]""#);
    let [message] = &messages[..] else { panic!("{messages:?}") };
    assert_eq!(message.message, "S0(i = 2) does not run after S0(i = 1), on which it depends (n = 3)");
    assert_eq!(message.label, "reads `A` [a0]");
    let help = message.help.as_deref().unwrap();
    assert_eq!(help, "the flow dependence comes from S0 in line 1, `S0;`, which writes `A` [a1]");
}
