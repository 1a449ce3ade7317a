//! The C file of a program: the function with the regions, and around it what calls it and shows the result.

use std::collections::BTreeMap;

use crate::affine::Limit;
use crate::defined::{Extents, extents};
use crate::host::Host;
use crate::program::{Array, Counter, Expression, Function, Node, Program, Role, Storage, Type};
use crate::regions;
use crate::render::{Printer, iterator_name, limit};
use crate::scopes::Names;
use crate::setting::{FunctionKind, Interleaved, Language, Reference};
use crate::types::c_type;
use crate::visit;

/// What every file begins with.
pub const SUPPORT: &str = include_str!("../support/support.h");
const ALONE: &str = include_str!("../support/alone.c");

/// A file for a pack of programs: it defines `static void program17(int n, int m)`. `None` if the program is undefined.
pub fn packed(program: &Program) -> Option<String> {
    Some(format!("#include \"support.h\"\n\n{}", Source::new(program, &extents(program)?).text()))
}

/// A complete program, which takes `n` and `m` as arguments and prints everything.
pub fn alone(program: &Program) -> Option<String> {
    let text = Source::new(program, &extents(program)?).text();
    let number = program.number;
    let (n, m) = program.runs.last().copied().unwrap_or_default();
    let main = format!(
        "int main(int argc, char **argv)\n{{\n    \
         program{number}(argc > 1 ? atoi(argv[1]) : {n}, argc > 2 ? atoi(argv[2]) : {m});\n    return 0;\n}}\n"
    );
    Some(format!("{SUPPORT}\n{ALONE}\n{text}\n{main}"))
}

struct Source<'a> {
    program: &'a Program,
    extents: &'a Extents,
}

impl<'a> Source<'a> {
    fn new(program: &'a Program, extents: &'a Extents) -> Self {
        Self { program, extents }
    }

    fn text(&self) -> String {
        let globals: String = self
            .all(Storage::Global)
            .map(|(place, _)| {
                let lengths: String = self.greatest(place).map(|length| format!("[{length}]")).collect();
                Names(self.program).declaration(place, &lengths)
            })
            .collect();
        let counts = |place| self.count(place, &self.program.arrays[place], "long");
        let host = Host { program: self.program, counts: &counts };
        format!(
            "{globals}{}{}{}{}",
            self.functions(),
            host.functions(),
            self.function_with_regions(&host),
            self.caller()
        )
    }

    fn function_with_regions(&self, host: &Host<'_>) -> String {
        let number = self.program.number;
        let parameters: String =
            self.visible().filter_map(|(place, array)| self.parameter(place, array)).collect();
        let outside = self.outside();
        let places = if outside.values().any(|read| *read) { ", int *places" } else { "" };
        let head = format!("region{number}(int n, int m{parameters}{places})");
        let using: String =
            self.visible().filter_map(|(place, _)| Names(self.program).using(place)).collect();
        let locals: String =
            self.all(Storage::Local).map(|(place, array)| self.local(place, array)).collect();
        let results: String =
            self.all(Storage::Local).map(|(place, array)| self.result(place, array)).collect();
        let iterators: String =
            outside.keys().map(|(name, kind)| format!("    {kind} {name} = 0;\n")).collect();
        let read = outside.iter().filter(|(_, read)| **read).enumerate();
        let last: String =
            read.map(|(place, ((name, _), _))| format!("    places[{place}] = (int){name};\n")).collect();
        let body = Printer::new(self.program, self.extents, host).parts(&regions::parts(self.program), 1);
        let block = format!("{{\n{using}{iterators}{locals}{}{body}{last}{results}}}\n", host.names());
        match self.program.setting.function {
            FunctionKind::Plain => format!("static void {head}\n{block}\n"),
            FunctionKind::StaticMember => {
                format!("namespace {{\nstruct worker{number} {{\nstatic void {head}\n{block}}};\n}}\n\n")
            }
            FunctionKind::Member => format!(
                "struct worker{number} {{\n    void {head};\n}};\n\nvoid worker{number}::{head}\n{block}\n"
            ),
        }
    }

    /// The iterators that are declared in front of the regions, with their types, and whether they are read after
    /// them.
    fn outside(&self) -> BTreeMap<(String, &'static str), bool> {
        let mut found = BTreeMap::new();
        self.outside_of(&self.program.body, 0, &mut found);
        found
    }

