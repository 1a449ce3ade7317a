//! What the evaluation of expressions may access, call, and not show.

mod calls;
mod elsewhere;
mod understood;

use std::collections::BTreeMap;
use std::ops::Range;

use scop::{Effect, ProcedureId, SourceRange};

use crate::c::ctree::{Class, Expr, ExprKind, Lifetime, Tree, Type, Understood, Unnamed, VariableId};
use crate::directives::effects::Table;
use crate::host::doings::{Access, Doings, UnknownCode};
use crate::host::endings::Endings;
use crate::host::expressions::{
    Typed, harmless, has_own_new, is_array_object, is_atomic, is_lvalue, is_other_member, is_vector, typed,
};
use crate::host::lengths::Deleted;
use crate::host::opaque::is_number;
use crate::host::place::Place;
use crate::host::placed::Placed;
use crate::host::pointers::Pointers;
use crate::host::solver::Node;
use crate::host::unplaced::{Unplaced, not_plain};
use crate::host::ways_out::{BEFORE, of_expression};

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
    /// How many bytes `delete` ends.
    pub deleted: Deleted,
    /// Which ends of the program need nothing of the memory of interest.
    pub endings: Endings,
    /// True if the user may hold memory on the device.
    pub can_hold: bool,
}

impl<'t> Ground<'t> {
    /// Returns what the evaluation of an expression does.
    pub fn of(&self, expr: &'t Expr) -> Doings {
        self.of_without(expr, &|_| false)
    }

    /// Returns what the evaluation of an expression does whose value nothing uses.
    pub fn of_discarded(&self, expr: &'t Expr) -> Doings {
        let mut search = Search { discarded: Some(expr), ..Search::new(self, &|_| false) };
        search.value(expr);
        search.found
    }

    /// Returns what a function does that returns a reference to what an expression denotes.
    pub fn of_bound(&self, expr: &'t Expr) -> Doings {
        let mut search = Search { discarded: Some(expr), ..Search::new(self, &|_| false) };
        search.place(expr);
        search.found
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

struct Search<'a, 't> {
    ground: &'a Ground<'t>,
    found: Doings,
    /// True for code that is certainly evaluated.
    certain: bool,
    /// True for code under a condition in the same expression.
    guarded: bool,
    leaves_out: &'a dyn Fn(&Expr) -> bool,
    /// The accesses that are known to come before what is evaluated now, by their positions among all.
    earlier: Vec<Range<usize>>,
    /// True if other functions have been found.
    runs_others: bool,
    /// The expression whose value nothing uses.
    discarded: Option<&'t Expr>,
}

impl<'a, 't> Search<'a, 't> {
    fn new(ground: &'a Ground<'t>, leaves_out: &'a dyn Fn(&Expr) -> bool) -> Self {
        let (found, earlier) = (Doings::default(), Vec::new());
        Self {
            ground,
            found,
            certain: true,
            guarded: false,
            leaves_out,
            earlier,
            runs_others: false,
            discarded: None,
        }
    }

    /// Notes code that may run at any time during the evaluation.
    fn unknown<R: Into<UnknownCode>>(&mut self, reason: impl FnOnce() -> R) {
        self.found.accesses.iter_mut().for_each(|access| access.before_calls = false);
        self.runs_others = true;
        self.found.add_unknown(reason);
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
    fn runs_unknown<R: Into<UnknownCode>>(&mut self, start: usize, reason: impl FnOnce() -> R) {
        self.runs_others(start);
        self.found.add_unknown(reason);
    }

    /// Notes code that may throw an exception.
    fn may_fail(&mut self, reason: impl FnOnce() -> String) {
        if self.ground.endings.throwing {
            self.ends(0);
            self.found.exits = true;
        } else {
            self.unknown(|| (reason(), BEFORE));
        }
    }

    /// Notes that the program may end now, and that no memory is used after that. The accesses from `start` on come
    /// before.
    fn ends(&mut self, start: usize) {
        let Self { found, earlier, .. } = self;
        for (number, access) in found.accesses.iter_mut().enumerate().take(start) {
            access.certain &= earlier.iter().any(|range| range.contains(&number));
        }
        found.ends = true;
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
        let (certain, before_calls) = (self.certain && !self.found.ends, !self.runs_others);
        let unplaced = None;
        self.found.accesses.push(Access {
            effect,
            memory,
            place,
            unplaced,
            floating: false,
            typed: Typed::Unknown,
            certain,
            guarded: self.guarded,
            range,
            announced,
            before_calls,
        });
    }

    /// Says of what the last access is one.
    fn is_of(&mut self, typed: Typed) {
        if let Some(access) = self.found.accesses.last_mut() {
            access.typed = typed;
        }
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
            self.unknown(|| (format!("declares `{}`, an object of a class", variable.name), BEFORE));
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
        let guarded = std::mem::replace(&mut self.guarded, true);
        visit(self);
        (self.certain, self.guarded) = (certain, guarded);
    }

    fn value(&mut self, expr: &'t Expr) {
        match &expr.kind {
            _ if is_lvalue(expr) => {
                let is_text = matches!(&expr.kind, ExprKind::Other { what: Unnamed::Text, .. });
                if !is_array_object(self.ground.tree, expr) && !is_text {
                    self.access(expr, Effect::Reads);
                    self.elements_of_value(expr);
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
                self.may_fail(|| "allocates memory, which may fail".to_owned());
                parts.iter().for_each(|part| self.value(part));
            }
            ExprKind::Other { what, parts } => {
                if harmless(self.ground.tree, expr, what, parts).is_none() {
                    self.unknown(|| (format!("contains {}", what.words()), of_expression(what)));
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
            ExprKind::Other { what: Unnamed::Understood(known @ Understood::Pointed, _), .. } => {
                self.understood(expr, known);
            }
            ExprKind::Other { what: Unnamed::Understood(_, plain), .. } => {
                self.vector_before(expr, Effect::Reads);
                if matches!(&**plain, Unnamed::MemberCall(name) if name == "at") {
                    self.may_fail(|| "calls `at`, which may throw an exception".to_owned());
                }
            }
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

    /// A vector that is used as a value, as `return` does, is copied with its elements, or takes them along.
    fn elements_of_value(&mut self, lvalue: &'t Expr) {
        let Ground { tree, pointers, .. } = self.ground;
        if is_vector(tree, lvalue) {
            self.add(Effect::Reads, pointers.value_of(lvalue), None, lvalue.range);
        }
    }

    fn access(&mut self, lvalue: &'t Expr, effect: Effect) {
        if (self.leaves_out)(lvalue) {
            return;
        }
        if is_volatile(&lvalue.ctype) {
            let way_out = "use an object that is neither";
            self.unknown(|| ("accesses a volatile or atomic object".to_owned(), way_out));
        }
        let Ground { tree, pointers, .. } = self.ground;
        let place = Place::of(pointers, tree, lvalue);
        let unplaced = place.is_none().then(|| Unplaced::Text(not_plain(pointers, lvalue).range));
        self.add(effect, pointers.referred(lvalue), place, lvalue.range);
        if let Some(access) = self.found.accesses.last_mut() {
            access.unplaced = unplaced;
            access.typed = typed(lvalue);
            access.floating = lvalue.ctype.arithmetic().is_some_and(|ctype| !ctype.is_integer());
        }
    }
}

fn is_volatile(ctype: &Type) -> bool {
    ctype.volatile || is_atomic(ctype)
}
