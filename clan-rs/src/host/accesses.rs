//! What the evaluation of expressions may access, call, and not show.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use scop::{CType, Effect, ProcedureId, SourceRange};

use crate::c::ctree::{
    Callee, Class, Expr, ExprKind, Function, Lifetime, Tree, Type, TypeKind, Understood, Unnamed, VariableId,
};
use crate::directives::effects::{self, Amount, Does, Effects, Item, Table};
use crate::host::announcements::announcement;
use crate::host::expressions::{
    arguments_of, function_of, harmless, has_own_new, is_array_object, is_atomic, is_lvalue, is_other,
    is_other_member, object_of, swapped, uses_unknown_streams,
};
use crate::host::library::{self, Known, Moves, Use};
use crate::host::opaque::is_number;
use crate::host::place::{Place, Term};
use crate::host::placed::Placed;
use crate::host::pointers::Pointers;
use crate::host::solver::{EXPOSED, Node};
use crate::host::unplaced::{Unplaced, not_plain};

/// An access.
#[derive(Debug, Clone)]
pub struct Access {
    /// What is done.
    pub effect: Effect,
    /// The objects that it may touch.
    pub memory: Node,
    /// The bytes, if C text can say which.
    pub place: Option<Place>,
    /// Why the text cannot say which, if that depends on how it is written.
    pub unplaced: Option<Unplaced>,
    /// True if it happens whenever the code around it is executed.
    pub certain: bool,
    /// Where it is.
    pub range: SourceRange,
    /// True for code of another file that announces it itself.
    pub announced: bool,
    /// True if it comes before all other functions that the code around it may run.
    pub before_calls: bool,
}

impl Doings {
    /// Adds what other code does, before or after it.
    pub fn add(&mut self, mut other: Self) {
        if other.runs_others() {
            self.accesses.iter_mut().for_each(|access| access.before_calls = false);
        }
        if self.runs_others() {
            other.accesses.iter_mut().for_each(|access| access.before_calls = false);
        }
        self.accesses.extend(other.accesses);
        self.calls.extend(other.calls);
        self.unknown = self.unknown.take().or(other.unknown);
        self.elsewhere.extend(other.elsewhere);
        self.declared.extend(other.declared);
    }

    /// True if other functions may run, which may change whatever they can reach and need not return.
    pub fn leaves(&self) -> bool {
        self.unknown.is_some() || !self.calls.is_empty()
    }

    /// True if other functions or regions may run.
    pub fn runs_others(&self) -> bool {
        self.leaves() || !self.elsewhere.is_empty()
    }
}

impl Access {
    /// True if it may change memory.
    pub fn writes(&self) -> bool {
        self.effect != Effect::Reads
    }
}

/// What some code does.
#[derive(Debug, Clone, Default)]
pub struct Doings {
    /// What it accesses itself.
    pub accesses: Vec<Access>,
    /// The procedures that it calls.
    pub calls: BTreeSet<ProcedureId>,
    /// Why it may also do anything else.
    pub unknown: Option<String>,
    /// The memory of each array of the regions of other files that it runs.
    pub elsewhere: Vec<Node>,
    /// The variables that it declares.
    pub declared: BTreeSet<VariableId>,
}

/// The ground for finding out what expressions do.
pub struct Ground<'t> {
    /// The file.
    pub tree: &'t Tree,
    /// Where pointers may point.
    pub pointers: &'t Pointers<'t>,
    /// The procedures by the names of their functions.
    pub procedures: BTreeMap<&'t str, ProcedureId>,
    /// The effects of functions of other files.
    pub effects: &'t Table,
    /// The variables whose blocks the host code shows.
    pub placed: &'t Placed,
}

impl<'t> Ground<'t> {
    /// Returns what the evaluation of an expression does.
    pub fn of(&self, expr: &'t Expr) -> Doings {
        self.of_without(expr, &|_| false)
    }

    /// Returns the same without the accesses to some lvalues.
    pub fn of_without(&self, expr: &'t Expr, leaves_out: &dyn Fn(&Expr) -> bool) -> Doings {
        let mut search = Search::new(self, leaves_out);
        search.value(expr);
        search.found
    }

    /// Returns what a declaration of variables does.
    pub fn of_declaration(&self, ids: &[VariableId], range: SourceRange) -> Doings {
        let mut search = Search::new(self, &|_| false);
        for &id in ids {
            search.after(0, |search| search.declaration(id, range));
        }
        search.found
    }

