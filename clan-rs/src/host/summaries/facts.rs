//! What is asked again and again of the functions of a file, found out once for each.

use std::collections::BTreeSet;

use scop::{HostBlock, HostCode, HostNode, Jump, Position, ProcedureId};

use crate::host::statements::Followed;

/// What is known of each procedure.
pub struct Facts {
    /// The places of the procedures among those that are followed, by their numbers.
    places: Vec<Option<usize>>,
    /// The procedures that each one calls; nothing if it may run unknown code.
    calls: Vec<Option<Vec<ProcedureId>>>,
    /// True for one that runs regions, or calls one that does.
    runs_regions: Vec<bool>,
    /// True if calls can be added wherever the host code of one touches memory of regions.
    announces: Vec<bool>,
}

impl Facts {
    /// Collects the facts of some procedures.
    pub fn of(followed: &[Followed]) -> Self {
        let mut places = Vec::new();
        for (place, one) in followed.iter().enumerate() {
            let number = one.procedure.id.index();
            places.resize(places.len().max(number + 1), None);
            places[number] = Some(place);
        }
        let mut all = Self { places, calls: Vec::new(), runs_regions: Vec::new(), announces: Vec::new() };
        let mut callers = vec![Vec::new(); followed.len()];
        let mut own = Vec::new();
        for (place, one) in followed.iter().enumerate() {
            let (mut called, mut is_known, mut runs) = (BTreeSet::new(), true, false);
            HostNode::walk(&one.procedure.body, &mut |node| {
                runs |= matches!(node, HostNode::Region(_));
                for code in node.codes() {
                    is_known &= code.unknown.is_none();
                    runs |= !code.elsewhere.is_empty();
                    called.extend(code.calls.iter().copied());
                }
            });
            for called in called.iter().filter_map(|called| all.place(*called)) {
                callers[called].push(place);
            }
            own.push(runs);
            all.calls.push(is_known.then(|| called.into_iter().collect()));
        }
        all.runs_regions = reaching(&callers, own).0;
        all.announces = followed.iter().map(|one| all.are_announced(&one.procedure.body)).collect();
        all
    }

    /// Returns where a procedure is among those that are followed.
    pub fn place(&self, id: ProcedureId) -> Option<usize> {
        self.places.get(id.index()).copied().flatten()
    }

    /// Returns the places of a procedure and of all that it calls, directly or not; nothing if unknown code may run.
    pub fn reached_from(&self, own: ProcedureId) -> Option<BTreeSet<usize>> {
        let own = self.place(own)?;
        let mut reached = BTreeSet::from([own]);
        let mut open = vec![own];
        while let Some(place) = open.pop() {
            for called in self.calls[place].as_ref()? {
                let called = self.place(*called)?;
                if reached.insert(called) {
                    open.push(called);
                }
            }
        }
        Some(reached)
    }

    /// True if calls can be added wherever the host code of a procedure touches memory of regions.
    pub fn announces(&self, place: usize) -> bool {
        self.announces[place]
    }

    fn runs_regions(&self, code: &HostCode) -> bool {
        let runs = |id: &ProcedureId| self.place(*id).is_some_and(|place| self.runs_regions[place]);
        !code.elsewhere.is_empty() || code.calls.iter().any(runs)
    }

    fn are_announced(&self, nodes: &[HostNode]) -> bool {
        nodes.iter().all(|node| {
            let fits = match node {
                HostNode::Region(region) => region.touches.is_empty() || region.position != Position::Fixed,
                HostNode::Block(block) => block.objects.is_empty() || ends_visibly(block),
                _ => true,
            };
            let is_announced = self.is_announced_before(node)
                || node.codes().into_iter().all(|code| self.is_announced(code));
            let inside = node.parts();
            let are_inside = || match self.is_announced_before(node) {
                true => inside.iter().all(|part| end_visibly(part)),
                false => inside.iter().all(|part| self.are_announced(part)),
            };
            fits && is_announced && are_inside()
        })
    }

    /// True for a loop that runs no regions and before which calls can be added: they stand there for all that it
    /// touches.
    fn is_announced_before(&self, node: &HostNode) -> bool {
        let HostNode::Loop(one) = node else { return false };
        let mut runs = false;
        HostNode::walk(std::slice::from_ref(node), &mut |inner| {
            runs |= matches!(inner, HostNode::Region(_));
            runs |= inner.codes().into_iter().any(|code| self.runs_regions(code));
        });
        one.position != Position::Fixed && !runs
    }

    fn is_announced(&self, code: &HostCode) -> bool {
        code.touches.is_empty() || code.position != Position::Fixed && !self.runs_regions(code)
    }
}

/// True if all blocks in some nodes that end memory of regions end visibly.
fn end_visibly(nodes: &[HostNode]) -> bool {
    let mut fits = true;
    HostNode::walk(nodes, &mut |node| {
        if let HostNode::Block(block) = node {
            fits &= block.objects.is_empty() || ends_visibly(block);
        }
    });
    fits
}

/// Returns which elements lead to one of some elements, those themselves included, and how many steps were looked at.
/// `before` has, for each element, those from which a step leads to it.
fn reaching(before: &[Vec<usize>], mut found: Vec<bool>) -> (Vec<bool>, usize) {
    let mut open: Vec<usize> = (0..found.len()).filter(|one| found[*one]).collect();
    let mut steps = 0;
    while let Some(one) = open.pop() {
        for &other in &before[one] {
            steps += 1;
            if !std::mem::replace(&mut found[other], true) {
                open.push(other);
            }
        }
    }
    (found, steps)
}

/// True if calls can be added wherever control leaves a block.
fn ends_visibly(block: &HostBlock) -> bool {
    let takes = |position: Position| matches!(position, Position::Statement | Position::Alone);
    let mut fits = match block.body.last() {
        None | Some(HostNode::Jump(_)) => true,
        Some(HostNode::Code(code)) => takes(code.position),
        Some(HostNode::Branch(branch)) => takes(branch.position),
        Some(HostNode::Loop(one)) => takes(one.position),
        Some(HostNode::Block(inner)) => takes(inner.position),
        Some(HostNode::Data(data)) => takes(data.position),
        Some(HostNode::Try(one)) => takes(one.position),
        Some(HostNode::Region(region)) => takes(region.position),
        Some(HostNode::Label { .. }) => false,
    };
    HostNode::walk(&block.body, &mut |node| {
        if let HostNode::Jump(jump) = node {
            fits &= takes(jump.position) && jump.jump != Jump::Goto;
        }
    });
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each step is looked at once at most, however many functions call each other.
    #[test]
    fn the_work_grows_with_the_number_of_calls() {
        for number in [10, 100, 1000] {
            // Each function calls the next one and the first.
            let mut before = vec![Vec::new(); number];
            for one in 0..number {
                before[(one + 1) % number].push(one);
                before[0].push(one);
            }
            let mut own = vec![false; number];
            own[number / 2] = true;
            let (found, steps) = reaching(&before, own);
            assert!(found.into_iter().all(|reaches| reaches));
            assert_eq!(steps, 2 * number);
        }
        assert_eq!(reaching(&[vec![], vec![0]], vec![true, false]), (vec![true, false], 0));
    }
}
