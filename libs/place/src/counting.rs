//! libbarvinok, if it is installed, and the limits for its counts.

use std::cell::RefCell;
use std::time::Duration;

use barvinok::{Counter, Work};
use polyhedra::{Error, Result};

/// The limits for all counts of one region, once for layouts and once more for transfers. This many numbers take one
/// or two seconds. The time limit is therefore reached first only on a machine that is too slow for everything else.
pub const WORK: Work = Work { numbers: 5_000_000, time: Duration::from_secs(4) };

/// Counts for one region after another.
pub struct Counting {
    counter: RefCell<std::result::Result<Counter, barvinok::Error>>,
}

impl Counting {
    /// Opens the library, if it is installed.
    pub fn open() -> Self {
        Self { counter: RefCell::new(Counter::open()) }
    }

    /// Returns the reason why the library is missing, if it is.
    pub fn missing(&self) -> Option<String> {
        self.counter.borrow().as_ref().err().map(ToString::to_string)
    }

    /// Sets the limit for all counts from now on together.
    pub fn allow(&self, work: Work) {
        if let Ok(counter) = &mut *self.counter.borrow_mut() {
            counter.allow(work);
        }
    }

    /// Counts, or returns the reason why not, which is the same on every machine.
    ///
    /// # Errors
    /// Returns an error if a count took too long. On another machine it might not, so the region is refused instead
    /// of getting another form.
    pub fn count<T>(
        &self,
        count: impl FnOnce(&mut Counter) -> std::result::Result<T, barvinok::Error>,
    ) -> Result<std::result::Result<T, barvinok::Error>> {
        let counted = match &mut *self.counter.borrow_mut() {
            Ok(counter) => count(counter),
            Err(missing) => Err(missing.clone()),
        };
        match counted {
            Err(error) if error.may_vary() => Err(Error::late(format!(
                "{error}; with `--layout box --transfer per-array` gpulocalizer counts nothing"
            ))),
            counted => Ok(counted),
        }
    }
}
