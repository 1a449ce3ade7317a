"""The 30 kernels of PolyBench in tests/kernels/polybench: sizes for a GPU, and what no program can do without.

A function for each kernel takes its parameters by the names that C gives them, and returns its floor (floors.py).
Arrays that the kernel gets from its caller are results if it writes them.
"""

from .floors import Floor

DOUBLE, FLOAT, INT = 8, 4, 4


def adi(tsteps, n):
    points = 2 * tsteps * n * n
    chain = {"fp64": 2 * tsteps * 4 * n, "special": 2 * tsteps * n}
    return Floor(bytes=DOUBLE * 5 * n * n, fp64=11 * points, special=2 * points, chain=chain)


def atax(m, n):
    return Floor(bytes=DOUBLE * (m * n + m + 2 * n), fp64=4 * m * n, chain={"fp64": m + n})


def bicg(m, n):
    return Floor(bytes=DOUBLE * (m * n + 2 * m + 2 * n), fp64=4 * m * n, chain={"fp64": max(m, n)})


def cholesky(n):
    chain = {"fp64": 2 * n, "special": 2 * n}
    return Floor(bytes=DOUBLE * n * n, fp64=n**3 // 3, special=n * n // 2, chain=chain)


def correlation(m, n):
    bytes = DOUBLE * (2 * m * n + m * m + 2 * m)
    return Floor(bytes, fp64=m * m * n + 5 * m * n, special=m * n, chain={"fp64": 3 * n})


def covariance(m, n):
    bytes = DOUBLE * (2 * m * n + m * m + m)
    return Floor(bytes, fp64=m * m * n + 2 * m * n, special=m * m // 2, chain={"fp64": 2 * n})


def deriche(w, h):
    return Floor(bytes=FLOAT * 4 * w * h, fp32=32 * w * h, chain={"fp32": 3 * (w + h)})


def doitgen(nq, nr, np):
    bytes = DOUBLE * (2 * nq * nr * np + np * np + np)
    return Floor(bytes, fp64=2 * nq * nr * np * np, chain={"fp64": np})


def durbin(n):
    return Floor(bytes=DOUBLE * 2 * n, fp64=2 * n * n, chain={"fp64": n * n // 2})


def fdtd_2d(tmax, nx, ny):
    return Floor(bytes=DOUBLE * 6 * nx * ny, fp64=11 * nx * ny * tmax, chain={"fp64": 8 * tmax})


def floyd_warshall(n):
    return Floor(bytes=INT * 2 * n * n, integer=2 * n**3, chain={"integer": 2 * n})


def gemm(ni, nj, nk):
    bytes = DOUBLE * (ni * nk + nk * nj + 2 * ni * nj)
    return Floor(bytes, fp64=2 * ni * nj * nk, chain={"fp64": nk})


def gemver(n):
    return Floor(bytes=DOUBLE * (2 * n * n + 9 * n), fp64=10 * n * n, chain={"fp64": 2 * n})


def gesummv(n):
    return Floor(bytes=DOUBLE * (2 * n * n + 3 * n), fp64=4 * n * n, chain={"fp64": n})


def gramschmidt(m, n):
    # For each column: the sum for its norm, a root, a quotient, and the sum for the next column, which then changes.
    chain = {"fp64": n * (2 * m + 2), "special": 2 * n}
    bytes = DOUBLE * (3 * m * n + n * n // 2)
    return Floor(bytes, fp64=2 * m * n * n, special=m * n, chain=chain)


def heat_3d(tsteps, n):
    inner = (n - 2) ** 3
    bytes = DOUBLE * (n**3 + 6 * (n - 2) ** 2 + 2 * inner)
    return Floor(bytes, fp64=13 * 2 * inner * tsteps, chain={"fp64": 6 * 2 * tsteps})


def jacobi_1d(tsteps, n):
    return Floor(bytes=DOUBLE * 3 * n, fp64=3 * 2 * n * tsteps, chain={"fp64": 3 * 2 * tsteps})


def jacobi_2d(tsteps, n):
    return Floor(bytes=DOUBLE * 3 * n * n, fp64=5 * 2 * n * n * tsteps, chain={"fp64": 5 * 2 * tsteps})


def lu(n):
    chain = {"fp64": 2 * n, "special": n}
    return Floor(bytes=DOUBLE * 2 * n * n, fp64=2 * n**3 // 3, special=n * n // 2, chain=chain)


def ludcmp(n):
    # The last solver subtracts from the last unknown to the first, but the products of each in ascending order: all of a
    # sum waits for the unknown before. In the factorisation and the first solver, only the last product of a sum does.
    chain = {"fp64": n * n // 2 + 2 * 2 * n, "special": 2 * n}
    return Floor(bytes=DOUBLE * 2 * n * n, fp64=2 * n**3 // 3, special=n * n // 2, chain=chain)


def mvt(n):
    return Floor(bytes=DOUBLE * (n * n + 6 * n), fp64=4 * n * n, chain={"fp64": n})


def nussinov(n):
    # The largest of many numbers has the same bits in any order.
    return Floor(bytes=INT * n * n, integer=n**3 // 3, chain={"integer": 2 * n})


def seidel_2d(tsteps, n):
    inner, points = (n - 2) ** 2, 3 * n + 4 * tsteps
    # As gauss-seidel of benches/.
    chain = {"fp64": 5 * points, "special": points}
    return Floor(bytes=DOUBLE * 2 * n * n, fp64=8 * inner * tsteps, special=inner * tsteps, chain=chain)


def symm(m, n):
    bytes = DOUBLE * (3 * m * n + m * m // 2)
    return Floor(bytes, fp64=2 * m * m * n, chain={"fp64": m})


def syr2k(n, m):
    return Floor(bytes=DOUBLE * (n * n + 2 * n * m), fp64=2 * n * n * m, chain={"fp64": m})


def syrk(n, m):
    return Floor(bytes=DOUBLE * (n * n + n * m), fp64=n * n * m, chain={"fp64": m})


def three_mm(ni, nj, nk, nl, nm):
    read = ni * nk + nk * nj + nj * nm + nm * nl
    written = ni * nj + nj * nl + ni * nl
    products = ni * nj * nk + nj * nl * nm + ni * nl * nj
    return Floor(bytes=DOUBLE * (read + written), fp64=2 * products, chain={"fp64": max(nk, nm) + nj})


def trisolv(n):
    chain = {"fp64": 2 * n, "special": n}
    return Floor(bytes=DOUBLE * (n * n // 2 + 2 * n), fp64=n * n, special=n, chain=chain)


def trmm(m, n):
    return Floor(bytes=DOUBLE * (2 * m * n + m * m // 2), fp64=m * m * n, chain={"fp64": m})


def two_mm(ni, nj, nk, nl):
    moved = ni * nk + nk * nj + nj * nl + ni * nj + 2 * ni * nl
    return Floor(bytes=DOUBLE * moved, fp64=2 * (ni * nj * nk + ni * nl * nj), chain={"fp64": nk + nj})


# The kernels, with sizes that fill a GPU of this decade and fit into its memory.
PROGRAMS = {
    adi: {"tsteps": 10, "n": 4096},
    atax: {"m": 4000, "n": 4000},
    bicg: {"m": 4000, "n": 4000},
    cholesky: {"n": 8192},
    correlation: {"m": 4096, "n": 4096},
    covariance: {"m": 4096, "n": 4096},
    deriche: {"w": 4096, "h": 4096},
    doitgen: {"nq": 256, "nr": 256, "np": 256},
    durbin: {"n": 10000},
    fdtd_2d: {"tmax": 100, "nx": 16384, "ny": 16384},
    floyd_warshall: {"n": 4096},
    gemm: {"ni": 8192, "nj": 8192, "nk": 8192},
    gemver: {"n": 30000},
    gesummv: {"n": 30000},
    gramschmidt: {"m": 4096, "n": 4096},
    heat_3d: {"tsteps": 50, "n": 512},
    jacobi_1d: {"tsteps": 1000, "n": 10_000_000},
    jacobi_2d: {"tsteps": 100, "n": 16384},
    lu: {"n": 8192},
    ludcmp: {"n": 8192},
    mvt: {"n": 4000},
    nussinov: {"n": 4096},
    seidel_2d: {"tsteps": 100, "n": 16384},
    symm: {"m": 8192, "n": 8192},
    syr2k: {"n": 8192, "m": 8192},
    syrk: {"n": 8192, "m": 8192},
    three_mm: {"ni": 8192, "nj": 8192, "nk": 8192, "nl": 8192, "nm": 8192},
    trisolv: {"n": 16384},
    trmm: {"m": 8192, "n": 8192},
    two_mm: {"ni": 8192, "nj": 8192, "nk": 8192, "nl": 8192},
}
