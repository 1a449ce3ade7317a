//! One sink, and the accesses to its array that may come before it.

use std::cmp::Ordering;

use crate::{Map, Result, Simplify, within};

use super::timed::{Time, Timed};

/// One sink, with the sources and kills to consider.
pub struct Sink<'a> {
    /// Its accesses, all to one array.
    access: &'a Timed<'a>,
    /// The time of the access to each element: `{ [[S1[j] -> a2[]] -> A0[x]] -> [t] }`.
    time: Map,
    /// The possible sources that may come before it.
    sources: Vec<&'a Timed<'a>>,
    /// The accesses that hide sources, if they come after them and before the sink.
    kills: Vec<&'a Timed<'a>>,
}

/// The number of kills that are tried as a cover that hides everything before it.
const LAST_KILLS: usize = 4;

/// The result for one sink.
pub struct Answer {
    /// The sources that no kill hides: `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]] }`.
    pub sources: Vec<Map>,
    /// The sinks without a kill before them: `{ [S1[j] -> a2[]] -> A0[x] }`.
    pub open: Map,
}

/// The kills of one access before a sink.
struct Killer<'a> {
    time: &'a Time,
    /// `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]] }`
    pairs: Map,
    /// The sinks after them: `{ [S1[j] -> a2[]] -> A0[x] }`.
    killed: Map,
}

impl<'a> Killer<'a> {
    fn new(time: &'a Time, pairs: Map) -> Result<Self> {
        let killed = pairs.copy()?.range()?.unwrap()?;
        Ok(Self { time, pairs, killed })
    }
}

impl<'a> Sink<'a> {
    /// Creates a sink from one access, with those sources and kills that may come before it.
    pub fn new(access: &'a Timed<'a>, sources: &'a [Timed<'a>], kills: &'a [Timed<'a>]) -> Result<Self> {
        let happens = Map::universe(access.elements.get_space()?)?.domain_map()?;
        let time = happens.apply_range(access.time.map.copy()?)?;
        let before = |accesses: &'a [Timed<'a>]| {
            let may_come_before = |other: &&Timed<'a>| {
                !other.is_elsewhere(access) && other.time.of_nest(access.time) != Some(Ordering::Greater)
            };
            accesses.iter().filter(may_come_before).collect()
        };
        Ok(Self { access, time, sources: before(sources), kills: before(kills) })
    }

    /// Returns what is found within this number of isl operations, or else everything before the sink. A sink that
    /// takes more uses up patience; without patience, nothing is tried.
    pub fn answer(&self, operations: u64, patience: &mut usize) -> Result<Answer> {
        if *patience == 0 {
            return self.all();
        }
        match within(operations, || self.last())? {
            Some(answer) => Ok(answer),
            None => {
                *patience -= 1;
                self.all()
            }
        }
    }

    /// Returns what is found, however long that takes.
    pub fn last(&self) -> Result<Answer> {
        let cover = self.cover()?;
        let is_hidden = |access: &Timed<'_>| {
            cover.is_some_and(|cover| access.time.of_nest(cover) == Some(Ordering::Less))
        };
        let kill = |kill: &&'a Timed<'a>| Killer::new(kill.time, self.pairs(kill)?);
        let kills = self.kills.iter().filter(|kill| !is_hidden(kill));
        let kills = kills.map(kill).collect::<Result<Vec<_>>>()?;
        let last =
            |source: &&Timed<'_>| without_hidden(self.open(source, &kills)?, source, &kills)?.simplified();
        let sources = self.sources.iter().filter(|source| !is_hidden(source));
        let sources = sources.map(last).collect::<Result<_>>()?;
        let mut open = self.access.elements.copy()?;
        for kill in &kills {
            open = open.subtract(kill.killed.copy()?)?;
        }
        Ok(Answer { sources, open })
    }

    /// Returns a time in a nest before the sink's before which everything is hidden, if a few kills suffice for
    /// this: of many consecutive nests on the same elements, only the last counts.
    fn cover(&self) -> Result<Option<&'a Time>> {
        let mut kills: Vec<_> = self
            .kills
            .iter()
            .filter(|kill| kill.time.of_nest(self.access.time) == Some(Ordering::Less))
            .collect();
        kills.sort_by(|one, other| other.time.nest.cmp(&one.time.nest));
        let mut open = self.access.elements.copy()?;
        for kill in kills.into_iter().take(LAST_KILLS) {
            open = open.subtract(self.pairs(kill)?.range()?.unwrap()?)?;
            if open.plain_is_empty()? {
                return Ok(Some(kill.time));
            }
        }
        Ok(None)
    }

    /// Returns the result as if there were no kills.
    fn all(&self) -> Result<Answer> {
        let sources = self.sources.iter().map(|source| self.pairs(source)).collect::<Result<_>>()?;
        Ok(Answer { sources, open: self.access.elements.copy()? })
    }

    /// Returns the accesses to its elements that come before it: `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]]
    /// }`.
    fn pairs(&self, access: &Timed<'_>) -> Result<Map> {
        self.pairs_of(access, self.access.elements.copy()?)
    }

    /// As [`Sink::pairs`], for some of its instances and elements, `{ [S1[j] -> a2[]] -> A0[x] }`.
    fn pairs_of(&self, access: &Timed<'_>, sinks: Map) -> Result<Map> {
        let pairs = access.elements.copy()?.apply_range(sinks.range_map()?.reverse()?)?;
        self.in_order(access.time, pairs)
    }

    /// Returns those of all pairs with an access in which the access comes first.
    fn in_order(&self, time: &Time, pairs: Map) -> Result<Map> {
        match time.of_nest(self.access.time) {
            Some(Ordering::Less) => Ok(pairs),
            Some(_) => Ok(Map::empty(pairs.get_space()?)?),
            None => Ok(pairs.intersect(time.map.copy()?.lex_lt_map(self.time.copy()?)?)?),
        }
    }

    /// Returns the pairs with a source that is before the sink and hidden by no kill in a nest after the source's.
    /// Of many consecutive nests, each hides everything before it, so the first kill that is tried mostly leaves
    /// nothing.
    fn open(&self, source: &Timed<'_>, kills: &[Killer<'_>]) -> Result<Map> {
        let mut sinks = self.access.elements.copy()?;
        for kill in kills {
            if sinks.plain_is_empty()? {
                break;
            }
            if kill.time.of_nest(source.time) == Some(Ordering::Greater) {
                sinks = sinks.subtract(kill.killed.copy()?)?;
            }
        }
        self.pairs_of(source, sinks)
    }
}

/// Returns the pairs without a kill in between, of those with a source that [`Sink::open`] leaves.
fn without_hidden(pairs: Map, source: &Timed<'_>, kills: &[Killer<'_>]) -> Result<Map> {
    let mut hidden = Map::empty(pairs.get_space()?)?;
    for kill in kills.iter().filter(|kill| kill.time.of_nest(source.time).is_none()) {
        let times = kill.pairs.copy()?.reverse()?.apply_range(kill.time.map.copy()?)?;
        hidden = hidden.union(source.time.map.copy()?.lex_lt_map(times)?)?;
    }
    Ok(pairs.subtract(hidden)?)
}
