//! Checks whether a specialised nest does what the general nest does, wherever its guard holds.
//!
//! Everything else is proved for general nests only. A nest is a list of leaves in text order, and each leaf is
//! reached at some points. Two nests do the same if
//!
//! * they have the same leaves: the same statements with accesses to the same buffers, the same copies, the same
//!   barriers;
//! * each leaf is in the same number of loops in both nests, and shares the same number of them with the leaf after
//!   it: points are ordered by the loops that they share and then by the text, so their order is the same;
//! * where the guard holds, each leaf is reached at the same points: the guard implies the conditions that the
//!   specialised nest omits;
//! * at these points, all instances, elements and places are the same.
//!
//! Loops that run once do not count: their iterators only name values. The barriers of a specialised nest are
//! checked like all others ([`super::barriers`]): if all threads of a block meet them, the guard has the same value
//! in all of these threads.

use polyhedra::{DimType, Result, Set};
use scop::ast::tree::expressions;
use scop::ast::{AstExpr, Node};

use super::compare::{common, extended_to};
use super::leaf::{Apart, Leaf, Step, dimensions};
use super::value::Scope;

/// The way in which a specialised nest differs from the general one.
pub enum Difference<'a> {
    /// The leaves or loops differ.
    Shape,
    /// A leaf is reached at a point at which the general nest does not reach it.
    Added(Points<'a>),
    /// A leaf is not reached at a point at which the general nest reaches it.
    LeftOut(Points<'a>),
    /// An expression of a leaf has a different value at a point.
    Value(Points<'a>),
}

/// A non-empty set of points of a leaf.
pub struct Points<'a> {
    /// The leaf.
    pub node: &'a Node,
    /// The names of the points' dimensions.
    pub names: Vec<String>,
    /// The points.
    pub set: Set,
}

/// Returns the first difference between a specialised nest and the general one.
///
/// # Errors
/// Returns isl's error if an isl operation fails, or an error if an expression is not quasi-affine.
pub fn difference<'a>(apart: &Apart<'a>) -> Result<Option<Difference<'a>>> {
    let [specialised, general] = [&apart.specialised, &apart.general].map(|leaves| shape(apart, leaves));
    if specialised != general {
        return Ok(Some(Difference::Shape));
    }
    for (specialised, general) in apart.specialised.iter().zip(&apart.general) {
        if !is_same(specialised.node, general.node) {
            return Ok(Some(Difference::Shape));
        }
        let (specialised, general) = (Plain::of(specialised, apart)?, Plain::of(general, apart)?);
        let found = specialised.difference(&general, &apart.inside)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Returns for each leaf the number of loops of the nest around it, and how many of them it shares with the next
/// leaf.
fn shape(apart: &Apart<'_>, leaves: &[Leaf<'_>]) -> Vec<(usize, usize)> {
    let loops = |leaf: &Leaf<'_>, steps: usize| {
        let inner = (apart.steps..steps).filter(|&step| matches!(leaf.path[step], Step::Loop));
        inner.filter(|&step| !leaf.is_fixed(dimensions(&leaf.path[..step]))).count()
    };
    let next = leaves.iter().skip(1).map(Some).chain([None]);
    let shared = leaves.iter().zip(next).map(|(leaf, next)| {
        let shared = next.map_or(0, |next| loops(leaf, common(&leaf.path, &next.path)));
        (loops(leaf, leaf.path.len()), shared)
    });
    shared.collect()
}

/// True if two leaves differ at most in the values of their expressions.
fn is_same(one: &Node, other: &Node) -> bool {
    match (one, other) {
        (
            Node::Instance { statement, iterators, accesses },
            Node::Instance { statement: other, iterators: values, accesses: places },
        ) => {
            let mut both = accesses.iter().zip(places);
            (statement, iterators.len(), accesses.len()) == (other, values.len(), places.len())
                && both.all(|(one, other)| {
                    (one.access, one.buffer, one.index.len())
                        == (other.access, other.buffer, other.index.len())
                })
        }
        (
            Node::Copy { buffer, into_buffer, element, place },
            Node::Copy { buffer: other, into_buffer: into, element: of, place: at },
        ) => (buffer, into_buffer, element.len(), place.len()) == (other, into, of.len(), at.len()),
        (Node::Barrier, Node::Barrier) => true,
        _ => false,
    }
}

/// A leaf and its points, without the dimensions of loops in the nest that run once.
struct Plain<'l, 'a> {
    leaf: &'l Leaf<'a>,
    names: Vec<String>,
    domain: Set,
}