    fn outside_of(&self, block: &[Node], depth: usize, found: &mut BTreeMap<(String, &'static str), bool>) {
        for node in block {
            let mut inner = depth;
            if let Node::For(nest) = node {
                inner += 1;
                if let Some(read) = self.program.setting.outside.get(&nest.iterator) {
                    let is_long = nest.counter == Counter::Long;
                    let kind = if is_long { "long" } else { "int" };
                    *found.entry((iterator_name(depth, is_long), kind)).or_default() |= read;
                }
            }
            for block in visit::children(node) {
                self.outside_of(block, inner, found);
            }
        }
    }

    /// Declares a local variable, and its second name.
    fn local(&self, place: usize, array: &Array) -> String {
        let (kind, name, first) = (c_type(array.element), &array.name, following(array));
        match (self.program.setting.references.get(&place), self.program.setting.language) {
            (None, _) => format!("    {kind} {name} = *{first};\n"),
            (Some(Reference::Used), _) => {
                format!("    {kind} own_{name} = *{first}, &{name} = own_{name};\n")
            }
            (Some(Reference::Read), Language::Cxx) => {
                format!("    {kind} {name} = *{first}, &too_{name} = {name};\n")
            }
            (Some(Reference::Read), Language::C) => {
                format!("    {kind} {name} = *{first}, *too_{name} = &{name};\n")
            }
        }
    }

    /// Tells the value of a local variable after the regions.
    fn result(&self, place: usize, array: &Array) -> String {
        let (name, first) = (&array.name, following(array));
        match (self.program.setting.references.get(&place), self.program.setting.language) {
            (None, _) => format!("    *{first} = {name};\n"),
            (Some(Reference::Used), _) => format!("    *{first} = own_{name};\n"),
            (Some(Reference::Read), Language::Cxx) => format!("    *{first} = too_{name};\n"),
            (Some(Reference::Read), Language::C) => format!("    *{first} = *too_{name};\n"),
        }
    }

    /// The arrays that exist outside of the region.
    fn visible(&self) -> impl Iterator<Item = (usize, &'a Array)> {
        let arrays = self.program.arrays.iter().enumerate();
        arrays
            .filter(|(place, array)| array.storage != Storage::Temporary && self.extents.used.contains(place))
    }

    fn all(&self, storage: Storage) -> impl Iterator<Item = (usize, &'a Array)> {
        self.visible().filter(move |(_, array)| array.storage == storage)
    }

    /// The extents that suffice for every run.
    fn greatest(&self, place: usize) -> impl Iterator<Item = i64> {
        let runs = &self.program.runs;
        self.extents.lengths[place]
            .iter()
            .map(move |extent| runs.iter().map(|(n, m)| extent.value(*n, *m)).max().unwrap_or(1).max(1))
    }

    fn parameter(&self, place: usize, array: &Array) -> Option<String> {
        let kind = c_type(array.element);
        let name = &array.name;
        let constant = if array.role == Role::Index { "const " } else { "" };
        match (array.storage, array.rank) {
            (Storage::Global | Storage::Temporary, _) => None,
            (Storage::Local, _) => Some(format!(", {kind} *{}", following(array))),
            (Storage::Parameter, 0) if self.program.setting.references.contains_key(&place) => {
                Some(format!(", {constant}{kind} &{name}"))
            }
            (Storage::Parameter, 0) | (Storage::Linearised, _) => Some(format!(", {constant}{kind} *{name}")),
            (Storage::Parameter, 1) if self.program.setting.language == Language::Cxx => {
                Some(format!(", {constant}{kind} *{name}"))
            }
            (Storage::Parameter, _) if Names(self.program).is_fixed(place) => {
                let lengths: String = self.greatest(place).map(|length| format!("[{length}]")).collect();
                Some(format!(", {constant}{kind} {name}{lengths}"))
            }
            (Storage::Parameter, _) => {
                let lengths: String = self.extents.lengths[place]
                    .iter()
                    .map(|extent| format!("[{}]", limit(*extent)))
                    .collect();
                Some(format!(", {constant}{kind} {name}{lengths}"))
            }
        }
    }

    fn functions(&self) -> String {
        let number = self.program.number;
        let mut text = String::new();
        if self.calls(Function::Smooth) {
            text += &format!(
                "static double smooth{number}(double x)\n{{\n    double y = 0.5 * x;\n    return y * x - 0.25 * y + 0.125;\n}}\n\n"
            );
        }
        if self.calls(Function::Stepped) {
            text += &format!(
                "static double stepped{number}(double x)\n{{\n    if (x < 0)\n        return 0.5 * x;\n    double y = x;\n    \
                 for (int q = 0; q < 3; q++)\n        y = 0.5 * y * y;\n    return y;\n}}\n\n"
            );
        }
        text
    }

    fn calls(&self, function: Function) -> bool {
        let mut found = false;
        visit::expressions(&self.program.body, &mut |expression| {
            found |= matches!(expression, Expression::Call(called, _) if *called == function);
        });
        found
    }

    /// The function that supplies, fills, and shows the arrays.
    fn caller(&self) -> String {
        let number = self.program.number;
        let (mut before, mut arguments, mut after) = (String::new(), String::new(), String::new());
        for (place, array) in self.visible() {
            before += &self.supply(place, array);
            if array.storage != Storage::Global {
                arguments += &format!(", {}", self.argument(place, array));
            }
            after += &self.show(place, array);
        }
        let read = self.outside().values().filter(|read| **read).count();
        if read > 0 {
            before += &format!("    int places[{read}] = {{0}};\n");
            arguments += ", places";
            after += &format!("    show(\"places\", places, {read}, sizeof *places);\n");
        }
        let worker = match self.program.setting.function {
            FunctionKind::Plain => String::new(),
            FunctionKind::StaticMember => format!("worker{number}::"),
            FunctionKind::Member => format!("worker{number}()."),
        };
        format!(
            "static void program{number}(int n, int m)\n{{\n{before}    {worker}region{number}(n, m{arguments});\n{after}}}\n"
        )
    }

    /// The two arrays in one piece of memory, if both are used.
    fn pair(&self) -> Option<&'a Interleaved> {
        let both = |pair: &&Interleaved| {
            [pair.first, pair.second].iter().all(|place| self.extents.used.contains(place))
        };
        self.program.setting.interleaved.as_ref().filter(both)
    }

