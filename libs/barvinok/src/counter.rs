//! The counter: an open library, a context, and what was counted before.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::path::Path;
use std::time::Duration;

use crate::apart::{End, apart};
use crate::bindings::{Functions, isl_ctx, isl_pw_qpolynomial};
use crate::{Error, library};

/// `ISL_ON_ERROR_CONTINUE`
const ON_ERROR_CONTINUE: i32 = 1;

/// Elementary operations of isl that one count may take. They make most hard counts end at the same point on every machine.
const OPERATIONS: u64 = 2_000_000;

/// Processor time that one count may take: what libbarvinok does between two operations of isl is not bounded by their number.
const TIME: Duration = Duration::from_millis(150);

/// The longest text of a count, in bytes: no program computes a longer one, and only to read it takes isl seconds.
const LENGTH: usize = 1 << 14;

/// A part of what isl says beyond the allowed number of operations.
const QUOTA: &str = "maximal number of operations";

/// Counts sets, and remembers what it counted.
pub struct Counter {
    functions: Functions,
    context: *mut isl_ctx,
    known: BTreeMap<String, Result<String, Error>>,
    /// The processor time that is left for all counts, if that is bounded.
    left: Option<Duration>,
}

impl Counter {
    /// Opens the library where [`library::default_path`] finds it.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`] if it is not there.
    pub fn open() -> Result<Self, Error> {
        let path = library::default_path();
        let path = path.ok_or_else(|| Error::Missing("no file libbarvinok.so was found".to_owned()))?;
        Self::open_at(&path)
    }

    /// Opens the library at `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`] if it is not there.
    pub fn open_at(path: &Path) -> Result<Self, Error> {
        let functions = library::open(path)?;
        // SAFETY: the context is live until `drop`.
        let context = unsafe {
            let context = functions.isl_ctx_alloc();
            functions.isl_options_set_on_error(context, ON_ERROR_CONTINUE);
            functions.isl_ctx_set_max_operations(context, OPERATIONS);
            context
        };
        Ok(Self { functions, context, known: BTreeMap::new(), left: None })
    }

    /// The same counter, which gives up everything once it has counted so long (in processor time).
    pub fn within(mut self, time: Duration) -> Self {
        self.left = Some(time);
        self
    }

    /// The number of points of a set as a function of its parameters, in isl's notation for piecewise
    /// quasi-polynomials: `[n] -> { [i] : 0 <= i < n }` has `[n] -> { n : n > 0 }`.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] if the count is too hard, [`Error::Failed`] if the text is not a set or the set is not finite.
    pub fn card(&mut self, set: &str) -> Result<String, Error> {
        if let Some(known) = self.known.get(set) {
            return known.clone();
        }
        let count = self.count(set, |functions, context, text| {
            // SAFETY: the context and the text are live; a null set has a null count.
            unsafe { functions.isl_set_card(functions.isl_set_read_from_str(context, text)) }
        });
        self.known.insert(set.to_owned(), count.clone());
        count
    }

    /// The number of images of each point of a relation's domain, as a function of that point and of the parameters:
    /// `[n] -> { [i] -> [j] : 0 <= j < i }` has `[n] -> { [i] -> i : i > 0 }`.
    ///
    /// # Errors
    ///
    /// As [`Counter::card`].
    pub fn card_of_images(&mut self, relation: &str) -> Result<String, Error> {
        if let Some(known) = self.known.get(relation) {
            return known.clone();
        }
        let count = self.count(relation, |functions, context, text| {
            // SAFETY: as in `card`.
            unsafe { functions.isl_map_card(functions.isl_map_read_from_str(context, text)) }
        });
        self.known.insert(relation.to_owned(), count.clone());
        count
    }

