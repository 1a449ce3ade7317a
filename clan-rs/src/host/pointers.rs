//! Where pointers may point: Andersen's analysis of the whole file, for any order of its statements and any caller.
//!
//! *before → after*: the tree becomes constraints ([`crate::host::solver`]), and these the set of objects that each
//! lvalue may denote and each value may point to.
//!
//! Values of all types may be addresses. An object is a variable with all of its members and elements, all memory that
//! one expression allocates, or the memory that other code made.

use std::collections::{BTreeMap, HashMap};

use scop::{BinaryOp, MemoryLifetime, UnaryOp};

use crate::c::ctree::{
    Callee, Class, Expr, ExprKind, Function, Lifetime, Stmt, StmtKind, Tree, Type, TypeKind, Understood,
    Unnamed, Variable, VariableId,
};
use crate::directives::effects::Table;
use crate::host::announcements::{Announcement, announcement};
use crate::host::bits::Bits;
use crate::host::library::{self, Gives, Known, Moves, Use};
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

    /// Returns the objects in a set.
    pub fn objects_in(&self, node: Node) -> &Bits {
        self.solver.solution(node)
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
        objects.iter().all(|object| {
            let object = &self.objects.all[object];
            match (object.lifetime, object.variable) {
                (MemoryLifetime::Block, Some(variable)) => placed.is_known(self.tree, variable),
                (MemoryLifetime::Block, None) => false,
                (MemoryLifetime::Unknown, _) => object.name == OTHER,
                (MemoryLifetime::Program | MemoryLifetime::Allocated, _) => true,
            }
        })
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
            if is_exposed {
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
                self.solver.store(value, contents);
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
        self.stmt(&function.body, whole);
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
        for part in stmt.parts() {
            self.stmt(part, is_opaque);
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

/// True for an expression that denotes memory.
pub fn is_lvalue(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) | ExprKind::Subscript { .. } | ExprKind::Member { .. } => true,
        ExprKind::Other { what, .. } => matches!(
            what,
            Unnamed::CompoundLiteral
                | Unnamed::UnionMember
                | Unnamed::BitField
                | Unnamed::Member(_)
                | Unnamed::Text
                | Unnamed::Understood(Understood::Element, _)
        ),
        _ => false,
    }
}

/// True if an lvalue of this form is the member of what its only part denotes or points to.
pub fn is_other_member(what: &Unnamed, parts: &[Expr]) -> bool {
    matches!(what, Unnamed::UnionMember | Unnamed::BitField | Unnamed::Member(_)) && parts.len() == 1
}

/// True for what is no array, although its type is one: parameters declared as arrays are pointers.
pub fn is_array_object(tree: &Tree, lvalue: &Expr) -> bool {
    let is_parameter = |id| tree.variable(id).lifetime == Lifetime::Parameter;
    matches!(lvalue.ctype.kind, TypeKind::Array { .. }) && !lvalue.as_variable().is_some_and(is_parameter)
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
            ExprKind::Other { what: Unnamed::Understood(Understood::Element, _), parts } => {
                parts.iter().for_each(|part| {
                    self.value(part);
                });
                let vector = self.vector(expr);
                self.load(vector)
            }
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

    /// `new T[n]{…}`, where T is a number.
    fn new_array(&mut self, expr: &'t Expr, parts: &'t [Expr]) -> Node {
        let made = Object::unnamed("the memory of `new`", MemoryLifetime::Allocated, Some(expr.range));
        let (result, object) = self.set_with(made);
        let contents = self.solver.contents(object);
        for part in parts {
            let value = self.value(part);
            self.solver.copy(value, contents);
        }
        result
    }

    fn call(&mut self, call: &'t Expr, callee: Option<&'t Callee>, arguments: &'t [Expr]) -> Node {
        let values: Vec<Node> = arguments.iter().map(|argument| self.value(argument)).collect();
        if let Some(told) = callee.and_then(|callee| announcement(self.tree, callee)) {
            let first = values.first().copied().filter(|_| told == Announcement::Begin);
            first.into_iter().for_each(|value| self.solver.copy(value, self.held));
            return NOTHING;
        }
        let function = callee.and_then(|callee| function_of(self.tree, callee));
        if let (Some(callee), Some(function)) = (callee, function) {
            self.pass(function, arguments);
            let result = self.returned(function);
            if callee.attribute.is_none() {
                return result;
            }
        }
        if callee.is_some_and(|callee| self.effects.of_call(self.tree, callee, arguments).is_some()) {
            return self.call_elsewhere(call, arguments, &values);
        }
        if let Some([one, other]) = callee.and_then(|callee| swapped(self.tree, callee, arguments)) {
            let (one, other) = (self.bound(one), self.bound(other));
            self.exchange(one, other);
            return NOTHING;
        }
        match callee.and_then(|callee| library::known(self.tree, callee)) {
            Some(known) if !uses_unknown_streams(self.tree, &known, arguments) => {
                self.call_of_library(call, known, arguments, &values)
            }
            _ => {
                values.iter().for_each(|value| self.expose(*value));
                if self.tree.is_cxx {
                    // Something else may bind references to them.
                    for element in arguments.iter().filter(|argument| understood(argument).is_some()) {
                        let address = self.place(element);
                        self.expose(address);
                    }
                }
                EXPOSED
            }
        }
    }

    /// Passes arguments to a function of the tree.
    fn pass(&mut self, function: &'t Function, arguments: &'t [Expr]) {
        for (position, argument) in arguments.iter().enumerate() {
            match function.parameters.get(position) {
                Some(parameter) => {
                    let is_bound = self.tree.variable(*parameter).reference;
                    let value =
                        if is_bound { self.bound_to(*parameter, argument) } else { self.value(argument) };
                    let contents = self.contents_of(*parameter);
                    self.solver.copy(value, contents);
                }
                None => {
                    let value = self.value(argument);
                    self.expose(value);
                }
            }
        }
    }

    /// Returns what the result of a function may point to. The value of a reference is what it refers to, or contains.
    fn returned(&mut self, function: &'t Function) -> Node {
        let result = self.result_of(function);
        if !function.returns_reference {
            return result;
        }
        let loaded = self.load(result);
        self.union(result, loaded)
    }

    /// Returns the objects that a reference may be bound to: the operand of an `&` that the source does not write.
    fn bound(&mut self, argument: &'t Expr) -> Node {
        match &argument.kind {
            ExprKind::AddressOf(_) => self.value(argument),
            _ => self.place(argument),
        }
    }

    /// Returns the same for a parameter. If the source writes the `&`, it is bound to the pointer.
    fn bound_to(&mut self, parameter: VariableId, argument: &'t Expr) -> Node {
        let levels = levels(&self.tree.variable(parameter).ctype);
        match &argument.kind {
            ExprKind::AddressOf(operand) if levels != levels_of(operand) => {
                let (value, pointer) = (self.value(argument), self.place(argument));
                self.union(value, pointer)
            }
            _ => self.bound(argument),
        }
    }

    /// Exchanges the values of objects.
    fn exchange(&mut self, one: Node, other: Node) {
        let (in_one, in_other) = (self.load(one), self.load(other));
        self.solver.store(in_one, other);
        self.solver.store(in_other, one);
    }

    /// Returns the objects that the vector before a member function or operator may be.
    fn vector(&mut self, call: &'t Expr) -> Node {
        match object_of(call) {
            Some(object) if object.ctype.is_pointer_like() => self.value(object),
            Some(object) => self.place(object),
            None => EXPOSED,
        }
    }

    fn understood(&mut self, expr: &'t Expr, known: &'t Understood, parts: &'t [Expr]) -> Node {
        let arguments = arguments_of(expr);
        let values: Vec<Node> = arguments.iter().map(|argument| self.value(argument)).collect();
        match known {
            Understood::Member(name, this) => {
                let object = match (this, object_of(expr)) {
                    (Some(this), _) => self.contents_of(*this),
                    (None, Some(object)) if object.ctype.is_pointer_like() => self.value(object),
                    (None, Some(object)) => self.place(object),
                    (None, None) => EXPOSED,
                };
                let Some(function) = self.tree.function(name) else {
                    self.expose(object);
                    parts.iter().for_each(|part| self.expose_all(part));
                    return EXPOSED;
                };
                if let Some(this) = function.this {
                    let contents = self.contents_of(this);
                    self.solver.copy(object, contents);
                }
                self.pass(function, arguments);
                self.returned(function)
            }
            Understood::Data => {
                let vector = self.vector(expr);
                self.load(vector)
            }
            Understood::Change => {
                let vector = self.vector(expr);
                let elements = self.load(vector);
                values.into_iter().for_each(|value| self.solver.store(value, elements));
                elements
            }
            Understood::Swap => {
                let vector = self.vector(expr);
                if let [other] = arguments {
                    let other = self.bound(other);
                    self.exchange(vector, other);
                }
                NOTHING
            }
            Understood::Print => {
                parts.iter().for_each(|part| {
                    self.value(part);
                });
                let shown: Vec<Node> = parts.iter().map(|part| self.value(part)).collect();
                shown.into_iter().for_each(|value| self.solver.copy(value, self.files));
                EXPOSED
            }
            Understood::Delete | Understood::Property => {
                parts.iter().for_each(|part| {
                    self.value(part);
                });
                NOTHING
            }
            Understood::Copy => match arguments {
                [other] => {
                    let other = self.bound(other);
                    self.load(other)
                }
                _ => EXPOSED,
            },
            Understood::Assign => match (object_of(expr), arguments) {
                (Some(object), [other]) => {
                    let (object, other) = (self.bound(object), self.bound(other));
                    let value = self.load(other);
                    self.solver.store(value, object);
                    object
                }
                _ => EXPOSED,
            },
            // A vector that is no variable.
            Understood::Making | Understood::Element => {
                values.into_iter().for_each(|value| self.expose(value));
                EXPOSED
            }
        }
    }

    /// A function of another file keeps no pointer, but may move what is in the memory that it is passed, and pointers
    /// themselves to memory that can hold them. Numbers that are too small for pointers, or that are no integers, hold
    /// none.
    fn call_elsewhere(&mut self, call: &Expr, arguments: &[Expr], values: &[Node]) -> Node {
        let (mut passed, mut read) = (NOTHING, NOTHING);
        for value in values {
            let loaded = self.load(*value);
            passed = self.union(passed, *value);
            read = self.union(read, loaded);
        }
        let moved = self.union(passed, read);
        for (argument, value) in arguments.iter().zip(values) {
            let moved = if points_to_small_numbers(&argument.ctype) { read } else { moved };
            self.solver.store(moved, *value);
        }
        if is_small_number(&call.ctype) { NOTHING } else { moved }
    }

    fn call_of_library(
        &mut self,
        call: &'t Expr,
        known: Known,
        arguments: &'t [Expr],
        values: &[Node],
    ) -> Node {
        let name = match &call.kind {
            ExprKind::Call { callee: Some(callee), .. } => callee.name.as_str(),
            _ => "",
        };
        let (mut passed, mut read) = (NOTHING, NOTHING);
        for (position, value) in values.iter().enumerate() {
            let is_text = is_pointer_to_text(&arguments[position]);
            let is_shown = known.moves == Moves::Text || known.moves == Moves::Ends || !is_text;
            if is_shown && known.use_of(position) != Use::Stream {
                passed = self.union(passed, *value);
            }
            if matches!(known.use_of(position), Use::Reads | Use::ReadsBytes) {
                let loaded = self.load(*value);
                read = self.union(read, loaded);
            }
        }
        let moved = match known.moves {
            Moves::Nothing => NOTHING,
            Moves::Copies => read,
            Moves::Ends => passed,
            Moves::Text => self.union(passed, read),
            Moves::FromFile => self.files,
            Moves::ToFile | Moves::Shows => {
                let shown = if known.moves == Moves::Shows { passed } else { NOTHING };
                let written = self.union(shown, read);
                self.solver.copy(written, self.files);
                NOTHING
            }
        };
        let first = values.first().copied().unwrap_or(NOTHING);
        let made = |name: &str| Object::unnamed(name, MemoryLifetime::Allocated, Some(call.range));
        if known.gives == Gives::New {
            let (result, object) = self.set_with(made(&format!("the memory of `{name}`")));
            let contents = self.solver.contents(object);
            self.solver.copy(moved, contents);
            if name.ends_with("realloc") {
                let old = self.load(first);
                self.solver.copy(old, contents);
                return self.union(result, first);
            }
            return result;
        }
        if name == "posix_memalign" {
            let (new, _) = self.set_with(made("the memory of `posix_memalign`"));
            self.solver.store(new, first);
            return NOTHING;
        }
        for (position, value) in values.iter().enumerate() {
            if matches!(known.use_of(position), Use::Writes | Use::WritesBytes | Use::OverwritesBytes) {
                self.solver.store(moved, *value);
            }
        }
        match known.gives {
            Gives::Number | Gives::New => NOTHING,
            Gives::Argument => first,
            Gives::Elsewhere => EXPOSED,
        }
    }
}

/// Returns the function of the tree that a call calls. In C++, one of the library may have the name of one of the user's.
pub fn function_of<'t>(tree: &'t Tree, callee: &Callee) -> Option<&'t Function> {
    if tree.is_cxx && !callee.of_user { None } else { tree.function(&callee.name) }
}

