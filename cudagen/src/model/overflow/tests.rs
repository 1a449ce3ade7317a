use scop::KernelId;

use scop::ast::Unroll;

use super::*;
use scop::ast::expression::binary;

fn name(name: &str) -> AstExpr {
    AstExpr::Name(name.to_owned())
}

fn bound(body: Node, index: CType) -> Option<i128> {
    let parameters = BTreeMap::from([("n", CType::Int.range())]);
    Analysis { parameters, kernels: &[], body: &body, bounds: Vec::new(), positions: Vec::new() }
        .largest_bound(index)
        .unwrap()
}

fn count_to(limit: AstExpr) -> Node {
    count(AstOp::Lt, limit, 1)
}

fn count(operator: AstOp, limit: AstExpr, step: i64) -> Node {
    Node::For {
        iterator: "c0".to_owned(),
        init: AstExpr::Int(0),
        condition: binary(operator, name("c0"), limit),
        increment: AstExpr::Int(step),
        degenerate: false,
        unroll: Unroll::Compiler,
        body: Box::new(Node::Barrier),
    }
}

#[test]
fn the_bound_leaves_room_for_what_is_added() {
    let max = i128::from(i32::MAX);
    let plus = |k| binary(AstOp::Add, name("n"), AstExpr::Int(k));
    let twice = binary(AstOp::Mul, AstExpr::Int(2), name("n"));
    assert_eq!(bound(count_to(name("n")), CType::Int), Some(max));
    assert_eq!(bound(count_to(plus(31)), CType::Int), Some(max - 31));
    assert_eq!(bound(count_to(twice), CType::Int), Some(max / 2));
    assert_eq!(bound(count_to(AstExpr::Int(3_000_000_000)), CType::Int), None);
    assert_eq!(bound(count_to(plus(31)), CType::Long), Some(i128::from(i64::MAX)));
}

/// Positions are computed in `long`, whatever the type of other expressions.
#[test]
fn the_bound_leaves_room_for_positions() {
    let times = |left: AstExpr, right: AstExpr| binary(AstOp::Mul, left, right);
    let nothing = || Box::new(Node::Block { children: Vec::new() });
    let packing = Packing {
        subscripts: vec!["e0".to_owned()],
        position: times(name("n"), times(name("n"), name("e0"))),
        count: name("n"),
        to_device: nothing(),
        from_device: nothing(),
    };
    let slice = ArraySlice {
        array: scop::ArrayId(0),
        lower: AstExpr::Int(0),
        extent: AstExpr::Int(9),
        inner_extents: Vec::new(),
        boxes: None,
        packing: None,
    };
    let position = Position { packing: &packing, slice: &slice };
    let parameters = BTreeMap::from([("n", CType::Long.range())]);
    let (body, bounds) = (Node::Barrier, Vec::new());
    let analysis = Analysis { parameters, kernels: &[], body: &body, bounds, positions: vec![position] };
    // The ninth element is at 8 n².
    let largest = (i64::MAX / 8).isqrt();
    for index in [CType::Int, CType::Long] {
        assert_eq!(analysis.largest_bound(index).unwrap(), Some(largest.into()));
    }
}

/// After its last iteration, a loop adds the step once more before its condition fails.
#[test]
fn the_bound_leaves_room_for_the_last_step() {
    let max = i128::from(i32::MAX);
    assert_eq!(bound(count(AstOp::Le, name("n"), 1), CType::Int), Some(max - 1));
    assert_eq!(bound(count(AstOp::Le, name("n"), 32), CType::Int), Some(max - 32));
    assert_eq!(bound(count(AstOp::Lt, name("n"), 1), CType::Int), Some(max));
    assert_eq!(bound(count(AstOp::Lt, name("n"), 32), CType::Int), Some(max - 31));
    assert_eq!(bound(count(AstOp::Le, AstExpr::Int(i64::from(i32::MAX)), 1), CType::Int), None);
}

#[test]
fn a_kernel_that_is_missing_is_no_matter_of_size() {
    let body = Box::new(Node::Barrier);
    let kernel =
        Node::Kernel { kernel: KernelId(0), lower: Vec::new(), extent: Vec::new(), ranked: None, body };
    let parameters = BTreeMap::new();
    let analysis =
        Analysis { parameters, kernels: &[], body: &kernel, bounds: Vec::new(), positions: Vec::new() };
    assert!(analysis.always_fits(CType::Long).is_err());
}

fn axis(axis: Axis) -> scop::GridDimension {
    let zero = || scop::IslPwAff("{ [(0)] }".to_owned());
    scop::GridDimension { axis, lower: zero(), extent: zero() }
}

