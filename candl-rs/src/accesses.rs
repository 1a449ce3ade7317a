//! The tagged access relations of a scop.
//!
//! The analyses have to distinguish the accesses of an instance. Therefore, the domain of each relation becomes a
//! pair of an instance and an access, `{ [S0[i] -> a3[]] -> A1[i, j] }`, as in PPCG's tagged relations.

use polyhedra::{DimType, Map, Result, Set, Text, UnionMap, maps_of};
use scop::{Access, AccessId, AccessKind, Certainty, Model, Statement, StatementId};

/// The access relations of a scop, grouped by kind and restricted to domains and context.
pub struct TaggedAccesses {
    /// All reads.
    pub reads: UnionMap,
    /// The writes that certainly happen.
    pub must_writes: UnionMap,
    /// The other writes.
    pub may_writes: UnionMap,
    /// The writes of either kind to arrays that code after the region may read.
    pub lasting_writes: UnionMap,
}

impl TaggedAccesses {
    /// Collects the accesses of all statements except those in `without`.
    pub fn new(model: &Model, without: &[StatementId]) -> Result<Self> {
        let context = Set::parse(&model.context.0)?;
        let select = |wanted: Wanted<'_>| gather(model, without, &context, wanted);
        let is_write = |access: &Access| access.kind == AccessKind::Write;
        let is_must = |access: &Access| access.certainty == Certainty::Must;
        Ok(Self {
            reads: select(&|access| Ok(!is_write(access)))?,
            must_writes: select(&|access| Ok(is_write(access) && is_must(access)))?,
            may_writes: select(&|access| Ok(is_write(access) && !is_must(access)))?,
            lasting_writes: select(&|access| Ok(is_write(access) && is_read_after(model, access)?))?,
        })
    }

    /// Treats some writes as may writes, which do not hide earlier writes.
    pub fn hiding_nothing(mut self, writes: &[AccessId]) -> Result<Self> {
        for map in maps_of(&self.must_writes)? {
            if writes.contains(&tag(map.copy()?.domain()?)?) {
                let hiding_nothing = UnionMap::from_map(map)?;
                self.must_writes = self.must_writes.subtract(hiding_nothing.copy()?)?;
                self.may_writes = self.may_writes.union(hiding_nothing)?;
            }
        }
        Ok(self)
    }

    /// Leaves out all accesses but some.
    pub fn only(self, wanted: impl Fn(AccessId) -> bool) -> Result<Self> {
        let select = |accesses: UnionMap| -> Result<UnionMap> {
            let mut kept = UnionMap::parse("{ }")?;
            for map in maps_of(&accesses)? {
                if wanted(tag(map.copy()?.domain()?)?) {
                    kept = kept.add_map(map)?;
                }
            }
            Ok(kept)
        };
        Ok(Self {
            reads: select(self.reads)?,
            must_writes: select(self.must_writes)?,
            may_writes: select(self.may_writes)?,
            lasting_writes: select(self.lasting_writes)?,
        })
    }

    /// Returns all writes.
    pub fn writes(&self) -> Result<UnionMap> {
        Ok(self.must_writes.copy()?.union(self.may_writes.copy()?)?)
    }
}

/// True if code outside the region can access the array of an access.
pub fn is_visible(model: &Model, access: &Access) -> Result<bool> {
    Ok(model.array(access.array)?.visible)
}

fn is_read_after(model: &Model, access: &Access) -> Result<bool> {
    let array = model.array(access.array)?;
    Ok(array.visible && !array.dead_after)
}

/// A predicate that selects accesses.
type Wanted<'w> = &'w dyn Fn(&Access) -> Result<bool>;

fn gather(model: &Model, without: &[StatementId], context: &Set, wanted: Wanted<'_>) -> Result<UnionMap> {
    let mut union = UnionMap::parse("{ }")?;
    for statement in model.statements.iter().filter(|statement| !without.contains(&statement.id)) {
        let domain = Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?;
        for access in &statement.accesses {
            if wanted(access)? {
                union = union.add_map(tagged(model, access, domain.copy()?)?)?;
            }
        }
    }
    Ok(union)
}

/// Returns `{ [S0[i] -> a3[]] -> A1[i, j] }`.
fn tagged(model: &Model, access: &Access, domain: Set) -> Result<Map> {
    let relation = Map::parse(&access.relation.0)?.intersect_domain(domain)?;
    let dimensions = model.array(access.array)?.extents.len();
    let tag = Map::parse(&format!("{{ {}[] -> {}{} }}", access.id, access.array, tuple("x", dimensions)))?;
    Ok(relation.domain_product(tag)?)
}

/// Returns `[S0[i0, i1] -> a3[]]`: an instance of a statement, paired with one of its accesses.
pub fn tagged_instance(statement: &Statement, access: &Access) -> String {
    format!("[{} -> {}[]]", instance(statement), access.id)
}

/// Returns `S0[i0, i1]`.
pub fn instance(statement: &Statement) -> String {
    format!("{}{}", statement.id, tuple("i", statement.depth()))
}

/// Returns `{ S0[i, j, k] -> [i, j] }` for a relation from `S0`.
pub fn leading(relation: &Map, iterators: usize, loops: &[usize]) -> Result<Map> {
    let statement = relation.get_tuple_name(DimType::In)?.to_owned();
    let names = polyhedra::numbered("i", iterators);
    let chosen: Vec<String> = loops.iter().map(|k| format!("i{k}")).collect();
    Map::parse(&format!("{{ {statement}[{}] -> [{}] }}", names.join(", "), chosen.join(", ")))
}

/// Returns `[x0, x1]`.
fn tuple(stem: &str, dimensions: usize) -> String {
    let names: Vec<String> = (0..dimensions).map(|dimension| format!("{stem}{dimension}")).collect();
    format!("[{}]", names.join(", "))
}

/// Returns the access in `{ [S0[i] -> a1[]] }`.
pub fn tag(pairs: Set) -> Result<AccessId> {
    let name = pairs.unwrap()?.get_tuple_name(DimType::Out)?.to_owned();
    name.parse().map_err(polyhedra::Error::new)
}
