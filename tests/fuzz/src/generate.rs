//! Random programs: what is drawn is defined in C by construction (`defined.rs` says what that means).

mod arrays;
mod chosen;
mod expressions;
mod loops;
mod old;
mod prefix;
mod recurrences;
mod subscripts;
mod work;

use crate::affine::Range;
use crate::defined::{Checker, extents};
use crate::instances::count;
use crate::options::{self, Choice};
use crate::program::{Assignment, Condition, Node, Program, Regions, Role, Storage, Update};
use crate::random::Random;
use crate::regions;
use crate::setting::{Language, Setting};
use crate::value::MOST_INSTANCES;

/// The program of this number under a seed, in a language.
pub fn generate(seed: u64, number: u64, language: Language) -> Program {
    let mut random = Random::new(seed, number);
    loop {
        let program = Generator::new(number, random).program();
        match program {
            Ok(mut program) => {
                program.regions = regions::draw(seed, &program);
                return program.set(seed, language);
            }
            Err(rest) => random = rest,
        }
    }
}

/// What has been drawn so far, and what is in scope where drawing goes on.
struct Generator {
    random: Random,
    program: Program,
    iterators: Vec<Iterating>,
    temporaries: Vec<usize>,
    work_arrays: Vec<usize>,
    next_iterator: usize,
    deepest: usize,
    /// Whether control and subscripts may depend on data.
    with_data: bool,
}

/// A loop that is being filled.
#[derive(Clone, Copy)]
struct Iterating {
    iterator: usize,
    range: Range,
}

impl Generator {
    fn new(number: u64, random: Random) -> Self {
        let program = Program {
            number,
            arrays: Vec::new(),
            body: Vec::new(),
            regions: Regions::default(),
            setting: Setting::default(),
            choices: Vec::new(),
            runs: Vec::new(),
        };
        Self {
            random,
            program,
            iterators: Vec::new(),
            temporaries: Vec::new(),
            work_arrays: Vec::new(),
            next_iterator: 0,
            deepest: 0,
            with_data: false,
        }
    }

    /// The program, or the rest of the stream if something went wrong.
    fn program(mut self) -> Result<Program, Random> {
        self.with_data = self.random.percent(25);
        self.deepest = self.random.weighted(&[(20, 1), (45, 2), (27, 3), (8, 4)]);
        self.draw_arrays();
        let statements =
            self.random.weighted(&[(15, 1), (25, 2), (20, 3), (15, 4), (10, 5), (7, 6), (4, 7), (4, 8)]);
        self.program.body = self.block(statements);
        self.program.choices = options::choose(&mut self.random);
        if self.program.number % OLD_VALUES == OLD_VALUES - 1 {
            let nests = self.old_values();
            self.program.body.extend(nests);
            let asked = self.asked_for_copies();
            self.program.choices.extend(asked);
        }
        if self.program.number % PREFIX_SUMS == PREFIX_SUMS - 1 {
            let nests = self.prefix_sum();
            self.program.body.extend(nests);
            self.program.choices.retain(|choice| choice.option != "--partial-sums");
            let asked = self.asked_for_chunks();
            self.program.choices.extend(asked);
        }
        if self.program.number % RECURRENCES == RECURRENCES - 1 {
            let nests = self.recurrence();
            self.program.body.extend(nests);
            let asked = self.asked_for_places();
            self.program.choices.extend(asked);
        }
        let kind = self.program.number % CHOSEN;
        if kind == CHOSEN - 1 || kind == CHOSEN / 2 {
            let nests = if kind == CHOSEN - 1 { self.histogram() } else { self.selection() };
            self.program.body.extend(nests);
            let is_of_memory = |choice: &Choice| ["--memory", "--memories"].contains(&choice.option);
            self.program.choices.retain(|choice| choice.option != "--partial-sums" && !is_of_memory(choice));
            let asked = self.asked_for_choices();
            self.program.choices.extend(asked);
        }
        let Some(extents) = extents(&self.program) else { return Err(self.random) };
        self.settle_storage(&extents);
        let elements = |n, m| -> i64 {
            let of_array = |lengths: &Vec<crate::affine::Limit>| -> i64 {
                lengths.iter().map(|length| length.value(n, m).max(1)).product()
            };
            extents.lengths.iter().map(of_array).sum()
        };
        let affordable = |&(n, m): &(i64, i64)| {
            count(&self.program, n, m, MOST_INSTANCES) <= MOST_INSTANCES && elements(n, m) <= MOST_ELEMENTS
        };
        self.program.runs = SIZES.iter().copied().filter(affordable).collect();
        if self.program.runs.is_empty() { Err(self.random) } else { Ok(self.program) }
    }

