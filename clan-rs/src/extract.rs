//! The extraction of a region: from its statements to its model.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, Set, Simplify, Text};
use scop::{
    AccessKind, ArrayId, CType, Claim, Diagnostic, IslSet, Loop, LoopId, Model, Parameter, SourceRange,
    Statement, StatementId,
};

use crate::affine::point::Point;
use crate::affine::translator::Affine;
use crate::around::outside;
use crate::body::function_table::Functions;
use crate::body::translator::{Body, Flags, Instances, Shared};
use crate::c::ctree::{Stmt, StmtKind, Tree, VariableId};
use crate::c::source::SourceText;
use crate::control::order::{self, Loops};
use crate::control::pieces::Order;
use crate::control::runs::Run;
use crate::control::statements::Control;
use crate::errors::{DIRECTIVE, EMPTY, Fault, Faults, IDLE, Result};
use crate::memory::arrays::Arrays;
use crate::memory::concurrent::mark_concurrent;
use crate::memory::dead::mark_dead;
use crate::memory::linearised;
use crate::memory::possible;
use crate::regions::facts::RegionFacts;
use crate::regions::marked::MarkedRegion;
use crate::regions::nesting;
use crate::regions::opaque::Opaque;
use crate::regions::special;
use crate::variables::certain;
use crate::variables::constants;
use crate::variables::cxx_regions;
use crate::variables::environment::Environment;
use crate::variables::guards;
use crate::variables::names::Names;
use crate::variables::products;

/// The result of the extraction of a region.
pub enum Extraction {
    /// The region was extracted.
    Model {
        /// The model.
        model: Box<Model>,
        /// The array of each variable that is in memory.
        variables: BTreeMap<VariableId, ArrayId>,
        /// Warnings about it.
        warnings: Vec<Diagnostic>,
    },
    /// None of the statements ever runs, for example in a stencil of size 1; a warning reports this.
    Idle(Diagnostic),
    /// The region was refused, for reasons that were added to the faults.
    Refused,
}

/// Extracts a region.
pub fn extract<'t>(
    tree: &'t Tree,
    source: &'t SourceText,
    region: &'t MarkedRegion<'t>,
    name: &str,
    functions: &mut Functions<'t>,
    faults: &mut Faults,
) -> Result<Extraction> {
    let special = special::check(tree, region);
    if !special.is_empty() {
        faults.extend(special);
        return Ok(Extraction::Refused);
    }
    let too_deep: Vec<_> =
        region.statements.iter().filter_map(|stmt| nesting::check_source(tree, stmt)).collect();
    if !too_deep.is_empty() {
        too_deep.into_iter().for_each(|fault| faults.push(fault));
        return Ok(Extraction::Refused);
    }
    let (mut opaque, mut entered) = (Opaque::default(), BTreeSet::new());
    loop {
        let mut new = Faults::default();
        match attempt((tree, source, region), name, (&opaque, &entered), functions, &mut new)? {
            Attempt::Done(extraction) => {
                faults.extend(new);
                return Ok(extraction);
            }
            Attempt::Again(found, wanted) => {
                opaque.extend(found);
                entered.extend(wanted);
            }
        }
    }
}

/// The result of an attempt to extract a region.
enum Attempt {
    /// The extraction is complete.
    Done(Extraction),
    /// Another attempt is needed: more control must become steps of statements, or the values of iterators before
    /// the region are needed.
    Again(Opaque, BTreeSet<VariableId>),
}

