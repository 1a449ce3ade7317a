/* Coulombic potential: the electric potential of NATOMS point charges on the points of a volume,
 * one slice at a time; see "Automatic C-to-CUDA Code Generation for Affine Programs", Fig. 3. An
 * atom is four numbers: x, y, z, charge.
 *
 * The sizes are macros: -DVOLX=128 -DVOLY=128 -DNATOMS=400      (by default 64, 48 and 100)
 * Usage: cp [slices]      (by default 2)
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef VOLX
#define VOLX 64
#endif
#ifndef VOLY
#define VOLY 48
#endif
#ifndef NATOMS
#define NATOMS 100
#endif

#define SPACING 0.5f

static void cp(int zDim, const float *restrict atoms, float *restrict energy)
{
    int t1, t2, t3;
    float z = SPACING * zDim;

#pragma scop
    for (t1 = 0; t1 < VOLY; t1++) {
        for (t2 = 0; t2 < VOLX; t2++) {
            for (t3 = 0; t3 < NATOMS; t3++) {
                float dx = SPACING * t2 - atoms[4 * t3];
                float dy = SPACING * t1 - atoms[1 + 4 * t3];
                float dz = z - atoms[2 + 4 * t3];
                energy[zDim * VOLX * VOLY + t1 * VOLX + t2] += atoms[3 + 4 * t3] / sqrtf(dx * dx + dy * dy + dz * dz);
            }
        }
    }
#pragma endscop
}

/* The size given as argument number `which`, or else the default. */
static int size(int argc, char **argv, int which, int otherwise)
{
    int value = which < argc ? atoi(argv[which]) : otherwise;
    return value > 0 ? value : 0;
}

static void *allocate(size_t count, size_t element)
{
    void *memory = calloc(count > 0 ? count : 1, element);
    if (memory == NULL) {
        perror("allocate");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* One line on which a difference in any bit of the array shows. */
static void print_array(const char *name, size_t count, const float *values)
{
    const unsigned char *bytes = (const unsigned char *)values;
    uint64_t checksum = 14695981039346656037u;
    for (size_t b = 0; b < count * sizeof *values; b++)
        checksum = (checksum ^ bytes[b]) * 1099511628211u;
    printf("%s: %zu values, checksum %016" PRIx64, name, count, checksum);
    if (count > 0)
        printf(", first %a, middle %a, last %a", values[0], values[count / 2], values[count - 1]);
    putchar('\n');
}

/* No atom lies in the plane of a slice: no distance is zero. */
static void place_atoms(float *atoms)
{
    for (int atom = 0; atom < NATOMS; atom++) {
        atoms[4 * atom] = 7 * atom % 61 * 0.5f;
        atoms[1 + 4 * atom] = 11 * atom % 47 * 0.5f;
        atoms[2 + 4 * atom] = (atom % 13 + 0.5f) * SPACING;
        atoms[3 + 4 * atom] = atom % 2 == 0 ? 1.0f : -0.5f;
    }
}

int main(int argc, char **argv)
{
    int slices = size(argc, argv, 1, 2);
    size_t points = (size_t)slices * VOLX * VOLY;
    float *atoms = allocate((size_t)4 * NATOMS, sizeof(float));
    float *energy = allocate(points, sizeof(float));

    place_atoms(atoms);
    for (int slice = 0; slice < slices; slice++)
        cp(slice, atoms, energy);
    print_array("energy", points, energy);

    free(atoms);
    free(energy);
    return 0;
}
