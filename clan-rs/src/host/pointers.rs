//! Where pointers may point: Andersen's analysis of the whole file, for any order of its statements and any caller.
//!
//! *before → after*: the tree becomes constraints ([`crate::host::solver`]), and these the set of objects that each
//! lvalue may denote and each value may point to.
//!
//! Values of all types may be addresses. An object is a variable with all of its members and elements, all memory that
//! one expression allocates, or the memory that other code made.

mod calls;
mod elsewhere;
mod expressions;
mod statements;

use std::collections::{BTreeMap, HashMap};

use scop::{CType, MemoryLifetime};

use crate::c::ctree::{Class, Expr, ExprKind, Lifetime, Tree, Type, TypeKind, VariableId};
use crate::directives::effects::{Path, Table};
use crate::host::bits::Bits;
use crate::host::expressions::{is_array, object_of};
use crate::host::objects::{Object, Objects};
use crate::host::opaque::Opaque;
use crate::host::placed::Placed;
use crate::host::solver::{EXPOSED, NOTHING, Node, ObjectId, Solver};

/// The name of the memory that only other code made.
pub const OTHER: &str = "other memory";

/// Where the pointers of a file may point.
pub struct Pointers<'t> {
    tree: &'t Tree,
    opaque: &'t Opaque<'t>,
    effects: &'t Table,
    solver: Solver,
    /// The objects; the first is the memory that only other code made.
    pub objects: Objects,
    /// The set with the object of each variable.
    variables: HashMap<VariableId, Node>,
    /// The objects that each lvalue may denote.
    addresses: HashMap<*const Expr, Node>,
    /// The objects that each value may point to.
    values: HashMap<*const Expr, Node>,
    results: BTreeMap<&'t str, Node>,
    /// What the addresses point to that the program writes to files.
    files: Node,
    texts: Option<Node>,
    /// What the program holds on the device.
    held: Node,
    /// The result of the function whose statements are visited.
    result: Node,
    /// True if that is a reference.
    gives_reference: bool,
    /// The pointer to the object of that function.
    this: Option<VariableId>,
    /// The arrays of numbers that `new` makes.
    pub new_arrays: Vec<(ObjectId, &'t Expr)>,
    /// What functions of other files reach through their parameters: by a path, and by the first argument of a call.
    reached: HashMap<(*const Path, *const Expr), Reached>,
}

/// Memory that a function of another file reaches.
#[derive(Debug, Clone)]
pub struct Reached {
    /// The memory.
    pub memory: Node,
    /// The memory of the pointers on the way to it, or of the number that it is.
    pub holders: Vec<Node>,
}

impl<'t> Pointers<'t> {
    /// Analyses a file; `effects` are those of functions of other files.
    pub fn of(tree: &'t Tree, opaque: &'t Opaque<'t>, effects: &'t Table) -> Self {
        let mut solver = Solver::new();
        let (files, held) = (solver.node(), solver.node());
        let mut pointers = Self {
            tree,
            opaque,
            effects,
            solver,
            objects: Objects::default(),
            variables: HashMap::new(),
            addresses: HashMap::new(),
            values: HashMap::new(),
            results: BTreeMap::new(),
            files,
            texts: None,
            held,
            result: NOTHING,
            gives_reference: false,
            this: None,
            new_arrays: Vec::new(),
            reached: HashMap::new(),
        };
        let other = pointers.object(Object::unnamed(OTHER, MemoryLifetime::Unknown, None));
        pointers.solver.include(EXPOSED, other);
        pointers.solver.copy(files, EXPOSED);
        pointers.file_scope();
        for function in tree.all_functions() {
            pointers.function(function);
        }
        pointers.solver.solve();
        pointers
    }

    /// Returns the file.
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// Returns the objects that an lvalue may denote.
    pub fn address(&self, lvalue: &Expr) -> Node {
        self.addresses.get(&std::ptr::from_ref(lvalue)).copied().unwrap_or(NOTHING)
    }

    /// Returns the objects that the value of an expression may point to.
    pub fn value_of(&self, expr: &Expr) -> Node {
        self.values.get(&std::ptr::from_ref(expr)).copied().unwrap_or(NOTHING)
    }

    /// Returns the objects to which the result of a call may refer that is a reference.
    pub fn referred(&self, call: &Expr) -> Node {
        match self.address(call) {
            NOTHING => self.value_of(call),
            denoted => denoted,
        }
    }

    /// Returns the set with the object of a variable, if any expression mentions it.
    pub fn variable(&self, id: VariableId) -> Node {
        self.variables.get(&self.tree.root(id)).copied().unwrap_or(NOTHING)
    }

