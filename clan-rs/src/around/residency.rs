//! Residency: which arrays stay on the device from one region to the next, and where they are copied back.
//!
//! *before → after*: the statements of each block of a function are grouped into intervals in which only regions use
//! an array, or in which other code at most reads it. The array may stay on the device during the interval, and is
//! copied back after it. Outer blocks are tried first, so a loop around regions is inside the interval.
//!
//! An array is identified here by the variable that denotes or points to it. Other names of the same memory are taken
//! into account: any memory that code outside regions touches may be the array, unless C excludes it (`aliases`).
//! (Other names that regions use are found by the generated program.) Only C is analysed; in C++, the text of a line
//! does not show everything that it does.

use std::collections::{BTreeMap, BTreeSet};

use scop::{Array, Residency, ResidencyId, SourceRange, Storage, names};

use crate::around::aliases::Aliases;
use crate::around::touches::{Touch, Touches};
use crate::c::ctree::{ExprKind, Function, Stmt, StmtKind, Tree, TypeKind, Unsupported, VariableId};
use crate::c::source::SourceText;
use crate::directives::directive::Directive;
use crate::errors::{Fault, Result};
use crate::regions::naming::generated_name;
use crate::regions::translated::Translated;

/// Finds the intervals of residency of a file, and records in the arrays of the regions which intervals they are in.
pub fn find(
    tree: &Tree,
    source: &SourceText,
    directives: &[Directive],
    stem: &str,
    regions: &mut [Translated<'_>],
) -> Result<Vec<Residency>> {
    let is_known = |function: &Function| {
        let is_parallel = |range: SourceRange| is_parallel(source, directives, range.start, range.end);
        function.range.is_some_and(|range| !is_parallel(range)) && is_plain(&function.body)
    };
    let touches = Touches::new(tree, &is_known);
    let arrays = regions.iter().map(arrays_of).collect::<Result<Vec<_>>>()?;
    let mut found: BTreeMap<(u32, u32), Found> = BTreeMap::new();
    for (number, function) in tree.functions.iter().enumerate() {
        let own: Vec<usize> = (0..regions.len()).filter(|&k| regions[k].region.function == number).collect();
        if own.is_empty() {
            continue;
        }
        let place = Place::new(source, directives, &touches, function, (regions, &arrays), own);
        for variable in place.candidates() {
            for interval in place.intervals(variable) {
                for inner in &interval.copied_back {
                    note(&mut found, number, inner, variable, Role::CopiedBack);
                }
                note(&mut found, number, &interval, variable, Role::Resident { is_read: interval.is_read });
            }
        }
    }
    let (mut taken, mut counts) = (BTreeSet::new(), BTreeMap::<usize, usize>::new());
    let mut intervals = Vec::new();
    for (position, found) in found.into_values().enumerate() {
        let id = ResidencyId(position as u32);
        for (region, variable, role) in found.arrays {
            let array = array_of(&mut regions[region], variable)?;
            match role {
                Role::Resident { is_read } => (array.residency, array.read_between) = (Some(id), is_read),
                Role::CopiedBack => array.copied_back_after = Some(id),
            }
        }
        let count = counts.entry(found.function).or_default();
        let name = format!("{}_residency{count}", generated_name(tree, stem, found.function));
        let name = names::unused(&name, &mut taken);
        *count += 1;
        intervals.push(Residency { id, name, range: found.range, repeats: found.repeats });
    }
    Ok(intervals)
}

/// Returns the array of each variable of a region.
fn arrays_of<'a>(region: &'a Translated<'_>) -> Result<BTreeMap<VariableId, &'a Array>> {
    let Translated { model, variables, .. } = region;
    variables.iter().map(|(&variable, &id)| Ok((variable, model.array(id)?))).collect()
}

/// Returns the array of a variable of a region, to be changed.
fn array_of<'a>(region: &'a mut Translated<'_>, variable: VariableId) -> Result<&'a mut Array> {
    let id = region.variables.get(&variable);
    let array = id.and_then(|id| region.model.arrays.get_mut(id.index()));
    array.ok_or_else(|| Fault::bug("what is resident on the device is not an array of the region"))
}

/// An interval, with its arrays: for each, a region, the variable in that region, and the array's role.
struct Found {
    function: usize,
    range: SourceRange,
    repeats: bool,
    arrays: Vec<(usize, VariableId, Role)>,
}

/// The role of an array in an interval.
#[derive(Debug, Clone, Copy)]
enum Role {
    /// The array stays on the device during the interval.
    Resident { is_read: bool },
    /// The array is copied back after the interval.
    CopiedBack,
}

fn note(
    found: &mut BTreeMap<(u32, u32), Found>,
    function: usize,
    interval: &Interval,
    variable: VariableId,
    role: Role,
) {
    let range = interval.range;
    let found = found.entry((range.start, range.end)).or_insert_with(|| Found {
        function,
        range,
        repeats: false,
        arrays: Vec::new(),
    });
    found.repeats |= interval.repeats;
    found.arrays.extend(interval.regions.iter().map(|&region| (region, variable, role)));
}

/// Statements of a block during which an array may be resident.
struct Interval {
    range: SourceRange,
    /// The regions that use the array.
    regions: Vec<usize>,
    repeats: bool,
    /// True if code between the regions reads the array.
    is_read: bool,
    /// Inner intervals in which only regions read the array; after each of them the host needs the array.
    copied_back: Vec<Interval>,
}

/// A function with regions.
struct Place<'a> {
    tree: &'a Tree,
    source: &'a SourceText,
    directives: &'a [Directive],
    touches: &'a Touches<'a>,
    function: &'a Function,
    aliases: Aliases<'a>,
    /// All regions of the file.
    regions: &'a [Translated<'a>],
    /// The arrays of the variables of each region.
    arrays: &'a [BTreeMap<VariableId, &'a Array>],
    /// The regions of the function.
    own: Vec<usize>,
}

