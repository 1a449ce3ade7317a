//! libbarvinok, if it is installed, and the limits for its counts.

use std::cell::{Cell, RefCell, RefMut};
use std::time::Duration;

use barvinok::{Counter, Work};
use polyhedra::{Error, Result};

/// The limits for all counts of one region, once for layouts and once more for transfers. This many numbers take one
/// or two seconds. The time limit is therefore reached first only on a machine that is too slow for everything else.
pub const WORK: Work = Work { numbers: 5_000_000, time: Duration::from_secs(4) };

/// Counts for one region after another. The library is opened when it is first needed, which few regions do.
pub struct Counting {
    counter: RefCell<Option<std::result::Result<Counter, barvinok::Error>>>,
    /// The limit for all counts from now on, if the counter does not know it yet.
    allowed: Cell<Option<Work>>,
}

impl Counting {
    /// Returns what counts with the library, if it is installed.
    pub fn open() -> Self {
        Self { counter: RefCell::new(None), allowed: Cell::new(None) }
    }

    /// Returns the reason why the library is missing, if it is.
    pub fn missing(&self) -> Option<String> {
        self.opened().as_ref().err().map(ToString::to_string)
    }

    /// Sets the limit for all counts from now on together.
    pub fn allow(&self, work: Work) {
        self.allowed.set(Some(work));
    }

    fn opened(&self) -> RefMut<'_, std::result::Result<Counter, barvinok::Error>> {
        RefMut::map(self.counter.borrow_mut(), |counter| counter.get_or_insert_with(Counter::open))
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
        let counted = match &mut *self.opened() {
            Ok(counter) => {
                if let Some(work) = self.allowed.take() {
                    counter.allow(work);
                }
                count(counter)
            }
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
