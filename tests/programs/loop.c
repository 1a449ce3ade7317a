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
        u[i] = 0.5 * v[i] - v[n - 1 - i];
#pragma endscop
}

int main(void)
{
    int n = 1000000;
    double *u = malloc(n * sizeof(double)), *v = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        u[i] = i % 7;
    for (int t = 0; t < 1000; t++) {
        forward(n, u, v);
        back(n, u, v);
    }
    printf("%g\n", u[n / 2]);
    free(u);
    free(v);
}
