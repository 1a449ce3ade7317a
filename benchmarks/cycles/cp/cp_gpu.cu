// Generated from cp.c by c2cuda.
#include "cp_gpu.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

// Ends the program if a CUDA call failed.
static void cuda_check_at(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

#define cuda_check(call) cuda_check_at((call), #call, __FILE__, __LINE__)

// cp.c:18: float dx = SPACING * t2 - atoms[4 * t3]; float dy = SPACING * t1 - atoms ...
__global__ void cp_scop0_kernel0(int volx, int voly, int natoms, const float *__restrict__ atoms,
        float z, float *__restrict__ energy)
{
    __shared__ float shared_atoms[64];
    float private_energy[4][4];
    const int bx = blockIdx.x;
    const int by = blockIdx.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    #pragma unroll
    for (int c2 = 0; c2 < 4; c2++) {
        if (c2 <= ((voly - ty - 1) >> 4) - 4 * by) {
            #pragma unroll
            for (int c3 = 0; c3 < 4; c3++) {
                if (c3 <= ((volx - tx - 1) >> 4) - 4 * bx) {
                    private_energy[c2][c3] =
                        energy[(ptrdiff_t)(64 * by + 16 * c2 + ty) * volx + 64 * bx + 16 * c3 + tx];
                }
            }
        }
    }
    for (int c2 = 0; c2 <= (natoms - 1) / 16; c2++) {
        if (ty < 4 && (ty < 4 && 16 * ty + 64 * c2 + tx < 4 * natoms))
            shared_atoms[16 * ty + tx] = atoms[16 * ty + 64 * c2 + tx];
        __syncthreads();
        if (((voly - ty - 1) >> 4) - 4 * by >= 3 && ((volx - tx - 1) >> 4) - 4 * bx >= 3) {
            for (int t3 = 16 * c2; t3 < min(natoms, 16 * c2 + 16); t3++) {
                #pragma unroll
                for (int c4 = 0; c4 < 4; c4++) {
                    #pragma unroll
                    for (int c5 = 0; c5 < 4; c5++) {
                        const float dx = 0.5f * (64 * bx + 16 * c5 + tx)
                            - shared_atoms[4 * t3 - 64 * c2];
                        const float dy = 0.5f * (64 * by + 16 * c4 + ty)
                            - shared_atoms[4 * t3 - 64 * c2 + 1];
                        const float dz = z - shared_atoms[4 * t3 - 64 * c2 + 2];
                        private_energy[c4][c5] += shared_atoms[4 * t3 - 64 * c2 + 3] / sqrtf(dx * dx
                            + dy * dy + dz * dz);
                    }
                }
            }
        } else {
            for (int t3 = 16 * c2; t3 < min(natoms, 16 * c2 + 16); t3++) {
                #pragma unroll
                for (int c4 = 0; c4 < 4; c4++) {
                    if (c4 <= ((voly - ty - 1) >> 4) - 4 * by) {
                        #pragma unroll
                        for (int c5 = 0; c5 < 4; c5++) {
                            if (c5 <= ((volx - tx - 1) >> 4) - 4 * bx) {
                                const float dx = 0.5f * (64 * bx + 16 * c5 + tx)
                                    - shared_atoms[4 * t3 - 64 * c2];
                                const float dy = 0.5f * (64 * by + 16 * c4 + ty)
                                    - shared_atoms[4 * t3 - 64 * c2 + 1];
                                const float dz = z - shared_atoms[4 * t3 - 64 * c2 + 2];
                                private_energy[c4][c5] += shared_atoms[4 * t3 - 64 * c2 + 3]
                                    / sqrtf(dx * dx + dy * dy + dz * dz);
                            }
                        }
                    }
                }
            }
        }
        __syncthreads();
    }
    #pragma unroll
    for (int c2 = 0; c2 < 4; c2++) {
        if (c2 <= ((voly - ty - 1) >> 4) - 4 * by) {
            #pragma unroll
            for (int c3 = 0; c3 < 4; c3++) {
                if (c3 <= ((volx - tx - 1) >> 4) - 4 * bx) {
                    energy[(ptrdiff_t)(64 * by + 16 * c2 + ty) * volx + 64 * bx + 16 * c3 + tx] =
                        private_energy[c2][c3];
                }
            }
        }
    }
}

extern "C" int cp_scop0(int volx, int voly, int natoms, const float *atoms, float z, float *energy)
{
    // Index expressions must not overflow `int`.
    if (volx < -536000000 || volx > 536000000 || voly < -536000000 || voly > 536000000
            || natoms < -536000000 || natoms > 536000000)
        return 0;
    const size_t dev_atoms_bytes = sizeof(float) * max(4 * natoms, 0);
    const size_t dev_energy_bytes = sizeof(float) * max(voly, 0) * max(volx, 0);
    const size_t dev_energy_copied = dev_energy_bytes == 0 ? 0
        : sizeof(float) * ((ptrdiff_t)(voly - 1) * volx + volx - 1 + 1) < dev_energy_bytes
        ? sizeof(float) * ((ptrdiff_t)(voly - 1) * volx + volx - 1 + 1) : dev_energy_bytes;
    // CUDA has no larger grids.
    if ((voly - 1) / 64 + 1 > 65535)
        return 0;

    float *dev_atoms = NULL;
    cuda_check(cudaMalloc(&dev_atoms, dev_atoms_bytes));
    float *dev_energy = NULL;
    cuda_check(cudaMalloc(&dev_energy, dev_energy_bytes));

    if (volx >= 1 && voly >= 1 && natoms >= 1) {
        cuda_check(cudaMemcpy(dev_atoms, atoms, dev_atoms_bytes, cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy(dev_energy, energy, dev_energy_copied, cudaMemcpyHostToDevice));
        cp_scop0_kernel0<<<dim3((volx - 1) / 64 + 1, (voly - 1) / 64 + 1), dim3(16, 16)>>>(volx,
            voly, natoms, dev_atoms, z, dev_energy);
        cuda_check(cudaGetLastError());
        cuda_check(cudaMemcpy(energy, dev_energy, dev_energy_copied, cudaMemcpyDeviceToHost));
    }

    cuda_check(cudaFree(dev_atoms));
    cuda_check(cudaFree(dev_energy));
    return 1;
}
