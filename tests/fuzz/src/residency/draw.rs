//! Draws whole programs.

mod host;
mod region;
mod statement;

use crate::options;
use crate::program::Type;
use crate::random::Random;
use crate::setting::Language;

use super::program::{
    Function, FunctionId, Handle, Host, How, Kind, LoopId, Program, Range, Slot, Statement, Variable,
    VariableId, World,
};

/// The program of this number under a seed, in a language.
pub fn draw(seed: u64, number: u64, language: Language) -> Program {
    let mut drawing = Drawing::new(seed, number, language);
    drawing.globals();
    drawing.functions();
    drawing.main();
    drawing.program.choices =
        if drawing.random.percent(40) { options::choose(&mut drawing.random) } else { Vec::new() };
    drawing.runs();
    drawing.program
}

/// How much a function may do, in regions that it executes.
const MOST_WORK: i64 = 60;

/// How much `main` may do.
const MOST_WORK_OF_ALL: i64 = 250;

/// The values of `n` and `m` that are tried; none is greater than `N` and `M` in `print.rs`.
const SIZES: [(i64, i64); 6] = [(1, 2), (2, 3), (5, 4), (9, 7), (16, 9), (18, 10)];

/// What has been drawn so far.
struct Drawing {
    random: Random,
    program: Program,
    /// The element types that arrays and parameters may have.
    types: Vec<Type>,
    /// What is known about each function.
    known: Vec<Known>,
    /// The element types of all variables.
    elements: Vec<Type>,
    loops: usize,
}

/// What is known about a function.
struct Known {
    /// In tenths of a region.
    work: i64,
    /// Whether it may free memory that it did not allocate.
    reallocates: bool,
}

/// What is in scope where drawing goes on.
#[derive(Clone)]
struct Scope {
    variables: Vec<Variable>,
    /// The loops around, outermost first.
    loops: Vec<LoopId>,
    /// How often this place is reached for each call of the function.
    times: i64,
    /// The depth of statements.
    depth: usize,
    in_main: bool,
    with_regions: bool,
    has_parameters: bool,
    /// Whether a second pointer to memory is in scope.
    has_alias: bool,
    /// Whether the function may call itself here.
    recursive: bool,
    returns: bool,
}

impl Drawing {
    fn new(seed: u64, number: u64, language: Language) -> Self {
        // Programs of the other kind are drawn from the streams of the seed itself.
        let mut random = Random::new(seed ^ 0x7265_7369_6465_6e74, number);
        let world = random.weighted(&[(50, World::Global), (30, World::InMain), (20, World::Allocated)]);
        let main_type = random.weighted(&[(65, Type::Double), (20, Type::Int), (15, Type::Float)]);
        let mut types = vec![main_type];
        if random.percent(25) {
            types.push(random.one_of(&[Type::Double, Type::Int, Type::Float]));
        }
        let with_new = language == Language::Cxx && random.percent(40);
        let program = Program {
            number,
            language,
            world,
            with_new,
            globals: Vec::new(),
            functions: Vec::new(),
            main: Vec::new(),
            choices: Vec::new(),
            runs: Vec::new(),
        };
        Self { random, program, types, known: Vec::new(), elements: Vec::new(), loops: 0 }
    }

    fn variable(&mut self, element: Type, kind: Kind) -> Variable {
        let id = VariableId(self.elements.len());
        self.elements.push(element);
        let how = self.random.weighted(&[(50, How::Filled), (30, How::Zero), (20, How::Helper)]);
        Variable { id, element, kind, how, is_static: self.random.percent(75) }
    }

    fn element_type(&mut self) -> Type {
        self.random.one_of(&self.types.clone())
    }

    fn new_loop(&mut self) -> LoopId {
        self.loops += 1;
        LoopId(self.loops - 1)
    }

