//! The steps that are updates by an operator for which the order does not matter.

use candl_rs::Reductions;

use crate::support::{Nest, Region, extracted, make_integer_sum, nest, statement};
use polyhedra::{Map, Set, Text, UnionMap};
use scop::ReductionOp::{And, BitAnd, BitOr, BitXor, Max, Min, Or, Product, Sum};
use scop::{
    AccessId, Analysed, BinaryOp, CType, Certainty, Dependence, Dependences, Expr, ExprKind, LiveAccess,
    ReductionOp, Scop, Step, UnaryOp,
};

/// The accesses of `s = s | s | A[i] | A[i]`: two reads of the element, two reads of the combined value, and the
/// write.
const S: u32 = 0;
const S_AGAIN: u32 = 1;
const A: u32 = 2;
const A_AGAIN: u32 = 3;
const WRITE: AccessId = AccessId(4);

fn read(access: u32, ctype: CType) -> Expr {
    Expr { ctype, kind: ExprKind::Read { access: AccessId(access), subscripts: Vec::new() } }
}

fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    let is_truth = operator.precedence() <= 5 || (9..=10).contains(&operator.precedence());
    let ctype = if is_truth { CType::Int } else { left.ctype };
    Expr { ctype, kind: ExprKind::Binary { operator, left: Box::new(left), right: Box::new(right) } }
}

fn unary(operator: UnaryOp, operand: Expr) -> Expr {
    Expr { ctype: operand.ctype, kind: ExprKind::Unary { operator, operand: Box::new(operand) } }
}

fn cast(ctype: CType, operand: Expr) -> Expr {
    Expr { ctype, kind: ExprKind::Cast { implicit: true, operand: Box::new(operand) } }
}

fn call(function: &str, arguments: Vec<Expr>) -> Expr {
    Expr { ctype: CType::Double, kind: ExprKind::Call { function: function.to_owned(), arguments } }
}

fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let (condition, ctype) = (Box::new(condition), then.ctype);
    Expr {
        ctype,
        kind: ExprKind::Conditional { condition, then: Box::new(then), otherwise: Box::new(otherwise) },
    }
}

fn assign(value: Expr) -> Step {
    Step::Assign { access: WRITE, subscripts: Vec::new(), value, compound: None }
}

fn when(condition: Expr, then: Step) -> Step {
    Step::If { condition, then: vec![then], otherwise: Vec::new() }
}

/// Returns the operator of the update, if a step is one. Accesses that the step does not use touch no elements.
fn found(step: Step, element: CType) -> Option<ReductionOp> {
    let analysed = analysed(step, element);
    let reductions = &analysed.stage.dependences.reductions;
    assert!(reductions.len() <= 1, "{reductions:?}");
    reductions.first().map(|reduction| reduction.operator)
}

/// True if candl-rs describes the region also with many results of a selection.
fn selects(step: Step, element: CType) -> bool {
    let scop = analysed(step, element);
    scop.stage.variants.iter().any(|variant| !variant.expansions.selections().is_empty())
}

fn analysed(step: Step, element: CType) -> Scop<Analysed> {
    let region = Region::new(vec![nest("i", "0", "n", vec![statement("s[] = s[] | s[] | A[i] | A[i]")])]);
    let mut program = extracted(&region);
    let model = &mut program.scops[0].model;
    model.arrays.iter_mut().for_each(|array| array.element = element);
    let statement = &mut model.statements[0];
    let certainty = if matches!(step, Step::If { .. }) { Certainty::May } else { Certainty::Must };
    statement.accesses[WRITE.index()].certainty = certainty;
    let text = format!("{step:?}");
    for access in statement.accesses.iter_mut().filter(|access| access.id != WRITE) {
        if !text.contains(&format!("Read {{ access: {:?},", access.id)) {
            access.relation.0 = access.relation.0.replace(" }", " : false }");
        }
    }
    statement.body = vec![step];
    candl_rs::run(program).unwrap().value.scops.remove(0)
}

