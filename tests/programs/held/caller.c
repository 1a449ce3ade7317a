// Not translated: it holds two arrays on the device while functions of kernels.c work on them.
#include <stdio.h>
#include <stdlib.h>

#include "c2cuda.h"

void step(int n, const double *restrict old, double *restrict new);
void add(int n, double *u, double c);
double first(const double *u);

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = argc > 2 ? atoi(argv[2]) : 0;
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i % 7;
    double *const a = u, *const b = v;
    c2cuda_data_begin(a, n * sizeof *a);
    c2cuda_data_begin(b, n * sizeof *b);
    for (int t = 1; t <= steps; t++) {
        step(n, u, v);
        add(n, v, 0.5);
        double *w = u;
        u = v;
        v = w;
        if (t % 10 == 0) {
            c2cuda_data_reads(&u[n / 2], sizeof u[n / 2]);
            printf("%g %g\n", u[n / 2], first(u));
            c2cuda_data_writes(&u[0], sizeof u[0]);
            u[0] += 1;
        }
    }
    c2cuda_data_end(b, n * sizeof *b);
    c2cuda_data_end(a, n * sizeof *a);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * i;
    printf("%g\n", sum);
    free(a);
    free(b);
}