    fn globals(&mut self) {
        for element in self.types.clone() {
            let kind = self.random.one_of(&[Kind::Line, Kind::Grid, Kind::Pointer]);
            self.global(element, kind);
        }
        for _ in 0..self.random.between(1, 4) {
            let element = self.element_type();
            let kind = self.random.weighted(&[
                (15, Kind::Line),
                (15, Kind::Grid),
                (35, Kind::Pointer),
                (20, Kind::Cursor(VariableId(0))),
                (15, Kind::Spot(VariableId(0))),
            ]);
            match kind {
                Kind::Cursor(_) | Kind::Spot(_) => self.pointers_to_arrays(element, kind),
                Kind::Pointer => {
                    self.global(element, kind);
                    if self.random.percent(60) {
                        self.global(element, kind);
                    }
                }
                _ => self.global(element, kind),
            }
        }
        if self.random.percent(60) {
            let element = self.element_type();
            for _ in 0..self.random.between(1, 3) {
                self.global(element, Kind::Member);
            }
        }
        if self.random.percent(40) {
            let (element, in_world) = (self.element_type(), self.random.percent(40));
            let slots = self.random.between(2, 3);
            self.global(element, Kind::Bank { slots, in_world });
        }
        if self.random.percent(60) {
            let element = self.element_type();
            self.global(element, Kind::Scalar);
        }
    }

    fn global(&mut self, element: Type, kind: Kind) {
        let variable = self.variable(element, kind);
        self.program.globals.push(variable);
    }

    /// Two pointers to arrays of constant length, or one to an element of one.
    fn pointers_to_arrays(&mut self, element: Type, kind: Kind) {
        let is_array = |variable: &&Variable| variable.kind.is_constant() && variable.element == element;
        let mut arrays: Vec<_> = self.program.globals.iter().filter(is_array).map(|array| array.id).collect();
        while arrays.len() < 2 {
            let array = self.variable(element, Kind::Line);
            self.program.globals.push(array);
            arrays.push(array.id);
        }
        if matches!(kind, Kind::Spot(_)) {
            let array = self.random.one_of(&arrays);
            return self.global(element, Kind::Spot(array));
        }
        arrays[..2].iter().for_each(|array| self.global(element, Kind::Cursor(*array)));
    }

    fn functions(&mut self) {
        for _ in 0..self.random.between(2, 5) {
            let function = self.function();
            self.program.functions.push(function);
        }
    }

    fn function(&mut self) -> Function {
        let id = FunctionId(self.program.functions.len());
        let takes_world = self.program.world != World::Global || self.random.percent(30);
        let recursive = self.random.percent(12);
        let is_static = self.random.percent(75);
        let parameters = self.parameters();
        let mut scope = Scope {
            variables: self.program.globals.iter().chain(&parameters).copied().collect(),
            loops: Vec::new(),
            times: 1,
            depth: 0,
            in_main: false,
            with_regions: id.0 < 2 || self.random.percent(75),
            has_parameters: !parameters.is_empty(),
            has_alias: false,
            recursive,
            returns: self.random.percent(30),
        };
        self.known.push(Known { work: 0, reallocates: false });
        let length = self.random.between(1, 5);
        let mut body = self.list(&mut scope, length);
        if scope.with_regions && !has_region(&body) {
            let region = Statement::Region(self.region(&scope));
            self.known[id.0].work += 10;
            body.insert(0, region);
        }
        let returns = if scope.returns { Some(self.element(&scope)) } else { None };
        if recursive {
            self.known[id.0].work *= 3;
        }
        Function { id, is_static, takes_world, recursive, parameters, body, returns }
    }

    /// New parameters, or the same as those of the function before.
    fn parameters(&mut self) -> Vec<Variable> {
        let like: Vec<(Type, Kind)> = match self.program.functions.last() {
            Some(last) if self.random.percent(25) => {
                last.parameters.iter().map(|parameter| (parameter.element, parameter.kind)).collect()
            }
            _ => {
                let count = self.random.weighted(&[(25, 0), (25, 1), (30, 2), (20, 3)]);
                (0..count)
                    .map(|_| {
                        let is_grid = self.is_c() && self.random.percent(20);
                        (self.element_type(), if is_grid { Kind::VariableGrid } else { Kind::Parameter })
                    })
                    .collect()
            }
        };
        like.into_iter().map(|(element, kind)| self.variable(element, kind)).collect()
    }

