/* Coulombic potential by hand. The atoms stand in constant memory, because all threads of a warp read the same one;
 * what the slice alone decides of an atom, the square of its distance from the plane, is computed once by the host.
 * A thread computes four points of a row, one block width apart so that a warp writes whole lines, and shares the
 * work on y among them. More atoms than constant memory holds take several launches.
 *
 * Usage: cp_hand [volx [voly [natoms [slices]]]]      (by default 128 96 400 1)
 */
#include <algorithm>
#include <vector>

#include "../device.h"
#include "cp.h"

constexpr int BLOCK_X = 32, BLOCK_Y = 4, POINTS = 4;
constexpr int TABLE = 4096;

/* x, y, square of the distance from the plane, charge. */
__constant__ float4 table[TABLE];

__global__ void add_potential(int volx, int voly, int natoms, float *__restrict__ energy)
{
    int first = blockIdx.x * POINTS * BLOCK_X + threadIdx.x;
    int row = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (row >= voly)
        return;
    float *line = energy + (size_t)row * volx;
    float y = SPACING * row;
    float x[POINTS], sum[POINTS];
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
        int column = first + p * BLOCK_X;
        x[p] = SPACING * column;
        sum[p] = column < volx ? line[column] : 0.0f;
    }
#pragma unroll 4
    for (int a = 0; a < natoms; a++) {
        float4 atom = table[a];
        float dy = y - atom.y;
        float dy2 = dy * dy;
#pragma unroll
        for (int p = 0; p < POINTS; p++) {
            float dx = x[p] - atom.x;
            sum[p] += atom.w / sqrtf(dx * dx + dy2 + atom.z);
        }
    }
#pragma unroll
    for (int p = 0; p < POINTS; p++)
        if (first + p * BLOCK_X < volx)
            line[first + p * BLOCK_X] = sum[p];
}

static void cp(int volx, int voly, int natoms, int slices, const float *atoms, float *energy)
{
    size_t points = (size_t)volx * voly;
    float *dev_energy = on_device<float>(points * slices);
    CHECK(cudaMemset(dev_energy, 0, points * slices * sizeof(float)));
    dim3 grid(blocks(volx, POINTS * BLOCK_X), blocks(voly, BLOCK_Y)), block(BLOCK_X, BLOCK_Y);

    std::vector<float4> seen(natoms);
    for (int slice = 0; slice < slices; slice++) {
        float z = SPACING * slice;
        for (int a = 0; a < natoms; a++) {
            float dz = z - atoms[4 * a + 2];
            seen[a] = make_float4(atoms[4 * a], atoms[4 * a + 1], dz * dz, atoms[4 * a + 3]);
        }
        for (int first = 0; first < natoms; first += TABLE) {
            int count = std::min(TABLE, natoms - first);
            CHECK(cudaMemcpyToSymbol(table, &seen[first], count * sizeof(float4)));
            add_potential<<<grid, block>>>(volx, voly, count, dev_energy + slice * points);
            CHECK(cudaGetLastError());
        }
    }
    to_host(points * slices, energy, dev_energy);
    CHECK(cudaFree(dev_energy));
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
    cp(volx, voly, natoms, slices, atoms, energy);
    stop_clock();
    print_floats("energy", points, energy);

    free(atoms);
    free(energy);
    return 0;
}
