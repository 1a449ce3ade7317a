//! The last accesses to an element before another, and whether isl has found them.
//!
//! isl finds them one loop after the other, with parametric integer programming (Feautrier's array dataflow analysis). Where conditions have
//! remainders, isl 0.27 loses a part of the answer now and then, without a word. To look whether an answer is right is simpler than to find it, and so
//! is a second way to find it, by subtraction, which takes too long for most programs. Where even a look takes too long, nothing is assumed to hide
//! anything.

use polyhedra::{
    Limit, Map, Result, Set, Simplify, Text, UnionFlow, UnionMap, UnionSet, limit_work, maps_of,
};

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

    /// The same in objects of its own.
    fn read_again(&self) -> Result<Self> {
        let again = |map: &UnionMap| UnionMap::parse(&map.text()?);
        Ok(Self {
            full: again(&self.full)?,
            dependences: self.dependences.copy()?,
            without_kill: again(&self.without_kill)?,
        })
    }
}

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

/// What it may take to look whether an answer is right, for each question.
const LIMIT: Limit = Limit { operations: 5_000_000, seconds: 3 };

impl Asked<'_> {
    /// What isl found, if it is right, or else what is, or all accesses before a sink where to find out takes too long: what depends on more
    /// stays in order all the same. The last kills are among those before the same sinks that `killers` has, or `found` if the sources have
    /// the kills.
    pub fn confirmed(&self, found: Result<Last>, killers: Option<&Last>) -> Result<Last> {
        let confirmed = limit_work(LIMIT, || match found {
            Ok(found) if self.is_right(&found, killers)? => Ok(found),
            Err(error) if error.is_limit() => Err(error),
            _ => self.by_subtraction(),
        });
        match confirmed {
            Err(error) if error.is_limit() => self.all(),
            confirmed => confirmed,
        }
    }

    /// True if all sources that no kill hides are found, and all sinks before which there is none.
    fn is_right(&self, found: &Last, killers: Option<&Last>) -> Result<bool> {
        // isl simplifies in place what it looks at; what others read afterwards shall not depend on that.
        let found = &found.read_again()?;
        let killers = &killers.map(Last::read_again).transpose()?;
        let last_kills =
            killers.as_ref().unwrap_or(found).full.copy()?.intersect_domain(self.kills.copy()?.domain()?)?;
        let last_kills = self.in_order(last_kills)?;
        if killers.is_none() {
            let killed = last_kills.copy()?.range()?.unwrap()?;
            if !self.sinks.copy()?.subtract(found.without_kill.copy()?)?.is_subset(&killed)? {
                return Ok(false);
            }
        }
        let missing = self.in_order(self.pairs(&self.sources)?)?.subtract(found.full.copy()?)?;
        for pairs in maps_of(&missing)? {
            if !pairs.is_subset(&self.hidden(&pairs, &last_kills)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The answer, from nothing but accesses and times.
    fn by_subtraction(&self) -> Result<Last> {
        let kills = self.in_order(self.pairs(self.kills)?)?;
        let mut full = UnionMap::parse("{ }")?;
        for pairs in maps_of(&self.in_order(self.pairs(&self.sources)?)?)? {
            let hidden = self.hidden(&pairs, &kills)?;
            full = full.add_map(pairs.subtract(hidden)?.simplified()?)?;
        }
        let without_kill = self.sinks.copy()?.subtract(kills.range()?.unwrap()?)?;
        Ok(Last { dependences: full.copy()?.range_factor_domain()?, full, without_kill })
    }

    /// All sources before each sink, as if nothing hid anything.
    fn all(&self) -> Result<Last> {
        let full = self.in_order(self.pairs(&self.sources)?)?;
        let without_kill = self.sinks.copy()?;
        Ok(Last { dependences: full.copy()?.range_factor_domain()?, full, without_kill })
    }

    /// The pairs of accesses and sinks that have an element in common: `{ [S0[i] -> a1[]] -> [[S1[j] -> a2[]] -> A0[x]] }`.
    fn pairs(&self, accesses: &UnionMap) -> Result<UnionMap> {
        Ok(accesses.copy()?.apply_range(self.sinks.copy()?.range_map()?.reverse()?)?)
    }

    /// Those of which the first comes before the second.
    fn in_order(&self, pairs: UnionMap) -> Result<UnionMap> {
        let mut ordered = UnionMap::parse("{ }")?;
        for pairs in maps_of(&pairs)? {
            let before = self.times_of_sources(&pairs)?.lex_lt_map(self.times_of_sinks(&pairs)?)?;
            ordered = ordered.add_map(pairs.intersect(before)?)?;
        }
        Ok(ordered)
    }

    /// Of all pairs between two kinds of accesses those with one of some kills behind the first, which is before the second.
    fn hidden(&self, pairs: &Map, kills: &UnionMap) -> Result<Map> {
        let sinks = UnionSet::from_set(Set::universe(pairs.get_space()?.range()?)?)?;
        let kills = kills.copy()?.intersect_range(sinks)?.reverse()?.apply_range(self.times.copy()?)?;
        if kills.is_empty()? {
            return Ok(Map::empty(pairs.get_space()?)?);
        }
        Ok(self.times_of_sources(pairs)?.lex_lt_map(kills.as_map()?)?)
    }

    /// `{ [S0[i] -> a1[]] -> [t] }`
    fn times_of_sources(&self, pairs: &Map) -> Result<Map> {
        let sources = UnionSet::from_set(Set::universe(pairs.get_space()?.domain()?)?)?;
        Ok(self.times.copy()?.intersect_domain(sources)?.as_map()?)
    }

    /// `{ [[S1[j] -> a2[]] -> A0[x]] -> [t] }`
    fn times_of_sinks(&self, pairs: &Map) -> Result<Map> {
        let sinks = Set::universe(pairs.get_space()?.range()?)?.unwrap()?.domain_map()?;
        Ok(UnionMap::from_map(sinks)?.apply_range(self.times.copy()?)?.as_map()?)
    }
}

#[cfg(test)]
mod tests {
    use polyhedra::UnionAccessInfo;

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

    #[test]
    fn what_isl_leaves_out_is_missed() {
        let (writes, reads, times) = every_second();
        let asked = Asked { times, sinks: &reads, sources: writes.copy().unwrap(), kills: &writes };
        let right = isl_finds(&asked);
        assert!(asked.is_right(&right, None).unwrap());
        assert!(is_same(&right, &asked.by_subtraction().unwrap()));
        for lost in [
            "[n] -> { [S0[i] -> a0[]] -> [[S2[i] -> a2[]] -> A0[i]] : i = 7 }",
            "[n] -> { [S1[i] -> a1[]] -> [[S2[j] -> a2[]] -> A0[j]] : n = 5 }",
        ] {
            let found = Last {
                full: right.full.copy().unwrap().subtract(map(lost)).unwrap(),
                dependences: map("{ }"),
                without_kill: map("{ }"),
            };
            assert!(!asked.is_right(&found, None).unwrap(), "{lost}");
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
        let given_up = limit_work(limit, || asked.by_subtraction());
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
        assert!(!asked.is_right(&found, None).unwrap());
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
        assert!(asked.is_right(&last, None).unwrap());
    }
}
