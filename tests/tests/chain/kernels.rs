//! The programs of `tests/kernels/`, each of which uses one construct of C, through the whole chain.

use crate::program::programs;

programs! {
    in "tests/kernels", options [];
    after_loops: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    algebra: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    attributes: runs [("", "33 / 64 / 1")], checked ("", "19");
    borders: runs [("", "33 / 5 / 2 / 1 / 0")], checked ("", "19");
    complex: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    conditions: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    constants: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    copies: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    cxx: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    data_dependent: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    effects: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    extents: runs [("", "9 / 5 / 2 / 1 / 0")], checked ("", "5");
    functions: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    host_code: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    indirect: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    layouts: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "0 / 1 / 15 / 16 / 17");
    linearised: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    loops: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    possible: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    reductions: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    regions: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    shapes: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    residency: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    stencils: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    structures: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    temporaries: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    types: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    variants: runs [("", "33 / 5 / 2 / 1 / 0")], checked ("", "19");
    work_arrays: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
    written: runs [("", "33 / 64 / 5 / 2 / 1 / 0")], checked ("", "19");
}

/// Tiles and blocks smaller than the sizes of the runs, so that there are many of each. All data that threads share
/// is copied to shared memory, even if it is read too rarely for that to pay off.
mod small_tiles {
    use crate::program::programs;

    programs! {
        in "tests/kernels", options ["--memory=shared", "--scheduler-options=--tile-sizes 8,4"];
        after_loops: runs [("", "33 / 5")], checked ("", "19");
        algebra: runs [("", "33 / 5")], checked ("", "19");
        attributes: runs [("", "33 / 5")], checked ("", "19");
        borders: runs [("", "33 / 5")], checked ("", "19");
        complex: runs [("", "33 / 5")], checked ("", "19");
        conditions: runs [("", "33 / 5")], checked ("", "19");
        constants: runs [("", "33 / 5")], checked ("", "19");
        copies: runs [("", "33 / 5")], checked ("", "19");
        cxx: runs [("", "33 / 5")], checked ("", "19");
        data_dependent: runs [("", "33 / 5")], checked ("", "19");
        effects: runs [("", "33 / 5")], checked ("", "19");
        extents: runs [("", "9 / 5")], checked ("", "5");
        functions: runs [("", "33 / 5")], checked ("", "19");
        host_code: runs [("", "33 / 5")], checked ("", "19");
        indirect: runs [("", "33 / 5")], checked ("", "19");
        layouts: runs [("", "33 / 5")], checked ("", "0 / 1 / 7 / 8 / 9 / 19");
        linearised: runs [("", "33 / 5")], checked ("", "19");
        loops: runs [("", "33 / 5")], checked ("", "19");
        possible: runs [("", "33 / 5")], checked ("", "19");
        reductions: runs [("", "33 / 5")], checked ("", "19");
        regions: runs [("", "33 / 5")], checked ("", "19");
        shapes: runs [("", "33 / 5")], checked ("", "19");
        residency: runs [("", "33 / 5")], checked ("", "19");
        stencils: runs [("", "33 / 5")], checked ("", "19");
        structures: runs [("", "33 / 5")], checked ("", "19");
        temporaries: runs [("", "33 / 5")], checked ("", "19");
        types: runs [("", "33 / 5")], checked ("", "19");
        variants: runs [("", "33 / 5")], checked ("", "19");
        work_arrays: runs [("", "33 / 5")], checked ("", "19");
        written: runs [("", "33 / 5")], checked ("", "19");
    }
}

/// Sums that the threads of a warp share wherever they can, in order where another order would round differently.
mod shared_sums {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--sum-threads=32"];
        algebra: runs [("", "64 / 33 / 5 / 1 / 0")], checked ("", "19");
        loops: runs [("", "33 / 5")], checked ("", "19");
        reductions: runs [("", "64 / 33 / 5 / 1 / 0")], checked ("", "19");
        temporaries: runs [("", "33 / 5")], checked ("", "19");
        types: runs [("", "33 / 5")], checked ("", "19");
    }
}

