//! The last accesses to an element before another, and whether isl has found them.
//!
//! isl finds them one loop after the other, with parametric integer programming (Feautrier's array dataflow analysis). Where conditions have
//! remainders, isl 0.27 loses a part of the answer now and then, without a word. To look whether an answer is right is simpler than to find it, and so
//! is a second way to find it, by subtraction, which takes too long for most programs. Where even a look takes too long, nothing is assumed to hide
//! anything.
//!
//! Each sink is a question of its own: where one takes too long, the others have their answers.

mod sink;
mod timed;

use std::collections::BTreeMap;

use polyhedra::{Limit, Result, Text, UnionFlow, UnionMap, limit_work, maps_of};

use sink::{Answer, Sink, SinkId};
use timed::{Timed, Times, tag_name};

/// For each access to an element, the sink, the sources before it that no access of a third kind, a kill, hides.
pub struct Last {
    /// `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]] }`
    pub full: UnionMap,
    /// Without the elements: `{ [S0[i] -> a1[]] -> [S1[j] -> a2[]] }`.
    pub dependences: UnionMap,
    /// The sinks before which there is no kill: `{ [S1[j] -> a2[]] -> A0[x] }`. The sources of others are not all there are.
    pub without_kill: UnionMap,
}

impl Last {
    /// What isl found.
    pub fn from_isl(flow: &UnionFlow) -> Result<Self> {
        Ok(Self {
            full: flow.get_full_may_dependence()?,
            dependences: flow.get_may_dependence()?,
            without_kill: flow.get_may_no_source()?,
        })
    }

    /// What is said of all sinks.
    fn from_answers(answers: Answers) -> Result<Self> {
        let (mut full, mut without_kill) = (UnionMap::parse("{ }")?, UnionMap::parse("{ }")?);
        for answer in answers.into_values() {
            for pairs in answer.sources.into_values() {
                full = full.add_map(pairs)?;
            }
            if let Some(sinks) = answer.without_kill {
                without_kill = without_kill.add_map(sinks)?;
            }
        }
        Ok(Self { dependences: full.copy()?.range_factor_domain()?, full, without_kill })
    }

    /// What is said of each sink, in objects of its own: isl simplifies in place what it looks at, and what others read afterwards shall not depend
    /// on that.
    fn answers(&self) -> Result<Answers> {
        let again = |map: &UnionMap| UnionMap::parse(&map.text()?);
        let mut answers = Answers::new();
        for pairs in maps_of(&again(&self.full)?)? {
            let space = pairs.get_space()?;
            let answer = answers.entry(SinkId::new(space.copy()?.range()?.unwrap()?)?).or_default();
            answer.sources.insert(tag_name(space.domain()?)?, pairs);
        }
        for sinks in maps_of(&again(&self.without_kill)?)? {
            let id = SinkId::new(sinks.get_space()?)?;
            answers.entry(id).or_default().without_kill = Some(sinks);
        }
        Ok(answers)
    }
}

/// What is said of each sink. A sink of which nothing is said has no sources, and a kill before it.
type Answers = BTreeMap<SinkId, Answer>;

/// What is asked for.
pub struct Asked<'a> {
    /// When each tagged instance happens: `{ [S0[i] -> a1[]] -> [t] }`.
    pub times: UnionMap,
    /// The sinks and their elements.
    pub sinks: &'a UnionMap,
    /// The possible sources and their elements.
    pub sources: UnionMap,
    /// What hides sources before it.
    pub kills: &'a UnionMap,
}

/// What it may take to look whether the answer for one sink is right, and to find it.
const LIMIT: Limit = Limit { operations: 2_000_000, seconds: 2 };

/// How many sinks may take longer before no other is looked at.
const PATIENCE: usize = 3;

