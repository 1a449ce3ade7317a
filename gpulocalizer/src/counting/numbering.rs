//! A dense numbering of the elements that kernels use (PoCC-GPU, section 5.1).
//!
//! The number of an element x of a set C is that of the elements of C that are lexicographically smaller:
//!
//! ```text
//! sigma(x) = | { y : y in C and y < x } |
//! ```
//!
//! It leads one to one from C to 0, 1, …, |C| - 1, whatever C is.

use std::collections::BTreeSet;

use polyhedra::polynomial::{Piece, Variable, evaluate, pieces_of};
use polyhedra::{DimType, PwAff, PwQPolynomial, Result, Set, Text, Val, context, integer};
use scop::{IslPwQPolynomial, Numbering};

use crate::counting::library::{Counting, WORK};

/// Why a set is not numbered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// libbarvinok is not there.
    Missing(String),
    /// The set is too hard to count.
    Hard(String),
}

/// Numbers elements, as long as libbarvinok is there.
pub struct Numberer<'a> {
    counting: &'a Counting,
}

impl<'a> Numberer<'a> {
    /// Numbers the elements of a region.
    pub fn new(counting: &'a Counting) -> Self {
        counting.allow(WORK);
        Self { counting }
    }

    /// The number of the elements of a set: the part of a numbering that is quickly found.
    ///
    /// # Errors
    /// A failure of isl, or a count whose time is over. That the set is too hard to count is no error.
    pub fn count(&self, elements: &Set) -> Result<std::result::Result<IslPwQPolynomial, Refusal>> {
        let text = elements.text()?;
        let count = self.counting.count(|counter| counter.card(&text))?;
        Ok(count.map(IslPwQPolynomial).map_err(|error| Refusal::of(&error)))
    }

    /// The position of each element of a set, which [`crate::counting::numbering_proof::is_right`] has to look at.
    ///
    /// # Errors
    /// As [`Self::count`].
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
    /// What [`crate::counting::numbering_proof::is_right`] found out.
    pub fn wrong() -> Self {
        Self::Hard("libbarvinok counts its elements wrong".to_owned())
    }

    /// Why in words.
    pub fn why(self) -> String {
        match self {
            Self::Missing(why) | Self::Hard(why) => why,
        }
    }

    fn of(error: &barvinok::Error) -> Self {
        match error {
            barvinok::Error::Missing(_) => Self::Missing(error.to_string()),
            // Its own words are about its own data structures.
            barvinok::Error::Failed(_) => Self::Hard("libbarvinok fails to count its elements".to_owned()),
            _ => Self::Hard(error.to_string()),
        }
    }
}

/// The same function of the elements in one piece, if one of its polynomials is right for all of them. Counting tells
/// rows without predecessors apart, for which the polynomial of the others often gives 0 as well.
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

/// True if a function has no other value; each piece is looked at with the equations that hold there, and where a
/// dimension has a few values, for each of them.
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

/// A dimension with so many values is looked at value by value.
const FEW_VALUES: i64 = 4;

/// The same on a part of its domain in which some dimension has several values, but few.
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

/// What code has to compute to find an element's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The cases to tell apart.
    pub pieces: usize,
    /// The summands of the largest.
    pub terms: usize,
    /// The largest number of factors that vary in one summand.
    pub degree: u32,
}

impl Effort {
    /// The effort of a numbering.
    ///
    /// # Errors
    /// What [`pieces_of`] cannot take apart.
    pub fn of(numbering: &Numbering, elements: &Set) -> Result<Self> {
        let pieces = numbering.pieces(elements)?;
        let terms = pieces.iter().map(|piece| piece.terms.len()).max().unwrap_or_default();
        let degrees = pieces.iter().flat_map(|piece| &piece.terms);
        let degree = degrees.map(|term| term.powers.iter().map(|(_, exponent)| exponent).sum()).max();
        Ok(Self { pieces: pieces.len(), terms, degree: degree.unwrap_or_default() })
    }

    /// True if it costs a kernel little beside an access to memory.
    pub fn is_small(self) -> bool {
        self.pieces <= 2 && self.terms <= 8 && self.degree <= 3
    }

    /// True if generated code can do it in 64 bits for arrays of any size that memory holds.
    pub fn is_possible(self) -> bool {
        self.pieces <= 16 && self.terms <= 32 && self.degree <= 4
    }
}

/// The value that parameters are taken to have where two ways are compared.
pub const TYPICAL: i64 = 1000;

/// The value of a function of the parameters where all of them have the typical value; nothing if it is too large.
pub fn typical(count: &PwQPolynomial) -> Result<Option<i64>> {
    let pieces = pieces_of(count)?;
    let names = parameters_of(&pieces);
    let values: Vec<(&str, i64)> = names.iter().map(|name| (name.as_str(), TYPICAL)).collect();
    Ok(evaluate(&pieces, &values, &[]).ok())
}

/// The typical value of an extent, or zero where it is negative.
pub fn typical_extent(extent: &str) -> Result<Option<i64>> {
    Ok(typical(&PwQPolynomial::from_pw_aff(PwAff::parse(extent)?)?)?.map(|value| value.max(0)))
}

fn parameters_of(pieces: &[Piece]) -> BTreeSet<String> {
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
