//! Correct loop programs, and the proof's messages about programs that differ from them in one place.

mod barriers;
mod buffers;
mod instances;
mod memory;
mod transfers;

use scop::Memory;
use scop::ast::Node;

use crate::support::program::{Generated, all, copy_in, from_device, launch, run, to_device, when};
use crate::support::{nest, statement};

/// The element of a thread, the condition that it exists, and the number of blocks for all elements.
const ROW: &str = "8 * bx + tx";
const INSIDE: &str = "n >= 8 * bx + tx + 1";
const BLOCKS: &str = "floordiv(n + 7, 8)";
const BARRIER: Node = Node::Barrier;

/// Checks which codes the proof reports for some loop programs.
#[track_caller]
fn expect(generated: &Generated, programs: Vec<(&str, Node, &[&str])>) {
    for (what, body, codes) in programs {
        assert_eq!(generated.but(body).codes(), codes, "{what}");
    }
}

fn nothing() -> Node {
    all(Vec::new())
}

/// `for (i) B[i] = A[i];`
fn copying(body: Node) -> Generated {
    Generated::new(vec![nest("i", "0", "n", vec![statement("B[i] = A[i]")])], body)
}

fn copied(at: &str) -> Node {
    run(0, &[at], &[(0, None, &[at]), (1, None, &[at])])
}

fn with_transfers(work: Node) -> Node {
    all(vec![to_device(0), work, from_device(1)])
}

/// `for (i) B[i] = A[i + 1];` with the elements of a block, and one more, in shared memory.
fn shifting(sizes: &[u32]) -> Generated {
    let nests = vec![nest("i", "0", "n - 1", vec![statement("B[i] = A[i + 1]")])];
    let place = "[bx] -> { S0[i] -> B0[1 + i - 8bx] }";
    Generated::new(nests, nothing()).with_buffer(Memory::Shared, 0, sizes, &[(0, place)])
}

/// The steps of this kernel: each thread loads one element, one thread loads another, and each uses the next one.
fn bring() -> Node {
    when(INSIDE, copy_in(0, &["tx"], &[ROW]))
}

fn bring_last(thread: u32) -> Node {
    when(&format!("tx == {thread} and n >= 8 * bx + 9"), copy_in(0, &["8"], &["8 * bx + 8"]))
}

fn use_next() -> Node {
    let work = run(0, &[ROW], &[(0, Some(0), &["tx + 1"]), (1, None, &[ROW])]);
    when("n >= 8 * bx + tx + 2", work)
}

/// `for (i) A[i] = A[i] | D[i];` through a buffer.
fn updating(memory: Memory, sizes: &[u32]) -> Generated {
    let nests = vec![nest("i", "0", "n", vec![statement("A[i] = A[i] | D[i]")])];
    let place = if sizes.is_empty() { "{ S0[i] -> B0[] }" } else { "[bx] -> { S0[i] -> B0[i - 8bx] }" };
    Generated::new(nests, nothing()).with_buffer(memory, 0, sizes, &[(0, place), (2, place)])
}

/// The program for it: the steps run where an element exists.
fn update_steps(steps: Vec<Node>) -> Node {
    let inside = steps.into_iter().map(|step| if step == BARRIER { step } else { when(INSIDE, step) });
    let kernel = launch(BLOCKS, all(inside.collect()));
    all(vec![to_device(0), to_device(1), kernel, from_device(0)])
}
