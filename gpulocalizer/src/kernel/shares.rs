//! How the threads of a block share the places of a box among them, when they copy it.

use scop::BlockDimension;

/// Dimensions of a box that the threads along some axes fill.
pub struct Share<'a> {
    /// The dimensions, last first.
    pub members: Vec<Member>,
    /// The axes, fastest first.
    pub axes: &'a [BlockDimension],
}

/// A dimension of a box: thread u of a share takes the index `floor(u / divisor) mod modulus` of it, and of the first
/// dimension of the share also those that are a multiple of the modulus away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Its position.
    pub dimension: usize,
    /// See above.
    pub divisor: u64,
    /// See above.
    pub modulus: u64,
}

/// How a block fills a box of these sizes: along x the last dimensions, as many as it takes to keep all threads of that
/// axis busy, along y those before them, and along all axes that are left the first of them.
///
/// Each dimension has threads of its own, so that indices are quotients and remainders of the thread's alone.
pub fn shares<'a>(sizes: &[u32], block: &'a [BlockDimension]) -> Vec<Share<'a>> {
    let mut shares = Vec::new();
    let (mut left, mut axes) = (sizes.len(), block);
    while let ([axis, others @ ..], true) = (axes, left > 0) {
        let alone = members(sizes, left, axis.size.into());
        let rest = left - alone.len();
        let last = rest == 0 || others.is_empty();
        let all = if last { axes } else { std::slice::from_ref(axis) };
        let members = if last { members(sizes, left, threads(axes)) } else { alone };
        left -= members.len();
        shares.push(Share { members, axes: all });
        axes = if last { &[] } else { others };
    }
    shares
}

/// The last of the dimensions before `end` that it takes to keep so many threads busy.
fn members(sizes: &[u32], end: usize, threads: u64) -> Vec<Member> {
    let mut members = Vec::new();
    let mut divisor = 1;
    for dimension in (0..end).rev() {
        let threads = threads / divisor;
        let size = u64::from(sizes[dimension]);
        let modulus = (size..threads).find(|modulus| threads.is_multiple_of(*modulus));
        let modulus = modulus.filter(|_| dimension > 0).unwrap_or(threads);
        members.push(Member { dimension, divisor, modulus });
        divisor *= modulus;
        if modulus == threads {
            break;
        }
    }
    members
}

/// The threads of a block.
pub fn threads(axes: &[BlockDimension]) -> u64 {
    axes.iter().map(|dimension| u64::from(dimension.size)).product()
}

impl Share<'_> {
    /// The number of threads.
    pub fn threads(&self) -> u64 {
        threads(self.axes)
    }

    /// The number of the pass, if threads fill several dimensions and come by more than once: `floor(m0 / 128)`.
    pub fn pass(&self, sizes: &[u32]) -> Option<String> {
        let first = self.members.last().filter(|_| self.members.len() > 1)?;
        (!self.is_one_pass(sizes)).then(|| format!("floor(m{}/{})", first.dimension, first.modulus))
    }

    /// True if no thread has more than one index of each dimension; of the dimensions after the first it never has.
    pub fn is_one_pass(&self, sizes: &[u32]) -> bool {
        self.members.last().is_none_or(|first| u64::from(sizes[first.dimension]) <= first.modulus)
    }

    /// `m1 = (tx + 32 ty) mod 4 and m0 mod 128 = floor((tx + 32 ty) / 4)`
    pub fn conditions(&self) -> Vec<String> {
        let mut stride = 1;
        let mut terms = Vec::new();
        for axis in self.axes {
            terms.push(format!("{stride} {}", axis.axis.thread_parameter()));
            stride *= axis.size;
        }
        let thread = terms.join(" + ");
        let condition = |(position, member): (usize, &Member)| {
            let Member { dimension, divisor, modulus } = member;
            let thread =
                if *divisor == 1 { format!("({thread})") } else { format!("floor(({thread})/{divisor})") };
            if position + 1 == self.members.len() {
                format!("m{dimension} mod {modulus} = {thread}")
            } else {
                format!("m{dimension} = {thread} mod {modulus}")
            }
        };
        self.members.iter().enumerate().map(condition).collect()
    }
}

#[cfg(test)]
mod tests {
    use scop::Axis;

    use super::*;

    fn block(sizes: &[u32]) -> Vec<BlockDimension> {
        sizes.iter().zip(Axis::ALL).map(|(&size, axis)| BlockDimension { axis, size }).collect()
    }

    /// Threads next to each other along x, the fastest axis, have places next to each other.
    #[test]
    fn conditions_count_threads_along_x_first() {
        let cases: [(&[u32], &[u32], &str); 6] = [
            (&[40], &[16, 8], "m0 mod 128 = (1 tx + 16 ty)"),
            (&[600], &[8, 4, 2], "m0 mod 64 = (1 tx + 8 ty + 32 tz)"),
            (&[16, 32], &[32, 16], "m1 mod 32 = (1 tx) and m0 mod 16 = (1 ty)"),
            (&[16, 4], &[8, 4], "m1 = (1 tx + 8 ty) mod 4 and m0 mod 8 = floor((1 tx + 8 ty)/4)"),
            (&[32, 4], &[2, 4, 8], "m1 mod 2 = (1 tx) and m0 mod 32 = (1 ty + 4 tz)"),
            (
                &[8, 3, 5],
                &[8, 6, 2],
                "m2 mod 8 = (1 tx) and m1 = (1 ty + 6 tz) mod 3 and m0 mod 4 = floor((1 ty + 6 tz)/3)",
            ),
        ];
        for (sizes, threads, expected) in cases {
            let block = block(threads);
            let conditions: Vec<String> = shares(sizes, &block).iter().flat_map(Share::conditions).collect();
            assert_eq!(conditions.join(" and "), expected, "{sizes:?} by {threads:?}");
        }
    }

    /// Each place has one thread, and as many threads as can have an equal number of places.
    #[test]
    fn places_are_shared_out() {
        let cases: [(&[u32], &[u32], u64); 8] = [
            (&[16, 32], &[32, 16], 1),
            (&[32, 32], &[128], 8),
            (&[32, 1], &[32], 1),
            (&[32, 4], &[32], 4),
            (&[32, 3], &[32], 4),
            (&[18, 34], &[32, 16], 4),
            (&[4, 4, 32], &[32, 4, 4], 1),
            (&[40], &[16, 16], 1),
        ];
        for (sizes, threads, most) in cases {
            let block = block(threads);
            let shares = shares(sizes, &block);
            let mut owners = std::collections::BTreeMap::new();
            let elements: u64 = sizes.iter().map(|&size| u64::from(size)).product();
            for place in 0..elements {
                let mut rest = place;
                let mut index = vec![0; sizes.len()];
                for (dimension, size) in sizes.iter().enumerate().rev() {
                    index[dimension] = rest % u64::from(*size);
                    rest /= u64::from(*size);
                }
                let share = |share: &Share<'_>| -> u64 {
                    share.members.iter().map(|m| index[m.dimension] % m.modulus * m.divisor).sum()
                };
                let owner: Vec<u64> = shares.iter().map(share).collect();
                *owners.entry(owner).or_insert(0u64) += 1;
            }
            assert_eq!(owners.values().max(), Some(&most), "{sizes:?} by {threads:?}");
            assert!(
                shares
                    .iter()
                    .all(|share| share.members.iter().all(|m| m.divisor * m.modulus <= share.threads()))
            );
        }
    }
}