/// True if the file has an `operator new` or `operator delete` of its own.
pub fn has_own_new(tree: &Tree) -> bool {
    let is_own = |function: &Function| {
        ["operator new", "operator delete"].iter().any(|name| function.shown.starts_with(name))
    };
    tree.all_functions().any(is_own)
}

/// Returns what a call of `std::swap` exchanges: numbers, pointers or vectors.
pub fn swapped<'t>(tree: &Tree, callee: &Callee, arguments: &'t [Expr]) -> Option<[&'t Expr; 2]> {
    let [one, other] = arguments else { return None };
    let exchanges = |argument: &Expr| {
        let operand = match &argument.kind {
            ExprKind::AddressOf(operand) => operand,
            _ => argument,
        };
        let is_vector =
            || operand.as_variable().is_some_and(|id| tree.variable(id).class == Some(Class::Vector));
        operand.ctype.arithmetic().is_some()
            || matches!(operand.ctype.kind, TypeKind::Pointer { .. })
            || is_vector()
    };
    let is_swap = tree.is_cxx && callee.name == "swap" && !callee.of_user && callee.attribute.is_none();
    (is_swap && exchanges(one) && exchanges(other)).then_some([one, other])
}

/// Returns what is known of an expression of C++, with its parts.
pub fn understood(expr: &Expr) -> Option<(&Understood, &[Expr])> {
    match &expr.kind {
        ExprKind::Other { what: Unnamed::Understood(known, _), parts } => Some((known, parts)),
        _ => None,
    }
}

