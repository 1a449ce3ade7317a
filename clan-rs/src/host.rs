//! The host code of the whole file: memory objects, and what each function does with them ([`scop::MemoryObject`],
//! [`scop::Procedure`]).
//!
//! | pass | before | after |
//! |---|---|---|
//! | `opaque` | hidden mentions, directives for threads | functions that other code may call, or that are not followed |
//! | `pointers`, `solver` | all functions | the objects that each lvalue may denote |
//! | `accesses`, `library` | an expression | what its evaluation accesses and calls (`doings`) |
//! | `lengths` | `delete[]` | how many bytes end there |
//! | `place` | an lvalue | C text for its address |
//! | `ways_out` | unknown code | what the user can do about it |
//! | `unplaced` | an access without such a text | why there is none |
//! | `placed` | all functions | the variables whose blocks are shown |
//! | `endings` | all functions | which ends of the program need no memory |
//! | `hoist` | a place in a loop | C text for what all iterations touch |
//! | `prevented` | all of that | what keeps memory from staying, and a way out |
//! | `held` | `#pragma c2cuda data` | the memory that the user holds on the device |
//! | `positions` | the range of code | where calls can be added to it |
//! | `statements`, `settle` | a function, part by part (`part`) | its host code |
//! | `claims` | what the user says of a function of this file | nothing, or what it does beyond that |
//! | `summaries` | the host code of all functions | the same for functions of this file |
//!
//! Nothing is written for a file whose calls may return twice or that has coroutines, or whose arrays other threads
//! use.

mod accesses;
mod announcements;
mod bits;
pub mod claims;
mod doings;
mod endings;
mod expressions;
mod held;
mod hoist;
mod lengths;
mod library;
mod objects;
mod opaque;
mod part;
mod place;
mod placed;
mod pointers;
mod positions;
mod prevented;
mod settle;
mod solver;
mod statements;
mod summaries;
mod unplaced;
mod ways_out;

use std::collections::{BTreeMap, BTreeSet};

use scop::{Diagnostic, MemoryObject, Prevention, Procedure, ProcedureId, SourceRange};

use crate::c::ctree::{Function, Tree, VariableId};
use crate::c::source::SourceText;
use crate::directives::data::DataDirective;
use crate::directives::effects::{Effects, Table};
use crate::errors::{Fault, Faults, Result};
use crate::host::accesses::Ground;
use crate::host::bits::Bits;
use crate::host::endings::Endings;
use crate::host::opaque::Opaque;
use crate::host::placed::placed;
use crate::host::pointers::Pointers;
use crate::host::settle::Interest;
use crate::host::statements::{Followed, Functions};
use crate::host::summaries::Summaries;
use crate::regions::translated::Translated;

/// What the document says of the code around regions.
#[derive(Default)]
pub struct Host {
    /// The memory objects; none if nothing may stay on the device between regions.
    pub memory: Vec<MemoryObject>,
    /// The functions.
    pub procedures: Vec<Procedure>,
    /// What keeps memory from staying there.
    pub prevented: Vec<Prevention>,
    /// Warnings about directives that have no effect.
    pub without_effect: Vec<Diagnostic>,
    /// What functions do that other files may call, as far as it can be said.
    pub effects: Vec<Effects>,
    /// The same without regard to which code announces what it does, for claims.
    pub uses: Vec<Effects>,
    /// True if the code runs regions of other files.
    pub runs_elsewhere: bool,
}