    /// Returns the set with the object of a variable, or with those that it may refer to.
    pub fn denoted(&self, id: VariableId) -> Node {
        let object = self.objects.of_variables.get(&self.tree.root(id));
        match (self.tree.variable(id).reference, object) {
            (true, Some(object)) => self.solver.contents(*object),
            (true, None) => NOTHING,
            (false, _) => self.variable(id),
        }
    }

    /// Returns the objects to which a variable leads, directly or through others.
    pub fn reachable_from(&self, id: VariableId) -> Bits {
        let mut found = self.objects_in(self.variable(id)).clone();
        found.add_all(self.contents(id));
        loop {
            let inside: Vec<usize> = found.iter().collect();
            let mut is_new = false;
            for object in inside {
                is_new |= found.add_all(self.objects_in(self.solver.contents(ObjectId(object))));
            }
            if !is_new {
                return found;
            }
        }
    }

    /// Returns what the objects of a variable contain.
    pub fn contents(&self, id: VariableId) -> &Bits {
        let object = self.objects.of_variables.get(&self.tree.root(id));
        self.objects_in(object.map_or(NOTHING, |object| self.solver.contents(*object)))
    }

    /// Returns the objects that the array of a variable may be: the variable itself, or what it points to.
    pub fn objects_of(&self, id: VariableId) -> &Bits {
        let variable = self.tree.variable(id);
        match is_array(self.tree, id) && variable.lifetime != Lifetime::Parameter && !variable.reference {
            true => self.objects_in(self.variable(id)),
            false => self.contents(id),
        }
    }

    /// Returns the objects that contain what an array or a scalar of a region denotes, if the variable alone says that.
    pub fn denoted_by(&self, id: VariableId) -> Option<&Bits> {
        let variable = self.tree.variable(id);
        let is_pointer = matches!(variable.ctype.kind, TypeKind::Pointer { .. });
        let of_pointer = |pointer: VariableId| {
            let is_variable = self.tree.variable(pointer).member.is_none();
            is_variable.then(|| self.contents(pointer))
        };
        match &variable.member {
            None if variable.reference => None,
            None if is_pointer || is_array(self.tree, id) => Some(self.objects_of(id)),
            None => Some(self.objects_in(self.variable(id))),
            Some(member) if is_pointer || member.structures > 0 => None,
            Some(member) if member.pointer => of_pointer(member.through?),
            Some(member) => Some(self.objects_in(self.variable(member.of))),
        }
    }

    /// Returns the objects in a set.
    pub fn objects_in(&self, node: Node) -> &Bits {
        self.solver.solution(node)
    }

    /// True for an object to which no program writes: string literals, and constant numbers, pointers and arrays of
    /// them. Classes may have members that change.
    pub fn is_constant(&self, object: usize) -> bool {
        let is_text = self.texts.is_some_and(|texts| self.objects_in(texts).contains(object));
        let variable = self.objects.all[object].variable.map(|id| self.tree.variable(id));
        is_text || variable.is_some_and(|one| one.is_constant_object() && !leads_to_class(&one.ctype))
    }

    /// False for a variable that is a number of another type, a pointer, or a structure of such, and so no array of
    /// elements of a size (C11, 6.5p7). `is_integer` says whether they are integers, if that is known.
    pub fn may_be_array(&self, object: usize, (size, is_integer): (u32, Option<bool>)) -> bool {
        let Some(id) = self.objects.all[object].variable else { return true };
        let variable = self.tree.variable(id);
        if variable.reference || self.objects.of_vectors.get(&id).is_some_and(|of| of.0 == object) {
            return true;
        }
        let is_alike = |own: CType| {
            let is_same =
                own.size() == size && is_integer.is_none_or(|is_integer| own.is_integer() == is_integer);
            is_same || own.size() == 1
        };
        let may_be = match &variable.ctype.kind {
            TypeKind::Arithmetic(own) => is_alike(*own),
            TypeKind::Pointer { .. } => false,
            TypeKind::Array { .. } => true,
            TypeKind::Other(_) => match self.tree.numbers_in.get(&id) {
                Some(numbers) => numbers.iter().any(|own| is_alike(*own)),
                None => variable.class != Some(Class::Vector),
            },
        };
        may_be || size == 1
    }

    /// Returns how much work the solution of the constraints took.
    #[cfg(test)]
    pub fn work(&self) -> usize {
        self.solver.work()
    }

    /// Returns the objects that the program holds on the device with `c2cuda_data_begin`.
    pub fn held(&self) -> &Bits {
        self.objects_in(self.held)
    }

