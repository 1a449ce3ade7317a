//! Other forms of a region: copies of old values, and arrays that take turns.

use scop::{
    AccessKind, Analysed, CType, Expr, ExprKind, Extracted, IslMap, Program, Scop, Statement, Step, Variant,
    VariantKind,
};

use crate::support::{Nest, Region, extracted, nest, statement};

fn loop_of(iterator: &'static str, first: &'static str, end: &'static str, body: Vec<Nest>) -> Nest {
    nest(iterator, first, end, body)
}

/// Returns the document of candl-rs for some nests.
fn analysed(program: Program<Extracted>) -> Program<Analysed> {
    let analysed = candl_rs::run(program).unwrap().value;
    assert_eq!(scop::verify::verify(&analysed), []);
    for variant in &analysed.scops[0].stage.variants {
        assert_eq!(said(&analysed, variant), [""; 0], "{variant:#?}");
    }
    analysed
}

/// Returns what the proof says of a variant in the order of the source.
fn said(program: &Program<Analysed>, variant: &Variant) -> Vec<String> {
    let (expansions, dependences) = (variant.expansions.clone(), variant.dependences.clone());
    let mut program = program.clone();
    let stage = Analysed { expansions, dependences, variants: Vec::new() };
    program.scops[0] = Scop::new(program.scops[0].extracted().clone(), stage);
    match proof::check_order(candl_rs::NAME, program) {
        Ok(_) => Vec::new(),
        Err(messages) => messages.0.into_iter().map(|m| format!("{} {}", m.code, m.message)).collect(),
    }
}

/// Describes what a variant stores, each statement as `copy = array { domain }`.
fn stored<'s>(statements: impl IntoIterator<Item = &'s Statement>) -> Vec<String> {
    let text = |statement: &Statement| {
        let domain =
            statement.domain.0.rsplit_once(" : ").map_or("", |(_, domain)| domain.trim_end_matches(" }"));
        format!("{} {domain}", statement.text.replace("array_", "").replace(';', ""))
    };
    statements.into_iter().map(text).collect()
}

/// Returns the old values that the variants of some nests store.
fn old(nests: Vec<Nest>) -> Vec<Vec<String>> {
    let program = analysed(extracted(&Region::new(nests)));
    let variants = program.scops[0].stage.variants.iter();
    variants.map(|variant| stored(variant.expansions.kept())).collect()
}

const NONE: [[&str; 0]; 0] = [];

/// `for (i) for (j) { for (k > i) B[i][j] += A[k][i] * B[k][j]; B[i][j] *= … }`
fn triangular_product() -> Vec<Nest> {
    let sum = loop_of("k", "i + 1", "n", vec![statement("B[i, j] = B[i, j] | A[k, i] | B[k, j]")]);
    let body = vec![sum, statement("B[i, j] = B[i, j]")];
    vec![loop_of("i", "0", "n", vec![loop_of("j", "0", "n", body)])]
}

#[test]
fn old_values_are_stored_before_the_nest_that_overwrites_them() {
    assert_eq!(old(triangular_product()), [["old_B[i][j] = B[i][j] 0 < i < n and 0 <= j < n"]]);
    let shift = vec![loop_of("i", "0", "n - 1", vec![statement("A[i, 0] = A[i, 0] | A[i + 1, 0]")])];
    assert_eq!(old(shift), [["old_A[i][x] = A[i][x] 0 < i < n"]]);
}

/// The values may be computed in the region, before the nest.
#[test]
fn old_values_may_come_from_another_nest() {
    let fill = loop_of("i", "0", "n", vec![statement("B[i] = C[i]")]);
    let product =
        loop_of("i", "0", "n", vec![loop_of("j", "i + 1", "n", vec![statement("B[i] = B[i] | B[j]")])]);
    assert_eq!(old(vec![fill, product]), [["old_B[i] = B[i] 0 < i < n"]]);
}

/// In a loop around, each iteration stores what the one before it left.
#[test]
fn old_values_may_come_from_an_iteration_before() {
    let sweep = loop_of("i", "0", "n - 1", vec![statement("B[i] = B[i] | B[i + 1]")]);
    let steps = vec![loop_of("t", "0", "n", vec![sweep])];
    assert_eq!(old(steps), [["old_B[i] = B[i] 0 <= t < n and 0 < i < n"]]);
}

#[test]
fn old_values_are_stored_only_if_a_loop_becomes_parallel() {
    // The values of the iteration before are needed as well.
    let both = vec![loop_of("i", "1", "n - 1", vec![statement("B[i] = B[i - 1] | B[i + 1]")])];
    assert_eq!(old(both), NONE);
    // Nothing waits.
    let apart = vec![loop_of("i", "0", "n", vec![statement("B[i] = B[i]")])];
    assert_eq!(old(apart), NONE);
    // An element that only data know.
    let somewhere = vec![loop_of("i", "0", "n", vec![statement("B[i] = B[?]")])];
    assert_eq!(old(somewhere), NONE);
    // Half of what the access reads is new.
    let transposed = loop_of("j", "0", "n", vec![statement("A[i, j] = A[i, j] | A[j, i]")]);
    assert_eq!(old(vec![loop_of("i", "0", "n", vec![transposed])]), NONE);
}

