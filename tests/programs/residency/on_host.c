// Regions that stay on the host read and write a few elements of arrays that are on the device.
#include <stdio.h>
#include <stdlib.h>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    int n = atoi(argv[1]), steps = atoi(argv[2]), k = 7;
    double *u = calloc(n, sizeof *u), *v = calloc(n, 8);
    double sum = 0;
    for (int t = 0; t < steps; t++) {
        step(n, u);
        step(n, v);
        if (t % 10 == 0) {
#pragma scop
            sum += u[k] + u[0];
#pragma endscop
        }
        if (t % 5 == 0) {
#pragma scop
            for (int i = 1; i < 4; i++)
                sum = sum * 0.5 + v[i];
#pragma endscop
        }
        if (t % 7 == 0) {
#pragma scop
            v[2] = sum;
#pragma endscop
        }
    }
    printf("%g\n", sum + u[3] + v[1]);
    free(u);
    free(v);
    return 0;
}