    fn count(
        &mut self,
        text: &str,
        card: impl FnOnce(&Functions, *mut isl_ctx, *const c_char) -> *mut isl_pw_qpolynomial,
    ) -> Result<String, Error> {
        let text =
            CString::new(text).map_err(|_| Error::Failed("the text contains a NUL character".to_owned()))?;
        // PolyLib, to which libbarvinok hands sets, keeps its state in global variables and is not always well; nothing of it comes back.
        let patience = self.left.map_or(TIME, |left| left.min(TIME));
        if patience.is_zero() {
            return Err(Error::Limit);
        }
        let outcome = apart(patience, || {
            // SAFETY: the context is live, and each function takes over or gives back objects as isl documents; null operands are
            // passed on as null results.
            unsafe {
                self.functions.isl_ctx_reset_operations(self.context);
                let count = card(&self.functions, self.context, text.as_ptr());
                if count.is_null() { Err(self.failure()) } else { self.text(count) }
            }
        });
        self.left = self.left.map(|left| left.saturating_sub(outcome.time));
        match outcome.end {
            End::Answered(Ok(count)) if count.len() <= LENGTH => Ok(count),
            End::Answered(Ok(_)) | End::OutOfTime => Err(Error::Limit),
            End::Answered(Err(message)) if message.contains(QUOTA) => Err(Error::Limit),
            End::Answered(Err(message)) => Err(Error::Failed(message)),
            End::Crashed => Err(Error::Failed("it crashed".to_owned())),
            End::NotStarted(error) => Err(Error::Failed(error.to_string())),
        }
    }

    /// # Safety
    ///
    /// `count` is a live object of the context.
    unsafe fn text(&self, count: *mut isl_pw_qpolynomial) -> Result<String, String> {
        // SAFETY: isl gives a string of its own, which we free.
        unsafe {
            let text = self.functions.isl_pw_qpolynomial_to_str(count);
            if text.is_null() {
                return Err(self.failure());
            }
            let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
            libc::free(text.cast());
            Ok(owned)
        }
    }

    /// What went wrong last.
    fn failure(&self) -> String {
        // SAFETY: the context is live; the message is a static string or null.
        unsafe {
            let message = self.functions.isl_ctx_last_error_msg(self.context);
            if message.is_null() {
                "it gave no reason".to_owned()
            } else {
                CStr::from_ptr(message).to_string_lossy().into_owned()
            }
        }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        // SAFETY: no object of the context is left.
        unsafe { self.functions.isl_ctx_free(self.context) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing where the library is not installed: the crate's users must do without as well.
    fn counter() -> Option<Counter> {
        Counter::open().ok()
    }

    #[test]
    fn counts_triangles_and_tiles() {
        let Some(mut counter) = counter() else { return };
        let cases = [
            ("{ [i, j] : 0 <= i < 4 and 0 <= j <= i }", "{ 10 }"),
            ("[n] -> { [i] : 0 <= i < n }", "[n] -> { n : n > 0 }"),
            ("[n] -> { [i, j] : 0 <= i <= j < n }", "[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }"),
            ("{ [i] : 1 = 0 }", "{ 0 }"),
        ];
        for (set, count) in cases {
            assert_eq!(counter.card(set).as_deref(), Ok(count), "{set}");
        }
    }

    #[test]
    fn counts_images() {
        let Some(mut counter) = counter() else { return };
        let smaller = "[n] -> { A[i, j] -> A[k, l] : 0 <= j <= i < n and 0 <= l <= k < n and (k < i or (k = i and l < j)) }";
        let count = counter.card_of_images(smaller).unwrap();
        assert!(count.starts_with("[n] -> { A[i, j] -> "), "{count}");
    }

    #[test]
    fn refuses_what_is_no_set_and_goes_on() {
        let Some(mut counter) = counter() else { return };
        assert!(matches!(counter.card("{ [i : }"), Err(Error::Failed(_))));
        assert_eq!(counter.card("{ [i] : 0 <= i < 3 }").as_deref(), Ok("{ 3 }"));
    }

    #[test]
    fn gives_up_what_is_too_much() {
        let Some(mut counter) = counter() else { return };
        let conditions: Vec<String> =
            (2..40).map(|k| format!("{k}i + {}j + {}k >= {k} - n", 41 - k, k * k % 37)).collect();
        let hard = format!("[n] -> {{ [i, j, k] : i, j, k <= n and {} }}", conditions.join(" and "));
        assert_eq!(counter.card(&hard), Err(Error::Limit));
        assert_eq!(counter.card("{ [i] : 0 <= i < 3 }").as_deref(), Ok("{ 3 }"));
    }

    #[test]
    fn gives_up_when_all_time_is_used() {
        let Some(counter) = counter() else { return };
        let mut counter = counter.within(Duration::ZERO);
        assert_eq!(counter.card("{ [i] : 0 <= i < 3 }"), Err(Error::Limit));
    }

    #[test]
    fn says_that_the_library_is_missing() {
        let missing = Counter::open_at(Path::new("/nonexistent/libbarvinok.so"));
        assert!(matches!(missing, Err(Error::Missing(_))));
    }
}
