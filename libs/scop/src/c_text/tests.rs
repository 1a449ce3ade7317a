mod complex;

use super::*;
use crate::ast::{AstExpr, AstOp};
use crate::{Access, AccessKind, ArrayId, Certainty, IslMap, IslSet, SourceRange, StatementId, UnaryOp};

use BinaryOp::{Add, And, BitAnd, Div, Lt, Mul, Or, Rem, Shl, Sub};
use CType::{Bool, Char, Double, Float, Int, Long, Short, UInt, ULong};

/// The spelling of the leaves: access `a0` is `f` (float), `a1` is `c` (char), `a2` is `d` (double), `a3` is
/// `x` (int), `a4` is `z` (double complex), `a5` is `w` (float complex). The loop variable of iterator 0 is an
/// `int`, and so is the parameter `n`.
struct Names;

/// The types of the elements.
const TYPES: [CType; 6] = [Float, Char, Double, Int, CType::DoubleComplex, CType::FloatComplex];

impl Spelling for Names {
    type Error = Undefined;

    fn dialect(&self) -> Dialect {
        Dialect::Cxx
    }

    fn element(&self, access: AccessId, subscripts: &[Fragment]) -> Result<Fragment, Undefined> {
        let (name, ctype) = (["f", "c", "d", "x", "z", "w"][access.index()], TYPES[access.index()]);
        let subscripts: String = subscripts.iter().map(|subscript| format!("[{subscript}]")).collect();
        Ok(Fragment::atom(format!("{name}{subscripts}"), ctype))
    }

    fn iterator(&self, dimension: u32) -> Option<Fragment> {
        (dimension == 0)
            .then(|| Fragment::infix(Add, &Fragment::atom("c0", Int), &Fragment::atom("1", Int), Int))
    }

    fn parameter(&self, name: &str) -> Option<Fragment> {
        Some(Fragment::atom(name, Int))
    }
}

fn statement(body: Vec<Step>) -> Statement {
    let access = |id| Access {
        id: AccessId(id),
        array: ArrayId(id),
        kind: AccessKind::Read,
        certainty: Certainty::Must,
        indirect: false,
        in_both_branches: false,
        relation: IslMap(String::new()),
    };
    Statement {
        id: StatementId(0),
        loops: Vec::new(),
        domain: IslSet(String::new()),
        accesses: (0..4).map(access).collect(),
        body,
        range: SourceRange { start: 0, end: 0, line: 1, column: 1 },
        text: String::new(),
    }
}

fn expr(ctype: CType, kind: ExprKind) -> Expr {
    Expr { ctype, kind }
}

fn int(value: &str, ctype: CType) -> Expr {
    expr(ctype, ExprKind::Integer { value: value.to_owned() })
}

fn floating(value: &str, ctype: CType) -> Expr {
    expr(ctype, ExprKind::Floating { value: value.to_owned() })
}

fn read(access: u32) -> Expr {
    expr(TYPES[access as usize], ExprKind::Read { access: AccessId(access), subscripts: Vec::new() })
}

fn iterator(ctype: CType) -> Expr {
    expr(ctype, ExprKind::Iterator { dimension: 0 })
}

fn cast(ctype: CType, implicit: bool, operand: Expr) -> Expr {
    expr(ctype, ExprKind::Cast { implicit, operand: Box::new(operand) })
}

fn to(ctype: CType, operand: Expr) -> Expr {
    cast(ctype, true, operand)
}

fn binary(ctype: CType, operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    expr(ctype, ExprKind::Binary { operator, left: Box::new(left), right: Box::new(right) })
}

fn unary(ctype: CType, operator: UnaryOp, operand: Expr) -> Expr {
    expr(ctype, ExprKind::Unary { operator, operand: Box::new(operand) })
}

fn call(ctype: CType, function: &str, arguments: Vec<Expr>) -> Expr {
    expr(ctype, ExprKind::Call { function: function.to_owned(), arguments })
}

fn text(tree: &Expr) -> String {
    let locals = Locals::default();
    Printer { locals: &locals, spelling: &Names }.full(tree).unwrap().text
}

#[test]
fn literals_have_the_type_of_the_tree() {
    for (tree, expected) in [
        (int("7", Int), "7"),
        (int("7", UInt), "7u"),
        (int("7", Long), "7L"),
        (int("7", ULong), "7UL"),
        (int("-2147483648", Int), "-2147483647 - 1"),
        (int("-9223372036854775808", Long), "-9223372036854775807L - 1L"),
        (int("97", Char), "(char)97"),
        (int("1", Bool), "(bool)1"),
        (floating("0.5", Float), "0.5f"),
        (floating("0x1p-3", Double), "0x1p-3"),
        (floating("3", Float), "3.0f"),
        (floating("1e9", CType::LongDouble), "1e9L"),
    ] {
        assert_eq!(text(&tree), expected);
    }
}

