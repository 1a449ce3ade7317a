//! Inclusion constraints between sets of objects, and their smallest solution (Andersen, 1994).
//!
//! A *node* is a set of objects that a value may point to. Each object has a node for its contents. Constraints:
//!
//! | constraint | meaning |
//! |---|---|
//! | `include(n, o)` | n contains the object o |
//! | `copy(from, to)` | to contains all of from |
//! | `load(pointer, to)` | to contains what the objects in pointer contain |
//! | `store(from, pointer)` | the objects in pointer contain all of from |
//!
//! What is in the node [`EXPOSED`] unknown code can reach: it may put everything that it can reach into any of these
//! objects, and can reach what they contain.

use std::collections::HashSet;

use crate::host::bits::Bits;

/// A set of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);

/// The empty set.
pub const NOTHING: Node = Node(0);
/// The objects that unknown code can reach.
pub const EXPOSED: Node = Node(1);

/// An object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub usize);

/// Constraints, and what is known of their solution.
#[derive(Debug, Default)]
pub struct Solver {
    sets: Vec<Bits>,
    /// What of each set its loads and stores have seen.
    seen: Vec<Bits>,
    copies: Vec<Vec<Node>>,
    loads: Vec<Vec<Node>>,
    stores: Vec<Vec<Node>>,
    edges: HashSet<(Node, Node)>,
    /// The contents of each object.
    contents: Vec<Node>,
    open: Vec<Node>,
    /// The number of sets that were looked at or added to another one.
    work: usize,
}

impl Solver {
    /// Creates the nodes [`NOTHING`] and [`EXPOSED`].
    pub fn new() -> Self {
        let mut solver = Self::default();
        solver.node();
        solver.node();
        solver
    }

    /// Creates an empty set.
    pub fn node(&mut self) -> Node {
        let node = Node(self.sets.len() as u32);
        self.sets.push(Bits::default());
        self.seen.push(Bits::default());
        self.copies.push(Vec::new());
        self.loads.push(Vec::new());
        self.stores.push(Vec::new());
        node
    }

    /// Creates an object.
    pub fn object(&mut self) -> ObjectId {
        let contents = self.node();
        self.contents.push(contents);
        ObjectId(self.contents.len() - 1)
    }

    /// Returns what an object contains.
    pub fn contents(&self, object: ObjectId) -> Node {
        self.contents[object.0]
    }

    /// Demands that a set contains an object.
    pub fn include(&mut self, node: Node, object: ObjectId) {
        if self.sets[node.0 as usize].insert(object.0) {
            self.open.push(node);
        }
    }

    /// Demands that `to` contains all of `from`.
    pub fn copy(&mut self, from: Node, to: Node) {
        if from == to || from == NOTHING || !self.edges.insert((from, to)) {
            return;
        }
        self.copies[from.0 as usize].push(to);
        self.flow(from, to);
    }

    /// Demands that `to` contains what the objects in `pointer` contain.
    pub fn load(&mut self, pointer: Node, to: Node) {
        self.loads[pointer.0 as usize].push(to);
        self.look_again(pointer);
    }

    /// Demands that the objects in `pointer` contain all of `from`.
    pub fn store(&mut self, from: Node, pointer: Node) {
        if from != NOTHING {
            self.stores[pointer.0 as usize].push(from);
            self.look_again(pointer);
        }
    }

    fn look_again(&mut self, node: Node) {
        self.seen[node.0 as usize] = Bits::default();
        self.open.push(node);
    }

    /// Returns how often a set was looked at or added to another one, which is what time depends on.
    #[cfg(test)]
    pub fn work(&self) -> usize {
        self.work
    }

    fn flow(&mut self, from: Node, to: Node) {
        self.work += 1;
        let set = std::mem::take(&mut self.sets[from.0 as usize]);
        if self.sets[to.0 as usize].add_all(&set) {
            self.open.push(to);
        }
        self.sets[from.0 as usize] = set;
    }

    /// Solves the constraints.
    pub fn solve(&mut self) {
        while let Some(node) = self.open.pop() {
            self.work += 1;
            let at = node.0 as usize;
            let new: Vec<usize> = self.sets[at].without(&self.seen[at]).collect();
            self.seen[at] = self.sets[at].clone();
            for object in new {
                let contents = self.contents[object];
                for to in self.loads[at].clone() {
                    self.copy(contents, to);
                }
                for from in self.stores[at].clone() {
                    self.copy(from, contents);
                }
                if node == EXPOSED {
                    self.copy(contents, EXPOSED);
                    self.copy(EXPOSED, contents);
                }
            }
            for to in self.copies[at].clone() {
                self.flow(node, to);
            }
        }
    }

    /// Returns the solution for a set. Requires that the constraints were solved.
    pub fn solution(&self, node: Node) -> &Bits {
        &self.sets[node.0 as usize]
    }
}
