//! The C text of a whole program.

mod helpers;
mod host;
mod region;

use std::collections::{BTreeMap, BTreeSet};

use crate::setting::Language;
use crate::types::c_type;

use super::program::{
    By, Call, Condition, Element, Exit, Function, FunctionId, Handle, How, Kind, Loop, LoopForm, LoopId,
    Origin, Place, Program, ResultUse, Selector, Slot, Statement, Variable, VariableId, World,
};
use super::visit;
use helpers::Helper;

/// A complete file. The program takes `n` and `m` as arguments.
pub fn text(program: &Program) -> String {
    let mut printer = Printer::new(program);
    let functions: String = program.functions.iter().map(|function| printer.function(function)).collect();
    let main = printer.main();
    let globals = printer.globals();
    let helpers: String = printer.helpers.iter().map(|helper| helper.text(program.with_new)).collect();
    let headers = if program.language == Language::Cxx { CXX_HEADERS } else { "" };
    format!("{headers}{BEGIN}\n{globals}\n{helpers}{functions}{main}")
}

const CXX_HEADERS: &str = "#include <iostream>\n#include <utility>\n#include <vector>\n";

const BEGIN: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 18
#define M 10
#define NOTE(x) note(x)
#define SET(element, value) (element) = (value)

/* What the host has read so far. */
static unsigned long seen = 1;

