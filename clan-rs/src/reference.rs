//! References to memory: which variable, and with which subscripts.

use scop::BinaryOp;

use crate::ctree::{self, VariableId};
use crate::errors::{ARRAY, Fault, Result};

/// One subscript: a sum of C expressions, each perhaps with a minus.
pub struct Subscript<'t> {
    /// The summands, each with true for a minus.
    pub parts: Vec<(bool, &'t ctree::Expr)>,
}

/// The variable and the subscripts of `a[i][j]`, `*(p + i)`, `(*a)[i]` or `s`.
pub fn reference(expr: &ctree::Expr) -> Result<(VariableId, Vec<Subscript<'_>>)> {
    match &expr.kind {
        ctree::ExprKind::Variable(id) => Ok((*id, Vec::new())),
        ctree::ExprKind::Subscript { base, index } => {
            let mut last = Subscript { parts: vec![(false, index)] };
            let base = offsets(base, &mut last)?;
            let (id, mut subscripts) = reference(base)?;
            subscripts.push(last);
            Ok((id, subscripts))
        }
        _ => Err(not_a_reference(expr)),
    }
}

/// `p + i` with a subscript j is p with the subscript i + j.
fn offsets<'t>(base: &'t ctree::Expr, subscript: &mut Subscript<'t>) -> Result<&'t ctree::Expr> {
    match &base.kind {
        ctree::ExprKind::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
            let (pointer, offset) = if left.ctype.is_pointer_like() { (left, right) } else { (right, left) };
            subscript.parts.push((*operator == BinaryOp::Sub, offset));
            offsets(pointer, subscript)
        }
        _ => Ok(base),
    }
}

fn not_a_reference(expr: &ctree::Expr) -> Fault {
    let label = match &expr.kind {
        ctree::ExprKind::Other { what, .. } => format!("this is {what}"),
        ctree::ExprKind::Cast { .. } => "this converts a pointer".to_owned(),
        ctree::ExprKind::Call { .. } => "this is the result of a call".to_owned(),
        ctree::ExprKind::Increment { .. } => "this changes a pointer".to_owned(),
        _ => "this is not the name of an array".to_owned(),
    };
    Fault::new(ARRAY, "an array is not accessed by its name", expr.range, label)
        .with_help("write `name[i][j]`, where `name` is an array or a pointer to its elements")
}
