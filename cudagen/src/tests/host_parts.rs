//! The checks, launches and copies of host functions, for documents of one kernel and perhaps a host statement.

mod calls;
mod checks;
mod copies;
mod kernels;
mod residency;

use super::*;

const SOURCE: &str = "void f(int n, int m)
{
#pragma scop
    x;
#pragma endscop
}
";

/// An access of an instance: the array, the kind, the certainty, and the access relation.
type Touch = (u32, AccessKind, Certainty, &'static str);

const READ: AccessKind = AccessKind::Read;
const WRITE: AccessKind = AccessKind::Write;
const MUST: Certainty = Certainty::Must;
const MAY: Certainty = Certainty::May;

fn row() -> AstExpr {
    coordinate("bx", 32, "tx")
}

fn pointer(id: u32, name: &str, may_alias: bool, restrict: bool) -> Array {
    let mut array = array(id, name, CType::Double, &["n"]);
    (array.may_alias, array.restrict) = (may_alias, restrict);
    array.extents[0] = Extent { c: None, value: None };
    array
}

/// A statement with these accesses, numbered from `first` on. The first write assigns one.
fn touching(
    id: u32,
    first: u32,
    loops: &[u32],
    domain: &str,
    touches: &[Touch],
    arrays: &[Array],
) -> Statement {
    let numbered = (first..).zip(touches);
    let accesses = numbered.clone().map(|(number, &(array, kind, certainty, relation))| Access {
        certainty,
        ..access(number, array, kind, relation)
    });
    let mut steps = Vec::new();
    if let Some((number, touch)) = numbered.clone().find(|(_, touch)| touch.1 == WRITE) {
        let one = |ctype: CType| ExprKind::Floating { value: "1.0".to_owned() }.into_expr(ctype);
        steps = assign(number, one(arrays[touch.0 as usize].element), None);
    }
    statement(id, SOURCE, "x;", loops, domain, accesses.collect(), steps)
}

trait IntoExpr {
    fn into_expr(self, ctype: CType) -> Expr;
}

impl IntoExpr for ExprKind {
    fn into_expr(self, ctype: CType) -> Expr {
        Expr { ctype, kind: self }
    }
}

/// `S0[i]` with `0 <= i < n` in a kernel, followed by `S1[]` on the host; the first array is copied back.
fn document(arrays: Vec<Array>, in_kernel: &[Touch], on_host: &[Touch]) -> Document {
    let index = |touch: &Touch, index: AstExpr| match arrays[touch.0 as usize].extents.len() {
        0 => vec![],
        1 => vec![index],
        rank => std::iter::once(index).chain(vec![int(0); rank - 1]).collect(),
    };
    let places = |first: usize, touches: &[Touch], at: AstExpr| {
        let place = |(k, touch): (usize, &Touch)| ((first + k) as u32, None, index(touch, at.clone()));
        touches.iter().enumerate().map(place).collect::<Vec<_>>()
    };
    let work = instance(0, vec![row()], places(0, in_kernel, row()));
    let domain = "[n, m] -> { S0[i] : 0 <= i < n }";
    let mut statements = vec![touching(0, 0, &[0], domain, in_kernel, &arrays)];
    let mut body =
        vec![kernel(0, vec![blocks(name("n"), 32)], when(less(row(), name("n")), work)), transfer(0, false)];
    if !on_host.is_empty() {
        let first = in_kernel.len();
        statements.push(touching(1, first as u32, &[], "[n, m] -> { S1[] }", on_host, &arrays));
        body.push(instance(1, vec![], places(first, on_host, name("m"))));
    }
    let is_used = |id: u32| in_kernel.iter().any(|touch| touch.0 == id);
    let sliced = arrays.iter().filter(|array| !array.extents.is_empty() && is_used(array.id.0));
    let slices = sliced.map(|array| slice(array.id.0, name("n"), vec![int(9); array.extents.len() - 1]));
    Document {
        name: "f",
        source: SOURCE,
        parameters: vec![parameter("n", CType::Int), parameter("m", CType::Int)],
        context: "[n, m] -> { : n >= 0 and m >= 0 }",
        slices: slices.collect(),
        loops: vec![counted(0, "i", CType::Int, None)],
        arrays,
        statements,
        kernels: vec![mapped(0, &[Axis::X], &[(Axis::X, 32)], &[0])],
        buffers: Vec::new(),
        body: block(body),
    }
}

const WHOLE: [&str; 4] = [
    "[n, m] -> { S0[i] -> A0[i] }",
    "[n, m] -> { S0[i] -> A1[i] }",
    "[n, m] -> { S0[i] -> A2[i] }",
    "[n, m] -> { S0[i] -> A3[i] }",
];

/// Joins lines, because line breaks do not matter here.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn generated(program: Program<Scanned>) -> String {
    let generated = run(program, SOURCE.as_bytes(), Target::Cuda, false).unwrap().value;
    in_one_line(&(generated.kernels + std::str::from_utf8(&generated.host).unwrap()))
}

fn text(document: Document) -> String {
    generated(document.program())
}

#[track_caller]
fn says(text: &str, words: &str) {
    assert!(text.contains(words), "{words:?} is not in\n{text}");
}

#[track_caller]
fn never_says(text: &str, words: &str) {
    assert!(!text.contains(words), "{words:?} is in\n{text}");
}

fn held(array: u32, resident: bool) -> DeviceArray {
    let number = |text: &str| IslPwAff(text.to_owned());
    let nothing = || IslSet("[n, m] -> { }".to_owned());
    DeviceArray {
        array: ArrayId(array),
        lower: number("[n, m] -> { [(0)] }"),
        extent: number("[n, m] -> { [(n)] }"),
        inner_extents: Vec::new(),
        origin: Vec::new(),
        numbering: None,
        numbered: None,
        boxes: None,
        parts: Vec::new(),
        memory: DeviceMemory::Global,
        resident: resident.then_some(ClassId(0)),
        copy_in: nothing(),
        copy_out: nothing(),
        reason: String::new(),
    }
}
