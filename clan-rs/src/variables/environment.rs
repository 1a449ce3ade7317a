//! What each variable is to a region: iterator, parameter, alias of an affine expression, or memory.

use std::collections::{BTreeMap, BTreeSet};

use scop::{BinaryOp, SourceRange, names};

use crate::around::outside;
use crate::c::ctree::{Expr, ExprKind, Function, Lifetime, QualifiedName, Stmt, StmtKind, Tree, VariableId};
use crate::c::facts::Facts;
use crate::control::after_loop;
use crate::memory::known_length::{self, Memory};
use crate::regions::header::Header;
use crate::regions::marked::MarkedRegion;
use crate::regions::opaque::Opaque;
use crate::variables::products::{self, Products};

/// The variables of a region and of the function around it.
pub struct Environment<'t> {
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
    /// The loops and conditions that are steps of statements.
    pub opaque: Opaque,
    /// The variables that such steps change.
    pub in_steps: BTreeSet<VariableId>,
    /// The variables that count the other loops of the region.
    pub iterators: BTreeSet<VariableId>,
    /// The iterators whose values outside of their loops matter.
    pub tracked: BTreeSet<VariableId>,
    /// The iterators whose values from before the region the region uses; parameters stand for them.
    pub entered: BTreeSet<VariableId>,
    /// Variables that the region declares, apart from iterators.
    pub declared: BTreeSet<VariableId>,
    /// Integers that the region declares with a value and never changes, and uses where an affine expression must
    /// stand: names for that expression.
    pub aliases: BTreeSet<VariableId>,
    /// The names of the integers that the region does not change and that bounds, conditions, subscripts or array
    /// lengths use.
    pub parameters: BTreeMap<VariableId, String>,
    /// The products of such integers in bounds, conditions and subscripts.
    pub products: Products,
}

/// The names of a region that are taken.
#[derive(Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// A free name like `wish`, which is taken from now on.
    pub fn unused(&mut self, wish: &str) -> String {
        names::unused(wish, &mut self.0)
    }
}

impl<'t> Environment<'t> {
    /// The environment of a region.
    pub fn new(
        tree: &'t Tree,
        region: &'t MarkedRegion<'t>,
        (opaque, entered): (&Opaque, &BTreeSet<VariableId>),
        taken: &mut Names,
    ) -> Self {
        let function = &tree.functions[region.function];
        let mut in_region = Facts::of(tree, region.statements.iter().copied());
        let mut in_function = Facts::of(tree, [&function.body]);
        in_region.spread_to_members(tree);
        in_function.spread_to_members(tree);
        let iterators = iterators(tree, &region.statements, opaque);
        let declared = in_region.declared.difference(&iterators).copied().collect();
        let mut environment = Self {
            tree,
            region,
            function,
            in_function,
            in_region,
            in_steps: opaque.changed(tree, region.statements.iter().copied()),
            opaque: opaque.clone(),
            iterators,
            tracked: BTreeSet::new(),
            entered: entered.clone(),
            declared,
            aliases: BTreeSet::new(),
            parameters: BTreeMap::new(),
            products: Products::new(),
        };
        environment.tracked = after_loop::tracked(&environment);
        environment.classify(taken);
        environment
    }

    fn classify(&mut self, taken: &mut Names) {
        let mut wanted = BTreeSet::new();
        for stmt in &self.region.statements {
            stmt.walk(&mut |inner| self.want_statement(inner, &mut wanted));
        }
        for &id in self.in_region.uses.keys() {
            for length in self.lengths_in_parameters(id) {
                self.want(length, &mut wanted);
            }
        }
        self.aliases = wanted.iter().copied().filter(|&id| self.may_be_alias(id)).collect();
        let unchanged = wanted.into_iter().filter(|&id| self.may_be_parameter(id));
        for id in unchanged.chain(self.entered.iter().copied()).collect::<BTreeSet<_>>() {
            let name = taken.unused(&self.tree.variable(id).plain_name());
            self.parameters.insert(id, name);
        }
        self.products = self.products_of_region(taken);
    }

    fn products_of_region(&self, taken: &mut Names) -> Products {
        let mut products = Products::new();
        for stmt in &self.region.statements {
            stmt.walk_expressions(self.tree, &mut |expr| products::note(self, expr, taken, &mut products));
        }
        products
    }

