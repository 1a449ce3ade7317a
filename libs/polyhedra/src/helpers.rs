//! Short names for frequent operations.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ffi::CStr;
use std::os::raw::{c_char, c_int, c_long};

use isl_rs::{
    BasicSet, Map, MultiPwAff, PwAff, PwMultiAff, PwQPolynomial, Schedule, Set, UnionMap, UnionSet, Val,
};

use libc::uintptr_t;

use crate::context::without_limit;
use crate::error::last_error;
use crate::{Error, Result, context, plain_objects};

/// An isl object that has a textual form.
pub trait Text: Sized {
    /// Parses isl's notation.
    fn parse(text: &str) -> Result<Self>;
    /// Prints isl's notation; never fails on an object that isl built.
    fn text(&self) -> Result<String>;
}

/// The function of `plain_objects` that reads a type, if there is one.
macro_rules! plain_reader {
    () => {
        plain_objects::none
    };
    ($reader:ident) => {
        plain_objects::$reader
    };
}

// The verifier and the passes read the same texts of a document several times, and isl's parser is slow. The thread
// therefore remembers what it has read.
macro_rules! impl_text {
    ($($type:ident$(: $reader:ident)? => $print:expr;)*) => {$(
        impl Text for $type {
            fn parse(text: &str) -> Result<Self> {
                thread_local! {
                    static KNOWN: RefCell<HashMap<String, $type>> = RefCell::new(HashMap::new());
                }
                if let Some(known) = KNOWN.with_borrow(|known| known.get(text).map(<$type>::copy)) {
                    return Ok(known?);
                }
                checked_text(text)?;
                // SAFETY: the context is live, and the object is new.
                let plain = unsafe {
                    let ptr = plain_reader!($($reader)?)(context().ptr, text);
                    (ptr != 0).then(|| $type { ptr, should_free_on_drop: true })
                };
                let read = || {
                    let object = <$type>::read_from_str(context(), text)?;
                    if object.ptr == 0 {
                        return Err(Error::new("isl: the text is incomplete"));
                    }
                    Ok(object)
                };
                let object = plain.map_or_else(|| read_without_limit(read), Ok)?;
                let copy = object.copy()?;
                KNOWN.with_borrow_mut(|known| known.insert(text.to_owned(), copy));
                Ok(object)
            }
            fn text(&self) -> Result<String> {
                let print: fn(&$type) -> Result<String> = $print;
                print(self)
            }
        }
    )*};
}

/// Calls `read`, and calls it again without a limit if it fails under one, because isl reports any failure inside
/// its parser as a syntax error. The next operation then reaches the limit.
fn read_without_limit<T>(read: impl Fn() -> Result<T>) -> Result<T> {
    let first = read();
    if first.is_ok() || context().get_max_operations() == 0 {
        return first;
    }
    without_limit(read)
}

unsafe extern "C" {
    fn isl_basic_set_to_str(object: uintptr_t) -> *mut c_char;
    fn isl_val_cmp_si(value: uintptr_t, other: c_long) -> c_int;
    fn isl_val_get_num_si(value: uintptr_t) -> c_long;
    fn isl_val_is_int(value: uintptr_t) -> c_int;
    fn isl_val_to_str(object: uintptr_t) -> *mut c_char;
    fn isl_set_to_str(object: uintptr_t) -> *mut c_char;
    fn isl_union_set_to_str(object: uintptr_t) -> *mut c_char;
    fn isl_map_to_str(object: uintptr_t) -> *mut c_char;
    fn isl_union_map_to_str(object: uintptr_t) -> *mut c_char;
    fn isl_pw_aff_to_str(object: uintptr_t) -> *mut c_char;
    fn isl_pw_multi_aff_to_str(object: uintptr_t) -> *mut c_char;
    fn isl_multi_pw_aff_to_str(object: uintptr_t) -> *mut c_char;
    fn isl_pw_qpolynomial_to_str(object: uintptr_t) -> *mut c_char;
}

/// Takes a text that isl printed. Printing takes operations, so it may reach their limit and return null, which
/// isl-rs does not expect.
fn printed(text: *mut c_char) -> Result<String> {
    if text.is_null() {
        return Err(last_error());
    }
    // SAFETY: isl returns a newly allocated string, which we free.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        libc::free(text.cast());
        Ok(owned)
    }
}

macro_rules! print_by {
    ($function:ident) => {
        // SAFETY: the object is live.
        |object| printed(unsafe { $function(object.ptr) })
    };
}

