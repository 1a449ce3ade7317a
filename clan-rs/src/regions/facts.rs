//! What is known about a region before its variables are classified; all later decisions rest on it.

use std::collections::BTreeSet;

use scop::SourceRange;

use crate::c::ctree::{Expr, ExprKind, Function, Lifetime, QualifiedName, Stmt, StmtKind, Tree, VariableId};
use crate::c::facts::Facts;
use crate::regions::header::Header;
use crate::regions::marked::MarkedRegion;
use crate::regions::opaque::Opaque;

/// A region, the function around it, and what is known from their text.
pub struct RegionFacts<'t> {
    /// The file.
    pub tree: &'t Tree,
    /// The region.
    pub region: &'t MarkedRegion<'t>,
    /// The function around the region.
    pub function: &'t Function,
    /// What the whole function does.
    pub in_function: Facts,
    /// What the region does.
    pub in_region: Facts,
    /// The loops and conditions that become steps of statements.
    pub opaque: Opaque,
    /// The variables that these steps change.
    pub in_steps: BTreeSet<VariableId>,
    /// The variables that count the other loops of the region.
    pub iterators: BTreeSet<VariableId>,
    /// The iterators whose values from before the region are used in it; parameters represent these values.
    pub entered: BTreeSet<VariableId>,
    /// Variables that the region declares, apart from iterators.
    pub declared: BTreeSet<VariableId>,
}

impl<'t> RegionFacts<'t> {
    /// Collects the facts of a region, given its steps and the iterators whose values from before the region it uses.
    pub fn new(
        tree: &'t Tree,
        region: &'t MarkedRegion<'t>,
        (opaque, entered): (&Opaque, &BTreeSet<VariableId>),
    ) -> Self {
        let function = &tree.functions[region.function];
        let mut in_region = Facts::of(tree, region.statements.iter().copied());
        let mut in_function = Facts::of(tree, [&function.body]);
        in_region.spread_to_members(tree);
        in_function.spread_to_members(tree);
        let iterators = iterators(tree, &region.statements, opaque);
        let declared = in_region.declared.difference(&iterators).copied().collect();
        Self {
            tree,
            region,
            function,
            in_function,
            in_region,
            in_steps: opaque.changed(tree, region.statements.iter().copied()),
            opaque: opaque.clone(),
            iterators,
            entered: entered.clone(),
            declared,
        }
    }

    /// True if every variable in `expr` has kept its value since its lifetime began, and its name has the same
    /// meaning at the region.
    pub fn is_of_constants(&self, expr: &Expr) -> bool {
        let mut sound = true;
        expr.walk(&mut |inner| {
            sound &= match &inner.kind {
                ExprKind::Variable(id) => self.is_frozen(*id),
                ExprKind::Integer(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast { .. } => {
                    true
                }
                _ => false,
            };
        });
        sound
    }

    fn is_frozen(&self, id: VariableId) -> bool {
        let variable = self.tree.variable(id);
        if variable.constant.is_some() {
            return true;
        }
        let unchanging = variable.lifetime != Lifetime::Static && !self.in_function.may_change(id);
        unchanging && variable.is_integer() && !variable.ctype.volatile && !self.is_shadowed(id)
    }

    /// True if the function declares another variable of the same name outside the region.
    fn is_shadowed(&self, id: VariableId) -> bool {
        let name = &self.tree.variable(id).name;
        let others = self.in_function.declared.iter().chain(&self.function.parameters);
        others
            .filter(|&&other| other != id && !self.in_region.declared.contains(&other))
            .any(|&other| self.tree.variable(other).name == *name)
    }

    /// True if a pointer may point to the variable.
    pub fn is_reachable(&self, id: VariableId) -> bool {
        self.tree.variable(id).lifetime == Lifetime::Static || self.in_function.address_taken.contains(&id)
    }

    /// Returns the first mention of the variable in the function outside the region.
    pub fn first_use_outside(&self, id: VariableId) -> Option<SourceRange> {
        let range = self.region.range;
        let uses = self.in_function.uses.get(&id).into_iter().flatten();
        uses.copied().find(|use_| use_.start < range.start || use_.start >= range.end)
    }

    /// Returns how C refers to a variable where the region begins: in the same way as the region. Only declarations
    /// in the region could change the meaning of that text, and they come later.
    pub fn expression(&self, id: VariableId) -> String {
        let root = self.tree.root(id);
        let mut texts = self.qualified_names().filter(|name| name.variable == root).map(|name| &name.text);
        let name = texts.next().and_then(Option::as_ref).unwrap_or(&self.tree.variable(root).name);
        format!("{name}{}", self.tree.variable(id).suffix())
    }

    /// Returns C text for the value of a variable where the region begins. In C++, the value of an enumeration is
    /// converted to the integer type that represents it.
    pub fn value(&self, id: VariableId) -> String {
        let (variable, expression) = (self.tree.variable(id), self.expression(id));
        match variable.arithmetic().filter(|_| variable.enumeration) {
            Some(ctype) => format!("({ctype}){expression}"),
            None => expression,
        }
    }

    /// Returns the mentions of variables in the region that have namespaces or classes before the name.
    pub fn qualified_names(&self) -> impl Iterator<Item = &'t QualifiedName> {
        let region = self.region.range;
        let inside =
            move |name: &&QualifiedName| region.start <= name.range.start && name.range.start < region.end;
        self.tree.qualified.iter().filter(inside)
    }

    /// Returns the user's name of a variable.
    pub fn name(&self, id: VariableId) -> &'t str {
        &self.tree.variable(id).name
    }
}

/// Returns the variables that count the loops among `statements`, except loops that become steps or whose heads are
/// not supported.
fn iterators(tree: &Tree, statements: &[&Stmt], opaque: &Opaque) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    for stmt in statements {
        opaque.walk_around(stmt, &mut |inner| {
            if let StmtKind::For { init, condition, step, .. } = &inner.kind
                && let Ok(header) = Header::of(tree, init, condition, step)
            {
                found.insert(header.iterator);
            }
        });
    }
    found
}
