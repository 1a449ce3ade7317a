//! Regions that use something that an attribute makes special.
//!
//! An attribute may say that two names are one object, that code runs when a variable's lifetime ends, or that
//! another definition replaces this one. None of this shows in the text of a region, so everything with an attribute
//! that is not known to be harmless is refused.

use std::collections::BTreeSet;

use scop::SourceRange;

use crate::c::ctree::{Attribute, ExprKind, Function, Stmt, StmtKind, Tree, VariableId};
use crate::errors::{ATTRIBUTE, DIRECTIVE, Fault, Faults, PREDEFINED, STATEMENT};
use crate::import::evaluation;
use crate::import::harmless;
use crate::preprocessor::macros::{COUNTER, LINE};
use crate::regions::marked::MarkedRegion;

/// Refuses a region if an attribute makes the function around it special, or something that the region uses, declares
/// or calls. Also refuses regions whose text may not mean what it shows here, such as uses of `__COUNTER__`.
pub fn check(tree: &Tree, region: &MarkedRegion) -> Faults {
    let mut check =
        Check { tree, faults: Faults::default(), variables: BTreeSet::new(), functions: BTreeSet::new() };
    let around = &tree.functions[region.function];
    if let Some(attribute) = around.attributes.iter().find(|attribute| !harmless::around_regions(attribute)) {
        check.faults.push(of_function_around(around, attribute, region.opening));
    }
    if let Some(part) = around.hidden_part {
        check.faults.push(of_hidden_part(part));
    }
    if tree.includes_itself {
        check.faults.push(of_several_readings(region.opening));
    }
    if let Some(header) = &tree.hidden_header {
        check.faults.push(of_hidden_header(header, region.opening));
    }
    if let Some(mention) = tree.peculiar.iter().find(|mention| mention.range.is_within(region.range)) {
        check.faults.push(match mention.name {
            COUNTER => of_counter(mention.range),
            LINE => of_line(mention.range),
            name => of_other_answer(name, mention.range),
        });
    }
    for stmt in &region.statements {
        check.statement(stmt, None);
    }
    check.faults
}

fn of_several_readings(range: SourceRange) -> Fault {
    let message = "this file includes itself, so that the region is read several times";
    let label = "macros may expand differently each time, but there would be one function for all";
    Fault::new(DIRECTIVE, message, range, label).with_help(
        "put what is read several times into a file of its own, and move the region to a function in this one",
    )
}

fn of_hidden_part(range: SourceRange) -> Fault {
    let message = "c2cuda does not see what is before the `;` of a `switch` or of a range-based `for`";
    Fault::new(STATEMENT, message, range, "it may use what a region of this function writes")
        .with_help("write it as a statement before this one")
}

fn of_hidden_header(header: &str, range: SourceRange) -> Fault {
    let message = format!("`{header}` has the name of a header that is generated from this file");
    let label = "the file with the translation would include that one instead";
    Fault::new(DIRECTIVE, message, range, label).with_help("give the header or the file another name")
}

fn of_counter(range: SourceRange) -> Fault {
    let message = "`__COUNTER__` is used in a region";
    let label = "the whole region is replaced, and later ones would have other values";
    Fault::new(DIRECTIVE, message, range, label)
        .with_help("move what uses `__COUNTER__` out of the region; `enum { number = __COUNTER__ };` before it gives a value a name")
}

fn of_line(place: SourceRange) -> Fault {
    let message = "a macro with `__LINE__` in its text is used over several lines";
    let label = "compilers disagree on which of these it is";
    Fault::new(PREDEFINED, message, place, label).with_help("write the use on one line")
}

fn of_other_answer(name: &str, place: SourceRange) -> Fault {
    let message = format!("`{name}` has another value for the compiler than for clang, which reads the file");
    Fault::new(PREDEFINED, message, place, "its value is not known here")
        .with_help("store its value in a variable before the region, and use that")
}

struct Check<'t> {
    tree: &'t Tree,
    faults: Faults,
    variables: BTreeSet<VariableId>,
    functions: BTreeSet<String>,
}

