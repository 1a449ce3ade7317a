/* The matrix Q by hand. The first kernel packs what the second needs of a sample into one vector; the packed samples
 * are copied, on the device, to constant memory, because all threads of a warp read the same one. A thread computes
 * one voxel in registers. More samples than constant memory holds take several launches.
 *
 * Usage: mri-q_hand [voxels [samples]]      (by default 4096 512)
 */
#include <algorithm>
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

constexpr float TWO_PI = 6.2831853071795864769f;
constexpr int BLOCK = 128;
constexpr int TABLE = 4096;

/* kx, ky, kz, square of the magnitude of phi. */
__constant__ float4 table[TABLE];

__global__ void pack(int samples, const float *__restrict__ kx, const float *__restrict__ ky,
                     const float *__restrict__ kz, const float *__restrict__ phi_r, const float *__restrict__ phi_i,
                     float4 *__restrict__ packed)
{
    int k = blockIdx.x * BLOCK + threadIdx.x;
    if (k < samples)
        packed[k] = make_float4(kx[k], ky[k], kz[k], phi_r[k] * phi_r[k] + phi_i[k] * phi_i[k]);
}

__global__ void add_samples(int voxels, int count, const float *__restrict__ x, const float *__restrict__ y,
                            const float *__restrict__ z, float *__restrict__ q_r, float *__restrict__ q_i)
{
    int v = blockIdx.x * BLOCK + threadIdx.x;
    if (v >= voxels)
        return;
    float px = x[v], py = y[v], pz = z[v];
    float sum_r = q_r[v], sum_i = q_i[v];
#pragma unroll 4
    for (int k = 0; k < count; k++) {
        float4 sample = table[k];
        float sine, cosine;
        sincosf(TWO_PI * (sample.x * px + sample.y * py + sample.z * pz), &sine, &cosine);
        sum_r += sample.w * cosine;
        sum_i += sample.w * sine;
    }
    q_r[v] = sum_r;
    q_i[v] = sum_i;
}

static void mri_q(int voxels, int samples, const float *kx, const float *ky, const float *kz, const float *phi_r,
                  const float *phi_i, const float *x, const float *y, const float *z, float *q_r, float *q_i)
{
    float *dev_kx = to_device(samples, kx);
    float *dev_ky = to_device(samples, ky);
    float *dev_kz = to_device(samples, kz);
    float *dev_phi_r = to_device(samples, phi_r);
    float *dev_phi_i = to_device(samples, phi_i);
    float4 *dev_packed = on_device<float4>(samples);
    pack<<<blocks(samples, BLOCK), BLOCK>>>(samples, dev_kx, dev_ky, dev_kz, dev_phi_r, dev_phi_i, dev_packed);
    CHECK(cudaGetLastError());

    float *dev_x = to_device(voxels, x);
    float *dev_y = to_device(voxels, y);
    float *dev_z = to_device(voxels, z);
    float *dev_q_r = on_device<float>(voxels);
    float *dev_q_i = on_device<float>(voxels);
    CHECK(cudaMemset(dev_q_r, 0, voxels * sizeof(float)));
    CHECK(cudaMemset(dev_q_i, 0, voxels * sizeof(float)));
    for (int first = 0; first < samples; first += TABLE) {
        int count = std::min(TABLE, samples - first);
        CHECK(cudaMemcpyToSymbol(table, dev_packed + first, count * sizeof(float4), 0, cudaMemcpyDeviceToDevice));
        add_samples<<<blocks(voxels, BLOCK), BLOCK>>>(voxels, count, dev_x, dev_y, dev_z, dev_q_r, dev_q_i);
        CHECK(cudaGetLastError());
    }
    to_host(voxels, q_r, dev_q_r);
    to_host(voxels, q_i, dev_q_i);
    for (float *memory : {dev_kx, dev_ky, dev_kz, dev_phi_r, dev_phi_i, dev_x, dev_y, dev_z, dev_q_r, dev_q_i})
        CHECK(cudaFree(memory));
    CHECK(cudaFree(dev_packed));
}

int main(int argc, char **argv)
{
    int voxels = size(argc, argv, 1, 4096);
    int samples = size(argc, argv, 2, 512);
    float *kx = drawn_floats(samples, 1);
    float *ky = drawn_floats(samples, 2);
    float *kz = drawn_floats(samples, 3);
    float *phi_r = drawn_floats(samples, 4);
    float *phi_i = drawn_floats(samples, 5);
    float *x = drawn_floats(voxels, 6);
    float *y = drawn_floats(voxels, 7);
    float *z = drawn_floats(voxels, 8);
    float *q_r = zero_floats(voxels);
    float *q_i = zero_floats(voxels);

    start_clock();
    mri_q(voxels, samples, kx, ky, kz, phi_r, phi_i, x, y, z, q_r, q_i);
    stop_clock();
    print_floats("q_r", voxels, q_r);
    print_floats("q_i", voxels, q_i);

    for (float *memory : {kx, ky, kz, phi_r, phi_i, x, y, z, q_r, q_i})
        free(memory);
    return 0;
}
