/* Generated from smooth.c by c2cuda. */
#ifndef C2CUDA_SMOOTH_GPU_H
#define C2CUDA_SMOOTH_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 8 to 16 of smooth.c. */
void smooth_scop0(long steps, float *u, float *v, float weight, float *first);

#ifdef __cplusplus
}
#endif

#endif