static void note(double value)
{
    unsigned long bits;
    memcpy(&bits, &value, sizeof bits);
    seen = (seen ^ bits ^ bits >> 32) * 1099511628211u;
#ifdef SHOW
    printf(\"%g\\n\", value);
#endif
}
";

struct Printer<'a> {
    program: &'a Program,
    variables: BTreeMap<VariableId, Variable>,
    /// The loops out of which a `goto` leads.
    left: BTreeSet<LoopId>,
    helpers: BTreeSet<Helper>,
    /// The function that is printed; `None` for `main`.
    function: Option<&'a Function>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program) -> Self {
        let mut variables: Vec<Variable> = program.globals.clone();
        let mut left = BTreeSet::new();
        variables.extend(program.functions.iter().flat_map(|function| &function.parameters));
        for body in visit::bodies(program) {
            visit::each(body, &mut |statement| match statement {
                Statement::Temporary(variable, _) | Statement::Alias { variable, .. } => {
                    variables.push(*variable);
                }
                Statement::Exit(Exit::Goto(end), _) => left.extend([*end]),
                _ => {}
            });
        }
        let variables = variables.into_iter().map(|variable| (variable.id, variable)).collect();
        Self { program, variables, left, helpers: BTreeSet::new(), function: None }
    }

    fn has_world(&self) -> bool {
        self.program.globals.iter().any(|variable| variable.kind.is_in_world())
    }

    /// True if the structure is reached through a pointer.
    fn has_pointer_to_world(&self) -> bool {
        self.has_world()
            && (self.program.world != World::Global || self.function.is_some_and(|own| own.takes_world))
    }

    fn globals(&self) -> String {
        let declared = |variable: &Variable| {
            let (kind, name) = (c_type(variable.element), plain_name(variable));
            match variable.kind {
                Kind::Line => format!("{kind} {name}[N * M]"),
                Kind::Grid => format!("{kind} {name}[N][M]"),
                Kind::Bank { slots, .. } => format!("{kind} *{name}[{slots}]"),
                Kind::Cursor(of) => format!("{kind} *{name} = {}", self.flat(Handle::of(of))),
                Kind::Spot(of) => format!("{kind} *{name} = {} + M + 1", self.flat(Handle::of(of))),
                Kind::Scalar => format!("{kind} {name}"),
                _ => format!("{kind} *{name}"),
            }
        };
        let mut text = String::new();
        if self.has_world() {
            let members = self.program.globals.iter().filter(|variable| variable.kind.is_in_world());
            let members: String = members.map(|member| format!("    {};\n", declared(member))).collect();
            text += &format!("struct world {{\n{members}}};\n\n");
            if self.program.world == World::Global {
                text += "static struct world world;\n";
            }
        }
        for variable in self.program.globals.iter().filter(|variable| !variable.kind.is_in_world()) {
            text += &format!("{}{};\n", linkage(variable.is_static), declared(variable));
        }
        text
    }

    fn function(&mut self, function: &'a Function) -> String {
        self.function = Some(function);
        let head = self.head(function, &function_name(function.id));
        let mut body = self.list(&function.body, 1);
        if let Some(value) = function.returns {
            body += &format!("    return {};\n", self.element(value));
        }
        format!("{}{head}\n{{\n{body}}}\n\n", linkage(function.is_static))
    }

    /// The declaration of a function or of a pointer to one.
    fn head(&self, function: &Function, name: &str) -> String {
        let result = if function.returns.is_some() { "double" } else { "void" };
        let world = if self.has_world() && self.takes_world(function) { ", struct world *w" } else { "" };
        let depth = if function.recursive { ", int depth" } else { "" };
        let parameters = function.parameters.iter().map(|parameter| {
            let (kind, name) = (c_type(parameter.element), plain_name(parameter));
            if parameter.kind.is_grid() {
                format!(", {kind} {name}[n][m]")
            } else {
                format!(", {kind} *{name}")
            }
        });
        format!("{result} {name}(int n, int m{world}{depth}{})", parameters.collect::<String>())
    }

    fn takes_world(&self, function: &Function) -> bool {
        self.program.world != World::Global || function.takes_world
    }

    fn main(&mut self) -> String {
        self.function = None;
        let (n, m) = self.program.runs.last().copied().unwrap_or((5, 4));
        let mut body =
            format!("    int n = argc > 1 ? atoi(argv[1]) : {n}, m = argc > 2 ? atoi(argv[2]) : {m};\n");
        if self.has_world() {
            body += match self.program.world {
                World::Global => "",
                World::InMain => "    struct world own, *w = &own;\n",
                World::Allocated => "    struct world *w = (struct world *)malloc(sizeof(struct world));\n",
            };
        }
        let handles: Vec<(Handle, Variable)> =
            self.program.globals.iter().flat_map(|variable| pointers(*variable)).collect();
        for (handle, variable) in &handles {
            if variable.kind.is_owner() {
                body += &self.allocate(*handle, variable.how, "    ");
            } else if variable.kind.is_constant() && variable.how != How::Zero {
                body += &self.fill(*handle, "N * M", "    ");
            }
        }
        body += &self.list(&self.program.main, 1);
        for (handle, variable) in &handles {
            if variable.kind.is_array() {
                let element = self.indexed(*handle, "x");
                body += &format!("    for (int x = 0; x < n * m; x++)\n        note({element});\n");
            } else {
                body +=
                    &format!("    note({});\n", self.element(Element { of: *handle, place: Place::First }));
            }
        }
        for (handle, _) in handles.iter().filter(|(_, variable)| variable.kind.is_owner()) {
            body += &self.free(*handle, "    ");
        }
        if self.has_world() && self.program.world == World::Allocated {
            body += "    free(w);\n";
        }
        format!("int main(int argc, char **argv)\n{{\n{body}    {FINISH}\n    return 0;\n}}\n")
    }

    /// Statements, in a block of their own.
    fn list(&mut self, statements: &[Statement], depth: usize) -> String {
        statements.iter().map(|statement| self.in_list(statement, depth)).collect()
    }

    /// A statement of a list. Variables are declared without a block of their own at the end of one.
    fn in_list(&mut self, statement: &Statement, depth: usize) -> String {
        match statement {
            Statement::Temporary(variable, body) => self.temporary(variable, body, depth),
            Statement::Alias { variable, of, body } => self.alias(variable, *of, body, depth),
            _ => self.statement(statement, depth),
        }
    }

    fn block(&mut self, statements: &[Statement], depth: usize) -> String {
        format!(" {{\n{}{}}}\n", self.list(statements, depth + 1), indent(depth))
    }

    /// One statement of C, with its indentation and the end of its line.
    fn statement(&mut self, statement: &Statement, depth: usize) -> String {
        let i = indent(depth);
        match statement {
            Statement::Region(region) => self.region(region, depth),
            Statement::Host(host) => format!("{i}{}\n", self.host(host, &i)),
            Statement::Loop(nest) => self.nest(nest, depth),
            Statement::If { condition, then, otherwise, bare } => {
                let condition = self.condition(condition);
                let then = self.arm(then, *bare && otherwise.is_empty(), depth);
                let otherwise = if otherwise.is_empty() {
                    String::new()
                } else {
                    format!("{i}else{}", self.arm(otherwise, *bare, depth))
                };
                format!("{i}if ({condition}){then}{otherwise}")
            }
            Statement::Switch { by, arms, falls_through } => self.switch(by, arms, *falls_through, depth),
            Statement::Call(call) => self.call(call, depth),
            Statement::Recur(arguments) => {
                let Some(own) = self.function.filter(|own| own.recursive) else { return format!("{i};\n") };
                let arguments = self.arguments(own, arguments, false, "depth - 1");
                format!("{i}if (depth > 0)\n{i}    {}({arguments});\n", function_name(own.id))
            }
            Statement::Swap { first, second, by_function } => self.swap(*first, *second, *by_function, depth),
            Statement::Reallocate(handle, how) => {
                let inner = indent(depth + 1);
                if *how == How::Resized && !self.program.with_new {
                    let (kind, pointer) = (c_type(self.kind(*handle).element), self.flat(*handle));
                    let bytes = format!("(size_t)n * m * sizeof({kind})");
                    return format!("{i}{pointer} = ({kind} *)realloc({pointer}, {bytes});\n");
                }
                let text = self.free(*handle, &inner) + &self.allocate(*handle, *how, &inner);
                format!("{i}{{\n{text}{i}}}\n")
            }
            Statement::Guard { element, writes, body } => {
                let text = self.guard(*element, *writes, body, depth + 1);
                format!("{i}{{\n{text}{i}}}\n")
            }
            Statement::Temporary(..) | Statement::Alias { .. } => {
                format!("{i}{{\n{}{i}}}\n", self.in_list(statement, depth + 1))
            }
            Statement::Exit(exit, condition) => {
                let condition = self.condition(condition);
                format!("{i}if ({condition}){}", self.exit(*exit, depth))
            }
        }
    }

    fn arm(&mut self, statements: &[Statement], bare: bool, depth: usize) -> String {
        match statements {
            [only @ (Statement::Host(_) | Statement::Call(_) | Statement::Loop(_))] if bare => {
                format!("\n{}", self.statement(only, depth + 1))
            }
            _ => self.block(statements, depth),
        }
    }

    fn exit(&self, exit: Exit, depth: usize) -> String {
        let inner = indent(depth + 1);
        match exit {
            Exit::Break => format!("\n{inner}break;\n"),
            Exit::Continue => format!("\n{inner}continue;\n"),
            Exit::Goto(end) => format!("\n{inner}goto end{};\n", end.0),
            Exit::Quit => format!(" {{\n{inner}{FINISH}\n{inner}exit(0);\n{}}}\n", indent(depth)),
            Exit::Return => match self.function {
                None => format!(" {{\n{inner}{FINISH}\n{inner}return 0;\n{}}}\n", indent(depth)),
                Some(own) if own.returns.is_some() => format!("\n{inner}return -1;\n"),
                Some(_) => format!("\n{inner}return;\n"),
            },
        }
    }

    fn nest(&mut self, nest: &Loop, depth: usize) -> String {
        if self.left.contains(&nest.id) {
            let (i, inner) = (indent(depth), indent(depth + 1));
            let text = self.unlabelled(nest, depth + 1);
            return format!("{i}{{\n{text}{inner}end{}:;\n{i}}}\n", nest.id.0);
        }
        self.unlabelled(nest, depth)
    }

    fn unlabelled(&mut self, nest: &Loop, depth: usize) -> String {
        let (t, count, i) = (iterator(nest.id), nest.count, indent(depth));
        let condition = nest.condition.as_ref().map(|condition| self.condition(condition));
        let further = condition.map(|text| format!(" && ({text})")).unwrap_or_default();
        match nest.form {
            LoopForm::For => {
                let body = self.block(&nest.body, depth);
                format!("{i}for (int {t} = 0; {t} < {count}{further}; {t}++){body}")
            }
            LoopForm::Endless => {
                let inner = indent(depth + 1);
                let body = self.list(&nest.body, depth + 1);
                format!(
                    "{i}for (int {t} = 0;; {t}++) {{\n{inner}if (!({t} < {count}{further}))\n{inner}    break;\n{body}{i}}}\n"
                )
            }
            LoopForm::While => {
                let (inner, body) = (indent(depth + 1), self.block(&nest.body, depth + 1));
                format!("{i}{{\n{inner}int {t} = 0;\n{inner}while ({t}++ < {count}{further}){body}{i}}}\n")
            }
            LoopForm::DoWhile => {
                let (inner, body) = (indent(depth + 1), self.block(&nest.body, depth + 1));
                let body = body.trim_end();
                format!(
                    "{i}{{\n{inner}int {t} = 0;\n{inner}do{body} while (++{t} < {count}{further});\n{i}}}\n"
                )
            }
        }
    }

    fn switch(
        &mut self,
        by: &Selector,
        arms: &[Vec<Statement>],
        falls_through: bool,
        depth: usize,
    ) -> String {
        let (i, inner) = (indent(depth), indent(depth + 1));
        let by = match by {
            Selector::Turn(turn) => format!("{} % {}", iterator(*turn), arms.len()),
            Selector::Element(element) => format!("(int){} & 3", self.element(*element)),
        };
        let count = arms.len();
        let arms = arms.iter().enumerate().map(|(place, arm)| {
            let label = if place + 1 == count { "default".to_owned() } else { format!("case {place}") };
            let end = if falls_through { String::new() } else { format!("{inner}break;\n") };
            format!("{i}{label}:{}{end}", self.block(arm, depth))
        });
        let arms: String = arms.collect();
        format!("{i}switch ({by}) {{\n{arms}{i}}}\n")
    }

    fn call(&mut self, call: &Call, depth: usize) -> String {
        let i = indent(depth);
        let Some(callee) = self.program.functions.iter().find(|callee| callee.id == call.function) else {
            return format!("{i};\n");
        };
        let arguments = self.arguments(callee, &call.arguments, call.without_row, "2");
        let name = function_name(callee.id);
        let (before, called) = match call.by {
            By::Name => (String::new(), name),
            By::Pointer => (format!("{} = {name};", self.head(callee, "(*called)")), "called".into()),
            By::Either(other, turn) => {
                (String::new(), format!("({} % 2 ? {name} : {})", iterator(turn), function_name(other)))
            }
        };
        let value = format!("{called}({arguments})");
        let text = match (callee.returns, call.result) {
            (None, _) | (_, ResultUse::Ignored) => format!("{value};"),
            (_, ResultUse::Noted) => format!("note({value});"),
            (_, ResultUse::Tested) => format!("if ({value} > 1)\n{i}    note(2);"),
        };
        let guard = if call.without_row { "if (n > 1) " } else { "" };
        if before.is_empty() && guard.is_empty() {
            return format!("{i}{text}\n");
        }
        let before = if before.is_empty() { before } else { format!("{i}    {before}\n") };
        format!("{i}{guard}{{\n{before}{i}    {text}\n{i}}}\n")
    }

    fn arguments(&self, callee: &Function, arguments: &[Handle], without_row: bool, depth: &str) -> String {
        let mut text = String::from(if without_row { "n - 1, m" } else { "n, m" });
        if self.has_world() && self.takes_world(callee) {
            text += if self.has_pointer_to_world() { ", w" } else { ", &world" };
        }
        if callee.recursive {
            text += &format!(", {depth}");
        }
        for (parameter, handle) in callee.parameters.iter().zip(arguments) {
            let row = if without_row { " + m" } else { "" };
            let flat = format!("{}{row}", self.flat(*handle));
            text +=
                &if parameter.kind.is_grid() { format!(", (void *)({flat})") } else { format!(", {flat}") };
        }
        text
    }

    fn swap(&mut self, first: Handle, second: Handle, by_function: bool, depth: usize) -> String {
        let i = indent(depth);
        let kind = self.kind(first).element;
        let (first, second) = (self.flat(first), self.flat(second));
        if by_function {
            let is_c = self.program.language == Language::C;
            let function = self.helper(Helper::Exchange(kind.into(), is_c));
            let address = if is_c { "&" } else { "" };
            return format!("{i}{function}({address}{first}, {address}{second});\n");
        }
        if self.program.language == Language::Cxx {
            return format!("{i}std::swap({first}, {second});\n");
        }
        let kind = c_type(kind);
        format!(
            "{i}{{\n{i}    {kind} *swap = {first};\n{i}    {first} = {second};\n{i}    {second} = swap;\n{i}}}\n"
        )
    }

    fn temporary(&mut self, variable: &Variable, body: &[Statement], depth: usize) -> String {
        let i = indent(depth);
        let (kind, name) = (c_type(variable.element), plain_name(variable));
        let handle = Handle::of(variable.id);
        let (declared, count) = match variable.kind {
            Kind::Line => (format!("{name}[N * M]"), "N * M"),
            Kind::Grid => (format!("{name}[N][M]"), "N * M"),
            Kind::VariableLine if self.has_vectors() => {
                let filled = self.fill(handle, "n * m", &i);
                let body = self.list(body, depth);
                return format!("{i}std::vector<{kind}> {name}(n * m);\n{filled}{body}");
            }
            Kind::VariableLine => (format!("{name}[n * m]"), "n * m"),
            Kind::VariableGrid => (format!("{name}[n][m]"), "n * m"),
            Kind::Scalar => (format!("{name} = 1"), ""),
            Kind::StaticLine | Kind::Kept => return self.kept(variable, body, depth),
            _ => {
                let allocated = self.allocate(handle, variable.how, &i);
                let body = self.list(body, depth);
                return format!("{i}{kind} *{name};\n{allocated}{body}{}", self.free(handle, &i));
            }
        };
        let zeroed = variable.how == How::Zero && variable.kind.is_constant();
        let first = if zeroed { " = {0}" } else { "" };
        let filled = if zeroed || count.is_empty() { String::new() } else { self.fill(handle, count, &i) };
        format!("{i}{kind} {declared}{first};\n{filled}{}", self.list(body, depth))
    }

    /// A variable that exists from the first call on.
    fn kept(&mut self, variable: &Variable, body: &[Statement], depth: usize) -> String {
        let i = indent(depth);
        let (kind, name) = (c_type(variable.element), plain_name(variable));
        let body = self.list(body, depth);
        if variable.kind == Kind::StaticLine {
            return format!("{i}static {kind} {name}[N * M];\n{body}");
        }
        let memory = if self.program.with_new {
            format!("new {kind}[N * M]()")
        } else {
            format!("({kind} *)calloc(N * M, sizeof({kind}))")
        };
        format!("{i}static {kind} *{name};\n{i}if ({name} == NULL)\n{i}    {name} = {memory};\n{body}")
    }

    fn guard(&mut self, element: Element, writes: bool, body: &[Statement], depth: usize) -> String {
        let (i, kind) = (indent(depth), self.kind(element.of).element);
        let guard = self.helper(Helper::Guard(kind.into(), writes));
        let (of, body) = (self.element(element), self.list(body, depth));
        format!("{i}{guard} guard = {{&{of}}};\n{body}")
    }

    fn alias(&mut self, variable: &Variable, of: Origin, body: &[Statement], depth: usize) -> String {
        let (kind, name) = (c_type(variable.element), plain_name(variable));
        let of = match of {
            Origin::Array(of) => self.flat(of),
            Origin::Upper(of) => format!("{} + n * m", self.flat(of)),
            Origin::Either(one, two, size) => format!("n > {size} ? {} : {}", self.flat(one), self.flat(two)),
            Origin::Picked(one, two, size) => {
                let pick = self.helper(Helper::Pick(variable.element.into()));
                format!("{pick}({}, {}, n > {size})", self.flat(one), self.flat(two))
            }
        };
        format!("{}{kind} *{name} = {of};\n{}", indent(depth), self.list(body, depth))
    }

    /// Lets a pointer point to new memory.
    fn allocate(&mut self, handle: Handle, how: How, i: &str) -> String {
        let variable = self.kind(handle);
        let (kind, pointer) = (c_type(variable.element), self.flat(handle));
        if how == How::Helper {
            let helper = self.helper(Helper::Make(variable.element.into()));
            let twice = if variable.kind == Kind::Pool { "2 * " } else { "" };
            return format!("{i}{pointer} = {helper}({twice}n * m, {});\n", handle.variable.0);
        }
        if how == How::Resized && self.program.with_new {
            return self.allocate(handle, How::Filled, i);
        }
        let twice = if variable.kind == Kind::Pool { "2 * " } else { "" };
        let value = match (self.program.with_new, how) {
            (true, How::Zero) => format!("new {kind}[{twice}n * m]()"),
            (true, _) => format!("new {kind}[{twice}n * m]"),
            (false, How::Zero) => format!("({kind} *)calloc((size_t){twice}n * m, sizeof({kind}))"),
            (false, _) => format!("({kind} *)malloc((size_t){twice}n * m * sizeof({kind}))"),
        };
        let filled =
            if how == How::Zero { String::new() } else { self.fill(handle, &format!("{twice}n * m"), i) };
        format!("{i}{pointer} = {value};\n{filled}")
    }

    fn free(&self, handle: Handle, i: &str) -> String {
        let pointer = self.flat(handle);
        if self.program.with_new {
            return format!("{i}delete[] {pointer};\n");
        }
        format!("{i}free({pointer});\n")
    }

    fn fill(&self, handle: Handle, count: &str, i: &str) -> String {
        let element = self.indexed(handle, "x");
        format!(
            "{i}for (int x = 0; x < {count}; x++)\n{i}    {element} = (x * 3 + {}) % 11;\n",
            handle.variable.0
        )
    }

    fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Turn(turn, modulus, rest) => format!("{} % {modulus} == {rest}", iterator(*turn)),
            Condition::Size(size) => format!("n > {size}"),
            Condition::Greater(element, value) => format!("{} > {value}", self.element(*element)),
            Condition::PartGreater(handle, value) => {
                let part = self.helper(Helper::Part(self.kind(*handle).element.into()));
                format!("{part}({} + n * m / 2, n * m - n * m / 2) > {value}", self.flat(*handle))
            }
            Condition::Comma(element, rest) => {
                format!("({} += 1, {})", self.element(*element), self.condition(rest))
            }
            Condition::And(first, second) => {
                format!("({} && {})", self.condition(first), self.condition(second))
            }
            Condition::Or(first, second) => {
                format!("({} || {})", self.condition(first), self.condition(second))
            }
        }
    }

    /// What a handle names. `valid.rs` checks that everything is declared.
    fn kind(&self, handle: Handle) -> Variable {
        self.variables.get(&handle.variable).copied().unwrap_or(self.program.globals[0])
    }

    /// A pointer to the first element; it can be assigned to if it is a variable.
    fn flat(&self, handle: Handle) -> String {
        let variable = self.kind(handle);
        let name = self.name(&variable);
        match variable.kind {
            Kind::Grid | Kind::VariableGrid => format!("({} *){name}", c_type(variable.element)),
            Kind::Scalar => format!("&{name}"),
            Kind::Bank { slots, .. } => format!("{name}[{}]", slot(handle.slot, slots)),
            Kind::VariableLine if self.has_vectors() => format!("{name}.data()"),
            _ => name,
        }
    }

    /// True if memory that ends with its block, and whose size the text does not say, is in vectors.
    fn has_vectors(&self) -> bool {
        self.program.language == Language::Cxx && self.program.with_new
    }

    /// The element at a position of the memory.
    fn indexed(&self, handle: Handle, place: &str) -> String {
        let flat = self.flat(handle);
        if self.kind(handle).kind.is_grid() {
            format!("({flat})[{place}]")
        } else {
            format!("{flat}[{place}]")
        }
    }

    fn element(&self, element: Element) -> String {
        let variable = self.kind(element.of);
        match variable.kind {
            Kind::Scalar => self.name(&variable),
            Kind::Spot(_) => format!("*{}", self.name(&variable)),
            Kind::Grid | Kind::VariableGrid => {
                let place = match element.place {
                    Place::First => "[0][0]".into(),
                    Place::Middle => "[n / 2][m / 2]".into(),
                    Place::Last => "[n - 1][m - 1]".into(),
                    Place::Turning(turn, by) => {
                        let t = iterator(turn);
                        format!("[({t} + {by}) % n][(2 * {t} + {by}) % m]")
                    }
                };
                self.name(&variable) + &place
            }
            _ => {
                let place = match element.place {
                    Place::First => "0".into(),
                    Place::Middle => "n / 2 * m + m / 2".into(),
                    Place::Last => "n * m - 1".into(),
                    Place::Turning(turn, by) => format!("({} * 5 + {by}) % (n * m)", iterator(turn)),
                };
                self.indexed(element.of, &place)
            }
        }
    }

    fn name(&self, variable: &Variable) -> String {
        let world = match (variable.kind.is_in_world(), self.has_pointer_to_world()) {
            (false, _) => "",
            (true, true) => "w->",
            (true, false) => "world.",
        };
        format!("{world}{}", plain_name(variable))
    }

    /// The name of a helper, which is printed before all functions.
    fn helper(&mut self, helper: Helper) -> String {
        let name = helper.name();
        self.helpers.insert(helper);
        name
    }
}

