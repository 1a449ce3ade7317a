/* A solver whose residual is a region that stays on the host: a sum of floating-point numbers keeps its order. */
#include <stdio.h>
#include <stdlib.h>

static void relax(int n, const double *restrict u, double *restrict v)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        v[i] = 0.5 * (u[i - 1] + u[i + 1]);
#pragma endscop
}

static double total(int n, const double *w)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += w[i];
#pragma endscop
    return sum;
}

static double weights[100];

static double weight(void)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < 100; i++)
        sum += weights[i];
#pragma endscop
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int steps = argc > 2 ? atoi(argv[2]) : 10;
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i * i % 23;
    for (int t = 0; t < steps; t++) {
        relax(n, u, v);
        relax(n, v, u);
        weights[t % 100] = t;
        printf("%a\n", weight());
    }
    printf("%a\n", total(n, u));
    free(u);
    free(v);
    return 0;
}