    /// Returns what is evaluated in a part of the text without being in the tree: the lengths in types.
    pub fn hidden_in(&self, range: SourceRange) -> Doings {
        // Ranges in macros may overlap without one being in the other.
        let is_in = |place: &Option<SourceRange>| {
            place.is_none_or(|place| place.start <= range.end && range.start <= place.end)
        };
        let mut search = Search { certain: false, ..Search::new(self, &|_| false) };
        let hidden = &self.tree.hidden;
        for (&id, _) in hidden.variables.iter().filter(|(_, places)| places.iter().any(is_in)) {
            let variable = self.tree.variable(id);
            if !is_number(variable) || self.tree.is_cxx {
                search.unknown(|| format!("uses `{}` in a type", variable.name));
            }
            search.add(Effect::Writes, self.pointers.variable(id), None, range);
        }
        if hidden.calls.iter().any(is_in) {
            search.unknown(|| "calls a function in a type".to_owned());
        }
        search.found
    }
}

/// What functions of other files do with memory.
impl<'t> Ground<'t> {
    /// Returns the memory of each array of the regions that a function of another file runs.
    pub fn run_elsewhere(&self, effects: &Effects, arguments: &[Expr]) -> Vec<Node> {
        let on_device = effects.items.iter().filter(|item| item.does == Does::Device);
        let memory = on_device.map(|item| self.memory_of(effects, item, arguments));
        memory.filter(|node| !self.pointers.objects_in(*node).is_empty()).collect()
    }

    /// Returns the memory of an item: what an argument or a variable points to, or an array. Nothing points to what no
    /// code of the file mentions, except other code.
    fn memory_of(&self, effects: &Effects, item: &Item, arguments: &[Expr]) -> Node {
        if let Some(argument) = effects.position(&item.name).and_then(|position| arguments.get(position)) {
            return self.pointers.value_of(argument);
        }
        match effects::external(self.tree, &item.name) {
            Some(id) if !self.tree.variable(id).ctype.is_pointer_like() => self.pointers.variable(id),
            Some(id) if is_array(&self.tree.variable(id).ctype) => self.pointers.variable(id),
            _ => EXPOSED,
        }
    }

    fn section(&self, effects: &Effects, item: &Item, arguments: &'t [Expr]) -> Option<Place> {
        let section = item.section.as_ref()?;
        let position = effects.position(&item.name)?;
        let bytes = effects.parameters.get(position)?.bytes?;
        let amount = |amount: &Amount| self.amount(amount, effects, arguments);
        let (start, length) = (amount(&section.start)?, amount(&section.length)?);
        let length = Term::product(length, Term::Integer(i128::from(bytes), CType::Long));
        let argument = arguments.get(position)?.without_casts();
        let (TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. }) =
            &argument.ctype.kind
        else {
            return None;
        };
        let is_same = target.arithmetic().is_some_and(|ctype| u64::from(ctype.size()) == u64::from(bytes));
        is_same.then(|| Place::section(self.pointers, self.tree, argument, start, length)).flatten()
    }

    fn amount(&self, amount: &Amount, effects: &Effects, arguments: &[Expr]) -> Option<Term> {
        Some(match amount {
            Amount::Number(value) => Term::Integer(*value, CType::Long),
            Amount::Name(name) => {
                Term::of(self.tree, arguments.get(effects.position(name)?)?)?.converted(CType::Long)
            }
            Amount::Binary(operator, left, right) => {
                let [left, right] = [left, right].map(|part| self.amount(part, effects, arguments));
                Term::in_long(*operator, left?, right?)
            }
        })
    }
}

fn is_array(ctype: &Type) -> bool {
    matches!(ctype.kind, TypeKind::Array { .. })
}

struct Search<'a, 't> {
    ground: &'a Ground<'t>,
    found: Doings,
    /// True for code that is certainly evaluated.
    certain: bool,
    leaves_out: &'a dyn Fn(&Expr) -> bool,
    /// The accesses that are known to come before what is evaluated now, by their positions among all.
    earlier: Vec<Range<usize>>,
    /// True if other functions have been found.
    runs_others: bool,
}

impl<'a, 't> Search<'a, 't> {
    fn new(ground: &'a Ground<'t>, leaves_out: &'a dyn Fn(&Expr) -> bool) -> Self {
        let (found, earlier) = (Doings::default(), Vec::new());
        Self { ground, found, certain: true, leaves_out, earlier, runs_others: false }
    }

