//! Parts of a program: some of its regions are kept, the others remain C.

use std::collections::BTreeSet;

use crate::{ExprKind, Function, Prevention, Program, Stage, Step, walk_expressions};

impl<S: Stage> Program<S> {
    /// Returns the program with only one of its scops and the functions that this scop calls.
    #[must_use]
    pub fn only(&self, number: usize) -> Self {
        let is_it = |position: &usize| *position == number;
        let mut part = Self {
            format: self.format.clone(),
            version: self.version,
            source: self.source.clone(),
            functions: self.functions.clone(),
            memory: Vec::new(),
            host: Vec::new(),
            prevented: Vec::new(),
            residency: None,
            scops: at(&self.scops, is_it),
        };
        part.source.regions = at(&self.source.regions, is_it);
        part.forget_functions();
        part
    }

    /// Returns the program without some of its scops, whose regions remain as they are in the source. Then nothing
    /// remains on the device between regions any more.
    #[must_use]
    pub fn without(mut self, left: &BTreeSet<usize>) -> Self {
        self.scops = at(&self.scops, |position| !left.contains(position));
        self.leave(left);
        self
    }

    /// Does what remains to be done for [`Self::without`], for a program that contains only the kept scops.
    pub fn leave(&mut self, left: &BTreeSet<usize>) {
        if let Some(first) = left.first() {
            self.forget_host();
            self.prevented = vec![Prevention {
                array: None,
                reason: "a region of the file stays C, and what it does is not known".to_owned(),
                way_out: "take the marks around it away: then it is host code like any other".to_owned(),
                range: self.source.regions.get(*first).map(|region| region.range),
            }];
        }
        self.source.regions = at(&self.source.regions, |position| !left.contains(position));
        self.forget_functions();
    }

    /// Forgets the host code: what a region does that is left is not known.
    fn forget_host(&mut self) {
        (self.memory, self.host, self.residency) = (Vec::new(), Vec::new(), None);
        for scop in &mut self.scops {
            for array in scop.models_mut().flat_map(|model| &mut model.arrays) {
                array.memory.clear();
                array.apart = false;
            }
            let devices = scop.stage.placement_mut().map(|placement| &mut placement.device);
            devices.into_iter().flatten().for_each(|device| device.resident = None);
        }
    }

    /// Removes the functions that no scop calls. In the list, each function comes after those that it calls.
    fn forget_functions(&mut self) {
        let bodies = self.scops.iter().flat_map(|scop| &scop.model.statements);
        let mut called: BTreeSet<String> = bodies.flat_map(|statement| calls(&statement.body)).collect();
        let mut kept: Vec<Function> = Vec::new();
        for function in self.functions.drain(..).rev() {
            if called.contains(&function.name) {
                called.extend(calls(&function.body));
                kept.push(function);
            }
        }
        kept.reverse();
        self.functions = kept;
    }
}

/// Returns the items at the positions that satisfy `wanted`.
fn at<T: Clone>(items: &[T], mut wanted: impl FnMut(&usize) -> bool) -> Vec<T> {
    items.iter().enumerate().filter(|(position, _)| wanted(position)).map(|(_, item)| item.clone()).collect()
}

/// Returns the functions that some steps call, once for each call.
pub fn calls(steps: &[Step]) -> Vec<String> {
    let mut found = Vec::new();
    walk_expressions(steps, &mut |expr| {
        if let ExprKind::Call { function, .. } = &expr.kind {
            found.push(function.clone());
        }
    });
    found
}