impl_text! {
    BasicSet => print_by!(isl_basic_set_to_str);
    Set: set => print_by!(isl_set_to_str);
    UnionSet: union_set => print_by!(isl_union_set_to_str);
    Map: map => print_by!(isl_map_to_str);
    UnionMap: union_map => print_by!(isl_union_map_to_str);
    PwAff => print_by!(isl_pw_aff_to_str);
    PwMultiAff => print_by!(isl_pw_multi_aff_to_str);
    MultiPwAff => print_by!(isl_multi_pw_aff_to_str);
    PwQPolynomial => print_by!(isl_pw_qpolynomial_to_str);
    // One node per line, indented.
    Schedule => crate::block_text::block_text;
}

/// isl keeps smaller numbers in machine words. (`isl_val_get_d` gives wrong numbers for larger ones.)
const SMALL: c_long = 1 << 30;

/// Converts isl's value to an integer.
///
/// # Errors
/// Returns isl's error if there is no value because isl gave up, and an error for which [`Error::is_too_large`]
/// holds if the value is not an integer or does not fit 64 bits.
pub fn integer(value: &Val) -> Result<i64> {
    // SAFETY: the value is live, or null, which is no integer and has no text.
    let text = unsafe {
        let is_small = || isl_val_cmp_si(value.ptr, SMALL) < 0 && isl_val_cmp_si(value.ptr, -SMALL) > 0;
        if isl_val_is_int(value.ptr) == 1 && is_small() {
            return Ok(isl_val_get_num_si(value.ptr));
        }
        printed(isl_val_to_str(value.ptr))?
    };
    text.parse().map_err(|_| Error::too_large(&text))
}

/// An isl object that may have a shorter description.
pub trait Simplify: Sized {
    /// Returns the same object in fewer pieces, as far as isl can join them.
    ///
    /// isl 0.27 fails on some unions ("total dimensionality changed unexpectedly"); they are returned unchanged.
    ///
    /// # Errors
    ///
    /// Fails if a limit is reached.
    fn simplified(self) -> Result<Self>;
}

macro_rules! impl_simplify {
    ($own:ident: $($type:ty),* $(,)?) => {$(
        impl Simplify for $type {
            fn simplified(self) -> Result<Self> {
                match $own!(self).coalesce().map_err(Error::from) {
                    Err(error) if error.is_limit() => Err(error),
                    result => Ok(result.unwrap_or(self)),
                }
            }
        }
    )*};
}

macro_rules! copied {
    ($object:ident) => {
        $object.copy()?
    };
}

/// A copy of a function that shares nothing with it: isl 0.27 coalesces functions of one piece in place, even if
/// they have other owners, and leaves them without a domain if it fails.
macro_rules! unshared {
    ($function:ident) => {
        if $function.n_piece()? == 1 { $function.copy()?.neg()?.neg()? } else { $function.copy()? }
    };
}

impl_simplify!(copied: Set, UnionSet, Map, UnionMap);
impl_simplify!(unshared: PwAff, PwMultiAff);

/// Returns the same set in one piece, if it is convex. Coalescing does not join `n >= 4 and i < n` and `n = 3 and i
/// <= 2`.
pub fn joined(set: Set) -> Result<Set> {
    if set.n_basic_set()? < 2 {
        return Ok(set);
    }
    let hull = Set::from_basic_set(set.copy()?.simple_hull()?)?;
    Ok(if hull.is_subset(&set)? { hull } else { set })
}

/// More digits than any useful number has. The time that isl needs to read a number grows with their square.
const MOST_DIGITS: usize = 1000;

/// Refuses a text with an interior NUL, on which isl-rs panics, or with a number that has too many digits.
fn checked_text(text: &str) -> Result<()> {
    if text.contains('\0') {
        return Err(Error::new("the text contains a NUL character"));
    }
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    match numbers.map(str::len).max() {
        Some(digits) if digits > MOST_DIGITS => {
            Err(Error::new(format!("the text contains a number of {digits} digits")))
        }
        _ => Ok(()),
    }
}

/// Returns the tuple name of a set, or nothing for an anonymous tuple.
pub fn tuple_name(set: &Set) -> Result<Option<String>> {
    if set.has_tuple_name()? { Ok(Some(set.get_tuple_name()?.to_owned())) } else { Ok(None) }
}

/// Returns the sets of a union, one for each space, in a reproducible order.
pub fn sets_of(union: &UnionSet) -> Result<Vec<Set>> {
    let list = union.get_set_list()?;
    let mut sets = (0..list.size()?).map(|k| Ok(list.get_at(k)?)).collect::<Result<Vec<Set>>>()?;
    sort_by_text(&mut sets)?;
    Ok(sets)
}

