//! Whether C defines what a program does, and the extents that its arrays need.
//!
//! 1. Iterators, temporaries and arrays are used where they are in scope, with as many subscripts as they have
//!    dimensions.
//! 2. Subscripts are never negative; the extents follow from the greatest, which is a constant for temporaries.
//! 3. Arithmetic is defined (`value.rs`), and what is stored keeps within what its array's role promises.
//! 4. Arrays of subscripts and bounds never change.

use std::collections::{BTreeMap, BTreeSet};

use crate::affine::{Affine, Limit, Range};
use crate::program::{
    Access, Assignment, Bound, Condition, Expression, Loop, Node, Operator, Program, Role, Storage,
    Subscript, Update,
};
use crate::setting::HostCode;
use crate::value::{self, Value};

/// What the arrays must be for all subscripts to be within them.
#[derive(Clone)]
pub struct Extents {
    /// For every array the length of each dimension.
    pub lengths: Vec<Vec<Limit>>,
    /// The arrays that are used at all.
    pub used: BTreeSet<usize>,
}

/// The extents of the arrays; `None` if something is undefined.
pub fn extents(program: &Program) -> Option<Extents> {
    if !program.setting.fits(program) {
        return None;
    }
    let mut checker = Checker::new(program);
    checker.block(&program.body)?;
    checker.used.extend(program.setting.host.iter().flat_map(HostCode::arrays));
    let length = |highest: Vec<Limit>| highest.into_iter().map(|limit| limit.shifted(1)).collect();
    Some(Extents { lengths: checker.highest.into_iter().map(length).collect(), used: checker.used })
}

/// What is in scope, and the highest subscripts so far.
#[derive(Clone)]
pub struct Checker<'a> {
    program: &'a Program,
    iterators: BTreeMap<usize, Range>,
    temporaries: BTreeSet<usize>,
    highest: Vec<Vec<Limit>>,
    used: BTreeSet<usize>,
}

impl<'a> Checker<'a> {
    /// The scope of a region's beginning.
    pub fn new(program: &'a Program) -> Self {
        let highest = program.arrays.iter().map(|array| vec![Limit::constant(-1); array.rank]).collect();
        Self {
            program,
            iterators: BTreeMap::new(),
            temporaries: BTreeSet::new(),
            highest,
            used: BTreeSet::new(),
        }
    }

    /// The scope inside some loops.
    pub fn inside(
        program: &'a Program,
        iterators: BTreeMap<usize, Range>,
        temporaries: BTreeSet<usize>,
    ) -> Self {
        Self { iterators, temporaries, ..Self::new(program) }
    }

    fn block(&mut self, nodes: &[Node]) -> Option<()> {
        let outside = self.temporaries.clone();
        nodes.iter().try_for_each(|node| self.node(node))?;
        self.temporaries = outside;
        Some(())
    }

    fn node(&mut self, node: &Node) -> Option<()> {
        match node {
            Node::For(nest) => self.nest(nest),
            Node::If(condition, then, otherwise) => {
                self.condition(condition)?;
                self.block(then)?;
                self.block(otherwise)
            }
            Node::Assign(assignment) => self.assignment(assignment),
            Node::Declare(array, first) => {
                let temporary = self.program.arrays.get(*array)?;
                let value = self.expression(first)?;
                let fresh = temporary.storage == Storage::Temporary && self.temporaries.insert(*array);
                (fresh && temporary.rank <= 1 && stores(value, temporary.element)).then_some(())
            }
            Node::While(count, body) => {
                let value = self.expression(count)?;
                let simple = body.iter().all(|node| matches!(node, Node::Assign(_)));
                if value.kind.is_floating() || !simple {
                    return None;
                }
                self.block(body)
            }
        }
    }

    fn nest(&mut self, nest: &Loop) -> Option<()> {
        let first = self.bound(&nest.first)?;
        let end = self.bound(&nest.end)?;
        if nest.step < 1 {
            return None;
        }
        let range = Range { low: first.low, high: end.high.shifted(-1) };
        if self.iterators.insert(nest.iterator, range).is_some() {
            return None;
        }
        self.block(&nest.body)?;
        self.iterators.remove(&nest.iterator);
        Some(())
    }

    /// The values of a bound.
    pub fn bound(&mut self, bound: &Bound) -> Option<Range> {
        match bound {
            Bound::Affine(form) => self.form(form),
            Bound::Quotient(form, by) => {
                self.natural(form).filter(|_| *by > 0).map(|range| range.divided(*by))
            }
            Bound::Minimum(a, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                Some(Range { low: a.low.below(b.low), high: a.high })
            }
            Bound::Maximum(a, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                Some(Range { low: a.low, high: a.high.above(b.high) })
            }
            Bound::Load(access) => self.loaded(access),
        }
    }

    fn form(&self, form: &Affine) -> Option<Range> {
        Range::of(form, &self.iterators)
    }

    fn natural(&self, form: &Affine) -> Option<Range> {
        self.form(form).filter(|range| range.is_natural())
    }

