//! Expressions that have the same value.

use polyhedra::{Map, Result, Text};

use crate::{Access, AccessId, Expr, ExprKind, Statement};

/// True if two expressions of a statement have the same value when they are evaluated one after the other.
pub fn is_same(statement: &Statement, one: &Expr, other: &Expr) -> bool {
    let same = |one: &Expr, other: &Expr| is_same(statement, one, other);
    if one.ctype != other.ctype {
        return false;
    }
    match (&one.kind, &other.kind) {
        (
            ExprKind::Read { access: one, subscripts: ones },
            ExprKind::Read { access: other, subscripts: others },
        ) => is_same_element(statement, (*one, ones), (*other, others)),
        (
            ExprKind::Unary { operator: one_operator, operand: one },
            ExprKind::Unary { operator: other_operator, operand: other },
        ) => one_operator == other_operator && same(one, other),
        (
            ExprKind::Binary { operator: one_operator, left: one_left, right: one_right },
            ExprKind::Binary { operator: other_operator, left: other_left, right: other_right },
        ) => one_operator == other_operator && same(one_left, other_left) && same(one_right, other_right),
        (ExprKind::Cast { operand: one, .. }, ExprKind::Cast { operand: other, .. }) => same(one, other),
        (
            ExprKind::Call { function: one_function, arguments: ones },
            ExprKind::Call { function: other_function, arguments: others },
        ) => one_function == other_function && are_same(statement, ones, others),
        (one, other) => one == other,
    }
}

fn are_same(statement: &Statement, ones: &[Expr], others: &[Expr]) -> bool {
    let mut pairs = ones.iter().zip(others);
    ones.len() == others.len() && pairs.all(|(one, other)| is_same(statement, one, other))
}

/// True if two accesses of a statement, with the subscripts that its body computes for them, use the same element.
pub fn is_same_element(statement: &Statement, one: (AccessId, &[Expr]), other: (AccessId, &[Expr])) -> bool {
    let accesses = statement.access(one.0).zip(statement.access(other.0));
    accesses.is_some_and(|(one, other)| is_same_place(one, other)) && are_same(statement, one.1, other.1)
}

/// True if two accesses use the same element in each instance, provided that any computed subscripts agree.
fn is_same_place(one: &Access, other: &Access) -> bool {
    let relations = || -> Result<bool> {
        let (map, same) = (Map::parse(&one.relation.0)?, Map::parse(&other.relation.0)?);
        Ok((one.indirect || map.is_single_valued()?) && map.is_equal(&same)?)
    };
    one.array == other.array && one.indirect == other.indirect && relations().unwrap_or(false)
}
