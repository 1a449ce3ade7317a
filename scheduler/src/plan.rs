//! Chooses the shape of a kernel by its price.

use polyhedra::Result;
use scop::{Axis, Model};

use crate::cost::{Pricing, Site, Subject};
use crate::other::Other;
use crate::shape::Shape;

/// A shape replaces the default one if its time is at most this share of the default's.
const CLEARLY_BETTER: f64 = 0.9;

/// A shape in which threads help others may take longer where the parameters of unknown size are many times as large,
/// if it takes at most this share of the time at the assumed sizes.
const MUCH_BETTER: f64 = 0.5;

/// The shape that was taken, and the best of the others.
pub struct Chosen {
    /// The shape.
    pub shape: Shape,
    /// The others, the best ones first.
    pub others: Vec<Other>,
}

/// The shapes that are remembered besides the one that is taken.
const REMEMBERED: usize = 2;

/// Returns the cheapest of several shapes; the default one unless another is clearly better at the assumed sizes, and
/// not worse where the parameters that the user gives no sizes for are many times as large.
pub fn cheapest(
    default: Shape,
    others: Vec<Shape>,
    (site, subject): (&Site, &Subject),
    model: &Model,
    pricing: &Pricing,
) -> Result<Chosen> {
    let before = pricing.time(subject, &default);
    let priced = others.into_iter().map(|shape| (pricing.time(subject, &shape), shape));
    let mut priced: Vec<(f64, Shape)> = priced.collect();
    priced.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut taken = None;
    if priced.first().is_some_and(|(time, _)| *time <= CLEARLY_BETTER * before) {
        let large = Subject::new(site, model, &pricing.large)?;
        let when_large = |shape: &Shape| large.as_ref().map(|large| pricing.time_when_large(large, shape));
        let is_helped = priced[0].1.shared_sum.is_some() || priced[0].1.loading > 1;
        let is_much_better = is_helped && priced[0].0 <= MUCH_BETTER * before;
        if is_much_better || when_large(&priced[0].1) <= when_large(&default) {
            taken = Some(priced.remove(0));
            priced.push((before, default.clone()));
            priced.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        }
    }
    let time_taken = taken.as_ref().map_or(before, |(time, _)| *time);
    let why_not = |time: f64| match time {
        _ if time >= time_taken => "it takes no less time",
        _ if time > CLEARLY_BETTER * before => "it saves less than 10 %, and prices are estimates",
        _ => "the best one takes longer where the sizes that are not given are 16 times as large",
    };
    let other = |(time, shape): &(f64, Shape)| Other {
        blocks: described(shape),
        microseconds: *time,
        why_not: why_not(*time),
    };
    let others = priced.iter().take(REMEMBERED).map(other).collect();
    let Some((time, mut shape)) = taken else { return Ok(Chosen { shape: default, others }) };
    shape.reasons.push(format!(
        "blocks of {} threads: they take {:.0} % of the time of blocks of {}, by the time model",
        described(&shape),
        100.0 * time / before,
        described(&default),
    ));
    Ok(Chosen { shape, others })
}

/// By how much the parameters that the user gives no sizes for are larger, besides being as assumed, if a shape must be
/// good for all of them.
const FACTORS_OF_SIZES: [i64; 3] = [1, 16, 4096];

