//! Statements that a GPU cannot run.

use scop::{CType, ExprKind, Function, HostStatement, Model, Statement, StatementId, Step, walk_expressions};

/// Returns the statements that compute with a type that GPUs lack, in their own text or in a function that they call.
/// Statements without effect are omitted.
pub fn host_only(model: &Model, functions: &[Function], dead: &[StatementId]) -> Vec<HostStatement> {
    let alive = model.statements.iter().filter(|statement| !dead.contains(&statement.id));
    alive.filter_map(|statement| reason_for_host(statement, functions)).collect()
}

fn reason_for_host(statement: &Statement, functions: &[Function]) -> Option<HostStatement> {
    foreign_type(&statement.body, functions).map(|ctype| HostStatement {
        statement: statement.id,
        reason: format!("it computes with `{ctype}`, which a GPU does not have"),
    })
}

/// Returns a type that the device lacks, if the steps use one. Functions are not recursive, neither directly nor
/// through others.
fn foreign_type(steps: &[Step], functions: &[Function]) -> Option<CType> {
    let mut foreign = None;
    walk_expressions(steps, &mut |expr| {
        if !expr.ctype.exists_on_device() {
            foreign = Some(expr.ctype);
        } else if let ExprKind::Call { function: name, .. } = &expr.kind
            && let Some(function) = functions.iter().find(|function| function.name == *name)
        {
            foreign = foreign.or_else(|| foreign_type(&function.body, functions));
        }
    });
    foreign
}
