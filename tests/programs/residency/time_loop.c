/* A time loop that calls two functions with a region each. Only `u` is read at the end. */
#include <stdio.h>
#include <stdlib.h>

static void forward(int n, const double *restrict u, double *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = 0.5 * u[i] + u[n - 1 - i];
#pragma endscop
}

static void back(int n, double *restrict u, const double *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = v[i] - 0.25 * u[i];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int steps = argc > 2 ? atoi(argv[2]) : 10;
    double *u = malloc(n * sizeof(double));
    double *v = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        u[i] = i % 7;
    for (int t = 0; t < steps; t++) {
        forward(n, u, v);
        back(n, u, v);
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * (i + 1);
    printf("%a\n", sum);
    free(u);
    free(v);
    return 0;
}
