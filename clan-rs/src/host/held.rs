//! Memory that the user holds on the device: `#pragma c2cuda data`.

use std::cell::Cell;

use scop::{Diagnostic, HeldMemory, HostPlace, SourceRange, c_syntax, names};

use crate::c::ctree::{Lifetime, Stmt, StmtKind, Tree, TypeKind, VariableId};
use crate::directives::data::{DataDirective, Item};
use crate::errors::{DIRECTIVE, Fault, Faults, IGNORED_DIRECTIVE, Result};
use crate::host::bits::Bits;
use crate::host::placed::declared_in;
use crate::host::pointers::Pointers;
use crate::host::settle::Interest;

/// What a directive holds during a statement.
pub struct HeldDuring {
    /// The directive.
    pub directive: SourceRange,
    /// The offset at which the statement begins.
    pub statement: u32,
    /// The memory.
    pub items: Vec<HeldItem>,
    /// True if the statement is one at which calls can be added.
    pub is_placed: Cell<bool>,
}

/// Memory that a clause names.
pub struct HeldItem {
    range: SourceRange,
    objects: Bits,
    place: HostPlace,
    forgotten: bool,
}

impl HeldItem {
    /// Returns the memory as the document describes it.
    pub fn held(&self, interest: &Interest<'_>) -> HeldMemory {
        let Self { range, objects, place, forgotten } = self;
        HeldMemory {
            range: *range,
            memory: interest.ids(objects),
            place: place.clone(),
            forgotten: *forgotten,
        }
    }
}

impl HeldDuring {
    /// Adds the objects that are held.
    pub fn add_memory(&self, objects: &mut Bits) {
        for item in &self.items {
            objects.add_all(&item.objects);
        }
    }

    /// Reports a directive that is not before a statement of a block.
    pub fn check_place(&self, faults: &mut Faults) {
        if self.is_placed.get() {
            return;
        }
        let message = "`#pragma c2cuda data` must stand before a statement of a block";
        let fault =
            Fault::new(DIRECTIVE, message, self.directive, "no calls can be added around what follows");
        faults.push(fault.with_help(
            "write it before a loop or a block `{ … }` that runs regions and is itself a statement of a block, in a \
             function without directives of OpenMP and without statement expressions",
        ));
    }
}

/// Returns the warning about a directive in a file in which nothing stays on the device.
pub fn without_effect(directive: &DataDirective, why: &str) -> Diagnostic {
    let message = format!("`#pragma c2cuda data` has no effect, because {why}");
    let warning = Diagnostic::warning(IGNORED_DIRECTIVE, message).at("", directive.range, "this is ignored");
    warning.with_help(
        "each region transfers what it needs; see \"What keeps memory from staying\" in docs/placement.md",
    )
}

/// Finds the variables that directives name.
pub fn resolved(
    tree: &Tree,
    pointers: &Pointers<'_>,
    directives: &[DataDirective],
    faults: &mut Faults,
) -> Vec<HeldDuring> {
    let mut found = Vec::new();
    for directive in directives {
        let names = visible(tree, directive.range.start);
        let mut items = Vec::new();
        for item in &directive.items {
            items.extend(faults.accept(resolved_item(tree, pointers, item, &names)));
        }
        found.push(HeldDuring {
            directive: directive.range,
            statement: directive.next,
            items,
            is_placed: Cell::new(false),
        });
    }
    found
}

