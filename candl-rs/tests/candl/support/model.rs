//! The document of a region.

use std::fmt::Write;

use scop::{
    Access, AccessId, AccessKind, Array, ArrayId, BinaryOp, CType, Expr, ExprKind, Extent, Extracted, FORMAT,
    IslMap, IslPwAff, IslSchedule, IslSet, Loop, LoopId, Model, Parameter, Program, Region as SourceRegion,
    Scop, Source, SourceRange, Statement, StatementId, Step, Storage, VERSION,
};

use super::nest::{Affine, Nest, Reference, Region, Target};

/// Returns the document that clan-rs would write for a region.
pub fn extracted(region: &Region) -> Program<Extracted> {
    Program {
        format: FORMAT.to_owned(),
        version: VERSION,
        functions: Vec::new(),
        memory: Vec::new(),
        host: Vec::new(),
        prevented: Vec::new(),
        residency: None,
        source: Source {
            path: "test.c".to_owned(),
            language: "c".to_owned(),
            hash: String::new(),
            regions: vec![SourceRegion {
                function: "test".to_owned(),
                range: range(),
                last_line: None,
                macros: Vec::new(),
            }],
            lines: Vec::new(),
        },
        scops: vec![Scop::new(model(region), Extracted {})],
    }
}

/// Converts each statement that reads the element, then the added values, and writes the element, into a sum of
/// integers.
pub fn make_integer_sum(program: &mut Program<Extracted>) {
    let model = &mut program.scops[0].model;
    model.arrays.iter_mut().for_each(|array| array.element = CType::Int);
    let int = |kind| Expr { ctype: CType::Int, kind };
    for statement in &mut model.statements {
        let reads = statement.accesses.iter().filter(|access| access.kind == AccessKind::Read);
        let reads: Vec<Expr> =
            reads.map(|read| int(ExprKind::Read { access: read.id, subscripts: Vec::new() })).collect();
        let Some(Step::Assign { value, .. }) = statement.body.last_mut() else { panic!("it assigns") };
        *value = match <[Expr; 2]>::try_from(reads) {
            Ok([left, right]) => {
                let (operator, left, right) = (BinaryOp::Add, left.into(), right.into());
                int(ExprKind::Binary { operator, left, right })
            }
            Err(mut reads) => reads.pop().unwrap(),
        };
    }
}

fn range() -> SourceRange {
    SourceRange { start: 0, end: 0, line: 1, column: 1 }
}

fn model(region: &Region) -> Model {
    let names = arrays(region);
    let mut writer = Writer { arrays: &names, loops: Vec::new(), statements: Vec::new(), accesses: 0 };
    let mut loops = Vec::new();
    let order = writer.nests(&region.nests, &mut loops, 1);
    let domains: Vec<String> = writer.statements.iter().map(|s| inner(&s.domain.0).to_owned()).collect();
    let root = format!("domain: \"[n] -> {{ {} }}\"\n", domains.join("; "));
    let child = if order.is_empty() { order } else { format!("child:\n{order}") };
    Model {
        name: "test_0".to_owned(),
        parameters: vec![Parameter { name: "n".to_owned(), expression: "n".to_owned(), ctype: CType::Int }],
        context: IslSet("[n] -> { : -100 <= n <= 100 }".to_owned()),
        assumptions: None,
        arrays: names.iter().enumerate().map(|(k, name)| array(k, name, region)).collect(),
        loops: writer.loops,
        independent: Vec::new(),
        wishes: Vec::new(),
        statements: writer.statements,
        order: IslSchedule(root + &child),
        extensions: Vec::new(),
    }
}

/// Returns `S0[i] : …` for `[n] -> { S0[i] : … }`.
fn inner(set: &str) -> &str {
    set.trim_start_matches("[n] -> { ").trim_end_matches(" }")
}

/// Returns the names of the arrays with their numbers of dimensions, in the order of their first use.
fn arrays(region: &Region) -> Vec<(String, usize)> {
    let mut names: Vec<(String, usize)> = Vec::new();
    for reference in region.references() {
        if !names.iter().any(|(name, _)| *name == reference.array) {
            let dimensions = match &reference.target {
                Target::Element(subscripts) => subscripts.len(),
                Target::Somewhere => 1,
            };
            names.push((reference.array.clone(), dimensions));
        }
    }
    names
}

fn array(number: usize, (name, dimensions): &(String, usize), region: &Region) -> Array {
    let extent = Extent { c: None, value: Some(IslPwAff("[n] -> { [(n)] }".to_owned())) };
    Array {
        id: ArrayId(u32::try_from(number).unwrap()),
        name: format!("array_{name}"),
        expression: name.clone(),
        element: CType::Double,
        storage: if *dimensions == 0 { Storage::Scalar } else { Storage::Contiguous },
        extents: vec![extent; *dimensions],
        scope_depth: 0,
        constant: false,
        enumeration: false,
        may_alias: false,
        restrict: false,
        visible: !region.hidden.contains(&name.as_str()),
        dead_after: region.dead_after.contains(&name.as_str()),
        concurrent: false,
        expansion_of: None,
        memory: Vec::new(),
        apart: false,
        declared_at: None,
    }
}

struct Writer<'a> {
    arrays: &'a [(String, usize)],
    loops: Vec<Loop>,
    statements: Vec<Statement>,
    accesses: u32,
}

