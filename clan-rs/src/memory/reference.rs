//! References to memory: a variable and its subscripts.

use scop::{BinaryOp, UnaryOp};

use crate::c::ctree::{self, Unnamed, VariableId};
use crate::errors::{ARRAY, EXPRESSION, Fault, Result};

/// One subscript: a sum of C expressions, some of them perhaps subtracted.
pub struct Subscript<'t> {
    /// The summands; true means that the summand is subtracted.
    pub parts: Vec<(bool, &'t ctree::Expr)>,
}

/// Returns the variable and the subscripts of `a[i][j]`, `*(p + i)`, `(*a)[i]` or `s`.
pub fn reference(expr: &ctree::Expr) -> Result<(VariableId, Vec<Subscript<'_>>)> {
    match &expr.kind {
        ctree::ExprKind::Variable(id) => Ok((*id, Vec::new())),
        ctree::ExprKind::Member { base, variable: Some(id), .. } => Ok((*id, of_structures(base))),
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

/// Returns the subscripts in an array of structures.
fn of_structures(base: &ctree::Expr) -> Vec<Subscript<'_>> {
    match &base.kind {
        ctree::ExprKind::Subscript { .. } => reference(base).map_or_else(|_| Vec::new(), |(_, found)| found),
        ctree::ExprKind::Member { base, variable: Some(_), .. } => of_structures(base),
        _ => Vec::new(),
    }
}

/// Moves offsets from a base to its subscript: `p + i` with the subscript j becomes p with the subscript i + j.
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

/// Returns the fault of an expression that is not a member of a known structure.
pub fn not_a_member(expr: &ctree::Expr) -> Fault {
    Fault::new(ARRAY, "a structure is not accessed by its name", expr.range, "this is not a member of a known structure")
        .with_help("write `s.x`, `p->x` or `p[i].x`, where `s` is a structure, and `p` a pointer to structures or an array of them; arrays of structures do not nest")
}

/// Returns advice about something that C does not have, or that has no counterpart on the device.
fn way_out(what: &Unnamed) -> &'static str {
    match what.plain() {
        Unnamed::Operator(name) if name == "operator[]" => {
            "take a pointer to the elements before the region, as in `double *p = v.data();`, and write `p[i]`"
        }
        Unnamed::BitField | Unnamed::UnionMember => {
            "copy it to a variable before the region, and back after it"
        }
        _ => "compute it before the region, in a variable",
    }
}

/// Returns the fault of something that C does not have, or that has no counterpart on the device.
pub fn not_supported(what: &Unnamed, expr: &ctree::Expr) -> Fault {
    let message = format!("{} is not supported in a region", what.words());
    Fault::new(EXPRESSION, message, expr.range, "not supported here").with_help(way_out(what))
}

fn without_name(what: &Unnamed, expr: &ctree::Expr) -> Fault {
    let message = format!("{} in a region", what.words());
    Fault::new(ARRAY, message, expr.range, "this memory has no name")
        .with_help("make it an array with a name before the region")
}

fn not_a_reference(expr: &ctree::Expr) -> Fault {
    let label = match &expr.kind {
        ctree::ExprKind::Member { .. } => return not_a_member(expr),
        ctree::ExprKind::Other { what, .. } => match what.plain() {
            Unnamed::BitField | Unnamed::UnionMember | Unnamed::Member(_) | Unnamed::MemberCall(_) => {
                return not_supported(what, expr);
            }
            Unnamed::Text | Unnamed::CompoundLiteral => return without_name(what, expr),
            _ => format!("this is {}", what.words()),
        },
        ctree::ExprKind::Cast { .. } => "this converts a pointer".to_owned(),
        ctree::ExprKind::Unary(UnaryOp::Real | UnaryOp::Imaginary, _) => {
            "this is a part of a complex number".to_owned()
        }
        ctree::ExprKind::Call { .. } => "this is the result of a call".to_owned(),
        ctree::ExprKind::Increment { .. } => "this changes a pointer".to_owned(),
        _ => "this is not the name of an array".to_owned(),
    };
    let help = match &expr.kind {
        ctree::ExprKind::Other { what, .. } if is_value(what) => way_out(what),
        ctree::ExprKind::Unary(..) => "assign the whole number",
        _ => "write `name[i][j]`, where `name` is an array or a pointer to its elements",
    };
    Fault::new(ARRAY, "an array is not accessed by its name", expr.range, label).with_help(help)
}

/// True for an expression that refers to no array with a name.
fn is_value(what: &Unnamed) -> bool {
    matches!(
        what.plain(),
        Unnamed::Throw | Unnamed::NewArray | Unnamed::Operator(_) | Unnamed::Quoted(_) | Unnamed::Value(_)
    )
}