/// Tries to extract a region with the steps and iterators that earlier attempts found (`known`).
fn attempt<'t>(
    (tree, source, region): (&'t Tree, &'t SourceText, &'t MarkedRegion<'t>),
    name: &str,
    known: (&Opaque, &BTreeSet<VariableId>),
    functions: &mut Functions<'t>,
    faults: &mut Faults,
) -> Result<Attempt> {
    let mut names = Names::default();
    functions.reserve(&mut names);
    let environment = Environment::new(RegionFacts::new(tree, region, known), &mut names);
    let products = products::of_region(&environment, &mut names);
    cxx_regions::check(&environment, faults);
    if environment.function.is_template {
        return Ok(Attempt::Done(Extraction::Refused));
    }
    outside::check_declarations(&environment, faults);
    let mut affine = Affine::new(&environment, products)?;
    let Pieces { order, runs, has_idle_code, found } = pieces(&mut affine, faults)?;
    let wanted = std::mem::take(&mut affine.wanted);
    if !found.is_empty() || !wanted.is_empty() {
        return Ok(Attempt::Again(found, wanted));
    }
    note_active(&mut affine, &runs)?;
    let Some(order) = order else {
        return Ok(Attempt::Done(without_pieces(region, has_idle_code, faults)));
    };
    let views = linearised::views(&mut affine, &mut names)?;
    let mut arrays = Arrays::new(source, declaration_depths(&environment), views);
    let Loops { loops, around } = Loops::new(&order, tree);
    let independent = independent(region, &loops, faults);
    let dimensions = dimension_names(&runs, &environment, &mut names);
    let mut flags = Flags::new();
    let shared = Shared {
        affine: &mut affine,
        arrays: &mut arrays,
        names: &mut names,
        faults,
        functions,
        flags: &mut flags,
    };
    let statements = Statements { region: shared, source, loops: &around, dimensions };
    let statements = statements.all(&runs)?;
    let wanted = std::mem::take(&mut affine.wanted);
    if !wanted.is_empty() {
        return Ok(Attempt::Again(Opaque::default(), wanted));
    }
    statements.iter().filter_map(nesting::check_statement).for_each(|fault| faults.push(fault));
    settle_memory(&mut affine, &mut arrays, &statements, faults)?;
    if !faults.is_empty() {
        return Ok(Attempt::Done(Extraction::Refused));
    }
    let variables = arrays.known.clone();
    let model = Box::new(assemble(name, &affine, arrays, (loops, independent), statements, &order)?);
    Ok(Attempt::Done(Extraction::Model { model, variables, warnings: affine.warnings }))
}

/// The straight-line pieces of a region, and their order.
struct Pieces<'t> {
    /// Their order; `None` if there are none.
    order: Option<Order>,
    /// The pieces: number k becomes statement k.
    runs: Vec<(Run<'t>, Point)>,
    /// True if some statement of the region never runs.
    has_idle_code: bool,
    /// Control that must become steps of statements, found in this attempt.
    found: Opaque,
}

fn pieces<'t>(affine: &mut Affine<'_, 't>, faults: &mut Faults) -> Result<Pieces<'t>> {
    let mut control = Control {
        affine: &mut *affine,
        faults,
        runs: Vec::new(),
        has_idle_code: false,
        found: Opaque::default(),
        guards: Vec::new(),
        flags: 0,
    };
    let order = control.region()?;
    let Control { runs, has_idle_code, mut found, .. } = control;
    found.divides_too_often = affine.divides_too_often;
    Ok(Pieces { order, runs, has_idle_code, found })
}

