//! V17: wishes and answers.

use super::report::Report;
use crate::{Answer, Model, Stage, Wish};

/// Checks that wishes are for their region, and that the stage that decides answers them.
pub fn check_wishes<S: Stage>(model: &Model, stage: &S, report: &mut Report) {
    for wish in &model.wishes {
        report.require(17, wish.is_for_region(&model.name), || {
            format!("`{}` has a wish for another region ({})", model.name, wish.origin)
        });
    }
    let kernels = stage.mapping().map_or(0, |mapping| mapping.kernels.len());
    let mut check = |section: &str, answers: &[Answer], is_for: fn(&Wish) -> bool| {
        for wish in model.wishes.iter().filter(|wish| is_for(wish)) {
            let answered = answers.iter().any(|answer| answer.wish == *wish);
            report
                .require(17, answered, || format!("the {section} does not answer a wish ({})", wish.origin));
        }
        for answer in answers {
            let exists = answer.kernel.is_none_or(|kernel| kernel.index() < kernels);
            report.require(17, exists && is_for(&answer.wish), || {
                format!("the {section} answers a wish that is not for it ({})", answer.wish.origin)
            });
        }
    };
    if let Some(mapping) = stage.mapping() {
        check("mapping", &mapping.answers, Wish::is_for_mapping);
    }
    if let Some(placement) = stage.placement() {
        check("placement", &placement.answers, Wish::is_for_placement);
    }
}
