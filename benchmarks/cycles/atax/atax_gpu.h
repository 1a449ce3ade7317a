#ifndef ATAX_GPU_H
#define ATAX_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 10 to 20 of atax.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int atax_scop0(int m, int n, double *y, double *tmp, const double *A, const double *x);

#ifdef __cplusplus
}
#endif

#endif
