//! Transfers of boxes of elements, each with one call.
//!
//! Rows of a slice are equally far apart on host and device, so one shape describes a box on both sides. Dimensions
//! that it has whole join the one before them, and those of which it has one index are in the address alone.

use scop::ast::expression::{binary, folded, negated, value};
use scop::ast::tree::walk;
use scop::ast::{AstExpr, AstOp, Node};
use scop::c_text::{Dialect, Fragment};
use scop::{ArrayId, BinaryOp, Boxes, CType, ElementBox};

use crate::code::frame::Frame;
use crate::host::launch::unless_positive;
use crate::model::data::Datum;
use crate::model::facts::Facts;
use crate::print::layout::Stmt;

/// The boxes that are transferred of an array in the place of its slice.
pub fn of<'a>(datum: &'a Datum<'_>) -> Option<&'a Boxes<AstExpr>> {
    datum.slice.as_ref()?.boxes.as_ref().filter(|_| datum.on_device)
}

/// True if one of an array's boxes, or of its parts in a loop program, needs the function of the prelude.
pub fn have_three_dimensions(datum: &Datum<'_>, body: &Node) -> bool {
    let boxes = of(datum).into_iter().flat_map(|boxes| boxes.to_device.iter().chain(&boxes.from_device));
    let mut all: Vec<&ElementBox<AstExpr>> = boxes.collect();
    walk(body, &mut |node| match node {
        Node::Transfer { array, part: Some(part), .. } if *array == datum.array.id => all.push(part),
        _ => {}
    });
    let mut ranks = all.iter().map(|one| Shape::of(&taken_apart(one).1, datum.inner_extents()).outer.len());
    ranks.any(|outer| outer > 1)
}

/// The copies of an array's boxes in one direction.
pub fn copies(frame: &Frame<'_>, datum: &Datum<'_>, facts: &Facts, to_device: bool) -> Option<Vec<Stmt>> {
    let boxes = of(datum)?;
    frame.note(datum.array.id, !to_device);
    let boxes = if to_device { &boxes.to_device } else { &boxes.from_device };
    boxes.iter().map(|one| copy(frame, datum, one, facts, to_device)).collect()
}

/// The copy of a part of an array in one direction.
pub fn part(
    frame: &Frame<'_>,
    array: ArrayId,
    part: &ElementBox<AstExpr>,
    facts: &Facts,
    to_device: bool,
) -> Option<Stmt> {
    frame.note(array, !to_device);
    copy(frame, frame.view.datum(array)?, part, facts, to_device)
}

/// Which dimensions of a box are copied how.
struct Shape {
    /// From this dimension on a box lies without gaps.
    row: usize,
    /// Those of the others in which it has more than one index.
    outer: Vec<usize>,
}

impl Shape {
    fn of(one: &ElementBox<AstExpr>, inner_extents: &[AstExpr]) -> Self {
        let is_whole = |position: usize| {
            value(&one.lower[position]) == Some(0)
                && inner_extents.get(position - 1) == Some(&one.extent[position])
        };
        let mut row = one.extent.len().saturating_sub(1);
        while row > 0 && is_whole(row) {
            row -= 1;
        }
        let outer = (0..row).filter(|position| value(&one.extent[*position]) != Some(1)).collect();
        Self { row, outer }
    }
}

fn copy(
    frame: &Frame<'_>,
    datum: &Datum<'_>,
    one: &ElementBox<AstExpr>,
    facts: &Facts,
    to_device: bool,
) -> Option<Stmt> {
    let slice = datum.slice.as_ref()?;
    let inner = datum.inner_extents();
    let (exists, one) = taken_apart(one);
    let facts = &exists.iter().fold(facts.clone(), |facts, condition| facts.and(condition));
    let mut on_device = one.lower.clone();
    let first = on_device.first_mut()?;
    *first = if *first == slice.lower {
        AstExpr::Int(0)
    } else {
        folded(&binary(AstOp::Sub, first.clone(), slice.lower.clone()))
    };
    let device = &frame.view.device_names(datum.array.id)?.pointer;
    let (device, host) =
        (address(frame, datum, device, &on_device)?, address(frame, datum, &datum.array.name, &one.lower)?);
    let (ends, way) = if to_device {
        ((device, host), "cudaMemcpyHostToDevice")
    } else {
        ((host, device), "cudaMemcpyDeviceToHost")
    };
    let (to, from) = ends;
    let Shape { row, outer } = Shape::of(&one, inner);
    let width = bytes(frame, datum, &one.extent[row..]);
    let count = |position: usize| frame.index(&one.extent[position]).text;
    let call = match outer.as_slice() {
        [] => format!("cuda_check(cudaMemcpy({to}, {from}, {width}, {way}));"),
        [rows] => {
            let pitch = bytes(frame, datum, &inner[*rows..]);
            let rows = count(*rows);
            format!("cuda_check(cudaMemcpy2D({to}, {pitch}, {from}, {pitch}, {width}, {rows}, {way}));")
        }
        [slices, rows] => {
            let (pitch, height) =
                (bytes(frame, datum, &inner[*rows..]), product(frame, None, &inner[*slices..*rows]));
            let (slices, rows) = (count(*slices), count(*rows));
            format!("cuda_copy_box({to}, {from}, {pitch}, {height}, {width}, {rows}, {slices}, {way});")
        }
        _ => return None,
    };
    let call = Stmt::line(call);
    let conditions = exists.into_iter().chain(unless_positive(facts, &one.extent));
    Some(match conditions.reduce(|left, right| binary(AstOp::And, left, right)) {
        Some(condition) => {
            Stmt::If { condition: frame.index(&condition).text, then: vec![call], otherwise: Vec::new() }
        }
        None => call,
    })
}

/// The condition under which a box exists, if its outermost extent says one, and the box where it holds.
fn taken_apart(one: &ElementBox<AstExpr>) -> (Option<AstExpr>, ElementBox<AstExpr>) {
    let mut one = one.clone();
    let mut exists = None;
    if let Some(outermost) = one.extent.first_mut()
        && let AstExpr::Op(AstOp::Select, choice) = outermost.clone()
        && let [condition, then, otherwise] = choice.as_slice()
    {
        if *otherwise == AstExpr::Int(0) {
            exists = Some(condition.clone());
            *outermost = then.clone();
        } else if *then == AstExpr::Int(0) {
            exists = Some(negated(condition.clone()));
            *outermost = otherwise.clone();
        }
    }
    (exists, one)
}

/// `A + n + 1`
fn address(frame: &Frame<'_>, datum: &Datum<'_>, pointer: &str, index: &[AstExpr]) -> Option<String> {
    let offset = frame.offset(datum, index)?;
    Some(match offset.text.as_str() {
        "0" => pointer.to_owned(),
        _ => format!("{pointer} + {}", offset.at_least(BinaryOp::Add.precedence())),
    })
}

/// The bytes of a box of which no extent is zero.
fn bytes(frame: &Frame<'_>, datum: &Datum<'_>, extents: &[AstExpr]) -> String {
    let size = format!("sizeof({})", Dialect::Cxx.type_name(datum.array.element));
    product(frame, Some(Fragment::atom(size, CType::ULong)), extents)
}

fn product(frame: &Frame<'_>, unit: Option<Fragment>, extents: &[AstExpr]) -> String {
    let factors = extents.iter().filter(|extent| value(extent) != Some(1)).map(|extent| frame.index(extent));
    let all = unit.into_iter().chain(factors);
    let product = all.reduce(|left, right| Fragment::infix(BinaryOp::Mul, &left, &right, CType::ULong));
    product.map_or_else(|| "1".to_owned(), |product| product.text)
}
