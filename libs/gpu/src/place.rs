//! Whether elements that several threads of a block use belong in shared memory.
//!
//! The rule has one owner, because two ask: gpulocalizer (the library `place`), with counts of the finished tree, and
//! scheduler, which prices plans with estimates of the same counts. scheduler writes its estimates and the answer to
//! the document (`scop::PricedArray`), and gpulocalizer asks again and compares.
//!
//! In 2010 every reuse was worth a copy. Today the first-level cache serves the few reads of a stencil, and
//! uncoalesced accesses to elements that are not reused.

/// From this many reads of each copied element on average, a copy pays, if warps read elements in the order of
/// memory. The first-level cache serves fewer reads equally well, without the instructions of copies and without
/// barriers. On an H200, the stencils of `benches`, with 2 to 5 reads, take 1.6 to 2.3 times as long with copies;
/// matrix products are faster with them.
const WORTHWHILE_READS: f64 = 8.0;

/// How often an element that is copied in and out must be used, on average: two copies replace its accesses, and
/// barriers are added.
const WORTHWHILE_USES: f64 = 3.0;

/// If the reads of a warp touch more than this many times the sectors that their elements fill, they waste the cache.
const SCATTERED: f64 = 2.0;

/// What threads of a block do with some elements in a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uses {
    /// The elements that would be copied.
    pub elements: u64,
    /// How often threads access them.
    pub accesses: u64,
    /// True if several threads use the same element.
    pub are_shared: bool,
    /// True if threads that compute nothing help to load them.
    pub for_others: bool,
    /// True if some accesses are stores, so that elements are copied out as well.
    pub are_written: bool,
    /// True if the loads of some warp are scattered ([`are_scattered`]).
    pub are_scattered: bool,
}

/// True if copies of elements in shared memory pay. A single element is read from the cache equally fast, and a copy
/// would cost a barrier.
pub fn copies_pay(uses: &Uses) -> bool {
    let are_used = |times: f64| uses.accesses as f64 >= times * uses.elements as f64;
    let pay = if uses.are_written {
        are_used(WORTHWHILE_USES)
    } else {
        are_used(WORTHWHILE_READS) || uses.are_scattered
    };
    uses.elements > 1 && (uses.for_others || uses.are_shared && pay)
}

/// True if a load of a warp touches more sectors than its elements need.
pub fn are_scattered(touched_sectors: f64, filled_sectors: f64) -> bool {
    touched_sectors > SCATTERED * filled_sectors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_pay_for_much_reuse_and_for_columns() {
        let read = Uses {
            elements: 64,
            accesses: 511,
            are_shared: true,
            for_others: false,
            are_written: false,
            are_scattered: false,
        };
        assert!(!copies_pay(&read));
        assert!(copies_pay(&Uses { for_others: true, are_shared: false, ..read }));
        assert!(copies_pay(&Uses { accesses: 512, ..read }));
        assert!(!copies_pay(&Uses { accesses: 512, are_shared: false, ..read }));
        assert!(copies_pay(&Uses { are_scattered: true, ..read }));
        assert!(copies_pay(&Uses { accesses: 192, are_written: true, ..read }));
        assert!(!copies_pay(&Uses { accesses: 191, are_written: true, are_scattered: true, ..read }));
        assert!(!copies_pay(&Uses { elements: 1, accesses: 512, ..read }));
    }

    #[test]
    fn doubles_in_a_row_fill_their_sectors() {
        assert!(!are_scattered(8.0, 8.0));
        assert!(!are_scattered(16.0, 8.0), "every second element");
        assert!(are_scattered(32.0, 8.0), "a column");
    }
}
