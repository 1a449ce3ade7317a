//! A document as a short text that shows everything that a test may need.

use std::fmt::{Display, Write as _};

use scop::{
    Array, Certainty, Diagnostic, Expr, ExprKind, Extracted, Function, Loop, Model, Program, Statement, Step,
    Storage,
};

pub fn summary(program: &Program<Extracted>, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let line = diagnostic.place.as_ref().map_or(0, |place| place.range.line);
        writeln!(text, "{} on line {line}: {}", diagnostic.code, diagnostic.message).unwrap();
    }
    for function in &program.functions {
        write_function(function, &mut text);
    }
    for scop in &program.scops {
        write_model(&scop.model, &mut text);
    }
    text
}

fn write_function(function: &Function, text: &mut String) {
    let parameters = function.parameters.iter().enumerate();
    let parameters: Vec<String> =
        parameters.map(|(k, parameter)| format!("{} v{k} ({})", parameter.ctype, parameter.name)).collect();
    writeln!(text, "{} {}({})", function.ctype, function.name, parameters.join(", ")).unwrap();
    for step in &function.body {
        writeln!(text, "    {}", step_line(step, &[])).unwrap();
    }
}

fn write_model(model: &Model, text: &mut String) {
    writeln!(text, "{}: {}", model.name, model.context).unwrap();
    if let Some(assumptions) = &model.assumptions {
        writeln!(text, "  assumed: {assumptions}").unwrap();
    }
    for parameter in &model.parameters {
        writeln!(text, "  {}: {} = {}", parameter.name, parameter.ctype, parameter.expression).unwrap();
    }
    for array in &model.arrays {
        writeln!(text, "  {}", array_line(array)).unwrap();
    }
    for statement in &model.statements {
        write_statement(statement, model, text);
    }
    for line in model.order.0.lines().skip(1) {
        writeln!(text, "  {line}").unwrap();
    }
}

fn array_line(array: &Array) -> String {
    let mut line = format!("{}: {} {}", array.id, array.element, array.name);
    for extent in &array.extents {
        let value = extent.value.as_ref().map_or("?", |value| value.0.as_str());
        match &extent.c {
            Some(c) => write!(line, " [{c} = {value}]").unwrap(),
            None => write!(line, " [{value}]").unwrap(),
        }
    }
    for (holds, word) in [
        (array.constant, "const"),
        (array.may_alias, "may_alias"),
        (!array.visible, "hidden"),
        (array.dead_after, "dead_after"),
        (array.concurrent, "concurrent"),
        (array.enumeration, "enumeration"),
        (array.name != array.expression && array.visible, array.expression.as_str()),
    ] {
        if holds {
            write!(line, " {word}").unwrap();
        }
    }
    if let Storage::Member { structures, stride, base, member } = &array.storage {
        write!(line, " of {base}[]{member}, {structures} dimensions of {stride} bytes").unwrap();
    }
    if array.scope_depth > 0 {
        write!(line, " in {} loops", array.scope_depth).unwrap();
    }
    line
}

