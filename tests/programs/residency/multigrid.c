/* Levels of a grid in arrays of pointers; each level is smoothed, coarsened and corrected. */
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 3 };

static void smooth(int n, double *restrict u, double *restrict w, const double *restrict f)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        w[i] = 0.5 * (u[i - 1] + u[i + 1] - f[i]);
    for (int i = 1; i < n - 1; i++)
        u[i] = w[i];
#pragma endscop
}

static void coarsen(int n, const double *restrict fine, double *restrict coarse)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        coarse[i] = 0.25 * (fine[2 * i - 1] + 2 * fine[2 * i] + fine[2 * i + 1]);
#pragma endscop
}

static void correct(int n, double *restrict fine, const double *restrict coarse)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        fine[2 * i] += 0.5 * coarse[i];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 8;
    int rounds = argc > 2 ? atoi(argv[2]) : 3;
    double *u[LEVELS], *w[LEVELS], *f[LEVELS];
    int size[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        size[k] = (n << (LEVELS - 1 - k)) + 1;
        u[k] = calloc(size[k], sizeof(double));
        w[k] = calloc(size[k], sizeof(double));
        f[k] = calloc(size[k], sizeof(double));
    }
    for (int i = 0; i < size[0]; i++)
        f[0][i] = i * i % 7 - 2.5;
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k + 1 < LEVELS; k++) {
            smooth(size[k], u[k], w[k], f[k]);
            coarsen(size[k + 1], u[k], f[k + 1]);
        }
        for (int k = LEVELS - 1; k > 0; k--) {
            smooth(size[k], u[k], w[k], f[k]);
            correct(size[k], u[k - 1], u[k]);
        }
    }
    double sum = 0;
    for (int i = 0; i < size[0]; i++)
        sum += u[0][i] * (i % 4);
    printf("%a\n", sum);
    for (int k = 0; k < LEVELS; k++)
        free(u[k]), free(w[k]), free(f[k]);
    return 0;
}
