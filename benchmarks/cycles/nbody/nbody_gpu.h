#ifndef NBODY_GPU_H
#define NBODY_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 11 to 38 of nbody.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int nbody_simulate_scop0(int n, int steps, float *body, float *accel, float *velocity);

#ifdef __cplusplus
}
#endif

#endif
