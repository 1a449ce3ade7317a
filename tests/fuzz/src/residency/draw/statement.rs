//! Statements of host code.

use crate::program::Type;

use super::super::program::{
    By, Call, Exit, FunctionId, Handle, How, Kind, Loop, LoopForm, Origin, ResultUse, Selector, Statement,
    Variable,
};
use super::{Drawing, MOST_WORK, MOST_WORK_OF_ALL, Scope};

/// How deep statements may be nested.
const DEEPEST: usize = 4;

/// What code of the host costs, compared with a region, which costs 10.
const HOST_WORK: i64 = 2;

#[derive(Clone, Copy)]
enum Form {
    Region,
    Host,
    Loop,
    If,
    Switch,
    Call,
    Recur,
    Swap,
    Reallocate,
    Temporary,
    Alias,
    Exit,
}

impl Drawing {
    /// So many statements. A variable that is declared among them exists for those after it.
    pub(super) fn list(&mut self, scope: &mut Scope, count: i64) -> Vec<Statement> {
        let mut statements = Vec::new();
        for done in 0..count {
            if scope.depth < DEEPEST && self.random.percent(12) {
                statements.push(self.declaration(scope, count - done));
                return statements;
            }
            statements.extend(self.statement(scope));
        }
        statements
    }

    /// So many statements without variables that would exist for those after it.
    pub(super) fn flat_list(&mut self, scope: &mut Scope, count: i64) -> Vec<Statement> {
        (0..count).filter_map(|_| self.statement(scope)).collect()
    }

    /// A variable, and so many statements in which it exists.
    fn declaration(&mut self, scope: &Scope, count: i64) -> Statement {
        let mut inner = Scope { depth: scope.depth + 1, ..scope.clone() };
        if !self.is_c() && self.random.percent(15) {
            let (element, writes) = (self.element(scope), self.random.percent(40));
            // What it names has to be the same when it is destroyed.
            let fixed = !matches!(element.of.slot, super::super::program::Slot::Turning(..));
            if fixed
                && !scope.variables.iter().any(|own| own.id == element.of.variable && own.kind.is_owner())
            {
                return Statement::Guard { element, writes, body: self.list(&mut inner, count) };
            }
        }
        if self.random.percent(40) {
            let (of, element) = self.origin(scope);
            let variable = self.variable(element, Kind::Alias);
            inner.variables.push(variable);
            inner.has_alias = true;
            return Statement::Alias { variable, of, body: self.list(&mut inner, count) };
        }
        let element = self.element_type();
        let kind = if self.random.percent(15) { Kind::Scalar } else { self.own_kind() };
        let variable = self.variable(element, kind);
        inner.variables.push(variable);
        Statement::Temporary(variable, self.list(&mut inner, count))
    }

    /// What an alias points to, and the type of its elements.
    fn origin(&mut self, scope: &Scope) -> (Origin, Type) {
        let one = self.array(scope, None);
        let element = self.elements[one.variable.0];
        let two = self.array(scope, Some(element));
        let is_pool = self.kind_of(scope, one) == Kind::Pool;
        let size = self.random.between(1, 9);
        let of = match self.random.weighted(&[(60, 0), (if is_pool { 200 } else { 0 }, 1), (20, 2), (20, 3)])
        {
            0 => Origin::Array(one),
            1 => Origin::Upper(one),
            2 => Origin::Either(one, two, size),
            _ => Origin::Picked(one, two, size),
        };
        (of, element)
    }

    fn statement(&mut self, scope: &mut Scope) -> Option<Statement> {
        let deeper = if scope.depth < DEEPEST { 1 } else { 0 };
        let regions = i64::from(scope.with_regions);
        let calls = if scope.in_main { 40 } else { 14 };
        let form = self.random.weighted(&[
            (if scope.in_main { 12 } else { 30 } * regions, Form::Region),
            (28, Form::Host),
            (if scope.loops.len() < 2 { 10 * deeper } else { 0 }, Form::Loop),
            (11 * deeper, Form::If),
            (3 * deeper, Form::Switch),
            (calls, Form::Call),
            (if scope.recursive && scope.loops.is_empty() { 12 } else { 0 }, Form::Recur),
            (9, Form::Swap),
            (if scope.has_alias { 0 } else { 5 }, Form::Reallocate),
            (5 * deeper, Form::Temporary),
            (3 * deeper, Form::Alias),
            (if scope.loops.is_empty() { 1 } else { 5 }, Form::Exit),
        ]);
        match form {
            Form::Region => self.afford(scope, 10).then(|| Statement::Region(self.region(scope))),
            Form::Host => self.afford(scope, HOST_WORK).then(|| Statement::Host(self.host(scope))),
            Form::Loop => {
                let length = self.random.between(1, 4);
                Some(Statement::Loop(self.new_nest(scope, length)))
            }
            Form::If => Some(self.branch(scope)),
            Form::Switch => Some(self.switch(scope)),
            Form::Call => self.call(scope),
            Form::Recur => self.recur(scope),
            Form::Swap => self.swap(scope),
            Form::Reallocate => self.reallocate(scope),
            Form::Temporary | Form::Alias => {
                let length = self.random.between(1, 3);
                Some(self.declaration(scope, length))
            }
            Form::Exit => Some(self.exit(scope)),
        }
    }