impl<'t> Check<'t> {
    /// Checks a statement. For a statement of a function that the region calls, `place` is where messages point in
    /// the main file.
    fn statement(&mut self, stmt: &'t Stmt, place: Option<SourceRange>) {
        let tree = self.tree;
        stmt.walk(&mut |inner| {
            if let StmtKind::Declaration(ids) = &inner.kind {
                ids.iter().for_each(|&id| self.variable(id, place.unwrap_or(inner.range)));
            }
        });
        stmt.walk_expressions(tree, &mut |expr| {
            let place = place.unwrap_or(expr.range);
            match &expr.kind {
                ExprKind::Variable(id) | ExprKind::Member { variable: Some(id), .. } => {
                    self.variable(*id, place)
                }
                ExprKind::Call { callee: Some(callee), .. } => {
                    if let Some(attribute) = &callee.attribute {
                        self.note(fault("function", &callee.shown, attribute, place));
                    }
                    self.called(&callee.name, place);
                }
                _ => {}
            }
        });
    }

    fn variable(&mut self, id: VariableId, place: SourceRange) {
        let variable = self.tree.variable(id);
        let Some(attribute) = &variable.attribute else { return };
        let root = variable.member.as_ref().map_or(id, |member| member.of);
        if self.variables.insert(root) {
            self.note(fault("variable", &self.tree.variable(root).name, attribute, place));
        }
    }

    /// Adds a fault, but only one for each place: an attribute of a type belongs to all its variables.
    fn note(&mut self, fault: Fault) {
        if !self.faults.has_like(&fault) {
            self.faults.push(fault);
        }
    }

    /// Checks the body of a function that a region calls at `place`.
    fn called(&mut self, name: &str, place: SourceRange) {
        let Some(function) = self.tree.function(name) else { return };
        if self.functions.insert(name.to_owned()) {
            let elsewhere = function.range.is_none().then_some(place);
            if let Some(name) = function.peculiar {
                self.note(if name == LINE { of_line(place) } else { of_other_answer(name, place) });
            }
            function.parameters.iter().for_each(|&id| self.variable(id, place));
            self.statement(&function.body, elsewhere);
        }
    }
}

fn fault(what: &str, name: &str, attribute: &Attribute, place: SourceRange) -> Fault {
    let message = format!("the {what} `{name}` has {}", described(attribute));
    let label = meaning(&attribute.name);
    let help = match attribute.name.as_str() {
        evaluation::LENGTH => {
            "compute the length from numbers, not from names that compilers generate or from sizes of classes"
        }
        _ => way_out(what),
    };
    Fault::new(ATTRIBUTE, message, attribute.range.unwrap_or(place), label).with_help(help)
}

fn of_function_around(function: &Function, attribute: &Attribute, opening: SourceRange) -> Fault {
    let message =
        format!("the function `{}` contains a region and has {}", function.shown, described(attribute));
    let label = match attribute.name.as_str() {
        "constructor" | "destructor" => "it runs when the GPU may not be available",
        name => meaning(name),
    };
    Fault::new(ATTRIBUTE, message, attribute.range.unwrap_or(opening), label)
        .with_help("move the region into a function without this attribute, and call that")
}

fn described(attribute: &Attribute) -> String {
    match attribute.name.as_str() {
        "" => "an attribute that a macro composes".to_owned(),
        "asm" => "an assembler name".to_owned(),
        LINE => "a macro with `__LINE__` over several lines in its declaration".to_owned(),
        evaluation::LENGTH => "a length on which compilers may not agree".to_owned(),
        name if name.starts_with('#') => format!("a `{name}`"),
        name => format!("the attribute `{name}`"),
    }
}

/// Returns what an attribute may do that does not show in a region.
fn meaning(name: &str) -> &'static str {
    match name {
        "alias" | "weakref" | "asm" | "section" | "#pragma redefine_extname" => {
            "it may be the same as another one"
        }
        "weak" | "#pragma weak" => {
            "another definition may take its place, or it may be the same as another one"
        }
        "ifunc" => "which function this is is decided when the program runs",
        evaluation::LENGTH => "clang, which reads the file, may have computed another one",
        "cleanup" => "a function is called where the variable's scope ends",
        "address_space" => "it is not in ordinary memory",
        "may_alias" => "it may be the same as objects of other types",
        "scalar_storage_order" | "#pragma scalar_storage_order" => "its bytes may be in another order",
        _ => "this may change what the declaration means",
    }
}

fn way_out(what: &str) -> &'static str {
    match what {
        "function" => "call a function without this attribute, or inline the call by hand",
        _ => {
            "use a variable without this attribute in the region, and copy its value before and after the region"
        }
    }
}
