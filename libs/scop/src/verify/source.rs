//! V12: the regions of the source, and the residencies of arrays between them.

use std::collections::BTreeSet;

use super::report::Report;
use crate::{Program, Region, c_syntax, names};

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

/// Checks that residencies are numbered, have free names, and contain the regions of their arrays.
pub fn check_residencies<S>(program: &Program<S>, report: &mut Report) {
    let residencies = &program.source.residencies;
    let mut taken: BTreeSet<&str> = program.scops.iter().map(|scop| scop.model.name.as_str()).collect();
    for (position, residency) in residencies.iter().enumerate() {
        report.require(12, residency.id.index() == position, || {
            format!("residency {position} has the id {}", residency.id)
        });
        report.require(12, names::is_free(&residency.name) && taken.insert(&residency.name), || {
            format!("{} has the name `{}`, which is not free", residency.id, residency.name)
        });
        report.require(12, residency.range.start < residency.range.end, || {
            format!("{} is empty", residency.id)
        });
    }
    for (scop, region) in program.scops.iter().zip(&program.source.regions) {
        for array in &scop.model.arrays {
            let is_alone = !array.read_between && array.copied_back_after.is_none();
            report.require(12, array.residency.is_some() || is_alone, || {
                format!("{} of `{}` is read in a residency that it does not have", array.id, scop.model.name)
            });
            let Some(id) = array.residency else { continue };
            let around = residencies.get(id.index()).map(|residency| residency.range);
            let inside = around.is_some_and(|around| region.range.is_within(around));
            let home = array
                .copied_back_after
                .map(|home| residencies.get(home.index()).map(|residency| residency.range));
            let between = home.is_none_or(|home| {
                let pair = home.zip(around);
                pair.is_some_and(|(home, around)| region.range.is_within(home) && home.is_within(around))
            });
            report.require(12, between && (array.copied_back_after.is_none() || array.read_between), || {
                format!(
                    "{} of `{}` is not copied back after statements that are around its region, in {id}",
                    array.id, scop.model.name
                )
            });
            report.require(12, inside && array.visible, || {
                format!(
                    "{} of `{}` is not resident in {id}, which is not around its region",
                    array.id, scop.model.name
                )
            });
        }
    }
}
