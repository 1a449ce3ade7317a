//! Regroups the bands of a given order, so that its nests can be tiled and run as wavefronts.
//!
//! An order determines the sequence of instances, but not which of its loops belong together: Pluto's
//! `[t, t + i, 2t + i + j]` is read from OpenScop as three bands of one member, and another tool may write three
//! loops as one band that is not permutable.

use polyhedra::{Result, ScheduleNode, ScheduleNodeType};

use crate::constraints::Constraints;
use crate::local::Local;
use crate::sink::permutable;
use crate::tree::{has_band_below, replace_band};

/// Makes every band permutable, and as deep as permutability and the parallel loops allow. Takes and returns the
/// root.
///
/// *Rewrite:* `band (m0, m1, m2)` → `band (m0, m1) (band (m2))`, if the three cannot be permuted and the first two
/// can; and `band (m0) (band (m1))` → `band (m0, m1)`, if the two can be permuted and each is parallel in the new
/// band if it was before.
///
/// Neither changes the order. If the first member of a band goes backwards along a dependence, it stays alone in its
/// band: the order is wrong, and the check will report it.
pub fn regroup(root: ScheduleNode, constraints: &Constraints) -> Result<ScheduleNode> {
    let local = Local::at(&root, constraints)?;
    visit(root, &local)
}

fn visit(mut node: ScheduleNode, local: &Local) -> Result<ScheduleNode> {
    if node.get_type()? == ScheduleNodeType::Band {
        node = split(node, local)?;
        while node.get_child(0)?.get_type()? == ScheduleNodeType::Band {
            let below = local.below(&node)?;
            node = split(node.child(0)?, &below)?.parent()?;
            match merged(node.copy()?, local)? {
                Some(merged) => node = merged,
                None => break,
            }
        }
    }
    if has_band_below(&node)? {
        let below = local.below(&node)?;
        for position in 0..node.n_children()? {
            node = visit(node.child(position)?, &below)?.parent()?;
        }
    }
    Ok(node)
}

/// Splits a band after its longest permutable run of first members, and marks those of them that are parallel.
fn split(band: ScheduleNode, local: &Local) -> Result<ScheduleNode> {
    let schedule = band.band_get_partial_schedule()?;
    let members = band.band_n_member()?;
    for length in (1..=members).rev() {
        let first =
            schedule.copy()?.drop_dims(polyhedra::DimType::Out, length as u32, (members - length) as u32)?;
        let found = permutable(local, &first)?;
        if found.is_none() && length > 1 {
            continue;
        }
        let band = if length < members { band.band_split(length)? } else { band };
        let parallel = found.unwrap_or_else(|| vec![false]);
        return replace_band(band, first, &parallel);
    }
    Ok(band)
}

/// Merges a band and the one below, if the result is permutable and no parallel member is lost.
fn merged(band: ScheduleNode, local: &Local) -> Result<Option<ScheduleNode>> {
    let inner = band.get_child(0)?;
    let schedule =
        band.band_get_partial_schedule()?.flat_range_product(inner.band_get_partial_schedule()?)?;
    let Some(parallel) = permutable(local, &schedule)? else { return Ok(None) };
    let mut before = flags(&band)?;
    before.extend(flags(&inner)?);
    if before.iter().zip(&parallel).any(|(before, now)| *before && !*now) {
        return Ok(None);
    }
    let flat = band.child(0)?.delete()?.parent()?;
    replace_band(flat, schedule, &parallel).map(Some)
}

fn flags(band: &ScheduleNode) -> Result<Vec<bool>> {
    (0..band.band_n_member()?).map(|member| Ok(band.band_member_get_coincident(member)?)).collect()
}

#[cfg(test)]
mod tests {
    use polyhedra::{Schedule, Text};

    use super::*;

    const DOMAIN: &str = "{ S[t, i, j] : 0 <= t, i, j < 20 }";
    /// Jacobi's method: a point depends on its neighbours of the previous step.
    const STENCIL: &str = "{ S[t, i, j] -> S[t + 1, k, l] : i - 1 <= k <= i + 1 and j - 1 <= l <= j + 1 }";

    /// Returns the bands from the outermost inwards, each as the flags of its members: `p` for parallel, `s` for
    /// sequential.
    fn regrouped(bands: &[&str], dependences: &str) -> Vec<String> {
        let constraints = Constraints::written(DOMAIN, dependences).unwrap();
        let below = bands.iter().rev().fold(String::new(), |below, band| {
            let child = if below.is_empty() { below } else { format!(", child: {below}") };
            format!("{{ schedule: \"[{band}]\"{child} }}")
        });
        let text = format!("{{ domain: \"{DOMAIN}\", child: {below} }}");
        let root = Schedule::parse(&text).unwrap().get_root().unwrap();
        let mut node = regroup(root, &constraints).unwrap().child(0).unwrap();
        let mut found = Vec::new();
        while node.get_type().unwrap() == ScheduleNodeType::Band {
            found.push(
                flags(&node).unwrap().iter().map(|parallel| if *parallel { 'p' } else { 's' }).collect(),
            );
            node = node.child(0).unwrap();
        }
        found
    }

    #[test]
    fn bands_of_one_member_become_one_that_can_be_permuted() {
        // The Gauss-Seidel method on nine points, in the order that Pluto finds.
        let within = "{ S[t, i, j] -> S[t, i, j + 1]; S[t, i, j] -> S[t, i + 1, l] : j - 1 <= l <= j + 1 }";
        let dependences = format!("{}; {}", within.trim_end_matches(" }"), STENCIL.trim_start_matches("{ "));
        let skewed = ["{ S[t, i, j] -> [t] }", "{ S[t, i, j] -> [t + i] }", "{ S[t, i, j] -> [2t + i + j] }"];
        assert_eq!(regrouped(&skewed, &dependences), ["sss"]);
    }

    #[test]
    fn parallel_members_keep_the_band_that_makes_them_parallel() {
        let plain = ["{ S[t, i, j] -> [t] }", "{ S[t, i, j] -> [i] }", "{ S[t, i, j] -> [j] }"];
        assert_eq!(regrouped(&plain, STENCIL), ["s", "pp"]);
        assert_eq!(regrouped(&[&plain.join(", ")], STENCIL), ["s", "pp"], "they cannot be permuted as one");
    }

    #[test]
    fn members_that_go_backwards_begin_a_band_of_their_own() {
        let along_j = "{ S[t, i, j] -> S[t, i + 1, j - 1] }";
        let order = ["{ S[t, i, j] -> [t] }, { S[t, i, j] -> [2i + j] }, { S[t, i, j] -> [j] }"];
        assert_eq!(regrouped(&order, along_j), ["ps", "p"]);
        assert_eq!(regrouped(&["{ S[t, i, j] -> [-t] }", "{ S[t, i, j] -> [i] }"], STENCIL), ["s", "p"]);
    }
}
