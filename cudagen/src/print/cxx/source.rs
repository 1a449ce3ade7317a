//! The generated file as C++ text.

use std::collections::BTreeMap;

use scop::FunctionParameter;
use scop::c_text::Dialect;

use crate::code::functions::UserFunction;
use crate::code::number::NumberFunction;
use crate::host::calls::HostCall;
use crate::host::file::GpuFile;
use crate::host::program::{HostProgram, Member, Numbering, Structure};
use crate::kernel::ranks::{Found, Ranks, Search};
use crate::print::cxx::language::Language;
use crate::print::cxx::{host, kernel, prelude};
use crate::print::layout;

/// Returns the text of the generated file.
pub fn text(file: &GpuFile, language: &dyn Language) -> String {
    let mut definitions: String =
        file.functions.iter().map(|function| format!("\n{}", user_function(function))).collect();
    definitions.push_str(&constants(&file.regions, language));
    for program in &file.regions {
        definitions.push_str(&region(program, language));
    }
    let mut text = prelude::text(file, &definitions, language) + &definitions;
    for (call, name) in file.residency.iter().flat_map(|residency| &residency.calls) {
        text.push_str(&format!("\n{}", host_call(*call, name, language)));
    }
    text
}

fn region(program: &HostProgram, language: &dyn Language) -> String {
    let mut text: String = program.structures.iter().map(structure).collect();
    text.extend(program.numberings.iter().map(numbering));
    let positions: BTreeMap<_, _> = program.kernels.iter().flat_map(|kernel| &kernel.positions).collect();
    text.extend(positions.values().map(|function| format!("\n{}", kernel::position(function))));
    for one in &program.kernels {
        text.extend(one.ranks.iter().map(|ranks| rank_functions(ranks, language)));
        text.push_str(&format!("\n{}", kernel::definition(one, language)));
    }
    text.push_str(&format!("\n{}", host::definition(program, language)));
    if let Some(compared) = &program.verification {
        let function = host::verification(&program.interface, compared, language);
        text.push_str(&format!("\n{function}"));
    }
    text
}

fn user_function(function: &UserFunction) -> String {
    let qualifiers = match (function.on_host, function.on_device) {
        (true, true) => "static __host__ __device__",
        (false, true) => "static __device__",
        _ => "static",
    };
    let inlined = if function.is_inlined { " __forceinline__" } else { "" };
    let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    let (ctype, name) = (Dialect::Cxx.type_name(function.ctype), &function.name);
    let mut text = format!("// line {}\n", function.line);
    layout::wrap(&format!("{qualifiers}{inlined} {ctype} {name}({})", parameters.join(", ")), 0, &mut text);
    format!("{text}{{\n{}}}\n", layout::render(&function.body, 1))
}

/// Returns the declaration of a parameter. An array parameter is `const`, because functions only read arrays.
fn parameter(parameter: &FunctionParameter) -> String {
    let qualifier = if parameter.extents.is_empty() { "" } else { "const " };
    let lengths: String = parameter.extents.iter().map(|extent| format!("[{extent}]")).collect();
    format!("{qualifier}{} {}{lengths}", Dialect::Cxx.type_name(parameter.ctype), parameter.name)
}

/// Returns the variable in constant memory, of which each region has a part. One region at a time may use it.
fn constants(regions: &[HostProgram], language: &dyn Language) -> String {
    let (mut types, mut members) = (String::new(), String::new());
    for program in regions {
        let Some(constants) = &program.constants else { continue };
        let (function, name) = (&program.interface.name, &constants.structure);
        types.push_str(&format!(
            "\n// What kernels of {function} read in constant memory.\nstruct {name} {{\n"
        ));
        types.extend(constants.members.iter().map(|one| format!("    {}\n", member(one))));
        types.push_str("};\n");
        members.push_str(&format!("    {name} {function};\n"));
    }
    if members.is_empty() {
        return String::new();
    }
    let (union, variable) = (language.own_type("Constants"), language.own("constants"));
    format!(
        "{types}\n// Constant memory, for one region at a time.\nunion {union} {{\n{members}}};\n\
         static __constant__ {union} {variable};\n\
         static std::mutex {variable}_lock;\n"
    )
}

fn structure(structure: &Structure) -> String {
    let Structure { name, array, member: one } = structure;
    format!(
        "\n// What kernels read of {array}, as an argument: in constant memory.\nstruct {name} {{\n    {}\n}};\n",
        member(one)
    )
}

