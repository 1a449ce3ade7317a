//! The whole chain, from the outside.
//!
//! * `benches`: the programs of `benches/`, translated and by hand, against what gcc makes of them.
//! * `circles`: no two files of a crate use one another.
//! * `claims`: what the program says of its loops.
//! * `decisions`: kernels, tiles, memories and transfers of small regions.
//! * `documents`: documents with random changes are taken or refused by every stage.
//! * `driver`: what `scripts/c2cuda` does around the tools, with tools that only pretend.
//! * `emitted_c`: the loops of `cloog-rs --emit c` against the regions that they stand for.
//! * `examples`: every program of `examples/`, translated, against what gcc makes of it.
//! * `expressions`: expressions of loop programs as texts, for the tests.
//! * `flags`: flags of compilers, and which libraries are loaded.
//! * `fuzz`: `scripts/fuzz` finds a fault that is planted.
//! * `keep_going`: regions that are given up stay C.
//! * `kernels`: the same for programs that use one construct of C after the other.
//! * `large`: regions of many statements and loops end in bounded time.
//! * `layouts`: what lies where in the device's memories.
//! * `libosl`: a reader by the rules of OpenScop's own library, for the tests.
//! * `moves`: what goes over the bus is what has to, and is not copied in loops.
//! * `mutants`: C files with random changes are taken or refused.
//! * `names`: names that are taken somewhere else.
//! * `polybench`: the same for the 30 kernels of the PolyBench suite.
//! * `outline`: what became of a program in a few lines.
//! * `possible`: memory that conditions on data keep from being used is left alone.
//! * `golden`: messages and documents that must not change unnoticed.
//! * `openscop`: the tools with documents as OpenScop.
//! * `proof`: `candl-rs --check` finds the faults in loop programs that were changed.
//! * `residency`: the functions that keep arrays on the device between regions.
//! * `running`: `c2cuda --run`, and parts of the chain, with the real tools.
//! * `swap`: stages replaced by programs in Python.
//! * `threads`: what other threads of the host change while a region runs stays changed.
//! * `verify`: `c2cuda --verify`, on programs with and without a fault.
//! * `wishes`: tiles, memories and layouts that are asked for.
//! * `wrapping`: integers that wrap around in subscripts, conditions and bounds.

// A test fails by panicking, in its helper functions as well.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod benches;
mod circles;
mod claims;
mod decisions;
mod documents;
mod driver;
mod emitted_c;
mod examples;
mod expressions;
mod fine_print;
mod flags;
mod fuzz;
mod golden;
mod keep_going;
mod kernels;
mod large;
mod layouts;
mod libosl;
mod line_numbers;
mod moves;
mod mutants;
mod names;
mod openscop;
mod outline;
mod polybench;
mod possible;
mod program;
mod proof;
mod residency;
mod running;
mod swap;
mod threads;
mod verify;
mod wishes;
mod wrapping;