#[test]
fn casts_that_the_compiler_makes_are_left_out() {
    for (tree, expected) in [
        (binary(Double, Mul, to(Double, read(0)), read(2)), "f * d"),
        (binary(Int, Add, to(Int, read(1)), int("1", Int)), "c + 1"),
        (binary(UInt, Add, to(UInt, read(3)), int("1", UInt)), "x + 1u"),
        (binary(Float, Mul, to(Float, int("2", Int)), read(0)), "2 * f"),
        (unary(Int, UnaryOp::Minus, to(Int, read(1))), "-c"),
        (unary(Int, UnaryOp::Not, read(2)), "!d"),
        (binary(Int, Shl, to(Int, read(1)), int("3", Int)), "c << 3"),
    ] {
        assert_eq!(text(&tree), expected);
    }
}

#[test]
fn casts_that_change_the_meaning_are_written() {
    for (tree, expected) in [
        (cast(Int, false, read(2)), "(int)d"),
        (binary(Double, Div, to(Double, read(3)), to(Double, read(3))), "(double)x / x"),
        (binary(Double, Mul, cast(Double, true, read(0)), cast(Double, true, read(0))), "(double)f * f"),
        (binary(Long, Shl, to(Long, read(3)), to(Long, int("3", Int))), "(long)x << (long)3"),
        (unary(Long, UnaryOp::Minus, to(Long, read(3))), "-(long)x"),
        (to(Int, to(Short, read(3))), "(int)(short)x"),
    ] {
        assert_eq!(text(&tree), expected);
    }
}

#[test]
fn leaves_of_another_type_are_converted() {
    let n = expr(ULong, ExprKind::Parameter { name: "n".to_owned() });
    for (tree, expected) in [
        (iterator(Int), "c0 + 1"),
        (binary(Int, Mul, iterator(Int), int("2", Int)), "(c0 + 1) * 2"),
        (iterator(Long), "(long)(c0 + 1)"),
        (binary(Long, Mul, iterator(Long), iterator(Long)), "(long)(c0 + 1) * (c0 + 1)"),
        (binary(Long, Add, iterator(Long), int("1", Long)), "c0 + 1 + 1L"),
        (binary(ULong, Rem, n.clone(), int("3", ULong)), "n % 3UL"),
        (binary(Double, Mul, to(Double, iterator(Long)), read(2)), "(c0 + 1) * d"),
        (binary(ULong, Rem, n, to(ULong, int("3", Int))), "(unsigned long)n % 3"),
    ] {
        assert_eq!(text(&tree), expected);
    }
}

#[test]
fn arguments_are_converted_in_writing() {
    for (tree, expected) in [
        (call(Double, "sqrt", vec![to(Double, read(0))]), "sqrt((double)f)"),
        (call(Double, "pow", vec![read(2), to(Double, int("2", Int))]), "pow(d, 2.0)"),
        (call(Float, "sqrtf", vec![to(Float, read(2))]), "sqrtf((float)d)"),
        (
            call(Double, "fabs", vec![to(Double, binary(Int, Lt, read(3), int("1", Int)))]),
            "fabs((double)(x < 1))",
        ),
        (
            call(Double, "sqrt", vec![to(Double, int("9007199254740993", Long))]),
            "sqrt((double)9007199254740993L)",
        ),
    ] {
        assert_eq!(text(&tree), expected);
    }
}

