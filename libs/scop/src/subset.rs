//! A part of a program: some of its regions, the others left to C.

use std::collections::BTreeSet;

use crate::{ExprKind, Function, Program, Stage, Step, walk_expressions};

impl<S: Stage> Program<S> {
    /// The program with one of its scops alone, and the functions that this one calls.
    #[must_use]
    pub fn only(&self, number: usize) -> Self {
        let is_it = |position: &usize| *position == number;
        let mut part = Self {
            format: self.format.clone(),
            version: self.version,
            source: self.source.clone(),
            functions: self.functions.clone(),
            scops: at(&self.scops, is_it),
        };
        part.source.regions = at(&self.source.regions, is_it);
        part.forget_functions();
        part
    }

    /// The program without some of its scops: their regions stay as they are in the source. Code of the host then
    /// uses arrays in the middle of a residency, so if that happens nothing stays on the device any more.
    #[must_use]
    pub fn without(mut self, left: &BTreeSet<usize>) -> Self {
        self.scops = at(&self.scops, |position| !left.contains(position));
        self.leave(left);
        self
    }

    /// The rest of [`Self::without`] for a program whose scops are already those that are kept.
    pub fn leave(&mut self, left: &BTreeSet<usize>) {
        let is_left = |position: &usize| left.contains(position);
        let is_within_one = at(&self.source.regions, is_left).iter().any(|region| {
            self.source.residencies.iter().any(|residency| region.range.is_within(residency.range))
        });
        if is_within_one {
            self.forget_residencies();
        }
        self.source.regions = at(&self.source.regions, |position| !is_left(position));
        self.forget_functions();
    }

    fn forget_residencies(&mut self) {
        self.source.residencies.clear();
        for scop in &mut self.scops {
            for array in &mut scop.model.arrays {
                (array.residency, array.copied_back_after, array.read_between) = (None, None, false);
            }
            let devices = scop.stage.placement_mut().map(|placement| &mut placement.device);
            devices.into_iter().flatten().for_each(|device| device.resident = false);
        }
    }

    /// Leaves out the functions that no scop calls. Each stands after those that it calls.
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

/// The items at some positions.
fn at<T: Clone>(items: &[T], mut wanted: impl FnMut(&usize) -> bool) -> Vec<T> {
    items.iter().enumerate().filter(|(position, _)| wanted(position)).map(|(_, item)| item.clone()).collect()
}

/// The functions that some steps call, as often as they do.
pub fn calls(steps: &[Step]) -> Vec<String> {
    let mut found = Vec::new();
    walk_expressions(steps, &mut |expr| {
        if let ExprKind::Call { function, .. } = &expr.kind {
            found.push(function.clone());
        }
    });
    found
}