    /// A block with so many statements, counted as assignments.
    fn block(&mut self, statements: i64) -> Vec<Node> {
        let (mut nodes, mut left, known) = (Vec::new(), statements, self.temporaries.len());
        while left > 0 {
            let depth = self.iterators.len();
            if depth > 0 && depth < self.deepest && self.random.percent(20) {
                let (loops, used) = self.work();
                nodes.extend(loops);
                left -= used;
                continue;
            }
            let (node, used) = self.node(left);
            nodes.push(node);
            left -= used;
        }
        self.temporaries.truncate(known);
        nodes
    }

    fn node(&mut self, left: i64) -> (Node, i64) {
        let depth = self.iterators.len();
        let deeper = if depth >= self.deepest { 0 } else { [90, 60, 50, 40][depth.min(3)] };
        let kinds = [
            (deeper, Kind::For),
            (7, Kind::If),
            (if depth > 0 { 7 } else { 0 }, Kind::Declare),
            (if depth > 0 && self.with_data { 4 } else { 0 }, Kind::While),
            (if depth > 0 { 40 } else { 4 }, Kind::Assign),
        ];
        let share = self.random.between(1, left);
        match self.random.weighted(&kinds) {
            Kind::For => (self.nest(share), share),
            Kind::If => (self.choice(share), share),
            Kind::Declare => (self.declaration(), 0),
            Kind::While => {
                let count = self.count();
                (Node::While(count, vec![Node::Assign(self.assignment())]), 1)
            }
            Kind::Assign => (Node::Assign(self.assignment()), 1),
        }
    }

    fn choice(&mut self, statements: i64) -> Node {
        let condition = self.condition(2);
        let alternative = if statements > 1 && self.random.percent(50) { 1 } else { 0 };
        let then = self.block(statements - alternative);
        Node::If(condition, then, self.block(alternative))
    }

    fn declaration(&mut self) -> Node {
        let (array, element) = self.draw_temporary();
        let value = self.value_for(element);
        self.temporaries.push(array);
        Node::Declare(array, value)
    }

    fn assignment(&mut self) -> Assignment {
        let targets: Vec<usize> = self
            .readable()
            .into_iter()
            .filter(|array| self.program.arrays[*array].role != Role::Index)
            .flat_map(|array| vec![array; 1 + 2 * self.program.arrays[array].rank])
            .collect();
        let target = self.random.one_of(&targets);
        let operator = self.update(target);
        let element = self.program.arrays[target].element;
        Assignment { target: self.access(target), operator, value: self.value_for(element) }
    }

    /// What the role and the type of an array allow.
    fn update(&mut self, target: usize) -> Update {
        use Update::{Add, And, Maximum, Minimum, Multiply, Or, Set, Subtract, Xor};
        let array = &self.program.arrays[target];
        let operators: &[(i64, Update)] = match (array.role, array.element) {
            (_, kind) if kind.is_unsigned() => &[
                (40, Set),
                (20, Add),
                (6, Subtract),
                (8, Multiply),
                (6, And),
                (6, Or),
                (8, Xor),
                (6, Maximum),
            ],
            (Role::Accumulator, kind) if kind.is_floating() => {
                &[(40, Set), (40, Add), (6, Subtract), (6, Multiply), (4, Minimum), (4, Maximum)]
            }
            (Role::Accumulator, _) => &[(35, Set), (50, Add), (15, Subtract)],
            (_, kind) if kind.is_floating() => &[(80, Set), (10, Multiply), (5, Minimum), (5, Maximum)],
            _ => &[(70, Set), (8, Minimum), (8, Maximum), (5, And), (5, Or), (4, Xor)],
        };
        self.random.weighted(operators)
    }

