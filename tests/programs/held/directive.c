// Arrays stay on the device while code of log.c runs.
#include <stdio.h>
#include <stdlib.h>

#include "c2cuda.h"

void log_step(int t);
void look(const double *x);

static void step(int n, const double *restrict old, double *restrict new)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        new[i] = (old[i - 1] + old[i] + old[i + 1]) / 3;
#pragma endscop
}

static double both(const double *x, int n)
{
    return x[0] + x[n - 1];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = argc > 2 ? atoi(argv[2]) : 0;
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    look(&(double){0});
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i % 7;
    look(u);
    look(v);
#pragma c2cuda data copy(u[0:n], v[0:n])
    for (int t = 1; t <= steps; t++) {
        step(n, u, v);
        double *w = u;
        u = v;
        v = w;
        if (t % 10 == 0) {
            log_step(t);
            printf("%g %g\n", u[n / 2], both(u, n));
            c2cuda_data_reads(&u[0], sizeof u[0]);
            look(u);
        }
        if (u[n / 2] > 1e9)
            return 3;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * i;
    printf("%g\n", sum);
    look(u);
#pragma c2cuda data
    {
        step(n, u, v);
        log_step(-1);
        step(n, v, u);
        log_step(-2);
        step(n, u, v);
    }
    look(v + n / 2);
    free(u);
    free(v);
}
