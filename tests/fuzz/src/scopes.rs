//! Variables of the file: their declarations in the scopes that C++ has, and what names them.

use crate::program::{Program, Storage};
use crate::setting::{Language, Reference, Scope};
use crate::types::c_type;

/// The names of a program's arrays.
#[derive(Clone, Copy)]
pub struct Names<'a>(pub &'a Program);

impl Names<'_> {
    /// What names an array where it is used.
    pub fn of(self, place: usize) -> String {
        let name = &self.0.arrays[place].name;
        match self.0.setting.homes.get(&place) {
            Some(home) if home.using && home.scope != Scope::Class => name.clone(),
            _ => self.qualified(place),
        }
    }

    /// What names it wherever it is visible.
    pub fn qualified(self, place: usize) -> String {
        let name = &self.0.arrays[place].name;
        match self.0.setting.homes.get(&place) {
            Some(_) => format!("{}{name}", self.prefix(place)),
            None => name.clone(),
        }
    }

    fn prefix(self, place: usize) -> String {
        let number = self.0.number;
        match self.0.setting.homes.get(&place).map(|home| home.scope) {
            Some(Scope::Namespace | Scope::Inline) => format!("space{number}::"),
            Some(Scope::Nested) => format!("space{number}::inner::"),
            Some(Scope::Class) => format!("holder{number}_{place}::"),
            Some(Scope::Linkage | Scope::Anonymous) => "::".to_owned(),
            None => String::new(),
        }
    }

    /// The using-declaration of a variable, if it has one.
    pub fn using(self, place: usize) -> Option<String> {
        let home = self.0.setting.homes.get(&place)?;
        let declared = home.using && home.scope != Scope::Class;
        declared.then(|| format!("    using {};\n", self.qualified(place)))
    }

    /// The declaration of a variable of the file with these lengths, and that of its twin.
    pub fn declaration(self, place: usize, lengths: &str) -> String {
        let array = &self.0.arrays[place];
        let (kind, name, number) = (c_type(array.element), &array.name, self.0.number);
        let variable = format!("{kind} {name}{lengths};\n");
        let Some(home) = self.0.setting.homes.get(&place) else { return format!("static {variable}") };
        let text = match home.scope {
            Scope::Namespace => format!("namespace space{number} {{\n{variable}}}\n"),
            Scope::Nested => format!("namespace space{number} {{\nnamespace inner {{\n{variable}}}\n}}\n"),
            Scope::Anonymous => format!("namespace {{\n{variable}}}\n"),
            Scope::Inline => {
                format!("namespace space{number} {{\ninline namespace first {{\n{variable}}}\n}}\n")
            }
            Scope::Linkage => format!("extern \"C\" {{\n{variable}}}\n"),
            Scope::Class => {
                let holder = format!("holder{number}_{place}");
                format!("struct {holder} {{\n    static {variable}}};\n{kind} {holder}::{name}{lengths};\n")
            }
        };
        match self.twin(place) {
            Some(_) => text + &self.twin_declaration(place, lengths),
            None => text,
        }
    }

    fn twin_declaration(self, place: usize, lengths: &str) -> String {
        let array = &self.0.arrays[place];
        let variable = format!("{} {}{lengths};\n", c_type(array.element), array.name);
        match self.has_twin_in_namespace(place) {
            true => format!("namespace other{} {{\n{variable}}}\n", self.0.number),
            false => format!("static {variable}"),
        }
    }

    /// What names the variable of the same name in another scope, if there is one.
    pub fn twin(self, place: usize) -> Option<String> {
        let home = self.0.setting.homes.get(&place).filter(|home| home.twin)?;
        let name = &self.0.arrays[place].name;
        Some(match home.scope {
            Scope::Linkage | Scope::Anonymous => format!("other{}::{name}", self.0.number),
            _ => format!("::{name}"),
        })
    }

    /// A twin at file scope would be the same variable, or not be told apart.
    fn has_twin_in_namespace(self, place: usize) -> bool {
        let scope = self.0.setting.homes.get(&place).map(|home| home.scope);
        matches!(scope, Some(Scope::Linkage | Scope::Anonymous))
    }

    /// A pointer to the first element, in the function that has the regions.
    pub fn address(self, place: usize) -> String {
        let array = &self.0.arrays[place];
        let kind = c_type(array.element);
        let name = self.of(place);
        let is_reference = self.0.setting.references.get(&place) == Some(&Reference::Used);
        match (array.storage, array.rank) {
            (Storage::Parameter, 0) if !is_reference => name,
            (_, 0) => format!("&{name}"),
            (Storage::Linearised, _) => name,
            _ => format!("({kind} *){name}"),
        }
    }

    /// True for an array whose parameter has constant lengths, since C++ has no others.
    pub fn is_fixed(self, place: usize) -> bool {
        let array = &self.0.arrays[place];
        self.0.setting.language == Language::Cxx && array.storage == Storage::Parameter && array.rank > 1
    }
}
