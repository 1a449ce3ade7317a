/* Two grids that change places in each step, by pointers. */
#include <stdio.h>
#include <stdlib.h>

static void step(int n, int m, const double *restrict old, double *restrict new)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            new[i * m + j] = 0.25 * (old[(i - 1) * m + j] + old[(i + 1) * m + j] + old[i * m + j - 1] + old[i * m + j + 1]);
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 12, m = 9;
    int steps = argc > 2 ? atoi(argv[2]) : 8;
    double *old = malloc(n * m * sizeof *old), *new = malloc(n * m * sizeof *new);
    for (int i = 0; i < n * m; i++)
        old[i] = new[i] = i % 11;
    for (int t = 0; t < steps; t++) {
        step(n, m, old, new);
        double *other = old;
        old = new;
        new = other;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += old[i * m + j] * (i + j);
    printf("%a\n", sum);
    free(old);
    free(new);
    return 0;
}
