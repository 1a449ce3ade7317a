//! One sink, and the accesses of its array that may come before it.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use polyhedra::{DimType, Map, Result, Simplify, Space};

use super::timed::{Time, Timed, tag_name};

/// What is asked of one sink.
pub struct Sink<'a> {
    /// Its accesses, of one array.
    access: &'a Timed<'a>,
    /// When the access to each element happens: `{ [[S1[j] -> a2[]] -> A0[x]] -> [t] }`.
    time: Map,
    /// The possible sources that may come before it.
    sources: Vec<&'a Timed<'a>>,
    /// What hides sources, if it comes behind them and before the sink.
    kills: Vec<&'a Timed<'a>>,
}

/// What is said of one sink.
#[derive(Default)]
pub struct Answer {
    /// The sources that nothing hides, by the names of their tags: `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]] }`.
    pub sources: BTreeMap<String, Map>,
    /// Those before which there is no kill: `{ [S1[j] -> a2[]] -> A0[x] }`.
    pub without_kill: Option<Map>,
}

/// The tag and the array of a sink. The end of the region is one for each array.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct SinkId(String, String);

impl SinkId {
    /// That of `[S1[j] -> a2[]] -> A0[x]`.
    pub fn new(space: Space) -> Result<Self> {
        let array = space.get_tuple_name(DimType::Out)?.to_owned();
        Ok(Self(tag_name(space.domain()?)?, array))
    }
}

/// Kills before a sink.
struct Killer<'a> {
    time: &'a Time,
    /// `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]] }`
    pairs: Map,
}

impl Killer<'_> {
    /// What it is before: `{ [S1[j] -> a2[]] -> A0[x] }`.
    fn killed(&self) -> Result<Map> {
        Ok(self.pairs.copy()?.range()?.unwrap()?)
    }
}

