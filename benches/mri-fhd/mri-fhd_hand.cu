/* The vector F^H d by hand. The first kernel packs what the second needs of a sample into one structure; the packed
 * samples are copied, on the device, to constant memory, because all threads of a warp read the same one. A thread
 * computes one voxel in registers. More samples than constant memory holds take several launches.
 *
 * Usage: mri-fhd_hand [voxels [samples]]      (by default 4096 512)
 */
#include <algorithm>
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

constexpr float TWO_PI = 6.2831853071795864769f;
constexpr int BLOCK = 128;
constexpr int TABLE = 2048;

struct Sample {
    float kx, ky, kz, rho_r, rho_i;
};

__constant__ Sample table[TABLE];

__global__ void pack(int samples, const float *__restrict__ kx, const float *__restrict__ ky,
                     const float *__restrict__ kz, const float *__restrict__ phi_r, const float *__restrict__ phi_i,
                     const float *__restrict__ d_r, const float *__restrict__ d_i, Sample *__restrict__ packed)
{
    int k = blockIdx.x * BLOCK + threadIdx.x;
    if (k < samples)
        packed[k] = {kx[k], ky[k], kz[k], phi_r[k] * d_r[k] + phi_i[k] * d_i[k], phi_r[k] * d_i[k] - phi_i[k] * d_r[k]};
}

__global__ void add_samples(int voxels, int count, const float *__restrict__ x, const float *__restrict__ y,
                            const float *__restrict__ z, float *__restrict__ fhd_r, float *__restrict__ fhd_i)
{
    int v = blockIdx.x * BLOCK + threadIdx.x;
    if (v >= voxels)
        return;
    float px = x[v], py = y[v], pz = z[v];
    float sum_r = fhd_r[v], sum_i = fhd_i[v];
#pragma unroll 4
    for (int k = 0; k < count; k++) {
        Sample sample = table[k];
        float sine, cosine;
        sincosf(TWO_PI * (sample.kx * px + sample.ky * py + sample.kz * pz), &sine, &cosine);
        sum_r += sample.rho_r * cosine - sample.rho_i * sine;
        sum_i += sample.rho_i * cosine + sample.rho_r * sine;
    }
    fhd_r[v] = sum_r;
    fhd_i[v] = sum_i;
}

static void mri_fhd(int voxels, int samples, const float *kx, const float *ky, const float *kz, const float *phi_r,
                    const float *phi_i, const float *d_r, const float *d_i, const float *x, const float *y,
                    const float *z, float *fhd_r, float *fhd_i)
{
    float *dev_kx = to_device(samples, kx);
    float *dev_ky = to_device(samples, ky);
    float *dev_kz = to_device(samples, kz);
    float *dev_phi_r = to_device(samples, phi_r);
    float *dev_phi_i = to_device(samples, phi_i);
    float *dev_d_r = to_device(samples, d_r);
    float *dev_d_i = to_device(samples, d_i);
    Sample *dev_packed = on_device<Sample>(samples);
    pack<<<blocks(samples, BLOCK), BLOCK>>>(samples, dev_kx, dev_ky, dev_kz, dev_phi_r, dev_phi_i, dev_d_r, dev_d_i,
                                            dev_packed);
    CHECK(cudaGetLastError());

    float *dev_x = to_device(voxels, x);
    float *dev_y = to_device(voxels, y);
    float *dev_z = to_device(voxels, z);
    float *dev_fhd_r = on_device<float>(voxels);
    float *dev_fhd_i = on_device<float>(voxels);
    CHECK(cudaMemset(dev_fhd_r, 0, voxels * sizeof(float)));
    CHECK(cudaMemset(dev_fhd_i, 0, voxels * sizeof(float)));
    for (int first = 0; first < samples; first += TABLE) {
        int count = std::min(TABLE, samples - first);
        CHECK(cudaMemcpyToSymbol(table, dev_packed + first, count * sizeof(Sample), 0, cudaMemcpyDeviceToDevice));
        add_samples<<<blocks(voxels, BLOCK), BLOCK>>>(voxels, count, dev_x, dev_y, dev_z, dev_fhd_r, dev_fhd_i);
        CHECK(cudaGetLastError());
    }
    to_host(voxels, fhd_r, dev_fhd_r);
    to_host(voxels, fhd_i, dev_fhd_i);
    for (float *memory : {dev_kx, dev_ky, dev_kz, dev_phi_r, dev_phi_i, dev_d_r, dev_d_i, dev_x, dev_y, dev_z,
                          dev_fhd_r, dev_fhd_i})
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
    float *d_r = drawn_floats(samples, 6);
    float *d_i = drawn_floats(samples, 7);
    float *x = drawn_floats(voxels, 8);
    float *y = drawn_floats(voxels, 9);
    float *z = drawn_floats(voxels, 10);
    float *fhd_r = zero_floats(voxels);
    float *fhd_i = zero_floats(voxels);

    start_clock();
    mri_fhd(voxels, samples, kx, ky, kz, phi_r, phi_i, d_r, d_i, x, y, z, fhd_r, fhd_i);
    stop_clock();
    print_floats("fhd_r", voxels, fhd_r);
    print_floats("fhd_i", voxels, fhd_i);

    for (float *memory : {kx, ky, kz, phi_r, phi_i, d_r, d_i, x, y, z, fhd_r, fhd_i})
        free(memory);
    return 0;
}
