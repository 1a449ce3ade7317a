#ifndef MRI_Q_GPU_H
#define MRI_Q_GPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The region at lines 15 to 29 of mri-q.c.
   Returns 1; or 0, having done nothing, if the arguments do not allow it to run on the GPU. */
int mri_q_mri_q_scop0(int voxels, int samples, const float *phi_r, const float *phi_i,
    float *phi_mag, const float *kx, const float *x, const float *ky, const float *y,
    const float *kz, const float *z, float *q_r, float *q_i);

#ifdef __cplusplus
}
#endif

#endif
