//! What the tree does not show: functions that other code may call, code that threads share, and hidden mentions.

use std::collections::{BTreeMap, BTreeSet};

use scop::SourceRange;

use crate::c::ctree::{
    Expr, ExprKind, Function, Lifetime, RANGE, Stmt, StmtKind, Tree, Unnamed, Unsupported, Variable,
    VariableId,
};
use crate::host::expressions::innermost;

/// What the tree does not show.
pub struct Opaque<'t> {
    tree: &'t Tree,
    /// The functions of which nothing is known but what they mention, each with the reason and a way out.
    functions: BTreeMap<&'t str, (&'static str, &'static str)>,
    /// The functions that other code may call.
    callable: BTreeSet<&'t str>,
    /// True if there are directives for threads.
    has_threads: bool,
}

impl<'t> Opaque<'t> {
    /// Collects the facts of a file with translated regions in these places.
    pub fn of(tree: &'t Tree, regions: &[SourceRange]) -> Self {
        let parallel = parallel_places(tree, regions);
        let is_parallel = |function: &Function| {
            let is_in = |place: &Option<SourceRange>| match (place, function.range) {
                (Some(place), Some(range)) => place.is_within(range),
                _ => false,
            };
            let is_anywhere = |place: &Option<SourceRange>| {
                let mut ranges = tree.functions.iter().filter_map(|function| function.range);
                place.is_none_or(|place| !ranges.any(|range| place.is_within(range)))
            };
            parallel.iter().any(|place| is_in(place) || is_anywhere(place))
        };
        let mut opaque = Self {
            tree,
            functions: BTreeMap::new(),
            callable: BTreeSet::new(),
            has_threads: !parallel.is_empty(),
        };
        for function in tree.all_functions() {
            let reason = if is_parallel(function) {
                Some((
                    "has directives of OpenMP or OpenACC outside of regions",
                    "move the code with these directives into another function",
                ))
            } else if function.hidden_part.is_some() {
                Some((
                    "contains code that the analysis does not follow",
                    "move that code into another function",
                ))
            } else {
                opaque_part(tree, function)
            };
            if let Some(reason) = reason {
                opaque.functions.insert(&function.name, reason);
            }
            opaque.note_special_calls(&function.body);
        }
        for function in tree.all_functions().filter(|function| is_named_elsewhere(tree, function)) {
            opaque.callable.insert(&function.name);
        }
        opaque
    }

    /// True for a function of which nothing is known but what it mentions.
    pub fn is_opaque(&self, function: &Function) -> bool {
        self.reason(function).is_some()
    }

    /// Returns why nothing is known of a function but what it mentions, if that is so, and a way out.
    pub fn reason(&self, function: &Function) -> Option<(&'static str, &'static str)> {
        self.functions.get(function.name.as_str()).copied()
    }

    /// True for a function that code outside of the tree may call.
    pub fn is_called_from_elsewhere(&self, function: &Function) -> bool {
        self.callable.contains(function.name.as_str())
    }

    /// True for a variable that something mentions which the tree does not have, so that its address may be taken.
    pub fn hides(&self, id: VariableId) -> bool {
        let hidden = &self.tree.hidden;
        let variable = self.tree.variable(id);
        let is_number = is_number(variable);
        let in_pragma = hidden.any || hidden.names.contains_key(&variable.name);
        let is_seen = is_number && hidden.calls.is_empty() && !self.tree.is_cxx;
        hidden.variables.contains_key(&id) && !is_seen || self.has_threads && in_pragma
    }

    /// Calls of functions with attributes may lead to other functions, and these back.
    fn note_special_calls(&mut self, body: &'t Stmt) {
        body.walk_expressions(self.tree, &mut |expr| {
            if let ExprKind::Call { callee: Some(callee), .. } = &expr.kind
                && callee.attribute.is_some()
            {
                self.callable.insert(&callee.name);
            }
        });
    }
}

