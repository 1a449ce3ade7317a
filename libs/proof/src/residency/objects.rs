//! Sets of memory objects.

/// Some of the memory objects that a plan is about, by their numbers in [`crate::residency::facts::Facts`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objects(Vec<u64>);

impl Objects {
    /// Returns the empty set; `count` is the number of all objects.
    pub fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub fn insert(&mut self, object: usize) {
        if let Some(word) = self.0.get_mut(object / 64) {
            *word |= 1 << (object % 64);
        }
    }

    pub fn take(&mut self, object: usize) {
        if let Some(word) = self.0.get_mut(object / 64) {
            *word &= !(1 << (object % 64));
        }
    }

    pub fn contains(&self, object: usize) -> bool {
        self.0.get(object / 64).is_some_and(|word| word >> (object % 64) & 1 == 1)
    }

    pub fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word |= other);
    }

    pub fn remove(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word &= !other);
    }

    pub fn keep(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word &= other);
    }

    /// Returns the objects of the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let in_word = |(number, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| number * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(in_word)
    }
}

/// What may be on the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Objects of which it may have a copy that the table does not consider older than the host's values.
    pub held: Objects,
    /// Objects of which it may have newer values than the host.
    pub newer: Objects,
    /// Objects of blocks of which it may have such a copy since the block began.
    pub own: Objects,
}

/// The sets of a [`State`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Held,
    Newer,
    Own,
}

impl State {
    /// Nothing is on the device; `count` is the number of all objects.
    pub fn none(count: usize) -> Self {
        Self { held: Objects::none(count), newer: Objects::none(count), own: Objects::none(count) }
    }

    pub fn of(&self, part: Part) -> &Objects {
        match part {
            Part::Held => &self.held,
            Part::Newer => &self.newer,
            Part::Own => &self.own,
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.held.add(&other.held);
        self.newer.add(&other.newer);
        self.own.add(&other.own);
    }

    /// The device has nothing of some objects any more that counts.
    pub fn lose(&mut self, objects: &Objects) {
        self.held.remove(objects);
        self.newer.remove(objects);
        self.own.remove(objects);
    }
}
