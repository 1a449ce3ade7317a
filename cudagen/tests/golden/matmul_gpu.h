/* Generated from matmul.c by c2cuda. */
#ifndef C2CUDA_MATMUL_GPU_H
#define C2CUDA_MATMUL_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 3 to 8 of matmul.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int matmul_scop0(int n, double *C, const double *A);

#ifdef __cplusplus
}
#endif

#endif
