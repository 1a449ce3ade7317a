//! The C text of what a program computes.

use crate::affine::{Affine, Limit, Symbol};
use crate::defined::Extents;
use crate::host::Host;
use crate::program::{
    Access, Assignment, Bound, Condition, Counter, Expression, Function, Loop, Node, Operator, Program,
    Storage, Subscript, Update,
};
use crate::regions::Part;
use crate::scopes::Names;
use crate::setting::Reference;
use crate::types::c_type;

/// Prints nodes of a program that is defined.
pub struct Printer<'a> {
    program: &'a Program,
    extents: &'a Extents,
    /// The loops around, outermost first.
    loops: Vec<(usize, Counter)>,
    host: &'a Host<'a>,
}

impl<'a> Printer<'a> {
    pub fn new(program: &'a Program, extents: &'a Extents, host: &'a Host<'a>) -> Self {
        Self { program, extents, loops: Vec::new(), host }
    }

    /// The statements of a block, one indentation in front of each line.
    pub fn block(&mut self, nodes: &[Node], depth: usize) -> String {
        nodes.iter().map(|node| self.node(node, depth)).collect()
    }

    fn node(&mut self, node: &Node, depth: usize) -> String {
        let indent = "    ".repeat(depth);
        match node {
            Node::For(nest) => self.nest(nest, depth, |printer, depth| printer.block(&nest.body, depth)),
            Node::If(condition, then, otherwise) => {
                let head = format!("{indent}if ({}) {{\n", self.condition(condition));
                let then = self.block(then, depth + 1);
                let tail = if otherwise.is_empty() {
                    format!("{indent}}}\n")
                } else {
                    format!("{indent}}} else {{\n{}{indent}}}\n", self.block(otherwise, depth + 1))
                };
                head + &then + &tail
            }
            Node::Assign(assignment) => format!("{indent}{};\n", self.assignment(assignment)),
            Node::Declare(place, first) => {
                let array = &self.program.arrays[*place];
                let (kind, name, first) = (c_type(array.element), &array.name, self.expression(first));
                match self.extents.lengths[*place].first() {
                    None => format!("{indent}{kind} {name} = {first};\n"),
                    Some(length) => {
                        let length = length.constant.max(1);
                        format!(
                            "{indent}{kind} {name}[{length}];\n{indent}for (int q = 0; q < {length}; q++)\n\
                             {indent}    {name}[q] = q & 1 ? 1 : {first};\n"
                        )
                    }
                }
            }
            Node::While(count, body) => {
                let count = self.expression(count);
                let body = self.block(body, depth + 2);
                format!(
                    "{indent}{{\n{indent}    int left = (int)({count}) & 3;\n{indent}    while (left > 0) {{\n\
                     {body}{indent}        left--;\n{indent}    }}\n{indent}}}\n"
                )
            }
        }
    }