fn expect(element: CType, cases: Vec<(Step, Option<ReductionOp>)>) {
    for (step, expected) in cases {
        let text = format!("{step:?}");
        assert_eq!(found(step, element), expected, "{element}: {text}");
    }
}

#[test]
fn sums_and_their_like() {
    use BinaryOp::{Add, Div, Mul, Sub};
    let (s, again) = (|| read(S, CType::Double), || read(S_AGAIN, CType::Double));
    let a = || read(A, CType::Double);
    expect(
        CType::Double,
        vec![
            (assign(binary(Add, s(), a())), Some(Sum)),
            (assign(binary(Add, a(), s())), Some(Sum)),
            (assign(binary(Add, binary(Add, a(), s()), a())), Some(Sum)),
            (assign(binary(Sub, s(), a())), Some(Sum)),
            (assign(binary(Mul, a(), s())), Some(Product)),
            (when(a(), assign(binary(Add, s(), a()))), Some(Sum)),
            (assign(binary(Sub, a(), s())), None),
            (assign(binary(Sub, a(), binary(Sub, a(), s()))), None),
            (assign(binary(Div, s(), a())), None),
            (assign(binary(Add, binary(Mul, s(), a()), a())), None),
            (assign(binary(Add, s(), again())), None),
            (assign(binary(Add, s(), binary(Mul, again(), a()))), None),
            (when(again(), assign(binary(Add, s(), a()))), None),
            (assign(a()), None),
        ],
    );
}

#[test]
fn smallest_and_largest() {
    use BinaryOp::{Ge, Gt, Le, Lt};
    let (s, again) = (|| read(S, CType::Double), || read(S_AGAIN, CType::Double));
    let (a, a_again) = (|| read(A, CType::Double), || read(A_AGAIN, CType::Double));
    expect(
        CType::Double,
        vec![
            (assign(call("fmax", vec![s(), a()])), Some(Max)),
            (assign(call("fmin", vec![a(), call("fmin", vec![a_again(), s()])])), Some(Min)),
            (assign(call("fmax", vec![a(), call("fmin", vec![a_again(), s()])])), None),
            (assign(call("pow", vec![s(), a()])), None),
            (assign(choice(binary(Lt, a(), s()), a_again(), again())), Some(Min)),
            (assign(choice(binary(Lt, a(), s()), again(), a_again())), Some(Max)),
            (assign(choice(binary(Ge, a(), s()), a_again(), again())), Some(Max)),
            (assign(choice(binary(Ge, a(), s()), a_again(), a())), None),
            (when(binary(Gt, a(), s()), assign(a_again())), Some(Max)),
            (when(binary(Gt, s(), a()), assign(a_again())), Some(Min)),
            (when(binary(Le, a(), s()), assign(a_again())), Some(Min)),
            (when(binary(Le, a(), s()), assign(binary(BinaryOp::Add, a_again(), a()))), None),
            (when(binary(BinaryOp::Eq, a(), s()), assign(a_again())), None),
        ],
    );
}

/// A variable that is assigned to itself where it stays is selected like one that is assigned only where it changes.
/// Where a NaN would take its place, it is not.
#[test]
fn extremes_that_are_chosen_by_expressions_are_selected() {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt};
    for element in [CType::Double, CType::Float] {
        let (s, again) = (|| read(S, element), || read(S_AGAIN, element));
        let (a, a_again) = (|| read(A, element), || read(A_AGAIN, element));
        for (step, expected) in [
            (assign(choice(binary(Gt, a(), s()), a_again(), again())), true),
            (assign(choice(binary(Le, s(), a()), a_again(), again())), true),
            (assign(choice(binary(Lt, a(), s()), a_again(), again())), true),
            (assign(choice(binary(Ge, s(), a()), a_again(), again())), true),
            (assign(choice(binary(Gt, a(), s()), again(), a_again())), false),
            (assign(choice(binary(Eq, a(), s()), a_again(), again())), false),
            (assign(choice(binary(Gt, a(), s()), a_again(), a())), false),
            (assign(choice(binary(Gt, a(), again()), a_again(), again())), false),
        ] {
            let text = format!("{step:?}");
            assert_eq!(selects(step, element), expected, "{element}: {text}");
        }
    }
}

