//! Arrays that a function, or code under a condition on data, has for itself: those that it declares, constant
//! tables, and those that its caller passes to it.
//!
//! *before → after*: `static const double w[2] = {0.25, 0.5}; … return w[k] * x;` becomes `%0 = {0.25, 0.5}` at the
//! beginning of the function and the value `%0[k] * x`. A table is constant wherever it is declared, so the function
//! may have a copy of its own.

use scop::{CType, Expr, ExprKind, Step};

use crate::body::site::Site;
use crate::body::translator::{Body, OwnArray};
use crate::c::constant::{fold, is_literal};
use crate::c::conversions::{cast, number};
use crate::c::ctree::{
    self, Function, Length, Lifetime, Tree, Type, TypeKind, Unnamed, Variable, VariableId,
};
use crate::errors::Result;
use crate::memory::reference::{Subscript, reference};

/// The largest number of elements of such an array.
const MOST_ELEMENTS: u64 = 1 << 16;

/// The largest number of elements of such an array if it is not a table. Each thread of a GPU may have the array in
/// memory of its own, for which the GPU reserves room for all threads that it can hold at a time.
const MOST_OF_A_THREAD: u64 = 1 << 10;

/// The largest number of elements of an array of the region that its declaration assigns one by one.
const MOST_ASSIGNMENTS: usize = 64;

/// Returns the type of a variable's elements and its lengths, if it may be an array of a function's own.
pub fn array_type(variable: &Variable) -> Option<(CType, Vec<u64>)> {
    let mut extents = Vec::new();
    let element = innermost(&variable.ctype, &mut extents)?;
    let is_plain = variable.attribute.is_none() && variable.member.is_none() && !variable.reference;
    let size = extents.iter().try_fold(1, |size: u64, &extent| size.checked_mul(extent))?;
    let fits = !extents.is_empty() && (1..=MOST_ELEMENTS).contains(&size);
    (is_plain && fits && !element.volatile).then_some((element.arithmetic()?, extents))
}

fn innermost<'v>(ctype: &'v Type, extents: &mut Vec<u64>) -> Option<&'v Type> {
    match &ctype.kind {
        TypeKind::Array { element, length: Length::Constant(length), .. } => {
            extents.push(*length);
            innermost(element, extents)
        }
        TypeKind::Array { .. } => None,
        _ => Some(ctype),
    }
}

impl<'t> Body<'_, '_, 't> {
    /// Adds an array of the function's own, and returns its name.
    pub fn new_array(
        &mut self,
        id: VariableId,
        (element, extents): (CType, Vec<u64>),
        of_caller: bool,
    ) -> String {
        let (local, name) = self.new_local(&self.region.functions.tree.variable(id).name);
        self.own_arrays.insert(id, OwnArray { local, element, extents, of_caller });
        name
    }

    /// Returns the definitions of the constant tables that a function reads.
    pub fn tables(&mut self, function: &'t Function, site: &Site) -> Result<Vec<Step>> {
        let tree = self.region.functions.tree;
        let mut mentioned = Vec::new();
        function.body.walk_expressions(tree, &mut |expr| {
            if let ctree::ExprKind::Variable(id) = expr.kind
                && tree.variable(id).lifetime == Lifetime::Static
                && !mentioned.contains(&id)
            {
                mentioned.push(id);
            }
        });
        let mut steps = Vec::new();
        for id in mentioned {
            let variable = tree.variable(id);
            let mut lengths = Vec::new();
            let has_constants =
                innermost(&variable.ctype, &mut lengths).is_some_and(|element| element.constant);
            let slots = variable.initial.as_ref().zip(array_type(variable));
            let slots = slots.and_then(|(initial, (_, extents))| in_order(initial, &extents));
            if let Some(slots) = slots.filter(|_| has_constants)
                && slots.iter().flatten().all(|value| is_constant(tree, value))
            {
                steps.extend(self.define_array(id, &slots, site)?);
            }
        }
        Ok(steps)
    }

