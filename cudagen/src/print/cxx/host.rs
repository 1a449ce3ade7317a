//! Host functions as C++.

use scop::c_text::{Dialect, Fragment};
use scop::{Axis, BinaryOp, CType, ClassId};

use crate::code::stmt::{Plain, Stmt};
use crate::host::operation::{
    ComparedRange, Condition, Copy, CopyForm, HostOp, Launch, LaunchArgument, Pointer, Range, ResidencyOp,
    ResidentSlice,
};
use crate::host::program::{HostProgram, Interface, Verification};
use crate::print::cxx::language::Language;
use crate::print::layout;

/// Returns the definition of the function of a region.
pub fn definition(program: &HostProgram, language: &dyn Language) -> String {
    let interface = &program.interface;
    let result = if interface.may_decline { "int" } else { "void" };
    let head = format!("extern \"C\" {result} {}({})", interface.name, arguments(interface).join(", "));
    function(&head, &program.body, language)
}

/// Returns the definition of the function that compares.
pub fn verification(interface: &Interface, compared: &Verification, language: &dyn Language) -> String {
    let name = interface.verification();
    let arguments = [vec!["int phase".to_owned()], arguments(interface)].concat();
    let head = format!("extern \"C\" int {name}({})", arguments.join(", "));
    let variable = format!("static VerifiedRegion {name}_region({:?});\n\n", compared.place);
    variable + &function(&head, &compared.body, language)
}

fn arguments(interface: &Interface) -> Vec<String> {
    let type_name = |ctype| Dialect::Cxx.type_name(ctype).to_owned();
    interface.arguments.iter().map(|argument| argument.declaration(type_name)).collect()
}

fn function(head: &str, body: &[Stmt<HostOp>], language: &dyn Language) -> String {
    let mut text = String::new();
    layout::wrap(head, 0, &mut text);
    let block: Vec<Plain> = body.iter().flat_map(|stmt| stmt.spelled(&|op| spelled(op, language))).collect();
    text.push_str("{\n");
    text.push_str(&layout::render(&block, 1));
    text.push_str("}\n");
    text
}

fn spelled(op: &HostOp, language: &dyn Language) -> Vec<Plain> {
    let line = |text: String| vec![Plain::line(text)];
    match op {
        HostOp::Decline { reason, conditions, before } => decline(reason, conditions, before, language),
        HostOp::Size { name, bytes, may_be_unused } => {
            let attribute = if *may_be_unused { "[[maybe_unused]] " } else { "" };
            vec![Plain::declare(name, format!("{attribute}const size_t {name} = {bytes};"))]
        }
        HostOp::Allocate { pointer, bytes, makes_room } => {
            let to = format!("&{}, {bytes}", pointer.name);
            let call = match makes_room {
                true => format!("{}({}({to}));", language.own("check"), of_table("allocate", language)),
                false => language.checked("Malloc", &to),
            };
            vec![declared(pointer, "NULL"), Plain::line(call)]
        }
        HostOp::AllocateOnHost { pointer, bytes } => {
            vec![cast(pointer, &format!("{}({bytes})", language.own("host_memory")))]
        }
        HostOp::PointInto { pointer, memory, start: None } => vec![cast(pointer, memory)],
        HostOp::PointInto { pointer, memory, start: Some(start) } => {
            vec![cast(pointer, &format!("({memory} + {start})"))]
        }
        HostOp::Free(pointer) => line(language.checked("Free", pointer)),
        HostOp::FreeOnHost { pointer, is_qualified } => {
            line(format!("{}free({pointer});", if *is_qualified { "::" } else { "" }))
        }
        HostOp::Copy(one) => line(copy(one, language)),
        HostOp::DeclareStructure { structure, name } => {
            vec![Plain::declare(name, format!("{structure} {name} = {{}};"))]
        }
        HostOp::FillStructure { name, from } => {
            line(format!("memcpy({name}.at, {from}, sizeof({name}.at));"))
        }
        HostOp::HoldConstants => {
            let constants = language.own("constants");
            line(format!("const std::lock_guard<std::mutex> {constants}_held({constants}_lock);"))
        }
        HostOp::FillConstants { structure, member, from } => {
            let symbol = language.symbol(&language.own("constants"));
            let (size, offset) =
                (format!("sizeof({structure}::{member})"), format!("offsetof({structure}, {member})"));
            line(language.checked("MemcpyToSymbol", &format!("{symbol}, {from}, {size}, {offset}")))
        }
        HostOp::Synchronise => line(language.checked("StreamSynchronize", "0")),
        HostOp::AllowShared { kernel, bytes } => {
            let attribute = language.runtime("FuncAttributeMaxDynamicSharedMemorySize");
            let arguments = format!("{}, {attribute}, {bytes}", language.kernel_address(kernel));
            line(language.checked("FuncSetAttribute", &arguments))
        }
        HostOp::Launch(one) => launch(one, language),
        HostOp::Residency(op) => residency(op, language),
        HostOp::BeginComparison { region } => line(format!("{region}.begin(phase);")),
        HostOp::Compare { region, range } => line(compare(region, range)),
    }
}