    /// Arrays of `main` and, inside, its statements, of which one is a loop with most of the calls.
    fn main(&mut self) {
        self.known.push(Known { work: 0, reallocates: false });
        let mut scope = Scope {
            variables: self.program.globals.clone(),
            loops: Vec::new(),
            times: 1,
            depth: 0,
            in_main: true,
            with_regions: self.random.percent(70),
            has_parameters: false,
            has_alias: false,
            recursive: false,
            returns: false,
        };
        let own: Vec<Variable> = (0..self.random.between(1, 4))
            .map(|_| {
                let (element, kind) = (self.element_type(), self.own_kind());
                self.variable(element, kind)
            })
            .collect();
        scope.variables.extend(&own);
        let length = self.random.between(0, 2);
        let mut body = self.flat_list(&mut scope.clone(), length);
        let length = self.random.between(3, 7);
        let mut nest = self.new_nest(&mut scope.clone(), length);
        self.call_the_rest(&scope, &body, &mut nest);
        body.push(Statement::Loop(nest));
        let length = self.random.between(0, 3);
        body.extend(self.flat_list(&mut scope.clone(), length));
        let shown = |variable: &Variable| Statement::Host(Host::ReadAll(Handle::of(variable.id), Range::Up));
        body.extend(own.iter().map(shown));
        self.program.main =
            own.into_iter().rev().fold(body, |body, variable| vec![Statement::Temporary(variable, body)]);
    }

    /// Adds calls of the functions that nothing calls.
    fn call_the_rest(&mut self, scope: &Scope, before: &[Statement], nest: &mut super::program::Loop) {
        for place in 0..self.program.functions.len() {
            let id = FunctionId(place);
            let calls = |block: &[Statement]| {
                let mut found = false;
                super::visit::each(block, &mut |statement| {
                    found |= matches!(statement, Statement::Call(call) if call.function == id);
                });
                found
            };
            let is_called = calls(before)
                || calls(&nest.body)
                || self.program.functions.iter().any(|function| calls(&function.body));
            let inner = Scope { loops: vec![nest.id], ..scope.clone() };
            if !is_called && let Some(call) = self.call_of(&inner, id) {
                let place = self.random.index(nest.body.len() + 1);
                nest.body.insert(place, call);
            }
        }
    }

    fn own_kind(&mut self) -> Kind {
        let variable = self.is_c();
        self.random.weighted(&[
            (60, Kind::Pointer),
            (12, Kind::Line),
            (12, Kind::Grid),
            (if variable { 8 } else { 0 }, Kind::VariableLine),
            (if variable { 8 } else { 0 }, Kind::VariableGrid),
            (8, Kind::StaticLine),
            (8, Kind::Kept),
            (12, Kind::Pool),
        ])
    }

    fn runs(&mut self) {
        let mut runs: Vec<_> = SIZES.to_vec();
        while runs.len() > 3 {
            let dropped = self.random.index(runs.len());
            runs.remove(dropped);
        }
        self.program.runs = runs;
    }

    /// A variable that is used, with a pointer if it is a bank.
    fn handle(&mut self, scope: &Scope, variable: Variable) -> Handle {
        let slot = match (variable.kind, scope.loops.last()) {
            (Kind::Bank { slots, .. }, Some(turn)) if self.random.percent(50) => {
                Slot::Turning(*turn, self.random.between(0, slots - 1))
            }
            (Kind::Bank { slots, .. }, _) => Slot::Fixed(self.random.between(0, slots - 1)),
            _ => Slot::Fixed(0),
        };
        Handle { variable: variable.id, slot }
    }

    /// One of the variables in scope for which this holds. Variables of the function are drawn as often as those of
    /// the file.
    fn chosen(&mut self, scope: &Scope, holds: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let all: Vec<Variable> = scope.variables.iter().copied().filter(|variable| holds(variable)).collect();
        let own: Vec<Variable> =
            all.iter().copied().filter(|variable| !self.program.globals.contains(variable)).collect();
        match (all.is_empty(), own.is_empty()) {
            (true, _) => None,
            (_, false) if self.random.percent(50) => Some(self.random.one_of(&own)),
            _ => Some(self.random.one_of(&all)),
        }
    }

