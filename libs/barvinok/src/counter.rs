//! The counter: an open library, a context, and the counts so far.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::path::Path;
use std::time::Duration;

use crate::apart::{Answer, End, apart};
use crate::bindings::{Functions, isl_ctx, isl_pw_qpolynomial};
use crate::{Error, library, numbers};

/// `ISL_ON_ERROR_CONTINUE`
const ON_ERROR_CONTINUE: i32 = 1;

/// The maximum of [`Work::numbers`] for one count, which takes a quarter of a second. The hardest count that gives a
/// useful formula for a program of `tests`, `examples` and `benches` needs a third of it.
const NUMBERS: u64 = 1_000_000;

/// The maximum length of a count's text, in bytes: no program computes a longer one, and isl takes seconds just to
/// read it.
const LENGTH: usize = 1 << 14;

/// An amount of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// The number of requests for memory for big integers. It is the same on every machine, and the time is
    /// proportional to it: 100 to 400 ns for each request, whatever is counted. (The operations that isl bounds are
    /// only its own.)
    pub numbers: u64,
    /// Processor time.
    pub time: Duration,
}

/// A function of libbarvinok that counts the set or relation in a text.
trait Card: FnOnce(&Functions, *mut isl_ctx, *const c_char) -> *mut isl_pw_qpolynomial {}

impl<F: FnOnce(&Functions, *mut isl_ctx, *const c_char) -> *mut isl_pw_qpolynomial> Card for F {}

/// A counter of sets that remembers its counts.
pub struct Counter {
    functions: Functions,
    context: *mut isl_ctx,
    known: BTreeMap<String, Result<String, Error>>,
    /// The work that is left for all counts.
    left: Work,
}

impl Counter {
    /// Opens the library at [`library::default_path`].
    ///
    /// # Errors
    ///
    /// Returns [`Error::Missing`] if the library is not there.
    pub fn open() -> Result<Self, Error> {
        let path = library::default_path();
        let path = path.ok_or_else(|| Error::Missing("no file libbarvinok.so was found".to_owned()))?;
        Self::open_at(&path)
    }

    /// Opens the library at `path`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Missing`] if the library is not there.
    pub fn open_at(path: &Path) -> Result<Self, Error> {
        let functions = library::open(path)?;
        // SAFETY: the context is live until `drop`.
        let context = unsafe {
            let context = functions.isl_ctx_alloc();
            functions.isl_options_set_on_error(context, ON_ERROR_CONTINUE);
            context
        };
        let left = Work { numbers: u64::MAX, time: Duration::MAX };
        Ok(Self { functions, context, known: BTreeMap::new(), left })
    }

    /// Sets the work that all counts together may take from now on. Remembered counts take none.
    pub fn allow(&mut self, work: Work) {
        self.left = work;
    }

    /// Returns the number of points of a set as a function of its parameters, in isl's notation for piecewise
    /// quasi-polynomials: `[n] -> { n : n > 0 }` for `[n] -> { [i] : 0 <= i < n }`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Limit`] if the count is too hard, [`Error::Failed`] if the text is not a set or the set is
    /// not finite, and an error for which [`Error::may_vary`] holds if the failure depends on the machine.
    pub fn card(&mut self, set: &str) -> Result<String, Error> {
        self.known_or_counted(set, |functions, context, text| {
            // SAFETY: the context and the text are live; a null set has a null count.
            unsafe { functions.isl_set_card(functions.isl_set_read_from_str(context, text)) }
        })
    }

    /// Returns the number of images of each point of a relation's domain, as a function of that point and of the
    /// parameters: `[n] -> { [i] -> i : i > 0 }` for `[n] -> { [i] -> [j] : 0 <= j < i }`.
    ///
    /// # Errors
    ///
    /// Fails as [`Counter::card`] does.
    pub fn card_of_images(&mut self, relation: &str) -> Result<String, Error> {
        self.known_or_counted(relation, |functions, context, text| {
            // SAFETY: as in `card`.
            unsafe { functions.isl_map_card(functions.isl_map_read_from_str(context, text)) }
        })
    }

