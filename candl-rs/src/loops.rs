//! The loops of the source, as its order tells them.

use std::collections::BTreeMap;

use polyhedra::{
    DimType, Map, Result, Schedule, ScheduleNode, ScheduleNodeType, Text, maps_of, sets_of, tuple_name,
};
use scop::{Model, StatementId};

/// The loops of a scop and who is in them.
pub struct Loops {
    /// For each loop the statements in it, in the order of the text; a loop stands before the loops inside it.
    pub statements: Vec<Vec<StatementId>>,
    /// For each loop the dimension of its statements' domains that it is.
    pub depths: Vec<usize>,
    /// For each statement the loops around it, outermost first.
    around: BTreeMap<StatementId, Vec<usize>>,
}

/// The loops around each statement below a node.
type Around = BTreeMap<StatementId, Vec<usize>>;

impl Loops {
    /// Reads the order of a scop.
    ///
    /// A member of a band is a loop of those statements whose next iterator alone it depends on. For an order that was not made
    /// from loops, the loops that are not found are those that cannot be told apart: nobody takes them to be shared.
    pub fn new(model: &Model) -> Result<Self> {
        let mut loops = Self { statements: Vec::new(), depths: Vec::new(), around: BTreeMap::new() };
        let above = model.statements.iter().map(|statement| (statement.id, Vec::new())).collect();
        loops.visit(&Schedule::parse(&model.order.0)?.get_root()?, above)?;
        loops.statements = vec![Vec::new(); loops.depths.len()];
        for (&statement, around) in &loops.around {
            around.iter().for_each(|&number| loops.statements[number].push(statement));
        }
        Ok(loops)
    }

    /// The loops around a statement, outermost first.
    pub fn around(&self, statement: StatementId) -> &[usize] {
        self.around.get(&statement).map_or(&[], Vec::as_slice)
    }

    /// How many of the outermost loops around two statements are the same.
    pub fn shared(&self, one: StatementId, other: StatementId) -> usize {
        common_prefix(self.around(one), self.around(other))
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

    /// Takes note of the members of a band. What is around a statement ends at the first member that is no loop.
    fn enter(&mut self, band: &ScheduleNode, above: &mut Around) -> Result<()> {
        let maps = maps_of(&band.band_get_partial_schedule_union_map()?)?;
        for member in 0..band.band_n_member()? {
            let number = self.depths.len();
            let mut depth = None;
            for map in &maps {
                let Ok(id) = map.get_tuple_name(DimType::In)?.parse::<StatementId>() else { continue };
                let Some(chain) = above.get_mut(&id) else { continue };
                let iterators = iterators_of(map, member as u32)?;
                if iterators == [chain.len()] {
                    depth = Some(chain.len());
                    chain.push(number);
                } else if !iterators.is_empty() {
                    self.record(above.remove_entry(&id).into_iter().collect());
                }
            }
            self.depths.extend(depth);
        }
        Ok(())
    }

    /// A statement that a tree splits has in common what is around all its parts.
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

/// The dimensions of the domain on which a member of a partial schedule depends.
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