#[test]
fn parentheses_are_those_that_c_needs_or_compilers_ask_for() {
    let x = || read(3);
    let sum = || binary(Int, Add, x(), int("1", Int));
    let less = || binary(Int, Lt, x(), int("1", Int));
    let minus = |operand| unary(Int, UnaryOp::Minus, operand);
    let conditional = |otherwise| {
        let kind = ExprKind::Conditional {
            condition: Box::new(less()),
            then: Box::new(x()),
            otherwise: Box::new(otherwise),
        };
        expr(Int, kind)
    };
    for (tree, expected) in [
        (binary(Int, Sub, x(), sum()), "x - (x + 1)"),
        (binary(Int, Sub, sum(), x()), "x + 1 - x"),
        (binary(Int, Mul, sum(), sum()), "(x + 1) * (x + 1)"),
        (binary(Int, Sub, x(), int("-1", Int)), "x - (-1)"),
        (binary(Int, Mul, x(), minus(x())), "x * -x"),
        (minus(minus(x())), "-(-x)"),
        (minus(int("-1", Int)), "-(-1)"),
        (binary(Int, Shl, x(), sum()), "x << (x + 1)"),
        (binary(Int, Or, binary(Int, And, x(), less()), x()), "(x && x < 1) || x"),
        (binary(Int, BitAnd, less(), x()), "(x < 1) & x"),
        (binary(Int, Lt, less(), x()), "(x < 1) < x"),
        (conditional(conditional(x())), "x < 1 ? x : x < 1 ? x : x"),
        (binary(Int, Add, conditional(x()), x()), "(x < 1 ? x : x) + x"),
        (super::tests::conditional(conditional(x()), x(), x()), "(x < 1 ? x : x) ? x : x"),
        (cast(Float, false, sum()), "(float)(x + 1)"),
    ] {
        assert_eq!(text(&tree), expected);
    }
}

#[test]
fn steps_become_lines() {
    let assign = |access, value, compound| Step::Assign {
        access: AccessId(access),
        subscripts: Vec::new(),
        value,
        compound,
    };
    let define = |local: u32, name: &str, value| Step::Define {
        local: LocalId(local),
        name: name.to_owned(),
        ctype: Double,
        value,
    };
    let local = |number| expr(Double, ExprKind::Local { local: LocalId(number) });
    let grow = |value: Expr| to(Float, binary(Double, Add, to(Double, read(0)), value));
    for (steps, expected) in [
        (vec![assign(0, grow(read(2)), Some(Add))], vec!["f += d;"]),
        (vec![assign(0, grow(read(2)), None)], vec!["f = f + d;"]),
        (
            vec![assign(1, to(Char, binary(Int, Mul, to(Int, read(1)), int("3", Int))), Some(Mul))],
            vec!["c *= 3;"],
        ),
        (vec![assign(2, grow(read(2)), Some(Add))], vec!["d = (float)(f + d);"]),
        (
            vec![define(0, "t", Some(to(Double, read(0)))), assign(2, local(0), None)],
            vec!["const double t = f;", "d = t;"],
        ),
        (
            vec![
                define(0, "t", None),
                Step::Set { local: LocalId(0), value: read(2) },
                define(1, "unused", Some(local(0))),
                assign(2, local(0), None),
            ],
            vec!["double t;", "t = d;", "d = t;"],
        ),
    ] {
        let lines = body(&statement(steps), &Names).unwrap();
        assert_eq!(flat(&lines), expected);
    }
}

#[test]
fn what_is_not_defined_is_an_error() {
    let tree = expr(Int, ExprKind::Iterator { dimension: 3 });
    let locals = Locals::default();
    let error = Printer { locals: &locals, spelling: &Names }.full(&tree).unwrap_err();
    assert_eq!(error.to_string(), "iterator 3 is used where it is not defined");
}

#[test]
fn index_expressions_are_printed_in_their_type() {
    let name = || AstExpr::Name("c0".to_owned());
    let op = |operator, operands: Vec<AstExpr>| AstExpr::Op(operator, operands);
    let number = AstExpr::Int;
    let floor =
        |divisor| op(AstOp::FloorDiv, vec![op(AstOp::Add, vec![name(), number(31)]), number(divisor)]);
    for (tree, index, expected, needed) in [
        (floor(32), Int, "(c0 + 31) >> 5", vec![]),
        (floor(3), Int, "floord(c0 + 31, 3)", vec![Helper::Floord]),
        (floor(3), Long, "floord(c0 + 31, 3L)", vec![Helper::Floord]),
        (op(AstOp::Max, vec![name(), number(0)]), Long, "max(c0, 0L)", vec![Helper::Max]),
        (
            op(AstOp::Max, vec![op(AstOp::Select, vec![name(), number(3), number(4)]), number(0)]),
            Long,
            "max((long)(c0 ? 3 : 4), 0L)",
            vec![Helper::Max],
        ),
        (op(AstOp::Min, vec![name(), number(1), number(-2)]), Int, "min(min(c0, 1), -2)", vec![Helper::Min]),
        (op(AstOp::Add, vec![name(), number(-3)]), Int, "c0 - 3", vec![]),
        (op(AstOp::Sub, vec![name(), op(AstOp::Sub, vec![name(), number(1)])]), Int, "c0 - (c0 - 1)", vec![]),
        (
            op(AstOp::Eq, vec![op(AstOp::ZeroMod, vec![name(), number(4)]), number(0)]),
            Int,
            "c0 % 4 == 0",
            vec![],
        ),
        (op(AstOp::Or, vec![op(AstOp::And, vec![name(), name()]), name()]), Int, "(c0 && c0) || c0", vec![]),
        (
            op(AstOp::Mul, vec![number(2), op(AstOp::Select, vec![name(), number(1), name()])]),
            Int,
            "2 * (c0 ? 1 : c0)",
            vec![],
        ),
        (op(AstOp::Minus, vec![op(AstOp::Minus, vec![name()])]), Int, "-(-c0)", vec![]),
    ] {
        assert_eq!(index_text(&tree, index).text, expected);
        assert_eq!(helpers(&tree).into_iter().collect::<Vec<_>>(), needed);
    }
}

