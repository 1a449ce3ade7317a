//! The source order as an isl schedule tree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use polyhedra::{Schedule, Text};
use scop::{CType, IslSchedule, Loop, LoopId, Parameter, Statement, StatementId};

use crate::c::ctree::Tree;
use crate::control::pieces::Order;
use crate::errors::{Fault, Result};

/// The loops of a region.
pub struct Loops {
    /// All loops, each after the loops around it.
    pub loops: Vec<Loop>,
    /// The loops around each statement, outermost first.
    pub around: BTreeMap<StatementId, Vec<LoopId>>,
}

impl Loops {
    /// Numbers the loops in an order.
    pub fn new(order: &Order, tree: &Tree) -> Self {
        let mut loops = Self { loops: Vec::new(), around: BTreeMap::new() };
        loops.visit(order, tree, &mut Vec::new());
        loops
    }

    fn visit(&mut self, order: &Order, tree: &Tree, around: &mut Vec<LoopId>) {
        match order {
            Order::Statement(id) => {
                self.around.insert(*id, around.clone());
            }
            Order::Sequence(parts) => parts.iter().for_each(|part| self.visit(part, tree, around)),
            Order::Loop { iterator, range, body, .. } => {
                let variable = tree.variable(*iterator);
                let id = LoopId(self.loops.len() as u32);
                self.loops.push(Loop {
                    id,
                    iterator: variable.name.clone(),
                    ctype: variable.arithmetic().unwrap_or(CType::Int),
                    parent: around.last().copied(),
                    range: Some(*range),
                });
                around.push(id);
                self.visit(body, tree, around);
                around.pop();
            }
        }
    }
}

/// Returns the tree in isl's block notation: a band with one member for each loop, and a sequence for consecutive
/// parts.
pub fn schedule(
    order: &Order,
    parameters: &[Parameter],
    loops: &[Loop],
    statements: &[Statement],
) -> Result<IslSchedule> {
    let mut text = format!("domain: \"{}\"\n", domain(parameters, statements));
    Writer { loops, statements }.child(order, 0, &mut text)?;
    let text = text.trim_end().to_owned();
    Schedule::parse(&text)
        .map_err(|error| Fault::bug(format!("the order is not a schedule tree: {error}")))?;
    Ok(IslSchedule(text))
}

/// Returns the union of the domains as text, in the order of the statements, which isl would not preserve.
fn domain(parameters: &[Parameter], statements: &[Statement]) -> String {
    let names = parameters.iter().map(|parameter| parameter.name.as_str()).collect::<Vec<_>>().join(", ");
    let pieces = statements.iter().map(|statement| {
        let text = statement.domain.0.as_str();
        let inside = text.split_once('{').map_or(text, |(_, inside)| inside);
        inside.trim_end().trim_end_matches('}').trim().to_owned()
    });
    format!("[{names}] -> {{ {} }}", pieces.collect::<Vec<_>>().join("; "))
}

/// The data that the tree is written from.
struct Writer<'s> {
    loops: &'s [Loop],
    statements: &'s [Statement],
}

impl<'s> Writer<'s> {
    fn child(&self, order: &Order, indent: usize, text: &mut String) -> Result<()> {
        if !matches!(order, Order::Statement(_)) {
            line(text, indent, "child:");
            self.node(order, indent + 2, text)?;
        }
        Ok(())
    }

    fn node(&self, order: &Order, indent: usize, text: &mut String) -> Result<()> {
        match order {
            Order::Statement(_) => {}
            Order::Loop { depth, descending, body, .. } => {
                let band = self.band(order, *depth, *descending)?;
                line(text, indent, &format!("schedule: \"{band}\""));
                self.child(body, indent, text)?;
            }
            Order::Sequence(parts) => {
                line(text, indent, "sequence:");
                for part in parts {
                    line(text, indent, &format!("- filter: \"{}\"", self.filter(part)?));
                    self.child(part, indent + 2, text)?;
                }
            }
        }
        Ok(())
    }

    /// Returns `[{ S0[i, j] -> [(i)]; S1[i] -> [(i)] }]`.
    fn band(&self, order: &Order, depth: u32, descending: bool) -> Result<String> {
        let sign = if descending { "-" } else { "" };
        let pieces = self.inside(order)?.into_iter().map(|(statement, names)| {
            let coordinate = &names[depth as usize];
            format!("{}[{}] -> [({sign}{coordinate})]", statement.id, names.join(", "))
        });
        Ok(format!("[{{ {} }}]", pieces.collect::<Vec<_>>().join("; ")))
    }

    fn filter(&self, order: &Order) -> Result<String> {
        let inside = self.inside(order)?.into_iter();
        let pieces = inside.map(|(statement, names)| format!("{}[{}]", statement.id, names.join(", ")));
        Ok(format!("{{ {} }}", pieces.collect::<Vec<_>>().join("; ")))
    }

    /// Returns the statements below a node, each with names for its dimensions. Any names will do, because a band
    /// has no parameters.
    fn inside(&self, order: &Order) -> Result<Vec<(&'s Statement, Vec<String>)>> {
        let named = |id: StatementId| {
            let statement = scop::part(self.statements, id.index(), id)?;
            let names = (0..statement.depth()).map(|position| self.dimension_name(statement, position));
            Ok((statement, names.collect::<Result<_>>()?))
        };
        order.statements().into_iter().map(named).collect()
    }

    fn dimension_name(&self, statement: &Statement, position: usize) -> Result<String> {
        let loops = statement.loops.iter().map(|&id| scop::part(self.loops, id.index(), id));
        let loops = loops.collect::<polyhedra::Result<Vec<_>>>()?;
        let name = &loops[position].iterator;
        let unique = loops.iter().filter(|other| other.iterator == *name).count() == 1;
        Ok(if unique && scop::names::is_free(name) { name.clone() } else { format!("i{position}") })
    }
}

fn line(text: &mut String, indent: usize, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:indent$}{content}", "");
}
