//! The program's claims about its loops remove exactly the dependences that they deny.

use crate::support::{Nest, Region, extracted, nest, statement};
use polyhedra::{Map, Text};
use scop::{Analysed, Claim, Diagnostics, LoopId, Outcome, Program};

/// Analyses a region whose program claims that the iterations of a loop are independent.
fn claimed(nests: Vec<Nest>, around: u32) -> Result<Outcome<Program<Analysed>>, Diagnostics> {
    let mut program = extracted(&Region::new(nests));
    let origin = "#pragma c2cuda independent".to_owned();
    program.scops[0].model.independent.push(Claim { around: LoopId(around), origin, range: None });
    candl_rs::run(program)
}

/// Checks the remaining and the waived dependences, each given as the numbers of its accesses and a relation.
#[track_caller]
fn expect(nests: Vec<Nest>, around: u32, left: &[&str], waived: &[&str]) {
    let analysed = claimed(nests, around).unwrap().value;
    let found = &analysed.scops[0].stage.dependences;
    let kinds = [("flow", &found.flow), ("anti", &found.anti), ("output", &found.output)];
    let left_over: Vec<String> = kinds
        .iter()
        .flat_map(|(kind, list)| list.iter().map(move |one| format!("{kind} {} {}", one.source, one.sink)))
        .collect();
    assert_eq!(left_over, left);
    let taken: Vec<String> = found
        .waived
        .iter()
        .map(|waived| format!("{:?} {} {}", waived.kind, waived.dependence.source, waived.dependence.sink))
        .collect();
    assert_eq!(taken, waived);
}

#[test]
fn what_the_loop_carries_is_waived() {
    let scatter = || vec![nest("i", "0", "n", vec![statement("B[?] = B[?] | A[i]")])];
    expect(scatter(), 0, &[], &["Flow a2 a0", "Anti a0 a2", "Output a2 a2"]);
}

/// Dependences from one loop to another, or carried by another loop, remain.
#[test]
fn what_other_loops_carry_is_not_waived() {
    let scatter = |iterator| nest(iterator, "0", "n", vec![statement("B[?] = A[0]")]);
    let both = vec![scatter("i"), scatter("j")];
    expect(both, 0, &["output a1 a3", "output a3 a3"], &["Output a1 a1"]);
    let body = vec![nest("i", "0", "n", vec![statement("B[?] = B[?] | A[i]")])];
    let steps = || vec![nest("t", "0", "n", body.clone())];
    let all = ["flow a2 a0", "anti a0 a2", "output a2 a2"];
    let waived = ["Flow a2 a0", "Anti a0 a2", "Output a2 a2"];
    // The claim about one loop waives the dependences that this loop carries; those that the other loop carries
    // remain.
    expect(steps(), 1, &all, &waived);
    expect(steps(), 0, &all, &waived);
    let left = |around: u32, condition: &str| {
        let analysed = claimed(steps(), around).unwrap().value;
        let left: Map = Text::parse(&analysed.scops[0].stage.dependences.output[0].relation.0).unwrap();
        let pairs: Map = Text::parse(&format!("{{ S0[t, i] -> S0[u, j] : {condition} }}")).unwrap();
        !left.intersect(pairs).unwrap().is_empty().unwrap()
    };
    assert!(!left(1, "u <= t"));
    assert!(left(1, "u > t and j < i") && left(1, "u > t and j = i") && left(1, "u > t and j > i"));
    assert!(!left(0, "u != t or j <= i"));
    assert!(left(0, "u = t and j > i"));
}

#[test]
fn what_is_certain_refutes_a_claim() {
    let chain = vec![nest("i", "1", "n", vec![statement("A[i] = A[i - 1]")])];
    let refused = claimed(chain, 0).map(|_| ()).unwrap_err();
    assert_eq!(refused.0.iter().map(|message| message.code.as_str()).collect::<Vec<_>>(), ["E0221"]);
    // One of the two accesses may be to another element.
    let half = vec![nest("i", "1", "n", vec![statement("B[i] = B[?]")])];
    assert!(claimed(half, 0).is_ok());
    let outer = vec![nest("t", "0", "n", vec![nest("i", "1", "n", vec![statement("A[i] = A[i - 1]")])])];
    assert!(claimed(outer, 1).is_err());
    let apart = vec![nest("i", "0", "n", vec![statement("A[i] = D[i]")])];
    assert!(claimed(apart, 0).is_ok());
}
