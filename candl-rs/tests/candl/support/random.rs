//! Random regions, the same in every run.

use super::nest::{Nest, Region, nest, statement};

/// A pseudo-random number generator (xorshift).
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % bound as u64).unwrap()
    }

    fn choose<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// Returns a region of one to three nests over the arrays `A[][]`, `B[]`, `s` and the temporaries `t` and `w[]`.
    pub fn region(&mut self) -> Region {
        let mut region = Region::new((0..=self.below(3)).map(|_| self.nest(&mut Vec::new())).collect());
        if self.below(3) == 0 {
            region.hidden.push("B");
        }
        for temporary in ["t", "w"] {
            match self.below(3) {
                0 => region.hidden.push(temporary),
                1 => region.dead_after.push(temporary),
                _ => {}
            }
        }
        region
    }

    fn nest(&mut self, outer: &mut Vec<&'static str>) -> Nest {
        const ITERATORS: [&str; 3] = ["i", "j", "k"];
        if outer.len() == ITERATORS.len() || (!outer.is_empty() && self.below(2) == 0) {
            return self.statement(outer);
        }
        let lower = if outer.is_empty() { "0" } else { self.choose(&["0", "1", outer[0]]) };
        let upper = if outer.is_empty() { "n" } else { self.choose(&["n", "n - 1", "i + 1"]) };
        let iterator = ITERATORS[outer.len()];
        outer.push(iterator);
        let body = (0..=self.below(2)).map(|_| self.nest(outer)).collect();
        outer.pop();
        nest(iterator, lower, upper, body)
    }

    fn statement(&mut self, outer: &[&str]) -> Nest {
        let steps: Vec<String> = (0..=self.below(2)).map(|_| self.assignment(outer)).collect();
        statement(&steps.join("; "))
    }

    fn assignment(&mut self, outer: &[&str]) -> String {
        let left = self.reference(outer);
        let reads: Vec<String> = (0..self.below(3)).map(|_| self.reference(outer)).collect();
        format!("{left} = {}", reads.join(" | "))
    }

    fn reference(&mut self, outer: &[&str]) -> String {
        match self.below(11) {
            0 => "s[]".to_owned(),
            1 => "B[?]".to_owned(),
            8 | 9 => "t[]".to_owned(),
            10 => format!("w[{}]", self.subscript(outer)),
            2..=4 => format!("B[{}]", self.subscript(outer)),
            _ => format!("A[{}, {}]", self.subscript(outer), self.subscript(outer)),
        }
    }

    fn subscript(&mut self, outer: &[&str]) -> String {
        let iterator = outer.get(self.below(outer.len() + 1)).copied().unwrap_or("0");
        match self.below(5) {
            0 => format!("{iterator} - 1"),
            1 => format!("{iterator} + 1"),
            2 if outer.len() > 1 => format!("{} - {}", outer[0], outer[1]),
            _ => iterator.to_owned(),
        }
    }
}