/// Returns the shape that is good for all sizes: of the ratios of its time to that of the best shape for each size, the
/// largest is the smallest. Parameters for which the user gives sizes have these.
///
/// This is for kernels whose blocks have sums of their own. If a thread has many points, blocks combine their sums
/// seldom: for large sizes that takes a small part of the time, while for small ones, most of which are launches, it
/// takes little longer.
pub fn steadiest(
    default: Shape,
    others: Vec<Shape>,
    site: &Site,
    model: &Model,
    pricing: &Pricing,
) -> Result<Chosen> {
    let shapes: Vec<Shape> = std::iter::once(default).chain(others).collect();
    let mut times: Vec<Vec<f64>> = Vec::new();
    for factor in FACTORS_OF_SIZES {
        let places = pricing.places_of(model, factor)?;
        let Some(subject) = Subject::new(site, model, &places)? else { continue };
        times.push(shapes.iter().map(|shape| pricing.time_for(&subject, shape, &places)).collect());
    }
    let ratio = |position: usize| {
        let of = |times: &Vec<f64>| times[position] / times.iter().copied().fold(f64::INFINITY, f64::min);
        times.iter().map(of).fold(1.0, f64::max)
    };
    let positions = 0..shapes.len();
    let taken = positions.min_by(|one, other| ratio(*one).total_cmp(&ratio(*other))).unwrap_or(0);
    let time = |position: usize| times.first().map_or(0.0, |times| times[position]);
    let other = |position: usize| Other {
        blocks: described(&shapes[position]),
        microseconds: time(position),
        why_not: "for other sizes it takes more of the time of the best blocks for them",
    };
    let mut rest: Vec<usize> = (0..shapes.len()).filter(|position| *position != taken).collect();
    rest.sort_by(|one, other| time(*one).total_cmp(&time(*other)));
    let others = rest.into_iter().take(REMEMBERED).map(other).collect();
    let mut shape = shapes[taken].clone();
    if taken > 0 {
        shape.reasons.push(format!(
            "blocks of {} threads and {} points: for no size that was tried they take more than {:.0} % of the time of the \
             best blocks for it, by the time model",
            described(&shape),
            shape.parallel_tiles().iter().map(|tile| u64::from(*tile)).product::<u64>(),
            100.0 * ratio(taken),
        ));
    }
    Ok(Chosen { shape, others })
}

/// Returns the cheapest of several shapes.
pub fn best(shapes: Vec<Shape>, subject: &Subject, pricing: &Pricing) -> Option<Shape> {
    let time = |shape: &Shape| pricing.time(subject, shape);
    shapes.into_iter().min_by(|one, other| time(one).total_cmp(&time(other)))
}

/// The factors by which the innermost loops of a thread may be unrolled.
const FACTORS: [u32; 2] = [8, 16];

/// The registers that the loads of an unrolled loop may take.
const MOST_REGISTERS: f64 = 64.0;

/// A loop is unrolled if its kernel then takes at most this share of the time. The loads of more iterations do nothing but
/// overlap, so this needs no such margin as other shapes.
const WORTH_UNROLLING: f64 = 0.97;

/// Unrolls the innermost loops of a thread if that is clearly better: more loads are then in flight where warps are
/// few.
pub fn unrolled(mut shape: Shape, subject: &Subject, pricing: &Pricing) -> Shape {
    let fits = |factor: &u32| f64::from(*factor) * subject.loaded_registers() <= MOST_REGISTERS;
    let mut factors = FACTORS.into_iter().filter(fits).peekable();
    if factors.peek().is_none() {
        return shape;
    }
    let before = pricing.time(subject, &shape);
    let mut best = before;
    for factor in factors {
        let unrolled = Shape { unroll: Some(factor), ..shape.clone() };
        let time = pricing.time(subject, &unrolled);
        if time <= WORTH_UNROLLING * best {
            (shape.unroll, best) = (Some(factor), time);
        }
    }
    if let Some(factor) = shape.unroll {
        shape.reasons.push(format!(
            "the innermost loops of a thread are unrolled by {factor}: with more loads in flight, they take {:.0} % of \
             the time, by the time model",
            100.0 * best / before
        ));
    }
    shape
}

