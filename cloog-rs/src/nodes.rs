//! Translates isl's AST nodes to those of the document.

use polyhedra::ast::{NodeKind, annotation, kind};
use polyhedra::{ASTNode, Error, Result};
use scop::ast::{Node, Unroll};

use crate::instances::Leaves;
use crate::unroll::{unrolled, unrolled_by};
use scop::from_isl::translate;
use scop::mark;

/// Translates a node; nested blocks are flattened.
pub fn translate_node(node: &ASTNode, leaves: &Leaves<'_>) -> Result<Node> {
    match kind(node)? {
        NodeKind::For => translate_for(node, leaves),
        NodeKind::If => translate_if(node, leaves),
        NodeKind::Block => translate_block(node, leaves),
        NodeKind::Mark => translate_mark(node, leaves),
        NodeKind::User => found_at(node, leaves),
    }
}

fn translate_for(node: &ASTNode, leaves: &Leaves<'_>) -> Result<Node> {
    let degenerate = node.for_is_degenerate()?;
    let init = translate(&node.for_get_init()?)?;
    let (condition, increment) = if degenerate {
        (scop::ast::AstExpr::Int(1), scop::ast::AstExpr::Int(1))
    } else {
        (translate(&node.for_get_cond()?)?, translate(&node.for_get_inc()?)?)
    };
    Ok(Node::For {
        iterator: node.for_get_iterator()?.id_get_id()?.get_name()?.to_owned(),
        init,
        condition,
        increment,
        degenerate,
        unroll: Unroll::Compiler,
        body: Box::new(translate_node(&node.for_get_body()?, leaves)?),
    })
}

fn translate_if(node: &ASTNode, leaves: &Leaves<'_>) -> Result<Node> {
    let otherwise = if node.if_has_else_node()? {
        Some(Box::new(translate_node(&node.if_get_else_node()?, leaves)?))
    } else {
        None
    };
    Ok(Node::If {
        condition: translate(&node.if_get_cond()?)?,
        then: Box::new(translate_node(&node.if_get_then_node()?, leaves)?),
        otherwise,
    })
}

fn translate_block(node: &ASTNode, leaves: &Leaves<'_>) -> Result<Node> {
    let list = node.block_get_children()?;
    let mut children = Vec::new();
    for position in 0..list.size()? {
        match translate_node(&list.get_at(position)?, leaves)? {
            Node::Block { children: inner } => children.extend(inner),
            other => children.push(other),
        }
    }
    Ok(Node::Block { children })
}

/// Translates a mark. The mark of a kernel becomes its launch, with the subtree as its body. Loops that are to be
/// unrolled completely get constant bounds. Other marks are removed.
fn translate_mark(node: &ASTNode, leaves: &Leaves<'_>) -> Result<Node> {
    let inner = translate_node(&node.mark_get_node()?, leaves)?;
    let id = node.mark_get_id()?;
    let name = id.get_name()?;
    if name == mark::UNROLL {
        return Ok(unrolled(inner));
    }
    if let Some(factor) = mark::factor_of(name) {
        return Ok(unrolled_by(factor, inner));
    }
    match found_at(node, leaves)? {
        Node::Kernel { kernel, lower, extent, ranked, .. } => {
            Ok(Node::Kernel { kernel, lower, extent, ranked, body: Box::new(inner) })
        }
        _ => Ok(inner),
    }
}

fn found_at(node: &ASTNode, leaves: &Leaves<'_>) -> Result<Node> {
    annotation(node)
        .and_then(|number| leaves.at(number))
        .cloned()
        .ok_or_else(|| Error::new("a node of isl's AST lost its annotation"))
}
