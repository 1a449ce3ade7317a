//! Where pointers may point: Andersen's analysis of the whole file, for any order of its statements and any caller.
//!
//! *before → after*: the tree becomes constraints ([`crate::host::solver`]), and these the set of objects that each
//! lvalue may denote and each value may point to.
//!
//! Values of all types may be addresses. An object is a variable with all of its members and elements, all memory that
//! one expression allocates, or the memory that other code made.

mod calls;
mod elsewhere;

use std::collections::{BTreeMap, HashMap};

use scop::{BinaryOp, MemoryLifetime, UnaryOp};

use crate::c::ctree::{
    Class, Expr, ExprKind, Function, Lifetime, Stmt, StmtKind, Tree, Type, TypeKind, Understood, Unnamed,
    Unsupported, Variable, VariableId,
};
use crate::directives::effects::{Path, Table};
use crate::host::bits::Bits;
use crate::host::expressions::{
    harmless, has_own_new, is_array, is_array_object, is_atomic, is_floating, is_lvalue, is_made_by_code,
    is_member, is_number, is_other, is_other_member, is_part_of_real, leads_to_numbers, object_of,
    understood,
};
use crate::host::objects::{Object, Objects};
use crate::host::opaque::{Opaque, is_opaque_statement};
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

    /// Returns how much work the solution of the constraints took.
    #[cfg(test)]
    pub fn work(&self) -> usize {
        self.solver.work()
    }

    /// Returns the objects that the program holds on the device with `c2cuda_data_begin`.
    pub fn held(&self) -> &Bits {
        self.objects_in(self.held)
    }

    /// True if all objects in a set can be on the device between regions: their ends are known. `placed` are the
    /// variables whose blocks the host code shows.
    pub fn can_stay(&self, node: Node, placed: &Placed) -> bool {
        self.are_placed(self.objects_in(node), placed)
    }

    /// As [`Self::can_stay`].
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

/// True for `stdin`, `stdout` and `stderr` of the library, which are no memory of arrays.
fn is_standard_stream(variable: &Variable) -> bool {
    let is_named = ["stdin", "stdout", "stderr"].contains(&variable.name.as_str());
    is_named && variable.external && variable.declared_at.is_none() && variable.ctype.is_pointer_like()
}

/// What the whole file makes of its variables and functions.
impl<'t> Pointers<'t> {
    fn file_scope(&mut self) {
        let tree = self.tree;
        for (number, variable) in tree.variables.iter().enumerate() {
            let id = VariableId(number);
            if variable.member.is_some() {
                continue;
            }
            let is_static = variable.lifetime == Lifetime::Static;
            let is_named_elsewhere =
                variable.external || variable.declared_at.is_none() || tree.linkage.by_text;
            let is_exposed = is_static && is_named_elsewhere
                || is_made_by_code(variable)
                || variable.attribute.is_some()
                || variable.ctype.volatile
                || tree.linkage.mentioned.contains(&id)
                || self.opaque.hides(id);
            if is_standard_stream(variable) {
                let contents = self.contents_of(id);
                self.solver.copy(EXPOSED, contents);
            } else if is_exposed {
                let (node, _) = self.of_variable(id);
                self.expose(node);
            }
            for length in variable.lengths.iter().flatten() {
                self.value(length);
            }
            if let Some(initial) = &variable.initial {
                self.initialise(id, initial);
            }
        }
        for (id, initial) in &tree.linkage.initials {
            self.initialise(*id, initial);
        }
    }

    fn initialise(&mut self, id: VariableId, initial: &'t Expr) {
        let contents = self.contents_of(id);
        if let Some((Understood::Making, numbers)) = understood(initial)
            && self.tree.variable(id).class == Some(Class::Vector)
        {
            for number in numbers {
                let value = self.value(number);
                if !leads_to_numbers(self.tree, number) {
                    self.solver.store(value, contents);
                }
            }
            return;
        }
        let value = match self.tree.variable(id).class {
            None => self.value_of_list(initial),
            _ => self.value(initial),
        };
        self.solver.copy(value, contents);
    }