/// Analyses the host code of a file, and records in the arrays of the regions which objects they may be.
///
/// `effects` are those of functions of other files, `directives` those that hold memory on the device.
pub fn analyse(
    tree: &Tree,
    source: &SourceText,
    effects: &Table,
    regions: &mut [Translated<'_>],
    directives: &[DataDirective],
    faults: &mut Faults,
) -> Result<Host> {
    if let Some(why) = prevented::of_file(tree, regions) {
        let without_effect = directives.iter().map(|one| held::without_effect(one, &why.reason)).collect();
        return Ok(Host { without_effect, prevented: vec![why], ..Host::default() });
    }
    let places: Vec<SourceRange> = regions.iter().map(|region| region.region.range).collect();
    let opaque = Opaque::of(tree, &places);
    let pointers = Pointers::of(tree, &opaque, effects);
    let placed = placed(tree, &opaque);
    let mut prevented = Vec::new();
    let can_stay = prevented::Ground { tree, opaque: &opaque, pointers: &pointers, placed: &placed };
    let sets = regions
        .iter()
        .zip(0..)
        .map(|(region, number)| memory_of(&can_stay, (number, region), &mut prevented))
        .collect::<Result<Vec<_>>>()?;
    let procedures =
        tree.all_functions().zip(0..).map(|(function, number)| (function.name.as_str(), ProcedureId(number)));
    let procedures = procedures.collect();
    let mut objects = Bits::default();
    for set in sets.iter().flat_map(BTreeMap::values) {
        objects.add_all(set);
    }
    let is_alone = effects.0.is_empty() && directives.is_empty() && pointers.held().is_empty();
    let endings = Endings::of(tree, &opaque, &pointers, &objects, is_alone);
    // An exception that is caught would leave the statement without the call at its end.
    let is_caught = tree.is_cxx && may_be_caught(tree, &opaque);
    let can_hold = !is_caught;
    let deleted = lengths::of_deleted(tree, &opaque, &pointers, &placed);
    let ground = Ground {
        tree,
        pointers: &pointers,
        procedures,
        effects,
        placed: &placed,
        deleted,
        endings,
        can_hold,
    };
    let (elsewhere, bytes_elsewhere) = run_elsewhere(&ground);
    objects.add_all(&elsewhere);
    let (directives, ignored) = directives.split_at(if is_caught { 0 } else { directives.len() });
    let why = "exceptions may be caught: the file has handlers, or functions that other files may call";
    let mut without_effect: Vec<Diagnostic> =
        ignored.iter().map(|one| held::without_effect(one, why)).collect();
    let data = held::resolved(tree, &pointers, directives, faults);
    let mut held = Bits::default();
    data.iter().for_each(|one| one.add_memory(&mut held));
    held.add_all(pointers.held());
    objects.add_all(&held);
    let integers = with_elements(&pointers, regions, elsewhere.clone(), |element| element.is_integer());
    let bytes = with_elements(&pointers, regions, bytes_elsewhere, |element| element.size() == 1);
    let interest = Interest::new(tree, source, &pointers, objects.clone(), (held, integers, bytes));
    for (region, sets) in regions.iter_mut().zip(&sets) {
        for (variable, set) in sets {
            let id = region.variables.get(variable).map(|id| id.index());
            let array = id.and_then(|id| region.model.arrays.get_mut(id));
            let array = array.ok_or_else(|| Fault::bug("an array with memory is not in its region"))?;
            array.memory = interest.ids(set);
        }
        mark_apart(&pointers, &objects, region);
    }
    let resident: Vec<BTreeSet<VariableId>> =
        sets.iter().map(|sets| sets.keys().copied().collect()).collect();
    let all = Functions {
        source,
        ground: &ground,
        opaque: &opaque,
        interest: &interest,
        regions,
        resident: &resident,
        data: &data,
    };
    let followed: Vec<Followed> = tree.all_functions().filter_map(|one| all.procedure(one)).collect();
    data.iter().for_each(|one| one.check_place(faults));
    let mut summaries = Summaries::of(&all, &followed);
    let (effects, uses) = (summaries.of_exported(true), summaries.of_exported(false));
    let runs_elsewhere = !elsewhere.is_empty();
    if objects.is_empty() {
        let why = "no array of a region can stay on the device";
        without_effect.extend(directives.iter().map(|one| held::without_effect(one, why)));
        return Ok(Host { effects, uses, runs_elsewhere, without_effect, prevented, ..Host::default() });
    }
    let procedures = followed.into_iter().map(|one| one.procedure).collect();
    let memory = interest.memory();
    Ok(Host { memory, procedures, prevented, without_effect, effects, uses, runs_elsewhere })
}

/// True if an exception that code of the file throws may be caught.
fn may_be_caught(tree: &Tree, opaque: &Opaque<'_>) -> bool {
    let is_called =
        |function: &Function| opaque.is_called_from_elsewhere(function) && function.name != "main";
    tree.catches || tree.all_functions().any(is_called)
}

/// Returns the objects that regions of other files use, as far as they can stay on the device, and those of them that
/// they may use byte by byte.
fn run_elsewhere(ground: &Ground<'_>) -> (Bits, Bits) {
    let (mut found, mut bytes) = (Bits::default(), Bits::default());
    for function in ground.tree.all_functions() {
        function.body.walk_expressions(ground.tree, &mut |expr| {
            let Some(called) = ground.effects.of_call(ground.tree, expr) else { return };
            for (_, objects, size) in ground.run_elsewhere(&called) {
                if ground.pointers.are_placed(&objects, ground.placed) {
                    found.add_all(&objects);
                }
                if size.is_none_or(|size| size == 1) {
                    bytes.add_all(&objects);
                }
            }
        });
    }
    (found, bytes)
}

/// Returns the objects in which regions may write such elements, and those of regions of other files.
fn with_elements(
    pointers: &Pointers<'_>,
    regions: &[Translated<'_>],
    elsewhere: Bits,
    are: impl Fn(scop::CType) -> bool,
) -> Bits {
    let mut found = elsewhere;
    for region in regions {
        for (&variable, &id) in &region.variables {
            if region.model.array(id).is_ok_and(|array| are(array.element)) {
                match pointers.denoted_by(variable) {
                    Some(objects) => found.add_all(objects),
                    None => found.add_all(&pointers.pointed_to()),
                };
            }
        }
    }
    found
}

/// Marks the arrays of a region that are none of the document's memory objects. Those of which nothing is known are not
/// marked.
fn mark_apart(pointers: &Pointers<'_>, objects: &Bits, region: &mut Translated<'_>) {
    for (&variable, id) in &region.variables {
        let Some(array) = region.model.arrays.get_mut(id.index()) else { continue };
        let denoted = pointers.denoted_by(variable);
        array.apart = array.visible
            && array.memory.is_empty()
            && denoted.is_some_and(|set| !set.is_empty() && set.is_disjoint(objects));
    }
}

/// Returns the objects that each array of a region may be which can stay on the device, and adds why others cannot.
fn memory_of(
    ground: &prevented::Ground<'_>,
    (number, region): (u32, &Translated<'_>),
    prevented: &mut Vec<Prevention>,
) -> Result<BTreeMap<VariableId, Bits>> {
    let mut found = BTreeMap::new();
    for (&variable, &id) in &region.variables {
        let array = region.model.array(id)?;
        if !array.visible || array.is_scalar() {
            continue;
        }
        match ground.memory(variable, array) {
            Ok(set) if set.is_empty() => {}
            Ok(set) => {
                found.insert(variable, set);
            }
            Err((reason, way_out, range)) => {
                let (array, way_out) = (Some((number, id)), way_out.to_owned());
                prevented.push(Prevention { array, reason, way_out, range });
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::import::parse;
    use crate::options::Options;

    /// Returns a program with so many time loops, each with a region, host code around it and arrays of its own.
    fn time_loops(count: usize) -> String {
        let mut text = "#include <stdio.h>\n#include <stdlib.h>\nstatic double total;\n".to_owned();
        for k in 0..count {
            let _ = write!(
                text,
                "static void step{k}(int n, const double *u, double *v) {{\n#pragma scop\nfor (int i = 0; i < n; i++)\n\
                 v[i] = u[i];\n#pragma endscop\n}}\nstatic double norm{k}(int n, const double *u) {{\ndouble s = 0;\n\
                 for (int i = 0; i < n; i++)\ns += u[i];\nreturn s;\n}}\nstatic void loop{k}(int n) {{\n\
                 double *u = malloc(n * 8), *v = malloc(n * 8);\nfor (int t = 0; t < 9; t++) {{\n"
            );
            for j in 0..40 {
                let _ = writeln!(text, "if (t == {j}) u[{j}] = v[{j} + t];");
            }
            let _ = write!(
                text,
                "step{k}(n, u, v);\ndouble *w = u; u = v; v = w;\n}}\ntotal += norm{k}(n, u);\nfree(u); free(v);\n}}\n"
            );
        }
        text += "int main(void) {\n";
        (0..count).for_each(|k| text += &format!("loop{k}(9);\n"));
        text + "printf(\"%g\\n\", total);\nreturn 0;\n}\n"
    }

    /// Returns how many lines a program has, and how much work it takes to find out where its pointers lead.
    fn work(count: usize) -> (usize, usize) {
        let text = time_loops(count);
        let parsed = parse::parse(&Options::for_file("loops.c"), text.clone().into_bytes()).unwrap();
        let opaque = Opaque::of(&parsed.tree, &[]);
        (text.lines().count(), Pointers::of(&parsed.tree, &opaque, &Table::default()).work())
    }

    /// Twice the text takes little more than twice the work.
    #[test]
    fn pointers_are_followed_in_linear_work() {
        let (lines, small) = work(15);
        assert!(lines > 900, "{lines}");
        let (more_lines, large) = work(30);
        assert!(more_lines > 1800, "{more_lines}");
        assert!(small > 100 && large * 10 < small * 22, "{small} and {large}");
        assert!(large < 20 * more_lines, "{large} for {more_lines} lines");
    }
}