    /// The statements of a block with the pragmas around what is in a region.
    pub fn parts(&mut self, parts: &[Part<'_>], depth: usize) -> String {
        let mut text = String::new();
        for part in parts {
            text += &match part {
                Part::Region(nodes) => {
                    format!("#pragma scop\n{}#pragma endscop\n", self.block(nodes, depth))
                }
                Part::Around(Node::For(nest), inner) => {
                    self.nest(nest, depth, |printer, depth| printer.parts(inner, depth))
                }
                Part::Around(node, _) | Part::LeftOut(node) => self.node(node, depth),
                Part::Host(node) => self.host.before(*node, &"    ".repeat(depth)),
            };
        }
        text
    }

    fn nest(&mut self, nest: &Loop, depth: usize, body: impl FnOnce(&mut Self, usize) -> String) -> String {
        let indent = "    ".repeat(depth);
        let (first, end) = (self.bound(&nest.first), self.bound(&nest.end));
        self.loops.push((nest.iterator, nest.counter));
        let i = self.iterator(nest.iterator);
        let kind = match nest.counter {
            _ if self.program.setting.outside.contains_key(&nest.iterator) => "",
            Counter::Int => "int ",
            Counter::Long => "long ",
        };
        let step = nest.step;
        let head = match (nest.descending, &nest.end) {
            (true, _) => {
                format!("for ({kind}{i} = {end} - 1; {i} >= {first}; {})", stepping(&i, "-", step))
            }
            (false, Bound::Affine(form)) if nest.iterator % 3 == 2 => {
                let last = self.form(&form.clone().shifted(-1));
                format!("for ({kind}{i} = {first}; {i} <= {last}; {})", stepping(&i, "+", step))
            }
            _ => format!("for ({kind}{i} = {first}; {i} < {end}; {})", stepping(&i, "+", step)),
        };
        let body = body(self, depth + 1);
        self.loops.pop();
        format!("{indent}{head} {{\n{body}{indent}}}\n")
    }

    fn iterator(&self, iterator: usize) -> String {
        let depth = self.loops.iter().position(|(known, _)| *known == iterator).unwrap_or(0);
        iterator_name(depth, self.loops.get(depth).is_some_and(|(_, counter)| *counter == Counter::Long))
    }

    fn bound(&self, bound: &Bound) -> String {
        match bound {
            Bound::Affine(form) => self.form(form),
            Bound::Quotient(form, by) => format!("{} / {by}", self.operand(form)),
            Bound::Minimum(a, b) => self.chosen(a, "<", b),
            Bound::Maximum(a, b) => self.chosen(a, ">", b),
            Bound::Load(access) => self.access(access),
        }
    }

    fn chosen(&self, a: &Affine, operator: &str, b: &Affine) -> String {
        let (a, b) = (self.form(a), self.form(b));
        format!("({a} {operator} {b} ? {a} : {b})")
    }

    fn form(&self, form: &Affine) -> String {
        let name = |symbol: &Symbol| match symbol {
            Symbol::Iterator(iterator) => self.iterator(*iterator),
            Symbol::N => "n".into(),
            Symbol::M => "m".into(),
        };
        sum(form.terms.iter().map(|(symbol, by)| (*by, name(symbol))), form.constant)
    }

    fn operand(&self, form: &Affine) -> String {
        in_parentheses(self.form(form))
    }

    /// An element.
    fn access(&self, access: &Access) -> String {
        let setting = &self.program.setting;
        let array = &self.program.arrays[access.array];
        let name = Names(self.program).of(access.array);
        let subscripts: Vec<String> =
            access.subscripts.iter().map(|subscript| self.subscript(subscript)).collect();
        let is_reference = setting.references.get(&access.array) == Some(&Reference::Used);
        match (array.storage, subscripts.as_slice()) {
            (Storage::Parameter, []) if is_reference => name,
            (Storage::Parameter | Storage::Linearised, []) => format!("*{name}"),
            (_, [only]) if setting.is_interleaved(access.array) => {
                format!("{name}[2 * {}]", in_parentheses(only.clone()))
            }
            (Storage::Linearised, [first, rest @ ..]) => {
                let extents = &self.extents.lengths[access.array];
                let place =
                    rest.iter().zip(&extents[1..]).fold(first.clone(), |place, (subscript, extent)| {
                        format!(
                            "{} * {} + {subscript}",
                            in_parentheses(place),
                            in_parentheses(limit(*extent))
                        )
                    });
                format!("{name}[{place}]")
            }
            _ => name + &subscripts.iter().map(|text| format!("[{text}]")).collect::<String>(),
        }
    }

    fn subscript(&self, subscript: &Subscript) -> String {
        match subscript {
            Subscript::Affine(form) => self.form(form),
            Subscript::Modulo(form, by) => format!("{} % {by}", self.operand(form)),
            Subscript::Quotient(form, by) => format!("{} / {by}", self.operand(form)),
            Subscript::Load(access, 0) => self.access(access),
            Subscript::Load(access, offset) => format!("{} + {offset}", self.access(access)),
            Subscript::Hash(access, by) => format!("{} % {by}", self.access(access)),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(a, operator, b) => format!("{} {operator} {}", self.form(a), self.form(b)),
            Condition::Modulo(form, by, operator, rest) => {
                format!("{} % {by} {operator} {rest}", self.operand(form))
            }
            Condition::Data(access) => format!("{} > 0", self.access(access)),
            Condition::Beats(a, operator, b) => format!("{} {operator} {}", self.access(a), self.access(b)),
            Condition::And(a, b) => format!("({}) && ({})", self.condition(a), self.condition(b)),
            Condition::Or(a, b) => format!("({}) || ({})", self.condition(a), self.condition(b)),
            Condition::Not(inner) => format!("!({})", self.condition(inner)),
        }
    }

    fn assignment(&self, assignment: &Assignment) -> String {
        let (target, value) = (self.access(&assignment.target), self.expression(&assignment.value));
        let chosen = |operator| format!("{target} = {value} {operator} {target} ? {value} : {target}");
        match assignment.operator {
            Update::Set => format!("{target} = {value}"),
            Update::Add => format!("{target} += {value}"),
            Update::Subtract => format!("{target} -= {value}"),
            Update::Multiply => format!("{target} *= {value}"),
            Update::And => format!("{target} &= {value}"),
            Update::Or => format!("{target} |= {value}"),
            Update::Xor => format!("{target} ^= {value}"),
            Update::Minimum => chosen("<"),
            Update::Maximum => chosen(">"),
        }
    }

    /// A value, as an operand of anything.
    fn expression(&self, expression: &Expression) -> String {
        let of = |inner: &Expression| self.expression(inner);
        match expression {
            Expression::Read(access) => self.access(access),
            Expression::Integer(value) => in_parentheses_if_negative(value.to_string(), *value),
            Expression::Real(hundredths) => {
                let text = format!("{:.2}", *hundredths as f64 / 100.0);
                in_parentheses_if_negative(text, *hundredths)
            }
            Expression::Affine(form) => {
                let is_long = |iterator| {
                    self.loops.iter().any(|(known, kind)| *known == iterator && *kind == Counter::Long)
                };
                let narrow = if form.iterators().any(is_long) { "(int)" } else { "" };
                format!("{narrow}({})", self.form(form))
            }
            Expression::Binary(operator, a, b) => format!("({} {} {})", of(a), c_operator(*operator), of(b)),
            Expression::Ratio(a, b, offset) => format!("({} / ({} + {offset}))", of(a), of(b)),
            Expression::Remainder(a, by) => format!("({} % {by})", of(a)),
            Expression::Scaled(a, digits) => format!("({} * 1e-{digits})", of(a)),
            Expression::Select(condition, a, b) => {
                format!("({} ? {} : {})", self.condition(condition), of(a), of(b))
            }
            Expression::Cast(to, a) => format!("({})({})", c_type(*to), of(a)),
            Expression::Call(function, a) => match function {
                Function::Smooth => format!("smooth{}({})", self.program.number, of(a)),
                Function::Stepped => format!("stepped{}({})", self.program.number, of(a)),
                Function::Absolute => format!("fabs({})", of(a)),
                Function::Root => format!("sqrt(fabs({}))", of(a)),
            },
        }
    }
}

/// The name of the iterator of a loop with so many loops around.
pub fn iterator_name(depth: usize, is_long: bool) -> String {
    let name = ["i", "j", "k", "l"].get(depth).map_or_else(|| format!("i{depth}"), ToString::to_string);
    if is_long { format!("long_{name}") } else { name }
}

/// A length as an expression in `n` and `m`.
pub fn limit(limit: Limit) -> String {
    let terms = [(limit.by_n, "n".to_owned()), (limit.by_m, "m".to_owned())];
    sum(terms.into_iter().filter(|(by, _)| *by != 0), limit.constant)
}

fn c_operator(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::And => "&",
        Operator::Or => "|",
        Operator::Xor => "^",
    }
}

