/* N-body simulation by hand. A body is one vector load of four numbers. A block goes over all bodies in tiles that its
 * threads bring to shared memory together, each thread sums up the pull on one body in registers and moves it in the
 * same kernel. The new places go to a second array, for the others still need the old ones: one launch a step.
 *
 * Usage: nbody_hand [n [steps]]      (by default 1024 2)
 */
#include <utility>

#include "../device.h"
#include "nbody.h"

constexpr int TILE = 128;

/* `sum`, and what the other body adds to the acceleration of this one. */
__device__ float3 with_pull(float3 sum, float4 body, float4 other)
{
    float dx = other.x - body.x;
    float dy = other.y - body.y;
    float dz = other.z - body.z;
    float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
    float pull = other.w * (inverse * inverse * inverse);
    return make_float3(sum.x + pull * dx, sum.y + pull * dy, sum.z + pull * dz);
}

__global__ void advance(int n, const float4 *__restrict__ old_body, float4 *__restrict__ new_body,
                        float4 *__restrict__ velocity)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 body = old_body[min(i, n - 1)];
    float3 accel = make_float3(0.0f, 0.0f, 0.0f);

    for (int first = 0; first < n; first += TILE) {
        int mine = first + threadIdx.x;
        if (mine < n)
            tile[threadIdx.x] = old_body[mine];
        __syncthreads();
        int count = min(TILE, n - first);
#pragma unroll 8
        for (int j = 0; j < count; j++)
            accel = with_pull(accel, body, tile[j]);
        __syncthreads();
    }
    if (i >= n)
        return;
    float4 v = velocity[i];
    v.x = (v.x + accel.x * TIME_STEP) * DAMPING;
    v.y = (v.y + accel.y * TIME_STEP) * DAMPING;
    v.z = (v.z + accel.z * TIME_STEP) * DAMPING;
    velocity[i] = v;
    body.x += v.x * TIME_STEP;
    body.y += v.y * TIME_STEP;
    body.z += v.z * TIME_STEP;
    new_body[i] = body;
}

static void simulate(int n, int steps, float *body, float *velocity)
{
    float4 *dev_body = to_device(n, reinterpret_cast<float4 *>(body));
    float4 *dev_next = on_device<float4>(n);
    float4 *dev_velocity = to_device(n, reinterpret_cast<float4 *>(velocity));
    for (int t = 0; t < steps; t++) {
        advance<<<blocks(n, TILE), TILE>>>(n, dev_body, dev_next, dev_velocity);
        CHECK(cudaGetLastError());
        std::swap(dev_body, dev_next);
    }
    to_host(n, reinterpret_cast<float4 *>(body), dev_body);
    to_host(n, reinterpret_cast<float4 *>(velocity), dev_velocity);
    CHECK(cudaFree(dev_body));
    CHECK(cudaFree(dev_next));
    CHECK(cudaFree(dev_velocity));
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1024);
    int steps = size(argc, argv, 2, 2);
    float *body = place_bodies(n);
    float *velocity = still_bodies(n);

    start_clock();
    simulate(n, steps, body, velocity);
    stop_clock();
    print_floats("body", (size_t)4 * n, body);
    print_floats("velocity", (size_t)4 * n, velocity);

    free(body);
    free(velocity);
    return 0;
}