/// Records the parameter values for which some piece runs.
fn note_active(affine: &mut Affine, runs: &[(Run<'_>, Point)]) -> Result<()> {
    for (_, point) in runs {
        affine.active = affine.active.copy()?.union(affine.known(point)?.params()?)?;
    }
    Ok(())
}

/// Returns the result for a region that does nothing.
fn without_pieces(region: &MarkedRegion<'_>, has_idle_code: bool, faults: &mut Faults) -> Extraction {
    match (faults.is_empty(), has_idle_code) {
        (true, true) => return Extraction::Idle(idle(region)),
        (true, false) => faults.push(empty(region)),
        (false, _) => {}
    }
    Extraction::Refused
}

/// Checks how statements use memory, and records what is certain about it. Stops at the first check that finds
/// faults, because the later checks rely on it.
fn settle_memory(
    affine: &mut Affine,
    arrays: &mut Arrays,
    statements: &[Statement],
    faults: &mut Faults,
) -> Result<()> {
    let environment = affine.environment;
    let written = written(statements);
    refuse_changed_constants(environment, arrays, &written, faults)?;
    arrays.expose_scalars(environment, &written)?;
    if !faults.is_empty() {
        return Ok(());
    }
    note_first_rows(environment, arrays);
    possible::check(affine, arrays, statements, faults)?;
    if !faults.is_empty() {
        return Ok(());
    }
    mark_dead(environment, arrays);
    arrays.refuse_registers(environment, &written, faults)?;
    if faults.is_empty() {
        mark_concurrent(environment, arrays);
    }
    Ok(())
}

/// Records the arrays whose first element is certainly accessed by the region or by code before it.
fn note_first_rows(environment: &Environment, arrays: &mut Arrays) {
    let before = certain::first_elements_before(environment);
    for id in certain::first_elements(environment).into_iter().chain(before) {
        if let Some(&array) = arrays.known.get(&id) {
            arrays.certain_rows.entry(array).or_default().push("{ [0] }".to_owned());
        }
    }
}

fn idle(region: &MarkedRegion) -> Diagnostic {
    Diagnostic::warning(IDLE, "this region never does anything, and is left as it is")
        .at("", region.opening, "no statement below is ever executed with these macros")
        .with_help(
            "nothing needs to be done if such small sizes are intended; otherwise check the loop bounds",
        )
}

fn empty(region: &MarkedRegion) -> Fault {
    Fault::new(EMPTY, "this region computes nothing", region.opening, "the region begins here")
        .with_help("put the loops to translate between `#pragma scop` and `#pragma endscop`")
}

/// Returns the claims of a region about its loops.
fn independent(region: &MarkedRegion<'_>, loops: &[Loop], faults: &mut Faults) -> Vec<Claim> {
    let mut claims = Vec::new();
    for claim in &region.claims {
        let is_next = |around: &&Loop| around.range.is_some_and(|range| range.start == claim.next);
        match loops.iter().find(is_next) {
            Some(around) => claims.push(Claim {
                around: around.id,
                origin: "#pragma c2cuda independent".to_owned(),
                range: Some(claim.range),
            }),
            None => faults.push(without_loop(claim.range)),
        }
    }
    claims
}

fn without_loop(range: SourceRange) -> Fault {
    let message = "`#pragma c2cuda independent` must be followed by a loop that can run on the GPU";
    Fault::new(DIRECTIVE, message, range, "this describes the loop that follows").with_help(
        "write it directly before a `for` loop whose bounds, like those of the loops around it, do not depend on data, \
         or remove it",
    )
}

fn assemble(
    name: &str,
    affine: &Affine,
    arrays: Arrays,
    (loops, independent): (Vec<Loop>, Vec<Claim>),
    statements: Vec<Statement>,
    order: &Order,
) -> Result<Model> {
    let environment = affine.environment;
    let variables = environment.parameters.iter().map(|(&id, name)| {
        let variable = environment.tree.variable(id);
        let ctype = variable.arithmetic().unwrap_or(CType::Int);
        Parameter { name: name.clone(), expression: environment.value(id), ctype }
    });
    let products = affine.products.values().cloned();
    let mut parameters: Vec<Parameter> = variables.chain(products).chain(arrays.lengths).collect();
    guards::guard(environment, &mut parameters, &arrays.arrays, &statements)?;
    Ok(Model {
        name: name.to_owned(),
        context: context(affine, &parameters)?,
        assumptions: assumptions(affine)?,
        order: order::schedule(order, &parameters, &loops, &statements)?,
        parameters,
        loops,
        independent,
        wishes: Vec::new(),
        arrays: arrays.arrays,
        statements,
        extensions: Vec::new(),
    })
}

/// Returns the assumptions about the parameters beyond the ranges of their types.
fn assumptions(affine: &Affine) -> Result<Option<IslSet>> {
    if affine.ranges.is_subset(&affine.assumed)? {
        return Ok(None);
    }
    Ok(Some(IslSet(affine.assumed.text()?)))
}

/// Returns what is known or assumed about the parameters.
fn context(affine: &Affine, parameters: &[Parameter]) -> Result<IslSet> {
    let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
    let signs = parameters.iter().filter(|p| p.ctype.is_unsigned()).map(|p| format!("{} >= 0", p.name));
    let signs = signs.collect::<Vec<_>>().join(" and ");
    let known = Set::parse(&format!("[{}] -> {{ : {signs} }}", names.join(", ")))?;
    Ok(IslSet(known.intersect(affine.assumed.copy()?)?.simplified()?.text()?))
}

fn refuse_changed_constants(
    environment: &Environment,
    arrays: &Arrays,
    written: &[ArrayId],
    faults: &mut Faults,
) -> Result<()> {
    let variables: BTreeMap<ArrayId, VariableId> =
        arrays.known.iter().map(|(&id, &array)| (array, id)).collect();
    // Arrays that store conditions belong to no variable.
    let of_variables = written.iter().filter_map(|id| Some((*id, *variables.get(id)?)));
    let written = of_variables
        .map(|(id, variable)| Ok((scop::part(&arrays.arrays, id.index(), id)?, variable)))
        .collect::<Result<Vec<_>>>()?;
    constants::check(environment, &written, faults);
    Ok(())
}

/// Returns the arrays that statements write.
fn written(statements: &[Statement]) -> Vec<ArrayId> {
    let accesses = statements.iter().flat_map(|statement| &statement.accesses);
    let writes = accesses.filter(|access| access.kind == AccessKind::Write);
    writes.map(|access| access.array).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the number of loops around the declaration of each variable of the region.
fn declaration_depths(environment: &Environment) -> BTreeMap<VariableId, u32> {
    let mut depths = BTreeMap::new();
    for stmt in &environment.region.statements {
        note_depths(&environment.opaque, stmt, 0, &mut depths);
    }
    depths
}

fn note_depths(opaque: &Opaque, stmt: &Stmt, depth: u32, depths: &mut BTreeMap<VariableId, u32>) {
    note_declarations(stmt, depth, depths);
    let opens_loop = matches!(stmt.kind, StmtKind::For { .. }) && !opaque.contains(stmt);
    let inner = depth + u32::from(opens_loop);
    for part in stmt.parts() {
        if opaque.contains(stmt) {
            part.walk(&mut |inside| note_declarations(inside, depth, depths));
        } else {
            note_depths(opaque, part, inner, depths);
        }
    }
}

fn note_declarations(stmt: &Stmt, depth: u32, depths: &mut BTreeMap<VariableId, u32>) {
    if let StmtKind::Declaration(ids) = &stmt.kind {
        depths.extend(ids.iter().map(|&id| (id, depth)));
    }
}

/// Returns a name for each iterator as a dimension of a domain; it must differ from the names of parameters.
fn dimension_names(
    runs: &[(Run, Point)],
    environment: &Environment,
    names: &mut Names,
) -> BTreeMap<VariableId, String> {
    let iterators: BTreeSet<VariableId> =
        runs.iter().flat_map(|(_, point)| point.loops.iter().copied()).collect();
    let mut by_wish: BTreeMap<&str, String> = BTreeMap::new();
    let mut result = BTreeMap::new();
    for id in iterators {
        let wish = environment.name(id);
        let name = by_wish.entry(wish).or_insert_with(|| names.unused(wish));
        result.insert(id, name.clone());
    }
    result
}

/// The translation of all pieces of a region.
struct Statements<'a, 'e, 't> {
    region: Shared<'a, 'e, 't>,
    source: &'a SourceText,
    /// The loops around each statement.
    loops: &'a BTreeMap<StatementId, Vec<LoopId>>,
    dimensions: BTreeMap<VariableId, String>,
}

impl<'t> Statements<'_, '_, 't> {
    fn all(mut self, runs: &[(Run<'t>, Point)]) -> Result<Vec<Statement>> {
        let mut next_access = 0;
        let mut statements = Vec::new();
        for (number, (run, point)) in runs.iter().enumerate() {
            let statement = self.statement(StatementId(number as u32), run, point, next_access)?;
            next_access += statement.accesses.len() as u32;
            statements.push(statement);
        }
        Ok(statements)
    }

    fn statement(
        &mut self,
        id: StatementId,
        run: &Run<'t>,
        point: &Point,
        next_access: u32,
    ) -> Result<Statement> {
        let loops =
            self.loops.get(&id).ok_or_else(|| Fault::bug(format!("{id} is missing from the order")))?;
        let dimensions: Vec<String> = point.loops.iter().map(|l| self.dimensions[l].clone()).collect();
        let instances = Instances { statement: id, domain: &point.domain, dimensions: &dimensions };
        let mut body = Body::of_statement(self.region.lend(), instances, next_access);
        let steps = body.steps(run, point)?;
        let accesses = body.accesses;
        let range = self.source.whole_statements(run.ends.0, run.ends.1);
        Ok(Statement {
            id,
            loops: loops.clone(),
            domain: domain(id, point, &dimensions)?,
            accesses,
            body: steps,
            range,
            text: self.source.slice(range),
        })
    }
}

fn domain(id: StatementId, point: &Point, dimensions: &[String]) -> Result<IslSet> {
    let mut domain = point.domain.copy()?.set_tuple_name(&id.to_string())?;
    for (position, name) in dimensions.iter().enumerate() {
        domain = domain.set_dim_name(DimType::Set, position as u32, name)?;
    }
    Ok(IslSet(domain.detect_equalities()?.remove_redundancies()?.text()?))
}
