//! Code of the host that reads or writes elements.

use crate::setting::Language;

use super::super::program::{Condition, Element, Handle, Host, Kind, Place, Range, Reading, Writing};
use super::{Drawing, Scope};

const READINGS: [Reading; 15] = [
    Reading::Plain,
    Reading::Initialiser,
    Reading::Argument,
    Reading::Ternary,
    Reading::ShortCircuit,
    Reading::Comma,
    Reading::Address,
    Reading::Copied,
    Reading::Macro,
    Reading::Part,
    Reading::Byte,
    Reading::Formatted,
    Reading::Lambda,
    Reading::LoopHeader,
    Reading::Reference,
];

const WRITINGS: [Writing; 12] = [
    Writing::Plain,
    Writing::Add,
    Writing::Increment,
    Writing::Address,
    Writing::Copied,
    Writing::Macro,
    Writing::Function,
    Writing::InCondition,
    Writing::LoopStep,
    Writing::Ternary,
    Writing::Lambda,
    Writing::Reference,
];

const RANGES: [Range; 10] = [
    Range::Up,
    Range::Down,
    Range::Strided,
    Range::Prefix,
    Range::Suffix,
    Range::Walk,
    Range::While,
    Range::Nested,
    Range::Rows,
    Range::Function,
];

impl Drawing {
    /// A piece of host code.
    pub(super) fn host(&mut self, scope: &Scope) -> Host {
        let element = self.element(scope);
        let array = self.array(scope, None);
        let range = self.random.one_of(&RANGES);
        match self.random.weighted(&[
            (28, 0),
            (22, 1),
            (12, 2),
            (10, 3),
            (6, 4),
            (4, 5),
            (10, 6),
            (4, 7),
            (4, 8),
        ]) {
            0 => Host::Read(element, self.random.one_of(&READINGS)),
            1 => Host::Write(element, self.random.one_of(&WRITINGS), self.random.between(-4, 9)),
            2 => Host::ReadAll(array, range),
            3 => Host::WriteAll(array, range),
            4 => Host::Modify(array, range),
            5 => Host::Clear(array),
            6 => self.copy(scope, array),
            7 => {
                let element = self.type_of(array);
                Host::Compare(array, self.array(scope, Some(element)))
            }
            _ => Host::Sort(array, self.random.percent(60)),
        }
    }

    fn copy(&mut self, scope: &Scope, from: Handle) -> Host {
        let element = self.type_of(from);
        let to = self.array(scope, Some(element));
        let has_own_memory = |handle: Handle| {
            let kind = self.kind_of(scope, handle);
            kind.is_constant() || kind == Kind::Pointer
        };
        let distinct = from.variable != to.variable && has_own_memory(from) && has_own_memory(to);
        Host::Copy { from, to, distinct, half: self.random.percent(30) }
    }

    /// An element of an array, or a scalar.
    pub(super) fn element(&mut self, scope: &Scope) -> Element {
        let of = if self.random.percent(20)
            && let Some(scalar) = self.chosen(scope, |variable| !variable.kind.is_array())
        {
            Handle::of(scalar.id)
        } else {
            self.array(scope, None)
        };
        let place = match scope.loops.last() {
            Some(turn) if self.random.percent(40) => Place::Turning(*turn, self.random.between(0, 7)),
            _ => self.random.one_of(&[Place::First, Place::Middle, Place::Last]),
        };
        Element { of, place }
    }

    /// A condition, of parts up to this depth.
    pub(super) fn condition(&mut self, scope: &Scope, depth: usize) -> Condition {
        let inner = if depth == 0 { 0 } else { 10 };
        match self.random.weighted(&[
            (35, 0),
            (8, 1),
            (25, 2),
            (8, 3),
            (inner / 2, 4),
            (inner, 5),
            (inner, 6),
        ]) {
            0 if let Some(turn) = scope.loops.last() => {
                let modulus = self.random.between(2, 3);
                Condition::Turn(*turn, modulus, self.random.between(0, modulus - 1))
            }
            0 | 1 => Condition::Size(self.random.between(1, 9)),
            3 => Condition::PartGreater(self.array(scope, None), self.random.between(-9, 99)),
            4 => Condition::Comma(self.element(scope), Box::new(self.condition(scope, depth - 1))),
            5 => Condition::And(
                Box::new(self.condition(scope, depth - 1)),
                Box::new(self.condition(scope, depth - 1)),
            ),
            6 => Condition::Or(
                Box::new(self.condition(scope, depth - 1)),
                Box::new(self.condition(scope, depth - 1)),
            ),
            _ => Condition::Greater(self.element(scope), self.random.between(-2, 4)),
        }
    }

    fn type_of(&self, handle: Handle) -> crate::program::Type {
        self.elements[handle.variable.0]
    }

    pub(super) fn kind_of(&self, scope: &Scope, handle: Handle) -> Kind {
        let own = scope.variables.iter().find(|variable| variable.id == handle.variable);
        own.map_or(Kind::Alias, |variable| variable.kind)
    }

    /// True if the program is C, which has arrays of variable length.
    pub(super) fn is_c(&self) -> bool {
        self.program.language == Language::C
    }
}
