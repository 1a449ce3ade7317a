//! Affine transformation, tiling and mapping, in two passes.
//!
//! [`order()`], `Analysed → Ordered`: finds an order of the statement instances that respects the dependences and
//! exposes parallel loops. The result is a schedule tree that does not refer to a GPU. [`map()`],
//! `Ordered → Scheduled`: decides which parts are kernels and which stay on the host, tiles, and binds blocks and
//! threads to loops. The result is a tree with marks (see `scop::mark`) and the sizes of each launch. [`run`] runs
//! both passes.

mod bands;
mod barrier;
mod bins;
mod blocked;
mod chunks;
mod compared;
mod constraints;
mod cost;
mod divide;
mod duration;
mod exactly;
mod explain;
mod grid;
mod host_only;
mod host_time;
mod host_values;
mod isl_alone;
mod kernel;
mod kernel_context;
mod last_values;
mod levels;
mod local;
mod old_values;
mod options;
mod order;
mod other;
mod owner;
mod permission;
mod place;
mod plan;
mod plan_as_wishes;
mod price;
mod ranges;
mod ranked;
mod reuse;
mod search;
mod search_space;
mod select;
mod shape;
mod sharing;
mod sink;
mod sizes;
mod sizing;
mod space;
mod steps;
mod stride;
mod threshold;
mod transfers;
mod tree;
mod trial;
mod unroll;
mod variants;
mod wishes;

use std::collections::{BTreeMap, BTreeSet};

pub use isl_alone::{Question, questions};
use options::Priced;
pub use options::{CommandLine, Instead, Options, Part};
use order::Order;
use permission::Permission;
use place::Placed;
use polyhedra::{Error, Set, Text};
use scop::wish::{AlgorithmKind, Offload, Target, Verdict, for_no_region, listed};
use scop::{
    Analysed, Answer, Diagnostic, Diagnostics, Function, HostNode, HostStatement, Kernel, Mapping, Model,
    Ordered, Outcome, Program, ReductionOp, Region, Scheduled, Scop, Source, Stage, StatementId, Wanted,
    Wish,
};
use search::Found;
use threshold::{Limit, Mapped, limit};
use trial::{Trial, Tried};
use variants::{Chosen, Forms};
use wishes::{Refused, Wishes, rule_of_blocks};

/// The name of the tool.
pub const NAME: &str = "scheduler";

/// Schedules every scop of a program: [`order()`], then [`map()`].
///
/// # Errors
///
/// Returns an error if isl fails, which is a bug or means that a scop is too large, and messages about wishes that
/// cannot be met (`E0304`, `E0305`).
pub fn run(
    program: Program<Analysed>,
    options: &Options,
) -> Result<Outcome<Program<Scheduled>>, Diagnostics> {
    Ok(decide(program, options)?.0)
}

/// Schedules every scop of a program; also returns what was decided.
fn decide(
    program: Program<Analysed>,
    options: &Options,
) -> Result<(Outcome<Program<Scheduled>>, Vec<Wish>), Diagnostics> {
    let priced = options.priced()?;
    let runs_again = run_again(&program);
    let mut plan = Vec::new();
    let outcome = mapped(program, options, |scop, functions| {
        let SearchedScop { scop, trial, unordered } = find_order(scop, functions, options, &priced)?;
        let MappedScop { scop, decided, mut refused } =
            map_order(scop, trial, functions, options, (&priced, runs_again))?;
        plan.extend(decided);
        refused.extend(unordered);
        Ok((scop, refused))
    })?;
    Ok((outcome, plan))
}

/// Finds an order for every scop of a program.
///
/// # Errors
///
/// As for [`run`].
pub fn order(
    program: Program<Analysed>,
    options: &Options,
) -> Result<Outcome<Program<Ordered>>, Diagnostics> {
    let priced = options.priced()?;
    let (value, messages) = passed(program, options, |scop, functions| {
        let SearchedScop { scop, unordered, .. } = find_order(scop, functions, options, &priced)?;
        let (_, mut refused) = order_answers(&scop.model, &scop.stage, options);
        refused.extend(unordered);
        Ok((scop, refused))
    })?;
    match messages.is_empty() {
        true => Ok(Outcome { value, diagnostics: Vec::new() }),
        false => Err(Diagnostics(messages)),
    }
}

