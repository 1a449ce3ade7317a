//! A document as a short text that shows everything which a test may want to see.

use std::fmt::Write as _;

use scop::{
    AccessId, Array, Certainty, Diagnostic, Expr, ExprKind, Extracted, Model, Program, Statement, Step,
};

pub fn summary(program: &Program<Extracted>, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let line = diagnostic.place.as_ref().map_or(0, |place| place.range.line);
        writeln!(text, "{} on line {line}: {}", diagnostic.code, diagnostic.message).unwrap();
    }
    for scop in &program.scops {
        write_model(&scop.model, &mut text);
    }
    text
}

fn write_model(model: &Model, text: &mut String) {
    writeln!(text, "{}: {}", model.name, model.context).unwrap();
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
        (array.name != array.expression && array.visible, array.expression.as_str()),
    ] {
        if holds {
            write!(line, " {word}").unwrap();
        }
    }
    if array.scope_depth > 0 {
        write!(line, " in {} loops", array.scope_depth).unwrap();
    }
    line
}

fn write_statement(statement: &Statement, model: &Model, text: &mut String) {
    let iterators: Vec<String> =
        statement.iterators.iter().map(|iterator| format!("{} {}", iterator.ctype, iterator.name)).collect();
    writeln!(text, "  {} ({})", statement.domain, iterators.join(", ")).unwrap();
    writeln!(text, "    | {}", statement.text.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap();
    for access in &statement.accesses {
        let certainty = if access.certainty == Certainty::May { "may " } else { "" };
        let kind = format!("{:?}", access.kind).to_lowercase();
        writeln!(text, "    {} {certainty}{kind} {}", access.id, access.relation).unwrap();
    }
    for step in &statement.body {
        writeln!(text, "    {}", step_line(step, statement)).unwrap();
    }
    assert!(statement.accesses.iter().all(|access| access.array.index() < model.arrays.len()));
}

fn step_line(step: &Step, statement: &Statement) -> String {
    match step {
        Step::Define { local, name, ctype, value } => {
            let value =
                value.as_ref().map_or(String::new(), |value| format!(" = {}", expr(value, statement)));
            format!("{ctype} {local} ({name}){value}")
        }
        Step::Set { local, value } => format!("{local} = {}", expr(value, statement)),
        Step::Assign { access, subscripts, value, compound } => {
            let compound = compound.map_or(String::new(), |operator| format!("  ({}=)", operator.c_name()));
            let element = element(*access, subscripts, statement);
            format!("{element} = {}{compound}", expr(value, statement))
        }
        Step::If { condition, then, otherwise } => {
            let condition = expr(condition, statement);
            let otherwise = match otherwise.as_slice() {
                [] => String::new(),
                steps => format!(" else {{ {} }}", block(steps, statement)),
            };
            format!("if ({condition}) {{ {} }}{otherwise}", block(then, statement))
        }
        Step::For { local, name, ctype, first, condition, next, body } => {
            let [first, condition, next] = [first, condition, next].map(|part| expr(part, statement));
            let body = block(body, statement);
            format!("for ({ctype} {local} ({name}) = {first}; {condition}; {local} = {next}) {{ {body} }}")
        }
        Step::While { condition, body } => {
            format!("while ({}) {{ {} }}", expr(condition, statement), block(body, statement))
        }
        Step::Return { value } => format!("return {}", expr(value, statement)),
    }
}

fn block(steps: &[Step], statement: &Statement) -> String {
    steps.iter().map(|step| step_line(step, statement)).collect::<Vec<_>>().join("; ")
}

fn element(access: AccessId, subscripts: &[Expr], statement: &Statement) -> String {
    let subscripts = subscripts.iter().map(|subscript| format!("[{}]", expr(subscript, statement)));
    format!("{access}{}", subscripts.collect::<String>())
}

/// Implicit conversions in angle brackets, explicit ones in parentheses.
fn expr(value: &Expr, statement: &Statement) -> String {
    match &value.kind {
        ExprKind::Integer { value: number } | ExprKind::Floating { value: number } => {
            format!("{number}{}", suffix(value))
        }
        ExprKind::Read { access, subscripts } => element(*access, subscripts, statement),
        ExprKind::Iterator { dimension } => statement.iterators[*dimension as usize].name.clone(),
        ExprKind::Parameter { name } => format!("${name}"),
        ExprKind::Local { local } => local.to_string(),
        ExprKind::Unary { operator, operand } => format!("{}{}", operator.c_name(), expr(operand, statement)),
        ExprKind::Binary { operator, left, right } => {
            format!("({} {} {})", expr(left, statement), operator.c_name(), expr(right, statement))
        }
        ExprKind::Cast { implicit: true, operand } => {
            format!("<{}>{}", value.ctype, expr(operand, statement))
        }
        ExprKind::Cast { implicit: false, operand } => {
            format!("({}){}", value.ctype, expr(operand, statement))
        }
        ExprKind::Conditional { condition, then, otherwise } => format!(
            "({} ? {} : {})",
            expr(condition, statement),
            expr(then, statement),
            expr(otherwise, statement)
        ),
        ExprKind::Call { function, arguments } => {
            let arguments: Vec<String> = arguments.iter().map(|argument| expr(argument, statement)).collect();
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
