#ifndef GAUSS_SEIDEL_GPU_H
#define GAUSS_SEIDEL_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 10 to 16 of gauss-seidel.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int gauss_seidel_gauss_seidel_scop0(int n, int steps, float *A);

#ifdef __cplusplus
}
#endif

#endif
