//! Where functions of other files may move pointers, and what they reach through their parameters.

use crate::c::ctree::Expr;
use crate::directives::effects::{self, Amount, Called, Does, Effects, Path, THIS};
use crate::host::expressions::{is_array_type, is_small_number, points_to_small_numbers};
use crate::host::pointers::{Pointers, Reached};
use crate::host::solver::{EXPOSED, NOTHING, Node};

/// A value on the way to a member.
#[derive(Clone, Copy)]
enum At {
    /// It is in these objects.
    In(Node),
    /// It is a copy, which may lead to these objects.
    Copy(Node),
}

impl<'t> Pointers<'t> {
    /// A function of another file keeps no pointer, but may move what is in the memory that it is passed, and pointers
    /// themselves, to memory that it writes. Numbers that are too small for pointers, or that are no integers, hold
    /// none. If it uses members of structures, it may reach all to which its arguments lead.
    pub(super) fn call_elsewhere(&mut self, call: &'t Expr, called: &Called<'t>) -> Node {
        let (mut passed, mut read) = (NOTHING, NOTHING);
        for position in 0..called.arguments.len() {
            let (At::In(value) | At::Copy(value)) = self.argument(called, position);
            let loaded = self.load(value);
            passed = self.union(passed, value);
            read = self.union(read, loaded);
        }
        let mut moved = self.union(passed, read);
        for path in paths(called.effects) {
            let reached = self.follow(called, path);
            self.reached.insert(key(called, path), reached);
        }
        if called.effects.items.iter().any(|item| !item.path.members.is_empty()) {
            let all = self.solver.node();
            self.solver.copy(moved, all);
            let loaded = self.load(all);
            self.solver.copy(loaded, all);
            moved = all;
        }
        for item in called.effects.items.iter().filter(|item| item.does != Does::Reads) {
            let argument =
                called.effects.position(&item.path.root).map(|position| called.arguments[position]);
            let is_small = item.path.members.is_empty()
                && argument.is_some_and(|argument| points_to_small_numbers(&argument.ctype));
            let memory = self.reached_by(called, &item.path).memory;
            self.solver.store(if is_small { read } else { moved }, memory);
        }
        if is_small_number(&call.ctype) { NOTHING } else { moved }
    }

    /// Returns what a function of another file that is called reaches by a path of its effects.
    pub fn reached_by(&self, called: &Called<'t>, path: &Path) -> Reached {
        let found = self.reached.get(&key(called, path)).cloned();
        found.unwrap_or(Reached { memory: EXPOSED, holders: vec![EXPOSED] })
    }

    fn argument(&mut self, called: &Called<'t>, position: usize) -> At {
        let argument = called.arguments[position];
        let value = self.value(argument);
        match called.effects.parameters.get(position) {
            Some(parameter) if parameter.name == THIS && argument.ctype.is_pointer_like() => At::In(value),
            Some(parameter) if parameter.reference => At::In(self.bound(argument)),
            _ => At::Copy(value),
        }
    }

    fn follow(&mut self, called: &Called<'t>, path: &Path) -> Reached {
        let mut holders = Vec::new();
        let position = called.effects.position(&path.root);
        let mut at = match position {
            Some(position) => self.argument(called, position),
            None => At::In(self.external(&path.root)),
        };
        for (number, member) in path.members.iter().enumerate() {
            // `this` is the only parameter that is bound to an object and followed by an arrow.
            let is_this = number == 0 && position.is_some() && path.root == THIS;
            at = match at {
                At::In(objects) if member.arrow && !is_this => {
                    holders.push(objects);
                    At::In(self.load(objects))
                }
                At::Copy(value) if member.arrow => At::In(value),
                at => at,
            };
        }
        let memory = match at {
            At::Copy(value) => value,
            At::In(objects) if path.members.is_empty() && !called.effects.is_vector(&path.root) => objects,
            At::In(objects) => {
                holders.push(objects);
                match called.effects.numbers(path) {
                    Some(numbers) if numbers.is_array => objects,
                    Some(_) => self.load(objects),
                    None => {
                        let loaded = self.load(objects);
                        self.union(objects, loaded)
                    }
                }
            }
        };
        Reached { memory, holders }
    }

    /// Returns the objects of a variable with external linkage. Nothing points to what no code of the file mentions,
    /// except other code. In C++, several may have the same name.
    fn external(&mut self, name: &str) -> Node {
        let Some(id) = effects::external(self.tree, name).filter(|_| !self.tree.is_cxx) else {
            return EXPOSED;
        };
        let ctype = &self.tree.variable(id).ctype;
        if ctype.is_pointer_like() && !is_array_type(ctype) { EXPOSED } else { self.of_variable(id).0 }
    }
}

/// Returns what tells a path of a call apart from all others.
fn key(called: &Called<'_>, path: &Path) -> (*const Path, *const Expr) {
    let first = called.arguments.first().map_or(std::ptr::null(), |first| std::ptr::from_ref(*first));
    (std::ptr::from_ref(path), first)
}

/// Returns all paths of the effects of a function.
fn paths(effects: &Effects) -> Vec<&Path> {
    let mut found = Vec::new();
    for item in &effects.items {
        found.push(&item.path);
        for amount in item.section.iter().flat_map(|section| [&section.start, &section.length]) {
            add_paths(amount, &mut found);
        }
    }
    found
}

fn add_paths<'e>(amount: &'e Amount, found: &mut Vec<&'e Path>) {
    match amount {
        Amount::Number(_) => {}
        Amount::Value(path) => found.push(path),
        Amount::Binary(_, left, right) => {
            add_paths(left, found);
            add_paths(right, found);
        }
    }
}