    /// The arrays that can be used here.
    fn readable(&self) -> Vec<usize> {
        let arrays = self.program.arrays.iter().enumerate();
        let outside = arrays.filter(|(_, array)| array.storage != Storage::Temporary).map(|(place, _)| place);
        outside.chain(self.temporaries.iter().copied()).collect()
    }

    fn checker(&self) -> Checker<'_> {
        let iterators = self.iterators.iter().map(|around| (around.iterator, around.range));
        Checker::inside(&self.program, iterators.collect(), self.temporaries.iter().copied().collect())
    }

    fn condition(&mut self, size: i64) -> Condition {
        let data = if self.with_data { 20 } else { 0 };
        let nested = if size > 1 { 8 } else { 0 };
        match self.random.weighted(&[(50, 0), (25, 1), (data, 2), (nested, 3), (nested, 4), (nested, 5)]) {
            0 => {
                let operator = self.random.one_of(&["<", "<=", ">", ">=", "==", "!="]);
                Condition::Compare(self.small_form(), operator, self.form())
            }
            1 => {
                let by = self.random.between(2, 4);
                let operator = self.random.one_of(&["==", "!=", "<"]);
                Condition::Modulo(self.form(), by, operator, self.random.between(0, by - 1))
            }
            2 => {
                let arrays = self.readable();
                let array = self.random.one_of(&arrays);
                Condition::Data(self.access(array))
            }
            3 => Condition::And(Box::new(self.condition(size - 1)), Box::new(self.condition(size - 1))),
            4 => Condition::Or(Box::new(self.condition(size - 1)), Box::new(self.condition(size - 1))),
            _ => Condition::Not(Box::new(self.condition(1))),
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    For,
    If,
    Declare,
    While,
    Assign,
}

/// One of so many programs overwrites old values of an array, or has arrays that could take turns.
const OLD_VALUES: u64 = 6;

/// One of so many programs has a sum of which each intermediate value is read.
const PREFIX_SUMS: u64 = 5;

/// One of so many programs computes elements of an array in a temporary.
const RECURRENCES: u64 = 8;

/// One of so many programs has elements that data choose, and one an extreme that a loop keeps.
const CHOSEN: u64 = 7;

/// What a run may use.
const MOST_ELEMENTS: i64 = 100_000;

/// The values of `n` and `m` that are tried.
const SIZES: [(i64, i64); 8] = [(0, 0), (1, 1), (2, 3), (5, 2), (9, 4), (17, 3), (33, 1), (70, 2)];

#[cfg(test)]
mod tests {
    use super::{Generator, generate};
    use crate::random::Random;
    use crate::setting::Language;
    use crate::source;

    #[test]
    fn programs_depend_on_seed_and_number_alone() {
        let texts: Vec<_> = (0..20).map(|number| source::alone(&generate(7, number, Language::C))).collect();
        let again: Vec<_> =
            (0..20).rev().map(|number| source::alone(&generate(7, number, Language::C))).collect();
        assert!(texts.iter().eq(again.iter().rev()));
        assert_ne!(source::alone(&generate(8, 0, Language::C)), texts[0]);
        assert_ne!(texts[0], texts[1]);
    }

    #[test]
    fn nearly_all_that_is_drawn_is_defined_at_once() {
        let drawn = (0..2000).map(|number| Generator::new(number, Random::new(3, number)).program());
        let drawn_again = drawn.filter(Result::is_err).count();
        assert!(drawn_again < 30, "{drawn_again}");
    }
}