/// Threads that only copy what others read, wherever there can be some.
mod loading {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--load-threads=8"];
        algebra: runs [("", "64 / 33 / 5 / 1 / 0")], checked ("", "19");
        loops: runs [("", "33 / 5")], checked ("", "19");
        reductions: runs [("", "64 / 33 / 5 / 1 / 0")], checked ("", "19");
        temporaries: runs [("", "33 / 5")], checked ("", "19");
        types: runs [("", "33 / 5")], checked ("", "19");
    }
}

/// Such threads, which copy each tile while the others compute with the one before, in loops with many tiles.
mod loading_ahead {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--load-threads=8", "--load-ahead=always", "--scheduler-options=--tile-sizes 4"];
        algebra: runs [("", "64 / 33 / 5 / 1 / 0")], checked ("", "19");
        loops: runs [("", "33 / 5")], checked ("", "19");
        reductions: runs [("", "64 / 33 / 5 / 1 / 0")], checked ("", "19");
        temporaries: runs [("", "33 / 5")], checked ("", "19");
        types: runs [("", "33 / 5")], checked ("", "19");
    }
}

/// Wavefronts, some of which have no tile.
mod empty_wavefronts {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--memory=shared", "--scheduler-options=--tile-sizes 2,2"];
        loops: runs [("", "33 / 5")], checked ("", "3 / 4 / 19");
    }
}

/// Blocks of few threads with several points each, in tiles whose width divides no size.
mod small_blocks {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--memory=shared", "--scheduler-options=--tile-sizes 1,6 --block-sizes 1,3"];
        borders: runs [("", "33 / 5")], checked ("", "9");
    }
}

/// Blocks of one thread with ten points.
mod lone_threads {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--memory=shared", "--scheduler-options=--tile-sizes 10,8 --block-sizes 1,1"];
        borders: runs [("", "33 / 5")], checked ("", "9");
    }
}

/// Tiles of two rows, whose copies have conditions in halves and tenths.
mod two_rows {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--memory=shared", "--scheduler-options=--tile-sizes 2,10 --block-sizes 1,5"];
        borders: runs [("", "33 / 5")], checked ("", "9");
    }
}

/// Buffers with one or two places for each thread.
mod tiny_tiles {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--memory=shared", "--scheduler-options=--tile-sizes 8,2,2"];
        borders: runs [("", "33 / 5")], checked ("", "9");
    }
}

/// Threads with two points of each tile, three apart, in the order of the source.
mod every_third_point {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--memory=shared", "--scheduler-options=--algorithm source --tile-sizes 6,5 --block-sizes 3,5"];
        shapes: runs [("", "33 / 5")], checked ("", "9");
    }
}

/// Tiles in which each thread has several points, in unrolled loops.
mod register_tiles {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--memory=shared", "--scheduler-options=--tile-sizes 12,8,4 --block-sizes 4,4"];
        algebra: runs [("", "33 / 5")], checked ("", "19");
        borders: runs [("", "33 / 5")], checked ("", "19");
        complex: runs [("", "33 / 5")], checked ("", "19");
        conditions: runs [("", "33 / 5")], checked ("", "19");
        data_dependent: runs [("", "33 / 5")], checked ("", "19");
        layouts: runs [("", "33 / 5")], checked ("", "0 / 1 / 12 / 13 / 19");
        loops: runs [("", "33 / 5")], checked ("", "19");
        reductions: runs [("", "33 / 5")], checked ("", "19");
        shapes: runs [("", "33 / 5")], checked ("", "19");
        residency: runs [("", "33 / 5")], checked ("", "19");
        stencils: runs [("", "33 / 5")], checked ("", "19");
        temporaries: runs [("", "33 / 5")], checked ("", "19");
    }
}

/// Linearised transfers: the device holds only the elements that are used.
mod numbered {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--gpulocalizer-options=--transfer linearized"];
        conditions: runs [("", "33 / 5")], checked ("", "19");
        layouts: runs [("", "33 / 5")], checked ("", "19");
        linearised: runs [("", "33 / 5")], checked ("", "4 / 19");
        shapes: runs [("", "33 / 5")], checked ("", "19");
        stencils: runs [("", "33 / 5")], checked ("", "19");
    }
}

