//! Every program of `examples/`.

use crate::program::programs;

programs! {
    in "examples", options [];
    matmul: runs [("", "45 37 29 / 64 96 32 / 1 1 1 / 0 0 0 / 33 0 5 / 5 7 0")], checked ("", "19 35 7");
    tmv: runs [("-DN=75", ""), ("-DN=128", ""), ("-DN=1", ""), ("-DN=0", "")], checked ("-DN=37", "");
    covariance: runs [("", "45 37 / 64 64 / 1 1 / 0 0 / 0 5 / 5 0")], checked ("", "11 19");
    lu: runs [("", "45 / 64 / 2 / 1 / 0")], checked ("", "19");
    stencil: runs [("", "77 / 128 / 1 / 0")], checked ("", "37");
    seidel2d: runs [("-DN=45 -DSTEPS=7", ""), ("-DN=66 -DSTEPS=4", ""), ("-DN=3 -DSTEPS=1", ""), ("-DN=1 -DSTEPS=3", "")],
        checked ("-DN=19 -DSTEPS=3", "");
    jacobi2d: runs [("", "75 5 / 66 4 / 3 1 / 1 1 / 0 0 / 20 0")], checked ("", "35 2");
    heat3d: runs [("", "19 3 / 34 2 / 3 1 / 1 1 / 0 0")], checked ("", "11 2");
    fdtd2d: runs [("", "45 37 5 / 64 64 4 / 1 1 1 / 0 0 0 / 1 9 3 / 9 1 3")], checked ("", "19 35 2");
    nbody: runs [("", "77 / 128 / 1 / 0")], checked ("", "37");
    cp: runs [("", "2 / 1 / 0"), ("-DVOLX=45 -DVOLY=37 -DNATOMS=29", "3"), ("-DVOLX=1 -DVOLY=1 -DNATOMS=1", "1")],
        checked ("-DVOLX=35 -DVOLY=5 -DNATOMS=7", "2");
}

/// The programs in HIP, compiled against declarations of HIP's names, and run with CUDA's.
mod hip {
    use crate::program::programs;

    programs! {
        in "examples", options ["--target=hip"];
        matmul: runs [("", "33 0 5 / 45 37 29")], checked ("", "19 35 7");
        tmv: runs [("-DN=75", "")], checked ("-DN=75", "");
        covariance: runs [("", "45 37 / 5 0")], checked ("", "11 19");
        lu: runs [("", "45 / 0")], checked ("", "19");
        stencil: runs [("", "77 / 0")], checked ("", "37");
        seidel2d: runs [("-DN=19 -DSTEPS=3", "")], checked ("-DN=19 -DSTEPS=3", "");
        jacobi2d: runs [("", "66 4 / 20 0")], checked ("", "35 2");
        heat3d: runs [("", "19 3 / 0 0")], checked ("", "11 2");
        fdtd2d: runs [("", "45 37 5 / 9 1 3")], checked ("", "19 35 2");
        nbody: runs [("", "77 / 0")], checked ("", "37");
        cp: runs [("-DVOLX=35 -DVOLY=5 -DNATOMS=7", "3")], checked ("-DVOLX=35 -DVOLY=5 -DNATOMS=7", "2");
    }
}
