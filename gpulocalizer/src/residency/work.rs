//! How much work the analysis takes, for tests: nodes, touches and runs of regions that it looks at.

#[cfg(test)]
thread_local! {
    static DONE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts nodes, touches and runs that are looked at.
#[inline]
pub fn add(_amount: usize) {
    #[cfg(test)]
    DONE.set(DONE.get() + _amount);
}

/// Returns how much work something takes.
#[cfg(test)]
pub fn of(something: impl FnOnce()) -> usize {
    let before = DONE.get();
    something();
    DONE.get() - before
}