fn described(shape: &Shape) -> String {
    let mut sizes: Vec<_> = shape.axes.iter().copied().zip(shape.threads.iter().copied()).collect();
    if shape.shared_sum.is_some() {
        sizes.push((Axis::X, shape.sum_threads()));
    }
    sizes.extend(shape.loading_axis().map(|axis| (axis, shape.loading)));
    if sizes.is_empty() {
        return "1".to_owned();
    }
    sizes.sort_unstable();
    let sizes: Vec<String> = sizes.into_iter().map(|(axis, size)| format!("{axis}{size}")).collect();
    sizes.join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use gpu::target::read_gpu;
    use polyhedra::{Text, UnionMap, UnionSet};
    use scop::{Analysed, Axis, Program, from_json};

    use super::*;

    /// Prices a band over a statement of the product in `matmul.json`: `C[i][j] = 0` or `C[i][j] += A[i][k] * B[k][j]`.
    fn priced<T>(
        (statement, band): (usize, &str),
        n: i64,
        ask: impl FnOnce(&Model, &Site, &Subject, &Pricing) -> T,
    ) -> T {
        let program: Program<Analysed> = from_json(include_str!("../tests/documents/matmul.json")).unwrap();
        let model = &program.scops[0].model;
        let sizes = ["m", "n", "p"].map(|name| (name.to_owned(), n));
        let gpu = read_gpu(include_str!("../../targets/h100.json")).unwrap();
        let pricing = Pricing::new(model, &BTreeMap::from(sizes), gpu).unwrap();
        let statement = &model.statements[statement];
        let site = Site::new(
            UnionSet::parse(&statement.domain.0).unwrap(),
            UnionMap::parse("{ S0[i, j] -> []; S1[i, j, k] -> [] }").unwrap(),
            Some(UnionMap::parse(band).unwrap()),
        );
        let subject = Subject::new(&site, model, &pricing.places).unwrap().unwrap();
        ask(model, &site, &subject, &pricing)
    }

    fn shape(tiles: &[u32], threads: &[u32], axes: &[Axis]) -> Shape {
        Shape { tiles: tiles.to_vec(), threads: threads.to_vec(), axes: axes.to_vec(), ..Shape::default() }
    }

    #[test]
    fn a_clearly_better_shape_is_taken() {
        priced((0, "{ S0[i, j] -> [i, j] }"), 4096, |model, site, subject, pricing| {
            let square = |side| shape(&[side; 2], &[side; 2], &[Axis::Y, Axis::X]);
            let found =
                cheapest(square(1), vec![square(2), square(16)], (site, subject), model, pricing).unwrap();
            assert_eq!(found.shape.threads, [16, 16]);
            assert!(found.shape.reasons[0].contains("by the time model"), "{:?}", found.shape.reasons);
            let others: Vec<&str> = found.others.iter().map(|other| other.blocks.as_str()).collect();
            assert_eq!(others, ["x2 y2", "x1 y1"], "the best first");
            let kept = cheapest(square(16), vec![square(2)], (site, subject), model, pricing).unwrap();
            assert_eq!(kept.shape, square(16));
        });
    }

    #[test]
    fn warps_along_rows_touch_fewer_sectors() {
        priced((0, "{ S0[i, j] -> [i, j] }"), 4096, |_, _, subject, pricing| {
            let sectors = |axes| {
                let shape = shape(&[64, 64], &[16, 16], axes);
                let estimate = subject.estimate(&shape, subject.mean_blocks(&shape), &pricing.places);
                estimate.work(&BTreeMap::new(), &pricing.gpu.rates).phases[0].memory.sectors
            };
            let elements = 4096.0 * 4096.0;
            assert_eq!(
                sectors(&[Axis::Y, Axis::X]),
                elements / 2.0,
                "four elements a sector, read and written"
            );
            assert_eq!(
                sectors(&[Axis::X, Axis::Y]),
                elements / 4.0 + elements / 2.0,
                "the two rows of a warp share the sectors of a store"
            );
        });
    }

    #[test]
    fn what_is_too_large_for_an_estimate_has_no_price() {
        let program: Program<Analysed> = from_json(include_str!("../tests/documents/matmul.json")).unwrap();
        let gpu = read_gpu(include_str!("../../targets/h100.json")).unwrap();
        let model = &program.scops[0].model;
        let pricing = Pricing::new(model, &BTreeMap::new(), gpu).unwrap();
        let subject = |last: &str| {
            let instances = UnionSet::parse(&format!("{{ S0[i, j] : 0 <= i, j <= {last} }}")).unwrap();
            let site = Site::new(instances, UnionMap::parse("{ S0[i, j] -> [] }").unwrap(), None);
            Subject::new(&site, model, &pricing.places).unwrap()
        };
        assert!(subject("4000000000000000000").is_some());
        assert_eq!(subject("40000000000000000000"), None, "more than 64 bits");
    }

    #[test]
    fn a_sum_of_few_threads_is_unrolled_and_one_of_many_is_not() {
        let unrolled_at = |n| {
            priced((1, "{ S1[i, j, k] -> [j, i, k] }"), n, |_, _, subject, pricing| {
                let rows = shape(&[128, 1, 32], &[128, 1], &[Axis::X, Axis::Y]);
                unrolled(rows, subject, pricing).unroll
            })
        };
        assert!(unrolled_at(64).is_some());
        assert_eq!(unrolled_at(2048), None, "there are other warps to run");
    }
}