    /// Returns the steps that declare an array in a function, or in code under a condition on data that contains all
    /// uses of the array: its definition, or no step for a table that is already defined. A static constant needs no
    /// step either, because its value is used. Returns nothing for any other variable.
    pub fn own_declaration(&mut self, id: VariableId, site: &Site) -> Result<Option<Vec<Step>>> {
        let variable = self.region.functions.tree.variable(id);
        let is_table = variable.lifetime == Lifetime::Static && self.own_arrays.contains_key(&id);
        if is_table || self.is_of_function() && is_literal_constant(variable) {
            return Ok(Some(Vec::new()));
        }
        let is_own = |extents: &[u64]| {
            variable.lifetime == Lifetime::Automatic && extents.iter().product::<u64>() <= MOST_OF_A_THREAD
        };
        let own = array_type(variable).filter(|(_, extents)| is_own(extents));
        let Some((_, extents)) = own else { return Ok(None) };
        let slots = match &variable.initial {
            None => Some(Vec::new()),
            Some(initial) => in_order(initial, &extents),
        };
        let Some(slots) = slots else { return Ok(None) };
        Ok(self.define_array(id, &slots, site)?.map(|step| vec![step]))
    }

    /// Returns the steps that declare an array in memory with its first values: an assignment to each element.
    /// Returns nothing if it is no such array, or if a value was refused.
    pub fn first_elements(&mut self, id: VariableId, site: &Site) -> Result<Option<Vec<Step>>> {
        let variable = self.region.functions.tree.variable(id);
        let own = array_type(variable).filter(|_| variable.lifetime == Lifetime::Automatic);
        let Some((ctype, extents)) = own else { return Ok(None) };
        let slots = variable.initial.as_ref().and_then(|initial| in_order(initial, &extents));
        let Some(slots) = slots.filter(|slots| slots.len() <= MOST_ASSIGNMENTS) else { return Ok(None) };
        let mut steps = Vec::new();
        for (position, slot) in slots.into_iter().enumerate() {
            let value = match slot {
                Some(value) => self.pure_value(value, site)?,
                None => Some(number(0)),
            };
            let Some(value) = value else { return Ok(None) };
            let access = self.element_at(id, &indices(position as u64, &extents), site)?;
            let Some(access) = access else { return Ok(None) };
            let value = cast(value, ctype);
            steps.push(Step::Assign { access, subscripts: Vec::new(), value, compound: None });
        }
        Ok(Some(steps))
    }