/// Returns the lines of a text, with braces for conditions and loops.
fn flat(texts: &[Code]) -> Vec<String> {
    let mut lines = Vec::new();
    for text in texts {
        match text {
            Code::Line { text, .. } => lines.push(text.clone()),
            Code::If { condition, then, otherwise } => {
                lines.push(format!("if ({condition}) {{"));
                lines.extend(flat(then));
                lines.push("} else {".to_owned());
                lines.extend(flat(otherwise));
                lines.push("}".to_owned());
            }
            Code::Loop { head, body } => {
                lines.push(format!("{head} {{"));
                lines.extend(flat(body));
                lines.push("}".to_owned());
            }
        }
    }
    lines
}

#[test]
fn control_that_depends_on_data_and_indirect_elements_print_as_c() {
    let local = |number| expr(Int, ExprKind::Local { local: LocalId(number) });
    let indirect = |access, subscript| {
        expr(Double, ExprKind::Read { access: AccessId(access), subscripts: vec![subscript] })
    };
    let steps = vec![Step::For {
        local: LocalId(0),
        name: "k".to_owned(),
        ctype: Int,
        first: read(3),
        condition: binary(Int, Lt, local(0), read(3)),
        next: binary(Int, Add, local(0), int("1", Int)),
        body: vec![Step::If {
            condition: binary(Int, Lt, local(0), int("7", Int)),
            then: vec![Step::Assign {
                access: AccessId(2),
                subscripts: vec![read(3)],
                value: indirect(2, local(0)),
                compound: None,
            }],
            otherwise: Vec::new(),
        }],
    }];
    let expected = ["for (int k = x; k < x; k++) {", "if (k < 7) {", "d[x] = d[k];", "} else {", "}", "}"];
    assert_eq!(flat(&body(&statement(steps), &Names).unwrap()), expected);
}

/// A printer that prints an operand twice would take exponential time here.
#[test]
fn long_expressions_are_printed_once() {
    const TERMS: usize = 300;
    let chain = |step: &dyn Fn(Expr) -> Expr| (1..TERMS).fold(read(0), |sum, _| step(sum));
    let widened = |operand: Expr| if operand.ctype == Double { operand } else { to(Double, operand) };
    let same = |operand: Expr| if operand.ctype == Float { operand } else { to(Float, operand) };
    let chains: [(&dyn Fn(Expr) -> Expr, &str); 9] = [
        (&|sum| binary(Double, Add, widened(sum), read(2)), "f + d + "),
        (&|sum| binary(Double, Sub, read(2), widened(sum)), "d - (d - "),
        (&|sum| binary(Double, Mul, widened(sum), to(Double, read(0))), "(double)f * f * "),
        (&|sum| binary(Double, Add, to(Double, same(sum)), to(Double, int("1", Int))), ""),
        (&|sum| conditional(read(3), widened(sum), read(2)), "x ? x ? "),
        (&|sum| conditional(read(3), read(2), widened(sum)), "x ? d : x ? d : "),
        (&|sum| conditional(binary(Int, Lt, widened(sum), read(2)), read(2), read(2)), ""),
        (&|sum| call(Double, "fmax", vec![widened(sum), read(2)]), "fmax(fmax("),
        (&|sum| unary(Double, UnaryOp::Minus, cast(Double, false, same(sum))), "-(double)(float)-"),
    ];
    for (step, start) in chains {
        let printed = text(&chain(step));
        assert!(printed.starts_with(start), "{printed}");
        assert!(printed.len() < 100 * TERMS, "{printed}");
    }
}

fn conditional(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let parts = [condition, then, otherwise].map(Box::new);
    let [condition, then, otherwise] = parts;
    expr(then.ctype, ExprKind::Conditional { condition, then, otherwise })
}
