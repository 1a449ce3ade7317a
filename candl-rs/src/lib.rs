//! candl-rs finds what must stay in order.
//!
//! [`run`] goes through these passes for every scop:
//!
//! 1. [`accesses`]: the access relations, tagged with the accesses that cause them;
//! 2. [`order`]: the order of the source, refined to the steps inside a statement;
//! 3. [`flow`], [`live`]: which values go where, come from before the region, and are needed after it, by
//!    [`polyhedra::last`];
//! 4. [`dead`]: the statements whose values go nowhere;
//! 5. [`private`], [`expand`]: variables that are used over and over get one copy for each iteration: an array may get
//!    leading dimensions for loops, as if it were declared in them, or become several arrays ([`scop::Expansions`]);
//! 6. [`anti`], [`output`]: who must stay before whom because of the memory that is left to share;
//! 7. [`reductions`]: which of all these come from updates that may be done in any order; [`relax`]: where that gives
//!    the same bits and there is something to gain, the order is given up.
//!
//! [`mod@report`] says of each loop what keeps it in order, and [`dot()`] draws the dependences. Whether a schedule, a
//! loop program or a new order respects them is the question of the library [`proof`], of which `--check` and `--order`
//! are the commands.

mod accesses;
mod anti;
mod carried;
mod dataflow;
mod dead;
mod expand;
mod flow;
mod graph;
mod live;
mod live_ranges;
mod options;
mod order;
mod output;
mod private;
mod reductions;
mod relax;
mod report;
mod updates;
mod waive;

use polyhedra::Result as IslResult;
use scop::{
    Analysed, Dependences, Diagnostic, Diagnostics, Extracted, GIVEN_UP, Model, Outcome, Program, Region,
    Scop, Statement, allowance,
};

use crate::dataflow::Dataflow;

pub use options::{Mode, Options, Reductions};

/// The name of this tool.
pub const NAME: &str = "candl-rs";

/// Adds the dependences to every scop, as the tool does if it is told nothing else.
///
/// # Errors
/// As [`run_with`].
pub fn run(program: Program<Extracted>) -> Result<Outcome<Program<Analysed>>, Diagnostics> {
    run_with(program, Reductions::default())
}

/// Adds the dependences to every scop.
///
/// # Errors
/// If a scop is so complicated that isl fails on it, or would work on it for minutes; and a claim of the program that
/// is provably wrong.
pub fn run_with(
    program: Program<Extracted>,
    reductions: Reductions,
) -> Result<Outcome<Program<Analysed>>, Diagnostics> {
    let source = program.source.clone();
    let mut regions = source.regions.iter();
    let mut refuted = Vec::new();
    let analyse = |scop: Scop<Extracted>| {
        let region = regions.next();
        let work = || {
            let scop = analyse(scop.model, reductions)?;
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
    let mut diagnostics = Vec::new();
    for scop in &value.scops {
        diagnostics
            .extend(left_out(scop, &source.path).map_err(|error| given_up(&error, &source.path, None))?);
    }
    Ok(Outcome { value, diagnostics })
}

/// What is said about statements without effect.
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

/// The operations of isl that the analysis of one scop may take.
const OPERATIONS: u64 = 30_000_000;

/// The document is sound, so what isl cannot do with it is a limit of isl's: it gives up, or fails on rare combinations
/// of conditions with `%` and bounds that differ between statements.
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

/// Analyses a scop.
///
/// # Errors
/// If isl gives up, or if the model violates an invariant of the document.
pub fn analyse(model: Model, reductions: Reductions) -> IslResult<Scop<Analysed>> {
    let dataflow = Dataflow::new(&model)?;
    let mut found = Dependences {
        flow: flow::flow(&dataflow)?,
        anti: Vec::new(),
        output: Vec::new(),
        live_in: live::live_in(&dataflow)?,
        live_out: live::live_out(&dataflow)?,
        reductions: Vec::new(),
        dead: Vec::new(),
        waived: Vec::new(),
    };
    found.dead = dead::dead(&model, &found.flow, &found.live_out);
    let mut flows = dataflow.flows()?;
    dead::leave_out(&model, &mut found, &mut flows);
    let ranges = private::private(&model, &flows, &found)?;
    let expansions = expand::expand(&model, &ranges)?;
    let expanded = expansions.applied_to(&model);
    let dataflow = dataflow.on(&expanded, &found.dead)?;
    let output = output::output(&dataflow)?;
    found.anti = anti::anti(&dataflow)?;
    found.output = dataflow.dependences(output.dependences.copy()?)?;
    found.reductions = reductions::reductions(&dataflow, &flows, &found)?;
    if reductions == Reductions::Any {
        relax::relax(dataflow, &mut found)?;
    }
    waive::waive(&expanded, &mut found)?;
    Ok(Scop::new(model, Analysed { expansions, dependences: found }))
}

/// For each loop of the source whether it is parallel, and if not, why not.
///
/// # Errors
/// If isl fails, which is a bug.
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

/// What the program claims of its loops, and what would have to hold for that.
///
/// # Errors
/// A claim that is provably wrong, or as [`run`].
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

/// The dependence graph of a document in Graphviz's language.
///
/// # Errors
/// If something is missing, which is a bug.
pub fn dot(program: Program<Analysed>) -> Result<Outcome<String>, Diagnostics> {
    let text = graph::dot(&program).map_err(|error| Diagnostic::bug(NAME, error.to_string()))?;
    Ok(Outcome::new(text))
}