    fn loaded(&mut self, access: &Access) -> Option<Range> {
        self.access(access)?;
        let index = self.program.arrays[access.array].role == Role::Index;
        index.then_some(Range { low: Limit::constant(0), high: Limit { constant: 1, by_n: 1, by_m: 0 } })
    }

    fn access(&mut self, access: &Access) -> Option<()> {
        let array = self.program.arrays.get(access.array)?;
        if array.rank != access.subscripts.len()
            || array.storage == Storage::Temporary && !self.temporaries.contains(&access.array)
        {
            return None;
        }
        self.used.insert(access.array);
        for (dimension, subscript) in access.subscripts.iter().enumerate() {
            let range = self.subscript(subscript).filter(|range| range.is_natural())?;
            if array.storage == Storage::Temporary && range.high != Limit::constant(range.high.constant) {
                return None;
            }
            let highest = &mut self.highest[access.array][dimension];
            *highest = highest.above(range.high);
        }
        Some(())
    }

    /// The values of a subscript.
    pub fn subscript(&mut self, subscript: &Subscript) -> Option<Range> {
        match subscript {
            Subscript::Affine(form) => self.form(form),
            Subscript::Modulo(form, by) => {
                self.natural(form).filter(|_| *by > 0).map(|_| Range::constant(0, by - 1))
            }
            Subscript::Quotient(form, by) => {
                self.natural(form).filter(|_| *by > 0).map(|range| range.divided(*by))
            }
            Subscript::Load(access, offset) => {
                let range = self.loaded(access)?;
                Some(Range { low: range.low.shifted(*offset), high: range.high.shifted(*offset) })
            }
            Subscript::Hash(access, by) => {
                self.access(access)?;
                let unsigned = self.program.arrays[access.array].element.is_unsigned();
                (unsigned && *by > 0).then_some(Range::constant(0, by - 1))
            }
        }
    }

    fn condition(&mut self, condition: &Condition) -> Option<()> {
        match condition {
            Condition::Compare(a, _, b) => self.form(a).and(self.form(b)).map(|_| ()),
            Condition::Modulo(form, by, _, _) => self.form(form).filter(|_| *by > 0).map(|_| ()),
            Condition::Data(access) => self.access(access),
            Condition::Beats(a, _, b) => self.access(a).and(self.access(b)),
            Condition::And(a, b) | Condition::Or(a, b) => {
                self.condition(a)?;
                self.condition(b)
            }
            Condition::Not(inner) => self.condition(inner),
        }
    }

    /// The type and the magnitude of a value.
    pub fn expression(&mut self, expression: &Expression) -> Option<Value> {
        match expression {
            Expression::Read(access) => {
                self.access(access)?;
                Some(self.program.arrays[access.array].content())
            }
            Expression::Integer(_) | Expression::Real(_) => value::constant(expression),
            Expression::Affine(form) => self.form(form).map(value::of_form),
            Expression::Binary(operator, a, b) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                value::operation(*operator, a, b)
            }
            Expression::Ratio(a, b, offset) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                value::ratio(a, b, *offset)
            }
            Expression::Remainder(a, by) => value::remainder(self.expression(a)?, *by),
            Expression::Scaled(a, digits) => Some(value::scaled(self.expression(a)?, *digits)),
            Expression::Select(condition, a, b) => {
                self.condition(condition)?;
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                value::either(a, b)
            }
            Expression::Cast(to, a) => value::cast(*to, self.expression(a)?),
            Expression::Call(function, a) => value::call(*function, self.expression(a)?),
        }
    }

    fn assignment(&mut self, assignment: &Assignment) -> Option<()> {
        self.access(&assignment.target)?;
        let array = &self.program.arrays[assignment.target.array];
        let new = self.expression(&assignment.value)?;
        let computed = match assignment.operator {
            Update::Set => new,
            Update::Minimum | Update::Maximum => value::either(array.content(), new)?,
            Update::Add => value::operation(Operator::Add, array.content(), new)?,
            Update::Subtract => value::operation(Operator::Subtract, array.content(), new)?,
            Update::Multiply => value::operation(Operator::Multiply, array.content(), new)?,
            Update::And => value::operation(Operator::And, array.content(), new)?,
            Update::Or => value::operation(Operator::Or, array.content(), new)?,
            Update::Xor => value::operation(Operator::Xor, array.content(), new)?,
        };
        let free = array.element.is_unsigned();
        let kept = match (array.role, assignment.operator) {
            (Role::Index, _) => false,
            _ if free => true,
            (Role::Values, Update::Add | Update::Subtract) => false,
            (_, Update::Multiply) => array.element.is_floating(),
            (Role::Accumulator, Update::And | Update::Or | Update::Xor) => false,
            _ => true,
        };
        let converts = array.element.is_floating() || !computed.kind.is_floating();
        (kept && converts && stores(new, array.element)).then_some(())
    }
}

/// True if an element of this type may get this value.
fn stores(value: Value, element: crate::program::Type) -> bool {
    let converts = element.is_floating() || !value.kind.is_floating();
    converts && (element.is_unsigned() || value.magnitude <= element.most_stored())
}