/// Returns the maps of a union, one for each pair of spaces, in a reproducible order.
pub fn maps_of(union: &UnionMap) -> Result<Vec<Map>> {
    let list = union.get_map_list()?;
    let mut maps = (0..list.size()?).map(|k| Ok(list.get_at(k)?)).collect::<Result<Vec<Map>>>()?;
    sort_by_text(&mut maps)?;
    Ok(maps)
}

fn sort_by_text<T: Text>(objects: &mut Vec<T>) -> Result<()> {
    if objects.len() < 2 {
        return Ok(());
    }
    let mut keyed = objects.drain(..).map(|o| Ok((o.text()?, o))).collect::<Result<Vec<_>>>()?;
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    objects.extend(keyed.into_iter().map(|(_, o)| o));
    Ok(())
}

/// Returns the number of integer divisions in a set, over all its disjuncts.
pub fn divisions(set: &Set) -> Result<usize> {
    let pieces = set.get_basic_set_list()?;
    let mut count = 0;
    for position in 0..pieces.n_basic_set()? {
        count += pieces.get_basic_set(position)?.dim(isl_rs::DimType::Div)? as usize;
    }
    Ok(count)
}

/// Returns the divisors of the integer divisions in a set.
pub fn divisors(set: &Set) -> Result<BTreeSet<i64>> {
    let pieces = set.copy()?.compute_divs()?.get_basic_set_list()?;
    let mut divisors = BTreeSet::new();
    for position in 0..pieces.n_basic_set()? {
        let piece = pieces.get_basic_set(position)?;
        for division in 0..piece.dim(isl_rs::DimType::Div)? {
            divisors.insert(integer(&piece.get_div(division)?.get_denominator_val()?)?);
        }
    }
    Ok(divisors)
}

