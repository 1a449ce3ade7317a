//! Integers and lvalues that C text can compute without effects.

use std::collections::BTreeSet;

use scop::{BinaryOp, CType};

use super::polynomial::{Polynomial, product, scaled, sum};
use crate::c::ctree::{Lifetime, Tree, VariableId};
use crate::host::expressions::is_array_type;
use crate::host::solver::Node;

/// An integer that can be computed without effects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// A constant of a type.
    Integer(i128, CType),
    /// A variable of a type; the length of a vector.
    Variable(VariableId, CType),
    /// `-x`.
    Negated(Box<Term>),
    /// A sum, a difference, or a product; or a quotient or remainder by a positive constant.
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// A conversion.
    Cast(CType, Box<Term>),
    /// A member of a structure, or an element of an array.
    Member(Box<Loaded>),
    /// The number, or the largest subscript that an array can have if it is larger. It may overflow.
    Capped(Box<Term>),
}

/// A number in memory that is not a variable of its own: `g->n`, `size[0]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// Where it is.
    pub lvalue: Lvalue,
    /// Its type.
    pub ctype: CType,
    /// The memory that has it, and that is read to find it.
    pub loads: Vec<Node>,
    /// The variables whose values are read to find it.
    pub reads: BTreeSet<VariableId>,
}

/// A step from a variable to a part of what it denotes or points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// `[index]`.
    Index(Term),
    /// `.name`.
    Field(String),
    /// `->name`.
    Arrow(String),
    /// `.data()` of a container.
    Data,
    /// `.size()` of a vector.
    Size,
}

/// An lvalue that can be computed without effects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lvalue {
    /// The variable at its beginning.
    pub root: VariableId,
    /// The steps from there.
    pub steps: Vec<Step>,
    /// The number of steps to the last pointer on the way that is read from memory.
    pub loaded: usize,
}

impl Term {
    /// Adds the variables in it.
    pub fn add_variables(&self, found: &mut BTreeSet<VariableId>) {
        match self {
            Self::Integer(..) => {}
            Self::Variable(id, _) => {
                found.insert(*id);
            }
            Self::Negated(operand) | Self::Cast(_, operand) | Self::Capped(operand) => {
                operand.add_variables(found)
            }
            Self::Binary(_, left, right) => {
                left.add_variables(found);
                right.add_variables(found);
            }
            Self::Member(loaded) => {
                found.insert(loaded.lvalue.root);
                found.extend(&loaded.reads);
            }
        }
    }

    /// Adds the memory that is read to compute it, apart from variables.
    pub fn add_loads(&self, found: &mut Vec<Node>) {
        match self {
            Self::Integer(..) | Self::Variable(..) => {}
            Self::Negated(operand) | Self::Cast(_, operand) | Self::Capped(operand) => {
                operand.add_loads(found)
            }
            Self::Binary(_, left, right) => {
                left.add_loads(found);
                right.add_loads(found);
            }
            Self::Member(loaded) => found.extend(&loaded.loads),
        }
    }

    /// True if memory that is read to compute it is found through pointers or subscripts.
    pub fn follows(&self, tree: &Tree) -> bool {
        match self {
            Self::Integer(..) | Self::Variable(..) => false,
            Self::Negated(operand) | Self::Cast(_, operand) | Self::Capped(operand) => operand.follows(tree),
            Self::Binary(_, left, right) => left.follows(tree) || right.follows(tree),
            Self::Member(loaded) => loaded.lvalue.loaded > 0 || !loaded.lvalue.is_in_variable(tree),
        }
    }

    /// Returns the term with another one in the place of a variable.
    pub fn with(&self, variable: VariableId, value: &Self) -> Self {
        let inner = |operand: &Self| Box::new(operand.with(variable, value));
        match self {
            Self::Variable(id, ctype) if *id == variable => value.clone().converted(*ctype),
            Self::Integer(..) | Self::Variable(..) => self.clone(),
            Self::Negated(operand) => Self::Negated(inner(operand)),
            Self::Cast(ctype, operand) => Self::Cast(*ctype, inner(operand)),
            Self::Capped(operand) => Self::Capped(inner(operand)),
            Self::Binary(operator, left, right) => Self::binary(*operator, *inner(left), *inner(right)),
            Self::Member(loaded) => {
                let mut loaded = loaded.clone();
                loaded.lvalue.indices_mut().for_each(|index| *index = index.with(variable, value));
                Self::Member(loaded)
            }
        }
    }