    /// An array of a type. There is always one.
    fn array(&mut self, scope: &Scope, element: Option<Type>) -> Handle {
        let fits = |variable: &Variable| {
            variable.kind.is_array() && element.is_none_or(|element| element == variable.element)
        };
        let variable = self.chosen(scope, fits).unwrap_or(self.program.globals[0]);
        self.handle(scope, variable)
    }
}

fn has_region(body: &[Statement]) -> bool {
    let mut found = false;
    super::visit::each(body, &mut |statement| found |= matches!(statement, Statement::Region(_)));
    found
}

#[cfg(test)]
mod tests {
    use super::super::program::{Exit, Kind, Program, Statement};
    use super::super::{text, valid, visit};
    use super::draw;
    use crate::setting::Language;

    fn programs(language: Language) -> impl Iterator<Item = Program> {
        (0..300).map(move |number| draw(3, number, language))
    }

    #[test]
    fn programs_depend_on_seed_and_number_alone() {
        let texts: Vec<_> = (0..20).map(|number| text(&draw(7, number, Language::C))).collect();
        let again: Vec<_> = (0..20).rev().map(|number| text(&draw(7, number, Language::C))).collect();
        assert!(texts.iter().eq(again.iter().rev()));
        assert_ne!(text(&draw(8, 0, Language::C)), texts[0]);
        assert_ne!(texts[0], texts[1]);
    }

    #[test]
    fn all_names_are_in_scope() {
        for language in [Language::C, Language::Cxx] {
            programs(language).for_each(|program| assert!(valid::is_valid(&program), "{}", text(&program)));
        }
    }

    #[test]
    fn each_program_has_regions_in_two_functions() {
        for program in programs(Language::C) {
            let bodies = program.functions.iter().map(|function| &function.body);
            assert!(bodies.filter(|body| super::has_region(body)).count() >= 2, "{}", text(&program));
        }
    }

    /// True for a function that frees memory which it did not allocate.
    fn frees(body: &[Statement], program: &Program, known: &[bool]) -> bool {
        let mut found = false;
        visit::each(body, &mut |statement| match statement {
            Statement::Reallocate(handle, _) => {
                found |= program.globals.iter().any(|variable| variable.id == handle.variable);
            }
            Statement::Call(call) => found |= known[call.function.0],
            _ => {}
        });
        found
    }

    #[test]
    fn nothing_is_freed_while_a_second_pointer_is_in_scope() {
        for language in [Language::C, Language::Cxx] {
            for program in programs(language) {
                let mut known = Vec::new();
                for function in &program.functions {
                    let own = frees(&function.body, &program, &known);
                    assert!(!own || function.parameters.is_empty(), "{}", text(&program));
                    known.push(own);
                }
                for body in visit::bodies(&program) {
                    visit::each(body, &mut |statement| {
                        if let Statement::Alias { body, .. } = statement {
                            let reallocates = |inner: &Statement| matches!(inner, Statement::Reallocate(..));
                            let mut any = frees(body, &program, &known);
                            visit::each(body, &mut |inner| any |= reallocates(inner));
                            assert!(!any, "{}", text(&program));
                        }
                    });
                }
            }
        }
    }

    #[test]
    fn everything_is_drawn_at_times() {
        let mut found = [0; 8];
        for program in programs(Language::C) {
            let banks = program.globals.iter().filter(|variable| matches!(variable.kind, Kind::Bank { .. }));
            found[0] += banks.count();
            found[1] += program.functions.iter().filter(|function| function.recursive).count();
            for body in visit::bodies(&program) {
                visit::each(body, &mut |statement| match statement {
                    Statement::Swap { .. } => found[2] += 1,
                    Statement::Reallocate(..) => found[3] += 1,
                    Statement::Recur(_) => found[4] += 1,
                    Statement::Exit(Exit::Goto(_), _) => found[5] += 1,
                    Statement::Exit(Exit::Return, _) => found[6] += 1,
                    Statement::Alias { .. } => found[7] += 1,
                    _ => {}
                });
            }
        }
        assert!(found.iter().all(|count| *count > 20), "{found:?}");
    }
}