/// Prints the result.
const FINISH: &str = "printf(\"%016lx\\n\", seen);";

/// All that a variable of the file holds.
fn pointers(variable: Variable) -> Vec<(Handle, Variable)> {
    let slots = match variable.kind {
        Kind::Bank { slots, .. } => slots,
        _ => 1,
    };
    (0..slots).map(|slot| (Handle { variable: variable.id, slot: Slot::Fixed(slot) }, variable)).collect()
}

fn slot(slot: Slot, slots: i64) -> String {
    match slot {
        Slot::Fixed(slot) => slot.to_string(),
        Slot::Turning(turn, 0) => format!("{} % {slots}", iterator(turn)),
        Slot::Turning(turn, by) => format!("({} + {by}) % {slots}", iterator(turn)),
    }
}

fn plain_name(variable: &Variable) -> String {
    let letter = match variable.kind {
        Kind::Line | Kind::VariableLine => "line",
        Kind::Grid | Kind::VariableGrid => "grid",
        Kind::Pointer => "heap",
        Kind::StaticLine | Kind::Kept => "kept",
        Kind::Pool => "pool",
        Kind::Member => "member",
        Kind::Bank { .. } => "bank",
        Kind::Cursor(_) => "cursor",
        Kind::Parameter => "given",
        Kind::Alias => "alias",
        Kind::Scalar => "scalar",
        Kind::Spot(_) => "spot",
    };
    format!("{letter}{}", variable.id.0)
}

fn function_name(id: FunctionId) -> String {
    format!("f{}", id.0)
}

fn iterator(id: LoopId) -> String {
    format!("t{}", id.0)
}

fn linkage(is_static: bool) -> &'static str {
    if is_static { "static " } else { "" }
}

fn indent(depth: usize) -> String {
    "    ".repeat(depth)
}
