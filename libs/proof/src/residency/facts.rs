//! What the document says about memory, regions and classes.

use scop::{
    AccessKind, ActionOp, HostAction, HostNode, HostPlace, MemoryClass, MemoryId, MemoryLifetime,
    MemoryObject, Procedure, Program, ResidencyPlan, Stage,
};

use crate::residency::objects::{Objects, State};

/// The facts that the check of a plan relies on. Objects that are in no class of the plan are never on the device;
/// the others are numbered.
pub struct Facts<'a> {
    /// The functions of the program.
    pub procedures: &'a [Procedure],
    /// The numbered objects.
    pub objects: Vec<&'a MemoryObject>,
    number_of: Vec<Option<usize>>,
    /// The objects of each class.
    pub classes: Vec<Objects>,
    /// Those that are on the device only in intervals.
    pub bounded: Objects,
    /// Those that code which the document does not contain may use, or that may end unseen; without those that such code
    /// leaves alone while they are held.
    pub exposed: Objects,
    /// Those that may be held on the device although such code runs.
    pub held: Objects,
    /// Those that code which the document does not contain may leave on the device.
    pub foreign: Objects,
    /// What each scop leaves on the device, if nothing copies it back at its end.
    pub regions: Vec<State>,
}

impl<'a> Facts<'a> {
    pub fn new<S: Stage>(program: &'a Program<S>, plan: &'a ResidencyPlan) -> Self {
        let mut objects = Vec::new();
        let mut number_of = vec![None; program.memory.len()];
        for id in plan.classes.iter().flat_map(|class| &class.memory) {
            if let (Some(object), Some(number @ None)) =
                (program.memory.get(id.index()), number_of.get_mut(id.index()))
            {
                *number = Some(objects.len());
                objects.push(object);
            }
        }
        let none = Objects::none(objects.len());
        let mut facts = Self {
            procedures: &program.host,
            objects,
            number_of,
            classes: Vec::new(),
            bounded: none.clone(),
            exposed: none.clone(),
            held: none.clone(),
            foreign: none.clone(),
            regions: Vec::new(),
        };
        for class in &plan.classes {
            let memory = facts.numbered(&class.memory);
            let holds = holds(program, plan, class);
            for number in memory.iter() {
                // Other code can hold only what it reaches.
                let is_foreign = class.announced && facts.objects[number].exposed;
                if holds || is_foreign || facts.objects[number].held {
                    facts.held.insert(number);
                } else if class.bounded {
                    facts.bounded.insert(number);
                }
                if is_foreign && class.foreign {
                    facts.foreign.insert(number);
                }
            }
            facts.classes.push(memory);
        }
        for (number, object) in facts.objects.iter().enumerate() {
            if object.exposed || object.lifetime == MemoryLifetime::Unknown {
                facts.exposed.insert(number);
            }
        }
        facts.exposed.remove(&facts.held);
        facts.regions = program.scops.iter().map(|scop| facts.left_by(scop)).collect();
        facts
    }

    fn left_by<S: Stage>(&self, scop: &scop::Scop<S>) -> State {
        let mut left = State::none(self.objects.len());
        let accesses = || scop.model.statements.iter().flat_map(|statement| &statement.accesses);
        let device = scop.stage.placement().map_or(&[][..], |placement| &placement.device);
        for one in device.iter().filter(|one| one.resident.is_some()) {
            let Ok(array) = scop.model.array(one.array) else { continue };
            let memory = self.numbered(&array.memory);
            if accesses().any(|access| access.array == one.array && access.kind == AccessKind::Write) {
                left.newer.add(&memory);
            }
            left.held.add(&memory);
            left.own.add(&memory);
        }
        left
    }

    /// Returns the numbered ones of some objects.
    pub fn numbered(&self, memory: &[MemoryId]) -> Objects {
        let mut found = Objects::none(self.objects.len());
        memory.iter().filter_map(|id| self.number(*id)).for_each(|number| found.insert(number));
        found
    }

    /// Returns the number of an object, if it may be on the device.
    pub fn number(&self, memory: MemoryId) -> Option<usize> {
        self.number_of.get(memory.index()).copied().flatten()
    }
}

/// True if a statement with `data` may hold memory of a class on the device.
fn holds<S: Stage>(program: &Program<S>, plan: &ResidencyPlan, class: &MemoryClass) -> bool {
    let is_for =
        |action: &HostAction| matches!(&action.op, ActionOp::HoldClass { class: id } if *id == class.id);
    let mut found = plan.actions.iter().any(is_for);
    for procedure in &program.host {
        HostNode::walk(&procedure.body, &mut |node| {
            if let HostNode::Data(data) = node {
                let mut memory = data.held.iter().flat_map(|held| &held.memory);
                found |= memory.any(|id| class.memory.contains(id));
            }
        });
    }
    found
}

/// True if two places are the same bytes, of known number.
pub fn are_same(one: &HostPlace, other: Option<&HostPlace>) -> bool {
    one.bytes.is_some() && Some(one) == other
}

/// Returns the procedures that exceptions may leave, for each of them and for unknown code, which comes last. Without
/// handlers, no exception leads anywhere.
pub fn throwing(procedures: &[Procedure]) -> Vec<bool> {
    let mut catches = false;
    for procedure in procedures {
        HostNode::walk(&procedure.body, &mut |node| catches |= matches!(node, HostNode::Try(_)));
    }
    let mut throws = vec![false; procedures.len()];
    throws.push(catches);
    loop {
        let before = throws.clone();
        for (number, procedure) in procedures.iter().enumerate() {
            HostNode::walk(&procedure.body, &mut |node| {
                for code in node.codes() {
                    let calls = code.calls.iter().any(|id| before.get(id.index()) == Some(&true));
                    throws[number] |= catches && (code.returns_from_unknown() || calls);
                }
            });
        }
        if throws == before {
            return throws;
        }
    }
}
