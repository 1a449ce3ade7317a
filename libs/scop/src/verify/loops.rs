//! V11 and V18: the loop program.

use super::report::Report;
use crate::ast::{AccessPlace, ArraySlice, AstExpr, AstOp, LoopProgram, Node, Packing, Ranked};
use crate::{
    ArrayId, Boxes, Buffer, BufferId, ElementBox, Kernel, KernelId, Mapping, Model, Placement, Statement,
    StatementId,
};

/// Checks that the loop program uses only what exists, and in a permitted place.
pub fn check_loops(
    model: &Model,
    mapping: &Mapping,
    placement: &Placement,
    program: &LoopProgram,
    report: &mut Report,
) {
    let names = model.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let mut walker =
        Walker { model, mapping, placement, names, kernel: None, packed: None, apart: false, report };
    walker.slices(&program.arrays);
    walker.node(&program.body);
}

struct Walker<'a> {
    model: &'a Model,
    mapping: &'a Mapping,
    placement: &'a Placement,
    /// The names that expressions may use here: parameters, the iterators of the loops around, and coordinates.
    names: Vec<String>,
    /// The kernel around this node, if any.
    kernel: Option<&'a Kernel>,
    /// The array that the loops pack, if they belong to a packing.
    packed: Option<ArrayId>,
    /// True in a specialised nest and in the general nest beside it.
    apart: bool,
    report: &'a mut Report,
}

impl<'a> Walker<'a> {
    fn slices(&mut self, slices: &[ArraySlice]) {
        let placed = self.placement.device.iter().map(|device| device.array);
        let same = placed.eq(slices.iter().map(|slice| slice.array));
        self.require(same, || "has other arrays than the placement".to_owned());
        for slice in slices {
            self.expression(&slice.lower);
            self.expression(&slice.extent);
            self.expressions(&slice.inner_extents);
            self.boxes(slice.array, slice.boxes.as_ref());
            if let Some(packing) = &slice.packing {
                self.packing(slice.array, packing);
            }
            let inner = self.dimensions(slice.array).map(|dimensions| dimensions.saturating_sub(1));
            self.require(inner == Some(slice.inner_extents.len()), || {
                format!("has a slice of {} with {} inner extents", slice.array, slice.inner_extents.len())
            });
        }
    }

    fn boxes(&mut self, array: ArrayId, boxes: Option<&Boxes<AstExpr>>) {
        let placed = self.placement.device.iter().find(|device| device.array == array);
        let has_boxes = placed.is_some_and(|device| device.boxes.is_some());
        self.require(has_boxes == boxes.is_some(), || {
            format!("transfers boxes of {array} but the placement does not, or the reverse")
        });
        let Some(boxes) = boxes else { return };
        let dimensions = self.dimensions(array);
        for one in boxes.to_device.iter().chain(&boxes.from_device) {
            for numbers in [&one.lower, &one.extent] {
                self.require(dimensions == Some(numbers.len()), || {
                    format!("has a box of {array} with {} dimensions", numbers.len())
                });
                self.expressions(numbers);
            }
        }
    }

    fn packing(&mut self, array: ArrayId, packing: &Packing) {
        let placed = self.placement.device.iter().find(|device| device.array == array);
        let numbered = placed.is_some_and(|device| device.numbering.is_some());
        self.require(numbered, || format!("packs {array}, which has no numbering"));
        let dimensions = self.dimensions(array);
        self.require(dimensions == Some(packing.subscripts.len()), || {
            format!("packs {array} with {} subscripts", packing.subscripts.len())
        });
        self.expression(&packing.count);
        let depth = self.names.len();
        for name in &packing.subscripts {
            let taken = self.names.contains(name);
            self.require(!taken, || format!("packs {array} with a subscript `{name}`, which is taken"));
            self.names.push(name.clone());
        }
        self.expression(&packing.position);
        self.names.truncate(depth);
        let outer = self.packed.replace(array);
        self.node(&packing.to_device);
        self.node(&packing.from_device);
        self.packed = outer;
    }

    /// Checks an element in the loops of a packing, which must be one of the packed array.
    fn element(&mut self, index: &[AstExpr]) {
        self.expressions(index);
        let expected = self.packed.and_then(|array| self.dimensions(array));
        self.require(expected == Some(index.len()), || {
            "has an element of an array that is not packed".to_owned()
        });
    }

