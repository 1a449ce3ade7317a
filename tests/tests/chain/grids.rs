//! Grids whose blocks are numbered.

use crate::program::{Program, Simulator};

const NUMBERED: &[&str] = &["--scheduler-options=--tile-sizes 10,5,10 --grid ranked"];

/// Every block finds its coordinates, whatever expressions bound them.
#[test]
fn numbered_blocks_find_their_tiles() {
    let program = Program::new("tests/programs/grids", "band", NUMBERED);
    program.run_in(Simulator::Checking).test(&[("", "1 / 17 / 64")], ("", "17"), &[]);
}
