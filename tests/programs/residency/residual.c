/* A solver that reads one element every tenth step, and stops early if that is small. */
#include <stdio.h>
#include <stdlib.h>

static void relax(int n, double *restrict u, double *restrict v)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
#pragma endscop
}

static int is_small(const double *u, int i)
{
    return u[i] < 1e-12;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int steps = argc > 2 ? atoi(argv[2]) : 40;
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i * i % 23;
    for (int t = 1; t <= steps; t++) {
        relax(n, u, v);
        if (t % 10 == 0) {
            printf("%d: %a\n", t, u[n / 2]);
            if (is_small(u, n / 2))
                break;
        }
    }
    printf("%a\n", u[1]);
    free(u);
    free(v);
    return 0;
}