    /// Notes code that may run at any time during the evaluation.
    fn unknown(&mut self, reason: impl FnOnce() -> String) {
        self.found.accesses.iter_mut().for_each(|access| access.before_calls = false);
        self.runs_others = true;
        self.found.unknown.get_or_insert_with(reason);
    }

    /// Notes that another function runs now. The accesses from `start` on come before: they belong to its arguments.
    fn runs_others(&mut self, start: usize) {
        let Self { found, earlier, .. } = self;
        for (number, access) in found.accesses.iter_mut().enumerate().take(start) {
            access.before_calls &= earlier.iter().any(|range| range.contains(&number));
        }
        self.runs_others = true;
    }

    /// Notes that a function runs now of which nothing is known; its arguments begin at `start`.
    fn runs_unknown(&mut self, start: usize, reason: impl FnOnce() -> String) {
        self.runs_others(start);
        self.found.unknown.get_or_insert_with(reason);
    }

    /// Runs `visit` for code that is evaluated after all accesses from `start` on.
    fn after(&mut self, start: usize, visit: impl FnOnce(&mut Self)) {
        self.earlier.push(start..self.found.accesses.len());
        visit(self);
        self.earlier.pop();
    }

    fn add(&mut self, effect: Effect, memory: Node, place: Option<Place>, range: SourceRange) {
        self.add_access(effect, memory, place, range, false);
    }

    fn add_access(
        &mut self,
        effect: Effect,
        memory: Node,
        place: Option<Place>,
        range: SourceRange,
        announced: bool,
    ) {
        let (certain, before_calls) = (self.certain, !self.runs_others);
        let unplaced = None;
        self.found.accesses.push(Access {
            effect,
            memory,
            place,
            unplaced,
            certain,
            range,
            announced,
            before_calls,
        });
    }

    fn declaration(&mut self, id: VariableId, range: SourceRange) {
        let Ground { tree, pointers, .. } = self.ground;
        let variable = tree.variable(id);
        self.found.declared.insert(id);
        if variable.attribute.is_some() {
            self.unknown(|| format!("declares `{}`, which has a special attribute", variable.name));
        }
        for length in variable.lengths.iter().flatten() {
            self.value(length);
        }
        if variable.class == Some(Class::Other) && !variable.reference {
            self.unknown(|| format!("declares `{}`, an object of a class", variable.name));
        }
        let is_static = variable.lifetime == Lifetime::Static;
        let has_class = variable.class.is_some();
        if let Some(initial) = variable.initial.as_ref().filter(|_| !is_static || tree.is_cxx) {
            // A static variable of C++ may be given its value when the program first gets there.
            let certain = std::mem::replace(&mut self.certain, !is_static || variable.reference);
            self.initial(initial, has_class);
            self.certain = certain;
            self.add(Effect::Writes, pointers.variable(id), None, range);
        }
    }

    /// Runs `visit` for code that may not be evaluated.
    fn perhaps(&mut self, visit: impl FnOnce(&mut Self)) {
        let certain = std::mem::replace(&mut self.certain, false);
        visit(self);
        self.certain = certain;
    }

    fn value(&mut self, expr: &'t Expr) {
        match &expr.kind {
            _ if is_lvalue(expr) => {
                let is_text = matches!(&expr.kind, ExprKind::Other { what: Unnamed::Text, .. });
                if !is_array_object(self.ground.tree, expr) && !is_text {
                    self.access(expr, Effect::Reads);
                }
                self.place(expr);
            }
            ExprKind::Assign { operator, target, value } => {
                if operator.is_some() {
                    self.access(target, Effect::Reads);
                }
                self.access(target, if operator.is_some() { Effect::Writes } else { Effect::Overwrites });
                self.place(target);
                self.value(value);
            }
            ExprKind::Increment { target, .. } => {
                self.access(target, Effect::Reads);
                self.access(target, Effect::Writes);
                self.place(target);
            }
            ExprKind::AddressOf(operand) => self.place(operand),
            ExprKind::Call { callee, arguments } => self.call(expr, callee.as_ref(), arguments),
            ExprKind::Binary(scop::BinaryOp::And | scop::BinaryOp::Or, first, second) => {
                let start = self.found.accesses.len();
                self.value(first);
                self.after(start, |search| search.perhaps(|search| search.value(second)));
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let start = self.found.accesses.len();
                self.value(condition);
                self.after(start, |search| {
                    search.perhaps(|search| {
                        search.value(then);
                        search.value(otherwise);
                    });
                });
            }
            ExprKind::Comma(first, second) => {
                let start = self.found.accesses.len();
                self.value(first);
                self.after(start, |search| search.value(second));
            }
            ExprKind::Other { what: Unnamed::Understood(known, _), .. } => self.understood(expr, known),
            ExprKind::Other { what: Unnamed::NewArray, parts } if !has_own_new(self.ground.tree) => {
                self.unknown(|| "allocates memory, which may fail".to_owned());
                parts.iter().for_each(|part| self.value(part));
            }
            ExprKind::Other { what, parts } => {
                if harmless(self.ground.tree, expr, what, parts).is_none() {
                    self.unknown(|| format!("contains {}", what.words()));
                }
                parts.iter().for_each(|part| self.value(part));
            }
            _ => expr.parts().into_iter().for_each(|part| self.value(part)),
        }
    }