    /// Returns the definition of an array whose elements have some first values, or none at all.
    fn define_array(
        &mut self,
        id: VariableId,
        slots: &[Option<&'t ctree::Expr>],
        site: &Site,
    ) -> Result<Option<Step>> {
        let Some((ctype, extents)) = array_type(self.region.functions.tree.variable(id)) else {
            return Ok(None);
        };
        let given =
            slots.iter().rposition(Option::is_some).map_or(usize::from(!slots.is_empty()), |last| last + 1);
        let (tree, mut values) = (self.region.functions.tree, Vec::new());
        for slot in &slots[..given] {
            let constant = slot.and_then(|value| Some((fold(tree, value)?, value.ctype.arithmetic()?)));
            let value = match (slot, constant) {
                (_, Some((value, ctype))) => {
                    Some(Expr { ctype, kind: ExprKind::Integer { value: value.to_string() } })
                }
                (Some(value), None) => self.pure_value(value, site)?,
                (None, None) => Some(number(0)),
            };
            let Some(value) = value else { return Ok(None) };
            values.push(cast(value, ctype));
        }
        let name = self.new_array(id, (ctype, extents.clone()), false);
        let local = self.own_arrays[&id].local;
        Ok(Some(Step::DefineArray { local, name, ctype, extents, values }))
    }

    /// Returns the array of the function's own that an expression is an element or a part of, and the subscripts.
    pub fn own_reference(&self, expr: &'t ctree::Expr) -> Option<(OwnArray, Vec<Subscript<'t>>)> {
        let (id, subscripts) = reference(expr).ok()?;
        Some((self.own_arrays.get(&id)?.clone(), subscripts))
    }

    /// Returns the values of some subscripts; nothing if one was refused.
    pub fn subscript_values(
        &mut self,
        subscripts: &[Subscript<'t>],
        site: &Site,
    ) -> Result<Option<Vec<Expr>>> {
        let mut values = Vec::new();
        for subscript in subscripts {
            values.push(self.subscript_value(subscript, site)?);
        }
        Ok(values.into_iter().collect())
    }

    /// Returns an array, or a part of one, as the argument for a parameter like `wanted`; nothing if it is not the
    /// function's own, is too small, or has other elements.
    pub fn array_argument(
        &mut self,
        argument: &'t ctree::Expr,
        wanted: &(CType, Vec<u64>),
        site: &Site,
    ) -> Result<Option<Expr>> {
        let Some((array, subscripts)) = self.own_reference(argument.without_casts()) else { return Ok(None) };
        let (ctype, rest) = (array.element, array.extents.get(subscripts.len()..).unwrap_or_default());
        let fits = match (rest, &wanted.1[..]) {
            ([given, inner @ ..], [least, same @ ..]) => given >= least && inner == same,
            _ => false,
        };
        if !fits || ctype != wanted.0 {
            return Ok(None);
        }
        let subscripts = self.subscript_values(&subscripts, site)?;
        Ok(subscripts
            .map(|subscripts| Expr { ctype, kind: ExprKind::Array { local: array.local, subscripts } }))
    }
}

/// True for values that a program cannot change: literals, values computed from them, and constants with such values.
fn is_constant(tree: &Tree, expr: &ctree::Expr) -> bool {
    match &expr.kind {
        _ if is_literal(expr) || fold(tree, expr).is_some() => true,
        ctree::ExprKind::Cast { operand, .. } | ctree::ExprKind::Unary(_, operand) => {
            is_constant(tree, operand)
        }
        ctree::ExprKind::Variable(id) => is_literal_constant(tree.variable(*id)),
        _ => false,
    }
}

/// True for a variable that always has the value of a literal.
pub fn is_literal_constant(variable: &Variable) -> bool {
    let is_fixed = variable.ctype.constant && !variable.ctype.volatile && !variable.reference;
    is_fixed && variable.lifetime == Lifetime::Static && variable.initial.as_ref().is_some_and(is_literal)
}

/// Returns the indices of the element at a position, which counts the last dimension fastest.
fn indices(position: u64, extents: &[u64]) -> Vec<u64> {
    let mut rest = position;
    let mut indices: Vec<u64> = extents
        .iter()
        .rev()
        .map(|extent| {
            let index = rest % extent;
            rest /= extent;
            index
        })
        .collect();
    indices.reverse();
    indices
}

/// Returns what an initialiser gives each element of an array, the last dimension fastest (C 6.7.9, without
/// designators). Returns nothing if the initialiser is not a list, or has braces around a number.
fn in_order<'t>(initial: &'t ctree::Expr, extents: &[u64]) -> Option<Vec<Option<&'t ctree::Expr>>> {
    let mut slots = Vec::new();
    fill(in_list(initial)?, extents, &mut slots)?;
    Some(slots)
}

fn in_list(expr: &ctree::Expr) -> Option<&[ctree::Expr]> {
    match &expr.kind {
        ctree::ExprKind::Other { what: Unnamed::InitialiserList, parts } => Some(parts),
        _ => None,
    }
}

/// Initialises an array from one pair of braces.
fn fill<'t>(
    parts: &'t [ctree::Expr],
    extents: &[u64],
    slots: &mut Vec<Option<&'t ctree::Expr>>,
) -> Option<()> {
    let mut rest = parts;
    fill_from(&mut rest, extents, slots)?;
    rest.is_empty().then_some(())
}

/// Initialises an array, which takes the values that it needs from a list unless its part has braces of its own.
fn fill_from<'t>(
    rest: &mut &'t [ctree::Expr],
    extents: &[u64],
    slots: &mut Vec<Option<&'t ctree::Expr>>,
) -> Option<()> {
    let [length, inner @ ..] = extents else {
        let next = rest.split_first();
        if let Some((value, others)) = next {
            if in_list(value).is_some() {
                return None;
            }
            *rest = others;
        }
        slots.push(next.map(|(value, _)| value));
        return Some(());
    };
    for _ in 0..*length {
        match rest.split_first() {
            Some((value, others)) if let (false, Some(parts)) = (inner.is_empty(), in_list(value)) => {
                *rest = others;
                fill(parts, inner, slots)?;
            }
            _ => fill_from(rest, inner, slots)?,
        }
    }
    Some(())
}
