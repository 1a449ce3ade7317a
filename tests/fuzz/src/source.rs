//! The C file of a program: the function with the regions, and around it what calls it and shows the result.

use crate::affine::Limit;
use crate::defined::{Extents, extents};
use crate::program::{Array, Expression, Function, Program, Role, Storage, Type};
use crate::regions;
use crate::render::{Printer, c_type, limit};
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
        let number = self.program.number;
        let globals: String =
            self.all(Storage::Global).map(|(place, array)| self.global(place, array)).collect();
        let parameters: String =
            self.visible().filter_map(|(place, array)| self.parameter(place, array)).collect();
        let locals: String = self
            .all(Storage::Local)
            .map(|(_, array)| {
                format!("    {} {2} = *{1};\n", c_type(array.element), behind(array), array.name)
            })
            .collect();
        let results: String = self
            .all(Storage::Local)
            .map(|(_, array)| format!("    *{} = {};\n", behind(array), array.name))
            .collect();
        let body = Printer::new(self.program, self.extents).parts(&regions::parts(self.program), 1);
        format!(
            "{globals}{}static void region{number}(int n, int m{parameters})\n{{\n{locals}{body}{results}}}\n\n{}",
            self.functions(),
            self.caller()
        )
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

    fn global(&self, place: usize, array: &Array) -> String {
        let lengths: String = self.greatest(place).map(|length| format!("[{length}]")).collect();
        format!("static {} {}{lengths};\n", c_type(array.element), array.name)
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
            (Storage::Local, _) => Some(format!(", {kind} *{}", behind(array))),
            (Storage::Parameter, 0) | (Storage::Linearised, _) => Some(format!(", {constant}{kind} *{name}")),
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
            let (name, kind) = (&array.name, c_type(array.element));
            let count = self.count(place, array);
            let values = if array.storage == Storage::Global {
                let first = if array.rank == 0 { format!("&{name}") } else { name.clone() };
                format!("(void *){first}")
            } else {
                arguments += &format!(", (void *)values_{name}");
                format!("supply(count_{name}, sizeof({kind}))")
            };
            before += &format!(
                "    size_t count_{name} = {count};\n    {kind} *values_{name} = {values};\n    \
                 for (size_t x = 0; x < count_{name}; x++)\n        values_{name}[x] = {};\n",
                initial(array, place)
            );
            after += &format!("    show(\"{name}\", values_{name}, count_{name}, sizeof({kind}));\n");
            if array.storage != Storage::Global {
                after += &format!("    release(values_{name});\n");
            }
        }
        format!(
            "static void program{number}(int n, int m)\n{{\n{before}    region{number}(n, m{arguments});\n{after}}}\n"
        )
    }

    fn count(&self, place: usize, array: &Array) -> String {
        if array.storage == Storage::Global {
            return self.greatest(place).product::<i64>().to_string();
        }
        let lengths: String = self.extents.lengths[place]
            .iter()
            .map(|extent: &Limit| format!(" * ({})", limit(*extent)))
            .collect();
        format!("(size_t)1{lengths}")
    }
}

/// The parameter through which a local variable comes and goes.
fn behind(array: &Array) -> String {
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
