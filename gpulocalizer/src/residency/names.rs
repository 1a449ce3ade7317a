//! Names of memory for people.

use std::collections::BTreeMap;

use scop::touched::named;
use scop::{ClassId, MemoryId, MemoryLifetime, MemoryObject, ResidencyPlan, Touch};

/// The most objects that a list names one by one.
const MOST: usize = 3;

/// Returns the names of memory objects: variables, and the memory that a line allocates. The column tells apart what is
/// allocated in one line.
pub fn names(memory: &[MemoryObject]) -> Vec<String> {
    let in_line = |object: &MemoryObject| (object.name.clone(), object.made_at.map(|place| place.line));
    let mut counts = BTreeMap::new();
    memory.iter().for_each(|object| *counts.entry(in_line(object)).or_insert(0) += 1);
    let is_repeated =
        |object: &MemoryObject| memory.iter().filter(|other| other.name == object.name).count() > 1;
    let name = |object: &MemoryObject| match (object.lifetime, object.made_at) {
        (MemoryLifetime::Allocated, Some(place)) if counts.get(&in_line(object)) != Some(&1) => {
            format!("{} in line {}, column {}", object.name, place.line, place.column)
        }
        (MemoryLifetime::Allocated, Some(place)) => format!("{} in line {}", object.name, place.line),
        (MemoryLifetime::Program | MemoryLifetime::Block, Some(place))
            if !object.name.contains('`') && is_repeated(object) =>
        {
            format!("`{}` of line {}", object.name, place.line)
        }
        (MemoryLifetime::Program | MemoryLifetime::Block, _) if !object.name.contains('`') => {
            format!("`{}`", object.name)
        }
        _ => object.name.clone(),
    };
    memory.iter().map(name).collect()
}

/// Returns what a class of memory is called: by its object, if it has only one, and otherwise by its id. The list of
/// classes names the objects.
pub fn of_class(class: ClassId, plan: &ResidencyPlan, names: &[String]) -> String {
    match plan.classes.get(class.index()).map(|class| &class.memory[..]) {
        Some([one]) => names.get(one.index()).cloned().unwrap_or_default(),
        _ => class.to_string(),
    }
}

/// Returns what a call for all memory of a class stands for. Other files number their classes differently, so one for a
/// class that they share stands for all.
pub fn all_of_class(class: ClassId, plan: &ResidencyPlan, names: &[String]) -> String {
    match named(class, plan) {
        None => "all memory on the device".to_owned(),
        Some(class) => format!("all of {}", of_class(class, plan, names)),
    }
}

/// Returns the names of some objects as a list: `one, two or three`. Of a long list, it names the first ones.
pub fn listed(names: &[String], memory: &[MemoryId]) -> String {
    let all: Vec<&str> = memory.iter().filter_map(|id| names.get(id.index())).map(String::as_str).collect();
    let more = format!("{} others", all.len().saturating_sub(MOST - 1));
    let shown = match &all[..] {
        all if all.len() <= MOST => all.to_vec(),
        all => all.iter().take(MOST - 1).copied().chain([more.as_str()]).collect(),
    };
    match &shown[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Returns what an access touches: the lvalue, if there is text for it, and the objects that it may be.
pub fn touched(names: &[String], touch: &Touch) -> String {
    let memory = listed(names, &touch.memory);
    match touch.place.as_ref().and_then(|place| place.address.strip_prefix('&')) {
        Some(lvalue) if memory != format!("`{lvalue}`") => format!("`{lvalue}` ({memory})"),
        _ => memory,
    }
}

#[cfg(test)]
mod tests {
    use scop::SourceRange;

    use super::*;

    #[test]
    fn memory_is_told_apart() {
        let object = |name: &str, lifetime, place: Option<(u32, u32)>| MemoryObject {
            id: MemoryId(0),
            name: name.to_owned(),
            lifetime,
            exposed: false,
            external: false,
            held: false,
            made_at: place.map(|(line, column)| SourceRange { start: 0, end: 1, line, column }),
        };
        let malloc =
            |line, column| object("the memory of `malloc`", MemoryLifetime::Allocated, Some((line, column)));
        let memory = [
            object("other memory", MemoryLifetime::Unknown, None),
            object("a", MemoryLifetime::Program, Some((2, 1))),
            object("b", MemoryLifetime::Block, Some((7, 1))),
            object("b", MemoryLifetime::Block, Some((9, 1))),
            object("the elements of `x`", MemoryLifetime::Block, Some((2, 9))),
            malloc(3, 4),
            malloc(5, 4),
            malloc(5, 20),
        ];
        let names = names(&memory);
        assert_eq!(
            names,
            [
                "other memory",
                "`a`",
                "`b` of line 7",
                "`b` of line 9",
                "the elements of `x`",
                "the memory of `malloc` in line 3",
                "the memory of `malloc` in line 5, column 4",
                "the memory of `malloc` in line 5, column 20",
            ]
        );
        let ids = |numbers: &[u32]| numbers.iter().map(|number| MemoryId(*number)).collect::<Vec<_>>();
        assert_eq!(listed(&names, &ids(&[1])), "`a`");
        assert_eq!(listed(&names, &ids(&[0, 1, 4])), "other memory, `a` or the elements of `x`");
        assert_eq!(listed(&names, &ids(&[0, 1, 4, 5])), "other memory, `a` or 2 others");
    }
}