    /// Returns `left operator right` without zeros that change nothing.
    pub fn binary(operator: BinaryOp, left: Self, right: Self) -> Self {
        let ctype = left.ctype().common_with(right.ctype());
        let is_zero = |term: &Self| matches!(term, Self::Integer(0, _));
        if let (Self::Integer(one, _), Self::Integer(two, _)) = (&left, &right)
            && let Some(value) = computed(operator, *one, *two)
            && (ctype.range().0..=ctype.range().1).contains(&value)
        {
            return Self::Integer(value, ctype);
        }
        match operator {
            BinaryOp::Add if is_zero(&left) => right.converted(ctype),
            BinaryOp::Add | BinaryOp::Sub if is_zero(&right) => left.converted(ctype),
            BinaryOp::Mul if is_zero(&left) || is_zero(&right) => Self::Integer(0, ctype),
            _ => Self::Binary(operator, Box::new(left), Box::new(right)),
        }
    }

    /// Returns its type in C.
    pub fn ctype(&self) -> CType {
        match self {
            Self::Integer(_, ctype) | Self::Variable(_, ctype) | Self::Cast(ctype, _) => *ctype,
            Self::Negated(operand) => operand.ctype().promoted(),
            Self::Capped(operand) => operand.ctype(),
            Self::Member(loaded) => loaded.ctype,
            Self::Binary(_, left, right) => left.ctype().common_with(right.ctype()),
        }
    }

    /// Returns the same number with another type.
    pub fn converted(self, ctype: CType) -> Self {
        match self {
            _ if self.ctype() == ctype => self,
            Self::Integer(value, _) if (ctype.range().0..=ctype.range().1).contains(&value) => {
                Self::Integer(value, ctype)
            }
            _ => Self::Cast(ctype, Box::new(self)),
        }
    }

    /// Returns a sum, a difference or a product of two numbers, computed as `long`.
    pub fn in_long(operator: BinaryOp, left: Self, right: Self) -> Self {
        in_long(operator, left, right.converted(CType::Long))
    }

    /// Returns the product of two numbers, computed as `long`.
    pub fn product(left: Self, right: Self) -> Self {
        Self::in_long(BinaryOp::Mul, left, right)
    }

    /// Returns the number before it.
    pub fn minus_one(self) -> Self {
        match self {
            Self::Integer(value, ctype) if value > ctype.range().0 => Self::Integer(value - 1, ctype),
            _ => {
                let one = Self::Integer(1, self.ctype());
                Self::Binary(BinaryOp::Sub, Box::new(self), Box::new(one))
            }
        }
    }

    /// Returns it as a sum of products of variables, without regard to conversions and overflow; nothing for quotients,
    /// remainders, members of structures and elements.
    pub fn polynomial(&self) -> Option<Polynomial> {
        Some(match self {
            Self::Integer(value, _) => sum(Polynomial::from([(Vec::new(), *value)]), Polynomial::new()),
            Self::Variable(id, _) => Polynomial::from([(vec![*id], 1)]),
            Self::Negated(operand) => scaled(operand.polynomial()?, -1),
            Self::Cast(_, operand) | Self::Capped(operand) => operand.polynomial()?,
            Self::Binary(BinaryOp::Mul, left, right) => product(&left.polynomial()?, &right.polynomial()?),
            Self::Binary(BinaryOp::Add, left, right) => sum(left.polynomial()?, right.polynomial()?),
            Self::Binary(BinaryOp::Sub, left, right) => {
                sum(left.polynomial()?, scaled(right.polynomial()?, -1))
            }
            Self::Binary(..) | Self::Member(_) => return None,
        })
    }

    /// Returns the largest subscript of its type that an array can have.
    fn limit(&self) -> i128 {
        if self.ctype().size() <= 4 { i128::from(i32::MAX) } else { 1 << 46 }
    }

    /// True for a variable of 64 bits, perhaps with something constant added to it.
    fn is_offset(&self) -> bool {
        let is_wide = self.ctype().size() > 4;
        let sum = self.polynomial().filter(|_| is_wide).unwrap_or_default();
        let mut factors = sum.iter().filter(|(factors, _)| !factors.is_empty());
        let is_one = factors.next().is_some_and(|(factors, number)| factors.len() == 1 && *number == 1);
        is_one && factors.next().is_none()
    }

