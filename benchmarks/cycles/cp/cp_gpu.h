#ifndef CP_GPU_H
#define CP_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 14 to 25 of cp.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int cp_scop0(int volx, int voly, int natoms, const float *atoms, float z, float *energy);

#ifdef __cplusplus
}
#endif

#endif
