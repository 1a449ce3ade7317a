/* The vector F^H d of the reconstruction of images from magnetic resonance, not on a grid: the data d of the scanner,
 * weighted by the sensitivity of its coil, transformed back to every voxel.
 *
 * Usage: mri-fhd [voxels [samples]]      (by default 4096 512)
 */
#include "../bench.h"

#define TWO_PI 6.2831853071795864769f

static void mri_fhd(int voxels, int samples, const float *restrict kx, const float *restrict ky,
                    const float *restrict kz, const float *restrict phi_r, const float *restrict phi_i,
                    const float *restrict d_r, const float *restrict d_i, const float *restrict x,
                    const float *restrict y, const float *restrict z, float *restrict rho_r, float *restrict rho_i,
                    float *restrict fhd_r, float *restrict fhd_i)
{
#pragma scop
    for (int k = 0; k < samples; k++) {
        rho_r[k] = phi_r[k] * d_r[k] + phi_i[k] * d_i[k];
        rho_i[k] = phi_r[k] * d_i[k] - phi_i[k] * d_r[k];
    }
    for (int v = 0; v < voxels; v++) {
        for (int k = 0; k < samples; k++) {
            float angle = TWO_PI * (kx[k] * x[v] + ky[k] * y[v] + kz[k] * z[v]);
            float cosine = cosf(angle);
            float sine = sinf(angle);
            fhd_r[v] += rho_r[k] * cosine - rho_i[k] * sine;
            fhd_i[v] += rho_i[k] * cosine + rho_r[k] * sine;
        }
    }
#pragma endscop
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
    float *rho_r = zero_floats(samples);
    float *rho_i = zero_floats(samples);
    float *fhd_r = zero_floats(voxels);
    float *fhd_i = zero_floats(voxels);

    start_clock();
    mri_fhd(voxels, samples, kx, ky, kz, phi_r, phi_i, d_r, d_i, x, y, z, rho_r, rho_i, fhd_r, fhd_i);
    stop_clock();
    print_floats("fhd_r", voxels, fhd_r);
    print_floats("fhd_i", voxels, fhd_i);

    free(kx);
    free(ky);
    free(kz);
    free(phi_r);
    free(phi_i);
    free(d_r);
    free(d_i);
    free(x);
    free(y);
    free(z);
    free(rho_r);
    free(rho_i);
    free(fhd_r);
    free(fhd_i);
    return 0;
}