fn resolved_item(
    tree: &Tree,
    pointers: &Pointers<'_>,
    item: &Item,
    visible: &[VariableId],
) -> Result<HeldItem> {
    let of_name = |name: &str| visible.iter().rev().find(|id| tree.variable(**id).name == name).copied();
    let Some(id) = of_name(&item.name) else {
        let message = format!("there is no variable `{}` here that functions of this file use", item.name);
        return Err(Fault::new(DIRECTIVE, message, item.range, "it cannot be held")
            .with_help("name an array or a pointer that is visible before the directive"));
    };
    let variable = tree.variable(id);
    let is_array =
        matches!(variable.ctype.kind, TypeKind::Array { .. }) && variable.lifetime != Lifetime::Parameter;
    if !is_array && !variable.ctype.is_pointer_like() {
        let message = format!("`{}` is neither an array nor a pointer", item.name);
        return Err(Fault::new(DIRECTIVE, message, item.range, "it cannot be held")
            .with_help("leave it out: numbers are passed to each region that uses them"));
    }
    let texts = item.section.iter().flat_map(|section| [Some(&section.start), section.length.as_ref()]);
    for text in texts.flatten() {
        let is_known = |name: &str| of_name(name).is_some() || tree.macros.contains(name);
        if let Some(unknown) = free_names(text).into_iter().find(|name| !is_known(name)) {
            let message =
                format!("there is no variable or macro `{unknown}` here that functions of this file use");
            return Err(Fault::new(DIRECTIVE, message, item.range, "the section cannot be computed")
                .with_help("use variables that are visible before the directive, macros and integers"));
        }
    }
    let name = &item.name;
    let bytes = match &item.section {
        None if is_array => Some((format!("&{name}[0]"), format!("sizeof({name})"))),
        Some(section) => {
            let start = &section.start;
            let bytes = match &section.length {
                Some(length) => Some(format!("(long)sizeof({name}[0]) * ({length})")),
                None if is_array => {
                    Some(format!("(long)sizeof({name}) - (long)sizeof({name}[0]) * ({start})"))
                }
                None => None,
            };
            bytes.map(|bytes| (format!("&{name}[{start}]"), bytes))
        }
        None => None,
    };
    let Some((address, bytes)) = bytes else {
        let message = format!("the number of elements of `{name}` is not known");
        return Err(Fault::new(
            DIRECTIVE,
            message,
            item.range,
            "a pointer does not say how long its array is",
        )
        .with_help(format!("write `{name}[0:n]`, with the first element and the number of elements")));
    };
    let place = HostPlace { address, bytes: Some(bytes) };
    let objects = pointers.objects_of(id).clone();
    Ok(HeldItem { range: item.range, objects, place, forgotten: item.forgotten })
}

/// Returns the names in an expression that are not those of members, types or operators.
fn free_names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let words: Vec<&str> = text.split(' ').collect();
    for (at, word) in words.iter().enumerate() {
        let is_member = at > 0 && matches!(words[at - 1], "." | "->");
        if c_syntax::is_name(word) && !names::is_keyword(word) && !is_member {
            found.push(*word);
        }
    }
    found
}

/// Returns the variables that are visible at an offset, those of inner blocks last.
fn visible(tree: &Tree, offset: u32) -> Vec<VariableId> {
    let is_before = |id: &VariableId| tree.variable(*id).declared_at.is_none_or(|place| place.end <= offset);
    let around = tree
        .functions
        .iter()
        .find(|function| function.range.is_some_and(|range| range.start < offset && offset < range.end));
    let mut locals = Vec::new();
    for function in tree.all_functions() {
        function.body.walk(&mut |stmt| {
            if let StmtKind::Declaration(ids) = &stmt.kind {
                locals.extend(ids);
            }
        });
    }
    let is_global = |id: &VariableId| {
        let variable = tree.variable(*id);
        variable.lifetime == Lifetime::Static && variable.member.is_none() && !locals.contains(id)
    };
    let all = (0..tree.variables.len()).map(VariableId);
    let mut found: Vec<VariableId> = all.filter(is_global).filter(is_before).collect();
    if let Some(function) = around {
        found.extend(&function.parameters);
        add_visible(&function.body, offset, &mut found);
    }
    found.retain(is_before);
    found
}

fn add_visible(stmt: &Stmt, offset: u32, found: &mut Vec<VariableId>) {
    let is_around = stmt.range.start < offset && offset < stmt.range.end;
    if !is_around {
        return;
    }
    for part in stmt.parts() {
        if part.range.end <= offset {
            found.extend(declared_in(part));
        } else {
            add_visible(part, offset, found);
        }
    }
}