    /// Returns the text of the number as a `double`, which does not overflow.
    fn as_double(&self, tree: &Tree, precedence: u8) -> String {
        let (text, own) = match self {
            Self::Integer(value, _) => (format!("(double){value}"), if *value < 0 { 12 } else { 14 }),
            Self::Variable(..) | Self::Member(_) => (format!("(double){}", self.text(tree, 15)), 14),
            Self::Negated(operand) => (format!("-{}", operand.as_double(tree, 15)), 14),
            Self::Cast(_, operand) | Self::Capped(operand) => return operand.as_double(tree, precedence),
            Self::Binary(operator, left, right) => {
                let own = operator.precedence();
                let (left, right) = (left.as_double(tree, own), right.as_double(tree, own + 1));
                (format!("{left} {} {right}", operator.c_name()), own)
            }
        };
        if own < precedence { format!("({text})") } else { text }
    }

    pub fn text(&self, tree: &Tree, precedence: u8) -> String {
        let (text, own) = match self {
            Self::Capped(operand) => {
                let (limit, ctype) = (operand.limit(), operand.ctype());
                let (exact, limit) = (operand.text(tree, 11), literal(limit, ctype));
                let checked = if operand.is_offset() { exact.clone() } else { operand.as_double(tree, 11) };
                (format!("({checked} < {limit} ? {exact} : {limit})"), 20)
            }
            Self::Integer(value, ctype) => (literal(*value, *ctype), if *value < 0 { 12 } else { 20 }),
            Self::Variable(id, _) => match tree.variable(*id).class {
                Some(_) => (format!("{}.size()", tree.variable(*id).name), 20),
                None => (tree.variable(*id).name.clone(), 20),
            },
            Self::Member(loaded) => (loaded.lvalue.text(tree), 20),
            Self::Negated(operand) => (format!("-{}", operand.text(tree, 15)), 14),
            Self::Cast(CType::Bool, operand) if tree.is_cxx => {
                (format!("(bool){}", operand.text(tree, 15)), 14)
            }
            Self::Cast(ctype, operand) => (format!("({ctype}){}", operand.text(tree, 15)), 14),
            Self::Binary(operator, left, right) => {
                let own = operator.precedence();
                let (left, right) = (left.text(tree, own), right.text(tree, own + 1));
                (format!("{left} {} {right}", operator.c_name()), own)
            }
        };
        if own < precedence { format!("({text})") } else { text }
    }
}

impl Lvalue {
    /// True for a member of a variable, which can be read at any time.
    pub fn is_in_variable(&self, tree: &Tree) -> bool {
        let root = tree.variable(self.root);
        let is_pointer = root.ctype.is_pointer_like()
            && (root.lifetime == Lifetime::Parameter || !is_array_type(&root.ctype));
        !is_pointer
            && self.steps.iter().all(|step| match step {
                Step::Field(_) => true,
                Step::Index(index) => matches!(index, Term::Integer(..)),
                Step::Arrow(_) | Step::Data => false,
                Step::Size => true,
            })
    }

    pub fn text(&self, tree: &Tree) -> String {
        let steps = self.steps.iter().map(|step| match step {
            Step::Index(index) => format!("[{}]", index.text(tree, 0)),
            Step::Field(name) => format!(".{name}"),
            Step::Arrow(name) => format!("->{name}"),
            Step::Data => ".data()".to_owned(),
            Step::Size => ".size()".to_owned(),
        });
        format!("{}{}", tree.variable(self.root).name, steps.collect::<String>())
    }

    /// Returns its subscripts.
    pub fn indices(&self) -> impl Iterator<Item = &Term> {
        self.steps.iter().filter_map(|step| match step {
            Step::Index(index) => Some(index),
            Step::Field(_) | Step::Arrow(_) | Step::Data | Step::Size => None,
        })
    }

    /// Changes its subscripts.
    pub fn indices_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        self.steps.iter_mut().filter_map(|step| match step {
            Step::Index(index) => Some(index),
            Step::Field(_) | Step::Arrow(_) | Step::Data | Step::Size => None,
        })
    }
}

fn computed(operator: BinaryOp, one: i128, two: i128) -> Option<i128> {
    match operator {
        BinaryOp::Add => one.checked_add(two),
        BinaryOp::Sub => one.checked_sub(two),
        BinaryOp::Mul => one.checked_mul(two),
        _ => None,
    }
}

/// A constant as C text with its type.
fn literal(value: i128, ctype: CType) -> String {
    let suffix = match ctype {
        CType::UInt => "u",
        CType::Long => "l",
        CType::ULong => "ul",
        CType::LongLong => "ll",
        CType::ULongLong => "ull",
        _ => "",
    };
    format!("{value}{suffix}")
}

/// A sum or difference of offsets, each of which C adds to the pointer by itself: their types do not matter.
pub fn in_long(operator: BinaryOp, left: Term, right: Term) -> Term {
    Term::binary(operator, left.converted(CType::Long), right)
}
