//! Permission for another order of floating-point sums.

use polyhedra::Result;
use scop::{Analysed, Array, Diagnostic, Freedom, Model, Reduction, Scop, Wanted, Wish, can_be_partial};

/// The permissions of the command line, and those of a region's document.
fn permissions<'a>(model: &'a Model, more: &'a [Wish]) -> impl Iterator<Item = &'a Wish> {
    let all = model.wishes.iter().chain(more);
    all.filter(|wish| wish.wanted == Wanted::Reassociate && wish.is_for_region(&model.name))
}

/// Frees the order of the updates for which the user permits that, as far as threads can share them.
pub fn permit(model: &Model, reductions: &mut [Reduction], more: &[Wish]) -> Result<()> {
    for reduction in reductions.iter_mut().filter(|reduction| reduction.free.is_none()) {
        let array = model.array(model.access(reduction.write)?.array)?;
        if is_permitted(model, array, more)
            && can_be_partial(model.statement(reduction.statement)?, reduction)
        {
            reduction.free = Some(Freedom::Permitted);
        }
    }
    Ok(())
}

/// True if the user permits another order for the updates of the sum in a variable or array.
pub fn is_permitted(model: &Model, array: &Array, more: &[Wish]) -> bool {
    permissions(model, more).any(|wish| is_for(wish, array))
}

/// True if a permission is for the sum in this variable or array, or for all sums.
fn is_for(wish: &Wish, array: &Array) -> bool {
    let is_copy = array.expansion_of.is_some() && array.expansion_of == wish.target.array;
    wish.names(array) || is_copy
}

/// Returns the messages about permissions for something that is no sum in any region (`E0305`).
pub fn refused(scops: &[Scop<Analysed>], more: &[Wish]) -> Result<Vec<Diagnostic>> {
    let mut messages: Vec<Diagnostic> = Vec::new();
    let wishes = scops.iter().flat_map(|scop| permissions(&scop.model, more));
    for wish in wishes.filter(|wish| wish.target.array.is_some()) {
        let (mut is_met, mut sums) = (false, Vec::new());
        for scop in scops {
            let own = permissions(&scop.model, more).any(|other| other == wish);
            for reduction in &scop.stage.dependences.reductions {
                let array = scop.model.array(scop.model.access(reduction.write)?.array)?;
                is_met |= own && is_for(wish, array) && reduction.free.is_some();
                let name = array.expansion_of.as_ref().unwrap_or(&array.expression);
                if reduction.free.is_some()
                    || can_be_partial(scop.model.statement(reduction.statement)?, reduction)
                {
                    sums.push(name.clone());
                }
            }
            // A prefix sum is no reduction of the region as it is.
            for sum in scop.stage.variants.iter().flat_map(|variant| variant.expansions.prefix_sums()) {
                let array = scop.model.array(scop.model.access(sum.write)?.array)?;
                is_met |= own && is_for(wish, array);
                sums.push(array.expression.clone());
            }
        }
        let message =
            format!("`{}` is for something that is no sum, product, minimum or maximum", wish.origin);
        if is_met || messages.iter().any(|known| known.message == message) {
            continue;
        }
        sums.sort();
        sums.dedup();
        let help = match &sums[..] {
            [] => "the regions have no sums whose order could be free: leave the option out".to_owned(),
            sums => format!("the sums are in {}", sums.join(", ")),
        };
        messages.push(Diagnostic::error("E0305", message).with_help(help));
    }
    Ok(messages)
}
