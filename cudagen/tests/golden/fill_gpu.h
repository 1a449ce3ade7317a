/* Generated from fill.c by c2cuda. */
#ifndef C2CUDA_FILL_GPU_H
#define C2CUDA_FILL_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 5 to 9 of fill.c. */
void fill_scop0(int *a);

#ifdef __cplusplus
}
#endif

#endif