fn decline(
    reason: &str,
    conditions: &[Condition],
    before: &[ResidencyOp],
    language: &dyn Language,
) -> Vec<Plain> {
    let conditions: Vec<Fragment> = conditions.iter().map(|one| condition(one, language)).collect();
    let before = before.iter().flat_map(|op| residency(op, language));
    let condition = match &conditions[..] {
        [one] => one.text.clone(),
        // Compilers recommend parentheses around `&&` next to `||`.
        several => {
            let several: Vec<String> =
                several.iter().map(|one| one.at_least(BinaryOp::And.precedence() + 1)).collect();
            several.join(" || ")
        }
    };
    let give_up = Plain::If {
        condition,
        then: before.chain([Plain::line("return 0;")]).collect(),
        otherwise: Vec::new(),
    };
    vec![Plain::Comment(vec![reason.to_owned()]), give_up]
}

fn condition(condition: &Condition, language: &dyn Language) -> Fragment {
    match condition {
        // Such an expression may occur next to `||` without parentheses.
        Condition::Expression(text) => Fragment::atom(text.clone(), CType::Int),
        Condition::Constant(asked, memory) => {
            let call = format!("{}({})", language.own("writable"), range(memory));
            let constant = Fragment::prefix("!", &Fragment::atom(call, CType::Int), CType::Int);
            match asked {
                Some(asked) => Fragment::infix(BinaryOp::And, asked, &constant, CType::Int),
                None => constant,
            }
        }
        Condition::Overlap(one, other) => {
            let call = format!("{}({}, {})", language.own("overlap"), range(one), range(other));
            Fragment::atom(call, CType::Int)
        }
    }
}

fn range(range: &Range) -> String {
    format!("{}, {}", range.start, range.bytes)
}

/// Returns `double *dev_A = NULL;`.
fn declared(pointer: &Pointer, value: &str) -> Plain {
    let (ctype, name) = (Dialect::Cxx.type_name(pointer.ctype), &pointer.name);
    Plain::declare(name, format!("{ctype} *{name} = {value};"))
}

/// Returns `double *A = (double *)memory;`.
fn cast(pointer: &Pointer, value: &str) -> Plain {
    declared(pointer, &format!("({} *){value}", Dialect::Cxx.type_name(pointer.ctype)))
}

fn copy(copy: &Copy, language: &dyn Language) -> String {
    let Copy { host, device, to_device, form } = copy;
    let way = language.runtime(if *to_device { "MemcpyHostToDevice" } else { "MemcpyDeviceToHost" });
    let (to, from) = if *to_device { (device, host) } else { (host, device) };
    match form {
        CopyForm::Whole(bytes) => language.checked("Memcpy", &format!("{to}, {from}, {bytes}, {way}")),
        CopyForm::Rows { host_pitch, device_pitch, width, rows } => {
            let (to_pitch, from_pitch) =
                if *to_device { (device_pitch, host_pitch) } else { (host_pitch, device_pitch) };
            let arguments = format!("{to}, {to_pitch}, {from}, {from_pitch}, {width}, {rows}, {way}");
            language.checked("Memcpy2D", &arguments)
        }
        CopyForm::Slices { pitch, height, width, rows, slices } => {
            let function = language.own("copy_box");
            format!("{function}({to}, {from}, {pitch}, {height}, {width}, {rows}, {slices}, {way});")
        }
    }
}