/// An item of a block: a region, or any other statement.
#[derive(Clone, Copy)]
enum Item<'t> {
    Region(usize),
    Stmt(&'t Stmt),
}

/// Whether code between the regions of an interval may read the array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    Allowed,
    Forbidden,
}

/// The effect of one item on an array.
#[derive(Default)]
struct Effect {
    /// The regions in the item that use the array.
    regions: Vec<usize>,
    /// True if one of these regions is in a loop within the item.
    repeats: bool,
    is_read: bool,
    /// True if the array cannot stay resident across the item.
    ends: bool,
}

impl<'a> Place<'a> {
    fn new(
        source: &'a SourceText,
        directives: &'a [Directive],
        touches: &'a Touches<'a>,
        function: &'a Function,
        (regions, arrays): (&'a [Translated<'a>], &'a [BTreeMap<VariableId, &'a Array>]),
        own: Vec<usize>,
    ) -> Self {
        let aliases = Aliases::new(touches.tree, function);
        Self { tree: touches.tree, source, directives, touches, function, aliases, regions, arrays, own }
    }

    /// Returns the variables whose arrays some region may leave on the device.
    fn candidates(&self) -> BTreeSet<VariableId> {
        let variables = self.own.iter().flat_map(|&k| self.regions[k].variables.keys().copied());
        variables.filter(|&id| self.own.iter().any(|&k| self.array(k, id).is_some())).collect()
    }

    /// Returns the array of a variable in a region, if it may be resident.
    fn array(&self, region: usize, variable: VariableId) -> Option<&Array> {
        let array = *self.arrays[region].get(&variable)?;
        let plain = array.visible && !array.is_scalar() && array.storage == Storage::Contiguous;
        let is_variable = self.tree.variable(variable).member.is_none();
        (plain && is_variable).then_some(array)
    }

    /// Returns the intervals in which the array of a variable may be resident; none is inside another.
    fn intervals(&self, variable: VariableId) -> Vec<Interval> {
        let mut intervals = Vec::new();
        self.search(&self.function.body, variable, Reads::Allowed, &mut intervals);
        intervals
    }

    fn search(&self, stmt: &'a Stmt, variable: VariableId, reads: Reads, intervals: &mut Vec<Interval>) {
        match &stmt.kind {
            StmtKind::Compound(parts) => {
                self.search_items(self.items(parts), stmt.range.start, (variable, reads), intervals);
            }
            _ => stmt.parts().into_iter().for_each(|part| self.search(part, variable, reads, intervals)),
        }
    }

    fn search_items(
        &self,
        items: Vec<Item<'a>>,
        start: u32,
        (variable, reads): (VariableId, Reads),
        intervals: &mut Vec<Interval>,
    ) {
        let mut open: Vec<(Item<'a>, Effect)> = Vec::new();
        let mut gap = start;
        for item in items {
            let effect = self.effect(item, gap, variable);
            (_, gap) = self.ends_of(item);
            if !effect.ends && (reads == Reads::Allowed || !effect.is_read) {
                open.push((item, effect));
                continue;
            }
            intervals.extend(self.interval(std::mem::take(&mut open), variable));
            if let Item::Stmt(stmt) = item {
                self.search(stmt, variable, reads, intervals);
            }
        }
        intervals.extend(self.interval(open, variable));
    }

    /// Returns the items of a block; the statements of one region form one item.
    fn items(&self, parts: &'a [Stmt]) -> Vec<Item<'a>> {
        let mut items: Vec<Item<'a>> = Vec::new();
        for stmt in parts {
            match self.region_around(stmt) {
                Some(region) => {
                    if !matches!(items.last(), Some(Item::Region(last)) if *last == region) {
                        items.push(Item::Region(region));
                    }
                }
                None => items.push(Item::Stmt(stmt)),
            }
        }
        items
    }

    fn region_around(&self, stmt: &Stmt) -> Option<usize> {
        self.own.iter().copied().find(|&k| stmt.range.is_within(self.regions[k].region.range))
    }

    /// Returns the interval from the first to the last item that contains regions; nothing if only one region uses
    /// the array and no loop repeats it.
    fn interval(&self, items: Vec<(Item<'a>, Effect)>, variable: VariableId) -> Option<Interval> {
        let has_regions = |(_, effect): &(Item<'a>, Effect)| !effect.regions.is_empty();
        let first = items.iter().position(has_regions)?;
        let last = items.iter().rposition(has_regions)?;
        let items = &items[first..=last];
        let regions: Vec<usize> =
            items.iter().flat_map(|(_, effect)| effect.regions.iter().copied()).collect();
        let repeats = items.iter().any(|(_, effect)| effect.repeats);
        if regions.len() < 2 && !repeats {
            return None;
        }
        let (start, _) = self.ends_of(items.first()?.0);
        let (_, end) = self.ends_of(items.last()?.0);
        let is_read = items.iter().any(|(_, effect)| effect.is_read);
        let mut copied_back = Vec::new();
        if is_read {
            let items = items.iter().map(|(item, _)| *item).collect();
            self.search_items(items, start, (variable, Reads::Forbidden), &mut copied_back);
        }
        (start < end).then(|| Interval {
            range: self.source.range(start, end),
            regions,
            repeats,
            is_read,
            copied_back,
        })
    }

    /// Returns where the text of an item begins and ends.
    fn ends_of(&self, item: Item<'_>) -> (u32, u32) {
        let range = match item {
            Item::Region(region) => self.regions[region].region.range,
            Item::Stmt(stmt) => self.source.whole_statements(stmt.range, stmt.range),
        };
        (range.start, range.end)
    }

    /// Returns the effect of an item on an array; the item before it ends at `gap`.
    fn effect(&self, item: Item<'a>, gap: u32, variable: VariableId) -> Effect {
        let mut effect = Effect::default();
        match item {
            Item::Region(region) => {
                effect.ends =
                    is_parallel(self.source, self.directives, gap, self.regions[region].region.range.start);
                self.enter_region(region, variable, false, &mut effect);
            }
            Item::Stmt(stmt) => {
                effect.ends = is_parallel(self.source, self.directives, gap, stmt.range.end)
                    || leaves(stmt, Around::default())
                    || self.aliases.is_gone_after(stmt, variable);
                if !effect.ends {
                    self.enter(stmt, variable, false, &mut effect);
                    self.note(self.touches.hidden_in(stmt.range), variable, &mut effect);
                }
            }
        }
        effect
    }

    /// Adds the effect of a region; the host reads the numbers and pointers that the region uses.
    fn enter_region(&self, region: usize, variable: VariableId, repeats: bool, effect: &mut Effect) {
        if self.array(region, variable).is_some() {
            effect.regions.push(region);
            effect.repeats |= repeats;
        }
        for stmt in &self.regions[region].region.statements {
            stmt.walk_expressions(self.tree, &mut |expr| {
                if matches!(expr.kind, ExprKind::Variable(_) | ExprKind::Member { .. })
                    && !matches!(expr.ctype.kind, TypeKind::Array { .. })
                {
                    effect.ends |= self.aliases.may_touch(variable, self.touches.read(expr));
                }
            });
        }
    }

    fn enter(&self, stmt: &'a Stmt, variable: VariableId, in_loop: bool, effect: &mut Effect) {
        if let Some(region) = self.region_around(stmt) {
            if !effect.regions.contains(&region) {
                self.enter_region(region, variable, in_loop, effect);
            }
            return;
        }
        if let StmtKind::Declaration(ids) = &stmt.kind {
            effect.ends |= ids.iter().any(|&id| self.touches.is_special(id));
        }
        for expr in stmt.expressions(self.tree) {
            self.note(self.touches.of(expr), variable, effect);
        }
        let in_loop = in_loop || is_loop(stmt);
        stmt.parts().into_iter().for_each(|part| self.enter(part, variable, in_loop, effect));
    }

    /// Notes which of some touches may be of the array.
    fn note(&self, touches: Vec<Touch>, variable: VariableId, effect: &mut Effect) {
        for touch in touches {
            if self.aliases.may_touch(variable, touch) {
                effect.ends |= touch.writes;
                effect.is_read = true;
            }
        }
    }
}

/// True if a part of the text contains directives of OpenMP or OpenACC, or any `_Pragma`: several threads may execute
/// it, or wait for each other there.
fn is_parallel(source: &SourceText, directives: &[Directive], start: u32, end: u32) -> bool {
    let directive = directives.iter().any(|directive| {
        let parallel = ["omp", "acc"].iter().any(|word| directive.starts_with(&["pragma", word]));
        parallel && start <= directive.range.start && directive.range.start < end
    });
    directive || source.slice(source.range(start, end)).contains("_Pragma")
}

/// True if a statement does nothing beyond evaluating its expressions.
fn is_plain(stmt: &Stmt) -> bool {
    let mut plain = true;
    stmt.walk(&mut |inner| {
        if let StmtKind::Other { what, .. } = &inner.kind {
            plain &= !matches!(what, Unsupported::Assembly | Unsupported::Other(_));
        }
    });
    plain
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Other { what: Unsupported::Loop(_), .. }
    )
}

/// What `break` and `continue` may leave.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    in_loop: bool,
    in_switch: bool,
}

/// True if a jump may lead out of a statement or into it.
fn leaves(stmt: &Stmt, around: Around) -> bool {
    let inner = Around { in_loop: around.in_loop || is_loop(stmt), ..around };
    let inner = match &stmt.kind {
        StmtKind::Return(_) => return true,
        StmtKind::Other { what, .. } => match what {
            Unsupported::Break => return !around.in_loop && !around.in_switch,
            Unsupported::Continue => return !around.in_loop,
            Unsupported::Switch => Around { in_switch: true, ..inner },
            Unsupported::Case if around.in_switch => inner,
            Unsupported::Loop(_) => inner,
            Unsupported::Case
            | Unsupported::Goto
            | Unsupported::Label
            | Unsupported::Assembly
            | Unsupported::Other(_) => {
                return true;
            }
        },
        _ => inner,
    };
    stmt.parts().into_iter().any(|part| leaves(part, inner))
}
