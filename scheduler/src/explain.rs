//! The orders that were considered for each region, and what they cost, for people.

use std::fmt::Write;

use scop::Array;

use crate::compared::Compared;
use crate::cost::FloorTime;
use crate::duration::duration;
use crate::other::Other;
use crate::price::Price;
use crate::search::Considered;
use crate::variants::Chosen;

/// Describes the search in one region: the forms that it may have, the orders of each, the time that no order
/// can beat, what permission for another order of sums would bring, and the sizes for which the host is faster.
pub fn explain(
    region: &str,
    chosen: &Chosen,
    (floor, permission): (Option<FloorTime>, Option<&str>),
    on_host: Option<&str>,
) -> String {
    let Chosen { tried: forms, taken, compared, .. } = chosen;
    let mut text = format!("{region}\n");
    if let Some(compared) = compared {
        text += &plans(compared);
    }
    if forms.iter().all(|form| form.considered.is_empty()) {
        text += "  the region is too complicated for a price; the first order is taken\n";
    } else if let Some(FloorTime { microseconds, dominant }) = floor {
        let _ = writeln!(text, "  floor: {}, for {dominant}", duration(microseconds));
    }
    if let Some(permission) = permission {
        let _ = writeln!(text, "  {permission}");
    }
    if let Some(sizes) = on_host {
        let _ = writeln!(text, "  host or device, chosen at run time: {sizes}");
    }
    for (position, form) in forms.iter().enumerate() {
        let about = form.about.as_ref().map(|about| format!(", {about}")).unwrap_or_default();
        for (order, considered) in form.considered.iter().enumerate() {
            let Considered { algorithm, description, price, why_not } = considered;
            let verdict = if (position, order) == (*taken, form.best) { "taken" } else { "not taken" };
            let time = duration(price.microseconds);
            let _ = writeln!(text, "  {verdict}: {algorithm} ({description}){about}, {time}");
            // The best order of a form shares the form's fate.
            if let Some(why) = why_not.as_ref().or(form.why_not.as_ref()) {
                let _ = writeln!(text, "    because {why}");
            }
            text += &kernels(&form.arrays, price);
        }
    }
    text
}

/// Describes the plans for several sizes.
fn plans(compared: &Compared) -> String {
    let mut text = String::new();
    for (plan, times) in compared.times.iter().enumerate() {
        let verdict = if plan == compared.taken { "taken" } else { "not taken" };
        let times = times.iter().zip(&compared.sizes);
        let times: Vec<String> =
            times.map(|(time, sizes)| format!("{} where {sizes}", duration(*time))).collect();
        let _ = writeln!(
            text,
            "  {verdict}: the plan for {}: {}; at worst {:.2} times the best",
            compared.sizes[plan],
            times.join(", "),
            compared.worst(plan),
        );
    }
    let _ = writeln!(text, "  the plan that was taken, where {}:", compared.sizes[compared.taken]);
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
        for Other { blocks, microseconds, why_not } in &kernel.others {
            let time = duration(*microseconds);
            let _ = writeln!(text, "      not taken: blocks of {blocks}, {time}, because {why_not}");
        }
    }
    text
}

fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}
