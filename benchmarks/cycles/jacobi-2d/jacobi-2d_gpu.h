#ifndef JACOBI_2D_GPU_H
#define JACOBI_2D_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 10 to 19 of jacobi-2d.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int jacobi_2d_jacobi_2d_scop0(int n, int steps, float *A, float *B);

#ifdef __cplusplus
}
#endif

#endif