    /// Returns what the initial value of something that is no object of a class with a constructor may point to: in
    /// braces, the tree takes the addresses of what a member that is a reference could be bound to.
    fn value_of_list(&mut self, initial: &'t Expr) -> Node {
        let ExprKind::Other { what: Unnamed::InitialiserList, parts } = &initial.kind else {
            return self.value(initial);
        };
        let mut all = NOTHING;
        for part in parts {
            let value = self.value_of_list(part);
            all = self.union(all, value);
            if let ExprKind::AddressOf(operand) = &part.kind {
                let value = self.value(operand);
                all = self.union(all, value);
            }
        }
        self.values.insert(std::ptr::from_ref(initial), all);
        all
    }

    fn function(&mut self, function: &'t Function) {
        self.result = self.result_of(function);
        self.gives_reference = function.returns_reference;
        self.this = function.this;
        if self.opaque.is_called_from_elsewhere(function) {
            for parameter in function.parameters.iter().chain(&function.this) {
                let contents = self.contents_of(*parameter);
                self.solver.copy(EXPOSED, contents);
            }
            self.expose(self.result);
        }
        let whole = self.opaque.is_opaque(function);
        match &function.body.kind {
            StmtKind::Compound(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    self.stmt(part, whole || number < function.initialisations);
                }
            }
            _ => self.stmt(&function.body, whole),
        }
        if whole {
            for parameter in function.parameters.iter().chain(&function.this) {
                let (node, _) = self.of_variable(*parameter);
                self.expose(node);
            }
        }
    }

    fn result_of(&mut self, function: &'t Function) -> Node {
        if let Some(&node) = self.results.get(function.name.as_str()) {
            return node;
        }
        let node = self.solver.node();
        self.results.insert(&function.name, node);
        node
    }

    /// Visits a statement; what an opaque one mentions is exposed.
    fn stmt(&mut self, stmt: &'t Stmt, is_opaque: bool) {
        let is_opaque = is_opaque || is_opaque_statement(stmt);
        for expr in stmt.expressions(self.tree) {
            let value = self.value(expr);
            if is_opaque {
                self.expose_all(expr);
            }
            if matches!(stmt.kind, StmtKind::Return(_)) {
                self.solver.copy(value, self.result);
                if self.gives_reference {
                    let address = self.place(expr);
                    self.solver.copy(address, self.result);
                }
            }
        }
        if let StmtKind::Declaration(ids) = &stmt.kind
            && is_opaque
        {
            for &id in ids {
                let (node, _) = self.of_variable(id);
                self.expose(node);
            }
        }
        if let StmtKind::Other { what: Unsupported::Catch, parts } = &stmt.kind {
            self.caught(parts);
        }
        for part in stmt.parts() {
            self.stmt(part, is_opaque);
        }
    }

    /// What is thrown is exposed, and nothing else is caught.
    fn caught(&mut self, parts: &'t [Stmt]) {
        for part in parts {
            if let StmtKind::Declaration(ids) = &part.kind {
                for &id in ids {
                    let contents = self.contents_of(id);
                    self.solver.copy(EXPOSED, contents);
                }
            }
        }
    }

    /// Exposes all objects that an expression mentions, and all to which its parts may point.
    fn expose_all(&mut self, expr: &'t Expr) {
        expr.walk(&mut |inner| {
            let value = self.value(inner);
            self.expose(value);
            if is_lvalue(inner) {
                let address = self.place(inner);
                self.expose(address);
            }
        });
    }
}