    /// True if all of some objects can be on the device between regions: their ends are known. `placed` are the
    /// variables whose blocks the host code shows.
    pub fn are_placed(&self, objects: &Bits, placed: &Placed) -> bool {
        self.not_placed(objects, placed).is_none()
    }

    /// Returns the first object of which it is not known where it ends.
    pub fn not_placed(&self, objects: &Bits, placed: &Placed) -> Option<usize> {
        let is_placed = |object: &usize| {
            let object = &self.objects.all[*object];
            match (object.lifetime, object.variable) {
                (MemoryLifetime::Block, Some(variable)) => placed.is_known(self.tree, variable),
                (MemoryLifetime::Block, None) => false,
                (MemoryLifetime::Unknown, _) => object.name == OTHER,
                (MemoryLifetime::Program | MemoryLifetime::Allocated, _) => true,
            }
        };
        objects.iter().find(|object| !is_placed(object))
    }

    /// Returns the vectors that the one before a member function or operator may be.
    pub fn vectors(&self, call: &Expr) -> Node {
        match object_of(call) {
            Some(object) if object.ctype.is_pointer_like() => self.value_of(object),
            Some(object) => self.address(object),
            None => EXPOSED,
        }
    }

    /// Returns the objects that a reference to an argument may be bound to.
    pub fn bound_by(&self, argument: &Expr) -> Node {
        match &argument.kind {
            ExprKind::AddressOf(_) => self.value_of(argument),
            _ => self.address(argument),
        }
    }

    /// Returns the objects to which the contents of some object point, or that are exposed. Code can reach all others
    /// only by their names.
    pub fn pointed_to(&self) -> Bits {
        let mut all = self.objects_in(EXPOSED).clone();
        for object in 0..self.objects.all.len() {
            all.add_all(self.objects_in(self.solver.contents(ObjectId(object))));
        }
        for result in self.results.values() {
            all.add_all(self.objects_in(*result));
        }
        all
    }

    /// Returns the variables whose objects lead to an object; nothing if other memory leads there as well.
    pub fn holders_of(&self, object: usize) -> Option<Vec<VariableId>> {
        if self.objects_in(EXPOSED).contains(object) {
            return None;
        }
        let holds =
            |holder: &usize| self.objects_in(self.solver.contents(ObjectId(*holder))).contains(object);
        let holders = (0..self.objects.all.len()).filter(holds);
        holders.map(|holder| self.objects.all[holder].variable).collect()
    }

    fn object(&mut self, object: Object) -> ObjectId {
        self.objects.all.push(object);
        self.solver.object()
    }

    /// Returns a set with a new object.
    fn set_with(&mut self, object: Object) -> (Node, ObjectId) {
        let (node, id) = (self.solver.node(), self.object(object));
        self.solver.include(node, id);
        (node, id)
    }

    fn of_variable(&mut self, id: VariableId) -> (Node, ObjectId) {
        let id = self.tree.root(id);
        if let (Some(&node), Some(&object)) = (self.variables.get(&id), self.objects.of_variables.get(&id)) {
            return (node, object);
        }
        let (node, object) = self.set_with(Object::of(self.tree, id));
        self.variables.insert(id, node);
        self.objects.of_variables.insert(id, object);
        let variable = self.tree.variable(id);
        if variable.class == Some(Class::Vector) && !variable.reference {
            let elements = Object::elements_of(self.tree, id);
            let of_elements = self.object(elements);
            self.objects.of_vectors.insert(id, of_elements);
            let contents = self.solver.contents(object);
            self.solver.include(contents, of_elements);
        }
        (node, object)
    }

    fn contents_of(&mut self, id: VariableId) -> Node {
        let (_, object) = self.of_variable(id);
        self.solver.contents(object)
    }

    fn expose(&mut self, node: Node) {
        self.solver.copy(node, EXPOSED);
    }

    fn union(&mut self, one: Node, two: Node) -> Node {
        match (one, two) {
            (NOTHING, node) | (node, NOTHING) => node,
            _ if one == two => one,
            _ => {
                let both = self.solver.node();
                self.solver.copy(one, both);
                self.solver.copy(two, both);
                both
            }
        }
    }

    fn load(&mut self, pointer: Node) -> Node {
        if pointer == NOTHING {
            return NOTHING;
        }
        let loaded = self.solver.node();
        self.solver.load(pointer, loaded);
        loaded
    }
}

/// True for the type of an object of a class, and of an array of such.
fn leads_to_class(ctype: &Type) -> bool {
    match &ctype.kind {
        TypeKind::Array { element, .. } => leads_to_class(element),
        TypeKind::Other(_) => true,
        TypeKind::Arithmetic(_) | TypeKind::Pointer { .. } => false,
    }
}
