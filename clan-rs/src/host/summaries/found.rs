//! What was found of one function.

use std::collections::{BTreeMap, BTreeSet};

use crate::c::ctree::{Function, VariableId};
use crate::directives::effects::{Does, Item, Numbers, Parameter, Path, Section};
use crate::host::bits::Bits;

/// More sections of one parameter stand for all of its memory.
const MOST_SECTIONS: usize = 4;

/// What is the same all the time while a function runs.
pub struct Fixed<'a> {
    /// The parameters that are.
    pub variables: BTreeSet<VariableId>,
    /// The memory that is not.
    pub written: &'a Bits,
}

/// A function with all that it calls.
pub struct Around<'a> {
    /// The function.
    pub function: &'a Function,
    /// The places of all of these functions among those that are followed.
    pub places: &'a BTreeSet<usize>,
    /// What is the same all the time while the function runs.
    pub fixed: &'a Fixed<'a>,
}

/// What was found of one function.
pub struct Found<'a> {
    pub function: &'a Function,
    pub parameters: &'a [Parameter],
    /// The sections of each use; with one that is absent, all of the object.
    pub items: BTreeMap<(Path, Does), Vec<Option<Section>>>,
    /// The numbers to which members lead.
    pub members: Vec<Numbers>,
    /// True if it takes structures, or pointers or references to anything but numbers.
    pub has_structures: bool,
}

impl Found<'_> {
    pub fn note(&mut self, path: &Path, bytes: u32, is_array: bool) {
        if self.members.iter().all(|numbers| numbers.path != *path) {
            self.members.push(Numbers { path: path.clone(), bytes, is_array });
        }
    }

    pub fn leads_to_numbers(&self, parameter: &str) -> bool {
        self.parameters.iter().any(|one| one.name == parameter && one.bytes.is_some())
    }

    pub fn add(&mut self, does: Does, path: Path, section: Option<Section>) {
        let sections = self.items.entry((path, does)).or_default();
        if !sections.contains(&section) {
            sections.push(section);
        }
    }

    /// Adds a use of all memory that the caller passes; nothing if it passes none, or structures, which may lead to
    /// more.
    pub fn add_to_all(&mut self, does: Does) -> Option<()> {
        let pointers = self.parameters.iter().filter(|parameter| parameter.bytes.is_some());
        let names: Vec<String> = pointers.map(|parameter| parameter.name.clone()).collect();
        names.iter().for_each(|name| self.add(does, Path::of(name), None));
        (!names.is_empty() && !self.has_structures).then_some(())
    }

    pub fn items(self) -> (Vec<Item>, Vec<Numbers>) {
        let does_more = |path: &Path, does: Does| {
            let mut stronger = [Does::Announces, Does::Device].into_iter().filter(|other| *other > does);
            stronger.any(|other| self.items.contains_key(&(path.clone(), other)))
        };
        let mut items = Vec::new();
        for ((path, does), sections) in &self.items {
            if does_more(path, *does) {
                continue;
            }
            let is_whole =
                sections.len() > MOST_SECTIONS || sections.contains(&None) || *does >= Does::Announces;
            let item = |section: Option<Section>| Item { does: *does, path: path.clone(), section };
            match is_whole {
                true => items.push(item(None)),
                false => items.extend(sections.iter().cloned().map(item)),
            }
        }
        let position = |item: &Item| {
            let mut parameters = self.parameters.iter();
            parameters.position(|one| one.name == item.path.root).unwrap_or(self.function.parameters.len())
        };
        items.sort_by_key(|item| (item.does, position(item)));
        (items, self.members)
    }
}