    /// Returns a remembered count, or counts. Failures that more work or time may avoid are not remembered.
    fn known_or_counted(&mut self, text: &str, card: impl Card) -> Result<String, Error> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let whole = self.left.numbers >= NUMBERS;
        let count = self.count(text, card);
        let is_known = match &count {
            Err(error) if error.may_vary() => false,
            Err(Error::Limit) => whole,
            _ => true,
        };
        if is_known {
            self.known.insert(text.to_owned(), count.clone());
        }
        count
    }

    fn count(&mut self, text: &str, card: impl Card) -> Result<String, Error> {
        let text =
            CString::new(text).map_err(|_| Error::Failed("the text contains a NUL character".to_owned()))?;
        let may = Work { numbers: self.left.numbers.min(NUMBERS), ..self.left };
        if may.numbers == 0 {
            return Err(Error::Limit);
        }
        if may.time.is_zero() {
            return Err(Error::Time);
        }
        // PolyLib, to which libbarvinok passes sets, keeps its state in global variables and is not always reliable;
        // the separate process discards that state.
        let outcome = apart(may.time, || {
            // SAFETY: the context is live, and each function takes or returns ownership of objects as isl documents;
            // null operands give null results.
            let answer = unsafe {
                numbers::bound(&self.functions, may.numbers);
                let count = card(&self.functions, self.context, text.as_ptr());
                if count.is_null() { Err(self.failure()) } else { self.text(count) }
            };
            Answer { answer, numbers: numbers::used() }
        });
        self.left = Work {
            numbers: self.left.numbers - outcome.numbers.unwrap_or(may.numbers).min(may.numbers),
            time: self.left.time.saturating_sub(outcome.time),
        };
        match outcome.end {
            End::Answered(Ok(count)) if count.len() <= LENGTH => Ok(count),
            End::Answered(Ok(_)) | End::TooMuch => Err(Error::Limit),
            End::Answered(Err(message)) => Err(Error::Failed(message)),
            End::Crashed => Err(Error::Failed("it crashed".to_owned())),
            End::OutOfTime => Err(Error::Time),
            End::NotStarted(error) => Err(Error::NotStarted(error.to_string())),
        }
    }

    /// # Safety
    ///
    /// `count` is a live object of the context.
    unsafe fn text(&self, count: *mut isl_pw_qpolynomial) -> Result<String, String> {
        // SAFETY: isl returns a newly allocated string, which we free.
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

    /// Returns the message of the last error.
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

    /// Returns nothing if the library is not installed: the crate's users must do without it as well.
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

    /// PolyLib takes seconds for this set between two operations of isl: it has four parameters and many conditions
    /// on them.
    #[test]
    fn gives_up_what_polylib_takes_long_for() {
        let Some(mut counter) = counter() else { return };
        let conditions: Vec<String> = (1..=16)
            .map(|k| {
                format!(
                    "{}i + {}j <= {}n + {}m + {}k + {}l + {k}",
                    k % 5 - 2,
                    k % 7 - 3,
                    k % 3,
                    k % 4,
                    k % 5,
                    k % 6
                )
            })
            .collect();
        let hard = format!(
            "[n, m, k, l] -> {{ [i, j] : 0 <= i <= n and 0 <= j <= m and {} }}",
            conditions.join(" and ")
        );
        assert_eq!(counter.card(&hard), Err(Error::Limit));
    }

    /// The work that is left after a count is the same on every machine, and so is the first count that fails.
    #[test]
    fn gives_up_when_all_work_is_done() {
        let Some(mut counter) = counter() else { return };
        let work = Work { numbers: 3 * NUMBERS / 1000, time: Duration::from_secs(60) };
        let mut counted = || {
            counter.known.clear();
            counter.allow(work);
            let sets = (1..1000).map(|k| format!("[n] -> {{ [i, j] : 0 <= {k}i <= j < n }}"));
            let done = sets.map(|set| counter.card(&set)).take_while(Result::is_ok).count();
            assert_eq!(counter.card("{ [i] : 0 <= i < 3 }"), Err(Error::Limit));
            (done, counter.left.numbers)
        };
        let first = counted();
        assert!(first.0 > 0 && first.1 == 0, "{first:?}");
        assert_eq!(counted(), first);
    }

    #[test]
    fn goes_on_when_there_is_time_and_work_again() {
        let Some(mut counter) = counter() else { return };
        counter.allow(Work { numbers: NUMBERS, time: Duration::ZERO });
        assert_eq!(counter.card("{ [i] : 0 <= i < 3 }"), Err(Error::Time));
        counter.allow(Work { numbers: 10, time: Duration::from_secs(60) });
        assert_eq!(counter.card("{ [i] : 0 <= i < 3 }"), Err(Error::Limit));
        counter.allow(Work { numbers: NUMBERS, time: Duration::from_secs(60) });
        assert_eq!(counter.card("{ [i] : 0 <= i < 3 }").as_deref(), Ok("{ 3 }"));
    }

    #[test]
    fn says_that_the_library_is_missing() {
        let missing = Counter::open_at(Path::new("/nonexistent/libbarvinok.so"));
        assert!(matches!(missing, Err(Error::Missing(_))));
    }
}