/// Returns the object before a member function or operator: its address, or itself.
pub fn object_of(call: &Expr) -> Option<&Expr> {
    let (_, parts) = understood(call)?;
    match &parts.first()?.kind {
        ExprKind::Other { parts: object, .. } if is_bound_member(&parts[0]) => object.first(),
        _ => parts.first(),
    }
}

/// Returns the arguments of a call of a member function or operator.
pub fn arguments_of(call: &Expr) -> &[Expr] {
    let Some((known, parts)) = understood(call) else { return &[] };
    let is_operator = parts.first().is_some_and(|first| !is_bound_member(first));
    match known {
        Understood::Making | Understood::Copy | Understood::Delete => parts,
        _ if is_operator => parts.get(2..).unwrap_or_default(),
        _ => parts.get(1..).unwrap_or_default(),
    }
}

/// True for `object.function` before the parentheses of a call.
fn is_bound_member(part: &Expr) -> bool {
    let words = "something other than a variable of a structure";
    matches!(&part.kind, ExprKind::Other { what: Unnamed::Other(other), .. } if *other == words)
}

/// True for an object that code makes or destroys of which nothing is known. A static vector ends at an unknown time.
fn is_made_by_code(variable: &Variable) -> bool {
    let is_static = variable.lifetime == Lifetime::Static;
    match variable.class {
        Some(Class::Other) => !variable.reference,
        Some(Class::Vector) => is_static && !variable.reference,
        None => false,
    }
}

