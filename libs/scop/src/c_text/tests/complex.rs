//! Complex numbers: structures in C++, C's own types in C.

use super::*;

use BinaryOp::{Div, Eq};
use CType::{DoubleComplex, FloatComplex};

/// The spelling of [`Names`] in C.
struct InC;

impl Spelling for InC {
    type Error = Undefined;

    fn dialect(&self) -> Dialect {
        Dialect::C
    }

    fn element(&self, access: AccessId, subscripts: &[Fragment]) -> Result<Fragment, Undefined> {
        Names.element(access, subscripts)
    }

    fn iterator(&self, dimension: u32) -> Option<Fragment> {
        Names.iterator(dimension)
    }

    fn parameter(&self, name: &str) -> Option<Fragment> {
        Names.parameter(name)
    }
}

fn z() -> Expr {
    read(4)
}

fn w() -> Expr {
    read(5)
}

fn i(ctype: CType) -> Expr {
    expr(ctype, ExprKind::Imaginary { value: "1.0".to_owned() })
}

/// Checks each value as it is assigned to an element of its type, in C++ and in C.
#[test]
fn values_have_the_type_of_the_tree() {
    let cases = [
        (binary(DoubleComplex, Mul, z(), z()), "z * z", "z * z"),
        (binary(DoubleComplex, Mul, to(Double, read(3)), z()), "x * z", "x * z"),
        (
            binary(DoubleComplex, Mul, z(), to(DoubleComplex, w())),
            "z * cuda_to_complex_double(w)",
            "z * (double _Complex)w",
        ),
        (
            binary(DoubleComplex, Mul, to(DoubleComplex, read(2)), z()),
            "cuda_complex_double{d, 0.0} * z",
            "(double _Complex)d * z",
        ),
        (to(DoubleComplex, read(2)), "cuda_complex_double{d, 0.0}", "d"),
        (to(DoubleComplex, read(3)), "cuda_complex_double{(double)x, 0.0}", "x"),
        (to(FloatComplex, int("2", Int)), "cuda_complex_float{2.0f, 0.0f}", "2"),
        (cast(FloatComplex, false, z()), "cuda_to_complex_float(z)", "(float _Complex)z"),
        (to(Double, binary(DoubleComplex, Add, z(), z())), "(z + z).re", "z + z"),
        (to(Float, z()), "(float)z.re", "z"),
        (to(Bool, z()), "(bool)z", "z"),
        (unary(Int, UnaryOp::Not, z()), "!z", "!z"),
        (unary(Double, UnaryOp::Imaginary, z()), "z.im", "__imag__ z"),
        (unary(DoubleComplex, UnaryOp::Minus, z()), "-z", "-z"),
        (unary(DoubleComplex, UnaryOp::Plus, z()), "z", "+z"),
        (binary(Int, Eq, z(), to(Double, int("1", Int))), "z == 1", "z == 1"),
        (i(FloatComplex), "cuda_complex_float{0.0f, 1.0f}", "1.0fi"),
        (to(DoubleComplex, i(FloatComplex)), "cuda_complex_double{0.0, 1.0f}", "1.0fi"),
        (binary(FloatComplex, Div, read(0), w()), "f / w", "f / w"),
    ];
    let locals = Locals::default();
    for (tree, in_cxx, in_c) in cases {
        let printed = Printer { locals: &locals, spelling: &Names }.converted(&tree, tree.ctype);
        assert_eq!(printed.unwrap().text, in_cxx);
        let printed = Printer { locals: &locals, spelling: &InC }.converted(&tree, tree.ctype);
        assert_eq!(printed.unwrap().text, in_c);
    }
}

#[test]
fn structures_are_not_updated_in_place() {
    let locals = Locals::default();
    let element = Fragment::atom("z", DoubleComplex);
    let product = binary(DoubleComplex, Mul, z(), to(Double, read(3)));
    let printer = Printer { locals: &locals, spelling: &Names };
    assert_eq!(printer.compound_operand(&element, Mul, &product), Ok(None));
    let printer = Printer { locals: &locals, spelling: &InC };
    let operand = printer.compound_operand(&element, Mul, &product).unwrap();
    assert_eq!(operand.map(|operand| operand.text).as_deref(), Some("x"));
}
