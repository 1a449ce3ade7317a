//! The order of the source as isl's schedule tree.

use std::fmt::Write as _;

use polyhedra::{Schedule, Text};
use scop::{IslSchedule, Parameter, Statement, StatementId};

use crate::control::Order;
use crate::errors::{Fault, Result};

/// The tree in isl's block notation: a band of one member for every loop, a sequence for what follows one another.
pub fn schedule(order: &Order, parameters: &[Parameter], statements: &[Statement]) -> Result<IslSchedule> {
    let mut text = format!("domain: \"{}\"\n", domain(parameters, statements));
    write_child(order, statements, 0, &mut text)?;
    let text = text.trim_end().to_owned();
    Schedule::parse(&text).map_err(|error| Fault::bug(format!("the order is no schedule tree: {error}")))?;
    Ok(IslSchedule(text))
}

/// The union of the domains, in the order of the statements, which isl would not keep.
fn domain(parameters: &[Parameter], statements: &[Statement]) -> String {
    let names = parameters.iter().map(|parameter| parameter.name.as_str()).collect::<Vec<_>>().join(", ");
    let pieces = statements.iter().map(|statement| {
        let text = statement.domain.0.as_str();
        let inside = text.split_once('{').map_or(text, |(_, inside)| inside);
        inside.trim_end().trim_end_matches('}').trim().to_owned()
    });
    format!("[{names}] -> {{ {} }}", pieces.collect::<Vec<_>>().join("; "))
}

fn write_child(order: &Order, statements: &[Statement], indent: usize, text: &mut String) -> Result<()> {
    if !matches!(order, Order::Statement(_)) {
        line(text, indent, "child:");
        write_node(order, statements, indent + 2, text)?;
    }
    Ok(())
}

fn write_node(order: &Order, statements: &[Statement], indent: usize, text: &mut String) -> Result<()> {
    match order {
        Order::Statement(_) => {}
        Order::Loop { depth, descending, body } => {
            let band = band(order, statements, *depth, *descending)?;
            line(text, indent, &format!("schedule: \"{band}\""));
            write_child(body, statements, indent, text)?;
        }
        Order::Sequence(parts) => {
            line(text, indent, "sequence:");
            for part in parts {
                line(text, indent, &format!("- filter: \"{}\"", filter(part, statements)?));
                write_child(part, statements, indent + 2, text)?;
            }
        }
    }
    Ok(())
}

fn line(text: &mut String, indent: usize, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:indent$}{content}", "");
}

/// `[{ S0[i, j] -> [(i)]; S1[i] -> [(i)] }]`
fn band(order: &Order, statements: &[Statement], depth: u32, descending: bool) -> Result<String> {
    let sign = if descending { "-" } else { "" };
    let pieces = inside(order, statements)?.into_iter().map(|(statement, names)| {
        let coordinate = &names[depth as usize];
        format!("{}[{}] -> [({sign}{coordinate})]", statement.id, names.join(", "))
    });
    Ok(format!("[{{ {} }}]", pieces.collect::<Vec<_>>().join("; ")))
}

fn filter(order: &Order, statements: &[Statement]) -> Result<String> {
    let inside = inside(order, statements)?.into_iter();
    let pieces = inside.map(|(statement, names)| format!("{}[{}]", statement.id, names.join(", ")));
    Ok(format!("{{ {} }}", pieces.collect::<Vec<_>>().join("; ")))
}

/// The statements below a node, each with names for its dimensions; a band has no parameters, so that any will do.
fn inside<'s>(order: &Order, statements: &'s [Statement]) -> Result<Vec<(&'s Statement, Vec<String>)>> {
    let named = |id: StatementId| {
        let statement = scop::part(statements, id.index(), id)?;
        let names = (0..statement.iterators.len()).map(|k| dimension_name(statement, k));
        Ok((statement, names.collect()))
    };
    order.statements().into_iter().map(named).collect()
}

fn dimension_name(statement: &Statement, position: usize) -> String {
    let name = &statement.iterators[position].name;
    let unique = statement.iterators.iter().filter(|other| other.name == *name).count() == 1;
    if unique && scop::names::is_free(name) { name.clone() } else { format!("i{position}") }
}
