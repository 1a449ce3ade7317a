//! Every access finds its element: in the array, or in a buffer that holds it; on the host, or on the device.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use polyhedra::{Map, Result, Set, Text};
use scop::ast::{AccessPlace, ArraySlice, AstExpr, Node};
use scop::{
    Access, AccessId, AccessKind, ArrayId, Buffer, Diagnostic, IslSet, LiveAccess, Placement, StatementId,
};

use super::buffers::{Used, bypassing, bypassing_own};
use super::instances::Executed;
use super::leaf::{Leaf, Walked};
use super::memory::Memory;
use super::newer::Events;
use super::subscripts::misplaced;
use super::transfers::{
    Part, alive, boxed, cut_off, outside, parts, stale, transfers, unnumbered, whole_slice,
};
use super::users::{Buffers, Role, User};
use super::within::within_arrays;
use crate::report::{self, Fault};
use crate::stage::Sections;

/// What is known of a loop program and its data.
pub struct Data<'a> {
    /// The source file.
    pub path: &'a str,
    /// The rest of the document.
    pub sections: &'a Sections<'a>,
    /// Where the data is.
    pub placement: &'a Placement,
    /// The slices of arrays that the device holds.
    pub slices: &'a [ArraySlice],
    /// The loop program.
    pub walked: &'a Walked<'a>,
    /// The leaves that execute instances.
    pub executed: &'a BTreeMap<StatementId, Vec<Executed<'a>>>,
}

