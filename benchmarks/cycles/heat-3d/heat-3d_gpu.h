#ifndef HEAT_3D_GPU_H
#define HEAT_3D_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 10 to 25 of heat-3d.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int heat_3d_heat_3d_scop0(int n, int steps, double *A, double *B);

#ifdef __cplusplus
}
#endif

#endif
