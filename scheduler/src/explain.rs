//! The orders that were considered for each region, and what they cost, for people.

use std::fmt::Write;

use scop::Array;

use crate::duration::duration;
use crate::other::Other;
use crate::price::Price;
use crate::search::Considered;
use crate::variants::Form;

/// Describes the search in one region: the forms that it may have, the orders of each, and the sizes for which the host
/// is faster.
pub fn explain(region: &str, forms: &[Form], taken: usize, on_host: Option<&str>) -> String {
    let mut text = format!("{region}\n");
    match forms.first().and_then(|form| form.considered.first()) {
        Some(first) => {
            let _ = writeln!(text, "  floor: {}", duration(first.price.floor));
        }
        None => text += "  the region is too complicated for a price; the first order is taken\n",
    }
    if let Some(sizes) = on_host {
        let _ = writeln!(text, "  host or device, chosen at run time: {sizes}");
    }
    for (position, form) in forms.iter().enumerate() {
        let about = form.about.as_ref().map(|about| format!(", {about}")).unwrap_or_default();
        for (order, Considered { algorithm, description, price }) in form.considered.iter().enumerate() {
            let verdict = if (position, order) == (taken, form.best) { "taken" } else { "not taken" };
            let time = duration(price.microseconds);
            let _ = writeln!(text, "  {verdict}: {algorithm} ({description}){about}, {time}");
            text += &kernels(&form.arrays, price);
        }
    }
    text
}

fn kernels(arrays: &[Array], price: &Price) -> String {
    let mut text = String::new();
    for kernel in &price.kernels {
        let shape = &kernel.work.shape;
        let _ = writeln!(
            text,
            "    {}: {}, {}, {} of {}, {} with work; most of the time: {}",
            kernel.kernel,
            duration(kernel.time.microseconds),
            counted(shape.launches, "launch", "launches"),
            counted(shape.blocks, "block", "blocks"),
            counted(shape.block_threads, "thread", "threads"),
            shape.blocks_with_work,
            kernel.time.dominant,
        );
        let staged = |array: &&Array| kernel.staged.contains(&array.id);
        let staged: Vec<&str> = arrays.iter().filter(staged).map(|array| array.name.as_str()).collect();
        if !staged.is_empty() {
            let _ = writeln!(text, "      copies to shared memory: {}", staged.join(", "));
        }
        for Other { blocks, microseconds } in &kernel.others {
            let _ = writeln!(text, "      not taken: blocks of {blocks}, {}", duration(*microseconds));
        }
    }
    text
}

fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}