    fn node(&mut self, node: &Node) {
        let leaf =
            !matches!(node, Node::Block { .. } | Node::For { .. } | Node::If { .. } | Node::Element { .. });
        self.require(!leaf || self.packed.is_none(), || "packs something else than elements".to_owned());
        match node {
            Node::Block { children } => children.iter().for_each(|child| self.node(child)),
            Node::For { iterator, init, condition, increment, degenerate, body, .. } => {
                self.expression(init);
                let ends = *degenerate || increment.is_step() && condition.is_upper_bound(iterator);
                self.require(ends, || {
                    format!("has a loop over `{iterator}` in steps of {increment} while {condition}, with no fixed end")
                });
                self.loop_body(iterator, [condition, increment], body);
            }
            Node::If { condition, then, otherwise } => {
                self.expression(condition);
                self.node(then);
                otherwise.iter().for_each(|otherwise| self.node(otherwise));
            }
            Node::Specialised { guard, specialised, general } => {
                self.expression(guard);
                let outer = std::mem::replace(&mut self.apart, true);
                self.node(specialised);
                self.node(general);
                self.apart = outer;
            }
            Node::Instance { statement, iterators, accesses } => {
                self.instance(*statement, iterators, accesses)
            }
            Node::Kernel { kernel, lower, extent, ranked, body } => {
                self.kernel(*kernel, [lower, extent], ranked.as_deref(), body);
            }
            Node::Copy { buffer, element, place, .. } => self.copy(*buffer, element, place),
            Node::Barrier => self.inside("a barrier"),
            Node::Element { index } => self.element(index),
            Node::Transfer { array, part, .. } => self.transfer(*array, part.as_ref()),
        }
    }

    fn loop_body(&mut self, iterator: &str, header: [&AstExpr; 2], body: &Node) {
        let taken = self.names.iter().any(|name| name == iterator);
        self.require(!taken, || format!("has a loop over `{iterator}`, which is taken"));
        self.names.push(iterator.to_owned());
        header.into_iter().for_each(|expr| self.expression(expr));
        self.node(body);
        self.names.pop();
    }

    fn kernel(&mut self, id: KernelId, sizes: [&Vec<AstExpr>; 2], ranked: Option<&Ranked>, body: &Node) {
        self.not_apart(|| format!("launches {id}"));
        self.require(self.kernel.is_none(), || format!("launches {id} inside a kernel"));
        let Some(kernel) = self.mapping.kernels.get(id.index()) else {
            return self.fault(format!("launches {id}, which does not exist"));
        };
        for size in sizes {
            self.expressions(size);
            self.require(size.len() == kernel.grid.len(), || {
                format!("launches {id} with {} grid dimensions", size.len())
            });
        }
        self.ranked(kernel, ranked);
        let (outer, depth) = (self.kernel.replace(kernel), self.names.len());
        self.names.extend(coordinates(kernel));
        self.node(body);
        self.names.truncate(depth);
        self.kernel = outer;
    }

    /// Checks the numbering of blocks: the mapping has one as well, with the same coordinates in the same order.
    fn ranked(&mut self, kernel: &Kernel, ranked: Option<&Ranked>) {
        let axes = ranked.map(|ranked| ranked.coordinates.iter().map(|one| one.axis).collect::<Vec<_>>());
        let mapped = kernel.ranked.as_ref();
        let mapped = mapped.map(|mapped| mapped.coordinates.iter().map(|one| one.axis).collect::<Vec<_>>());
        self.require(axes == mapped, || {
            format!("numbers the blocks of {} in another way than the mapping", kernel.id)
        });
        let Some(ranked) = ranked else { return };
        self.expression(&ranked.blocks);
        let depth = self.names.len();
        let last = ranked.coordinates.len().saturating_sub(1);
        for (position, one) in ranked.coordinates.iter().enumerate() {
            self.expression(&one.lower);
            self.expression(&one.upper);
            self.names.push(one.axis.block_parameter().to_owned());
            one.before.iter().for_each(|before| self.expression(before));
            self.require(one.before.is_some() == (position < last), || {
                format!("numbers blocks along {} without counting them, or the reverse", one.axis)
            });
        }
        self.names.truncate(depth);
    }

    fn instance(&mut self, id: StatementId, iterators: &[AstExpr], accesses: &[AccessPlace]) {
        self.expressions(iterators);
        let Some(statement) = self.model.statements.get(id.index()) else {
            return self.fault(format!("executes {id}, which does not exist"));
        };
        self.require(iterators.len() == statement.depth(), || {
            format!("executes {id} with {} iterators", iterators.len())
        });
        let allowed = self.kernel.is_none_or(|kernel| kernel.statements.contains(&id));
        self.require(allowed, || format!("executes {id} in a kernel that is not its own"));
        self.accesses(statement, accesses);
    }

