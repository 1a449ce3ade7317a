//! Dependences that are waived because the program claims that they do not exist.
//!
//! ```c
//! #pragma c2cuda independent
//! for (int i = 0; i < n; i++)
//!     a[index[i]] = b[i];     // according to the source, any two of these may be the same element
//! ```
//!
//! The dependences that the loop carries are removed and listed as waived. A claim can be wrong without being
//! detected; a claim that is provably wrong is refused.

use polyhedra::{Map, Result, Set, Text};
use proof::pair_in_words;
use scop::{Claim, Dependence, DependenceKind, Dependences, Diagnostic, IslMap, Model, Statement, Waived};

use crate::carried::carried_at;

/// Removes the dependences that the program's claims deny.
pub fn waive(model: &Model, found: &mut Dependences) -> Result<()> {
    for claim in &model.independent {
        let Dependences { flow, anti, output, waived, .. } = found;
        let kinds =
            [(DependenceKind::Flow, flow), (DependenceKind::Anti, anti), (DependenceKind::Output, output)];
        for (kind, list) in kinds {
            let mut kept = Vec::new();
            for dependence in std::mem::take(list) {
                let (rest, denied) = split(model, claim, dependence)?;
                kept.extend(rest);
                waived.extend(denied.map(|dependence| Waived { around: claim.around, kind, dependence }));
            }
            *list = kept;
        }
    }
    Ok(())
}

/// Splits a dependence into the part that remains and the part that a claim denies.
fn split(
    model: &Model,
    claim: &Claim,
    dependence: Dependence,
) -> Result<(Option<Dependence>, Option<Dependence>)> {
    let depth = |statement: &Statement| statement.loops.iter().position(|&id| id == claim.around);
    let (source, sink) = (model.owner(dependence.source)?, model.owner(dependence.sink)?);
    let (Some(depth), Some(_)) = (depth(source), depth(sink)) else { return Ok((Some(dependence), None)) };
    let pairs = Map::parse(&dependence.relation.0)?;
    let denied = carried_at(pairs.copy()?, depth)?;
    if denied.is_empty()? {
        return Ok((Some(dependence), None));
    }
    let part = |pairs: Map| -> Result<Option<Dependence>> {
        if pairs.is_empty()? {
            return Ok(None);
        }
        Ok(Some(Dependence { relation: IslMap(pairs.text()?), ..dependence.clone() }))
    };
    Ok((part(pairs.subtract(denied.copy()?)?)?, part(denied)?))
}

/// Returns one message for each claim that is provably wrong: two certain accesses in different iterations access
/// the same element.
pub fn refuted(path: &str, model: &Model, found: &Dependences) -> Result<Vec<Diagnostic>> {
    let context = Set::parse(&model.context.0)?;
    let mut messages = Vec::new();
    for claim in &model.independent {
        for waived in found.waived.iter().filter(|waived| waived.around == claim.around) {
            let Dependence { source, sink, relation } = &waived.dependence;
            let certain = [source, sink].into_iter().map(|&id| Ok(model.access(id)?.certainty.is_must()));
            if !certain.collect::<Result<Vec<_>>>()?.into_iter().all(|must| must) {
                continue;
            }
            let pairs = Map::parse(&relation.0)?.intersect_params(context.copy()?)?;
            if !pairs.is_empty()? {
                messages.push(refutation(path, model, claim, waived, pairs)?);
                break;
            }
        }
    }
    Ok(messages)
}

fn refutation(path: &str, model: &Model, claim: &Claim, waived: &Waived, pairs: Map) -> Result<Diagnostic> {
    let around = model.source_loop(claim.around)?;
    let (first, second, parameters) = pair_in_words(model, pairs)?;
    let name = name_of(model, waived)?;
    let why = match waived.kind {
        DependenceKind::Flow => format!("{second} reads `{name}` as {first} wrote it"),
        DependenceKind::Anti => format!("{second} overwrites `{name}`, which {first} read"),
        DependenceKind::Output => format!("{second} overwrites `{name}`, which {first} wrote"),
    };
    let message = format!(
        "the iterations of {}, the loop over `{}`, are not independent: {why}{parameters}",
        around.id, around.iterator
    );
    let help = "remove the claim: `c2cuda --report` says what keeps the loop in order. Variables that each iteration sets \
                for itself are best declared in the loop";
    let diagnostic = Diagnostic::error("E0221", message).with_help(help);
    Ok(match claim.range.or(around.range) {
        Some(range) => diagnostic.at(path, range, format!("`{}` says so", claim.origin)),
        None => diagnostic,
    })
}

/// Returns the name that an array has for the user.
fn name_of<'m>(model: &'m Model, waived: &Waived) -> Result<&'m str> {
    let array = model.array(model.access(waived.dependence.source)?.array)?;
    Ok(if array.expression.is_empty() { &array.name } else { &array.expression })
}

/// Returns a line for each claim that states what it waives.
pub fn described(model: &Model, found: &Dependences) -> Result<String> {
    let mut text = String::new();
    for claim in &model.independent {
        let around = model.source_loop(claim.around)?;
        let mut names = Vec::new();
        for waived in found.waived.iter().filter(|waived| waived.around == claim.around) {
            let name = name_of(model, waived)?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let verdict = if names.is_empty() {
            "independent".to_owned()
        } else {
            format!("independent if iterations use different elements of `{}`", names.join("`, `"))
        };
        text += &format!("  {}, for {}: {verdict}\n", around.id, around.iterator);
    }
    Ok(text)
}
