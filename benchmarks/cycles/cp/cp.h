/* Coulombic potential: the data. An atom is four numbers: x, y, z, charge. */
#include "../bench.h"

#define SPACING 0.5f

/* The atoms lie in the volume, but in the plane of no slice: no distance is zero. */
static inline float *place_atoms(int volx, int voly, int slices, int natoms)
{
    float *atoms = drawn_floats((size_t)4 * natoms, 1);
    for (int atom = 0; atom < natoms; atom++) {
        float *place = atoms + 4 * atom;
        place[0] *= SPACING * volx;
        place[1] *= SPACING * voly;
        place[2] = (floorf(place[2] * slices) + 0.5f) * SPACING;
        place[3] -= 0.5f;
    }
    return atoms;
}