/// The value that is compared must be the value that is used: all parts of the two expressions must be equal.
#[test]
fn the_smaller_of_two_is_the_one_that_was_compared() {
    use BinaryOp::{Add, Lt, Mul, Sub};
    let s = || read(S, CType::Double);
    let (a, again) = (|| read(A, CType::Double), || read(A_AGAIN, CType::Double));
    let one = || Expr { ctype: CType::Double, kind: ExprKind::Floating { value: "1.0".to_owned() } };
    let two = || Expr { ctype: CType::Double, kind: ExprKind::Floating { value: "2.0".to_owned() } };
    let single = |operand| cast(CType::Float, operand);
    let both = |compared: Expr, taken: Expr| when(binary(Lt, compared, s()), assign(taken));
    expect(
        CType::Double,
        vec![
            (both(unary(UnaryOp::Minus, a()), unary(UnaryOp::Minus, again())), Some(Min)),
            (both(unary(UnaryOp::Minus, a()), unary(UnaryOp::Plus, again())), None),
            (both(unary(UnaryOp::Minus, a()), unary(UnaryOp::Minus, one())), None),
            (both(binary(Mul, a(), one()), binary(Mul, again(), one())), Some(Min)),
            (both(binary(Mul, a(), one()), binary(Add, again(), one())), None),
            (both(binary(Mul, a(), one()), binary(Mul, again(), two())), None),
            (both(binary(Sub, one(), a()), binary(Sub, two(), again())), None),
            (both(call("sqrt", vec![a()]), call("sqrt", vec![again()])), Some(Min)),
            (both(call("sqrt", vec![a()]), call("cbrt", vec![again()])), None),
            (both(call("sqrt", vec![a()]), call("sqrt", vec![one()])), None),
            (both(call("pow", vec![a(), one()]), call("pow", vec![again(), two()])), None),
            (both(call("f", vec![a(), one()]), call("f", vec![again()])), None),
            (both(cast(CType::Double, single(a())), cast(CType::Double, single(again()))), Some(Min)),
            (both(cast(CType::Double, single(a())), cast(CType::Double, single(one()))), None),
        ],
    );
}

#[test]
fn complex_numbers_are_combined_unless_a_part_is_lost_on_the_way() {
    use BinaryOp::{Add, Mul, Sub};
    use CType::{Double, DoubleComplex, FloatComplex};
    let (s, a) = (|| read(S, DoubleComplex), || read(A, DoubleComplex));
    let single = |expr: Expr| cast(FloatComplex, expr);
    let real = |expr: Expr| cast(Double, expr);
    let complex = |expr: Expr| cast(DoubleComplex, expr);
    expect(
        DoubleComplex,
        vec![
            (assign(binary(Add, s(), a())), Some(Sum)),
            (assign(binary(Sub, s(), a())), Some(Sum)),
            (assign(binary(Mul, a(), s())), Some(Product)),
            (assign(complex(single(binary(Add, s(), a())))), Some(Sum)),
            (assign(binary(Sub, a(), s())), None),
            (assign(complex(real(binary(Mul, s(), a())))), None),
            (assign(binary(Add, complex(real(s())), a())), None),
        ],
    );
    let (s, a) = (|| complex(read(S, Double)), || complex(read(A, Double)));
    expect(Double, vec![(assign(real(binary(Mul, s(), a()))), None)]);
}