/// Maps every scop of a program to the GPU, in the order that it has.
///
/// # Errors
///
/// As for [`run`].
pub fn map(program: Program<Ordered>, options: &Options) -> Result<Outcome<Program<Scheduled>>, Diagnostics> {
    let priced = options.priced()?;
    let runs_again = run_again(&program);
    mapped(program, options, |scop, functions| {
        let MappedScop { scop, refused, .. } =
            map_order(scop, None, functions, options, (&priced, runs_again))?;
        Ok((scop, refused))
    })
}

/// Returns what is printed instead of the document.
///
/// # Errors
///
/// As for [`run`].
pub fn instead(
    program: &Program<Analysed>,
    options: &Options,
    what: Instead,
) -> Result<Outcome<String>, Diagnostics> {
    let value = match what {
        Instead::Explanation => explanation(program, options)?,
        Instead::Plan => {
            let (outcome, plan) = decide(program.clone(), options)?;
            let text = plan_as_wishes::text(&plan).map_err(bug)?;
            return Ok(Outcome { value: text, diagnostics: outcome.diagnostics });
        }
        Instead::Space => space(program, options)?,
    };
    Ok(Outcome { value, diagnostics: Vec::new() })
}

/// Describes the orders that are considered for each region, with what they cost for the GPU and the sizes of the
/// options.
fn explanation(program: &Program<Analysed>, options: &Options) -> Result<String, Diagnostics> {
    let mut text = String::new();
    let runs_again = run_again(program);
    in_each_region(program, options, |forms, priced| {
        let Tried { model, wishes, .. } = forms.own;
        text += &match ranges::choose(forms, priced, wishes.algorithm(), true)? {
            Some(found) => {
                let limit = limit_of_form(forms, (found.variant, &found.found), priced, runs_again)?;
                let limit = limit.map(|limit| limit.reason);
                let floor = forms.own.pricing.floor(forms.own.model, forms.own.dependences)?;
                let permission = Permission::of(forms.own.model, forms.own.dependences, forms.own.pricing)?;
                let permission = permission.map(|permission| permission.said());
                explain::explain(&model.name, &found, (floor, permission.as_deref()), limit.as_deref())
            }
            None => format!("{}\n  the algorithm finds no order\n", model.name),
        };
        Ok(())
    })?;
    Ok(text)
}

/// Returns the sizes up to which a form of a region runs on the host, in an order.
fn limit_of_form(
    forms: Forms<'_>,
    (variant, found): (Option<usize>, &Found),
    priced: &Priced,
    runs_again: bool,
) -> polyhedra::Result<Option<Limit>> {
    let Some(trial) = &found.trial else { return Ok(None) };
    let (model, dependences) = forms.form(variant);
    let pricing = priced.pricing(forms.own.model)?.of_form(&model)?;
    let region = Tried { model: &model, dependences, pricing: &pricing, ..forms.own };
    limit_of(region, forms.extracted, &trial.placed, runs_again)
}

/// Describes the search space: the order that each algorithm finds, and what it leads to.
fn space(program: &Program<Analysed>, options: &Options) -> Result<String, Diagnostics> {
    let mut regions = Vec::new();
    let runs_again = run_again(program);
    in_each_region(program, options, |forms, priced| {
        let chosen = ranges::choose(forms, priced, forms.own.wishes.algorithm(), true)?;
        let taken = chosen.map(|chosen| (chosen.variant, chosen.found.order.algorithm));
        let mut orders = Vec::new();
        for algorithm in AlgorithmKind::DEFINITE {
            let found = forms.all(algorithm)?;
            // An algorithm of isl falls back to the source.
            orders.extend(found.into_iter().filter(|(_, found)| found.order.algorithm == algorithm));
        }
        let floor = forms.own.pricing.floor(forms.own.model, forms.own.dependences)?;
        let floor = floor.map(|floor| floor.microseconds);
        let mut described = Vec::new();
        for (variant, found) in &orders {
            let limit = limit_of_form(forms, (*variant, found), priced, runs_again)?;
            let kernels = found.trial.as_ref().map_or(&[][..], |trial| &trial.placed.kernels);
            let offload = offload(forms.own.wishes, kernels, limit.as_ref());
            described.push(search_space::order(forms, taken, (*variant, found), (offload, floor)));
        }
        regions.push(search_space::of_region(forms, described));
        Ok(())
    })?;
    search_space::text(regions).map_err(bug)
}

