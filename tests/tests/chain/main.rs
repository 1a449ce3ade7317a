//! Tests of the whole chain, from the outside.
//!
//! * `benches`: the programs of `benches/`, translated and hand-written, compared with what gcc makes of them.
//! * `circles`: the files of a crate do not use each other in circles.
//! * `claims`: what the program says of its loops.
//! * `counts`: what the simulator counts for translated programs.
//! * `decisions`: kernels, tiles, memories and transfers of small regions.
//! * `documents`: every stage accepts or refuses documents with random changes.
//! * `driver`: what `scripts/c2cuda` does around the tools, with stand-in tools.
//! * `emitted_c`: the loops of `cloog-rs --emit c`, compared with the regions that they replace.
//! * `examples`: every program of `examples/`, translated, compared with what gcc makes of it.
//! * `expressions`: expressions of loop programs as text, for other tests.
//! * `fine_print`: details of C and C++ that are easily overlooked.
//! * `flags`: compiler flags, and which libraries are loaded.
//! * `fuzz`: `scripts/fuzz` finds a planted fault.
//! * `golden`: messages and documents that must not change unnoticed.
//! * `held`: arrays that code holds on the device while code runs that is not translated.
//! * `keep_going`: regions that a stage gives up stay C.
//! * `kernels`: as `examples`, for programs that each use one construct of C.
//! * `large`: regions with many statements or loops are translated or given up in bounded time.
//! * `layouts`: where data lies in the device's memories.
//! * `libosl`: a reader that follows the rules of OpenScop's own library, for other tests.
//! * `line_numbers`: `__LINE__` and `__FILE__` keep the values of the user's file.
//! * `moves`: only what must be transferred is, and no loop transfers it repeatedly.
//! * `mutants`: the tools accept or refuse C files with random changes.
//! * `names`: names that have another meaning elsewhere.
//! * `openscop`: the tools with documents in OpenScop.
//! * `outline`: a summary of a translated program in a few lines, for other tests.
//! * `partial_sums`: sums of which all blocks of a grid take a part.
//! * `plans`: the proof of what stays on the device, on correct and on changed plans.
//! * `polybench`: as `examples`, for the 30 kernels of the PolyBench suite.
//! * `possible`: memory that conditions on data leave unused is not touched.
//! * `prices`: arrays are in the memory with which their kernels were priced.
//! * `program`: programs that must print the same before and after translation, for other tests.
//! * `proof`: `candl-rs --check` finds faults in changed loop programs.
//! * `reductions`: updates whose order is irrelevant, other than sums in one element.
//! * `residency`: the functions that keep arrays on the device between regions.
//! * `running`: `c2cuda --run`, and parts of the chain, with the real tools.
//! * `swap`: stages replaced by programs in Python.
//! * `threads`: values that other host threads change while a region runs are kept.
//! * `verdicts`: what `scripts/bench` concludes from numbers.
//! * `verify`: `c2cuda --verify`, on programs with and without a fault.
//! * `wishes`: tiles, memories and layouts that the user asks for.
//! * `wrapping`: integers that wrap around in subscripts, conditions and bounds.

// A test fails by panicking, in its helper functions as well.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod benches;
mod circles;
mod claims;
mod counts;
mod decisions;
mod documented;
mod documents;
mod driver;
mod emitted_c;
mod examples;
mod expressions;
mod fine_print;
mod flags;
mod fuzz;
mod golden;
mod grids;
mod held;
mod in_place;
mod keep_going;
mod kernels;
mod large;
mod layouts;
mod libosl;
mod line_numbers;
mod moves;
mod mutants;
mod names;
mod offload;
mod openscop;
mod outline;
mod partial_sums;
mod plans;
mod polybench;
mod possible;
mod predictions;
mod prefix_sums;
mod prices;
mod program;
mod proof;
mod reductions;
mod residency;
mod running;
mod swap;
mod threads;
mod times;
mod verdicts;
mod verify;
mod wishes;
mod wrapping;
