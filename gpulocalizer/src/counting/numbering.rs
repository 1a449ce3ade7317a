//! A dense numbering of the elements that kernels use (PoCC-GPU, section 5.1).
//!
//! The number of an element x of a set C is the number of elements of C that are lexicographically smaller:
//!
//! ```text
//! sigma(x) = | { y : y in C and y < x } |
//! ```
//!
//! This maps C one to one to 0, 1, …, |C| - 1, for every set C.

use std::collections::BTreeSet;

use polyhedra::polynomial::{Piece, Variable, evaluate, pieces_of};
use polyhedra::{DimType, PwAff, PwQPolynomial, Result, Set, Text, Val, context, integer};
use scop::{IslPwQPolynomial, Numbering};

use place::counting::{Counting, WORK};

/// Why a set is not numbered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// libbarvinok is not installed.
    Missing(String),
    /// The set is too hard to count.
    Hard(String),
}

/// Numbers elements, if libbarvinok is installed.
pub struct Numberer<'a> {
    counting: &'a Counting,
}

impl<'a> Numberer<'a> {
    /// Starts numbering for a region.
    pub fn new(counting: &'a Counting) -> Self {
        counting.allow(WORK);
        Self { counting }
    }

    /// Returns the number of elements of a set, which is the part of a numbering that is quick to compute.
    ///
    /// # Errors
    /// Returns an error if an isl operation fails or a count takes too long. A set that is too hard to count is not
    /// an error.
    pub fn count(&self, elements: &Set) -> Result<std::result::Result<IslPwQPolynomial, Refusal>> {
        let text = elements.text()?;
        let count = self.counting.count(|counter| counter.card(&text))?;
        Ok(count.map(IslPwQPolynomial).map_err(|error| Refusal::of(&error)))
    }

    /// Returns the position of each element of a set, which [`crate::counting::numbering_proof::is_right`] must
    /// check.
    ///
    /// # Errors
    /// As for [`Self::count`].
    pub fn positions(&self, elements: &Set) -> Result<std::result::Result<IslPwQPolynomial, Refusal>> {
        let before = elements.copy()?.lex_gt_set(elements.copy()?)?.text()?;
        match self.counting.count(|counter| counter.card_of_images(&before))? {
            Ok(position) => {
                let position = in_one_piece(PwQPolynomial::parse(&position)?.coalesce()?, elements)?;
                Ok(Ok(IslPwQPolynomial(position.text()?)))
            }
            Err(error) => Ok(Err(Refusal::of(&error))),
        }
    }
}

impl Refusal {
    /// Returns the result of [`crate::counting::numbering_proof::is_right`] for a wrong numbering.
    pub fn wrong() -> Self {
        Self::Hard("libbarvinok miscounts its elements".to_owned())
    }

    /// Returns the reason in words.
    pub fn why(self) -> String {
        match self {
            Self::Missing(why) | Self::Hard(why) => why,
        }
    }

    fn of(error: &barvinok::Error) -> Self {
        match error {
            barvinok::Error::Missing(_) => Self::Missing(error.to_string()),
            // libbarvinok's own message is about its data structures.
            barvinok::Error::Failed(_) => Self::Hard("libbarvinok cannot count its elements".to_owned()),
            _ => Self::Hard(error.to_string()),
        }
    }
}

/// Replaces a function on the elements by one of its polynomials, if that is right for all of them. Counting gives
/// rows without predecessors a piece of their own, although the polynomial of the other rows is often 0 there as
/// well.
fn in_one_piece(position: PwQPolynomial, elements: &Set) -> Result<PwQPolynomial> {
    for piece in pieces_of(&position)? {
        let polynomial = position.copy()?.intersect_domain(piece.domain.copy()?)?.gist(piece.domain)?;
        if !polynomial.isa_qpolynomial()? {
            continue;
        }
        let everywhere = polynomial.intersect_domain(elements.copy()?)?;
        if is_zero(&position.copy()?.sub(everywhere.copy()?)?)? {
            return Ok(everywhere);
        }
    }
    Ok(position)
}

