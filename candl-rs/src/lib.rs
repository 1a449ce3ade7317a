//! candl-rs computes the dependences, which restrict the order of instances.
//!
//! [`run`] applies these passes to every scop:
//!
//! 1. [`accesses`]: the access relations, tagged with the accesses that cause them;
//! 2. [`order`]: the source order, refined to the steps inside a statement;
//! 3. [`flow`], [`live`]: where values go, which come from before the region, and which are needed after it,
//!    computed by [`polyhedra::last`];
//! 4. [`dead`]: the statements whose values are never needed;
//! 5. [`private`], [`expand`]: reused variables get one copy for each iteration. An array may get leading
//!    dimensions for loops, as if it were declared in them, or become several arrays ([`scop::Expansions`]), if
//!    [`sizes`] finds them small enough; [`last_values`]: what code after the region reads is stored at the end;
//! 6. [`anti`], [`output`]: the order that is required because memory is still shared;
//! 7. [`reductions`]: which of these dependences come from updates that may be done in any order; [`relax`]: where
//!    this gives the same bits and makes a difference, the order is given up;
//! 8. [`variants`]: other forms of the region, among which scheduler chooses: [`old_values`] are read from a copy,
//!    arrays take [`turns`], temporaries are [`mod@in_place`], the updates of a sum go to [`partial_sums`],
//!    [`selections`] have many results first, or [`prefix_sums`] are divided into chunks.
//!
//! [`mod@report`] explains for each loop what keeps it in order, and [`dot()`] draws the dependences. Whether a
//! schedule, a loop program or a new order respects the dependences is checked by the library [`proof`], for the
//! options `--check` and `--order`.

mod accesses;
mod added;
mod anti;
mod carried;
mod dataflow;
mod dead;
mod dependences;
mod expand;
mod flow;
mod found;
mod graph;
mod in_place;
mod insert;
mod kept;
mod known;
mod last_copies;
mod last_values;
mod live;
mod live_ranges;
mod old_values;
mod options;
mod order;
mod output;
mod partial_sums;
mod permission;
mod prefix_sums;
mod private;
mod reductions;
mod relax;
mod report;
mod selections;
mod sequential;
mod sizes;
mod turns;
mod variants;
mod waive;

use polyhedra::Result as IslResult;
use scop::{
    Analysed, Diagnostic, Diagnostics, Extracted, GIVEN_UP, Model, Outcome, Program, Region, Scop, Statement,
    Wish, allowance,
};

use crate::dataflow::Dataflow;
use crate::found::Found;
use crate::known::Known;
use crate::live::Ends;

pub use options::{Mode, Options, Reductions};

/// The name of this tool.
pub const NAME: &str = "candl-rs";

/// Adds the dependences to every scop, with default options.
///
/// # Errors
/// See [`run_with`].
pub fn run(program: Program<Extracted>) -> Result<Outcome<Program<Analysed>>, Diagnostics> {
    run_with(program, Reductions::default(), &[])
}

/// Adds the dependences to every scop. `permissions` are those of the command line, which add to the document's.
///
/// # Errors
/// Fails if a scop is so complicated that isl fails or reaches its limit, if a claim of the program is provably wrong,
/// or if a permission is for something that is no sum.
pub fn run_with(
    program: Program<Extracted>,
    reductions: Reductions,
    permissions: &[Wish],
) -> Result<Outcome<Program<Analysed>>, Diagnostics> {
    let source = program.source.clone();
    let mut regions = source.regions.iter();
    let mut refuted = Vec::new();
    let analyse = |scop: Scop<Extracted>| {
        let region = regions.next();
        let work = || {
            let scop = analyse(scop.model, reductions, permissions)?;
            let refuted = waive::refuted(&source.path, &scop.model, &scop.stage.dependences)?;
            Ok((scop, refuted))
        };
        let found = allowance::spend(OPERATIONS, too_complicated(&source.path, region), work);
        let (scop, messages) =
            found.map_err(|error| Diagnostics::from(given_up(&error, &source.path, region)))?;
        refuted.extend(messages);
        Ok::<_, Diagnostics>(scop)
    };
    let value = program.try_map(analyse)?;
    if !refuted.is_empty() {
        return Err(Diagnostics(refuted));
    }
    let refused = permission::refused(&value.scops, permissions)
        .map_err(|error| Diagnostic::bug(NAME, error.to_string()))?;
    if !refused.is_empty() {
        return Err(Diagnostics(refused));
    }
    let mut diagnostics = Vec::new();
    for scop in &value.scops {
        diagnostics
            .extend(left_out(scop, &source.path).map_err(|error| given_up(&error, &source.path, None))?);
    }
    Ok(Outcome { value, diagnostics })
}