    /// Supplies and fills an array.
    fn supply(&self, place: usize, array: &Array) -> String {
        let (name, kind) = (&array.name, c_type(array.element));
        let mut count = self.count(place, array, "size_t");
        if let Some(pair) = self.pair() {
            if pair.second == place {
                let first = &self.program.arrays[pair.first].name;
                return format!("    {kind} *values_{name} = values_{first} + {};\n", pair.offset);
            }
            if pair.first == place {
                let other = self.count(pair.second, &self.program.arrays[pair.second], "size_t");
                count = format!("2 * ({count} + {other}) + {}", pair.offset);
            }
        } else if self.program.setting.is_interleaved(place) {
            count = format!("2 * ({count})");
        }
        let values = if array.storage == Storage::Global {
            format!("({kind} *)&{}", Names(self.program).qualified(place))
        } else {
            format!("({kind} *)supply(count_{name}, sizeof({kind}))")
        };
        format!(
            "    size_t count_{name} = {count};\n    {kind} *values_{name} = {values};\n    \
             for (size_t x = 0; x < count_{name}; x++)\n        values_{name}[x] = {};\n",
            initial(array, place)
        )
    }

    fn argument(&self, place: usize, array: &Array) -> String {
        let (name, kind) = (&array.name, c_type(array.element));
        match self.program.setting.language {
            Language::C => format!("(void *)values_{name}"),
            Language::Cxx if Names(self.program).is_fixed(place) => {
                let lengths: String =
                    self.greatest(place).skip(1).map(|length| format!("[{length}]")).collect();
                format!("({kind} (*){lengths})values_{name}")
            }
            Language::Cxx
                if array.storage == Storage::Parameter
                    && self.program.setting.references.contains_key(&place) =>
            {
                format!("*values_{name}")
            }
            Language::Cxx => format!("values_{name}"),
        }
    }

    /// Shows an array, and the variable of the same name in another scope.
    fn show(&self, place: usize, array: &Array) -> String {
        if self.pair().is_some_and(|pair| pair.second == place) {
            return String::new();
        }
        let (name, kind) = (&array.name, c_type(array.element));
        let mut text = format!("    show(\"{name}\", values_{name}, count_{name}, sizeof({kind}));\n");
        if array.storage != Storage::Global {
            text += &format!("    release(values_{name});\n");
        }
        if let Some(twin) = Names(self.program).twin(place) {
            text += &format!("    show(\"{twin}\", &{twin}, count_{name}, sizeof({kind}));\n");
        }
        text
    }

    /// How many elements an array has.
    fn count(&self, place: usize, array: &Array, kind: &str) -> String {
        if array.storage == Storage::Global || Names(self.program).is_fixed(place) {
            return self.greatest(place).product::<i64>().to_string();
        }
        let lengths: String = self.extents.lengths[place]
            .iter()
            .map(|extent: &Limit| format!(" * ({})", limit(*extent)))
            .collect();
        format!("({kind})1{lengths}")
    }
}

/// The parameter through which a local variable comes and goes.
fn following(array: &Array) -> String {
    format!("{}_outside", array.name)
}

/// The value of element `x` at first.
fn initial(array: &Array, place: usize) -> String {
    let draw = format!("draw(x, {place})");
    match (array.role, array.element) {
        (Role::Index, _) => format!("(int)({draw} % (unsigned)(n + 2))"),
        (_, Type::Double) => format!("(int)({draw} % 2001) / 1000.0 - 1.0"),
        (_, Type::Float) => format!("(float)((int)({draw} % 2001) / 1000.0 - 1.0)"),
        (_, kind) if kind.is_unsigned() => format!("({}){draw}", c_type(kind)),
        (_, kind) => format!("({})((int)({draw} % 2001) - 1000)", c_type(kind)),
    }
}
