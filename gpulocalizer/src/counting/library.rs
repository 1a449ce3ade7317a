//! libbarvinok, as long as it is there, and what its counts may take.

use std::cell::RefCell;
use std::time::Duration;

use barvinok::{Counter, Work};
use polyhedra::{Error, Result};

/// What the counts may take that are asked for in one region, for layouts and again for transfers. So many numbers take
/// one or two seconds: the time is never over before on a machine that is fast enough for the rest.
pub const WORK: Work = Work { numbers: 5_000_000, time: Duration::from_secs(4) };

/// Counts for one region after the other.
pub struct Counting {
    counter: RefCell<std::result::Result<Counter, barvinok::Error>>,
}

impl Counting {
    /// Opens the library, if it is there.
    pub fn open() -> Self {
        Self { counter: RefCell::new(Counter::open()) }
    }

    /// The library for tests, which have nothing to test without it.
    #[cfg(test)]
    pub fn if_there() -> Option<Self> {
        let counting = Self::open();
        let missing = counting.missing();
        if let Some(why) = &missing {
            eprintln!("not tested: {why}");
        }
        missing.is_none().then_some(counting)
    }

    /// Why there is no library, if there is none.
    pub fn missing(&self) -> Option<String> {
        self.counter.borrow().as_ref().err().map(ToString::to_string)
    }

    /// From now on all counts together may take so much work.
    pub fn allow(&self, work: Work) {
        if let Ok(counter) = &mut *self.counter.borrow_mut() {
            counter.allow(work);
        }
    }

    /// Counts, or says why not: for the same reason on every machine.
    ///
    /// # Errors
    /// That a count took too long, which it may not on another machine: it refuses the region, and leads to no other
    /// form.
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