    fn accesses(&mut self, statement: &Statement, places: &[AccessPlace]) {
        let expected = statement.accesses.iter().map(|access| access.id);
        let same = expected.eq(places.iter().map(|place| place.access));
        self.require(same, || format!("executes {} with other accesses than it has", statement.id));
        for place in places {
            self.expressions(&place.index);
            let access = statement.access(place.access);
            if access.is_some_and(|access| access.indirect) {
                let is_of_block = place.buffer.and_then(|id| self.buffer(id));
                let in_place = place.buffer.is_none() || is_of_block.is_some_and(Buffer::has_block_sums);
                self.require(in_place && place.index.is_empty(), || {
                    format!("has an index for {}, which is indirect", place.access)
                });
                place.buffer.map(|id| self.used_buffer(id, place));
                continue;
            }
            let array = access.and_then(|access| self.dimensions(access.array));
            let dimensions = match place.buffer {
                Some(id) => self.used_buffer(id, place),
                None => array,
            };
            self.require(dimensions == Some(place.index.len()), || {
                format!("has {} in {} with a wrong index", place.access, statement.id)
            });
        }
    }

    /// Returns the number of dimensions of the buffer that an access uses.
    fn used_buffer(&mut self, id: BufferId, place: &AccessPlace) -> Option<usize> {
        let buffer = self.buffer(id)?;
        let (uses, dimensions) = (buffer.accesses.contains(&place.access), buffer.sizes.len());
        self.require(uses, || format!("lets {} use {id}, which is not for it", place.access));
        Some(dimensions)
    }

    fn copy(&mut self, id: BufferId, element: &[AstExpr], place: &[AstExpr]) {
        self.inside("a copy");
        self.expressions(element);
        self.expressions(place);
        let Some(buffer) = self.buffer(id) else {
            return self.fault(format!("copies {id}, which is not a buffer there"));
        };
        let fits = self.dimensions(buffer.array) == Some(element.len()) && buffer.sizes.len() == place.len();
        self.require(fits, || format!("copies {id} with a wrong index"));
    }

    /// Returns a buffer of the kernel around this node.
    fn buffer(&self, id: BufferId) -> Option<&'a Buffer> {
        let kernel = self.kernel?.id;
        let placed = self.placement.kernels.iter().find(|placed| placed.kernel == kernel)?;
        placed.buffers.iter().find(|buffer| buffer.id == id)
    }

    fn transfer(&mut self, array: ArrayId, part: Option<&ElementBox<AstExpr>>) {
        self.not_apart(|| format!("transfers {array}"));
        self.require(self.kernel.is_none(), || format!("transfers {array} inside a kernel"));
        let placed = self.placement.device.iter().any(|device| device.array == array);
        self.require(placed, || format!("transfers {array}, which is not on the device"));
        for numbers in part.iter().flat_map(|part| [&part.lower, &part.extent]) {
            self.expressions(numbers);
            self.require(Some(numbers.len()) == self.dimensions(array), || {
                format!("transfers a part of {array} that has other dimensions")
            });
        }
    }

    fn not_apart(&mut self, does: impl FnOnce() -> String) {
        self.report.require(18, !self.apart, || {
            format!("the loop program {} in a specialised nest or beside it", does())
        });
    }

    fn inside(&mut self, what: &str) {
        self.require(self.kernel.is_some(), || format!("has {what} outside of kernels"));
    }

    fn dimensions(&self, array: ArrayId) -> Option<usize> {
        self.model.arrays.get(array.index()).map(|array| array.extents.len())
    }

    fn expressions(&mut self, exprs: &[AstExpr]) {
        exprs.iter().for_each(|expr| self.expression(expr));
    }

    fn expression(&mut self, expr: &AstExpr) {
        match expr {
            AstExpr::Int(_) => {}
            AstExpr::Name(name) => {
                let known = self.names.contains(name);
                self.require(known, || format!("uses `{name}` where it is not defined"));
            }
            AstExpr::Op(op, operands) => {
                let fits = has_arity(*op, operands.len());
                self.require(fits, || format!("has {op:?} with {} operands", operands.len()));
                self.expressions(operands);
            }
        }
    }

    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        self.report.require(11, holds, || format!("the loop program {}", message()));
    }

    fn fault(&mut self, message: String) {
        self.require(false, || message);
    }
}

/// Returns the coordinates of a kernel's blocks and threads.
pub fn coordinates(kernel: &Kernel) -> Vec<String> {
    let blocks = kernel.grid.iter().map(|dimension| dimension.axis.block_parameter());
    let threads = kernel.block.iter().map(|dimension| dimension.axis.thread_parameter());
    blocks.chain(threads).map(str::to_owned).collect()
}

fn has_arity(op: AstOp, operands: usize) -> bool {
    match op {
        AstOp::Max | AstOp::Min => operands >= 2,
        AstOp::Minus => operands == 1,
        AstOp::Select => operands == 3,
        _ => operands == 2,
    }
}
