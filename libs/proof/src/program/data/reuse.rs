//! What a shared buffer holds from earlier iterations.
//!
//! A read finds its value if the last copy to its place brought the element that it reads, in this iteration of the
//! innermost loop around the copies and the read or in an earlier one:
//!
//! * `good`: pairs of a read's key and an earlier key (or the same one) at which its element was copied to its
//!   place;
//! * `other`: pairs of a read's key and an earlier key at which another element was copied to that place;
//! * the read is provided if some good key has no other key after it.

use polyhedra::{Map, Result, Set, Text};

/// Returns the keys at which copies provide what is read.
///
/// Keys are `[o, t, p]`: the values of the outer loops, that of the innermost loop (dimension `time`), and the
/// place. `reads` and `copies` lead from keys to elements. `before` is true if the copies of an iteration come
/// before its reads.
pub fn provided(reads: &Map, copies: &Map, time: usize, before: bool) -> Result<Set> {
    let dimensions = reads.dim(polyhedra::DimType::In)? as usize;
    let elements = reads.dim(polyhedra::DimType::Out)? as usize;
    let since = in_time(dimensions, time, if before { ">=" } else { ">" })?;
    let same = reads.copy()?.apply_range(copies.copy()?.reverse()?)?;
    let good = same.intersect(since.copy()?)?;
    let different =
        reads.copy()?.apply_range(different(elements)?)?.apply_range(copies.copy()?.reverse()?)?;
    let other = different.intersect(since)?;
    let overwritten = other.apply_range(in_time(dimensions, time, ">")?)?;
    Ok(good.subtract(overwritten)?.domain()?)
}

/// Returns the pairs of keys that agree in all dimensions except the time and whose times compare by `relation`.
fn in_time(dimensions: usize, time: usize, relation: &str) -> Result<Map> {
    let names = |stem: &str| {
        let name = |k: usize| if k == time { format!("{stem}{k}") } else { format!("k{k}") };
        (0..dimensions).map(name).collect::<Vec<_>>().join(", ")
    };
    Map::parse(&format!("{{ [{}] -> [{}] : a{time} {relation} b{time} }}", names("a"), names("b")))
}

/// Returns the pairs of different elements.
fn different(dimensions: usize) -> Result<Map> {
    let names = |stem: &str| (0..dimensions).map(|k| format!("{stem}{k}")).collect::<Vec<_>>().join(", ");
    let conditions: Vec<String> = (0..dimensions).map(|k| format!("a{k} != b{k}")).collect();
    let condition = if conditions.is_empty() { "false".to_owned() } else { conditions.join(" or ") };
    Map::parse(&format!("{{ [{}] -> [{}] : {condition} }}", names("a"), names("b")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts at which keys copies provide the reads of element p at place p, in steps 0 to 3.
    fn check(copies: &str, before: bool, expected: &str) {
        check_reads("{ [t, p] -> [p] : 0 <= t < 4 and 0 <= p < 2 }", copies, before, expected);
    }

    fn check_reads(reads: &str, copies: &str, before: bool, expected: &str) {
        let reads = Map::parse(reads).unwrap();
        let found = provided(&reads, &Map::parse(copies).unwrap(), 0, before).unwrap();
        let expected = Set::parse(expected).unwrap();
        assert!(found.is_equal(&expected).unwrap(), "{copies}: {}", found.text().unwrap());
    }

    #[test]
    fn what_is_copied_stays_until_it_is_overwritten() {
        let first = "{ [t, p] -> [p] : t = 0 and 0 <= p < 2 }";
        check(first, true, "{ [t, p] : 0 <= t <= 3 and 0 <= p <= 1 }");
        check(first, false, "{ [t, p] : 0 < t <= 3 and 0 <= p <= 1 }");
        let overwritten =
            "{ [t, p] -> [p] : t = 0 and 0 <= p < 2; [t, p] -> [p + 7] : t = 2 and 0 <= p < 2 }";
        check(overwritten, true, "{ [t, p] : 0 <= t <= 1 and 0 <= p <= 1 }");
        let again =
            "{ [t, p] -> [p] : (t = 0 or t = 3) and 0 <= p < 2; [t, p] -> [p + 7] : t = 2 and 0 <= p < 2 }";
        check(again, true, "{ [t, p] : (0 <= t <= 1 or t = 3) and 0 <= p <= 1 }");
    }

    /// Elements that differ in one subscript are different.
    #[test]
    fn elements_are_told_apart_by_each_subscript() {
        let reads = "{ [t, p] -> [p, 0] : 0 <= t < 4 and 0 <= p < 2 }";
        for other in ["[p, 1]", "[p + 1, 0]", "[p + 1, 1]"] {
            let copies = format!(
                "{{ [t, p] -> [p, 0] : t = 0 and 0 <= p < 2; [t, p] -> {other} : t = 2 and 0 <= p < 2 }}"
            );
            check_reads(reads, &copies, true, "{ [t, p] : 0 <= t <= 1 and 0 <= p <= 1 }");
        }
    }

    #[test]
    fn copies_to_another_place_or_of_another_element_provide_nothing() {
        check("{ [t, p] -> [p + 1] : t = 0 and 0 <= p < 2 }", true, "{ [t, p] : false }");
        check("{ [t, p] -> [p] : t = 0 and p = 5 }", true, "{ [t, p] : false }");
        check("{ [t, p] -> [p] : t = 4 and 0 <= p < 2 }", true, "{ [t, p] : false }");
    }
}