impl<'a> Sink<'a> {
    /// A sink among the accesses of a question.
    pub fn new(access: &'a Timed<'a>, sources: &'a [Timed<'a>], kills: &'a [Timed<'a>]) -> Result<Self> {
        let happens = Map::universe(access.elements.get_space()?)?.domain_map()?;
        let time = happens.apply_range(access.time.map.copy()?)?;
        let before = |accesses: &'a [Timed<'a>]| {
            let may_come_before = |other: &&Timed<'a>| {
                other.array == access.array && other.time.of_nest(access.time) != Some(Ordering::Greater)
            };
            accesses.iter().filter(may_come_before).collect()
        };
        Ok(Self { access, time, sources: before(sources), kills: before(kills) })
    }

    /// Which it is.
    pub fn id(&self) -> Result<SinkId> {
        SinkId::new(self.access.elements.get_space()?)
    }

    /// The right answer, if it is not this one; `killers` as in [`Self::is_right`].
    pub fn otherwise(&self, answer: Option<&Answer>, killers: Option<&Answer>) -> Result<Option<Answer>> {
        match answer {
            Some(answer) if self.is_right(answer, killers)? => Ok(None),
            _ => self.by_subtraction().map(Some),
        }
    }

    /// True if all sources that no kill hides are in the answer, and, if it has the kills, all sinks before which there is none. The last kills are
    /// among those that `killers` has.
    pub fn is_right(&self, answer: &Answer, killers: Option<&Answer>) -> Result<bool> {
        let last_kills = self.last_kills(killers.unwrap_or(answer))?;
        if killers.is_none() {
            let mut open = self.access.elements.copy()?;
            if let Some(without_kill) = &answer.without_kill {
                open = open.subtract(without_kill.copy()?)?;
            }
            for kill in &last_kills {
                open = open.subtract(kill.killed()?)?;
            }
            if !open.is_empty()? {
                return Ok(false);
            }
        }
        for source in &self.sources {
            let mut missing = self.open(source, &last_kills)?;
            if let Some(found) = answer.sources.get(&source.tag) {
                missing = missing.subtract(found.copy()?)?;
            }
            if !missing.is_empty()? && !without_hidden(missing, source, &last_kills)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The answer, from nothing but accesses and times.
    pub fn by_subtraction(&self) -> Result<Answer> {
        let kill = |kill: &&'a Timed<'a>| Ok(Killer { time: kill.time, pairs: self.pairs(kill)? });
        let kills = self.kills.iter().map(kill).collect::<Result<Vec<_>>>()?;
        let mut answer = Answer::default();
        for source in &self.sources {
            let pairs = without_hidden(self.open(source, &kills)?, source, &kills)?;
            answer.sources.insert(source.tag.clone(), pairs.simplified()?);
        }
        let mut without_kill = self.access.elements.copy()?;
        for kill in &kills {
            without_kill = without_kill.subtract(kill.killed()?)?;
        }
        answer.without_kill = Some(without_kill);
        Ok(answer)
    }

    /// All sources before it, as if nothing hid anything.
    pub fn all(&self) -> Result<Answer> {
        let mut answer = Answer { without_kill: Some(self.access.elements.copy()?), ..Answer::default() };
        for source in &self.sources {
            answer.sources.insert(source.tag.clone(), self.pairs(source)?);
        }
        Ok(answer)
    }

    /// The kills among the sources of an answer, as far as they are before it.
    fn last_kills(&self, answer: &Answer) -> Result<Vec<Killer<'a>>> {
        let mut last_kills = Vec::new();
        for kill in &self.kills {
            if let Some(pairs) = answer.sources.get(&kill.tag) {
                let pairs = pairs.copy()?.intersect(self.pairs(kill)?)?;
                last_kills.push(Killer { time: kill.time, pairs });
            }
        }
        Ok(last_kills)
    }

    /// The accesses to its elements that come before it: `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]] }`.
    fn pairs(&self, access: &Timed<'_>) -> Result<Map> {
        self.pairs_of(access, self.access.elements.copy()?)
    }

    /// The same for some of its instances and elements, `{ [S1[j] -> a2[]] -> A0[x] }`.
    fn pairs_of(&self, access: &Timed<'_>, sinks: Map) -> Result<Map> {
        let pairs = access.elements.copy()?.apply_range(sinks.range_map()?.reverse()?)?;
        self.in_order(access.time, pairs)
    }

    /// Of all pairs with an access those of which that comes first.
    fn in_order(&self, time: &Time, pairs: Map) -> Result<Map> {
        match time.of_nest(self.access.time) {
            Some(Ordering::Less) => Ok(pairs),
            Some(_) => Ok(Map::empty(pairs.get_space()?)?),
            None => Ok(pairs.intersect(time.map.copy()?.lex_lt_map(self.time.copy()?)?)?),
        }
    }

    /// The pairs with a source that is before it and that no kill in a nest behind the source's hides.
    fn open(&self, source: &Timed<'_>, kills: &[Killer<'_>]) -> Result<Map> {
        let mut sinks = self.access.elements.copy()?;
        for kill in kills {
            if kill.time.of_nest(source.time) == Some(Ordering::Greater) {
                sinks = sinks.subtract(kill.killed()?)?;
            }
        }
        self.pairs_of(source, sinks)
    }
}

/// Of the pairs with a source that [`Sink::open`] leaves those without a kill in between.
fn without_hidden(pairs: Map, source: &Timed<'_>, kills: &[Killer<'_>]) -> Result<Map> {
    let mut hidden = Map::empty(pairs.get_space()?)?;
    for kill in kills.iter().filter(|kill| kill.time.of_nest(source.time).is_none()) {
        let times = kill.pairs.copy()?.reverse()?.apply_range(kill.time.map.copy()?)?;
        hidden = hidden.union(source.time.map.copy()?.lex_lt_map(times)?)?;
    }
    Ok(pairs.subtract(hidden)?)
}