#[test]
fn several_arrays_are_stored_together_and_each_alone() {
    let both = |text| vec![loop_of("i", "0", "n - 1", vec![statement(text)])];
    let mut nests = both("B[i] = B[i + 1]");
    nests.extend(both("C[i] = C[i + 1]"));
    let (b, c) = ("old_B[i] = B[i] 0 < i < n", "old_C[i] = C[i] 0 < i < n");
    assert_eq!(old(nests), [vec![b, c], vec![b], vec![c]]);
}

/// The proof refuses a variant that reads another element, or does not fill the copy.
#[test]
fn the_proof_compares_where_values_come_from() {
    let program = analysed(extracted(&Region::new(triangular_product())));
    let variant = &program.scops[0].stage.variants[0];
    let but = |change: &dyn Fn(&mut Variant)| {
        let mut changed = variant.clone();
        change(&mut changed);
        said(&program, &changed)
    };
    let moved = but(&|variant| {
        let relation = &mut variant.expansions.accesses[0].relation;
        *relation = IslMap(relation.0.replace("[k, j]", "[k - 1, j]"));
    });
    assert!(moved.iter().any(|message| message.starts_with("E0228 S0(")), "{moved:?}");
    let too_few = but(&|variant| {
        let old = variant.expansions.old_values.as_mut().unwrap();
        old.statements[0].domain.0 = old.statements[0].domain.0.replace("0 < i < n", "1 < i < n");
    });
    assert!(too_few.iter().any(|message| message.starts_with("E0228 S0(")), "{too_few:?}");
    let unordered = but(&|variant| {
        let old = variant.expansions.kept()[0].accesses[0].id;
        variant.dependences.flow.retain(|flow| flow.source != old);
    });
    assert!(unordered.iter().any(|message| message.contains("no dependence")), "{unordered:?}");
}

/// `for (t) { for (i) B[i] = f(A[i - 1], A[i + 1]); for (i) A[i] = B[i]; }`
fn steps(copied: (&'static str, &'static str), more: Vec<Nest>) -> Program<Extracted> {
    let compute = loop_of("i", "1", "n - 1", vec![statement("B[i] = C[i - 1] | C[i + 1]")]);
    let copy = loop_of("i", copied.0, copied.1, vec![statement("C[i] = B[i]")]);
    let mut body = vec![compute];
    body.extend(more);
    body.push(copy);
    let mut program = extracted(&Region::new(vec![loop_of("t", "0", "n", body)]));
    let statement = program.scops[0].model.statements.last_mut().unwrap();
    let read = statement.accesses.iter().find(|access| access.kind == AccessKind::Read).unwrap().id;
    if let [Step::Assign { value, .. }] = &mut statement.body[..] {
        *value = Expr { ctype: CType::Double, kind: ExprKind::Read { access: read, subscripts: Vec::new() } };
    }
    program
}

fn turns(program: Program<Extracted>) -> Option<Variant> {
    let variants = analysed(program).scops.remove(0).stage.variants;
    variants.into_iter().find(|variant| variant.kind == VariantKind::Turns)
}

#[test]
fn arrays_take_turns_where_one_is_copied_to_the_other() {
    let variant = turns(steps(("1", "n - 1"), Vec::new())).unwrap();
    assert_eq!(
        stored(variant.expansions.kept()),
        ["C_B[0][i] = C[i] n >= 3 and 0 <= i < n", "C_B[1][i] = C[i] n >= 3 and 0 <= i < n"],
    );
    let last = stored(variant.expansions.added());
    assert_eq!(last.len(), 2, "{last:?}");
    assert!(last[0].starts_with("C[i] = C_B[n") && last[1].starts_with("B[i] = C_B[n"), "{last:?}");
    assert_eq!(variant.dependences.dead.len(), 1);
    assert_eq!(variant.of.len(), 2);
}

#[test]
fn arrays_take_no_turns_if_a_value_would_be_lost() {
    assert!(turns(steps(("1", "n - 2"), Vec::new())).is_none(), "an element is computed and not copied");
    assert!(turns(steps(("0", "n - 1"), Vec::new())).is_none(), "an element is copied and not computed");
    let other = vec![statement("C[0] = D[0]")];
    assert!(turns(steps(("1", "n - 1"), other)).is_none(), "another statement writes the target");
    let both = vec![loop_of("i", "1", "n - 1", vec![statement("D[i] = B[i] | C[i]")])];
    assert!(turns(steps(("1", "n - 1"), both)).is_some(), "values of this iteration and of the one before");
}