fn launch(launch: &Launch, language: &dyn Language) -> Vec<Plain> {
    let grid = Axis::ALL.map(|axis| match launch.parts.iter().find(|(part, _)| *part == axis) {
        Some((_, limit)) => {
            let Part { first, blocks } = Part::of(axis, language);
            Some(format!("min({blocks} - {first}, {limit}L)"))
        }
        None => launch.grid[axis as usize].clone(),
    });
    let arguments: Vec<String> =
        launch.arguments.iter().map(|argument| launch_argument(argument, language)).collect();
    let call = vec![
        Plain::line(language.launch(launch, &grid, &arguments)),
        Plain::line(language.checked("GetLastError", "")),
    ];
    launch.parts.iter().fold(call, |body, (axis, limit)| {
        let Part { first, blocks } = Part::of(*axis, language);
        let all = launch.grid[*axis as usize].as_deref().unwrap_or("1");
        let head =
            format!("for (long {first} = 0, {blocks} = {all}; {first} < {blocks}; {first} += {limit})");
        vec![Plain::Loop { head, body }]
    })
}

/// The variables of the loop over the parts of a launch along an axis.
struct Part {
    /// The first block of a part, counted from the first block of the grid.
    first: String,
    /// The number of all blocks.
    blocks: String,
}

impl Part {
    fn of(axis: Axis, language: &dyn Language) -> Self {
        let named = |name: &str| format!("{}_{axis}", language.own(name));
        Self { first: named("first"), blocks: named("blocks") }
    }
}

fn launch_argument(argument: &LaunchArgument, language: &dyn Language) -> String {
    match argument {
        LaunchArgument::Value(text) => text.clone(),
        LaunchArgument::FirstBlock { axis, lower } => {
            let first = Fragment::atom(Part::of(*axis, language).first, CType::Long);
            match lower {
                Some(lower) => Fragment::infix(BinaryOp::Add, lower, &first, CType::Long).text,
                None => first.text,
            }
        }
    }
}

/// Returns the name of a function or type of the table of the memory on the device.
fn of_table(name: &str, language: &dyn Language) -> String {
    format!("{}::{name}", language.own("residency"))
}

fn residency(op: &ResidencyOp, language: &dyn Language) -> Vec<Plain> {
    let line = |name: &str, arguments: &str| {
        vec![Plain::line(format!("{}({arguments});", of_table(name, language)))]
    };
    let class = |class: &Option<ClassId>| match class {
        Some(class) => class_of(*class, language),
        None => "NULL".to_owned(),
    };
    match op {
        ResidencyOp::Reads(memory) => line("reads", &range(memory)),
        ResidencyOp::Writes(memory) => line("writes", &range(memory)),
        ResidencyOp::ReadsClass(of) => line("reads_class", &class(of)),
        ResidencyOp::WritesClass(of) => line("writes_class", &class(of)),
        ResidencyOp::Reserve { variable, slices } => {
            let slices: Vec<String> = slices.iter().map(|slice| resident_slice(slice, language)).collect();
            let ctype = of_table("Slice", language);
            let text = format!("const {ctype} {variable}[] = {{{}}};", slices.join(", "));
            [vec![Plain::declare(variable, text)], line("reserve", variable)].concat()
        }
        ResidencyOp::Find { pointer, start } => {
            vec![cast(pointer, &format!("{}({start})", of_table("memory", language)))]
        }
        ResidencyOp::Needs(memory) => line("needs", &range(memory)),
        ResidencyOp::Wrote(memory) => line("wrote", &range(memory)),
        ResidencyOp::Done { variable } => line("done", variable),
    }
}

/// Returns the address that stands for a class of memory, in this file and no other.
fn class_of(class: ClassId, language: &dyn Language) -> String {
    format!("{} + {}", language.own("classes"), class.0)
}

fn resident_slice(slice: &ResidentSlice, language: &dyn Language) -> String {
    let ResidentSlice { range: memory, class, bounded, announced } = slice;
    let announced = if *announced { ", true" } else { "" };
    format!("{{{}, {}, {bounded}{announced}}}", range(memory), class_of(*class, language))
}

fn compare(region: &str, range: &ComparedRange) -> String {
    let ComparedRange { array, member, start, rows, width, stride, is_dead, kind, .. } = range;
    let element = Dialect::Cxx.type_name(range.element);
    let (dimensions, structures, first) = (range.dimensions, range.structures, &range.first);
    let extents: String = range.extents.iter().map(|extent| format!(", (long)({extent})")).collect();
    format!(
        "{region}.range(phase, {{{array:?}, {member:?}, {start}, (size_t)({rows}), {width}, {stride}, {is_dead}, \
         '{kind}', sizeof({element}), {dimensions}, {structures}, {{(long)({first}){extents}}}}});"
    )
}
