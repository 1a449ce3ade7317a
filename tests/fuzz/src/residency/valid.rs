//! Whether a part of a program is a program: everything that it names is in scope.

use std::collections::BTreeSet;

use super::program::{By, Element, Exit, LoopId, Program, Statement, VariableId};
use super::visit::{Named, blocks};

/// True if all variables, iterators, labels and functions that the program names are in scope.
pub fn is_valid(program: &Program) -> bool {
    let globals: BTreeSet<VariableId> = program.globals.iter().map(|variable| variable.id).collect();
    let is_known = |function, before| program.functions.iter().take(before).any(|known| known.id == function);
    let functions = program.functions.iter().enumerate().all(|(place, function)| {
        let mut variables = globals.clone();
        variables.extend(function.parameters.iter().map(|parameter| parameter.id));
        let scope = Scope { variables, loops: BTreeSet::new(), is_known: &|other| is_known(other, place) };
        scope.block(&function.body) && function.returns.is_none_or(|element| scope.element(&element))
    });
    let count = program.functions.len();
    let main =
        Scope { variables: globals, loops: BTreeSet::new(), is_known: &|other| is_known(other, count) };
    !program.globals.is_empty() && functions && main.block(&program.main)
}

#[derive(Clone)]
struct Scope<'a> {
    variables: BTreeSet<VariableId>,
    loops: BTreeSet<LoopId>,
    is_known: &'a dyn Fn(super::program::FunctionId) -> bool,
}

impl Scope<'_> {
    fn block(&self, block: &[Statement]) -> bool {
        block.iter().all(|statement| self.statement(statement))
    }

    fn statement(&self, statement: &Statement) -> bool {
        let mut inner = self.clone();
        match statement {
            Statement::Loop(nest) => inner.loops.extend([nest.id]),
            Statement::Temporary(variable, _) | Statement::Alias { variable, .. } => {
                inner.variables.extend([variable.id]);
            }
            _ => {}
        }
        let own = match statement {
            Statement::Exit(Exit::Break | Exit::Continue, _) => !self.loops.is_empty(),
            Statement::Call(call) => {
                (self.is_known)(call.function)
                    && match call.by {
                        By::Either(other, _) => (self.is_known)(other),
                        By::Name | By::Pointer => true,
                    }
            }
            _ => true,
        };
        own && self.named(&Named::by(statement))
            && blocks(statement).into_iter().all(|block| inner.block(block))
    }

    fn element(&self, element: &Element) -> bool {
        let mut named = Named::default();
        named.element(element);
        self.named(&named)
    }

    fn named(&self, named: &Named) -> bool {
        named.handles.iter().all(|handle| self.variables.contains(&handle.variable))
            && named.loops.iter().all(|turn| self.loops.contains(turn))
    }
}
