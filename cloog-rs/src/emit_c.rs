//! Prints loops as C: a block that can replace the region.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use polyhedra::ast::parameter_expression;
use polyhedra::{Error, Map, PwAff, Result, Set, Text, parameter_range};
use scop::ast::{AccessPlace, AstExpr, Node};
use scop::c_text::{Code, Dialect, Fragment, Helper, Spelling, Undefined, body, helpers, index_text};
use scop::{AccessId, Array, ArrayId, BinaryOp, CType, Function, Model, Program, Scop, Statement};

use crate::opaque;
use crate::plain::{self, AnyStage};
use scop::from_isl::translate;

/// Prints the blocks for all regions of a program, each after a comment with its name.
pub fn print(program: &Program<AnyStage>) -> Result<String> {
    let mut text = String::new();
    for scop in &program.scops {
        let temporaries = Temporary::all(&scop.model)?;
        let origins =
            temporaries.iter().map(|t| Ok((t.array.id, copies(&t.origin)?))).collect::<Result<_>>()?;
        let loops = plain::loops(scop, origins)?;
        let functions = &program.functions;
        let opaque = !program.source.is_complete();
        let printer = Printer { opaque, functions, ..Printer::new(scop, &temporaries)? };
        text += &printer.print(&loops)?;
    }
    Ok(text)
}

fn copies(functions: &[PwAff]) -> Result<Vec<PwAff>> {
    functions.iter().map(|function| Ok(function.copy()?)).collect()
}

/// An array that is declared in the region, with room for all elements that statements touch.
struct Temporary<'a> {
    array: &'a Array,
    /// The smallest index of each dimension.
    origin: Vec<PwAff>,
    /// The origin as expressions.
    lower: Vec<AstExpr>,
    extents: Vec<AstExpr>,
}

impl<'a> Temporary<'a> {
    fn all(model: &'a Model) -> Result<Vec<Self>> {
        model.arrays.iter().filter(|array| !array.visible).map(|array| Self::new(model, array)).collect()
    }

    fn new(model: &Model, array: &'a Array) -> Result<Self> {
        let mut elements: Option<Set> = None;
        for statement in &model.statements {
            let domain = Set::parse(&statement.domain.0)?;
            for access in statement.accesses.iter().filter(|access| access.array == array.id) {
                let touched = Map::parse(&access.relation.0)?.intersect_domain(domain.copy()?)?.range()?;
                elements = polyhedra::add(elements, touched)?;
            }
        }
        let mut temporary = Self { array, origin: Vec::new(), lower: Vec::new(), extents: Vec::new() };
        let Some(elements) = elements else { return Ok(temporary) };
        let spelled =
            |function: PwAff| translate(&parameter_expression(Set::parse(&model.context.0)?, function)?);
        for position in 0..array.extents.len() {
            let (lower, extent) = parameter_range(&elements, position as u32)?;
            temporary.lower.push(spelled(lower.copy()?)?);
            temporary.origin.push(lower);
            temporary.extents.push(spelled(extent)?);
        }
        Ok(temporary)
    }
}

struct Printer<'a> {
    model: &'a Model,
    functions: &'a [Function],
    temporaries: &'a [Temporary<'a>],
    /// The type of loop variables.
    index: CType,
    /// True if only the text of bodies is known.
    opaque: bool,
}

