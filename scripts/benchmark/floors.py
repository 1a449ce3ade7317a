"""What no program for benches/ can do without: bytes of device memory, and arithmetic.

Bytes: every element that the program reads before it writes it is read once, every element of the result is written
once. Operations: those of C in the innermost loops, without what can be computed outside of them. Products and sums
count one each, because fused ones have other bits. Square roots, divisions, sines and cosines take the units for
special functions, once each. Chain: the operations on the longest way from one value to the next that depends on it,
in C's order, because other orders of a floating-point sum have other bits. Operands that do not depend on the chain
are ready when it needs them.

A floor is a bound, not a program: it takes caches of any size for granted, and units that are never idle.
"""

import dataclasses


@dataclasses.dataclass
class Floor:
    """The least that a program moves and computes."""

    bytes: int
    fp32: int = 0
    fp64: int = 0
    integer: int = 0
    special: int = 0
    # Operations that wait for each other, by kind.
    chain: dict = dataclasses.field(default_factory=dict)

    def microseconds(self, target):
        """The time of whatever takes longest on a whole GPU, described as in `targets`, and which that is."""
        cycles_a_microsecond = target["clock_mhz"] * target["multiprocessors"]
        times = {
            kind: getattr(self, kind) / (target[f"rate_{kind}"] * cycles_a_microsecond)
            for kind in ["fp32", "fp64", "integer", "special"]
        }
        times["dram"] = self.bytes / (target["dram_gigabytes_per_second"] * 1e3)
        clocks = sum(number * target[f"latency_{kind}"] for kind, number in self.chain.items())
        times["chain"] = clocks / target["clock_mhz"]
        dominant = max(times, key=times.get)
        return times[dominant], dominant


def argmax(n):
    return Floor(bytes=4 * n, integer=n)


def atax(m, n):
    return Floor(bytes=8 * (m * n + 2 * n), fp64=4 * m * n, chain={"fp64": n + m})


def cp(volx, voly, natoms, slices):
    points = volx * voly * slices
    pairs, chain = points * natoms, {"fp32": natoms}
    return Floor(bytes=8 * points + 16 * natoms, fp32=3 * pairs, special=2 * pairs, chain=chain)


def dot(n):
    return Floor(bytes=16 * n, fp64=2 * n, chain={"fp64": n})


def extremes(n):
    return Floor(bytes=4 * n, integer=2 * n)


def fdtd_2d(nx, ny, steps):
    return Floor(bytes=24 * nx * ny, fp32=11 * nx * ny * steps, chain={"fp32": 8 * steps})


def gauss_seidel(n, steps):
    inner = (n - 2) ** 2
    # The longest way passes 3 * n points of a sweep, and four more in each further one. From the neighbour before a
    # point, five sums and a division lead to it.
    points = 3 * n + 4 * steps
    chain = {"fp32": 5 * points, "special": points}
    return Floor(bytes=4 * (n * n + inner), fp32=8 * inner * steps, special=inner * steps, chain=chain)


def gemm(ni, nj, nk):
    return Floor(bytes=4 * (ni * nk + nk * nj + 2 * ni * nj), fp32=2 * ni * nj * nk, chain={"fp32": nk})


def heat_3d(n, steps):
    inner = (n - 2) ** 3
    moved = n**3 + 6 * (n - 2) ** 2 + 2 * inner
    return Floor(bytes=8 * moved, fp64=13 * 2 * inner * steps, chain={"fp64": 6 * 2 * steps})


def histogram(n):
    return Floor(bytes=4 * n, integer=n)


def jacobi_2d(n, steps):
    inner = (n - 2) ** 2
    return Floor(bytes=4 * (n * n + inner), fp32=5 * inner * steps, chain={"fp32": 5 * steps})


def mri_fhd(voxels, samples):
    pairs = voxels * samples
    return Floor(bytes=4 * (7 * voxels + 7 * samples), fp32=14 * pairs, special=2 * pairs, chain={"fp32": samples})


def mri_q(voxels, samples):
    pairs = voxels * samples
    return Floor(bytes=4 * (5 * voxels + 5 * samples), fp32=10 * pairs, special=2 * pairs, chain={"fp32": samples})


def nbody(n, steps):
    pairs = n * n * steps
    return Floor(bytes=4 * 13 * n, fp32=18 * pairs, special=2 * pairs, chain={"fp32": n * steps})


def prefix_sum(n):
    return Floor(bytes=16 * n, fp64=n, chain={"fp64": n})


# The programs of benches/.
PROGRAMS = {
    "argmax": argmax,
    "atax": atax,
    "cp": cp,
    "dot": dot,
    "extremes": extremes,
    "fdtd-2d": fdtd_2d,
    "gauss-seidel": gauss_seidel,
    "gemm": gemm,
    "heat-3d": heat_3d,
    "histogram": histogram,
    "jacobi-2d": jacobi_2d,
    "mri-fhd": mri_fhd,
    "mri-q": mri_q,
    "nbody": nbody,
    "prefix_sum": prefix_sum,
}