fn write_statement(statement: &Statement, model: &Model, text: &mut String) {
    let loops = model.loops_around(statement).unwrap();
    let iterators: Vec<String> =
        loops.iter().map(|around| format!("{} {}", around.ctype, around.iterator)).collect();
    writeln!(text, "  {} ({})", statement.domain, iterators.join(", ")).unwrap();
    writeln!(text, "    | {}", statement.text.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap();
    for access in &statement.accesses {
        let certainty = if access.certainty == Certainty::May { "may " } else { "" };
        let indirect = if access.indirect { "indirect " } else { "" };
        let both = if access.in_both_branches { "in both branches " } else { "" };
        let kind = format!("{:?}", access.kind).to_lowercase();
        writeln!(text, "    {} {certainty}{indirect}{both}{kind} {}", access.id, access.relation).unwrap();
    }
    for step in &statement.body {
        writeln!(text, "    {}", step_line(step, &loops)).unwrap();
    }
    assert!(statement.accesses.iter().all(|access| access.array.index() < model.arrays.len()));
}

fn step_line(step: &Step, loops: &[&Loop]) -> String {
    match step {
        Step::Define { local, name, ctype, value } => {
            let value = value.as_ref().map_or(String::new(), |value| format!(" = {}", expr(value, loops)));
            format!("{ctype} {local} ({name}){value}")
        }
        Step::Set { local, value } => format!("{local} = {}", expr(value, loops)),
        Step::DefineArray { local, name, ctype, extents, values } => {
            let values: Vec<String> = values.iter().map(|value| expr(value, loops)).collect();
            format!("{ctype} {local} ({name}){extents:?} = {{{}}}", values.join(", "))
        }
        Step::SetElement { local, subscripts, value } => {
            format!("{} = {}", element(local, subscripts, loops), expr(value, loops))
        }
        Step::Assign { access, subscripts, value, compound } => {
            let compound = compound.map_or(String::new(), |operator| format!("  ({}=)", operator.c_name()));
            let element = element(access, subscripts, loops);
            format!("{element} = {}{compound}", expr(value, loops))
        }
        Step::If { condition, then, otherwise } => {
            let condition = expr(condition, loops);
            let otherwise = match otherwise.as_slice() {
                [] => String::new(),
                steps => format!(" else {{ {} }}", block(steps, loops)),
            };
            format!("if ({condition}) {{ {} }}{otherwise}", block(then, loops))
        }
        Step::For { local, name, ctype, first, condition, next, body } => {
            let [first, condition, next] = [first, condition, next].map(|part| expr(part, loops));
            let body = block(body, loops);
            format!("for ({ctype} {local} ({name}) = {first}; {condition}; {local} = {next}) {{ {body} }}")
        }
        Step::While { condition, body } => {
            format!("while ({}) {{ {} }}", expr(condition, loops), block(body, loops))
        }
        Step::Return { value } => format!("return {}", expr(value, loops)),
    }
}

fn block(steps: &[Step], loops: &[&Loop]) -> String {
    steps.iter().map(|step| step_line(step, loops)).collect::<Vec<_>>().join("; ")
}

fn element(array: impl Display, subscripts: &[Expr], loops: &[&Loop]) -> String {
    let subscripts = subscripts.iter().map(|subscript| format!("[{}]", expr(subscript, loops)));
    format!("{array}{}", subscripts.collect::<String>())
}

/// Returns an expression, with implicit conversions in angle brackets and explicit ones in parentheses.
fn expr(value: &Expr, loops: &[&Loop]) -> String {
    match &value.kind {
        ExprKind::Integer { value: number } | ExprKind::Floating { value: number } => {
            format!("{number}{}", suffix(value))
        }
        ExprKind::Imaginary { value: number } => format!("{number}i{}", suffix(value)),
        ExprKind::Read { access, subscripts } => element(access, subscripts, loops),
        ExprKind::Element { local, subscripts } | ExprKind::Array { local, subscripts } => {
            element(local, subscripts, loops)
        }
        ExprKind::Iterator { dimension } => loops[*dimension as usize].iterator.clone(),
        ExprKind::Parameter { name } => format!("${name}"),
        ExprKind::Local { local } => local.to_string(),
        ExprKind::Unary { operator, operand } => format!("{}{}", operator.c_name(), expr(operand, loops)),
        ExprKind::Binary { operator, left, right } => {
            format!("({} {} {})", expr(left, loops), operator.c_name(), expr(right, loops))
        }
        ExprKind::Cast { implicit: true, operand } => {
            format!("<{}>{}", value.ctype, expr(operand, loops))
        }
        ExprKind::Cast { implicit: false, operand } => {
            format!("({}){}", value.ctype, expr(operand, loops))
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("({} ? {} : {})", expr(condition, loops), expr(then, loops), expr(otherwise, loops))
        }
        ExprKind::Call { function, arguments } => {
            let arguments: Vec<String> = arguments.iter().map(|argument| expr(argument, loops)).collect();
            format!("{function}({})", arguments.join(", "))
        }
    }
}

fn suffix(value: &Expr) -> &'static str {
    match value.ctype.c_name() {
        "int" | "double" => "",
        "float" => "f",
        "long" => "l",
        "unsigned int" => "u",
        "unsigned long" => "ul",
        "long double" => "L",
        other => other,
    }
}
