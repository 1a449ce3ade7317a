//! Expressions of loop programs as text: `32 * bx + tx < n` is easier to find and to change in a document than the
//! trees that the document contains.

use scop::ast::tree::map_expressions;
use scop::ast::{AstExpr, Node};
use scop::{Boxes, ElementBox, Scanned};
use serde_json::Value;

/// Returns the text of an expression.
pub fn text_of(expression: &Value) -> String {
    serde_json::from_value::<AstExpr>(expression.clone()).expect("an expression").to_string()
}

/// Parses a text as an expression, in the form that documents use.
pub fn expression(text: &str) -> Value {
    let tree: AstExpr = text.parse().unwrap_or_else(|why| panic!("{text}: {why}"));
    serde_json::to_value(tree).expect("an expression is JSON")
}

/// Returns a document, indented, with texts instead of the expressions in its loop programs.
pub fn with_texts(document: &str) -> String {
    let mut program = scop::from_json::<Scanned>(document).expect("a document with loop programs");
    for scop in &mut program.scops {
        let ast = &mut scop.stage.ast;
        for array in &mut ast.arrays {
            let own = [&mut array.lower, &mut array.extent].into_iter();
            own.chain(&mut array.inner_extents).for_each(|expr| *expr = text(expr));
            array.boxes = array.boxes.take().map(|boxes| Boxes {
                to_device: boxes.to_device.into_iter().map(box_with_texts).collect(),
                from_device: boxes.from_device.into_iter().map(box_with_texts).collect(),
            });
            if let Some(packing) = &mut array.packing {
                packing.position = text(&packing.position);
                packing.count = text(&packing.count);
                for node in [&mut packing.to_device, &mut packing.from_device] {
                    **node = map_expressions((**node).clone(), &text);
                }
            }
        }
        let body = std::mem::replace(&mut ast.body, Node::Barrier);
        ast.body = map_expressions(body, &text);
    }
    serde_json::to_string_pretty(&program).expect("a document is JSON")
}

/// Returns a name that contains the text of an expression.
fn text(expr: &AstExpr) -> AstExpr {
    AstExpr::Name(expr.to_string())
}

fn box_with_texts(part: ElementBox<AstExpr>) -> ElementBox<AstExpr> {
    let all = |list: Vec<AstExpr>| list.iter().map(text).collect();
    ElementBox { lower: all(part.lower), extent: all(part.extent) }
}

/// Keys of a loop program whose values are always names.
const NAMES: [&str; 8] =
    ["access", "array", "buffer", "iterator", "kernel", "node", "statement", "subscripts"];

/// Converts a document with texts back to one with expressions.
pub fn with_trees(document: &Value) -> String {
    let mut document = document.clone();
    for scop in document["scops"].as_array_mut().into_iter().flatten() {
        to_trees(&mut scop["ast"]);
    }
    document.to_string()
}

fn to_trees(part: &mut Value) {
    match part {
        Value::String(text) => *part = expression(text),
        Value::Array(values) => values.iter_mut().for_each(to_trees),
        Value::Object(values) => {
            let fields = values.iter_mut().filter(|(key, _)| !NAMES.contains(&key.as_str()));
            fields.for_each(|(_, value)| to_trees(value));
        }
        _ => {}
    }
}
