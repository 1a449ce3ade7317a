//! The translator of straight-line code, and what its parts share.

use std::collections::BTreeMap;

use polyhedra::{DimType, Map, Set, Simplify, Text};
use scop::{Access, AccessId, AccessKind, ArrayId, CType, Certainty, IslMap, LocalId, StatementId, Step};

use crate::affine::translator::Affine;
use crate::body::function_table::Functions;
use crate::body::site::Site;
use crate::c::ctree::{self, VariableId};
use crate::control::runs::FlagId;
use crate::errors::{Fault, Faults, Result};
use crate::memory::arrays::Arrays;
use crate::variables::names::Names;

/// The arrays that keep conditions.
pub type Flags = BTreeMap<FlagId, ArrayId>;

/// What the pieces of a region share.
pub struct Shared<'a, 'e, 't> {
    /// The translator of subscripts.
    pub affine: &'a mut Affine<'e, 't>,
    /// The arrays of the region.
    pub arrays: &'a mut Arrays<'t>,
    /// The names of the region.
    pub names: &'a mut Names,
    /// What was refused.
    pub faults: &'a mut Faults,
    /// The functions that may be called.
    pub functions: &'a mut Functions<'t>,
    /// The arrays that keep conditions.
    pub flags: &'a mut Flags,
}

impl<'e, 't> Shared<'_, 'e, 't> {
    /// Lends everything to one piece.
    pub fn lend(&mut self) -> Shared<'_, 'e, 't> {
        Shared {
            affine: self.affine,
            arrays: self.arrays,
            names: self.names,
            faults: self.faults,
            functions: self.functions,
            flags: self.flags,
        }
    }
}

/// The instances of a statement.
pub struct Instances<'a> {
    /// The statement.
    pub statement: StatementId,
    /// The instances, in an anonymous space.
    pub domain: &'a Set,
    /// The names of the dimensions of `domain`.
    pub dimensions: &'a [String],
}

/// An array of a function's own.
#[derive(Debug, Clone)]
pub struct OwnArray {
    /// Its number among the temporaries.
    pub local: LocalId,
    /// The type of its elements.
    pub element: CType,
    /// The length of each dimension.
    pub extents: Vec<u64>,
    /// True if the caller passes it.
    pub of_caller: bool,
}

/// The translator of straight-line code.
pub struct Body<'a, 'e, 't> {
    /// What it shares with the other pieces of the region.
    pub region: Shared<'a, 'e, 't>,
    /// The instances of the statement; nothing for the code of a function, which has no memory.
    instances: Option<Instances<'a>>,
    /// The accesses found so far.
    pub accesses: Vec<Access>,
    /// The number of the next access of the region.
    next_access: u32,
    /// The variables that are temporaries.
    pub locals: BTreeMap<VariableId, LocalId>,
    /// The variables that are arrays of the function's own.
    pub own_arrays: BTreeMap<VariableId, OwnArray>,
    /// The number of temporaries defined so far.
    local_count: u32,
    /// The steps that must be executed before the value of the current expression is used.
    pub pending: Vec<Step>,
    /// Not 0 while expressions must have no effects.
    pub without_effect: u32,
    /// The accesses that certainly happen if the current branch of an `if` on data is taken.
    pub in_branch: Vec<AccessId>,
    /// The expression, without casts, of which it only matters whether it is zero.
    pub compared_with_zero: Option<&'t ctree::Expr>,
    /// The loops on data around the current code, for messages.
    pub loops_on_data: Vec<&'t ctree::Stmt>,
}

impl<'a, 'e, 't> Body<'a, 'e, 't> {
    /// Creates the translator of a statement, given the number of its first access.
    pub fn of_statement(region: Shared<'a, 'e, 't>, instances: Instances<'a>, first_access: u32) -> Self {
        Self { instances: Some(instances), next_access: first_access, ..Self::of_function(region) }
    }

    /// Creates the translator of a function.
    pub fn of_function(region: Shared<'a, 'e, 't>) -> Self {
        Self {
            region,
            instances: None,
            accesses: Vec::new(),
            next_access: 0,
            locals: BTreeMap::new(),
            own_arrays: BTreeMap::new(),
            local_count: 0,
            pending: Vec::new(),
            without_effect: 0,
            compared_with_zero: None,
            in_branch: Vec::new(),
            loops_on_data: Vec::new(),
        }
    }

    /// True if the code belongs to a function.
    pub fn is_of_function(&self) -> bool {
        self.instances.is_none()
    }

    /// Returns the number of a new temporary, and a name for it that resembles `wish`.
    pub fn new_local(&mut self, wish: &str) -> (LocalId, String) {
        let local = LocalId(self.local_count);
        self.local_count += 1;
        (local, self.region.names.unused(wish))
    }

    /// Adds an access; `relation` is in anonymous spaces.
    pub fn push_access(
        &mut self,
        array: ArrayId,
        kind: AccessKind,
        certainty: Certainty,
        relation: &Map,
        site: &Site,
    ) -> Result<AccessId> {
        let instances = self.instances.as_ref().ok_or_else(|| Fault::bug("a function uses memory"))?;
        let id = AccessId(self.next_access);
        self.next_access += 1;
        let relation = restricted(instances, relation.copy()?, site)?;
        let mut relation = relation
            .set_tuple_name(DimType::In, &instances.statement.to_string())?
            .set_tuple_name(DimType::Out, &array.to_string())?;
        for (position, name) in instances.dimensions.iter().enumerate() {
            relation = relation.set_dim_name(DimType::In, position as u32, name)?;
        }
        self.accesses.push(Access {
            id,
            array,
            kind,
            certainty,
            indirect: false,
            in_both_branches: false,
            relation: IslMap(relation.text()?),
        });
        Ok(id)
    }
}

/// Restricts a relation to the instances of the site, if these are not all instances of the statement.
fn restricted(instances: &Instances, relation: Map, site: &Site) -> Result<Map> {
    let guard = site.point.domain.copy()?.gist(instances.domain.copy()?)?;
    let relation = relation.gist_domain(instances.domain.copy()?)?;
    Ok(relation.intersect_domain(guard)?.simplified()?)
}