impl<'a> Printer<'a> {
    fn new(scop: &'a Scop<AnyStage>, temporaries: &'a [Temporary<'a>]) -> Result<Self> {
        let model = &scop.model;
        let iterators = model.loops.iter().map(|around| around.ctype);
        let types = iterators.chain(model.parameters.iter().map(|parameter| parameter.ctype));
        let wide = types.into_iter().any(|ctype| ctype.size() > 4 || ctype == CType::UInt);
        let index = if wide { CType::Long } else { CType::Int };
        Ok(Self { model, functions: &[], temporaries, index, opaque: false })
    }

    fn print(&self, loops: &Node) -> Result<String> {
        let mut body = String::new();
        self.node(loops, 1, &mut body)?;
        let mut text = format!("/* {} */\n", self.model.name);
        text += &helper_macros(loops, self.temporaries);
        if self.opaque {
            text += &opaque::macros(self.model)?;
        }
        text += "{\n";
        for parameter in self.model.parameters.iter().filter(|p| p.name != p.expression) {
            let _ = writeln!(
                text,
                "    const {} {} = {};",
                parameter.ctype, parameter.name, parameter.expression
            );
        }
        let shadowed: Vec<&Array> =
            self.model.arrays.iter().filter(|array| self.is_shadowed(array)).collect();
        for array in &shadowed {
            let _ = writeln!(text, "    {} {} = {};", array.element, array.name, array.expression);
        }
        for temporary in self.temporaries {
            let _ = writeln!(
                text,
                "    {} {}{};",
                temporary.array.element,
                temporary.array.name,
                self.sizes(temporary)
            );
        }
        text += &body;
        for array in &shadowed {
            let _ = writeln!(text, "    {} = {};", array.expression, array.name);
        }
        text += "}\n";
        Ok(text)
    }

    /// True for a variable that the region sets and whose value before the region is a parameter of the same name.
    /// The block works on a variable with this name and assigns it at the end.
    fn is_shadowed(&self, array: &Array) -> bool {
        let mut parameters = self.model.parameters.iter();
        array.visible
            && array.is_scalar()
            && parameters.any(|parameter| {
                parameter.name == parameter.expression && parameter.expression == array.expression
            })
    }

    /// Returns the sizes of an array, at least one in each dimension, because C has no arrays without elements.
    fn sizes(&self, temporary: &Temporary<'_>) -> String {
        let size = |extent: &AstExpr| {
            let extent = self.value(extent);
            format!("[({extent}) > 0 ? ({extent}) : 1]")
        };
        temporary.extents.iter().map(size).collect()
    }

    fn node(&self, node: &Node, depth: usize, text: &mut String) -> Result<()> {
        let indent = "    ".repeat(depth);
        match node {
            Node::Block { children } => children.iter().try_for_each(|child| self.node(child, depth, text)),
            Node::For { iterator, init, degenerate: true, body, .. } => {
                let _ = writeln!(
                    text,
                    "{indent}{{\n{indent}    const {} {iterator} = {};",
                    self.index,
                    self.value(init)
                );
                self.node(body, depth + 1, text)?;
                let _ = writeln!(text, "{indent}}}");
                Ok(())
            }
            Node::For { iterator, init, condition, increment, body, .. } => {
                let head = format!(
                    "for ({} {iterator} = {}; {}; {iterator} += {})",
                    self.index,
                    self.value(init),
                    self.value(condition),
                    self.value(increment)
                );
                self.braced(&head, body, depth, text)
            }
            Node::If { condition, then, otherwise } => {
                self.braced(&format!("if ({})", self.value(condition)), then, depth, text)?;
                match otherwise {
                    Some(otherwise) => self.braced("else", otherwise, depth, text),
                    None => Ok(()),
                }
            }
            Node::Specialised { guard, specialised, general } => {
                self.braced(&format!("if ({})", self.value(guard)), specialised, depth, text)?;
                self.braced("else", general, depth, text)
            }
            Node::Instance { statement, iterators, accesses } => {
                self.instance(self.model.statement(*statement)?, iterators, accesses, &indent, text)
            }
            Node::Kernel { .. }
            | Node::Copy { .. }
            | Node::Barrier
            | Node::Element { .. }
            | Node::Transfer { .. } => Ok(()),
        }
    }

    fn braced(&self, head: &str, body: &Node, depth: usize, text: &mut String) -> Result<()> {
        let indent = "    ".repeat(depth);
        let _ = writeln!(text, "{indent}{head} {{");
        self.node(body, depth + 1, text)?;
        let _ = writeln!(text, "{indent}}}");
        Ok(())
    }

    /// Prints the statements of an instance, in a block of their own if they declare something.
    fn instance(
        &self,
        statement: &Statement,
        iterators: &[AstExpr],
        accesses: &[AccessPlace],
        indent: &str,
        text: &mut String,
    ) -> Result<()> {
        if self.opaque {
            let values = iterators.iter().map(|value| self.value(value).text);
            text.push_str(&opaque::call(statement, values, indent));
            return Ok(());
        }
        let places = accesses.iter().map(|place| (place.access, place.index.as_slice())).collect();
        let spelling = Instance { printer: self, statement, iterators, places };
        let parts = body(statement, &spelling).map_err(|undefined| Error::new(undefined.to_string()))?;
        if parts.iter().any(|part| matches!(part, Code::Line { declares: Some(_), .. })) {
            braced("", &parts, indent, text);
        } else {
            write_block(&parts, indent, text);
        }
        Ok(())
    }

    /// Prints an expression. Unsigned parameters are cast, because C would otherwise compute with unsigned types.
    fn value(&self, expr: &AstExpr) -> Fragment {
        let signed = |name: &str| {
            let parameter = self.model.parameters.iter().find(|parameter| parameter.name == name)?;
            let is_unsigned = parameter.ctype.is_unsigned() && parameter.ctype.size() >= CType::Int.size();
            is_unsigned.then(|| AstExpr::Name(format!("({}){name}", self.index)))
        };
        index_text(&expr.with_values(&signed), self.index)
    }

    /// Returns the values that are subtracted from the subscripts of an array.
    fn lower(&self, array: &Array) -> &[AstExpr] {
        let temporary = self.temporaries.iter().find(|temporary| temporary.array.id == array.id);
        temporary.map_or(&[], |temporary| &temporary.lower)
    }

    /// Returns the subscripts as the source writes them. A dimension that the source does not declare is part of the
    /// subscript before it, as a row.
    fn as_written(&self, array: &Array, subscripts: Vec<String>) -> Option<Vec<String>> {
        let mut written: Vec<String> = Vec::new();
        for (position, (extent, subscript)) in array.extents.iter().zip(subscripts).enumerate() {
            match (written.last_mut(), &extent.value) {
                (Some(row), Some(value)) if position > 0 && extent.c.is_none() => {
                    let context = Set::parse(&self.model.context.0).ok()?;
                    let extent = parameter_expression(context, PwAff::parse(&value.0).ok()?).ok()?;
                    let extent = self.value(&translate(&extent).ok()?);
                    *row = format!("({row}) * (long)({extent}) + {subscript}");
                }
                _ => written.push(subscript),
            }
        }
        Some(written)
    }
}

/// The spelling of one instance's leaves: as in the source, with the values of the loops instead of its iterators.
struct Instance<'a> {
    printer: &'a Printer<'a>,
    statement: &'a Statement,
    iterators: &'a [AstExpr],
    places: BTreeMap<AccessId, &'a [AstExpr]>,
}

