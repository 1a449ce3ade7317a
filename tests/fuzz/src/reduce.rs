//! How failing programs of both kinds are made smaller.

/// Offers smaller programs.
pub type Pass<P> = fn(&P) -> Vec<P>;

/// The smallest program found for which `fails` holds. Each pass offers its candidates from large steps to small
/// ones; passes are repeated until none finds anything, or `attempts` programs were tried. Candidates that are not
/// defined are not tried.
pub fn reduce<P: Clone + PartialEq>(
    program: P,
    mut attempts: usize,
    passes: &[Pass<P>],
    is_defined: impl Fn(&P) -> bool,
    mut fails: impl FnMut(&P) -> bool,
) -> P {
    let mut smallest = program;
    loop {
        let before = smallest.clone();
        for pass in passes {
            let mut place = 0;
            while let Some(candidate) = pass(&smallest).into_iter().nth(place) {
                if attempts == 0 {
                    return smallest;
                }
                let defined = candidate != smallest && is_defined(&candidate);
                attempts -= usize::from(defined);
                if defined && fails(&candidate) {
                    smallest = candidate;
                } else {
                    place += 1;
                }
            }
        }
        if smallest == before {
            return smallest;
        }
    }
}
