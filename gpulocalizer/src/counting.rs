//! Numberings of elements that consist of counts by libbarvinok (`numbering`), and a check of them
//! (`numbering_proof`).

pub mod numbering;
pub mod numbering_proof;
#[cfg(test)]
mod tests;

/// Opens libbarvinok for tests, which have nothing to test without it.
#[cfg(test)]
fn if_there() -> Option<place::counting::Counting> {
    let counting = place::counting::Counting::open();
    let missing = counting.missing();
    if let Some(why) = &missing {
        eprintln!("not tested: {why}");
    }
    missing.is_none().then_some(counting)
}