/// Returns the warnings about statements without effect.
fn left_out(scop: &Scop<Analysed>, path: &str) -> IslResult<Vec<Diagnostic>> {
    let statements = scop.model.statements_of(&scop.stage.dependences.dead)?;
    let warning = |statement: &Statement| {
        Diagnostic::warning("W0201", "this statement has no effect: nothing reads what it writes").at(
            path,
            statement.range,
            "left out of the translation",
        )
    };
    Ok(statements.into_iter().map(warning).collect())
}

/// The number of isl operations that the analysis of one scop may take.
const OPERATIONS: u64 = 30_000_000;

/// Creates the message for an isl error. The document is sound, so a failure is a limitation of isl: it reaches its
/// limit, or fails on rare combinations of conditions with `%` and bounds that differ between statements.
fn given_up(error: &polyhedra::Error, path: &str, region: Option<&Region>) -> Diagnostic {
    if error.is_bug() {
        Diagnostic::bug(NAME, error.to_string())
    } else if error.is_limit() {
        too_complicated(path, region)
    } else {
        refusal("E0207", &error.to_string(), path, region)
    }
}

fn too_complicated(path: &str, region: Option<&Region>) -> Diagnostic {
    refusal("E0206", GIVEN_UP, path, region)
}

fn refusal(code: &str, label: &str, path: &str, region: Option<&Region>) -> Diagnostic {
    Diagnostic::given_up(code, "the dependences of this region are too complicated to find").perhaps_at(
        path,
        region.map(|region| region.range),
        label,
    )
}

/// Computes the dependences of a scop.
///
/// # Errors
/// Fails if isl gives up, or if the model violates an invariant of the document.
pub fn analyse(model: Model, reductions: Reductions, permissions: &[Wish]) -> IslResult<Scop<Analysed>> {
    let dataflow = Dataflow::new(&model)?;
    let ends = Ends::new(&dataflow)?;
    let mut found = dependences::flows_of_values(&dataflow, &ends)?;
    found.dead = dead::dead(&model, &found.flow, &found.live_out);
    let mut flows = dataflow.flows()?;
    dead::leave_out(&model, &mut found, &mut flows);
    let known = Found { dataflow: &dataflow, flows: &flows, dependences: &found, ends: &ends };
    let ranges = private::private(&known)?;
    let expansions = expand::expand(&known, &ranges)?;
    let in_place = variants::with_temporaries_in_place(&known, &ranges)?;
    let expanded = expansions.applied_to(&model);
    if let Some(last) = &expansions.last_values {
        last_values::pass_on(&dataflow, &ends, last, &expanded, &mut found, &mut flows)?;
    }
    let dataflow = dataflow.on(&expanded, &found.dead)?;
    let dependences = dependences::completed(dataflow, &flows, found, (reductions, permissions))?;
    let known = Known {
        extracted: &model,
        model: &expanded,
        expansions: &expansions,
        flows: &flows,
        dependences: &dependences,
        ends: &ends,
    };
    let variants = variants::variants(&known, in_place, (reductions, permissions))?;
    Ok(Scop::new(model, Analysed { expansions, dependences, variants }))
}

/// Reports for each loop of the source whether it is parallel, and if not, why not.
///
/// # Errors
/// Fails if isl fails, which is a bug.
pub fn report(program: Program<Analysed>) -> Result<Outcome<String>, Diagnostics> {
    let mut regions = program.source.regions.iter();
    let mut texts = Vec::new();
    for scop in &program.scops {
        let text = report::report(scop, regions.next()).map_err(|error| {
            Diagnostics::from(Diagnostic::bug(NAME, format!("scop {}: {error}", scop.model.name)))
        })?;
        texts.push(text);
    }
    Ok(Outcome::new(texts.join("\n")))
}

/// Describes the program's claims about its loops, and what each claim requires.
///
/// # Errors
/// Fails if a claim is provably wrong, and for the same reasons as [`run`].
pub fn check_parallel(program: Program<Extracted>) -> Result<Outcome<String>, Diagnostics> {
    let Outcome { value: program, diagnostics } = run(program)?;
    let mut text = String::new();
    for (scop, region) in program.scops.iter().zip(&program.source.regions) {
        let claims = waive::described(&scop.model, &scop.stage.dependences);
        let claims = claims.map_err(|error| given_up(&error, &program.source.path, Some(region)))?;
        if !claims.is_empty() {
            text += &format!("{}, line {}:\n{claims}", region.function, region.range.line);
        }
    }
    Ok(Outcome { value: text, diagnostics })
}

/// Returns the dependence graph of a document in Graphviz's language.
///
/// # Errors
/// Fails if something is missing, which is a bug.
pub fn dot(program: Program<Analysed>) -> Result<Outcome<String>, Diagnostics> {
    let text = graph::dot(&program).map_err(|error| Diagnostic::bug(NAME, error.to_string()))?;
    Ok(Outcome::new(text))
}