    /// Accounts for what is done at a place, if that is not too much.
    fn afford(&mut self, scope: &Scope, tenths: i64) -> bool {
        let most = 10 * if scope.in_main { MOST_WORK_OF_ALL } else { MOST_WORK };
        let Some(known) = self.known.last_mut() else { return false };
        let work = known.work + tenths * scope.times;
        let affordable = work <= most;
        if affordable {
            known.work = work;
        }
        affordable
    }

    /// A loop around so many statements.
    pub(super) fn new_nest(&mut self, scope: &mut Scope, length: i64) -> Loop {
        let id = self.new_loop();
        let form = self.random.weighted(&[
            (65, LoopForm::For),
            (15, LoopForm::While),
            (12, LoopForm::DoWhile),
            (8, LoopForm::Endless),
        ]);
        let count = self.random.between(2, 4);
        let condition = if self.random.percent(20) { Some(self.condition(scope, 1)) } else { None };
        let mut inner = scope.clone();
        inner.loops.push(id);
        inner.depth += 1;
        inner.times *= count;
        Loop { id, form, count, condition, body: self.list(&mut inner, length) }
    }

    fn block(&mut self, scope: &Scope, most: i64) -> Vec<Statement> {
        let mut inner = Scope { depth: scope.depth + 1, ..scope.clone() };
        let length = self.random.between(1, most);
        self.list(&mut inner, length)
    }

    fn branch(&mut self, scope: &Scope) -> Statement {
        let condition = self.condition(scope, 2);
        let bare = self.random.percent(40);
        let then = self.block(scope, if bare { 1 } else { 3 });
        let otherwise = if self.random.percent(30) { self.block(scope, 2) } else { Vec::new() };
        Statement::If { condition, then, otherwise, bare }
    }

    fn switch(&mut self, scope: &Scope) -> Statement {
        let by = match scope.loops.last() {
            Some(turn) if self.random.percent(60) => Selector::Turn(*turn),
            _ => Selector::Element(self.element(scope)),
        };
        let arms = (0..self.random.between(2, 3)).map(|_| self.block(scope, 2)).collect();
        Statement::Switch { by, arms, falls_through: self.random.percent(30) }
    }

    fn call(&mut self, scope: &Scope) -> Option<Statement> {
        // The function that is being drawn is not among them.
        let count = self.program.functions.len();
        if count == 0 {
            return None;
        }
        let function = FunctionId(self.random.index(count));
        self.call_of(scope, function)
    }

    /// A call of a function, if it is allowed here and not too much work.
    pub(super) fn call_of(&mut self, scope: &Scope, function: FunctionId) -> Option<Statement> {
        let known = &self.known[function.0];
        let (work, reallocates) = (known.work, known.reallocates);
        if reallocates && (scope.has_parameters || scope.has_alias) {
            return None;
        }
        if !self.afford(scope, work + HOST_WORK) {
            return None;
        }
        if let Some(own) = self.known.last_mut() {
            own.reallocates |= reallocates;
        }
        let arguments = self.arguments(scope, &self.program.functions[function.0].parameters.clone());
        let without_row = !arguments.is_empty() && self.random.percent(12);
        let by = match self.random.weighted(&[(86, 0), (7, 1), (7, 2)]) {
            0 => By::Name,
            2 if let (Some(turn), Some(other)) = (scope.loops.last(), self.twin(scope, function)) => {
                By::Either(other, *turn)
            }
            _ => By::Pointer,
        };
        let result = self.random.one_of(&[ResultUse::Ignored, ResultUse::Noted, ResultUse::Tested]);
        Some(Statement::Call(Call { function, arguments, without_row, by, result }))
    }