impl Instance<'_> {
    fn array(&self, access: AccessId) -> Option<&Array> {
        let id: ArrayId = self.statement.access(access)?.array;
        self.printer.model.array(id).ok()
    }
}

impl Spelling for Instance<'_> {
    type Error = Undefined;

    fn dialect(&self) -> Dialect {
        Dialect::C
    }

    fn element(&self, access: AccessId, subscripts: &[Fragment]) -> std::result::Result<Fragment, Undefined> {
        let undefined = || Undefined(access.to_string());
        let array = self.array(access).ok_or_else(undefined)?;
        let place = self.places.get(&access).ok_or_else(undefined)?;
        let index = place.iter().map(|expr| self.printer.value(expr));
        // Only subscripts that the program computes are not yet relative to the origin.
        let lower = self.printer.lower(array);
        let computed = subscripts.iter().enumerate().map(|(position, subscript)| match lower.get(position) {
            None | Some(AstExpr::Int(0)) => subscript.clone(),
            Some(lower) => {
                let lower = self.printer.value(lower);
                Fragment::infix(BinaryOp::Sub, subscript, &lower, subscript.ctype.common_with(lower.ctype))
            }
        });
        let subscripts: Vec<String> = index.chain(computed).map(|index| index.to_string()).collect();
        if self.printer.is_shadowed(array) {
            return Ok(Fragment::atom(&array.name, array.element));
        }
        if array.visible {
            let subscripts = self.printer.as_written(array, subscripts).ok_or_else(undefined)?;
            return Ok(Fragment::atom(array.c_element(&subscripts), array.element));
        }
        let subscripts: String = subscripts.iter().map(|index| format!("[{index}]")).collect();
        Ok(Fragment::atom(format!("{}{subscripts}", array.name), array.element))
    }

    fn iterator(&self, dimension: u32) -> Option<Fragment> {
        self.iterators.get(dimension as usize).map(|expr| self.printer.value(expr))
    }

    fn parameter(&self, name: &str) -> Option<Fragment> {
        let parameter = self.printer.model.parameters.iter().find(|parameter| parameter.name == name)?;
        Some(Fragment::atom(name, parameter.ctype))
    }

    fn function<'n>(&'n self, name: &'n str) -> &'n str {
        let function = self.printer.functions.iter().find(|function| function.name == name);
        function.and_then(|function| function.library.as_deref()).unwrap_or(name)
    }
}