impl Asked<'_> {
    /// What isl found, if it is right, or else what is, or all accesses before a sink where to find out takes too long: what depends on more
    /// stays in order all the same. The last kills are among those before the same sinks that `killers` has, or `found` if the sources have
    /// the kills.
    pub fn confirmed(&self, found: Result<Last>, killers: Option<&Last>) -> Result<Last> {
        let answers = found.as_ref().ok().map(Last::answers).transpose()?;
        let killers = killers.map(Last::answers).transpose()?;
        let nothing = Answer::default();
        let mut others = Answers::new();
        let mut patience = if matches!(&found, Err(error) if error.is_limit()) { 0 } else { PATIENCE };
        let times = Times::new(&self.times)?;
        let accesses = self.accesses(&times)?;
        for sink in accesses.sinks()? {
            let id = sink.id()?;
            let answer = answers.as_ref().map(|answers| answers.get(&id).unwrap_or(&nothing));
            let killers = killers.as_ref().map(|killers| killers.get(&id).unwrap_or(&nothing));
            let other = if patience == 0 {
                Some(sink.all()?)
            } else {
                match limit_work(LIMIT, || sink.otherwise(answer, killers)) {
                    Err(error) if error.is_limit() => {
                        patience -= 1;
                        Some(sink.all()?)
                    }
                    other => other?,
                }
            };
            others.extend(other.map(|other| (id, other)));
        }
        match found {
            Ok(found) if others.is_empty() => Ok(found),
            _ => Last::from_answers(answers.unwrap_or_default().into_iter().chain(others).collect()),
        }
    }

    fn accesses<'b>(&self, times: &'b Times) -> Result<Accesses<'b>> {
        Ok(Accesses {
            sinks: Timed::all(self.sinks, times)?,
            sources: Timed::all(&self.sources, times)?,
            kills: Timed::all(self.kills, times)?,
        })
    }
}

/// The accesses of a question.
struct Accesses<'a> {
    sinks: Vec<Timed<'a>>,
    sources: Vec<Timed<'a>>,
    kills: Vec<Timed<'a>>,
}

impl Accesses<'_> {
    /// Each sink with what may be before it.
    fn sinks(&self) -> Result<Vec<Sink<'_>>> {
        let sink = |access| Sink::new(access, &self.sources, &self.kills);
        self.sinks.iter().map(sink).collect()
    }
}

#[cfg(test)]
mod tests {
    use polyhedra::{UnionAccessInfo, UnionSet};

    use super::*;

    fn map(text: &str) -> UnionMap {
        UnionMap::parse(text).unwrap()
    }

    /// What isl finds where all sources are kills.
    fn isl_finds(asked: &Asked<'_>) -> Last {
        let info = UnionAccessInfo::from_sink(asked.sinks.copy().unwrap()).unwrap();
        let info = info.set_schedule_map(asked.times.copy().unwrap()).unwrap();
        let info = info.set_must_source(asked.sources.copy().unwrap()).unwrap();
        Last::from_isl(&info.compute_flow().unwrap()).unwrap()
    }

    fn is_same(one: &Last, other: &Last) -> bool {
        one.full.is_equal(&other.full).unwrap()
            && one.dependences.is_equal(&other.dependences).unwrap()
            && one.without_kill.is_equal(&other.without_kill).unwrap()
    }

    /// `for (i) a[i] = 0; for (i) a[2 * i] = 1; for (i) … = a[i];`
    fn every_second() -> (UnionMap, UnionMap, UnionMap) {
        let writes =
            map("[n] -> { [S0[i] -> a0[]] -> A0[i] : 0 <= i < n; [S1[i] -> a1[]] -> A0[2i] : 0 <= 2i < n }");
        let reads = map("[n] -> { [S2[i] -> a2[]] -> A0[i] : 0 <= i < n }");
        let times =
            map("{ [S0[i] -> a0[]] -> [0, i]; [S1[i] -> a1[]] -> [1, i]; [S2[i] -> a2[]] -> [2, i] }");
        (writes, reads, times)
    }

    /// True if the answer is right for all sinks.
    fn is_right(asked: &Asked<'_>, last: &Last) -> bool {
        let (answers, times) = (last.answers().unwrap(), Times::new(&asked.times).unwrap());
        let accesses = asked.accesses(&times).unwrap();
        let is_right = |sink: Sink<'_>| sink.is_right(&answers[&sink.id().unwrap()], None).unwrap();
        accesses.sinks().unwrap().into_iter().all(is_right)
    }

