#include "cp_gpu.h"
/* Coulombic potential: the electric potential of point charges on the points of a volume, one slice at a time; see
 * "Automatic C-to-CUDA Code Generation for Affine Programs", Fig. 3. An atom is four numbers: x, y, z, charge.
 *
 * Usage: cp [volx [voly [natoms [slices]]]]      (by default 128 96 400 1)
 */
#include "cp.h"

/* `energy` is the slice at zDim. */
static void cp(int volx, int voly, int natoms, int zDim, const float *restrict atoms, float *restrict energy)
{
    int t1, t2, t3;
    float z = SPACING * zDim;

    if (!cp_scop0(volx, voly, natoms, atoms, z, energy)) {
#pragma scop
    for (t1 = 0; t1 < voly; t1++) {
        for (t2 = 0; t2 < volx; t2++) {
            for (t3 = 0; t3 < natoms; t3++) {
                float dx = SPACING * t2 - atoms[4 * t3];
                float dy = SPACING * t1 - atoms[1 + 4 * t3];
                float dz = z - atoms[2 + 4 * t3];
                energy[t1 * volx + t2] += atoms[3 + 4 * t3] / sqrtf(dx * dx + dy * dy + dz * dz);
            }
        }
    }
#pragma endscop
    }
}

int main(int argc, char **argv)
{
    int volx = size(argc, argv, 1, 128);
    int voly = size(argc, argv, 2, 96);
    int natoms = size(argc, argv, 3, 400);
    int slices = size(argc, argv, 4, 1);
    size_t points = (size_t)volx * voly * slices;
    float *atoms = place_atoms(volx, voly, slices, natoms);
    float *energy = zero_floats(points);

    start_clock();
    for (int slice = 0; slice < slices; slice++)
        cp(volx, voly, natoms, slice, atoms, energy + (size_t)slice * volx * voly);
    stop_clock();
    print_floats("energy", points, energy);

    free(atoms);
    free(energy);
    return 0;
}