/// True for a statement of which nothing is known but what it mentions. Loops over ranges call functions that they do
/// not name, with variables that they do not show.
pub fn is_opaque_statement(stmt: &Stmt) -> bool {
    let StmtKind::Other { what, .. } = &stmt.kind else { return false };
    match what {
        Unsupported::Assembly => true,
        Unsupported::Other(_) => !declares_types(stmt),
        Unsupported::Loop(words) => *words == RANGE,
        _ => false,
    }
}

/// True for a declaration of types, and perhaps also of variables. Its parts are what it evaluates.
pub fn declares_types(stmt: &Stmt) -> bool {
    const KINDS: [&str; 14] = [
        "EnumConstantDecl",
        "EnumDecl",
        "FieldDecl",
        "NamespaceAlias",
        "NamespaceRef",
        "StaticAssert",
        "StructDecl",
        "TypeAliasDecl",
        "TypeRef",
        "TypedefDecl",
        "UnionDecl",
        "UsingDeclaration",
        "UsingDirective",
        "UsingEnumDecl",
    ];
    let StmtKind::Other { what: Unsupported::Other(words), parts } = &stmt.kind else { return false };
    let kind = words.strip_prefix("a statement of the kind ");
    let is_declaration = words == "a declaration of something other than variables"
        || kind.is_some_and(|kind| KINDS.contains(&kind));
    let is_plain = |part: &Stmt| {
        matches!(part.kind, StmtKind::Expression(_) | StmtKind::Declaration(_)) || declares_types(part)
    };
    is_declaration && parts.iter().all(is_plain)
}

/// True for a number or an array of numbers, whose hidden mentions lead to no other memory.
pub fn is_number(variable: &Variable) -> bool {
    let is_pointer = variable.lifetime == Lifetime::Parameter && variable.ctype.is_pointer_like();
    innermost(&variable.ctype).arithmetic().is_some() && !is_pointer
}

/// Returns the places of directives of OpenMP and OpenACC outside of regions; `None` for one outside of the main file.
fn parallel_places(tree: &Tree, regions: &[SourceRange]) -> Vec<Option<SourceRange>> {
    let words = ["omp", "acc"].into_iter();
    let places = words.flat_map(|word| tree.hidden.of_pragmas(word));
    let in_region = |place: &Option<SourceRange>| {
        place.is_some_and(|place| regions.iter().any(|region| place.is_within(*region)))
    };
    places.filter(|place| !in_region(place)).collect()
}

/// True for a function that code outside of the tree can call by its name or by its address.
fn is_named_elsewhere(tree: &Tree, function: &Function) -> bool {
    !function.is_internal
        || function.name == "main"
        || function.is_special
        || !function.attributes.is_empty()
        || tree.linkage.named.contains(&function.name)
        || tree.linkage.by_text
        || !tree.hidden.calls.is_empty()
}

/// Returns what the tree does not show of a function: the jumps of statement expressions, or what attributes of
/// variables have happen at the ends of blocks; and a way out.
fn opaque_part(tree: &Tree, function: &Function) -> Option<(&'static str, &'static str)> {
    let is_special = |id: &VariableId| tree.variable(*id).attribute.is_some();
    let mut has_attributes = function.parameters.iter().any(is_special);
    function.body.walk(&mut |stmt| {
        if let StmtKind::Declaration(ids) = &stmt.kind {
            has_attributes |= ids.iter().any(is_special);
        }
    });
    let mut has_statements = false;
    function.body.walk_expressions(tree, &mut |expr| has_statements |= is_statement_expression(expr));
    if function.is_special && function.is_template {
        Some(("is a template", "write a function for the types that it is used with"))
    } else if has_attributes {
        Some(("has variables with special attributes", "declare these in another function"))
    } else {
        has_statements.then_some(("contains statement expressions", "move these into another function"))
    }
}

fn is_statement_expression(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Other { what: Unnamed::Other(words), .. } if *words == "a statement expression")
}