    #[test]
    fn what_isl_leaves_out_is_missed() {
        let (writes, reads, times) = every_second();
        let asked = Asked { times, sinks: &reads, sources: writes.copy().unwrap(), kills: &writes };
        let right = isl_finds(&asked);
        assert!(is_right(&asked, &right));
        for lost in [
            "[n] -> { [S0[i] -> a0[]] -> [[S2[i] -> a2[]] -> A0[i]] : i = 7 }",
            "[n] -> { [S1[i] -> a1[]] -> [[S2[j] -> a2[]] -> A0[j]] : n = 5 }",
        ] {
            let found = Last {
                full: right.full.copy().unwrap().subtract(map(lost)).unwrap(),
                dependences: map("{ }"),
                without_kill: map("{ }"),
            };
            assert!(!is_right(&asked, &found), "{lost}");
            assert!(is_same(&right, &asked.confirmed(Ok(found), None).unwrap()), "{lost}");
        }
    }

    #[test]
    fn where_isl_fails_the_answer_is_found_by_subtraction() {
        let (writes, reads, times) = every_second();
        let asked = Asked { times, sinks: &reads, sources: writes.copy().unwrap(), kills: &writes };
        let last = asked.confirmed(Err(polyhedra::Error::new("unexpected dimensionality")), None).unwrap();
        assert!(is_same(&isl_finds(&asked), &last));
    }

    #[test]
    fn beyond_the_limit_nothing_hides_anything() {
        let (writes, reads, times) = every_second();
        let asked = Asked { times, sinks: &reads, sources: writes.copy().unwrap(), kills: &writes };
        let limit = Limit { operations: 1, seconds: 60 };
        let given_up = limit_work(limit, || asked.confirmed(Err(polyhedra::Error::new("")), None));
        let last = asked.confirmed(given_up, None).unwrap();
        let all = map("[n] -> { [S0[i] -> a0[]] -> [[S2[i] -> a2[]] -> A0[i]] : 0 <= i < n; \
             [S1[i] -> a1[]] -> [[S2[2i] -> a2[]] -> A0[2i]] : 0 <= 2i < n }");
        assert!(last.full.is_equal(&all).unwrap());
        assert!(last.dependences.is_equal(&all.range_factor_domain().unwrap()).unwrap());
        assert!(last.without_kill.is_equal(&reads).unwrap());
    }

    /// What is hidden is no source, though it is written, and before the sink.
    #[test]
    fn an_earlier_write_is_not_the_last_one() {
        let (writes, reads, times) = every_second();
        let asked = Asked { times, sinks: &reads, sources: writes.copy().unwrap(), kills: &writes };
        let first = map("[n] -> { [S0[i] -> a0[]] -> [[S2[i] -> a2[]] -> A0[i]] : 0 <= i < n }");
        let found = Last { full: first, dependences: map("{ }"), without_kill: map("{ }") };
        assert!(!is_right(&asked, &found));
    }

    /// isl 0.27 loses every other row but the first of what is read before it is written (`thirds_and_halves_of_rows` in `tests/kernels/shapes.c`).
    #[test]
    fn rows_that_isl_loses_are_found() {
        let domains = "[n] -> { [S0[i] -> a0[]] : (1 - n + i) mod 3 = 0 and 0 <= i < n; \
             [S1[i] -> a1[]] : (1 + n + i) mod 2 = 0 and 0 <= i < n; \
             [S2[i, j] -> a6[]] : 0 <= i < n and 0 <= j < n; [S2[i, j] -> a3[]] : 0 <= i < n and 0 <= j < n }";
        let of = |text: &str| map(text).intersect_domain(UnionSet::parse(domains).unwrap()).unwrap();
        let writes = of("{ [S0[i] -> a0[]] -> A0[0, o] : -1 + i <= 2o <= i; [S1[i] -> a1[]] -> A0[i, 0]; \
             [S2[i, j] -> a6[]] -> A0[i, j] }");
        let reads = of("{ [S2[i, j] -> a3[]] -> A0[i, j] }");
        let times = of("{ [S0[i] -> a0[]] -> [0, -i, 0, 1]; [S1[i] -> a1[]] -> [1, -i, 0, 1]; \
             [S2[i, j] -> a6[]] -> [2, i, j, 1]; [S2[i, j] -> a3[]] -> [2, i, j, 0] }");
        let asked = Asked { times, sinks: &reads, sources: writes.copy().unwrap(), kills: &writes };
        let read = map("[n] -> { [S2[1, 1] -> a3[]] -> A0[1, 1] : n > 1 }");
        let last = asked.confirmed(Ok(isl_finds(&asked)), None).unwrap();
        assert!(read.is_subset(&last.without_kill).unwrap());
        assert!(is_right(&asked, &last));
    }
}