impl Data<'_> {
    /// The messages about accesses, buffers and transfers.
    pub fn check(&self, barriers: &[&Leaf<'_>]) -> Result<Vec<Diagnostic>> {
        let buffers = Buffers::of(self.placement);
        let mut messages = Vec::new();
        for executed in self.executed() {
            for place in executed.accesses {
                let access = executed.statement.access(place.access).filter(|access| !access.indirect);
                let Some(access) = access else { continue };
                messages.extend(self.check_access(&buffers, executed, access, place)?);
            }
        }
        for ((id, _), users) in buffers.users(&self.walked.leaves, self.executed())? {
            let Some(buffer) = buffers.by_id.get(&id) else { continue };
            messages.extend(self.check_buffer(buffer, &users, barriers)?);
        }
        messages.extend(self.check_live()?);
        messages.extend(self.check_flows(&buffers)?);
        messages.extend(self.check_routes(&buffers)?);
        messages.extend(self.check_newer(&buffers)?);
        Ok(messages)
    }

    fn executed(&self) -> impl Iterator<Item = &Executed<'_>> {
        self.executed.values().flatten()
    }

    fn message(&self, executed: &Executed<'_>, fault: Fault, points: Set) -> Result<Diagnostic> {
        let instances = points.apply(Map::from_pw_multi_aff(executed.instance.copy()?)?)?;
        report::describe_statement(self.path, self.sections.model, executed.statement.id, fault, instances)
    }

    /// An access goes where the document says, and on the device is within the slice of its array.
    fn check_access(
        &self,
        buffers: &Buffers<'_>,
        executed: &Executed<'_>,
        access: &Access,
        place: &AccessPlace,
    ) -> Result<Option<Diagnostic>> {
        let expected = buffers.expected(executed.statement, access, place.buffer)?;
        if let Some(points) = misplaced(executed, &place.index, expected)? {
            return self.message(executed, Fault::Misplaced(access.id), points).map(Some);
        }
        if executed.leaf.launch.is_none() {
            return Ok(None);
        }
        if place.buffer.is_some() {
            let apart = self.sections.dependences.relaxed_by(access.id).is_some();
            let points = || executed.points.copy();
            return if apart {
                self.message(executed, Fault::Apart(access.id), points()?).map(Some)
            } else {
                Ok(None)
            };
        }
        let touched = (access.array, access.kind);
        let checked = if self.numbered(access.array).is_some() { place.index.len() } else { 1 };
        let row = &place.index[..place.index.len().min(checked)];
        let points =
            executed.points_of(&executed.at_points(buffers.element(executed.statement, access)?)?)?;
        let outside = self.outside(executed.leaf, &points, touched, row)?;
        outside.map(|points| self.message(executed, Fault::OffDevice(access.id), points)).transpose()
    }

    /// A buffer holds what is read from it, and what is written to it comes back.
    fn check_buffer(
        &self,
        buffer: &Buffer,
        users: &[User<'_>],
        barriers: &[&Leaf<'_>],
    ) -> Result<Vec<Diagnostic>> {
        let used = Used::new(users, buffer.memory, self.sections.dependences);
        let mut messages = Vec::new();
        if !used.is_consistent()? {
            messages.push(report::describe_buffer(
                buffer,
                "E0213",
                "two elements have the same place, or one element has two, in",
            ));
        }
        let memory = Memory::of(buffer)?;
        if !memory.is_sound {
            messages.push(report::describe_buffer(
                buffer,
                "E0213",
                "two places are one, or beyond the memory, in",
            ));
        }
        for user in users {
            messages.extend(self.check_place(&memory, buffer, user)?);
        }
        if used.has_race(barriers)? {
            let words = "a thread uses what another one puts, without a barrier between, in";
            messages.push(report::describe_buffer(buffer, "E0214", words));
        }
        if used.races_on_array(barriers)? {
            let words =
                "a thread copies an element that another one copies out, without a barrier between, through";
            messages.push(report::describe_buffer(buffer, "E0214", words));
        }
        if self.has_other_route(buffer, users) {
            let words = "elements are copied out that a statement of the launch may use past";
            messages.push(report::describe_buffer(buffer, "E0217", words));
        }
        for user in users {
            let found = match (user.role, user.executed) {
                (Role::Read(access), Some(executed)) => {
                    used.unprovided(user, access)?.map(|points| (executed, Fault::Unprovided(access), points))
                }
                (Role::Write(access, _), Some(executed)) => {
                    used.lost(user, access)?.map(|points| (executed, Fault::Lost(access), points))
                }
                _ => {
                    messages.extend(self.check_copy(&used, buffer, user)?);
                    None
                }
            };
            if let Some((executed, fault, points)) = found {
                messages.push(self.message(executed, fault, points)?);
            }
        }
        Ok(messages)
    }

    /// True if something is copied out of a buffer, and a statement of the launch uses the array past it.
    fn has_other_route(&self, buffer: &Buffer, users: &[User<'_>]) -> bool {
        let out = users.iter().find(|user| user.role == Role::CopyOut).and_then(|user| user.leaf.launch);
        let Some(launch) = out else { return false };
        let mut of_launch =
            self.executed().filter(|executed| executed.leaf.launch.is_some_and(|l| l.grid == launch.grid));
        of_launch.any(|executed| {
            let mut past = executed.accesses.iter().filter(|place| place.buffer != Some(buffer.id));
            past.any(|place| {
                executed.statement.access(place.access).is_some_and(|access| access.array == buffer.array)
            })
        })
    }

    /// A place is in the memory of its buffer.
    fn check_place(&self, memory: &Memory, buffer: &Buffer, user: &User<'_>) -> Result<Option<Diagnostic>> {
        let Some(points) = memory.beyond(user, user.points()?)? else { return Ok(None) };
        let points =
            self.started(user.leaf, points)?.intersect_params(within_arrays(self.sections.model)?)?;
        if points.is_empty()? {
            return Ok(None);
        }
        report::describe_copy(buffer, "E0218", "is used beyond the memory of", user.leaf, points).map(Some)
    }

    /// A copy is within the slice of its array, and takes nothing from the buffer that is not there.
    fn check_copy(&self, used: &Used<'_>, buffer: &Buffer, user: &User<'_>) -> Result<Option<Diagnostic>> {
        let Node::Copy { element, .. } = user.leaf.node else { return Ok(None) };
        let undefined = match user.role {
            Role::CopyOut => used.undefined(user)?,
            _ => None,
        };
        let kind = if user.role == Role::CopyOut { AccessKind::Write } else { AccessKind::Read };
        let outside = self.outside(user.leaf, &user.leaf.domain, (buffer.array, kind), element)?;
        let faults = [
            ("E0211", undefined, "is copied that nobody put into"),
            (
                "E0219",
                used.met_by_other_blocks(user)?,
                "that another block of the launch copies out is copied by",
            ),
            ("E0215", outside, "that is not on the device is copied by"),
        ];
        for (code, points, words) in faults {
            let Some(points) = points else { continue };
            let points = self.started(user.leaf, points)?;
            if !points.is_empty()? {
                return report::describe_copy(buffer, code, words, user.leaf, points).map(Some);
            }
        }
        Ok(None)
    }

    /// The points at which a kernel leaves what the device holds of an array, in the given subscripts. Only if there
    /// seem to be some it is asked which blocks there are.
    fn outside(
        &self,
        leaf: &Leaf<'_>,
        points: &Set,
        touched: (ArrayId, AccessKind),
        index: &[AstExpr],
    ) -> Result<Option<Set>> {
        if let Some(numbered) = self.numbered(touched.0) {
            let outside = unnumbered(leaf, points, index, Set::parse(&numbered.0)?)?;
            if outside.is_empty()? {
                return Ok(None);
            }
            let outside = self.started(leaf, outside)?;
            return Ok(if outside.is_empty()? { None } else { Some(outside) });
        }
        if outside(leaf, points, touched, index, self.slices)?.is_none() {
            return Ok(None);
        }
        let points =
            self.started(leaf, points.copy()?)?.intersect_params(within_arrays(self.sections.model)?)?;
        outside(leaf, &points, touched, index, self.slices)
    }

    /// The elements that have a number, if the device holds no others of an array.
    fn numbered(&self, array: ArrayId) -> Option<&IslSet> {
        self.placement.device.iter().find(|device| device.array == array)?.numbered.as_ref()
    }

    /// The points of a leaf whose block is started.
    fn started(&self, leaf: &Leaf<'_>, points: Set) -> Result<Set> {
        Ok(match self.walked.started(leaf)? {
            Some(grid) => points.intersect(grid)?,
            None => points,
        })
    }

    /// Values from before the region are transferred to the device, and values for behind it from the device.
    fn check_live(&self) -> Result<Vec<Diagnostic>> {
        let dependences = self.sections.dependences;
        let mut messages = Vec::new();
        for (lives, before) in [(&dependences.live_in, true), (&dependences.live_out, false)] {
            let boxed = self.boxed(before)?;
            for executed in self.executed().filter(|executed| executed.leaf.launch.is_some()) {
                messages.extend(self.check_live_values(executed, lives, before, &boxed)?);
            }
        }
        messages.extend(self.check_boxes()?);
        messages.extend(self.check_parts()?);
        Ok(messages)
    }

    /// Parts that are transferred are on the device.
    fn check_parts(&self) -> Result<Vec<Diagnostic>> {
        let mut messages = Vec::new();
        for part in parts(&self.walked.leaves) {
            let Some(slice) = self.slices.iter().find(|slice| slice.array == part.array) else { continue };
            if part.outside(slice)?.is_some() {
                let name = &self.sections.model.array(part.array)?.name;
                let words = format!("a part of `{name}` is transferred that is not on the device");
                messages.push(Diagnostic::error("E0215", words));
            }
        }
        Ok(messages)
    }

    /// The values of one leaf that are transferred before the region, or behind it; some arrays are transferred in
    /// boxes.
    fn check_live_values(
        &self,
        executed: &Executed<'_>,
        lives: &[LiveAccess],
        before: bool,
        boxed: &BTreeMap<ArrayId, Set>,
    ) -> Result<Vec<Diagnostic>> {
        let mut messages = Vec::new();
        let mut cut: BTreeMap<ArrayId, Option<Set>> = BTreeMap::new();
        for live in lives {
            let access = executed.statement.access(live.access);
            let on_device = |access: &&Access| self.slices.iter().any(|slice| slice.array == access.array);
            let Some(array) = access.filter(on_device).map(|access| access.array) else { continue };
            let points = match cut.entry(array) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(open) => {
                    let transfers = transfers(&self.walked.leaves, array, before);
                    open.insert(cut_off(executed, &transfers, before)?)
                }
            };
            let values = Map::parse(&live.relation.0)?;
            let mut missing = match points {
                Some(points) => alive(executed, values.copy()?, points.copy()?)?,
                None => None,
            };
            if let (None, Some(boxed)) = (&missing, boxed.get(&array)) {
                let left_behind = values.subtract_range(boxed.copy()?)?;
                missing = alive(executed, left_behind, executed.points.copy()?)?;
            }
            if let Some(points) = missing {
                messages.push(self.message(executed, Fault::Untransferred(live.access), points)?);
            }
        }
        Ok(messages)
    }

    /// For each array that is transferred in boxes, the elements that a transfer in one direction moves.
    fn boxed(&self, to_device: bool) -> Result<BTreeMap<ArrayId, Set>> {
        let mut all = BTreeMap::new();
        for slice in self.slices {
            let Some(boxes) = &slice.boxes else { continue };
            let array = self.sections.model.array(slice.array)?;
            let boxes = if to_device { &boxes.to_device } else { &boxes.from_device };
            let elements = boxed(self.sections.model, array, boxes)?;
            let mut executed = Set::empty(elements.copy()?.params()?.get_space()?)?;
            for transfer in transfers(&self.walked.leaves, array.id, to_device) {
                executed = executed.union(transfer.domain.copy()?.params()?)?;
            }
            all.insert(array.id, elements.intersect_params(executed)?);
        }
        Ok(all)
    }

    /// What is transferred in boxes is on the device, and what comes back went there or was certainly written there.
    fn check_boxes(&self) -> Result<Vec<Diagnostic>> {
        let (to_device, mut from_device) = (self.boxed(true)?, self.boxed(false)?);
        let mut messages = Vec::new();
        for (array, elements) in to_device.iter().chain(&from_device) {
            let outside = elements.copy()?.subtract(self.slice(*array, elements)?)?;
            messages.extend(self.about("E0215", *array, outside, "is transferred and not on the device")?);
        }
        for (array, there) in to_device {
            let Some(back) = from_device.remove(&array) else { continue };
            from_device.insert(array, back.subtract(there)?);
        }
        let executed = self.executed().filter(|executed| executed.leaf.launch.is_some());
        for statement in executed.map(|executed| executed.statement) {
            let certain = |access: &&Access| access.kind == AccessKind::Write && access.certainty.is_must();
            for access in statement.accesses.iter().filter(certain) {
                let Some(back) = from_device.remove(&access.array) else { continue };
                let domain = Set::parse(&statement.domain.0)?;
                let written = Map::parse(&access.relation.0)?.intersect_domain(domain)?.range()?;
                from_device.insert(access.array, back.subtract(written)?);
            }
        }
        for (array, never_there) in from_device {
            let words = "comes back from the device and has no value there";
            messages.extend(self.about("E0216", array, never_there, words)?);
        }
        Ok(messages)
    }

    /// The slice of an array that the device holds, in the space of some of its elements.
    fn slice(&self, array: ArrayId, like: &Set) -> Result<Set> {
        let Some(slice) = self.slices.iter().find(|slice| slice.array == array) else {
            return Ok(Set::empty(like.get_space()?)?);
        };
        let array = self.sections.model.array(array)?;
        boxed(self.sections.model, array, &[whole_slice(slice)])
    }

    /// A message about elements of an array, if there are any in arrays that the source keeps to.
    fn about(&self, code: &str, array: ArrayId, elements: Set, words: &str) -> Result<Option<Diagnostic>> {
        if elements.is_empty()? {
            return Ok(None);
        }
        let elements = elements.intersect_params(within_arrays(self.sections.model)?)?;
        if elements.is_empty()? {
            return Ok(None);
        }
        report::describe_element(self.sections.model, code, array, elements, words).map(Some)
    }

    /// Values that one side computes and the other reads are transferred in between.
    fn check_flows(&self, buffers: &Buffers<'_>) -> Result<Vec<Diagnostic>> {
        let mut messages = Vec::new();
        for flow in &self.sections.dependences.flow {
            for (source, access) in self.executing(flow.source) {
                for (sink, read) in self.executing(flow.sink) {
                    let to_device = sink.leaf.launch.is_some();
                    let is_argument =
                        to_device && !self.slices.iter().any(|slice| slice.array == access.array);
                    if source.leaf.launch.is_some() == to_device || is_argument {
                        continue;
                    }
                    let transfers = transfers(&self.walked.leaves, access.array, to_device);
                    let wanted = |part: &Part<'_>| part.array == access.array && part.to_device == to_device;
                    let parts: Vec<Part<'_>> = parts(&self.walked.leaves).filter(wanted).collect();
                    let (from, to) = ((source, access), (sink, read));
                    let Some(points) = stale(from, to, &flow.relation.0, &transfers, (&parts, buffers))?
                    else {
                        continue;
                    };
                    let points = points.intersect_params(within_arrays(self.sections.model)?)?;
                    if !points.is_empty()? {
                        messages.push(self.message(sink, Fault::Untransferred(flow.sink), points)?);
                    }
                }
            }
        }
        Ok(messages)
    }

    /// No transfer overwrites what is newer, and nothing comes home that another thread of the host may have changed.
    fn check_newer(&self, buffers: &Buffers<'_>) -> Result<Vec<Diagnostic>> {
        let (model, kernels) = (self.sections.model, self.sections.kernels);
        let mut messages = Vec::new();
        for slice in self.slices {
            let executed = self.executed().collect();
            let events = Events { model, kernels, buffers, walked: self.walked, executed, slice };
            for to_device in [true, false] {
                let words = "is overwritten by a transfer although it is newer than what is transferred";
                let overwritten = events.overwritten(to_device)?;
                messages.extend(self.about("E0220", slice.array, overwritten, words)?);
            }
            let array = model.array(slice.array)?;
            if array.visible && array.concurrent {
                let words = "comes back from the device, and another thread may have changed it";
                let (home, used) = events.coming_home()?;
                messages.extend(self.about("E0220", slice.array, home.subtract(used)?, words)?);
            }
        }
        Ok(messages)
    }

    /// Within a launch an element is written and then used through the same buffer, and if that is private by the same
    /// thread. So is one that an instance writes and then reads itself, which is in no dependence.
    fn check_routes(&self, buffers: &Buffers<'_>) -> Result<Vec<Diagnostic>> {
        let dependences = self.sections.dependences;
        let mut messages = Vec::new();
        for dependence in dependences.flow.iter().chain(&dependences.output) {
            for (source, _) in self.executing(dependence.source) {
                for (sink, _) in self.executing(dependence.sink) {
                    let routes = (source.buffer(dependence.source), sink.buffer(dependence.sink));
                    let memory = match routes {
                        (None, None) => continue,
                        (Some(first), Some(second)) if first == second => {
                            buffers.by_id.get(&first).map(|buffer| buffer.memory)
                        }
                        _ => None,
                    };
                    if let Some(points) = bypassing(source, sink, &dependence.relation.0, memory)? {
                        messages.push(self.message(sink, Fault::Bypassed(dependence.sink), points)?);
                    }
                }
            }
        }
        for executed in self.executed().filter(|executed| executed.leaf.launch.is_some()) {
            for (read, points) in bypassing_own(executed)? {
                messages.push(self.message(executed, Fault::Bypassed(read), points)?);
            }
        }
        Ok(messages)
    }

    /// The leaves that execute an access.
    fn executing(&self, id: AccessId) -> impl Iterator<Item = (&Executed<'_>, &Access)> {
        self.executed().filter_map(move |executed| Some((executed, executed.statement.access(id)?)))
    }
}
