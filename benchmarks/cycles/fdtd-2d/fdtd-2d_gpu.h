#ifndef FDTD_2D_GPU_H
#define FDTD_2D_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 12 to 26 of fdtd-2d.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int fdtd_2d_fdtd_2d_scop0(int nx, int ny, int steps, const float *source, float *ey, float *hz,
    float *ex);

#ifdef __cplusplus
}
#endif

#endif