    /// A function of the same type that may be called at the same place.
    fn twin(&mut self, scope: &Scope, function: FunctionId) -> Option<FunctionId> {
        let functions = &self.program.functions;
        let own = &functions[function.0];
        let alike = |other: &&super::Function| {
            let types = |of: &super::Function| {
                of.parameters.iter().map(|parameter| (parameter.element, parameter.kind)).collect::<Vec<_>>()
            };
            other.id != own.id
                && types(other) == types(own)
                && other.takes_world == own.takes_world
                && other.recursive == own.recursive
                && other.returns.is_some() == own.returns.is_some()
                && !self.known[other.id.0].reallocates
        };
        let other = functions.iter().find(alike)?.id;
        let work = self.known[other.0].work;
        self.afford(scope, work).then_some(other)
    }

    /// Arrays for parameters, mostly different ones.
    fn arguments(&mut self, scope: &Scope, parameters: &[Variable]) -> Vec<Handle> {
        let mut arguments: Vec<Handle> = Vec::new();
        for parameter in parameters {
            let mut handle = self.array(scope, Some(parameter.element));
            for _ in 0..3 {
                if arguments.contains(&handle) {
                    handle = self.array(scope, Some(parameter.element));
                }
            }
            arguments.push(handle);
        }
        arguments
    }

    /// At most one call of the function itself: a second one gets nothing.
    fn recur(&mut self, scope: &mut Scope) -> Option<Statement> {
        let parameters: Vec<Variable> = {
            let globals = &self.program.globals;
            let is_parameter = |variable: &&Variable| {
                matches!(variable.kind, Kind::Parameter | Kind::VariableGrid) && !globals.contains(variable)
            };
            scope.variables.iter().filter(is_parameter).copied().collect()
        };
        scope.recursive = false;
        // Only at the top, where the parameters are all such variables.
        (scope.depth == 0).then(|| Statement::Recur(self.arguments(scope, &parameters)))
    }

    /// Two pointers that own memory equally long, or none.
    fn swap(&mut self, scope: &Scope) -> Option<Statement> {
        let is_pointer = |kind: Kind| kind.is_owner() || matches!(kind, Kind::Cursor(_) | Kind::Parameter);
        let first = self.chosen(scope, |variable| is_pointer(variable.kind))?;
        let own = |variable: &Variable| !self.program.globals.contains(variable);
        let is_own = own(&first);
        let fits = |other: &Variable, globals: &[Variable]| {
            let alike = match first.kind {
                Kind::Cursor(_) => matches!(other.kind, Kind::Cursor(_)),
                Kind::Parameter => other.kind == Kind::Parameter,
                _ => other.kind.is_owner(),
            };
            // A variable of a block frees what it points to when the block ends.
            let free_alike = if is_own && first.kind.is_owner() {
                !globals.contains(other) && !scope.has_alias
            } else {
                is_own || globals.contains(other)
            };
            other.element == first.element && alike && free_alike
        };
        let globals = self.program.globals.clone();
        let second = self.chosen(scope, |other| {
            fits(other, &globals) && (other.id != first.id || matches!(other.kind, Kind::Bank { .. }))
        })?;
        let (first, second) = (self.handle(scope, first), self.handle(scope, second));
        if first == second {
            return None;
        }
        Some(Statement::Swap { first, second, by_function: self.random.percent(25) })
    }

    /// Memory of the function itself, or of any owner if no other pointer to it is in scope anywhere.
    fn reallocate(&mut self, scope: &Scope) -> Option<Statement> {
        if scope.has_alias {
            return None;
        }
        let globals = self.program.globals.clone();
        let variable = self.chosen(scope, |variable| {
            variable.kind.is_owner() && !(scope.has_parameters && globals.contains(variable))
        })?;
        if globals.contains(&variable)
            && let Some(own) = self.known.last_mut()
        {
            own.reallocates = true;
        }
        let handle = self.handle(scope, variable);
        let how = self.random.one_of(&[How::Filled, How::Zero, How::Helper, How::Resized]);
        Some(Statement::Reallocate(handle, how))
    }

    fn exit(&mut self, scope: &Scope) -> Statement {
        let kinds: &[(i64, Option<Exit>)] = match scope.loops.as_slice() {
            [] => &[(1, Some(Exit::Return))],
            _ => &[
                (50, Some(Exit::Break)),
                (20, Some(Exit::Continue)),
                (15, Some(Exit::Return)),
                (15, None),
                (2, Some(Exit::Quit)),
            ],
        };
        let drawn = self.random.weighted(kinds);
        let exit = drawn.unwrap_or_else(|| Exit::Goto(self.random.one_of(&scope.loops)));
        let exit = if scope.in_main && exit == Exit::Return { Exit::Break } else { exit };
        let exit = if exit == Exit::Break && scope.loops.is_empty() { Exit::Return } else { exit };
        let condition = self.condition(scope, 1);
        Statement::Exit(exit, condition)
    }
}
