//! V12: the regions of the source.

use super::report::Report;
use crate::{Program, Region, c_syntax};

/// Checks that there is one region for each scop, in order and without overlap.
pub fn check_regions<S>(program: &Program<S>, report: &mut Report) {
    let regions = &program.source.regions;
    report.require(12, regions.len() == program.scops.len(), || {
        format!("the source has {} regions for {} scops", regions.len(), program.scops.len())
    });
    for (position, region) in regions.iter().enumerate() {
        report.require(12, region.range.start <= region.range.end, || {
            format!("region {position} ends before it starts")
        });
        let is_word = |name: &String| !name.is_empty() && !name.contains(|c: char| !c_syntax::is_letter(c));
        report.require(13, region.macros.iter().all(is_word), || {
            format!("region {position} has macros with invalid names")
        });
    }
    let in_order = |pair: &[Region]| pair[0].range.end <= pair[1].range.start;
    report.require(12, regions.windows(2).all(in_order), || {
        "the regions are not in the order of the text, or they overlap".to_owned()
    });
}
