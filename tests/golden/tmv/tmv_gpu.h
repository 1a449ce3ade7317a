/* Generated from tmv.c by c2cuda. */
#ifndef C2CUDA_TMV_GPU_H
#define C2CUDA_TMV_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 23 to 29 of tmv.c. */
void tmv_7cefd6_scop0(float *x, const float *a, const float *y);

#ifdef __cplusplus
}
#endif

#endif
