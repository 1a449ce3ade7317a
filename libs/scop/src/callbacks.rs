//! The memory that code uses which the document does not contain, by calling functions of the document.

use std::collections::BTreeSet;

use crate::{HostNode, MemoryId, Procedure, Program};

impl<S> Program<S> {
    /// Returns the functions but `main` that code may call which the document does not contain, each with the memory
    /// that it uses, and the functions that it calls.
    pub fn used_by_callbacks(&self) -> Vec<(&Procedure, BTreeSet<MemoryId>)> {
        let called = self.host.iter().filter(|one| one.called_from_elsewhere && one.name != "main");
        called.map(|one| (one, self.used_by(one))).collect()
    }

    fn used_by(&self, procedure: &Procedure) -> BTreeSet<MemoryId> {
        let mut used = BTreeSet::new();
        let mut open = vec![procedure];
        let mut seen = BTreeSet::from([procedure.id]);
        while let Some(procedure) = open.pop() {
            HostNode::walk(&procedure.body, &mut |node| {
                let codes = node.codes();
                used.extend(codes.iter().flat_map(|code| &code.touches).flat_map(|touch| &touch.memory));
                if let HostNode::Region(region) = node {
                    let model = self.scops.get(region.scop as usize).map(|scop| &scop.model);
                    used.extend(
                        model.into_iter().flat_map(|model| &model.arrays).flat_map(|array| &array.memory),
                    );
                }
                let new = codes.into_iter().flat_map(|code| &code.calls).filter(|id| seen.insert(**id));
                open.extend(new.filter_map(|id| self.host.get(id.index())));
            });
        }
        used
    }
}