fn is_member(what: &Unnamed) -> bool {
    matches!(what, Unnamed::UnionMember | Unnamed::BitField | Unnamed::Member(_))
}

/// Returns how many pointers and arrays a type consists of.
fn levels(ctype: &Type) -> usize {
    match &ctype.kind {
        TypeKind::Pointer { target: inner, .. } | TypeKind::Array { element: inner, .. } => 1 + levels(inner),
        TypeKind::Arithmetic(_) | TypeKind::Other(_) => 0,
    }
}

fn levels_of(expr: &Expr) -> usize {
    levels(&expr.ctype)
}

fn is_floating(expr: &Expr) -> bool {
    expr.ctype.arithmetic().is_some_and(|ctype| !ctype.is_integer())
}

/// True for a number that cannot be an address.
fn is_small_number(ctype: &Type) -> bool {
    let is_void = matches!(&ctype.kind, TypeKind::Other(name) if name == "void");
    is_void || ctype.arithmetic().is_some_and(|ctype| !ctype.is_integer() || ctype.size() < 8)
}

/// True for a pointer to numbers that cannot be addresses, and to arrays of them.
fn points_to_small_numbers(ctype: &Type) -> bool {
    match &ctype.kind {
        TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. } => {
            is_small_number(target) && target.arithmetic().is_some()
                || matches!(target.kind, TypeKind::Array { .. }) && points_to_small_numbers(target)
        }
        _ => false,
    }
}

