//! Products of integers that the region does not change, as in `i < n * m`: each product becomes a parameter.
//!
//! The host computes the product before the region. In `int`, it might overflow in cases in which the region does
//! not compute it, so `long` is used instead. Unsigned products wrap around as they do in the region.

use std::collections::{BTreeMap, BTreeSet};

use scop::{BinaryOp, CType, Parameter, UnaryOp};

use crate::c::constant::fold;
use crate::c::ctree::{Expr, ExprKind, Tree};
use crate::variables::environment::Environment;
use crate::variables::names::Names;

/// The identity of a product: its factors in alphabetical order, and its type.
pub type Key = (Vec<String>, &'static str);

/// The parameters that represent products.
pub type Products = BTreeMap<Key, Parameter>;

/// Returns the factors of a product, as C expressions, and its type; `None` for other expressions.
pub fn factors(environment: &Environment, expr: &Expr) -> Option<(Vec<String>, CType)> {
    let ctype = expr.ctype.arithmetic().filter(|ctype| ctype.is_integer())?;
    let ExprKind::Binary(BinaryOp::Mul, left, right) = &expr.kind else { return None };
    let tree = environment.tree;
    if fold(tree, left).is_some() || fold(tree, right).is_some() {
        return None;
    }
    let mut texts = factor(environment, left, ctype)?;
    texts.extend(factor(environment, right, ctype)?);
    Some((texts, ctype))
}

fn factor(environment: &Environment, expr: &Expr, ctype: CType) -> Option<Vec<String>> {
    match factors(environment, expr) {
        Some((texts, inner)) if inner == ctype => Some(texts),
        _ => Some(vec![text(environment, expr)?]),
    }
}

/// Returns the identity of a product.
pub fn key((texts, ctype): &(Vec<String>, CType)) -> Key {
    let mut texts = texts.clone();
    texts.sort();
    (texts, ctype.c_name())
}

/// Returns the products in the expressions of a region.
pub fn of_region(environment: &Environment, taken: &mut Names) -> Products {
    let mut products = Products::new();
    for stmt in &environment.region.statements {
        stmt.walk_expressions(environment.tree, &mut |expr| {
            if let Some(found) = factors(environment, expr) {
                products.entry(key(&found)).or_insert_with(|| parameter(&found.0, found.1, taken));
            }
        });
    }
    products
}

/// Creates a parameter for a product.
pub fn parameter(factors: &[String], ctype: CType, taken: &mut Names) -> Parameter {
    let words: BTreeSet<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(['_']).collect();
    let named: Vec<String> =
        factors.iter().map(|factor| factor.chars().filter(|c| words.contains(c)).collect()).collect();
    let wide = if ctype.promoted() == CType::Int { CType::Long } else { ctype };
    let cast = if wide == ctype { String::new() } else { format!("({wide})") };
    Parameter {
        name: taken.unused(&named.join("_")),
        expression: format!("{cast}{}", factors.join(" * ")),
        ctype: wide,
    }
}

/// Returns an expression as C text, if the region does not change its value and it can be computed at any time.
fn text(environment: &Environment, expr: &Expr) -> Option<String> {
    let tree: &Tree = environment.tree;
    let ctype = expr.ctype.arithmetic().filter(|ctype| ctype.is_integer())?;
    match &expr.kind {
        ExprKind::Integer(value) if *value < 0 => Some(format!("({value})")),
        ExprKind::Integer(value) => Some(value.to_string()),
        ExprKind::Variable(_) | ExprKind::Member { .. } => {
            let id = expr.as_place()?;
            let variable = tree.variable(id);
            if environment.aliases.contains(&id) {
                let initial = variable.initial.as_ref()?;
                return Some(format!("({ctype})({})", text(environment, initial)?));
            }
            let unchanging = variable.constant.is_some()
                || environment.parameters.contains_key(&id) && !environment.iterators.contains(&id);
            unchanging.then(|| environment.value(id))
        }
        ExprKind::Unary(operator @ (UnaryOp::Minus | UnaryOp::Plus), operand) => {
            Some(format!("({}{})", operator.c_name(), text(environment, operand)?))
        }
        ExprKind::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) => {
            let (left, right) = (text(environment, left)?, text(environment, right)?);
            Some(format!("({left} {} {right})", operator.c_name()))
        }
        ExprKind::Cast { implicit, operand } => {
            let inner = text(environment, operand)?;
            let widens = *implicit && operand.ctype.arithmetic() == Some(CType::Int) && ctype == CType::Long;
            Some(if widens { inner } else { format!("({ctype}){inner}") })
        }
        _ => None,
    }
}