/// Returns the text of a relation, the same in every run.
///
/// isl's dataflow analysis handles its parts in an order that depends on addresses. This order decides whether the
/// result contains integer divisions without effect (`floor(i/2) = floor(i/2)`). Reading the text again removes
/// them.
pub fn settled_text(relation: &Map) -> Result<String> {
    let text = relation.text()?;
    if text.contains("floor(") { Map::parse(&text)?.simplified()?.text() } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_64_bits_are_read() {
        let read = |text: &str| integer(&Val::read_from_str(context(), text).expect("is a value"));
        for exponent in [0, 1, 29, 30, 31, 32, 33, 40, 52, 53, 62] {
            for number in [-1, 0, 1].map(|more| (1_i64 << exponent) + more) {
                assert_eq!(read(&number.to_string()).ok(), Some(number));
                assert_eq!(read(&(-number).to_string()).ok(), Some(-number));
            }
        }
        for other in ["1/2", "9223372036854775808", "-99999999999999999999"] {
            assert!(read(other).is_err_and(|error| error.is_too_large()), "{other}");
        }
    }

    #[test]
    fn printing_beyond_a_limit_is_an_error() {
        let map = Map::parse("[n] -> { S0[i] -> S1[j] : (i + j) mod 3 = 1 and 2j <= i < n }").unwrap();
        let limit = crate::Limit { operations: 1, seconds: 60 };
        match crate::limit_work(limit, || map.copy()?.text()) {
            Ok(text) => assert!(text.starts_with("[n] -> { S0[i] -> S1[j] : ")),
            Err(error) => assert!(error.is_limit(), "{error}"),
        }
    }

    #[test]
    fn a_limit_is_no_syntax_error() {
        let limit = crate::Limit { operations: 1, seconds: 60 };
        let text = "[n] -> { S5[i] -> S7[j] : (i + j) mod 3 = 1 and 2j <= i < n }";
        let tried = crate::limit_work(limit, || {
            let map = Map::parse(text)?;
            Ok(map.copy()?.subtract(map.reverse()?)?.coalesce()?)
        });
        assert!(tried.is_err_and(|error: Error| error.is_limit()));
    }

    #[test]
    fn a_question_that_meets_the_limit_says_so() {
        let limit = crate::Limit { operations: 1, seconds: 60 };
        let set = Set::parse("[n] -> { S5[i, j] : (i + j) mod 3 = 1 and 2j <= i < n and i <= 7j }").unwrap();
        let tried = crate::limit_work(limit, || Ok(set.copy()?.complement()?.is_empty()?));
        assert!(tried.is_err_and(|error: Error| error.is_limit()));
        let asked = crate::limit_work(limit, || Ok(set.is_bounded()?));
        assert!(asked.is_err_and(|error: Error| error.is_limit()));
    }

    #[test]
    fn convex_sets_are_joined() {
        let extent = "0 <= i and 0 <= j";
        let parts = |first: &str, second: &str| {
            Set::parse(&format!("[n] -> {{ A0[i, j] : {extent} and ({first} or {second}) }}")).unwrap()
        };
        let convex = parts("(n >= 4 and i < n and j < n)", "(n = 3 and i <= 2 and j <= 2)");
        assert_eq!(joined(convex.copy().unwrap()).unwrap().n_basic_set().unwrap(), 1);
        assert!(joined(convex.copy().unwrap()).unwrap().is_equal(&convex).unwrap());
        let other = parts("(n >= 4 and i < n and j < n)", "(n = 3 and i <= 2 and j <= 1)");
        assert!(joined(other.copy().unwrap()).unwrap().is_equal(&other).unwrap());
    }

    /// A limit does no harm whatever isl is doing when it is reached.
    #[test]
    fn functions_meet_limits_without_harm() {
        let domain =
            "(i mod 2 = 0 and 0 <= i < n) or (i mod 2 = 1 and 0 <= i <= m) or (i mod 3 = 0 and i <= 2n)";
        let text = format!("[n, m] -> {{ S5[i] -> [(floor(i/3))] : {domain} }}");
        let function = PwAff::parse(&text).unwrap();
        let domain = function.copy().unwrap().domain().unwrap();
        let mut limits = 0;
        for operations in 1..4000 {
            let tried = crate::limit_work(crate::Limit { operations, seconds: 60 }, || {
                Ok(function.copy()?.simplified()?.gist(domain.copy()?)?.floor()?)
            });
            limits += usize::from(tried.is_err_and(|error: Error| error.is_limit()));
            assert_eq!(function.n_piece().unwrap(), 1, "{operations} operations");
        }
        assert!(limits > 100, "{limits} limits met");
    }

    #[test]
    fn a_schedule_prints_in_block_style_and_reads_back() {
        let text = "domain: \"[n] -> { S0[i] : 0 <= i < n }\"\nchild:\n  schedule: \"[n] -> [{ S0[i] -> [(i)] }]\"\n";
        let schedule = Schedule::parse(text).unwrap();
        let printed = schedule.text().unwrap();
        assert!(printed.lines().count() > 2, "{printed}");
        assert!(schedule.plain_is_equal(&Schedule::parse(&printed).unwrap()).unwrap());
    }

    #[test]
    fn bad_texts_are_errors() {
        for text in ["", "{ [i : }", "[n] -> { [i] : i < m }", "{ [i] : i = 0\0 }"] {
            assert!(Set::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn divisors_are_those_of_remainders_and_quotients() {
        let set =
            Set::parse("{ [i, j] : i mod 4 = 1 or (floor(j / 6)) mod 2 = 1; [i, j] : exists (e : i = 10e) }")
                .unwrap();
        assert_eq!(divisors(&set).unwrap().into_iter().collect::<Vec<_>>(), [4, 10, 12]);
        assert!(divisors(&Set::parse("{ [i] : 0 <= i < 7 }").unwrap()).unwrap().is_empty());
    }

    #[test]
    fn a_number_of_millions_of_digits_is_not_read() {
        let text = |digits: usize| format!("{{ [i] : 0 <= i < {} }}", "7".repeat(digits));
        let error = Set::parse(&text(2_000_000)).err().unwrap();
        assert_eq!(error.to_string(), "the text contains a number of 2000000 digits");
        assert!(Set::parse(&text(MOST_DIGITS)).is_ok());
    }

    #[test]
    fn pieces_that_fit_together_become_one() {
        let map = Map::parse("{ [i] -> [j] : j = i + 1 and i >= 0 or j = i + 1 and i < 0 }").unwrap();
        let same = map.copy().unwrap().simplified().unwrap();
        assert!(same.is_equal(&map).unwrap());
        assert_eq!(same.n_basic_map().unwrap(), 1);
    }

    #[test]
    fn unions_are_listed_in_a_fixed_order() {
        let union = UnionSet::parse("{ S2[i]; S0[i]; S1[i, j] }").unwrap();
        let names: Vec<_> =
            sets_of(&union).unwrap().iter().map(|set| tuple_name(set).unwrap().unwrap()).collect();
        assert_eq!(names, ["S0", "S1", "S2"]);
    }
}
