//! Executes a region and records every access.

use std::collections::BTreeMap;

use scop::{AccessKind, Certainty};

use super::nest::{Nest, Reference, Region, Target};

/// One access of one instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub statement: usize,
    pub instance: Vec<i64>,
    pub access: usize,
    pub kind: AccessKind,
    pub certainty: Certainty,
    pub array: String,
    pub element: Vec<i64>,
}

/// Returns all accesses in the order of execution, for one value of `n`.
pub fn execute(region: &Region, n: i64) -> Vec<Event> {
    let mut execution = Execution { n, events: Vec::new() };
    let mut variables = BTreeMap::from([("n".to_owned(), n)]);
    execution.all(&region.nests, &mut variables, &mut Vec::new(), (0, 0));
    execution.events
}

struct Execution {
    n: i64,
    events: Vec<Event>,
}

/// The numbers of the next statement and the next access in the source.
type Ids = (usize, usize);

impl Execution {
    fn all(
        &mut self,
        nests: &[Nest],
        variables: &mut BTreeMap<String, i64>,
        instance: &mut Vec<i64>,
        mut ids: Ids,
    ) -> Ids {
        for nest in nests {
            ids = self.one(nest, variables, instance, ids);
        }
        ids
    }

    fn one(
        &mut self,
        nest: &Nest,
        variables: &mut BTreeMap<String, i64>,
        instance: &mut Vec<i64>,
        ids: Ids,
    ) -> Ids {
        match nest {
            Nest::Loop { iterator, lower, upper, body } => {
                for value in lower.value(variables)..upper.value(variables) {
                    variables.insert(iterator.clone(), value);
                    instance.push(value);
                    self.all(body, variables, instance, ids);
                    instance.pop();
                    variables.remove(iterator);
                }
                after(body, ids)
            }
            Nest::Statement(steps) => {
                let mut access = ids.1;
                for reference in steps.iter().flatten() {
                    self.access(reference, variables, instance, (ids.0, access));
                    access += 1;
                }
                (ids.0 + 1, access)
            }
        }
    }

    fn access(
        &mut self,
        reference: &Reference,
        variables: &BTreeMap<String, i64>,
        instance: &[i64],
        ids: Ids,
    ) {
        let elements = match &reference.target {
            Target::Element(subscripts) => vec![subscripts.iter().map(|s| s.value(variables)).collect()],
            Target::Somewhere => (0..self.n).map(|x| vec![x]).collect::<Vec<_>>(),
        };
        self.events.extend(elements.into_iter().map(|element| Event {
            statement: ids.0,
            instance: instance.to_vec(),
            access: ids.1,
            kind: reference.kind,
            certainty: reference.certainty(),
            array: reference.array.clone(),
            element,
        }));
    }
}

/// Returns the ids after nests that are not executed.
fn after(nests: &[Nest], ids: Ids) -> Ids {
    nests.iter().fold(ids, |ids, nest| match nest {
        Nest::Loop { body, .. } => after(body, ids),
        Nest::Statement(steps) => (ids.0 + 1, ids.1 + steps.iter().flatten().count()),
    })
}
