//! The programs of `tests/kernels/`: one C construct after the other, through the whole chain.

use crate::program::programs;

programs! {
    in "tests/kernels":
    algebra: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    conditions: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    loops: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    reductions: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    regions: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    shapes: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    stencils: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    temporaries: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    types: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
}