/// True for `__real__ x` where `x` is a real number.
fn is_part_of_real(what: &Unnamed) -> bool {
    matches!(what, Unnamed::Other(words) if *words == "a part of a real number")
}

/// True for a variable that is declared as an array.
pub fn is_array(tree: &Tree, id: VariableId) -> bool {
    matches!(tree.variable(id).ctype.kind, TypeKind::Array { .. })
}

/// True for an atomic type, perhaps that of a pointer.
pub fn is_atomic(ctype: &Type) -> bool {
    matches!(&ctype.kind, TypeKind::Other(name) if name.contains("_Atomic"))
}

/// True for a value of a type that the tree does not know: a structure, a vector of GNU C, which can have subscripts, but
/// also an integer of 128 bits and an atomic pointer.
pub fn is_other(expr: &Expr) -> bool {
    matches!(expr.ctype.kind, TypeKind::Other(_))
}

/// True for a number that is used as a pointer.
fn is_number(expr: &Expr) -> bool {
    matches!(expr.without_casts().kind, ExprKind::Integer(_))
}

/// Whether the value of an unnamed expression without effects of its own may point where its parts do; `None` if more
/// is unknown than that.
pub fn harmless(tree: &Tree, expr: &Expr, what: &Unnamed, parts: &[Expr]) -> Option<bool> {
    if tree.is_cxx && may_run_code(expr, what, parts) {
        return None;
    }
    let is_designator = |text: &str| text.starts_with(['.', '[']) && text.contains('=');
    match what {
        Unnamed::InitialiserList | Unnamed::CompoundLiteral | Unnamed::Text => Some(true),
        Unnamed::UnionMember | Unnamed::BitField | Unnamed::Member(_) if parts.len() == 1 => Some(true),
        Unnamed::Quoted(text) if is_designator(text) => Some(true),
        Unnamed::Other(words) if *words == "the name of a function" => Some(false),
        _ if is_part_of_real(what) => Some(true),
        Unnamed::Value(words) if words.contains("`sizeof`") || parts.is_empty() => Some(false),
        _ => None,
    }
}

/// True for an expression that is harmless in C, but may run code in C++.
fn may_run_code(expr: &Expr, what: &Unnamed, parts: &[Expr]) -> bool {
    let is_object = matches!(&expr.ctype.kind, TypeKind::Other(name) if name != "void");
    match what {
        Unnamed::InitialiserList | Unnamed::CompoundLiteral => is_object,
        // A member of the object of a member function.
        _ if is_member(what) => parts.len() != 1,
        Unnamed::Other(words) if *words == "the name of a function" => !is_object,
        Unnamed::Value(words) => words.starts_with("the default value") || words.contains("`new`"),
        _ => false,
    }
}

/// True for a pointer to characters, of which printing prints these.
fn is_pointer_to_text(argument: &Expr) -> bool {
    let (TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. }) = &argument.ctype.kind
    else {
        return false;
    };
    target.arithmetic().is_some_and(|ctype| ctype.size() == 1)
}

/// True for a call of a function of the library that uses a stream which may lead to memory of the program.
pub fn uses_unknown_streams(tree: &Tree, known: &Known, arguments: &[Expr]) -> bool {
    if !known.uses_streams() {
        return false;
    }
    let is_null = |argument: &Expr| matches!(argument.without_casts().kind, ExprKind::Integer(0));
    let mut streams = arguments.iter().enumerate().filter(|(at, _)| known.use_of(*at) == Use::Stream);
    tree.has_streams_to_memory
        || streams
            .any(|(_, stream)| !is_null(stream) && !crate::import::streams::leads_to_a_file(tree, stream))
}
