//! Arrays of their own for webs.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, Map, Result, Text};
use scop::{
    Array, ArrayId, BinaryOp, Expr, ExprKind, Extent, IslMap, Model, Statement, Step, Storage, names,
};

use crate::webs::Web;

/// Gives each web an array that only the region sees, with the iterators of some loops as leading subscripts.
///
/// *Before → after*, for a scalar `A3` and the loops 0 and 1: `{ S0[i, j, k] -> A3[] }` → `{ S0[i, j, k] -> A3[i, j] }`.
///
/// Where all accesses to an array go to webs, the first one keeps its number; further ones are new arrays behind the others.
pub fn expand(mut model: Model, webs: &[(Web, Vec<usize>)]) -> Result<Model> {
    let mut taken = taken_names(&model);
    let originals = model.arrays.clone();
    for (web, loops) in webs {
        let number = if is_whole(web, webs, &model) { web.array } else { ArrayId(model.arrays.len() as u32) };
        let old = scop::part(&originals, web.array.index(), web.array)?;
        let mut array = expanded(old, loops.len());
        array.id = number;
        if number != web.array {
            array.name = names::unused(&old.name, &mut taken);
        }
        for statement in &mut model.statements {
            redirect(statement, web, number, loops)?;
        }
        match model.arrays.get_mut(number.index()) {
            Some(place) => *place = array,
            None => model.arrays.push(array),
        }
    }
    let arrays = arrays_of_accesses(&model);
    for step in model.statements.iter_mut().flat_map(|statement| &mut statement.body) {
        spell_out(step, &arrays);
    }
    Ok(model)
}

/// True for the first web of an array if the webs have all accesses to it.
fn is_whole(web: &Web, webs: &[(Web, Vec<usize>)], model: &Model) -> bool {
    let of_array = || webs.iter().map(|(web, _)| web).filter(|other| other.array == web.array);
    let mut accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    of_array().next() == Some(web)
        && accesses.all(|access| {
            access.array != web.array || of_array().any(|other| other.accesses.contains(&access.id))
        })
}

/// The array of a web: like that of the source, with `dimensions` more in front.
fn expanded(old: &Array, dimensions: usize) -> Array {
    let leading = (0..dimensions).map(|_| Extent { c: None, value: None });
    let extents: Vec<Extent> = leading.chain(old.extents.iter().cloned()).collect();
    Array {
        storage: if old.extents.is_empty() { Storage::Scalar } else { Storage::Contiguous },
        extents,
        scope_depth: old.scope_depth + dimensions as u32,
        expression: String::new(),
        constant: false,
        may_alias: false,
        restrict: false,
        visible: false,
        dead_after: false,
        concurrent: false,
        expansion_of: is_object(old).then(|| old.expression.clone()),
        stay: None,
        read_in_stay: false,
        home: None,
        ..old.clone()
    }
}

/// True if the expression of an array is that of a variable which holds its elements.
fn is_object(array: &Array) -> bool {
    array.visible && !array.may_alias && !array.restrict && !matches!(array.storage, Storage::Member { .. })
}

fn redirect(statement: &mut Statement, web: &Web, array: ArrayId, loops: &[usize]) -> Result<()> {
    let iterators = statement.iterators.len();
    for access in statement.accesses.iter_mut().filter(|access| web.accesses.contains(&access.id)) {
        let subscripts = Map::parse(&access.relation.0)?;
        let leading = leading(&subscripts, iterators, loops)?;
        let relation =
            leading.flat_range_product(subscripts)?.set_tuple_name(DimType::Out, &array.to_string())?;
        access.relation = IslMap(relation.text()?);
        access.array = array;
    }
    Ok(())
}

/// `{ S0[i, j, k] -> [i, j] }`
fn leading(relation: &Map, iterators: usize, loops: &[usize]) -> Result<Map> {
    let statement = relation.get_tuple_name(DimType::In)?.to_owned();
    let names: Vec<String> = (0..iterators).map(|k| format!("i{k}")).collect();
    let chosen: Vec<String> = loops.iter().map(|k| format!("i{k}")).collect();
    Map::parse(&format!("{{ {statement}[{}] -> [{}] }}", names.join(", "), chosen.join(", ")))
}

fn taken_names(model: &Model) -> BTreeSet<String> {
    let parameters = model.parameters.iter().map(|parameter| parameter.name.clone());
    let arrays = model.arrays.iter().map(|array| array.name.clone());
    let mut taken: BTreeSet<String> = parameters.chain(arrays).collect();
    for step in model.statements.iter().flat_map(|statement| &statement.body) {
        step.walk(&mut |step| {
            if let Step::Define { name, .. } | Step::For { name, .. } = step {
                taken.insert(name.clone());
            }
        });
    }
    taken
}

type Arrays = BTreeMap<scop::AccessId, ArrayId>;

fn arrays_of_accesses(model: &Model) -> Arrays {
    let accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    accesses.map(|access| (access.id, access.array)).collect()
}

/// What was written `x += e` is no longer where the old and the new `x` have become different arrays.
fn spell_out(step: &mut Step, arrays: &Arrays) {
    match step {
        Step::Assign { access, value, compound: compound @ Some(_), .. } => {
            let kept = compound.filter(|&operator| {
                let read = updated(value, operator).and_then(|read| arrays.get(&read));
                read == arrays.get(access)
            });
            *compound = kept;
        }
        Step::If { then, otherwise, .. } => {
            then.iter_mut().chain(otherwise).for_each(|step| spell_out(step, arrays));
        }
        Step::For { body, .. } | Step::While { body, .. } => {
            body.iter_mut().for_each(|step| spell_out(step, arrays));
        }
        _ => {}
    }
}

/// The access that reads `x` in `(type)(x op e)`.
fn updated(value: &Expr, wanted: BinaryOp) -> Option<scop::AccessId> {
    match &without_casts(value).kind {
        ExprKind::Binary { operator, left, .. } if *operator == wanted => match &without_casts(left).kind {
            ExprKind::Read { access, .. } => Some(*access),
            _ => None,
        },
        _ => None,
    }
}

/// An expression without the conversions around it.
pub fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast { operand, .. } => without_casts(operand),
        _ => expr,
    }
}