#[test]
fn integers_are_combined_in_any_width_but_not_through_other_types() {
    use BinaryOp::{Add, Lt};
    let (s, a) = (|| read(S, CType::Char), || read(A, CType::Char));
    let wide = |expr: Expr| cast(CType::Int, expr);
    let double = |expr: Expr| cast(CType::Double, expr);
    let narrow = |expr: Expr| cast(CType::Char, expr);
    let (again, int) = (|| read(S_AGAIN, CType::Char), || wide(read(A_AGAIN, CType::Char)));
    expect(
        CType::Char,
        vec![
            (assign(narrow(binary(Add, wide(s()), wide(a())))), Some(Sum)),
            (assign(narrow(binary(BinaryOp::BitAnd, wide(s()), wide(a())))), Some(BitAnd)),
            (assign(narrow(binary(BinaryOp::BitXor, wide(a()), wide(s())))), Some(BitXor)),
            (assign(narrow(binary(BinaryOp::And, wide(s()), wide(a())))), Some(And)),
            (assign(narrow(binary(BinaryOp::Or, wide(a()), wide(s())))), Some(Or)),
            (assign(narrow(binary(Add, double(s()), double(a())))), None),
            (assign(narrow(choice(binary(Lt, wide(a()), wide(s())), int(), wide(again())))), Some(Min)),
            (
                when(
                    binary(Lt, binary(Add, wide(a()), wide(a())), wide(s())),
                    assign(narrow(binary(Add, int(), int()))),
                ),
                None,
            ),
        ],
    );
    let cut = cast(CType::Int, cast(CType::Char, read(S, CType::Int)));
    expect(CType::Int, vec![(assign(binary(Add, cut, read(A, CType::Int))), None)]);
    let (s, a) = (|| cast(CType::Int, read(S, CType::Bool)), || cast(CType::Int, read(A, CType::Bool)));
    let truth = |expr: Expr| cast(CType::Bool, expr);
    expect(
        CType::Bool,
        vec![
            (assign(truth(binary(BinaryOp::BitOr, s(), a()))), Some(BitOr)),
            (assign(truth(binary(BinaryOp::BitXor, s(), a()))), None),
            (assign(truth(binary(Add, s(), a()))), None),
        ],
    );
}

/// `h[x] += 1` with a computed `x`: the element is the same if the subscripts are.
#[test]
fn computed_subscripts_are_compared() {
    for (subscript, expected) in [(1, Some(Sum)), (2, None)] {
        let region = Region::new(vec![nest("i", "0", "n", vec![statement("h[?] = h[?] | A[i] | D[i]")])]);
        let mut program = extracted(&region);
        let statement = &mut program.scops[0].model.statements[0];
        for access in [0, 3] {
            statement.accesses[access].indirect = true;
        }
        let subscripts = |access| vec![read(access, CType::Int)];
        let kind = ExprKind::Read { access: AccessId(0), subscripts: subscripts(1) };
        let element = Expr { ctype: CType::Double, kind };
        let value = binary(BinaryOp::Add, element, read(2, CType::Double));
        statement.body = vec![Step::Assign {
            access: AccessId(3),
            subscripts: subscripts(subscript),
            value,
            compound: None,
        }];
        let analysed = candl_rs::run(program).unwrap().value;
        let found =
            analysed.scops[0].stage.dependences.reductions.first().map(|reduction| reduction.operator);
        assert_eq!(found, expected, "{subscript}");
    }
}

/// Returns the dependences of a region with sums of integers.
fn with_sums(nests: Vec<Nest>) -> Dependences {
    let mut program = extracted(&Region::new(nests));
    make_integer_sum(&mut program);
    candl_rs::run(program).unwrap().value.scops.remove(0).stage.dependences
}

/// Returns the pairs of instances of some dependences, for `n` = 3.
fn pairs(dependences: &[Dependence]) -> String {
    let all = dependences.iter().fold(UnionMap::parse("{ }").unwrap(), |all, dependence| {
        all.union(UnionMap::parse(&dependence.relation.0).unwrap()).unwrap()
    });
    let three = Set::parse("[n] -> { : n = 3 }").unwrap();
    let all = all.intersect_params(three).unwrap().project_out_all_params().unwrap();
    all.coalesce().unwrap().text().unwrap()
}