/// True if a function is zero everywhere. Each piece is examined with the equations that hold there, and value by
/// value in a dimension that has only a few values.
pub fn is_zero(function: &PwQPolynomial) -> Result<bool> {
    for piece in pieces_of(function)? {
        let here = function.copy()?.intersect_domain(piece.domain.copy()?)?.gist(piece.domain.copy()?)?;
        let vanishes = pieces_of(&here)?.iter().all(|piece| piece.terms.is_empty());
        if !vanishes && !is_zero_at_each(function, &piece.domain)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A dimension with at most this many values is examined value by value.
const FEW_VALUES: i64 = 4;

/// True if a function is zero on a part of its domain in which some dimension has several values, but few.
fn is_zero_at_each(function: &PwQPolynomial, part: &Set) -> Result<bool> {
    for position in 0..part.dim(DimType::Set)? as u32 {
        let bounds = [part.copy()?.dim_min_val(position as i32)?, part.copy()?.dim_max_val(position as i32)?];
        let [Ok(least), Ok(most)] = bounds.each_ref().map(integer) else { continue };
        if least == most || most - least >= FEW_VALUES {
            continue;
        }
        for value in least..=most {
            let value = Val::int_from_si(context(), value)?;
            let here = part.copy()?.fix_val(DimType::Set, position, value)?;
            if !is_zero(&function.copy()?.intersect_domain(here)?)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    Ok(false)
}

/// The computation of an element's position in generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The number of cases to distinguish.
    pub pieces: usize,
    /// The number of terms of the largest case.
    pub terms: usize,
    /// The largest number of variable factors in one term.
    pub degree: u32,
}

impl Effort {
    /// Returns the effort of a numbering.
    ///
    /// # Errors
    /// Returns an error if [`pieces_of`] cannot split the numbering into pieces.
    pub fn of(numbering: &Numbering, elements: &Set) -> Result<Self> {
        let pieces = numbering.pieces(elements)?;
        let terms = pieces.iter().map(|piece| piece.terms.len()).max().unwrap_or_default();
        let degrees = pieces.iter().flat_map(|piece| &piece.terms);
        let degree = degrees.map(|term| term.powers.iter().map(|(_, exponent)| exponent).sum()).max();
        Ok(Self { pieces: pieces.len(), terms, degree: degree.unwrap_or_default() })
    }

    /// True if it costs a kernel little compared with an access to memory.
    pub fn is_small(self) -> bool {
        self.pieces <= 2 && self.terms <= 8 && self.degree <= 3
    }

    /// True if generated code can compute it in 64 bits for arrays of any size that fits into memory.
    pub fn is_possible(self) -> bool {
        self.pieces <= 16 && self.terms <= 32 && self.degree <= 4
    }
}

/// The value that parameters are assumed to have when alternatives are compared.
pub const TYPICAL: i64 = 1000;

/// Returns the value of a function of the parameters if all of them are typical, or nothing if it is too large.
pub fn typical(count: &PwQPolynomial) -> Result<Option<i64>> {
    let pieces = pieces_of(count)?;
    let names = parameters_of(&pieces);
    let values: Vec<(&str, i64)> = names.iter().map(|name| (name.as_str(), TYPICAL)).collect();
    Ok(evaluate(&pieces, &values, &[]).ok())
}

/// Returns the typical value of an extent, or zero if it is negative.
pub fn typical_extent(extent: &str) -> Result<Option<i64>> {
    Ok(typical(&PwQPolynomial::from_pw_aff(PwAff::parse(extent)?)?)?.map(|value| value.max(0)))
}

/// Returns the parameters of some pieces.
pub fn parameters_of(pieces: &[Piece]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for piece in pieces {
        let count = piece.domain.dim(DimType::Param).unwrap_or_default();
        for position in 0..count as u32 {
            if let Ok(name) = piece.domain.get_dim_name(DimType::Param, position) {
                names.insert(name.to_owned());
            }
        }
        for (variable, _) in piece.terms.iter().flat_map(|term| &term.powers) {
            if let Variable::Parameter(name) = variable {
                names.insert(name.clone());
            }
        }
    }
    names
}

/// True if generated code can compute the count.
pub fn expressible(numbering: &Numbering, context: &Set) -> Result<bool> {
    let count = PwQPolynomial::parse(&numbering.count.0)?;
    match scop::from_isl::of_polynomial(context, &count, &[]) {
        Ok(_) => Ok(true),
        Err(error) if error.is_limit() => Err(error),
        Err(_) => Ok(false),
    }
}
