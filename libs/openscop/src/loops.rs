//! The loops of a scop that another tool wrote, reconstructed from its order.

use std::collections::BTreeMap;

use polyhedra::{
    DimType, Map, Result, Schedule, ScheduleNode, ScheduleNodeType, Text, maps_of, sets_of, tuple_name,
};
use scop::{CType, IslSchedule, Loop, LoopId, StatementId};

/// Returns the loops of some statements, and the loops around each statement, outermost first. `iterators` has
/// the names of each statement's iterators.
///
/// A member of a band of the order is a loop of those statements for which it depends only on their next
/// iterator. If it is not a loop, or if the statements give the iterator different names, the loops are not
/// considered the same, and each statement gets one of its own.
pub fn loops(order: &IslSchedule, iterators: &[Vec<String>]) -> Result<(Vec<Loop>, Vec<Vec<LoopId>>)> {
    let bands = Bands::new(order, iterators.len())?;
    let mut loops = Vec::new();
    let mut known = BTreeMap::new();
    let mut around = Vec::new();
    for (statement, names) in iterators.iter().enumerate() {
        let members = bands.around.get(&StatementId(statement as u32)).map_or(&[][..], Vec::as_slice);
        let mut chain: Vec<LoopId> = Vec::new();
        for (depth, name) in names.iter().enumerate() {
            let parent = chain.last().copied();
            let next = LoopId(loops.len() as u32);
            let id = match members.get(depth) {
                Some(member) => *known.entry((parent, *member, name)).or_insert(next),
                None => next,
            };
            if id == next {
                loops.push(Loop { id, iterator: name.clone(), ctype: CType::Int, parent, range: None });
            }
            chain.push(id);
        }
        around.push(chain);
    }
    Ok((loops, around))
}

/// The members of bands that are loops.
struct Bands {
    /// The number of band members.
    count: usize,
    /// The loops around each statement, outermost first.
    around: Around,
}

/// The loops around each statement below a node.
type Around = BTreeMap<StatementId, Vec<usize>>;

impl Bands {
    fn new(order: &IslSchedule, statements: usize) -> Result<Self> {
        let mut bands = Self { count: 0, around: BTreeMap::new() };
        let above = (0..statements).map(|position| (StatementId(position as u32), Vec::new())).collect();
        bands.visit(&Schedule::parse(&order.0)?.get_root()?, above)?;
        Ok(bands)
    }

    fn visit(&mut self, node: &ScheduleNode, mut above: Around) -> Result<()> {
        match node.get_type()? {
            ScheduleNodeType::Leaf => {
                self.record(above);
                return Ok(());
            }
            ScheduleNodeType::Band => self.enter(node, &mut above)?,
            ScheduleNodeType::Filter => {
                let mut inside = Around::new();
                for set in sets_of(&node.filter_get_filter()?)? {
                    let id = tuple_name(&set)?.and_then(|name| name.parse().ok());
                    inside.extend(id.and_then(|id| Some((id, above.remove(&id)?))));
                }
                above = inside;
            }
            _ => {}
        }
        for child in 0..node.n_children()? {
            self.visit(&node.get_child(child)?, above.clone())?;
        }
        Ok(())
    }

    /// Records the members of a band. The loops around a statement end at the first member that is not a loop.
    fn enter(&mut self, band: &ScheduleNode, above: &mut Around) -> Result<()> {
        let maps = maps_of(&band.band_get_partial_schedule_union_map()?)?;
        for member in 0..band.band_n_member()? {
            let number = self.count;
            for map in &maps {
                let Ok(id) = map.get_tuple_name(DimType::In)?.parse::<StatementId>() else { continue };
                let Some(chain) = above.get_mut(&id) else { continue };
                let iterators = iterators_of(map, member as u32)?;
                if iterators == [chain.len()] {
                    chain.push(number);
                } else if !iterators.is_empty() {
                    self.record(above.remove_entry(&id).into_iter().collect());
                }
            }
            self.count += 1;
        }
        Ok(())
    }

    /// Records the loops around some statements. If the tree splits a statement, only the loops around all its
    /// parts count.
    fn record(&mut self, found: Around) {
        for (statement, around) in found {
            let known = self.around.entry(statement).or_insert_with(|| around.clone());
            known.truncate(common_prefix(known, &around));
        }
    }
}

fn common_prefix(one: &[usize], other: &[usize]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Returns the dimensions of the domain on which a member of a partial schedule depends.
fn iterators_of(schedule: &Map, member: u32) -> Result<Vec<usize>> {
    let members = schedule.dim(DimType::Out)? as u32;
    let alone = schedule.copy()?.project_out(DimType::Out, member + 1, members - member - 1)?;
    let alone = alone.project_out(DimType::Out, 0, member)?;
    let mut found = Vec::new();
    for dimension in 0..alone.dim(DimType::In)? {
        if alone.involves_dims(DimType::In, dimension as u32, 1)? {
            found.push(dimension as usize);
        }
    }
    Ok(found)
}
