//! How customers that share one server overlap.

/// What each customer needs, in clocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Need {
    /// The time for which it uses the server.
    pub busy: f64,
    /// The time of its whole round, if it is alone; at least `busy`.
    pub alone: f64,
}

/// Returns the time in which `customers` need one round each, in clocks. A number between two integers stands for a
/// mixture of both.
///
/// With n customers in the network, one that comes to the server finds as many there as there are on average with n - 1
/// customers. From this theorem follow time at the server, throughput and length of the queue, one n after the other.
pub fn time(customers: f64, need: Need) -> f64 {
    let delay = (need.alone - need.busy).max(0.0);
    let whole = customers.floor();
    if need.busy == 0.0 {
        return delay * customers.min(1.0);
    }
    let mut queue = 0.0;
    let mut round = 0.0;
    for n in 1..=whole as u64 {
        let served = need.busy * (1.0 + queue);
        round = served + delay;
        queue = if round > 0.0 { n as f64 * served / round } else { 0.0 };
    }
    let next = need.busy * (1.0 + queue) + delay;
    // n customers have one round each in the time of a round: throughput is n / round.
    let (below, above) = (round, next);
    let share = customers - whole;
    if whole == 0.0 { share * above } else { below + share * (above - below) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(customers: f64, busy: f64, alone: f64) -> f64 {
        time(customers, Need { busy, alone })
    }

    #[test]
    fn both_limits_are_those_of_the_roofline() {
        assert_eq!(of(1.0, 3.0, 100.0), 100.0);
        assert_eq!(of(0.0, 3.0, 100.0), 0.0);
        // Nothing but the server: one after the other.
        assert_eq!(of(7.0, 3.0, 3.0), 21.0);
        // Nothing but waiting: all at the same time.
        assert_eq!(of(7.0, 0.0, 50.0), 50.0);
        // Two customers that use the server half of their time: by hand 0.5 * (1 + 0.5) + 0.5, in rounds of 1.
        assert_eq!(of(2.0, 0.5, 1.0), 1.25);
        // Saturated.
        let many = of(1000.0, 1.0, 100.0);
        assert!((1000.0..1000.2).contains(&many), "{many}");
        // Far from saturated.
        let few = of(4.0, 1.0, 1000.0);
        assert!((1000.0..1000.1).contains(&few), "{few}");
    }

    proptest! {
        #[test]
        fn more_of_anything_never_takes_less(n in 0.0..300f64, more in 0.0..10f64, busy in 0.0..10f64, wait in 0.0..500f64) {
            let base = of(n, busy, busy + wait);
            let close = 1.0 - 1e-9;
            prop_assert!(of(n + more, busy, busy + wait) >= base * close);
            prop_assert!(of(n, busy + more, busy + more + wait) >= base * close);
            prop_assert!(of(n, busy, busy + wait + more) >= base * close);
            prop_assert!(base >= n * busy * close);
        }

        #[test]
        fn together_never_takes_longer_than_apart(one in 0.0..100f64, other in 0.0..100f64, busy in 0.0..10f64, wait in 0.0..500f64) {
            let apart = of(one, busy, busy + wait) + of(other, busy, busy + wait);
            prop_assert!(of(one + other, busy, busy + wait) <= apart * (1.0 + 1e-9));
        }
    }
}
