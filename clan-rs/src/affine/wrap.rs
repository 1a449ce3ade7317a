//! Proofs that integers do not wrap around, and assumptions where there is no proof.
//!
//! If a value fits into its type only for some values of the parameters, these values are assumed: they become a part
//! of the context of the region, and the user is warned unless only astronomical values are excluded.

use polyhedra::{PwAff, Set, Simplify, Text};
use scop::{BinaryOp, CType, Diagnostic, SourceRange};

use crate::affine::point::Point;
use crate::affine::translator::{Affine, Mode};
use crate::c::ctree::{Expr, ExprKind};
use crate::errors::{ASSUMPTION, Fault, Result, WRAPS};

/// Parameters of this size or more do not occur in practice, so assuming that they are smaller needs no warning.
/// Twice a smaller value fits into an `int`.
const ASTRONOMICAL: i64 = 1 << 30;

impl Affine<'_, '_> {
    /// Proves that a value fits into its type at every instance, or assumes of the parameters that it does.
    pub fn require_range(&mut self, value: &PwAff, ctype: CType, expr: &Expr, point: &Point) -> Result<()> {
        if self.mode == Mode::Survey {
            return Ok(());
        }
        let (least, largest) = ctype.range();
        let known = self.known(point)?;
        if outside(value, (least, largest), &known, point)?.is_empty()? {
            return Ok(());
        }
        let exceeds = known.copy()?.intersect(value.copy()?.gt_set(point.constant(largest)?)?)?;
        // The generated program checks the assumption in 64 bits with a sign.
        let limit = if exceeds.is_empty()? { largest } else { largest.min(i64::MAX.into()) };
        let misfits = outside(value, (least, limit), &known, point)?;
        match self.assumption(misfits.copy()?.params()?, &known)? {
            Some(assumption) => {
                let label = format!("otherwise this wraps around in `{ctype}`");
                let help = format!("{} to avoid the assumption", remedy(expr));
                self.assume(assumption, misfits.params()?, expr.range, label, &help)
            }
            None => Err(self.wraps(ctype, expr)),
        }
    }

    /// Returns a condition on the parameters under which none of the excluded values occurs. The condition is convex
    /// and leaves some of the instances. Returns nothing if there is no such condition, or several to choose from.
    pub(crate) fn assumption(&self, excluded: Set, known: &Set) -> Result<Option<Set>> {
        let relevant = known.copy()?.params()?;
        let pieces =
            excluded.complement()?.intersect(self.ranges.copy()?)?.simplified()?.get_basic_set_list()?;
        let mut found = None;
        for k in 0..pieces.size()? {
            let piece = Set::from_basic_set(pieces.get_at(k)?)?.gist(relevant.copy()?)?;
            if !known.copy()?.intersect_params(piece.copy()?)?.is_empty()? {
                if found.is_some() {
                    return Ok(None);
                }
                found = Some(piece);
            }
        }
        Ok(found)
    }

    /// Assumes something about the parameters. `label` says what would be wrong for the `excluded` parameters
    /// otherwise.
    pub(crate) fn assume(
        &mut self,
        assumption: Set,
        excluded: Set,
        range: SourceRange,
        label: impl Into<String>,
        help: &str,
    ) -> Result<()> {
        if !excluded.intersect(self.everyday_values()?)?.is_empty()? {
            let message = format!("this translation assumes that {}", constraints_of(&assumption)?);
            self.warnings.push(Diagnostic::warning(ASSUMPTION, message).at("", range, label).with_help(help));
        }
        self.assumed = self.assumed.copy()?.intersect(assumption)?.simplified()?;
        Ok(())
    }

    fn everyday_values(&self) -> Result<Set> {
        let mut values = Set::parse("{ : }")?;
        for name in self.environment.parameters.values() {
            let text = format!("[{name}] -> {{ : -{ASTRONOMICAL} < {name} < {ASTRONOMICAL} }}");
            values = values.intersect(Set::parse(&text)?)?;
        }
        Ok(values)
    }

    fn wraps(&self, ctype: CType, expr: &Expr) -> Fault {
        let message = format!("{} may wrap around", self.subject());
        Fault::new(WRAPS, message, expr.range, format!("not proved to fit into `{ctype}`"))
            .with_help(format!("{} such as `int` or `long`", remedy(expr)))
    }
}

/// Returns what to write instead, so that nothing wraps around. The overflow of a signed product is undefined,
/// whereas C++ and the compilers define that of a signed shift.
fn remedy(expr: &Expr) -> &'static str {
    match expr.kind {
        ExprKind::Binary(BinaryOp::Shl, ..) => "multiply signed integers by a power of two instead",
        _ => "use signed integers",
    }
}

/// Returns the instances among `known` at which a value is outside a range.
fn outside(value: &PwAff, (least, largest): (i128, i128), known: &Set, point: &Point) -> Result<Set> {
    let fits = value.copy()?.ge_set(point.constant(least)?)?;
    let fits = fits.intersect(value.copy()?.le_set(point.constant(largest)?)?)?;
    Ok(known.copy()?.subtract(fits)?)
}

/// Returns the constraints of a set of parameter values in isl's notation.
fn constraints_of(set: &Set) -> Result<String> {
    let text = set.text()?;
    let inside = text.split_once(" : ").map_or(text.as_str(), |(_, rest)| rest);
    Ok(inside.trim_end_matches(" }").to_owned())
}
