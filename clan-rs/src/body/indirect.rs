//! Elements that data choose: `a[index[i]]`.
//!
//! The body computes the subscripts, and the relation contains all elements that may be meant: in dimensions with an
//! affine subscript, only those at that index; in the others, those at all indices. So the lengths of these others
//! must be known.

use polyhedra::{Map, PwAff, Set, Text};
use scop::{AccessKind, ArrayId, BinaryOp, CType, Certainty, Expr, ExprKind, SourceRange};

use crate::around::allocation::may_be_moved;
use crate::body::site::Element;
use crate::body::site::Site;
use crate::body::translator::Body;
use crate::c::conversions::{cast, number};
use crate::c::ctree::{self, TypeKind, VariableId};
use crate::errors::{CHANGED, DATA_DEPENDENT, Fault, Result};
use crate::memory::possible::declared_length;
use crate::memory::reference::Subscript;
use crate::variables::environment::Environment;

/// An element that data choose.
pub struct Target<'s, 't> {
    /// The variable.
    pub id: VariableId,
    /// Its array.
    pub array: ArrayId,
    /// The kind of access.
    pub kind: AccessKind,
    /// The affine indices, including those for loops; nothing for indices that are not affine.
    pub indices: Vec<Option<PwAff>>,
    /// All subscripts.
    pub subscripts: &'s [Subscript<'t>],
}

impl<'t> Body<'_, '_, 't> {
    /// Returns the access of an element, some of whose subscripts depend on data. `causes` says why they are not
    /// affine.
    pub fn indirect(
        &mut self,
        target: Target<'_, 't>,
        causes: Vec<Fault>,
        site: &Site,
    ) -> Result<Option<Element>> {
        let loops = self.region.arrays.scope_depth(target.array) as usize;
        let Some(elements) = self.candidates(&target, loops)? else {
            self.tell_unknown_length(target.id, causes);
            return Ok(None);
        };
        let mut subscripts = (0..loops).map(|loop_| Some(self.iterator(loop_, site))).collect::<Vec<_>>();
        for subscript in target.subscripts {
            subscripts.push(self.subscript_value(subscript, site)?);
        }
        let Some(subscripts) = subscripts.into_iter().collect::<Option<Vec<Expr>>>() else { return Ok(None) };
        if let (true, Some(Some(outermost))) = (site.certain, target.indices.get(loops)) {
            let rows = self.region.affine.known(&site.point)?.apply(outermost.copy()?.as_map()?)?;
            self.region.arrays.certain_rows.entry(target.array).or_default().push(rows.text()?);
        }
        let mut relation = Map::from_domain(site.point.universe()?)?;
        for index in target.indices {
            let next = match index {
                Some(index) => index.as_map()?,
                None => Map::from_domain_and_range(site.point.universe()?, Set::parse("{ [x] }")?)?,
            };
            relation = relation.flat_range_product(next)?;
        }
        let relation = relation.intersect_range(elements)?;
        let access = self.push_access(target.array, target.kind, Certainty::May, &relation, site)?;
        if let Some(access) = self.accesses.last_mut() {
            access.indirect = true;
        }
        Ok(Some((access, subscripts)))
    }

    /// Returns the elements that may be meant; nothing if a length that this needs is not known.
    fn candidates(&self, target: &Target, loops: usize) -> Result<Option<Set>> {
        if target.indices.get(loops).is_none_or(Option::is_some) {
            return Ok(Some(self.region.arrays.within(target.array)?));
        }
        self.region.arrays.all_within(target.array)
    }

    fn iterator(&self, position: usize, site: &Site) -> Expr {
        let variable = self.region.affine.environment.tree.variable(site.point.loops[position]);
        let ctype = variable.arithmetic().unwrap_or(CType::Int);
        Expr { ctype, kind: ExprKind::Iterator { dimension: position as u32 } }
    }

    /// Returns the value of a subscript; nothing if it was refused.
    pub fn subscript_value(&mut self, subscript: &Subscript<'t>, site: &Site) -> Result<Option<Expr>> {
        let parts = subscript.parts.iter().rev().filter(|(_, part)| !is_zero(part));
        let (minus, plus): (Vec<_>, Vec<_>) = parts.partition(|(negative, _)| *negative);
        let mut sum = None;
        for (operator, part) in plus
            .iter()
            .map(|(_, part)| (BinaryOp::Add, part))
            .chain(minus.iter().map(|(_, part)| (BinaryOp::Sub, part)))
        {
            let Some(value) = self.value(part, site)? else { return Ok(None) };
            sum = Some(match (sum, operator) {
                (None, BinaryOp::Add) => value,
                (sum, operator) => moved(operator, sum.unwrap_or_else(|| number(0)), value),
            });
        }
        Ok(Some(sum.unwrap_or_else(|| number(0))))
    }