/// Does something with the forms of each region; also gives that for which they are priced.
fn in_each_region(
    program: &Program<Analysed>,
    options: &Options,
    mut each: impl FnMut(Forms<'_>, &Priced) -> polyhedra::Result<()>,
) -> Result<(), Diagnostics> {
    let priced = options.priced()?;
    if let Some(message) = unknown_parameter(program, options) {
        return Err(message.into());
    }
    for scop in &program.scops {
        let (model, dependences) = (&scop.model, &scop.stage.dependences);
        let wishes = Wishes::new(model, &options.wishes);
        let functions = &program.functions;
        let done = priced.pricing(model).and_then(|pricing| {
            let own = Tried { model, dependences, functions, wishes: &wishes, pricing: &pricing };
            let forms = Forms {
                extracted: scop.extracted(),
                own,
                expansions: &scop.stage.expansions,
                variants: &scop.stage.variants,
            };
            each(forms, &priced)
        });
        done.map_err(bug)?;
    }
    Ok(())
}

fn bug(error: impl ToString) -> Diagnostics {
    Diagnostic::bug(NAME, error.to_string()).into()
}

/// Runs a mapping pass on every scop of a program. Refused wishes are errors; a region without kernels is a warning.
fn mapped<S>(
    program: Program<S>,
    options: &Options,
    pass: impl FnMut(Scop<S>, &[Function]) -> polyhedra::Result<(Scop<Scheduled>, Vec<Refused>)>,
) -> Result<Outcome<Program<Scheduled>>, Diagnostics> {
    let (value, mut messages) = passed(program, options, pass)?;
    if !options.apart {
        messages.extend(unmet_everywhere(&value));
    }
    if !messages.is_empty() {
        return Err(Diagnostics(messages));
    }
    let regions = value.scops.iter().zip(&value.source.regions);
    let priced = options.priced()?;
    let warnings =
        regions.map(|(scop, region)| host_warning(scop, &priced, &value.source.path, region.range));
    let warnings = warnings.collect::<polyhedra::Result<Vec<_>>>().map_err(bug)?;
    Ok(Outcome { value, diagnostics: warnings.into_iter().flatten().collect() })
}

/// Runs a pass on every scop of a program. Also returns messages about refused wishes.
fn passed<S, T: Stage>(
    program: Program<S>,
    options: &Options,
    mut pass: impl FnMut(Scop<S>, &[Function]) -> polyhedra::Result<(Scop<T>, Vec<Refused>)>,
) -> Result<(Program<T>, Vec<Diagnostic>), Diagnostics> {
    let functions = program.functions.clone();
    let source = program.source.clone();
    let mut regions = source.regions.iter();
    let mut messages = Vec::new();
    let value = program.advance(NAME, |scop| {
        let region = regions.next();
        let (scop, refused) = pass(scop, &functions)?;
        messages.extend(refused.iter().map(|refused| described(refused, &source, region)));
        Ok(scop)
    })?;
    if !options.apart {
        let names: Vec<&str> = value.scops.iter().map(|scop| scop.model.name.as_str()).collect();
        messages.extend(for_no_region(&options.wishes, &names));
        messages.extend(unknown_parameter(&value, options));
    }
    Ok((value, messages))
}

/// A scop with an order.
struct SearchedScop {
    scop: Scop<Ordered>,
    /// Its mapping, if that was tried.
    trial: Option<Trial>,
    /// The refusal of an algorithm that cannot order the scop.
    unordered: Option<Refused>,
}

/// Finds an order. If the algorithm of the options finds none, it is refused.
fn find_order(
    scop: Scop<Analysed>,
    functions: &[Function],
    options: &Options,
    priced: &Priced,
) -> polyhedra::Result<SearchedScop> {
    let wishes = Wishes::new(&scop.model, &options.wishes);
    let (model, analysed) = (&scop.model, &scop.stage);
    let pricing = priced.pricing(model)?;
    let own =
        Tried { model, dependences: &analysed.dependences, functions, wishes: &wishes, pricing: &pricing };
    let forms = Forms {
        extracted: scop.extracted(),
        own,
        expansions: &analysed.expansions,
        variants: &analysed.variants,
    };
    let choose = |algorithm| ranges::choose(forms, priced, algorithm, false);
    let algorithm = wishes.algorithm();
    let (chosen, unordered) = match choose(algorithm)? {
        Some(chosen) => (chosen, None),
        None => {
            let any = choose(AlgorithmKind::Source)?;
            let unordered = Refused::Algorithm(algorithm);
            (any.ok_or_else(|| Error::new("the source has no order"))?, Some(unordered))
        }
    };
    let Chosen { variant, found, .. } = chosen;
    let Order { description, algorithm, fusion, .. } = found.order;
    let ordered = Ordered {
        analysed: analysed.clone(),
        schedule: found.schedule,
        scheduled_by: Some(description),
        algorithm: Some(algorithm),
        fusion,
        variant,
    };
    let scop = Scop::new(scop.extracted().clone(), ordered);
    Ok(SearchedScop { scop, trial: found.trial, unordered })
}

/// Answers the wishes for an order. Also returns those that are refused.
fn order_answers(model: &Model, ordered: &Ordered, options: &Options) -> (Vec<Answer>, Vec<Refused>) {
    let wishes = Wishes::new(model, &options.wishes);
    let (mut answers, mut refused) = wishes.of_order(ordered);
    let of_variants = wishes.of_variants(model, &ordered.analysed.variants, ordered.taken());
    answers.extend(of_variants.0);
    refused.extend(of_variants.1);
    (answers, refused)
}

/// A scop with a mapping.
struct MappedScop {
    scop: Scop<Scheduled>,
    /// What was decided.
    decided: Vec<Wish>,
    /// The wishes that are not met.
    refused: Vec<Refused>,
}

/// Maps an order to blocks and threads, unless its mapping is already known.
fn map_order(
    scop: Scop<Ordered>,
    tried: Option<Trial>,
    functions: &[Function],
    options: &Options,
    (priced, runs_again): (&Priced, bool),
) -> polyhedra::Result<MappedScop> {
    let (scop, ordered) = scop.apart();
    let (model, dependences) = (&scop.model, ordered.respected());
    let wishes = Wishes::new(model, &options.wishes);
    let pricing = priced.pricing(model)?;
    let region = Tried { model, dependences, functions, wishes: &wishes, pricing: &pricing };
    let Trial { tree, mut placed, .. } = match tried {
        Some(trial) => trial,
        None => Trial::new(region, &ordered.schedule)?,
    };
    let limit = limit_of(region, scop.extracted(), &placed, runs_again)?;
    let never = never_executed(model, &dependences.dead, &placed)?;
    placed.host.extend(never);
    placed.note_prices(&pricing.places);
    let (mut answers, mut refused) = order_answers(model, &ordered, options);
    answers.extend(wishes.of_sums(model, dependences));
    let on_host = placed.host.first().map_or("", |host| &host.reason);
    let of_kernels = wishes.of_kernels(&placed.kernels, &placed.shapes, &placed.thread_loops);
    for (more, unmet) in [of_kernels, wishes.of_region(model, &placed.kernels, on_host)] {
        answers.extend(more);
        refused.extend(unmet);
    }
    let forms = (scop.extracted(), &ordered.analysed.variants[..], ordered.variant);
    let mapped = (&placed.kernels[..], &placed.shapes[..], &placed.thread_loops[..]);
    let offload = offload(&wishes, &placed.kernels, limit.as_ref());
    let decided = plan_as_wishes::plan(forms, (ordered.algorithm, offload), mapped);
    let threshold = limit.map(|limit| limit.threshold()).transpose()?;
    let mapping = Mapping { tree, kernels: placed.kernels, host: placed.host, threshold, answers };
    Ok(MappedScop { scop: scop.with(Scheduled { ordered, mapping }), decided, refused })
}

/// Returns the sizes up to which the region runs on the host, as the user says or by the time model.
fn limit_of(
    region: Tried<'_>,
    extracted: &Model,
    placed: &Placed,
    runs_again: bool,
) -> polyhedra::Result<Option<Limit>> {
    let Tried { model, dependences, wishes, pricing, .. } = region;
    match wishes.offload() {
        Some(Offload::Always | Offload::Never) => Ok(None),
        Some(Offload::Above(sizes)) if !placed.kernels.is_empty() && has_parameters(model, sizes) => {
            Ok(Some(Limit::asked(sizes)))
        }
        _ => limit(Mapped { extracted, model, dependences, placed, runs_again }, pricing),
    }
}

fn has_parameters(model: &Model, sizes: &BTreeMap<String, i64>) -> bool {
    sizes.keys().all(|name| model.parameters.iter().any(|parameter| parameter.name == *name))
}

/// Returns where a region runs, as a wish; nothing if it has no kernels although the user does not ask for that.
fn offload(wishes: &Wishes<'_>, kernels: &[Kernel], limit: Option<&Limit>) -> Option<Offload> {
    match limit {
        _ if wishes.offload() == Some(&Offload::Never) => Some(Offload::Never),
        _ if kernels.is_empty() => None,
        Some(limit) => Some(Offload::Above(limit.sizes.clone())),
        None => Some(Offload::Always),
    }
}

/// True if the host code may run regions after each other, so that the second finds on the device what the first one
/// left there: there are several, or one is in a loop or in a function that is called in one.
fn run_again<S>(program: &Program<S>) -> bool {
    let has_region = |nodes: &[HostNode]| {
        let mut found = false;
        HostNode::walk(nodes, &mut |node| found |= matches!(node, HostNode::Region(_)));
        found
    };
    let with_region = program.host.iter().filter(|procedure| has_region(&procedure.body));
    let with_region: Vec<_> = with_region.map(|procedure| procedure.id).collect();
    let mut again = program.scops.len() > 1;
    for procedure in &program.host {
        HostNode::walk(&procedure.body, &mut |node| {
            let HostNode::Loop(one) = node else { return };
            HostNode::walk(&one.body, &mut |inner| {
                let mut calls = inner.codes().into_iter().flat_map(|code| &code.calls);
                again |= matches!(inner, HostNode::Region(_)) || calls.any(|id| with_region.contains(id));
            });
        });
    }
    again
}

/// Returns the message about a refused wish (`E0304` or `E0305`). Wishes are met exactly or not at all.
fn described(refused: &Refused, source: &Source, region: Option<&Region>) -> Diagnostic {
    let diagnostic = match refused {
        Refused::Blocks { kernel, tiles, wanted, nearest } => {
            let (wanted, tiles) = (listed(wanted), listed(tiles));
            let message =
                format!("blocks of {wanted} threads do not go with the tile sizes {tiles} of {kernel}");
            let nearest = listed(nearest);
            Diagnostic::error("E0304", message)
                .with_help(format!("the nearest that do are blocks of {nearest}: {}", rule_of_blocks()))
        }
        Refused::Algorithm(algorithm) => not_ordered(*algorithm),
        Refused::Other { wish, reason } => not_met(wish, reason),
    };
    match region {
        Some(region) => diagnostic.at(&source.path, region.range, "the region"),
        None => diagnostic,
    }
}

/// Returns the message about a size for a parameter that no region has (`E0305`).
fn unknown_parameter<S>(program: &Program<S>, options: &Options) -> Option<Diagnostic> {
    let known = || program.scops.iter().flat_map(|scop| &scop.model.parameters);
    let is_known = |name: &&String| known().any(|parameter| parameter.name == **name);
    let name = options.sizes.keys().find(|name| !is_known(name))?;
    let message = format!("`--assume {name}=…` is for a parameter that no region has");
    let names: BTreeSet<&str> = known().map(|parameter| parameter.name.as_str()).collect();
    let help = match names.len() {
        0 => "the regions have no parameters: leave the option out".to_owned(),
        _ => format!("the parameters are {}", names.into_iter().collect::<Vec<_>>().join(", ")),
    };
    Some(Diagnostic::error("E0305", message).with_help(help))
}

fn not_ordered(algorithm: AlgorithmKind) -> Diagnostic {
    let why = match algorithm {
        AlgorithmKind::Levels => {
            "no loop has iterations that fall into a few levels of independent instances"
        }
        AlgorithmKind::Blocked => {
            "no loop has blocks of iterations that fall into a few levels of independent tiles"
        }
        _ => "it finds no order",
    };
    let message = format!("`--algorithm {algorithm}` cannot order this region: {why}");
    Diagnostic::error("E0305", message)
        .with_help("leave the option out; `scheduler --explain` shows the orders that there are")
}

fn not_met(wish: &Wish, reason: &str) -> Diagnostic {
    let message = format!("{} for {} cannot be had: {reason}", wish.wanted, wish.target);
    let help = match wish.wanted {
        Wanted::Fusion(_) | Wanted::Algorithm(_) => format!("leave out `{}` for this region", wish.origin),
        _ if wish.target.kernel.is_some() => format!(
            "leave out `{}` or name another part. Which kernels there are depends on all wishes, because sizes have a \
             price: `scheduler --plan` prints a list that goes together, and `--algorithm` keeps an order",
            wish.origin
        ),
        _ => format!(
            "leave out `{}` or name another part; `c2cuda --to scheduler` shows which `loops` and `mapping.kernels` \
             there are",
            wish.origin
        ),
    };
    Diagnostic::error("E0305", message).with_help(help)
}

/// Returns messages about wishes that name something that no region has.
fn unmet_everywhere(program: &Program<Scheduled>) -> Vec<Diagnostic> {
    let answers = || program.scops.iter().flat_map(|scop| &scop.stage.mapping.answers);
    let mut said: Vec<&Wish> = Vec::new();
    let mut messages = Vec::new();
    let is_pointless = |answer: &&Answer| answer.verdict == Verdict::Pointless;
    for Answer { wish, reason, .. } in answers().filter(is_pointless) {
        let Target { kernel, source_loop, array, .. } = &wish.target;
        let is_above = matches!(wish.wanted, Wanted::Offload(Offload::Above(_)));
        let named = is_above || kernel.is_some() || source_loop.is_some() || array.is_some();
        let everywhere =
            || answers().filter(|answer| answer.wish == *wish).all(|answer| is_pointless(&answer));
        if named && !said.contains(&wish) && everywhere() {
            said.push(wish);
            messages.push(not_met(wish, reason));
        }
    }
    messages
}

/// Returns the statements that have no instance for any possible parameters. The order does not contain them.
fn never_executed(
    model: &Model,
    dead: &[StatementId],
    placed: &Placed,
) -> polyhedra::Result<Vec<HostStatement>> {
    let in_kernels = placed.kernels.iter().flat_map(|kernel| &kernel.statements);
    let mapped: BTreeSet<_> = in_kernels.chain(placed.host.iter().map(|host| &host.statement)).collect();
    let context = Set::parse(&model.context.0)?;
    let mut found = Vec::new();
    for statement in model.statements.iter().filter(|statement| !dead.contains(&statement.id)) {
        let is_mapped = mapped.contains(&statement.id);
        if !is_mapped && Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?.is_empty()? {
            let reason = "it has no instances".to_owned();
            found.push(HostStatement { statement: statement.id, reason });
        }
    }
    Ok(found)
}

/// Warns if a region does not use the GPU.
fn host_warning(
    scop: &Scop<Scheduled>,
    priced: &Priced,
    path: &str,
    range: scop::SourceRange,
) -> polyhedra::Result<Option<Diagnostic>> {
    let mapping = &scop.stage.mapping;
    let is_wanted = |answer: &Answer| {
        answer.wish.wanted == Wanted::Offload(Offload::Never) && answer.verdict == Verdict::Met
    };
    if !mapping.kernels.is_empty() || mapping.answers.iter().any(is_wanted) {
        return Ok(None);
    }
    let reason = scop.stage.mapping.host.first().map(|host| host.reason.clone()).unwrap_or_default();
    let mut sums = match &rounded(scop)[..] {
        [] => String::new(),
        [one] => format!("{one} keeps C's order, because another one would round differently; "),
        all => format!("{} keep C's order, because another one would round differently; ", all.join(" and ")),
    };
    let permission = match scop.stage.dependences() {
        Some(dependences) => Permission::of(&scop.model, dependences, &priced.pricing(&scop.model)?)?,
        None => None,
    };
    if let Some(permission) = permission {
        sums += &format!("{}; ", permission.said());
    }
    Ok(Some(
        Diagnostic::warning("W0303", format!("this region stays on the host: {reason}"))
            .at(path, range, "runs on the host")
            .with_help(format!("{sums}`c2cuda --report FILE.c` shows for each loop what keeps it in order")),
    ))
}

/// Returns the sums and products of floating-point numbers in a region, in words. They are not exactly associative.
fn rounded(scop: &Scop<Scheduled>) -> Vec<String> {
    let mut found = Vec::new();
    for reduction in scop.stage.dependences().into_iter().flat_map(|found| &found.reductions) {
        let noun = match reduction.operator {
            ReductionOp::Sum => "sum",
            ReductionOp::Product => "product",
            _ => continue,
        };
        let array = scop.model.access(reduction.write).and_then(|access| scop.model.array(access.array));
        let Ok(array) = array else { continue };
        let name = array.expansion_of.as_ref().unwrap_or(&array.name);
        let words = format!("the {noun} in `{name}`");
        if !array.element.is_integer() && !found.contains(&words) {
            found.push(words);
        }
    }
    found
}