fn stepping(iterator: &str, sign: &str, step: i64) -> String {
    if step == 1 { format!("{iterator}{sign}{sign}") } else { format!("{iterator} {sign}= {step}") }
}

fn sum(terms: impl Iterator<Item = (i64, String)>, constant: i64) -> String {
    let mut ordered: Vec<(i64, String)> = terms.collect();
    ordered.sort_by_key(|(by, _)| *by < 0);
    let mut text = String::new();
    for (by, name) in ordered {
        let sign = if by < 0 { "-" } else { "+" };
        let factor = if by.abs() == 1 { name } else { format!("{} * {name}", by.abs()) };
        text += &match (text.is_empty(), by < 0) {
            (true, false) => factor,
            (true, true) => format!("-{factor}"),
            (false, _) => format!(" {sign} {factor}"),
        };
    }
    match (text.is_empty(), constant) {
        (true, _) => constant.to_string(),
        (false, 0) => text,
        (false, 1..) => format!("{text} + {constant}"),
        (false, _) => format!("{text} - {}", constant.abs()),
    }
}

fn in_parentheses(text: String) -> String {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) { text } else { format!("({text})") }
}

fn in_parentheses_if_negative(text: String, value: i64) -> String {
    if value < 0 { format!("({text})") } else { text }
}