fn member(member: &Member) -> String {
    format!("{} {}[{}];", Dialect::Cxx.type_name(member.ctype), member.name, member.elements)
}

fn numbering(numbering: &Numbering) -> String {
    let Numbering { element, position, count } = numbering;
    format!(
        "\n// The position of {element} on the device, which holds the elements that are used without gaps.\n{}\n\
         // The number of these elements.\n{}",
        number_function(position),
        number_function(count)
    )
}

fn rank_functions(ranks: &Ranks, language: &dyn Language) -> String {
    let mut text =
        format!("\n// The number of blocks, which are those with work.\n{}", number_function(&ranks.blocks));
    for one in &ranks.coordinates {
        if let Found::Searched(search) = &one.found {
            let name = one.axis.block_parameter();
            text.push_str(&format!("\n// The number of blocks before those with this `{name}`.\n"));
            text.push_str(&number_function(&search.before));
            text.push_str(&format!(
                "\n// The last `{name}` with at most `{}` blocks before it.\n",
                language.own("rank")
            ));
            text.push_str(&search_function(search, name, language));
        }
    }
    text
}

fn search_function(search: &Search, name: &str, language: &dyn Language) -> String {
    let Search { lower, upper, before, .. } = search;
    let [rank, end, middle] = ["rank", "end", "middle"].map(|name| language.own(name));
    let parameters = [&rank].into_iter().chain(&search.parameters).map(|name| format!("long {name}"));
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    layout::wrap(&format!("static __device__ long {}({parameters})", search.name), 0, &mut text);
    let arguments = before.parameters.iter().map(|one| if one == name { &middle } else { one }.as_str());
    let count = format!("{}({})", before.name, arguments.collect::<Vec<_>>().join(", "));
    text + &format!(
        "{{\n    long {name} = {lower};\n    for (long {end} = {upper}; {end} > {name};) {{\n        \
         const long {middle} = {end} - ({end} - {name}) / 2;\n        if ({count} <= {rank})\n            \
         {name} = {middle};\n        else\n            {end} = {middle} - 1;\n    }}\n    return {name};\n}}\n"
    )
}

fn number_function(function: &NumberFunction) -> String {
    let NumberFunction { name, parameters, value, .. } = function;
    let parameters: Vec<String> = parameters.iter().map(|parameter| format!("long {parameter}")).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("static __host__ __device__ inline long {name}({parameters})\n{{\n    return {value};\n}}\n")
}

/// Returns a function that the source calls outside of regions.
fn host_call(call: HostCall, name: &str, language: &dyn Language) -> String {
    let class = format!("memory_class < 0 ? NULL : {} + memory_class", language.own("classes"));
    let (function, arguments) = match call {
        HostCall::Begin => ("begin_interval", String::new()),
        HostCall::End => ("end_interval", String::new()),
        HostCall::Leave => ("leave_interval", String::new()),
        HostCall::Back => ("return_to_interval", String::new()),
        HostCall::Mark => ("depth", String::new()),
        HostCall::Caught => ("caught", "depth".to_owned()),
        HostCall::BeginData => ("begin_data", String::new()),
        HostCall::Hold => ("hold", "start, bytes, is_forgotten".to_owned()),
        HostCall::HoldClass => ("hold_class", class),
        HostCall::EndData => ("end_data", String::new()),
        HostCall::Reads => ("reads", "start, bytes".to_owned()),
        HostCall::Writes => ("writes", "start, bytes".to_owned()),
        HostCall::Overwrites => ("overwrites", "start, bytes".to_owned()),
        HostCall::ReadsClass => ("reads_class", class),
        HostCall::WritesClass => ("writes_class", class),
        HostCall::Frees => ("frees", "pointer".to_owned()),
        HostCall::Forget => ("forget", "start, bytes".to_owned()),
        HostCall::Release => ("release", "start, bytes".to_owned()),
    };
    let (parameters, table) = (call.parameters(), language.own("residency"));
    let parameters = if parameters == "void" { "" } else { parameters };
    let (result, give) = (call.result(), if call.result() == "void" { "" } else { "return " });
    format!(
        "extern \"C\" {result} {name}({parameters})\n{{\n    {give}{table}::{function}({arguments});\n}}\n"
    )
}