/// An enclosing loop, with its iterator and bounds.
type Around<'a> = (LoopId, &'a str, &'a Affine, &'a Affine);

impl Writer<'_> {
    /// Writes the statements of nests, and returns the tree that orders them.
    fn nests<'n>(&mut self, nests: &'n [Nest], loops: &mut Vec<Around<'n>>, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let mut trees = Vec::new();
        for nest in nests {
            let first = self.statements.len();
            let inside = if nests.len() > 1 { depth + 2 } else { depth };
            let tree = self.nest(nest, loops, inside);
            trees.push((first..self.statements.len(), tree));
        }
        if let [(_, tree)] = &trees[..] {
            return tree.clone();
        }
        let mut text = format!("{indent}sequence:\n");
        for (statements, tree) in trees {
            let filter: Vec<String> = self.statements[statements].iter().map(instance).collect();
            writeln!(text, "{indent}- filter: \"{{ {} }}\"", filter.join("; ")).unwrap();
            if !tree.is_empty() {
                write!(text, "{indent}  child:\n{tree}").unwrap();
            }
        }
        text
    }

    fn nest<'n>(&mut self, nest: &'n Nest, loops: &mut Vec<Around<'n>>, depth: usize) -> String {
        match nest {
            Nest::Loop { iterator, lower, upper, body } => {
                let first = self.statements.len();
                let id = LoopId(u32::try_from(self.loops.len()).unwrap());
                let parent = loops.last().map(|(id, ..)| *id);
                let ctype = CType::Int;
                self.loops.push(Loop { id, iterator: iterator.to_string(), ctype, parent, range: None });
                loops.push((id, iterator, lower, upper));
                let below = self.nests(body, loops, depth + 1);
                loops.pop();
                let members: Vec<String> = self.statements[first..]
                    .iter()
                    .map(|statement| format!("{} -> [({iterator})]", instance(statement)))
                    .collect();
                let indent = "  ".repeat(depth);
                let band = format!("{indent}schedule: \"[{{ {} }}]\"\n", members.join("; "));
                if below.is_empty() { band } else { format!("{band}{indent}child:\n{below}") }
            }
            Nest::Statement(steps) => {
                self.statement(steps, loops);
                String::new()
            }
        }
    }

    fn statement(&mut self, steps: &[Vec<Reference>], loops: &[Around<'_>]) {
        let id = StatementId(u32::try_from(self.statements.len()).unwrap());
        let names: Vec<&str> = loops.iter().map(|(_, name, ..)| *name).collect();
        let tuple = format!("{id}[{}]", names.join(", "));
        let bounds: Vec<String> =
            loops.iter().map(|(_, name, lower, upper)| format!("{lower} <= {name} < {upper}")).collect();
        let condition = if bounds.is_empty() { "true".to_owned() } else { bounds.join(" and ") };
        let (mut accesses, mut body) = (Vec::new(), Vec::new());
        for step in steps {
            body.push(self.step(step, &tuple, &mut accesses));
        }
        self.statements.push(Statement {
            id,
            loops: loops.iter().map(|(id, ..)| *id).collect(),
            domain: IslSet(format!("[n] -> {{ {tuple} : {condition} }}")),
            accesses,
            body,
            range: range(),
            text: format!("{id};"),
        });
    }

    /// Returns a step that adds the values that are read and writes the sum.
    fn step(&mut self, references: &[Reference], tuple: &str, accesses: &mut Vec<Access>) -> Step {
        let constant = ExprKind::Floating { value: "1.0".to_owned() };
        let mut value = Expr { ctype: CType::Double, kind: constant };
        let mut written = AccessId(0);
        for reference in references {
            let access = self.access(reference, tuple);
            match access.kind {
                AccessKind::Read => {
                    let read = Expr {
                        ctype: CType::Double,
                        kind: ExprKind::Read { access: access.id, subscripts: Vec::new() },
                    };
                    let kind = ExprKind::Binary {
                        operator: scop::BinaryOp::Add,
                        left: Box::new(value),
                        right: Box::new(read),
                    };
                    value = Expr { ctype: CType::Double, kind };
                }
                AccessKind::Write => written = access.id,
            }
            accesses.push(access);
        }
        Step::Assign { access: written, subscripts: Vec::new(), value, compound: None }
    }

    fn access(&mut self, reference: &Reference, tuple: &str) -> Access {
        let id = AccessId(self.accesses);
        self.accesses += 1;
        let array = self.arrays.iter().position(|(name, _)| *name == reference.array).unwrap();
        let array = ArrayId(u32::try_from(array).unwrap());
        let relation = match &reference.target {
            Target::Element(subscripts) => {
                let subscripts: Vec<String> = subscripts.iter().map(Affine::to_string).collect();
                format!("[n] -> {{ {tuple} -> {array}[{}] }}", subscripts.join(", "))
            }
            Target::Somewhere => format!("[n] -> {{ {tuple} -> {array}[x] : 0 <= x < n }}"),
        };
        Access {
            id,
            array,
            kind: reference.kind,
            certainty: reference.certainty(),
            indirect: false,
            in_both_branches: false,
            relation: IslMap(relation),
        }
    }
}

/// Returns `S0[i]` for `[n] -> { S0[i] : … }`.
fn instance(statement: &Statement) -> String {
    inner(&statement.domain.0).split(" : ").next().unwrap().to_owned()
}