/// Everything that a kernel, a condition or a subscript computes fits the type, in all branches and for all threads.
#[test]
fn the_bound_leaves_room_for_everything() {
    let max = i128::from(i32::MAX);
    let plus = |left: AstExpr, k: i64| binary(AstOp::Add, left, AstExpr::Int(k));
    let element = |index: AstExpr| Node::Element { index: vec![index] };
    let when = |condition, then, otherwise: Node| Node::If {
        condition,
        then: Box::new(then),
        otherwise: Some(Box::new(otherwise)),
    };
    let kernel = |lower: AstExpr, extent: AstExpr, inner: Node| Node::Kernel {
        ranked: None,
        kernel: KernelId(0),
        lower: vec![lower],
        extent: vec![extent],
        body: Box::new(inner),
    };
    let (zero, one) = (|| AstExpr::Int(0), || AstExpr::Int(1));
    let is_positive = |expr| binary(AstOp::Gt, expr, AstExpr::Int(0));
    let minus = AstExpr::Op(AstOp::Minus, vec![name("u")]);
    let minus_seven = |left: AstExpr| binary(AstOp::Sub, left, AstExpr::Int(7));
    let either = |then, otherwise| AstExpr::Op(AstOp::Select, vec![is_positive(name("u")), then, otherwise]);
    let below = |limit| binary(AstOp::Lt, name("c0"), limit);
    let both = |left, right| binary(AstOp::And, left, right);
    let ten = || AstExpr::Int(10);
    let counted = |condition| Node::For {
        iterator: "c0".to_owned(),
        init: zero(),
        condition,
        increment: AstExpr::Int(32),
        degenerate: false,
        unroll: Unroll::Compiler,
        body: Box::new(Node::Barrier),
    };
    let table = [
        (when(is_positive(plus(name("n"), 7)), Node::Barrier, Node::Barrier), max - 7),
        (when(one(), element(plus(name("n"), 8)), Node::Barrier), max - 8),
        (when(one(), Node::Barrier, element(plus(name("n"), 9))), max - 9),
        (element(binary(AstOp::Sub, name("n"), name("n"))), max / 2),
        (element(binary(AstOp::Mul, minus, name("u"))), 46340),
        (kernel(name("n"), name("u"), Node::Barrier), max / 2 + 1),
        (kernel(name("n"), name("u"), element(name("bx"))), max / 2 + 1),
        (kernel(zero(), one(), element(plus(name("bx"), i64::from(i32::MAX)))), max),
        (kernel(zero(), one(), element(binary(AstOp::Add, name("n"), name("tx")))), max - 31),
        // The larger operand of a choice, and the smaller, in either position.
        (element(plus(either(name("n"), zero()), 7)), max - 7),
        (element(plus(either(zero(), name("n")), 7)), max - 7),
        (element(minus_seven(either(name("n"), zero()))), max - 6),
        (element(minus_seven(either(zero(), name("n")))), max - 6),
        // A loop condition with several bounds, and one with a single bound.
        (counted(both(below(name("n")), below(ten()))), max),
        (counted(both(below(ten()), below(name("n")))), max),
        (counted(both(below(name("n")), is_positive(name("u")))), max - 31),
        (counted(both(is_positive(name("u")), below(name("n")))), max - 31),
        (counted(binary(AstOp::Gt, name("n"), name("c0"))), max - 31),
        (counted(binary(AstOp::Ge, name("n"), name("c0"))), max - 32),
    ];
    let kernels = [Kernel {
        id: KernelId(0),
        statements: Vec::new(),
        host_depth: 0,
        grid: vec![axis(Axis::X)],
        ranked: None,
        block: vec![scop::BlockDimension { axis: Axis::X, size: 32 }],
        shared_sums: Vec::new(),
        loading: None,
        ahead: false,
        priced: None,
        tile_sizes: Vec::new(),
        reasons: Vec::new(),
    }];
    for (body, expected) in table {
        let parameters = BTreeMap::from([("n", CType::Int.range()), ("u", CType::UInt.range())]);
        let analysis = Analysis {
            parameters,
            kernels: &kernels,
            body: &body,
            bounds: Vec::new(),
            positions: Vec::new(),
        };
        assert_eq!(analysis.largest_bound(CType::Int).unwrap(), Some(expected), "{body:?}");
    }
}

/// Positions also grow with an array's inner subscripts.
#[test]
fn positions_grow_with_inner_subscripts() {
    let nothing = || Box::new(Node::Block { children: Vec::new() });
    let packing = Packing {
        subscripts: vec!["e0".to_owned(), "e1".to_owned()],
        position: binary(AstOp::Mul, name("e1"), name("e1")),
        count: name("n"),
        to_device: nothing(),
        from_device: nothing(),
    };
    let slice = ArraySlice {
        array: scop::ArrayId(0),
        lower: AstExpr::Int(0),
        extent: AstExpr::Int(9),
        inner_extents: vec![name("n")],
        boxes: None,
        packing: None,
    };
    let position = Position { packing: &packing, slice: &slice };
    let parameters = BTreeMap::from([("n", CType::Long.range())]);
    let (body, bounds) = (Node::Barrier, Vec::new());
    let analysis = Analysis { parameters, kernels: &[], body: &body, bounds, positions: vec![position] };
    let largest = i128::from(i64::MAX.isqrt()) + 1;
    assert_eq!(analysis.largest_bound(CType::Long).unwrap(), Some(largest));
}

#[test]
fn a_loop_without_a_visible_end_is_not_bounded() {
    assert_eq!(bound(count_to(name("m")), CType::Int), None);
}