    /// Adds the evaluation of an initial value. In braces, it reads what the tree only takes the addresses of.
    fn initial(&mut self, initial: &'t Expr, has_class: bool) {
        match &initial.kind {
            ExprKind::Other { what: Unnamed::InitialiserList, parts } if !has_class => {
                for part in parts {
                    self.initial(part, false);
                    if let ExprKind::AddressOf(operand) = &part.kind {
                        self.value(operand);
                    }
                }
            }
            _ => self.value(initial),
        }
    }

    /// Adds what is evaluated to find an lvalue, which itself is not accessed.
    fn place(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Variable(id) => {
                let variable = self.ground.tree.variable(*id);
                if variable.attribute.is_some() {
                    self.unknown(|| format!("uses `{}`, which has a special attribute", variable.name));
                }
            }
            ExprKind::Subscript { base, index } => {
                self.value(index);
                self.value(base);
            }
            ExprKind::Member { base, .. } => self.structure(base),
            ExprKind::Other { what, parts } if is_other_member(what, parts) => self.structure(&parts[0]),
            ExprKind::Other { what: Unnamed::Understood(..), .. } => self.vector_before(expr, Effect::Reads),
            ExprKind::Other { what: Unnamed::Text, .. } if self.ground.tree.is_cxx => {}
            ExprKind::Other { parts, .. } if is_lvalue(expr) => {
                parts.iter().for_each(|part| self.value(part));
                // A compound literal is set where it stands.
                self.add(Effect::Writes, self.ground.pointers.address(expr), None, expr.range);
            }
            _ => self.value(expr),
        }
    }

    fn structure(&mut self, base: &'t Expr) {
        if base.ctype.is_pointer_like() || is_atomic(&base.ctype) || !is_lvalue(base) {
            self.value(base);
        } else {
            self.place(base);
        }
    }

    fn access(&mut self, lvalue: &'t Expr, effect: Effect) {
        if (self.leaves_out)(lvalue) {
            return;
        }
        if is_volatile(&lvalue.ctype) {
            self.unknown(|| "accesses a volatile or atomic object".to_owned());
        }
        let Ground { tree, pointers, .. } = self.ground;
        let place = Place::of(pointers, tree, lvalue);
        let unplaced = place.is_none().then(|| Unplaced::Text(not_plain(tree, lvalue).range));
        self.add(effect, pointers.address(lvalue), place, lvalue.range);
        if let Some(access) = self.found.accesses.last_mut() {
            access.unplaced = unplaced;
        }
    }

    /// Adds what is evaluated before the function or operator of a vector runs, and the use of the vector itself.
    fn vector_before(&mut self, call: &'t Expr, effect: Effect) {
        arguments_of(call).iter().for_each(|argument| self.value(argument));
        match object_of(call) {
            Some(object) if is_lvalue(object) && !object.ctype.is_pointer_like() => self.place(object),
            Some(object) => self.value(object),
            None => {}
        }
        self.add(effect, self.ground.pointers.vectors(call), None, call.range);
    }

    /// Adds what the exchange of two objects does.
    fn exchange(&mut self, operands: [&'t Expr; 2]) {
        for operand in operands {
            let operand = match &operand.kind {
                ExprKind::AddressOf(inner) => inner,
                _ => operand,
            };
            if is_lvalue(operand) {
                self.access(operand, Effect::Reads);
                self.access(operand, Effect::Writes);
                self.place(operand);
            } else {
                self.value(operand);
                self.add(Effect::Writes, self.ground.pointers.address(operand), None, operand.range);
            }
        }
    }

    fn understood(&mut self, expr: &'t Expr, known: &'t Understood) {
        let Ground { tree, pointers, procedures, .. } = self.ground;
        match known {
            Understood::Member(name, _) => {
                let start = self.found.accesses.len();
                arguments_of(expr).iter().for_each(|argument| self.value(argument));
                if let Some(object) = object_of(expr) {
                    self.structure(object);
                }
                self.found.calls.extend(procedures.get(name.as_str()));
                match tree.function(name) {
                    Some(function) => {
                        self.set_parameters(function, expr.range);
                        self.runs_others(start);
                        self.result(expr, function.returns_reference);
                    }
                    None => {
                        self.runs_unknown(start, || format!("calls `{name}`, whose body is not in this file"))
                    }
                }
            }
            Understood::Element | Understood::Data | Understood::Property => {
                self.vector_before(expr, Effect::Reads);
            }
            Understood::Change => {
                self.vector_before(expr, Effect::Writes);
                self.add(Effect::Writes, pointers.value_of(expr), None, expr.range);
                self.unknown(|| "allocates memory, which may fail".to_owned());
            }
            Understood::Swap => {
                self.vector_before(expr, Effect::Writes);
                for other in arguments_of(expr) {
                    self.add(Effect::Writes, pointers.bound_by(other), None, expr.range);
                }
            }
            Understood::Making => {
                let numbers = arguments_of(expr).iter().filter(|part| part.ctype.arithmetic().is_some());
                numbers.for_each(|number| self.value(number));
                self.unknown(|| "allocates memory, which may fail".to_owned());
            }
            Understood::Copy | Understood::Assign => {
                let objects = object_of(expr).filter(|_| *known == Understood::Assign);
                objects.into_iter().chain(arguments_of(expr)).for_each(|object| self.value(object));
                for other in arguments_of(expr) {
                    self.add(Effect::Reads, pointers.bound_by(other), None, expr.range);
                }
                if let Some(object) = objects {
                    self.add(Effect::Writes, pointers.bound_by(object), None, expr.range);
                }
            }
            Understood::Print => self.print(expr),
            Understood::Delete => {
                for pointer in arguments_of(expr) {
                    self.value(pointer);
                    self.add(Effect::Frees, pointers.value_of(pointer), None, expr.range);
                }
                if has_own_new(tree) {
                    self.unknown(|| "calls an `operator delete` of the program".to_owned());
                }
            }
        }
    }

    /// Printing to a stream of the library, all of which work alike.
    fn print(&mut self, expr: &'t Expr) {
        if self.ground.tree.printing_calls || !prints_to_console(self.ground.tree, expr) {
            self.unknown(|| "prints to a stream that may call other functions".to_owned());
        }
        if let Some(stream) = object_of(expr) {
            self.value(stream);
        }
        for value in arguments_of(expr) {
            self.value(value);
            if value.ctype.is_pointer_like() {
                self.add(Effect::Reads, self.ground.pointers.value_of(value), None, value.range);
            }
        }
    }

    /// Adds the use of the result of a call: a reference is read through, and an object is destroyed.
    fn result(&mut self, call: &'t Expr, is_reference: bool) {
        if is_reference {
            self.add(Effect::Reads, self.ground.pointers.value_of(call), None, call.range);
        } else if self.ground.tree.is_cxx
            && matches!(&call.ctype.kind, TypeKind::Other(name) if name != "void")
        {
            self.unknown(|| "calls a function whose value is an object".to_owned());
        }
    }

    fn call(&mut self, call: &'t Expr, callee: Option<&'t Callee>, arguments: &'t [Expr]) {
        if let Some(operands) = callee.and_then(|callee| swapped(self.ground.tree, callee, arguments)) {
            return self.exchange(operands);
        }
        let start = self.found.accesses.len();
        arguments.iter().for_each(|argument| self.value(argument));
        match callee {
            Some(callee) => self.run(callee, arguments, call.range, start),
            None => self.runs_unknown(start, || "calls a function through a pointer".to_owned()),
        }
        self.result(call, callee.is_some_and(|callee| callee.gives_reference));
    }

    /// Adds what a function does that is called now. The accesses from `start` on are those of its arguments.
    fn run(&mut self, callee: &'t Callee, arguments: &'t [Expr], range: SourceRange, start: usize) {
        let Ground { tree, procedures, .. } = self.ground;
        if announcement(tree, callee).is_some() {
            return;
        }
        if let Some(function) = function_of(tree, callee) {
            self.found.calls.extend(procedures.get(callee.name.as_str()));
            self.set_parameters(function, range);
            self.runs_others(start);
            if callee.attribute.is_none() {
                return;
            }
        }
        if callee.attribute.is_some() {
            let reason = || format!("calls `{}`, which has a special attribute", callee.shown);
            return self.runs_unknown(start, reason);
        }
        if let Some(effects) = self.ground.effects.of_call(tree, callee, arguments) {
            return self.call_elsewhere(effects, callee, arguments, (range, start));
        }
        let known =
            library::known(tree, callee).filter(|known| !uses_unknown_streams(tree, known, arguments));
        match known {
            Some(known) if known.ends => {
                self.runs_unknown(start, || format!("calls `{}`, which does not return", callee.shown))
            }
            Some(known) => self.call_of_library(callee, known, arguments, range),
            None => {
                self.runs_unknown(start, || {
                    format!("calls `{}`, whose body is not in this file", callee.shown)
                });
            }
        }
    }

    fn set_parameters(&mut self, function: &Function, range: SourceRange) {
        for parameter in function.parameters.iter().chain(&function.this) {
            self.add(Effect::Writes, self.ground.pointers.variable(*parameter), None, range);
        }
    }

    fn call_elsewhere(
        &mut self,
        effects: &Effects,
        callee: &Callee,
        arguments: &'t [Expr],
        (range, start): (SourceRange, usize),
    ) {
        let runs = self.ground.run_elsewhere(effects, arguments);
        if !runs.is_empty() {
            self.runs_others(start);
        }
        if !runs.iter().all(|node| self.ground.pointers.can_stay(*node, self.ground.placed)) {
            self.unknown(|| format!("calls `{}`, which uses memory whose end is not known", callee.shown));
        }
        for item in &effects.items {
            let memory = self.ground.memory_of(effects, item, arguments);
            let announces = |other: &Item| {
                other.name == item.name && matches!(other.does, Does::Device | Does::Announces)
            };
            if effects.items.iter().any(announces) {
                self.add_access(Effect::Writes, memory, None, range, true);
                continue;
            }
            let place = self.ground.section(effects, item, arguments);
            let effect = if item.does == Does::Reads { Effect::Reads } else { Effect::Writes };
            self.add(effect, memory, place, range);
        }
        self.found.elsewhere.extend(runs);
    }

    fn call_of_library(&mut self, callee: &Callee, known: Known, arguments: &'t [Expr], range: SourceRange) {
        let Ground { tree, pointers, .. } = self.ground;
        let bytes = known.bytes().and_then(|position| arguments.get(position));
        let is_pointer = |argument: &Expr| argument.ctype.is_pointer_like() || is_other(argument);
        for (position, argument) in arguments.iter().enumerate().filter(|(_, argument)| is_pointer(argument))
        {
            let memory = pointers.value_of(argument);
            let of_bytes = || bytes.and_then(|bytes| Place::from(pointers, tree, argument, Some(bytes)));
            let (effect, place) = match known.use_of(position) {
                Use::Value | Use::Bytes | Use::Stream => continue,
                // `%n` writes.
                Use::Reads if callee.counts => (Effect::Writes, None),
                // What the format of `sprintf` says is not known.
                Use::Reads if known.moves == Moves::Text && position > 0 => (Effect::Writes, None),
                Use::Reads => (Effect::Reads, None),
                Use::Writes => (Effect::Writes, None),
                Use::ReadsBytes => (Effect::Reads, of_bytes()),
                Use::WritesBytes => (Effect::Writes, of_bytes()),
                Use::OverwritesBytes => (Effect::Overwrites, of_bytes()),
                Use::Frees => (Effect::Frees, Place::from(pointers, tree, argument, None)),
            };
            self.add(effect, memory, place, range);
        }
    }
}

/// True for printing to the streams that every program of C++ has.
fn prints_to_console(tree: &Tree, print: &Expr) -> bool {
    let Some(stream) = object_of(print) else { return false };
    match &stream.kind {
        ExprKind::AddressOf(operand) => operand.as_variable().is_some_and(|id| {
            let variable = tree.variable(id);
            let is_console = ["cerr", "clog", "cout"].contains(&variable.name.as_str());
            is_console && variable.external && variable.declared_at.is_none()
        }),
        ExprKind::Other { what: Unnamed::Understood(Understood::Print, _), .. } => {
            prints_to_console(tree, stream)
        }
        _ => false,
    }
}

fn is_volatile(ctype: &Type) -> bool {
    ctype.volatile || is_atomic(ctype)
}
