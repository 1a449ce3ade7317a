//! Places in memory whose addresses C text can compute, and ranges of them.

use std::collections::{BTreeMap, BTreeSet};

use scop::{BinaryOp, CType, HostPlace, UnaryOp};

use crate::c::ctree::{
    Class, Container, Expr, ExprKind, Lifetime, Tree, Type, TypeKind, Understood, Unnamed, VariableId,
};
use crate::host::expressions::{
    arguments_of, is_array_object, is_array_type, is_other, is_vector, object_of, operands_of, understood,
};
use crate::host::library;
use crate::host::pointers::Pointers;
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
    /// A member of a structure.
    Member(Box<Loaded>),
    /// The number, or the largest subscript that an array can have if it is larger. It may overflow.
    Capped(Box<Term>),
}

/// A number in memory that is not a variable of its own: `g->n`.
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

impl Term {
    /// Returns the term that an expression is.
    pub fn of(pointers: &Pointers, expr: &Expr) -> Option<Self> {
        let tree = pointers.tree();
        let ctype = expr.ctype.arithmetic().filter(|ctype| ctype.is_integer())?;
        Some(match &expr.kind {
            ExprKind::Integer(value) => Self::Integer(*value, ctype),
            ExprKind::Variable(id) if let Some(value) = tree.variable(*id).constant => {
                Self::Integer(value, ctype)
            }
            ExprKind::Variable(id) if is_readable(tree, *id) && !tree.variable(*id).enumeration => {
                Self::Variable(*id, ctype)
            }
            ExprKind::Unary(UnaryOp::Minus, operand) => Self::Negated(Box::new(Self::of(pointers, operand)?)),
            ExprKind::Unary(UnaryOp::Plus, operand) => Self::of(pointers, operand)?,
            ExprKind::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) => {
                let [left, right] = [left, right].map(|part| Self::of(pointers, part));
                Self::Binary(*operator, Box::new(left?), Box::new(right?))
            }
            ExprKind::Binary(operator @ (BinaryOp::Div | BinaryOp::Rem), left, right) => {
                let divisor = Self::of(pointers, right)?;
                let is_positive = matches!(divisor, Self::Integer(value, _) if value > 0);
                let left = Self::of(pointers, left)?;
                return is_positive.then(|| Self::Binary(*operator, Box::new(left), Box::new(divisor)));
            }
            ExprKind::Cast { operand, .. } => Self::of(pointers, operand)?.converted(ctype),
            ExprKind::Member { .. } => Self::Member(Box::new(Loaded::of(pointers, expr, ctype)?)),
            ExprKind::Other { what: Unnamed::Understood(Understood::Property(container), plain), .. } => {
                let is_length = matches!(&**plain, Unnamed::MemberCall(name) if name == "size");
                return length(pointers, expr, *container).filter(|_| is_length);
            }
            _ => return None,
        })
    }

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
    fn follows(&self, tree: &Tree) -> bool {
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
    fn binary(operator: BinaryOp, left: Self, right: Self) -> Self {
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
    /// remainders and members of structures.
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

    fn text(&self, tree: &Tree, precedence: u8) -> String {
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

impl Loaded {
    fn of(pointers: &Pointers, member: &Expr, ctype: CType) -> Option<Self> {
        let mut place = Builder::new(pointers);
        let lvalue = place.lvalue(member).filter(|_| !member.ctype.volatile)?;
        let Builder { mut loads, reads, .. } = place;
        loads.push(pointers.address(member));
        Some(Self { lvalue, ctype, loads, reads })
    }
}

/// A sum: the coefficient of each product of variables.
pub type Polynomial = BTreeMap<Vec<VariableId>, i128>;

fn sum(mut one: Polynomial, two: Polynomial) -> Polynomial {
    for (variables, coefficient) in two {
        let all = one.entry(variables).or_default();
        *all = all.saturating_add(coefficient);
    }
    one.retain(|_, coefficient| *coefficient != 0);
    one
}

fn scaled(mut one: Polynomial, factor: i128) -> Polynomial {
    one.values_mut().for_each(|coefficient| *coefficient = coefficient.saturating_mul(factor));
    one
}

fn product(one: &Polynomial, two: &Polynomial) -> Polynomial {
    let mut all = Polynomial::new();
    for (left, a) in one {
        for (right, b) in two {
            let mut variables = [&left[..], right].concat();
            variables.sort_unstable();
            all = sum(all, Polynomial::from([(variables, a.saturating_mul(*b))]));
        }
    }
    all
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

/// True for an integer variable whose name in C text is that of the variable, and whose value stays until the program
/// changes it.
fn is_readable(tree: &Tree, id: VariableId) -> bool {
    !tree.variable(id).reference && is_nameable(tree, id)
}

/// True for a variable whose name in C text is that of the variable, or of what it refers to.
fn is_nameable(tree: &Tree, id: VariableId) -> bool {
    let variable = tree.variable(id);
    let is_plain = variable.attribute.is_none() && !variable.ctype.volatile;
    // Elsewhere, the name alone may stand for another variable.
    let is_qualified = || tree.qualified.iter().any(|mention| mention.variable == id);
    is_plain && variable.member.is_none() && !tree.macros.contains(&variable.name) && !is_qualified()
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

impl Lvalue {
    /// Returns a member of what an argument is, points to, or is bound to by a reference, with the memory and the
    /// variables that are read to find it. Each member has its name, and whether an arrow leads to it.
    pub fn member_of(
        pointers: &Pointers,
        argument: &Expr,
        is_bound: bool,
        members: &[(bool, &str)],
    ) -> Option<(Self, Vec<Node>, BTreeSet<VariableId>)> {
        let tree = pointers.tree();
        let mut place = Builder::new(pointers);
        let mut argument = argument.without_casts();
        if let ExprKind::AddressOf(operand) = &argument.kind {
            argument = operand;
        }
        let mut lvalue = match argument.ctype.is_pointer_like() {
            true => place.pointer(argument).filter(|(_, offset)| offset.is_none())?.0,
            false => place.lvalue(argument)?,
        };
        let is_object = !argument.ctype.is_pointer_like();
        for (number, (arrow, name)) in members.iter().enumerate() {
            if tree.macros.contains(*name) {
                return None;
            }
            // A pointer to an object, and an object to which a reference is bound, stand in the text as they are.
            let arrow = if number == 0 && (is_bound || *arrow) { !is_object } else { *arrow };
            let step = if arrow { Step::Arrow } else { Step::Field };
            lvalue.steps.push(step((*name).to_owned()));
        }
        Some((lvalue, place.loads, place.reads))
    }

    /// True for a member of a variable, which can be read at any time.
    fn is_in_variable(&self, tree: &Tree) -> bool {
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

    fn text(&self, tree: &Tree) -> String {
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

/// `low < high`, or `low <= high`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// The left side.
    pub low: Term,
    /// The right side.
    pub high: Term,
    /// True for `<=`.
    pub inclusive: bool,
}

/// What a place consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// From the first byte of one lvalue to the last byte of another.
    Between(Lvalue, Lvalue),
    /// What a pointer points to; the pointer is the value of this lvalue, plus an offset.
    From(Lvalue, Option<Term>, Option<Term>),
}

/// A part of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The bytes.
    pub extent: Extent,
    /// Nothing is touched unless all of these hold.
    pub guards: Vec<Guard>,
    /// The memory that is read to compute the address, apart from variables.
    pub loads: Vec<Node>,
    /// True if some of that memory is itself found through pointers or subscripts: the address must be computed only
    /// where the access certainly happens.
    pub follows: bool,
    /// The variables whose values are read to compute the address.
    pub reads: BTreeSet<VariableId>,
    /// True if no byte in between is left out.
    pub whole: bool,
    /// What it consists of.
    pub content: Content,
}

/// What a place consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Numbers of so many bytes.
    Numbers(u32),
    /// A pointer.
    Pointer,
    /// Something else, or it is not known.
    Other,
}

impl Content {
    fn of(ctype: &Type) -> Self {
        match ctype.arithmetic() {
            Some(ctype) => Self::Numbers(ctype.size()),
            None if matches!(ctype.kind, TypeKind::Pointer { .. }) => Self::Pointer,
            None => Self::Other,
        }
    }

    fn of_target(pointer: &Type) -> Self {
        match &pointer.kind {
            TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. } => Self::of(target),
            _ => Self::Other,
        }
    }
}

impl Place {
    /// Returns the place of an lvalue; of what an algorithm finds in a range, that range.
    pub fn of(pointers: &Pointers, tree: &Tree, expr: &Expr) -> Option<Self> {
        if let Some([first, last]) = range_of_found(tree, expr) {
            return Some(Self { whole: false, ..Self::range(pointers, [first, last], first)? });
        }
        let mut place = Builder::new(pointers);
        if tree.has_own_address_of && matches!(expr.ctype.kind, TypeKind::Other(_)) {
            return None;
        }
        let lvalue = place.lvalue(expr)?;
        let Builder { loads, reads, follows, .. } = place;
        let extent = Extent::Between(lvalue.clone(), lvalue);
        let content = Content::of(&expr.ctype);
        Some(Self { extent, guards: Vec::new(), loads, reads, follows, whole: true, content })
    }

    /// Returns the place from where a pointer points, with a number of bytes if it is known.
    pub fn from(pointers: &Pointers, pointer: &Expr, bytes: Option<&Expr>) -> Option<Self> {
        let mut place = Builder::new(pointers);
        let bytes = match bytes {
            Some(bytes) => Some(place.term(bytes)?),
            None => None,
        };
        let (lvalue, offset) = place.pointer(pointer.without_casts())?;
        let Builder { loads, reads, follows, .. } = place;
        let extent = Extent::From(lvalue, offset, bytes);
        let content = Content::of_target(&pointer.without_casts().ctype);
        Some(Self { extent, guards: Vec::new(), loads, reads, follows, whole: true, content })
    }

    /// Returns the place that begins where a pointer or an iterator points, and has as many elements as there are
    /// between two others.
    pub fn range(pointers: &Pointers, [first, last]: [&Expr; 2], from: &Expr) -> Option<Self> {
        let mut place = Builder::new(pointers);
        let (low, high, start) = (place.iterator(first)?, place.iterator(last)?, place.iterator(from)?);
        if low.0 != high.0 {
            return None;
        }
        let number = |offset: Option<Term>| offset.unwrap_or(Term::Integer(0, CType::Int));
        let (begin, end, start_index) = (number(low.1), number(high.1), number(start.1));
        let after = match begin == start_index {
            true => end.clone(),
            false => {
                let length = Term::binary(BinaryOp::Sub, end.clone(), begin.clone());
                Term::binary(BinaryOp::Add, start_index.clone(), length)
            }
        };
        let element = |index: Term| {
            let mut lvalue = start.0.clone();
            lvalue.steps.push(Step::Index(index));
            lvalue
        };
        let extent = Extent::Between(element(start_index), element(after.minus_one()));
        let guards = vec![Guard { low: begin, high: end, inclusive: false }];
        let Builder { loads, reads, follows, .. } = place;
        Some(Self { extent, guards, loads, reads, follows, whole: true, content: Content::Other })
    }

    /// Returns the place of so many bytes from an element on to which a pointer leads.
    pub fn section(pointers: &Pointers, pointer: &Expr, start: Term, bytes: Term) -> Option<Self> {
        let mut place = Self::from(pointers, pointer, None)?;
        for term in [&start, &bytes] {
            term.add_variables(&mut place.reads);
            term.add_loads(&mut place.loads);
        }
        if let Extent::From(_, offset, length) = &mut place.extent {
            *offset = match offset.take() {
                None if matches!(start, Term::Integer(0, _)) => None,
                None => Some(start),
                Some(offset) => Some(in_long(BinaryOp::Add, offset, start)),
            };
            *length = Some(bytes);
        }
        place.follows = !place.loads.is_empty();
        Some(place)
    }

    /// Returns the place of so many bytes from an element of a vector on.
    pub fn of_vector(pointers: &Pointers, vector: &Expr, start: Term, bytes: Term) -> Option<Self> {
        let mut place = Builder::new(pointers);
        let lvalue = place.elements_of(vector)?;
        let Builder { loads, reads, .. } = place;
        let elements = Loaded { lvalue, ctype: CType::Int, loads, reads };
        Some(Self::of_member(elements, false, start, bytes))
    }

    /// Returns the place of the vector itself before a member function or operator, or that a reference is bound to:
    /// the object that has the address and the number of its elements.
    pub fn of_header(pointers: &Pointers, vector: &Expr) -> Option<Self> {
        let vector = without_address(vector);
        if pointers.tree().has_own_address_of || !is_vector(pointers.tree(), vector) {
            return None;
        }
        let mut place = Builder::new(pointers);
        let lvalue = place.vector(vector)?;
        let Builder { loads, reads, follows, .. } = place;
        let extent = Extent::Between(lvalue.clone(), lvalue);
        Some(Self { extent, guards: Vec::new(), loads, reads, follows, whole: true, content: Content::Other })
    }

    /// Returns the place of so many bytes from an element of a member on, which is a pointer or an array.
    pub fn of_member(member: Loaded, is_pointer: bool, start: Term, bytes: Term) -> Self {
        let Loaded { mut lvalue, mut loads, mut reads, .. } = member;
        if is_pointer {
            lvalue.loaded = lvalue.steps.len();
        }
        for term in [&start, &bytes] {
            term.add_variables(&mut reads);
            term.add_loads(&mut loads);
        }
        let extent = Extent::From(lvalue, Some(start), Some(bytes));
        let follows = !loads.is_empty();
        Self { extent, guards: Vec::new(), loads, reads, follows, whole: true, content: Content::Other }
    }

    /// Returns all variables that its text names.
    pub fn names(&self) -> BTreeSet<VariableId> {
        let root = match &self.extent {
            Extent::Between(low, _) => low.root,
            Extent::From(lvalue, ..) => lvalue.root,
        };
        self.reads.iter().copied().chain([root]).collect()
    }

    /// True if C text can name all of its variables: that which counts in a loop over a range has no name.
    pub fn has_text(&self, tree: &Tree) -> bool {
        self.names().iter().all(|id| !tree.variable(*id).name.is_empty())
    }

    /// Returns the C text.
    pub fn text(&self, tree: &Tree) -> HostPlace {
        let guard = |guard: &Guard| {
            let operator = if guard.inclusive { "<=" } else { "<" };
            format!("{} {operator} {}", guard.low.text(tree, 11), guard.high.text(tree, 11))
        };
        let guards: Vec<String> = self.guards.iter().map(guard).collect();
        let guarded = |text: String| match guards.is_empty() {
            true => text,
            false => format!("({} ? {text} : 0)", guards.join(" && ")),
        };
        let address = |text: String| if self.loads.is_empty() { text } else { guarded(text) };
        match &self.extent {
            Extent::Between(low, high) => {
                let (first, last) = (low.text(tree), high.text(tree));
                let bytes = match low == high {
                    true => format!("sizeof({first})"),
                    false => format!("(char *)(&{last} + 1) - (char *)&{first}"),
                };
                HostPlace { address: address(format!("&{first}")), bytes: Some(guarded(bytes)) }
            }
            Extent::From(lvalue, offset, bytes) => {
                let pointer = match (lvalue.text(tree), offset) {
                    (pointer, Some(offset)) => format!("&{pointer}[{}]", offset.text(tree, 0)),
                    (pointer, None) => pointer,
                };
                HostPlace {
                    address: address(pointer),
                    bytes: bytes.as_ref().map(|bytes| guarded(bytes.text(tree, 0))),
                }
            }
        }
    }
}

struct Builder<'a, 't> {
    pointers: &'a Pointers<'t>,
    tree: &'a Tree,
    loads: Vec<Node>,
    reads: BTreeSet<VariableId>,
    follows: bool,
}

impl<'a, 't> Builder<'a, 't> {
    fn new(pointers: &'a Pointers<'t>) -> Self {
        let (loads, reads) = (Vec::new(), BTreeSet::new());
        Self { pointers, tree: pointers.tree(), loads, reads, follows: false }
    }

    fn term(&mut self, expr: &Expr) -> Option<Term> {
        let term = Term::of(self.pointers, expr)?;
        self.note(&term);
        Some(term)
    }

    /// Notes what is read to compute a number.
    fn note(&mut self, term: &Term) {
        term.add_variables(&mut self.reads);
        term.add_loads(&mut self.loads);
        self.follows |= term.follows(self.tree);
    }

    fn lvalue(&mut self, expr: &Expr) -> Option<Lvalue> {
        match &expr.kind {
            ExprKind::Variable(id) => {
                if let Some(element) = element_of_range(self.tree, *id) {
                    return self.lvalue(element);
                }
                let is_nameable = is_nameable(self.tree, *id) && !self.tree.variable(*id).register;
                is_nameable.then(|| Lvalue { root: *id, steps: Vec::new(), loaded: 0 })
            }
            ExprKind::Subscript { base, index } => {
                let index = self.term(index)?;
                let (mut lvalue, offset) = self.pointer(base)?;
                let index = match offset {
                    Some(offset) if matches!(index, Term::Integer(0, _)) => offset,
                    Some(offset) => in_long(BinaryOp::Add, offset, index),
                    None => index,
                };
                lvalue.steps.push(Step::Index(index));
                Some(lvalue)
            }
            ExprKind::Other { what: Unnamed::Understood(Understood::Element(container), plain), .. } => {
                let mut lvalue = self.elements(expr, *container)?;
                let index = match (&**plain, arguments_of(expr)) {
                    (Unnamed::Operator(_), [index]) => without_conversion(self.term(index)?),
                    (Unnamed::MemberCall(name), [index]) if name == "at" => {
                        without_conversion(self.term(index)?)
                    }
                    (Unnamed::MemberCall(name), []) if name == "front" => Term::Integer(0, CType::Int),
                    (Unnamed::MemberCall(name), []) if name == "back" => {
                        self.length(expr, *container)?.minus_one()
                    }
                    _ => return None,
                };
                lvalue.steps.push(Step::Index(index));
                Some(lvalue)
            }
            ExprKind::Member { base, field, .. } if !self.tree.macros.contains(field) => {
                let mut lvalue = match matches!(base.ctype.kind, TypeKind::Pointer { .. }) {
                    true => self.pointer(base).filter(|(_, offset)| offset.is_none())?.0,
                    false => self.lvalue(base)?,
                };
                let is_arrow = matches!(base.ctype.kind, TypeKind::Pointer { .. });
                let step = if is_arrow { Step::Arrow } else { Step::Field };
                lvalue.steps.push(step(field.clone()));
                Some(lvalue)
            }
            _ => None,
        }
    }

    /// The elements of the container before a member function or operator.
    fn elements(&mut self, call: &Expr, container: Container) -> Option<Lvalue> {
        match container {
            Container::Vector => self.elements_of(object_of(call)?),
            Container::Array(_) => {
                let object = object_of(call)?;
                let object = if let ExprKind::AddressOf(operand) = &object.kind { operand } else { object };
                let mut lvalue = self.lvalue(object)?;
                lvalue.steps.push(Step::Data);
                Some(lvalue)
            }
        }
    }

    /// The elements of a vector, whose address is read from it.
    fn elements_of(&mut self, vector: &Expr) -> Option<Lvalue> {
        let vector = without_address(vector);
        let mut lvalue = self.vector(vector)?;
        match vector.as_variable() {
            Some(root) => {
                self.reads.insert(root);
            }
            None => {
                self.follows |= lvalue.loaded > 0 || !lvalue.is_in_variable(self.tree);
                self.loads.push(self.pointers.address(vector));
            }
        }
        lvalue.steps.push(Step::Data);
        lvalue.loaded = lvalue.steps.len();
        Some(lvalue)
    }

    /// A vector that is a variable or a member, if the text can name it.
    fn vector(&mut self, vector: &Expr) -> Option<Lvalue> {
        match vector.as_variable() {
            Some(_) => Some(Lvalue { root: named_vector(self.tree, vector)?, steps: Vec::new(), loaded: 0 }),
            None if is_vector(self.tree, vector) => self.lvalue(vector),
            None => None,
        }
    }

    /// The number of elements of the container before a member function or operator.
    fn length(&mut self, call: &Expr, container: Container) -> Option<Term> {
        let length = length(self.pointers, call, container)?;
        self.note(&length);
        Some(length)
    }

    /// An array, a pointer or an iterator, with what is added to it.
    fn iterator(&mut self, expr: &Expr) -> Option<(Lvalue, Option<Term>)> {
        match (&expr.kind, understood(expr)) {
            (ExprKind::AddressOf(operand), _) if is_other(operand) => self.iterator(operand),
            (ExprKind::Cast { operand, .. }, _) if is_other(operand) => self.iterator(operand),
            (ExprKind::Other { what, .. }, Some((Understood::Data(container), _))) => {
                let Unnamed::MemberCall(name) = what.plain() else { return None };
                let is_end = name.ends_with("end");
                let lvalue = self.elements(expr, *container)?;
                let length = if is_end { Some(self.length(expr, *container)?) } else { None };
                Some((lvalue, length))
            }
            (ExprKind::Other { what, .. }, Some((Understood::Iterator { changes: false }, _))) => {
                let operands: Vec<&Expr> = operands_of(expr).collect();
                match (what.plain(), &operands[..]) {
                    (Unnamed::Operator(name), [iterator, offset])
                        if ["operator+", "operator-"].contains(&name.as_str()) =>
                    {
                        let operator = if name == "operator+" { BinaryOp::Add } else { BinaryOp::Sub };
                        let (lvalue, inner) = self.iterator(iterator)?;
                        let inner = inner.unwrap_or(Term::Integer(0, CType::Int));
                        let offset = without_conversion(self.term(offset)?);
                        Some((lvalue, Some(Term::binary(operator, inner, offset))))
                    }
                    (Unnamed::Other(_), [inner]) => self.iterator(inner),
                    _ => None,
                }
            }
            _ => self.pointer(expr.without_casts()),
        }
    }

    /// An array or a pointer, with what is added to it.
    fn pointer(&mut self, expr: &Expr) -> Option<(Lvalue, Option<Term>)> {
        match &expr.kind {
            ExprKind::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                if is_of_void(expr) {
                    return None;
                }
                let (pointer, offset) = match (left.ctype.is_pointer_like(), right.ctype.is_pointer_like()) {
                    (true, false) => (left, right),
                    (false, true) if *operator == BinaryOp::Add => (right, left),
                    _ => return None,
                };
                let offset = self.term(offset)?;
                let (lvalue, inner) = self.pointer(pointer)?;
                let all = match (inner, operator) {
                    (None, BinaryOp::Add) => offset,
                    (None, _) => in_long(*operator, Term::Integer(0, CType::Long), offset),
                    (Some(inner), _) => in_long(*operator, inner, offset),
                };
                Some((lvalue, Some(all)))
            }
            ExprKind::AddressOf(operand) => {
                let mut lvalue = self.lvalue(operand)?;
                match lvalue.steps.pop() {
                    Some(Step::Index(index)) => Some((lvalue, Some(index))),
                    _ => None,
                }
            }
            _ if !expr.ctype.is_pointer_like() => None,
            ExprKind::Other { what: Unnamed::Understood(Understood::Data(container), _), .. } => {
                Some((self.elements(expr, *container)?, None))
            }
            _ => {
                let mut lvalue = self.lvalue(expr)?;
                if !is_array_object(self.tree, expr) {
                    let is_there = lvalue.loaded == 0;
                    lvalue.loaded = lvalue.steps.len();
                    match expr.as_variable() {
                        Some(id) => {
                            self.reads.insert(id);
                        }
                        None => {
                            self.follows |= !(is_there && lvalue.is_in_variable(self.tree));
                            self.loads.push(self.pointers.address(expr));
                        }
                    }
                }
                Some((lvalue, None))
            }
        }
    }
}

/// Returns the range in which the element that an lvalue denotes was found: `*std::max_element(first, last)`.
fn range_of_found<'t>(tree: &Tree, lvalue: &'t Expr) -> Option<[&'t Expr; 2]> {
    let mut found = match &lvalue.kind {
        ExprKind::Subscript { base, index } if matches!(index.kind, ExprKind::Integer(0)) => &**base,
        ExprKind::Other { what: Unnamed::Understood(Understood::Pointed, plain), .. } => {
            let is_star = matches!(&**plain, Unnamed::Operator(name) if name == "operator*");
            operands_of(lvalue).next().filter(|_| is_star)?
        }
        _ => return None,
    };
    while let ExprKind::Cast { operand, .. } = &found.kind {
        found = operand;
    }
    let ExprKind::Call { callee: Some(callee), arguments } = &found.kind else { return None };
    let is_finding = library::known(tree, callee, arguments)?.finds;
    match &arguments[..] {
        [first, last, ..] if is_finding => Some([first, last]),
        _ => None,
    }
}

/// Returns the subscript of a vector as it was before its conversion to the type of lengths: none that is negative has
/// an element.
fn without_conversion(index: Term) -> Term {
    match index {
        Term::Cast(CType::ULong, inner) if inner.ctype().is_integer() => *inner,
        index => index,
    }
}

/// Returns the number of elements of the container before a member function or operator.
fn length(pointers: &Pointers, call: &Expr, container: Container) -> Option<Term> {
    let vector = match container {
        Container::Vector => without_address(object_of(call)?),
        Container::Array(length) => return Some(Term::Integer(i128::from(length), CType::ULong)),
    };
    if vector.as_variable().is_some() {
        return Some(Term::Variable(named_vector(pointers.tree(), vector)?, CType::ULong));
    }
    let mut place = Builder::new(pointers);
    let mut lvalue = place.vector(vector)?;
    lvalue.steps.push(Step::Size);
    let Builder { mut loads, reads, .. } = place;
    loads.push(pointers.address(vector));
    Some(Term::Member(Box::new(Loaded { lvalue, ctype: CType::ULong, loads, reads })))
}

/// Returns the operand of an `&` that the source does not write, as before a member function.
fn without_address(object: &Expr) -> &Expr {
    match &object.kind {
        ExprKind::AddressOf(operand) => operand,
        _ => object,
    }
}

/// Returns the variable that a vector is, or that refers to it, if its name can stand in the text.
fn named_vector(tree: &Tree, vector: &Expr) -> Option<VariableId> {
    let id = vector.as_variable()?;
    let variable = tree.variable(id);
    let is_nameable = variable.attribute.is_none() && !tree.macros.contains(&variable.name);
    (is_nameable && variable.class == Some(Class::Vector)).then_some(id)
}

/// Returns the element that a variable refers to in a loop over a range.
fn element_of_range(tree: &Tree, id: VariableId) -> Option<&Expr> {
    let variable = tree.variable(id);
    let ExprKind::AddressOf(element) = &variable.initial.as_ref().filter(|_| variable.reference)?.kind else {
        return None;
    };
    let index = match &element.kind {
        ExprKind::Subscript { index, .. } => index,
        ExprKind::Other { parts, .. } => parts.last()?,
        _ => return None,
    };
    index.as_variable().filter(|counter| tree.variable(*counter).name.is_empty())?;
    Some(element)
}

/// True for a pointer to `void`, which GNU C can add numbers to, but which has no elements.
fn is_of_void(pointer: &Expr) -> bool {
    let TypeKind::Pointer { target, .. } = &pointer.ctype.kind else { return false };
    matches!(&target.kind, TypeKind::Other(name) if name == "void")
}

/// A sum or difference of offsets, each of which C adds to the pointer by itself: their types do not matter.
fn in_long(operator: BinaryOp, left: Term, right: Term) -> Term {
    Term::binary(operator, left.converted(CType::Long), right)
}

/// True for a variable that only its own function can name.
pub fn is_local(tree: &Tree, id: VariableId) -> bool {
    tree.variable(id).lifetime != Lifetime::Static
}
