//! How the threads of a block divide the places of a box among themselves when they copy it.

use scop::{Axis, BlockDimension, Kernel};

/// Threads along an axis that copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copying {
    /// The axis.
    pub axis: Axis,
    /// The first of them.
    pub first: u32,
    /// Their number.
    pub size: u32,
}

/// Returns the threads of a kernel's blocks that copy, by axis.
pub fn copying(kernel: &Kernel) -> Vec<Copying> {
    let of_axis = |&BlockDimension { axis, size }: &BlockDimension| {
        let first = kernel.never_copying(axis);
        Copying { axis, first, size: size.saturating_sub(first) }
    };
    kernel.block.iter().map(of_axis).collect()
}

/// Dimensions of a box that the threads along some axes fill together.
pub struct Share<'a> {
    /// The dimensions, last first.
    pub members: Vec<Member>,
    /// The axes, fastest first.
    pub axes: &'a [Copying],
}

/// A dimension of a box in a share. Thread u of the share fills index `floor(u / divisor) mod modulus`; in the first
/// dimension of the share, it also fills the indices that differ from this one by a multiple of the modulus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The position of the dimension.
    pub dimension: usize,
    /// See above.
    pub divisor: u64,
    /// See above.
    pub modulus: u64,
}

/// Divides a box of these sizes among the threads of a block that copy. The threads along x fill the last dimensions,
/// as many as keep all of them busy, those along y the dimensions before, and those along all remaining axes the first
/// ones.
///
/// Each dimension belongs to one share, so that each index is a quotient or remainder of one thread number.
pub fn shares<'a>(sizes: &[u32], block: &'a [Copying]) -> Vec<Share<'a>> {
    let mut shares = Vec::new();
    let (mut left, mut axes) = (sizes.len(), block);
    while let ([axis, others @ ..], true) = (axes, left > 0) {
        let alone = members(sizes, left, axis.size.into());
        let rest = left - alone.len();
        let last = rest == 0 || others.is_empty();
        let all = if last { axes } else { std::slice::from_ref(axis) };
        let members = if last { members(sizes, left, copying_threads(axes)) } else { alone };
        left -= members.len();
        shares.push(Share { members, axes: all });
        axes = if last { &[] } else { others };
    }
    shares
}

/// Returns the last of the dimensions before `end`, as many as are needed to keep this number of threads busy.
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

fn copying_threads(axes: &[Copying]) -> u64 {
    axes.iter().map(|one| u64::from(one.size)).product()
}

/// Returns the threads of a block.
pub fn threads(axes: &[BlockDimension]) -> u64 {
    axes.iter().map(|dimension| u64::from(dimension.size)).product()
}

impl Share<'_> {
    /// Returns the number of threads.
    pub fn threads(&self) -> u64 {
        copying_threads(self.axes)
    }

    /// Returns the number of the pass, such as `floor(m0/128)`, if the threads fill several dimensions in more than
    /// one pass.
    pub fn pass(&self, sizes: &[u32]) -> Option<String> {
        let first = self.members.last().filter(|_| self.members.len() > 1)?;
        (!self.is_one_pass(sizes)).then(|| format!("floor(m{}/{})", first.dimension, first.modulus))
    }

    /// True if each thread fills at most one index of each dimension. For dimensions after the share's first, this
    /// always holds.
    pub fn is_one_pass(&self, sizes: &[u32]) -> bool {
        self.members.last().is_none_or(|first| u64::from(sizes[first.dimension]) <= first.modulus)
    }

    /// Returns the conditions under which a thread fills a place:
    /// `m1 = (tx + 32 ty) mod 4 and m0 mod 128 = floor((tx + 32 ty) / 4)`. If not all threads along an axis copy, the
    /// number of a thread is counted from the first one that does: `m0 mod 128 = (tx - 32) and tx >= 32`.
    pub fn conditions(&self) -> Vec<String> {
        let (mut stride, mut before) = (1, 0);
        let (mut terms, mut bounds) = (Vec::new(), Vec::new());
        for Copying { axis, first, size } in self.axes {
            terms.push(format!("{stride} {}", axis.thread_parameter()));
            if *first > 0 {
                before += stride * first;
                bounds.push(format!("{} >= {first}", axis.thread_parameter()));
            }
            stride *= size;
        }
        let mut thread = terms.join(" + ");
        if before > 0 {
            thread += &format!(" - {before}");
        }
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
        self.members.iter().enumerate().map(condition).chain(bounds).collect()
    }
}

#[cfg(test)]
mod tests {
    use scop::Axis;

    use super::*;

    fn block(sizes: &[u32]) -> Vec<Copying> {
        sizes.iter().zip(Axis::ALL).map(|(&size, axis)| Copying { axis, first: 0, size }).collect()
    }

    fn conditions(sizes: &[u32], block: &[Copying]) -> String {
        let all: Vec<String> = shares(sizes, block).iter().flat_map(Share::conditions).collect();
        all.join(" and ")
    }

    /// Adjacent threads along x, the fastest axis, have adjacent places.
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
            assert_eq!(conditions(sizes, &block(threads)), expected, "{sizes:?} by {threads:?}");
        }
    }

    #[test]
    fn threads_that_do_not_copy_are_not_counted() {
        let mut block = block(&[32, 16]);
        block[1].first = 1;
        assert_eq!(
            conditions(&[64, 32], &block),
            "m1 mod 32 = (1 tx) and m0 mod 16 = (1 ty - 1) and ty >= 1"
        );
        assert_eq!(conditions(&[600], &block), "m0 mod 512 = (1 tx + 32 ty - 32) and ty >= 1");
        let alone = [Copying { axis: Axis::X, first: 32, size: 128 }];
        assert_eq!(conditions(&[600], &alone), "m0 mod 128 = (1 tx - 32) and tx >= 32");
    }

    /// Each place belongs to one thread, and the places are divided as evenly as possible.
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
