#include "mri-q_gpu.h"
/* The matrix Q of the reconstruction of images from magnetic resonance, not on a grid: for every voxel a sum over all
 * samples of the scanner's trajectory in the space of frequencies.
 *
 * Usage: mri-q [voxels [samples]]      (by default 4096 512)
 */
#include "../bench.h"

#define TWO_PI 6.2831853071795864769f

static void mri_q(int voxels, int samples, const float *restrict kx, const float *restrict ky,
                  const float *restrict kz, const float *restrict phi_r, const float *restrict phi_i,
                  const float *restrict x, const float *restrict y, const float *restrict z, float *restrict phi_mag,
                  float *restrict q_r, float *restrict q_i)
{
    if (!mri_q_mri_q_scop0(voxels, samples, phi_r, phi_i, phi_mag, kx, x, ky, y, kz, z, q_r, q_i)) {
#pragma scop
    for (int k = 0; k < samples; k++)
        phi_mag[k] = phi_r[k] * phi_r[k] + phi_i[k] * phi_i[k];
    for (int v = 0; v < voxels; v++) {
        float sum_r = 0.0f;
        float sum_i = 0.0f;
        for (int k = 0; k < samples; k++) {
            float angle = TWO_PI * (kx[k] * x[v] + ky[k] * y[v] + kz[k] * z[v]);
            sum_r += phi_mag[k] * cosf(angle);
            sum_i += phi_mag[k] * sinf(angle);
        }
        q_r[v] = sum_r;
        q_i[v] = sum_i;
    }
#pragma endscop
    }
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
    float *phi_mag = zero_floats(samples);
    float *q_r = zero_floats(voxels);
    float *q_i = zero_floats(voxels);

    start_clock();
    mri_q(voxels, samples, kx, ky, kz, phi_r, phi_i, x, y, z, phi_mag, q_r, q_i);
    stop_clock();
    print_floats("q_r", voxels, q_r);
    print_floats("q_i", voxels, q_i);

    free(kx);
    free(ky);
    free(kz);
    free(phi_r);
    free(phi_i);
    free(x);
    free(y);
    free(z);
    free(phi_mag);
    free(q_r);
    free(q_i);
    return 0;
}