    /// Reports that the length of an array is not known. A subscript with the counter of a loop that becomes steps
    /// would be affine if the loop did not become steps; then the loop is reported instead.
    fn tell_unknown_length(&mut self, id: VariableId, causes: Vec<Fault>) {
        let name = self.region.affine.environment.name(id);
        let is_echo = |cause: &Fault| cause.0.code == CHANGED;
        if let Some(blamed) = self.loop_to_blame() {
            let is_new = !self.region.faults.has_like(&blamed);
            if is_new && (blamed.0.code != DATA_DEPENDENT || causes.iter().any(is_echo)) {
                let help = blamed.0.help.clone().map_or(String::new(), |help| format!("{help}; or "));
                let length = declared_length(name, self.region.affine.environment.tree.is_cxx);
                self.region.faults.push(blamed.with_help(format!("{help}{length}")));
            }
            for cause in causes.into_iter().filter(|cause| !is_echo(cause)) {
                self.region.faults.push(unknown_length(self.region.affine.environment, id, cause));
            }
            return;
        }
        let environment = self.region.affine.environment;
        causes.into_iter().for_each(|cause| self.region.faults.push(unknown_length(environment, id, cause)));
    }

    /// Returns why the innermost loop around the code that becomes steps for a reason of its own does so.
    fn loop_to_blame(&self) -> Option<Fault> {
        let environment = self.region.affine.environment;
        self.loops_on_data.iter().rev().find_map(|stmt| match &stmt.kind {
            ctree::StmtKind::While { condition, .. } => Some(open_end(condition.range)),
            _ => environment.opaque.reason(stmt).cloned(),
        })
    }
}

fn unknown_length(environment: &Environment, id: VariableId, cause: Fault) -> Fault {
    let (variable, name) = (environment.tree.variable(id), environment.name(id));
    let is_cxx = environment.tree.is_cxx;
    let mut diagnostic = *cause.0;
    let is_array = matches!(variable.ctype.kind, TypeKind::Array { .. });
    let is_declared =
        is_array && variable.member.is_none() && matches!(variable.lengths.first(), Some(Some(_)));
    let (what, declare) = if is_array && may_be_moved(environment, id) {
        let declare = format!(
            "leave `{name}` where it is, and move another pointer or shift the subscripts: `{name}[k - 1]`"
        );
        ("known, since it may be moved before the region", declare)
    } else if is_declared {
        let declare = format!(
            "compute the length of `{name}` before, and declare `{name}` with that one variable: `{name}[count]`"
        );
        ("affine", declare)
    } else if variable.member.is_some() {
        ("known", format!("declare the array that `{name}` is in with its length"))
    } else if is_cxx {
        ("known", declared_length(name, true))
    } else {
        ("known", format!("declare the length: `{name}[n]` as a parameter, or use a separate array"))
    };
    diagnostic.message = format!("{}, and the length of `{name}` is not {what}", diagnostic.message);
    let help = diagnostic.help.map_or(declare.clone(), |help| format!("{declare}; or {help}"));
    diagnostic.help = Some(help);
    Fault(Box::new(diagnostic))
}

fn open_end(condition: SourceRange) -> Fault {
    let message = "it is not known how often this `while` loop runs";
    Fault::new(DATA_DEPENDENT, message, condition, "the whole loop becomes one statement of the translation")
        .with_help(
            "mark the loops inside it as a region, or write it as `for (i = first; i < bound; i += step)`",
        )
}

/// Returns a sum or difference in `long`: pointers are moved by a `long` number of elements.
fn moved(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    let (left, right) = (cast(left, CType::Long).into(), cast(right, CType::Long).into());
    Expr { ctype: CType::Long, kind: ExprKind::Binary { operator, left, right } }
}

fn is_zero(expr: &ctree::Expr) -> bool {
    matches!(expr.kind, ctree::ExprKind::Integer(0))
}
