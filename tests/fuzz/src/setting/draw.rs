//! Random settings.

use super::{By, Element, FunctionKind, Home, HostCode, Interleaved, Language, Reference, Scope};
use crate::defined::extents;
use crate::program::{Program, Role, Storage};
use crate::random::Random;
use crate::regions;
use crate::visit;

/// How many of a hundred programs have each part if it is possible there; each iterator is declared in front of the
/// regions half of the time.
const OUTSIDE: i64 = 20;
const INTERLEAVED: i64 = 80;
const HOST: i64 = 45;
/// How many of a hundred scalars have a second name.
const REFERENCE: i64 = 30;

impl Program {
    /// The program in a language, and with a setting. A stream of its own keeps what is computed what it is.
    pub fn set(mut self, seed: u64, language: Language) -> Self {
        let mut random = Random::new(seed.rotate_left(32) ^ 0x5e77, self.number);
        self.setting.language = language;
        for part in [outside, interleaved, host, references, homes] {
            let mut candidate = self.clone();
            part(&mut candidate, &mut random);
            if extents(&candidate).is_some() {
                self = candidate;
            }
        }
        if language == Language::Cxx {
            self.setting.function = random.weighted(&[
                (60, FunctionKind::Plain),
                (20, FunctionKind::StaticMember),
                (20, FunctionKind::Member),
            ]);
        }
        self
    }
}

fn outside(program: &mut Program, random: &mut Random) {
    if !random.percent(OUTSIDE) {
        return;
    }
    let mut iterators = Vec::new();
    visit::loops_mut(&mut program.body, &mut |nest| iterators.push(nest.iterator));
    for iterator in iterators {
        if random.percent(50) {
            program.setting.outside.insert(iterator, random.percent(40));
        }
    }
}

/// Makes two arrays of one dimension the halves of one piece of memory; both get the type of the first.
fn interleaved(program: &mut Program, random: &mut Random) {
    if !random.percent(INTERLEAVED) {
        return;
    }
    let arrays = program.arrays.iter().enumerate();
    let fit: Vec<usize> = arrays
        .filter(|(_, array)| {
            array.rank == 1
                && matches!(array.storage, Storage::Parameter | Storage::Linearised)
                && array.role != Role::Index
        })
        .map(|(place, _)| place)
        .collect();
    let [first, second, ..] = fit[..] else { return };
    let (element, role) = (program.arrays[first].element, program.arrays[first].role);
    for place in [first, second] {
        let array = &mut program.arrays[place];
        (array.element, array.role, array.storage) = (element, role, Storage::Linearised);
    }
    let offset = random.weighted(&[(60, 1), (10, 0), (10, 2), (10, 3), (10, 6)]);
    program.setting.interleaved = Some(Interleaved { first, second, offset });
}

/// Code of the host before some nodes that regions can begin with.
fn host(program: &mut Program, random: &mut Random) {
    if !random.percent(HOST) {
        return;
    }
    let written: Vec<usize> = (0..program.arrays.len())
        .filter(|&place| {
            program.arrays[place].storage != Storage::Temporary && program.arrays[place].role != Role::Index
        })
        .collect();
    let nodes = regions::numbered(program);
    for _ in 0..random.between(1, 3) {
        if nodes < 2 || written.is_empty() {
            return;
        }
        let array = random.one_of(&written);
        let from = random.one_of(&written);
        let by = random.weighted(&[
            (25, By::Pointer),
            (25, By::Reference),
            (25, By::Function),
            (15, By::Fill),
            (10, By::Copy(from)),
        ]);
        let code = HostCode {
            before: 1 + random.index(nodes - 1),
            array,
            by,
            element: random.one_of(&[Element::First, Element::Middle, Element::Last]),
        };
        if code.fits(program) {
            program.setting.host.push(code);
        }
    }
}

fn references(program: &mut Program, random: &mut Random) {
    for (place, array) in program.arrays.iter().enumerate() {
        if array.rank > 0 || !random.percent(REFERENCE) {
            continue;
        }
        let cxx = program.setting.language == Language::Cxx;
        let reference = match array.storage {
            Storage::Local if cxx => random.one_of(&[Reference::Read, Reference::Read, Reference::Used]),
            Storage::Local => Reference::Read,
            Storage::Parameter if cxx => Reference::Used,
            _ => continue,
        };
        program.setting.references.insert(place, reference);
    }
}

/// Variables of the file, in C++ more than in C, are in the scopes that C++ has.
fn homes(program: &mut Program, random: &mut Random) {
    if program.setting.language == Language::C {
        return;
    }
    for (place, array) in program.arrays.iter_mut().enumerate() {
        if array.storage == Storage::Parameter && array.role != Role::Index && random.percent(50) {
            program.setting.references.remove(&place);
            array.storage = Storage::Global;
            array.name = format!("{}_{}", array.name, program.number);
        }
        if array.storage == Storage::Global && random.percent(85) {
            let scope = random.one_of(&[
                Scope::Namespace,
                Scope::Nested,
                Scope::Anonymous,
                Scope::Inline,
                Scope::Linkage,
                Scope::Class,
            ]);
            let home = Home { scope, twin: random.percent(40), using: random.percent(30) };
            program.setting.homes.insert(place, home);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FunctionKind, Language, Reference};
    use crate::generate::generate;

    #[test]
    fn everything_is_drawn() {
        let draw = |language| (0..300).map(move |number| generate(3, number, language).setting);
        let (c, cxx): (Vec<_>, Vec<_>) = (draw(Language::C).collect(), draw(Language::Cxx).collect());
        for settings in [&c, &cxx] {
            let share = |count: usize| assert!(count * 40 > settings.len(), "{count}");
            share(settings.iter().filter(|setting| !setting.outside.is_empty()).count());
            share(settings.iter().filter(|setting| setting.interleaved.is_some()).count());
            share(settings.iter().filter(|setting| !setting.host.is_empty()).count());
            share(settings.iter().filter(|setting| !setting.references.is_empty()).count());
        }
        let only_reads = |references: &std::collections::BTreeMap<usize, Reference>| {
            references.values().all(|reference| *reference == Reference::Read)
        };
        assert!(c.iter().all(|setting| setting.homes.is_empty() && only_reads(&setting.references)));
        assert!(cxx.iter().filter(|setting| setting.function != FunctionKind::Plain).count() > 50);
        assert!(cxx.iter().filter(|setting| !setting.homes.is_empty()).count() > 100);
    }
}
