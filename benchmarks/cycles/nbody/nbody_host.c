#include "nbody_gpu.h"
/* N-body simulation: every body is pulled by all others and moves on, in each time step. The softening keeps bodies
 * that meet from dividing by zero, and a body from needing to leave itself out.
 *
 * Usage: nbody [n [steps]]      (by default 1024 2)
 */
#include "nbody.h"

static void simulate(int n, int steps, float (*restrict body)[4], float (*restrict velocity)[4],
                     float (*restrict accel)[3])
{
    if (!nbody_simulate_scop0(n, steps, &body[0][0], &accel[0][0], &velocity[0][0])) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            float ax = 0.0f;
            float ay = 0.0f;
            float az = 0.0f;
            for (int j = 0; j < n; j++) {
                float dx = body[j][0] - body[i][0];
                float dy = body[j][1] - body[i][1];
                float dz = body[j][2] - body[i][2];
                float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
                float pull = body[j][3] * (inverse * inverse * inverse);
                ax += pull * dx;
                ay += pull * dy;
                az += pull * dz;
            }
            accel[i][0] = ax;
            accel[i][1] = ay;
            accel[i][2] = az;
        }
        for (int i = 0; i < n; i++) {
            for (int axis = 0; axis < 3; axis++) {
                velocity[i][axis] = (velocity[i][axis] + accel[i][axis] * TIME_STEP) * DAMPING;
                body[i][axis] += velocity[i][axis] * TIME_STEP;
            }
        }
    }
#pragma endscop
    }
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1024);
    int steps = size(argc, argv, 2, 2);
    void *body = place_bodies(n);
    void *velocity = still_bodies(n);
    void *accel = zero_floats((size_t)3 * n);

    start_clock();
    simulate(n, steps, body, velocity, accel);
    stop_clock();
    print_floats("body", (size_t)4 * n, body);
    print_floats("velocity", (size_t)4 * n, velocity);

    free(body);
    free(velocity);
    free(accel);
    return 0;
}