impl<'l, 'a> Plain<'l, 'a> {
    fn of(leaf: &'l Leaf<'a>, apart: &Apart<'_>) -> Result<Self> {
        let outer = dimensions(&leaf.path[..apart.steps]);
        let mut plain = Self { leaf, names: leaf.names.clone(), domain: leaf.domain.copy()? };
        for position in (outer..leaf.names.len()).rev().filter(|&position| leaf.is_fixed(position)) {
            plain.names.remove(position);
            plain.domain = plain.domain.project_out(DimType::Set, position as u32, 1)?;
        }
        Ok(plain)
    }

    /// Returns how this leaf of a specialised nest differs from that of the general nest. `inside` contains the
    /// points of the loops around the nests at which the specialised nest runs.
    fn difference(&self, general: &Self, inside: &Set) -> Result<Option<Difference<'a>>> {
        let points = |set: Set| Points { node: self.leaf.node, names: self.names.clone(), set };
        if !self.domain.is_subset(&general.domain)? {
            let added = self.domain.copy()?.subtract(general.domain.copy()?)?;
            return Ok(Some(Difference::Added(points(added))));
        }
        let wanted = general.domain.copy()?.intersect(extended_to(inside.copy()?, self.names.len())?)?;
        if !wanted.is_subset(&self.domain)? {
            return Ok(Some(Difference::LeftOut(points(wanted.subtract(self.domain.copy()?)?))));
        }
        Ok(self.other_values(general)?.map(|set| Difference::Value(points(set))))
    }

    /// Returns the points at which an expression of the leaf differs in value from that of the general nest.
    fn other_values(&self, general: &Self) -> Result<Option<Set>> {
        let scope = Scope { names: &self.names, domain: &self.domain };
        let values = expressions(self.leaf.node).into_iter().zip(expressions(general.leaf.node));
        for (value, expected) in values {
            let (value, expected) =
                (self.spelled(value, &self.names), general.spelled(expected, &self.names));
            if value == expected {
                continue;
            }
            let difference = scope.value(&value)?.sub(scope.value(&expected)?)?;
            let points = difference.non_zero_set()?.intersect(self.domain.copy()?)?;
            if !points.is_empty()? {
                return Ok(Some(points));
            }
        }
        Ok(None)
    }

    /// Rewrites an expression of the leaf: dimensions of points get these names, and other iterators get their
    /// values.
    fn spelled(&self, expr: &AstExpr, names: &[String]) -> AstExpr {
        let named = |name: &str| {
            let position = self.names.iter().position(|known| known == name)?;
            names.get(position).cloned().map(AstExpr::Name)
        };
        expr.with_values(&|name| match self.leaf.fixed.iter().find(|(fixed, _)| fixed == name) {
            Some((_, value)) if !self.names.iter().any(|known| known == name) => {
                Some(value.with_values(&named))
            }
            _ => named(name),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use scop::ast::AccessPlace;
    use scop::ast::AstOp;
    use scop::ast::expression::binary;
    use scop::{AccessId, BufferId, IslSchedule, IslSet, Model, StatementId};

    use super::super::walk::{Blocks, walk};
    use scop::ast::Unroll;

    use super::*;

    fn expr(text: &str) -> AstExpr {
        text.parse().unwrap()
    }

    /// `for (iterator = 0; condition; iterator++) body`
    fn count(iterator: &str, condition: &str, body: Node) -> Node {
        Node::For {
            iterator: iterator.to_owned(),
            init: AstExpr::Int(0),
            condition: expr(condition),
            increment: AstExpr::Int(1),
            degenerate: false,
            unroll: Unroll::Wholly,
            body: Box::new(body),
        }
    }

    /// `const iterator = value; body`
    fn once(iterator: &str, value: &str, body: Node) -> Node {
        Node::For {
            iterator: iterator.to_owned(),
            init: expr(value),
            condition: AstExpr::Int(1),
            increment: AstExpr::Int(1),
            degenerate: true,
            unroll: Unroll::Compiler,
            body: Box::new(body),
        }
    }

    fn when(condition: &str, then: Node) -> Node {
        Node::If { condition: expr(condition), then: Box::new(then), otherwise: None }
    }

    fn block<const N: usize>(children: [Node; N]) -> Node {
        Node::Block { children: children.into() }
    }

    /// A copy into a buffer, from this element to this place.
    fn copy(element: &str, place: &str) -> Node {
        let (element, place) = (vec![expr(element)], vec![expr(place)]);
        Node::Copy { buffer: BufferId(0), into_buffer: true, element, place }
    }

    /// Returns how two nests differ in a loop over `c0` from 0 to `n`.
    fn wrong(guard: &str, specialised: Node, general: Node) -> Option<&'static str> {
        let model = Model {
            name: "f".to_owned(),
            parameters: Vec::new(),
            context: IslSet("[n] -> { : n >= 0 }".to_owned()),
            assumptions: None,
            loops: Vec::new(),
            independent: Vec::new(),
            wishes: Default::default(),
            arrays: Vec::new(),
            statements: Vec::new(),
            order: IslSchedule(String::new()),
            extensions: Vec::new(),
        };
        let (specialised, general) = (Box::new(specialised), Box::new(general));
        let nests = Node::Specialised { guard: expr(guard), specialised, general };
        let program = count("c0", "c0 <= n", nests);
        let walked = walk(&model, &[], &program, Blocks::Any).unwrap();
        Some(match difference(&walked.apart[0]).unwrap()? {
            Difference::Shape => "shape",
            Difference::Added(_) => "added",
            Difference::LeftOut(_) => "left out",
            Difference::Value(_) => "value",
        })
    }

    /// `for (c1 = 0; c1 <= 3; c1++) if (c1 <= n - c0) copy(c0 + c1, c1)`
    fn tile() -> Node {
        count("c1", "c1 <= 3", when("c1 <= n - c0", copy("c0 + c1", "c1")))
    }

    #[test]
    fn what_the_guard_implies_need_not_be_asked() {
        let full = || count("c1", "c1 <= 3", copy("c0 + c1", "c1"));
        assert_eq!(wrong("3 <= n - c0", full(), tile()), None);
        assert_eq!(wrong("c0 < n - 2", full(), tile()), None);
        assert_eq!(wrong("c0 < n - 8", full(), tile()), None);
        assert_eq!(wrong("2 <= n - c0", full(), tile()), Some("added"));
        assert_eq!(wrong("3 <= n", full(), tile()), Some("added"));
        assert_eq!(wrong("1 == 1", full(), tile()), Some("added"));
        assert_eq!(wrong("1 == 1", tile(), tile()), None);
        // A nest that never runs differs nowhere.
        assert_eq!(wrong("n < 0", full(), tile()), None);
    }

    #[test]
    fn bounds_and_values_are_the_same() {
        let guard = "3 <= n - c0";
        for (nest, expected) in [
            (count("c1", "c1 <= 2", copy("c0 + c1", "c1")), Some("left out")),
            (count("c1", "c1 <= 4", copy("c0 + c1", "c1")), Some("added")),
            (count("c1", "c1 <= 3", when("c1 <= n - c0 - 1", copy("c0 + c1", "c1"))), Some("left out")),
            (count("c1", "c1 <= 3", copy("c0 + c1 + 1", "c1")), Some("value")),
            (count("c1", "c1 <= 3", copy("c0 + c1", "3 - c1")), Some("value")),
            (count("c9", "c9 < 4", copy("c9 + c0", "floordiv(2 * c9, 2)")), None),
            (count("c1", "c1 <= 3", once("c2", "c0 + c1", copy("c2", "c2 - c0"))), None),
            (count("c1", "c1 <= 3", once("c2", "c0 + c1", copy("c2 + 1", "c2 - c0"))), Some("value")),
        ] {
            assert_eq!(wrong(guard, nest, tile()), expected);
        }
    }

    #[test]
    fn leaves_and_loops_are_the_same() {
        let pair = || block([copy("c1", "c1"), Node::Barrier]);
        let general = || count("c1", "c1 <= n", pair());
        let second = |element: &str| Node::Copy {
            buffer: BufferId(1),
            into_buffer: true,
            element: vec![expr(element)],
            place: Vec::new(),
        };
        for (nest, expected) in [
            (count("c1", "c1 <= n", pair()), None),
            (count("c1", "c1 <= n", block([Node::Barrier, copy("c1", "c1")])), Some("shape")),
            (count("c1", "c1 <= n", copy("c1", "c1")), Some("shape")),
            (count("c1", "c1 <= n", block([second("c1"), Node::Barrier])), Some("shape")),
            (block([count("c1", "c1 <= n", copy("c1", "c1")), Node::Barrier]), Some("shape")),
            (
                block([count("c1", "c1 <= n", copy("c1", "c1")), count("c1", "c1 <= n", Node::Barrier)]),
                Some("shape"),
            ),
            (block([]), Some("shape")),
        ] {
            assert_eq!(wrong("n >= 5", nest, general()), expected);
        }
    }

    /// Leaves have to agree in their statements, buffers, accesses and numbers of subscripts.
    #[test]
    fn leaves_are_the_same_in_all_that_is_no_expression() {
        let exprs = |texts: &[&str]| texts.iter().map(|text| expr(text)).collect::<Vec<_>>();
        let copy = |buffer, into_buffer, element: &[&str], place: &[&str]| Node::Copy {
            buffer: BufferId(buffer),
            into_buffer,
            element: exprs(element),
            place: exprs(place),
        };
        let general = || copy(0, true, &["c0", "0"], &["c0", "1"]);
        for (leaf, expected) in [
            (general(), None),
            (copy(1, true, &["c0", "0"], &["c0", "1"]), Some("shape")),
            (copy(0, false, &["c0", "0"], &["c0", "1"]), Some("shape")),
            (copy(0, true, &["c0"], &["0", "c0", "1"]), Some("shape")),
            (copy(0, true, &["c0"], &["c0", "1"]), Some("shape")),
            (copy(0, true, &["c0", "0"], &["c0"]), Some("shape")),
        ] {
            assert_eq!(wrong("n >= 5", leaf.clone(), general()), expected, "{leaf:?}");
        }
        let access = |access, buffer: Option<u32>, index: &[&str]| AccessPlace {
            access: AccessId(access),
            buffer: buffer.map(BufferId),
            index: exprs(index),
        };
        let instance = |statement, iterators: &[&str], accesses: &[AccessPlace]| Node::Instance {
            statement: StatementId(statement),
            iterators: exprs(iterators),
            accesses: accesses.to_vec(),
        };
        let places = || vec![access(0, None, &["c0"]), access(1, Some(0), &["c0"])];
        let general = || instance(0, &["c0"], &places());
        let other = |second| instance(0, &["c0"], &[access(0, None, &["c0"]), second]);
        for (leaf, expected) in [
            (general(), None),
            (instance(1, &["c0"], &places()), Some("shape")),
            (instance(0, &["c0", "c0"], &places()[..1]), Some("shape")),
            (instance(0, &["c0"], &places()[..1]), Some("shape")),
            (instance(0, &["c0", "0"], &places()), Some("shape")),
            (other(access(2, Some(0), &["c0"])), Some("shape")),
            (other(access(1, Some(1), &["c0"])), Some("shape")),
            (other(access(1, None, &["c0"])), Some("shape")),
            (other(access(1, Some(0), &["c0", "0"])), Some("shape")),
            (other(access(1, Some(0), &["c0 + 1"])), Some("value")),
            (instance(0, &["c0 + 1"], &places()), Some("value")),
        ] {
            assert_eq!(wrong("n >= 5", leaf.clone(), general()), expected, "{leaf:?}");
        }
    }

    /// A loop that only names a value does not count, and its name is not confused with that of a later loop.
    #[test]
    fn names_for_values_end_with_their_bodies() {
        let named = || once("c1", "c0", copy("c1", "0"));
        let one = || block([named(), count("c1", "c1 <= 3", block([copy("c1", "1"), copy("c1", "2")]))]);
        let two = block([
            named(),
            block([count("c1", "c1 <= 3", copy("c1", "1")), count("c1", "c1 <= 3", copy("c1", "2"))]),
        ]);
        assert_eq!(wrong("n >= 5", one(), one()), None);
        assert_eq!(wrong("n >= 5", two, one()), Some("shape"));
        // Only values at points that are reached count.
        let bounded = count("c1", "c1 <= 3", copy("c0 + min(c1, 3)", "c1"));
        assert_eq!(wrong("3 <= n - c0", bounded, tile()), None);
    }

    /// A nest within a nest is compared separately; in comparisons of the nests around it, its general nest is used.
    #[test]
    fn nests_may_be_in_nests() {
        let full = || count("c1", "c1 <= 3", copy("c0 + c1", "c1"));
        let inner = |guard: &str| Node::Specialised {
            guard: expr(guard),
            specialised: Box::new(full()),
            general: Box::new(tile()),
        };
        assert_eq!(wrong("3 <= n - c0", full(), inner("8 <= n - c0")), None);
        assert_eq!(wrong("1 == 1", inner("3 <= n - c0"), tile()), None);
        // The inner nest is compared first.
        assert_eq!(wrong("1 == 1", inner("2 <= n - c0"), tile()), Some("added"));
    }

    /// Conditions are compared by their meaning, not by their text.
    #[test]
    fn conditions_are_compared_by_what_they_mean() {
        let both = binary(AstOp::And, expr("c1 <= n - c0"), expr("zeromod(c1, 2) == 0"));
        let general =
            count("c1", "c1 <= 3", when("zeromod(c1, 2) == 0", when("c1 <= n - c0", Node::Barrier)));
        let same = count(
            "c1",
            "c1 <= 3",
            Node::If { condition: both, then: Box::new(Node::Barrier), otherwise: None },
        );
        assert_eq!(wrong("n >= 3", same, general.clone()), None);
        let even = count("c1", "c1 <= 3", when("zeromod(c1 + 1, 2) == 1", Node::Barrier));
        assert_eq!(wrong("c0 + 2 <= n", even.clone(), general.clone()), None);
        assert_eq!(wrong("c0 + 1 <= n", even, general), Some("added"));
    }
}