/// The order of the source, with tiles that divide hardly any size.
mod odd_tiles {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--scheduler-options=--algorithm source --tile-sizes 5,7,3"];
        after_loops: runs [("", "33 / 5")], checked ("", "19");
        borders: runs [("", "33 / 5")], checked ("", "19");
        conditions: runs [("", "33 / 5")], checked ("", "19");
        copies: runs [("", "33 / 5")], checked ("", "19");
        cxx: runs [("", "33 / 5")], checked ("", "19");
        data_dependent: runs [("", "33 / 5")], checked ("", "19");
        layouts: runs [("", "33 / 5")], checked ("", "0 / 1 / 7 / 8 / 9 / 19");
        linearised: runs [("", "33 / 5")], checked ("", "19");
        loops: runs [("", "33 / 5")], checked ("", "19");
        reductions: runs [("", "33 / 5")], checked ("", "19");
        shapes: runs [("", "33 / 5")], checked ("", "19");
        residency: runs [("", "33 / 5")], checked ("", "19");
        stencils: runs [("", "33 / 5")], checked ("", "19");
        structures: runs [("", "33 / 5")], checked ("", "19");
        temporaries: runs [("", "33 / 5")], checked ("", "19");
        work_arrays: runs [("", "33 / 5")], checked ("", "19");
        written: runs [("", "33 / 5")], checked ("", "19");
    }
}

/// No shared memory, not even where it is the default.
mod global_memory {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--gpulocalizer-options=--memories private"];
        borders: runs [("", "33 / 5")], checked ("", "19");
        conditions: runs [("", "33 / 5")], checked ("", "19");
        copies: runs [("", "33 / 5")], checked ("", "19");
        data_dependent: runs [("", "33 / 5")], checked ("", "19");
        layouts: runs [("", "33 / 5")], checked ("", "0 / 1 / 7 / 8 / 9 / 19");
        linearised: runs [("", "33 / 5")], checked ("", "19");
        shapes: runs [("", "33 / 5")], checked ("", "19");
        stencils: runs [("", "33 / 5")], checked ("", "19");
        structures: runs [("", "33 / 5")], checked ("", "19");
        work_arrays: runs [("", "33 / 5")], checked ("", "19");
        written: runs [("", "33 / 5")], checked ("", "19");
    }
}

/// The programs in HIP that print what `examples` does not need: constant memory, arrays that stay on the device,
/// complex numbers, sums over a warp.
mod hip {
    use crate::program::programs;

    programs! {
        some of "tests/kernels", options ["--target=hip"];
        borders: runs [("", "33 / 5")], checked ("", "19");
        complex: runs [("", "33 / 5")], checked ("", "19");
        constants: runs [("", "33 / 5")], checked ("", "19");
        functions: runs [("", "33 / 5")], checked ("", "19");
        layouts: runs [("", "33 / 5")], checked ("", "19");
        reductions: runs [("", "33 / 5")], checked ("", "19");
        regions: runs [("", "33 / 5")], checked ("", "19");
        residency: runs [("", "33 / 5")], checked ("", "19");
        structures: runs [("", "33 / 5")], checked ("", "19");
    }
}

/// Each layout, wherever it is possible.
mod forced_layouts {
    use crate::program::Program;

    #[test]
    fn boxes() {
        test(&["--gpulocalizer-options=--layout box", "--scheduler-options=--tile-sizes 8,4"]);
    }

    #[test]
    fn dense() {
        test(&["--gpulocalizer-options=--layout dense", "--scheduler-options=--tile-sizes 8,4"]);
    }

    #[test]
    fn rings() {
        test(&["--gpulocalizer-options=--layout ring", "--scheduler-options=--tile-sizes 8,4"]);
    }

    fn test(options: &'static [&'static str]) {
        for name in ["layouts", "stencils"] {
            let program = Program::new("tests/kernels", name, options);
            program.test(&[("", "33 / 5")], ("", "0 / 1 / 7 / 8 / 9 / 19"), &[]);
        }
    }
}
