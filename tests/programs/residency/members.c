/* Two grids that change places in each step, by the members of a structure. */
#include <stdio.h>
#include <stdlib.h>

struct grids {
    double *old, *new;
};

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
    struct grids g = {malloc(n * m * sizeof(double)), malloc(n * m * sizeof(double))};
    for (int i = 0; i < n * m; i++)
        g.old[i] = g.new[i] = i % 11;
    for (int t = 0; t < steps; t++) {
        step(n, m, g.old, g.new);
        double *other = g.old;
        g.old = g.new;
        g.new = other;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += g.old[i * m + j] * (i + j);
    printf("%a\n", sum);
    free(g.old);
    free(g.new);
    return 0;
}
