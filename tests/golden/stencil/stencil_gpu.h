/* Generated from stencil.c by c2cuda. */
#ifndef C2CUDA_STENCIL_GPU_H
#define C2CUDA_STENCIL_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 13 to 17 of stencil.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int stencil_a288e2_scop0(int n, double *A);

#ifdef __cplusplus
}
#endif

#endif
