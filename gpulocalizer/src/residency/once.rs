//! Facts about nodes of host code, each found out once: passes ask for those of a node at each level around it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;

use scop::HostNode;

use crate::residency::work;

/// A fact about each node of a program.
pub struct Once<'p, T> {
    /// Nodes are told apart by where they are in memory, where they stay as long as the program is borrowed.
    known: RefCell<HashMap<*const HostNode, T>>,
    program: PhantomData<&'p HostNode>,
}

impl<T> Default for Once<'_, T> {
    fn default() -> Self {
        Self { known: RefCell::default(), program: PhantomData }
    }
}

impl<'p, T: Clone> Once<'p, T> {
    /// Returns the fact about a node, which `find` finds out the first time.
    pub fn of(&self, node: &'p HostNode, find: impl FnOnce() -> T) -> T {
        work::add(1);
        let key: *const HostNode = node;
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let found = find();
        self.known.borrow_mut().insert(key, found.clone());
        found
    }
}
