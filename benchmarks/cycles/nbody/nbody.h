/* N-body simulation: the data and the constants. A body is four numbers: x, y, z, mass. */
#include "../bench.h"

#define SOFTENING 0.01f
#define DAMPING 0.995f
#define TIME_STEP 0.001f

static inline float *place_bodies(int n)
{
    float *bodies = drawn_floats((size_t)4 * n, 1);
    for (int i = 0; i < n; i++)
        bodies[4 * i + 3] += 0.5f;
    return bodies;
}

/* The velocities have four numbers as well; the last means nothing. */
static inline float *still_bodies(int n)
{
    return zero_floats((size_t)4 * n);
}
