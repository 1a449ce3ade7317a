//! Messages about wishes that are not met.

use scop::wish::{Verdict, for_no_region};
use scop::{Answer, Diagnostic, Placed, Program, Wish};

use crate::options::Options;

/// Returns `E0404` for wishes that name a kernel or an array and are not met although no other wish overrules them,
/// or that apply to no region.
pub fn refused(program: &Program<Placed>, options: &Options) -> Vec<Diagnostic> {
    let mut messages = Vec::new();
    if !options.apart {
        let names: Vec<&str> = program.scops.iter().map(|scop| scop.model.name.as_str()).collect();
        messages.extend(for_no_region(&options.wishes, &names));
    }
    let mut said: Vec<&Wish> = Vec::new();
    for (position, answer) in named_answers(program) {
        let of_wish = || named_answers(program).filter(|(_, other)| other.wish == answer.wish);
        let is_pointless = !options.apart && of_wish().all(|(_, other)| other.verdict == Verdict::Pointless);
        if said.contains(&&answer.wish) || answer.verdict != Verdict::NotMet && !is_pointless {
            continue;
        }
        said.push(&answer.wish);
        // Of several regions to which the wish does not apply, one that has the array gives the best explanation.
        let has_array = |(position, _): &(usize, &Answer)| {
            let arrays = &program.scops[*position].model.arrays;
            arrays.iter().any(|array| answer.wish.names(array))
        };
        let best = of_wish().find(has_array).filter(|_| is_pointless).unwrap_or((position, answer));
        messages.push(described_refusal(program, best));
    }
    messages
}

/// Returns the answers to wishes that name a kernel or an array, each with the number of its region.
fn named_answers(program: &Program<Placed>) -> impl Iterator<Item = (usize, &Answer)> {
    program.scops.iter().enumerate().flat_map(|(position, scop)| {
        let named = scop.stage.placement.answers.iter().filter(|answer| names_something(&answer.wish));
        named.map(move |answer| (position, answer))
    })
}

fn described_refusal(program: &Program<Placed>, (position, answer): (usize, &Answer)) -> Diagnostic {
    let Answer { wish, reason, .. } = answer;
    // The target may already name the kernel.
    let place = answer.kernel.filter(|_| wish.target.kernel.is_none());
    let place = place.map(|kernel| format!(" in {kernel}")).unwrap_or_default();
    let message = format!("{} for {} cannot be had{place}: {reason}", wish.wanted, wish.target);
    let diagnostic = Diagnostic::error("E0404", message)
        .with_help(format!("leave out `{}`, or ask for something that is possible", wish.origin));
    match program.source.regions.get(position) {
        Some(region) => diagnostic.at(&program.source.path, region.range, "the region"),
        None => diagnostic,
    }
}

/// Returns `W0404` for wishes that name neither a kernel nor an array and are not met everywhere.
pub fn left(program: &Program<Placed>) -> Vec<Diagnostic> {
    let mut messages: Vec<(&Wish, Vec<String>, usize)> = Vec::new();
    for scop in &program.scops {
        for answer in scop.stage.placement.answers.iter().filter(|answer| !names_something(&answer.wish)) {
            let known = messages.iter().position(|(wish, ..)| *wish == &answer.wish);
            let position = known.unwrap_or(messages.len());
            if known.is_none() {
                messages.push((&answer.wish, Vec::new(), 0));
            }
            match answer.verdict {
                Verdict::NotMet => messages[position].1.push(placed(&scop.model.name, answer)),
                Verdict::Met => messages[position].2 += 1,
                _ => {}
            }
        }
    }
    let unmet = messages.into_iter().filter(|(_, unmet, _)| !unmet.is_empty());
    unmet.map(|(wish, unmet, met)| described(wish, &unmet, met)).collect()
}

fn described(wish: &Wish, unmet: &[String], met: usize) -> Diagnostic {
    let others = match unmet.len() {
        1 => String::new(),
        all => format!(", and {} more", all - 1),
    };
    let message = format!(
        "`{}` is met {met} of {} times: not for {}{others}",
        wish.origin,
        met + unmet.len(),
        unmet[0]
    );
    Diagnostic::warning("W0404", message).with_help(
        "`c2cuda --wishes-answered FILE.c` lists all places; a wish that names its target is met or refused",
    )
}

fn placed(region: &str, answer: &Answer) -> String {
    match answer.kernel {
        Some(kernel) => format!("{kernel} of {region} ({})", answer.reason),
        None => format!("{region} ({})", answer.reason),
    }
}

fn names_something(wish: &Wish) -> bool {
    wish.target.kernel.is_some() || wish.target.array.is_some()
}
