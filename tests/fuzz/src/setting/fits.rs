//! Which settings a program may have.

use super::{By, FunctionKind, HostCode, Interleaved, Language, Reference, Setting};
use crate::program::{Array, Program, Role, Storage};

impl Setting {
    /// True if it can be written down, and keeps the program defined.
    pub fn fits(&self, program: &Program) -> bool {
        let fits_language = self.language == Language::Cxx
            || self.homes.is_empty()
                && self.function == FunctionKind::Plain
                && self.references.values().all(|reference| *reference == Reference::Read);
        fits_language
            && self.interleaved.as_ref().is_none_or(|pair| pair.fits(program))
            && self.host.iter().all(|code| code.fits(program))
            && self.references.iter().all(|(&place, reference)| reference.fits(program, place))
            && self.homes.keys().all(|&place| program.arrays[place].storage == Storage::Global)
    }
}

impl Interleaved {
    fn fits(&self, program: &Program) -> bool {
        let pair = [self.first, self.second].map(|place| &program.arrays[place]);
        let fit = |array: &Array| {
            array.rank == 1 && array.storage == Storage::Linearised && array.role != Role::Index
        };
        self.first < self.second
            && pair.into_iter().all(fit)
            && pair[0].element == pair[1].element
            && pair[0].role == pair[1].role
    }
}

impl HostCode {
    /// True if the host may write so.
    pub(super) fn fits(&self, program: &Program) -> bool {
        let array = &program.arrays[self.array];
        let copies = match self.by {
            By::Copy(from) => {
                let source = &program.arrays[from];
                let apart = ![from, self.array].iter().any(|place| program.setting.is_interleaved(*place));
                from != self.array
                    && apart
                    && source.storage != Storage::Temporary
                    && (source.element, source.role) == (array.element, array.role)
            }
            _ => true,
        };
        array.storage != Storage::Temporary && array.role != Role::Index && copies
    }
}

impl Reference {
    fn fits(self, program: &Program, place: usize) -> bool {
        let array = &program.arrays[place];
        array.rank == 0
            && match array.storage {
                Storage::Local => true,
                Storage::Parameter => self == Self::Used,
                _ => false,
            }
    }
}
