//! Why an expression is not affine, and what to do about it.

use scop::BinaryOp;

use crate::affine::translator::Affine;
use crate::c::ctree::{Expr, ExprKind, TypeKind, VariableId};
use crate::errors::{
    CHANGED, DATA_DEPENDENT, Fault, ITERATOR_AFTER_LOOP, NOT_AFFINE, Result, TOO_LARGE, TYPE,
};

impl Affine<'_, '_> {
    /// Returns the fault of an expression that is not of an integer type.
    pub(crate) fn not_integer(&self, expr: &Expr) -> Fault {
        let message = format!("{} is not computed from integers alone", self.subject());
        let fault = Fault::new(DATA_DEPENDENT, message, expr.range, "this is not an integer");
        fault.with_help(self.advice(
            "bounds, conditions and subscripts may use loop variables and integers that the region does not change",
        ))
    }

    /// Returns the fault of an operator that is not affine.
    pub(crate) fn not_affine(&self, expr: &Expr) -> Fault {
        let (code, label) = match &expr.kind {
            ExprKind::Subscript { .. } | ExprKind::Member { .. } => {
                (DATA_DEPENDENT, "this is read from memory while the region runs")
            }
            ExprKind::Call { .. } => (NOT_AFFINE, "the result of a call is not known before the region runs"),
            ExprKind::Assign { .. } | ExprKind::Increment { .. } => {
                (NOT_AFFINE, "this changes a variable as a side effect")
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => {
                (NOT_AFFINE, "the divisor is not a positive constant")
            }
            ExprKind::Binary(..) => (NOT_AFFINE, "this operator is not supported here"),
            _ => (NOT_AFFINE, "this is not supported here"),
        };
        let message = format!("{} is not affine", self.subject());
        if let (ExprKind::Subscript { base, index }, "loop condition" | "first value of a loop") =
            (&expr.kind, self.role)
            && let (Some(id), ExprKind::Integer(number)) = (base.as_place(), &index.kind)
        {
            let name = self.environment.name(id);
            let element = if *number == 0 { format!("*{name}") } else { format!("{name}[{number}]") };
            return Fault::new(code, message, expr.range, label).with_help(format!(
                "copy `{element}` to a local variable before the region, and use that here"
            ));
        }
        Fault::new(code, message, expr.range, label).with_help(self.advice(
            "use sums of loop variables and unchanging integers, products with constants, and `/` and `%` by positive constants",
        ))
    }

    /// Returns the fault of a product of two variables.
    pub(crate) fn product(&self, expr: &Expr) -> Fault {
        let message = format!("{} is not affine", self.subject());
        let help = match self.role {
            "subscript" => {
                "give the array its dimensions, for example `double (*a)[m]` or a parameter `double a[n][m]`, and write `a[i][j]` instead of `a[i * m + j]`"
            }
            _ => "compute the product before the region, in a variable of its own",
        };
        Fault::new(NOT_AFFINE, message, expr.range, "this multiplies two variables").with_help(help)
    }

    /// Refuses constants beyond 64 bits with a sign: the generated program computes bounds and subscripts in at most
    /// 64 bits.
    pub(crate) fn checked_constant(&self, value: i128, expr: &Expr) -> Result<i128> {
        if i64::try_from(value).is_ok() {
            return Ok(value);
        }
        let is_converted = matches!(expr.kind, ExprKind::Cast { .. } | ExprKind::Unary(..));
        let (message, label) = match wrapped(value).filter(|_| is_converted) {
            Some(negative) => (
                format!("{} needs the unsigned value of {negative}", self.subject()),
                format!("this is {value}, which does not fit into a signed 64-bit integer"),
            ),
            None => (
                format!("{} needs a constant that does not fit into a signed 64-bit integer", self.subject()),
                format!("this is {value}; at most {} is supported", i64::MAX),
            ),
        };
        Err(Fault::new(TOO_LARGE, message, expr.range, label).with_help(
            "use signed integers such as `int` or `long` here, with -1 as the end marker, or compare before the region \
             and store the result in an `int`",
        ))
    }

    /// Returns the fault of a variable that is neither an iterator at this place nor a parameter.
    pub(crate) fn unusable(&self, id: VariableId, expr: &Expr) -> Fault {
        let environment = self.environment;
        let name = environment.name(id);
        let variable = environment.tree.variable(id);
        if environment.iterators.contains(&id) {
            let message = format!("`{name}` is used outside of the loops that count with it");
            let label = "its value here is not known: which loop set it last depends on data";
            return Fault::new(ITERATOR_AFTER_LOOP, message, expr.range, label)
                .with_help(format!("keep what is needed here in a variable other than `{name}`"));
        }
        if let TypeKind::Other(spelling) = &variable.ctype.kind
            && spelling.ends_with('&')
        {
            let message = format!("`{name}` is a reference");
            return Fault::new(TYPE, message, expr.range, "references are not supported in a region")
                .with_help(format!("copy `{name}` to a variable before the region, and back after it"));
        }
        if variable.ctype.volatile || !variable.is_integer() {
            let message = format!("`{name}` has a type that is not supported here");
            return Fault::new(TYPE, message, expr.range, "not a plain integer").with_help(format!(
                "copy `{name}` to an ordinary integer before the region, and use that here"
            ));
        }
        let message = format!("{} uses `{name}`, which the region changes", self.subject());
        let label = match environment.in_region.first_write(id) {
            Some(range) => format!("`{name}` is changed on line {}", range.line),
            None => format!("the value of `{name}` is computed in the region"),
        };
        Fault::new(CHANGED, message, expr.range, label)
            .with_help("write the expression in terms of loop variables, or compute it before the region")
    }

    /// Returns advice for the user; a condition on data can often be moved into a value.
    fn advice(&self, otherwise: &'static str) -> &'static str {
        match self.role {
            "condition" => {
                "conditions must not depend on data; for a conditional assignment, write `x = condition ? new : x`"
            }
            _ => otherwise,
        }
    }

    /// Returns words for the current expression, by its role.
    pub(crate) fn subject(&self) -> String {
        format!("this {}", self.role)
    }
}

/// Returns the small negative number as which an unsigned 64-bit constant was written: `(size_t)-1`.
fn wrapped(value: i128) -> Option<i128> {
    let negative = value - (1 << 64);
    (-4096..0).contains(&negative).then_some(negative)
}
