//! Code of the host between regions, which writes to arrays by other names.

use crate::program::{Program, Storage};
use crate::scopes::Names;
use crate::setting::{By, Element, HostCode, Language};
use crate::types::c_type;

/// Prints the host's code of a program.
pub struct Host<'a> {
    pub program: &'a Program,
    /// How many elements each array has, as an expression in `n` and `m`.
    pub counts: &'a dyn Fn(usize) -> String,
}

impl Host<'_> {
    fn codes(&self) -> impl Iterator<Item = (usize, &HostCode)> {
        self.program.setting.host.iter().enumerate()
    }

    /// The functions that the code calls; a variable of the file they write to by its name.
    pub fn functions(&self) -> String {
        let of_code = |(number, code): (usize, &HostCode)| {
            let array = &self.program.arrays[code.array];
            let kind = c_type(array.element);
            let function = self.function(number);
            match (code.by, array.storage) {
                (By::Function, Storage::Global) => {
                    let first = format!("(({kind} *)&{})", Names(self.program).qualified(code.array));
                    let place = self.place(code);
                    Some(format!(
                        "static void {function}(int n, int m)\n{{\n    {first}[{place}] = 1;\n}}\n\n"
                    ))
                }
                (By::Function, _) => {
                    Some(format!("static void {function}({kind} *place)\n{{\n    *place = 1;\n}}\n\n"))
                }
                _ => None,
            }
        };
        self.codes().filter_map(of_code).collect()
    }

    /// The other names, declared before the regions.
    pub fn names(&self) -> String {
        let of_code = |(number, code): (usize, &HostCode)| {
            let kind = c_type(self.program.arrays[code.array].element);
            let first = Names(self.program).address(code.array);
            let (count, place) = (self.count(code.array), self.place(code));
            match (code.by, self.program.setting.language) {
                (By::Pointer, _) => Some(format!("    {kind} *too{number} = {first};\n")),
                (By::Reference, Language::C) => Some(format!(
                    "    {kind} spare{number} = 0, *part{number} = {count} > 0 ? &({first})[{place}] : &spare{number};\n"
                )),
                (By::Reference, Language::Cxx) => Some(format!(
                    "    {kind} spare{number} = 0, &part{number} = {count} > 0 ? ({first})[{place}] : spare{number};\n"
                )),
                _ => None,
            }
        };
        self.codes().filter_map(of_code).collect()
    }

    /// What stands before a node.
    pub fn before(&self, node: usize, indent: &str) -> String {
        let here = self.codes().filter(|(_, code)| code.before == node);
        here.map(|(number, code)| format!("{indent}{}\n", self.statement(number, code))).collect()
    }

    fn statement(&self, number: usize, code: &HostCode) -> String {
        let names = Names(self.program);
        let array = &self.program.arrays[code.array];
        let (first, kind) = (names.address(code.array), c_type(array.element));
        let (count, place) = (self.count(code.array), self.place(code));
        let function = self.function(number);
        match (code.by, self.program.setting.language) {
            (By::Pointer, _) => format!("if ({count} > 0)\n        too{number}[{place}] = 1;"),
            (By::Reference, Language::C) => format!("*part{number} = 1;"),
            (By::Reference, Language::Cxx) => format!("part{number} = 1;"),
            (By::Function, _) if array.storage == Storage::Global => {
                format!("if ({count} > 0)\n        {function}(n, m);")
            }
            (By::Function, _) => format!("if ({count} > 0)\n        {function}(&({first})[{place}]);"),
            (By::Fill, _) => format!("memset({first}, 0, (size_t)({count}) * sizeof({kind}));"),
            (By::Copy(from), _) => {
                let (source, other) = (names.address(from), self.count(from));
                let least = format!("({count} < {other} ? {count} : {other})");
                format!("memcpy({first}, {source}, (size_t){least} * sizeof({kind}));")
            }
        }
    }

    fn function(&self, number: usize) -> String {
        format!("set{number}_{}", self.program.number)
    }

    fn count(&self, place: usize) -> String {
        (self.counts)(place)
    }

    /// Which element is set, if there are any.
    fn place(&self, code: &HostCode) -> String {
        let count = self.count(code.array);
        let place = match code.element {
            Element::First => "0".to_owned(),
            Element::Middle => format!("{count} / 2"),
            Element::Last => format!("{count} - 1"),
        };
        if self.program.setting.is_interleaved(code.array) { format!("2 * ({place})") } else { place }
    }
}