fn is(dependences: &[Dependence], expected: &str) {
    let found = UnionMap::parse(&pairs(dependences)).unwrap();
    assert!(
        found.is_equal(&UnionMap::parse(expected).unwrap()).unwrap(),
        "{} is not {expected}",
        pairs(dependences)
    );
}

#[test]
fn sums_of_integers_into_one_element_are_in_no_order() {
    let found = with_sums(vec![nest("i", "0", "n", vec![statement("s[] = s[] | A[i]")])]);
    assert_eq!((found.flow.len(), found.anti.len(), found.output.len()), (0, 0, 0), "{found:?}");
    assert!(found.reductions.iter().all(|reduction| reduction.relaxed) && found.reductions.len() == 1);
    let all = |lives: &[LiveAccess], access| {
        let live = lives.iter().find(|live| live.access == AccessId(access)).unwrap();
        let expected = Map::parse("[n] -> { S0[i] -> A0[] : 0 <= i < n }").unwrap();
        Map::parse(&live.relation.0).unwrap().is_equal(&expected).unwrap()
    };
    assert!(all(&found.live_in, 0) && all(&found.live_out, 2), "{found:?}");
}

/// Every other access is ordered with every update, even with other updates in between.
#[test]
fn other_accesses_of_a_sum_stay_before_or_after_each_update() {
    let found = with_sums(vec![
        statement("s[] = A[0]"),
        nest("i", "0", "n", vec![statement("s[] = s[] | A[i]")]),
        statement("B[0] = s[]"),
    ]);
    is(&found.flow, "{ S0[] -> S1[i] : 0 <= i < 3; S0[] -> S2[]; S1[i] -> S2[] : 0 <= i < 3 }");
    is(&found.output, "{ S0[] -> S1[i] : 0 <= i < 3 }");
    is(&found.anti, "{ }");
    let found = with_sums(vec![nest(
        "t",
        "0",
        "n",
        vec![nest("i", "0", "n", vec![statement("s[] = s[] | A[i]")]), statement("B[t] = s[]")],
    )]);
    is(&found.flow, "{ S0[t, i] -> S1[u] : 0 <= t <= u < 3 and 0 <= i < 3 }");
    is(&found.anti, "{ S1[u] -> S0[t, i] : 0 <= u < t < 3 and 0 <= i < 3 }");
    is(&found.output, "{ }");
}

/// The order is kept if nothing is gained or if the result would change.
#[test]
fn what_is_not_relaxed() {
    let relaxed = |nests: Vec<Nest>| with_sums(nests).relaxed().count();
    let inner = |text| vec![nest("i", "0", "n", vec![nest("j", "0", "n", vec![statement(text)])])];
    assert_eq!(relaxed(inner("s[] = s[] | A[i]")), 1);
    assert_eq!(relaxed(inner("r[i] = r[i] | A[j]")), 0, "rows are parallel");
    // Each step reads a prefix sum.
    let prefix = vec![statement("s[] = s[] | A[i]"), statement("B[i] = s[]")];
    assert_eq!(relaxed(vec![nest("i", "0", "n", prefix)]), 0);
    let doubles = extracted(&Region::new(inner("s[] = s[] | A[i]")));
    let found = candl_rs::run(doubles).unwrap().value.scops.remove(0).stage.dependences;
    assert_eq!(found.relaxed().count(), 0);
    let mut told = extracted(&Region::new(inner("s[] = s[] | A[i]")));
    make_integer_sum(&mut told);
    let found =
        candl_rs::run_with(told, Reductions::Source, &[]).unwrap().value.scops.remove(0).stage.dependences;
    assert_eq!((found.relaxed().count(), found.reductions.len()), (0, 1));
    assert!(!found.output.is_empty(), "they are in order");
}