    /// Collects the variables in the affine parts of a statement.
    fn want_statement(&self, stmt: &'t Stmt, wanted: &mut BTreeSet<VariableId>) {
        match &stmt.kind {
            StmtKind::For { init, condition, step, .. } => {
                if let Ok(header) = Header::of(self.tree, init, condition, step) {
                    self.want(header.first, wanted);
                }
                self.want(condition, wanted);
                self.want(step, wanted);
            }
            StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
                self.want(condition, wanted);
            }
            _ => {
                for expr in stmt.expressions(self.tree) {
                    expr.walk(&mut |inner| self.want_in_value(inner, wanted));
                }
            }
        }
    }

    fn want_in_value(&self, expr: &'t Expr, wanted: &mut BTreeSet<VariableId>) {
        match &expr.kind {
            ExprKind::Subscript { base, index } => {
                self.want(index, wanted);
                self.want_offsets(base, wanted);
            }
            ExprKind::Conditional { condition, .. }
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, condition, _)
                if self.is_of_integers(condition) =>
            {
                self.want(condition, wanted);
            }
            _ => {}
        }
    }

    /// `*(p + i)` has its subscript in the base.
    fn want_offsets(&self, base: &'t Expr, wanted: &mut BTreeSet<VariableId>) {
        if let ExprKind::Binary(_, left, right) = &base.without_casts().kind {
            for part in [left, right] {
                if part.ctype.is_pointer_like() {
                    self.want_offsets(part, wanted);
                } else {
                    self.want(part, wanted);
                }
            }
        }
    }

    fn want(&self, expr: &'t Expr, wanted: &mut BTreeSet<VariableId>) {
        expr.walk(&mut |inner| {
            if let Some(id) = inner.as_place()
                && wanted.insert(id)
                && self.may_be_alias(id)
                && let Some(initial) = &self.tree.variable(id).initial
            {
                self.want(initial, wanted);
            }
        });
    }

    /// True if nothing but integers that the region does not compute is in it, and a variable is not.
    fn is_of_integers_but(&self, expr: &Expr, id: VariableId) -> bool {
        let mut occurs = false;
        expr.walk(&mut |inner| occurs |= inner.as_place() == Some(id));
        !occurs && self.is_of_integers(expr)
    }

    /// True if nothing but integers that the region does not compute is in it.
    fn is_of_integers(&self, expr: &Expr) -> bool {
        let parts = || expr.parts().into_iter().all(|part| self.is_of_integers(part));
        match &expr.kind {
            ExprKind::Integer(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast { .. }
            | ExprKind::Conditional { .. } => {
                expr.ctype.arithmetic().is_some_and(|ctype| ctype.is_integer()) && parts()
            }
            ExprKind::Variable(_) | ExprKind::Member { .. } => expr.as_place().is_some_and(|id| {
                self.is_steady_iterator(id)
                    || self.tree.variable(id).constant.is_some()
                    || self.may_be_parameter(id)
                    || self.may_be_alias(id)
            }),
            _ => false,
        }
    }

    /// True for an iterator that no steps change.
    fn is_steady_iterator(&self, id: VariableId) -> bool {
        self.iterators.contains(&id) && !self.in_steps.contains(&id)
    }

    fn may_be_alias(&self, id: VariableId) -> bool {
        let variable = self.tree.variable(id);
        self.declared.contains(&id)
            && variable.is_integer()
            && !variable.ctype.volatile
            && variable.lifetime == Lifetime::Automatic
            && !self.in_region.may_change(id)
            && variable.initial.as_ref().is_some_and(|initial| self.is_of_integers_but(initial, id))
            && !self.is_outdated(&self.region.statements, id)
    }

    /// True if a variable is declared in a block among `statements`, and the block goes on to change an iterator in its
    /// initialiser. Other aliases in it were asked the same: their blocks go on at least as long.
    fn is_outdated(&self, statements: &[&'t Stmt], id: VariableId) -> bool {
        let declares =
            |stmt: &&'t Stmt| matches!(&stmt.kind, StmtKind::Declaration(ids) if ids.contains(&id));
        let Some(position) = statements.iter().position(declares) else {
            return statements.iter().any(|stmt| match &stmt.kind {
                StmtKind::Declaration(_) => false,
                _ => self.is_outdated(&stmt.parts(), id),
            });
        };
        let behind = Facts::of(self.tree, statements[position + 1..].iter().copied());
        let mut outdated = false;
        let initial = self.tree.variable(id).initial.iter();
        initial.for_each(|initial| {
            initial.walk(&mut |inner| {
                let used = inner.as_variable().filter(|used| self.iterators.contains(used));
                outdated |= used.is_some_and(|iterator| behind.may_change(iterator));
            })
        });
        outdated
    }

    /// True if an iterator certainly has no value when the region begins.
    pub fn has_no_value_before(&self, id: VariableId) -> bool {
        let variable = self.tree.variable(id);
        let range = self.region.range;
        let inside = |write: &SourceRange| range.start <= write.start && write.end <= range.end;
        let set_outside = self.in_function.writes.get(&id).into_iter().flatten().any(|write| !inside(write));
        let fresh = variable.lifetime == Lifetime::Automatic && variable.initial.is_none() && !set_outside;
        fresh && !self.in_function.address_taken.contains(&id) && !outside::is_repeated(self)
    }

    /// True if an iterator may have a value when the region begins that is no parameter yet.
    pub fn has_unused_value_before(&self, id: VariableId) -> bool {
        !self.in_region.declared.contains(&id) && !self.entered.contains(&id) && !self.has_no_value_before(id)
    }

    fn may_be_parameter(&self, id: VariableId) -> bool {
        let variable = self.tree.variable(id);
        variable.is_integer()
            && !variable.ctype.volatile
            && variable.constant.is_none()
            && !self.declared.contains(&id)
            && !self.iterators.contains(&id)
            && !self.in_region.writes.contains_key(&id)
    }

    /// The variable lengths of an array, where the current values of its variables are those of the declaration.
    fn lengths_in_parameters(&self, id: VariableId) -> Vec<&'t Expr> {
        let lengths = self.tree.variable(id).lengths.iter().flatten();
        let allocated = known_length::allocation(self, id).filter(|_| self.has_data_dependent_accesses());
        let lengths = lengths.chain(allocated.map(Memory::lengths).unwrap_or_default());
        lengths.filter(|length| self.is_of_constants(length)).collect()
    }

    /// True if some accesses of the region may depend on data: those under conditions, and those at elements that
    /// others say.
    fn has_data_dependent_accesses(&self) -> bool {
        let mut found = false;
        for stmt in &self.region.statements {
            stmt.walk(&mut |inner| {
                found |= matches!(inner.kind, StmtKind::If { .. } | StmtKind::While { .. });
            });
            stmt.walk_expressions(self.tree, &mut |expr| match &expr.kind {
                ExprKind::Conditional { .. } | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                    found = true;
                }
                ExprKind::Subscript { index, .. } => {
                    index.walk(&mut |inner| found |= matches!(inner.kind, ExprKind::Subscript { .. }));
                }
                _ => {}
            });
        }
        found
    }

    /// True if every variable in `expr` has had its value since it came to life, and its name means the same at the
    /// region.
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

    /// True if another variable of the function has the same name, outside the region.
    fn is_shadowed(&self, id: VariableId) -> bool {
        let name = &self.tree.variable(id).name;
        let others = self.in_function.declared.iter().chain(&self.function.parameters);
        others
            .filter(|&&other| other != id && !self.in_region.declared.contains(&other))
            .any(|&other| self.tree.variable(other).name == *name)
    }

    /// True if a pointer may lead to the variable.
    pub fn is_reachable(&self, id: VariableId) -> bool {
        self.tree.variable(id).lifetime == Lifetime::Static || self.in_function.address_taken.contains(&id)
    }

    /// True if code of the function outside the region mentions the variable.
    pub fn first_use_outside(&self, id: VariableId) -> Option<SourceRange> {
        let range = self.region.range;
        let uses = self.in_function.uses.get(&id).into_iter().flatten();
        uses.copied().find(|use_| use_.start < range.start || use_.start >= range.end)
    }

    /// How C refers to a variable where the region begins: as the region does. Only the region's own declarations
    /// could give its words another meaning there, and they come later.
    pub fn expression(&self, id: VariableId) -> String {
        let root = self.tree.root(id);
        let mut texts = self.qualified_names().filter(|name| name.variable == root).map(|name| &name.text);
        let name = texts.next().and_then(Option::as_ref).unwrap_or(&self.tree.variable(root).name);
        format!("{name}{}", self.tree.variable(id).suffix())
    }

    /// The value of a variable where the region begins. In C++ that of an enumeration is converted to the integer that
    /// represents it.
    pub fn value(&self, id: VariableId) -> String {
        let (variable, expression) = (self.tree.variable(id), self.expression(id));
        match variable.arithmetic().filter(|_| variable.enumeration) {
            Some(ctype) => format!("({ctype}){expression}"),
            None => expression,
        }
    }

    /// The mentions of variables in the region by more than their names.
    pub fn qualified_names(&self) -> impl Iterator<Item = &'t QualifiedName> {
        let region = self.region.range;
        let inside =
            move |name: &&QualifiedName| region.start <= name.range.start && name.range.start < region.end;
        self.tree.qualified.iter().filter(inside)
    }

    /// The user's name of a variable.
    pub fn name(&self, id: VariableId) -> &'t str {
        &self.tree.variable(id).name
    }
}

/// The variables that count the loops among `statements`, where their heads make sense and they are no steps.
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
