//! The functions that regions call, and their translations.

use std::collections::{BTreeMap, BTreeSet};

use scop::{Step, calls, names};

use crate::c::ctree::{self, Stmt, Tree};
use crate::c::library;
use crate::errors::Fault;
use crate::variables::names::Names;

/// The functions of a file.
pub struct Functions<'t> {
    /// The file.
    pub tree: &'t Tree,
    /// The name in generated code of each function that a region calls, directly or not.
    pub names: BTreeMap<&'t str, String>,
    /// The functions that were translated or refused.
    pub known: BTreeMap<&'t str, std::result::Result<scop::Function, Vec<Fault>>>,
    /// The functions that are being translated.
    pub open: Vec<&'t str>,
    /// The functions that were translated or refused, each after those that it calls.
    pub order: Vec<&'t str>,
}

impl<'t> Functions<'t> {
    /// Collects the functions that some statements call; none is translated yet.
    pub fn called_in(tree: &'t Tree, statements: impl Iterator<Item = &'t Stmt>) -> Self {
        let mut called = BTreeSet::new();
        for stmt in statements {
            note_calls(tree, stmt, &mut called);
        }
        let mut taken = BTreeSet::new();
        let wish = |key: &'t str| key.trim_start_matches("std::");
        let names = called.into_iter().map(|key| (key, names::unused(wish(key), &mut taken))).collect();
        Self { tree, names, known: BTreeMap::new(), open: Vec::new(), order: Vec::new() }
    }

    /// Reserves the names of the functions, so that they are used for nothing else.
    pub fn reserve(&self, names: &mut Names) {
        for name in self.names.values() {
            names.unused(name);
        }
    }

    /// Returns the functions that some bodies call, directly or not; each comes after those that it calls.
    pub fn used_in<'s>(self, bodies: impl Iterator<Item = &'s [Step]>) -> Vec<scop::Function> {
        let mut used: BTreeSet<String> = bodies.flat_map(calls).collect();
        let mut result: Vec<scop::Function> = Vec::new();
        for name in self.order.iter().rev() {
            if let Some(Ok(function)) = self.known.get(name)
                && used.contains(&function.name)
            {
                used.extend(calls(&function.body));
                result.push(function.clone());
            }
        }
        result.reverse();
        result
    }
}

fn note_calls<'t>(tree: &'t Tree, stmt: &'t Stmt, called: &mut BTreeSet<&'t str>) {
    stmt.walk_expressions(tree, &mut |expr| {
        let ctree::ExprKind::Call { callee: Some(callee), arguments } = &expr.kind else { return };
        if let Some(known) = library::called(callee, arguments) {
            called.insert(known.key);
        } else if let Some(function) = tree.function(&callee.name)
            && called.insert(&function.name)
        {
            note_calls(tree, &function.body, called);
        }
    });
}