/// Expressions.
impl<'t> Pointers<'t> {
    /// Returns the objects that an lvalue may denote, and visits all of it. A value that is no lvalue is in memory of
    /// its own.
    fn place(&mut self, expr: &'t Expr) -> Node {
        let key = std::ptr::from_ref(expr);
        if let Some(&node) = self.addresses.get(&key) {
            return node;
        }
        let node = match &expr.kind {
            ExprKind::Variable(id) if self.tree.variable(*id).reference => self.contents_of(*id),
            ExprKind::Variable(id) => self.of_variable(*id).0,
            ExprKind::Subscript { base, index } => {
                let (pointer, offset) = (self.value(base), self.value(index));
                match [base, index].into_iter().find(|part| is_other(part)) {
                    Some(vector) => {
                        let element = self.place(vector);
                        let pointers = self.union(pointer, offset);
                        self.union(element, pointers)
                    }
                    None if is_number(base) => self.union(pointer, offset),
                    None => pointer,
                }
            }
            ExprKind::Member { base, .. } => self.structure(base),
            ExprKind::Other { what, parts } if is_other_member(what, parts) => {
                let structure = self.structure(&parts[0]);
                match self.tree.is_cxx {
                    // Members of C++ may be references.
                    true => {
                        let bound = self.load(structure);
                        self.union(structure, bound)
                    }
                    false => structure,
                }
            }
            ExprKind::Other { what, .. } if self.tree.is_cxx && is_member(what) => {
                let object = self.this.map_or(NOTHING, |this| self.contents_of(this));
                let bound = self.load(object);
                let known = self.union(object, bound);
                self.union(known, EXPOSED)
            }
            ExprKind::Other { what: Unnamed::Text, .. } => self.text(),
            ExprKind::Other { what: Unnamed::Understood(Understood::Element(container), _), .. } => {
                self.operands(expr);
                self.elements(expr, *container)
            }
            ExprKind::Other { what: Unnamed::Understood(Understood::Pointed, _), .. } => self.iterators(expr),
            ExprKind::Conditional { then, otherwise, .. } if self.tree.is_cxx => {
                self.value_kind(expr);
                let (then, otherwise) = (self.place(then), self.place(otherwise));
                self.union(then, otherwise)
            }
            ExprKind::Comma(_, last) if self.tree.is_cxx => {
                self.value_kind(expr);
                self.place(last)
            }
            ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } if self.tree.is_cxx => {
                self.value_kind(expr);
                self.place(target)
            }
            ExprKind::Cast { operand, .. } if self.tree.is_cxx => {
                self.value_kind(expr);
                self.place(operand)
            }
            ExprKind::Cast { operand, .. } if is_lvalue(operand) => self.place(operand),
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imaginary, number) => self.place(number),
            ExprKind::Other { what, parts: number } if is_part_of_real(what) && number.len() == 1 => {
                self.place(&number[0])
            }
            _ => {
                let value = self.value_kind(expr);
                let object = Object::unnamed("a temporary object", MemoryLifetime::Unknown, Some(expr.range));
                let (node, object) = self.set_with(object);
                let contents = self.solver.contents(object);
                self.solver.copy(value, contents);
                // The value of a call of C++ may be a reference.
                if self.tree.is_cxx { self.union(node, value) } else { node }
            }
        };
        if expr.ctype.volatile {
            self.expose(node);
        }
        self.addresses.insert(key, node);
        node
    }

    /// Returns the objects that the structure before a member may be. Its base may be a pointer, without a `*`: see
    /// [`crate::import::members`].
    fn structure(&mut self, base: &'t Expr) -> Node {
        match &base.ctype {
            ctype if ctype.is_pointer_like() => self.value(base),
            ctype if is_atomic(ctype) => {
                let (pointer, structure) = (self.value(base), self.place(base));
                self.union(pointer, structure)
            }
            _ => self.place(base),
        }
    }

    fn text(&mut self) -> Node {
        if let Some(node) = self.texts {
            return node;
        }
        let (node, _) = self.set_with(Object::unnamed("string literals", MemoryLifetime::Program, None));
        self.texts = Some(node);
        node
    }

    /// Returns what a value may point to, and visits all of the expression.
    fn value(&mut self, expr: &'t Expr) -> Node {
        let key = std::ptr::from_ref(expr);
        if let Some(&node) = self.values.get(&key) {
            return node;
        }
        let node = match &expr.kind {
            _ if is_lvalue(expr) => {
                let address = self.place(expr);
                match &expr.kind {
                    _ if is_array_object(self.tree, expr) => address,
                    ExprKind::Other { what: Unnamed::Text, .. } => address,
                    ExprKind::Variable(id) if !self.tree.variable(*id).reference => self.contents_of(*id),
                    _ => self.load(address),
                }
            }
            _ => self.value_kind(expr),
        };
        self.values.insert(key, node);
        node
    }

    /// Returns what the value of an operator may point to, and visits all of the expression. The result of arithmetic
    /// with floating-point numbers is no address, although such a number may contain the bytes of one.
    fn value_kind(&mut self, expr: &'t Expr) -> Node {
        let value = self.value_of_any(expr);
        match &expr.kind {
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Increment { .. } if is_floating(expr) => {
                NOTHING
            }
            ExprKind::Cast { operand, .. } if is_floating(expr) != is_floating(operand) => NOTHING,
            _ => value,
        }
    }

    fn value_of_any(&mut self, expr: &'t Expr) -> Node {
        match &expr.kind {
            ExprKind::Integer(_) | ExprKind::Floating(_) | ExprKind::Imaginary(_) => NOTHING,
            ExprKind::Variable(_) | ExprKind::Subscript { .. } | ExprKind::Member { .. } => self.value(expr),
            ExprKind::Unary(operator, operand) => {
                let value = self.value(operand);
                if *operator == UnaryOp::Not { NOTHING } else { value }
            }
            ExprKind::Cast { operand, .. } => self.value(operand),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ExprKind::Assign { operator, target, value } => {
                let value = self.value(value);
                let (old, address) = (self.value(target), self.place(target));
                let old = if operator.is_some() { old } else { NOTHING };
                let value = if operator.is_some() && is_floating(target) { NOTHING } else { value };
                match target.as_variable() {
                    Some(id) => {
                        let contents = self.contents_of(id);
                        self.solver.copy(value, contents);
                    }
                    None => self.solver.store(value, address),
                }
                self.union(value, old)
            }
            ExprKind::Increment { target, .. } => self.value(target),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.value(condition);
                let (then, otherwise) = (self.value(then), self.value(otherwise));
                self.union(then, otherwise)
            }
            ExprKind::Comma(first, second) => {
                self.value(first);
                self.value(second)
            }
            ExprKind::AddressOf(operand) => {
                let place = self.place(operand);
                // The lengths in the type of what is pointed to may be evaluated.
                self.value(operand);
                place
            }
            ExprKind::Call { callee, arguments } => self.call(expr, callee.as_ref(), arguments),
            ExprKind::Other { what: Unnamed::Understood(known, _), parts } => {
                self.understood(expr, known, parts)
            }
            ExprKind::Other { what, parts } => self.other(expr, what, parts),
        }
    }

    fn binary(&mut self, operator: BinaryOp, left: &'t Expr, right: &'t Expr) -> Node {
        use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
        let values = (self.value(left), self.value(right));
        if [And, Eq, Ge, Gt, Le, Lt, Ne, Or].contains(&operator) {
            return NOTHING;
        }
        // What is added to a pointer leads to no other object.
        match (left.ctype.is_pointer_like(), right.ctype.is_pointer_like()) {
            (true, false) if !is_number(left) => values.0,
            (false, true) if !is_number(right) => values.1,
            _ => self.union(values.0, values.1),
        }
    }

    fn other(&mut self, expr: &'t Expr, what: &'t Unnamed, parts: &'t [Expr]) -> Node {
        if *what == Unnamed::NewArray && !has_own_new(self.tree) {
            return self.new_array(expr, parts);
        }
        let mut all = NOTHING;
        for part in parts {
            let value = self.value(part);
            all = self.union(all, value);
        }
        match harmless(self.tree, expr, what, parts) {
            Some(true) => all,
            Some(false) => NOTHING,
            None => {
                parts.iter().for_each(|part| self.expose_all(part));
                EXPOSED
            }
        }
    }
}
