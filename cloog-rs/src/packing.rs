//! The loops that pack and unpack the numbered elements of an array, and their positions as expressions.

use polyhedra::ast::{Build, Visitor, generate};
use polyhedra::{ASTExpr, DimType, PwQPolynomial, Result, Schedule, Set, Text};
use scop::ast::expression::folded;
use scop::ast::{AstExpr, Node, Packing};
use scop::from_isl::{of_polynomial, operands};
use scop::{DeviceArray, IslSet, Model};

use crate::instances::Leaves;
use crate::nodes::translate_node;
use crate::tidy::tidy;

/// Decides how the elements of an array are packed, if they are numbered.
pub fn packing(array: &DeviceArray, model: &Model, context: &Set) -> Result<Option<Packing>> {
    let (Some(numbering), Some(numbered)) = (&array.numbering, &array.numbered) else { return Ok(None) };
    let numbered = Set::parse(&numbered.0)?.intersect_params(context.copy()?)?;
    let dimensions = numbered.dim(DimType::Set)?;
    let subscripts = polyhedra::numbered("e", dimensions as usize);
    let tidy_loops = |elements| -> Result<Box<Node>> {
        Ok(Box::new(tidy(loops(elements, model, context)?, &model.parameters)))
    };
    Ok(Some(Packing {
        position: folded(&numbering.expression(context, &numbered, &subscripts)?),
        count: folded(&count(&PwQPolynomial::parse(&numbering.count.0)?, context)?),
        subscripts,
        to_device: tidy_loops(&array.copy_in)?,
        from_device: tidy_loops(&array.copy_out)?,
    }))
}

/// Returns a count as an expression, which is zero where none of its pieces is defined.
fn count(count: &PwQPolynomial, context: &Set) -> Result<AstExpr> {
    let somewhere = count.copy()?.domain()?;
    let value = of_polynomial(context, &count.copy()?.gist_params(somewhere.copy()?)?, &[])?;
    let condition = scop::from_isl::condition_on_parameters(context, somewhere)?;
    Ok(match condition {
        AstExpr::Int(1) => value,
        condition => AstExpr::Op(scop::ast::AstOp::Select, vec![condition, value, AstExpr::Int(0)]),
    })
}

/// Returns the loops over the elements of a set.
fn loops(elements: &IslSet, model: &Model, context: &Set) -> Result<Node> {
    let elements = Set::parse(&elements.0)?.intersect_params(context.copy()?)?;
    if elements.is_empty()? {
        return Ok(Node::Block { children: Vec::new() });
    }
    let identity = elements.copy()?.identity()?;
    let domain = polyhedra::UnionSet::from_set(elements)?;
    let bands = polyhedra::MultiUnionPwAff::from_union_map(polyhedra::UnionMap::from_map(
        identity.reset_tuple_id(DimType::Out)?,
    )?)?;
    let schedule = Schedule::from_domain(domain)?.insert_partial_schedule(bands)?;
    let mut elements = Elements { leaves: Leaves::without_kernels(model, Default::default()) };
    let root = generate(schedule, context.copy()?, &mut elements)?;
    translate_node(&root, &elements.leaves)
}

/// A visitor that collects only elements.
struct Elements<'a> {
    leaves: Leaves<'a>,
}

impl Visitor for Elements<'_> {
    fn instance(&mut self, call: ASTExpr, _build: &Build) -> Result<usize> {
        let index = operands(&call, 1)?;
        Ok(self.leaves.remember(Node::Element { index }))
    }

    fn mark(&mut self, _name: &str, _build: &Build) -> Result<usize> {
        Ok(self.leaves.nothing())
    }
}

#[cfg(test)]
mod tests {
    use scop::ast::AstOp;

    use super::*;

    /// The number of elements is zero where there are none, whatever the polynomial's value is.
    #[test]
    fn nothing_is_counted_where_there_is_nothing() {
        let counted = |context: &str| {
            let number = PwQPolynomial::parse("[n] -> { (6 - 5 * n + n^2) : n > 3 }").unwrap();
            count(&number, &Set::parse(context).unwrap()).unwrap()
        };
        let AstExpr::Op(AstOp::Select, cases) = counted("[n] -> { : n >= 0 }") else {
            panic!("no condition")
        };
        assert_eq!(cases[2], AstExpr::Int(0));
        assert!(!matches!(counted("[n] -> { : n > 5 }"), AstExpr::Op(AstOp::Select, _)));
    }
}