fn write_block(parts: &[Code], indent: &str, text: &mut String) {
    for part in parts {
        match part {
            Code::Line { text: line, .. } => {
                let _ = writeln!(text, "{indent}{line}");
            }
            Code::If { condition, then, otherwise } => {
                braced(&format!("if ({condition}) "), then, indent, text);
                if !otherwise.is_empty() {
                    braced("else ", otherwise, indent, text);
                }
            }
            Code::Loop { head, body } => braced(&format!("{head} "), body, indent, text),
        }
    }
}

fn braced(head: &str, body: &[Code], indent: &str, text: &mut String) {
    let _ = writeln!(text, "{indent}{head}{{");
    write_block(body, &format!("{indent}    "), text);
    let _ = writeln!(text, "{indent}}}");
}

/// Returns the definitions of the functions that C lacks and that the loops call.
fn helper_macros(loops: &Node, temporaries: &[Temporary<'_>]) -> String {
    let mut used = BTreeSet::new();
    collect(loops, &mut used);
    temporaries
        .iter()
        .flat_map(|t| t.lower.iter().chain(&t.extents))
        .for_each(|extent| used.extend(helpers(extent)));
    let definition = |helper: &Helper| match helper {
        Helper::Floord => "#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))\n",
        Helper::Min => "#define min(x, y) ((x) < (y) ? (x) : (y))\n",
        Helper::Max => "#define max(x, y) ((x) > (y) ? (x) : (y))\n",
    };
    used.iter().map(definition).collect()
}

fn collect(node: &Node, used: &mut BTreeSet<Helper>) {
    match node {
        Node::Block { children } => children.iter().for_each(|child| collect(child, used)),
        Node::For { init, condition, body, .. } => {
            used.extend(helpers(init));
            used.extend(helpers(condition));
            collect(body, used);
        }
        Node::If { condition, then, otherwise } => {
            used.extend(helpers(condition));
            collect(then, used);
            otherwise.iter().for_each(|node| collect(node, used));
        }
        Node::Specialised { guard, specialised, general } => {
            used.extend(helpers(guard));
            collect(specialised, used);
            collect(general, used);
        }
        Node::Instance { iterators, accesses, .. } => {
            iterators.iter().for_each(|expr| used.extend(helpers(expr)));
            accesses.iter().flat_map(|place| &place.index).for_each(|expr| used.extend(helpers(expr)));
        }
        Node::Kernel { .. }
        | Node::Copy { .. }
        | Node::Barrier
        | Node::Element { .. }
        | Node::Transfer { .. } => {}
    }
}
